// Innermost loops over lanes become statements on vectors, a vector of L elements for L rounds:
//
//   for i in vectorize(8, 0, n)              for i in 0, 8, .. up to the last whole 8
//       t = x[i] * s             becomes         t : vec[8] = x[i ..] * splat(s)
//       y[i] = max(t, x[i])                      y[i ..] = max(t, x[i ..])
//                                            the rounds that are left, one after the other
//
// Each value is the same in all lanes (it stays a scalar, and is made a vector where it meets one), or differs by lane (Karrenberg & Hack,
// Whole-Function Vectorization, CGO 2011). Memory is read and written in steps of one element; a branch on what differs by lane becomes
// selections. A body with anything else stays a loop: other steps through memory, stores under such a branch, elements that are only read
// in some lanes, what vectors have no instructions for.
//
// An array whose elements are stored one by one by name is better left to C compilers, which keep these in registers: a vector of them
// would have to wait until all are in memory.
//
// Vectors are no wider than the machine's: C compilers take those apart badly, so that the loop goes over fewer lanes at a time when
// the widest element of the body asks for that.
//
// Legal, since a lane does not assign what another reads or assigns (the language's rule), so that only the order within a lane matters, and
// that is kept. Where it can be seen that lanes meet, nothing is done.
#include "loops/passes.h"

enum { MAX_WEIGHT = 2000 };        // of the body
enum { FEW = 4, MAX_SHORT = 500 }; // rounds and weight of what is written out

typedef enum {
    NONE,
    SAME,
    BY_LANE
} Shape; // of a value: cannot be a vector, the same in all lanes, another one in each

typedef struct {
    Node *stmt; // or load
    bool stores;
} Access;

typedef struct {
    Session *cx;
    Sym index;
    int64_t lanes;
    Map varying; // locals that differ by lane
    Map safe;    // loads that are done in every round
    VEC(Access) accesses;
    bool grown, refused;
    const Map *named; // arrays with elements that are stored by name; or NULL
    int widest;       // bytes of the largest element
    int branches;     // around, also of expressions
    int masks;        // branches around that lanes take differently
} Vectorise;

static bool is_varying(const Vectorise *v, Sym name)
{
    return map_get(&v->varying, MAP_KEY(name)) != NULL;
}

static void vary(Vectorise *v, Sym name)
{
    if (is_varying(v, name)) return;
    map_put(&v->varying, MAP_KEY(name), v);
    v->grown = true;
}

// Halves are computed as floats, one by one.
static bool suits(Node *type)
{
    Scalar s;
    return type_is_scalar(type, &s) && s != SCALAR_F16;
}

// --- shapes -------------------------------------------------------------------------------------

typedef struct {
    const Vectorise *v;
    bool locals, index;
} Names;

static void look(Node *atom, void *env)
{
    Names *n = env;
    if (atom->kind != NAT_VAR) return;
    n->index |= atom->attr.sym == n->v->index;
    n->locals |= is_varying(n->v, atom->attr.sym);
}

// By how many elements a position moves from lane to lane; false: not by the same number.
static bool steps(const Vectorise *v, Node *position, int64_t *step)
{
    Names n = {v, false, false};
    *step = 0;
    nat_atoms(v->cx, position, look, &n);
    if (n.locals) return false;
    Node *by = n.index ? loops_stride(v->cx, position, v->index) : NULL;
    return !n.index || (by && nat_is_const(by, step));
}

static Shape shape_of_size(const Vectorise *v, Node *size)
{
    int64_t step;
    if (size->kind == NAT_VAR && is_varying(v, size->attr.sym)) return BY_LANE;
    return !steps(v, size, &step) ? NONE : step ? BY_LANE : SAME;
}

static bool is_divided(Prim op)
{
    return op == PRIM_DIV || op == PRIM_REM;
}

// Whether the operator is one of vectors: in machines, or in a library. Without one the lanes are done one by one.
static bool is_cheap(Prim op, Node *type)
{
    if (!suits(type)) return false;
    if (!type_is_float(type)) return !is_divided(op);
    return op != PRIM_REM;
}

static bool is_cheap_cast(Node *from, Node *to)
{
    Scalar s;
    bool is_bool = type_is_scalar(to, &s) && s == SCALAR_BOOL;
    return suits(from) && suits(to) && (is_bool || !type_is_float(from) || type_is_float(to));
}

