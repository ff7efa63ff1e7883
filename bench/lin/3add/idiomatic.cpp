#include "lin.h"

#include <vector>

using Vector = std::vector<double>;

static Vector operator+(const Vector &a, const Vector &b)
{
    Vector sum(a.size());
    for (std::size_t i = 0; i < a.size(); i++) sum[i] = a[i] + b[i];
    return sum;
}

LIN_CALL static Vector add3(const Vector &a, const Vector &b, const Vector &c)
{
    return a + (b + c);
}

static constexpr int64_t n = 1 << 24;
static Vector a(n), b(n), c(n), sum;

void lin_setup()
{
    for (int64_t i = 0; i < n; i++) {
        a[i] = lin_noise(0, i);
        b[i] = lin_noise(1, i);
        c[i] = lin_noise(2, i);
    }
}

void lin_run(bool)
{
    sum.clear();
    sum.shrink_to_fit();
    sum = add3(a, b, c);
}

LinResult lin_result()
{
    return {sum.data(), n};
}
