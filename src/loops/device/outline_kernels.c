// Makes a function of each outermost parallel loop that a device can run: a kernel, whose body is
// the loop. It takes the scalars and arrays that the loop mentions; arrays are those of the host,
// and the C code around the kernel takes care that the device has their elements.
#include "loops/device/device.h"

enum { MOST_ARGUMENTS = 60 }; // of a kernel, sizes included

typedef struct {
    Session *cx;
    DeviceScope scope;
    LoopEntry *done; // gets the kernels as callees
    Map changed;     // names of locals that change
} Outline;

/// A kernel that is being made.
typedef struct {
    Outline *o;
    Map inside; // names that the loop binds
    Map names;  // names that it takes from outside, each once
    Map memory; // the arrays among them
    Map shared; // those of its groups
    VEC(Sym) order;
    Stmts tables; // constant tables among them, which the kernel declares itself
    LoopEntry *kernel;
    Stmts arguments;
    bool local; // the current statement is in a parallel loop of a group
} Kernel;

// --- what a loop mentions -----------------------------------------------------------------------

static void note_name(Sym name, void *env)
{
    Kernel *k = env;
    if (map_get(&k->inside, MAP_KEY(name)) || map_get(&k->names, MAP_KEY(name))) return;
    map_put(&k->names, MAP_KEY(name), k);
    vec_push(k->o->cx->arena, &k->order, name);
}

static void note_access(Node *access, void *env)
{
    note_name(access->attr.sym, env);
}

static Node *decl_of(const Outline *o, Sym name)
{
    return map_get(&o->scope.decls, MAP_KEY(name));
}

// The number of elements of the memory of this name.
static Node *count_of(const Outline *o, Sym name)
{
    const LoopParam *p = map_get(&o->scope.params, MAP_KEY(name));
    Node *decl = decl_of(o, name);
    if (p) return p->count;
    return decl->kind == LOOP_POINTER ? count_of(o, decl->op[1]->attr.sym) : decl->op[1];
}

static bool is_memory(const Outline *o, Sym name)
{
    const LoopParam *p = map_get(&o->scope.params, MAP_KEY(name));
    Node *decl = decl_of(o, name);
    if (p) return p->rank > 0 || p->output || p->both;
    return decl && (decl->kind == LOOP_ALLOC || decl->kind == LOOP_POINTER);
}

// Finds the names from outside, those in the lengths of arrays included.
static void find_names(Kernel *k, Node *loop)
{
    Map seen = map_new(k->o->cx->arena);
    loops_bound(loop, &k->inside);
    loops_reads(k->o->cx, loop, &seen, note_name, k);
    seen = map_new(k->o->cx->arena);
    loops_accesses(loop, &seen, note_access, k);
    seen = map_new(k->o->cx->arena);
    for (int i = 0; i < k->order.len; i++)
        if (is_memory(k->o, k->order.at[i]))
            loops_reads(k->o->cx, count_of(k->o, k->order.at[i]), &seen, note_name, k);
}

// --- parameters ---------------------------------------------------------------------------------

static void add_scalar(Kernel *k, Sym name, Node *type)
{
    Session *cx = k->o->cx;
    LoopParam p = {.name = name, .count = nat_const(cx, 1)};
    if (!type_is_scalar(type, &p.scalar)) p.scalar = SCALAR_I64;
    bool integer = p.scalar == SCALAR_I64 && !map_get(&k->o->changed, MAP_KEY(name));
    vec_push(cx->arena, &k->kernel->params, p);
    vec_push(cx->arena, &k->arguments,
             integer ? core_size(cx, nat_var(cx, name))
                     : loops_local(cx, name, type_scalar(cx, p.scalar)));
}

// The line of the workspace where the array begins, or NULL.
static Node *line_of(const Outline *o, Sym name)
{
    Node *decl = decl_of(o, name);
    return decl && loops_is_placed(decl) ? decl->op[2] : NULL;
}

// Whether another array of the kernel begins where this one does: a loop may store one over the
// other.
static bool overlaps(const Kernel *k, Sym name)
{
    Node *line = line_of(k->o, name);
    for (int i = 0; line && i < k->order.len; i++)
        if (k->order.at[i] != name && line_of(k->o, k->order.at[i]) == line) return true;
    return false;
}

