// Guards: what a condition on sizes implies in the code that it controls. In `if n >= 4 { a } else
// { b }`, `a` may rely on 4 <= n, and `b` on n <= 3. Conditions on sizes in a branch are therefore
// proved from its guard, or checked only if the guard holds.
#include "infer/constraints/constraints.h"

#include <string.h>

static bool compares(Sym op)
{
    const char *text = op ? op->text : "";
    bool equality = strcmp(text, "==") == 0 || strcmp(text, "!=") == 0;
    return equality || ((text[0] == '<' || text[0] == '>') && text[1] != text[0]); // no shifts
}

// Drops all errors reported since `diags` and `errors` were counted, and returns whether there were
// any. A size beyond 64 bits is then treated as an ordinary integer.
static bool drop_errors(Session *cx, int diags, int errors)
{
    bool any = cx->errors > errors;
    cx->diags.len = diags;
    cx->errors = errors;
    return any;
}

// Whether the size is computed with such large numbers that it may well exceed 64 bits. As a value,
// it is an ordinary integer, whose arithmetic wraps.
static bool has_large_number(Node *size)
{
    const int64_t large = INT64_C(1) << 40;
    bool number = size->kind == NAT_PRODUCT || size->kind == NAT_CONST;
    if (number && (size->attr.i > large || size->attr.i < -large)) return true;
    for (uint32_t i = 0; i < size->nops; i++)
        if (has_large_number(size->op[i])) return true;
    return false;
}

static bool may_exceed(Node *size)
{
    return size && size->kind != NAT_CONST && has_large_number(size);
}

const SizeCheck *infer_compared(Body *b, const Ast *e)
{
    Session *cx = b->cx;
    SizeChecks found = {0};
    int diags = cx->diags.len, errors = cx->errors;
    bool sizes = compares(e->name) && infer_is_size(&b->scope, e->kids.at[0]) &&
                 infer_is_size(&b->scope, e->kids.at[1]);
    if (sizes) infer_where(&b->scope, e, &found);
    if (drop_errors(cx, diags, errors) || found.len != 1) return NULL;
    return may_exceed(found.at->left) || may_exceed(found.at->right) ? NULL : found.at;
}

Node *infer_size_of_value(Body *b, const Ast *e, Node *type)
{
    Session *cx = b->cx;
    int diags = cx->diags.len, errors = cx->errors;
    type = infer_resolve(b, type);
    bool is_size = type == type_scalar(cx, SCALAR_I64) && infer_is_size(&b->scope, e);
    Node *size = is_size ? infer_size(&b->scope, e) : NULL;
    return drop_errors(cx, diags, errors) || may_exceed(size) ? NULL : size;
}

int infer_count_comparisons(Body *b, const Ast *condition)
{
    const Ast *e = ast_strip(condition);
    const char *op = e->name ? e->name->text : "";
    if (e->kind == AST_UNARY && strcmp(op, "!") == 0)
        return infer_count_comparisons(b, e->kids.at[0]);
    if (infer_condition_named(b, e)) return infer_note(b, e)->local->comparisons;
    if (e->kind != AST_BINARY) return 0;
    if (strcmp(op, "&&") != 0 && strcmp(op, "||") != 0) return infer_note(b, e)->compared != NULL;
    int left = infer_count_comparisons(b, e->kids.at[0]),
        right = left ? infer_count_comparisons(b, e->kids.at[1]) : 0;
    return right ? left + right : 0;
}

void infer_name_condition(Body *b, Local *l, const Ast *value)
{
    // Names defined by other names could otherwise stand for exponentially many comparisons.
    enum { MOST = 16 };
    int n = infer_count_comparisons(b, value);
    if (n == 0 || n > MOST) return;
    l->condition = value;
    l->comparisons = n;
}

const Ast *infer_condition_named(Body *b, const Ast *e)
{
    const Local *l = e->kind == AST_NAME ? infer_note(b, e)->local : NULL;
    return l ? l->condition : NULL;
}

static const SizeCondition *condition_of(Body *b, const Ast *condition, bool holds)
{
    const Ast *e = ast_strip(condition);
    const char *op = e->name ? e->name->text : "";
    if (e->kind == AST_UNARY && strcmp(op, "!") == 0) return condition_of(b, e->kids.at[0], !holds);
    if (infer_condition_named(b, e)) return condition_of(b, infer_condition_named(b, e), holds);
    if (e->kind != AST_BINARY) return NULL;
    bool both = strcmp(op, "&&") == 0;
    if (both || strcmp(op, "||") == 0)
        return size_condition_join(b->arena, both == holds ? CONDITION_AND : CONDITION_OR,
                                   condition_of(b, e->kids.at[0], holds),
                                   condition_of(b, e->kids.at[1], holds));
    const SizeCheck *c = infer_note(b, e)->compared;
    return c ? size_condition_check(b->arena, holds ? *c : size_check_negated(b->cx, *c)) : NULL;
}

// Adds a condition to the guards. Each operand of a conjunction becomes a separate guard.
static SizeGuard *push(Body *b, SizeGuard *up, const SizeCondition *c)
{
    if (!c) return up;
    if (c->kind != CONDITION_AND) return size_guard_push(b->arena, up, c);
    return push(b, push(b, up, c->a), c->b);
}

SizeGuard *infer_guard(Body *b, SizeGuard *up, const Ast *condition, bool holds)
{
    return push(b, up, condition_of(b, condition, holds));
}

SizeGuard *infer_guard_literal(Body *b, SizeGuard *up, Node *size, const Ast *pattern, bool equal)
{
    const Ast *literal = pattern->kind == AST_BIND_VALUE ? ast_strip(pattern->kids.at[0]) : NULL;
    if (!size || !literal || literal->kind != AST_INT) return up;
    SizeCheck c = {.relation = equal ? SIZE_EQ : SIZE_NE,
                   .left = size,
                   .right = nat_const(b->cx, literal->value.integer)};
    return push(b, up, size_condition_check(b->arena, c));
}

// Whether the size certainly equals the value of its expression, in which arithmetic wraps. This
// holds for a name, a number, a name minus a number, and a quotient or remainder of such sizes.
static bool is_exact(Node *size)
{
    int positive = 0;
    if (size->kind == NAT_CONST || size->kind == NAT_VAR) return true;
    if (size->kind == NAT_DIV || size->kind == NAT_MOD)
        return is_exact(size->op[0]) && is_exact(size->op[1]);
    for (uint32_t i = 0; size->kind == NAT_SUM && i < size->nops; i++) {
        Node *term = size->op[i];
        if (term->kind != NAT_VAR && (term->kind != NAT_CONST || term->attr.i > 0)) return false;
        positive += term->kind == NAT_VAR;
    }
    return size->kind == NAT_SUM && positive <= 1;
}

SizeGuard *infer_guard_range(Body *b, SizeGuard *up, const Ast *from, const Ast *to)
{
    if (!infer_is_size(&b->scope, from) || !infer_is_size(&b->scope, to)) return up;
    Node *first = infer_size(&b->scope, from), *end = infer_size(&b->scope, to);
    if (!first || !end || !is_exact(first) || !is_exact(end)) return up;
    SizeCheck c = {
        .relation = SIZE_LE, .left = nat_add(b->cx, first, nat_const(b->cx, 1)), .right = end};
    return push(b, up, size_condition_check(b->arena, c));
}
