// Arrays as a library has them that knows nothing of the program: the rank, the shape and every index vector are values of the run, each operation makes an array, and
// a with-loop calls a function for each index. The peer "library" of life and pde1 is written with it: what a compiler is there to avoid.
#ifndef ADZE_BENCH_LIBRARY_H
#define ADZE_BENCH_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

enum { LIBRARY_RANK = 8 };

/// Elements in row-major order behind the shape. A scalar has rank 0; index vectors and shapes are arrays of rank 1.
typedef struct {
    int rank;
    int64_t shape[LIBRARY_RANK];
    int64_t count;
    double data[];
} Array;

/// All functions give a new array, which the caller frees with array_free, and leave their arguments as they are.
Array *array_new(int rank, const int64_t *shape);
Array *array_from_i32(int rank, const int64_t *shape, const int32_t *data);
Array *array_from_f64(int rank, const int64_t *shape, const double *data);
Array *array_scalar(double x);
Array *array_copy(const Array *a);
void array_free(Array *a);

/// The value of a scalar, which it frees.
double array_value(Array *scalar);

Array *array_shape(const Array *a);

/// n times x.
Array *array_repeat(int64_t n, double x);

/// What stands at the index vector iv: an element, or a block where iv is shorter than the rank.
Array *array_sel(const Array *iv, const Array *a);

/// The part of a that begins at iv and has this shape, a vector.
Array *array_tile(const Array *shape, const Array *iv, const Array *a);

/// Element by element; where one of the two is a scalar it goes with each element of the other.
Array *array_add(const Array *a, const Array *b);
Array *array_sub(const Array *a, const Array *b);
Array *array_mul(const Array *a, const Array *b);

/// The sum of all elements, a scalar.
Array *array_sum(const Array *a);

/// Gives the element at iv, a scalar.
typedef Array *ArrayBody(const Array *iv, void *context);

/// with (. < iv < .) { body } genarray(shape, 0), and modarray(a).
Array *with_interior_genarray(const Array *shape, ArrayBody *body, void *context);
Array *with_interior_modarray(const Array *a, ArrayBody *body, void *context);

#endif
