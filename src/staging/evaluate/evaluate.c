// The evaluator computes what is known about the value of a Core term in an environment. It inlines
// calls, substitutes functions, splits tuples into components, and let-binds named data in the
// block.
#include "staging/values/stage.h"

static const Known *closure(Stage *s, Node *lam, Scope scope)
{
    Known *k = ARENA_NEW(s->arena, Known);
    *k = (Known){.kind = KNOWN_CLOSURE, .node = lam, .env = scope.env, .chain = scope.chain};
    return k;
}

// Whether evaluating the term may jump, because it contains a call or a jump.
static bool may_leave(Stage *s, Node *e)
{
    static const char yes, no;
    if (e->kind == CORE_APP || e->kind == CORE_JUMP) return true;
    if (e->kind == CORE_LAM || e->nops == 0) return false;
    const char *known = map_get(&s->leaving, MAP_KEY(e));
    if (known) return known == &yes;
    bool leaves = false, runs = e->kind == CORE_RANGE; // its body runs here, and may jump
    for (uint32_t i = 0; i < e->nops && !leaves; i++) {
        Node *op = e->op[i];
        leaves = may_leave(s, runs && op->kind == CORE_LAM ? op->op[0] : op);
    }
    map_put(&s->leaving, MAP_KEY(e), (void *)(uintptr_t)(leaves ? &yes : &no));
    return leaves;
}

static bool value_may_fail(Stage *s, const Known *v)
{
    if (v->kind == KNOWN_TERM) return stage_may_fail(s, v->node);
    for (int i = 0; v->kind == KNOWN_TUPLE && i < known_count(v); i++)
        if (value_may_fail(s, v->parts[i])) return true;
    return false;
}

// Evaluates operand k. If it may fail and a later operand may jump, let-binds it now, to keep the
// two in order.
static const Known *operand_in_order(Stage *s, Node *e, uint32_t k, Scope scope)
{
    const Known *v = stage_operand(s, e->op[k], scope);
    if (s->failed || !value_may_fail(s, v)) return v;
    for (uint32_t i = k + 1; i < e->nops; i++)
        if (may_leave(s, e->op[i])) return stage_bind(s, v, NULL, scope.block);
    return v;
}

static const Known *application(Stage *s, Node *e, Scope scope)
{
    const Known *f = stage_operand(s, e->op[0], scope);
    int n = (int)e->nops - 1;
    const Known **args = ARENA_ARRAY(s->arena, const Known *, n + 1);
    if (known_stops(f)) return f;
    for (int i = 0; i < n; i++) {
        args[i] = operand_in_order(s, e, (uint32_t)i + 1, scope);
        if (known_stops(args[i])) return args[i];
    }
    if (s->failed) return known_error(s);
    return stage_apply_as(s, f, n, args, e->origin, scope, e->variant == VARIANT_RUN);
}

static const Known *choice(Stage *s, Node *condition, Node *a, Node *b, Scope scope)
{
    Known *k = ARENA_NEW(s->arena, Known);
    *k = (Known){.kind = KNOWN_CHOICE, .node = condition, .env = scope.env, .chain = scope.chain};
    k->branches[0] = a;
    k->branches[1] = b;
    return k;
}

typedef struct {
    Node *e;
    Scope scope;
} Branches;

static const Known *branch(Stage *s, int side, Scope at, void *env)
{
    const Branches *b = env;
    return stage_evaluate(s, b->e->op[1 + side], at);
}

// Evaluates an `if`. If the condition is a literal, only the branch taken is evaluated. A choice
// between functions stays unevaluated until it is applied.
static const Known *conditional(Stage *s, Node *e, Scope scope)
{
    const Known *c = stage_operand(s, e->op[0], scope);
    if (known_stops(c)) return c;
    Node *condition = stage_data(s, c, e->origin);
    if (condition->kind == CORE_LIT)
        return stage_evaluate(s, e->op[condition->attr.bits ? 1 : 2], scope);
    if (!type_is_data(e->type) && e->type->kind != TYPE_NEVER) {
        condition = stage_bind(s, known_term(s, condition), NULL, scope.block)->node;
        return choice(s, condition, e->op[1], e->op[2], scope);
    }
    return stage_choose(s, condition, e->type, e->origin, scope, branch, &(Branches){e, scope});
}

static const Known *tuple(Stage *s, Node *e, Scope scope)
{
    const Known **parts = ARENA_ARRAY(s->arena, const Known *, e->nops + 1);
    for (uint32_t i = 0; i < e->nops; i++) {
        parts[i] = operand_in_order(s, e, i, scope);
        if (known_stops(parts[i])) return parts[i];
    }
    return known_tuple(s, e->type, e->origin, parts);
}

static Node *projection(Stage *s, Node *e, int64_t k, Node *type, Span origin)
{
    return node_make(
        s->cx,
        &(NodeSpec){
            .kind = CORE_PROJ, .attr.i = k, .type = type, .nops = 1, .ops = &e, .origin = origin});
}

