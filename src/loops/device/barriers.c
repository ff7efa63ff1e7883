// Kernels whose iterations are run by groups of work-items: the parallel loops in an iteration
// divide their iterations among the work-items of its group. Statements outside of these loops are
// executed by all of them alike, but one alone stores to memory that others see: shared arrays
// (groups.c) and global memory. So control flow outside of the loops is the same for the group, and
// a barrier there is reached by all.
//
// A barrier comes before a statement that accesses memory which a statement since the last barrier
// has written, or that writes what such a statement has read, if another work-item may have done
// so.
#include "loops/device/device.h"

// --- barriers ------------------------------------------------------------------------------------

/// What statements since the last barrier have read and written: by the name of each array, which
/// work-items access its elements (DeviceItems).
typedef struct {
    Map read, written;
} Since;

typedef struct {
    Session *cx;
    DeviceGroup group;
    Since since;
    Since exposed; // what the innermost loop accesses before its first barrier
    bool covered;  // whether its iteration has certainly reached a barrier
    int depth;     // the number of loops around the current statement
    Map accesses;  // statement or expression -> its Since
} Barriers;

static Since nothing(Session *cx)
{
    return (Since){map_new(cx->arena), map_new(cx->arena)};
}

static void add(Map *to, uint64_t name, const DeviceItems *items)
{
    const DeviceItems *old = map_get(to, name);
    if (old) items = device_items_join(to->arena, old, items);
    map_put(to, name, (void *)(uintptr_t)items);
}

static void add_all(Map *to, const Map *from)
{
    for (int i = 0; i < from->len; i++) add(to, from->entries[i].key, from->entries[i].value);
}

static void add_since(Since *to, const Since *from)
{
    add_all(&to->read, &from->read);
    add_all(&to->written, &from->written);
}

static bool meet(const Map *a, const Map *b)
{
    for (int i = 0; i < a->len; i++) {
        const DeviceItems *other = map_get(b, a->entries[i].key);
        if (other && device_items_meet(a->entries[i].value, other)) return true;
    }
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
    const DeviceGroup *g = &f->b->group;
    bool alone = map_get(&g->own, name) || map_get(&g->alike, name);
    if (alone || map_get(&f->bound, name)) return;
    if (access->kind != LOOP_STORE && !map_get(&f->to->read, name))
        add(&f->to->read, name, device_anybody());
    if (access->kind != LOOP_LOAD && !map_get(&f->to->written, name))
        add(&f->to->written, name, device_anybody());
}

// What a statement or expression reads and writes of memory that others see.
static Since accesses_of(Barriers *b, Node *n)
{
    Since *found = map_get(&b->accesses, MAP_KEY(n));
    if (found) return *found;
    found = ARENA_NEW(b->cx->arena, Since);
    *found = nothing(b->cx);
    Find f = {b, map_new(b->cx->arena), found};
    Map seen = map_new(b->cx->arena);
    if (n->kind == LOOP_PARALLEL) loops_bound(n, &f.bound);
    device_find_items(b->cx, &b->group, n, &found->read, &found->written);
    loops_accesses(n, &seen, find_access, &f);
    map_put(&b->accesses, MAP_KEY(n), found);
    return *found;
}

static bool needs_barrier(const Since *since, const Since *next)
{
    return meet(&since->written, &next->read) || meet(&since->written, &next->written) ||
           meet(&since->read, &next->written);
}

// Adds a barrier to `out` if the accesses need one before them.
static void barrier_before(Barriers *b, const Since *next, Stmts *out)
{
    if (needs_barrier(&b->since, next)) {
        NodeSpec barrier = {.kind = LOOP_SYNC};
        vec_push(b->cx->arena, out, node_make(b->cx, &barrier));
        b->since = nothing(b->cx);
        b->covered = true;
    }
    if (!b->covered) add_since(&b->exposed, next);
}

// The same, and notes them.
static void before(Barriers *b, const Since *next, Stmts *out)
{
    barrier_before(b, next, out);
    add_since(&b->since, next);
}

