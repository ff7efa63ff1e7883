// Typing rules of vectors: what makes them, takes them apart, and looks across their lanes (VecImp,
// Leissa's thesis, 4.2.2).
#include "core/internal.h"

static Node *type_of(Rule *r, int k)
{
    return r->s->ops[k]->type;
}

static Node *misfit(Rule *r, int k, const char *wanted)
{
    return rule_fail(r, "operand %d of %s is %s, not %s", k, kind_info[r->s->kind].text,
                     type_show(r->cx, type_of(r, k)), wanted);
}

static bool is_vector(Rule *r, int k)
{
    if (type_of(r, k)->kind == TYPE_VEC) return true;
    misfit(r, k, "a vector");
    return false;
}

static bool is_mask(Rule *r, int k)
{
    if (!is_vector(r, k)) return false;
    if (rule_agree(r, type_of(r, k)->op[1], type_scalar(r->cx, SCALAR_BOOL))) return true;
    misfit(r, k, "a vector of bools");
    return false;
}

static bool has_type(Rule *r, int k, Node *t)
{
    if (rule_agree(r, type_of(r, k), t)) return true;
    misfit(r, k, type_show(r->cx, t));
    return false;
}

// blend : (vec[L]bool, vec[L]t, vec[L]t) -> vec[L]t
static Node *blend_type(Rule *r)
{
    if (!is_mask(r, 0) || !is_vector(r, 1)) return NULL;
    Node *t = type_of(r, 1);
    if (!rule_agree(r, t->op[0], type_of(r, 0)->op[0]))
        return misfit(r, 1, "as long as the conditions");
    return has_type(r, 2, t) ? t : NULL;
}

// extract : (vec[L]t, idx[L]) -> t; insert : (vec[L]t, idx[L], t) -> vec[L]t
static Node *lane_type(Rule *r)
{
    if (!is_vector(r, 0) || !has_type(r, 1, type_idx(r->cx, type_of(r, 0)->op[0]))) return NULL;
    Node *t = type_of(r, 0);
    if (r->s->kind == CORE_EXTRACT) return t->op[1];
    return has_type(r, 2, t->op[1]) ? t : NULL;
}

// shuffle : (vec[L]t, vec[L]i64) -> vec[L]t
static Node *shuffle_type(Rule *r)
{
    if (!is_vector(r, 0)) return NULL;
    Node *t = type_of(r, 0);
    return has_type(r, 1, type_varying(r->cx, t->op[0], type_scalar(r->cx, SCALAR_I64))) ? t : NULL;
}

// compress, expand : (vec[L]t, vec[L]bool) -> vec[L]t
static Node *masked_type(Rule *r)
{
    if (!is_vector(r, 0) || !is_mask(r, 1)) return NULL;
    Node *t = type_of(r, 0);
    return rule_agree(r, t->op[0], type_of(r, 1)->op[0]) ? t
                                                         : misfit(r, 1, "as long as the vector");
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
    case CORE_COMPRESS:
    case CORE_EXPAND: return masked_type(r);
    default: return is_mask(r, 0) ? type_scalar(r->cx, SCALAR_BOOL) : NULL; // any, all
    }
}
