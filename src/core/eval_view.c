// Views: every element of the result is an element of an argument (views.h, column get).
#include "core/eval.h"

typedef struct {
    Node *e;
    Scope scope;
} View;

static bool operand(Eval *ev, const View *v, int k, Value *out)
{
    return eval_term(ev, v->e->op[k], v->scope, out);
}

static bool size(Eval *ev, const View *v, int k, int64_t *n)
{
    return scope_size(ev, v->scope, v->e->op[k], v->e->origin, n);
}

static bool parts(Eval *ev, const View *v, int64_t n, Value *out)
{
    return eval_parts(ev, n, v->e->origin, out);
}

// Conditions on sizes that inference makes checks of; here they hold or are an error.
static bool require(Eval *ev, const View *v, bool condition, const char *what)
{
    if (condition) return true;
    return eval_fail(ev, E0604, v->e->origin, "%s: %s", kind_info[v->e->kind].text, what);
}

// zip(a, b)[i] = (a[i], b[i])
static bool eval_zip(Eval *ev, const View *v, Value *out)
{
    int nops = (int)v->e->nops;
    Value *args = ARENA_ARRAY(ev->arena, Value, nops);
    for (int k = 0; k < nops; k++) {
        if (!operand(ev, v, k, &args[k])) return false;
        if (!require(ev, v, args[k].count == args[0].count, "arrays of different lengths"))
            return false;
    }
    if (!parts(ev, v, args[0].count, out)) return false;
    for (int64_t i = 0; i < out->count; i++) {
        if (!parts(ev, v, nops, &out->parts[i])) return false;
        for (int k = 0; k < nops; k++) out->parts[i].parts[k] = args[k].parts[i];
    }
    return true;
}

// unzip(xs).k[i] = xs[i].k
static bool eval_unzip(Eval *ev, const View *v, Value *out)
{
    Value xs;
    if (!operand(ev, v, 0, &xs) || !parts(ev, v, v->e->type->nops, out)) return false;
    for (int64_t k = 0; k < out->count; k++) {
        if (!parts(ev, v, xs.count, &out->parts[k])) return false;
        for (int64_t i = 0; i < xs.count; i++) out->parts[k].parts[i] = xs.parts[i].parts[k];
    }
    return true;
}

// split[m](xs)[i][j] = xs[i*m + j]
static bool eval_split(Eval *ev, const View *v, Value *out)
{
    int64_t m, n;
    Value xs;
    if (!size(ev, v, 0, &m) || !operand(ev, v, 1, &xs)) return false;
    if (!scope_size(ev, v->scope, v->e->type->op[0], v->e->origin, &n) || !parts(ev, v, n, out))
        return false;
    int64_t all;
    bool fits = m >= 0 && !__builtin_mul_overflow(n, m, &all) && all == xs.count;
    if (!require(ev, v, fits, "the length is no multiple of the parts'")) return false;
    for (int64_t i = 0; i < n; i++)
        out->parts[i] = (Value){.count = m, .parts = m ? xs.parts + i * m : NULL};
    return true;
}

// join(xs)[i*m + j] = xs[i][j]
static bool eval_join(Eval *ev, const View *v, Value *out)
{
    Value xs;
    int64_t n = 0, at = 0;
    if (!operand(ev, v, 0, &xs)) return false;
    for (int64_t i = 0; i < xs.count; i++) n += xs.parts[i].count;
    if (!parts(ev, v, n, out)) return false;
    for (int64_t i = 0; i < xs.count; i++)
        for (int64_t j = 0; j < xs.parts[i].count; j++) out->parts[at++] = xs.parts[i].parts[j];
    return true;
}

// transpose(xs)[j][i] = xs[i][j]; without rows the type says how many columns there are
static bool eval_transpose(Eval *ev, const View *v, Value *out)
{
    Value xs;
    int64_t m;
    if (!operand(ev, v, 0, &xs) || !scope_size(ev, v->scope, v->e->type->op[0], v->e->origin, &m))
        return false;
    if (!parts(ev, v, m, out)) return false;
    for (int64_t j = 0; j < m; j++) {
        if (!parts(ev, v, xs.count, &out->parts[j])) return false;
        for (int64_t i = 0; i < xs.count; i++) out->parts[j].parts[i] = xs.parts[i].parts[j];
    }
    return true;
}

