// Types of expressions: the first walk. `want` is the type an expression should have, or NULL: it
// flows down to where it decides something (parameters of lambdas, literals), and infer_check makes
// sure of it.
#include "infer/internal.h"

#include <string.h>

static const Why no_why = {WHY_NONE, NULL, 0};

const Ast *infer_strip(const Ast *e)
{
    while (e && e->kind == AST_PAREN && e->kids.len == 1) e = e->kids.at[0];
    return e;
}

const Ast *infer_value_of(const Ast *e)
{
    for (;;) {
        if (e->kind != AST_BLOCK && e->kind != AST_PAREN) return e;
        const Ast *last = e->kids.len ? vec_last(&e->kids) : NULL;
        if (!last) return e;
        e = last;
    }
}

// The &t that a &mut t stands for where `want` is a & too; else the type itself.
static Node *borrowed(Body *b, Node *want, Node *t)
{
    bool both = want->kind == TYPE_REF && t->kind == TYPE_REF;
    if (!both || type_ref_mutable(want) || !type_ref_mutable(t)) return t;
    return type_ref(b->cx, t->op[0], false, type_ref_space(t));
}

// The type of a tuple or struct with vectors where `want` has them, as each lane gets the values;
// or NULL.
static Node *splat_parts(Body *b, Node *want, Node *t)
{
    bool parts = want->kind == TYPE_STRUCT || want->kind == TYPE_TUPLE;
    Node *many = parts && want->kind == t->kind ? infer_like_lanes(b, t, want) : t;
    return many == t ? NULL : many;
}

bool infer_is_wider(Scalar from, Scalar to)
{
    const ScalarInfo *a = &scalar_info[from], *c = &scalar_info[to];
    if (a->class == CLASS_BOOL || c->class == CLASS_BOOL || a->size >= c->size) return false;
    return a->class == c->class || (a->class == CLASS_UINT && c->class == CLASS_INT);
}

// The type that a value of type `found` is converted to where `want` is needed, because nothing is
// lost; NULL: it is not. An index is an integer as it is for operators.
static Node *widened(Body *b, Node *want, Node *found)
{
    Scalar from, to;
    bool number = type_is_scalar(want, &to);
    if (found->kind == TYPE_IDX) {
        Node *integer = type_scalar(b->cx, SCALAR_I64);
        bool open = infer_is_unknown(want) && solver_is_number(b->scope.solver, want);
        return want == integer || (open && infer_require(b, want, GENERIC_INT)) ? integer : NULL;
    }
    return number && type_is_scalar(found, &from) && infer_is_wider(from, to) ? want : NULL;
}

// Whether a type is i64, or its values become it without a loss; a literal without a type becomes
// it.
static bool becomes_i64(Body *b, Node *t)
{
    Node *integer = type_scalar(b->cx, SCALAR_I64);
    if (infer_is_unknown(t))
        return solver_is_number(b->scope.solver, t) && infer_require(b, t, GENERIC_INT);
    return t == integer || widened(b, integer, t);
}

Node *infer_common(Body *b, Node *type, Node *found)
{
    type = infer_resolve(b, type);
    found = infer_resolve(b, found);
    if (type->kind == TYPE_IDX && found->kind == TYPE_IDX) {
        bool open = infer_unknown_in(type) || infer_unknown_in(found);
        if (open || nat_eq(b->cx, b->facts, type->op[0], found->op[0]) == TRUTH_YES) return NULL;
        return type_scalar(b->cx, SCALAR_I64);
    }
    if (type->kind == TYPE_IDX)
        return becomes_i64(b, found) ? type_scalar(b->cx, SCALAR_I64) : NULL;
    Scalar s;
    bool narrow = found->kind == TYPE_IDX && type_is_scalar(type, &s) && s != SCALAR_I64;
    if (narrow) return becomes_i64(b, type) ? type_scalar(b->cx, SCALAR_I64) : NULL;
    return type_is_scalar(found, &s) && found != type ? widened(b, found, type) : NULL;
}

