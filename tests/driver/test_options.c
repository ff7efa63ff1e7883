// The command line, and names close to misspelt ones.
#include "driver/support.h"

// Parses the words; the answer of options_parse goes to *status.
static Options parse(Arena *arena, int *status, int n, const char **words)
{
    char *argv[16] = {arena_printf(arena, "adze")};
    Options o;
    for (int i = 0; i < n; i++) argv[i + 1] = arena_printf(arena, "%s", words[i]);
    *status = options_parse(arena, n + 1, argv, &o);
    return o;
}

#define PARSE(...)                                                                                 \
    parse(arena, &status, (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *)),     \
          (const char *[]){__VA_ARGS__})

static void options_and_arguments_in_any_order(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    int status;
    Options o =
        PARSE("run", "-o", "a.npy", "f.adz", "--size=n=1", "f(n)", "--size", "m=2", "-ob.npy");
    assert_int_equal(status, -1);
    assert_int_equal(o.command, COMMAND_RUN);
    assert_int_equal(o.arguments.len, 2);
    assert_string_equal(o.arguments.at[1], "f(n)");
    assert_int_equal(o.values[OPT_WRITE_TO].len, 2);
    assert_string_equal(option_value(&o, OPT_WRITE_TO), "b.npy");
    assert_string_equal(o.values[OPT_SIZE].at[0], "n=1");
    assert_false(option_given(&o, OPT_JSON));
    assert_null(option_value(&o, OPT_CC));
    arena_delete(arena);
}

static void one_name_means_what_its_command_says(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    int status;
    Options o = PARSE("build", "f.adz", "-o", "out", "--cc");
    assert_int_equal(status, -1);
    assert_string_equal(option_value(&o, OPT_WRITE_IN), "out");
    assert_false(option_given(&o, OPT_WRITE_TO));
    assert_string_equal(option_value(&o, OPT_COMPILE), "");
    o = PARSE("build", "f.adz", "--cc=clang");
    assert_string_equal(option_value(&o, OPT_COMPILE), "clang");
    o = PARSE("test", "--cc", "clang");
    assert_string_equal(option_value(&o, OPT_CC), "clang");
    o = PARSE("new", "--", "--help");
    assert_int_equal(status, -1);
    assert_string_equal(o.arguments.at[0], "--help");
    arena_delete(arena);
}

static void wrong_usage_is_status_two(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    int status;
    PARSE("chek", "f.adz");
    assert_int_equal(status, 2);
    PARSE("check");
    assert_int_equal(status, 2);
    PARSE("run", "f.adz", "x", "y");
    assert_int_equal(status, 2);
    PARSE("check", "--jason", "f.adz");
    assert_int_equal(status, 2);
    PARSE("check", "-x", "f.adz");
    assert_int_equal(status, 2);
    PARSE("run", "f.adz", "x", "-o");
    assert_int_equal(status, 2);
    PARSE("check", "f.adz", "--json=yes");
    assert_int_equal(status, 2);
    PARSE("check", "f.adz", "--print-after", "parse");
    assert_int_equal(status, 2);
    char *none[] = {NULL, NULL};
    Options o;
    assert_int_equal(options_parse(arena, 1, none, &o), 2);
    arena_delete(arena);
}

static void rows_are_consistent(void **state)
{
    (void)state;
    for (int c = 0; c < COMMAND_COUNT; c++) // no two options of a command share a name or letter
        for (int i = 0; i < OPT_COUNT; i++)
            for (int j = 0; j < i; j++) {
                const OptionInfo *a = &option_info[i], *b = &option_info[j];
                if (!(a->commands & b->commands & 1u << c)) continue;
                assert_string_not_equal(a->name, b->name);
                assert_true(a->letter == 0 || a->letter != b->letter);
            }
}

static void close_names(void **state)
{
    (void)state;
    static const char *const names[] = {"check", "test", "explain", "fmt"};
    assert_string_equal(closest_name("chek", names, 4), "check");
    assert_string_equal(closest_name("explian", names, 4), "explain");
    assert_string_equal(closest_name("tset", (const char *[]){"set", "tests"}, 2), "set");
    assert_null(closest_name("banana", names, 4));
    assert_null(closest_name("", names, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_and_arguments_in_any_order),
        cmocka_unit_test(one_name_means_what_its_command_says),
        cmocka_unit_test(wrong_usage_is_status_two),
        cmocka_unit_test(rows_are_consistent),
        cmocka_unit_test(close_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
