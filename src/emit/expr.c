// Expressions and positions in C, with the parentheses C needs and those gcc's -Wparentheses asks
// for.
#include "emit/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Scalar emit_scalar_of(Node *type)
{
    return type->kind == TYPE_SCALAR ? (Scalar)type->attr.i : SCALAR_I64;
}

const char *emit_ctype(const Emitter *e, Scalar s)
{
    if (e->options->field && scalar_info[s].class == CLASS_FLOAT) return "adze_field";
    return scalar_info[s].ctype;
}

static bool open(Emitter *e, int own, int min)
{
    if (own < min) text_char(e->out, '(');
    return own < min;
}

static void close(Emitter *e, bool opened)
{
    if (opened) text_char(e->out, ')');
}

// --- sizes
// -------------------------------------------------------------------------------------------

static void size_call(Emitter *e, const char *section, Node *n)
{
    support_need(e, section);
    text_printf(e->out, "adze_%s(", section);
    emit_size(e, n->op[0], PREC_ANY);
    text_put(e->out, ", ");
    emit_size(e, n->op[1], PREC_ANY);
    text_char(e->out, ')');
}

// a / b in C is floor division when a >= 0 (b > 0 always).
static void size_quotient(Emitter *e, Node *n, int min)
{
    bool div = n->kind == NAT_DIV;
    if (nat_ge0(e->cx, e->facts, n->op[0]) != TRUTH_YES) {
        size_call(e, div ? "floor_div" : "floor_mod", n);
        return;
    }
    bool p = open(e, PREC_MUL, min);
    emit_size(e, n->op[0], PREC_MUL);
    text_put(e->out, div ? "/" : "%");
    emit_size(e, n->op[1], PREC_UNARY);
    close(e, p);
}

// x*x*x for a constant exponent, a call otherwise.
static void size_power(Emitter *e, Node *n, int min)
{
    int64_t k;
    if (!nat_is_const(n->op[1], &k) || k < 1 || k > 8) {
        size_call(e, "size_pow", n);
        return;
    }
    bool p = open(e, PREC_MUL, min);
    for (int64_t i = 0; i < k; i++) {
        if (i) text_char(e->out, '*');
        emit_size(e, n->op[0], PREC_UNARY);
    }
    close(e, p);
}

// |coefficient| times the atoms; the sign is the caller's.
static void size_product(Emitter *e, Node *n)
{
    uint64_t c = n->attr.i < 0 ? 0 - (uint64_t)n->attr.i : (uint64_t)n->attr.i;
    if (c != 1) text_printf(e->out, "%" PRIu64 "*", c);
    for (uint32_t i = 0; i < n->nops; i++) {
        if (i) text_char(e->out, '*');
        // The first factor may be a product or quotient itself: a/b*c reads from the left.
        emit_size(e, n->op[i], i == 0 && c == 1 ? PREC_MUL : PREC_UNARY);
    }
}

static bool is_negative(Node *n)
{
    return (n->kind == NAT_PRODUCT || n->kind == NAT_CONST) && n->attr.i < 0;
}

static void size_term(Emitter *e, Node *n)
{
    if (n->kind == NAT_PRODUCT)
        size_product(e, n);
    else if (n->kind == NAT_CONST)
        text_printf(e->out, "%" PRIu64, n->attr.i < 0 ? 0 - n->attr.bits : n->attr.bits);
    else
        emit_size(e, n, PREC_MUL);
}

// How many terms of a sum have `atom` as a factor, or, with atom NULL, the coefficient +-c.
static int terms_with(Node *sum, Node *atom, int64_t c)
{
    int count = 0;
    for (uint32_t i = 0; i < sum->nops; i++) {
        Node *t = sum->op[i];
        bool has = !atom && t->kind == NAT_PRODUCT && (t->attr.i == c || t->attr.i == -c);
        if (t->kind == NAT_PRODUCT)
            for (uint32_t k = 0; atom && k < t->nops && !has; k++) has = t->op[k] == atom;
        count += has || (atom && t == atom);
    }
    return count;
}

