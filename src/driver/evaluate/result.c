// Prints values.
#include "driver/evaluate/evaluate.h"

#include <stdlib.h>

// Without --limit, results of up to SHOWN elements are printed in full. Larger results are cut to
// SHOWN_OF_EACH elements in each dimension, or to fewer if that would still exceed SHOWN_IN_ALL
// elements in total. An array without elements may have at most MOST_EMPTY_ROWS rows.
enum { SHOWN = 1000, SHOWN_OF_EACH = 8, SHOWN_IN_ALL = 1 << 14, MOST_EMPTY_ROWS = 1 << 20 };

int64_t result_parts(const AdzeArray *a, int64_t limit)
{
    int64_t parts = 1;
    for (int d = 0; d < a->rank && a->shape[d] > 0; d++)
        if (__builtin_mul_overflow(parts, a->shape[d] < limit ? a->shape[d] : limit, &parts))
            return INT64_MAX;
    return parts;
}

bool result_has_value(Session *cx, const AdzeArray *a)
{
    if (adze_array_count(a) > 0 || result_parts(a, INT64_MAX) <= MOST_EMPTY_ROWS) return true;
    diag_error(cx, E0606, NO_SPAN, "%s has no elements, but too many rows", array_text(cx, a));
    return false;
}

static int64_t parts_of_all(const AdzeArray *leaves, int n, int64_t limit)
{
    int64_t total = 0;
    for (int i = 0; i < n; i++)
        if (__builtin_add_overflow(total, result_parts(&leaves[i], limit), &total))
            return INT64_MAX;
    return total;
}

static int64_t shown_elements(const Driver *d, const AdzeArray *leaves, int n)
{
    const char *text = option_value(&d->options, OPT_LIMIT);
    if (text) {
        long long limit = strtoll(text, NULL, 10);
        return limit == 0 || limit > INT32_MAX ? INT32_MAX : limit;
    }
    if (parts_of_all(leaves, n, INT64_MAX) <= SHOWN) return INT32_MAX;
    int64_t limit = SHOWN_OF_EACH;
    while (limit > 1 && parts_of_all(leaves, n, limit) > SHOWN_IN_ALL) limit--;
    return limit;
}

// Prints the bytes unchanged, and adds a final newline if they do not end with one.
static void print_text(Session *cx, const AdzeArray *bytes)
{
    Text out = text_new(cx->arena);
    const char *at = bytes->data;
    int64_t n = adze_array_count(bytes);
    for (int64_t i = 0; i < n; i++) text_char(&out, at[i]);
    if (n == 0 || at[n - 1] != '\n') text_char(&out, '\n');
    out_text(&out);
}

bool result_print(Driver *d, Node *type, const AdzeArray *leaves, int n)
{
    Session *cx = d->cx;
    if (d->json) {
        for (int i = 0; i < n; i++)
            if (!result_has_value(cx, &leaves[i])) return false;
        Value v = leaves_unpack(cx->arena, type, leaves, -1);
        json_put(d->json, "type", json_string(type_show(cx, type)));
        json_put(d->json, "value", json_value(&v, type));
        return true;
    }
    if (option_given(&d->options, OPT_TEXT)) {
        print_text(cx, &leaves[n - 1]); // the first of the two leaves of a [?n]u8 is its length
        return true;
    }
    int64_t limit = shown_elements(d, leaves, n);
    Value v = leaves_unpack(cx->arena, type, leaves, limit);
    Text out = text_new(cx->arena);
    value_print(cx, &out, &v, type, (int)limit);
    text_char(&out, '\n');
    out_text(&out);
    return true;
}
