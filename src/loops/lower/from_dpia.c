// Translates DPIA to Loop IR: commands become statements, and access paths become positions in flat
// memory.
#include "loops/lower/from_dpia.h"

// --- expressions --------------------------------------------------------------------------------

static Node *flat_prim(Flat *f, Node *e)
{
    Node *ops[4];
    Node *size = flat_size_of(f, e);
    if (size) return flat_size_value(f, size);
    CHECK(f->cx, e->nops <= 4, "an operator with %u operands", e->nops);
    for (uint32_t i = 0; i < e->nops; i++) ops[i] = flat_expr(f, e->op[i]);
    return core_prim(f->cx, (Prim)e->attr.i, (int)e->nops, ops);
}

// Translates a literal. An idx literal becomes a size of type i64.
static Node *flat_literal(Flat *f, Node *e)
{
    return e->type->kind == TYPE_IDX ? core_size(f->cx, nat_const(f->cx, e->attr.i)) : e;
}

static Node *flat_variable(Flat *f, Node *e)
{
    Scalar s;
    if (memory_find(f, e->attr.sym)) return flat_read(f, e, NULL);
    Node *type = flat_type(f, e->type);
    bool is_size = type_is_scalar(type, &s) && s == SCALAR_I64;
    return is_size ? flat_size_value(f, nat_var(f->cx, e->attr.sym))
                   : flat_local(f, e->attr.sym, type);
}

Node *flat_expr(Flat *f, Node *e)
{
    Span before = f->origin;
    if (e->origin.file) f->origin = e->origin;
    Node *result;
    switch ((Kind)e->kind) {
    case PH_VAR: result = flat_variable(f, e); break;
    case CORE_LIT: result = flat_literal(f, e); break;
    case CORE_NAT: result = flat_size_value(f, e->op[0]); break;
    case CORE_PRIM: result = flat_prim(f, e); break;
    case CORE_EXTRACT: result = flat_extract(f, e); break;
    case CORE_ANY:
    case CORE_ALL:
    case CORE_COUNT:
    case CORE_MASK_BITS: result = flat_across(f, e); break;
    case CORE_CAST: result = core_cast(f->cx, flat_expr(f, e->op[0]), flat_type(f, e->type)); break;
    default: result = flat_read(f, e, NULL); break;
    }
    f->origin = before;
    return result;
}

// --- commands -----------------------------------------------------------------------------------

Node *flat_block(Flat *f, Node *c, Node *condition, bool holds)
{
    Block b;
    flat_open(f, &b);
    if (condition) flat_learn_condition(f, condition, holds);
    flat_command(f, c, true);
    return flat_close(f, &b);
}

// Emits a loop with at most one iteration as a branch.
static void flat_once(Flat *f, Node *c)
{
    Session *cx = f->cx;
    Node *zero = nat_const(cx, 0), *one = nat_const(cx, 1), *n = c->op[0];
    if (n->nops == 2 && (n->op[0] == one || n->op[1] == one)) n = n->op[n->op[0] == one];
    n = flat_simplify(f, n);
    Node *condition = core_prim(cx, PRIM_LT, 2, (Node *[]){core_size(cx, zero), core_size(cx, n)});
    Block b;
    flat_open(f, &b);
    flat_learn_condition(f, condition, true);
    flat_declare(f, c->attr.sym, type_scalar(cx, SCALAR_I64), core_size(cx, zero));
    flat_learn(f, c->attr.sym, type_scalar(cx, SCALAR_I64), zero);
    flat_command(f, c->op[1], true);
    flat_add_if(f, condition, flat_close(f, &b), loops_block(cx, 0, NULL));
}

