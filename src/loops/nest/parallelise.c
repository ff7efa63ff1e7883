// Runs loops on threads whose iterations are independent. Only loops take part that may run there:
// those of an imperative program under the default schedule, those that a program or schedule says
// so of (range.par), and the copies of arrays beside them. Each iteration must write rows of its
// own: all stores to an array are to the row whose number is the loop's index, and each load of
// such an array is from the same row, or from a row that no iteration writes. A vector is an array
// whose rows are single elements. If all iterations read one row, which only iteration k writes,
// the index set is split around k:
//
//   for i in 0 .. n             for i in parallel(0, k)      a[i] = f(a[i], a[k])
//       a[i] = f(a[i], a[k])    a[k] = f(a[k], a[k])
//                               for i in parallel(k + 1, n)  a[i] = f(a[i], a[k])
//
// For a device, which has more work-items than a processor has threads, all loops take part whose
// order nobody chose, but for those of a few iterations. Loops directly inside a parallel one
// become parallel, too.
#include "loops/device/device.h"
#include "loops/nest/nest.h"

enum {
    MAX_SPLIT = 200, // maximum weight of a body that is copied to split the index set
    FEW = 16         // a device does not run a loop that is known to have fewer iterations
};

typedef struct {
    Session *cx;
    Simplifier known;
    LoopEntry *entry;
    int depth; // the number of loops around the visited statement
} Parallelise;

/// The test of one loop.
typedef struct {
    Session *cx;
    Simplifier *known;
    Node *loop;
    Map bound;       // set of the names that the loop binds
    Map rows;        // Sym of an array that the loop writes -> the number of elements of a row
    Map bases;       // Sym of such an array -> the row that iteration 0 accesses
    Map others;      // set of arrays with accesses to other rows, so that this must be row 0
    Node *shared;    // the only row that one iteration writes and the others read, or NULL
    Sym read;        // the first array whose row `shared` they read
    const char *why; // why iterations may depend on each other, or NULL
} Independence;

static void refuse(Independence *t, const char *format, Sym name)
{
    if (!t->why) t->why = arena_printf(t->cx->arena, format, name->text);
}

static const char read_elsewhere[] = "%s is read in rows that other iterations may write";

// --- accesses -----------------------------------------------------------------------------------

// Finds the rows of the arrays that the loop writes. Where the index is known to be a number, as in
// the first iteration, a store may be at a position without the index: of the others, if there are
// any.
static void find_rows(Independence *t)
{
    Session *cx = t->cx;
    Stmts stores = loops_all(cx, loops_body(t->loop), IS_STORE), fixed = {0};
    for (int i = 0; i < stores.len; i++) {
        Sym array = stores.at[i]->attr.sym;
        if (map_get(&t->bound, MAP_KEY(array))) continue;
        if (!nat_occurs(stores.at[i]->op[0], nat_var(cx, t->loop->attr.sym))) {
            vec_push(cx->arena, &fixed, stores.at[i]);
            continue;
        }
        Node *row = loops_stride(cx, stores.at[i]->op[0], t->loop->attr.sym);
        Node *other = map_get(&t->rows, MAP_KEY(array));
        if (!row || (other && other != row)) refuse(t, "%s is not written by rows", array);
        if (row) map_put(&t->rows, MAP_KEY(array), (void *)(uintptr_t)row);
    }
    for (int i = 0; i < fixed.len; i++)
        if (!map_get(&t->rows, MAP_KEY(fixed.at[i]->attr.sym)))
            refuse(t, "%s is not written by rows", fixed.at[i]->attr.sym);
}

// Whether no iteration writes the row.
static bool is_outside(const Independence *t, Node *row)
{
    Session *cx = t->cx;
    const Facts *facts = t->known->facts;
    return nat_lt(cx, facts, row, loops_from(t->loop)) == TRUTH_YES ||
           nat_le(cx, facts, loops_to(t->loop), row) == TRUTH_YES;
}

// Whether the row is the same in all iterations, and no other such row is read.
static bool is_shared(Independence *t, Sym array, Node *row)
{
    Session *cx = t->cx;
    if (t->shared) return t->shared == row;
    if (loops_reads_any(cx, core_size(cx, row), &t->bound) ||
        loops_weight(loops_body(t->loop), MAX_SPLIT) >= MAX_SPLIT)
        return false;
    t->shared = row;
    t->read = array;
    return true;
}

static bool is_equal(const Independence *t, Node *a, Node *b)
{
    const Facts *facts = t->known->facts;
    return a == b ||
           (nat_le(t->cx, facts, a, b) == TRUTH_YES && nat_le(t->cx, facts, b, a) == TRUTH_YES);
}

