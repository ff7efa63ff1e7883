// Expressions in C, with the parentheses that C and gcc's -Wparentheses require.
#include "emit/code/code.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- literals ----------------------------------------------------------------------------------

static void float_literal(Emitter *e, Scalar s, double x, int min)
{
    if (e->options->field) {
        text_printf(e->out, "UINT64_C(%" PRIu64 ")", field_from_double(x));
        return;
    }
    const char *suffix = s == SCALAR_F64 ? "" : "f";
    bool hidden = x == 0 && signbit(x) && !e->is_static;
    char text[40];
    e->math |= isnan(x) || isinf(x);
    if (s == SCALAR_F16) {
        support_need(e, "f16_from");
        text_put(e->out, "adze_f16_from(");
        min = PREC_ANY;
    }
    bool p = emit_open(e, signbit(x) && !hidden ? PREC_UNARY : PREC_PRIMARY, min);
    if (hidden) { // C compilers otherwise confuse -0.0 with 0.0 (adze_support.h)
        const char *name = s == SCALAR_F64 ? "minus_zero_f64" : "minus_zero_f32";
        support_need(e, name);
        text_printf(e->out, "adze_%s", name);
    } else if (isnan(x)) {
        text_put(e->out, s == SCALAR_F64 ? "(double)NAN" : "NAN");
    } else if (isinf(x)) {
        text_put(e->out, x < 0 ? "-INFINITY" : "INFINITY");
    } else { // the shortest text that reads back as the same value
        for (int digits = 1; digits <= 17; digits++) {
            snprintf(text, sizeof text, "%.*g", digits, x);
            if (s == SCALAR_F64 ? strtod(text, NULL) == x : strtof(text, NULL) == (float)x) break;
        }
        text_put(e->out, text);
        if (!strpbrk(text, ".e")) text_put(e->out, ".0");
        text_put(e->out, suffix);
    }
    emit_close(e, p);
    if (s == SCALAR_F16) text_char(e->out, ')');
}

static void literal(Emitter *e, Node *x, int min)
{
    Scalar s = emit_scalar_of(x->type);
    int64_t i = x->attr.i;
    double number;
    bool p;
    switch (scalar_info[s].class) {
    case CLASS_BOOL: text_put(e->out, i ? "true" : "false"); return;
    case CLASS_FLOAT:
        memcpy(&number, &x->attr.bits, sizeof number);
        float_literal(e, s, number, min);
        return;
    case CLASS_UINT:
        text_printf(e->out,
                    s == SCALAR_U64   ? "UINT64_C(%" PRIu64 ")"
                    : s == SCALAR_U32 ? "%" PRIu64 "u"
                                      : "%" PRIu64,
                    x->attr.bits);
        return;
    case CLASS_INT:
        p = emit_open(e, i < 0 ? PREC_UNARY : PREC_PRIMARY, min);
        if (i == INT64_MIN || (s == SCALAR_I32 && i == INT32_MIN))
            text_put(e->out, i == INT64_MIN ? "INT64_MIN" : "INT32_MIN");
        else
            text_printf(e->out, "%" PRId64, i);
        emit_close(e, p);
        return;
    }
}

// --- expressions -------------------------------------------------------------------------------

static bool is_bool_literal(Node *x, int64_t value)
{
    Scalar s;
    return x->kind == CORE_LIT && x->attr.i == value && type_is_scalar(x->type, &s) &&
           s == SCALAR_BOOL;
}

// Whether the right operand of a connective is an expression with the same connective.
static bool continues(Node *x, bool either)
{
    Prim op = either ? PRIM_OR : PRIM_AND;
    if (x->kind == CORE_PRIM) return x->attr.i == op && x->op[0]->kind != CORE_LIT;
    return x->kind == LOOP_SELECT && is_bool_literal(x->op[either ? 1 : 2], either);
}

// Writes c ? a : b, but c ? true : b as c || b, and c ? a : false as c && a.
static void conditional(Emitter *e, Node *x, int min)
{
    bool either = is_bool_literal(x->op[1], 1), both = is_bool_literal(x->op[2], 0);
    int own = either ? PREC_OR : both ? PREC_AND : PREC_TERNARY;
    bool p = emit_open(e, own, min);
    if (either || both) { // operands with the other connective get parentheses
        emit_expr(e, x->op[0], PREC_BITOR);
        text_put(e->out, either ? " || " : " && ");
        Node *rest = x->op[either ? 2 : 1];
        emit_expr(e, rest, continues(rest, either) ? own : PREC_BITOR);
    } else {
        emit_expr(e, x->op[0], PREC_OR);
        text_put(e->out, " ? ");
        emit_expr(e, x->op[1], PREC_TERNARY);
        text_put(e->out, " : ");
        emit_expr(e, x->op[2], PREC_TERNARY);
    }
    emit_close(e, p);
}

static void apart(Emitter *e, Node *x, int min)
{
    bool p = emit_open(e, PREC_EQ, min);
    const char *a = address_text(e, x->op[0]), *b = address_text(e, x->op[1]);
    text_printf(e->out, "%s != %s", a, b);
    emit_close(e, p);
}

void emit_expr_by_kind(Emitter *e, Node *x, int min)
{
    if (x->type && x->type->kind == TYPE_VEC) {
        if (e->kernel)
            vec_kernel(e, x);
        else
            vec_expr(e, x, min);
        return;
    }
    switch (x->kind) {
    case CORE_LIT: literal(e, x, min); return;
    case CORE_NAT:
        if (e->measuring || map_get(&e->saturating, MAP_KEY(x->op[0])))
            emit_saturating_size(e, x->op[0], min);
        else
            emit_size(e, x->op[0], min);
        return;
    case CORE_PRIM: emit_prim(e, x, min); return;
    case CORE_CAST: emit_cast(e, x, min); return;
    case LOOP_VAR: text_put(e->out, names_use(e, x->attr.sym)); return;
    case LOOP_LOAD: text_put(e->out, place_text(e, x->attr.sym, x->op[0])); return;
    case LOOP_SELECT: conditional(e, x, min); return;
    case LOOP_ANY:
    case LOOP_COUNT:
    case LOOP_MASK_BITS: emit_of_mask(e, x, min); return;
    case LOOP_LANE:
        if (e->kernel)
            vec_kernel_lane(e, x);
        else
            emit_lane(e, x, min);
        return;
    case LOOP_APART: apart(e, x, min); return;
    default: CHECK(e->cx, false, "%s is not an expression of Loop IR", kind_info[x->kind].text);
    }
}