// Evaluates a projection: (a, b).0 is a.
static const Known *component(Stage *s, Node *e, Scope scope)
{
    const Known *v = stage_operand(s, e->op[0], scope);
    int64_t k = e->attr.i;
    switch (v->kind) {
    case KNOWN_TUPLE: return v->parts[k];
    case KNOWN_TERM:
        if (v->node->kind == CORE_TUPLE) return known_term(s, v->node->op[k]);
        return known_term(s, projection(s, v->node, k, e->type, e->origin));
    case KNOWN_CHOICE: {
        Scope inside = {.env = v->env, .chain = v->chain, .block = scope.block};
        return choice(s, v->node, projection(s, v->branches[0], k, e->type, e->origin),
                      projection(s, v->branches[1], k, e->type, e->origin), inside);
    }
    case KNOWN_NEVER: return v;
    case KNOWN_ERROR:
    case KNOWN_CLOSURE:
    case KNOWN_REF:
    case KNOWN_CONST:
    case KNOWN_LABEL:
    case KNOWN_GLOBAL: break;
    }
    CHECK(s->cx, s->failed, "component of a function");
    return known_error(s);
}

// Makes the function operand of a pattern a literal lambda.
static Node *function_operand(Stage *s, Node *e, const Known *f, Node *op, Scope scope)
{
    Span origin = op->origin.file ? op->origin : e->origin;
    return stage_lambda(s, f, op->type, origin, scope, BARRIER_PATTERN);
}

// Rebuilds an operator, pattern or view: operands become terms, and function operands literal
// lambdas. A function runs after all operands have been evaluated, so its lambda is made last: it
// sees what they write. A pattern whose function reads locations becomes a statement, so that it
// does not move past writes.
static const Known *rebuild(Stage *s, Node *e, Scope scope)
{
    Node **ops = ARENA_ARRAY(s->arena, Node *, e->nops + 1);
    const Known **functions = ARENA_ARRAY(s->arena, const Known *, e->nops + 1);
    for (uint32_t i = 0; i < e->nops && !s->failed; i++) {
        Sort sort = kind_sort((Kind)e->kind, (int)i);
        ops[i] = e->op[i];
        functions[i] = NULL;
        if (sort == SORT_SIZE || sort == SORT_TYPE) continue;
        const Known *v = operand_in_order(s, e, i, scope);
        if (known_stops(v)) return v;
        if (sort == SORT_FUN)
            functions[i] = v;
        else
            ops[i] = stage_data(s, v, e->op[i]->origin);
    }
    int64_t before = s->effects;
    for (uint32_t i = 0; i < e->nops && !s->failed; i++)
        if (functions[i]) ops[i] = function_operand(s, e, functions[i], e->op[i], scope);
    if (s->failed) return known_error(s);
    Node *term = stage_fold(s, node_with_ops(s->cx, e, ops));
    s->terms += term->nops > 0;
    return known_term(s,
                      before != s->effects ? stage_emit_effect(s, scope.block, term, NULL) : term);
}

static const Known *index_of(Stage *s, Node *e, Scope scope)
{
    const Known *xs = operand_in_order(s, e, 0, scope);
    if (known_stops(xs)) return xs;
    const Known *i = stage_operand(s, e->op[1], scope);
    if (known_stops(i)) return i;
    return stage_element(s, xs, stage_data(s, i, e->origin), e->type, e->origin);
}

// Evaluates &e. A reference to a data value needs no cell.
static const Known *borrowed(Stage *s, Node *e, Scope scope)
{
    Node *of = e->op[0];
    if (of->kind != CORE_NEW || !type_is_data(of->op[0]->type))
        return stage_shared(s, stage_evaluate(s, of, scope));
    const Known *v = stage_operand(s, of->op[0], scope);
    return known_stops(v) ? v : stage_constant(s, v, of->op[0]->type, scope.block);
}

static const Known *new_place(Stage *s, Node *e, Scope scope)
{
    const Known *v = stage_operand(s, e->op[0], scope);
    if (known_stops(v)) return v;
    return stage_new(s, v, e, scope.hint, scope.block);
}

static const Known *assignment(Stage *s, Node *e, Scope scope)
{
    const Known *place = stage_operand(s, e->op[0], scope);
    if (known_stops(place)) return place;
    const Known *v = stage_operand(s, e->op[1], scope);
    return known_stops(v) ? v : stage_set(s, place, v, e->origin, scope.block);
}

// Evaluates ?e.
static const Known *known(Stage *s, Node *e, Scope scope)
{
    const Known *v = stage_operand(s, e->op[0], scope);
    return known_stops(v) ? v : known_term(s, core_bool(s->cx, known_is_known(v)));
}

// Evaluates $e. Hides the value behind a residual variable, which finish.c may replace with the
// value again.
static const Known *hidden(Stage *s, Node *e, Scope scope)
{
    const Known *v = stage_operand(s, e->op[0], scope);
    if (known_stops(v) || !known_is_data(v)) return v;
    return known_term(s, stage_emit(s, scope.block, stage_data(s, v, e->origin), NULL));
}