// Whether each iteration accesses the row that is its index after the same row, which other
// accesses of the array count from, too.
static bool is_from_base(Independence *t, Sym array, Node *base)
{
    Node *other = map_get(&t->bases, MAP_KEY(array));
    if (other) return other == base;
    if (loops_reads_any(t->cx, core_size(t->cx, base), &t->bound)) return false;
    map_put(&t->bases, MAP_KEY(array), (void *)(uintptr_t)base);
    return true;
}

static void check_access(Node *access, void *env)
{
    Independence *t = env;
    Session *cx = t->cx;
    Sym array = access->attr.sym;
    Node *size = map_get(&t->rows, MAP_KEY(array)), *own = nat_var(cx, t->loop->attr.sym);
    RowPosition at;
    if (!size || t->why) return;
    bool plain = access->kind == LOOP_LOAD || access->kind == LOOP_STORE;
    bool known = plain && loops_in_row(cx, t->known->facts, size, access->op[0], &at);
    if (known &&
        is_from_base(t, array,
                     is_equal(t, at.row, own) ? nat_const(cx, 0) : nat_sub(cx, at.row, own)))
        return;
    if (access->kind == LOOP_LOAD && known &&
        (is_outside(t, at.row) || is_shared(t, array, at.row))) {
        map_put(&t->others, MAP_KEY(array), t);
        return;
    }
    refuse(t,
           access->kind == LOOP_LOAD ? read_elsewhere
                                     : "%s is written in rows that other iterations may write",
           array);
}

// Checks the accesses of the statement and of those in it, under the facts that hold there.
static Node *check_accesses(void *env, Node *s)
{
    Independence *t = env;
    Map seen = map_new(t->cx->arena);
    for (uint32_t i = 0; i < s->nops; i++)
        if (!loops_is_stmt(s->op[i])) loops_accesses(s->op[i], &seen, check_access, t);
    if (loops_is_store(s)) check_access(s, t);
    return simplifier_map_branches(t->known, s, check_accesses, t);
}

// --- which loops --------------------------------------------------------------------------------

static void check_locals(Independence *t)
{
    Map changed = map_new(t->cx->arena);
    loops_changed(t->loop, &changed);
    for (int i = 0; i < changed.len; i++)
        if (!map_get(&t->bound, changed.entries[i].key))
            refuse(t, "all iterations change %s", (Sym)(uintptr_t)changed.entries[i].key);
}

// Whether the loop is known to have an iteration with this number.
static bool is_iteration(const Simplifier *known, Node *loop, Node *number)
{
    return nat_le(known->cx, known->facts, loops_from(loop), number) == TRUTH_YES &&
           nat_lt(known->cx, known->facts, number, loops_to(loop)) == TRUTH_YES;
}

// Why the statement keeps the iterations of the loop around it from running at once.
static const char *why_serial(Session *cx, Node *s)
{
    if (s->kind == LOOP_CALL)
        return arena_printf(cx->arena, "each iteration calls %s", core_shown_name(s->attr.sym));
    if (s->kind == LOOP_CHECK)
        return arena_printf(cx->arena, "an iteration may fail: %s",
                            diag_title((DiagCode)s->attr.i));
    if (s->kind == LOOP_JUMP) return "a jump leaves it, or a part of its body";
    if (s->kind == LOOP_FOREVER) return "a loop in it has an unknown number of iterations";
    if (s->kind == LOOP_PARALLEL) return "a loop in it runs in parallel";
    if (s->kind == LOOP_POINTER || s->kind == LOOP_ROTATE)
        return "arrays exchange their memory in it";
    return "it has tasks";
}

// The first statement in the loop that keeps its iterations from running at once, or NULL. An
// iteration that a work-item runs by itself may loop as often as it needs, jump to places in it,
// and fail: of several failures any one is reported.
static Node *serial_statement(Session *cx, Node *loop, LoopsRunner by)
{
    Stmts serial = loops_all(cx, loops_body(loop), IS_SERIAL);
    if (by == LOOPS_BY_LANES) return serial.len > 0 ? serial.at[0] : NULL;
    Stmts labels = loops_all(cx, loops_body(loop), IS_LABEL);
    Map inside = map_new(cx->arena);
    for (int i = 0; i < labels.len; i++) map_put(&inside, MAP_KEY(labels.at[i]->attr.sym), cx);
    for (int i = 0; i < serial.len; i++) {
        Node *s = serial.at[i];
        bool fits = s->kind == LOOP_FOREVER || s->kind == LOOP_CHECK ||
                    (s->kind == LOOP_JUMP && map_get(&inside, MAP_KEY(s->attr.sym)));
        if (!fits) return s;
    }
    return NULL;
}

