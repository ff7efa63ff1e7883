// Types of expressions. `want` is the expected type, or NULL. It flows down to expressions that it
// determines, such as parameters of lambdas and literals, but only infer_check enforces it.
#include "infer/constraints/constraints.h"

// Turns &mut t into &t if `want` is a & reference, and a reference to an address space into one to
// any space if `want` is that. Returns any other type unchanged.
static Node *borrowed(Body *b, Node *want, Node *t)
{
    bool both = want->kind == TYPE_REF && t->kind == TYPE_REF;
    if (!both) return t;
    bool mutable = type_ref_mutable(t) && type_ref_mutable(want);
    Space space = type_ref_space(want) == SPACE_GENERIC ? SPACE_GENERIC : type_ref_space(t);
    return type_ref(b->cx, t->op[0], mutable, space);
}

// The type of a tuple or struct whose scalars are broadcast because `want` has vectors, or NULL if
// nothing is broadcast.
static Node *splat_parts(Body *b, Node *want, Node *t)
{
    bool parts = want->kind == TYPE_STRUCT || want->kind == TYPE_TUPLE;
    Node *many = parts && want->kind == t->kind ? infer_like_lanes(b, t, want) : t;
    return many == t ? NULL : many;
}

// An index becomes an i64, as it does in operations.
Node *infer_widened(Body *b, Node *want, Node *found)
{
    Scalar from, to;
    bool number = type_is_scalar(want, &to);
    if (found->kind == TYPE_IDX) {
        bool open = infer_is_unknown(want) && infer_is_number(b, want);
        return want == infer_i64(b) || (open && infer_require(b, want, GENERIC_INT)) ? infer_i64(b)
                                                                                     : NULL;
    }
    return number && type_is_scalar(found, &from) && infer_is_wider(from, to) ? want : NULL;
}

// Whether values of the type can be converted to i64 without loss, or the type is that of a literal
// that can still become an i64.
static bool becomes_i64(Body *b, Node *t)
{
    if (infer_is_unknown(t)) return infer_is_number(b, t) && infer_require(b, t, GENERIC_INT);
    return t == infer_i64(b) || infer_widened(b, infer_i64(b), t);
}

Node *infer_common(Body *b, Node *type, Node *found)
{
    type = infer_resolve(b, type);
    found = infer_resolve(b, found);
    if (type->kind == TYPE_IDX && found->kind == TYPE_IDX) {
        bool open = infer_unknown_in(type) || infer_unknown_in(found);
        if (open || nat_eq(b->cx, b->facts, type->op[0], found->op[0]) == TRUTH_YES) return NULL;
        return infer_i64(b);
    }
    if (type->kind == TYPE_IDX) return becomes_i64(b, found) ? infer_i64(b) : NULL;
    Scalar s;
    bool narrow = found->kind == TYPE_IDX && type_is_scalar(type, &s) && s != SCALAR_I64;
    if (narrow) return becomes_i64(b, type) ? infer_i64(b) : NULL;
    return type_is_scalar(found, &s) && found != type ? infer_widened(b, found, type) : NULL;
}

// The element type of the vector to which a uniform value is broadcast if `want` is a vector
// (VecImp's A-Splat), or NULL if it is not broadcast.
static Node *in_each_lane(Body *b, Node *want, Node *found)
{
    if (want->kind != TYPE_VEC || found->kind == TYPE_VEC) return NULL;
    Node *wide = infer_widened(b, infer_resolve(b, want->op[1]), found);
    return wide ? wide : infer_is_lane(b, found) ? found : NULL;
}

// The expression to report if its type does not match `want`. If `e` is an `if` that yields a
// vector although none is expected, this is the branch with the vector.
static const Ast *source_of(Body *b, const Ast *e, Node *want)
{
    e = ast_value_of(e);
    if (e->kind != AST_IF || infer_lanes_inside(b, want)) return e;
    for (int i = 1; i < e->kids.len; i++) {
        Node *t = e->kids.at[i] ? infer_note(b, e->kids.at[i])->type : NULL;
        if (t && infer_lanes_inside(b, t)) return source_of(b, e->kids.at[i], want);
    }
    return e;
}

