// Declarations shared by the files that run a schedule.
#ifndef ADZE_SCHEDULE_RUN_H
#define ADZE_SCHEDULE_RUN_H

#include "schedule/internal.h"

typedef struct Env Env;

/// An argument: a strategy with its environment, a number, a list of numbers, or a string.
typedef struct {
    ArgKind kind;
    const Strategy *strategy;
    const Env *env;
    int64_t number;
    VEC(int64_t) list;
    const char *text;
} Argument;

struct Env {
    const Argument *args;
};

/// The path from the body to the current term, innermost step first. It yields the child numbers,
/// and the names of the variables in scope.
typedef struct Way Way;
struct Way {
    const Way *outer;
    int child;  // operand number, or -1 for the body of a lambda
    Node *node; // the parent
};

/// The active calls to strategies, the latest first.
typedef struct Calls Calls;
struct Calls {
    const Calls *outer;
    const StrategyItem *item;
};

/// A term that must survive a garbage collection of nodes, whatever a strategy rewrites it to.
typedef struct Needed Needed;
struct Needed {
    const Needed *outer;
    Node *e;
};

/// Of all failures inside a failing strategy, the one that came closest to success. Failures on the
/// way to a success explain nothing, so they are forgotten.
typedef struct {
    Miss miss;
    const Strategy *at; // NULL if no failure is recorded
    const char *calls;
    Span term; // the source location of the term
} Nearest;

typedef struct {
    Session *cx;
    Arena *arena; // freed after the run
    const Calls *calls;
    const Function *function;
    Facts *facts;
    bool pure;    // the function has no effects, so no rewritten form has effects
    bool inlined; // a rule was applied whose right side calls functions
    FloatClass allows;
    bool is_default; // rules that are not allowed fail, and are no error
    ScheduleTrace *trace;
    bool traced; // steps are recorded
    int64_t tried, applied;
    int64_t most_tried; // more rules than schedules of this function try
    uintptr_t limit;    // the stack limit
    const Needed *needed;
    uint32_t first;            // the first node of the run
    uint32_t collect;          // the node count at which unneeded nodes are freed
    Refuses *refuses;          // NULL if every variant is possible
    const Strategy *statement; // the running statement of the schedule
    bool explains;             // the statement failed and runs again, to find out why
    Nearest nearest;
    bool stopped; // an error was reported
} Run;

// --- run.c ---------------------------------------------------------------------------------------

/// Applies the strategy to e. Returns NULL if it fails. `env` holds the arguments of the enclosing
/// strategy.
Node *run_strategy(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way);
/// Like run_strategy, but e is still needed afterwards, so it survives garbage collections.
Node *run_needed(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way);
/// Counts and records a step: a rule or a primitive strategy has made `after` of `before`. If there
/// were too many, stops the run.
void run_changed(Run *r, const Strategy *s, const Env *env, Node *before, Node *after,
                 const Way *way);
/// Frees unneeded terms if there are many. It keeps e, its ancestors, and r->needed.
void run_collect(Run *r, Node *e, const Way *way);

/// Whether the schedule allows a step to change float results in this way. Integer results do not
/// change, since regrouping integer operations is exact. If it does not allow it, that is an error
/// about `what`, except in the default schedule.
bool run_allows(Run *r, FloatClass needed, const char *what, Span at, Node *e);

// --- arguments.c ---------------------------------------------------------------------------------

/// Returns the value of an argument. If it has none, stops the run and returns 0.
int64_t run_number(Run *r, const Strategy *s, const Env *env);
const char *run_text(const Strategy *s, const Env *env);
Argument run_argument(Run *r, ArgKind kind, const Strategy *s, const Env *env);

// --- primitives.c --------------------------------------------------------------------------------

Node *run_primitive(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way);
/// Whether s succeeds. Its result and its trace are dropped.
bool run_succeeds(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way);

// --- split_at.c ----------------------------------------------------------------------------------

/// Splits a map in two at the first let of its function on whose value the strategy succeeds.
/// Returns NULL if there is none, if the rest of the function needs what the value is computed
/// from, other than the element, or if the function may fail or has effects.
Node *run_split_at(Run *r, const Strategy *is, const Env *env, Node *e, const Way *way);

// --- paste.c -------------------------------------------------------------------------------------

/// Whether operand k is a child: a term or a function.
bool run_is_child(Node *e, int k);
/// The text of a strategy, with the values of its arguments, at a place: arg(1, map_in_lanes(8)).
Pasted run_pasted(Run *r, const Strategy *s, const Env *env, const Way *way);

// --- estimate.c ----------------------------------------------------------------------------------

/// Returns the number of operations that the term takes, in all iterations of the loops around it,
/// as a size.
Node *run_operations(Run *r, Node *e, const Way *way);

// --- report.c ------------------------------------------------------------------------------------

/// Whether a failure should be recorded: the run needs a reason, and a failure with this cause is
/// closer to success than earlier ones.
bool run_is_nearer(const Run *r, MissCause cause);
/// Records the failure of a rule.
void run_missed(Run *r, const Strategy *s, Miss miss, Node *e);
/// If steps are recorded, counts a trial of a rule in the trace. Returns whether its failure came
/// closer to success than those before, so that its reason is worth having.
bool run_tried(Run *r, const Strategy *s, bool applied, MissCause cause);
/// Records this reason.
void run_tried_why(Run *r, const Strategy *s, const char *why);
/// Records the failure of a primitive, for which `text` gives the reason.
void run_missed_primitive(Run *r, const Strategy *s, const char *text, Node *e);
/// Records a step in the trace, if there is one: the strategy, a rule or a primitive, has made
/// `after` of `before`. With a reason, the step is all those after step number `first`, on the term
/// `before`.
void run_note_step(Run *r, const Strategy *s, const Env *env, Node *before, Node *after,
                   const Way *way);
void run_note_reason(Run *r, const char *reason, const Strategy *s, const Env *env, int first,
                     Node *before, const Way *way);
/// Ends the run with an error at `span` or, if `span` is in another file, at the statement of the
/// schedule. Returns false.
bool run_stop(Run *r, DiagCode code, Span span, const char *text);
/// Reports why the statement of the schedule failed.
void run_report(Run *r);
/// Sets *types to the types of the variables in scope of a term, outermost first. Returns their
/// number, or -1 if not all types are known.
int run_scope_types(const Run *r, const Way *way, Node ***types);

#endif
