// Blocks, locals, facts and sizes in the translation to Loop IR.
#include "loops/lower/from_dpia.h"

// --- blocks -------------------------------------------------------------------------------------

void flat_open(Flat *f, Block *b)
{
    *b = (Block){.outer = f->block, .shared = map_new(f->arena)};
    b->facts = facts_new(f->cx, f->arena, f->block ? f->block->facts : NULL);
    f->block = b;
}

Node *flat_close(Flat *f, Block *b)
{
    f->block = b->outer;
    return flat_node(f, LOOP_BLOCK, NULL, b->statements.len, b->statements.at);
}

void flat_emit(Flat *f, Node *statement)
{
    vec_push(f->arena, &f->block->statements, statement);
}

Node *flat_make(Flat *f, const NodeSpec *spec)
{
    NodeSpec s = *spec;
    s.origin = f->origin;
    return node_make(f->cx, &s);
}

Node *flat_node(Flat *f, Kind kind, Sym name, int n, Node *const *ops)
{
    return flat_make(f, &(NodeSpec){.kind = kind, .attr.sym = name, .nops = n, .ops = ops});
}

void flat_add(Flat *f, Kind kind, Sym name, int n, Node *const *ops)
{
    flat_emit(f, flat_node(f, kind, name, n, ops));
}

void flat_add_if(Flat *f, Node *condition, Node *then, Node *otherwise)
{
    flat_emit(f, loops_if(f->cx, condition, then, otherwise, f->origin));
}

void flat_set(Flat *f, Sym name, Node *value)
{
    flat_add(f, LOOP_SET, name, 1, &value);
}

// --- locals -------------------------------------------------------------------------------------

Node *flat_type(Flat *f, Node *type)
{
    return type->kind == TYPE_IDX ? type_scalar(f->cx, SCALAR_I64) : type;
}

Sym flat_fresh(Flat *f, const char *base)
{
    Sym name;
    do name = sym_fresh(f->cx->syms, base);
    while (map_get(&f->taken, MAP_KEY(name)));
    return name;
}

void flat_declare(Flat *f, Sym name, Node *type, Node *value)
{
    Node *ops[2] = {flat_type(f, type), value ? value : core_tuple(f->cx, 0, NULL, NULL)};
    flat_add(f, LOOP_DECL, name, 2, ops);
}

Node *flat_local(Flat *f, Sym name, Node *type)
{
    return loops_local(f->cx, name, flat_type(f, type));
}

// --- facts --------------------------------------------------------------------------------------

NameClass flat_class(void *flat, Sym name)
{
    Flat *f = flat;
    const Memory *m = memory_find(f, name);
    bool value = !m || (m->class == STORE_INPUT && m->leaves.len == 1 && m->leaves.at[0].rank == 0);
    if (!value) return NAME_MEMORY;
    return map_get(&f->integers, MAP_KEY(name)) ? NAME_INTEGER : NAME_LENGTH;
}

static Node *limit_of(void *env, Sym name, bool above)
{
    Flat *f = env;
    Node *size = map_get(&f->sizes, MAP_KEY(name));
    if (!size) return dpia_limit_by_facts(f->cx, f->block->facts, name, above);
    bool parameter = size->kind == NAT_VAR && size->attr.sym == name;
    return parameter && !above ? nat_const(f->cx, 0) : size;
}

Node *flat_size_of(Flat *f, Node *e)
{
    return dpia_size(&(SizeScope){f->cx, flat_class, limit_of, f, &f->lengths}, e);
}

void flat_learn(Flat *f, Sym name, Node *type, Node *size)
{
    Facts *facts = f->block->facts;
    Scalar s;
    if (type->kind == TYPE_IDX) {
        facts_range(facts, name, nat_const(f->cx, 0), type->op[0]);
    } else if (type_is_scalar(type, &s) && s == SCALAR_I64) {
        bool natural = size && nat_ge0(f->cx, facts, size) == TRUTH_YES;
        facts_range(facts, name, nat_const(f->cx, natural ? 0 : LEAST_INTEGER), NULL);
        if (!size || !dpia_is_length(size, flat_class, f)) map_put(&f->integers, MAP_KEY(name), f);
    } else {
        return;
    }
    if (!size) return;
    facts_value(facts, name, size);
    if (type->kind != TYPE_IDX) map_put(&f->sizes, MAP_KEY(name), (void *)(uintptr_t)size);
}

static void learn_conjunct(Node *c, bool holds, void *env)
{
    Flat *f = env;
    SetRelation relation;
    Node *size;
    if (!loops_compared(f->cx, c, holds, &relation, &size)) return;
    if (relation == SET_GE0) facts_ge0(f->block->facts, size);
    if (relation == SET_EQ0) facts_eq0(f->block->facts, size);
}

void flat_learn_condition(Flat *f, Node *condition, bool holds)
{
    loops_conjuncts(condition, holds, learn_conjunct, f);
}

// --- sizes --------------------------------------------------------------------------------------

Node *flat_simplify(Flat *f, Node *size)
{
    return nat_simplify(f->cx, f->block->facts, size);
}

Node *flat_size_value(Flat *f, Node *size)
{
    return core_size(f->cx, flat_simplify(f, size));
}

Node *flat_index(Flat *f, Node *size, Node *n)
{
    NodeSpec spec = {.kind = CORE_NAT, .type = type_idx(f->cx, n), .nops = 1, .ops = &size};
    return node_make(f->cx, &spec);
}

Node *flat_find_shared(Flat *f, Node *e)
{
    for (Block *b = f->block; b; b = b->outer) {
        Node *local = map_get(&b->shared, e->id);
        if (local) return local;
    }
    return NULL;
}

Node *flat_share(void *flat, Node *size)
{
    enum { SHORT = 12 };
    Flat *f = flat;
    size = flat_simplify(f, size);
    if (size_weight(size, SHORT) <= SHORT) return size;
    Node *local = flat_find_shared(f, size);
    if (local) return local;
    Sym name = flat_fresh(f, "k");
    Node *type = type_scalar(f->cx, SCALAR_I64);
    local = nat_var(f->cx, name);
    flat_declare(f, name, type, core_size(f->cx, size));
    flat_learn(f, name, type, size);
    map_put(&f->block->shared, size->id, (void *)(uintptr_t)local);
    return local;
}

// --- conditional values -------------------------------------------------------------------------

Node *flat_join(Flat *f, Node *condition, Block *a, Node *va, Block *b, Node *vb)
{
    if (a->statements.len == 0 && b->statements.len == 0)
        return va == vb ? va : loops_select(f->cx, condition, va, vb);
    Sym name = flat_fresh(f, "either");
    flat_declare(f, name, va->type, NULL);
    Node *blocks[2], *values[2] = {va, vb};
    Block *open[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        f->block = open[k];
        flat_set(f, name, values[k]);
        blocks[k] = flat_close(f, open[k]);
    }
    flat_add_if(f, condition, blocks[0], blocks[1]);
    return flat_local(f, name, va->type);
}
