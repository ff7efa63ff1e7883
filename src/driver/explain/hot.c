// `adze explain`: causes of slow innermost loops.
#include "driver/explain/explain.h"
#include "loops/hot/hot.h"

static const struct {
    const char *text, *unnamed;
} text_of[] = {
#define HOT(id, text, unnamed) {text, unnamed},
#include "loops/hot/hot.def"
#undef HOT
};

// Formats the size of a copy or stride, in elements and bytes. Returns NULL if there is none.
static const char *size_text(Session *cx, const HotLoop *x)
{
    int64_t one;
    if (!x->elements) return NULL;
    bool single = nat_is_const(x->elements, &one) && (one == 1 || one == -1);
    return arena_printf(cx->arena, "%s element%s (%s bytes)", explain_size(cx, x->elements),
                        single ? "" : "s", explain_size(cx, x->bytes));
}

static const char *remark_text(const Work *w, const HotLoop *x)
{
    const char *name = explain_name(w->cx, x->at, x->loop, x->name);
    if (!name && text_of[x->kind].unnamed) return text_of[x->kind].unnamed;
    return explain_filled(w->cx, text_of[x->kind].text, name ? name : x->name, size_text(w->cx, x));
}

static HotLoops find(const Work *w)
{
    HotLoops all = {0};
    Map used = explain_used(w);
    loops_find_hot(w->cx, w->loop, w->loop, &all);
    for (int i = 0; i < w->loop->callees.len; i++)
        loops_find_hot(w->cx, w->loop, w->loop->callees.at[i], &all);
    for (int i = 0; i < all.len; i++)
        if (!explain_is_used(w, &used, all.at[i].at)) all.at[i].at = all.at[i].loop;
    return all;
}

void explain_hot(const Work *w, Text *out)
{
    HotLoops all = find(w);
    if (all.len) text_put(out, "  causes of slow loops\n");
    for (int i = 0; i < all.len; i++) {
        const HotLoop *x = &all.at[i];
        bool elsewhere = x->at.file != x->loop.file || x->at.lo != x->loop.lo;
        text_printf(out, "    %-16s", explain_place(w, x->loop));
        if (elsewhere) text_printf(out, " at %s:", explain_place(w, x->at));
        text_printf(out, " %s\n", remark_text(w, x));
    }
}

void explain_hot_json(const Work *w, json_t *to)
{
    HotLoops all = find(w);
    json_t *loops = json_array();
    for (int i = 0; i < all.len; i++) {
        json_t *one = json_span(w->cx, all.at[i].at);
        json_put(one, "loop", json_span(w->cx, all.at[i].loop));
        json_put(one, "remark", json_string(remark_text(w, &all.at[i])));
        json_array_append_new(loops, one);
    }
    json_put(to, "loops", loops);
}
