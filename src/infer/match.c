// match: the patterns of its arms, and their agreement on a type. That the arms cover all values is
// looked at in the end, when all types are known (cover.c).
#include "infer/internal.h"

// A number or truth value.
void infer_bind_value(Body *b, const Ast *pattern, Node *type)
{
    const Ast *literal = pattern->kids.at[0];
    const Ast *number = literal->kind == AST_UNARY ? literal->kids.at[0] : literal;
    if (number->kind != AST_FLOAT) {
        bool index = infer_settle(b, type)->kind == TYPE_IDX; // compares as an i64
        infer_check(b, literal, index ? type_scalar(b->cx, SCALAR_I64) : type,
                    (Why){WHY_PATTERN, NULL, 0});
        return;
    }
    Diag *d = diag_error(b->cx, E0313, pattern->span, "a float is not a pattern");
    diag_help(b->cx, d, "bind it to a name and compare: x if x == ... => ...");
    infer_error(b);
}

// The enum that an option pattern names, with fresh generics; NULL after an error.
static Node *enum_of(Body *b, const Ast *pattern, const Symbol **symbol)
{
    Sym name = session_sym(b->cx, pattern->value.string);
    const Symbol *y = infer_find_symbol(&b->scope, name);
    Span span = {pattern->span.file, pattern->span.lo, pattern->span.lo + name->len};
    *symbol = y;
    if (!y) {
        infer_unknown_name(&b->scope, name, span, "an enum is expected here");
        return NULL;
    }
    if (infer_is_ambiguous(&b->scope, y, span)) return NULL;
    if (y->kind != SYMBOL_ENUM) {
        diag_error(b->cx, E0203, span, "`%s` is not an enum", name->text);
        return NULL;
    }
    if (!infer_declared_type(b->in, y)) return NULL;
    int n = y->generics.len;
    Node **with = infer_generics(&b->scope, y, y->generics.at, n, n, &(AstVec){0}, span);
    return with ? infer_replace(b->cx, y->type, y->generics.at, with, n) : NULL;
}

// The parts of the option that a pattern names, or NULL after an error. Of an enum in lanes they are vectors.
static Node *payload_of(Body *b, const Ast *pattern, Node *type)
{
    const Symbol *y;
    Node *t = enum_of(b, pattern, &y), *found = infer_resolve(b, type);
    if (!t || !pattern->name) return NULL;
    bool in_lanes = type_is_enum(found) && infer_lanes_inside(b, found);
    if (in_lanes && t->kind == TYPE_STRUCT && t->attr.sym == found->attr.sym) t = found;
    if (!infer_unify(b, type, t, pattern->span, (Why){WHY_PATTERN, NULL, 0})) return NULL;
    int k = infer_option_number(b, y, pattern->name, pattern->name_span);
    if (k < 0 || t->kind != TYPE_STRUCT) return NULL;
    infer_note(b, pattern)->symbol = y;
    infer_note(b, pattern)->option = k;
    Node *payload = t->op[k + 1];
    if ((int)payload->nops == pattern->kids.len) return payload;
    Diag *d = diag_error(b->cx, E0313, pattern->span, "`%s.%s` has %d part%s, not %d",
                         y->name->text, pattern->name->text, (int)payload->nops,
                         payload->nops == 1 ? "" : "s", pattern->kids.len);
    diag_note(b->cx, d, y->item->options.at[k].span, "it is declared here");
    return NULL;
}

// Shape.Circle(p): the parts are components of component k + 1 of the value.
void infer_bind_option(Body *b, const Ast *pattern, Node *type, Local *parent, int component)
{
    Node *payload = payload_of(b, pattern, type);
    Local *whole = infer_parent(b, type, parent, component), *parts = NULL;
    infer_note(b, pattern)->local = whole;
    if (payload)
        parts = infer_parent(b, payload, whole, infer_note(b, pattern)->option + 1);
    else
        infer_error(b);
    for (int i = 0; i < pattern->kids.len; i++)
        infer_bind(b, pattern->kids.at[i], payload ? payload->op[i] : infer_error(b), parts, i);
}

