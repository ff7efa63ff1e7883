// Vectors, as the vector types of GNU C: adze_f32x8 is 8 floats side by side. Memory is only as aligned as its elements, and so is the
// type. C compilers split what is wider than the machine.
//
// A vector of conditions is a mask: integers 0 and -1, as wide as what was compared (C's comparisons give these), so that no width is
// changed on the way to a selection; in locals, too. What C has no operator for, and all arithmetic of field elements, is a function
// that goes over the lanes.
#include "emit/internal.h"

#include "base/cpu.h"

#include <string.h>

enum { MASK_SIZE = 1 }; // bytes of a lane where nothing was compared

static int64_t lanes_of(Node *type)
{
    int64_t lanes = 0;
    type_is_vec(type, &lanes);
    return lanes;
}

static Scalar element_of(Node *type)
{
    return emit_scalar_of(type_lane(type));
}

static bool is_field(const Emitter *e, Scalar s)
{
    return e->options->field && scalar_info[s].class == CLASS_FLOAT;
}

static int size_of(const Emitter *e, Scalar s)
{
    return is_field(e, s) ? 8 : scalar_info[s].size;
}

static bool is_mask(Node *type)
{
    return element_of(type) == SCALAR_BOOL;
}

// --- types --------------------------------------------------------------------------------------

bool vec_is_new(Emitter *e, const char *name)
{
    Sym sym = session_sym(e->cx, name);
    if (map_get(&e->vectors, MAP_KEY(sym))) return false;
    map_put(&e->vectors, MAP_KEY(sym), e);
    return true;
}

static const char *type_named(Emitter *e, Scalar s, int64_t lanes)
{
    const char *name =
        arena_printf(e->arena, "adze_%sx%lld", scalar_info[s].text, (long long)lanes);
    if (!vec_is_new(e, name)) return name;
    int size = size_of(e, s);
    if (is_field(e, s)) support_need(e, "field");
    text_printf(&e->vector_types,
                "typedef %s %s __attribute__((vector_size(%lld), aligned(%d), may_alias));\n",
                emit_ctype(e, s), name, (long long)size * lanes, size);
    return name;
}

static const char *mask_type(Emitter *e, int size, int64_t lanes)
{
    static const Scalar by_size[] = {
        [1] = SCALAR_I8, [2] = SCALAR_I16, [4] = SCALAR_I32, [8] = SCALAR_I64};
    return type_named(e, by_size[size], lanes);
}

static Scalar unsigned_of(Scalar s)
{
    static const Scalar by_size[] = {
        [1] = SCALAR_U8, [2] = SCALAR_U16, [4] = SCALAR_U32, [8] = SCALAR_U64};
    return by_size[scalar_info[s].size];
}

const char *vec_ctype(Emitter *e, Node *type)
{
    return is_mask(type) ? mask_type(e, MASK_SIZE, lanes_of(type))
                         : type_named(e, element_of(type), lanes_of(type));
}

// f32x16 and what ends so: min_f32x16.
bool vec_is_name(const char *name)
{
    const char *x = strrchr(name, 'x'), *element = x;
    if (!x || !x[1] || x[1 + strspn(x + 1, "0123456789")]) return false;
    while (element > name && element[-1] != '_') element--;
    for (int s = 0; s < SCALAR_COUNT; s++) {
        size_t len = strlen(scalar_info[s].text);
        if ((size_t)(x - element) == len && strncmp(element, scalar_info[s].text, len) == 0)
            return true;
    }
    return false;
}

// --- functions that go over the lanes -----------------------------------------------------------

static Node *lane_named(Emitter *e, Node *type, const char *spelling)
{
    Sym name = sym_fresh(e->cx->syms, "lane");
    map_put(&e->spelling, MAP_KEY(name), (void *)(uintptr_t)spelling);
    return node_make(e->cx,
                     &(NodeSpec){.kind = LOOP_VAR, .attr.sym = name, .type = type_lane(type)});
}

