// Guards: what a condition on sizes implies in the code that it controls. In `if n >= 4 { a } else
// { b }`, `a` may rely on 4 <= n, and `b` on n <= 3, so that conditions on sizes in a branch are
// proved from its guard, or are checked only if the guard holds.
#include "infer/constraints/constraints.h"

#include <string.h>

SizeCheck infer_negated(Session *cx, SizeCheck c)
{
    Node *left = c.left;
    switch (c.relation) {
    case SIZE_EQ: c.relation = SIZE_NE; break;
    case SIZE_NE: c.relation = SIZE_EQ; break;
    case SIZE_LE:
        c.left = nat_add(cx, c.right, nat_const(cx, 1));
        c.right = left;
        break;
    }
    return c;
}

static SizeGuard *push(Body *b, SizeGuard *up, SizeCheck holds)
{
    SizeGuard *g = ARENA_NEW(b->arena, SizeGuard);
    *g = (SizeGuard){.holds = holds, .up = up};
    return g;
}

static bool compares(Sym op)
{
    const char *text = op ? op->text : "";
    bool equality = strcmp(text, "==") == 0 || strcmp(text, "!=") == 0;
    return equality || ((text[0] == '<' || text[0] == '>') && text[1] != text[0]); // not << and >>
}

const SizeCheck *infer_compared(Body *b, const Ast *e)
{
    Session *cx = b->cx;
    SizeChecks found = {0};
    int diags = cx->diags.len, errors = cx->errors;
    bool sizes = compares(e->name) && infer_is_size(&b->scope, e->kids.at[0]) &&
                 infer_is_size(&b->scope, e->kids.at[1]) && infer_where(&b->scope, e, &found);
    cx->diags.len = diags; // sizes beyond 64 bits are compared like other integers
    cx->errors = errors;
    return sizes && found.len == 1 ? found.at : NULL;
}

SizeGuard *infer_guard(Body *b, SizeGuard *up, const Ast *condition, bool holds)
{
    const Ast *e = ast_strip(condition);
    const char *op = e->name ? e->name->text : "";
    if (e->kind == AST_UNARY && strcmp(op, "!") == 0)
        return infer_guard(b, up, e->kids.at[0], !holds);
    if (e->kind != AST_BINARY) return up;
    if (strcmp(op, holds ? "&&" : "||") == 0)
        return infer_guard(b, infer_guard(b, up, e->kids.at[0], holds), e->kids.at[1], holds);
    const SizeCheck *c = infer_note(b, e)->compared;
    return c ? push(b, up, holds ? *c : infer_negated(b->cx, *c)) : up;
}

SizeGuard *infer_guard_literal(Body *b, SizeGuard *up, const Ast *size, const Ast *pattern,
                               bool equal)
{
    const Ast *literal = pattern->kind == AST_BIND_VALUE ? ast_strip(pattern->kids.at[0]) : NULL;
    if (!literal || literal->kind != AST_INT || !infer_is_size(&b->scope, size)) return up;
    SizeCheck c = {.relation = equal ? SIZE_EQ : SIZE_NE,
                   .left = infer_size(&b->scope, size),
                   .right = infer_size(&b->scope, literal)};
    return c.left && c.right ? push(b, up, c) : up;
}

SizeGuard *infer_guard_range(Body *b, SizeGuard *up, const Ast *from, const Ast *to)
{
    if (!infer_is_size(&b->scope, from) || !infer_is_size(&b->scope, to)) return up;
    Node *first = infer_size(&b->scope, from), *end = infer_size(&b->scope, to);
    if (!first || !end) return up;
    SizeCheck c = {.left = nat_add(b->cx, first, nat_const(b->cx, 1)), .right = end};
    c.relation = SIZE_LE;
    return push(b, up, c);
}
