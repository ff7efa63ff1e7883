// Calls the entries of layout.adz with arrays of structs of this file, and compares with what C
// computes. Padding is filled with a pattern, which has to be there afterwards.
#include "layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 37, FILL = 0xa5 };

static int failed;

static void expect(bool good, const char *what, int n)
{
    if (good) return;
    failed++;
    printf("%s is wrong for n = %d\n", what, n);
}

// Exactly as large as it is: what lies behind it is found by sanitizers.
static void *array(int count, size_t size)
{
    size_t bytes = (size_t)count * size;
    void *p = malloc(bytes ? bytes : 1);
    if (!p) exit(2);
    memset(p, FILL, bytes ? bytes : 1);
    return p;
}

static bool is_filled(const void *p, size_t from, size_t to)
{
    for (; from < to; from++)
        if (((const unsigned char *)p)[from] != FILL) return false;
    return true;
}

static bool keeps_padding(const adze_P *p)
{
    return is_filled(p, offsetof(adze_P, tag) + 1, sizeof *p);
}

static adze_P *points(int n)
{
    adze_P *a = array(n, sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i].x = (float)i;
        a[i].y = (float)(2 * i + 1);
        a[i].tag = (uint8_t)(250 + i);
    }
    return a;
}

static void test_swap(int n, const char *name,
                      int (*swap)(int64_t n, const adze_P *restrict a, adze_P *restrict out))
{
    adze_P *a = points(n), *out = array(n, sizeof *out);
    bool good = swap(n, a, out) == 0;
    for (int i = 0; i < n; i++)
        good = good && out[i].x == a[i].y && out[i].y == a[i].x &&
               out[i].tag == (uint8_t)(a[i].tag + 1) && keeps_padding(&out[i]);
    expect(good, name, n);
    free(a);
    free(out);
}

static void test_multiply(int n)
{
    adze_Complex *a = array(n, sizeof *a), *b = array(n, sizeof *b), *out = array(n, sizeof *out),
                 *vec = array(n, sizeof *vec);
    for (int i = 0; i < n; i++) {
        a[i] = (adze_Complex){i, 1 - i};
        b[i] = (adze_Complex){3 + i, i % 5};
    }
    bool good = adze_multiply(n, a, b, out) == 0 && adze_multiply_vec(n, a, b, vec) == 0;
    for (int i = 0; i < n; i++)
        good = good && out[i].re == a[i].re * b[i].re - a[i].im * b[i].im &&
               out[i].im == a[i].re * b[i].im + a[i].im * b[i].re && vec[i].re == out[i].re &&
               vec[i].im == out[i].im;
    expect(good, "multiply", n);
    free(a);
    free(b);
    free(out);
    free(vec);
}

static adze_Box *boxes(int n)
{
    adze_Box *a = array(n, sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i].flag = i % 3 == 0;
        a[i].count = i;
        a[i].class_ = (uint16_t)(100 + i);
        a[i].half = 0x3c00; // 1.0
        for (int k = 0; k < 3; k++) a[i].low[k] = (float)(i + k);
        for (int k = 0; k < 2; k++) a[i].spin[k] = (adze_Complex){i + k, i - k};
        for (int k = 0; k < 6; k++) a[i].grid[k / 3][k % 3] = (int16_t)(10 * i + k);
    }
    return a;
}

static bool is_turned(const adze_Box *to, const adze_Box *from)
{
    bool good = to->flag == !from->flag && to->count == from->count + 1 &&
                to->class_ == from->class_ && to->half == 0x4000;
    for (int k = 0; k < 3; k++) good = good && to->low[k] == from->low[2 - k];
    for (int k = 0; k < 2; k++)
        good = good && to->spin[k].re == from->spin[1 - k].re &&
               to->spin[k].im == from->spin[1 - k].im;
    for (int k = 0; k < 6; k++) good = good && to->grid[k / 3][k % 3] == -from->grid[k / 3][k % 3];
    return good && is_filled(to, offsetof(adze_Box, flag) + 1, offsetof(adze_Box, low)) &&
           is_filled(to, offsetof(adze_Box, half) + 2, sizeof *to);
}

static void test_turn(int n)
{
    enum { M = 5 };
    adze_Box *a = boxes(n * M), *out = array(n * M, sizeof *out);
    bool good = adze_turn(n, M, a, out) == 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++) good = good && is_turned(&out[j * n + i], &a[i * M + j]);
    expect(good, "turn", n);
    free(a);
    free(out);
}

static void test_single(void)
{
    adze_P p = {1.0f, 2.0f, 3}, *to = array(1, sizeof *to);
    adze_Box *b = boxes(2), *out = array(1, sizeof *out);
    int64_t sum;
    bool good = adze_single(p, 100, b[1], to, out, &sum) == 0;
    good = good && to->x == p.x + b[1].low[2] && to->y == p.y && to->tag == p.tag &&
           keeps_padding(to) && sum == 100 + 6 * 10 + 15;
    good = good && out->low[0] == p.x && out->low[1] == p.y && out->low[2] == 0.5f &&
           out->count == 1 && out->spin[0].re == 1.0 && out->spin[0].im == b[1].spin[1].im &&
           out->spin[1].re == b[1].spin[0].re && out->class_ == 7 &&
           memcmp(out->grid, b[1].grid, sizeof out->grid) == 0 && out->half == b[1].half;
    expect(good, "single", 1);
    free(to);
    free(b);
    free(out);
}

