// Writes vector expressions, with the operators that GNU C defines on vector types.
#include "emit/vector/vec.h"

// --- scalars as vectors -------------------------------------------------------------------------

// Writes a scalar operand of a vector operator, which C broadcasts. Narrow integers have type int
// in C and need a cast.
static void broadcast(Emitter *e, Node *scalar, const char *type, bool cast, int min)
{
    if (!cast) {
        emit_expr(e, scalar, min);
        return;
    }
    bool p = emit_open(e, PREC_UNARY, min);
    text_printf(e->out, "(%s)", type);
    emit_expr(e, scalar, PREC_UNARY);
    emit_close(e, p);
}

bool vec_is_zero(Node *x)
{
    return x->kind == LOOP_SPLAT && x->op[0]->kind == CORE_LIT && x->op[0]->attr.bits == 0;
}

static void splat(Emitter *e, Node *x, int min)
{
    Scalar s = vec_element(x->type);
    const char *type = vec_ctype(e, x->type);
    if (vec_is_zero(x)) {
        text_printf(e->out, "(%s){0}", type);
        return;
    }
    bool p = emit_open(e, PREC_ADD, min); // x - 0 is x, even for -0.0
    broadcast(e, x->op[0], scalar_info[s].ctype, vec_size_of(e, s) < 4, PREC_ADD);
    text_printf(e->out, " - (%s){0}", type);
    emit_close(e, p);
}

static void iota(Emitter *e, Node *x)
{
    text_printf(e->out, "(%s){", vec_ctype(e, x->type));
    for (int64_t k = 0; k < vec_lanes(x->type); k++)
        text_printf(e->out, "%s%lld", k ? ", " : "", (long long)k);
    text_char(e->out, '}');
}

// --- operators ----------------------------------------------------------------------------------

// Whether `x` is a splat that can be written as a scalar, since GNU C broadcasts a scalar operand
// if the other operand is a vector.
static bool is_broadcast(Node *x, Node *other)
{
    return x->kind == LOOP_SPLAT && other->kind != LOOP_SPLAT &&
           scalar_info[vec_element(x->type)].size >= 4;
}

static void operand(Emitter *e, Node *x, Node *other, int min)
{
    emit_expr(e, is_broadcast(x, other) ? x->op[0] : x, min);
}

static void infix(Emitter *e, Node *x, int own, int min)
{
    bool p = emit_open(e, own, min), bits = own <= PREC_BITAND;
    operand(e, x->op[0], x->op[1], bits ? PREC_UNARY : own);
    text_printf(e->out, " %s ", prim_info[x->attr.i].c);
    operand(e, x->op[1], x->op[0], bits ? PREC_UNARY : own + 1);
    emit_close(e, p);
}

static void prefix(Emitter *e, Node *x, const char *sign, int min)
{
    bool p = emit_open(e, PREC_UNARY, min);
    text_put(e->out, sign);
    emit_expr(e, x->op[0], PREC_PRIMARY);
    emit_close(e, p);
}

// Whether the arithmetic is done on unsigned integers, which wrap; nested arithmetic stays
// unsigned.
static bool wraps(Node *x)
{
    if (x->kind != CORE_PRIM || x->type->kind != TYPE_VEC) return false;
    Prim op = (Prim)x->attr.i;
    return scalar_info[vec_element(x->type)].class == CLASS_INT &&
           (op == PRIM_ADD || op == PRIM_SUB || op == PRIM_MUL || op == PRIM_NEG);
}

static void unsigned_sum(Emitter *e, Node *x, int min);

static void unsigned_operand(Emitter *e, Node *x, Node *other, int min)
{
    Scalar through = scalar_unsigned(vec_element(x->type));
    bool scalar = is_broadcast(x, other);
    if (wraps(x)) {
        unsigned_sum(e, x, min);
        return;
    }
    bool p = emit_open(e, PREC_UNARY, min);
    text_printf(e->out, "(%s)",
                scalar ? scalar_info[through].ctype
                       : vec_type_named(e, through, vec_lanes(x->type)));
    emit_expr(e, scalar ? x->op[0] : x, PREC_UNARY);
    emit_close(e, p);
}

