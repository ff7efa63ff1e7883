// Lowers terms for READ (lower.c describes the policy).
#include "memory_policy/internal.h"

static const Low *read_through(Lower *l, Node *e, Demand d, bool transposed);

// Whether the variant makes the term write its elements, in a loop or through a view.
static bool is_written(Node *e)
{
    bool loop = (e->kind == CORE_MAP || e->kind == CORE_GENERATE) && lower_has_loop(e);
    return loop || e->variant == VARIANT_DST || e->variant == VARIANT_WINDOW;
}

static const Low *read_variable(Lower *l, Node *e, Demand d)
{
    Low low = {.term = e};
    if (type_has_array(e->type)) low.uses = uses_one(l->arena, use_whole((int)e->attr.i, d));
    return low_new(l, low);
}

// Lowers a scalar operation, a tuple, or a component.
static const Low *read_parts(Lower *l, Node *e, Demand d)
{
    Build b = lower_build(l, e);
    for (uint32_t i = 0; i < e->nops; i++) {
        if (kind_sort((Kind)e->kind, (int)i) != SORT_TERM) continue;
        const Low *x = lower_read(l, e->op[i], d);
        lower_view_operand(&b, (int)i, x, x->cost);
    }
    b.cost = cost_plus(b.cost, cost_of_scalar(e), 0);
    return lower_finish(&b, (Variant)e->variant); // keeps the variant of an unchecked to_idx
}

const Low *lower_if(Lower *l, Node *e)
{
    Build b = lower_build(l, e);
    const Low *yes = lower_write(l, e->op[1]), *no = lower_write(l, e->op[2]);
    lower_operand_read(&b, 0, ONCE);
    lower_branches(&b, 1, yes, no);
    b.cost = cost_plus(b.cost, cost_of_scalar(e), 0);
    return lower_finish(&b, VARIANT_ANY);
}

// Whether a let's value, seen through views, is computed element by element, so that it may be
// delayed.
static bool is_computed(Node *value)
{
    if (value->kind == VIEW_CONCAT) return true; // choosing between two arrays counts as work
    while (kind_is_view((Kind)value->kind)) value = value->op[value->nops - 1];
    return value->kind == CORE_MAP || value->kind == CORE_GENERATE;
}

static bool is_view_or_computed(Node *value)
{
    return kind_is_view((Kind)value->kind) || is_computed(value);
}

// Whether let i of a chain reads an earlier array of the chain that may be delayed. If all arrays
// of such a chain were delayed, the work for one element would grow exponentially with the length
// of the chain.
static bool is_chained(Node *const *lets, int i, const Low *v)
{
    for (int k = 0; k < v->uses.len; k++) {
        int index = v->uses.at[k].index;
        if (index < i && is_computed(lets[i - 1 - index]->op[0])) return true;
    }
    return false;
}

// Whether the body of the let writes a location that the value reads, before it last uses the
// value.
static bool is_overwritten(Lower *l, Node *let, Uses value, Uses body)
{
    bool read = false, written = false;
    for (int i = 0; i < value.len; i++) read |= (value.at[i].place & USE_READ) != 0;
    for (int i = 0; i < body.len; i++) written |= (body.at[i].place & USE_WRITTEN) != 0;
    return read && written && policy_is_used_late(l, let->op[1], value, false);
}

// Rewrites let x = get p in b as b[x := get p] if x is not used after a write to p. The array in p
// can then be overwritten element by element. Returns NULL if the rewrite does not apply.
static Node *without_snapshot(Lower *l, Node *let)
{
    Node *value = let->op[0];
    if (value->kind != CORE_GET || !type_has_array(value->type)) return NULL;
    if (policy_is_used_late(l, let->op[1], lower_read(l, value, ONCE)->uses, true)) return NULL;
    return node_instantiate(l->cx, let->op[1], &value, 1);
}

enum { REPEATED = 2 };

// The number of uses of variable `index` in e, up to REPEATED. A use in a function or loop counts
// as REPEATED. Since terms are shared, `unused` records those in which the variable is not used.
static int times_used(Node *e, int index, Map *unused)
{
    if (e->loose <= (uint32_t)index) return 0;
    if (e->kind == CORE_VAR) return e->attr.i == index;
    uint64_t key = (uint64_t)e->id << 32 | (uint32_t)index;
    if (map_get(unused, key)) return 0;
    int n = 0;
    for (uint32_t k = 0; k < e->nops && n < REPEATED; k++)
        n += times_used(e->op[k], index + node_binds(e, (int)k), unused);
    if (n == 0) map_put(unused, key, unused);
    bool again = e->kind == CORE_LAM || e->kind == CORE_FOREVER;
    return n > 0 && again ? REPEATED : n;
}

