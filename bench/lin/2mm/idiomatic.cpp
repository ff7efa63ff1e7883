#include "matrix.hpp"

static constexpr std::size_t n = LIN_MATRIX;
static Matrix in[4], out;

LIN_CALL static Matrix mm2(double alpha, double beta, const Matrix &a, const Matrix &b,
                           const Matrix &c, const Matrix &d)
{
    return alpha * (a * b) * c + beta * d;
}

void lin_setup()
{
    for (int i = 0; i < 4; i++) in[i] = noise(n, n, i);
}

void lin_run(bool)
{
    out = Matrix();
    out = mm2(1.5, 1.2, in[0], in[1], in[2], in[3]);
}

LinResult lin_result()
{
    return {out.data(), n * n};
}
