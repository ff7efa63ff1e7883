// Index-set splitting: a loop whose body tests its index (pad, concat, borders) becomes up to three
// loops, and the middle one needs no test. A condition is e >= 0 with e = i + r ("lower", true from
// some index onwards) or e = r - i ("upper", true up to some index). From index P onwards, all
// lower conditions are true; from Q onwards, some upper condition is false:
//
//   for i in from..to
//     = for i in from..min(P, to); for i in max(P, from)..min(Q, to); for i in max(P, Q, from)..to
//
// All conditions are decided in the middle part; the border parts keep theirs. If the index has a
// factor, as in e = c*i + r, the points are r/c, rounded conservatively. P and Q may depend on
// arbitrary integers of the program, so the code computes them clamped to the range of the loop,
// without overflow.
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

enum { MAX_GROWN = 4000 }; // nodes of a body after splitting, counting shared nodes repeatedly
enum { FEW = 8 };          // iterations
enum { HEAVY = 500 };      // nodes of a body

// The index at which a loop is split: the exact one, and the one clamped to the range of the loop,
// which the code computes. Both are NULL if the loop is not split.
typedef struct {
    Node *exact, *clamped;
} Point;

typedef struct {
    Session *cx;
    Sym index;
    Node *from, *to;
    Simplifier *s;
    const Facts *before; // the facts before the loop, which may have no iterations
    Point lower, upper;  // P and Q so far
    VEC(Node *) scaled;  // e of conditions whose index has a factor; e >= 0 in the middle part
    Map inner;           // the index and the names that the body binds, which no point may use
    VEC(Node *) loops;   // the loops of the body that enclose the visited node
    Map seen;
    bool innermost; // the loop contains no loop
    bool heavy;     // it contains loops, and more than HEAVY nodes
} Finder;

static bool is_unit(int64_t c)
{
    return c == 1 || c == -1;
}

// The least value of e over the indices of the inner loops. NULL unless each of these indices
// occurs linearly with a constant factor.
static Node *least(Finder *f, Node *e)
{
    Session *cx = f->cx;
    for (int k = f->loops.len; k-- > 0;) {
        Node *loop = f->loops.at[k], *i = nat_var(cx, loop->attr.sym);
        if (!nat_occurs(e, i)) continue;
        int64_t c;
        Node *rest;
        if (!loops_is_linear(cx, e, loop->attr.sym, &c, &rest)) return NULL;
        Node *last = nat_sub(cx, loops_to(loop), nat_const(cx, 1));
        e = nat_add(cx, rest, nat_mul(cx, nat_const(cx, c), c > 0 ? loops_from(loop) : last));
    }
    return e;
}

typedef struct {
    Finder *f;
    Node *integer;
    bool several;
} Integers;

static void note_integer(Node *atom, void *env)
{
    Integers *v = env;
    if (simplifier_is_length(v->f->s, atom)) return;
    v->several |= v->integer != NULL;
    v->integer = atom;
}

// max(min(point, to), from), computed without overflow by clamping the one arbitrary integer in the
// point. A point that is a length is returned as it is. NULL if the point is not the sum or
// difference of one such integer and a length.
static Node *clamped(Finder *f, Node *point)
{
    Session *cx = f->cx;
    Simplifier *s = f->s;
    Integers v = {.f = f};
    int64_t sign;
    Node *rest;
    if (simplifier_is_length(s, point)) return point;
    nat_atoms(cx, point, note_integer, &v);
    if (!v.integer || v.several) return NULL;
    if (!simplifier_is_length(s, f->from) || !simplifier_is_length(s, f->to)) return NULL;
    if (!loops_is_linear(cx, point, v.integer->attr.sym, &sign, &rest) || !is_unit(sign))
        return NULL;
    if (!simplifier_is_length(s, rest)) return NULL;
    if (sign > 0) {
        Node *most = nat_min(cx, v.integer, nat_sub(cx, f->to, rest));
        return nat_add(cx, nat_max(cx, most, nat_sub(cx, f->from, rest)), rest);
    }
    Node *least = nat_max(cx, v.integer, nat_sub(cx, rest, f->to));
    return nat_sub(cx, rest, nat_min(cx, least, nat_sub(cx, rest, f->from)));
}

