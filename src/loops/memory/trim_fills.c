// Trims the loops that give an array its first values. An imperative program begins with an array
// of zeros, or with a copy of its argument, and overwrites most of it. Where a later loop
// overwrites all elements of certain rows before it loads them, only the other rows get first
// values: partial dead store elimination, by iterations. If the later loop loads an element
// itself, before it overwrites it, it computes the first value instead.
#include "loops/memory/memory.h"
#include "loops/memory/moves.h"

// MOST_STMTS keeps the time linear for a block of many fills.
enum { MOST_LOOPS = 8, FEW_ROWS = 4, MOST_STMTS = 64 };

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    const Facts *facts; // about sizes
    const LoopsAround *around;
} Trim;

/// Nested loops that only store a value to each element that they visit.
typedef struct {
    Node *loops[MOST_LOOPS]; // outermost first
    int n;
    Node *store;
} Fill;

static bool is_fill(Node *s, Fill *fill)
{
    *fill = (Fill){.n = 0};
    for (; s->kind == LOOP_FOR && s->variant == VARIANT_ANY; s = loops_body(s)) {
        if (fill->n == MOST_LOOPS) return false;
        fill->loops[fill->n++] = s;
    }
    fill->store = s;
    return fill->n > 0 && s->kind == LOOP_STORE && !loops_mentions(s->op[1], s->attr.sym);
}

// Whether the caller passes the array with values that it may want to keep if the entry fails.
static bool is_of_caller(const Trim *t, Sym array)
{
    for (int i = 0; i < t->entry->params.len; i++)
        if (t->entry->params.at[i].name == array && t->entry->params.at[i].both) return true;
    return false;
}

// --- the loop that overwrites -------------------------------------------------------------------

/// A store that writes rows of the array again: in iteration i of its outermost loop, row i + k of
/// the fill, or row k - i.
typedef struct {
    const Fill *fill;
    Node *loops[MOST_LOOPS];
    Node *store;
    Node *row;       // the row's number, in terms of the loop's index
    Node *from, *to; // the rows that the loop overwrites
} Overwriting;

// The node of the fill, with the row and the indices of the overwriting loops in place of its own.
static Node *renamed(const Trim *t, const Overwriting *o, Node *n)
{
    NodeBinding names[MOST_LOOPS];
    for (int i = 0; i < o->fill->n; i++) {
        Node *index = i ? nat_var(t->cx, o->loops[i]->attr.sym) : o->row;
        names[i] = (NodeBinding){o->fill->loops[i]->attr.sym, index};
    }
    return node_replace_names(t->cx, n, names, o->fill->n);
}

// Whether the store is at the position of the fill's in that row, in loops over the same range but
// for the outermost.
static bool is_overwriting(const Trim *t, const Overwriting *o)
{
    for (int i = 1; i < o->fill->n; i++)
        if (loops_from(o->loops[i]) != renamed(t, o, loops_from(o->fill->loops[i])) ||
            loops_to(o->loops[i]) != renamed(t, o, loops_to(o->fill->loops[i])))
            return false;
    return o->store->op[0] == renamed(t, o, o->fill->store->op[0]);
}

// Sets the row that the loop overwrites in an iteration, and the range of all these rows: the row
// is the index and k, or the end of the fill's rows and k less the index.
static void set_row(const Trim *t, Overwriting *o, int k, bool back)
{
    Session *cx = t->cx;
    Node *again = o->loops[0], *from = loops_from(again), *to = loops_to(again);
    Node *index = nat_var(cx, again->attr.sym), *shift = nat_const(cx, k);
    Node *end = nat_add(cx, loops_to(o->fill->loops[0]), shift), *one = nat_const(cx, 1);
    o->row = back ? nat_sub(cx, end, index) : nat_add(cx, index, shift);
    o->from = back ? nat_add(cx, nat_sub(cx, end, to), one) : nat_add(cx, from, shift);
    o->to = back ? nat_add(cx, nat_sub(cx, end, from), one) : nat_add(cx, to, shift);
}

static bool find_row(const Trim *t, Overwriting *o)
{
    for (int k = -FEW_ROWS; k <= FEW_ROWS; k++)
        for (int back = 0; back < 2; back++) {
            set_row(t, o, k, back);
            if (is_overwriting(t, o)) return true;
        }
    return false;
}

