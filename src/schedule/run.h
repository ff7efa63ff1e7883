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

/// The way to the term at hand: child numbers and names of the variables around it, innermost first.
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
    // The failure that came nearest to a success since the last one.
    struct {
        Miss miss;
        const Strategy *at;
        const Way *way; // copied into `arena`
        const char *calls;
        Node *term;
    } nearest;
    bool stopped; // an error was reported
} Run;

// --- run.c ---------------------------------------------------------------------------------------

/// The term that the strategy makes of e, NULL when it fails. `env`: the parameters of the strategy around.
Node *run_strategy(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way);
/// The same, where e is needed again afterwards.
Node *run_needed(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way);
/// Frees terms that are needed no more, when there are many. What stays: e, what is around it, and r->needed.
void run_collect(Run *r, Node *e, const Way *way);
/// Ends the run with an error; false.
bool run_stop(Run *r, DiagCode code, Span span, const char *text);

// --- arguments.c -----------------------------------------------------------------------------------

/// What an argument is worth; 0 and a stopped run where it is nothing.
int64_t run_number(Run *r, const Strategy *s, const Env *env);
const char *run_text(const Strategy *s, const Env *env);
Argument run_argument(Run *r, ArgKind kind, const Strategy *s, const Env *env);

// --- primitives.c ----------------------------------------------------------------------------------

Node *run_primitive(Run *r, const Strategy *s, const Env *env, Node *e, const Way *way);

// --- report.c --------------------------------------------------------------------------------------

/// Whether a rule that did not apply came nearer than those before.
bool run_is_nearer(const Run *r, Miss miss);
/// Remembers it.
void run_missed(Run *r, const Strategy *s, Miss miss, Node *e, const Way *way);
/// A step for the trace.
void run_note_step(Run *r, const Strategy *s, Node *before, Node *after, const Way *way);
/// Says why a statement of the schedule failed.
void run_report(Run *r, const Strategy *statement);

#endif
