// Functions from sizes and shapes to a size or a shape, such as
// `fn grow(v: shape) -> shape { v + 2 }`. They are evaluated where a size or a shape is read,
// including in types (the shape expressions of StagedSAC, 5.1). Their bodies consist of sizes and
// shapes, `let`, and `if` with conditions on sizes and ranks. Where a condition is not known at
// compile time, the size is computed from both branches.
#include "infer/names/names.h"

#include <string.h>

static bool is_type(const Ast *type, const char *name)
{
    bool named = type && type->kind == AST_TYPE_NAME && type->name && type->generics.len == 0;
    return named && strcmp(type->name->text, name) == 0;
}

bool infer_is_size_function(const Item *item)
{
    return item->kind == ITEM_FN && (is_type(item->type, "nat") || is_type(item->type, "shape"));
}

void infer_check_size_function(Infer *in, const Symbol *y)
{
    const Item *item = y->item;
    const char *what = NULL;
    Span at = item->name_span;
    if (item->entry) what = "is no entry: its result is a size";
    if (item->generics.len) what = "has no generic parameters: its result is a size";
    for (int i = 0; i < item->params.len && !what; i++) {
        const AstParam *p = &item->params.at[i];
        if (is_type(p->type, "nat") || is_type(p->type, "shape")) continue;
        what = "takes only sizes and shapes, since its result is one";
        at = p->span;
    }
    if (what) diag_error(in->cx, E0421, at, "`%s` %s", y->name->text, what);
}

// The size function that `e` calls, or NULL if it calls none.
static const Symbol *called(Scope *s, const Ast *e)
{
    const Ast *name = e->kind == AST_CALL ? e->kids.at[0] : NULL;
    if (!name || name->kind != AST_NAME || !name->name || infer_local_named(s, name)) return NULL;
    const Symbol *y = infer_symbol_named(s, name);
    bool fits = y && y->kind == SYMBOL_SIZES && y->item->params.len == e->kids.len - 1;
    return fits ? y : NULL;
}

static bool takes_shape(const Symbol *y, int i)
{
    return is_type(y->item->params.at[i].type, "shape");
}

bool infer_is_size_call(Scope *s, const Ast *e, bool shape)
{
    const Symbol *y = called(s, e);
    if (!y || is_type(y->item->type, "shape") != shape) return false;
    for (int i = 0; i + 1 < e->kids.len; i++) {
        const Ast *arg = e->kids.at[i + 1];
        bool shape_arg = takes_shape(y, i);
        if (!(shape_arg ? infer_is_extents(s, arg) : infer_consists_of_sizes(s, arg))) return false;
    }
    return true;
}

// --- evaluation ----------------------------------------------------------------------------------

static Measure measure(Scope *s, const Ast *e, bool shape);

static Measure of_sizes(Scope *s, const Ast *e, bool shape)
{
    return shape ? (Measure){.extents = infer_extents(s, e)} : (Measure){.size = infer_size(s, e)};
}

static bool push(Scope *s, Sym name, Span span, Measure m, bool shape)
{
    Local *l = infer_local_push(s, shape ? LOCAL_SHAPE : LOCAL_SIZE, name, span, m.size);
    l->extents = m.extents;
    return m.size || m.extents;
}

static Measure of_block(Scope *s, const Ast *e, bool shape)
{
    int last = e->kids.len - 1;
    for (int i = 0; i < last; i++) {
        const Ast *let = e->kids.at[i], *name = let->kids.len ? let->kids.at[0] : NULL;
        bool binds = let->kind == AST_LET && let->kids.len == 3 && name->kind == AST_BIND;
        if (!binds || !name->name) {
            diag_error(s->in->cx, E0421, let->span, "only `let` may stand before a size");
            return (Measure){0};
        }
        const Ast *value = let->kids.at[2];
        bool vector = infer_is_extents(s, value);
        if (!push(s, name->name, name->span, of_sizes(s, value, vector), vector))
            return (Measure){0};
    }
    if (last >= 0 && e->kids.at[last]) return measure(s, e->kids.at[last], shape);
    diag_error(s->in->cx, E0421, e->span, "this block has no value");
    return (Measure){0};
}

// Expresses a condition as a size: 1 where it holds, and 0 elsewhere. Size expressions have no
// comparison operators, but min and max can express them: x <= y holds where min(max(y - x + 1, 0),
// 1) is 1.
static Node *of_comparison(Session *cx, const SizeCheck *c)
{
    Node *zero = nat_const(cx, 0), *one = nat_const(cx, 1);
    Node *difference = nat_sub(cx, c->right, c->left);
    if (c->relation == SIZE_LE)
        return nat_min(cx, nat_max(cx, nat_add(cx, difference, one), zero), one);
    Node *distance = nat_max(cx, difference, nat_sub(cx, zero, difference));
    Node *differ = nat_min(cx, distance, one);
    return c->relation == SIZE_NE ? differ : nat_sub(cx, one, differ);
}

