#include "peer.h"

#include <string.h>

static void merge(const float *from, float *to, int64_t begin, int64_t middle, int64_t end)
{
    int64_t a = begin, b = middle;
    for (int64_t k = begin; k < end; k++)
        to[k] = a < middle && (b == end || from[a] <= from[b]) ? from[a++] : from[b++];
}

// Runs of eight by insertion, then merges.
int PEER(int64_t n, const float *restrict xs, float *restrict out)
{
    enum { RUN = 8 };
    static float other[100000];
    float *from = out, *to = other;
    memcpy(out, xs, (size_t)n * sizeof *xs);
    for (int64_t i = 0; i < n; i++) {
        float x = out[i];
        int64_t k = i;
        for (; k % RUN && out[k - 1] > x; k--) out[k] = out[k - 1];
        out[k] = x;
    }
    for (int64_t width = RUN; width < n; width *= 2) {
        for (int64_t i = 0; i < n; i += 2 * width) {
            int64_t middle = i + width < n ? i + width : n,
                    end = middle + width < n ? middle + width : n;
            merge(from, to, i, middle, end);
        }
        float *t = from;
        from = to;
        to = t;
    }
    if (from != out) memcpy(out, from, (size_t)n * sizeof *xs);
    return 0;
}
