// Converts expressions to vectors. Only the lanes of a mask need a value; inactive lanes access no
// memory and cannot fail.
#include "loops/vector/vectors.h"

// --- nodes --------------------------------------------------------------------------------------

Node *vec_type(const Divergence *d, Node *element)
{
    return type_vec(d->cx, d->lanes, element);
}

static Node *made(const Divergence *d, Kind kind, Sym name, Node *type, int n, Node *const *ops)
{
    return node_make(
        d->cx,
        &(NodeSpec){
            .kind = kind, .attr.sym = name, .type = vec_type(d, type), .nops = n, .ops = ops});
}

Node *vec_splat(const Divergence *d, Node *e)
{
    return made(d, LOOP_SPLAT, NULL, e->type, 1, &e);
}

// Applies an operator lane by lane. Both operands have the same type, and `b` is NULL for a unary
// operator. The type of the result follows the rule of core_prim for each lane.
Node *vec_prim(Session *cx, Prim op, Node *a, Node *b)
{
    Node *ops[2] = {a, b};
    NodeSpec spec = {.kind = CORE_PRIM, .attr.i = op, .nops = b ? 2 : 1, .ops = ops};
    const char *why;
    spec.type = loops_type_rule(cx, &spec, &why);
    CHECK(cx, spec.type, "%s", why);
    return node_make(cx, &spec);
}

Node *vec_cast(const Divergence *d, Node *e, Node *element)
{
    Node *type = vec_type(d, element);
    if (e->type == type) return e;
    return node_make(d->cx, &(NodeSpec){.kind = CORE_CAST, .type = type, .nops = 1, .ops = &e});
}

// The type for lane numbers, which is as wide as the elements if the numbers fit.
static Node *lane_number_type(const Divergence *d)
{
    static const Scalar by_size[] = {
        [1] = SCALAR_I8, [2] = SCALAR_I16, [4] = SCALAR_I32, [8] = SCALAR_I64};
    return type_scalar(d->cx, by_size[d->lanes > INT8_MAX && d->widest == 1 ? 2 : d->widest]);
}

Node *vec_lanes_by(const Divergence *d, Prim op, Node *bound)
{
    Session *cx = d->cx;
    Node *type = lane_number_type(d);
    Node *lane = made(d, LOOP_IOTA, NULL, type_scalar(cx, SCALAR_I64), 0, NULL);
    return vec_prim(cx, op, vec_cast(d, lane, type), vec_splat(d, core_cast(cx, bound, type)));
}

Node *vec_reversed(const Divergence *d, Node *v)
{
    int n = (int)d->lanes + 2;
    Node **ops = ARENA_ARRAY(d->cx->arena, Node *, n);
    ops[0] = v;
    ops[1] = loops_zeros(d->cx, v->type);
    for (int64_t k = 0; k < d->lanes; k++) ops[2 + k] = nat_const(d->cx, d->lanes - 1 - k);
    return node_make(d->cx,
                     &(NodeSpec){.kind = LOOP_SHUFFLE, .type = v->type, .nops = n, .ops = ops});
}

static bool is_truth(Node *mask, bool value)
{
    Scalar s;
    return mask->kind == LOOP_SPLAT && mask->op[0]->kind == CORE_LIT &&
           (mask->op[0]->attr.i != 0) == value && type_is_scalar(mask->op[0]->type, &s) &&
           s == SCALAR_BOOL;
}

Node *vec_not(Session *cx, Node *mask)
{
    if (mask->kind == CORE_PRIM && mask->attr.i == PRIM_NOT) return mask->op[0];
    return vec_prim(cx, PRIM_NOT, mask, NULL);
}

Node *vec_and(Session *cx, Node *a, Node *b)
{
    if (!a || !b) return a ? a : b;
    if (a == b || is_truth(b, true)) return a;
    return is_truth(a, true) ? b : vec_prim(cx, PRIM_AND, a, b);
}

Node *vec_full_mask(const Divergence *d)
{
    return vec_splat(d, core_bool(d->cx, true));
}

