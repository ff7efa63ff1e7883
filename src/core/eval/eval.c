// The reference interpreter, simple but slow. It defines the meaning of Core. Low Core has the same
// meaning, since variants, to_mem and copy do not affect values.
//
// Everything except the branches of `if` is evaluated eagerly. The interpreter therefore also
// reports errors in elements that are never read, which compiled code need not compute. Steps and
// the parts of new values use up fuel.
#include "core/eval/eval.h"

static _Noreturn void fault(Eval *ev, Node *e)
{
    session_ice(ev->cx, __FILE__, __LINE__, "cannot evaluate %s", term_show(ev->cx, e, NULL, 0));
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
    case CORE_LAM: *out = eval_closure(ev, (Closure){.scope = s, .lam = e}); return true;
    case CORE_APP:
    case CORE_JUMP: return eval_app(ev, e, s, out);
    case CORE_CALL: return eval_call(ev, e, s, out);
    case CORE_GLOBAL: return eval_global(ev, e, s, out);
    case CORE_LIT: return eval_literal(ev, e, s, out);
    case CORE_NAT: return eval_size(ev, e, s, out);
    case CORE_PRIM:
        return (e->op[0]->type->kind == TYPE_VEC ? eval_lanes : eval_operator)(ev, e, s, out);
    case CORE_CAST: return (e->type->kind == TYPE_VEC ? eval_lanes : eval_cast_term)(ev, e, s, out);
#define NODE(kind, ...) case kind:
#include "ir/lanes.def"
#undef NODE
        return eval_lanes(ev, e, s, out);
    case CORE_TO_IDX: return eval_to_idx(ev, e, s, out);
    case CORE_UNDEFINED: return eval_zero(ev, scope_type(ev, s, e->type), e->origin, out);
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
#define VIEW(kind, ...) case kind:
#include "ir/view.def"
#undef VIEW
        return eval_view(ev, e, s, out);
    case CORE_NEW: return eval_new(ev, e, s, out);
    case CORE_GET: return eval_get(ev, e, s, out);
    case CORE_SET: return eval_set(ev, e, s, out);
    case CORE_REF_AT: return eval_ref_at(ev, e, s, out);
    case CORE_REF_PROJ: return eval_ref_proj(ev, e, s, out);
    case CORE_REF_SLICE: return eval_ref_slice(ev, e, s, out);
    case CORE_REF_LANE: return eval_ref_lane(ev, e, s, out);
    case CORE_LABEL: return eval_label(ev, e, s, out);
    case CORE_FOREVER: return eval_forever(ev, e, s);
    case CORE_RANGE:
    case CORE_PARALLEL:
    case CORE_VECTORIZE: return eval_loop(ev, e, s, out);
    case CORE_SPAWN: return eval_spawn(ev, e, s, out);
    case CORE_OPEN: return eval_open(ev, e, s, out);
    case CORE_SYNC: return eval_sync(ev, e, s, out);
    case CORE_PREFETCH: return eval_prefetch(ev, e, s, out);
    case CORE_ASSERT: return eval_assert(ev, e, s, out);
    case CORE_PRINT: return eval_print(ev, e, s, out);
    case CORE_TEXT: *out = (Value){0}; return true;
    case CORE_KNOWN: *out = value_atom(false); return true; // no value is known without staging
    case CORE_LET:
    case CORE_IF:
    case CORE_HIDE:
    case CORE_BORROW:
    case CORE_TO_MEM:
    case CORE_COPY: break; // handled by eval_spine
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

// Gives a failure that has no source position the position of the term. Returns false.
static bool failed_in(Eval *ev, Node *e)
{
    if (!ev->outcome.ok && !ev->outcome.span.file) ev->outcome.span = e->origin;
    return false;
}

// Evaluates a term. While its value is that of an operand, iterates instead of recursing, since
// chains of lets can be long.
static bool eval_spine(Eval *ev, Node *e, Scope s, Value *out)
{
    for (;;) {
        if (!eval_charge(ev, 1, e->origin)) return false;
        if (e->kind == CORE_LET) {
            struct Bound *b = ARENA_NEW(ev->arena, struct Bound);
            b->outer = s.vars;
            if (!eval_term(ev, e->op[0], s, &b->value)) return failed_in(ev, e);
            s.vars = b;
            e = e->op[1];
        } else if (e->kind == CORE_IF) {
            Value c;
            if (!eval_term(ev, e->op[0], s, &c)) return failed_in(ev, e);
            e = c.bits ? e->op[1] : e->op[2];
        } else if (e->kind == CORE_TO_MEM || e->kind == CORE_COPY || e->kind == CORE_HIDE ||
                   e->kind == CORE_BORROW) {
            e = e->op[0];
        } else {
            return eval_kind(ev, e, s, out) || failed_in(ev, e);
        }
    }
}

static bool eval_in_scratch(Eval *ev, Node *e, Scope s, Value *out)
{
    Scratch scratch = {0};
    scratch_enter(ev, &scratch);
    bool ok = eval_spine(ev, e, s, out);
    scratch_leave(ev, &scratch, ok ? out : NULL);
    scratch_end(ev, &scratch);
    return ok;
}

static bool eval_by_kind(Eval *ev, Node *e, Scope s, Value *out)
{
    bool call = e->kind == CORE_APP || e->kind == CORE_CALL;
    if (call && scratch_is_due(ev) && type_is_data(e->type)) return eval_in_scratch(ev, e, s, out);
    return eval_spine(ev, e, s, out);
}

// --- the entry ---------------------------------------------------------------------------------

// Checks that the arguments have the shapes of the parameters' types, and binds the parameters.
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

static Eval eval_of(Session *cx, Arena *arena, const Program *program, const Function *f,
                    Algebra algebra, int64_t fuel)
{
    return (Eval){.cx = cx,
                  .term = eval_by_kind,
                  .keep = arena,
                  .arena = arena,
                  .program = program,
                  .entry = f,
                  .algebra = algebra,
                  .fuel = fuel,
                  .fuel_at_arena = fuel,
                  .stack_limit = stack_limit(),
                  .instances = map_new(arena),
                  .outcome = {.ok = true}};
}

static Outcome eval_entry(Eval *ev, const NodeBinding *generics, int ngenerics, const Value *args,
                          Value *result)
{
    const Function *f = ev->entry;
    Scope s = {.in = eval_instance(ev, f, generics, ngenerics, f->span)};
    if (s.in && bind_args(ev, &s, args)) eval_term(ev, f->body, s, result);
    for (int i = 0; i < ev->kept.len; i++) arena_delete(ev->kept.at[i]);
    return ev->outcome;
}

Outcome core_eval(Session *cx, Arena *arena, const Program *program, const Function *f,
                  const NodeBinding *generics, int ngenerics, const Value *args, Algebra algebra,
                  int64_t fuel, Value *result)
{
    Eval ev = eval_of(cx, arena, program, f, algebra, fuel);
    return eval_entry(&ev, generics, ngenerics, args, result);
}

Outcome core_eval_as(Session *cx, Arena *arena, const Program *program, const Function *f,
                     int64_t fuel, const EvalWay *way, Value *result)
{
    Eval ev = eval_of(cx, arena, program, f, ALGEBRA_IEEE, fuel);
    ev.way = *way;
    if (way->races) ev.races = races_new(arena, *way->races);
    return eval_entry(&ev, NULL, 0, NULL, result);
}
