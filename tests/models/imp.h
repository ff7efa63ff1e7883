// IMP: its typing rules (fig. 4.2 of the thesis) and its meaning, as a function of numbers. Lengths are not looked at.
#ifndef TESTS_MODELS_IMP_H
#define TESTS_MODELS_IMP_H

#include "models/values.h"

// --- types --------------------------------------------------------------------------------------

typedef struct ImpScope ImpScope;
struct ImpScope {
    const ImpScope *outer;
    Sym name;
    ImpBase base;
};

typedef struct {
    const ImpProgram *program;
    const ImpFn *f;
    int loops; // around
    bool good;
} ImpTyping;

static inline ImpBase imp_ill(ImpTyping *t)
{
    t->good = false;
    return BASE_NOTHING;
}

static inline ImpBase imp_type_of(ImpTyping *t, const ImpScope *scope, const ImpExpr *e)
{
    ImpBase of[2] = {BASE_NOTHING, BASE_NOTHING};
    switch (e->kind) {
    case EXPR_VALUE: return e->value->type.base;
    case EXPR_VAR:
        while (scope && scope->name != e->name) scope = scope->outer;
        return scope ? scope->base : imp_ill(t);
    case EXPR_OP:
        for (int i = 0; i < e->n; i++) of[i] = imp_type_of(t, scope, e->args[i]);
        ImpBase base = op_base(e->op, of[0], of[e->n - 1]);
        return base == BASE_NOTHING ? imp_ill(t) : base;
    case EXPR_CALL: {
        const ImpFn *f = imp_function(t->program, e->name);
        if (!f || f->params.len != e->n) return imp_ill(t);
        for (int i = 0; i < e->n; i++)
            if (imp_type_of(t, scope, e->args[i]) != f->params.at[i].type.base) imp_ill(t);
        return f->result.base;
    }
    case EXPR_VECTOR:
    case EXPR_FRAME: break;
    }
    return imp_ill(t);
}

// Whether the list gives a value, that of its function: TS-Ret and TS-Skip. Those in statements of others do so on some ways only.
static inline bool imp_type_list(ImpTyping *t, const ImpScope *scope, const ImpStmt *s)
{
    ImpScope with = {.outer = scope};
    switch (s->kind) {
    case STMT_SKIP: return false;
    case STMT_RETURN:
        if (imp_type_of(t, scope, s->e) != t->f->result.base) imp_ill(t);
        return true;
    case STMT_BREAK:
    case STMT_CONTINUE:
        if (!t->loops) imp_ill(t);
        return false;
    case STMT_EXPR: imp_type_of(t, scope, s->e); break;
    case STMT_DECL:
        with.name = s->name;
        with.base = s->type.base;
        return imp_type_list(t, &with, s->rest);
    case STMT_ASSIGN: {
        const ImpScope *x = scope;
        while (x && x->name != s->name) x = x->outer;
        if (!x || imp_type_of(t, scope, s->e) != x->base) imp_ill(t);
        break;
    }
    case STMT_IF:
        if (imp_type_of(t, scope, s->e) != BASE_BOOL) imp_ill(t);
        imp_type_list(t, scope, s->then);
        imp_type_list(t, scope, s->other);
        break;
    case STMT_WHILE:
        if (imp_type_of(t, scope, s->e) != BASE_BOOL) imp_ill(t);
        t->loops++;
        imp_type_list(t, scope, s->then);
        imp_type_list(t, scope, s->all);
        t->loops--;
    }
    return imp_type_list(t, scope, s->rest);
}

/// Whether the program is one of IMP.
static inline bool imp_well_typed(Session *cx, const ImpProgram *p)
{
    ImpTyping t = {.program = p, .good = true};
    for (int i = 0; i < p->functions.len; i++) {
        const ImpScope *scope = NULL;
        t.f = p->functions.at[i];
        for (int k = 0; k < t.f->params.len; k++) {
            ImpScope *param = ARENA_NEW(cx->arena, ImpScope);
            *param = (ImpScope){scope, t.f->params.at[k].name, t.f->params.at[k].type.base};
            scope = param;
        }
        if (!imp_type_list(&t, scope, t.f->body)) imp_ill(&t);
    }
    return t.good;
}

// --- meaning ------------------------------------------------------------------------------------

enum { IMP_VARS = 100, IMP_DEPTH = 60 };

typedef enum { IMP_ON, IMP_BREAK, IMP_CONTINUE, IMP_RETURN, IMP_STUCK, IMP_TIRED } ImpWay;

typedef struct {
    const ImpProgram *program;
    int64_t fuel;
    int depth; // of calls
    ImpWay failed;
} ImpRun;

typedef struct {
    ImpBase base;
    double number;
} ImpNumber;

typedef struct {
    Sym names[IMP_VARS];
    ImpNumber at[IMP_VARS];
    int n;
    ImpNumber result;
} ImpFrame;

static inline ImpNumber imp_fails(ImpRun *r, ImpWay how)
{
    if (!r->failed) r->failed = how;
    return (ImpNumber){BASE_NOTHING, 0};
}

static inline ImpNumber *imp_variable(ImpFrame *f, Sym name)
{
    for (int i = 0; i < f->n; i++)
        if (f->names[i] == name) return &f->at[i];
    return NULL;
}

