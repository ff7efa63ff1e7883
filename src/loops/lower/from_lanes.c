// Vectors become loops over their lanes. A vector in memory is an array of scalars, and an
// assignment of vectors stores the lanes in any order. Later passes see loops and scalars;
// `vectorise` turns them into vectors of the target, whatever their length.
//
// compress and expand count the lanes of the mask in order, which is the form that stream
// compaction recognises (vector/compact.c).
//
// Values that all lanes share, such as uniform scalars and selections between vectors by one
// condition, are computed before the loop (settle), so that each lane can be computed separately.
#include "loops/lower/from_dpia.h"

static Node *lane_of(Flat *f, Node *vector, Node *lane)
{
    Node *ops[2] = {vector, flat_index(f, lane, vector->type->op[0])};
    return core_pattern(f->cx, CORE_EXTRACT, 0, 2, ops);
}

// --- values before the loop ---------------------------------------------------------------------

static Node *variable(Flat *f, Sym name, Node *type)
{
    return node_make(f->cx, &(NodeSpec){.kind = PH_VAR, .attr.sym = name, .type = type});
}

static bool is_settled(Node *e)
{
    return e->kind == CORE_LIT || e->kind == CORE_NAT;
}

// Stores the value of a scalar expression in a new local of the current block, unless the
// expression is a constant or a size. Returns the local or the expression.
static Node *settle_scalar(Flat *f, Node *e)
{
    if (is_settled(e)) return e;
    Node *value = flat_expr(f, e);
    Sym name = flat_fresh(f, "u");
    flat_declare(f, name, e->type, value);
    flat_learn(f, name, e->type, value->kind == CORE_NAT ? value->op[0] : NULL);
    return variable(f, name, e->type);
}

// Stores a vector in memory of its own.
static Node *settle_vector(Flat *f, Node *e)
{
    Sym name = flat_fresh(f, "v");
    const Leaf *leaf = &memory_add(f, name, e->type, STORE_LOCAL)->leaves.at[0];
    flat_alloc(f, VARIANT_STACK, leaf->name, leaf->type, leaf->count);
    NodeSpec d = {.kind = ACC_VAR, .attr.sym = name, .type = e->type};
    flat_assign_lanes(f, node_make(f->cx, &d), e);
    return variable(f, name, e->type);
}

// Stores a vector in memory, unless it is already there, so that any lane of it can be read.
static Node *settle_in_memory(Flat *f, Node *e)
{
    const Memory *m = e->kind == PH_VAR ? memory_find(f, e->attr.sym) : NULL;
    return m && m->class == STORE_LOCAL ? e : settle_vector(f, e);
}

static Node *settle_by_mask(Flat *f, Node *e);

// Computes operands of the vector before the loop, so that each lane of the result depends only on
// the same lane of vectors, on locals and on memory.
static Node *settle(Flat *f, Node *e)
{
    switch ((Kind)e->kind) {
    case PH_SELECT: return settle_vector(f, e);
    case CORE_COMPRESS:
    case CORE_EXPAND: return settle_by_mask(f, e);
    case CORE_PRIM:
    case CORE_CAST:
    case CORE_BLEND:
    case CORE_INSERT:
    case CORE_SHUFFLE: break;
    default: return e;
    }
    Node *made = e;
    for (uint32_t i = 0; i < e->nops; i++) {
        Node *op = e->kind == CORE_SHUFFLE && i == 0  ? settle_in_memory(f, e->op[i])
                   : e->op[i]->type->kind == TYPE_VEC ? settle(f, e->op[i])
                                                      : settle_scalar(f, e->op[i]);
        if (op != e->op[i]) made = node_with_op(f->cx, made, (int)i, op);
    }
    return made;
}

// --- lanes --------------------------------------------------------------------------------------

static bool is_power_of_two(Node *size, int64_t *n)
{
    return nat_is_const(size, n) && *n > 0 && (*n & (*n - 1)) == 0;
}

// The number modulo n, a power of two. That of a number cast from a narrow integer is computed in
// the narrow one, in which it fits.
static Node *low_bits(Session *cx, Node *at, int64_t n)
{
    Scalar s;
    Node *from = at->kind == CORE_CAST ? at->op[0] : at;
    bool narrow = type_is_scalar(from->type, &s) && type_is_integer(from->type) &&
                  scalar_info[s].size < 8 && n <= INT8_MAX;
    if (!narrow) from = at;
    Node *most = narrow ? core_int(cx, from->type, n - 1) : core_size(cx, nat_const(cx, n - 1));
    Node *bits = core_prim(cx, PRIM_AND, 2, (Node *[]){from, most});
    return narrow ? core_cast(cx, bits, at->type) : bits;
}

