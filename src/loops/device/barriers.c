// Kernels whose iterations are run by groups of work-items: the parallel loops in an iteration
// divide their iterations among the work-items of its group. Statements outside of these loops are
// executed by all of them alike, but one alone stores to memory that others see: arrays of the
// iteration that a parallel loop in it accesses, which are in shared memory, and global memory. So
// control flow outside of the loops is the same for the group, and a barrier there is reached by
// all.
//
// A barrier comes before a statement that accesses memory which a statement since the last barrier
// has written, or that writes what such a statement has read, as another work-item may have done
// it.
#include "loops/device/device.h"

enum { MOST_SHARED = 16 << 10 }; // bytes of the arrays that a group shares

// --- shared arrays -------------------------------------------------------------------------------

static void note_name(Node *access, void *names)
{
    map_put(names, MAP_KEY(access->attr.sym), names);
}

// Adds the names of the memory that parallel loops of the group access.
static void find_accessed(Session *cx, Node *s, Map *names)
{
    Map seen = map_new(cx->arena);
    if (s->kind == LOOP_PARALLEL) {
        loops_accesses(s, &seen, note_name, names);
        return;
    }
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_accessed(cx, s->op[i], names);
}

// Adds the arrays that are declared outside of parallel loops.
static void find_arrays(Session *cx, Node *s, Stmts *arrays)
{
    if (s->kind == LOOP_PARALLEL) return;
    if (s->kind == LOOP_ALLOC) vec_push(cx->arena, arrays, s);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_arrays(cx, s->op[i], arrays);
}

void device_shared(Session *cx, Node *body, Map *names)
{
    Map accessed = map_new(cx->arena);
    Stmts arrays = {0};
    find_accessed(cx, body, &accessed);
    find_arrays(cx, body, &arrays);
    for (int i = 0; i < arrays.len; i++)
        if (map_get(&accessed, MAP_KEY(arrays.at[i]->attr.sym)))
            map_put(names, MAP_KEY(arrays.at[i]->attr.sym), (void *)(uintptr_t)arrays.at[i]);
}

static bool updates_own(Node *s, void *shared)
{
    return s->kind == LOOP_CALL && map_get(shared, MAP_KEY(s->op[0]->attr.sym));
}

// Whether a check of one work-item may fail: the others would use what it has not stored.
static bool may_fail_alone(Node *s, void *env)
{
    (void)env;
    return s->kind == LOOP_CHECK;
}

static bool is_parallel(Node *s, void *env)
{
    (void)env;
    return s->kind == LOOP_PARALLEL;
}

static bool has_local_checks(Node *s, void *env)
{
    return is_parallel(s, env) && loops_any(s, may_fail_alone, env);
}

bool device_is_for_groups(Session *cx, Node *loop)
{
    Map shared = map_new(cx->arena);
    int64_t bytes = 0, count;
    Scalar s;
    if (!loops_any(loops_body(loop), is_parallel, NULL)) return false;
    if (loops_any(loops_body(loop), has_local_checks, NULL)) return false;
    device_shared(cx, loops_body(loop), &shared);
    for (int i = 0; i < shared.len; i++) {
        Node *alloc = shared.entries[i].value;
        if (!nat_is_const(alloc->op[1], &count) || count > MOST_SHARED) return false;
        bytes += count * (type_is_scalar(alloc->op[0], &s) ? scalar_info[s].size : 8);
    }
    return bytes <= MOST_SHARED && !loops_any(loop, updates_own, &shared);
}

// --- barriers ------------------------------------------------------------------------------------

/// What statements since the last barrier have read and written.
typedef struct {
    Map read, written;
} Since;

typedef struct {
    Session *cx;
    Map alone; // arrays that each work-item has for itself
    Since since;
} Barriers;

static Since nothing(Session *cx)
{
    return (Since){map_new(cx->arena), map_new(cx->arena)};
}

static void add_all(Map *to, const Map *from)
{
    for (int i = 0; i < from->len; i++) map_put(to, from->entries[i].key, to);
}

static void add_since(Since *to, const Since *from)
{
    add_all(&to->read, &from->read);
    add_all(&to->written, &from->written);
}

static bool meet(const Map *a, const Map *b)
{
    for (int i = 0; i < a->len; i++)
        if (map_get(b, a->entries[i].key)) return true;
    return false;
}

typedef struct {
    Barriers *b;
    Map bound; // names that the statement declares
    Since *to;
} Find;

static void find_access(Node *access, void *env)
{
    Find *f = env;
    uint64_t name = MAP_KEY(access->attr.sym);
    if (map_get(&f->b->alone, name) || map_get(&f->bound, name)) return;
    if (access->kind != LOOP_STORE) map_put(&f->to->read, name, f);
    if (access->kind != LOOP_LOAD) map_put(&f->to->written, name, f);
}

