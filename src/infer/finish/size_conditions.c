// Conditions on sizes: each is proved, refuted (an error), or kept as a check.
#include "infer/finish/finish.h"

#include <math.h>

// --- conditions --------------------------------------------------------------------------------

static void dims_are_sizes(Facts *f, Node *t)
{
    for (uint32_t i = 0; i < t->nops; i++) {
        if (t->kind == TYPE_ARRAY && i == 0)
            facts_ge0(f, t->op[0]);
        else if (kind_info[t->op[i]->kind].levels & LEVEL_TYPE && t->op[i]->kind != TYPE_FUN)
            dims_are_sizes(f, t->op[i]);
    }
}

// The facts of a body: its `where` conditions, and the fact that array lengths are at least 0.
static Facts *facts_of(Body *b)
{
    Facts *f = facts_new(b->cx, b->arena, NULL);
    const Signature *sig = b->symbol ? b->symbol->signature : NULL;
    for (int i = 0; sig && i < sig->where.len; i++) size_check_assume(b->cx, f, &sig->where.at[i]);
    for (int i = 0; sig && i < sig->params.len; i++)
        if (sig->params.at[i].type && sig->params.at[i].type->kind != TYPE_FUN)
            dims_are_sizes(f, sig->params.at[i].type);
    return f;
}

// The condition with its sizes resolved, or NULL if it says nothing because some sizes are unknown.
static const SizeCondition *resolved(Body *b, const SizeCondition *c)
{
    if (!c) return NULL;
    if (c->kind != CONDITION_CHECK)
        return size_condition_join(b->arena, c->kind, resolved(b, c->a), resolved(b, c->b));
    SizeCheck check = c->check;
    check.left = infer_resolve(b, check.left);
    check.right = infer_resolve(b, check.right);
    bool unknown = infer_unknown_in(check.left) || infer_unknown_in(check.right);
    return unknown ? NULL : size_condition_check(b->arena, check);
}

// The facts known in code that is reached only if the guard holds.
static Facts *facts_under(Body *b, SizeGuard *guard)
{
    for (SizeGuard *g = guard; g && !g->facts; g = g->up) g->holds = resolved(b, g->holds);
    return size_guard_facts(b->cx, b->arena, b->facts, guard);
}

static Truth decide(Body *b, const Obligation *o)
{
    SizeCheck c = {.relation = o->relation, .left = o->left, .right = o->right};
    return size_check_truth(b->cx, b->facts, &c);
}

const char *infer_show_size(Body *b, Node *n)
{
    Text t = text_new(b->cx->arena);
    nat_print(&t, infer_as_written(b, n), 0);
    return text_get(&t);
}

static const char *relation_text(SizeRelation r)
{
    return r == SIZE_EQ ? "==" : r == SIZE_LE ? "<=" : "!=";
}

static void note_origin(Body *b, Diag *d, const Obligation *o)
{
    Session *cx = b->cx;
    const char *why = infer_why(b, o->why);
    if (why) diag_note(cx, d, NO_SPAN, "%s", why);
    if (o->expected && !o->whole)
        diag_note(cx, d, NO_SPAN, "expected `%s`, found `%s`", infer_show(b, o->expected),
                  infer_show(b, o->found));
    bool call = o->why.kind == WHY_ARGUMENT || o->why.kind == WHY_RESULT ||
                o->why.kind == WHY_WHERE || o->why.kind == WHY_GENERIC;
    if (call && o->why.symbol && o->why.symbol->item)
        diag_note(cx, d, o->why.symbol->item->name_span, "%s",
                  infer_show_item(cx, o->why.symbol->item));
}

// Finds the first sizes that differ between two types. The message shows these, because the solver
// has rearranged the equation.
static bool differing(Body *b, Node *s, Node *t, Node **left, Node **right)
{
    if (s->kind != t->kind || s->nops != t->nops) return false;
    for (uint32_t i = 0; i < s->nops; i++) {
        bool size = (kind_info[s->op[i]->kind].levels & LEVEL_NAT) != 0;
        if (!size && differing(b, s->op[i], t->op[i], left, right)) return true;
        if (!size || nat_eq(b->cx, b->facts, s->op[i], t->op[i]) != TRUTH_NO) continue;
        *left = s->op[i];
        *right = t->op[i];
        return true;
    }
    return false;
}

