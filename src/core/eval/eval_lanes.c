// Vectors, which are values with one atom per lane.
#include "core/eval/eval.h"

// The bits of a lane of a vector, or of a scalar, which is the same in all lanes.
static uint64_t lane_of(const Value *v, int64_t lane)
{
    return v->count ? v->parts[lane].bits : v->bits;
}

static bool on_lanes(Eval *ev, Node *e, Scope s, const Value *args, Value *out)
{
    Scalar type = scope_scalar(ev, s, type_lane(scope_type(ev, s, e->op[0]->type)));
    eval_note_bits(ev, (Prim)e->attr.i, type);
    for (int64_t lane = 0; lane < out->count; lane++) {
        uint64_t ops[PRIM_OPERANDS] = {0};
        DiagCode code;
        for (uint32_t i = 0; i < e->nops; i++) ops[i] = lane_of(&args[i], lane);
        out->parts[lane] = value_atom(0);
        if (!eval_prim((Prim)e->attr.i, type, ev->algebra, ops, &out->parts[lane].bits, &code))
            return eval_fail(ev, code, e->origin, "%s", diag_title(code));
    }
    return true;
}

static void convert(Eval *ev, Node *e, Scope s, const Value *v, Value *out)
{
    Scalar from = scope_scalar(ev, s, type_lane(scope_type(ev, s, e->op[0]->type)));
    Scalar to = scope_scalar(ev, s, type_lane(scope_type(ev, s, e->type)));
    for (int64_t lane = 0; lane < out->count; lane++)
        out->parts[lane] = value_atom(eval_cast(from, to, ev->algebra, lane_of(v, lane)));
}

// Whether some lane of the mask equals `wanted`.
static bool has_lane(const Value *mask, bool wanted)
{
    for (int64_t lane = 0; lane < mask->count; lane++)
        if ((mask->parts[lane].bits != 0) == wanted) return true;
    return false;
}

static int64_t count_of(const Value *mask)
{
    int64_t n = 0;
    for (int64_t lane = 0; lane < mask->count; lane++) n += mask->parts[lane].bits != 0;
    return n;
}

static uint64_t bits_of(const Value *mask)
{
    uint64_t bits = 0;
    for (int64_t lane = 0; lane < mask->count; lane++) bits |= mask->parts[lane].bits << lane;
    return bits;
}

// Packs the lanes that the mask selects into the lowest lanes (compress), or spreads the lowest
// lanes to the selected lanes (expand).
static void move_lanes(bool compress, const Value *v, const Value *mask, Value *out)
{
    int64_t next = 0;
    for (int64_t lane = 0; lane < out->count; lane++) out->parts[lane] = value_atom(0);
    for (int64_t lane = 0; lane < out->count; lane++) {
        if (!mask->parts[lane].bits) continue;
        out->parts[compress ? next : lane] = v->parts[compress ? lane : next];
        next++;
    }
}

bool eval_lanes(Eval *ev, Node *e, Scope s, Value *out)
{
    Value args[PRIM_OPERANDS] = {0};
    int64_t n = 0;
    CHECK(ev->cx, e->nops <= PRIM_OPERANDS, "an operator with %u operands", e->nops);
    for (uint32_t i = 0; i < e->nops; i++)
        if (kind_sort((Kind)e->kind, (int)i) == SORT_TERM && !eval_term(ev, e->op[i], s, &args[i]))
            return false;
    Node *type = scope_type(ev, s, e->type);
    if (type->kind == TYPE_VEC &&
        (!scope_size(ev, s, type->op[0], e->origin, &n) || !eval_parts(ev, n, e->origin, out)))
        return false;
    switch ((Kind)e->kind) {
    case CORE_PRIM: return on_lanes(ev, e, s, args, out);
    case CORE_CAST: convert(ev, e, s, &args[0], out); return true;
    case CORE_ANY: *out = value_atom(has_lane(&args[0], true)); return true;
    case CORE_ALL: *out = value_atom(!has_lane(&args[0], false)); return true;
    case CORE_EXTRACT: *out = args[0].parts[args[1].bits]; return true;
    case CORE_SHUFFLE:
        for (int64_t lane = 0; lane < n; lane++)
            out->parts[lane] = args[0].parts[floor_mod((int64_t)args[1].parts[lane].bits, n)];
        return true;
    case CORE_COUNT: *out = value_atom((uint64_t)count_of(&args[0])); return true;
    case CORE_MASK_BITS: *out = value_atom(bits_of(&args[0])); return true;
    case CORE_COMPRESS:
    case CORE_EXPAND: move_lanes(e->kind == CORE_COMPRESS, &args[0], &args[1], out); return true;
    case CORE_INSERT:
    case CORE_BLEND:
    default: break;
    }
    for (int64_t lane = 0; lane < n; lane++) {
        bool inserted = (uint64_t)lane == args[1].bits;
        out->parts[lane] = e->kind == CORE_LANES      ? value_atom((uint64_t)lane)
                           : e->kind == CORE_INSERT   ? inserted ? args[2] : args[0].parts[lane]
                             : args[0].parts[lane].bits ? args[1].parts[lane]
                                                      : args[2].parts[lane];
    }
    return true;
}
