// Functions: specialising globals, applying function values, making them literal lambdas again.
#include "staging/internal.h"

// A chain of calls this long is taken for polymorphic recursion without end.
enum { MAX_CHAIN = 200 };

static Special *special_of(Stage *s, Node *global)
{
    Special *special = map_get(&s->specials, MAP_KEY(global));
    if (special) return special;
    const Function *f = map_get(&s->program->by_name, MAP_KEY(global->attr.sym));
    CHECK(s->cx, f, "no function %s in the program", global->attr.sym->text);
    int n = (int)global->nops;
    CHECK(s->cx, n == f->generics.len, "%s has %d generic parameters, not %d", f->name->text,
          f->generics.len, n);
    special = ARENA_NEW(s->arena, Special);
    special->function = f;
    special->generics = ARENA_ARRAY(s->arena, NodeBinding, n + 1);
    for (int i = 0; i < n; i++)
        special->generics[i] = (NodeBinding){f->generics.at[i].name, global->op[i]};
    special->body = node_replace_names(s->cx, f->body, special->generics, n);
    special->result = node_replace_names(s->cx, f->result, special->generics, n);
    map_put(&s->specials, MAP_KEY(global), special);
    return special;
}

// f -> g -> f, outermost first, of the part of the chain that comes round.
static void name_cycle(Text *out, const Chain *c, const Special *end)
{
    if (c->special != end) name_cycle(out, c->up, end);
    text_printf(out, "%s -> ", c->special->function->name->text);
}

static const Known *report_recursion(Stage *s, const Special *special, const Chain *chain,
                                     Span call)
{
    const char *name = special->function->name->text;
    Text text = text_new(s->arena);
    text_printf(&text, "`%s` calls itself without end: ", name);
    name_cycle(&text, chain, special);
    text_put(&text, name);
    return stage_fail(s, E0501, call, chain, text_get(&text));
}

// The chain one call longer; NULL after an error.
static const Chain *enter(Stage *s, const Special *special, const Chain *chain, Span call)
{
    for (const Chain *c = chain; c; c = c->up)
        if (c->special == special) {
            report_recursion(s, special, chain, call);
            return NULL;
        }
    if (chain && chain->depth >= MAX_CHAIN) {
        stage_fail(s, E0503, call, chain, "calls are nested too deeply to be expanded");
        return NULL;
    }
    Chain *c = ARENA_NEW(s->arena, Chain);
    *c = (Chain){
        .special = special, .call = call, .up = chain, .depth = chain ? chain->depth + 1 : 1};
    return c;
}

static bool is_constant_global(const Special *special, Node *global)
{
    return special->function->params.len == 0 &&
           (global->type->kind != TYPE_FUN || special->result->kind == TYPE_FUN);
}

// A constant is evaluated once, at the beginning of the entry. One that may fail stays where it is
// used, since that may be a branch that is not taken.
static const Known *constant_value(Stage *s, Special *special, Node *global, Scope scope)
{
    if (special->constant) return known_term(s, special->constant);
    const Chain *chain = enter(s, special, scope.chain, global->origin);
    if (!chain) return known_error(s);
    stage_call_checks(s, special, chain);
    if (!type_is_data(special->result))
        return stage_evaluate(s, special->body, (Scope){NULL, chain, scope.block});
    Block *own = stage_block(s, NULL);
    const Known *v = stage_evaluate(s, special->body, (Scope){NULL, chain, own});
    if (v->kind == KNOWN_ERROR) return v;
    Node *term = stage_block_close(s, own, stage_data(s, v, global->origin));
    bool once = !stage_may_fail(s, term);
    v = stage_bind(s, known_term(s, term), special->function->name, once ? s->root : scope.block);
    if (once) special->constant = v->node;
    return v;
}

const Known *stage_global(Stage *s, Node *global, Scope scope)
{
    Special *special = special_of(s, global);
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

static const Known *apply_global(Stage *s, const Known *f, int n, const Known *const *args,
                                 Span call, Block *block)
{
    const Special *special = f->special;
    const Chain *chain = enter(s, special, f->chain, call.file ? call : f->node->origin);
    if (!chain) return known_error(s);
    stage_call_checks(s, special, chain);
    if (s->failed) return known_error(s);
    Sym *names = ARENA_ARRAY(s->arena, Sym, n + 1);
    for (int i = 0; i < special->function->params.len && i < n; i++)
        names[i] = special->function->params.at[i].name;
    return apply_body(s, special->body, (Scope){NULL, chain, block}, n, args, names);
}

// (if c f g)(args) where the result is a function again: if c f(args) g(args), still not evaluated.
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

// A chosen function is applied inside the branches; the arguments are evaluated before.
static const Known *apply_choice(Stage *s, const Known *f, int n, const Known *const *args,
                                 Span call, Block *block)
{
    const Known **bound = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++) bound[i] = stage_bind(s, args[i], NULL, block);
    if (!type_is_data(type_result(f->branches[0]->type))) return choice_of_results(s, f, n, bound);
    Node *ops[3] = {f->node};
    for (int k = 0; k < 2; k++) {
        Block *own = stage_block(s, block);
        const Known *g = stage_evaluate(s, f->branches[k], (Scope){f->env, f->chain, own});
        const Known *v = stage_apply(s, g, n, bound, call, own);
        if (v->kind == KNOWN_ERROR) return v;
        ops[k + 1] = stage_block_close(s, own, stage_data(s, v, call));
    }
    return known_term(s, node_make(s->cx, &(NodeSpec){.kind = CORE_IF,
                                                      .type = ops[1]->type,
                                                      .nops = 3,
                                                      .ops = ops,
                                                      .origin = call}));
}

const Known *stage_apply(Stage *s, const Known *f, int n, const Known *const *args, Span call,
                         Block *block)
{
    switch (f->kind) {
    case KNOWN_CLOSURE:
        return apply_body(s, f->node->op[0], (Scope){f->env, f->chain, block}, n, args,
                          f->node->names);
    case KNOWN_GLOBAL: return apply_global(s, f, n, args, call, block);
    case KNOWN_CHOICE: return apply_choice(s, f, n, args, call, block);
    case KNOWN_ERROR:
    case KNOWN_TERM:
    case KNOWN_TUPLE: break;
    }
    CHECK(s->cx, s->failed, "application of a value that is no function");
    return known_error(s);
}

static Sym parameter_name(const Known *f, int k)
{
    if (f->kind == KNOWN_CLOSURE && f->node->names) return f->node->names[k];
    if (f->kind == KNOWN_GLOBAL && k < f->special->function->params.len)
        return f->special->function->params.at[k].name;
    return NULL;
}

Node *stage_lambda(Stage *s, const Known *f, Node *type, Span origin, Block *block)
{
    int n = type_nparams(type);
    Node **under = ARENA_ARRAY(s->arena, Node *, n + 1);
    const Known **args = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++) {
        under[i] = stage_variable(s, type_param(type, i), parameter_name(f, i));
        args[i] = known_term(s, under[i]);
    }
    Block *own = stage_block(s, block);
    const Known *v = stage_apply(s, f, n, args, origin, own);
    under[n] = stage_block_close(s, own, stage_data(s, v, origin));
    Node *body = node_make(
        s->cx,
        &(NodeSpec){.kind = CORE_TUPLE, .type = under[n]->type, .nops = n + 1, .ops = under});
    return node_make(s->cx,
                     &(NodeSpec){.kind = CORE_LAM,
                                 .attr.i = n,
                                 .type = type,
                                 .nops = 1,
                                 .ops = &body,
                                 .origin = f->kind == KNOWN_CLOSURE ? f->node->origin : origin});
}
