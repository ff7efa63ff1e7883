// Copies, compares, checks and prints values.
#include "core/eval/eval.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

Value value_atom(uint64_t bits)
{
    return (Value){.bits = bits};
}

Value value_copy(Arena *arena, const Value *v)
{
    Value copy = *v;
    if (v->count == 0) return copy;
    copy.parts = ARENA_ARRAY(arena, Value, v->count);
    for (int64_t i = 0; i < v->count; i++) copy.parts[i] = value_copy(arena, &v->parts[i]);
    return copy;
}

bool value_equal(const Value *a, const Value *b)
{
    if (a->count != b->count || a->bits != b->bits) return false;
    for (int64_t i = 0; i < a->count; i++)
        if (!value_equal(&a->parts[i], &b->parts[i])) return false;
    return true;
}

static bool has_up_to(Node *type)
{
    if (type_is_up_to(type)) return true;
    for (uint32_t i = type_has_elements(type); i < type->nops && !type_is_atom(type); i++)
        if (has_up_to(type->op[i])) return true;
    return false;
}

int64_t value_existing(const Value *v, Node *type, int64_t i, int64_t exist)
{
    if (type_has_elements(type)) return i < exist ? INT64_MAX : 0;
    if (exist > 0 && i == 1 && type_is_up_to(type)) return (int64_t)v->parts[0].bits;
    return exist > 0 ? INT64_MAX : 0;
}

Value value_elements(const Value *up_to)
{
    Value v = up_to->parts[1];
    int64_t count = (int64_t)up_to->parts[0].bits;
    if (count < v.count) v.count = count;
    return v;
}

Value value_trim(Arena *arena, const Value *v, Node *type)
{
    if (!has_up_to(type)) return *v;
    bool array = type_has_elements(type);
    Value out = {
        .count = v->count, .bits = v->bits, .parts = ARENA_ARRAY(arena, Value, v->count + 1)};
    for (int64_t i = 0; i < v->count; i++)
        out.parts[i] = value_trim(arena, &v->parts[i], type->op[array ? 1 : i]);
    if (type_is_up_to(type)) out.parts[1] = value_elements(&out);
    return out;
}

static bool fits(const Value *v, Node *type, DiagCode *code)
{
    int64_t n;
    switch ((Kind)type->kind) {
    case TYPE_SCALAR: return v->count == 0;
    case TYPE_IDX:
        *code = E0601;
        return nat_is_const(type->op[0], &n) && v->count == 0 && (int64_t)v->bits >= 0 &&
               (int64_t)v->bits < n;
    case TYPE_VEC:
    case TYPE_ARRAY:
    case TYPE_TUPLE:
    case TYPE_STRUCT:
        n = type->nops;
        if (type_has_elements(type) && !nat_is_const(type->op[0], &n)) return false;
        if (v->count != n) return false;
        for (int64_t i = 0; i < n; i++)
            if (!fits(&v->parts[i], type->op[type_has_elements(type) ? 1 : i], code)) return false;
        return true;
    default: return false;
    }
}

Outcome value_check(Session *cx, Arena *arena, const Value *v, Node *type, Sym name)
{
    Outcome o = {.ok = true, .code = E0604};
    if (fits(v, type, &o.code)) return o;
    o.ok = false;
    o.text = arena_printf(arena,
                          o.code == E0601 ? "the argument %s: %s has an index out of bounds"
                                          : "the argument %s is not of type %s",
                          name->text, type_show(cx, type));
    return o;
}

// --- printing ----------------------------------------------------------------------------------

static bool reads_back(const char *text, Scalar type, double x)
{
    return (type == SCALAR_F32 ? (double)strtof(text, NULL)
                               : scalar_round(type, strtod(text, NULL))) == x;
}

