// Random well-typed terms of Core, for properties that hold of all of them.
#ifndef ADZE_TESTS_CORE_TERMS_H
#define ADZE_TESTS_CORE_TERMS_H

#include "core/ir/core.h"

#include <stdlib.h>

typedef struct {
    Session *cx;
    unsigned seed;
    VEC(Node *) scope; // types of the variables, innermost last
} Gen;

static Node *gen(Gen *g, Node *t, int depth);

static inline int pick(Gen *g, int n)
{
    return (int)((unsigned)rand_r(&g->seed) % (unsigned)n);
}

static inline Node *gen_nat(Gen *g, const char *name)
{
    return nat_var(g->cx, session_sym(g->cx, name));
}

static inline Node *gen_size(Gen *g)
{
    switch (pick(g, 5)) {
    case 0: return gen_nat(g, "n");
    case 1: return gen_nat(g, "m");
    case 2: return nat_const(g->cx, pick(g, 5) + 1);
    case 3: return nat_add(g->cx, gen_nat(g, "n"), nat_const(g->cx, 2));
    default: return nat_mul(g->cx, gen_nat(g, "n"), gen_nat(g, "m"));
    }
}

static inline Node *gen_scalar_type(Gen *g)
{
    static const Scalar scalars[] = {SCALAR_F32, SCALAR_F64, SCALAR_I32, SCALAR_I64,
                                     SCALAR_U8,  SCALAR_U64, SCALAR_BOOL};
    return type_scalar(g->cx, scalars[pick(g, 7)]);
}

static inline Node *gen_type(Gen *g, int depth)
{
    if (depth == 0) return gen_scalar_type(g);
    Node *parts[3];
    for (int i = 0; i < 3; i++) parts[i] = gen_type(g, depth - 1);
    switch (pick(g, 7)) {
    case 6: return type_varying(g->cx, gen_size(g), gen_scalar_type(g));
    case 0: return type_tuple(g->cx, 1 + pick(g, 3), parts);
    case 1: {
        Sym names[] = {session_sym(g->cx, "a"), session_sym(g->cx, "b")};
        return type_struct(g->cx, session_sym(g->cx, "S"), 2, parts, names);
    }
    case 2: return type_idx(g->cx, gen_size(g));
    case 3:
    case 4: return type_array(g->cx, gen_size(g), parts[0]);
    default: return gen_scalar_type(g);
    }
}

// |params| body of the result type; the hints are few, so that names have to be kept apart.
static inline Node *gen_lam(Gen *g, int n, Node *const *params, Node *result, int depth)
{
    static const char *const hints[] = {"x", "y", "x1", "acc", "true"};
    Sym names[4];
    for (int i = 0; i < n; i++) {
        names[i] = session_sym(g->cx, hints[pick(g, 5)]);
        vec_push(g->cx->arena, &g->scope, params[i]);
    }
    Node *body = gen(g, result, depth);
    g->scope.len -= n;
    return core_lam(g->cx, n, params, pick(g, 8) ? names : NULL, body);
}

static inline Node *gen_leaf(Gen *g, Node *t)
{
    Session *cx = g->cx;
    switch (t->kind) {
    case TYPE_SCALAR:
        if (type_is_float(t)) return core_float(cx, t, (pick(g, 2000) - 1000) * 0.37);
        return core_int(cx, t, pick(g, 200) - 100);
    case TYPE_IDX:
        return core_to_idx(cx, core_size(cx, nat_const(cx, pick(g, 3))), t->op[0], NO_SPAN);
    case TYPE_ARRAY: {
        int64_t n;
        if (nat_is_const(t->op[0], &n) && n >= 0 && n < 4) {
            Node *items[4];
            for (int64_t i = 0; i < n; i++) items[i] = gen_leaf(g, t->op[1]);
            return core_array(cx, t->op[1], (int)n, items);
        }
        return core_pattern(cx, VIEW_REPEAT, 0, 2, (Node *[]){t->op[0], gen_leaf(g, t->op[1])});
    }
    case TYPE_VEC: return core_cast(cx, gen_leaf(g, t->op[1]), t);
    default: {
        Node *parts[8];
        for (uint32_t i = 0; i < t->nops; i++) parts[i] = gen_leaf(g, t->op[i]);
        return core_tuple(cx, (int)t->nops, parts, t);
    }
    }
}