// Whether the term has no side effects except on locations, and never jumps out. The innermost
// `depth` binders belong to the term. `seen` holds the terms for which this is already known.
static bool stays_inside(Node *e, int depth, Map *seen)
{
    if (e->kind == CORE_CALL || e->kind == CORE_ASSERT || e->kind == CORE_SPAWN ||
        e->kind == CORE_SYNC || e->kind == CORE_PREFETCH)
        return false;
    if (e->kind == CORE_JUMP && e->op[0]->attr.i >= depth) return false;
    uint64_t key = (uint64_t)e->id << 32 | (uint32_t)depth;
    if (e->nops == 0 || map_get(seen, key)) return true;
    map_put(seen, key, seen);
    for (uint32_t k = 0; k < e->nops; k++)
        if (!stays_inside(e->op[k], depth + node_binds(e, (int)k), seen)) return false;
    return true;
}

static bool touches_places(Uses uses)
{
    for (int i = 0; i < uses.len; i++)
        if (uses.at[i].place) return true;
    return false;
}

// Rewrites let x = v in b as b[x := v] if v is an array with a variant that writes its elements,
// and x is used only once. Returns NULL if the rewrite does not apply.
static Node *without_name(Lower *l, Node *let)
{
    Node *value = let->op[0];
    if (!type_has_array(value->type) || !is_written(value)) return NULL;
    Map unused = map_new(l->arena), seen = map_new(l->arena);
    if (times_used(let->op[1], 0, &unused) != 1 || !stays_inside(value, 0, &seen) ||
        touches_places(lower_write(l, value)->uses))
        return NULL;
    return node_instantiate(l->cx, let->op[1], &value, 1);
}

// Rewrites let x = v in put p x as put p v if v is an array that is computed from locations and x
// is used once, so that v can overwrite these locations. Returns NULL if the rewrite does not
// apply.
static Node *without_delay(Lower *l, Node *let)
{
    Node *value = let->op[0], *next = let->op[1];
    if (next->kind == CORE_LET) next = next->op[0];
    if (!type_has_array(value->type) || !is_computed(value) || lower_is_explicit(l)) return NULL;
    if (next->kind != CORE_SET || next->op[1]->kind != CORE_VAR || next->op[1]->attr.i != 0)
        return NULL;
    Map unused = map_new(l->arena), seen = map_new(l->arena);
    if (times_used(let->op[1], 0, &unused) != 1 || !stays_inside(value, 0, &seen)) return NULL;
    Uses uses = lower_read(l, value, ONCE)->uses;
    if (!touches_places(uses) || policy_is_used_late(l, let->op[1], uses, true)) return NULL;
    return node_instantiate(l->cx, let->op[1], &value, 1);
}

// Whether the demand repeats work on innermost elements, or work done once per row. Selecting a row
// again, for another of its elements, repeats no work.
static bool repeats_work(Node *type, Demand d, const Cost *cost)
{
    int rank = 0;
    for (; type->kind == TYPE_ARRAY; type = type->op[1]) rank++;
    for (int l = 0; l < DEMAND_LEVELS; l++) {
        bool innermost = l >= rank - 1 || l == DEMAND_LEVELS - 1;
        if ((d >> l & 1) && (innermost || cost->at[l] > 0)) return true;
    }
    return false;
}

// Whether the policy has stored the array only for the body to update it, so that it can be stored
// in the destination of the body.
static bool is_for_update(Lower *l, Node *let, Node *stored, Node *body)
{
    return stored->kind == CORE_TO_MEM && stored->variant == VARIANT_ANY &&
           let->op[0]->kind != CORE_TO_MEM && stored->type == body->type && !lower_is_explicit(l) &&
           policy_is_inplace(l->cx, l->arena, &l->free_vars, body, 1);
}

static Node *stored_in_place(Lower *l, Node *stored)
{
    stored = node_with_variant(l->cx, stored, VARIANT_INPLACE);
    lower_note_reason(l, stored, "it is updated in the memory of the result");
    return stored;
}

