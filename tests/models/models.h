// What the tests of the small languages share: programs from text, and values.
#ifndef TESTS_MODELS_MODELS_H
#define TESTS_MODELS_MODELS_H

#include "models/imp.h"
#include "models/lanes.h"
#include "models/polyvecimp.h"
#include "models/print.h"
#include "models/random_imp.h"
#include "models/read.h"
#include "models/vecimp_masks.h"
#include "models/vecimp_steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/// The program; the test fails when it is none.
static inline ImpProgram *read_model(Session *cx, const char *text)
{
    const char *wrong;
    ImpProgram *p = imp_read(cx, text, &wrong);
    if (!p) fail_msg("no program from here on: %s", wrong);
    return p;
}

/// `n` lanes of an int, or, with n = 1, a number.
static inline ImpValue int_lanes(int n, const int *lanes)
{
    ImpValue v = {.type = {BASE_INT, n}};
    for (int k = 0; k < n; k++) v.lane[k] = lanes[k];
    return v;
}

static inline void assert_value(const ImpValue *v, int n, const int *lanes)
{
    assert_int_equal(v->type.base, BASE_INT);
    assert_int_equal(v->type.length, n);
    for (int k = 0; k < n; k++)
        if (v->lane[k] != lanes[k]) fail_msg("lane %d is %g, not %d", k, v->lane[k], lanes[k]);
}

typedef enum { STEPS_END, STEPS_GO_ON, STEPS_STUCK, STEPS_OTHER_TYPE } StepsEnd;

/// Calls main in steps; `checked`: after each the type is looked at, `why` it is none.
static inline StepsEnd run_steps(Session *cx, const ImpProgram *p, bool guarded, bool checked,
                                 int n, const ImpValue *args, int steps, ImpValue *result,
                                 const char **why)
{
    VecMachine m = {cx, p, state_empty(cx), guarded};
    const ImpExpr **operands = ARENA_ARRAY(cx->arena, const ImpExpr *, n + 1);
    for (int i = 0; i < n; i++) operands[i] = imp_value(cx, &args[i]);
    const ImpExpr *e = imp_expr(
        cx,
        (ImpExpr){.kind = EXPR_CALL, .name = session_sym(cx, "main"), .n = n, .args = operands});
    ImpValue all = value_truth(1, true);
    ImpType first = {BASE_NOTHING, 1};
    *why = NULL;
    if (checked) first = vec_type_now(cx, p, m.state, e, why);
    if (*why) return STEPS_OTHER_TYPE;
    for (int i = 0; i < steps; i++) {
        VecStep step = vec_step_expr(&m, &all, &e);
        if (step == STEP_STUCK) return STEPS_STUCK;
        if (step == STEP_DONE) {
            *result = *e->value;
            return STEPS_END;
        }
        if (!checked) continue;
        ImpType now = vec_type_now(cx, p, m.state, e, why);
        if (!*why && (now.base != first.base || now.length != first.length)) *why = "another type";
        if (*why) return STEPS_OTHER_TYPE;
    }
    return STEPS_GO_ON;
}

#endif
