// Vector casts for which there is no instruction. Casts from floats to integers truncate, saturate,
// and turn NaN into 0: the function replaces lanes that are out of range with 0, converts, and
// inserts the ends of the range into the lanes that were above or below it.
#include "emit/vector/vec.h"

#include <string.h>

typedef struct {
    const char *most, *least; // C macros; NULL for 0
    int bits;                 // 2^bits is the least integer above the range
} Range;

static const Range range_of[SCALAR_COUNT] = {
    [SCALAR_I8] = {"INT8_MAX", "INT8_MIN", 7},     [SCALAR_U8] = {"UINT8_MAX", NULL, 8},
    [SCALAR_I16] = {"INT16_MAX", "INT16_MIN", 15}, [SCALAR_U16] = {"UINT16_MAX", NULL, 16},
    [SCALAR_I32] = {"INT32_MAX", "INT32_MIN", 31}, [SCALAR_U32] = {"UINT32_MAX", NULL, 32},
    [SCALAR_I64] = {"INT64_MAX", "INT64_MIN", 63},
};

// Sets *number and *bits to the float and the signed integer type between which the function
// converts. Returns their size in bytes.
static int work_types(Scalar from, Scalar to, Scalar *number, Scalar *bits)
{
    bool wide = scalar_info[from].size == 8 || range_of[to].bits > 31;
    *number = wide ? SCALAR_F64 : SCALAR_F32;
    *bits = wide ? SCALAR_I64 : SCALAR_I32;
    return wide ? 8 : 4;
}

bool vec_cast_is_at_once(const Emitter *e, Scalar from, Scalar to)
{
    return !e->options->field && (from == SCALAR_F32 || from == SCALAR_F64) && range_of[to].bits;
}

void vec_cast_in_range(Emitter *e, Node *x)
{
    Scalar from = vec_element(x->op[0]->type), to = vec_element(x->type), number, bits;
    work_types(from, to, &number, &bits);
    const Scalar steps[] = {from, number, bits, to};
    const char *text = expr_text(e, x->op[0], PREC_ANY);
    for (int k = 1; k < 4; k++)
        text = vec_converted(e, text, steps[k - 1], steps[k], vec_lanes(x->type));
    text_put(e->out, text);
}

void vec_cast_write(Emitter *e, const char *name, Node *x)
{
    int64_t lanes = vec_lanes(x->type);
    Scalar from = vec_element(x->op[0]->type), to = vec_element(x->type), number, bits;
    Range range = range_of[to];
    const char *suffix = work_types(from, to, &number, &bits) == 4 ? "f" : "",
               *a = vec_ctype(e, x->op[0]->type), *r = vec_ctype(e, x->type),
               *w = vec_type_named(e, number, lanes), *i = vec_type_named(e, bits, lanes),
               *low = range.least ? arena_printf(e->arena, "-0x1p%d%s", range.bits, suffix)
                                  : arena_printf(e->arena, "0.0%s", suffix);
    const char *narrowed = vec_converted(e, "r", bits, to, lanes);
    Text *out = &e->vector_functions;
    text_printf(out, "\n" VECTOR_FUNCTION "%s %s(%s a)\n{\n", r, name, a);
    if (from == number)
        text_printf(out, "    %s w = a;\n", w);
    else
        text_printf(out, "    %s w = __builtin_convertvector(a, %s);\n", w, w);
    text_printf(out, "    %s over = (%s)(w >= 0x1p%d%s), there = (%s)(w >= %s) & ~over;\n", i, i,
                range.bits, suffix, i, low);
    text_printf(out, "    %s r = __builtin_convertvector((%s)((%s)w & there), %s) | (over & %s)", i,
                w, i, i, range.most);
    if (range.least) text_printf(out, " | ((%s)(w < %s) & %s)", i, low, range.least);
    text_printf(out, ";\n    return %s;\n}\n", narrowed);
}

// --- consecutive integers -----------------------------------------------------------------------

// Whether the vector is n, n + 1, .. in 64 bits, for a scalar n.
static bool is_row(Node *sum)
{
    return sum->kind == CORE_PRIM && sum->attr.i == PRIM_ADD && sum->op[0]->kind == LOOP_SPLAT &&
           sum->op[1]->kind == LOOP_IOTA && vec_element(sum->type) == SCALAR_I64;
}

bool vec_cast_is_row(Node *x)
{
    return is_row(x->op[0]) && scalar_info[vec_element(x->type)].class == CLASS_FLOAT;
}

bool vec_cast_is_low_row(Node *x)
{
    Scalar to = vec_element(x->type);
    return is_row(x->op[0]) && (to == SCALAR_I32 || to == SCALAR_U32);
}

void vec_cast_low_row(Emitter *e, Node *x, int min)
{
    Node *from = x->op[0]->op[0]->op[0];
    int64_t lanes = vec_lanes(x->type), known;
    bool zero = from->kind == CORE_NAT && nat_is_const(from->op[0], &known) && known == 0;
    const char *type = vec_ctype(e, x->type), *low = vec_type_named(e, SCALAR_U32, lanes);
    bool p = !zero && emit_open(e, PREC_UNARY, min);
    if (!zero) text_printf(e->out, "(%s)((uint32_t)%s + ", type, expr_text(e, from, PREC_UNARY));
    text_printf(e->out, "(%s){", zero ? type : low);
    for (int64_t k = 0; k < lanes; k++) text_printf(e->out, "%s%lld", k ? ", " : "", (long long)k);
    text_put(e->out, zero ? "}" : "})");
    if (!zero) emit_close(e, p);
}

// Writes a call to a conversion function, which has a fast path for integers that fit in 32 bits.
// They nearly always do, and every processor can convert vectors of 32-bit integers.
void vec_cast_row(Emitter *e, Node *x)
{
    Node *sum = x->op[0];
    int64_t lanes = vec_lanes(x->type);
    const char *r = vec_ctype(e, x->type), *wide = vec_ctype(e, sum->type),
               *bits = vec_type_named(e, SCALAR_U64, lanes),
               *narrow = vec_type_named(e, SCALAR_I32, lanes),
               *name = arena_printf(e->arena, "adze_row_%s", r + strlen("adze_"));
    if (vec_is_new(e, name)) {
        Text *out = &e->vector_functions, numbers = text_new(e->arena);
        for (int64_t k = 0; k < lanes; k++)
            text_printf(&numbers, "%s%lld", k ? ", " : "", (long long)k);
        const char *all = text_get(&numbers);
        text_printf(out, "\n" VECTOR_FUNCTION "%s %s(int64_t from)\n{\n", r, name);
        text_printf(out,
                    "    if (from >= INT32_MIN && from <= INT32_MAX - %lld)\n"
                    "        return __builtin_convertvector((int32_t)from + (%s){%s}, %s);\n",
                    (long long)lanes, narrow, all, r);
        text_printf(out,
                    "    return __builtin_convertvector((%s)((uint64_t)from + (%s){%s}), %s);\n}\n",
                    wide, bits, all, r);
    }
    text_printf(e->out, "%s(%s)", name, expr_text(e, sum->op[0]->op[0], PREC_ANY));
}