static inline Node *gen_variable(Gen *g, Node *t)
{
    int start = pick(g, g->scope.len + 1);
    for (int i = 0; i < g->scope.len; i++) {
        int at = (start + i) % g->scope.len;
        if (g->scope.at[at] == t) return core_var(g->cx, g->scope.len - 1 - at, t);
    }
    return NULL;
}

static inline Node *gen_prim(Gen *g, Node *t, int depth)
{
    for (;;) {
        Prim p = (Prim)pick(g, PRIM_COUNT);
        const PrimInfo *info = &prim_info[p];
        Node *on = pick(g, 2) ? t : gen_scalar_type(g);
        Scalar s = (Scalar)on->attr.i;
        if (!prim_takes(p, s) || type_scalar(g->cx, prim_result(p, s)) != t) continue;
        Node *args[PRIM_OPERANDS];
        for (int i = 0; i < PRIM_OPERANDS; i++) args[i] = gen(g, on, depth);
        return core_prim(g->cx, p, info->arity, args);
    }
}

static inline Node *gen_across(Gen *g, Node *t, int depth)
{
    Session *cx = g->cx;
    Node *n = gen_size(g), *v = gen(g, type_varying(cx, n, t), depth);
    if (t == type_scalar(cx, SCALAR_BOOL) && pick(g, 2))
        return core_pattern(cx, pick(g, 2) ? CORE_ANY : CORE_ALL, 0, 1, &v);
    return core_pattern(cx, CORE_EXTRACT, 0, 2, (Node *[]){v, gen(g, type_idx(cx, n), depth)});
}

// A number that comes from a size.
static inline Node *gen_number(Gen *g, Node *n, int depth)
{
    Session *cx = g->cx;
    Node *mask = type_varying(cx, n, type_scalar(cx, SCALAR_BOOL));
    if (depth % 2) return core_size(cx, n);
    Node *some = core_cast(cx, core_pattern(cx, CORE_LANES, 0, 1, &n), mask);
    return core_pattern(cx, CORE_COUNT, 0, 1, &some);
}

// A number whose bits are lanes.
static inline Node *gen_bits(Gen *g)
{
    Session *cx = g->cx;
    Node *n = nat_const(cx, 1 + pick(g, 64));
    Node *mask = type_varying(cx, n, type_scalar(cx, SCALAR_BOOL));
    Node *some = core_cast(cx, core_pattern(cx, CORE_LANES, 0, 1, &n), mask);
    return core_pattern(cx, CORE_MASK_BITS, 0, 1, &some);
}

static inline Node *gen_scalar(Gen *g, Node *t, int depth)
{
    Session *cx = g->cx;
    Node *n = gen_size(g), *s = gen_scalar_type(g);
    switch (pick(g, 7)) {
    case 6: return gen_across(g, t, depth);
    case 0: return core_cast(cx, gen(g, s, depth), t);
    case 1:
        return core_pattern(cx, CORE_REDUCE, 0, 3,
                            (Node *[]){gen_lam(g, 2, (Node *[]){t, t}, t, depth), gen(g, t, depth),
                                       gen(g, type_array(cx, n, t), depth)});
    case 2:
        return core_pattern(cx, CORE_FOLD, 0, 3,
                            (Node *[]){gen_lam(g, 2, (Node *[]){t, s}, t, depth), gen(g, t, depth),
                                       gen(g, type_array(cx, n, s), depth)});
    case 3:
        if (t == type_scalar(cx, SCALAR_U64)) return gen_bits(g);
        return t == type_scalar(cx, SCALAR_I64) ? gen_number(g, n, depth)
                                                : core_cast(cx, core_size(cx, n), t);
    default: return gen_prim(g, t, depth);
    }
}

// Lanes by themselves, and what is one for all of them.
static inline Node *gen_vector(Gen *g, Node *t, int depth)
{
    Session *cx = g->cx;
    Node *n = t->op[0], *e = t->op[1], *i64 = type_scalar(cx, SCALAR_I64);
    switch (pick(g, 5)) {
    case 0: return core_cast(cx, gen(g, e, depth), t);
    case 1: {
        Node *lanes = core_pattern(cx, CORE_LANES, 0, 1, &n);
        return e == i64 ? lanes : core_cast(cx, lanes, t);
    }
    case 2: {
        Node *mask = type_varying(cx, n, type_scalar(cx, SCALAR_BOOL));
        return core_pattern(cx, CORE_BLEND, 0, 3,
                            (Node *[]){gen(g, mask, depth), gen(g, t, depth), gen(g, t, depth)});
    }
    case 3:
        return core_pattern(
            cx, CORE_INSERT, 0, 3,
            (Node *[]){gen(g, t, depth), gen(g, type_idx(cx, n), depth), gen(g, e, depth)});
    default: {
        Node *both[2] = {gen(g, t, depth), gen(g, t, depth)};
        if (e == i64) return core_pattern(cx, CORE_SHUFFLE, 0, 2, both);
        if (e != type_scalar(cx, SCALAR_BOOL)) return core_prim(cx, PRIM_ADD, 2, both);
        if (depth % 3 == 0) return core_prim(cx, PRIM_AND, 2, both);
        return core_pattern(cx, depth % 3 == 1 ? CORE_COMPRESS : CORE_EXPAND, 0, 2, both);
    }
    }
}

