// Typing rules of patterns and views (views as in the table of views.h).
#include "core/internal.h"

// The type of operand k.
static Node *type_of(Rule *r, int k)
{
    return r->s->ops[k]->type;
}

static Node *op(Rule *r, int k)
{
    return r->s->ops[k];
}

static Node *misfit(Rule *r, int k, const char *wanted)
{
    return rule_fail(r, "operand %d of %s is %s, not %s", k, kind_info[r->s->kind].text,
                     type_show(r->cx, type_of(r, k)), wanted);
}

// Whether operand k has this type; otherwise the rule fails.
static bool has_type(Rule *r, int k, Node *t)
{
    if (rule_agree(r, type_of(r, k), t)) return true;
    misfit(r, k, type_show(r->cx, t));
    return false;
}

static bool is_array(Rule *r, int k)
{
    if (type_of(r, k)->kind == TYPE_ARRAY) return true;
    misfit(r, k, "an array");
    return false;
}

// Whether operand k is a function from these types; then *result is what it gives.
static bool is_function(Rule *r, int k, int nparams, Node *const *params, Node **result)
{
    Node *f = type_of(r, k);
    bool fits = f->kind == TYPE_FUN && type_nparams(f) == nparams;
    for (int i = 0; fits && i < nparams; i++) fits = rule_agree(r, type_param(f, i), params[i]);
    if (fits) {
        *result = type_result(f);
        return true;
    }
    Node *wanted =
        type_fun(r->cx, nparams, params, f->kind == TYPE_FUN ? type_result(f) : type_error(r->cx));
    misfit(r, k, type_show(r->cx, wanted));
    return false;
}

// Whether operand k is a function from these types to `result`.
static bool is_function_to(Rule *r, int k, int nparams, Node *const *params, Node *result)
{
    Node *gives;
    if (!is_function(r, k, nparams, params, &gives)) return false;
    if (rule_agree(r, gives, result)) return true;
    misfit(r, k, type_show(r->cx, type_fun(r->cx, nparams, params, result)));
    return false;
}

static Node *array(Rule *r, Node *n, Node *element)
{
    return type_array(r->cx, n, element);
}

// Whether a pattern that takes n operands has these, and lanes where its variant wants them.
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
    if (!has_operands(r, 2) || !is_array(r, 1)) return NULL;
    Node *xs = type_of(r, 1);
    return is_function(r, 0, 1, (Node *[]){xs->op[1]}, &result) ? array(r, xs->op[0], result)
                                                                : NULL;
}

// reduce : ((t, t) -> t, t, [n]t) -> t; fold : ((t, s) -> t, t, [n]s) -> t; scan as reduce, but
// [n]t
static Node *reduce_type(Rule *r)
{
    if (!has_operands(r, 3) || !is_array(r, 2)) return NULL;
    Node *z = type_of(r, 1), *xs = type_of(r, 2);
    if (r->s->kind != CORE_FOLD && !rule_agree(r, xs->op[1], z))
        return misfit(r, 2, "an array of the neutral element's type");
    if (!is_function_to(r, 0, 2, (Node *[]){z, xs->op[1]}, z)) return NULL;
    bool scan = r->s->kind == CORE_SCAN || r->s->kind == CORE_SCAN_EX;
    return scan ? array(r, xs->op[0], z) : z;
}

// iterate[k] : (t -> t, t) -> t
static Node *iterate_type(Rule *r)
{
    Node *x = type_of(r, 2);
    return is_function_to(r, 1, 1, (Node *[]){x}, x) ? x : NULL;
}

// generate(n) : (idx[n] -> t) -> [n]t
static Node *generate_type(Rule *r)
{
    Node *result;
    if (!has_operands(r, 2)) return NULL;
    if (!is_function(r, 1, 1, (Node *[]){type_idx(r->cx, op(r, 0))}, &result)) return NULL;
    return array(r, op(r, 0), result);
}

// zip : ([n]t1, ..., [n]tk) -> [n](t1, ..., tk), k >= 2
static Node *zip_type(Rule *r)
{
    int k = r->s->nops;
    if (k < 2) return rule_fail(r, "zip takes two or more arrays");
    Node **parts = ARENA_ARRAY(r->cx->arena, Node *, k);
    for (int i = 0; i < k; i++) {
        if (!is_array(r, i)) return NULL;
        parts[i] = type_of(r, i)->op[1];
        if (!has_type(r, i, array(r, type_of(r, 0)->op[0], parts[i]))) return NULL;
    }
    return array(r, type_of(r, 0)->op[0], type_tuple(r->cx, k, parts));
}