// A uniform value where a vector is wanted: every lane gets it (VecImp's A-Splat). The type that it
// has there; NULL: it is none.
static Node *in_each_lane(Body *b, Node *want, Node *found)
{
    if (want->kind != TYPE_VEC || found->kind == TYPE_VEC) return NULL;
    Node *wide = widened(b, infer_resolve(b, want->op[1]), found);
    return wide ? wide : infer_is_lane(b, found) ? found : NULL;
}

// Of a choice with a vector where none should be: the branch that gives it.
static const Ast *source_of(Body *b, const Ast *e, Node *want)
{
    e = infer_value_of(e);
    if (e->kind != AST_IF || infer_lanes_inside(b, want)) return e;
    for (int i = 1; i < e->kids.len; i++) {
        Node *t = e->kids.at[i] ? infer_note(b, e->kids.at[i])->type : NULL;
        if (t && infer_lanes_inside(b, t)) return source_of(b, e->kids.at[i], want);
    }
    return e;
}

static bool unify_at(Body *b, const Ast *e, Node *want, Node *found, Why why);

// Of a function that is written out: its parameters, and its body.
static bool unify_lambda(Body *b, const Ast *e, Node *want, Node *found, Why why)
{
    bool good = true;
    for (int i = 0; i < type_nparams(found) && good; i++)
        good = infer_unify(b, type_param(want, i), type_param(found, i), e->span, why);
    return good && unify_at(b, vec_last(&e->kids), type_result(want),
                            infer_resolve(b, type_result(found)), (Why){WHY_NONE, NULL, 0});
}

// Of a tuple that is written out the component is told that does not suit.
static bool unify_at(Body *b, const Ast *e, Node *want, Node *found, Why why)
{
    e = source_of(b, e, want);
    Node *wanted = infer_resolve(b, want);
    bool lambda = e->kind == AST_LAMBDA && wanted->kind == TYPE_FUN && found->kind == TYPE_FUN;
    if (lambda && type_nparams(wanted) == type_nparams(found))
        return unify_lambda(b, e, wanted, found, why);
    bool parts = e->kind == AST_TUPLE && wanted->kind == TYPE_TUPLE && found->kind == TYPE_TUPLE &&
                 wanted->nops == found->nops && (int)found->nops == e->kids.len;
    if (!parts) return infer_unify(b, want, found, e->span, why);
    for (int i = 0; i < e->kids.len; i++)
        if (!unify_at(b, e->kids.at[i], wanted->op[i], infer_resolve(b, found->op[i]), why))
            return false;
    return true;
}

static Node *agree(Body *b, const Ast *e, Node *found, Node *want, Why why)
{
    found = infer_resolve(b, found);
    if (found == want || found->kind == TYPE_ERROR) return want;
    if (found->kind == TYPE_NEVER) return found;
    Node *wanted = infer_resolve(b, want), *t = borrowed(b, wanted, found);
    if (infer_is_vector_for(b, wanted, found)) {
        if (!infer_unify_vector(b, wanted, found, infer_value_of(e)->span, why))
            return infer_error(b);
        return infer_note(b, e)->as = want;
    }
    Node *one = in_each_lane(b, wanted, found);
    if (one) {
        if (!infer_unify(b, wanted->op[1], one, infer_value_of(e)->span, why))
            return infer_error(b);
        return infer_note(b, e)->as = want;
    }
    Node *many = splat_parts(b, wanted, found);
    if (many) {
        if (!unify_at(b, e, wanted, many, why)) return infer_error(b);
        return infer_note(b, e)->as = want;
    }
    Node *wide = widened(b, wanted, found);
    if (wide) t = wide;
    if (!unify_at(b, e, want, t, why)) return infer_error(b);
    if (t != found) infer_note(b, e)->as = want;
    return want;
}

