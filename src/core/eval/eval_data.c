// Scalars, tuples and arrays, computed from the values of their operands.
#include "core/eval/eval.h"

bool eval_literal(Eval *ev, Node *e, Scope s, Value *out)
{
    bool is_float = scalar_info[scope_scalar(ev, s, e->type)].class == CLASS_FLOAT;
    *out = value_atom(e->attr.bits);
    if (is_float && ev->algebra == ALGEBRA_FIELD)
        out->bits = field_from_double(float_value(e->attr.bits));
    else if (is_float)
        out->bits = float_bits(float_value(e->attr.bits));
    return true;
}

void eval_note_bits(Eval *ev, Prim op, Scalar type)
{
    bool reads = op == PRIM_TO_BITS && scalar_info[type].class == CLASS_FLOAT;
    if (ev->algebra == ALGEBRA_FIELD && (reads || op == PRIM_FROM_BITS))
        ev->outcome.has_field_bits = true;
}

bool eval_operator(Eval *ev, Node *e, Scope s, Value *out)
{
    uint64_t args[PRIM_OPERANDS] = {0};
    CHECK(ev->cx, e->nops <= PRIM_OPERANDS, "an operator with %u operands", e->nops);
    for (uint32_t i = 0; i < e->nops; i++) {
        Value v;
        if (!eval_term(ev, e->op[i], s, &v)) return false;
        args[i] = v.bits;
    }
    DiagCode code;
    *out = value_atom(0);
    Scalar type = scope_scalar(ev, s, e->op[0]->type);
    eval_note_bits(ev, (Prim)e->attr.i, type);
    if (eval_prim((Prim)e->attr.i, type, ev->algebra, args, &out->bits, &code)) return true;
    return eval_fail(ev, code, e->origin, "%s", diag_title(code));
}

// Evaluates an integer as an idx[n]; also used for a cast to idx[n].
bool eval_to_idx(Eval *ev, Node *e, Scope s, Value *out)
{
    int64_t n;
    if (!eval_term(ev, e->op[0], s, out) || !scope_size(ev, s, e->type->op[0], e->origin, &n))
        return false;
    int64_t i = (int64_t)out->bits;
    if (i >= 0 && i < n) return true;
    if (e->type == type_own_size(ev->cx))
        return eval_fail(ev, E0604, e->origin, "a size is %lld", (long long)i);
    return eval_fail(ev, E0601, e->origin, "index %lld, but there %s %lld element%s", (long long)i,
                     n == 1 ? "is" : "are", (long long)n, n == 1 ? "" : "s");
}

bool eval_cast_term(Eval *ev, Node *e, Scope s, Value *out)
{
    if (scope_type(ev, s, e->type)->kind == TYPE_IDX) return eval_to_idx(ev, e, s, out);
    if (!eval_term(ev, e->op[0], s, out)) return false;
    Scalar from = scope_scalar(ev, s, e->op[0]->type), to = scope_scalar(ev, s, e->type);
    *out = value_atom(eval_cast(from, to, ev->algebra, out->bits));
    return true;
}

bool eval_size(Eval *ev, Node *e, Scope s, Value *out)
{
    int64_t n;
    if (!scope_size(ev, s, e->op[0], e->origin, &n)) return false;
    *out = value_atom((uint64_t)n);
    return true;
}

// --- tuples and arrays -------------------------------------------------------------------------

bool eval_list(Eval *ev, Node *e, Scope s, Value *out)
{
    if (!eval_parts(ev, e->nops, e->origin, out)) return false;
    for (uint32_t i = 0; i < e->nops; i++)
        if (!eval_term(ev, e->op[i], s, &out->parts[i])) return false;
    return true;
}

bool eval_index(Eval *ev, Node *e, Scope s, Value *out)
{
    Value xs, i;
    if (!eval_term(ev, e->op[0], s, &xs) || !eval_term(ev, e->op[1], s, &i)) return false;
    CHECK(ev->cx, i.bits < (uint64_t)xs.count, "an idx of %lld in an array of %lld elements",
          (long long)i.bits, (long long)xs.count);
    *out = xs.parts[i.bits];
    return true;
}

bool eval_proj(Eval *ev, Node *e, Scope s, Value *out)
{
    Value v;
    if (!eval_term(ev, e->op[0], s, &v)) return false;
    CHECK(ev->cx, e->attr.i >= 0 && e->attr.i < v.count, "component %d of %d", (int)e->attr.i,
          (int)v.count);
    *out = v.parts[e->attr.i];
    return true;
}
