// What the files of a running schedule share.
#ifndef ADZE_SCHEDULE_RUN_H
#define ADZE_SCHEDULE_RUN_H

#include "schedule/internal.h"

typedef struct Env Env;

/// An argument: a strategy with its surroundings, a number, numbers, a text.
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

/// The way to the term at hand: child numbers and names of the variables around it, innermost
/// first.
typedef struct Way Way;
struct Way {
    const Way *outer;
    int child;  // operand number, -1: the body of a lambda
    Node *node; // whose operand it is
};

/// The calls of strategies that led here, the latest first.
typedef struct Calls Calls;
struct Calls {
    const Calls *outer;
    const StrategyItem *item;
};

/// A term that is still needed, whatever becomes of what a strategy makes of it.
typedef struct Needed Needed;
struct Needed {
    const Needed *outer;
    Node *e;
};

/// Of the failures of a strategy that fails, the one that came nearest to a success. What failed on
/// the way to a success explains nothing: it is forgotten.
typedef struct {
    Miss miss;
    const Strategy *at; // NULL: there is none
    const char *calls;
    Span term; // where in the source is what it was applied to
} Nearest;

typedef struct {
    Session *cx;
    Arena *arena; // of the run
    const Calls *calls;
    const Function *function;
    Facts *facts;
    bool pure; // the function, and so all that rules make of it
    FloatClass allows;
    ScheduleTrace *trace;
    bool traced; // someone wants the steps
    int64_t tried, applied;
    uintptr_t limit; // of the stack
    const Needed *needed;
    uint32_t first;   // node of the run
    uint32_t collect; // the number of nodes at which those that are needed no more are freed
    Refuses *refuses; // NULL: nobody is asked
    const Strategy *statement; // of the schedule, that runs
    bool explains;             // it failed and is run once more, to find out why
    Nearest nearest;
    bool stopped; // an error was reported
} Run;

// --- run.c ---------------------------------------------------------------------------------------

/// The term that the strategy makes of e, NULL when it fails. `env`: the parameters of the strategy
/// around.
Node *run_strategy(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way);
/// The same, where e is needed again afterwards.
Node *run_needed(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way);
/// Frees terms that are needed no more, when there are many. What stays: e, what is around it, and
/// r->needed.
void run_collect(Run *r, Node *e, const Way *way);
/// Ends the run with an error at `span`, or, where that is in a library, at the statement of the
/// schedule; false.
bool run_stop(Run *r, DiagCode code, Span span, const char *text);

// --- arguments.c ---------------------------------------------------------------------------------

/// What an argument is worth; 0 and a stopped run where it is nothing.
int64_t run_number(Run *r, const Strategy *s, const Env *env);
const char *run_text(const Strategy *s, const Env *env);
Argument run_argument(Run *r, ArgKind kind, const Strategy *s, const Env *env);

// --- primitives.c --------------------------------------------------------------------------------

Node *run_primitive(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way);

// --- report.c ------------------------------------------------------------------------------------

/// Whether a strategy that failed came nearer than those before, and somebody wants to know.
bool run_is_nearer(const Run *r, MissCause cause);
/// Remembers it.
void run_missed(Run *r, const Strategy *s, Miss miss, Node *e);
/// The same for a primitive, with the reason in words.
void run_missed_primitive(Run *r, const Strategy *s, const char *text, Node *e);
/// A step for the trace.
void run_note_step(Run *r, const Strategy *s, Node *before, Node *after, const Way *way);
/// Says why the statement of the schedule failed.
void run_report(Run *r);
/// The types of the variables around a term, outermost first, in *types; how many. -1: not all are
/// known.
int run_scope_types(const Run *r, const Way *way, Node ***types);

#endif