// Clamps a point that is a length. Such a point needs no clamping by itself, but does in
// combination with a clamped point, so that the result is in range.
static Node *in_range(Finder *f, Node *exact, Node *at)
{
    return at == exact ? nat_max(f->cx, nat_min(f->cx, at, f->to), f->from) : at;
}

// Combines the point with those found so far. Facts at the conditions hold only inside the loop,
// but the clamped point is computed before it, so they are used to simplify only the exact point.
static void add_point(Finder *f, Point *p, Node *exact, Kind kind)
{
    Session *cx = f->cx;
    Node *point = nat_total(cx, f->before, exact), *at = clamped(f, point);
    if (!at) return;
    if (point != exact) at = in_range(f, point, at);
    if (!p->exact) {
        *p = (Point){exact, at};
        return;
    }
    bool plain = p->clamped == p->exact && at == exact;
    Node *range = nat_apply(cx, kind, in_range(f, p->exact, p->clamped), in_range(f, exact, at));
    p->exact = nat_simplify(cx, f->s->facts, nat_apply(cx, kind, p->exact, exact));
    p->clamped = plain && nat_is_total(cx, f->before, p->exact) ? p->exact : range;
}

// Adds the index at which a condition e >= 0 of the body changes. With e = c*i + rest, the
// condition holds from i = ceil(-rest/c) onwards if c > 0, and up to i = floor(rest/-c) otherwise.
static void add_condition(Finder *f, Node *e)
{
    Session *cx = f->cx;
    int64_t c;
    Node *rest;
    if (nat_ge0(cx, f->s->facts, e) != TRUTH_UNKNOWN) return;
    if (!loops_is_linear(cx, e, f->index, &c, &rest) || c == 0 || c == INT64_MIN) return;
    rest = least(f, rest);
    if (!rest || loops_reads_any(cx, rest, &f->inner)) return;
    Node *step = nat_const(cx, c > 0 ? c : -c);
    Node *above = nat_sub(cx, nat_sub(cx, step, nat_const(cx, 1)), rest);
    Node *point = nat_div(cx, c > 0 ? above : nat_add(cx, rest, step), step);
    // a condition on a block, c*i + j < n, is cheaper than a second copy of the loops inside
    if (!is_unit(c) && !f->innermost) return;
    if (!is_unit(c)) {
        point = nat_simplify(cx, f->s->facts, point);
        if (!simplifier_is_length(f->s, point)) return;
        vec_push(cx->arena, &f->scaled, e);
    }
    if (c > 0)
        add_point(f, &f->lower, point, NAT_MAX);
    else
        add_point(f, &f->upper, point, NAT_MIN);
}

// Adds a condition on the sign of a - b, since max(a, b) and min(a, b) become one of their operands
// once the sign is known. The difference is oriented so that it grows (max) or falls (min) with the
// index.
static void add_difference(Finder *f, Node *a, Node *b, int64_t sign)
{
    Node *e = nat_sub(f->cx, a, b), *rest;
    int64_t c;
    if (loops_is_linear(f->cx, e, f->index, &c, &rest) && c * sign < 0) e = nat_sub(f->cx, b, a);
    add_condition(f, e);
}

// Adds the condition 0 <= a < b for a % b with -b <= a < 2*b (wrap, rotate). Under this condition,
// the remainder is a.
static void add_wrap(Finder *f, Node *a, Node *b)
{
    Session *cx = f->cx;
    Node *above = nat_sub(cx, nat_sub(cx, b, a), nat_const(cx, 1));
    Node *low = least(f, nat_add(cx, a, b)), *high = least(f, nat_add(cx, above, b));
    if (!low || nat_ge0(cx, f->s->facts, low) != TRUTH_YES) return;
    if (!high || nat_ge0(cx, f->s->facts, high) != TRUTH_YES) return;
    add_condition(f, a);
    add_condition(f, above);
}

