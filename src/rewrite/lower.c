// The default policy: flat Core to low Core, top down, in time linear in the term (each subterm is
// lowered once for each way it is wanted, and these are few).
//
// A term is lowered for WRITE (there is a destination) or for READ with a demand: per nesting level
// of the array, whether an element may be selected more than once. A variable learns the demand on
// it from the lowered scope of its binder: the value of a let and the array of a map are lowered
// after the body.
//
// READ
//   * map, generate: delayed (.src), unless some level is selected more than once and an element
//     there costs more than two simple operations, calls for a loop or for memory: then to_mem of
//     the WRITE form. So a map over a map is one loop, and what a stencil, a row used twice or a
//     second consumer reads again is stored first.
//   * views: .src. The argument is wanted as the view reads it: split's one level further in;
//   join's
//     and transpose's outer elements once for each inner one; all of an overlapping slide's,
//     gather's and repeat's more than once; the others' as the view is wanted itself.
//   * reduce, fold with a scalar accumulator: a loop that reads the array once, so no buffer for
//     reduce(op, z, map(f, xs)).
//   * let of an array: the value READ with the demand of its scope, so memory only where it pays.
//   * the rest (scan, iterate, scatter, array literals, `if` and accumulators with arrays): to_mem
//   of
//     the WRITE form.
// WRITE
//   * map, generate: .seq, the body in WRITE.
//   * zip, concat, unzip, join, pad with a constant: .dst, the arguments write to their parts of
//   the
//     destination. So do the components of a tuple.
//   * split, transpose, reverse, rotate, permute: copy of .src, one loop over the result; .dst when
//     the argument must be written itself (a scan, rows that need memory), instead of a buffer and
//     a copy.
//   * reduce, fold, scan, iterate, scatter: .seq; .inplace where one accumulator is enough.
//   * if, let: WRITE in both branches, in the body.
//   * the rest (variables, components, at, slide, gather, repeat, slice, pad with other modes):
//   copy
//     of the READ form.
#include "rewrite/internal.h"

typedef struct {
    Node *term;
    Uses uses;
    Cost cost;
    bool stored; // the array, or its rows, are made by a to_mem here: writing would be direct
} Low;

typedef struct {
    Session *cx;
    Arena *arena;
    Map reads, writes; // node (and demand) -> Low
    Map why;           // low node -> reason
} Lower;

static const Low *lower_read(Lower *l, Node *e, Demand d);
static const Low *lower_write(Lower *l, Node *e);

// --- putting terms together --------------------------------------------------

static const Low *low_new(Lower *l, Low low)
{
    Low *n = ARENA_NEW(l->arena, Low);
    *n = low;
    return n;
}

// A node in the making: operands as they are lowered, their uses and costs summed up.
typedef struct {
    Lower *l;
    Node *from, **ops;
    Uses uses;
    Cost cost;
    bool stored;
} Build;

static Build build(Lower *l, Node *from)
{
    Build b = {.l = l, .from = from, .ops = ARENA_ARRAY(l->arena, Node *, from->nops + 1)};
    memcpy(b.ops, from->op, sizeof *b.ops * from->nops);
    return b;
}

// Operand k, with its cost as given (the operand's own, or as the node sees it).
static void operand(Build *b, int k, const Low *x, Cost cost)
{
    b->ops[k] = x->term;
    b->uses = uses_both(b->l->arena, b->uses, x->uses);
    b->cost = cost_sum(b->cost, cost);
}

static void view_operand(Build *b, int k, const Low *x, Cost cost)
{
    operand(b, k, x, cost);
    b->stored |= x->stored;
}

// Operand k is a lambda with this body, run in a loop.
static void function(Build *b, int k, const Low *body)
{
    Node *lam = b->from->op[k];
    b->ops[k] = node_with_op(b->l->cx, lam, 0, body->term);
    b->uses = uses_both(b->l->arena, b->uses,
                        uses_outside(b->l->arena, body->uses, (int)lam->attr.i, true));
}

static const Low *finish(Build *b, Variant variant)
{
    Node *term = node_with_variant(b->l->cx, node_with_ops(b->l->cx, b->from, b->ops), variant);
    return low_new(b->l, (Low){term, b->uses, b->cost, b->stored});
}

static void tell(Lower *l, Node *low, const char *why)
{
    if (!map_get(&l->why, MAP_KEY(low))) map_put(&l->why, MAP_KEY(low), (void *)(uintptr_t)why);
}

