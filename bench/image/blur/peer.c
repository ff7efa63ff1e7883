#include "image/image.h"

#include <stdlib.h>
#include <string.h>

int peer_blur(int64_t h, int64_t w, const int32_t *restrict in, int32_t *restrict out);

static void along(int64_t w, const int32_t *restrict in, int32_t *restrict out)
{
    out[0] = (in[0] + in[0] + in[clamp(1, w)]) / 3;
    for (int64_t x = 1; x < w - 1; x++) out[x] = (in[x - 1] + in[x] + in[x + 1]) / 3;
    out[w - 1] = (in[clamp(w - 2, w)] + in[w - 1] + in[w - 1]) / 3;
}

static void across(int64_t w, const int32_t *restrict a, const int32_t *restrict b,
                   const int32_t *restrict c, int32_t *restrict out)
{
    for (int64_t x = 0; x < w; x++) out[x] = (a[x] + b[x] + c[x]) / 3;
}

// The three blurred rows that a row of the output needs go round in a buffer.
int peer_blur(int64_t h, int64_t w, const int32_t *restrict in, int32_t *restrict out)
{
    int64_t stride = row_stride(w);
    int32_t *rows = malloc((size_t)stride * 3 * sizeof *rows);
    if (!rows) return 1;
    int32_t *above = rows, *here = rows + stride, *below = rows + 2 * stride;
    along(w, in, above);
    memcpy(here, above, (size_t)w * sizeof *here);
    for (int64_t y = 0; y < h; y++) {
        along(w, in + clamp(y + 1, h) * w, below);
        across(w, above, here, below, out + y * w);
        int32_t *t = above;
        above = here;
        here = below;
        below = t;
    }
    free(rows);
    return 0;
}
