// Functions that loop over lanes: operators that GNU C lacks on vectors, and all arithmetic on
// field elements.
#include "emit/vector/vec.h"

static Node *lane_named(Emitter *e, Node *type, const char *text)
{
    Sym name = sym_fresh(e->cx->syms, "lane");
    map_put(&e->spelling, MAP_KEY(name), (void *)(uintptr_t)text);
    return node_make(e->cx,
                     &(NodeSpec){.kind = LOOP_VAR, .attr.sym = name, .type = type_lane(type)});
}

// Returns min or max on C's scalar types as a conditional expression, or NULL for other operators
// and types. A support function would be unused if the processor has an instruction.
static const char *min_or_max(const Emitter *e, Node *x)
{
    Scalar s = vec_element(x->type);
    bool picks = x->kind == CORE_PRIM && (x->attr.i == PRIM_MIN || x->attr.i == PRIM_MAX);
    if (!picks || vec_is_mask(x->type) || vec_is_field(e, s) || vec_is_half(e, s)) return NULL;
    return x->attr.i == PRIM_MIN ? "a[k] < b[k] ? a[k] : b[k]" : "a[k] > b[k] ? a[k] : b[k]";
}

// Returns the expression `x` for one lane, with operands a[k], b[k], c[k].
static const char *one_lane(Emitter *e, Node *x)
{
    const char *choice = min_or_max(e, x);
    if (choice) return choice;
    static const char *const names[] = {"a[k]", "b[k]", "c[k]"}, *const truths[] = {"(a[k] != 0)",
                                                                                    "(b[k] != 0)",
                                                                                    "(c[k] != 0)"};
    Node *ops[PRIM_OPERANDS] = {NULL};
    for (uint32_t i = 0; i < x->nops; i++) {
        Node *type = x->op[i]->type;
        ops[i] = lane_named(e, type, vec_is_mask(type) ? truths[i] : names[i]);
    }
    NodeSpec spec = {.kind = (Kind)x->kind,
                     .attr = x->attr,
                     .type = type_lane(x->type),
                     .nops = (int)x->nops,
                     .ops = ops};
    return expr_text(e, node_make(e->cx, &spec), vec_is_mask(x->type) ? PREC_UNARY : PREC_TERNARY);
}

// Writes abs of floats, which clears their sign bits, or of signed integers, which subtracts -1
// from the complement of the negative ones. gcc would compute a loop over lanes lane by lane.
// Returns false for other operators and types.
static bool write_abs(Emitter *e, const char *name, Node *x)
{
    Scalar s = vec_element(x->type);
    int64_t lanes = vec_lanes(x->type);
    ScalarClass class = scalar_info[s].class;
    bool plain =
        (class == CLASS_FLOAT || class == CLASS_INT) && !vec_is_field(e, s) && !vec_is_half(e, s);
    if (x->kind != CORE_PRIM || x->attr.i != PRIM_ABS || !plain) return false;
    const char *type = vec_ctype(e, x->type);
    text_printf(&e->vector_functions, "\n" VECTOR_FUNCTION "%s %s(%s a)\n{\n", type, name, type);
    if (class == CLASS_FLOAT) {
        const char *bits = vec_mask_ctype(e, scalar_info[s].size, lanes);
        text_printf(&e->vector_functions, "    return (%s)((%s)a & %s);\n}\n", type, bits,
                    s == SCALAR_F32 ? "INT32_MAX" : "INT64_MAX");
    } else {
        const char *bits = vec_type_named(e, scalar_unsigned(s), lanes);
        text_printf(&e->vector_functions,
                    "    %s less = (%s)(a < 0);\n    return (%s)(((%s)a ^ less) - less);\n}\n",
                    bits, bits, type, bits);
    }
    return true;
}

// The body of the function that loops over lanes.
static const char *each_lane(Emitter *e, Node *x)
{
    return arena_printf(e->arena,
                        "    %s r = {0};\n    for (int k = 0; k < %lld; k++) r[k] = %s%s;\n"
                        "    return r;\n",
                        vec_ctype(e, x->type), (long long)vec_lanes(x->type),
                        vec_is_mask(x->type) ? "-" : "", one_lane(e, x));
}

static void write_each(Emitter *e, const char *name, Node *x)
{
    if (write_abs(e, name, x)) return;
    const char *type = vec_ctype(e, x->type), *formula = vec_integer_body(e, x);
    if (!formula) formula = each_lane(e, x);
    Text body = text_new(e->arena);
    bool at_once = vec_math_begin(e, x, &body) || vec_machine_begin(e, x, &body);
    text_printf(&e->vector_functions, "\n" VECTOR_FUNCTION "%s %s(", type, name);
    for (uint32_t i = 0; i < x->nops; i++)
        text_printf(&e->vector_functions, "%s%s %c", i ? ", " : "", vec_ctype(e, x->op[i]->type),
                    "abc"[i]);
    text_printf(&e->vector_functions, ")\n{\n%s%s%s}\n", text_get(&body), formula,
                at_once ? "#endif\n" : "");
}

const char *vec_each_text(Emitter *e, Node *x)
{
    const char *to = scalar_info[vec_element(x->type)].text,
               *from = scalar_info[vec_element(x->op[0]->type)].text;
    static const char *const words[] = {
        [PRIM_ADD] = "add", [PRIM_SUB] = "sub", [PRIM_MUL] = "mul", [PRIM_DIV] = "div",
        [PRIM_REM] = "rem", [PRIM_NOT] = "not", [PRIM_SHL] = "shl", [PRIM_SHR] = "shr",
        [PRIM_EQ] = "eq",   [PRIM_NE] = "ne",   [PRIM_LT] = "lt",   [PRIM_LE] = "le",
        [PRIM_GT] = "gt",   [PRIM_GE] = "ge",   [PRIM_COUNT] = NULL};
    const char *op = x->kind == CORE_CAST ? arena_printf(e->arena, "%s_to", from)
                     : words[x->attr.i]   ? words[x->attr.i]
                                          : prim_info[x->attr.i].text;
    const char *name =
        arena_printf(e->arena, "adze_%s_%sx%lld", op, x->kind != CORE_CAST ? from : to,
                     (long long)vec_lanes(x->type));
    bool at_once = x->kind == CORE_CAST &&
                   vec_cast_is_at_once(e, vec_element(x->op[0]->type), vec_element(x->type));
    if (vec_is_new(e, name)) (at_once ? vec_cast_write : write_each)(e, name, x);
    return arena_printf(e->arena, "%s(%s)", name, operands_text(e, x));
}

const char *vec_each_named(Emitter *e, Prim op, Node *type, const char *a, const char *b)
{
    const char *text[] = {a, b};
    Node *operands[2];
    for (int i = 0; i < 2; i++) {
        Sym name = sym_fresh(e->cx->syms, "vector");
        map_put(&e->spelling, MAP_KEY(name), (void *)(uintptr_t)text[i]);
        operands[i] =
            node_make(e->cx, &(NodeSpec){.kind = LOOP_VAR, .attr.sym = name, .type = type});
    }
    return vec_each_text(e, core_prim(e->cx, op, b ? 2 : 1, operands));
}