static void find_in_size(Finder *f, Node *n)
{
    if (map_get(&f->seen, MAP_KEY(n))) return;
    map_put(&f->seen, MAP_KEY(n), f);
    if (n->kind == NAT_MIN || n->kind == NAT_MAX) {
        int64_t sign = n->kind == NAT_MAX ? 1 : -1;
        Node *a = n->op[0], *b = n->op[1];
        if (b->kind == NAT_MIN || b->kind == NAT_MAX) a = n->op[1], b = n->op[0];
        // a clamp, min(max(i - 1, 0), n - 1), compares its inner operands with the outer one
        if (a->kind == NAT_MIN || a->kind == NAT_MAX)
            for (int k = 0; k < 2; k++) add_difference(f, a->op[k], b, sign);
        else
            add_difference(f, a, b, sign);
    }
    if (n->kind == NAT_MOD) add_wrap(f, n->op[0], n->op[1]);
    for (uint32_t k = 0; k < n->nops; k++) find_in_size(f, n->op[k]);
}

// Adds a condition for a == b if that holds only at the first or last index, so that it is false at
// all others.
static void add_equality(Finder *f, Node *a, Node *b)
{
    Session *cx = f->cx;
    Node *e = nat_sub(cx, a, b), *rest, *one = nat_const(cx, 1), *zero = nat_const(cx, 0);
    int64_t c;
    if (!loops_is_linear(cx, e, f->index, &c, &rest) || !is_unit(c)) return;
    Node *at = c > 0 ? nat_sub(cx, zero, rest) : rest, *i = nat_var(cx, f->index);
    if (nat_eq(cx, f->s->facts, at, f->from) == TRUTH_YES)
        add_condition(f, nat_sub(cx, nat_sub(cx, i, at), one));
    if (nat_eq(cx, f->s->facts, at, nat_sub(cx, f->to, one)) == TRUTH_YES)
        add_condition(f, nat_sub(cx, nat_sub(cx, at, i), one));
}

static void find_in_condition(Finder *f, Node *c)
{
    if (c->kind == LOOP_SELECT) // && and || are selects
        for (uint32_t k = 0; k < c->nops; k++) find_in_condition(f, c->op[k]);
    if (c->kind != CORE_PRIM) return;
    Node *a = loops_size(f->cx, c->op[0]), *b = c->nops == 2 ? loops_size(f->cx, c->op[1]) : NULL;
    if (a && b) {
        Node *one = nat_const(f->cx, 1);
        Node *a_b = nat_sub(f->cx, a, b), *b_a = nat_sub(f->cx, b, a);
        switch ((Prim)c->attr.i) {
        case PRIM_LT: add_condition(f, nat_sub(f->cx, b_a, one)); return;
        case PRIM_LE: add_condition(f, b_a); return;
        case PRIM_GT: add_condition(f, nat_sub(f->cx, a_b, one)); return;
        case PRIM_GE: add_condition(f, a_b); return;
        case PRIM_EQ:
        case PRIM_NE: add_equality(f, a, b); return;
        default: return;
        }
    }
    for (uint32_t k = 0; k < c->nops; k++) find_in_condition(f, c->op[k]);
}

static void find_in_node(Finder *f, Node *n)
{
    if (kind_info[n->kind].levels & LEVEL_NAT) {
        find_in_size(f, n);
        return;
    }
    if (kind_info[n->kind].levels & LEVEL_TYPE) return;
    if (map_get(&f->seen, MAP_KEY(n))) return;
    map_put(&f->seen, MAP_KEY(n), f);
    // A condition outside of the inner loops of a large body takes less time than these, and
    // several copies of the body would be much code. The bounds of inner loops become simpler.
    bool rare = f->heavy && f->loops.len == 0,
         chooses = n->kind == LOOP_IF || n->kind == LOOP_SELECT;
    if (chooses && !rare) find_in_condition(f, n->op[0]);
    if (n->kind == LOOP_DECL && !rare)
        find_in_condition(f, n->op[1]); // the local may name a condition
    if (loops_is_counted(n)) vec_push(f->cx->arena, &f->loops, n);
    for (uint32_t k = 0; k < n->nops; k++) find_in_node(f, n->op[k]);
    if (loops_is_counted(n)) f->loops.len--;
}