static Node *indicator(Scope *s, const Ast *condition)
{
    Session *cx = s->in->cx;
    const Ast *e = ast_strip(condition);
    Node *one = nat_const(cx, 1);
    bool holds;
    if (infer_is_decided(s, e, &holds)) return nat_const(cx, holds);
    if (e->kind == AST_UNARY && ast_is_named(e, "!")) {
        Node *a = indicator(s, e->kids.at[0]);
        return a ? nat_sub(cx, one, a) : NULL;
    }
    if (ast_is_binary(e, "&&") || ast_is_binary(e, "||")) {
        Node *a = indicator(s, e->kids.at[0]), *b = a ? indicator(s, e->kids.at[1]) : NULL;
        if (!b) return NULL;
        b = nat_total(cx, NULL, b); // `a` may say that a divisor is not 0
        Node *both = nat_mul(cx, a, b);
        return ast_is_binary(e, "&&") ? both : nat_sub(cx, nat_add(cx, a, b), both);
    }
    SizeChecks all = {0};
    if (!infer_where(s, e, &all)) return NULL;
    for (int i = 0; i < all.len; i++) one = nat_mul(cx, one, of_comparison(cx, &all.at[i]));
    return nat_simplify(cx, NULL, one);
}

// Builds holds * a + (1 - holds) * b. Divisions in the branch not taken must not fail.
static Node *choose(Session *cx, Node *holds, Node *a, Node *b)
{
    a = nat_total(cx, NULL, a);
    b = nat_total(cx, NULL, b);
    return nat_add(cx, b, nat_mul(cx, nat_sub(cx, a, b), holds));
}

static Measure measure_if(Scope *s, const Ast *e, bool shape)
{
    Session *cx = s->in->cx;
    Measure none = {0};
    Node *holds = indicator(s, e->kids.at[0]);
    int64_t known;
    if (!holds) return none;
    if (nat_is_const(holds, &known)) return measure(s, e->kids.at[known ? 1 : 2], shape);
    s->in->size_ifs++;
    Measure a = measure(s, e->kids.at[1], shape);
    Measure b = a.size || a.extents ? measure(s, e->kids.at[2], shape) : none;
    s->in->size_ifs--;
    if (!b.size && !b.extents) return none;
    if (!shape) return (Measure){.size = choose(cx, holds, a.size, b.size)};
    if (a.extents->n != b.extents->n) {
        diag_error(
            cx, E0421, e->span,
            "the branches have %d and %d lengths, and which is taken is not known at compile time",
            a.extents->n, b.extents->n);
        return none;
    }
    Measure m = {.extents = infer_new_extents(s->arena, a.extents->n)};
    for (int i = 0; i < m.extents->n; i++)
        m.extents->at[i] = choose(cx, holds, a.extents->at[i], b.extents->at[i]);
    return m;
}

static Measure measure(Scope *s, const Ast *e, bool shape)
{
    e = ast_strip(e);
    if (e->kind == AST_BLOCK) return of_block(s, e, shape);
    if (e->kind == AST_IF && e->kids.at[2]) return measure_if(s, e, shape);
    return of_sizes(s, e, shape);
}

Node *infer_size_of_if(Scope *s, const Ast *e)
{
    return measure_if(s, e, false).size;
}

// Reports that the function calls itself too often.
static void report_endless(Infer *in, const Ast *e, const Symbol *y)
{
    if (in->size_ifs == 0)
        diag_error(in->cx, E0206, e->span, "`%s` calls itself without end, or too often",
                   y->name->text);
    else
        diag_error(in->cx, E0421, e->span,
                   "whether `%s` calls itself again is not known at compile time", y->name->text);
}

Measure infer_measure_call(Scope *s, const Ast *e)
{
    enum { MOST_NESTED = 64, MOST_CALLS = 1000 };
    const Symbol *y = called(s, e);
    Infer *in = s->in;
    Scope inner = infer_scope_new(in, s->arena, y->unit, s->solver);
    for (int i = 0; i + 1 < e->kids.len; i++) {
        const AstParam *p = &y->item->params.at[i];
        bool shape = takes_shape(y, i);
        if (!push(&inner, p->name, p->span, of_sizes(s, e->kids.at[i + 1], shape), shape))
            return (Measure){0};
    }
    if (in->size_calls == 0) in->all_size_calls = 0;
    if (in->size_calls >= MOST_NESTED || ++in->all_size_calls > MOST_CALLS) {
        report_endless(in, e, y);
        return (Measure){0};
    }
    in->size_calls++;
    int reported = in->cx->diags.len;
    Measure m = measure(&inner, y->item->body, is_type(y->item->type, "shape"));
    in->size_calls--;
    bool failed = !m.size && !m.extents && in->cx->diags.len > reported;
    if (failed && in->size_calls == 0)
        diag_note(in->cx, in->cx->diags.at[reported], e->span, "in `%s`, called here",
                  y->name->text);
    return m;
}
