// Turns bytes into tokens. The lexer always continues: it reports text that is not a token, and
// turns it into a T_BAD, for which the parser reports no further error.
#include "syntax/lex/lex.h"

#include <string.h>

const TokenInfo token_info[TOKEN_COUNT] = {
#define TOKEN(kind, text, class, prec, function) {text, sizeof(text) - 1, class, prec, function},
#include "syntax/lex/token.def"
#undef TOKEN
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static Span span_at(const TokenStream *ts, uint32_t lo, uint32_t hi)
{
    return (Span){ts->file, lo, hi};
}

// Returns the length in bytes of the UTF-8 character at `lo`, or 0 if the bytes are not valid
// UTF-8. Overlong forms, surrogates and values above 10FFFF are not valid.
static uint32_t char_len(const TokenStream *ts, uint32_t lo)
{
    const unsigned char *s = (const unsigned char *)ts->source->text + lo;
    uint32_t len = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    if (s[0] > 0xf4 || ts->source->len - lo < len) return 0;
    for (uint32_t i = 1; i < len; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)) return 0;
    if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)) return 0;
    return len;
}

static void report_byte(const TokenStream *ts, uint32_t lo, uint32_t hi)
{
    unsigned char c = (unsigned char)ts->source->text[lo];
    Span span = span_at(ts, lo, hi);
    if (c >= 0x80 && char_len(ts, lo) == 0)
        diag_error(ts->cx, E0101, span, "the byte 0x%02x is not valid UTF-8", c);
    else if (c < ' ' || c == 127)
        diag_error(ts->cx, E0101, span, "the control character 0x%02x is not allowed in a program",
                   c);
    else {
        Diag *d = diag_error(ts->cx, E0101, span, "the character `%.*s` is not allowed here",
                             (int)char_len(ts, lo), ts->source->text + lo);
        const char *help = foreign_text(ts->source->text + lo);
        if (help) diag_help(ts->cx, d, "%s", help);
    }
}

// Reports the first byte of a comment or string that is not valid text.
static void check_text(const TokenStream *ts, uint32_t lo, uint32_t hi)
{
    for (uint32_t i = lo, len; i < hi; i += len) {
        unsigned char c = (unsigned char)ts->source->text[i];
        len = char_len(ts, i);
        if (len == 0 || (c < ' ' && c != '\t') || c == 127) {
            report_byte(ts, i, i + 1);
            return;
        }
    }
}

// Determines whether only blanks precede `lo` on its line, and whether the line above is empty.
static void examine_line(const Source *s, uint32_t lo, bool *own_line, bool *blank_before)
{
    int newlines = 0;
    uint32_t i = lo;
    while (i > 0 && is_blank(s->text[i - 1])) newlines += s->text[--i] == '\n';
    *own_line = newlines > 0 || i == 0;
    *blank_before = newlines > 1;
}

static uint32_t lex_comment(TokenStream *ts, uint32_t lo)
{
    const Source *s = ts->source;
    uint32_t end = lo;
    while (end < s->len && s->text[end] != '\n') end++;
    uint32_t hi = end;
    while (is_blank(s->text[hi - 1])) hi--;
    check_text(ts, lo, hi);
    Remark r = {.comment = {.span = span_at(ts, lo, hi)}};
    r.comment.text = arena_strndup(ts->cx->arena, s->text + lo, hi - lo);
    examine_line(s, lo, &r.comment.own_line, &r.comment.blank_before);
    r.doc =
        r.comment.own_line && strncmp(r.comment.text, "///", 3) == 0 && r.comment.text[3] != '/';
    vec_push(ts->arena, &ts->remarks, r);
    return end;
}

// Appends a code point as UTF-8.
static void add_char(Text *out, uint32_t c)
{
    if (c < 0x80) {
        text_char(out, (char)c);
        return;
    }
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    text_char(out, (char)(lead[more] | c >> 6 * more));
    while (more-- > 0) text_char(out, (char)(0x80 | (c >> 6 * more & 0x3f)));
}

