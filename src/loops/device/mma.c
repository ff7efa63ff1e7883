// Instructions for matrices (mma): a warp, 32 work-items, adds the products of two small matrices to
// a third one, the parts of which its work-items hold.
//
//   parallel item < 256
//       for.mma e < 8
//           sums[item][e/4] += x[i + item%32/4][k + e%4] * y[j + item%4*2 + e/4][k + e%4]
//
// The work-item in lane l computes the sums of row l/4 and of the columns 2*(l%4) and 2*(l%4) + 1,
// and in longer loops those of the rows l/4 + 8 h. The instruction gets from it other elements of x
// and y than its sums need: the terms number l%4 of row l/4 and of column l/4 (PTX ISA, "Matrix
// fragments for mma"). This is right if the 32 work-items run the loop together, and if the
// elements are those of matrices: the element of x depends on l/4 only, that of y on l%4 only.
//
// The elements are compared for each work-item and each iteration, as sizes.
#include "ir/walk.h"
#include "loops/device/device.h"

enum { WARP = 32 };

static const DeviceMmaShape shapes[] = {
    {"f64", SCALAR_F64, SCALAR_F64, .terms = 4, .rows = 1, .exact = false},
    {"f32_f16", SCALAR_F32, SCALAR_F16, .terms = 8, .rows = 2, .exact = false},
    {"i32_i8", SCALAR_I32, SCALAR_I8, .terms = 16, .rows = 1, .exact = true},
    {"i32_u8", SCALAR_I32, SCALAR_U8, .terms = 16, .rows = 1, .exact = true},
};

/// Looks for loops in a parallel loop of a group.
typedef struct {
    Session *cx;
    const DeviceGroup *g;
    Node *local;            // the parallel loop
    Map inside;             // names that it declares: what these are may differ in a warp
    VEC(NodeBinding) known; // those that are sizes
    Map *found;             // the result
} Search;

// --- the form of the loop ------------------------------------------------------------------------

static const DeviceMmaShape *shape_of(Scalar sum, Scalar element)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].sum == sum && shapes[i].element == element) return &shapes[i];
    return NULL;
}

static bool is_prim(const Node *e, Prim op)
{
    return e->kind == CORE_PRIM && e->attr.i == op;
}

// The load of an element that is cast to the type of the sum, or NULL.
static Node *element_of(Node *e, Scalar *element)
{
    Node *load = e->kind == CORE_CAST ? e->op[0] : e;
    return load->kind == LOOP_LOAD && type_is_scalar(load->type, element) ? load : NULL;
}

// Whether the value adds a product to what is stored; sets the loads of its factors.
static bool is_step(Node *store, DeviceMma *m)
{
    Node *value = store->op[1];
    Scalar sum, element, other;
    if (!is_prim(value, PRIM_ADD) || !type_is_scalar(value->type, &sum)) return false;
    bool first = is_prim(value->op[1], PRIM_MUL);
    Node *before = value->op[!first], *product = value->op[first];
    if (!is_prim(product, PRIM_MUL) || before->kind != LOOP_LOAD ||
        before->attr.sym != store->attr.sym || before->op[0] != store->op[0])
        return false;
    m->x = element_of(product->op[0], &element);
    m->y = element_of(product->op[1], &other);
    m->shape = m->x && m->y && element == other ? shape_of(sum, element) : NULL;
    return m->shape != NULL;
}

static void note_size(Search *s, Node *decl)
{
    if (decl->op[1]->kind != CORE_NAT) return;
    Node *size = node_replace_names(s->cx, decl->op[1]->op[0], s->known.at, s->known.len);
    vec_push(s->cx->arena, &s->known, ((NodeBinding){decl->attr.sym, size}));
}

// The only store in the body of a loop, which follows declarations of sizes, or NULL.
static Node *only_store(Search *s, Node *body)
{
    if (body->kind == LOOP_STORE) return body;
    if (body->kind != LOOP_BLOCK || body->nops == 0) return NULL;
    for (uint32_t i = 0; i + 1 < body->nops; i++) {
        if (body->op[i]->kind != LOOP_DECL || body->op[i]->op[1]->kind != CORE_NAT) return NULL;
        note_size(s, body->op[i]);
    }
    Node *last = body->op[body->nops - 1];
    return last->kind == LOOP_STORE ? last : NULL;
}

// --- the elements --------------------------------------------------------------------------------