// Rewrites let x = to_mem v in let y = to_mem w in b as let y = to_mem (let x = to_mem.inplace v in
// w) in b if x is used only in w. Returns whether it did.
static bool store_together(Lower *l, Node *let, Node **value, Node **body)
{
    Session *cx = l->cx;
    if ((*body)->kind != CORE_LET) return false;
    Node *next = (*body)->op[0], *rest = (*body)->op[1];
    if (next->kind != CORE_TO_MEM || next->variant != VARIANT_ANY || node_uses(rest, 1) ||
        !is_for_update(l, let, *value, next->op[0]))
        return false;
    Node *ops[2] = {stored_in_place(l, *value), next->op[0]};
    *value = node_with_op(cx, next, 0, node_with_ops(cx, node_with_type(cx, let, next->type), ops));
    *body = node_shift(cx, rest, -1, 2);
    lower_note_reason(l, *value, "it is updated once more");
    return true;
}

// Whether the value of let i of a chain is a dense part of memory, which can be passed to a
// function as it is. Arrays from outside the chain count as memory. If the value is part of one,
// sets *outside to the index that this array's variable has in the value's scope.
static bool is_part_of_memory(Node *const *lets, int i, int *outside)
{
    Node *value = lets[i]->op[0];
    for (int at = i;;) {
        for (Node *array; (array = view_dense_array(value));) value = array;
        if (value->kind != CORE_VAR)
            return !is_view_or_computed(value) && value->kind != CORE_ARRAY;
        int index = (int)value->attr.i;
        if (index >= at) {
            *outside = index + i - at;
            return true;
        }
        at -= index + 1;
        value = lets[at]->op[0];
    }
}

// Whether the value of let i is an array that is not in memory, is used more than once, and is
// passed to a function, which needs a new copy each time. If not, *outside may be set as by
// is_part_of_memory.
static bool is_copied_often(Node *const *lets, int i, Uses body, int *outside)
{
    return uses_of(body, 0) != ONCE && uses_passed(body, 0) &&
           is_view_or_computed(lets[i]->op[0]) && !is_part_of_memory(lets, i, outside);
}

// Whether computing an element takes a loop, or as much work as one. Code of that size should not
// be repeated for each part of an array, even though each element is computed only once.
static bool has_loop(const Cost *cost)
{
    for (int l = 0; l < DEMAND_LEVELS; l++)
        if (cost->at[l] == COST_BIG) return true;
    return false;
}

// Lowers let i of a chain, whose body is already lowered. The demand on the let's value is the
// demand of the body on its variable.
static const Low *lower_let(Lower *l, Node *const *lets, int i, const Low *body, bool write)
{
    Node *e = lets[i];
    Build b = lower_build(l, e);
    Demand d = uses_of(body->uses, 0);
    const Low *v = lower_read(l, e->op[0], d);
    bool parts = uses_in_parts(body->uses, 0);
    if (parts && has_loop(&v->cost)) v = lower_read(l, e->op[0], d = MANY);
    bool delayed = type_has_array(e->op[0]->type) && v->term->kind != CORE_TO_MEM;
    bool given = e->op[0]->variant == VARIANT_SRC || lower_is_explicit(l);
    int passed = -1;
    if (!given && delayed && repeats_work(e->op[0]->type, d, &v->cost) && is_computed(e->op[0]) &&
        is_chained(lets, i, v))
        v = lower_to_mem(
            l, e->op[0],
            "its elements are read more than once, and depend on elements of another array");
    if (!given && delayed && is_copied_often(lets, i, body->uses, &passed))
        v = lower_to_mem(l, e->op[0], "it is passed to a function more than once");
    if (delayed && v->term->kind != CORE_TO_MEM && is_overwritten(l, e, v->uses, body->uses))
        v = lower_to_mem(l, e->op[0],
                         "an array that it reads is changed before the result is used");
    lower_operand(&b, 0, v, v->cost);
    if (passed >= 0) lower_pass(&b, passed);
    if (parts) b.uses = uses_for_parts(l->arena, b.uses);
    b.ops[1] = body->term;
    if (!store_together(l, e, &b.ops[0], &b.ops[1]) && write &&
        is_for_update(l, e, b.ops[0], b.ops[1]))
        b.ops[0] = stored_in_place(l, b.ops[0]);
    b.uses = uses_both(l->arena, b.uses, uses_outside(l->arena, body->uses, 1, BINDER_LET));
    b.cost = cost_sum(b.cost, body->cost);
    b.stored = body->stored;
    return lower_finish(&b, VARIANT_ANY);
}