static void unsigned_sum(Emitter *e, Node *x, int min)
{
    bool negates = x->nops == 1;
    int own = negates ? PREC_UNARY : x->attr.i == PRIM_MUL ? PREC_MUL : PREC_ADD;
    bool p = emit_open(e, own, min);
    if (negates) {
        text_char(e->out, '-');
        unsigned_operand(e, x->op[0], x->op[0], PREC_PRIMARY);
    } else {
        unsigned_operand(e, x->op[0], x->op[1], own);
        text_printf(e->out, " %s ", prim_info[x->attr.i].c);
        unsigned_operand(e, x->op[1], x->op[0], own + 1);
    }
    emit_close(e, p);
}

static void wrapping(Emitter *e, Node *x, int min)
{
    bool p = emit_open(e, PREC_UNARY, min);
    text_printf(e->out, "(%s)(", vec_ctype(e, x->type));
    unsigned_sum(e, x, PREC_ANY);
    text_char(e->out, ')');
    emit_close(e, p);
}

// Writes to_bits and from_bits: a cast of vectors of GNU C keeps the bits. A half is the integer
// with its bits.
static void bits(Emitter *e, Node *x, int min)
{
    Scalar from = vec_element(x->op[0]->type), to = vec_element(x->type);
    if (vec_is_field(e, from) || vec_is_field(e, to)) {
        text_put(e->out, vec_each_text(e, x));
        return;
    }
    bool p = emit_open(e, PREC_UNARY, min);
    text_printf(e->out, "(%s)", vec_ctype(e, x->type));
    emit_expr(e, x->op[0], PREC_UNARY);
    emit_close(e, p);
}

static void prim(Emitter *e, Node *x, int min)
{
    Prim op = (Prim)x->attr.i;
    if (op == PRIM_TO_BITS || op == PRIM_FROM_BITS) {
        bits(e, x, min);
        return;
    }
    Scalar s = vec_element(x->type);
    bool floats = scalar_info[s].class == CLASS_FLOAT;
    if (floats && (e->options->field || s == SCALAR_F16)) {
        text_put(e->out, vec_each_text(e, x));
        return;
    }
    if (wraps(x)) {
        wrapping(e, x, min);
        return;
    }
    switch (op) {
    case PRIM_ADD:
    case PRIM_SUB: infix(e, x, PREC_ADD, min); return;
    case PRIM_MUL: infix(e, x, PREC_MUL, min); return;
    case PRIM_NEG: prefix(e, x, "-", min); return;
    case PRIM_AND: infix(e, x, PREC_BITAND, min); return;
    case PRIM_OR: infix(e, x, PREC_BITOR, min); return;
    case PRIM_XOR: infix(e, x, PREC_BITXOR, min); return;
    case PRIM_NOT: prefix(e, x, "~", min); return;
    case PRIM_REM:
    case PRIM_DIV: // C compilers multiply instead of dividing by a literal
        if (floats ? op == PRIM_DIV
                   : x->op[1]->kind == LOOP_SPLAT && loops_is_safe_divisor(x->op[1]->op[0])) {
            infix(e, x, PREC_MUL, min);
            return;
        }
        break;
    default: break;
    }
    text_put(e->out, vec_each_text(e, x));
}

