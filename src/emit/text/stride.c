// Writes positions as a person would. They are polynomials in normal form, such as i*w + j + w +
// 2*i + 2, where a person would write (i + 1)*(w + 2) + j. So a sum is divided by possible row
// lengths: the dimensions and loop bounds in scope, and its own variables and coefficients.
#include "emit/text/text.h"

void strides_add(Emitter *e, Node *size)
{
    if (size->kind != NAT_SUM) return; // variables and constants are tried anyway
    for (int i = 0; i < e->strides.len; i++)
        if (e->strides.at[i] == size) return;
    vec_push(e->arena, &e->strides, size);
}

static int length(Node *n)
{
    return n->kind == NAT_SUM ? (int)n->nops : 1;
}

// Returns the term without one factor `atom`, or NULL if it has no such factor.
static Node *without(Session *cx, Node *t, Node *atom)
{
    if (t == atom) return nat_const(cx, 1);
    if (t->kind != NAT_PRODUCT) return NULL;
    bool found = false;
    Node *rest = nat_const(cx, t->attr.i);
    for (uint32_t k = 0; k < t->nops; k++) {
        if (!found && t->op[k] == atom)
            found = true;
        else
            rest = nat_mul(cx, rest, t->op[k]);
    }
    return found ? rest : NULL;
}

// Returns the sum of the terms of n that contain `atom`, divided by `atom`.
static Node *coefficient(Session *cx, Node *n, Node *atom)
{
    Node *sum = nat_const(cx, 0);
    for (uint32_t i = 0; i < n->nops; i++) {
        Node *rest = without(cx, n->op[i], atom);
        if (rest) sum = nat_add(cx, sum, rest);
    }
    return sum;
}

// Returns the sum of the terms whose coefficients are multiples of c, divided by c.
static Node *multiples(Session *cx, Node *n, int64_t c)
{
    Node *sum = nat_const(cx, 0);
    for (uint32_t i = 0; i < n->nops; i++) {
        Node *t = n->op[i];
        if (t->kind != NAT_PRODUCT || t->attr.i % c != 0) continue;
        sum = nat_add(cx, sum, nat_div(cx, t, nat_const(cx, c)));
    }
    return sum;
}

// Rates how hard a size is to read, by the number of its terms plus the number of its minus signs.
// For example, i + 2 reads better than i - 2*j.
static int cost(Node *n)
{
    int minus = 0;
    for (uint32_t i = 0; n->kind == NAT_SUM && i < n->nops; i++)
        minus +=
            (n->op[i]->kind == NAT_PRODUCT || n->op[i]->kind == NAT_CONST) && n->op[i]->attr.i < 0;
    return length(n) + minus;
}

typedef struct {
    Node *stride, *quotient, *rest;
    int length;
} Division;

typedef struct {
    Node *other;
    bool found;
} Shared;

static void note_occurrence(Node *atom, void *env)
{
    Shared *s = env;
    s->found |= nat_occurs(s->other, atom);
}

// Whether quotient and rest have a variable in common, which they do not if the stride is a row
// length.
static bool share_atoms(Session *cx, Node *quotient, Node *rest)
{
    Shared s = {rest, false};
    nat_atoms(cx, quotient, note_occurrence, &s);
    return s.found;
}

// Keeps the division n = quotient*stride + rest if it is the shortest so far.
static void consider(Session *cx, Division *best, Node *n, Node *stride, Node *quotient)
{
    if (quotient->kind == NAT_CONST || quotient->kind == NAT_OVERFLOW) return;
    Node *product = nat_mul(cx, quotient, stride), *rest = nat_sub(cx, n, product);
    if (nat_add(cx, product, rest) != n || share_atoms(cx, quotient, rest)) return;
    bool zero = rest->kind == NAT_CONST && rest->attr.i == 0;
    int len = cost(quotient) + 1 + (zero ? 0 : cost(rest)); // a stride counts as one term
    if (len < best->length) *best = (Division){stride, quotient, rest, len};
}

static void consider_sum(Session *cx, Division *best, Node *n, Node *stride)
{
    for (uint32_t k = 0; k < stride->nops; k++) { // divides by each term of the stride
        Node *lead = stride->op[k];
        if (lead->kind == NAT_PRODUCT && lead->nops == 1) {
            Node *q = nat_div(cx, coefficient(cx, n, lead->op[0]), nat_const(cx, lead->attr.i));
            consider(cx, best, n, stride, q);
        } else if (lead->kind == NAT_VAR) {
            consider(cx, best, n, stride, coefficient(cx, n, lead));
        }
    }
}

static void consider_own_factors(Session *cx, Division *best, Node *n)
{
    for (uint32_t i = 0; i < n->nops; i++) {
        Node *t = n->op[i];
        if (t->kind != NAT_PRODUCT) continue;
        for (uint32_t k = 0; k < t->nops; k++) {
            Node *q = coefficient(cx, n, t->op[k]);
            if (length(q) > 1) consider(cx, best, n, t->op[k], q);
        }
        if (t->attr.i > 1) {
            Node *q = multiples(cx, n, t->attr.i);
            if (length(q) > 1) consider(cx, best, n, nat_const(cx, t->attr.i), q);
        }
    }
}

Node *strides_divide(Emitter *e, Node *n, Node **quotient, Node **rest)
{
    if (n->kind != NAT_SUM || n->nops > 24) return NULL;
    // A sum times a stride is worth a pair of parentheses, because it shows which row is meant.
    Division best = {.length = cost(n) + 2};
    for (int i = 0; i < e->strides.len; i++) consider_sum(e->cx, &best, n, e->strides.at[i]);
    if (!best.stride) consider_own_factors(e->cx, &best, n);
    *quotient = best.quotient;
    *rest = best.rest;
    return best.stride;
}
