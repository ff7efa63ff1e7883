// The compiler as a library: descriptions, calls, errors as data, and modules side by side.

// cmocka.h needs these before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/adze_compiler.h"
#include "api/support.h"

static const char program[] = "#[c_layout]\n"
                              "struct Point { x: f32, n: i16 }\n"
                              "/// Sums of rows.\n"
                              "entry fn sums[n, m: nat](a: [n][m]f32 strided) -> [n]f32 {\n"
                              "    map(|row| reduce(+, 0.0, row), a)\n"
                              "}\n"
                              "entry fn smooth[n: nat](xs: [n + 2]f64, k: nat) -> ([n]f64, i64) {\n"
                              "    (xs |> slide[3, 1] |> map(|w| w[0] + w[1] + w[2]), k)\n"
                              "}\n"
                              "entry fn first[n: nat](ps: [n]Point, i: i64) -> Point { ps[i] }\n"
                              "entry fn checked(k: i32) -> i32 { assert(k > 3, \"k is \", k); k }\n"
                              "entry fn plus_one[s: shape](a: [..s]f32) -> [..s]f32 { a + 1.0 }\n";

static AdzeModule *module_of(const char *text)
{
    const char *options[] = {cache, "--cflags=-O0", "--target=c", NULL};
    AdzeModule *m = adze_module_new("lib", options);
    assert_non_null(m);
    if (!adze_module_open(m, "test.adz", text)) fail_msg("%s", adze_module_report(m));
    return m;
}

static AdzeCode code_of(AdzeModule *m, const char *entry, const char *fixed)
{
    AdzeCode code;
    if (!adze_module_compile(m, entry, fixed, &code)) fail_msg("%s", adze_module_report(m));
    return code;
}

static json_t *parsed(const char *text)
{
    assert_non_null(text);
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    return json;
}

/// Fails unless the only diagnostic of the module has the code and the line, 0 for none.
static void assert_report(AdzeModule *m, const char *code, int line)
{
    json_t *report = parsed(adze_module_report(m)), *list = json_object_get(report, "diagnostics");
    assert_int_equal(json_array_size(list), 1);
    json_t *first = json_array_get(list, 0);
    assert_string_equal(json_string_value(json_object_get(first, "code")), code);
    assert_int_equal(json_integer_value(json_object_get(first, "line")), line);
    assert_non_null(strstr(json_string_value(json_object_get(report, "text")), code));
    json_decref(report);
}

static const char *text_at(json_t *json, const char *key)
{
    return json_string_value(json_object_get(json, key));
}

static void entries_are_described(void **state)
{
    (void)state;
    AdzeModule *m = module_of(program);
    json_t *all = parsed(adze_module_describe(m));
    assert_int_equal(json_array_size(all), 5);
    json_t *sums = json_array_get(all, 0), *smooth = json_array_get(all, 1);
    assert_string_equal(text_at(sums, "name"), "sums");
    assert_string_equal(text_at(sums, "doc"), "Sums of rows.");
    assert_int_equal(json_integer_value(json_object_get(sums, "line")), 4);
    assert_int_equal(json_array_size(json_object_get(sums, "sizes")), 2);
    json_t *a = json_array_get(json_object_get(sums, "parameters"), 0);
    assert_true(json_is_true(json_object_get(a, "strided")));
    assert_string_equal(text_at(json_object_get(a, "type"), "text"), "[n][m]f32");
    json_t *parameters = json_object_get(smooth, "parameters");
    json_t *size = json_object_get(json_object_get(json_array_get(parameters, 0), "type"), "size");
    char *postfix = json_dumps(json_object_get(size, "code"), JSON_COMPACT);
    assert_string_equal(postfix, "[\"n\",2,[\"+\"]]");
    free(postfix);
    assert_true(json_is_true(json_object_get(json_array_get(parameters, 1), "size")));
    assert_true(json_is_true(json_object_get(json_array_get(all, 4), "any_rank")));
    json_decref(all);
    adze_module_free(m);
}

static void entries_for_any_rank(void **state)
{
    (void)state;
    AdzeModule *m = module_of(program);
    const char *description = adze_module_instance(m, "plus_one", "2");
    json_t *two = parsed(description);
    AdzeCode code = code_of(m, text_at(two, "key"), NULL);
    json_decref(two);
    float a[] = {1, 2, 3, 4, 5, 6}, out[6];
    assert_int_equal(code.call((int64_t[]){2, 3}, (void *[]){a, out}), 0);
    assert_memory_equal(out, ((float[]){2, 3, 4, 5, 6, 7}), sizeof out);
    assert_null(adze_module_instance(m, "plus_one", "two"));
    assert_report(m, "E0727", 0);
    assert_null(adze_module_instance(m, "nothing", "2"));
    assert_report(m, "E0717", 0);
    adze_module_free(m);
}

static void arrays_with_strides(void **state)
{
    (void)state;
    AdzeModule *m = module_of(program);
    AdzeCode code = code_of(m, "sums", NULL);
    float a[] = {1, 2, 3, 4, 5, 6}, out[3];
    int64_t down = 1, right = 3; // the transpose of a 2 x 3 matrix
    void *buffers[] = {a, &down, &right, out};
    assert_int_equal(code.call((int64_t[]){3, 2}, buffers), 0);
    assert_memory_equal(out, ((float[]){5, 7, 9}), sizeof out);
    adze_module_free(m);
}

