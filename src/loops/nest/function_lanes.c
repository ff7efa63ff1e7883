// Computes the mathematical functions of a program's loops in lanes. Only loops take part that may
// run in any order if their iterations are independent (range.par, as the default schedule has
// them), and that are independent. C compilers call such a function for each element.
//
//   for i in 0 .. n              for i in 0 .. n, 16 lanes
//       y[i] = exp(x[i])   becomes   y[i] = exp(x[i])
#include "loops/nest/nest.h"

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    Simplifier known;
} FunctionLanes;

typedef struct {
    Session *cx;
    bool functions;
    int widest; // bytes of the widest float that a function is computed of
} Functions;

static Walk find_function(Node *n, void *env)
{
    Functions *f = env;
    Scalar s;
    if (node_is_size_or_type(n)) return WALK_OVER;
    if (n->kind == CORE_PRIM && prim_in_library(f->cx, (Prim)n->attr.i) &&
        type_is_scalar(n->type, &s)) {
        f->functions = true;
        if (scalar_info[s].size > f->widest) f->widest = scalar_info[s].size;
    }
    return WALK_INTO;
}

// The number of lanes for the functions in the body of an innermost loop, or 0 if there are none.
static int64_t lanes_for(const FunctionLanes *p, Node *loop)
{
    Functions f = {p->cx, false, 1};
    if (!loops_is_straight(loops_body(loop))) return 0;
    node_walk(loops_body(loop), find_function, &f);
    return f.functions ? p->cx->vector_bytes / f.widest : 0;
}

static Node *in_lanes(const FunctionLanes *p, Node *loop, int64_t lanes)
{
    return loops_loop(p->cx, LOOP_VECTORIZE, loop->attr.sym, nat_const(p->cx, lanes),
                      loops_from(loop), loops_to(loop), loops_body(loop), loop->origin);
}

static Node *visit(void *env, Node *s)
{
    FunctionLanes *p = env;
    Node *shared;
    bool loop = s->kind == LOOP_FOR || s->kind == LOOP_PARALLEL;
    bool may = loop && s->variant == VARIANT_ANY && loops_may_spread(p->entry, s->origin);
    int64_t lanes = may ? lanes_for(p, s) : 0;
    if (lanes < 2) return simplifier_map(&p->known, s, visit, p);
    if (s->kind == LOOP_PARALLEL) return loops_in_blocks(&p->known, s, in_lanes(p, s, lanes));
    bool apart = loops_stores_own(p->cx, p->known.facts, s) ||
                 (!loops_dependence(&p->known, s, LOOPS_BY_LANES, &shared) && !shared);
    return apart ? in_lanes(p, s, lanes) : s;
}

static LoopEntry *visit_entry(Session *cx, const LoopEntry *e)
{
    LoopEntry *done = loops_with_body(cx, e, e->body);
    if (cx->vector_bytes == 0 || e->spread.len == 0) return done;
    FunctionLanes p = {cx, e, simplifier_new(cx, e)};
    done->body = visit(&p, e->body);
    return done;
}

LoopEntry *loops_function_lanes(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, visit_entry);
}
