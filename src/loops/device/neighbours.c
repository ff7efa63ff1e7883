// Loops of neighbouring iterations in kernels (map.vec[4]): elements that they access one after the
// other are loaded and stored together.
//
//   for_vector 4: j in 0 .. 4            x1 = load x[4*i] (4 elements)
//       out[4*i + j] = x[4*i + j] + 1    out[4*i] (4 elements) = x1.0 + 1, x1.1 + 1, ..
//
// The rest of the body is repeated for each element: the processors of a device compute with
// scalars. Where an array is in global memory, a kernel tests at run time whether the address is
// one for a vector, so nothing needs to be known of sizes and of where arrays begin. In the memory
// of a group, where arrays begin at such addresses, the position must be known to be one.
#include "loops/device/device.h"

enum {
    MOST_BYTES = 16,  // of an access
    MOST_LANES = 4,   // of a vector: CUDA has no longer ones
    MOST_WEIGHT = 400 // of the body: nodes
};

typedef struct {
    Session *cx;
    Node *loop;
    const Map *memory; // the arrays in global memory
    const Map *shared; // the arrays of the group
    Map bound;         // the names that the loop binds
    int lanes;
    Stmts stmts;  // of the body
    Stmts loads;  // those of neighbours, each once
    Map together; // these, and the stores of neighbours
    Map lane;     // load -> the element in the lane of the iteration
} Neighbours;

// --- positions ----------------------------------------------------------------------------------

// The sum of the index and another size, which an iteration computes in 64 bits, as a size, or
// NULL. Where it is the position of an access it does not overflow, since the index is not
// negative.
static Node *sum_with_index(Session *cx, Node *loop, Node *s)
{
    Node *value = s->kind == LOOP_DECL ? s->op[1] : NULL, *index = nat_var(cx, loop->attr.sym);
    int64_t from;
    if (!value || value->kind != CORE_PRIM || value->attr.i != PRIM_ADD ||
        value->type != type_scalar(cx, SCALAR_I64) || !nat_is_const(loops_from(loop), &from) ||
        from < 0)
        return NULL;
    Node *a = value->op[0], *b = value->op[1];
    bool sizes = a->kind == CORE_NAT && b->kind == CORE_NAT;
    return sizes && (a->op[0] == index || b->op[0] == index) ? nat_add(cx, a->op[0], b->op[0])
                                                             : NULL;
}

static bool is_mentioned(Node *body, Sym name)
{
    for (uint32_t i = 0; i < body->nops; i++)
        if (body->op[i]->attr.sym != name && loops_mentions(body->op[i], name)) return true;
    return false;
}

// The loop with such sums in the positions of its accesses instead of their names.
static Node *with_sums(Session *cx, Node *loop)
{
    VEC(NodeBinding) sums = {0};
    Stmts rest = {0};
    Node *body = loops_body(loop);
    for (uint32_t i = 0; body->kind == LOOP_BLOCK && i < body->nops; i++) {
        Node *sum = sum_with_index(cx, loop, body->op[i]);
        if (sum) vec_push(cx->arena, &sums, ((NodeBinding){body->op[i]->attr.sym, sum}));
    }
    if (sums.len == 0) return loop;
    body = node_replace_names(cx, body, sums.at, sums.len);
    for (uint32_t i = 0; i < body->nops; i++)
        if (!sum_with_index(cx, loop, body->op[i]) || is_mentioned(body, body->op[i]->attr.sym))
            vec_push(cx->arena, &rest, body->op[i]);
    return node_with_op(cx, loop, (int)loop->nops - 1, loops_block(cx, rest.len, rest.at));
}

// --- which accesses -----------------------------------------------------------------------------

static bool is_flat(Node *body, Stmts *stmts, Session *cx)
{
    uint32_t n = body->kind == LOOP_BLOCK ? body->nops : 1;
    for (uint32_t i = 0; i < n; i++) {
        Node *s = body->kind == LOOP_BLOCK ? body->op[i] : body;
        if (s->kind != LOOP_DECL && s->kind != LOOP_STORE) return false;
        vec_push(cx->arena, stmts, s);
    }
    return loops_weight(body, MOST_WEIGHT) < MOST_WEIGHT;
}

static int size_of(Node *access)
{
    Scalar s;
    Node *type = loops_is_store(access) ? access->op[1]->type : access->type;
    return type_is_scalar(type, &s) && s != SCALAR_BOOL ? scalar_info[s].size : 0;
}