static void note(Vectorise *v, Node *access, bool stores)
{
    vec_push(v->cx->arena, &v->accesses, ((Access){access, stores}));
}

static Shape shape(Vectorise *v, Node *e);

// What some lanes do not read may not be there.
static Shape shape_of_load(Vectorise *v, Node *e)
{
    int64_t step;
    if (v->masks && !map_get(&v->safe, MAP_KEY(e))) return NONE;
    if (!suits(e->type) || !steps(v, e->op[0], &step) || step < 0 || step > 1) return NONE;
    if (step && v->named && map_get(v->named, MAP_KEY(e->attr.sym))) return NONE;
    if (!v->branches) map_put(&v->safe, MAP_KEY(e), v);
    note(v, e, false);
    return step ? BY_LANE : SAME;
}

static Shape both(Shape a, Shape b)
{
    return a == NONE || b == NONE ? NONE : a == BY_LANE || b == BY_LANE ? BY_LANE : SAME;
}

static Shape shape_of_select(Vectorise *v, Node *e)
{
    Shape c = shape(v, e->op[0]);
    v->branches++;
    v->masks += c == BY_LANE;
    Shape a = shape(v, e->op[1]), b = shape(v, e->op[2]);
    v->masks -= c == BY_LANE;
    v->branches--;
    return suits(e->type) ? both(c, both(a, b)) : NONE;
}

static Shape plain_shape(Vectorise *v, Node *e);

static Shape shape(Vectorise *v, Node *e)
{
    Scalar element;
    Shape s = plain_shape(v, e);
    if (s != BY_LANE || !type_is_scalar(e->type, &element)) return s;
    int size = scalar_info[element].size;
    if (size > v->widest) v->widest = size;
    return s;
}

static Shape plain_shape(Vectorise *v, Node *e)
{
    Shape s = SAME;
    switch ((Kind)e->kind) {
    case CORE_LIT: return SAME;
    case CORE_NAT: return shape_of_size(v, e->op[0]);
    case LOOP_VAR: return is_varying(v, e->attr.sym) ? BY_LANE : SAME;
    case LOOP_LOAD: return shape_of_load(v, e);
    case LOOP_SELECT: return shape_of_select(v, e);
    case CORE_PRIM:
        for (uint32_t i = 0; i < e->nops; i++) s = both(s, shape(v, e->op[i]));
        // what fails for a lane that does not come here, and what is slow
        if (v->masks && is_divided((Prim)e->attr.i) && !type_is_float(e->type)) return NONE;
        if (v->masks && prim_is_function((Prim)e->attr.i) &&
            !prim_in_library(v->cx, (Prim)e->attr.i))
            return NONE;
        return s == BY_LANE && !is_cheap((Prim)e->attr.i, e->op[0]->type) ? NONE : s;
    case CORE_CAST:
        s = shape(v, e->op[0]);
        return s == BY_LANE && !is_cheap_cast(e->op[0]->type, e->type) ? NONE : s;
    default: return NONE;
    }
}

// --- statements that can be vectors -------------------------------------------------------------

static Shape value_shape(Vectorise *v, Node *value)
{
    Shape s = shape(v, value);
    v->refused |= s == NONE;
    return s;
}

static void look_at(Vectorise *v, Node *s);

static void look_at_branch(Vectorise *v, Node *s)
{
    bool mask = value_shape(v, s->op[0]) == BY_LANE;
    v->branches++;
    v->masks += mask;
    look_at(v, s->op[1]);
    look_at(v, s->op[2]);
    v->masks -= mask;
    v->branches--;
}

static void look_at_store(Vectorise *v, Node *s)
{
    int64_t step;
    bool by_one = steps(v, s->op[0], &step) && step == 1;
    value_shape(v, s->op[1]);
    v->refused |= !by_one || v->masks || !suits(s->op[1]->type);
    note(v, s, true);
    Scalar element;
    if (!type_is_scalar(s->op[1]->type, &element)) return;
    if (scalar_info[element].size > v->widest) v->widest = scalar_info[element].size;
}

