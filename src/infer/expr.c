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

// Where the value of an expression comes from: errors point there, not at a whole block.
static const Ast *value_of(const Ast *e)
{
    for (;;) {
        if (e->kind != AST_BLOCK && e->kind != AST_PAREN) return e;
        const Ast *last = e->kids.len ? vec_last(&e->kids) : NULL;
        if (!last) return e;
        e = last;
    }
}

Node *infer_check(Body *b, const Ast *e, Node *want, Why why)
{
    Node *t = infer_expr(b, e, want);
    if (t == want || t->kind == TYPE_ERROR) return want;
    if (infer_unify(b, want, t, value_of(e)->span, why)) return want;
    return infer_error(b);
}

// --- literals
// ----------------------------------------------------------------------------------------

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
    Node *t = want ? infer_resolve(b, want) : NULL;
    if (t && (t->kind == TYPE_SCALAR || t->kind == TYPE_VAR) && infer_require(b, t, kind)) return t;
    return infer_fresh(&b->scope, kind);
}

// What a literal under a cast to `to` should be: of that type when it fits.
Node *infer_cast_hint(const Ast *e, Node *to)
{
    const Ast *literal = infer_strip(e);
    bool negative = literal->kind == AST_UNARY && infer_is_literal(e);
    if (!infer_is_literal(e)) return NULL;
    if (negative) literal = infer_strip(literal->kids.at[0]);
    if (type_is_float(to)) return to;
    if (!type_is_integer(to) || literal->kind != AST_INT) return NULL;
    const ScalarInfo *info = &scalar_info[to->attr.i];
    int bits = info->size * 8 - (info->class == CLASS_INT);
    bool fits = bits >= 64 || (uint64_t)literal->value.integer >> bits == 0;
    return fits && (!negative || info->class == CLASS_INT) ? to : NULL;
}

// --- names
// -------------------------------------------------------------------------------------------

static Node *local_type(Body *b, const Ast *e, Local *l)
{
    infer_note(b, e)->local = l;
    if (l->kind == LOCAL_VALUE) return l->type;
    if (l->kind == LOCAL_SIZE) return type_scalar(b->cx, SCALAR_I64);
    diag_error(b->cx, E0203, e->span, "`%s` is a type, not a value", e->name->text);
    return infer_error(b);
}

// A border mode stands only as an argument: Core has a pad of its own for each.
static Node *mode_of(Body *b, const Ast *e, Node *want)
{
    Node *mode = want ? infer_settle(b, want) : NULL;
    if (mode && mode->kind == TYPE_MODE) return mode;
    diag_error(b->cx, E0309, e->span, "a border mode is not data: it stands only as an argument");
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
    case SYMBOL_ALIAS:
    case SYMBOL_LOAD:
    case SYMBOL_AMBIGUOUS: break;
    }
    Diag *d = diag_error(cx, E0203, e->span, "`%s` is %s, not a value", y->name->text,
                         y->kind == SYMBOL_LOAD ? "a function" : "a type");
    if (y->kind == SYMBOL_STRUCT)
        diag_help(cx, d, "make a value of it: %s { field: value }", y->name->text);
    return infer_error(b);
}

static Node *name_type(Body *b, const Ast *e, Node *want)
{
    if (!e->name) return infer_error(b);
    Local *l = infer_find_local(&b->scope, e->name);
    if (l) return local_type(b, e, l);
    const Symbol *y = infer_find_symbol(&b->scope, e->name);
    if (y) return symbol_type(b, e, y, want);
    infer_unknown_name(&b->scope, e->name, e->name_span.file ? e->name_span : e->span, NULL);
    return infer_error(b);
}

// --- operators
// ---------------------------------------------------------------------------------------

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
    Node *t = infer_expr(b, operand, literal ? want : NULL);
    return infer_operate(b, e, op, &t, &literal, 1);
}

