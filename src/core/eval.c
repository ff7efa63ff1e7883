// The reference interpreter: the meaning of Core, slow and obvious. Low Core means the same:
// variants, to_mem and copy say nothing about values.
//
// Everything is evaluated eagerly but branches of `if`, so an error in an element that nobody reads
// is an error here, which compiled code need not find. Steps, and the parts of values that are
// made, use up fuel.
#include "core/eval.h"

enum { MAX_DEPTH = 5000 };

bool eval_fail(Eval *ev, DiagCode code, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(ev->keep, format, args);
    va_end(args);
    ev->outcome = (Outcome){.code = code, .span = span, .text = text};
    return false;
}

bool eval_charge(Eval *ev, int64_t steps, Span span)
{
    if (steps >= ev->fuel) {
        ev->fuel = 0;
        return eval_fail(ev, E0605, span, "the evaluation takes too many steps");
    }
    ev->fuel -= steps;
    return true;
}

bool eval_parts(Eval *ev, int64_t count, Span span, Value *out)
{
    if (count < 0) return eval_fail(ev, E0604, span, "a size is %lld", (long long)count);
    if (!eval_charge(ev, count, span)) return false;
    *out = (Value){.count = count};
    if (count) out->parts = ARENA_ARRAY(ev->arena, Value, count);
    return true;
}

static _Noreturn void fault(Eval *ev, Node *e)
{
    session_ice(ev->cx, __FILE__, __LINE__, "cannot evaluate %s", term_show(ev->cx, e, NULL, 0));
}

// --- functions ---------------------------------------------------------------------------------

static Value closure(Eval *ev, Scope s, Node *lam)
{
    Closure *c = ARENA_NEW(ev->arena, Closure);
    *c = (Closure){.scope = s, .lam = lam};
    return value_atom((uint64_t)(uintptr_t)c);
}

bool eval_apply(Eval *ev, Closure *f, const Value *args, int n, Value *out)
{
    Scope s = f->scope;
    int64_t nparams = f->lam ? f->lam->attr.i : s.in->f->params.len;
    CHECK(ev->cx, nparams == n, "a function of %d parameters is applied to %d arguments",
          (int)nparams, n);
    for (int i = 0; i < n; i++) {
        struct Bound *b = ARENA_NEW(ev->arena, struct Bound);
        *b = (struct Bound){args[i], s.vars};
        s.vars = b;
    }
    return eval_term(ev, f->lam ? f->lam->op[0] : s.in->f->body, s, out);
}

static bool eval_app(Eval *ev, Node *e, Scope s, Value *out)
{
    Value f, *args = ARENA_ARRAY(ev->arena, Value, e->nops);
    if (!eval_term(ev, e->op[0], s, &f)) return false;
    for (uint32_t i = 1; i < e->nops; i++)
        if (!eval_term(ev, e->op[i], s, &args[i - 1])) return false;
    return eval_apply(ev, (Closure *)(uintptr_t)f.bits, args, (int)e->nops - 1, out);
}

static Instance *instance_of(Eval *ev, Node *e, Scope s)
{
    const Function *f = ev->program ? map_get(&ev->program->by_name, MAP_KEY(e->attr.sym)) : NULL;
    CHECK(ev->cx, f && f->generics.len == (int)e->nops, "no function %s with %u generic arguments",
          e->attr.sym->text, e->nops);
    NodeBinding *generics = ARENA_ARRAY(ev->arena, NodeBinding, e->nops);
    for (uint32_t i = 0; i < e->nops; i++) {
        int64_t n;
        generics[i].name = f->generics.at[i].name;
        if (!(kind_info[e->op[i]->kind].levels & LEVEL_NAT)) {
            generics[i].value = scope_type(ev, s, e->op[i]);
            continue;
        }
        if (!scope_size(ev, s, e->op[i], e->origin, &n)) return NULL;
        generics[i].value = nat_const(ev->cx, n);
    }
    return eval_instance(ev, f, generics, (int)e->nops, e->origin);
}

// A function of the program as a value, or the value of a constant, computed once.
static bool eval_global(Eval *ev, Node *e, Scope s, Value *out)
{
    Instance *in = instance_of(ev, e, s);
    if (!in) return false;
    Scope inside = {.in = in};
    if (e->type->kind == TYPE_FUN && in->f->params.len) {
        *out = closure(ev, inside, NULL);
        return true;
    }
    if (!in->has_value) {
        Value v;
        if (!eval_term(ev, in->f->body, inside, &v)) return false;
        if (!type_is_data(in->f->body->type)) { // functions may refer to memory that dies
            *out = v;
            return true;
        }
        in->value = value_copy(ev->keep, &v);
        in->has_value = true;
    }
    *out = in->value;
    return true;
}