const char *loops_dependence(Simplifier *known, Node *loop, LoopsRunner by, Node **shared)
{
    Session *cx = known->cx;
    Independence t = {cx,
                      known,
                      loop,
                      map_new(cx->arena),
                      map_new(cx->arena),
                      map_new(cx->arena),
                      map_new(cx->arena),
                      NULL,
                      NULL,
                      NULL};
    Node *serial = serial_statement(cx, loop, by);
    if (serial) return why_serial(cx, serial);
    if (!simplifier_has_lengths(known, loop)) return "its bounds may be any number";
    loops_bound(loop, &t.bound);
    check_locals(&t);
    find_rows(&t);
    Scope outer = simplifier_enter(known);
    simplifier_assume_index(known, loop->attr.sym, loops_from(loop), loops_to(loop));
    if (!t.why) (void)check_accesses(&t, loops_body(loop));
    simplifier_leave(known, outer, NULL);
    for (int i = 0; i < t.others.len; i++) {
        Node *base = map_get(&t.bases, t.others.entries[i].key);
        if (base && base != nat_const(cx, 0))
            refuse(&t, read_elsewhere, (Sym)(uintptr_t)t.others.entries[i].key);
    }
    if (t.shared && !is_iteration(known, loop, t.shared)) refuse(&t, read_elsewhere, t.read);
    *shared = t.shared;
    return t.why;
}

// Whether the loops only copy or fill arrays.
static bool is_copy(Node *s)
{
    if (s->kind == LOOP_STORE) return s->op[1]->kind == LOOP_LOAD || s->op[1]->nops == 0;
    if (s->kind != LOOP_FOR && s->kind != LOOP_BLOCK) return false;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && !is_copy(s->op[i])) return false;
    return true;
}

// Whether the loop may run on threads, and has enough work for that to be worth a test at run time.
// Copies of arrays run where the other loops do, which have their elements in their caches.
static bool is_candidate(Parallelise *p, Node *loop)
{
    if (p->entry->device) {
        int64_t n = loops_trip_count(p->cx, loop);
        return loop->kind == LOOP_FOR && (n < 0 || n >= FEW) &&
               !loops_chosen_by(p->cx, p->entry, loop);
    }
    return loop->kind == LOOP_FOR && loop->variant == VARIANT_ANY &&
           (loops_may_spread(p->entry, loop->origin) ||
            (is_copy(loop) && !loops_chosen_by(p->cx, p->entry, loop))) &&
           (p->depth == 0 || (p->depth == 1 && loops_has_loop(loops_body(loop))));
}

// Whether the program or a schedule says how the loop runs. What the default schedule says of the
// loop around it has the same place in the source.
static bool is_fixed(const Parallelise *p, Node *loop)
{
    return loops_chosen_by(p->cx, p->entry, loop) && !loops_is_by_default(p->entry, loop->origin);
}

// Marks the loops of a nest as parallel. Each iteration computes the locals before them again, so
// they must not depend on what the iterations store.
static Node *with_parallel_nest(Parallelise *p, Node *loop)
{
    Session *cx = p->cx;
    Stmts locals = {0};
    Node *shared, *inner = loops_inner_loop(cx, loop, &locals), *body = loops_body(loop);
    if (!inner || inner->kind != LOOP_FOR || is_fixed(p, inner)) return body;
    for (int i = 0; i < locals.len; i++)
        if (loops_changes_input(cx, inner, locals.at[i])) return body;
    Scope outer = simplifier_enter(&p->known);
    simplifier_assume_index(&p->known, loop->attr.sym, loops_from(loop), loops_to(loop));
    const char *why = loops_dependence(&p->known, inner, LOOPS_BY_WORK_ITEMS, &shared);
    Node *nest = why || shared ? NULL : with_parallel_nest(p, inner);
    simplifier_leave(&p->known, outer, NULL);
    if (!nest) return body;
    nest = node_with_op(cx, inner, (int)inner->nops - 1, nest);
    vec_push(cx->arena, &locals, node_with_variant(cx, nest, VARIANT_PAR));
    return loops_block(cx, locals.len, locals.at);
}

// Marks the independent loops in a statement, outside of other parallel loops and of lanes.
static Node *mark_local(void *env, Node *s)
{
    Parallelise *p = env;
    Node *shared;
    if (loops_is_parallel(s, NULL) || s->kind == LOOP_VECTORIZE) return s;
    bool free = s->kind == LOOP_FOR && !is_fixed(p, s) &&
                !loops_dependence(&p->known, s, LOOPS_BY_LANES, &shared) && !shared;
    if (free && !loops_any(loops_body(s), loops_is_parallel, NULL))
        return node_with_variant(p->cx, s, VARIANT_PAR);
    return simplifier_map(&p->known, s, mark_local, p);
}

// Where a parallel loop has another one in its body, so that a group of work-items runs an
// iteration, the independent ones beside that are for the group, too.
static Node *with_local_loops(Parallelise *p, Node *loop)
{
    Node *body = loops_body(loop);
    if (!loops_any(body, loops_is_parallel, NULL)) return body;
    Scope outer = simplifier_enter(&p->known);
    simplifier_assume_index(&p->known, loop->attr.sym, loops_from(loop), loops_to(loop));
    body = mark_local(p, body);
    simplifier_leave(&p->known, outer, NULL);
    return body;
}

