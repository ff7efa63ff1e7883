// Tables of numbers as text: what is read, what is refused and where, and what is written.
#include "support.h"

#include <locale.h>
#include <math.h>

// A string literal with its length.
#define TEXT(s) (s), sizeof(s) - 1

static bool read_f64(const char *path, AdzeArray *out, AdzeError *err)
{
    return adze_text_read(path, ADZE_F64, out, err);
}

static bool read_u8(const char *path, AdzeArray *out, AdzeError *err)
{
    return adze_text_read(path, ADZE_U8, out, err);
}

static bool read_i64(const char *path, AdzeArray *out, AdzeError *err)
{
    return adze_text_read(path, ADZE_I64, out, err);
}

static void expect(const char *name, const char *text, size_t len, int rank, int64_t rows,
                   int64_t columns, const double *numbers)
{
    AdzeArray array;
    AdzeError err;
    put_file(in_dir(name), text, len);
    if (!read_f64(in_dir(name), &array, &err)) fail_msg("%s", err.text);
    assert_int_equal(array.rank, rank);
    assert_int_equal(array.shape[0], rows);
    if (rank == 2) assert_int_equal(array.shape[1], columns);
    for (int64_t i = 0; i < rows * columns; i++) {
        double x = ((double *)array.data)[i];
        assert_true(isnan(numbers[i]) ? isnan(x) : x == numbers[i]);
    }
    adze_array_free(&array);
}

static void variants(void **state)
{
    (void)state;
    const double six[] = {1, 2, 3, 4, 5, 6}, holes[] = {1, NAN, 3, NAN, NAN, 6};
    expect("a.csv", TEXT("1,2,3\n4,5,6\n"), 2, 2, 3, six);
    expect("a.csv", TEXT("\xef\xbb\xbf 1 ;2;\t3\r\n\r\n# a comment\r\n4;5;6"), 2, 2, 3, six);
    expect("a.csv", TEXT("x,\"a \"\"y\"\"\",z\n1,\"2\",3\n4,5,\"6\"\n"), 2, 2, 3, six);
    expect("a.csv", TEXT("1\t2\t3\n4\t5\t6\n"), 2, 2, 3, six);
    expect("a.txt", TEXT("  1 2\t3  \n4   5 6\n"), 2, 2, 3, six);
    expect("a.txt", TEXT("one two three\n1 2 3\n4 5 6\n"), 2, 2, 3, six);
    expect("a.csv", TEXT("1\n2\n3\n4\n5\n6\n"), 1, 6, 1, six);
    expect("a.csv", TEXT("1,2,3,4,5,6\n"), 2, 1, 6, six);
    expect("a.tsv", TEXT("1\t\t3\n\t\t6\n"), 2, 2, 3, holes);
    expect("a.csv", TEXT("1,,3\n,nan,6\n"), 2, 2, 3, holes);
    expect("a.csv", TEXT("\"x;y\",z\n1,2\n"), 2, 1, 2, six);
    expect("a.csv", TEXT("x,y\n"), 2, 0, 2, six);
    expect("a.csv", TEXT(""), 2, 0, 0, six);
    expect("a.csv", TEXT("# only this"), 2, 0, 0, six);
    expect("a.csv", TEXT("-1e3,+.5,inf,-Infinity,0x10\n"), 2, 1, 5,
           (double[]){-1000, 0.5, INFINITY, -INFINITY, 16});
}