Node *vec_any(Session *cx, Node *mask)
{
    return node_make(
        cx, &(NodeSpec){
                .kind = LOOP_ANY, .type = type_scalar(cx, SCALAR_BOOL), .nops = 1, .ops = &mask});
}

// Whether selecting between x and `other` by this mask yields just x: `other` is 0, and x is a load
// under the mask, so its inactive lanes are 0, too.
static bool selects_by_itself(Node *x, Node *mask, Node *other)
{
    bool zero =
        other->kind == LOOP_SPLAT && other->op[0]->kind == CORE_LIT && other->op[0]->attr.bits == 0;
    return zero && (x->kind == LOOP_LOAD_WHERE || loops_is_gather(x)) && x->op[1] == mask;
}

Node *vec_select(Session *cx, Node *mask, Node *a, Node *b)
{
    if (a == b) return a;
    if (is_truth(b, false)) return vec_and(cx, mask, a);
    if (is_truth(a, false)) return vec_and(cx, vec_not(cx, mask), b);
    if (is_truth(a, true)) return vec_prim(cx, PRIM_OR, mask, b);
    if (selects_by_itself(a, mask, b)) return a;
    if (selects_by_itself(b, vec_not(cx, mask), a)) return b;
    return loops_select(cx, mask, a, b);
}

Node *vec_declare(IfConverter *l, const char *name, Node *value)
{
    Node *decl, *local = loops_name(l->cx, name, value, &decl, NO_SPAN);
    vec_push(l->cx->arena, l->out, decl);
    return local;
}

// --- sizes --------------------------------------------------------------------------------------

static Node *i64_of(const IfConverter *l, Node *size)
{
    return vec_splat(l->d, core_size(l->cx, size));
}

// The vector that holds the size's value in lane 0 and grows by `step` from one lane to the next.
static Node *linear(const IfConverter *l, Node *size, int64_t step)
{
    Session *cx = l->cx;
    Node *by = made(l->d, LOOP_IOTA, NULL, type_scalar(cx, SCALAR_I64), 0, NULL);
    if (step != 1) by = vec_prim(cx, PRIM_MUL, by, i64_of(l, nat_const(cx, step)));
    return vec_prim(cx, PRIM_ADD, i64_of(l, size), by);
}

// Converts a sum. The terms that do not vary are added first, as one size.
static Node *sum_of(IfConverter *l, Node *size, Node *mask)
{
    Session *cx = l->cx;
    Node *even = nat_const(cx, 0), *sum = NULL;
    for (uint32_t i = 0; i < size->nops; i++) {
        if (!divergence_of(l->d, size->op[i]).varies) {
            even = nat_add(cx, even, size->op[i]);
        } else {
            Node *term = vector_size(l, size->op[i], mask);
            sum = sum ? vec_prim(cx, PRIM_ADD, sum, term) : term;
        }
    }
    int64_t none;
    if (nat_is_const(even, &none) && none == 0) return sum;
    return vec_prim(cx, PRIM_ADD, sum, vector_size(l, even, mask));
}

static Node *product_of(IfConverter *l, Node *size, Node *mask)
{
    Session *cx = l->cx;
    Node *even = nat_const(cx, size->attr.i), *product = NULL;
    for (uint32_t i = 0; i < size->nops; i++) {
        if (shape_is_uniform(divergence_of(l->d, size->op[i]))) {
            even = nat_mul(cx, even, size->op[i]);
        } else {
            Node *factor = vector_size(l, size->op[i], mask);
            product = product ? vec_prim(cx, PRIM_MUL, product, factor) : factor;
        }
    }
    int64_t one;
    if (nat_is_const(even, &one) && one == 1) return product;
    return vec_prim(cx, PRIM_MUL, product, i64_of(l, even));
}

// Computes a power by repeated multiplication. Returns NULL if the exponent is not a positive
// constant.
static Node *power_of(IfConverter *l, Node *size, Node *mask)
{
    int64_t exponent;
    if (!nat_is_const(size->op[1], &exponent) || exponent < 1) return NULL;
    Node *base = vec_declare(l, "base", vector_size(l, size->op[0], mask)), *power = base;
    while (exponent-- > 1) power = vec_prim(l->cx, PRIM_MUL, power, base);
    return power;
}