// The source text of the `where` condition that the obligation comes from.
static const char *stated_condition(const Obligation *o)
{
    return o->why.symbol->signature->where.at[o->why.index].stated;
}

// The values of the sizes in a `where` condition at this use, as a string such as " for n = 3, m =
// 4".
static const char *sizes_there(Body *b, const Obligation *o)
{
    const Signature *sig = o->why.symbol->signature;
    const SizeCheck *c = &sig->where.at[o->why.index];
    const Instance *use = NULL;
    for (int i = 0; i < b->instances.len; i++) {
        const Instance *at = &b->instances.at[i];
        if (at->symbol == o->why.symbol && at->span.lo == o->span.lo && at->span.hi == o->span.hi)
            use = at;
    }
    Text t = text_new(b->cx->arena);
    for (int i = 0; use && i < sig->generics.len; i++) {
        const SigGeneric *g = &sig->generics.at[i];
        Node *self = nat_var(b->cx, g->name);
        if (g->kind != GENERIC_NAT || !(nat_occurs(c->left, self) || nat_occurs(c->right, self)))
            continue;
        Node *size = infer_resolve(b, use->generics[i]);
        if (size == self) continue; // the size has the same name here
        text_printf(&t, "%s%s = %s", t.len ? ", " : " for ", g->name->text,
                    infer_show_size(b, size));
    }
    return text_get(&t);
}

// The hint for an == between strings of different lengths, or NULL if `o` is not such a comparison.
static const char *help_texts(Body *b, const Obligation *o)
{
    Node *t = o->expected ? infer_resolve(b, o->expected) : NULL;
    bool text = o->why.kind == WHY_OPERATOR && t && t->kind == TYPE_ARRAY &&
                t->op[1] == type_scalar(b->cx, SCALAR_U8);
    return text ? "compare texts of any lengths by equal(a, b) of std.text" : NULL;
}

// Whether the sizes of two branches, which differ where the guard holds, are equal where it does
// not.
static bool agrees_on_others(Body *b, const Obligation *o)
{
    const SizeGuard *g = o->guard;
    bool joined = o->why.kind == WHY_BRANCH || o->why.kind == WHY_ARM;
    if (!joined || !g || !g->holds || g->holds->kind != CONDITION_CHECK) return false;
    Facts *others = facts_new(b->cx, b->arena, g->up && g->up->facts ? g->up->facts : facts_of(b));
    SizeCheck fails = size_check_negated(b->cx, g->holds->check);
    size_check_assume(b->cx, others, &fails);
    return size_equal(b->cx, others, o->left, o->right) == TRUTH_YES;
}

static const SizeCondition *condition_as_written(Body *b, const SizeCondition *c)
{
    if (!c) return NULL;
    if (c->kind != CONDITION_CHECK)
        return size_condition_join(b->arena, c->kind, condition_as_written(b, c->a),
                                   condition_as_written(b, c->b));
    SizeCheck check = c->check;
    check.left = infer_as_written(b, check.left);
    check.right = infer_as_written(b, check.right);
    return size_condition_check(b->arena, check);
}

// Shows the innermost conditions, with sizes named as in the source.
static const char *guard_text(Body *b, const SizeGuard *g)
{
    enum { MOST = 4 };
    VEC(const SizeCondition *) all = {0};
    for (; g && all.len < MOST; g = g->up)
        if (g->holds) vec_push(b->arena, &all, condition_as_written(b, g->holds));
    SizeGuard *written = NULL;
    while (all.len > 0) written = size_guard_push(b->arena, written, all.at[--all.len]);
    return size_guard_text(b->cx, written);
}