Node *infer_part_of(Body *b, const Ast *e, Node *want, Why why)
{
    Node *found = infer_settle(b, infer_expr(b, e, want));
    Node *many = infer_like_lanes(b, want, found);
    return infer_accept(b, e, found, many == infer_resolve(b, want) ? want : many, why);
}

Node *infer_agree(Body *b, const Ast *e, Node *want, Why why)
{
    return agree(b, e, infer_expr(b, e, want), want, why);
}

Node *infer_accept(Body *b, const Ast *e, Node *found, Node *want, Why why)
{
    Node *t = agree(b, e, found, want, why);
    if (t->kind != TYPE_NEVER || want->kind == TYPE_NEVER) return t;
    infer_note(b, e)->as = want;
    return want;
}

Node *infer_check(Body *b, const Ast *e, Node *want, Why why)
{
    return infer_accept(b, e, infer_expr(b, e, want), want, why);
}

Node *infer_value(Body *b, const Ast *e, Node *want)
{
    Node *t = infer_expr(b, e, want);
    if (t->kind != TYPE_NEVER) return t;
    return infer_note(b, e)->as = infer_unknown(b);
}

// --- literals ----------------------------------------------------------------------------------

static Node *suffix_type(Body *b, const Ast *e)
{
    const Symbol *y = map_get(&b->in->builtin, MAP_KEY(e->suffix));
    if (y && y->kind == SYMBOL_SCALAR && y->row != SCALAR_BOOL) {
        Node *t = type_scalar(b->cx, (Scalar)y->row);
        if (e->kind == AST_INT || type_is_float(t)) return t;
    }
    return infer_error(b); // reported by the parser
}

// The wanted type if the literal can be of it, else an unknown number.
static Node *literal_type(Body *b, const Ast *e, Node *want)
{
    GenericKind kind = e->kind == AST_INT ? GENERIC_NUM : GENERIC_FLOAT;
    if (e->suffix) return suffix_type(b, e);
    Node *t = want ? type_lane(infer_resolve(b, want)) : NULL;
    if (t && (t->kind == TYPE_SCALAR || t->kind == TYPE_VAR) && infer_require(b, t, kind)) return t;
    return infer_fresh(&b->scope, kind);
}

// A string is the array of its bytes.
static Node *string_type(Body *b, const Ast *e)
{
    return type_array(b->cx, nat_const(b->cx, (int64_t)strlen(e->value.string)),
                      type_scalar(b->cx, SCALAR_U8));
}

// What a literal under a cast to `to` should be: of that type when it fits.
Node *infer_cast_hint(const Ast *e, Node *to)
{
    const Ast *literal = infer_strip(e);
    bool negative = literal->kind == AST_UNARY && infer_is_literal(e);
    to = type_lane(to);
    if (!infer_is_literal(e)) return NULL;
    if (negative) literal = infer_strip(literal->kids.at[0]);
    if (type_is_float(to)) return to;
    if (!type_is_integer(to) || literal->kind != AST_INT) return NULL;
    const ScalarInfo *info = &scalar_info[to->attr.i];
    int bits = info->size * 8 - (info->class == CLASS_INT);
    bool fits = bits >= 64 || (uint64_t)literal->value.integer >> bits == 0;
    return fits && (!negative || info->class == CLASS_INT) ? to : NULL;
}

// --- names -------------------------------------------------------------------------------------

static Node *local_type(Body *b, const Ast *e, Local *l)
{
    if (l->same) l = l->same;
    infer_note(b, e)->local = l;
    l->used = true;
    if (l->kind == LOCAL_VALUE) return l->type;
    if (l->kind == LOCAL_SIZE) return type_scalar(b->cx, SCALAR_I64);
    if (l->kind == LOCAL_SHAPE) return infer_extents_type(b->cx, l->extents);
    diag_error(b->cx, E0203, e->span, "`%s` is a type, not a value", e->name->text);
    return infer_error(b);
}