// What `x` is in one lane, of operands a[k], b[k].
static const char *one_lane(Emitter *e, Node *x)
{
    static const char *const names[] = {"a[k]", "b[k]"}, *const truths[] = {"(a[k] != 0)",
                                                                            "(b[k] != 0)"};
    Node *ops[2] = {NULL, NULL};
    for (uint32_t i = 0; i < x->nops; i++) {
        Node *type = x->op[i]->type;
        ops[i] = lane_named(e, type, is_mask(type) ? truths[i] : names[i]);
    }
    NodeSpec spec = {.kind = (Kind)x->kind,
                     .attr = x->attr,
                     .type = type_lane(x->type),
                     .nops = (int)x->nops,
                     .ops = ops};
    return expr_text(e, node_make(e->cx, &spec), is_mask(x->type) ? PREC_UNARY : PREC_TERNARY);
}

static void write_each(Emitter *e, const char *name, Node *x)
{
    const char *type = vec_ctype(e, x->type), *lane = one_lane(e, x);
    Text body = text_new(e->arena);
    bool library = vec_math_begin(e, x, &body);
    text_printf(&e->vector_functions, "\n" VECTOR_FUNCTION "%s %s(", type, name);
    for (uint32_t i = 0; i < x->nops; i++)
        text_printf(&e->vector_functions, "%s%s %c", i ? ", " : "", vec_ctype(e, x->op[i]->type),
                    "ab"[i]);
    text_printf(&e->vector_functions,
                ")\n{\n%s    %s r = {0};\n    for (int k = 0; k < %lld; k++) r[k] = %s%s;\n    "
                "return r;\n%s}\n",
                text_get(&body), type, (long long)lanes_of(x->type), is_mask(x->type) ? "-" : "",
                lane, library ? "#endif\n" : "");
}

// A call of the function for an operator or cast.
static void each_lane(Emitter *e, Node *x)
{
    const char *to = scalar_info[element_of(x->type)].text,
               *from = scalar_info[element_of(x->op[0]->type)].text;
    static const char *const words[] = {
        [PRIM_ADD] = "add", [PRIM_SUB] = "sub", [PRIM_MUL] = "mul", [PRIM_DIV] = "div",
        [PRIM_REM] = "rem", [PRIM_NOT] = "not", [PRIM_SHL] = "shl", [PRIM_SHR] = "shr",
        [PRIM_EQ] = "eq",   [PRIM_NE] = "ne",   [PRIM_LT] = "lt",   [PRIM_LE] = "le",
        [PRIM_GT] = "gt",   [PRIM_GE] = "ge",   [PRIM_COUNT] = NULL};
    const char *op = x->kind == CORE_CAST ? arena_printf(e->arena, "%s_to", from)
                     : words[x->attr.i]   ? words[x->attr.i]
                                          : prim_info[x->attr.i].text;
    const char *name = arena_printf(e->arena, "adze_%s_%sx%lld", op,
                                    x->kind != CORE_CAST && is_mask(x->type) ? from : to,
                                    (long long)lanes_of(x->type));
    bool at_once = x->kind == CORE_CAST &&
                   vec_cast_is_at_once(e, element_of(x->op[0]->type), element_of(x->type));
    if (vec_is_new(e, name)) (at_once ? vec_cast_write : write_each)(e, name, x);
    text_printf(e->out, "%s(", name);
    for (uint32_t i = 0; i < x->nops; i++) {
        if (i) text_put(e->out, ", ");
        emit_expr(e, x->op[i], PREC_ANY);
    }
    text_char(e->out, ')');
}

// --- masks of locals ----------------------------------------------------------------------------

int vec_mask_size(Emitter *e, Node *x)
{
    int size = 0;
    bool compares = x->kind == CORE_PRIM && prim_info[x->attr.i].result == GIVES_BOOL;
    if (x->kind == LOOP_VAR) return (int)(uintptr_t)map_get(&e->masks, MAP_KEY(x->attr.sym));
    if (x->kind == LOOP_SPLAT) return 0;
    if ((compares || x->kind == CORE_CAST) && !is_mask(x->op[0]->type))
        return size_of(e, element_of(x->op[0]->type));
    if (loops_is_load(x)) return MASK_SIZE;
    for (uint32_t i = 0; i < x->nops; i++) {
        int one = x->op[i]->type->kind == TYPE_VEC ? vec_mask_size(e, x->op[i]) : 0;
        if (one > size) size = one;
    }
    return size;
}

