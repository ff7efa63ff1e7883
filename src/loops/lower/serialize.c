// For a target with one thread, parallel loops become sequential, tasks run immediately, and there
// are no worker threads. For such a target, and in any entry without parallel loops and tasks,
// atomic updates outside loops over lanes become plain loads and stores. So do, for all targets,
// those of memory that an iteration of a parallel loop has for itself.
#include "loops/ir/statements.h"

typedef struct {
    Session *cx;
    LoopEntry *done;
    bool in_order; // parallel loops and tasks become sequential
    bool alone;    // nothing runs concurrently, but perhaps lanes
    Map locals;    // set of names of scalar locals
    Map own;       // Sym -> the innermost parallel loop or task around the array's declaration
    Node *around;  // that around the current statement, or NULL
    int lanes;     // number of enclosing loops over lanes, whose lanes may update the same element;
                   // one more in a function that such loops call
} Serial;

// --- atomic updates ----------------------------------------------------------------------------

static Node *load_from(Serial *x, Node *address, Node *type)
{
    bool local = map_get(&x->locals, MAP_KEY(address->attr.sym));
    return local ? loops_local(x->cx, address->attr.sym, type)
                 : loops_load(x->cx, address->attr.sym, type, address->op[0]);
}

static Node *store_to(Serial *x, Node *address, Node *value, Span origin)
{
    bool local = map_get(&x->locals, MAP_KEY(address->attr.sym));
    return local ? loops_set(x->cx, address->attr.sym, value, origin)
                 : loops_store(x->cx, address->attr.sym, address->op[0], value, origin);
}

// Returns the statement that stores the new value of the element, given the old one.
static Node *update(Serial *x, Node *call, Atomic a, Node *old)
{
    int last = atomic_info[a].arity - 1;
    Node *place = call->op[0], *value = call->op[last];
    if (a == ATOMIC_EXCHANGE) return store_to(x, place, value, call->origin);
    if (a != ATOMIC_CAS) {
        Node *next = core_prim(x->cx, atomic_info[a].op, 2, (Node *[]){old, value});
        return store_to(x, place, next, call->origin);
    }
    Node *equal = core_prim(x->cx, PRIM_EQ, 2, (Node *[]){old, call->op[1]});
    Node *store = store_to(x, place, value, call->origin);
    return loops_if(x->cx, equal, store, loops_block(x->cx, 0, NULL), call->origin);
}

// Builds the plain form of an atomic update: old = element; element = f(old); result = old.
static Node *plain_update(Serial *x, Node *call, Atomic a)
{
    Session *cx = x->cx;
    int last = atomic_info[a].arity - 1;
    Node *type = call->op[last]->type, *result = call->op[last + 1];
    Sym name = sym_fresh(cx->syms, "old");
    Node *decl = loops_decl(cx, name, type, load_from(x, call->op[0], type), NO_SPAN);
    Node *old = loops_unchanging(cx, name, type);
    Node *all[] = {decl, update(x, call, a, old), store_to(x, result, old, call->origin)};
    return loops_block(cx, 3, all);
}

// --- statements --------------------------------------------------------------------------------

static bool is_concurrent_stmt(Node *s)
{
    return s->kind == LOOP_PARALLEL || s->kind == LOOP_SPAWN ||
           (s->kind == LOOP_FOR && s->variant == VARIANT_PAR);
}

// Whether only the current iteration accesses the memory of an atomic update.
static bool is_own(const Serial *x, Node *call)
{
    Node *owner = map_get(&x->own, MAP_KEY(call->op[0]->attr.sym));
    return x->alone || (owner && owner == x->around);
}

static Node *serial(void *env, Node *s)
{
    Serial *x = env;
    bool lanes = s->kind == LOOP_VECTORIZE;
    Node *around = x->around;
    if (s->kind == LOOP_DECL) map_put(&x->locals, MAP_KEY(s->attr.sym), x);
    if (s->kind == LOOP_ALLOC) map_put(&x->own, MAP_KEY(s->attr.sym), (void *)(uintptr_t)around);
    if (is_concurrent_stmt(s)) x->around = s;
    x->lanes += lanes;
    s = loops_map(x->cx, s, serial, env);
    x->lanes -= lanes;
    x->around = around;
    if (s->kind == LOOP_CALL && !x->lanes) {
        Atomic a = core_atomic_of(s->attr.sym);
        return a == ATOMIC_COUNT || !is_own(x, s) ? s : plain_update(x, s, a);
    }
    if (!x->in_order) return s;
    if (s->kind == LOOP_SPAWN) return s->op[0];
    if (s->kind == LOOP_SYNC) return loops_block(x->cx, 0, NULL);
    if (!is_concurrent_stmt(s)) return s;
    loops_note_choice(x->cx, x->done, s, "one thread", "the target has no other");
    return s->kind == LOOP_PARALLEL ? loops_sequential(x->cx, s)
                                    : node_with_variant(x->cx, s, VARIANT_ANY);
}

