// Which work-item of a group accesses each element of a shared array. Where the same one does so in
// two statements, they need no barrier between them:
//
//   parallel t < 128 { .. = tile[t + t/32] }      parallel t < 128 { tile[t + t/32] = .. }
//
// The elements are enumerated, for all work-items and all iterations of the loops around the
// access.
#include "loops/device/device.h"

enum { NOBODY = -1, SEVERAL = -2, MOST_POINTS = 1 << 16 };

struct DeviceItems {
    int64_t count; // of elements; 0 if nothing is known
    int16_t *item; // for each element: the number of a work-item, NOBODY or SEVERAL
};

static const DeviceItems anybody;

const DeviceItems *device_anybody(void)
{
    return &anybody;
}

bool device_items_meet(const DeviceItems *a, const DeviceItems *b)
{
    if (a->count == 0 || b->count == 0) return true;
    for (int64_t i = 0; i < a->count; i++)
        if (a->item[i] != NOBODY && b->item[i] != NOBODY &&
            (a->item[i] != b->item[i] || a->item[i] == SEVERAL))
            return true;
    return false;
}

bool device_items_cover(const DeviceItems *all, const DeviceItems *some)
{
    if (all->count == 0 || some->count == 0) return all->count == 0;
    for (int64_t i = 0; i < some->count; i++)
        if (some->item[i] != NOBODY && some->item[i] != all->item[i] && all->item[i] != SEVERAL)
            return false;
    return true;
}

static DeviceItems *no_items(Arena *arena, int64_t count)
{
    DeviceItems *d = ARENA_NEW(arena, DeviceItems);
    *d = (DeviceItems){count, ARENA_ARRAY(arena, int16_t, count)};
    for (int64_t i = 0; i < count; i++) d->item[i] = NOBODY;
    return d;
}

static void add_item(DeviceItems *d, int64_t at, int item)
{
    bool other = d->item[at] != NOBODY && d->item[at] != item;
    if (item != NOBODY) d->item[at] = (int16_t)(other ? SEVERAL : item);
}

const DeviceItems *device_items_join(Arena *arena, const DeviceItems *a, const DeviceItems *b)
{
    if (a == b || a->count == 0) return a;
    if (b->count == 0) return b;
    DeviceItems *d = no_items(arena, a->count);
    for (int64_t i = 0; i < a->count; i++) {
        add_item(d, i, a->item[i]);
        add_item(d, i, b->item[i]);
    }
    return d;
}

// --- positions -----------------------------------------------------------------------------------

/// An access, with what its position depends on.
typedef struct {
    Session *cx;
    const DeviceGroup *g;
    Map changed;            // locals that are set, whose values are not known
    VEC(NodeBinding) known; // the other locals, as sizes
    VEC(Node *) loops;      // the loops around it with known bounds, the parallel one first
    VEC(int64_t) indices;   // their current iterations
    int64_t lanes;          // of the access: the number of elements
    Map *read, *written;    // the results, by the names of arrays
} Enumeration;

// The current iteration of a loop around the access.
static bool current(Node *atom, int64_t *value, void *env)
{
    const Enumeration *n = env;
    for (int i = 0; i < n->loops.len; i++) {
        if (atom->kind != NAT_VAR || n->loops.at[i]->attr.sym != atom->attr.sym) continue;
        *value = n->indices.at[i];
        return true;
    }
    return false;
}

// Adds the elements at a position in the iterations of the loops from number `k` on. Returns false
// if they are not known. Those outside of the array are not accessed.
static bool add_elements(Enumeration *n, Node *at, int k, DeviceItems *to)
{
    int64_t value, from, end;
    if (k == n->loops.len) {
        int64_t item = k > 0 ? n->indices.at[0] % n->g->size : 0;
        if (!nat_eval(at, current, n, &value)) return false;
        for (int64_t l = 0; l < n->lanes; l++)
            if (value + l >= 0 && value + l < to->count) add_item(to, value + l, (int)item);
        return true;
    }
    (void)nat_is_const(loops_from(n->loops.at[k]), &from);
    (void)nat_is_const(loops_to(n->loops.at[k]), &end);
    for (n->indices.at[k] = from; n->indices.at[k] < end; n->indices.at[k]++)
        if (!add_elements(n, at, k + 1, to)) return false;
    return true;
}

