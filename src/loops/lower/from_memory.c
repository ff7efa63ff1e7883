// Flat memory. A value has one row-major buffer or local for each scalar leaf of its type, unless a
// layout says otherwise.
#include "loops/lower/from_dpia.h"

const Memory *memory_find(Flat *f, Sym name)
{
    return map_get(&f->memory, MAP_KEY(name));
}

void memory_reserve(Flat *f, Sym name)
{
    map_put(&f->taken, MAP_KEY(name), (void *)(uintptr_t)name);
}

Sym leaf_name(Flat *f, const char *text)
{
    Sym name = session_sym(f->cx, text);
    if (map_get(&f->taken, MAP_KEY(name)))
        name = flat_fresh(f, arena_printf(f->arena, "%s_", text));
    memory_reserve(f, name);
    return name;
}

enum { MAX_RANK = 64 };

typedef struct {
    Flat *f;
    Memory *memory;
    Sym name;
    Node *block;              // the number of elements in a block of the layout, or NULL
    bool given;               // whether it is an array of records that a function gets (given.c)
    bool outside, value;      // whether a C caller owns it, and whether it passes structs by value
    const bool *strided;      // whether the caller passes strides for the current type, or NULL
    const LoopRecord *record; // the caller's record that contains the current type, or NULL
    const char *path;         // the path of the current member within the record
    int rank;
    bool lanes;
    Node *dims[MAX_RANK];
} Leaves;

static Sym buffer_name(Leaves *l, const char *name)
{
    return name == l->name->text ? l->name : leaf_name(l->f, name);
}

static void add_leaves(Leaves *l, const char *name, Node *type);

// Creates the LoopRecord for a value of this type, if it is a C caller's record or array of
// records. Returns NULL otherwise.
static const LoopRecord *record_at(Leaves *l, const char *name, Node *type)
{
    Session *cx = l->f->cx;
    Node *inner = type, *count = nat_const(cx, 1);
    if (!l->outside || l->record || l->rank) return NULL;
    for (; inner->kind == TYPE_ARRAY; inner = inner->op[1])
        count = nat_mul(cx, count, inner->op[0]);
    if (!type_is_c_struct(cx, inner)) return NULL;
    LoopRecord *r = ARENA_NEW(cx->arena, LoopRecord);
    *r = (LoopRecord){buffer_name(l, name), inner, l->value && inner == type, count};
    return r;
}

static void add_array(Leaves *l, const char *name, Node *type)
{
    int first = l->memory->leaves.len;
    CHECK(l->f->cx, l->rank < MAX_RANK, "more than %d dimensions", MAX_RANK);
    l->dims[l->rank++] = type->op[0];
    l->lanes = type->kind == TYPE_VEC;
    add_leaves(l, name, type->op[1]);
    l->lanes = false;
    l->rank--;
    if (l->rank == 0 && l->strided && *l->strided)
        layout_strided(l->f, &l->memory->leaves.at[first]);
    else if ((l->record || l->given) && l->rank == 0)
        layout_records(l->f, l->memory, first, type, name);
    else if (l->block && l->rank == 0 && layout_has_records(type))
        layout_leaves(l->f, l->memory, first, type, buffer_name(l, name), l->block);
}

static void add_leaf(Leaves *l, const char *name, Node *type)
{
    Flat *f = l->f;
    Leaf leaf = {.type = type,
                 .lanes = l->lanes,
                 .rank = l->rank,
                 .count = nat_const(f->cx, 1),
                 .record = l->record,
                 .path = l->path};
    leaf.name = l->record ? leaf_name(f, name) : buffer_name(l, name);
    leaf.dims = ARENA_ARRAY(f->cx->arena, Node *, l->rank + 1);
    for (int i = 0; i < l->rank; i++) {
        leaf.dims[i] = l->dims[i];
        leaf.count = nat_mul(f->cx, leaf.count, l->dims[i]);
    }
    vec_push(f->arena, &l->memory->leaves, leaf);
}

static void add_component(Leaves *l, const char *name, Node *type, uint32_t k)
{
    Flat *f = l->f;
    const char *path = l->path;
    const bool *strided = l->strided;
    bool named = type->kind == TYPE_STRUCT && type->names;
    if (l->record && l->rank == 0)
        l->path = arena_printf(f->cx->arena, "%s.%s", path, type_c_member(f->cx, type, (int)k));
    if (type != l->memory->type || type->kind != TYPE_TUPLE) l->strided = NULL;
    if (l->strided) l->strided += k;
    add_leaves(l,
               named ? arena_printf(f->arena, "%s_%s", name, type->names[k]->text)
                     : arena_printf(f->arena, "%s_%u", name, k),
               type->op[k]);
    l->path = path;
    l->strided = strided;
}

// Adds the leaves of a value of this type inside the array dimensions collected so far.
static void add_leaves(Leaves *l, const char *name, Node *type)
{
    const LoopRecord *record = record_at(l, name, type);
    if (record) {
        l->record = record;
        l->path = "";
    }
    if (type_has_elements(type))
        add_array(l, name, type);
    else if (type_is_atom(type))
        add_leaf(l, name, type);
    else
        for (uint32_t k = 0; k < type->nops; k++) add_component(l, name, type, k);
    if (record) l->record = NULL;
}