// The value in active lanes, and 1 in the others.
static Node *or_one(IfConverter *l, Node *value, Node *mask)
{
    Node *type = type_lane(value->type);
    Node *one = type_is_float(type) ? core_float(l->cx, type, 1) : core_int(l->cx, type, 1);
    return mask ? vec_select(l->cx, mask, value, vec_splat(l->d, one)) : value;
}

// A divisor that cannot fail in inactive lanes.
static Node *safe_divisor(IfConverter *l, Node *divisor, Node *mask)
{
    bool literal = divisor->kind == LOOP_SPLAT && loops_is_safe_divisor(divisor->op[0]);
    return literal ? divisor : or_one(l, divisor, mask);
}

// Whether `e` calls a vector function. Inactive lanes must not pass it special arguments, for which
// it falls back to scalar code.
static bool is_vector_function(const IfConverter *l, Node *e)
{
    return e->kind == CORE_PRIM && prim_in_library(l->cx, (Prim)e->attr.i);
}

// Computes the quotient or remainder of a floor division. The remainder is not negative, since the
// divisor is positive.
static Node *quotient_of(IfConverter *l, Node *size, Node *mask)
{
    Session *cx = l->cx;
    Node *a = vec_declare(l, "dividend", vector_size(l, size->op[0], mask));
    Node *b = vec_declare(l, "divisor", safe_divisor(l, vector_size(l, size->op[1], mask), mask));
    Node *rest = vec_declare(l, "rest", vec_prim(cx, PRIM_REM, a, b));
    Node *zero = i64_of(l, nat_const(cx, 0)), *one = i64_of(l, nat_const(cx, 1));
    Node *below = vec_prim(cx, PRIM_LT, rest, zero);
    if (size->kind == NAT_MOD) return vec_select(cx, below, vec_prim(cx, PRIM_ADD, rest, b), rest);
    Node *quotient = vec_prim(cx, PRIM_DIV, a, b);
    return vec_select(cx, below, vec_prim(cx, PRIM_SUB, quotient, one), quotient);
}

Node *vector_size(IfConverter *l, Node *size, Node *mask)
{
    Session *cx = l->cx;
    Shape by = divergence_of(l->d, size);
    if (shape_is_uniform(by)) return i64_of(l, size);
    if (!by.varies) return linear(l, size, by.step);
    Node *power = size->kind == NAT_POW ? power_of(l, size, mask) : NULL;
    if (power) return power;
    switch ((Kind)size->kind) {
    case NAT_VAR:
        return loops_local(cx, size->attr.sym, vec_type(l->d, type_scalar(cx, SCALAR_I64)));
    case NAT_SUM: return sum_of(l, size, mask);
    case NAT_PRODUCT: return product_of(l, size, mask);
    case NAT_DIV:
    case NAT_MOD: return quotient_of(l, size, mask);
    case NAT_MIN:
    case NAT_MAX:
        return vec_prim(cx, size->kind == NAT_MIN ? PRIM_MIN : PRIM_MAX,
                        vector_size(l, size->op[0], mask), vector_size(l, size->op[1], mask));
    default: CHECK(cx, false, "%s differs by lane", kind_info[size->kind].text);
    }
}

// --- memory -------------------------------------------------------------------------------------

Node *array_position(const IfConverter *l, Node *position)
{
    return nat_mul(l->cx, position, nat_const(l->cx, l->d->lanes));
}

// The i32 values of a narrow local.
static Node *i32_of(IfConverter *l, Node *local, Node *mask)
{
    return vec_cast(l->d, vector_value(l, local, mask), type_scalar(l->cx, SCALAR_I32));
}

static Node *sum(Session *cx, Node *a, Node *b)
{
    return vec_prim(cx, PRIM_ADD, a, b);
}

static bool is_number(Node *size, int64_t number)
{
    int64_t k;
    return nat_is_const(size, &k) && k == number;
}

