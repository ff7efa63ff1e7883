// The Core checker. Every node must have the type that its rule computes and every variable the
// type of its binder, and sizes must be equal under the assumptions of the function. A violation is
// a bug in the pass that built the term.
#include "core/ir/internal.h"

/// The types of the variables in scope, innermost first. Contexts are interned, so that a (node,
/// context) pair can serve as a key.
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
    const Function *entry; // `f` itself, or the entry that `f` is a callee of
    int level;
    bool flat;
    Facts *facts;
    Map visited;  // the (node, context) pairs that have been checked
    Map contexts; // type and outer context -> context
    uint32_t ncontexts;
    VEC(Sym) opened; // the sizes opened by enclosing terms (CORE_OPEN)
    Map sizes;       // pairs of sizes found equal
    Map names;       // sizes and types that check_names has visited
} Checker;

_Noreturn void core_fault(Session *cx, const Function *f, Node *e, const char *why)
{
    const char *text = e ? term_show(cx, e, NULL, 0) : "";
    bool cut = strlen(text) > 400;
    session_ice(cx, __FILE__, __LINE__, "%s: %s\n%.400s%s", f->name->text, why, text,
                cut ? "..." : "");
}

static _Noreturn void fault(Checker *c, Node *e, const char *why)
{
    core_fault(c->cx, c->f, e, why);
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
    if (!size_agree(c->cx, c->facts, a, b)) return false;
    map_put(&c->sizes, pair_key(a, b), c);
    return true;
}

static const Generic *generic_of(const Function *f, Sym name)
{
    for (int i = 0; i < f->generics.len; i++)
        if (f->generics.at[i].name == name) return &f->generics.at[i];
    return NULL;
}

static bool is_opened(const Checker *c, Sym name)
{
    for (int i = 0; i < c->opened.len; i++)
        if (c->opened.at[i] == name) return true;
    return false;
}

// Checks a size or type: its names must be generics of the function, it must not contain unknowns
// or errors, and the elements of arrays (in flat Core, also the contents of locations) must be
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
        if (e->kind == NAT_VAR && is_opened(c, e->attr.sym)) return;
        g = generic_of(c->f, e->attr.sym);
        if (!g) g = generic_of(c->entry, e->attr.sym); // callees use the generics of the entry
        if (!g || (strcmp(g->kind->text, "nat") == 0) != (e->kind == NAT_VAR))
            fault(c, where,
                  arena_printf(c->arena, "`%s` is not a generic parameter", e->attr.sym->text));
        return;
    case NAT_META:
    case TYPE_META: fault(c, where, "an unknown of inference is left");
    case TYPE_ERROR: fault(c, where, "an error type is left");
    case TYPE_ARRAY:
        if (!type_is_data(e->op[1])) fault(c, where, "an array of something that is not data");
        break;
    case TYPE_REF:
        if (c->flat && !type_is_data(e->op[0]))
            fault(c, where, "a place of something that is not data");
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
    else if (e->kind == CORE_LABEL)
        context = extend(c, context, type_continuation(c->cx, e->type));
    return context;
}

static void check_rule(Checker *c, Node *e)
{
    NodeSpec s = node_spec(e);
    Rule r = {.cx = c->cx, .s = &s, .same = equal_under_facts, .env = c};
    Node *type = rule_type(&r);
    if (!type) fault(c, e, r.why);
    if (!rule_agree(&r, e->type, type))
        fault(c, e,
              arena_printf(c->arena, "has type %s, should have %s", type_show(c->cx, e->type),
                           type_show(c->cx, type)));
}

