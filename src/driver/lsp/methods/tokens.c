// Semantic tokens: what names are, where a grammar cannot know it.
#include "driver/lsp/methods/methods.h"

#include <stdlib.h>

// The order of the legend that server.c announces.
enum { FUNCTION, PARAMETER, VARIABLE, TYPE, PROPERTY, MEMBER, GENERIC, MACRO, NONE };

typedef struct {
    Span at;
    int kind;
} Token_;
typedef VEC(Token_) Tokens;

static int kind_of_decl(const Decl *d)
{
    static const int kinds[DECL_COUNT] = {
        [DECL_FUNCTION] = FUNCTION, [DECL_CONST] = VARIABLE,  [DECL_TYPE] = TYPE,
        [DECL_STRUCT] = TYPE,       [DECL_ENUM] = TYPE,       [DECL_RULE] = MACRO,
        [DECL_STRATEGY] = MACRO,    [DECL_GENERIC] = GENERIC, [DECL_PARAM] = PARAMETER,
        [DECL_FIELD] = PROPERTY,    [DECL_OPTION] = MEMBER,   [DECL_LOCAL] = VARIABLE,
    };
    return kinds[d->kind];
}

static int kind_of_symbol(const Symbol *y)
{
    switch (show_kind_of_symbol(y)) {
    case 3: return FUNCTION;
    case 13:
    case 22:
    case 25: return TYPE;
    case 24: return MACRO;
    default: return VARIABLE;
    }
}

static int by_place(const void *x, const void *y)
{
    const Token_ *a = x, *b = y;
    if (a->at.lo != b->at.lo) return a->at.lo < b->at.lo ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

static Tokens collect(const Analysis *a)
{
    Tokens all = {0};
    for (int i = 0; i < a->decls.len; i++)
        vec_push(a->cx->arena, &all, ((Token_){a->decls.at[i].at, kind_of_decl(&a->decls.at[i])}));
    for (int i = 0; i < a->uses.names.len; i++) {
        const Use *use = &a->uses.names.at[i];
        const Decl *d = use->definition.hi ? names_decl(a, use->definition) : NULL;
        int kind = d ? kind_of_decl(d) : use->symbol ? kind_of_symbol(use->symbol) : NONE;
        if (kind != NONE) vec_push(a->cx->arena, &all, ((Token_){use->at, kind}));
    }
    if (all.len) qsort(all.at, (size_t)all.len, sizeof *all.at, by_place);
    return all;
}

json_t *method_tokens(Server *s, const json_t *params, Failure *failure)
{
    Document *d = server_document(s, params, failure);
    Analysis *a = d ? analysis_of(s, d) : NULL;
    if (!a) return NULL;
    TextView v = analysis_view(a, a->work.file);
    json_t *data = json_array();
    Tokens all = collect(a);
    int line = 0, at_line = 0;
    size_t column_of = 0, end = 0;
    for (int i = 0; i < all.len; i++) {
        Span at = all.at[i].at;
        if (at.lo < end || at.hi <= at.lo) continue;
        while (line + 1 < v.nlines && v.lines[line + 1] <= at.lo) line++;
        bool same = line == at_line && end > 0;
        json_array_append_new(data, json_integer(line - at_line));
        json_array_append_new(
            data, json_integer(position_units(&v, same ? column_of : v.lines[line], at.lo)));
        json_array_append_new(data, json_integer(position_units(&v, at.lo, at.hi)));
        json_array_append_new(data, json_integer(all.at[i].kind));
        json_array_append_new(data, json_integer(0));
        at_line = line;
        column_of = at.lo;
        end = at.hi;
    }
    return json_pack("{s:o}", "data", data);
}
