// Elaboration of functions. A function with border modes has a version for each combination of
// modes.
#include "infer/elaborate/elaborate.h"

enum { NO_MODE = -1 };

// The name of the version for these border modes, such as pad2d(clamp). `modes` has an entry for
// each parameter, or is NULL.
static Sym mode_name(Infer *in, const Symbol *y, const int *modes)
{
    if (!modes) return y->full;
    Text t = text_new(in->arena);
    text_put(&t, y->full->text);
    for (int i = 0; i < y->signature->params.len; i++)
        if (modes[i] != NO_MODE) text_printf(&t, "(%s)", pad_mode_text[modes[i]]);
    return session_sym(in->cx, text_get(&t));
}

// Adds a parameter. A border mode adds none, except that `const` adds the value of the border.
static void add_param(Function *f, Session *cx, const SigParam *p, Local *l, int mode)
{
    l->mode = mode;
    l->level = f->params.len;
    if (mode != NO_MODE && mode != PAD_CONST) return;
    Node *type = mode == PAD_CONST ? p->type->op[0] : p->type;
    vec_push(cx->arena, &f->params, ((Param){p->name, type_without_spaces(cx, type), NULL}));
}

// Returns, for each parameter of an entry and then for each component of its result, whether its
// type is followed by `strided`. Returns NULL if none is.
static const bool *strided_of(Session *cx, const Symbol *y)
{
    const Signature *sig = y->signature;
    const Item *item = y->item;
    const Ast *result = item->type;
    bool tuple = sig->result->kind == TYPE_TUPLE, any = false;
    bool parts = tuple && result->kind == AST_TYPE_TUPLE; // not a type alias
    int n = 0, nresults = tuple ? (int)sig->result->nops : 1;
    bool *out = ARENA_ARRAY(cx->arena, bool, sig->params.len + nresults);
    for (int i = 0; i < sig->params.len; i++)
        if (sig->params.at[i].generic < 0) out[n++] = item->params.at[i].type->strided;
    for (int i = 0; i < nresults; i++)
        out[n++] = tuple ? parts && result->kids.at[i]->strided : result->strided;
    for (int i = 0; i < n; i++) any |= out[i];
    return any ? out : NULL;
}

Function *elab_new_function(Session *cx, const Symbol *y, Sym name)
{
    const Signature *sig = y->signature;
    bool entry = y->item->entry && !y->family;
    Function *f = ARENA_NEW(cx->arena, Function);
    *f = (Function){.name = name,
                    .span = y->item->name_span,
                    .doc = y->item->doc,
                    .entry = entry,
                    .pattern = y->item->pattern,
                    .result = sig->result,
                    .where = sig->where,
                    .strided = entry ? strided_of(cx, y) : NULL};
    for (int i = 0; i < sig->generics.len; i++) {
        Generic g = {sig->generics.at[i].name, sig->generics.at[i].kind_name};
        vec_push(cx->arena, &f->generics, g);
    }
    return f;
}

// The filter of a parameter combines its own condition with the one for all parameters; either is
// enough for it to hold.
void elab_add_filters(Function *f, const Demand *d,
                      Node *(*closed)(Body *b, const Ast *e, int nparams))
{
    const Item *item = d->symbol->item;
    Body *b = d->symbol->body;
    int k = 0, n = f->params.len;
    Node *all = item->filter ? closed(b, item->filter, n) : NULL;
    for (int i = 0; i < item->params.len; i++) {
        const SigParam *p = &d->symbol->signature->params.at[i];
        bool none =
            p->generic >= 0 || (d->modes && d->modes[i] != NO_MODE && d->modes[i] != PAD_CONST);
        if (none) continue;
        const Ast *filter = item->params.at[i].filter;
        Node *own = filter ? closed(b, filter, n) : NULL;
        if (own && all) own = core_if(b->cx, own, core_bool(b->cx, true), all);
        f->params.at[k++].filter = own ? own : all;
    }
}

static void make_body(Infer *in, const Demand *d)
{
    const Signature *sig = d->symbol->signature;
    Body *b = d->symbol->body;
    Function *f = d->function;
    for (int i = 0; i < sig->params.len; i++)
        if (sig->params.at[i].generic < 0)
            add_param(f, in->cx, &sig->params.at[i], b->params.at[i],
                      d->modes ? d->modes[i] : NO_MODE);
    elab_add_filters(f, d, elab_closed);
    for (int i = 0; i < b->checks.len; i++)
        if (!b->borders.at[i] || b->borders.at[i]->mode != PAD_CONST)
            vec_push(in->cx->arena, &f->checks, b->checks.at[i]);
    node_begin(in->cx);
    f->body = elab_body(b, f->params.len);
    vec_push(in->cx->arena, &in->program.functions, f);
}

// Returns the Core function of a symbol or, unless `modes` is NULL, its version for these border
// modes (NO_MODE for any parameter that is not a border mode). The body of a version is elaborated
// later, because it may be the very body being elaborated now.
Function *elab_function(Infer *in, const Symbol *y, const int *modes)
{
    Sym name = mode_name(in, y, modes);
    Function *f = map_get(&in->program.by_name, MAP_KEY(name));
    if (f || (!modes && y->body->failed)) return f;
    Demand d = {y, modes, elab_new_function(in->cx, y, name)};
    map_put(&in->program.by_name, MAP_KEY(name), d.function);
    if (modes)
        vec_push(in->arena, &in->demanded, d);
    else
        make_body(in, &d);
    return d.function;
}

void elab_demanded(Infer *in)
{
    for (int i = 0; i < in->demanded.len; i++) {
        Demand d = in->demanded.at[i];
        if (d.symbol->body && !d.symbol->body->failed)
            make_body(in, &d);
        else
            map_put(&in->program.by_name, MAP_KEY(d.function->name), NULL);
    }
    in->demanded.len = 0;
}

void elab_extern(Infer *in, const Symbol *y)
{
    const Signature *sig = y->signature;
    Function *f = elab_new_function(in->cx, y, y->full);
    f->external = true;
    for (int i = 0; i < sig->params.len; i++) {
        if (sig->params.at[i].generic >= 0) continue;
        Node *type = type_without_spaces(in->cx, sig->params.at[i].type);
        vec_push(in->cx->arena, &f->params, ((Param){sig->params.at[i].name, type, NULL}));
    }
    map_put(&in->program.by_name, MAP_KEY(f->name), f);
    vec_push(in->cx->arena, &in->program.functions, f);
}
