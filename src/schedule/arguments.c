// Strategy arguments. Numbers, lists of numbers and strings are values; strategies are closures.
#include "schedule/run.h"

#include <string.h>

enum { MOST_NUMBER = 1 << 30 };

static const Argument *list_of(Run *r, const Strategy *s, const Env *env);

static int64_t operate(Run *r, const Strategy *s, int64_t a, int64_t b)
{
    const char *op = s->text;
    bool divides = op[0] == '/' || op[0] == '%';
    if (divides && b <= 0)
        return run_stop(r, E0813, s->span, "division by a number that is not positive");
    if (strcmp(op, "+") == 0) return a + b;
    if (strcmp(op, "-") == 0) return a - b;
    if (strcmp(op, "*") == 0) return a * b;
    if (strcmp(op, "/") == 0) return a / b;
    if (strcmp(op, "%") == 0) return a % b;
    if (strcmp(op, "==") == 0) return a == b;
    if (strcmp(op, "!=") == 0) return a != b;
    if (strcmp(op, "<") == 0) return a < b;
    if (strcmp(op, "<=") == 0) return a <= b;
    if (strcmp(op, ">") == 0) return a > b;
    if (strcmp(op, ">=") == 0) return a >= b;
    if (strcmp(op, "&&") == 0) return a && b;
    if (strcmp(op, "||") == 0) return a || b;
    session_ice(r->cx, __FILE__, __LINE__, "operator %s in a strategy", op);
}

static int64_t operator_value(Run *r, const Strategy *s, const Env *env)
{
    int64_t a = run_number(r, s->kids.at[0], env);
    if (s->kids.len == 1) return s->text[0] == '!' ? !a : -a;
    int64_t value = operate(r, s, a, run_number(r, s->kids.at[1], env));
    if (value > MOST_NUMBER || value < -MOST_NUMBER)
        return run_stop(r, E0813, s->span, "a number of a strategy is beyond 2^30");
    return value;
}

int64_t run_number(Run *r, const Strategy *s, const Env *env)
{
    if (r->stopped) return 0;
    switch (s->form) {
    case STRATEGY_NUMBER: return s->number;
    case STRATEGY_PARAM: return env->args[s->number].number;
    case STRATEGY_OPERATOR: return operator_value(r, s, env);
    case STRATEGY_LENGTH: return list_of(r, s->kids.at[0], env)->list.len;
    case STRATEGY_ITEM: {
        const Argument *list = list_of(r, s->kids.at[0], env);
        int64_t k = run_number(r, s->kids.at[1], env);
        if (k >= 0 && k < list->list.len) return list->list.at[k];
        return run_stop(r, E0813, s->span,
                        arena_printf(r->arena, "a list of %d items has no item %lld",
                                     list->list.len, (long long)k));
    }
    default: session_ice(r->cx, __FILE__, __LINE__, "form %d as a number", s->form);
    }
}

static const Argument *list_of(Run *r, const Strategy *s, const Env *env)
{
    if (s->form == STRATEGY_PARAM) return &env->args[s->number];
    Argument *a = ARENA_NEW(r->arena, Argument);
    a->kind = ARG_LIST;
    if (s->form == STRATEGY_LIST) {
        for (int i = 0; i < s->kids.len; i++)
            vec_push(r->arena, &a->list, run_number(r, s->kids.at[i], env));
        return a;
    }
    CHECK(r->cx, s->form == STRATEGY_REST, "form %d as a list", s->form);
    const Argument *of = list_of(r, s->kids.at[0], env);
    int64_t k = run_number(r, s->kids.at[1], env);
    if (k < 0 || k > of->list.len) run_stop(r, E0813, s->span, "the list is shorter than that");
    for (int64_t i = k; i >= 0 && i < of->list.len; i++)
        vec_push(r->arena, &a->list, of->list.at[i]);
    return a;
}

Argument run_argument(Run *r, ArgKind kind, const Strategy *s, const Env *env)
{
    Argument a = {.kind = kind, .strategy = s, .env = env};
    switch (kind) {
    case ARG_STRATEGY:
        if (s->form == STRATEGY_PARAM) return env->args[s->number];
        return a;
    case ARG_NUMBER: a.number = run_number(r, s, env); return a;
    case ARG_LIST: return *list_of(r, s, env);
    case ARG_TEXT:
        a.text = s->form == STRATEGY_PARAM ? env->args[s->number].text : s->text;
        return a;
    }
    return a;
}

const char *run_text(const Strategy *s, const Env *env)
{
    return s->form == STRATEGY_PARAM ? env->args[s->number].text : s->text;
}
