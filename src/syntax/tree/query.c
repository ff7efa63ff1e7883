// Queries on syntax trees.
#include "syntax/tree/ast.h"

#include <string.h>

const Ast *ast_strip(const Ast *e)
{
    while (e && e->kind == AST_PAREN && e->kids.len == 1) e = e->kids.at[0];
    return e;
}

const Ast *ast_value_of(const Ast *e)
{
    for (;;) {
        if (e->kind != AST_BLOCK && e->kind != AST_PAREN) return e;
        const Ast *last = e->kids.len ? vec_last(&e->kids) : NULL;
        if (!last) return e;
        e = last;
    }
}

bool ast_is_literal(const Ast *e)
{
    e = ast_strip(e);
    if (e->kind == AST_UNARY && e->kids.len == 1) e = ast_strip(e->kids.at[0]);
    return (e->kind == AST_INT || e->kind == AST_FLOAT) && !e->suffix;
}

bool ast_walk(const Ast *e, AstVisitor *visit, void *env)
{
    Walk w = visit(e, env);
    for (int i = 0; w == WALK_INTO && i < e->kids.len; i++) {
        const Ast *kid = e->kids.at[i];
        if (kid && kid->kind < AST_TYPE_NAME && ast_walk(kid, visit, env)) return true;
    }
    return w == WALK_STOP;
}

void ast_ids(const Ast *e, int *least, int *greatest)
{
    if (!e) return;
    if (e->id < *least) *least = e->id;
    if (e->id > *greatest) *greatest = e->id;
    for (int i = 0; i < e->kids.len; i++) ast_ids(e->kids.at[i], least, greatest);
    for (int i = 0; i < e->generics.len; i++) ast_ids(e->generics.at[i], least, greatest);
}

void ast_item_ids(const Item *item, int *least, int *greatest)
{
    ast_ids(item->body, least, greatest);
    ast_ids(item->filter, least, greatest);
    for (int i = 0; i < item->params.len; i++) ast_ids(item->params.at[i].filter, least, greatest);
}

bool ast_has_parts(const Ast *pattern)
{
    return pattern->kind == AST_BIND_TUPLE || pattern->kind == AST_BIND_ARRAY ||
           pattern->kind == AST_BIND_STRUCT || pattern->kind == AST_BIND_FIELD ||
           pattern->kind == AST_BIND_OPTION;
}

bool span_is_within(Span part, Span whole)
{
    return part.file == whole.file && part.lo >= whole.lo && part.hi <= whole.hi;
}

bool ast_is_named(const Ast *e, const char *name)
{
    return e->name && strcmp(e->name->text, name) == 0;
}

bool ast_is_binary(const Ast *e, const char *operator)
{
    return e->kind == AST_BINARY && ast_is_named(e, operator);
}

bool ast_is_logical(const Ast *e)
{
    return ast_is_binary(e, "&&") || ast_is_binary(e, "||");
}
