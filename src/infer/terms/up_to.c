// Arrays as values of the type [?n]t.
#include "infer/terms/terms.h"

// Builds { let all = cell(undefined); all[0..k] = array; UpTo { count: k, elements: all } }. From a
// [?m]t, all m elements are taken, and its count.
Node *elab_up_to(Elab *x, Node *value, Node *type)
{
    Session *cx = x->cx;
    bool array = value->type->kind == TYPE_ARRAY;
    Node *v = core_var(cx, 1, value->type), *from = array ? v : core_proj(cx, v, 1);
    Node *k = from->type->op[0], *index = type->op[0], *all = type->op[1];
    Node *count =
        array ? node_make(cx, &(NodeSpec){.kind = CORE_NAT, .type = index, .nops = 1, .ops = &k})
              : core_cast(cx, core_proj(cx, v, 0), index);
    Node *undefined = core_pattern(cx, CORE_UNDEFINED, 0, 1, &all);
    Node *cell = core_var(cx, 0, type_ref(cx, all, true, SPACE_GENERIC));
    Node *whole = core_set(cx, core_ref_slice(cx, nat_const(cx, 0), k, cell), from);
    Node *parts[2] = {count, core_get(cx, cell)};
    Node *body = core_seq(cx, whole, core_tuple(cx, 2, parts, type));
    body = core_let(cx, session_sym(cx, "all"), core_new(cx, undefined), body);
    return core_let(cx, session_sym(cx, "xs"), value, body);
}
