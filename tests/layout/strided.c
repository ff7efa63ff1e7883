// Calls the entries of strided.adz twice: with dense arrays, and with arrays that lie in other ways
// in memory that is exactly as large as it must be. The results are the same, and what lies between
// the elements of a result stays as it was.
#include "strided.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANK = 3, FILL = 0xa5 };

/// How the dimensions of an array lie. Results have none in which elements meet.
typedef enum {
    DENSE,     // row by row
    PITCH,     // with more between rows
    DOWN,      // rows contiguous, the last one first
    COLUMNS,   // transposed, column by column
    BACKWARDS, // all dimensions reversed
    SECOND,    // every second element of every third row
    MIRRORED,  // transposed, and the last dimension reversed
    KINDS,
    SAME_ROWS = KINDS, // one row for all
    ONE,               // one element for all
    INPUT_KINDS
} Kind;

typedef struct {
    size_t size; // of an element
    int rank;
    int64_t dims[MAX_RANK], s[MAX_RANK];
    int64_t count, room, base; // elements; elements of the memory; the first one there
    unsigned char *memory;
    void *dense; // the elements row by row
} Array;

static int failed;

static void *memory_of(int64_t bytes)
{
    void *p = malloc(bytes ? (size_t)bytes : 1);
    if (!p) exit(2);
    memset(p, FILL, bytes ? (size_t)bytes : 1);
    return p;
}

static void set_strides(Array *a, Kind kind)
{
    bool turned = kind == COLUMNS || kind == MIRRORED;
    int64_t step = kind == SECOND ? 2 : 1;
    for (int i = 0; i < a->rank; i++) {
        int k = turned ? i : a->rank - 1 - i;
        a->s[k] = step;
        step = step * a->dims[k] + (kind == PITCH || kind == DOWN || kind == MIRRORED ? 3 : 0);
        if (kind == SECOND) step *= 3;
    }
    int last = a->rank - 1;
    for (int k = 0; k < a->rank; k++) {
        bool back =
            kind == BACKWARDS || (kind == DOWN && k < last) || (kind == MIRRORED && k == last);
        if (back) a->s[k] = -a->s[k];
        if (kind == ONE || (kind == SAME_ROWS && k < last)) a->s[k] = 0;
    }
}

/// Element number i, row by row.
static unsigned char *element(const Array *a, int64_t i)
{
    int64_t at = a->base;
    for (int k = a->rank; k-- > 0; i /= a->dims[k]) at += i % a->dims[k] * a->s[k];
    return a->memory + at * (int64_t)a->size;
}

static Array array_of(Kind kind, size_t size, int rank, int64_t n, int64_t m, int64_t k)
{
    Array a = {.size = size, .rank = rank, .dims = {n, m, k}, .count = 1};
    for (int i = 0; i < rank; i++) a.count *= a.dims[i];
    set_strides(&a, kind);
    for (int i = 0; i < rank && a.count; i++) {
        int64_t reach = (a.dims[i] - 1) * a.s[i];
        a.room += reach < 0 ? -reach : reach;
        a.base -= reach < 0 ? reach : 0;
    }
    a.room += a.count > 0;
    a.memory = memory_of(a.room * (int64_t)size);
    a.dense = memory_of(a.count * (int64_t)size);
    return a;
}

typedef double Number(int64_t k);

static double any(int64_t k)
{
    return (double)(k * 7919 % 251 - 120);
}

static void put(void *at, size_t size, bool floats, double x)
{
    float f = (float)x;
    int64_t i = (int64_t)x;
    int32_t i32 = (int32_t)i;
    int16_t i16 = (int16_t)i;
    uint8_t i8 = (uint8_t)i;
    const void *from = floats      ? (size == 4 ? (void *)&f : (void *)&x)
                       : size == 8 ? (void *)&i
                       : size == 4 ? (void *)&i32
                       : size == 2 ? (void *)&i16
                                   : (void *)&i8;
    memcpy(at, from, size);
}

static Array input(Kind kind, char type, size_t size, int64_t bound, int rank, int64_t n, int64_t m,
                   int64_t k)
{
    Array a = array_of(kind, size, rank, n, m, k);
    for (int64_t i = 0; i < a.count; i++) {
        double x = any(i);
        if (bound) x = (double)((i * 7919 + 3) % bound);
        put(element(&a, i), size, type == 'f', x);
    }
    for (int64_t i = 0; i < a.count; i++)
        memcpy((char *)a.dense + (size_t)i * size, element(&a, i), size);
    return a;
}

