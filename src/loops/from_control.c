// Control and calls: labels and loops keep their form, arguments become one per scalar leaf.
#include "loops/from_dpia.h"

void flat_label(Flat *f, Node *c)
{
    Node *body = flat_block(f, c->op[0], NULL, true);
    flat_emit(
        f, flat_make(f, &(NodeSpec){
                            .kind = LOOP_LABEL, .attr.sym = c->attr.sym, .nops = 1, .ops = &body}));
}

void flat_jump(Flat *f, Node *c)
{
    flat_emit(f, flat_make(f, &(NodeSpec){.kind = LOOP_JUMP, .attr.sym = c->attr.sym}));
}

void flat_forever(Flat *f, Node *c)
{
    Node *body = flat_block(f, c->op[0], NULL, true);
    flat_emit(f, flat_make(f, &(NodeSpec){.kind = LOOP_FOREVER, .nops = 1, .ops = &body}));
}

void flat_spawn(Flat *f, Node *c)
{
    Node *body = flat_block(f, c->op[0], NULL, true);
    flat_emit(f, flat_make(f, &(NodeSpec){.kind = LOOP_SPAWN, .nops = 1, .ops = &body}));
}

// The index is between two sizes; a length when these are.
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
    static const Kind kinds[] = {[COM_RANGE - COM_RANGE] = LOOP_FOR,
                                 [COM_PARALLEL - COM_RANGE] = LOOP_PARALLEL,
                                 [COM_VECTORIZE - COM_RANGE] = LOOP_VECTORIZE};
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
    flat_emit(f, flat_make(f, &(NodeSpec){.kind = kinds[c->kind - COM_RANGE],
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
} Place;

// The scalar at `path` in memory, or the first of those from there on.
static Place place_of(Flat *f, Node *e, Path *path)
{
    switch ((Kind)e->kind) {
    case CORE_ARRAY:
    case PH_VAR:
    case ACC_VAR: {
        Place p = {.memory =
                       e->kind == CORE_ARRAY ? memory_of_table(f, e) : memory_find(f, e->attr.sym)};
        CHECK(f->cx, p.memory, "%s is given to a call, but is no memory", kind_info[e->kind].text);
        p.leaf = memory_leaf(f, p.memory, path, &p.indices);
        CHECK(f->cx, !p.leaf->layout, "%s, which has a layout, is given to a call",
              kind_info[e->kind].text);
        return p;
    }
    case CORE_INDEX:
    case ACC_AT: return place_of(f, e->op[0], path_index(f->arena, flat_size(f, e->op[1]), path));
    case CORE_PROJ:
    case ACC_PROJ: return place_of(f, e->op[0], path_component(f->arena, (int)e->attr.i, path));
    case VIEW_SLICE:
    case ACC_PART: {
        Node *index = nat_add(f->cx, e->op[0], path->step.index);
        return place_of(f, e->op[2], path_index(f->arena, index, path->rest));
    }
    case CORE_TUPLE: return place_of(f, e->op[path->step.component], path->rest);
    default:
        session_ice(f->cx, __FILE__, __LINE__, "%s is given to a call", kind_info[e->kind].text);
    }
}

static Node *address(Flat *f, Sym name, Node *position)
{
    return flat_make(
        f, &(NodeSpec){.kind = LOOP_ADDRESS, .attr.sym = name, .nops = 1, .ops = &position});
}

typedef struct {
    Flat *f;
    Stmts args;
    Map given;   // id of a memory + 1 -> not NULL: the callee sees it
    Stmts after; // what brings results to where they belong
} Call;

typedef void OnLeaf(Call *call, Node *e, Path *path, Node *type, Node *count);

// The scalar leaves of a value of this type, at the first index of each array.
static void each_leaf(Call *call, Node *e, Path *path, Node *type, Node *count, OnLeaf *visit)
{
    Flat *f = call->f;
    if (type_is_atom(type)) {
        visit(call, e, path, type, count);
    } else if (type_has_elements(type)) {
        Path *first = path_index(f->arena, nat_const(f->cx, 0), NULL);
        Node *more = count ? nat_mul(f->cx, count, type->op[0]) : type->op[0];
        each_leaf(call, e, path_append(f->arena, path, first), type->op[1], more, visit);
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

// Memory, as it is. `count` is NULL for a scalar.
static void give_memory(Call *call, Node *e, Path *path, Node *type, Node *count)
{
    (void)type, (void)count;
    Place p = place_of(call->f, e, path);
    map_put(&call->given, MAP_KEY(p.memory), call);
    add_argument(call, address(call->f, p.leaf->name, leaf_position(call->f, p.leaf, p.indices)));
}

static void give_value(Call *call, Node *e, Path *path, Node *type, Node *count)
{
    if (count)
        give_memory(call, e, path, type, count);
    else
        add_argument(call, flat_read(call->f, e, path));
}

// A scalar that is only read behind its reference is as good as its value.
static void give_shared(Call *call, Node *e, Path *path, Node *type, Node *count)
{
    Place p = place_of(call->f, e, path);
    if (count)
        give_memory(call, e, path, type, count);
    else
        add_argument(call, leaf_load(call->f, p.memory, p.leaf, p.indices));
}

// tmp[i] to the place, for each i below count; or tmp to the place.
static Node *moved(Flat *f, Place p, Sym tmp, Node *count)
{
    Session *cx = f->cx;
    Node *type = flat_type(f, p.leaf->type), *position = leaf_position(f, p.leaf, p.indices);
    Block b;
    flat_open(f, &b);
    if (!count) {
        leaf_store(f, p.memory, p.leaf, p.indices, flat_local(f, tmp, type));
        return flat_close(f, &b);
    }
    Sym i = flat_fresh(f, "i");
    Node *index = nat_var(cx, i), *at = nat_add(cx, position, index);
    Node *load = flat_make(
        f, &(NodeSpec){.kind = LOOP_LOAD, .attr.sym = tmp, .type = type, .nops = 1, .ops = &index});
    Node *ops[2] = {at, load};
    flat_emit(
        f, flat_make(f, &(NodeSpec){
                            .kind = LOOP_STORE, .attr.sym = p.leaf->name, .nops = 2, .ops = ops}));
    Node *loop[3] = {nat_const(cx, 0), count, flat_close(f, &b)};
    return flat_make(f, &(NodeSpec){.kind = LOOP_FOR, .attr.sym = i, .nops = 3, .ops = loop});
}

// Where a result goes. The callee may not see it otherwise: then it is made beside and moved.
static void give_result(Call *call, Node *e, Path *path, Node *type, Node *count)
{
    Flat *f = call->f;
    Place p = place_of(f, e, path);
    if (!map_get(&call->given, MAP_KEY(p.memory))) {
        add_argument(call, address(f, p.leaf->name, leaf_position(f, p.leaf, p.indices)));
        return;
    }
    Sym tmp = flat_fresh(f, "result");
    if (count)
        flat_alloc(f, VARIANT_HEAP, tmp, type, count);
    else
        flat_declare(f, tmp, type, NULL);
    add_argument(call, address(f, tmp, nat_const(f->cx, 0)));
    vec_push(f->arena, &call->after, moved(f, p, tmp, count));
}

static const Phrase *callee_of(Flat *f, Sym name)
{
    for (int i = 0; i < f->entry->callees.len; i++)
        if (f->entry->callees.at[i]->name == name) return f->entry->callees.at[i];
    session_ice(f->cx, __FILE__, __LINE__, "a call of %s, which is no function", name->text);
}

void flat_call(Flat *f, Node *c)
{
    Call call = {.f = f, .given = map_new(f->arena)};
    const Phrase *callee = callee_of(f, c->attr.sym);
    Block own;
    flat_open(f, &own);
    for (int i = 0; i < callee->params.len; i++) {
        Node *type = callee->params.at[i].type;
        bool place = type->kind == TYPE_REF;
        bool shared = place && !type_ref_mutable(type) && !callee->external;
        OnLeaf *give = !place ? give_value : shared ? give_shared : give_memory;
        each_leaf(&call, c->op[i + 1], NULL, place ? type->op[0] : type, NULL, give);
    }
    if (c->op[0]->kind != COM_SKIP)
        each_leaf(&call, c->op[0], NULL, callee->out.type, NULL, give_result);
    flat_emit(f, flat_make(f, &(NodeSpec){.kind = LOOP_CALL,
                                          .attr.sym = c->attr.sym,
                                          .nops = call.args.len,
                                          .ops = call.args.at}));
    for (int i = 0; i < call.after.len; i++) flat_emit(f, call.after.at[i]);
    Node *block = flat_close(f, &own);
    if (call.after.len)
        flat_emit(f, block);
    else // its locals may be read by what follows
        for (uint32_t i = 0; i < block->nops; i++) flat_emit(f, block->op[i]);
}