// What a statement or expression reads and writes of memory that others see.
static Since accesses_of(Barriers *b, Node *n)
{
    Since found = nothing(b->cx);
    Find f = {b, map_new(b->cx->arena), &found};
    Map seen = map_new(b->cx->arena);
    if (n->kind == LOOP_PARALLEL) loops_bound(n, &f.bound);
    loops_accesses(n, &seen, find_access, &f);
    return found;
}

static bool needs_barrier(const Since *since, const Since *next)
{
    return meet(&since->written, &next->read) || meet(&since->written, &next->written) ||
           meet(&since->read, &next->written);
}

// Adds a barrier to `out` if the accesses need one before them, and notes them.
static void before(Barriers *b, const Since *next, Stmts *out)
{
    if (needs_barrier(&b->since, next)) {
        NodeSpec barrier = {.kind = LOOP_SYNC};
        vec_push(b->cx->arena, out, node_make(b->cx, &barrier));
        b->since = nothing(b->cx);
    }
    add_since(&b->since, next);
}

static Node *with_barriers(Barriers *b, Node *s);

// A loop outside of parallel loops: what is done at the end of its body comes before the next
// iteration, too.
static Node *loop_with_barriers(Barriers *b, Node *s)
{
    int body = (int)s->nops - 1;
    Since start = nothing(b->cx);
    add_since(&start, &b->since);
    (void)with_barriers(b, s->op[body]);
    add_since(&b->since, &start);
    s = node_with_op(b->cx, s, body, with_barriers(b, s->op[body]));
    add_since(&b->since, &start); // there may be no iteration
    return s;
}

static Node *branch_with_barriers(Barriers *b, Node *s)
{
    Since start = nothing(b->cx), end = nothing(b->cx);
    Node *ops[3] = {s->op[0]};
    add_since(&start, &b->since);
    for (int i = 1; i < 3; i++) {
        b->since = nothing(b->cx);
        add_since(&b->since, &start);
        ops[i] = with_barriers(b, s->op[i]);
        add_since(&end, &b->since);
    }
    b->since = end;
    return node_with_ops(b->cx, s, ops);
}

// Jumps to the end of a label come from anywhere in it.
static Node *label_with_barriers(Barriers *b, Node *s)
{
    Since all = accesses_of(b, s->op[0]);
    s = node_with_op(b->cx, s, 0, with_barriers(b, s->op[0]));
    add_since(&b->since, &all);
    return s;
}

static Node *inside(Barriers *b, Node *s)
{
    if (s->kind == LOOP_PARALLEL) return s;
    if (s->kind == LOOP_BLOCK) return with_barriers(b, s);
    if (s->kind == LOOP_IF) return branch_with_barriers(b, s);
    if (s->kind == LOOP_LABEL) return label_with_barriers(b, s);
    return loops_is(s, IS_LOOP) ? loop_with_barriers(b, s) : s;
}

// What a statement does that a barrier before it orders: not what statements in it do, but a loop
// is not to have the barrier in each iteration.
static Since first_accesses(Barriers *b, Node *s)
{
    if (s->kind == LOOP_IF) return accesses_of(b, s->op[0]);
    return s->kind == LOOP_BLOCK || s->kind == LOOP_LABEL ? nothing(b->cx) : accesses_of(b, s);
}

static Node *with_barriers(Barriers *b, Node *s)
{
    Stmts out = {0};
    bool block = s->kind == LOOP_BLOCK;
    for (uint32_t i = 0; i < (block ? s->nops : 1); i++) {
        Node *each = block ? s->op[i] : s;
        Since next = first_accesses(b, each);
        before(b, &next, &out);
        vec_push(b->cx->arena, &out, inside(b, each));
    }
    return loops_block(b->cx, out.len, out.at);
}

Node *device_with_barriers(Session *cx, Node *body)
{
    Barriers b = {cx, map_new(cx->arena), nothing(cx)};
    Map shared = map_new(cx->arena);
    Stmts arrays = {0};
    device_shared(cx, body, &shared);
    find_arrays(cx, body, &arrays);
    for (int i = 0; i < arrays.len; i++)
        if (!map_get(&shared, MAP_KEY(arrays.at[i]->attr.sym)))
            map_put(&b.alone, MAP_KEY(arrays.at[i]->attr.sym), &b);
    Node *ops[1] = {body};
    Node *loop = loops_stmt(cx, LOOP_FOREVER, NULL, 1, ops, NO_SPAN); // one group after another
    return loop_with_barriers(&b, loop)->op[0];
}
