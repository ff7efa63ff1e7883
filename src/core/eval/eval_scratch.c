// Memory for terms that are evaluated repeatedly: loop bodies, functions passed to patterns, calls.
// Once an arena has served for many steps, each such term gets an arena of its own, which is freed
// after the result of the term has been copied. A value that outlives the arena in a cell, or as
// the value of a jump, is copied as well. Functions and references are not copied; instead, the
// arenas that they may point into are kept.
#include "core/eval/eval.h"

enum { LONG_STEPS = 50000 }; // steps after which an arena is replaced

bool scratch_is_due(const Eval *ev)
{
    return ev->fuel_at_arena - ev->fuel >= LONG_STEPS;
}

void scratch_enter(Eval *ev, Scratch *s)
{
    s->entered = scratch_is_due(ev);
    if (!s->entered) return;
    if (!s->arena) {
        s->arena = arena_new_beside(ev->arena);
        s->fuel = ev->fuel;
    }
    s->outer_arena = ev->arena;
    s->outer_fuel = ev->fuel_at_arena;
    s->outer = ev->scratches;
    ev->arena = s->arena;
    ev->fuel_at_arena = s->fuel;
    ev->scratches = s;
}

void scratch_leave(Eval *ev, Scratch *s, Value *result)
{
    if (!s->entered) return;
    ev->arena = s->outer_arena;
    ev->fuel_at_arena = s->outer_fuel;
    ev->scratches = s->outer;
    if (result) *result = value_copy(ev->arena, result);
    if (s->fuel - ev->fuel >= LONG_STEPS) scratch_end(ev, s);
}

void scratch_end(Eval *ev, Scratch *s)
{
    if (s->kept)
        vec_push(ev->keep, &ev->kept, s->arena);
    else
        arena_delete(s->arena);
    s->arena = NULL;
    s->kept = false;
}

void scratch_keep_all(Eval *ev)
{
    for (Scratch *s = ev->scratches; s; s = s->outer) s->kept = true;
}
