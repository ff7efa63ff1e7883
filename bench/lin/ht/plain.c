#include <math.h>

int plain(const double *restrict axis, double *restrict out)
{
    double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (n < 0.0001) {
        for (int i = 0; i < 9; i++) out[i] = i % 4 == 0;
        return 0;
    }
    double x = axis[0] / n, y = axis[1] / n, z = axis[2] / n;
    double s = sin(n), c = cos(n);
    out[0] = x * x + (1 - x * x) * c;
    out[1] = x * y * (1 - c) - z * s;
    out[2] = x * z * (1 - c) + y * s;
    out[3] = x * y * (1 - c) + z * s;
    out[4] = y * y + (1 - y * y) * c;
    out[5] = y * z * (1 - c) - x * s;
    out[6] = x * z * (1 - c) - y * s;
    out[7] = z * y * (1 - c) + x * s;
    out[8] = z * z + (1 - z * z) * c;
    return 0;
}