// Prints the fewest digits that read back as the same number of the type. Numbers from 0.00001 to
// 10^16 are printed without an exponent.
static void print_float(Text *out, Scalar type, double x)
{
    char text[64];
    if (isnan(x) || isinf(x)) {
        text_put(out, isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
        return;
    }
    int after = 0; // number of digits after the first
    do snprintf(text, sizeof text, "%.*e", after, x);
    while (!reads_back(text, type, x) && ++after < 17);
    int exponent = atoi(strchr(text, 'e') + 1);
    if (exponent >= -5 && exponent < 16) {
        int decimals = after - exponent;
        snprintf(text, sizeof text, "%.*f", decimals > 1 ? decimals : 1, x);
    }
    text_put(out, text);
}

static void print_atom(Text *out, uint64_t bits, Node *type, Algebra algebra)
{
    Scalar s = SCALAR_I64; // idx
    type_is_scalar(type, &s);
    switch (scalar_info[s].class) {
    case CLASS_BOOL: text_put(out, bits ? "true" : "false"); return;
    case CLASS_INT: text_printf(out, "%" PRId64, (int64_t)bits); return;
    case CLASS_UINT: text_printf(out, "%" PRIu64, bits); return;
    case CLASS_FLOAT:
        if (algebra == ALGEBRA_FIELD)
            text_printf(out, "%" PRIu64, bits);
        else
            print_float(out, s, float_value(bits));
        return;
    }
}

typedef struct {
    Session *cx;
    Text *out;
    int limit;         // maximum number of elements printed per array
    const Value *mask; // the mask of active lanes; NULL if all are active
    Algebra algebra;   // field elements are written as integers
} Style;

static void print_value(const Style *p, const Value *v, Node *type);

// Prints n elements of type `element`. If they are lanes, prints `_` for inactive ones.
static void print_list(const Style *p, const Value *parts, int64_t n, Node *element, bool lanes)
{
    bool masked = lanes && p->mask && p->mask->count == n;
    text_char(p->out, '[');
    for (int64_t i = 0; i < n; i++) {
        if (i) text_put(p->out, ", ");
        if (i == p->limit) {
            text_put(p->out, "...");
            break;
        }
        if (!masked || p->mask->parts[i].bits)
            print_value(p, &parts[i], element);
        else
            text_char(p->out, '_');
    }
    text_char(p->out, ']');
}

// The value in one lane. Vectors of a length other than `count` are the same in all lanes.
static Value lane_of(Arena *arena, const Value *v, Node *type, int64_t lane, int64_t count)
{
    if (!v->parts) return *v;
    if (type->kind == TYPE_VEC) return v->count == count ? v->parts[lane] : *v;
    Value one = {.count = v->count, .parts = ARENA_ARRAY(arena, Value, v->count + 1)};
    bool array = type->kind == TYPE_ARRAY;
    for (int64_t i = 0; i < v->count; i++)
        one.parts[i] = lane_of(arena, &v->parts[i], type->op[array ? 1 : i], lane, count);
    return one;
}

static Node *lane_type(Session *cx, Node *type, Node *lanes)
{
    if (type->kind == TYPE_VEC) return type->op[0] == lanes ? type->op[1] : type;
    bool atom = type->kind == TYPE_SCALAR || type->kind == TYPE_IDX;
    for (uint32_t i = type->kind == TYPE_ARRAY; !atom && i < type->nops; i++)
        type = node_with_op(cx, type, (int)i, lane_type(cx, type->op[i], lanes));
    return type;
}

// Prints an enum that varies by lane as a vector, since the lanes may have different options.
static void print_lanes(const Style *p, const Value *v, Node *type)
{
    Arena *arena = p->cx->arena;
    int64_t n = v->parts[0].count;
    Value *lanes = ARENA_ARRAY(arena, Value, n);
    for (int64_t i = 0; i < n; i++) lanes[i] = lane_of(arena, v, type, i, n);
    print_list(p, lanes, n, lane_type(p->cx, type, type->op[0]->op[0]), true);
}

static void print_enum(const Style *p, const Value *v, Node *type)
{
    if (type->op[0]->kind == TYPE_VEC) {
        print_lanes(p, v, type);
        return;
    }
    uint64_t k = v->parts[0].bits + 1;
    CHECK(p->cx, k < type->nops, "an enum has option %lld", (long long)k - 1);
    const Value *parts = &v->parts[k];
    text_printf(p->out, "%s.%s", type_own_name(type), type->names[k]->text);
    for (int64_t i = 0; i < parts->count; i++) {
        text_put(p->out, i ? ", " : "(");
        print_value(p, &parts->parts[i], type->op[k]->op[i]);
    }
    if (parts->count) text_char(p->out, ')');
}

static void print_up_to(const Style *p, const Value *v, Node *type)
{
    Value elements = value_elements(v);
    print_list(p, elements.parts, elements.count, type->op[1]->op[1], false);
}

static void print_struct(const Style *p, const Value *v, Node *type)
{
    text_printf(p->out, "%s {", type_own_name(type));
    for (int64_t i = 0; i < v->count; i++) {
        text_printf(p->out, "%s %s: ", i ? "," : "", type->names ? type->names[i]->text : "");
        print_value(p, &v->parts[i], type->op[i]);
    }
    text_put(p->out, v->count ? " }" : "}");
}

static void print_tuple(const Style *p, const Value *v, Node *type)
{
    text_char(p->out, '(');
    for (int64_t i = 0; i < v->count; i++) {
        if (i) text_put(p->out, ", ");
        print_value(p, &v->parts[i], type->op[i]);
    }
    text_put(p->out, v->count == 1 ? ",)" : ")");
}

static void print_value(const Style *p, const Value *v, Node *type)
{
    switch ((Kind)type->kind) {
    case TYPE_VEC:
    case TYPE_ARRAY: print_list(p, v->parts, v->count, type->op[1], type->kind == TYPE_VEC); return;
    case TYPE_TUPLE: print_tuple(p, v, type); return;
    case TYPE_STRUCT:
        if (type_is_up_to(type))
            print_up_to(p, v, type);
        else if (type_is_enum(type))
            print_enum(p, v, type);
        else
            print_struct(p, v, type);
        return;
    case TYPE_SCALAR:
    case TYPE_IDX: print_atom(p->out, v->bits, type, p->algebra); return;
    default: CHECK(p->cx, false, "a value of type %s is printed", type_show(p->cx, type));
    }
}

void value_print(Session *cx, Text *out, const Value *v, Node *type, int limit)
{
    print_value(&(Style){cx, out, limit, NULL, ALGEBRA_IEEE}, v, type);
}

void value_print_lanes(Session *cx, Text *out, const Value *v, Node *type, const Value *mask,
                       Algebra algebra)
{
    print_value(&(Style){cx, out, INT32_MAX, mask, algebra}, v, type);
}
