// The primitive strategies of core/ir/strategy.def.
#include "schedule/run.h"

#include <string.h>

// --- children -----------------------------------------------------------------------------------

// Returns the index of the operand that is child number k, or -1 if there are fewer children.
static int child_operand(Node *e, int64_t k)
{
    for (int i = 0; i < (int)e->nops; i++)
        if (run_is_child(e, i) && k-- == 0) return i;
    return -1;
}

// A function to call on a child: it runs a strategy, or continues a search.
typedef Node *Visit(Run *r, void *env, Node *e, const Way *way);

// Applies `visit` to child k, or to its body if it is a function. Returns NULL if `visit` fails.
// In a branch, rules may rely on what its condition says about sizes.
static Node *visit_child(Run *r, Visit *visit, void *env, Node *e, int k, const Way *way)
{
    Way in = {way, k, e}, body = {&in, -1, e->op[k]};
    Node *child = e->op[k];
    bool lam = child->kind == CORE_LAM;
    Facts *outer = r->facts;
    if (e->kind == CORE_IF && k > 0)
        r->facts = core_assume(r->cx, r->arena, outer, e->op[0], k == 1);
    Node *done = lam ? visit(r, env, child->op[0], &body) : visit(r, env, child, &in);
    r->facts = outer;
    if (!done || done == (lam ? child->op[0] : child)) return done ? e : NULL;
    if (lam) done = node_with_op(r->cx, child, 0, done);
    return node_with_op(r->cx, e, k, done);
}

// Visits the children in order, up to the first for which `visit` succeeds.
static Node *visit_one(Run *r, Visit *visit, void *env, Node *e, const Way *way)
{
    for (int k = 0; k < (int)e->nops && !r->stopped; k++) {
        Node *done = run_is_child(e, k) ? visit_child(r, visit, env, e, k, way) : NULL;
        if (done) return done;
    }
    return NULL;
}

/// A strategy with its environment.
typedef struct {
    const Strategy *s;
    const Env *env;
} Closure;

static Node *visit_run(Run *r, void *env, Node *e, const Way *way)
{
    const Closure *c = env;
    return run_strategy(r, c->s, c->env, e, way);
}

typedef enum { CHILD_ALL, CHILD_ONE, CHILD_LAST, CHILD_SOME } Which;

