// Tests sizes that functions compute. A function that takes sizes as arguments (sizes that change
// in recursive calls, or that the program computes) cannot rely on the tests at the entry. Each sum
// or product that may exceed 64 bits is tested before the statement that computes it, but outside
// of loops, and so is each divisor that may be 0. The test includes the conditions under which the
// size is computed: `k <= n && k*m <= n` becomes
//
//   if (k <= n && adze_sat_mul(k, m) == INT64_MAX) return ..;
//
// A condition that varies within a loop is left out, so the test may reject a size that would never
// be computed. The sizes of a kernel, which may use locals of its caller, are tested before the
// call.
#include "emit/text/overflow.h"

typedef struct {
    Node *condition; // NULL if the tests inside leave it out
    int known;       // the length of SizeTests.known when the guard was entered
} Guard;

typedef struct {
    Overflow search;
    Session *cx;
    const LoopEntry *entry;
    Map sizes;               // the size parameters of the entry and of the function -> not NULL
    Map own;                 // the size parameters of the function alone -> not NULL
    VEC(NodeBinding) values; // locals that never change, and the sizes they hold
    VEC(Guard) guards;
    VEC(Node *) known; // sums that have been tested
    Stmts before;      // tests to insert before the current statement
    Span span;         // of the current statement
    bool in_loop;
} SizeTests;

// --- tests --------------------------------------------------------------------------------------

typedef struct {
    const Map *names;
    bool any, all; // whether the size contains one of `names`; whether it contains no others
} Mentions;

static void note_mention(Node *atom, void *env)
{
    Mentions *m = env;
    bool is_one = atom->kind == NAT_VAR && map_get(m->names, MAP_KEY(atom->attr.sym));
    m->any |= is_one;
    m->all &= is_one;
}

static Mentions mentions(Session *cx, const Map *names, Node *size)
{
    Mentions m = {.names = names, .all = true};
    nat_atoms(cx, size, note_mention, &m);
    return m;
}

static Node *compared(Session *cx, Prim op, Node *size, int64_t with)
{
    return loops_compare(cx, op, size, nat_const(cx, with));
}

// Adds a test that fails where all guards and `broken` hold.
static void add_test(SizeTests *t, Node *broken)
{
    Session *cx = t->cx;
    for (int i = t->guards.len; i-- > 0;) {
        Node *guard = t->guards.at[i].condition;
        if (guard) broken = loops_select(cx, guard, broken, core_bool(cx, false));
    }
    Node *condition = core_prim(cx, PRIM_NOT, 1, &broken);
    for (int i = 0; i < t->before.len; i++)
        if (t->before.at[i]->op[0] == condition) return;
    Node *test = node_make(
        cx,
        &(NodeSpec){
            .kind = LOOP_CHECK, .attr.i = E0607, .nops = 1, .ops = &condition, .origin = t->span});
    vec_push(cx->arena, &t->before, test);
}

static void test_sum(void *env, Node *sum)
{
    SizeTests *t = env;
    if (!mentions(t->cx, &t->own, sum).any) return; // tested by the entry
    for (int i = 0; i < t->known.len; i++)
        if (overflow_covers(t->cx, t->known.at[i], sum)) return;
    add_test(t, compared(t->cx, PRIM_GE, sum, INT64_MAX));
    vec_push(t->cx->arena, &t->known, sum);
}

// Skips quotients of loop indices. The compiler introduced these, and their divisors are positive
// where the loop has iterations.
static void test_divisor(void *env, Node *quotient)
{
    SizeTests *t = env;
    Session *cx = t->cx;
    Node *divisor = quotient->op[1], *less = nat_sub(cx, divisor, nat_const(cx, 1));
    if (!mentions(cx, &t->sizes, quotient).all) return;
    if (nat_ge0(cx, t->search.facts, less) == TRUTH_YES) return;
    add_test(t, compared(cx, divisor->kind == NAT_VAR ? PRIM_EQ : PRIM_LE, divisor, 0));
    facts_ge0(t->search.facts, less);
}

// --- conditions ---------------------------------------------------------------------------------

