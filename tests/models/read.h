// Programs of the small languages from text.
#ifndef TESTS_MODELS_READ_H
#define TESTS_MODELS_READ_H

#include "models/syntax.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct {
    Session *cx;
    const char *at;
    const char *wrong; // where it was found to be none
} ImpReader;

static inline void imp_blanks(ImpReader *r)
{
    while (isspace((unsigned char)*r->at)) r->at++;
}

static inline bool imp_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/// Takes the token if it comes next.
static inline bool imp_take(ImpReader *r, const char *token)
{
    size_t n = strlen(token);
    imp_blanks(r);
    if (strncmp(r->at, token, n) != 0) return false;
    if (imp_is_word(token[n - 1]) && imp_is_word(r->at[n])) return false;
    r->at += n;
    return true;
}

static inline void imp_expect(ImpReader *r, const char *token)
{
    if (!imp_take(r, token) && !r->wrong) r->wrong = r->at;
}

static inline Sym imp_name(ImpReader *r)
{
    size_t n = 0;
    imp_blanks(r);
    while (imp_is_word(r->at[n])) n++;
    if (n == 0 && !r->wrong) r->wrong = r->at;
    Sym name = sym_intern(r->cx->syms, r->at, n);
    r->at += n;
    return name;
}

static inline int imp_count(ImpReader *r)
{
    imp_blanks(r);
    if (!isdigit((unsigned char)*r->at) && !r->wrong) r->wrong = r->at;
    return (int)strtol(r->at, (char **)(uintptr_t)&r->at, 10);
}

static inline bool imp_take_type(ImpReader *r, ImpType *type)
{
    static const char *const bases[] = {"bool", "int", "float"};
    int base = 0;
    while (base < BASE_NOTHING && !imp_take(r, bases[base])) base++;
    if (base == BASE_NOTHING) return false;
    *type = (ImpType){(ImpBase)base, IMP_OPEN};
    if (imp_take(r, "varying")) {
        imp_expect(r, "(");
        type->length = imp_count(r);
        imp_expect(r, ")");
    }
    return true;
}

// --- expressions --------------------------------------------------------------------------------

static inline const ImpExpr *imp_read_expr(ImpReader *r, int rank);

static inline const ImpExpr *imp_read_list(ImpReader *r, ImpExpr e, const char *end)
{
    VEC(const ImpExpr *) args = {0};
    while (!r->wrong && !imp_take(r, end)) {
        if (args.len) imp_expect(r, ",");
        const ImpExpr *arg = imp_read_expr(r, 0);
        vec_push(r->cx->arena, &args, arg);
    }
    e.n = args.len;
    e.args = args.at;
    return imp_expr(r->cx, e);
}

static inline const ImpExpr *imp_read_number(ImpReader *r)
{
    char *end;
    double x = strtod(r->at, &end);
    bool is_float = memchr(r->at, '.', (size_t)(end - r->at)) != NULL;
    if (end == r->at && !r->wrong) r->wrong = r->at;
    r->at = end;
    return imp_number(r->cx, is_float ? BASE_FLOAT : BASE_INT, x);
}

static inline const ImpExpr *imp_read_operand(ImpReader *r)
{
    if (imp_take(r, "(")) {
        const ImpExpr *e = imp_read_expr(r, 0);
        imp_expect(r, ")");
        return e;
    }
    if (imp_take(r, "{")) return imp_read_list(r, (ImpExpr){.kind = EXPR_VECTOR}, "}");
    if (imp_take(r, "true")) return imp_number(r->cx, BASE_BOOL, 1);
    if (imp_take(r, "false")) return imp_number(r->cx, BASE_BOOL, 0);
    if (imp_take(r, "!")) {
        const ImpExpr **arg = ARENA_NEW(r->cx->arena, const ImpExpr *);
        *arg = imp_read_operand(r);
        return imp_expr(r->cx, (ImpExpr){.kind = EXPR_OP, .op = OP_NOT, .n = 1, .args = arg});
    }
    imp_blanks(r);
    if (!isalpha((unsigned char)*r->at)) return imp_read_number(r);
    Sym name = imp_name(r);
    if (imp_take(r, "(")) return imp_read_list(r, (ImpExpr){.kind = EXPR_CALL, .name = name}, ")");
    return imp_expr(r->cx, (ImpExpr){.kind = EXPR_VAR, .name = name});
}