static void add_memory(Kernel *k, Sym name, Node *loop)
{
    Session *cx = k->o->cx;
    const LoopParam *old = map_get(&k->o->scope.params, MAP_KEY(name));
    LoopParam p = {.name = name, .count = count_of(k->o, name), .rank = 1};
    if (old) {
        p.scalar = old->scalar;
    } else {
        bool known = type_is_scalar(decl_of(k->o, name)->op[0], &p.scalar);
        if (!known) p.scalar = SCALAR_I64; // an index
    }
    p.overlaps = overlaps(k, name);
    p.both = loops_has_named(loop, IS_STORE | IS_ADDRESS, name);
    p.dims = ARENA_ARRAY(cx->arena, Node *, 1);
    p.dims[0] = p.count;
    map_put(&k->memory, MAP_KEY(name), k);
    vec_push(cx->arena, &k->kernel->params, p);
    vec_push(cx->arena, &k->arguments, loops_address(cx, name, nat_const(cx, 0)));
}

// Adds parameters for the names: first the scalars, which lengths of arrays may mention. Sizes of
// the entry need none.
static void add_params(Kernel *k, Node *loop)
{
    const Outline *o = k->o;
    Node *integer = type_scalar(o->cx, SCALAR_I64); // of an index
    for (int i = 0; i < k->order.len; i++) {
        Sym name = k->order.at[i];
        const LoopParam *p = map_get(&o->scope.params, MAP_KEY(name));
        Node *decl = decl_of(o, name);
        if (is_memory(o, name)) continue;
        if (decl && decl->kind == LOOP_TABLE)
            vec_push(o->cx->arena, &k->tables, decl);
        else if (p)
            add_scalar(k, name, type_scalar(o->cx, p->scalar));
        else if (decl)
            add_scalar(k, name, decl->kind == LOOP_DECL ? decl->op[0] : integer);
    }
    for (int i = 0; i < k->order.len; i++)
        if (is_memory(o, k->order.at[i])) add_memory(k, k->order.at[i], loop);
}

// --- the loop -----------------------------------------------------------------------------------

static bool is_same_element(Node *value, Node *store)
{
    return value->kind == LOOP_LOAD && value->attr.sym == store->attr.sym &&
           value->op[0] == store->op[0];
}

// A store that leaves an element as it is, unless a condition holds, is one under the condition:
// another work-item may read the element.
static Node *under_condition(Session *cx, Node *store)
{
    Node *value = store->op[1], *nothing = loops_block(cx, 0, NULL);
    bool then = value->kind == LOOP_SELECT && is_same_element(value->op[2], store);
    bool otherwise = value->kind == LOOP_SELECT && is_same_element(value->op[1], store);
    if (!then && !otherwise) return store;
    Node *some = node_with_op(cx, store, 1, value->op[then ? 1 : 2]);
    return loops_if(cx, value->op[0], then ? some : nothing, then ? nothing : some, store->origin);
}

// A parallel loop of a group stays parallel; those in it, and in kernels without groups, run in
// order.
static Node *in_order(void *env, Node *s)
{
    Kernel *k = env;
    Session *cx = k->o->cx;
    bool group = s->kind == LOOP_PARALLEL && k->kernel->group > 0 && !k->local;
    if (s->kind == LOOP_STORE) return under_condition(cx, s);
    if (s->kind == LOOP_VECTORIZE) s = device_neighbours(cx, s, &k->memory, &k->shared);
    if (s->kind == LOOP_PARALLEL && !group) s = loops_sequential(cx, s);
    k->local |= group;
    s = loops_map(cx, s, in_order, k);
    k->local &= !group;
    return s;
}

// In the kernel, integers from outside never change.
static Node *in_kernel(Session *cx, Node *n, void *env)
{
    const Kernel *k = env;
    Scalar s;
    bool outside = n->kind == LOOP_VAR && map_get(&k->names, MAP_KEY(n->attr.sym));
    if (!outside || !type_is_scalar(n->type, &s) || s != SCALAR_I64) return n;
    return core_size(cx, nat_var(cx, n->attr.sym));
}

static Node *kernel_body(Kernel *k, Node *loop)
{
    Session *cx = k->o->cx;
    Node *all = core_int(cx, type_scalar(cx, SCALAR_I32), 0);
    Node *body = node_rewrite(cx, in_order(k, loops_body(loop)), in_kernel, k);
    if (k->kernel->group > 0) {
        body = device_with_branches_alone(cx, device_with_failures(cx, body));
        body = device_with_barriers(cx, body);
        if (k->kernel->device == DEVICE_OPENCL) body = device_with_last_barriers(cx, body);
    }
    Stmts out = k->tables;
    vec_push(cx->arena, &out,
             loops_loop(cx, LOOP_PARALLEL, loop->attr.sym, all, loops_from(loop), loops_to(loop),
                        body, loop->origin));
    return loops_block(cx, out.len, out.at);
}

