// Inside the plan of memory: lifetimes of arrays (lifetimes.c), and their slots in the workspace
// (plan_memory.c, plan_branches.c, per_thread.c).
#ifndef ADZE_LOOPS_MEMORY_PLAN_H
#define ADZE_LOOPS_MEMORY_PLAN_H

#include "loops/simplify/simplify.h"

typedef struct Item Item;
typedef VEC(Item *) Items;

/// A loop around the current statement.
typedef struct Around Around;
struct Around {
    const Around *outer;
    Node *loop;
    int begin;
    Items used; // arrays from outside: live in the whole loop
};

/// Memory that arrays share one after another.
typedef struct {
    const Item *output; // the output that provides its memory; NULL for the workspace
    Node *bytes;        // of the largest array in it
    Node *at;           // where it begins, in lines
    Items items;
    bool moving; // whether an array in it is declared in a loop
} Slot;
typedef VEC(Slot *) Slots;

typedef struct Team Team;

/// An array, the workspace of a call, or an output.
struct Item {
    LoopPlacement place;
    const Around *around; // its own loops
    Node *alloc;          // NULL for a call
    bool lent;            // a task or a pointer accesses it
    bool stays;       // stays declared in a loop over lanes, whose iterations would share a slot
    const Team *team; // the threads with one copy each; NULL if there is a single copy
    Slot *slot;
    const Item *same; // the overwritten array of equal length, whose name it gets; or NULL
};

/// The threads of a parallel loop: the iterations of a thread use the same slots, so that no
/// iteration allocates.
struct Team {
    Node *loop;
    Items items; // of one thread
    Node *lines; // the size of these arrays
    Item *all;   // the memory of all threads together
};

/// A loop that stores an array over another.
typedef struct {
    const Item *from, *to;
    int begin, end;
} Over;

/// An arm of a branch whose condition depends only on the entry's sizes, or the whole function.
typedef struct Fork Fork;
typedef struct {
    VEC(Fork *) forks; // the forks in it
    Items items;       // without the arrays of the arms in it
} Arm;

/// A branch whose condition depends only on the entry's sizes, outside of loops and tasks.
struct Fork {
    Node *branch;
    Arm arms[2];
    bool apart; // whether each arm is planned separately
};

/// The plan of one function, `f` of `entry`.
typedef struct {
    Session *cx;
    const LoopEntry *entry, *f;
    Map *planned; // Sym of a function -> its LoopEntry
    const Facts *facts;
    Map arrays; // Sym -> Item, outputs too
    Items outputs;
    VEC(Over) over;
    Arm all, *arm; // the function; the current arm
    Items items;   // arrays that are laid out together
    Team *team;    // the current one
    VEC(Team *) teams;
    Items calls; // one for each call in order of appearance, NULL for a call without a workspace
    int time;
    int own, tasks, lanes; // enclosing parallel loops and tasks; tasks; loops over lanes
    Around *around;
    Slots slots;
    int call;
    Sym helpers,
        thread; // names of sizes; made when they are first needed
} Planner;

/// Finds the arrays that get slots, and their lifetimes: p->all, p->outputs, p->calls, p->over.
void plan_lifetimes(Planner *p);

// --- plan_branches.c -----------------------------------------------------------------------------

/// Adds the branch to p->arm; NULL if its arms cannot be planned separately.
Fork *plan_fork(Planner *p, Node *branch);

/// The fork of the arm that has all its arrays, or NULL.
Fork *plan_only_fork(const Arm *arm);

/// The fork of the branch if its arms are planned separately, else NULL.
const Fork *plan_fork_of(const Arm *arm, Node *branch);

/// The arrays of the arm and of the arms in it.
void plan_items_of(Session *cx, const Arm *arm, Items *out);

/// The lines of a workspace: `then` if the condition of the branch holds, else `otherwise`. NULL
/// for no workspace.
Node *plan_lines_of_fork(Session *cx, const Fork *fork, Node *then, Node *otherwise);

// --- per_thread.c --------------------------------------------------------------------------------

/// Begins and ends a parallel loop: arrays that are found in between belong to each thread, if
/// threads can have slots. `begin`: the number of the loop as a statement.
void plan_open_team(Planner *p, Node *loop);
void plan_close_team(Planner *p, Node *loop, int begin);

/// Whether arrays that are declared here get slots: outside of parallel loops and tasks, or in the
/// iterations of a team.
bool plan_has_places(const Planner *p);

/// The team of a loop whose threads have arrays, or NULL.
const Team *plan_team_of(const Planner *p, Node *loop);

/// The bytes that all threads of a team need, once the arrays of one thread are laid out.
Node *plan_bytes_of_team(Planner *p, const Team *team);

/// The line where an array begins, over the number of the thread if each thread has a copy.
Node *plan_position(const Planner *p, const Item *item);

#endif
