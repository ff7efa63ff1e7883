// Builders: sums, products, powers, min and max in normal form.
#include "nat/internal.h"

#include <stdlib.h>

// A polynomial beyond these limits is as useless as an overflowed constant, and is treated as such.
enum { MAX_TERMS = 4096, MAX_PAIRS = 1 << 16, MAX_SUM_POWER = 64, MAX_MIN_MAX = 16 };

Node *nat_const(Session *cx, int64_t value)
{
    NodeSpec spec = {.kind = NAT_CONST, .attr.i = value};
    return node_make(cx, &spec);
}

Node *nat_var(Session *cx, Sym name)
{
    NodeSpec spec = {.kind = NAT_VAR, .attr.sym = name};
    return node_make(cx, &spec);
}

Node *nat_meta(Session *cx, int64_t number)
{
    NodeSpec spec = {.kind = NAT_META, .attr.i = number};
    return node_make(cx, &spec);
}

Node *nat_overflow(Session *cx)
{
    NodeSpec spec = {.kind = NAT_OVERFLOW};
    return node_make(cx, &spec);
}

Node *nat_raw(Session *cx, Kind kind, Node *a, Node *b)
{
    Node *ops[2] = {a, b};
    NodeSpec spec = {.kind = kind, .nops = 2, .ops = ops};
    return node_make(cx, &spec);
}

bool nat_is_overflow(Node *e)
{
    return e->kind == NAT_OVERFLOW;
}

bool nat_is_const(Node *e, int64_t *value)
{
    if (e->kind != NAT_CONST) return false;
    *value = e->attr.i;
    return true;
}

bool nat_is_zero(Node *e)
{
    return e->kind == NAT_CONST && e->attr.i == 0;
}

static bool either_overflows(Node *a, Node *b)
{
    return nat_is_overflow(a) || nat_is_overflow(b);
}

// Returns a + k*b, computed by merging two lists in normal order.
static Node *add_scaled(Session *cx, Node *a, int64_t k, Node *b)
{
    if (either_overflows(a, b)) return nat_overflow(cx);
    Terms x, y, sum;
    terms_of(cx, &x, a);
    terms_of(cx, &y, b);
    terms_init(&sum);
    bool ok = x.len + y.len <= MAX_TERMS;
    for (int i = 0, j = 0; ok && (i < x.len || j < y.len);) {
        int order = i == x.len ? 1 : j == y.len ? -1 : term_compare(&x.at[i], &y.at[j]);
        Node *mono = order <= 0 ? x.at[i].mono : y.at[j].mono;
        int64_t coeff = order <= 0 ? x.at[i++].coeff : 0, more = 0;
        if (order >= 0) ok = !__builtin_mul_overflow(y.at[j++].coeff, k, &more);
        ok = ok && !__builtin_add_overflow(coeff, more, &coeff);
        if (ok && coeff != 0) terms_push(&sum, coeff, mono);
    }
    Node *result = ok ? nat_of_terms(cx, &sum) : nat_overflow(cx);
    terms_free(&x);
    terms_free(&y);
    terms_free(&sum);
    return result;
}

Node *nat_add(Session *cx, Node *a, Node *b)
{
    return add_scaled(cx, a, 1, b);
}

Node *nat_sub(Session *cx, Node *a, Node *b)
{
    return add_scaled(cx, a, -1, b);
}

// Sorts the terms and adds up those with the same monomial. Returns false on overflow.
static bool collect(Terms *t)
{
    if (t->len > 1) qsort(t->at, (size_t)t->len, sizeof(Term), term_compare);
    int n = 0;
    for (int i = 0; i < t->len;) {
        Term sum = t->at[i++];
        for (; i < t->len && t->at[i].mono == sum.mono; i++)
            if (__builtin_add_overflow(sum.coeff, t->at[i].coeff, &sum.coeff)) return false;
        if (sum.coeff != 0) t->at[n++] = sum;
    }
    t->len = n;
    return n <= MAX_TERMS;
}

static bool multiply(Session *cx, const Terms *x, const Terms *y, Terms *product)
{
    if ((int64_t)x->len * y->len > MAX_PAIRS) return false;
    for (int i = 0; i < x->len; i++) {
        for (int j = 0; j < y->len; j++) {
            int64_t coeff;
            Node *mono;
            if (__builtin_mul_overflow(x->at[i].coeff, y->at[j].coeff, &coeff)) return false;
            if (!mono_mul(cx, x->at[i].mono, y->at[j].mono, &mono)) return false;
            terms_push(product, coeff, mono);
        }
    }
    return collect(product);
}

