// Dispatches to the typing rule for each kind of expression and each kind of postponed constraint.
#include "infer/check/check.h"

static Node *misplaced(Body *b, const Ast *e)
{
    if (e->kind != AST_ERROR)
        diag_error(b->cx, E0203, e->span, "%s is not a value", ast_kind_text[e->kind]);
    return infer_error(b);
}

static Node *type_of(Body *b, const Ast *e, Node *want)
{
    switch (e->kind) {
    case AST_INT:
    case AST_FLOAT: return infer_literal(b, e, want);
    case AST_BOOL: return infer_boolean(b);
    case AST_STRING: return infer_string(b, e);
    case AST_NAME: return infer_name(b, e, want);
    case AST_OPERATOR: return infer_operator(b, e, want);
    case AST_CALL: return infer_call(b, e, NULL, want);
    case AST_INDEX: return infer_index(b, e, want);
    case AST_SLICE: return infer_slice(b, e);
    case AST_FIELD:
        if (infer_is_option(b, e)) return infer_option(b, e, want);
        if (infer_pattern_variant(b, e)) return infer_pattern_name(b, e, want);
        return infer_project(b, e, infer_value(b, e->kids.at[0], NULL));
    case AST_PROJ: return infer_project(b, e, infer_value(b, e->kids.at[0], NULL));
    case AST_UNARY: return infer_unary(b, e, want);
    case AST_BINARY: return infer_binary(b, e, want);
    case AST_PIPE: return infer_pipe(b, e, want);
    case AST_COMPOSE: return infer_compose(b, e, want);
    case AST_LAMBDA: return infer_lambda(b, e, want);
    case AST_IF: return infer_if(b, e, want);
    case AST_MATCH: return infer_match(b, e, want);
    case AST_WHILE: return infer_while(b, e);
    case AST_LOOP: return infer_loop(b, e, want);
    case AST_FOR:
    case AST_WITH: return infer_for(b, e);
    case AST_SCALAR: return infer_scalar(b, e, want);
    case AST_ASSIGN: return infer_assign(b, e);
    case AST_REF: return infer_reference(b, e, want);
    case AST_DEREF: return infer_dereference(b, e);
    case AST_KNOWN: infer_value(b, e->kids.at[0], NULL); return infer_boolean(b);
    case AST_HIDE:
    case AST_RUN:
    case AST_UNCHECKED: return infer_expr(b, e->kids.at[0], want);
    case AST_BLOCK: return infer_block(b, e, want);
    case AST_TUPLE: return infer_tuple(b, e, want);
    case AST_ARRAY: return infer_array(b, e, want);
    case AST_STRUCT: return infer_struct(b, e, want);
    case AST_CAST: return infer_cast(b, e);
    case AST_MODE: return infer_border(b, e, want);
    case AST_PAREN: return infer_expr(b, e->kids.at[0], want);
    case AST_WITH_LOOP: return infer_with_loop(b, e);
    case AST_ERROR:
    case AST_GENERATOR:
    case AST_DOT:
    case AST_GENARRAY:
    case AST_MODARRAY:
    case AST_FOLD:
    case AST_INIT:
    case AST_SPREAD:
    case AST_LET:
    case AST_FN:
    case AST_BIND:
    case AST_BIND_TUPLE:
    case AST_BIND_ARRAY:
    case AST_BIND_STRUCT:
    case AST_BIND_FIELD:
    case AST_WILDCARD:
    case AST_BIND_MUT:
    case AST_BIND_VALUE:
    case AST_BIND_OPTION:
    case AST_ARM:
    case AST_RULE:
    case AST_SEQUENCE:
    case AST_ELSE:
    case AST_APPLY_AT:
    case AST_TYPE_NAME:
    case AST_TYPE_ARRAY:
    case AST_TYPE_VARYING:
    case AST_TYPE_UNIFORM:
    case AST_TYPE_IDX:
    case AST_TYPE_TUPLE:
    case AST_TYPE_FN:
    case AST_TYPE_REF:
    case AST_TYPE_NEVER:
    case AST_TYPE_LIST:
    case AST_COUNT: break;
    }
    return misplaced(b, e);
}

static bool try_wait(Body *b, Wait *w, bool final)
{
    switch (w->kind) {
    case WAIT_OPERATOR: return infer_try_operator(b, w, final);
    case WAIT_CAST: return infer_try_cast(b, w, final);
    case WAIT_INDEX: return infer_try_index(b, w, final);
    case WAIT_PROJ:
    case WAIT_FIELD: return infer_try_access(b, w);
    case WAIT_LOAD: return infer_try_load(b, w, final);
    }
    return true;
}

const Rules infer_rules = {type_of, try_wait};