// Whether the position in the first iteration, and in each MOST_LANES after it, is a multiple of
// MOST_LANES.
static bool is_aligned(const Neighbours *a, Node *access)
{
    Facts *facts = facts_new(a->cx, a->cx->arena, NULL);
    Node *first = loops_at(a->cx, access->op[0], a->loop->attr.sym, loops_from(a->loop));
    return nat_divides(a->cx, facts, nat_const(a->cx, MOST_LANES), first) == TRUTH_YES;
}

// Whether iterations that are neighbours access elements that are.
static bool is_of_neighbours(const Neighbours *a, Node *access)
{
    int64_t step;
    Sym index = a->loop->attr.sym;
    Node *stride = loops_stride(a->cx, access->op[0], index);
    Node *first = loops_at(a->cx, access->op[0], index, nat_const(a->cx, 0));
    bool known = map_get(a->memory, MAP_KEY(access->attr.sym)) ||
                 (map_get(a->shared, MAP_KEY(access->attr.sym)) && is_aligned(a, access));
    return known && size_of(access) > 0 && stride && nat_is_const(stride, &step) && step == 1 &&
           !loops_reads_any(a->cx, first, &a->bound);
}

static bool is_other_element(Node *n, void *env)
{
    Node *store = env;
    return loops_is_load(n) && n->attr.sym == store->attr.sym && n->op[0] != store->op[0];
}

// Whether an iteration stores to the array at most once, and reads only that element of it, before.
static bool is_apart(const Neighbours *a, Sym array)
{
    Node *store = NULL;
    for (int i = 0; i < a->stmts.len; i++) {
        Node *s = a->stmts.at[i];
        if (store && loops_mentions(s, array)) return false;
        if (loops_is_store(s) && s->attr.sym == array) store = s;
    }
    void *env = (void *)(uintptr_t)store;
    return !store || !node_any(loops_body(a->loop), is_other_element, env);
}

typedef struct {
    Neighbours *a;
    Map seen;
} Find;

static void note(Neighbours *a, Node *access)
{
    if (map_get(&a->together, MAP_KEY(access)) || !is_of_neighbours(a, access) ||
        !is_apart(a, access->attr.sym))
        return;
    map_put(&a->together, MAP_KEY(access), (void *)(uintptr_t)access);
    if (loops_is_load(access)) vec_push(a->cx->arena, &a->loads, access);
}

// A load that only some iterations execute may be outside of the array in the others.
static Walk find_load(Node *n, void *env)
{
    Find *f = env;
    if (node_is_size_or_type(n)) return WALK_OVER;
    if (n->kind == LOOP_SELECT) {
        node_walk_once(&f->seen, n->op[0], find_load, env);
        return WALK_OVER;
    }
    if (n->kind == LOOP_LOAD || n->kind == LOOP_STORE) note(f->a, n);
    return WALK_INTO;
}

// Finds the accesses, and how many elements each has: as many as the largest of them fit.
static bool find_accesses(Neighbours *a)
{
    int64_t asked;
    int largest = 1;
    Find f = {a, map_new(a->cx->arena)};
    for (int i = 0; i < a->stmts.len; i++) node_walk_once(&f.seen, a->stmts.at[i], find_load, &f);
    for (int i = 0; i < a->together.len; i++) {
        Node *access = a->together.entries[i].value;
        if (size_of(access) > largest) largest = size_of(access);
    }
    a->lanes = MOST_BYTES / largest < MOST_LANES ? MOST_BYTES / largest : MOST_LANES;
    if (!nat_is_const(a->loop->op[0], &asked)) return false;
    while (a->lanes > 1 && asked % a->lanes) a->lanes /= 2;
    return a->together.len > 0 && a->lanes > 1;
}

// --- the vectors --------------------------------------------------------------------------------

static Node *vector_of(const Neighbours *a, Node *element)
{
    return type_vec(a->cx, a->lanes, element);
}

// Declares the vector of a load in the iterations that begin with number `first`.
static Node *loaded(Neighbours *a, Node *load, Node *first)
{
    Session *cx = a->cx;
    Sym index = a->loop->attr.sym;
    Node *decl, *at = loops_at(cx, load->op[0], index, first);
    Node *vector = loops_name(cx, load->attr.sym->text,
                              loops_load(cx, load->attr.sym, vector_of(a, load->type), at), &decl,
                              load->origin);
    Node *ops[] = {vector, nat_sub(cx, nat_var(cx, index), first)};
    NodeSpec lane = {.kind = LOOP_LANE, .type = load->type, .nops = 2, .ops = ops};
    map_put(&a->lane, MAP_KEY(load), (void *)(uintptr_t)node_make(cx, &lane));
    return decl;
}