// The number of each lane, as an i32.
static Node *lane_number(IfConverter *l)
{
    Node *lane = made(l->d, LOOP_IOTA, NULL, type_scalar(l->cx, SCALAR_I64), 0, NULL);
    return vec_cast(l->d, lane, type_scalar(l->cx, SCALAR_I32));
}

static Node *i64_of_i32(IfConverter *l, Node *near)
{
    return made(l->d, CORE_CAST, NULL, type_scalar(l->cx, SCALAR_I64), 1, &near);
}

// The size modulo 2^32 as an i32 of each lane.
static Node *i32_of_size(IfConverter *l, Node *size)
{
    int64_t k;
    Session *cx = l->cx;
    Node *i32 = type_scalar(cx, SCALAR_I32);
    Node *one =
        nat_is_const(size, &k) ? core_int(cx, i32, k) : core_cast(cx, core_size(cx, size), i32);
    return vec_splat(l->d, one);
}

// The position as i32. If those of active lanes are in the array and the array is small, they are
// these numbers modulo 2^32, too.
static Node *near_sum(IfConverter *l, const NarrowPosition *n, Node *mask)
{
    Session *cx = l->cx;
    Node *at = i32_of(l, n->base, mask);
    if (!is_number(n->scale, 1)) at = vec_prim(cx, PRIM_MUL, at, i32_of_size(l, n->scale));
    if (n->by) at = sum(cx, at, i32_of(l, n->by, mask));
    if (n->by_lane) at = sum(cx, at, lane_number(l));
    return is_number(n->offset, 0) ? at : sum(cx, at, i32_of_size(l, n->offset));
}

// The positions of array_positions, computed as i32.
static Node *near_positions(IfConverter *l, const NarrowPosition *n, Node *mask)
{
    Session *cx = l->cx;
    Node *lanes = vec_splat(l->d, core_int(cx, type_scalar(cx, SCALAR_I32), l->d->lanes));
    Node *scaled = vec_prim(cx, PRIM_MUL, near_sum(l, n, mask), lanes);
    return i64_of_i32(l, sum(cx, scaled, lane_number(l)));
}

// Arrays of the body are interleaved: lane k has its elements at k, lanes + k, 2 * lanes + k, ..
Node *array_positions(IfConverter *l, Node *access, Node *mask)
{
    Session *cx = l->cx;
    NarrowPosition n;
    if (access_is_narrow(l->d, l->facts, access, &n)) return near_positions(l, &n, mask);
    Node *lanes = i64_of(l, nat_const(cx, l->d->lanes));
    Node *scaled = vec_prim(cx, PRIM_MUL, vector_size(l, access->op[0], mask), lanes);
    return sum(cx, scaled, linear(l, nat_const(cx, 0), 1));
}

Node *shared_positions(IfConverter *l, Node *access, Node *mask)
{
    Session *cx = l->cx;
    NarrowPosition n;
    Shape by = divergence_of(l->d, access->op[0]);
    if (shape_is_narrow_step(by)) {
        Node *step = i32_of_size(l, nat_const(cx, by.step));
        Node *steps = vec_prim(cx, PRIM_MUL, lane_number(l), step);
        return sum(cx, i64_of(l, access->op[0]), i64_of_i32(l, steps));
    }
    if (!access_is_narrow(l->d, l->facts, access, &n)) return vector_size(l, access->op[0], mask);
    if (array_is_small(l->d, access->attr.sym)) return i64_of_i32(l, near_sum(l, &n, mask));
    Node *at = i64_of_i32(l, i32_of(l, n.base, mask));
    if (!is_number(n.scale, 1)) at = vec_prim(cx, PRIM_MUL, at, i64_of(l, n.scale));
    if (n.by) at = sum(cx, at, i64_of_i32(l, i32_of(l, n.by, mask)));
    if (n.by_lane) at = sum(cx, at, i64_of_i32(l, lane_number(l)));
    return is_number(n.offset, 0) ? at : sum(cx, at, i64_of(l, n.offset));
}

