// Strategies at work. Strategies given as arguments are closures, evaluated where they are applied; numbers and lists are values.
//
// A term is rewritten where it stands: what is around it is made anew on the way back, from the parts that did not change. What a
// failed attempt did is forgotten: terms are immutable, and the trace is cut back.
#include "schedule/internal.h"

#include <string.h>

#include "base/stack.h"

enum { MOST_TRIED = 20 * 1000 * 1000, MOST_APPLIED = 50 * 1000, MOST_NUMBER = 1 << 30 };

typedef struct Env Env;

/// An argument: a strategy with its surroundings, a number, numbers, a text.
typedef struct {
    ArgKind kind;
    const Strategy *strategy;
    const Env *env;
    int64_t number;
    VEC(int64_t) list;
    const char *text;
} Argument;

struct Env {
    const Argument *args;
};

/// The way to the term at hand: child numbers and names of the variables around it, innermost first.
typedef struct Way Way;
struct Way {
    const Way *outer;
    int child;  // operand number, -1: the body of a lambda
    Node *node; // whose operand it is
};

/// The calls of strategies that led here, the latest first.
typedef struct Calls Calls;
struct Calls {
    const Calls *outer;
    const StrategyItem *item;
};

typedef struct {
    Session *cx;
    Arena *arena; // of the run
    const Calls *calls;
    const Function *function;
    Facts *facts;
    bool pure; // the function, and so all that rules make of it
    FloatClass allows;
    ScheduleTrace *trace;
    bool traced; // someone wants the steps
    int64_t tried, applied;
    uintptr_t limit; // of the stack
    // The failure that came nearest to a success since the last one.
    struct {
        Miss miss;
        const Strategy *at;
        const Way *way; // copied into `arena`
        const char *calls;
        Node *term;
    } nearest;
    bool stopped; // an error was reported
} Run;

static Node *run(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way);

// --- numbers ------------------------------------------------------------------------------------

static bool stop(Run *r, DiagCode code, Span span, const char *text)
{
    if (!r->stopped) diag_error(r->cx, code, span, "%s", text);
    r->stopped = true;
    return false;
}

static const Argument *list_of(Run *r, const Strategy *s, const Env *env);

static int64_t number_of(Run *r, const Strategy *s, const Env *env);

static int64_t operate(Run *r, const Strategy *s, int64_t a, int64_t b)
{
    const char *op = s->text;
    bool divides = op[0] == '/' || op[0] == '%';
    if (divides && b <= 0)
        return stop(r, E0813, s->span, "division by a number that is not positive");
    if (strcmp(op, "+") == 0) return a + b;
    if (strcmp(op, "-") == 0) return a - b;
    if (strcmp(op, "*") == 0) return a * b;
    if (strcmp(op, "/") == 0) return a / b;
    if (strcmp(op, "%") == 0) return a % b;
    if (strcmp(op, "==") == 0) return a == b;
    if (strcmp(op, "!=") == 0) return a != b;
    if (strcmp(op, "<") == 0) return a < b;
    if (strcmp(op, "<=") == 0) return a <= b;
    if (strcmp(op, ">") == 0) return a > b;
    if (strcmp(op, ">=") == 0) return a >= b;
    if (strcmp(op, "&&") == 0) return a && b;
    if (strcmp(op, "||") == 0) return a || b;
    session_ice(r->cx, __FILE__, __LINE__, "operator %s in a strategy", op);
}

static int64_t operator_value(Run *r, const Strategy *s, const Env *env)
{
    int64_t a = number_of(r, s->kids.at[0], env);
    if (s->kids.len == 1) return s->text[0] == '!' ? !a : -a;
    int64_t value = operate(r, s, a, number_of(r, s->kids.at[1], env));
    if (value > MOST_NUMBER || value < -MOST_NUMBER)
        return stop(r, E0813, s->span, "a number of a strategy is beyond 2^30");
    return value;
}

static int64_t number_of(Run *r, const Strategy *s, const Env *env)
{
    if (r->stopped) return 0;
    switch (s->form) {
    case STRATEGY_NUMBER: return s->number;
    case STRATEGY_PARAM: return env->args[s->number].number;
    case STRATEGY_OPERATOR: return operator_value(r, s, env);
    case STRATEGY_LENGTH: return list_of(r, s->kids.at[0], env)->list.len;
    case STRATEGY_ITEM: {
        const Argument *list = list_of(r, s->kids.at[0], env);
        int64_t k = number_of(r, s->kids.at[1], env);
        if (k >= 0 && k < list->list.len) return list->list.at[k];
        return stop(r, E0813, s->span,
                    arena_printf(r->arena, "there is no item %lld in a list of %d", (long long)k,
                                 list->list.len));
    }
    default: session_ice(r->cx, __FILE__, __LINE__, "form %d as a number", s->form);
    }
}

