// out = a b for matrices of n x k and k x m: blocks of 256 threads compute tiles of 128x128, each
// thread 8x8 sums in registers, from tiles of 128x8 and 8x128 in shared memory. Two tiles of each
// matrix alternate there: a thread loads its part of the next ones before it uses these, and one
// barrier for each pair of tiles is enough. The rows and columns of a thread are two groups of 4,
// 64 apart, and a warp computes 4x8 such groups: a quarter of a warp loads one group of rows and 32
// consecutive columns, 16 bytes each.
//
// product_aligned accesses global memory by 16 bytes, too: its rows begin at multiples of 16 bytes,
// since m and k are multiples of 4. product is for all other sizes. The tile of `a` is stored by
// columns, so that the rows of a thread are two loads; what a warp stores there at a time, 16 rows
// and 2 columns or 4 rows and 8 columns, is in different banks because of its padding.
enum { PRODUCT_TILE = 128, PRODUCT_DEPTH = 8, PRODUCT_THREADS = 256, PRODUCT_HALF = 64 };

typedef float ProductRows[PRODUCT_DEPTH][PRODUCT_TILE + 4];
typedef float ProductColumns[PRODUCT_DEPTH][PRODUCT_TILE];

// Four numbers of a tile of `a`, of which n x k numbers are there.
template <bool ALIGNED>
__device__ float4 product_load_rows(const float *a, int n, int k, int row_size)
{
    int thread = threadIdx.x;
    float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
    if (ALIGNED) {
        int i = thread / 2, l = thread % 2 * 4;
        if (i < n && l < k) v = *(const float4 *)&a[i * row_size + l];
    } else {
        int i = thread / 8, l = thread % 8;
        const float *first = &a[i * row_size + l];
        if (i < n && l < k) v.x = first[0];
        if (i + 32 < n && l < k) v.y = first[32 * row_size];
        if (i + 64 < n && l < k) v.z = first[64 * row_size];
        if (i + 96 < n && l < k) v.w = first[96 * row_size];
    }
    return v;
}

template <bool ALIGNED> __device__ void product_store_rows(ProductRows rows, float4 v)
{
    int thread = threadIdx.x;
    if (ALIGNED) {
        int i = thread / 2, l = thread % 2 * 4;
        rows[l][i] = v.x;
        rows[l + 1][i] = v.y;
        rows[l + 2][i] = v.z;
        rows[l + 3][i] = v.w;
    } else {
        int i = thread / 8, l = thread % 8;
        rows[l][i] = v.x;
        rows[l][i + 32] = v.y;
        rows[l][i + 64] = v.z;
        rows[l][i + 96] = v.w;
    }
}

// Four numbers of a tile of `b`, of which k x m numbers are there.
template <bool ALIGNED>
__device__ float4 product_load_columns(const float *b, int k, int m, int row_size)
{
    int l = threadIdx.x / 32, lane = threadIdx.x % 32, j = ALIGNED ? lane * 4 : lane;
    const float *first = &b[l * row_size + j];
    float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
    if (ALIGNED) {
        if (l < k && j < m) v = *(const float4 *)first;
    } else {
        if (l < k && j < m) v.x = first[0];
        if (l < k && j + 32 < m) v.y = first[32];
        if (l < k && j + 64 < m) v.z = first[64];
        if (l < k && j + 96 < m) v.w = first[96];
    }
    return v;
}

template <bool ALIGNED> __device__ void product_store_columns(ProductColumns columns, float4 v)
{
    int l = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (ALIGNED) {
        *(float4 *)&columns[l][lane * 4] = v;
    } else {
        columns[l][lane] = v.x;
        columns[l][lane + 32] = v.y;
        columns[l][lane + 64] = v.z;
        columns[l][lane + 96] = v.w;
    }
}

// Stores four numbers of a row from column j on, of which m are there.
template <bool ALIGNED> __device__ void product_put(float *row, int j, int m, float4 v)
{
    if (ALIGNED) {
        if (j < m) *(float4 *)&row[j] = v;
    } else {
        if (j < m) row[j] = v.x;
        if (j + 1 < m) row[j + 1] = v.y;
        if (j + 2 < m) row[j + 2] = v.z;
        if (j + 3 < m) row[j + 3] = v.w;
    }
}

__device__ void product_add(float4 *sum, float x, float4 y)
{
    sum->x += x * y.x;
    sum->y += x * y.y;
    sum->z += x * y.z;
    sum->w += x * y.w;
}

template <bool ALIGNED>
__device__ void product_tile(const float *__restrict__ a, const float *__restrict__ b,
                             float *__restrict__ out, int n, int m, int k, ProductRows *rows,
                             ProductColumns *columns)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int i0 = blockIdx.y * PRODUCT_TILE, j0 = blockIdx.x * PRODUCT_TILE;
    a += i0 * k;
    b += j0;
    out += i0 * m + j0;
    n -= i0;
    int width = m - j0; // of the part of b and out
    float4 of_a = product_load_rows<ALIGNED>(a, n, k, k);
    float4 of_b = product_load_columns<ALIGNED>(b, k, width, m);
    int i = warp / 2 * 16 + lane / 8 * 4, j = warp % 2 * 32 + lane % 8 * 4;
    float4 sums[8][2] = {};
    for (int l0 = 0, now = 0; l0 < k; l0 += PRODUCT_DEPTH, now ^= 1) {
        product_store_rows<ALIGNED>(rows[now], of_a);
        product_store_columns<ALIGNED>(columns[now], of_b);
        __syncthreads();
        int next = l0 + PRODUCT_DEPTH;
        of_a = product_load_rows<ALIGNED>(a + next, n, k - next, k);
        of_b = product_load_columns<ALIGNED>(b + next * m, k - next, width, m);
#pragma unroll
        for (int l = 0; l < PRODUCT_DEPTH; l++) {
            float4 y[2] = {*(const float4 *)&columns[now][l][j],
                           *(const float4 *)&columns[now][l][j + PRODUCT_HALF]};
#pragma unroll
            for (int half = 0; half < 2; half++) {
                float4 x = *(const float4 *)&rows[now][l][i + half * PRODUCT_HALF];
#pragma unroll
                for (int c = 0; c < 2; c++) {
                    product_add(&sums[half * 4][c], x.x, y[c]);
                    product_add(&sums[half * 4 + 1][c], x.y, y[c]);
                    product_add(&sums[half * 4 + 2][c], x.z, y[c]);
                    product_add(&sums[half * 4 + 3][c], x.w, y[c]);
                }
            }
        }
    }
#pragma unroll
    for (int r = 0; r < 8; r++) {
        int row = i + r % 4 + r / 4 * PRODUCT_HALF;
        for (int c = 0; c < 2; c++)
            if (row < n)
                product_put<ALIGNED>(out + row * m, j + c * PRODUCT_HALF, width, sums[r][c]);
    }
}

__global__ void __launch_bounds__(PRODUCT_THREADS, 2)
    product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out,
            int n, int m, int k)
{
    __shared__ __align__(16) ProductRows rows[2];
    __shared__ __align__(16) ProductColumns columns[2];
    product_tile<false>(a, b, out, n, m, k, rows, columns);
}

__global__ void __launch_bounds__(PRODUCT_THREADS, 2)
    product_aligned(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ out, int n, int m, int k)
{
    __shared__ __align__(16) ProductRows rows[2];
    __shared__ __align__(16) ProductColumns columns[2];
    product_tile<true>(a, b, out, n, m, k, rows, columns);
}
