// NumPy's .npy: magic, version, header length, a Python dict literal as text (npy_header.c), then
// the elements.
//
//     \x93NUMPY 1 0 <u16 length> {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } <data>
//
// Versions 2 and 3 have a u32 length; 3 allows UTF-8 in the names of fields. Elements are allocated
// after the shape has been compared with the size of the file.
#include "array_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC_LEN = sizeof ADZE_NPY_MAGIC - 1, HEADER_LIMIT = 1 << 20 };

typedef struct Reader {
    const char *path;
    FILE *file;
    int64_t size;
    AdzeError *err;
} Reader;

// --- reading ---------------------------------------------------------------------------------

static bool read_bytes(Reader *r, void *to, size_t len)
{
    if (fread(to, 1, len, r->file) == len) return true;
    if (ferror(r->file)) return adze_fail(r->err, r->path, "cannot read: %s", strerror(errno));
    return adze_fail(r->err, r->path, "the file ends inside the .npy header");
}

// Reads the bytes before the header's text, and sets the length and position of the text.
static bool read_preamble(Reader *r, int64_t *text_len, int64_t *text_offset)
{
    uint8_t start[MAGIC_LEN + 2], len[4] = {0};
    if (r->size < MAGIC_LEN + 2)
        return adze_fail(r->err, r->path, "is not a .npy file: it has %" PRId64 " bytes", r->size);
    if (!read_bytes(r, start, sizeof start)) return false;
    if (memcmp(start, ADZE_NPY_MAGIC, MAGIC_LEN) != 0)
        return adze_fail(r->err, r->path, "is not a .npy file: it does not start with \\x93NUMPY");
    int version = start[MAGIC_LEN];
    if (version < 1 || version > 3)
        return adze_fail(r->err, r->path, ".npy version %d is unknown; 1, 2 and 3 are read",
                         version);
    size_t width = version == 1 ? 2 : 4;
    if (!read_bytes(r, len, width)) return false;
    *text_len =
        (int64_t)len[0] | (int64_t)len[1] << 8 | (int64_t)len[2] << 16 | (int64_t)len[3] << 24;
    *text_offset = (int64_t)(sizeof start + width);
    return true;
}

static bool read_header(Reader *r, AdzeNpyHeader *h, int64_t *data_offset)
{
    int64_t len = 0, offset = 0;
    if (!read_preamble(r, &len, &offset)) return false;
    if (len > r->size - offset)
        return adze_fail(r->err, r->path, "the file ends inside the .npy header");
    if (len > HEADER_LIMIT)
        return adze_fail(r->err, r->path,
                         "the .npy header has %" PRId64 " bytes; at most %d are read", len,
                         HEADER_LIMIT);
    char *text = malloc((size_t)len + 1);
    if (!text) return adze_fail(r->err, r->path, "no memory");
    bool good = read_bytes(r, text, (size_t)len) &&
                adze_npy_header_parse(r->path, text, (size_t)len, h, r->err);
    free(text);
    *data_offset = offset + len;
    return good;
}

// Compares the shape with the number of bytes in the file, before memory is allocated.
static bool check_size(Reader *r, const AdzeNpyHeader *h, int64_t element, int64_t offset)
{
    int64_t have = r->size - offset, want = element;
    bool fits = true, empty = element == 0;
    for (int d = 0; d < h->rank; d++) {
        if (h->shape[d] == 0)
            empty = true;
        else
            fits = fits && !__builtin_mul_overflow(want, h->shape[d], &want);
    }
    if (!fits)
        return adze_fail(r->err, r->path, "the product of the sizes in 'shape' exceeds 63 bits");
    if (empty) want = 0;
    if (have < want)
        return adze_fail(r->err, r->path,
                         "is too short: its elements need %" PRId64 " bytes, it has %" PRId64, want,
                         have);
    if (have > want)
        return adze_fail(r->err, r->path,
                         "has %" PRId64
                         " bytes after the array; save each array to a file of its own",
                         have - want);
    return true;
}

