// Permutations of lanes by numbers that the program computes. GNU C has an operator for them that
// clang lacks, so they become a function of the intrinsics that exist; processors without an
// instruction for lanes of this size permute the bytes of each lane.
#include "emit/vector/vec.h"

#include <string.h>

/// An intrinsic for lanes and vectors of these sizes in bytes, and the macros under which it
/// exists. In its text, v is the vector, and `at` has the numbers. If `of` is not 0, v repeats so
/// many bytes.
typedef struct {
    int lane, bytes;
    const char *when, *text;
    int of;
} Permutation;

#define SSSE3    "defined __SSSE3__"
#define AVX      "defined __AVX__"
#define AVX2     "defined __AVX2__"
#define AVX512   "defined __AVX512F__"
#define AVX512VL "defined __AVX512VL__"
#define AVX512BW "defined __AVX512BW__ && defined __AVX512VL__"
#define VBMI     "defined __AVX512VBMI__ && defined __AVX512VL__"

// Permutes 32 bytes: both halves of the vector by the lower 4 bits of the numbers, and chooses by
// the bit above these, which is moved to the sign of each byte.
#define HALVES                                                                                     \
    "_mm256_blendv_epi8("                                                                          \
    "_mm256_shuffle_epi8(_mm256_permute2x128_si256((__m256i)v, (__m256i)v, 0x00), (__m256i)at),\n" \
    "        _mm256_shuffle_epi8(_mm256_permute2x128_si256((__m256i)v, (__m256i)v, 0x11), "        \
    "(__m256i)at),\n        _mm256_slli_epi16((__m256i)at, 3))"
static const Permutation permutations[] = {
    {1, 16, SSSE3, "_mm_shuffle_epi8((__m128i)v, (__m128i)(at & 15))", 0},
    {1, 32, AVX2, "_mm256_shuffle_epi8((__m256i)v, (__m256i)(at & 15))", 16},
    {1, 64, "defined __AVX512BW__", "_mm512_shuffle_epi8((__m512i)v, (__m512i)(at & 15))", 16},
    {1, 32, VBMI, "_mm256_permutexvar_epi8((__m256i)at, (__m256i)v)", 0},
    {1, 32, AVX2, HALVES, 0},
    {1, 64, VBMI, "_mm512_permutexvar_epi8((__m512i)at, (__m512i)v)", 0},
    {2, 16, AVX512BW, "_mm_permutexvar_epi16((__m128i)at, (__m128i)v)", 0},
    {2, 16, SSSE3, "_mm_shuffle_epi8((__m128i)v, (__m128i)((at & 7) * 0x0202 + 0x0100))", 0},
    {2, 32, AVX512BW, "_mm256_permutexvar_epi16((__m256i)at, (__m256i)v)", 0},
    {2, 32, AVX2, HALVES, 0},
    {2, 64, AVX512BW, "_mm512_permutexvar_epi16((__m512i)at, (__m512i)v)", 0},
    {4, 16, AVX, "_mm_permutevar_ps((__m128)v, (__m128i)at)", 0},
    {4, 16, SSSE3, "_mm_shuffle_epi8((__m128i)v, (__m128i)((at & 3) * 0x04040404 + 0x03020100))",
     0},
    {4, 32, AVX2, "_mm256_permutevar8x32_epi32((__m256i)v, (__m256i)at)", 0},
    {4, 64, AVX512, "_mm512_permutexvar_epi32((__m512i)at, (__m512i)v)", 0},
    {8, 16, AVX, "_mm_permutevar_pd((__m128d)v, (__m128i)((at & 1) * 2))", 0},
    {8, 32, AVX512VL, "_mm256_permutexvar_epi64((__m256i)at, (__m256i)v)", 0},
    {8, 32, AVX2,
     "_mm256_permutevar8x32_epi32((__m256i)v, (__m256i)((at & 3) * 0x200000002 + 0x100000000))", 0},
    {8, 64, AVX512, "_mm512_permutexvar_epi64((__m512i)at, (__m512i)v)", 0}};

// Whether the intrinsic permutes `lanes` lanes of `size` bytes by those of a vector of `of` lanes.
static bool fits(const Permutation *p, int size, int64_t lanes, int64_t of)
{
    return p->lane == size && p->bytes == size * lanes && (p->of == 0 || p->of == size * of);
}

// Writes the vector of numbers' length that repeats the shorter vector `part`.
static void put_repeated(Text *out, const char *type, int64_t lanes, int64_t of)
{
    text_printf(out, "    %s v = __builtin_shufflevector(part, part", type);
    for (int64_t k = 0; k < lanes; k++) text_printf(out, ", %lld", (long long)(k % of));
    text_put(out, ");\n");
}

static void write_permutation(Emitter *e, const char *name, Node *x)
{
    Text *out = &e->vector_functions;
    const char *type = vec_ctype(e, x->type), *part = vec_ctype(e, x->op[0]->type),
               *at = vec_ctype(e, x->op[1]->type);
    int size = vec_size_of(e, vec_element(x->type));
    bool same = size == vec_size_of(e, vec_element(x->op[1]->type)); // not of field elements
    int64_t lanes = vec_lanes(x->type), of = vec_lanes(x->op[0]->type);
    bool none = true;
    text_printf(out, "\n" VECTOR_FUNCTION "%s %s(%s %s, %s at)\n{\n", type, name, part,
                of < lanes ? "part" : "v", at);
    if (of < lanes) put_repeated(out, type, lanes, of);
    for (size_t i = 0; i < sizeof permutations / sizeof *permutations; i++) {
        const Permutation *p = &permutations[i];
        if (!same || !fits(p, size, lanes, of)) continue;
        text_printf(out, "#%s %s\n", none ? "if" : "elif", p->when);
        if (strcmp(p->text, HALVES) == 0)
            text_printf(out, "    at = %s;\n",
                        size == 1 ? "at & 31" : "(at & 15) * 0x0202 + 0x0100");
        text_printf(out, "    return (%s)%s;\n", type, p->text);
        none = false;
    }
    e->intrinsics |= !none;
    if (same)
        text_printf(out,
                    "#%s defined __GNUC__ && !defined __clang__\n"
                    "    return __builtin_shuffle(v, at);\n#else\n",
                    none ? "if" : "elif");
    text_printf(out,
                "    %s r = {0};\n    for (int k = 0; k < %lld; k++) r[k] = v[at[k] & %lld];\n"
                "    return r;\n%s}\n",
                type, (long long)lanes, (long long)lanes - 1, same ? "#endif\n" : "");
}

const char *vec_permute_text(Emitter *e, Node *x)
{
    const char *of = scalar_info[vec_element(x->type)].text;
    int64_t lanes = vec_lanes(x->type), part = vec_lanes(x->op[0]->type);
    const char *name = arena_printf(e->arena, "adze_permuted_%sx%lld", of, (long long)lanes);
    if (part < lanes) name = arena_printf(e->arena, "%s_of_%lld", name, (long long)part);
    if (vec_is_new(e, name)) write_permutation(e, name, x);
    return arena_printf(e->arena, "%s(%s)", name, operands_text(e, x));
}