static Node *on_threads(Parallelise *p, Node *loop, Node *from, Node *to)
{
    Session *cx = p->cx;
    Node *all = core_int(cx, type_scalar(cx, SCALAR_I32), 0);
    Node *body = p->entry->device ? with_parallel_nest(p, loop) : loops_body(loop);
    return loops_loop(cx, LOOP_PARALLEL, loop->attr.sym, all, from, to, body, loop->origin);
}

// Splits the index set into what is before k, k, and what is after k.
static Node *split_around(Parallelise *p, Node *loop, Node *k)
{
    Session *cx = p->cx;
    Node *next = nat_add(cx, k, nat_const(cx, 1));
    Node *one = simplify_stmt(&p->known, loops_at(cx, loops_body(loop), loop->attr.sym, k));
    Node *parts[] = {on_threads(p, loop, loops_from(loop), k), loops_copy(cx, one, NULL, NULL),
                     loops_copy(cx, on_threads(p, loop, next, loops_to(loop)), NULL, NULL)};
    return loops_block(cx, 3, parts);
}

static void note_independence(Parallelise *p, Node *loop, const char *why, Node *shared)
{
    const char *parallel = p->entry->device ? "in parallel" : "several threads",
               *serial = p->entry->device ? "on the host" : "one thread";
    loops_note_choice(
        p->cx, p->entry, loop, why ? serial : parallel,
        why ? why
        : shared
            ? "each iteration writes rows of its own; the one whose row all read runs by itself"
            : "each iteration writes rows of its own");
}

// Notes why the loop, if it is one, has no chance of being a kernel.
static void note_on_host(Parallelise *p, Node *s)
{
    Session *cx = p->cx;
    const char *why = NULL, *by = loops_chosen_by(cx, p->entry, s);
    if (s->kind == LOOP_FOREVER)
        why = "the number of iterations is not known before the loop";
    else if (s->kind == LOOP_FOR && by)
        why = arena_printf(cx->arena, "%s chooses the order of its iterations", by);
    else if (s->kind == LOOP_FOR)
        why = arena_printf(cx->arena, "it has fewer than %d iterations", FEW);
    else if (s->kind == LOOP_VECTORIZE)
        why = "it has few iterations, which are lanes";
    if (why) loops_note_choice(cx, p->entry, s, "on the host", why);
}

static Node *lanes_on_device(Parallelise *p, Node *loop)
{
    int64_t lanes, count;
    Node *all = nat_sub(p->cx, loops_to(loop), loops_from(loop));
    bool known = nat_is_const(loop->op[0], &lanes);
    if (known && !(nat_is_const(all, &count) && (count <= lanes || count < 4 * FEW)))
        return loops_lanes_on_device(&p->known, loop);
    note_on_host(p, loop);
    return loop;
}

static Node *parallelise(void *env, Node *s)
{
    Parallelise *p = env;
    if (s->kind == LOOP_PARALLEL && p->entry->device) {
        s = node_with_op(p->cx, s, (int)s->nops - 1, with_parallel_nest(p, s));
        return node_with_op(p->cx, s, (int)s->nops - 1, with_local_loops(p, s));
    }
    if (s->kind == LOOP_VECTORIZE && p->entry->device) return lanes_on_device(p, s);
    if (s->kind == LOOP_PARALLEL || s->kind == LOOP_VECTORIZE || s->kind == LOOP_SPAWN) return s;
    if (is_candidate(p, s)) {
        bool device = p->entry->device;
        Node *shared, *loop = device ? device_without_messages(p->cx, s) : s;
        const char *why = loops_dependence(&p->known, loop,
                                           device ? LOOPS_BY_WORK_ITEMS : LOOPS_BY_LANES, &shared);
        note_independence(p, s, why, shared);
        if (!why && shared) return split_around(p, loop, shared);
        if (!why) return on_threads(p, loop, loops_from(loop), loops_to(loop));
    } else if (p->entry->device) {
        note_on_host(p, s);
    }
    bool loop = loops_is(s, IS_LOOP);
    p->depth += loop;
    s = simplifier_map(&p->known, s, parallelise, p);
    p->depth -= loop;
    return s;
}

static LoopEntry *parallelise_entry(Session *cx, const LoopEntry *e)
{
    LoopEntry *done = loops_with_body(cx, e, e->body);
    if (e->serial || (e->spread.len == 0 && !e->device)) return done;
    Parallelise p = {cx, simplifier_new(cx, e), done, 0};
    done->body = parallelise(&p, e->body);
    return done;
}

LoopEntry *loops_parallelise(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, parallelise_entry);
}
