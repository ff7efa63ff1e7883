// out = a b for matrices of n x k and k x m: blocks of 16x16 threads compute tiles of 64x64, each
// thread 4x4 numbers in registers, from tiles of 64x16 and 16x64 in shared memory. A thread's
// columns are 16 apart, so that a warp's accesses are consecutive. The tile of `a` is stored by
// columns, whose padding keeps its stores in different banks.
enum { PRODUCT_TILE = 64, PRODUCT_DEPTH = 16, PRODUCT_SIDE = 16, PRODUCT_EACH = 4 };

__global__ void product(const float *__restrict__ a, const float *__restrict__ b,
                        float *__restrict__ out, int n, int m, int k)
{
    __shared__ float rows[PRODUCT_DEPTH][PRODUCT_TILE + 2];
    __shared__ float columns[PRODUCT_DEPTH][PRODUCT_TILE];
    int x = threadIdx.x, y = threadIdx.y, thread = y * PRODUCT_SIDE + x;
    int i0 = blockIdx.y * PRODUCT_TILE, j0 = blockIdx.x * PRODUCT_TILE;
    float sums[PRODUCT_EACH][PRODUCT_EACH] = {};
    for (int l0 = 0; l0 < k; l0 += PRODUCT_DEPTH) {
        for (int e = thread; e < PRODUCT_TILE * PRODUCT_DEPTH; e += PRODUCT_SIDE * PRODUCT_SIDE) {
            int i = e / PRODUCT_DEPTH, l = e % PRODUCT_DEPTH;
            rows[l][i] = i0 + i < n && l0 + l < k ? a[(i0 + i) * k + l0 + l] : 0.0f;
        }
        for (int e = thread; e < PRODUCT_TILE * PRODUCT_DEPTH; e += PRODUCT_SIDE * PRODUCT_SIDE) {
            int l = e / PRODUCT_TILE, j = e % PRODUCT_TILE;
            columns[l][j] = l0 + l < k && j0 + j < m ? b[(l0 + l) * m + j0 + j] : 0.0f;
        }
        __syncthreads();
        for (int l = 0; l < PRODUCT_DEPTH; l++)
            for (int r = 0; r < PRODUCT_EACH; r++)
                for (int c = 0; c < PRODUCT_EACH; c++)
                    sums[r][c] += rows[l][y * PRODUCT_EACH + r] * columns[l][x + c * PRODUCT_SIDE];
        __syncthreads();
    }
    for (int r = 0; r < PRODUCT_EACH; r++)
        for (int c = 0; c < PRODUCT_EACH; c++) {
            int i = i0 + y * PRODUCT_EACH + r, j = j0 + x + c * PRODUCT_SIDE;
            if (i < n && j < m) out[i * m + j] = sums[r][c];
        }
}
