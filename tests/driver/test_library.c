// Compiled entries called on values: values in and out, failures parsed, the cache used again.
#include "driver/support.h"

#include <dirent.h>
#include <math.h>

static const char program[] =
    "struct Point { x: f32, n: i16 }\n"
    "entry fn gemv[n, m: nat](a: [n][m]f32, x: [m]f32) -> [n]f32 {\n"
    "    map(|row| reduce(+, 0.0, map(|(p, q)| p * q, zip(row, x))), a)\n"
    "}\n"
    "entry fn shuffle[n: nat](p: [n](Point, [2]u8), k: bool) -> ([n][2]u8, [n]Point, bool) {\n"
    "    (map(|(q, r)| r, p), map(|(q, r)| q, p), !k)\n"
    "}\n"
    "entry fn pick[n: nat](a: [n]f64, i: i64) -> f64 { a[i] }\n"
    "entry fn many[first, second, third, fourth, fifth, sixth, seventh, eighth: nat](x: "
    "[first]f32)\n"
    "    -> [first]f32 where first + second + third + fourth + fifth + sixth + seventh <= eighth "
    "{\n"
    "    map(|v| v + 1.0, x)\n"
    "}\n"
    "entry fn same(a: f16, b: i8, c: u64, d: f64) -> (f16, i8, u64, f64) { (a, b, c, d) }\n";

typedef struct {
    Session *cx;
    Work work;
    HostOptions host;
} Fixture;

static int set_up(void **state)
{
    if (make_test_dir(state) != 0) return -1;
    Fixture *f = calloc(1, sizeof *f);
    if (!f) return -1;
    f->cx = new_session();
    f->work = program_of(f->cx, program);
    f->host = (HostOptions){.cache = test_dir, .exact = true, .cflags = "-O0"};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    session_delete(f->cx);
    free(f);
    return remove_test_dir(state);
}

static Outcome call(Fixture *f, const char *name, const int64_t *sizes, const Value *args,
                    Value *result)
{
    LoopEntry *e = entry_of(&f->work, name);
    Library *lib = library_build(f->cx, "test", &e, 1, &f->host);
    if (!lib) fail_msg("%s", diagnostics(f->cx));
    Outcome o = library_call(f->cx, f->cx->arena, lib, e, sizes, args, result);
    library_close(lib);
    return o;
}

static void arrays_in_and_out(void **state)
{
    Fixture *f = *state;
    Arena *a = f->cx->arena;
    Value rows[] = {floats(a, 3, (double[]){1, 2, 3}), floats(a, 3, (double[]){0, 1, 0})};
    Value args[] = {list(a, 2, rows), floats(a, 3, (double[]){10, 20, 30})}, result;
    Outcome o = call(f, "gemv", (int64_t[]){2, 3}, args, &result);
    assert_true(o.ok);
    Value want = floats(a, 2, (double[]){140, 20});
    assert_true(value_equal(&result, &want));
}

static void conditions_on_many_sizes(void **state)
{
    Fixture *f = *state;
    Arena *a = f->cx->arena;
    Value args[] = {floats(a, 2, (double[]){1, 2})}, result;
    Value want = floats(a, 2, (double[]){2, 3});
    assert_true(call(f, "many", (int64_t[]){2, 1, 1, 1, 1, 1, 1, 8}, args, &result).ok);
    assert_true(value_equal(&result, &want));
    Outcome o = call(f, "many", (int64_t[]){2, 1, 1, 1, 1, 1, 1, 7}, args, &result);
    assert_false(o.ok);
    assert_int_equal(o.code, E0604);
}

