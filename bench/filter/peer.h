// The programs of filter.adz as one writes them in C.
#include <stdint.h>

/// Store the elements above the limit at the front of `out` and return their number: with a branch
/// for each element, and without one.
int64_t peer_branch(int64_t n, float limit, const float *restrict xs, float *restrict out);
int64_t peer_no_branch(int64_t n, float limit, const float *restrict xs, float *restrict out);
/// The variance of the elements above the limit; `room` has n elements.
float peer_variance(int64_t n, float limit, const float *restrict xs, float *restrict room);
