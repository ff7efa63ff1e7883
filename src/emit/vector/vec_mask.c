// A vector of conditions is a mask. Its lanes are integers, 0 or -1, as wide as the compared
// elements, which is what comparisons in GNU C produce. Locals keep this width, so selections
// rarely convert masks.
#include "emit/vector/vec.h"

#include <string.h>

// --- masks of locals ----------------------------------------------------------------------------

// Returns the size in bytes of the widest lanes that were compared to compute the mask, or 0 if
// none were.
static int compared_size(Emitter *e, Node *x)
{
    int size = 0;
    bool compares = x->kind == CORE_PRIM && prim_info[x->attr.i].result == GIVES_BOOL;
    if (x->kind == LOOP_VAR) return (int)(uintptr_t)map_get(&e->masks, MAP_KEY(x->attr.sym));
    if (x->kind == LOOP_SPLAT) return 0;
    if ((compares || x->kind == CORE_CAST) && !vec_is_mask(x->op[0]->type))
        return vec_lane_size(e, x->op[0]->type);
    if (loops_is_load(x)) return MASK_SIZE;
    for (uint32_t i = 0; i < (x->kind == LOOP_SHUFFLE ? 2 : x->nops); i++) {
        int one = x->op[i]->type->kind == TYPE_VEC ? compared_size(e, x->op[i]) : 0;
        if (one > size) size = one;
    }
    return size;
}

int vec_mask_size(Emitter *e, Node *x)
{
    int size = compared_size(e, x);
    return size ? size : MASK_SIZE;
}

Node *vec_assigned_mask(Node *s)
{
    Node *value = s->kind == LOOP_DECL || s->kind == LOOP_SET ? s->op[s->nops - 1] : NULL;
    bool vector = value && value->type && value->type->kind == TYPE_VEC;
    return vector && vec_is_mask(value->type) ? value : NULL;
}

static bool widen_mask(Emitter *e, Node *s)
{
    Node *value = vec_assigned_mask(s);
    uintptr_t size = value ? (uintptr_t)compared_size(e, value) : 0;
    if (size <= (uintptr_t)map_get(&e->masks, MAP_KEY(s->attr.sym))) return false;
    map_put(&e->masks, MAP_KEY(s->attr.sym), (void *)size);
    return true;
}

void vec_find_masks(Emitter *e, Node *body)
{
    Stmts all = loops_all(e->cx, body, IS_DECL | IS_SET);
    for (bool widened = true; widened;) {
        widened = false;
        for (int i = 0; i < all.len; i++) widened |= widen_mask(e, all.at[i]);
    }
    bits_find(e, body);
}

static int local_size(const Emitter *e, Sym local)
{
    int size = (int)(uintptr_t)map_get(&e->masks, MAP_KEY(local));
    return size ? size : MASK_SIZE;
}

const char *vec_local_ctype(Emitter *e, Sym local, Node *type)
{
    if (bits_is_local(e, local)) return bits_ctype(e, vec_lanes(type));
    return vec_is_mask(type) ? vec_mask_ctype(e, local_size(e, local), vec_lanes(type))
                             : vec_ctype(e, type);
}

const char *vec_local_zero(const Emitter *e, Sym local)
{
    return bits_is_local(e, local) ? "0" : "{0}";
}

const char *vec_local_value(Emitter *e, Sym local, Node *x)
{
    if (bits_is_local(e, local)) return bits_text(e, x, PREC_TERNARY);
    return vec_is_mask(x->type) ? vec_mask_text(e, x, local_size(e, local), PREC_TERNARY)
                                : expr_text(e, x, PREC_TERNARY);
}

// --- masks --------------------------------------------------------------------------------------

// Writes a mask, given as a C expression with lanes of `from` bytes, with lanes of `size` bytes.
static void resized(Emitter *e, const char *text, int from, int size, int64_t lanes, int min)
{
    bool fits = from == size;
    bool p = emit_open(e, fits ? PREC_UNARY : PREC_PRIMARY, min);
    if (fits)
        text_printf(e->out, "(%s)(%s)", vec_mask_ctype(e, size, lanes), text);
    else
        text_put(e->out, vec_converted(e, text, vec_mask_lane(from), vec_mask_lane(size), lanes));
    emit_close(e, p);
}

const char *vec_mask_text(Emitter *e, Node *x, int size, int min)
{
    Text text = text_new(e->arena), *out = e->out;
    e->out = &text;
    vec_mask(e, x, size, min);
    e->out = out;
    return text_get(&text);
}

static void mask_by_lanes(Emitter *e, Node *x, int size, int min)
{
    resized(e, vec_each_text(e, x), MASK_SIZE, size, vec_lanes(x->type), min);
}

// Writes a OP b for vectors of numbers, or of truth values, which compare as 0 and 1.
static void comparison(Emitter *e, Node *x, int size, int min)
{
    Scalar s = vec_element(x->op[0]->type);
    bool bools = s == SCALAR_BOOL;
    Node *a = x->op[0], *b = x->op[1];
    if (vec_is_half(e, s)) {
        mask_by_lanes(e, x, size, min);
        return;
    }
    const char *left = bools ? vec_mask_text(e, a, size, PREC_UNARY) : expr_text(e, a, PREC_SHIFT),
               *right = bools ? vec_mask_text(e, b, size, PREC_UNARY)
                        : b->kind == LOOP_SPLAT && a->kind != LOOP_SPLAT && scalar_info[s].size >= 4
                            ? expr_text(e, b->op[0], PREC_SHIFT)
                            : expr_text(e, b, PREC_SHIFT);
    const char *text = arena_printf(e->arena, bools ? "-%s %s -%s" : "%s %s %s", left,
                                    prim_info[x->attr.i].c, right);
    resized(e, text, bools ? size : vec_size_of(e, s), size, vec_lanes(x->type), min);
}

