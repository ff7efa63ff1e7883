// Unification of types. Sizes never make it fail; unsolved equations are recorded for the caller.
#include "types/internal.h"

typedef struct {
    Solver *s;
    Span span;
    const char **why;
} Unify;

static bool unify(Unify *u, Node *a, Node *b);

static const char *show(Unify *u, Node *t)
{
    return type_show(u->s->cx, solver_resolve(u->s, t));
}

static bool refuse(Unify *u, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(Unify *u, const char *format, ...)
{
    if (!u->why) return false;
    va_list args;
    va_start(args, format);
    *u->why = arena_vprintf(u->s->cx->arena, format, args);
    va_end(args);
    return false;
}

// Whether an unknown occurs in a type. Needs no memo table, since types during inference are small
// trees. Sizes are skipped.
static bool occurs(Node *t, Node *meta)
{
    if (t == meta) return true;
    if (!(kind_info[t->kind].levels & LEVEL_TYPE)) return false;
    for (uint32_t i = 0; i < t->nops; i++)
        if (occurs(t->op[i], meta)) return true;
    return false;
}

static const char *kind_text(MetaKind kind)
{
    switch (kind) {
    case META_DATA: return "data";
    case META_NUM: return "a number";
    case META_INT: return "an integer";
    case META_FLOAT: return "a float";
    case META_SCALAR: return "a number or a bool";
    case META_ANY: return "a type";
    }
    return "a type";
}

// Solves the unknown `meta` with `t`. Fails if `t` is not of the kind that `meta` requires.
static bool solve(Unify *u, Node *meta, Node *t)
{
    MetaKind kind = u->s->unknowns.at[meta->attr.i].kind;
    if (occurs(t, meta)) return refuse(u, "%s would contain itself", show(u, t));
    if (!solver_require(u->s, t, kind)) {
        if (t->kind != TYPE_META) return refuse(u, "%s is not %s", show(u, t), kind_text(kind));
        return refuse(u, "%s is not %s", kind_text(u->s->unknowns.at[t->attr.i].kind),
                      kind_text(kind));
    }
    unknown_solve(u->s, meta, t);
    return true;
}

// Solves `b`, the younger of two unknowns, with `a`, so that equations that depend on `a` stay
// valid.
static bool solve_younger(Unify *u, Node *a, Node *b)
{
    if (!solver_require(u->s, b, u->s->unknowns.at[a->attr.i].kind)) return solve(u, a, b);
    return solve(u, b, a);
}

static bool unify_parts(Unify *u, Node *a, Node *b)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < a->nops; i++) ok = unify(u, a->op[i], b->op[i]);
    return ok;
}

// Normalises fn(()) -> ! (a continuation whose parameter has turned out to be ()) to fn() -> !.
static Node *continuation(Unify *u, Node *t)
{
    if (!type_is_continuation(t) || type_nparams(t) != 1) return t;
    return type_continuation(u->s->cx, solver_resolve(u->s, type_param(t, 0)));
}

// Unifies two continuations of which only one takes a value. That value must be ().
static bool unify_continuations(Unify *u, Node *a, Node *b)
{
    Node *taken = type_nparams(a) == 1 ? a : b;
    return unify(u, type_param(taken, 0), type_tuple(u->s->cx, 0, NULL));
}

static bool unify_functions(Unify *u, Node *a, Node *b)
{
    a = continuation(u, a);
    b = continuation(u, b);
    bool leave = type_is_continuation(a) && type_is_continuation(b);
    if (leave && type_nparams(a) + type_nparams(b) == 1) return unify_continuations(u, a, b);
    if (a->nops != b->nops)
        return refuse(u, "a function of %d parameter%s is not one of %d", type_nparams(a),
                      type_nparams(a) == 1 ? "" : "s", type_nparams(b));
    return unify_parts(u, a, b);
}

static bool unify_tuples(Unify *u, Node *a, Node *b)
{
    if (a->nops != b->nops)
        return refuse(u, "%s has %u component%s, %s has %u", show(u, a), a->nops,
                      a->nops == 1 ? "" : "s", show(u, b), b->nops);
    return unify_parts(u, a, b);
}

static bool differ(Unify *u, Node *a, Node *b)
{
    return refuse(u, "%s is not %s", show(u, a), show(u, b));
}

static bool unify(Unify *u, Node *a, Node *b)
{
    a = solver_resolve(u->s, a);
    b = solver_resolve(u->s, b);
    if (a == b || a->kind == TYPE_ERROR || b->kind == TYPE_ERROR) return true;
    bool younger = a->kind == TYPE_META && b->kind == TYPE_META && b->attr.i > a->attr.i;
    if (younger) return solve_younger(u, a, b);
    if (a->kind == TYPE_META) return solve(u, a, b);
    if (b->kind == TYPE_META) return solve(u, b, a);
    if (a->kind != b->kind) return differ(u, a, b);
    switch (a->kind) {
    case TYPE_IDX: sizes_unify(u->s, a->op[0], b->op[0], u->span); return true;
    case TYPE_VEC:
    case TYPE_ARRAY:
        sizes_unify(u->s, a->op[0], b->op[0], u->span);
        return unify(u, a->op[1], b->op[1]);
    case TYPE_TUPLE: return unify_tuples(u, a, b);
    case TYPE_STRUCT:
        if (a->attr.sym != b->attr.sym || a->nops != b->nops) return differ(u, a, b);
        return unify_parts(u, a, b);
    case TYPE_FUN: return unify_functions(u, a, b);
    case TYPE_MODE: return unify(u, a->op[0], b->op[0]);
    case TYPE_REF:
        if (a->attr.i != b->attr.i) return differ(u, a, b);
        return unify(u, a->op[0], b->op[0]);
    default:
        return differ(u, a, b); // scalars and variables are equal only if they are the same node
    }
}

bool solver_unify(Solver *s, Node *a, Node *b, Span span, const char **why)
{
    if (why) *why = NULL;
    Unify u = {.s = s, .span = span, .why = why};
    return unify(&u, a, b);
}
