// Literals, names and casts.
#include "infer/check/check.h"

#include <string.h>

static Node *suffix_type(Body *b, const Ast *e)
{
    const Symbol *y = map_get(&b->in->builtin, MAP_KEY(e->suffix));
    if (y && y->kind == SYMBOL_SCALAR && y->row != SCALAR_BOOL) {
        Node *t = type_scalar(b->cx, (Scalar)y->row);
        if (e->kind == AST_INT || type_is_float(t)) return t;
    }
    return infer_error(b); // the parser has reported the suffix
}

// Returns the expected type if the literal can have it, and a new unknown number type otherwise.
Node *infer_literal(Body *b, const Ast *e, Node *want)
{
    GenericKind kind = e->kind == AST_INT ? GENERIC_NUM : GENERIC_FLOAT;
    if (e->suffix) return suffix_type(b, e);
    Node *t = want ? type_lane(infer_resolve(b, want)) : NULL;
    if (t && (t->kind == TYPE_SCALAR || t->kind == TYPE_VAR) && infer_require(b, t, kind)) return t;
    return infer_fresh(&b->scope, kind);
}

Node *infer_string(Body *b, const Ast *e)
{
    return type_array(b->cx, nat_const(b->cx, (int64_t)strlen(e->value.string)),
                      type_scalar(b->cx, SCALAR_U8));
}

static Node *local_type(Body *b, const Ast *e, Local *l)
{
    if (l->same) l = l->same;
    infer_note(b, e)->local = l;
    l->used = true;
    if (l->kind == LOCAL_VALUE) return l->type;
    if (l->kind == LOCAL_SIZE) return infer_i64(b);
    if (l->kind == LOCAL_SHAPE) return infer_extents_type(b->cx, l->extents);
    diag_error(b->cx, E0203, e->span, "`%s` is a type, not a value", e->name->text);
    return infer_error(b);
}

// Infers the type of a border mode. It is allowed only as an argument, because Core has a separate
// pad for each mode.
static Node *mode_of(Body *b, const Ast *e, Node *want)
{
    Node *mode = want ? infer_settle(b, want) : NULL;
    if (mode && mode->kind == TYPE_MODE) return mode;
    Diag *d = diag_error(b->cx, E0309, e->span,
                         "a border mode is not data: it stands only as an argument");
    const char *foreign = e->name ? foreign_name(e->name->text) : NULL;
    if (foreign) diag_help(b->cx, d, "%s", foreign);
    return infer_error(b);
}

static Node *symbol_type(Body *b, const Ast *e, const Symbol *y, Node *want)
{
    Session *cx = b->cx;
    if (infer_is_ambiguous(&b->scope, y, e->span)) return infer_error(b);
    infer_note(b, e)->symbol = y;
    Signature *sig;
    switch (y->kind) {
    case SYMBOL_FN:
    case SYMBOL_PATTERN:
    case SYMBOL_PRIM:
    case SYMBOL_SCALAR: return infer_function_name(b, e, y, &e->generics, want);
    case SYMBOL_CONST:
        if (infer_const_size(b->in, y)) return infer_i64(b);
        sig = infer_signature(b->in, y);
        return sig ? sig->result : infer_error(b);
    case SYMBOL_MODE: return mode_of(b, e, want);
    case SYMBOL_STRUCT:
    case SYMBOL_ENUM:
    case SYMBOL_ALIAS:
    case SYMBOL_LOAD:
    case SYMBOL_SHAPE:
    case SYMBOL_SIZES:
    case SYMBOL_PRINT:
    case SYMBOL_RULE:
    case SYMBOL_STRATEGY:
    case SYMBOL_AMBIGUOUS: break;
    }
    bool function = y->kind == SYMBOL_LOAD || y->kind == SYMBOL_SHAPE || y->kind == SYMBOL_SIZES ||
                    y->kind == SYMBOL_PRINT;
    Diag *d = diag_error(cx, E0203, e->span, "`%s` is %s, not a value", y->name->text,
                         function ? "a function" : "a type");
    if (y->kind == SYMBOL_STRUCT)
        diag_help(cx, d, "write a value of the type: %s { field: value }", y->name->text);
    if (y->kind == SYMBOL_ENUM)
        diag_help(cx, d, "write a value of the type: %s.%s", y->name->text,
                  y->item->options.len ? y->item->options.at[0].name->text : "...");
    return infer_error(b);
}

// Infers the type of a pattern variant used as a value, such as map.src.
Node *infer_pattern_name(Body *b, const Ast *e, Node *want)
{
    const Symbol *y = infer_note(b, e)->symbol = infer_pattern_variant(b, e);
    return infer_function_name(b, e, y, &e->generics, want);
}

// Reports a break, continue or return outside any construct that it could leave.
static Node *no_loop(Body *b, const Ast *e)
{
    const char *where = ast_is_named(e, "return")  ? "in functions whose result is data"
                        : ast_is_named(e, "break") ? "in while, loop, for and with"
                                                   : "in while, loop and for";
    Diag *d = diag_error(b->cx, E0207, e->span, "there is nothing to `%s` here", e->name->text);
    diag_note(b->cx, d, NO_SPAN, "`%s` can only be used %s", e->name->text, where);
    return infer_error(b);
}

Node *infer_name(Body *b, const Ast *e, Node *want)
{
    if (!e->name) return infer_error(b);
    Local *l = infer_local_named(&b->scope, e);
    if (l) return local_type(b, e, l);
    const Symbol *y = infer_symbol_named(&b->scope, e);
    if (y) return symbol_type(b, e, y, want);
    if (infer_is_continuation_name(e->name)) return no_loop(b, e);
    infer_unknown_name(&b->scope, e->name, e->name_span.file ? e->name_span : e->span, NULL);
    return infer_error(b);
}

Node *infer_border(Body *b, const Ast *e, Node *want)
{
    Node *mode = mode_of(b, e, want);
    if (mode->kind == TYPE_MODE)
        infer_check(b, e->kids.at[0], mode->op[0], no_why);
    else
        infer_expr(b, e->kids.at[0], NULL);
    return mode;
}

Node *infer_cast(Body *b, const Ast *e)
{
    Node *to = infer_type(&b->scope, e->kids.at[1]);
    if (to->kind == TYPE_ERROR) infer_error(b);
    Node *from = infer_value(b, e->kids.at[0], infer_cast_hint(e->kids.at[0], to));
    return infer_convert(b, e, from, to);
}
