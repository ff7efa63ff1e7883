// What the compiler has chosen, as inlay hints, and its remarks on slow loops, as diagnostics.
#include "driver/lsp/methods/methods.h"

#include <string.h>

// --- choices ------------------------------------------------------------------------------------

/// The choices in one line.
typedef struct {
    json_int_t line;
    Text label, tooltip;
} LineOfChoices;
typedef VEC(LineOfChoices) Lines;

// Whether a choice is worth showing: views that are read through cost nothing.
static bool is_shown(const char *what, const char *why)
{
    return what && why && strncmp(why, "read through", 12) != 0;
}

static LineOfChoices *line_at(const Analysis *a, Lines *all, json_int_t line)
{
    for (int i = 0; i < all->len; i++)
        if (all->at[i].line == line) return &all->at[i];
    LineOfChoices new = {line, text_new(a->cx->arena), text_new(a->cx->arena)};
    vec_push(a->cx->arena, all, new);
    return &vec_last(all);
}

// Whether the words, separated by commas, have this one.
static bool has(const Text *t, const char *word)
{
    const char *at = text_get(t);
    size_t n = strlen(word);
    for (; (at = strstr(at, word)); at += n) {
        bool begins = at == text_get(t) || at[-1] == ' ';
        if (begins && (at[n] == '\0' || at[n] == ',')) return true;
    }
    return false;
}

static bool is_here(const Analysis *a, const json_t *place, const char *key)
{
    const char *file = json_string_value(json_object_get(place, key));
    return file && strcmp(file, a->cx->sources.at[a->work.file - 1]->path) == 0;
}

static void add_choice(const Analysis *a, Lines *all, const json_t *choice)
{
    const char *what = json_string_value(json_object_get(choice, "what")),
               *why = json_string_value(json_object_get(choice, "why"));
    if (!is_here(a, choice, "file") || !is_shown(what, why)) return;
    LineOfChoices *l = line_at(a, all, json_integer_value(json_object_get(choice, "line")));
    if (has(&l->label, what)) return;
    text_printf(&l->label, "%s%s", l->label.len ? ", " : "", what);
    text_printf(&l->tooltip, "%s%s: %s", l->tooltip.len ? "\n" : "", what, why);
}

static size_t end_of_line(const TextView *v, json_int_t line)
{
    size_t at = line >= 1 && line <= v->nlines ? v->lines[line - 1] : v->len;
    while (at < v->len && v->text[at] != '\n' && v->text[at] != '\r') at++;
    return at;
}

void choices_hints(const Analysis *a, size_t lo, size_t hi, json_t *list)
{
    Lines all = {0};
    size_t i, k;
    const json_t *entry, *choice;
    TextView v = analysis_view(a, a->work.file);
    json_array_foreach(a->explained, i, entry)
        json_array_foreach(json_object_get(entry, "choices"), k, choice)
            add_choice(a, &all, choice);
    for (int n = 0; n < all.len; n++) {
        size_t at = end_of_line(&v, all.at[n].line);
        if (at < lo || at > hi) continue;
        json_array_append_new(list,
                              json_pack("{s:o, s:o, s:o, s:b}", "position", position_json(&v, at),
                                        "label", json_text(text_get(&all.at[n].label)), "tooltip",
                                        json_text(text_get(&all.at[n].tooltip)), "paddingLeft", 1));
    }
}

// --- remarks ------------------------------------------------------------------------------------

// The offset of a line and a column, which count from 1 and count characters.
static size_t offset_of(const TextView *v, const json_t *place, const char *line,
                        const char *column)
{
    json_int_t n = json_integer_value(json_object_get(place, line)),
               k = json_integer_value(json_object_get(place, column));
    if (n < 1 || n > v->nlines) return 0;
    size_t at = v->lines[n - 1];
    for (; k > 1 && at < v->len && v->text[at] != '\n'; at++)
        if (at + 1 >= v->len || ((unsigned char)v->text[at + 1] & 0xc0) != 0x80) k--;
    return at;
}

void choices_remarks(const Analysis *a, json_t *list)
{
    enum { HINT = 4 };
    size_t i, k;
    const json_t *entry, *one;
    TextView v = analysis_view(a, a->work.file);
    json_array_foreach(a->explained, i, entry)
        json_array_foreach(json_object_get(entry, "loops"), k, one)
    {
        const json_t *loop = json_object_get(one, "loop");
        const char *remark = json_string_value(json_object_get(one, "remark"));
        if (!remark || !is_here(a, loop, "file")) continue;
        size_t lo = offset_of(&v, loop, "line", "column"),
               hi = offset_of(&v, loop, "end_line", "end_column");
        json_array_append_new(list, json_pack("{s:o, s:i, s:s, s:s}", "range",
                                              range_json(&v, lo, hi < lo ? lo : hi), "severity",
                                              HINT, "source", "adze", "message", remark));
    }
}
