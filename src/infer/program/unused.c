// Warns about imported names that a file does not mention, in its code or its strings. Strings
// count because strategies name functions of other modules in them.
#include "infer/program/program.h"
#include "syntax/lex/lex.h"

#include <ctype.h>
#include <string.h>

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void mention(Session *cx, Map *mentioned, const char *text, size_t len)
{
    map_put(mentioned, MAP_KEY(sym_intern(cx->syms, text, len)), mentioned);
}

static void mention_words(Session *cx, Map *mentioned, const char *text)
{
    while (*text) {
        size_t n = 0;
        while (in_word(text[n])) n++;
        if (n) mention(cx, mentioned, text, n);
        text += n ? n : 1;
    }
}

// Whether the token is part of an import. `*next` is the first item that may contain it; tokens and
// items are in the order of the text.
static bool is_imported(const Module *m, const Token *t, int *next)
{
    while (*next < m->items.len && m->items.at[*next]->span.hi <= t->lo) ++*next;
    const Item *item = *next < m->items.len ? m->items.at[*next] : NULL;
    return item && item->kind == ITEM_IMPORT && item->span.lo <= t->lo;
}

// The names in the file outside of its imports.
static Map names_of(Session *cx, const Module *m)
{
    Map mentioned = map_new(cx->arena);
    DiagMark mark = diag_mark(cx);
    TokenStream ts = lex_source(cx, m->file);
    int next = 0;
    diag_withdraw(cx, mark); // the parser has reported them
    for (int i = 0; i < ts.tokens.len; i++) {
        const Token *t = &ts.tokens.at[i];
        if (is_imported(m, t, &next)) continue;
        if (t->kind == T_NAME) map_put(&mentioned, MAP_KEY(t->name), &mentioned);
        if (t->kind == T_STRING) mention_words(cx, &mentioned, t->value.string);
    }
    lex_end(&ts);
    return mentioned;
}

// What an edit removes: the name and the comma beside it, or the line of an import of nothing else.
static Span removed(Session *cx, const Item *item, int k)
{
    Span at = item->imported.at[k]->span;
    const Source *s = cx->sources.at[at.file - 1];
    if (item->imported.len == 1) {
        at = item->span;
        if (at.hi < s->len && s->text[at.hi] == '\n') at.hi++;
    } else if (k > 0) {
        at.lo = item->imported.at[k - 1]->span.hi;
    } else {
        at.hi = item->imported.at[1]->span.lo;
    }
    return at;
}

void infer_warn_unused(Infer *in, const Unit *u)
{
    Session *cx = in->cx;
    const Module *m = u->module;
    Map mentioned = names_of(cx, m);
    for (int i = 0; i < m->items.len; i++) {
        const Item *item = m->items.at[i];
        bool imports = item->kind == ITEM_IMPORT && !item->passed_on;
        for (int k = 0; imports && k < item->imported.len; k++) {
            const Ast *name = item->imported.at[k];
            if (!name->name || map_get(&mentioned, MAP_KEY(name->name))) continue;
            Diag *d = diag_warning(cx, E0210, name->span, "`%s` is imported, but not used",
                                   name->name->text);
            diag_fix(cx, d, removed(cx, item, k), "", "remove it from the import");
        }
    }
}
