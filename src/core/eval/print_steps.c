// `print` before and after staging. In Core, `print` is a single term with everything it prints.
// Staging, which knows the types, replaces it with calls to functions that append a string, a
// scalar, or the separator between array elements to the current line; the last call ends the line.
// Later passes see calls to C functions, which they keep in order, and need no special case for
// printing.
#include "core/ir/core.h"

#include <stdlib.h>
#include <string.h>

// Identifiers contain no spaces, so these prefixes cannot clash with a name.
static const char prefix[] = "print ", start_prefix[] = "print start ",
                  text_prefix[] = "print text ";

static const struct {
    const char *name;
    Scalar type; // the type of the parameter; SCALAR_COUNT if there is none
} steps[PRINT_START] = {
    [PRINT_BOOL] = {"bool", SCALAR_BOOL},        [PRINT_I64] = {"i64", SCALAR_I64},
    [PRINT_U64] = {"u64", SCALAR_U64},           [PRINT_F16] = {"f16", SCALAR_F16},
    [PRINT_F32] = {"f32", SCALAR_F32},           [PRINT_F64] = {"f64", SCALAR_F64},
    [PRINT_NEXT] = {"next", SCALAR_COUNT},       [PRINT_LINE] = {"line", SCALAR_COUNT},
    [PRINT_MESSAGE] = {"message", SCALAR_COUNT},
};

// --- names -------------------------------------------------------------------------------------

PrintStep core_print_step_of(Sym function)
{
    const char *name = function->text;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) return PRINT_COUNT;
    if (strncmp(name, text_prefix, sizeof text_prefix - 1) == 0) return PRINT_TEXT;
    if (strncmp(name, start_prefix, sizeof start_prefix - 1) == 0) return PRINT_START;
    for (int k = 0; k < PRINT_START; k++)
        if (strcmp(name + sizeof prefix - 1, steps[k].name) == 0) return (PrintStep)k;
    return PRINT_COUNT;
}

const char *core_shown_name(Sym function)
{
    return core_print_step_of(function) == PRINT_COUNT ? function->text : "print";
}

// The name of a step that carries a string. Control characters, backquotes and backslashes are
// escaped, since names are written between backquotes and on one line.
static Sym text_name(Session *cx, const char *before, const char *text)
{
    Text out = text_new(cx->arena);
    text_put(&out, before);
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == '`' || *c == '\\')
            text_printf(&out, "\\%02x", (unsigned char)*c);
        else
            text_char(&out, *c);
    return session_sym(cx, text_get(&out));
}

const char *core_print_text(Session *cx, Sym function)
{
    bool starts = core_print_step_of(function) == PRINT_START;
    size_t before = starts ? sizeof start_prefix - 1 : sizeof text_prefix - 1;
    Text out = text_new(cx->arena);
    for (const char *c = function->text + before; *c; c++) {
        char hex[3] = {0};
        if (*c != '\\' || !c[1] || !c[2]) {
            text_char(&out, *c);
            continue;
        }
        memcpy(hex, c + 1, 2);
        text_char(&out, (char)strtol(hex, NULL, 16));
        c += 2;
    }
    return text_get(&out);
}

static Sym step_name(Session *cx, PrintStep step, const char *text)
{
    if (step == PRINT_TEXT) return text_name(cx, text_prefix, text);
    if (step == PRINT_START) return text_name(cx, start_prefix, text);
    return session_sym(cx, arena_printf(cx->arena, "%s%s", prefix, steps[step].name));
}

Function *core_print_function(Session *cx, Sym name)
{
    PrintStep step = core_print_step_of(name);
    Function *f = ARENA_NEW(cx->arena, Function);
    *f = (Function){.name = name, .external = true, .result = type_tuple(cx, 0, NULL)};
    if (step >= PRINT_START || steps[step].type == SCALAR_COUNT) return f;
    Param x = {.name = session_sym(cx, "x"), .type = type_scalar(cx, steps[step].type)};
    vec_push(cx->arena, &f->params, x);
    return f;
}

// --- interpretation ----------------------------------------------------------------------------

static void put_scalar(Session *cx, PrintStep step, uint64_t bits, Algebra algebra)
{
    Value v = {.bits = bits};
    value_print_lanes(cx, &cx->line, &v, type_scalar(cx, steps[step].type), NULL, algebra);
}

void core_print_run(Session *cx, Sym function, uint64_t bits, Algebra algebra)
{
    PrintStep step = core_print_step_of(function);
    Text *line = &cx->line;
    switch (step) {
    case PRINT_BOOL:
    case PRINT_I64:
    case PRINT_U64:
    case PRINT_F16:
    case PRINT_F32:
    case PRINT_F64: put_scalar(cx, step, bits, algebra); return;
    case PRINT_NEXT:
        if (line->len && line->at[line->len - 1] != '[') text_put(line, ", ");
        return;
    case PRINT_LINE: session_print_line(cx); return;
    case PRINT_MESSAGE: session_keep_message(cx); return;
    case PRINT_START:
        line->len = 0;
        text_put(line, core_print_text(cx, function));
        return;
    case PRINT_TEXT: text_put(line, core_print_text(cx, function)); return;
    case PRINT_COUNT: break;
    }
    CHECK(cx, false, "%s does not print", function->text);
}

