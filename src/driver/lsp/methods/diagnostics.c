// Diagnostics: errors, warnings, and remarks as hints.
#include "driver/lsp/methods/methods.h"

#include <string.h>

enum { SEVERITY_ERROR = 1, SEVERITY_WARNING = 2, SEVERITY_HINT = 4 };

static int severity(const Diag *d)
{
    bool remark = d->code == E0510 || d->code == E0511;
    return !d->warning ? SEVERITY_ERROR : remark ? SEVERITY_HINT : SEVERITY_WARNING;
}

// Where the file shows a diagnostic: an error in an imported file is shown at the import.
static Span place(const Analysis *a, const Diag *d)
{
    Span at = d->span;
    if (at.file == a->work.file) return at;
    for (int i = 0; at.file && i < a->uses.names.len; i++)
        if (a->uses.names.at[i].definition.file == at.file && !a->uses.names.at[i].definition.hi)
            return a->uses.names.at[i].at;
    return (Span){a->work.file, 0, 0};
}

// The message with its notes and hints. Notes about other places are related information.
static const char *message(const Analysis *a, const Diag *d)
{
    Text t = text_new(a->cx->arena);
    text_put(&t, d->text);
    for (int i = 0; i < d->notes.len; i++)
        if (!d->notes.at[i].span.file)
            text_printf(&t, "\n%s: %s", d->notes.at[i].help ? "help" : "note", d->notes.at[i].text);
    return text_get(&t);
}

static void add_related(const Analysis *a, json_t *list, Span span, const char *text)
{
    json_t *at = analysis_location(a, span);
    if (!at) return;
    json_array_append_new(list,
                          json_pack("{s:o, s:o}", "location", at, "message", json_text(text)));
}

json_t *diagnostics_one(const Analysis *a, const Diag *d)
{
    json_t *related = json_array();
    if (d->span.file && d->span.file != a->work.file) add_related(a, related, d->span, d->text);
    for (int i = 0; i < d->notes.len; i++)
        if (d->notes.at[i].span.file)
            add_related(a, related, d->notes.at[i].span, d->notes.at[i].text);
    json_t *one = json_pack("{s:o, s:i, s:s, s:s, s:o}", "range", analysis_range(a, place(a, d)),
                            "severity", severity(d), "code", diag_name(d->code), "source", "adze",
                            "message", json_text(message(a, d)));
    if (json_array_size(related)) json_object_set(one, "relatedInformation", related);
    json_decref(related);
    return one;
}

json_t *diagnostics_json(const Analysis *a)
{
    json_t *list = json_array();
    for (int i = 0; i < a->cx->diags.len; i++)
        json_array_append_new(list, diagnostics_one(a, a->cx->diags.at[i]));
    choices_remarks(a, list);
    return list;
}

void diagnostics_publish(Server *s, const Document *d, const Analysis *a)
{
    json_t *params = json_pack("{s:s, s:I, s:o}", "uri", d->uri, "version", (json_int_t)d->version,
                               "diagnostics", a ? diagnostics_json(a) : json_array());
    wire_notify(s->wire, "textDocument/publishDiagnostics", params);
}
