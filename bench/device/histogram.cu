// Adds to out[b] how many of n bytes are b. Blocks of 256 threads count in shared memory, where the
// counters are privatised: each lane has its own 256, in its own bank. So the atomic updates of a
// warp never collide, even if all bytes are equal. In the end a thread adds the copies of one
// counter, each lane beginning in another bank, and updates the result. Threads load four bytes at
// a time, so `a` is aligned to four. A few blocks a multiprocessor, since each clears and adds 32
// KiB.
enum { HISTOGRAM_BINS = 256, HISTOGRAM_COPIES = 32, HISTOGRAM_THREADS = HISTOGRAM_BINS };

__global__ void histogram(const unsigned char *__restrict__ a, unsigned *out, int n)
{
    __shared__ unsigned counts[HISTOGRAM_BINS][HISTOGRAM_COPIES];
    int thread = threadIdx.x, lane = thread % 32;
    for (int e = thread; e < HISTOGRAM_BINS * HISTOGRAM_COPIES; e += HISTOGRAM_THREADS)
        counts[e / HISTOGRAM_COPIES][e % HISTOGRAM_COPIES] = 0;
    __syncthreads();
    const uchar4 *fours = (const uchar4 *)a;
    int first = blockIdx.x * HISTOGRAM_THREADS + thread, step = gridDim.x * HISTOGRAM_THREADS;
    for (int i = first; i < n / 4; i += step) {
        uchar4 four = fours[i];
        atomicAdd(&counts[four.x][lane], 1u);
        atomicAdd(&counts[four.y][lane], 1u);
        atomicAdd(&counts[four.z][lane], 1u);
        atomicAdd(&counts[four.w][lane], 1u);
    }
    for (int i = n / 4 * 4 + first; i < n; i += step) atomicAdd(&counts[a[i]][lane], 1u);
    __syncthreads();
    unsigned count = 0;
    for (int k = 0; k < HISTOGRAM_COPIES; k++)
        count += counts[thread][(lane + k) % HISTOGRAM_COPIES];
    atomicAdd(&out[thread], count);
}
