// The meaning of VecImp in steps, each of which replaces one thing by what it becomes (figures 4.3 and 4.7 of the thesis): what progress
// and preservation are said of. A statement knows its mask, the lanes that come to it.
//
// Two corrections. The thesis does a branch, and unrolls a loop, also where no lane is, so that no loop ever ends: here a branch without
// lanes is left out, as in its fig. 5.3 (`guarded`). And what a store to one variable of all lanes does is defined: see value_blend.
#ifndef TESTS_MODELS_VECIMP_STEPS_H
#define TESTS_MODELS_VECIMP_STEPS_H

#include "models/vecimp.h"

typedef struct {
    Session *cx;
    const ImpProgram *program;
    const ImpState *state; // of the innermost call
    bool guarded;
} VecMachine;

typedef enum { STEP_DONE, STEP_TAKEN, STEP_STUCK } VecStep;

static inline VecStep vec_step_list(VecMachine *m, const ImpValue *mask, const ImpStmt **s);

// --- expressions --------------------------------------------------------------------------------

static inline VecStep vec_step_value(VecMachine *m, const ImpExpr **e, const ImpValue *value)
{
    *e = imp_value(m->cx, value);
    return STEP_TAKEN;
}

static inline VecStep vec_step_op(VecMachine *m, const ImpExpr **e)
{
    const ImpValue *a = (*e)->args[0]->value, *b = (*e)->args[(*e)->n - 1]->value;
    int length = length_join(value_length(a), value_length(b));
    ImpBase base = op_base((*e)->op, a->type.base, b->type.base);
    if (base == BASE_NOTHING || length == NO_LENGTH) return STEP_STUCK;
    ImpValue out = {.type = {base, length}};
    for (int k = 0; k < length; k++)
        out.lane[k] = op_number((*e)->op, a->type.base, value_lane(a, k), value_lane(b, k));
    return vec_step_value(m, e, &out);
}

static inline VecStep vec_step_vector(VecMachine *m, const ImpExpr **e)
{
    ImpValue out = {.type = {(*e)->args[0]->value->type.base, (*e)->n}};
    for (int k = 0; k < (*e)->n; k++) {
        const ImpValue *one = (*e)->args[k]->value;
        if (value_length(one) != 1 || one->type.base != out.type.base) return STEP_STUCK;
        out.lane[k] = one->lane[0];
    }
    return vec_step_value(m, e, &out);
}

// EE-Call: a state of its own, with the parameters alone.
static inline VecStep vec_step_call(VecMachine *m, int mode, const ImpExpr **e)
{
    const ImpFn *f = imp_function(m->program, (*e)->name);
    const ImpState *own = state_empty(m->cx);
    if (!f || f->params.len != (*e)->n || !length_assignable(mode, f->mode, mode))
        return STEP_STUCK;
    for (int i = 0; i < (*e)->n; i++) {
        const ImpValue *from = (*e)->args[i]->value;
        ImpType to = f->params.at[i].type;
        if (from->type.base != to.base || !length_assignable(mode, to.length, value_length(from)))
            return STEP_STUCK;
        ImpValue value = value_broadcast(from, to.length);
        own = state_with(m->cx, own, f->params.at[i].name, &value);
    }
    ImpExpr frame = {.kind = EXPR_FRAME, .body = f->body, .mode = f->mode, .saved = m->state};
    *e = imp_expr(m->cx, frame);
    m->state = own;
    return STEP_TAKEN;
}

// EE-Stmt: the state of the caller is back when the value is there.
static inline VecStep vec_step_frame(VecMachine *m, const ImpValue *mask, const ImpExpr **e)
{
    ImpExpr frame = **e;
    if (frame.body->kind == STMT_RETURN && frame.body->e->kind == EXPR_VALUE) {
        const ImpValue *value = frame.body->e->value;
        int length = length_join(frame.mode, value_length(value));
        if (length == NO_LENGTH) return STEP_STUCK;
        ImpValue result = value_broadcast(value, length);
        m->state = frame.saved;
        return vec_step_value(m, e, &result);
    }
    ImpValue own = value_broadcast(mask, frame.mode);
    if (vec_step_list(m, &own, &frame.body) != STEP_TAKEN) return STEP_STUCK;
    *e = imp_expr(m->cx, frame);
    return STEP_TAKEN;
}

