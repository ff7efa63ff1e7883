// A matrix as one writes it in C++: a class, and operators that give new matrices. What is passed by
// value is changed in place when nobody else has it.
#ifndef ADZE_LIN_MATRIX_HPP
#define ADZE_LIN_MATRIX_HPP

#include "lin.h"

#include <cstddef>
#include <vector>

class Matrix
{
  public:
    Matrix() = default;
    Matrix(std::size_t rows, std::size_t columns)
        : rows_(rows), columns_(columns), elements(rows * columns)
    {
    }

    std::size_t rows() const
    {
        return rows_;
    }
    std::size_t columns() const
    {
        return columns_;
    }
    double &operator()(std::size_t i, std::size_t j)
    {
        return elements[i * columns_ + j];
    }
    double operator()(std::size_t i, std::size_t j) const
    {
        return elements[i * columns_ + j];
    }
    const double *data() const
    {
        return elements.data();
    }

  private:
    std::size_t rows_ = 0, columns_ = 0;
    std::vector<double> elements;
};

inline Matrix operator*(const Matrix &a, const Matrix &b)
{
    Matrix product(a.rows(), b.columns());
    for (std::size_t i = 0; i < a.rows(); i++) {
        for (std::size_t j = 0; j < b.columns(); j++) {
            double sum = 0;
            for (std::size_t k = 0; k < b.rows(); k++) sum += a(i, k) * b(k, j);
            product(i, j) = sum;
        }
    }
    return product;
}

inline Matrix operator*(double s, Matrix a)
{
    for (std::size_t i = 0; i < a.rows(); i++)
        for (std::size_t j = 0; j < a.columns(); j++) a(i, j) *= s;
    return a;
}

inline Matrix operator+(Matrix a, const Matrix &b)
{
    for (std::size_t i = 0; i < a.rows(); i++)
        for (std::size_t j = 0; j < a.columns(); j++) a(i, j) += b(i, j);
    return a;
}

inline Matrix noise(std::size_t rows, std::size_t columns, uint64_t sequence)
{
    Matrix m(rows, columns);
    for (std::size_t i = 0; i < rows; i++)
        for (std::size_t j = 0; j < columns; j++) m(i, j) = lin_noise(sequence, i * columns + j);
    return m;
}

#endif
