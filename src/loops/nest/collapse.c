// Collapses nested parallel loops into one, since the outer loop may have fewer iterations than
// there are threads. All iterations, numbered row by row, are divided into one part for each
// thread:
//
//   parallel i < n { parallel j < m { .. } }
//     parallel part < threads {
//         first = part n m / threads;  end = (part + 1) n m / threads;
//         for first / m <= i < (end + m - 1) / m {
//             for max(first - i m, 0) <= j < min(end - i m, m) { .. }
//         }
//     }
//
// The innermost loops stay loops over ranges, which can be vectorised; only the first and last row
// of a part may be shorter. The iterations of all loops but the innermost are numbered together as
// rows. Many short rows of constant length are not divided, as loops with constant bounds are
// faster.
//
// The iterations of inner loops with the variant `par` may run in any order as well.
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

enum { MOST_LOOPS = 8, SHORT_ROW = 64, MANY_ROWS = 64 };

typedef struct {
    Node *loops[MOST_LOOPS]; // outermost first; the first one is parallel
    int n;
    Stmts locals; // declarations in each row, before the innermost loop
} Nest;

typedef struct {
    Session *cx;
    Sym helpers;
    bool uses_helpers;
    bool device;
    int parallel; // the number of parallel loops around the current statement
    Simplifier *known;
} Collapse;

// --- which loops --------------------------------------------------------------------------------

static Node *zero(Session *cx)
{
    return nat_const(cx, 0);
}

// Whether the loop has the same range, starting at 0, in all rows, and sets none of the locals that
// a row declares.
static bool is_rectangular(Session *cx, const Nest *nest, Node *loop)
{
    Node *to = loops_to(loop);
    for (int i = 0; i < nest->n; i++)
        if (nat_occurs(to, nat_var(cx, nest->loops[i]->attr.sym))) return false;
    for (int i = 0; i < nest->locals.len; i++) {
        Sym local = nest->locals.at[i]->attr.sym;
        if (nat_occurs(to, nat_var(cx, local)) || loops_sets(loop, local)) return false;
    }
    return loops_from(loop) == zero(cx);
}

static bool is_team(Node *s)
{
    return s->kind == LOOP_PARALLEL && s->op[0]->kind == CORE_LIT && s->op[0]->attr.i <= 0;
}

// Whether the number of iterations is known to be a length and not negative, unlike that of a loop
// up to any number.
static bool has_extent(const Collapse *c, Node *loop)
{
    return simplifier_has_lengths(c->known, loop) &&
           nat_ge0(c->cx, c->known->facts, loops_to(loop)) == TRUTH_YES;
}

// Whether iterations of the inner loop of a nest may run in any order.
static bool is_marked(const Collapse *c, Node *loop)
{
    return loop->variant == VARIANT_PAR || (c->device && is_team(loop) && has_extent(c, loop));
}

static Nest nest_of(const Collapse *c, Node *loop)
{
    Nest nest = {.loops = {loop}, .n = 1};
    while (nest.n < MOST_LOOPS) {
        Nest more = nest;
        Node *next = loops_inner_loop(c->cx, nest.loops[nest.n - 1], &more.locals);
        if (!next || !is_marked(c, next) || !is_rectangular(c->cx, &more, next)) break;
        more.loops[more.n++] = loops_with_total_range(c->known, next);
        nest = more;
    }
    return nest;
}

static Node *iterations_of(Session *cx, const Nest *nest, int n)
{
    Node *product = nat_const(cx, 1);
    for (int i = 0; i < n; i++) product = nat_mul(cx, product, loops_to(nest->loops[i]));
    return product;
}

static bool pays(Session *cx, const Nest *nest)
{
    int64_t length, rows;
    bool short_rows =
        nat_is_const(loops_to(nest->loops[nest->n - 1]), &length) && length <= SHORT_ROW;
    bool few = nat_is_const(iterations_of(cx, nest, nest->n - 1), &rows) && rows <= MANY_ROWS;
    return few || !short_rows;
}

// --- the loop over parts ------------------------------------------------------------------------

