// Replaces gathers from stack arrays with shuffles, if the positions depend only on the lane
// number.
//
//   t[0 ..] = x                                t[0 ..] = x
//   y[0 ..] = gather t at (0, 1, 2, 3) ^ 1     y[0 ..] = shuffled t[0 ..], by 1, 0, 3, 2
#include "loops/vector/vectors.h"

// --- constants by lane --------------------------------------------------------------------------

enum {
    MOST_VISITED = 400, // maximum number of nodes visited in an expression
    MOST = 8            // maximum number of source vectors of a shuffle
};

typedef struct {
    Session *cx;
    Map constants; // local that is never reassigned -> its declaration
    Map stack;     // stack array -> its LOOP_ALLOC
    Map done;      // expression or statement -> its replacement
    Map stored;    // buffer that vectors are stored to -> the type of one of them
    int64_t lane;
    int visited;
} Shuffles;

static void find_arrays(Node *s, Shuffles *f)
{
    int64_t count;
    if (s->kind == LOOP_ALLOC && s->variant == VARIANT_STACK && nat_is_const(s->op[1], &count))
        map_put(&f->stack, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s);
    if (s->kind == LOOP_STORE && s->op[1]->type->kind == TYPE_VEC)
        map_put(&f->stored, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s->op[1]->type);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_arrays(s->op[i], f);
}

static bool value(Shuffles *f, Node *e, uint64_t *bits);

static bool value_of_name(Shuffles *f, Sym name, uint64_t *bits)
{
    Node *decl = map_get(&f->constants, MAP_KEY(name));
    return decl && value(f, decl->op[1], bits);
}

static bool look_up(Node *atom, int64_t *result, void *env)
{
    uint64_t bits;
    if (atom->kind != NAT_VAR || !value_of_name(env, atom->attr.sym, &bits)) return false;
    *result = (int64_t)bits;
    return true;
}

static bool value_of_prim(Shuffles *f, Node *e, uint64_t *bits)
{
    uint64_t ops[PRIM_OPERANDS] = {0};
    Scalar s;
    DiagCode code;
    for (uint32_t i = 0; i < e->nops; i++)
        if (!value(f, e->op[i], &ops[i])) return false;
    return type_is_scalar(type_lane(e->op[0]->type), &s) && scalar_info[s].class != CLASS_FLOAT &&
           eval_prim((Prim)e->attr.i, s, ALGEBRA_IEEE, ops, bits, &code);
}

static bool value_of_cast(Shuffles *f, Node *e, uint64_t *bits)
{
    Scalar from, to;
    if (!type_is_scalar(type_lane(e->op[0]->type), &from) ||
        !type_is_scalar(type_lane(e->type), &to))
        return false;
    if (scalar_info[from].class == CLASS_FLOAT || scalar_info[to].class == CLASS_FLOAT)
        return false;
    if (!value(f, e->op[0], bits)) return false;
    *bits = eval_cast(from, to, ALGEBRA_IEEE, *bits);
    return true;
}

// Computes the value of an integer or boolean expression in the current lane.
static bool value(Shuffles *f, Node *e, uint64_t *bits)
{
    uint64_t c;
    if (f->visited++ > MOST_VISITED) return false;
    switch ((Kind)e->kind) {
    case CORE_LIT: *bits = e->attr.bits; return true;
    case CORE_NAT: return nat_eval(e->op[0], look_up, f, (int64_t *)bits);
    case LOOP_VAR: return value_of_name(f, e->attr.sym, bits);
    case LOOP_SPLAT: return value(f, e->op[0], bits);
    case LOOP_IOTA: *bits = (uint64_t)f->lane; return true;
    case LOOP_SELECT: return value(f, e->op[0], &c) && value(f, e->op[c ? 1 : 2], bits);
    case CORE_PRIM: return value_of_prim(f, e, bits);
    case CORE_CAST: return value_of_cast(f, e, bits);
    default: return false;
    }
}

static bool value_in_lane(Shuffles *f, Node *e, int64_t lane, uint64_t *bits)
{
    f->lane = lane;
    f->visited = 0;
    return value(f, e, bits);
}

// --- shuffles -----------------------------------------------------------------------------------

// A vector to be assembled from the lanes of others. For each lane, `source` is the index of the
// source vector, and `lane` the lane of that source.
typedef struct {
    Node *type;
    int64_t lanes;
    Node *sources[MOST];
    int n;
    int64_t *source, *lane;
} Wanted;