static const Argument *list_of(Run *r, const Strategy *s, const Env *env)
{
    if (s->form == STRATEGY_PARAM) return &env->args[s->number];
    Argument *a = ARENA_NEW(r->arena, Argument);
    a->kind = ARG_LIST;
    if (s->form == STRATEGY_LIST) {
        for (int i = 0; i < s->kids.len; i++)
            vec_push(r->arena, &a->list, number_of(r, s->kids.at[i], env));
        return a;
    }
    CHECK(r->cx, s->form == STRATEGY_REST, "form %d as a list", s->form);
    const Argument *of = list_of(r, s->kids.at[0], env);
    int64_t k = number_of(r, s->kids.at[1], env);
    if (k < 0 || k > of->list.len) stop(r, E0813, s->span, "the list is shorter than that");
    for (int64_t i = k; i >= 0 && i < of->list.len; i++)
        vec_push(r->arena, &a->list, of->list.at[i]);
    return a;
}

static Argument argument_of(Run *r, ArgKind kind, const Strategy *s, const Env *env)
{
    Argument a = {.kind = kind, .strategy = s, .env = env};
    switch (kind) {
    case ARG_STRATEGY:
        if (s->form == STRATEGY_PARAM) return env->args[s->number];
        return a;
    case ARG_NUMBER: a.number = number_of(r, s, env); return a;
    case ARG_LIST: return *list_of(r, s, env);
    case ARG_TEXT:
        a.text = s->form == STRATEGY_PARAM ? env->args[s->number].text : s->text;
        return a;
    }
    return a;
}

static const char *text_of(const Strategy *s, const Env *env)
{
    return s->form == STRATEGY_PARAM ? env->args[s->number].text : s->text;
}

// --- failures -----------------------------------------------------------------------------------

static const Way *keep_way(Run *r, const Way *way)
{
    if (!way) return NULL;
    Way *w = ARENA_NEW(r->arena, Way);
    *w = *way;
    w->outer = keep_way(r, way->outer);
    return w;
}

// The names of the strategies that led here, the outermost first, each once.
static void put_calls(Text *out, const Calls *calls)
{
    if (!calls) return;
    put_calls(out, calls->outer);
    for (const Calls *c = calls->outer; c; c = c->outer)
        if (c->item == calls->item) return;
    text_printf(out, "%s%s", out->len ? ", " : "", calls->item->name->text);
}

static const char *calls_text(const Run *r)
{
    Text t = text_new(r->arena);
    put_calls(&t, r->calls);
    return text_get(&t);
}

// A rule did not apply.
static Node *missed(Run *r, const Strategy *s, Miss miss, Node *e, const Way *way)
{
    if (r->stopped || (r->nearest.at && miss.cause <= r->nearest.miss.cause)) return NULL;
    r->nearest.miss = miss;
    r->nearest.at = s;
    r->nearest.way = keep_way(r, way);
    r->nearest.calls = calls_text(r);
    r->nearest.term = e;
    return NULL;
}

// --- children -----------------------------------------------------------------------------------

static bool is_child(Node *e, int k)
{
    Sort sort = kind_sort((Kind)e->kind, k);
    return sort == SORT_TERM || sort == SORT_FUN;
}

// The operand that is child number k; -1 when there are not as many.
static int child_operand(Node *e, int64_t k)
{
    for (int i = 0; i < (int)e->nops; i++)
        if (is_child(e, i) && k-- == 0) return i;
    return -1;
}

// How a strategy goes on at a child: run, or a search of its own.
typedef Node *Visit(Run *r, void *env, Node *e, const Way *way);

// What `visit` makes of child k; a function stands for its body. NULL when it gives NULL.
static Node *visit_child(Run *r, Visit *visit, void *env, Node *e, int k, const Way *way)
{
    Way in = {way, k, e}, body = {&in, -1, e->op[k]};
    Node *child = e->op[k];
    bool lam = child->kind == CORE_LAM;
    Node *done = lam ? visit(r, env, child->op[0], &body) : visit(r, env, child, &in);
    if (done && lam) done = node_with_op(r->cx, child, 0, done);
    return done ? node_with_op(r->cx, e, k, done) : NULL;
}

