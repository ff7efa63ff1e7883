// Sizes and positions in C.
#include "emit/text/text.h"

#include <inttypes.h>

// Writes f(a, b), where f is the function of a support section.
static void size_call(Emitter *e, const char *section, Spell *spell, Node *a, Node *b)
{
    support_need(e, section);
    text_printf(e->out, "adze_%s(", section);
    spell(e, a, PREC_ANY);
    text_put(e->out, ", ");
    spell(e, b, PREC_ANY);
    text_char(e->out, ')');
}

// Writes a quotient or remainder. If a >= 0, C's a / b is floor division, since b is always
// positive. Otherwise, writes a call.
static void size_quotient(Emitter *e, Node *n, int min)
{
    bool div = n->kind == NAT_DIV;
    if (nat_ge0(e->cx, e->facts, n->op[0]) != TRUTH_YES) {
        size_call(e, div ? "floor_div" : "floor_mod", emit_size, n->op[0], n->op[1]);
        return;
    }
    bool p = emit_open(e, PREC_MUL, min);
    emit_size(e, n->op[0], PREC_MUL);
    text_put(e->out, div ? "/" : "%");
    emit_size(e, n->op[1], PREC_UNARY);
    emit_close(e, p);
}

// Writes x*x*x for a small constant exponent, and a call otherwise.
static void size_power(Emitter *e, Node *n, int min)
{
    int64_t k;
    if (!nat_is_const(n->op[1], &k) || k < 1 || k > 8) {
        size_call(e, "size_pow", emit_size, n->op[0], n->op[1]);
        return;
    }
    bool p = emit_open(e, PREC_MUL, min);
    for (int64_t i = 0; i < k; i++) {
        if (i) text_char(e->out, '*');
        emit_size(e, n->op[0], PREC_UNARY);
    }
    emit_close(e, p);
}

// Writes a number without its sign, which the caller writes. -2^63 keeps its sign, since 2^63 does
// not fit in 64 bits.
static void magnitude(Emitter *e, int64_t k)
{
    if (k == INT64_MIN)
        text_put(e->out, "INT64_MIN");
    else
        text_printf(e->out, "%" PRId64, k < 0 ? -k : k);
}

// Writes |coefficient| times the atoms.
static void size_product(Emitter *e, Node *n)
{
    int64_t c = n->attr.i == -1 ? 1 : n->attr.i;
    if (c != 1) {
        magnitude(e, c);
        text_char(e->out, '*');
    }
    for (uint32_t i = 0; i < n->nops; i++) {
        if (i) text_char(e->out, '*');
        // The first factor may itself be a product or quotient: C parses a/b*c as (a/b)*c.
        emit_size(e, n->op[i], i == 0 && c == 1 ? PREC_MUL : PREC_UNARY);
    }
}

// Whether a minus is written before the magnitude of the term.
static bool is_negative(Node *n)
{
    return (n->kind == NAT_PRODUCT || n->kind == NAT_CONST) && n->attr.i < 0 &&
           n->attr.i != INT64_MIN;
}

static void size_term(Emitter *e, Node *n)
{
    if (n->kind == NAT_PRODUCT)
        size_product(e, n);
    else if (n->kind == NAT_CONST)
        magnitude(e, n->attr.i);
    else
        emit_size(e, n, PREC_MUL);
}

static void size_terms(Emitter *e, Node *n, bool first)
{
    for (int negative = 0; negative < 2; negative++) { // positive terms first: n - 1, not -1 + n
        for (uint32_t i = 0; i < n->nops; i++) {
            if (is_negative(n->op[i]) != (bool)negative) continue;
            text_put(e->out, first ? (negative ? "-" : "") : (negative ? " - " : " + "));
            size_term(e, n->op[i]);
            first = false;
        }
    }
}

// Writes " + r" after another term, or nothing if r is 0.
static void size_rest(Emitter *e, Node *r)
{
    Node *quotient, *rest;
    if (r->kind == NAT_CONST && r->attr.i == 0) return;
    if (r->kind == NAT_SUM && !strides_divide(e, r, &quotient, &rest)) {
        size_terms(e, r, false);
        return;
    }
    text_put(e->out, is_negative(r) ? " - " : " + ");
    if (r->kind == NAT_SUM)
        emit_size(e, r, PREC_ADD);
    else
        size_term(e, r);
}

// Writes a sum, as quotient*stride + rest if this is shorter: (i + 1)*(w + 2) + j.
static void size_sum(Emitter *e, Node *n)
{
    Node *quotient, *rest, *stride = strides_divide(e, n, &quotient, &rest);
    if (!stride || is_negative(quotient)) {
        size_terms(e, n, true);
        return;
    }
    emit_size(e, quotient, PREC_MUL);
    text_char(e->out, '*');
    emit_size(e, stride, PREC_UNARY);
    size_rest(e, rest);
}

// Writes a size that depends on a comparison as `left > right ? a : b`.
static void size_choice(Emitter *e, const NatChoice *c, Spell *spell, int min)
{
    bool p = emit_open(e, PREC_TERNARY, min);
    bool different = c->relation == NAT_DIFFERENT;
    emit_size(e, c->left, different ? PREC_EQ : PREC_REL);
    text_put(e->out, different ? " != " : " > ");
    emit_size(e, c->right, different ? PREC_EQ : PREC_REL);
    text_put(e->out, " ? ");
    spell(e, c->holds, PREC_OR);
    text_put(e->out, " : ");
    spell(e, c->fails, PREC_TERNARY);
    emit_close(e, p);
}