static Wanted wanted(Session *cx, Node *type)
{
    Wanted w = {.type = type};
    (void)type_is_vec(type, &w.lanes);
    w.source = ARENA_ARRAY(cx->arena, int64_t, w.lanes);
    w.lane = ARENA_ARRAY(cx->arena, int64_t, w.lanes);
    return w;
}

static bool want(Wanted *w, int64_t k, Node *source, int64_t lane)
{
    int i = 0;
    while (i < w->n && w->sources[i] != source) i++;
    if (i == MOST) return false;
    w->sources[i] = source;
    w->n += i == w->n;
    w->source[k] = i;
    w->lane[k] = lane;
    return true;
}

// A shuffle of the sources `a` and `b` or, if `before` is not NULL, of `before` and `b`. Lanes that
// do not come from `b` then keep their values in `before`.
static Node *shuffle_of(Session *cx, const Wanted *w, Node *before, int a, int b)
{
    Node **ops = ARENA_ARRAY(cx->arena, Node *, w->lanes + 2);
    bool moves = false;
    ops[0] = before ? before : w->sources[a];
    ops[1] = b < w->n ? w->sources[b] : ops[0];
    for (int64_t k = 0; k < w->lanes; k++) {
        int64_t from = w->source[k] == b              ? w->lane[k] + w->lanes
                       : !before && w->source[k] == a ? w->lane[k]
                                                      : k;
        ops[2 + k] = nat_const(cx, from);
        moves |= from != k;
    }
    if (!moves) return ops[0];
    return node_make(
        cx,
        &(NodeSpec){.kind = LOOP_SHUFFLE, .type = w->type, .nops = (int)w->lanes + 2, .ops = ops});
}

// Shuffles two sources together, then adds the others one at a time.
static Node *shuffle_all(Session *cx, const Wanted *w)
{
    Node *v = shuffle_of(cx, w, NULL, 0, 1);
    for (int i = 2; i < w->n; i++) v = shuffle_of(cx, w, v, -1, i);
    return v;
}

static Node *part(Session *cx, Node *gather, int64_t position)
{
    return loops_load(cx, gather->attr.sym, gather->type, nat_const(cx, position));
}

// Computes the position that lane k reads. Returns false if it is unknown.
static bool position_of(Shuffles *f, Node *n, int64_t k, uint64_t *at)
{
    int64_t first;
    if (n->kind == LOOP_GATHER) return value_in_lane(f, n->op[0], k, at);
    if (!nat_is_const(n->op[0], &first)) return false;
    *at = (uint64_t)(first + k);
    return true;
}

// Returns a gather or masked load as a shuffle, or unchanged if that is impossible.
static Node *gathered(Shuffles *f, Node *n)
{
    int64_t count;
    Node *alloc = map_get(&f->stack, MAP_KEY(n->attr.sym));
    Wanted w = wanted(f->cx, n->type);
    if (!alloc || !nat_is_const(alloc->op[1], &count) || count % w.lanes) return n;
    for (int64_t k = 0; k < w.lanes; k++) {
        uint64_t at = 0, on;
        if (!value_in_lane(f, n->op[1], k, &on)) return n;
        if (on && (!position_of(f, n, k, &at) || at >= (uint64_t)count)) return n;
        int64_t lane = on ? (int64_t)at % w.lanes : k;
        Node *source = on ? part(f->cx, n, (int64_t)at - lane) : loops_zeros(f->cx, n->type);
        if (!want(&w, k, source, lane)) return n;
    }
    return shuffle_all(f->cx, &w);
}

// Turns a splat of an element of a stored vector into a broadcast of one lane of that vector.
static Node *broadcast(Shuffles *f, Node *n)
{
    Node *load = n->op[0], *alloc;
    int64_t count, at;
    Wanted w = wanted(f->cx, n->type);
    if (load->kind != LOOP_LOAD || map_get(&f->stored, MAP_KEY(load->attr.sym)) != n->type)
        return n;
    alloc = map_get(&f->stack, MAP_KEY(load->attr.sym));
    if (!alloc || !nat_is_const(alloc->op[1], &count) || !nat_is_const(load->op[0], &at)) return n;
    if (at < 0 || at >= count || count % w.lanes) return n;
    Node *first = nat_const(f->cx, at - at % w.lanes);
    Node *whole = loops_load(f->cx, load->attr.sym, n->type, first);
    for (int64_t k = 0; k < w.lanes; k++)
        if (!want(&w, k, whole, at % w.lanes)) return n;
    return shuffle_all(f->cx, &w);
}

