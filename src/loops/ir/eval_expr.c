// The Loop IR interpreter: evaluates expressions lane by lane, and finds the elements that loads
// and stores access.
//
// An element may be loaded, copied and computed with even if it was never stored, or if another
// array has overwritten it since: a [?n]t has elements without a value, and a LOOP_SELECT between
// vectors computes both operands. An internal error is reported only where something depends on
// such an element: a condition, a position, or the result.
#include "loops/ir/eval.h"

#include <math.h>

// Returns the lane that holds the position for the current lane of a gather. In a
// LOOP_GATHER_RUNS, the lanes of a run share one position.
static int64_t lane_of_gather(const Run *r, Node *e)
{
    int64_t length, part;
    if (e->kind != LOOP_GATHER_RUNS || !nat_is_const(e->op[2], &length) ||
        !nat_is_const(e->op[3], &part))
        return r->lane;
    return r->lane / 4 * 4 + 4 / length * part + r->lane % 4 / length;
}

static bool in_gathered_lane(Run *r, Node *e, Node *operand, uint64_t *bits)
{
    int64_t lane = r->lane;
    r->lane = lane_of_gather(r, e);
    bool done = exec_expr(r, operand, bits);
    r->lane = lane;
    return done;
}

static bool position(Run *r, Node *e, int64_t *at)
{
    int64_t length;
    if (e->kind == LOOP_GATHER_RUNS && nat_is_const(e->op[2], &length)) {
        bool done = in_gathered_lane(r, e, e->op[0], (uint64_t *)at);
        *at += r->lane % length;
        return done;
    }
    if (e->kind == LOOP_GATHER || e->kind == LOOP_SCATTER)
        return exec_expr(r, e->op[0], (uint64_t *)at);
    if (!exec_size(r, e->op[0], e->origin, at)) return false;
    *at += r->lane;
    return true;
}

bool exec_element(Run *r, Node *e, Buffer **buffer, int64_t *at)
{
    *buffer = map_get(&r->buffers, MAP_KEY(e->attr.sym));
    if (!*buffer) return exec_fault(r, e, "no such buffer");
    if (!position(r, e, at)) return false;
    *at += (*buffer)->first;
    if (*at >= 0 && *at < (*buffer)->count) return true;
    return exec_fault(r, e,
                      arena_printf(r->arena, "position %lld of %lld elements",
                                   (long long)(*at - (*buffer)->first),
                                   (long long)(*buffer)->count));
}

// The value of an expression in one lane.
typedef struct {
    uint64_t bits;
    Node *undefined; // if there is no value, the load or local that has none; otherwise NULL
} Lane;

static bool lane_value(Run *r, Node *e, Lane *v);

// Fails if there is no value.
static bool use(Run *r, const Lane *v)
{
    return !v->undefined ||
           exec_fault(r, v->undefined,
                      "used before it was stored, or after its memory was another's");
}

static bool load(Run *r, Node *e, Lane *v)
{
    Buffer *b;
    int64_t at;
    if (e->kind != LOOP_LOAD) {
        uint64_t wanted;
        if (!in_gathered_lane(r, e, e->op[1], &wanted)) return false;
        if (!wanted) return true;
    }
    if (!exec_element(r, e, &b, &at)) return false;
    if (!b->written[at] || exec_is_lost(b, at)) v->undefined = e;
    v->bits = b->bits[at];
    return exec_touch(r, &b->bits[at], false, e);
}

static bool local(Run *r, Node *e, Lane *v)
{
    const Local *l = map_get(&r->locals, MAP_KEY(e->attr.sym));
    if (!l || !l->set) return exec_fault(r, e, "a local that is not set");
    v->bits = l->lanes ? l->lanes[r->lane] : l->bits;
    if (l->undefined && l->undefined[l->lanes ? r->lane : 0]) v->undefined = e;
    return exec_touch(r, &l->bits, false, e);
}

static bool literal(Run *r, Node *e, uint64_t *bits)
{
    *bits = e->attr.bits;
    if (!type_is_float(e->type)) return true;
    double x = float_value(e->attr.bits);
    *bits = r->algebra == ALGEBRA_FIELD ? field_from_double(x) : float_bits(x);
    return true;
}

static bool scalar_of(Run *r, Node *e, Scalar *s)
{
    return e->type && type_is_scalar(type_lane(e->type), s) ? true
                                                            : exec_fault(r, e, "not a scalar");
}

// Whether this operand alone determines the result, as false does in `mask && x`. The other operand
// then needs no value.
static bool decides(Prim prim, Scalar s, const Lane *v)
{
    if (v->undefined) return false;
    return prim == PRIM_AND ? v->bits == 0 : prim == PRIM_OR && s == SCALAR_BOOL && v->bits;
}

