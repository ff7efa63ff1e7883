// Scalar replacement of aggregates: small stack arrays that are accessed at constant positions
// become locals, one for each element, so that values stay in registers and dead stores vanish.
//
// An array is replaced if it has at most MAX_ELEMENTS elements, all positions in it are constant,
// including those in short loops (which are unrolled), and each element is assigned before it is
// read. If an array of at least MIN_VECTOR elements has fewer accesses outside such loops than
// elements, it is left to vectorisation. The exception is an array within which a loop copies
// elements, as in a sliding window: in registers, such copies cost nothing.
#include "loops/simplify/simplify.h"

enum { MAX_ELEMENTS = 16, MIN_VECTOR = 4, MAX_TIMES = 16, MAX_UNROLLED = 1000 };

typedef struct {
    Session *cx;
    Sym buffer;
    Node *type;
    int64_t count;
    Sym locals[MAX_ELEMENTS]; // NULL if not declared yet
    int accesses;             // number of accesses outside loops that would be unrolled
    int loops;                // number of loops that enclose the current node
    bool moves;               // a loop copies elements within the array
    uint32_t uninitialised;   // mask of elements that the first stores do not initialise
    uint32_t reassigned;      // mask of elements that later stores assign again
    bool fits;
    Map seen; // visited expressions
} Scalars;

static bool is_of(const Scalars *x, Node *n)
{
    return (n->kind == LOOP_LOAD || n->kind == LOOP_STORE) && n->attr.sym == x->buffer;
}

static bool mentions(const Scalars *x, Node *n)
{
    return loops_mentions(n, x->buffer);
}

static bool is_element(const Scalars *x, Node *position, int64_t *element)
{
    return nat_is_const(position, element) && *element >= 0 && *element < x->count;
}

// --- short loops --------------------------------------------------------------------------------

static bool is_choice(Node *n, void *env)
{
    (void)env;
    return n->kind == LOOP_IF || n->kind == LOOP_SELECT;
}

// The trip count of a loop that can be unrolled, or 0. Statements under a condition may be invalid
// in iterations in which the condition does not hold, so loops with conditions are not unrolled.
static int64_t times_to_unroll(const Scalars *x, Node *s)
{
    int64_t from, times = loops_trip_count(x->cx, s);
    if (s->kind != LOOP_FOR || !nat_is_const(loops_from(s), &from)) return 0;
    if (times < 1 || times > MAX_TIMES) return 0;
    int weight = loops_weight(loops_body(s), MAX_UNROLLED);
    bool short_enough = weight * times <= MAX_UNROLLED;
    return short_enough && loops_is_straight(loops_body(s)) &&
                   !node_any(loops_body(s), is_choice, NULL)
               ? times
               : 0;
}

// --- whether to replace -------------------------------------------------------------------------

static void visit(Scalars *x, Node *n, bool unrolled)
{
    int64_t element;
    if (!x->fits || n->nops == 0) return;
    if (node_is_size_or_type(n)) return;
    if (!loops_is_stmt(n)) {
        if (map_get(&x->seen, MAP_KEY(n))) return;
        map_put(&x->seen, MAP_KEY(n), x);
    }
    if (is_of(x, n)) {
        x->fits = is_element(x, n->op[0], &element);
        x->accesses += !unrolled;
        if (n->kind == LOOP_STORE && x->fits) x->reassigned |= (uint32_t)1 << element;
        x->moves |=
            x->loops && n->kind == LOOP_STORE && n->op[1]->kind == LOOP_LOAD && is_of(x, n->op[1]);
    }
    if (n->kind == LOOP_ADDRESS && n->attr.sym == x->buffer) x->fits = false;
    if ((loops_is_lockstep(n) || n->kind == LOOP_SPAWN) && mentions(x, n)) x->fits = false;
    int64_t times = times_to_unroll(x, n);
    if (times && mentions(x, n)) {
        for (int64_t k = 0; k < times && x->fits; k++)
            visit(x, loops_iteration_number(x->cx, n, k), true);
        return;
    }
    x->loops += n->kind == LOOP_FOR;
    for (uint32_t i = 0; i < n->nops; i++) visit(x, n->op[i], unrolled);
    x->loops -= n->kind == LOOP_FOR;
}

typedef struct {
    const Scalars *x;
    uint32_t set;
} SetElements;