// unzip : [n](t1, ..., tk) -> ([n]t1, ..., [n]tk)
static Node *unzip_type(Rule *r)
{
    if (!is_array(r, 0)) return NULL;
    Node *n = type_of(r, 0)->op[0], *t = type_of(r, 0)->op[1];
    if (t->kind != TYPE_TUPLE && t->kind != TYPE_STRUCT) return misfit(r, 0, "an array of tuples");
    Node **parts = ARENA_ARRAY(r->cx->arena, Node *, t->nops + 1);
    for (uint32_t i = 0; i < t->nops; i++) parts[i] = array(r, n, t->op[i]);
    return type_tuple(r->cx, (int)t->nops, parts);
}

// split[m] : [k]t -> [k/m][m]t
static Node *split_type(Rule *r)
{
    if (!is_array(r, 1)) return NULL;
    Node *m = op(r, 0), *xs = type_of(r, 1);
    return array(r, nat_div(r->cx, xs->op[0], m), array(r, m, xs->op[1]));
}

// as_vector[L] : [k]t -> [k/L]vec[L]t
static Node *as_vector_type(Rule *r)
{
    if (!is_array(r, 1)) return NULL;
    Node *lanes = op(r, 0), *xs = type_of(r, 1);
    if (xs->op[1]->kind == TYPE_ARRAY || xs->op[1]->kind == TYPE_VEC)
        return misfit(r, 1, "an array of scalars");
    return array(r, nat_div(r->cx, xs->op[0], lanes), type_varying(r->cx, lanes, xs->op[1]));
}

// as_scalar : [n]vec[L]t -> [n*L]t
static Node *as_scalar_type(Rule *r)
{
    if (!is_array(r, 0)) return NULL;
    Node *n = type_of(r, 0)->op[0], *vector = type_of(r, 0)->op[1];
    if (vector->kind != TYPE_VEC) return misfit(r, 0, "an array of vectors");
    return array(r, nat_mul(r->cx, n, vector->op[0]), vector->op[1]);
}

// join : [n][m]t -> [n*m]t; transpose : [n][m]t -> [m][n]t
static Node *matrix_type(Rule *r)
{
    if (!is_array(r, 0)) return NULL;
    Node *n = type_of(r, 0)->op[0], *row = type_of(r, 0)->op[1];
    if (row->kind != TYPE_ARRAY) return misfit(r, 0, "an array of arrays");
    Node *m = row->op[0], *t = row->op[1];
    if (r->s->kind == VIEW_JOIN) return array(r, nat_mul(r->cx, n, m), t);
    return array(r, m, array(r, n, t));
}

// slide[size, step] : [n]t -> [(n - size + step)/step][size]t
static Node *slide_type(Rule *r)
{
    if (!is_array(r, 2)) return NULL;
    Node *size = op(r, 0), *step = op(r, 1), *xs = type_of(r, 2);
    Node *last = nat_add(r->cx, nat_sub(r->cx, xs->op[0], size), step);
    return array(r, nat_div(r->cx, last, step), array(r, size, xs->op[1]));
}

// pad[l, r](mode, xs) : [n]t -> [l + n + r]t; the mode `const` has a value of type t
static Node *pad_type(Rule *r)
{
    bool with_value = r->s->attr.i == PAD_CONST;
    int last = with_value ? 3 : 2;
    if (r->s->nops != last + 1) return rule_fail(r, "pad takes %d operands", last + 1);
    if (!is_array(r, last)) return NULL;
    Node *xs = type_of(r, last);
    if (with_value && !has_type(r, 2, xs->op[1])) return NULL;
    return array(r, nat_add(r->cx, nat_add(r->cx, op(r, 0), xs->op[0]), op(r, 1)), xs->op[1]);
}

// concat : ([n]t, [m]t) -> [n + m]t
static Node *concat_type(Rule *r)
{
    if (!is_array(r, 0) || !is_array(r, 1)) return NULL;
    Node *a = type_of(r, 0), *b = type_of(r, 1);
    if (!rule_agree(r, a->op[1], b->op[1]))
        return rule_fail(r, "concat of %s and %s", type_show(r->cx, a), type_show(r->cx, b));
    return array(r, nat_add(r->cx, a->op[0], b->op[0]), a->op[1]);
}

// slice[offset, length] : [n]t -> [length]t
static Node *slice_type(Rule *r)
{
    return is_array(r, 2) ? array(r, op(r, 1), type_of(r, 2)->op[1]) : NULL;
}

