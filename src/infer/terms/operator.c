// Builds the Core for literals, operators and casts.
#include "infer/terms/terms.h"

// --- literals ----------------------------------------------------------------------------------

// If the literal's type is a type variable, which is known only after specialisation, casts the
// literal to it.
Node *elab_literal(Elab *x, const Ast *e, bool negative)
{
    Session *cx = x->cx;
    Node *t = elab_type(x, infer_note(x->b, e)->type);
    bool integer = e->kind == AST_INT;
    uint64_t bits = (uint64_t)e->value.integer;
    double number = integer ? (double)bits : e->value.number;
    if (negative) {
        bits = 0 - bits;
        number = -number;
    }
    if (t->kind == TYPE_VAR) {
        Node *known = integer ? core_int(cx, elab_i64(x), (int64_t)bits)
                              : core_float(cx, type_scalar(cx, SCALAR_F64), number);
        return core_cast(cx, known, t);
    }
    return type_is_float(t) ? core_float(cx, t, number) : core_int(cx, t, (int64_t)bits);
}

Node *elab_to_index(Elab *x, Node *e, Node *n, Span span)
{
    Node *number = core_cast(x->cx, elab_to_integer(x, e), elab_i64(x));
    elab_warn_index(x, number, n, span);
    Node *i = core_to_idx(x->cx, number, n, span);
    return x->unchecked ? node_with_variant(x->cx, i, VARIANT_UNCHECKED) : i;
}

// --- operators ---------------------------------------------------------------------------------

static Node *prim(Elab *x, Prim op, int n, Node *const *args, Span span)
{
    NodeSpec s = {.kind = CORE_PRIM, .attr.i = op, .nops = n, .ops = args, .origin = span};
    const char *why = NULL;
    s.type = core_type_rule(x->cx, &s, false, &why);
    CHECK(x->cx, s.type, "%s", why);
    return node_make(x->cx, &s);
}

static Node *elab_equal(Elab *x, Node *a, Node *b);
static Node *equal_up_to(Elab *x, Node *a, Node *b);

static Node *both(Elab *x, Node *a, Node *b)
{
    return core_if(x->cx, a, b, core_bool(x->cx, false));
}

static Node *logical_and(Elab *x)
{
    Node *t = infer_boolean(x->b), *types[2] = {t, t};
    Sym names[2] = {session_sym(x->cx, "a"), session_sym(x->cx, "b")};
    return core_lam(x->cx, 2, types, names,
                    elab_prim(x, PRIM_AND, core_var(x->cx, 1, t), core_var(x->cx, 0, t)));
}

// Builds reduce(&, true, map(|p| p.0 == p.1, zip(a, b))).
static Node *equal_arrays(Elab *x, Node *a, Node *b)
{
    Session *cx = x->cx;
    if (a->type->op[0] != b->type->op[0] &&
        (infer_opened_in(x->b, a->type->op[0]) || infer_opened_in(x->b, b->type->op[0])))
        return equal_up_to(x, a, b);
    Node *zip = core_pattern(cx, VIEW_ZIP, 0, 2, (Node *[]){a, b});
    Node *p = core_var(cx, 0, zip->type->op[1]);
    Node *same = elab_map(x, "p", elab_equal(x, core_proj(cx, p, 0), core_proj(cx, p, 1)), zip);
    return core_pattern(cx, CORE_REDUCE, 0, 3,
                        (Node *[]){logical_and(x), core_bool(cx, true), same});
}

static Node *equal_parts(Elab *x, Node *a, Node *b)
{
    Node *result = NULL;
    for (int k = (int)a->type->nops - 1; k >= 0; k--) {
        Node *same = elab_equal(x, core_proj(x->cx, a, k), core_proj(x->cx, b, k));
        result = result ? both(x, same, result) : same;
    }
    return result ? result : core_bool(x->cx, true);
}

