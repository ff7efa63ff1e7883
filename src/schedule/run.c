// Runs strategies. Strategies passed as arguments are closures, evaluated where they are applied;
// numbers and lists are values.
//
// Rewriting a subterm rebuilds its ancestors and shares the parts that did not change. A failed
// attempt needs no undoing: terms are immutable, and the trace is truncated. Intermediate terms are
// freed from time to time, so that memory use depends on the program, not on the number of steps.
#include "schedule/run.h"

#include "base/stack.h"
#include "ir/walk.h"

enum {
    MOST_TRIED = 20 * 1000 * 1000,
    FEW_TRIED = 2 * 1000 * 1000, // by a schedule of a small function
    TRIED_EACH = 2000,           // and for each of its nodes
    MOST_APPLIED = 50 * 1000
};

// --- rules --------------------------------------------------------------------------------------

static bool has_floats(Node *type)
{
    if (type->kind == TYPE_SCALAR) return scalar_info[type->attr.i].class == CLASS_FLOAT;
    for (uint32_t i = 0; i < type->nops; i++)
        if (!(kind_info[type->op[i]->kind].levels & LEVEL_NAT) && has_floats(type->op[i]))
            return true;
    return false;
}

bool run_allows(Run *r, FloatClass needed, const char *what, Span at, Node *e)
{
    static const char *const class[] = {"exact", "contract", "reassociate"};
    if (r->stopped || needed <= r->allows || !has_floats(e->type)) return true;
    if (r->is_default) return false;
    Diag *d = diag_error(r->cx, E0817, at, "%s changes how floating-point numbers are rounded (%s)",
                         what, class[needed]);
    diag_help(r->cx, d, "allow it: schedule %s allow %s { ... }", r->function->name->text,
              class[needed]);
    r->stopped = true;
    return true;
}

static bool allows_class(Run *r, const Strategy *s, Node *e)
{
    const char *what = arena_printf(r->arena, "rule `%s`", s->rule->name->text);
    return run_allows(r, s->rule->fp, what, s->span, e);
}

// Whether the term has a variant that a later stage supports only for some terms.
static bool may_be_refused(Node *e, void *env)
{
    (void)env;
    switch ((Variant)e->variant) {
    case VARIANT_UNROLL:
    case VARIANT_VEC:
    case VARIANT_INPLACE:
    case VARIANT_STACK:
    case VARIANT_AOS:
    case VARIANT_AOSOA:
    case VARIANT_STACK_SOA:
    case VARIANT_STACK_AOS:
    case VARIANT_STACK_AOSOA:
    case VARIANT_HEAP_AOS:
    case VARIANT_HEAP_AOSOA: return true;
    default: return false;
    }
}

// Whether a later stage supports the rewritten term, taken as the body of a function over the
// variables in scope.
static bool is_possible(Run *r, const Strategy *s, Node *e, const Way *way, Miss *miss)
{
    if (!r->refuses || !node_any(s->rule->right, may_be_refused, NULL)) return true;
    Node **types;
    int n = run_scope_types(r, way, &types);
    if (n < 0) return true;
    Function f = *r->function;
    memset(&f.params, 0, sizeof f.params);
    for (int i = 0; i < n; i++) {
        Sym name = session_sym(r->cx, arena_printf(r->arena, "p%d", i));
        vec_push(r->arena, &f.params, ((Param){name, types[i], NULL}));
    }
    f.body = e;
    f.result = e->type;
    const char *why = r->refuses(r->cx, &f);
    if (why) *miss = (Miss){MISS_CONDITION, why};
    return !why;
}

void run_changed(Run *r, const Strategy *s, const Env *env, Node *before, Node *after,
                 const Way *way)
{
    run_note_step(r, s, env, before, after, way);
    if (r->applied++ > MOST_APPLIED) run_stop(r, E0812, s->span, "the schedule does not terminate");
}

static Node *apply_rule(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    int64_t numbers[STRATEGY_MAX_PARAMS];
    for (int i = 0; i < s->kids.len; i++) {
        numbers[i] = run_number(r, s->kids.at[i], env);
        if (numbers[i] < 0) run_stop(r, E0813, s->kids.at[i]->span, "a size cannot be negative");
    }
    if (r->stopped) return NULL;
    if (r->tried++ > r->most_tried) {
        run_stop(r, E0812, s->span, "the schedule does not terminate");
        return NULL;
    }
    Miss miss = {0};
    Node *done = schedule_apply(r->cx, r->facts, s->rule, numbers, e, r->pure, NULL, &miss);
    if (done && !is_possible(r, s, done, way, &miss)) {
        done = NULL;
        if (run_is_nearer(r, miss.cause)) run_missed(r, s, miss, e);
    } else if (!done && run_is_nearer(r, miss.cause)) { // apply it again, to get the message
        schedule_apply(r->cx, r->facts, s->rule, numbers, e, r->pure, r->arena, &miss);
        run_missed(r, s, miss, e);
    }
    if (run_tried(r, s, done != NULL, miss.cause)) {
        if (!miss.why)
            schedule_apply(r->cx, r->facts, s->rule, numbers, e, r->pure, r->cx->arena, &miss);
        run_tried_why(r, s, miss.why);
    }
    if (!done || !allows_class(r, s, e)) return NULL;
    if (s->rule->calls) r->inlined = true, r->pure = false;
    if (done != e) run_changed(r, s, env, e, done, way);
    return done;
}