static bool widen_masks(Emitter *e, Node *s)
{
    bool grown = false;
    Node *value = s->kind == LOOP_DECL || s->kind == LOOP_SET ? s->op[s->nops - 1] : NULL;
    if (value && value->type && value->type->kind == TYPE_VEC && is_mask(value->type)) {
        uintptr_t size = (uintptr_t)vec_mask_size(e, value);
        if (size > (uintptr_t)map_get(&e->masks, MAP_KEY(s->attr.sym))) {
            map_put(&e->masks, MAP_KEY(s->attr.sym), (void *)size);
            grown = true;
        }
    }
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) grown |= widen_masks(e, s->op[i]);
    return grown;
}

void vec_find_masks(Emitter *e, Node *body)
{
    while (widen_masks(e, body)) continue;
}

static int local_size(const Emitter *e, Sym local)
{
    int size = (int)(uintptr_t)map_get(&e->masks, MAP_KEY(local));
    return size ? size : MASK_SIZE;
}

const char *vec_local_ctype(Emitter *e, Sym local, Node *type)
{
    return is_mask(type) ? mask_type(e, local_size(e, local), lanes_of(type)) : vec_ctype(e, type);
}

static const char *selector(Emitter *e, const char *type, const char *mask)
{
    const char *name = arena_printf(e->arena, "adze_select_%s", type + strlen("adze_"));
    if (vec_is_new(e, name))
        text_printf(&e->vector_functions,
                    "\n" VECTOR_FUNCTION
                    "%s %s(%s c, %s a, %s b)\n{\n    return (%s)((c & (%s)a) | (~c "
                    "& (%s)b));\n}\n",
                    type, name, mask, type, type, type, mask, mask);
    return name;
}

// --- scalars as vectors -------------------------------------------------------------------------

// A scalar beside a vector becomes one. Narrow integers are int in C until they are cut.
static void beside(Emitter *e, Node *scalar, const char *type, bool cast, int min)
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
    Scalar s = element_of(x->type);
    const char *type = vec_ctype(e, x->type);
    Node *value = x->op[0];
    if (vec_is_zero(x)) {
        text_printf(e->out, "(%s){0}", type);
        return;
    }
    bool p = emit_open(e, PREC_ADD, min); // x - 0 is x, also for -0.0
    beside(e, value, scalar_info[s].ctype, size_of(e, s) < 4, PREC_ADD);
    text_printf(e->out, " - (%s){0}", type);
    emit_close(e, p);
}

static void iota(Emitter *e, Node *x)
{
    text_printf(e->out, "(%s){", vec_ctype(e, x->type));
    for (int64_t k = 0; k < lanes_of(x->type); k++)
        text_printf(e->out, "%s%lld", k ? ", " : "", (long long)k);
    text_char(e->out, '}');
}

// --- masks --------------------------------------------------------------------------------------

static void mask(Emitter *e, Node *x, int size, int min);

static const char *infix_of(Prim op)
{
    return prim_info[op].c;
}

// Lanes of this size from a text that has others.
static void resized(Emitter *e, const char *text, bool fits, int size, int64_t lanes, int min)
{
    const char *type = mask_type(e, size, lanes);
    bool p = emit_open(e, fits ? PREC_UNARY : PREC_PRIMARY, min);
    text_printf(e->out, fits ? "(%s)(%s)" : "__builtin_convertvector(%s, %s)", fits ? type : text,
                fits ? text : type);
    emit_close(e, p);
}

static const char *mask_text(Emitter *e, Node *x, int size, int min)
{
    Text text = text_new(e->arena), *out = e->out;
    e->out = &text;
    mask(e, x, size, min);
    e->out = out;
    return text_get(&text);
}

