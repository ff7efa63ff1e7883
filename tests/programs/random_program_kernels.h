// Kernels: one or two loops over arrays of numbers, in all the ways to write a loop, whose
// conditions and array indices depend on the loop indices. Passes that split, tile, unroll and
// vectorise loops find in them the cases that they distinguish.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_KERNELS_H
#define ADZE_TESTS_RANDOM_PROGRAM_KERNELS_H

#include "programs/random_program_statements.h"

// --- conditions and elements -------------------------------------------------------------------

static void kernel_condition(Gen *g, int depth)
{
    static const char *const relations[] = {"<", "<=", "==", "!=", ">", ">="};
    const Var *v = any_index(g);
    int choice = below(g, 10);
    if (choice < 2 && depth > 0) {
        put(g, choice ? "(!" : "(");
        kernel_condition(g, depth - 1);
        put(g, choice ? ")" : chance(g, 50) ? " && " : " || ");
        if (choice == 0) kernel_condition(g, depth - 1);
        if (choice == 0) put(g, ")");
    } else if (v && choice < 8) {
        put_index_condition(g, v);
    } else {
        const Type *t = scalar_type(random_scalar(g));
        bool truth = t->scalar == SCALAR_BOOL;
        put(g, "(");
        kernel_expr(g, t, depth - 1);
        text_printf(g->out, " %s ", truth ? "==" : PICK(g, relations));
        kernel_expr(g, t, depth - 1);
        put(g, ")");
    }
}

static inline void kernel_binary(Gen *g, const Type *t, int depth)
{
    static const char *const floats[] = {"+", "-", "*", "+", "-"};
    static const char *const integers[] = {"+", "-", "*", "&", "|", "^", "<<", ">>>"};
    static const char *const truths[] = {"&", "|", "^", "==", "!="};
    put(g, "(");
    kernel_expr(g, t, depth - 1);
    text_printf(g->out, " %s ",
                t->scalar == SCALAR_BOOL ? PICK(g, truths)
                : is_float(t->scalar)    ? PICK(g, floats)
                                         : PICK(g, integers));
    kernel_expr(g, t, depth - 1);
    put(g, ")");
}

static inline void kernel_call(Gen *g, const Type *t, int depth)
{
    if (t->scalar == SCALAR_BOOL) {
        kernel_condition(g, depth);
        return;
    }
    put(g, chance(g, 50) ? "min(" : "max(");
    kernel_expr(g, t, depth - 1);
    put(g, ", ");
    kernel_expr(g, t, depth - 1);
    put(g, ")");
}

// { let v = if c { 7 } else { xs[i] }; v * v }
static inline void kernel_let(Gen *g, const Type *t, int depth)
{
    int nvars = g->nvars, number = ++g->names;
    const Type *of = chance(g, 60) ? t : scalar_type(random_scalar(g));
    put(g, "{ ");
    if (chance(g, 12) && affordable(g, size_const(13))) {
        put_size_let(g);
    } else {
        text_printf(g->out, "let v%d: ", number);
        put_type_of(g, of);
        put(g, " = ");
        kernel_expr(g, of, depth - 1);
        put(g, "; ");
        new_var(g, of, false)->number = number;
    }
    kernel_expr(g, t, depth - 1);
    put(g, " }");
    g->nvars = nvars;
}

// An inner loop that computes one value.
static inline void kernel_inner(Gen *g, const Type *t, int depth)
{
    Size s = random_size(g);
    bool regroup = regroups(g, t) && chance(g, 50);
    int acc = ++g->names, nvars = g->nvars;
    double weight = g->weight;
    if (regroup)
        put(g, "reduce(");
    else
        text_printf(g->out, "fold(|v%d: ", acc);
    if (regroup) {
        put_operator(g, t);
    } else {
        int x = ++g->names;
        put_type_of(g, t);
        text_printf(g->out, ", v%d: ", x);
        put_type_of(g, t);
        put(g, "| ");
        new_var(g, t, false)->number = acc;
        new_var(g, t, false)->number = x;
        kernel_expr(g, t, 1);
        g->nvars = nvars;
        put(g, ", ");
        kernel_expr(g, t, 0);
    }
    put(g, ", generate(");
    put_size_of(g, s);
    Around around = enter_element(g, s);
    const Type *index = type_new(g->arena, (Type){.kind = K_INDEX, .size = s});
    text_printf(g->out, ", |v%d| ", new_index(g, index, s)->number);
    kernel_expr(g, t, depth - 1);
    leave_element(g, around);
    put(g, "))");
    g->weight = weight;
}

// A variable or an element of one, a conversion of a variable or an index, or a literal.
static inline void kernel_leaf(Gen *g, const Type *t)
{
    const Var *v = chance(g, 70) ? find_var(g, t, false) : NULL;
    if (v)
        put_place(g, v, t);
    else if (!chance(g, 65) || !put_converted(g, t))
        put_composed(g, t);
}

static void kernel_expr(Gen *g, const Type *t, int depth)
{
    int choice = below(g, 20);
    if (depth <= 0 || g->budget-- <= 0 || choice < 3) {
        kernel_leaf(g, t);
    } else if (choice < 9) {
        put(g, "(if ");
        kernel_condition(g, 1);
        put(g, " { ");
        kernel_expr(g, t, depth - 1);
        put(g, " } else { ");
        kernel_expr(g, t, depth - 1);
        put(g, " })");
    } else if (choice < 13) {
        kernel_binary(g, t, depth);
    } else if (choice == 13) {
        kernel_call(g, t, depth);
    } else if (choice == 14) {
        text_printf(g->out, "%s(", scalar_info[t->scalar].text);
        kernel_expr(g, scalar_type(random_scalar(g)), depth - 1);
        put(g, ")");
    } else if (choice == 15 && is_number(t) && !is_float(t->scalar)) {
        put_division(g, t);
    } else if (choice < 18) {
        kernel_let(g, t, depth);
    } else if (g->patterns < 3 && affordable(g, size_const(13))) {
        kernel_inner(g, t, depth);
    } else {
        kernel_leaf(g, t);
    }
}

