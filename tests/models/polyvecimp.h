// PolyVecImp (section 4.4 of the thesis, where it is sketched): which lengths types without one have, and how many lanes functions are
// for. All are 1 at first and rise where a rule of VecImp asks for it, until none does. A function has an instance for each number of lanes
// and lengths of arguments with which it is called; functions that call themselves need no more than that instances are known before
// their bodies are looked at. What comes out is a program of VecImp, whose rules have the last word: types that say their length do not rise.
#ifndef TESTS_MODELS_POLYVECIMP_H
#define TESTS_MODELS_POLYVECIMP_H

#include "models/vecimp.h"

typedef struct {
    Sym name;
    ImpType type; // as far as it is known; open in the program: it may rise
    bool open;
    int depth; // of conditions that lanes answer differently
} PolyVar;

typedef struct {
    const ImpFn *f;
    Sym name;
    int mode;
    const int *asked;  // lengths of arguments in the call
    VEC(PolyVar) vars; // parameters first
    int result;
    bool used;
} PolyInstance;

typedef struct {
    Session *cx;
    const ImpProgram *program;
    VEC(PolyInstance *) instances, used;
    PolyInstance *now;
    bool risen;
    const char *why; // there are no such lengths
} Poly;

static inline int poly_ill(Poly *p, const char *why)
{
    if (!p->why) p->why = why;
    return NO_LENGTH;
}

static inline void poly_rise(Poly *p, int *length, int to)
{
    int joined = length_join(*length, to);
    if (joined == NO_LENGTH) {
        poly_ill(p, "two lengths for one thing");
    } else if (joined != *length) {
        *length = joined;
        p->risen = true;
    }
}

static inline PolyVar *poly_var(PolyInstance *i, Sym name)
{
    for (int k = 0; k < i->vars.len; k++)
        if (i->vars.at[k].name == name) return &i->vars.at[k];
    return NULL;
}

static inline PolyVar *poly_declare(Poly *p, Sym name, ImpType type, int length, int depth)
{
    PolyVar *known = poly_var(p->now, name);
    bool open = type.length == IMP_OPEN;
    if (!known) {
        type.length = open ? length : type.length;
        vec_push(p->cx->arena, &p->now->vars, ((PolyVar){name, type, open, depth}));
        p->risen = true;
        known = &vec_last(&p->now->vars);
    }
    known->depth = depth;
    return known;
}

// --- instances ----------------------------------------------------------------------------------

static inline PolyInstance *poly_instance(Poly *p, const ImpFn *f, int mode, const int *asked)
{
    size_t n = sizeof *asked * (size_t)f->params.len;
    for (int i = 0; i < p->instances.len; i++) {
        PolyInstance *known = p->instances.at[i];
        if (known->f == f && known->mode == mode && memcmp(known->asked, asked, n) == 0)
            return known;
    }
    PolyInstance *made = ARENA_NEW(p->cx->arena, PolyInstance), *now = p->now;
    int *copy = ARENA_ARRAY(p->cx->arena, int, f->params.len + 1);
    memcpy(copy, asked, n);
    *made = (PolyInstance){.f = f, .mode = mode, .asked = copy, .result = f->result.length};
    made->name = p->instances.len ? sym_fresh(p->cx->syms, f->name->text) : f->name;
    if (f->result.length == IMP_OPEN) made->result = 1;
    p->now = made;
    for (int i = 0; i < f->params.len; i++)
        poly_declare(p, f->params.at[i].name, f->params.at[i].type, asked[i], 0);
    p->now = now;
    vec_push(p->cx->arena, &p->instances, made);
    p->risen = true;
    return made;
}

/// The instance for a call with arguments of these lengths.
static inline PolyInstance *poly_called(Poly *p, const ImpExpr *call, int mode, const int *lengths)
{
    const ImpFn *f = imp_function(p->program, call->name);
    if (f && f->params.len == call->n) return poly_instance(p, f, mode, lengths);
    poly_ill(p, "no function of so many parameters");
    return NULL;
}

// --- rules --------------------------------------------------------------------------------------

enum { POLY_ARGS = 32 };

static inline int poly_expr(Poly *p, int mode, const ImpExpr *e);

/// The length of the value.
static inline int poly_expr(Poly *p, int mode, const ImpExpr *e)
{
    int lengths[POLY_ARGS] = {0}, length = 1;
    const PolyVar *x;
    const PolyInstance *callee;
    if (p->why || e->n > POLY_ARGS) return NO_LENGTH;
    for (int i = 0; i < e->n; i++) lengths[i] = poly_expr(p, mode, e->args[i]);
    switch (e->kind) {
    case EXPR_VALUE: length = value_length(e->value); break;
    case EXPR_VAR:
        x = poly_var(p->now, e->name);
        length = x ? x->type.length : poly_ill(p, "no such variable");
        break;
    case EXPR_OP:
        for (int i = 0; i < e->n; i++) length = length_join(length, lengths[i]);
        break;
    case EXPR_VECTOR:
        for (int i = 0; i < e->n; i++)
            if (lengths[i] != 1) return poly_ill(p, "a vector of vectors");
        length = e->n;
        break;
    case EXPR_CALL:
        callee = poly_called(p, e, mode, lengths);
        length = callee ? callee->result : NO_LENGTH;
        break;
    case EXPR_FRAME: return poly_ill(p, "no expression");
    }
    return length_join(mode, length) == NO_LENGTH ? poly_ill(p, "two lengths in one place")
                                                  : length;
}

