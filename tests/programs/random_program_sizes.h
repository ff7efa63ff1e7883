// Guards on sizes in random programs, sizes that they compute, and arrays of bounded length, [?n]t.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_SIZES_H
#define ADZE_TESTS_RANDOM_PROGRAM_SIZES_H

#include "programs/random_program_arrays.h"

static void block(Gen *g, const Type *t);
static inline bool put_exit(Gen *g);
static void put_exit_call(Gen *g);
static inline bool has_exit(const Gen *g);

// --- guards ------------------------------------------------------------------------------------

/// A random condition on a size, as a fact.
static inline Fact random_fact(Gen *g)
{
    const Var *v = chance(g, 70) ? random_opened(g) : NULL;
    Fact f = {.of = v ? v->number : chance(g, 50) ? OF_N : OF_M};
    f.most = random_size(g);
    int kind = size_same(f.most, size_of(f.of)) ? 0 : below(g, 5);
    if (kind < 2) {
        f.least = atom_least(g, f.of) + 1 + below(g, 5);
        return f;
    }
    f.bounded = true;
    f.equal = kind == 4;
    if (f.equal) f.least = size_least(g, f.most);
    return f;
}

static inline void put_fact(Gen *g, const Fact *f, bool holds)
{
    put_size_of(g, size_of(f->of));
    if (!f->bounded) {
        text_printf(g->out, holds ? " >= %d" : " < %d", f->least);
        return;
    }
    put(g, f->equal ? holds ? " == " : " != " : holds ? " <= " : " > ");
    put_size_of(g, f->most);
}

static inline void under(Gen *g, const Fact *f, const Type *t, bool expected)
{
    int nvars = g->nvars;
    g->expected = expected;
    if (f) new_fact(g, *f);
    block(g, t);
    g->nvars = nvars;
}

static inline void put_guarded_match(Gen *g, const Fact *f, const Type *t)
{
    bool expected = take_expected(g);
    bool size = !f->bounded && chance(g, 60);
    put(g, "match ");
    if (size)
        put_size_of(g, size_of(f->of));
    else
        put_fact(g, f, true);
    text_printf(g->out, size ? " { v%d if v%d >= %d => " : " { true => ", g->names + 1,
                g->names + 1, f->least);
    g->names++;
    under(g, f, t, expected);
    put(g, size ? "\n_ => " : "\nfalse => ");
    under(g, NULL, t, expected);
    put(g, "\n}");
}

// if !c || d { } else { }, or if c && d { } else { }
static inline void put_guarded_if(Gen *g, const Fact *f, const Type *t)
{
    bool expected = take_expected(g);
    bool other = chance(g, 30), turned = chance(g, 30);
    put(g, "if ");
    put_fact(g, f, !turned);
    if (other) {
        put(g, turned ? " || " : " && ");
        expr(g, scalar_type(SCALAR_BOOL));
    }
    put(g, " ");
    under(g, turned ? NULL : f, t, expected);
    if (!t && !turned && chance(g, 50)) return;
    put(g, " else ");
    under(g, turned ? f : NULL, t, expected);
}

// let short = n < 4; if short { } else { }
static inline void put_named_guard(Gen *g, const Fact *f, const Type *t)
{
    bool expected = take_expected(g);
    int name = ++g->names;
    text_printf(g->out, "{ let v%d = ", name);
    put_fact(g, f, false);
    text_printf(g->out, "; if v%d ", name);
    under(g, NULL, t, expected);
    put(g, " else ");
    under(g, f, t, expected);
    put(g, " }");
}

/// Branches, one of which relies on a fact about a size; `t` NULL: they have no value.
static inline void put_guarded(Gen *g, const Type *t)
{
    Fact f = random_fact(g);
    int choice = below(g, 10);
    if (t) put(g, "(");
    if (choice < 2)
        put_guarded_match(g, &f, t);
    else if (choice < 3)
        put_named_guard(g, &f, t);
    else
        put_guarded_if(g, &f, t);
    put(g, t ? ")" : "\n");
}