// Writes a cast. GNU C can convert integers to any type, and floats to floats. Bools are the lanes
// of a mask, 0 or -1.
static void cast(Emitter *e, Node *x, int min)
{
    Scalar from = vec_element(x->op[0]->type), to = vec_element(x->type);
    bool exact =
        from != SCALAR_F16 && to != SCALAR_F16 && !vec_is_field(e, from) && !vec_is_field(e, to);
    bool to_float = scalar_info[to].class == CLASS_FLOAT,
         from_float = scalar_info[from].class == CLASS_FLOAT;
    if (from == to) {
        emit_expr(e, x->op[0], min);
    } else if (x->op[0]->kind == LOOP_IOTA && !to_float) {
        iota(e, x);
    } else if (from_float && !to_float && exact && x->variant == VARIANT_UNCHECKED) {
        vec_cast_in_range(e, x);
    } else if (from == SCALAR_BOOL ? !exact : !exact || (from_float && !to_float)) {
        text_put(e->out, vec_each_text(e, x));
    } else if (vec_cast_is_row(x)) {
        vec_cast_row(e, x);
    } else if (vec_cast_is_low_row(x)) {
        vec_cast_low_row(e, x, min);
    } else if (from != SCALAR_BOOL) {
        text_put(e->out,
                 vec_converted(e, expr_text(e, x->op[0], PREC_ANY), from, to, vec_lanes(x->type)));
    } else {
        const char *bits = vec_mask_text(e, x->op[0], vec_size_of(e, to), PREC_PRIMARY);
        bool p = emit_open(e, to_float ? PREC_PRIMARY : PREC_UNARY, min);
        text_printf(e->out, to_float ? "__builtin_convertvector(-%s, %s)" : "(%2$s)-%1$s", bits,
                    vec_ctype(e, x->type));
        emit_close(e, p);
    }
}

// Writes the second or third operand of `c ? a : b`. gcc requires both to have the same type, but
// the type of a sum of vectors differs from the may_alias type of its operands.
static void side(Emitter *e, Node *x, const char *type)
{
    if (x->kind == LOOP_VAR || x->kind == LOOP_LOAD || vec_is_zero(x)) {
        emit_expr(e, x, PREC_TERNARY);
        return;
    }
    text_printf(e->out, "(%s)", type);
    emit_expr(e, x, PREC_UNARY);
}

// Whether the selection is mask ? x + 1 : x, or mask ? x - 1 : x.
static bool counts_by_mask(Node *x)
{
    Node *sum = x->op[1];
    bool floats = scalar_info[vec_element(x->type)].class == CLASS_FLOAT;
    if (floats || sum->kind != CORE_PRIM || sum->op[0] != x->op[2]) return false;
    if (sum->attr.i != PRIM_ADD && sum->attr.i != PRIM_SUB) return false;
    Node *one = sum->op[1]->kind == LOOP_SPLAT ? sum->op[1]->op[0] : NULL;
    return one && one->kind == CORE_LIT && one->attr.i == 1;
}

// Writes such a selection as a difference or sum of the vector and the mask, which is -1 in active
// lanes.
static void count_by_mask(Emitter *e, Node *x, int min)
{
    Scalar s = vec_element(x->type);
    const char *type = vec_type_named(e, scalar_unsigned(s), vec_lanes(x->type));
    bool p = emit_open(e, PREC_UNARY, min);
    text_printf(e->out, "(%s)((%s)", vec_ctype(e, x->type), type);
    emit_expr(e, x->op[2], PREC_UNARY);
    text_printf(e->out, " %s (%s)", x->op[1]->attr.i == PRIM_ADD ? "-" : "+", type);
    vec_mask(e, x->op[0], vec_size_of(e, s), PREC_UNARY);
    text_char(e->out, ')');
    emit_close(e, p);
}