static void size_name(Emitter *e, Sym name, int min)
{
    bool casts = e->wide_size && map_get(&e->positions->names, MAP_KEY(name));
    bool p = casts && emit_open(e, PREC_UNARY, min);
    text_printf(e->out, "%s%s", casts ? "(int64_t)" : "", names_use(e, name));
    emit_close(e, p);
}

static void size_by_kind(Emitter *e, Node *n, int min);

// Writes a size. In a kernel, one with integers that may not fit in 32 bits has 64 bits.
void emit_size(Emitter *e, Node *n, int min)
{
    if (!e->positions || e->in_size) {
        size_by_kind(e, n, min);
        return;
    }
    e->in_size = true;
    e->wide_size = n->kind != NAT_VAR && !device_is_narrow(e->positions, n);
    size_by_kind(e, n, min);
    e->in_size = e->wide_size = false;
}

// A constant beyond 64 bits can only come from an index that is out of bounds, and
// the check of that index has failed by then, so any number may replace the constant.
static void size_by_kind(Emitter *e, Node *n, int min)
{
    bool p;
    NatChoice choice;
    if (nat_as_choice(e->cx, e->facts, n, &choice)) {
        size_choice(e, &choice, emit_size, min);
        return;
    }
    switch (n->kind) {
    case NAT_CONST:
        p = emit_open(e, is_negative(n) ? PREC_UNARY - 1 : PREC_PRIMARY, min);
        if (is_negative(n)) text_char(e->out, '-');
        magnitude(e, n->attr.i);
        emit_close(e, p);
        return;
    case NAT_VAR: size_name(e, n->attr.sym, min); return;
    case NAT_SUM:
        p = emit_open(e, PREC_ADD, min);
        size_sum(e, n);
        emit_close(e, p);
        return;
    case NAT_PRODUCT:
        p = emit_open(e, is_negative(n) ? PREC_UNARY - 1 : PREC_MUL, min);
        if (is_negative(n)) text_char(e->out, '-');
        size_product(e, n);
        emit_close(e, p);
        return;
    case NAT_DIV:
    case NAT_MOD: size_quotient(e, n, min); return;
    case NAT_MIN: size_call(e, "size_min", emit_size, n->op[0], n->op[1]); return;
    case NAT_MAX: size_call(e, "size_max", emit_size, n->op[0], n->op[1]); return;
    case NAT_POW: size_power(e, n, min); return;
    case NAT_OVERFLOW: text_char(e->out, '0'); return;
    default: CHECK(e->cx, false, "%s is not a size that can be computed", kind_info[n->kind].text);
    }
}

static void saturating_call(Emitter *e, const char *section, Node *a, Node *b)
{
    size_call(e, section, emit_saturating_size, a, b);
}

// Writes the sum of the first k + 1 terms, or the product of the first k + 1 factors, as nested
// calls in the order in which emit_size computes them.
static void saturating_first(Emitter *e, Node *n, uint32_t k)
{
    bool sum = n->kind == NAT_SUM, factor = !sum && n->attr.i != 1;
    if (k == 0 && !factor) {
        emit_saturating_size(e, n->op[0], PREC_ANY);
        return;
    }
    const char *section = sum ? "sat_add" : "sat_mul";
    support_need(e, section);
    text_printf(e->out, "adze_%s(", section);
    if (k == 0)
        emit_size(e, nat_const(e->cx, n->attr.i), PREC_ANY);
    else
        saturating_first(e, n, k - 1);
    text_put(e->out, ", ");
    emit_saturating_size(e, n->op[k], PREC_ANY);
    text_char(e->out, ')');
}

void emit_saturating_size(Emitter *e, Node *n, int min)
{
    int64_t k;
    NatChoice choice;
    Node *quotient, *rest, *stride = strides_divide(e, n, &quotient, &rest);
    if (n->kind == NAT_OVERFLOW) {
        text_put(e->out, "INT64_MAX");
    } else if (nat_as_choice(e->cx, e->facts, n, &choice)) {
        size_choice(e, &choice, emit_saturating_size, min);
    } else if (stride && rest->kind == NAT_CONST && rest->attr.i == 0) {
        saturating_call(e, "sat_mul", quotient, stride);
    } else if (n->kind == NAT_PRODUCT || n->kind == NAT_SUM) {
        saturating_first(e, n, n->nops - 1);
    } else if (n->kind == NAT_POW && nat_is_const(n->op[1], &k) && k > 1) {
        Node *less = nat_pow(e->cx, n->op[0], nat_const(e->cx, k - 1));
        saturating_call(e, "sat_mul", n->op[0], less);
    } else if (n->kind == NAT_POW && !nat_is_const(n->op[1], &k)) {
        saturating_call(e, "sat_pow", n->op[0], n->op[1]);
    } else if (n->kind == NAT_DIV && n->op[0]->kind != NAT_VAR) {
        saturating_call(e, "sat_div", n->op[0], n->op[1]);
    } else if (n->kind == NAT_MIN || n->kind == NAT_MAX) {
        saturating_call(e, n->kind == NAT_MIN ? "size_min" : "size_max", n->op[0], n->op[1]);
    } else {
        emit_size(e, n, min);
    }
}
