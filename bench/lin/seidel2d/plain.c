#include <stdint.h>

static double sum3(const double *row, int64_t left, int64_t j, int64_t right)
{
    return row[left] + row[j] + row[right];
}

int plain(int64_t n, int64_t m, const double *restrict a, double *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        const double *row = a + i * m;
        const double *up = i > 0 ? row - m : row, *down = i < n - 1 ? row + m : row;
        double *to = out + i * m;
        int64_t last = m - 1, right = last > 0;
        to[0] = sum3(up, 0, 0, right) + sum3(row, 0, 0, right) + sum3(down, 0, 0, right);
        for (int64_t j = 1; j < last; j++)
            to[j] = up[j - 1] + up[j] + up[j + 1] + row[j - 1] + row[j] + row[j + 1] + down[j - 1] +
                    down[j] + down[j + 1];
        if (last > 0)
            to[last] = sum3(up, last - 1, last, last) + sum3(row, last - 1, last, last) +
                       sum3(down, last - 1, last, last);
    }
    return 0;
}