// The first child for which `visit` gives a term.
static Node *visit_one(Run *r, Visit *visit, void *env, Node *e, const Way *way)
{
    for (int k = 0; k < (int)e->nops && !r->stopped; k++) {
        Node *done = is_child(e, k) ? visit_child(r, visit, env, e, k, way) : NULL;
        if (done) return done;
    }
    return NULL;
}

/// A strategy with its surroundings.
typedef struct {
    const Strategy *s;
    const Env *env;
} Closure;

static Node *visit_run(Run *r, void *env, Node *e, const Way *way)
{
    const Closure *c = env;
    return run(r, c->s, c->env, e, way);
}

typedef enum { CHILD_ALL, CHILD_ONE, CHILD_LAST, CHILD_SOME } Which;

static Node *at_children(Run *r, Which which, const Strategy *s, const Env *env, Node *e,
                         const Way *way)
{
    Closure c = {s, env};
    bool any = false;
    for (int i = 0; i < (int)e->nops && !r->stopped; i++) {
        int k = which == CHILD_LAST ? (int)e->nops - 1 - i : i;
        if (!is_child(e, k)) continue;
        Node *done = visit_child(r, visit_run, &c, e, k, way);
        if (!done && which == CHILD_ALL) return NULL;
        if (!done) continue;
        if (which == CHILD_ONE || which == CHILD_LAST) return done;
        e = done;
        any = true;
    }
    return any || which == CHILD_ALL ? e : NULL;
}

// --- single primitives --------------------------------------------------------------------------

static bool is_kind(Node *e, const char *text)
{
    const char *dot = strchr(text, '.');
    size_t n = dot ? (size_t)(dot - text) : strlen(text);
    const char *name = kind_info[e->kind].text;
    if (e->kind == CORE_PRIM) name = prim_info[e->attr.i].text;
    if (strlen(name) != n || strncmp(name, text, n) != 0) return false;
    return !dot || (dot[1] == 0 ? e->variant == VARIANT_ANY
                                : strcmp(variant_text[e->variant], dot + 1) == 0);
}

static Node *repeat(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    for (;;) {
        int mark = r->trace->steps.len;
        Node *next = run(r, s, env, e, way);
        if (!next) r->trace->steps.len = mark;
        if (!next || next == e || r->stopped) return next ? next : e;
        e = next;
    }
}

// Whether s succeeds, without a trace of it.
static bool succeeds(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    int mark = r->trace->steps.len;
    int64_t applied = r->applied;
    bool good = run(r, s, env, e, way) != NULL;
    r->trace->steps.len = mark;
    r->applied = applied;
    return good;
}

typedef struct {
    const Strategy *p, *s;
    const Env *env;
    int64_t left;
} Nth;

static Node *nth(Run *r, void *env, Node *e, const Way *way)
{
    Nth *n = env;
    if (succeeds(r, n->p, n->env, e, way) && n->left-- == 0) return run(r, n->s, n->env, e, way);
    return n->left >= 0 ? visit_one(r, nth, n, e, way) : NULL;
}

typedef struct {
    const char *name;
    Closure then;
} Named;

static Node *at_name(Run *r, void *env, Node *e, const Way *way)
{
    Named *n = env;
    if (e->kind == CORE_LET && e->names && e->names[0] && strcmp(e->names[0]->text, n->name) == 0)
        return visit_child(r, visit_run, &n->then, e, 0, way);
    return visit_one(r, at_name, n, e, way);
}

static Node *inline_let(Run *r, Node *e)
{
    if (e->kind != CORE_LET || e->op[0]->kind == CORE_NEW || e->op[0]->kind == CORE_GET)
        return NULL;
    if (e->op[0]->kind >= CORE_NEW && e->op[0]->kind <= CORE_CALL) return NULL;
    return node_instantiate(r->cx, e->op[1], e->op, 1);
}

// --- a name for a subterm -----------------------------------------------------------------------

typedef struct {
    Closure is;
    Node *whole;
    int depth; // variables bound between the term and where the search is
    Node *found;
} Find;

