// The types that inference found, at the places of the source where a reader looks for them.
#include "driver/page/page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t at, from; // where the text stands, and where its term begins
    const char *text;
} Inlay;

typedef struct {
    const Work *w;
    const Source *source;
    Map seen;
    VEC(Inlay) all;
} Inlays;

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Adds the type of a parameter of a lambda at its name, unless the program states it.
static void add_parameter(Inlays *l, Node *e, const char *name, Node *type, uint32_t bar)
{
    const char *text = l->source->text;
    size_t n = strlen(name);
    for (uint32_t i = bar + 1; i + n < e->origin.hi && text[i] != '|'; i++) {
        if (is_name_char(text[i - 1]) || strncmp(text + i, name, n) != 0) continue;
        if (is_name_char(text[i + n]) || text[i + n] == ':') continue;
        Inlay one = {(uint32_t)(i + n), e->origin.lo,
                     arena_printf(l->w->cx->arena, ": %s", type_show(l->w->cx, type))};
        vec_push(l->w->cx->arena, &l->all, one);
        return;
    }
}

static void add_parameters(Inlays *l, Node *e)
{
    if (!e->names || !e->type || e->type->kind != TYPE_FUN) return;
    if (l->source->text[e->origin.lo] != '|') return;
    for (int i = 0; i < e->attr.i && i < type_nparams(e->type); i++)
        if (e->names[i])
            add_parameter(l, e, e->names[i]->text, type_param(e->type, i), e->origin.lo);
}

// Whether the line has nothing after `at` but a separator or a comment.
static bool ends_line(const char *text, uint32_t at)
{
    while (text[at] == ' ' || text[at] == ';' || text[at] == ')' || text[at] == ',') at++;
    return text[at] == '\n' || text[at] == 0 || strncmp(text + at, "//", 2) == 0;
}

static void add_value(Inlays *l, Node *e)
{
    if (!e->type || !type_is_data(e->type) || type_is_unit(e->type)) return;
    if (e->kind == CORE_LIT || e->kind == CORE_VAR || !ends_line(l->source->text, e->origin.hi))
        return;
    Inlay one = {e->origin.hi, e->origin.lo, type_show(l->w->cx, e->type)};
    vec_push(l->w->cx->arena, &l->all, one);
}

static Walk visit(Node *e, void *env)
{
    Inlays *l = env;
    if (node_is_size_or_type(e)) return WALK_OVER;
    bool own = e->origin.file == l->w->file && e->origin.hi <= l->source->len;
    if (own && e->kind == CORE_LAM)
        add_parameters(l, e);
    else if (own)
        add_value(l, e);
    return WALK_INTO;
}

// In order of places; of terms with the same end, the outermost first.
static int compare(const void *a, const void *b)
{
    const Inlay *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return strcmp(x->text, y->text);
}

json_t *page_inlays(const Work *w)
{
    Inlays l = {.w = w, .source = w->cx->sources.at[w->file - 1], .seen = map_new(w->cx->arena)};
    for (int i = 0; i < w->program->functions.len; i++) {
        const Function *f = w->program->functions.at[i];
        if (f->body && function_is_own(w, f)) node_walk_once(&l.seen, f->body, visit, &l);
    }
    if (l.all.len) qsort(l.all.at, (size_t)l.all.len, sizeof *l.all.at, compare);
    json_t *list = json_array();
    for (int i = 0; i < l.all.len; i++) {
        const Inlay *x = &l.all.at[i];
        int line, column;
        if (i > 0 && x[-1].at == x->at) continue;
        session_position(w->cx, w->file, x->at, &line, &column);
        json_t *one = json_array();
        json_array_append_new(one, json_integer(line));
        json_array_append_new(one, json_integer(column));
        json_array_append_new(one, json_text(x->text));
        json_array_append_new(list, one);
    }
    return list;
}
