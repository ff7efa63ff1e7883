// Resolves the names in strategies and schedules, and checks the kinds of arguments. The name of a
// strategy is looked up, from the inside out, among the parameters, the rules and strategies of the
// module and its imports, those of the prelude, and the primitives (core/ir/strategy.def).
#include "base/target/cpu.h"
#include "base/target/target.h"
#include "core/ir/rule.h"
#include "infer/program/program.h"

#include <string.h>

typedef struct {
    Infer *in;
    Session *cx;
    Unit *unit;
    const StrategyParam *params; // the parameters of the strategy, or the numbers of the schedule
    int nparams;
} Resolver;

/// The meaning of a name in a strategy, and the kinds of its arguments.
typedef struct {
    Symbol *symbol;
    int primitive, param; // -1 if the name is not a primitive, or not a parameter
    ArgKind kinds[STRATEGY_MAX_PARAMS];
    int nkinds;
} Meaning;

static const char *const kind_text[] = {[ARG_STRATEGY] = "a strategy",
                                        [ARG_NUMBER] = "a number",
                                        [ARG_LIST] = "a list of numbers",
                                        [ARG_TEXT] = "a text"};

Sym infer_strategy_key(Session *cx, Sym name)
{
    return session_sym(cx, arena_printf(cx->arena, "strategy %s", name->text));
}

static Strategy *make(Resolver *r, StrategyForm form, const Ast *e)
{
    Strategy *s = ARENA_NEW(r->cx->arena, Strategy);
    *s = (Strategy){.form = form, .span = e->span};
    return s;
}

static const Strategy *resolve(Resolver *r, const Ast *e, ArgKind want);
static bool is_pattern(Resolver *r, const Ast *e);

static bool add(Resolver *r, Strategy *s, const Ast *e, ArgKind want)
{
    const Strategy *kid = resolve(r, e, want);
    if (kid) vec_push(r->cx->arena, &s->kids, kid);
    return kid != NULL;
}

static const Strategy *wrong(Resolver *r, const Ast *e, ArgKind want)
{
    if (e->kind != AST_ERROR)
        diag_error(r->cx, E0815, e->span, "%s is needed here", kind_text[want]);
    return NULL;
}

// --- names ---------------------------------------------------------------------------------------

static int param_named(const Resolver *r, Sym name)
{
    for (int i = r->nparams - 1; i >= 0; i--)
        if (r->params[i].name == name) return i;
    return -1;
}

static int primitive_named(Sym name)
{
    for (int i = 0; i < PRIMITIVE_COUNT; i++)
        if (strcmp(primitive_info[i].name, name->text) == 0) return i;
    return -1;
}

static void kinds_of_symbol(Meaning *m)
{
    const Item *item = m->symbol->item;
    if (m->symbol->kind == SYMBOL_RULE) {
        for (int i = 0; i < item->numbers.len && i < STRATEGY_MAX_PARAMS; i++)
            m->kinds[m->nkinds++] = ARG_NUMBER;
        return;
    }
    const StrategyItem *s = m->symbol->strategy;
    for (int i = 0; i < s->params.len; i++) m->kinds[m->nkinds++] = s->params.at[i].kind;
}

static void unknown(Resolver *r, const Ast *e)
{
    Scope s = infer_scope_new(r->in, r->in->arena, r->unit, NULL);
    Diag *d = diag_error(r->cx, E0814, e->span, "there is no rule or strategy `%s`", e->name->text);
    if (infer_suggest_import(&s, d, e->name)) return;
    Sym more[PRIMITIVE_COUNT + STRATEGY_MAX_PARAMS];
    int n = 0;
    for (int i = 0; i < PRIMITIVE_COUNT; i++)
        more[n++] = session_sym(r->cx, primitive_info[i].name);
    for (int i = 0; i < r->nparams && i < STRATEGY_MAX_PARAMS; i++) more[n++] = r->params[i].name;
    infer_suggest_strategy(&s, d, e->name, more, n);
}