static bool varies(Node *e, void *env)
{
    const SizeTests *t = env;
    if (e->kind == CORE_NAT) return !mentions(t->cx, &t->sizes, e->op[0]).all;
    if (node_is_size_or_type(e)) return false;
    return e->kind != CORE_LIT && e->kind != CORE_PRIM && e->kind != LOOP_SELECT;
}

// Replaces locals that never change with their sizes, since tests before a loop cannot use locals
// of its body.
static Node *without_locals(SizeTests *t, Node *condition)
{
    enum { MOST = 4 }; // maximum depth of locals defined in terms of other locals
    Node *before = NULL;
    for (int i = 0; i < MOST && condition != before; i++) {
        before = condition;
        condition = node_replace_names(t->cx, condition, t->values.at, t->values.len);
    }
    return condition;
}

// Finds the locals that never change and whose values are sizes.
static void find_values(SizeTests *t, Node *body)
{
    Map constants = loops_constants(t->cx, body);
    for (int i = 0; i < constants.len; i++) {
        Node *decl = constants.entries[i].value;
        NodeBinding b = {decl->attr.sym, decl->op[1]->kind == CORE_NAT ? decl->op[1]->op[0] : NULL};
        if (b.value) vec_push(t->cx->arena, &t->values, b);
    }
}

static void enter(void *env, Node *condition, bool holds)
{
    SizeTests *t = env;
    if (t->in_loop) condition = without_locals(t, condition);
    bool kept = !t->in_loop || !node_any(condition, varies, t);
    Guard g = {.known = t->known.len};
    if (kept) g.condition = holds ? condition : loops_negated(t->cx, condition);
    vec_push(t->cx->arena, &t->guards, g);
}

static void leave(void *env)
{
    SizeTests *t = env;
    Guard g = t->guards.at[--t->guards.len];
    if (g.condition) t->known.len = g.known; // otherwise the tests inside are unconditional
}

// --- statements ---------------------------------------------------------------------------------

static Node *with_tests(SizeTests *t, Node *s);

static void add_sizes(SizeTests *t, Node *n, bool repeated)
{
    t->in_loop = repeated;
    overflow_add_sizes(&t->search, n);
    t->in_loop = false;
}

// Returns a statement that is executed only where `facts` hold, with its tests before it.
static Node *in_scope(SizeTests *t, Node *s, Facts *facts)
{
    Session *cx = t->cx;
    Stmts outer = t->before, all = {0};
    int known = t->known.len;
    if (!facts) facts = facts_new(cx, cx->arena, t->search.facts);
    OverflowScope scope = overflow_enter(&t->search, facts);
    t->before = (Stmts){0};
    Node *inner = with_tests(t, s);
    for (int i = 0; i < t->before.len; i++) vec_push(cx->arena, &all, t->before.at[i]);
    vec_push(cx->arena, &all, inner);
    t->before = outer;
    t->known.len = known;
    overflow_leave(&t->search, scope);
    return loops_block(cx, all.len, all.at);
}

static void learn(SizeTests *t, Node *condition, bool holds)
{
    (void)overflow_enter(&t->search, overflow_learn(&t->search, condition, holds));
}

static Node *block_with_tests(SizeTests *t, Node *block)
{
    Session *cx = t->cx;
    Stmts outer = t->before, all = {0};
    OverflowScope scope = overflow_enter(&t->search, NULL);
    for (uint32_t i = 0; i < block->nops; i++) {
        Node *s = block->op[i];
        t->before = (Stmts){0};
        Node *now = with_tests(t, s);
        for (int k = 0; k < t->before.len; k++) vec_push(cx->arena, &all, t->before.at[k]);
        vec_push(cx->arena, &all, now);
        if (s->kind == LOOP_CHECK) learn(t, s->op[0], true);
        if (s->kind == LOOP_IF && loops_leaves(s->op[1])) learn(t, s->op[0], false);
        if (s->kind == LOOP_IF && loops_leaves(s->op[2])) learn(t, s->op[0], true);
    }
    t->before = outer;
    overflow_leave(&t->search, scope);
    return loops_block(cx, all.len, all.at);
}

