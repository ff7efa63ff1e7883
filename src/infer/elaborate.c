// The second walk: syntax tree and solved notes become Core. Nothing is decided or reported here.
//
// A local knows how many variables are bound outside it (`level`), so its de Bruijn index at some
// depth is depth - 1 - level. Sizes and types named by `let` or generics leave no variables.
#include "infer/internal.h"

Node *elab_type(Elab *x, Node *t)
{
    return infer_resolve(x->b, t);
}

Node *elab_local(Elab *x, const Local *l)
{
    if (l->parent) return core_proj(x->cx, elab_local(x, l->parent), l->component);
    CHECK(x->cx, l->level >= 0 && l->level < x->depth, "variable %s is not bound",
          l->name ? l->name->text : "_");
    return core_var(x->cx, x->depth - 1 - l->level, elab_type(x, l->type));
}

static Node *elab_name(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    const Local *l = note->local;
    if (l && l->kind == LOCAL_SIZE) return core_size(x->cx, l->type);
    if (l) return elab_local(x, l);
    const Symbol *y = note->symbol;
    if (y->kind != SYMBOL_CONST) return elab_function_name(x, e, y, note->generics);
    if (y->size) return core_size(x->cx, y->size);
    return core_at(x->cx, core_global(x->cx, y->full, 0, NULL, y->signature->result), e->span);
}

// --- bindings ----------------------------------------------------------------------------------

static void set_level(Elab *x, const Ast *pattern, int level)
{
    Local *l = infer_note(x->b, pattern)->local;
    if (l) l->level = level;
    if (pattern->kind != AST_BIND_TUPLE) return;
    for (int i = 0; i < pattern->kids.len; i++) set_level(x, pattern->kids.at[i], level);
}

static Sym pattern_name(Elab *x, const Ast *pattern)
{
    if (pattern->kind == AST_BIND && pattern->name) return pattern->name;
    return session_sym(x->cx, pattern->kind == AST_BIND_TUPLE ? "t" : "_");
}

static Node *elab_lambda(Elab *x, const Ast *e)
{
    int n = e->kids.len - 1;
    Node **types = ARENA_ARRAY(x->b->arena, Node *, n + 1);
    Sym *names = ARENA_ARRAY(x->b->arena, Sym, n + 1);
    for (int i = 0; i < n; i++) {
        const Ast *p = e->kids.at[i];
        types[i] = elab_type(x, infer_note(x->b, p)->type);
        names[i] = pattern_name(x, p);
        set_level(x, p, x->depth + i);
    }
    x->depth += n;
    Node *body = elab_expr(x, e->kids.at[n]);
    x->depth -= n;
    return core_lam(x->cx, n, types, names, body);
}

// Statements from first to last, then the lets around the value from last to first: no recursion
// over long blocks.
static Node *elab_block(Elab *x, const Ast *e)
{
    int last = e->kids.len - 1, n = 0, outer = x->depth;
    Node **values = ARENA_ARRAY(x->b->arena, Node *, last + 1);
    Sym *names = ARENA_ARRAY(x->b->arena, Sym, last + 1);
    for (int i = 0; i < last; i++) {
        const Ast *pattern = e->kids.at[i]->kids.at[0], *value = e->kids.at[i]->kids.at[2];
        if (!infer_note(x->b, value)->type) continue; // a size
        values[n] = elab_expr(x, value);
        names[n++] = pattern_name(x, pattern);
        set_level(x, pattern, x->depth++);
    }
    Node *body = elab_expr(x, e->kids.at[last]);
    x->depth = outer;
    while (n-- > 0) body = core_let(x->cx, names[n], values[n], body);
    return body;
}

// --- data --------------------------------------------------------------------------------------

static Node **elab_all(Elab *x, const AstVec *kids)
{
    Node **nodes = ARENA_ARRAY(x->b->arena, Node *, kids->len + 1);
    for (int i = 0; i < kids->len; i++) nodes[i] = elab_expr(x, kids->at[i]);
    return nodes;
}

static Node *elab_struct(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    Node *type = elab_type(x, note->type),
         **fields = ARENA_ARRAY(x->b->arena, Node *, type->nops + 1);
    for (int i = 0; i < e->kids.len; i++)
        for (uint32_t k = 0; k < type->nops; k++)
            if (note->symbol->fields[k] == e->kids.at[i]->name)
                fields[k] = elab_expr(x, e->kids.at[i]->kids.at[0]);
    return core_tuple(x->cx, (int)type->nops, fields, type);
}