// Finds a store that overwrites whole rows, whatever the data. `depth` is the number of loops
// around the statement.
static bool find_overwriting(const Trim *t, Node *s, int depth, Overwriting *o)
{
    const Fill *fill = o->fill;
    if (s->kind == LOOP_FOR && depth < fill->n) {
        o->loops[depth] = s;
        return find_overwriting(t, loops_body(s), depth + 1, o);
    }
    for (uint32_t i = 0; s->kind == LOOP_BLOCK && i < s->nops; i++)
        if (find_overwriting(t, s->op[i], depth, o)) return true;
    if (s->kind != LOOP_STORE || s->attr.sym != fill->store->attr.sym || depth < fill->n)
        return false;
    o->store = s;
    return find_row(t, o);
}

// Whether 0 <= b - a <= FEW_ROWS.
static bool is_little_more(const Trim *t, Node *a, Node *b)
{
    int64_t rows;
    return nat_is_const(nat_sub(t->cx, b, a), &rows) && rows >= 0 && rows <= FEW_ROWS;
}

// Whether the loop overwrites all rows but a few.
static bool overwrites_most(const Trim *t, const Overwriting *o)
{
    Node *rows = o->fill->loops[0];
    return is_little_more(t, loops_from(rows), o->from) && is_little_more(t, o->to, loops_to(rows));
}

// --- values that the loop loads -----------------------------------------------------------------

/// The value of the fill, for the loads of its element in the loop that overwrites it.
typedef struct {
    Sym array;
    Node *position, *value;
    Node *load; // one of these loads; NULL if there are none
} Forwarded;

static Node *with_value(Session *cx, Node *n, int depth, void *env)
{
    Forwarded *f = env;
    if (n->nops == 0 || node_is_size_or_type(n)) return n;
    if (n->kind != LOOP_LOAD || n->attr.sym != f->array || n->op[0] != f->position)
        return node_map(cx, n, depth, with_value, f);
    f->load = n;
    return f->value;
}

// Whether a statement changes what the value is computed from.
static bool is_changed(const Trim *t, Node *value, Node *const *stmts, int n)
{
    for (int i = 0; i < n; i++)
        if (loops_changes_input(t->cx, stmts[i], value)) return true;
    return false;
}

// The loop, with the value of the fill in place of the loads of the element that it overwrites, if
// no store comes before these and the value is no more work than the load. `stmts` are the
// statements from the fill on, of which the loop is the last.
static Node *forwarded(const Trim *t, const Overwriting *o, Node *const *stmts, int n)
{
    const Fill *fill = o->fill;
    Node *loop = stmts[n - 1], *value = renamed(t, o, fill->store->op[1]);
    if (n > MOST_STMTS || (value->kind != LOOP_LOAD && value->nops > 0)) return loop;
    Forwarded f = {o->store->attr.sym, o->store->op[0], value, NULL};
    Node *done = with_value(t->cx, loop, 0, &f);
    LoopsMove move = {f.array, f.array, nat_const(t->cx, 0), NULL, t->around, t->facts};
    bool good =
        f.load &&
        loops_go_through(t->cx, t->entry, t->facts, fill->store->op[0], fill->loops, fill->n) &&
        !is_changed(t, fill->store->op[1], stmts + 1, n - 1) &&
        loops_comes_first(t->cx, t->entry, &move, loop, f.load);
    return good ? done : loop;
}

// --- the rows that remain -----------------------------------------------------------------------

// The fill of a few rows: `rows` of them, from `first` on, as far as there are any.
static Node *fill_of_rows(const Trim *t, const Fill *fill, Node *first, int64_t rows)
{
    Session *cx = t->cx;
    Node *all = fill->loops[0], *from = loops_from(all), *to = loops_to(all);
    if (rows == 0) return loops_block(cx, 0, NULL);
    if (rows == 1) {
        Node *some = loops_compare(cx, PRIM_LT, from, to);
        Node *row = loops_iteration(cx, all, first), *none = loops_block(cx, 0, NULL);
        return nat_lt(cx, t->facts, from, to) == TRUTH_YES
                   ? row
                   : loops_if(cx, some, row, none, all->origin);
    }
    Node *end = nat_min(cx, nat_add(cx, first, nat_const(cx, rows)), to);
    Node *part = loops_for(cx, all, nat_max(cx, first, from), end, loops_body(all));
    return loops_copy(cx, part, NULL, NULL);
}

static Node *trimmed(const Trim *t, const Overwriting *o)
{
    Session *cx = t->cx;
    Node *rows = o->fill->loops[0];
    int64_t before = 0, behind = 0;
    nat_is_const(nat_sub(cx, o->from, loops_from(rows)), &before);
    nat_is_const(nat_sub(cx, loops_to(rows), o->to), &behind);
    Node *both[2] = {fill_of_rows(t, o->fill, loops_from(rows), before),
                     fill_of_rows(t, o->fill, o->to, behind)};
    return loops_block(cx, 2, both);
}

