// Finds hints for constructs of other languages in the rows of foreign.def.
#include "syntax/lex/lex.h"

#include <string.h>

typedef enum {
    ANYWHERE,
    INSIDE,
    IN_CALL,
    IN_PARAMETERS,
    IN_GENERICS,
    IN_BLOCK,
    IN_FIELDS,
    IN_OPTIONS,
    IN_INDEX,
    IN_ARRAY,
    IN_TYPE,
    OUTSIDE
} Where;

typedef struct {
    const char *word, *help;
} Row;

static const char *help_of(const Row *rows, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].word, word) == 0) return rows[i].help;
    return NULL;
}

const char *foreign_name(const char *name)
{
    static const Row rows[] = {
#define FOREIGN_NAME(name, help) {name, help},
#include "syntax/lex/foreign.def"
#undef FOREIGN_NAME
    };
    return help_of(rows, sizeof rows / sizeof *rows, name);
}

const char *foreign_field(const char *name)
{
    static const Row rows[] = {
#define FOREIGN_FIELD(name, help) {name, help},
#include "syntax/lex/foreign.def"
#undef FOREIGN_FIELD
    };
    const char *help = help_of(rows, sizeof rows / sizeof *rows, name);
    return help ? help : foreign_name(name);
}

const char *foreign_suffix(const char *suffix)
{
    static const Row rows[] = {
#define FOREIGN_SUFFIX(suffix, help) {suffix, help},
#include "syntax/lex/foreign.def"
#undef FOREIGN_SUFFIX
    };
    return help_of(rows, sizeof rows / sizeof *rows, suffix);
}

const char *foreign_text(const char *text)
{
    static const Row rows[] = {
#define FOREIGN_TEXT(text, help) {text, help},
#include "syntax/lex/foreign.def"
#undef FOREIGN_TEXT
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(rows[i].word, text, strlen(rows[i].word)) == 0) return rows[i].help;
    return NULL;
}

// Whether a token matches `word`: its text, or one of the kinds NAME, NUMBER, STRING and ASSIGNS.
static bool reads_word(const Parser *p, int at, const char *word, size_t len)
{
    const Token *t = &p->ts.tokens.at[at];
    if (len == 4 && strncmp(word, "NAME", len) == 0) return t->kind == T_NAME;
    if (len == 6 && strncmp(word, "NUMBER", len) == 0)
        return t->kind == T_INT || t->kind == T_FLOAT;
    if (len == 6 && strncmp(word, "STRING", len) == 0) return t->kind == T_STRING;
    if (len == 7 && strncmp(word, "ASSIGNS", len) == 0) return token_info[t->kind].class == ASSIGN;
    return t->hi - t->lo == len && strncmp(p->ts.source->text + t->lo, word, len) == 0;
}

// Whether the tokens starting at `at` match `words`, which are separated by blanks.
static bool reads(const Parser *p, int at, const char *words)
{
    while (*words) {
        size_t len = strcspn(words, " ");
        if (at < 0 || at >= p->ts.tokens.len || !reads_word(p, at++, words, len)) return false;
        words += len + (words[len] == ' ');
    }
    return true;
}

static int count_words(const char *words)
{
    int n = *words != 0;
    for (; *words; words++) n += *words == ' ';
    return n;
}

// Returns the index of the innermost bracket that encloses a token, or -1 at the top level.
static int bracket_around(const Parser *p, int at)
{
    for (int i = at - 1; i >= 0; i--) {
        const Token *t = &p->ts.tokens.at[i];
        if (is_opening(t->kind)) return i;
        if (is_closing(t->kind) && t->match >= 0 && t->match < i) i = t->match;
    }
    return -1;
}

static TokenKind kind_at(const Parser *p, int at)
{
    return at >= 0 ? p->ts.tokens.at[at].kind : T_EOF;
}

// Returns the keyword of the item whose name precedes token `at`, perhaps with generic parameters
// in between. Returns T_EOF if no item is named there.
static TokenKind item_before(const Parser *p, int at)
{
    int name = at - 1;
    if (kind_at(p, name) == T_RBRACKET) name = p->ts.tokens.at[name].match - 1;
    if (kind_at(p, name) != T_NAME) return T_EOF;
    int word = name - 1;
    if (kind_at(p, word) == T_RPAREN && kind_at(p, p->ts.tokens.at[word].match - 1) == T_AT)
        word = p->ts.tokens.at[word].match - 1; // fn @(?n) f(...)
    if (kind_at(p, word) == T_AT) word--;
    return kind_at(p, word);
}