// A form of array that any size and element allow.
static inline Node *gen_any_array(Gen *g, Node *t, int depth)
{
    Session *cx = g->cx;
    Node *n = t->op[0], *e = t->op[1], *m = gen_size(g), *two = nat_const(cx, 2),
         *s = gen_scalar_type(g);
    Node *same = gen(g, t, depth), *z = gen(g, e, depth), *i = type_idx(cx, n);
    switch (pick(g, 14)) {
    case 0:
        return core_pattern(cx, CORE_GENERATE, 0, 2, (Node *[]){n, gen_lam(g, 1, &i, e, depth)});
    case 1: return core_pattern(cx, VIEW_REPEAT, 0, 2, (Node *[]){n, z});
    case 2:
        if (pick(g, 2)) return core_pattern(cx, VIEW_CIRCULAR, 0, 2, (Node *[]){m, same});
        return core_pattern(cx, VIEW_REVERSE, 0, 1, &same);
    case 3:
        return core_pattern(cx, VIEW_ROTATE, 0, 2,
                            (Node *[]){gen(g, type_scalar(cx, SCALAR_I64), depth), same});
    case 4:
        if (pick(g, 2)) {
            Node *all = type_array(cx, nat_mul(cx, n, two), e);
            return core_pattern(cx, VIEW_STRIDE, 0, 2, (Node *[]){two, gen(g, all, depth)});
        }
        return core_pattern(cx, VIEW_SLICE, 0, 3,
                            (Node *[]){m, n, gen(g, type_array(cx, nat_add(cx, m, n), e), depth)});
    case 5: {
        Kind kind = pick(g, 2) ? CORE_SCAN : CORE_SCAN_EX;
        return core_pattern(cx, kind, 0, 3,
                            (Node *[]){gen_lam(g, 2, (Node *[]){e, e}, e, depth), z, same});
    }
    case 6: {
        Node *idx = type_array(cx, n, type_idx(cx, m));
        return core_pattern(cx, VIEW_GATHER, 0, 2,
                            (Node *[]){gen(g, idx, depth), gen(g, type_array(cx, m, e), depth)});
    }
    case 7: {
        Node *idx = gen(g, type_array(cx, m, type_idx(cx, n)), depth),
             *xs = gen(g, type_array(cx, m, e), depth);
        if (pick(g, 2)) return core_pattern(cx, CORE_SCATTER, 0, 2, (Node *[]){idx, xs});
        return core_pattern(cx, CORE_SCATTER_WITH, 0, 4,
                            (Node *[]){gen_lam(g, 2, (Node *[]){e, e}, e, depth), z, idx, xs});
    }
    case 8:
        return core_pattern(
            cx, VIEW_PERMUTE, 0, 3,
            (Node *[]){gen_lam(g, 1, &i, i, depth), gen_lam(g, 1, &i, i, depth), same});
    case 9: {
        Node *less = gen(g, type_array(cx, nat_sub(cx, n, two), e), depth);
        if (pick(g, 2))
            return core_pattern(cx, VIEW_CONCAT, 0, 2,
                                (Node *[]){less, gen(g, type_array(cx, two, e), depth)});
        Node *one = nat_const(cx, 1);
        if (pick(g, 2))
            return core_pattern(cx, VIEW_PAD, PAD_CONST, 4,
                                (Node *[]){two, nat_const(cx, 0), z, less});
        return core_pattern(cx, VIEW_PAD, pick(g, 3), 3, (Node *[]){one, one, less});
    }
    case 10: return core_pattern(cx, pick(g, 2) ? CORE_TO_MEM : CORE_COPY, 0, 1, &same);
    case 11: {
        Node *rows = type_tuple(cx, 2, (Node *[]){t, type_array(cx, n, s)}),
             *pairs = type_tuple(cx, 2, (Node *[]){e, s});
        Node *both =
            core_pattern(cx, VIEW_UNZIP, 0, 1, (Node *[]){gen(g, type_array(cx, n, pairs), depth)});
        (void)rows;
        return core_proj(cx, both, 0);
    }
    default:
        return core_pattern(
            cx, CORE_MAP, 0, 2,
            (Node *[]){gen_lam(g, 1, &s, e, depth), gen(g, type_array(cx, n, s), depth)});
    }
}