static bool meaning_of(Resolver *r, const Ast *e, Meaning *m)
{
    *m = (Meaning){.primitive = -1, .param = param_named(r, e->name)};
    if (m->param >= 0) return true;
    Scope s = infer_scope_new(r->in, r->in->arena, r->unit, NULL);
    m->symbol = infer_find_symbol(&s, infer_strategy_key(r->cx, e->name));
    if (m->symbol)
        infer_record_symbol(r->in, e->name_span.file ? e->name_span : e->span, m->symbol);
    if (m->symbol && infer_is_ambiguous(&s, m->symbol, e->span)) return false;
    if (m->symbol) {
        kinds_of_symbol(m);
        return true;
    }
    m->primitive = primitive_named(e->name);
    if (m->primitive < 0) {
        unknown(r, e);
        return false;
    }
    for (const char *c = primitive_info[m->primitive].args; *c; c++)
        m->kinds[m->nkinds++] = *c == 's' ? ARG_STRATEGY : *c == 'n' ? ARG_NUMBER : ARG_TEXT;
    return true;
}

// --- strategies ----------------------------------------------------------------------------------

// Builds the use of a primitive, a rule or a strategy. A faulty rule, whose error has been
// reported, becomes a strategy that fails.
static Strategy *use(Resolver *r, const Meaning *m, const Ast *e)
{
    Strategy *s = make(r, STRATEGY_PRIMITIVE, e);
    if (m->primitive >= 0) s->primitive = (Primitive)m->primitive;
    if (!m->symbol) return s;
    s->form = m->symbol->kind == SYMBOL_RULE ? STRATEGY_RULE : STRATEGY_CALL;
    if (s->form == STRATEGY_RULE)
        infer_rule(r->in, m->symbol);
    else
        infer_need_strategy(r->in, m->symbol);
    s->rule = m->symbol->rule;
    s->item = m->symbol->strategy;
    if (s->form == STRATEGY_RULE && !s->rule)
        s->form = STRATEGY_PRIMITIVE, s->primitive = PRIMITIVE_FAIL;
    return s;
}

static bool has_kind(Resolver *r, const Ast *e, const StrategyParam *p, ArgKind want)
{
    if (p->kind == want) return true;
    diag_error(r->cx, E0815, e->span, "%s is needed here, but `%s` is %s", kind_text[want],
               p->name->text, kind_text[p->kind]);
    return false;
}

static const Strategy *parameter(Resolver *r, const Ast *e, int k, ArgKind want)
{
    if (!has_kind(r, e, &r->params[k], want)) return NULL;
    Strategy *s = make(r, STRATEGY_PARAM, e);
    s->number = k;
    return s;
}

// Resolves name(args). `more` is the part before the @ in `whole`, which becomes the last argument,
// or NULL if there is no @.
static const Strategy *call(Resolver *r, const Ast *whole, const Ast *e, const Ast *more)
{
    const Ast *name = e->kind == AST_CALL ? e->kids.at[0] : e;
    int nargs = e->kind == AST_CALL ? e->kids.len - 1 : 0;
    if (name->kind != AST_NAME || !name->name) return wrong(r, name, ARG_STRATEGY);
    Meaning m;
    if (!meaning_of(r, name, &m)) return NULL;
    if (m.param >= 0 && nargs == 0 && !more) return parameter(r, e, m.param, ARG_STRATEGY);
    int given = nargs + (more != NULL);
    if (m.param >= 0 || given != m.nkinds) {
        Diag *d = diag_error(r->cx, E0815, e->span, "`%s` takes %d argument%s, not %d",
                             name->name->text, m.nkinds, m.nkinds == 1 ? "" : "s", given);
        if (more)
            diag_help(r->cx, d, "s @ t(x) is t(x, s): the part before the @ is the last argument");
        return NULL;
    }
    Strategy *s = use(r, &m, whole);
    for (int i = 0; i < given; i++) {
        const Ast *arg = i < nargs ? e->kids.at[i + 1] : more;
        bool names = m.primitive == PRIMITIVE_IS && arg->kind == AST_STRING;
        if (names && !is_pattern(r, arg)) return NULL;
        if (!add(r, s, arg, m.kinds[i])) return NULL;
    }
    return s;
}

static const Strategy *at(Resolver *r, const Ast *e)
{
    const Ast *traversal = e->kids.at[1];
    if (traversal->kind == AST_NAME || traversal->kind == AST_CALL)
        return call(r, e, traversal, e->kids.at[0]);
    return wrong(r, traversal, ARG_STRATEGY);
}

static const Strategy *nothing(Resolver *r, const Ast *e)
{
    Strategy *s = make(r, STRATEGY_PRIMITIVE, e);
    s->primitive = PRIMITIVE_ID;
    return s;
}

