// Inside the plan of memory: how long arrays are needed (lifetimes.c), where they lie (plan.c).
#ifndef ADZE_LOOPS_PLAN_H
#define ADZE_LOOPS_PLAN_H

#include "loops/passes.h"

typedef struct Item Item;
typedef VEC(Item *) Items;

/// A loop around the current statement.
typedef struct Around Around;
struct Around {
    const Around *outer;
    Node *loop;
    int begin;
    Items used; // from outside: all of the loop needs them
};

/// Memory that arrays have one after the other.
typedef struct {
    const Item *output; // whose memory it is; NULL: in the workspace
    Node *bytes;        // of the largest in it
    Node *at;           // where it begins, in lines
    Items items;
    bool moving; // whether something in it is declared in a loop
} Slot;

/// An array, the workspace of a call, or an output.
struct Item {
    LoopPlace place;
    const Around *around; // its own loops
    Node *alloc;          // NULL: a call
    bool lent;            // to a task
    bool stays; // declared where it is: lanes may look like iterations by themselves without it
    Slot *slot;
};

/// A loop that writes an array over another.
typedef struct {
    const Item *from, *to;
    int begin, end;
} Over;

/// The plan of one function, `f` of `entry`.
typedef struct {
    Session *cx;
    const LoopEntry *entry, *f;
    Map *planned; // Sym of a function -> its LoopEntry
    const Facts *facts;
    Map arrays; // Sym -> Item, outputs too
    Items outputs;
    VEC(Over) over;
    Items items;
    Items calls; // one for each call in order of appearance, NULL: it gives no memory
    int time;
    int own, tasks, lanes; // how many parallel loops and tasks, tasks, loops in lockstep are around
    Around *around;
    VEC(Slot *) slots;
    int call;
} Planner;

/// Finds what is to have a place, and when it is needed: p->items, p->outputs, p->calls, p->over.
void plan_lifetimes(Planner *p);

#endif
