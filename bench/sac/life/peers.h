#include <stdint.h>

int peer_life(int64_t n, int64_t m, int64_t steps, const int32_t *restrict alive,
              int32_t *restrict out);

/// The program of the paper over library.h, for any rank.
int library_life(int rank, const int64_t *shape, int64_t steps, const int32_t *alive, int32_t *out);
