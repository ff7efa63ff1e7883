// Races (base/races.h) between accesses to the locations of Core.
#include "core/eval/eval.h"

bool eval_enter_function(Eval *ev, const Function *f)
{
    bool atomic = core_atomic_of(f->name) != ATOMIC_COUNT;
    if (atomic) races_enter_atomic(ev->races);
    return atomic;
}

void eval_leave_function(Eval *ev, bool atomic)
{
    if (atomic) races_leave_atomic(ev->races);
}

void eval_forget(Eval *ev, const Value *place)
{
    if (!ev->races) return;
    if (place->count == 0) races_forget(ev->races, place);
    for (int64_t i = 0; i < place->count; i++) eval_forget(ev, &place->parts[i]);
}

// Ignores accesses without a position in the program. In SIMD mode, such accesses copy the
// variables of a lane, and the copy includes other lanes if the variables are parts of a single
// value.
bool eval_touch(Eval *ev, const Value *place, bool write, Span at)
{
    if (!ev->races || !at.file) return true;
    const char *found = place->count == 0 ? races_touch(ev->races, ev->cx, place, write, at) : NULL;
    if (found) return eval_fail(ev, E0613, at, "%s", found);
    for (int64_t i = 0; i < place->count; i++)
        if (!eval_touch(ev, &place->parts[i], write, at)) return false;
    return true;
}
