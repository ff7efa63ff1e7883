// Memory for kernels. Arrays of an iteration of constant size become private arrays of the
// work-item, if they take up to 4 KiB together, as the stack of a search does. The others become
// parts of one array outside of the loop, whose iterations are dealt to a limited number of
// work-items:
//
//   parallel i < n { float t[m]; .. t[p] .. }
//     float t[m * items];  items = min(n, MOST_ITEMS, ..)
//     parallel item < items { for (i = item; i < n; i += items) { .. t[p * items + item] .. } }
//
// Neighbouring work-items access neighbouring elements, which a device does at once. For the same
// reason an array stays in one piece, t[item * m + p], where a group of work-items runs an
// iteration. There, arrays of constant size stay in the iteration if the memory of a group has room
// for them. Small arrays of the host that kernels access leave the stack.
#include "loops/device/device.h"

enum {
    MOST_PRIVATE = 4 << 10, // bytes, of which a device has as many as it runs work-items at once
    MOST_ITEMS = 1 << 14,   // enough to fill a device
    MOST_ELEMENTS = 1 << 26 // of the arrays of all work-items together, unless one needs more
};

typedef struct {
    Session *cx;
    DeviceScope scope;
    Map used; // arrays that kernels access
} Memory;

/// The arrays of the iterations of a loop.
typedef struct {
    Map names;        // Sym of an array -> its number of elements
    Node *items, *at; // the number of work-items, and that of the current one
    bool whole;       // each has its elements in one piece
} Parts;

// --- arrays of work-items -----------------------------------------------------------------------

static Node *position_of_item(Session *cx, Node *n, void *env)
{
    const Parts *p = env;
    Node *count = loops_names_buffer(n) ? map_get(&p->names, MAP_KEY(n->attr.sym)) : NULL;
    if (!count) return n;
    Node *at = p->whole ? nat_add(cx, nat_mul(cx, p->at, count), n->op[0])
                        : nat_add(cx, nat_mul(cx, n->op[0], p->items), p->at);
    return node_with_op(cx, n, 0, at);
}

static Node *without_heap(void *env, Node *s)
{
    Memory *m = env;
    if (loops_is_heap(s)) return loops_block(m->cx, 0, NULL);
    return loops_map(m->cx, s, without_heap, m);
}

/// The arrays that stay in an iteration.
typedef struct {
    Session *cx;
    int64_t room; // in bytes, for further ones
} Kept;

static Node *on_stack(void *env, Node *s)
{
    Kept *k = env;
    int64_t count;
    Scalar type;
    if (s->kind == LOOP_PARALLEL) return s;
    if (!loops_is_heap(s) || !nat_is_const(s->op[1], &count))
        return loops_map(k->cx, s, on_stack, k);
    int64_t size = type_is_scalar(s->op[0], &type) ? scalar_info[type].size : 8;
    if (count > k->room / size) return s;
    k->room -= count * size;
    return node_with_variant(k->cx, s, VARIANT_STACK);
}

// Leaves arrays of constant size in the iterations of the loop, up to so many bytes.
static Node *with_own_arrays(Memory *m, Node *loop, int64_t room)
{
    Kept k = {m->cx, room};
    int body = (int)loop->nops - 1;
    return node_with_op(m->cx, loop, body, on_stack(&k, loop->op[body]));
}

// Leaves arrays of constant size in the iterations: all of them if groups run these and have room
// for that, and a few bytes of them if work-items do.
static Node *in_iterations(Memory *m, Node *loop)
{
    Node *own = with_own_arrays(m, loop, INT64_MAX);
    if (own == loop || device_group_size(m->cx, without_heap(m, own)) > 0) return own;
    return device_group_size(m->cx, loop) > 0 ? loop : with_own_arrays(m, loop, MOST_PRIVATE);
}

static Stmts heap_arrays(Session *cx, Node *loop)
{
    Stmts decls = loops_all(cx, loop, IS_DECL), heap = {0};
    for (int i = 0; i < decls.len; i++)
        if (loops_is_heap(decls.at[i])) vec_push(cx->arena, &heap, decls.at[i]);
    return heap;
}

// Whether the sizes of the arrays are known before the loop begins.
static bool are_known_before(Session *cx, const Stmts *arrays, Node *loop)
{
    Map inside = map_new(cx->arena);
    loops_bound(loop, &inside);
    for (int i = 0; i < arrays->len; i++)
        if (loops_reads_any(cx, arrays->at[i]->op[1], &inside)) return false;
    return true;
}

// Whether a call gets one of the arrays, which then must be in one piece.
static bool any_is_passed(Node *loop, const Stmts *arrays)
{
    for (int i = 0; i < arrays->len; i++)
        if (loops_has_named(loop, IS_ADDRESS, arrays->at[i]->attr.sym)) return true;
    return false;
}

static Node *number_of_items(Session *cx, Node *loop, const Stmts *arrays)
{
    Node *all = nat_const(cx, 0), *one = nat_const(cx, 1);
    for (int i = 0; i < arrays->len; i++) all = nat_add(cx, all, arrays->at[i]->op[1]);
    Node *most = nat_div(cx, nat_const(cx, MOST_ELEMENTS), nat_max(cx, all, one));
    most = nat_min(cx, nat_max(cx, most, one), nat_const(cx, MOST_ITEMS));
    return nat_min(cx, loops_extent(cx, facts_new(cx, cx->arena, NULL), loop), most);
}