// --- splitting ---------------------------------------------------------------------------------

typedef struct {
    Session *cx;
    Simplifier *s;
} Split;

static Node *split_loop(Split *w, Node *loop, int depth);

// Whether a condition computes a remainder of the index, as in a with-loop generator with steps
// that starts at an offset. In such a loop, other conditions ensure that the dividend is not
// negative.
static bool computes_remainder(Session *cx, Node *n, Node *index, bool condition)
{
    if (node_is_size_or_type(n)) return false;
    if (condition && n->kind == CORE_PRIM && n->attr.i == PRIM_REM) {
        Node *of = loops_size(cx, n->op[0]), *by = loops_size(cx, n->op[1]);
        int64_t c;
        if (of && by && nat_is_const(by, &c) && nat_occurs(of, index)) return true;
    }
    bool chooses = n->kind == LOOP_IF || n->kind == LOOP_SELECT;
    for (uint32_t k = 0; k < n->nops; k++)
        if (computes_remainder(cx, n->op[k], index, condition || (chooses && k == 0))) return true;
    return false;
}

static bool is_short(Split *w, Node *loop)
{
    int64_t most;
    Node *length = nat_sub(w->cx, loops_to(loop), loops_from(loop));
    return nat_upper(w->cx, w->s->facts, length, &most) && most <= 16;
}

enum { MAX_DEPTH = 2, MAX_DEPTH_SHORT = 8 };

// Whether a part should not be split again. Splitting it again may help, since one condition may
// hide another, but border parts have few iterations, in which only remainders are costly.
static bool is_done(Split *w, Node *loop, int depth)
{
    if (!is_short(w, loop)) return depth >= MAX_DEPTH;
    Node *index = nat_var(w->cx, loop->attr.sym);
    return depth >= MAX_DEPTH_SHORT || !computes_remainder(w->cx, loops_body(loop), index, false);
}

// --- parts with at most one iteration -----------------------------------------------------------

// Conditions that hold together exactly if a range is not empty.
typedef struct {
    Split *w;
    Node *condition; // the conjunction of those not known to hold, or NULL
    Stmts differences;
} NotEmpty;

// Adds the condition from < to, which means that each operand of a maximum `from` is below each
// operand of a minimum `to`.
static void add_below(NotEmpty *e, Node *from, Node *to)
{
    Session *cx = e->w->cx;
    Kind kind = from->kind == NAT_MAX ? NAT_MAX : NAT_MIN;
    Node *n = kind == NAT_MAX ? from : to;
    if (n->kind == kind) {
        for (uint32_t k = 0; k < n->nops; k++)
            add_below(e, kind == NAT_MAX ? n->op[k] : from, kind == NAT_MAX ? to : n->op[k]);
        return;
    }
    vec_push(cx->arena, &e->differences, nat_sub(cx, nat_sub(cx, to, from), nat_const(cx, 1)));
    if (nat_lt(cx, e->w->s->facts, from, to) == TRUTH_YES) return;
    Node *less = simplify_expr(e->w->s, loops_compare(cx, PRIM_LT, from, to));
    e->condition = e->condition ? core_prim(cx, PRIM_AND, 2, (Node *[]){e->condition, less}) : less;
}

static bool is_at_most(Split *w, Node *from, Node *to, int64_t times)
{
    int64_t most;
    Node *end = nat_add(w->cx, from, nat_const(w->cx, times));
    return (nat_upper(w->cx, w->s->facts, nat_sub(w->cx, to, from), &most) && most <= times) ||
           nat_le(w->cx, w->s->facts, to, end) == TRUTH_YES;
}

