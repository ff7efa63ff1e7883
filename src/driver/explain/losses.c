// Reports requested lanes that are not vectorised: as warnings in `adze build`, and as a list in
// `adze explain`.
#include "driver/explain/explain.h"

#include <string.h>

/// A loss, worded for the user.
typedef struct {
    Span at;   // a position in one of the user's files
    Span loop; // NO_SPAN if the loop begins at `at` or is in the library
    const char *what, *why, *help;
} LossReport;

const char *explain_filled(Session *cx, const char *text, const char *name, const char *size)
{
    if (!text) return NULL;
    Text out = text_new(cx->arena);
    for (const char *c = text; *c; c++) {
        if (*c == '$' && name)
            text_put(&out, name);
        else if (*c == '#' && size)
            text_put(&out, size);
        else
            text_char(&out, *c);
    }
    return text_get(&out);
}

// Inserts the name into the text. Without a name, "the index `$` is" becomes "the index is".
static const char *filled(const Work *w, const char *text, const LaneLoss *x, const char *name)
{
    static const char unnamed[] = " `$`";
    const char *of = name ? name : x->name;
    if (!text) return NULL;
    Text out = text_new(w->cx->arena);
    for (const char *at; !name && (at = strstr(text, unnamed)); text = at + strlen(unnamed))
        text_printf(&out, "%.*s", (int)(at - text), text);
    text_put(&out, text);
    return explain_filled(w->cx, text_get(&out), name ? name : "..", of);
}

static const char *extent_text(Session *cx, const LaneLoss *x)
{
    long long asked = x->asked, lanes = x->lanes;
    switch (x->extent) {
    case LOST_VECTORS:
        return arena_printf(cx->arena, "the loop over %lld lanes is not vectorised", asked);
    case LOST_LANES:
        return arena_printf(cx->arena,
                            "the loop over %lld lanes is vectorised with %lld lanes at a time",
                            asked, lanes);
    case LOST_PART:
        return arena_printf(cx->arena, "a part of the loop over %lld lanes is not vectorised",
                            asked);
    }
    return NULL;
}

// Describes a loss. Returns false if it is entirely in library code, which the user cannot change.
static bool describe(const Work *w, const LaneLoss *x, LossReport *out)
{
    Session *cx = w->cx;
    bool own = x->at.file && !modules_in_library(cx, w->file, x->at.file);
    bool own_loop = x->loop.file && !modules_in_library(cx, w->file, x->loop.file);
    if (!own && !own_loop) return false;
    Span at = own ? x->at : x->loop;
    const char *name = explain_name(cx, at, x->loop, x->name);
    bool elsewhere = own && own_loop && x->loop.lo != at.lo;
    *out = (LossReport){.at = at,
                        .loop = elsewhere ? x->loop : NO_SPAN,
                        .what = extent_text(cx, x),
                        .why = filled(w, x->why, x, name),
                        .help = x->strided ? NULL : filled(w, x->help, x, name)};
    return true;
}

// --- each loss ----------------------------------------------------------------------------------

typedef void EachLoss(const Work *w, const LoopEntry *e, const LaneLoss *x, const LossReport *t,
                      void *env);

static bool is_same(const LossReport *a, const LossReport *b)
{
    return memcmp(&a->at, &b->at, sizeof a->at) == 0 && strcmp(a->what, b->what) == 0 &&
           strcmp(a->why, b->why) == 0;
}

// Visits each loss once, even if the compiler made several loops from one source loop.
static void each(const Work *w, EachLoss *visit, void *env)
{
    VEC(LossReport) before = {0};
    for (int k = -1; k < w->loop->callees.len; k++) {
        const LoopEntry *e = k < 0 ? w->loop : w->loop->callees.at[k];
        for (int i = 0; i < e->lane_losses.len; i++) {
            LossReport t;
            bool known = !describe(w, &e->lane_losses.at[i], &t);
            for (int j = 0; !known && j < before.len; j++) known = is_same(&before.at[j], &t);
            if (known) continue;
            vec_push(w->cx->arena, &before, t);
            visit(w, e, &e->lane_losses.at[i], &t, env);
        }
    }
}

// --- warnings -----------------------------------------------------------------------------------

static void warn(const Work *w, const LoopEntry *e, const LaneLoss *x, const LossReport *t,
                 void *env)
{
    (void)env;
    Session *cx = w->cx;
    if (x->strided) return; // not worth a warning: the fast version is the one for unit strides
    if (w->default_lanes || loops_is_by_default(e, x->loop)) return; // not asked for by the program
    DiagCode code = x->extent == LOST_VECTORS ? E0510 : E0511;
    Diag *d = diag_warning(cx, code, t->at, "%s: %s", t->what, t->why);
    if (t->loop.file) diag_note(cx, d, t->loop, "the loop");
    if (t->help) diag_help(cx, d, "%s", t->help);
}

void losses_warn(const Work *w)
{
    each(w, warn, NULL);
}

// --- explain ------------------------------------------------------------------------------------

static void put(const Work *w, const LoopEntry *e, const LaneLoss *x, const LossReport *t,
                void *env)
{
    (void)e;
    Text *out = ((void **)env)[0];
    bool *any = ((void **)env)[1];
    if (!*any) text_put(out, "  lanes that are not vectorised\n");
    *any = true;
    text_printf(out, "    %-16s %s%s: %s\n", explain_place(w, t->at),
                x->strided ? "with other strides: " : "", t->what, t->why);
    if (t->help) text_printf(out, "    %-16s %s\n", "", t->help);
}

void explain_losses(const Work *w, Text *out)
{
    bool any = false;
    each(w, put, (void *[]){out, &any});
}

static void add_json(const Work *w, const LoopEntry *e, const LaneLoss *x, const LossReport *t,
                     void *env)
{
    (void)e;
    json_t *one = json_span(w->cx, t->at);
    json_put(one, "strided", json_boolean(x->strided));
    json_put(one, "asked", json_integer(x->asked));
    json_put(one, "lanes", json_integer(x->lanes ? x->lanes : 1));
    json_put(one, "what", json_string(t->what));
    json_put(one, "why", json_string(t->why));
    json_put(one, "help", t->help ? json_string(t->help) : json_null());
    json_array_append_new(env, one);
}

void explain_losses_json(const Work *w, json_t *to)
{
    json_t *all = json_array();
    each(w, add_json, all);
    json_put(to, "lanes_not_in_vectors", all);
}
