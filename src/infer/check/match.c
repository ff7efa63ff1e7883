// Inference of `match`: the patterns of its arms, and the type that the arms agree on. Once all
// types are known, exhaustive.c checks that the arms cover all values.
#include "infer/check/check.h"

// If the pattern binds the whole value to a name, records that the name stands for this size.
static void name_size(Body *b, const Ast *pattern, Node *size)
{
    Local *l = pattern->kind == AST_BIND ? infer_note(b, pattern)->local : NULL;
    if (l && !l->mutable) l->size = size;
}

static void arm_types(Body *b, const Ast *arm, Node *type, Node *size, Join *j)
{
    int mark = infer_scope_mark(&b->scope);
    infer_bind(b, arm->kids.at[0], type, NULL, 0);
    name_size(b, arm->kids.at[0], size);
    Node *lanes = arm->kids.at[1] ? infer_condition(b, arm->kids.at[1]) : NULL;
    if (lanes) infer_join_in_lanes(b, j, lanes);
    infer_enter_lanes(b, lanes);
    if (arm->kids.at[1]) b->guard = infer_guard(b, b->guard, arm->kids.at[1], true);
    infer_join(b, j, arm->kids.at[2]);
    infer_scope_release(&b->scope, mark);
}

static Walk visit_number(const Ast *pattern, void *env)
{
    (void)env;
    return pattern->kind == AST_BIND_VALUE ? WALK_STOP : WALK_INTO;
}

// The payload of the option with this name, or NULL if there is no such option.
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

// Returns the number of lanes if lanes may take different arms, because the pattern compares a
// vector with a number or distinguishes the options of an enum that differs by lane. Returns NULL
// otherwise.
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
        return ast_walk(pattern, visit_number, NULL) ? infer_lanes_inside(b, type) : NULL;
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

// Adds to the guards `up` what is known about sizes if the value matches the literal in the pattern
// or, if `equal` is false, if it does not.
static SizeGuard *matched(Body *b, SizeGuard *up, const Ast *match, const Ast *pattern, bool equal)
{
    const Ast *literal = pattern->kind == AST_BIND_VALUE ? ast_strip(pattern->kids.at[0]) : NULL;
    if (literal && literal->kind == AST_BOOL)
        return infer_guard(b, up, match->kids.at[0], (literal->value.integer != 0) == equal);
    return infer_guard_literal(b, up, infer_note(b, match)->size, pattern, equal);
}

Node *infer_match(Body *b, const Ast *e, Node *want)
{
    Node *type = infer_value(b, e->kids.at[0], NULL);
    Node *lanes = infer_note(b, e)->simd = lanes_of_arms(b, e, type);
    Around outer = infer_enter_lanes(b, lanes);
    Join j = infer_join_of(b, want, WHY_ARM, lanes);
    SizeGuard *guard = b->guard, *rest = guard; // rest: the guard if no earlier arm matches
    Node *size = infer_note(b, e)->size = infer_size_of_value(b, e->kids.at[0], type);
    b->branches++;
    for (int i = 1; i < e->kids.len; i++) {
        const Ast *arm = e->kids.at[i];
        if (arm->kind != AST_ARM || arm->kids.len != 3) {
            infer_error(b);
            continue;
        }
        const Ast *pattern = arm->kids.at[0];
        b->guard = matched(b, rest, e, pattern, true);
        arm_types(b, arm, type, size, &j);
        if (!arm->kids.at[1])
            rest = matched(b, rest, e, pattern, false);
        else if (pattern->kind == AST_BIND || pattern->kind == AST_WILDCARD)
            rest = infer_guard(b, rest, arm->kids.at[1], false);
    }
    b->branches--;
    b->guard = guard;
    b->around = outer;
    infer_note(b, e)->simd = j.lanes;
    return infer_joined(b, &j);
}
