#include "peer.h"

#include <string.h>

enum { REACH = 4 };
static const float weight[] = {-2.8472222f, 1.6f, -0.2f, 0.025396826f, -0.0017857143f};

int PEER(int64_t n, int64_t m, int64_t k, const float *restrict now, const float *restrict before,
         const float *restrict speed, float *restrict out)
{
    memset(out, 0, (size_t)(n * m * k) * sizeof *out);
    for (int64_t z = REACH; z < n - REACH; z++)
        for (int64_t y = REACH; y < m - REACH; y++) {
            int64_t row = (z * m + y) * k;
            for (int64_t x = row + REACH; x < row + k - REACH; x++) {
                float sum = 3 * weight[0] * now[x];
                for (int i = 1; i <= REACH; i++)
                    sum += weight[i] * (now[x - i] + now[x + i] + now[x - i * k] + now[x + i * k] +
                                        now[x - i * m * k] + now[x + i * m * k]);
                out[x] = 2 * now[x] - before[x] + speed[x] * sum;
            }
        }
    return 0;
}
