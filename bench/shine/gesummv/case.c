#include "bench.h"
#include "gesummv.h"

void peer_gesummv(int64_t n, int64_t m, float alpha, float beta, const float *restrict a,
                  const float *restrict b, const float *restrict x, float *restrict out);

static const float alpha = 1.5f, beta = 0.5f;

static int64_t matrix(const int64_t *n)
{
    return n[0] * n[1];
}

static int64_t vector(const int64_t *n)
{
    return n[1];
}

static int64_t output(const int64_t *n)
{
    return n[0];
}

static int64_t bytes(const int64_t *n)
{
    return 4 * (2 * matrix(n) + n[0] + n[1]);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_gesummv(n[0], n[1], alpha, beta, in[0], in[1], in[2], out);
}

static int scheduled(const int64_t *n, void *const *in, void *out)
{
    return adze_gesummv_scheduled(n[0], n[1], alpha, beta, in[0], in[1], in[2], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_gesummv(n[0], n[1], alpha, beta, in[0], in[1], in[2], out);
    return 0;
}

// In double precision.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const float *a = in[0], *b = in[1], *x = in[2];
    for (int64_t i = 0; i < n[0]; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n[1]; j++) {
            int64_t at = i * n[1] + j;
            sum += ((double)alpha * (double)a[at] + (double)beta * (double)b[at]) * (double)x[j];
        }
        ((float *)out)[i] = (float)sum;
    }
    return 0;
}

const BenchCase bench_case = {
    .name = "shine/gesummv",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_gesummv_message},
              {"C, ours scheduled", 1, scheduled, theirs, adze_gesummv_scheduled_message},
              {"C, ours scheduled", 2, scheduled, theirs, adze_gesummv_scheduled_message}},
    .sizes = {{"101x307", {101, 307}}, {"4096x4096", {4096, 4096}}, {"8192x8192", {8192, 8192}}},
    .inputs = {matrix, matrix, vector},
    .output = output,
    .reference = reference,
    .tolerance = 1e-5,
    .bytes = bytes,
};
