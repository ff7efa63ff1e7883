// Functions: specialises globals, applies function values, and converts them to literal lambdas.
#include "staging/values/stage.h"

// Whether a global refers to the value of a function without parameters rather than to the function
// itself, judging by the global's type.
static bool is_constant_global(const Special *special, Node *global)
{
    return special->function->params.len == 0 && global->type == special->result;
}

// Evaluates a constant once, at the beginning of the entry. A constant that may fail is instead
// evaluated at each use, since the branch that contains the use may not be taken.
static const Known *constant_value(Stage *s, Special *special, Node *global, Scope scope)
{
    if (special->constant) return special->constant;
    const Chain *chain = stage_enter(s, special, scope.chain, global->origin);
    if (!chain) return known_error(s);
    stage_call_checks(s, special, chain, NULL);
    if (!type_is_data(special->result))
        return stage_evaluate(s, special->body, (Scope){.chain = chain, .block = scope.block});
    Block *own = stage_block(s, NULL);
    const Known *v = stage_evaluate(s, special->body, (Scope){.chain = chain, .block = own});
    if (known_stops(v)) return v;
    Node *term = stage_block_close(s, own, stage_data(s, v, global->origin));
    bool once = !stage_may_fail(s, term);
    v = stage_bind(s, known_term(s, term), special->function->name,
                   once ? s->constants : scope.block);
    if (once) special->constant = v;
    return v;
}

const Known *stage_global(Stage *s, Node *global, Scope scope)
{
    Special *special = stage_special(s, global);
    if (is_constant_global(special, global)) return constant_value(s, special, global, scope);
    Known *k = ARENA_NEW(s->arena, Known);
    *k = (Known){.kind = KNOWN_GLOBAL, .node = global, .special = special, .chain = scope.chain};
    return k;
}

static const Known *apply_body(Stage *s, Node *body, Scope scope, int n, const Known *const *args,
                               const Sym *names)
{
    for (int i = 0; i < n; i++)
        scope.env = stage_env_push(s, scope.env,
                                   stage_bind(s, args[i], names ? names[i] : NULL, scope.block));
    return stage_evaluate(s, body, scope);
}

// Inlines a call.
static const Known *unfold(Stage *s, const Known *f, int n, const Known *const *args, Span call,
                           Scope at)
{
    Special *special = f->special;
    const Chain *chain = stage_enter(s, special, f->chain, call);
    if (!chain) return known_error(s);
    stage_call_checks(s, special, chain, at.block->guard);
    if (s->failed) return known_error(s);
    Sym *names = ARENA_ARRAY(s->arena, Sym, n + 1);
    for (int i = 0; i < special->function->params.len && i < n; i++)
        names[i] = special->function->params.at[i].name;
    return apply_body(s, special->body, (Scope){NULL, chain, at.block, at.tail, at.last, NULL}, n,
                      args, names);
}

// --- C functions --------------------------------------------------------------------------------

// The type of the argument for a parameter of a C function. For `&[n]t` it is `[n]t`, which is the
// same in C and needs no copy.
static Node *outside_type(Node *type)
{
    bool array = type->kind == TYPE_REF && type->op[0]->kind == TYPE_ARRAY;
    return array && !type_ref_mutable(type) ? type->op[0] : type;
}

// Returns the function with its C signature, in which the sizes precede the other parameters.
static Function *with_sizes(Stage *s, const Function *f)
{
    Function *out = ARENA_NEW(s->cx->arena, Function);
    *out = *f;
    out->params.len = out->params.cap = 0;
    for (int i = 0; i < f->generics.len; i++) {
        const char *name = arena_printf(s->arena, "size_%s", f->generics.at[i].name->text);
        Param size = {.name = session_sym(s->cx, name), .type = type_scalar(s->cx, SCALAR_I64)};
        vec_push(s->cx->arena, &out->params, size);
    }
    for (int i = 0; i < f->params.len; i++) {
        Param p = f->params.at[i];
        p.type = outside_type(p.type);
        vec_push(s->cx->arena, &out->params, p);
    }
    return out;
}

void stage_use_external(Stage *s, const Function *f)
{
    for (int i = 0; i < s->externals.len; i++)
        if (s->externals.at[i]->name == f->name) return;
    vec_push(s->arena, &s->externals, with_sizes(s, f));
}

// Returns the argument for a parameter of a C function. A shared reference to an array is passed as
// the array itself.
static Node *outside_argument(Stage *s, const Known *v, Node *type, Span call, Block *block)
{
    if (type->kind != TYPE_REF) return stage_data(s, v, call);
    if (outside_type(type) == type) return stage_place_term(s, v, type, block);
    return stage_data(s, stage_get(s, v, call, block), call);
}