static bool is_unset(Node *n, void *env)
{
    const SetElements *s = env;
    int64_t element;
    if (n->kind != LOOP_LOAD || !is_of(s->x, n)) return false;
    return !is_element(s->x, n->op[0], &element) || !(s->set >> element & 1);
}

static bool reads_unset(const Scalars *x, Node *n, uint32_t set)
{
    return node_any(n, is_unset, &(SetElements){x, set});
}

// Marks the element that a store initialises. Returns false if the statement is not such a store.
static bool sets(const Scalars *x, Node *s, uint32_t *set)
{
    int64_t element;
    if (s->kind != LOOP_STORE || !is_of(x, s) || !is_element(x, s->op[0], &element)) return false;
    if (reads_unset(x, s->op[1], *set)) return false;
    *set |= (uint32_t)1 << element;
    return true;
}

// Like `sets`, for the first stores. Records a second one to the same element as a reassignment.
static bool initialises(Scalars *x, Node *s, uint32_t *set)
{
    uint32_t before = *set;
    int64_t element;
    if (!sets(x, s, set)) return false;
    if (*set == before && is_element(x, s->op[0], &element))
        x->reassigned |= (uint32_t)1 << element;
    return true;
}

static bool is_set_before_read(const Scalars *x, Node *s, uint32_t *set);

static bool all_set_before_read(const Scalars *x, Node *const *stmts, int n, uint32_t *set)
{
    for (int i = 0; i < n; i++)
        if (!is_set_before_read(x, stmts[i], set)) return false;
    return true;
}

// Definite assignment in a loop. What the loop assigns counts only if it can be unrolled, since it
// may otherwise have no iterations.
static bool loop_sets_before_read(const Scalars *x, Node *s, uint32_t *set)
{
    int64_t times = times_to_unroll(x, s);
    uint32_t inside = *set;
    for (int64_t k = 0; k < times; k++)
        if (!is_set_before_read(x, loops_iteration_number(x->cx, s, k), set)) return false;
    return times > 0 || is_set_before_read(x, loops_body(s), &inside);
}

// Definite assignment: whether every element that the statement reads has a value by then, either
// because it is in `set` or because the statement itself assigns it first. Adds to `set` the
// elements that the statement certainly assigns.
static bool is_set_before_read(const Scalars *x, Node *s, uint32_t *set)
{
    if (!mentions(x, s)) return true;
    uint32_t then = *set, otherwise = *set;
    switch ((Kind)s->kind) {
    case LOOP_BLOCK: return all_set_before_read(x, s->op, (int)s->nops, set);
    case LOOP_FOR: return loop_sets_before_read(x, s, set);
    case LOOP_IF:
        if (reads_unset(x, s->op[0], *set) || !is_set_before_read(x, s->op[1], &then) ||
            !is_set_before_read(x, s->op[2], &otherwise))
            return false;
        *set = then & otherwise;
        return true;
    case LOOP_STORE: return is_of(x, s) ? sets(x, s, set) : !reads_unset(x, s->op[1], *set);
    case LOOP_DECL:
    case LOOP_SET:
    case LOOP_CHECK: return !reads_unset(x, s, *set);
    default: return false;
    }
}

static uint32_t all_of(const Scalars *x)
{
    return (uint32_t)((UINT64_C(1) << x->count) - 1);
}

// Skips the first statements that mention the array as long as they only initialise its elements.
// Returns the index of the statement after them.
static uint32_t skip_initialisation(Scalars *x, Node *block, uint32_t at, uint32_t *set)
{
    uint32_t i = at + 1;
    for (*set = 0; i < block->nops && *set != all_of(x); i++) {
        Node *s = block->op[i];
        if (!mentions(x, s)) continue;
        int64_t times = times_to_unroll(x, s);
        uint32_t more = *set;
        bool good = times > 0 || initialises(x, s, &more);
        for (int64_t k = 0; k < times && good; k++)
            good = initialises(x, loops_iteration_number(x->cx, s, k), &more);
        if (!good) break;
        *set = more;
    }
    return i;
}