static bool unify_at(Body *b, const Ast *e, Node *want, Node *found, Why why);

static bool unify_lambda(Body *b, const Ast *e, Node *want, Node *found, Why why)
{
    bool good = true;
    for (int i = 0; i < type_nparams(found) && good; i++)
        good = infer_unify(b, type_param(want, i), type_param(found, i), e->span, why);
    return good && unify_at(b, vec_last(&e->kids), type_result(want),
                            infer_resolve(b, type_result(found)), no_why);
}

// Unifies a tuple literal component by component, and a lambda by parameters and result, so that
// errors are reported where they occur.
static bool unify_at(Body *b, const Ast *e, Node *want, Node *found, Why why)
{
    e = source_of(b, e, want);
    Node *wanted = infer_resolve(b, want);
    bool lambda = e->kind == AST_LAMBDA && wanted->kind == TYPE_FUN && found->kind == TYPE_FUN;
    if (lambda && type_nparams(wanted) == type_nparams(found))
        return unify_lambda(b, e, wanted, found, why);
    bool parts = e->kind == AST_TUPLE && wanted->kind == TYPE_TUPLE && found->kind == TYPE_TUPLE &&
                 wanted->nops == found->nops && (int)found->nops == e->kids.len;
    if (!parts) return infer_unify(b, want, found, e->span, why);
    for (int i = 0; i < e->kids.len; i++)
        if (!unify_at(b, e->kids.at[i], wanted->op[i], infer_resolve(b, found->op[i]), why))
            return false;
    return true;
}

bool infer_becomes_up_to(Body *b, Node *want, Node *found)
{
    want = infer_resolve(b, want);
    found = infer_resolve(b, found);
    if (!type_is_up_to(want)) return false;
    if (!type_is_up_to(found)) return found->kind == TYPE_ARRAY;
    Node *n = infer_resolve(b, want->op[1]->op[0]), *m = infer_resolve(b, found->op[1]->op[0]);
    return n != m && !infer_unknown_in(n) && !infer_unknown_in(m);
}

// Converts an array or a [?m]t to `want`, a [?n]t. The length, or m, must be at most n. If n is
// still unknown, it becomes this length.
static bool become_up_to(Body *b, const Ast *e, Node *want, Node *found, Why why)
{
    Span span = ast_value_of(e)->span;
    Node *all = want->op[1], *has = found->kind == TYPE_ARRAY ? found : found->op[1];
    Node *n = infer_resolve(b, all->op[0]);
    if (infer_unknown_in(n)) infer_unify_sizes(b, n, has->op[0], want, found, span, why);
    infer_oblige(b, SIZE_LE, has->op[0], n, span, why);
    return infer_unify(b, all->op[1], has->op[1], span, why);
}

// Whether the expression is a literal that becomes an index of type `want`.
static bool is_index(const Ast *e, Node *want, Node *found)
{
    e = ast_strip(ast_value_of(e));
    return want->kind == TYPE_IDX && infer_is_unknown(found) && e->kind == AST_INT && !e->suffix &&
           e->value.integer >= 0 && e->value.integer < INT32_MAX;
}

// Makes a literal an i64 that is an index of type `want`: it must be less than the size.
static bool become_index(Body *b, const Ast *e, Node *want, Node *found, Why why)
{
    Span span = ast_value_of(e)->span;
    int64_t value = ast_strip(ast_value_of(e))->value.integer, size;
    Node *n = infer_resolve(b, want->op[0]);
    if (nat_is_const(n, &size) && value >= size) {
        Diag *d = diag_error(b->cx, E0310, span, "this number is no index of type `%s`",
                             infer_show(b, want));
        if (size > 0) diag_help(b->cx, d, "the indices are 0 to %lld", (long long)size - 1);
        b->failed = true;
    } else {
        infer_oblige(b, SIZE_LE, nat_const(b->cx, value + 1), n, span, why);
    }
    return infer_unify(b, infer_i64(b), found, span, why);
}