static bool has_few_points(const Enumeration *n)
{
    int64_t from, end, length, points = 1;
    for (int i = 0; i < n->loops.len; i++) {
        (void)nat_is_const(loops_from(n->loops.at[i]), &from);
        (void)nat_is_const(loops_to(n->loops.at[i]), &end);
        if (end <= from) return true;
        if (__builtin_sub_overflow(end, from, &length) || length > MOST_POINTS) return false;
        if ((points *= length) > MOST_POINTS) return false;
    }
    return true;
}

// Adds the elements of an access to those of the other accesses of the statement.
static void add_access(Enumeration *n, Node *access, Node *alloc, Map *to)
{
    uint64_t name = MAP_KEY(access->attr.sym);
    DeviceItems *items = map_get(to, name);
    int64_t count;
    if (items && items->count == 0) return;
    bool known = !loops_is(access, IS_ADDRESS) && !loops_is_gather(access) && has_few_points(n) &&
                 nat_is_const(alloc->op[1], &count) && count > 0;
    if (known && !items) items = no_items(n->cx->arena, count);
    Node *type = loops_is_store(access) ? access->op[1]->type : access->type;
    if (!type || !type_is_vec(type, &n->lanes)) n->lanes = 1;
    Node *at = node_replace_names(n->cx, access->op[0], n->known.at, n->known.len);
    known = known && add_elements(n, at, 0, items);
    map_put(to, name, known ? items : (void *)(uintptr_t)&anybody);
}

static void visit_access(Node *access, void *env)
{
    Enumeration *n = env;
    Node *alloc = map_get(&n->g->shared, MAP_KEY(access->attr.sym));
    if (!alloc) return;
    if (access->kind != LOOP_STORE) add_access(n, access, alloc, n->read);
    if (access->kind != LOOP_LOAD) add_access(n, access, alloc, n->written);
}

static void note_local(Enumeration *n, Node *decl)
{
    Node *value = decl->op[1];
    if (value->kind != CORE_NAT || map_get(&n->changed, MAP_KEY(decl->attr.sym))) return;
    Node *size = node_replace_names(n->cx, value->op[0], n->known.at, n->known.len);
    vec_push(n->cx->arena, &n->known, ((NodeBinding){decl->attr.sym, size}));
}

// Statements beside one another may use the same names.
static void enumerate(Enumeration *n, Node *s)
{
    int64_t bound;
    Map seen = map_new(n->cx->arena);
    for (uint32_t i = 0; i < s->nops; i++)
        if (!loops_is_stmt(s->op[i])) loops_accesses(s->op[i], &seen, visit_access, n);
    if (loops_names_buffer(s)) visit_access(s, n);
    if (s->kind == LOOP_DECL) note_local(n, s);
    int outer = n->loops.len, locals = n->known.len;
    bool known = loops_is_counted(s) && s->kind != LOOP_STRIDED &&
                 nat_is_const(loops_from(s), &bound) && nat_is_const(loops_to(s), &bound);
    if (known) {
        vec_push(n->cx->arena, &n->loops, s);
        vec_push(n->cx->arena, &n->indices, (int64_t)0);
    }
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) enumerate(n, s->op[i]);
    n->loops.len = n->indices.len = outer;
    if (s->kind == LOOP_BLOCK) n->known.len = locals;
}

void device_find_items(Session *cx, const DeviceGroup *g, Node *s, Map *read, Map *written)
{
    int64_t zero, end;
    // work-item 0 alone executes a store, unless it is to an array that each work-item has of its
    // own
    bool alone = s->kind == LOOP_STORE && !map_get(&g->alike, MAP_KEY(s->attr.sym));
    bool local = s->kind == LOOP_PARALLEL && nat_is_const(loops_from(s), &zero) && zero == 0 &&
                 nat_is_const(loops_to(s), &end);
    if (!alone && !local) return;
    Enumeration n = {
        .cx = cx, .g = g, .changed = map_new(cx->arena), .read = read, .written = written};
    loops_changed(s, &n.changed);
    enumerate(&n, s);
}
