// Lengths as a lattice, and numbers side by side: what the typing rules and the meanings of the small languages share.
#ifndef TESTS_MODELS_VALUES_H
#define TESTS_MODELS_VALUES_H

#include "models/syntax.h"

#include <math.h>

// --- lengths ------------------------------------------------------------------------------------

/// 1 is below all others, which have nothing above them but this: no length.
enum { NO_LENGTH = -1 };

static inline int length_join(int a, int b)
{
    if (a == NO_LENGTH || b == NO_LENGTH) return NO_LENGTH;
    return a == b || b == 1 ? a : a == 1 ? b : NO_LENGTH;
}

/// mode |- to <- from: whether a value of one length may be put where one of another is (A-Length, A-Splat, A-Scalar).
static inline bool length_assignable(int mode, int to, int from)
{
    if (mode == NO_LENGTH || to == NO_LENGTH || from == NO_LENGTH) return false;
    return to == length_join(mode, from) || (mode == 1 && from == 1) || (to == 1 && from == 1);
}

// --- values -------------------------------------------------------------------------------------

static inline int value_length(const ImpValue *v)
{
    return v->type.length;
}

/// The lane k of a value; that of a number is the number.
static inline double value_lane(const ImpValue *v, int k)
{
    return v->lane[v->type.length == 1 ? 0 : k];
}

static inline ImpValue value_broadcast(const ImpValue *v, int length)
{
    ImpValue out = {.type = {v->type.base, length}};
    for (int k = 0; k < length; k++) out.lane[k] = value_lane(v, k);
    return out;
}

static inline bool value_any(const ImpValue *mask)
{
    for (int k = 0; k < value_length(mask); k++)
        if (mask->lane[k] != 0) return true;
    return false;
}

static inline ImpValue value_truth(int length, bool truth)
{
    ImpValue out = {.type = {BASE_BOOL, length}};
    for (int k = 0; k < length; k++) out.lane[k] = truth;
    return out;
}

static inline bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

// --- operators ----------------------------------------------------------------------------------

/// What the operator gives for operands of these bases; NOTHING: it is not for them.
static inline ImpBase op_base(ImpOp op, ImpBase a, ImpBase b)
{
    bool equal = op == OP_EQ || op == OP_NE;
    if (a != b || a == BASE_NOTHING) return BASE_NOTHING;
    if (imp_ops[op].truths ? a != BASE_BOOL : a == BASE_BOOL && !equal) return BASE_NOTHING;
    if (op == OP_REM && a != BASE_INT) return BASE_NOTHING;
    return imp_ops[op].compares ? BASE_BOOL : a;
}

static inline double wrapped(double x)
{
    return (double)(int32_t)(uint32_t)(int64_t)x;
}

// Products of 32 bits have more bits than a double.
static inline double product_of_ints(double a, double b)
{
    return (double)(int32_t)((uint32_t)(int32_t)a * (uint32_t)(int32_t)b);
}

/// One lane of it. Remainders by 0 are 0: operators are total.
static inline double op_number(ImpOp op, ImpBase of, double a, double b)
{
    bool whole = of == BASE_INT;
    switch (op) {
    case OP_ADD: return whole ? wrapped(a + b) : a + b;
    case OP_SUB: return whole ? wrapped(a - b) : a - b;
    case OP_MUL: return whole ? product_of_ints(a, b) : a * b;
    case OP_REM: return b == 0 ? 0 : fmod(a, b) + 0.0;
    case OP_LT: return a < b;
    case OP_LE: return a <= b;
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_AND: return a != 0 && b != 0;
    case OP_OR: return a != 0 || b != 0;
    case OP_NOT: return a == 0;
    case OP_COUNT: break;
    }
    return 0;
}

/// m & m', element by element.
static inline ImpValue mask_and(const ImpValue *a, const ImpValue *b, bool negated)
{
    ImpValue out = {.type = {BASE_BOOL, length_join(value_length(a), value_length(b))}};
    for (int k = 0; k < out.type.length; k++)
        out.lane[k] = value_lane(a, k) != 0 && (value_lane(b, k) != 0) != negated;
    return out;
}

/// blend(mask, b, a): b in the lanes of the mask, a in the others. What is the same in all lanes changes if some lane is there, which
/// the thesis leaves open.
static inline ImpValue value_blend(const ImpValue *mask, const ImpValue *b, const ImpValue *a)
{
    ImpValue out = *a;
    bool one = value_length(a) == 1;
    for (int k = 0; k < value_length(a); k++)
        if (one ? value_any(mask) : value_lane(mask, k) != 0) out.lane[k] = value_lane(b, k);
    return out;
}

// --- variables ----------------------------------------------------------------------------------

typedef struct {
    Sym name;
    const ImpValue *value;
} ImpBinding;

/// The variables of a call; states are not changed but copied.
struct ImpState {
    int n;
    ImpBinding at[];
};

static inline const ImpState *state_empty(Session *cx)
{
    return arena_alloc(cx->arena, sizeof(ImpState));
}

static inline const ImpValue *state_get(const ImpState *s, Sym name)
{
    for (int i = 0; i < s->n; i++)
        if (s->at[i].name == name) return s->at[i].value;
    return NULL;
}

static inline const ImpState *state_with(Session *cx, const ImpState *s, Sym name,
                                         const ImpValue *value)
{
    int at = 0;
    while (at < s->n && s->at[at].name != name) at++;
    int n = at < s->n ? s->n : s->n + 1;
    ImpState *with = arena_alloc(cx->arena, sizeof(ImpState) + (size_t)n * sizeof(ImpBinding));
    memcpy(with->at, s->at, (size_t)s->n * sizeof(ImpBinding));
    ImpValue *copy = ARENA_NEW(cx->arena, ImpValue);
    *copy = *value;
    with->n = n;
    with->at[at] = (ImpBinding){name, copy};
    return with;
}

#endif
