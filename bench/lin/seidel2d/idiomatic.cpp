#include "grid.hpp"

LIN_CALL Grid swept(const Grid &a)
{
    return stencil(a, [](const auto &a, auto i, auto j) {
        return a(i - 1, j - 1) + a(i - 1, j) + a(i - 1, j + 1) + a(i, j - 1) + a(i, j) +
               a(i, j + 1) + a(i + 1, j - 1) + a(i + 1, j) + a(i + 1, j + 1);
    });
}