static Node *with_tests(SizeTests *t, Node *s)
{
    if (s->origin.file) t->span = s->origin;
    switch ((Kind)s->kind) {
    case LOOP_BLOCK: return block_with_tests(t, s);
    case LOOP_LABEL: return node_with_op(t->cx, s, 0, in_scope(t, s->op[0], NULL));
    case LOOP_IF: {
        add_sizes(t, s->op[0], false);
        Node *ops[3] = {s->op[0]};
        for (int i = 1; i < 3; i++)
            ops[i] = in_scope(t, s->op[i], overflow_learn(&t->search, s->op[0], i == 1));
        return node_with_ops(t->cx, s, ops);
    }
    case LOOP_CALL: {
        const LoopEntry *f = loops_callee(t->entry, s->attr.sym);
        add_sizes(t, s, false);
        if (!f || !f->kernel) return s;
        find_values(t, f->body);
        add_sizes(t, f->body, true);
        return s;
    }
    default: add_sizes(t, s, loops_has(s, IS_LOOP | IS_TASK)); return s;
    }
}

// --- functions ----------------------------------------------------------------------------------

// Adds the sizes of the entry, and those that `f` takes as arguments.
static void add_names(SizeTests *t, const LoopEntry *entry, const LoopEntry *f)
{
    Node *own = type_own_size(t->cx)->op[0];
    for (int i = 0; i < entry->sizes.len; i++) map_put(&t->sizes, MAP_KEY(entry->sizes.at[i]), t);
    for (int i = 0; f != entry && i < f->params.len; i++) {
        const LoopParam *p = &f->params.at[i];
        if (p->idx != own || p->rank || p->output || p->both) continue;
        overflow_add_name(&t->search, p->name);
        map_put(&t->sizes, MAP_KEY(p->name), t);
        map_put(&t->own, MAP_KEY(p->name), t);
    }
}

static const LoopEntry *function_with_tests(Emitter *e, const LoopEntry *entry, const LoopEntry *f)
{
    Session *cx = e->cx;
    if (!f->body || f->kernel) return f;
    SizeTests t = {.search = overflow_new(e, entry),
                   .cx = cx,
                   .entry = entry,
                   .sizes = map_new(e->arena),
                   .own = map_new(e->arena),
                   .span = f->span};
    Overflow *search = &t.search;
    add_names(&t, entry, f);
    search->env = &t;
    search->found = test_sum;
    search->divisor = test_divisor;
    search->enter = enter;
    search->leave = leave;
    search->facts = facts_new(cx, e->arena, NULL);
    search->number = ++search->scopes;
    for (int i = 0; i < entry->checks.len; i++)
        size_check_assume(cx, search->facts, &entry->checks.at[i]);
    for (int i = 0; f != entry && i < f->checks.len; i++)
        size_check_assume(cx, search->facts, &f->checks.at[i]);
    if (f != entry) overflow_add_lengths(search, f);
    lengths_add_checks(cx, &search->lengths, f->checks.at, f->checks.len);
    find_values(&t, f->body);
    Node *body = in_scope(&t, f->body, NULL);
    return body == f->body ? f : loops_with_body(cx, f, body);
}

const LoopEntry *emit_with_size_tests(Emitter *e, const LoopEntry *entry)
{
    const LoopEntry *now = function_with_tests(e, entry, entry);
    LoopEntry *all = loops_with_body(e->cx, now, now->body);
    all->callees.at = ARENA_ARRAY(e->cx->arena, LoopEntry *, entry->callees.len + 1);
    for (int i = 0; i < entry->callees.len; i++)
        all->callees.at[i] =
            (LoopEntry *)(uintptr_t)function_with_tests(e, entry, entry->callees.at[i]);
    return all;
}

const char *size_test_message(Emitter *e, Node *condition)
{
    Node *broken = condition->op[0];
    while (broken->kind == LOOP_SELECT) broken = broken->op[1];
    if (broken->attr.i == PRIM_GE) return "a size is beyond what 64 bits can count";
    Text text = text_new(e->arena);
    text_put(&text, "a size divides by `");
    nat_print(&text, broken->op[0]->op[0], 0);
    text_put(&text, "`, which is 0");
    return text_get(&text);
}
