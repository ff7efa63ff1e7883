#include "library.h"
#include "peers.h"

// sum(tile(value(dim(alive), 3), iv - 1, alive))
static double around(const Array *iv, const Array *alive)
{
    Array *one = array_scalar(1), *three = array_repeat(alive->rank, 3);
    Array *from = array_sub(iv, one), *tile = array_tile(three, from, alive);
    double sum = array_value(array_sum(tile));
    array_free(one), array_free(three), array_free(from), array_free(tile);
    return sum;
}

static Array *dies(const Array *iv, void *context)
{
    double sum = around(iv, context), cell = array_value(array_sel(iv, context));
    return array_scalar(cell == 1 && (sum < 3 || sum > 4));
}

static Array *is_born(const Array *iv, void *context)
{
    double sum = around(iv, context), cell = array_value(array_sel(iv, context));
    return array_scalar(cell == 0 && sum == 3);
}

static Array *generation(Array *alive)
{
    Array *shape = array_shape(alive);
    Array *dead = with_interior_genarray(shape, dies, alive);
    Array *reborn = with_interior_genarray(shape, is_born, alive);
    Array *rest = array_sub(alive, dead), *result = array_add(rest, reborn);
    array_free(shape), array_free(dead), array_free(reborn), array_free(rest);
    return result;
}

int library_life(int rank, const int64_t *shape, int64_t steps, const int32_t *alive, int32_t *out)
{
    Array *a = array_from_i32(rank, shape, alive);
    for (int64_t t = 0; t < steps; t++) {
        Array *next = generation(a);
        array_free(a);
        a = next;
    }
    for (int64_t i = 0; i < a->count; i++) out[i] = (int32_t)a->data[i];
    array_free(a);
    return 0;
}
