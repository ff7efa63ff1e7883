// Right sides that call functions. They are staged, as the body of a function whose parameters are
// the arrays and numbers of the rule; the functions of the rule become part of it. What remains is
// flat Core.
#include "schedule/internal.h"
#include "staging/values/staging.h"

/// The types of the free variables of terms, by index; NULL for those that do not occur.
typedef struct {
    Arena *arena;
    VEC(Node *) types;
    Map seen; // terms are shared: node and depth -> not NULL
} Free;

static void find_free(Free *f, Node *e, int depth)
{
    uint64_t key = (uint64_t)e->id << 20 | (uint64_t)(depth & 0xfffff);
    if (e->loose <= (uint32_t)depth || map_get(&f->seen, key)) return;
    map_put(&f->seen, key, f);
    if (e->kind == CORE_VAR) {
        int64_t index = e->attr.i - depth;
        while (f->types.len <= index) vec_push(f->arena, &f->types, NULL);
        f->types.at[index] = e->type;
        return;
    }
    for (uint32_t i = 0; i < e->nops; i++) find_free(f, e->op[i], depth + node_binds(e, (int)i));
}

/// The function with the right side as its body. Its parameters are those of the rule that are no
/// functions, and the free variables of those that are.
typedef struct {
    Match *m;
    Function f;
    Free free;
    VEC(Node *) arguments; // of `f`, where the rule is applied
} Call;

static bool is_function(Node *e)
{
    return e->type->kind == TYPE_FUN;
}

static void add_parameter(Call *c, Sym name, Node *argument)
{
    Param p = {name, argument->type, NULL};
    vec_push(c->m->cx->arena, &c->f.params, p);
    vec_push(c->m->arena, &c->arguments, argument);
}

static void add_parameters(Call *c)
{
    Match *m = c->m;
    for (int i = 0; i < m->rule->params.len; i++) {
        if (is_function(m->params[i]))
            find_free(&c->free, m->params[i], 0);
        else
            add_parameter(c, m->rule->params.at[i].name, m->params[i]);
    }
    for (int i = 0; i < c->free.types.len; i++) {
        Node *type =
            c->free.types.at[i] ? c->free.types.at[i] : type_scalar(m->cx, SCALAR_I32); // not used
        add_parameter(c, session_sym(m->cx, "x"), core_var(m->cx, i, type));
    }
}

// What a parameter of the rule is inside of `f`, of which number `k` is the next one.
static Node *inside(const Call *c, Node *param, int k)
{
    Session *cx = c->m->cx;
    int n = c->f.params.len, nfree = c->free.types.len;
    if (!is_function(param)) return core_var(cx, n - 1 - k, param->type);
    Node **vars = ARENA_ARRAY(c->m->arena, Node *, nfree + 1);
    for (int i = 0; i < nfree; i++)
        vars[nfree - 1 - i] = core_var(cx, nfree - 1 - i, c->f.params.at[n - nfree + i].type);
    return node_instantiate(cx, param, vars, nfree);
}

static void set_body(Call *c, Span origin)
{
    Match own = *c->m;
    int n = own.rule->params.len;
    own.params = ARENA_ARRAY(own.arena, Node *, n + 1);
    for (int i = 0, k = 0; i < n; k += !is_function(c->m->params[i]), i++)
        own.params[i] = inside(c, c->m->params[i], k);
    c->f.body = apply_term(&own, origin);
    c->f.result = c->f.body->type;
}

static void add_conditions(Call *c, const SizeChecks *checks)
{
    for (int i = 0; i < checks->len; i++) {
        SizeCheck check = checks->at[i];
        check.left = match_replace(c->m, check.left);
        check.right = match_replace(c->m, check.right);
        if (check.left && check.right) vec_push(c->m->cx->arena, &c->f.where, check);
    }
}

// Returns the function in flat Core, or NULL if it still calls others, atomic updates aside, or
// needs checks of sizes.
static Function *staged(const Call *c)
{
    Session *cx = c->m->cx;
    DiagMark mark = diag_mark(cx);
    Function *flat = staging_for_schedule(cx, c->m->rule->program, &c->f, KEEP_IN_ENTRY);
    diag_withdraw(cx, mark); // what it says is not about the program
    bool whole = flat != NULL;
    for (int i = 0; whole && i < flat->callees.len; i++)
        whole = core_atomic_of(flat->callees.at[i]->name) != ATOMIC_COUNT;
    for (int i = 0; whole && i < flat->checks.len; i++)
        whole = size_check_truth(cx, c->m->facts, &flat->checks.at[i]) == TRUTH_YES;
    return whole ? flat : NULL;
}

static bool has_callee(const Function *f, Sym name)
{
    for (int i = 0; i < f->callees.len; i++)
        if (f->callees.at[i]->name == name) return true;
    return false;
}

typedef struct {
    Session *cx;
    Function *f;
} Updates;

static Walk add_update(Node *e, void *env)
{
    const Updates *u = env;
    if (node_is_size_or_type(e)) return WALK_OVER;
    Atomic a = e->kind == CORE_CALL ? core_atomic_of(e->attr.sym) : ATOMIC_COUNT;
    if (a == ATOMIC_COUNT || has_callee(u->f, e->attr.sym)) return WALK_INTO;
    Function *update = core_atomic_function(u->cx, a, e->op[0]->type->op[0]);
    vec_push(u->cx->arena, &u->f->callees, update);
    return WALK_INTO;
}

void apply_add_updates(Session *cx, Function *f)
{
    Updates u = {cx, f};
    Map seen = map_new(cx->arena);
    f->callees.cap = f->callees.len; // shared with the function before the schedule
    node_walk_once(&seen, f->body, add_update, &u);
}

Node *apply_staged(Match *m, Span origin)
{
    Call c = {.m = m,
              .f = {.name = m->rule->name, .span = m->rule->span},
              .free = {.arena = m->arena, .seen = map_new(m->arena)}};
    add_parameters(&c);
    add_conditions(&c, &m->rule->where);
    add_conditions(&c, &m->rule->implied);
    set_body(&c, origin);
    Function *flat = staged(&c);
    if (!flat) {
        match_miss(m, MISS_CONDITION, "a function that it calls cannot be inlined here");
        return NULL;
    }
    int n = c.f.params.len;
    Node **types = ARENA_ARRAY(m->arena, Node *, n + 1);
    Sym *names = ARENA_ARRAY(m->arena, Sym, n + 1);
    for (int i = 0; i < n; i++) {
        types[i] = c.f.params.at[i].type;
        names[i] = c.f.params.at[i].name;
    }
    Node *lam = core_lam(m->cx, n, types, names, flat->body);
    return apply_lambda(m->cx, lam, c.arguments.at, n);
}
