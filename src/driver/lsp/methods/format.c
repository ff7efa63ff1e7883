// Formatting, by the formatter of `adze fmt`.
#include "driver/lsp/methods/methods.h"

#include <string.h>

// One edit of the lines that differ, so that the editor keeps its place in the others.
static json_t *edit_of(const Analysis *a, const Text *out)
{
    TextView v = analysis_view(a, a->work.file);
    const char *new = text_get(out);
    size_t lo = 0, end = v.len, new_end = out->len;
    while (lo < end && lo < new_end && v.text[lo] == new[lo]) lo++;
    while (lo > 0 && v.text[lo - 1] != '\n') lo--;
    while (end > lo && new_end > lo && v.text[end - 1] == new[new_end - 1]) end--, new_end--;
    while (end < v.len && v.text[end] != '\n') end++, new_end++;
    return json_pack("{s:o, s:o}", "range", range_json(&v, lo, end), "newText",
                     json_stringn(new + lo, new_end - lo));
}

json_t *method_format(Server *s, const json_t *params, Failure *failure)
{
    Document *d = server_document(s, params, failure);
    Analysis *a = d ? analysis_of(s, d) : NULL;
    if (!a) return NULL;
    if (a->has_syntax_errors || !a->work.module)
        return server_fail(failure, RPC_FAILED, "a file with syntax errors cannot be formatted");
    Text out = text_new(a->cx->arena);
    format_module(a->cx, &out, a->work.module);
    bool same = out.len == d->len && memcmp(text_get(&out), d->text, d->len) == 0;
    json_t *edits = json_array();
    if (!same) json_array_append_new(edits, edit_of(a, &out));
    return edits;
}