static bool is_half(const Emitter *e, Scalar s)
{
    return s == SCALAR_F16 && !is_field(e, s);
}

static void mask_by_lanes(Emitter *e, Node *x, int size, int min)
{
    Text text = text_new(e->arena), *out = e->out;
    e->out = &text;
    each_lane(e, x);
    e->out = out;
    resized(e, text_get(&text), size == MASK_SIZE, size, lanes_of(x->type), min);
}

// a OP b for vectors of numbers, or of truth values, which are compared as 0 and 1.
static void comparison(Emitter *e, Node *x, int size, int min)
{
    Scalar s = element_of(x->op[0]->type);
    bool bools = s == SCALAR_BOOL, same = bools || size_of(e, s) == size;
    Node *a = x->op[0], *b = x->op[1];
    if (is_half(e, s)) {
        mask_by_lanes(e, x, size, min);
        return;
    }
    const char *left = bools ? mask_text(e, a, size, PREC_UNARY) : expr_text(e, a, PREC_SHIFT),
               *right = bools ? mask_text(e, b, size, PREC_UNARY)
                        : b->kind == LOOP_SPLAT && a->kind != LOOP_SPLAT && scalar_info[s].size >= 4
                            ? expr_text(e, b->op[0], PREC_SHIFT)
                            : expr_text(e, b, PREC_SHIFT);
    const char *text = arena_printf(e->arena, bools ? "-%s %s -%s" : "%s %s %s", left,
                                    infix_of((Prim)x->attr.i), right);
    resized(e, text, same, size, lanes_of(x->type), min);
}

static void mask_of_prim(Emitter *e, Node *x, int size, int min)
{
    Prim op = (Prim)x->attr.i;
    if (op == PRIM_NOT) {
        bool p = emit_open(e, PREC_UNARY, min);
        text_char(e->out, '~');
        mask(e, x->op[0], size, PREC_PRIMARY);
        emit_close(e, p);
    } else if (op == PRIM_AND || op == PRIM_OR || op == PRIM_XOR) {
        int own = op == PRIM_AND ? PREC_BITAND : op == PRIM_OR ? PREC_BITOR : PREC_BITXOR;
        bool p = emit_open(e, own, min);
        mask(e, x->op[0], size, PREC_UNARY);
        text_printf(e->out, " %s ", infix_of(op));
        mask(e, x->op[1], size, PREC_UNARY);
        emit_close(e, p);
    } else {
        comparison(e, x, size, min);
    }
}

static void mask_of_select(Emitter *e, Node *x, int size, int min)
{
    const char *type = mask_type(e, size, lanes_of(x->type));
    bool scalar = x->op[0]->type->kind != TYPE_VEC;
    bool p = emit_open(e, scalar ? PREC_TERNARY : PREC_PRIMARY, min);
    if (scalar) {
        emit_expr(e, x->op[0], PREC_OR);
        text_printf(e->out, " ? (%s)", type);
        mask(e, x->op[1], size, PREC_UNARY);
        text_printf(e->out, " : (%s)", type);
        mask(e, x->op[2], size, PREC_UNARY);
    } else {
        text_printf(e->out, "%s(", selector(e, type, type));
        for (int i = 0; i < 3; i++) {
            if (i) text_put(e->out, ", ");
            mask(e, x->op[i], size, PREC_TERNARY);
        }
        text_char(e->out, ')');
    }
    emit_close(e, p);
}