static Where brackets_at(const Parser *p, int open, TokenKind item)
{
    switch (kind_at(p, open - 1)) {
    case T_NAME:
        return item == T_FN || item == T_STRUCT || item == T_ENUM || item == T_TYPE ? IN_GENERICS
                                                                                    : IN_INDEX;
    case T_RPAREN:
    case T_RBRACKET: return IN_INDEX;
    case T_COLON:
    case T_ARROW:
    case T_BIT_AND:
    case T_MUT: return IN_TYPE;
    case T_ASSIGN: return item_before(p, open - 1) == T_TYPE ? IN_TYPE : IN_ARRAY;
    default: return IN_ARRAY;
    }
}

// Returns the kind of the innermost brackets that enclose the current token.
static Where place_of(const Parser *p)
{
    int open = bracket_around(p, p->pos);
    if (open < 0) return OUTSIDE;
    TokenKind kind = kind_at(p, open), before = kind_at(p, open - 1), item = item_before(p, open);
    if (kind == T_LBRACE)
        return item == T_STRUCT ? IN_FIELDS : item == T_ENUM ? IN_OPTIONS : IN_BLOCK;
    if (kind == T_LBRACKET) return brackets_at(p, open, item);
    if (item == T_FN) return IN_PARAMETERS;
    return before == T_NAME || before == T_RPAREN || before == T_RBRACKET ? IN_CALL : INSIDE;
}

// Whether a C-style cast, as in (i32) x, precedes the current token.
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

// Whether a / directly precedes a *, at the current token or a little before it.
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

// Whether the current token is an argument without parentheses, as in sin x.
static bool after_function(const Parser *p)
{
    static const char *const functions[] = {
#define PRIM(kind, text, ...) text,
#include "ir/prim.def"
#undef PRIM
    };
    if (kind_at(p, p->pos) != T_NAME && !reads(p, p->pos, "NUMBER")) return false;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (kind_at(p, p->pos - 1) == T_NAME && reads(p, p->pos - 1, functions[i])) return true;
    return false;
}

// Whether the current token is the `>` of generic arguments written as in other languages: f<2>(x).
static bool after_angle(const Parser *p)
{
    return reads(p, p->pos - 3, "NAME < NUMBER > (") || reads(p, p->pos - 3, "NAME < NAME > (");
}

// Returns a hint that depends on more than a sequence of tokens, or NULL if there is none.
static const char *several_tokens(const Parser *p)
{
    if (after_cast(p)) return "write a conversion as f32(x) or x as f32";
    if (after_function(p)) return "a call needs parentheses around its arguments: sin(x)";
    if (after_angle(p)) return "write generic arguments in brackets: f[4](x), Pair[f32]";
    return in_comment(p) ? "a comment begins with // and ends at the end of the line" : NULL;
}

// Whether a row for `where` applies at `place`.
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
#include "syntax/lex/foreign.def"
#undef FOREIGN_TOKENS
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int first = p->pos - count_words(rows[i].before);
        if (!reads(p, p->pos, rows[i].here) || !reads(p, first, rows[i].before)) continue;
        if (is_at(rows[i].where, place, outside)) return rows[i].help;
    }
    return outside ? NULL : several_tokens(p);
}

// Whether a block follows, as in do { ... }, switch (x) { ... } or repeat 10 { ... }. A struct
// literal, which has a field after its brace, does not count.
static bool has_block(const Parser *p)
{
    int next = p->pos + 1;
    if (kind_at(p, next) == T_LPAREN)
        next = p->ts.tokens.at[next].match + 1;
    else if (reads(p, next, "NUMBER") || reads(p, next, "NAME"))
        next++;
    return kind_at(p, next) == T_LBRACE && !reads(p, next, "{ NAME :");
}

const char *foreign_construct(const Parser *p)
{
    static const Row rows[] = {
#define FOREIGN_CONSTRUCT(word, help) {word, help},
#include "syntax/lex/foreign.def"
#undef FOREIGN_CONSTRUCT
    };
    const Token *t = &p->ts.tokens.at[p->pos];
    const char *help =
        t->kind == T_NAME ? help_of(rows, sizeof rows / sizeof *rows, t->name->text) : NULL;
    return help && has_block(p) ? help : NULL;
}
