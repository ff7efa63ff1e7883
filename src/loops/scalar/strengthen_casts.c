// Casts of floats to integers saturate, and turn NaN into 0, which takes ten instructions on
// vectors. For a value that is provably in range, a single instruction is enough: such a cast
// becomes `cast.unchecked`. The proof uses interval arithmetic, starting from sizes and literals:
//
//   last = f32(n - 1)                       where 2 <= n <= 1024: from 1 to 1023
//   x = min(max(a * s, 0), last)            from 0 to 1023, and not NaN, as max(NaN, 0) is 0
//   i32(min(x, last - 1))    becomes        a single instruction
#include "loops/simplify/simplify.h"

#include <math.h>

enum { DEEP = 40 }; // maximum depth of expressions and chains of locals

// The range of an expression's values. Float bounds are rounded outwards.
typedef struct {
    double low, high;
    bool nan; // a value may be NaN
} Range;

typedef struct {
    Session *cx;
    const Facts *facts; // about the entry's sizes
    Map sizes;          // their names; facts about other names need not hold in inactive lanes
    Map constants;      // local that is never reassigned -> its declaration
    Map ranges;         // expression -> Range
    int depth;
} Casts;

// --- ranges -------------------------------------------------------------------------------------

static Range range_of_type(Node *type)
{
    Scalar s;
    if (!type_is_scalar(type, &s) || scalar_info[s].class == CLASS_FLOAT)
        return (Range){-INFINITY, INFINITY, true};
    int bits = s == SCALAR_BOOL ? 1 : 8 * scalar_info[s].size;
    bool is_signed = scalar_info[s].class == CLASS_INT;
    return (Range){is_signed ? -ldexp(1, bits - 1) : 0, ldexp(1, bits - is_signed) - 1, false};
}

static bool is_within(Range r, Range of)
{
    return !r.nan && r.low >= of.low && r.high <= of.high;
}

// Adjusts the range of a result to its type. Integers that overflow wrap to any value. Floats are
// rounded, and may become infinite.
static Range fitted(Range r, Node *type)
{
    Range all = range_of_type(type);
    if (!type_is_float(type)) return is_within(r, all) ? r : all;
    Scalar s;
    bool known = type_is_scalar(type, &s) && s != SCALAR_F16 && !isnan(r.low) && !isnan(r.high);
    if (!known) return all;
    double error = ldexp(1, -22), most = s == SCALAR_F32 ? 0x1p127 : 0x1p1000;
    r.low -= fabs(r.low) * error;
    r.high += fabs(r.high) * error;
    if (r.low < -most) r.low = -INFINITY;
    if (r.high > most) r.high = INFINITY;
    return r;
}

static Range range_of(Casts *c, Node *e);

static void note_atom(Node *atom, void *env)
{
    Casts *c = env;
    if (atom->kind == NAT_VAR && !map_get(&c->sizes, MAP_KEY(atom->attr.sym))) c->depth = DEEP;
}

static Range range_of_size(Casts *c, Node *e)
{
    Range r = range_of_type(e->type);
    int64_t bound;
    int depth = c->depth;
    nat_atoms(c->cx, e->op[0], note_atom, c);
    bool known = c->depth < DEEP;
    c->depth = depth;
    if (!known) return r;
    if (nat_lower(c->cx, c->facts, e->op[0], &bound)) r.low = (double)bound;
    if (nat_upper(c->cx, c->facts, e->op[0], &bound)) r.high = (double)bound;
    return r;
}

static Range range_of_literal(Node *e)
{
    Scalar s;
    Range r = range_of_type(e->type);
    if (!type_is_scalar(e->type, &s) || s == SCALAR_F16 || s == SCALAR_U64) return r;
    r.low = r.high = type_is_float(e->type) ? float_value(e->attr.bits) : (double)e->attr.i;
    r.nan = isnan(r.low);
    return r;
}

static Range product(Range a, Range b)
{
    double p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    Range r = {p[0], p[0], false};
    for (int i = 1; i < 4; i++) {
        r.low = fmin(r.low, p[i]);
        r.high = fmax(r.high, p[i]);
    }
    return r;
}

// Returns the range of min(a, b), which is a < b ? a : b, and thus b if a is NaN.
static Range least(Range a, Range b)
{
    return (Range){fmin(a.low, b.low), a.nan ? b.high : fmin(a.high, b.high), b.nan};
}

static Range negated(Range a)
{
    return (Range){-a.high, -a.low, a.nan};
}

static bool is_finite(Range r)
{
    return isfinite(r.low) && isfinite(r.high);
}

