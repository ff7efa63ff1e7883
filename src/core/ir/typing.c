// Core typing rules: for each kind of term, its type in terms of its operands' types. The builders
// compute types with these rules, and the checker compares types against them. The type of a
// variable, lambda, literal or cast does not follow from its operands, so the code that builds one
// supplies the type, and the rule only checks that it is possible.
#include "core/ir/internal.h"

// Whether t may be a scalar. A generic type parameter may be any scalar until it is specialised;
// its kind is checked where the generic function is called.
static bool maybe_scalar(Rule *r, Node *t)
{
    return t->kind == TYPE_SCALAR || t->kind == TYPE_VAR || (r->unknowns && t->kind == TYPE_META);
}

static bool maybe_atom(Rule *r, Node *t)
{
    return t->kind == TYPE_IDX || maybe_scalar(r, t);
}

// Whether t may be an atom or a vector of scalars; sets *lane to the atom or scalar.
static bool maybe_value(Rule *r, Node *t, Node **lane)
{
    *lane = type_lane(t);
    return maybe_atom(r, *lane) && (t->kind != TYPE_VEC || maybe_scalar(r, *lane));
}

#define SHOW(k) type_show(r->cx, rule_type_of(r, (k)))

static Node *given(Rule *r)
{
    if (!r->s->type) return rule_fail(r, "%s needs a type", kind_info[r->s->kind].text);
    return r->s->type;
}

// Whether e may be used as a term of type t; a term of type `!` always may.
static bool gives(Rule *r, Node *e, Node *t)
{
    return e->type->kind == TYPE_NEVER || rule_agree(r, t, e->type);
}

// from x1: s1, ..., xn: sn |- e : t  conclude  |x1, ..., xn| e : fn(s1, ..., sn) -> t
static Node *lam_type(Rule *r)
{
    Node *t = given(r);
    if (!t) return NULL;
    if (t->kind != TYPE_FUN || type_nparams(t) != r->s->attr.i)
        return rule_fail(r, "a lambda of %d parameters is not %s", (int)r->s->attr.i,
                         type_show(r->cx, t));
    if (!gives(r, r->s->ops[0], type_result(t)))
        return rule_fail(r, "the body of a lambda is %s, not %s", SHOW(0),
                         type_show(r->cx, type_result(t)));
    return t;
}

static Node *app_type(Rule *r)
{
    if (r->s->nops < 1) return rule_fail(r, "an application needs a function");
    Node *f = r->s->ops[0]->type;
    if (f->kind != TYPE_FUN || type_nparams(f) != r->s->nops - 1)
        return rule_fail(r, "%s is not a function of %d parameters", SHOW(0), r->s->nops - 1);
    for (int i = 1; i < r->s->nops; i++)
        if (!rule_agree(r, type_param(f, i - 1), r->s->ops[i]->type))
            return rule_fail(r, "argument %d is %s, not %s", i, SHOW(i),
                             type_show(r->cx, type_param(f, i - 1)));
    return type_result(f);
}

static Node *lit_type(Rule *r)
{
    Node *t = given(r);
    if (t && !type_is_atom(t)) return rule_fail(r, "%s has no literals", type_show(r->cx, t));
    return t;
}

// A size is a value of type i64, or an index if its context requires it.
static Node *nat_type(Rule *r)
{
    Node *i64 = type_scalar(r->cx, SCALAR_I64), *t = r->s->type;
    if (!t || t == i64) return i64;
    return t->kind == TYPE_IDX ? t : rule_fail(r, "a size is not %s", type_show(r->cx, t));
}

static bool takes(Prim op, Node *t)
{
    return t->kind != TYPE_SCALAR || prim_takes(op, (Scalar)t->attr.i); // or a variable, or unknown
}

