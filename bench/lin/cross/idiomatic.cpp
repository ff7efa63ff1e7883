#include "lin.h"

#include <array>
#include <numeric>

using Vec3 = std::array<double, 3>;

LIN_CALL static Vec3 cross(const Vec3 &a, const Vec3 &b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

static double sum(const Vec3 &v)
{
    return std::accumulate(v.begin(), v.end(), 0.0);
}

static constexpr int64_t calls = 10000000, kept = 1024;

static struct {
    double total;
    Vec3 products[kept];
} result;

void lin_setup()
{
}

void lin_run(bool)
{
    Vec3 a, b;
    for (int k = 0; k < 3; k++) {
        a[k] = lin_noise(0, k);
        b[k] = lin_noise(1, k);
    }
    double total = 0;
    for (int64_t call = 0; call < calls; call++) {
        a[0] += 1 / (2 + a[0]);
        b[1] += 1 / (2 + b[1]);
        const Vec3 product = cross(a, b);
        total += sum(product);
        const int64_t left = calls - 1 - call;
        if (left < kept) result.products[left] = product;
    }
    result.total = total;
}

LinResult lin_result()
{
    return {&result.total, 1 + 3 * kept};
}
