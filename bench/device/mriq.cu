// Q of a magnetic resonance image: for each of n voxels the sum over k samples of
// weight * exp(i * 2 pi * (frequency . voxel)), its real and its imaginary part. Voxels and
// frequencies have all x first, then all y, then all z; so has the result all real parts first.
//
// A thread for each voxel, in blocks of MRIQ_TILE. They load tiles of as many samples into shared
// memory, from where the four numbers of a sample are broadcast to a warp in one load. sincospif
// reduces the angle to one turn exactly, in a few instructions.
enum { MRIQ_TILE = 128 };

__global__ void mriq(const float *__restrict__ voxels, const float *__restrict__ frequencies,
                     const float *__restrict__ weights, float *__restrict__ out, int n, int k)
{
    __shared__ float4 tile[MRIQ_TILE]; // a frequency and its weight
    int thread = threadIdx.x, i = blockIdx.x * MRIQ_TILE + thread;
    float x = 0.0f, y = 0.0f, z = 0.0f, re = 0.0f, im = 0.0f;
    if (i < n) x = voxels[i], y = voxels[n + i], z = voxels[2 * n + i];
    for (int j0 = 0; j0 < k; j0 += MRIQ_TILE) {
        int j = j0 + thread, count = k - j0 < MRIQ_TILE ? k - j0 : MRIQ_TILE;
        if (thread < count)
            tile[thread] =
                float4{frequencies[j], frequencies[k + j], frequencies[2 * k + j], weights[j]};
        __syncthreads();
        for (int l = 0; l < count; l++) {
            float4 sample = tile[l];
            float sine, cosine;
            sincospif(2.0f * (sample.x * x + sample.y * y + sample.z * z), &sine, &cosine);
            re += sample.w * cosine;
            im += sample.w * sine;
        }
        __syncthreads();
    }
    if (i < n) out[i] = re, out[n + i] = im;
}
