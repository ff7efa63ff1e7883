#include "bench.h"
#include "filter.h"
#include "peer.h"

#include <stdlib.h>

static const float limit = 0.5f;

static int64_t all(const int64_t *n)
{
    return n[0];
}

// What is compared of the chosen elements: how many there are, and three of them.
static int64_t four(const int64_t *n)
{
    (void)n;
    return 4;
}

// Memory for the chosen elements, which stays for the next call.
static float *room(int64_t n)
{
    static float *memory;
    static int64_t size;
    if (n > size) memory = realloc(memory, (size_t)n * sizeof *memory);
    if (!memory) abort();
    size = n > size ? n : size;
    return memory;
}

static void compared(int64_t count, const float *chosen, float *out)
{
    out[0] = (float)count;
    for (int i = 1; i < 4; i++) out[i] = count ? chosen[(count - 1) / 3 * i] : 0;
}

static int above(const int64_t *n, void *const *in, void *out)
{
    int64_t count = 0;
    float *chosen = room(n[0]);
    int status = adze_above(n[0], limit, in[0], &count, chosen);
    compared(count, chosen, out);
    return status;
}

static int branch(const int64_t *n, void *const *in, void *out)
{
    float *chosen = room(n[0]);
    compared(peer_branch(n[0], limit, in[0], chosen), chosen, out);
    return 0;
}

static int no_branch(const int64_t *n, void *const *in, void *out)
{
    float *chosen = room(n[0]);
    compared(peer_no_branch(n[0], limit, in[0], chosen), chosen, out);
    return 0;
}

static int variance(const int64_t *n, void *const *in, void *out)
{
    float *four = out;
    four[1] = four[2] = four[3] = 0;
    return adze_variance_above(n[0], limit, in[0], four);
}

static int peer_of_variance(const int64_t *n, void *const *in, void *out)
{
    float *four = out;
    four[0] = peer_variance(n[0], limit, in[0], room(n[0]));
    four[1] = four[2] = four[3] = 0;
    return 0;
}

const BenchCase bench_case = {
    .name = "filter",
    .pairs = {{"C, a branch for each element", 1, above, branch, adze_above_message},
              {"C, without branches", 1, above, no_branch, adze_above_message},
              {"C, variance of the chosen", 1, variance, peer_of_variance,
               adze_variance_above_message}},
    .sizes = {{"10^4", {10000}}, {"10^6", {1000000}}, {"10^7", {10000000}}},
    .inputs = {all},
    .input_type = BENCH_F32,
    .output = four,
    .output_type = BENCH_F32,
    .tolerance = 1e-3,
};
