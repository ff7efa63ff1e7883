// Random types, values and functions.
//
// A function reduces its arguments to one number, and hashes it again for each scalar of the
// result. The hash is `sin`. In the exact algebra, `sin` is a hash function; in IEEE arithmetic, it
// is bounded, so that nothing overflows.
#include "schedule/random.h"

#include <string.h>

static uint64_t next(Random *r)
{
    uint64_t x = r->state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

int64_t random_below(Random *r, int64_t n)
{
    return (int64_t)(next(r) % (uint64_t)n);
}

// --- types ---------------------------------------------------------------------------------------

static Node *one_of(Random *r, const Scalar *scalars, int n)
{
    return type_scalar(r->cx, scalars[random_below(r, n)]);
}

static Node *random_data(Random *r)
{
    static const Scalar scalars[] = {SCALAR_F32, SCALAR_I32, SCALAR_F64, SCALAR_BOOL, SCALAR_U8};
    Node *f32 = type_scalar(r->cx, SCALAR_F32);
    switch (random_below(r, 8)) {
    case 0:
    case 1: return f32;
    case 2:
    case 3: return type_tuple(r->cx, 2, (Node *[]){f32, f32});
    case 4: return type_array(r->cx, nat_const(r->cx, random_below(r, 3) + 1), f32);
    case 5: return type_tuple(r->cx, 2, (Node *[]){one_of(r, scalars, 5), random_data(r)});
    default: return one_of(r, scalars, 5);
    }
}

const Scalar *random_scalars(Sym kind, int *count)
{
    static const Scalar all[] = {SCALAR_F32, SCALAR_F64, SCALAR_F16, SCALAR_I64,
                                 SCALAR_I32, SCALAR_U32, SCALAR_U8,  SCALAR_I16,
                                 SCALAR_I8,  SCALAR_U16, SCALAR_U64, SCALAR_BOOL};
    static const struct {
        const char *kind;
        int first, count;
    } parts[] = {{"float", 0, 3}, {"int", 3, 8}, {"num", 0, 11}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(kind->text, parts[i].kind) != 0) continue;
        *count = parts[i].count;
        return all + parts[i].first;
    }
    *count = sizeof all / sizeof *all;
    return all;
}

Node *random_type(Random *r, Sym kind)
{
    int count;
    if (strcmp(kind->text, "data") == 0) return random_data(r);
    const Scalar *scalars = random_scalars(kind, &count);
    return one_of(r, scalars, count);
}

// --- values --------------------------------------------------------------------------------------

// Whether the next scalar is a special value, which is stored in *bits.
static bool is_special(Random *r, Scalar s, uint64_t *bits)
{
    Special *p = r->special;
    if (!p) return false;
    int at = p->scalars++;
    for (int i = 0; i < 2; i++)
        if (p->at[i] == at) {
            *bits = special_bits(s, p->which[i]);
            return true;
        }
    if (random_below(r, 3) == 0) return false;
    *bits = special_bits(s, (int)random_below(r, SPECIALS));
    return true;
}

static uint64_t random_bits(Random *r, Scalar s, Algebra algebra)
{
    uint64_t special;
    if (is_special(r, s, &special)) return special;
    if (scalar_info[s].class == CLASS_BOOL) return next(r) & 1;
    if (scalar_info[s].class != CLASS_FLOAT) // mostly small numbers, sometimes any value
        return scalar_wrap(s, random_below(r, 8) ? (uint64_t)random_below(r, 80) - 40 : next(r));
    // three decimals, so that adding these values rounds
    double x = scalar_round(s, (double)(random_below(r, 4001) - 2000) / 1000);
    return algebra == ALGEBRA_FIELD ? field_from_double(x) : float_bits(x);
}

bool random_value(Random *r, Node *type, Algebra algebra, Value *out)
{
    *out = (Value){0};
    Scalar s;
    int64_t n = (int64_t)type->nops;
    if (type_is_scalar(type, &s)) {
        out->bits = random_bits(r, s, algebra);
        return true;
    }
    if (type->kind == TYPE_IDX) {
        if (!nat_is_const(type->op[0], &n) || n <= 0) return false;
        out->bits = (uint64_t)random_below(r, n);
        return true;
    }
    bool array = type->kind == TYPE_ARRAY;
    if (array && (!nat_is_const(type->op[0], &n) || n < 0)) return false;
    out->count = n;
    out->parts = n ? ARENA_ARRAY(r->arena, Value, n) : NULL;
    for (int64_t i = 0; i < n; i++)
        if (!random_value(r, type->op[array ? 1 : i], algebra, &out->parts[i])) return false;
    return true;
}

