// Layouts determine the positions of the scalars in the elements of an array.
//
// Without a layout, each leaf has a buffer of its own. With one, all leaves of a scalar type share
// a buffer. The records are the elements of the innermost array that encloses a tuple or struct:
// [n][m](x, y) has n rows of m records. Records are stored in blocks of L: the first scalars of L
// records, then the second ones, and so on. Scalar r of k in record i is thus at
// (i / L) k L + r L + i % L. For L = 1 this is i k + r, an array of structs. An array of m scalars
// in a record counts as m scalars. Each row begins with a new block, so the last block of a row may
// be padded.
//
// Structs of C callers have C's layout (types/c_layout.c). All leaves of one scalar type share a
// buffer, which is the memory of all records seen as an array of that type: `struct { float x, y;
// uint8_t tag; }` is three floats, of which two are used, and twelve bytes, of which one is. These
// buffers overlap, but no two of them use the same bytes.
//
// The strides of a caller's array are parameters, which are integers of any sign, and positions are
// sums of indices times strides. Only the elements are accessed, never the memory between them.
// Elements may coincide if a stride of an input is 0.
#include "loops/lower/from_dpia.h"

static bool is_record(Node *type)
{
    return !type_is_atom(type) && !type_has_elements(type);
}

// The number of scalars in a value whose type in memory is `scalar`.
static Node *scalars_in(Flat *f, Node *type, Node *scalar)
{
    Session *cx = f->cx;
    if (type_is_atom(type)) return nat_const(cx, flat_type(f, type) == scalar);
    if (type_has_elements(type))
        return nat_mul(cx, type->op[0], scalars_in(f, type->op[1], scalar));
    Node *sum = nat_const(cx, 0);
    for (uint32_t k = 0; k < type->nops; k++)
        sum = nat_add(cx, sum, scalars_in(f, type->op[k], scalar));
    return sum;
}

// Like scalars_in, but for arrays of records, and including the padding of their blocks.
static Node *room_for(Flat *f, Node *type, Node *scalar, Node *block)
{
    Session *cx = f->cx;
    Node *n = type->op[0], *element = type->op[1];
    if (!is_record(element)) return nat_mul(cx, n, room_for(f, element, scalar, block));
    Node *up = nat_add(cx, n, nat_sub(cx, block, nat_const(cx, 1)));
    Node *records = nat_mul(cx, nat_div(cx, up, block), block);
    return nat_mul(cx, records, scalars_in(f, element, scalar));
}

bool layout_has_records(Node *type)
{
    for (; type_has_elements(type); type = type->op[1])
        if (is_record(type->op[1])) return true;
    return false;
}

// Returns the layout of leaf number k of the array.
static const Layout *layout_of(Flat *f, const Leaf *leaf, Node *array, int k, Node *block)
{
    Session *cx = f->cx;
    Layout *y = ARENA_NEW(f->arena, Layout);
    *y = (Layout){ARENA_ARRAY(f->arena, Node *, leaf->rank + 1), nat_const(cx, 0), -1, block};
    Node *type = array, *scalar = flat_type(f, leaf->type), *unit = nat_const(cx, 1);
    for (int rank = 0; !type_is_atom(type);) {
        if (type_has_elements(type)) {
            Node *element = type->op[1];
            bool outside = y->blocked < 0;
            if (outside && is_record(element)) {
                y->blocked = rank;
                unit = block;
                outside = false;
            }
            Node *scalars =
                outside ? room_for(f, element, scalar, block) : scalars_in(f, element, scalar);
            y->strides[rank++] = nat_mul(cx, unit, scalars);
            type = element;
        } else {
            uint32_t i = 0;
            for (; k >= leaf_count(type->op[i]); k -= leaf_count(type->op[i++]))
                y->offset =
                    nat_add(cx, y->offset, nat_mul(cx, unit, scalars_in(f, type->op[i], scalar)));
            type = type->op[i];
        }
    }
    return y;
}

// The index of the leaf whose buffer leaf k uses: the first leaf of its scalar type, starting at
// index `first`.
static int owner_of(Flat *f, const Memory *m, int first, int k)
{
    Node *scalar = flat_type(f, m->leaves.at[k].type);
    int i = first;
    while (flat_type(f, m->leaves.at[i].type) != scalar) i++;
    return i;
}

// The number of leaves that use the buffer of leaf k.
static int sharers(Flat *f, const Memory *m, int first, int k)
{
    int n = 0;
    for (int i = first; i < m->leaves.len; i++) n += owner_of(f, m, first, i) == k;
    return n;
}

void layout_leaves(Flat *f, Memory *m, int first, Node *array, Sym name, Node *block)
{
    int n = m->leaves.len - first;
    for (int i = first; i < m->leaves.len; i++) {
        Leaf *leaf = &m->leaves.at[i];
        Node *scalar = flat_type(f, leaf->type);
        int owner = owner_of(f, m, first, i), with = sharers(f, m, first, owner);
        leaf->layout = layout_of(f, leaf, array, i - first, block);
        leaf->count = room_for(f, array, scalar, block);
        leaf->later = owner != i;
        if (leaf->later)
            leaf->name = m->leaves.at[owner].name;
        else if (with == n)
            leaf->name = name;
        else if (with > 1)
            leaf->name =
                leaf_name(f, arena_printf(f->arena, "%s_%s", name->text, type_show(f->cx, scalar)));
    }
}

// The number of scalars with a size of `bytes` that fit in the memory of a record or array of
// records.
static Node *units_in(Flat *f, Node *type, int64_t bytes)
{
    int64_t size;
    if (type_c_size(f->cx, type, &size)) return nat_const(f->cx, size / bytes);
    return nat_mul(f->cx, type->op[0], units_in(f, type->op[1], bytes));
}

