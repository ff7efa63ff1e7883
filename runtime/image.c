// Tests whether an array is an image, and converts samples between integers and fractions.
#include "array_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

bool adze_image_check(const char *path, const AdzeArray *array, int *channels, AdzeError *err)
{
    char text[ADZE_TYPE_TEXT_SIZE];
    adze_array_type_text(array, text, sizeof text);
    bool grey = array->rank == 2, colour = array->rank == 3 && array->shape[2] == 3;
    if ((array->type != ADZE_U8 && array->type != ADZE_U16) || (!grey && !colour))
        return adze_fail(
            err, path,
            "cannot write %.120s as an image; [h][w] and [h][w][3] of u8, u16, f32 or f64 can be "
            "(other arrays go to .npy)",
            text);
    for (int d = 0; d < 2; d++)
        if (array->shape[d] < 1 || array->shape[d] > INT32_MAX)
            return adze_fail(
                err, path,
                "cannot write %.120s as an image; height and width must be 1 to %" PRId32, text,
                INT32_MAX);
    *channels = grey ? 1 : 3;
    return true;
}

// --- samples ---------------------------------------------------------------------------------

// Returns the integer up to `most` for a fraction, rounded.
static unsigned to_integer(double x, unsigned most)
{
    // this comparison is false for NaN
    if (!(x > 0)) return 0;
    return x >= 1 ? most : (unsigned)floor(x * most + 0.5);
}

static bool is_sample(AdzeType type)
{
    return type == ADZE_U8 || type == ADZE_U16 || type == ADZE_F32 || type == ADZE_F64;
}

static double get_sample(const AdzeArray *array, int64_t i)
{
    if (array->type == ADZE_U8) return ((const uint8_t *)array->data)[i] / 255.0;
    if (array->type == ADZE_U16) return ((const uint16_t *)array->data)[i] / 65535.0;
    if (array->type == ADZE_F32) return (double)((const float *)array->data)[i];
    return ((const double *)array->data)[i];
}

// A double is precise enough: x/255 rounded to double and then to float is x/255 rounded to float,
// since a double has more than twice as many digits. So it is for x/65535.
static void set_sample(AdzeArray *array, int64_t i, double x)
{
    if (array->type == ADZE_U8)
        ((uint8_t *)array->data)[i] = (uint8_t)to_integer(x, 255);
    else if (array->type == ADZE_U16)
        ((uint16_t *)array->data)[i] = (uint16_t)to_integer(x, 65535);
    else if (array->type == ADZE_F32)
        ((float *)array->data)[i] = (float)x;
    else
        ((double *)array->data)[i] = x;
}

bool adze_image_convert(const AdzeArray *array, AdzeType type, AdzeArray *out, AdzeError *err)
{
    memset(out, 0, sizeof *out);
    if (!is_sample(array->type) || !is_sample(type))
        return adze_fail(err, NULL,
                         "cannot convert samples from %s to %s; u8, u16, f32 and f64 "
                         "can be",
                         adze_type_name(array->type), adze_type_name(type));
    if (!adze_array_alloc(out, type, array->rank, array->shape, err)) return false;
    int64_t count = adze_array_count(array);
    for (int64_t i = 0; i < count; i++) set_sample(out, i, get_sample(array, i));
    return true;
}