// The factor shared by most terms of a sum, at least two: (i + k)*w + j rather than i*w + k*w + j.
// NULL: none.
static Node *common_factor(Session *cx, Node *sum)
{
    Node *best = NULL;
    int most = 1;
    for (uint32_t i = 0; i < sum->nops; i++) {
        Node *t = sum->op[i];
        if (t->kind != NAT_PRODUCT) continue;
        for (uint32_t k = 0; k < t->nops; k++) {
            int count = terms_with(sum, t->op[k], 0);
            if (count > most) most = count, best = t->op[k];
        }
    }
    for (uint32_t i = 0; !best && i < sum->nops; i++) {
        Node *t = sum->op[i];
        int64_t c = t->kind == NAT_PRODUCT && t->attr.i > 1 ? t->attr.i : 0;
        if (c && terms_with(sum, NULL, c) > 1) best = nat_const(cx, c);
    }
    return best;
}

// t without the factor, or NULL when it does not have it.
static Node *without_factor(Session *cx, Node *t, Node *factor)
{
    int64_t c;
    if (t == factor) return nat_const(cx, 1);
    if (t->kind != NAT_PRODUCT) return NULL;
    bool found = nat_is_const(factor, &c) && (t->attr.i == c || t->attr.i == -c);
    Node *rest = nat_const(cx, found ? t->attr.i / c : t->attr.i);
    for (uint32_t k = 0; k < t->nops; k++) {
        if (!found && t->op[k] == factor)
            found = true;
        else
            rest = nat_mul(cx, rest, t->op[k]);
    }
    return found ? rest : NULL;
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

// A sum with its common factor taken out: (quotients)*factor + the other terms.
static void size_sum(Emitter *e, Node *n)
{
    Session *cx = e->cx;
    Node *factor = common_factor(cx, n), *inside = nat_const(cx, 0), *others = inside;
    for (uint32_t i = 0; factor && i < n->nops; i++) {
        Node *rest = without_factor(cx, n->op[i], factor);
        if (rest)
            inside = nat_add(cx, inside, rest);
        else
            others = nat_add(cx, others, n->op[i]);
    }
    // Putting terms together may make them fewer; then they stay as they are.
    if (!factor || inside->kind != NAT_SUM ||
        nat_add(cx, nat_mul(cx, inside, factor), others) != n) {
        size_terms(e, n, true);
        return;
    }
    text_char(e->out, '(');
    emit_size(e, inside, PREC_ANY);
    text_put(e->out, ")*");
    emit_size(e, factor, PREC_UNARY);
    if (others->kind == NAT_SUM) {
        if (common_factor(cx, others)) {
            text_put(e->out, " + ");
            size_sum(e, others);
        } else {
            size_terms(e, others, false);
        }
    } else if (others->kind != NAT_CONST || others->attr.i != 0) {
        text_put(e->out, is_negative(others) ? " - " : " + ");
        size_term(e, others);
    }
}

void emit_size(Emitter *e, Node *n, int min)
{
    bool p;
    switch (n->kind) {
    case NAT_CONST:
        if (n->attr.i == INT64_MIN) {
            text_put(e->out, "INT64_MIN");
            return;
        }
        p = open(e, n->attr.i < 0 ? PREC_UNARY - 1 : PREC_PRIMARY, min);
        text_printf(e->out, "%" PRId64, n->attr.i);
        close(e, p);
        return;
    case NAT_VAR: text_put(e->out, names_use(e, n->attr.sym)); return;
    case NAT_SUM:
        p = open(e, PREC_ADD, min);
        size_sum(e, n);
        close(e, p);
        return;
    case NAT_PRODUCT:
        p = open(e, n->attr.i < 0 ? PREC_UNARY - 1 : PREC_MUL, min);
        if (n->attr.i < 0) text_char(e->out, '-');
        size_product(e, n);
        close(e, p);
        return;
    case NAT_DIV:
    case NAT_MOD: size_quotient(e, n, min); return;
    case NAT_MIN: size_call(e, "size_min", n); return;
    case NAT_MAX: size_call(e, "size_max", n); return;
    case NAT_POW: size_power(e, n, min); return;
    default: CHECK(e->cx, false, "%s is not a size that can be computed", kind_info[n->kind].text);
    }
}

void emit_saturating_size(Emitter *e, Node *n)
{
    if (n->kind != NAT_PRODUCT && n->kind != NAT_SUM) {
        emit_size(e, n, PREC_ANY);
        return;
    }
    bool sum = n->kind == NAT_SUM;
    bool factor = !sum && n->attr.i != 1;
    uint32_t count = n->nops + (factor ? 1 : 0);
    for (uint32_t i = 1; i < count; i++) {
        support_need(e, sum ? "sat_add" : "sat_mul");
        text_put(e->out, sum ? "adze_sat_add(" : "adze_sat_mul(");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i) text_put(e->out, ", ");
        if (i == n->nops)
            text_printf(e->out, "%" PRId64, n->attr.i);
        else
            emit_saturating_size(e, n->op[i]);
        if (i) text_char(e->out, ')');
    }
}

