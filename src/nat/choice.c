// Sizes that choose between two sizes. Sizes have no `if` among their operators, so that
// `if x > y { a } else { b }` is b + (a - b)*c, where c is 1 if x > y and 0 otherwise: c is
// min(max(x - y, 0), 1). This finds a, b and the comparison again.
#include "nat/internal.h"

static bool is_one(Node *e)
{
    return e->kind == NAT_CONST && e->attr.i == 1;
}

static void mark_index(Node *atom, void *env)
{
    void **at = env;
    Node *lo, *hi = NULL;
    if (atom->kind == NAT_VAR) facts_range_of(at[0], at[1], atom->attr.sym, &lo, &hi);
    *(bool *)at[2] |= hi != NULL;
}

// Whether `e` depends on a name with an upper bound, which may be the index of a loop.
static bool depends_on_index(Session *cx, const Facts *f, Node *e)
{
    bool found = false;
    void *env[] = {cx, (void *)(uintptr_t)f, &found};
    nat_atoms(cx, e, mark_index, env);
    return found;
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
static bool is_indicator(Session *cx, const Facts *f, Node *atom, bool multiplied,
                         NatChoice *choice)
{
    Node *zero = nat_const(cx, 0);
    if (atom->kind == NAT_MOD && nat_is_const(atom->op[1], &(int64_t){0})) {
        bool parity = atom->op[1]->attr.i == 2 && multiplied && !depends_on_index(cx, f, atom);
        *choice = (NatChoice){.left = atom, .right = zero, .relation = NAT_DIFFERENT};
        return parity;
    }
    if (atom->kind != NAT_MIN || !(is_one(atom->op[0]) || is_one(atom->op[1]))) return false;
    Node *e = atom->op[is_one(atom->op[0])];
    if (depends_on_index(cx, f, e)) return false;
    if (e->kind != NAT_MAX) {
        *choice = (NatChoice){.left = e, .right = zero, .relation = NAT_MORE};
        return multiplied && nat_ge0(cx, f, e) == TRUTH_YES;
    }
    compare_with_zero(cx, e->op[nat_is_zero(e->op[0])], choice);
    if (nat_is_zero(e->op[0]) || nat_is_zero(e->op[1])) return true;
    choice->relation = NAT_DIFFERENT;
    return nat_is_zero(nat_add(cx, e->op[0], e->op[1]));
}

static Node *find_indicator(Session *cx, const Facts *f, Node *term, NatChoice *choice)
{
    if (term->kind != NAT_PRODUCT) return is_indicator(cx, f, term, false, choice) ? term : NULL;
    for (uint32_t k = 0; k < term->nops; k++)
        if (is_indicator(cx, f, term->op[k], term->nops > 1, choice)) return term->op[k];
    return NULL;
}

bool nat_as_choice(Session *cx, const Facts *f, Node *e, NatChoice *choice)
{
    bool sum = e->kind == NAT_SUM;
    if (!sum && e->kind != NAT_PRODUCT) return false;
    Node *atom = NULL;
    for (uint32_t k = 0; k < (sum ? e->nops : 1) && !atom; k++)
        atom = find_indicator(cx, f, sum ? e->op[k] : e, choice);
    if (!atom) return false;
    choice->holds = nat_replace_node(cx, e, atom, nat_const(cx, 1));
    choice->fails = nat_replace_node(cx, e, atom, nat_const(cx, 0));
    return true;
}
