// Function values, which point to closures, and calls.
#include "core/eval/eval.h"

Value eval_closure(Eval *ev, Closure c)
{
    Closure *kept = ARENA_NEW(ev->arena, Closure);
    *kept = c;
    return value_atom((uint64_t)(uintptr_t)kept);
}

Closure *closure_of(const Value *v)
{
    return (Closure *)(uintptr_t)v->bits;
}

// Runs an entry as compiled code. Returns false if EvalWay.call cannot do this.
static bool ran_compiled(Eval *ev, const Instance *in, const Value *args, Value *out)
{
    const EvalWay *way = &ev->way;
    return in->f->entry && way->call &&
           way->call(way->env, in->f, in->generics, in->ngenerics, args, ev->arena, out,
                     &ev->outcome);
}

bool eval_apply(Eval *ev, Closure *f, const Value *args, int n, Span span, Value *out)
{
    if (f->label) return eval_leave(ev, f->label, n ? &args[0] : NULL, span);
    Scope s = f->scope;
    const Function *named = f->lam ? NULL : s.in->f;
    if (named && named->external)
        return eval_fail(ev, E0608, span, "`%s` is a C function, which the interpreter cannot run",
                         named->name->text);
    if (named && ran_compiled(ev, s.in, args, out)) return ev->outcome.ok;
    int64_t nparams = named ? named->params.len : f->lam->attr.i;
    if (STACK_IS_DEEP(ev->stack_limit))
        return eval_fail(ev, E0605, span, "calls are nested too deeply");
    CHECK(ev->cx, nparams == n, "a function of %d parameters is applied to %d arguments",
          (int)nparams, n);
    for (int i = 0; i < n; i++) {
        struct Bound *b = ARENA_NEW(ev->arena, struct Bound);
        *b = (struct Bound){args[i], s.vars};
        s.vars = b;
    }
    if (!named || !ev->races) return eval_term(ev, named ? named->body : f->lam->op[0], s, out);
    bool atomic = eval_enter_function(ev, named);
    bool ok = eval_term(ev, named->body, s, out);
    eval_leave_function(ev, atomic);
    return ok;
}

// Evaluates the operands starting at index `first`. Returns their values, or NULL after a failure.
static Value *eval_args(Eval *ev, Node *e, uint32_t first, Scope s)
{
    Value *args = ARENA_ARRAY(ev->arena, Value, e->nops - first + 1);
    for (uint32_t i = first; i < e->nops; i++)
        if (!eval_term(ev, e->op[i], s, &args[i - first])) return NULL;
    return args;
}

bool eval_app(Eval *ev, Node *e, Scope s, Value *out)
{
    Value f;
    if (!eval_term(ev, e->op[0], s, &f)) return false;
    Value *args = eval_args(ev, e, 1, s);
    return args && eval_apply(ev, closure_of(&f), args, (int)e->nops - 1, e->origin, out);
}

// --- named functions ---------------------------------------------------------------------------

// Runs a print step.
static bool run_print(Eval *ev, Node *e, Scope s, Value *out)
{
    Value x = {0};
    if (e->nops && !eval_term(ev, e->op[0], s, &x)) return false;
    if (!ev->way.silent) core_print_run(ev->cx, e->attr.sym, x.bits, ev->algebra);
    *out = (Value){0};
    return true;
}

// Callees share the size parameters of the entry, and receive their own sizes as arguments.
static Instance *instance_of_callee(Eval *ev, const Function *f, const Value *args, Scope s,
                                    Span origin)
{
    int n = s.in->ngenerics, own = 0;
    NodeBinding *generics = ARENA_ARRAY(ev->arena, NodeBinding, n + f->generics.len + 1);
    for (int i = 0; i < f->params.len && !f->external; i++)
        for (int k = 0; k < f->generics.len; k++)
            if (f->params.at[i].name == f->generics.at[k].name)
                generics[own++] =
                    (NodeBinding){f->generics.at[k].name, nat_const(ev->cx, (int64_t)args[i].bits)};
    for (int i = 0; i < n; i++) generics[own + i] = s.in->generics[i];
    return eval_instance(ev, f, generics, own + n, origin);
}

bool eval_open(Eval *ev, Node *e, Scope s, Value *out)
{
    Value k;
    if (!eval_term(ev, e->op[0], s, &k)) return false;
    Instance *in = ARENA_NEW(ev->arena, Instance);
    int n = s.in->ngenerics;
    NodeBinding *generics = ARENA_ARRAY(ev->arena, NodeBinding, n + 1);
    generics[0] = (NodeBinding){e->attr.sym, nat_const(ev->cx, (int64_t)k.bits)};
    for (int i = 0; i < n; i++) generics[i + 1] = s.in->generics[i];
    *in = (Instance){
        .f = s.in->f, .generics = generics, .ngenerics = n + 1, .types = map_new(ev->arena)};
    return eval_term(ev, e->op[1], (Scope){in, s.vars}, out);
}

bool eval_call(Eval *ev, Node *e, Scope s, Value *out)
{
    if (core_print_step_of(e->attr.sym) != PRINT_COUNT) return run_print(ev, e, s, out);
    const Function *f = core_callee(ev->entry, e->attr.sym);
    CHECK(ev->cx, f, "no callee %s", e->attr.sym->text);
    Value *args = eval_args(ev, e, 0, s);
    Instance *in = args ? instance_of_callee(ev, f, args, s, e->origin) : NULL;
    if (!in) return false;
    Closure callee = {.scope = {.in = in}};
    return args && eval_apply(ev, &callee, args, (int)e->nops, e->origin, out);
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

// Whether a global denotes the result of a function rather than the function itself: the function
// has no parameters, and its result has the type of the term.
static bool is_called(Eval *ev, Node *e, Scope s, Scope inside)
{
    const Function *f = inside.in->f;
    if (e->type->kind != TYPE_FUN) return true;
    return f->params.len == 0 && scope_type(ev, s, e->type) == scope_type(ev, inside, f->result);
}

// Evaluates a global to a function of the program or to the value of a constant, which is computed
// only once.
bool eval_global(Eval *ev, Node *e, Scope s, Value *out)
{
    Instance *in = instance_of(ev, e, s);
    if (!in) return false;
    Closure f = {.scope = {.in = in}};
    if (!is_called(ev, e, s, f.scope)) {
        *out = eval_closure(ev, f);
        return true;
    }
    if (!in->has_value) {
        Value v;
        if (!eval_apply(ev, &f, NULL, 0, e->origin, &v)) return false;
        if (!type_is_data(in->f->result)) { // functions may point to memory that will be freed
            *out = v;
            return true;
        }
        in->value = value_copy(ev->keep, &v);
        in->has_value = true;
    }
    *out = in->value;
    return true;
}