// --- literals
// ----------------------------------------------------------------------------------------

static void float_literal(Emitter *e, Scalar s, double x, int min)
{
    if (e->options->field) {
        text_printf(e->out, "UINT64_C(%" PRIu64 ")", field_from_double(x));
        return;
    }
    const char *suffix = s == SCALAR_F64 ? "" : "f";
    char text[40];
    if (s == SCALAR_F16) {
        support_need(e, "f16");
        text_put(e->out, "adze_f16_from(");
        min = PREC_ANY;
    }
    bool p = open(e, signbit(x) ? PREC_UNARY : PREC_PRIMARY, min);
    if (isnan(x)) {
        text_put(e->out, s == SCALAR_F64 ? "(double)NAN" : "NAN");
    } else if (isinf(x)) {
        text_put(e->out, x < 0 ? "-INFINITY" : "INFINITY");
    } else { // the shortest text that reads back to the same value
        for (int digits = 1; digits <= 17; digits++) {
            snprintf(text, sizeof text, "%.*g", digits, x);
            if (s == SCALAR_F64 ? strtod(text, NULL) == x : strtof(text, NULL) == (float)x) break;
        }
        text_put(e->out, text);
        if (!strpbrk(text, ".e")) text_put(e->out, ".0");
        text_put(e->out, suffix);
    }
    close(e, p);
    if (s == SCALAR_F16) text_char(e->out, ')');
}

static void literal(Emitter *e, Node *x, int min)
{
    Scalar s = emit_scalar_of(x->type);
    int64_t i = x->attr.i;
    double number;
    bool p;
    switch (scalar_info[s].class) {
    case CLASS_BOOL: text_put(e->out, i ? "true" : "false"); return;
    case CLASS_FLOAT:
        memcpy(&number, &x->attr.bits, sizeof number);
        float_literal(e, s, number, min);
        return;
    case CLASS_UINT:
        text_printf(e->out, "%" PRIu64 "%s", x->attr.bits,
                    s == SCALAR_U64   ? "ull"
                    : s == SCALAR_U32 ? "u"
                                      : "");
        return;
    case CLASS_INT:
        p = open(e, i < 0 ? PREC_UNARY : PREC_PRIMARY, min);
        if (i == INT64_MIN || (s == SCALAR_I32 && i == INT32_MIN))
            text_put(e->out, i == INT64_MIN ? "INT64_MIN" : "INT32_MIN");
        else
            text_printf(e->out, "%" PRId64, i);
        close(e, p);
        return;
    }
}

// --- expressions
// -------------------------------------------------------------------------------------

static void load(Emitter *e, Node *x)
{
    const LoopParam *p = map_get(&e->params, MAP_KEY(x->attr.sym));
    const char *name = names_use(e, x->attr.sym);
    if (p && p->rank == 0) {
        text_printf(e->out, "*%s", name);
        return;
    }
    text_printf(e->out, "%s[", name);
    emit_size(e, x->op[0], PREC_ANY);
    text_char(e->out, ']');
}

void emit_expr(Emitter *e, Node *x, int min)
{
    bool p;
    switch (x->kind) {
    case CORE_LIT: literal(e, x, min); return;
    case CORE_NAT: emit_size(e, x->op[0], min); return;
    case CORE_PRIM: emit_prim(e, x, min); return;
    case CORE_CAST: emit_cast(e, x, min); return;
    case LOOP_VAR: text_put(e->out, names_use(e, x->attr.sym)); return;
    case LOOP_LOAD: load(e, x); return;
    case LOOP_SELECT:
        p = open(e, PREC_TERNARY, min);
        emit_expr(e, x->op[0], PREC_OR);
        text_put(e->out, " ? ");
        emit_expr(e, x->op[1], PREC_TERNARY);
        text_put(e->out, " : ");
        emit_expr(e, x->op[2], PREC_TERNARY);
        close(e, p);
        return;
    default: CHECK(e->cx, false, "%s is not an expression of Loop IR", kind_info[x->kind].text);
    }
}
