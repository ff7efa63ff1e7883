// Tables: freeing them, and writing their types as text.
#include "array_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int adze_dtype_columns(const AdzeDtype *dtype)
{
    switch (dtype->kind) {
    case ADZE_NUMBER: return 1;
    case ADZE_COMPLEX: return 2;
    case ADZE_RECORD: break;
    }
    int n = 0;
    for (int i = 0; i < dtype->nfields; i++) n += adze_dtype_columns(&dtype->fields[i].dtype);
    return n;
}

void adze_dtype_free(AdzeDtype *dtype)
{
    for (int i = 0; i < dtype->nfields; i++) {
        free(dtype->fields[i].name);
        adze_dtype_free(&dtype->fields[i].dtype);
    }
    free(dtype->fields);
    *dtype = (AdzeDtype){0};
}

void adze_table_free(AdzeTable *table)
{
    if (!table) return;
    for (int i = 0; i < table->ncolumns; i++) adze_array_free(&table->columns[i]);
    free(table->columns);
    adze_dtype_free(&table->dtype);
    memset(table, 0, sizeof *table);
}

bool adze_table_numbers(const char *path, AdzeTable *table, AdzeArray *out, AdzeError *err)
{
    char text[128];
    bool good = table->dtype.kind == ADZE_NUMBER;
    if (good) {
        *out = table->columns[0];
        table->ncolumns = 0;
    } else {
        adze_dtype_text(&table->dtype, text, sizeof text);
        adze_fail(err, path, "holds %s, which is no array of numbers; save one field at a time",
                  text);
    }
    adze_table_free(table);
    return good;
}

AdzeTable adze_table_of(AdzeArray *array)
{
    AdzeTable t = {.dtype = {.kind = ADZE_NUMBER, .type = array->type},
                   .rank = array->rank,
                   .ncolumns = 1,
                   .columns = array};
    memcpy(t.shape, array->shape, sizeof t.shape);
    return t;
}

// --- texts -------------------------------------------------------------------------------------

// A text that is truncated to the size of its buffer.
typedef struct Line {
    char *at;
    size_t len, size;
} Line;

static void add(Line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(Line *line, const char *format, ...)
{
    if (line->len >= line->size) return;
    va_list args;
    va_start(args, format);
    line->len += (size_t)vsnprintf(line->at + line->len, line->size - line->len, format, args);
    va_end(args);
}

static void add_shape(Line *line, int rank, const int64_t *shape)
{
    for (int d = 0; d < rank; d++) add(line, "[%" PRId64 "]", shape[d]);
}

static void add_dtype(Line *line, const AdzeDtype *d)
{
    switch (d->kind) {
    case ADZE_NUMBER: add(line, "%s", adze_type_name(d->type)); return;
    case ADZE_COMPLEX: add(line, "complex%zu", 16 * adze_type_size(d->type)); return;
    case ADZE_RECORD: break;
    }
    add(line, "{");
    for (int i = 0; i < d->nfields && line->len < line->size; i++) {
        const AdzeField *f = &d->fields[i];
        add(line, "%s%s: ", i ? ", " : "", f->name);
        add_shape(line, f->rank, f->shape);
        add_dtype(line, &f->dtype);
    }
    add(line, "}");
}

void adze_dtype_text(const AdzeDtype *dtype, char *text, size_t size)
{
    Line line = {text, 0, size};
    add(&line, "%s", "");
    add_dtype(&line, dtype);
}

void adze_table_type_text(const AdzeTable *table, char *text, size_t size)
{
    Line line = {text, 0, size};
    add(&line, "%s", "");
    add_shape(&line, table->rank, table->shape);
    add_dtype(&line, &table->dtype);
}
