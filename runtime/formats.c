// Loads and saves arrays in the format that the extension of the file name selects. Without a known
// extension, a file is an array of bytes, or of records.
#include "array_internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum Holds {
    ANY_ARRAY,
    ARCHIVE,
    TEXT,
    PLOT,
    GREY,
    COLOUR,
    GREY_OR_COLOUR,
    RECORDS,
    BYTES
} Holds;

static const struct {
    const char *extension;
    Holds holds;
    bool (*read)(const char *path, AdzeArray *out, AdzeError *err);
    AdzePut *put; // images and bytes
} formats[] = {
    {".npy", ANY_ARRAY, adze_npy_read, NULL},
    {".npz", ARCHIVE, NULL, NULL},
    {".csv", TEXT, adze_numbers_read, NULL},
    {".tsv", TEXT, adze_numbers_read, NULL},
    {".txt", TEXT, adze_bytes_read, NULL},
    {".svg", PLOT, adze_bytes_read, NULL},
    {".png", GREY_OR_COLOUR, adze_png_read, adze_png_put},
    {".ppm", COLOUR, adze_pnm_read, adze_pnm_put},
    {".pgm", GREY, adze_pnm_read, adze_pnm_put},
    {".bin", RECORDS, adze_bytes_read, NULL},
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

// --- loading ---------------------------------------------------------------------------------

bool adze_array_load(const char *path, AdzeArray *out, AdzeError *err)
{
    AdzeTable table;
    memset(out, 0, sizeof *out);
    int f = find_format(path);
    if (formats[f].holds != ARCHIVE) return formats[f].read(path, out, err);
    return adze_npz_read(path, NULL, &table, err) && adze_table_numbers(path, &table, out, err);
}

bool adze_table_load(const char *path, AdzeTable *out, AdzeError *err)
{
    memset(out, 0, sizeof *out);
    int f = find_format(path);
    if (formats[f].holds == ANY_ARRAY) return adze_npy_read_table(path, out, err);
    if (formats[f].holds == ARCHIVE) return adze_npz_read(path, NULL, out, err);
    AdzeArray *column = calloc(1, sizeof *column);
    if (!column) return adze_fail(err, path, "no memory");
    if (adze_array_load(path, column, err)) {
        *out = adze_table_of(column);
        return true;
    }
    free(column);
    return false;
}

// --- saving ----------------------------------------------------------------------------------

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

static bool put_picture(int f, AdzeOutput *out, const AdzeArray *array, const AdzeSave *save,
                        AdzeError *err)
{
    bool fractions = array->type == ADZE_F32 || array->type == ADZE_F64;
    bool image_shape = array->rank == 2 || (array->rank == 3 && array->shape[2] == 3);
    bool coloured = save->colours && formats[f].holds != GREY;
    if (!coloured && (!fractions || !image_shape)) return put_image(f, out, array, err);
    AdzeArray bytes;
    if (coloured ? !adze_colours_apply(out->path, array, save->colours, &bytes, err)
                 : !adze_image_convert(array, ADZE_U8, &bytes, err))
        return false;
    bool good = put_image(f, out, &bytes, err);
    adze_array_free(&bytes);
    return good;
}

// Whether the table is [n]u8, which is written unchanged to all files but arrays and pictures.
static bool is_bytes(const AdzeTable *table)
{
    return table->dtype.kind == ADZE_NUMBER && table->dtype.type == ADZE_U8 && table->rank == 1;
}

static bool put_tables(AdzeOutput *out, const AdzeSave *save, AdzeError *err)
{
    char text[128];
    const AdzeTable *table = save->tables[0];
    int f = find_format(save->path);
    Holds holds = formats[f].holds;
    if (holds == ARCHIVE) return adze_npz_put(out, save->n, save->tables, save->names, err);
    if (holds == ANY_ARRAY) return adze_npy_put_table(out, table, err);
    if ((holds == TEXT || holds == PLOT) && is_bytes(table))
        return adze_bytes_put(out, table->columns, err);
    if (holds == TEXT) return adze_text_put(out, table, err);
    if (holds == PLOT) return adze_plot_put(out, save, err);
    if (holds == RECORDS || (holds == BYTES && table->dtype.kind != ADZE_NUMBER))
        return adze_elements_put(out, table, err);
    if (holds == BYTES) return adze_bytes_put(out, table->columns, err);
    if (table->dtype.kind == ADZE_NUMBER) return put_picture(f, out, table->columns, save, err);
    adze_dtype_text(&table->dtype, text, sizeof text);
    return adze_fail(err, out->path, "cannot hold %s; .npy files can", text);
}

bool adze_files_save(const AdzeSave *files, int n, AdzeError *err)
{
    AdzeOutput *outputs = calloc((size_t)n + 1, sizeof *outputs);
    if (!outputs) return adze_fail(err, n ? files[0].path : NULL, "no memory");
    bool good = true;
    int opened = 0;
    while (good && opened < n) {
        if (!(good = adze_output_open(&outputs[opened], files[opened].path, err))) break;
        good = put_tables(&outputs[opened], &files[opened], err);
        good = good && adze_output_flush(&outputs[opened]);
        opened++;
    }
    // the system has all bytes before the first file is replaced
    for (int i = 0; i < opened; i++) good = adze_output_close(&outputs[i], good) && good;
    free(outputs);
    return good;
}

bool adze_tables_save(const char *const *paths, const AdzeTable *const *tables, int n,
                      AdzeError *err)
{
    AdzeSave *files = calloc((size_t)n + 1, sizeof *files);
    if (!files) return adze_fail(err, n ? paths[0] : NULL, "no memory");
    for (int i = 0; i < n; i++)
        files[i] = (AdzeSave){.path = paths[i], .n = 1, .tables = &tables[i]};
    bool good = adze_files_save(files, n, err);
    free(files);
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
