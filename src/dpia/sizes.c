// Integer expressions of DPIA as sizes.
#include "dpia/dpia.h"

enum { MAX_SIZE_NODES = 24, MAX_DEGREE = 2 };
#define MAX_COEFFICIENT ((int64_t)1 << 16)
#define MAX_CONSTANT    ((int64_t)1 << 40)

int size_weight(Node *size, int limit)
{
    int n = 1;
    for (uint32_t i = 0; i < size->nops && n <= limit; i++)
        n += size_weight(size->op[i], limit - n);
    return n;
}

static bool is_between(int64_t x, int64_t limit)
{
    return -limit <= x && x <= limit;
}

static int degree(Node *e, ClassOfName *name, void *env);

// The degree of a length that `e` is not above (or not below): MAX_DEGREE + 1 where there is none,
// WRAPS where computing `e` may leave the 64 bits.
enum { WRAPS = 100 };

static int limit(Node *e, bool above, ClassOfName *name, void *env)
{
    if (e->kind == NAT_VAR) {
        NameClass c = name(env, e->attr.sym);
        return c == NAME_LENGTH || c == (above ? NAME_NOT_ABOVE : NAME_NOT_BELOW) ? 1
                                                                                  : MAX_DEGREE + 1;
    }
    if (e->kind == NAT_CONST) return is_between(e->attr.i, ENDLESS) ? 0 : MAX_DEGREE + 1;
    if (e->kind != NAT_MIN && e->kind != NAT_MAX) {
        int d = degree(e, name, env);
        return d <= MAX_DEGREE ? d : WRAPS;
    }
    bool any = (e->kind == NAT_MIN) == above; // one operand that is limited does
    int best = any ? MAX_DEGREE + 1 : 0;
    for (uint32_t i = 0; i < e->nops; i++) {
        int d = limit(e->op[i], above, name, env);
        if (d == WRAPS) return WRAPS;
        if (any ? d < best : d > best) best = d;
    }
    return best;
}

bool dpia_is_limited(Node *size, bool above, ClassOfName *name, void *env)
{
    return size_weight(size, MAX_SIZE_NODES) <= MAX_SIZE_NODES &&
           limit(size, above, name, env) <= MAX_DEGREE;
}

// The degree of a size as a polynomial over lengths, more than MAX_DEGREE when it is no such short
// polynomial.
static int degree(Node *e, ClassOfName *name, void *env)
{
    int d = 0, k;
    switch ((Kind)e->kind) {
    case NAT_CONST: return is_between(e->attr.i, MAX_CONSTANT) ? 0 : MAX_DEGREE + 1;
    case NAT_VAR: return name(env, e->attr.sym) == NAME_LENGTH ? 1 : MAX_DEGREE + 1;
    case NAT_PRODUCT:
        if (!is_between(e->attr.i, MAX_COEFFICIENT)) return MAX_DEGREE + 1;
        for (uint32_t i = 0; i < e->nops && d <= MAX_DEGREE; i++) d += degree(e->op[i], name, env);
        return d;
    case NAT_MOD: return degree(e->op[1], name, env); // below the divisor
    case NAT_MIN:
    case NAT_MAX:
        d = limit(e, true, name, env);
        k = limit(e, false, name, env);
        return d > k ? d : k;
    case NAT_SUM:
    case NAT_DIV:
        for (uint32_t i = 0; i < e->nops && d <= MAX_DEGREE; i++)
            if ((k = degree(e->op[i], name, env)) > d) d = k;
        return d;
    case NAT_POW: {
        int64_t exponent;
        bool small = nat_is_const(e->op[1], &exponent) && exponent <= MAX_DEGREE;
        return small ? (int)exponent * degree(e->op[0], name, env) : MAX_DEGREE + 1;
    }
    default: return MAX_DEGREE + 1;
    }
}

bool dpia_is_length(Node *size, ClassOfName *name, void *env)
{
    return size_weight(size, MAX_SIZE_NODES) <= MAX_SIZE_NODES &&
           degree(size, name, env) <= MAX_DEGREE;
}

static bool is_integer(Node *type)
{
    Scalar s;
    return type->kind == TYPE_IDX || (type_is_scalar(type, &s) && s == SCALAR_I64);
}

static Node *size_of_prim(Session *cx, Node *e, ClassOfName *name, void *env)
{
    Node *size;
    if (e->nops != 2) return NULL;
    Node *a = dpia_size(cx, e->op[0], name, env),
         *b = a ? dpia_size(cx, e->op[1], name, env) : NULL;
    if (!b || !dpia_is_length(a, name, env) || !dpia_is_length(b, name, env)) return NULL;
    switch (e->attr.i) {
    case PRIM_ADD: size = nat_add(cx, a, b); break;
    case PRIM_SUB: size = nat_sub(cx, a, b); break;
    case PRIM_MUL: size = nat_mul(cx, a, b); break;
    case PRIM_MIN: size = nat_min(cx, a, b); break;
    case PRIM_MAX: size = nat_max(cx, a, b); break;
    default: return NULL;
    }
    return dpia_is_length(size, name, env) ? size : NULL;
}

Node *dpia_size(Session *cx, Node *e, ClassOfName *name, void *env)
{
    if (!is_integer(e->type)) return NULL;
    switch ((Kind)e->kind) {
    case CORE_NAT: return e->op[0];
    case CORE_LIT: return nat_const(cx, e->attr.i);
    case CORE_CAST: return dpia_size(cx, e->op[0], name, env);
    case CORE_PRIM: return size_of_prim(cx, e, name, env);
    case PH_VAR: return name(env, e->attr.sym) == NAME_MEMORY ? NULL : nat_var(cx, e->attr.sym);
    default: return NULL;
    }
}
