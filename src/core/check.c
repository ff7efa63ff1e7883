// The checker of Core: every node has the type its rule gives, from variables that have the types
// of their binders, with sizes that are equal under what the function may assume. A break is a
// fault of the pass that made the term.
#include "core/internal.h"

/// The types of the variables in scope, innermost first. Contexts are interned, so that (node,
/// context) is a key.
typedef struct Context Context;
struct Context {
    Node *type;
    Context *outer;
    uint32_t id;
};

typedef struct {
    Session *cx;
    Arena *arena;
    const Function *f;
    int level;
    bool flat;
    Facts *facts;
    Map visited;  // node and context -> the node
    Map contexts; // type and outer context -> context
    uint32_t ncontexts;
    Map sizes; // pairs of sizes found equal
    Map names; // sizes and types whose names were looked up
} Checker;

static _Noreturn void fault(Checker *c, Node *e, const char *why)
{
    const char *text = e ? term_show(c->cx, e, NULL, 0) : "";
    bool cut = strlen(text) > 400;
    session_ice(c->cx, __FILE__, __LINE__, "%s: %s\n%.400s%s", c->f->name->text, why, text,
                cut ? "..." : "");
}

// --- sizes and names ---------------------------------------------------------------------------

static uint64_t pair_key(const Node *a, const Node *b)
{
    return (uint64_t)a->id << 32 | b->id;
}

static bool equal_under_facts(Node *a, Node *b, void *env)
{
    Checker *c = env;
    if (a == b || map_get(&c->sizes, pair_key(a, b))) return true;
    if (nat_eq(c->cx, c->facts, a, b) != TRUTH_YES) return false;
    map_put(&c->sizes, pair_key(a, b), c);
    return true;
}

static void assume(Checker *c, const SizeChecks *checks)
{
    for (int i = 0; i < checks->len; i++) {
        Node *left = checks->at[i].left, *right = checks->at[i].right;
        switch (checks->at[i].relation) {
        case SIZE_EQ: facts_eq0(c->facts, nat_sub(c->cx, left, right)); break;
        case SIZE_LE: facts_ge0(c->facts, nat_sub(c->cx, right, left)); break;
        case SIZE_NE: break; // says nothing about equality
        }
    }
}

static const Generic *find_generic(Checker *c, Sym name)
{
    for (int i = 0; i < c->f->generics.len; i++)
        if (c->f->generics.at[i].name == name) return &c->f->generics.at[i];
    return NULL;
}

static bool is_size_parameter(const Generic *g)
{
    return strcmp(g->kind->text, "nat") == 0;
}

// Names in sizes and types are generics of the function; unknowns and errors are gone; arrays hold
// data.
static void check_names(Checker *c, Node *e, Node *where)
{
    if (map_get(&c->names, MAP_KEY(e))) return;
    map_put(&c->names, MAP_KEY(e), c);
    const Generic *g;
    switch (e->kind) {
    case NAT_VAR:
    case TYPE_VAR:
        if (e->kind == TYPE_VAR && c->flat) fault(c, where, "a type variable in flat Core");
        g = find_generic(c, e->attr.sym);
        if (!g || is_size_parameter(g) != (e->kind == NAT_VAR))
            fault(c, where,
                  arena_printf(c->arena, "`%s` is no generic parameter", e->attr.sym->text));
        return;
    case NAT_META:
    case TYPE_META: fault(c, where, "an unknown of inference is left");
    case TYPE_ERROR: fault(c, where, "an error type is left");
    case TYPE_ARRAY:
        if (!type_is_data(e->op[1])) fault(c, where, "an array of what is no data");
        break;
    default: break;
    }
    for (uint32_t i = 0; i < e->nops; i++) check_names(c, e->op[i], where);
}

// --- terms -------------------------------------------------------------------------------------

static Context *extend(Checker *c, Context *outer, Node *type)
{
    uint64_t key = (uint64_t)type->id << 32 | (outer ? outer->id : 0);
    Context *inner = map_get(&c->contexts, key);
    if (inner) return inner;
    inner = ARENA_NEW(c->arena, Context);
    *inner = (Context){.type = type, .outer = outer, .id = ++c->ncontexts};
    map_put(&c->contexts, key, inner);
    return inner;
}

static Context *under_binders(Checker *c, Node *e, int operand, Context *context)
{
    if (e->kind == CORE_LAM)
        for (int k = 0; k < type_nparams(e->type); k++)
            context = extend(c, context, type_param(e->type, k));
    else if (e->kind == CORE_LET && operand == 1)
        context = extend(c, context, e->op[0]->type);
    return context;
}