#define FLOATS(kind, rank, n, m)       input(kind, 'f', 4, 0, rank, n, m, 0)
#define DOUBLES(kind, rank, n, m)      input(kind, 'f', 8, 0, rank, n, m, 0)
#define INTS(kind, rank, n, m)         input(kind, 'i', 4, 0, rank, n, m, 0)
#define SHORTS(kind, n, m, k)          input(kind, 'i', 2, 0, 3, n, m, k)
#define RESULT(kind, size, rank, n, m) array_of(kind, size, rank, n, m, 0)

static void *first(const Array *a)
{
    return a->memory + a->base * (int64_t)a->size;
}

// The strides as arguments.
#define S1(a) (a).s[0]
#define S2(a) (a).s[0], (a).s[1]
#define S3(a) (a).s[0], (a).s[1], (a).s[2]

// Whether the result is that in its dense form, and nothing else was written to.
static void compare(const char *what, int part, Array *a)
{
    bool good = true, *used = memory_of(a->room);
    memset(used, 0, (size_t)a->room);
    for (int64_t i = 0; i < a->count; i++) {
        unsigned char *at = element(a, i);
        used[(at - a->memory) / (int64_t)a->size] = true;
        good = good && memcmp(at, (char *)a->dense + (size_t)i * a->size, a->size) == 0;
    }
    for (int64_t i = 0; i < a->room; i++)
        for (size_t k = 0; !used[i] && k < a->size; k++)
            good = good && a->memory[(size_t)i * a->size + k] == FILL;
    free(used);
    if (good) return;
    failed++;
    printf("%s, result %d of [%d, %d, %d] with strides %d, %d, %d is wrong\n", what, part,
           (int)a->dims[0], (int)a->dims[1], (int)a->dims[2], (int)a->s[0], (int)a->s[1],
           (int)a->s[2]);
}

static void drop(Array *a)
{
    free(a->memory);
    free(a->dense);
}

static void both(const char *what, int dense, int strided)
{
    if (dense == strided) return;
    failed++;
    printf("%s: status %d with dense arrays, %d with others\n", what, dense, strided);
}

typedef struct {
    int64_t n, m, k;
    Kind a, b, out;
} Case;

static void test_scale(Case c)
{
    Array a = FLOATS(c.a, 2, c.n, c.m), out = RESULT(c.out, 4, 2, c.n, c.m);
    both("scale", adze_scale(c.n, c.m, a.dense, 3.5f, out.dense),
         adze_sscale(c.n, c.m, first(&a), S2(a), 3.5f, first(&out), S2(out)));
    compare("scale", 0, &out);
    drop(&a), drop(&out);
}

static void test_root(Case c)
{
    Array a = FLOATS(c.a, 2, c.n, c.m), b = FLOATS(c.b, 2, c.n, c.m);
    Array out = RESULT(c.out, 4, 2, c.n, c.m);
    both("root", adze_root(c.n, c.m, a.dense, b.dense, out.dense),
         adze_sroot(c.n, c.m, first(&a), S2(a), first(&b), S2(b), first(&out), S2(out)));
    compare("root", 0, &out);
    drop(&a), drop(&b), drop(&out);
}

static void test_turn(Case c)
{
    Array a = SHORTS(c.a, c.n, c.m, c.k), out = array_of(c.out, 2, 3, c.k, c.n, c.m);
    both("turn", adze_turn(c.n, c.m, c.k, a.dense, out.dense),
         adze_sturn(c.n, c.m, c.k, first(&a), S3(a), first(&out), S3(out)));
    compare("turn", 0, &out);
    drop(&a), drop(&out);
}

static void test_mul(Case c)
{
    Array a = FLOATS(c.a, 2, c.n, c.m), b = FLOATS(c.b, 2, c.m, c.k);
    Array out = RESULT(c.out, 4, 2, c.n, c.k);
    both("mul", adze_mul(c.n, c.m, c.k, a.dense, b.dense, out.dense),
         adze_smul(c.n, c.m, c.k, first(&a), S2(a), first(&b), S2(b), first(&out), S2(out)));
    compare("mul", 0, &out);
    drop(&a), drop(&b), drop(&out);
}