// Lowers a let chain in a loop instead of by recursion, since programs may be long.
const Low *lower_lets(Lower *l, Node *e, bool write, Demand d)
{
    VEC(Node *) lets = {0};
    while (e->kind == CORE_LET) {
        Node *body = without_snapshot(l, e);
        if (!body) body = without_name(l, e);
        if (!body) body = without_delay(l, e);
        if (!body) vec_push(l->arena, &lets, e);
        e = body ? body : e->op[1];
    }
    const Low *low = write ? lower_write(l, e) : lower_read(l, e, d);
    for (int i = lets.len - 1; i >= 0; i--) low = lower_let(l, lets.at, i, low, write);
    return low;
}

// The number of indices applied to a variable, for example 2 in at (at x i) j. Returns 0 for any
// other term.
static int indexed_levels(Node *e)
{
    int n = 0;
    for (; e->kind == CORE_INDEX; e = e->op[0]) n++;
    return e->kind == CORE_VAR ? n : 0;
}

static Node *rebuild_indices(Lower *l, Node *e, int levels, Node *const *indices)
{
    if (levels == 0) return e;
    Node *ops[2] = {rebuild_indices(l, e->op[0], levels - 1, indices), indices[levels - 1]};
    return node_with_ops(l->cx, e, ops);
}

// Lowers at (at x i) j. The use of x records which of the indices are variables.
static const Low *read_indexed_variable(Lower *l, Node *e, int levels, Demand d)
{
    Use use = use_whole(0, d);
    Low low = {0};
    for (int k = 0; k < levels; k++) use.demand = demand_outer(use.demand, false);
    Node **indices = ARENA_ARRAY(l->arena, Node *, levels), *x = e;
    for (int k = levels - 1; k >= 0; k--, x = x->op[0]) {
        const Low *i = lower_read(l, x->op[1], ONCE);
        indices[k] = i->term;
        low.uses = uses_both(l->arena, low.uses, i->uses);
        low.cost = cost_sum(low.cost, i->cost);
        if (k < INDEXED_LEVELS && i->term->kind == CORE_VAR) use.by[k] = (int)i->term->attr.i;
    }
    use.index = (int)x->attr.i;
    low.uses = uses_both(l->arena, low.uses, uses_one(l->arena, use));
    low.term = rebuild_indices(l, e, levels, indices);
    return low_new(l, low);
}

static const Low *read_index(Lower *l, Node *e, Demand d)
{
    int levels = indexed_levels(e);
    if (levels > 0) return read_indexed_variable(l, e, levels, d);
    Build b = lower_build(l, e);
    const Low *xs = lower_read(l, e->op[0], demand_outer(d, false));
    lower_view_operand(&b, 0, xs, cost_inner(xs->cost));
    lower_operand_read(&b, 1, ONCE);
    return lower_finish(&b, VARIANT_ANY);
}

static const Low *delayed_or_stored(Build *b, Demand d)
{
    bool given = b->from->variant == VARIANT_SRC || lower_is_explicit(b->l);
    if (!given && cost_exceeds(b->cost, d))
        return lower_to_mem(b->l, b->from,
                            "its elements are read more than once and are expensive to compute");
    return lower_finish(b, VARIANT_SRC);
}

static const Low *read_map(Lower *l, Node *e, Demand d)
{
    Build b = lower_build(l, e);
    bool transposed = l->transposed;
    const Low *body = lower_read(l, e->op[0]->op[0], demand_inner(d));
    Demand inner = demand_of_elements(e->op[0], body);
    // if a scalar result is selected again, all reads of its computation are repeated
    if ((d & 1) && !type_has_array(e->type->op[1])) inner = MANY;
    const Low *xs = read_through(l, e->op[1], demand_outer(inner, d & 1), transposed);
    lower_function(&b, 0, body, BINDER_LOOP);
    lower_operand(&b, 1, xs, cost_repeated(xs->cost, demand_outer(inner, false)));
    b.cost = cost_sum(b.cost, cost_outer(body->cost));
    bool open = e->variant == VARIANT_ANY && xs->stored;
    b.stored = body->stored || (open && policy_with_put(l->cx, e));
    return delayed_or_stored(&b, d);
}

