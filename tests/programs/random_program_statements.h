// Expressions of any type, blocks and statements of random programs.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_STATEMENTS_H
#define ADZE_TESTS_RANDOM_PROGRAM_STATEMENTS_H

#include "programs/random_program_arrays.h"

static void block(Gen *g, const Type *t);
static void statement(Gen *g);
static inline bool put_call(Gen *g, const Type *t);

// --- values made of others ---------------------------------------------------------------------

static inline void put_list(Gen *g, const Type *t, const char *open, const char *close)
{
    put(g, open);
    for (int i = 0; i < t->n; i++) {
        if (i) put(g, ", ");
        if (t->kind == K_STRUCT) text_printf(g->out, "a%d: ", i);
        expr(g, t->part[i]);
    }
    put(g, close);
}

static inline void put_elements(Gen *g, const Type *t)
{
    if (size_is_const(t->size) && t->size.c > 0 && t->size.c < 6) {
        put(g, "[");
        for (int i = 0; i < t->size.c; i++) {
            if (i) put(g, ", ");
            expr(g, t->part[0]);
        }
        put(g, "]");
    } else {
        put(g, "repeat[");
        put_size_of(g, t->size);
        put(g, "](");
        expr(g, t->part[0]);
        put(g, ")");
    }
}

static inline void put_option(Gen *g, const Type *t)
{
    int k = below(g, t->n);
    put_type_of(g, t);
    text_printf(g->out, ".O%d", k);
    if (t->part[k]->n) put_list(g, t->part[k], "(", ")");
}

static inline void put_composed(Gen *g, const Type *t)
{
    Style style = chance(g, 15) ? STYLE_MOSTLY_EXTREME : STYLE_SMALL;
    switch (t->kind) {
    case K_SCALAR: put_scalar_literal(g->out, &g->random, t->scalar, style); break;
    case K_VECTOR:
        put(g, "(");
        put_scalar_literal(g->out, &g->random, t->scalar, style);
        put(g, " as ");
        put_type_of(g, t);
        put(g, ")");
        break;
    case K_INDEX:
        put(g, "((");
        put_index(g, t->size);
        put(g, ") as ");
        put_type_of(g, t);
        put(g, ")");
        break;
    case K_ARRAY: put_elements(g, t); break;
    case K_TUPLE: put_list(g, t, "(", ")"); break;
    case K_STRUCT:
        put(g, "(");
        put_type_of(g, t);
        put_list(g, t, " { ", " })");
        break;
    case K_ENUM: put_option(g, t); break;
    }
}

// A variable of another type, or the index of an element.
static inline bool put_converted(Gen *g, const Type *t)
{
    Size s = random_size(g);
    int room;
    const Var *v = find_index(g, s, &room);
    const Type *from = as_wide(g, t, random_scalar(g));
    if (v && t->kind == K_SCALAR && chance(g, 60)) {
        text_printf(g->out, "%s(i64(v%d) * %d + %d)", scalar_info[t->scalar].text, v->number,
                    1 + below(g, 5), below(g, 9) - 4);
        return true;
    }
    v = find_var(g, from, false);
    if (!v) return false;
    text_printf(g->out, "%s(", scalar_info[t->scalar].text);
    put_place(g, v, from);
    put(g, ")");
    return true;
}

static inline void put_leaf(Gen *g, const Type *t)
{
    const Var *v = chance(g, 88) ? find_var(g, t, false) : NULL;
    int room;
    if (v) {
        put_place(g, v, t);
    } else if (t->kind == K_SCALAR && t->scalar == SCALAR_I64 && chance(g, 40)) {
        Size s = random_size(g);
        v = chance(g, 60) ? find_index(g, s, &room) : NULL;
        put(g, v ? "i64(" : "(");
        if (v)
            text_printf(g->out, "v%d", v->number);
        else
            put_size_of(g, s);
        put(g, ")");
    } else if (t->kind == K_ARRAY && g->depth <= MOST_DEPTH + 3 && chance(g, 50)) {
        put_generate(g, t);
    } else if ((t->kind != K_SCALAR && t->kind != K_VECTOR) || !chance(g, 60) ||
               !put_converted(g, t)) {
        put_composed(g, t);
    }
}

// --- choices -----------------------------------------------------------------------------------

static inline bool put_exit(Gen *g);

// A condition of lanes is no choice of two others: its type must be seen.
static inline void put_condition(Gen *g, const Type *t)
{
    if (t->kind == K_VECTOR)
        put_truth(g, t);
    else
        expr(g, t);
}

