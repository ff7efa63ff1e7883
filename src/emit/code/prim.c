// Scalar operators and casts, spelled so that the C code has the semantics of Adze and no
// undefined behaviour: signed arithmetic goes through the unsigned type of the same width, and
// casts from floats saturate.
#include "emit/code/code.h"

#include <ctype.h>
#include <string.h>

typedef enum { FLOATS, HALVES, FIELD, SIGNED, UNSIGNED, BOOLS } Family;

static Family family_of(const Emitter *e, Scalar s)
{
    switch (scalar_info[s].class) {
    case CLASS_BOOL: return BOOLS;
    case CLASS_INT: return SIGNED;
    case CLASS_UINT: return UNSIGNED;
    case CLASS_FLOAT: break;
    }
    if (e->options->field) return FIELD;
    return s == SCALAR_F16 ? HALVES : FLOATS;
}

static const char *unsigned_type(Scalar s)
{
    return scalar_info[scalar_unsigned(s)].ctype;
}

static void call(Emitter *e, const char *function, Node *x)
{
    text_printf(e->out, "%s(%s)", function, operands_text(e, x));
}

// Writes a call to adze_NAME_TYPE, which is in the section NAME_TYPE of the support header.
static void support_call(Emitter *e, const char *name, Scalar s, Node *x)
{
    const char *section = arena_printf(e->arena, "%s_%s", name, scalar_info[s].text);
    support_need(e, section);
    call(e, arena_printf(e->arena, "adze_%s", section), x);
}

static int infix_prec(Prim op)
{
    switch (prim_info[op].spelling) {
    case SPELT_SUM: return PREC_ADD;
    case SPELT_PRODUCT: return PREC_MUL;
    case SPELT_SHIFT: return PREC_SHIFT;
    case SPELT_ORDER: return PREC_REL;
    case SPELT_EQUALITY: return PREC_EQ;
    case SPELT_BITAND: return PREC_BITAND;
    case SPELT_BITXOR: return PREC_BITXOR;
    case SPELT_BITOR: return PREC_BITOR;
    case SPELT_PREFIX:
    case SPELT_CALL:
    case SPELT_LIBRARY: break;
    }
    return PREC_PRIMARY;
}

static bool is_comparison(Prim op)
{
    return prim_info[op].result == GIVES_BOOL;
}

static bool is_constant(Node *x)
{
    return x->kind == CORE_LIT || (x->kind == CORE_NAT && x->op[0]->kind == NAT_CONST);
}

static bool has_bits(Node *x, uint64_t bits)
{
    return x->kind == CORE_LIT && x->attr.bits == bits;
}

// Returns the comparison that is equivalent to `op` with its operands exchanged.
static Prim mirrored(Prim op)
{
    switch (op) {
    case PRIM_LT: return PRIM_GT;
    case PRIM_LE: return PRIM_GE;
    case PRIM_GT: return PRIM_LT;
    case PRIM_GE: return PRIM_LE;
    default: return op;
    }
}

// If an operand of a comparison complements an integer narrower than int, returns that complement.
// Returns NULL otherwise. gcc warns about such a complement, since C computes it as an int; a call
// hides it from gcc.
static Node *complement_in(Node *x)
{
    bool cast = x->kind == CORE_CAST;
    while (x->kind == CORE_CAST) x = x->op[0];
    Scalar s = emit_scalar_of(x->type);
    bool narrow =
        s == SCALAR_U8 || s == SCALAR_U16 || (cast && (s == SCALAR_I8 || s == SCALAR_I16));
    if (x->kind != CORE_PRIM || !narrow) return NULL;
    uint64_t all = scalar_wrap(s, UINT64_MAX);
    bool flips = x->attr.i == PRIM_XOR && (has_bits(x->op[0], all) || has_bits(x->op[1], all));
    return flips || x->attr.i == PRIM_NOT ? x : NULL;
}

static void operand(Emitter *e, Node *x, bool compared, int min)
{
    if (compared) e->complement = complement_in(x);
    emit_expr(e, x, min);
    e->complement = NULL;
}

// Whether the condition is that a sum of sizes exceeds 64 bits: sum >= INT64_MAX.
static bool is_overflow_test(Node *x)
{
    int64_t limit;
    return x->attr.i == PRIM_GE && x->op[0]->kind == CORE_NAT && x->op[1]->kind == CORE_NAT &&
           nat_is_const(x->op[1]->op[0], &limit) && limit == INT64_MAX;
}

