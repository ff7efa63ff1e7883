// Small arrays whose elements are named one by one become locals, an element each, as a person would
// have written them: then each value is in a register, and what is overwritten without having been
// read is never stored.
//
// An array on the stack is taken apart when it has at most MAX_ELEMENTS, all positions in it are known,
// those in short loops included (these are written out), and each element has a value before it is
// read. At least as many elements have to be named as there are: what only loops go through is left to
// them, and so to vectors. Not so where elements move within the array, as in a window that slides
// along another array: that costs nothing in registers.
#include "loops/simplify/simplify.h"

enum { MAX_ELEMENTS = 16, MAX_ROUNDS = 16, MAX_WRITTEN = 1000 };

typedef struct {
    Session *cx;
    Sym buffer;
    Node *type;
    int64_t count;
    Sym locals[MAX_ELEMENTS]; // NULL: not declared yet
    int named;                // elements, outside of loops that would be written out
    int loops;                // around what is looked at
    bool moves;               // an element becomes another one in each round of a loop
    uint32_t bare;            // elements that get no value before the first other statement
    bool fits;
    Map seen; // expressions
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

// How many rounds a loop has that can be written out, 0: it is none. What is under a condition may
// make no sense in rounds in which that does not hold.
static int64_t rounds_of(const Scalars *x, Node *s)
{
    int64_t from, rounds = loops_trip_count(x->cx, s);
    if (s->kind != LOOP_FOR || !nat_is_const(loops_from(s), &from)) return 0;
    if (rounds < 1 || rounds > MAX_ROUNDS) return 0;
    int weight = loops_weight(loops_body(s), MAX_WRITTEN);
    bool short_enough = weight * rounds <= MAX_WRITTEN;
    return short_enough && loops_is_straight(loops_body(s)) &&
                   !node_any(loops_body(s), is_choice, NULL)
               ? rounds
               : 0;
}

static Node *round_of(const Scalars *x, Node *loop, int64_t k)
{
    return loops_iteration(x->cx, loop, nat_add(x->cx, loops_from(loop), nat_const(x->cx, k)));
}

// --- whether ------------------------------------------------------------------------------------

static void look(Scalars *x, Node *n, bool written_out);

static void look_in_rounds(Scalars *x, Node *loop, int64_t rounds)
{
    for (int64_t k = 0; k < rounds && x->fits; k++) look(x, round_of(x, loop, k), true);
}

static void look(Scalars *x, Node *n, bool written_out)
{
    int64_t element;
    if (!x->fits || n->nops == 0) return;
    if (kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return;
    if (!loops_is_stmt(n)) {
        if (map_get(&x->seen, MAP_KEY(n))) return;
        map_put(&x->seen, MAP_KEY(n), x);
    }
    if (is_of(x, n)) {
        x->fits = is_element(x, n->op[0], &element);
        x->named += !written_out;
        x->moves |=
            x->loops && n->kind == LOOP_STORE && n->op[1]->kind == LOOP_LOAD && is_of(x, n->op[1]);
    }
    if (n->kind == LOOP_ADDRESS && n->attr.sym == x->buffer) x->fits = false;
    if ((loops_is_lockstep(n) || n->kind == LOOP_SPAWN) && mentions(x, n)) x->fits = false;
    int64_t rounds = rounds_of(x, n);
    if (rounds && mentions(x, n)) {
        look_in_rounds(x, n, rounds);
        return;
    }
    x->loops += n->kind == LOOP_FOR;
    for (uint32_t i = 0; i < n->nops; i++) look(x, n->op[i], written_out);
    x->loops -= n->kind == LOOP_FOR;
}

static bool reads_unset(const Scalars *x, Node *n, uint32_t set)
{
    int64_t element;
    if (n->kind == LOOP_LOAD && is_of(x, n))
        return !is_element(x, n->op[0], &element) || !(set >> element & 1);
    for (uint32_t i = 0; i < n->nops; i++)
        if (reads_unset(x, n->op[i], set)) return true;
    return false;
}

// Notes the element that a store sets; false when the statement is no such store.
static bool sets(const Scalars *x, Node *s, uint32_t *set)
{
    int64_t element;
    if (s->kind != LOOP_STORE || !is_of(x, s) || !is_element(x, s->op[0], &element)) return false;
    if (reads_unset(x, s->op[1], *set)) return false;
    *set |= (uint32_t)1 << element;
    return true;
}

static bool is_set_before_read(const Scalars *x, Node *s, uint32_t *set);

static bool all_set_before_read(const Scalars *x, Node *const *stmts, int n, uint32_t *set)
{
    for (int i = 0; i < n; i++)
        if (!is_set_before_read(x, stmts[i], set)) return false;
    return true;
}

// A loop may have no rounds, unless it can be written out.
static bool loop_sets_before_read(const Scalars *x, Node *s, uint32_t *set)
{
    int64_t rounds = rounds_of(x, s);
    uint32_t inside = *set;
    for (int64_t k = 0; k < rounds; k++)
        if (!is_set_before_read(x, round_of(x, s, k), set)) return false;
    return rounds > 0 || is_set_before_read(x, loops_body(s), &inside);
}

// Whether each element that the statement reads has a value, by it or, as `set` says, before.
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

// Goes over the first statements that mention the array, as long as they only give values to its
// elements and not all have one; the statement behind them.
static uint32_t fill(const Scalars *x, Node *block, uint32_t at, uint32_t *set)
{
    uint32_t i = at + 1;
    for (*set = 0; i < block->nops && *set != all_of(x); i++) {
        Node *s = block->op[i];
        if (!mentions(x, s)) continue;
        int64_t rounds = rounds_of(x, s);
        uint32_t more = *set;
        bool good = rounds > 0 || sets(x, s, &more);
        for (int64_t k = 0; k < rounds && good; k++) good = sets(x, round_of(x, s, k), &more);
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
    // integers of 64 bits that never change are sizes, those that do are not
    if (!type_is_scalar(alloc->op[0], &s) || s == SCALAR_I64) return false;
    x->buffer = alloc->attr.sym;
    x->type = alloc->op[0];
    uint32_t set, begin = fill(x, block, at, &set);
    x->bare = all_of(x) & ~set;
    x->fits = true;
    for (uint32_t i = begin; i < block->nops; i++) look(x, block->op[i], false);
    if (x->bare) // otherwise it is a window: what it holds comes with its first step
        x->fits = x->fits && x->moves &&
                  all_set_before_read(x, block->op + begin, (int)(block->nops - begin), &set);
    return x->fits && (x->moves || x->named >= x->count);
}

// --- how ----------------------------------------------------------------------------------------

static Node *local(const Scalars *x, Node *position)
{
    return node_make(
        x->cx,
        &(NodeSpec){.kind = LOOP_VAR, .attr.sym = x->locals[position->attr.i], .type = x->type});
}

static Node *named(const Scalars *x, Kind kind, Sym name, Node *store, int n, Node *const *ops)
{
    return node_make(
        x->cx, &(NodeSpec){
                   .kind = kind, .attr.sym = name, .nops = n, .ops = ops, .origin = store->origin});
}

static Node *taken_apart(Session *cx, Node *n, int depth, void *env)
{
    (void)depth;
    Scalars *x = env;
    if (n->nops == 0 || kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return n;
    if (loops_is_stmt(n) && !mentions(x, n)) return n;
    int64_t rounds = rounds_of(x, n);
    if (rounds) {
        Stmts out = {0};
        for (int64_t k = 0; k < rounds; k++)
            vec_push(cx->arena, &out, taken_apart(cx, round_of(x, n, k), 0, x));
        return loops_block(cx, out.len, out.at);
    }
    Node *done = node_map(cx, n, 0, taken_apart, x);
    if (!is_of(x, n)) return done;
    if (n->kind == LOOP_LOAD) return local(x, n->op[0]);
    return named(x, LOOP_SET, x->locals[n->op[0]->attr.i], n, 1, &done->op[1]);
}

// The first store of an element declares its local.
static void put(Scalars *x, Stmts *out, Node *s)
{
    if (s->kind == LOOP_STORE && is_of(x, s) && !x->locals[s->op[0]->attr.i]) {
        Node *ops[2] = {x->type, taken_apart(x->cx, s->op[1], 0, x)};
        Sym name = x->locals[s->op[0]->attr.i] = sym_fresh(x->cx->syms, x->buffer->text);
        vec_push(x->cx->arena, out, named(x, LOOP_DECL, name, s, 2, ops));
        return;
    }
    int64_t rounds = mentions(x, s) ? rounds_of(x, s) : 0;
    for (int64_t k = 0; k < rounds; k++) put(x, out, round_of(x, s, k));
    if (rounds == 0) vec_push(x->cx->arena, out, taken_apart(x->cx, s, 0, x));
}

static void declare_bare(Scalars *x, Stmts *out, Node *alloc)
{
    for (int k = 0; k < x->count; k++) {
        if (!(x->bare >> k & 1)) continue;
        Node *ops[2] = {x->type, core_tuple(x->cx, 0, NULL, type_tuple(x->cx, 0, NULL))};
        x->locals[k] = sym_fresh(x->cx->syms, x->buffer->text);
        vec_push(x->cx->arena, out, named(x, LOOP_DECL, x->locals[k], alloc, 2, ops));
    }
}

static Node *without(Scalars *x, Node *block, uint32_t at)
{
    Stmts out = {0};
    for (uint32_t i = 0; i < block->nops; i++)
        if (i < at)
            vec_push(x->cx->arena, &out, block->op[i]);
        else if (i == at)
            declare_bare(x, &out, block->op[i]);
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
            s = without(&x, s, i);
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