static void test_moment(Case c)
{
    double sum, dense_sum;
    Array xs = DOUBLES(c.a, 1, c.n, 1), by = DOUBLES(DENSE, 1, c.n, 1);
    Array sums = RESULT(c.out, 8, 1, c.n, 1), less = RESULT(DENSE, 8, 1, c.n, 1);
    both("moment", adze_moment(c.n, xs.dense, by.dense, &dense_sum, sums.dense, less.dense),
         adze_smoment(c.n, first(&xs), S1(xs), first(&by), &sum, first(&sums), S1(sums),
                      first(&less)));
    both("moment, the sum", memcmp(&sum, &dense_sum, sizeof sum), 0);
    compare("moment", 1, &sums);
    compare("moment", 2, &less);
    drop(&xs), drop(&by), drop(&sums), drop(&less);
}

static void test_sums(Case c)
{
    int32_t most, dense_most;
    Array a = INTS(c.a, 2, c.n, c.m), sums = RESULT(c.out, 4, 1, c.n, 1);
    both("sums", adze_sums(c.n, c.m, a.dense, sums.dense, &dense_most),
         adze_ssums(c.n, c.m, first(&a), S2(a), first(&sums), S1(sums), &most));
    both("sums, the greatest", dense_most, most);
    compare("sums", 0, &sums);
    drop(&a), drop(&sums);
}

static void test_relax(Case c)
{
    Array a = FLOATS(c.a, 2, c.n, c.m), out = RESULT(c.out, 4, 2, c.n, c.m);
    both("relax", adze_relax(c.n, c.m, c.k, a.dense, out.dense),
         adze_srelax(c.n, c.m, c.k, first(&a), S2(a), first(&out), S2(out)));
    compare("relax", 0, &out);
    size_t bytes = adze_srelax_workspace(c.n, c.m, c.k);
    void *workspace = aligned_alloc(64, bytes ? bytes : 64);
    if (!workspace) exit(2);
    memset(out.memory, FILL, (size_t)out.room * out.size);
    both("relax", 0,
         adze_srelax_in(c.n, c.m, c.k, first(&a), S2(a), first(&out), S2(out), workspace));
    compare("relax with a workspace", 0, &out);
    free(workspace);
    drop(&a), drop(&out);
}

static void test_chequer(Case c)
{
    Array a = FLOATS(c.a, 2, c.n, c.m), out = RESULT(c.out, 4, 2, c.n, c.m);
    both("chequer", adze_chequer(c.n, c.m, c.k, a.dense, out.dense),
         adze_schequer(c.n, c.m, c.k, first(&a), S2(a), first(&out), S2(out)));
    compare("chequer", 0, &out);
    drop(&a), drop(&out);
}

static void test_change(Case c)
{
    Array a = INTS(c.a, 1, c.n, 1), b = INTS(c.b, 1, c.n, 1), out = RESULT(c.out, 4, 1, c.n, 1);
    both("change", adze_change(c.n, a.dense, b.dense, out.dense),
         adze_schange(c.n, first(&a), S1(a), first(&b), S1(b), first(&out), S1(out)));
    compare("change", 0, &out);
    drop(&a), drop(&b), drop(&out);
}

static void test_jordan(Case c)
{
    Array a = DOUBLES(c.a, 2, c.n, c.m), out = RESULT(c.out, 8, 2, c.n, c.m);
    int dense = adze_jordan(c.n, c.m, a.dense, out.dense);
    both("jordan", dense, adze_sjordan(c.n, c.m, first(&a), S2(a), first(&out), S2(out)));
    if (!dense) compare("jordan", 0, &out);
    drop(&a), drop(&out);
}

static void test_pick(Case c)
{
    Array p = input(c.a, 'i', 8, c.k, 2, c.n, c.m, 0), xs = input(c.b, 'i', 1, 0, 1, c.k, 1, 0);
    Array bytes = RESULT(c.out, 1, 2, c.m, c.n), large = RESULT(c.out, 1, 2, c.n, c.m);
    Array back = RESULT((c.out + 1) % KINDS, 8, 2, c.n, c.m);
    int dense = adze_pick(c.n, c.m, c.k, p.dense, xs.dense, bytes.dense, large.dense, back.dense);
    both("pick", dense,
         adze_spick(c.n, c.m, c.k, first(&p), S2(p), first(&xs), S1(xs), first(&bytes), S2(bytes),
                    first(&large), S2(large), first(&back), S2(back)));
    both("pick, the indices", dense, 0);
    compare("pick", 0, &bytes);
    compare("pick", 1, &large);
    compare("pick", 2, &back);
    if (p.count) { // the last index in order, wherever it is
        put(element(&p, p.count - 1), 8, false, (double)c.k);
        int status = adze_spick(c.n, c.m, c.k, first(&p), S2(p), first(&xs), S1(xs), first(&bytes),
                                S2(bytes), first(&large), S2(large), first(&back), S2(back));
        both("pick, an index beyond", strstr(adze_spick_message(status), "E0601") != NULL, 1);
    }
    drop(&p), drop(&xs), drop(&bytes), drop(&large), drop(&back);
}