// Builds a == b for vectors of different kinds: an array on one side, an index or a tuple of
// numbers on the other.
static Node *equal_vectors(Elab *x, Node *a, Node *b)
{
    Lets lets = {0};
    Node *v[2] = {a, b}, *result = NULL;
    elab_name_vectors(x, &lets, v, 2);
    for (int k = infer_vector_length(a->type) - 1; k >= 0; k--) {
        Node *same =
            elab_equal(x, elab_vector_component(x, v[0], k), elab_vector_component(x, v[1], k));
        result = result ? both(x, same, result) : same;
    }
    return elab_wrap(x, &lets, result ? result : core_bool(x->cx, true));
}

// The number of elements of an array or a [?n]t.
static Node *count_of(Elab *x, Node *e)
{
    if (e->type->kind == TYPE_ARRAY) return core_size(x->cx, e->type->op[0]);
    return core_cast(x->cx, core_proj(x->cx, e, 0), elab_i64(x));
}

static Node *elements_of(Elab *x, Node *e)
{
    return e->type->kind == TYPE_ARRAY ? e : core_proj(x->cx, e, 1);
}

// Whether the elements of a and b up to their current length are equal. Both are variables with
// equal counts.
static Node *equal_first(Elab *x, Node *a, Node *b)
{
    Session *cx = x->cx;
    Node *all[2] = {elements_of(x, a), elements_of(x, b)};
    Node *n = nat_min(cx, all[0]->type->op[0], all[1]->type->op[0]), *index = type_idx(cx, n);
    Sym name = session_sym(cx, "i");
    Node *i = core_var(cx, 0, index), *at[2];
    for (int k = 0; k < 2; k++) {
        Node *ops[3] = {nat_const(cx, 0), n, node_shift(cx, all[k], 1, 0)};
        Node *first = all[k]->type->op[0] == n ? ops[2] : core_pattern(cx, VIEW_SLICE, 0, 3, ops);
        at[k] = core_pattern(cx, CORE_INDEX, 0, 2, (Node *[]){first, i});
    }
    Node *exists =
        elab_prim(x, PRIM_LT, core_cast(cx, i, elab_i64(x)), node_shift(cx, count_of(x, a), 1, 0));
    Node *same = core_if(cx, exists, elab_equal(x, at[0], at[1]), core_bool(cx, true));
    Node *each =
        core_pattern(cx, CORE_GENERATE, 0, 2, (Node *[]){n, core_lam(cx, 1, &index, &name, same)});
    return core_pattern(cx, CORE_REDUCE, 0, 3,
                        (Node *[]){logical_and(x), core_bool(cx, true), each});
}

// Builds a == b for operands that may have different numbers of elements: values of types [?n]t, or
// arrays whose lengths are computed at run time.
static Node *equal_up_to(Elab *x, Node *a, Node *b)
{
    Session *cx = x->cx;
    Node *va = core_var(cx, 1, a->type), *vb = core_var(cx, 0, b->type);
    Node *counts = elab_prim(x, PRIM_EQ, count_of(x, va), count_of(x, vb));
    Node *body = both(x, counts, equal_first(x, va, vb));
    body = core_let(cx, session_sym(cx, "b"), node_shift(cx, b, 1, 0), body);
    return core_let(cx, session_sym(cx, "a"), a, body);
}

// Builds a == b, expanded down to scalars. Compound operands are let-bound, because they are used
// more than once.
static Node *elab_equal(Elab *x, Node *a, Node *b)
{
    Session *cx = x->cx;
    bool compound = infer_is_compound(a->type);
    if (type_is_up_to(a->type) || type_is_up_to(b->type)) return equal_up_to(x, a, b);
    if (a->type->kind != b->type->kind && compound) return equal_vectors(x, a, b);
    if (a->type->kind == TYPE_ARRAY) return equal_arrays(x, a, b);
    if (!compound) {
        Node *same = elab_prim(x, PRIM_EQ, elab_to_integer(x, a), elab_to_integer(x, b));
        return same->type->kind == TYPE_VEC ? core_pattern(cx, CORE_ALL, 0, 1, &same) : same;
    }
    if (elab_is_path(a) && elab_is_path(b)) return equal_parts(x, a, b);
    Node *body = equal_parts(x, core_var(cx, 1, a->type), core_var(cx, 0, b->type));
    body = core_let(cx, session_sym(cx, "b"), node_shift(cx, b, 1, 0), body);
    return core_let(cx, session_sym(cx, "a"), a, body);
}