static const Low *read_generate(Lower *l, Node *e, Demand d)
{
    Build b = lower_build(l, e);
    const Low *body = lower_read(l, e->op[1]->op[0], demand_inner(d));
    lower_function(&b, 1, body, d & 1 ? BINDER_LOOP : BINDER_INDEX);
    b.cost = cost_outer(body->cost);
    b.stored = body->stored;
    return delayed_or_stored(&b, d);
}

static void refuse_inplace(Lower *l, Node *e)
{
    bool arrays = type_has_array(e->type);
    Diag *d = diag_error(l->cx, E0414, lower_here(l),
                         "this %s cannot update its accumulator in place", kind_info[e->kind].text);
    if (arrays)
        diag_note(l->cx, d, NO_SPAN,
                  "a step reads elements of the accumulator other than the one it writes");
    diag_help(l->cx, d, "write %s.seq: %s", kind_info[e->kind].text,
              arrays ? "it uses two buffers" : "its accumulator is a local variable");
}

const Low *lower_reduce(Lower *l, Node *e)
{
    bool arrays = type_has_array(e->type);
    if (e->kind == CORE_FOLD) e = policy_zip_once(l, e);
    if (!arrays && (e->variant == VARIANT_ANY || e->variant == VARIANT_SEQ))
        e = policy_reduce_rows(l->cx, e);
    Build b = lower_carried(l, e);
    b.cost = (Cost){.once = COST_BIG};
    bool inplace = arrays && policy_is_inplace(l->cx, l->arena, &l->free_vars, b.ops[0]->op[0], 2);
    if (e->variant == VARIANT_INPLACE && !inplace) refuse_inplace(l, e);
    const Low *low = lower_finish(&b, lower_variant(l, e, inplace ? VARIANT_INPLACE : VARIANT_SEQ));
    if (arrays)
        lower_note_reason(l, low->term,
                          inplace
                              ? "each step reads only the element of the accumulator that it writes"
                              : "a step may read other elements of the accumulator: two buffers");
    return low;
}

const Low *lower_iterate(Lower *l, Node *e)
{
    Build b = lower_build(l, e);
    lower_function(&b, 1, lower_write(l, e->op[1]->op[0]), BINDER_LOOP);
    lower_operand_write(&b, 2);
    b.cost = (Cost){.once = COST_BIG};
    bool inplace = type_has_array(e->type) &&
                   policy_is_inplace(l->cx, l->arena, &l->free_vars, b.ops[1]->op[0], 1);
    const Low *low = lower_finish(&b, inplace ? VARIANT_INPLACE : VARIANT_SEQ);
    if (inplace)
        lower_note_reason(l, low->term,
                          "each step reads only elements that it has not changed yet");
    return low;
}

static const Low *read_permute(Lower *l, Node *e, Demand d)
{
    Build b = lower_build(l, e);
    const Low *p = lower_read(l, e->op[0]->op[0], ONCE), *q = lower_read(l, e->op[1]->op[0], ONCE);
    const Low *xs = lower_read(l, e->op[2], d);
    lower_function(&b, 0, p, BINDER_LOOP);
    lower_function(&b, 1, q, BINDER_LOOP);
    lower_view_operand(&b, 2, xs, cost_plus(xs->cost, 0, p->cost.once));
    return lower_finish(&b, VARIANT_SRC);
}

// The demand on operand k of a view with demand d.
static Demand demand_of_operand(Lower *l, Node *view, int k, Demand d)
{
    switch (view_role(view, k)) {
    case ROLE_NUMBER: return ONCE;
    case ROLE_INDICES: return d & 1;
    case ROLE_VALUE: return MANY;
    case ROLE_SIZE:
    case ROLE_FUNCTION:
    case ROLE_DATA: break;
    }
    switch (view_row((Kind)view->kind)->levels) {
    case LEVELS_SAME: return d;
    case LEVELS_SPLIT: return demand_inner(d);
    case LEVELS_WINDOWS: { // windows overlap unless the step is at least their size
        bool apart = nat_le(l->cx, NULL, view->op[0], view->op[1]) == TRUTH_YES;
        return apart ? demand_inner(d) : (Demand)MANY;
    }
    case LEVELS_JOIN: return demand_outer(d, true);
    case LEVELS_SWAP: return d | 1;
    case LEVELS_REPEAT:
    case LEVELS_MANY: break;
    }
    return MANY;
}