static void test_keep(Case c)
{
    int64_t count, dense_count;
    Array xs = FLOATS(c.a, 1, c.n, 1), out = RESULT(c.out, 4, 1, c.n, 1);
    both("keep", adze_keep(c.n, xs.dense, 10, out.dense, &dense_count),
         adze_skeep(c.n, first(&xs), S1(xs), 10, first(&out), S1(out), &count));
    both("keep, the number", (int)dense_count, (int)count);
    compare("keep", 0, &out);
    drop(&xs), drop(&out);
}

static void test_both(Case c)
{
    Array a = input(c.a, 'i', 2, 1000, 2, c.n, c.m, 0),
          b = input(c.b, 'i', 2, 1000, 2, c.n, c.m, 0);
    Array out = RESULT(c.out, 2, 2, 2 * c.n, c.m + 1);
    both("both", adze_both(c.n, c.m, a.dense, b.dense, out.dense),
         adze_sboth(c.n, c.m, first(&a), S2(a), first(&b), S2(b), first(&out), S2(out)));
    compare("both", 0, &out);
    drop(&a), drop(&b), drop(&out);
}

static void test_weigh(Case c)
{
    Array a = DOUBLES(c.a, 2, c.n, c.m), out = RESULT(c.out, 8, 1, c.n, 1);
    both("weigh", adze_weigh(c.n, c.m, a.dense, out.dense),
         adze_sweigh(c.n, c.m, first(&a), S2(a), first(&out), S1(out)));
    compare("weigh", 0, &out);
    drop(&a), drop(&out);
}

static void test_grow(Case c)
{
    Array a = DOUBLES(c.a, 1, c.n, 1), out = RESULT(c.out, 8, 1, c.n, 1);
    both("grow", adze_grow(c.n, a.dense, (int32_t)c.k, out.dense),
         adze_sgrow(c.n, first(&a), S1(a), (int32_t)c.k, first(&out), S1(out)));
    compare("grow", 0, &out);
    drop(&a), drop(&out);
}

/// The function of C that strided.adz declares: it has dense arrays.
double of_c(int64_t n, const double *x, double *y)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += x[i] * (double)(i + 1);
        y[i] += sum;
    }
    return sum;
}

static void test_call(Case c)
{
    Array a = DOUBLES(c.a, 2, c.n, c.m), sums = RESULT(c.out, 8, 1, c.n, 1);
    Array all = RESULT(c.out, 8, 2, c.n, c.m);
    both("call", adze_call(c.n, c.m, a.dense, sums.dense, all.dense),
         adze_scall(c.n, c.m, first(&a), S2(a), first(&sums), S1(sums), first(&all), S2(all)));
    compare("call", 0, &sums);
    compare("call", 1, &all);
    drop(&a), drop(&sums), drop(&all);
}

static void (*const tests[])(Case c) = {
    test_scale, test_root,    test_turn,   test_mul,    test_moment, test_sums,
    test_relax, test_chequer, test_change, test_jordan, test_pick,   test_keep,
    test_both,  test_weigh,   test_grow,   test_call,
};

int main(void)
{
    static const int64_t sizes[][3] = {{0, 3, 2}, {1, 1, 1},   {3, 5, 2},
                                       {5, 0, 1}, {17, 19, 3}, {40, 64, 23}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int a = 0; a < INPUT_KINDS; a++)
            for (int out = 0; out < KINDS; out++) {
                int b = (a + 3 * out) % INPUT_KINDS; // each of the others with some of these
                Case c = {sizes[s][0], sizes[s][1], sizes[s][2], (Kind)a, (Kind)b, (Kind)out};
                if (a == DENSE || out == DENSE) c.b = PITCH;
                for (size_t t = 0; t < sizeof tests / sizeof *tests; t++) tests[t](c);
            }
    if (failed) printf("%d failed\n", failed);
    return failed != 0;
}
