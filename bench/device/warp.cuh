// What several kernels do in a warp, all of whose lanes call it.

// The sum of the values of all lanes, in lane 0.
__device__ float sum_of_warp(float value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffff, value, distance);
    return value;
}