static void overflow_test(Emitter *e, Node *x, int min)
{
    bool p = emit_open(e, PREC_EQ, min);
    text_put(e->out, emit_overflow_test(e, x->op[0]->op[0]));
    emit_close(e, p);
}

// Writes a OP b. Operands of comparisons and bit operators get parentheses unless they are simple
// or arithmetic, as -Wparentheses requires.
static void infix(Emitter *e, Node *x, int min)
{
    Prim op = (Prim)x->attr.i;
    Node *a = x->op[0], *b = x->op[1];
    bool compares = is_comparison(op);
    if (is_overflow_test(x)) {
        overflow_test(e, x, min);
        return;
    }
    if (compares && is_constant(a) && !is_constant(b)) { // n > 0 reads better than 0 < n
        op = mirrored(op);
        a = x->op[1], b = x->op[0];
    }
    int own = infix_prec(op);
    int left = own, right = own + 1;
    if (own != PREC_ADD && own != PREC_MUL)
        left = right = own <= PREC_BITAND || own == PREC_SHIFT ? PREC_UNARY : PREC_ADD;
    bool p = emit_open(e, own, min);
    operand(e, a, compares, left);
    text_printf(e->out, " %s ", prim_info[op].c);
    operand(e, b, compares, right);
    emit_close(e, p);
}

// Writes & or |. The cast says that this is not a mistake for && or ||, which compilers warn of.
static void eager(Emitter *e, Node *x, int min)
{
    int own = infix_prec((Prim)x->attr.i);
    bool p = emit_open(e, own, min);
    for (int i = 0; i < 2; i++) {
        Node *operand = x->op[i];
        bool same = operand->kind == CORE_PRIM && operand->attr.i == x->attr.i;
        if (i) text_printf(e->out, " %s ", prim_info[x->attr.i].c);
        if (operand->variant == VARIANT_EAGER) {
            emit_expr(e, operand, same ? own : PREC_UNARY);
        } else {
            text_put(e->out, "(int)");
            emit_expr(e, operand, PREC_UNARY);
        }
    }
    emit_close(e, p);
}

// Writes an operator on bools. Adze's & and | become && and ||. Unlike these, they evaluate both
// operands, which makes a difference only to the C compiler.
static void bool_prim(Emitter *e, Node *x, int min)
{
    Prim op = (Prim)x->attr.i;
    if (op == PRIM_NOT) {
        if (emit_of_no_lane(e, x->op[0], min)) return;
        text_char(e->out, '!');
        emit_expr(e, x->op[0], PREC_PRIMARY);
        return;
    }
    if (prim_is_hint(op) && e->kernel) { // compilers of OpenCL need not know __builtin_expect
        emit_expr(e, x->op[0], min);
        return;
    }
    if (prim_is_hint(op)) {
        support_call(e, prim_info[op].text, SCALAR_BOOL, x);
        return;
    }
    if (op != PRIM_AND && op != PRIM_OR) {
        infix(e, x, min);
        return;
    }
    if (x->variant == VARIANT_EAGER) {
        eager(e, x, min);
        return;
    }
    int own = op == PRIM_AND ? PREC_AND : PREC_OR;
    bool p = emit_open(e, own, min);
    for (int i = 0; i < 2; i++) { // mixed && and || get parentheses
        Node *operand = x->op[i];
        bool same = operand->kind == CORE_PRIM && operand->attr.i == x->attr.i;
        if (i) text_put(e->out, op == PRIM_AND ? " && " : " || ");
        emit_expr(e, operand, same ? own : PREC_BITOR);
    }
    emit_close(e, p);
}

static bool is_zero(Node *x)
{
    double number;
    memcpy(&number, &x->attr.bits, sizeof number);
    return x->kind == CORE_LIT && number == 0;
}

// Whether gcc may make assumptions about the sign of x if x is zero. It makes none about memory,
// variables, and results of +, -, * and /.
static bool has_sign(Node *x)
{
    if (x->kind == LOOP_LOAD || x->kind == LOOP_VAR || x->kind == CORE_LIT) return false;
    if (x->kind != CORE_PRIM) return true;
    Prim op = (Prim)x->attr.i;
    return op != PRIM_ADD && op != PRIM_SUB && op != PRIM_MUL && op != PRIM_DIV;
}

