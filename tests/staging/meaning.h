// Whether two functions mean the same: on random inputs, in both algebras, for sizes 0, 1, 2, 5 and 7.
#ifndef ADZE_TESTS_MEANING_H
#define ADZE_TESTS_MEANING_H

#include "staging/programs.h"

/// A deterministic source of random bits.
typedef uint64_t Random;
static inline uint64_t random_bits(Random *r)
{
    *r = hash_mix(*r, 0x5eed);
    return *r >> 8;
}

static inline uint64_t random_atom(Node *t, Algebra algebra, Random *r)
{
    int64_t n = 0;
    if (t->kind == TYPE_IDX)
        return nat_is_const(t->op[0], &n) && n > 0 ? random_bits(r) % (uint64_t)n : 0;
    if (t->attr.i == SCALAR_BOOL) return random_bits(r) & 1;
    if (!type_is_float(t)) return scalar_wrap((Scalar)t->attr.i, random_bits(r) % 8 - 2);
    if (algebra == ALGEBRA_FIELD) return random_bits(r) % ((UINT64_C(1) << 61) - 1);
    double x = (double)(random_bits(r) % 64) / 4.0;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/// A random value of a type with constant sizes; false when there is none (a negative size, an
/// index below 0).
static inline bool random_value(Arena *arena, Node *t, Algebra algebra, Random *r, Value *v)
{
    int64_t n;
    *v = (Value){0};
    if (type_is_atom(t)) {
        v->bits = random_atom(t, algebra, r);
        return t->kind != TYPE_IDX || (nat_is_const(t->op[0], &n) && n > 0);
    }
    bool array = t->kind == TYPE_ARRAY;
    v->count = array ? 0 : (int64_t)t->nops;
    if (array && (!nat_is_const(t->op[0], &v->count) || v->count < 0)) return false;
    v->parts = ARENA_ARRAY(arena, Value, v->count + 1);
    for (int64_t i = 0; i < v->count; i++)
        if (!random_value(arena, array ? t->op[1] : t->op[i], algebra, r, &v->parts[i]))
            return false;
    return true;
}

/// Runs both functions (the first in a program, which may be NULL) on random inputs of all sizes
/// and says where they differ.
static inline void same_meaning(Session *cx, const Program *p, const Function *before,
                                const Function *after, int least)
{
    static const int sizes[] = {0, 1, 2, 5, 7};
    int good = 0;
    for (int run = 0; run < 10; run++) {
        Algebra algebra = run < 5 ? ALGEBRA_IEEE : ALGEBRA_FIELD;
        Arena *arena = arena_new();
        Random r = (Random)run + 1;
        NodeBinding generics[4];
        for (int i = 0; i < before->generics.len; i++) {
            int n = sizes[(run + 2 * i) % 5];
            generics[i] =
                (NodeBinding){before->generics.at[i].name, nat_const(cx, n < least ? least : n)};
        }
        Value args[8];
        bool defined = true;
        for (int i = 0; i < before->params.len; i++) {
            Node *t =
                node_replace_names(cx, before->params.at[i].type, generics, before->generics.len);
            defined &= random_value(arena, t, algebra, &r, &args[i]);
        }
        Value x = {0}, y = {0};
        if (defined) {
            enum { FUEL = 1000000 };
            Outcome a = core_eval(cx, arena, p, before, generics, before->generics.len, args,
                                  algebra, FUEL, &x);
            Outcome b = core_eval(cx, arena, NULL, after, generics, before->generics.len, args,
                                  algebra, FUEL, &y);
            bool told = a.code != E0605 && b.code != E0605; // else there was not enough fuel
            bool same = a.ok == b.ok && (a.ok ? value_equal(&x, &y) : a.code == b.code);
            good += a.ok && told;
            if (told && !same) {
                Text out = text_new(cx->arena);
                if (a.ok) value_print(cx, &out, &x, before->result, 100);
                text_put(&out, a.ok ? "\n" : a.text);
                if (b.ok) value_print(cx, &out, &y, before->result, 100);
                fail_msg("run %d:\n%s\n%s\n%s%s", run, body_text(cx, before), body_text(cx, after),
                         text_get(&out), b.ok ? "" : b.text);
            }
        }
        arena_delete(arena);
    }
    if (good == 0) fail_msg("never runs without an error:\n%s", body_text(cx, before));
}

#endif
