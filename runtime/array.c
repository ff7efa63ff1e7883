// Array values: element types, allocation, and types and errors as text.
#include "array_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static const struct {
    const char *name;
    size_t size;
} types[ADZE_TYPE_COUNT] = {
#define X(id, name, size, descr) [ADZE_##id] = {name, size},
    ADZE_TYPES(X)
#undef X
};

const char *adze_type_name(AdzeType type)
{
    return types[type].name;
}

size_t adze_type_size(AdzeType type)
{
    return types[type].size;
}

bool adze_type_find(const char *name, AdzeType *out)
{
    for (int t = 0; t < ADZE_TYPE_COUNT; t++) {
        if (strcmp(types[t].name, name) == 0) {
            *out = (AdzeType)t;
            return true;
        }
    }
    return false;
}

bool adze_host_is_little(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 1;
}

bool adze_fail(AdzeError *err, const char *path, const char *format, ...)
{
    enum { LONGEST_PATH = 160 };
    if (!err) return false;
    int len = 0;
    if (path) {
        size_t path_len = strlen(path);
        bool cut = path_len > LONGEST_PATH;
        const char *tail = cut ? path + path_len - LONGEST_PATH : path;
        len = snprintf(err->text, sizeof err->text, "%s%s: ", cut ? "..." : "", tail);
    }
    va_list args;
    va_start(args, format);
    vsnprintf(err->text + len, sizeof err->text - (size_t)len, format, args);
    va_end(args);
    return false;
}

// Computes the number of bytes of an array of this type and shape. Returns false if it, or the
// product of the sizes other than 0 (which index arithmetic may form), exceeds what a pointer
// difference can hold.
static bool measure(AdzeType type, int rank, const int64_t *shape, size_t *bytes)
{
    size_t product = types[type].size;
    bool empty = false;
    for (int d = 0; d < rank; d++) {
        if (shape[d] == 0) {
            empty = true;
        } else if (__builtin_mul_overflow(product, (size_t)shape[d], &product) ||
                   product > PTRDIFF_MAX - ALIGNMENT) {
            return false;
        }
    }
    *bytes = empty ? 0 : product;
    return true;
}

bool adze_array_alloc_for(const char *path, AdzeArray *out, AdzeType type, int rank,
                          const int64_t *shape, AdzeError *err)
{
    memset(out, 0, sizeof *out);
    if ((unsigned)type >= ADZE_TYPE_COUNT)
        return adze_fail(err, path, "unknown element type number %d", (int)type);
    if (rank < 0 || rank > ADZE_MAX_RANK)
        return adze_fail(err, path, "rank %d is outside 0..%d", rank, ADZE_MAX_RANK);

    AdzeArray array = {.type = type, .rank = rank};
    for (int d = 0; d < rank; d++) array.shape[d] = shape[d];
    for (int d = 0; d < rank; d++)
        if (shape[d] < 0)
            return adze_fail(err, path, "size %" PRId64 " of dimension %d is negative", shape[d],
                             d);

    char text[ADZE_TYPE_TEXT_SIZE];
    adze_array_type_text(&array, text, sizeof text);
    size_t bytes;
    if (!measure(type, rank, shape, &bytes))
        return adze_fail(err, path, "an array of type %.200s is too large to address", text);
    size_t whole = bytes ? (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
    array.data = aligned_alloc(ALIGNMENT, whole);
    if (!array.data)
        return adze_fail(err, path, "no memory for an array of type %.200s (%zu bytes)", text,
                         bytes);
    memset(array.data, 0, whole);
    *out = array;
    return true;
}

bool adze_array_alloc(AdzeArray *out, AdzeType type, int rank, const int64_t *shape, AdzeError *err)
{
    return adze_array_alloc_for(NULL, out, type, rank, shape, err);
}

void adze_array_free(AdzeArray *array)
{
    if (!array) return;
    free(array->data);
    memset(array, 0, sizeof *array);
}

int64_t adze_array_count(const AdzeArray *array)
{
    int64_t count = 1;
    for (int d = 0; d < array->rank; d++)
        if (array->shape[d] == 0) return 0;
    for (int d = 0; d < array->rank; d++) count *= array->shape[d];
    return count;
}

size_t adze_array_bytes(const AdzeArray *array)
{
    return (size_t)adze_array_count(array) * types[array->type].size;
}

void adze_array_type_text(const AdzeArray *array, char *text, size_t size)
{
    size_t len = 0;
    if (size > 0) text[0] = '\0';
    for (int d = 0; d < array->rank && len < size; d++)
        len += (size_t)snprintf(text + len, size - len, "[%" PRId64 "]", array->shape[d]);
    if (len < size) snprintf(text + len, size - len, "%s", types[array->type].name);
}