static Node *by_lane(Session *cx, Node *n, void *env)
{
    (void)cx;
    Node *lane = map_get(&((const Neighbours *)env)->lane, MAP_KEY(n));
    return lane ? lane : n;
}

static Node *statement(Node *body, int i)
{
    return body->kind == LOOP_BLOCK ? body->op[i] : body;
}

// Adds statement number i of the iterations `each`. Their stores of neighbours become one.
static void add_statement(const Neighbours *a, Node *const *each, int i, Stmts *out, Stmts *stores)
{
    Session *cx = a->cx;
    Node *s = statement(each[0], i), *values[MOST_LANES], *decl;
    bool together = s->kind == LOOP_STORE && map_get(&a->together, MAP_KEY(a->stmts.at[i]));
    for (int l = 0; l < a->lanes; l++) {
        Node *of_lane = statement(each[l], i);
        if (together) values[l] = loops_name(cx, "value", of_lane->op[1], &decl, s->origin);
        vec_push(cx->arena, out, together ? decl : of_lane);
    }
    if (!together) return;
    NodeSpec vector = {.kind = LOOP_BUILD_VECTOR,
                       .type = vector_of(a, values[0]->type),
                       .nops = a->lanes,
                       .ops = values};
    vec_push(cx->arena, stores,
             loops_store(cx, s->attr.sym, s->op[0], node_make(cx, &vector), s->origin));
}

// The iterations that begin with number `first`, as many as a vector has lanes.
static Node *iterations(Neighbours *a, Node *first)
{
    Session *cx = a->cx;
    Stmts out = {0}, stores = {0};
    Node *each[MOST_LANES];
    for (int i = 0; i < a->loads.len; i++)
        vec_push(cx->arena, &out, loaded(a, a->loads.at[i], first));
    Node *body = node_rewrite(cx, loops_body(a->loop), by_lane, a);
    Node *loop = node_with_op(cx, a->loop, (int)a->loop->nops - 1, body);
    for (int l = 0; l < a->lanes; l++)
        each[l] = loops_iteration(cx, loop, nat_add(cx, first, nat_const(cx, l)));
    for (int i = 0; i < a->stmts.len; i++) add_statement(a, each, i, &out, &stores);
    for (int i = 0; i < stores.len; i++) vec_push(cx->arena, &out, stores.at[i]);
    return loops_block(cx, out.len, out.at);
}

Node *device_neighbours(Session *cx, Node *loop, const Map *memory, const Map *shared)
{
    loop = with_sums(cx, loop);
    Neighbours a = {.cx = cx,
                    .loop = loop,
                    .memory = memory,
                    .shared = shared,
                    .bound = map_new(cx->arena),
                    .together = map_new(cx->arena),
                    .lane = map_new(cx->arena)};
    loops_bound(loop, &a.bound);
    if (!is_flat(loops_body(loop), &a.stmts, cx) || !find_accesses(&a))
        return loops_sequential(cx, loop);
    int64_t times, rest;
    Node *lanes = nat_const(cx, a.lanes), *from = loops_from(loop), *to = loops_to(loop);
    Node *count = loops_extent(cx, facts_new(cx, cx->arena, NULL), loop);
    Node *chunks = nat_div(cx, count, lanes);
    if (nat_is_const(chunks, &times) && times == 0) return loops_sequential(cx, loop);
    bool once = nat_is_const(chunks, &times) && times == 1;
    Sym chunk = sym_fresh(cx->syms, loop->attr.sym->text);
    Node *first = once ? from : nat_add(cx, from, nat_mul(cx, lanes, nat_var(cx, chunk)));
    Node *whole = iterations(&a, first);
    if (!once) whole = loops_counted(cx, chunk, nat_const(cx, 0), chunks, whole, loop->origin);
    if (nat_is_const(nat_mod(cx, count, lanes), &rest) && rest == 0) return whole;
    Node *others = loops_copy(cx, loops_sequential(cx, loop), NULL, NULL);
    Node *next = nat_add(cx, from, nat_mul(cx, lanes, chunks));
    others = loops_for(cx, others, next, to, loops_body(others));
    return loops_block(cx, 2, (Node *[]){whole, others});
}