static bool prim(Run *r, Node *e, Lane *v)
{
    uint64_t args[PRIM_OPERANDS] = {0};
    DiagCode code;
    Scalar s;
    if (e->nops > PRIM_OPERANDS || !scalar_of(r, e->op[0], &s))
        return exec_fault(r, e, "not an operator on scalars");
    bool decided = false;
    for (uint32_t i = 0; i < e->nops; i++) {
        Lane arg;
        if (!lane_value(r, e->op[i], &arg)) return false;
        args[i] = arg.bits;
        if (arg.undefined) v->undefined = arg.undefined;
        if (!decides((Prim)e->attr.i, s, &arg)) continue;
        decided = true;
        v->bits = arg.bits;
    }
    if (decided) v->undefined = NULL;
    if (decided || v->undefined) return true;
    if (eval_prim((Prim)e->attr.i, s, r->algebra, args, &v->bits, &code)) return true;
    return exec_fault(r, e, "a division by zero that no check caught");
}

// Evaluates a LOOP_SELECT. If the condition is a vector, both values are computed, and the result
// is selected per lane.
static bool select(Run *r, Node *e, Lane *v)
{
    Lane c, sides[2];
    if (!lane_value(r, e->op[0], &c)) return false;
    if (e->op[0]->type->kind != TYPE_VEC)
        return c.undefined ? use(r, &c) : lane_value(r, e->op[c.bits ? 1 : 2], v);
    if (!lane_value(r, e->op[1], &sides[0]) || !lane_value(r, e->op[2], &sides[1])) return false;
    *v = c.undefined ? c : sides[c.bits ? 0 : 1];
    return true;
}

// Computes whether some lane of a mask is true.
static bool any(Run *r, Node *e, uint64_t *bits)
{
    int64_t lanes = 1;
    uint64_t one, found = 0;
    type_is_vec(e->op[0]->type, &lanes);
    for (r->lane = 0; r->lane < lanes; r->lane++) {
        if (!exec_expr(r, e->op[0], &one)) return false;
        found |= one;
    }
    *bits = found;
    return true;
}

// Counts the true lanes among the first `lanes` lanes of a mask.
static bool count_lanes(Run *r, Node *mask, int64_t lanes, int64_t *n)
{
    uint64_t one;
    *n = 0;
    for (r->lane = 0; r->lane < lanes; r->lane++) {
        if (!exec_expr(r, mask, &one)) return false;
        *n += one != 0;
    }
    return true;
}

static bool count(Run *r, Node *e, uint64_t *bits)
{
    int64_t lanes = 1;
    type_is_vec(e->op[0]->type, &lanes);
    return count_lanes(r, e->op[0], lanes, (int64_t *)bits);
}

static bool mask_bits(Run *r, Node *e, uint64_t *bits)
{
    int64_t lanes = 1;
    uint64_t one;
    *bits = 0;
    type_is_vec(e->op[0]->type, &lanes);
    for (r->lane = 0; r->lane < lanes; r->lane++) {
        if (!exec_expr(r, e->op[0], &one)) return false;
        *bits |= one << r->lane;
    }
    return true;
}

// Evaluates LOOP_COMPRESS: lane k gets the value of the k-th active lane of the mask.
static bool packed(Run *r, Node *e, Lane *v)
{
    int64_t lanes = 1, wanted = r->lane;
    uint64_t one;
    type_is_vec(e->type, &lanes);
    for (r->lane = 0; r->lane < lanes; r->lane++) {
        if (!exec_expr(r, e->op[1], &one)) return false;
        if (one && wanted-- == 0) return lane_value(r, e->op[0], v);
    }
    return true;
}

// Evaluates LOOP_EXPAND: the k-th active lane of the mask gets the value of lane k.
static bool unpacked(Run *r, Node *e, Lane *v)
{
    int64_t before;
    uint64_t one;
    if (!exec_expr(r, e->op[1], &one)) return false;
    if (!one) return true;
    if (!count_lanes(r, e->op[1], r->lane, &before)) return false;
    r->lane = before;
    return lane_value(r, e->op[0], v);
}

static bool lane(Run *r, Node *e, Lane *v)
{
    int64_t lanes, at;
    if (!type_is_vec(e->op[0]->type, &lanes) || !exec_size(r, e->op[1], e->origin, &at))
        return false;
    if (at < 0 || at >= lanes) return exec_fault(r, e, "no such lane");
    r->lane = at;
    return lane_value(r, e->op[0], v);
}

// Evaluates a cast. An unchecked cast whose operand is out of range is an internal error.
static bool cast(Run *r, Node *e, Lane *v)
{
    Scalar from, to;
    if (!scalar_of(r, e->op[0], &from) || !scalar_of(r, e, &to) || !lane_value(r, e->op[0], v))
        return false;
    uint64_t value = v->bits;
    if (v->undefined) return true;
    v->bits = eval_cast(from, to, r->algebra, value);
    bool promised = e->variant == VARIANT_UNCHECKED && r->algebra == ALGEBRA_IEEE;
    if (promised && trunc(float_value(value)) != (double)(int64_t)v->bits)
        return exec_fault(r, e, "out of range");
    return true;
}

