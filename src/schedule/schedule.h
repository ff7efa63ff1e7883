// A schedule decides how a function is computed, and does so by rewriting it with rules alone
// (RISE, ELEVATE). This stage transforms flat Core into flat Core in which patterns may have
// variants; the default memory policy chooses the remaining ones.
//
// A strategy maps a term to a term, or fails (ELEVATE, ICFP 2020, section 3). It is applied to the
// body of the function; traversals apply it to subterms. A failure undoes everything since the last
// choice.
//
// Matching (match.c) is modulo alpha and beta. If f is a parameter, and x and y are variables bound
// by the left side, f(x, y) matches any term in these variables (Miller's patterns); x may be a
// component of a variable, as in |(x, y)|. f(g(x)) matches a term in which exactly one operand
// depends on x: that operand is g(x). f(x, g(y)) matches a term with exactly one subterm that
// depends on y and on no other variable bound by the left side. That subterm, which may occur
// several times, is g(y). Any other argument, as in f(xs[i]), stands for the first subterm that
// matches it, from the outside in. A size that is a plain name is bound by matching; other sizes
// are compared under the function's conditions. A rule applies only if these conditions imply its
// side conditions, and only to terms without effects. Terms that it moves out of functions and
// branches must not fail.
#ifndef ADZE_SCHEDULE_SCHEDULE_H
#define ADZE_SCHEDULE_SCHEDULE_H

#include "core/ir/rule.h"

/// A statement of a schedule, and the files whose rules and strategies it names.
typedef struct {
    const char *text;
    VEC(uint32_t) files;
} Pasted;

/// One step: a rule or a primitive strategy, and where it was applied. `path` leads there from the
/// body, by operand numbers. If `covers` is not 0, the step is so many steps before it, for which a
/// strategy gives a reason.
typedef struct {
    const char *name;
    const char *why;  // the reason, or what the rule does, or NULL
    Pasted pasted;    // the statement of a schedule that makes this step
    Node *operations; // how many the term took, as a size
    int covers;
    bool idle; // nothing has changed: the rule is a condition
    Span span; // where a strategy uses the rule
    const char *path;
    Node *before, *after; // subterms under `scope`
    const Sym *scope;     // names of the variables in scope, outermost first
    int nscope;
} Step;

/// How often a rule was tried and applied, and the reason of the failure that came closest to
/// success, or NULL if there is none.
typedef struct {
    Sym rule;
    int64_t tried, applied;
    int cause; // the MissCause of `why`
    const char *why;
} RuleTries;

/// The steps in order, the rules in the order of their first trial, and how many rules were applied
/// and tried.
typedef struct {
    Sym function;
    VEC(Step) steps;
    VEC(RuleTries) rules;
    int64_t applied, tried;
} ScheduleTrace;
typedef VEC(ScheduleTrace) ScheduleTraces;

/// Returns why a variant in the body of `flat` is impossible in later stages, or NULL if none is.
typedef const char *Refuses(Session *cx, const Function *flat);

/// Stages and rewrites every entry of the program that has a schedule for the target. The result
/// goes to Program.scheduled, so that calls to the entry keep the schedule's decisions. If a
/// schedule fails, the entry stays unchanged and the reason goes to Program.failed, so that other
/// entries can still be used. `refuses` and `traces` may be NULL.
void schedule_program(Session *cx, Program *p, const char *target, Refuses *refuses,
                      ScheduleTraces *traces);

/// Applies the default strategy (Program.usual) to a staged entry, or to a function that it calls,
/// and returns the result. The functions that it calls stay as they are. Returns NULL if that
/// changes nothing, or if the entry has a schedule for the target. If the function is too large, or
/// the strategy fails, *why_not is set to the reason; otherwise to NULL.
Function *schedule_default(Session *cx, const Program *p, const Function *flat, const char *target,
                           FloatClass allows, Refuses *refuses, ScheduleTrace *trace,
                           const char **why_not);

/// Reports every schedule that fails for the target, and also runs those for other targets, to find
/// errors in them.
void schedule_check(Session *cx, const Program *p, const char *target, Refuses *refuses);

/// Returns the schedule of a function for a target in a program, or NULL if there is none. A
/// schedule that names the target takes precedence over one for any target.
const Schedule *schedule_find(const Program *p, Sym function, const char *target);

/// Returns a function that the entry calls at run time, not counting print steps and atomic
/// updates, or NULL if there is none. An entry with such a call cannot have a schedule.
const Function *schedule_callee(const Function *flat);

/// Runs a schedule, and returns the resulting function. `numbers` gives values to open numbers by
/// name; all other open numbers get their first choice. Returns NULL after an error: a strategy
/// failed (E0811) or did not terminate (E0812), or a number is invalid (E0813). A rule does not
/// apply if `refuses` returns a reason against the variant that it chooses. `refuses` and `trace`
/// may be NULL.
Function *schedule_run(Session *cx, const Function *flat, const Schedule *schedule,
                       const NodeBinding *numbers, int nnumbers, Refuses *refuses,
                       ScheduleTrace *trace);

// --- match.c, apply.c: one rule ------------------------------------------------------------------

/// Whether the rule pads an array that it did not pad before, so that the functions that it is
/// applied to are evaluated for elements that were not there. They must then not fail.
bool rule_adds_elements(const RewriteRule *rule);

/// Why a rule was not applied, or a primitive strategy failed (MISS_TEST). A greater cause means
/// that it came closer to success.
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
    const char *why; // the reason as text, only for MISS_TEST and causes beyond MISS_HEAD
} Miss;

/// Whether the term neither reads nor changes variables, and calls no function. Rules preserve
/// this.
bool schedule_is_pure(Node *e);

/// Rewrites `e` with the rule under the facts. `numbers` are the values of the rule's numbers. The
/// result has the type of `e`. If the rule does not apply, returns NULL and sets *miss to the
/// reason. The reason's text is allocated in `words`; if that is NULL, there is no text. `pure` is
/// true if schedule_is_pure(e) is known to hold.
Node *schedule_apply(Session *cx, const Facts *facts, const RewriteRule *rule,
                     const int64_t *numbers, Node *e, bool pure, Arena *words, Miss *miss);

// --- check_rules.c -------------------------------------------------------------------------------

/// Tests a rule on random instances: sizes that satisfy its conditions, types, values and
/// functions. Returns the number of instances, or 0 after an error: the sides differ (E0818), or no
/// small sizes satisfy the conditions (E0819). The same seed yields the same instances.
int schedule_check_rule(Session *cx, const RewriteRule *rule, uint64_t seed);

#endif
