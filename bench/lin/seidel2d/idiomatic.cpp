#include "grid.hpp"

LIN_CALL static Grid convolved(const Grid &a)
{
    return stencil(a, [](const auto &a, auto i, auto j) {
        return a(i - 1, j - 1) + a(i - 1, j) + a(i - 1, j + 1) + a(i, j - 1) + a(i, j) +
               a(i, j + 1) + a(i + 1, j - 1) + a(i + 1, j) + a(i + 1, j + 1);
    });
}

static constexpr std::size_t n = LIN_GRID;
static Grid a, out;

void lin_setup()
{
    a = noise(n, n, 0);
}

void lin_run(bool)
{
    out = Grid();
    out = convolved(a);
}

LinResult lin_result()
{
    return {out.data(), n * n};
}
