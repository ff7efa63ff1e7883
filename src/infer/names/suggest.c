// Suggestions for an unknown name: a similar name, one that a module exports, or the counterpart of
// a name from another language.
#include "base/target/target.h"
#include "infer/names/names.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

enum { MAX_NAME = 40, MAX_SUGGESTIONS = 20 };

static int min(int a, int b)
{
    return a < b ? a : b;
}

// The edit distance from a to b (insert, delete, replace, transpose). A name longer than MAX_NAME
// is not similar to any name.
static int distance(Sym a, Sym b)
{
    if (a->len > MAX_NAME || b->len > MAX_NAME) return INT_MAX;
    int rows[3][MAX_NAME + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    for (uint32_t j = 0; j <= b->len; j++) last[j] = before[j] = (int)j;
    for (uint32_t i = 1; i <= a->len; i++) {
        row[0] = (int)i;
        for (uint32_t j = 1; j <= b->len; j++) {
            bool same = a->text[i - 1] == b->text[j - 1];
            row[j] = min(min(row[j - 1] + 1, last[j] + 1), last[j - 1] + !same);
            bool swap = i > 1 && j > 1 && a->text[i - 1] == b->text[j - 2] &&
                        a->text[i - 2] == b->text[j - 1];
            if (swap) row[j] = min(row[j], before[j - 2] + 1);
        }
        int *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[b->len];
}

// Which names are considered.
typedef enum { ANY_NAME, TYPE_NAME, STRATEGY_NAME } Wanted;

typedef struct {
    Sym name, best;
    int distance;
    Wanted wanted;
} Nearest;

// Whether the names differ by the transposition of two neighbouring letters.
static bool is_transposed(Sym a, Sym b)
{
    uint32_t i = 0;
    if (a->len != b->len) return false;
    while (i < a->len && a->text[i] == b->text[i]) i++;
    return i + 1 < a->len && a->text[i] == b->text[i + 1] && a->text[i + 1] == b->text[i] &&
           strcmp(a->text + i + 2, b->text + i + 2) == 0;
}

// Whether a name at this edit distance may be a typo. Short names allow one edit; only long names
// may differ in the first letter.
static bool is_typo(Sym name, Sym meant, int distance)
{
    enum { SHORT = 4, LONG = 8 };
    if (name->text[0] == meant->text[0] || is_transposed(name, meant))
        return distance <= 1 || name->len > SHORT;
    return name->len >= LONG || (distance <= 1 && name->len > SHORT);
}

static void consider(Nearest *n, Sym name)
{
    if (!name || name == n->name) return;
    bool same = strcasecmp(n->name->text, name->text) == 0;
    int d = same ? 1 : distance(n->name, name);
    if (d >= n->distance || !(same || is_typo(n->name, name, d))) return;
    n->best = name;
    n->distance = d;
}

static bool is_type(const Symbol *y)
{
    return y->kind == SYMBOL_STRUCT || y->kind == SYMBOL_ENUM || y->kind == SYMBOL_ALIAS ||
           y->kind == SYMBOL_SCALAR;
}

static bool is_wanted(const Symbol *y, Wanted wanted)
{
    switch (wanted) {
    case ANY_NAME: return true;
    case TYPE_NAME: return is_type(y);
    case STRATEGY_NAME: return y->kind == SYMBOL_RULE || y->kind == SYMBOL_STRATEGY;
    }
    return false;
}

static void consider_all(Nearest *n, const Map *symbols)
{
    for (int i = 0; i < symbols->len; i++) {
        const Symbol *y = symbols->entries[i].value;
        if (y && is_wanted(y, n->wanted)) consider(n, y->name);
    }
}

static Nearest nearest(const Scope *s, Sym name, Wanted wanted)
{
    Nearest n = {name, NULL, 2 + (int)name->len / 4, wanted};
    if (name->len <= 1) n.distance = (int)name->len; // one edit turns any such name into any other
    for (int i = s->stack.len - 1; i >= 0; i--)
        if (wanted == ANY_NAME || (wanted == TYPE_NAME && s->stack.at[i]->kind == LOCAL_TYPE))
            consider(&n, s->stack.at[i]->name);
    consider_all(&n, &s->unit->scope);
    consider_all(&n, &s->unit->imported);
    if (s->in->prelude) consider_all(&n, &s->in->prelude->scope);
    consider_all(&n, &s->in->builtin);
    return n;
}

// Proposes a name in place of a wrong one, where the error is about that name.
static void did_you_mean(Session *cx, Diag *d, Sym name, Sym near)
{
    bool whole = d->span.file && d->span.hi - d->span.lo == name->len &&
                 strcmp(source_text(cx, d->span), name->text) == 0;
    diag_fix(cx, d, whole ? d->span : NO_SPAN, near->text, "did you mean `%s`?", near->text);
}

static void suggest(const Scope *s, Diag *d, Sym name, Wanted wanted)
{
    if (s->in->suggestions++ >= MAX_SUGGESTIONS) return;
    Nearest n = nearest(s, name, wanted);
    if (n.best) did_you_mean(s->in->cx, d, name, n.best);
}

void infer_suggest(const Scope *s, Diag *d, Sym name)
{
    suggest(s, d, name, ANY_NAME);
}

void infer_suggest_strategy(const Scope *s, Diag *d, Sym name, const Sym *more, int nmore)
{
    if (s->in->suggestions++ >= MAX_SUGGESTIONS) return;
    Nearest n = nearest(s, name, STRATEGY_NAME);
    for (int i = 0; i < nmore; i++) consider(&n, more[i]);
    if (n.best) did_you_mean(s->in->cx, d, name, n.best);
}

// The module in a file, parsed once for all searches.
static const Module *searched(Infer *in, uint32_t file)
{
    Module *m = map_get(&in->searched, file);
    if (!m) map_put(&in->searched, file, m = parse_module(in->cx, file));
    return m;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Whether the word before an offset begins an item that declares the name behind it.
static bool follows_keyword(const char *text, const char *at)
{
    static const char *const keywords[] = {"fn",   "const", "type",    "struct",
                                           "enum", "rule",  "pattern", "strategy"};
    while (at > text && isspace((unsigned char)at[-1])) at--;
    const char *end = at;
    while (at > text && in_word(at[-1])) at--;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strlen(keywords[i]) == (size_t)(end - at) &&
            strncmp(at, keywords[i], strlen(keywords[i])) == 0)
            return true;
    return false;
}

// Whether the text of a module may declare the name, or re-exports others, so that it must be
// parsed.
static bool may_declare(const Source *s, Sym name)
{
    for (const char *at = s->text; (at = strstr(at, name->text)); at += name->len) {
        bool whole = !in_word(at[name->len]) && (at == s->text || !in_word(at[-1]));
        if (whole && follows_keyword(s->text, at)) return true;
    }
    return strstr(s->text, "pub import");
}

// Whether a module declares the name, or re-exports it.
static bool declares(Infer *in, const char *module, uint32_t from, Sym name, int depth)
{
    enum { DEEP = 4 };
    uint32_t file = in->modules->find(in->cx, module, from, in->modules->env);
    bool read = file && depth < DEEP && may_declare(in->cx->sources.at[file - 1], name);
    const Module *m = read ? searched(in, file) : NULL;
    for (int k = 0; m && k < m->items.len; k++) {
        const Item *item = m->items.at[k];
        if (item->kind != ITEM_IMPORT && item->name == name) return true;
        bool all = item->kind == ITEM_IMPORT && item->passed_on && item->name;
        if (all && item->imported.len == 0 && declares(in, item->name->text, file, name, depth + 1))
            return true;
    }
    return false;
}

static const char *const library[] = {
    "std.math",  "std.linalg",  "std.stats",      "std.stencil",       "std.image",
    "std.loops", "std.arrays",  "std.rules",      "std.strategies",    "std.text",
    "std.sort",  "std.random",  "std.complex",    "std.vector_rules",  "std.vectors",
    "std.gemm",  "std.atomics", "std.simd",       "std.sums",          "std.devices",
    "std.tiles", "std.scans",   "std.histograms", "std.stencil_tiles", "std.ragged"};

static bool is_library(Sym name)
{
    for (size_t i = 0; i < sizeof library / sizeof *library; i++)
        if (strcmp(library[i] + strlen("std."), name->text) == 0) return true;
    return false;
}

Sym infer_near_module(Session *cx, Sym name)
{
    Nearest n = {name, NULL, 3, false};
    for (size_t i = 0; i < sizeof library / sizeof *library; i++) {
        consider(&n, session_sym(cx, library[i]));
        if (strcmp(library[i] + strlen("std."), name->text) == 0)
            return session_sym(cx, library[i]);
    }
    return n.best;
}

void infer_list_modules(Session *cx, Diag *d)
{
    Text list = text_new(cx->arena);
    for (size_t i = 0; i < sizeof library / sizeof *library; i++)
        text_printf(&list, "%s%s", i ? ", " : "", library[i]);
    diag_help(cx, d, "the library has %s", text_get(&list));
}

void infer_suggest_target(Session *cx, Diag *d, Sym name)
{
    int n;
    const Target *all = target_all(&n);
    Nearest near = {name, NULL, 3, false};
    Text list = text_new(cx->arena);
    for (int i = 0; i < n; i++) {
        consider(&near, session_sym(cx, all[i].name));
        text_printf(&list, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " and ", all[i].name);
    }
    if (near.best) did_you_mean(cx, d, name, near.best);
    diag_help(cx, d, "the targets are %s", text_get(&list));
}

// Where a module could have a further import: before its first item that is none.
static Span new_import(const Module *m)
{
    uint32_t at = 0;
    for (int i = 0; i < m->items.len && m->items.at[i]->kind == ITEM_IMPORT; i++)
        at = m->items.at[i]->span.lo;
    return (Span){m->file, at, at};
}

// The module of the library that declares the name, or NULL.
static const char *home_of(Infer *in, uint32_t file, Sym name)
{
    if (!in->modules || !in->modules->find || in->suggestions >= MAX_SUGGESTIONS) return NULL;
    for (size_t i = 0; i < sizeof library / sizeof *library; i++)
        if (declares(in, library[i], file, name, 0)) return library[i];
    return NULL;
}

bool infer_suggest_import(const Scope *s, Diag *d, Sym name)
{
    Session *cx = s->in->cx;
    const char *home = home_of(s->in, s->unit->module->file, name);
    if (!home) return false;
    diag_fix(cx, d, new_import(s->unit->module),
             arena_printf(cx->arena, "import %s (%s)\n", home, name->text),
             "import it: import %s (%s)", home, name->text);
    return true;
}

// Where else a name is that a module does not export. Returns whether that is known.
static bool help_elsewhere(Infer *in, Diag *d, const Unit *from, Sym name)
{
    const char *home = home_of(in, from->module->file, name);
    bool everywhere = map_get(&in->builtin, MAP_KEY(name)) ||
                      (in->prelude && map_get(&in->prelude->scope, MAP_KEY(name)));
    if (everywhere)
        diag_help(in->cx, d, "`%s` needs no import", name->text);
    else if (home)
        diag_help(in->cx, d, "it is in another module: import %s (%s)", home, name->text);
    return everywhere || home;
}

void infer_suggest_export(Infer *in, Diag *d, const Unit *from, Sym name)
{
    enum { MANY = 24 };
    if (help_elsewhere(in, d, from, name)) return;
    Nearest n = {name, NULL, 2 + (int)name->len / 4, false};
    consider_all(&n, &from->exports);
    const char *foreign = foreign_name(name->text);
    if (n.best && in->suggestions++ < MAX_SUGGESTIONS)
        did_you_mean(in->cx, d, name, n.best);
    else if (foreign)
        diag_help(in->cx, d, "%s", foreign);
    if (n.best || foreign || from->exports.len == 0) return;
    Text list = text_new(in->cx->arena);
    for (int i = 0; i < from->exports.len && i < MANY; i++) {
        const Symbol *y = from->exports.entries[i].value;
        text_printf(&list, "%s%s", i ? ", " : "", y->name->text);
    }
    diag_help(in->cx, d, "it has %s%s", text_get(&list), from->exports.len > MANY ? ", ..." : "");
}

// The enum with an option of this name, or NULL.
static const Symbol *enum_with_option(const Map *symbols, Sym name)
{
    for (int i = 0; i < symbols->len; i++) {
        const Symbol *y = symbols->entries[i].value;
        if (!y || y->kind != SYMBOL_ENUM) continue;
        for (int k = 0; k < y->item->options.len; k++)
            if (y->item->options.at[k].name == name) return y;
    }
    return NULL;
}

// The field name after the name at `span`, as in stats.sum, or NULL if there is none.
static Sym field_after(const Infer *in, Span span)
{
    if (!span.file) return NULL;
    const char *text = in->cx->sources.at[span.file - 1]->text + span.hi;
    if (*text != '.') return NULL;
    size_t n = 0;
    while (isalnum((unsigned char)text[1 + n]) || text[1 + n] == '_') n++;
    return n && !isdigit((unsigned char)text[1]) ? sym_intern(in->cx->syms, text + 1, n) : NULL;
}

static bool help_option(const Scope *s, Diag *d, Sym name)
{
    const Symbol *y = enum_with_option(&s->unit->scope, name);
    if (!y) y = enum_with_option(&s->unit->imported, name);
    if (!y) return false;
    diag_fix(s->in->cx, d, d->span,
             arena_printf(s->in->cx->arena, "%s.%s", y->name->text, name->text),
             "write the option with its enum: %s.%s", y->name->text, name->text);
    return true;
}

// Suggests the unqualified name for np.zeros(n), stats.sum(xs) or Math.max(x, y).
static bool help_qualified(const Scope *s, Diag *d, Sym name, Span span)
{
    static const char *const others[] = {"np", "numpy", "Math", "std", "torch", "jnp", "tf"};
    Sym field = field_after(s->in, span);
    bool module = is_library(name);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        module |= strcmp(others[i], name->text) == 0;
    if (!field || !module) return false;
    if (infer_find_symbol(s, field)) {
        diag_help(s->in->cx, d, "write the name without that of a module: %s", field->text);
        return true;
    }
    if (infer_suggest_import(s, d, field)) return true;
    const char *foreign = foreign_name(field->text);
    if (foreign) diag_help(s->in->cx, d, "%s", foreign);
    return foreign != NULL;
}

static bool help_module(const Scope *s, Diag *d, Sym name)
{
    if (!is_library(name)) return false;
    diag_help(s->in->cx, d, "name a module only in its import: import std.%s (...)", name->text);
    return true;
}

// If the name is a variable of the enclosing function, which an inner function cannot use, reports
// an error and returns true.
static bool refuse_captured(const Scope *s, Sym name, Span span)
{
    const Local *l =
        s->symbol && s->symbol->captured ? map_get(s->symbol->captured, MAP_KEY(name)) : NULL;
    if (!l) return false;
    Session *cx = s->in->cx;
    const char *function = s->symbol->name->text;
    Diag *d = diag_error(cx, E0209, span, "`%s` belongs to the function that contains `%s`",
                         name->text, function);
    diag_note(cx, d, l->span, "it is declared here");
    diag_help(cx, d, "pass it as a parameter, or write a lambda: let %s = |...| ...;", function);
    return true;
}

Diag *infer_unknown_name(const Scope *s, Sym name, Span span, const char *what)
{
    Session *cx = s->in->cx;
    if (!name || s->unit->broken || refuse_captured(s, name, span)) return NULL;
    Diag *d = diag_error(cx, E0201, span, "nothing called `%s` is in scope", name->text);
    if (what) diag_note(cx, d, NO_SPAN, "%s", what);
    if (help_qualified(s, d, name, span) || infer_suggest_import(s, d, name)) return d;
    const char *foreign = foreign_name(name->text);
    if (foreign)
        diag_help(cx, d, "%s", foreign);
    else if (what && name->len == 1 && isupper((unsigned char)name->text[0]))
        diag_help(cx, d, "declare a generic type with its kind: f[%s: num](x: %s)", name->text,
                  name->text);
    else if (!help_option(s, d, name) && !help_module(s, d, name))
        suggest(s, d, name, what ? TYPE_NAME : ANY_NAME);
    return d;
}
