// An entry may fail wherever there is anything to store: then no store is left, and that is right.
// It must follow from what holds when control comes to the end: the checks that were passed, and
// loops that had no iteration because each would have failed.
#include "loops/check/check_stores.h"
#include "loops/simplify/simplify.h"

typedef struct {
    Simplifier *s;
    Node *count;
} Empty;

static bool is_empty(const Empty *e)
{
    Session *cx = e->s->cx;
    return nat_eq(cx, e->s->facts, e->count, nat_const(cx, 0)) == TRUTH_YES;
}

static bool follows_from(Empty *e, Node *c);

// Whether the count is 0 where `c`, too, holds (or does not), and then `next`; NULL: nothing more.
static bool follows_in(Empty *e, Node *c, bool holds, Node *next)
{
    Scope outer = simplifier_enter(e->s);
    simplifier_assume(e->s, c, holds);
    bool follows = next ? follows_from(e, next) : is_empty(e);
    simplifier_leave(e->s, outer, NULL);
    return follows;
}

// Whether the count is 0 in each of the cases in which the condition holds.
static bool follows_from(Empty *e, Node *c)
{
    if (c->kind == CORE_LIT) return c->attr.i == 0 || is_empty(e);
    if (c->kind == LOOP_SELECT)
        return follows_in(e, c->op[0], true, c->op[1]) && follows_in(e, c->op[0], false, c->op[2]);
    if (c->kind == CORE_PRIM && c->attr.i == PRIM_OR)
        return follows_from(e, c->op[0]) && follows_from(e, c->op[1]);
    return follows_in(e, c, true, NULL);
}

static bool has_iteration(const Empty *e, Node *loop)
{
    return nat_lt(e->s->cx, e->s->facts, loops_from(loop), loops_to(loop)) == TRUTH_YES;
}

// Also where the loop cannot have no iteration.
static bool is_empty_without_iteration(Empty *e, Node *loop)
{
    if (has_iteration(e, loop)) return true;
    Scope outer = simplifier_enter(e->s);
    simplifier_assume_ge0(e->s, nat_sub(e->s->cx, loops_from(loop), loops_to(loop)));
    bool empty = is_empty(e);
    simplifier_leave(e->s, outer, NULL);
    return empty;
}

static bool ends_empty(Empty *e, Node *s);

static bool branch_ends_empty(Empty *e, Node *s, bool holds)
{
    Scope outer = simplifier_enter(e->s);
    simplifier_assume(e->s, s->op[0], holds);
    bool empty = is_empty(e) || ends_empty(e, s->op[holds ? 1 : 2]);
    simplifier_leave(e->s, outer, NULL);
    return empty;
}

// Whether control comes to the end of a statement only where the count is 0. One of a block's
// statements will do. Labels that are jumped to are not looked into, so that there are no jumps
// here.
static bool ends_empty(Empty *e, Node *s)
{
    if (s->kind == LOOP_FOREVER) return true;
    if (s->kind == LOOP_LABEL)
        return !loops_jumps_to(s->op[0], s->attr.sym) && ends_empty(e, s->op[0]);
    if (s->kind == LOOP_CHECK) return follows_from(e, s->op[0]);
    if (s->kind == LOOP_IF) return branch_ends_empty(e, s, true) && branch_ends_empty(e, s, false);
    if (s->kind == LOOP_BLOCK)
        for (uint32_t i = 0; i < s->nops; i++)
            if (ends_empty(e, s->op[i])) return true;
    return loops_is_counted(s) && is_empty_without_iteration(e, s) && ends_empty(e, loops_body(s));
}

bool loops_ends_only_if_empty(Session *cx, const LoopEntry *entry, Node *count)
{
    Simplifier s = simplifier_new(cx, entry);
    Empty e = {&s, count};
    return ends_empty(&e, entry->body);
}
