// Typing rules for operations on vectors and across their lanes (VecImp, Leissa's thesis, 4.2.2).
#include "core/ir/internal.h"

static bool is_vector(Rule *r, int k)
{
    if (rule_type_of(r, k)->kind == TYPE_VEC) return true;
    rule_misfit(r, k, "a vector");
    return false;
}

static bool is_mask(Rule *r, int k)
{
    if (!is_vector(r, k)) return false;
    if (rule_agree(r, rule_type_of(r, k)->op[1], type_scalar(r->cx, SCALAR_BOOL))) return true;
    rule_misfit(r, k, "a vector of bools");
    return false;
}

// blend : (vec[L]bool, vec[L]t, vec[L]t) -> vec[L]t
static Node *blend_type(Rule *r)
{
    if (!is_mask(r, 0) || !is_vector(r, 1)) return NULL;
    Node *t = rule_type_of(r, 1);
    if (!rule_agree(r, t->op[0], rule_type_of(r, 0)->op[0]))
        return rule_misfit(r, 1, "as long as the conditions");
    return rule_has_type(r, 2, t) ? t : NULL;
}

// extract : (vec[L]t, idx[L]) -> t; insert : (vec[L]t, idx[L], t) -> vec[L]t
static Node *lane_type(Rule *r)
{
    if (!is_vector(r, 0) || !rule_has_type(r, 1, type_idx(r->cx, rule_type_of(r, 0)->op[0])))
        return NULL;
    Node *t = rule_type_of(r, 0);
    if (r->s->kind == CORE_EXTRACT) return t->op[1];
    return rule_has_type(r, 2, t->op[1]) ? t : NULL;
}

// shuffle : (vec[L]t, vec[L]i64) -> vec[L]t
static Node *shuffle_type(Rule *r)
{
    if (!is_vector(r, 0)) return NULL;
    Node *t = rule_type_of(r, 0);
    return rule_has_type(r, 1, type_varying(r->cx, t->op[0], type_scalar(r->cx, SCALAR_I64)))
               ? t
               : NULL;
}

// compress, expand : (vec[L]t, vec[L]bool) -> vec[L]t
static Node *masked_type(Rule *r)
{
    if (!is_vector(r, 0) || !is_mask(r, 1)) return NULL;
    Node *t = rule_type_of(r, 0);
    return rule_agree(r, t->op[0], rule_type_of(r, 1)->op[0])
               ? t
               : rule_misfit(r, 1, "as long as the vector");
}

Node *rule_lanes(Rule *r)
{
    switch (r->s->kind) {
    case CORE_LANES: return type_varying(r->cx, r->s->ops[0], type_scalar(r->cx, SCALAR_I64));
    case CORE_BLEND: return blend_type(r);
    case CORE_EXTRACT:
    case CORE_INSERT: return lane_type(r);
    case CORE_SHUFFLE: return shuffle_type(r);
    case CORE_COUNT: return is_mask(r, 0) ? type_scalar(r->cx, SCALAR_I64) : NULL;
    case CORE_MASK_BITS: return is_mask(r, 0) ? type_scalar(r->cx, SCALAR_U64) : NULL;
    case CORE_COMPRESS:
    case CORE_EXPAND: return masked_type(r);
    default: return is_mask(r, 0) ? type_scalar(r->cx, SCALAR_BOOL) : NULL; // any, all
    }
}
