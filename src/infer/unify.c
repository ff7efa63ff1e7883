// Types that must agree, conditions on sizes, and the solver behind them.
#include "infer/internal.h"

Note *infer_note(const Body *b, const Ast *e)
{
    Unit *u = b->scope.unit;
    int k = e->id - u->first_id;
    CHECK(b->cx, k >= 0 && k < u->nnotes + b->more.len, "expression %d has no note", e->id);
    return k < u->nnotes ? &u->notes[k] : b->more.at[k - u->nnotes];
}

Ast *infer_new_ast(Body *b, AstKind kind, Span span)
{
    const Unit *u = b->scope.unit;
    Ast *e = ARENA_NEW(b->arena, Ast);
    *e = (Ast){.kind = kind, .span = span, .id = u->first_id + u->nnotes + b->more.len};
    vec_push(b->arena, &b->more, ARENA_NEW(b->arena, Note));
    return e;
}

Node *infer_error(Body *b)
{
    b->failed = true;
    return type_error(b->cx);
}

Node *infer_unknown(Body *b)
{
    return solver_new_type(b->scope.solver, META_ANY);
}

Node *infer_resolve(Body *b, Node *t)
{
    return solver_resolve(b->scope.solver, t);
}

bool infer_is_unknown(Node *t)
{
    return t->kind == TYPE_META;
}

// Whether more is known of what a wait depends on than when the waits were last tried.
static bool may_go_on(const Body *b)
{
    if (b->waits.len == 0 || b->deep || b->tried == b->changes) return false;
    return b->untracked > 0 || b->watched != solver_watched_changes(b->scope.solver);
}

Node *infer_settle(Body *b, Node *t)
{
    t = infer_resolve(b, t);
    if (t->kind != TYPE_META || !may_go_on(b)) return t;
    infer_retry(b, false);
    return infer_resolve(b, t);
}

// The size equations the solver has found since, with where they come from.
static void take_equations(Body *b, Node *expected, Node *found, Span span, Why why)
{
    SizeEquation *equations;
    int n = solver_take_equations(b->scope.solver, &equations);
    for (int i = 0; i < n; i++) {
        Obligation o = {.relation = SIZE_EQ,
                        .left = equations[i].left,
                        .right = equations[i].right,
                        .span = span.file ? span : equations[i].span,
                        .why = why,
                        .expected = expected,
                        .found = found,
                        .whole = equations[i].whole,
                        .part = equations[i].part,
                        .branch = b->branches > 0};
        vec_push(b->arena, &b->obligations, o);
    }
}

bool infer_unify(Body *b, Node *expected, Node *found, Span span, Why why)
{
    if (expected == found) return true;
    const char *reason = NULL;
    b->changes++;
    bool agree = solver_unify(b->scope.solver, expected, found, span, &reason);
    take_equations(b, expected, found, span, why);
    if (!agree) infer_mismatch(b, expected, found, span, why, reason);
    b->failed |= !agree;
    return agree;
}

bool infer_unify_sizes(Body *b, Node *left, Node *right, Node *expected, Node *found, Span span,
                       Why why)
{
    Node *t = type_scalar(b->cx, SCALAR_BOOL);
    b->changes++;
    bool agree = solver_unify(b->scope.solver, type_array(b->cx, left, t),
                              type_array(b->cx, right, t), span, NULL);
    take_equations(b, expected, found, span, why);
    return agree;
}

void infer_oblige(Body *b, SizeRelation r, Node *left, Node *right, Span span, Why why)
{
    Obligation o = {.relation = r,
                    .left = left,
                    .right = right,
                    .span = span,
                    .why = why,
                    .branch = b->branches > 0};
    vec_push(b->arena, &b->obligations, o);
}

MetaKind infer_meta_kind(GenericKind kind)
{
    switch (kind) {
    case GENERIC_NAT:
    case GENERIC_DATA: return META_DATA;
    case GENERIC_NUM: return META_NUM;
    case GENERIC_INT: return META_INT;
    case GENERIC_FLOAT: return META_FLOAT;
    case GENERIC_SCALAR: return META_SCALAR;
    }
    return META_DATA;
}

static bool variable_is(GenericKind has, GenericKind needs)
{
    if (needs == GENERIC_DATA || has == needs) return true;
    if (needs == GENERIC_SCALAR) return has != GENERIC_DATA && has != GENERIC_NAT;
    return needs == GENERIC_NUM && (has == GENERIC_INT || has == GENERIC_FLOAT);
}

bool infer_require(Body *b, Node *t, GenericKind kind)
{
    t = infer_resolve(b, t);
    if (t->kind == TYPE_ERROR) return true;
    if (t->kind == TYPE_VAR) {
        const Local *l = infer_find_local(&b->scope, t->attr.sym);
        return l && l->kind == LOCAL_TYPE && variable_is(l->generic, kind);
    }
    b->changes++;
    return solver_require(b->scope.solver, t, infer_meta_kind(kind));
}

// An unknown type or size inside `t`, or NULL.
Node *infer_unknown_in(Node *t)
{
    if (t->kind == TYPE_META || t->kind == NAT_META) return t;
    for (uint32_t i = 0; i < t->nops; i++) {
        Node *found = infer_unknown_in(t->op[i]);
        if (found) return found;
    }
    return NULL;
}
