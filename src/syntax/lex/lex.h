// Tokens, and the state of the parser that reads them.
//
// The lexer turns the whole file into a vector of tokens that ends in T_EOF. lex_match_brackets
// then pairs the brackets and inserts missing ones, so that the parser can always recover at the
// end of the innermost list or block.
#ifndef ADZE_SYNTAX_LEX_H
#define ADZE_SYNTAX_LEX_H

#include "syntax/tree/ast.h"

/// Precedence of binary operators, lowest first. All are left-associative except comparisons, which
/// do not associate. PREC_ELSE and PREC_APPLY_AT belong to the operators of strategies.
typedef enum {
    PREC_NONE,
    PREC_ELSE,
    PREC_APPLY_AT,
    PREC_PIPE,
    PREC_COMPOSE,
    PREC_OR,
    PREC_AND,
    PREC_COMPARE,
    PREC_BIT_OR,
    PREC_BIT_XOR,
    PREC_BIT_AND,
    PREC_CONCAT,
    PREC_SHIFT,
    PREC_SUM,
    PREC_PRODUCT,
    PREC_CAST,
} Prec;

typedef enum { VALUE, WORD, PUNCT, ASSIGN } TokenClass;

typedef enum {
#define TOKEN(kind, text, class, prec, function) kind,
#include "syntax/lex/token.def"
#undef TOKEN
    TOKEN_COUNT
} TokenKind;

typedef struct {
    const char *text;
    int len;
    TokenClass class;
    Prec prec;
    bool function;
} TokenInfo;

extern const TokenInfo token_info[TOKEN_COUNT];

typedef struct {
    TokenKind kind;
    uint32_t lo, hi;
    bool reported; // an error was reported, so the parser reports none here
    int match;     // the index of the partner, for a bracket
    int level;     // the number of enclosing brackets
    int comments;  // the number of comments before this token in the file
    Sym name;      // the spelling of a name; the suffix of a literal, or NULL if it has none
    union {
        uint64_t integer;
        double number;
        const char *string;
    } value;
} Token;

typedef VEC(Token) TokenVec;

/// A comment. `doc` is true if it begins with ///, `taken` if it has become the doc of an item.
typedef struct {
    Comment comment;
    bool doc, taken;
} Remark;

typedef struct {
    Session *cx;
    Arena *arena; // for the tokens, which take several times the memory of the tree
    uint32_t file;
    const Source *source;
    TokenVec tokens;
    VEC(Remark) remarks;
    // The kinds whose text begins with a character: first[c], then next[kind], up to TOKEN_COUNT.
    unsigned char first[128], next[TOKEN_COUNT];
} TokenStream;

/// Reads all tokens, and reports text that is not a token. The stream ends in T_EOF. Its tokens
/// live until lex_end, or as long as the session.
TokenStream lex_source(Session *cx, uint32_t file);

/// Frees the tokens.
void lex_end(TokenStream *ts);

/// Reads the number that starts at `lo` into *t; `component` allows digits only, as in t.0.1.
void lex_number(const TokenStream *ts, uint32_t lo, bool component, Token *t);

/// Pairs the brackets, and reports those without a partner. Inserts missing closing brackets as
/// empty tokens; turns closing brackets that close nothing into T_BAD.
void lex_match_brackets(TokenStream *ts);

/// Whether token `at` begins an item: it is an item keyword that cannot appear in an expression or
/// a type, or a contextual keyword of rules, strategies or schedules that precedes a name, or bench
/// before a title.
bool token_starts_item(const TokenVec *tokens, int at);

/// Whether the token is this contextual keyword, which is an ordinary name elsewhere.
bool token_is_word(const Token *t, const char *word);

/// Whether the token is a contextual keyword that can begin an item: rule, contract, reassociate,
/// strategy, schedule or bench.
bool token_is_item_word(const Token *t);

/// Returns the value of a hexadecimal digit, or -1 if `c` is none.
int hex_value(char c);

static inline bool is_opening(TokenKind k)
{
    return k == T_LPAREN || k == T_LBRACKET || k == T_LBRACE;
}

static inline bool is_closing(TokenKind k)
{
    return k == T_RPAREN || k == T_RBRACKET || k == T_RBRACE;
}

static inline TokenKind closing_of(TokenKind open)
{
    return open == T_LPAREN ? T_RPAREN : open == T_LBRACKET ? T_RBRACKET : T_RBRACE;
}

/// Whether this is break, continue or return. Each names a continuation that the enclosing loop or
/// function binds.
static inline bool is_jump(TokenKind k)
{
    return k == T_BREAK || k == T_CONTINUE || k == T_RETURN;
}

/// The parser. An error sets `panic`, which suppresses further errors until the parser has
/// recovered at the next element of a list, the next statement or the next item.
typedef struct {
    Session *cx;
    TokenStream ts;
    int pos;
    int next_id;
    int depth; // the number of nested productions
    bool panic;
    bool no_struct; // `name {` is not a struct literal, as before a block and in a where clause
} Parser;

/// Returns a hint for text that begins with a character that is not allowed in programs, or NULL if
/// there is none.
const char *foreign_text(const char *text);
/// Returns a hint for letters after the digits of a number, or NULL if there is none.
const char *foreign_suffix(const char *suffix);
/// Returns a hint for the current token if it begins a construct with a block in other languages.
/// Returns NULL otherwise.
const char *foreign_construct(const Parser *p);
/// Returns a hint for an unexpected current token, or NULL if there is none. `outside` is true if
/// the token is between items.
const char *foreign_tokens(const Parser *p, bool outside);

#endif