// Whether gcc may simplify 0 - x to -x, or x + 0 to x, because of its assumptions about the sign of
// x, for example if x was converted from an integer. The result would be -0 instead of 0. A call to
// a support function prevents this.
static bool is_misread(Node *x)
{
    if (x->nops != 2) return false;
    Node *a = x->op[0], *b = x->op[1];
    if (x->attr.i == PRIM_SUB) return is_zero(a) && has_sign(b);
    return x->attr.i == PRIM_ADD && ((is_zero(a) && has_sign(b)) || (is_zero(b) && has_sign(a)));
}

static void float_prim(Emitter *e, Node *x, Scalar s, int min)
{
    Prim op = (Prim)x->attr.i;
    e->math |= op == PRIM_REM || (infix_prec(op) == PREC_PRIMARY && op != PRIM_MIN &&
                                  op != PRIM_MAX && op != PRIM_NEG);
    if (op == PRIM_REM) {
        call(e, s == SCALAR_F64 || e->kernel ? "fmod" : "fmodf", x);
    } else if (op == PRIM_MIN || op == PRIM_MAX) {
        support_call(e, prim_info[op].text, s, x);
    } else if (is_misread(x)) {
        support_call(e, op == PRIM_ADD ? "add" : "sub", s, x);
    } else if (op == PRIM_NEG) {
        bool p = emit_open(e, PREC_UNARY, min);
        text_char(e->out, '-');
        emit_expr(e, x->op[0], PREC_PRIMARY);
        emit_close(e, p);
    } else if (infix_prec(op) != PREC_PRIMARY) {
        infix(e, x, min);
    } else {
        const char *name = op == PRIM_ABS ? "fabs" : prim_info[op].c;
        call(e, arena_printf(e->arena, "%s%s", name, s == SCALAR_F64 || e->kernel ? "" : "f"), x);
    }
}

// Writes a half-precision operator, which computes in float and rounds the result.
static void half_prim(Emitter *e, Node *x, int min)
{
    Prim op = (Prim)x->attr.i;
    Node *f32 = type_scalar(e->cx, SCALAR_F32);
    Node *args[PRIM_OPERANDS] = {NULL};
    for (uint32_t i = 0; i < x->nops; i++) args[i] = core_cast(e->cx, x->op[i], f32);
    Node *wide = core_prim(e->cx, op, (int)x->nops, args);
    emit_expr(e, is_comparison(op) ? wide : core_cast(e->cx, wide, x->type), min);
}

static bool wraps(Node *x)
{
    if (x->kind != CORE_PRIM || scalar_info[emit_scalar_of(x->type)].class == CLASS_FLOAT)
        return false;
    Prim op = (Prim)x->attr.i;
    return op == PRIM_ADD || op == PRIM_SUB || op == PRIM_MUL || op == PRIM_NEG;
}

static void unsigned_sum(Emitter *e, Node *x, const char *type, int min);

// Writes an operand of unsigned arithmetic. Nested arithmetic that wraps needs no cast. Neither
// does a literal if the other operand is unsigned (`beside`), since C then converts the literal.
static void unsigned_operand(Emitter *e, Node *x, const char *type, bool beside, int min)
{
    bool literal = x->kind == CORE_LIT && x->attr.i >= 0;
    if (wraps(x)) {
        unsigned_sum(e, x, type, min);
        return;
    }
    bool cast = !(literal && beside) && strcmp(type, scalar_info[emit_scalar_of(x->type)].ctype);
    bool p = emit_open(e, cast ? PREC_UNARY : PREC_PRIMARY, cast ? min : PREC_ANY);
    if (cast) text_printf(e->out, "(%s)", type);
    emit_expr(e, x, cast ? PREC_UNARY : min);
    emit_close(e, p);
}