// Converts a masked load to a plain one, if the whole vector is inside the array.
static Node *load_unmasked(Shuffles *f, Node *n, int64_t lanes)
{
    int64_t at, count;
    Node *alloc = n->kind == LOOP_LOAD_WHERE ? map_get(&f->stack, MAP_KEY(n->attr.sym)) : NULL;
    if (!alloc || !nat_is_const(alloc->op[1], &count) || !nat_is_const(n->op[0], &at)) return n;
    return at >= 0 && at + lanes <= count ? part(f->cx, n, at) : n;
}

// Turns a select with a constant mask into a shuffle of its operands or, if an operand is itself a
// shuffle, of its sources. Returns the select unchanged if there are more than two sources.
static Node *selected(Shuffles *f, Node *n)
{
    Wanted w = wanted(f->cx, n->type);
    for (int64_t k = 0; k < w.lanes; k++) {
        uint64_t first;
        if (!value_in_lane(f, n->op[0], k, &first)) return n;
        Node *source = n->op[first ? 1 : 2];
        int64_t lane = k;
        if (source->kind == LOOP_SHUFFLE) {
            (void)nat_is_const(source->op[2 + k], &lane);
            source = source->op[lane / w.lanes];
            lane %= w.lanes;
        }
        if (!want(&w, k, source, lane)) return n;
    }
    return w.n <= 2 ? shuffle_all(f->cx, &w) : n;
}

// Removes the mask from loads in one operand of a select on the same mask, since the select ignores
// the lanes that the mask excludes.
static Node *unmasked(Shuffles *f, Node *e, Node *mask, bool holds, int depth)
{
    enum { DEEP = 6 };
    if (depth == DEEP) return e;
    if (e->kind == LOOP_LOAD_WHERE || e->kind == LOOP_GATHER) {
        Node *own = e->op[1];
        bool negated = own->kind == CORE_PRIM && own->attr.i == PRIM_NOT;
        if ((negated ? own->op[0] : own) != mask || negated == holds) return e;
        if (e->kind == LOOP_LOAD_WHERE) {
            int64_t lanes = 1;
            (void)type_is_vec(e->type, &lanes);
            return load_unmasked(f, e, lanes);
        }
        Node *yes = core_bool(f->cx, true);
        NodeSpec all = {.kind = LOOP_SPLAT, .type = own->type, .nops = 1, .ops = &yes};
        Node *taken = gathered(f, node_with_op(f->cx, e, 1, node_make(f->cx, &all)));
        return taken->kind == LOOP_GATHER ? e : taken;
    }
    if (e->kind != CORE_PRIM && e->kind != CORE_CAST) return e;
    Node *made = e;
    for (uint32_t i = 0; i < e->nops; i++) {
        Node *op = unmasked(f, e->op[i], mask, holds, depth + 1);
        if (op != e->op[i]) made = node_with_op(f->cx, made, (int)i, op);
    }
    return made;
}

static bool has_constant_mask(Shuffles *f, Node *n)
{
    int64_t lanes = 0;
    uint64_t first;
    if (n->kind != LOOP_SELECT || !type_is_vec(n->op[0]->type, &lanes)) return false;
    for (int64_t k = 0; k < lanes; k++)
        if (!value_in_lane(f, n->op[0], k, &first)) return false;
    return true;
}

// Replaces a select on LOOP_ANY of a constant mask with one of its operands.
static Node *decided(Shuffles *f, Node *n)
{
    int64_t lanes = 0;
    bool some = false;
    if (n->op[0]->kind != LOOP_ANY || !type_is_vec(n->op[0]->op[0]->type, &lanes)) return n;
    for (int64_t k = 0; k < lanes; k++) {
        uint64_t on;
        if (!value_in_lane(f, n->op[0]->op[0], k, &on)) return n;
        some |= on != 0;
    }
    return n->op[some ? 1 : 2];
}

static Node *shuffled(Session *cx, Node *n, int depth, void *env)
{
    Shuffles *f = env;
    if (n->nops == 0 || node_is_size_or_type(n)) return n;
    Node *before = n, *done = map_get(&f->done, MAP_KEY(n));
    if (done) return done;
    bool choice = has_constant_mask(f, n);
    for (int side = 1; choice && side <= 2; side++) {
        Node *x = unmasked(f, n->op[side], n->op[0], side == 1, 0);
        if (x != n->op[side]) n = node_with_op(cx, n, side, x);
    }
    n = node_map(cx, n, depth, shuffled, env);
    if (n->kind == LOOP_GATHER || n->kind == LOOP_LOAD_WHERE) n = gathered(f, n);
    if (n->kind == LOOP_SELECT) n = decided(f, n);
    if (n->kind == LOOP_SPLAT) n = broadcast(f, n);
    if (choice) n = selected(f, n);
    map_put(&f->done, MAP_KEY(before), (void *)(uintptr_t)n);
    return n;
}

