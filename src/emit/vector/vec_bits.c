// Bit masks. On processors with mask registers, the mask of a whole vector has one bit per lane.
// Comparisons produce bit masks; selections, masked memory accesses and tests take them. C
// compilers do not recognise that turning bits into lanes of 0 and -1, and testing these lanes,
// results in the same bits. So a local is a bit mask if every value assigned to it is one and every
// use takes one.
#include "emit/vector/vec.h"

#include "base/target/cpu.h"

#include <string.h>

enum { WHOLE = 64 }; // the size in bytes of vectors whose comparisons produce bit masks

// Whether an expression is a bit mask. EITHER means that it can be a bit mask or a vector.
typedef enum { NO_BITS, EITHER, BITS } AsBits;

// Intrinsics for comparisons. The operator is part of the name for integers, and an argument for
// floats.
typedef struct {
    Prim op;
    const char *name, *floats;
} Comparison;

static const Comparison comparisons[] = {
    {PRIM_EQ, "eq", "_CMP_EQ_OQ"}, {PRIM_NE, "neq", "_CMP_NEQ_UQ"}, {PRIM_LT, "lt", "_CMP_LT_OQ"},
    {PRIM_LE, "le", "_CMP_LE_OQ"}, {PRIM_GT, "gt", "_CMP_GT_OQ"},   {PRIM_GE, "ge", "_CMP_GE_OQ"}};

static const Comparison *comparison_of(Prim op)
{
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (comparisons[i].op == op) return &comparisons[i];
    return NULL;
}

static bool has_registers(const Emitter *e)
{
    return e->cx->cpu->level->masks && !e->options->field;
}

static bool is_whole(Emitter *e, Node *type)
{
    return type->kind == TYPE_VEC && !vec_is_mask(type) && vec_element(type) != SCALAR_F16 &&
           vec_lane_size(e, type) * vec_lanes(type) == WHOLE;
}

static bool compares(Emitter *e, Node *x)
{
    return x->kind == CORE_PRIM && comparison_of((Prim)x->attr.i) && is_whole(e, x->op[0]->type);
}

static bool is_logical(Node *x)
{
    if (x->kind != CORE_PRIM) return false;
    Prim op = (Prim)x->attr.i;
    return op == PRIM_NOT || op == PRIM_AND || op == PRIM_OR || op == PRIM_XOR;
}

static AsBits as_bits(Emitter *e, Node *x)
{
    if (x->kind == LOOP_VAR) return map_get(&e->bits, MAP_KEY(x->attr.sym)) ? BITS : NO_BITS;
    if (x->kind == LOOP_SPLAT) return EITHER;
    if (compares(e, x)) return BITS;
    if (!is_logical(x)) return NO_BITS;
    AsBits all = EITHER;
    for (uint32_t i = 0; i < x->nops; i++) {
        AsBits one = as_bits(e, x->op[i]);
        if (one == NO_BITS) return NO_BITS;
        if (one == BITS) all = BITS;
    }
    return all;
}

bool bits_has(Emitter *e, Node *mask)
{
    return has_registers(e) && mask->type->kind == TYPE_VEC && as_bits(e, mask) == BITS;
}

bool bits_takes(Emitter *e, Node *mask, Node *type)
{
    return is_whole(e, type) && bits_has(e, mask);
}

// --- locals -------------------------------------------------------------------------------------

bool bits_is_local(const Emitter *e, Sym local)
{
    return map_get(&e->bits, MAP_KEY(local)) != NULL;
}

// Marks the mask that `s` declares as a bit mask if its lanes fill a whole vector. The mark may be
// dropped later.
static void add_local(Emitter *e, Node *s)
{
    Node *mask = vec_assigned_mask(s);
    int64_t lanes = mask ? vec_lanes(mask->type) : 0;
    int size = (int)(uintptr_t)map_get(&e->masks, MAP_KEY(s->attr.sym));
    if (lanes >= 8 && lanes * size == WHOLE) map_put(&e->bits, MAP_KEY(s->attr.sym), e);
}

typedef struct {
    Emitter *e;
    bool shrunk; // whether a local was dropped
    Map seen;    // expressions already visited as vectors
} Drop;

static void drop(Drop *d, Sym local)
{
    if (!bits_is_local(d->e, local)) return;
    map_put(&d->e->bits, MAP_KEY(local), NULL);
    d->shrunk = true;
}

// Returns the index of the mask operand of an operation that takes bit masks, or -1 if there is
// none.
static int mask_operand(Emitter *e, Node *x)
{
    switch (x->kind) {
    case LOOP_ANY:
    case LOOP_COUNT:
    case LOOP_MASK_BITS: return 0;
    case LOOP_LANE: return vec_is_mask(x->op[0]->type) ? 0 : -1;
    case LOOP_COMPRESS:
    case LOOP_EXPAND:
    case LOOP_LOAD_WHERE: return is_whole(e, x->type) ? 1 : -1;
    case LOOP_STORE_WHERE:
    case LOOP_STORE_PACKED: return is_whole(e, x->op[1]->type) ? 2 : -1;
    case LOOP_SELECT: return is_whole(e, x->type) ? 0 : -1;
    default: return -1;
    }
}