static Node *binary_type(Body *b, const Ast *e, Node *want)
{
    Prim op;
    const Ast *l = e->kids.at[0], *r = e->kids.at[1];
    if (is_logical(e->name)) {
        infer_check(b, l, boolean(b), (Why){WHY_CONDITION, NULL, 0});
        infer_check(b, r, boolean(b), (Why){WHY_CONDITION, NULL, 0});
        return boolean(b);
    }
    if (e->name && strcmp(e->name->text, "++") == 0) return infer_call(b, e, want);
    if (!infer_find_operator(e->name, 2, &op)) return unknown_operator(b, e);
    Node *types[2] = {infer_expr(b, l, NULL), NULL};
    types[1] = infer_expr(b, r, NULL);
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

// f >> g : fn(A) -> C with f : fn(A) -> B and g : fn(B) -> C
static Node *compose_type(Body *b, const Ast *e, Node *want)
{
    Node *fun = want ? infer_settle(b, want) : NULL;
    bool given = fun && fun->kind == TYPE_FUN && type_nparams(fun) == 1;
    Node *from = given ? type_param(fun, 0) : infer_unknown(b), *middle = infer_unknown(b);
    Node *to = given ? type_result(fun) : infer_unknown(b);
    infer_check(b, e->kids.at[0], type_fun(b->cx, 1, &from, middle), (Why){WHY_COMPOSE, NULL, 0});
    middle = infer_resolve(b, middle);
    infer_check(b, e->kids.at[1], type_fun(b->cx, 1, &middle, to), (Why){WHY_COMPOSE, NULL, 0});
    return type_fun(b->cx, 1, &from, to);
}

// --- bindings
// ----------------------------------------------------------------------------------------

static void bind_tuple(Body *b, const Ast *pattern, Node *type, Local *parent, int component)
{
    int n = pattern->kids.len;
    Local *l = ARENA_NEW(b->arena, Local);
    *l = (Local){.kind = LOCAL_VALUE,
                 .type = type,
                 .parent = parent,
                 .component = component,
                 .level = -1,
                 .mode = -1};
    infer_note(b, pattern)->local = l;
    Node *t = infer_settle(b, type);
    Node **parts = ARENA_ARRAY(b->arena, Node *, n + 1);
    if (t->kind == TYPE_META) {
        for (int i = 0; i < n; i++) parts[i] = infer_fresh(&b->scope, GENERIC_DATA);
        if (infer_unify(b, type_tuple(b->cx, n, parts), t, pattern->span, no_why))
            t = infer_resolve(b, t);
    }
    bool fits = t->kind == TYPE_TUPLE && (int)t->nops == n;
    if (!fits && t->kind != TYPE_ERROR)
        diag_error(b->cx, E0313, pattern->span, "a pattern of %d parts does not match `%s`", n,
                   infer_show(b, t));
    if (!fits) b->failed = true;
    for (int i = 0; i < n; i++)
        infer_bind(b, pattern->kids.at[i], fits ? t->op[i] : infer_error(b), l, i);
}

// Gives the names of a pattern the parts of a value of this type; `parent` is the tuple it is
// component of, or NULL.
void infer_bind(Body *b, const Ast *pattern, Node *type, Local *parent, int component)
{
    infer_note(b, pattern)->type = type;
    vec_push(b->arena, &b->seen, pattern);
    if (pattern->kind == AST_BIND_TUPLE) {
        bind_tuple(b, pattern, type, parent, component);
        return;
    }
    if (pattern->kind != AST_BIND || !pattern->name) return;
    if (pattern->kids.len && pattern->kids.at[0]) {
        Node *written = infer_type(&b->scope, pattern->kids.at[0]);
        if (written->kind == TYPE_ERROR) b->failed = true;
        infer_unify(b, written, type, pattern->span, (Why){WHY_ANNOTATION, NULL, 0});
    }
    Local *l = infer_local_push(&b->scope, LOCAL_VALUE, pattern->name, pattern->span, type);
    l->parent = parent;
    l->component = component;
    infer_note(b, pattern)->local = l;
}

static void let_size(Body *b, const Ast *let)
{
    const Ast *pattern = let->kids.at[0];
    Node *n = infer_size(&b->scope, let->kids.at[2]);
    if (!n || pattern->kind != AST_BIND) {
        infer_error(b);
        n = nat_const(b->cx, 0);
    }
    infer_oblige(b, SIZE_LE, nat_const(b->cx, 0), n, let->kids.at[2]->span,
                 (Why){WHY_GENERIC, NULL, 0});
    if (pattern->kind == AST_BIND && pattern->name)
        infer_local_push(&b->scope, LOCAL_SIZE, pattern->name, pattern->span, n);
}

static void let_types(Body *b, const Ast *let)
{
    const Ast *written = let->kids.at[1], *value = let->kids.at[2];
    Node *t;
    if (written && infer_is_nat_type(&b->scope, written)) {
        let_size(b, let);
        return;
    }
    if (written) {
        t = infer_type(&b->scope, written);
        if (t->kind == TYPE_ERROR) infer_error(b);
        infer_check(b, value, t, (Why){WHY_ANNOTATION, NULL, 0});
    } else {
        t = infer_expr(b, value, NULL);
    }
    infer_bind(b, let->kids.at[0], t, NULL, 0);
}

static Node *block_type(Body *b, const Ast *e, Node *want)
{
    int mark = infer_scope_mark(&b->scope), last = e->kids.len - 1;
    for (int i = 0; i < last; i++) {
        const Ast *s = e->kids.at[i];
        if (s->kind == AST_LET && s->kids.len == 3)
            let_types(b, s);
        else
            infer_error(b);
    }
    Node *t = last < 0 ? infer_error(b) : infer_expr(b, e->kids.at[last], want);
    infer_scope_release(&b->scope, mark);
    return t;
}

static void wrong_lambda(Body *b, const Ast *e, Node *want)
{
    int n = e->kids.len - 1, m = type_nparams(want);
    Session *cx = b->cx;
    Diag *d = diag_error(cx, E0302, e->span,
                         "this function takes %d argument%s, but one of %d is expected", n,
                         n == 1 ? "" : "s", m);
    diag_note(cx, d, NO_SPAN, "expected: %s", infer_show(b, want));
    if (m == 1 && infer_resolve(b, type_param(want, 0))->kind == TYPE_TUPLE)
        diag_help(cx, d, "take the tuple apart with parentheses: |(a, b)| ...");
    infer_error(b);
}

static Node *lambda_type(Body *b, const Ast *e, Node *want)
{
    int n = e->kids.len - 1, mark = infer_scope_mark(&b->scope);
    Node *fun = want ? infer_settle(b, want) : NULL;
    bool wanted = fun && fun->kind == TYPE_FUN, given = wanted && type_nparams(fun) == n;
    if (wanted && !given) wrong_lambda(b, e, fun);
    Node **params = ARENA_ARRAY(b->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) {
        params[i] = given ? type_param(fun, i) : wanted ? infer_error(b) : infer_unknown(b);
        infer_bind(b, e->kids.at[i], params[i], NULL, 0);
    }
    const Ast *body = e->kids.at[n];
    Node *result =
        given ? infer_check(b, body, type_result(fun), no_why) : infer_expr(b, body, NULL);
    infer_scope_release(&b->scope, mark);
    bool bad = (wanted && !given) || result->kind == TYPE_ERROR;
    return bad ? infer_error(b) : type_fun(b->cx, n, params, result);
}

static Node *if_type(Body *b, const Ast *e, Node *want)
{
    Why branch = {WHY_BRANCH, NULL, 0};
    infer_check(b, e->kids.at[0], boolean(b), (Why){WHY_CONDITION, NULL, 0});
    Node *t =
        want ? infer_check(b, e->kids.at[1], want, no_why) : infer_expr(b, e->kids.at[1], NULL);
    if (t->kind == TYPE_ERROR) return infer_expr(b, e->kids.at[2], NULL);
    infer_check(b, e->kids.at[2], t, want ? no_why : branch);
    return t;
}

// --- data
// --------------------------------------------------------------------------------------------

static Node *tuple_type(Body *b, const Ast *e, Node *want)
{
    int n = e->kids.len;
    Node *tuple = want ? infer_settle(b, want) : NULL;
    bool given = tuple && tuple->kind == TYPE_TUPLE && (int)tuple->nops == n;
    Node **parts = ARENA_ARRAY(b->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) {
        const Ast *kid = e->kids.at[i];
        parts[i] = given ? infer_check(b, kid, tuple->op[i], no_why) : infer_expr(b, kid, NULL);
        Node *t = infer_resolve(b, parts[i]);
        if (t->kind == TYPE_FUN || t->kind == TYPE_MODE) {
            diag_error(b->cx, E0309, kid->span, "functions are not data: a tuple holds data");
            parts[i] = infer_error(b);
        }
    }
    return type_tuple(b->cx, n, parts);
}

static Node *array_type(Body *b, const Ast *e, Node *want)
{
    Node *array = want ? infer_settle(b, want) : NULL;
    Node *element =
        array && array->kind == TYPE_ARRAY ? array->op[1] : infer_fresh(&b->scope, GENERIC_DATA);
    Node *size = nat_const(b->cx, e->kids.len);
    bool bad = false;
    for (int i = 0; i < e->kids.len; i++)
        bad = infer_check(b, e->kids.at[i], bad ? infer_error(b) : element,
                          (Why){WHY_ELEMENT, NULL, 0})
                      ->kind == TYPE_ERROR ||
              bad;
    if (bad) return infer_error(b);
    return type_array(b->cx, size, element);
}

static int field_number(const Symbol *y, int n, Sym name)
{
    for (int i = 0; i < n; i++)
        if (y->fields[i] == name) return i;
    return -1;
}

static void check_fields(Body *b, const Ast *e, const Symbol *y, Node *type)
{
    Session *cx = b->cx;
    int n = (int)type->nops;
    bool *given = ARENA_ARRAY(b->arena, bool, n + 1);
    for (int i = 0; i < e->kids.len; i++) {
        const Ast *init = e->kids.at[i];
        if (init->kind != AST_INIT || !init->name) {
            infer_error(b);
            continue;
        }
        int k = field_number(y, n, init->name);
        if (k < 0 || given[k]) {
            Diag *d =
                diag_error(cx, k < 0 ? E0307 : E0308, init->name_span,
                           k < 0 ? "`%s` has no field `%s`" : "`%s` is given field `%s` twice",
                           y->name->text, init->name->text);
            diag_note(cx, d, y->item->name_span, "the struct is declared here");
            infer_error(b);
            infer_expr(b, init->kids.at[0], NULL);
            continue;
        }
        given[k] = true;
        infer_check(b, init->kids.at[0], type->op[k], (Why){WHY_FIELD, y, k});
    }
    for (int i = 0; i < n; i++) {
        if (given[i]) continue;
        diag_error(cx, E0308, e->span, "field `%s` of `%s` is missing", y->fields[i]->text,
                   y->name->text);
        infer_error(b);
        return;
    }
}

static Node *struct_type(Body *b, const Ast *e, Node *want)
{
    const Symbol *y = e->name ? infer_find_symbol(&b->scope, e->name) : NULL;
    if (e->name && !y)
        infer_unknown_name(&b->scope, e->name, e->name_span, "a struct is expected here");
    if (y && infer_is_ambiguous(&b->scope, y, e->span)) y = NULL;
    if (y && y->kind != SYMBOL_STRUCT) {
        diag_error(b->cx, E0203, e->name_span, "`%s` is not a struct", e->name->text);
        y = NULL;
    }
    int n = y && infer_declared_type(b->in, y) ? y->generics.len : -1;
    Node **with =
        n < 0 ? NULL : infer_generics(&b->scope, y, y->generics.at, n, n, &e->generics, e->span);
    if (!with) {
        for (int i = 0; i < e->kids.len; i++)
            if (e->kids.at[i]->kids.len) infer_expr(b, e->kids.at[i]->kids.at[0], NULL);
        return infer_error(b);
    }
    infer_note(b, e)->symbol = y;
    Node *type = infer_replace(b->cx, y->type, y->generics.at, with, n);
    if (want && infer_resolve(b, want)->kind == TYPE_STRUCT &&
        !infer_unify(b, want, type, e->span, no_why))
        return infer_error(b);
    check_fields(b, e, y, type);
    return type;
}

// --- indices
// -----------------------------------------------------------------------------------------

// The (array) type of `e` taken apart; an unknown type becomes an array.
static bool element_of(Body *b, const Ast *e, Node *t, Node **size, Node **element)
{
    t = infer_settle(b, t);
    if (t->kind == TYPE_META) {
        Node *array = type_array(b->cx, infer_fresh(&b->scope, GENERIC_NAT),
                                 infer_fresh(&b->scope, GENERIC_DATA));
        if (infer_unify(b, array, t, e->span, no_why)) t = array;
    }
    if (t->kind != TYPE_ARRAY) {
        if (t->kind != TYPE_ERROR)
            diag_error(b->cx, E0306, e->span, "`%s` is not an array and has no elements",
                       infer_show(b, t));
        infer_error(b);
        return false;
    }
    *size = t->op[0];
    *element = t->op[1];
    return true;
}

static Node *index_type(Body *b, const Ast *e, Node *want)
{
    AstVec generics;
    const Symbol *y = infer_generic_name(b, e, &generics);
    if (y && y->kind != SYMBOL_CONST) {
        infer_note(b, e)->symbol = y;
        return infer_function_name(b, e, y, &generics, want);
    }
    Node *t = infer_expr(b, e->kids.at[0], NULL), *size;
    bool good = true;
    for (int i = 1; i < e->kids.len; i++) {
        Node *index = infer_expr(b, e->kids.at[i], NULL);
        infer_index_type(b, e->kids.at[i], index);
        good = good && element_of(b, e->kids.at[0], t, &size, &t);
    }
    return good ? t : infer_error(b);
}

static Node *slice_type(Body *b, const Ast *e)
{
    Node *size, *element, *zero = nat_const(b->cx, 0);
    const Ast *lo_at = e->kids.at[1], *hi_at = e->kids.len > 2 ? e->kids.at[2] : NULL;
    Node *t = infer_expr(b, e->kids.at[0], NULL);
    if (!element_of(b, e->kids.at[0], t, &size, &element)) return infer_error(b);
    Node *lo = lo_at ? infer_size(&b->scope, lo_at) : zero,
         *hi = hi_at ? infer_size(&b->scope, hi_at) : size;
    if (!lo || !hi) return infer_error(b);
    Why why = {WHY_SLICE, NULL, 0};
    infer_oblige(b, SIZE_LE, zero, lo, e->span, why);
    infer_oblige(b, SIZE_LE, lo, hi, e->span, why);
    infer_oblige(b, SIZE_LE, hi, size, e->span, why);
    Node **bounds = ARENA_ARRAY(b->arena, Node *, 2);
    bounds[0] = lo;
    bounds[1] = nat_sub(b->cx, hi, lo);
    infer_note(b, e)->generics = bounds;
    return type_array(b->cx, bounds[1], element);
}

// --- the walk
// ----------------------------------------------------------------------------------------

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
    Node *from = infer_expr(b, e->kids.at[0], infer_cast_hint(e->kids.at[0], to));
    return infer_convert(b, e, from, to);
}