static bool shuffled(Run *r, Node *e, Lane *v)
{
    int64_t lanes, from;
    if (!type_is_vec(e->type, &lanes) || !nat_is_const(e->op[2 + r->lane], &from)) return false;
    r->lane = from % lanes;
    return lane_value(r, e->op[from / lanes], v);
}

// Evaluates LOOP_PERMUTE: the value in the lane with the number, modulo the number of lanes.
static bool permuted(Run *r, Node *e, Lane *v)
{
    int64_t lanes;
    uint64_t number;
    if (!type_is_vec(e->op[0]->type, &lanes) || !exec_expr(r, e->op[1], &number)) return false;
    r->lane = ((int64_t)number % lanes + lanes) % lanes;
    return lane_value(r, e->op[0], v);
}

static bool size(Run *r, Node *e, uint64_t *bits)
{
    int64_t n;
    if (!exec_size(r, e->op[0], e->origin, &n)) return false;
    *bits = (uint64_t)n;
    return true;
}

static bool in_lane(Run *r, Node *e, Lane *v)
{
    bool apart;
    if (!exec_charge(r, 1, e->origin)) return false;
    if (e->kind == CORE_LIT) return literal(r, e, &v->bits);
    if (e->kind == CORE_NAT) return size(r, e, &v->bits);
    if (e->kind == CORE_PRIM) return prim(r, e, v);
    if (e->kind == CORE_CAST) return cast(r, e, v);
    switch ((Kind)e->kind) {
    case LOOP_VAR: return local(r, e, v);
    case LOOP_LOAD:
    case LOOP_LOAD_WHERE:
    case LOOP_GATHER:
    case LOOP_GATHER_RUNS: return load(r, e, v);
    case LOOP_ANY: return any(r, e, &v->bits);
    case LOOP_COUNT: return count(r, e, &v->bits);
    case LOOP_MASK_BITS: return mask_bits(r, e, &v->bits);
    case LOOP_COMPRESS: return packed(r, e, v);
    case LOOP_EXPAND: return unpacked(r, e, v);
    case LOOP_LANE: return lane(r, e, v);
    case LOOP_SHUFFLE: return shuffled(r, e, v);
    case LOOP_PERMUTE: return permuted(r, e, v);
    case LOOP_APART:
        if (!exec_apart(r, e, &apart)) return false;
        v->bits = apart;
        return true;
    case LOOP_SELECT: return select(r, e, v);
    case LOOP_SPLAT: return lane_value(r, e->op[0], v);
    case LOOP_BUILD_VECTOR: return lane_value(r, e->op[r->lane], v);
    case LOOP_IOTA: v->bits = (uint64_t)r->lane; return true;
    case LOOP_ADDRESS:
#include "loops/ir/no_expression.def"
        break;
    }
    return exec_fault(r, e, "not an expression of this level");
}

// A scalar has the same value in all lanes, so it is evaluated in lane 0.
static bool lane_value(Run *r, Node *e, Lane *v)
{
    int64_t lane = r->lane;
    *v = (Lane){0};
    if (e->type && e->type->kind != TYPE_VEC) r->lane = 0;
    bool done = in_lane(r, e, v);
    r->lane = lane;
    return done;
}

bool exec_expr(Run *r, Node *e, uint64_t *bits)
{
    Lane v;
    if (!lane_value(r, e, &v)) return false;
    *bits = v.bits;
    return use(r, &v);
}

bool exec_lanes(Run *r, Node *e, int64_t *lanes, uint64_t **bits, const bool **undefined)
{
    *lanes = 1;
    type_is_vec(e->type, lanes);
    *bits = ARENA_ARRAY(r->arena, uint64_t, *lanes);
    bool done = true, *without = ARENA_ARRAY(r->arena, bool, *lanes);
    for (; done && r->lane < *lanes; r->lane++) {
        Lane v;
        done = lane_value(r, e, &v);
        (*bits)[r->lane] = v.bits;
        without[r->lane] = v.undefined;
    }
    *undefined = without;
    r->lane = 0;
    return done;
}

bool exec_assign(Run *r, Local *l, Node *e)
{
    uint64_t *bits;
    int64_t lanes;
    const bool *undefined;
    if (!exec_lanes(r, e, &lanes, &bits, &undefined)) return false;
    *l = (Local){.bits = bits[0], .undefined = undefined, .set = true};
    if (e->type->kind == TYPE_VEC) l->lanes = bits;
    return true;
}
