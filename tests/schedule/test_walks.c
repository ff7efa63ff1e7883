// Random walks: up to thirty rules of the library at random places of programs. What is left is well typed, and means what the program
// meant. ADZE_WALK_SEED=N walks elsewhere. Rules that regroup are left out: the programs' reductions need not begin with what is neutral.
#include <stdlib.h>

#include "schedule/rules.h"

enum { MOST_STEPS = 30, MOST_TRIES = 600, MOST_PLACES = 1500, SIZES = 4, MOST_PARAMS = 16 };

static const char *const programs[] = {
    "maps",    "reductions",   "slides", "splits",      "matrices",
    "columns", "folds",        "tuples", "pipelines",   "generates",
    "scans",   "view_pairs_1", "parts",  "combinators", "iterates",
};

// --- places ---------------------------------------------------------------------------------------

/// The term at hand and how many of its parts come before the place.
typedef struct {
    const Facts *facts;
    const RewriteRule *rule;
    const int64_t *numbers;
    int64_t left;
    bool done;
} At;

static int64_t count_places(Node *e, int64_t most)
{
    int64_t n = 1;
    for (uint32_t i = 0; i < e->nops && n < most; i++)
        if (e->op[i]->type) n += count_places(e->op[i], most - n);
    return n;
}

// `e` with the rule applied to the part at the place, from the outside in and from left to right.
static Node *rewrite_at(Session *cx, At *at, Node *e)
{
    if (at->left-- == 0) {
        Miss miss;
        Node *made = e->kind == CORE_LAM ? NULL
                                         : schedule_apply(cx, at->facts, at->rule, at->numbers, e,
                                                          false, NULL, &miss);
        at->done = made && made != e;
        return made ? made : e;
    }
    for (uint32_t i = 0; i < e->nops && at->left >= 0; i++)
        if (e->op[i]->type) e = node_with_op(cx, e, (int)i, rewrite_at(cx, at, e->op[i]));
    return e;
}

// --- one walk ---------------------------------------------------------------------------------------

typedef struct {
    Random random;
    const Program *rules;
    int steps; // of all walks
} RandomWalk;

static Function walk(RandomWalk *w, const Function *f)
{
    Session *cx = w->random.cx;
    Facts *facts = facts_of_function(cx, f);
    Function g = *f;
    int64_t steps = random_below(&w->random, MOST_STEPS + 1);
    for (int tries = 0; tries < MOST_TRIES && steps > 0; tries++) {
        int64_t places = count_places(g.body, MOST_PLACES + 1), numbers[4];
        if (places > MOST_PLACES) break;
        for (int i = 0; i < 4; i++) numbers[i] = random_below(&w->random, 4) + 1;
        const RewriteRule *rule = w->rules->rules.at[random_below(&w->random, w->rules->rules.len)];
        if (rule->fp != FP_EXACT) continue;
        At at = {facts, rule, numbers, random_below(&w->random, places), false};
        g.body = rewrite_at(cx, &at, g.body);
        steps -= at.done;
        w->steps += at.done;
    }
    return g;
}

// What the program computes the other one does too; where it fails the other one may compute more.
static void same_meaning(RandomWalk *w, const Function *f, const Function *g)
{
    Session *cx = w->random.cx;
    NodeBinding sizes[MOST_PARAMS + 1];
    Value args[MOST_PARAMS], value;
    for (int i = 0; i < SIZES; i++) {
        if (!random_sizes(&w->random, f, 5, sizes)) return;
        if (!random_arguments(&w->random, f, sizes, args)) continue;
        Arena *arena = arena_new();
        bool ok = core_eval(cx, arena, NULL, f, sizes, f->generics.len, args, ALGEBRA_FIELD,
                            MUCH_FUEL, &value)
                      .ok;
        arena_delete(arena);
        if (ok) same_value(cx, f, g, sizes, args);
    }
}

static bool is_simple(const Function *f)
{
    bool simple = f->entry && f->generics.len <= MOST_PARAMS && f->params.len <= MOST_PARAMS;
    for (int i = 0; i < f->generics.len; i++)
        simple &= strcmp(f->generics.at[i].kind->text, "nat") == 0;
    return simple;
}

static int walk_program(const char *name)
{
    Session *files = session_new();
    size_t len = 0;
    char *text =
        read_file(files->arena, arena_printf(files->arena, "tests/programs/%s.adz", name), &len);
    if (!text) fail_msg("there is no program %s", name);
    Inferred r = infer_text(text, len);
    Session *cx = r.cx;
    static const char library[] = "import std.rules";
    Modules modules = {.find = find_module, .env = NULL};
    Module *m = parse_module(cx, session_add_source(cx, "rules.adz", library, strlen(library)));
    const char *seed = getenv("ADZE_WALK_SEED");
    RandomWalk w = {{cx, cx->arena, seed ? strtoull(seed, NULL, 10) : 1, NULL},
                    infer_program(cx, m, &modules),
                    0};
    assert_int_equal(cx->errors, 0);
    for (int i = 0; i < r.program->functions.len; i++) {
        const Function *f = r.program->functions.at[i];
        const Function *flat = is_simple(f) ? staging_run(cx, r.program, f) : NULL;
        if (!flat || flat->callees.len > 0) continue;
        Function g = walk(&w, flat);
        core_check(cx, &g, LEVEL_LOW);
        core_check_flat(cx, &g);
        same_meaning(&w, flat, &g);
    }
    session_delete(cx);
    session_delete(files);
    return w.steps;
}

static void test_walks(void **state)
{
    (void)state;
    int steps = 0;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        steps += walk_program(programs[i]);
    assert_true(steps > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks),
    };
    return cmocka_run_group_tests_name("walks", tests, NULL, NULL);
}