// Reads the lane whose number is operand 1, modulo the lane count. If the lane count is a power of
// two, a bit mask computes the remainder.
static Node *shuffled(Flat *f, Node *e, Path *path)
{
    Session *cx = f->cx;
    int64_t n;
    Node *lanes = e->type->op[0], *at = flat_read(f, e->op[1], path), *number;
    if (nat_is_const(lanes, &n) && n == 1) {
        number = nat_const(cx, 0);
    } else if (at->kind == CORE_LIT) {
        number = flat_simplify(f, nat_mod(cx, nat_const(cx, at->attr.i), lanes));
    } else if (at->kind == CORE_NAT) {
        number = flat_simplify(f, nat_mod(cx, at->op[0], lanes));
    } else {
        bool bits = is_power_of_two(lanes, &n);
        Sym name = flat_fresh(f, "from");
        flat_declare(f, name, at->type, bits ? low_bits(cx, at, n) : at);
        flat_learn(f, name, at->type, NULL);
        number = bits ? nat_var(cx, name) : nat_mod(cx, nat_var(cx, name), lanes);
    }
    return flat_read(f, e->op[0], path_index(f->arena, number, NULL));
}

Node *flat_lane(Flat *f, Node *e, Path *path)
{
    Node *ops[3] = {NULL}, *lane = path->step.index;
    CHECK(f->cx, e->nops <= 3, "an operator with %u operands", e->nops);
    if (e->kind == CORE_LANES) return flat_size_value(f, flat_simplify(f, lane));
    if (e->kind == CORE_SHUFFLE) return shuffled(f, e, path);
    for (uint32_t i = 0; i < e->nops; i++)
        ops[i] = flat_read(f, e->op[i], e->op[i]->type->kind == TYPE_VEC ? path : NULL);
    switch ((Kind)e->kind) {
    case CORE_PRIM: return core_prim(f->cx, (Prim)e->attr.i, (int)e->nops, ops);
    case CORE_CAST: return core_cast(f->cx, ops[0], e->type->op[1]);
    case CORE_BLEND: return loops_select(f->cx, ops[0], ops[1], ops[2]);
    case CORE_INSERT: {
        Node *sides[2] = {flat_size_value(f, lane), ops[1]};
        return loops_select(f->cx, core_prim(f->cx, PRIM_EQ, 2, sides), ops[2], ops[0]);
    }
    default: break;
    }
    session_ice(f->cx, __FILE__, __LINE__, "%s of vectors", kind_info[e->kind].text);
}

Node *flat_extract(Flat *f, Node *e)
{
    Node *at = flat_size(f, e->op[1]);
    return flat_read(f, settle(f, e->op[0]), path_index(f->arena, at, NULL));
}

// --- loops over lanes ---------------------------------------------------------------------------

typedef struct {
    Block block;
    Sym name;
    Node *n;
} Lanes;

static Node *lanes_open(Flat *f, Lanes *l, Node *n)
{
    l->name = flat_fresh(f, "l");
    l->n = n;
    flat_open(f, &l->block);
    facts_range(l->block.facts, l->name, nat_const(f->cx, 0), n);
    f->lockstep++;
    return nat_var(f->cx, l->name);
}

// Ends the loop over lanes. If `apart` is true, its iterations run in any order.
static void lanes_close(Flat *f, Lanes *l, bool apart)
{
    Node *zero = nat_const(f->cx, 0), *body = flat_close(f, &l->block);
    Node *ops[4] = {l->n, zero, l->n, body};
    f->lockstep--;
    flat_add(f, apart ? LOOP_VECTORIZE : LOOP_FOR, l->name, 3 + apart, ops + !apart);
}

// --- compress, expand, count --------------------------------------------------------------------

typedef struct {
    Lanes lanes;
    Block block; // the code for active lanes
    Node *has;
    Sym counter, at;
} Counted;