// A border mode stands only as an argument: Core has a pad of its own for each.
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
        if (infer_const_size(b->in, y)) return type_scalar(cx, SCALAR_I64);
        sig = infer_signature(b->in, y);
        return sig ? sig->result : infer_error(b);
    case SYMBOL_MODE: return mode_of(b, e, want);
    case SYMBOL_STRUCT:
    case SYMBOL_ENUM:
    case SYMBOL_ALIAS:
    case SYMBOL_LOAD:
    case SYMBOL_SHAPE:
    case SYMBOL_PRINT:
    case SYMBOL_RULE:
    case SYMBOL_STRATEGY:
    case SYMBOL_AMBIGUOUS: break;
    }
    bool function = y->kind == SYMBOL_LOAD || y->kind == SYMBOL_SHAPE || y->kind == SYMBOL_PRINT;
    Diag *d = diag_error(cx, E0203, e->span, "`%s` is %s, not a value", y->name->text,
                         function ? "a function" : "a type");
    if (y->kind == SYMBOL_STRUCT)
        diag_help(cx, d, "make a value of it: %s { field: value }", y->name->text);
    if (y->kind == SYMBOL_ENUM)
        diag_help(cx, d, "make a value of it: %s.%s", y->name->text,
                  y->item->options.len ? y->item->options.at[0].name->text : "...");
    return infer_error(b);
}

// map.src standing alone
static Node *pattern_type(Body *b, const Ast *e, Node *want)
{
    const Symbol *y = infer_note(b, e)->symbol = infer_pattern_variant(b, e);
    return infer_function_name(b, e, y, &e->generics, want);
}

static Node *name_type(Body *b, const Ast *e, Node *want)
{
    if (!e->name) return infer_error(b);
    Local *l = infer_find_local(&b->scope, e->name);
    if (l) return local_type(b, e, l);
    const Symbol *y = infer_find_symbol(&b->scope, e->name);
    if (y) return symbol_type(b, e, y, want);
    if (infer_is_continuation_name(e->name)) return infer_no_loop(b, e);
    infer_unknown_name(&b->scope, e->name, e->name_span.file ? e->name_span : e->span, NULL);
    return infer_error(b);
}

// --- operators ---------------------------------------------------------------------------------

static Node *boolean(Body *b)
{
    return type_scalar(b->cx, SCALAR_BOOL);
}

static bool is_logical(Sym name)
{
    return name && (strcmp(name->text, "&&") == 0 || strcmp(name->text, "||") == 0);
}

static Node *unknown_operator(Body *b, const Ast *e)
{
    diag_error(b->cx, E0304, e->span, "`%s` is not an operator", e->name ? e->name->text : "");
    return infer_error(b);
}

static Node *unary_type(Body *b, const Ast *e, Node *want)
{
    Prim op;
    const Ast *operand = e->kids.at[0];
    if (!infer_find_operator(e->name, 1, &op)) return unknown_operator(b, e);
    bool literal = infer_is_literal(operand);
    const Ast *number = infer_strip(operand);
    if (op == PRIM_NEG && (number->kind == AST_INT || number->kind == AST_FLOAT))
        infer_note(b, number)->negative = true;
    Node *t = infer_value(b, operand, literal ? want : NULL);
    return infer_operate(b, e, op, &t, &literal, 1);
}

// a && b, a || b: of vectors lane by lane, where b is for the lanes that need it.
static Node *logical_type(Body *b, const Ast *e)
{
    Node *l = infer_condition(b, e->kids.at[0]), *r = infer_condition(b, e->kids.at[1]);
    Node *lanes = infer_note(b, e)->simd = l ? l : r;
    if (!lanes) return boolean(b);
    Node *type = type_varying(b->cx, lanes, boolean(b));
    if (l && r)
        infer_unify_sizes(b, l, r, type, type_varying(b->cx, r, boolean(b)), e->span,
                          (Why){WHY_LANES, NULL, 0});
    return type;
}

