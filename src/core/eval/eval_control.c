// Labels, jumps and loops. A jump is a call to a continuation. It makes evaluation fail up to the
// label ev->target, which takes the value and continues.
#include "core/eval/eval.h"

bool eval_leave(Eval *ev, Activation *label, const Value *v, Span span)
{
    if (label->left)
        return eval_fail(ev, E0609, span,
                         "this continuation is called after the code that it leaves has ended");
    label->value = (Value){0};
    if (v) label->value = value_copy(label->arena, v);
    if (!label->data) scratch_keep_all(ev);
    ev->target = label;
    return false;
}

bool eval_label(Eval *ev, Node *e, Scope s, Value *out)
{
    Activation *label = ARENA_NEW(ev->arena, Activation);
    *label = (Activation){.arena = ev->arena, .data = type_is_data(e->type)};
    struct Bound *b = ARENA_NEW(ev->arena, struct Bound);
    *b = (struct Bound){eval_closure(ev, (Closure){.label = label}), s.vars};
    bool ok = eval_term(ev, e->op[0], (Scope){s.in, b}, out);
    label->left = true;
    if (ok || ev->target != label) return ok;
    ev->target = NULL;
    *out = label->value;
    return true;
}

bool eval_forever(Eval *ev, Node *e, Scope s)
{
    Scratch scratch = {0};
    bool ok = true;
    while (ok) {
        Value unit;
        scratch_enter(ev, &scratch);
        ok = eval_term(ev, e->op[0], s, &unit);
        scratch_leave(ev, &scratch, NULL);
    }
    scratch_end(ev, &scratch);
    return false;
}

// The trip count of a range.
static uint64_t count_between(Scalar type, uint64_t from, uint64_t to)
{
    bool is_signed = scalar_info[type].class == CLASS_INT;
    bool any = is_signed ? (int64_t)from < (int64_t)to : from < to;
    return any ? to - from : 0;
}

static bool run_iteration(Eval *ev, Node *e, const Value *body, uint64_t number, Scratch *scratch)
{
    Value unit, index = value_atom(number);
    scratch_enter(ev, scratch);
    bool ok = eval_apply(ev, closure_of(body), &index, 1, e->origin, &unit);
    scratch_leave(ev, scratch, NULL);
    return ok;
}

// Runs the iterations in a random order, to detect races.
static bool run_shuffled(Eval *ev, Node *e, const Value *body, uint64_t from, uint64_t n)
{
    Scratch scratch = {0};
    bool ok = eval_charge(ev, n > INT64_MAX ? INT64_MAX : (int64_t)n, e->origin);
    uint64_t *order = ok ? races_order(ev->races, n) : NULL, run = races_run(ev->races);
    for (uint64_t i = 0; ok && i < n; i++) {
        races_enter(ev->races, run, order[i]);
        ok = run_iteration(ev, e, body, from + order[i], &scratch);
        races_leave(ev->races);
    }
    scratch_end(ev, &scratch);
    return ok;
}

// Runs a loop whose operands from, to and body start at index k. Iterations run in order, even
// those of parallel and vectorize, unless race detection is on.
static bool run_loop(Eval *ev, Node *e, int k, Scope s)
{
    Value from, to, body;
    if (!eval_term(ev, e->op[k], s, &from) || !eval_term(ev, e->op[k + 1], s, &to) ||
        !eval_term(ev, e->op[k + 2], s, &body))
        return false;
    uint64_t n = count_between(scope_scalar(ev, s, e->op[k]->type), from.bits, to.bits);
    if (ev->races && e->kind != CORE_RANGE) return run_shuffled(ev, e, &body, from.bits, n);
    Scratch scratch = {0};
    bool ok = true;
    for (uint64_t i = 0; i < n && ok; i++)
        ok = run_iteration(ev, e, &body, from.bits + i, &scratch);
    scratch_end(ev, &scratch);
    return ok;
}

bool eval_loop(Eval *ev, Node *e, Scope s, Value *out)
{
    int k = 0;
    if (e->kind != CORE_RANGE) { // the number of threads or lanes, which does not affect values
        Value many;
        if (!eval_term(ev, e->op[k++], s, &many)) return false;
    }
    *out = (Value){0};
    return run_loop(ev, e, k, s);
}

// --- tasks --------------------------------------------------------------------------------------

// Runs the body of a task immediately.
bool eval_spawn(Eval *ev, Node *e, Scope s, Value *out)
{
    Value body, unit;
    if (!eval_term(ev, e->op[0], s, &body)) return false;
    if (!eval_apply(ev, closure_of(&body), NULL, 0, e->origin, &unit)) return false;
    *out = value_atom((uint64_t)ev->tasks);
    if (ev->tasks < INT32_MAX) ev->tasks++;
    return true;
}

bool eval_prefetch(Eval *ev, Node *e, Scope s, Value *out)
{
    Value array, index;
    *out = (Value){0};
    return eval_term(ev, e->op[0], s, &array) && eval_term(ev, e->op[1], s, &index);
}

bool eval_sync(Eval *ev, Node *e, Scope s, Value *out)
{
    Value id;
    if (!eval_term(ev, e->op[0], s, &id)) return false;
    *out = (Value){0};
    if (id.bits < (uint64_t)ev->tasks) return true;
    return eval_fail(ev, E0610, e->origin, "no task has the number %lld", (long long)id.bits);
}