// The cost of operand k, given how the view reads it.
static Cost cost_of_operand(Node *view, int k, Cost c)
{
    ViewRole role = view_role(view, k);
    if (role == ROLE_VALUE) return (Cost){.once = c.once}; // it is computed once
    if (role != ROLE_DATA) return c;
    Cost rows = {.once = c.once};
    switch (view_row((Kind)view->kind)->levels) {
    case LEVELS_SPLIT:
    case LEVELS_WINDOWS:
        for (int i = 1; i < DEMAND_LEVELS; i++) rows.at[i] = c.at[i - 1];
        return rows;
    case LEVELS_REPEAT:
        rows = cost_outer(c);
        rows.once = c.once;
        rows.at[0] = 0;
        return rows;
    case LEVELS_JOIN: return cost_joined(c);
    case LEVELS_SWAP:
        c.at[1] = (uint8_t)(c.at[0] + c.at[1] > COST_BIG ? COST_BIG : c.at[0] + c.at[1]);
        c.at[0] = 0;
        return c;
    case LEVELS_SAME:
    case LEVELS_MANY: break;
    }
    return c;
}

// Lowers a slice of a variable, and records the part that is used.
static const Low *read_slice_of_variable(Lower *l, Node *e, Demand d)
{
    Build b = lower_build(l, e);
    Use use = use_whole((int)e->op[2]->attr.i, d);
    use.from = e->op[0];
    use.to = nat_add(l->cx, e->op[0], e->op[1]);
    b.uses = uses_one(l->arena, use);
    return lower_finish(&b, VARIANT_SRC);
}

static const Low *read_view_with(Lower *l, Node *e, Demand d, bool component)
{
    Build b = lower_build(l, e);
    for (uint32_t i = 0; i < e->nops; i++) {
        if (kind_sort((Kind)e->kind, (int)i) != SORT_TERM) continue;
        Demand want = component ? d : demand_of_operand(l, e, (int)i, d);
        const Low *x = read_through(l, e->op[i], want, l->transposed);
        lower_view_operand(&b, (int)i, x, cost_of_operand(e, (int)i, x->cost));
    }
    return lower_finish(&b, VARIANT_SRC);
}

// An array that has to be stored is stored in the order in which it is read: transposed, unless an
// enclosing transpose restores the order.
static const Low *read_transpose(Lower *l, Node *e, Demand d)
{
    bool transposed = l->transposed;
    const Low *x = read_through(l, e->op[0], demand_of_operand(l, e, 0, d), !transposed);
    bool given = e->variant == VARIANT_SRC || lower_is_explicit(l);
    if (!given && x->term->kind == CORE_TO_MEM && d != ONCE && !transposed)
        return lower_to_mem(l, e, "stored in the order in which it is read");
    Build b = lower_build(l, e);
    lower_view_operand(&b, 0, x, cost_of_operand(e, 0, x->cost));
    return lower_finish(&b, VARIANT_SRC);
}

// Lowers a component of a variable, and records a use of this component only.
static const Low *read_part_of_variable(Lower *l, Node *e, Demand d)
{
    Low low = {.term = e};
    Use use = use_component((int)e->op[0]->attr.i, (int)e->attr.i, d);
    if (type_has_array(e->type)) low.uses = uses_one(l->arena, use);
    return low_new(l, low);
}

// Lowers a component. unzip(xs).k reads xs as often as the component itself is read.
static const Low *read_component(Lower *l, Node *e, Demand d)
{
    if (e->op[0]->kind == CORE_VAR) return read_part_of_variable(l, e, d);
    if (e->op[0]->kind != VIEW_UNZIP) return read_parts(l, e, d);
    Build b = lower_build(l, e);
    const Low *x = read_view_with(l, e->op[0], d, true);
    lower_view_operand(&b, 0, x, x->cost);
    return lower_finish(&b, VARIANT_ANY);
}

static const Low *read_view(Lower *l, Node *e, Demand d)
{
    const ViewRow *row = view_row((Kind)e->kind);
    if (row->levels == LEVELS_SWAP) return read_transpose(l, e, d);
    if (e->kind == VIEW_SLICE && e->op[2]->kind == CORE_VAR) return read_slice_of_variable(l, e, d);
    return row->writes == WRITES_PERMUTED ? read_permute(l, e, d) : read_view_with(l, e, d, false);
}

