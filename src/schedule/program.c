// Runs a program's schedules for a target.
#include "schedule/internal.h"

#include <string.h>

#include "staging/values/staging.h"

const Schedule *schedule_find(const Program *p, Sym function, const char *target)
{
    const Schedule *any = NULL;
    for (int i = 0; i < p->schedules.len; i++) {
        const Schedule *s = p->schedules.at[i];
        if (s->function != function) continue;
        if (s->target && strcmp(s->target->text, target) == 0) return s;
        if (!s->target) any = s;
    }
    return any;
}

const Function *schedule_callee(const Function *flat)
{
    for (int i = 0; i < flat->callees.len; i++) {
        Sym name = flat->callees.at[i]->name;
        if (core_print_step_of(name) == PRINT_COUNT && core_atomic_of(name) == ATOMIC_COUNT)
            return flat->callees.at[i];
    }
    return NULL;
}

static Function *scheduled(Session *cx, const Program *p, const Function *f, const Schedule *s,
                           Refuses *refuses, ScheduleTrace *trace)
{
    int before = cx->errors;
    Function *flat = staging_for_schedule(cx, p, f, KEEP_IN_ENTRY);
    if (!flat || cx->errors > before) return NULL;
    const Function *callee = schedule_callee(flat);
    if (!callee) return schedule_run(cx, flat, s, NULL, 0, refuses, trace);
    Diag *d = diag_error(cx, E0816, s->span,
                         "`%s` cannot have a schedule: its call of `%s` is not inlined",
                         f->name->text, callee->name->text);
    if (callee->params.len > 0 && core_own_size(cx, callee, 0))
        diag_help(cx, d,
                  "what follows a size that the program computes, such as that of a filter, is a "
                  "function of its own; write the schedule for an entry without it");
    return NULL;
}

// Runs the schedules for `other`, each on the original entry, except schedules that have already
// run for `target`.
static void check_other(Session *cx, const Program *p, const char *target, const char *other,
                        Refuses *refuses)
{
    Program q = *p;
    q.scheduled = map_new(cx->arena);
    q.failed = map_new(cx->arena);
    for (int i = 0; i < p->functions.len; i++) {
        const Function *f = p->functions.at[i];
        const Schedule *s = f->entry ? schedule_find(p, f->name, other) : NULL;
        if (!s) continue;
        bool known = s == schedule_find(p, f->name, target);
        Function *done = known ? map_get(&p->scheduled, MAP_KEY(f->name))
                               : scheduled(cx, &q, f, s, refuses, NULL);
        if (done) map_put(&q.scheduled, MAP_KEY(f->name), done);
    }
}

void schedule_check(Session *cx, const Program *p, const char *target, Refuses *refuses)
{
    for (int i = 0; i < p->functions.len; i++) program_report(cx, p, p->functions.at[i]);
    VEC(Sym) seen = {0}; // NULL in it stands for no target
    for (int i = 0; i < p->schedules.len; i++) {
        Sym other = p->schedules.at[i]->target;
        bool again = other && strcmp(other->text, target) == 0;
        for (int k = 0; k < seen.len; k++) again |= seen.at[k] == other;
        if (again) continue;
        vec_push(cx->arena, &seen, other);
        check_other(cx, p, target, other ? other->text : "", refuses);
    }
}

// Keeps the errors of a schedule until the entry is compiled; warnings are reported at once.
static void keep_failure(Session *cx, Program *p, const Function *f, DiagMark since)
{
    if (cx->errors == since.errors) return;
    Diags *why = ARENA_NEW(cx->arena, Diags);
    *why = diag_withdraw(cx, since);
    map_put(&p->failed, MAP_KEY(f->name), why);
}

void schedule_program(Session *cx, Program *p, const char *target, Refuses *refuses,
                      ScheduleTraces *traces)
{
    // In source order, so an entry called by another is scheduled first if it is declared first.
    for (int i = 0; i < p->functions.len; i++) {
        const Function *f = p->functions.at[i];
        const Schedule *s = f->entry ? schedule_find(p, f->name, target) : NULL;
        if (!s) continue;
        ScheduleTrace trace = {.function = f->name};
        DiagMark before = diag_mark(cx);
        Function *done = scheduled(cx, p, f, s, refuses, traces ? &trace : NULL);
        if (traces) vec_push(cx->arena, traces, trace);
        keep_failure(cx, p, f, before);
        if (!done) continue;
        map_put(&p->scheduled, MAP_KEY(done->name), done);
        for (int k = 0; k < done->by_schedule->len; k++)
            map_put(&p->by_schedule, done->by_schedule->entries[k].key, p);
    }
}

// --- the default schedule -----------------------------------------------------------------------

// Subtracts the number of nodes in the tree from *left, which ends at 0. Strategies visit terms as
// trees.
static void count_down(Node *e, int *left)
{
    if (*left == 0) return;
    --*left;
    for (uint32_t i = 0; i < e->nops; i++)
        if (e->op[i]->type) count_down(e->op[i], left);
}

Function *schedule_default(Session *cx, const Program *p, const Function *flat, const char *target,
                           FloatClass allows, Refuses *refuses, ScheduleTrace *trace,
                           const char **why_not)
{
    enum { MOST_NODES = 20000 };
    int left = MOST_NODES;
    *why_not = NULL;
    if (schedule_find(p, flat->name, target)) return NULL;
    count_down(flat->body, &left);
    if (left == 0) *why_not = "the function is too large";
    if (left == 0) return NULL;
    Function alone = *flat;
    memset(&alone.callees, 0, sizeof alone.callees);
    Strategy call = {.form = STRATEGY_CALL, .span = flat->span, .item = p->usual};
    Schedule s = {.function = flat->name,
                  .span = flat->span,
                  .allows = allows,
                  .is_default = true,
                  .body = &call};
    DiagMark before = diag_mark(cx);
    Function *done = schedule_run(cx, &alone, &s, NULL, 0, refuses, trace);
    if (cx->errors > before.errors) {
        Diags said = diag_withdraw(cx, before);
        *why_not = said.at[0]->text;
    }
    if (!done || done->body == flat->body) return NULL;
    done->callees = flat->callees;
    apply_add_updates(cx, done);
    return done;
}
