// Calls to recursive functions that take their sizes as arguments (values/sized.c decides which).
// There is one residual function for each choice of the remaining generic arguments. Its body is
// evaluated once, with names for its sizes, which are its first parameters.
#include "staging/evaluate/calls.h"

// The key of a call: the function, its constant sizes and types, and the arguments that are
// functions.
static Sym key_of_sized(Stage *s, const Special *special, int n, const Known *const *args)
{
    Text text = text_new(s->arena);
    text_printf(&text, "sized %s", special->function->name->text);
    for (int i = 0; i < special->function->generics.len; i++)
        if (stage_passes_size(s, special, i))
            text_put(&text, " *");
        else
            text_printf(&text, " %u", special->generics[i].value->id);
    for (int i = 0; i < n; i++)
        if (!type_is_data(special->function->params.at[i].type)) {
            text_char(&text, ' ');
            call_write_key(s, &text, args[i]);
        }
    return session_sym(s->cx, text_get(&text));
}

// Whether the entry or one of its functions has a size with this name.
static bool names_size(Stage *s, Sym name)
{
    for (int i = 0; i < s->entry->generics.len; i++)
        if (s->entry->generics.at[i].name == name) return true;
    return map_get(&s->own_sizes, MAP_KEY(name)) != NULL;
}

Node *stage_own_size(Stage *s, Sym like)
{
    Sym name = names_size(s, like) ? sym_fresh(s->cx->syms, like->text) : like;
    Node *var = node_make(
        s->cx, &(NodeSpec){.kind = PH_VAR, .attr.sym = name, .type = type_own_size(s->cx)});
    map_put(&s->own_sizes, MAP_KEY(name), (void *)(uintptr_t)var);
    return var;
}

// Returns the function instantiated with new names for the sizes that become arguments. Sets the
// call's sizes and unknown arguments to variables.
static const Known *at_own_sizes(Stage *s, const Known *f, Call *c)
{
    Session *cx = s->cx;
    const Function *function = f->special->function;
    int n = function->generics.len;
    NodeBinding *with = ARENA_ARRAY(s->arena, NodeBinding, n + 1);
    Node **ops = ARENA_ARRAY(s->arena, Node *, n + 1);
    c->sizes = ARENA_ARRAY(s->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) {
        Sym name = function->generics.at[i].name;
        ops[i] = f->special->generics[i].value;
        if (stage_passes_size(s, f->special, i)) {
            c->sizes[c->nsizes] = stage_own_size(s, name);
            ops[i] = nat_var(cx, c->sizes[c->nsizes++]->attr.sym);
        }
        with[i] = (NodeBinding){name, ops[i]};
    }
    Node **params = ARENA_ARRAY(s->arena, Node *, c->n + 1);
    const Known **args = ARENA_ARRAY(s->arena, const Known *, c->n + 1);
    for (int i = 0; i < c->n; i++) {
        params[i] = node_replace_names(cx, function->params.at[i].type, with, n);
        args[i] = c->known[i]
                      ? c->args[i]
                      : known_term(s, stage_variable(s, params[i], function->params.at[i].name));
    }
    c->args = args;
    Node *result = node_replace_names(cx, function->result, with, n);
    Known *k = ARENA_NEW(s->arena, Known);
    *k = *f;
    k->node = core_global(cx, f->node->attr.sym, n, ops, type_fun(cx, c->n, params, result));
    k->special = stage_special(s, k->node);
    return k;
}

// Makes the residual function, whose first parameters are its sizes.
static bool make_sized(Stage *s, const Known *f, const Call *call)
{
    Call c = {.n = call->n,
              .args = call->args,
              .filtered = call->known,
              .known = call->known,
              .span = call->span,
              .key = call->key};
    c.f = at_own_sizes(s, f, &c);
    c.special = c.f->special;
    c.chain = stage_enter(s, c.f->special, f->chain, c.span);
    if (!c.chain) return false;
    c.where = stage_own_checks(s, c.special, c.chain);
    return !s->failed && call_make_function(s, &c);
}

static bool is_under_evaluation(const Stage *s, const Residual *f)
{
    for (const Region *r = s->regions; r; r = r->outer)
        if (r->is_function && r->residual == f) return true;
    return false;
}

static void size_arguments(Stage *s, Call *c)
{
    int n = c->special->function->generics.len;
    c->sizes = ARENA_ARRAY(s->arena, Node *, n + 1);
    for (int i = 0; i < n; i++)
        if (stage_passes_size(s, c->special, i))
            c->sizes[c->nsizes++] =
                node_make(s->cx, &(NodeSpec){.kind = CORE_NAT,
                                             .type = type_own_size(s->cx),
                                             .nops = 1,
                                             .ops = &c->special->generics[i].value});
}

const Known *stage_call_sized(Stage *s, const Known *f, int n, const Known *const *args, Span span,
                              Scope at)
{
    const Function *function = f->special->function;
    if (!map_get(s->sized, MAP_KEY(function)) || n != function->params.len) return NULL;
    bool *known = ARENA_ARRAY(s->arena, bool, n + 1);
    const Known **bound = ARENA_ARRAY(s->arena, const Known *, n + 1);
    Call c = {.f = f,
              .special = f->special,
              .n = n,
              .args = bound,
              .known = known,
              .span = span.file ? span : f->node->origin,
              .at = at};
    size_arguments(s, &c);
    if (c.nsizes == 0) return NULL;
    for (int i = 0; i < n; i++) {
        known[i] = !type_is_data(function->params.at[i].type);
        bound[i] = stage_bind(s, args[i], NULL, at.block);
    }
    c.key = key_of_sized(s, f->special, n, bound);
    Residual *made = call_residual(s, c.key);
    bool ready = made->done || is_under_evaluation(s, made);
    if (!ready && !make_sized(s, f, &c)) return known_error(s);
    return call_emit(s, &c, made);
}