// --- functions -----------------------------------------------------------------------------------

static Node *f32_of(Session *cx)
{
    return type_scalar(cx, SCALAR_F32);
}

static Node *i64_of(Session *cx)
{
    return type_scalar(cx, SCALAR_I64);
}

static Node *prim(Session *cx, Prim op, Node *a, Node *b)
{
    return core_prim(cx, op, b ? 2 : 1, (Node *[]){a, b});
}

static Node *real(Session *cx, double x)
{
    return core_float(cx, f32_of(cx), x);
}

// Builds sin(c a + b) for a random c, whose value differs for nearly all pairs of a and b.
static Node *mix(Random *r, Node *a, Node *b)
{
    Node *c = real(r->cx, (double)(random_below(r, 3000) + 1000) / 512);
    return prim(r->cx, PRIM_SIN, prim(r->cx, PRIM_ADD, prim(r->cx, PRIM_MUL, c, a), b), NULL);
}

static Node *digest(Random *r, Node *e);

// Builds fold(|a, x| mix(a, digest(x)), 1, e).
static Node *digest_array(Random *r, Node *e)
{
    Session *cx = r->cx;
    Node *types[] = {f32_of(cx), e->type->op[1]};
    Sym names[] = {session_sym(cx, "a"), session_sym(cx, "x")};
    Node *body = mix(r, core_var(cx, 1, types[0]), digest(r, core_var(cx, 0, types[1])));
    Node *ops[] = {core_lam(cx, 2, types, names, body), real(cx, 1), e};
    return core_pattern(cx, CORE_FOLD, 0, 3, ops);
}

// Builds a numeric term that depends on every scalar of the value of `e`.
static Node *digest(Random *r, Node *e)
{
    Session *cx = r->cx;
    Scalar s = SCALAR_I64;
    if (e->type->kind == TYPE_ARRAY) return digest_array(r, e);
    if (e->type->kind == TYPE_IDX) return core_cast(cx, core_cast(cx, e, i64_of(cx)), f32_of(cx));
    if (type_is_scalar(e->type, &s))
        return s == SCALAR_BOOL ? core_if(cx, e, real(cx, 1), real(cx, 0))
                                : core_cast(cx, e, f32_of(cx));
    Node *all = real(cx, 2);
    for (uint32_t i = 0; i < e->type->nops; i++)
        all = mix(r, all, digest(r, core_proj(cx, e, (int)i)));
    return all;
}

// Builds a term whose value is a whole number from 0 to n - 1 that depends on the number `d`.
static Node *whole(Random *r, Node *d, Node *n)
{
    Session *cx = r->cx;
    Node *large = prim(cx, PRIM_MUL, mix(r, d, real(cx, 1)), real(cx, 1 << 20));
    Node *x = prim(cx, PRIM_REM, core_cast(cx, large, i64_of(cx)), n);
    return prim(cx, PRIM_REM, prim(cx, PRIM_ADD, x, n), n);
}

// Builds a term of this type whose value depends on the number `d`.
static Node *made(Random *r, Node *type, Node *d)
{
    Session *cx = r->cx;
    Scalar s;
    if (type_is_float(type)) return core_cast(cx, mix(r, d, real(cx, 3)), type);
    if (type_is_scalar(type, &s) && s == SCALAR_BOOL)
        return prim(cx, PRIM_LT, mix(r, d, real(cx, 4)), mix(r, d, real(cx, 5)));
    if (type_is_scalar(type, NULL)) {
        Node *most = core_int(cx, i64_of(cx), 1 << 16);
        return core_cast(cx, whole(r, d, most), type);
    }
    if (type->kind == TYPE_IDX)
        return core_to_idx(cx, whole(r, d, core_size(cx, type->op[0])), type->op[0], NO_SPAN);
    if (type->kind == TYPE_ARRAY) {
        Node *index = type_idx(cx, type->op[0]);
        Node *i = digest(r, core_var(cx, 0, index));
        Node *item = made(r, type->op[1], mix(r, node_shift(cx, d, 1, 0), i));
        Sym name = session_sym(cx, "i");
        Node *ops[] = {type->op[0], core_lam(cx, 1, &index, &name, item)};
        return core_pattern(cx, CORE_GENERATE, 0, 2, ops);
    }
    Node **parts = ARENA_ARRAY(r->arena, Node *, type->nops + 1);
    for (uint32_t i = 0; i < type->nops; i++) parts[i] = made(r, type->op[i], d);
    return core_tuple(cx, (int)type->nops, parts, type->kind == TYPE_STRUCT ? type : NULL);
}

