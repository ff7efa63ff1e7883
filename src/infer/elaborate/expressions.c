// Elaboration of each kind of expression.
#include "infer/elaborate/elaborate.h"

static Node *elab_name(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    const Local *l = note->local;
    if (l && l->kind == LOCAL_SIZE) return core_size(x->cx, l->type);
    if (l && l->kind == LOCAL_SHAPE) return elab_extents(x, l->extents);
    // All stages can use the condition itself as a guard, but not a variable that holds its result.
    if (l && l->condition && !x->masks) return elab_expr(x, l->condition);
    if (l && l->mutable) return elab_lane_of(x, core_get(x->cx, elab_local(x, l)));
    if (l) return elab_local(x, l);
    const Symbol *y = note->symbol;
    if (y->kind != SYMBOL_CONST) return elab_function_name(x, e, y, note->generics);
    if (y->size) return core_size(x->cx, y->size);
    return core_at(x->cx, core_global(x->cx, y->full, 0, NULL, y->signature->result), e->span);
}

// --- data --------------------------------------------------------------------------------------

static Node **elab_all(Elab *x, const AstVec *kids)
{
    Node **nodes = ARENA_ARRAY(x->b->arena, Node *, kids->len + 1);
    for (int i = 0; i < kids->len; i++) nodes[i] = elab_expr(x, kids->at[i]);
    return nodes;
}