static inline Node *gen_array(Gen *g, Node *t, int depth)
{
    Session *cx = g->cx;
    Node *n = t->op[0], *e = t->op[1];
    int64_t count;
    if (e->kind == TYPE_ARRAY && pick(g, 2)) {
        Node *m = e->op[0], *u = e->op[1];
        Node *all = type_array(cx, nat_mul(cx, n, m), u), *one = nat_const(cx, 1);
        Node *longer = type_array(cx, nat_sub(cx, nat_add(cx, n, m), one), u);
        switch (pick(g, 3)) {
        case 0:
            return core_pattern(cx, VIEW_TRANSPOSE, 0, 1,
                                (Node *[]){gen(g, type_array(cx, m, type_array(cx, n, u)), depth)});
        case 1: return core_pattern(cx, VIEW_SPLIT, 0, 2, (Node *[]){m, gen(g, all, depth)});
        default:
            return core_pattern(cx, VIEW_SLIDE, 0, 3, (Node *[]){m, one, gen(g, longer, depth)});
        }
    }
    if (e->kind == TYPE_TUPLE && e->nops > 1 && pick(g, 2)) {
        Node *arrays[8];
        for (uint32_t i = 0; i < e->nops; i++)
            arrays[i] = gen(g, type_array(cx, n, e->op[i]), depth);
        return core_pattern(cx, VIEW_ZIP, 0, (int)e->nops, arrays);
    }
    if (e->kind == TYPE_VEC && pick(g, 2)) {
        Node *all = type_array(cx, nat_mul(cx, n, e->op[0]), e->op[1]);
        return core_pattern(cx, VIEW_AS_VECTOR, 0, 2, (Node *[]){e->op[0], gen(g, all, depth)});
    }
    if (nat_is_const(n, &count) && count == 4 && pick(g, 2)) {
        Node *two = nat_const(cx, 2);
        if (e->kind == TYPE_SCALAR && pick(g, 2)) {
            Node *vectors = type_array(cx, two, type_varying(cx, two, e));
            return core_pattern(cx, VIEW_AS_SCALAR, 0, 1, (Node *[]){gen(g, vectors, depth)});
        }
        return core_pattern(cx, VIEW_JOIN, 0, 1,
                            (Node *[]){gen(g, type_array(cx, two, type_array(cx, two, e)), depth)});
    }
    return gen_any_array(g, t, depth);
}

// A term under one more variable.
static inline Node *gen_under(Gen *g, Node *variable, Node *t, int depth)
{
    vec_push(g->cx->arena, &g->scope, variable);
    Node *e = gen(g, t, depth);
    g->scope.len--;
    return e;
}

// The place of a t: a cell, an element or a component of a cell, or a part of one when t is an array.
static inline Node *gen_place(Gen *g, Node *t, int depth)
{
    Session *cx = g->cx;
    Node *n = gen_size(g), *other = gen_scalar_type(g);
    switch (pick(g, 5)) {
    case 0:
        return core_ref_at(cx, core_new(cx, gen(g, type_array(cx, n, t), depth)),
                           gen(g, type_idx(cx, n), depth));
    case 1: {
        Node *pair = type_tuple(cx, 2, (Node *[]){other, t});
        return core_ref_proj(cx, core_new(cx, gen(g, pair, depth)), 1);
    }
    case 2:
        if (t->kind == TYPE_ARRAY) {
            Node *whole = type_array(cx, nat_add(cx, n, t->op[0]), t->op[1]);
            return core_ref_slice(cx, n, t->op[0], core_new(cx, gen(g, whole, depth)));
        }
        break;
    case 3:
        if (t->kind == TYPE_SCALAR) {
            Node *all = core_new(cx, gen(g, type_varying(cx, n, t), depth));
            return core_pattern(cx, CORE_REF_LANE, 0, 2,
                                (Node *[]){all, gen(g, type_idx(cx, n), depth)});
        }
        break;
    default: break;
    }
    return core_new(cx, gen(g, t, depth));
}