// A border of a few iterations, of a loop on threads that may have many, is no work for threads.
static Node *few_in_order(Split *w, Node *part, Node *loop)
{
    bool few = part->kind == LOOP_PARALLEL &&
               is_at_most(w, loops_from(part), loops_to(part), FEW) &&
               !is_at_most(w, loops_from(loop), loops_to(loop), FEW);
    return few ? loops_sequential(w->cx, part) : part;
}

// Builds `if (from < to) body`, with `from` substituted for the index in the body.
static Node *once(Split *w, Node *loop, Node *from, Node *to)
{
    Simplifier *s = w->s;
    NotEmpty e = {.w = w};
    add_below(&e, from, to);
    Scope outer = simplifier_enter(s);
    for (int i = 0; i < e.differences.len; i++) facts_ge0(s->facts, e.differences.at[i]);
    Node *at = core_size(w->cx, simplify_size(s, from));
    map_put(&s->values, MAP_KEY(loop->attr.sym), (void *)(uintptr_t)at);
    Node *body = simplify_stmt(s, loops_body(loop));
    simplifier_leave(s, outer, body);
    if (!e.condition || loops_is_empty(body)) return body;
    Node *none = loops_block(w->cx, 0, NULL);
    return loops_if(w->cx, e.condition, loops_block(w->cx, 1, &body), none, loop->origin);
}

// The part [from, to) of the loop. In this part, lower <= i and i < upper hold, unless the bound is
// NULL, and so do the `scaled` conditions of a Finder, unless that is NULL.
typedef struct {
    Node *from, *to, *lower, *upper;
    const Finder *scaled;
} Part;

// A copy of the loop over one part, simplified with the facts that hold there.
static Node *part(Split *w, Node *loop, Part p, int depth)
{
    Session *cx = w->cx;
    Simplifier *s = w->s;
    loop = simplifier_copy(s, loop);
    Node *i = nat_var(cx, loop->attr.sym), *one = nat_const(cx, 1);
    Node *from = simplify_size(s, p.from), *to = simplify_size(s, p.to);
    if (nat_le(cx, s->facts, to, from) == TRUTH_YES) return loops_block(cx, 0, NULL);
    if (is_at_most(w, from, to, 1)) return once(w, loop, from, to);
    Scope outer = simplifier_enter(s);
    simplifier_assume_index(s, loop->attr.sym, from, to);
    if (p.lower) facts_ge0(s->facts, nat_sub(cx, i, p.lower));
    if (p.upper) facts_ge0(s->facts, nat_sub(cx, nat_sub(cx, p.upper, i), one));
    for (int k = 0; p.scaled && k < p.scaled->scaled.len; k++)
        facts_ge0(s->facts, loops_at(cx, p.scaled->scaled.at[k], p.scaled->index, i));
    facts_ge0(s->facts, nat_sub(cx, nat_sub(cx, loops_to(loop), loops_from(loop)), one));
    Node *body = simplify_stmt(s, loops_body(loop));
    simplifier_leave(s, outer, body);
    if (loops_is_empty(body)) return body;
    Node *done = loops_for(cx, loop, from, to, body);
    return split_loop(w, few_in_order(w, done, loop), depth + 1);
}

// Returns the point to use in bounds. A clamped point is stored in a local, since several bounds
// use it.
static Node *named_point(Split *w, Stmts *out, const Finder *f, const Point *p)
{
    Session *cx = w->cx;
    Facts *facts = w->s->facts;
    Node *decl;
    if (p->exact == p->clamped) return p->clamped;
    Node *cut = loops_integer(cx, "cut", simplify_size(w->s, p->clamped), &decl);
    simplifier_learn(w->s, decl);
    if (nat_le(cx, facts, f->from, f->to) == TRUTH_YES) {
        facts_ge0(facts, nat_sub(cx, cut, f->from));
        facts_ge0(facts, nat_sub(cx, f->to, cut));
    }
    vec_push(cx->arena, out, decl);
    return cut;
}