static inline VecStep vec_step_expr(VecMachine *m, const ImpValue *mask, const ImpExpr **e)
{
    if ((*e)->kind == EXPR_VALUE) return STEP_DONE;
    if ((*e)->kind == EXPR_FRAME) return vec_step_frame(m, mask, e);
    for (int i = 0; i < (*e)->n; i++) { // from left to right
        const ImpExpr *arg = (*e)->args[i];
        VecStep step = vec_step_expr(m, mask, &arg);
        if (step == STEP_DONE) continue;
        *e = imp_with_arg(m->cx, *e, i, arg);
        return step;
    }
    if ((*e)->kind == EXPR_OP) return vec_step_op(m, e);
    if ((*e)->kind == EXPR_VECTOR) return vec_step_vector(m, e);
    if ((*e)->kind == EXPR_CALL) return vec_step_call(m, value_length(mask), e);
    const ImpValue *x = state_get(m->state, (*e)->name);
    return x ? vec_step_value(m, e, x) : STEP_STUCK;
}

// --- statements ---------------------------------------------------------------------------------

// ES-Assign
static inline VecStep vec_step_assign(VecMachine *m, const ImpValue *mask, const ImpStmt **s)
{
    const ImpValue *x = state_get(m->state, (*s)->name), *value = (*s)->e->value;
    if (!x || x->type.base != value->type.base ||
        !length_assignable(value_length(mask), value_length(x), value_length(value)))
        return STEP_STUCK;
    ImpValue blended = value_blend(mask, value, x);
    m->state = state_with(m->cx, m->state, (*s)->name, &blended);
    *s = (*s)->rest;
    return STEP_TAKEN;
}

// One side: steps, or is left out where no lane is. DONE: nothing is left of it.
static inline VecStep vec_step_side(VecMachine *m, const ImpValue *mask, bool negated, ImpStmt *s)
{
    const ImpStmt **side = negated ? &s->other : &s->then;
    ImpValue inner = mask_and(mask, s->e->value, negated);
    if ((*side)->kind == STMT_SKIP) return STEP_DONE;
    if (m->guarded && !value_any(&inner)) {
        *side = imp_skip(m->cx);
        return STEP_TAKEN;
    }
    VecStep step = vec_step_list(m, &inner, side);
    return step == STEP_DONE ? STEP_STUCK : step; // a return
}

// ES-IfT, ES-IfF, ES-If
static inline VecStep vec_step_if(VecMachine *m, const ImpValue *mask, const ImpStmt **s)
{
    const ImpValue *c = (*s)->e->value;
    if (c->type.base != BASE_BOOL || length_join(value_length(mask), value_length(c)) == NO_LENGTH)
        return STEP_STUCK;
    ImpStmt with = **s;
    VecStep step = vec_step_side(m, mask, false, &with);
    if (step == STEP_DONE) step = vec_step_side(m, mask, true, &with);
    if (step == STEP_STUCK) return step;
    *s = step == STEP_DONE ? with.rest : imp_stmt(m->cx, with);
    return STEP_TAKEN;
}

// ES-While: if c { body, and the loop again }
static inline const ImpStmt *vec_unrolled(Session *cx, const ImpStmt *s)
{
    ImpStmt again = *s, once = {.kind = STMT_IF, .e = s->e, .rest = s->rest};
    again.rest = imp_skip(cx);
    once.then = imp_then(cx, s->then, imp_then(cx, s->all, imp_stmt(cx, again)));
    once.other = imp_skip(cx);
    return imp_stmt(cx, once);
}

static inline VecStep vec_step_list(VecMachine *m, const ImpValue *mask, const ImpStmt **s)
{
    if ((*s)->kind == STMT_SKIP) return STEP_DONE;
    if ((*s)->kind == STMT_WHILE) {
        *s = vec_unrolled(m->cx, *s);
        return STEP_TAKEN;
    }
    if ((*s)->kind == STMT_DECL) {
        ImpValue zero = {.type = (*s)->type};
        m->state = state_with(m->cx, m->state, (*s)->name, &zero);
        *s = (*s)->rest;
        return STEP_TAKEN;
    }
    if (!(*s)->e) return STEP_STUCK;
    ImpStmt with = **s;
    VecStep step = vec_step_expr(m, mask, &with.e);
    if (step == STEP_TAKEN) *s = imp_stmt(m->cx, with);
    if (step != STEP_DONE) return step;
    switch ((*s)->kind) {
    case STMT_RETURN: return STEP_DONE;
    case STMT_EXPR: *s = (*s)->rest; return STEP_TAKEN;
    case STMT_ASSIGN: return vec_step_assign(m, mask, s);
    default: return vec_step_if(m, mask, s);
    }
}

#endif
