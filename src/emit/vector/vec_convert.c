// Conversions of vectors to lanes of another scalar type. Where integers become wider or narrower,
// machines have an instruction, but gcc makes four or five of a __builtin_convertvector, and
// converts lane after lane where sizes differ by more than a factor of two. So such a conversion
// becomes a function with the intrinsic, and with conversions by factors of two for others.
#include "emit/vector/vec.h"

// How a machine converts integers whose wider vector, before or after, has 16, 32 or 64 bytes.
typedef struct {
    const char *widens, *widens_1;   // the macro defined if it can widen; from one byte to two
    const char *shuffles;            // or narrow by a shuffle of bytes
    const char *narrows, *narrows_2; // or narrow at once; from two bytes to one
    const char *type, *prefix;       // of a vector, of instructions on it
} Sizes;

static const Sizes *sizes_of(int64_t bytes)
{
    static const Sizes all[] = {
        {"__SSE4_1__", "__SSE4_1__", "__SSSE3__", "__AVX512VL__",
         "__AVX512BW__ && defined __AVX512VL__", "__m128i", "_mm"},
        {"__AVX2__", "__AVX2__", "__AVX2__", "__AVX512VL__", "__AVX512BW__ && defined __AVX512VL__",
         "__m256i", "_mm256"},
        {"__AVX512F__", "__AVX512BW__", NULL, "__AVX512F__", "__AVX512BW__", "__m512i", "_mm512"}};
    return bytes == 16 ? &all[0] : bytes == 32 ? &all[1] : bytes == 64 ? &all[2] : NULL;
}

// The integer type with this size and of the same kind, signed or unsigned.
static Scalar integer_of(int size, Scalar like)
{
    for (int s = 0; s < SCALAR_COUNT; s++)
        if (scalar_info[s].size == size && scalar_info[s].class == scalar_info[like].class)
            return (Scalar)s;
    return like;
}

static const char *by_compiler(Emitter *e, const char *text, Scalar to, int64_t lanes)
{
    return arena_printf(e->arena, "__builtin_convertvector(%s, %s)", text,
                        vec_type_named(e, to, lanes));
}

// `a` as a vector of at least 16 bytes, whose first ones it is.
static const char *in_register(int64_t bytes)
{
    return bytes == 4    ? "_mm_cvtsi32_si128((int)a)"
           : bytes == 8  ? "(__m128i){(long long)a, 0}"
           : bytes == 16 ? "(__m128i)a"
                         : "(__m256i)a";
}

static void put_wider(Text *out, const Sizes *m, Scalar from, Scalar to, int64_t lanes,
                      const char *result)
{
    int size = scalar_info[from].size, wide = scalar_info[to].size;
    text_printf(out, "#if defined %s\n    return (%s)%s_cvtep%c%d_epi%d(%s);\n#else\n",
                size == 1 && wide == 2 ? m->widens_1 : m->widens, result, m->prefix,
                scalar_info[from].class == CLASS_INT ? 'i' : 'u', size * 8, wide * 8,
                in_register(lanes * size));
}

// Takes the first of each `ratio` parts, which is the low one on these machines.
static void put_shuffle(Emitter *e, Text *out, const Sizes *m, Scalar to, int64_t lanes, int ratio)
{
    const char *parts = vec_type_named(e, to, lanes * ratio);
    text_printf(out, "#elif defined %s\n    return __builtin_shufflevector((%s)a, (%s)a",
                m->shuffles, parts, parts);
    for (int64_t k = 0; k < lanes; k++)
        text_printf(out, ",%s%lld", k % 8 ? " " : "\n        ", (long long)k * ratio);
    text_put(out, ");\n");
}

static void put_narrower(Emitter *e, Text *out, const Sizes *m, Scalar from, Scalar to,
                         int64_t lanes, const char *result)
{
    int size = scalar_info[from].size, narrow = scalar_info[to].size;
    int64_t bytes = lanes * narrow;
    text_printf(out, "#if defined %s\n    return (%s)%s%s_cvtepi%d_epi%d((%s)a)%s;\n",
                size == 2 ? m->narrows_2 : m->narrows, result,
                bytes == 4   ? "_mm_cvtsi128_si32("
                : bytes == 8 ? "("
                             : "",
                m->prefix, size * 8, narrow * 8, m->type,
                bytes == 4   ? ")"
                : bytes == 8 ? ")[0]"
                             : "");
    if (m->shuffles) put_shuffle(e, out, m, to, lanes, size / narrow);
    text_put(out, "#else\n");
}

static const char *resized(Emitter *e, const char *text, Scalar from, Scalar to, int64_t lanes);

// The conversion by factors of two.
static const char *in_steps(Emitter *e, const char *text, Scalar from, Scalar to, int64_t lanes)
{
    int a = scalar_info[from].size, b = scalar_info[to].size;
    bool far = a * 2 < b || a > 2 * b;
    if (!far) return by_compiler(e, text, to, lanes);
    Scalar next = integer_of(a < b ? a * 2 : a / 2, from);
    return resized(e, resized(e, text, from, next, lanes), next, to, lanes);
}

// Integers as wider or narrower ones.
static const char *resized(Emitter *e, const char *text, Scalar from, Scalar to, int64_t lanes)
{
    int a = scalar_info[from].size, b = scalar_info[to].size;
    const Sizes *m = sizes_of(lanes * (a > b ? a : b));
    if (!m || lanes * (a < b ? a : b) < 4) return in_steps(e, text, from, to, lanes);
    const char *name = arena_printf(e->arena, "adze_%s_to_%sx%lld", scalar_info[from].text,
                                    scalar_info[to].text, (long long)lanes),
               *result = vec_type_named(e, to, lanes), *operand = vec_type_named(e, from, lanes);
    if (vec_is_new(e, name)) {
        const char *steps = in_steps(e, "a", from, to, lanes);
        Text *out = &e->vector_functions;
        text_printf(out, "\n" VECTOR_FUNCTION_IF_USED "%s %s(%s a)\n{\n", result, name, operand);
        if (a < b)
            put_wider(out, m, from, to, lanes, result);
        else
            put_narrower(e, out, m, from, to, lanes, result);
        text_printf(out, "    return %s;\n#endif\n}\n", steps);
        e->intrinsics = true;
    }
    return arena_printf(e->arena, "%s(%s)", name, text);
}

static bool is_integer(Scalar s)
{
    return scalar_info[s].class == CLASS_INT || scalar_info[s].class == CLASS_UINT;
}

const char *vec_converted(Emitter *e, const char *text, Scalar from, Scalar to, int64_t lanes)
{
    int size = scalar_info[from].size;
    // No machine converts small integers to floats.
    if (is_integer(from) && size < 4 && scalar_info[to].class == CLASS_FLOAT)
        return vec_converted(e, vec_converted(e, text, from, SCALAR_I32, lanes), SCALAR_I32, to,
                             lanes);
    if (from == to) return text;
    if (is_integer(from) && is_integer(to) && size != scalar_info[to].size)
        return resized(e, text, from, to, lanes);
    return by_compiler(e, text, to, lanes);
}
