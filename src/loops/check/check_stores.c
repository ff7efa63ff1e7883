// An entry that fails whenever its result has elements needs no stores. This is proved from what
// holds at its end: checks have succeeded, and loops whose iterations always fail had no iteration.
#include "loops/check/check_stores.h"
#include "loops/simplify/simplify.h"

/// A label that encloses the current statement.
typedef struct Target {
    Sym label;
    bool left; // a jump may reach its end with a count that is not 0
    struct Target *up;
} Target;

typedef struct {
    Simplifier *s;
    Node *count;
    Target *targets;
} Empty;

static bool is_empty(const Empty *e)
{
    Session *cx = e->s->cx;
    return nat_eq(cx, e->s->facts, e->count, nat_const(cx, 0)) == TRUTH_YES;
}

static bool only_if_empty(Empty *e, Node *c);

// Whether the count is 0 if `c` has the value `holds` and `next` is true. A NULL `next` counts as
// true.
static bool only_if_empty_under(Empty *e, Node *c, bool holds, Node *next)
{
    Scope outer = simplifier_enter(e->s);
    simplifier_assume(e->s, c, holds);
    bool empty = next ? only_if_empty(e, next) : is_empty(e);
    simplifier_leave(e->s, outer, NULL);
    return empty;
}

// Whether the count is 0 if the condition holds, in each of its cases.
static bool only_if_empty(Empty *e, Node *c)
{
    c = simplify_expr(e->s, c); // a condition that contradicts what holds already becomes false
    if (c->kind == CORE_LIT) return c->attr.i == 0 || is_empty(e);
    if (c->kind == LOOP_SELECT)
        return only_if_empty_under(e, c->op[0], true, c->op[1]) &&
               only_if_empty_under(e, c->op[0], false, c->op[2]);
    if (c->kind == CORE_PRIM && c->attr.i == PRIM_OR)
        return only_if_empty(e, c->op[0]) && only_if_empty(e, c->op[1]);
    return only_if_empty_under(e, c, true, NULL);
}

static bool has_iteration(const Empty *e, Node *loop)
{
    return nat_lt(e->s->cx, e->s->facts, loops_from(loop), loops_to(loop)) == TRUTH_YES;
}

// Whether the count is 0 if the loop has no iteration. Returns true if the loop always has one. An
// iteration completes only if the count is 0, so the rest of the block may assume that there was
// none, unless the bounds may change.
static bool is_empty_without_iteration(Empty *e, Node *loop)
{
    if (has_iteration(e, loop)) return true;
    Node *reversed = nat_sub(e->s->cx, loops_from(loop), loops_to(loop));
    Scope outer = simplifier_enter(e->s);
    simplifier_assume_ge0(e->s, reversed);
    bool empty = is_empty(e);
    simplifier_leave(e->s, outer, NULL);
    if (!loops_reads_any(e->s->cx, reversed, &e->s->mutated)) simplifier_assume_ge0(e->s, reversed);
    return empty;
}

static bool ends_empty(Empty *e, Node *s);

// Like ends_empty, but discards what was assumed in the statement.
static bool ends_empty_alone(Empty *e, Node *s)
{
    Scope outer = simplifier_enter(e->s);
    bool empty = ends_empty(e, s);
    simplifier_leave(e->s, outer, NULL);
    return empty;
}

static bool branch_ends_empty(Empty *e, Node *s, bool holds)
{
    Node *c = simplify_expr(e->s, s->op[0]);
    if (c->kind == CORE_LIT && (c->attr.i != 0) != holds) return true; // never taken
    Scope outer = simplifier_enter(e->s);
    simplifier_assume(e->s, c, holds);
    bool empty = is_empty(e) || ends_empty(e, s->op[holds ? 1 : 2]);
    simplifier_leave(e->s, outer, NULL);
    return empty;
}

static bool label_ends_empty(Empty *e, Node *s)
{
    Target target = {.label = s->attr.sym, .up = e->targets};
    e->targets = &target;
    bool empty = ends_empty_alone(e, s->op[0]);
    e->targets = target.up;
    return empty && !target.left;
}

// A jump that can happen with a count above 0 leaves elements of the result unwritten; this is
// recorded at its label, for label_ends_empty. Control never reaches the end of the jump itself, so
// anything holds there.
static bool jump(Empty *e, Node *s)
{
    for (Target *t = e->targets; t; t = t->up)
        if (t->label == s->attr.sym && !is_empty(e)) t->left = true;
    return true;
}

static bool iteration_ends_empty(Empty *e, Node *loop)
{
    Scope outer = simplifier_enter(e->s);
    if (loops_is_counted(loop))
        simplifier_assume_index(e->s, loop->attr.sym, loops_from(loop), loops_to(loop));
    bool empty = ends_empty(e, loops_body(loop));
    simplifier_leave(e->s, outer, NULL);
    return empty;
}

// Whether control reaches the end of a statement only if the count is 0. Also marks the labels that
// jumps in the statement may reach otherwise. For a block it is enough that one statement has this
// property, since the later ones are reached only through its end.
static bool ends_empty(Empty *e, Node *s)
{
    if (s->kind == LOOP_JUMP) return jump(e, s);
    if (s->kind == LOOP_LABEL) return label_ends_empty(e, s);
    if (s->kind == LOOP_CHECK) {
        if (only_if_empty(e, s->op[0])) return true;
        simplifier_assume(e->s, s->op[0], true); // for the later statements
        return false;
    }
    if (s->kind == LOOP_IF) {
        bool then = branch_ends_empty(e, s, true), other = branch_ends_empty(e, s, false);
        return then && other;
    }
    if (s->kind == LOOP_BLOCK)
        for (uint32_t i = 0; i < s->nops; i++)
            if (ends_empty(e, s->op[i])) return true;
    if (!loops_is(s, IS_LOOP)) return false;
    bool body = iteration_ends_empty(e, s);
    return s->kind == LOOP_FOREVER || (body && is_empty_without_iteration(e, s));
}

bool loops_ends_only_if_empty(Session *cx, const LoopEntry *entry, Node *count)
{
    Simplifier s = simplifier_new(cx, entry);
    Empty e = {&s, count, NULL};
    return ends_empty(&e, entry->body);
}