// In a condition that lanes answer differently, what all share becomes a variable of each.
static inline void poly_assign(Poly *p, int mode, int depth, const ImpStmt *s)
{
    int from = poly_expr(p, mode, s->e);
    PolyVar *x = poly_var(p->now, s->name);
    if (!x) poly_ill(p, "no such variable");
    if (p->why) return;
    int wanted = x->depth == depth ? from : length_join(from, mode);
    if (x->open) poly_rise(p, &x->type.length, wanted);
}

static inline void poly_list(Poly *p, int mode, int depth, const ImpStmt *s)
{
    for (; s && !p->why; s = s->rest) {
        int length = s->e && s->kind != STMT_ASSIGN ? poly_expr(p, mode, s->e) : 1;
        switch (s->kind) {
        case STMT_SKIP: return;
        case STMT_RETURN:
            if (p->now->f->result.length == IMP_OPEN)
                poly_rise(p, &p->now->result, length_join(mode, length));
            return;
        case STMT_BREAK:
        case STMT_CONTINUE: poly_ill(p, "no statement of the calculus"); return;
        case STMT_EXPR: break;
        case STMT_DECL: poly_declare(p, s->name, s->type, 1, depth); break;
        case STMT_ASSIGN: poly_assign(p, mode, depth, s); break;
        case STMT_IF:
        case STMT_WHILE: {
            int inner = length_join(mode, length), deeper = depth + (length != 1);
            if (s->kind == STMT_WHILE)
                poly_expr(p, inner, s->e); // as it is from the second time on
            poly_list(p, inner, deeper, s->then);
            poly_list(p, inner, deeper, s->kind == STMT_IF ? s->other : s->all);
        }
        }
    }
}

// --- the program of VecImp ----------------------------------------------------------------------

static inline void poly_use(Poly *p, PolyInstance *i)
{
    if (!i->used) vec_push(p->cx->arena, &p->used, i);
    i->used = true;
}

static inline const ImpExpr *poly_done_expr(Poly *p, int mode, const ImpExpr *e)
{
    int lengths[POLY_ARGS] = {0};
    ImpExpr done = *e;
    const ImpExpr **args = ARENA_ARRAY(p->cx->arena, const ImpExpr *, e->n + 1);
    for (int i = 0; i < e->n; i++) args[i] = poly_done_expr(p, mode, e->args[i]);
    for (int i = 0; i < e->n; i++) lengths[i] = poly_expr(p, mode, e->args[i]);
    done.args = args;
    if (e->kind == EXPR_CALL) {
        PolyInstance *callee = poly_called(p, e, mode, lengths);
        done.name = callee->name;
        poly_use(p, callee);
    }
    return imp_expr(p->cx, done);
}

static inline const ImpStmt *poly_done(Poly *p, int mode, const ImpStmt *s)
{
    ImpStmt done = *s;
    int inner = s->then ? length_join(mode, poly_expr(p, mode, s->e)) : mode;
    if (s->e) done.e = poly_done_expr(p, s->kind == STMT_WHILE ? inner : mode, s->e);
    if (s->kind == STMT_DECL) done.type = poly_var(p->now, s->name)->type;
    if (s->then) done.then = poly_done(p, inner, s->then);
    if (s->other) done.other = poly_done(p, inner, s->other);
    if (s->all) done.all = poly_done(p, inner, s->all);
    if (s->rest) done.rest = poly_done(p, mode, s->rest);
    return imp_stmt(p->cx, done);
}

static inline ImpFn *poly_function(Poly *p, PolyInstance *i)
{
    ImpFn *f = ARENA_NEW(p->cx->arena, ImpFn);
    *f = (ImpFn){.name = i->name, .mode = i->mode, .result = {i->f->result.base, i->result}};
    p->now = i;
    for (int k = 0; k < i->f->params.len; k++)
        vec_push(p->cx->arena, &f->params, ((ImpParam){i->vars.at[k].name, i->vars.at[k].type}));
    f->body = poly_done(p, i->mode, i->f->body);
    return f;
}

/// The lengths for a function that is called in scalar mode, as a program of VecImp; NULL, and why, where there are none.
static inline ImpProgram *poly_infer(Session *cx, const ImpProgram *program, const char *main,
                                     const char **why)
{
    Poly p = {.cx = cx, .program = program};
    int lengths[POLY_ARGS];
    const ImpFn *f = imp_function(program, session_sym(cx, main));
    for (int i = 0; f && i < f->params.len; i++)
        lengths[i] = f->params.at[i].type.length == IMP_OPEN ? 1 : f->params.at[i].type.length;
    if (f) poly_instance(&p, f, 1, lengths);
    while (p.risen && !p.why) {
        p.risen = false;
        for (int i = 0; i < p.instances.len && !p.why; i++) {
            p.now = p.instances.at[i];
            poly_list(&p, p.now->mode, 0, p.now->f->body);
        }
    }
    if (!f) poly_ill(&p, "no such function");
    *why = p.why;
    if (p.why) return NULL;
    ImpProgram *out = ARENA_NEW(cx->arena, ImpProgram);
    poly_use(&p, p.instances.at[0]);
    for (int i = 0; i < p.used.len; i++) {
        ImpFn *made = poly_function(&p, p.used.at[i]);
        vec_push(cx->arena, &out->functions, made);
    }
    *why = vec_ill_typed(cx, out, false);
    return *why ? NULL : out;
}

#endif
