// Conditions on sizes. Those of a function hold for its caller too, with the caller's sizes put in;
// those that cannot be proved from what the entry states are collected and tested when the entry
// starts.
#include "staging/internal.h"

static Truth truth_of(Stage *s, const SizeCheck *c)
{
    Truth t;
    switch (c->relation) {
    case SIZE_LE: return nat_le(s->cx, s->facts, c->left, c->right);
    case SIZE_EQ: return nat_eq(s->cx, s->facts, c->left, c->right);
    case SIZE_NE:
        t = nat_eq(s->cx, s->facts, c->left, c->right);
        return t == TRUTH_YES ? TRUTH_NO : t == TRUTH_NO ? TRUTH_YES : t;
    }
    return TRUTH_UNKNOWN;
}

static void assume(Stage *s, const SizeCheck *c)
{
    Node *difference = nat_sub(s->cx, c->right, c->left);
    if (c->relation == SIZE_EQ) facts_eq0(s->facts, difference);
    if (c->relation == SIZE_LE) facts_ge0(s->facts, difference);
}

static void refuted(Stage *s, const SizeCheck *c, const Chain *chain)
{
    static const char *const relation[] = {
        [SIZE_EQ] = "equal to", [SIZE_LE] = "at most", [SIZE_NE] = "other than"};
    Text text = text_new(s->arena);
    if (c->why) text_printf(&text, "%s: ", c->why);
    nat_print(&text, c->left, 0);
    text_printf(&text, " must be %s ", relation[c->relation]);
    nat_print(&text, c->right, 0);
    text_put(&text, ", and never is");
    stage_fail(s, E0401, c->span, chain, text_get(&text));
}

static bool is_known(const Stage *s, const SizeCheck *c)
{
    for (int i = 0; i < s->checks.len; i++) {
        const SizeCheck *old = &s->checks.at[i];
        if (old->relation == c->relation && old->left == c->left && old->right == c->right)
            return true;
    }
    return false;
}

static void add(Stage *s, SizeCheck c, const Chain *chain)
{
    Truth t = truth_of(s, &c);
    if (t == TRUTH_NO) refuted(s, &c, chain);
    if (t != TRUTH_UNKNOWN || is_known(s, &c)) return;
    vec_push(s->cx->arena, &s->checks, c);
    assume(s, &c);
}

// What the entry states holds inside; it is tested as part of the entry, so it is no check of the
// result's.
static void state(Stage *s, const SizeCheck *c)
{
    if (truth_of(s, c) == TRUTH_NO) refuted(s, c, NULL);
    assume(s, c);
}

void stage_entry_checks(Stage *s)
{
    for (int i = 0; i < s->entry->where.len; i++) state(s, &s->entry->where.at[i]);
    for (int i = 0; i < s->entry->checks.len; i++) add(s, s->entry->checks.at[i], NULL);
}

static void add_all(Stage *s, const SizeChecks *checks, const Special *special, const Chain *chain)
{
    int n = special->function->generics.len;
    for (int i = 0; i < checks->len; i++) {
        SizeCheck c = checks->at[i];
        c.left = node_replace_names(s->cx, c.left, special->generics, n);
        c.right = node_replace_names(s->cx, c.right, special->generics, n);
        add(s, c, chain);
    }
}

void stage_call_checks(Stage *s, const Special *special, const Chain *chain)
{
    add_all(s, &special->function->where, special, chain);
    add_all(s, &special->function->checks, special, chain);
}
