// Builders and predicates for types.
#include "types/types.h"

#include <string.h>

static Node *make(Session *cx, Kind kind, Attr attr, int n, Node *const *ops)
{
    return node_make(cx, &(NodeSpec){.kind = kind, .attr = attr, .nops = n, .ops = ops});
}

Node *type_scalar(Session *cx, Scalar s)
{
    return make(cx, TYPE_SCALAR, (Attr){.i = s}, 0, NULL);
}

Node *type_idx(Session *cx, Node *n)
{
    return make(cx, TYPE_IDX, (Attr){0}, 1, (Node *[]){n});
}

Node *type_own_size(Session *cx)
{
    return type_idx(cx, nat_const(cx, INT64_C(1) << 62));
}

Node *type_array(Session *cx, Node *n, Node *element)
{
    return make(cx, TYPE_ARRAY, (Attr){0}, 2, (Node *[]){n, element});
}

Node *type_varying(Session *cx, Node *lanes, Node *element)
{
    return make(cx, TYPE_VEC, (Attr){0}, 2, (Node *[]){lanes, element});
}

Node *type_vec(Session *cx, int64_t lanes, Node *element)
{
    return type_varying(cx, nat_const(cx, lanes), element);
}

Node *type_tuple(Session *cx, int n, Node *const *parts)
{
    return make(cx, TYPE_TUPLE, (Attr){0}, n, parts);
}

Node *type_struct(Session *cx, Sym name, int n, Node *const *fields, const Sym *field_names)
{
    Sym *names = NULL;
    if (field_names && n > 0) {
        names = ARENA_ARRAY(cx->arena, Sym, n);
        memcpy(names, field_names, sizeof *names * (size_t)n);
    }
    return node_make(
        cx, &(NodeSpec){
                .kind = TYPE_STRUCT, .attr.sym = name, .nops = n, .ops = fields, .names = names});
}

Node *type_fun(Session *cx, int nparams, Node *const *params, Node *result)
{
    Node **ops = ARENA_ARRAY(cx->arena, Node *, nparams + 1);
    for (int i = 0; i < nparams; i++) ops[i] = params[i];
    ops[nparams] = result;
    return make(cx, TYPE_FUN, (Attr){0}, nparams + 1, ops);
}

Node *type_mode(Session *cx, Node *element)
{
    return make(cx, TYPE_MODE, (Attr){0}, 1, (Node *[]){element});
}

const char *const space_text[SPACE_COUNT] = {"", "global", "shared", "private"};

Node *type_ref(Session *cx, Node *t, bool mutable, Space space)
{
    return make(cx, TYPE_REF, (Attr){.i = 2 * (int64_t)space + mutable}, 1, &t);
}

bool type_ref_mutable(Node *ref)
{
    return ref->attr.i & 1;
}

Space type_ref_space(Node *ref)
{
    return (Space)(ref->attr.i / 2);
}

static Node *without_spaces(Session *cx, Node *t, int depth, void *env)
{
    (void)depth;
    t = node_map(cx, t, 0, without_spaces, env);
    return t->kind == TYPE_REF ? type_ref(cx, t->op[0], type_ref_mutable(t), SPACE_GENERIC) : t;
}

Node *type_without_spaces(Session *cx, Node *t)
{
    return without_spaces(cx, t, 0, NULL);
}

Node *type_never(Session *cx)
{
    return make(cx, TYPE_NEVER, (Attr){0}, 0, NULL);
}

Node *type_continuation(Session *cx, Node *t)
{
    return type_fun(cx, !type_is_unit(t), &t, type_never(cx));
}

bool type_is_continuation(Node *t)
{
    return t->kind == TYPE_FUN && type_result(t)->kind == TYPE_NEVER;
}

Node *type_var(Session *cx, Sym name)
{
    return make(cx, TYPE_VAR, (Attr){.sym = name}, 0, NULL);
}

Node *type_meta(Session *cx, int64_t number)
{
    return make(cx, TYPE_META, (Attr){.i = number}, 0, NULL);
}

Node *type_error(Session *cx)
{
    return make(cx, TYPE_ERROR, (Attr){0}, 0, NULL);
}

bool type_is_vec(Node *t, int64_t *lanes)
{
    int64_t n;
    return t->kind == TYPE_VEC && nat_is_const(t->op[0], lanes ? lanes : &n);
}

bool type_has_elements(Node *t)
{
    return t->kind == TYPE_ARRAY || t->kind == TYPE_VEC;
}

Node *type_lane(Node *t)
{
    return t->kind == TYPE_VEC ? t->op[1] : t;
}

bool type_is_scalar(Node *t, Scalar *s)
{
    if (t->kind != TYPE_SCALAR) return false;
    if (s) *s = (Scalar)t->attr.i;
    return true;
}

