// Locations are expressions that can be assigned to and referenced. A location is a mutable
// variable, the target of a reference, or a component, element or slice of a location. Indices,
// components and fields dereference automatically.
#include "infer/check/check.h"

static Place behind(Node *reference)
{
    return (Place){.exists = true,
                   .writable = type_ref_mutable(reference),
                   .space = type_ref_space(reference)};
}

Place infer_place(const Body *b, const Ast *e)
{
    for (;; e = e->kids.at[0]) {
        const Note *note = infer_note(b, e);
        const Local *l = note->local;
        switch (e->kind) {
        case AST_PAREN: continue;
        case AST_NAME:
            if (!l || l->kind != LOCAL_VALUE) return (Place){0};
            return (Place){
                .exists = l->mutable, .writable = l->mutable, .root = l, .space = l->space};
        case AST_PROJ:
        case AST_FIELD:
        case AST_INDEX:
        case AST_SLICE:
        case AST_DEREF: break;
        default: return (Place){0};
        }
        if (note->symbol) return (Place){0}; // a function or an enum option
        Node *of = infer_note(b, e->kids.at[0])->type;
        if (!of) return (Place){0}; // after an error
        of = solver_resolve(b->scope.solver, of);
        if (of->kind == TYPE_REF) return behind(of);
        if (e->kind == AST_DEREF) return (Place){0};
    }
}

Node *infer_lanes_of_place(const Body *b, const Ast *e)
{
    for (;; e = e->kids.at[0]) {
        bool part = e->kind == AST_PROJ || e->kind == AST_FIELD || e->kind == AST_INDEX ||
                    e->kind == AST_SLICE || e->kind == AST_PAREN;
        const Note *note = infer_note(b, e);
        if (!part || note->symbol || !e->kids.len) return NULL;
        if (e->kind == AST_INDEX && note->simd) return note->simd;
    }
}

Node *infer_referent(Body *b, Node *type)
{
    type = infer_settle(b, type);
    return type->kind == TYPE_REF ? infer_settle(b, type->op[0]) : type;
}

// --- locations that cannot be written ----------------------------------------------------------

bool infer_is_parameter(const Body *b, const Local *l)
{
    for (int i = 0; i < b->params.len; i++)
        if (b->params.at[i] == l) return true;
    return false;
}

// Adds a hint for an assignment to a parameter.
static void help_parameter(Body *b, Diag *d, const Local *l)
{
    const Symbol *y = b->scope.symbol;
    Node *t = l->type ? infer_resolve(b, l->type) : NULL;
    const char *name = l->name->text;
    if (t && t->kind == TYPE_REF && type_ref_mutable(t))
        diag_help(b->cx, d,
                  "assign the target of the reference by `*%s = ...`, from another reference "
                  "by `*%s = *...`",
                  name, name);
    else if (t && t->kind == TYPE_REF)
        diag_help(b->cx, d,
                  "declare the parameter as `&mut %s` and assign the target by `*%s = ...`",
                  infer_show(b, t->op[0]), name);
    else if (t && t->kind == TYPE_ARRAY && y && y->item && y->item->entry)
        diag_help(b->cx, d, "return the changed array: let mut new = %s; ...; new", name);
    else if (t && t->kind == TYPE_ARRAY)
        diag_help(b->cx, d,
                  "to change the array of the caller declare `%s: &mut %s`; or return the "
                  "changed array: let mut new = %s; ...; new",
                  name, infer_show(b, t), name);
    else
        diag_help(b->cx, d, "declare a mutable variable: let mut %s = %s;", name, name);
}

static void refuse_local(Body *b, const Ast *e, const Local *l, const char *done)
{
    const char *name = l->name->text;
    Diag *d = diag_error(b->cx, E0320, e->span, "`%s` is not mutable and cannot be %s", name, done);
    diag_note(b->cx, d, l->span, "it is declared here");
    if (infer_is_parameter(b, l))
        help_parameter(b, d, l);
    else if (l->counts)
        diag_help(b->cx, d,
                  "the loop sets it in each iteration: count in a `while`, or use range_step of "
                  "std.loops for other steps");
    else
        diag_help(b->cx, d, "declare it with `mut`: let mut %s = ...", name);
}