// Whether the sizes differ because of other conditions that must hold, given the facts without any
// guard, since equations must hold everywhere.
static bool contradicts_others(Body *b, const Facts *unguarded, const Obligation *o)
{
    Node *difference = nat_sub(b->cx, o->left, o->right);
    int64_t known;
    if (o->relation != SIZE_EQ || nat_is_const(difference, &known)) return false;
    Facts *inside = facts_new(b->cx, b->arena, unguarded);
    facts_eq0(inside, difference);
    return facts_contradict(b->cx, inside, difference);
}

static void refuted(Body *b, Obligation *o, bool contradiction)
{
    bool again = o->why.kind == WHY_GENERIC && map_get(&b->negative, MAP_KEY(o->right));
    map_put(&b->negative, MAP_KEY(o->right), b);
    if (again) return;
    if (o->relation == SIZE_EQ && o->expected && !o->whole)
        differing(b, infer_resolve(b, o->expected), infer_resolve(b, o->found), &o->left,
                  &o->right);
    Session *cx = b->cx;
    Diag *d;
    const char *left = infer_show_size(b, o->left), *right = infer_show_size(b, o->right);
    if (o->why.kind == WHY_WHERE)
        d = diag_error(cx, E0404, o->span, "`%s` does not hold%s", stated_condition(o),
                       sizes_there(b, o));
    else if (o->whole)
        d = diag_error(cx, E0401, o->span, "the size `%s` is not a multiple of `%s`",
                       infer_show_size(b, infer_resolve(b, o->whole)),
                       infer_show_size(b, infer_resolve(b, o->part)));
    else if (o->why.kind == WHY_GENERIC)
        d = diag_error(cx, E0405, o->span, "the size `%s` is negative", right);
    else if (o->relation == SIZE_EQ)
        d = diag_error(cx, E0401, o->span, "the sizes `%s` and `%s` differ", left, right);
    else
        d = diag_error(cx, E0404, o->span, "`%s %s %s` does not hold", left,
                       relation_text(o->relation), right);
    note_origin(b, d, o);
    if (contradiction)
        diag_note(cx, d, NO_SPAN, "other conditions on these sizes exclude that they are equal");
    if (o->guard) diag_note(cx, d, NO_SPAN, "this is reached where %s", guard_text(b, o->guard));
    if (agrees_on_others(b, o))
        diag_help(cx, d, "write the type of the whole, such as let y: %s = ...",
                  infer_show(b, infer_resolve(b, o->found)));
    if (help_texts(b, o)) diag_help(cx, d, "%s", help_texts(b, o));
    b->failed = true;
}

// Moves each term of left <= right to the side on which it is positive: 3 <= n + 1 becomes 2 <= n.
static void balance(Session *cx, Node **left, Node **right)
{
    Node *difference = nat_sub(cx, *right, *left), *zero = nat_const(cx, 0);
    bool sum = difference->kind == NAT_SUM;
    *left = *right = zero;
    for (uint32_t i = 0; i < (sum ? difference->nops : 1); i++) {
        Node *term = sum ? difference->op[i] : difference;
        bool negative = (term->kind == NAT_CONST || term->kind == NAT_PRODUCT) && term->attr.i < 0;
        if (negative)
            *left = nat_sub(cx, *left, term);
        else
            *right = nat_add(cx, *right, term);
    }
}

// The facts, with the assumption that all sizes of the function are above 0. Returns NULL if one of
// them is always 0.
static Facts *no_size_is_zero(Body *b)
{
    const Signature *sig = b->symbol ? b->symbol->signature : NULL;
    Facts *f = facts_new(b->cx, b->arena, b->facts);
    Node *one = nat_const(b->cx, 1);
    for (int i = 0; sig && i < sig->generics.len; i++) {
        if (sig->generics.at[i].kind != GENERIC_NAT) continue;
        Node *n = nat_var(b->cx, sig->generics.at[i].name);
        if (nat_lt(b->cx, b->facts, n, one) == TRUTH_YES) return NULL;
        facts_ge0(f, nat_sub(b->cx, n, one));
    }
    return f;
}

