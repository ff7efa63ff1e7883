// Reads in the DPIA interpreter. The `get` column of the table in views.h maps an access path
// through a view to an atom in memory.
#include "dpia/ir/eval.h"

static bool read_cell(Run *r, Node *e, const Cell *c, Path *path, uint64_t *bits)
{
    for (; path; path = path->rest) {
        if (run_step(path) < 0 || run_step(path) >= c->count)
            return run_fault(r, e, "read outside of the memory");
        c = &c->parts[run_step(path)];
    }
    bool undefined = !c->written || c->undefined;
    if (c->count || (undefined && !r->undefined))
        return run_fault(r, e, "read before it was written");
    if (undefined) *r->undefined = true;
    *bits = c->bits;
    return true;
}

static bool read_value(Run *r, Node *e, const Value *v, Path *path, uint64_t *bits)
{
    for (; path; path = path->rest) {
        if (run_step(path) < 0 || run_step(path) >= v->count)
            return run_fault(r, e, "read outside of the input");
        v = &v->parts[run_step(path)];
    }
    *bits = v->bits;
    return true;
}

static bool read_variable(Run *r, Node *e, Path *path, uint64_t *bits)
{
    const Binding *b = map_get(&r->names, MAP_KEY(e->attr.sym));
    if (!b) return run_fault(r, e, "a name that is not in scope");
    return b->cell ? read_cell(r, e, b->cell, path, bits) : read_value(r, e, &b->value, path, bits);
}

// --- scalars -----------------------------------------------------------------------------------

static Scalar scalar_of(Node *type)
{
    Scalar s = SCALAR_I64; // an idx is an i64
    type_is_scalar(type, &s);
    return s;
}

static bool read_literal(Run *r, Node *e, uint64_t *bits)
{
    *bits = e->attr.bits;
    if (!type_is_float(e->type)) return true;
    double x = float_value(e->attr.bits);
    *bits = r->algebra == ALGEBRA_FIELD ? field_from_double(x) : float_bits(x);
    return true;
}

// Reads a scalar operand, or the lane at the path of a vector operand.
static bool read_lane(Run *r, Node *e, Path *path, uint64_t *bits)
{
    return run_read(r, e, e->type->kind == TYPE_VEC ? path : NULL, bits);
}

static bool read_prim(Run *r, Node *e, Path *path, uint64_t *bits)
{
    uint64_t args[PRIM_OPERANDS] = {0};
    DiagCode code;
    if (e->nops > PRIM_OPERANDS) return run_fault(r, e, "an operator with too many operands");
    for (uint32_t i = 0; i < e->nops; i++)
        if (!read_lane(r, e->op[i], path, &args[i])) return false;
    if (eval_prim((Prim)e->attr.i, scalar_of(type_lane(e->op[0]->type)), r->algebra, args, bits,
                  &code))
        return true;
    if (r->undefined && *r->undefined) return true;
    return run_fault(r, e, "a division by zero that no check caught");
}

// Asserts that an index that results from a size or a cast is in range, as has already been proved
// or checked.
static bool in_range(Run *r, Node *e, uint64_t bits)
{
    int64_t n;
    if (e->type->kind != TYPE_IDX) return true;
    if (!run_size(r, e->type->op[0], e->origin, &n)) return false;
    if (e->type == type_own_size(r->cx) && (int64_t)bits >= n)
        return run_fail(r, E0607, e->origin, "a size is %lld", (long long)bits);
    return (int64_t)bits >= 0 && (int64_t)bits < n ? true
                                                   : run_fault(r, e, "an index out of its range");
}

static bool read_size(Run *r, Node *e, uint64_t *bits)
{
    int64_t n;
    if (!run_size(r, e->op[0], e->origin, &n)) return false;
    *bits = (uint64_t)n;
    return in_range(r, e, *bits);
}

static bool read_cast(Run *r, Node *e, Path *path, uint64_t *bits)
{
    if (!read_lane(r, e->op[0], path, bits)) return false;
    if (e->type->kind == TYPE_IDX) return in_range(r, e, *bits);
    *bits = eval_cast(scalar_of(type_lane(e->op[0]->type)), scalar_of(type_lane(e->type)),
                      r->algebra, *bits);
    return true;
}

// --- vectors -----------------------------------------------------------------------------------

static bool read_blend(Run *r, Node *e, Path *path, uint64_t *bits)
{
    uint64_t a, b, c;
    if (!run_read(r, e->op[0], path, &c) || !run_read(r, e->op[1], path, &a) ||
        !run_read(r, e->op[2], path, &b))
        return false;
    *bits = c ? a : b;
    return true;
}

static bool read_insert(Run *r, Node *e, Path *path, uint64_t *bits)
{
    uint64_t at;
    if (!run_read(r, e->op[1], NULL, &at)) return false;
    bool inserted = (int64_t)at == run_step(path);
    return run_read(r, e->op[inserted ? 2 : 0], inserted ? NULL : path, bits);
}

