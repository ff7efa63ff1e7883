// Elements of several numbers: a file stores the numbers of an element side by side, but memory has
// a column for each number.
#include "array_internal.h"

#include <stdlib.h>
#include <string.h>

// --- layouts -----------------------------------------------------------------------------------

static const int64_t most_bytes = INT64_MAX / 2;

static int64_t times(int64_t bytes, int64_t n)
{
    return bytes < 0 || __builtin_mul_overflow(bytes, n, &bytes) || bytes > most_bytes ? -1 : bytes;
}

static int64_t plus(int64_t a, int64_t b)
{
    return a < 0 || b < 0 || a > most_bytes - b ? -1 : a + b;
}

static int64_t size_of_field(const AdzeField *f);

// Returns the number of bytes of an element, or -1 if it exceeds most_bytes.
static int64_t size_of(const AdzeDtype *d)
{
    int64_t size = (int64_t)adze_type_size(d->type);
    switch (d->kind) {
    case ADZE_NUMBER: return size;
    case ADZE_COMPLEX: return 2 * size;
    case ADZE_RECORD: break;
    }
    size = 0;
    for (int i = 0; i < d->nfields; i++)
        size = plus(plus(size, d->fields[i].padding), size_of_field(&d->fields[i]));
    return plus(size, d->padding);
}

static int64_t size_of_field(const AdzeField *f)
{
    int64_t size = size_of(&f->dtype);
    // an array without elements has no bytes, whatever its other dimensions are
    for (int k = 0; k < f->rank; k++)
        if (f->shape[k] == 0) return size < 0 ? -1 : 0;
    for (int k = 0; k < f->rank; k++) size = times(size, f->shape[k]);
    return size;
}

// Adds columns to a layout. `at` describes the enclosing arrays, and is copied to each new column.
typedef struct Builder {
    AdzeLayout *layout;
    AdzeColumn at;
} Builder;

static void add_number(Builder *b, const AdzeDtype *d, int64_t offset)
{
    AdzeColumn *column = &b->layout->columns[b->layout->ncolumns++];
    *column = b->at;
    column->type = d->type;
    column->swapped = d->swapped;
    column->offset = offset;
}

static bool add_element(Builder *b, const AdzeDtype *d, int64_t offset);

static bool add_field(Builder *b, const AdzeField *f, int64_t offset)
{
    int outside = b->at.rank;
    int64_t stride = size_of(&f->dtype);
    if (outside + f->rank > ADZE_MAX_RANK) return false;
    for (int k = f->rank; k-- > 0;) {
        b->at.count[outside + k] = f->shape[k];
        b->at.stride[outside + k] = stride;
        if (f->shape[k] > 0) stride = times(stride, f->shape[k]);
    }
    b->at.rank += f->rank;
    bool good = add_element(b, &f->dtype, offset);
    b->at.rank = outside;
    return good;
}

static bool add_element(Builder *b, const AdzeDtype *d, int64_t offset)
{
    switch (d->kind) {
    case ADZE_NUMBER: add_number(b, d, offset); return true;
    case ADZE_COMPLEX:
        add_number(b, d, offset);
        add_number(b, d, offset + (int64_t)adze_type_size(d->type));
        return true;
    case ADZE_RECORD: break;
    }
    bool good = true;
    for (int i = 0; good && i < d->nfields; i++) {
        offset += d->fields[i].padding;
        good = add_field(b, &d->fields[i], offset);
        offset += size_of_field(&d->fields[i]);
    }
    return good;
}

bool adze_layout_make(const char *path, const AdzeDtype *dtype, AdzeLayout *out, AdzeError *err)
{
    *out = (AdzeLayout){.size = size_of(dtype)};
    if (out->size < 0) return adze_fail(err, path, "an element has more bytes than 62 bits count");
    out->columns = calloc((size_t)adze_dtype_columns(dtype) + 1, sizeof *out->columns);
    if (!out->columns) return adze_fail(err, path, "no memory");
    Builder b = {out, {0}};
    if (add_element(&b, dtype, 0)) return true;
    return adze_fail(err, path, "has more than %d dimensions", ADZE_MAX_RANK);
}

