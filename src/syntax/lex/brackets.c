// Pairs the brackets before parsing. In a file with unbalanced brackets, an item that begins in the
// first column closes all open brackets, so that a missing bracket affects only one item, not the
// rest of the file. In a file with balanced brackets, the layout has no influence.
#include "syntax/lex/lex.h"

typedef struct {
    TokenStream *ts;
    TokenVec out;
    VEC(int) open;          // indices into `out`: brackets not closed yet
    int count[TOKEN_COUNT]; // how many open brackets wait for a closing bracket of this kind
} Matcher;

// Whether `simd[n] fn` begins at the token `at`, which is `simd`.
static bool starts_simd(const TokenVec *tokens, int at)
{
    if (at + 1 >= tokens->len || tokens->at[at + 1].kind != T_LBRACKET) return false;
    int end = tokens->at[at + 1].match;
    return end > at && end + 1 < tokens->len && tokens->at[end + 1].kind == T_FN;
}

bool token_starts_item(const TokenVec *tokens, int at)
{
    TokenKind next = at + 1 < tokens->len ? tokens->at[at + 1].kind : T_EOF;
    switch (tokens->at[at].kind) {
    case T_IMPORT:
    case T_TYPE:
    case T_STRUCT:
    case T_ENTRY:
    case T_PATTERN:
    case T_TEST:
    case T_ENUM:
    case T_HASH:
    case T_EXTERN: return true;
    case T_NAME:
        if (token_is_word(&tokens->at[at], "simd")) return starts_simd(tokens, at);
        if (token_is_word(&tokens->at[at], "pub")) return next == T_IMPORT;
        if (token_is_word(&tokens->at[at], "bench")) return next == T_STRING;
        return next == T_NAME && token_is_item_word(&tokens->at[at]);
    case T_FN:
    case T_CONST: return next != T_LPAREN; // fn(A) -> B is a type, const(v) a border mode
    default: return false;
    }
}

static bool balanced(const TokenStream *ts)
{
    VEC(TokenKind) open = {0};
    for (int i = 0; i < ts->tokens.len; i++) {
        TokenKind k = ts->tokens.at[i].kind;
        if (is_opening(k)) vec_push(ts->arena, &open, closing_of(k));
        if (is_closing(k) && (open.len == 0 || open.at[--open.len] != k)) return false;
    }
    return open.len == 0;
}

static Span token_place(const Matcher *m, const Token *t)
{
    return (Span){m->ts->file, t->lo, t->hi};
}

static void push(Matcher *m, Token t)
{
    t.level = m->open.len;
    vec_push(m->ts->arena, &m->out, t);
}

static void close_with(Matcher *m, Token closing)
{
    int open = m->open.at[--m->open.len];
    m->count[closing_of(m->out.at[open].kind)]--;
    closing.match = open;
    m->out.at[open].match = m->out.len;
    push(m, closing);
}

// Closes all but `keep` of the open brackets before the token `t`, and reports the innermost.
static void close_down_to(Matcher *m, int keep, const Token *t, const char *before)
{
    if (m->open.len == keep) return;
    const Token *open = &m->out.at[vec_last(&m->open)];
    const char *text = token_info[open->kind].text;
    Diag *d = diag_error(m->ts->cx, E0106, token_place(m, open), "this `%s` is not closed", text);
    if (t->kind != T_EOF) diag_note(m->ts->cx, d, token_place(m, t), "%s", before);
    while (m->open.len > keep) {
        TokenKind kind = closing_of(m->out.at[vec_last(&m->open)].kind);
        uint32_t place = m->out.at[m->out.len - 1].hi;
        close_with(
            m,
            (Token){
                .kind = kind, .lo = place, .hi = place, .reported = true, .comments = t->comments});
    }
}

// Whether the innermost open bracket is closed soon if the token at `from` is ignored.
static bool closes_soon(const Matcher *m, int from)
{
    enum { FAR = 200 };
    TokenKind wanted = closing_of(m->out.at[vec_last(&m->open)].kind);
    const TokenVec *tokens = &m->ts->tokens;
    int depth = 0;
    for (int i = from + 1; i < tokens->len && i < from + FAR; i++) {
        TokenKind k = tokens->at[i].kind;
        if (is_closing(k) && depth-- == 0) return k == wanted;
        depth += is_opening(k);
    }
    return false;
}

// Handles a closing bracket. It closes the innermost open bracket of its kind. If there is none,
// the token becomes T_BAD, except that a ] in place of a ), or a ) in place of a ], closes the
// innermost bracket unless a later bracket does.
static void match_closing(Matcher *m, int from)
{
    Token t = m->ts->tokens.at[from];
    if (m->count[t.kind] > 0) {
        int i = m->open.len - 1;
        while (closing_of(m->out.at[m->open.at[i]].kind) != t.kind) i--;
        close_down_to(m, i + 1, &t, "it should be closed before this bracket");
        close_with(m, t);
        return;
    }
    const char *text = token_info[t.kind].text;
    Diag *d = diag_error(m->ts->cx, E0107, token_place(m, &t), "this `%s` closes nothing", text);
    const Token *open = m->open.len > 0 ? &m->out.at[vec_last(&m->open)] : NULL;
    t.reported = true;
    if (!open || open->kind == T_LBRACE || t.kind == T_RBRACE || closes_soon(m, from)) {
        t.kind = T_BAD;
        push(m, t);
        return;
    }
    diag_note(m->ts->cx, d, token_place(m, open), "the innermost open bracket is this `%s`",
              token_info[open->kind].text);
    t.kind = closing_of(open->kind);
    close_with(m, t);
}

static bool in_first_column(const TokenStream *ts, const Token *t)
{
    return t->lo == 0 || ts->source->text[t->lo - 1] == '\n';
}

void lex_match_brackets(TokenStream *ts)
{
    Matcher m = {.ts = ts};
    bool good = balanced(ts);
    for (int i = 0; i < ts->tokens.len; i++) {
        Token t = ts->tokens.at[i];
        if (!good && token_starts_item(&ts->tokens, i) && in_first_column(ts, &t))
            close_down_to(&m, 0, &t, "it is still open where this item begins");
        if (t.kind == T_EOF) close_down_to(&m, 0, &t, "");
        if (is_closing(t.kind)) {
            match_closing(&m, i);
            continue;
        }
        push(&m, t);
        if (!is_opening(t.kind)) continue;
        vec_push(ts->arena, &m.open, m.out.len - 1);
        m.count[closing_of(t.kind)]++;
    }
    ts->tokens = m.out;
}