// All operands must have the same type: a scalar type that the operator accepts according to its
// row in prim.def, or a vector of such scalars.
static Node *prim_type(Rule *r)
{
    const PrimInfo *info = &prim_info[r->s->attr.i];
    if (r->s->nops != info->arity)
        return rule_fail(r, "`%s` takes %d operands", info->text, info->arity);
    Node *t = r->s->ops[0]->type;
    for (int i = 0; i < r->s->nops; i++) {
        Node *lane = type_lane(r->s->ops[i]->type);
        if (!maybe_scalar(r, lane) || !takes((Prim)r->s->attr.i, lane))
            return rule_fail(r, "`%s` does not take %s", info->text, SHOW(i));
        if (!rule_agree(r, t, r->s->ops[i]->type))
            return rule_fail(r, "`%s` on %s and %s", info->text, SHOW(0), SHOW(i));
    }
    if (info->result == GIVES_SAME) return t;
    Scalar s = SCALAR_BOOL;
    bool known = type_is_scalar(type_lane(t), &s);
    if (!known && info->result != GIVES_BOOL)
        return rule_fail(r, "`%s` does not take %s", info->text, SHOW(0));
    Node *result = type_scalar(r->cx, prim_result((Prim)r->s->attr.i, s));
    return t->kind == TYPE_VEC ? type_varying(r->cx, t->op[0], result) : result;
}

// A cast to a vector takes a vector of the same length, or a scalar of the lane type, which is
// copied to all lanes.
static Node *cast_type(Rule *r)
{
    Node *t = given(r), *from = r->s->ops[0]->type, *to, *lane;
    if (!t) return NULL;
    if (!maybe_value(r, t, &to))
        return rule_fail(r, "a cast does not give %s", type_show(r->cx, t));
    if (!maybe_value(r, from, &lane)) return rule_fail(r, "a cast does not take %s", SHOW(0));
    bool fits = t->kind != TYPE_VEC      ? from->kind != TYPE_VEC
                : from->kind == TYPE_VEC ? rule_agree(r, t->op[0], from->op[0])
                                         : rule_agree(r, to, lane);
    return fits ? t : rule_fail(r, "a cast of %s to %s", SHOW(0), type_show(r->cx, t));
}

static Node *to_idx_type(Rule *r)
{
    Node *t = given(r);
    if (!t) return NULL;
    if (t->kind != TYPE_IDX)
        return rule_fail(r, "to_idx gives an index, not %s", type_show(r->cx, t));
    if (!rule_agree(r, r->s->ops[0]->type, type_scalar(r->cx, SCALAR_I64)))
        return rule_fail(r, "to_idx takes i64, not %s", SHOW(0));
    return t;
}

static Node *if_type(Rule *r)
{
    if (!rule_agree(r, r->s->ops[0]->type, type_scalar(r->cx, SCALAR_BOOL)))
        return rule_fail(r, "a condition is not %s", SHOW(0));
    Node *a = r->s->ops[1], *b = r->s->ops[2];
    if (!gives(r, a, b->type) && !gives(r, b, a->type))
        return rule_fail(r, "branches of types %s and %s", SHOW(1), SHOW(2));
    return a->type->kind == TYPE_NEVER ? b->type : a->type;
}

static Node *tuple_type(Rule *r)
{
    Node *t = r->s->type;
    if (!t) {
        Node **parts = ARENA_ARRAY(r->cx->arena, Node *, r->s->nops + 1);
        for (int i = 0; i < r->s->nops; i++) parts[i] = r->s->ops[i]->type;
        return type_tuple(r->cx, r->s->nops, parts);
    }
    if ((t->kind != TYPE_TUPLE && t->kind != TYPE_STRUCT) || t->nops != (uint32_t)r->s->nops)
        return rule_fail(r, "%d components do not make %s", r->s->nops, type_show(r->cx, t));
    for (int i = 0; i < r->s->nops; i++)
        if (!rule_agree(r, t->op[i], r->s->ops[i]->type))
            return rule_fail(r, "component %d is %s, not %s", i, SHOW(i),
                             type_show(r->cx, t->op[i]));
    return t;
}

Node *rule_component(Rule *r, Node *t)
{
    int64_t k = r->s->attr.i;
    if ((t->kind != TYPE_TUPLE && t->kind != TYPE_STRUCT) || k < 0 || k >= (int64_t)t->nops)
        return rule_fail(r, "%s has no component %lld", type_show(r->cx, t), (long long)k);
    return t->op[k];
}

