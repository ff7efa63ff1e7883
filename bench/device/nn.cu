// The distances of n places, given by their latitudes and longitudes, from one. Each thread
// computes every (threads of the grid)-th one, so that loads and stores are coalesced.
__global__ void nn(float lat, float lng, const float *__restrict__ lats,
                   const float *__restrict__ lngs, float *__restrict__ out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float x = lat - lats[i], y = lng - lngs[i];
        out[i] = sqrtf(x * x + y * y);
    }
}