// Returns C's layout of leaf number k of the array. The memory of all records can be the leaf's
// buffer, since both the leaf's offset in a record and the size of a record are multiples of the
// leaf's size.
static const Layout *layout_in_c(Flat *f, const Leaf *leaf, Node *array, int k)
{
    Session *cx = f->cx;
    Layout *y = ARENA_NEW(f->arena, Layout);
    *y = (Layout){ARENA_ARRAY(f->arena, Node *, leaf->rank + 1), nat_const(cx, 0), -1,
                  nat_const(cx, 1)};
    int64_t bytes = 1;
    type_c_size(cx, leaf->type, &bytes);
    Node *type = array;
    for (int rank = 0; !type_is_atom(type);) {
        if (type_has_elements(type)) {
            type = type->op[1];
            y->strides[rank++] = units_in(f, type, bytes);
        } else {
            uint32_t i = 0;
            for (; k >= leaf_count(type->op[i]); k -= leaf_count(type->op[i++])) continue;
            int64_t at = type_c_offset(cx, type, (int)i);
            y->offset = nat_add(cx, y->offset, nat_const(cx, at / bytes));
            type = type->op[i];
        }
    }
    return y;
}

void layout_records(Flat *f, Memory *m, int first, Node *array, const char *name)
{
    for (int i = first; i < m->leaves.len; i++) {
        Leaf *leaf = &m->leaves.at[i];
        int owner = owner_of(f, m, first, i);
        int64_t bytes = 1;
        type_c_size(f->cx, leaf->type, &bytes);
        leaf->layout = layout_in_c(f, leaf, array, i - first);
        leaf->count = units_in(f, array, bytes);
        leaf->later = owner != i;
        if (leaf->later)
            leaf->name = m->leaves.at[owner].name;
        else if (sharers(f, m, first, owner) > 1)
            leaf->name =
                leaf_name(f, arena_printf(f->arena, "%s_%s", name, type_show(f->cx, leaf->type)));
    }
}

void layout_strided(Flat *f, Leaf *leaf)
{
    Session *cx = f->cx;
    Layout *y = ARENA_NEW(f->arena, Layout);
    *y = (Layout){ARENA_ARRAY(f->arena, Node *, leaf->rank + 1), nat_const(cx, 0), -1,
                  nat_const(cx, 1)};
    leaf->strides = ARENA_ARRAY(cx->arena, Sym, leaf->rank);
    for (int i = 0; i < leaf->rank; i++) {
        leaf->strides[i] = leaf_name(f, arena_printf(f->arena, "%s_stride%d", leaf->name->text, i));
        y->strides[i] = nat_var(cx, leaf->strides[i]);
    }
    leaf->layout = y;
}

static Node *is_one(Session *cx, Sym stride)
{
    Node *ops[] = {core_size(cx, nat_var(cx, stride)), core_size(cx, nat_const(cx, 1))};
    return core_prim(cx, PRIM_EQ, 2, ops);
}

// Substitutes 1 for the last stride of each array in the first version, so that accesses along
// rows, including vector accesses, are contiguous there.
Node *layout_versions(Flat *f, const LoopEntry *e, Node *body)
{
    Session *cx = f->cx;
    VEC(NodeBinding) ones = {0};
    Node *condition = NULL;
    for (int i = 0; i < e->params.len; i++) {
        const LoopParam *p = &e->params.at[i];
        if (!p->strides) continue;
        Sym last = p->strides[p->rank - 1];
        Node *one = is_one(cx, last);
        condition = condition ? core_prim(cx, PRIM_AND, 2, (Node *[]){condition, one}) : one;
        vec_push(f->arena, &ones, ((NodeBinding){last, nat_const(cx, 1)}));
    }
    Node *near = node_replace_names(cx, body, ones.at, ones.len);
    if (near == body) return body;
    return loops_if(cx, condition, near, loops_copy(cx, body, NULL, NULL), f->origin);
}

// Whether a condition uses the stride of a last dimension, as the test that selects a version does.
static bool is_of_strides(const LoopEntry *e, Node *condition)
{
    if (condition->kind == NAT_VAR)
        for (int i = 0; i < e->params.len; i++) {
            const LoopParam *p = &e->params.at[i];
            if (p->strides && p->strides[p->rank - 1] == condition->attr.sym) return true;
        }
    for (uint32_t i = 0; i < condition->nops; i++)
        if (is_of_strides(e, condition->op[i])) return true;
    return false;
}

Node *loops_versions(const LoopEntry *e)
{
    Node *body = e->body;
    if (body->kind == LOOP_IF) return is_of_strides(e, body->op[0]) ? body : NULL;
    for (uint32_t i = 0; body->kind == LOOP_BLOCK && i < body->nops; i++)
        if (body->op[i]->kind == LOOP_IF && is_of_strides(e, body->op[i]->op[0]))
            return body->op[i];
    return NULL;
}

Node *layout_position(Flat *f, const Layout *y, Node *const *indices, int rank)
{
    Session *cx = f->cx;
    Node *position = y->offset;
    for (int i = 0; i < rank; i++) {
        Node *index = indices[i];
        if (i == y->blocked) {
            if (y->block != nat_const(cx, 1)) index = flat_share(f, index);
            position = nat_add(cx, position, nat_mod(cx, index, y->block));
            index = nat_div(cx, index, y->block);
        }
        position = nat_add(cx, position, nat_mul(cx, index, y->strides[i]));
    }
    return flat_simplify(f, position);
}