// Warns about a condition that only holds if some size is 0.
static void warn_of_zero(Body *b, const Obligation *o)
{
    Facts *all = b->facts, *positive = no_size_is_zero(b);
    // Equations must hold whether or not the guard does, and `b->facts` assumes that it does.
    bool equation_in_branch = o->relation == SIZE_EQ && o->guard;
    if (!positive || o->border || equation_in_branch) return;
    b->facts = positive;
    Truth t = decide(b, o);
    b->facts = all;
    if (t != TRUTH_NO) return;
    const char *left = infer_show_size(b, o->left), *right = infer_show_size(b, o->right);
    Diag *d =
        o->relation == SIZE_EQ
            ? diag_warning(b->cx, E0407, o->span, "the sizes `%s` and `%s` differ unless one is 0",
                           left, right)
            : diag_warning(b->cx, E0407, o->span, "`%s %s %s` does not hold unless a size is 0",
                           left, relation_text(o->relation), right);
    note_origin(b, d, o);
    diag_note(b->cx, d, NO_SPAN, "every call with other sizes fails");
}

// Reports a condition on a size computed at run time. Conditions are tested when an entry starts,
// before such a size has a value.
static void unproved(Body *b, Obligation *o, const OpenedSize *size)
{
    Session *cx = b->cx;
    Diag *d;
    if (o->whole)
        d = diag_error(cx, E0401, o->span, "the size `%s` is not known to be a multiple of `%s`",
                       infer_show_size(b, infer_resolve(b, o->whole)),
                       infer_show_size(b, infer_resolve(b, o->part)));
    else if (o->relation == SIZE_EQ)
        d = diag_error(cx, E0401, o->span, "the sizes `%s` and `%s` are not known to be equal",
                       infer_show_size(b, o->left), infer_show_size(b, o->right));
    else {
        if (o->relation == SIZE_LE) balance(cx, &o->left, &o->right);
        d = diag_error(cx, E0404, o->span, "`%s %s %s` is not known to hold",
                       infer_show_size(b, o->left), relation_text(o->relation),
                       infer_show_size(b, o->right));
    }
    note_origin(b, d, o);
    diag_note(cx, d, size->let, "the value of `%s` is computed here", size->written->text);
    const char *name = size->written->text;
    if (o->whole)
        diag_help(cx, d, "compare the sizes around it: if %s %% %s == 0 { ... }",
                  infer_show_size(b, infer_resolve(b, o->whole)),
                  infer_show_size(b, infer_resolve(b, o->part)));
    else
        diag_help(cx, d, "compare the sizes around it: if %s %s %s { ... }",
                  infer_show_size(b, o->left), relation_text(o->relation),
                  infer_show_size(b, o->right));
    // An index is less than its bound.
    if (o->relation == SIZE_LE && !size->most && !o->whole && o->left == size->size)
        diag_help(cx, d, "or give `%s` a bound, which is tested: let %s: nat = ... as idx[%s];",
                  name, name, infer_show_size(b, nat_add(cx, o->right, nat_const(cx, 1))));
    b->failed = true;
}

// A check becomes a fact for later conditions, but at most MAX_FACTS do, to keep proofs short.
enum { MAX_FACTS = 32 };

static bool mentions_opened(const SizeCheck *c, const void *body)
{
    return infer_opened_in(body, c->left) || infer_opened_in(body, c->right);
}

static void keep(Body *b, Obligation *o, Facts *unguarded)
{
    const OpenedSize *opened = infer_opened_in(b, o->left);
    if (!opened) opened = infer_opened_in(b, o->right);
    if (opened) {
        unproved(b, o, opened);
        return;
    }
    warn_of_zero(b, o);
    if (o->relation == SIZE_LE) balance(b->cx, &o->left, &o->right);
    SizeCheck c = {.relation = o->relation,
                   .left = o->left,
                   .right = o->right,
                   .span = o->span,
                   .why = infer_why(b, o->why),
                   .branch = o->branch};
    if (help_texts(b, o)) c.why = help_texts(b, o);
    if (o->why.kind == WHY_WHERE) c.stated = stated_condition(o);
    if (o->expected) {
        c.expected = infer_resolve(b, o->expected);
        c.found = infer_resolve(b, o->found);
    }
    // Equations are not guarded, because types rely on them and are the same on all branches.
    if (o->relation != SIZE_EQ) {
        SizeGuard *guard = size_guard_at_entry(b->arena, o->guard, mentions_opened, b);
        if (guard) c = size_guard_check(b->cx, c, guard);
    }
    vec_push(b->cx->arena, &b->checks, c);
    vec_push(b->arena, &b->borders, o->border);
    if (o->border || b->checks.len > MAX_FACTS) return;
    SizeCheck holds = {.relation = o->relation, .left = o->left, .right = o->right};
    size_check_assume(b->cx, o->relation == SIZE_EQ ? unguarded : b->facts, &holds);
}