// rotate : (i64, [n]t) -> [n]t
static Node *rotate_type(Rule *r)
{
    if (!has_type(r, 0, type_scalar(r->cx, SCALAR_I64)) || !is_array(r, 1)) return NULL;
    return type_of(r, 1);
}

// at : ([n]t, idx[n]) -> t
static Node *index_type(Rule *r)
{
    if (!is_array(r, 0) || !has_type(r, 1, type_idx(r->cx, type_of(r, 0)->op[0]))) return NULL;
    return type_of(r, 0)->op[1];
}

// Whether operand k is an array of indices [n]idx[m].
static bool is_indices(Rule *r, int k)
{
    Node *t = type_of(r, k);
    if (t->kind == TYPE_ARRAY && t->op[1]->kind == TYPE_IDX) return true;
    misfit(r, k, "an array of indices");
    return false;
}

// gather : ([n]idx[m], [m]t) -> [n]t
static Node *gather_type(Rule *r)
{
    if (!is_indices(r, 0) || !is_array(r, 1)) return NULL;
    Node *idx = type_of(r, 0), *t = type_of(r, 1)->op[1];
    return has_type(r, 1, array(r, idx->op[1]->op[0], t)) ? array(r, idx->op[0], t) : NULL;
}

// permute : (idx[n] -> idx[n], its inverse, [n]t) -> [n]t
static Node *permute_type(Rule *r)
{
    if (!is_array(r, 2)) return NULL;
    Node *i = type_idx(r->cx, type_of(r, 2)->op[0]);
    for (int k = 0; k < 2; k++)
        if (!is_function_to(r, k, 1, &i, i)) return NULL;
    return type_of(r, 2);
}

// scatter : ([n]idx[m], [n]t) -> [m]t; scatter_with : ((t, t) -> t, t, [n]idx[m], [n]t) -> [m]t
static Node *scatter_type(Rule *r)
{
    int k = r->s->kind == CORE_SCATTER_WITH ? 2 : 0;
    if (!is_indices(r, k) || !is_array(r, k + 1)) return NULL;
    Node *idx = type_of(r, k), *t = type_of(r, k + 1)->op[1];
    if (!has_type(r, k + 1, array(r, idx->op[0], t))) return NULL;
    if (k && (!has_type(r, 1, t) || !is_function_to(r, 0, 2, (Node *[]){t, t}, t))) return NULL;
    return array(r, idx->op[1]->op[0], t);
}

Node *rule_pattern(Rule *r)
{
    switch (r->s->kind) {
    case CORE_INDEX: return index_type(r);
    case CORE_MAP: return map_type(r);
    case CORE_REDUCE:
    case CORE_FOLD:
    case CORE_SCAN:
    case CORE_SCAN_EX: return reduce_type(r);
    case CORE_ITERATE: return iterate_type(r);
    case CORE_GENERATE: return generate_type(r);
    case VIEW_ZIP: return zip_type(r);
    case VIEW_UNZIP: return unzip_type(r);
    case VIEW_SPLIT: return split_type(r);
    case VIEW_AS_VECTOR: return as_vector_type(r);
    case VIEW_AS_SCALAR: return as_scalar_type(r);
    case VIEW_JOIN:
    case VIEW_TRANSPOSE: return matrix_type(r);
    case VIEW_SLIDE: return slide_type(r);
    case VIEW_PAD: return pad_type(r);
    case VIEW_CONCAT: return concat_type(r);
    case VIEW_REPEAT: return array(r, op(r, 0), type_of(r, 1)); // t -> [n]t
    case VIEW_SLICE: return slice_type(r);
    case VIEW_REVERSE: return is_array(r, 0) ? type_of(r, 0) : NULL; // [n]t -> [n]t
    case VIEW_ROTATE: return rotate_type(r);
    case VIEW_GATHER: return gather_type(r);
    case VIEW_CIRCULAR: return is_array(r, 1) ? type_of(r, 1) : NULL; // [n]t -> [n]t
    case VIEW_PERMUTE: return permute_type(r);
    case CORE_SCATTER:
    case CORE_SCATTER_WITH: return scatter_type(r);
    case CORE_TO_MEM:
        return has_operands(r, 1) ? type_of(r, 0) : NULL; // the same type, other access
    case CORE_COPY: return type_of(r, 0);
    default: return rule_fail(r, "%s has no typing rule in Core", kind_info[r->s->kind].text);
    }
}