// --- memory -------------------------------------------------------------------------------------

// Debug builds free terms more often, to find terms that are freed too early.
#ifdef ADZE_DEBUG
enum { MANY_NODES = 1 << 12 };
#else
enum { MANY_NODES = 1 << 14 };
#endif

typedef VEC(Node *) Terms;

// Frees nothing if steps are traced, because the trace keeps their terms.
void run_collect(Run *r, Node *e, const Way *way)
{
    if (r->traced || node_count(r->cx) < r->collect) return;
    Arena *arena = arena_new_beside(r->cx->arena);
    Terms roots = {0};
    vec_push(arena, &roots, e);
    for (; way; way = way->outer) vec_push(arena, &roots, way->node);
    for (const Needed *n = r->needed; n; n = n->outer) vec_push(arena, &roots, n->e);
    uint32_t left = node_collect(r->cx, r->first, roots.at, roots.len);
    r->collect = node_count(r->cx) + (left > MANY_NODES ? left : MANY_NODES);
    arena_delete(arena);
}

// --- strategies ---------------------------------------------------------------------------------

static Node *run_sequence(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    for (int i = 0; e && i < s->kids.len; i++) {
        run_collect(r, e, way);
        e = run_strategy(r, s->kids.at[i], env, e, way);
    }
    return e;
}

static Node *run_else(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    int mark = r->trace->steps.len;
    int64_t applied = r->applied;
    Node *done = run_needed(r, s->kids.at[0], env, e, way);
    if (done || r->stopped) return done;
    run_collect(r, e, way);
    r->trace->steps.len = mark;
    r->applied = applied;
    return run_strategy(r, s->kids.at[1], env, e, way);
}

Node *run_needed(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    Needed needed = {r->needed, e};
    r->needed = &needed;
    Node *done = run_strategy(r, s, env, e, way);
    r->needed = needed.outer;
    return done;
}

static Node *run_call(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    const StrategyItem *item = s->item;
    if (!item->body) return NULL;
    if (STACK_IS_DEEP(r->limit)) {
        run_stop(r, E0812, s->span,
                 "the schedule does not terminate: strategies call one another too deeply");
        return NULL;
    }
    // Closures are only passed inwards, so arguments may live on this stack frame.
    Argument args[STRATEGY_MAX_PARAMS];
    for (int i = 0; i < item->params.len; i++)
        args[i] = run_argument(r, item->params.at[i].kind, s->kids.at[i], env);
    Env inner = {args};
    Calls calls = {r->calls, item};
    r->calls = &calls;
    Node *done = run_strategy(r, item->body, &inner, e, way);
    r->calls = calls.outer;
    return done;
}

static Node *run_form(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    switch (s->form) {
    case STRATEGY_SEQUENCE: return run_sequence(r, s, env, e, way);
    case STRATEGY_ELSE: return run_else(r, s, env, e, way);
    case STRATEGY_IF: {
        const Strategy *branch = run_number(r, s->kids.at[0], env) ? s->kids.at[1] : s->kids.at[2];
        return run_strategy(r, branch, env, e, way);
    }
    case STRATEGY_RULE: return apply_rule(r, s, env, e, way);
    case STRATEGY_PRIMITIVE: return run_primitive(r, s, env, e, way);
    case STRATEGY_CALL: return run_call(r, s, env, e, way);
    case STRATEGY_PARAM: {
        const Argument *a = &env->args[s->number];
        return run_strategy(r, a->strategy, a->env, e, way);
    }
    default: session_ice(r->cx, __FILE__, __LINE__, "form %d as a strategy", s->form);
    }
}

Node *run_strategy(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    if (r->stopped) return NULL;
    r->cx->strategies++;
    Nearest before = r->nearest;
    Node *done = run_form(r, s, env, e, way);
    if (done) r->nearest = before;
    return done;
}

// --- a schedule ----------------------------------------------------------------------------------