// Builds the loop over the elements of a pattern, as the pattern's variant requires. Threads do not
// start other threads, so a parallel loop inside another loop whose iterations run in any order
// becomes a sequential loop that keeps VARIANT_PAR.
static Node *loop_of(Flat *f, Node *c, Node *to, Node *body)
{
    Session *cx = f->cx;
    Node *from = nat_const(cx, 0), *ops[4] = {from, to, body};
    NodeSpec s = {.kind = LOOP_FOR, .attr.sym = c->attr.sym, .nops = 3, .ops = ops};
    bool parallel = c->variant == VARIANT_PAR && f->lockstep == 0;
    if (c->variant == VARIANT_UNROLL) s.variant = VARIANT_UNROLL;
    if (c->variant == VARIANT_PAR && !parallel) s.variant = VARIANT_PAR; // for loops_collapse
    if (parallel || c->variant == VARIANT_VEC) {
        s.kind = parallel ? LOOP_PARALLEL : LOOP_VECTORIZE;
        s.nops = 4;
        ops[0] = parallel ? core_int(cx, type_scalar(cx, SCALAR_I32), 0) : node_lanes(c);
        ops[1] = from;
        ops[2] = to;
        ops[3] = body;
    }
    return flat_make(f, &s);
}

static void flat_for(Flat *f, Node *c)
{
    Session *cx = f->cx;
    Block b;
    bool any = c->variant == VARIANT_PAR || c->variant == VARIANT_VEC;
    if (c->op[0]->kind == NAT_MIN &&
        nat_le(cx, f->block->facts, c->op[0], nat_const(cx, 1)) == TRUTH_YES) {
        flat_once(f, c);
        return;
    }
    flat_open(f, &b);
    facts_range(b.facts, c->attr.sym, nat_const(cx, 0), c->op[0]);
    facts_ge0(b.facts, nat_sub(cx, c->op[0], nat_const(cx, 1)));
    f->lockstep += any;
    f->lanes += c->variant == VARIANT_VEC;
    flat_command(f, c->op[1], true);
    f->lanes -= c->variant == VARIANT_VEC;
    f->lockstep -= any;
    Node *body = flat_close(f, &b);
    if (body->nops == 0) return;
    flat_emit(f, loop_of(f, c, flat_simplify(f, c->op[0]), body));
}

static bool needs_heap(const Memory *m, Variant space)
{
    int64_t n;
    for (int i = 0; i < m->leaves.len; i++)
        if (m->leaves.at[i].rank > m->leaves.at[i].lanes &&
            ((space != VARIANT_STACK && space != VARIANT_SHARED) ||
             !nat_is_const(m->leaves.at[i].count, &n)))
            return true;
    return false;
}

void flat_alloc(Flat *f, Variant space, Sym name, Node *type, Node *count)
{
    Node *ops[2] = {flat_type(f, type), flat_simplify(f, count)};
    flat_emit(
        f,
        flat_make(
            f, &(NodeSpec){
                   .kind = LOOP_ALLOC, .variant = space, .attr.sym = name, .nops = 2, .ops = ops}));
}

// Translates COM_NEW. Memory is live until the end of its block, so heap memory gets a block of its
// own, unless this is the last command.
static void flat_new(Flat *f, Node *c, bool last)
{
    Memory *m = memory_add_local(f, c->attr.sym, c->op[0], c->nops > 2 ? c->op[2] : NULL);
    bool heap = needs_heap(m, (Variant)c->variant);
    Block own;
    if (heap && !last) flat_open(f, &own);
    for (int i = 0; i < m->leaves.len; i++) {
        const Leaf *leaf = &m->leaves.at[i];
        int64_t n;
        if (leaf->later) continue;
        if (leaf->rank == 0) {
            flat_declare(f, leaf->name, leaf->type, NULL);
            continue;
        }
        bool local = leaf->rank == leaf->lanes; // a single vector
        bool stack = (local || c->variant == VARIANT_STACK) && nat_is_const(leaf->count, &n);
        Variant space = c->variant == VARIANT_SHARED ? VARIANT_SHARED
                        : stack                      ? VARIANT_STACK
                                                     : VARIANT_HEAP;
        flat_alloc(f, space, leaf->name, leaf->type, leaf->count);
    }
    flat_command(f, c->op[1], last || heap);
    if (heap && !last) flat_emit(f, flat_close(f, &own));
}