static const Low *read_kind(Lower *l, Node *e, Demand d)
{
    bool arrays = type_has_array(e->type);
    if (arrays && is_written(e)) return lower_to_mem(l, e, "it is written, and read here");
    switch (e->kind) {
    case CORE_VAR: return read_variable(l, e, d);
    case CORE_LIT:
    case CORE_NAT:
    case CORE_PRIM:
    case CORE_CAST:
    case CORE_TO_IDX:
#define NODE(kind, ...) case kind:
#include "ir/lanes.def"
#undef NODE
    case CORE_TUPLE: return read_parts(l, e, d);
    case CORE_PROJ: return read_component(l, e, d);
    case CORE_LET: return lower_lets(l, e, false, d);
    case CORE_INDEX: return read_index(l, e, d);
    case CORE_MAP: return read_map(l, policy_zip_once(l, e), d);
    case CORE_GENERATE: return read_generate(l, e, d);
    case CORE_IF:
        return arrays ? lower_to_mem(l, e, "only the branch taken is computed") : lower_if(l, e);
    case CORE_REDUCE:
    case CORE_FOLD:
        return arrays ? lower_to_mem(l, e, "the accumulator is an array") : lower_reduce(l, e);
    case CORE_ITERATE:
        return arrays ? lower_to_mem(l, e, "each step depends on the one before")
                      : lower_iterate(l, e);
    case CORE_SCAN:
    case CORE_SCAN_EX: return lower_to_mem(l, e, "each element depends on the one before");
    case CORE_SCATTER:
    case CORE_SCATTER_WITH:
        return lower_to_mem(l, e, "its elements are written in the order of the indices");
    case CORE_UNDEFINED:
        return arrays ? lower_to_mem(l, e, "nothing is written yet") : read_parts(l, e, d);
    case CORE_ARRAY:
        return lower_to_mem(l, e,
                            core_is_table(e) ? "it is a constant table"
                                             : "the elements of a literal are written one by one");
    case CORE_TO_MEM: return lower_given_to_mem(l, e);
    case CORE_COPY: return arrays ? lower_to_mem(l, e, "the copy is read") : lower_given_copy(l, e);
    case CORE_GET: return lower_get(l, e);
    case CORE_BORROW:
    case CORE_REF_AT:
    case CORE_REF_PROJ:
    case CORE_REF_SLICE: return lower_place(l, e);
    case CORE_NEW: return lower_cell(l, e);
    case CORE_SET: return lower_put(l, e);
    case CORE_JUMP: return lower_jump(l, e);
    case CORE_FOREVER:
    case CORE_RANGE:
    case CORE_PARALLEL:
    case CORE_VECTORIZE:
    case CORE_SPAWN: return lower_loop(l, e);
    case CORE_SYNC:
    case CORE_PREFETCH:
    case CORE_ASSERT: return lower_scalar_statement(l, e);
    case CORE_LABEL:
        return arrays ? lower_to_mem(l, e, "its value comes from more than one place")
                      : lower_label(l, e);
    case CORE_CALL: return arrays ? lower_to_mem(l, e, "a function writes it") : lower_call(l, e);
    default: break;
    }
    if (kind_is_view((Kind)e->kind)) return read_view(l, e, d);
    session_ice(l->cx, __FILE__, __LINE__, "%s in flat Core", kind_info[e->kind].text);
}

static const Low *read_through(Lower *l, Node *e, Demand d, bool transposed)
{
    if (!type_has_array(e->type) && e->kind != CORE_PROJ) d = ONCE;
    uint64_t key = ((uint64_t)e->id << 1 | transposed) << DEMAND_LEVELS | d;
    const Low *low = map_get(&l->reads, key);
    if (low) return low;
    bool outer = l->transposed;
    Span at = l->at;
    l->transposed = transposed;
    if (e->origin.file && e->kind != CORE_VAR) l->at = e->origin;
    low = read_kind(l, e, d);
    l->transposed = outer;
    l->at = at;
    map_put(&l->reads, key, (void *)(uintptr_t)low);
    return low;
}

const Low *lower_read_by_kind(Lower *l, Node *e, Demand d)
{
    return read_through(l, e, d, false);
}
