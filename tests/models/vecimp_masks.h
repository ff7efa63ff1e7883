// The meaning of VecImp as code for vectors has it (section 5 of the thesis; its figures 5.1 to 5.3 are lost and made anew from the
// text): a statement gets the mask of the lanes that come to it and gives that of the lanes that come to its end. So lanes may leave loops
// and functions one by one: break, continue and return are statements here.
//
//   if     in & c comes to one side, in & !c to the other; a side without lanes is left out; both outs come to the end
//   while  as long as some lane of t & c is there, t being those of the round before that came to its end or continued; to the end of
//          the loop come all that came to it, without those that returned
#ifndef TESTS_MODELS_VECIMP_MASKS_H
#define TESTS_MODELS_VECIMP_MASKS_H

#include "models/values.h"

enum { MASK_VARS = 64, MASK_DEPTH = 40 };

typedef enum { MASKS_FINE, MASKS_STUCK, MASKS_TIRED } MaskEnd;

typedef struct {
    const ImpProgram *program;
    int64_t fuel;
    int depth;
    MaskEnd failed;
} MaskRun;

typedef struct {
    Sym names[MASK_VARS];
    ImpValue at[MASK_VARS];
    int n;
    ImpValue result, returned,
        continued; // what was returned, by which lanes; those that continue the loop around
} MaskFrame;

static inline ImpValue mask_fails(MaskRun *r, MaskEnd how)
{
    if (!r->failed) r->failed = how;
    return (ImpValue){.type = {BASE_NOTHING, 1}};
}

static inline ImpValue mask_or(const ImpValue *a, const ImpValue *b)
{
    ImpValue out = {.type = {BASE_BOOL, length_join(value_length(a), value_length(b))}};
    for (int k = 0; k < out.type.length; k++)
        out.lane[k] = value_lane(a, k) != 0 || value_lane(b, k) != 0;
    return out;
}

static inline ImpValue *mask_variable(MaskFrame *f, Sym name)
{
    for (int i = 0; i < f->n; i++)
        if (f->names[i] == name) return &f->at[i];
    return NULL;
}

static inline void mask_declare(MaskRun *r, MaskFrame *f, Sym name, const ImpValue *value)
{
    ImpValue *known = mask_variable(f, name);
    if (!known && f->n == MASK_VARS) {
        mask_fails(r, MASKS_TIRED);
        return;
    }
    if (!known) f->names[f->n] = name;
    *(known ? known : &f->at[f->n++]) = *value;
}

// --- expressions --------------------------------------------------------------------------------

static inline ImpValue mask_call(MaskRun *r, const ImpFn *f, const ImpValue *mask, int n,
                                 const ImpValue *args);

static inline ImpValue mask_op(MaskRun *r, const ImpExpr *e, const ImpValue *args)
{
    const ImpValue *a = &args[0], *b = &args[e->n - 1];
    int length = length_join(value_length(a), value_length(b));
    ImpBase base = op_base(e->op, a->type.base, b->type.base);
    if (base == BASE_NOTHING || length == NO_LENGTH) return mask_fails(r, MASKS_STUCK);
    ImpValue out = {.type = {base, length}};
    for (int k = 0; k < length; k++)
        out.lane[k] = op_number(e->op, a->type.base, value_lane(a, k), value_lane(b, k));
    return out;
}

static inline ImpValue mask_eval(MaskRun *r, MaskFrame *f, const ImpValue *mask, const ImpExpr *e)
{
    ImpValue args[IMP_LANES];
    if (r->failed || --r->fuel < 0) return mask_fails(r, MASKS_TIRED);
    if (e->kind == EXPR_VALUE) return *e->value;
    if (e->kind == EXPR_VAR) {
        const ImpValue *x = mask_variable(f, e->name);
        return x ? *x : mask_fails(r, MASKS_STUCK);
    }
    if (e->n > IMP_LANES) return mask_fails(r, MASKS_STUCK);
    for (int i = 0; i < e->n; i++) args[i] = mask_eval(r, f, mask, e->args[i]);
    if (r->failed) return mask_fails(r, r->failed);
    if (e->kind == EXPR_OP) return mask_op(r, e, args);
    if (e->kind == EXPR_VECTOR) {
        ImpValue out = {.type = {args[0].type.base, e->n}};
        for (int i = 0; i < e->n; i++) out.lane[i] = args[i].lane[0];
        return out;
    }
    const ImpFn *callee = e->kind == EXPR_CALL ? imp_function(r->program, e->name) : NULL;
    return callee ? mask_call(r, callee, mask, e->n, args) : mask_fails(r, MASKS_STUCK);
}

// --- statements ---------------------------------------------------------------------------------

static inline ImpValue mask_list(MaskRun *r, MaskFrame *f, ImpValue mask, const ImpStmt *s);

static inline void mask_assign(MaskRun *r, MaskFrame *f, const ImpValue *mask, const ImpStmt *s)
{
    ImpValue value = mask_eval(r, f, mask, s->e);
    ImpValue *x = mask_variable(f, s->name);
    if (r->failed) return;
    if (!x || x->type.base != value.type.base ||
        !length_assignable(value_length(mask), value_length(x), value_length(&value)))
        mask_fails(r, MASKS_STUCK);
    else
        *x = value_blend(mask, &value, x);
}