// Leaves the block unless a fact about sizes holds, on which the code after it then relies.
static inline bool put_guarded_exit(Gen *g)
{
    Fact f = random_fact(g);
    if (!has_exit(g)) return false;
    put(g, "if ");
    put_fact(g, &f, false);
    put(g, " { ");
    put_exit_call(g);
    put(g, " }\n");
    new_fact(g, f);
    return true;
}

// --- arrays of a size about which something is known -------------------------------------------

// A random fact that bounds a size or, with `equal`, says that it equals another.
static inline const Fact *find_bound(Gen *g, bool equal)
{
    const Fact *found = NULL;
    int seen = 0;
    for (int i = 0; i < g->nvars; i++) {
        const Fact *f = &g->vars[i].fact;
        if (f->bounded && (!equal || f->equal) && below(g, ++seen) == 0) found = f;
    }
    return found;
}

static inline void put_part(Gen *g, const char *function, Size s, Size whole, const Type *element)
{
    text_printf(g->out, "%s[", function);
    put_size_of(g, s);
    put(g, "](");
    put_array_expr(g, whole, element);
    put(g, ")");
}

static inline void put_slice(Gen *g, Size whole, const Type *element, const Size *from,
                             const Size *to)
{
    put(g, "(");
    put_array_expr(g, whole, element);
    put(g, ")[");
    if (from) put_size_of(g, *from);
    put(g, "..");
    if (to) put_size_of(g, *to);
    put(g, "]");
}

// The first or the last elements of an array that has enough of them by a bound, or both,
// concatenated.
static inline bool put_parts_by_bound(Gen *g, const Type *t)
{
    const Fact *found = find_bound(g, false);
    Size of, rest;
    if (!found || !affordable(g, found->most)) return false;
    Fact f = *found;
    of = size_of(f.of);
    if (!size_add(f.most, -1, of, &rest)) return false;
    if (size_same(t->size, of)) {
        switch (below(g, 3)) {
        case 0: put_part(g, "take", of, f.most, t->part[0]); break;
        case 1: put_part(g, "drop", rest, f.most, t->part[0]); break;
        default: put_slice(g, f.most, t->part[0], NULL, &of); break;
        }
    } else if (size_same(t->size, rest)) {
        if (chance(g, 50))
            put_part(g, "drop", of, f.most, t->part[0]);
        else
            put_slice(g, f.most, t->part[0], &of, NULL);
    } else if (size_same(t->size, f.most)) {
        put(g, "(");
        put_part(g, "take", of, f.most, t->part[0]);
        put(g, " ++ ");
        put_part(g, "drop", of, f.most, t->part[0]);
        put(g, ")");
    } else {
        return false;
    }
    return true;
}

// An array whose size is written differently, but known to be equal here.
static inline bool put_equal(Gen *g, const Type *t)
{
    const Fact *f = find_bound(g, true);
    Size of, other;
    int number = ++g->names;
    if (!f || !affordable(g, f->most)) return false;
    of = size_of(f->of);
    bool one = size_same(t->size, of), two = size_same(t->size, f->most);
    if (!one && !two) return false;
    other = one ? f->most : of;
    text_printf(g->out, "{ let v%d: ", number);
    put_type_of(g, t);
    put(g, " = ");
    put_array_expr(g, other, t->part[0]);
    text_printf(g->out, "; v%d }", number);
    return true;
}

// Whether a comparison may say that the size is a multiple of `by`; of a difference it may not.
static inline bool may_divide(Size s, int by)
{
    bool some = s.c % by == 0;
    for (int i = 0; i < ATOMS; i++) {
        if (s.k[i] < 0 || s.c < 0) return false;
        some = some || s.k[i] % by;
    }
    return some;
}

