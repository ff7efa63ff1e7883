// Function names used as values, as in map(sqrt, xs) and f >> join.
#include "infer/calls/calls.h"

bool infer_is_form(const Symbol *y, PatternForm form)
{
    return y->kind == SYMBOL_PATTERN && infer_patterns[y->row].form == form;
}

Node *infer_zipped(Body *b, int n, Node **arrays)
{
    Node **elements = ARENA_ARRAY(b->arena, Node *, n + 1);
    Node *size = infer_fresh(&b->scope, GENERIC_NAT);
    for (int i = 0; i < n; i++) {
        elements[i] = infer_fresh(&b->scope, GENERIC_DATA);
        arrays[i] = type_array(b->cx, size, elements[i]);
    }
    return type_array(b->cx, size, type_tuple(b->cx, n, elements));
}

Node *infer_unzip_function(Body *b, Node *xs)
{
    Node *array = xs ? infer_settle(b, xs) : NULL;
    Node *tuple = array && array->kind == TYPE_ARRAY ? infer_settle(b, array->op[1]) : NULL;
    int n = tuple && tuple->kind == TYPE_TUPLE ? (int)tuple->nops : 2;
    Node **arrays = ARENA_ARRAY(b->arena, Node *, n + 1), *from = infer_zipped(b, n, arrays);
    return type_fun(b->cx, 1, &from, type_tuple(b->cx, n, arrays));
}

static Node *zip_function(Body *b, Node *want)
{
    Node *fun = want ? infer_settle(b, want) : NULL;
    int n = fun && fun->kind == TYPE_FUN && type_nparams(fun) > 1 ? type_nparams(fun) : 2;
    Node **arrays = ARENA_ARRAY(b->arena, Node *, n), *result = infer_zipped(b, n, arrays);
    return type_fun(b->cx, n, arrays, result);
}

static Node *signature_function(Body *b, const Ast *e, const Symbol *y, const AstVec *generics)
{
    Signature *sig = infer_signature(b->in, y);
    if (!sig) return infer_error(b);
    int n = sig->params.len;
    bool needs_call = sig->has_mode;
    for (int i = 0; i < n; i++) needs_call |= sig->params.at[i].generic >= 0;
    if (needs_call) {
        Diag *d = diag_error(b->cx, E0302, e->span,
                             "%s takes a size or a border mode and must be called", y->name->text);
        diag_note(b->cx, d, NO_SPAN, "%s", infer_show_item(b->cx, y->item));
        return infer_error(b);
    }
    Node **with = infer_instantiate(b, y, sig, generics, e->span, NULL);
    if (!with) return infer_error(b);
    infer_note(b, e)->generics = with;
    return type_fun(b->cx, n, infer_instance_params(b, sig, with),
                    infer_instance(b, sig, with, sig->result));
}

// Infers the type of a rank-polymorphic function used as a value. The expected type determines the
// ranks.
static Node *family_function(Body *b, const Ast *e, const Symbol *family, const AstVec *generics,
                             Node *want)
{
    Application a = {.e = e, .symbol = family, .generics = *generics, .want = want};
    const Symbol *y = infer_member_for(b, &a, NULL);
    if (!y) return infer_error(b);
    infer_note(b, e)->symbol = y;
    return signature_function(b, e, y, generics);
}

Node *infer_function_name(Body *b, const Ast *e, const Symbol *y, const AstVec *generics,
                          Node *want)
{
    Node *types[PRIM_OPERANDS];
    int n = y->kind == SYMBOL_PRIM ? prim_info[y->row].arity : 1;
    Node *fun = infer_wanted_function(b, want, n);
    AstVec rest = *generics;
    for (int i = 0; i < PRIM_OPERANDS; i++) types[i] = fun && i < n ? type_param(fun, i) : NULL;
    switch (y->kind) {
    case SYMBOL_FN:
        if (y->is_family) return family_function(b, e, y, generics, want);
        return signature_function(b, e, y, generics);
    case SYMBOL_PATTERN:
        infer_note_variant(b, e, e, y, &rest);
        if (infer_is_form(y, FORM_ZIP)) return zip_function(b, want);
        if (infer_is_form(y, FORM_UNZIP)) return infer_unzip_function(b, types[0]);
        return signature_function(b, e, y, &rest);
    case SYMBOL_PRIM:
        for (int i = 0; i < n; i++) types[i] = types[i] ? types[i] : infer_unknown(b);
        return type_fun(b->cx, n, types, infer_operate(b, e, (Prim)y->row, types, NULL, n));
    case SYMBOL_SCALAR: {
        Node *from = types[0] ? types[0] : infer_unknown(b);
        return type_fun(b->cx, 1, &from,
                        infer_convert(b, e, from, type_scalar(b->cx, (Scalar)y->row)));
    }
    case SYMBOL_CONST:
    case SYMBOL_STRUCT:
    case SYMBOL_ENUM:
    case SYMBOL_ALIAS:
    case SYMBOL_MODE:
    case SYMBOL_LOAD:
    case SYMBOL_SHAPE:
    case SYMBOL_SIZES:
    case SYMBOL_PRINT:
    case SYMBOL_RULE:
    case SYMBOL_STRATEGY:
    case SYMBOL_AMBIGUOUS: break;
    }
    diag_error(b->cx, E0303, e->span, "`%s` is not a function", y->name->text);
    return infer_error(b);
}