// Stores a named vector in an array of its lanes.
static void flat_let_lanes(Flat *f, Node *c, bool last)
{
    Node *type = c->op[0]->type;
    const Leaf *leaf = &memory_add(f, c->attr.sym, type, STORE_LOCAL)->leaves.at[0];
    flat_alloc(f, VARIANT_STACK, leaf->name, leaf->type, leaf->count);
    NodeSpec d = {.kind = ACC_VAR, .attr.sym = c->attr.sym, .type = type};
    flat_assign_lanes(f, node_make(f->cx, &d), c->op[0]);
    flat_command(f, c->op[1], last);
}

static void flat_let(Flat *f, Node *c, bool last)
{
    if (c->op[0]->type->kind == TYPE_VEC) {
        flat_let_lanes(f, c, last);
        return;
    }
    Node *value = flat_expr(f, c->op[0]);
    flat_declare(f, c->attr.sym, c->op[0]->type, value);
    flat_learn(f, c->attr.sym, c->op[0]->type, value->kind == CORE_NAT ? value->op[0] : NULL);
    flat_command(f, c->op[1], last);
}

static void flat_if(Flat *f, Node *c)
{
    Node *condition = flat_expr(f, c->op[0]);
    Node *then = flat_block(f, c->op[1], condition, true);
    Node *otherwise = flat_block(f, c->op[2], condition, false);
    if (then->nops == 0 && otherwise->nops == 0) return;
    flat_add_if(f, condition, then, otherwise);
    if (loops_leaves(then)) flat_learn_condition(f, condition, false);
    if (loops_leaves(otherwise)) flat_learn_condition(f, condition, true);
}

static void flat_check(Flat *f, Node *c)
{
    Node *condition = flat_expr(f, c->op[0]);
    flat_emit(
        f,
        flat_make(
            f, &(NodeSpec){.kind = LOOP_CHECK, .attr.i = c->attr.i, .nops = 1, .ops = &condition}));
    flat_learn_condition(f, condition, true);
}

void flat_command(Flat *f, Node *c, bool last)
{
    Span before = f->origin;
    if (c->origin.file) f->origin = c->origin;
    switch ((Kind)c->kind) {
    case COM_SKIP: break;
    case COM_UNDEFINED: f->undefined = true; break;
    case COM_SEQ:
        for (uint32_t i = 0; i < c->nops; i++) flat_command(f, c->op[i], last && i + 1 == c->nops);
        break;
    case COM_ASSIGN:
        if (c->op[1]->type->kind == TYPE_VEC)
            flat_assign_lanes(f, c->op[0], c->op[1]);
        else
            flat_write(f, c->op[0], NULL, c->op[1]);
        break;
    case COM_FOR: flat_for(f, c); break;
    case COM_NEW: flat_new(f, c, last); break;
    case COM_LET: flat_let(f, c, last); break;
    case COM_IF: flat_if(f, c); break;
    case COM_CHECK: flat_check(f, c); break;
    case COM_LABEL: flat_label(f, c); break;
    case COM_JUMP: flat_add(f, LOOP_JUMP, c->attr.sym, 0, NULL); break;
    case COM_FOREVER: flat_forever(f, c); break;
    case COM_RANGE:
    case COM_PARALLEL:
    case COM_VECTORIZE: flat_range(f, c); break;
    case COM_SPAWN: flat_spawn(f, c); break;
    case COM_SYNC: flat_add(f, LOOP_SYNC, NULL, 0, NULL); break;
    case COM_PREFETCH: flat_prefetch(f, c); break;
    case COM_ACCUMULATE: flat_command(f, c->op[1], last); break;
    case COM_CALL: flat_call(f, c); break;
    default: session_ice(f->cx, __FILE__, __LINE__, "%s is not a command", kind_info[c->kind].text);
    }
    f->origin = before;
}

