// The typing rules of DPIA. Expressions over memory follow the rules of Core. An acceptor has the
// type of the values that can be written to it.
#include "dpia/ir/dpia.h"
#include "views/views.h"

static Node *wrong(Session *cx, const NodeSpec *s, const char **why)
{
    const char *on = s->nops ? type_show(cx, s->ops[s->nops - 1]->type) : "nothing";
    *why = arena_printf(cx->arena, "%s does not apply to %s", kind_info[s->kind].text, on);
    return NULL;
}

// The type of the view operand that is written through the view. This operand must be a hole.
static Node *put_type(Session *cx, const NodeSpec *s, const char **why)
{
    Node *view = s->ops[0];
    bool fits = view_row((Kind)view->kind) && s->attr.i >= 0 && s->attr.i < (int64_t)view->nops &&
                view->op[s->attr.i]->kind == PH_HOLE;
    return fits ? view->op[s->attr.i]->type : wrong(cx, s, why);
}

// The type of a tuple, or of a struct with these components.
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
    bool array = d->kind == TYPE_ARRAY, aggregate = d->kind == TYPE_TUPLE || d->kind == TYPE_STRUCT;
    switch (s->kind) {
    case ACC_AT:
        return type_has_elements(d) && s->ops[1]->type->kind == TYPE_IDX ? d->op[1]
                                                                         : wrong(cx, s, why);
    case ACC_PROJ:
        return aggregate && (uint64_t)s->attr.i < d->nops ? d->op[s->attr.i] : wrong(cx, s, why);
    case ACC_PUT: return put_type(cx, s, why);
    case ACC_ELEMENT: {
        Node *idx = s->ops[0]->type;
        return idx->kind == TYPE_IDX ? type_array(cx, idx->op[0], d) : wrong(cx, s, why);
    }
    case ACC_MAP: return type_array(cx, s->ops[0], d);
    case ACC_PART: return array ? type_array(cx, s->ops[1], d->op[1]) : wrong(cx, s, why);
    default: return wrong(cx, s, why);
    }
}

Node *dpia_type_rule(Session *cx, const NodeSpec *s, const char **why)
{
    if (s->kind >= COM_SKIP && s->kind <= COM_CALL) return NULL;
    if (s->kind == PH_VAR || s->kind == PH_HOLE || s->kind == ACC_VAR) {
        if (!s->type) *why = "a variable needs a type";
        return s->type;
    }
    if (s->kind == PH_SELECT)
        return s->nops == 3 && s->ops[1]->type ? s->ops[1]->type : wrong(cx, s, why);
    if (s->kind >= ACC_AT && s->kind <= ACC_MAP) return acceptor_type(cx, s, why);
    return core_type_rule(cx, s, false, why);
}