// --- copying -----------------------------------------------------------------------------------

void adze_copy_strided(uint8_t *to, int64_t to_step, const uint8_t *from, int64_t from_step,
                       int64_t count, size_t size)
{
    // constant sizes, so that each copy becomes one move
    switch (size) {
    case 1:
        for (int64_t i = 0; i < count; i++) to[i * to_step] = from[i * from_step];
        break;
    case 2:
        for (int64_t i = 0; i < count; i++) memcpy(to + i * to_step, from + i * from_step, 2);
        break;
    case 4:
        for (int64_t i = 0; i < count; i++) memcpy(to + i * to_step, from + i * from_step, 4);
        break;
    case 8:
        for (int64_t i = 0; i < count; i++) memcpy(to + i * to_step, from + i * from_step, 8);
        break;
    default:
        for (int64_t i = 0; i < count; i++) memcpy(to + i * to_step, from + i * from_step, size);
        break;
    }
}

// The numbers of a column in n elements, as nested dimensions, outermost first. Contiguous
// dimensions are merged.
typedef struct Run {
    bool pack;
    size_t size; // the bytes of a number
    int rank;
    int64_t count[ADZE_MAX_RANK + 1], stride[ADZE_MAX_RANK + 1];
} Run;

static Run run_of(const AdzeLayout *y, const AdzeColumn *c, int64_t n, bool pack)
{
    Run r = {.pack = pack, .size = adze_type_size(c->type), .rank = 1};
    r.count[0] = n;
    r.stride[0] = y->size;
    for (int k = 0; k < c->rank; k++) {
        int last = r.rank - 1;
        bool contiguous = r.stride[last] == c->count[k] * c->stride[k];
        if (contiguous) {
            r.count[last] *= c->count[k];
            r.stride[last] = c->stride[k];
        } else {
            r.count[r.rank] = c->count[k];
            r.stride[r.rank++] = c->stride[k];
        }
    }
    return r;
}

// Copies dimension k of a run. Returns the position in the column after the copied numbers.
static uint8_t *copy_run(const Run *r, int k, uint8_t *file, uint8_t *column)
{
    int64_t size = (int64_t)r->size;
    if (k < r->rank - 1) {
        for (int64_t i = 0; i < r->count[k]; i++)
            column = copy_run(r, k + 1, file + i * r->stride[k], column);
        return column;
    }
    if (r->pack)
        adze_copy_strided(file, r->stride[k], column, size, r->count[k], r->size);
    else
        adze_copy_strided(column, size, file, r->stride[k], r->count[k], r->size);
    return column + r->count[k] * size;
}

static void copy_column(const AdzeLayout *y, const AdzeColumn *c, uint8_t *file, int64_t first,
                        int64_t n, void *column, bool pack)
{
    int64_t numbers = 1;
    for (int k = 0; k < c->rank; k++)
        if (c->count[k] == 0) return;
    for (int k = 0; k < c->rank; k++) numbers *= c->count[k];
    Run r = run_of(y, c, n, pack);
    copy_run(&r, 0, file + c->offset, (uint8_t *)column + first * numbers * (int64_t)r.size);
}

void adze_layout_unpack(const AdzeLayout *layout, uint8_t *bytes, int64_t first, int64_t n,
                        AdzeArray *columns)
{
    for (int i = 0; i < layout->ncolumns; i++)
        copy_column(layout, &layout->columns[i], bytes, first, n, columns[i].data, false);
}

void adze_layout_pack(const AdzeLayout *layout, uint8_t *bytes, int64_t first, int64_t n,
                      const AdzeArray *columns)
{
    for (int i = 0; i < layout->ncolumns; i++)
        copy_column(layout, &layout->columns[i], bytes, first, n, columns[i].data, true);
}