static Node *misplaced(Body *b, const Ast *e)
{
    if (e->kind == AST_STRING)
        diag_error(b->cx, E0203, e->span, "a text is a value only as the argument of load");
    else if (e->kind != AST_ERROR)
        diag_error(b->cx, E0203, e->span, "%s is not a value", ast_kind_text[e->kind]);
    return infer_error(b);
}

static Node *type_of(Body *b, const Ast *e, Node *want)
{
    switch (e->kind) {
    case AST_INT:
    case AST_FLOAT: return literal_type(b, e, want);
    case AST_BOOL: return boolean(b);
    case AST_NAME: return name_type(b, e, want);
    case AST_OPERATOR: return operator_type(b, e, want);
    case AST_CALL: return infer_call(b, e, want);
    case AST_INDEX: return index_type(b, e, want);
    case AST_SLICE: return slice_type(b, e);
    case AST_PROJ:
    case AST_FIELD: return infer_project(b, e, infer_expr(b, e->kids.at[0], NULL));
    case AST_UNARY: return unary_type(b, e, want);
    case AST_BINARY: return binary_type(b, e, want);
    case AST_PIPE: return infer_pipe(b, e, want);
    case AST_COMPOSE: return compose_type(b, e, want);
    case AST_LAMBDA: return lambda_type(b, e, want);
    case AST_IF: return if_type(b, e, want);
    case AST_BLOCK: return block_type(b, e, want);
    case AST_TUPLE: return tuple_type(b, e, want);
    case AST_ARRAY: return array_type(b, e, want);
    case AST_STRUCT: return struct_type(b, e, want);
    case AST_CAST: return cast_type(b, e);
    case AST_MODE: return mode_type(b, e, want);
    case AST_PAREN: return infer_expr(b, e->kids.at[0], want);
    case AST_ERROR:
    case AST_STRING:
    case AST_INIT:
    case AST_LET:
    case AST_BIND:
    case AST_BIND_TUPLE:
    case AST_WILDCARD:
    case AST_TYPE_NAME:
    case AST_TYPE_ARRAY:
    case AST_TYPE_IDX:
    case AST_TYPE_TUPLE:
    case AST_TYPE_FN:
    case AST_COUNT: break;
    }
    return misplaced(b, e);
}

Node *infer_expr(Body *b, const Ast *e, Node *want)
{
    if (!e) return infer_error(b);
    Node *t = type_of(b, e, want);
    infer_note(b, e)->type = t;
    vec_push(b->arena, &b->seen, e);
    return t;
}