static void arm_types(Body *b, const Ast *arm, Node *type, Join *j)
{
    int mark = infer_scope_mark(&b->scope);
    infer_bind(b, arm->kids.at[0], type, NULL, 0);
    Node *lanes = arm->kids.at[1] ? infer_condition(b, arm->kids.at[1]) : NULL;
    if (lanes) infer_join_in_lanes(b, j, lanes);
    infer_enter_lanes(b, lanes);
    infer_join(b, j, arm->kids.at[2]);
    infer_scope_release(&b->scope, mark);
}

static bool has_number(const Ast *pattern)
{
    bool has = pattern->kind == AST_BIND_VALUE;
    for (int i = 0; i < pattern->kids.len && !has; i++) has = has_number(pattern->kids.at[i]);
    return has;
}

// The parts of an option by its name; NULL: there is none of this name.
static Node *option_parts(Node *type, Sym name)
{
    for (uint32_t k = 1; k < type->nops; k++)
        if (type->names[k] == name) return type->op[k];
    return NULL;
}

static Node *lanes_of_pattern(Body *b, const Ast *pattern, Node *type);

static Node *lanes_of_field(Body *b, const Ast *field, Node *type)
{
    for (uint32_t k = 0; field->kind == AST_BIND_FIELD && k < type->nops; k++)
        if (type->names[k] == field->name)
            return lanes_of_pattern(b, field->kids.at[0], type->op[k]);
    return NULL;
}

// The lanes in which a pattern compares a vector with a number, or the options of an enum, so that they may take different arms; else NULL.
static Node *lanes_of_pattern(Body *b, const Ast *pattern, Node *type)
{
    Node *found = NULL;
    type = infer_resolve(b, type);
    if (pattern->kind == AST_BIND_OPTION && type_is_enum(type)) {
        found = infer_lanes_inside(b, type);
        type = option_parts(type, pattern->name);
        if (found || !type) return found;
    } else if (pattern->kind == AST_BIND_ARRAY && type->kind == TYPE_ARRAY) {
        for (int i = 0; i < pattern->kids.len && !found; i++)
            found = lanes_of_pattern(b, pattern->kids.at[i], type->op[1]);
        return found;
    } else if (pattern->kind == AST_BIND_STRUCT && type->kind == TYPE_STRUCT) {
        for (int i = 0; i < pattern->kids.len && !found; i++)
            found = lanes_of_field(b, pattern->kids.at[i], type);
        return found;
    } else if (pattern->kind != AST_BIND_TUPLE || type->kind != TYPE_TUPLE) {
        return has_number(pattern) ? infer_lanes_inside(b, type) : NULL;
    }
    for (int i = 0; i < pattern->kids.len && i < (int)type->nops && !found; i++)
        found = lanes_of_pattern(b, pattern->kids.at[i], type->op[i]);
    return found;
}

static Node *lanes_of_arms(Body *b, const Ast *e, Node *type)
{
    Node *found = NULL;
    for (int i = 1; i < e->kids.len && !found; i++)
        if (e->kids.at[i]->kind == AST_ARM && e->kids.at[i]->kids.len == 3)
            found = lanes_of_pattern(b, e->kids.at[i]->kids.at[0], type);
    return found;
}

Node *infer_match(Body *b, const Ast *e, Node *want)
{
    Node *type = infer_value(b, e->kids.at[0], NULL);
    Node *lanes = infer_note(b, e)->simd = lanes_of_arms(b, e, type);
    Around outer = infer_enter_lanes(b, lanes);
    Join j = infer_join_of(b, want, WHY_ARM, lanes);
    b->branches++;
    for (int i = 1; i < e->kids.len; i++) {
        const Ast *arm = e->kids.at[i];
        if (arm->kind == AST_ARM && arm->kids.len == 3)
            arm_types(b, arm, type, &j);
        else
            infer_error(b);
    }
    b->branches--;
    b->around = outer;
    infer_note(b, e)->simd = j.lanes;
    return infer_joined(b, &j);
}
