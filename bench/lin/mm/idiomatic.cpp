#include "matrix.hpp"

static constexpr std::size_t n = LIN_MATRIX;
static Matrix in[2], out;

LIN_CALL static Matrix mm(const Matrix &a, const Matrix &b)
{
    return a * b;
}

void lin_setup()
{
    for (int i = 0; i < 2; i++) in[i] = noise(n, n, i);
}

void lin_run(bool)
{
    out = Matrix();
    out = mm(in[0], in[1]);
}

LinResult lin_result()
{
    return {out.data(), n * n};
}
