// A merge sort of n < 2^30 floats, none of which is a NaN: the algorithm of the compiler's sort.
// merge_tiles sorts tiles of MERGE_TILE numbers. merge_pairs merges pairs of sorted runs of `length`
// numbers, which doubles: a block finds by binary search which parts of both runs its tile of the
// result comes from, and a thread which parts of these its MERGE_EACH numbers come from (Green,
// McColl and Bader, "GPU merge path: a GPU merging algorithm", 2012). Each block of MERGE_THREADS
// threads is for a tile. MERGE_EACH is odd, so that threads access different banks.
enum { MERGE_THREADS = 256, MERGE_EACH = 9, MERGE_TILE = MERGE_THREADS * MERGE_EACH };

// How many of the first `at` numbers of the merged runs are of the first run. Numbers of that come
// before equal ones of the second.
__device__ int merge_path(const float *first, int n, const float *second, int m, int at)
{
    int from = at > m ? at - m : 0, to = at < n ? at : n;
    while (from < to) {
        int i = (from + to) / 2;
        if (first[i] <= second[at - 1 - i])
            from = i + 1;
        else
            to = i;
    }
    return from;
}

// The same by a warp, all of whose lanes call it: each step leaves a 33rd of the numbers.
__device__ int merge_path_of_warp(const float *first, int n, const float *second, int m, int at)
{
    int from = at > m ? at - m : 0, to = at < n ? at : n, lane = threadIdx.x % 32;
    while (from < to) {
        int part = (to - from) / 33 + 1, i = from + part * (lane + 1) - 1;
        int before = __popc(__ballot_sync(0xffffffff, i < to && first[i] <= second[at - 1 - i]));
        from += part * before;
        to = from + part - 1 < to ? from + part - 1 : to;
    }
    return from;
}

// Merges neighbouring runs of n and m numbers in shared memory: the MERGE_EACH from `at` on.
__device__ void merge_each(const float *first, int n, int m, int at, float *merged)
{
    int i = merge_path(first, n, first + n, m, at), j = n + at - i, end = n + m;
    float x = first[i < end ? i : end - 1], y = first[j < end ? j : end - 1];
#pragma unroll
    for (int k = 0; k < MERGE_EACH; k++) {
        bool is_first = j >= end || (i < n && x <= y);
        merged[k] = is_first ? x : y;
        int next = is_first ? ++i : ++j;
        float value = first[next < end ? next : end - 1];
        if (is_first)
            x = value;
        else
            y = value;
    }
}

__global__ void merge_tiles(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float numbers[MERGE_TILE];
    int thread = threadIdx.x, left = n - (int)blockIdx.x * MERGE_TILE;
    a += blockIdx.x * MERGE_TILE;
    out += blockIdx.x * MERGE_TILE;
    for (int e = thread; e < MERGE_TILE; e += MERGE_THREADS)
        numbers[e] = e < left ? a[e] : INFINITY; // these come last, and stay here
    __syncthreads();
    float mine[MERGE_EACH];
    for (int k = 0; k < MERGE_EACH; k++) mine[k] = numbers[thread * MERGE_EACH + k];
#pragma unroll
    for (int step = 0; step < MERGE_EACH; step++) // odd-even transposition
#pragma unroll
        for (int k = step % 2; k < MERGE_EACH - 1; k += 2) {
            float least = fminf(mine[k], mine[k + 1]);
            mine[k + 1] = fmaxf(mine[k], mine[k + 1]);
            mine[k] = least;
        }
    for (int k = 0; k < MERGE_EACH; k++) numbers[thread * MERGE_EACH + k] = mine[k];
    for (int length = MERGE_EACH; length < MERGE_TILE; length *= 2) {
        __syncthreads();
        int e = thread * MERGE_EACH, at = e % (2 * length);
        merge_each(&numbers[e - at], length, length, at, mine);
        __syncthreads();
        for (int k = 0; k < MERGE_EACH; k++) numbers[e + k] = mine[k];
    }
    __syncthreads();
    for (int e = thread; e < MERGE_TILE; e += MERGE_THREADS)
        if (e < left) out[e] = numbers[e];
}

__global__ void merge_pairs(const float *__restrict__ a, float *__restrict__ out, int n, int length)
{
    __shared__ float numbers[MERGE_TILE];
    __shared__ int ends[2];
    int thread = threadIdx.x, from = blockIdx.x * MERGE_TILE, pair = from / length / 2 * 2 * length;
    const float *first = a + pair;
    int all = n - pair, n_first = length < all ? length : all;
    const float *second = first + n_first;
    int n_second = length < all - n_first ? length : all - n_first;
    int at = from - pair, to = at + MERGE_TILE;
    if (to > n_first + n_second) to = n_first + n_second;
    if (thread < 64) {
        int end = thread < 32 ? at : to;
        int i = merge_path_of_warp(first, n_first, second, n_second, end);
        if (thread % 32 == 0) ends[thread / 32] = i;
    }
    __syncthreads();
    int of_first = ends[1] - ends[0], here = to - at;
    first += ends[0];
    second += at - ends[0] - of_first;
    for (int e = thread; e < here; e += MERGE_THREADS)
        numbers[e] = e < of_first ? first[e] : second[e];
    __syncthreads();
    float mine[MERGE_EACH];
    int e = thread * MERGE_EACH;
    if (e < here) merge_each(numbers, of_first, here - of_first, e, mine);
    __syncthreads();
    for (int k = 0; k < MERGE_EACH; k++)
        if (e + k < here) numbers[e + k] = mine[k];
    __syncthreads();
    for (e = thread; e < here; e += MERGE_THREADS) out[from + e] = numbers[e];
}
