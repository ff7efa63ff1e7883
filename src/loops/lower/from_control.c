// Translates control flow and calls. Labels and loops are unchanged; calls get an argument for each
// scalar leaf.
#include "loops/lower/from_dpia.h"

void flat_label(Flat *f, Node *c)
{
    Node *body = flat_block(f, c->op[0], NULL, true);
    flat_add(f, LOOP_LABEL, c->attr.sym, 1, &body);
}

void flat_forever(Flat *f, Node *c)
{
    Node *body = flat_block(f, c->op[0], NULL, true);
    flat_add(f, LOOP_FOREVER, NULL, 1, &body);
}

void flat_spawn(Flat *f, Node *c)
{
    Node *body = flat_block(f, c->op[0], NULL, true);
    flat_add(f, LOOP_SPAWN, NULL, 1, &body);
}

// Adds the range of the index to the facts. The index is a length if both ends of the range are.
static void learn_index(Flat *f, Sym index, Node *from, Node *to)
{
    Facts *facts = f->block->facts;
    facts_range(facts, index, from, to);
    facts_ge0(facts, nat_sub(f->cx, nat_sub(f->cx, to, from), nat_const(f->cx, 1)));
    if (!dpia_is_length(from, flat_class, f) || !dpia_is_length(to, flat_class, f))
        map_put(&f->integers, MAP_KEY(index), f);
}

void flat_range(Flat *f, Node *c)
{
    Kind kind = c->kind == COM_PARALLEL    ? LOOP_PARALLEL
                : c->kind == COM_VECTORIZE ? LOOP_VECTORIZE
                                           : LOOP_FOR;
    int n = (int)c->nops;
    Node *ops[4], *from = flat_simplify(f, c->op[n - 3]), *to = flat_simplify(f, c->op[n - 2]);
    if (c->kind == COM_PARALLEL) ops[0] = flat_expr(f, c->op[0]);
    if (c->kind == COM_VECTORIZE) ops[0] = flat_simplify(f, c->op[0]);
    // Without a device there are no instructions for matrices, only a loop.
    Variant variant = (Variant)c->variant;
    if (variant == VARIANT_MMA && !f->cx->device) variant = VARIANT_ANY;
    Block b;
    flat_open(f, &b);
    learn_index(f, c->attr.sym, from, to);
    f->lockstep += c->kind != COM_RANGE;
    f->lanes += c->kind == COM_VECTORIZE;
    flat_command(f, c->op[n - 1], true);
    f->lanes -= c->kind == COM_VECTORIZE;
    f->lockstep -= c->kind != COM_RANGE;
    ops[n - 3] = from;
    ops[n - 2] = to;
    ops[n - 1] = flat_close(f, &b);
    if (ops[n - 1]->nops == 0) return;
    flat_emit(f, flat_make(f, &(NodeSpec){.kind = kind,
                                          .variant = variant,
                                          .attr.sym = c->attr.sym,
                                          .nops = n,
                                          .ops = ops}));
}

// --- calls --------------------------------------------------------------------------------------

typedef struct {
    const Memory *memory;
    const Leaf *leaf;
    Node **indices;
} Location;

// Returns the location of the scalar at `path`, whose memory is NULL if it is in none. Unless
// `exact`, element k of a join is located at [0][k] instead of [k/m][k%m]. Both are the same
// position in dense memory, and [0][k] needs no division by m, which may be 0.
static Location find_location(Flat *f, Node *e, Path *path, bool exact)
{
    switch ((Kind)e->kind) {
    case CORE_ARRAY:
    case PH_VAR:
    case ACC_VAR: {
        Location p = {.memory = e->kind == CORE_ARRAY ? memory_of_table(f, e)
                                                      : memory_find(f, e->attr.sym)};
        if (p.memory) p.leaf = memory_leaf(f, p.memory, path, &p.indices);
        return p;
    }
    case CORE_INDEX:
    case ACC_AT:
        return find_location(f, e->op[0], path_index(f->arena, flat_size(f, e->op[1]), path),
                             exact);
    case CORE_PROJ:
    case ACC_PROJ:
        return find_location(f, e->op[0], path_component(f->arena, (int)e->attr.i, path), exact);
    case ACC_PART: {
        Node *index = nat_add(f->cx, e->op[0], path->step.index);
        return find_location(f, e->op[2], path_index(f->arena, index, path->rest), exact);
    }
    case VIEW_JOIN:
        if (exact) break;
        return find_location(f, e->op[0], path_index(f->arena, nat_const(f->cx, 0), path), false);
    case CORE_TUPLE: return find_location(f, e->op[path->step.component], path->rest, exact);
    default: break;
    }
    if (!kind_is_view((Kind)e->kind)) return (Location){0};
    ViewContext v = flat_view_context(f);
    ViewStep s = view_get(&v, e, path);
    if (s.kind != STEP_PLACE) return (Location){0};
    return find_location(f, e->op[s.inside.operand], s.inside.path, exact);
}