// --- printing a value --------------------------------------------------------------------------

static Node *call(Session *cx, PrintStep step, const char *text, Node *arg)
{
    return core_call(cx, step_name(cx, step, text), arg != NULL, &arg, core_unit(cx)->type);
}

Node *core_print_call(Session *cx, PrintStep step, const char *text)
{
    return call(cx, step, text, NULL);
}

static Node *text_call(Session *cx, const char *text)
{
    return call(cx, PRINT_TEXT, text, NULL);
}

static Node *value(Session *cx, Node *e, Node *mask);

static Node *scalar(Session *cx, Node *e)
{
    Scalar s = SCALAR_I64; // idx
    type_is_scalar(e->type, &s);
    PrintStep step = PRINT_BOOL;
    switch (scalar_info[s].class) {
    case CLASS_BOOL: break;
    case CLASS_INT: step = PRINT_I64; break;
    case CLASS_UINT: step = PRINT_U64; break;
    case CLASS_FLOAT:
        step = s == SCALAR_F16 ? PRINT_F16 : s == SCALAR_F32 ? PRINT_F32 : PRINT_F64;
        break;
    }
    return call(cx, step, NULL, core_cast(cx, e, type_scalar(cx, steps[step].type)));
}

// Returns the term that prints n elements in brackets, as in [0, 1, ...]. `make` returns the term
// that prints element i of `e`; in that term, the loop variable is variable 0.
static Node *list(Session *cx, Node *e, Node *mask, Node *n,
                  Node *(*make)(Session *cx, Node *e, Node *mask, Node *i))
{
    Node *i64 = type_scalar(cx, SCALAR_I64), *i = core_var(cx, 0, i64);
    Sym name = session_sym(cx, "i");
    Node *inside = make(cx, node_shift(cx, e, 1, 0), mask ? node_shift(cx, mask, 1, 0) : NULL,
                        core_to_idx(cx, i, n, NO_SPAN));
    Node *body = core_seq(cx, call(cx, PRINT_NEXT, NULL, NULL), inside);
    Node *loop =
        core_range(cx, core_int(cx, i64, 0), core_size(cx, n), core_lam(cx, 1, &i64, &name, body));
    return core_seq(cx, text_call(cx, "["), core_seq(cx, loop, text_call(cx, "]")));
}

static Node *element(Session *cx, Node *e, Node *mask, Node *i)
{
    Node *x = core_pattern(cx, CORE_INDEX, 0, 2, (Node *[]){e, i});
    if (type_is_atom(x->type)) return value(cx, x, mask);
    Node *inside = value(cx, core_var(cx, 0, x->type), mask ? node_shift(cx, mask, 1, 0) : NULL);
    return core_let(cx, session_sym(cx, "x"), x, inside);
}

// The term that prints lane i: `inside`, or `_` if the mask has the same length as the vector and
// lane i is inactive.
static Node *if_there(Session *cx, Node *mask, Node *i, Node *inside)
{
    if (!mask || mask->type->op[0] != i->type->op[0]) return inside;
    Node *there = core_pattern(cx, CORE_EXTRACT, 0, 2, (Node *[]){mask, i});
    return core_if(cx, there, inside, text_call(cx, "_"));
}

static Node *lane(Session *cx, Node *e, Node *mask, Node *i)
{
    Node *x = core_pattern(cx, CORE_EXTRACT, 0, 2, (Node *[]){e, i});
    return if_there(cx, mask, i, value(cx, x, NULL));
}

// Lane i of a value that contains vectors.
static Node *lane_of(Session *cx, Node *e, Node *i)
{
    Node *t = e->type, *length = i->type->op[0];
    if (t->kind == TYPE_VEC && t->op[0] == length)
        return core_pattern(cx, CORE_EXTRACT, 0, 2, (Node *[]){e, i});
    if (t->kind == TYPE_ARRAY) {
        Node *one = lane_of(cx, core_var(cx, 0, t->op[1]), node_shift(cx, i, 1, 0));
        Sym name = session_sym(cx, "x");
        Node *f = core_lam(cx, 1, &t->op[1], &name, one);
        return core_pattern(cx, CORE_MAP, 0, 2, (Node *[]){f, e});
    }
    if (t->kind != TYPE_TUPLE && t->kind != TYPE_STRUCT) return e;
    Node **parts = ARENA_ARRAY(cx->arena, Node *, t->nops + 1),
         **types = ARENA_ARRAY(cx->arena, Node *, t->nops + 1);
    for (uint32_t k = 0; k < t->nops; k++) {
        parts[k] = lane_of(cx, core_proj(cx, e, (int)k), i);
        types[k] = parts[k]->type;
    }
    Node *type =
        t->kind == TYPE_STRUCT ? type_struct(cx, t->attr.sym, (int)t->nops, types, t->names) : NULL;
    return core_tuple(cx, (int)t->nops, parts, type);
}

