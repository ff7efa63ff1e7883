// Patterns, most of which apply a function. Applications run one after another, in order.
#include "core/eval/eval.h"

typedef struct {
    Node *e;
    Scope scope;
    Closure *f;
    Scratch scratch; // memory for applications of the function
} Pattern;

static bool eval_function(Eval *ev, Pattern *p, Node *operand)
{
    Value v;
    if (!eval_term(ev, operand, p->scope, &v)) return false;
    p->f = closure_of(&v);
    return true;
}

// f(args...)
static bool apply(Eval *ev, Pattern *p, const Value *args, int n, Value *out)
{
    if (!type_is_data(p->e->type)) return eval_apply(ev, p->f, args, n, p->e->origin, out);
    scratch_enter(ev, &p->scratch);
    bool ok = eval_apply(ev, p->f, args, n, p->e->origin, out);
    scratch_leave(ev, &p->scratch, ok ? out : NULL);
    return ok;
}

// map(f, xs)[i] = f(xs[i])
static bool eval_map(Eval *ev, Pattern *p, Value *out)
{
    Value xs;
    if (!eval_function(ev, p, p->e->op[0]) || !eval_term(ev, p->e->op[1], p->scope, &xs))
        return false;
    if (!eval_parts(ev, xs.count, p->e->origin, out)) return false;
    for (int64_t i = 0; i < xs.count; i++)
        if (!apply(ev, p, &xs.parts[i], 1, &out->parts[i])) return false;
    return true;
}

// generate(n, f)[i] = f(i)
static bool eval_generate(Eval *ev, Pattern *p, Value *out)
{
    int64_t n;
    if (!scope_size(ev, p->scope, p->e->op[0], p->e->origin, &n) ||
        !eval_function(ev, p, p->e->op[1]))
        return false;
    if (!eval_parts(ev, n, p->e->origin, out)) return false;
    for (int64_t i = 0; i < n; i++) {
        Value index = value_atom((uint64_t)i);
        if (!apply(ev, p, &index, 1, &out->parts[i])) return false;
    }
    return true;
}

// reduce and fold: f(... f(f(z, xs[0]), xs[1]) ..., xs[n - 1])
static bool eval_fold(Eval *ev, Pattern *p, Value *out)
{
    Value args[2], xs;
    if (!eval_function(ev, p, p->e->op[0]) || !eval_term(ev, p->e->op[1], p->scope, &args[0]))
        return false;
    if (!eval_term(ev, p->e->op[2], p->scope, &xs)) return false;
    for (int64_t i = 0; i < xs.count; i++) {
        args[1] = xs.parts[i];
        if (!apply(ev, p, args, 2, &args[0])) return false;
    }
    *out = args[0];
    return true;
}

// scan collects the accumulators of a fold after each step, scan_ex before each step.
static bool eval_scan(Eval *ev, Pattern *p, Value *out)
{
    Value args[2], xs;
    bool inclusive = p->e->kind == CORE_SCAN;
    if (!eval_function(ev, p, p->e->op[0]) || !eval_term(ev, p->e->op[1], p->scope, &args[0]))
        return false;
    if (!eval_term(ev, p->e->op[2], p->scope, &xs) || !eval_parts(ev, xs.count, p->e->origin, out))
        return false;
    for (int64_t i = 0; i < xs.count; i++) {
        if (!inclusive) out->parts[i] = args[0];
        if (!inclusive && i == xs.count - 1) break; // the last accumulator is not needed
        args[1] = xs.parts[i];
        if (!apply(ev, p, args, 2, &args[0])) return false;
        if (inclusive) out->parts[i] = args[0];
    }
    return true;
}

// iterate[k](f, x) = f(f(... x))
static bool eval_iterate(Eval *ev, Pattern *p, Value *out)
{
    int64_t k;
    if (!scope_size(ev, p->scope, p->e->op[0], p->e->origin, &k)) return false;
    if (k < 0) return eval_fail(ev, E0604, p->e->origin, "iterate %lld times", (long long)k);
    if (!eval_function(ev, p, p->e->op[1]) || !eval_term(ev, p->e->op[2], p->scope, out))
        return false;
    for (int64_t i = 0; i < k; i++) {
        Value x = *out;
        if (!eval_charge(ev, 1, p->e->origin) || !apply(ev, p, &x, 1, out)) return false;
    }
    return true;
}

