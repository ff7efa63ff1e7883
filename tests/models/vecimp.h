// VecImp: its typing rules (figures 4.5 and 4.6 of the thesis). Judgements have the current length, that of the lanes that are at work;
// every join of lengths must be one.
#ifndef TESTS_MODELS_VECIMP_H
#define TESTS_MODELS_VECIMP_H

#include "models/values.h"

/// A variable, and how many conditions that lanes answer differently were around its declaration.
typedef struct VecScope VecScope;
struct VecScope {
    const VecScope *outer;
    Sym name;
    ImpType type;
    int depth;
};

typedef struct {
    Session *cx;
    const ImpProgram *program;
    const ImpState *state; // of calls that go on; NULL in programs
    const char *why;       // it is ill typed; NULL: it is not
    bool shared; // whether what is the same in all lanes may be assigned where only some are
} VecTyping;

static inline ImpType vec_ill(VecTyping *t, const char *why)
{
    if (!t->why) t->why = why;
    return (ImpType){BASE_NOTHING, NO_LENGTH};
}

static inline const VecScope *vec_declare(VecTyping *t, const VecScope *outer, Sym name,
                                          ImpType type, int depth)
{
    VecScope *s = ARENA_NEW(t->cx->arena, VecScope);
    *s = (VecScope){outer, name, type, depth};
    return s;
}

static inline const VecScope *vec_variable(const VecScope *s, Sym name)
{
    while (s && s->name != name) s = s->outer;
    return s;
}

/// The type, if its length goes with the current one.
static inline ImpType vec_here(VecTyping *t, int mode, ImpType type)
{
    if (type.length < 1 || length_join(mode, type.length) == NO_LENGTH)
        return vec_ill(t, "a length that is not the current one");
    return type;
}

// --- what goes on -------------------------------------------------------------------------------

static inline const ImpExpr *vec_frame_in(const ImpExpr *e);

static inline const ImpExpr *vec_frame_in_list(const ImpStmt *s)
{
    const ImpExpr *found = NULL;
    for (; s && !found; s = s->rest) {
        if (s->e) found = vec_frame_in(s->e);
        if (!found && s->then) found = vec_frame_in_list(s->then);
        if (!found && s->other) found = vec_frame_in_list(s->other);
    }
    return found;
}

static inline const ImpExpr *vec_frame_in(const ImpExpr *e)
{
    const ImpExpr *found = e->kind == EXPR_FRAME ? e : NULL;
    for (int i = 0; i < e->n && !found; i++) found = vec_frame_in(e->args[i]);
    return found;
}

/// The variables of these statements, when those of the innermost call that goes on are `now`.
static inline const VecScope *vec_scope_of(VecTyping *t, const ImpStmt *s, const ImpState *now)
{
    const ImpExpr *frame = vec_frame_in_list(s);
    const ImpState *state = frame ? frame->saved : now;
    const VecScope *scope = NULL;
    for (int i = 0; i < state->n; i++)
        scope = vec_declare(t, scope, state->at[i].name, state->at[i].value->type, 0);
    return scope;
}

// --- expressions --------------------------------------------------------------------------------

static inline ImpType vec_type_of(VecTyping *t, const VecScope *scope, int mode, const ImpExpr *e);
static inline ImpType vec_type_list(VecTyping *t, const VecScope *scope, int mode, int depth,
                                    const ImpStmt *s);

static inline ImpType vec_type_op(VecTyping *t, const VecScope *scope, int mode, const ImpExpr *e)
{
    ImpType of[2];
    for (int i = 0; i < e->n; i++) of[i] = vec_type_of(t, scope, mode, e->args[i]);
    ImpType a = of[0], b = of[e->n - 1];
    ImpBase base = op_base(e->op, a.base, b.base);
    int length = length_join(a.length, b.length);
    if (base == BASE_NOTHING) return vec_ill(t, "an operator that is not for these types");
    if (length == NO_LENGTH) return vec_ill(t, "operands of two lengths");
    return (ImpType){base, length};
}

// TE-Call
static inline ImpType vec_type_call(VecTyping *t, const VecScope *scope, int mode, const ImpExpr *e)
{
    const ImpFn *f = imp_function(t->program, e->name);
    if (!f || f->params.len != e->n) return vec_ill(t, "no function of so many parameters");
    for (int i = 0; i < e->n; i++) {
        ImpType to = f->params.at[i].type, from = vec_type_of(t, scope, mode, e->args[i]);
        if (to.base != from.base) return vec_ill(t, "an argument of another type");
        if (!length_assignable(mode, to.length, from.length))
            return vec_ill(t, "an argument of another length");
    }
    if (!length_assignable(mode, f->mode, mode))
        return vec_ill(t, "a function for another number of lanes");
    return vec_here(t, mode, f->result);
}