static void check_rule(Checker *c, Node *e)
{
    NodeSpec s = {.kind = (Kind)e->kind,
                  .variant = (Variant)e->variant,
                  .attr = e->attr,
                  .type = e->type,
                  .nops = (int)e->nops,
                  .ops = e->op};
    Rule r = {.cx = c->cx, .s = &s, .same = equal_under_facts, .env = c};
    Node *type = rule_type(&r);
    if (!type) fault(c, e, r.why);
    if (!rule_agree(&r, e->type, type))
        fault(c, e,
              arena_printf(c->arena, "has type %s, should have %s", type_show(c->cx, e->type),
                           type_show(c->cx, type)));
}

static void check_variable(Checker *c, Node *e, Context *context)
{
    for (int64_t i = e->attr.i; i > 0 && context; i--) context = context->outer;
    if (e->attr.i < 0 || !context) fault(c, e, "the variable is not in scope");
    Rule r = {.cx = c->cx, .same = equal_under_facts, .env = c};
    if (!rule_agree(&r, e->type, context->type))
        fault(
            c, e,
            arena_printf(c->arena, "the variable is bound as %s", type_show(c->cx, context->type)));
}

// Functions are literal lambdas under patterns; nothing is applied and no function has a name.
static void check_flat_node(Checker *c, Node *e)
{
    if (e->kind == CORE_APP) fault(c, e, "an application in flat Core");
    if (e->kind == CORE_GLOBAL) fault(c, e, "a global in flat Core");
    for (uint32_t i = 0; i < e->nops; i++) {
        bool function = kind_sort((Kind)e->kind, (int)i) == SORT_FUN;
        if (function != (e->op[i]->kind == CORE_LAM))
            fault(c, e, "a function that is not a lambda under its pattern");
        if (!function && e->op[i]->type && !type_is_data(e->op[i]->type))
            fault(c, e, "an operand that is no data");
    }
}

static void check_term(Checker *c, Node *e, Context *context)
{
    if (!e->type || !(kind_info[e->kind].levels & c->level))
        fault(c, e, "not a term of this level");
    if (e->loose == 0) context = NULL; // a closed term is the same everywhere
    uint64_t key = (uint64_t)e->id << 32 | (context ? context->id : 0);
    if (map_get(&c->visited, key)) return;
    map_put(&c->visited, key, c);
    check_names(c, e->type, e);
    if (e->kind == CORE_VAR) check_variable(c, e, context);
    if (e->kind == CORE_LAM && e->type->kind != TYPE_FUN)
        fault(c, e, "a lambda without a function type");
    if (c->flat) check_flat_node(c, e);
    for (uint32_t i = 0; i < e->nops; i++) {
        if (kind_info[e->op[i]->kind].levels & (LEVEL_NAT | LEVEL_TYPE))
            check_names(c, e->op[i], e);
        else
            check_term(c, e->op[i], under_binders(c, e, (int)i, context));
    }
    check_rule(c, e);
}

static void check_sizes(Checker *c, const SizeChecks *checks)
{
    for (int i = 0; i < checks->len; i++) {
        check_names(c, checks->at[i].left, NULL);
        check_names(c, checks->at[i].right, NULL);
    }
}

static void check_signature(Checker *c)
{
    const Function *f = c->f;
    check_names(c, f->result, NULL);
    for (int i = 0; i < f->params.len; i++) check_names(c, f->params.at[i].type, NULL);
    check_sizes(c, &f->where);
    check_sizes(c, &f->checks);
    if (!c->flat) return;
    if (!type_is_data(f->result)) fault(c, NULL, "the result of a flat function is no data");
    for (int i = 0; i < f->params.len; i++)
        if (!type_is_data(f->params.at[i].type))
            fault(c, NULL, "a parameter of a flat function is no data");
}

static void check(Session *cx, const Function *f, int level, bool flat)
{
    Arena *arena = cx->arena; // a fault leaves by a jump, so nothing here may need to be freed
    Checker c = {.cx = cx,
                 .arena = arena,
                 .f = f,
                 .level = level,
                 .flat = flat,
                 .facts = facts_new(cx, arena, NULL),
                 .visited = map_new(arena),
                 .contexts = map_new(arena),
                 .sizes = map_new(arena),
                 .names = map_new(arena)};
    assume(&c, &f->where);
    assume(&c, &f->checks);
    check_signature(&c);
    Context *context = NULL;
    for (int i = 0; i < f->params.len; i++) context = extend(&c, context, f->params.at[i].type);
    check_term(&c, f->body, context);
    Rule r = {.cx = cx, .same = equal_under_facts, .env = &c};
    if (!rule_agree(&r, f->body->type, f->result))
        fault(&c, f->body,
              arena_printf(arena, "the body has type %s, the function gives %s",
                           type_show(cx, f->body->type), type_show(cx, f->result)));
}

void core_check(Session *cx, const Function *f, int level)
{
    check(cx, f, level, false);
}

void core_check_flat(Session *cx, const Function *f)
{
    check(cx, f, LEVEL_CORE, true);
}
