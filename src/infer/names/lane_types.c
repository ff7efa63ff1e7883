// Types with one value per lane. A tuple, struct or array of vectors holds one tuple, struct or
// array for each lane. Members that are already vectors keep their type (Sierra's structs of
// vectors: Leissa's thesis, 3.2). An enum that differs by lane has a vector of option numbers, so
// that each lane has its own option. An enum that merely contains vectors has the same option in
// all lanes.
#include "infer/names/names.h"

bool infer_has_uniform(Node *t)
{
    if (t->kind == TYPE_VEC || t->kind == TYPE_NEVER) return false;
    if (t->kind == TYPE_ARRAY) return infer_has_uniform(t->op[1]);
    if (t->kind != TYPE_TUPLE && t->kind != TYPE_STRUCT) return true;
    for (uint32_t i = 0; i < t->nops; i++)
        if (infer_has_uniform(t->op[i])) return true;
    return false;
}

bool infer_is_compound(const Node *t)
{
    return t->kind == TYPE_TUPLE || t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY;
}

static bool is_uniform(const Ast *type)
{
    return type && type->kind == AST_TYPE_UNIFORM;
}

const Symbol *infer_struct_symbol(Infer *in, const Node *t)
{
    return t->kind == TYPE_STRUCT ? map_get(&in->structs, MAP_KEY(t->attr.sym)) : NULL;
}

// Whether member i is declared uniform, so that it remains one value for all lanes.
static bool stays(Infer *in, Node *t, uint32_t i)
{
    const Symbol *y = infer_struct_symbol(in, t);
    if (!y || y->kind != SYMBOL_STRUCT || (int)i >= y->item->params.len) return false;
    return is_uniform(y->item->params.at[i].type);
}

bool infer_part_stays(const Symbol *y, int option, int part)
{
    bool exists = y && y->kind == SYMBOL_ENUM && option >= 0 && option < y->item->options.len;
    return exists && is_uniform(y->item->options.at[option].types.at[part]);
}

typedef struct {
    Infer *in;
    Node *lanes;
    bool (*is_lane)(void *env, Node *t);
    void *env;
    bool rest; // types that cannot become vectors stay unchanged
} ToLanes;

static Node *to_lanes(const ToLanes *l, Node *t);

// Converts the payload of an option, component i of the enum, to vectors. Returns NULL if that is
// not possible.
static Node *option_to_lanes(const ToLanes *l, const Symbol *y, Node *t, uint32_t i)
{
    for (uint32_t k = 0; k < t->nops; k++) {
        if (infer_part_stays(y, (int)i - 1, (int)k)) continue;
        Node *part = to_lanes(l, t->op[k]);
        if (!part) return NULL;
        if (part != t->op[k]) t = node_with_op(l->in->cx, t, (int)k, part);
    }
    return t;
}

static Node *to_lanes(const ToLanes *l, Node *t)
{
    const Symbol *y = infer_struct_symbol(l->in, t);
    if (t->kind == TYPE_VEC || t->kind == TYPE_ERROR) return t;
    if (l->is_lane(l->env, t)) return type_varying(l->in->cx, l->lanes, t);
    if (!infer_is_compound(t)) return l->rest ? t : NULL;
    for (uint32_t i = t->kind == TYPE_ARRAY; i < t->nops; i++) {
        if (stays(l->in, t, i)) continue;
        bool option = y && y->kind == SYMBOL_ENUM && i > 0;
        Node *part = option ? option_to_lanes(l, y, t->op[i], i) : to_lanes(l, t->op[i]);
        if (!part) return NULL;
        if (part != t->op[i]) t = node_with_op(l->in->cx, t, (int)i, part);
    }
    return t;
}

Node *infer_in_lanes(Infer *in, Node *t, Node *lanes, bool rest,
                     bool (*is_lane)(void *env, Node *t), void *env)
{
    return to_lanes(&(ToLanes){in, lanes, is_lane, env, rest}, t);
}
