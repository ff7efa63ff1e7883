// Staging of state, control, filters and recursion: what is left of golden/NAME.core is golden/NAME.flat, and means the
// same. BLESS=1 writes the files instead of comparing them.
#include "staging/values/staging.h"
#include "staging/golden.h"
#include "staging/programs.h"

static Session *cx;

static Program *read_program(const char *text)
{
    TermReader r = term_reader(cx, session_add_source(cx, "test", text, strlen(text)), LEVEL_CORE);
    Program *p = ARENA_NEW(cx->arena, Program);
    p->by_name = map_new(cx->arena);
    while (!term_read_end(&r)) {
        Function *f = core_read_next(&r);
        if (!f) fail_msg("%s", diagnostics_text(cx));
        vec_push(cx->arena, &p->functions, f);
        map_put(&p->by_name, MAP_KEY(f->name), f);
    }
    return p;
}

static Function *stage_main(const Program *p)
{
    Function *main = map_get(&p->by_name, MAP_KEY(session_sym(cx, "main")));
    for (int i = 0; i < p->functions.len; i++) core_check(cx, p->functions.at[i], LEVEL_CORE);
    Function *flat = staging_run(cx, p, main);
    if (flat) core_check(cx, flat, LEVEL_CORE);
    if (flat) core_check_flat(cx, flat);
    return flat;
}

static const char *value_of(const Program *p, const Function *f, const Value *args)
{
    Value v;
    Outcome o = core_eval(cx, cx->arena, p, f, NULL, 0, args, ALGEBRA_IEEE, 10000000, &v);
    if (!o.ok) return arena_printf(cx->arena, "%s: %s", diag_name(o.code), o.text);
    Text out = text_new(cx->arena);
    value_print(cx, &out, &v, f->result, 100);
    return text_get(&out);
}

static const char *show(const Function *f)
{
    Text out = text_new(cx->arena);
    core_print(cx, &out, f);
    return text_get(&out);
}

// The result means what the program means, for a few arguments.
static void agrees(const Program *p, const Function *flat)
{
    const Function *main = map_get(&p->by_name, MAP_KEY(session_sym(cx, "main")));
    Value args[8];
    for (int64_t k = 0; k < 6; k++) {
        for (int i = 0; i < main->params.len; i++) args[i] = (Value){.bits = (uint64_t)(k + 2 * i)};
        assert_string_equal(value_of(p, main, args), value_of(NULL, flat, args));
    }
}

/// What is left of `main` in golden/NAME.core.
static void leaves(void **state)
{
    const char *name = *state, *text;
    cx = session_new();
    nat_init(cx);
    text = golden_text(cx, name, "core");
    assert_non_null(text);
    const Program *p = read_program(text);
    Function *flat = stage_main(p);
    if (!flat) fail_msg("%s", diagnostics_text(cx));
    agrees(p, flat);
    golden_compare(cx, name, "flat", show(flat));
    session_delete(cx);
}

static const char *const names[] = {
    "ackermann",      "break_value",  "even_odd",
    "exit_recursion", "factorial",    "known_elements",
    "lane_place",     "map_captured", "no_induced_divergence",
    "pow_3_5",        "pow_5",        "pow_dynamic",
    "range",          "specialise",   "swap_params",
    "while",
};

int main(void)
{
    enum { COUNT = sizeof names / sizeof *names };
    struct CMUnitTest tests[COUNT];
    for (int i = 0; i < COUNT; i++)
        tests[i] = (struct CMUnitTest){
            .name = names[i], .test_func = leaves, .initial_state = (void *)(uintptr_t)names[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
