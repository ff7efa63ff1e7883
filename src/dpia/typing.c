// Typing rules of DPIA. Expressions over memory have the rules of Core; an acceptor has the type of
// what may be written there.
#include "dpia/dpia.h"

static Node *wrong(Session *cx, const NodeSpec *s, const char **why)
{
    const char *on = s->nops ? type_show(cx, s->ops[s->nops - 1]->type) : "nothing";
    *why = arena_printf(cx->arena, "%s does not apply to %s", kind_info[s->kind].text, on);
    return NULL;
}

static bool is_array(Node *t)
{
    return t->kind == TYPE_ARRAY;
}

static bool has_lanes(Node *t)
{
    return t->kind == TYPE_VEC;
}

static bool is_aggregate(Node *t)
{
    return t->kind == TYPE_TUPLE || t->kind == TYPE_STRUCT;
}

// d : ([n]s, [n]t), seen as [n](s, t)
static Node *unzip_type(Session *cx, const NodeSpec *s, Node *d, const char **why)
{
    Node **parts = ARENA_ARRAY(cx->arena, Node *, d->nops);
    if (!is_aggregate(d) || d->nops == 0) return wrong(cx, s, why);
    for (uint32_t i = 0; i < d->nops; i++) {
        if (!is_array(d->op[i])) return wrong(cx, s, why);
        parts[i] = d->op[i]->op[1];
    }
    return type_array(cx, d->op[0]->op[0], type_tuple(cx, (int)d->nops, parts));
}

// The type does not follow from the operands: it is given, an array of arrays that d is the join
// of, or what d is a slice of.
static Node *given_type(Session *cx, const NodeSpec *s, Node *d, const char **why)
{
    Node *t = s->type, *element = NULL;
    if (!t) {
        *why = arena_printf(cx->arena, "%s needs a type", kind_info[s->kind].text);
        return NULL;
    }
    bool rows =
        is_array(t) && (s->kind == ACC_JOIN ? is_array(t->op[1])
                                            : s->kind == ACC_AS_SCALAR && has_lanes(t->op[1]));
    if (is_array(t)) element = rows ? t->op[1]->op[1] : t->op[1];
    return is_array(d) && element ? t : wrong(cx, s, why);
}

// A tuple, or a struct of these components.
static Node *tuple_type(Session *cx, const NodeSpec *s, const char **why)
{
    Node **parts = ARENA_ARRAY(cx->arena, Node *, s->nops + 1);
    for (int i = 0; i < s->nops; i++) parts[i] = s->ops[i]->type;
    if (!s->type || s->type->kind != TYPE_STRUCT) return type_tuple(cx, s->nops, parts);
    return (int)s->type->nops == s->nops ? s->type : wrong(cx, s, why);
}

static Node *acceptor_type(Session *cx, const NodeSpec *s, const char **why)
{
    if (s->kind == ACC_NONE) {
        if (!s->type) *why = "nowhere needs a type";
        return s->type;
    }
    if (s->kind == ACC_TUPLE) return tuple_type(cx, s, why);
    Node *d = s->ops[s->nops - 1]->type;
    if (s->kind == ACC_AT) d = s->ops[0]->type;
    if (!d) return wrong(cx, s, why);
    bool array = is_array(d), rows = array && is_array(d->op[1]),
         vectors = array && has_lanes(d->op[1]);
    switch (s->kind) {
    case ACC_AT:
        return (array || has_lanes(d)) && s->ops[1]->type->kind == TYPE_IDX ? d->op[1]
                                                                            : wrong(cx, s, why);
    case ACC_PROJ:
        return is_aggregate(d) && (uint64_t)s->attr.i < d->nops ? d->op[s->attr.i]
                                                                : wrong(cx, s, why);
    case ACC_ZIP:
        if (!array || !is_aggregate(d->op[1]) || (uint64_t)s->attr.i >= d->op[1]->nops)
            return wrong(cx, s, why);
        return type_array(cx, d->op[0], d->op[1]->op[s->attr.i]);
    case ACC_UNZIP: return unzip_type(cx, s, d, why);
    case ACC_SPLIT:
        if (!rows) return wrong(cx, s, why);
        return type_array(cx, nat_mul(cx, d->op[0], d->op[1]->op[0]), d->op[1]->op[1]);
    case ACC_TRANSPOSE:
        if (!rows) return wrong(cx, s, why);
        return type_array(cx, d->op[1]->op[0], type_array(cx, d->op[0], d->op[1]->op[1]));
    case ACC_AS_VECTOR:
        if (!vectors) return wrong(cx, s, why);
        return type_array(cx, nat_mul(cx, d->op[0], d->op[1]->op[0]), d->op[1]->op[1]);
    case ACC_JOIN:
    case ACC_AS_SCALAR:
    case ACC_SLICE: return given_type(cx, s, d, why);
    case ACC_ELEMENT: {
        Node *idx = s->ops[0]->type;
        return idx->kind == TYPE_IDX ? type_array(cx, idx->op[0], d) : wrong(cx, s, why);
    }
    case ACC_MAP: return type_array(cx, s->ops[0], d);
    case ACC_PART: return array ? type_array(cx, s->ops[1], d->op[1]) : wrong(cx, s, why);
    case ACC_SCATTER: {
        Node *idx = s->ops[0]->type;
        bool fits = array && is_array(idx) && idx->op[1]->kind == TYPE_IDX;
        return fits ? type_array(cx, idx->op[0], d->op[1]) : wrong(cx, s, why);
    }
    default: return array ? d : wrong(cx, s, why); // reverse, rotate
    }
}

Node *dpia_type_rule(Session *cx, const NodeSpec *s, const char **why)
{
    if (s->kind >= COM_SKIP && s->kind <= COM_CALL) return NULL;
    if (s->kind == PH_VAR || s->kind == ACC_VAR) {
        if (!s->type) *why = "a variable needs a type";
        return s->type;
    }
    if (s->kind == PH_SELECT)
        return s->nops == 3 && s->ops[1]->type ? s->ops[1]->type : wrong(cx, s, why);
    if (s->kind >= ACC_AT && s->kind <= ACC_SCATTER) return acceptor_type(cx, s, why);
    return core_type_rule(cx, s, false, why);
}
