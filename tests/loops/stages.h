// The passes on Loop IR in order, from pipeline.def: the entry as made, then after each pass.
#ifndef TESTS_LOOPS_STAGES_H
#define TESTS_LOOPS_STAGES_H

#include "loops/loops.h"

#define FROM_TEXT_TO_AST(id, function)
#define FROM_AST_TO_CORE(id, function)
#define FROM_CORE_TO_CORE(id, function)
#define FROM_CORE_TO_FLAT(id, function)
#define FROM_FLAT_TO_LOW(id, function)
#define FROM_LOW_TO_DPIA(id, function)
#define FROM_LOOP_TO_C(id, function)

static const struct {
    const char *name;
    LoopEntry *(*run)(Session *cx, const LoopEntry *e);
} loop_passes[] = {
#define FROM_DPIA_TO_LOOP(id, function)       {#id, NULL},
#define FROM_LOOP_TO_LOOP(id, function)       {#id, function},
#define PASS(id, from, to, function, purpose) FROM_##from##_TO_##to(id, function)
#include "pipeline.def"
#undef FROM_DPIA_TO_LOOP
#undef FROM_LOOP_TO_LOOP
#undef PASS
};

/// AFTER_simplify and so on: the index of the stage that the pass gives.
enum {
#define FROM_DPIA_TO_LOOP(id, function)       AFTER_##id,
#define FROM_LOOP_TO_LOOP(id, function)       AFTER_##id,
#define PASS(id, from, to, function, purpose) FROM_##from##_TO_##to(id, function)
#include "pipeline.def"
#undef FROM_DPIA_TO_LOOP
#undef FROM_LOOP_TO_LOOP
#undef PASS
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
