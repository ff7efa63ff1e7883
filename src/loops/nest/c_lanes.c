// An estimate of how many iterations of an innermost loop the C compiler computes at once. It is
// more than one if the body computes with scalars and accesses consecutive elements, no iteration
// waits for the one before it, and vectors have all operations.
#include "loops/nest/nest.h"

// C compilers seldom use wider vectors. They shuffle the elements of small strides; of more than
// two that takes as long as the operations.
enum { MOST_BYTES = LOOPS_MOST_C_LANES, SHORT_STRIDE = 2, MOST_STRIDE = 4 };

typedef struct {
    Session *cx;
    Sym index;
    int widest;    // bytes of the widest element accessed, or float computed
    Map stored;    // buffer -> the position that is stored to
    Map locals;    // names of the body: a position that reads one is computed from data
    bool shuffled; // some stride is longer than SHORT_STRIDE
    bool by_turns; // no vectors
} CLanes;

static void note_width(CLanes *c, Node *type)
{
    Scalar s;
    if (!type_is_scalar(type, &s))
        c->by_turns = true;
    else if (scalar_info[s].size > c->widest)
        c->widest = scalar_info[s].size;
}

static void note_access(CLanes *c, Node *access, Node *type)
{
    int64_t step;
    Node *rest, *position = access->op[0];
    note_width(c, type);
    if (loops_reads_any(c->cx, position, &c->locals) ||
        !loops_is_linear(c->cx, position, c->index, &step, &rest) || step > MOST_STRIDE ||
        step < -1)
        c->by_turns = true;
    else if (step > SHORT_STRIDE)
        c->shuffled = true;
}

static void note_store(CLanes *c, Node *s)
{
    note_access(c, s, s->op[1]->type);
    if (!nat_occurs(s->op[0], nat_var(c->cx, c->index))) c->by_turns = true; // a sum
    map_put(&c->stored, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s->op[0]);
}

// Whether vectors have no such operation: a division of integers, or a function of the C library.
static bool is_slow(Node *e)
{
    if (e->kind != CORE_PRIM) return false;
    bool divides = e->attr.i == PRIM_DIV || e->attr.i == PRIM_REM;
    return (divides && !type_is_float(e->type)) || prim_is_function((Prim)e->attr.i);
}

static Walk note_stores(Node *n, void *env)
{
    CLanes *c = env;
    if (node_is_size_or_type(n)) return WALK_OVER;
    if (n->kind == LOOP_STORE) note_store(c, n);
    if (n->kind == CORE_PRIM && type_is_float(n->type)) note_width(c, n->type);
    if (n->kind == LOOP_ALLOC || loops_is_gather(n) || is_slow(n)) c->by_turns = true;
    if (n->kind == LOOP_SET && type_is_float(n->op[0]->type)) c->by_turns = true; // a sum in order
    return c->by_turns ? WALK_STOP : WALK_INTO;
}

// An element of a buffer that is stored to, other than the one that the iteration stores to, may be
// that of another iteration. Where the distance is known only at run time, as between two rows, C
// compilers test it before the loop.
static Walk note_loads(Node *n, void *env)
{
    CLanes *c = env;
    int64_t distance;
    if (node_is_size_or_type(n)) return WALK_OVER;
    if (n->kind == LOOP_LOAD) {
        Node *position = map_get(&c->stored, MAP_KEY(n->attr.sym));
        note_access(c, n, n->type);
        Node *apart = position ? nat_sub(c->cx, position, n->op[0]) : NULL;
        if (apart && position != n->op[0] &&
            (nat_is_const(apart, &distance) || nat_occurs(apart, nat_var(c->cx, c->index))))
            c->by_turns = true;
    }
    return c->by_turns ? WALK_STOP : WALK_INTO;
}

int loops_c_lanes(Session *cx, Node *loop)
{
    Arena *a = cx->arena;
    Node *body = loops_body(loop);
    int bytes = cx->vector_bytes < MOST_BYTES ? cx->vector_bytes : MOST_BYTES;
    if (bytes == 0 || !loops_is_straight(body)) return 1;
    CLanes c = {cx, loop->attr.sym, 1, map_new(a), map_new(a), false, false};
    loops_bound(body, &c.locals);
    node_walk(body, note_stores, &c);
    if (!c.by_turns) node_walk(body, note_loads, &c);
    if (c.by_turns || c.stored.len == 0 || bytes < c.widest) return 1;
    int lanes = bytes / c.widest;
    return c.shuffled && lanes > 1 ? lanes / 2 : lanes;
}
