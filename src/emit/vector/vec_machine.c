// Writes operators as intrinsics. C compilers find the instruction for a loop over lanes that is
// alone in a function, but not if the loop is inlined among others. The x86 instructions for min
// and max agree with Adze's min and max, even for NaN.
#include "emit/vector/vec.h"

/// Intrinsics for vectors of 16, 32 or 64 bytes: the macros that are defined if they exist, the
/// prefix of their names, and the types of their operands.
typedef struct {
    const char *floats, *rounds, *fused; // macros for floats, for rounding, and for fma
    const char *numbers, *bytes;         // macros for 4-byte integers, and for 1- and 2-byte ones
    const char *prefix, *f32, *f64, *integer;
} Machine;

static const Machine *machine_of(int64_t bytes)
{
    static const Machine machines[] = {{"__SSE2__", "__SSE4_1__", "__FMA__", "__SSE4_1__",
                                        "__SSE4_1__", "_mm", "__m128", "__m128d", "__m128i"},
                                       {"__AVX__", "__AVX__", "__FMA__", "__AVX2__", "__AVX2__",
                                        "_mm256", "__m256", "__m256d", "__m256i"},
                                       {"__AVX512F__", "__AVX512F__", "__AVX512F__", "__AVX512F__",
                                        "__AVX512BW__", "_mm512", "__m512", "__m512d", "__m512i"}};
    return bytes == 16   ? &machines[0]
           : bytes == 32 ? &machines[1]
           : bytes == 64 ? &machines[2]
                         : NULL;
}

static const char *const suffixes[SCALAR_COUNT] = {
    [SCALAR_I8] = "epi8",   [SCALAR_I16] = "epi16", [SCALAR_I32] = "epi32", [SCALAR_U8] = "epu8",
    [SCALAR_U16] = "epu16", [SCALAR_U32] = "epu32", [SCALAR_F32] = "ps",    [SCALAR_F64] = "pd"};

static bool has_instruction(const Emitter *e, Node *x, Scalar s)
{
    bool is_float = scalar_info[s].class == CLASS_FLOAT;
    if (x->kind != CORE_PRIM || !suffixes[s] || (is_float && e->options->field)) return false;
    switch ((Prim)x->attr.i) {
    case PRIM_MIN:
    case PRIM_MAX: return true;
    case PRIM_SQRT:
    case PRIM_FLOOR:
    case PRIM_CEIL:
    case PRIM_TRUNC:
    case PRIM_ROUND:
    case PRIM_FMA: return is_float;
    default: return false;
    }
}

// Returns the macro that is defined if the intrinsic for an operator on a scalar type exists.
static const char *where(const Machine *m, Prim op, Scalar s)
{
    if (op == PRIM_FMA) return m->fused;
    if (op >= PRIM_FLOOR && op <= PRIM_TRUNC) return m->rounds;
    if (scalar_info[s].class == CLASS_FLOAT) return m->floats;
    return scalar_info[s].size == 4 ? m->numbers : m->bytes;
}

// Truncates the vector `a`, or rounds it, halves away from zero: truncates the sum of each lane and
// the greatest number below a half, with the sign of the lane. The sum of that number and a half is
// rounded to 1.
static void put_rounded(Text *body, const Machine *m, const char *type, Prim op, bool is_f32)
{
    const char *suffix = is_f32 ? "ps" : "pd", *p = m->prefix;
    const char *half = is_f32 ? "0x1.fffffep-2f" : "0x1.fffffffffffffp-2";
    const char *sign = is_f32 ? "-0.0f" : "-0.0";
    bool wide = strcmp(p, "_mm512") == 0;
    text_printf(body, "%s_%s_%s(", p, wide ? "roundscale" : "round", suffix);
    if (op == PRIM_TRUNC) {
        text_printf(body, "(%s)a", type);
    } else if (wide) {
        text_printf(body, "_mm512_add_%s((%s)a,\n            (%s)_mm512_ternarylogic_epi64(",
                    suffix, type, type);
        text_printf(body, "(__m512i)a,\n                    (__m512i)_mm512_set1_%s(%s),", suffix,
                    sign);
        text_printf(body, "\n                    (__m512i)_mm512_set1_%s(%s), 0xea))", suffix,
                    half); // (a & sign) | half
    } else {
        text_printf(body, "%s_add_%s((%s)a, %s_or_%s(", p, suffix, type, p, suffix);
        text_printf(body, "\n            %s_and_%s((%s)a, %s_set1_%s(%s)),", p, suffix, type, p,
                    suffix, sign);
        text_printf(body, "\n            %s_set1_%s(%s)))", p, suffix, half);
    }
    text_put(body, ", 11);\n#else\n"); // _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC
}

bool vec_machine_begin(Emitter *e, Node *x, Text *body)
{
    Scalar s = vec_element(x->type);
    if (vec_is_mask(x->type) || !has_instruction(e, x, s)) return false;
    int size = scalar_info[s].size;
    const Machine *m = machine_of(vec_lanes(x->type) * size);
    if (!m) return false;
    bool is_float = scalar_info[s].class == CLASS_FLOAT;
    const char *type = !is_float ? m->integer : size == 4 ? m->f32 : m->f64;
    e->intrinsics = true;
    Prim op = (Prim)x->attr.i;
    text_printf(body, "#if defined %s\n    return (%s)", where(m, op, s), vec_ctype(e, x->type));
    if (op == PRIM_TRUNC || op == PRIM_ROUND) {
        put_rounded(body, m, type, op, size == 4);
        return true;
    }
    text_printf(body, "%s_%s_%s(", m->prefix, op == PRIM_FMA ? "fmadd" : prim_info[op].text,
                suffixes[s]);
    for (uint32_t i = 0; i < x->nops; i++)
        text_printf(body, "%s(%s)%c", i ? ", " : "", type, "abc"[i]);
    text_put(body, ");\n#else\n");
    return true;
}