static Node *dealt(Memory *m, Node *loop, const Stmts *arrays)
{
    Session *cx = m->cx;
    Stmts out = {0};
    loop = without_heap(m, loop);
    Node *decl, *count = number_of_items(cx, loop, arrays);
    Sym item = sym_fresh(cx->syms, "item");
    Parts p = {map_new(cx->arena), loops_integer(cx, "items", count, &decl), nat_var(cx, item),
               device_group_size(cx, loop) > 0};
    vec_push(cx->arena, &out, decl);
    for (int i = 0; i < arrays->len; i++) {
        Node *a = arrays->at[i];
        map_put(&p.names, MAP_KEY(a->attr.sym), (void *)(uintptr_t)a->op[1]);
        vec_push(cx->arena, &out, node_with_op(cx, a, 1, nat_mul(cx, a->op[1], count)));
    }
    Node *body = node_rewrite(cx, loops_body(loop), position_of_item, &p);
    Node *from = nat_add(cx, loops_from(loop), p.at);
    Node *turns = loops_loop(cx, LOOP_STRIDED, loop->attr.sym, p.items, from, loops_to(loop), body,
                             loop->origin);
    vec_push(cx->arena, &out,
             loops_loop(cx, LOOP_PARALLEL, item, loop->op[0], nat_const(cx, 0), count, turns,
                        loop->origin));
    return loops_block(cx, out.len, out.at);
}

static void note_use(Node *access, void *env)
{
    Memory *m = env;
    map_put(&m->used, MAP_KEY(access->attr.sym), m);
}

// --- loops of work-items with arrays ------------------------------------------------------------
//
// An array of an iteration is one of the group that runs it. Where the iterations of a loop for the
// work-items of a group have such arrays, that loop is sequential: each array is used by one
// iteration after the other, and parallel loops inside are for the work-items.

typedef struct {
    Session *cx;
    Map indices; // of these loops
    bool found;
} WithArrays;

static Node *find_with_arrays(void *env, Node *s)
{
    WithArrays *w = env;
    if (loops_is_parallel(s, NULL) && heap_arrays(w->cx, s).len > 0) {
        map_put(&w->indices, MAP_KEY(s->attr.sym), w);
        w->found = true;
    }
    return loops_map(w->cx, s, find_with_arrays, w);
}

static Node *in_order(void *env, Node *s)
{
    WithArrays *w = env;
    if (loops_is_parallel(s, NULL) && map_get(&w->indices, MAP_KEY(s->attr.sym)))
        s = s->kind == LOOP_PARALLEL ? loops_sequential(w->cx, s)
                                     : node_with_variant(w->cx, s, VARIANT_ANY);
    return loops_map(w->cx, s, in_order, w);
}

// Returns the loop with the arrays that can stay in its iterations.
static Node *with_arrays(Memory *m, Node *loop)
{
    WithArrays w = {m->cx, map_new(m->cx->arena), false};
    Node *own = in_iterations(m, loop);
    int body = (int)loop->nops - 1;
    (void)find_with_arrays(&w, own->op[body]);
    if (!w.found) return own;
    return in_iterations(m, node_with_op(m->cx, loop, body, in_order(&w, loop->op[body])));
}

static Node *kernel_memory(void *env, Node *loop)
{
    Memory *m = env;
    Node *own = with_arrays(m, device_without_messages(m->cx, loop));
    if (!device_can_run(&m->scope, own, true)) return loop;
    loop = own;
    Stmts arrays = heap_arrays(m->cx, loop);
    bool known = are_known_before(m->cx, &arrays, loop) && !any_is_passed(loop, &arrays);
    if (arrays.len > 0 && !known) return loop;
    if (arrays.len > 0) loop = dealt(m, loop, &arrays);
    Map seen = map_new(m->cx->arena);
    loops_accesses(loop, &seen, note_use, m);
    return loop;
}

// --- arrays of the host -------------------------------------------------------------------------

// An array that a kernel accesses through a pointer is used, too.
static void follow_pointers(Memory *m, Node *body)
{
    Stmts decls = loops_all(m->cx, body, IS_DECL);
    for (int i = 0; i < decls.len; i++)
        if (decls.at[i]->kind == LOOP_POINTER)
            map_put(&m->used, MAP_KEY(decls.at[i]->op[1]->attr.sym), m);
}

static Node *in_heap(void *env, Node *s)
{
    Memory *m = env;
    if (s->kind == LOOP_PARALLEL) return s;
    bool used = s->kind == LOOP_ALLOC && s->variant == VARIANT_STACK &&
                map_get(&m->used, MAP_KEY(s->attr.sym));
    return used ? node_with_variant(m->cx, s, VARIANT_HEAP) : loops_map(m->cx, s, in_heap, m);
}

static LoopEntry *memory_of(Session *cx, const LoopEntry *entry, const LoopEntry *f)
{
    if (!f->body) return loops_with_body(cx, f, NULL);
    Memory m = {cx, device_scope(cx, entry, f), map_new(cx->arena)};
    Node *body = device_loops(cx, f->body, kernel_memory, &m);
    follow_pointers(&m, body);
    return loops_with_body(cx, f, in_heap(&m, body));
}

LoopEntry *loops_device_memory(Session *cx, const LoopEntry *e)
{
    if (!e->device) return loops_with_body(cx, e, e->body);
    LoopEntry *done = memory_of(cx, e, e);
    done->callees.len = done->callees.cap = 0;
    for (int i = 0; i < e->callees.len; i++)
        vec_push(cx->arena, &done->callees, memory_of(cx, e, e->callees.at[i]));
    return done;
}