static void drop_vectors(Drop *d, Node *x);

// Drops the locals that a bit mask uses as vectors. Only the operands of its comparisons are
// vectors.
static void drop_in_bits(Drop *d, Node *mask)
{
    if (mask->kind == LOOP_VAR) return;
    for (uint32_t i = 0; i < mask->nops; i++)
        (is_logical(mask) ? drop_in_bits : drop_vectors)(d, mask->op[i]);
}

// Drops the locals that the statement or expression uses or assigns as vectors.
static void drop_vectors(Drop *d, Node *x)
{
    if (kind_info[x->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return;
    if (x->kind == LOOP_VAR) drop(d, x->attr.sym);
    if (x->nops == 0 || map_get(&d->seen, MAP_KEY(x))) return;
    map_put(&d->seen, MAP_KEY(x), d);
    Node *put = vec_assigned_mask(x);
    bool local = put && bits_is_local(d->e, x->attr.sym);
    if (local && as_bits(d->e, put) == NO_BITS) {
        drop(d, x->attr.sym);
        local = false;
    }
    int mask = mask_operand(d->e, x);
    for (uint32_t i = 0; i < x->nops; i++) {
        bool bits = local ? x->op[i] == put : (int)i == mask && bits_has(d->e, x->op[i]);
        (bits ? drop_in_bits : drop_vectors)(d, x->op[i]);
    }
}

void bits_find(Emitter *e, Node *body)
{
    e->bits = map_new(e->arena);
    if (!has_registers(e)) return;
    Stmts all = loops_all(e->cx, body, IS_DECL);
    for (int i = 0; i < all.len; i++) add_local(e, all.at[i]);
    Drop d = {.e = e, .shrunk = e->bits.len > 0};
    while (d.shrunk) {
        d.shrunk = false;
        d.seen = map_new(e->arena);
        drop_vectors(&d, body);
    }
}

// --- text ---------------------------------------------------------------------------------------

const char *bits_ctype(Emitter *e, int64_t lanes)
{
    return arena_printf(e->arena, "uint%lld_t", (long long)lanes);
}

const char *bits_lanes(Emitter *e, int size, int64_t lanes)
{
    const char *type = vec_mask_ctype(e, size, lanes), *bits = bits_ctype(e, lanes);
    const char *name = arena_printf(e->arena, "adze_lanes_%s", type + strlen("adze_"));
    if (!vec_is_new(e, name)) return name;
    Text *out = &e->vector_functions;
    text_printf(out, "\n" VECTOR_FUNCTION_IF_USED "%s %s(%s on)\n{\n", type, name, bits);
    bool whole = size * lanes == WHOLE;
    if (whole)
        text_printf(out, "#if defined %s\n    return (%s)_mm512_movm_epi%d(on);\n#else\n",
                    size < 4 ? "__AVX512BW__" : "__AVX512DQ__", type, 8 * size);
    text_printf(out,
                "    %s m;\n    for (int k = 0; k < %lld; k++) m[k] = -(on >> k & 1);\n"
                "    return m;\n%s}\n",
                type, (long long)lanes, whole ? "#endif\n" : "");
    e->intrinsics |= whole;
    return name;
}

// Returns the name of the function that compares vectors of this type into a bit mask.
static const char *comparing(Emitter *e, const Comparison *c, Node *type)
{
    Scalar s = vec_element(type);
    int64_t lanes = vec_lanes(type);
    int size = vec_lane_size(e, type);
    const char *vector = vec_ctype(e, type), *mask = vec_mask_ctype(e, size, lanes),
               *bits = bits_ctype(e, lanes);
    const char *name = arena_printf(e->arena, "adze_%s_bits_%s", c->name, vector + strlen("adze_"));
    if (!vec_is_new(e, name)) return name;
    Text *out = &e->vector_functions;
    text_printf(out,
                "\n" VECTOR_FUNCTION "%s %s(%s a, %s b)\n{\n#if defined %s\n    return _mm512_cmp",
                bits, name, vector, vector, size < 4 ? "__AVX512BW__" : "__AVX512F__");
    if (scalar_info[s].class == CLASS_FLOAT)
        text_printf(out, "_%1$s_mask((__m512%2$s)a, (__m512%2$s)b, %3$s);\n",
                    size == 4 ? "ps" : "pd", size == 4 ? "" : "d", c->floats);
    else
        text_printf(out, "%s_ep%c%d_mask((__m512i)a, (__m512i)b);\n", c->name,
                    scalar_info[s].text[0], 8 * size);
    text_printf(out,
                "#else\n    %s m = (%s)(a %s b);\n    %s on = 0;\n    for (int k = 0; k < %lld; "
                "k++) on |= (%s)(m[k] & 1) << k;\n    return on;\n#endif\n}\n",
                mask, mask, prim_info[c->op].c, bits, (long long)lanes, bits);
    e->intrinsics = true;
    return name;
}

// Returns the bit mask in which all lanes are active.
static const char *all_bits(Emitter *e, int64_t lanes)
{
    return arena_printf(e->arena, lanes == 64 ? "UINT64_MAX" : "0x%llx", (1ull << lanes % 64) - 1);
}

static void splat(Emitter *e, Node *x, int min)
{
    int64_t lanes = vec_lanes(x->type);
    if (x->op[0]->kind == CORE_LIT) {
        text_put(e->out, x->op[0]->attr.i ? all_bits(e, lanes) : "0");
        return;
    }
    bool p = emit_open(e, PREC_TERNARY, min);
    emit_expr(e, x->op[0], PREC_OR);
    text_printf(e->out, " ? %s : 0", all_bits(e, lanes));
    emit_close(e, p);
}

static void logical(Emitter *e, Node *x, int min)
{
    Prim op = (Prim)x->attr.i;
    int own = op == PRIM_AND ? PREC_BITAND : op == PRIM_OR ? PREC_BITOR : PREC_BITXOR;
    bool p = emit_open(e, own, min);
    const char *a = bits_text(e, x->op[0], PREC_UNARY);
    if (op == PRIM_NOT) // not ~, which C computes as an int
        text_printf(e->out, "%s ^ %s", a, all_bits(e, vec_lanes(x->type)));
    else
        text_printf(e->out, "%s %s %s", a, prim_info[op].c, bits_text(e, x->op[1], PREC_UNARY));
    emit_close(e, p);
}

static void compare_bits(Emitter *e, Node *x)
{
    const char *name = comparing(e, comparison_of((Prim)x->attr.i), x->op[0]->type),
               *a = expr_text(e, x->op[0], PREC_TERNARY), *b = expr_text(e, x->op[1], PREC_TERNARY);
    text_printf(e->out, "%s(%s, %s)", name, a, b);
}

static void put_bits(Emitter *e, Node *x, int min)
{
    if (x->kind == LOOP_VAR)
        text_put(e->out, names_use(e, x->attr.sym));
    else if (x->kind == LOOP_SPLAT)
        splat(e, x, min);
    else if (is_logical(x))
        logical(e, x, min);
    else
        compare_bits(e, x);
}

const char *bits_text(Emitter *e, Node *x, int min)
{
    return text_of(e, put_bits, x, min);
}

void bits_any(Emitter *e, Node *mask, bool some, int min)
{
    // tests a negated mask by comparing the mask with all ones: C compilers warn about ~ of narrow
    // integers
    bool not = mask->kind == CORE_PRIM && mask->attr.i == PRIM_NOT;
    bool p = emit_open(e, PREC_EQ, min);
    text_printf(e->out, "%s %s %s", bits_text(e, not ? mask->op[0] : mask, PREC_REL),
                some ? "!=" : "==", not ? all_bits(e, vec_lanes(mask->type)) : "0");
    emit_close(e, p);
}

void bits_lane(Emitter *e, Node *mask, const char *lane, int min)
{
    bool p = emit_open(e, PREC_BITAND, min);
    const char *on = bits_text(e, mask, PREC_UNARY);
    text_printf(e->out, strpbrk(lane, " ") ? "%s >> (%s) & 1" : "%s >> %s & 1", on, lane);
    emit_close(e, p);
}

const char *bits_selector(Emitter *e, Node *type)
{
    int size = vec_lane_size(e, type);
    int64_t lanes = vec_lanes(type);
    const char *vector = vec_ctype(e, type), *bits = bits_ctype(e, lanes);
    const char *name = arena_printf(e->arena, "adze_select_bits_%s", vector + strlen("adze_"));
    if (!vec_is_new(e, name)) return name;
    text_printf(
        &e->vector_functions,
        "\n" VECTOR_FUNCTION "%1$s %2$s(%3$s on, %1$s a, %1$s b)\n{\n#if defined %4$s\n    return "
        "(%1$s)_mm512_mask_blend_epi%5$d(on, (__m512i)b, (__m512i)a);\n#else\n    for "
        "(int k = 0; k < %6$lld; k++) b[k] = on >> k & 1 ? a[k] : b[k];\n    return "
        "b;\n#endif\n}\n",
        vector, name, bits, size < 4 ? "__AVX512BW__" : "__AVX512F__", 8 * size, (long long)lanes);
    e->intrinsics = true;
    return name;
}