static void structs_of_arrays(void **state)
{
    Fixture *f = *state;
    Arena *a = f->cx->arena;
    Value point = list(a, 2, (Value[]){number(float_bits(0.5)), number((uint64_t)-7)});
    Value bytes = list(a, 2, (Value[]){number(255), number(1)});
    Value pair = list(a, 2, (Value[]){point, bytes});
    Value args[] = {list(a, 1, &pair), number(1)}, result;
    Outcome o = call(f, "shuffle", (int64_t[]){1}, args, &result);
    assert_true(o.ok);
    Value want = list(a, 3, (Value[]){list(a, 1, &bytes), list(a, 1, &point), number(0)});
    assert_true(value_equal(&result, &want));
}

static void scalars_of_every_width(void **state)
{
    Fixture *f = *state;
    Arena *a = f->cx->arena;
    Value args[] = {number(float_bits(-0.125)), number((uint64_t)-128), number(UINT64_MAX),
                    number(float_bits((double)NAN))};
    Value result, want = list(a, 4, args);
    Outcome o = call(f, "same", NULL, args, &result);
    assert_true(o.ok);
    assert_true(value_equal(&result, &want));
}

static void failures_keep_their_place(void **state)
{
    Fixture *f = *state;
    Value args[] = {floats(f->cx->arena, 2, (double[]){1, 2}), number(2)}, result;
    Outcome o = call(f, "pick", (int64_t[]){2}, args, &result);
    assert_false(o.ok);
    assert_int_equal(o.code, E0601);
    int line, column;
    session_position(f->cx, o.span.file, o.span.lo, &line, &column);
    assert_int_equal(line, 8);
}

static int count_entries(void)
{
    int n = 0;
    DIR *dir = opendir(test_dir);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) n += path_has_extension(e->d_name, ".so");
    closedir(dir);
    return n;
}

static void the_cache_is_used_and_mends_itself(void **state)
{
    Fixture *f = *state;
    Value args[] = {floats(f->cx->arena, 2, (double[]){1, 2}), number(1)}, result;
    assert_true(call(f, "pick", (int64_t[]){2}, args, &result).ok);
    int entries = count_entries();
    assert_true(call(f, "pick", (int64_t[]){2}, args, &result).ok);
    assert_int_equal(count_entries(), entries);
    DIR *dir = opendir(test_dir);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) // cut every entry short
        if (path_has_extension(e->d_name, ".so"))
            assert_int_equal(truncate(in_dir(f->cx, e->d_name), 100), 0);
    closedir(dir);
    assert_true(call(f, "pick", (int64_t[]){2}, args, &result).ok);
    assert_int_equal(count_entries(), entries);
    assert_int_equal(f->cx->diags.len, 0);
}

static void no_compiler(void **state)
{
    Fixture *f = *state;
    HostOptions host = f->host;
    host.cc = "no-such-compiler";
    LoopEntry *e = entry_of(&f->work, "pick");
    assert_null(library_build(f->cx, "test", &e, 1, &host));
    assert_string_equal(only_error(f->cx), "E0708");
    f->cx->diags.len = f->cx->errors = 0;
}

static void commands_and_what_they_say(void **state)
{
    Fixture *f = *state;
    Text said = text_new(f->cx->arena);
    Strings words = split_words(f->cx->arena, "  sh -c  echo\tx ");
    assert_int_equal(words.len, 4);
    words.at[2] = "echo out; echo err >&2; exit 3";
    int status = host_execute(&words, NULL, &said);
    assert_int_equal(status >> 8, 3);
    assert_string_equal(text_get(&said), "out\nerr\n");
    words = split_words(f->cx->arena, "/dev/null");
    said = text_new(f->cx->arena);
    assert_int_equal(host_execute(&words, NULL, &said), -1);
    assert_string_equal(text_get(&said), "Permission denied\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_in_and_out),
        cmocka_unit_test(conditions_on_many_sizes),
        cmocka_unit_test(structs_of_arrays),
        cmocka_unit_test(scalars_of_every_width),
        cmocka_unit_test(failures_keep_their_place),
        cmocka_unit_test(the_cache_is_used_and_mends_itself),
        cmocka_unit_test(no_compiler),
        cmocka_unit_test(commands_and_what_they_say),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
