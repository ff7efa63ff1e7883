// Interprets expressions.
#include "driver/evaluate/evaluate.h"

typedef struct {
    const Work *work;
    const Expression *expression;
    Stage level;  // the level at which to interpret: STAGE_CORE, STAGE_DPIA or STAGE_LOOP
    Work lowered; // the work lowered to this level
    Outcome outcome;
    Value value;
    int64_t steps; // the maximum number of steps
} Interpretation;

static Outcome evaluate(Interpretation *in, const Value *args)
{
    Session *cx = in->work->cx;
    const Function *f = in->expression->function;
    if (in->level == STAGE_DPIA)
        return dpia_eval(cx, cx->arena, in->lowered.phrase, NULL, args, ALGEBRA_IEEE, in->steps,
                         &in->value);
    if (in->level == STAGE_LOOP)
        return loops_eval(cx, cx->arena, in->lowered.loop, NULL, args, ALGEBRA_IEEE, in->steps,
                          &in->value);
    return core_eval(cx, cx->arena, in->work->program, f, NULL, 0, args, ALGEBRA_IEEE, in->steps,
                     &in->value);
}

static void interpret(void *env)
{
    Interpretation *in = env;
    Session *cx = in->work->cx;
    const Function *f = in->expression->function;
    Value *args = ARENA_ARRAY(cx->arena, Value, f->params.len + 1);
    for (int i = 0; i < f->params.len; i++)
        args[i] = leaves_unpack(cx->arena, f->params.at[i].type, in->expression->leaves[i], -1);
    cx->pass = "evaluate";
    cx->subject = f->span;
    in->outcome = evaluate(in, args);
}

static void drop_line(void *env, const char *line, size_t len)
{
    (void)env, (void)line, (void)len;
}

static bool is_short(const Expression *x, int64_t most)
{
    int64_t elements = 0;
    for (int i = 0; i < x->function->params.len; i++)
        for (int k = 0; k < type_leaves(x->function->params.at[i].type); k++) {
            int64_t more = result_parts(&x->leaves[i][k], INT64_MAX);
            if (more > most - elements) return false;
            elements += more;
        }
    return true;
}

bool interpret_failure(Session *cx, const Work *w, const Expression *x, Outcome *o)
{
    enum { STEPS = 1 << 20, MOST_ELEMENTS = 1 << 20 };
    if (o->code != E0604 || !is_short(x, MOST_ELEMENTS)) return false;
    Interpretation in = {.work = w, .expression = x, .level = STAGE_CORE, .steps = STEPS};
    cx->print = drop_line;
    bool whole = driver_attempt(cx, interpret, &in);
    cx->print = NULL;
    const Outcome *found = &in.outcome;
    if (!whole || found->ok || found->code != o->code || found->span.file != o->span.file ||
        found->span.lo != o->span.lo)
        return false;
    *o = in.outcome;
    return true;
}

// Stores the value in r->leaves.
static bool keep_value(Driver *d, const Expression *x, const Value *v, Evaluation *r)
{
    Node *type = x->function->result;
    r->nleaves = type_leaves(type);
    r->leaves = ARENA_ARRAY(d->arena, AdzeArray, r->nleaves + 1);
    if (!type_alloc_leaves(d->cx, type, r->leaves)) return false;
    leaves_pack(v, type, r->leaves);
    return true;
}

bool evaluate_interpreted(Driver *d, const Work *w, const Expression *x, Evaluation *r)
{
    Session *cx = d->cx;
    const Function *f = x->function;
    for (int i = 0; i < f->params.len; i++)
        for (int k = 0; k < type_leaves(f->params.at[i].type); k++)
            if (!result_has_value(cx, &x->leaves[i][k])) return false;
    Interpretation in = {.work = w, .expression = x, .level = r->level, .steps = INTERPRETER_STEPS};
    if (in.level != STAGE_CORE) {
        in.lowered = pipeline_lower(w, f);
        if (!in.lowered.loop) return false;
    }
    Progress *progress = progress_start(true, "interpreting");
    cx->print = progress_write;
    cx->print_env = progress;
    double start = timing_now();
    bool whole = driver_attempt(cx, interpret, &in);
    double seconds = timing_now() - start;
    cx->print = NULL;
    progress_stop(progress);
    if (whole && in.outcome.ok && option_given(&d->options, OPT_TIME))
        timing_report(d, 0, r->loads.seconds, &seconds, 1, "interpreting");
    if (!whole) longjmp(*cx->boundary, 1);
    if (!in.outcome.ok) {
        outcome_report(cx, &in.outcome, NULL, NULL);
        return false;
    }
    return keep_value(d, x, &in.value, r);
}

static void keep_line(void *env, const char *line, size_t len)
{
    text_add(env, line, len);
}

Brief evaluate_briefly(Driver *d, const Work *w, const Expression *x, Evaluation *r)
{
    enum { STEPS = 1 << 18, MOST_ELEMENTS = 1 << 14 };
    if (!is_short(x, MOST_ELEMENTS)) return BRIEF_GIVEN_UP;
    Session *cx = d->cx;
    Interpretation in = {.work = w, .expression = x, .level = STAGE_CORE, .steps = STEPS};
    Text printed = text_new(cx->arena);
    cx->print = keep_line;
    cx->print_env = &printed;
    bool whole = driver_attempt(cx, interpret, &in);
    cx->print = NULL;
    if (!whole) longjmp(*cx->boundary, 1);
    if (!in.outcome.ok && (in.outcome.code == E0605 || in.outcome.code == E0608))
        return BRIEF_GIVEN_UP;
    fputs(text_get(&printed), stderr);
    if (in.outcome.ok) return keep_value(d, x, &in.value, r) ? BRIEF_DONE : BRIEF_FAILED;
    outcome_report(cx, &in.outcome, NULL, NULL);
    return BRIEF_FAILED;
}
