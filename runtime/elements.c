// The elements of a table as bytes: those of a .npy file after its header, and those of a file of
// records, which has nothing else.
#include "array_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20 };

// The number of elements of a table.
static int64_t count_of(int rank, const int64_t *shape)
{
    AdzeArray elements = {.rank = rank};
    memcpy(elements.shape, shape, (size_t)rank * sizeof *shape);
    return adze_array_count(&elements);
}

// The number of elements that are read or written at a time.
static int64_t chunk_of(const AdzeLayout *y, int64_t count)
{
    int64_t most = y->size < CHUNK ? CHUNK / y->size : 1;
    return most < count ? most : count;
}

// --- reading -----------------------------------------------------------------------------------

static void swap_bytes(void *data, int64_t count, size_t size)
{
    uint8_t *p = data;
    for (int64_t i = 0; i < count; i++, p += size) {
        for (size_t lo = 0, hi = size - 1; lo < hi; lo++, hi--) {
            uint8_t byte = p[lo];
            p[lo] = p[hi];
            p[hi] = byte;
        }
    }
}

// Allocates the columns of the table.
static bool alloc_columns(const char *path, const AdzeLayout *y, AdzeTable *t, AdzeError *err)
{
    t->columns = calloc((size_t)y->ncolumns + 1, sizeof *t->columns);
    if (!t->columns) return adze_fail(err, path, "no memory");
    for (; t->ncolumns < y->ncolumns; t->ncolumns++) {
        const AdzeColumn *c = &y->columns[t->ncolumns];
        int64_t shape[2 * ADZE_MAX_RANK];
        memcpy(shape, t->shape, (size_t)t->rank * sizeof *shape);
        memcpy(shape + t->rank, c->count, (size_t)c->rank * sizeof *shape);
        if (t->rank + c->rank > ADZE_MAX_RANK)
            return adze_fail(err, path, "has more than %d dimensions", ADZE_MAX_RANK);
        if (!adze_array_alloc_for(path, &t->columns[t->ncolumns], c->type, t->rank + c->rank, shape,
                                  err))
            return false;
    }
    return true;
}

static bool read_records(const char *path, FILE *file, const AdzeLayout *y, AdzeTable *t,
                         AdzeError *err)
{
    int64_t count = count_of(t->rank, t->shape), most = chunk_of(y, count);
    uint8_t *chunk = malloc((size_t)(most * y->size) + 1);
    if (!chunk) return adze_fail(err, path, "no memory");
    bool good = true;
    for (int64_t done = 0, n; good && done < count; done += n) {
        n = count - done < most ? count - done : most;
        good = adze_input_read(file, path, chunk, (size_t)(n * y->size), err);
        if (good) adze_layout_unpack(y, chunk, done, n, t->columns);
    }
    free(chunk);
    return good;
}

static bool read_columns(const char *path, FILE *file, const AdzeLayout *y, AdzeTable *t,
                         AdzeError *err)
{
    if (y->ncolumns == 1 && y->size == (int64_t)adze_type_size(y->columns->type))
        return adze_input_read(file, path, t->columns->data, adze_array_bytes(t->columns), err);
    return y->size == 0 || read_records(path, file, y, t, err);
}

// Converts a column from the file's representation to that in memory.
static void finish_column(bool swapped, AdzeArray *column)
{
    int64_t count = adze_array_count(column);
    if (swapped) swap_bytes(column->data, count, adze_type_size(column->type));
    if (column->type != ADZE_BOOL) return;
    // any other value of a C bool would be undefined behaviour
    uint8_t *p = column->data;
    for (int64_t i = 0; i < count; i++) p[i] = p[i] != 0;
}

bool adze_elements_read(const char *path, FILE *file, const AdzeLayout *layout, AdzeTable *table,
                        AdzeError *err)
{
    bool good =
        alloc_columns(path, layout, table, err) && read_columns(path, file, layout, table, err);
    for (int i = 0; good && i < layout->ncolumns; i++)
        finish_column(layout->columns[i].swapped, &table->columns[i]);
    return good;
}

