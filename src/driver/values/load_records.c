// Files of records: the bytes of an array of structs, as C programs have it in memory. The type
// that the expression needs says what the records are, and the size of the file how many there are.
#include "driver/values/load.h"

#include <string.h>

bool load_is_records(const char *path, Node *wanted)
{
    LoadContents c = load_contents(path);
    if ((c != HOLDS_BYTES && c != HOLDS_RECORDS) || !wanted || load_is_bytes(wanted)) return false;
    Node *element = type_strip_arrays(wanted, NULL, 0, &(int){0});
    if (element->kind == TYPE_STRUCT) return !type_is_enum(element) && !type_is_up_to(element);
    return c == HOLDS_RECORDS && element->kind == TYPE_SCALAR;
}

static Node *does_not_fit(Session *cx, const char *path, Node *wanted, Span span, const char *hint)
{
    Diag *d = diag_error(cx, E0712, span, "%s cannot be loaded as %s", path, type_show(cx, wanted));
    diag_help(cx, d, "%s", hint);
    return NULL;
}

// Counts the records of a file. `shape` is the shape of one of them.
static bool count_records(Session *cx, const char *path, Node *element, int rank,
                          const int64_t *shape, Span span, int64_t *count)
{
    AdzeDtype dtype;
    AdzeError error;
    const char *why;
    int64_t size = 0;
    if (!file_readable(cx, path, span)) return false;
    if (!record_dtype(cx, element, &dtype, &why)) return does_not_fit(cx, path, element, span, why);
    if (adze_records_count(path, &dtype, rank, shape, count, &error)) return true;
    Diag *d = diag_error(cx, E0711, span, "%s", error.text);
    if (type_c_size(cx, element, &size))
        diag_help(cx, d, "a %s has %lld bytes%s", type_show(cx, element), (long long)size,
                  element->kind == TYPE_STRUCT ? " in C's layout, padding included" : "");
    return false;
}

Node *load_records_type(Session *cx, const char *path, Node *wanted, Span span)
{
    Node *dims[ADZE_MAX_RANK];
    int rank;
    int64_t shape[ADZE_MAX_RANK], count;
    Node *element = type_strip_arrays(wanted, dims, ADZE_MAX_RANK, &rank);
    if (element->kind == TYPE_STRUCT && !type_is_c_struct(cx, element))
        return does_not_fit(cx, path, wanted, span,
                            arena_printf(cx->arena,
                                         "records in a file without a header have C's layout: "
                                         "write #[c_layout] before struct %s",
                                         element->attr.sym->text));
    if (rank > ADZE_MAX_RANK)
        return does_not_fit(cx, path, wanted, span, "arrays in files have at most 32 dimensions");
    for (int k = 1; k < rank; k++)
        if (!nat_is_const(dims[k], &shape[k]))
            return does_not_fit(cx, path, wanted, span,
                                "the size of a file determines the first size of an array; the "
                                "others must be constants");
    int inner = rank > 1 ? rank - 1 : 0;
    if (!count_records(cx, path, element, inner, shape + 1, span, &count)) return NULL;
    if (rank == 0 && count != 1)
        return does_not_fit(cx, path, wanted, span,
                            arena_printf(cx->arena, "it holds %lld of them", (long long)count));
    for (int k = rank; k-- > 0;)
        element = type_array(cx, nat_const(cx, k ? shape[k] : count), element);
    return element;
}

const AdzeArray *load_records(Session *cx, Loads *l, const char *path, Node *type)
{
    Node *dims[ADZE_MAX_RANK];
    int rank, n = type_leaves(type);
    int64_t shape[ADZE_MAX_RANK];
    AdzeDtype dtype;
    AdzeError error;
    const char *why;
    AdzeArray *leaves = ARENA_ARRAY(l->arena, AdzeArray, n + 1);
    Node *element = type_strip_arrays(type, dims, ADZE_MAX_RANK, &rank);
    for (int k = 0; k < rank; k++) nat_is_const(dims[k], &shape[k]);
    CHECK(cx, record_dtype(cx, element, &dtype, &why), "%s has no layout", type_show(cx, element));
    double start = timing_now();
    Progress *p = load_progress(path);
    bool good = adze_records_read(path, &dtype, rank, shape, leaves, &error);
    progress_stop(p);
    l->seconds += timing_now() - start;
    for (int k = 0; good && k < n; k++) vec_push(l->arena, &l->converted, leaves[k]);
    if (!good) diag_error(cx, E0711, NO_SPAN, "%s", error.text);
    return good ? leaves : NULL;
}