int hex_value(char c)
{
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Reads an escape such as \u{1F600} and returns the code point, or -1 if the escape is malformed.
// *at is the position after the u; it moves to the end of a valid escape.
static int32_t lex_unicode(const char *text, uint32_t *at)
{
    uint32_t i = *at;
    int32_t c = 0;
    if (text[i] != '{' || text[i + 1] == '}') return -1;
    for (i++; hex_value(text[i]) >= 0 && c <= 0x10ffff; i++) c = c * 16 + hex_value(text[i]);
    if (text[i] != '}' || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return -1;
    *at = i + 1;
    return c;
}

// Reads the escape whose \ is at `lo` in a literal with this quote. Returns its end.
static uint32_t lex_escape(const TokenStream *ts, uint32_t lo, char quote, Text *out)
{
    static const char from[] = "ntr\\\"'0", to[] = "\n\t\r\\\"'";
    const char *text = ts->source->text;
    uint32_t at = lo + 2;
    const char *simple = text[lo + 1] ? strchr(from, text[lo + 1]) : NULL;
    int32_t c = simple ? to[simple - from] : -1;
    if (text[lo + 1] == 'u') c = lex_unicode(text, &at);
    if (c > 0 || (c == 0 && quote == '\'')) {
        add_char(out, (uint32_t)c);
        return at;
    }
    if (lo + 1 >= ts->source->len || text[lo + 1] == '\n') return lo + 1; // unterminated
    uint32_t len = char_len(ts, lo + 1), hi = c == 0 ? at : lo + 1 + (len ? len : 1);
    Diag *d =
        diag_error(ts->cx, E0103, span_at(ts, lo, hi),
                   c == 0 ? "a string cannot contain the character 0" : "this is not an escape");
    if (c == 0)
        diag_help(ts->cx, d, "write an array of bytes: [..\"text\", '\\0']");
    else
        diag_help(ts->cx, d,
                  "the escapes are \\n \\t \\r \\\\ \\\" \\' and \\u{1F600}, and \\0 in bytes");
    return hi;
}

// string = '"' { character | escape } '"', on one line
static uint32_t lex_string(const TokenStream *ts, uint32_t lo, Token *t)
{
    const Source *s = ts->source;
    Text out = text_new(ts->cx->arena);
    uint32_t at = lo + 1;
    while (at < s->len && s->text[at] != '"' && s->text[at] != '\n') {
        if (s->text[at] == '\\')
            at = lex_escape(ts, at, '"', &out);
        else
            text_char(&out, s->text[at++]);
    }
    t->kind = T_STRING;
    t->value.string = text_get(&out);
    check_text(ts, lo, at > lo + 1 && s->text[at - 1] == '\r' ? at - 1 : at);
    if (at < s->len && s->text[at] == '"') return at + 1;
    // Brackets and punctuation at the end of the line probably do not belong to the string.
    while (at > lo + 1 && s->text[at - 1] && strchr(" \t\r(){}[],;", s->text[at - 1])) at--;
    diag_error(ts->cx, E0102, span_at(ts, lo, at), "this string has no closing quote");
    return at;
}

static void not_one_byte(const TokenStream *ts, uint32_t lo, uint32_t hi, size_t bytes)
{
    const char *text = ts->source->text + lo + 1;
    int len = (int)(hi - lo) - 2;
    if (bytes == 0) {
        Diag *d = diag_error(ts->cx, E0123, span_at(ts, lo, hi),
                             "there is no character between these quotes");
        diag_help(ts->cx, d, "write a single quote as '\\''");
        return;
    }
    bool one = len == (int)char_len(ts, lo + 1) || strncmp(text, "\\u", 2) == 0;
    Diag *d = one ? diag_error(ts->cx, E0123, span_at(ts, lo, hi),
                               "`%.*s` is %d bytes in UTF-8, not one", len, text, (int)bytes)
                  : diag_error(ts->cx, E0123, span_at(ts, lo, hi),
                               "a byte is one character, but these are several");
    diag_help(ts->cx, d, "write an array of bytes in double quotes: \"%.*s\"", len, text);
}

// Reads a quote as other languages use it: in `x'`, a transposed matrix, or in `'name:`, the label
// of a loop. Both become T_BAD.
static uint32_t lone_quote(const TokenStream *ts, uint32_t lo, Token *t)
{
    const char *text = ts->source->text;
    bool postfix = lo > 0 && (is_letter(text[lo - 1]) || is_digit(text[lo - 1]) ||
                              text[lo - 1] == ')' || text[lo - 1] == ']');
    uint32_t end = lo + 1;
    while (is_letter(text[end]) || is_digit(text[end])) end++;
    bool label = !postfix && end > lo + 1 && text[end] == ':';
    if (!postfix && !label) return lo;
    uint32_t at = postfix ? lo + 1 : end + 1;
    t->kind = T_BAD;
    t->reported = true;
    Diag *d = diag_error(ts->cx, E0102, span_at(ts, lo, at), "this byte has no closing quote");
    diag_help(ts->cx, d,
              postfix ? "write transpose(x) to transpose a matrix"
                      : "loops have no labels; to leave an outer loop, name its break before the "
                        "inner loop: let outer = break; ... outer()");
    return at;
}

// byte = "'" ( character | escape ) "'", a number of type u8
static uint32_t lex_byte(const TokenStream *ts, uint32_t lo, Token *t)
{
    const Source *s = ts->source;
    Text out = text_new(ts->cx->arena);
    uint32_t at = lo + 1;
    int errors = ts->cx->errors;
    while (at < s->len && s->text[at] != '\'' && s->text[at] != '\n') {
        if (s->text[at] == '\\')
            at = lex_escape(ts, at, '\'', &out);
        else
            text_char(&out, s->text[at++]);
    }
    *t = (Token){.kind = T_INT, .lo = lo, .comments = t->comments};
    t->name = session_sym(ts->cx, "u8");
    if (at >= s->len || s->text[at] != '\'') {
        at = lone_quote(ts, lo, t);
        if (at > lo) return at;
        at = lo + 1 < s->len && s->text[lo + 1] != '\n' ? lo + 2 : lo + 1;
        if (at == lo + 2 && char_len(ts, lo + 1) > 1) at = lo + 1 + char_len(ts, lo + 1);
        diag_error(ts->cx, E0102, span_at(ts, lo, at), "this byte has no closing quote");
        return at;
    }
    check_text(ts, lo, at++);
    if (out.len == 1)
        t->value.integer = (unsigned char)text_get(&out)[0];
    else if (ts->cx->errors == errors)
        not_one_byte(ts, lo, at, out.len);
    return at;
}

// name = letter { letter | digit }, where _ is a letter; some are keywords
static uint32_t lex_word(const TokenStream *ts, uint32_t lo, Token *t)
{
    const char *text = ts->source->text;
    uint32_t at = lo;
    while (is_letter(text[at]) || is_digit(text[at])) at++;
    t->kind = T_NAME;
    for (int k = ts->first[(int)text[lo]]; k < TOKEN_COUNT; k = ts->next[k]) {
        const TokenInfo *info = &token_info[k];
        if (info->class == WORD && (uint32_t)info->len == at - lo &&
            memcmp(info->text, text + lo, at - lo) == 0)
            t->kind = (TokenKind)k;
    }
    t->name = sym_intern(ts->cx->syms, text + lo, at - lo);
    return at;
}

bool token_is_word(const Token *t, const char *word)
{
    return t->kind == T_NAME && strcmp(t->name->text, word) == 0;
}

bool token_is_item_word(const Token *t)
{
    static const char *const words[] = {"rule",     "contract", "reassociate",
                                        "strategy", "schedule", "bench"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token_is_word(t, words[i])) return true;
    return false;
}

static uint32_t lex_sign(const TokenStream *ts, uint32_t lo, Token *t)
{
    const char *text = ts->source->text + lo;
    if ((unsigned char)text[0] >= sizeof ts->first) return lo;
    for (int k = ts->first[(int)text[0]]; k < TOKEN_COUNT; k = ts->next[k]) {
        const TokenInfo *info = &token_info[k];
        if (info->class < PUNCT) continue;
        if (strncmp(info->text, text, (size_t)info->len) != 0) continue;
        if (k == T_HASH && text[1] != '[') continue; // the user probably meant `#` as a comment
        t->kind = (TokenKind)k;
        return lo + (uint32_t)info->len;
    }
    return lo;
}

// Skips text that begins no token, and reports it once.
static uint32_t lex_bad(const TokenStream *ts, uint32_t lo, Token *t)
{
    uint32_t at = lo;
    bool high = (unsigned char)ts->source->text[lo] >= 0x80;
    do {
        uint32_t len = char_len(ts, at);
        at += len ? len : 1;
    } while (high && at < ts->source->len && (unsigned char)ts->source->text[at] >= 0x80);
    report_byte(ts, lo, at);
    t->kind = T_BAD;
    t->reported = true;
    return at;
}

static uint32_t lex_token(const TokenStream *ts, uint32_t lo, Token *t)
{
    char c = ts->source->text[lo];
    if (is_letter(c)) return lex_word(ts, lo, t);
    if (c == '"') return lex_string(ts, lo, t);
    if (c == '\'') return lex_byte(ts, lo, t);
    if (is_digit(c)) {
        bool component = ts->tokens.len > 0 && vec_last(&ts->tokens).kind == T_DOT;
        lex_number(ts, lo, component, t);
        return t->hi;
    }
    uint32_t hi = lex_sign(ts, lo, t);
    return hi > lo ? hi : lex_bad(ts, lo, t);
}

_Static_assert(TOKEN_COUNT <= 255, "a kind fits in a byte");

// Chains the kinds by the first character of their text, in the order of the table.
static void chain_kinds(TokenStream *ts)
{
    memset(ts->first, TOKEN_COUNT, sizeof ts->first);
    for (int k = TOKEN_COUNT - 1; k >= 0; k--) {
        if (token_info[k].class == VALUE) continue;
        unsigned char *first = &ts->first[(int)token_info[k].text[0]];
        ts->next[k] = *first;
        *first = (unsigned char)k;
    }
}

TokenStream lex_source(Session *cx, uint32_t file)
{
    TokenStream ts = {.cx = cx,
                      .arena = arena_new_beside(cx->arena),
                      .file = file,
                      .source = cx->sources.at[file - 1]};
    chain_kinds(&ts);
    enum { BYTES = 3 }; // of a token and the blanks around it, at least on average
    ts.tokens.cap = (int)(ts.source->len / BYTES) + 16;
    ts.tokens.at = ARENA_ARRAY(ts.arena, Token, ts.tokens.cap);
    const char *text = ts.source->text;
    uint32_t at = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, end = (uint32_t)ts.source->len;
    while (at < end) {
        if (is_blank(text[at])) {
            at++;
        } else if (text[at] == '/' && text[at + 1] == '/') {
            at = lex_comment(&ts, at);
        } else {
            Token t = {.lo = at, .comments = ts.remarks.len};
            at = t.hi = lex_token(&ts, at, &t);
            vec_push(ts.arena, &ts.tokens, t);
        }
    }
    Token eof = {.kind = T_EOF, .lo = end, .hi = end, .comments = ts.remarks.len};
    vec_push(ts.arena, &ts.tokens, eof);
    return ts;
}

void lex_end(TokenStream *ts)
{
    arena_delete(ts->arena);
}