static void look_at(Vectorise *v, Node *s)
{
    bool has_value;
    switch ((Kind)s->kind) {
    case LOOP_BLOCK:
        for (uint32_t i = 0; i < s->nops; i++) look_at(v, s->op[i]);
        return;
    case LOOP_DECL:
        has_value = !loops_is_nothing(s->op[1]);
        if (has_value && value_shape(v, s->op[1]) == BY_LANE) vary(v, s->attr.sym);
        v->refused |= is_varying(v, s->attr.sym) && !suits(s->op[0]);
        return;
    case LOOP_SET:
        if (value_shape(v, s->op[0]) == BY_LANE || v->masks) vary(v, s->attr.sym);
        return;
    case LOOP_STORE: look_at_store(v, s); return;
    case LOOP_IF: look_at_branch(v, s); return;
    default: v->refused = true; return;
    }
}

// Whether a lane is seen to touch the element that another lane stores.
static bool lanes_meet(const Vectorise *v, const Access *store, const Access *other)
{
    int64_t apart, step;
    if (store->stmt->attr.sym != other->stmt->attr.sym) return false;
    if (!steps(v, other->stmt->op[0], &step) || step == 0) return true;
    Node *difference = nat_sub(v->cx, store->stmt->op[0], other->stmt->op[0]);
    if (!nat_is_const(difference, &apart)) return false;
    return apart != 0 && apart < v->lanes && apart > -v->lanes;
}

static bool any_meet(const Vectorise *v)
{
    for (int i = 0; i < v->accesses.len; i++)
        for (int k = 0; k < v->accesses.len && v->accesses.at[i].stores; k++)
            if (lanes_meet(v, &v->accesses.at[i], &v->accesses.at[k])) return true;
    return false;
}

static bool can_be_vectors(Vectorise *v, Node *body)
{
    if (loops_weight(body, MAX_WEIGHT) == MAX_WEIGHT) return false;
    do {
        v->grown = v->refused = false;
        v->accesses.len = 0;
        v->safe = map_new(v->cx->arena);
        look_at(v, body);
    } while (v->grown);
    return !v->refused && !any_meet(v);
}

// --- vectors ------------------------------------------------------------------------------------

static Node *vec_type(const Vectorise *v, Node *type)
{
    return type_vec(v->cx, v->lanes, type);
}

static Node *made(const Vectorise *v, Node *like, Node *type, Node *const *ops)
{
    return node_make(v->cx, &(NodeSpec){.kind = (Kind)like->kind,
                                        .variant = (Variant)like->variant,
                                        .attr = like->attr,
                                        .type = type,
                                        .nops = (int)like->nops,
                                        .ops = ops,
                                        .origin = like->origin});
}

static Node *splat(const Vectorise *v, Node *e)
{
    return node_make(
        v->cx, &(NodeSpec){.kind = LOOP_SPLAT, .type = vec_type(v, e->type), .nops = 1, .ops = &e});
}

// A size that differs by lane: that of lane 0 and so many steps.
static Node *steps_from(const Vectorise *v, Node *e)
{
    int64_t step = 0;
    Node *type = vec_type(v, e->type), *first = splat(v, e);
    if (e->op[0]->kind == NAT_VAR && is_varying(v, e->op[0]->attr.sym))
        return node_make(
            v->cx, &(NodeSpec){.kind = LOOP_VAR, .attr.sym = e->op[0]->attr.sym, .type = type});
    (void)steps(v, e->op[0], &step);
    Node *by = node_make(v->cx, &(NodeSpec){.kind = LOOP_IOTA, .type = type});
    NodeSpec spec = {.kind = CORE_PRIM, .type = type, .nops = 2};
    if (step != 1) {
        spec.attr.i = PRIM_MUL;
        spec.ops = (Node *[]){by, splat(v, core_size(v->cx, nat_const(v->cx, step)))};
        by = node_make(v->cx, &spec);
    }
    spec.attr.i = PRIM_ADD;
    spec.ops = (Node *[]){first, by};
    return node_make(v->cx, &spec);
}

// The expression for all lanes, over the index of lane 0.
static Node *vector(Vectorise *v, Node *e)
{
    if (shape(v, e) == SAME) return splat(v, e);
    if (e->kind == CORE_NAT) return steps_from(v, e);
    Node *ops[3] = {NULL, NULL, NULL};
    if (e->kind == LOOP_LOAD) ops[0] = e->op[0];
    for (uint32_t i = 0; i < e->nops && e->kind != LOOP_LOAD; i++) ops[i] = vector(v, e->op[i]);
    if (e->kind == LOOP_SELECT && shape(v, e->op[0]) == SAME) ops[0] = e->op[0];
    return made(v, e, vec_type(v, e->type), ops);
}