static bool is_changed(Node *type)
{
    return type->kind == TYPE_REF && type_ref_mutable(type);
}

// Stores the arguments for a C function in `ops`: data is passed by value, and references as
// addresses. The values of cells that the function may assign to are unknown afterwards.
static void pass_outside(Stage *s, const Function *f, const Known *const *args, int n, Span call,
                         Block *block, Node **ops)
{
    Cells cells = {0};
    for (int i = 0; i < n; i++) {
        const Known *v = stage_bind(s, args[i], NULL, block);
        Node *type = f->params.at[i].type;
        ops[i] = NULL;
        for (int k = 0; k < i && is_changed(type); k++)
            if (is_changed(f->params.at[k].type) && stage_is_same_place(args[k], args[i]))
                ops[i] = ops[k]; // a copy of a location is one copy
        if (!ops[i]) ops[i] = outside_argument(s, v, type, call, block);
        stage_reach(s, v, type, false, &cells);
    }
    stage_forget_all(s, &cells);
}

static const Known *emit_call(Stage *s, Sym name, Node *result, int n, Node **ops, Span call,
                              Block *block)
{
    Node *e = node_make(s->cx, &(NodeSpec){.kind = CORE_CALL,
                                           .attr.sym = name,
                                           .type = result,
                                           .nops = n,
                                           .ops = ops,
                                           .origin = call});
    Node *var = stage_emit_effect(s, block, e, NULL);
    return type_is_unit(result) ? known_unit(s) : known_term(s, var);
}

// Copies back what has no address of its own, and was passed as a variable: tuples, which have a
// cell for each component, and data of one lane.
static void copy_back(Stage *s, const Function *f, const Known *const *args, int n, Span call,
                      Block *block, Node *const *ops)
{
    for (int i = 0; i < n; i++) {
        Node *type = f->params.at[i].type;
        if (!is_changed(type) || stage_is_address(args[i])) continue;
        Node *now = stage_term(s, CORE_GET, ops[i]->type->op[0], call, 1, &ops[i]);
        stage_set(s, args[i], known_term(s, stage_emit_effect(s, block, now, NULL)), call, block);
    }
}

// Emits a call to a C function, with the sizes before the other arguments.
static const Known *call_external(Stage *s, const Special *special, int n, const Known *const *args,
                                  Span call, Block *block)
{
    int sizes = special->function->generics.len;
    Node **ops = ARENA_ARRAY(s->arena, Node *, sizes + n + 1);
    for (int i = 0; i < sizes; i++) ops[i] = core_size(s->cx, special->generics[i].value);
    pass_outside(s, special->function, args, n, call, block, ops + sizes);
    if (s->failed) return known_error(s);
    stage_use_external(s, special->function);
    const Known *result =
        emit_call(s, special->function->name, special->result, sizes + n, ops, call, block);
    copy_back(s, special->function, args, n, call, block, ops + sizes);
    return result;
}

const Known *stage_call_again(Stage *s, Node *e, Scope scope)
{
    Node **ops = ARENA_ARRAY(s->arena, Node *, e->nops + 1);
    Cells cells = {0};
    for (uint32_t i = 0; i < e->nops && !s->failed; i++) {
        Node *type = e->op[i]->type;
        const Known *v = stage_bind(s, stage_operand(s, e->op[i], scope), NULL, scope.block);
        bool place = type->kind == TYPE_REF;
        ops[i] = place ? stage_place_term(s, v, type, scope.block) : stage_data(s, v, e->origin);
        stage_reach(s, v, type, false, &cells);
    }
    if (s->failed) return known_error(s);
    stage_forget_all(s, &cells);
    Atomic a = core_atomic_of(e->attr.sym); // the caller may be the first that has it
    if (a != ATOMIC_COUNT)
        stage_use_external(s, core_atomic_function(s->cx, a, e->op[0]->type->op[0]));
    return emit_call(s, e->attr.sym, e->type, (int)e->nops, ops, e->origin, scope.block);
}

Span stage_outside(const Chain *chain, const char *module, Span call)
{
    for (; chain && core_is_of_module(chain->special->function->name, module); chain = chain->up)
        call = chain->call;
    return call;
}

static const Known *call_atomic(Stage *s, Atomic a, const Special *special, int n,
                                const Known *const *args, Span call, Block *block)
{
    const Function *f = core_atomic_function(s->cx, a, special->result);
    Node **ops = ARENA_ARRAY(s->arena, Node *, n + 1);
    pass_outside(s, f, args, n, call, block, ops);
    if (s->failed) return known_error(s);
    stage_use_external(s, f);
    return emit_call(s, f->name, f->result, n, ops, call, block);
}