Node *nat_mul(Session *cx, Node *a, Node *b)
{
    int64_t k;
    if (either_overflows(a, b)) return nat_overflow(cx);
    if (nat_is_const(b, &k)) return k == 1 ? a : add_scaled(cx, nat_const(cx, 0), k, a);
    if (nat_is_const(a, &k)) return k == 1 ? b : add_scaled(cx, nat_const(cx, 0), k, b);
    Terms x, y, product;
    terms_of(cx, &x, a);
    terms_of(cx, &y, b);
    terms_init(&product);
    bool ok = multiply(cx, &x, &y, &product);
    Node *result = ok ? nat_of_terms(cx, &product) : nat_overflow(cx);
    terms_free(&x);
    terms_free(&y);
    terms_free(&product);
    return result;
}

// (c * x^i * y^j)^k = c^k * x^(i*k) * y^(j*k) for k >= 1.
static Node *term_power(Session *cx, Term t, int64_t k)
{
    int64_t coeff;
    if (!int_pow(t.coeff, k, &coeff)) return nat_overflow(cx);
    Node *result = nat_const(cx, coeff);
    for (int i = 0; i < mono_len(t.mono); i++) {
        int64_t exponent;
        if (__builtin_mul_overflow(mono_exponent(t.mono, i), k, &exponent) || exponent > INT32_MAX)
            return nat_overflow(cx);
        Node *power = exponent == 1
                          ? mono_base(t.mono, i)
                          : nat_raw(cx, NAT_POW, mono_base(t.mono, i), nat_const(cx, exponent));
        result = nat_mul(cx, result, power);
    }
    return result;
}

static Node *constant_power(Session *cx, Node *a, int64_t k)
{
    if (k < 0) return nat_overflow(cx);
    if (k == 0) return nat_const(cx, 1);
    if (a->kind != NAT_SUM) {
        Terms t;
        terms_of(cx, &t, a);
        Node *power = t.len ? term_power(cx, t.at[0], k) : a;
        terms_free(&t);
        return power;
    }
    if (k > MAX_SUM_POWER) return nat_overflow(cx);
    Node *power = a;
    for (int64_t i = 1; i < k; i++) power = nat_mul(cx, power, a);
    return power;
}

Node *nat_pow(Session *cx, Node *a, Node *b)
{
    int64_t k;
    if (either_overflows(a, b)) return nat_overflow(cx);
    if (nat_is_const(b, &k)) return constant_power(cx, a, k);
    if (nat_is_const(a, &k) && k == 1) return a;
    return nat_raw(cx, NAT_POW, a, b);
}

// The operands of nested nodes of the same kind, min or max, without repetition and in order.
typedef struct {
    int len;
    Node *at[MAX_MIN_MAX];
} Choices;

static bool insert_choice(Choices *c, Node *e)
{
    if (c->len == MAX_MIN_MAX) return false;
    int i = c->len++;
    for (; i > 0 && nat_compare(e, c->at[i - 1]) < 0; i--) c->at[i] = c->at[i - 1];
    c->at[i] = e;
    return true;
}

// Adds the operand `e`. Of two operands that differ by a constant, only the smaller one (for max,
// the larger one) stays.
static bool add_choice(Session *cx, Choices *c, Kind kind, Node *e)
{
    for (int i = 0; i < c->len; i++) {
        int64_t d;
        if (!nat_is_const(nat_sub(cx, e, c->at[i]), &d)) continue;
        if ((kind == NAT_MIN) != (d < 0)) return true;
        for (c->len--; i < c->len; i++) c->at[i] = c->at[i + 1];
        return insert_choice(c, e);
    }
    return insert_choice(c, e);
}

static bool flatten(Session *cx, Choices *c, Kind kind, Node *e)
{
    for (; e->kind == kind; e = e->op[1])
        if (!flatten(cx, c, kind, e->op[0])) return false;
    return add_choice(cx, c, kind, e);
}

static Node *choose(Session *cx, Kind kind, Node *a, Node *b)
{
    if (either_overflows(a, b)) return nat_overflow(cx);
    Choices c = {.len = 0};
    if (!flatten(cx, &c, kind, a) || !flatten(cx, &c, kind, b)) return nat_raw(cx, kind, a, b);
    Node *result = c.at[c.len - 1];
    for (int i = c.len - 2; i >= 0; i--) result = nat_raw(cx, kind, c.at[i], result);
    return result;
}

Node *nat_min(Session *cx, Node *a, Node *b)
{
    return choose(cx, NAT_MIN, a, b);
}

Node *nat_max(Session *cx, Node *a, Node *b)
{
    return choose(cx, NAT_MAX, a, b);
}

Node *nat_apply(Session *cx, Kind kind, Node *a, Node *b)
{
    switch (kind) {
    case NAT_SUM: return nat_add(cx, a, b);
    case NAT_PRODUCT: return nat_mul(cx, a, b);
    case NAT_DIV: return nat_div(cx, a, b);
    case NAT_MOD: return nat_mod(cx, a, b);
    case NAT_MIN: return nat_min(cx, a, b);
    case NAT_MAX: return nat_max(cx, a, b);
    case NAT_POW: return nat_pow(cx, a, b);
    default:
        session_ice(cx, __FILE__, __LINE__, "%s is not an operation on sizes",
                    kind_info[kind].text);
    }
}