// slide[s, t](xs)[i][j] = xs[i*t + j]
static bool eval_slide(Eval *ev, const View *v, Value *out)
{
    int64_t width, step;
    Value xs;
    if (!size(ev, v, 0, &width) || !size(ev, v, 1, &step) || !operand(ev, v, 2, &xs)) return false;
    if (!require(ev, v, width >= 0 && step > 0, "a step that is not positive")) return false;
    if (!require(ev, v, width - step <= xs.count, "windows longer than the array")) return false;
    int64_t n = (xs.count - (width - step)) / step;
    if (!parts(ev, v, n, out)) return false;
    for (int64_t i = 0; i < n; i++)
        out->parts[i] = (Value){.count = width, .parts = width ? xs.parts + i * step : NULL};
    return true;
}

static int64_t floor_mod(int64_t a, int64_t n)
{
    return (a % n + n) % n;
}

// Where pad reads position i, counted from the first element of the array, in [0, n).
static int64_t border(PadMode mode, int64_t i, int64_t n)
{
    int64_t m;
    switch (mode) {
    case PAD_CLAMP: return i < 0 ? 0 : i >= n ? n - 1 : i;
    case PAD_MIRROR: // the edge is repeated: -1 reads 0, n reads n - 1, and so on with period 2n
        m = floor_mod(i, 2 * n);
        return m < n ? m : 2 * n - 1 - m;
    case PAD_WRAP: return floor_mod(i, n);
    case PAD_CONST:
    case PAD_MODE_COUNT: break;
    }
    return 0;
}

static bool eval_pad(Eval *ev, const View *v, Value *out)
{
    PadMode mode = (PadMode)v->e->attr.i;
    int64_t l, r;
    Value xs, value = {0};
    if (!size(ev, v, 0, &l) || !size(ev, v, 1, &r)) return false;
    if (mode == PAD_CONST && !operand(ev, v, 2, &value)) return false;
    if (!operand(ev, v, mode == PAD_CONST ? 3 : 2, &xs)) return false;
    if (!require(ev, v, l >= 0 && r >= 0, "a negative width")) return false;
    bool readable = mode == PAD_CONST || xs.count > 0 || (l == 0 && r == 0);
    if (!require(ev, v, readable, "the border of an empty array")) return false;
    int64_t total;
    if (__builtin_add_overflow(l, r, &total) || __builtin_add_overflow(total, xs.count, &total))
        return eval_fail(ev, E0607, v->e->origin, "the padded array is too large");
    if (!parts(ev, v, total, out)) return false;
    for (int64_t i = 0; i < total; i++) {
        bool inside = i >= l && i - l < xs.count;
        out->parts[i] = inside              ? xs.parts[i - l]
                        : mode == PAD_CONST ? value
                                            : xs.parts[border(mode, i - l, xs.count)];
    }
    return true;
}

static bool eval_concat(Eval *ev, const View *v, Value *out)
{
    Value a, b;
    if (!operand(ev, v, 0, &a) || !operand(ev, v, 1, &b) || !parts(ev, v, a.count + b.count, out))
        return false;
    for (int64_t i = 0; i < out->count; i++)
        out->parts[i] = i < a.count ? a.parts[i] : b.parts[i - a.count];
    return true;
}

static bool eval_repeat(Eval *ev, const View *v, Value *out)
{
    int64_t n;
    Value x;
    if (!size(ev, v, 0, &n) || !operand(ev, v, 1, &x) || !parts(ev, v, n, out)) return false;
    for (int64_t i = 0; i < n; i++) out->parts[i] = x;
    return true;
}

bool eval_part(Eval *ev, const Value *array, int64_t offset, int64_t length, Span span, Value *out)
{
    if (offset < 0 || length < 0 || offset > array->count || length > array->count - offset)
        return eval_fail(ev, E0604, span, "slice: a part that is not inside the array");
    *out = (Value){.count = length, .parts = length ? array->parts + offset : NULL};
    return true;
}