static inline ImpValue mask_condition(MaskRun *r, MaskFrame *f, const ImpValue *mask,
                                      const ImpExpr *e)
{
    ImpValue c = mask_eval(r, f, mask, e);
    bool good =
        c.type.base == BASE_BOOL && length_join(value_length(mask), value_length(&c)) != NO_LENGTH;
    return good || r->failed ? c : mask_fails(r, MASKS_STUCK);
}

// The lanes that come to the end; where no lane has left, they are those that came in, in scalar mode again if they were.
static inline ImpValue mask_back(const ImpValue *in, const ImpValue *out)
{
    int length = value_length(in) > value_length(out) ? value_length(in) : value_length(out);
    for (int k = 0; k < length; k++)
        if ((value_lane(in, k) != 0) != (value_lane(out, k) != 0)) return *out;
    return *in;
}

static inline ImpValue mask_if(MaskRun *r, MaskFrame *f, const ImpValue *in, const ImpStmt *s)
{
    ImpValue c = mask_condition(r, f, in, s->e);
    if (r->failed) return *in;
    ImpValue then = mask_and(in, &c, false), other = mask_and(in, &c, true);
    if (value_any(&then)) then = mask_list(r, f, then, s->then);
    if (value_any(&other)) other = mask_list(r, f, other, s->other);
    ImpValue out = mask_or(&then, &other);
    return mask_back(in, &out);
}

static inline ImpValue mask_while(MaskRun *r, MaskFrame *f, const ImpValue *in, const ImpStmt *s)
{
    ImpValue t = *in, around = f->continued;
    for (;;) {
        ImpValue c = mask_condition(r, f, &t, s->e);
        if (r->failed) return *in;
        ImpValue body = mask_and(&t, &c, false);
        if (!value_any(&body)) break;
        f->continued = value_truth(1, false);
        body = mask_list(r, f, body, s->then);
        t = mask_or(&body, &f->continued);
        if (value_any(&t)) t = mask_list(r, f, t, s->all);
    }
    f->continued = around;
    ImpValue out = mask_and(in, &f->returned, true);
    return mask_back(in, &out);
}

static inline ImpValue mask_return(MaskRun *r, MaskFrame *f, const ImpValue *mask, const ImpStmt *s)
{
    ImpValue value = mask_eval(r, f, mask, s->e);
    if (r->failed) return *mask;
    int length = length_join(value_length(mask), value_length(&value));
    if (value.type.base != f->result.type.base || length == NO_LENGTH ||
        length_join(length, value_length(&f->result)) == NO_LENGTH)
        return mask_fails(r, MASKS_STUCK);
    f->result = value_broadcast(&f->result, length_join(length, value_length(&f->result)));
    f->result = value_blend(mask, &value, &f->result);
    f->returned = mask_or(&f->returned, mask);
    return value_truth(1, false);
}

static inline ImpValue mask_list(MaskRun *r, MaskFrame *f, ImpValue mask, const ImpStmt *s)
{
    for (; !r->failed && s && value_any(&mask); s = s->rest) {
        ImpValue zero = {.type = s->type};
        switch (s->kind) {
        case STMT_SKIP: return mask;
        case STMT_RETURN: return mask_return(r, f, &mask, s);
        case STMT_CONTINUE:
            f->continued = mask_or(&f->continued, &mask);
            return value_truth(1, false);
        case STMT_BREAK: return value_truth(1, false);
        case STMT_EXPR: mask_eval(r, f, &mask, s->e); break;
        case STMT_DECL: mask_declare(r, f, s->name, &zero); break;
        case STMT_ASSIGN: mask_assign(r, f, &mask, s); break;
        case STMT_IF: mask = mask_if(r, f, &mask, s); break;
        case STMT_WHILE: mask = mask_while(r, f, &mask, s); break;
        }
    }
    return mask;
}

static inline ImpValue mask_call(MaskRun *r, const ImpFn *f, const ImpValue *mask, int n,
                                 const ImpValue *args)
{
    MaskFrame frame = {.returned = value_truth(1, false), .continued = value_truth(1, false)};
    if (n != f->params.len) return mask_fails(r, MASKS_STUCK);
    if (r->depth == MASK_DEPTH) return mask_fails(r, MASKS_TIRED);
    for (int i = 0; i < n; i++) {
        ImpType to = f->params.at[i].type;
        if (args[i].type.base != to.base ||
            !length_assignable(value_length(mask), to.length, value_length(&args[i])))
            return mask_fails(r, MASKS_STUCK);
        ImpValue value = value_broadcast(&args[i], to.length);
        mask_declare(r, &frame, f->params.at[i].name, &value);
    }
    frame.result = (ImpValue){.type = f->result};
    r->depth++;
    ImpValue out = mask_list(r, &frame, value_broadcast(mask, f->mode), f->body);
    r->depth--;
    if (!r->failed && value_any(&out)) mask_fails(r, MASKS_STUCK); // nothing was returned
    return frame.result;
}

/// Runs a function in scalar mode.
static inline ImpValue mask_run(const ImpProgram *p, const char *name, int n, const ImpValue *args,
                                int64_t fuel, MaskEnd *failed)
{
    MaskRun r = {.program = p, .fuel = fuel};
    ImpValue all = value_truth(1, true), result = {.type = {BASE_NOTHING, 1}};
    const ImpFn *f = NULL;
    for (int i = 0; i < p->functions.len; i++)
        if (strcmp(p->functions.at[i]->name->text, name) == 0) f = p->functions.at[i];
    if (f)
        result = mask_call(&r, f, &all, n, args);
    else
        mask_fails(&r, MASKS_STUCK);
    *failed = r.failed;
    return result;
}

#endif
