// Agreement by evaluation: a program means the same as low Core and at another level, on random
// inputs at small sizes, exactly (both do the same operations in the same order); and they fail
// together.
#ifndef TESTS_DPIA_AGREEMENT_H
#define TESTS_DPIA_AGREEMENT_H

#include "dpia/programs.h"
#include "memory_policy/memory_policy.h"
#include "staging/examples.h"
#include "staging/values/staging.h"

enum { MAX_SIZES = 4, MAX_ARGS = 8, FUEL = 4000000 };

/// One program at two levels, and the sizes of a run.
typedef struct Levels Levels;
struct Levels {
    Session *cx;
    const char *name;
    const Function *low;
    const void *other; // the phrase or loops
    Node *body;        // of it
    Outcome (*run)(const Levels *l, Arena *arena, const Value *args, Algebra algebra,
                   Value *result);
    NodeBinding sizes[MAX_SIZES];
    int64_t values[MAX_SIZES];
};

static inline void assert_agree(const Levels *l, const Outcome *a, const Value *va,
                                const Outcome *b, const Value *vb)
{
    if (a->ok == b->ok && (a->ok ? value_equal(va, vb) : a->code == b->code)) return;
    Text out = text_new(l->cx->arena);
    for (int i = 0; i < l->low->generics.len; i++)
        text_printf(&out, "%s = %d\n", l->sizes[i].name->text, (int)l->values[i]);
    if (a->ok) value_print(l->cx, &out, va, l->low->result, 100);
    text_printf(&out, "%s\n", a->ok ? "" : a->text);
    if (b->ok) value_print(l->cx, &out, vb, l->low->result, 100);
    text_printf(&out, "%s\n%s", b->ok ? "" : b->text, command_text(l->cx, l->body));
    fail_msg("%s differs:\n%s", l->name, text_get(&out));
}

// One run with these sizes; whether it was without error.
static inline bool run_once(const Levels *l, Algebra algebra, Random *r)
{
    Arena *arena = arena_new();
    Value args[MAX_ARGS], core, other;
    int n = l->low->generics.len;
    bool ok = false, defined = true;
    for (int i = 0; i < l->low->params.len; i++) {
        Node *type = node_replace_names(l->cx, l->low->params.at[i].type, l->sizes, n);
        defined = defined && random_value(arena, type, algebra, r, &args[i]);
    }
    if (defined) {
        Outcome a = core_eval(l->cx, arena, NULL, l->low, l->sizes, n, args, algebra, FUEL, &core);
        Outcome b = l->run(l, arena, args, algebra, &other);
        assert_agree(l, &a, &core, &b, &other);
        ok = a.ok;
    }
    arena_delete(arena);
    return ok;
}

// Whether the entry may be called with these sizes.
static inline bool is_allowed(const Levels *l)
{
    const SizeChecks *checks[2] = {&l->low->where, &l->low->checks};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < checks[k]->len; i++) {
            const SizeCheck *c = &checks[k]->at[i];
            int64_t a, b;
            Node *left = node_replace_names(l->cx, c->left, l->sizes, l->low->generics.len);
            Node *right = node_replace_names(l->cx, c->right, l->sizes, l->low->generics.len);
            assert_true(nat_is_const(left, &a) && nat_is_const(right, &b));
            if (c->relation == SIZE_EQ ? a != b : c->relation == SIZE_LE ? a > b : a == b)
                return false;
        }
    return true;
}

// All sizes out of 0, 1, 2, 3, 5, 7 that are at least `least`.
static inline void run_sizes(Levels *l, int least)
{
    static const int64_t values[] = {0, 1, 2, 3, 5, 7};
    enum { NVALUES = sizeof values / sizeof *values };
    int n = l->low->generics.len, good = 0, combinations = 1;
    Random r = 1;
    assert_true(n <= MAX_SIZES && l->low->params.len <= MAX_ARGS);
    for (int i = 0; i < n; i++) combinations *= NVALUES;
    for (int k = 0; k < combinations; k++) {
        bool large = true;
        for (int i = 0, rest = k; i < n; i++, rest /= NVALUES) {
            l->values[i] = values[rest % NVALUES];
            l->sizes[i] =
                (NodeBinding){l->low->generics.at[i].name, nat_const(l->cx, l->values[i])};
            large = large && l->values[i] >= least;
        }
        if (!large || !is_allowed(l)) continue;
        good += run_once(l, ALGEBRA_FIELD, &r);
        good += run_once(l, ALGEBRA_IEEE, &r);
    }
    if (good == 0) fail_msg("%s never runs without an error", l->name);
}

/// Runs a program at both levels.
typedef void Agree(Session *cx, const char *name, const Function *low, int least);

/// The low programs of this folder.
static inline void low_programs_agree(Agree *agree)
{
    Arena *arena = arena_new();
    const char **names;
    int n = program_names(arena, &names);
    for (int i = 0; i < n; i++) {
        Session *cx = session_new();
        nat_init(cx);
        agree(cx, names[i], read_low(cx, names[i]), 0);
        session_delete(cx);
    }
    arena_delete(arena);
}

/// Programs with state and control under the default policy.
static inline void state_programs_agree(Agree *agree)
{
    Arena *arena = arena_new();
    const char **names;
    int n = program_names_in(STATE_PROGRAMS, arena, &names);
    for (int i = 0; i < n; i++) {
        Session *cx = session_new();
        nat_init(cx);
        const Function *low = policy_lower(cx, read_program(cx, STATE_PROGRAMS, names[i]), NULL);
        policy_check_low(cx, low);
        agree(cx, names[i], low, 0);
        session_delete(cx);
    }
    arena_delete(arena);
}

/// Flat programs under the default policy, with and without the work of staging.
static inline void lowered_programs_agree(Agree *agree)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const Example *e = &examples[i];
        Session *cx = session_new();
        nat_init(cx);
        Function *f = text_function(cx, "main", e->generics, e->params, e->body);
        const Function *from[2] = {f, staging_run(cx, NULL, f)};
        for (int k = 0; k < 2; k++) agree(cx, e->body, policy_lower(cx, from[k], NULL), e->least);
        session_delete(cx);
    }
}

#endif
