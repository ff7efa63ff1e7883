#include "peer.h"

static int32_t escape(float cre, float cim, int32_t limit)
{
    float re = cre, im = cim;
    int32_t step;
    for (step = 0; step < limit; step++) {
        float re2 = re * re, im2 = im * im;
        if (re2 + im2 > 4.0f) break;
        im = 2.0f * re * im + cim;
        re = re2 - im2 + cre;
    }
    return step;
}

int PEER(int64_t w, int64_t h, int32_t limit, int32_t *restrict out)
{
    float dx = 3.0f / (float)w, dy = 2.0f / (float)h;
    for (int64_t y = 0; y < h; y++)
        for (int64_t x = 0; x < w; x++)
            out[y * w + x] = escape((float)x * dx - 2.0f, (float)y * dy - 1.0f, limit);
    return 0;
}