// Warns about @@ on a call to a function in its own body, since evaluation may never end (Leissa's
// thesis, 10.1: an annotation on a recursive call).
static void warn_of_recursion(Stage *s, const Function *function, const Chain *chain, Span call)
{
    for (const Chain *c = chain; c; c = c->up) {
        if (c->special->function != function) continue;
        Diag *d = diag_warning(s->cx, E0508, call, "`@@` on a recursive call of `%s`",
                               function->name->text);
        diag_help(s->cx, d, "a filter such as `@(?n)` says which argument ends the recursion");
        return;
    }
}

// Unfolds a call to a function that cannot call itself, unless the function is kept because
// unfolding has produced too much code.
static const Known *call_nonrecursive(Stage *s, const Known *f, int n, const Known *const *args,
                                      Span call, Scope at)
{
    Prices p;
    if (!stage_find_prices(s, f, n, args, at, &p)) return unfold(s, f, n, args, call, at);
    Spent before = stage_spent(s);
    const Price *kept = stage_kept_by(s, &p);
    const Known *v =
        kept ? stage_keep(s, f, n, args, kept->generic, call, at) : unfold(s, f, n, args, call, at);
    if (kept)
        stage_add_kept(s, &p, before);
    else
        stage_add_cost(s, &p, before);
    return s->failed ? known_error(s) : v;
}

// Applies a function of the program. The filters decide how recursive functions are called, unless
// the call has @@ (`run`).
static const Known *apply_global(Stage *s, const Known *f, int n, const Known *const *args,
                                 Span call, Scope at, bool run)
{
    const Function *function = f->special->function;
    Atomic atomic = core_atomic_of(function->name);
    if (function->external) return call_external(s, f->special, n, args, call, at.block);
    if (atomic != ATOMIC_COUNT)
        return call_atomic(s, atomic, f->special, n, args,
                           stage_outside(at.chain, "std.atomics", call), at.block);
    if (!call.file) call = f->node->origin;
    s->calls_patterns |= function->pattern;
    bool kept = function->pattern && !run &&
                (s->keep == KEEP_PATTERNS || (s->keep == KEEP_IN_ENTRY && !s->function));
    const Known *v = kept ? stage_keep_pattern(s, f, n, args, call, at) : NULL;
    if (v) return v;
    v = run ? NULL : stage_call_sized(s, f, n, args, call, at);
    if (v) return v;
    bool *known = ARENA_ARRAY(s->arena, bool, n + 1);
    if (run) warn_of_recursion(s, function, f->chain, call);
    if (!run && !s->failed && !stage_is_recursive(s, function))
        return call_nonrecursive(s, f, n, args, call, at);
    if (run || stage_filter(s, f, n, args, at, known))
        return s->failed ? known_error(s) : unfold(s, f, n, args, call, at);
    if (s->failed) return known_error(s);
    return stage_specialise(s, f, n, args, known, call, at);
}

// Converts `(if c f g)(args)`, whose result is a function, to the choice `if c f(args) g(args)`, in
// which neither call has been evaluated yet.
static const Known *choice_of_results(Stage *s, const Known *f, int n, const Known *const *args)
{
    Known *k = ARENA_NEW(s->arena, Known);
    *k = *f;
    for (int i = 0; i < n; i++) k->env = stage_env_push(s, k->env, args[i]);
    for (int b = 0; b < 2; b++) {
        Node *fun = f->branches[b], **ops = ARENA_ARRAY(s->arena, Node *, n + 1);
        ops[0] = node_shift(s->cx, fun, n, 0);
        for (int i = 0; i < n; i++)
            ops[i + 1] = core_var(s->cx, n - 1 - i, type_param(fun->type, i));
        k->branches[b] = node_make(s->cx, &(NodeSpec){.kind = CORE_APP,
                                                      .type = type_result(fun->type),
                                                      .nops = n + 1,
                                                      .ops = ops,
                                                      .origin = fun->origin});
    }
    return k;
}

typedef struct {
    const Known *f;
    int n;
    const Known *const *args;
    Span call;
} Chosen;

// Reports a call to a function that is returned by a term with side effects or by a residual call.
static const Known *unknown_function(Stage *s, Node *maker)
{
    Diag *d = stage_report(s, E0502, maker->origin,
                           "the function called here is not known at compile time: the expression "
                           "that returns it is evaluated at run time");
    if (d)
        diag_help(s->cx, d,
                  "to inline a recursive function, give it a filter such as `@(?n)`; to choose "
                  "between functions with effects, put the `if` around the call");
    return known_error(s);
}

