// Loads from small arrays on the stack at positions that differ by lane: the array is a few vectors,
// whose lanes are permuted by the positions. So lookups in tables and shuffles by computed lane
// numbers do not go through memory.
//
// Inactive lanes may have any position, since a permutation takes it modulo the number of lanes.
#include "loops/vector/vectors.h"

enum { MOST = 4 }; // vectors that an array may consist of

// The declaration of a local of the body that is never assigned, or NULL.
static Node *declaration(const Divergence *d, Node *position)
{
    const LaneName *n =
        position->kind == NAT_VAR ? map_get(&d->names, MAP_KEY(position->attr.sym)) : NULL;
    bool fixed = n && n->stmt->kind == LOOP_DECL && !loops_is_nothing(n->stmt->op[1]);
    return fixed && !map_get(&d->changed, MAP_KEY(position->attr.sym)) ? n->stmt : NULL;
}

// The integer of at most 4 bytes that the position is cast from, or NULL.
static Node *narrow_position(const Divergence *d, Node *position)
{
    Scalar s;
    Node *decl = declaration(d, position);
    Node *from = decl && decl->op[1]->kind == CORE_CAST ? decl->op[1]->op[0] : NULL;
    bool narrow = from && type_is_scalar(from->type, &s) && scalar_info[s].size <= 4 &&
                  type_is_integer(from->type);
    return narrow ? from : NULL;
}

// The integers that are as wide as the elements, and can count those of the array. NULL for
// elements that cannot be permuted.
static Node *number_type(Session *cx, Node *element, int64_t count)
{
    static const Scalar by_size[] = {
        [1] = SCALAR_I8, [2] = SCALAR_I16, [4] = SCALAR_I32, [8] = SCALAR_I64};
    Scalar s;
    if (!type_is_scalar(element, &s) || s == SCALAR_BOOL || s == SCALAR_F16) return NULL;
    if (scalar_info[s].size == 1 && count > INT8_MAX) return NULL;
    return type_scalar(cx, by_size[scalar_info[s].size]);
}

bool load_is_permutation(Divergence *d, const LaneArrays *arrays, Node *load)
{
    int64_t count;
    Node *alloc = arrays ? map_get(&arrays->stack, MAP_KEY(load->attr.sym)) : NULL;
    if (!alloc || !nat_is_const(alloc->op[1], &count) || (count & (count - 1)) || count < 2)
        return false;
    if (map_get(&arrays->in_registers, MAP_KEY(load->attr.sym))) return false;
    if (divergence_array(d, load->attr.sym) || !divergence_of(d, load->op[0]).varies) return false;
    Scalar s;
    bool fits = type_is_scalar(load->type, &s) &&
                count * scalar_info[s].size <= (int64_t)MOST * d->cx->vector_bytes;
    return fits && number_type(d->cx, load->type, count) && narrow_position(d, load->op[0]);
}

// The elements of the array from `first` on, permuted. There are as many as lanes, or fewer.
static Node *permuted(IfConverter *l, Node *load, int64_t first, int64_t count, Node *at)
{
    Session *cx = l->cx;
    Node *part = type_vec(cx, count < l->d->lanes ? count : l->d->lanes, load->type);
    Node *ops[] = {loops_load(cx, load->attr.sym, part, nat_const(cx, first)), at};
    NodeSpec spec = {.kind = LOOP_PERMUTE, .nops = 2, .ops = ops};
    spec.type = vec_type(l->d, load->type);
    return node_make(cx, &spec);
}

Node *permutation_load(IfConverter *l, Node *load, Node *mask)
{
    Session *cx = l->cx;
    int64_t count, lanes = l->d->lanes;
    if (!l->w || !load_is_permutation(l->d, &l->w->arrays, load)) return NULL;
    Node *alloc = map_get(&l->w->arrays.stack, MAP_KEY(load->attr.sym));
    if (!nat_is_const(alloc->op[1], &count) || count > MOST * lanes) return NULL;
    Node *type = number_type(cx, load->type, count);
    Node *at = vec_cast(l->d, vector_value(l, narrow_position(l->d, load->op[0]), mask), type);
    if (count > lanes) at = vec_declare(l, "at", at);
    Node *v = permuted(l, load, 0, count, at);
    for (int64_t first = lanes; first < count; first += lanes) {
        Node *limit = vec_splat(l->d, core_int(cx, type, first));
        v = vec_select(cx, vec_prim(cx, PRIM_LT, at, limit), v,
                       permuted(l, load, first, count, at));
    }
    return v;
}
