// Converts arrays, and values of other types [?m]t, to a type [?n]t.
#include "infer/terms/terms.h"

// Builds UpTo { count: k, elements: value ++ undefined } for an array of k elements. From a [?m]t,
// takes its count and all its m elements. The elements after those remain unwritten.
Node *elab_up_to(Elab *x, Node *value, Node *type)
{
    Session *cx = x->cx;
    Sym name = session_sym(cx, "xs");
    Node *v = core_var(cx, 0, value->type), *index = type->op[0], *all = type->op[1], *from = v;
    if (value->type->kind != TYPE_ARRAY) from = core_proj(cx, v, 1);
    Node *k = from->type->op[0], *rest = nat_sub(cx, all->op[0], k), *count;
    if (value->type->kind == TYPE_ARRAY)
        count = node_make(cx, &(NodeSpec){.kind = CORE_NAT, .type = index, .nops = 1, .ops = &k});
    else
        count = core_cast(cx, core_proj(cx, v, 0), index);
    Node *unknown = type_array(cx, rest, all->op[1]);
    Node *undefined =
        node_with_variant(cx, core_pattern(cx, CORE_UNDEFINED, 0, 1, &unknown), VARIANT_UNCHECKED);
    Node *whole = core_pattern(cx, VIEW_CONCAT, 0, 2, (Node *[]){from, undefined});
    if (rest->kind == NAT_CONST && rest->attr.i == 0) whole = from;
    Node *parts[2] = {count, whole};
    return core_let(cx, name, value, core_tuple(cx, 2, parts, type));
}
