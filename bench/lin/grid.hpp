// A stencil as one writes it in C++: a class for the grid, a function of a point and its neighbours, the
// interior without and the border with a look at where it ends; and what main.c asks for.
#ifndef ADZE_LIN_GRID_HPP
#define ADZE_LIN_GRID_HPP

#include "matrix.hpp"

#include <algorithm>

using Grid = Matrix;

/// The grid beyond whose border its outermost points go on.
class Clamped
{
  public:
    explicit Clamped(const Grid &grid) : grid(grid)
    {
    }
    double operator()(std::ptrdiff_t i, std::ptrdiff_t j) const
    {
        return grid(within(i, grid.rows()), within(j, grid.columns()));
    }

  private:
    static std::size_t within(std::ptrdiff_t i, std::ptrdiff_t n)
    {
        return std::clamp<std::ptrdiff_t>(i, 0, n - 1);
    }
    const Grid &grid;
};

/// `at(a, i, j)` is the new value of a point, where `a` is the grid or the clamped one.
template <class F> Grid stencil(const Grid &a, F at)
{
    Grid out(a.rows(), a.columns());
    const Clamped clamped(a);
    const std::size_t n = a.rows(), m = a.columns();
    for (std::size_t i = 0; i < n; i++) {
        if (i == 0 || i == n - 1) {
            for (std::size_t j = 0; j < m; j++) out(i, j) = at(clamped, i, j);
            continue;
        }
        out(i, 0) = at(clamped, i, 0);
        for (std::size_t j = 1; j + 1 < m; j++) out(i, j) = at(a, i, j);
        out(i, m - 1) = at(clamped, i, m - 1);
    }
    return out;
}

/// The program.
Grid swept(const Grid &a);

static constexpr std::size_t grid_size = LIN_GRID;
static Grid grid_in, grid_out;

void lin_setup()
{
    grid_in = noise(grid_size, grid_size, 0);
}

void lin_run(bool)
{
    grid_out = Grid();
    grid_out = swept(grid_in);
}

LinResult lin_result()
{
    return {grid_out.data(), grid_size * grid_size};
}

#endif