// Adds a hint for an assignment to an expression that is not a location.
static void help_value(Body *b, const Ast *e, Diag *d)
{
    const Ast *root = ast_strip(e);
    while (root->kind == AST_INDEX || root->kind == AST_FIELD || root->kind == AST_PROJ)
        root = ast_strip(root->kids.at[0]);
    const Local *l = root->kind == AST_NAME ? infer_note(b, root)->local : NULL;
    const Symbol *y = root->kind == AST_NAME ? infer_note(b, root)->symbol : NULL;
    const char *name = root->name ? root->name->text : "";
    if (e->kind == AST_TUPLE)
        diag_help(b->cx, d,
                  "assign several places by `(a, b) = ...`, and change them by an operator one by "
                  "one");
    else if (l && l->kind == LOCAL_SIZE)
        diag_help(b->cx, d,
                  "a size is immutable; declare a variable with its value: let mut k: i64 = %s;",
                  name);
    else if (y && y->kind == SYMBOL_CONST)
        diag_help(b->cx, d,
                  "a constant is immutable; pass a variable by reference: fn f(k: &mut i64) { *k "
                  "+= 1; }, called f(&mut k)");
    else
        diag_help(b->cx, d, "name it first: let mut x = ...");
}

// Reports an expression that is not a location or cannot be written. `done` names the attempted
// operation.
static void refuse(Body *b, const Ast *e, Place p, const char *done)
{
    b->failed = true;
    if (infer_note(b, e)->type->kind == TYPE_ERROR) return;
    if (p.root) {
        refuse_local(b, e, p.root, done);
    } else if (p.exists) {
        Diag *d = diag_error(b->cx, E0320, e->span,
                             "this is behind a `&` reference and cannot be %s", done);
        diag_help(b->cx, d, "declare the reference with `mut`: &mut T");
    } else {
        Diag *d = diag_error(b->cx, E0320, e->span,
                             "this is a value, not a place, and cannot be %s", done);
        help_value(b, e, d);
    }
}

// --- assignment --------------------------------------------------------------------------------

// Raises a scalar variable to a vector if a vector is assigned to it. Returns true if the variable
// was raised; the assignment then needs no further check in this iteration.
static bool rises(Body *b, const Local *root, Node *t, Node *found, Span at)
{
    Node *lanes = infer_lanes_inside(b, found);
    t = infer_resolve(b, t);
    return lanes && infer_like_lanes(b, t, found) != t && infer_raise(b, root, lanes, at);
}

// Raises a uniform variable that is assigned while only some lanes are active. simd_regions.c does
// this too, but only after all types agree, which may never happen if the variable is not raised.
static void raise(Body *b, const Local *root, Node *t, Span at)
{
    const Around *around = &b->around;
    bool outside = around->lanes && root && root->place < around->from;
    if (outside && infer_has_uniform(infer_resolve(b, t))) infer_raise(b, root, around->lanes, at);
}

static void assign_operated(Body *b, const Ast *e, Node *t, const Local *root)
{
    const Ast *value = e->kids.at[1];
    Prim op;
    Node *types[2] = {t, infer_value(b, value, NULL)};
    bool literal[2] = {false, ast_is_literal(value)};
    if (!infer_find_operator(e->name, 2, &op)) {
        Diag *d = diag_error(b->cx, E0304, e->name_span.file ? e->name_span : e->span,
                             "`%s=` is not an assignment", e->name->text);
        diag_help(b->cx, d, "the length of an array is fixed");
        b->failed = true;
        return;
    }
    if (rises(b, root, t, types[1], value->span)) return;
    Node *result = infer_operate(b, e, op, types, literal, 2);
    infer_unify(b, t, result, value->span, (Why){WHY_ASSIGN, NULL, 0});
}

