// Hints for what is written in other languages: the rows of foreign.def.
#include "syntax/internal.h"

#include <string.h>

typedef enum { ANYWHERE, INSIDE, IN_BLOCK, IN_INDEX, IN_ARRAY, IN_TYPE, OUTSIDE } Where;

const char *foreign_name(const char *name)
{
    static const struct {
        const char *name, *help;
    } rows[] = {
#define FOREIGN_NAME(name, help) {name, help},
#include "syntax/foreign.def"
#undef FOREIGN_NAME
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) return rows[i].help;
    return NULL;
}

const char *foreign_character(char c)
{
    static const struct {
        char c;
        const char *help;
    } rows[] = {
#define FOREIGN_CHARACTER(c, help) {c, help},
#include "syntax/foreign.def"
#undef FOREIGN_CHARACTER
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].c == c) return rows[i].help;
    return NULL;
}

static bool reads(const Parser *p, int at, const char *text)
{
    if (!*text) return true;
    if (at < 0) return false;
    const Token *t = &p->ts.tokens.at[at];
    size_t n = t->hi - t->lo;
    return strlen(text) == n && strncmp(p->ts.source->text + t->lo, text, n) == 0;
}

// Where the bracket stands that is open around a token; -1 at the top level.
static int bracket_around(const Parser *p, int at)
{
    for (int i = at - 1; i >= 0; i--) {
        const Token *t = &p->ts.tokens.at[i];
        if (is_opening(t->kind)) return i;
        if (is_closing(t->kind) && t->match >= 0 && t->match < i) i = t->match;
    }
    return -1;
}

// What the brackets around are: INSIDE of parentheses; OUTSIDE of all.
static Where place_of(const Parser *p)
{
    int open = bracket_around(p, p->pos);
    if (open < 0) return OUTSIDE;
    TokenKind kind = p->ts.tokens.at[open].kind;
    if (kind == T_LBRACE) return IN_BLOCK;
    if (kind != T_LBRACKET) return INSIDE;
    switch (open > 0 ? p->ts.tokens.at[open - 1].kind : T_EOF) {
    case T_NAME:
    case T_RPAREN:
    case T_RBRACKET: return IN_INDEX;
    case T_COLON:
    case T_ARROW:
    case T_BIT_AND:
    case T_MUT: return IN_TYPE;
    default: return IN_ARRAY;
    }
}

// (i32) x
static bool after_cast(const Parser *p)
{
    static const char *const types[] = {
#define SCALAR(kind, text, ...) text,
#include "ir/scalar.def"
#undef SCALAR
        "int", "long", "float", "double", "char"};
    if (!reads(p, p->pos - 1, ")") || !reads(p, p->pos - 3, "(")) return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (reads(p, p->pos - 2, types[i])) return true;
    return false;
}

// Whether a little before the token at hand, or there, a / stands directly before a *.
static bool in_comment(const Parser *p)
{
    enum { BACK = 32 };
    int first = p->pos > BACK ? p->pos - BACK : 0;
    for (int i = p->pos; i >= first; i--) {
        const Token *t = &p->ts.tokens.at[i];
        if (reads(p, i, "/") && reads(p, i + 1, "*") && t->hi == t[1].lo) return true;
    }
    return false;
}

// What takes more than two tokens to recognise.
static const char *several_tokens(const Parser *p)
{
    if (after_cast(p)) return "a conversion is written f32(x), or x as f32";
    return in_comment(p) ? "a comment begins with // and ends with its line" : NULL;
}

// Whether a row for `where` holds at a place.
static bool is_at(Where where, Where place, bool outside)
{
    if (outside || where == OUTSIDE) return outside && where == OUTSIDE;
    return where == ANYWHERE || where == place || (where == INSIDE && place != OUTSIDE);
}

const char *foreign_tokens(const Parser *p, bool outside)
{
    Where place = place_of(p);
    static const struct {
        const char *before, *here;
        Where where;
        const char *help;
    } rows[] = {
#define FOREIGN_TOKENS(before, here, where, help) {before, here, where, help},
#include "syntax/foreign.def"
#undef FOREIGN_TOKENS
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!reads(p, p->pos, rows[i].here) || !reads(p, p->pos - 1, rows[i].before)) continue;
        if (is_at(rows[i].where, place, outside)) return rows[i].help;
    }
    return outside ? NULL : several_tokens(p);
}
