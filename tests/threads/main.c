// The entries of variant_chunks, variant_loops and variant_lanes on arrays that are worth several threads: a line for each result, exact
// ones as numbers, floats as their bits. `run.sh` says which lines must agree.
#include "variant_chunks.h"
#include "variant_lanes.h"
#include "variant_loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 50021, M = 9, ROWS = 20011 };

static int32_t ints[N + 2], more[N + 2], a[ROWS * M], out[ROWS * M], out2[ROWS * M];
static int64_t longs[N];
static float floats[N], results[N];

static uint64_t hash_of(const void *p, size_t bytes)
{
    const unsigned char *at = p;
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < bytes; i++) h = (h ^ at[i]) * 1099511628211u;
    return h;
}

static void exact(const char *name, int status, const void *p, size_t bytes)
{
    printf("exact %s %d %016llx\n", name, status, (unsigned long long)hash_of(p, bytes));
}

static void rounded(const char *name, int status, const void *p, size_t bytes)
{
    printf("rounded %s %d %016llx\n", name, status, (unsigned long long)hash_of(p, bytes));
}

static void reductions(void)
{
    int64_t dot;
    int32_t x[2], k[4];
    float sum;
    int status = adze_dot(N, longs, longs, &dot);
    exact("dot", status, &dot, sizeof dot);
    status = adze_affine(N, ints, more, &x[0], &x[1]);
    exact("affine", status, x, sizeof x);
    status = adze_columns(ROWS, M, a, out);
    exact("columns", status, out, M * sizeof *out);
    status = adze_product(ROWS, a, k);
    exact("product", status, k, sizeof k);
    status = adze_of_rows(ROWS, M, a, out);
    exact("of_rows", status, out, ROWS * sizeof *out);
    status = adze_in_a_function(N, ints, 4, &x[0]);
    exact("in_a_function", status, &x[0], sizeof x[0]);
    status = adze_failing(N, ints, 0, &x[0]);
    exact("failing", status, "", 0);
    status = adze_sum(N, floats, &sum);
    rounded("sum", status, &sum, sizeof sum);
    status = adze_scaled(N, floats, results);
    rounded("scaled", status, results, sizeof results);
}

static void scans(void)
{
    int status = adze_sums(N, ints, more, out);
    exact("sums", status, more, N * sizeof *more);
    exact("sums_ex", status, out, N * sizeof *out);
    status = adze_affine_so_far(N, ints, more, out, out2);
    exact("affine_so_far", status, out, N * sizeof *out);
    exact("affine_so_far", status, out2, N * sizeof *out2);
    status = adze_columns_so_far(ROWS, M, a, out, out2);
    exact("columns_so_far", status, out, sizeof out);
    exact("columns_so_far_ex", status, out2, sizeof out2);
    status = adze_sums_of_what_costs(N, floats, results);
    rounded("sums_of_what_costs", status, results, sizeof results);
}

static void loops(void)
{
    int status = adze_map_par(N, floats, results);
    exact("map_par", status, results, sizeof results);
    status = adze_memory_of_iterations(ROWS, M, a, out);
    exact("memory_of_iterations", status, out, sizeof out);
    status = adze_updated_beside(N, ints, out, out2);
    exact("updated_beside", status, out, N * sizeof *out);
    status = adze_written_then_read(N, ints, out);
    exact("written_then_read", status, out, N * sizeof *out);
    status = adze_par_in_par(ROWS, M, a, out);
    exact("par_in_par", status, out, sizeof out);
    status = adze_columns_by_lanes(N / M, M, floats, results);
    rounded("columns_by_lanes", status, results, M * sizeof *results);
    status = adze_of_a_size(N, ints, &out[0], &out[1]);
    exact("of_a_size", status, out, 2 * sizeof *out);
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        ints[i] = (int32_t)((uint32_t)i * 2654435761u) >> 4;
        more[i] = 7 * i + 1;
        longs[i] = (int64_t)ints[i] * i;
        floats[i] = (float)(ints[i] % 1000) / 7.0f;
    }
    for (int i = 0; i < ROWS * M; i++) a[i] = ints[i % N] % 1009;
    reductions();
    scans();
    loops();
    return 0;
}