static inline void put_if(Gen *g, const Type *t)
{
    int simd = g->simd;
    bool lanes = t->kind == K_VECTOR && g->patterns == 0 && chance(g, 50);
    put(g, "(if ");
    put_condition(g, lanes ? as_wide(g, t, SCALAR_BOOL) : scalar_type(SCALAR_BOOL));
    if (lanes) g->simd = t->lanes;
    put(g, " ");
    block(g, t);
    put(g, " else ");
    block(g, t);
    put(g, ")");
    g->simd = simd;
}

// Whether the arm has a condition, so that others may follow for the same value.
static inline bool put_arm(Gen *g, const Type *t, int nvars)
{
    bool condition = chance(g, 25);
    if (condition) {
        put(g, " if ");
        expr(g, scalar_type(SCALAR_BOOL));
    }
    put(g, " => ");
    block(g, t);
    put(g, "\n");
    g->nvars = nvars;
    return condition;
}

// Whether some value is left for which there is no arm.
static inline bool put_match_enum(Gen *g, const Type *of, const Type *t)
{
    bool open = false;
    for (int k = 0; k < of->n; k++) {
        int nvars = g->nvars;
        if (chance(g, 15)) {
            open = true;
            continue;
        }
        put_type_of(g, of);
        text_printf(g->out, ".O%d", k);
        for (int i = 0; i < of->part[k]->n; i++)
            text_printf(g->out, "%sv%d", i ? ", " : "(",
                        new_var(g, of->part[k]->part[i], false)->number);
        if (of->part[k]->n) put(g, ")");
        open = put_arm(g, t, nvars) || open;
    }
    return open;
}

static inline void put_match(Gen *g, const Type *t)
{
    const Type *of = g->nenums ? g->enums[below(g, g->nenums)] : scalar_type(random_scalar(g));
    if (of->kind == K_SCALAR && is_float(of->scalar)) of = scalar_type(SCALAR_I32);
    put(g, "(match ");
    expr(g, of);
    put(g, " {\n");
    bool truth = of->kind == K_SCALAR && of->scalar == SCALAR_BOOL;
    bool open = of->kind != K_ENUM || put_match_enum(g, of, t);
    for (int i = below(g, truth ? 2 : 3); of->kind == K_SCALAR && i > 0; i--) {
        if (truth)
            put(g, chance(g, 50) ? "true" : "false");
        else
            text_printf(g->out, "%d", 3 * i + below(g, 3));
        put_arm(g, t, g->nvars);
    }
    if (open) {
        put(g, "_ => ");
        block(g, t);
    }
    put(g, "\n})");
}

static inline void enter_loop(Gen *g, const Type *value, double times)
{
    g->ways.loop = true;
    g->ways.loop_value = value;
    g->weight *= times;
}

// loop with a counter; its value is that of a break.
static inline void put_loop(Gen *g, const Type *t)
{
    Ways ways = g->ways;
    double weight = g->weight;
    int nvars = g->nvars, most = 1 + below(g, 4);
    Var *v = new_var(g, scalar_type(SCALAR_I32), false);
    int number = v->number;
    text_printf(g->out, "({\nlet mut v%d = 0i32;\nloop {\n", number);
    enter_loop(g, t, most);
    text_printf(g->out, "v%d += 1i32;\nif v%d > %di32 { break(", number, number, most);
    expr(g, t);
    put(g, ") }\n");
    for (int i = below(g, 3) + 1; i > 0; i--) statement(g);
    put(g, "}\n})");
    g->ways = ways;
    g->weight = weight;
    g->nvars = nvars;
}

// --- any expression ----------------------------------------------------------------------------

static inline bool put_by_type(Gen *g, const Type *t)
{
    if (t->kind == K_SCALAR || t->kind == K_VECTOR) {
        put_operation(g, t);
        return true;
    }
    if (t->kind == K_ARRAY && !g->simd && chance(g, 85)) return put_array(g, t);
    return false;
}

static void put_expr(Gen *g, const Type *t)
{
    int choice = below(g, 30);
    bool leaf =
        g->budget <= 0 || g->depth > MOST_DEPTH || chance(g, 6 * g->depth) || t->kind == K_INDEX;
    if (leaf)
        put_leaf(g, t);
    else if (choice < 3)
        put_if(g, t);
    else if (choice == 3 && !g->simd)
        put_match(g, t);
    else if (choice == 4 && !g->pure && !g->simd && g->patterns < 2)
        put_loop(g, t);
    else if (choice < 7 && !g->simd)
        block(g, t);
    else if (choice < 9 && !g->simd && put_call(g, t))
        return;
    else if (choice < 12 && !g->simd && put_folded(g, t))
        return;
    else if (!put_by_type(g, t))
        put_composed(g, t);
}