static Node *elab_component(Elab *x, const Ast *e)
{
    Node *of = elab_expr(x, e->kids.at[0]);
    if (e->kind == AST_PROJ) return core_proj(x->cx, of, (int)e->value.integer);
    const Symbol *y = map_get(&x->b->in->structs, MAP_KEY(of->type->attr.sym));
    int k = 0;
    while (y->fields[k] != e->name) k++;
    return core_proj(x->cx, of, k);
}

// An index of exactly the array's length is known to lie inside; any other is checked when the
// program runs.
static Node *elab_position(Elab *x, Node *index, Node *n, Span span)
{
    Node *t = index->type;
    if (t->kind == TYPE_IDX && nat_eq(x->cx, x->b->facts, t->op[0], n) == TRUTH_YES)
        return t->op[0] == n ? index : core_cast(x->cx, index, type_idx(x->cx, n));
    return core_to_idx(x->cx,
                       core_cast(x->cx, elab_to_integer(x, index), type_scalar(x->cx, SCALAR_I64)),
                       n, span);
}

static Node *elab_index(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    if (note->symbol) return elab_function_name(x, e, note->symbol, note->generics);
    Node *array = elab_expr(x, e->kids.at[0]);
    for (int i = 1; i < e->kids.len; i++) {
        const Ast *at = e->kids.at[i];
        Node *position = elab_position(x, elab_expr(x, at), array->type->op[0], at->span);
        array = core_pattern(x->cx, CORE_INDEX, 0, 2, (Node *[]){array, position});
    }
    return array;
}

static Node *elab_slice(Elab *x, const Ast *e)
{
    Node *const *bounds = infer_note(x->b, e)->generics;
    Node *ops[3] = {elab_type(x, bounds[0]), elab_type(x, bounds[1]), elab_expr(x, e->kids.at[0])};
    return core_pattern(x->cx, VIEW_SLICE, 0, 3, ops);
}

// --- operators ---------------------------------------------------------------------------------

static Node *elab_unary(Elab *x, const Ast *e)
{
    Prim op = PRIM_NEG;
    const Ast *operand = e->kids.at[0], *literal = infer_strip(operand);
    infer_find_operator(e->name, 1, &op);
    if (op == PRIM_NEG && (literal->kind == AST_INT || literal->kind == AST_FLOAT))
        return elab_literal(x, literal, true);
    Node *arg = elab_expr(x, operand);
    return elab_operate(x, op, 1, &arg, e->span);
}

static Node *elab_binary(Elab *x, const Ast *e)
{
    Prim op = PRIM_ADD;
    if (infer_note(x->b, e)->call) return elab_call(x, e, infer_note(x->b, e)->call);
    Node *args[2] = {elab_expr(x, e->kids.at[0]), elab_expr(x, e->kids.at[1])};
    if (infer_find_operator(e->name, 2, &op)) return elab_operate(x, op, 2, args, e->span);
    return elab_logical(x, e->name, args);
}

// f >> g is |x| g(f(x))
static Node *elab_compose(Elab *x, const Ast *e)
{
    Node *fun = elab_type(x, infer_note(x->b, e)->type), *from = type_param(fun, 0);
    Sym name = session_sym(x->cx, "x");
    x->depth++;
    Node *f = elab_expr(x, e->kids.at[0]), *g = elab_expr(x, e->kids.at[1]);
    Node *middle = elab_apply(x, f, 1, (Node *[]){core_var(x->cx, 0, from)});
    Node *body = elab_apply(x, g, 1, &middle);
    x->depth--;
    return core_lam(x->cx, 1, &from, &name, body);
}

// --- the walk ----------------------------------------------------------------------------------