// Begins a loop over the lanes of a mask, in order. `at` is the number of active lanes so far:
//   counter = 0; for lane { if mask[lane] { at = counter; ..; counter = at + 1 } }
static void counted_open(Flat *f, Counted *c, Node *mask)
{
    Node *i64 = type_scalar(f->cx, SCALAR_I64);
    c->counter = flat_fresh(f, "n");
    flat_declare(f, c->counter, i64, core_size(f->cx, nat_const(f->cx, 0)));
    Node *lane = lanes_open(f, &c->lanes, mask->type->op[0]);
    c->has = flat_read(f, mask, path_index(f->arena, lane, NULL));
}

static void counted_has(Flat *f, Counted *c)
{
    Node *i64 = type_scalar(f->cx, SCALAR_I64);
    flat_open(f, &c->block);
    c->at = flat_fresh(f, "at");
    flat_declare(f, c->at, i64, flat_local(f, c->counter, i64));
    flat_learn(f, c->at, i64, NULL);
}

static void counted_close(Flat *f, Counted *c, Node *otherwise)
{
    Session *cx = f->cx;
    Node *next = core_size(cx, nat_add(cx, nat_var(cx, c->at), nat_const(cx, 1)));
    flat_set(f, c->counter, next);
    flat_add_if(f, c->has, flat_close(f, &c->block), otherwise);
    lanes_close(f, &c->lanes, false);
}

static void write_lane(Flat *f, Sym name, Node *type, Node *lane, Node *value)
{
    Node *at[2] = {node_make(f->cx, &(NodeSpec){.kind = ACC_VAR, .attr.sym = name, .type = type}),
                   flat_index(f, lane, type->op[0])};
    NodeSpec to = {.kind = ACC_AT, .type = type->op[1], .nops = 2, .ops = at};
    flat_write(f, node_make(f->cx, &to), NULL, value);
}

static Node *zero_lane(Flat *f, Node *type)
{
    return node_make(f->cx, &(NodeSpec){.kind = CORE_LIT, .type = type->op[1]});
}

// Stores the result of compress or expand in memory of its own.
static Node *settle_by_mask(Flat *f, Node *e)
{
    Block zero;
    Counted c;
    bool packs = e->kind == CORE_COMPRESS;
    Node *v = packs ? settle(f, e->op[0]) : settle_in_memory(f, e->op[0]);
    Node *mask = settle(f, e->op[1]);
    Sym name = flat_fresh(f, "v");
    const Leaf *leaf = &memory_add(f, name, e->type, STORE_LOCAL)->leaves.at[0];
    flat_alloc(f, VARIANT_STACK, leaf->name, leaf->type, leaf->count);
    counted_open(f, &c, mask);
    Node *lane = nat_var(f->cx, c.lanes.name);
    if (!packs) flat_open(f, &zero);
    write_lane(f, name, e->type, lane, zero_lane(f, e->type));
    Node *nothing = packs ? loops_block(f->cx, 0, NULL) : flat_close(f, &zero);
    counted_has(f, &c);
    Node *at = nat_var(f->cx, c.at);
    write_lane(f, name, e->type, packs ? at : lane, lane_of(f, v, packs ? lane : at));
    counted_close(f, &c, nothing);
    return variable(f, name, e->type);
}

static void store_lanes(Flat *f, Node *d, Node *e)
{
    Lanes l;
    Node *lane = lanes_open(f, &l, e->type->op[0]);
    Node *at[2] = {d, flat_index(f, lane, e->type->op[0])};
    NodeSpec to = {.kind = ACC_AT, .type = e->type->op[1], .nops = 2, .ops = at};
    flat_write(f, node_make(f->cx, &to), NULL, lane_of(f, e, lane));
    lanes_close(f, &l, true);
}

// Whether an expression reads exactly the location of an acceptor, that is, the same memory at the
// same indices.
static bool is_same_location(Node *d, Node *e)
{
    if (d->kind == ACC_VAR) return e->kind == PH_VAR && e->attr.sym == d->attr.sym;
    if (d->kind == ACC_PROJ)
        return e->kind == CORE_PROJ && e->attr.i == d->attr.i &&
               is_same_location(d->op[0], e->op[0]);
    return d->kind == ACC_AT && e->kind == CORE_INDEX && e->op[1] == d->op[1] &&
           is_same_location(d->op[0], e->op[0]);
}

static bool uses_memory(Node *e, Node *written)
{
    bool same = e->attr.sym == written->attr.sym;
    if (e->kind == PH_VAR || e->kind == ACC_VAR) return same;
    for (uint32_t i = 0; i < e->nops; i++)
        if (uses_memory(e->op[i], written)) return true;
    return false;
}