static bool is_trivial(const Obligation *o)
{
    int64_t zero, n;
    if (o->relation == SIZE_EQ) return o->left == o->right;
    if (o->relation != SIZE_LE || !nat_is_const(o->left, &zero) || zero != 0) return false;
    return o->right->kind == NAT_VAR || (nat_is_const(o->right, &n) && n >= 0);
}

static void overflow(Body *b, const Obligation *o)
{
    Diag *d = diag_error(b->cx, E0402, o->span, "a size here divides by zero or exceeds 64 bits");
    note_origin(b, d, o);
    b->failed = true;
}

// Reports an array pattern for an array whose length only callers determine.
static void unknown_length(Body *b, const Obligation *o)
{
    Node *wanted = infer_resolve(b, o->expected)->op[0];
    Node *found = infer_resolve(b, o->found)->op[0];
    Diag *d = diag_error(b->cx, E0313, o->span,
                         "a pattern of %s elements needs an array of this length, and this one has "
                         "`%s`",
                         infer_show_size(b, wanted), infer_show_size(b, found));
    diag_help(b->cx, d, "take a slice of this length, xs[0..%s]", infer_show_size(b, wanted));
    b->failed = true;
}

static void settle_under_guard(Body *b, Obligation o, Facts *unguarded)
{
    o.left = infer_resolve(b, o.left);
    o.right = infer_resolve(b, o.right);
    if (is_trivial(&o)) return;
    if (infer_unknown_in(o.left) || infer_unknown_in(o.right))
        return; // already reported, or the code is not used
    if (o.left->kind == NAT_OVERFLOW || o.right->kind == NAT_OVERFLOW) {
        overflow(b, &o);
        return;
    }
    Truth t = decide(b, &o);
    bool contradiction = t == TRUTH_UNKNOWN && contradicts_others(b, unguarded, &o);
    if (t == TRUTH_NO || contradiction) refuted(b, &o, contradiction);
    if (contradiction) return;
    if (t == TRUTH_UNKNOWN && o.why.kind == WHY_PARTS)
        unknown_length(b, &o);
    else if (t == TRUTH_UNKNOWN)
        keep(b, &o, unguarded);
}

static void settle_obligation(Body *b, Obligation o)
{
    Facts *all = b->facts, *here = facts_under(b, o.guard);
    // Equations are settled even in dead code, because types rely on them.
    if (o.relation != SIZE_EQ && o.guard && o.guard->dead) return;
    b->facts = here;
    settle_under_guard(b, o, all);
    b->facts = all;
}

// The order in which conditions are settled: equations between sizes, then stated conditions, then
// conditions that sizes are at least 0. Earlier ones become facts that help to prove later ones.
static int rank(const Obligation *o)
{
    return o->relation == SIZE_EQ ? 0 : o->why.kind == WHY_GENERIC ? 2 : 1;
}

void infer_settle_obligations(Body *b)
{
    b->facts = facts_of(b);
    int n = b->obligations.len;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n; i++)
            if (rank(&b->obligations.at[i]) == pass) settle_obligation(b, b->obligations.at[i]);
    // Arguments come after their call in the list. Scanning from the end reports a negative size
    // where it arises.
    for (int i = n - 1; i >= 0; i--)
        if (rank(&b->obligations.at[i]) == 2) settle_obligation(b, b->obligations.at[i]);
}
