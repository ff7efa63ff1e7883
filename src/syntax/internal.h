// What the files of syntax/ share: tokens, the parser's state, the printer.
//
// The lexer turns the whole file into a vector of tokens that ends in T_EOF. lex_match_brackets
// then makes every bracket find its partner, putting in what is missing; so the parser, when a
// piece is wrong, can always step to the end of the innermost list or block and go on there.
#ifndef ADZE_SYNTAX_INTERNAL_H
#define ADZE_SYNTAX_INTERNAL_H

#include "syntax/ast.h"

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
#include "syntax/token.def"
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

/// Whether the token is a word that begins an item where one can begin: rule, contract, reassociate,
/// strategy or schedule.
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

/// Whether a block stands for an assignment to a tuple of places.
static inline bool is_tuple_assignment(const Ast *e)
{
    return e->kind == AST_BLOCK && e->value.written;
}

/// Whether e ends in a block, so that as a statement it needs no `;` and as an arm no comma.
static inline bool ast_is_block_like(const Ast *e)
{
    return (e->kind == AST_BLOCK && !is_tuple_assignment(e)) || e->kind == AST_IF ||
           e->kind == AST_WHILE || e->kind == AST_LOOP || e->kind == AST_FOR ||
           e->kind == AST_WITH || e->kind == AST_MATCH || e->kind == AST_UNCHECKED ||
           e->kind == AST_SCALAR || e->kind == AST_SEQUENCE || e->kind == AST_FN;
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

// parse.c: the common part.
Token *parse_current(Parser *p);
bool parse_at(Parser *p, TokenKind kind);
TokenKind parse_peek(Parser *p, int ahead);
void parse_advance(Parser *p);
bool parse_accept(Parser *p, TokenKind kind);
bool parse_accept_word(Parser *p, const char *word);
bool parse_expect(Parser *p, TokenKind kind, const char *where);
Sym parse_expect_name(Parser *p, const char *what, Span *span);
Span parse_token_span(Parser *p);
Span parse_span_since(Parser *p, uint32_t lo);
const char *parse_describe(Parser *p);
Diag *parse_fail(Parser *p, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// The same where no hint for other languages suits what is expected.
Diag *parse_fail_plainly(Parser *p, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void parse_help(Parser *p, Diag *d, const char *text);
bool parse_on_new_line(Parser *p);
bool parse_enter(Parser *p);
void parse_leave(Parser *p);
int parse_open_list(Parser *p);
bool parse_in_list(const Parser *p, int open);
void parse_end_element(Parser *p, int open);
void parse_close_list(Parser *p, int open);
Ast *ast_new(Parser *p, AstKind kind, uint32_t lo);
void ast_add(Parser *p, Ast *e, Ast *kid);
Ast *ast_done(Parser *p, Ast *e);
Ast *ast_error(Parser *p);
void parse_skip_one(Parser *p);
void parse_skip_to_item(Parser *p);
void parse_find_block(Parser *p, int level, const char *what);
bool parse_never_closed(const Parser *p, int open);
void parse_need_call(Parser *p, const Ast *e, const char *what, const char *hint);

// parse_expr.c
Ast *parse_expr(Parser *p);
Ast *parse_expr_from(Parser *p, Ast *left);
Ast *parse_condition(Parser *p);
Ast *parse_operand(Parser *p);
Ast *parse_prefix(Parser *p);
bool parse_at_infix(Parser *p);
void parse_take_operator(Parser *p, Ast *e);

// parse_primary.c
Ast *parse_primary(Parser *p);
Ast *parse_postfix(Parser *p, Ast *left);
Ast *parse_literal(Parser *p);
void parse_inside(Parser *p, Ast *e, void (*inside)(Parser *p, Ast *e));
Ast *parse_bracketed(Parser *p, AstKind kind, void (*inside)(Parser *p, Ast *e));
void parse_parentheses(Parser *p, Ast *e, Ast *(*element)(Parser *p));
void parse_arguments(Parser *p, Ast *e);
void parse_elements(Parser *p, Ast *e);
void parse_index(Parser *p, Ast *e);

// parse_block.c
Ast *parse_block(Parser *p);
bool parse_at_block_like(Parser *p);
Ast *parse_block_like(Parser *p);
Ast *parse_bare_value(Parser *p);
Ast *parse_end_block(Parser *p, Ast *e, int level);
void parse_end_statement(Parser *p, int errors);
void parse_recover_statement(Parser *p, int open, int from);

// parse_with.c
bool parse_at_with_loop(Parser *p);
Ast *parse_with_loop(Parser *p);

// parse_match.c
Ast *parse_match(Parser *p);

// parse_binding.c
typedef enum {
    BIND_LET,       // the type of the whole belongs to the `let`
    BIND_PARAMETER, // of a lambda or a loop: names may have types
    BIND_ARM,       // of match: values and options as well
    BIND_FIELD,     // a field of a struct by its own name
} BindPlace;

Ast *parse_binding(Parser *p, BindPlace place);

// parse_type.c
Ast *parse_type(Parser *p);
/// The same, behind which `strided` may stand.
Ast *parse_strided_type(Parser *p);
/// The result of a function; `strided` says whether that may stand behind it, or its components.
Ast *parse_result_type(Parser *p, bool strided);
bool starts_pure_type(Parser *p);
void parse_generic_args(Parser *p, Ast *e);

// parse_signature.c
void parse_item_name(Parser *p, Item *item, const char *what);
const char *parse_docs(Parser *p);
void parse_generics(Parser *p, Item *item);
void parse_params(Parser *p, Item *item, TokenKind bracket, const char *what);
Ast *parse_filter(Parser *p);
void parse_where(Parser *p, Item *item);
void parse_signature(Parser *p, Item *item, const char *what);

// parse_item.c
bool parse_at_item(Parser *p);
bool parse_at_nested(Parser *p);
Ast *parse_nested(Parser *p);
Item *parse_item(Parser *p);

// parse_strategy.c
Ast *parse_strategy(Parser *p);
Ast *parse_sequence(Parser *p);

// parse_schedule.c
extern const char *const float_class_text[];
void parse_rule(Parser *p, Item *item);
void parse_strategy_item(Parser *p, Item *item);
void parse_schedule(Parser *p, Item *item);

/// Writes on one line. Measuring writes nothing and stops as soon as `room` columns are used up or
/// a block with statements, a loop or a match is met. `source` gives the spelling of literals; NULL:
/// a canonical one.
typedef struct {
    Text *out;
    const Source *source;
    bool measure, full;
    int room;
} Printer;

void printer_ast(Printer *pr, const Ast *e);
void printer_text(Printer *pr, const char *text);
void printer_generator_head(Printer *pr, const Ast *e);
void printer_string(Printer *pr, const char *text);
void printer_function(Printer *pr, const Item *item);
bool is_empty_block(const Ast *e);
bool statement_has_semicolon(const Ast *block, int i);

/// The formatter. Text goes to `out`; comments are printed when the line they belong to is reached.
typedef struct {
    Session *cx;
    Text *out;
    const Module *module;
    const Source *source;
    int indent; // of the lines that begin now
    int next;   // the first comment not printed yet
} Format;

enum { LINE_WIDTH = 100, INDENT = 4 };

// format.c: lines and comments.
Printer format_flat(Format *f);
Printer format_measure(Format *f, int reserve);
bool format_has_comment(const Format *f, uint32_t lo, uint32_t hi);
void format_new_line(Format *f);
void format_start_line(Format *f, uint32_t lo, bool first);
void format_finish_line(Format *f, uint32_t hi, uint32_t next);
void format_flush_comments(Format *f, uint32_t before, bool first);
void format_trailing(Format *f, uint32_t hi, uint32_t next);
bool format_blank_above(const Format *f, uint32_t at, bool docs);
void format_empty_line(Format *f);

// format_item.c
void format_item(Format *f, const Item *item, uint32_t next);
void format_function(Format *f, const Item *item);

// format_expr.c
typedef struct {
    const char *open, *close;
    bool comma;      // after the last element, too
    uint32_t lo, hi; // from behind the opening bracket to the end
} Brackets;

void format_ast(Format *f, const Ast *e, int reserve);
void format_put(Format *f, const Ast *e);
void format_list(Format *f, Brackets b, Ast *const *at, int len);
void format_equation(Format *f, const Ast *left, const Ast *right);

// format_block.c
void format_block(Format *f, const Ast *e);
void format_if(Format *f, const Ast *e);
void format_construct(Format *f, const Ast *e);
void format_generator(Format *f, const Ast *e);
void format_with_loop(Format *f, const Ast *e, int reserve);
void format_match(Format *f, const Ast *e);
void format_rule(Format *f, const Ast *e);
void format_arm(Format *f, const Ast *e);
void format_let(Format *f, const Ast *e);
void format_assignment(Format *f, const Ast *e);

#endif
