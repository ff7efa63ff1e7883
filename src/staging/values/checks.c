// Conditions on sizes. The conditions of a function are instantiated with the sizes of each call.
// Those that do not follow from the conditions of the entry are collected, and are tested when the
// entry starts.
#include "staging/values/stage.h"

// Reports that `c`, an instance of the condition `stated`, does not hold.
static void refuted(Stage *s, const SizeCheck *c, const SizeCheck *stated, const Chain *chain)
{
    Text text = text_new(s->cx->arena);
    text_put(&text, size_check_failure(s->cx, stated, c));
    if (c->why) text_printf(&text, "\n%s", c->why);
    if (c->expected)
        text_printf(&text, "\nexpected `%s`, found `%s`", type_show(s->cx, c->expected),
                    type_show(s->cx, c->found));
    if (c->branch) text_printf(&text, "\n%s", SIZE_CHECK_BRANCH);
    stage_fail(s, c->relation == SIZE_EQ ? E0401 : E0404, c->span, chain, text_get(&text));
}

// If a function calls itself at ever larger known sizes until they exceed 64 bits, it is not the
// sizes that end the recursion. The function then takes its sizes as arguments.
static void overflows(Stage *s, Span span, const Chain *chain)
{
    if (s->resized && stage_make_sized(s, s->resized)) return;
    stage_fail(s, E0402, span, chain, "a size here divides by zero or exceeds 64 bits");
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

// Records in the condition the calls that lead to it, in memory that outlives staging. A condition
// in the result of a schedule already has the inner calls.
static void note_calls(Stage *s, SizeCheck *c, const Chain *chain)
{
    enum { MOST = 12 };
    if (!chain) return;
    SizeCall *calls = ARENA_ARRAY(s->cx->arena, SizeCall, MOST);
    for (int i = 0; i < c->ncalls; i++) calls[i] = c->calls[i];
    for (; chain && c->ncalls < MOST; chain = chain->up)
        calls[c->ncalls++] = (SizeCall){chain->special->function->name, chain->call};
    c->calls = calls;
}

static bool mentions_own_size(const SizeCheck *c, const void *stage)
{
    const Stage *s = stage;
    Sym *names;
    int n = s->own_sizes.len ? size_check_names(s->cx, c, &names) : 0;
    for (int i = 0; i < n; i++)
        if (map_get(&s->own_sizes, MAP_KEY(names[i]))) return true;
    return false;
}

// Reports a condition on sizes that a function takes as arguments. It would have to be proved,
// since nothing tests it at run time.
static void unproved(Stage *s, const SizeCheck *c, const SizeCheck *stated, const Chain *chain)
{
    bool equation = c->relation == SIZE_EQ;
    const char *what =
        equation ? arena_printf(s->arena, "`%s` and `%s` are not known to be equal",
                                nat_show(s->cx, stated->left), nat_show(s->cx, stated->right))
                 : size_check_failure(s->cx, stated, stated);
    const char *text =
        arena_printf(s->arena, "%s\nthe function is called at sizes known only at run time", what);
    DiagCode code = equation ? E0401 : E0404;
    Diag *d = stage_fail_diag(s, code, c->span, chain, text);
    if (d)
        diag_help(s->cx, d,
                  "rely on it only in the branch of an `if` that compares the sizes, or state it "
                  "with `where`");
}

// Adds a condition unless it is known to hold. Under a guard, the condition must hold only if the
// guard does, except that equations, on which types rely, must hold everywhere.
static void add(Stage *s, SizeCheck c, const SizeCheck *stated, const Chain *chain,
                SizeGuard *guard)
{
    if (c.left->kind == NAT_OVERFLOW || c.right->kind == NAT_OVERFLOW) {
        overflows(s, c.span, chain);
        return;
    }
    Facts *facts = size_guard_facts(s->cx, s->arena, s->facts, guard);
    if (guard) s->guarded++;
    if (guard && guard->dead && c.relation != SIZE_EQ) return;
    Truth t = size_check_truth(s->cx, facts, &c);
    if (t == TRUTH_NO) refuted(s, &c, stated, chain);
    if (t != TRUTH_UNKNOWN) return;
    if (mentions_own_size(&c, s)) {
        unproved(s, &c, stated, chain);
        return;
    }
    guard = size_guard_at_entry(s->arena, guard, mentions_own_size, s);
    SizeCheck kept = guard && c.relation != SIZE_EQ ? size_guard_check(s->cx, c, guard) : c;
    size_check_assume(s->cx, kept.guarded ? facts : s->facts, &c);
    if (is_known(s, &kept)) return;
    note_calls(s, &kept, chain);
    vec_push(s->cx->arena, &s->checks, kept);
}

// Assumes a condition of the entry. It is tested when the entry starts anyway, so it is not added
// to the checks.
static void state(Stage *s, const SizeCheck *c)
{
    if (size_check_truth(s->cx, s->facts, c) == TRUTH_NO) refuted(s, c, c, NULL);
    size_check_assume(s->cx, s->facts, c);
}

void stage_entry_checks(Stage *s)
{
    for (int i = 0; i < s->entry->where.len; i++) state(s, &s->entry->where.at[i]);
    const SizeChecks *checks = &s->entry->checks;
    for (int i = 0; i < checks->len; i++) add(s, checks->at[i], &checks->at[i], NULL, NULL);
}

// The function's condition `c`, instantiated with its generic arguments.
static SizeCheck instantiated(Stage *s, const SizeCheck *c, const Special *special)
{
    int n = special->function->generics.len;
    SizeCheck out = *c;
    out.left = node_replace_names(s->cx, c->left, special->generics, n);
    out.right = node_replace_names(s->cx, c->right, special->generics, n);
    if (c->expected) {
        out.expected = node_replace_names(s->cx, c->expected, special->generics, n);
        out.found = node_replace_names(s->cx, c->found, special->generics, n);
    }
    return out;
}

static void add_all(Stage *s, const SizeChecks *checks, const Special *special, const Chain *chain,
                    SizeGuard *guard)
{
    for (int i = 0; i < checks->len; i++) {
        SizeCheck c = instantiated(s, &checks->at[i], special);
        add(s, c, &checks->at[i], chain, guard);
    }
}

// Adds the conditions of a function that takes its sizes as arguments. Its callers satisfy what
// `where` requires.
SizeChecks stage_own_checks(Stage *s, const Special *special, const Chain *chain)
{
    const Function *f = special->function;
    SizeChecks where = {0};
    for (int i = 0; i < f->where.len; i++) {
        SizeCheck c = instantiated(s, &f->where.at[i], special);
        size_check_assume(s->cx, s->facts, &c);
        vec_push(s->cx->arena, &where, c);
    }
    add_all(s, &f->checks, special, chain, NULL);
    return where;
}

// Inference has proved the `where` conditions of the callee, or has made them conditions of the
// caller. Without a guard, they are facts for the code that follows.
void stage_call_checks(Stage *s, const Special *special, const Chain *chain, SizeGuard *guard)
{
    if (!guard) add_all(s, &special->function->where, special, chain, NULL);
    add_all(s, &special->function->checks, special, chain, guard);
}

// Equations are not dropped, as types rely on them.
void stage_drop_implied(Stage *s)
{
    enum { MOST = 16 };
    SizeChecks *all = &s->checks;
    for (int i = 0; i < all->len && all->len <= MOST; i++) {
        if (all->at[i].relation != SIZE_LE) continue;
        Facts *outer = s->facts;
        s->facts = facts_new(s->cx, s->arena, NULL);
        for (int k = 0; k < s->entry->where.len; k++)
            size_check_assume(s->cx, s->facts, &s->entry->where.at[k]);
        for (int k = 0; k < all->len; k++)
            if (k != i) size_check_assume(s->cx, s->facts, &all->at[k]);
        bool implied = size_check_truth(s->cx, s->facts, &all->at[i]) == TRUTH_YES;
        s->facts = outer;
        if (!implied) continue;
        for (int k = i--; k + 1 < all->len; k++) all->at[k] = all->at[k + 1];
        all->len--;
    }
}

// --- sizes beyond 64 bits, types that are too large, lengths of vectors --------------------------

typedef struct {
    Stage *s;
    Map done; // the visited nodes
} Walk;

// Whether the number of elements of an array overflows 64 bits. It does not if a dimension is 0.
static bool counts_beyond(Stage *s, Node *t)
{
    Node *count = nat_const(s->cx, 1);
    int64_t k;
    for (; t->kind == TYPE_ARRAY; t = t->op[1]) {
        if (nat_is_const(t->op[0], &k) && k == 0) return false;
        count = nat_mul(s->cx, count, t->op[0]);
    }
    return count->kind == NAT_OVERFLOW;
}

// Checks that a vector's lane count is a positive constant, and not a size parameter of the entry.
static void check_length(Stage *s, Node *vector, Span span)
{
    int64_t lanes;
    if (nat_is_const(vector->op[0], &lanes)) {
        if (lanes <= 0) stage_report(s, E0506, span, "there must be at least one lane");
        return;
    }
    Diag *d =
        stage_report(s, E0506, span, "the number of lanes of `%s` is not known at compile time",
                     type_show(s->cx, vector));
    if (d)
        diag_help(s->cx, d,
                  "vectors of an entry have a constant length; functions that it calls may have "
                  "size parameters as lengths");
}

// Visits a term with its types and sizes. `span` is the position of the enclosing term.
static void find_overflow(Walk *w, Node *e, Span span)
{
    if (w->s->failed || map_get(&w->done, MAP_KEY(e))) return;
    map_put(&w->done, MAP_KEY(e), (void *)(uintptr_t)e);
    if (e->kind == NAT_OVERFLOW || counts_beyond(w->s, e)) overflows(w->s, span, NULL);
    const char *excess = kind_info[e->kind].levels & LEVEL_TYPE ? type_excess(e) : NULL;
    if (excess)
        stage_fail(w->s, E0316, span, NULL,
                   arena_printf(w->s->arena, "a value here has %s", excess));
    if (e->origin.file) span = e->origin;
    if (e->kind == TYPE_VEC) check_length(w->s, e, span);
    if (e->type) find_overflow(w, e->type, span);
    for (uint32_t i = 0; i < e->nops; i++) find_overflow(w, e->op[i], span);
}

void stage_check_sizes(Stage *s, Node *body)
{
    Walk w = {s, map_new(s->arena)};
    find_overflow(&w, body, s->entry->span);
    find_overflow(&w, s->entry->result, s->entry->span);
    for (int i = 0; i < s->entry->params.len; i++)
        find_overflow(&w, s->entry->params.at[i].type, s->entry->span);
    for (int i = 0; i < s->functions.len; i++) {
        Node *callee = s->functions.at[i]->function->body;
        if (callee) find_overflow(&w, callee, s->entry->span);
    }
}