// --- the entry ----------------------------------------------------------------------------------

// Returns the parameter for a leaf. A scalar behind an immutable reference is passed by value,
// except to C functions, which get memory with one element.
static LoopParam leaf_param(Flat *f, const LoopEntry *e, const Leaf *leaf, Node *type)
{
    bool place = type->kind == TYPE_REF, idx = leaf->type->kind == TYPE_IDX;
    LoopParam p = {.name = leaf->name,
                   .scalar = SCALAR_I64,
                   .idx = idx ? leaf->type->op[0] : NULL,
                   .rank = leaf->rank,
                   .dims = leaf->dims,
                   .count = leaf->count,
                   .both = place && type_ref_mutable(type),
                   .record = leaf->record,
                   .path = leaf->path};
    if (!idx) type_is_scalar(leaf->type, &p.scalar);
    bool one = e->external && place && !p.both && p.rank == 0;
    p.strides = leaf->strides;
    if (one || (leaf->layout && !leaf->strides)) {
        p.rank = 1;
        p.dims = ARENA_NEW(f->cx->arena, Node *);
        *p.dims = p.count;
    }
    return p;
}

// Adds the strides of a parameter as parameters that follow it.
static void add_strides(Flat *f, LoopEntry *e, const Leaf *leaf)
{
    Node *type = type_scalar(f->cx, SCALAR_I64);
    for (int i = 0; leaf->strides && i < leaf->rank; i++) {
        LoopParam p = {
            .name = leaf->strides[i], .scalar = SCALAR_I64, .count = nat_const(f->cx, 1)};
        vec_push(f->cx->arena, &e->params, p);
        flat_learn(f, p.name, type, NULL);
    }
}

// Adds a parameter for each leaf of `p`. Only the parameters of an entry, and those that it passes
// on (given.c), have the layout of a C caller.
static void add_param(Flat *f, LoopEntry *e, const Param *p, StoreClass class, const bool *strided)
{
    bool place = p->type->kind == TYPE_REF;
    Node *type = place ? p->type->op[0] : p->type;
    Memory *m = map_get(f->given, MAP_KEY(p)) ? memory_add_records(f, p->name, type, class)
                : f->outside                  ? memory_add_outside(f, p->name, type, class,
                                                                   class == STORE_INPUT && !place, strided)
                                              : memory_add(f, p->name, type, class);
    for (int i = 0; i < m->leaves.len; i++) {
        const Leaf *leaf = &m->leaves.at[i];
        if (leaf->later) continue;
        LoopParam param = leaf_param(f, e, leaf, p->type);
        param.output = class == STORE_OUTPUT && !param.both;
        vec_push(f->cx->arena, &e->params, param);
        if (class == STORE_INPUT) map_put(&f->inputs, MAP_KEY(leaf->name), m);
        if (class == STORE_INPUT && leaf->rank == 0) flat_learn(f, leaf->name, leaf->type, NULL);
        add_strides(f, e, leaf);
    }
}

// Reserves the names that the body binds.
static void reserve_bound(Flat *f, Node *c, Map *seen)
{
    if (map_get(seen, c->id + 1)) return;
    map_put(seen, c->id + 1, f);
    bool binds = c->kind == COM_FOR || c->kind == COM_NEW || c->kind == COM_LET ||
                 c->kind == COM_LABEL || c->kind == COM_RANGE || c->kind == COM_PARALLEL ||
                 c->kind == COM_VECTORIZE;
    if (binds) memory_reserve(f, c->attr.sym);
    for (uint32_t i = 0; i < c->nops; i++)
        if (!node_is_size_or_type(c->op[i])) reserve_bound(f, c->op[i], seen);
}