// The number of elements of an input or a stack array, or NULL. Strided rows have gaps between
// them, which are outside.
static Node *elements_of(const IfConverter *l, Sym buffer)
{
    const LoopParam *p = NULL;
    Node *alloc = l->w ? map_get(&l->w->arrays.stack, MAP_KEY(buffer)) : NULL;
    if (alloc) return alloc->op[1];
    for (int i = 0; l->w && i < l->w->entry->params.len; i++)
        if (l->w->entry->params.at[i].name == buffer) p = &l->w->entry->params.at[i];
    if (!p || p->rank == 0 || p->output || p->both) return NULL;
    return p->strides && p->rank > 1 ? NULL : p->count;
}

// Whether an unmasked load stays inside its array.
static bool is_inside(const IfConverter *l, Sym buffer, Node *position)
{
    Node *count = elements_of(l, buffer);
    Node *end = nat_add(l->cx, position, nat_const(l->cx, l->d->lanes));
    return count && nat_ge0(l->cx, l->facts, position) == TRUTH_YES &&
           nat_le(l->cx, l->facts, end, count) == TRUTH_YES;
}

// Finds the distance from the position of `e` to that of a load that all lanes execute. Returns
// false if it is unknown or at least a whole vector, or if the load is from another array.
static bool is_near(const IfConverter *l, Node *load, Node *e, int64_t *distance)
{
    if (load->kind != LOOP_LOAD || load->attr.sym != e->attr.sym || load->type != e->type)
        return false;
    return nat_is_const(nat_sub(l->cx, load->op[0], e->op[0]), distance) &&
           *distance > -l->d->lanes && *distance < l->d->lanes;
}

// Whether loads of all lanes cover the elements of `e`, with one at or before its position and one
// at or after it, as in a stencil that loads the middle element only on a branch.
static bool is_covered(const IfConverter *l, Node *e)
{
    enum { MOST = 64 }; // looks at the latest loads only, so that long bodies take linear time
    int64_t before = -l->d->lanes, behind = l->d->lanes, distance;
    int first = l->loaded.len > MOST ? l->loaded.len - MOST : 0;
    for (int i = first; i < l->loaded.len; i++) {
        Node *load = (Node *)(uintptr_t)l->loaded.entries[i].key;
        if (!is_near(l, load, e, &distance)) continue;
        if (distance <= 0 && distance > before) before = distance;
        if (distance >= 0 && distance < behind) behind = distance;
    }
    return behind - before <= l->d->lanes;
}

// Whether a load of a whole vector from this position accesses memory of the array only.
static bool is_accessible(const IfConverter *l, Node *e, Node *position)
{
    return map_get(&l->loaded, MAP_KEY(e)) || is_inside(l, e->attr.sym, position) ||
           (position == e->op[0] && is_covered(l, e));
}

// Whether inactive lanes may take part in the load.
static bool is_harmless_load(const IfConverter *l, Node *e)
{
    Shape by = divergence_of(l->d, e->op[0]);
    if (divergence_own(l->d, e->attr.sym) || by.varies || by.step != 1)
        return map_get(&l->loaded, MAP_KEY(e));
    return is_accessible(l, e, e->op[0]);
}

static Node *load_at(IfConverter *l, Node *e, Node *position, Node *mask)
{
    bool all = !mask || is_accessible(l, e, position);
    if (!mask && l->unconditional && l->divergent_selects == 0) map_put(&l->loaded, MAP_KEY(e), l);
    Node *ops[] = {position, mask};
    return made(l->d, all ? LOOP_LOAD : LOOP_LOAD_WHERE, e->attr.sym, e->type, all ? 1 : 2, ops);
}

// Loads the elements before the position, and reverses them.
static Node *load_backwards(IfConverter *l, Node *e, Node *mask)
{
    Session *cx = l->cx;
    Node *first = nat_sub(cx, e->op[0], nat_const(cx, l->d->lanes - 1));
    bool all = !mask || is_inside(l, e->attr.sym, first);
    Node *ops[] = {first, all ? NULL : vec_reversed(l->d, mask)};
    return vec_reversed(l->d, made(l->d, all ? LOOP_LOAD : LOOP_LOAD_WHERE, e->attr.sym, e->type,
                                   all ? 1 : 2, ops));
}