// Builds `let _ = 1 / k; e`, where k is a number below 1, 2 or 16. This fails if k is 0, which
// happens always, often or seldom.
static Node *perhaps(Random *r, Node *d, Node *e)
{
    Session *cx = r->cx;
    static const int64_t bounds[] = {1, 2, 16};
    Node *zero = whole(r, d, core_int(cx, i64_of(cx), bounds[random_below(r, 3)]));
    Node *may_fail = prim(cx, PRIM_DIV, core_int(cx, i64_of(cx), 1), zero);
    return core_let(cx, session_sym(cx, "_"), may_fail, node_shift(cx, e, 1, 0));
}

Node *random_function(Random *r, Node *type, bool partial)
{
    Session *cx = r->cx;
    int n = type_nparams(type);
    Node *all = real(cx, 1);
    Sym *names = ARENA_ARRAY(r->arena, Sym, n + 1);
    for (int i = 0; i < n; i++) {
        names[i] = session_sym(cx, n > 1 ? arena_printf(r->arena, "x%d", i) : "x");
        all = mix(r, all, digest(r, core_var(cx, n - 1 - i, type_param(type, i))));
    }
    Node *d = core_var(cx, 0, f32_of(cx)), *value = made(r, type_result(type), d);
    if (partial) value = perhaps(r, d, value);
    Node *body = core_let(cx, session_sym(cx, "d"), all, value);
    return core_lam(cx, n, type->op, names, body);
}

Node *random_order(Random *r, Node *type, bool partial)
{
    Session *cx = r->cx;
    Node *element = type_param(type, 0), *numbers[2];
    Sym names[] = {session_sym(cx, "x"), session_sym(cx, "y")};
    Node *number =
        random_function(r, type_fun(cx, 1, &element, type_scalar(cx, SCALAR_U8)), partial);
    for (int i = 0; i < 2; i++)
        numbers[i] = core_app(cx, number, 1, (Node *[]){core_var(cx, 1 - i, element)});
    return core_lam(cx, 2, type->op, names, prim(cx, PRIM_LT, numbers[0], numbers[1]));
}

// --- associative operators -----------------------------------------------------------------------

/// The result of an operator on two terms of one type, and the neutral value of the operator.
typedef struct {
    Node *result;
    Value neutral;
} Combined;

static Combined combine(Random *r, Node *a, Node *b, Algebra algebra);

static Value number_value(Scalar s, int64_t x, Algebra algebra)
{
    if (scalar_info[s].class != CLASS_FLOAT) return (Value){.bits = (uint64_t)x};
    double d = (double)x;
    return (Value){.bits = algebra == ALGEBRA_FIELD ? field_from_double(d) : float_bits(d)};
}

// Builds an operator whose result is the first operand that is not 1. This is associative for all
// floats, with 1 as its neutral value.
static Combined combine_special(Random *r, Node *a, Node *b, Scalar s)
{
    Node *one = core_float(r->cx, a->type, 1);
    return (Combined){core_if(r->cx, prim(r->cx, PRIM_EQ, a, one), b, a),
                      number_value(s, 1, ALGEBRA_IEEE)};
}

static Combined combine_numbers(Random *r, Node *a, Node *b, Scalar s, Algebra algebra)
{
    if (r->special && type_is_float(a->type)) return combine_special(r, a, b, s);
    bool times = random_below(r, 3) == 0;
    Node *result = prim(r->cx, times ? PRIM_MUL : PRIM_ADD, a, b);
    return (Combined){result, number_value(s, times ? 1 : 0, algebra)};
}

