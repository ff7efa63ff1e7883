// One step of Jacobi's method on an n x m grid whose border is kept: the mean of the four
// neighbours. Blocks of 32x8 threads, one for each point; their points and the ones around them are
// in shared memory.
enum { JACOBI_WIDTH = 32, JACOBI_HEIGHT = 8 };

__global__ void jacobi(const float *__restrict__ a, float *__restrict__ out, int n, int m)
{
    __shared__ float tile[JACOBI_HEIGHT + 2][JACOBI_WIDTH + 2];
    int x = threadIdx.x, y = threadIdx.y;
    int i0 = blockIdx.y * JACOBI_HEIGHT - 1, j0 = blockIdx.x * JACOBI_WIDTH - 1;
    for (int r = y; r < JACOBI_HEIGHT + 2; r += JACOBI_HEIGHT)
        for (int c = x; c < JACOBI_WIDTH + 2; c += JACOBI_WIDTH) {
            int i = i0 + r, j = j0 + c;
            tile[r][c] = i >= 0 && i < n && j >= 0 && j < m ? a[i * m + j] : 0.0f;
        }
    __syncthreads();
    int i = i0 + y + 1, j = j0 + x + 1;
    if (i >= n || j >= m) return;
    bool border = i == 0 || j == 0 || i == n - 1 || j == m - 1;
    out[i * m + j] =
        border
            ? tile[y + 1][x + 1]
            : 0.25f * (tile[y][x + 1] + tile[y + 2][x + 1] + tile[y + 1][x] + tile[y + 1][x + 2]);
}
