// Warns about f32 constants, rounded when they were defined, that are implicitly converted to f64.
#include "infer/terms/terms.h"

static Walk is_rounded(const Ast *e, void *env)
{
    bool *found = env;
    double value = e->kind == AST_FLOAT && !e->suffix ? e->value.number : 0;
    *found |= (double)(float)value != value;
    return WALK_INTO;
}

// Whether an expression consists of literals and constants. Sets *rounded to the first constant
// with a literal that f32 cannot represent.
static bool is_constant(const Body *b, const Ast *e, const Symbol **rounded)
{
    e = ast_strip(e);
    if (ast_is_literal(e)) return true;
    if (e->kind == AST_NAME) {
        const Symbol *y = infer_note(b, e)->symbol;
        bool found = false;
        if (!y || y->kind != SYMBOL_CONST) return false;
        ast_walk(y->item->body, is_rounded, &found);
        if (found && !*rounded) *rounded = y;
        return true;
    }
    if (e->kind != AST_BINARY && e->kind != AST_UNARY) return false;
    for (int i = 0; i < e->kids.len; i++)
        if (!is_constant(b, e->kids.at[i], rounded)) return false;
    return true;
}

void elab_warn_rounded(Elab *x, const Ast *e, Node *n, Node *as)
{
    Scalar from, to;
    const Symbol *rounded = NULL;
    if (x->dead || !type_is_scalar(n->type, &from) || !type_is_scalar(type_lane(as), &to)) return;
    if (from != SCALAR_F32 || to != SCALAR_F64) return;
    e = ast_value_of(e);
    if (!is_constant(x->b, e, &rounded) || !rounded) return;
    Diag *d = diag_warning(x->cx, E0337, e->span,
                           "`%s` is an `f32`, rounded before it is converted to `f64`",
                           rounded->name->text);
    Conversion c = infer_converted(x->b, e, &e, 1, to);
    infer_help_conversion(x->b, d, &c, to);
    diag_help(x->cx, d, "if the rounded value is wanted, write the conversion: f64(%s)",
              infer_written(x->b, e->span));
}
