// Schedules: how a function is done, by rewriting it with rules alone (RISE, ELEVATE). The stage
// takes flat Core to flat Core, in which patterns may have variants; what it leaves open the
// default policy of memory_policy/ decides.
//
// A strategy takes a term and gives a term or fails (ELEVATE, ICFP 2020, section 3). It is applied
// to the body of the function; traversals take it further in. A failure undoes what was done since
// the choice before it.
//
// Matching (match.c) is modulo the names of bound variables and beta: f(x, y) on the left, for a
// parameter f and variables that the left side binds, stands for any term in these variables
// (Miller's patterns); x may be a component of one, as in |(x, y)|. f(g(x)) stands for a term of
// which one operand alone depends on x: that is g(x). f(x, g(y)) stands for a term in which all that
// is done with y, and no other variable bound on the left, is one term, though it may stand there
// often: that is g(y). Another argument, as in f(xs[i]), is the first part, from the outside
// in, that matches it. Sizes are solved for plain names, else compared under what the function
// states. A rule is applied only where its side conditions follow from that, and to terms without
// effects; what it moves out of functions and branches cannot fail.
#ifndef ADZE_SCHEDULE_SCHEDULE_H
#define ADZE_SCHEDULE_SCHEDULE_H

#include "core/ir/rule.h"

/// One step: what a rule did where. `path` tells the way from the body: operand numbers.
typedef struct {
    const RewriteRule *rule;
    Span span; // of the rule's use in a strategy
    const char *path;
    Node *before, *after; // subterms under `scope`
    const Sym *scope;     // names of the variables around, outermost first
    int nscope;
} Step;

/// What was done, in order, and how much was tried.
typedef struct {
    Sym function;
    VEC(Step) steps;
    int64_t applied, tried;
} ScheduleTrace;
typedef VEC(ScheduleTrace) ScheduleTraces;

/// Why no later stage can do the body of a function as its variant says, in words; NULL where one
/// can.
typedef const char *Refuses(Session *cx, const Function *flat);

/// Every entry of the program that has a schedule for the target, or of which there is a usual one
/// (Program.usual), is staged and rewritten (Program.scheduled), so that it keeps what was decided
/// where others call it. A schedule that fails leaves the entry as it is, and why it fails in
/// Program.failed, so that other entries can be used. `refuses`, `traces` may be NULL.
void schedule_program(Session *cx, Program *p, const char *target, Refuses *refuses,
                      ScheduleTraces *traces);

/// Reports every schedule that fails for the target, and runs those for other targets as well, for
/// the errors in them.
void schedule_check(Session *cx, const Program *p, const char *target, Refuses *refuses);

/// The schedule of a function for a target among those of a program: one that names the target
/// before one for any; NULL when there is none.
const Schedule *schedule_find(const Program *p, Sym function, const char *target);

/// A function that is called when the program runs, but for those that print: it keeps a schedule
/// from the entry. NULL: there is none.
const Function *schedule_callee(const Function *flat);

/// The function as its schedule leaves it. `numbers`: values for open numbers, by name, over the
/// first choices (may be empty). NULL after an error: a strategy failed (E0811), went on without
/// end (E0812), or a number is not what it should be (E0813). A rule does not apply where `refuses`
/// has a reason against the variant that it gives a term. `refuses`, `trace` may be NULL.
Function *schedule_run(Session *cx, const Function *flat, const Schedule *schedule,
                       const NodeBinding *numbers, int nnumbers, Refuses *refuses,
                       ScheduleTrace *trace);

// --- match.c, apply.c: one rule ------------------------------------------------------------------

/// Why a rule was not applied, or a primitive strategy failed (MISS_TEST). The greater the cause
/// the nearer it came.
typedef enum {
    MISS_NONE,
    MISS_TEST,
    MISS_HEAD,
    MISS_SHAPE,
    MISS_TYPE,
    MISS_EFFECT,
    MISS_CONDITION
} MissCause;
typedef struct {
    MissCause cause;
    const char *why; // in words, made only for the causes beyond MISS_HEAD
} Miss;

/// Whether nothing in the term reads or changes variables, or calls a function. What rules make of
/// such a term is such a term.
bool schedule_is_pure(Node *e);

/// `e` rewritten by the rule, given its numbers, under facts; NULL with *miss, whose words are in
/// `words` (NULL: none are made). `pure`: schedule_is_pure(e) is known to hold. The result has the
/// type of `e`.
Node *schedule_apply(Session *cx, const Facts *facts, const RewriteRule *rule,
                     const int64_t *numbers, Node *e, bool pure, Arena *words, Miss *miss);

// --- check_rules.c -------------------------------------------------------------------------------

/// Tries a rule out on random instances: sizes that fulfil its conditions, types, values,
/// functions. How many there were; 0 after an error: the sides differ (E0818), or nothing small
/// fulfils the conditions (E0819). The same seed gives the same instances.
int schedule_check_rule(Session *cx, const RewriteRule *rule, uint64_t seed);

#endif