// Builds the composition of functions x -> a x + b: (a, b) then (c, d) is (a c, b c + d). It is not
// commutative.
static Combined combine_lines(Random *r, Node *a, Node *b, Scalar s, Algebra algebra)
{
    Session *cx = r->cx;
    Node *c = core_proj(cx, b, 0);
    Node *sum = prim(cx, PRIM_ADD, prim(cx, PRIM_MUL, core_proj(cx, a, 1), c), core_proj(cx, b, 1));
    Node *parts[] = {prim(cx, PRIM_MUL, core_proj(cx, a, 0), c), sum};
    Value *neutral = ARENA_ARRAY(r->arena, Value, 2);
    neutral[0] = number_value(s, 1, algebra);
    neutral[1] = number_value(s, 0, algebra);
    return (Combined){core_tuple(cx, 2, parts, a->type->kind == TYPE_STRUCT ? a->type : NULL),
                      {0, 2, neutral}};
}

// Combines element by element: map(|(x, y)| ..., zip(a, b)).
static Combined combine_arrays(Random *r, Node *a, Node *b, Algebra algebra)
{
    Session *cx = r->cx;
    Node *zip = core_pattern(cx, VIEW_ZIP, 0, 2, (Node *[]){a, b});
    Node *pair = zip->type->op[1], *p = core_var(cx, 0, pair);
    Combined item = combine(r, core_proj(cx, p, 0), core_proj(cx, p, 1), algebra);
    Sym name = session_sym(cx, "p");
    Node *ops[] = {core_lam(cx, 1, &pair, &name, item.result), zip};
    Value all = {0};
    if (!nat_is_const(a->type->op[0], &all.count)) return item;
    all.parts = ARENA_ARRAY(r->arena, Value, all.count + 1);
    for (int64_t i = 0; i < all.count; i++) all.parts[i] = item.neutral;
    return (Combined){core_pattern(cx, CORE_MAP, 0, 2, ops), all};
}

static Combined combine_parts(Random *r, Node *a, Node *b, Algebra algebra)
{
    Session *cx = r->cx;
    int n = (int)a->type->nops;
    Node **parts = ARENA_ARRAY(r->arena, Node *, n + 1);
    Value all = {0, n, ARENA_ARRAY(r->arena, Value, n + 1)};
    for (int i = 0; i < n; i++) {
        Combined part = combine(r, core_proj(cx, a, i), core_proj(cx, b, i), algebra);
        parts[i] = part.result;
        all.parts[i] = part.neutral;
    }
    bool is_struct = a->type->kind == TYPE_STRUCT;
    return (Combined){core_tuple(cx, n, parts, is_struct ? a->type : NULL), all};
}

static Combined combine(Random *r, Node *a, Node *b, Algebra algebra)
{
    Scalar s;
    Node *type = a->type;
    if (type_is_number(type) && type_is_scalar(type, &s))
        return combine_numbers(r, a, b, s, algebra);
    if (type_is_scalar(type, NULL)) // bool
        return (Combined){prim(r->cx, PRIM_OR, a, b), {0}};
    if (type->kind == TYPE_IDX) {
        Node *first = prim(r->cx, PRIM_LT, a, b);
        return (Combined){core_if(r->cx, first, b, a), {0}};
    }
    if (type->kind == TYPE_ARRAY) return combine_arrays(r, a, b, algebra);
    bool line =
        !r->special && type->nops == 2 && type->op[0] == type->op[1] && type_is_number(type->op[0]);
    if (line && type_is_scalar(type->op[0], &s)) return combine_lines(r, a, b, s, algebra);
    return combine_parts(r, a, b, algebra);
}

Node *random_operator(Random *r, Node *type, Algebra algebra, Value *neutral)
{
    Session *cx = r->cx;
    Node *types[] = {type, type};
    Sym names[] = {session_sym(cx, "a"), session_sym(cx, "b")};
    Combined c = combine(r, core_var(cx, 1, type), core_var(cx, 0, type), algebra);
    *neutral = c.neutral;
    return core_lam(cx, 2, types, names, c.result);
}
