// Reports what a schedule did: its steps, and why it failed.
#include "schedule/run.h"

#include <string.h>

// --- failures -----------------------------------------------------------------------------------

// Writes the names of the active strategies, outermost first, each once.
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

bool run_is_nearer(const Run *r, MissCause cause)
{
    return r->explains && !r->stopped && (!r->nearest.at || cause > r->nearest.miss.cause);
}

void run_missed(Run *r, const Strategy *s, Miss miss, Node *e)
{
    r->nearest = (Nearest){miss, s, calls_text(r), e->origin};
}

// The trials of a rule, which are new if it was not tried before.
static RuleTries *tries_of(Run *r, Sym rule)
{
    for (int i = 0; i < r->trace->rules.len; i++)
        if (r->trace->rules.at[i].rule == rule) return &r->trace->rules.at[i];
    vec_push(r->cx->arena, &r->trace->rules, (RuleTries){.rule = rule});
    return &vec_last(&r->trace->rules);
}

bool run_tried(Run *r, const Strategy *s, bool applied, MissCause cause)
{
    if (!r->traced) return false;
    RuleTries *t = tries_of(r, s->rule->name);
    t->tried++;
    t->applied += applied;
    if (applied || (int)cause <= t->cause) return false;
    t->cause = (int)cause;
    return true;
}

void run_tried_why(Run *r, const Strategy *s, const char *why)
{
    tries_of(r, s->rule->name)->why = why;
}

void run_missed_primitive(Run *r, const Strategy *s, const char *text, Node *e)
{
    if (run_is_nearer(r, MISS_TEST)) run_missed(r, s, (Miss){MISS_TEST, text}, e);
}

bool run_stop(Run *r, DiagCode code, Span span, const char *text)
{
    if (r->stopped) return false;
    r->stopped = true;
    if (span.file == r->statement->span.file) {
        diag_error(r->cx, code, span, "%s", text);
        return false;
    }
    Diag *d = diag_error(r->cx, code, r->statement->span, "%s", text);
    diag_note(r->cx, d, span, "the strategy fails here");
    return false;
}

// --- where ------------------------------------------------------------------------------------

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

// Sets *names to the names of the variables that are in scope at a term, outermost first. Returns
// how many there are.
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

void run_note_step(Run *r, const Strategy *s, const Env *env, Node *before, Node *after,
                   const Way *way)
{
    if (!r->traced) return;
    bool rule = s->form == STRATEGY_RULE;
    Step step = {.name = rule ? s->rule->name->text : primitive_info[s->primitive].name,
                 .why = rule ? s->rule->doc : NULL,
                 .span = s->span,
                 .pasted = run_pasted(r, s, env, way),
                 .operations = run_operations(r, before, way),
                 .idle = term_equal(r->arena, before, after),
                 .before = before,
                 .after = after};
    step.path = path_text(r, way);
    Sym *names;
    step.nscope = scope_of(r, way, &names);
    step.scope = names;
    vec_push(r->cx->arena, &r->trace->steps, step);
}

void run_note_reason(Run *r, const char *reason, const Strategy *s, const Env *env, int first,
                     Node *before, const Way *way)
{
    if (!r->traced || r->trace->steps.len == first) return;
    Step step = {.why = reason,
                 .pasted = run_pasted(r, s, env, way),
                 .operations = run_operations(r, before, way),
                 .covers = r->trace->steps.len - first};
    vec_push(r->cx->arena, &r->trace->steps, step);
}

// Returns the type of the i-th variable that this step of a path binds: a parameter of the function
// whose body it enters, or the variable of a let. Returns NULL if the type is not known.
static Node *bound_type(const Way *way, int i)
{
    if (way->child < 0) return way->node->type->op[i];
    return way->node->kind == CORE_LET && way->child == 1 ? way->node->op[0]->type : NULL;
}

int run_scope_types(const Run *r, const Way *way, Node ***types)
{
    int n = r->function->params.len;
    for (const Way *w = way; w; w = w->outer) n += bound_here(w);
    Node **all = ARENA_ARRAY(r->arena, Node *, n + 1);
    int at = n;
    for (const Way *w = way; w; w = w->outer)
        for (int i = bound_here(w); i-- > 0;) {
            all[--at] = bound_type(w, i);
            if (!all[at]) return -1;
        }
    for (int i = at; i-- > 0;) all[i] = r->function->params.at[i].type;
    *types = all;
    return n;
}

// --- in words -----------------------------------------------------------------------------------

// Adds notes to the error: where the rule or primitive was used, by which strategies, and on which
// term.
static void note_use(Run *r, Diag *d)
{
    const Strategy *at = r->nearest.at, *statement = r->statement;
    if (at->span.lo != statement->span.lo || at->span.file != statement->span.file)
        diag_note(r->cx, d, at->span, "%s is used here",
                  at->form == STRATEGY_RULE ? "the rule" : "the strategy");
    if (*r->nearest.calls)
        diag_note(r->cx, d, NO_SPAN, "through the strategies %s", r->nearest.calls);
    if (r->nearest.miss.cause == MISS_HEAD || !r->nearest.term.file) return;
    diag_note(r->cx, d, r->nearest.term, "%s",
              r->applied > 0 ? "it came closest at the result of earlier steps on this expression"
                             : "it came closest here");
}

void run_report(Run *r)
{
    if (r->stopped) return;
    Span span = r->statement->span;
    const Strategy *at = r->nearest.at;
    const Miss *miss = &r->nearest.miss;
    Diag *d;
    if (!at)
        d = diag_error(r->cx, E0811, span, "this strategy fails");
    else if (at->form != STRATEGY_RULE)
        d = diag_error(r->cx, E0811, span, "this strategy fails: %s", miss->why);
    else if (miss->cause == MISS_HEAD)
        d = diag_error(r->cx, E0811, span, "this strategy fails: rule `%s` matches nothing here",
                       at->rule->name->text);
    else
        d = diag_error(r->cx, E0811, span, "this strategy fails: rule `%s` does not apply: %s",
                       at->rule->name->text, miss->why);
    if (at) note_use(r, d);
}
