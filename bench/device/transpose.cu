// out[j][i] = a[i][j], by tiles of 32x32 in shared memory: rows are read and written along warps.
// Blocks of 32x8 threads. The column that pads the tile puts the elements of a column into
// different banks.
enum { TRANSPOSE_TILE = 32, TRANSPOSE_ROWS = 8 };

__global__ void transpose(const float *__restrict__ a, float *__restrict__ out, int n, int m)
{
    __shared__ float tile[TRANSPOSE_TILE][TRANSPOSE_TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int i0 = blockIdx.y * TRANSPOSE_TILE, j0 = blockIdx.x * TRANSPOSE_TILE;
    for (int r = y; r < TRANSPOSE_TILE; r += TRANSPOSE_ROWS)
        if (i0 + r < n && j0 + x < m) tile[r][x] = a[(i0 + r) * m + j0 + x];
    __syncthreads();
    for (int r = y; r < TRANSPOSE_TILE; r += TRANSPOSE_ROWS)
        if (j0 + r < m && i0 + x < n) out[(j0 + r) * n + i0 + x] = tile[x][r];
}
