// The passes on Loop IR in order, from pipeline.def: the entry as made, then after each pass.
#ifndef TESTS_LOOPS_STAGES_H
#define TESTS_LOOPS_STAGES_H

#include "loops/ir/passes.h"

static const struct {
    const char *name;
    LoopEntry *(*run)(Session *cx, const LoopEntry *e);
    bool for_cpus;
} loop_passes[] = {
    {"lower_to_loops", NULL, false},
#define LOOP_PASS(id, purpose) {#id, loops_##id, false},
#define CPU_PASS(id, purpose)  {#id, loops_##id, true},
#include "pipeline.def"
};

/// AFTER_simplify and so on: the index of the stage that the pass gives.
enum {
    AFTER_lower_to_loops,
#define LOOP_PASS(id, purpose) AFTER_##id,
#include "pipeline.def"
    LOOP_STAGES,
    LOOPS_DONE = LOOP_STAGES - 1
};

/// Whether a pass left the entry as it was, so that running it again tells nothing.
static inline bool is_unchanged(const LoopEntry *before, const LoopEntry *after)
{
    bool same = before->body == after->body && before->params.len == after->params.len &&
                before->workspace == after->workspace && before->helpers == after->helpers &&
                before->thread == after->thread && before->callees.len == after->callees.len;
    for (int i = 0; same && i < before->params.len; i++)
        same = before->params.at[i].name == after->params.at[i].name &&
               before->params.at[i].count == after->params.at[i].count;
    for (int i = 0; same && i < before->callees.len; i++)
        same = is_unchanged(before->callees.at[i], after->callees.at[i]);
    return same;
}

#endif