static void test_sums(int n)
{
    adze_P *a = points(n), *out = array(n, sizeof *out);
    size_t bytes = adze_sums_workspace(n);
    void *workspace = aligned_alloc(64, bytes ? bytes : 64);
    bool good = workspace && adze_sums_in(n, a, out, workspace) == 0;
    float x = 0.0f, y = 0.0f;
    for (int i = 0; i < n; i++) {
        x += a[i].x;
        y += a[i].y;
        const adze_P *o = &out[n - 1 - i];
        good = good && o->x == x * y && o->y == x + y && o->tag == a[n - 1 - i].tag &&
               keeps_padding(o);
    }
    expect(good, "sums", n);
    free(workspace);
    free(a);
    free(out);
}

static void test_functions(int n)
{
    adze_P *a = points(n), *out = array(n, sizeof *out), *other = array(n, sizeof *other);
    bool good = adze_doubled(n, a, 3, out) == 0 && adze_marked(n, a, other) == 0;
    for (int i = 0; i < n; i++) {
        good = good && out[i].x == 8.0f * a[i].x && out[i].y == a[i].y + 3.0f &&
               out[i].tag == (uint8_t)(a[i].tag + 3) && keeps_padding(&out[i]);
        bool marked = ((i + 1) & i) == 0;
        good = good && other[i].x == a[i].x && other[i].y == a[i].y &&
               other[i].tag == (marked ? 9 : a[i].tag) && keeps_padding(&other[i]);
    }
    expect(good, "doubled or marked", n);
    free(a);
    free(out);
    free(other);
}

static void test_tree(int n)
{
    adze_Node *a = array(n, sizeof *a);
    double sum = 0.0, found = -1.0;
    for (int i = 0; i < n; i++) {
        a[i] = (adze_Node){2 * i + 1 < n ? 2 * i + 1 : -1, 2 * i + 2 < n ? 2 * i + 2 : -1, i};
        sum += i;
    }
    int status = adze_tree(n, a, &found);
    expect(n ? status == 0 && found == sum : status != 0, "tree", n);
    if (n) a[0].weight = -1.0;
    expect(adze_tree(n, a, &found) != 0, "tree with an assertion", n);
    free(a);
}

static void test_passed_on(int n)
{
    adze_Box *a = boxes(n);
    int64_t even = 0, odd = 0, found = -1;
    for (int i = 0; i < n; i++) {
        int64_t next = a[i].grid[1][2] + odd;
        odd = (a[i].flag ? a[i].count : 7) - even;
        even = next;
    }
    expect(adze_alternate(n, a, &found) == 0 && found == even + odd, "alternate", n);
    free(a);
    adze_Node *nodes = array(n, sizeof *nodes);
    double sum = 0.0, one = -1.0, two = -1.0;
    for (int i = 0; i < n; i++) nodes[i] = (adze_Node){i + 1 < n ? i + 1 : -1, -1, i};
    for (int i = 0; i < n; i++) sum += i;
    bool good = adze_both(n, nodes, &one, &two) == 0;
    expect(n ? good && one == sum && two == 2 * sum : !good, "both", n);
    free(nodes);
}

static void test_lengths(int n)
{
    adze_Packed *a = array(n, sizeof *a), *out = array(n, sizeof *out);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) a[i].v[k] = (float)(i + k);
    bool good = adze_lengths(n, a, out) == 0;
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int k = 0; k < 4; k++) good = good && out[i].v[k] == (sum += a[i].v[k]);
    }
    expect(good, "lengths", n);
    free(a);
    free(out);
}

static void test_plain(void)
{
    const float x[2] = {1, 2}, bx[2] = {10, 20}, by[2] = {0, 0};
    const uint8_t tag[2] = {0, 0};
    const int32_t k[2] = {100, 200};
    float out[2];
    bool good = adze_plain(2, x, tag, k, bx, by, tag, out) == 0;
    expect(good && out[0] == 111.0f && out[1] == 222.0f, "plain", 2);
}

int main(void)
{
    static const int sizes[] = {0, 1, 2, 7, 8, 16, MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        test_swap(sizes[i], "swap", adze_swap);
        test_swap(sizes[i], "swap_vec", adze_swap_vec);
        test_multiply(sizes[i]);
        test_turn(sizes[i]);
        test_sums(sizes[i]);
        test_functions(sizes[i]);
        test_tree(sizes[i]);
        test_passed_on(sizes[i]);
        test_lengths(sizes[i]);
    }
    test_single();
    test_plain();
    if (!failed) puts("good");
    return failed != 0;
}