// The first part on which a strategy succeeds and that uses no variable bound between it and the term.
static Node *find(Run *r, void *env, Node *e, const Way *way)
{
    Find *f = env;
    bool closed = e != f->whole;
    for (int i = 0; i < f->depth && closed; i++) closed = !node_uses(e, i);
    if (closed && succeeds(r, f->is.s, f->is.env, e, way))
        f->found = node_shift(r->cx, e, -f->depth, 0);
    for (int k = 0; k < (int)e->nops && !f->found; k++) {
        if (!is_child(e, k)) continue;
        int under = node_binds(e, k) + (e->op[k]->kind == CORE_LAM ? (int)e->op[k]->attr.i : 0);
        f->depth += under;
        visit_child(r, find, f, e, k, way);
        f->depth -= under;
    }
    return NULL;
}

// Under a new variable that stands for `what`.
static Node *named(Session *cx, Node *e, int depth, void *env)
{
    Node *what = env;
    if (e == node_shift(cx, what, depth, 0)) return core_var(cx, depth, e->type);
    if (e->kind == CORE_VAR)
        return e->attr.i < depth ? e : core_var(cx, (int)e->attr.i + 1, e->type);
    return node_map(cx, e, depth, named, env);
}

static Node *bind(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    Find f = {{s, env}, e, 0, NULL};
    find(r, &f, e, way);
    Node *what = f.found;
    if (!what || term_may_fail(what)) return NULL;
    return core_let(r->cx, session_sym(r->cx, "t"), what,
                    named(r->cx, e, 0, (void *)(uintptr_t)what));
}

// --- strategies ---------------------------------------------------------------------------------

static void put_path(Text *out, const Way *way)
{
    if (!way) return;
    put_path(out, way->outer);
    if (way->child >= 0)
        text_printf(out, "%s%s.%d", out->len ? " " : "", kind_info[way->node->kind].text,
                    way->child);
}

static const char *path_text(Run *r, const Way *way)
{
    Text t = text_new(r->cx->arena);
    put_path(&t, way);
    return text_get(&t);
}

static int bound_here(const Way *way)
{
    return way->child < 0 ? (int)way->node->attr.i : node_binds(way->node, way->child);
}

// The names of the variables around a term, outermost first; how many.
static int scope_of(const Run *r, const Way *way, Sym **names)
{
    int n = r->function->params.len;
    for (const Way *w = way; w; w = w->outer) n += bound_here(w);
    Sym *all = ARENA_ARRAY(r->cx->arena, Sym, n + 1);
    int at = n;
    for (const Way *w = way; w; w = w->outer)
        for (int i = bound_here(w); i-- > 0;) {
            Sym name = w->node->names ? w->node->names[i] : NULL;
            all[--at] = name ? name : session_sym(r->cx, "x");
        }
    for (int i = at; i-- > 0;) all[i] = r->function->params.at[i].name;
    *names = all;
    return n;
}

static void note_step(Run *r, const Strategy *s, Node *before, Node *after, const Way *way)
{
    if (!r->traced) return;
    Step step = {.rule = s->rule, .span = s->span, .before = before, .after = after};
    step.path = path_text(r, way);
    Sym *names;
    step.nscope = scope_of(r, way, &names);
    step.scope = names;
    vec_push(r->cx->arena, &r->trace->steps, step);
}

static bool has_floats(Node *type)
{
    if (type->kind == TYPE_SCALAR) return scalar_info[type->attr.i].class == CLASS_FLOAT;
    for (uint32_t i = 0; i < type->nops; i++)
        if (!(kind_info[type->op[i]->kind].levels & LEVEL_NAT) && has_floats(type->op[i]))
            return true;
    return false;
}

// Regrouping integers changes nothing.
static void check_class(Run *r, const Strategy *s, Node *e)
{
    static const char *const class[] = {"exact", "contract", "reassociate"};
    if (r->stopped || s->rule->fp <= r->allows || !has_floats(e->type)) return;
    Diag *d = diag_error(r->cx, E0817, s->span,
                         "rule `%s` changes how floating-point numbers are rounded (%s)",
                         s->rule->name->text, class[s->rule->fp]);
    diag_help(r->cx, d, "allow it: schedule %s allow %s { ... }", r->function->name->text,
              class[s->rule->fp]);
    r->stopped = true;
}