static Node *binary_type(Body *b, const Ast *e, Node *want)
{
    Prim op;
    const Ast *l = e->kids.at[0], *r = e->kids.at[1];
    if (is_logical(e->name)) return logical_type(b, e);
    if (e->name && strcmp(e->name->text, "++") == 0) return infer_call(b, e, want);
    if (!infer_find_operator(e->name, 2, &op)) return unknown_operator(b, e);
    Node *types[2] = {infer_value(b, l, NULL), NULL};
    types[1] = infer_value(b, r, NULL);
    bool literal[2] = {infer_is_literal(l), infer_is_literal(r)};
    return infer_operate(b, e, op, types, literal, 2);
}

// The pair that a function of one parameter takes, or NULL.
static Node *pair_param(Body *b, Node *fun)
{
    if (!fun || fun->kind != TYPE_FUN || type_nparams(fun) != 1) return NULL;
    Node *pair = infer_settle(b, type_param(fun, 0));
    return pair->kind == TYPE_TUPLE && pair->nops == 2 ? pair : NULL;
}

// An operator as a function; its number of operands is what is wanted, else the greater possible
// one. Where a function of pairs is wanted, as in zip(a, b) |> map(*), the pair is both operands.
static Node *operator_type(Body *b, const Ast *e, Node *want)
{
    Prim op;
    Node *fun = want ? infer_settle(b, want) : NULL, *pair = pair_param(b, fun);
    int n = fun && fun->kind == TYPE_FUN && !pair ? type_nparams(fun) : 2;
    if (is_logical(e->name)) {
        Node *both[2] = {boolean(b), boolean(b)};
        if (!pair) return type_fun(b->cx, 2, both, boolean(b));
        return type_fun(b->cx, 1, (Node *[]){type_tuple(b->cx, 2, both)}, boolean(b));
    }
    if (n != 1 && n != 2) n = 2;
    if (!infer_find_operator(e->name, n, &op)) {
        n = 3 - n;
        if (!infer_find_operator(e->name, n, &op)) return unknown_operator(b, e);
    }
    Node *types[2] = {NULL, NULL};
    bool given = fun && fun->kind == TYPE_FUN && type_nparams(fun) == n;
    for (int i = 0; i < n; i++)
        types[i] = pair ? pair->op[i] : given ? type_param(fun, i) : infer_unknown(b);
    Node *result = infer_operate(b, e, op, types, NULL, n);
    return pair ? type_fun(b->cx, 1, &pair, result) : type_fun(b->cx, n, types, result);
}

// x >> 1 where a shift is meant.
static bool is_shift(Body *b, const Ast *e, Node *left)
{
    Node *t = infer_settle(b, left);
    bool number = type_is_number(t) || t->kind == TYPE_IDX || infer_is_literal(e->kids.at[0]);
    if (!number) return false;
    Diag *d = diag_error(b->cx, E0304, e->span, "`>>` composes functions, and this is a number");
    diag_help(b->cx, d, "to shift the bits of an integer to the right write >>>");
    infer_expr(b, e->kids.at[1], NULL);
    return true;
}

// f >> g : fn(A) -> C with f : fn(A) -> B and g : fn(B) -> C
static Node *compose_type(Body *b, const Ast *e, Node *want)
{
    Node *fun = want ? infer_settle(b, want) : NULL;
    bool given = fun && fun->kind == TYPE_FUN && type_nparams(fun) == 1;
    Node *from = given ? type_param(fun, 0) : infer_unknown(b), *middle = infer_unknown(b);
    Node *to = given ? type_result(fun) : infer_unknown(b);
    Node *first = type_fun(b->cx, 1, &from, middle), *found = infer_expr(b, e->kids.at[0], first);
    if (is_shift(b, e, found)) return infer_error(b);
    infer_unify(b, first, found, infer_value_of(e->kids.at[0])->span, (Why){WHY_COMPOSE, NULL, 0});
    middle = infer_resolve(b, middle);
    infer_check(b, e->kids.at[1], type_fun(b->cx, 1, &middle, to), (Why){WHY_COMPOSE, NULL, 0});
    return type_fun(b->cx, 1, &from, to);
}