// --- scalars -----------------------------------------------------------------------------------

// The scalar type that values of this type compute as.
static Scalar scalar_of(Eval *ev, Scope s, Node *type)
{
    Scalar scalar = SCALAR_I64; // idx
    Node *closed = scope_type(ev, s, type);
    if (type_is_scalar(closed, &scalar) || closed->kind == TYPE_IDX) return scalar;
    session_ice(ev->cx, __FILE__, __LINE__, "%s is no scalar", type_show(ev->cx, closed));
}

static bool eval_literal(Eval *ev, Node *e, Scope s, Value *out)
{
    bool is_float = scalar_info[scalar_of(ev, s, e->type)].class == CLASS_FLOAT;
    *out = value_atom(e->attr.bits);
    if (is_float && ev->algebra == ALGEBRA_FIELD)
        out->bits = field_from_double(float_value(e->attr.bits));
    else if (is_float)
        out->bits = float_bits(float_value(e->attr.bits));
    return true;
}

static bool eval_operator(Eval *ev, Node *e, Scope s, Value *out)
{
    uint64_t args[2] = {0, 0};
    CHECK(ev->cx, e->nops <= 2, "an operator with %u operands", e->nops);
    for (uint32_t i = 0; i < e->nops; i++) {
        Value v;
        if (!eval_term(ev, e->op[i], s, &v)) return false;
        args[i] = v.bits;
    }
    DiagCode code;
    *out = value_atom(0);
    if (eval_prim((Prim)e->attr.i, scalar_of(ev, s, e->op[0]->type), ev->algebra, args, &out->bits,
                  &code))
        return true;
    return eval_fail(ev, code, e->origin, "%s", diag_title(code));
}

// An integer as idx[n], also where a cast says so.
static bool eval_to_idx(Eval *ev, Node *e, Scope s, Value *out)
{
    int64_t n;
    if (!eval_term(ev, e->op[0], s, out) || !scope_size(ev, s, e->type->op[0], e->origin, &n))
        return false;
    int64_t i = (int64_t)out->bits;
    if (i >= 0 && i < n) return true;
    return eval_fail(ev, E0601, e->origin, "index %lld, but there are %lld elements", (long long)i,
                     (long long)n);
}

static bool eval_cast_term(Eval *ev, Node *e, Scope s, Value *out)
{
    if (scope_type(ev, s, e->type)->kind == TYPE_IDX) return eval_to_idx(ev, e, s, out);
    if (!eval_term(ev, e->op[0], s, out)) return false;
    Scalar from = scalar_of(ev, s, e->op[0]->type), to = scalar_of(ev, s, e->type);
    *out = value_atom(eval_cast(from, to, ev->algebra, out->bits));
    return true;
}

static bool eval_size(Eval *ev, Node *e, Scope s, Value *out)
{
    int64_t n;
    if (!scope_size(ev, s, e->op[0], e->origin, &n)) return false;
    *out = value_atom((uint64_t)n);
    return true;
}

// --- tuples and arrays -------------------------------------------------------------------------

static bool eval_list(Eval *ev, Node *e, Scope s, Value *out)
{
    if (!eval_parts(ev, e->nops, e->origin, out)) return false;
    for (uint32_t i = 0; i < e->nops; i++)
        if (!eval_term(ev, e->op[i], s, &out->parts[i])) return false;
    return true;
}

static bool eval_index(Eval *ev, Node *e, Scope s, Value *out)
{
    Value xs, i;
    if (!eval_term(ev, e->op[0], s, &xs) || !eval_term(ev, e->op[1], s, &i)) return false;
    CHECK(ev->cx, i.bits < (uint64_t)xs.count, "an idx of %lld in an array of %lld elements",
          (long long)i.bits, (long long)xs.count);
    *out = xs.parts[i.bits];
    return true;
}

static bool eval_proj(Eval *ev, Node *e, Scope s, Value *out)
{
    Value v;
    if (!eval_term(ev, e->op[0], s, &v)) return false;
    CHECK(ev->cx, e->attr.i >= 0 && e->attr.i < v.count, "component %d of %d", (int)e->attr.i,
          (int)v.count);
    *out = v.parts[e->attr.i];
    return true;
}

// --- terms -------------------------------------------------------------------------------------

static bool eval_var(Eval *ev, Node *e, Scope s, Value *out)
{
    Bound *b = s.vars;
    for (int64_t i = e->attr.i; i > 0 && b; i--) b = b->outer;
    if (!b) fault(ev, e);
    *out = b->value;
    return true;
}

