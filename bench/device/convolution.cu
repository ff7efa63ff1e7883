// Convolutions of an n x m picture with 17 weights, along rows and along columns. Outside of the
// picture is the nearest pixel of its border. The weights are an argument, so in constant memory,
// from where instructions take them as operands. A thread computes several neighbouring pixels: it
// loads the window of all of them from shared memory once, into registers.
enum {
    CONVOLUTION_REACH = 8,
    CONVOLUTION_WEIGHTS = 2 * CONVOLUTION_REACH + 1,
    CONVOLUTION_ROWS = 8,   // of a block along rows
    CONVOLUTION_ACROSS = 7, // pixels of a thread along rows
    CONVOLUTION_WIDTH = 32 * CONVOLUTION_ACROSS,
    CONVOLUTION_PARTS = 8, // warps of a block along columns
    CONVOLUTION_DOWN = 8,  // pixels of a thread along columns
    CONVOLUTION_HEIGHT = CONVOLUTION_PARTS * CONVOLUTION_DOWN,
};

struct ConvolutionWeights {
    float at[CONVOLUTION_WEIGHTS];
};

__device__ int clamped(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

// A warp computes CONVOLUTION_WIDTH pixels of a row, in blocks of 32 x CONVOLUTION_ROWS threads.
// Loads and stores of global memory are coalesced, and lanes exchange pixels in shared memory: each
// computes CONVOLUTION_ACROSS neighbours, an odd number, so that lanes access different banks. A
// row of the tile belongs to one warp, which needs no barrier of the block.
__global__ void convolution_x(ConvolutionWeights weights, const float *__restrict__ a,
                              float *__restrict__ out, int n, int m)
{
    __shared__ float tile[CONVOLUTION_ROWS][CONVOLUTION_WIDTH + 2 * CONVOLUTION_REACH];
    int lane = threadIdx.x, i = blockIdx.y * CONVOLUTION_ROWS + threadIdx.y;
    int j0 = blockIdx.x * CONVOLUTION_WIDTH, from = lane * CONVOLUTION_ACROSS;
    float *row = tile[threadIdx.y];
    if (i >= n) return;
    for (int c = lane; c < CONVOLUTION_WIDTH + 2 * CONVOLUTION_REACH; c += 32)
        row[c] = a[i * m + clamped(j0 + c - CONVOLUTION_REACH, m)];
    __syncwarp();
    float around[CONVOLUTION_ACROSS + 2 * CONVOLUTION_REACH];
    for (int k = 0; k < CONVOLUTION_ACROSS + 2 * CONVOLUTION_REACH; k++) around[k] = row[from + k];
    __syncwarp();
    for (int c = 0; c < CONVOLUTION_ACROSS; c++) {
        float sum = 0.0f;
        for (int k = 0; k < CONVOLUTION_WEIGHTS; k++) sum += weights.at[k] * around[c + k];
        row[from + c] = sum;
    }
    __syncwarp();
    for (int c = lane; c < CONVOLUTION_WIDTH; c += 32)
        if (j0 + c < m) out[i * m + j0 + c] = row[c];
}

// A block of 32 x CONVOLUTION_PARTS threads computes CONVOLUTION_HEIGHT rows of 32 pixels, and each
// thread CONVOLUTION_DOWN pixels of a column.
__global__ void convolution_y(ConvolutionWeights weights, const float *__restrict__ a,
                              float *__restrict__ out, int n, int m)
{
    __shared__ float tile[CONVOLUTION_HEIGHT + 2 * CONVOLUTION_REACH][32];
    int lane = threadIdx.x, part = threadIdx.y, from = part * CONVOLUTION_DOWN;
    int i0 = blockIdx.y * CONVOLUTION_HEIGHT, j = blockIdx.x * 32 + lane;
    for (int r = part; r < CONVOLUTION_HEIGHT + 2 * CONVOLUTION_REACH; r += CONVOLUTION_PARTS)
        if (j < m) tile[r][lane] = a[clamped(i0 + r - CONVOLUTION_REACH, n) * m + j];
    __syncthreads();
    if (j >= m) return;
    float around[CONVOLUTION_DOWN + 2 * CONVOLUTION_REACH];
    for (int k = 0; k < CONVOLUTION_DOWN + 2 * CONVOLUTION_REACH; k++)
        around[k] = tile[from + k][lane];
    for (int r = 0; r < CONVOLUTION_DOWN; r++) {
        float sum = 0.0f;
        for (int k = 0; k < CONVOLUTION_WEIGHTS; k++) sum += weights.at[k] * around[r + k];
        if (i0 + from + r < n) out[(i0 + from + r) * m + j] = sum;
    }
}