// --- the walk ----------------------------------------------------------------------------------

static Node *mode_type(Body *b, const Ast *e, Node *want)
{
    Node *mode = mode_of(b, e, want);
    if (mode->kind == TYPE_MODE)
        infer_check(b, e->kids.at[0], mode->op[0], no_why);
    else
        infer_expr(b, e->kids.at[0], NULL);
    return mode;
}

static Node *cast_type(Body *b, const Ast *e)
{
    Node *to = infer_type(&b->scope, e->kids.at[1]);
    if (to->kind == TYPE_ERROR) infer_error(b);
    Node *from = infer_value(b, e->kids.at[0], infer_cast_hint(e->kids.at[0], to));
    return infer_convert(b, e, from, to);
}

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
    case AST_FLOAT: return literal_type(b, e, want);
    case AST_BOOL: return boolean(b);
    case AST_STRING: return string_type(b, e);
    case AST_NAME: return name_type(b, e, want);
    case AST_OPERATOR: return operator_type(b, e, want);
    case AST_CALL: return infer_call(b, e, want);
    case AST_INDEX: return infer_index(b, e, want);
    case AST_SLICE: return infer_slice(b, e);
    case AST_FIELD:
        if (infer_is_option(b, e)) return infer_option(b, e, want);
        if (infer_pattern_variant(b, e)) return pattern_type(b, e, want);
        return infer_project(b, e, infer_value(b, e->kids.at[0], NULL));
    case AST_PROJ: return infer_project(b, e, infer_value(b, e->kids.at[0], NULL));
    case AST_UNARY: return unary_type(b, e, want);
    case AST_BINARY: return binary_type(b, e, want);
    case AST_PIPE: return infer_pipe(b, e, want);
    case AST_COMPOSE: return compose_type(b, e, want);
    case AST_LAMBDA: return infer_lambda(b, e, want);
    case AST_IF: return infer_if(b, e, want);
    case AST_MATCH: return infer_match(b, e, want);
    case AST_WHILE: return infer_while(b, e);
    case AST_LOOP: return infer_loop(b, e);
    case AST_FOR:
    case AST_WITH: return infer_for(b, e);
    case AST_SCALAR: return infer_scalar(b, e, want);
    case AST_ASSIGN: return infer_assign(b, e);
    case AST_REF: return infer_reference(b, e, want);
    case AST_DEREF: return infer_dereference(b, e);
    case AST_KNOWN: infer_value(b, e->kids.at[0], NULL); return boolean(b);
    case AST_HIDE:
    case AST_RUN:
    case AST_UNCHECKED: return infer_expr(b, e->kids.at[0], want);
    case AST_BLOCK: return infer_block(b, e, want);
    case AST_TUPLE: return infer_tuple(b, e, want);
    case AST_ARRAY: return infer_array(b, e, want);
    case AST_STRUCT: return infer_struct(b, e, want);
    case AST_CAST: return cast_type(b, e);
    case AST_MODE: return mode_type(b, e, want);
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

Node *infer_expr(Body *b, const Ast *e, Node *want)
{
    if (!e) return infer_error(b);
    Node *t = type_of(b, e, want);
    const char *excess = t->nops > 0 ? type_excess(infer_resolve(b, t)) : NULL;
    if (excess) {
        diag_error(b->cx, E0316, e->span, "this value has %s", excess);
        t = infer_error(b);
    }
    infer_note(b, e)->type = t;
    vec_push(b->arena, &b->seen, e);
    return t;
}
