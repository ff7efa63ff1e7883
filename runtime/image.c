// Loads and saves arrays as images or in another format, which the extension of the file name
// selects. Without a known extension, a file is an array of bytes. Also tests whether an array is
// an image, and converts samples between integers and fractions.
#include "array_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool adze_image_check(const char *path, const AdzeArray *array, int *channels, AdzeError *err)
{
    char text[ADZE_TYPE_TEXT_SIZE];
    adze_array_type_text(array, text, sizeof text);
    bool grey = array->rank == 2, colour = array->rank == 3 && array->shape[2] == 3;
    if (array->type != ADZE_U8 || (!grey && !colour))
        return adze_fail(
            err, path,
            "cannot write %.120s as an image; [h][w] and [h][w][3] of u8, f32 or f64 can be "
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

static uint8_t to_byte(double x)
{
    // this comparison is false for NaN
    if (!(x > 0)) return 0;
    return x >= 1 ? 255 : (uint8_t)floor(x * 255 + 0.5);
}

static bool is_sample(AdzeType type)
{
    return type == ADZE_U8 || type == ADZE_F32 || type == ADZE_F64;
}

static double get_sample(const AdzeArray *array, int64_t i)
{
    if (array->type == ADZE_U8) return ((const uint8_t *)array->data)[i] / 255.0;
    if (array->type == ADZE_F32) return (double)((const float *)array->data)[i];
    return ((const double *)array->data)[i];
}

// A double is precise enough: x/255 rounded to double and then to float is x/255 rounded to float,
// since a double has more than twice as many digits.
static void set_sample(AdzeArray *array, int64_t i, double x)
{
    if (array->type == ADZE_U8)
        ((uint8_t *)array->data)[i] = to_byte(x);
    else if (array->type == ADZE_F32)
        ((float *)array->data)[i] = (float)x;
    else
        ((double *)array->data)[i] = x;
}

bool adze_image_convert(const AdzeArray *array, AdzeType type, AdzeArray *out, AdzeError *err)
{
    memset(out, 0, sizeof *out);
    if (!is_sample(array->type) || !is_sample(type))
        return adze_fail(err, NULL, "cannot convert samples from %s to %s; u8, f32 and f64 can be",
                         adze_type_name(array->type), adze_type_name(type));
    if (!adze_array_alloc(out, type, array->rank, array->shape, err)) return false;
    int64_t count = adze_array_count(array);
    for (int64_t i = 0; i < count; i++) set_sample(out, i, get_sample(array, i));
    return true;
}

// --- formats ---------------------------------------------------------------------------------

typedef enum Holds { ANY_ARRAY, GREY, COLOUR, GREY_OR_COLOUR, BYTES } Holds;

static const struct {
    const char *extension;
    Holds holds;
    bool (*read)(const char *path, AdzeArray *out, AdzeError *err);
    AdzePut *put;
} formats[] = {
    {".npy", ANY_ARRAY, adze_npy_read, adze_npy_put},
    {".png", GREY_OR_COLOUR, adze_png_read, adze_png_put},
    {".ppm", COLOUR, adze_pnm_read, adze_pnm_put},
    {".pgm", GREY, adze_pnm_read, adze_pnm_put},
    {"", BYTES, adze_bytes_read, adze_bytes_put}, // other extensions
};
enum { OTHER_FORMAT = sizeof formats / sizeof *formats - 1 };

// The row of `formats` for this path.
static int find_format(const char *path)
{
    const char *name = strrchr(path, '/');
    const char *extension = strrchr(name ? name + 1 : path, '.');
    for (int f = 0; extension && f < OTHER_FORMAT; f++)
        if (strcasecmp(extension, formats[f].extension) == 0) return f;
    return OTHER_FORMAT;
}

bool adze_array_load(const char *path, AdzeArray *out, AdzeError *err)
{
    memset(out, 0, sizeof *out);
    return formats[find_format(path)].read(path, out, err);
}

bool adze_table_load(const char *path, AdzeTable *out, AdzeError *err)
{
    memset(out, 0, sizeof *out);
    if (formats[find_format(path)].holds == ANY_ARRAY) return adze_npy_read_table(path, out, err);
    AdzeArray *column = calloc(1, sizeof *column);
    if (!column) return adze_fail(err, path, "no memory");
    if (adze_array_load(path, column, err)) {
        *out = adze_table_of(column);
        return true;
    }
    free(column);
    return false;
}

static bool put_image(int f, AdzeOutput *out, const AdzeArray *image, AdzeError *err)
{
    int channels;
    if (!adze_image_check(out->path, image, &channels, err)) return false;
    if (formats[f].holds == GREY && channels == 3)
        return adze_fail(err, out->path, "a .pgm file cannot hold colour; use .ppm or .png");
    if (formats[f].holds == COLOUR && channels == 1)
        return adze_fail(err, out->path,
                         "a .ppm file holds colour, this array is grey; use .pgm or .png");
    return formats[f].put(out, image, err);
}

static bool put_array(int f, AdzeOutput *out, const AdzeArray *array, AdzeError *err)
{
    if (formats[f].holds == ANY_ARRAY || formats[f].holds == BYTES)
        return formats[f].put(out, array, err);
    bool fractions = array->type == ADZE_F32 || array->type == ADZE_F64;
    bool image_shape = array->rank == 2 || (array->rank == 3 && array->shape[2] == 3);
    if (!fractions || !image_shape) return put_image(f, out, array, err);
    AdzeArray bytes;
    if (!adze_image_convert(array, ADZE_U8, &bytes, err)) return false;
    bool good = put_image(f, out, &bytes, err);
    adze_array_free(&bytes);
    return good;
}

static bool put_table(int f, AdzeOutput *out, const AdzeTable *table, AdzeError *err)
{
    char text[128];
    if (table->dtype.kind == ADZE_NUMBER) return put_array(f, out, table->columns, err);
    if (formats[f].holds == ANY_ARRAY) return adze_npy_put_table(out, table, err);
    adze_dtype_text(&table->dtype, text, sizeof text);
    return adze_fail(err, out->path, "cannot hold %s; .npy files can", text);
}

bool adze_tables_save(const char *const *paths, const AdzeTable *const *tables, int n,
                      AdzeError *err)
{
    AdzeOutput *outputs = calloc((size_t)n + 1, sizeof *outputs);
    if (!outputs) return adze_fail(err, n ? paths[0] : NULL, "no memory");
    bool good = true;
    int opened = 0;
    while (good && opened < n) {
        if (!(good = adze_output_open(&outputs[opened], paths[opened], err))) break;
        good = put_table(find_format(paths[opened]), &outputs[opened], tables[opened], err);
        good = good && adze_output_flush(&outputs[opened]);
        opened++;
    }
    // the system has all bytes before the first file is replaced
    for (int i = 0; i < opened; i++) good = adze_output_close(&outputs[i], good) && good;
    free(outputs);
    return good;
}

bool adze_arrays_save(const char *const *paths, const AdzeArray *const *arrays, int n,
                      AdzeError *err)
{
    typedef struct {
        AdzeArray column;
        AdzeTable table;
    } One;
    One *ones = calloc((size_t)n + 1, sizeof *ones);
    const AdzeTable **tables = calloc((size_t)n + 1, sizeof *tables);
    bool good = ones && tables;
    for (int i = 0; good && i < n; i++) {
        ones[i].column = *arrays[i];
        ones[i].table = adze_table_of(&ones[i].column);
        tables[i] = &ones[i].table;
    }
    good = good ? adze_tables_save(paths, tables, n, err)
                : adze_fail(err, n ? paths[0] : NULL, "no memory");
    free(ones);
    free(tables);
    return good;
}

bool adze_array_save(const char *path, const AdzeArray *array, AdzeError *err)
{
    return adze_arrays_save(&path, &array, 1, err);
}
