// Inside the plan of memory: how long arrays are needed (lifetimes.c), where they lie (plan_memory.c, plan_branches.c, per_thread.c).
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
typedef VEC(Slot *) Slots;

typedef struct Team Team;

/// An array, the workspace of a call, or an output.
struct Item {
    LoopPlacement place;
    const Around *around; // its own loops
    Node *alloc;          // NULL: a call
    bool lent;            // to a task, or a pointer
    bool stays; // declared where it is: lanes may look like iterations by themselves without it
    const Team *team; // whose threads have one each; NULL: there is one
    Slot *slot;
    const Item *same; // an array of its length whose place it takes; NULL: none
};

/// The threads of a parallel loop: an iteration has its arrays where those of its thread are, so that none is allocated for it.
struct Team {
    Node *loop;
    Items items; // of one thread
    Node *lines; // that these need
    Item *all;   // the memory of all threads together
};

/// A loop that writes an array over another.
typedef struct {
    const Item *from, *to;
    int begin, end;
} Over;

/// An arm of a branch whose way the sizes of the entry tell, or the whole function.
typedef struct Fork Fork;
typedef struct {
    VEC(Fork *) forks; // in it
    Items items;       // but for those of the arms in it
} Arm;

/// Such a branch, outside of loops and tasks.
struct Fork {
    Node *branch;
    Arm arms[2];
    bool apart; // each arm is planned by itself
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
    Arm all, *arm; // of the function; the one around
    Items items;   // of what is laid out at one time
    Team *team;    // around
    VEC(Team *) teams;
    Items calls; // one for each call in order of appearance, NULL: it gives no memory
    int time;
    int own, tasks, lanes; // how many parallel loops and tasks, tasks, loops in lockstep are around
    Around *around;
    Slots slots;
    int call;
    Sym helpers,
        thread; // names of sizes; those that the entry does not have yet are made where they are wanted
} Planner;

/// Finds what is to have a place, and when it is needed: p->all, p->outputs, p->calls, p->over.
void plan_lifetimes(Planner *p);

// --- plan_branches.c: arms of branches ---------------------------------------------------------------------

/// The branch as one of p->arm, NULL when it is none whose arms can be planned by themselves.
Fork *plan_fork(Planner *p, Node *branch);

/// The fork of the arm that has all that is in it; NULL when there is none.
Fork *plan_only_fork(const Arm *arm);

/// The fork that the branch is, where its arms are planned by themselves; else NULL.
const Fork *plan_fork_of(const Arm *arm, Node *branch);

/// What is in the arm, also in the arms in it.
void plan_items_of(Session *cx, const Arm *arm, Items *out);

/// The lines of a workspace: `then` where the condition of the branch holds, `otherwise` where not. NULL: none.
Node *plan_lines_of_fork(Session *cx, const Fork *fork, Node *then, Node *otherwise);

// --- per_thread.c: places for each thread ---------------------------------------------------------------

/// Begins a parallel loop: what is found until it ends is for each thread, where these can have places. It began as statement `begin`.
void plan_open_team(Planner *p, Node *loop);
void plan_close_team(Planner *p, Node *loop, int begin);

/// Whether what is declared here has a place: outside of parallel loops and tasks, or in the iterations of a team.
bool plan_has_places(const Planner *p);

/// The team of a loop whose threads have something, NULL when there is none.
const Team *plan_team_of(const Planner *p, Node *loop);

/// How much all threads of a team need, once one of them is laid out.
Node *plan_bytes_of_team(Planner *p, const Team *team);

/// Where an array begins, in lines, over the number of the thread where there is one for each.
Node *plan_position(const Planner *p, const Item *item);

#endif
