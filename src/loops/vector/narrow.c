// Indices that are converted from narrow integers. Their i64 exists only as a scalar: gathers,
// scatters and bounds checks take vectors of the narrow integer, so it gets a name of its own:
//
//   k : i64 = i64(at[i])       becomes       k1 : i32 = at[i]
//                                            k : i64 = i64(k1)
#include "base/target/cpu.h"
#include "loops/vector/vectors.h"

bool is_widened(Node *e)
{
    Scalar from, to;
    return e->kind == CORE_CAST && type_is_scalar(e->type, &to) && to == SCALAR_I64 &&
           type_is_scalar(e->op[0]->type, &from) && type_is_integer(e->op[0]->type) &&
           scalar_info[from].size <= 4;
}

bool fits_i32(Node *type)
{
    Scalar s;
    return type_is_scalar(type, &s) && s != SCALAR_U32 && scalar_info[s].size <= 4;
}

Node *lane_declaration(const Divergence *d, Sym name)
{
    const LaneName *n = map_get(&d->names, MAP_KEY(name));
    if (n && (n->stmt->kind != LOOP_DECL || map_get(&d->changed, MAP_KEY(name)))) return NULL;
    Node *decl = n ? n->stmt : d->outer ? map_get(d->outer, MAP_KEY(name)) : NULL;
    return decl && !loops_is_nothing(decl->op[1]) ? decl : NULL;
}

Node *narrow_value(const Divergence *d, Node *size)
{
    Node *decl = size->kind == NAT_VAR ? lane_declaration(d, size->attr.sym) : NULL;
    return decl && is_widened(decl->op[1]) ? decl->op[1]->op[0] : NULL;
}

// --- names --------------------------------------------------------------------------------------

typedef struct {
    const Divergence *d;
    Map constants; // local of the body that is never reassigned -> its declaration
} Names;

// Whether the value is a local that is never reassigned.
static bool is_named(const Names *n, Node *value)
{
    if (value->kind != LOOP_VAR) return false;
    return map_get(&n->constants, MAP_KEY(value->attr.sym)) ||
           (n->d->outer && map_get(n->d->outer, MAP_KEY(value->attr.sym)));
}

static Node *named(void *env, Node *s)
{
    const Names *n = env;
    Session *cx = n->d->cx;
    Node *both[2];
    s = loops_map(cx, s, named, env);
    if (s->kind != LOOP_DECL || !is_widened(s->op[1]) || is_named(n, s->op[1]->op[0])) return s;
    Node *local = loops_name(cx, s->attr.sym->text, s->op[1]->op[0], &both[0], s->origin);
    both[1] = node_with_op(cx, s, 1, core_cast(cx, local, s->op[0]));
    return loops_block(cx, 2, both);
}

Node *name_narrow_integers(const Divergence *d, Node *body)
{
    Names n = {d, loops_constants(d->cx, body)};
    return named(&n, body);
}

// --- positions ----------------------------------------------------------------------------------
//
// Positions that are computed from narrow integers, so that accesses take vectors of i32. The
// position is base * scale + by + offset, in which `base` and `by` are narrow integers, and `scale`
// and `offset` are uniform:
//
//   x[i64(at + c)]                        base at, offset c
//   x[i64(at), c] with x: [n][m]f32       base at, scale m, offset c
//   x[i64(row), i64(at)]                  base row, scale m, by at
//   xs[i64(at)] with vectors xs           base at, scale of lanes, by the number of the lane
//
// Several gathers, x[at], x[at + 1], x[at + n], then share one vector of positions. A 32-bit sum
// may wrap, but with 0 <= c < 2^31, a wrapped sum is negative, which is not a position.

typedef struct {
    Session *cx;
    const Divergence *d;
    const Facts *facts;
    NarrowPosition *at;
} Splitting;

static bool is_i32(Node *type)
{
    Scalar s;
    return type_is_scalar(type, &s) && s == SCALAR_I32;
}

static bool is_in_range(const Splitting *n, Node *size)
{
    Node *most = nat_const(n->cx, INT32_MAX);
    return nat_ge0(n->cx, n->facts, size) == TRUTH_YES &&
           nat_le(n->cx, n->facts, size, most) == TRUTH_YES;
}

// Returns the value of a uniform i32 as a size, or NULL if it is not known to be in 0 .. 2^31 - 1.
static Node *known_size(const Splitting *n, Node *e)
{
    Session *cx = n->cx;
    Node *size = NULL, *decl = NULL;
    if (!is_i32(e->type)) return NULL;
    if (e->kind == CORE_LIT) {
        size = nat_const(cx, (int32_t)e->attr.i);
    } else if (e->kind == LOOP_VAR) {
        decl = lane_declaration(n->d, e->attr.sym);
        return decl ? known_size(n, decl->op[1]) : NULL;
    } else if (e->kind == CORE_CAST && e->op[0]->kind == CORE_NAT) {
        size = e->op[0]->op[0];
    } else if (e->kind == CORE_PRIM && (e->attr.i == PRIM_ADD || e->attr.i == PRIM_MUL)) {
        Node *a = known_size(n, e->op[0]), *b = a ? known_size(n, e->op[1]) : NULL;
        if (b) size = e->attr.i == PRIM_ADD ? nat_add(cx, a, b) : nat_mul(cx, a, b);
    }
    return size && is_in_range(n, size) ? size : NULL;
}

