#include "lin.h"

#include <algorithm>
#include <vector>

using Vector = std::vector<double>;

static double mean(double left, double middle, double right)
{
    return (left + middle + right) / 3;
}

LIN_CALL static Vector jacobi(const Vector &a)
{
    Vector swept(a.size());
    const std::size_t last = a.size() - 1;
    swept.front() = mean(a[0], a[0], a[std::min<std::size_t>(1, last)]);
    for (std::size_t i = 1; i < last; i++) swept[i] = mean(a[i - 1], a[i], a[i + 1]);
    swept.back() = mean(a[last == 0 ? 0 : last - 1], a[last], a[last]);
    return swept;
}

static constexpr int64_t n = 1 << 24;
static Vector a(n), swept;

void lin_setup()
{
    for (int64_t i = 0; i < n; i++) a[i] = lin_noise(0, i);
}

void lin_run(bool)
{
    swept = Vector();
    swept = jacobi(a);
}

LinResult lin_result()
{
    return {swept.data(), n};
}
