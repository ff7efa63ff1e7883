// Constant tables. An array literal that is read at an unknown index becomes a LOOP_TABLE for each
// leaf, at the beginning of the function.
#include "loops/lower/from_dpia.h"

// Appends the scalars of a literal, in row-major order, to the tables of its leaves, the first of
// which is values[leaf].
static void add_literals(Flat *f, Node *e, int leaf, Stmts *values)
{
    if (e->kind == CORE_LIT) {
        Node *literal = e->type->kind == TYPE_IDX
                            ? core_int(f->cx, type_scalar(f->cx, SCALAR_I64), e->attr.i)
                            : e;
        vec_push(f->arena, &values[leaf], literal);
        return;
    }
    for (uint32_t k = 0; k < e->nops; k++) {
        add_literals(f, e->op[k], leaf, values);
        if (e->kind == CORE_TUPLE) leaf += leaf_count(e->op[k]->type);
    }
}

static void declare_leaf(Flat *f, const Leaf *leaf, const Stmts *values)
{
    Node *type = flat_type(f, leaf->type);
    Node *ops[2] = {type, core_array(f->cx, type, values->len, values->at)};
    vec_push(f->arena, &f->tables, flat_node(f, LOOP_TABLE, leaf->name, 2, ops));
}

const Memory *memory_of_table(Flat *f, Node *array)
{
    const Memory *known = map_get(&f->table_of, MAP_KEY(array));
    if (known || !core_is_table(array)) return known;
    Memory *m = memory_add(f, leaf_name(f, "table"), array->type, STORE_INPUT);
    Stmts *values = ARENA_ARRAY(f->arena, Stmts, m->leaves.len);
    add_literals(f, array, 0, values);
    for (int i = 0; i < m->leaves.len; i++) {
        map_put(&f->inputs, MAP_KEY(m->leaves.at[i].name), m);
        declare_leaf(f, &m->leaves.at[i], &values[i]);
    }
    map_put(&f->table_of, MAP_KEY(array), m);
    return m;
}

Node *flat_with_tables(Flat *f, Node *body)
{
    if (f->tables.len == 0) return body;
    vec_push(f->arena, &f->tables, body);
    return loops_block(f->cx, f->tables.len, f->tables.at);
}