static void refuses(void **state)
{
    (void)state;
    const struct {
        Reader *read;
        const char *text;
        size_t len;
        const char *part;
    } cases[] = {
        {read_f64, TEXT("1,2\n3\n"), "line 2 has 1 columns, the lines before it have 2"},
        {read_f64, TEXT("a,b\n\n3,4,5\n"), "line 3 has 3 columns"},
        {read_f64, TEXT("1,2\n3,four\n"), "line 2, column 2: `four` is not a value of type f64"},
        {read_f64, TEXT("1,NA\n3,4\n"),
         "line 1, column 2: `NA` is not a value of type f64; a heading"},
        {read_f64, TEXT("x,y\nz,4\n"), "line 2, column 1: `z` is not a value of type f64"},
        {read_f64, TEXT("1;2\n3;4,5\n"), "the decimal separator is a point"},
        {read_f64, TEXT("1,2\n3,\"4\n"), "line 2, column 2: the closing quote is missing"},
        {read_f64, TEXT("1,2\n\"3\"x,4\n"), "line 2, column 1: text follows the closing quote"},
        {read_f64, TEXT("1,2\n3,4\0\n"), "line 2, column 2: `4` is not a value"},
        {read_f64, TEXT("1,2\n3,true\n"), "truth values are loaded as bool"},
        {read_i64, TEXT("1,2\n3,4.5\n"), "`4.5` is not a value of type i64; load the file as f64"},
        {read_i64, TEXT("1,2\n3,\n"), "only columns of floats may have empty cells"},
        {read_i64, TEXT("1,9223372036854775808\n"), "is not a value of type i64"},
        {read_u8, TEXT("1,256\n"), "line 1, column 2: `256` is not a value of type u8"},
        {read_u8, TEXT("1,-1\n"), "line 1, column 2: `-1` is not a value of type u8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse(cases[i].read, cases[i].text, cases[i].len, cases[i].part);
}

static void limits_of_integers(void **state)
{
    (void)state;
    AdzeArray a;
    put_file(in_dir("a.csv"), TEXT("-9223372036854775808\n9223372036854775807\n-0\n"));
    assert_true(adze_text_read(in_dir("a.csv"), ADZE_I64, &a, NULL));
    const int64_t signed_limits[] = {INT64_MIN, INT64_MAX, 0};
    assert_memory_equal(a.data, signed_limits, sizeof signed_limits);
    adze_array_free(&a);
    put_file(in_dir("a.csv"), TEXT("18446744073709551615\n0\n"));
    assert_true(adze_text_read(in_dir("a.csv"), ADZE_U64, &a, NULL));
    const uint64_t limits[] = {UINT64_MAX, 0};
    assert_memory_equal(a.data, limits, sizeof limits);
    adze_array_free(&a);
}

// Random numbers of each type are read as they were written.
static void numbers_round_trip(void **state)
{
    (void)state;
    static const char *const names[] = {"r.csv", "r.tsv", "r.txt"};
    uint64_t seed = 3;
    AdzeError err;
    for (int t = 0; t < ADZE_TYPE_COUNT; t++) {
        for (int n = 0; n < 3; n++) {
            const char *path = in_dir(names[n]);
            // a file of one column is read as a vector, and bytes are written unchanged
            int rank = n == 0 && t != ADZE_U8 ? 1 : 2;
            AdzeArray a = random_array((AdzeType)t, rank, (int64_t[]){40, 5}, &seed), back;
            if (!adze_array_save(path, &a, &err)) fail_msg("%s", err.text);
            if (!adze_text_read(path, (AdzeType)t, &back, &err)) fail_msg("%s", err.text);
            assert_int_equal(back.rank, a.rank);
            size_t size = adze_type_size((AdzeType)t);
            for (int64_t i = 0; i < adze_array_count(&a); i++) {
                const char *x = (char *)a.data + (size_t)i * size;
                const char *y = (char *)back.data + (size_t)i * size;
                bool nan = t == ADZE_F64   ? isnan(*(const double *)(const void *)x)
                           : t == ADZE_F32 ? isnan(*(const float *)(const void *)x)
                                           : t == ADZE_F16 && (x[1] & 0x7c) == 0x7c;
                if (!nan) assert_memory_equal(x, y, size);
            }
            adze_array_free(&a);
            adze_array_free(&back);
        }
    }
}

static void expect_written(const char *name, const AdzeArray *a, const char *text)
{
    AdzeError err;
    size_t len;
    if (!adze_array_save(in_dir(name), a, &err)) fail_msg("%s", err.text);
    uint8_t *bytes = get_file(in_dir(name), &len);
    assert_int_equal(len, strlen(text));
    assert_memory_equal(bytes, text, len);
    free(bytes);
}

static void written(void **state)
{
    (void)state;
    float numbers[] = {0.1f, -2, NAN, INFINITY};
    bool truths[] = {true, false};
    AdzeArray a = {.type = ADZE_F32, .rank = 2, .shape = {2, 2}, .data = numbers};
    expect_written("w.csv", &a, "0.1,-2\nnan,inf\n");
    expect_written("w.TSV", &a, "0.1\t-2\nnan\tinf\n");
    expect_written("w.txt", &a, "0.1 -2\nnan inf\n");
    a.rank = 0;
    expect_written("w.csv", &a, "0.1\n");
    a = (AdzeArray){.type = ADZE_BOOL, .rank = 1, .shape = {2}, .data = truths};
    expect_written("w.csv", &a, "true\nfalse\n");
    a = (AdzeArray){.type = ADZE_U8, .rank = 1, .shape = {3}, .data = (char[]){"a,b"}};
    expect_written("w.csv", &a, "a,b");
    a = (AdzeArray){.type = ADZE_F32, .rank = 3, .shape = {2, 2, 1}, .data = numbers};
    AdzeError err;
    assert_false(adze_array_save(in_dir("cube.csv"), &a, &err));
    assert_says(&err, "cannot write [2][2][1]f32 as text");
    assert_int_not_equal(access(in_dir("cube.csv"), F_OK), 0);
}

// The decimal separator does not depend on the program's locale.
static void any_locale(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C"};
    for (int i = 0; i < 3; i++) {
        if (!setlocale(LC_ALL, locales[i])) continue;
        double x = 1.5;
        AdzeArray a = {.type = ADZE_F64, .rank = 1, .shape = {1}, .data = &x}, back;
        expect_written("l.csv", &a, "1.5\n");
        assert_true(adze_text_read(in_dir("l.csv"), ADZE_F64, &back, NULL));
        assert_true(*(double *)back.data == 1.5);
        adze_array_free(&back);
    }
    setlocale(LC_ALL, "C");
}

static void damaged(void **state)
{
    (void)state;
    static const char csv[] = "x,\"y \"\"z\"\"\"\n1.5,-2\n\"3\",inf\n# end\n4,,\n";
    for (size_t i = 0; i < sizeof csv; i++) survive(read_f64, csv, i);
    survive_damage(read_f64, (const uint8_t *)csv, sizeof csv - 1);
    uint64_t seed = 9;
    char bytes[64];
    for (int n = 0; n < 5000; n++) {
        static const char likely[] = "0123456789.,;\t \n\r\"#e-+nainf";
        size_t len = random_bits(&seed) % sizeof bytes;
        for (size_t i = 0; i < len; i++)
            bytes[i] = likely[random_bits(&seed) % (sizeof likely - 1)];
        survive(n % 2 ? read_f64 : read_u8, bytes, len);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants),
        cmocka_unit_test(refuses),
        cmocka_unit_test(limits_of_integers),
        cmocka_unit_test(numbers_round_trip),
        cmocka_unit_test(written),
        cmocka_unit_test(any_locale),
        cmocka_unit_test(damaged),
    };
    return cmocka_run_group_tests(tests, make_test_dir, remove_test_dir);
}
