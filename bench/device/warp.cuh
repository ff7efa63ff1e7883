// What several kernels do in a warp, all of whose lanes call it.

// The sum of the values of all lanes, in lane 0.
template <typename T> __device__ T sum_of_warp(T value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffff, value, distance);
    return value;
}

// The sum of the values of the lanes up to this one.
template <typename T> __device__ T sum_up_to_lane(T value, int lane)
{
    for (int distance = 1; distance < 32; distance *= 2) {
        T left = __shfl_up_sync(0xffffffff, value, distance);
        if (lane >= distance) value += left;
    }
    return value;
}