static Node *memory_of(Node *d)
{
    while (d->nops > 0) d = d->op[d->kind == ACC_AT ? 0 : d->nops - 1];
    return d;
}

// Whether each lane of a vector depends only on the same lane of its operands.
static bool is_by_lane(Node *e)
{
    switch ((Kind)e->kind) {
    case CORE_LIT:
    case CORE_PRIM:
    case CORE_CAST:
    case CORE_UNDEFINED:
    case CORE_LANES:
    case CORE_BLEND:
    case CORE_INSERT:
    case CORE_COMPRESS: // settle has already replaced these two
    case CORE_EXPAND: return true;
    default: return false;
    }
}

// Whether the computation of a lane may read another lane after that lane was stored.
static bool reads_written(Node *e, Node *d)
{
    if (is_same_location(d, e)) return false;
    if (e->kind == CORE_SHUFFLE)
        return uses_memory(e->op[0], memory_of(d)) || reads_written(e->op[1], d);
    if (e->type && e->type->kind == TYPE_VEC && is_by_lane(e)) {
        for (uint32_t i = 0; i < e->nops; i++)
            if (reads_written(e->op[i], d)) return true;
        return false;
    }
    Node *memory = memory_of(d);
    return memory->kind == ACC_VAR && uses_memory(e, memory);
}

static void assign_either(Flat *f, Node *d, Node *e)
{
    Node *condition = flat_expr(f, e->op[0]), *ops[3] = {condition, NULL, NULL};
    for (int k = 1; k <= 2; k++) {
        Block b;
        flat_open(f, &b);
        flat_learn_condition(f, condition, k == 1);
        flat_assign_lanes(f, d, e->op[k]);
        ops[k] = flat_close(f, &b);
    }
    flat_add_if(f, condition, ops[1], ops[2]);
}

void flat_assign_lanes(Flat *f, Node *d, Node *e)
{
    if (e->kind == PH_SELECT) {
        assign_either(f, d, e);
        return;
    }
    e = settle(f, e);
    if (reads_written(e, d)) e = settle_vector(f, e);
    store_lanes(f, d, e);
}

static Node *lanes_counted(Flat *f, Node *mask)
{
    Counted c;
    counted_open(f, &c, settle(f, mask));
    counted_has(f, &c);
    counted_close(f, &c, loops_block(f->cx, 0, NULL));
    return flat_local(f, c.counter, type_scalar(f->cx, SCALAR_I64));
}

// bits = 0; for lane { bits = bits | u64(mask[lane]) << u64(lane) }, which vectorisation
// recognises.
static Node *lanes_as_bits(Flat *f, Node *mask)
{
    Session *cx = f->cx;
    Node *u64 = type_scalar(cx, SCALAR_U64), *v = settle(f, mask);
    Sym name = flat_fresh(f, "bits");
    flat_declare(f, name, u64, core_int(cx, u64, 0));
    Lanes l;
    Node *lane = lanes_open(f, &l, v->type->op[0]);
    Node *at[2] = {core_cast(cx, flat_read(f, v, path_index(f->arena, lane, NULL)), u64),
                   core_cast(cx, flat_size_value(f, flat_simplify(f, lane)), u64)};
    Node *both[2] = {flat_local(f, name, u64), core_prim(cx, PRIM_SHL, 2, at)};
    flat_set(f, name, core_prim(cx, PRIM_OR, 2, both));
    lanes_close(f, &l, false);
    return flat_local(f, name, u64);
}

// Reduces the lanes of the mask to one value, in a local.
Node *flat_across(Flat *f, Node *e)
{
    if (e->kind == CORE_COUNT) return lanes_counted(f, e->op[0]);
    if (e->kind == CORE_MASK_BITS) return lanes_as_bits(f, e->op[0]);
    Node *v = settle(f, e->op[0]), *type = e->type;
    bool any = e->kind == CORE_ANY;
    Sym name = flat_fresh(f, any ? "any" : "all");
    flat_declare(f, name, type, core_bool(f->cx, !any));
    Lanes l;
    Node *lane = lanes_open(f, &l, v->type->op[0]);
    Node *sides[2] = {flat_local(f, name, type), flat_read(f, v, path_index(f->arena, lane, NULL))};
    Node *both = core_prim(f->cx, any ? PRIM_OR : PRIM_AND, 2, sides);
    flat_set(f, name, both);
    lanes_close(f, &l, false);
    return flat_local(f, name, type);
}