static Node *on_host(Outline *o, Node *loop, const char *why)
{
    device_stays(o->cx, o->done, loop, why);
    return loop;
}

static bool is_local(Node *s, void *env)
{
    (void)env;
    return s->kind == LOOP_PARALLEL;
}

static void note_kernel(Outline *o, Node *loop, const LoopEntry *kernel, bool warns)
{
    Arena *arena = o->cx->arena;
    const char *by = "one work-item";
    if (kernel->group > 0) {
        by = arena_printf(arena, "a group of %d work-items", kernel->group);
    } else if (loops_any(loops_body(loop), is_local, NULL)) {
        const char *why = device_why_alone(o->cx, loop);
        by = arena_printf(arena, "one work-item: %s", why);
        if (warns && loops_must_be_kernel(loop))
            diag_warning(o->cx, E0823, loop->origin,
                         "one work-item runs each iteration, not a group: %s", why);
    }
    loops_note_choice(o->cx, o->done, loop, "kernel",
                      arena_printf(arena, "%s: an iteration is run by %s", kernel->name->text, by));
}

static bool is_for_mma(Node *s, void *env)
{
    (void)env;
    return s->kind == LOOP_FOR && s->variant == VARIANT_MMA;
}

// Records for `adze explain` which loops with the variant mma are instructions for matrices.
static void note_mma(Outline *o, Node *loop, const LoopEntry *kernel)
{
    if (!loops_any(loop, is_for_mma, NULL)) return;
    Session *cx = o->cx;
    Map found = map_new(cx->arena);
    if (kernel->group > 0 && kernel->device == DEVICE_CUDA) {
        DeviceGroup g = device_group(cx, loops_body(loop));
        found = device_mma(cx, &g, device_with_private(cx, &g, loops_body(loop)));
    }
    Stmts loops = loops_all(cx, loop, IS_COUNTED);
    for (int i = 0; i < loops.len; i++) {
        Node *l = loops.at[i];
        bool is_found = map_get(&found, MAP_KEY(l->attr.sym)) != NULL;
        if (is_for_mma(l, NULL))
            loops_note_choice(cx, o->done, l, is_found ? "mma" : "loop",
                              is_found ? "a warp executes one instruction for matrices"
                                       : "its sums are not those of an instruction for matrices");
    }
}

// Returns the call of a new kernel that replaces the loop.
static Node *outlined(void *env, Node *loop)
{
    Outline *o = env;
    Session *cx = o->cx;
    const char *why = device_why_on_host(&o->scope, loop);
    if (why) return on_host(o, loop, why);
    LoopEntry *kernel = ARENA_NEW(cx->arena, LoopEntry);
    const LoopEntry *entry = o->scope.entry;
    *kernel = (LoopEntry){
        .name = sym_fresh(cx->syms, arena_printf(cx->arena, "%s_kernel", entry->name->text)),
        .span = loop->origin,
        .kernel = true,
        .group = device_group_size(cx, loop),
        .device = entry->device,
        .planned = true,
        .result = type_tuple(cx, 0, NULL),
        .sizes = entry->sizes,
        .helpers = entry->helpers,
        .checks = entry->checks,
        .folded = o->scope.f->folded,
        .naturals = o->scope.f->naturals,
    };
    Kernel k = {.o = o,
                .inside = map_new(cx->arena),
                .names = map_new(cx->arena),
                .memory = map_new(cx->arena),
                .shared = map_new(cx->arena),
                .kernel = kernel};
    if (kernel->group > 0) k.shared = device_group(cx, loops_body(loop)).shared;
    find_names(&k, loop);
    add_params(&k, loop);
    if (entry->sizes.len + k.arguments.len > MOST_ARGUMENTS)
        return on_host(o, loop, "it needs more than 60 sizes, numbers and arrays");
    note_kernel(o, loop, kernel, device_check_shared(cx, loop));
    note_mma(o, loop, kernel);
    kernel->body = kernel_body(&k, loop);
    vec_push(cx->arena, &o->done->callees, kernel);
    return loops_stmt(cx, LOOP_CALL, kernel->name, k.arguments.len, k.arguments.at, loop->origin);
}

// --- functions ----------------------------------------------------------------------------------

/// The functions that must not launch kernels: those that several threads of the host may run, and
/// those that get parts of arrays, since the device has copies of whole ones.
typedef struct {
    const LoopEntry *entry;
    Map names;    // of these functions; why, as a text
    bool threads; // the current statement may run on several threads
} Excluded;

static void exclude(Excluded *x, Node *s);