// --- loops -------------------------------------------------------------------------------------

static inline void kernel_generate(Gen *g, const Type *t)
{
    if (t->kind == K_SCALAR) {
        kernel_expr(g, t, 3);
        return;
    }
    put(g, "generate");
    put_variant(g, t->part[0], true);
    put(g, "(");
    put_size_of(g, t->size);
    Around around = enter_element(g, t->size);
    const Type *index = type_new(g->arena, (Type){.kind = K_INDEX, .size = t->size});
    text_printf(g->out, ", |v%d| ", new_index(g, index, t->size)->number);
    kernel_generate(g, t->part[0]);
    leave_element(g, around);
    put(g, ")");
}

// let mut ys = ..; for i in range(0, n) { .. ys[i] = ..; }
static inline void kernel_filled(Gen *g, const Type *t)
{
    static const char *const loops[] = {"range(", "range.par(", "range.par(", "parallel(0, ",
                                        "vectorize(4, "};
    int ys = ++g->names, i = ++g->names, nvars = g->nvars;
    bool undefined = chance(g, 40);
    int loop = below(g, 5), first = undefined ? 0 : below(g, 3);
    const Type *element = t->part[0];
    text_printf(g->out, "let mut v%d: ", ys);
    put_type_of(g, t);
    put(g, " = ");
    if (undefined)
        put(g, "undefined()");
    else
        kernel_generate(g, t);
    text_printf(g->out, ";\nfor v%d in %s%d, ", i, loops[loop], first);
    put_size_of(g, t->size);
    put(g, ") {\n");
    Around around = enter_element(g, t->size);
    new_index(g, scalar_type(SCALAR_I64), t->size)->number = i;
    Var *made = new_var(g, t, true);
    made->number = ys;
    made->hidden = loop > 2 || undefined;
    int local = ++g->names;
    if (element->kind == K_SCALAR) {
        text_printf(g->out, "let mut v%d: ", local);
        put_type_of(g, element);
        put(g, " = ");
        kernel_expr(g, element, 2);
        put(g, ";\n");
        new_var(g, element, true)->number = local;
        for (int k = below(g, 3); k > 0; k--) {
            put(g, "if ");
            kernel_condition(g, 1);
            if (chance(g, 15) && loop < 3 && !undefined) {
                put(g, chance(g, 50) ? " { continue() }\n" : " { break() }\n");
                continue;
            }
            text_printf(g->out, " { v%d = ", local);
            kernel_expr(g, element, 2);
            put(g, "; }\n");
        }
    }
    text_printf(g->out, "v%d[v%d] = ", ys, i);
    if (element->kind == K_SCALAR)
        kernel_expr(g, element, 1);
    else
        kernel_generate(g, element);
    put(g, ";\n}\n");
    leave_element(g, around);
    g->nvars = nvars;
    made = new_var(g, t, true);
    made->number = ys;
}

// let mut acc = ..; for i in .. { if c { acc += ..; } }
static inline void kernel_accumulated(Gen *g, const Type *t)
{
    int acc = ++g->names, i = ++g->names, nvars = g->nvars;
    Size s = random_size(g);
    text_printf(g->out, "let mut v%d: ", acc);
    put_type_of(g, t);
    put(g, " = ");
    kernel_expr(g, t, 1);
    text_printf(g->out, ";\nfor v%d in range%s(%d, ", i, i % 2 ? ".par" : "", below(g, 2));
    put_size_of(g, s);
    put(g, ") {\n");
    new_var(g, t, true)->number = acc;
    new_index(g, scalar_type(SCALAR_I64), s)->number = i;
    for (int k = below(g, 3); k >= 0; k--) {
        bool condition = chance(g, 70);
        if (condition) put(g, "if ");
        if (condition) kernel_condition(g, 1);
        text_printf(g->out, condition ? " { v%d = " : "v%d = ", acc);
        kernel_expr(g, t, 2);
        put(g, condition ? "; }\n" : ";\n");
    }
    put(g, "}\n");
    g->nvars = nvars;
    new_var(g, t, true)->number = acc;
}

/// The body of a kernel: some loops, and the value.
static inline void put_kernel(Gen *g, const Type *result)
{
    put(g, "{\n");
    for (int i = below(g, 3); i > 0 && !g->pure; i--) {
        const Type *t = scalar_type(random_scalar(g));
        if (chance(g, 8) && put_atomics(g)) continue;
        if (chance(g, 12)) put_open(g);
        if (chance(g, 60))
            kernel_filled(g, array_of(g->arena, random_size(g), t));
        else
            kernel_accumulated(g, t);
    }
    if (result->kind == K_ARRAY && chance(g, 30) && !g->pure) {
        kernel_filled(g, result);
        text_printf(g->out, "v%d", g->vars[g->nvars - 1].number);
    } else if (result->kind == K_ARRAY && chance(g, 45)) {
        expr(g, result);
    } else {
        kernel_generate(g, result);
    }
    put(g, "\n}");
}

#endif