// Splits e into base + offset, where the base is a local. Leaves both unchanged if that fails.
static void split_sum(Splitting *n, Node *e, Node *offset)
{
    if (e->kind == LOOP_VAR) {
        Node *decl = lane_declaration(n->d, e->attr.sym);
        if (!decl) return;
        n->at->base = e;
        n->at->offset = offset;
        if (decl->op[1]->kind == CORE_PRIM) split_sum(n, decl->op[1], offset);
        return;
    }
    if (e->kind != CORE_PRIM || e->attr.i != PRIM_ADD) return;
    for (int i = 0; i < 2; i++) {
        Node *c = known_size(n, e->op[1 - i]);
        Node *sum = c ? nat_add(n->cx, offset, c) : NULL;
        if (!sum || !is_in_range(n, sum)) continue;
        split_sum(n, e->op[i], sum);
        return;
    }
}

// The local that a position's i64 is cast from, or NULL.
static Node *narrow_local(const Divergence *d, Node *name)
{
    Node *value = name->kind == NAT_VAR ? narrow_value(d, name) : NULL;
    bool local = value && value->kind == LOOP_VAR && lane_declaration(d, value->attr.sym);
    return local && fits_i32(value->type) ? value : NULL;
}

// Splits a term that is not uniform into a narrow local and its coefficient. Returns NULL if that
// fails.
static Node *narrow_factor(Divergence *d, Node *term, Node **scale)
{
    *scale = nat_const(d->cx, 1);
    if (term->kind != NAT_PRODUCT) return narrow_local(d, term);
    Node *name = NULL;
    *scale = nat_const(d->cx, term->attr.i);
    for (uint32_t i = 0; i < term->nops; i++) {
        if (shape_is_uniform(divergence_of(d, term->op[i]))) {
            *scale = nat_mul(d->cx, *scale, term->op[i]);
        } else {
            if (name) return NULL;
            name = term->op[i];
        }
    }
    return name ? narrow_local(d, name) : NULL;
}

static bool is_one(Node *scale)
{
    int64_t k;
    return nat_is_const(scale, &k) && k == 1;
}

// Adds a term of the position. Returns false if there are too many.
static bool add_term(Divergence *d, Node *term, NarrowPosition *at)
{
    Node *scale, *local;
    Shape shape = divergence_of(d, term);
    if (shape_is_uniform(shape) || (shape_is_contiguous(shape) && !at->by && !at->by_lane)) {
        bool lane = d->one_vector && term->kind == NAT_VAR && term->attr.sym == d->index;
        at->by_lane |= !shape_is_uniform(shape);
        if (!lane) at->offset = nat_add(d->cx, at->offset, term);
        return true;
    }
    local = narrow_factor(d, term, &scale);
    if (!local || at->by) return false;
    if (at->base && !is_one(scale) && !is_one(at->scale)) return false;
    if (at->base && at->by_lane) return false;
    if (!at->base || !is_one(scale)) {
        at->by = at->base;
        at->base = local;
        at->scale = scale;
    } else {
        at->by = local;
    }
    return true;
}

bool narrow_position_is_simple(const NarrowPosition *at)
{
    return !at->by && !at->by_lane && is_one(at->scale);
}

bool narrow_position(Divergence *d, const Facts *facts, Node *position, NarrowPosition *at)
{
    *at = (NarrowPosition){.offset = nat_const(d->cx, 0)};
    bool sum = position->kind == NAT_SUM;
    for (uint32_t i = 0; i < (sum ? position->nops : 1); i++)
        if (!add_term(d, sum ? position->op[i] : position, at)) return false;
    if (!at->base) return false;
    if (narrow_position_is_simple(at)) {
        Node *rest = at->offset;
        Splitting n = {d->cx, d, facts, at};
        split_sum(&n, at->base, nat_const(d->cx, 0));
        at->offset = nat_add(d->cx, at->offset, rest);
    }
    return true;
}

bool shape_is_narrow_step(Shape s)
{
    enum { MOST_STEP = INT32_MAX / LOOPS_MAX_LANES };
    return !s.varies && s.step != 0 && s.step <= MOST_STEP && s.step >= -MOST_STEP;
}

bool array_is_small(const Divergence *d, Sym array)
{
    int64_t n;
    Node *alloc = d->arrays ? map_get(&d->arrays->stack, MAP_KEY(array)) : NULL;
    return alloc && nat_is_const(alloc->op[1], &n) && n <= INT32_MAX;
}

bool access_is_narrow(Divergence *d, const Facts *facts, Node *access, NarrowPosition *at)
{
    if (!narrow_position(d, facts, access->op[0], at)) return false;
    bool by_lanes = access->kind == LOOP_LOAD && d->cx->cpu->costs.gather == 0;
    return by_lanes || narrow_position_is_simple(at) || divergence_own(d, access->attr.sym) ||
           array_is_small(d, access->attr.sym);
}
