// Arrays as values of the type [?n]t.
#include "infer/terms/terms.h"

// Builds { let all = cell(undefined); all[0..k] = array; UpTo { count: k, elements: all } }.
Node *elab_up_to(Elab *x, Node *array, Node *type)
{
    Session *cx = x->cx;
    Node *k = array->type->op[0], *bound = type->op[0]->op[0], *all = type->op[1];
    Node *undefined = core_pattern(cx, CORE_UNDEFINED, 0, 1, &all);
    Node *cell = core_var(cx, 0, type_ref(cx, all, true, SPACE_GENERIC));
    Node *whole =
        core_set(cx, core_ref_slice(cx, nat_const(cx, 0), k, cell), core_var(cx, 1, array->type));
    Node *count = node_make(
        cx, &(NodeSpec){.kind = CORE_NAT, .type = type_idx(cx, bound), .nops = 1, .ops = &k});
    Node *parts[2] = {count, core_get(cx, cell)};
    Node *body = core_seq(cx, whole, core_tuple(cx, 2, parts, type));
    body = core_let(cx, session_sym(cx, "all"), core_new(cx, undefined), body);
    return core_let(cx, session_sym(cx, "xs"), array, body);
}
