// Terms and monomials: taking sizes apart, putting them together, and the order of normal forms.
#include "nat/internal.h"

#include <stdlib.h>

// Sizes in programs are far below these limits, which bound the time and memory for malformed
// sizes.
enum { MAX_FACTORS = 64, MAX_DEGREE = 1 << 20 };

void terms_init(Terms *t)
{
    t->len = 0;
    t->cap = (int)(sizeof t->small / sizeof t->small[0]);
    t->at = t->small;
    t->arena = NULL;
}

void terms_free(Terms *t)
{
    arena_delete(t->arena);
}

void terms_push(Terms *t, int64_t coeff, Node *mono)
{
    if (t->len == t->cap) {
        if (!t->arena) t->arena = arena_new();
        t->at = vec_grow(t->arena, t->at, t->len, &t->cap, sizeof *t->at);
    }
    t->at[t->len++] = (Term){coeff, mono};
}

static Term term_of(Session *cx, Node *e)
{
    if (e->kind == NAT_CONST) return (Term){e->attr.i, NULL};
    if (e->kind != NAT_PRODUCT || e->attr.i == 1) return (Term){1, e};
    if (e->nops == 1) return (Term){e->attr.i, e->op[0]};
    NodeSpec spec = {.kind = NAT_PRODUCT, .attr.i = 1, .nops = (int)e->nops, .ops = e->op};
    return (Term){e->attr.i, node_make(cx, &spec)};
}

void terms_of(Session *cx, Terms *t, Node *e)
{
    terms_init(t);
    int n = e->kind == NAT_SUM ? (int)e->nops : 1;
    for (int i = 0; i < n; i++) {
        Term one = term_of(cx, e->kind == NAT_SUM ? e->op[i] : e);
        if (one.coeff != 0) terms_push(t, one.coeff, one.mono);
    }
}

Node *nat_of_term(Session *cx, int64_t coeff, Node *mono)
{
    if (!mono || coeff == 0) return nat_const(cx, coeff);
    if (coeff == 1) return mono;
    bool product = mono->kind == NAT_PRODUCT;
    NodeSpec spec = {.kind = NAT_PRODUCT,
                     .attr.i = coeff,
                     .nops = product ? (int)mono->nops : 1,
                     .ops = product ? mono->op : &mono};
    return node_make(cx, &spec);
}

Node *nat_of_terms(Session *cx, const Terms *t)
{
    if (t->len == 0) return nat_const(cx, 0);
    if (t->len == 1) return nat_of_term(cx, t->at[0].coeff, t->at[0].mono);
    Node *few[16], **ops = few;
    Arena *arena = NULL;
    if (t->len > 16) {
        arena = arena_new();
        ops = ARENA_ARRAY(arena, Node *, t->len);
    }
    for (int i = 0; i < t->len; i++) ops[i] = nat_of_term(cx, t->at[i].coeff, t->at[i].mono);
    NodeSpec spec = {.kind = NAT_SUM, .nops = t->len, .ops = ops};
    Node *sum = node_make(cx, &spec);
    arena_delete(arena);
    return sum;
}

int nat_term_count(Node *e)
{
    return e->kind == NAT_SUM ? (int)e->nops : 1;
}

int64_t nat_constant_part(Node *e)
{
    Node *last = e->kind == NAT_SUM ? e->op[e->nops - 1] : e;
    return last->kind == NAT_CONST ? last->attr.i : 0;
}

bool nat_single_term(Session *cx, Node *e, Term *term)
{
    Node *first = e->kind == NAT_SUM ? e->op[0] : e;
    if (first->kind == NAT_CONST || first->kind == NAT_OVERFLOW) return false;
    if (e->kind == NAT_SUM && (e->nops > 2 || e->op[1]->kind != NAT_CONST)) return false;
    *term = term_of(cx, first);
    return true;
}

