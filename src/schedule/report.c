// What a schedule tells: its steps, and why it failed.
#include "schedule/run.h"

#include <string.h>

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

bool run_is_nearer(const Run *r, Miss miss)
{
    return !r->stopped && (!r->nearest.at || miss.cause > r->nearest.miss.cause);
}

void run_missed(Run *r, const Strategy *s, Miss miss, Node *e, const Way *way)
{
    r->nearest.miss = miss;
    r->nearest.at = s;
    r->nearest.way = keep_way(r, way);
    r->nearest.calls = calls_text(r);
    r->nearest.term = e;
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

void run_note_step(Run *r, const Strategy *s, Node *before, Node *after, const Way *way)
{
    if (!r->traced) return;
    Step step = {.rule = s->rule, .span = s->span, .before = before, .after = after};
    step.path = path_text(r, way);
    Sym *names;
    step.nscope = scope_of(r, way, &names);
    step.scope = names;
    vec_push(r->cx->arena, &r->trace->steps, step);
}

// --- in words -----------------------------------------------------------------------------------

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

void run_report(Run *r, const Strategy *statement)
{
    if (r->stopped) return;
    const Strategy *at = r->nearest.at;
    if (!at) {
        diag_error(r->cx, E0811, statement->span,
                   "this strategy fails: no rule of it was tried, for "
                   "nothing here is what it asks for before");
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
