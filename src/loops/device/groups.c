// Groups of work-items: how many one has, and where the arrays of its iteration are. Arrays that
// the parallel loops in the iteration access are in shared memory, unless each work-item accesses
// some elements that no other one does:
//
//   float sums[256 * 16];
//   parallel t < 256 { .. sums[t * 16 + e] .. }     0 <= e < 16
//
// Such an array is divided into private arrays, float sums[16], which may be in registers, if all
// the loops that access it have as many iterations as the group has work-items, so that iteration t
// is always executed by the same one.
#include "loops/device/device.h"

enum {
    LEAST_SIZE = 64, // of a group
    MOST_SIZE = 256, // which every GPU allows
    WARP = 32,
    MOST_SHARED = 32 << 10, // bytes of the arrays that a group shares
    MOST_PRIVATE = 128      // elements of a private array
};

// --- parallel loops in an iteration --------------------------------------------------------------

typedef void LocalVisit(void *env, Node *loop);

// Calls `visit` for each outermost parallel loop in the statement.
static void each_local(Node *s, LocalVisit *visit, void *env)
{
    if (s->kind == LOOP_PARALLEL) {
        visit(env, s);
        return;
    }
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) each_local(s->op[i], visit, env);
}

// The number of iterations, or -1.
static int64_t iterations(Session *cx, Node *loop)
{
    int64_t count;
    bool known = nat_is_const(nat_sub(cx, loops_to(loop), loops_from(loop)), &count);
    return known ? count : -1;
}

typedef struct {
    Session *cx;
    int64_t most; // iterations of a loop
} Longest;

static void find_longest(void *env, Node *loop)
{
    Longest *l = env;
    int64_t n = iterations(l->cx, loop);
    if (n > l->most) l->most = n;
}

static int size_of(Session *cx, Node *body)
{
    Longest l = {cx, LEAST_SIZE};
    each_local(body, find_longest, &l);
    return l.most >= MOST_SIZE ? MOST_SIZE : (int)((l.most + WARP - 1) / WARP * WARP);
}

// --- the arrays of an iteration ------------------------------------------------------------------

typedef struct {
    Session *cx;
    Map accessed; // Sym -> not NULL
} Accessed;

static void note_name(Node *access, void *env)
{
    Accessed *a = env;
    map_put(&a->accessed, MAP_KEY(access->attr.sym), a);
}

static void note_accesses(void *env, Node *loop)
{
    Accessed *a = env;
    Map seen = map_new(a->cx->arena);
    loops_accesses(loop, &seen, note_name, a);
}

// Adds the arrays that are declared outside of parallel loops.
static void find_arrays(Session *cx, Node *s, Stmts *arrays)
{
    if (s->kind == LOOP_PARALLEL) return;
    if (s->kind == LOOP_ALLOC) vec_push(cx->arena, arrays, s);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_arrays(cx, s->op[i], arrays);
}

static void note_array(Map *arrays, Node *alloc)
{
    map_put(arrays, MAP_KEY(alloc->attr.sym), (void *)(uintptr_t)alloc);
}

// --- private arrays ------------------------------------------------------------------------------

/// A search for accesses that keep an array from being divided.
typedef struct {
    Session *cx;
    DeviceGroup *g;
    Facts *facts; // ranges of the indices in scope
    Node *local;  // the parallel loop around the current statement, or NULL
    Map seen;
} Divide;

int64_t device_private_count(const DeviceGroup *g, Sym name)
{
    Node *alloc = map_get(&g->own, MAP_KEY(name));
    int64_t count = 0;
    if (alloc) nat_is_const(alloc->op[1], &count);
    return count / g->size;
}

// The position in the private array of the work-item that runs an iteration of the loop, or NULL.
static Node *own_position(Session *cx, Node *loop, Node *access, int64_t count)
{
    int64_t factor;
    Node *rest;
    bool linear = loops_is_linear(cx, access->op[0], loop->attr.sym, &factor, &rest);
    return linear && factor == count ? rest : NULL;
}

static bool is_own(const Divide *d, Node *access, int64_t count)
{
    int64_t zero;
    if (loops_is(access, IS_ADDRESS) || loops_is_gather(access) || !d->local) return false;
    if (iterations(d->cx, d->local) != d->g->size) return false;
    if (!nat_is_const(loops_from(d->local), &zero) || zero != 0) return false;
    Node *at = own_position(d->cx, d->local, access, count);
    return at && nat_ge0(d->cx, d->facts, at) == TRUTH_YES &&
           nat_lt(d->cx, d->facts, at, nat_const(d->cx, count)) == TRUTH_YES;
}

static void test_access(Node *access, void *env)
{
    Divide *d = env;
    int64_t count = device_private_count(d->g, access->attr.sym);
    if (count == 0 || is_own(d, access, count)) return;
    map_put(&d->g->own, MAP_KEY(access->attr.sym), NULL);
}