static void unsigned_sum(Emitter *e, Node *x, const char *type, int min)
{
    Prim op = (Prim)x->attr.i;
    bool negates = op == PRIM_NEG;
    int own = op == PRIM_MUL ? PREC_MUL : PREC_ADD;
    bool p = emit_open(e, own, min);
    if (negates)
        text_put(e->out, "0");
    else
        unsigned_operand(e, x->op[0], type, false, own);
    text_printf(e->out, " %s ", negates ? "-" : prim_info[op].c);
    unsigned_operand(e, x->op[negates ? 0 : 1], type, !negates, own + 1);
    emit_close(e, p);
}

// Writes arithmetic that wraps: (int32_t)((uint32_t)a + (uint32_t)b).
static void wrapping(Emitter *e, Node *x, Scalar s, int min)
{
    const char *through = scalar_info[s].size < 4 ? "uint32_t" : unsigned_type(s);
    bool same = strcmp(through, scalar_info[s].ctype) == 0; // already unsigned and wide enough
    if (same && x->attr.i != PRIM_NEG) {
        infix(e, x, min);
        return;
    }
    bool p = emit_open(e, PREC_UNARY, min);
    text_printf(e->out, "(%s)(", scalar_info[s].ctype);
    unsigned_sum(e, x, through, PREC_ANY);
    text_char(e->out, ')');
    emit_close(e, p);
}

static bool is_narrow_index(Emitter *e, Node *x);

static bool fits_int(int64_t k)
{
    return k >= -INT32_MAX && k <= INT32_MAX;
}

// Whether C computes an i64 expression as an int, which it does for literals that fit in an int,
// for narrow indices, and for expressions made only of these. The value is the same, but a right
// shift of it needs a cast, since its count may be 32 or more.
static bool is_int(Emitter *e, Node *x)
{
    int64_t k;
    switch (x->kind) {
    case CORE_LIT: return fits_int(x->attr.i);
    case CORE_NAT:
        return nat_is_const(x->op[0], &k)
                   ? fits_int(k)
                   : is_narrow_index(e, x) ||
                         (e->positions && device_is_narrow(e->positions, x->op[0]));
    case LOOP_SELECT: return is_int(e, x->op[1]) && is_int(e, x->op[2]);
    case CORE_CAST: return emit_scalar_of(x->op[0]->type) == SCALAR_I64 && is_int(e, x->op[0]);
    case CORE_PRIM:
        if (infix_prec((Prim)x->attr.i) == PREC_PRIMARY || wraps(x)) return false;
        return is_int(e, x->op[0]) && is_int(e, x->op[1]);
    default: return false;
    }
}

// Whether the count of a shift is a number: a literal, or a constant size that is cast.
static bool is_known_count(Node *x, int64_t *k)
{
    while (x->kind == CORE_CAST) x = x->op[0];
    if (type_is_float(x->type)) return false;
    *k = x->attr.i;
    return x->kind == CORE_LIT || (x->kind == CORE_NAT && nat_is_const(x->op[0], k));
}

// Writes a shift. Its count is taken modulo the width. Narrow types are promoted to int, so the
// result is truncated.
static void shift(Emitter *e, Node *x, Scalar s, int min)
{
    bool left = x->attr.i == PRIM_SHL, is_signed = scalar_info[s].class == CLASS_INT;
    bool plain = scalar_info[s].size >= 4 && !(left && is_signed);
    int mask = scalar_info[s].size * 8 - 1, own = plain ? PREC_SHIFT : PREC_UNARY;
    int64_t count;
    bool p = emit_open(e, own, min);
    if (!plain) text_printf(e->out, "(%s)(", scalar_info[s].ctype);
    if (left && is_signed) text_printf(e->out, "(%s)", unsigned_type(s));
    if (!left && s == SCALAR_I64 && is_int(e, x->op[0])) text_put(e->out, "(int64_t)");
    emit_expr(e, x->op[0], PREC_UNARY);
    text_put(e->out, left ? " << " : " >> ");
    if (is_known_count(x->op[1], &count)) {
        text_printf(e->out, "%d", (int)(count & mask));
    } else {
        text_char(e->out, '(');
        emit_expr(e, x->op[1], PREC_UNARY);
        text_printf(e->out, " & %d)", mask);
    }
    if (!plain) text_char(e->out, ')');
    emit_close(e, p);
}

// Whether a / b cannot overflow because b is a literal other than 0 and -1.
static bool is_plain_divisor(Node *b)
{
    int64_t k;
    if (b->kind == CORE_NAT) return nat_is_const(b->op[0], &k) && k != 0 && k != -1;
    return b->kind == CORE_LIT && b->attr.i != 0 && b->attr.i != -1;
}