static Node *in_parts(Split *w, Node *loop, const Finder *f, int depth)
{
    Session *cx = w->cx;
    Node *from = f->from, *to = f->to, *middle_from = from, *middle_to = to;
    Node *lower = f->lower.exact, *upper = f->upper.exact;
    Stmts out = {0};
    Node *p = lower ? named_point(w, &out, f, &f->lower) : NULL;
    Node *q = upper ? named_point(w, &out, f, &f->upper) : NULL;
    if (lower) {
        Part first = {from, nat_min(cx, p, to), NULL, lower, NULL};
        vec_push(cx->arena, &out, part(w, loop, first, depth));
        middle_from = nat_max(cx, from, p);
    }
    if (upper) middle_to = nat_min(cx, q, to);
    Part middle = {middle_from, middle_to, lower, upper, f};
    vec_push(cx->arena, &out, part(w, loop, middle, depth));
    if (upper) {
        Part last = {nat_max(cx, middle_from, q), to, upper, NULL, NULL};
        vec_push(cx->arena, &out, part(w, loop, last, depth));
    }
    return loops_block(cx, out.len, out.at);
}

static Node *split_loop(Split *w, Node *loop, int depth)
{
    Session *cx = w->cx;
    Finder f = {.cx = cx,
                .index = loop->attr.sym,
                .from = loops_from(loop),
                .to = loops_to(loop),
                .s = w->s,
                .before = w->s->facts,
                .innermost = !loops_has_loop(loops_body(loop)),
                .heavy = loops_has_loop(loops_body(loop)) &&
                         loops_weight(loops_body(loop), HEAVY) >= HEAVY,
                .inner = map_new(cx->arena),
                .seen = map_new(cx->arena)};
    if (is_done(w, loop, depth)) return loop;
    loops_bound(loops_body(loop), &f.inner);
    map_put(&f.inner, MAP_KEY(f.index), w); // the bounds of an inner loop may contain it again
    Scope outer = simplifier_enter(w->s);
    simplifier_assume_index(w->s, loop->attr.sym, f.from, f.to);
    find_in_node(&f, loops_body(loop));
    simplifier_leave(w->s, outer, NULL);
    if (!f.lower.exact && !f.upper.exact) return loop;
    if (loops_weight(loops_body(loop), MAX_GROWN) * 3 > MAX_GROWN) return loop;
    return in_parts(w, loop, &f, depth);
}

// Whether the loop goes once over the lanes of vectors, whose parts are not vectors. Conditions on
// its index become masks or shuffles.
static bool is_one_vector(Node *s)
{
    int64_t lanes, count, from;
    return s->kind == LOOP_VECTORIZE && nat_is_const(s->op[0], &lanes) &&
           nat_is_const(loops_from(s), &from) && nat_is_const(loops_to(s), &count) && from == 0 &&
           count == lanes && (lanes & (lanes - 1)) == 0;
}

static Node *split(void *env, Node *stmt)
{
    Split *w = env;
    Node *done = simplifier_map(w->s, stmt, split, w);
    bool splits = loops_is_counted(done) && done->kind != LOOP_STRIDED && !is_one_vector(done);
    return splits ? split_loop(w, done, 0) : done;
}

// Larger entries are not split, since code size may double, and proofs about sizes take a long
// time.
enum { MAX_WEIGHT = 20000 };

static LoopEntry *split_entry(Session *cx, const LoopEntry *e)
{
    if (loops_weight(e->body, MAX_WEIGHT) >= MAX_WEIGHT) return loops_with_body(cx, e, e->body);
    Simplifier s = simplifier_new(cx, e);
    Split w = {cx, &s};
    Node *body = split(&w, e->body), *blocks = loops_split_by_remainder(&s, body);
    if (blocks != body) body = split(&w, blocks);
    if (body == e->body) return loops_with_body(cx, e, body);
    // names that only the border parts assigned are constant now
    return loops_simplify(cx, loops_with_body(cx, e, loops_dce(cx, body)));
}

LoopEntry *loops_index_set_split(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, split_entry);
}
