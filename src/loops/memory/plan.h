// Internals of the memory planner: the lifetimes of arrays (lifetimes.c), and their slots in the
// workspace (plan_memory.c, plan_branches.c, per_thread.c).
#ifndef ADZE_LOOPS_MEMORY_PLAN_H
#define ADZE_LOOPS_MEMORY_PLAN_H

#include "loops/simplify/simplify.h"

typedef struct Item Item;
typedef VEC(Item *) Items;

/// A loop that encloses the current statement.
typedef struct Around Around;
struct Around {
    const Around *outer;
    Node *loop;
    int begin;
    Items used; // arrays declared outside, which are live throughout the loop
};

/// Memory that several arrays use one after another.
typedef struct {
    const Item *output; // the output that provides the memory; NULL for the workspace
    Node *bytes;        // the size of the largest array in it
    Node *at;           // where it begins, in lines
    Items items;
    bool moving; // whether an array in it is declared in a loop
} Slot;
typedef VEC(Slot *) Slots;

typedef struct Team Team;

/// An array, the workspace of a call, or an output.
struct Item {
    LoopPlacement place;
    const Around *around; // the loops that enclose it
    Node *alloc;          // NULL for a call
    bool lent;            // a task or a pointer accesses it
    // Its declaration stays in a loop over lanes, whose iterations would otherwise share the array.
    bool stays;
    const Team *team; // the team whose threads have one copy each; NULL if there is a single copy
    Slot *slot;
    const Item *same; // the array of equal length whose memory and name it takes, or NULL
};

/// The threads of a parallel loop. All iterations of a thread use the same slots, so that no
/// iteration allocates memory.
struct Team {
    Node *loop;
    Items items; // the arrays of one thread
    Node *lines; // the size of these arrays
    Item *all;   // the memory of all threads together
};

/// A loop, from statement `begin` to statement `end`, that stores the array `to` over `from`.
typedef struct {
    const Item *from, *to;
    int begin, end;
} Over;

/// An arm of a branch whose condition depends only on the entry's sizes, or the whole function.
typedef struct Fork Fork;
typedef struct {
    VEC(Fork *) forks; // the forks in it
    Items items;       // its arrays, except those in the arms of its forks
} Arm;

/// A branch whose condition depends only on the entry's sizes, outside loops and tasks.
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
    Map arrays; // Sym -> Item, including outputs
    Items outputs;
    VEC(Over) over;
    Arm all, *arm; // the whole function, and the current arm
    Items items;   // arrays that are laid out together
    Team *team;    // the current team, or NULL
    VEC(Team *) teams;
    Items calls; // one per call, in textual order; NULL for a call without a workspace
    int time;
    // The numbers of enclosing parallel loops and tasks, of tasks, and of loops over lanes.
    int own, tasks, lanes;
    Around *around;
    Slots slots;
    int call;
    Sym helpers,
        thread; // names of sizes, created when first needed
} Planner;

/// Finds the arrays that get slots, and their lifetimes. Fills p->all, p->outputs, p->calls and
/// p->over.
void plan_lifetimes(Planner *p);

// --- plan_branches.c -----------------------------------------------------------------------------

/// Adds a fork for the branch to p->arm. Returns NULL if its arms cannot be planned separately.
Fork *plan_fork(Planner *p, Node *branch);

/// The fork that contains all arrays of the arm, or NULL.
Fork *plan_only_fork(const Arm *arm);

/// The fork of the branch, or NULL if its arms are not planned separately.
const Fork *plan_fork_of(const Arm *arm, Node *branch);

/// Appends the arrays of the arm, and those of the arms in it, to `out`.
void plan_items_of(Session *cx, const Arm *arm, Items *out);

/// The lines of a workspace that needs `then` lines if the condition of the branch holds, and
/// `otherwise` lines if not. NULL stands for no workspace, in arguments and results.
Node *plan_lines_of_fork(Session *cx, const Fork *fork, Node *then, Node *otherwise);

// --- per_thread.c --------------------------------------------------------------------------------

/// Enters a parallel loop. If its threads can have slots, each thread gets its own copy of the
/// arrays found until plan_close_team.
void plan_open_team(Planner *p, Node *loop);
/// Leaves a parallel loop. `begin` is the number of the loop in the textual order of statements.
void plan_close_team(Planner *p, Node *loop, int begin);

/// Whether arrays that are declared at the current point get slots, which is the case outside
/// parallel loops and tasks, and in the iterations of a team.
bool plan_has_places(const Planner *p);

/// The team of a loop whose threads have arrays, or NULL.
const Team *plan_team_of(const Planner *p, Node *loop);

/// The bytes that all threads of a team need, once the arrays of one thread are laid out.
Node *plan_bytes_of_team(Planner *p, const Team *team);

/// The line where an array begins. It depends on the thread index if each thread has a copy.
Node *plan_position(const Planner *p, const Item *item);

#endif
