// Integer expressions of DPIA as sizes.
#include "dpia/dpia.h"

enum { MAX_SIZE_NODES = 24 };

int size_weight(Node *size, int limit)
{
    int n = 1;
    for (uint32_t i = 0; i < size->nops && n <= limit; i++) n += size_weight(size->op[i], limit - n);
    return n;
}

static bool is_integer(Node *type)
{
    Scalar s;
    return type->kind == TYPE_IDX || (type_is_scalar(type, &s) && s == SCALAR_I64);
}

static Node *size_of_prim(Session *cx, Node *e, PhraseChanges *changes, void *env)
{
    Prim op = (Prim)e->attr.i;
    if (op != PRIM_ADD && op != PRIM_SUB && op != PRIM_MUL && op != PRIM_MIN && op != PRIM_MAX)
        return NULL;
    Node *a = dpia_size(cx, e->op[0], changes, env), *b = a ? dpia_size(cx, e->op[1], changes, env) : NULL;
    if (!b) return NULL;
    switch (op) {
    case PRIM_ADD: return nat_add(cx, a, b);
    case PRIM_SUB: return nat_sub(cx, a, b);
    case PRIM_MUL: return nat_mul(cx, a, b);
    case PRIM_MIN: return nat_min(cx, a, b);
    default: return nat_max(cx, a, b);
    }
}

Node *dpia_size(Session *cx, Node *e, PhraseChanges *changes, void *env)
{
    Node *size = NULL;
    if (!is_integer(e->type)) return NULL;
    switch ((Kind)e->kind) {
    case CORE_NAT: return e->op[0];
    case CORE_LIT: size = nat_const(cx, e->attr.i); break;
    case CORE_CAST: size = dpia_size(cx, e->op[0], changes, env); break;
    case CORE_PRIM: size = size_of_prim(cx, e, changes, env); break;
    case PH_VAR:
        if (!changes(env, e->attr.sym)) size = nat_var(cx, e->attr.sym);
        break;
    default: break;
    }
    if (!size || size->kind == NAT_OVERFLOW) return NULL;
    return size_weight(size, MAX_SIZE_NODES) <= MAX_SIZE_NODES ? size : NULL;
}