// if n % 2 == 0 { .. |> split[2] |> .. |> join } else { .. }
static inline void put_divided(Gen *g, const Type *t)
{
    int by = 2 + below(g, 2), number = ++g->names;
    if (!may_divide(t->size, by)) by = 1;
    const Type *row = array_of(g->arena, size_const(by), t->part[0]);
    text_printf(g->out, "{ let v%d: ", number);
    put_type_of(g, t);
    put(g, " = if (");
    put_size_of(g, t->size);
    text_printf(g->out, ") %% %d == 0 { join(map(", by);
    put_lambda(g, t->size, row, NULL, row);
    text_printf(g->out, ", split[%d](", by);
    expr(g, t);
    put(g, "))) } else { ");
    expr(g, t);
    text_printf(g->out, " }; v%d }", number);
}

// An array of two halves, each of them taken from another array.
static inline void put_halves(Gen *g, const Type *t)
{
    static const char *const parts[] = {"(take[(", " ++ drop[("};
    for (int i = 0; i < 2; i++) {
        put(g, parts[i]);
        put_size_of(g, t->size);
        put(g, ") / 2](");
        expr(g, t);
        put(g, ")");
    }
    put(g, ")");
}

/// An array that relies on what is known of sizes. Always true.
static inline bool put_sized(Gen *g, const Type *t)
{
    if (put_parts_by_bound(g, t) || (chance(g, 60) && put_equal(g, t))) return true;
    switch (below(g, 4)) {
    case 0: put_divided(g, t); return true;
    case 1: put_halves(g, t); return true;
    default: put_guarded(g, t); return true;
    }
}

// --- sizes that are computed -------------------------------------------------------------------

// The variable is a size from here on, at most `most` if that is not NULL.
static inline Var *new_size(Gen *g, int number, const Size *most)
{
    Var *v = new_var(g, scalar_type(SCALAR_I64), false);
    v->number = number;
    v->opened = g->opens = true;
    v->fact = (Fact){.of = number, .bounded = most != NULL};
    if (most) v->fact.most = *most;
    return v;
}

static inline const Var *random_index_variable(Gen *g)
{
    const Var *found = NULL;
    int seen = 0;
    for (int i = 0; i < g->nvars; i++) {
        const Var *v = &g->vars[i];
        if (v->below && !v->hidden && v->type->kind == K_INDEX && below(g, ++seen) == 0) found = v;
    }
    return found;
}

// A small integer; now and then it may be negative, where the program may fail.
static inline void put_small_integer(Gen *g)
{
    static const Scalar integers[] = {SCALAR_I8, SCALAR_I16, SCALAR_I32, SCALAR_I64,
                                      SCALAR_U8, SCALAR_U16, SCALAR_U32};
    Scalar s = chance(g, 30) ? SCALAR_I64 : integers[below(g, 7)];
    const char *name = scalar_info[s].text;
    bool negative = may_fail(g) && scalar_info[s].class == CLASS_INT && chance(g, 40);
    put(g, "((");
    expr(g, scalar_type(s));
    text_printf(g->out, ") & %d%s)", chance(g, 70) ? 7 : 3, name);
    if (negative) text_printf(g->out, " - 1%s", name);
}

// The condition and the array of a call.
static inline void put_condition_and_array(Gen *g, Size s, const Type *element)
{
    put_lambda(g, s, element, NULL, scalar_type(SCALAR_BOOL));
    put(g, ", ");
    put_array_expr(g, s, element);
    put(g, ")");
}

// How many elements fulfil a condition.
static inline void put_number_of(Gen *g)
{
    Size s = random_size(g);
    put(g, "reduce(+, 0i64, map(|x: bool| i64(x), map(");
    put_condition_and_array(g, s, random_element(g, 0));
    put(g, "))");
}

/// How a size is related to another.
typedef enum { IS_FREE, IS_BOUNDED, IS_EQUAL } Bound;