static bool eval_kind(Eval *ev, Node *e, Scope s, Value *out)
{
    switch ((Kind)e->kind) {
    case CORE_VAR: return eval_var(ev, e, s, out);
    case CORE_LAM: *out = closure(ev, s, e); return true;
    case CORE_APP: return eval_app(ev, e, s, out);
    case CORE_GLOBAL: return eval_global(ev, e, s, out);
    case CORE_LIT: return eval_literal(ev, e, s, out);
    case CORE_NAT: return eval_size(ev, e, s, out);
    case CORE_PRIM: return eval_operator(ev, e, s, out);
    case CORE_CAST: return eval_cast_term(ev, e, s, out);
    case CORE_TO_IDX: return eval_to_idx(ev, e, s, out);
    case CORE_TUPLE:
    case CORE_ARRAY: return eval_list(ev, e, s, out);
    case CORE_PROJ: return eval_proj(ev, e, s, out);
    case CORE_INDEX: return eval_index(ev, e, s, out);
    case CORE_MAP:
    case CORE_REDUCE:
    case CORE_FOLD:
    case CORE_SCAN:
    case CORE_SCAN_EX:
    case CORE_ITERATE:
    case CORE_GENERATE:
    case CORE_SCATTER:
    case CORE_SCATTER_WITH: return eval_pattern(ev, e, s, out);
    case VIEW_ZIP:
    case VIEW_UNZIP:
    case VIEW_SPLIT:
    case VIEW_JOIN:
    case VIEW_TRANSPOSE:
    case VIEW_SLIDE:
    case VIEW_PAD:
    case VIEW_CONCAT:
    case VIEW_REPEAT:
    case VIEW_SLICE:
    case VIEW_REVERSE:
    case VIEW_ROTATE:
    case VIEW_GATHER:
    case VIEW_PERMUTE: return eval_view(ev, e, s, out);
    case CORE_LET:
    case CORE_IF:
    case CORE_TO_MEM:
    case CORE_COPY: break; // eval_term goes on with an operand
    case KIND_NONE:
    case KIND_COUNT:
#define NODE(kind, ...) case kind:
#include "ir/nat.def"
#include "ir/type.def"
#include "ir/dpia.def"
#include "ir/loop.def"
#undef NODE
        break;
    }
    fault(ev, e);
}

// Goes through what has the value of one of its operands without recursion: lets are long chains.
static bool eval_spine(Eval *ev, Node *e, Scope s, Value *out)
{
    for (;;) {
        if (!eval_charge(ev, 1, e->origin)) return false;
        if (e->kind == CORE_LET) {
            struct Bound *b = ARENA_NEW(ev->arena, struct Bound);
            b->outer = s.vars;
            if (!eval_term(ev, e->op[0], s, &b->value)) return false;
            s.vars = b;
            e = e->op[1];
        } else if (e->kind == CORE_IF) {
            Value c;
            if (!eval_term(ev, e->op[0], s, &c)) return false;
            e = c.bits ? e->op[1] : e->op[2];
        } else if (e->kind == CORE_TO_MEM || e->kind == CORE_COPY) {
            e = e->op[0];
        } else {
            return eval_kind(ev, e, s, out);
        }
    }
}

bool eval_term(Eval *ev, Node *e, Scope s, Value *out)
{
    if (ev->depth >= MAX_DEPTH)
        return eval_fail(ev, E0605, e->origin, "calls are nested too deeply");
    ev->depth++;
    bool ok = eval_spine(ev, e, s, out);
    ev->depth--;
    return ok;
}

// --- the entry ---------------------------------------------------------------------------------

// The arguments as values of variables, once they have the shapes of their types.
static bool bind_args(Eval *ev, Scope *s, const Value *args)
{
    const Function *f = s->in->f;
    for (int i = 0; i < f->params.len; i++) {
        const Param *p = &f->params.at[i];
        Outcome o = value_check(ev->cx, ev->keep, &args[i], scope_type(ev, *s, p->type), p->name);
        if (!o.ok) {
            ev->outcome = o;
            ev->outcome.span = f->span;
            return false;
        }
        struct Bound *b = ARENA_NEW(ev->keep, struct Bound);
        *b = (struct Bound){args[i], s->vars};
        s->vars = b;
    }
    return true;
}

Outcome core_eval(Session *cx, Arena *arena, const Program *program, const Function *f,
                  const NodeBinding *generics, int ngenerics, const Value *args, Algebra algebra,
                  int64_t fuel, Value *result)
{
    Eval ev = {.cx = cx,
               .keep = arena,
               .arena = arena,
               .program = program,
               .algebra = algebra,
               .fuel = fuel,
               .fuel_at_arena = fuel,
               .outcome = {.ok = true}};
    Scope s = {.in = eval_instance(&ev, f, generics, ngenerics, f->span)};
    if (s.in && bind_args(&ev, &s, args)) eval_term(&ev, f->body, s, result);
    return ev.outcome;
}
