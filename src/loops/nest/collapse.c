// Collapses nested parallel loops into one. Not the outer iterations, which may be fewer than
// threads, but all iterations, counted row by row, are divided into one part for each thread:
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
// of a part may be shorter. Of more than two loops all but the innermost are counted as rows. Many
// rows of a constant short length stay whole, as loops with constant bounds are faster.
//
// Inner loops have the variant `par`: their iterations may run in any order, too.
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

enum { MOST_LOOPS = 8, SHORT_ROW = 64, MANY_ROWS = 64 };

typedef struct {
    Node *loops[MOST_LOOPS]; // from the outside; the first is parallel
    int n;
    Stmts locals; // of rows, before the innermost loop
    Map bound;    // names that the nest brings into scope
} Nest;

typedef struct {
    Session *cx;
    Sym helpers;
    bool asks;
    Simplifier *known;
} Collapse;

// --- which loops --------------------------------------------------------------------------------

static Node *zero(Session *cx)
{
    return nat_const(cx, 0);
}

// The `par` loop that is the body, after declarations of locals; or NULL.
static Node *loop_inside(Node *loop)
{
    Node *body = loops_body(loop);
    Node *last = body->kind == LOOP_BLOCK && body->nops > 0 ? body->op[body->nops - 1] : body;
    bool marked = last->kind == LOOP_FOR && last->variant == VARIANT_PAR;
    for (uint32_t i = 0; marked && body->kind == LOOP_BLOCK && i + 1 < body->nops; i++)
        marked = body->op[i]->kind == LOOP_DECL && !loops_is_nothing(body->op[i]->op[1]);
    return marked ? last : NULL;
}

// Whether the loops inside set no local of the rows.
static bool are_constant(const Nest *nest, Node *inside)
{
    Map changed = map_new(nest->bound.arena);
    loops_changed(inside, &changed);
    for (int i = 0; i < nest->locals.len; i++)
        if (map_get(&changed, MAP_KEY(nest->locals.at[i]->attr.sym))) return false;
    return true;
}

static void add_loop(Session *cx, Nest *nest, Node *loop)
{
    nest->loops[nest->n++] = loop;
    map_put(&nest->bound, MAP_KEY(loop->attr.sym), nest);
    if (nest->n < 2) return;
    Node *body = loops_body(nest->loops[nest->n - 2]);
    for (uint32_t i = 0; body->kind == LOOP_BLOCK && i + 1 < body->nops; i++) {
        vec_push(cx->arena, &nest->locals, body->op[i]);
        map_put(&nest->bound, MAP_KEY(body->op[i]->attr.sym), nest);
    }
}

static bool is_rectangular(Session *cx, const Nest *nest, Node *loop)
{
    return loops_from(loop) == zero(cx) && !loops_reads_any(cx, loops_to(loop), &nest->bound);
}