// Whether the load is from a stack array at positions known at compile time, so that
// gathers_to_shuffles makes it one of the vectors stored there.
static bool is_shuffle_of_stored(const IfConverter *l, Node *e)
{
    return l->w && map_get(&l->w->arrays.stack, MAP_KEY(e->attr.sym)) &&
           lane_is_constant(l->d, core_size(l->cx, e->op[0]));
}

static Node *load(IfConverter *l, Node *e, Node *mask)
{
    bool own = divergence_own(l->d, e->attr.sym);
    Shape by = divergence_of(l->d, e->op[0]);
    const Region *all = own ? divergence_unmasked(l->d, e->attr.sym) : NULL;
    if (all && mask == all->mask && shape_is_uniform(by)) mask = NULL;
    if (own && shape_is_uniform(by)) return load_at(l, e, array_position(l, e->op[0]), mask);
    if (!own && !by.varies && by.step == 1) return load_at(l, e, e->op[0], mask);
    if (!own && shape_is_backwards(by) && !is_shuffle_of_stored(l, e))
        return load_backwards(l, e, mask);
    Node *permuted = own ? NULL : permutation_load(l, e, mask);
    if (permuted) return permuted;
    Node *positions = own ? array_positions(l, e, mask) : shared_positions(l, e, mask);
    Node *ops[] = {positions, mask ? mask : vec_full_mask(l->d)};
    return made(l->d, LOOP_GATHER, e->attr.sym, e->type, 2, ops);
}

// --- operators ----------------------------------------------------------------------------------

// A uniform value, guarded if it may trap and there may be no active lane.
static Node *uniform_value(const IfConverter *l, Node *e, Node *mask)
{
    if (!mask || l->divergent_selects == 0 || !expr_may_trap(e)) return e;
    Node *zero = node_make(l->cx, &(NodeSpec){.kind = CORE_LIT, .type = e->type});
    return loops_select(l->cx, vec_any(l->cx, mask), e, zero);
}

// Whether the expression must be evaluated under a mask.
static bool needs_mask(const IfConverter *l, Node *e)
{
    if (e->kind == LOOP_LOAD) return !is_harmless_load(l, e);
    if (e->kind == CORE_NAT) return divergence_of(l->d, e).varies;
    for (uint32_t i = 0; i < e->nops; i++)
        if (needs_mask(l, e->op[i])) return true;
    return e->kind == CORE_PRIM && (expr_may_trap(e) || is_vector_function(l, e));
}

// Converts a select. If the condition is divergent, each operand is masked by it where necessary.
static Node *selection(IfConverter *l, Node *e, Node *mask)
{
    Session *cx = l->cx;
    Node *sides[2];
    if (shape_is_uniform(divergence_of(l->d, e->op[0]))) {
        Node *a = vector_value(l, e->op[1], mask), *b = vector_value(l, e->op[2], mask);
        return loops_select(cx, uniform_value(l, e->op[0], mask), a, b);
    }
    Node *c = vector_value(l, e->op[0], mask);
    bool careful = needs_mask(l, e->op[1]) || needs_mask(l, e->op[2]);
    if (careful && c->kind != LOOP_VAR) c = vec_declare(l, "chosen", c);
    l->divergent_selects += careful;
    for (int i = 0; i < 2; i++) {
        Node *lanes = careful ? vec_and(cx, mask, i ? vec_not(cx, c) : c) : mask;
        sides[i] = vector_value(l, e->op[1 + i], lanes);
    }
    l->divergent_selects -= careful;
    return vec_select(cx, c, sides[0], sides[1]);
}

static Node *binary(Session *cx, Prim op, Node *a, Node *b)
{
    return core_prim(cx, op, 2, (Node *[]){a, b});
}

