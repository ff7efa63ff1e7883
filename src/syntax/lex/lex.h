// Tokens, and the state of a parser in them.
//
// The lexer turns the whole file into a vector of tokens that ends in T_EOF. lex_match_brackets
// then makes every bracket find its partner, putting in what is missing; so the parser, when a
// piece is wrong, can always step to the end of the innermost list or block and go on there.
#ifndef ADZE_SYNTAX_LEX_H
#define ADZE_SYNTAX_LEX_H

#include "syntax/tree/ast.h"

/// Binding strength of binary operators, loosest first. All are left-associative but comparisons,
/// which do not associate. The first two are of strategies only.
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
    bool reported; // its fault is known already: the parser is silent about it
    int match;     // of a bracket: the index of its partner
    int level;     // how many brackets are open around it
    int comments;  // how many comments stand before this token in the file
    Sym name;      // the name's spelling; the literal's suffix or NULL
    union {
        uint64_t integer;
        double number;
        const char *string;
    } value;
} Token;

typedef VEC(Token) TokenVec;

/// A comment as the lexer finds it; a doc that belongs to an item is taken by the parser.
typedef struct {
    Comment comment;
    bool doc, taken;
} Remark;

typedef struct {
    Session *cx;
    uint32_t file;
    const Source *source;
    TokenVec tokens;
    VEC(Remark) remarks;
} TokenStream;

/// Reads all tokens, reporting text that is none. The stream ends in T_EOF.
TokenStream lex_source(Session *cx, uint32_t file);

/// Reads the number that starts at `lo` into *t; `component` allows digits only, as in t.0.1.
void lex_number(const TokenStream *ts, uint32_t lo, bool component, Token *t);

/// Pairs the brackets, reporting those without a partner. Missing closing ones are put in, as
/// tokens of no length; closing ones that close nothing become T_BAD.
void lex_match_brackets(TokenStream *ts);

/// Whether token `at` begins an item: a keyword of items that cannot stand in an expression or a
/// type, or one of the words of rules, strategies and schedules with a name behind it.
bool token_starts_item(const TokenVec *tokens, int at);
/// Whether the word `simd` begins a function there: simd[n] fn.
bool token_starts_simd(const TokenVec *tokens, int at);

/// Whether the token is this word, which is a name everywhere but where the grammar asks for it.
bool token_is_word(const Token *t, const char *word);

/// Whether the token is a word that begins an item where one can begin: rule, contract,
/// reassociate, strategy or schedule.
bool token_is_item_word(const Token *t);

static inline bool is_opening(TokenKind k)
{
    return k == T_LPAREN || k == T_LBRACKET || k == T_LBRACE;
}

static inline bool is_closing(TokenKind k)
{
    return k == T_RPAREN || k == T_RBRACKET || k == T_RBRACE;
}

/// The words that are names of values, bound by the loops and functions that they leave.
static inline bool is_jump(TokenKind k)
{
    return k == T_BREAK || k == T_CONTINUE || k == T_RETURN;
}

/// The parser. `panic` is set by an error and silences further ones until a place is reached where
/// parsing can safely go on: the next element of a list, the next statement, the next item.
typedef struct {
    Session *cx;
    TokenStream ts;
    int pos;
    int next_id;
    int depth; // of nested productions
    bool panic;
    bool no_struct; // `name {` is not a struct literal here: the heads of blocks and where clauses
} Parser;

/// What to write instead of a text that begins with a character that cannot stand in a program;
/// NULL when nothing is known.
const char *foreign_text(const char *text);
/// The same for letters behind the digits of a number.
const char *foreign_suffix(const char *suffix);
/// The same for the name at hand if it begins a construct that other languages have, with a block.
const char *foreign_construct(const Parser *p);
/// The same for the token at hand, which the grammar does not expect there. `outside`: between
/// items.
const char *foreign_tokens(const Parser *p, bool outside);

#endif