static Range range_of_prim(Casts *c, Node *e)
{
    Range all = range_of_type(e->type), a = range_of(c, e->op[0]), r;
    Range b = e->nops == 2 ? range_of(c, e->op[1]) : a;
    Scalar s;
    if (prim_counts_bits((Prim)e->attr.i) && type_is_scalar(e->type, &s))
        return (Range){0, scalar_info[s].size * 8, false};
    switch ((Prim)e->attr.i) {
    case PRIM_MIN: return least(a, b);
    case PRIM_MAX: return negated(least(negated(a), negated(b)));
    case PRIM_NEG: r = negated(a); break;
    case PRIM_FLOOR: r = (Range){floor(a.low), floor(a.high), a.nan}; break;
    case PRIM_ADD: r = (Range){a.low + b.low, a.high + b.high, a.nan || b.nan}; break;
    case PRIM_SUB: r = (Range){a.low - b.high, a.high - b.low, a.nan || b.nan}; break;
    case PRIM_MUL: r = product(a, b); break;
    default: return all;
    }
    return is_finite(a) && is_finite(b) ? fitted(r, e->type) : all;
}

static Range range_of_cast(Casts *c, Node *e)
{
    Range r = range_of(c, e->op[0]), all = range_of_type(e->type);
    if (type_is_float(e->type) || !type_is_float(e->op[0]->type)) return fitted(r, e->type);
    if (r.nan) return all;
    return (Range){fmin(fmax(trunc(r.low), all.low), all.high),
                   fmin(fmax(trunc(r.high), all.low), all.high), false};
}

static Range range_anew(Casts *c, Node *e)
{
    switch ((Kind)e->kind) {
    case CORE_LIT: return range_of_literal(e);
    case CORE_NAT: return range_of_size(c, e);
    case CORE_CAST: return range_of_cast(c, e);
    case CORE_PRIM: return range_of_prim(c, e);
    case LOOP_VAR: {
        Node *decl = map_get(&c->constants, MAP_KEY(e->attr.sym));
        if (decl && decl->op[1]->type == e->type) return range_of(c, decl->op[1]);
        break;
    }
    case LOOP_SELECT: {
        Range a = range_of(c, e->op[1]), b = range_of(c, e->op[2]);
        return (Range){fmin(a.low, b.low), fmax(a.high, b.high), a.nan || b.nan};
    }
    default: break;
    }
    return range_of_type(e->type);
}

static Range range_of(Casts *c, Node *e)
{
    Range *known = map_get(&c->ranges, MAP_KEY(e));
    if (known) return *known;
    if (c->depth >= DEEP) return range_of_type(e->type);
    c->depth++;
    Range r = range_anew(c, e);
    c->depth--;
    known = ARENA_NEW(c->cx->arena, Range);
    *known = r;
    map_put(&c->ranges, MAP_KEY(e), known);
    return r;
}

// --- casts --------------------------------------------------------------------------------------

static bool is_known(Casts *c, Node *e)
{
    Scalar s;
    if (e->kind != CORE_CAST || !type_is_float(e->op[0]->type) || !type_is_integer(e->type))
        return false;
    if (!type_is_scalar(e->type, &s) || s == SCALAR_U32 || s == SCALAR_U64) return false;
    if (!type_is_scalar(e->op[0]->type, &s) || s == SCALAR_F16) return false;
    Range r = range_of(c, e->op[0]), all = range_of_type(e->type);
    r.low = trunc(r.low);
    r.high = trunc(r.high);
    return is_within(r, all) && r.high < 0x1p62; // the largest i64 is not exact as a float
}

static Node *in_value(Session *cx, Node *e, int depth, void *env)
{
    Casts *c = env;
    if (node_is_size_or_type(e) || loops_is_stmt(e)) return e;
    Node *done = node_map(cx, e, depth, in_value, c);
    return is_known(c, e) ? node_with_variant(cx, done, VARIANT_UNCHECKED) : done;
}

static Node *in_statement(void *env, Node *s)
{
    Casts *c = env;
    for (uint32_t i = 0; i < s->nops; i++)
        if (!loops_is_stmt(s->op[i]))
            s = node_with_op(c->cx, s, (int)i, in_value(c->cx, s->op[i], 0, c));
    return loops_map(c->cx, s, in_statement, c);
}

static LoopEntry *casts_of_entry(Session *cx, const LoopEntry *e)
{
    Arena *a = cx->arena;
    Simplifier known = simplifier_new(cx, e);
    Casts c = {.cx = cx,
               .facts = known.facts,
               .sizes = map_new(a),
               .constants = loops_constants(cx, e->body),
               .ranges = map_new(a)};
    for (int i = 0; i < e->sizes.len; i++) map_put(&c.sizes, MAP_KEY(e->sizes.at[i]), &c);
    return loops_with_body(cx, e, in_statement(&c, e->body));
}

LoopEntry *loops_strengthen_casts(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, casts_of_entry);
}
