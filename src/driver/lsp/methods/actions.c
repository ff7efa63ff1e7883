// Code actions: the edits that diagnostics propose, and the explanations of their codes.
#include "driver/lsp/methods/methods.h"

#include <string.h>

static json_t *workspace_edit(const Analysis *a, const Document *d, const DiagNote *n)
{
    json_t *edit =
        json_pack("{s:o, s:s}", "range", analysis_range(a, n->fix), "newText", n->replacement);
    json_t *edits = json_pack("[o]", edit), *changes = json_object();
    json_object_set_new(changes, d->uri, edits);
    return json_pack("{s:o}", "changes", changes);
}

static void add_fixes(const Analysis *a, const Document *d, const Diag *x, json_t *list)
{
    bool first = true;
    for (int i = 0; i < x->notes.len; i++) {
        const DiagNote *n = &x->notes.at[i];
        if (!n->replacement || n->fix.file != a->work.file) continue;
        const char *title =
            *n->replacement ? arena_printf(a->cx->arena, "write `%s`", n->replacement)
                            : arena_printf(a->cx->arena, "remove `%s`", source_text(a->cx, n->fix));
        for (char *c = (char *)(uintptr_t)title; *c; c++)
            if (*c == '\n') *c = ' ';
        json_array_append_new(list,
                              json_pack("{s:o, s:s, s:[o], s:b, s:o}", "title", json_text(title),
                                        "kind", "quickfix", "diagnostics", diagnostics_one(a, x),
                                        "isPreferred", first, "edit", workspace_edit(a, d, n)));
        first = false;
    }
}

static void add_explanation(const Analysis *a, const Diag *x, json_t *list)
{
    const char *code = diag_name(x->code);
    const char *title = arena_printf(a->cx->arena, "explain %s", code);
    json_array_append_new(list,
                          json_pack("{s:s, s:[o], s:{s:s, s:s, s:[{s:s}]}}", "title", title,
                                    "diagnostics", diagnostics_one(a, x), "command", "title", title,
                                    "command", "adze.explainCode", "arguments", "code", code));
}

json_t *method_actions(Server *s, const json_t *params, Failure *failure)
{
    Document *d = server_document(s, params, failure);
    Analysis *a = d ? analysis_of(s, d) : NULL;
    size_t lo, hi;
    if (!a) return NULL;
    TextView v = analysis_view(a, a->work.file);
    const json_t *range = json_object_get(params, "range");
    if (!position_read(&v, json_object_get(range, "start"), &lo) ||
        !position_read(&v, json_object_get(range, "end"), &hi))
        return server_fail(failure, RPC_INVALID_PARAMS, "range has a start and an end");
    json_t *list = json_array();
    for (int i = 0; i < a->cx->diags.len; i++) {
        const Diag *x = a->cx->diags.at[i];
        if (x->span.file != a->work.file || x->span.lo > hi || x->span.hi < lo) continue;
        add_fixes(a, d, x, list);
        add_explanation(a, x, list);
    }
    return list;
}