static Node *wrap(Lower *l, Kind kind, Node *e)
{
    return node_make(
        l->cx,
        &(NodeSpec){.kind = kind, .type = e->type, .nops = 1, .ops = &e, .origin = e->origin});
}

static const Low *to_mem(Lower *l, Node *e, const char *why)
{
    const Low *w = lower_write(l, e);
    Low low = {.term = wrap(l, CORE_TO_MEM, w->term),
               .uses = w->uses,
               .cost.once = COST_BIG,
               .stored = true};
    tell(l, low.term, why);
    return low_new(l, low);
}

static const Low *copy(Lower *l, const Low *r)
{
    if (r->term->kind == CORE_TO_MEM)
        return low_new(l, (Low){.term = r->term->op[0], .uses = r->uses});
    return low_new(l, (Low){.term = wrap(l, CORE_COPY, r->term), .uses = r->uses});
}

static Node *body_of(Node *lam)
{
    return lam->op[0];
}

// The demand on an array that a lambda with this body goes through, whose last parameter is the
// element.
static Demand demand_of_elements(Node *lam, const Low *body)
{
    Node *x = type_param(lam->type, (int)lam->attr.i - 1);
    return type_has_array(x) ? uses_of(body->uses, 0) : ONCE;
}

// --- READ --------------------------------------------------------------------

static const Low *read_variable(Lower *l, Node *e, Demand d)
{
    Low low = {.term = e};
    if (type_has_array(e->type)) low.uses = uses_one(l->arena, (int)e->attr.i, d);
    return low_new(l, low);
}

// Scalars; tuples and components of anything.
static const Low *read_parts(Lower *l, Node *e, Demand d)
{
    Build b = build(l, e);
    for (uint32_t i = 0; i < e->nops; i++) {
        if (kind_sort((Kind)e->kind, (int)i) != SORT_TERM) continue;
        const Low *x = lower_read(l, e->op[i], d);
        view_operand(&b, (int)i, x, x->cost);
    }
    b.cost = cost_plus(b.cost, cost_of_scalar(e), 0);
    return finish(&b, VARIANT_ANY);
}

// let x = v in b: v is wanted as b reads x
static const Low *lower_let(Lower *l, Node *e, const Low *body)
{
    Build b = build(l, e);
    const Low *v = lower_read(l, e->op[0], uses_of(body->uses, 0));
    operand(&b, 0, v, v->cost);
    b.ops[1] = body->term;
    b.uses = uses_both(l->arena, b.uses, uses_outside(l->arena, body->uses, 1, false));
    b.cost = cost_sum(b.cost, body->cost);
    b.stored = body->stored;
    return finish(&b, VARIANT_ANY);
}

static const Low *read_index(Lower *l, Node *e, Demand d)
{
    Build b = build(l, e);
    const Low *xs = lower_read(l, e->op[0], demand_outer(d, false)),
              *i = lower_read(l, e->op[1], ONCE);
    view_operand(&b, 0, xs, cost_inner(xs->cost));
    operand(&b, 1, i, i->cost);
    return finish(&b, VARIANT_ANY);
}

static const Low *delayed_or_stored(Build *b, Demand d)
{
    if (cost_exceeds(b->cost, d))
        return to_mem(b->l, b->from, "its elements are read more than once and cost work");
    return finish(b, VARIANT_SRC);
}

static const Low *read_map(Lower *l, Node *e, Demand d)
{
    Build b = build(l, e);
    const Low *body = lower_read(l, body_of(e->op[0]), demand_inner(d));
    Demand inner = demand_of_elements(e->op[0], body);
    // a scalar result selected again reads all it needs again
    if ((d & 1) && !type_has_array(e->type->op[1])) inner = MANY;
    const Low *xs = lower_read(l, e->op[1], demand_outer(inner, d & 1));
    function(&b, 0, body);
    operand(&b, 1, xs, xs->cost);
    b.cost = cost_sum(b.cost, cost_outer(body->cost));
    b.stored = body->stored;
    return delayed_or_stored(&b, d);
}

static const Low *read_generate(Lower *l, Node *e, Demand d)
{
    Build b = build(l, e);
    const Low *body = lower_read(l, body_of(e->op[1]), demand_inner(d));
    function(&b, 1, body);
    b.cost = cost_outer(body->cost);
    b.stored = body->stored;
    return delayed_or_stored(&b, d);
}