static void expr(Gen *g, const Type *t)
{
    bool part = t->kind != K_SCALAR && t->kind != K_INDEX && t->kind != K_VECTOR;
    g->budget--, g->depth++, g->parts += part;
    put_expr(g, t);
    g->depth--, g->parts -= part;
}

// --- blocks ------------------------------------------------------------------------------------

static void block(Gen *g, const Type *t)
{
    int nvars = g->nvars;
    put(g, "{");
    if (g->depth <= MOST_DEPTH && g->budget > 4 && (t == NULL || chance(g, 40))) {
        put(g, "\n");
        for (int i = below(g, 3) + 1; i > 0; i--) statement(g);
    }
    put(g, t ? " " : "");
    if (t) expr(g, t);
    put(g, t ? " }" : "}");
    g->nvars = nvars;
}

static inline void put_let(Gen *g)
{
    const Type *t = random_type(g, 2);
    bool changes = !g->pure && chance(g, 45);
    int number = ++g->names;
    text_printf(g->out, "let %sv%d: ", changes ? "mut " : "", number);
    put_type_of(g, t);
    put(g, " = ");
    expr(g, t);
    put(g, ";\n");
    new_var(g, t, changes)->number = number;
}

static inline bool put_assignment(Gen *g)
{
    static const char *const floats[] = {"=", "+=", "-=", "*="};
    static const char *const integers[] = {"=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>>="};
    const Var *v =
        g->nvars > g->barrier ? &g->vars[g->barrier + below(g, g->nvars - g->barrier)] : NULL;
    if (!v || !v->changes || v->hidden) return false;
    const Type *t = v->type;
    while (t->n && t->kind != K_ENUM && chance(g, 70)) t = t->part[below(g, t->n)];
    if (!reaches(g, v->type, t, 3)) t = v->type;
    if (g->simd && t->kind != K_VECTOR) return false;
    put_place(g, v, t);
    bool number = t->kind == K_SCALAR || t->kind == K_VECTOR;
    const char *operator= !number || t->scalar == SCALAR_BOOL ? "="
    : is_float(t->scalar)                                     ? PICK(g, floats)
                                                              : PICK(g, integers);
    text_printf(g->out, " %s ", operator);
    expr(g, t);
    put(g, ";\n");
    return true;
}

static inline void put_if_statement(Gen *g)
{
    int simd = g->simd;
    bool lanes = g->lanes && g->patterns == 0 && chance(g, 50);
    put(g, "if ");
    put_condition(g, lanes ? vector_type(g, SCALAR_BOOL) : scalar_type(SCALAR_BOOL));
    if (lanes) g->simd = g->lanes;
    put(g, " ");
    block(g, NULL);
    if (chance(g, 40)) {
        put(g, " else ");
        block(g, NULL);
    }
    put(g, "\n");
    g->simd = simd;
}

static inline bool put_exit(Gen *g)
{
    const Ways *w = &g->ways;
    int choice = below(g, 3);
    if (g->simd || (choice < 2 ? !w->loop : !w->result)) return false;
    put(g, "if ");
    expr(g, scalar_type(SCALAR_BOOL));
    if (choice == 0) {
        put(g, " { break(");
        if (w->loop_value) expr(g, w->loop_value);
        put(g, ") }\n");
    } else if (choice == 1) {
        put(g, " { continue() }\n");
    } else {
        put(g, " { return(");
        expr(g, w->result);
        put(g, ") }\n");
    }
    return true;
}

static inline void put_while(Gen *g)
{
    Ways ways = g->ways;
    double weight = g->weight;
    int nvars = g->nvars, number = ++g->names, most = 1 + below(g, 4);
    text_printf(g->out, "let mut v%d = 0i32;\nwhile v%d < %di32", number, number, most);
    new_var(g, scalar_type(SCALAR_I32), false)->number = number;
    if (chance(g, 40)) {
        put(g, " && ");
        expr(g, scalar_type(SCALAR_BOOL));
    }
    text_printf(g->out, " {\nv%d += 1i32;\n", number);
    enter_loop(g, NULL, most);
    for (int i = below(g, 3) + 1; i > 0; i--) statement(g);
    put(g, "}\n");
    g->ways = ways;
    g->weight = weight;
    g->nvars = nvars;
}