static inline void imp_declare(ImpRun *r, ImpFrame *f, Sym name, ImpNumber value)
{
    ImpNumber *known = imp_variable(f, name); // from the round before
    if (!known && f->n == IMP_VARS) {
        imp_fails(r, IMP_TIRED);
        return;
    }
    if (!known) f->names[f->n] = name;
    *(known ? known : &f->at[f->n++]) = value;
}

static inline ImpNumber imp_call(ImpRun *r, const ImpFn *f, int n, const ImpNumber *args);

static inline ImpNumber imp_eval(ImpRun *r, ImpFrame *f, const ImpExpr *e)
{
    enum { MOST = 8 };
    ImpNumber args[MOST];
    if (r->failed || --r->fuel < 0) return imp_fails(r, IMP_TIRED);
    if (e->kind == EXPR_VALUE) return (ImpNumber){e->value->type.base, e->value->lane[0]};
    if (e->kind == EXPR_VAR) {
        const ImpNumber *x = imp_variable(f, e->name);
        return x ? *x : imp_fails(r, IMP_STUCK);
    }
    if (e->n > MOST) return imp_fails(r, IMP_STUCK);
    for (int i = 0; i < e->n; i++) args[i] = imp_eval(r, f, e->args[i]);
    if (r->failed) return imp_fails(r, r->failed);
    if (e->kind == EXPR_OP) {
        ImpNumber a = args[0], b = args[e->n - 1];
        ImpBase base = op_base(e->op, a.base, b.base);
        if (base == BASE_NOTHING) return imp_fails(r, IMP_STUCK);
        return (ImpNumber){base, op_number(e->op, a.base, a.number, b.number)};
    }
    const ImpFn *callee = e->kind == EXPR_CALL ? imp_function(r->program, e->name) : NULL;
    return callee ? imp_call(r, callee, e->n, args) : imp_fails(r, IMP_STUCK);
}

static inline ImpWay imp_do(ImpRun *r, ImpFrame *f, const ImpStmt *s);

static inline bool imp_holds(ImpRun *r, ImpFrame *f, const ImpExpr *condition)
{
    ImpNumber c = imp_eval(r, f, condition);
    if (c.base != BASE_BOOL) imp_fails(r, IMP_STUCK);
    return !r->failed && c.number != 0;
}

static inline ImpWay imp_loop(ImpRun *r, ImpFrame *f, const ImpStmt *s)
{
    while (imp_holds(r, f, s->e)) {
        ImpWay way = imp_do(r, f, s->then);
        if (way == IMP_BREAK) return IMP_ON;
        if (way == IMP_RETURN) return way;
        imp_do(r, f, s->all);
    }
    return IMP_ON;
}

static inline ImpWay imp_do(ImpRun *r, ImpFrame *f, const ImpStmt *s)
{
    for (; !r->failed && s; s = s->rest) {
        ImpWay way = IMP_ON;
        ImpNumber *x;
        switch (s->kind) {
        case STMT_SKIP: return IMP_ON;
        case STMT_RETURN: f->result = imp_eval(r, f, s->e); return IMP_RETURN;
        case STMT_BREAK: return IMP_BREAK;
        case STMT_CONTINUE: return IMP_CONTINUE;
        case STMT_EXPR: imp_eval(r, f, s->e); break;
        case STMT_DECL: imp_declare(r, f, s->name, (ImpNumber){s->type.base, 0}); break;
        case STMT_ASSIGN: {
            ImpNumber value = imp_eval(r, f, s->e);
            x = imp_variable(f, s->name);
            if (!x || x->base != value.base)
                imp_fails(r, IMP_STUCK);
            else
                *x = value;
            break;
        }
        case STMT_IF: way = imp_do(r, f, imp_holds(r, f, s->e) ? s->then : s->other); break;
        case STMT_WHILE: way = imp_loop(r, f, s); break;
        }
        if (way != IMP_ON) return way;
    }
    return IMP_ON;
}

static inline ImpNumber imp_call(ImpRun *r, const ImpFn *f, int n, const ImpNumber *args)
{
    ImpFrame frame = {0};
    if (n != f->params.len) return imp_fails(r, IMP_STUCK);
    if (r->depth == IMP_DEPTH) return imp_fails(r, IMP_TIRED);
    for (int i = 0; i < n; i++) {
        if (args[i].base != f->params.at[i].type.base) return imp_fails(r, IMP_STUCK);
        imp_declare(r, &frame, f->params.at[i].name, args[i]);
    }
    r->depth++;
    ImpWay way = imp_do(r, &frame, f->body);
    r->depth--;
    if (!r->failed && (way != IMP_RETURN || frame.result.base != f->result.base))
        imp_fails(r, IMP_STUCK);
    return frame.result;
}

/// Runs a function for numbers, of no more than so many steps; failed != IMP_ON where it comes to no end, or is stuck.
static inline ImpNumber imp_run(const ImpProgram *p, const char *name, int n, const ImpNumber *args,
                                int64_t fuel, ImpWay *failed)
{
    ImpRun r = {.program = p, .fuel = fuel};
    const ImpFn *f = NULL;
    for (int i = 0; i < p->functions.len; i++)
        if (strcmp(p->functions.at[i]->name->text, name) == 0) f = p->functions.at[i];
    ImpNumber result = f ? imp_call(&r, f, n, args) : imp_fails(&r, IMP_STUCK);
    *failed = r.failed;
    return result;
}

#endif
