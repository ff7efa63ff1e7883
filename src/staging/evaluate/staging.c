// Stages one entry: evaluates its body with variables for its parameters, lifts the residual
// functions (capture.c), and converts names to indices (finish.c).
#include "staging/values/stage.h"

// The limit on evaluation steps. A program that needs more is an error.
enum { BUDGET = 400000 };

// The numbers of terms beyond which costly functions are kept (price.c): LIMIT applies to functions
// of scalars, LIMIT_ALL to all others.
enum { LIMIT = 2000, LIMIT_ALL = 8000 };

static Node *evaluate_entry(Stage *s, Node **params)
{
    const Function *f = s->entry;
    Scope scope = {.block = s->root};
    for (int i = 0; i < f->params.len; i++) {
        params[i] = stage_variable(s, f->params.at[i].type, f->params.at[i].name);
        Sym size = core_own_size(s->cx, f, i); // of a residual function that is staged again
        if (size) map_put(&s->own_sizes, MAP_KEY(size), (void *)(uintptr_t)params[i]);
        scope.env = stage_env_push(s, scope.env, known_term(s, params[i]));
    }
    const Known *v = stage_evaluate(s, f->body, scope);
    if (v->kind == KNOWN_ERROR) return NULL;
    Node *value = s->root->end ? NULL : stage_data(s, v, f->body->origin);
    return s->failed ? NULL : stage_block_close(s, s->root, value);
}

static Param parameter(Stage *s, Node *var, int number)
{
    const void *hint = map_get(&s->hints, MAP_KEY(var->attr.sym));
    if (map_get(&s->own_sizes, MAP_KEY(var->attr.sym)))
        return (Param){.name = var->attr.sym, .type = var->type};
    Sym name =
        session_sym(s->cx, arena_printf(s->arena, "%s_%d", hint ? ((Sym)hint)->text : "x", number));
    return (Param){.name = name, .type = var->type};
}

static bool has_generic(const Function *f, Sym name)
{
    for (int i = 0; i < f->generics.len; i++)
        if (f->generics.at[i].name == name) return true;
    return false;
}

// Drops the conditions that mention sizes of other functions, unless this function takes them, too.
static void keep_own_facts(Stage *s, Function *f)
{
    int kept = 0;
    for (int i = 0; i < f->where.len; i++) {
        Sym *names;
        bool own = true;
        int n = size_check_names(s->cx, &f->where.at[i], &names);
        for (int k = 0; k < n; k++)
            own &= !map_get(&s->own_sizes, MAP_KEY(names[k])) || has_generic(f, names[k]);
        if (own) f->where.at[kept++] = f->where.at[i];
    }
    f->where.len = kept;
}

// Completes a residual function. Its parameters are, in this order, the sizes of callers that it
// mentions, the parameters it had so far, and its captured variables.
static void finish_function(Stage *s, Residual *r)
{
    VEC(Node *) vars = {0};
    Function *f = r->function;
    for (int i = 0; i < r->sizes.len; i++) vec_push(s->arena, &vars, r->sizes.at[i]);
    for (int i = 0; i < r->params.len; i++) vec_push(s->arena, &vars, r->params.at[i]);
    for (int i = 0; i < r->taken.len; i++) vec_push(s->arena, &vars, r->taken.at[i]);
    for (int i = 0; i < vars.len; i++) {
        Param p = parameter(s, vars.at[i], i);
        vec_push(s->cx->arena, &f->params, p);
        if (map_get(&s->own_sizes, MAP_KEY(p.name)))
            vec_push(s->cx->arena, &f->generics, ((Generic){p.name, session_sym(s->cx, "nat")}));
    }
    keep_own_facts(s, f);
    f->body = stage_finish(s, r->body, vars.len, vars.at);
    if (!s->failed) stage_check_sizes(s, f->body);
}

static bool is_callee(const Function *entry, Sym name)
{
    for (int i = 0; i < entry->callees.len; i++)
        if (entry->callees.at[i]->name == name) return true;
    return false;
}