static Node *selected(Vectorise *v, Node *mask, Node *then, Node *otherwise)
{
    Node *ops[] = {mask, then, otherwise};
    return node_make(v->cx,
                     &(NodeSpec){.kind = LOOP_SELECT, .type = then->type, .nops = 3, .ops = ops});
}

// What `mask` says about whether a lane comes here; NULL: all do.
static void statement(Vectorise *v, Stmts *out, Node *s, Node *mask);

static Node *local_of(Vectorise *v, Sym name, Node *type)
{
    return node_make(v->cx, &(NodeSpec){.kind = LOOP_VAR, .attr.sym = name, .type = type});
}

static Node *body_of(Vectorise *v, Node *s, Node *mask)
{
    Stmts out = {0};
    statement(v, &out, s, mask);
    return loops_block(v->cx, out.len, out.at);
}

// Both sides are done, each for its lanes; whose these are is computed once.
static void branch(Vectorise *v, Stmts *out, Node *s, Node *mask)
{
    Session *cx = v->cx;
    if (shape(v, s->op[0]) == SAME) {
        Node *ops[] = {s->op[0], body_of(v, s->op[1], mask), body_of(v, s->op[2], mask)};
        vec_push(cx->arena, out, node_with_ops(cx, s, ops));
        return;
    }
    Node *type = vec_type(v, type_scalar(cx, SCALAR_BOOL));
    Sym name = sym_fresh(cx->syms, "mask");
    Node *ops[] = {type, vector(v, s->op[0])};
    vec_push(
        cx->arena, out,
        node_make(cx, &(NodeSpec){.kind = LOOP_DECL, .attr.sym = name, .nops = 2, .ops = ops}));
    for (int side = 1; side <= 2; side++) {
        Node *lanes = local_of(v, name, type);
        if (side == 2)
            lanes = node_make(
                cx,
                &(NodeSpec){
                    .kind = CORE_PRIM, .attr.i = PRIM_NOT, .type = type, .nops = 1, .ops = &lanes});
        if (mask)
            lanes = node_make(cx, &(NodeSpec){.kind = CORE_PRIM,
                                              .attr.i = PRIM_AND,
                                              .type = type,
                                              .nops = 2,
                                              .ops = (Node *[]){mask, lanes}});
        statement(v, out, s->op[side], lanes);
    }
}

static Node *zero_of(Vectorise *v, Node *type)
{
    return node_make(v->cx, &(NodeSpec){.kind = CORE_LIT, .type = type});
}

static void statement(Vectorise *v, Stmts *out, Node *s, Node *mask)
{
    Arena *a = v->cx->arena;
    bool varies = (s->kind == LOOP_DECL || s->kind == LOOP_SET) && is_varying(v, s->attr.sym);
    if (s->kind == LOOP_BLOCK) {
        for (uint32_t i = 0; i < s->nops; i++) statement(v, out, s->op[i], mask);
    } else if (s->kind == LOOP_IF) {
        branch(v, out, s, mask);
    } else if (s->kind == LOOP_STORE) {
        vec_push(a, out, node_with_op(v->cx, s, 1, vector(v, s->op[1])));
    } else if (!varies) {
        vec_push(a, out, s);
    } else if (s->kind == LOOP_DECL) {
        // selections read what some lanes have not set yet
        bool none = loops_is_nothing(s->op[1]);
        Node *value = vector(v, none ? zero_of(v, s->op[0]) : s->op[1]);
        vec_push(a, out, node_with_ops(v->cx, s, (Node *[]){vec_type(v, s->op[0]), value}));
    } else {
        Node *value = vector(v, s->op[0]);
        if (mask) value = selected(v, mask, value, local_of(v, s->attr.sym, value->type));
        vec_push(a, out, node_with_op(v->cx, s, 0, value));
    }
}

// --- loops --------------------------------------------------------------------------------------

typedef struct {
    Session *cx;
    Simplifier s; // what is known around the loop
    Map named;
} Walk;

static void find_named(Node *s, Map *named)
{
    if (s->kind == LOOP_STORE && s->op[0]->kind == NAT_CONST && s->op[1]->kind != CORE_LIT)
        map_put(named, MAP_KEY(s->attr.sym), named);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_named(s->op[i], named);
}