// --- writing -----------------------------------------------------------------------------------

static bool put_records(AdzeOutput *out, const AdzeTable *table, const AdzeLayout *y,
                        AdzeError *err)
{
    int64_t count = count_of(table->rank, table->shape), most = chunk_of(y, count);
    // padding is zero
    uint8_t *chunk = calloc((size_t)(most * y->size) + 1, 1);
    if (!chunk) return adze_fail(err, out->path, "no memory");
    bool good = true;
    for (int64_t done = 0, n; good && done < count; done += n) {
        n = count - done < most ? count - done : most;
        adze_layout_pack(y, chunk, done, n, table->columns);
        good = adze_output_write(out, chunk, (size_t)(n * y->size));
    }
    free(chunk);
    return good;
}

bool adze_elements_put(AdzeOutput *out, const AdzeTable *table, AdzeError *err)
{
    AdzeLayout layout;
    if (table->dtype.kind == ADZE_NUMBER)
        return adze_output_write(out, table->columns->data, adze_array_bytes(table->columns));
    bool good = adze_layout_make(out->path, &table->dtype, &layout, err) &&
                (layout.size == 0 || put_records(out, table, &layout, err));
    free(layout.columns);
    return good;
}

// --- files of records --------------------------------------------------------------------------

// Sets *bytes to the size of an array of elements.
static bool bytes_of(const char *path, int64_t element, int rank, const int64_t *shape,
                     int64_t *bytes, AdzeError *err)
{
    *bytes = element;
    for (int k = 0; k < rank; k++)
        if (__builtin_mul_overflow(*bytes, shape[k], bytes))
            return adze_fail(err, path, "a record has more bytes than 63 bits count");
    return true;
}

static bool not_whole(const char *path, int64_t size, int64_t record, AdzeError *err)
{
    int64_t rest = size % record;
    return adze_fail(err, path,
                     "has %" PRId64 " bytes, which is no multiple of the %" PRId64
                     " bytes of a record: %" PRId64 " %s left over",
                     size, record, rest, rest == 1 ? "byte is" : "bytes are");
}

bool adze_records_count(const char *path, const AdzeDtype *dtype, int rank, const int64_t *shape,
                        int64_t *out, AdzeError *err)
{
    AdzeLayout layout;
    FILE *file;
    int64_t size, record = 0;
    *out = 0;
    bool good = adze_layout_make(path, dtype, &layout, err) &&
                bytes_of(path, layout.size, rank, shape, &record, err);
    free(layout.columns);
    if (!good || !adze_input_open(path, &file, &size, err)) return false;
    fclose(file);
    if (record <= 0) return adze_fail(err, path, "records without bytes cannot be counted");
    *out = size / record;
    return size % record == 0 || not_whole(path, size, record, err);
}

bool adze_records_read(const char *path, const AdzeDtype *dtype, int rank, const int64_t *shape,
                       AdzeArray *columns, AdzeError *err)
{
    AdzeLayout layout;
    AdzeTable table = {.rank = rank};
    FILE *file = NULL;
    int64_t size, bytes;
    memcpy(table.shape, shape, (size_t)rank * sizeof *shape);
    bool good = adze_layout_make(path, dtype, &layout, err) &&
                bytes_of(path, layout.size, rank, shape, &bytes, err) &&
                adze_input_open(path, &file, &size, err);
    if (good && size != bytes)
        good =
            adze_fail(err, path, "has %" PRId64 " bytes; the records have %" PRId64, size, bytes);
    good = good && adze_elements_read(path, file, &layout, &table, err);
    if (good) memcpy(columns, table.columns, (size_t)table.ncolumns * sizeof *columns);
    if (good) table.ncolumns = 0; // the caller has them
    if (file) fclose(file);
    free(layout.columns);
    adze_table_free(&table);
    return good;
}