static const Known *apply_side(Stage *s, int side, Scope at, void *env)
{
    const Chosen *c = env;
    int64_t effects = s->effects;
    const Known *g =
        stage_evaluate(s, c->f->branches[side],
                       (Scope){.env = c->f->env, .chain = c->f->chain, .block = at.block});
    if (known_stops(g)) return g;
    if (effects != s->effects) return unknown_function(s, c->f->branches[side]);
    return stage_apply(s, g, c->n, c->args, c->call, at);
}

// Applies both functions of a choice, each in its branch. The arguments are let-bound before the
// branches.
static const Known *apply_choice(Stage *s, const Known *f, int n, const Known *const *args,
                                 Span call, Scope at)
{
    const Known **bound = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++) bound[i] = stage_bind(s, args[i], NULL, at.block);
    Node *result = type_result(f->branches[0]->type);
    if (!type_is_data(result) && result->kind != TYPE_NEVER)
        return choice_of_results(s, f, n, bound);
    return stage_choose(s, f->node, result, call, at, apply_side, &(Chosen){f, n, bound, call});
}

const Known *stage_apply_as(Stage *s, const Known *f, int n, const Known *const *args, Span call,
                            Scope at, bool run)
{
    switch (f->kind) {
    case KNOWN_CLOSURE:
        return apply_body(s, f->node->op[0],
                          (Scope){f->env, f->chain, at.block, at.tail, at.last, NULL}, n, args,
                          f->node->names);
    case KNOWN_GLOBAL: return apply_global(s, f, n, args, call, at, run);
    case KNOWN_CHOICE: return apply_choice(s, f, n, args, call, at);
    case KNOWN_LABEL: return stage_jump(s, f->label, n ? args[0] : NULL, call, at.block);
    case KNOWN_ERROR:
    case KNOWN_NEVER:
    case KNOWN_TERM:
    case KNOWN_REF:
    case KNOWN_CONST:
    case KNOWN_TUPLE: break;
    }
    CHECK(s->cx, s->failed || f->kind == KNOWN_NEVER,
          "application of a value that is not a function");
    return f->kind == KNOWN_NEVER ? f : known_error(s);
}

const Known *stage_apply(Stage *s, const Known *f, int n, const Known *const *args, Span call,
                         Scope at)
{
    return stage_apply_as(s, f, n, args, call, at, false);
}

static Sym parameter_name(const Known *f, int k)
{
    if (f->kind == KNOWN_CLOSURE && f->node->names) return f->node->names[k];
    if (f->kind == KNOWN_GLOBAL && k < f->special->function->params.len)
        return f->special->function->params.at[k].name;
    return NULL;
}

// Appends () to a body of type ! if the lambda's result is (). The added value is unreachable.
static Node *ended(Stage *s, Node *body, Node *type)
{
    Node *value = type_is_unit(type) ? stage_data(s, known_unit(s), NO_SPAN) : body;
    Node *var = stage_variable(s, body->type, NULL);
    if (value == body) return body;
    Node *under = stage_term(s, CORE_TUPLE, type, NO_SPAN, 2, (Node *[]){var, value});
    return stage_term(s, CORE_LET, type, body->origin, 2, (Node *[]){body, under});
}

// What is learned about cells inside the body is undone afterwards, since it does not hold outside.
Node *stage_lambda(Stage *s, const Known *f, Node *type, Span origin, Scope at, Barrier barrier)
{
    int n = type_nparams(type), mark = s->trail.len;
    Node **under = ARENA_ARRAY(s->arena, Node *, n + 1);
    const Known **args = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++) {
        under[i] = stage_variable(s, type_param(type, i), parameter_name(f, i));
        args[i] = known_term(s, under[i]);
    }
    Block *own = stage_block(s, at.block);
    own->barrier = barrier;
    own->cells = s->cells;
    own->span = origin;
    const Known *v = stage_apply(s, f, n, args, origin, (Scope){.block = own});
    (void)stage_take_back(s, mark);
    Node *result = type_result(type);
    under[n] = stage_block_close(s, own, own->end ? NULL : stage_data(s, v, origin));
    if (own->end) under[n] = ended(s, under[n], result);
    Node *body = stage_term(s, CORE_TUPLE, result, NO_SPAN, n + 1, under);
    return node_make(s->cx,
                     &(NodeSpec){.kind = CORE_LAM,
                                 .attr.i = n,
                                 .type = type,
                                 .nops = 1,
                                 .ops = &body,
                                 .origin = f->kind == KNOWN_CLOSURE ? f->node->origin : origin});
}
