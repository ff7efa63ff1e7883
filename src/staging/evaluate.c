// The evaluator: a Core term in an environment becomes what is known of its value. Calls are
// inlined, functions are substituted, tuples are taken apart, data that is no atom and has a name
// gets a let of the block.
#include "staging/internal.h"

// More work than this is taken for a program whose expansion is out of proportion.
enum { MAX_STEPS = 400000 };

static const Known *variable(Stage *s, Node *e, const Env *env)
{
    for (int64_t i = e->attr.i; env && i > 0; i--) env = env->up;
    CHECK(s->cx, env, "variable %d is not in scope", (int)e->attr.i);
    return env->value;
}

static const Known *closure(Stage *s, Node *lam, Scope scope)
{
    Known *k = ARENA_NEW(s->arena, Known);
    *k = (Known){.kind = KNOWN_CLOSURE, .node = lam, .env = scope.env, .chain = scope.chain};
    return k;
}

static const Known *application(Stage *s, Node *e, Scope scope)
{
    const Known *f = stage_evaluate(s, e->op[0], scope);
    int n = (int)e->nops - 1;
    const Known **args = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++) args[i] = stage_evaluate(s, e->op[i + 1], scope);
    return s->failed ? known_error(s) : stage_apply(s, f, n, args, e->origin, scope.block);
}

static const Known *choice(Stage *s, Node *condition, Node *a, Node *b, Scope scope)
{
    Known *k = ARENA_NEW(s->arena, Known);
    *k = (Known){.kind = KNOWN_CHOICE, .node = condition, .env = scope.env, .chain = scope.chain};
    k->branches[0] = a;
    k->branches[1] = b;
    return k;
}

static Node *branch(Stage *s, Node *e, Scope scope)
{
    Block *own = stage_block(s, scope.block);
    const Known *v = stage_evaluate(s, e, (Scope){scope.env, scope.chain, own});
    return stage_block_close(s, own, stage_data(s, v, e->origin));
}

// if true a b = a; a choice between functions waits until it is applied.
static const Known *conditional(Stage *s, Node *e, Scope scope)
{
    const Known *c = stage_evaluate(s, e->op[0], scope);
    if (c->kind == KNOWN_ERROR) return c;
    Node *condition = stage_data(s, c, e->origin);
    if (condition->kind == CORE_LIT)
        return stage_evaluate(s, e->op[condition->attr.bits ? 1 : 2], scope);
    if (!type_is_data(e->type)) {
        condition = stage_bind(s, known_term(s, condition), NULL, scope.block)->node;
        return choice(s, condition, e->op[1], e->op[2], scope);
    }
    Node *ops[3] = {condition, branch(s, e->op[1], scope), branch(s, e->op[2], scope)};
    return known_term(s, node_with_ops(s->cx, e, ops));
}

static const Known *tuple(Stage *s, Node *e, Scope scope)
{
    const Known **parts = ARENA_ARRAY(s->arena, const Known *, e->nops + 1);
    for (uint32_t i = 0; i < e->nops; i++) parts[i] = stage_evaluate(s, e->op[i], scope);
    return known_tuple(s, e, (int)e->nops, parts);
}

static Node *projection(Stage *s, Node *e, int64_t k, Node *type, Span origin)
{
    return node_make(
        s->cx,
        &(NodeSpec){
            .kind = CORE_PROJ, .attr.i = k, .type = type, .nops = 1, .ops = &e, .origin = origin});
}

// (a, b).0 = a
static const Known *component(Stage *s, Node *e, Scope scope)
{
    const Known *v = stage_evaluate(s, e->op[0], scope);
    int64_t k = e->attr.i;
    switch (v->kind) {
    case KNOWN_TUPLE: return v->parts[k];
    case KNOWN_TERM:
        if (v->node->kind == CORE_TUPLE) return known_term(s, v->node->op[k]);
        return known_term(s, projection(s, v->node, k, e->type, e->origin));
    case KNOWN_CHOICE: {
        Scope inside = {v->env, v->chain, scope.block};
        return choice(s, v->node, projection(s, v->branches[0], k, e->type, e->origin),
                      projection(s, v->branches[1], k, e->type, e->origin), inside);
    }
    case KNOWN_ERROR:
    case KNOWN_CLOSURE:
    case KNOWN_GLOBAL: break;
    }
    CHECK(s->cx, s->failed, "component of a function");
    return known_error(s);
}

// Operators, patterns and views: operands as terms, function operands as literal lambdas.
static const Known *rebuild(Stage *s, Node *e, Scope scope)
{
    Node **ops = ARENA_ARRAY(s->arena, Node *, e->nops + 1);
    for (uint32_t i = 0; i < e->nops && !s->failed; i++) {
        Node *op = e->op[i];
        Sort sort = kind_sort((Kind)e->kind, (int)i);
        if (sort == SORT_SIZE || sort == SORT_TYPE) {
            ops[i] = op;
            continue;
        }
        const Known *v = stage_evaluate(s, op, scope);
        if (v->kind == KNOWN_ERROR) return v;
        ops[i] = sort == SORT_FUN
                     ? stage_lambda(s, v, op->type, op->origin.file ? op->origin : e->origin,
                                    scope.block)
                     : stage_data(s, v, op->origin);
    }
    if (s->failed) return known_error(s);
    return known_term(s, stage_fold(s, node_with_ops(s->cx, e, ops)));
}

static const Known *evaluate_kind(Stage *s, Node *e, Scope scope)
{
    switch (e->kind) {
    case CORE_VAR: return variable(s, e, scope.env);
    case CORE_LAM: return closure(s, e, scope);
    case CORE_GLOBAL: return stage_global(s, e, scope);
    case CORE_APP: return application(s, e, scope);
    case CORE_IF: return conditional(s, e, scope);
    case CORE_TUPLE: return tuple(s, e, scope);
    case CORE_PROJ: return component(s, e, scope);
    default: return rebuild(s, e, scope);
    }
}

static uint64_t memo_key(Node *e, const Env *env)
{
    return (uint64_t)e->id << 32 | (e->loose && env ? env->id : 0);
}

static const Known *remembered(Stage *s, uint64_t key, const Block *block)
{
    Node *term = map_get(&s->memo, key);
    for (; !term && block; block = block->up) term = map_get(&block->memo, key);
    return term ? known_term(s, term) : NULL;
}

const Known *stage_evaluate(Stage *s, Node *e, Scope scope)
{
    for (; e->kind == CORE_LET && !s->failed; e = e->op[1]) {
        Sym hint = e->names ? e->names[0] : NULL;
        const Known *v = stage_evaluate(s, e->op[0], scope);
        scope.env = stage_env_push(s, scope.env, stage_bind(s, v, hint, scope.block));
    }
    if (s->failed) return known_error(s);
    if (e->nops == 0 || e->kind == CORE_LAM) return evaluate_kind(s, e, scope);
    uint64_t key = memo_key(e, scope.env);
    const Known *v = remembered(s, key, scope.block);
    if (v) return v;
    if (++s->steps > MAX_STEPS)
        return stage_fail(s, E0503, s->entry->span, NULL,
                          "this entry is too large when all calls are expanded");
    int64_t lets = s->lets;
    v = evaluate_kind(s, e, scope);
    if (v->kind == KNOWN_TERM)
        map_put(lets == s->lets ? &s->memo : &scope.block->memo, key, (void *)(uintptr_t)v->node);
    return v;
}