static void test_accesses(Divide *d, Node *s)
{
    Facts *outer = d->facts;
    Node *local = d->local;
    if (!local) d->seen = map_new(d->cx->arena);
    for (uint32_t i = 0; i < s->nops; i++)
        if (!loops_is_stmt(s->op[i])) loops_accesses(s->op[i], &d->seen, test_access, d);
    if (loops_names_buffer(s)) test_access(s, d);
    if (!local && s->kind == LOOP_PARALLEL) {
        d->local = s;
        d->seen = map_new(d->cx->arena);
    }
    if (loops_is_counted(s)) {
        d->facts = facts_new(d->cx, d->cx->arena, outer);
        facts_range(d->facts, s->attr.sym, loops_from(s), loops_to(s));
    }
    if (s->kind == LOOP_BLOCK) d->facts = facts_new(d->cx, d->cx->arena, outer);
    for (uint32_t i = 0; i < s->nops; i++) {
        Node *in = s->op[i];
        if (loops_is_stmt(in)) test_accesses(d, in);
        if (in->kind == LOOP_DECL && in->op[1]->kind == CORE_NAT)
            facts_value(d->facts, in->attr.sym, in->op[1]->op[0]);
    }
    d->facts = outer;
    d->local = local;
}

// Of the arrays, those that can be divided: the value of the others in `own` is NULL.
static void find_private(DeviceGroup *g, Session *cx, Node *body, const Stmts *arrays)
{
    int64_t count;
    for (int i = 0; i < arrays->len; i++) {
        Node *a = arrays->at[i];
        bool divides = a->variant != VARIANT_SHARED && nat_is_const(a->op[1], &count) &&
                       count > 0 && count % g->size == 0 && count / g->size <= MOST_PRIVATE;
        if (divides) note_array(&g->own, a);
    }
    if (g->own.len == 0) return;
    Divide d = {cx, g, facts_new(cx, cx->arena, NULL), NULL, map_new(cx->arena)};
    test_accesses(&d, body);
}

// --- groups --------------------------------------------------------------------------------------

Node *device_loop_of(Node *body)
{
    return body->kind == LOOP_BLOCK ? body->op[body->nops - 1] : body;
}

DeviceGroup device_group(Session *cx, Node *body)
{
    DeviceGroup g = {size_of(cx, body), map_new(cx->arena), map_new(cx->arena), map_new(cx->arena)};
    Accessed a = {cx, map_new(cx->arena)};
    Stmts arrays = {0}, accessed = {0};
    each_local(body, note_accesses, &a);
    find_arrays(cx, body, &arrays);
    for (int i = 0; i < arrays.len; i++) {
        bool local = arrays.at[i]->variant == VARIANT_SHARED ||
                     map_get(&a.accessed, MAP_KEY(arrays.at[i]->attr.sym)) != NULL;
        if (local) vec_push(cx->arena, &accessed, arrays.at[i]);
        if (!local) note_array(&g.alike, arrays.at[i]);
    }
    find_private(&g, cx, body, &accessed);
    for (int i = 0; i < accessed.len; i++)
        if (!map_get(&g.own, MAP_KEY(accessed.at[i]->attr.sym)))
            note_array(&g.shared, accessed.at[i]);
    return g;
}

// Whether the statement updates something atomically outside of parallel loops, where all
// work-items of the group would do it.
static bool updates_alike(Node *s)
{
    if (s->kind == LOOP_PARALLEL) return false;
    if (s->kind == LOOP_CALL) return true;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && updates_alike(s->op[i])) return true;
    return false;
}

static bool is_parallel(Node *s, void *env)
{
    (void)env;
    return s->kind == LOOP_PARALLEL;
}

static bool is_shared(Node *s, void *env)
{
    (void)env;
    return s->kind == LOOP_ALLOC && s->variant == VARIANT_SHARED;
}

const char *device_why_alone(Session *cx, Node *loop)
{
    Node *body = loops_body(loop);
    int64_t bytes = device_failing_loops(body) * (int64_t)sizeof(int32_t), count;
    Scalar s;
    if (!loops_any(body, is_parallel, NULL) && !loops_any(body, is_shared, NULL))
        return "it has no parallel loop in it";
    if (updates_alike(body)) return "it updates something atomically outside of the loops in it";
    DeviceGroup g = device_group(cx, body);
    for (int i = 0; i < g.shared.len; i++) {
        Node *alloc = g.shared.entries[i].value;
        if (!nat_is_const(alloc->op[1], &count) || count > MOST_SHARED) count = MOST_SHARED + 1;
        bytes += count * (type_is_scalar(alloc->op[0], &s) ? scalar_info[s].size : 8);
    }
    return bytes > MOST_SHARED ? "its arrays do not fit in the 32 KiB that a group shares" : NULL;
}

int device_group_size(Session *cx, Node *loop)
{
    return device_why_alone(cx, loop) ? 0 : size_of(cx, loops_body(loop));
}

// --- private memory in kernels -------------------------------------------------------------------

typedef struct {
    Session *cx;
    const DeviceGroup *g;
    Node *local; // the parallel loop whose body is rewritten
} Privates;

static Node *private_access(Session *cx, Node *n, void *env)
{
    const Privates *p = env;
    int64_t count = loops_names_buffer(n) ? device_private_count(p->g, n->attr.sym) : 0;
    return count > 0 ? node_with_op(cx, n, 0, own_position(cx, p->local, n, count)) : n;
}

static Node *private_arrays(void *env, Node *s)
{
    Privates *p = env;
    int64_t count = s->kind == LOOP_ALLOC ? device_private_count(p->g, s->attr.sym) : 0;
    if (count > 0) return node_with_op(p->cx, s, 1, nat_const(p->cx, count));
    if (s->kind != LOOP_PARALLEL) return loops_map(p->cx, s, private_arrays, p);
    p->local = s;
    return node_rewrite(p->cx, s, private_access, p);
}

Node *device_with_private(Session *cx, const DeviceGroup *g, Node *body)
{
    Privates p = {cx, g, NULL};
    return g->own.len > 0 ? private_arrays(&p, body) : body;
}