static Node *with_barriers(Barriers *b, Node *s);

// What the statement itself accesses, without the statements in it.
static Since own_accesses(Barriers *b, Node *s)
{
    Since own = nothing(b->cx);
    for (uint32_t i = 0; i < s->nops; i++) {
        Since of = loops_is_stmt(s->op[i]) ? nothing(b->cx) : accesses_of(b, s->op[i]);
        add_since(&own, &of);
    }
    return own;
}

static bool covers_all(const Map *all, const Map *some)
{
    for (int i = 0; i < some->len; i++) {
        const DeviceItems *items = map_get(all, some->entries[i].key);
        if (!items || !device_items_cover(items, some->entries[i].value)) return false;
    }
    return true;
}

static bool covers(const Since *all, const Since *some)
{
    return covers_all(&all->read, &some->read) && covers_all(&all->written, &some->written);
}

// What an iteration accesses after its last barrier that the next iteration accesses, too. Those of
// a group are independent, and use the same shared memory.
static Since for_next(Barriers *b, const Since *end)
{
    Since next = nothing(b->cx);
    if (b->depth > 0) add_since(&next, end);
    for (int i = 0; i < b->group.shared.len; i++) {
        uint64_t name = b->group.shared.entries[i].key;
        const DeviceItems *read = map_get(&end->read, name);
        const DeviceItems *written = map_get(&end->written, name);
        if (read) add(&next.read, name, read);
        if (written) add(&next.written, name, written);
    }
    return next;
}

// The body of a loop whose head makes the accesses `own`. What the iteration before the current one
// does after its last barrier depends on where its barriers are. So that is assumed to be nothing
// at first, and then more, until it is no more than assumed; after a few times, or in nested loops,
// it may be anything that the body does.
static Node *body_with_barriers(Barriers *b, Node *body, const Since *own)
{
    enum { MOST_TIMES = 3, MOST_DEPTH = 3 };
    Since start = nothing(b->cx);
    for (int times = 1;; times++) {
        bool anything = times > MOST_TIMES || b->depth >= MOST_DEPTH;
        Since all = accesses_of(b, body), next;
        if (anything) start = for_next(b, &all);
        b->since = nothing(b->cx);
        b->exposed = nothing(b->cx);
        b->covered = false;
        add_since(&b->since, &start);
        add_since(&b->since, own);
        add_since(&b->exposed, own);
        b->depth++;
        Node *done = with_barriers(b, body);
        b->depth--;
        next = for_next(b, &b->since);
        if (anything || covers(&start, &next)) return done;
        add_since(&start, &next);
    }
}

// A loop outside of parallel loops. The barrier before it is left out if its iterations begin with
// one.
static void loop_with_barriers(Barriers *b, Node *s, Stmts *out)
{
    int body = (int)s->nops - 1;
    Since outer = b->since, exposed = b->exposed, own = own_accesses(b, s);
    bool covered = b->covered;
    s = node_with_op(b->cx, s, body, body_with_barriers(b, s->op[body], &own));
    Since end = b->since, first = b->exposed;
    b->since = outer;
    b->exposed = exposed;
    b->covered = covered;
    before(b, &first, out);
    vec_push(b->cx->arena, out, s);
    add_since(&b->since, &end);
}

