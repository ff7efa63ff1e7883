#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int peer_life3d(int64_t n, int64_t steps, const int32_t *restrict alive, int32_t *restrict out);

static int32_t row_of_three(const int32_t *at)
{
    return at[-1] + at[0] + at[1];
}

static int32_t square(const int32_t *at, int64_t n)
{
    return row_of_three(at - n) + row_of_three(at) + row_of_three(at + n);
}

static void generation(int64_t n, const int32_t *restrict a, int32_t *restrict b)
{
    for (int64_t h = 1; h < n - 1; h++)
        for (int64_t i = 1; i < n - 1; i++)
            for (int64_t j = 1; j < n - 1; j++) {
                const int32_t *at = a + (h * n + i) * n + j;
                int32_t sum = square(at - n * n, n) + square(at, n) + square(at + n * n, n);
                b[(h * n + i) * n + j] = sum == 3 || (sum == 4 && *at);
            }
}

int peer_life3d(int64_t n, int64_t steps, const int32_t *restrict alive, int32_t *restrict out)
{
    size_t bytes = (size_t)(n * n * n) * sizeof *out;
    int32_t *other = malloc(bytes);
    if (!other) return 1;
    int32_t *from = steps % 2 ? other : out, *to = steps % 2 ? out : other;
    memcpy(out, alive, bytes);
    memcpy(other, alive, bytes);
    for (int64_t t = 0; t < steps; t++) {
        generation(n, from, to);
        int32_t *swap = from;
        from = to;
        to = swap;
    }
    free(other);
    return 0;
}