// A loop: one that counts, or one that is left at once. Or a hint.
static inline Node *gen_loop(Gen *g, int depth)
{
    Session *cx = g->cx;
    Node *i64 = type_scalar(cx, SCALAR_I64), *i32 = type_scalar(cx, SCALAR_I32);
    Node *unit = type_tuple(cx, 0, NULL), *leave = type_continuation(cx, unit);
    Node *from = gen(g, i64, depth), *to = gen(g, i64, depth), *many = gen(g, i32, depth);
    Node *body = gen_lam(g, 1, &i64, unit, depth);
    switch (pick(g, 6)) {
    case 0: return core_range(cx, from, to, body);
    case 4: {
        Node *n = gen_size(g), *place = gen_place(g, type_array(cx, n, i32), depth);
        Node *ops[2] = {place, gen(g, type_idx(cx, n), depth)};
        return core_pattern(cx, CORE_PREFETCH, 0, 2, ops);
    }
    case 1: return core_pattern(cx, CORE_PARALLEL, 0, 4, (Node *[]){many, from, to, body});
    case 2: return core_vectorize(cx, many, from, to, body);
    case 3:
        return core_pattern(cx, CORE_SYNC, 0, 1,
                            (Node *[]){core_pattern(cx, CORE_SPAWN, 0, 1,
                                                    (Node *[]){gen_lam(g, 0, NULL, unit, depth)})});
    default: {
        Node *first = gen_under(g, leave, i64, depth);
        Node *body_once = core_seq(
            cx, first, core_pattern(cx, CORE_JUMP, 0, 1, (Node *[]){core_var(cx, 0, leave)}));
        return core_label(cx, session_sym(cx, "brk"), unit, core_forever(cx, body_once));
    }
    }
}

// State and control.
static inline Node *gen_effect(Gen *g, Node *t, int depth)
{
    Session *cx = g->cx;
    Node *boolean = type_scalar(cx, SCALAR_BOOL), *k = type_continuation(cx, t);
    switch (pick(g, 9)) {
    case 6: {
        Node *said[3] = {gen(g, boolean, depth), core_text(cx, "`a` \\ \"b\""), gen(g, t, depth)};
        return core_seq(cx, core_assert(cx, 3, said, NO_SPAN), gen(g, t, depth));
    }
    case 7: {
        Node *printed[2] = {core_text(cx, "x = "), gen(g, t, depth)};
        return core_seq(cx, core_line(cx, 2, printed, NULL), gen(g, t, depth));
    }
    case 0: {
        Node *place = gen_place(g, t, depth), *var = core_var(cx, 0, place->type);
        Node *value = gen_under(g, place->type, t, depth);
        Node *read = core_get(cx, pick(g, 2) ? core_borrow(cx, var) : var);
        return core_let(cx, session_sym(cx, "p"), place,
                        core_seq(cx, core_set(cx, var, value), read));
    }
    case 1: {
        Node *c = gen_under(g, k, boolean, depth), *v = gen_under(g, k, t, depth);
        Node *last = gen_under(g, k, t, depth), *label = core_var(cx, 0, k);
        Node *leave = type_is_unit(t) ? core_pattern(cx, CORE_JUMP, 0, 1, (Node *[]){label})
                                      : core_pattern(cx, CORE_JUMP, 0, 2, (Node *[]){label, v});
        return core_label(cx, session_sym(cx, "x"), NULL, core_if(cx, c, leave, last));
    }
    case 2: return core_seq(cx, gen_loop(g, depth), gen(g, t, depth));
    case 3: return core_hide(cx, gen(g, t, depth));
    case 4: return core_pattern(cx, CORE_UNDEFINED, 0, 1, &t);
    case 5: { // a size whose name is its own
        Sym name = sym_fresh(cx->syms, "size");
        Node *three = core_int(cx, type_scalar(cx, SCALAR_I64), 3);
        Node *value = core_to_idx(cx, three, nat_const(cx, 9), NO_SPAN);
        Node *size = core_size(cx, nat_var(cx, name));
        return core_open(cx, name, value, core_seq(cx, size, gen(g, t, depth)));
    }
    default:
        return core_if(cx, core_known(cx, gen(g, t, depth)), gen(g, t, depth), gen(g, t, depth));
    }
}