// Over the indices of arrays of some size, or part of them, or any numbers.
static inline bool put_for(Gen *g)
{
    Ways ways = g->ways;
    double weight = g->weight;
    int nvars = g->nvars, number = ++g->names, first = below(g, 3);
    Size s = random_size(g);
    if (!affordable(g, s)) return false;
    bool known = chance(g, 20), any = chance(g, 20);
    if (known) s = size_const(below(g, 5));
    text_printf(g->out, "for v%d in %s(", number, known && chance(g, 60) ? "unroll" : "range");
    if (any) {
        Scalar of = chance(g, 50) ? SCALAR_I32 : SCALAR_I64;
        const char *t = scalar_info[of].text;
        expr(g, scalar_type(of));
        text_printf(g->out, " & 3%s, ", t);
        expr(g, scalar_type(of));
        text_printf(g->out, " & 7%s) ", t);
        new_var(g, scalar_type(of), false)->number = number;
        enter_loop(g, NULL, 5);
    } else {
        text_printf(g->out, "%d, ", first);
        put_size_of(g, s);
        put(g, ") ");
        new_index(g, scalar_type(SCALAR_I64), s)->number = number;
        enter_loop(g, NULL, size_about(s) < 1 ? 1 : size_about(s));
    }
    block(g, NULL);
    put(g, "\n");
    g->ways = ways;
    g->weight = weight;
    g->nvars = nvars;
    return true;
}

// A loop whose iterations may be done in any order: each writes its own element of one array, which no other reads.
static inline bool put_lockstep(Gen *g)
{
    int candidate = -1, seen = 0;
    for (int i = g->barrier; i < g->nvars; i++)
        if (g->vars[i].changes && !g->vars[i].hidden && g->vars[i].type->kind == K_ARRAY &&
            affordable(g, g->vars[i].type->size) && below(g, ++seen) == 0)
            candidate = i;
    if (candidate < 0 || g->simd || g->patterns) return false;
    const Var written = g->vars[candidate];
    Size s = written.type->size;
    bool lanes = chance(g, 50) && !g->lanes;
    int number = g->names + 1, first = below(g, 2);
    text_printf(g->out, lanes ? "for v%d in vectorize(%d, %d, " : "for v%d in parallel(%d, %d, ",
                number, lanes ? 1 << (1 + below(g, 3)) : below(g, 3), first);
    put_size_of(g, s);
    Around around = enter_element(g, s);
    new_index(g, scalar_type(SCALAR_I64), s);
    g->vars[candidate].hidden = true;
    text_printf(g->out, ") {\nv%d[v%d] %s ", written.number, number,
                is_number(written.type->part[0]) && chance(g, 30) ? "+=" : "=");
    expr(g, written.type->part[0]);
    put(g, ";\n}\n");
    g->vars[candidate].hidden = false;
    leave_element(g, around);
    return true;
}

// An array whose elements are all written before one is read.
static inline bool put_filled(Gen *g)
{
    const Type *t = array_of(g->arena, random_size(g), random_element(g, 0));
    if (!affordable(g, t->size) || g->simd) return false;
    int array = ++g->names, index = ++g->names, nvars = g->nvars;
    double weight = g->weight;
    Ways ways = g->ways;
    text_printf(g->out, "let mut v%d: ", array);
    put_type_of(g, t);
    text_printf(g->out, " = undefined();\nfor v%d in range(0, ", index);
    put_size_of(g, t->size);
    text_printf(g->out, ") { v%d[v%d] = ", array, index);
    g->ways = (Ways){.result = ways.result};
    g->weight *= size_about(t->size);
    new_index(g, scalar_type(SCALAR_I64), t->size)->number = index;
    expr(g, t->part[0]);
    put(g, "; }\n");
    g->weight = weight;
    g->ways = ways;
    g->nvars = nvars;
    new_var(g, t, true)->number = array;
    return true;
}

static void statement(Gen *g)
{
    int choice = below(g, 20);
    g->depth++, g->budget--;
    if (choice < 5 || g->budget <= 0 || g->depth > MOST_DEPTH || (g->pure && !g->simd))
        put_let(g);
    else if (choice < 9 && put_assignment(g))
        ;
    else if (choice < 11)
        put_if_statement(g);
    else if (choice < 12 && !g->simd)
        put_while(g);
    else if (choice < 15 && !g->simd && put_for(g))
        ;
    else if (choice < 16 && put_lockstep(g))
        ;
    else if (choice < 17 && put_filled(g))
        ;
    else if (!put_exit(g))
        put_let(g);
    g->depth--;
}

#endif