// Runs one statement. If it fails, a second run finds out why and where.
static Node *run_statement(Run *r, const Strategy *s, const Env *env, Node *e)
{
    int mark = r->trace->steps.len;
    int64_t tried = r->tried, applied = r->applied;
    r->statement = s;
    run_collect(r, e, NULL);
    Node *done = run_needed(r, s, env, e, NULL);
    if (r->stopped) return NULL;
    if (done) return done;
    r->trace->steps.len = mark;
    r->tried = tried;
    r->applied = applied;
    r->explains = true;
    (void)run_strategy(r, s, env, e, NULL);
    r->trace->steps.len = mark;
    run_report(r);
    return NULL;
}

static Node *run_body(Run *r, const Strategy *body, const Env *env, Node *e)
{
    if (body->form != STRATEGY_SEQUENCE) return run_statement(r, body, env, e);
    for (int i = 0; e && i < body->kids.len; i++) e = run_statement(r, body->kids.at[i], env, e);
    return e;
}

static bool open_numbers(Session *cx, const Schedule *s, const NodeBinding *numbers, int n,
                         Argument *args)
{
    for (int i = 0; i < s->numbers.len; i++) {
        const OpenNumber *open = &s->numbers.at[i];
        args[i] = (Argument){.kind = ARG_NUMBER, .number = open->choices.at[0]};
        for (int k = 0; k < n; k++)
            if (numbers[k].name == open->name && !nat_is_const(numbers[k].value, &args[i].number)) {
                diag_error(cx, E0813, open->span, "`%s` has no value", open->name->text);
                return false;
            }
    }
    return true;
}

static Facts *facts_of(Session *cx, Arena *arena, const Function *f)
{
    Facts *facts = facts_new(cx, arena, NULL);
    size_checks_assume(cx, facts, &f->where);
    size_checks_assume(cx, facts, &f->checks);
    return facts;
}

// Collects the choices in a term, except those in `without`. Choices are patterns with a variant,
// stores and copies.
static void find_choices(Node *e, Map *seen, const Map *without, Map *out)
{
    if (map_get(seen, (uint64_t)e->id + 1)) return;
    map_put(seen, (uint64_t)e->id + 1, seen);
    bool choice = e->variant != VARIANT_ANY || e->kind == CORE_TO_MEM || e->kind == CORE_COPY;
    uint64_t key = choice ? core_choice_key(e) : 0;
    if (choice && !(without && map_get(without, key))) map_put(out, key, out);
    for (uint32_t i = 0; i < e->nops; i++)
        if (e->op[i]->type) find_choices(e->op[i], seen, without, out);
}

// Collects the choices in `after` that are not in `before`.
static const Map *new_choices(Session *cx, Node *before, Node *after)
{
    Arena *arena = arena_new_beside(cx->arena);
    Map *made = ARENA_NEW(cx->arena, Map);
    Map old = map_new(arena), seen = map_new(arena), again = map_new(arena);
    *made = map_new(cx->arena);
    find_choices(before, &seen, NULL, &old);
    find_choices(after, &again, &old, made);
    arena_delete(arena);
    return made;
}

static bool count_node(Node *n, void *env)
{
    (void)n;
    return ++*(int64_t *)env > MOST_TRIED / TRIED_EACH;
}

// How many rules a schedule may try: where each that is applied makes the term larger, their number
// is quadratic.
static int64_t most_tried(Node *body)
{
    int64_t nodes = 0;
    node_any(body, count_node, &nodes);
    int64_t most = FEW_TRIED + TRIED_EACH * nodes;
    return most < MOST_TRIED ? most : MOST_TRIED;
}

Function *schedule_run(Session *cx, const Function *flat, const Schedule *schedule,
                       const NodeBinding *numbers, int nnumbers, Refuses *refuses,
                       ScheduleTrace *trace)
{
    ScheduleTrace own = {0};
    Argument args[STRATEGY_MAX_PARAMS];
    if (!open_numbers(cx, schedule, numbers, nnumbers, args)) return NULL;
    Arena *arena = arena_new_beside(cx->arena);
    Run r = {.cx = cx,
             .arena = arena,
             .function = flat,
             .facts = facts_of(cx, arena, flat),
             .pure = schedule_is_pure(flat->body),
             .allows = schedule->allows,
             .is_default = schedule->is_default,
             .refuses = refuses,
             .trace = trace ? trace : &own,
             .traced = trace != NULL,
             .most_tried = most_tried(flat->body),
             .limit = stack_limit(),
             .first = node_count(cx),
             .collect = node_count(cx) + MANY_NODES};
    Env env = {args};
    node_begin(cx); // so that a rewritten term keeps the location of the original
    Node *body = run_body(&r, schedule->body, &env, flat->body);
    r.trace->applied = r.applied;
    r.trace->tried = r.tried;
    arena_delete(arena);
    if (!body) return NULL;
    Function *f = ARENA_NEW(cx->arena, Function);
    *f = *flat;
    f->body = body;
    if (r.inlined) apply_add_updates(cx, f);
    f->by_schedule = new_choices(cx, flat->body, body);
    return f;
}
