// The nearest of c centres for each of p points with f features: the first, if several are. Column
// i of `features` is point i, row j of `centres` is centre j.
//
// A thread computes the distances between KMEANS_EACH points and KMEANS_CENTRES centres at a time,
// in registers: it loads a feature once for all of these centres, and a number of a centre once for
// all of these points. Numbers of centres are broadcast from a tile in shared memory, KMEANS_DEPTH
// features deep. A warp fills it with 8 numbers of 4 centres at a time, which are whole sectors;
// the padding of 4 puts them into different banks.
enum { KMEANS_THREADS = 128, KMEANS_EACH = 4, KMEANS_CENTRES = 8, KMEANS_DEPTH = 32 };

__global__ void kmeans(const float *__restrict__ features, const float *__restrict__ centres,
                       int *__restrict__ out, int p, int c, int f)
{
    __shared__ float tile[KMEANS_DEPTH][KMEANS_CENTRES + 4];
    int thread = threadIdx.x, first = blockIdx.x * KMEANS_THREADS * KMEANS_EACH + thread;
    float least[KMEANS_EACH];
    int nearest[KMEANS_EACH];
    for (int q = 0; q < KMEANS_EACH; q++) least[q] = INFINITY, nearest[q] = 0;
    for (int c0 = 0; c0 < c; c0 += KMEANS_CENTRES) {
        float sums[KMEANS_EACH][KMEANS_CENTRES] = {};
        for (int f0 = 0; f0 < f; f0 += KMEANS_DEPTH) {
            for (int e = thread; e < KMEANS_DEPTH * KMEANS_CENTRES; e += KMEANS_THREADS) {
                int l = e / 64 * 8 + e % 8, r = e / 8 % 8;
                bool is_there = c0 + r < c && f0 + l < f;
                tile[l][r] = is_there ? centres[(c0 + r) * f + f0 + l] : 0.0f;
            }
            __syncthreads();
            int depth = f - f0 < KMEANS_DEPTH ? f - f0 : KMEANS_DEPTH;
            for (int l = 0; l < depth; l++)
                for (int q = 0; q < KMEANS_EACH; q++) {
                    int i = first + q * KMEANS_THREADS;
                    float x = i < p ? features[(f0 + l) * p + i] : 0.0f;
                    for (int r = 0; r < KMEANS_CENTRES; r++)
                        sums[q][r] += (x - tile[l][r]) * (x - tile[l][r]);
                }
            __syncthreads();
        }
        for (int q = 0; q < KMEANS_EACH; q++)
            for (int r = 0; r < KMEANS_CENTRES; r++)
                if (c0 + r < c && sums[q][r] < least[q]) least[q] = sums[q][r], nearest[q] = c0 + r;
    }
    for (int q = 0; q < KMEANS_EACH; q++) {
        int i = first + q * KMEANS_THREADS;
        if (i < p) out[i] = nearest[q];
    }
}