static bool can_be_locals(Scalars *x, Node *block, uint32_t at)
{
    Node *alloc = block->op[at];
    Scalar s;
    if (alloc->kind != LOOP_ALLOC || alloc->variant != VARIANT_STACK || loops_table(block, at))
        return false;
    if (!nat_is_const(alloc->op[1], &x->count) || x->count < 1 || x->count > MAX_ELEMENTS)
        return false;
    if (!type_is_scalar(alloc->op[0], &s)) return false;
    x->buffer = alloc->attr.sym;
    x->type = alloc->op[0];
    uint32_t set, begin = skip_initialisation(x, block, at, &set);
    x->uninitialised = all_of(x) & ~set;
    x->fits = true;
    for (uint32_t i = begin; i < block->nops; i++) visit(x, block->op[i], false);
    if (x->uninitialised) // a sliding window gets these elements in its first iteration
        x->fits = x->fits && x->moves &&
                  all_set_before_read(x, block->op + begin, (int)(block->nops - begin), &set);
    return x->fits && (x->moves || x->count < MIN_VECTOR || x->accesses >= x->count);
}

// --- replacing ----------------------------------------------------------------------------------

static Node *replaced(Session *cx, Node *n, int depth, void *env)
{
    (void)depth;
    Scalars *x = env;
    if (n->nops == 0 || node_is_size_or_type(n)) return n;
    if (loops_is_stmt(n) && !mentions(x, n)) return n;
    int64_t times = times_to_unroll(x, n);
    if (times) {
        Stmts out = {0};
        for (int64_t k = 0; k < times; k++)
            vec_push(cx->arena, &out, replaced(cx, loops_iteration_number(cx, n, k), 0, x));
        return loops_block(cx, out.len, out.at);
    }
    Node *done = node_map(cx, n, 0, replaced, x);
    if (!is_of(x, n)) return done;
    int64_t element = n->op[0]->attr.i;
    Sym local = x->locals[element];
    if (n->kind == LOOP_STORE) return loops_set(cx, local, done->op[1], n->origin);
    // an i64 local that is never reassigned is a size
    bool size = x->type == type_scalar(cx, SCALAR_I64) &&
                !((x->reassigned | x->uninitialised) >> element & 1);
    return size ? core_size(cx, nat_var(cx, local)) : loops_local(cx, local, x->type);
}

// Appends a rewritten statement. The first store to an element declares its local.
static void put(Scalars *x, Stmts *out, Node *s)
{
    if (s->kind == LOOP_STORE && is_of(x, s) && !x->locals[s->op[0]->attr.i]) {
        Node *value = replaced(x->cx, s->op[1], 0, x);
        Sym name = x->locals[s->op[0]->attr.i] = sym_fresh(x->cx->syms, x->buffer->text);
        vec_push(x->cx->arena, out, loops_decl(x->cx, name, x->type, value, s->origin));
        return;
    }
    int64_t times = mentions(x, s) ? times_to_unroll(x, s) : 0;
    for (int64_t k = 0; k < times; k++) put(x, out, loops_iteration_number(x->cx, s, k));
    if (times == 0) vec_push(x->cx->arena, out, replaced(x->cx, s, 0, x));
}

static void declare_uninitialised(Scalars *x, Stmts *out, Node *alloc)
{
    Session *cx = x->cx;
    Node *nothing = core_tuple(cx, 0, NULL, type_tuple(cx, 0, NULL));
    for (int k = 0; k < x->count; k++) {
        if (!(x->uninitialised >> k & 1)) continue;
        x->locals[k] = sym_fresh(cx->syms, x->buffer->text);
        vec_push(cx->arena, out, loops_decl(cx, x->locals[k], x->type, nothing, alloc->origin));
    }
}

static Node *without_array(Scalars *x, Node *block, uint32_t at)
{
    Stmts out = {0};
    for (uint32_t i = 0; i < block->nops; i++)
        if (i < at)
            vec_push(x->cx->arena, &out, block->op[i]);
        else if (i == at)
            declare_uninitialised(x, &out, block->op[i]);
        else
            put(x, &out, block->op[i]);
    return loops_block(x->cx, out.len, out.at);
}

static Node *scalars(void *env, Node *s)
{
    Session *cx = env;
    s = loops_map(cx, s, scalars, cx);
    for (uint32_t i = 0; s->kind == LOOP_BLOCK && i < s->nops;) {
        Scalars x = {.cx = cx, .seen = map_new(cx->arena)};
        if (can_be_locals(&x, s, i))
            s = without_array(&x, s, i);
        else
            i++;
    }
    return s;
}

static LoopEntry *scalars_entry(Session *cx, const LoopEntry *e)
{
    return loops_with_body(cx, e, scalars(cx, e->body));
}

LoopEntry *loops_sroa(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, scalars_entry);
}
