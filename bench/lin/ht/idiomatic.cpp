#include "lin.h"

#include <array>
#include <cmath>

using Vec3 = std::array<double, 3>;
using Mat3 = std::array<Vec3, 3>;

static double sq_norm(const Vec3 &v)
{
    double sum = 0;
    for (double x : v) sum += x * x;
    return sum;
}

LIN_CALL static Mat3 rotation(const Vec3 &axis)
{
    const double n = std::sqrt(sq_norm(axis));
    if (n < 0.0001) return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const double x = axis[0] / n, y = axis[1] / n, z = axis[2] / n;
    const double s = std::sin(n), c = std::cos(n);
    return {{{x * x + (1 - x * x) * c, x * y * (1 - c) - z * s, x * z * (1 - c) + y * s},
             {x * y * (1 - c) + z * s, y * y + (1 - y * y) * c, y * z * (1 - c) - x * s},
             {x * z * (1 - c) - y * s, z * y * (1 - c) + x * s, z * z + (1 - z * z) * c}}};
}

static constexpr int64_t calls = 4000000, kept = 1024;

static struct {
    double total;
    Mat3 rotations[kept];
} result;

void lin_setup()
{
}

void lin_run(bool)
{
    Vec3 axis{lin_noise(0, 0), lin_noise(0, 1), lin_noise(0, 2)};
    double total = 0;
    for (int64_t call = 0; call < calls; call++) {
        axis[0] -= 1.0 / calls;
        const Mat3 turned = rotation(axis);
        total += sq_norm(turned[0]);
        const int64_t left = calls - 1 - call;
        if (left < kept) result.rotations[left] = turned;
    }
    result.total = total;
}

LinResult lin_result()
{
    return {&result.total, 1 + 9 * kept};
}