// The longer ones of those that begin alike come first.
static inline ImpOp imp_take_op(ImpReader *r, int rank)
{
    static const ImpOp order[] = {OP_LE,  OP_LT,  OP_EQ,  OP_NE,  OP_ADD,
                                  OP_SUB, OP_MUL, OP_REM, OP_AND, OP_OR};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (imp_ops[order[i]].rank >= rank && imp_take(r, imp_ops[order[i]].text)) return order[i];
    return OP_COUNT;
}

static inline const ImpExpr *imp_read_expr(ImpReader *r, int rank)
{
    const ImpExpr *e = imp_read_operand(r);
    for (ImpOp op; !r->wrong && (op = imp_take_op(r, rank)) != OP_COUNT;) {
        const ImpExpr **args = ARENA_ARRAY(r->cx->arena, const ImpExpr *, 2);
        args[0] = e;
        args[1] = imp_read_expr(r, imp_ops[op].rank + 1);
        e = imp_expr(r->cx, (ImpExpr){.kind = EXPR_OP, .op = op, .n = 2, .args = args});
    }
    return e;
}

// --- statements ---------------------------------------------------------------------------------

static inline const ImpStmt *imp_read_block(ImpReader *r);
static inline const ImpStmt *imp_read_rest(ImpReader *r);

static inline const ImpExpr *imp_read_condition(ImpReader *r)
{
    imp_expect(r, "(");
    const ImpExpr *e = imp_read_expr(r, 0);
    imp_expect(r, ")");
    return e;
}

static inline const ImpStmt *imp_read_if(ImpReader *r)
{
    ImpStmt s = {.kind = STMT_IF, .e = imp_read_condition(r)};
    s.then = imp_read_block(r);
    s.other = imp_take(r, "else") ? imp_read_block(r) : imp_skip(r->cx);
    s.rest = imp_read_rest(r);
    return imp_stmt(r->cx, s);
}

// x = e
static inline ImpStmt imp_read_assign(ImpReader *r, Sym name)
{
    imp_expect(r, "=");
    return (ImpStmt){.kind = STMT_ASSIGN, .name = name, .e = imp_read_expr(r, 0)};
}

static inline const ImpStmt *imp_declared(ImpReader *r, ImpType type, ImpStmt first)
{
    ImpStmt decl = {.kind = STMT_DECL, .name = first.name, .type = type};
    decl.rest = imp_stmt(r->cx, first);
    return imp_stmt(r->cx, decl);
}

// for (t x = e; c; x = step) block: the step is also done by those who continue.
static inline const ImpStmt *imp_read_for(ImpReader *r)
{
    ImpType type = {0};
    imp_expect(r, "(");
    if (!imp_take_type(r, &type) && !r->wrong) r->wrong = r->at;
    ImpStmt first = imp_read_assign(r, imp_name(r)), loop = {.kind = STMT_WHILE};
    imp_expect(r, ";");
    loop.e = imp_read_expr(r, 0);
    imp_expect(r, ";");
    ImpStmt step = imp_read_assign(r, imp_name(r));
    imp_expect(r, ")");
    step.rest = imp_skip(r->cx);
    loop.all = imp_stmt(r->cx, step);
    loop.then = imp_read_block(r);
    loop.rest = imp_read_rest(r);
    first.rest = imp_stmt(r->cx, loop);
    return imp_declared(r, type, first);
}

static inline const ImpStmt *imp_read_leave(ImpReader *r, ImpStmt s)
{
    imp_expect(r, ";");
    imp_blanks(r);
    if (*r->at != '}' && !r->wrong) r->wrong = r->at; // nothing comes behind it
    return imp_stmt(r->cx, s);
}