// Forms that every type allows.
static inline Node *gen_common(Gen *g, Node *t, int depth)
{
    Session *cx = g->cx;
    Node *other = gen_type(g, 1);
    switch (pick(g, 9)) {
    case 0:
        return core_if(cx, gen(g, type_scalar(cx, SCALAR_BOOL), depth), gen(g, t, depth),
                       gen(g, t, depth));
    case 1: {
        Node *value = gen(g, other, depth);
        Node *body = gen_under(g, other, t, depth);
        return core_let(cx, pick(g, 4) ? session_sym(cx, pick(g, 2) ? "x" : "t") : NULL, value,
                        body);
    }
    case 2: {
        Node *parts[] = {other, t};
        return core_proj(cx, gen(g, type_tuple(cx, 2, parts), depth), 1);
    }
    case 3: {
        Node *n = gen_size(g);
        return core_pattern(
            cx, CORE_INDEX, 0, 2,
            (Node *[]){gen(g, type_array(cx, n, t), depth), gen(g, type_idx(cx, n), depth)});
    }
    case 4:
        return core_app(cx, gen_lam(g, 1, &other, t, depth), 1, (Node *[]){gen(g, other, depth)});
    case 5:
    case 6: return gen_effect(g, t, depth);
    case 7:
        return core_pattern(cx, CORE_ITERATE, 0, 3,
                            (Node *[]){gen_size(g), gen_lam(g, 1, &t, t, depth), gen(g, t, depth)});
    default: {
        Node *generics[] = {gen_size(g), type_array(cx, gen_size(g), t), gen_nat(g, "m")};
        Node *f = core_global(cx, session_sym(cx, "std.f"), pick(g, 4), generics,
                              type_fun(cx, 1, &other, t));
        return core_app(cx, f, 1, (Node *[]){gen(g, other, depth)});
    }
    }
}

// A term of type `t` over the variables in scope.
static inline Node *gen(Gen *g, Node *t, int depth)
{
    Node *var = pick(g, 2) ? gen_variable(g, t) : NULL;
    if (var) return var;
    if (depth <= 0) return gen_leaf(g, t);
    Node *e = NULL;
    if (pick(g, 3) == 0)
        e = gen_common(g, t, depth - 1);
    else if (t->kind == TYPE_SCALAR)
        e = gen_scalar(g, t, depth - 1);
    else if (t->kind == TYPE_VEC)
        e = gen_vector(g, t, depth - 1);
    else if (t->kind == TYPE_ARRAY)
        e = gen_array(g, t, depth - 1);
    else if (t->kind == TYPE_TUPLE || t->kind == TYPE_STRUCT) {
        Node *parts[8];
        for (uint32_t i = 0; i < t->nops; i++) parts[i] = gen(g, t->op[i], depth - 1);
        e = core_tuple(g->cx, (int)t->nops, parts, t->kind == TYPE_STRUCT ? t : NULL);
    } else
        e = core_to_idx(g->cx, gen(g, type_scalar(g->cx, SCALAR_I64), depth - 1), t->op[0],
                        NO_SPAN);
    if (e->kind == CORE_MAP && pick(g, 3) == 0) e = node_with_variant(g->cx, e, VARIANT_SEQ);
    return e;
}

// A function with sizes n and m and a few parameters.
static inline Function *gen_function(Session *cx, unsigned seed, int depth)
{
    Gen g = {.cx = cx, .seed = seed};
    Function *f = ARENA_NEW(cx->arena, Function);
    f->name = session_sym(cx, "f");
    f->entry = seed % 2;
    Sym kind = session_sym(cx, "nat");
    vec_push(cx->arena, &f->generics, ((Generic){session_sym(cx, "n"), kind}));
    vec_push(cx->arena, &f->generics, ((Generic){session_sym(cx, "m"), kind}));
    // With n = 0, n*m/n is not m.
    for (int i = 0; i < 2; i++)
        vec_push(cx->arena, &f->where,
                 ((SizeCheck){.relation = SIZE_LE,
                              .left = nat_const(cx, 1),
                              .right = gen_nat(&g, i ? "n" : "m")}));
    static const char *const names[] = {"x", "ys", "x"};
    int n = pick(&g, 4);
    for (int i = 0; i < n; i++) {
        Node *t = gen_type(&g, 2);
        vec_push(cx->arena, &f->params, ((Param){.name = session_sym(cx, names[i]), .type = t}));
        vec_push(cx->arena, &g.scope, t);
    }
    f->result = gen_type(&g, 2);
    f->body = gen(&g, f->result, depth);
    return f;
}

#endif