static Function *flat_entry(Stage *s, Node *body)
{
    Function *flat = ARENA_NEW(s->cx->arena, Function);
    *flat = *s->entry;
    if (s->program) flat->by_schedule = &s->program->by_schedule;
    flat->body = body;
    flat->calls_patterns = s->calls_patterns;
    flat->checks = s->checks;
    flat->callees.len = flat->callees.cap = 0;
    // after a schedule the entry has callees already, and steps of a print are found again
    for (int i = 0; i < s->entry->callees.len; i++)
        vec_push(s->cx->arena, &flat->callees, s->entry->callees.at[i]);
    for (int i = 0; i < s->functions.len; i++)
        vec_push(s->cx->arena, &flat->callees, s->functions.at[i]->function);
    for (int i = 0; i < s->externals.len; i++)
        if (!is_callee(s->entry, s->externals.at[i]->name))
            vec_push(s->cx->arena, &flat->callees, s->externals.at[i]);
    return flat;
}

static Function *run(Stage *s)
{
    const Function *entry = s->entry;
    stage_entry_checks(s);
    Node **params = ARENA_ARRAY(s->arena, Node *, entry->params.len + 1);
    Node *body = s->failed ? NULL : evaluate_entry(s, params);
    stage_end_prices(s);
    if (!body || s->again) return NULL;
    body = stage_lift(s, stage_block_close(s, s->constants, body));
    for (int i = 0; i < s->functions.len && !s->failed; i++) finish_function(s, s->functions.at[i]);
    if (!s->failed) body = stage_finish(s, body, entry->params.len, params);
    if (!s->failed) stage_check_sizes(s, body);
    stage_drop_implied(s);
    return s->failed ? NULL : flat_entry(s, body);
}

static Function *run_once(Stage *options, bool *again)
{
    Session *cx = options->cx;
    int errors = cx->errors;
    Arena *arena = arena_new_beside(cx->arena);
    Stage s = *options;
    s.arena = arena;
    Map *maps[] = {&s.specials,  &s.counts,   &s.calls,      &s.memo,      &s.arrays,
                   &s.hints,     &s.failing,  &s.leaving,    &s.residuals, &s.free,
                   &s.recursive, &s.literals, &s.conditions, &s.own_sizes};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) *maps[i] = map_new(arena);
    s.facts = facts_new(cx, arena, NULL);
    s.root = stage_block(&s, NULL);
    s.constants = stage_block(&s, NULL);
    stage_begin_prices(&s);
    Function *flat = run(&s);
    options->sharing = s.sharing;
    *again = s.again && cx->errors == errors;
    arena_delete(arena);
    return flat;
}

static Function *run_all(Session *cx, const Program *p, const Function *entry, int64_t budget,
                         Residues *residues, Keep keep)
{
    Map prices = map_new(cx->arena), sized = map_new(cx->arena);
    Stage options = {.cx = cx,
                     .evaluate = stage_evaluator,
                     .program = p,
                     .entry = program_compiled(p, entry),
                     .keep = keep,
                     .budget = budget ? budget : BUDGET,
                     .residues = residues,
                     .prices = &prices,
                     .sized = &sized,
                     .limit = LIMIT,
                     .limit_all = LIMIT_ALL,
                     .stack_limit = stack_limit()};
    Function *flat;
    program_report(cx, p, entry);
    bool again;
    node_begin(cx); // only once, as the keys of prices use node ids, which must not change
    do {
        if (residues) residues->len = 0;
        flat = run_once(&options, &again);
    } while (again);
    return flat;
}

Function *staging_run(Session *cx, const Program *p, const Function *entry)
{
    return run_all(cx, p, entry, 0, NULL, KEEP_NONE);
}

Function *staging_for_schedule(Session *cx, const Program *p, const Function *entry, Keep keep)
{
    return run_all(cx, p, entry, 0, NULL, keep);
}

Function *staging_explain(Session *cx, const Program *p, const Function *entry, int64_t budget,
                          Residues *residues)
{
    return run_all(cx, p, entry, budget, residues, KEEP_NONE);
}
