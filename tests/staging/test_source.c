// Staging of programs: what is left of the entries of golden/NAME.adz is golden/NAME.flat, and means the same. Each of
// the programs says in comments what it shows and where that was said first; what matters of it is counted besides.
#include "infer/support.h"
#include "staging/golden.h"
#include "staging/meaning.h"
#include "staging/values/staging.h"

/// How often a text is in what is left of an entry and its functions.
typedef struct {
    const char *entry, *text;
    int times;
} Count;

typedef struct {
    const char *name;
    Count counts[8];
} Example;

static const Example examples[] = {
    {"ackermanns", {{"a_2_3", "\n  9)", 1}, {"a_3_3", "\n  61)", 1}, {"a_3_4", "\n  125)", 1}}},
    {"blocked", {{"sum", "(forever", 3}, {"sum", "(range", 1}, {"sum", "(call", 0}}},
    {"blocks", {{"at_any", "(call", 0}, {"at_any", "(forever", 4}}},
    {"bytecode",
     {{"twelve", "(if", 12},
      {"one_loop", "(forever", 1},
      {"one_loop", "(cell", 1},
      {"two_entries", "(forever", 1},
      {"two_entries", "(* ", 1},
      {"ways_out", "(forever", 2},
      {"ways_out", "100000", 1}}},
    {"captured", {{"map_captured", "(fn ", 1}, {"count", "(fn ", 1}}},
    {"church", {{"six", "\n  6)", 1}}},
    {"counting", {{"loops", "(forever", 1}, {"once", "(forever", 1}, {"dead", "\n  x)", 1}}},
    {"debugging",
     {{"printed", "(call", 15},
      {"proved", "(assert", 0},
      {"proved", "(call", 0},
      {"asserted", "(assert", 2},
      {"asserted", "(if", 1}}},
    {"exceptions", {{"handled", "(label", 0}}},
    {"factorials", {{"tail", "(forever", 1}, {"tail", "(cell", 2}, {"passed", "(cell", 2}}},
    {"filters",
     {{"f_x_y", "(call", 0},
      {"called", "\n  43)", 1},
      {"before_name", "(call", 0},
      {"hidden", "(fn ", 1},
      {"run", "(fn ", 1}}},
    {"generators",
     {{"stores", "(put", 4},
      {"stores", "(if", 0},
      {"stores", "(forever", 0},
      {"stores_built_in", "(put", 4},
      {"one_loop", "(forever", 1},
      {"one_loop", "(cell", 2},
      {"not_unrolled", "(forever", 1}}},
    {"jumps", {{"f", "(forever", 1}, {"f", "(call", 0}}},
    {"levels", {{"f", "(forever", 1}, {"f", "(range", 1}}},
    {"masks", {{"sobel", "(*", 4}, {"sobel", "(array", 0}, {"any_mask", "(*", 9}}},
    {"mutual", {{"foo", "(forever", 1}, {"foo", "(fn ", 0}}},
    {"network", {{"sorted", "(min ", 19}, {"sorted", "(max ", 19}, {"sorted", "(call", 0}}},
    {"opened",
     {{"total", "(fn with_k", 1}, {"doubled", "(fn with_k", 1}, {"known", "(fn with_m", 0}}},
    {"peeling", {{"peeled", "(*", 1}, {"unrolled", "(*", 2}, {"unrolled", "(forever", 1}}},
    {"power",
     {{"pow_4", "(*", 2}, {"pow_5", "(*", 3}, {"pow_3_5", "\n  243)", 1}, {"pow_any", "(fn ", 1}}},
    {"regex", {{"a_star_b_plus", "(forever", 2}, {"a_star_b_plus", "(call", 0}}},
    {"shared", {{"arrays", "(fn once", 0}}},
    {"variables",
     {{"folds", "\n  3)", 1},
      {"kept", "(cell", 1},
      {"collapses", "\n  23)", 1},
      {"read", "\n  23)", 1}}},
    {"two_sites", {{"foo", "(forever", 2}, {"foo", "(call", 0}}},
};

static int occurrences(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)); text++) n++;
    return n;
}

// The text of what is left of an entry, which means what the entry means.
static const char *left_of(const Inferred *r, const Function *entry, const Example *example)
{
    Function *flat = staging_run(r->cx, r->program, entry);
    if (!flat) fail_msg("%s: %s", entry->name->text, diagnostics_text(r->cx));
    core_check(r->cx, flat, LEVEL_CORE);
    core_check_flat(r->cx, flat);
    same_meaning(r->cx, r->program, entry, flat, 0);
    Text out = text_new(r->cx->arena);
    core_print(r->cx, &out, flat);
    for (const Count *c = example->counts; c->text; c++) {
        if (strcmp(c->entry, entry->name->text) != 0) continue;
        int times = occurrences(text_get(&out), c->text);
        if (times != c->times)
            fail_msg("%d times '%s', not %d:\n%s", times, c->text, c->times, text_get(&out));
    }
    return text_get(&out);
}

static void print_nothing(void *env, const char *line, size_t len)
{
    (void)env, (void)line, (void)len;
}

static void leaves(void **state)
{
    const Example *example = *state;
    Session *files = session_new();
    const char *text = golden_text(files, example->name, "adz");
    assert_non_null(text);
    Inferred r = infer_good(text);
    r.cx->keeps_prints = true;
    r.cx->print = print_nothing;
    Text out = text_new(r.cx->arena);
    for (int i = 0; i < r.program->functions.len; i++) {
        const Function *f = r.program->functions.at[i];
        if (f->entry) text_printf(&out, "%s%s", out.len ? "\n" : "", left_of(&r, f, example));
    }
    golden_compare(r.cx, example->name, "flat", text_get(&out));
    session_delete(r.cx);
    session_delete(files);
}

// A count of an entry that is not there would say nothing.
static void counts_are_of_entries(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        Session *cx = session_new();
        const char *text = golden_text(cx, examples[i].name, "adz");
        assert_non_null(text);
        for (const Count *c = examples[i].counts; c->text; c++)
            if (!strstr(text, arena_printf(cx->arena, "entry fn %s(", c->entry)) &&
                !strstr(text, arena_printf(cx->arena, "entry fn %s[", c->entry)))
                fail_msg("%s has no entry %s", examples[i].name, c->entry);
        session_delete(cx);
    }
}

int main(void)
{
    enum { COUNT = sizeof examples / sizeof *examples };
    struct CMUnitTest tests[COUNT + 1] = {cmocka_unit_test(counts_are_of_entries)};
    for (int i = 0; i < COUNT; i++)
        tests[i + 1] = (struct CMUnitTest){.name = examples[i].name,
                                           .test_func = leaves,
                                           .initial_state = (void *)(uintptr_t)&examples[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