static Node *elab_string(Elab *x, const Ast *e)
{
    const char *text = e->value.string;
    Node *u8 = type_scalar(x->cx, SCALAR_U8);
    int n = (int)strlen(text);
    Node **bytes = ARENA_ARRAY(x->b->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) bytes[i] = core_int(x->cx, u8, (unsigned char)text[i]);
    return core_array(x->cx, u8, n, bytes);
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

// --- operators ---------------------------------------------------------------------------------

static Node *elab_unary(Elab *x, const Ast *e)
{
    Prim op = PRIM_NEG;
    const Ast *operand = e->kids.at[0], *literal = ast_strip(operand);
    infer_find_operator(e->name, 1, &op);
    if (op == PRIM_NEG && (literal->kind == AST_INT || literal->kind == AST_FLOAT))
        return elab_literal(x, literal, true);
    Node *arg = elab_expr(x, operand);
    return elab_operate(x, op, 1, &arg, e->span);
}

// Replaces the operands of a comparison of sizes with size nodes, so that they are compared as
// exact numbers and all stages can use the comparison as a guard.
static void compared_sizes(Elab *x, const Ast *e, Node **args)
{
    Session *cx = x->cx;
    const SizeCheck *c = infer_note(x->b, e)->compared;
    bool strict = c->relation == SIZE_LE && e->name->text[1] == 0, swap = e->name->text[0] == '>';
    Node *left = elab_type(x, c->left), *right = elab_type(x, c->right);
    if (strict) left = nat_sub(cx, left, nat_const(cx, 1));
    args[0] = core_size(cx, swap ? right : left);
    args[1] = core_size(cx, swap ? left : right);
}

// Returns the operands of a test's final comparison as a tuple. The tuple leaves the enclosing
// blocks, so arrays whose lengths are opened there are converted to [?n]t.
static Node *sides(Elab *x, Node **args)
{
    for (int i = 0; i < 2; i++) {
        Node *outside = infer_outside(x->b, args[i]->type);
        if (outside) args[i] = elab_up_to(x, args[i], outside);
    }
    return core_tuple(x->cx, 2, args, NULL);
}

static Node *elab_binary(Elab *x, const Ast *e)
{
    Prim op = PRIM_ADD;
    if (infer_note(x->b, e)->call) return elab_call(x, e, infer_note(x->b, e)->call);
    if (infer_note(x->b, e)->simd && !x->lane) return elab_simd(x, e);
    Node *args[2] = {elab_expr(x, e->kids.at[0])};
    if (!infer_find_operator(e->name, 2, &op)) {
        args[1] = elab_where(x, e->kids.at[1], args[0], ast_is_named(e, "&&"));
        return elab_logical(x, e, args);
    }
    args[1] = elab_expr(x, e->kids.at[1]);
    if (infer_note(x->b, e)->compared) compared_sizes(x, e, args);
    if (e == x->sides) return sides(x, args);
    return elab_operate(x, op, 2, args, e->span);
}

// Elaborates f >> g as |x| g(f(x)), with f and g evaluated outside the lambda.
static Node *elab_compose(Elab *x, const Ast *e)
{
    Lets lets = {0};
    elab_hold(x, &lets, e->kids.at[0]);
    elab_hold(x, &lets, e->kids.at[1]);
    Node *fun = elab_type(x, infer_note(x->b, e)->type), *from = type_param(fun, 0);
    Sym name = session_sym(x->cx, "x");
    x->depth++;
    Node *f = elab_expr(x, e->kids.at[0]), *g = elab_expr(x, e->kids.at[1]);
    Node *middle = elab_apply(x, f, 1, (Node *[]){core_var(x->cx, 0, from)});
    Node *body = elab_apply(x, g, 1, &middle);
    x->depth--;
    return elab_wrap(x, &lets, core_lam(x->cx, 1, &from, &name, body));
}

// Elaborates @@f(x), a call that is always inlined.
static Node *elab_run(Elab *x, const Ast *e)
{
    Node *call = elab_open(x, e->kids.at[0]);
    return call->kind == CORE_APP ? node_with_variant(x->cx, call, VARIANT_RUN) : call;
}

static Node *elab_unchecked(Elab *x, const Ast *e)
{
    bool outer = x->unchecked;
    x->unchecked = true;
    Node *n = elab_open(x, e->kids.at[0]);
    x->unchecked = outer;
    return n;
}

static Node *elab_if(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    const Ast *taken = note->option ? e->kids.at[note->option] : NULL; // decided at compile time
    if (note->option) return taken ? elab_open(x, taken) : core_unit(x->cx);
    if (note->simd && !x->lane) return elab_simd(x, e);
    Node *c = elab_expr(x, e->kids.at[0]), *then = elab_where(x, e->kids.at[1], c, true);
    Node *otherwise = e->kids.at[2] ? elab_where(x, e->kids.at[2], c, false) : core_unit(x->cx);
    return elab_choice(x, e, c, then, otherwise);
}

// --- the walk ----------------------------------------------------------------------------------

// Elaborates an index or a field, a function name with generics (f[n]), an enum option, or a
// pattern variant.
static Node *elab_suffixed(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    const Symbol *y = note->symbol;
    if (!y) return e->kind == AST_INDEX ? elab_index(x, e) : elab_component(x, e);
    if (y->kind == SYMBOL_ENUM) return elab_option(x, e);
    return elab_function_name(x, e, y, note->generics);
}

static Node *elab_construct(Elab *x, const Ast *e)
{
    if (infer_note(x->b, e)->simd && !x->lane) return elab_simd(x, e);
    switch (e->kind) {
    case AST_MATCH: return elab_match(x, e);
    case AST_WHILE: return elab_while(x, e);
    case AST_LOOP: return elab_loop(x, e);
    default: return elab_for(x, e);
    }
}

// The number of lanes if `e` reads or writes at an index that differs by lane, or NULL.
static Node *gathered_lanes(Elab *x, const Ast *e)
{
    if (x->lane) return NULL;
    switch (e->kind) {
    case AST_ASSIGN: return infer_lanes_of_place(x->b, e->kids.at[0]);
    case AST_INDEX:
    case AST_SLICE:
    case AST_FIELD:
    case AST_PROJ: return infer_lanes_of_place(x->b, e);
    default: return NULL;
    }
}

static Node *plain(Elab *x, const Ast *e)
{
    Session *cx = x->cx;
    Node *lanes = gathered_lanes(x, e);
    if (lanes) {
        infer_note(x->b, e)->simd = lanes;
        return elab_simd(x, e);
    }
    Node *type = elab_type(x, infer_note(x->b, e)->type);
    switch (e->kind) {
    case AST_INT:
    case AST_FLOAT: return elab_literal(x, e, false);
    case AST_BOOL: return core_bool(cx, e->value.integer != 0);
    case AST_STRING: return elab_string(x, e);
    case AST_NAME: return elab_name(x, e);
    case AST_OPERATOR: return elab_operator_function(x, e);
    case AST_CALL:
    case AST_PIPE:
        if (infer_note(x->b, e)->simd && !x->lane) return elab_simd(x, e);
        return elab_call(x, e, infer_note(x->b, e)->call);
    case AST_INDEX:
    case AST_FIELD: return elab_suffixed(x, e);
    case AST_SLICE: return elab_slice(x, e);
    case AST_PROJ: return elab_component(x, e);
    case AST_UNARY: return elab_unary(x, e);
    case AST_BINARY: return elab_binary(x, e);
    case AST_COMPOSE: return elab_compose(x, e);
    case AST_LAMBDA: return elab_lambda(x, e);
    case AST_IF: return elab_if(x, e);
    case AST_MATCH:
    case AST_WHILE:
    case AST_LOOP:
    case AST_FOR:
    case AST_WITH: return elab_construct(x, e);
    case AST_WITH_LOOP: return elab_with_loop(x, e);
    case AST_UNCHECKED: return elab_unchecked(x, e);
    case AST_SCALAR: return elab_scalar(x, e);
    case AST_ASSIGN: return elab_assign(x, e);
    case AST_REF: return elab_reference(x, e);
    case AST_DEREF: return elab_lane_of(x, core_get(cx, elab_place(x, e)));
    case AST_KNOWN: return core_known(cx, elab_expr(x, e->kids.at[0]));
    case AST_HIDE: return core_hide(cx, elab_expr(x, e->kids.at[0]));
    case AST_RUN: return elab_run(x, e);
    case AST_BLOCK: return elab_block(x, e);
    case AST_TUPLE: return core_tuple(cx, e->kids.len, elab_all(x, &e->kids), NULL);
    case AST_ARRAY: return elab_array(x, e, type);
    case AST_STRUCT: return elab_struct(x, e);
    case AST_CAST:
        return elab_convert(x, elab_expr(x, e->kids.at[0]), type_elements(type), e->span);
    case AST_PAREN: return elab_open(x, e->kids.at[0]);
    default: break;
    }
    CHECK(cx, false, "%s reached elaboration", ast_kind_text[e->kind]);
    return NULL;
}

const Elaborator elab_expressions = {plain, elab_masked};
