// Random entries of Loop IR, as text: locals that change, loops that are left, guards, checked
// indices, calls. They are well-formed; they may fail, and may not end.
#ifndef TESTS_LOOPS_RANDOM_PROGRAM_H
#define TESTS_LOOPS_RANDOM_PROGRAM_H

#include "loops/programs.h"
#include "this_cc.h"

typedef struct {
    Text *out;
    unsigned seed;
    int names; // made so far
    int depth;
    VEC(const char *) longs, labels; // immutable i64 names and labels in scope
    Arena *arena;
} Maker;

static inline int below(Maker *m, int n)
{
    return (int)((unsigned)rand_r(&m->seed) % (unsigned)n);
}

static inline const char *fresh(Maker *m, const char *stem)
{
    return arena_printf(m->arena, "%s%d", stem, m->names++);
}

static inline const char *one_of(Maker *m, const char *const *texts, int n)
{
    return texts[below(m, n)];
}

#define ONE_OF(m, texts) one_of(m, texts, (int)(sizeof(texts) / sizeof *(texts)))

static inline void put_long(Maker *m, int depth)
{
    static const char *const locals[] = {"x", "y", "z"};
    static const char *const literals[] = {"0i64", "1i64",  "2i64",
                                           "7i64", "-1i64", "9223372036854775807i64"};
    static const char *const operators[] = {"+", "-", "*", "min", "max", "+", "-"};
    int choice = below(m, depth > 0 ? 8 : 5);
    if (choice == 0)
        text_put(m->out, ONE_OF(m, literals));
    else if (choice == 1 && m->longs.len)
        text_printf(m->out, "(size %s)", m->longs.at[below(m, m->longs.len)]);
    else if (choice == 2)
        text_put(m->out, "(size n)");
    else if (choice <= 4)
        text_put(m->out, ONE_OF(m, locals));
    else {
        text_printf(m->out, "(%s ", ONE_OF(m, operators));
        put_long(m, depth - 1);
        text_char(m->out, ' ');
        if (below(m, 2))
            text_put(m->out, ONE_OF(m, literals));
        else
            put_long(m, depth - 1);
        text_char(m->out, ')');
    }
}

static inline void put_int(Maker *m, int depth)
{
    static const char *const simple[] = {"p", "q", "0", "1", "3", "-5"};
    static const char *const operators[] = {"+", "-", "*", "max"};
    if (depth == 0 || below(m, 2)) {
        text_put(m->out, ONE_OF(m, simple));
        return;
    }
    text_printf(m->out, "(%s ", ONE_OF(m, operators));
    put_int(m, depth - 1);
    text_char(m->out, ' ');
    put_int(m, depth - 1);
    text_char(m->out, ')');
}

static inline void put_condition(Maker *m, int depth)
{
    static const char *const comparisons[] = {"<", "<=", ">", ">=", "==", "!="};
    int choice = below(m, depth > 0 ? 6 : 3);
    if (choice == 0) {
        text_printf(m->out, "(%s ", ONE_OF(m, comparisons));
        put_int(m, 1);
        text_char(m->out, ' ');
        put_int(m, 1);
    } else if (choice <= 3) {
        text_printf(m->out, "(%s ", ONE_OF(m, comparisons));
        put_long(m, 1);
        text_char(m->out, ' ');
        put_long(m, 1);
    } else {
        static const char *const heads[] = {"(& ", "(| ", "(? "};
        int k = below(m, 3);
        text_put(m->out, heads[k]);
        put_condition(m, depth - 1);
        text_char(m->out, ' ');
        put_condition(m, depth - 1);
        if (k == 2) text_put(m->out, below(m, 2) ? " false" : " true");
    }
    text_char(m->out, ')');
}

static inline void put_statements(Maker *m, int n);

static inline void put_block(Maker *m, int n)
{
    int longs = m->longs.len;
    text_put(m->out, "(block");
    m->depth++;
    put_statements(m, n);
    m->depth--;
    m->longs.len = longs;
    text_put(m->out, ")");
}

// decl k i64 <x>; require 0 <= k < 8 (or n): an element of t (or a), read or written.
static inline void put_access(Maker *m)
{
    static const char *const locals[] = {"x", "y", "z"};
    const char *k = fresh(m, "k"), *local = ONE_OF(m, locals);
    bool input = below(m, 2), checked = below(m, 4) > 0;
    const char *count = input ? "(size n)" : "8i64";
    text_printf(m->out, " (decl %s i64 %s)", k, local);
    vec_push(m->arena, &m->longs, k);
    if (checked)
        text_printf(m->out, " (require E0601 (& (<= 0i64 (size %s)) (< (size %s) %s)))", k, k,
                    count);
    else
        text_printf(m->out, " (branch (& (<= 0i64 (size %s)) (< (size %s) %s)) (block", k, k,
                    count);
    if (input) {
        text_printf(m->out, " (set p (+ p (load a %s)))", k);
    } else if (below(m, 2)) {
        const char *v = fresh(m, "v");
        text_printf(m->out, " (decl %s i32 (load t %s)) (store t %s (+ %s q)) (set q (- q %s))", v,
                    k, k, v, below(m, 2) ? v : "1");
    } else {
        text_printf(m->out, " (store t %s ", k);
        put_int(m, 1);
        text_char(m->out, ')');
    }
    if (!checked) text_put(m->out, ") (block))");
}