// The value of a size, and its bound, *most.
static inline Bound put_size_value(Gen *g, Size *most)
{
    const Var *v = random_index_variable(g);
    int choice = below(g, 12);
    if (v && choice < 4) {
        *most = size_plus(v->limit, -1);
        text_printf(g->out, "v%d", v->number);
        return IS_BOUNDED;
    }
    if (choice < 6) {
        *most = random_size(g);
        put(g, "(");
        put_index(g, size_plus(*most, 1));
        put(g, ") as idx[");
        put_size_of(g, size_plus(*most, 1));
        put(g, "]");
        return IS_BOUNDED;
    }
    if (choice < 9) {
        put_small_integer(g);
    } else if (choice < 10) {
        text_printf(g->out, "%di64", below(g, 5));
    } else if (choice < 11) {
        *most = random_size(g);
        put_size_of(g, *most);
        return IS_EQUAL;
    } else {
        put_number_of(g);
    }
    return IS_FREE;
}

/// let k: nat = ..;
static inline void put_size_let(Gen *g)
{
    int number = ++g->names;
    Size most;
    text_printf(g->out, "let v%d: nat = ", number);
    Bound bound = put_size_value(g, &most);
    put(g, ";\n");
    new_size(g, number, bound ? &most : NULL)->fact.equal = bound == IS_EQUAL;
}

// let (number, all) = partition(..); let k: nat = number;
static inline void put_partition(Gen *g, Size s, const Type *element)
{
    int number = ++g->names, all = ++g->names, size = ++g->names;
    text_printf(g->out, "let (v%d, v%d) = partition(", number, all);
    put_condition_and_array(g, s, element);
    text_printf(g->out, ";\nlet v%d: nat = v%d;\n", size, number);
    new_var(g, array_of(g->arena, s, element), false)->number = all;
    new_size(g, size, &s);
}

// --- at most so many elements ------------------------------------------------------------------

// A call whose type is [?n]t: of unique, or of chosen.
static inline void put_kept(Gen *g, Size s, const Type *element)
{
    bool sorted = is_number(element) && chance(g, 15);
    put(g, sorted ? "unique(" : "chosen(");
    if (!sorted) {
        put_condition_and_array(g, s, element);
        return;
    }
    put_array_expr(g, s, element);
    put(g, ")");
}

static inline void put_positions(Gen *g, Size s)
{
    put(g, "positions(");
    put_condition_and_array(g, s, random_element(g, 0));
}

// UpTo { count: .., elements: .. }
static inline void put_counted(Gen *g, const Type *t)
{
    put(g, "(UpTo { count: (");
    put_index(g, size_plus(t->size, 1));
    put(g, ") as idx[");
    put_size_of(g, size_plus(t->size, 1));
    put(g, "], elements: ");
    put_array_expr(g, t->size, t->part[0]);
    put(g, " })");
}

static inline Size shorter_size(Gen *g, Size s)
{
    const Var *v = random_opened(g);
    int least = size_least(g, s);
    if (v && v->fact.bounded && size_same(v->fact.most, s) && chance(g, 70))
        return size_opened(v->number);
    if (chance(g, 40) && least > 0)
        return chance(g, 50) ? size_const(below(g, least + 1)) : size_plus(s, -1);
    return s;
}

// At most three elements, or a variable.
static inline void put_few(Gen *g, const Type *t)
{
    int least = size_least(g, t->size), n = least < 0 ? 0 : below(g, least + 1);
    const Type *array = array_of(g->arena, t->size, t->part[0]);
    const Var *v = find_var(g, array, false);
    if (v && chance(g, 70)) {
        put_place(g, v, array);
        return;
    }
    put(g, "[");
    for (int i = 0; i < n && i < 3; i++) {
        if (i) put(g, ", ");
        expr(g, t->part[0]);
    }
    put(g, "]");
}

// An array that is converted to a [?n]t: it has as many elements, or fewer.
static inline void put_shorter(Gen *g, const Type *t, bool brief)
{
    bool expected = take_expected(g);
    int number = ++g->names;
    if (!expected) {
        text_printf(g->out, "{ let v%d: ", number);
        put_type_of(g, t);
        put(g, " = ");
    }
    if (brief)
        put_few(g, t);
    else
        put_array_expr(g, shorter_size(g, t->size), t->part[0]);
    if (!expected) text_printf(g->out, "; v%d }", number);
}