// Checks that each branch has the type of the whole `if`, under the assumption that it is taken.
static void check_branches(Checker *c, Node *e)
{
    Rule r = {.cx = c->cx, .same = equal_under_facts, .env = c};
    bool ends = false;
    if (!rule_agree(&r, e->op[0]->type, type_scalar(c->cx, SCALAR_BOOL)))
        fault(c, e, "a condition that is not a bool");
    for (int k = 1; k <= 2; k++) {
        Facts *outer = c->facts;
        c->facts = core_assume(c->cx, c->arena, outer, e->op[0], k == 1);
        bool never = e->op[k]->type->kind == TYPE_NEVER;
        ends |= !never;
        if (!never && !rule_agree(&r, e->type, e->op[k]->type))
            fault(c, e,
                  arena_printf(c->arena, "a branch of type %s, should have %s",
                               type_show(c->cx, e->op[k]->type), type_show(c->cx, e->type)));
        c->facts = outer;
    }
    if (!ends && e->type->kind != TYPE_NEVER) fault(c, e, "no branch ends");
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

// Checks that the operands and the type of a call match the signature of the callee.
static void check_call(Checker *c, Node *e)
{
    const Function *f = core_callee(c->entry, e->attr.sym);
    if (!f) fault(c, e, "the entry has no callee of this name");
    Rule r = {.cx = c->cx, .same = equal_under_facts, .env = c};
    bool fits = f->params.len == (int)e->nops;
    NodeBinding *with = ARENA_ARRAY(c->arena, NodeBinding, e->nops + 1);
    int sizes = 0;
    for (int i = 0; fits && i < f->params.len; i++) {
        Sym name = core_own_size(c->cx, f, i);
        Node *arg = e->op[i];
        // Other arguments need no replacement: a size that the caller passes on has the same name
        // in the callee, and no type here mentions a size that the caller computes.
        if (!name || (arg->kind != CORE_NAT && arg->kind != CORE_LIT)) continue;
        Node *size = arg->kind == CORE_NAT ? arg->op[0] : nat_const(c->cx, arg->attr.i);
        with[sizes++] = (NodeBinding){name, size};
    }
    fits = fits && rule_agree(&r, e->type, node_replace_names(c->cx, f->result, with, sizes));
    for (uint32_t i = 0; fits && i < e->nops; i++)
        fits = rule_agree(&r, e->op[i]->type,
                          node_replace_names(c->cx, f->params.at[i].type, with, sizes));
    if (!fits) fault(c, e, "the call does not fit the callee");
}

// Adds the facts about sizes that hold in an operand: in a branch, its condition; after a branch
// that always jumps away, the negation of its condition; and in the body of a loop over a range,
// that the range is not empty.
static void enter_operand(Checker *c, Node *e, uint32_t operand)
{
    if (e->kind == CORE_OPEN && operand == 1) {
        vec_push(c->arena, &c->opened, e->attr.sym);
        c->facts = facts_new(c->cx, c->arena, c->facts);
        SizeCheck bound = core_open_bound(c->cx, nat_var(c->cx, e->attr.sym), e->op[0]);
        size_check_assume(c->cx, c->facts, &bound);
    }
    if (e->kind == CORE_RANGE && operand == 2)
        c->facts =
            core_assume(c->cx, c->arena, c->facts, core_prim(c->cx, PRIM_LT, 2, e->op), true);
    Node *branch = e->kind == CORE_LET && operand == 1 ? e->op[0] : e;
    if (branch->kind != CORE_IF || operand == 0) return;
    if (branch == e)
        c->facts = core_assume(c->cx, c->arena, c->facts, e->op[0], operand == 1);
    else if (branch->op[1]->type->kind == TYPE_NEVER || branch->op[2]->type->kind == TYPE_NEVER)
        c->facts = core_assume(c->cx, c->arena, c->facts, branch->op[0],
                               branch->op[2]->type->kind == TYPE_NEVER);
}

static void check_term(Checker *c, Node *e, Context *context)
{
    if (!e->type || !(kind_info[e->kind].levels & c->level))
        fault(c, e, "not a term of this level");
    if (e->loose == 0) context = NULL; // a closed term is valid in any context
    uint64_t key = (uint64_t)e->id << 32 | (context ? context->id : 0);
    if (map_get(&c->visited, key)) return;
    map_put(&c->visited, key, c);
    check_names(c, e->type, e);
    if (e->kind == CORE_VAR) check_variable(c, e, context);
    if (e->kind == CORE_LAM && e->type->kind != TYPE_FUN)
        fault(c, e, "a lambda without a function type");
    for (uint32_t i = 0; i < e->nops; i++) {
        Facts *outer = c->facts;
        int opened = c->opened.len;
        enter_operand(c, e, i);
        if (kind_info[e->op[i]->kind].levels & (LEVEL_NAT | LEVEL_TYPE))
            check_names(c, e->op[i], e);
        else
            check_term(c, e->op[i], under_binders(c, e, (int)i, context));
        c->facts = outer;
        c->opened.len = opened;
    }
    if (e->kind == CORE_IF)
        check_branches(c, e);
    else
        check_rule(c, e);
    if (e->kind == CORE_CALL) check_call(c, e);
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
    bool callee = f != c->entry;
    if (!type_is_data(f->result) && !(callee && f->result->kind == TYPE_NEVER))
        fault(c, NULL, "the result of a flat function is not data");
    for (int i = 0; i < f->params.len; i++) {
        Node *type = f->params.at[i].type;
        if (!type_is_data(type) && !(callee && type->kind == TYPE_REF))
            fault(c, NULL, "a parameter of a flat function is not data");
        if (f->params.at[i].filter) fault(c, NULL, "a filter in flat Core");
    }
}

// Checks the body and the filters, which have all parameters in scope.
static void check_terms(Checker *c)
{
    const Function *f = c->f;
    Node *yes_or_no = type_scalar(c->cx, SCALAR_BOOL);
    Context *context = NULL;
    for (int i = 0; i < f->params.len; i++) context = extend(c, context, f->params.at[i].type);
    for (int i = 0; i < f->params.len; i++) {
        Node *filter = f->params.at[i].filter;
        if (!filter) continue;
        check_term(c, filter, context);
        if (filter->type != yes_or_no) fault(c, filter, "a filter that is not a bool");
    }
    if (f->external) return;
    check_term(c, f->body, context);
    Rule r = {.cx = c->cx, .same = equal_under_facts, .env = c};
    if (f->body->type->kind != TYPE_NEVER && !rule_agree(&r, f->body->type, f->result))
        fault(c, f->body,
              arena_printf(c->arena, "the body has type %s, the function gives %s",
                           type_show(c->cx, f->body->type), type_show(c->cx, f->result)));
}

static void assume_operand(Session *cx, Facts *facts, int k, const void *max);

static void assume_not_negative(Facts *facts, Node *e)
{
    facts_ge0(facts, e);
    if (e->kind == NAT_MAX) facts_one_of(facts, 2, assume_operand, e);
}

static void assume_operand(Session *cx, Facts *facts, int k, const void *max)
{
    (void)cx;
    assume_not_negative(facts, ((Node *)max)->op[k]);
}

// Assumes the checks of a function. A check that need only hold under guards is 0 <= max(..): one
// of the operands is not negative. Inference knows the guards, and so does not need these cases.
static void assume_checks(Session *cx, Facts *facts, const SizeChecks *checks)
{
    size_checks_assume(cx, facts, checks);
    for (int i = 0; i < checks->len; i++)
        if (checks->at[i].relation == SIZE_LE && checks->at[i].right->kind == NAT_MAX)
            assume_not_negative(facts, nat_sub(cx, checks->at[i].right, checks->at[i].left));
}

static void check_function(Session *cx, const Function *f, const Function *entry, int level,
                           bool flat)
{
    Arena *arena = cx->arena; // a fault exits by longjmp, so nothing here may need to be freed
    Checker c = {.cx = cx,
                 .arena = arena,
                 .f = f,
                 .entry = entry,
                 .level = level,
                 .flat = flat,
                 .facts = facts_new(cx, arena, NULL),
                 .visited = map_new(arena),
                 .contexts = map_new(arena),
                 .sizes = map_new(arena),
                 .names = map_new(arena)};
    size_checks_assume(cx, c.facts, &entry->where);
    assume_checks(cx, c.facts, &entry->checks);
    if (f != entry && !f->external) size_checks_assume(cx, c.facts, &f->where);
    check_signature(&c);
    check_terms(&c);
    if (!f->external) check_control(cx, f, level, flat);
}

static void check(Session *cx, const Function *f, int level, bool flat)
{
    check_function(cx, f, f, level, flat);
    for (int i = 0; i < f->callees.len; i++) check_function(cx, f->callees.at[i], f, level, flat);
}

void core_check(Session *cx, const Function *f, int level)
{
    check(cx, f, level, false);
}

void core_check_flat(Session *cx, const Function *f)
{
    check(cx, f, LEVEL_CORE, true);
}
