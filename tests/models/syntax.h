// The small languages of Leißa's thesis (Language Support for Programming High-Performance Code, Saarbrücken 2017, chapter 4): IMP,
// a language of loops and branches; VecImp, the same on vectors, where every type has a length and every function says how many lanes
// it is for; PolyVecImp, where most lengths are left open. One syntax for all three:
//
//   simd(4) int varying(4) f(int varying(4) x, int varying(1) n) { if (x < n) { x = x + 2; } else { x = x - 3; } return x; }
//
// What has no length is a number of IMP, or of PolyVecImp. `t x = e;` and `for (..)` are sugar, as in the thesis; break, continue and
// return inside of statements are those of its section 5.
#ifndef TESTS_MODELS_SYNTAX_H
#define TESTS_MODELS_SYNTAX_H

#include "base/session.h"

typedef enum {
    BASE_BOOL,
    BASE_INT,
    BASE_FLOAT,
    BASE_NOTHING
} ImpBase; // NOTHING: of statements that go on

enum { IMP_OPEN = 0, IMP_LANES = 32 };

typedef struct {
    ImpBase base;
    int length; // IMP_OPEN: not given
} ImpType;

/// A number, or so many; truth is 0 or 1. All integers of 32 bits are numbers of this kind.
typedef struct {
    ImpType type;
    double lane[IMP_LANES];
} ImpValue;

// clang-format off
/// Operators are functions that are there for all lengths.
typedef enum { OP_ADD, OP_SUB, OP_MUL, OP_REM, OP_LT, OP_LE, OP_EQ, OP_NE, OP_AND, OP_OR, OP_NOT, OP_COUNT } ImpOp;
static const struct {
    const char *text;
    int rank, operands;
    bool truths, compares; // operands are truths; the result is one
} imp_ops[OP_COUNT] = {
    [OP_ADD] = {"+", 4, 2, false, false}, [OP_SUB] = {"-", 4, 2, false, false}, [OP_MUL] = {"*", 5, 2, false, false},
    [OP_REM] = {"%", 5, 2, false, false}, [OP_LT] = {"<", 3, 2, false, true},   [OP_LE] = {"<=", 3, 2, false, true},
    [OP_EQ] = {"==", 3, 2, false, true},  [OP_NE] = {"!=", 3, 2, false, true},  [OP_AND] = {"&", 2, 2, true, true},
    [OP_OR] = {"|", 1, 2, true, true},    [OP_NOT] = {"!", 6, 1, true, true},
};
// clang-format on

typedef struct ImpExpr ImpExpr;
typedef struct ImpStmt ImpStmt;
typedef struct ImpState ImpState;

typedef enum { EXPR_VAR, EXPR_VALUE, EXPR_CALL, EXPR_OP, EXPR_VECTOR, EXPR_FRAME } ImpExprKind;
struct ImpExpr {
    ImpExprKind kind;
    Sym name; // of a variable or function
    ImpOp op;
    const ImpValue *value;
    int n;
    const ImpExpr *const *args; // operands, elements
    const ImpStmt *body;        // of a call that goes on: what is left of it, for how many lanes,
    int mode;
    const ImpState *saved; // and the variables of its caller
};

typedef enum {
    STMT_SKIP, // the end of a list
    STMT_RETURN,
    STMT_BREAK,
    STMT_CONTINUE,
    STMT_EXPR,
    STMT_DECL,
    STMT_ASSIGN,
    STMT_IF,
    STMT_WHILE
} ImpStmtKind;
struct ImpStmt {
    ImpStmtKind kind;
    ImpType type; // of a declaration
    Sym name;
    const ImpExpr *e;                  // value, condition
    const ImpStmt *then, *other, *all; // sides; `all`: of a loop also what comes after each round
    const ImpStmt *rest;               // the statements behind it
};

typedef struct {
    Sym name;
    ImpType type;
} ImpParam;

typedef struct {
    Sym name;
    int mode; // lanes, IMP_OPEN: not given
    ImpType result;
    VEC(ImpParam) params;
    const ImpStmt *body;
} ImpFn;

typedef struct {
    VEC(ImpFn *) functions;
} ImpProgram;

static inline const ImpFn *imp_function(const ImpProgram *p, Sym name)
{
    for (int i = 0; i < p->functions.len; i++)
        if (p->functions.at[i]->name == name) return p->functions.at[i];
    return NULL;
}

// --- nodes --------------------------------------------------------------------------------------

static inline const ImpExpr *imp_expr(Session *cx, ImpExpr e)
{
    ImpExpr *made = ARENA_NEW(cx->arena, ImpExpr);
    *made = e;
    return made;
}

static inline const ImpExpr *imp_value(Session *cx, const ImpValue *value)
{
    ImpValue *v = ARENA_NEW(cx->arena, ImpValue);
    *v = *value;
    return imp_expr(cx, (ImpExpr){.kind = EXPR_VALUE, .value = v});
}

static inline const ImpExpr *imp_number(Session *cx, ImpBase base, double x)
{
    return imp_value(cx, &(ImpValue){.type = {base, 1}, .lane = {x}});
}

/// The expression with another operand.
static inline const ImpExpr *imp_with_arg(Session *cx, const ImpExpr *e, int at, const ImpExpr *arg)
{
    const ImpExpr **args = ARENA_ARRAY(cx->arena, const ImpExpr *, e->n);
    for (int i = 0; i < e->n; i++) args[i] = i == at ? arg : e->args[i];
    ImpExpr with = *e;
    with.args = args;
    return imp_expr(cx, with);
}

static inline const ImpStmt *imp_stmt(Session *cx, ImpStmt s)
{
    ImpStmt *made = ARENA_NEW(cx->arena, ImpStmt);
    *made = s;
    return made;
}

static inline const ImpStmt *imp_skip(Session *cx)
{
    return imp_stmt(cx, (ImpStmt){.kind = STMT_SKIP});
}

/// The statements of `a`, whose end gives way to those of `b`.
static inline const ImpStmt *imp_then(Session *cx, const ImpStmt *a, const ImpStmt *b)
{
    if (a->kind == STMT_SKIP) return b;
    ImpStmt with = *a;
    if (a->rest) with.rest = imp_then(cx, a->rest, b);
    return imp_stmt(cx, with);
}

#endif