static Node *array_type(Rule *r)
{
    Node *t = r->s->type;
    if (!t && r->s->nops == 0) return given(r);
    if (!t) t = type_array(r->cx, nat_const(r->cx, r->s->nops), r->s->ops[0]->type);
    if (t->kind != TYPE_ARRAY || !r->same(t->op[0], nat_const(r->cx, r->s->nops), r->env))
        return rule_fail(r, "%d elements do not make %s", r->s->nops, type_show(r->cx, t));
    for (int i = 0; i < r->s->nops; i++)
        if (!rule_agree(r, t->op[1], r->s->ops[i]->type))
            return rule_fail(r, "element %d is %s, not %s", i, SHOW(i), type_show(r->cx, t->op[1]));
    return t;
}

// Whether every operand is of the sort that its kind requires: a size, a type, or a term with a
// type.
static bool operands_fit(Rule *r)
{
    for (int k = 0; k < r->s->nops; k++) {
        int levels = kind_info[r->s->ops[k]->kind].levels;
        bool fits = r->s->ops[k]->type != NULL;
        switch (kind_sort(r->s->kind, k)) {
        case SORT_SIZE: fits = levels & LEVEL_NAT; break;
        case SORT_TYPE: fits = levels & LEVEL_TYPE; break;
        case SORT_GENERIC: fits = levels & (LEVEL_NAT | LEVEL_TYPE); break;
        case SORT_TERM:
        case SORT_FUN:
        case SORT_ACCEPTOR: break;
        }
        if (!fits) {
            rule_fail(r, "operand %d of %s is a %s", k, kind_info[r->s->kind].text,
                      kind_info[r->s->ops[k]->kind].text);
            return false;
        }
    }
    return true;
}

static bool has_error(Rule *r)
{
    for (int k = 0; k < r->s->nops; k++)
        if (r->s->ops[k]->type && r->s->ops[k]->type->kind == TYPE_ERROR) return true;
    return false;
}

Node *rule_type(Rule *r)
{
    const KindInfo *info = &kind_info[r->s->kind];
    if (info->nops >= 0 && info->nops != r->s->nops)
        return rule_fail(r, "%s takes %d operands, not %d", info->text, info->nops, r->s->nops);
    if (!operands_fit(r)) return NULL;
    if (has_error(r)) return r->s->type ? r->s->type : type_error(r->cx);
    switch (r->s->kind) {
    case CORE_VAR:
    case CORE_GLOBAL:
    case CORE_CALL: return given(r); // determined by the binder, or by the function with this name
    case CORE_LAM: return lam_type(r);
    case CORE_APP: return app_type(r);
    case CORE_LET: return r->s->ops[1]->type;
    case CORE_LIT: return lit_type(r);
    case CORE_UNDEFINED: return r->s->ops[0];
    case CORE_NAT: return nat_type(r);
    case CORE_PRIM: return prim_type(r);
    case CORE_CAST: return cast_type(r);
    case CORE_TO_IDX: return to_idx_type(r);
    case CORE_IF: return if_type(r);
    case CORE_TUPLE: return tuple_type(r);
    case CORE_PROJ: return rule_component(r, rule_type_of(r, 0));
    case CORE_ARRAY: return array_type(r);
#define NODE(kind, ...) case kind:
#include "ir/lanes.def"
#undef NODE
        return rule_lanes(r);
    default: return rule_control(r);
    }
}

static bool by_normal_form(Node *a, Node *b, void *env)
{
    (void)env;
    return a == b;
}

static bool any_size(Node *a, Node *b, void *env)
{
    (void)a, (void)b, (void)env;
    return true;
}

Node *core_type_rule(Session *cx, const NodeSpec *spec, bool strict, const char **why)
{
    Rule r = {.cx = cx, .s = spec, .same = strict ? by_normal_form : any_size, .unknowns = !strict};
    Node *t = rule_type(&r);
    if (!t && why) *why = r.why;
    return t;
}