// --- the pass -----------------------------------------------------------------------------------

// Trims the fill that is the first of the statements, if their last, the next one to access its
// array, overwrites most of it.
static void trim_fill(const Trim *t, Node **stmts, int n)
{
    Fill fill;
    Overwriting o = {.fill = &fill};
    Node *loop = stmts[n - 1];
    if (!is_fill(stmts[0], &fill) || loop->kind != LOOP_FOR) return;
    if (is_of_caller(t, fill.store->attr.sym) || !find_overwriting(t, loop, 0, &o)) return;
    if (!overwrites_most(t, &o)) return;
    loop = forwarded(t, &o, stmts, n);
    if (!find_overwriting(t, loop, 0, &o)) return;
    Sym array = fill.store->attr.sym;
    LoopsMove move = {array, array, nat_const(t->cx, 0), NULL, t->around, t->facts};
    if (!loops_comes_first(t->cx, t->entry, &move, loop, o.store)) return;
    stmts[0] = trimmed(t, &o);
    stmts[n - 1] = loop;
}

/// For each buffer, the first statement that accesses it, among those visited: those behind a
/// certain one.
typedef struct {
    Map first; // Sym -> the number of that statement, counted from 1
    uintptr_t at;
    int jump; // the first statement that may jump
} FirstAccesses;

static void note_access(Node *access, void *env)
{
    FirstAccesses *m = env;
    uintptr_t at = (uintptr_t)map_get(&m->first, MAP_KEY(access->attr.sym));
    if (!at || m->at < at) map_put(&m->first, MAP_KEY(access->attr.sym), (void *)m->at);
}

static void note_accesses(Session *cx, FirstAccesses *m, Node *const *stmts, int i)
{
    Map seen = map_new(cx->arena);
    m->at = (uintptr_t)i + 1;
    loops_accesses(stmts[i], &seen, note_access, m);
    if (loops_may_jump(stmts[i])) m->jump = i;
}

static Node *trim_in_block(const Trim *t, Node *block)
{
    Session *cx = t->cx;
    Stmts stmts = {0};
    FirstAccesses m = {.first = map_new(cx->arena), .jump = (int)block->nops};
    for (uint32_t i = 0; i < block->nops; i++) vec_push(cx->arena, &stmts, block->op[i]);
    for (int i = stmts.len; i-- > 0;) {
        Fill fill;
        bool fills = is_fill(stmts.at[i], &fill);
        int next =
            fills ? (int)(uintptr_t)map_get(&m.first, MAP_KEY(fill.store->attr.sym)) - 1 : -1;
        if (next >= 0 && next < m.jump) {
            trim_fill(t, stmts.at + i, next - i + 1);
            note_accesses(cx, &m, stmts.at, next); // it may load other arrays now
        }
        note_accesses(cx, &m, stmts.at, i);
    }
    return loops_block(cx, stmts.len, stmts.at);
}

static Node *trim(void *env, Node *s);

static bool has_fill(Node *block)
{
    Fill fill;
    for (uint32_t i = 0; i + 1 < block->nops; i++)
        if (is_fill(block->op[i], &fill)) return true;
    return false;
}

static Node *trim(void *env, Node *s)
{
    Trim *t = env;
    Session *cx = t->cx;
    if (s->kind == LOOP_IF) {
        Node *then = loops_under(&t->around, trim, t, s->op[1],
                                 (LoopsAround){.condition = s->op[0], .holds = true});
        Node *other =
            loops_under(&t->around, trim, t, s->op[2], (LoopsAround){.condition = s->op[0]});
        return node_with_ops(cx, s, (Node *[]){s->op[0], then, other});
    }
    if (loops_is(s, IS_LOOP)) {
        int body = (int)s->nops - 1;
        return node_with_op(
            cx, s, body, loops_under(&t->around, trim, t, s->op[body], (LoopsAround){.loop = s}));
    }
    s = loops_map(cx, s, trim, t);
    return s->kind == LOOP_BLOCK && has_fill(s) ? trim_in_block(t, s) : s;
}

static LoopEntry *trim_entry(Session *cx, const LoopEntry *e)
{
    Simplifier known = simplifier_new(cx, e);
    Trim t = {.cx = cx, .entry = e, .facts = known.facts};
    return loops_with_body(cx, e, trim(&t, e->body));
}

LoopEntry *loops_trim_fills(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, trim_entry);
}