static void mask_of_prim(Emitter *e, Node *x, int size, int min)
{
    Prim op = (Prim)x->attr.i;
    if (op == PRIM_NOT) {
        bool p = emit_open(e, PREC_UNARY, min);
        text_char(e->out, '~');
        vec_mask(e, x->op[0], size, PREC_PRIMARY);
        emit_close(e, p);
    } else if (op == PRIM_AND || op == PRIM_OR || op == PRIM_XOR) {
        int own = op == PRIM_AND ? PREC_BITAND : op == PRIM_OR ? PREC_BITOR : PREC_BITXOR;
        bool p = emit_open(e, own, min);
        vec_mask(e, x->op[0], size, PREC_UNARY);
        text_printf(e->out, " %s ", prim_info[op].c);
        vec_mask(e, x->op[1], size, PREC_UNARY);
        emit_close(e, p);
    } else if (prim_is_hint(op)) {
        vec_mask(e, x->op[0], size, min);
    } else {
        comparison(e, x, size, min);
    }
}

static void mask_of_select(Emitter *e, Node *x, int size, int min)
{
    const char *type = vec_mask_ctype(e, size, vec_lanes(x->type));
    bool scalar = x->op[0]->type->kind != TYPE_VEC;
    bool p = emit_open(e, scalar ? PREC_TERNARY : PREC_PRIMARY, min);
    if (scalar) {
        emit_expr(e, x->op[0], PREC_OR);
        text_printf(e->out, " ? (%s)", type);
        vec_mask(e, x->op[1], size, PREC_UNARY);
        text_printf(e->out, " : (%s)", type);
        vec_mask(e, x->op[2], size, PREC_UNARY);
    } else {
        text_printf(e->out, "%s(", vec_selector(e, type, type));
        for (int i = 0; i < 3; i++) {
            if (i) text_put(e->out, ", ");
            vec_mask(e, x->op[i], size, PREC_TERNARY);
        }
        text_char(e->out, ')');
    }
    emit_close(e, p);
}

static void mask_of_local(Emitter *e, Node *x, int size, int min)
{
    const char *name = names_use(e, x->attr.sym);
    int64_t lanes = vec_lanes(x->type);
    if (bits_is_local(e, x->attr.sym))
        text_printf(e->out, "%s(%s)", bits_lanes(e, size, lanes), name);
    else if (size == local_size(e, x->attr.sym))
        text_put(e->out, name);
    else
        resized(e, name, local_size(e, x->attr.sym), size, lanes, min);
}

static void mask_of_load(Emitter *e, Node *x, int size, int min)
{
    const char *bytes = x->kind == LOOP_LOAD ? vec_load_text(e, x) : masked_load_text(e, x);
    resized(e, arena_printf(e->arena, "%s != 0", bytes), MASK_SIZE, size, vec_lanes(x->type), min);
}

static void mask_of_splat(Emitter *e, Node *x, int size, int min)
{
    const char *type = vec_mask_ctype(e, size, vec_lanes(x->type));
    if (x->op[0]->kind == CORE_LIT) {
        text_printf(e->out, "%s(%s){0}", x->op[0]->attr.i ? "~" : "", type);
        return;
    }
    bool p = emit_open(e, PREC_ADD, min);
    text_printf(e->out, "(%s){0} - (int%d_t)", type, 8 * size);
    emit_expr(e, x->op[0], PREC_UNARY);
    emit_close(e, p);
}

static void mask_of_cast(Emitter *e, Node *x, int size, int min)
{
    Node *from = x->op[0]->type;
    if (vec_is_mask(from)) {
        vec_mask(e, x->op[0], size, min);
    } else if (vec_is_half(e, vec_element(from))) {
        mask_by_lanes(e, x, size, min);
    } else {
        const char *text = arena_printf(e->arena, "%s != 0", expr_text(e, x->op[0], PREC_SHIFT));
        resized(e, text, vec_lane_size(e, from), size, vec_lanes(x->type), min);
    }
}

void vec_mask(Emitter *e, Node *x, int size, int min)
{
    const char *a, *b;
    (void)vec_mask_ctype(e, size, vec_lanes(x->type)); // declares this type before the operands'
    switch (x->kind) {
    case CORE_PRIM: mask_of_prim(e, x, size, min); return;
    case CORE_CAST: mask_of_cast(e, x, size, min); return;
    case LOOP_VAR: mask_of_local(e, x, size, min); return;
    case LOOP_SPLAT: mask_of_splat(e, x, size, min); return;
    case LOOP_SELECT: mask_of_select(e, x, size, min); return;
    case LOOP_SHUFFLE:
        a = vec_mask_text(e, x->op[0], size, PREC_TERNARY);
        b = vec_mask_text(e, x->op[1], size, PREC_TERNARY);
        vec_shuffle(e, x, a, b);
        return;
    case LOOP_COMPRESS:
    case LOOP_EXPAND: text_put(e->out, masked_move_text(e, x, size)); return;
    case LOOP_LOAD:
    case LOOP_LOAD_WHERE:
    case LOOP_GATHER:
    case LOOP_GATHER_RUNS: mask_of_load(e, x, size, min); return;
    default: CHECK(e->cx, false, "%s gives no mask", kind_info[x->kind].text);
    }
}

const char *vec_selector(Emitter *e, const char *type, const char *mask)
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