// Broadcasts a scalar to a vector of `lanes` lanes; a vector is returned unchanged.
static Node *splat(Elab *x, Node *e, Node *lanes)
{
    if (e->type->kind == TYPE_VEC) return e;
    return core_at(x->cx, core_cast(x->cx, e, type_varying(x->cx, lanes, e->type)), e->origin);
}

// Builds the application of an operator to operands whose types inference has accepted.
Node *elab_operate(Elab *x, Prim op, int n, Node *const *args, Span span)
{
    bool equality = op == PRIM_EQ || op == PRIM_NE;
    if (n == 2) elab_warn_division(x, op, args[1], span);
    if (equality && infer_is_compound(args[0]->type)) {
        Node *same = elab_equal(x, args[0], args[1]);
        return op == PRIM_EQ ? same : core_prim(x->cx, PRIM_NOT, 1, &same);
    }
    Node *operands[PRIM_OPERANDS] = {NULL}, *many = elab_elementwise(x, op, n, args, span);
    if (many) return many;
    Node *vector = NULL;
    for (int i = 0; i < n; i++) {
        operands[i] = elab_to_integer(x, args[i]);
        if (operands[i]->type->kind == TYPE_VEC) vector = operands[i]->type;
    }
    for (int i = 0; i < n && vector; i++) operands[i] = splat(x, operands[i], vector->op[0]);
    return prim(x, op, n, operands, span);
}

// a && b is if a { b } else { false }; a || b is if a { true } else { b }.
Node *elab_logical(Elab *x, const Ast *e, Node *const *args)
{
    if (ast_is_named(e, "&&")) return both(x, args[0], args[1]);
    return core_if(x->cx, args[0], core_bool(x->cx, true), args[1]);
}

static Node *operator_body(Elab *x, Node *const *args, int n, void *env)
{
    const Ast *e = env;
    Prim op = PRIM_ADD;
    Node *parts[2];
    if (n == 1 && args[0]->type->kind == TYPE_TUPLE) { // the pair holds both operands
        for (n = 0; n < 2; n++) parts[n] = core_proj(x->cx, args[0], n);
        args = parts;
    }
    return infer_find_operator(e->name, n, &op) ? elab_operate(x, op, n, args, e->span)
                                                : elab_logical(x, e, args);
}

Node *elab_operator_function(Elab *x, const Ast *e)
{
    return elab_lambda_of(x, elab_type(x, infer_note(x->b, e)->type), operator_body,
                          (void *)(uintptr_t)e);
}

// --- casts -------------------------------------------------------------------------------------

static Node *convert_lanes(Elab *x, Node *e, Node *to, Span span)
{
    Node *lanes = (to->kind == TYPE_VEC ? to : e->type)->op[0];
    if (e->type->kind != TYPE_VEC) return splat(x, elab_convert(x, e, to->op[1], span), lanes);
    return core_cast(x->cx, e, type_varying(x->cx, lanes, type_lane(to)));
}

Node *elab_convert(Elab *x, Node *e, Node *to, Span span)
{
    if (e->type->kind == TYPE_ARRAY) return elab_convert_elements(x, e, to, span);
    if (e->type->kind == TYPE_VEC || to->kind == TYPE_VEC) return convert_lanes(x, e, to, span);
    if (e->type == to) return e;
    return to->kind == TYPE_IDX ? elab_to_index(x, e, to->op[0], span) : core_cast(x->cx, e, to);
}