// slice[o, m](xs)[i] = xs[o + i]
static bool eval_slice(Eval *ev, const View *v, Value *out)
{
    int64_t offset, length;
    Value xs;
    if (!size(ev, v, 0, &offset) || !size(ev, v, 1, &length) || !operand(ev, v, 2, &xs))
        return false;
    return eval_part(ev, &xs, offset, length, v->e->origin, out);
}

static bool eval_reverse(Eval *ev, const View *v, Value *out)
{
    Value xs;
    if (!operand(ev, v, 0, &xs) || !parts(ev, v, xs.count, out)) return false;
    for (int64_t i = 0; i < xs.count; i++) out->parts[i] = xs.parts[xs.count - 1 - i];
    return true;
}

// rotate(k, xs)[i] = xs[(i - k) mod n]
static bool eval_rotate(Eval *ev, const View *v, Value *out)
{
    Value k, xs;
    if (!operand(ev, v, 0, &k) || !operand(ev, v, 1, &xs) || !parts(ev, v, xs.count, out))
        return false;
    for (int64_t i = 0; i < xs.count; i++) {
        int64_t shift = floor_mod((int64_t)k.bits % xs.count, xs.count);
        out->parts[i] = xs.parts[floor_mod(i - shift, xs.count)];
    }
    return true;
}

// gather(idx, xs)[i] = xs[idx[i]]
static bool eval_gather(Eval *ev, const View *v, Value *out)
{
    Value idx, xs;
    if (!operand(ev, v, 0, &idx) || !operand(ev, v, 1, &xs) || !parts(ev, v, idx.count, out))
        return false;
    for (int64_t i = 0; i < idx.count; i++) {
        CHECK(ev->cx, idx.parts[i].bits < (uint64_t)xs.count, "an idx out of range in gather");
        out->parts[i] = xs.parts[idx.parts[i].bits];
    }
    return true;
}

// permute(p, q, xs)[i] = xs[p(i)], where q(p(i)) = i
static bool eval_permute(Eval *ev, const View *v, Value *out)
{
    Value p, q, xs;
    if (!operand(ev, v, 0, &p) || !operand(ev, v, 1, &q) || !operand(ev, v, 2, &xs) ||
        !parts(ev, v, xs.count, out))
        return false;
    for (int64_t i = 0; i < xs.count; i++) {
        Value index = value_atom((uint64_t)i), from, back;
        if (!eval_apply(ev, closure_of(&p), &index, 1, v->e->origin, &from) ||
            !eval_apply(ev, closure_of(&q), &from, 1, v->e->origin, &back))
            return false;
        if (back.bits != index.bits)
            return eval_fail(ev, E0611, v->e->origin,
                             "permute takes index %lld from %lld, and %lld to %lld", (long long)i,
                             (long long)from.bits, (long long)from.bits, (long long)back.bits);
        CHECK(ev->cx, from.bits < (uint64_t)xs.count, "an idx out of range in permute");
        out->parts[i] = xs.parts[from.bits];
    }
    return true;
}

bool eval_view(Eval *ev, Node *e, Scope s, Value *out)
{
    View v = {.e = e, .scope = s};
    switch ((Kind)e->kind) {
    case VIEW_ZIP: return eval_zip(ev, &v, out);
    case VIEW_UNZIP: return eval_unzip(ev, &v, out);
    case VIEW_SPLIT:
    case VIEW_AS_VECTOR: return eval_split(ev, &v, out); // in memory a vector is a row
    case VIEW_AS_SCALAR:
    case VIEW_JOIN: return eval_join(ev, &v, out);
    case VIEW_TRANSPOSE: return eval_transpose(ev, &v, out);
    case VIEW_SLIDE: return eval_slide(ev, &v, out);
    case VIEW_PAD: return eval_pad(ev, &v, out);
    case VIEW_CONCAT: return eval_concat(ev, &v, out);
    case VIEW_REPEAT: return eval_repeat(ev, &v, out);
    case VIEW_SLICE: return eval_slice(ev, &v, out);
    case VIEW_REVERSE: return eval_reverse(ev, &v, out);
    case VIEW_ROTATE: return eval_rotate(ev, &v, out);
    case VIEW_GATHER: return eval_gather(ev, &v, out);
    case VIEW_CIRCULAR: return operand(ev, &v, 1, out);
    default: return eval_permute(ev, &v, out);
    }
}
