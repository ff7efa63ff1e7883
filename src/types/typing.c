// The functions that typing rules are built from.
#include "types/typing.h"

Node *rule_fail(Rule *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    r->why = arena_vprintf(r->cx->arena, format, args);
    va_end(args);
    return NULL;
}

bool rule_agree(Rule *r, Node *a, Node *b)
{
    if (a == b || a->kind == TYPE_ERROR || b->kind == TYPE_ERROR) return true;
    if (r->unknowns && (a->kind == TYPE_META || b->kind == TYPE_META)) return true;
    if (kind_info[a->kind].levels & kind_info[b->kind].levels & LEVEL_NAT)
        return r->same(a, b, r->env);
    if (a->kind != b->kind || a->nops != b->nops) return false;
    switch (kind_info[a->kind].attr) {
    case ATTR_NONE: break;
    case ATTR_SYM:
        if (a->attr.sym != b->attr.sym) return false;
        break;
    case ATTR_INT:
    case ATTR_SCALAR:
    case ATTR_PRIM:
    case ATTR_BITS:
    case ATTR_MODE:
        if (a->attr.i != b->attr.i) return false;
        break;
    }
    for (uint32_t i = 0; i < a->nops; i++)
        if (!rule_agree(r, a->op[i], b->op[i])) return false;
    return true;
}

Node *rule_type_of(Rule *r, int k)
{
    return r->s->ops[k]->type;
}

Node *rule_misfit(Rule *r, int k, const char *wanted)
{
    return rule_fail(r, "operand %d of %s is %s, not %s", k, kind_info[r->s->kind].text,
                     type_show(r->cx, rule_type_of(r, k)), wanted);
}

bool rule_has_type(Rule *r, int k, Node *t)
{
    if (rule_agree(r, rule_type_of(r, k), t)) return true;
    rule_misfit(r, k, type_show(r->cx, t));
    return false;
}

bool rule_is_array(Rule *r, int k)
{
    if (rule_type_of(r, k)->kind == TYPE_ARRAY) return true;
    rule_misfit(r, k, "an array");
    return false;
}

bool rule_is_indices(Rule *r, int k)
{
    Node *t = rule_type_of(r, k);
    if (t->kind == TYPE_ARRAY && t->op[1]->kind == TYPE_IDX) return true;
    rule_misfit(r, k, "an array of indices");
    return false;
}

bool rule_is_function(Rule *r, int k, int nparams, Node *const *params, Node **result)
{
    Node *f = rule_type_of(r, k);
    bool fits = f->kind == TYPE_FUN && type_nparams(f) == nparams;
    for (int i = 0; fits && i < nparams; i++) fits = rule_agree(r, type_param(f, i), params[i]);
    if (fits) {
        *result = type_result(f);
        return true;
    }
    Node *wanted =
        type_fun(r->cx, nparams, params, f->kind == TYPE_FUN ? type_result(f) : type_error(r->cx));
    rule_misfit(r, k, type_show(r->cx, wanted));
    return false;
}

bool rule_is_function_to(Rule *r, int k, int nparams, Node *const *params, Node *result)
{
    Node *gives;
    if (!rule_is_function(r, k, nparams, params, &gives)) return false;
    if (rule_agree(r, gives, result)) return true;
    rule_misfit(r, k, type_show(r->cx, type_fun(r->cx, nparams, params, result)));
    return false;
}
