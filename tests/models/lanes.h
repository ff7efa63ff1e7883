// One lane of a program of VecImp as a program of IMP, and one of IMP for many lanes.
#ifndef TESTS_MODELS_LANES_H
#define TESTS_MODELS_LANES_H

#include "models/syntax.h"

typedef struct {
    Session *cx;
    int lane;   // of vectors in the text, -1: they stay
    int length; // of all types
} ImpLanes;

static inline const ImpExpr *lanes_expr(const ImpLanes *l, const ImpExpr *e)
{
    ImpExpr with = *e;
    if (e->kind == EXPR_VECTOR && l->lane >= 0) return lanes_expr(l, e->args[l->lane]);
    const ImpExpr **args = ARENA_ARRAY(l->cx->arena, const ImpExpr *, e->n + 1);
    for (int i = 0; i < e->n; i++) args[i] = lanes_expr(l, e->args[i]);
    with.args = args;
    return imp_expr(l->cx, with);
}

static inline const ImpStmt *lanes_stmt(const ImpLanes *l, const ImpStmt *s)
{
    if (!s) return NULL;
    ImpStmt with = *s;
    with.type.length = l->length;
    if (s->e) with.e = lanes_expr(l, s->e);
    with.then = lanes_stmt(l, s->then);
    with.other = lanes_stmt(l, s->other);
    with.all = lanes_stmt(l, s->all);
    with.rest = lanes_stmt(l, s->rest);
    return imp_stmt(l->cx, with);
}

static inline ImpProgram *lanes_program(const ImpLanes *l, const ImpProgram *p)
{
    Arena *a = l->cx->arena;
    ImpProgram *out = ARENA_NEW(a, ImpProgram);
    for (int i = 0; i < p->functions.len; i++) {
        const ImpFn *f = p->functions.at[i];
        ImpFn *with = ARENA_NEW(a, ImpFn);
        *with = (ImpFn){.name = f->name,
                        .mode = l->length,
                        .result = {f->result.base, l->length},
                        .body = lanes_stmt(l, f->body)};
        for (int k = 0; k < f->params.len; k++) {
            ImpParam param = {f->params.at[k].name, {f->params.at[k].type.base, l->length}};
            vec_push(a, &with->params, param);
        }
        vec_push(a, &out->functions, with);
    }
    return out;
}

/// What lane k does: types without lengths, and of each vector the element k.
static inline ImpProgram *imp_lane(Session *cx, const ImpProgram *p, int k)
{
    return lanes_program(&(ImpLanes){cx, k, IMP_OPEN}, p);
}

/// Every variable is so many, every function is for so many lanes.
static inline ImpProgram *imp_widened(Session *cx, const ImpProgram *p, int lanes)
{
    return lanes_program(&(ImpLanes){cx, -1, lanes}, p);
}

#endif