static void structs_in_c_layout(void **state)
{
    (void)state;
    typedef struct {
        float x;
        int16_t n;
    } Point;
    AdzeModule *m = module_of(program);
    AdzeCode code = code_of(m, "first", NULL);
    Point points[] = {{1.5f, 1}, {2.5f, 2}}, out = {0};
    int64_t at = 1;
    void *buffers[] = {points, points, &at, &out, &out};
    assert_int_equal(code.call((int64_t[]){2}, buffers), 0);
    assert_true(out.x == 2.5f && out.n == 2);
    adze_module_free(m);
}

static void fixed_sizes(void **state)
{
    (void)state;
    AdzeModule *m = module_of(program);
    AdzeCode code = code_of(m, "smooth", "n=2");
    json_t *description = parsed(code.description);
    assert_int_equal(json_array_size(json_object_get(description, "sizes")), 1);
    json_decref(description);
    double xs[] = {1, 2, 3, 4}, out[2];
    int64_t k = 7, out_k;
    void *buffers[] = {xs, out, &out_k};
    assert_int_equal(code.call(&k, buffers), 0);
    assert_true(out[0] == 6 && out[1] == 9 && out_k == 7);
    assert_false(adze_module_compile(m, "smooth", "q=2", &code));
    assert_report(m, "E0715", 0);
    adze_module_free(m);
}

static void failures_are_data(void **state)
{
    (void)state;
    AdzeModule *m = module_of(program);
    AdzeCode code = code_of(m, "checked", NULL);
    int32_t k = 2, out;
    int status = code.call(NULL, (void *[]){&k, &out});
    assert_int_not_equal(status, 0);
    char *message = adze_code_message(&code, status);
    assert_non_null(strstr(message, "k is 2"));
    adze_module_failure(m, message, "a note");
    free(message);
    assert_report(m, "E0614", 11);
    assert_non_null(strstr(adze_module_report(m), "a note"));
    k = 4;
    assert_int_equal(code.call(NULL, (void *[]){&k, &out}), 0);
    adze_module_free(m);
}

static void errors_are_data(void **state)
{
    (void)state;
    AdzeModule *m = adze_module_new("lib", NULL);
    assert_false(adze_module_open(m, "bad.adz", "entry fn f() -> i32 { 1 }\nfn g() -> i32 { x }"));
    assert_report(m, "E0201", 2);
    assert_null(adze_module_describe(m));
    adze_module_free(m);
    m = module_of(program);
    AdzeCode code;
    assert_false(adze_module_compile(m, "nothing", NULL, &code));
    assert_report(m, "E0717", 0);
    assert_null(adze_module_explain(m, "sums", NULL, "nowhere"));
    assert_report(m, "E0727", 0);
    (void)code_of(m, "sums", NULL); // a module outlives its errors
    adze_module_free(m);
}

static void options_are_checked(void **state)
{
    (void)state;
    static const char *const bad[] = {"--colour=red", "--target=moon", "--plain=yes",
                                      "--cpu=abacus", "--vector-bytes=wide"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        AdzeModule *m = adze_module_new("lib", (const char *[]){bad[i], NULL});
        assert_false(adze_module_open(m, "test.adz", program));
        assert_report(m, "E0727", 0);
        adze_module_free(m);
    }
}

static void no_c_compiler(void **state)
{
    (void)state;
    AdzeModule *m = adze_module_new("lib", (const char *[]){"--cc=no-such-compiler", cache, NULL});
    AdzeCode code;
    assert_true(adze_module_open(m, "test.adz", program));
    assert_false(adze_module_compile(m, "sums", NULL, &code));
    assert_report(m, "E0708", 0);
    adze_module_free(m);
}

static void stages_are_explained(void **state)
{
    (void)state;
    AdzeModule *m = module_of(program);
    assert_non_null(strstr(adze_module_explain(m, "sums", NULL, "core"), "(entry sums"));
    assert_non_null(strstr(adze_module_explain(m, "smooth", "n=8", "loop"), "(loops smooth"));
    assert_non_null(strstr(adze_module_explain(m, "sums", NULL, "c"), "int adze_sums("));
    adze_module_free(m);
}

static void *use_module(void *env)
{
    (void)env;
    AdzeModule *m = module_of(program);
    AdzeCode code = code_of(m, "checked", NULL);
    int32_t k = 5, out = 0;
    int status = code.call(NULL, (void *[]){&k, &out});
    adze_module_free(m);
    return status == 0 && out == 5 ? m : NULL;
}

static void modules_in_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_module, NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        void *good;
        assert_int_equal(pthread_join(threads[i], &good), 0);
        assert_non_null(good);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_for_any_rank), cmocka_unit_test(entries_are_described),
        cmocka_unit_test(arrays_with_strides),  cmocka_unit_test(structs_in_c_layout),
        cmocka_unit_test(fixed_sizes),          cmocka_unit_test(failures_are_data),
        cmocka_unit_test(errors_are_data),      cmocka_unit_test(options_are_checked),
        cmocka_unit_test(no_c_compiler),        cmocka_unit_test(stages_are_explained),
        cmocka_unit_test(modules_in_threads),
    };
    return cmocka_run_group_tests(tests, make_cache, remove_cache);
}