// Truth values of lanes as integers of so many bytes.
static void mask(Emitter *e, Node *x, int size, int min)
{
    int64_t lanes = lanes_of(x->type);
    const char *zero = arena_printf(e->arena, "(%s){0}", mask_type(e, size, lanes));
    bool p;
    switch (x->kind) {
    case CORE_PRIM: mask_of_prim(e, x, size, min); return;
    case LOOP_SELECT: mask_of_select(e, x, size, min); return;
    case LOOP_VAR:
        if (size == local_size(e, x->attr.sym))
            text_put(e->out, names_use(e, x->attr.sym));
        else
            resized(e, names_use(e, x->attr.sym), false, size, lanes, min);
        return;
    case LOOP_LOAD_WHERE:
    case LOOP_GATHER:
        resized(e, arena_printf(e->arena, "%s != 0", masked_load_text(e, x)), size == 1, size,
                lanes, min);
        return;
    case LOOP_LOAD: {
        const char *place = place_text(e, x->attr.sym, x->op[0]);
        const char *bytes = type_named(e, SCALAR_U8, lanes);
        resized(e, arena_printf(e->arena, "*(const %s *)&%s != 0", bytes, place), size == 1, size,
                lanes, min);
        return;
    }
    case LOOP_SPLAT:
        if (x->op[0]->kind == CORE_LIT) {
            text_printf(e->out, x->op[0]->attr.i ? "~%s" : "%s", zero);
            return;
        }
        p = emit_open(e, PREC_ADD, min);
        text_printf(e->out, "%s - (int%d_t)", zero, 8 * size);
        emit_expr(e, x->op[0], PREC_UNARY);
        emit_close(e, p);
        return;
    case CORE_CAST:
        if (is_mask(x->op[0]->type)) {
            mask(e, x->op[0], size, min);
            return;
        }
        if (is_half(e, element_of(x->op[0]->type))) {
            mask_by_lanes(e, x, size, min);
            return;
        }
        resized(e, arena_printf(e->arena, "%s != 0", expr_text(e, x->op[0], PREC_SHIFT)),
                size_of(e, element_of(x->op[0]->type)) == size, size, lanes, min);
        return;
    default: CHECK(e->cx, false, "%s gives no mask", kind_info[x->kind].text);
    }
}

// --- operators ----------------------------------------------------------------------------------

// A splat may stay a scalar beside a vector.
static void operand(Emitter *e, Node *x, Node *other, int min)
{
    Scalar s = element_of(x->type);
    if (x->kind == LOOP_SPLAT && other->kind != LOOP_SPLAT && scalar_info[s].size >= 4)
        emit_expr(e, x->op[0], min);
    else
        emit_expr(e, x, min);
}