static inline ImpType vec_type_of(VecTyping *t, const VecScope *scope, int mode, const ImpExpr *e)
{
    switch (e->kind) {
    case EXPR_VALUE: return vec_here(t, mode, e->value->type);
    case EXPR_VAR: {
        const VecScope *x = vec_variable(scope, e->name);
        return x ? vec_here(t, mode, x->type) : vec_ill(t, "no such variable");
    }
    case EXPR_OP: return vec_type_op(t, scope, mode, e);
    case EXPR_CALL: return vec_type_call(t, scope, mode, e);
    case EXPR_VECTOR: {
        ImpType one = {BASE_NOTHING, 1};
        for (int i = 0; i < e->n; i++) {
            one = vec_type_of(t, scope, mode, e->args[i]);
            if (one.length != 1) return vec_ill(t, "a vector of vectors");
            if (one.base != vec_type_of(t, scope, mode, e->args[0]).base)
                return vec_ill(t, "a vector of two types");
        }
        return vec_here(t, mode, (ImpType){one.base, e->n});
    }
    case EXPR_FRAME:
        return vec_here(t, mode,
                        vec_type_list(t, vec_scope_of(t, e->body, t->state), e->mode, 0, e->body));
    }
    return vec_ill(t, "no expression");
}

// --- statements ---------------------------------------------------------------------------------

// TS-Assign. What is the same in all lanes must be given one value by all that know it: it is assigned under the conditions under
// which it was declared. The thesis has no such rule, and no meaning either for what it then allows.
static inline void vec_type_assign(VecTyping *t, const VecScope *scope, int mode, int depth,
                                   const ImpStmt *s)
{
    const VecScope *x = vec_variable(scope, s->name);
    ImpType from = vec_type_of(t, scope, mode, s->e);
    if (!x)
        vec_ill(t, "no such variable");
    else if (x->type.base != from.base)
        vec_ill(t, "a value of another type");
    else if (!length_assignable(mode, x->type.length, from.length))
        vec_ill(t, "a value of another length");
    else if (!t->shared && x->type.length == 1 && x->depth != depth)
        vec_ill(t, "one variable of all lanes is assigned by some");
}

// The branches of TS-If and the body of TS-While: in the length of the condition, and without a value. The condition of a loop is looked
// at there as well: from the second time on only some lanes come to it. The thesis has it in the length around alone, where it may call a
// function that is not for these lanes; then no step keeps the type.
static inline void vec_type_part(VecTyping *t, const VecScope *scope, int mode, int depth,
                                 ImpType condition, const ImpStmt *s)
{
    int inner = length_join(mode, condition.length);
    if (inner == NO_LENGTH || t->why) return;
    bool differs = condition.length != 1;
    if (vec_type_list(t, scope, inner, depth + differs, s).base != BASE_NOTHING)
        vec_ill(t, "a return in a branch");
}

/// The type of what the list returns; NOTHING when it goes on.
static inline ImpType vec_type_list(VecTyping *t, const VecScope *scope, int mode, int depth,
                                    const ImpStmt *s)
{
    ImpType of = {BASE_NOTHING, 1};
    if (t->why) return of;
    switch (s->kind) {
    case STMT_SKIP: return of;
    case STMT_RETURN:
        of = vec_type_of(t, scope, mode, s->e);
        of.length = length_join(mode, of.length);
        return of;
    case STMT_BREAK:
    case STMT_CONTINUE: return vec_ill(t, "no statement of the calculus");
    case STMT_EXPR: vec_type_of(t, scope, mode, s->e); break;
    case STMT_DECL:
        vec_here(t, mode, s->type);
        scope = vec_declare(t, scope, s->name, s->type, depth);
        break;
    case STMT_ASSIGN: vec_type_assign(t, scope, mode, depth, s); break;
    case STMT_IF:
    case STMT_WHILE:
        of = vec_type_of(t, scope, mode, s->e);
        if (of.base != BASE_BOOL) return vec_ill(t, "a condition that is none");
        vec_type_part(t, scope, mode, depth, of, s->then);
        if (s->kind == STMT_IF) vec_type_part(t, scope, mode, depth, of, s->other);
        if (s->kind == STMT_IF) break;
        vec_type_part(t, scope, mode, depth, of, s->all);
        if (!t->why) vec_type_of(t, scope, length_join(mode, of.length), s->e);
    }
    return vec_type_list(t, scope, mode, depth, s->rest);
}

// T-Fun
static inline void vec_type_function(VecTyping *t, const ImpFn *f)
{
    const VecScope *scope = NULL;
    if (f->mode < 1) vec_ill(t, "no number of lanes");
    for (int i = 0; i < f->params.len; i++)
        scope = vec_declare(t, scope, f->params.at[i].name,
                            vec_here(t, f->mode, f->params.at[i].type), 0);
    vec_here(t, f->mode, f->result);
    ImpType of = vec_type_list(t, scope, f->mode, 0, f->body);
    if (of.base != f->result.base || of.length != f->result.length)
        vec_ill(t, "another result than the function says");
}

/// Why the program is ill typed; NULL: it is not. `shared`: with the rules of the thesis, where lanes may assign what they share.
static inline const char *vec_ill_typed(Session *cx, const ImpProgram *p, bool shared)
{
    VecTyping t = {.cx = cx, .program = p, .shared = shared};
    for (int i = 0; i < p->functions.len && !t.why; i++) vec_type_function(&t, p->functions.at[i]);
    return t.why;
}

/// The type of an expression that is being computed, for one lane.
static inline ImpType vec_type_now(Session *cx, const ImpProgram *p, const ImpState *state,
                                   const ImpExpr *e, const char **why)
{
    VecTyping t = {.cx = cx, .program = p, .shared = true, .state = state};
    ImpType type = vec_type_of(&t, NULL, 1, e);
    *why = t.why;
    return type;
}

#endif
