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

// Creates the default schedule for an entry without a schedule: a call of the strategy
// Program.usual.
static const Schedule *usual_schedule(Session *cx, const Program *p, const Function *f)
{
    Strategy *call = ARENA_NEW(cx->arena, Strategy);
    Schedule *s = ARENA_NEW(cx->arena, Schedule);
    *call = (Strategy){.form = STRATEGY_CALL, .span = f->span, .item = p->usual};
    *s = (Schedule){
        .function = f->name, .span = f->span, .allows = (FloatClass)p->usual_allows, .body = call};
    return s;
}

// Whether the entry's file has the attribute #![explicit_loops] or #![explicit_memory].
static bool is_explicit(const Session *cx, const Function *f)
{
    uint32_t file = f->span.file;
    const bool *says = file ? cx->sources.at[file - 1]->says : NULL;
    return says && (says[EXPLICIT_LOOPS] || says[EXPLICIT_MEMORY]);
}

const Function *schedule_callee(const Function *flat)
{
    for (int i = 0; i < flat->callees.len; i++)
        if (core_print_step_of(flat->callees.at[i]->name) == PRINT_COUNT)
            return flat->callees.at[i];
    return NULL;
}

static Function *scheduled(Session *cx, const Program *p, const Function *f, const Schedule *s,
                           Refuses *refuses, ScheduleTrace *trace)
{
    int before = cx->errors;
    Function *flat = staging_run(cx, p, f);
    if (!flat || cx->errors > before) return NULL;
    bool usual = s->body->form == STRATEGY_CALL && s->body->item == p->usual;
    const Function *callee = schedule_callee(flat);
    if (!callee) return schedule_run(cx, flat, s, NULL, 0, refuses, trace);
    if (usual) return NULL;
    diag_error(cx, E0816, s->span, "`%s` cannot have a schedule: its call of `%s` is not inlined",
               f->name->text, callee->name->text);
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
    // In source order, so an entry called by another is scheduled first if it is declared first. An
    // entry that gets the default schedule is part of its callers as it is written, so that theirs
    // applies to all of them.
    VEC(Function *) usual = {0};
    for (int i = 0; i < p->functions.len; i++) {
        const Function *f = p->functions.at[i];
        const Schedule *s = f->entry ? schedule_find(p, f->name, target) : NULL;
        if (!s && f->entry && p->usual && !is_explicit(cx, f)) s = usual_schedule(cx, p, f);
        if (!s) continue;
        ScheduleTrace trace = {.function = f->name};
        DiagMark before = diag_mark(cx);
        Function *done = scheduled(cx, p, f, s, refuses, traces ? &trace : NULL);
        if (traces) vec_push(cx->arena, traces, trace);
        keep_failure(cx, p, f, before);
        if (!done) continue;
        if (!schedule_find(p, f->name, target))
            vec_push(cx->arena, &usual, done);
        else
            map_put(&p->scheduled, MAP_KEY(done->name), done);
        for (int k = 0; k < done->by_schedule->len; k++)
            map_put(&p->by_schedule, done->by_schedule->entries[k].key, p);
    }
    for (int i = 0; i < usual.len; i++)
        map_put(&p->scheduled, MAP_KEY(usual.at[i]->name), usual.at[i]);
}