static Memory *memory_make(Leaves *l, Node *type, StoreClass class)
{
    Memory *m = ARENA_NEW(l->f->arena, Memory);
    m->class = class;
    m->type = type;
    l->memory = m;
    add_leaves(l, l->name->text, type);
    map_put(&l->f->memory, MAP_KEY(l->name), m);
    return m;
}

Memory *memory_add(Flat *f, Sym name, Node *type, StoreClass class)
{
    return memory_make(&(Leaves){.f = f, .name = name}, type, class);
}

Memory *memory_add_records(Flat *f, Sym name, Node *type, StoreClass class)
{
    return memory_make(&(Leaves){.f = f, .name = name, .given = true}, type, class);
}

Memory *memory_add_outside(Flat *f, Sym name, Node *type, StoreClass class, bool value,
                           const bool *strided)
{
    bool lays_out = f->cx->lays_out;
    return memory_make(&(Leaves){.f = f,
                                 .name = name,
                                 .outside = lays_out,
                                 .value = value,
                                 .strided = lays_out ? strided : NULL},
                       type, class);
}

Memory *memory_add_local(Flat *f, Sym name, Node *type, Node *block)
{
    return memory_make(&(Leaves){.f = f, .name = name, .block = block}, type, STORE_LOCAL);
}

int leaf_count(Node *type)
{
    if (type_has_elements(type)) return leaf_count(type->op[1]);
    if (type_is_atom(type)) return 1;
    int n = 0;
    for (uint32_t k = 0; k < type->nops; k++) n += leaf_count(type->op[k]);
    return n;
}

const Leaf *memory_leaf(Flat *f, const Memory *m, Path *path, Node ***indices)
{
    Node *type = m->type;
    int leaf = 0, rank = 0;
    *indices = ARENA_ARRAY(f->arena, Node *, MAX_RANK);
    for (; path; path = path->rest) {
        if (path->step.is_component) {
            int k = path->step.component;
            CHECK(f->cx, !type_is_atom(type) && !type_has_elements(type) && k < (int)type->nops,
                  "a component of %s", type_show(f->cx, type));
            for (int i = 0; i < k; i++) leaf += leaf_count(type->op[i]);
            type = type->op[k];
        } else {
            CHECK(f->cx, type_has_elements(type), "an index into %s", type_show(f->cx, type));
            (*indices)[rank++] = path->step.index;
            type = type->op[1];
        }
    }
    CHECK(f->cx, type_is_atom(type), "an access to a whole %s", type_show(f->cx, type));
    return &m->leaves.at[leaf];
}

Node *leaf_position(Flat *f, const Leaf *leaf, Node *const *indices)
{
    Node *position = nat_const(f->cx, 0);
    if (leaf->layout) return layout_position(f, leaf->layout, indices, leaf->rank);
    for (int i = 0; i < leaf->rank; i++)
        position = nat_add(f->cx, nat_mul(f->cx, position, leaf->dims[i]), indices[i]);
    return flat_simplify(f, position);
}

Node *leaf_load(Flat *f, const Memory *m, const Leaf *leaf, Node *const *indices)
{
    Node *type = flat_type(f, leaf->type);
    if (leaf->rank == 0 && m->class == STORE_LOCAL) return flat_local(f, leaf->name, type);
    if (leaf->rank == 0 && m->class == STORE_INPUT) {
        Scalar s;
        bool is_size = type_is_scalar(type, &s) && s == SCALAR_I64;
        return is_size ? flat_size_value(f, nat_var(f->cx, leaf->name))
                       : flat_local(f, leaf->name, type);
    }
    Node *position = leaf_position(f, leaf, indices);
    return loops_load(f->cx, leaf->name, type, position);
}

// Makes `value` the initial value in the declaration of the local, if only declarations without
// values follow that declaration in the block. Returns whether it did.
static bool set_first(Flat *f, Sym name, Node *value)
{
    Block *b = f->block;
    for (int i = b->statements.len - 1; i >= 0; i--) {
        Node *s = b->statements.at[i];
        if (s->kind != LOOP_DECL || s->op[1]->kind != CORE_TUPLE) return false;
        if (s->attr.sym != name) continue;
        b->statements.at[i] = node_with_op(f->cx, s, 1, value);
        return true;
    }
    return false;
}

void leaf_store(Flat *f, const Memory *m, const Leaf *leaf, Node *const *indices, Node *value)
{
    CHECK(f->cx, m->class != STORE_INPUT, "%s is written, but is an input", leaf->name->text);
    if (leaf->rank == 0 && m->class == STORE_LOCAL) {
        if (set_first(f, leaf->name, value)) return;
        flat_set(f, leaf->name, value);
        return;
    }
    Node *ops[2] = {leaf_position(f, leaf, indices), value};
    flat_add(f, LOOP_STORE, leaf->name, 2, ops);
}