static void reserve_names(Flat *f, const Phrase *p)
{
    Map seen = map_new(f->arena);
    for (int i = 0; i < p->sizes.len; i++) memory_reserve(f, p->sizes.at[i]);
    if (p->helpers) memory_reserve(f, p->helpers);
    for (int i = 0; i < p->params.len; i++) memory_reserve(f, p->params.at[i].name);
    memory_reserve(f, p->out.name);
    if (p->body) reserve_bound(f, p->body, &seen);
}

// Builds a function without its body. The conditions on sizes are those of the entry. They also
// hold in the functions that the entry calls, except in C functions, which have sizes of their own.
static LoopEntry *header(Flat *f, const Phrase *p)
{
    LoopEntry *e = ARENA_NEW(f->cx->arena, LoopEntry);
    e->name = p->name;
    e->span = p->span;
    e->doc = p->doc;
    e->external = p->external;
    e->helpers = p->helpers;
    e->result = p->out.type;
    e->chosen = p->chosen;
    e->scheduled = p->scheduled;
    e->defaulted = p->defaulted;
    e->spread = p->spread;
    e->strided = f->cx->lays_out ? p->strided : NULL;
    e->nsource = p->params.len;
    e->source = ARENA_ARRAY(f->cx->arena, Param, p->params.len + 1);
    for (int i = 0; i < p->sizes.len; i++) {
        Sym name = p->sizes.at[i];
        vec_push(f->cx->arena, &e->sizes, name);
        map_put(&f->sizes, MAP_KEY(name), (void *)(uintptr_t)nat_var(f->cx, name));
    }
    for (int i = 0; i < f->entry->checks.len && !p->external; i++) {
        vec_push(f->cx->arena, &e->checks, f->entry->checks.at[i]);
        size_check_assume(f->cx, f->block->facts, &f->entry->checks.at[i]);
    }
    for (int i = 0; i < p->checks.len && p != f->entry && !p->external; i++) {
        vec_push(f->cx->arena, &e->checks, p->checks.at[i]); // its callers satisfy them
        size_check_assume(f->cx, f->block->facts, &p->checks.at[i]);
    }
    for (int i = 0; i < p->params.len; i++) {
        Node *type = p->params.at[i].type;
        bool written = type->kind == TYPE_REF && type_ref_mutable(type);
        e->source[i] = p->params.at[i];
        lengths_add_type(f->cx, &f->lengths, type);
        add_param(f, e, &p->params.at[i], written ? STORE_OUTPUT : STORE_INPUT,
                  p->strided && p->strided[i] ? p->strided + i : NULL);
    }
    lengths_add_type(f->cx, &f->lengths, p->out.type);
    lengths_add_checks(f->cx, &f->lengths, e->checks.at, e->checks.len);
    add_param(f, e, &p->out, STORE_OUTPUT, p->strided ? p->strided + p->params.len : NULL);
    return e;
}

static LoopEntry *translate(Session *cx, const Phrase *p, const Phrase *entry, const Map *given)
{
    Flat f = {.cx = cx,
              .arena = cx->arena,
              .entry = entry,
              .outside = p == entry,
              .given = given,
              .memory = map_new(cx->arena),
              .integers = map_new(cx->arena),
              .sizes = map_new(cx->arena),
              .inputs = map_new(cx->arena),
              .table_of = map_new(cx->arena),
              .taken = map_new(cx->arena)};
    Block b;
    flat_open(&f, &b);
    reserve_names(&f, p);
    LoopEntry *e = header(&f, p);
    if (p->external) return e;
    flat_command(&f, p->body, true);
    Node *body = layout_versions(&f, e, flat_close(&f, &b));
    e->undefined = f.undefined;
    e->body = loops_join_tasks(cx, flat_with_tables(&f, body));
    return e;
}

LoopEntry *loops_from_dpia(Session *cx, const Phrase *p)
{
    Map given = given_records(cx, p);
    LoopEntry *e = translate(cx, p, p, &given);
    for (int i = 0; i < p->callees.len; i++)
        vec_push(cx->arena, &e->callees, translate(cx, p->callees.at[i], p, &given));
    return e;
}