static Nest nest_of(const Collapse *c, Node *loop)
{
    Session *cx = c->cx;
    Nest nest = {.bound = map_new(cx->arena)};
    add_loop(cx, &nest, loop);
    for (Node *next = loop_inside(loop); next && nest.n < MOST_LOOPS; next = loop_inside(next)) {
        Nest before = nest;
        if (!is_rectangular(cx, &nest, next)) break;
        add_loop(cx, &nest, loops_with_total_range(c->known, next));
        if (are_constant(&nest, next)) continue;
        nest = before;
        break;
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

static bool is_team(Node *s)
{
    return s->kind == LOOP_PARALLEL && s->op[0]->kind == CORE_LIT && s->op[0]->attr.i == 0;
}

// --- the loop over parts ------------------------------------------------------------------------

static Node *named(Session *cx, Sym name, Node *value)
{
    Node *ops[2] = {type_scalar(cx, SCALAR_I64), core_size(cx, value)};
    return node_make(cx, &(NodeSpec){.kind = LOOP_DECL, .attr.sym = name, .nops = 2, .ops = ops});
}

static Node *loop_over(Session *cx, Node *like, Sym index, Node *from, Node *to, Node *body)
{
    Node *ops[3] = {from, to, body};
    return node_make(
        cx,
        &(NodeSpec){
            .kind = LOOP_FOR, .attr.sym = index, .nops = 3, .ops = ops, .origin = like->origin});
}

// The iterations of row number `row` that belong to the part from `first` to `end`. `inside`: the
// body of the innermost loop.
static Node *row_of_part(Session *cx, const Nest *nest, Node *row, Node *first, Node *end,
                         Node *inside)
{
    Stmts out = {0};
    Node *last = nest->loops[nest->n - 1], *length = loops_to(last), *rest = row;
    for (int i = nest->n - 2; i >= 0 && nest->n > 2; i--) {
        Node *rows = loops_to(nest->loops[i]);
        Node *index = i > 0 ? nat_mod(cx, rest, rows) : rest;
        vec_push(cx->arena, &out, named(cx, nest->loops[i]->attr.sym, index));
        rest = nat_div(cx, rest, rows);
    }
    for (int i = 0; i < nest->locals.len; i++) vec_push(cx->arena, &out, nest->locals.at[i]);
    Node *before = nat_mul(cx, row, length);
    Node *from = nat_max(cx, nat_sub(cx, first, before), zero(cx));
    Node *to = nat_min(cx, nat_sub(cx, end, before), length);
    vec_push(cx->arena, &out, loop_over(cx, last, last->attr.sym, from, to, inside));
    return loops_block(cx, out.len, out.at);
}

// Guards the rows of a part with `first < end`: then no row is empty, so that divisions by their
// length are safe.
static Node *if_any(Session *cx, Node *first, Node *end, Node *rows)
{
    Node *sides[2] = {core_size(cx, first), core_size(cx, end)};
    Node *ops[3] = {core_prim(cx, PRIM_LT, 2, sides), loops_block(cx, 1, &rows),
                    loops_block(cx, 0, NULL)};
    return node_make(cx, &(NodeSpec){.kind = LOOP_IF, .nops = 3, .ops = ops});
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
    Node *rows =
        loop_over(cx, loop, index, nat_div(cx, first, length), nat_div(cx, up, length), row);
    int64_t known;
    if (!nat_is_const(length, &known)) rows = if_any(cx, first, end, rows);
    Node *body[3] = {decls[0], decls[1], rows};
    Node *ops[4] = {loop->op[0], zero(cx), parts, loops_block(cx, 3, body)};
    c->asks = true;
    return node_make(cx, &(NodeSpec){.kind = LOOP_PARALLEL,
                                     .attr.sym = part,
                                     .nops = 4,
                                     .ops = ops,
                                     .origin = loop->origin});
}

static Node *collapse(void *env, Node *s)
{
    Collapse *c = env;
    if (is_team(s) && loops_from(s) == zero(c->cx)) {
        Nest nest = nest_of(c, s);
        if (nest.n > 1 && pays(c->cx, &nest))
            return in_parts(c, &nest, collapse(c, loops_body(nest.loops[nest.n - 1])));
    }
    bool marked = s->kind == LOOP_FOR && s->variant == VARIANT_PAR;
    s = simplifier_map(c->known, s, collapse, c);
    return marked ? node_with_variant(c->cx, s, VARIANT_ANY) : s;
}

// Whether the statement is a parallel loop, or one that has become sequential and is still marked.
static bool is_parallel(Node *s, void *env)
{
    (void)env;
    return s->kind == LOOP_PARALLEL || (s->kind == LOOP_FOR && s->variant == VARIANT_PAR);
}

static LoopEntry *collapse_in(Collapse *c, const LoopEntry *e)
{
    if (e->external) return loops_with_body(c->cx, e, NULL);
    if (!loops_any(e->body, is_parallel, NULL)) return loops_with_body(c->cx, e, e->body);
    Simplifier known = simplifier_new(c->cx, e);
    c->known = &known;
    return loops_with_body(c->cx, e, collapse(c, e->body));
}

LoopEntry *loops_collapse(Session *cx, const LoopEntry *e)
{
    Collapse c = {cx, e->helpers ? e->helpers : sym_fresh(cx->syms, "helpers"), false, NULL};
    LoopEntry *done = collapse_in(&c, e);
    done->callees.len = done->callees.cap = 0;
    for (int i = 0; i < e->callees.len; i++)
        vec_push(cx->arena, &done->callees, collapse_in(&c, e->callees.at[i]));
    if (!c.asks) return done;
    done->helpers = c.helpers;
    for (int i = 0; i < done->callees.len; i++) done->callees.at[i]->helpers = c.helpers;
    return done;
}