static void exclude_called(Excluded *x, Sym name)
{
    static const char threads_run_it[] = "several threads may run the function that it is in",
                      gets_parts[] = "the function that it is in gets a part of an array";
    const LoopEntry *f = loops_callee(x->entry, name);
    if (map_get(&x->names, MAP_KEY(name))) return;
    map_put(&x->names, MAP_KEY(name),
            (void *)(uintptr_t)(x->threads ? threads_run_it : gets_parts));
    bool threads = x->threads;
    x->threads = true;
    if (f && f->body) exclude(x, f->body);
    x->threads = threads;
}

static bool passes_parts(Node *call)
{
    int64_t at;
    for (uint32_t i = 0; i < call->nops; i++)
        if (call->op[i]->kind == LOOP_ADDRESS &&
            !(nat_is_const(call->op[i]->op[0], &at) && at == 0))
            return true;
    return false;
}

static void exclude(Excluded *x, Node *s)
{
    bool threads = x->threads;
    x->threads |= s->kind == LOOP_PARALLEL || s->kind == LOOP_SPAWN;
    if (s->kind == LOOP_CALL && (x->threads || passes_parts(s))) exclude_called(x, s->attr.sym);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) exclude(x, s->op[i]);
    x->threads = threads;
}

// Removes the constant tables that only kernels use.
static Node *without_tables(void *env, Node *s)
{
    Outline *o = env;
    Stmts kept = {0};
    s = loops_map(o->cx, s, without_tables, o);
    if (s->kind != LOOP_BLOCK) return s;
    for (uint32_t i = 0; i < s->nops; i++) {
        bool used = s->op[i]->kind != LOOP_TABLE;
        for (uint32_t k = i + 1; k < s->nops && !used; k++)
            used = loops_uses(o->cx, s->op[k], s->op[i]->attr.sym);
        if (used) vec_push(o->cx->arena, &kept, s->op[i]);
    }
    return kept.len == (int)s->nops ? s : loops_block(o->cx, kept.len, kept.at);
}

static LoopEntry *outline(Session *cx, const LoopEntry *entry, const LoopEntry *f, LoopEntry *done)
{
    Outline o = {cx, device_scope(cx, entry, f), done, map_new(cx->arena)};
    loops_changed(f->body, &o.changed);
    Node *body = device_loops(cx, f->body, outlined, &o);
    return loops_with_body(cx, f, without_tables(&o, body));
}

// Whether tasks may run beside the rest of the program: what the device has copies of is known to
// one thread.
static bool has_tasks(const LoopEntry *e)
{
    bool any = loops_has(e->body, IS_TASK);
    for (int i = 0; i < e->callees.len && !any; i++)
        any = e->callees.at[i]->body && loops_has(e->callees.at[i]->body, IS_TASK);
    return any;
}

static LoopEntry *on_host_beside_tasks(Session *cx, const LoopEntry *e, LoopEntry *done)
{
    static const char why[] = "tasks may run beside it";
    device_note_on_host(cx, done, e, why);
    for (int i = 0; i < e->callees.len; i++) device_note_on_host(cx, done, e->callees.at[i], why);
    return done;
}

static LoopEntry *outline_all(Session *cx, const LoopEntry *e)
{
    LoopEntry *done = loops_with_body(cx, e, e->body);
    if (has_tasks(e)) return on_host_beside_tasks(cx, e, done);
    Excluded x = {e, map_new(cx->arena), false};
    exclude(&x, e->body);
    for (int i = 0; i < e->callees.len; i++)
        if (e->callees.at[i]->body) exclude(&x, e->callees.at[i]->body);
    done->callees.len = done->callees.cap = 0;
    for (int i = 0; i < e->callees.len; i++) {
        const LoopEntry *f = e->callees.at[i];
        const char *why = map_get(&x.names, MAP_KEY(f->name));
        if (why) device_note_on_host(cx, done, f, why);
        vec_push(cx->arena, &done->callees,
                 f->body && !why ? outline(cx, e, f, done) : loops_with_body(cx, f, f->body));
    }
    done->body = outline(cx, e, e, done)->body;
    return done;
}

LoopEntry *loops_outline_kernels(Session *cx, const LoopEntry *e)
{
    if (!e->device) return loops_with_body(cx, e, e->body);
    LoopEntry *done = outline_all(cx, e);
    device_check_host(cx, done, done);
    for (int i = 0; i < done->callees.len; i++)
        if (done->callees.at[i]->body && !done->callees.at[i]->kernel)
            device_check_host(cx, done, done->callees.at[i]);
    return done;
}