static Node *at_children(Run *r, Which which, const Strategy *s, const Env *env, Node *e,
                         const Way *way)
{
    Closure c = {s, env};
    bool any = false;
    for (int i = 0; i < (int)e->nops && !r->stopped; i++) {
        int k = which == CHILD_LAST ? (int)e->nops - 1 - i : i;
        if (!run_is_child(e, k)) continue;
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

// Whether `e` is a call of the pattern with this name, in whatever module.
static bool is_call_of(Node *e, const char *name)
{
    if (e->kind != CORE_APP || e->op[0]->kind != CORE_GLOBAL) return false;
    const char *full = e->op[0]->attr.sym->text, *dot = strrchr(full, '.');
    return strcmp(dot ? dot + 1 : full, name) == 0;
}

static bool is_kind(Node *e, const char *text)
{
    if (is_call_of(e, text)) return true;
    const char *dot = strchr(text, '.');
    size_t n = dot ? (size_t)(dot - text) : strlen(text);
    const char *name = kind_info[e->kind].text;
    if (e->kind == CORE_PRIM) name = prim_info[e->attr.i].text;
    if (strlen(name) != n || strncmp(name, text, n) != 0) return false;
    return !dot || (dot[1] == 0 ? e->variant == VARIANT_ANY
                                : strcmp(variant_text[e->variant], dot + 1) == 0);
}

enum { MOST_NESTED = 8 };

// Whether `e` is the component that the path names of one of two parameters, and of which.
static bool is_component(Node *e, const int64_t *path, int n, int64_t *parameter)
{
    while (n-- > 0) {
        if (e->kind != CORE_PROJ || e->attr.i != path[n]) return false;
        e = e->op[0];
    }
    *parameter = e->attr.i;
    return e->kind == CORE_VAR && e->attr.i < 2;
}

static bool is_commutative(Node *e)
{
    switch (e->kind == CORE_PRIM ? (Prim)e->attr.i : PRIM_SUB) {
    case PRIM_ADD:
    case PRIM_MUL:
    case PRIM_MIN:
    case PRIM_MAX: return true;
    default: return false;
    }
}

// Whether the body of an operator combines each component of its operands by itself, with an
// operator that is commutative and associative. `path` leads to the component that `e` computes.
static bool combines_components(Node *e, int64_t *path, int n)
{
    int64_t first, second;
    if (e->kind != CORE_TUPLE)
        return n > 0 && is_commutative(e) && is_component(e->op[0], path, n, &first) &&
               is_component(e->op[1], path, n, &second) && first != second;
    for (uint32_t i = 0; i < e->nops && n < MOST_NESTED; i++) {
        path[n] = i;
        if (!combines_components(e->op[i], path, n + 1)) return false;
    }
    return e->nops > 0 && n < MOST_NESTED;
}

// Vectorises a reduction of tuples, with a partial result for each lane.
static Node *components_in_lanes(Run *r, const Strategy *s, int64_t lanes, Node *e)
{
    int64_t path[MOST_NESTED];
    if (!is_kind(e, "reduce.") || e->op[0]->kind != CORE_LAM || lanes < 1) return NULL;
    if (!combines_components(e->op[0]->op[0], path, 0)) return NULL;
    if (!run_allows(r, FP_REASSOCIATE, "`components_in_lanes`", s->span, e)) return NULL;
    Node *ops[4] = {e->op[0], e->op[1], e->op[2], nat_const(r->cx, lanes)};
    NodeSpec spec = {.kind = CORE_REDUCE,
                     .variant = VARIANT_VEC,
                     .type = e->type,
                     .nops = 4,
                     .ops = ops,
                     .origin = e->origin};
    return node_make(r->cx, &spec);
}

static Node *repeat(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    for (;;) {
        int mark = r->trace->steps.len;
        run_collect(r, e, way);
        Node *next = run_needed(r, s, env, e, way);
        if (!next) r->trace->steps.len = mark;
        if (!next || next == e || r->stopped) return next ? next : e;
        e = next;
    }
}

bool run_succeeds(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    int mark = r->trace->steps.len;
    int64_t applied = r->applied;
    bool good = run_needed(r, s, env, e, way) != NULL;
    r->trace->steps.len = mark;
    r->applied = applied;
    return good;
}

static Node *because(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    int first = r->trace->steps.len;
    Node *done = run_strategy(r, s->kids.at[1], env, e, way);
    const char *reason = run_text(s->kids.at[0], env);
    if (done) run_note_reason(r, reason, s->kids.at[1], env, first, e, way);
    return done;
}

typedef struct {
    const Strategy *p, *s;
    const Env *env;
    int64_t left;
} Nth;

static Node *nth(Run *r, void *env, Node *e, const Way *way)
{
    Nth *n = env;
    if (run_succeeds(r, n->p, n->env, e, way) && n->left-- == 0)
        return run_strategy(r, n->s, n->env, e, way);
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

// Whether the value of a let may fail and might no longer be computed after inlining. Arrays do not
// count, because their elements are computed only where they are used.
static bool loses_failure(const Node *let)
{
    return let->op[0]->type->kind != TYPE_ARRAY && term_may_fail(let->op[0]) &&
           !term_is_always_evaluated(let->op[1], 0);
}

static Node *component(Session *cx, Node *e, void *env)
{
    (void)cx;
    (void)env;
    bool known = e->kind == CORE_PROJ && e->op[0]->kind == CORE_TUPLE;
    return known ? e->op[0]->op[e->attr.i] : e;
}

static Node *inline_let(Run *r, Node *e)
{
    if (e->kind != CORE_LET || e->op[0]->kind == CORE_NEW || e->op[0]->kind == CORE_GET)
        return NULL;
    if (e->op[0]->kind >= CORE_NEW && e->op[0]->kind <= CORE_CALL) return NULL;
    if (loses_failure(e)) return NULL;
    Node *done = node_instantiate(r->cx, e->op[1], e->op, 1);
    bool apart = e->op[0]->kind == CORE_TUPLE && !term_may_fail(e->op[0]);
    return apart ? node_rewrite(r->cx, done, component, NULL) : done;
}

// --- a name for a subterm -----------------------------------------------------------------------

typedef struct {
    Closure is;
    Node *whole;
    int depth;     // variables bound between the term and the current part
    bool is_named; // the part is the value of a let
    Node *found;
} Find;

// Finds the first part on which a strategy succeeds. It must not be the value of a let, nor use a
// variable bound between the term and itself.
static Node *find(Run *r, void *env, Node *e, const Way *way)
{
    Find *f = env;
    bool closed = e != f->whole && !f->is_named;
    f->is_named = false;
    for (int i = 0; i < f->depth && closed; i++) closed = !node_uses(e, i);
    if (closed && run_succeeds(r, f->is.s, f->is.env, e, way))
        f->found = node_shift(r->cx, e, -f->depth, 0);
    for (int k = 0; k < (int)e->nops && !f->found; k++) {
        if (!run_is_child(e, k)) continue;
        int under = node_binds(e, k) + (e->op[k]->kind == CORE_LAM ? (int)e->op[k]->attr.i : 0);
        f->depth += under;
        f->is_named = e->kind == CORE_LET && k == 0;
        visit_child(r, find, f, e, k, way);
        f->is_named = false;
        f->depth -= under;
    }
    return NULL;
}

typedef struct {
    Arena *arena;
    Node *what;
} Name;

// Shifts the term under the binder of a new variable, and replaces `what` with that variable.
static Node *named(Session *cx, Node *e, int depth, void *env)
{
    const Name *name = env;
    if (term_equal(name->arena, e, node_shift(cx, name->what, depth, 0)))
        return core_var(cx, depth, e->type);
    if (e->kind == CORE_VAR)
        return e->attr.i < depth ? e : core_var(cx, (int)e->attr.i + 1, e->type);
    return node_map(cx, e, depth, named, env);
}

// Whether the pattern computes the operand always, and before anything else that may fail.
static bool is_computed_first(const Node *e, const Node *operand)
{
    bool pattern = e->kind == CORE_MAP || (e->kind >= CORE_REDUCE && e->kind <= CORE_SCAN_EX);
    for (uint32_t i = 0; pattern && i < e->nops; i++) {
        if (e->op[i] == operand) return true;
        if (e->op[i]->kind != CORE_LAM && term_may_fail(e->op[i])) return false;
    }
    return false;
}

static Node *bind(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    Find f = {{s, env}, e, 0, false, NULL};
    find(r, &f, e, way);
    Node *what = f.found;
    if (!what || (term_may_fail(what) && !is_computed_first(e, what))) return NULL;
    Name name = {r->arena, what};
    return core_let(r->cx, session_sym(r->cx, "t"), what, named(r->cx, e, 0, &name));
}

// --- all of them --------------------------------------------------------------------------------

static Node *run_one(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
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
        int k = child_operand(e, run_number(r, kids[0], env));
        Closure c = {kids[1], env};
        return k >= 0 ? visit_child(r, visit_run, &c, e, k, way) : NULL;
    }
    case PRIMITIVE_REPEAT: return repeat(r, kids[0], env, e, way);
    case PRIMITIVE_NOT: return run_succeeds(r, kids[0], env, e, way) ? NULL : e;
    case PRIMITIVE_CHECK: return run_succeeds(r, kids[0], env, e, way) ? e : NULL;
    case PRIMITIVE_NTH: {
        Nth n = {kids[1], kids[2], env, run_number(r, kids[0], env)};
        return nth(r, &n, e, way);
    }
    case PRIMITIVE_IS: return is_kind(e, run_text(kids[0], env)) ? e : NULL;
    case PRIMITIVE_AT: {
        Named n = {run_text(kids[0], env), {kids[1], env}};
        return at_name(r, &n, e, way);
    }
    case PRIMITIVE_BIND: return bind(r, kids[0], env, e, way);
    case PRIMITIVE_SPLIT_AT: return run_split_at(r, kids[0], env, e, way);
    case PRIMITIVE_INLINE: return inline_let(r, e);
    case PRIMITIVE_AS_MAP: return generate_as_map(r->cx, r->arena, e);
    case PRIMITIVE_CONTIGUOUS: return generate_is_contiguous(r->cx, r->arena, e) ? e : NULL;
    case PRIMITIVE_RANGE:
        return is_kind(e, "range.") ? node_with_variant(r->cx, e, VARIANT_PAR) : NULL;
    case PRIMITIVE_COMPONENTS: return components_in_lanes(r, s, run_number(r, kids[0], env), e);
    case PRIMITIVE_BECAUSE: return because(r, s, env, e, way);
    case PRIMITIVE_REFUSE: run_stop(r, E0813, s->span, run_text(kids[0], env)); break;
    case PRIMITIVE_COUNT: break;
    }
    return NULL;
}

static const char *why_not(Run *r, const Strategy *s, const Env *env, Node *e)
{
    const Strategy *const *kids = s->kids.at;
    const char *here = term_words(r->arena, e);
    switch (s->primitive) {
    case PRIMITIVE_FAIL: return "the schedule reached `fail`";
    case PRIMITIVE_ARG:
        return arena_printf(r->arena, "%s has no child %lld", here,
                            (long long)run_number(r, kids[0], env));
    case PRIMITIVE_NOT: return "the strategy inside `not(...)` succeeds";
    case PRIMITIVE_NTH: return "the strategy succeeds on fewer parts than that";
    case PRIMITIVE_IS:
        return arena_printf(r->arena, "is(\"%s\") fails: this is %s", run_text(kids[0], env), here);
    case PRIMITIVE_AT:
        return arena_printf(r->arena, "this entry no longer has a let with the name `%s`",
                            run_text(kids[0], env));
    case PRIMITIVE_BIND: return "no unnamed part matches the argument of `bind`";
    case PRIMITIVE_SPLIT_AT:
        return arena_printf(r->arena,
                            "`split_at` needs a map without a variant in whose function a let has "
                            "such a value, and the rest does not need what that is computed from; "
                            "this is %s",
                            here);
    case PRIMITIVE_INLINE:
        if (e->kind == CORE_LET && loses_failure(e))
            return "computing the value of the let may fail, and `inline` would not always compute "
                   "it";
        return arena_printf(r->arena, "`inline` needs a let, but this is %s", here);
    case PRIMITIVE_AS_MAP:
        if (e->kind == CORE_GENERATE && e->variant == VARIANT_ANY)
            return "this generate uses its position otherwise than to read whole axes of arrays";
        return arena_printf(r->arena, "`as_map` needs a generate without a variant, but this is %s",
                            here);
    case PRIMITIVE_CONTIGUOUS:
        return "this is no generate whose consecutive positions read consecutive elements";
    case PRIMITIVE_COMPONENTS:
        return arena_printf(r->arena,
                            "`components_in_lanes` needs a reduction, without a variant, of which "
                            "each component is a sum, product, minimum or maximum by itself; this "
                            "is %s",
                            here);
    case PRIMITIVE_RANGE:
        return arena_printf(r->arena,
                            "`range_in_parallel` needs a `range` without a variant, but this is %s",
                            here);
    case PRIMITIVE_ID:
    case PRIMITIVE_ALL:
    case PRIMITIVE_ONE:
    case PRIMITIVE_ONE_LAST:
    case PRIMITIVE_SOME:
    case PRIMITIVE_REPEAT:
    case PRIMITIVE_CHECK:
    case PRIMITIVE_BECAUSE:
    case PRIMITIVE_REFUSE:
    case PRIMITIVE_COUNT: break;
    }
    return arena_printf(r->arena, "no part of %s matches the strategy", here);
}

// Whether the primitive changes the term itself, not by other strategies.
static bool changes_itself(Primitive p)
{
    return p == PRIMITIVE_BIND || p == PRIMITIVE_SPLIT_AT || p == PRIMITIVE_INLINE ||
           p == PRIMITIVE_AS_MAP || p == PRIMITIVE_RANGE || p == PRIMITIVE_COMPONENTS;
}

Node *run_primitive(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way)
{
    Node *done = run_one(r, s, env, e, way);
    if (done && done != e && changes_itself(s->primitive)) run_changed(r, s, env, e, done, way);
    if (!done && run_is_nearer(r, MISS_TEST)) run_missed_primitive(r, s, why_not(r, s, env, e), e);
    return done;
}