// The term that prints lane i of an enum that varies by lane, or `_` if the lane is inactive.
static Node *lane_of_enum(Session *cx, Node *e, Node *mask, Node *i)
{
    return if_there(cx, mask, i, value(cx, lane_of(cx, e, i), NULL));
}

// The term that prints the components, each preceded by its string in `before`, and then runs
// `rest`.
static Node *components(Session *cx, Node *e, Node *mask, const char *const *before, Node *rest)
{
    for (uint32_t k = e->type->nops; k-- > 0;) {
        rest = core_seq(cx, value(cx, core_proj(cx, e, (int)k), mask), rest);
        if (*before[k]) rest = core_seq(cx, text_call(cx, before[k]), rest);
    }
    return rest;
}

static Node *tuple(Session *cx, Node *e, Node *mask)
{
    uint32_t n = e->type->nops;
    const char **before = ARENA_ARRAY(cx->arena, const char *, n + 1);
    if (n == 0) return text_call(cx, "()");
    for (uint32_t k = 0; k < n; k++) before[k] = k ? ", " : "(";
    return components(cx, e, mask, before, text_call(cx, n == 1 ? ",)" : ")"));
}

static Node *structure(Session *cx, Node *e, Node *mask)
{
    Node *t = e->type;
    const char **before = ARENA_ARRAY(cx->arena, const char *, t->nops + 1),
               *name = type_own_name(t);
    if (t->nops == 0) return text_call(cx, arena_printf(cx->arena, "%s {}", name));
    for (uint32_t k = 0; k < t->nops; k++) {
        const char *field = t->names ? t->names[k]->text : "";
        before[k] = k ? arena_printf(cx->arena, ", %s: ", field)
                      : arena_printf(cx->arena, "%s { %s: ", name, field);
    }
    return components(cx, e, mask, before, text_call(cx, " }"));
}

// The term that prints an enum whose value is option k.
static Node *option(Session *cx, Node *e, uint32_t k)
{
    Node *parts = core_proj(cx, e, (int)k), *t = e->type;
    const char *name = arena_printf(cx->arena, "%s.%s", type_own_name(t), t->names[k]->text);
    uint32_t n = parts->type->nops;
    if (n == 0) return text_call(cx, name);
    const char **before = ARENA_ARRAY(cx->arena, const char *, n + 1);
    for (uint32_t i = 0; i < n; i++) before[i] = i ? ", " : arena_printf(cx->arena, "%s(", name);
    return components(cx, parts, NULL, before, text_call(cx, ")"));
}

static Node *enumeration(Session *cx, Node *e, Node *mask)
{
    Node *number = core_proj(cx, e, 0);
    if (number->type->kind == TYPE_VEC) return list(cx, e, mask, number->type->op[0], lane_of_enum);
    uint32_t last = e->type->nops - 1;
    Node *chosen = option(cx, e, last);
    for (uint32_t k = last; k-- > 1;) {
        Node *ops[2] = {number, core_int(cx, number->type, (int64_t)k - 1)};
        chosen = core_if(cx, core_prim(cx, PRIM_EQ, 2, ops), option(cx, e, k), chosen);
    }
    return chosen;
}

// The term that prints the defined elements of a [?n]t.
static Node *up_to(Session *cx, Node *e, Node *mask)
{
    Sym name = sym_fresh(cx->syms, "k");
    Node *k = nat_var(cx, name), *ops[3] = {nat_const(cx, 0), k, core_proj(cx, e, 1)};
    Node *elements = core_pattern(cx, VIEW_SLICE, 0, 3, ops);
    return core_open(cx, name, core_proj(cx, e, 0), value(cx, elements, mask));
}

static Node *value(Session *cx, Node *e, Node *mask)
{
    Node *t = e->type;
    if (type_is_up_to(t)) return up_to(cx, e, mask);
    switch ((Kind)t->kind) {
    case TYPE_SCALAR:
    case TYPE_IDX: return scalar(cx, e);
    case TYPE_ARRAY: return list(cx, e, mask, t->op[0], element);
    case TYPE_VEC: {
        bool masked = mask && mask->type->op[0] == t->op[0];
        return list(cx, e, masked ? mask : NULL, t->op[0], lane);
    }
    case TYPE_TUPLE: return tuple(cx, e, mask);
    case TYPE_STRUCT: return type_is_enum(t) ? enumeration(cx, e, mask) : structure(cx, e, mask);
    default: break;
    }
    CHECK(cx, false, "a value of type %s is printed", type_show(cx, t));
    return NULL;
}

Node *core_print_value(Session *cx, Node *type, Node *mask)
{
    return value(cx, core_var(cx, 0, type), mask ? core_var(cx, 1, mask) : NULL);
}