static Node *apply_rule(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    int64_t numbers[16];
    CHECK(r->cx, s->kids.len <= 16, "%d numbers of a rule", s->kids.len);
    for (int i = 0; i < s->kids.len; i++) {
        numbers[i] = number_of(r, s->kids.at[i], env);
        if (numbers[i] < 0) stop(r, E0813, s->kids.at[i]->span, "a size cannot be negative");
    }
    if (r->stopped) return NULL;
    if (r->tried++ > MOST_TRIED) {
        stop(r, E0812, s->span, "the schedule goes on without end");
        return NULL;
    }
    Miss miss;
    Node *done = schedule_apply(r->cx, r->facts, s->rule, numbers, e, r->pure, &miss);
    if (!done) return missed(r, s, miss, e, way);
    check_class(r, s, e);
    if (done != e) note_step(r, s, e, done, way);
    if (done != e && r->applied++ > MOST_APPLIED)
        stop(r, E0812, s->span, "the schedule goes on without end");
    return done;
}

static Node *run_primitive(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    const Strategy *const *kids = s->kids.at;
    switch (s->primitive) {
    case PRIMITIVE_ID: return e;
    case PRIMITIVE_FAIL: break;
    case PRIMITIVE_ALL: return at_children(r, CHILD_ALL, kids[0], env, e, way);
    case PRIMITIVE_ONE: return at_children(r, CHILD_ONE, kids[0], env, e, way);
    case PRIMITIVE_ONE_LAST: return at_children(r, CHILD_LAST, kids[0], env, e, way);
    case PRIMITIVE_SOME: return at_children(r, CHILD_SOME, kids[0], env, e, way);
    case PRIMITIVE_ARG: {
        int k = child_operand(e, number_of(r, kids[0], env));
        Closure c = {kids[1], env};
        return k >= 0 ? visit_child(r, visit_run, &c, e, k, way) : NULL;
    }
    case PRIMITIVE_REPEAT: return repeat(r, kids[0], env, e, way);
    case PRIMITIVE_NOT: return succeeds(r, kids[0], env, e, way) ? NULL : e;
    case PRIMITIVE_CHECK: return succeeds(r, kids[0], env, e, way) ? e : NULL;
    case PRIMITIVE_NTH: {
        Nth n = {kids[1], kids[2], env, number_of(r, kids[0], env)};
        return nth(r, &n, e, way);
    }
    case PRIMITIVE_IS: return is_kind(e, text_of(kids[0], env)) ? e : NULL;
    case PRIMITIVE_IS_FUNCTION: return e->type && e->type->kind == TYPE_FUN ? e : NULL;
    case PRIMITIVE_AT: {
        Named n = {text_of(kids[0], env), {kids[1], env}};
        return at_name(r, &n, e, way);
    }
    case PRIMITIVE_BIND: return bind(r, kids[0], env, e, way);
    case PRIMITIVE_INLINE: return inline_let(r, e);
    case PRIMITIVE_COUNT: break;
    }
    return NULL;
}

static Node *run_sequence(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    for (int i = 0; e && i < s->kids.len; i++) e = run(r, s->kids.at[i], env, e, way);
    return e;
}

static Node *run_else(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    int mark = r->trace->steps.len;
    int64_t applied = r->applied;
    Node *done = run(r, s->kids.at[0], env, e, way);
    if (done || r->stopped) return done;
    r->trace->steps.len = mark;
    r->applied = applied;
    return run(r, s->kids.at[1], env, e, way);
}

static Node *run_call(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    const StrategyItem *item = s->item;
    if (!item->body) return NULL;
    if (STACK_IS_DEEP(r->limit)) {
        stop(r, E0812, s->span,
             "the schedule goes on without end: strategies call one another too deeply");
        return NULL;
    }
    // Closures are only passed inwards, so that arguments may live here.
    Argument args[STRATEGY_MAX_PARAMS];
    for (int i = 0; i < item->params.len; i++)
        args[i] = argument_of(r, item->params.at[i].kind, s->kids.at[i], env);
    Env inner = {args};
    Calls calls = {r->calls, item};
    r->calls = &calls;
    Node *done = run(r, item->body, &inner, e, way);
    r->calls = calls.outer;
    return done;
}

static Node *run(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    if (r->stopped) return NULL;
    switch (s->form) {
    case STRATEGY_SEQUENCE: return run_sequence(r, s, env, e, way);
    case STRATEGY_ELSE: return run_else(r, s, env, e, way);
    case STRATEGY_IF: {
        const Strategy *branch = number_of(r, s->kids.at[0], env) ? s->kids.at[1] : s->kids.at[2];
        return run(r, branch, env, e, way);
    }
    case STRATEGY_RULE: return apply_rule(r, s, env, e, way);
    case STRATEGY_PRIMITIVE: return run_primitive(r, s, env, e, way);
    case STRATEGY_CALL: return run_call(r, s, env, e, way);
    case STRATEGY_PARAM: {
        const Argument *a = &env->args[s->number];
        return run(r, a->strategy, a->env, e, way);
    }
    default: session_ice(r->cx, __FILE__, __LINE__, "form %d as a strategy", s->form);
    }
}

