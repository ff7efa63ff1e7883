#include "library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Array *array_new(int rank, const int64_t *shape)
{
    int64_t count = 1;
    for (int d = 0; d < rank; d++) count *= shape[d];
    Array *a = calloc(1, sizeof *a + (size_t)count * sizeof a->data[0]);
    if (!a || rank > LIBRARY_RANK) {
        fprintf(stderr, "bench: library: no such array\n");
        exit(1);
    }
    a->rank = rank;
    a->count = count;
    for (int d = 0; d < rank; d++) a->shape[d] = shape[d];
    return a;
}

void array_free(Array *a)
{
    free(a);
}

Array *array_from_i32(int rank, const int64_t *shape, const int32_t *data)
{
    Array *a = array_new(rank, shape);
    for (int64_t i = 0; i < a->count; i++) a->data[i] = data[i];
    return a;
}

Array *array_from_f64(int rank, const int64_t *shape, const double *data)
{
    Array *a = array_new(rank, shape);
    memcpy(a->data, data, (size_t)a->count * sizeof *data);
    return a;
}

Array *array_scalar(double x)
{
    Array *a = array_new(0, NULL);
    a->data[0] = x;
    return a;
}

Array *array_copy(const Array *a)
{
    return array_from_f64(a->rank, a->shape, a->data);
}

double array_value(Array *scalar)
{
    double x = scalar->data[0];
    array_free(scalar);
    return x;
}

Array *array_shape(const Array *a)
{
    Array *s = array_new(1, &(int64_t){a->rank});
    for (int d = 0; d < a->rank; d++) s->data[d] = (double)a->shape[d];
    return s;
}

Array *array_repeat(int64_t n, double x)
{
    Array *a = array_new(1, &n);
    for (int64_t i = 0; i < n; i++) a->data[i] = x;
    return a;
}

// The place in a of the index vector iv, filled with zeros to the rank of a.
static int64_t place(const Array *iv, const Array *a)
{
    int64_t at = 0;
    for (int d = 0; d < a->rank; d++) {
        int64_t i = d < iv->count ? (int64_t)iv->data[d] : 0;
        if (i < 0 || i >= a->shape[d]) {
            fprintf(stderr, "bench: library: an index is out of bounds\n");
            exit(1);
        }
        at = at * a->shape[d] + i;
    }
    return at;
}

Array *array_sel(const Array *iv, const Array *a)
{
    int given = (int)iv->count;
    Array *block = array_new(a->rank - given, a->shape + given);
    memcpy(block->data, a->data + place(iv, a), (size_t)block->count * sizeof a->data[0]);
    return block;
}

// The next index vector from lo to below hi, in order. False behind the last.
static bool step(Array *iv, const Array *lo, const Array *hi)
{
    for (int64_t d = iv->count - 1; d >= 0; d--) {
        if (++iv->data[d] < hi->data[d]) return true;
        iv->data[d] = lo->data[d];
    }
    return false;
}

static bool is_empty(const Array *lo, const Array *hi)
{
    for (int64_t d = 0; d < lo->count; d++)
        if (lo->data[d] >= hi->data[d]) return true;
    return false;
}

Array *array_tile(const Array *shape, const Array *iv, const Array *a)
{
    int64_t extents[LIBRARY_RANK];
    for (int d = 0; d < a->rank; d++) extents[d] = (int64_t)shape->data[d];
    Array *tile = array_new(a->rank, extents);
    Array *end = array_add(iv, shape), *at = array_copy(iv);
    bool more = !is_empty(iv, end);
    for (int64_t i = 0; more; i++, more = step(at, iv, end)) tile->data[i] = a->data[place(at, a)];
    array_free(end), array_free(at);
    return tile;
}

typedef double Operator(double, double);

static Array *combine(const Array *a, const Array *b, Operator *op)
{
    const Array *whole = a->rank ? a : b;
    Array *c = array_new(whole->rank, whole->shape);
    for (int64_t i = 0; i < c->count; i++)
        c->data[i] = op(a->data[a->rank ? i : 0], b->data[b->rank ? i : 0]);
    return c;
}

static double add(double x, double y)
{
    return x + y;
}

static double sub(double x, double y)
{
    return x - y;
}

static double mul(double x, double y)
{
    return x * y;
}

Array *array_add(const Array *a, const Array *b)
{
    return combine(a, b, add);
}

Array *array_sub(const Array *a, const Array *b)
{
    return combine(a, b, sub);
}

Array *array_mul(const Array *a, const Array *b)
{
    return combine(a, b, mul);
}

Array *array_sum(const Array *a)
{
    double sum = 0;
    for (int64_t i = 0; i < a->count; i++) sum += a->data[i];
    return array_scalar(sum);
}

static Array *with_interior(Array *result, ArrayBody *body, void *context)
{
    Array *shape = array_shape(result), *one = array_scalar(1);
    Array *lo = array_repeat(result->rank, 1), *hi = array_sub(shape, one), *iv = array_copy(lo);
    for (bool more = !is_empty(lo, hi); more; more = step(iv, lo, hi)) {
        Array *x = body(iv, context);
        result->data[place(iv, result)] = array_value(x);
    }
    array_free(shape), array_free(one), array_free(lo), array_free(hi), array_free(iv);
    return result;
}

Array *with_interior_genarray(const Array *shape, ArrayBody *body, void *context)
{
    int64_t extents[LIBRARY_RANK];
    for (int64_t d = 0; d < shape->count; d++) extents[d] = (int64_t)shape->data[d];
    return with_interior(array_new((int)shape->count, extents), body, context);
}

Array *with_interior_modarray(const Array *a, ArrayBody *body, void *context)
{
    return with_interior(array_copy(a), body, context);
}