Node *gathers_to_shuffles(Session *cx, Node *body)
{
    Shuffles f = {.cx = cx,
                  .constants = loops_constants(cx, body),
                  .stack = map_new(cx->arena),
                  .stored = map_new(cx->arena),
                  .done = map_new(cx->arena)};
    find_arrays(body, &f);
    return f.stack.len ? shuffled(cx, body, 0, &f) : body;
}

// --- permutations --------------------------------------------------------------------------------
//
// Loads from small arrays on the stack at positions that differ by lane: the array is a few
// vectors, whose lanes are permuted by the positions. So lookups in tables and shuffles by computed
// lane numbers do not go through memory.
//
// Inactive lanes may have any position, since a permutation takes it modulo the number of lanes.

enum { MOST_PERMUTED = 4 }; // vectors that an array may consist of

// The integers that are as wide as the elements, and can count those of the array. NULL for
// elements that cannot be permuted.
static Node *number_type(Session *cx, Node *element, int64_t count)
{
    static const Scalar by_size[] = {
        [1] = SCALAR_I8, [2] = SCALAR_I16, [4] = SCALAR_I32, [8] = SCALAR_I64};
    Scalar s;
    if (!type_is_scalar(element, &s) || s == SCALAR_BOOL || s == SCALAR_F16) return NULL;
    if (scalar_info[s].size == 1 && count > INT8_MAX) return NULL;
    return type_scalar(cx, by_size[scalar_info[s].size]);
}

bool load_is_permutation(Divergence *d, Node *load)
{
    int64_t count;
    const LaneArrays *arrays = d->arrays;
    Node *alloc = arrays ? map_get(&arrays->stack, MAP_KEY(load->attr.sym)) : NULL;
    if (!alloc || !nat_is_const(alloc->op[1], &count) || (count & (count - 1)) || count < 2)
        return false;
    if (map_get(&arrays->in_registers, MAP_KEY(load->attr.sym))) return false;
    if (divergence_array(d, load->attr.sym) || !divergence_of(d, load->op[0]).varies) return false;
    Scalar s;
    bool fits = type_is_scalar(load->type, &s) &&
                count * scalar_info[s].size <= (int64_t)MOST_PERMUTED * d->cx->vector_bytes;
    return fits && number_type(d->cx, load->type, count) && narrow_value(d, load->op[0]);
}

// The elements of the array from `first` on, permuted. There are as many as lanes, or fewer.
static Node *permuted(IfConverter *l, Node *load, int64_t first, int64_t count, Node *at)
{
    Session *cx = l->cx;
    Node *part = type_vec(cx, count < l->d->lanes ? count : l->d->lanes, load->type);
    Node *ops[] = {loops_load(cx, load->attr.sym, part, nat_const(cx, first)), at};
    NodeSpec spec = {.kind = LOOP_PERMUTE, .nops = 2, .ops = ops};
    spec.type = vec_type(l->d, load->type);
    return node_make(cx, &spec);
}

Node *permutation_load(IfConverter *l, Node *load, Node *mask)
{
    Session *cx = l->cx;
    int64_t count, lanes = l->d->lanes;
    if (!l->w || !load_is_permutation(l->d, load)) return NULL;
    Node *alloc = map_get(&l->w->arrays.stack, MAP_KEY(load->attr.sym));
    if (!nat_is_const(alloc->op[1], &count) || count > MOST_PERMUTED * lanes) return NULL;
    Node *type = number_type(cx, load->type, count);
    Node *at = vec_cast(l->d, vector_value(l, narrow_value(l->d, load->op[0]), mask), type);
    if (count > lanes) at = vec_declare(l, "at", at);
    Node *v = permuted(l, load, 0, count, at);
    for (int64_t first = lanes; first < count; first += lanes) {
        Node *limit = vec_splat(l->d, core_int(cx, type, first));
        v = vec_select(cx, vec_prim(cx, PRIM_LT, at, limit), v,
                       permuted(l, load, first, count, at));
    }
    return v;
}