// while x < bound { .. x += step }, mostly.
static inline void put_while(Maker *m)
{
    static const char *const locals[] = {"x", "y", "z"};
    static const char *const bounds[] = {"(size n)", "5i64", "8i64", "y"};
    const char *leave = fresh(m, "brk"), *again = fresh(m, "cont"), *x = ONE_OF(m, locals);
    bool continues = below(m, 2);
    if (below(m, 3)) text_printf(m->out, " (set %s 0i64)", x);
    text_printf(m->out, " (target %s (loop_forever", leave);
    vec_push(m->arena, &m->labels, leave);
    text_put(m->out, " (block");
    if (continues) {
        text_printf(m->out, " (target %s", again);
        vec_push(m->arena, &m->labels, again);
    }
    text_printf(m->out, " (branch (< %s %s) ", x, ONE_OF(m, bounds));
    put_block(m, 2);
    text_printf(m->out, " (block (goto %s)))", leave);
    if (continues) {
        m->labels.len--;
        text_char(m->out, ')');
    }
    if (below(m, 4)) text_printf(m->out, " (set %s (+ %s %di64))", x, x, 1 + below(m, 2));
    m->labels.len--;
    text_put(m->out, ")))");
}

static inline void put_for(Maker *m)
{
    const char *i = fresh(m, "i");
    static const char *const bounds[] = {"n", "5", "8", "(n + 1)"};
    text_printf(m->out, " (loop %s %d %s ", i, below(m, 2), ONE_OF(m, bounds));
    vec_push(m->arena, &m->longs, i);
    put_block(m, 2);
    m->longs.len--;
    text_char(m->out, ')');
}

static inline void put_call(Maker *m)
{
    static const char *const calls[] = {" (call_function step (+ x 1i64) (address y 0))",
                                        " (call_function step y (address z 0))",
                                        " (call_function pick p q (address t 2) (address p 0))"};
    text_put(m->out, ONE_OF(m, calls));
}

static inline void put_statement(Maker *m)
{
    static const char *const longs[] = {"x", "y", "z"};
    static const char *const ints[] = {"p", "q"};
    int choice = below(m, m->depth > 4 ? 5 : 12);
    switch (choice) {
    case 0:
    case 1:
        text_printf(m->out, " (set %s ", ONE_OF(m, longs));
        put_long(m, 2);
        text_char(m->out, ')');
        return;
    case 2:
        text_printf(m->out, " (set %s ", ONE_OF(m, ints));
        put_int(m, 2);
        text_char(m->out, ')');
        return;
    case 3: put_access(m); return;
    case 4:
        if (m->labels.len && below(m, 2))
            text_printf(m->out, " (branch (> p q) (block (goto %s)) (block))",
                        m->labels.at[below(m, m->labels.len)]);
        else
            put_call(m);
        return;
    case 5:
        text_put(m->out, " (branch ");
        put_condition(m, 2);
        text_char(m->out, ' ');
        put_block(m, 2);
        text_char(m->out, ' ');
        put_block(m, below(m, 3));
        text_char(m->out, ')');
        return;
    case 6: {
        const char *label = fresh(m, "out");
        text_printf(m->out, " (target %s ", label);
        vec_push(m->arena, &m->labels, label);
        put_block(m, 3);
        m->labels.len--;
        text_char(m->out, ')');
        return;
    }
    case 7:
        if (m->labels.len == 0) return;
        text_printf(m->out, " (goto %s)", m->labels.at[below(m, m->labels.len)]);
        return;
    case 8: put_for(m); return;
    default: put_while(m); return;
    }
}

static inline void put_statements(Maker *m, int n)
{
    for (int i = 0; i < n; i++) put_statement(m);
}

/// An entry called `name`, and two functions that it may call.
static inline const char *random_program(Arena *arena, const char *name, unsigned seed)
{
    Text out = text_new(arena);
    Maker m = {.out = &out, .seed = seed, .arena = arena};
    text_printf(&out,
                "(loops %s [n] (a: [n]i32, k: i64) : (i64, i64, i64, i32, i32)"
                " (buffers (in a i32 [n]) (in k i64) (out o0 i64) (out o1 i64) (out o2 i64)"
                " (out o3 i32) (out o4 i32))"
                " (block (decl x i64 %s) (decl y i64 (size n)) (decl z i64 (size k))"
                " (decl p i32 1) (decl q i32 2) (alloc.stack t i32 8)"
                " (loop j 0 8 (block (store t j 0)))",
                name, below(&m, 2) ? "0i64" : "3i64");
    put_statements(&m, 6);
    text_put(&out, " (store o0 0 x) (store o1 0 y) (store o2 0 z) (store o3 0 p) (store o4 0 "
                   "(+ q (load t 2)))))"
                   "(loops step [n] (x: i64) : i64 (buffers (in x i64) (out r i64))"
                   " (branch (< (size x) 3i64) (block (store r 0 (+ (size x) 1i64)))"
                   " (block (store r 0 0i64))))"
                   "(loops pick [n] (p: i32, q: i32, t: &mut i32) : i32 (buffers (in p i32)"
                   " (in q i32) (both t i32) (out r i32))"
                   " (target done (block (store t 0 (+ (load t 0) 1))"
                   " (branch (< p q) (block (store r 0 q) (goto done)) (block))"
                   " (require E0602 (!= q 77)) (store r 0 (+ p (load t 0))))))");
    return text_get(&out);
}

#endif