// Builds the iterations of row number `row` that belong to the part from `first` to `end`. `inside`
// is the body of the innermost loop.
static Node *row_of_part(Session *cx, const Nest *nest, Node *row, Node *first, Node *end,
                         Node *inside)
{
    Stmts out = {0};
    Node *last = nest->loops[nest->n - 1], *length = loops_to(last), *rest = row;
    for (int i = nest->n - 2; i >= 0 && nest->n > 2; i--) {
        Node *rows = loops_to(nest->loops[i]);
        Node *index = i > 0 ? nat_mod(cx, rest, rows) : rest;
        vec_push(cx->arena, &out,
                 loops_decl(cx, nest->loops[i]->attr.sym, type_scalar(cx, SCALAR_I64),
                            core_size(cx, index), NO_SPAN));
        rest = nat_div(cx, rest, rows);
    }
    for (int i = 0; i < nest->locals.len; i++) vec_push(cx->arena, &out, nest->locals.at[i]);
    Node *before = nat_mul(cx, row, length);
    Node *from = nat_max(cx, nat_sub(cx, first, before), zero(cx));
    Node *to = nat_min(cx, nat_sub(cx, end, before), length);
    vec_push(cx->arena, &out, loops_counted(cx, last->attr.sym, from, to, inside, last->origin));
    return loops_block(cx, out.len, out.at);
}

// Guards the rows of a part with `first < end`, so that no row is empty and divisions by their
// length are safe.
static Node *if_any(Session *cx, Node *first, Node *end, Node *rows)
{
    return loops_if(cx, loops_compare(cx, PRIM_LT, first, end), rows, loops_block(cx, 0, NULL),
                    NO_SPAN);
}

static Node *in_parts(Collapse *c, const Nest *nest, Node *inside)
{
    Session *cx = c->cx;
    Node *loop = nest->loops[0], *length = loops_to(nest->loops[nest->n - 1]), *decls[2];
    Node *all = iterations_of(cx, nest, nest->n), *one = nat_const(cx, 1);
    Node *parts = nat_add(cx, nat_var(cx, c->helpers), one);
    Sym part = sym_fresh(cx->syms, "part");
    Sym index = nest->n > 2 ? sym_fresh(cx->syms, "row") : loop->attr.sym;
    Node *at = nat_var(cx, part);
    Node *first = loops_integer(cx, "first", nat_div(cx, nat_mul(cx, at, all), parts), &decls[0]);
    Node *next = nat_mul(cx, nat_add(cx, at, one), all);
    Node *end = loops_integer(cx, "end", nat_div(cx, next, parts), &decls[1]);
    Node *row = row_of_part(cx, nest, nat_var(cx, index), first, end, inside);
    Node *up = nat_sub(cx, nat_add(cx, end, length), one);
    Node *rows = loops_counted(cx, index, nat_div(cx, first, length), nat_div(cx, up, length), row,
                               loop->origin);
    int64_t known;
    if (!nat_is_const(length, &known)) rows = if_any(cx, first, end, rows);
    Node *body = loops_block(cx, 3, (Node *[]){decls[0], decls[1], rows});
    c->uses_helpers = true;
    return loops_loop(cx, LOOP_PARALLEL, part, loop->op[0], zero(cx), parts, body, loop->origin);
}

typedef struct {
    Session *cx;
    Sym index;
    int number;
} Consecutive;

static void count_consecutive(Node *access, void *env)
{
    Consecutive *c = env;
    int64_t by;
    Node *stride =
        loops_is(access, IS_ADDRESS) ? NULL : loops_stride(c->cx, access->op[0], c->index);
    c->number += stride && nat_is_const(stride, &by) && by == 1;
}

// The loop whose consecutive iterations access the most arrays at consecutive positions; the
// innermost of several.
static int most_consecutive(Session *cx, const Nest *nest, Node *inside)
{
    int best = nest->n - 1, most = -1;
    for (int i = nest->n - 1; i >= 0; i--) {
        Consecutive c = {cx, nest->loops[i]->attr.sym, 0};
        Map seen = map_new(cx->arena);
        loops_accesses(inside, &seen, count_consecutive, &c);
        if (c.number > most) most = c.number, best = i;
    }
    return best;
}

