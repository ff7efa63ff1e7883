// Reports loops over lanes that are not vectorised, or only partly vectorised, as warnings of
// `adze build` and remarks of `adze explain`.
#include <string.h>

#include "loops/vector/vectors.h"

typedef struct {
    LostExtent extent;
    const char *why, *help;
} LossText;

static const LossText text_of[] = {
#define LOSS(id, extent, why, help) {LOST_##extent, why, help},
#include "loops/vector/losses.def"
#undef LOSS
};

LaneLoss lane_loss(LossKind kind, const char *name, Span at)
{
    const LossText *t = &text_of[kind];
    return (LaneLoss){.at = at, .extent = t->extent, .why = t->why, .help = t->help, .name = name};
}

void lane_loss_add(Session *cx, LaneLosses *losses, LossKind kind, const char *name, Span at)
{
    LaneLoss one = lane_loss(kind, name, at);
    for (int i = 0; i < losses->all.len; i++) {
        const char *why = losses->all.at[i].why, *of = losses->all.at[i].name;
        if (why == one.why && (of == name || (of && name && strcmp(of, name) == 0))) return;
    }
    vec_push(cx->arena, &losses->all, one);
}

void lane_losses_report(Session *cx, LoopEntry *entry, Node *loop, int64_t asked, int64_t lanes,
                        const LaneLosses *losses)
{
    enum { SHORTEST = 16 }; // bytes of the shortest vectors that any processor has
    if (cx->vector_bytes < SHORTEST) return;
    int64_t iterations, possible = losses->narrow ? cx->vector_bytes / losses->narrow : lanes;
    bool few = nat_is_const(nat_sub(cx, loops_to(loop), loops_from(loop)), &iterations) &&
               iterations < asked;
    bool fewer = lanes < (asked < possible ? asked : possible);
    for (int i = 0; i < losses->all.len; i++) {
        LaneLoss x = losses->all.at[i];
        if ((x.extent == LOST_VECTORS) != (lanes == 0) || (x.extent == LOST_LANES && !fewer))
            continue;
        x.loop = loop->origin;
        x.asked = asked;
        x.lanes = lanes;
        x.few = few;
        vec_push(cx->arena, &entry->lane_losses, x);
    }
}

static bool is_among(const Spans *spans, Span span)
{
    for (int i = 0; i < spans->len; i++)
        if (memcmp(&spans->at[i], &span, sizeof span) == 0) return true;
    return false;
}

void lane_losses_drop_borders(LoopEntry *entry, const Spans *vectors)
{
    int kept = 0;
    for (int i = 0; i < entry->lane_losses.len; i++) {
        LaneLoss x = entry->lane_losses.at[i];
        if (x.extent == LOST_VECTORS && x.few && is_among(vectors, x.loop)) continue;
        entry->lane_losses.at[kept++] = x;
    }
    entry->lane_losses.len = kept;
}
