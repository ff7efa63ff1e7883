// Numbers: 12, 0xff, 0b1010, 1_000, 1.5, 1e-3, each with an optional type attached: 3u8, 1.0f64.
#include "syntax/lex/lex.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A number that has been read from `lo` up to `at` so far.
typedef struct {
    const TokenStream *ts;
    const char *text;
    uint32_t lo, at;
} Number;

static Span number_span(const Number *n)
{
    return (Span){n->ts->file, n->lo, n->at};
}

static bool digit_at(const Number *n, uint32_t at)
{
    return n->text[at] >= '0' && n->text[at] <= '9';
}

static void skip_digits(Number *n)
{
    while (digit_at(n, n->at) || n->text[n->at] == '_') n->at++;
}

// Returns the class in scalar.def of the type attached to a literal, or NULL if the suffix is not a
// numeric type.
static const char *suffix_class(const char *suffix, size_t len)
{
    static const struct {
        const char *text, *class;
    } scalars[] = {
#define SCALAR(kind, text, size, class, c_type) {text, #class},
#include "ir/scalar.def"
#undef SCALAR
    };
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (strlen(scalars[i].text) == len && memcmp(scalars[i].text, suffix, len) == 0)
            return strcmp(scalars[i].class, "CLASS_BOOL") == 0 ? NULL : scalars[i].class;
    return NULL;
}

static void help_suffix(const Number *n, Diag *d, uint32_t start)
{
    Arena *arena = n->ts->cx->arena;
    const char *suffix = arena_strndup(arena, n->text + start, n->at - start);
    const char *help = foreign_suffix(suffix);
    if (help)
        diag_help(n->ts->cx, d, "%s", help);
    else if (isalpha((unsigned char)suffix[0]) && strpbrk(suffix, "0123456789") == NULL)
        diag_help(n->ts->cx, d, "write a product as %.*s * %s", (int)(start - n->lo),
                  n->text + n->lo, suffix);
    else
        diag_help(n->ts->cx, d, "a number may have its type as a suffix, as in 3u8 or 1.5f64");
}

// Reads the suffix, and returns whether it makes the literal a float.
static bool read_suffix(Number *n, bool is_float, Token *t)
{
    uint32_t start = n->at;
    while (isalnum((unsigned char)n->text[n->at]) || n->text[n->at] == '_') n->at++;
    if (n->at == start) return false;
    size_t len = n->at - start;
    const char *class = suffix_class(n->text + start, len);
    Span span = {n->ts->file, start, n->at};
    if (!class) {
        Diag *d = diag_error(n->ts->cx, E0104, span, "`%.*s` cannot follow the digits of a number",
                             (int)len, n->text + start);
        help_suffix(n, d, start);
        return false;
    }
    t->name = sym_intern(n->ts->cx->syms, n->text + start, len);
    bool makes_float = strcmp(class, "CLASS_FLOAT") == 0;
    if (is_float && !makes_float)
        diag_error(n->ts->cx, E0104, span,
                   "a number with a fraction or an exponent cannot have the type `%s`",
                   t->name->text);
    return makes_float;
}

// Returns the integer that the digits [lo, hi) denote. Reports digits beyond the radix and values
// above 2^64 - 1.
static uint64_t read_integer(const Number *n, uint32_t lo, uint32_t hi, unsigned radix)
{
    uint64_t value = 0;
    bool any = false, over = false;
    for (uint32_t i = lo; i < hi; i++) {
        if (n->text[i] == '_') continue;
        unsigned digit = (unsigned)hex_value(n->text[i]);
        any = true;
        if (digit >= radix) {
            Span span = {n->ts->file, i, i + 1};
            diag_error(n->ts->cx, E0104, span, "`%c` is not a digit of a binary number",
                       n->text[i]);
            return 0;
        }
        over |= __builtin_mul_overflow(value, radix, &value);
        over |= __builtin_add_overflow(value, digit, &value);
    }
    if (!any) diag_error(n->ts->cx, E0104, number_span(n), "this number has no digits");
    if (!over) return value;
    Diag *d = diag_error(n->ts->cx, E0105, number_span(n), "this integer does not fit in 64 bits");
    diag_help(n->ts->cx, d, "the largest is 18446744073709551615");
    return 0;
}

// Returns the number that the digits [lo, hi) denote. Without the _, they have the form that strtod
// reads.
static double read_float(const Number *n, uint32_t lo, uint32_t hi)
{
    char *digits = arena_alloc(n->ts->cx->arena, hi - lo + 1);
    size_t len = 0;
    for (uint32_t i = lo; i < hi; i++)
        if (n->text[i] != '_') digits[len++] = n->text[i];
    double value = strtod(digits, NULL);
    if (!isinf(value)) return value;
    diag_error(n->ts->cx, E0105, number_span(n), "this number is too large for any float type");
    return 0;
}

// integer = ("0x" hex | "0b" bit) { hex | bit | "_" } [type]
static void lex_radix(Number *n, Token *t)
{
    unsigned radix = n->text[n->at + 1] == 'x' ? 16 : 2;
    uint32_t start = n->at += 2;
    while ((radix == 16 && isxdigit((unsigned char)n->text[n->at])) || digit_at(n, n->at) ||
           n->text[n->at] == '_')
        n->at++;
    uint32_t end = n->at;
    t->kind = T_INT;
    if (read_suffix(n, false, t))
        diag_error(n->ts->cx, E0104, number_span(n), "write floats with decimal digits");
    t->value.integer = read_integer(n, start, end, radix);
}

// Reports `2.` if it is meant as a float, that is, if neither a component nor a field nor another
// point follows the point. Returns whether it was reported.
static bool ends_in_point(Number *n)
{
    unsigned char next = (unsigned char)n->text[n->at + 1];
    if (next == '.' || next == '_' || isalpha(next)) return false;
    n->at++;
    Diag *d = diag_error(n->ts->cx, E0104, number_span(n), "a digit is missing after the point");
    Span end = {n->ts->file, n->at, n->at};
    diag_fix(n->ts->cx, d, end, "0", "write %.*s0", (int)(n->at - n->lo), n->text + n->lo);
    return true;
}

// number = digit { digit | "_" } ["." digit { digit | "_" }] [("e"|"E") ["+"|"-"] digit { digit |
// "_" }] [type]
void lex_number(const TokenStream *ts, uint32_t lo, bool component, Token *t)
{
    Number n = {.ts = ts, .text = ts->source->text, .lo = lo, .at = lo};
    const char *s = n.text;
    if (!component && s[lo] == '0' && (s[lo + 1] == 'x' || s[lo + 1] == 'b')) {
        lex_radix(&n, t);
        t->hi = n.at;
        return;
    }
    bool is_float = false;
    skip_digits(&n);
    if (!component && s[n.at] == '.' && digit_at(&n, n.at + 1)) {
        is_float = true;
        n.at++;
        skip_digits(&n);
    }
    if (!component && s[n.at] == '.' && !is_float && ends_in_point(&n)) is_float = true;
    uint32_t sign = n.at + 1 + (s[n.at] && (s[n.at + 1] == '+' || s[n.at + 1] == '-'));
    if (!component && (s[n.at] == 'e' || s[n.at] == 'E') && digit_at(&n, sign)) {
        is_float = true;
        n.at = sign;
        skip_digits(&n);
    }
    uint32_t end = n.at;
    is_float |= read_suffix(&n, is_float, t);
    t->kind = is_float ? T_FLOAT : T_INT;
    if (is_float)
        t->value.number = read_float(&n, lo, end);
    else
        t->value.integer = read_integer(&n, lo, end, 10);
    t->hi = n.at;
}
