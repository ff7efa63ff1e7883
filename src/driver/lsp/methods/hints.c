// Inlay hints: types and sizes that are inferred.
#include "driver/lsp/methods/methods.h"

#include <string.h>

enum { KIND_TYPE = 1, LONGEST_TYPE = 60 };

typedef struct {
    const Analysis *a;
    TextView view;
    size_t lo, hi; // the range that the client shows
    json_t *list;
} Hints;

static void add_hint(Hints *h, size_t at, const char *label, int kind, const char *tooltip)
{
    if (at < h->lo || at > h->hi) return;
    json_t *one =
        json_pack("{s:o, s:o}", "position", position_json(&h->view, at), "label", json_text(label));
    if (kind) json_object_set_new(one, "kind", json_integer(kind));
    if (!kind) json_object_set_new(one, "paddingLeft", json_true());
    if (tooltip) json_object_set_new(one, "tooltip", json_text(tooltip));
    json_array_append_new(h->list, one);
}

// The inferred type of a name without a written one.
static void add_type(Hints *h, const Decl *d)
{
    const Analysis *a = h->a;
    if (d->kind != DECL_LOCAL || d->type) return;
    const char *type = names_type_of(a, d);
    if (!type) return;
    const char *label = arena_printf(a->cx->arena, ": %s", type);
    bool long_one = strlen(label) > LONGEST_TYPE;
    if (long_one) {
        int n = LONGEST_TYPE;
        while (n > 0 && ((unsigned char)label[n] & 0xc0) == 0x80) n--;
        label = arena_printf(a->cx->arena, "%.*s…", n, label);
    }
    add_hint(h, d->at.hi, label, KIND_TYPE, long_one ? type : NULL);
}

json_t *method_hints(Server *s, const json_t *params, Failure *failure)
{
    Document *d = server_document(s, params, failure);
    Analysis *a = d ? analysis_of(s, d) : NULL;
    if (!a) return NULL;
    Hints h = {.a = a, .view = analysis_view(a, a->work.file)};
    const json_t *range = json_object_get(params, "range");
    if (!position_read(&h.view, json_object_get(range, "start"), &h.lo) ||
        !position_read(&h.view, json_object_get(range, "end"), &h.hi))
        return server_fail(failure, RPC_INVALID_PARAMS, "range has a start and an end");
    h.list = json_array();
    for (int i = 0; i < a->decls.len; i++) add_type(&h, &a->decls.at[i]);
    choices_hints(a, h.lo, h.hi, h.list);
    return h.list;
}