// Copies elements in Fortran order, where the first index varies fastest, to `to` in C order. Only
// the first `rank` dimensions are reordered, and what they index has `size` bytes. The loop runs
// over the rows of `to`: `at` is the index of the row, and `from_row` the position of its first
// element in `from`.
static void from_fortran_order(const AdzeArray *to, int rank, int64_t size, const uint8_t *from)
{
    int last = rank - 1;
    int64_t stride[ADZE_MAX_RANK], at[ADZE_MAX_RANK] = {0};
    int64_t bytes = (int64_t)adze_array_bytes(to), row = to->shape[last] * size, from_row = 0;
    stride[0] = size;
    for (int d = 1; d <= last; d++) stride[d] = stride[d - 1] * to->shape[d - 1];
    for (int64_t done = 0; done < bytes; done += row) {
        adze_copy_strided((uint8_t *)to->data + done, size, from + from_row, stride[last],
                          to->shape[last], (size_t)size);
        for (int d = last - 1; d >= 0; d--) {
            from_row += stride[d];
            if (++at[d] < to->shape[d]) break;
            from_row -= stride[d] * to->shape[d];
            at[d] = 0;
        }
    }
}

static bool to_c_order(const char *path, AdzeArray *array, int rank, AdzeError *err)
{
    AdzeArray ordered;
    int64_t size = (int64_t)adze_type_size(array->type);
    for (int d = rank; d < array->rank; d++) size *= array->shape[d];
    if (!adze_array_alloc_for(path, &ordered, array->type, array->rank, array->shape, err))
        return false;
    from_fortran_order(&ordered, rank, size, array->data);
    adze_array_free(array);
    *array = ordered;
    return true;
}

// Reads a table, and moves the dtype from the header to it.
static bool read_table(Reader *r, AdzeNpyHeader *h, AdzeLayout *y, AdzeTable *out)
{
    int64_t offset = 0;
    if (!read_header(r, h, &offset) || !adze_layout_make(r->path, &h->dtype, y, r->err) ||
        !check_size(r, h, y->size, offset))
        return false;
    out->rank = h->rank;
    memcpy(out->shape, h->shape, sizeof out->shape);
    bool good = adze_elements_read(r->path, r->file, y, out, r->err);
    bool reorder = good && h->fortran && h->rank > 1;
    for (int i = 0; reorder && good && i < y->ncolumns; i++)
        good = adze_array_count(&out->columns[i]) == 0 ||
               to_c_order(r->path, &out->columns[i], h->rank, r->err);
    out->dtype = h->dtype;
    h->dtype = (AdzeDtype){0};
    return good;
}

bool adze_npy_read_stream(const char *path, FILE *file, int64_t size, AdzeTable *out,
                          AdzeError *err)
{
    memset(out, 0, sizeof *out);
    Reader r = {.path = path, .file = file, .size = size, .err = err};
    AdzeNpyHeader h = {0};
    AdzeLayout layout = {0};
    bool good = read_table(&r, &h, &layout, out);
    free(layout.columns);
    adze_dtype_free(&h.dtype);
    if (!good) adze_table_free(out);
    return good;
}

bool adze_npy_read_table(const char *path, AdzeTable *out, AdzeError *err)
{
    memset(out, 0, sizeof *out);
    FILE *file;
    int64_t size;
    if (!adze_input_open(path, &file, &size, err)) return false;
    bool good = adze_npy_read_stream(path, file, size, out, err);
    fclose(file);
    return good;
}

bool adze_npy_read(const char *path, AdzeArray *out, AdzeError *err)
{
    AdzeTable t;
    memset(out, 0, sizeof *out);
    return adze_npy_read_table(path, &t, err) && adze_table_numbers(path, &t, out, err);
}

// --- writing ---------------------------------------------------------------------------------

bool adze_npy_put_table(AdzeOutput *out, const AdzeTable *table, AdzeError *err)
{
    size_t len;
    char *header = adze_npy_header_format(table, &len);
    if (!header) return adze_fail(err, out->path, "no memory");
    bool good = adze_output_write(out, header, len) && adze_elements_put(out, table, err);
    free(header);
    return good;
}

bool adze_npy_put(AdzeOutput *out, const AdzeArray *array, AdzeError *err)
{
    AdzeArray column = *array;
    AdzeTable table = adze_table_of(&column);
    return adze_npy_put_table(out, &table, err);
}

bool adze_npy_write(const char *path, const AdzeArray *array, AdzeError *err)
{
    return adze_output_whole(path, array, adze_npy_put, err);
}
