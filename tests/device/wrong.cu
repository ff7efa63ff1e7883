// Kernels with mistakes, for 128 numbers in two blocks of 64 threads. The comment says what is
// reported.

// wrong_race: ^race of shared memory: thread .* of block .* at wrong.cu:[0-9]*, and thread .* of block .* at wrong.cu:[0-9]*$
__global__ void wrong_race(const float *a, float *out, int n)
{
    __shared__ float tile[64];
    int x = threadIdx.x;
    tile[x] = 0.0f;
    __syncthreads();
    tile[x] = a[(blockIdx.x * 64 + x) % n];
    out[blockIdx.x * 64 + x] = tile[63 - x];
}

// wrong_blocks: ^race of out: thread .* of block 1 at wrong.cu:20, and thread .* of block 0 at wrong.cu:20$
__global__ void wrong_blocks(const float *a, float *out, int n)
{
    int x = threadIdx.x;
    if (blockIdx.x * 64 + x < (unsigned)n)
        out[x] = a[x];
}

// wrong_update: ^race of out: thread .* of block 0 at wrong.cu:[0-9]*, and thread .* of block 0 at
__global__ void wrong_update(const float *a, float *out, int n)
{
    if (threadIdx.x < (unsigned)n) out[0] = a[threadIdx.x];
}

// wrong_mixture: ^race of out: thread
__global__ void wrong_mixture(const float *a, float *out, int n)
{
    if (threadIdx.x == 0) out[0] = a[n - 1];
    atomicAdd(out, a[threadIdx.x]);
}

// wrong_end: ^divergent barrier: thread .* of block 0 waits in line 43, thread .* of block 0 has ended$
__global__ void wrong_end(const float *a, float *out, int n)
{
    __shared__ float tile[64];
    int x = threadIdx.x;
    if (x >= n / 4) return;
    tile[x] = a[x];
    __syncthreads();
    out[x] = tile[(x + 1) % 32];
}

// wrong_branch: ^divergent barrier: thread .* of block 0 waits in line
__global__ void wrong_branch(const float *a, float *out, int n)
{
    __shared__ float tile[64];
    int x = threadIdx.x;
    tile[x] = a[x % n];
    if (x < 32) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    out[blockIdx.x * 64 + x] = tile[63 - x];
}

// wrong_load: ^load outside of memory: thread 63 of block 1 at wrong.cu:66$
__global__ void wrong_load(const float *a, float *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = a[i + 1];
}

// wrong_store: ^store outside of memory: thread 0 of block 0 at wrong.cu:
__global__ void wrong_store(const float *a, float *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) out[i - 1] = a[i];
}

// wrong_undefined: ^undefined element of shared memory: thread .* of block 0 at wrong.cu:
__global__ void wrong_undefined(const float *a, float *out, int n)
{
    __shared__ float tile[64];
    int x = threadIdx.x;
    if (x < n / 4) tile[x] = a[x];
    __syncthreads();
    out[blockIdx.x * 64 + x] = tile[x];
}

// wrong_vote: ^race of shared memory: thread .* of block 0 at wrong.cu:
__global__ void wrong_vote(const float *a, float *out, int n)
{
    __shared__ float tile[64];
    int x = threadIdx.x;
    tile[x] = a[x];
    unsigned all = __ballot_sync(0xffffffff, x < n); // orders no accesses
    out[blockIdx.x * 64 + x] = tile[all ? x ^ 1 : x];
}
