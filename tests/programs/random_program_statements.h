// Expressions of any type, blocks and statements of random programs.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_STATEMENTS_H
#define ADZE_TESTS_RANDOM_PROGRAM_STATEMENTS_H

#include "programs/random_program_atomics.h"
#include "programs/random_program_lanes.h"
#include "programs/random_program_sizes.h"

static void kernel_expr(Gen *g, const Type *t, int depth);
static inline bool put_call(Gen *g, const Type *t);
static inline bool put_sized_call(Gen *g);
static inline bool put_shaped_call(Gen *g, const Type *t);
static inline bool put_library(Gen *g, const Type *t);
static inline void put_routine_call_of(Gen *g, int k, const Type *t, const Var *changed,
                                       const Size sizes[2]);

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

static inline bool holds_index(const Type *t)
{
    if (t->kind == K_INDEX) return true;
    for (int i = 0; i < t->n; i++)
        if (holds_index(t->part[i])) return true;
    return false;
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
    } else if (holds_index(t->part[0])) { // there is none below 0, so nothing may compute it
        put(g, "generate(");
        put_size_of(g, t->size);
        text_printf(g->out, ", |v%d| ", ++g->names);
        expr(g, t->part[0]);
        put(g, ")");
    } else {
        put(g, "repeat[");
        put_size_of(g, t->size);
        put(g, "](");
        expr(g, t->part[0]);
        put(g, ")");
    }
}

static inline void put_option_name(Gen *g, const Type *t, int k)
{
    text_printf(g->out, "E%d_%d.O%d", g->program, t->number, k);
}

static inline void put_option(Gen *g, const Type *t)
{
    int k = below(g, t->n), number = ++g->names;
    bool alike = is_in_lanes(t) && t->part[k]->n == 0; // then nothing else says that it is in lanes
    if (alike) {
        text_printf(g->out, "{ let v%d: ", number);
        put_type_of(g, t);
        put(g, " = ");
    }
    put_option_name(g, t, k);
    if (t->part[k]->n) put_list(g, t->part[k], "(", ")");
    if (alike) text_printf(g->out, "; v%d }", number);
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
    case K_UP_TO: put_shorter(g, t, true); break;
    case K_TUPLE: put_list(g, t, "(", ")"); break;
    case K_STRUCT:
        text_printf(g->out, "(S%d_%d", g->program, t->number);
        put_list(g, t, " { ", " })");
        break;
    case K_ENUM: put_option(g, t); break;
    }
}

static inline const Var *any_index(Gen *g)
{
    const Var *found = NULL;
    int seen = 0;
    for (int i = 0; i < g->nvars; i++)
        if (g->vars[i].below && !g->vars[i].hidden && below(g, ++seen) == 0) found = &g->vars[i];
    return found;
}

// A condition on an index, of the kinds at which loops are split.
static inline void put_index_condition(Gen *g, const Var *v)
{
    static const char *const relations[] = {"<", "<=", "==", "!=", ">", ">="};
    int k = v->number, by = 2 + below(g, 3);
    const Var *other = any_index(g);
    switch (below(g, 5)) {
    case 0: text_printf(g->out, "(i64(v%d) %% %d == %d)", k, by, below(g, by)); break;
    case 1: text_printf(g->out, "(i64(v%d) / %d %% 2 == 0)", k, by); break;
    case 2: text_printf(g->out, "((i64(v%d) + i64(v%d)) %% %d == 0)", k, other->number, by); break;
    case 3:
        text_printf(g->out, "(i64(v%d) %s ", k, PICK(g, relations));
        expr(g, scalar_type(SCALAR_I64));
        put(g, ")");
        break;
    default:
        text_printf(g->out, "(i64(v%d) + %d %s ", k, below(g, 3) - 1, PICK(g, relations));
        put_size_of(g, chance(g, 50) ? v->limit : random_size(g));
        put(g, ")");
        break;
    }
}

// Some condition with a variable in it.
static inline bool put_condition_leaf(Gen *g)
{
    static const char *const relations[] = {"<", "<=", "==", "!=", ">", ">="};
    const Var *v = chance(g, 60) ? any_index(g) : NULL;
    Scalar s = random_scalar(g);
    if (v) {
        put_index_condition(g, v);
        return true;
    }
    v = find_var(g, scalar_type(s), false);
    if (!v) return false;
    const char *relation = s == SCALAR_BOOL ? relations[2 + below(g, 2)] : PICK(g, relations);
    put(g, "(");
    put_place(g, v, scalar_type(s));
    text_printf(g->out, " %s ", relation);
    put_scalar_literal(g->out, &g->random, s, STYLE_SMALL);
    put(g, ")");
    return true;
}

