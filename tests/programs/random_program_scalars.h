// Scalars and vectors of random programs: operators, functions, conversions between all types,
// comparisons.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_SCALARS_H
#define ADZE_TESTS_RANDOM_PROGRAM_SCALARS_H

#include "programs/random_program_scope.h"

// A scalar of the type, or a vector of as many lanes as `like` has.
static inline const Type *as_wide(Gen *g, const Type *like, Scalar s)
{
    return is_in_lanes(like) ? vector_type(g, s) : scalar_type(s);
}

// The second operand: for vectors sometimes a scalar.
static inline void second(Gen *g, const Type *t)
{
    expr(g, t->kind == K_VECTOR && chance(g, 30) ? scalar_type(t->scalar) : t);
}

static inline void put_binary(Gen *g, const Type *t, const char *operator)
{
    put(g, "(");
    expr(g, t);
    text_printf(g->out, " %s ", operator);
    second(g, t);
    put(g, ")");
}

static inline void put_call_2(Gen *g, const Type *t, const char *function)
{
    text_printf(g->out, "%s(", function);
    expr(g, t);
    put(g, ", ");
    second(g, t);
    put(g, ")");
}

// A conversion from any scalar type. Those of vectors are calls.
static inline void put_cast(Gen *g, const Type *t)
{
    const Type *from = as_wide(g, t, random_scalar(g));
    bool call = t->kind == K_VECTOR || chance(g, 70);
    text_printf(g->out, call ? "%s(" : "(", scalar_info[t->scalar].text);
    expr(g, from);
    if (!call) text_printf(g->out, " as %s", scalar_info[t->scalar].text);
    put(g, ")");
}

static inline void put_division(Gen *g, const Type *t)
{
    text_printf(g->out, "(");
    expr(g, t);
    put(g, chance(g, 50) ? " / (" : " % (");
    second(g, t);
    if (!may_fail(g) || chance(g, 60)) text_printf(g->out, " | 1%s", scalar_info[t->scalar].text);
    put(g, "))");
}

static inline void put_unary_float(Gen *g, const Type *t)
{
    static const char *const exact[] = {"sqrt", "floor", "ceil", "round", "trunc", "abs", "-"};
    static const char *const others[] = {"exp", "exp2", "log", "sin", "cos", "tanh", "atan", "erf"};
    bool other = g->inexact && chance(g, 30);
    text_printf(g->out, "(%s(", other ? PICK(g, others) : PICK(g, exact));
    expr(g, t);
    put(g, "))");
}

static inline void put_float_operation(Gen *g, const Type *t)
{
    static const char *const operators[] = {"+", "-", "*", "+", "-", "*", "/", "%"};
    static const char *const functions[] = {"min", "max"};
    int choice = below(g, 20);
    if (choice < 11) {
        put_binary(g, t, PICK(g, operators));
    } else if (choice < 14) {
        put_call_2(g, t, PICK(g, functions));
    } else if (choice < 17) {
        put_unary_float(g, t);
    } else if (choice < 18) {
        put(g, "fma(");
        expr(g, t);
        put(g, ", ");
        expr(g, t);
        put(g, ", ");
        expr(g, t);
        put(g, ")");
    } else {
        put_cast(g, t);
    }
}

static inline void put_integer_operation(Gen *g, const Type *t)
{
    static const char *const operators[] = {"+", "-", "*", "+", "-", "&", "|", "^", "<<", ">>>"};
    static const char *const functions[] = {"min", "max"};
    int choice = below(g, 20);
    if (choice < 11) {
        put_binary(g, t, PICK(g, operators));
    } else if (choice < 13) {
        put_division(g, t);
    } else if (choice < 15) {
        put_call_2(g, t, PICK(g, functions));
    } else if (choice < 16) {
        bool negated = scalar_info[t->scalar].class == CLASS_INT && chance(g, 50);
        text_printf(g->out, "(%s(", chance(g, 50) ? "abs" : negated ? "-" : "!");
        expr(g, t);
        put(g, "))");
    } else {
        put_cast(g, t);
    }
}

static inline void put_comparison(Gen *g, const Type *t)
{
    static const char *const relations[] = {"<", "<=", "==", "!=", ">", ">="};
    Scalar s = random_scalar(g);
    const char *relation = s == SCALAR_BOOL ? relations[2 + below(g, 2)] : PICK(g, relations);
    put_binary(g, as_wide(g, t, s), relation);
}

static inline bool comparable(const Type *t)
{
    if (t->kind == K_ENUM || t->kind == K_VECTOR || t->kind == K_INDEX) return false;
    for (int i = 0; i < t->n; i++)
        if (!comparable(t->part[i])) return false;
    return true;
}