bool type_is_float(Node *t)
{
    return t->kind == TYPE_SCALAR && scalar_info[t->attr.i].class == CLASS_FLOAT;
}

bool type_is_integer(Node *t)
{
    if (t->kind != TYPE_SCALAR) return false;
    ScalarClass class = scalar_info[t->attr.i].class;
    return class == CLASS_INT || class == CLASS_UINT;
}

bool type_is_number(Node *t)
{
    return type_is_float(t) || type_is_integer(t);
}

bool type_is_data(Node *t)
{
    switch (t->kind) {
    case TYPE_FUN:
    case TYPE_MODE:
    case TYPE_REF:
    case TYPE_NEVER:
    case TYPE_ERROR: return false;
    case TYPE_IDX:
    case TYPE_VEC: return true;
    default: break;
    }
    for (uint32_t i = t->kind == TYPE_ARRAY; i < t->nops; i++)
        if (!type_is_data(t->op[i])) return false;
    return true;
}

enum { MAX_PARTS = 1024, MAX_RANK = 60, MAX_LANES = 1024 };

// Adds the number of leaves of `t` to *parts, stopping at the limit, and raises *most to the
// greatest number of dimensions of any part.
static void measure(Node *t, int rank, int *parts, int *most)
{
    int64_t lanes;
    if (type_is_vec(t, &lanes) && lanes > MAX_LANES) *parts += MAX_PARTS + MAX_LANES;
    bool size = t->kind == TYPE_ARRAY || t->kind == TYPE_IDX || t->kind == TYPE_VEC;
    rank += t->kind == TYPE_ARRAY;
    if (rank > *most) *most = rank;
    if (t->nops == (uint32_t)size) ++*parts;
    for (uint32_t i = size; i < t->nops && *parts <= MAX_PARTS; i++)
        measure(t->op[i], rank, parts, most);
}

const char *type_excess(Node *t)
{
    int parts = 0, rank = 0;
    measure(t, 0, &parts, &rank);
    if (parts >= MAX_PARTS + MAX_LANES) return "more than 1024 lanes";
    if (parts > MAX_PARTS) return "more than 1024 parts";
    return rank > MAX_RANK ? "more than 60 dimensions" : NULL;
}

bool type_has_vector(Node *t)
{
    if (t->kind == TYPE_VEC) return true;
    for (uint32_t i = 0; i < t->nops; i++)
        if (type_has_vector(t->op[i])) return true;
    return false;
}

Node *type_of_lane(Session *cx, Node *t)
{
    if (t->kind == TYPE_VEC) return t->op[1];
    for (uint32_t i = 0; i < t->nops; i++)
        if (type_has_vector(t->op[i])) t = node_with_op(cx, t, (int)i, type_of_lane(cx, t->op[i]));
    return t;
}

bool type_has_array(Node *t)
{
    if (t->kind == TYPE_ARRAY) return true;
    if (t->kind != TYPE_TUPLE && t->kind != TYPE_STRUCT) return false;
    for (uint32_t i = 0; i < t->nops; i++)
        if (type_has_array(t->op[i])) return true;
    return false;
}

bool type_is_unit(Node *t)
{
    return t->kind == TYPE_TUPLE && t->nops == 0;
}

bool type_is_up_to(Node *t)
{
    return t->kind == TYPE_STRUCT && strcmp(t->attr.sym->text, "prelude.UpTo") == 0;
}

bool type_is_enum(Node *t)
{
    return t->kind == TYPE_STRUCT && t->names && t->nops > 0 && strcmp(t->names[0]->text, "#") == 0;
}

bool type_is_atom(Node *t)
{
    return t->kind == TYPE_SCALAR || t->kind == TYPE_IDX;
}

bool type_is_value(Node *t)
{
    return type_is_atom(t) || t->kind == TYPE_VEC;
}

Node *type_result(Node *fun)
{
    return fun->op[fun->nops - 1];
}

Node *type_param(Node *fun, int k)
{
    return fun->op[k];
}

int type_nparams(Node *fun)
{
    return (int)fun->nops - 1;
}

Node *type_strip_arrays(Node *t, Node **dims, int max, int *rank)
{
    int n = 0;
    for (; t->kind == TYPE_ARRAY; t = t->op[1], n++)
        if (n < max) dims[n] = t->op[0];
    if (rank) *rank = n;
    return t;
}

Node *type_elements(Node *t)
{
    return type_strip_arrays(t, NULL, 0, NULL);
}

int type_rank(Node *t)
{
    int rank;
    type_strip_arrays(t, NULL, 0, &rank);
    return rank;
}
