// Values of enums, such as Shape.Circle(1.0). An enum is a struct that holds the option number,
// followed by one tuple per option with the values of that option. All of these become vectors if a
// value that differs by lane is expected, or if a scalar in an option is given a vector.
#include "infer/calls/calls.h"

// The enum to which the option named by `e` belongs, such as Shape for Shape.Circle, or NULL.
static const Symbol *enum_named(Body *b, const Ast *e, AstVec *generics)
{
    if (e->kind != AST_FIELD) return NULL;
    const Symbol *y = infer_generic_name(b, ast_strip(e->kids.at[0]), generics);
    return y && y->kind == SYMBOL_ENUM ? y : NULL;
}

bool infer_is_option(Body *b, const Ast *e)
{
    AstVec generics;
    return enum_named(b, e, &generics) != NULL;
}

int infer_option_number(Body *b, const Symbol *y, Sym name, Span span)
{
    const Item *item = y->item;
    for (int i = 0; i < item->options.len; i++)
        if (item->options.at[i].name == name) return i;
    Diag *d = diag_error(b->cx, E0307, span, "`%s` has no option `%s`", y->name->text, name->text);
    diag_note(b->cx, d, item->name_span, "the enum is declared here");
    b->failed = true;
    return -1;
}

// Returns the type of the enum with its generics, and sets *k to the option number. Records both in
// the note of `e`. Returns NULL after an error.
static Node *enum_type(Body *b, const Ast *e, const Ast *callee, int *k)
{
    AstVec generics;
    const Symbol *y = enum_named(b, callee, &generics);
    if (!callee->name || !infer_declared_type(b->in, y) || y->type->kind != TYPE_STRUCT)
        return NULL;
    *k = infer_option_number(b, y, callee->name, callee->name_span);
    int n = y->generics.len;
    Node **with =
        *k < 0 ? NULL : infer_generics(&b->scope, y, y->generics.at, n, n, &generics, callee->span);
    if (!with) return NULL;
    infer_note(b, e)->symbol = y;
    infer_note(b, e)->option = *k;
    return infer_replace(b->cx, y->type, y->generics.at, with, n);
}

// Unifies the type of the enum with the expected type, which determines the generics and whether
// the value differs by lane. Returns the resulting type, or NULL after an error.
static Node *expect(Body *b, const Ast *e, Node *want, Node *type)
{
    Node *wanted = want ? infer_resolve(b, want) : type;
    if (wanted->kind != TYPE_STRUCT || wanted == type) return type;
    Node *lanes = type_is_enum(wanted) ? infer_lanes_inside(b, wanted) : NULL;
    if (lanes) type = infer_rest_in_lanes(b, type, lanes);
    return infer_unify(b, want, type, e->span, no_why) ? type : NULL;
}

// Infers an option that is not called. It is a value if the option holds nothing; otherwise it is a
// function that takes the values of the option.
Node *infer_option(Body *b, const Ast *e, Node *want)
{
    int k;
    Node *type = enum_type(b, e, e, &k);
    if (!type) return infer_error(b);
    Node *parts = type->op[k + 1];
    if (parts->nops > 0) return type_fun(b->cx, (int)parts->nops, parts->op, type);
    type = expect(b, e, want, type);
    return type ? type : infer_error(b);
}

// Accepts the arguments of option k. Vectors are accepted first, because they may determine types
// that scalars are broadcast to.
static void accept_found(Body *b, const Application *a, int k, const Node *parts,
                         Node *const *found, Node *lanes)
{
    for (int vectors = 1; vectors >= 0; vectors--)
        for (int i = 0; i < a->nargs; i++) {
            Why why = {WHY_ARGUMENT, a->symbol, i};
            if ((infer_lanes_inside(b, found[i]) != NULL) != vectors) continue;
            bool open = infer_resolve(b, parts->op[i])->kind == TYPE_META;
            if (lanes && open && !infer_part_stays(a->symbol, k, i))
                infer_unify(b, parts->op[i], infer_rest_in_lanes(b, found[i], lanes),
                            a->args[i]->span, why);
            infer_accept(b, a->args[i], found[i], parts->op[i], why);
        }
}

// Infers the arguments of option k. Returns the type of the enum, which differs by lane if an
// argument is a vector where the option has a scalar.
static Node *accept_parts(Body *b, const Application *a, Node *type, int k)
{
    Node **found = ARENA_ARRAY(b->arena, Node *, a->nargs + 1), *lanes = NULL;
    const Node *parts = type->op[k + 1];
    for (int i = 0; i < a->nargs; i++) {
        found[i] = infer_settle(b, infer_expr(b, a->args[i], parts->op[i]));
        bool many = infer_like_lanes(b, parts->op[i], found[i]) != infer_resolve(b, parts->op[i]);
        if (many && !lanes) lanes = infer_lanes_inside(b, found[i]);
    }
    if (lanes) type = infer_rest_in_lanes(b, type, lanes);
    accept_found(b, a, k, type->op[k + 1], found, infer_lanes_inside(b, type));
    return type;
}

Node *infer_apply_option(Body *b, Application *a)
{
    int k;
    Node *type = enum_type(b, a->e, a->callee, &k);
    if (type) type = expect(b, a->e, a->want, type);
    if (!type) return infer_give_up(b, a);
    const Node *parts = type->op[k + 1];
    a->symbol = infer_note(b, a->e)->symbol;
    if (a->nargs != (int)parts->nops) return infer_wrong_count(b, a, (int)parts->nops);
    infer_new_call(b, a)->option = k;
    return accept_parts(b, a, type, k);
}
