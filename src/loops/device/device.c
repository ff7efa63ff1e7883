// Which parallel loops can be kernels.
#include "loops/device/device.h"

DeviceScope device_scope(Session *cx, const LoopEntry *entry, const LoopEntry *f)
{
    DeviceScope scope = {cx, entry, f, map_new(cx->arena), map_new(cx->arena)};
    for (int i = 0; i < f->params.len; i++)
        map_put(&scope.params, MAP_KEY(f->params.at[i].name), &f->params.at[i]);
    Stmts all = loops_all(cx, f->body, IS_BINDER);
    for (int i = 0; i < all.len; i++)
        map_put(&scope.decls, MAP_KEY(all.at[i]->attr.sym), (void *)(uintptr_t)all.at[i]);
    return scope;
}

typedef struct {
    const DeviceScope *scope;
    bool heap;
    Map seen;
    Map inside;  // names that the loop binds
    Map shared;  // arrays that groups share, if groups run the iterations
    Node *found; // what a device cannot execute
} Suits;

// Whether the call is an atomic update that a device has an instruction for: of global memory or
// that of a group, but not of the memory of a work-item.
static bool is_atomic_of_device(const Suits *t, Node *call)
{
    const DeviceScope *scope = t->scope;
    Atomic a = core_atomic_of(call->attr.sym);
    if (a == ATOMIC_COUNT) return false;
    Scalar s = loops_callee(scope->entry, call->attr.sym)->params.at[0].scalar;
    Sym name = call->op[0]->attr.sym;
    Node *decl = map_get(&scope->decls, MAP_KEY(name));
    if (map_get(&t->inside, MAP_KEY(name)) && !map_get(&t->shared, MAP_KEY(name))) return false;
    bool global = map_get(&scope->params, MAP_KEY(name)) || (decl && decl->kind != LOOP_DECL);
    return global && s != SCALAR_BOOL && scalar_info[s].size >= 4;
}

// Whether each work-item can execute the statement. Those that it contains are tested separately.
static bool is_for_items(const Suits *t, Node *s)
{
    switch ((Kind)s->kind) {
    case LOOP_BLOCK:
    case LOOP_FOR:
    case LOOP_PARALLEL:
    case LOOP_VECTORIZE:
    case LOOP_STRIDED:
    case LOOP_FOREVER:
    case LOOP_LABEL:
    case LOOP_JUMP:
    case LOOP_DECL:
    case LOOP_SET:
    case LOOP_STORE:
    case LOOP_TABLE:
    case LOOP_IF:
    case LOOP_CHECK: return true;
    case LOOP_ALLOC:
        return s->variant == VARIANT_STACK || s->variant == VARIANT_SHARED ||
               (t->heap && loops_is_heap(s));
    case LOOP_CALL: return is_atomic_of_device(t, s);
    default: return false;
    }
}

// Whether a kernel can get the memory of this name as an array.
static bool is_array(const DeviceScope *scope, Sym name)
{
    const LoopParam *p = map_get(&scope->params, MAP_KEY(name));
    Node *decl = map_get(&scope->decls, MAP_KEY(name));
    int64_t at;
    if (p) return !p->strides && (!p->record || loops_is_record_array(p));
    if (decl && decl->kind == LOOP_POINTER) return nat_is_const(decl->op[1]->op[0], &at) && at == 0;
    return decl != NULL;
}

static Walk find_other(Node *n, void *env)
{
    Suits *t = env;
    if (node_is_size_or_type(n)) return WALK_OVER;
    bool fits = !(n->type && n->type->kind == TYPE_VEC) &&
                !(loops_is_stmt(n) && !is_for_items(t, n)) &&
                !(loops_names_buffer(n) && !is_array(t->scope, n->attr.sym));
    if (fits) return WALK_INTO;
    t->found = n;
    return WALK_STOP;
}

Node *device_obstacle(const DeviceScope *scope, Node *loop, bool heap)
{
    Arena *arena = scope->cx->arena;
    Suits t = {scope, heap, map_new(arena), map_new(arena), map_new(arena), NULL};
    loops_bound(loop, &t.inside);
    if (loops_has(loop, IS_CALL) && device_group_size(scope->cx, loop) > 0)
        t.shared = device_group(scope->cx, loops_body(loop)).shared;
    if (loops_leaves(loops_body(loop))) return loop; // each iteration fails
    node_walk_once(&t.seen, loop, find_other, &t);
    return t.found;
}

bool device_can_run(const DeviceScope *scope, Node *loop, bool heap)
{
    return !device_obstacle(scope, loop, heap);
}

typedef struct {
    Session *cx;
    DeviceVisit *visit;
    void *env;
} Visit;

static Node *visit_loops(void *env, Node *s)
{
    const Visit *v = env;
    return s->kind == LOOP_PARALLEL ? v->visit(v->env, s) : loops_map(v->cx, s, visit_loops, env);
}

Node *device_loops(Session *cx, Node *stmt, DeviceVisit *visit, void *env)
{
    Visit v = {cx, visit, env};
    return visit_loops(&v, stmt);
}
