// Programs of the small languages as text: their own, which reads back, or, without vectors, Adze.
#ifndef TESTS_MODELS_PRINT_H
#define TESTS_MODELS_PRINT_H

#include "models/syntax.h"

typedef struct {
    Text *out;
    bool adze;
    const char *prefix; // of names of functions
} ImpPrinter;

static inline void print_type(const ImpPrinter *p, ImpType t)
{
    static const char *const own[] = {"bool", "int", "float"}, *const adze[] = {"bool", "i32",
                                                                                "f64"};
    text_put(p->out, (p->adze ? adze : own)[t.base]);
    if (t.length != IMP_OPEN && !p->adze) text_printf(p->out, " varying(%d)", t.length);
}

static inline void print_number(const ImpPrinter *p, const ImpValue *v)
{
    static const char *const suffix[] = {"", "i32", "f64"};
    double x = v->lane[0];
    if (v->type.base == BASE_BOOL)
        text_put(p->out, x != 0 ? "true" : "false");
    else if (p->adze)
        text_printf(p->out, x < 0 ? "(%.*f%s)" : "%.*f%s", v->type.base == BASE_FLOAT, x,
                    suffix[v->type.base]);
    else
        text_printf(p->out, "%.*f", v->type.base == BASE_FLOAT, x);
}

static inline void print_expr(const ImpPrinter *p, const ImpExpr *e)
{
    const char *between = ", ", *end = ")";
    switch (e->kind) {
    case EXPR_VALUE: print_number(p, e->value); return;
    case EXPR_VAR: text_put(p->out, e->name->text); return;
    case EXPR_FRAME: text_put(p->out, "{..}"); return;
    case EXPR_CALL: text_printf(p->out, "%s%s(", p->prefix, e->name->text); break;
    case EXPR_VECTOR:
        text_put(p->out, "{");
        end = "}";
        break;
    case EXPR_OP:
        if (e->n == 1) text_put(p->out, imp_ops[e->op].text);
        text_put(p->out, "(");
        between = arena_printf(p->out->arena, " %s%s ", imp_ops[e->op].text,
                               p->adze && imp_ops[e->op].truths ? imp_ops[e->op].text : "");
    }
    for (int i = 0; i < e->n; i++) {
        if (i) text_put(p->out, between);
        print_expr(p, e->args[i]);
    }
    text_put(p->out, end);
}

static inline void print_list(const ImpPrinter *p, const ImpStmt *s, int depth);

static inline void print_block(const ImpPrinter *p, const ImpStmt *s, int depth)
{
    text_put(p->out, " {\n");
    print_list(p, s, depth + 1);
    text_printf(p->out, "%*s}", 4 * depth, "");
}

static inline void print_condition(const ImpPrinter *p, const char *word, const ImpExpr *e)
{
    text_printf(p->out, "%s %s", word, p->adze ? "" : "(");
    print_expr(p, e);
    text_put(p->out, p->adze ? "" : ")");
}

static inline void print_decl(const ImpPrinter *p, const ImpStmt *s)
{
    static const char *const zero[] = {"false", "0i32", "0.0f64"};
    if (p->adze) text_put(p->out, "let mut ");
    if (!p->adze) print_type(p, s->type);
    text_printf(p->out, "%s%s", p->adze ? "" : " ", s->name->text);
    if (!p->adze) return;
    text_put(p->out, ": ");
    print_type(p, s->type);
    text_printf(p->out, " = %s", zero[s->type.base]);
}

// What is the last in a function of Adze is its value; elsewhere return is a function.
static inline void print_return(const ImpPrinter *p, const ImpStmt *s, int depth)
{
    bool last = p->adze && depth == 1;
    text_put(p->out, last ? "" : p->adze ? "return(" : "return ");
    print_expr(p, s->e);
    text_put(p->out, last ? "\n" : p->adze ? ")\n" : ";\n");
}

static inline void print_list(const ImpPrinter *p, const ImpStmt *s, int depth)
{
    for (; s && s->kind != STMT_SKIP; s = s->rest) {
        const char *word = s->kind == STMT_BREAK ? "break" : "continue";
        text_printf(p->out, "%*s", 4 * depth, "");
        switch (s->kind) {
        case STMT_SKIP: break;
        case STMT_RETURN: print_return(p, s, depth); continue;
        case STMT_BREAK:
        case STMT_CONTINUE: text_printf(p->out, "%s%s\n", word, p->adze ? "()" : ";"); continue;
        case STMT_EXPR: print_expr(p, s->e); break;
        case STMT_DECL: print_decl(p, s); break;
        case STMT_ASSIGN:
            text_printf(p->out, "%s = ", s->name->text);
            print_expr(p, s->e);
            break;
        case STMT_IF:
        case STMT_WHILE:
            print_condition(p, s->kind == STMT_IF ? "if" : "while", s->e);
            print_block(p, s->then, depth);
            if (s->other && s->other->kind != STMT_SKIP) {
                text_put(p->out, " else");
                print_block(p, s->other, depth);
            }
            text_put(p->out, "\n");
            continue;
        }
        text_put(p->out, ";\n");
    }
}

// Parameters change in IMP: in Adze, variables have their values.
static inline void print_function(const ImpPrinter *p, const ImpFn *f)
{
    if (p->adze)
        text_printf(p->out, "fn ");
    else if (f->mode != IMP_OPEN)
        text_printf(p->out, "simd(%d) ", f->mode);
    if (!p->adze) print_type(p, f->result);
    text_printf(p->out, "%s%s%s(", p->adze ? "" : " ", p->prefix, f->name->text);
    for (int i = 0; i < f->params.len; i++) {
        const char *name = f->params.at[i].name->text;
        if (i) text_put(p->out, ", ");
        if (p->adze) text_printf(p->out, "the_%s: ", name);
        print_type(p, f->params.at[i].type);
        if (!p->adze) text_printf(p->out, " %s", name);
    }
    text_put(p->out, p->adze ? ") -> " : ")");
    if (p->adze) print_type(p, f->result);
    text_put(p->out, " {\n");
    for (int i = 0; i < f->params.len && p->adze; i++)
        text_printf(p->out, "    let mut %s = the_%s;\n", f->params.at[i].name->text,
                    f->params.at[i].name->text);
    print_list(p, f->body, 1);
    text_put(p->out, "}\n");
}

/// The program as it is read; loops that count in their head are none.
static inline const char *imp_text(Arena *arena, const ImpProgram *program)
{
    Text out = text_new(arena);
    ImpPrinter p = {.out = &out, .prefix = ""};
    for (int i = 0; i < program->functions.len; i++) print_function(&p, program->functions.at[i]);
    return text_get(&out);
}

/// Its functions in Adze, their names with the prefix.
static inline void imp_as_adze(Text *out, const ImpProgram *program, const char *prefix)
{
    ImpPrinter p = {.out = out, .adze = true, .prefix = prefix};
    for (int i = 0; i < program->functions.len; i++) print_function(&p, program->functions.at[i]);
}

#endif
