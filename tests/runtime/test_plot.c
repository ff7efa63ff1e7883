// Plots and colours: what is drawn, and that no number spoils a drawing.
#include "support.h"

#include "array_internal.h"

#include <float.h>
#include <math.h>

// Draws the tables, and returns the text, which the caller frees.
static char *drawn(int n, AdzeArray *arrays, AdzePlot plot, const char *colours,
                   const char *const *names)
{
    AdzeTable tables[4];
    const AdzeTable *list[4];
    AdzeError err;
    for (int i = 0; i < n; i++) {
        tables[i] = adze_table_of(&arrays[i]);
        list[i] = &tables[i];
    }
    AdzeSave file = {in_dir("p.svg"), n, list, names, colours, plot};
    if (!adze_files_save(&file, 1, &err)) fail_msg("%s", err.text);
    size_t len;
    uint8_t *bytes = get_file(in_dir("p.svg"), &len);
    char *text = malloc(len + 1);
    assert_non_null(text);
    memcpy(text, bytes, len);
    text[len] = '\0';
    free(bytes);
    assert_int_equal(strncmp(text, "<svg ", 5), 0);
    assert_string_equal(text + len - 7, "</svg>\n");
    return text;
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)); text += strlen(part)) n++;
    return n;
}

// Draws the array and expects this many of each part of the text.
static void expect(AdzeArray *a, AdzePlot plot, int lines, int moves, int images)
{
    char *text = drawn(1, a, plot, NULL, NULL);
    assert_int_equal(count(text, "fill=\"none\""), lines);
    assert_int_equal(count(text, "h0"), moves);
    assert_int_equal(count(text, "<image "), images);
    free(text);
}

static void kinds(void **state)
{
    (void)state;
    float numbers[] = {1, 2, NAN, 4, 5, 6, 7, 8};
    AdzeArray a = {.type = ADZE_F32, .rank = 1, .shape = {8}, .data = numbers};
    expect(&a, ADZE_PLOT_AUTO, 1, 2, 0); // the line is interrupted at NaN
    expect(&a, ADZE_PLOT_LINES, 1, 2, 0);
    expect(&a, ADZE_PLOT_POINTS, 1, 7, 0);
    a = (AdzeArray){.type = ADZE_F32, .rank = 2, .shape = {1, 8}, .data = numbers};
    expect(&a, ADZE_PLOT_AUTO, 1, 2, 0);
    expect(&a, ADZE_PLOT_HEAT, 0, 0, 1);
    a = (AdzeArray){.type = ADZE_F32, .rank = 2, .shape = {2, 4}, .data = numbers};
    expect(&a, ADZE_PLOT_AUTO, 0, 0, 1);
    expect(&a, ADZE_PLOT_LINES, 2, 3, 0);
}

// A long line is drawn by the extremes of its parts, and its peak is among them.
static void long_line(void **state)
{
    (void)state;
    enum { N = 200000 };
    AdzeArray a;
    assert_true(adze_array_alloc(&a, ADZE_F64, 1, (int64_t[]){N}, NULL));
    ((double *)a.data)[77777] = 1e6;
    char *text = drawn(1, &a, ADZE_PLOT_AUTO, NULL, NULL);
    assert_true(strlen(text) < 100000);
    assert_int_equal(count(text, "L315.00 20.00L"), 1); // 70 + 630 * 77777 / 199999, at the top
    free(text);
    adze_array_free(&a);
}

static void columns(void **state)
{
    (void)state;
    double x[] = {0, 1, 4}, y[] = {1, 2, 3};
    AdzeArray arrays[] = {{.type = ADZE_F64, .rank = 1, .shape = {3}, .data = x},
                          {.type = ADZE_F64, .rank = 1, .shape = {3}, .data = y},
                          {.type = ADZE_F64, .rank = 1, .shape = {3}, .data = x}};
    char *text = drawn(3, arrays, ADZE_PLOT_AUTO, NULL, (const char *const[]){"t", "a<b&c", "d"});
    assert_int_equal(count(text, "fill=\"none\""), 2);
    assert_int_equal(count(text, ">t</text>"), 1);
    assert_int_equal(count(text, ">a&lt;b&amp;c</text>"), 1);
    free(text);
}