// Compares a sum that wraps after some lane: true in the lanes up to the bound, and in those in
// which the sum has wrapped. Both numbers of lanes are computed without overflow.
static Node *comparison_of_sum(IfConverter *l, const LaneCompare *c)
{
    Session *cx = l->cx;
    bool negated = c->op == PRIM_GT || c->op == PRIM_GE;
    Prim op = c->op == PRIM_GE ? PRIM_LT : c->op == PRIM_GT ? PRIM_LE : c->op;
    Node *i64 = type_scalar(cx, SCALAR_I64), *u64 = type_scalar(cx, SCALAR_U64);
    Node *sum = core_size(cx, c->sum), *bound = core_size(cx, c->bound);
    Node *apart = core_cast(cx, binary(cx, PRIM_SUB, bound, sum), u64);
    Node *lanes = binary(cx, PRIM_MIN, apart, core_int(cx, u64, l->d->lanes));
    Node *before = loops_select(cx, binary(cx, op, sum, bound), core_cast(cx, lanes, i64),
                                core_int(cx, i64, -1));
    Node *high = binary(cx, PRIM_MAX, sum, core_int(cx, i64, INT64_MAX - l->d->lanes));
    Node *last = binary(cx, PRIM_SUB, core_int(cx, i64, INT64_MAX), high);
    Node *mask =
        vec_prim(cx, PRIM_OR, vec_lanes_by(l->d, op, before), vec_lanes_by(l->d, PRIM_GT, last));
    return negated ? vec_not(cx, mask) : mask;
}

// Compares the lane number with a size, limited to those that tell lanes apart.
static Node *comparison_of_lanes(IfConverter *l, const LaneCompare *c)
{
    Session *cx = l->cx;
    if (c->sum) return comparison_of_sum(l, c);
    Node *most = nat_min(cx, c->bound, nat_const(cx, l->d->lanes));
    Node *limited = nat_max(cx, most, nat_const(cx, -1));
    return vec_lanes_by(l->d, c->op, core_size(cx, nat_simplify(cx, l->facts, limited)));
}

static Node *operation(IfConverter *l, Node *e, Node *mask)
{
    LaneCompare c;
    NarrowCompare narrow;
    if (lane_compare(l->d, e, &c)) return comparison_of_lanes(l, &c);
    if (narrow_compare(l->d, e, &narrow))
        return vec_prim(l->cx, narrow.op, vector_value(l, narrow.narrow, mask),
                        vec_splat(l->d, narrow.bound));
    Node *ops[3] = {NULL, NULL, NULL};
    Prim op = (Prim)e->attr.i;
    if (e->kind == CORE_PRIM && prim_is_hint(op)) // only branches have hints
        return vector_value(l, e->op[0], mask);
    for (uint32_t i = 0; i < e->nops; i++) ops[i] = vector_value(l, e->op[i], mask);
    bool divides = e->kind == CORE_PRIM && (op == PRIM_DIV || op == PRIM_REM);
    if (divides && !type_is_float(e->type)) ops[1] = safe_divisor(l, ops[1], mask);
    for (uint32_t i = 0; is_vector_function(l, e) && i < e->nops; i++)
        if (ops[i]->kind != LOOP_SPLAT) ops[i] = or_one(l, ops[i], mask);
    return node_make(l->cx, &(NodeSpec){.kind = (Kind)e->kind,
                                        .variant = (Variant)e->variant,
                                        .attr = e->attr,
                                        .type = vec_type(l->d, e->type),
                                        .nops = (int)e->nops,
                                        .ops = ops,
                                        .origin = e->origin});
}

Node *vector_value(IfConverter *l, Node *e, Node *mask)
{
    if (shape_is_uniform(divergence_of(l->d, e))) return vec_splat(l->d, uniform_value(l, e, mask));
    switch ((Kind)e->kind) {
    case CORE_NAT: return vector_size(l, e->op[0], mask);
    case LOOP_VAR:
        if (!divergence_of(l->d, e).varies) // linear, and a scalar, that of the first lane
            return vector_size(l, nat_var(l->cx, e->attr.sym), mask);
        return loops_local(l->cx, e->attr.sym, vec_type(l->d, e->type));
    case LOOP_LOAD: return load(l, e, mask);
    case LOOP_SELECT: return selection(l, e, mask);
    default: return operation(l, e, mask);
    }
}