// A conversion of a variable of another type, or of an index.
static inline bool put_converted(Gen *g, const Type *t)
{
    const Var *v = t->kind == K_SCALAR ? any_index(g) : NULL;
    const Type *from = as_wide(g, t, random_scalar(g));
    if (v && chance(g, 75)) {
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
    bool number = t->kind == K_SCALAR || t->kind == K_VECTOR;
    const Var *v = chance(g, number ? 75 : 92) ? find_var(g, t, false) : NULL;
    if (t->kind == K_SCALAR && t->scalar == SCALAR_BOOL && chance(g, 75) && put_condition_leaf(g))
        return;
    if (v) {
        put_place(g, v, t);
    } else if (t->kind == K_SCALAR && t->scalar == SCALAR_I64 && chance(g, 30)) {
        put(g, "(");
        put_size_of(g, random_size(g));
        put(g, ")");
    } else if (t->kind == K_ARRAY && g->depth <= MOST_DEPTH + 3 && chance(g, 65)) {
        put_generate(g, t);
    } else if (!number || !chance(g, 70) || !put_converted(g, t)) {
        put_composed(g, t);
    }
}

// --- choices -----------------------------------------------------------------------------------

// A condition; in loops it is mostly one on an index.
static inline void put_condition(Gen *g, const Type *t)
{
    const Var *v = t->kind == K_SCALAR && chance(g, 65) ? any_index(g) : NULL;
    if (v)
        put_index_condition(g, v);
    else
        expr(g, t);
}

static inline void put_if(Gen *g, const Type *t)
{
    int simd = g->simd;
    bool lanes = is_in_lanes(t) && g->patterns == 0 && chance(g, 50);
    bool expected = take_expected(g);
    put(g, "(if ");
    put_condition(g, lanes ? vector_type(g, SCALAR_BOOL) : scalar_type(SCALAR_BOOL));
    if (lanes) g->simd = t->lanes;
    put(g, " ");
    g->expected = expected;
    block(g, t);
    put(g, " else ");
    g->expected = expected;
    block(g, t);
    put(g, ")");
    g->simd = simd;
}

// Writes an arm. Returns whether it has a condition: then another arm may follow for its value.
static inline bool put_arm(Gen *g, const Type *t, int nvars, bool lanes)
{
    bool condition = chance(g, 25);
    if (condition) {
        put(g, " if ");
        expr(g, lanes && chance(g, 60) ? vector_type(g, SCALAR_BOOL) : scalar_type(SCALAR_BOOL));
    }
    put(g, " => ");
    block(g, t);
    put(g, "\n");
    g->nvars = nvars;
    return condition;
}

// Writes arms for the options of an enum. Returns whether some value may be left for which there is
// no arm.
static inline bool put_match_enum(Gen *g, const Type *of, const Type *t)
{
    bool open = false;
    for (int k = 0; k < of->n; k++) {
        int nvars = g->nvars;
        if (chance(g, 15)) {
            open = true;
            continue;
        }
        put_option_name(g, of, k);
        for (int i = 0; i < of->part[k]->n; i++)
            text_printf(g->out, "%sv%d", i ? ", " : "(",
                        new_var(g, of->part[k]->part[i], false)->number);
        if (of->part[k]->n) put(g, ")");
        open = put_arm(g, t, nvars, is_in_lanes(of)) || open;
    }
    return open;
}

static inline void put_match(Gen *g, const Type *t)
{
    g->expected = false;
    const Type *of = g->nenums ? g->enums[below(g, g->nenums)] : scalar_type(random_scalar(g));
    bool lanes = g->patterns == 0 && (t ? is_in_lanes(t) : g->lanes > 0) && chance(g, 60);
    int simd = g->simd;
    if (of->kind == K_SCALAR && is_float(of->scalar)) of = scalar_type(SCALAR_I32);
    if (lanes) of = in_lanes(g->arena, of, g->lanes);
    put(g, t ? "(match " : "match ");
    expr(g, of);
    put(g, " {\n");
    if (lanes) g->simd = g->lanes;
    bool truth = of->kind != K_ENUM && of->scalar == SCALAR_BOOL;
    bool open = of->kind != K_ENUM || put_match_enum(g, of, t);
    int arms = (lanes && open) + (truth ? 0 : below(g, 3));
    for (int i = of->kind == K_ENUM ? 0 : arms; i > 0; i--) {
        if (truth)
            put(g, chance(g, 50) ? "true" : "false");
        else
            text_printf(g->out, "%d", 3 * i + below(g, 3));
        put_arm(g, t, g->nvars, lanes);
    }
    if (open) {
        put(g, "_ => ");
        block(g, t);
    }
    put(g, t ? "\n})" : "\n}");
    g->simd = simd;
}

static inline void enter_loop(Gen *g, const Type *value, double times)
{
    if (g->simd && !g->ways.simd) g->ways = (Ways){.simd = true}; // lanes leave this loop only
    g->ways.loop = true;
    g->ways.loop_value = value;
    g->weight *= times;
}

// loop with a counter; its value is that of a break.
static inline void put_loop(Gen *g, const Type *t)
{
    g->expected = false;
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
    if (t->kind == K_UP_TO && !g->simd) return put_up_to(g, t);
    if (t->kind == K_ARRAY && chance(g, 15) && put_shaped_call(g, t)) return true;
    if (t->kind == K_ARRAY && chance(g, 20) && put_library(g, t)) return true;
    if (t->kind == K_ARRAY && !g->simd && chance(g, 85)) return put_array(g, t);
    return false;
}

static void put_expr(Gen *g, const Type *t)
{
    int choice = below(g, t->kind == K_SCALAR ? 50 : 30);
    bool leaf =
        g->budget <= 0 || g->depth > MOST_DEPTH || chance(g, 6 * g->depth) || t->kind == K_INDEX;
    if (leaf)
        put_leaf(g, t);
    else if (g->kernel && t->kind == K_SCALAR)
        kernel_expr(g, t, 2);
    else if (choice < 3 || (choice > 45 && any_index(g)))
        put_if(g, t);
    else if (choice == 3 && (!g->simd || is_in_lanes(t)))
        put_match(g, t);
    else if (g->simd && choice == 4 && g->patterns == 0)
        put_scalar_block(g, t);
    else if (choice == 4 && !g->pure && !g->simd && g->patterns < 2)
        put_loop(g, t);
    else if (choice == 5 && put_open_block(g, t))
        return;
    else if (choice < 7)
        block(g, t);
    else if (choice < 10 && put_call(g, t))
        return;
    else if (choice < 13 && !g->simd && put_folded(g, t))
        return;
    else if (!put_by_type(g, t))
        put_composed(g, t);
}

static void expr(Gen *g, const Type *t)
{
    if (t->kind != K_UP_TO) g->expected = false;
    bool part = t->kind != K_SCALAR && t->kind != K_INDEX && t->kind != K_VECTOR;
    g->budget--, g->depth++, g->parts += part;
    put_expr(g, t);
    g->expected = false;
    g->depth--, g->parts -= part;
}

// --- blocks ------------------------------------------------------------------------------------

static void block(Gen *g, const Type *t)
{
    int nvars = g->nvars;
    bool expected = take_expected(g);
    put(g, "{");
    if (g->depth <= MOST_DEPTH && g->budget > 4 && (t == NULL || chance(g, 40))) {
        put(g, "\n");
        for (int i = below(g, 3) + 1; i > 0; i--) statement(g);
    }
    put(g, t ? " " : "");
    g->expected = expected;
    if (t) expr(g, t);
    put(g, t ? " }" : "}");
    g->nvars = nvars;
}

static inline void put_let(Gen *g)
{
    const Type *t = random_type(g, 2);
    bool changes = !g->pure && chance(g, 45);
    put_let_of(g, ++g->names, t, changes);
}

static inline void put_pattern_name(Gen *g, int number, bool changes)
{
    text_printf(g->out, changes ? "mut v%d" : "v%d", number);
}

// Two names for a pair, or for the two arrays of an array of pairs.
static inline void put_let_pair(Gen *g)
{
    const Type *a = random_type(g, 1), *b = random_type(g, 1);
    bool unzip = chance(g, 50), first = !g->pure && chance(g, 40),
         second = !g->pure && chance(g, 40);
    int number = g->names + 1;
    g->names += 2;
    put(g, "let (");
    put_pattern_name(g, number, first);
    put(g, ", ");
    put_pattern_name(g, number + 1, second);
    put(g, ") = ");
    if (unzip) {
        Size s = random_size(g);
        a = random_element(g, 0), b = random_element(g, 0);
        put(g, "unzip(");
        put_array_expr(g, s, pair_of(g->arena, a, b));
        a = array_of(g->arena, s, a), b = array_of(g->arena, s, b);
    } else {
        expr(g, pair_of(g->arena, a, b));
    }
    put(g, unzip ? ");\n" : ";\n");
    new_var(g, a, first)->number = number;
    new_var(g, b, second)->number = number + 1;
}

// A variable that is a function, and two calls of it.
static inline void put_let_function(Gen *g)
{
    const Type *from = random_type(g, 1), *to = random_type(g, 1);
    int number = ++g->names;
    text_printf(g->out, "let v%d = ", number);
    put_lambda(g, size_const(2), from, NULL, to);
    for (int i = 0; i < 2; i++) {
        int value = ++g->names;
        text_printf(g->out, ";\nlet v%d: ", value);
        put_type_of(g, to);
        text_printf(g->out, " = v%d(", number);
        expr(g, from);
        put(g, ")");
        new_var(g, to, false)->number = value;
    }
    put(g, ";\n");
}

// A call of a function that changes one of its arguments.
static inline bool put_change(Gen *g)
{
    const Size own_sizes[] = {size_of(OF_N), size_of(OF_M)};
    int found = -1, seen = 0, n = g->nroutines + (g->inside_recursive && g->own_calls < 2);
    for (int i = 0; i < n; i++) {
        const Routine *r = &g->routines[i];
        bool here = r->simd ? g->patterns == 0 : !g->simd;
        bool own = i == g->nroutines;
        if (here && (!r->result || r->reference) && (below(g, ++seen) == 0 || own)) found = i;
    }
    if (found < 0 || g->weight > 60) return false;
    const Routine *r = &g->routines[found];
    const Var *v = find_var(g, r->params[0], true);
    if (!v) return false;
    int number = ++g->names;
    if (r->result) {
        text_printf(g->out, "let v%d: ", number);
        put_type_of(g, r->result);
        put(g, " = ");
    }
    put_routine_call_of(g, found, r->result, v, own_sizes);
    put(g, ";\n");
    if (r->result) new_var(g, r->result, false)->number = number;
    return true;
}

// Assigns part of an array at once.
static inline bool put_slice_assignment(Gen *g)
{
    const Type *t = array_of(g->arena, random_size(g), random_element(g, 0));
    const Var *v = find_var(g, t, true);
    int from = below(g, 3), least = size_least(g, t->size);
    if (!v || v->reference || least < from || from == 0) return false;
    put_place(g, v, t);
    text_printf(g->out, "[%d..", from);
    put_size_of(g, t->size);
    put(g, "] = ");
    put_array_expr(g, size_plus(t->size, -from), t->part[0]);
    put(g, ";\n");
    return true;
}

static inline bool put_assignment(Gen *g)
{
    static const char *const floats[] = {"=", "+=", "-=", "*="};
    static const char *const integers[] = {"=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>>="};
    const Var *v =
        g->nvars > g->barrier ? &g->vars[g->barrier + below(g, g->nvars - g->barrier)] : NULL;
    if (!v || !v->changes || v->hidden) return false;
    const Type *t = v->type;
    while (t->n && t->kind != K_ENUM && t->kind != K_UP_TO && chance(g, 70))
        t = t->part[below(g, t->n)];
    if (!reaches(g, v->type, t, 3)) t = v->type;
    if (g->simd && !is_in_lanes(t)) return false;
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
    int simd = g->simd;
    if ((g->simd && !w->simd) || (choice < 2 ? !w->loop : !w->result)) return false;
    put(g, "if ");
    put_condition(g, simd ? vector_type(g, SCALAR_BOOL) : scalar_type(SCALAR_BOOL));
    if (choice == 0) {
        put(g, " { break(");
        if (w->loop_value) expr(g, w->loop_value);
        put(g, ") }\n");
    } else if (choice == 1) {
        put(g, " { continue() }\n");
    } else {
        put(g, " { return(");
        g->expected = true;
        expr(g, w->result);
        put(g, ") }\n");
    }
    return true;
}

// Whether put_exit_call may be used.
static inline bool has_exit(const Gen *g)
{
    return !g->simd && (g->ways.loop || g->ways.result);
}

// Leaves the loop, the iteration, or the function.
static void put_exit_call(Gen *g)
{
    const Ways *w = &g->ways;
    int choice = below(g, 3);
    if (w->loop && (choice == 0 || !w->result)) {
        put(g, "break(");
        if (w->loop_value) expr(g, w->loop_value);
        put(g, ")");
    } else if (w->loop && choice == 1) {
        put(g, "continue()");
    } else {
        put(g, "return(");
        g->expected = true;
        expr(g, w->result);
        put(g, ")");
    }
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
    if (g->simd) g->ways = (Ways){0}; // the counter stays one for all lanes
    for (int i = below(g, 3) + 1; i > 0; i--) statement(g);
    put(g, "}\n");
    g->ways = ways;
    g->weight = weight;
    g->nvars = nvars;
}

// A loop over all or some of the indices of arrays of some size, or over any numbers.
static inline bool put_for(Gen *g)
{
    Ways ways = g->ways;
    double weight = g->weight;
    int nvars = g->nvars, number = ++g->names, first = below(g, 3);
    Size s = random_size(g);
    if (!affordable(g, s)) return false;
    bool known = chance(g, 20), any = chance(g, 20), every = !any && chance(g, 25);
    if (known) s = size_const(below(g, 5));
    text_printf(g->out, "for v%d in %s(", number,
                every                    ? "every"
                : known && chance(g, 60) ? "unroll"
                                         : "range");
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
        if (every) text_printf(g->out, ", %d", 1 + below(g, 3));
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

// A loop whose iterations may be done in any order: each writes its own element of one array,
// which no other reads.
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
    put(g, ") {\n");
    for (int i = below(g, 3); i > 0; i--) statement(g);
    for (int i = below(g, 2); i >= 0; i--) {
        bool condition = chance(g, 30), adds = is_number(written.type->part[0]) && chance(g, 30);
        if (condition) {
            put(g, "if ");
            expr(g, scalar_type(SCALAR_BOOL));
            put(g, " { ");
        }
        text_printf(g->out, "v%d[v%d] %s ", written.number, number, adds ? "+=" : "=");
        expr(g, written.type->part[0]);
        put(g, condition ? "; }\n" : ";\n");
    }
    put(g, "}\n");
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
    text_printf(g->out, " = undefined();\nfor v%d in range%s(0, ", index, index % 2 ? ".par" : "");
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

// A loop that lanes leave at different times.
static inline bool put_lane_while(Gen *g)
{
    if (!g->lanes || g->patterns) return false;
    int number = ++g->names, nvars = g->nvars;
    Ways ways = g->ways;
    double weight = g->weight;
    text_printf(g->out, "let mut v%d = 0i32;\nwhile (v%d < %di32) & ", number, number,
                1 + below(g, 5));
    int simd = g->simd;
    g->simd = g->lanes;
    put_truth(g, vector_type(g, SCALAR_BOOL));
    text_printf(g->out, " {\nv%d += 1i32;\n", number);
    g->weight *= 5;
    g->ways = (Ways){.loop = true, .simd = true, .result = ways.simd ? ways.result : NULL};
    for (int i = below(g, 3) + 1; i > 0; i--) statement(g);
    put(g, "}\n");
    g->simd = simd;
    g->weight = weight;
    g->ways = ways;
    g->nvars = nvars;
    return true;
}

// A task that writes an array, beside a statement that does not use the array.
static inline bool put_task(Gen *g)
{
    const Type *t = array_of(g->arena, random_size(g), scalar_type(random_scalar(g)));
    const Var *found = find_var(g, t, true);
    if (!found || !type_same(found->type, t) || g->simd || g->patterns || found->reference)
        return false;
    Var *v = &g->vars[found - g->vars];
    int task = ++g->names, index = g->names + 1;
    text_printf(g->out, "let v%d = spawn(|| {\nfor v%d in range(0, ", task, index);
    put_size_of(g, t->size);
    text_printf(g->out, ") { v%d[v%d] = ", v->number, index);
    Around around = enter_element(g, t->size);
    new_index(g, scalar_type(SCALAR_I64), t->size);
    v->hidden = true;
    expr(g, t->part[0]);
    leave_element(g, around);
    put(g, "; }\n});\n");
    int barrier = g->barrier;
    g->barrier = g->nvars;
    put_let(g);
    g->barrier = barrier;
    v->hidden = false;
    text_printf(g->out, "sync(v%d);\n", task);
    return true;
}

// A statement of SIMD mode, or one about lanes.
static inline bool put_lane_statement(Gen *g)
{
    if (g->pure || g->patterns) return false;
    switch (below(g, 5)) {
    case 0: return put_lane_while(g);
    case 1: return put_for_each_lane(g);
    case 2:
        if (!g->simd) return false;
        put_scalar_block(g, NULL);
        put(g, "\n");
        return true;
    case 3: return put_change(g);
    default:
        put_match(g, NULL);
        put(g, "\n");
        return true;
    }
}

static inline void put_copy(Gen *g, const Var *to, const Var *from, const Type *t)
{
    put_place(g, to, t);
    put(g, " = ");
    put_place(g, from, t);
    put(g, ";\n");
}

// (v, w) = (w, v);
static inline void put_both(Gen *g, const Var *v, const Var *w, const Type *t)
{
    const Var *order[4] = {v, w, w, v};
    static const char *const between[4] = {"(", ", ", ") = (", ", "};
    for (int i = 0; i < 4; i++) {
        put(g, between[i]);
        put_place(g, order[i], t);
    }
    put(g, ");\n");
}

// Copies of arrays whose source may be dead afterwards: two arrays are exchanged, or an array gets
// a new value through a name, and perhaps another array the old one.
static inline bool put_exchange(Gen *g)
{
    if (g->nvars <= g->barrier) return false;
    int chosen = g->barrier + below(g, g->nvars - g->barrier);
    if (!g->vars[chosen].changes || g->vars[chosen].hidden) return false;
    Var v = g->vars[chosen];
    if (v.type->kind != K_ARRAY) return false;
    const Var *found = find_var(g, v.type, true);
    bool other = found && found->number != v.number && chance(g, 70),
         swaps = other && chance(g, 50);
    Var w = found ? *found : v;
    if (swaps && chance(g, 50)) {
        put_both(g, &v, &w, v.type);
        return true;
    }
    int number = ++g->names;
    text_printf(g->out, "let v%d = ", number);
    if (swaps)
        put_place(g, &w, v.type);
    else
        expr(g, v.type);
    put(g, ";\n");
    Var name = *new_var(g, v.type, false);
    name.number = g->vars[g->nvars - 1].number = number;
    if (other) put_copy(g, &w, &v, v.type);
    put_copy(g, &v, &name, v.type);
    return true;
}

// A hint about an element of an array, which need not exist.
static inline bool put_prefetch(Gen *g)
{
    const Type *t = array_of(g->arena, random_size(g), scalar_type(random_scalar(g)));
    const Var *found = find_var(g, t, false);
    if (!found || found->type->kind != K_ARRAY || g->simd || g->patterns) return false;
    Var v = *found;
    put(g, "prefetch(&");
    put_place(g, &v, v.type);
    put(g, ", ");
    expr(g, scalar_type(SCALAR_I64));
    put(g, ");\n");
    return true;
}

static inline bool put_rare(Gen *g)
{
    switch (below(g, 9)) {
    case 7: return put_prefetch(g);
    case 6: return put_atomics(g);
    case 0: put_let_pair(g); return true;
    case 1: put_let_function(g); return true;
    case 2: return put_change(g);
    case 3: return put_slice_assignment(g);
    case 4:
    case 5: return put_exchange(g);
    default: return chance(g, 50) ? put_lane_while(g) : put_task(g);
    }
}

// A size, or something that relies on one.
static inline bool put_size_statement(Gen *g)
{
    switch (below(g, 8)) {
    case 0: return put_part_assignment(g);
    case 1:
        if (g->simd || g->pure) return false;
        put_guarded(g, NULL);
        return true;
    case 2: return put_guarded_exit(g);
    case 3:
    case 4: return put_sized_call(g) || put_open(g);
    default: return put_open(g);
    }
}

static void statement(Gen *g)
{
    int choice = below(g, 24);
    g->depth++, g->budget--;
    if (g->budget > 0 && g->depth < MOST_DEPTH && chance(g, 15) && put_size_statement(g))
        ;
    else if (choice >= 20 && g->depth < MOST_DEPTH && g->lanes && chance(g, 60) &&
             put_lane_statement(g))
        ;
    else if (choice >= 20 && !g->simd && g->depth < MOST_DEPTH && (!g->pure || choice < 22) &&
             put_rare(g))
        ;
    else if (choice < 5 || g->budget <= 0 || g->depth > MOST_DEPTH || (g->pure && !g->simd))
        put_let(g);
    else if (choice < 9 && put_assignment(g))
        ;
    else if (choice < 11)
        put_if_statement(g);
    else if (choice < 12)
        put_while(g);
    else if (choice < 15 && put_for(g))
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
