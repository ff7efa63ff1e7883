// Sizes that choose between two sizes. Sizes have no `if` among their operators, so that
// `if x > y { a } else { b }` is b + (a - b)*c, where c is 1 if x > y and 0 otherwise: c is
// min(max(x - y, 0), 1). This finds a, b and the comparison again.
#include "nat/internal.h"

static bool is_one(Node *e)
{
    return e->kind == NAT_CONST && e->attr.i == 1;
}

// Sets *choice to the terms of `e` of either sign, so that e > 0 if and only if the left is greater
// than the right.
static void compare_with_zero(Session *cx, Node *e, NatChoice *choice)
{
    Node *zero = nat_const(cx, 0);
    choice->left = choice->right = zero;
    choice->relation = NAT_MORE;
    Terms t;
    terms_of(cx, &t, e);
    for (int i = 0; i < t.len; i++) {
        Node *term = nat_of_term(cx, 1, t.at[i].mono);
        bool less = t.at[i].coeff < 0;
        term = nat_mul(cx, nat_const(cx, less ? -t.at[i].coeff : t.at[i].coeff), term);
        Node **side = less ? &choice->right : &choice->left;
        *side = nat_add(cx, *side, term);
    }
    terms_free(&t);
}

// Whether the atom is 1 if a comparison holds and 0 otherwise. Sets the comparison in *choice.
// `multiplied` says whether the atom is multiplied by another: by itself, a minimum or remainder is
// more readable than a comparison.
static bool is_indicator(Session *cx, Node *atom, bool multiplied, AcceptsCompared *accepts,
                         const void *env, NatChoice *choice)
{
    Node *zero = nat_const(cx, 0);
    int64_t two;
    if (atom->kind == NAT_MOD) {
        *choice = (NatChoice){.left = atom, .right = zero, .relation = NAT_DIFFERENT};
        bool parity = nat_is_const(atom->op[1], &two) && two == 2;
        return parity && multiplied && accepts(atom, false, env);
    }
    if (atom->kind != NAT_MIN || !(is_one(atom->op[0]) || is_one(atom->op[1]))) return false;
    Node *e = atom->op[is_one(atom->op[0])];
    if (e->kind != NAT_MAX) {
        *choice = (NatChoice){.left = e, .right = zero, .relation = NAT_MORE};
        return multiplied && accepts(e, true, env);
    }
    compare_with_zero(cx, e->op[nat_is_zero(e->op[0])], choice);
    bool positive = nat_is_zero(e->op[0]) || nat_is_zero(e->op[1]);
    if (!positive) choice->relation = NAT_DIFFERENT;
    return (positive || nat_is_zero(nat_add(cx, e->op[0], e->op[1]))) && accepts(e, false, env);
}

static Node *find_indicator(Session *cx, Node *term, AcceptsCompared *accepts, const void *env,
                            NatChoice *choice)
{
    bool product = term->kind == NAT_PRODUCT;
    for (uint32_t k = 0; k < (product ? term->nops : 1); k++) {
        Node *atom = product ? term->op[k] : term;
        if (is_indicator(cx, atom, product && term->nops > 1, accepts, env, choice)) return atom;
    }
    return NULL;
}

bool choice_find(Session *cx, Node *e, AcceptsCompared *accepts, const void *env, NatChoice *choice)
{
    bool sum = e->kind == NAT_SUM;
    if (!sum && e->kind != NAT_PRODUCT) return false;
    Node *atom = NULL;
    for (uint32_t k = 0; k < (sum ? e->nops : 1) && !atom; k++)
        atom = find_indicator(cx, sum ? e->op[k] : e, accepts, env, choice);
    if (!atom) return false;
    choice->holds = nat_replace_node(cx, e, atom, nat_const(cx, 1));
    choice->fails = nat_replace_node(cx, e, atom, nat_const(cx, 0));
    return true;
}