// The statements for L rounds from the index on, or for fewer, which go into the machine's vectors; NULL when they cannot be on vectors.
static Node *for_lanes(Session *cx, Node *loop, const Map *named, int64_t *lanes)
{
    Vectorise v = {.cx = cx,
                   .index = loop->attr.sym,
                   .lanes = *lanes,
                   .named = named,
                   .varying = map_new(cx->arena)};
    if (!can_be_vectors(&v, loops_body(loop))) return NULL;
    while (v.lanes * v.widest > cx->vector_bytes) v.lanes /= 2;
    *lanes = v.lanes;
    return v.lanes > 1 ? body_of(&v, loops_body(loop), NULL) : NULL;
}

Node *loops_on_lanes(Session *cx, Node *loop, int64_t lanes)
{
    int64_t fit = lanes;
    Node *body = for_lanes(cx, loop, NULL, &fit);
    return fit == lanes ? body : NULL;
}

static int64_t lanes_of(Node *loop)
{
    int64_t lanes;
    if (loop->kind != LOOP_VECTORIZE || !nat_is_const(loop->op[0], &lanes)) return 0;
    bool vector = lanes > 1 && lanes <= LOOPS_MAX_LANES && (lanes & (lanes - 1)) == 0;
    return vector && loops_is_straight(loops_body(loop)) ? lanes : 0;
}

static Node *loop_of(Session *cx, Node *like, Kind kind, int n, Node *const *ops)
{
    return node_make(cx, &(NodeSpec){.kind = kind,
                                     .attr.sym = like->attr.sym,
                                     .nops = n,
                                     .ops = ops,
                                     .origin = like->origin});
}

// Few vectors, as when those of the machine are shorter than the lanes, need no loop: what is stored by one statement and read by the next
// then stays in registers.
static bool is_short(Node *body, int64_t rounds)
{
    return rounds == 1 || (rounds <= FEW && loops_weight(body, MAX_SHORT) * rounds < MAX_SHORT);
}

static Node *written_out(Session *cx, Node *loop, int64_t lanes, int64_t rounds)
{
    Stmts out = {0};
    for (int64_t k = 0; k < rounds; k++) {
        Node *copy = k ? loops_copy(cx, loop, NULL, NULL) : loop;
        Node *index = nat_add(cx, loops_from(loop), nat_const(cx, k * lanes));
        NodeBinding with = {copy->attr.sym, index};
        vec_push(cx->arena, &out, node_replace_names(cx, loops_body(copy), &with, 1));
    }
    return loops_block(cx, out.len, out.at);
}

static Node *vectors(Walk *w, Node *loop)
{
    Session *cx = w->cx;
    const Facts *facts = w->s.facts;
    int64_t lanes = lanes_of(loop), known;
    if (lanes == 0) return loop;
    Node *body = for_lanes(cx, loop, &w->named, &lanes);
    if (!body) return loop;
    Node *from = loops_from(loop), *to = loops_to(loop), *size = nat_const(cx, lanes);
    Node *extent = nat_sub(cx, to, from);
    if (nat_ge0(cx, facts, extent) != TRUTH_YES) extent = nat_max(cx, extent, nat_const(cx, 0));
    Node *blocks = nat_simplify(cx, facts, nat_div(cx, extent, size));
    bool fixed = nat_is_const(blocks, &known);
    if (fixed && known == 0) return loop;
    Node *done = nat_add(cx, from, nat_mul(cx, blocks, size));
    Node *all = loop_of(cx, loop, LOOP_STRIDED, 4, (Node *[]){size, from, done, body});
    body = fixed && is_short(body, known) ? written_out(cx, all, lanes, known) : all;
    if (nat_le(cx, facts, to, done) == TRUTH_YES) return body;
    Node *rest = loop_of(cx, loop, LOOP_FOR, 3, (Node *[]){done, to, loops_body(loop)});
    return loops_block(cx, 2, (Node *[]){body, loops_copy(cx, rest, NULL, NULL)});
}

static Node *vectorise(void *env, Node *s)
{
    Walk *w = env;
    return vectors(w, simplifier_map(&w->s, s, vectorise, w));
}

static LoopEntry *vectorise_entry(Session *cx, const LoopEntry *e)
{
    Walk w = {cx, simplifier_new(cx, e), map_new(cx->arena)};
    find_named(e->body, &w.named);
    return loops_with_body(cx, e, loops_sweep(cx, vectorise(&w, e->body)));
}

LoopEntry *loops_vectorise(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, vectorise_entry);
}
