// Typing rules for patterns. Those for views are in the rows of the view table (views.h).
#include "core/ir/internal.h"
#include "views/views.h"

// Whether a pattern has n operands, plus a lane count if its variant needs one; if not, the rule
// fails.
static bool has_operands(Rule *r, int n)
{
    if (r->s->nops == variant_operands(r->s->variant, n)) return true;
    rule_fail(r, "%s takes %d operands, not %d", kind_info[r->s->kind].text,
              variant_operands(r->s->variant, n), r->s->nops);
    return false;
}

// map : (s -> t, [n]s) -> [n]t
static Node *map_type(Rule *r)
{
    Node *result;
    if (!has_operands(r, 2) || !rule_is_array(r, 1)) return NULL;
    Node *xs = rule_type_of(r, 1);
    return rule_is_function(r, 0, 1, (Node *[]){xs->op[1]}, &result)
               ? type_array(r->cx, xs->op[0], result)
               : NULL;
}

// reduce : ((t, t) -> t, t, [n]t) -> t; fold : ((t, s) -> t, t, [n]s) -> t;
// scan, scan_ex : ((t, t) -> t, t, [n]t) -> [n]t
static Node *reduce_type(Rule *r)
{
    if (!has_operands(r, 3) || !rule_is_array(r, 2)) return NULL;
    Node *z = rule_type_of(r, 1), *xs = rule_type_of(r, 2);
    if (r->s->kind != CORE_FOLD && !rule_agree(r, xs->op[1], z))
        return rule_misfit(r, 2, "an array of the neutral element's type");
    if (!rule_is_function_to(r, 0, 2, (Node *[]){z, xs->op[1]}, z)) return NULL;
    bool scan = r->s->kind == CORE_SCAN || r->s->kind == CORE_SCAN_EX;
    return scan ? type_array(r->cx, xs->op[0], z) : z;
}

// iterate[k] : (t -> t, t) -> t
static Node *iterate_type(Rule *r)
{
    Node *x = rule_type_of(r, 2);
    return rule_is_function_to(r, 1, 1, (Node *[]){x}, x) ? x : NULL;
}

// generate(n) : (idx[n] -> t) -> [n]t
static Node *generate_type(Rule *r)
{
    Node *result;
    if (!has_operands(r, 2)) return NULL;
    if (!rule_is_function(r, 1, 1, (Node *[]){type_idx(r->cx, r->s->ops[0])}, &result)) return NULL;
    return type_array(r->cx, r->s->ops[0], result);
}

// at : ([n]t, idx[n]) -> t
static Node *index_type(Rule *r)
{
    if (!rule_is_array(r, 0) || !rule_has_type(r, 1, type_idx(r->cx, rule_type_of(r, 0)->op[0])))
        return NULL;
    return rule_type_of(r, 0)->op[1];
}

// scatter : ([n]idx[m], [n]t) -> [m]t; scatter_with : ((t, t) -> t, t, [n]idx[m], [n]t) -> [m]t
static Node *scatter_type(Rule *r)
{
    int k = r->s->kind == CORE_SCATTER_WITH ? 2 : 0;
    if (!rule_is_indices(r, k) || !rule_is_array(r, k + 1)) return NULL;
    Node *idx = rule_type_of(r, k), *t = rule_type_of(r, k + 1)->op[1];
    if (!rule_has_type(r, k + 1, type_array(r->cx, idx->op[0], t))) return NULL;
    if (k && (!rule_has_type(r, 1, t) || !rule_is_function_to(r, 0, 2, (Node *[]){t, t}, t)))
        return NULL;
    return type_array(r->cx, idx->op[1]->op[0], t);
}

Node *rule_pattern(Rule *r)
{
    if (kind_is_view(r->s->kind)) return view_row(r->s->kind)->type(r);
    switch (r->s->kind) {
    case CORE_INDEX: return index_type(r);
    case CORE_MAP: return map_type(r);
    case CORE_REDUCE:
    case CORE_FOLD:
    case CORE_SCAN:
    case CORE_SCAN_EX: return reduce_type(r);
    case CORE_ITERATE: return iterate_type(r);
    case CORE_GENERATE: return generate_type(r);
    case CORE_SCATTER:
    case CORE_SCATTER_WITH: return scatter_type(r);
    case CORE_TO_MEM:
        return has_operands(r, 1) ? rule_type_of(r, 0) : NULL; // to_mem does not affect the type
    case CORE_COPY: return rule_type_of(r, 0);
    default: return rule_fail(r, "%s has no typing rule in Core", kind_info[r->s->kind].text);
    }
}