static Node *elab_plain(Elab *x, const Ast *e)
{
    Session *cx = x->cx;
    Node *type = elab_type(x, infer_note(x->b, e)->type), *a, *b;
    switch (e->kind) {
    case AST_INT:
    case AST_FLOAT: return elab_literal(x, e, false);
    case AST_BOOL: return core_bool(cx, e->value.integer != 0);
    case AST_NAME: return elab_name(x, e);
    case AST_OPERATOR: return elab_operator_function(x, e);
    case AST_CALL:
    case AST_PIPE: return elab_call(x, e, infer_note(x->b, e)->call);
    case AST_INDEX: return elab_index(x, e);
    case AST_SLICE: return elab_slice(x, e);
    case AST_PROJ:
    case AST_FIELD: return elab_component(x, e);
    case AST_UNARY: return elab_unary(x, e);
    case AST_BINARY: return elab_binary(x, e);
    case AST_COMPOSE: return elab_compose(x, e);
    case AST_LAMBDA: return elab_lambda(x, e);
    case AST_IF:
        a = elab_expr(x, e->kids.at[0]);
        b = elab_expr(x, e->kids.at[1]);
        return core_if(cx, a, b, elab_expr(x, e->kids.at[2]));
    case AST_BLOCK: return elab_block(x, e);
    case AST_TUPLE: return core_tuple(cx, e->kids.len, elab_all(x, &e->kids), NULL);
    case AST_ARRAY: return core_array(cx, type->op[1], e->kids.len, elab_all(x, &e->kids));
    case AST_STRUCT: return elab_struct(x, e);
    case AST_CAST: return elab_convert(x, elab_expr(x, e->kids.at[0]), type, e->span);
    case AST_PAREN: return elab_expr(x, e->kids.at[0]);
    default: break;
    }
    CHECK(cx, false, "%s reached elaboration", ast_kind_text[e->kind]);
    return NULL;
}

Node *elab_expr(Elab *x, const Ast *e)
{
    Node *n = elab_plain(x, e);
    return n->origin.file ? n : core_at(x->cx, n, e->span);
}

Node *elab_body(Body *b, int nparams)
{
    Elab x = {.b = b, .cx = b->cx, .depth = nparams};
    return elab_expr(&x, b->value);
}

// --- functions ---------------------------------------------------------------------------------

enum { NO_MODE = -1 };

// The name of a function for these border modes, one per parameter: pad2d(clamp).
static Sym mode_name(Infer *in, const Symbol *y, const int *modes)
{
    if (!modes) return y->full;
    Text t = text_new(in->arena);
    text_put(&t, y->full->text);
    for (int i = 0; i < y->signature->params.len; i++)
        if (modes[i] != NO_MODE) text_printf(&t, "(%s)", pad_mode_text[modes[i]]);
    return session_sym(in->cx, text_get(&t));
}

// A mode parameter leaves no parameter, or for `const` the value at the border.
static void add_param(Function *f, Session *cx, const SigParam *p, Local *l, int mode)
{
    l->mode = mode;
    l->level = f->params.len;
    if (mode != NO_MODE && mode != PAD_CONST) return;
    Node *type = mode == PAD_CONST ? p->type->op[0] : p->type;
    Param param = {p->name, type};
    vec_push(cx->arena, &f->params, param);
}

static Function *new_function(Session *cx, const Symbol *y, Sym name)
{
    const Signature *sig = y->signature;
    Function *f = ARENA_NEW(cx->arena, Function);
    *f = (Function){.name = name,
                    .span = y->item->name_span,
                    .doc = y->item->doc,
                    .entry = y->item->entry,
                    .result = sig->result,
                    .where = sig->where};
    for (int i = 0; i < sig->generics.len; i++) {
        Generic g = {sig->generics.at[i].name, sig->generics.at[i].kind_name};
        vec_push(cx->arena, &f->generics, g);
    }
    return f;
}

static void add_checks(Session *cx, Function *f, const Body *b)
{
    for (int i = 0; i < b->checks.len; i++)
        if (!b->borders.at[i] || b->borders.at[i]->mode != PAD_CONST)
            vec_push(cx->arena, &f->checks, b->checks.at[i]);
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
    add_checks(in->cx, f, b);
    f->body = elab_body(b, f->params.len);
    vec_push(in->cx->arena, &in->program.functions, f);
}

// The Core function of a symbol; for one with mode parameters, its version for these modes (NO_MODE
// elsewhere), whose body is made later: it may be the body that is being made now.
Function *elab_function(Infer *in, const Symbol *y, const int *modes)
{
    Sym name = mode_name(in, y, modes);
    Function *f = map_get(&in->program.by_name, MAP_KEY(name));
    if (f || (!modes && y->body->failed)) return f;
    Demand d = {y, modes, new_function(in->cx, y, name)};
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
