// Proofs that replace a name with the value that a fact gives it. For example, if a fact says that
// k == 0, pow(2, k) is 1. If it says that k >= 1, k is j + 1 for some j >= 0, which shows that
// pow(2, k) is twice pow(2, k - 1).
#include "ir/walk.h"
#include "nat/internal.h"

typedef struct {
    Session *cx;
    Node *e;
    bool zero, proved;
} Question;

// Whether a name occurs in an exponent. Proofs that work on the terms of a sum cannot use facts
// about such a name.
static bool is_exponent(Node *e, Node *name)
{
    if (e->kind == NAT_POW && nat_occurs(e->op[1], name)) return true;
    for (uint32_t i = 0; i < e->nops; i++)
        if (is_exponent(e->op[i], name)) return true;
    return false;
}

static void ask_with(Question *q, Node *name, Node *value)
{
    NodeBinding with = {name->attr.sym, value};
    Node *e = node_replace_names(q->cx, q->e, &with, 1), *zero = nat_const(q->cx, 0);
    Facts *none = facts_new(q->cx, q->cx->arena, NULL);
    Truth t = q->zero ? nat_eq(q->cx, none, e, zero) : nat_ge0(q->cx, none, e);
    q->proved |= t == TRUTH_YES;
}

// Tries to prove the goal from fact == 0 (if `zero` is set) or fact >= 0.
static void try_fact(Node *fact, bool zero, void *env)
{
    Question *q = env;
    Session *cx = q->cx;
    Terms terms;
    terms_of(cx, &terms, fact);
    int64_t constant = nat_constant_part(fact);
    for (int i = 0; i < terms.len && !q->proved; i++) {
        Node *name = terms.at[i].mono;
        int64_t c = terms.at[i].coeff;
        if (!name || name->kind != NAT_VAR || !is_exponent(q->e, name)) continue;
        Node *rest = nat_sub(cx, fact, nat_mul(cx, nat_const(cx, c), name));
        if (zero && (c == 1 || c == -1) && !nat_occurs(rest, name))
            ask_with(q, name, c == 1 ? nat_sub(cx, nat_const(cx, 0), rest) : rest);
        if (!zero && c == 1 && constant < 0 && rest->kind == NAT_CONST)
            ask_with(q, name, nat_sub(cx, name, rest));
    }
    terms_free(&terms);
}

static bool is_power(Node *e, void *env)
{
    (void)env;
    return e->kind == NAT_POW;
}

bool nat_holds_by_definition(Session *cx, const Facts *f, Node *e, bool zero)
{
    Question q = {cx, e, zero, false};
    if (node_any(e, is_power, NULL)) facts_each(f, try_fact, &q);
    return q.proved;
}
