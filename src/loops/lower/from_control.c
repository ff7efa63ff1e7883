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
    Block b;
    flat_open(f, &b);
    learn_index(f, c->attr.sym, from, to);
    f->lockstep += c->kind != COM_RANGE;
    flat_command(f, c->op[n - 1], true);
    f->lockstep -= c->kind != COM_RANGE;
    ops[n - 3] = from;
    ops[n - 2] = to;
    ops[n - 1] = flat_close(f, &b);
    if (ops[n - 1]->nops == 0) return;
    flat_emit(f, flat_make(f, &(NodeSpec){.kind = kind,
                                          .variant = (Variant)c->variant,
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

// Returns the location of the scalar at `path`, or that of the first scalar if `path` leads to a
// tuple or an array.
static Location location_of(Flat *f, Node *e, Path *path)
{
    switch ((Kind)e->kind) {
    case CORE_ARRAY:
    case PH_VAR:
    case ACC_VAR: {
        Location p = {.memory = e->kind == CORE_ARRAY ? memory_of_table(f, e)
                                                      : memory_find(f, e->attr.sym)};
        CHECK(f->cx, p.memory, "%s is passed to a call, but is not memory",
              kind_info[e->kind].text);
        p.leaf = memory_leaf(f, p.memory, path, &p.indices);
        return p;
    }
    case CORE_INDEX:
    case ACC_AT:
        return location_of(f, e->op[0], path_index(f->arena, flat_size(f, e->op[1]), path));
    case CORE_PROJ:
    case ACC_PROJ: return location_of(f, e->op[0], path_component(f->arena, (int)e->attr.i, path));
    case VIEW_SLICE:
    case ACC_PART: {
        Node *index = nat_add(f->cx, e->op[0], path->step.index);
        return location_of(f, e->op[2], path_index(f->arena, index, path->rest));
    }
    case CORE_TUPLE: return location_of(f, e->op[path->step.component], path->rest);
    default:
        session_ice(f->cx, __FILE__, __LINE__, "%s is passed to a call", kind_info[e->kind].text);
    }
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
    Stmts after;               // copies of results to their destinations
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

// Whether the elements of the argument are dense and row-major, as callees expect them.
static bool is_dense(const Call *call, Location p)
{
    Session *cx = call->f->cx;
    Node *stride = nat_const(cx, 1);
    for (int i = 0; p.leaf->layout && i < call->rank; i++) {
        if (p.leaf->layout->strides[p.leaf->rank - 1 - i] != stride) return false;
        stride = nat_mul(cx, stride, call->dims[call->rank - 1 - i]);
    }
    return true;
}

/// A copy between an argument and a dense array: the indices and lengths of its loops, and the
/// positions of the current element in both.
typedef struct {
    Node *index[CALL_MAX_RANK], *count[CALL_MAX_RANK];
    int loops;
    Node *place, *dense;
} Copy;

// Builds the loops and positions of a copy between an argument and a dense array. Memory without a
// layout is dense, so a single loop copies it.
static Copy copy_of(const Call *call, Location p, Node *count)
{
    Flat *f = call->f;
    Session *cx = f->cx;
    bool one = !p.leaf->layout;
    Copy c = {.loops = one ? 1 : call->rank, .dense = nat_const(cx, 0)};
    int n = p.leaf->rank;
    Node **at = ARENA_ARRAY(f->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) at[i] = p.indices[i];
    for (int i = 0; i < c.loops; i++) {
        int k = n - c.loops + i;
        c.index[i] = nat_var(cx, flat_fresh(f, "i"));
        c.count[i] = one ? count : call->dims[i];
        c.dense = nat_add(cx, nat_mul(cx, c.dense, c.count[i]), c.index[i]);
        if (!one) at[k] = nat_add(cx, at[k], c.index[i]);
    }
    c.place = leaf_position(f, p.leaf, at);
    if (one) c.place = nat_add(cx, c.place, c.index[0]);
    return c;
}

// Returns the loops that copy the argument to the dense array or, if `to_dense` is false, the dense
// array to the argument.
static Node *copied(const Call *call, Location p, Sym dense, Node *count, bool to_dense)
{
    Flat *f = call->f;
    Copy c = copy_of(call, p, count);
    Node *from = to_dense ? c.place : c.dense;
    Block b;
    flat_open(f, &b);
    Node *load = flat_make(f, &(NodeSpec){.kind = LOOP_LOAD,
                                          .attr.sym = to_dense ? p.leaf->name : dense,
                                          .type = flat_type(f, p.leaf->type),
                                          .nops = 1,
                                          .ops = &from});
    Node *ops[2] = {to_dense ? c.dense : c.place, load};
    flat_add(f, LOOP_STORE, to_dense ? dense : p.leaf->name, 2, ops);
    Node *body = flat_close(f, &b);
    for (int i = c.loops; i-- > 0;) {
        Node *loop[3] = {nat_const(f->cx, 0), c.count[i], body};
        body = flat_node(f, LOOP_FOR, c.index[i]->attr.sym, 3, loop);
    }
    return body;
}

// Passes dense memory as it is. Other memory belongs to a caller's records or strided arrays, in
// parameters that never change, so a dense copy is passed instead. `count` is NULL for a scalar.
static void pass_memory(Call *call, Node *e, Path *path, Node *type, Node *count, bool changes)
{
    Flat *f = call->f;
    Location p = location_of(f, e, path);
    map_put(&call->passed, MAP_KEY(p.memory), call);
    if (!count || is_dense(call, p)) {
        add_argument(call, address(f, p.leaf->name, leaf_position(f, p.leaf, p.indices)));
        return;
    }
    Sym tmp = flat_fresh(f, "given");
    flat_alloc(f, VARIANT_HEAP, tmp, type, count);
    flat_emit(f, copied(call, p, tmp, count, true));
    add_argument(call, address(f, tmp, nat_const(f->cx, 0)));
    CHECK(f->cx, !changes, "a function changes %s, which a caller laid out", p.leaf->name->text);
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

// Passes a scalar behind an immutable reference by value.
static void pass_shared(Call *call, Node *e, Path *path, Node *type, Node *count)
{
    Location p = location_of(call->f, e, path);
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
    Location p = location_of(f, e, path);
    if (!map_get(&call->passed, MAP_KEY(p.memory)) && (!count || is_dense(call, p))) {
        add_argument(call, address(f, p.leaf->name, leaf_position(f, p.leaf, p.indices)));
        return;
    }
    Sym tmp = flat_fresh(f, "result");
    if (count)
        flat_alloc(f, VARIANT_HEAP, tmp, type, count);
    else
        flat_declare(f, tmp, type, NULL);
    add_argument(call, address(f, tmp, nat_const(f->cx, 0)));
    vec_push(f->arena, &call->after, count ? copied(call, p, tmp, count, false) : moved(f, p, tmp));
}

static const Phrase *callee_of(Flat *f, Sym name)
{
    for (int i = 0; i < f->entry->callees.len; i++)
        if (f->entry->callees.at[i]->name == name) return f->entry->callees.at[i];
    session_ice(f->cx, __FILE__, __LINE__, "a call of %s, which is not a function", name->text);
}

void flat_call(Flat *f, Node *c)
{
    Call call = {.f = f, .passed = map_new(f->arena)};
    const Phrase *callee = callee_of(f, c->attr.sym);
    Block own;
    flat_open(f, &own);
    for (int i = 0; i < callee->params.len; i++) {
        Node *type = callee->params.at[i].type;
        bool place = type->kind == TYPE_REF;
        bool shared = place && !type_ref_mutable(type) && !callee->external;
        bool external = place && !type_ref_mutable(type) && callee->external;
        OnLeaf *pass = !place     ? pass_value
                       : shared   ? pass_shared
                       : external ? pass_input
                                  : pass_mutable;
        // uses the type of the argument, since parameters of a C function use the function's sizes
        each_leaf(&call, c->op[i + 1], NULL, place ? type->op[0] : c->op[i + 1]->type, NULL, pass);
    }
    if (c->op[0]->kind != COM_SKIP)
        each_leaf(&call, c->op[0], NULL, callee->out.type, NULL, pass_result);
    flat_add(f, LOOP_CALL, c->attr.sym, call.args.len, call.args.at);
    for (int i = 0; i < call.after.len; i++) flat_emit(f, call.after.at[i]);
    Node *block = flat_close(f, &own);
    if (call.after.len)
        flat_emit(f, block);
    else // no block, since the statements that follow may read its locals
        for (uint32_t i = 0; i < block->nops; i++) flat_emit(f, block->op[i]);
}