// reduce, fold
static const Low *lower_reduce(Lower *l, Node *e, bool write)
{
    Build b = build(l, e);
    const Low *body =
        write ? lower_write(l, body_of(e->op[0])) : lower_read(l, body_of(e->op[0]), ONCE);
    const Low *z = write ? lower_write(l, e->op[1]) : lower_read(l, e->op[1], ONCE);
    const Low *xs =
        lower_read(l, e->op[2], demand_outer(demand_of_elements(e->op[0], body), false));
    function(&b, 0, body);
    operand(&b, 1, z, z->cost);
    operand(&b, 2, xs, xs->cost);
    b.cost = (Cost){.once = COST_BIG};
    bool inplace = write && rewrite_is_inplace(l->cx, l->arena, b.ops[0]);
    const Low *low = finish(&b, inplace ? VARIANT_INPLACE : VARIANT_SEQ);
    if (write)
        tell(l, low->term,
             inplace ? "each step reads of the accumulator only what it writes"
                     : "a step may read other elements of the accumulator: two buffers");
    return low;
}

static const Low *lower_iterate(Lower *l, Node *e, bool write)
{
    Build b = build(l, e);
    const Low *body =
        write ? lower_write(l, body_of(e->op[1])) : lower_read(l, body_of(e->op[1]), ONCE);
    const Low *x = write ? lower_write(l, e->op[2]) : lower_read(l, e->op[2], ONCE);
    function(&b, 1, body);
    operand(&b, 2, x, x->cost);
    b.cost = (Cost){.once = COST_BIG};
    return finish(&b, VARIANT_SEQ);
}

static const Low *read_permute(Lower *l, Node *e, Demand d)
{
    Build b = build(l, e);
    const Low *p = lower_read(l, body_of(e->op[0]), ONCE),
              *q = lower_read(l, body_of(e->op[1]), ONCE);
    const Low *xs = lower_read(l, e->op[2], d);
    function(&b, 0, p);
    function(&b, 1, q);
    view_operand(&b, 2, xs, cost_plus(xs->cost, 0, p->cost.once));
    return finish(&b, VARIANT_SRC);
}

static bool overlaps(Lower *l, Node *slide)
{
    return nat_le(l->cx, NULL, slide->op[0], slide->op[1]) != TRUTH_YES;
}

// How operand k of a view is wanted when the view is wanted with d.
static Demand demand_of_operand(Lower *l, Node *view, int k, Demand d)
{
    switch (view->kind) {
    case VIEW_SPLIT: return demand_inner(d);
    case VIEW_JOIN: return demand_outer(d, true);
    case VIEW_TRANSPOSE: return d | 1;
    case VIEW_SLIDE: return overlaps(l, view) ? (Demand)MANY : demand_inner(d);
    case VIEW_REPEAT: return MANY;
    case VIEW_UNZIP: return MANY; // by each component; one component alone: read_component
    case VIEW_PAD: return k == 2 && view->attr.i == PAD_CONST ? (Demand)MANY : d;
    case VIEW_ROTATE: return k == 0 ? (Demand)ONCE : d;
    case VIEW_GATHER: return k == 0 ? (d & 1) : (Demand)MANY;
    default: return d;
    }
}

// The cost of operand k as part of the view.
static Cost cost_of_operand(Node *view, int k, Cost c)
{
    switch (view->kind) {
    case VIEW_SPLIT:
    case VIEW_SLIDE: {
        Cost rows = cost_outer((Cost){.once = 0});
        for (int i = 1; i < DEMAND_LEVELS; i++) rows.at[i] = c.at[i - 1];
        rows.once = c.once;
        return rows;
    }
    case VIEW_REPEAT: {
        Cost rows = cost_outer(c);
        rows.once = c.once;
        rows.at[0] = 0;
        return rows;
    }
    case VIEW_JOIN: return cost_joined(c);
    case VIEW_TRANSPOSE:
        c.at[1] = (uint8_t)(c.at[0] + c.at[1] > COST_BIG ? COST_BIG : c.at[0] + c.at[1]);
        c.at[0] = 0;
        return c;
    case VIEW_PAD: // the value is computed once
        return k == 2 && view->attr.i == PAD_CONST ? (Cost){.once = c.once} : c;
    default: return c;
    }
}

static const Low *read_view_with(Lower *l, Node *e, Demand d, bool component)
{
    Build b = build(l, e);
    for (uint32_t i = 0; i < e->nops; i++) {
        if (kind_sort((Kind)e->kind, (int)i) != SORT_TERM) continue;
        Demand want = component ? d : demand_of_operand(l, e, (int)i, d);
        const Low *x = lower_read(l, e->op[i], want);
        view_operand(&b, (int)i, x, cost_of_operand(e, (int)i, x->cost));
    }
    return finish(&b, VARIANT_SRC);
}