uint64_t int_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static uint64_t magnitude(int64_t v)
{
    return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

uint64_t nat_content(Session *cx, Node *e, bool with_constant)
{
    Terms t;
    terms_of(cx, &t, e);
    uint64_t g = 0;
    for (int i = 0; i < t.len; i++)
        if (t.at[i].mono || with_constant) g = int_gcd(g, magnitude(t.at[i].coeff));
    terms_free(&t);
    return g;
}

bool int_pow(int64_t base, int64_t exponent, int64_t *power)
{
    int64_t p = 1;
    if (base == 0 || base == 1 || base == -1) {
        *power = exponent == 0 ? 1 : base < 0 && exponent % 2 == 0 ? 1 : base;
        return true;
    }
    for (int64_t i = 0; i < exponent; i++)
        if (__builtin_mul_overflow(p, base, &p)) return false; // after at most 64 iterations
    *power = p;
    return true;
}

int mono_len(Node *mono)
{
    return !mono ? 0 : mono->kind == NAT_PRODUCT ? (int)mono->nops : 1;
}

static Node *mono_factor(Node *mono, int k)
{
    return mono->kind == NAT_PRODUCT ? mono->op[k] : mono;
}

static bool is_power(Node *factor)
{
    return factor->kind == NAT_POW && factor->op[1]->kind == NAT_CONST;
}

Node *mono_base(Node *mono, int k)
{
    Node *f = mono_factor(mono, k);
    return is_power(f) ? f->op[0] : f;
}

int64_t mono_exponent(Node *mono, int k)
{
    Node *f = mono_factor(mono, k);
    return is_power(f) ? f->op[1]->attr.i : 1;
}

static int64_t mono_degree(Node *mono)
{
    int64_t degree = 0;
    for (int k = 0; k < mono_len(mono); k++) degree += mono_exponent(mono, k);
    return degree;
}

// A monomial under construction: factors in order.
typedef struct {
    int len;
    int64_t degree;
    Node *at[MAX_FACTORS];
} Factors;

static bool push_factor(Session *cx, Factors *fs, Node *base, int64_t exponent)
{
    if (exponent == 0) return true;
    if (fs->len == MAX_FACTORS || exponent > MAX_DEGREE || (fs->degree += exponent) > MAX_DEGREE)
        return false;
    fs->at[fs->len++] = exponent == 1 ? base : nat_raw(cx, NAT_POW, base, nat_const(cx, exponent));
    return true;
}

static Node *make_mono(Session *cx, const Factors *fs)
{
    if (fs->len <= 1) return fs->len ? fs->at[0] : NULL;
    NodeSpec spec = {.kind = NAT_PRODUCT, .attr.i = 1, .nops = fs->len, .ops = fs->at};
    return node_make(cx, &spec);
}

typedef enum { MUL, DIV, GCD } Merge;

// The product, quotient or gcd of two monomials. Returns false for a negative exponent, or if the
// result is too large.
static bool mono_merge(Session *cx, Node *a, Node *b, Merge merge, Node **result)
{
    Factors fs = {.len = 0};
    int i = 0, j = 0, na = mono_len(a), nb = mono_len(b);
    while (i < na || j < nb) {
        int order = i == na ? 1 : j == nb ? -1 : nat_compare(mono_base(a, i), mono_base(b, j));
        Node *base = order <= 0 ? mono_base(a, i) : mono_base(b, j);
        int64_t x = order <= 0 ? mono_exponent(a, i++) : 0;
        int64_t y = order >= 0 ? mono_exponent(b, j++) : 0;
        int64_t exponent = merge == MUL ? x + y : merge == DIV ? x - y : x < y ? x : y;
        if (exponent < 0 || !push_factor(cx, &fs, base, exponent)) return false;
    }
    *result = make_mono(cx, &fs);
    return true;
}

bool mono_mul(Session *cx, Node *a, Node *b, Node **product)
{
    return mono_merge(cx, a, b, MUL, product);
}

bool mono_div(Session *cx, Node *a, Node *b, Node **quotient)
{
    return mono_merge(cx, a, b, DIV, quotient);
}

Node *mono_gcd(Session *cx, Node *a, Node *b)
{
    Node *gcd = NULL;
    return mono_merge(cx, a, b, GCD, &gcd) ? gcd : NULL;
}

int64_t nat_common_content(Session *cx, Node *a, Node *b)
{
    uint64_t g = int_gcd(nat_content(cx, a, true), nat_content(cx, b, true));
    return g > INT64_MAX || g == 0 ? 1 : (int64_t)g;
}

Node *nat_common_factor(Session *cx, Node *a, Node *b)
{
    Terms t;
    Node *mono = NULL;
    terms_of(cx, &t, a);
    for (int i = 0; i < t.len; i++) mono = i ? mono_gcd(cx, mono, t.at[i].mono) : t.at[i].mono;
    terms_free(&t);
    terms_of(cx, &t, b);
    for (int i = 0; i < t.len; i++) mono = mono_gcd(cx, mono, t.at[i].mono);
    terms_free(&t);
    return nat_of_term(cx, nat_common_content(cx, a, b), mono);
}

static int sign(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

// Higher degrees come first; among equal degrees, the monomial with more of the first atom. This
// order is compatible with multiplication, so that nat_split terminates.
static int compare_monos(Node *a, Node *b)
{
    if (a == b) return 0;
    int by_degree = sign(mono_degree(b), mono_degree(a));
    if (by_degree) return by_degree;
    int na = mono_len(a), nb = mono_len(b);
    for (int k = 0; k < na && k < nb; k++) {
        int c = nat_compare(mono_base(a, k), mono_base(b, k));
        if (!c) c = sign(mono_exponent(b, k), mono_exponent(a, k));
        if (c) return c;
    }
    return sign(na, nb);
}

static int kind_order(Node *e)
{
    switch (e->kind) {
    case NAT_VAR: return 0;
    case NAT_META: return 1;
    case NAT_POW: return 2;
    case NAT_DIV: return 3;
    case NAT_MOD: return 4;
    case NAT_MIN: return 5;
    case NAT_MAX: return 6;
    case NAT_PRODUCT: return 7;
    case NAT_SUM: return 8;
    default: return 9;
    }
}

static int compare_names(Sym a, Sym b)
{
    size_t len = a->len < b->len ? a->len : b->len;
    int c = memcmp(a->text, b->text, len);
    return c ? c : sign(a->len, b->len);
}

int nat_compare(Node *a, Node *b)
{
    if (a == b) return 0;
    int c = sign(kind_order(a), kind_order(b));
    if (c) return c;
    if (a->kind == NAT_VAR) return compare_names(a->attr.sym, b->attr.sym);
    // Equal operands are the same pointer, so this descends along only one path.
    for (uint32_t k = 0; k < a->nops && k < b->nops; k++)
        if ((c = nat_compare(a->op[k], b->op[k]))) return c;
    c = sign(a->nops, b->nops);
    return c ? c : sign(a->attr.i, b->attr.i);
}

int term_compare(const void *x, const void *y)
{
    return compare_monos(((const Term *)x)->mono, ((const Term *)y)->mono);
}
