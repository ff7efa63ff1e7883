#include "base/races.h"

#include "base/map.h"

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
    Map touched; // the address of an element -> Touched
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

bool races_inside(const Races *r)
{
    return r->now;
}

void races_enter_atomic(Races *r)
{
    r->atomic++;
}

void races_leave_atomic(Races *r)
{
    r->atomic--;
}

void races_forget(Races *r, const void *element)
{
    Touched *t = map_get(&r->touched, MAP_KEY(element));
    if (t) *t = (Touched){0};
}

// Whether `a` and `b` are enclosed by different iterations of the same execution of a loop.
static bool apart(const Iteration *a, const Iteration *b)
{
    for (; a; a = a->outer)
        for (const Iteration *i = b; i; i = i->outer)
            if (a->run == i->run && a->number != i->number) return true;
    return false;
}

static const char *collision(const Races *r, Session *cx, const Access *before, const char *did)
{
    if (!before->by || !apart(r->now, before->by)) return NULL;
    if (before->atomic && r->atomic) return NULL;
    const char *where = "";
    int line = 0, column = 0;
    if (before->at.file) {
        session_position(cx, before->at.file, before->at.lo, &line, &column);
        where = arena_printf(cx->arena, " at %s:%d:%d", cx->sources.at[before->at.file - 1]->path,
                             line, column);
    }
    return arena_printf(cx->arena, "another iteration of the parallel loop %s the same element%s",
                        did, where);
}

static Touched *touched(Races *r, const void *element)
{
    Touched *t = map_get(&r->touched, MAP_KEY(element));
    if (t) return t;
    t = ARENA_NEW(r->arena, Touched);
    map_put(&r->touched, MAP_KEY(element), t);
    return t;
}

const char *races_touch(Races *r, Session *cx, const void *element, bool write, Span at)
{
    if (!r->now) return NULL;
    Touched *t = touched(r, element);
    const char *found = collision(r, cx, &t->write, "writes");
    for (int k = 0; write && !found && k < 2; k++) found = collision(r, cx, &t->read[k], "reads");
    Access now = {r->now, at, r->atomic > 0};
    if (write) {
        t->write = now;
    } else if (!t->read[0].by || !apart(t->read[0].by, r->now)) {
        t->read[0] = now;
    } else {
        t->read[1] = now;
    }
    return found;
}