static Location location_of(Flat *f, Node *e, Path *path, bool exact)
{
    Location p = find_location(f, e, path, exact);
    CHECK(f->cx, p.memory, "%s is passed to a call, but is not memory", kind_info[e->kind].text);
    return p;
}

static Node *address(Flat *f, Sym name, Node *position)
{
    return flat_node(f, LOOP_ADDRESS, name, 1, &position);
}

enum { CALL_MAX_RANK = 64 };

typedef struct {
    Flat *f;
    Stmts args;
    Map passed;                // set of Memory that the callee accesses
    Stmts after;               // loops and blocks that copy results to their destinations
    Node *dims[CALL_MAX_RANK]; // dimensions of the arrays that enclose the current leaf
    int rank;
} Call;

typedef void OnLeaf(Call *call, Node *e, Path *path, Node *type, Node *count);

// Visits the scalar leaves of a value of this type, with a path that selects element 0 of each
// array.
static void each_leaf(Call *call, Node *e, Path *path, Node *type, Node *count, OnLeaf *visit)
{
    Flat *f = call->f;
    if (type_is_atom(type)) {
        visit(call, e, path, type, count);
    } else if (type_has_elements(type)) {
        Path *first = path_index(f->arena, nat_const(f->cx, 0), NULL);
        Node *more = count ? nat_mul(f->cx, count, type->op[0]) : type->op[0];
        CHECK(f->cx, call->rank < CALL_MAX_RANK, "more than %d dimensions", CALL_MAX_RANK);
        call->dims[call->rank++] = type->op[0];
        each_leaf(call, e, path_append(f->arena, path, first), type->op[1], more, visit);
        call->rank--;
    } else {
        for (uint32_t k = 0; k < type->nops; k++) {
            Path *part = path_component(f->arena, (int)k, NULL);
            each_leaf(call, e, path_append(f->arena, path, part), type->op[k], count, visit);
        }
    }
}

static void add_argument(Call *call, Node *arg)
{
    vec_push(call->f->arena, &call->args, arg);
}

// An argument: the value `e`, the path to one of its leaves, with all indices 0, and the location
// of that leaf.
typedef struct {
    Node *e;
    Path *path;
    Location at;
} Argument;

static Argument argument_of(const Call *call, Node *e, Path *path)
{
    return (Argument){e, path, location_of(call->f, e, path, false)};
}

// Returns the path with its indices replaced by those in `index`.
static Path *with_indices(Arena *a, Path *path, Node *const *index)
{
    if (!path) return NULL;
    if (path->step.is_component)
        return path_component(a, path->step.component, with_indices(a, path->rest, index));
    return path_index(a, *index, with_indices(a, path->rest, index + 1));
}

// Returns the position of an element of the argument in the buffer of its leaf.
static Node *position_of(const Call *call, const Argument *x, Node *const *index)
{
    Flat *f = call->f;
    Location p = location_of(f, x->e, with_indices(f->arena, x->path, index), true);
    return leaf_position(f, p.leaf, p.indices);
}

// Returns the position of an element of the current leaf in a dense, row-major array.
static Node *dense_position(const Call *call, Node *const *index)
{
    Session *cx = call->f->cx;
    Node *position = nat_const(cx, 0);
    for (int i = 0; i < call->rank; i++)
        position = nat_add(cx, nat_mul(cx, position, call->dims[i]), index[i]);
    return position;
}

// Sets index[i] to a new variable for each dimension of the current leaf.
static void new_indices(const Call *call, Node **index)
{
    for (int i = 0; i < call->rank; i++) index[i] = nat_var(call->f->cx, flat_fresh(call->f, "i"));
}

// Whether the elements of the argument are dense and row-major, as callees expect them. Memory
// without a layout is, and so are the parts of it that are passed (view_dense_array).
static bool is_dense(const Call *call, const Argument *x)
{
    Flat *f = call->f;
    Node *index[CALL_MAX_RANK];
    Block unused; // discarded, since the index variables have no values
    if (!x->at.leaf->layout) return true;
    new_indices(call, index);
    flat_open(f, &unused);
    for (int i = 0; i < x->at.leaf->rank; i++) // assume that the array has elements
        facts_ge0(unused.facts, nat_sub(f->cx, x->at.leaf->dims[i], nat_const(f->cx, 1)));
    Node *offset =
        nat_sub(f->cx, position_of(call, x, index), leaf_position(f, x->at.leaf, x->at.indices));
    bool dense = flat_simplify(f, nat_sub(f->cx, offset, dense_position(call, index))) ==
                 nat_const(f->cx, 0);
    f->block = unused.outer;
    return dense;
}

