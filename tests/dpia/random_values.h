// Sizes and inputs made at random for the programs of this folder.
#ifndef TESTS_DPIA_RANDOM_VALUES_H
#define TESTS_DPIA_RANDOM_VALUES_H

#include "dpia/programs.h"

typedef struct {
    Session *cx;
    unsigned seed;
    Algebra algebra;
    bool possible; // false: the type has no values (idx[0])
} Random;

static inline int random_below(Random *r, int n)
{
    return (int)((unsigned)rand_r(&r->seed) % (unsigned)n);
}

/// A value of a type without variables. Numbers are small, so that conditions on them go both ways.
static inline Value random_value(Random *r, Node *type)
{
    Scalar s;
    int64_t n;
    if (type_is_float(type)) {
        double x = random_below(r, 17) / 4.0 - 2;
        return (Value){.bits = r->algebra == ALGEBRA_FIELD ? field_from_double(x) : float_bits(x)};
    }
    if (type_is_scalar(type, &s))
        return (Value){.bits = scalar_wrap(s, (uint64_t)(random_below(r, 9) - 2))};
    if (type->kind == TYPE_IDX) {
        if (!nat_is_const(type->op[0], &n) || n <= 0) {
            r->possible = false;
            return (Value){0};
        }
        return (Value){.bits = (uint64_t)random_below(r, (int)n)};
    }
    bool array = type_has_elements(type);
    Value v = {.count = type->nops};
    if (array) assert_true(nat_is_const(type->op[0], &v.count));
    if (v.count < 0) r->possible = false;
    if (v.count <= 0) return (Value){0};
    v.parts = ARENA_ARRAY(r->cx->arena, Value, v.count);
    for (int64_t i = 0; i < v.count; i++) v.parts[i] = random_value(r, type->op[array ? 1 : i]);
    return v;
}

enum { MAX_NAMES = 8, MUCH_FUEL = 2000000 };

/// One call of a function: sizes, and arguments of the types they give.
typedef struct {
    NodeBinding generics[MAX_NAMES];
    int64_t sizes[MAX_NAMES];
    int nsizes;
    Value args[MAX_NAMES];
} Call;

/// False when there is no value for some parameter.
static inline bool random_call(Random *r, const Function *f, const int64_t *choices, int nchoices,
                               Call *call)
{
    assert_true(f->generics.len <= MAX_NAMES && f->params.len <= MAX_NAMES);
    call->nsizes = f->generics.len;
    for (int i = 0; i < f->generics.len; i++) {
        call->sizes[i] = choices[random_below(r, nchoices)];
        call->generics[i] = (NodeBinding){f->generics.at[i].name, nat_const(r->cx, call->sizes[i])};
    }
    r->possible = true;
    for (int i = 0; i < f->params.len; i++) {
        Node *type = node_replace_names(r->cx, f->params.at[i].type, call->generics, call->nsizes);
        call->args[i] = random_value(r, type);
    }
    return r->possible;
}

static inline const char *outcome_text(Session *cx, Outcome o, const Value *v, Node *type)
{
    Text t = text_new(cx->arena);
    if (o.ok)
        value_print(cx, &t, v, type, 20);
    else
        text_printf(&t, "%s: %s", diag_name(o.code), o.text);
    return text_get(&t);
}

/// The same value, or the same run-time error.
static inline bool same_outcome(Outcome a, const Value *va, Outcome b, const Value *vb)
{
    if (a.ok != b.ok) return false;
    return a.ok ? value_equal(va, vb) : a.code == b.code;
}

#endif