// The pattern (k, ys), which names the length and the elements of a [?n]t.
static inline void put_opening(Gen *g, int first, bool changes)
{
    text_printf(g->out, "let (v%d, %sv%d) = ", first, changes ? "mut " : "", first + 1);
}

static inline void new_opened(Gen *g, int first, Size most, const Type *element, bool changes)
{
    new_size(g, first, &most);
    new_var(g, array_of(g->arena, size_opened(first), element), changes)->number = first + 1;
}

/// let (k, ys) = ..;
static inline void put_open_up_to(Gen *g, Size s)
{
    const Type *element = random_element(g, chance(g, 20));
    int first = g->names + 1, choice = below(g, 10), value = 0;
    bool changes = !g->pure && chance(g, 30);
    g->names += 2;
    if (choice < 4) {
        value = ++g->names;
        put_let_of(g, value, up_to_of(g->arena, s, element), false);
    }
    put_opening(g, first, changes);
    if (value) {
        text_printf(g->out, "v%d", value);
    } else if (choice < 6) {
        element = type_new(g->arena, (Type){.kind = K_INDEX, .size = s});
        put_positions(g, s);
    } else {
        put_kept(g, s, element);
    }
    put(g, ";\n");
    new_opened(g, first, s, element, changes);
}

/// A statement that makes a size for the rest of its block; false where none fits.
static inline bool put_open(Gen *g)
{
    Size s = random_size(g);
    if (g->simd || !affordable(g, s) || g->weight > MOST_WEIGHT / 8) return false;
    int choice = below(g, 20);
    if (choice < 9)
        put_size_let(g);
    else if (choice < 11)
        put_partition(g, s, random_element(g, 0));
    else
        put_open_up_to(g, s);
    return true;
}

/// A block that starts with the definition of a size. The value after it may be an array of this
/// size, which is converted to a [?n]t.
static inline bool put_open_block(Gen *g, const Type *t)
{
    int nvars = g->nvars;
    bool array = t->kind == K_UP_TO && chance(g, 60), expected = take_expected(g);
    Size s = array ? t->size : random_size(g);
    if (g->simd || !affordable(g, s) || g->weight > MOST_WEIGHT / 8) return false;
    put(g, "({\n");
    if (!array && chance(g, 50))
        put_size_let(g);
    else
        put_open_up_to(g, s);
    g->expected = expected;
    if (array)
        put_array_expr(g, size_opened(g->vars[g->nvars - 2].number), t->part[0]);
    else
        expr(g, t);
    put(g, "\n})");
    g->nvars = nvars;
    return true;
}

// Assigns the first elements of an array, or the others.
static inline bool put_part_assignment(Gen *g)
{
    const Fact *found = find_bound(g, false);
    Size rest;
    if (!found || g->simd || !affordable(g, found->most)) return false;
    Fact f = *found;
    const Type *t = array_of(g->arena, f.most, random_element(g, 0));
    const Var *v = find_var(g, t, true);
    bool first = chance(g, 50);
    if (!v || v->reference || !size_add(f.most, -1, size_of(f.of), &rest)) return false;
    put_place(g, v, t);
    put(g, first ? "[.." : "[");
    put_size_of(g, size_of(f.of));
    put(g, first ? "] = " : "..] = ");
    put_array_expr(g, first ? size_of(f.of) : rest, t->part[0]);
    put(g, ";\n");
    return true;
}

/// A [?n]t that is made of other values.
static inline bool put_up_to(Gen *g, const Type *t)
{
    int choice = below(g, 12);
    if (!affordable(g, t->size)) return false;
    if (choice < 4 || (choice >= 8 && choice < 9)) g->expected = false;
    if (choice < 4 && t->part[0]->kind != K_INDEX)
        put_kept(g, t->size, t->part[0]);
    else if (choice < 8)
        put_shorter(g, t, false);
    else if (choice < 9)
        put_counted(g, t);
    else if (choice < 11)
        return put_open_block(g, t);
    else
        put_guarded(g, t);
    return true;
}

#endif