static Node *load_at(Flat *f, Sym buffer, Node *type, Node *position)
{
    return flat_make(f, &(NodeSpec){.kind = LOOP_LOAD,
                                    .attr.sym = buffer,
                                    .type = flat_type(f, type),
                                    .nops = 1,
                                    .ops = &position});
}

// Returns the loops that copy the argument to the dense array or, if `to_dense` is false, the dense
// array to the argument. If the argument is dense, a single loop copies it.
static Node *copied(const Call *call, const Argument *x, Sym dense, Node *count, bool to_dense)
{
    Flat *f = call->f;
    const Leaf *leaf = x->at.leaf;
    Node *index[CALL_MAX_RANK], *there, *here;
    bool one = is_dense(call, x);
    Block b;
    new_indices(call, index);
    flat_open(f, &b);
    if (one) {
        here = index[0];
        there = nat_add(f->cx, leaf_position(f, leaf, x->at.indices), here);
    } else {
        here = dense_position(call, index);
        there = position_of(call, x, index);
    }
    Node *from = to_dense ? there : here, *to = to_dense ? here : there;
    Node *ops[2] = {to, load_at(f, to_dense ? leaf->name : dense, leaf->type, from)};
    flat_add(f, LOOP_STORE, to_dense ? dense : leaf->name, 2, ops);
    Node *body = flat_close(f, &b);
    for (int i = one ? 1 : call->rank; i-- > 0;) {
        Node *loop[3] = {nat_const(f->cx, 0), one ? count : call->dims[i], body};
        body = flat_node(f, LOOP_FOR, index[i]->attr.sym, 3, loop);
    }
    return body;
}

static Node *address_of(Flat *f, Location p)
{
    return address(f, p.leaf->name, leaf_position(f, p.leaf, p.indices));
}

// Passes dense memory as it is. Other memory holds a C caller's records or strided arrays. They are
// parameters that never change, so a dense copy is passed instead, except of records to a function
// that gets nothing else (given.c). `count` is NULL for a scalar.
static void pass_memory(Call *call, Node *e, Path *path, Node *type, Node *count, bool changes)
{
    Flat *f = call->f;
    Argument x = argument_of(call, e, path);
    map_put(&call->passed, MAP_KEY(x.at.memory), call);
    if (!count || is_dense(call, &x)) {
        add_argument(call, address_of(f, x.at));
        return;
    }
    Sym tmp = flat_fresh(f, "given");
    flat_alloc(f, VARIANT_HEAP, tmp, type, count);
    flat_emit(f, copied(call, &x, tmp, count, true));
    add_argument(call, address(f, tmp, nat_const(f->cx, 0)));
    CHECK(f->cx, !changes, "a function changes %s, which a caller laid out", x.at.leaf->name->text);
}

static void pass_input(Call *call, Node *e, Path *path, Node *type, Node *count)
{
    pass_memory(call, e, path, type, count, false);
}

static void pass_mutable(Call *call, Node *e, Path *path, Node *type, Node *count)
{
    pass_memory(call, e, path, type, count, true);
}

static void pass_value(Call *call, Node *e, Path *path, Node *type, Node *count)
{
    if (count)
        pass_input(call, e, path, type, count);
    else
        add_argument(call, flat_read(call->f, e, path));
}

// For an immutable reference to a scalar, passes the scalar by value.
static void pass_shared(Call *call, Node *e, Path *path, Node *type, Node *count)
{
    Location p = location_of(call->f, e, path, false);
    if (count)
        pass_input(call, e, path, type, count);
    else
        add_argument(call, leaf_load(call->f, p.memory, p.leaf, p.indices));
}

// Returns a block that copies the scalar `tmp` to its destination.
static Node *moved(Flat *f, Location p, Sym tmp)
{
    Block b;
    flat_open(f, &b);
    leaf_store(f, p.memory, p.leaf, p.indices, flat_local(f, tmp, flat_type(f, p.leaf->type)));
    return flat_close(f, &b);
}