static void assign_value(Body *b, const Ast *value, Node *t, const Local *root)
{
    Node *found = infer_expr(b, value, t);
    if (!rises(b, root, t, found, value->span))
        infer_accept(b, value, found, t, (Why){WHY_ASSIGN, NULL, 0});
}

// Whether `e` assigns to an undeclared name, which declares a variable in some other languages.
static bool is_undeclared(const Body *b, const Ast *e)
{
    const Ast *to = e->kids.at[0];
    return e->name && e->name->len == 0 && to->kind == AST_NAME && to->name &&
           !infer_find_local(&b->scope, to->name) && !infer_find_symbol(&b->scope, to->name);
}

// Reports the first assignment to an undeclared name, and declares the name.
static Node *declare(Body *b, const Ast *to, const Ast *value)
{
    infer_expr(b, value, NULL);
    Span span = to->name_span.file ? to->name_span : to->span;
    Diag *d = diag_error(b->cx, E0201, span, "nothing called `%s` is in scope", to->name->text);
    diag_help(b->cx, d, "declare the variable: let mut %s = ...;", to->name->text);
    Node *t = infer_error(b);
    infer_local_push(&b->scope, LOCAL_VALUE, to->name, span, t)->mutable = true;
    return t;
}

// Infers place = e or place += e.
Node *infer_assign(Body *b, const Ast *e)
{
    const Ast *to = e->kids.at[0], *value = e->kids.at[1];
    if (is_undeclared(b, e)) return declare(b, to, value);
    Node *t = infer_expr(b, to, NULL);
    Place p = infer_place(b, to);
    infer_note(b, e)->simd = infer_lanes_of_place(b, to);
    if (!p.exists || !p.writable) refuse(b, to, p, "assigned");
    raise(b, p.root, t, to->span);
    if (!p.writable && infer_resolve(b, t)->kind == TYPE_REF) {
        infer_expr(b, value, NULL); // the value probably has the type of the target
        return infer_unit(b);
    }
    if (e->name && e->name->len > 0)
        assign_operated(b, e, t, p.root);
    else
        assign_value(b, value, t, p.root);
    return infer_unit(b);
}

// --- references --------------------------------------------------------------------------------

// Infers &e or &mut e. Taking the & of a value creates a new cell for the value.
Node *infer_reference(Body *b, const Ast *e, Node *want)
{
    const Ast *to = e->kids.at[0];
    bool mutable = e->value.integer != 0;
    Node *wanted = want ? infer_settle(b, want) : NULL;
    Node *t = infer_value(b, to, wanted && wanted->kind == TYPE_REF ? wanted->op[0] : NULL);
    Place p = infer_place(b, to);
    if (mutable && !p.writable) {
        refuse(b, to, p, "borrowed as `&mut`");
        return infer_error(b);
    }
    if (t->kind == TYPE_ERROR) return t;
    if (!infer_require(b, t, GENERIC_DATA)) {
        diag_error(b->cx, E0309, e->span, "a reference must refer to data, but `%s` is not data",
                   infer_show(b, t));
        return infer_error(b);
    }
    return type_ref(b->cx, t, mutable, p.space);
}

Node *infer_dereference(Body *b, const Ast *e)
{
    Node *t = infer_settle(b, infer_value(b, e->kids.at[0], NULL));
    if (t->kind == TYPE_REF) return t->op[0];
    if (t->kind == TYPE_ERROR) return infer_error(b);
    Diag *d = diag_error(b->cx, E0321, e->span, "%s is not a reference", infer_show_found(b, t));
    bool power = e->span.lo > 0 && b->cx->sources.at[e->span.file - 1]->text[e->span.lo - 1] == '*';
    if (power) diag_help(b->cx, d, "a power is pow(x, y), a square x * x");
    return infer_error(b);
}