static bool is_inside(Node *n, void *env)
{
    const Search *s = env;
    if (n->kind == LOOP_LOAD) return true;
    return (n->kind == NAT_VAR || n->kind == LOOP_VAR) && map_get(&s->inside, MAP_KEY(n->attr.sym));
}

// Whether the expression is the same for all work-items of the group.
static bool is_uniform(Search *s, Node *e)
{
    return !node_any(node_replace_names(s->cx, e, s->known.at, s->known.len), is_inside, s);
}

static Node *at(Search *s, Node *position, Sym name, Node *value)
{
    return node_replace_names(s->cx, position, &(NodeBinding){name, value}, 1);
}

// An access, as a position in terms of the work-item and the iteration alone.
typedef struct {
    Search *s;
    Node *position;
    Sym loop;
    Node *of_item; // the position for the work-item `item`
    int64_t item;
} Access;

static Node *element(Access *a, int64_t item, int64_t iteration)
{
    Session *cx = a->s->cx;
    if (item != a->item) {
        a->of_item = at(a->s, a->position, a->s->local->attr.sym, nat_const(cx, item));
        a->item = item;
    }
    return at(a->s, a->of_item, a->loop, nat_const(cx, iteration));
}

// Returns the access of a load or store, whose array must be one for all work-items if it is
// `shared`, and whose position may depend on nothing else than a work-item knows.
static bool access_of(Search *s, Node *n, Node *loop, bool shared, Access *a)
{
    Node *position = node_replace_names(s->cx, n->op[0], s->known.at, s->known.len);
    Node *zero = nat_const(s->cx, 0);
    Node *rest = at(s, at(s, position, s->local->attr.sym, zero), loop->attr.sym, zero);
    *a = (Access){s, position, loop->attr.sym, NULL, -1};
    bool own = device_private_count(s->g, n->attr.sym) > 0 ||
               map_get(&s->inside, MAP_KEY(n->attr.sym)) != NULL;
    return !node_any(rest, is_inside, s) && !(shared && own);
}

// Whether the accesses of this iteration are those of the instruction.
static bool is_of_matrices(Access *x, Access *y, Access *sum, const DeviceMmaShape *shape,
                           int64_t item, int64_t iteration)
{
    int64_t lane = item % WARP, first = item - lane, terms = shape->terms;
    int64_t k = iteration % terms, number = iteration / terms, each = terms / 4;
    Node *row = element(x, item, iteration), *column = element(y, item, iteration);
    Node *to = element(sum, item, iteration);
    return row == element(x, first + lane / 4 * 4 + k / each, number / 2 * 2 * terms + k) &&
           column == element(y, first + lane % 4, number % 2 * terms + k) &&
           to == element(sum, item, number * terms);
}

// Whether the sums of a work-item are different elements.
static bool are_apart(Search *s, Access *sum, const DeviceMmaShape *shape, int64_t item)
{
    int64_t distance;
    for (int i = 0; i < 2 * shape->rows; i++)
        for (int j = 0; j < i; j++) {
            Node *one = element(sum, item, (int64_t)i * shape->terms);
            Node *other = element(sum, item, (int64_t)j * shape->terms);
            if (!nat_is_const(nat_sub(s->cx, one, other), &distance) || distance == 0) return false;
        }
    return true;
}

// The iterations of a loop from 0, if they are known, and otherwise 0.
static int64_t iterations_of(Node *loop)
{
    int64_t from, to;
    bool known = nat_is_const(loops_from(loop), &from) && nat_is_const(loops_to(loop), &to);
    return known && from == 0 && to > 0 ? to : 0;
}

static bool fits(Search *s, Node *loop, Node *store, DeviceMma *m)
{
    Access x, y, sum;
    int64_t items = iterations_of(s->local);
    int64_t iterations = 2 * (int64_t)m->shape->rows * m->shape->terms;
    if (items == 0 || items % WARP != 0 || s->g->size % WARP != 0) return false;
    if (iterations_of(loop) != iterations) return false;
    if (m->x->attr.sym == store->attr.sym || m->y->attr.sym == store->attr.sym) return false;
    if (!access_of(s, m->x, loop, true, &x) || !access_of(s, m->y, loop, true, &y) ||
        !access_of(s, store, loop, false, &sum))
        return false;
    for (int64_t item = 0; item < items; item++) {
        if (!are_apart(s, &sum, m->shape, item)) return false;
        for (int64_t i = 0; i < iterations; i++)
            if (!is_of_matrices(&x, &y, &sum, m->shape, item, i)) return false;
    }
    m->row = x.position;
    m->column = y.position;
    m->sum = sum.position;
    return true;
}