static bool is_from_bool(Node *x)
{
    Scalar from;
    return x->kind == CORE_CAST && type_is_scalar(x->op[0]->type, &from) && from == SCALAR_BOOL;
}

static void integer_prim(Emitter *e, Node *x, Scalar s, int min)
{
    Prim op = (Prim)x->attr.i;
    bool p, is_signed = scalar_info[s].class == CLASS_INT;
    if (x == e->complement) {
        Node *of = x->op[x->nops == 2 && x->op[0]->kind == CORE_LIT ? 1 : 0];
        e->complement = NULL;
        support_call(e, "not", s, core_prim(e->cx, PRIM_NOT, 1, &of));
        return;
    }
    switch (op) {
    case PRIM_ADD:
    case PRIM_SUB:
    case PRIM_MUL:
    case PRIM_NEG: wrapping(e, x, s, min); return;
    case PRIM_DIV:
    case PRIM_REM:
        if (x->op[1]->kind == CORE_LIT && x->op[1]->attr.bits == 0)
            emit_expr(e, x->op[0], min); // never reached, because a check fails first
        else if (is_signed && !is_plain_divisor(x->op[1]))
            support_call(e, op == PRIM_DIV ? "div" : "rem", s, x);
        else
            infix(e, x, min);
        return;
    case PRIM_NOT:
        p = emit_open(e, PREC_UNARY, min);
        text_printf(e->out, "(%s)~", scalar_info[s].ctype);
        if (is_from_bool(x->op[0])) { // C compilers warn about ~ of a comparison
            text_char(e->out, '(');
            emit_expr(e, x->op[0]->op[0], PREC_OR);
            text_put(e->out, " ? 1 : 0)");
        } else {
            emit_expr(e, x->op[0], PREC_UNARY);
        }
        emit_close(e, p);
        return;
    case PRIM_SHL:
    case PRIM_SHR: shift(e, x, s, min); return;
    case PRIM_ABS:
        if (is_signed) break;
        emit_expr(e, x->op[0], min);
        return;
    default: break;
    }
    if (infix_prec(op) == PREC_PRIMARY)
        support_call(e, prim_info[op].text, s, x);
    else
        infix(e, x, min);
}

// Writes an operator in field mode: a field operation for sums, products and quotients, a
// comparison of representatives, or a hash for all other operators.
static void field_prim(Emitter *e, Node *x, int min)
{
    Prim op = (Prim)x->attr.i;
    support_need(e, "field");
    if (is_comparison(op)) {
        infix(e, x, min);
        return;
    }
    if (op == PRIM_FMA) {
        Node *sum[2] = {core_prim(e->cx, PRIM_MUL, 2, x->op), x->op[2]};
        field_prim(e, core_prim(e->cx, PRIM_ADD, 2, sum), min);
        return;
    }
    text_printf(e->out, "adze_field_prim%u(%d, %s)", x->nops, (int)op, operands_text(e, x));
}

// Folds calls of math functions on literals, since C compilers and libraries round them
// differently. Operators are not folded.
static Node *rounded_call(Emitter *e, Node *x)
{
    bool is_call = isalpha((unsigned char)prim_info[x->attr.i].c[0]);
    return is_call && !e->options->field ? core_rounded_literal(e->cx, x) : x;
}

static void field_cast(Emitter *e, Scalar from, Scalar to, Node *x, int min);
static void plain_cast(Emitter *e, const char *type, Node *x, int min);

// Writes to_bits and from_bits. In field mode, they are casts.
static void emit_bits(Emitter *e, Node *x, int min)
{
    Scalar s = emit_scalar_of(x->op[0]->type), to = emit_scalar_of(x->type);
    bool floats = family_of(e, s) == FLOATS || family_of(e, to) == FLOATS;
    if (floats) {
        support_call(e, prim_info[x->attr.i].text, s, x);
    } else if (family_of(e, s) == FIELD || family_of(e, to) == FIELD) {
        field_cast(e, s, to, x->op[0], min);
    } else if (s == to || family_of(e, s) == HALVES || family_of(e, to) == HALVES) {
        emit_expr(e, x->op[0], min); // a half is a uint16_t
    } else {
        plain_cast(e, scalar_info[to].ctype, x->op[0], min);
    }
}

