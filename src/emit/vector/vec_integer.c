// Operators on integers that GNU C lacks on vectors, as formulas of those that it has. C compilers
// would compute a loop over lanes lane by lane. Where the machine has an instruction,
// vec_machine.c writes it in front of the formula.
#include "emit/vector/vec.h"

// In a formula, $V is the type of the operands, $U the vector of unsigned integers of the same
// size, $E its element, $W the width in bits, $M the width less 1, and $X a vector of integers of
// twice the width, with elements $Y. `x` and `y` are `a` and `b` as $U.
static const char *formula_of(Prim op, bool is_signed, int size)
{
    switch (op) {
    case PRIM_ROTL: return "return ($V)(x << (y & ($E)$M) | x >> (-y & ($E)$M));";
    case PRIM_ROTR: return "return ($V)(x >> (y & ($E)$M) | x << (-y & ($E)$M));";
    case PRIM_ADD_SAT:
        if (!is_signed) return "$U sum = x + y;\nreturn sum | ($U)(sum < x);";
        return "$U sum = x + y, limit = ($U)(a >> $M) ^ ($E)(($E)-1 >> 1);\n"
               "$U beyond = ($U)(($V)((x ^ sum) & (y ^ sum)) < 0);\n"
               "return ($V)((sum & ~beyond) | (limit & beyond));";
    case PRIM_SUB_SAT:
        if (!is_signed) return "return (x - y) & ($U)(x > y);";
        return "$U difference = x - y, limit = ($U)(a >> $M) ^ ($E)(($E)-1 >> 1);\n"
               "$U beyond = ($U)(($V)((x ^ y) & (x ^ difference)) < 0);\n"
               "return ($V)((difference & ~beyond) | (limit & beyond));";
    case PRIM_AVG_CEIL: return "return ($V)((x | y) - ($U)((a ^ b) >> 1));";
    case PRIM_ABS_DIFF: return "$U less = ($U)(a < b);\nreturn ((x - y) ^ less) - less;";
    case PRIM_MUL_HI:
        if (size == 8) return NULL;
        return "$X product = __builtin_convertvector(a, $X) * __builtin_convertvector(b, $X);\n"
               "return __builtin_convertvector(product >> ($Y)$W, $V);";
    default: return NULL;
    }
}

// The formula of the number of ones: in pairs of bits, in groups of four, in bytes, in all.
static const char *ones(Arena *arena, int size)
{
    Text t = text_new(arena);
    text_put(&t, "x = x - ((x >> 1) & ($E)(($E)-1 / 3));\n"
                 "x = (x & ($E)(($E)-1 / 5)) + ((x >> 2) & ($E)(($E)-1 / 5));\n"
                 "x = (x + (x >> 4)) & ($E)(($E)-1 / 17);\n");
    for (int bits = 8; bits < size * 8; bits *= 2) text_printf(&t, "x = x + (x >> %d);\n", bits);
    text_put(&t, size > 1 ? "return ($V)(x & ($E)(2 * $W - 1));" : "return ($V)x;");
    return text_get(&t);
}

// The formulas of the number of leading zeros, which are the ones of the complement once ones
// follow the first one, and of trailing zeros, which are the ones below the last one less 1.
// `count` counts ones.
static const char *zeros(Arena *arena, Prim op, int size, const char *count)
{
    Text t = text_new(arena);
    if (op == PRIM_CTZ) return arena_printf(arena, "x = ~x & (x - 1);\nreturn %s;", count);
    for (int bits = 1; bits < size * 8; bits *= 2) text_printf(&t, "x = x | (x >> %d);\n", bits);
    text_printf(&t, "x = ~x;\nreturn %s;", count);
    return text_get(&t);
}

static Scalar twice(Scalar s)
{
    static const Scalar wider[SCALAR_COUNT] = {
        [SCALAR_I8] = SCALAR_I16,  [SCALAR_I16] = SCALAR_I32, [SCALAR_I32] = SCALAR_I64,
        [SCALAR_U8] = SCALAR_U16,  [SCALAR_U16] = SCALAR_U32, [SCALAR_U32] = SCALAR_U64,
        [SCALAR_I64] = SCALAR_I64, [SCALAR_U64] = SCALAR_U64};
    return wider[s];
}

// Writes the formula with the types of the operands, one statement on a line.
static void put_formula(Emitter *e, Text *out, const char *formula, Node *type)
{
    Scalar s = vec_element(type), u = scalar_unsigned(s), x = twice(s);
    int width = scalar_info[s].size * 8;
    int64_t lanes = vec_lanes(type);
    text_put(out, "    ");
    for (const char *at = formula; *at; at++) {
        if (*at == '\n')
            text_put(out, "\n    ");
        else if (*at != '$')
            text_char(out, *at);
        else
            switch (*++at) {
            case 'V': text_put(out, vec_type_named(e, s, lanes)); break;
            case 'U': text_put(out, vec_type_named(e, u, lanes)); break;
            case 'X': text_put(out, vec_type_named(e, x, lanes)); break;
            case 'E': text_put(out, scalar_info[u].ctype); break;
            case 'Y': text_put(out, scalar_info[x].ctype); break;
            case 'W': text_printf(out, "%d", width); break;
            default: text_printf(out, "%d", width - 1); break;
            }
    }
    text_char(out, '\n');
}

const char *vec_integer_body(Emitter *e, Node *x)
{
    if (x->kind != CORE_PRIM || vec_is_mask(x->op[0]->type)) return NULL;
    Node *type = x->op[0]->type;
    Scalar s = vec_element(type);
    Prim op = (Prim)x->attr.i;
    int size = scalar_info[s].size;
    if (scalar_info[s].class != CLASS_INT && scalar_info[s].class != CLASS_UINT) return NULL;
    const char *formula = formula_of(op, scalar_info[s].class == CLASS_INT, size);
    if (op == PRIM_POPCOUNT) formula = ones(e->arena, size);
    if (op == PRIM_CLZ || op == PRIM_CTZ)
        formula = zeros(e->arena, op, size, vec_each_named(e, PRIM_POPCOUNT, type, "($V)x", NULL));
    bool by_extremes = op == PRIM_ABS_DIFF && size < 8; // which machines have
    if (by_extremes) {
        const char *least = vec_each_named(e, PRIM_MIN, type, "a", "b"),
                   *most = vec_each_named(e, PRIM_MAX, type, "a", "b");
        formula = arena_printf(e->arena, "return ($U)%s - ($U)%s;", most, least);
    }
    if (!formula) return NULL;
    Text out = text_new(e->arena);
    if (op != PRIM_MUL_HI && !by_extremes)
        put_formula(e, &out, x->nops == 2 ? "$U x = ($U)a, y = ($U)b;" : "$U x = ($U)a;", type);
    put_formula(e, &out, formula, type);
    return text_get(&out);
}
