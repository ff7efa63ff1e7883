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
    int width; // 0, 1 or 2 for vectors of 16, 32 or 64 bytes
} Machine;

static const Machine *machine_of(int64_t bytes)
{
    static const Machine machines[] = {{"__SSE2__", "__SSE4_1__", "__FMA__", "__SSE4_1__",
                                        "__SSE4_1__", "_mm", "__m128", "__m128d", "__m128i", 0},
                                       {"__AVX__", "__AVX__", "__FMA__", "__AVX2__", "__AVX2__",
                                        "_mm256", "__m256", "__m256d", "__m256i", 1},
                                       {"__AVX512F__", "__AVX512F__", "__AVX512F__", "__AVX512F__",
                                        "__AVX512BW__", "_mm512", "__m512", "__m512d", "__m512i",
                                        2}};
    return bytes == 16   ? &machines[0]
           : bytes == 32 ? &machines[1]
           : bytes == 64 ? &machines[2]
                         : NULL;
}

static const char *const suffixes[SCALAR_COUNT] = {
    [SCALAR_I8] = "epi8",   [SCALAR_I16] = "epi16", [SCALAR_I32] = "epi32", [SCALAR_U8] = "epu8",
    [SCALAR_U16] = "epu16", [SCALAR_U32] = "epu32", [SCALAR_F32] = "ps",    [SCALAR_F64] = "pd"};

// An instruction for an operator on integers of some sizes: its name, with the suffix of the type
// or, if the sign makes no difference, of the signed one, and the macros that are defined if it
// exists for vectors of 16 and 32 bytes, and of 64.
typedef struct {
    Prim op;
    int sizes;                           // the sum of the sizes in bytes
    ScalarClass class;                   // CLASS_BOOL for both kinds of integers
    const char *name, *narrow[2], *wide; // no name if it takes several
} Instruction;

#define VL(feature)                                                                                \
    {feature " && defined __AVX512VL__", feature " && defined __AVX512VL__"}, feature
#define BYTES {"__SSE2__", "__AVX2__"}, "__AVX512BW__"
#define BOTH  CLASS_BOOL

static const Instruction instructions[] = {
    {PRIM_ADD_SAT, 1 + 2, CLASS_INT, "adds_epi", BYTES},
    {PRIM_ADD_SAT, 1 + 2, CLASS_UINT, "adds_epu", BYTES},
    {PRIM_SUB_SAT, 1 + 2, CLASS_INT, "subs_epi", BYTES},
    {PRIM_SUB_SAT, 1 + 2, CLASS_UINT, "subs_epu", BYTES},
    {PRIM_AVG_CEIL, 1 + 2, CLASS_UINT, "avg_epu", BYTES},
    {PRIM_MUL_HI, 2, CLASS_INT, "mulhi_epi", BYTES},
    {PRIM_MUL_HI, 2, CLASS_UINT, "mulhi_epu", BYTES},
    {PRIM_ROTL, 4 + 8, BOTH, "rolv_epi", VL("__AVX512F__")},
    {PRIM_ROTR, 4 + 8, BOTH, "rorv_epi", VL("__AVX512F__")},
    {PRIM_POPCOUNT, 1 + 2, BOTH, "popcnt_epi", VL("__AVX512BITALG__")},
    {PRIM_POPCOUNT, 4 + 8, BOTH, "popcnt_epi", VL("__AVX512VPOPCNTDQ__")},
    {PRIM_CLZ, 4 + 8, BOTH, "lzcnt_epi", VL("__AVX512CD__")},
    {PRIM_CTZ, 4 + 8, BOTH, NULL, VL("__AVX512CD__")},
    {PRIM_MUL_HI, 4, CLASS_INT, NULL, {"__SSE4_1__", "__AVX2__"}, "__AVX512F__"},
    {PRIM_MUL_HI, 4, CLASS_UINT, NULL, {"__SSE2__", "__AVX2__"}, "__AVX512F__"},
};

static const Instruction *instruction_of(Prim op, Scalar s)
{
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        const Instruction *k = &instructions[i];
        bool fits = k->class == BOTH || k->class == scalar_info[s].class;
        if (k->op == op && k->sizes & scalar_info[s].size && fits) return k;
    }
    return NULL;
}

static bool has_instruction(const Emitter *e, Node *x, Scalar s)
{
    bool is_float = scalar_info[s].class == CLASS_FLOAT;
    if (x->kind != CORE_PRIM || (is_float && e->options->field)) return false;
    if (instruction_of((Prim)x->attr.i, s)) return true;
    if (!suffixes[s]) return false;
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
    const Instruction *k = instruction_of(op, s);
    if (k) return m->width == 2 ? k->wide : k->narrow[m->width];
    if (op == PRIM_FMA) return m->fused;
    if (op >= PRIM_FLOOR && op <= PRIM_TRUNC) return m->rounds;
    if (scalar_info[s].class == CLASS_FLOAT) return m->floats;
    return scalar_info[s].size == 4 ? m->numbers : m->bytes;
}

// Returns the intrinsic without its prefix.
static const char *intrinsic(Emitter *e, Prim op, Scalar s)
{
    const Instruction *k = instruction_of(op, s);
    if (k) return arena_printf(e->arena, "%s%d", k->name, scalar_info[s].size * 8);
    return arena_printf(e->arena, "%s_%s", op == PRIM_FMA ? "fmadd" : prim_info[op].text,
                        suffixes[s]);
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

// Counts trailing zeros: the width less the leading zeros of ~a & (a - 1).
static void put_trailing_zeros(Text *body, const Machine *m, int bits)
{
    const char *p = m->prefix;
    text_printf(body,
                "%s_sub_epi%d(%s_set1_epi%d%s(%d),\n        %s_lzcnt_epi%d(%s_andnot_si%d((%s)a, ",
                p, bits, p, bits, bits == 64 && m->width < 2 ? "x" : "", bits, p, bits, p,
                128 << m->width, m->integer);
    text_printf(body, "%s_add_epi%d((%s)a, %s_set1_epi%d%s(-1)))));\n#else\n", p, bits, m->integer,
                p, bits, bits == 64 && m->width < 2 ? "x" : "");
}

// The upper halves of products of 32-bit integers: those of the even lanes and of the odd lanes,
// which the machine multiplies as 64-bit integers.
static void put_high_products(Text *body, const Machine *m, bool is_signed)
{
    const char *p = m->prefix, *t = m->integer, *mul = is_signed ? "mul_epi32" : "mul_epu32";
    int bits = 128 << m->width;
    text_printf(body, "%s_or_si%d(%s_srli_epi64(%s_%s((%s)a, (%s)b), 32),\n        ", p, bits, p, p,
                mul, t, t);
    text_printf(body, "%s_andnot_si%d(%s_set1_epi64%s(0xffffffff),\n            ", p, bits, p,
                m->width < 2 ? "x" : "");
    text_printf(body, "%s_%s(%s_srli_epi64((%s)a, 32), %s_srli_epi64((%s)b, 32))));\n#else\n", p,
                mul, p, t, p, t);
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
    if (op == PRIM_CTZ) {
        put_trailing_zeros(body, m, size * 8);
        return true;
    }
    if (op == PRIM_MUL_HI && size == 4) {
        put_high_products(body, m, scalar_info[s].class == CLASS_INT);
        return true;
    }
    text_printf(body, "%s_%s(", m->prefix, intrinsic(e, op, s));
    for (uint32_t i = 0; i < x->nops; i++)
        text_printf(body, "%s(%s)%c", i ? ", " : "", type, "abc"[i]);
    text_put(body, ");\n#else\n");
    return true;
}