// Evaluates idx and xs of a scatter, and sets *n to the length of the result.
static bool scatter_operands(Eval *ev, Pattern *p, int first, Value *idx, Value *xs, int64_t *n)
{
    Node *e = p->e;
    if (!eval_term(ev, e->op[first], p->scope, idx) ||
        !eval_term(ev, e->op[first + 1], p->scope, xs))
        return false;
    if (!scope_size(ev, p->scope, e->type->op[0], e->origin, n)) return false;
    if (idx->count != xs->count)
        return eval_fail(ev, E0604, e->origin, "%lld targets for %lld elements",
                         (long long)idx->count, (long long)xs->count);
    for (int64_t i = 0; i < idx->count; i++)
        CHECK(ev->cx, idx->parts[i].bits < (uint64_t)*n, "an idx out of range in scatter");
    return true;
}

// scatter(idx, xs)[idx[i]] = xs[i] for distinct targets, and zero elsewhere
static bool eval_scatter(Eval *ev, Pattern *p, Value *out)
{
    Value idx, xs, zero;
    int64_t n;
    if (!scatter_operands(ev, p, 0, &idx, &xs, &n)) return false;
    if (!eval_zero(ev, scope_type(ev, p->scope, p->e->type->op[1]), p->e->origin, &zero))
        return false;
    if (!eval_parts(ev, n, p->e->origin, out)) return false;
    bool *seen = ARENA_ARRAY(ev->arena, bool, n);
    for (int64_t i = 0; i < n; i++) out->parts[i] = zero;
    for (int64_t i = 0; i < idx.count; i++) {
        uint64_t to = idx.parts[i].bits;
        if (seen[to])
            return eval_fail(ev, E0603, p->e->origin, "element %lld is written twice",
                             (long long)to);
        seen[to] = true;
        out->parts[to] = xs.parts[i];
    }
    return true;
}

// scatter_with(op, z, idx, xs): fills the result r with z, then assigns op(r[idx[i]], xs[i]) to
// r[idx[i]] for each i, in order.
static bool eval_scatter_with(Eval *ev, Pattern *p, Value *out)
{
    Value z, idx, xs;
    int64_t n;
    if (!eval_function(ev, p, p->e->op[0]) || !eval_term(ev, p->e->op[1], p->scope, &z))
        return false;
    if (!scatter_operands(ev, p, 2, &idx, &xs, &n) || !eval_parts(ev, n, p->e->origin, out))
        return false;
    for (int64_t i = 0; i < n; i++) out->parts[i] = z;
    for (int64_t i = 0; i < idx.count; i++) {
        uint64_t to = idx.parts[i].bits;
        Value args[2] = {out->parts[to], xs.parts[i]};
        if (!apply(ev, p, args, 2, &out->parts[to])) return false;
    }
    return true;
}

static bool eval_kind(Eval *ev, Pattern *p, Value *out)
{
    switch ((Kind)p->e->kind) {
    case CORE_MAP: return eval_map(ev, p, out);
    case CORE_GENERATE: return eval_generate(ev, p, out);
    case CORE_REDUCE:
    case CORE_FOLD: return eval_fold(ev, p, out);
    case CORE_SCAN:
    case CORE_SCAN_EX: return eval_scan(ev, p, out);
    case CORE_ITERATE: return eval_iterate(ev, p, out);
    case CORE_SCATTER: return eval_scatter(ev, p, out);
    default: return eval_scatter_with(ev, p, out);
    }
}

bool eval_pattern(Eval *ev, Node *e, Scope s, Value *out)
{
    Pattern p = {.e = e, .scope = s};
    bool ok = eval_kind(ev, &p, out);
    scratch_end(ev, &p.scratch);
    return ok;
}