// Whatever the numbers are, coordinates and labels are numbers.
static void any_numbers(void **state)
{
    (void)state;
    static const double odd[] = {0,   -0.0,     1,         -1,     DBL_MAX, -DBL_MAX, DBL_MIN,
                                 NAN, INFINITY, -INFINITY, 1e-320, 1e300,   1e15,     1 + 1e-15};
    enum { ODD = sizeof odd / sizeof *odd };
    for (int i = 0; i < ODD; i++) {
        for (int j = 0; j < ODD; j++) {
            double numbers[] = {odd[i], odd[j]};
            AdzeArray a = {.type = ADZE_F64, .rank = 1, .shape = {2}, .data = numbers};
            for (int k = 0; k < 3; k++) {
                char *text = drawn(1, &a, k < 2 ? ADZE_PLOT_LINES : ADZE_PLOT_HEAT,
                                   k == 2 ? "diverging" : NULL, NULL);
                if (strstr(text, "nan") || strstr(text, "inf"))
                    fail_msg("%g and %g are drawn as: %s", odd[i], odd[j], text);
                free(text);
                if (k < 1) continue;
                a.rank = 2;
                a.shape[0] = 1;
                a.shape[1] = 2;
            }
        }
    }
}

static void coloured(void **state)
{
    (void)state;
    double numbers[] = {-1, 3, NAN, 0};
    const uint8_t viridis[] = {0x44, 0x01, 0x54, 0xfd, 0xe7, 0x25, 128, 128, 128, 0x3b, 0x52, 0x8b};
    const uint8_t grey[] = {0, 0, 0, 255, 255, 255, 128, 128, 128, 64, 64, 64};
    AdzeArray a = {.type = ADZE_F64, .rank = 2, .shape = {2, 2}, .data = numbers}, rgb;
    assert_true(adze_colours_apply("a.png", &a, "viridis", &rgb, NULL));
    assert_memory_equal(rgb.data, viridis, sizeof viridis);
    adze_array_free(&rgb);
    assert_true(adze_colours_apply("a.png", &a, "grey", &rgb, NULL));
    assert_memory_equal(rgb.data, grey, sizeof grey);
    adze_array_free(&rgb);
    assert_true(adze_colours_apply("a.png", &a, "diverging", &rgb, NULL));
    assert_memory_equal((uint8_t *)rgb.data + 9, "\xf5\xf5\xf5", 3); // 0 is in the middle
    adze_array_free(&rgb);
    AdzeError err;
    assert_false(adze_colours_apply("a.png", &a, "jet", &rgb, &err));
    assert_says(&err, "there is no colour map jet; viridis, grey and diverging are");
}

static void refuse_plot(AdzeArray *a, AdzePlot plot, const char *part)
{
    const AdzeTable table = adze_table_of(a), *list = &table;
    AdzeSave file = {in_dir("no.svg"), 1, &list, NULL, NULL, plot};
    AdzeError err;
    assert_false(adze_files_save(&file, 1, &err));
    assert_says(&err, part);
    assert_int_not_equal(access(in_dir("no.svg"), F_OK), 0);
}

static void refuses(void **state)
{
    (void)state;
    float numbers[200] = {0};
    AdzeArray a = {.type = ADZE_F32, .rank = 3, .shape = {2, 2, 2}, .data = numbers};
    refuse_plot(&a, ADZE_PLOT_AUTO, "no.svg: cannot draw [2][2][2]f32; [n] and [n][m] of numbers");
    a = (AdzeArray){.type = ADZE_F32, .rank = 1, .shape = {0}, .data = numbers};
    refuse_plot(&a, ADZE_PLOT_AUTO, "cannot draw [0]f32: it has no elements");
    refuse_plot(&a, ADZE_PLOT_HEAT, "cannot draw [0]f32");
    a = (AdzeArray){.type = ADZE_F32, .rank = 2, .shape = {200, 1}, .data = numbers};
    refuse_plot(&a, ADZE_PLOT_LINES, "at most 100 can be; transpose it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),       cmocka_unit_test(long_line), cmocka_unit_test(columns),
        cmocka_unit_test(any_numbers), cmocka_unit_test(coloured),  cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, make_test_dir, remove_test_dir);
}