static const Strategy *several(Resolver *r, StrategyForm form, const Ast *e)
{
    Strategy *s = make(r, form, e);
    bool good = true;
    for (int i = 0; i < e->kids.len; i++) good &= add(r, s, e->kids.at[i], ARG_STRATEGY);
    return good ? s : NULL;
}

static const Strategy *condition(Resolver *r, const Ast *e)
{
    Strategy *s = make(r, STRATEGY_IF, e);
    if (!add(r, s, e->kids.at[0], ARG_NUMBER) || !add(r, s, e->kids.at[1], ARG_STRATEGY))
        return NULL;
    const Strategy *other = e->kids.at[2] ? resolve(r, e->kids.at[2], ARG_STRATEGY) : nothing(r, e);
    if (other) vec_push(r->cx->arena, &s->kids, other);
    return other ? s : NULL;
}

static const Strategy *strategy(Resolver *r, const Ast *e)
{
    switch (e->kind) {
    case AST_NAME:
    case AST_CALL: return call(r, e, e, NULL);
    case AST_APPLY_AT: return at(r, e);
    case AST_ELSE: return several(r, STRATEGY_ELSE, e);
    case AST_SEQUENCE: return several(r, STRATEGY_SEQUENCE, e);
    case AST_IF: return condition(r, e);
    default: return wrong(r, e, ARG_STRATEGY);
    }
}

// --- numbers, lists, strings ---------------------------------------------------------------------

// A number that describes the target processor, or NULL if that is not what the name stands for.
static const Strategy *machine_number(Resolver *r, const Ast *e)
{
    const struct {
        const char *name;
        int value;
    } numbers[] = {{"vector_bytes", r->cx->vector_bytes},
                   {"vector_registers", r->cx->cpu->level->vector_registers}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(e->name->text, numbers[i].name) != 0) continue;
        Strategy *s = make(r, STRATEGY_NUMBER, e);
        s->number = numbers[i].value;
        return s;
    }
    return NULL;
}

static const Strategy *named_value(Resolver *r, const Ast *e, ArgKind want)
{
    int k = e->name ? param_named(r, e->name) : -1;
    if (k >= 0) return parameter(r, e, k, want);
    const Strategy *machine = e->name && want == ARG_NUMBER ? machine_number(r, e) : NULL;
    if (machine) return machine;
    if (e->name)
        diag_error(r->cx, E0814, e->span, "there is no %s `%s`",
                   want == ARG_TEXT ? "text" : "number", e->name->text);
    return NULL;
}