// A branch, which all work-items of a group take alike. A barrier that an arm needs because of what
// comes before the branch is before the branch, too: drivers handle that better than one in the
// arm.
static void branch_with_barriers(Barriers *b, Node *s, Stmts *out)
{
    Since start = b->since, exposed = b->exposed, own = own_accesses(b, s), end[2];
    Since first = nothing(b->cx); // of the branch, before its barriers
    Node *ops[3] = {s->op[0]};
    bool covered = b->covered, arm_covered[2];
    for (int i = 0; i < 2; i++) {
        b->since = nothing(b->cx);
        b->exposed = nothing(b->cx);
        b->covered = false;
        add_since(&b->since, &own);
        ops[i + 1] = with_barriers(b, s->op[i + 1]);
        add_since(&first, &b->exposed);
        arm_covered[i] = b->covered;
        end[i] = b->since;
    }
    b->since = start;
    b->exposed = exposed;
    b->covered = covered;
    add_since(&first, &own);
    barrier_before(b, &first, out);
    vec_push(b->cx->arena, out, node_with_ops(b->cx, s, ops));
    if (arm_covered[0] && arm_covered[1]) b->since = nothing(b->cx);
    for (int i = 0; i < 2; i++) add_since(&b->since, &end[i]);
}

// A label. Jumps to its end come from anywhere in it.
static void label_with_barriers(Barriers *b, Node *s, Stmts *out)
{
    Since all = accesses_of(b, s->op[0]);
    bool covered = b->covered;
    s = node_with_op(b->cx, s, 0, with_barriers(b, s->op[0]));
    add_since(&b->since, &all);
    b->covered = covered;
    vec_push(b->cx->arena, out, s);
}

static void add_statement(Barriers *b, Node *s, Stmts *out)
{
    if (s->kind == LOOP_BLOCK) {
        vec_push(b->cx->arena, out, with_barriers(b, s));
    } else if (s->kind == LOOP_IF) {
        branch_with_barriers(b, s, out);
    } else if (s->kind == LOOP_LABEL) {
        label_with_barriers(b, s, out);
    } else if (loops_is(s, IS_LOOP) && s->kind != LOOP_PARALLEL) {
        loop_with_barriers(b, s, out);
    } else {
        Since next = accesses_of(b, s);
        before(b, &next, out);
        vec_push(b->cx->arena, out, s);
    }
}

static Node *with_barriers(Barriers *b, Node *s)
{
    Stmts out = {0};
    bool block = s->kind == LOOP_BLOCK;
    for (uint32_t i = 0; i < (block ? s->nops : 1); i++)
        add_statement(b, block ? s->op[i] : s, &out);
    return loops_block(b->cx, out.len, out.at);
}

Node *device_with_barriers(Session *cx, Node *body)
{
    Barriers b = {.cx = cx, .group = device_group(cx, body), .accesses = map_new(cx->arena)};
    Since own = nothing(cx);
    return body_with_barriers(&b, body, &own);
}

// --- drivers ------------------------------------------------------------------------------------

static bool is_barrier(Node *s, void *env)
{
    (void)env;
    return s->kind == LOOP_SYNC;
}

// PoCL 3.1 makes loops over the work-items of what is between two barriers, and finds these parts
// more surely if loops of unknown length begin and end with barriers, and branches end with one.
//
// The statement, with a barrier at the end if there are others in it.
static Node *ended(Session *cx, Node *s)
{
    NodeSpec barrier = {.kind = LOOP_SYNC};
    if (!loops_any(s, is_barrier, NULL)) return s;
    if (s->kind == LOOP_BLOCK && s->op[s->nops - 1]->kind == LOOP_SYNC) return s;
    return loops_block(cx, 2, (Node *[]){s, node_make(cx, &barrier)});
}

static Node *closed(void *env, Node *s)
{
    Session *cx = env;
    if (s->kind == LOOP_PARALLEL) return s;
    s = loops_map(cx, s, closed, cx);
    if (s->kind == LOOP_FOREVER && loops_any(s, is_barrier, NULL)) {
        NodeSpec barrier = {.kind = LOOP_SYNC};
        s = node_with_op(cx, s, 0, ended(cx, s->op[0]));
        return loops_block(cx, 2, (Node *[]){node_make(cx, &barrier), s});
    }
    if (s->kind != LOOP_IF) return s;
    return node_with_ops(cx, s, (Node *[]){s->op[0], ended(cx, s->op[1]), ended(cx, s->op[2])});
}

Node *device_with_last_barriers(Session *cx, Node *body)
{
    return closed(cx, body);
}
