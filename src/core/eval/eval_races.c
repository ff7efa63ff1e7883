// Race detection. The interpreter runs the iterations of parallel loops in a random order, and
// records for each element which iterations accessed it last. Two accesses collide if different
// iterations of the same execution of a loop made them, at least one of them writes, and at least
// one is not an atomic update.
#include "core/eval/eval.h"

// An iteration of a loop, finished or not. `run` identifies the execution of the loop; the
// executions of all loops are numbered consecutively.
typedef struct Iteration Iteration;
struct Iteration {
    uint64_t run, number;
    const Iteration *outer;
};

typedef struct {
    const Iteration *by; // NULL if there is no access
    Span at;
    bool atomic;
} Access;

// The last accesses to an element. Two reads by different iterations suffice, since a write can
// come from at most one of these iterations.
typedef struct {
    Access write, read[2];
} Touched;

struct Races {
    Arena *arena;
    Map touched; // the location of an element -> Touched
    const Iteration *now;
    uint64_t runs, random;
    int atomic; // the number of atomic updates in progress
};

Races *races_new(Arena *arena, uint64_t seed)
{
    Races *r = ARENA_NEW(arena, Races);
    *r = (Races){.arena = arena, .touched = map_new(arena), .random = seed * 2 + 1};
    return r;
}

// xorshift64*, by Marsaglia and Vigna
static uint64_t random_below(Races *r, uint64_t n)
{
    r->random ^= r->random >> 12;
    r->random ^= r->random << 25;
    r->random ^= r->random >> 27;
    return r->random * UINT64_C(2685821657736338717) % n;
}

uint64_t *races_order(Races *r, uint64_t n)
{
    uint64_t *order = ARENA_ARRAY(r->arena, uint64_t, n + 1);
    for (uint64_t i = 0; i < n; i++) { // the inside-out variant of the Fisher-Yates shuffle
        uint64_t j = random_below(r, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

uint64_t races_run(Races *r)
{
    return ++r->runs;
}

void races_enter(Races *r, uint64_t run, uint64_t number)
{
    Iteration *i = ARENA_NEW(r->arena, Iteration);
    *i = (Iteration){run, number, r->now};
    r->now = i;
}

void races_leave(Races *r)
{
    r->now = r->now->outer;
}

bool races_enter_function(Races *r, const Function *f)
{
    bool atomic = core_atomic_of(f->name) != ATOMIC_COUNT;
    r->atomic += atomic;
    return atomic;
}

void races_leave_function(Races *r, bool atomic)
{
    r->atomic -= atomic;
}

void races_forget(Races *r, const Value *place)
{
    Touched *t = place->count ? NULL : map_get(&r->touched, MAP_KEY(place));
    if (t) *t = (Touched){0};
    for (int64_t i = 0; i < place->count; i++) races_forget(r, &place->parts[i]);
}

// If `a` and `b` are enclosed by different iterations of the same execution of a loop, returns the
// one that encloses `a`; otherwise returns NULL.
static const Iteration *apart(const Iteration *a, const Iteration *b)
{
    for (; a; a = a->outer)
        for (const Iteration *i = b; i; i = i->outer)
            if (a->run == i->run && a->number != i->number) return a;
    return NULL;
}

static bool collides(Eval *ev, const Access *before, const char *did, Span at)
{
    Races *r = ev->races;
    const Iteration *mine = before->by ? apart(r->now, before->by) : NULL;
    int line = 0, column = 0;
    if (!mine || (before->atomic && r->atomic)) return false;
    const char *path = "?";
    if (before->at.file) {
        session_position(ev->cx, before->at.file, before->at.lo, &line, &column);
        path = ev->cx->sources.at[before->at.file - 1]->path;
    }
    return !eval_fail(ev, E0613, at,
                      "another iteration of the parallel loop %s the same element at %s:%d:%d", did,
                      path, line, column);
}

static bool touch_element(Eval *ev, const Value *place, bool write, Span at)
{
    Races *r = ev->races;
    Touched *t = map_get(&r->touched, MAP_KEY(place));
    if (!t) {
        t = ARENA_NEW(r->arena, Touched);
        map_put(&r->touched, MAP_KEY(place), t);
    }
    if (collides(ev, &t->write, "writes", at)) return false;
    for (int k = 0; write && k < 2; k++)
        if (collides(ev, &t->read[k], "reads", at)) return false;
    Access now = {r->now, at, r->atomic > 0};
    if (write) {
        t->write = now;
    } else if (!t->read[0].by || !apart(t->read[0].by, r->now)) {
        t->read[0] = now;
    } else {
        t->read[1] = now;
    }
    return true;
}

// Ignores accesses without a position in the program. In SIMD mode, such accesses copy the
// variables of a lane, and the copy includes other lanes if the variables are parts of a single
// value.
bool races_touch(Eval *ev, const Value *place, bool write, Span at)
{
    if (!ev->races || !ev->races->now || !at.file) return true;
    if (place->count == 0) return touch_element(ev, place, write, at);
    for (int64_t i = 0; i < place->count; i++)
        if (!races_touch(ev, &place->parts[i], write, at)) return false;
    return true;
}