// Reads CORE_ANY, which one true lane makes true, or CORE_ALL, which one false lane makes false.
static bool read_across(Run *r, Node *e, uint64_t *bits)
{
    int64_t lanes;
    uint64_t decides = e->kind == CORE_ANY;
    if (!run_length(r, e->op[0]->type, &lanes)) return false;
    *bits = !decides;
    for (int64_t i = 0; i < lanes; i++) {
        uint64_t lane;
        if (!run_read(r, e->op[0], &(struct Path){.step.at.number = i}, &lane)) return false;
        if (lane == decides) *bits = decides;
    }
    return true;
}

// Counts the true lanes among the first `lanes` lanes of a mask.
static bool count_lanes(Run *r, Node *mask, int64_t lanes, int64_t *n)
{
    *n = 0;
    for (int64_t i = 0; i < lanes; i++) {
        uint64_t lane;
        if (!run_read(r, mask, &(struct Path){.step.at.number = i}, &lane)) return false;
        *n += lane != 0;
    }
    return true;
}

static bool read_count(Run *r, Node *e, uint64_t *bits)
{
    int64_t lanes;
    return run_length(r, e->op[0]->type, &lanes) &&
           count_lanes(r, e->op[0], lanes, (int64_t *)bits);
}

static bool read_mask_bits(Run *r, Node *e, uint64_t *bits)
{
    int64_t lanes;
    uint64_t lane;
    *bits = 0;
    if (!run_length(r, e->op[0]->type, &lanes)) return false;
    for (int64_t i = 0; i < lanes; i++) {
        if (!run_read(r, e->op[0], &(struct Path){.step.at.number = i}, &lane)) return false;
        *bits |= lane << i;
    }
    return true;
}

// Reads a lane of a CORE_COMPRESS. Lane k of the result comes from the true lane of the mask that
// has k true lanes before it.
static bool read_compress(Run *r, Node *e, Path *path, uint64_t *bits)
{
    int64_t lanes, n = 0;
    *bits = 0;
    if (!run_length(r, e->type, &lanes)) return false;
    for (int64_t i = 0; i < lanes; i++) {
        uint64_t lane;
        if (!run_read(r, e->op[1], &(struct Path){.step.at.number = i}, &lane)) return false;
        if (lane && n++ == run_step(path))
            return run_read(r, e->op[0], &(struct Path){.step.at.number = i}, bits);
    }
    return true;
}

// Reads a lane of a CORE_EXPAND. A true lane of the mask that has k true lanes before it takes lane
// k of the operand.
static bool read_expand(Run *r, Node *e, Path *path, uint64_t *bits)
{
    uint64_t wanted;
    int64_t n;
    *bits = 0;
    if (!run_read(r, e->op[1], path, &wanted) || !count_lanes(r, e->op[1], run_step(path), &n))
        return false;
    return !wanted || run_read(r, e->op[0], &(struct Path){.step.at.number = n}, bits);
}

static bool read_shuffle(Run *r, Node *e, Path *path, uint64_t *bits)
{
    int64_t lanes;
    uint64_t at;
    if (!run_length(r, e->type, &lanes) || !run_read(r, e->op[1], path, &at)) return false;
    return run_read(r, e->op[0], &(struct Path){.step.at.number = floor_mod((int64_t)at, lanes)},
                    bits);
}

// --- views -------------------------------------------------------------------------------------

static bool size_of(void *env, Node *size, int64_t *n)
{
    Run *r = env;
    return run_size(r, size, NO_SPAN, n);
}

bool run_view(Run *r, Node *e, Node *number, Path *path, ViewNumbers *n, ViewStep *s)
{
    uint64_t shift = 0;
    *n = (ViewNumbers){.size = size_of, .env = r};
    if (number && !run_read(r, number, NULL, &shift)) return false;
    ViewContext v = {.cx = r->cx, .shift.number = (int64_t)shift, .numbers = n};
    *s = kind_is_view((Kind)e->kind) ? view_get(&v, e, path) : view_put(&v, e, path);
    if (n->failed && r->outcome.ok) return run_fault(r, e, "outside of the memory");
    if (n->failed) return false;
    return s->kind != STEP_SHORT && s->kind != STEP_NONE
               ? true
               : run_fault(r, e, "an access that does not reach an element");
}

bool run_through(Run *r, Node *view, const ViewStep *s, struct Path *inside)
{
    uint64_t to;
    struct Path at = {.step.at = s->index};
    if (!run_read(r, view->op[s->through], &at, &to)) return false;
    *inside = (struct Path){.step.at.number = (int64_t)to, .rest = s->inside.path->rest};
    return true;
}

static bool read_view(Run *r, Node *e, Path *path, uint64_t *bits)
{
    ViewNumbers n;
    ViewStep s;
    int number = view_number(e);
    if (!run_view(r, e, number < 0 ? NULL : e->op[number], path, &n, &s)) return false;
    ViewPlace from = view_settled(&s);
    struct Path inside;
    if (s.kind == STEP_THROUGH && !run_through(r, e, &s, &inside)) return false;
    return run_read(r, e->op[from.operand], s.kind == STEP_THROUGH ? &inside : from.path, bits);
}

