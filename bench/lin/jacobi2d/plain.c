#include <stdint.h>

int plain(int64_t n, int64_t m, const double *restrict a, double *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        const double *row = a + i * m;
        const double *up = i > 0 ? row - m : row, *down = i < n - 1 ? row + m : row;
        double *to = out + i * m;
        int64_t last = m - 1;
        to[0] = (row[0] + row[0] + row[last > 0] + up[0] + down[0]) * 0.2;
        for (int64_t j = 1; j < last; j++)
            to[j] = (row[j] + row[j - 1] + row[j + 1] + up[j] + down[j]) * 0.2;
        if (last > 0)
            to[last] = (row[last] + row[last - 1] + row[last] + up[last] + down[last]) * 0.2;
    }
    return 0;
}