static const Strategy *operation(Resolver *r, const Ast *e)
{
    static const char *const known[] = {
        "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "!"};
    bool good = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        good |= strcmp(known[i], e->name->text) == 0;
    if (!good) {
        diag_error(r->cx, E0815, e->span, "numbers of strategies have no operator `%s`",
                   e->name->text);
        return NULL;
    }
    Strategy *s = make(r, STRATEGY_OPERATOR, e);
    s->text = e->name->text;
    for (int i = 0; i < e->kids.len; i++)
        if (!add(r, s, e->kids.at[i], ARG_NUMBER)) return NULL;
    return s;
}

// Resolves l[k] or l[k..].
static const Strategy *part(Resolver *r, StrategyForm form, const Ast *e)
{
    Strategy *s = make(r, form, e);
    if (e->kids.len < 2 || !e->kids.at[1]) return wrong(r, e, ARG_NUMBER);
    if (form == STRATEGY_REST && e->kids.len > 2 && e->kids.at[2]) {
        diag_error(r->cx, E0815, e->kids.at[2]->span, "the rest of a list has no end: l[k..]");
        return NULL;
    }
    return add(r, s, e->kids.at[0], ARG_LIST) && add(r, s, e->kids.at[1], ARG_NUMBER) ? s : NULL;
}

static const Strategy *number(Resolver *r, const Ast *e)
{
    switch (e->kind) {
    case AST_INT: {
        Strategy *s = make(r, STRATEGY_NUMBER, e);
        s->number = e->value.integer;
        if (s->number >= 0 && s->number <= 1 << 30) return s;
        diag_error(r->cx, E0813, e->span, "a number of a strategy is beyond 2^30");
        return NULL;
    }
    case AST_NAME: return named_value(r, e, ARG_NUMBER);
    case AST_PAREN: return number(r, e->kids.at[0]);
    case AST_UNARY:
    case AST_BINARY: return operation(r, e);
    case AST_INDEX: return part(r, STRATEGY_ITEM, e);
    case AST_CALL: {
        const Ast *f = e->kids.at[0];
        bool length = f->kind == AST_NAME && ast_is_named(f, "len") && e->kids.len == 2;
        Strategy *s = make(r, STRATEGY_LENGTH, e);
        if (!length) return wrong(r, e, ARG_NUMBER);
        return add(r, s, e->kids.at[1], ARG_LIST) ? s : NULL;
    }
    default: return wrong(r, e, ARG_NUMBER);
    }
}

static const Strategy *list(Resolver *r, const Ast *e)
{
    switch (e->kind) {
    case AST_NAME: return named_value(r, e, ARG_LIST);
    case AST_PAREN: return list(r, e->kids.at[0]);
    case AST_SLICE: return part(r, STRATEGY_REST, e);
    case AST_ARRAY: {
        Strategy *s = make(r, STRATEGY_LIST, e);
        for (int i = 0; i < e->kids.len; i++)
            if (!add(r, s, e->kids.at[i], ARG_NUMBER)) return NULL;
        return s;
    }
    default: return wrong(r, e, ARG_LIST);
    }
}

// Whether the name is that of a pattern, a form of Core or an operator. Reports one that is not.
static bool is_pattern(Resolver *r, const Ast *e)
{
    Scope s = infer_scope_new(r->in, r->in->arena, r->unit, NULL);
    const Symbol *y = infer_find_symbol(&s, session_sym(r->cx, e->value.string));
    if (strategy_is_term(e->value.string) || (y && y->item && y->item->pattern)) return true;
    const char *dot = strchr(e->value.string, '.');
    int n = dot ? (int)(dot - e->value.string) : (int)strlen(e->value.string);
    char *name = arena_printf(r->cx->arena, "%.*s", n, e->value.string);
    if (dot && strategy_is_term(name)) {
        diag_error(r->cx, E0814, e->span, "`%s` has no variant `%s`", name, dot + 1);
        return false;
    }
    Diag *d = diag_error(r->cx, E0814, e->span, "there is no pattern or operator `%s`", name);
    infer_suggest(&s, d, session_sym(r->cx, name));
    return false;
}

static const Strategy *resolve(Resolver *r, const Ast *e, ArgKind want)
{
    switch (want) {
    case ARG_STRATEGY: return strategy(r, e);
    case ARG_NUMBER: return number(r, e);
    case ARG_LIST: return list(r, e);
    case ARG_TEXT: break;
    }
    if (e->kind == AST_NAME) return named_value(r, e, ARG_TEXT);
    if (e->kind != AST_STRING) return wrong(r, e, ARG_TEXT);
    Strategy *s = make(r, STRATEGY_TEXT, e);
    s->text = e->value.string;
    return s;
}

// --- items ---------------------------------------------------------------------------------------

static ArgKind kind_of_type(const Ast *type)
{
    if (type->kind == AST_TYPE_LIST) return ARG_LIST;
    return ast_is_named(type, "nat") ? ARG_NUMBER : ARG_STRATEGY;
}

void infer_declare_strategy(Infer *in, Symbol *y)
{
    StrategyItem *s = ARENA_NEW(in->cx->arena, StrategyItem);
    *s = (StrategyItem){.name = y->name, .span = y->item->name_span, .doc = y->item->doc};
    for (int i = 0; i < y->item->params.len; i++) {
        const AstParam *a = &y->item->params.at[i];
        StrategyParam p = {a->name, a->type ? kind_of_type(a->type) : ARG_STRATEGY};
        if (i == STRATEGY_MAX_PARAMS) {
            diag_error(in->cx, E0815, a->span, "a strategy has at most %d parameters",
                       STRATEGY_MAX_PARAMS);
            break;
        }
        vec_push(in->cx->arena, &s->params, p);
    }
    y->strategy = s;
    vec_push(in->cx->arena, &in->program.strategies, s);
}

void infer_need_strategy(Infer *in, Symbol *y)
{
    if (!y->is_needed) vec_push(in->arena, &in->strategies, y);
    y->is_needed = true;
}

void infer_needed_strategies(Infer *in)
{
    for (int i = 0; i < in->strategies.len; i++) {
        const Symbol *y = in->strategies.at[i];
        StrategyItem *s = y->strategy;
        Resolver r = {in, in->cx, y->unit, s->params.at, s->params.len};
        if (y->item->body) s->body = strategy(&r, y->item->body);
    }
}

// --- schedules -----------------------------------------------------------------------------------

static bool take_number(Resolver *r, Schedule *s, const AstNumber *a)
{
    OpenNumber n = {.name = a->name, .span = a->span};
    for (int i = 0; i < a->choices.len; i++) {
        const Strategy *c = number(r, a->choices.at[i]);
        if (!c) return false;
        if (c->form != STRATEGY_NUMBER) {
            diag_error(r->cx, E0815, c->span, "the choices for `%s` must be integer literals",
                       a->name->text);
            return false;
        }
        vec_push(r->cx->arena, &n.choices, c->number);
    }
    if (n.choices.len == 0 || s->numbers.len == STRATEGY_MAX_PARAMS) {
        diag_error(r->cx, E0815, a->span,
                   n.choices.len ? "a schedule has at most %d numbers"
                                 : "there is no choice for a number",
                   STRATEGY_MAX_PARAMS);
        return false;
    }
    vec_push(r->cx->arena, &s->numbers, n);
    return true;
}

static bool is_entry(Infer *in, Unit *u, const Item *item)
{
    Scope scope = infer_scope_new(in, in->arena, u, NULL);
    const Symbol *y = item->name ? infer_find_symbol(&scope, item->name) : NULL;
    if (!item->name) return false;
    if (y) infer_record_symbol(in, item->name_span, y);
    if (!y || y->kind != SYMBOL_FN || y->unit != u) {
        Diag *d = diag_error(in->cx, E0816, item->name_span, "there is no entry `%s` in this file",
                             item->name->text);
        infer_suggest(&scope, d, item->name);
        return false;
    }
    if (y->item->entry && !y->is_family) return true;
    if (y->item->entry) {
        Diag *d = diag_error(in->cx, E0816, item->name_span, "`%s` takes arrays of any rank",
                             item->name->text);
        diag_help(in->cx, d, "write a schedule for an entry of one rank that calls `%s`",
                  item->name->text);
        return false;
    }
    Diag *d = diag_error(in->cx, E0816, item->name_span,
                         "`%s` is not an entry: it is inlined into its callers", item->name->text);
    diag_help(in->cx, d, "write a schedule for the entry, or declare `entry fn %s`",
              item->name->text);
    return false;
}

static bool has_target(Infer *in, const Item *item)
{
    if (!item->target || target_named(item->target->text)) return true;
    Diag *d =
        diag_error(in->cx, E0820, item->target_span, "there is no target `%s`", item->target->text);
    infer_suggest_target(in->cx, d, item->target);
    return false;
}

static bool is_first(Infer *in, const Schedule *s)
{
    for (int i = 0; i < in->program.schedules.len; i++) {
        const Schedule *other = in->program.schedules.at[i];
        if (other->function != s->function || other->target != s->target) continue;
        Diag *d = diag_error(in->cx, E0816, s->span, "`%s` has two schedules for the same target",
                             s->function->text);
        diag_note(in->cx, d, other->span, "the first is here");
        return false;
    }
    return true;
}

void infer_schedule(Infer *in, Unit *u, const Item *item)
{
    Session *cx = in->cx;
    Schedule *s = ARENA_NEW(cx->arena, Schedule);
    *s = (Schedule){.function = item->name,
                    .span = item->name_span,
                    .target = item->target,
                    .allows = item->fp};
    if (!is_entry(in, u, item) || !has_target(in, item) || !item->body || !is_first(in, s)) return;
    Resolver r = {in, cx, u, NULL, 0};
    StrategyParam params[STRATEGY_MAX_PARAMS];
    for (int i = 0; i < item->tuned.len; i++) {
        if (!take_number(&r, s, &item->tuned.at[i])) return;
        params[i] = (StrategyParam){item->tuned.at[i].name, ARG_NUMBER};
    }
    r.params = params;
    r.nparams = s->numbers.len;
    s->body = strategy(&r, item->body);
    if (s->body) vec_push(cx->arena, &in->program.schedules, s);
}