static const Known *evaluate_kind(Stage *s, Node *e, Scope scope)
{
    switch (e->kind) {
    case CORE_VAR: return stage_variable_value(s, scope.env, e->attr.i);
    case CORE_LAM: return closure(s, e, scope);
    case CORE_GLOBAL: return stage_global(s, e, scope);
    case CORE_APP:
    case CORE_JUMP: // in the result of a schedule, which is staged again
        return application(s, e, scope);
    case CORE_IF: return conditional(s, e, scope);
    case CORE_TUPLE: return tuple(s, e, scope);
    case CORE_PROJ: return component(s, e, scope);
    case CORE_INDEX: return index_of(s, e, scope);
    case CORE_NEW: return new_place(s, e, scope);
    case CORE_GET: return stage_get(s, stage_operand(s, e->op[0], scope), e->origin, scope.block);
    case CORE_SET: return assignment(s, e, scope);
    case CORE_BORROW: return borrowed(s, e, scope);
    case CORE_REF_AT:
    case CORE_REF_PROJ:
    case CORE_REF_SLICE:
    case CORE_REF_LANE: return stage_place(s, e, scope);
    case CORE_LABEL: return stage_label(s, e, scope);
    case CORE_FOREVER: return stage_forever(s, e, scope);
    case CORE_RANGE:
    case CORE_PARALLEL:
    case CORE_VECTORIZE: return stage_range(s, e, scope);
    case CORE_SPAWN: return stage_spawn(s, e, scope);
    case CORE_SYNC: return stage_sync(s, e, scope);
    case CORE_PREFETCH: return stage_prefetch(s, e, scope);
    case CORE_ASSERT: return stage_assert(s, e, scope);
    case CORE_PRINT: return stage_print(s, e, scope);
    case CORE_CALL: // only in expansions of print, and in the result of a schedule
        if (core_print_step_of(e->attr.sym) != PRINT_COUNT) return stage_print_step(s, e, scope);
        return stage_call_again(s, e, scope);
    case CORE_OPEN: return stage_open(s, e, scope);
    case CORE_KNOWN: return known(s, e, scope);
    case CORE_HIDE: return hidden(s, e, scope);
    default: return rebuild(s, e, scope);
    }
}

static uint64_t memo_key(Node *e, const Env *env)
{
    return (uint64_t)e->id << 32 | (e->loose && env ? env->id : 0);
}

// Looks up a memoised value. Searches only a limited number of enclosing blocks, so that deep nests
// take linear time. A value that is evaluated again is then found in a nearer block.
static const Known *remembered(Stage *s, uint64_t key, const Block *block)
{
    enum { MOST_BLOCKS = 64 };
    Node *term = map_get(&s->memo, key);
    if (term) return known_term(s, term);
    for (int i = 0; !term && block && i < MOST_BLOCKS; i++, block = block->up)
        term = map_get(&block->memo, key);
    if (term) s->recalled++;
    return term ? known_term(s, term) : NULL;
}

static bool is_literal(Node *e)
{
    for (uint32_t i = 0; e->kind == CORE_TUPLE && i < e->nops; i++)
        if (!is_literal(e->op[i])) return false;
    return e->kind == CORE_TUPLE || e->kind == CORE_LIT;
}

const Known *stage_evaluator(Stage *s, Node *e, Scope scope)
{
    const Known *literal = e->kind == CORE_TUPLE ? map_get(&s->literals, MAP_KEY(e)) : NULL;
    if (literal) return literal;
    scope.hint = NULL;
    for (; e->kind == CORE_LET && !s->failed; e = e->op[1]) {
        Scope at = scope;
        at.hint = e->names ? e->names[0] : NULL;
        at.tail = NULL;
        at.last = NULL;
        const Known *v = e->op[0]->kind == CORE_NEW ? new_place(s, e->op[0], at)
                                                    : stage_evaluate(s, e->op[0], at);
        if (known_stops(v)) return v;
        scope.env = stage_env_push(s, scope.env, stage_bind(s, v, at.hint, scope.block));
    }
    if (s->failed) return known_error(s);
    if (e->nops == 0 || e->kind == CORE_LAM) return evaluate_kind(s, e, scope);
    uint64_t key = memo_key(e, scope.env);
    const Known *v = remembered(s, key, scope.block);
    if (v) return v;
    if (!stage_step(s)) return known_error(s);
    int64_t lets = s->lets, effects = s->effects, guarded = s->guarded, recalled = s->recalled;
    v = evaluate_kind(s, e, scope);
    bool everywhere = lets == s->lets && guarded == s->guarded && recalled == s->recalled;
    if (v->kind == KNOWN_TERM && effects == s->effects)
        map_put(everywhere ? &s->memo : &scope.block->memo, key, (void *)(uintptr_t)v->node);
    if (e->kind == CORE_TUPLE && is_literal(e))
        map_put(&s->literals, MAP_KEY(e), (void *)(uintptr_t)v);
    return v;
}