// --- a schedule -----------------------------------------------------------------------------------

static const char *term_text(Run *r, Node *e, const Way *way)
{
    enum { MOST = 300 };
    Sym *names;
    int n = scope_of(r, way, &names);
    const char *text = term_show(r->cx, e, names, n);
    return strlen(text) <= MOST ? text : arena_printf(r->arena, "%.*s...", MOST, text);
}

// Where the rule was used, on the way of which strategies.
static void note_use(Run *r, Diag *d, const Strategy *statement)
{
    const Strategy *at = r->nearest.at;
    if (at->span.lo != statement->span.lo || at->span.file != statement->span.file)
        diag_note(r->cx, d, at->span, "the rule is used here");
    if (*r->nearest.calls)
        diag_note(r->cx, d, NO_SPAN, "through the strategies %s", r->nearest.calls);
}

static void report(Run *r, const Strategy *statement)
{
    if (r->stopped) return;
    const Strategy *at = r->nearest.at;
    if (!at) {
        diag_error(r->cx, E0811, statement->span, "this strategy fails: no rule of it was tried");
        return;
    }
    const char *rule = at->rule->name->text;
    if (r->nearest.miss.cause == MISS_HEAD) {
        Diag *d = diag_error(r->cx, E0811, statement->span,
                             "this strategy fails: rule `%s` has nothing to match here", rule);
        note_use(r, d, statement);
        return;
    }
    Diag *d =
        diag_error(r->cx, E0811, statement->span,
                   "this strategy fails: rule `%s` does not apply: %s", rule, r->nearest.miss.why);
    note_use(r, d, statement);
    const char *path = path_text(r, r->nearest.way);
    diag_note(r->cx, d, r->nearest.term->origin, "it came nearest at %s%s%s", path,
              *path ? ": " : "", term_text(r, r->nearest.term, r->nearest.way));
}

// The statements of a schedule one by one, so that a failure has its place.
static Node *run_body(Run *r, const Strategy *body, const Env *env, Node *e)
{
    if (body->form != STRATEGY_SEQUENCE) {
        Node *done = run(r, body, env, e, NULL);
        if (!done) report(r, body);
        return done;
    }
    for (int i = 0; i < body->kids.len; i++) {
        r->nearest.at = NULL;
        Node *done = run(r, body->kids.at[i], env, e, NULL);
        if (!done || r->stopped) {
            report(r, body->kids.at[i]);
            return NULL;
        }
        e = done;
    }
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
                diag_error(cx, E0813, open->span, "`%s` is not given a number", open->name->text);
                return false;
            }
    }
    return true;
}

static Facts *facts_of(Session *cx, Arena *arena, const Function *f)
{
    Facts *facts = facts_new(cx, arena, NULL);
    for (int i = 0; i < f->where.len; i++) size_check_assume(cx, facts, &f->where.at[i]);
    for (int i = 0; i < f->checks.len; i++) size_check_assume(cx, facts, &f->checks.at[i]);
    return facts;
}

Function *schedule_run(Session *cx, const Function *flat, const Schedule *schedule,
                       const NodeBinding *numbers, int nnumbers, ScheduleTrace *trace)
{
    ScheduleTrace own = {0};
    Argument args[STRATEGY_MAX_PARAMS];
    if (!open_numbers(cx, schedule, numbers, nnumbers, args)) return NULL;
    Arena *arena = arena_new();
    Run r = {.cx = cx,
             .arena = arena,
             .function = flat,
             .facts = facts_of(cx, arena, flat),
             .pure = schedule_is_pure(flat->body),
             .allows = schedule->allows,
             .trace = trace ? trace : &own,
             .traced = trace != NULL,
             .limit = stack_limit()};
    Env env = {args};
    node_begin(cx); // what a rule makes has the place of what it replaces
    Node *body = run_body(&r, schedule->body, &env, flat->body);
    r.trace->applied = r.applied;
    r.trace->tried = r.tried;
    arena_delete(arena);
    if (!body) return NULL;
    Function *f = ARENA_NEW(cx->arena, Function);
    *f = *flat;
    f->body = body;
    return f;
}