// --- the search ----------------------------------------------------------------------------------

static void search(Search *s, Node *stmt);

static void search_block(Search *s, Node *block)
{
    int before = s->known.len;
    for (uint32_t i = 0; i < block->nops; i++) {
        if (block->op[i]->kind == LOOP_DECL) note_size(s, block->op[i]);
        search(s, block->op[i]);
    }
    s->known.len = before;
}

static void test_loop(Search *s, Node *loop)
{
    int before = s->known.len;
    DeviceMma *m = ARENA_NEW(s->cx->arena, DeviceMma);
    Node *store = only_store(s, loops_body(loop));
    if (store && is_step(store, m) && fits(s, loop, store, m)) {
        m->item = s->local->attr.sym;
        m->iteration = loop->attr.sym;
        m->sums = store->attr.sym;
        map_put(s->found, MAP_KEY(loop->attr.sym), m);
    }
    s->known.len = before;
}

// Enters only what all work-items of a warp execute together.
static void search(Search *s, Node *stmt)
{
    bool counted = stmt->kind == LOOP_FOR;
    if (stmt->kind == LOOP_BLOCK) search_block(s, stmt);
    if (counted && stmt->variant == VARIANT_MMA)
        test_loop(s, stmt);
    else if (counted && is_uniform(s, loops_from(stmt)) && is_uniform(s, loops_to(stmt)))
        search(s, loops_body(stmt));
    if (stmt->kind != LOOP_IF || !is_uniform(s, stmt->op[0])) return;
    search(s, stmt->op[1]);
    search(s, stmt->op[2]);
}

static Node *search_local(void *env, Node *loop)
{
    Search *s = env;
    Stmts decls = loops_all(s->cx, loops_body(loop), IS_DECL);
    s->local = loop;
    s->inside = map_new(s->cx->arena);
    s->known.len = 0;
    map_put(&s->inside, MAP_KEY(loop->attr.sym), s);
    for (int i = 0; i < decls.len; i++) map_put(&s->inside, MAP_KEY(decls.at[i]->attr.sym), s);
    search(s, loops_body(loop));
    return loop;
}

Map device_mma(Session *cx, const DeviceGroup *g, Node *body)
{
    Map found = map_new(cx->arena);
    Search s = {.cx = cx, .g = g, .found = &found};
    (void)device_loops(cx, body, search_local, &s);
    return found;
}

// --- the operands --------------------------------------------------------------------------------

Node *device_mma_sum(Session *cx, const DeviceMma *m, int number)
{
    NodeBinding first = {m->iteration, nat_const(cx, (int64_t)number * m->shape->terms)};
    return node_replace_names(cx, m->sum, &first, 1);
}

// (item % lanes) each + more
static Node *by_lane(Session *cx, Node *item, int64_t lanes, int64_t each, int64_t more)
{
    Node *lane = nat_mod(cx, item, nat_const(cx, lanes));
    return nat_add(cx, nat_mul(cx, lane, nat_const(cx, each)), nat_const(cx, more));
}

Node *device_mma_row(Session *cx, const DeviceMma *m, int row, int term)
{
    int64_t terms = m->shape->terms;
    Node *iteration = by_lane(cx, nat_var(cx, m->item), 4, terms / 4, 2 * row * terms + term);
    return node_replace_names(cx, m->row, &(NodeBinding){m->iteration, iteration}, 1);
}

// Column c = item % 32 / 4 is that of the lanes l with l % 4 == c/2, and of their sum number c%2.
Node *device_mma_column(Session *cx, const DeviceMma *m, int term)
{
    Node *item = nat_var(cx, m->item), *warp = nat_const(cx, WARP);
    Node *first = nat_mul(cx, nat_div(cx, item, warp), warp);
    Node *lane = nat_mod(cx, nat_div(cx, item, nat_const(cx, 8)), nat_const(cx, 4));
    NodeBinding both[] = {{m->item, nat_add(cx, first, lane)},
                          {m->iteration, by_lane(cx, item, 8, m->shape->terms / 4, term)}};
    return node_replace_names(cx, m->column, both, 2);
}