static LoopEntry *serial_entry(Session *cx, const LoopEntry *e, bool in_order, bool alone,
                               Map *in_lanes)
{
    if (e->external) return loops_with_body(cx, e, NULL);
    Arena *arena = arena_new_beside(cx->arena);
    LoopEntry *done = loops_with_body(cx, e, NULL);
    Serial x = {.cx = cx,
                .done = done,
                .in_order = in_order,
                .alone = alone,
                .locals = map_new(arena),
                .own = map_new(arena),
                .lanes = map_get(in_lanes, MAP_KEY(e->name)) != NULL};
    done->body = serial(&x, e->body);
    arena_delete(arena);
    if (in_order && e->helpers) done->body = loops_at(cx, done->body, e->helpers, nat_const(cx, 0));
    if (in_order) done->helpers = NULL;
    return done;
}

// --- entries -----------------------------------------------------------------------------------

static bool runs_in_parallel(Node *s, void *env)
{
    (void)env;
    return is_concurrent_stmt(s);
}

static bool is_concurrent(Node *body)
{
    return loops_any(body, runs_in_parallel, NULL);
}

// Removes the functions for atomic updates that are no longer called.
static void drop_updates(LoopEntry *e)
{
    Arena *arena = arena_new();
    Map called = map_new(arena);
    int kept = 0;
    loops_names(e->body, IS_CALL, &called);
    for (int i = 0; i < e->callees.len; i++)
        if (e->callees.at[i]->body) loops_names(e->callees.at[i]->body, IS_CALL, &called);
    for (int i = 0; i < e->callees.len; i++) {
        LoopEntry *f = e->callees.at[i];
        if (core_atomic_of(f->name) == ATOMIC_COUNT || map_get(&called, MAP_KEY(f->name)))
            e->callees.at[kept++] = f;
    }
    e->callees.len = kept;
    arena_delete(arena);
}

static bool add_calls_of_lanes(Node *s, void *called)
{
    if (s->kind == LOOP_VECTORIZE) loops_names(s, IS_CALL, called);
    return false;
}

// Adds to `called` the functions called in loops over lanes, and the functions that these call.
static void find_called_in_lanes(const LoopEntry *e, Map *called)
{
    loops_any(e->body, add_calls_of_lanes, called);
    for (int i = 0; i < e->callees.len; i++)
        if (e->callees.at[i]->body) loops_any(e->callees.at[i]->body, add_calls_of_lanes, called);
    for (int known = -1; known != (int)called->len;) {
        known = (int)called->len;
        for (int i = 0; i < e->callees.len; i++) {
            const LoopEntry *f = e->callees.at[i];
            if (f->body && map_get(called, MAP_KEY(f->name))) loops_names(f->body, IS_CALL, called);
        }
    }
}

LoopEntry *loops_serialize(Session *cx, const LoopEntry *e)
{
    bool concurrent = is_concurrent(e->body), atomic = false;
    for (int i = 0; i < e->callees.len; i++) {
        const LoopEntry *f = e->callees.at[i];
        concurrent |= f->body && is_concurrent(f->body);
        atomic |= core_atomic_of(f->name) != ATOMIC_COUNT;
    }
    if (!e->serial && !atomic) return loops_with_body(cx, e, e->body);
    bool alone = e->serial || !concurrent;
    Arena *arena = arena_new();
    Map in_lanes = map_new(arena);
    find_called_in_lanes(e, &in_lanes);
    LoopEntry *done = serial_entry(cx, e, e->serial, alone, &in_lanes);
    done->callees.len = done->callees.cap = 0;
    for (int i = 0; i < e->callees.len; i++)
        vec_push(cx->arena, &done->callees,
                 serial_entry(cx, e->callees.at[i], e->serial, alone, &in_lanes));
    arena_delete(arena);
    if (atomic) drop_updates(done);
    return done;
}