static bool read_index(Run *r, Node *e, Path *path, uint64_t *bits)
{
    uint64_t at;
    if (!run_read(r, e->op[1], NULL, &at)) return false;
    return run_read(r, e->op[0], &(struct Path){.step.at.number = (int64_t)at, .rest = path}, bits);
}

static bool read_select(Run *r, Node *e, Path *path, uint64_t *bits)
{
    uint64_t c;
    if (!run_read(r, e->op[0], NULL, &c)) return false;
    return run_read(r, e->op[c ? 1 : 2], path, bits);
}

// Reads operand `at` at the remaining path `rest`.
static bool read_operand(Run *r, Node *e, int64_t at, Path *rest, uint64_t *bits)
{
    if (at < 0 || at >= (int64_t)e->nops) return run_fault(r, e, "read outside of the memory");
    return run_read(r, e->op[at], rest, bits);
}

static bool is_scalar_kind(Kind kind)
{
    return kind == CORE_LIT || kind == CORE_NAT || kind == CORE_PRIM || kind == CORE_CAST ||
           kind == CORE_EXTRACT || kind == CORE_ANY || kind == CORE_ALL || kind == CORE_COUNT ||
           kind == CORE_MASK_BITS;
}

static bool has_steps(Node *e, Path *path)
{
    bool vector = e->type->kind == TYPE_VEC;
    return is_scalar_kind((Kind)e->kind) ? vector == (path != NULL) : !vector || path;
}

bool run_read(Run *r, Node *e, Path *path, uint64_t *bits)
{
    if (!run_charge(r, 1, e->origin)) return false;
    if ((e->kind == CORE_TUPLE || e->kind == CORE_ARRAY) && !path)
        return run_fault(r, e, "not read to an element");
    if (!has_steps(e, path))
        return run_fault(r, e, "an access into a scalar, or to a whole vector");
    if (kind_is_view((Kind)e->kind)) return read_view(r, e, path, bits);
    switch ((Kind)e->kind) {
    case PH_VAR: return read_variable(r, e, path, bits);
    case PH_SELECT: return read_select(r, e, path, bits);
    case CORE_LIT: return read_literal(r, e, bits);
    case CORE_NAT: return read_size(r, e, bits);
    case CORE_PRIM: return read_prim(r, e, path, bits);
    case CORE_CAST: return read_cast(r, e, path, bits);
    case CORE_LANES: *bits = (uint64_t)run_step(path); return true;
    case CORE_BLEND: return read_blend(r, e, path, bits);
    case CORE_INSERT: return read_insert(r, e, path, bits);
    case CORE_SHUFFLE: return read_shuffle(r, e, path, bits);
    case CORE_COUNT: return read_count(r, e, bits);
    case CORE_MASK_BITS: return read_mask_bits(r, e, bits);
    case CORE_COMPRESS: return read_compress(r, e, path, bits);
    case CORE_EXPAND: return read_expand(r, e, path, bits);
    case CORE_ANY:
    case CORE_ALL: return read_across(r, e, bits);
    case CORE_TUPLE:
    case CORE_ARRAY: return read_operand(r, e, run_step(path), path->rest, bits);
    case CORE_PROJ: {
        PathStep step = {.is_component = true, .component = (int)e->attr.i};
        return run_read(r, e->op[0], &(struct Path){step, path}, bits);
    }
    case CORE_EXTRACT: // a lane is read like an array element
    case CORE_INDEX: return read_index(r, e, path, bits);
    default: return run_fault(r, e, "not an expression of this level");
    }
}

// Reads the value at *path into *v, extending the path at *end to reach its components.
static bool read_part(Run *r, Node *e, Node *type, Path *const *path, Path **end, Value *v)
{
    *v = (Value){0};
    if (type_is_atom(type)) return run_read(r, e, *path, &v->bits);
    bool array = type_has_elements(type), ok = true;
    v->count = type->nops;
    if (array && !run_length(r, type, &v->count)) return false;
    if (!run_charge(r, v->count, e->origin)) return false;
    if (v->count) v->parts = ARENA_ARRAY(r->arena, Value, v->count);
    struct Path step = {0};
    *end = &step;
    for (int64_t i = 0; i < v->count && ok; i++) {
        step = (struct Path){.step.is_component = !array};
        if (array)
            step.step.at.number = i;
        else
            step.step.component = (int)i;
        ok = read_part(r, e, type->op[array ? 1 : i], path, &step.rest, &v->parts[i]);
    }
    *end = NULL;
    return ok;
}

bool run_value(Run *r, Node *e, Value *v)
{
    Path *path = NULL;
    return read_part(r, e, e->type, &path, &path, v);
}