// Passes the destination of a result. If the callee also accesses the destination's memory, or if
// the destination is not dense, passes a temporary instead, and copies it to the destination after
// the call.
static void pass_result(Call *call, Node *e, Path *path, Node *type, Node *count)
{
    Flat *f = call->f;
    Argument x = argument_of(call, e, path);
    if (!map_get(&call->passed, MAP_KEY(x.at.memory)) && (!count || is_dense(call, &x))) {
        add_argument(call, address_of(f, x.at));
        return;
    }
    Sym tmp = flat_fresh(f, "result");
    if (count)
        flat_alloc(f, VARIANT_HEAP, tmp, type, count);
    else
        flat_declare(f, tmp, type, NULL);
    add_argument(call, address(f, tmp, nat_const(f->cx, 0)));
    vec_push(f->arena, &call->after,
             count ? copied(call, &x, tmp, count, false) : moved(f, x.at, tmp));
}

// Passes the buffers of an array of the caller's records.
static void pass_records(Call *call, Node *e)
{
    Flat *f = call->f;
    const Memory *m = memory_find(f, e->attr.sym);
    map_put(&call->passed, MAP_KEY(m), call);
    for (int i = 0; i < m->leaves.len; i++)
        if (!m->leaves.at[i].later)
            add_argument(call, address(f, m->leaves.at[i].name, nat_const(f->cx, 0)));
}

void flat_call(Flat *f, Node *c)
{
    Call call = {.f = f, .passed = map_new(f->arena)};
    const Phrase *callee = flat_callee(f->cx, f->entry, c->attr.sym);
    Block own;
    flat_open(f, &own);
    for (int i = 0; i < callee->params.len; i++) {
        Node *type = callee->params.at[i].type;
        bool place = type->kind == TYPE_REF;
        if (map_get(f->given, MAP_KEY(&callee->params.at[i]))) {
            pass_records(&call, c->op[i + 1]);
            continue;
        }
        bool shared = place && !type_ref_mutable(type) && !callee->external;
        bool external = place && !type_ref_mutable(type) && callee->external;
        OnLeaf *pass = !place     ? pass_value
                       : shared   ? pass_shared
                       : external ? pass_input
                                  : pass_mutable;
        // uses the argument and destination types, since the callee's types mention its own sizes
        each_leaf(&call, c->op[i + 1], NULL, place ? type->op[0] : c->op[i + 1]->type, NULL, pass);
    }
    if (c->op[0]->kind != COM_SKIP)
        each_leaf(&call, c->op[0], NULL, c->op[0]->type, NULL, pass_result);
    flat_add(f, LOOP_CALL, c->attr.sym, call.args.len, call.args.at);
    for (int i = 0; i < call.after.len; i++) flat_emit(f, call.after.at[i]);
    Node *block = flat_close(f, &own);
    if (call.after.len)
        flat_emit(f, block);
    else // no block, since the statements that follow may read its locals
        for (uint32_t i = 0; i < block->nops; i++) flat_emit(f, block->op[i]);
}

// --- hints --------------------------------------------------------------------------------------

// A cache line of common processors, and the most lines of one leaf that are requested.
enum { LINE = 64, MAX_LINES = 16 };

// Requests the memory of a leaf, line by line if its elements are adjacent and their number is
// known. Locals of a known size, which are small, need no hint.
static void prefetch_leaf(Call *call, Node *e, Path *path, Node *type, Node *count)
{
    Flat *f = call->f;
    Argument x = {e, path, find_location(f, e, path, false)};
    Scalar scalar = SCALAR_I64; // of an idx
    int64_t n = 1;
    if (!x.at.memory || x.at.leaf->rank == 0) return;
    if (x.at.memory->class == STORE_LOCAL && nat_is_const(x.at.leaf->count, &n)) return;
    if (!count || !nat_is_const(count, &n) || !is_dense(call, &x)) n = 1;
    type_is_scalar(type, &scalar);
    int64_t size = scalar_info[scalar].size, lines = (n * size + LINE - 1) / LINE;
    for (int64_t i = 0; i < lines && i < MAX_LINES; i++) {
        Node *position = leaf_position(f, x.at.leaf, x.at.indices);
        position = nat_add(f->cx, position, nat_const(f->cx, i * LINE / size));
        Node *at = address(f, x.at.leaf->name, position);
        flat_add(f, LOOP_PREFETCH, NULL, 1, &at);
    }
}

void flat_prefetch(Flat *f, Node *c)
{
    Call call = {.f = f, .passed = map_new(f->arena)};
    if (f->lanes || f->cx->device) return;
    each_leaf(&call, c->op[0], NULL, c->op[0]->type, NULL, prefetch_leaf);
}