// unzip(xs).k reads xs as often as it is read itself
static const Low *read_component(Lower *l, Node *e, Demand d)
{
    if (e->op[0]->kind != VIEW_UNZIP) return read_parts(l, e, d);
    Build b = build(l, e);
    const Low *x = read_view_with(l, e->op[0], d, true);
    view_operand(&b, 0, x, x->cost);
    return finish(&b, VARIANT_ANY);
}

static const Low *read_kind(Lower *l, Node *e, Demand d)
{
    bool arrays = type_has_array(e->type);
    switch (e->kind) {
    case CORE_VAR: return read_variable(l, e, d);
    case CORE_LIT:
    case CORE_NAT:
    case CORE_PRIM:
    case CORE_CAST:
    case CORE_TO_IDX:
    case CORE_TUPLE: return read_parts(l, e, d);
    case CORE_PROJ: return read_component(l, e, d);
    case CORE_LET: return lower_let(l, e, lower_read(l, e->op[1], d));
    case CORE_INDEX: return read_index(l, e, d);
    case CORE_MAP: return read_map(l, e, d);
    case CORE_GENERATE: return read_generate(l, e, d);
    case CORE_IF:
        return arrays ? to_mem(l, e, "only the branch taken is computed") : read_parts(l, e, ONCE);
    case CORE_REDUCE:
    case CORE_FOLD:
        return arrays ? to_mem(l, e, "the accumulator is an array") : lower_reduce(l, e, false);
    case CORE_ITERATE:
        return arrays ? to_mem(l, e, "each step needs the one before") : lower_iterate(l, e, false);
    case CORE_SCAN:
    case CORE_SCAN_EX: return to_mem(l, e, "each element needs the one before");
    case CORE_SCATTER:
    case CORE_SCATTER_WITH:
        return to_mem(l, e, "its elements are written in the order of the indices");
    case CORE_ARRAY: return to_mem(l, e, "the elements of a literal are written one by one");
    case VIEW_PERMUTE: return read_permute(l, e, d);
    case VIEW_ZIP:
    case VIEW_UNZIP:
    case VIEW_SPLIT:
    case VIEW_JOIN:
    case VIEW_TRANSPOSE:
    case VIEW_SLIDE:
    case VIEW_PAD:
    case VIEW_CONCAT:
    case VIEW_REPEAT:
    case VIEW_SLICE:
    case VIEW_REVERSE:
    case VIEW_ROTATE:
    case VIEW_GATHER: return read_view_with(l, e, d, false);
    default: break;
    }
    session_ice(l->cx, __FILE__, __LINE__, "%s in flat Core", kind_info[e->kind].text);
}

static const Low *lower_read(Lower *l, Node *e, Demand d)
{
    if (!type_has_array(e->type) && e->kind != CORE_PROJ) d = ONCE;
    uint64_t key = (uint64_t)e->id << DEMAND_LEVELS | d;
    const Low *low = map_get(&l->reads, key);
    if (low) return low;
    low = read_kind(l, e, d);
    map_put(&l->reads, key, (void *)(uintptr_t)low);
    return low;
}

// --- WRITE -------------------------------------------------------------------

static const Low *write_map(Lower *l, Node *e)
{
    Build b = build(l, e);
    const Low *body = lower_write(l, body_of(e->op[0]));
    const Low *xs =
        lower_read(l, e->op[1], demand_outer(demand_of_elements(e->op[0], body), false));
    function(&b, 0, body);
    operand(&b, 1, xs, xs->cost);
    return finish(&b, VARIANT_SEQ);
}

static const Low *write_generate(Lower *l, Node *e)
{
    Build b = build(l, e);
    function(&b, 1, lower_write(l, body_of(e->op[1])));
    return finish(&b, VARIANT_SEQ);
}

// scan, scan_ex: f, z, xs
static const Low *write_scan(Lower *l, Node *e)
{
    Build b = build(l, e);
    const Low *body = lower_write(l, body_of(e->op[0])), *z = lower_write(l, e->op[1]);
    const Low *xs =
        lower_read(l, e->op[2], demand_outer(demand_of_elements(e->op[0], body), false));
    function(&b, 0, body);
    operand(&b, 1, z, z->cost);
    operand(&b, 2, xs, xs->cost);
    return finish(&b, VARIANT_SEQ);
}