// A declaration, an assignment, an expression.
static inline const ImpStmt *imp_read_simple(ImpReader *r)
{
    ImpType type;
    if (imp_take_type(r, &type)) {
        Sym name = imp_name(r);
        imp_blanks(r);
        if (*r->at == '=') {
            ImpStmt first = imp_read_assign(r, name);
            imp_expect(r, ";");
            first.rest = imp_read_rest(r);
            return imp_declared(r, type, first);
        }
        imp_expect(r, ";");
        return imp_stmt(
            r->cx,
            (ImpStmt){.kind = STMT_DECL, .name = name, .type = type, .rest = imp_read_rest(r)});
    }
    const char *before = r->at;
    Sym name = imp_name(r);
    imp_blanks(r);
    bool assigns = *r->at == '=' && r->at[1] != '=';
    if (!assigns) r->at = before;
    ImpStmt s =
        assigns ? imp_read_assign(r, name) : (ImpStmt){.kind = STMT_EXPR, .e = imp_read_expr(r, 0)};
    imp_expect(r, ";");
    s.rest = imp_read_rest(r);
    return imp_stmt(r->cx, s);
}

// The statements up to the end of the block.
static inline const ImpStmt *imp_read_rest(ImpReader *r)
{
    imp_blanks(r);
    if (r->wrong || *r->at == '}') return imp_skip(r->cx);
    if (imp_take(r, "return"))
        return imp_read_leave(r, (ImpStmt){.kind = STMT_RETURN, .e = imp_read_expr(r, 0)});
    if (imp_take(r, "break")) return imp_read_leave(r, (ImpStmt){.kind = STMT_BREAK});
    if (imp_take(r, "continue")) return imp_read_leave(r, (ImpStmt){.kind = STMT_CONTINUE});
    if (imp_take(r, "if")) return imp_read_if(r);
    if (imp_take(r, "for")) return imp_read_for(r);
    if (!imp_take(r, "while")) return imp_read_simple(r);
    ImpStmt s = {.kind = STMT_WHILE, .e = imp_read_condition(r), .all = imp_skip(r->cx)};
    s.then = imp_read_block(r);
    s.rest = imp_read_rest(r);
    return imp_stmt(r->cx, s);
}

static inline const ImpStmt *imp_read_block(ImpReader *r)
{
    imp_expect(r, "{");
    const ImpStmt *s = imp_read_rest(r);
    imp_expect(r, "}");
    return s;
}

static inline ImpFn *imp_read_function(ImpReader *r)
{
    ImpFn *f = ARENA_NEW(r->cx->arena, ImpFn);
    if (imp_take(r, "simd")) {
        imp_expect(r, "(");
        f->mode = imp_count(r);
        imp_expect(r, ")");
    }
    if (!imp_take_type(r, &f->result) && !r->wrong) r->wrong = r->at;
    f->name = imp_name(r);
    imp_expect(r, "(");
    while (!r->wrong && !imp_take(r, ")")) {
        ImpParam p = {0};
        if (f->params.len) imp_expect(r, ",");
        if (!imp_take_type(r, &p.type) && !r->wrong) r->wrong = r->at;
        p.name = imp_name(r);
        vec_push(r->cx->arena, &f->params, p);
    }
    f->body = imp_read_block(r);
    return f;
}

/// The program; NULL, and `wrong` where, when it is none.
static inline ImpProgram *imp_read(Session *cx, const char *text, const char **wrong)
{
    ImpReader r = {.cx = cx, .at = text};
    ImpProgram *p = ARENA_NEW(cx->arena, ImpProgram);
    for (imp_blanks(&r); !r.wrong && *r.at; imp_blanks(&r)) {
        ImpFn *f = imp_read_function(&r);
        vec_push(cx->arena, &p->functions, f);
    }
    *wrong = r.wrong;
    return r.wrong ? NULL : p;
}

#endif