static Node *agree(Body *b, const Ast *e, Node *found, Node *want, Why why)
{
    found = infer_resolve(b, found);
    if (found == want || found->kind == TYPE_ERROR) return want;
    if (found->kind == TYPE_NEVER) return found;
    Node *wanted = infer_resolve(b, want), *one, *many, *wide, *t = found;
    Span span = ast_value_of(e)->span;
    bool good;
    if (infer_is_vector_for(b, wanted, found)) {
        good = infer_unify_vector(b, wanted, found, span, why);
        t = want;
    } else if (infer_becomes_up_to(b, wanted, found)) {
        good = become_up_to(b, e, wanted, found, why);
        t = want;
    } else if (is_index(e, wanted, found)) {
        good = become_index(b, e, wanted, found, why);
        t = want;
    } else if ((one = in_each_lane(b, wanted, found))) {
        good = infer_unify(b, wanted->op[1], one, span, why);
        t = want;
    } else if ((many = splat_parts(b, wanted, found))) {
        good = unify_at(b, e, wanted, t = many, why);
    } else {
        wide = infer_widened(b, wanted, found);
        t = wide ? wide : borrowed(b, wanted, found);
        good = unify_at(b, e, want, t, why);
    }
    if (!good) return infer_error(b);
    if (t != found) infer_note(b, e)->as = want;
    return want;
}

Node *infer_part_of(Body *b, const Ast *e, Node *want, Why why)
{
    Node *found = infer_settle(b, infer_expr(b, e, want));
    Node *many = infer_like_lanes(b, want, found);
    return infer_accept(b, e, found, many == infer_resolve(b, want) ? want : many, why);
}

Node *infer_agree(Body *b, const Ast *e, Node *want, Why why)
{
    return agree(b, e, infer_expr(b, e, want), want, why);
}

Node *infer_accept(Body *b, const Ast *e, Node *found, Node *want, Why why)
{
    Node *t = agree(b, e, found, want, why);
    if (t->kind != TYPE_NEVER || want->kind == TYPE_NEVER) return t;
    infer_note(b, e)->as = want;
    return want;
}

Node *infer_check(Body *b, const Ast *e, Node *want, Why why)
{
    return infer_accept(b, e, infer_expr(b, e, want), want, why);
}

Node *infer_value(Body *b, const Ast *e, Node *want)
{
    Node *t = infer_expr(b, e, want);
    if (t->kind != TYPE_NEVER) return t;
    return infer_note(b, e)->as = infer_unknown(b);
}

// --- the walk ----------------------------------------------------------------------------------

// Whether the value of the expression is that of one of its parts, to which `want` flows down.
static bool passes_on(const Ast *e)
{
    switch (e->kind) {
    case AST_BLOCK:
    case AST_PAREN:
    case AST_IF:
    case AST_MATCH:
    case AST_UNCHECKED:
    case AST_SCALAR:
    case AST_RUN:
    case AST_HIDE: return true;
    default: return false;
    }
}

Node *infer_expr(Body *b, const Ast *e, Node *want)
{
    if (!e) return infer_error(b);
    Node *t = b->in->rules->type_of(b, e, want);
    const char *excess = t->nops > 0 ? type_excess(infer_resolve(b, t)) : NULL;
    if (excess) {
        diag_error(b->cx, E0316, e->span, "this value has %s", excess);
        t = infer_error(b);
    }
    infer_note(b, e)->type = t;
    vec_push(b->arena, &b->seen, e);
    // an array becomes a [?n]t inside the blocks in which its size exists
    bool inside = want && !passes_on(e) && infer_becomes_up_to(b, want, t);
    return inside ? agree(b, e, t, want, no_why) : t;
}

// The condition has no expected type, because it may be a bool or a vector.
Node *infer_condition(Body *b, const Ast *e)
{
    Node *t = infer_settle(b, infer_expr(b, e, NULL));
    if (t->kind == TYPE_VEC && infer_resolve(b, t->op[1]) == infer_boolean(b)) return t->op[0];
    infer_accept(b, e, t, infer_boolean(b), (Why){WHY_CONDITION, NULL, 0});
    return NULL;
}

Around infer_enter_lanes(Body *b, Node *lanes)
{
    Around outer = b->around;
    if (lanes) b->around = (Around){lanes, infer_scope_mark(&b->scope)};
    return outer;
}