static void infix(Emitter *e, Node *x, int own, int min)
{
    bool p = emit_open(e, own, min), bits = own <= PREC_BITAND;
    operand(e, x->op[0], x->op[1], bits ? PREC_UNARY : own);
    text_printf(e->out, " %s ", infix_of((Prim)x->attr.i));
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

// Signed integers wrap as unsigned ones do: sums inside of sums stay unsigned.
static bool wraps(Node *x)
{
    if (x->kind != CORE_PRIM || x->type->kind != TYPE_VEC) return false;
    Prim op = (Prim)x->attr.i;
    return scalar_info[element_of(x->type)].class == CLASS_INT &&
           (op == PRIM_ADD || op == PRIM_SUB || op == PRIM_MUL || op == PRIM_NEG);
}

static void unsigned_sum(Emitter *e, Node *x, int min);

static void unsigned_operand(Emitter *e, Node *x, Node *other, int min)
{
    Scalar s = element_of(x->type), through = unsigned_of(s);
    if (wraps(x)) {
        unsigned_sum(e, x, min);
        return;
    }
    bool scalar = x->kind == LOOP_SPLAT && other->kind != LOOP_SPLAT && scalar_info[s].size >= 4;
    bool p = emit_open(e, PREC_UNARY, min);
    text_printf(e->out, "(%s)",
                scalar ? scalar_info[through].ctype : type_named(e, through, lanes_of(x->type)));
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
        text_printf(e->out, " %s ", infix_of((Prim)x->attr.i));
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

static void prim(Emitter *e, Node *x, int min)
{
    Prim op = (Prim)x->attr.i;
    Scalar s = element_of(x->type);
    bool floats = scalar_info[s].class == CLASS_FLOAT;
    if (floats && (e->options->field || s == SCALAR_F16)) {
        each_lane(e, x);
        return;
    }
    switch (op) {
    case PRIM_ADD:
    case PRIM_SUB:
    case PRIM_MUL:
        if (scalar_info[s].class == CLASS_INT)
            wrapping(e, x, min);
        else
            infix(e, x, op == PRIM_MUL ? PREC_MUL : PREC_ADD, min);
        return;
    case PRIM_NEG:
        if (scalar_info[s].class == CLASS_INT)
            wrapping(e, x, min);
        else
            prefix(e, x, "-", min);
        return;
    case PRIM_AND: infix(e, x, PREC_BITAND, min); return;
    case PRIM_OR: infix(e, x, PREC_BITOR, min); return;
    case PRIM_XOR: infix(e, x, PREC_BITXOR, min); return;
    case PRIM_NOT: prefix(e, x, "~", min); return;
    case PRIM_REM:
    case PRIM_DIV: // by a literal C compilers multiply instead
        if (floats ? op == PRIM_DIV
                   : x->op[1]->kind == LOOP_SPLAT && loops_is_safe_divisor(x->op[1]->op[0])) {
            infix(e, x, PREC_MUL, min);
            return;
        }
        break;
    default: break;
    }
    each_lane(e, x);
}

// Integers to all, floats among each other; from truth values, which are 0 and -1.
static void cast(Emitter *e, Node *x, int min)
{
    Scalar from = element_of(x->op[0]->type), to = element_of(x->type);
    bool exact = from != SCALAR_F16 && to != SCALAR_F16 && !is_field(e, from) && !is_field(e, to);
    bool to_float = scalar_info[to].class == CLASS_FLOAT,
         from_float = scalar_info[from].class == CLASS_FLOAT;
    if (from == to) {
        emit_expr(e, x->op[0], min);
    } else if (from != SCALAR_BOOL && (!exact || (from_float && !to_float))) {
        each_lane(e, x);
    } else if (from != SCALAR_BOOL) {
        text_printf(e->out, "__builtin_convertvector(%s, %s)", expr_text(e, x->op[0], PREC_ANY),
                    vec_ctype(e, x->type));
    } else if (!exact) {
        each_lane(e, x);
    } else {
        const char *bits = mask_text(e, x->op[0], size_of(e, to), PREC_PRIMARY);
        bool p = emit_open(e, to_float ? PREC_PRIMARY : PREC_UNARY, min);
        text_printf(e->out, to_float ? "__builtin_convertvector(-%s, %s)" : "(%2$s)-%1$s", bits,
                    vec_ctype(e, x->type));
        emit_close(e, p);
    }
}

// One side of `c ? a : b`, whose types have to be the same for gcc: that of a sum is not the one of what is added, which may alias.
static void side(Emitter *e, Node *x, const char *type)
{
    if (x->kind == LOOP_VAR || x->kind == LOOP_LOAD || vec_is_zero(x)) {
        emit_expr(e, x, PREC_TERNARY);
        return;
    }
    text_printf(e->out, "(%s)", type);
    emit_expr(e, x, PREC_UNARY);
}

static void selection(Emitter *e, Node *x, int min)
{
    const char *type = vec_ctype(e, x->type);
    int size = size_of(e, element_of(x->type));
    bool scalar = x->op[0]->type->kind != TYPE_VEC;
    bool p = emit_open(e, scalar ? PREC_TERNARY : PREC_PRIMARY, min);
    if (scalar) {
        emit_expr(e, x->op[0], PREC_OR);
        text_put(e->out, " ? ");
        side(e, x->op[1], type);
        text_put(e->out, " : ");
        side(e, x->op[2], type);
    } else {
        const char *bits = mask_type(e, size, lanes_of(x->type));
        text_printf(e->out, "%s(", selector(e, type, bits));
        mask(e, x->op[0], size, PREC_ANY);
        text_put(e->out, ", ");
        emit_expr(e, x->op[1], PREC_TERNARY);
        text_put(e->out, ", ");
        emit_expr(e, x->op[2], PREC_TERNARY);
        text_char(e->out, ')');
    }
    emit_close(e, p);
}

const char *vec_mask_text(Emitter *e, Node *x, int size, int min)
{
    return mask_text(e, x, size, min);
}

const char *vec_local_value(Emitter *e, Sym local, Node *x)
{
    return is_mask(x->type) ? mask_text(e, x, local_size(e, local), PREC_TERNARY)
                            : expr_text(e, x, PREC_TERNARY);
}

const char *vec_memory_ctype(Emitter *e, Node *type)
{
    return is_mask(type) ? type_named(e, SCALAR_U8, lanes_of(type)) : vec_ctype(e, type);
}

const char *vec_mask_ctype(Emitter *e, int size, int64_t lanes)
{
    return mask_type(e, size, lanes);
}

int vec_lane_size(Emitter *e, Node *type)
{
    return size_of(e, element_of(type));
}

void vec_expr(Emitter *e, Node *x, int min)
{
    if (is_mask(x->type)) {
        mask(e, x, MASK_SIZE, min);
        return;
    }
    bool p;
    switch (x->kind) {
    case LOOP_VAR: text_put(e->out, names_use(e, x->attr.sym)); return;
    case LOOP_LOAD:
        p = emit_open(e, PREC_UNARY, min);
        text_printf(e->out, "*(const %s *)&%s", vec_ctype(e, x->type),
                    place_text(e, x->attr.sym, x->op[0]));
        emit_close(e, p);
        return;
    case LOOP_LOAD_WHERE:
    case LOOP_GATHER: text_put(e->out, masked_load_text(e, x)); return;
    case LOOP_SPLAT: splat(e, x, min); return;
    case LOOP_IOTA: iota(e, x); return;
    case LOOP_SELECT: selection(e, x, min); return;
    case CORE_PRIM: prim(e, x, min); return;
    case CORE_CAST: cast(e, x, min); return;
    default: CHECK(e->cx, false, "%s is no vector of Loop IR", kind_info[x->kind].text);
    }
}

// --- arrays -------------------------------------------------------------------------------------

static void find_arrays(Emitter *e, Node *n, Map *seen)
{
    if (n->nops == 0 || kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return;
    if (map_get(seen, MAP_KEY(n))) return;
    map_put(seen, MAP_KEY(n), seen);
    Node *type = loops_is_load(n) ? n->type : loops_is_store(n) ? n->op[1]->type : NULL;
    if (type && type->kind == TYPE_VEC) map_put(&e->in_vectors, MAP_KEY(n->attr.sym), e);
    for (uint32_t i = 0; i < n->nops; i++) find_arrays(e, n->op[i], seen);
}

void vec_find_arrays(Emitter *e, Node *body)
{
    Map seen = map_new(e->arena);
    find_arrays(e, body, &seen);
}

// --- memory -------------------------------------------------------------------------------------

const char *vec_place(Emitter *e, Node *store)
{
    Node *type = store->op[1]->type;
    return arena_printf(e->arena, "*(%s *)&%s", vec_memory_ctype(e, type),
                        place_text(e, store->attr.sym, store->op[0]));
}

const char *vec_value(Emitter *e, Node *x)
{
    if (!is_mask(x->type)) return expr_text(e, x, PREC_TERNARY);
    return arena_printf(e->arena, "(%s)-%s", type_named(e, SCALAR_U8, lanes_of(x->type)),
                        mask_text(e, x, MASK_SIZE, PREC_PRIMARY));
}

void vec_write(Emitter *e, Text *out)
{
    if (e->vectors.len == 0) return;
    text_printf(
        out,
        "\n// Vectors of up to %d bytes, for %s: a machine that has only shorter ones is slow "
        "with these, and adze build\n"
        "// --cpu makes others. C compilers tell how they pass those that the machine does "
        "not have, which is\n// nothing to them here.\n#pragma GCC diagnostic ignored "
        "\"-Wpsabi\"\n",
        (int)e->cx->vector_bytes, e->cx->cpu->name);
    if (e->intrinsics) text_put(out, "#if defined __SSE4_1__\n#include <immintrin.h>\n#endif\n");
    text_put(out, text_get(&e->vector_types));
    text_put(out, text_get(&e->vector_functions));
}