void emit_prim(Emitter *e, Node *x, int min)
{
    Node *literal = rounded_call(e, x);
    if (literal != x) {
        emit_expr(e, literal, min);
        return;
    }
    Scalar s = emit_scalar_of(x->op[0]->type);
    if (x->attr.i == PRIM_TO_BITS || x->attr.i == PRIM_FROM_BITS) {
        emit_bits(e, x, min);
        return;
    }
    switch (family_of(e, s)) {
    case BOOLS: bool_prim(e, x, min); return;
    case FLOATS: float_prim(e, x, s, min); return;
    case HALVES: half_prim(e, x, min); return;
    case FIELD: field_prim(e, x, min); return;
    case SIGNED:
    case UNSIGNED: integer_prim(e, x, s, min); return;
    }
}

// --- casts -------------------------------------------------------------------------------------

static void call_cast(Emitter *e, const char *function, Node *x)
{
    text_printf(e->out, "%s(%s)", function, expr_text(e, x, PREC_ANY));
}

static void plain_cast(Emitter *e, const char *type, Node *x, int min)
{
    bool p = emit_open(e, PREC_UNARY, min);
    text_printf(e->out, "(%s)", type);
    emit_expr(e, x, PREC_UNARY);
    emit_close(e, p);
}

static void field_cast(Emitter *e, Scalar from, Scalar to, Node *x, int min)
{
    bool from_float = scalar_info[from].class == CLASS_FLOAT,
         to_float = scalar_info[to].class == CLASS_FLOAT;
    support_need(e, "field");
    if (from_float && to_float)
        emit_expr(e, x, min);
    else if (to_float)
        call_cast(e,
                  scalar_info[from].class == CLASS_UINT ? "adze_field_from_u64"
                                                        : "adze_field_from_i64",
                  x);
    else
        plain_cast(e, scalar_info[to].ctype, x, min);
}

static void cast_from_half(Emitter *e, Scalar to, Node *x)
{
    support_need(e, "f16_to_f32");
    const char *type = scalar_info[to].text;
    if (to == SCALAR_F32 || to == SCALAR_F64) {
        call_cast(e, "adze_f16_to_f32", x);
        return;
    }
    support_need(e, arena_printf(e->arena, "f32_to_%s", type));
    call_cast(e, arena_printf(e->arena, "adze_f32_to_%s(adze_f16_to_f32", type), x);
    text_char(e->out, ')');
}

static bool is_narrow_index(Emitter *e, Node *x)
{
    return x->kind == CORE_NAT && x->op[0]->kind == NAT_VAR &&
           map_get(&e->narrow, MAP_KEY(x->op[0]->attr.sym));
}

void emit_cast(Emitter *e, Node *x, int min)
{
    Scalar from = emit_scalar_of(x->op[0]->type), to = emit_scalar_of(x->type);
    Family a = family_of(e, from), b = family_of(e, to);
    if (from == to || (to == SCALAR_I32 && is_narrow_index(e, x->op[0]))) {
        emit_expr(e, x->op[0], min);
    } else if (to == SCALAR_BOOL) {
        bool p = emit_open(e, PREC_EQ, min);
        if (a == HALVES)
            cast_from_half(e, SCALAR_F32, x->op[0]);
        else
            emit_expr(e, x->op[0], PREC_ADD);
        text_put(e->out, " != 0");
        emit_close(e, p);
    } else if (a == FIELD || b == FIELD) {
        field_cast(e, from, to, x->op[0], min);
    } else if (a == HALVES) {
        cast_from_half(e, to, x->op[0]);
    } else if (b == HALVES) {
        support_need(e, "f16_from");
        call_cast(e, "adze_f16_from", x->op[0]);
    } else if (a == FLOATS && b != FLOATS && x->variant != VARIANT_UNCHECKED) {
        const char *name =
            arena_printf(e->arena, "%s_to_%s", scalar_info[from].text, scalar_info[to].text);
        support_need(e, name);
        call_cast(e, arena_printf(e->arena, "adze_%s", name), x->op[0]);
    } else {
        plain_cast(e, scalar_info[to].ctype, x->op[0], min);
    }
}