static const Low *write_scatter(Lower *l, Node *e)
{
    Build b = build(l, e);
    int k = 0;
    Demand elements = ONCE;
    if (e->kind == CORE_SCATTER_WITH) {
        const Low *body = lower_write(l, body_of(e->op[0])), *z = lower_read(l, e->op[1], MANY);
        elements = demand_of_elements(e->op[0], body);
        function(&b, 0, body);
        operand(&b, 1, z, z->cost);
        k = 2;
    }
    const Low *idx = lower_read(l, e->op[k], ONCE),
              *xs = lower_read(l, e->op[k + 1], demand_outer(elements, false));
    operand(&b, k, idx, idx->cost);
    operand(&b, k + 1, xs, xs->cost);
    return finish(&b, VARIANT_SEQ);
}

// Terms whose data operands from number `first` on are written, those before read.
static const Low *write_parts(Lower *l, Node *e, int first, Variant variant)
{
    Build b = build(l, e);
    for (int i = 0; i < (int)e->nops; i++) {
        Sort sort = kind_sort((Kind)e->kind, i);
        if (sort == SORT_FUN) function(&b, i, lower_read(l, body_of(e->op[i]), ONCE));
        if (sort != SORT_TERM) continue;
        const Low *x = i < first ? lower_read(l, e->op[i], MANY) : lower_write(l, e->op[i]);
        operand(&b, i, x, x->cost);
    }
    return finish(&b, variant);
}

static const Low *destination(Lower *l, Node *e, int first, const char *why)
{
    const Low *low = write_parts(l, e, first, VARIANT_DST);
    tell(l, low->term, why);
    return low;
}

// Views with a put side whose get side makes one loop over the result.
static const Low *write_view(Lower *l, Node *e, int first)
{
    const Low *r = lower_read(l, e, ONCE);
    if (!r->stored) return copy(l, r);
    return destination(l, e, first, "the argument must be written: into its places in the result");
}

static const Low *write_pad(Lower *l, Node *e)
{
    if (e->attr.i != PAD_CONST) return copy(l, lower_read(l, e, ONCE));
    return destination(l, e, 3, "the inside is written in place, then the border");
}

static const Low *write_kind(Lower *l, Node *e)
{
    switch (e->kind) {
    case CORE_LET: return lower_let(l, e, lower_write(l, e->op[1]));
    case CORE_TUPLE:
    case CORE_ARRAY: return write_parts(l, e, 0, VARIANT_ANY);
    case CORE_IF: return write_parts(l, e, 1, VARIANT_ANY);
    case CORE_MAP: return write_map(l, e);
    case CORE_GENERATE: return write_generate(l, e);
    case CORE_REDUCE:
    case CORE_FOLD: return lower_reduce(l, e, true);
    case CORE_SCAN:
    case CORE_SCAN_EX: return write_scan(l, e);
    case CORE_ITERATE: return lower_iterate(l, e, true);
    case CORE_SCATTER:
    case CORE_SCATTER_WITH: return write_scatter(l, e);
    case VIEW_ZIP:
    case VIEW_CONCAT:
        return destination(l, e, 0, "each argument is written to its part of the result");
    case VIEW_UNZIP: return destination(l, e, 0, "one pass writes all components");
    case VIEW_JOIN: return destination(l, e, 0, "nested loops instead of division");
    case VIEW_SPLIT:
    case VIEW_TRANSPOSE:
    case VIEW_REVERSE:
    case VIEW_PERMUTE: return write_view(l, e, 0);
    case VIEW_ROTATE: return write_view(l, e, 1);
    case VIEW_PAD: return write_pad(l, e);
    default: return copy(l, lower_read(l, e, ONCE));
    }
}

static const Low *lower_write(Lower *l, Node *e)
{
    if (!type_has_array(e->type)) return lower_read(l, e, ONCE);
    const Low *low = map_get(&l->writes, MAP_KEY(e));
    if (low) return low;
    low = write_kind(l, e);
    map_put(&l->writes, MAP_KEY(e), (void *)(uintptr_t)low);
    return low;
}

Function *rewrite_lower(Session *cx, const Function *flat, Choices *choices)
{
    Arena *arena = arena_new();
    Lower l = {.cx = cx, .arena = arena};
    l.reads = map_new(arena);
    l.writes = map_new(arena);
    l.why = map_new(arena);
    Function *low = ARENA_NEW(cx->arena, Function);
    *low = *flat;
    low->body = lower_write(&l, flat->body)->term;
    if (choices) rewrite_tell(cx, arena, low->body, &l.why, choices);
    arena_delete(arena);
    return low;
}
