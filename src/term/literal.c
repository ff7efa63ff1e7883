// Prints and reads literals. A literal is printed as the shortest text that reads back as the same
// bits.
#include "term/internal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CANONICAL_NAN 0x7ff8000000000000u

static double as_double(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t as_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

// Adds digits until the text, rounded to the type, reads back as the same number.
static const char *shortest(Arena *arena, Scalar s, double x)
{
    char text[40];
    if (fabs(x) < 1e7 && x == rint(x)) return arena_printf(arena, "%.1f", x);
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (scalar_round(s, strtod(text, NULL)) == x) break;
    }
    bool whole = !strpbrk(text, ".e");
    return arena_printf(arena, "%s%s", text, whole ? ".0" : "");
}

static const char *float_text(Arena *arena, Node *e)
{
    double x = as_double(e->attr.bits);
    Scalar s = (Scalar)e->type->attr.i;
    if (e->attr.bits == CANONICAL_NAN) return "nan";
    if (isinf(x)) return x < 0 ? "-inf" : "inf";
    if (isnan(x) || scalar_round(s, x) != x)
        return arena_printf(arena, "0x%llx", (unsigned long long)e->attr.bits);
    return shortest(arena, s, x);
}

const char *literal_text(Arena *arena, Node *e)
{
    uint64_t bits = e->attr.bits;
    if (e->type && type_is_float(e->type)) return float_text(arena, e);
    bool scalar = e->type && e->type->kind == TYPE_SCALAR;
    if (scalar && scalar_info[e->type->attr.i].class == CLASS_UINT)
        return arena_printf(arena, "%llu", (unsigned long long)bits);
    return arena_printf(arena, "%lld", (long long)bits);
}

const char *literal_atom(Arena *arena, Node *e)
{
    if (!e->type || e->type->kind != TYPE_SCALAR) return NULL;
    Scalar s = (Scalar)e->type->attr.i;
    if (scalar_info[s].class == CLASS_FLOAT) {
        double x = as_double(e->attr.bits);
        if (!isfinite(x) || scalar_round(s, x) != x) return NULL;
    } else if (scalar_wrap(s, e->attr.bits) != e->attr.bits) {
        return NULL;
    }
    if (s == SCALAR_BOOL) return e->attr.bits ? "true" : "false";
    const char *text = literal_text(arena, e);
    if (s == SCALAR_I32 || s == SCALAR_F32) return text;
    return arena_printf(arena, "%s%s", text, scalar_info[s].text);
}

static bool is_hexadecimal(const char *text)
{
    return text[0] == '0' && text[1] == 'x';
}

bool read_literal_bits(TermReader *r, Node *type, uint64_t *bits, const char *text)
{
    char *end = NULL;
    errno = 0;
    if (is_hexadecimal(text)) {
        *bits = strtoull(text, &end, 16);
    } else if (type_is_float(type)) {
        double x = strcmp(text, "nan") == 0 ? as_double(CANONICAL_NAN) : strtod(text, &end);
        *bits = x != x ? CANONICAL_NAN : as_bits(scalar_round((Scalar)type->attr.i, x));
        errno = 0; // a tiny number is rounded, not rejected
        if (x != x) return true;
    } else {
        *bits = text[0] == '-' ? (uint64_t)strtoll(text, &end, 10) : strtoull(text, &end, 10);
    }
    if (end != text && *end == '\0' && errno == 0) return true;
    term_read_fail(r, "`%s` is not a number", text);
    return false;
}

// Cuts off a suffix that names a scalar type, and returns that type. Without a suffix, the form of
// the number determines the type.
static Scalar cut_suffix(char *text)
{
    size_t len = strlen(text);
    for (int s = 0; s < SCALAR_COUNT; s++) {
        size_t n = strlen(scalar_info[s].text);
        if (len <= n || strcmp(text + len - n, scalar_info[s].text) != 0) continue;
        text[len - n] = '\0';
        return (Scalar)s;
    }
    return strpbrk(text, ".e") ? SCALAR_F32 : SCALAR_I32;
}

Node *read_literal(TermReader *r)
{
    Sym word = read_word(r);
    if (!word) return NULL;
    char *text = arena_strndup(r->cx->arena, word->text, word->len);
    NodeSpec s = {.kind = CORE_LIT};
    if (is_hexadecimal(text)) return term_read_fail(r, "bits need a type: (lit %s : f32)", text);
    Scalar scalar = cut_suffix(text);
    s.type = type_scalar(r->cx, scalar);
    if (!read_literal_bits(r, s.type, &s.attr.bits, text)) return NULL;
    if (scalar_info[scalar].class != CLASS_FLOAT && scalar_wrap(scalar, s.attr.bits) != s.attr.bits)
        return term_read_fail(r, "%s is not a value of type %s", text, scalar_info[scalar].text);
    return node_make(r->cx, &s);
}
