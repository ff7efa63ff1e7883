#include "peer.h"

enum { K = 8 };

static void insert(float *best, float square)
{
    for (int k = 0; k < K; k++) {
        float other = best[k];
        best[k] = square < other ? square : other;
        square = square > other ? square : other;
    }
}

// Point i of the tree has the children 2 i + 1 and 2 i + 2. Where the search came from tells where it goes on.
static void nearest(const float *tree, int n, const float *at, float *best)
{
    for (int k = 0; k < K; k++) best[k] = 1e30f;
    int from = -1, axis = 0;
    for (int node = 0; node >= 0;) {
        int next = (node + 1) / 2 - 1;
        if (node < n) {
            if (from < node) {
                float dx = at[0] - tree[node], dy = at[1] - tree[n + node];
                float dz = at[2] - tree[2 * n + node], square = dx * dx + dy * dy + dz * dz;
                if (square < best[K - 1]) insert(best, square);
            }
            float across = at[axis] - tree[axis * n + node];
            int near = 2 * node + (across < 0 ? 1 : 2);
            if (from < node)
                next = near;
            else if (from == near && across * across < best[K - 1])
                next = 4 * node + 3 - near;
        }
        axis += next > node ? 1 : -1;
        axis = axis == 3 ? 0 : axis < 0 ? 2 : axis;
        from = node;
        node = next;
    }
}

int PEER(int64_t n, int64_t q, const float *restrict tree, const float *restrict points,
         float *restrict out)
{
    for (int64_t i = 0; i < q; i++) {
        float best[K], at[] = {points[i], points[q + i], points[2 * q + i]};
        nearest(tree, (int)n, at, best);
        for (int k = 0; k < K; k++) out[k * q + i] = best[k];
    }
    return 0;
}