// On vectors && and || make lanes diverge: only some of them evaluate the right operand.
static inline void put_logic(Gen *g, const Type *t)
{
    static const char *const operators[] = {"&", "|", "^", "==", "!="};
    bool lazy = chance(g, 60) && (t->kind != K_VECTOR || !g->simd);
    int simd = g->simd;
    if (!lazy) {
        put_binary(g, t, PICK(g, operators));
        return;
    }
    put(g, "(");
    expr(g, t);
    put(g, chance(g, 50) ? " && " : " || ");
    if (t->kind == K_VECTOR) g->simd = t->lanes;
    expr(g, t);
    g->simd = simd;
    put(g, ")");
}

static inline void put_truth(Gen *g, const Type *t)
{
    int choice = below(g, 20);
    const Type *compared = random_type(g, 1);
    if (choice < 10) {
        put_comparison(g, t);
    } else if (choice < 14) {
        put_logic(g, t);
    } else if (choice < 16) {
        put(g, "(!(");
        expr(g, t);
        put(g, "))");
    } else if (choice < 17 && t->kind == K_SCALAR && comparable(compared) && !g->simd) {
        put_binary(g, compared, chance(g, 60) ? "==" : "!=");
    } else if (choice < 18 && t->kind == K_SCALAR && g->lanes && !g->simd) {
        put(g, chance(g, 50) ? "any(" : "all(");
        expr(g, vector_type(g, SCALAR_BOOL));
        put(g, ")");
    } else {
        put_cast(g, t);
    }
}

// An element of an array for each lane.
static inline bool put_gather(Gen *g, const Type *t)
{
    const Type *array = array_of(g->arena, random_size(g), scalar_type(t->scalar));
    const Var *v = find_var(g, array, false);
    if (!v || size_least(g, array->size) <= 0) return false;
    put_place(g, v, array);
    put(g, "[((");
    expr(g, as_wide(g, t, SCALAR_I64));
    put(g, ") & 255) % (");
    put_size_of(g, array->size);
    put(g, ")]");
    return true;
}

static inline void put_lane_numbers(Gen *g)
{
    if (g->any_lanes)
        put(g, "lanes[l]()");
    else
        text_printf(g->out, "lanes[%d]()", g->lanes);
}

// Operations that only vectors have. Those between lanes are not written where lanes may diverge.
static inline void put_vector_operation(Gen *g, const Type *t)
{
    const Type *mask = as_wide(g, t, SCALAR_BOOL), *at = as_wide(g, t, SCALAR_I64);
    int choice = below(g, g->simd ? 3 : 7);
    if (chance(g, 25) && put_gather(g, t)) return;
    if (choice == 1 && t->scalar == SCALAR_I64) {
        put_lane_numbers(g);
    } else if (choice < 2) {
        put(g, "select(");
        expr(g, mask);
        put(g, ", ");
        expr(g, t);
        put(g, ", ");
        second(g, t);
        put(g, ")");
    } else if (choice == 2) {
        put(g, "insert(");
        expr(g, t);
        text_printf(g->out, ", %d, ", below(g, t->lanes));
        expr(g, scalar_type(t->scalar));
        put(g, ")");
    } else if (choice < 5) {
        put(g, "shuffle(");
        expr(g, t);
        put(g, ", ");
        if (chance(g, 50))
            put_lane_numbers(g),
                text_printf(g->out, " %s %d)", chance(g, 50) ? "+" : "^", below(g, t->lanes));
        else
            expr(g, at), put(g, ")");
    } else {
        put(g, choice == 5 ? "compress(" : "expand(");
        expr(g, t);
        put(g, ", ");
        expr(g, mask);
        put(g, ")");
    }
}

// A scalar from a vector.
static inline bool put_of_vector(Gen *g, const Type *t)
{
    if (!g->lanes || g->simd || t->kind != K_SCALAR || !chance(g, 12)) return false;
    if (t->scalar == SCALAR_I64 && chance(g, 40)) {
        put(g, "count(");
        expr(g, vector_type(g, SCALAR_BOOL));
        put(g, ")");
    } else {
        put(g, "extract(");
        expr(g, vector_type(g, t->scalar));
        text_printf(g->out, ", %d)", below(g, g->lanes));
    }
    return true;
}

/// Something that is computed: a scalar or a vector.
static inline void put_operation(Gen *g, const Type *t)
{
    if (t->kind == K_VECTOR && chance(g, 20))
        put_vector_operation(g, t);
    else if (put_of_vector(g, t))
        return;
    else if (t->scalar == SCALAR_BOOL)
        put_truth(g, t);
    else if (is_float(t->scalar))
        put_float_operation(g, t);
    else
        put_integer_operation(g, t);
}

#endif