// A device has more work-items than a processor has threads, so each of them runs one iteration:
//
//   parallel k < n m { i = k / m;  j = k % m;  .. }
//
// Neighbours run iterations that access neighbouring elements, which a device does at once: so the
// loops may be in another order, j n + i.
//
// Where the loops are not perfectly nested, a group of work-items runs an iteration of the outer
// one, and the inner ones stay parallel.
static Node *in_items(Collapse *c, const Nest *nest, Node *inside)
{
    Session *cx = c->cx;
    Node *loop = nest->loops[0], *rest, *order[MOST_LOOPS], *decls[MOST_LOOPS];
    int last = most_consecutive(cx, nest, inside), n = 0;
    Sym item = sym_fresh(cx->syms, "item");
    Stmts out = {0};
    for (int i = 0; i < nest->n; i++)
        if (i != last) order[n++] = nest->loops[i];
    order[n] = nest->loops[last];
    rest = nat_var(cx, item);
    for (int i = n; i >= 0; i--) {
        Node *length = loops_to(order[i]), *index = i > 0 ? nat_mod(cx, rest, length) : rest;
        decls[i] = loops_decl(cx, order[i]->attr.sym, type_scalar(cx, SCALAR_I64),
                              core_size(cx, index), NO_SPAN);
        rest = nat_div(cx, rest, length);
    }
    for (int i = 0; i <= n; i++) vec_push(cx->arena, &out, decls[i]);
    for (int i = 0; i < nest->locals.len; i++) vec_push(cx->arena, &out, nest->locals.at[i]);
    vec_push(cx->arena, &out, inside);
    return loops_loop(cx, LOOP_PARALLEL, item, loop->op[0], zero(cx),
                      iterations_of(cx, nest, nest->n), loops_block(cx, out.len, out.at),
                      loop->origin);
}

// The loop for the work-items of a group, which runs the iteration around it.
static Node *in_group(Session *cx, Node *loop)
{
    Node *all = core_int(cx, type_scalar(cx, SCALAR_I32), 0);
    return loops_loop(cx, LOOP_PARALLEL, loop->attr.sym, all, loops_from(loop), loops_to(loop),
                      loops_body(loop), loop->origin);
}

static Node *collapse(void *env, Node *s)
{
    Collapse *c = env;
    if (is_team(s) && loops_from(s) == zero(c->cx)) {
        Nest nest = nest_of(c, s);
        if (nest.n > 1 && c->device && has_extent(c, s))
            return in_items(c, &nest, collapse(c, loops_body(nest.loops[nest.n - 1])));
        if (nest.n > 1 && !c->device && pays(c->cx, &nest))
            return in_parts(c, &nest, collapse(c, loops_body(nest.loops[nest.n - 1])));
    }
    bool marked = s->kind == LOOP_FOR && s->variant == VARIANT_PAR, loop = loops_is_counted(s);
    bool local = marked && c->device && c->parallel == 1;
    c->parallel += s->kind == LOOP_PARALLEL || local;
    s = simplifier_map(c->known, s, collapse, c);
    c->parallel -= loop && (s->kind == LOOP_PARALLEL || local);
    if (local) return in_group(c->cx, s);
    return marked ? node_with_variant(c->cx, s, VARIANT_ANY) : s;
}

// Whether the statement is a parallel loop, or a sequential one that is still marked as parallel.
static LoopEntry *collapse_in(Collapse *c, const LoopEntry *e)
{
    if (e->external) return loops_with_body(c->cx, e, NULL);
    if (!loops_any(e->body, loops_is_parallel, NULL)) return loops_with_body(c->cx, e, e->body);
    Simplifier known = simplifier_new(c->cx, e);
    c->known = &known;
    return loops_with_body(c->cx, e, collapse(c, e->body));
}

LoopEntry *loops_collapse(Session *cx, const LoopEntry *e)
{
    Collapse c = {cx,    e->helpers ? e->helpers : sym_fresh(cx->syms, "helpers"),
                  false, e->device != DEVICE_NONE,
                  0,     NULL};
    LoopEntry *done = collapse_in(&c, e);
    done->callees.len = done->callees.cap = 0;
    for (int i = 0; i < e->callees.len; i++)
        vec_push(cx->arena, &done->callees, collapse_in(&c, e->callees.at[i]));
    if (!c.uses_helpers) return done;
    done->helpers = c.helpers;
    for (int i = 0; i < done->callees.len; i++) done->callees.at[i]->helpers = c.helpers;
    return done;
}