static void selection(Emitter *e, Node *x, int min)
{
    bool scalar = x->op[0]->type->kind != TYPE_VEC;
    bool bits = !scalar && bits_takes(e, x->op[0], x->type);
    if (!scalar && !bits && counts_by_mask(x)) {
        count_by_mask(e, x, min);
        return;
    }
    const char *type = vec_ctype(e, x->type);
    bool p = emit_open(e, scalar ? PREC_TERNARY : PREC_PRIMARY, min);
    if (scalar) {
        emit_expr(e, x->op[0], PREC_OR);
        text_put(e->out, " ? ");
        side(e, x->op[1], type);
        text_put(e->out, " : ");
        side(e, x->op[2], type);
    } else {
        int size = vec_size_of(e, vec_element(x->type));
        const char *mask = vec_mask_ctype(e, size, vec_lanes(x->type));
        const char *name = bits ? bits_selector(e, x->type) : vec_selector(e, type, mask);
        text_printf(e->out, "%s(%s, ", name,
                    bits ? bits_text(e, x->op[0], PREC_TERNARY)
                         : vec_mask_text(e, x->op[0], size, PREC_ANY));
        emit_expr(e, x->op[1], PREC_TERNARY);
        text_put(e->out, ", ");
        emit_expr(e, x->op[2], PREC_TERNARY);
        text_char(e->out, ')');
    }
    emit_close(e, p);
}

void vec_shuffle(Emitter *e, Node *x, const char *a, const char *b)
{
    text_printf(e->out, "__builtin_shufflevector(%s, %s", a, b);
    for (uint32_t i = 2; i < x->nops; i++)
        text_printf(e->out, ", %s", size_text(e, x->op[i], PREC_TERNARY));
    text_char(e->out, ')');
}

const char *vec_load_text(Emitter *e, Node *x)
{
    const char *type = vec_memory_ctype(e, x->type);
    return arena_printf(e->arena, "*(const %s *)&%s", type, place_text(e, x->attr.sym, x->op[0]));
}

static void whole_load(Emitter *e, Node *x, int min)
{
    bool p = emit_open(e, PREC_UNARY, min);
    text_put(e->out, vec_load_text(e, x));
    emit_close(e, p);
}

void vec_expr(Emitter *e, Node *x, int min)
{
    if (vec_is_mask(x->type)) {
        vec_mask(e, x, MASK_SIZE, min);
        return;
    }
    const char *a, *b;
    switch (x->kind) {
    case LOOP_VAR: text_put(e->out, names_use(e, x->attr.sym)); return;
    case LOOP_LOAD: whole_load(e, x, min); return;
    case LOOP_LOAD_WHERE:
    case LOOP_GATHER:
    case LOOP_GATHER_RUNS: text_put(e->out, masked_load_text(e, x)); return;
    case LOOP_COMPRESS:
    case LOOP_EXPAND: text_put(e->out, masked_move_text(e, x, 0)); return;
    case LOOP_SPLAT: splat(e, x, min); return;
    case LOOP_IOTA: iota(e, x); return;
    case LOOP_SELECT: selection(e, x, min); return;
    case LOOP_PERMUTE: text_put(e->out, vec_permute_text(e, x)); return;
    case LOOP_SHUFFLE:
        a = expr_text(e, x->op[0], PREC_TERNARY);
        b = expr_text(e, x->op[1], PREC_TERNARY);
        vec_shuffle(e, x, a, b);
        return;
    case CORE_PRIM: prim(e, x, min); return;
    case CORE_CAST: cast(e, x, min); return;
    default: CHECK(e->cx, false, "%s is not a vector of Loop IR", kind_info[x->kind].text);
    }
}

// --- memory -------------------------------------------------------------------------------------

const char *vec_place(Emitter *e, Node *store)
{
    const char *type = vec_memory_ctype(e, store->op[1]->type);
    return arena_printf(e->arena, "*(%s *)&%s", type, place_text(e, store->attr.sym, store->op[0]));
}

const char *vec_value(Emitter *e, Node *x)
{
    if (!vec_is_mask(x->type)) return expr_text(e, x, PREC_TERNARY);
    const char *type = vec_memory_ctype(e, x->type);
    return arena_printf(e->arena, "(%s)-%s", type, vec_mask_text(e, x, MASK_SIZE, PREC_PRIMARY));
}
