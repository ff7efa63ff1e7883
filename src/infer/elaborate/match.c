// Elaboration of match and of enums. The value is bound once; the arms are nested ifs, and the
// names of a pattern are components of the value.
#include "infer/elaborate/elaborate.h"

// --- values of enums ---------------------------------------------------------------------------

static Node *number_of(Elab *x, Node *type, int k)
{
    return core_cast(x->cx, core_int(x->cx, type_lane(type), k), type);
}

static Node *option(Elab *x, Node *type, int k, Node *const *args)
{
    Session *cx = x->cx;
    Node **parts = ARENA_ARRAY(x->b->arena, Node *, type->nops + 1);
    parts[0] = number_of(x, type->op[0], k);
    for (int i = 1; i < (int)type->nops; i++) {
        Node *t = type->op[i];
        parts[i] = i == k + 1 ? core_tuple(cx, (int)t->nops, args, t) : elab_zero(x, t);
    }
    return core_tuple(cx, (int)type->nops, parts, type);
}

Node *elab_apply_option(Elab *x, const Ast *e, const Call *c)
{
    int n;
    Node **args = elab_operands(x, c, NULL, &n);
    return option(x, elab_type(x, infer_note(x->b, e)->type), c->option, args);
}

static Node *option_body(Elab *x, Node *const *args, int n, void *env)
{
    const Ast *e = env;
    const Note *note = infer_note(x->b, e);
    (void)n;
    return option(x, type_result(elab_type(x, note->type)), note->option, args);
}

// Elaborates an option that is not called: Shape.Empty as a value, or Shape.Circle as a function.
Node *elab_option(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    Node *type = elab_type(x, note->type);
    if (type->kind == TYPE_STRUCT) return option(x, type, note->option, NULL);
    return elab_lambda_of(x, type, option_body, (void *)(uintptr_t)e);
}

// --- patterns ----------------------------------------------------------------------------------

// The conjunction of two conditions; NULL means always true. Conditions have no side effects, so if
// they differ by lane, both are always computed.
static Node *both(Elab *x, Node *a, Node *b)
{
    if (!a || !b) return a ? a : b;
    Node *lanes = a->type->kind == TYPE_VEC ? a->type : b->type;
    if (lanes->kind == TYPE_VEC)
        return elab_prim(x, PRIM_AND, core_cast(x->cx, a, lanes), core_cast(x->cx, b, lanes));
    return core_if(x->cx, a, b, core_bool(x->cx, false));
}

static Node *equals(Elab *x, const Ast *literal, Node *value)
{
    if (literal->kind == AST_BOOL)
        return literal->value.integer ? value : core_prim(x->cx, PRIM_NOT, 1, &value);
    return elab_prim(x, PRIM_EQ, elab_to_integer(x, value), elab_expr(x, literal));
}

Node *elab_matches(Elab *x, const Ast *p, Node *value)
{
    Session *cx = x->cx;
    Node *condition = NULL;
    if (p->kind == AST_BIND_VALUE) return equals(x, p->kids.at[0], value);
    if (!ast_has_parts(p)) return NULL;
    if (p->kind == AST_BIND_OPTION) {
        int k = infer_note(x->b, p)->option;
        Node *number = core_proj(cx, value, 0);
        if (value->type->nops > 2)
            condition = elab_prim(x, PRIM_EQ, number, number_of(x, number->type, k));
        value = core_proj(cx, value, k + 1);
    }
    for (int i = 0; i < p->kids.len; i++) {
        const Ast *part = p->kids.at[i];
        bool field = part->kind == AST_BIND_FIELD;
        Node *inner = elab_part(x, value, field ? infer_note(x->b, part)->option : i);
        condition = both(x, condition, elab_matches(x, field ? part->kids.at[0] : part, inner));
    }
    return condition;
}

// --- arms --------------------------------------------------------------------------------------

typedef struct {
    Lets cells; // the mutable names of the pattern
    Node *condition, *value;
} Arm;

// Elaborates an arm. `type` is the type of the matched value, `result` that of the whole match.
static Arm arm_of(Elab *x, const Ast *arm, int level, Node *type, Node *result, bool last)
{
    const Ast *pattern = arm->kids.at[0], *guard = arm->kids.at[1];
    Arm a = {0};
    elab_set_level(x, pattern, level);
    elab_cells(x, &a.cells, pattern);
    if (!last) a.condition = elab_matches(x, pattern, elab_var(x, level, type));
    if (guard) a.condition = both(x, a.condition, elab_expr(x, guard));
    a.value = elab_open(x, arm->kids.at[2]);
    if (x->masks && !x->lane) a.value = elab_fit(x, a.value, result);
    return a;
}

// The last arm needs no condition, because the arms cover all values.
Node *elab_match(Elab *x, const Ast *e)
{
    int n = e->kids.len - 1, level = x->depth;
    Arm *arms = ARENA_ARRAY(x->b->arena, Arm, n + 1);
    Lets lets = {0};
    Node *size = infer_note(x->b, e)->size;
    Node *of = size ? core_size(x->cx, elab_type(x, size)) : elab_expr(x, e->kids.at[0]);
    elab_push(x, &lets, session_sym(x->cx, "m"), of);
    Node *result = elab_type(x, infer_note(x->b, e)->type);
    for (int i = 0; i < n; i++)
        arms[i] = arm_of(x, e->kids.at[i + 1], level, of->type, result, i == n - 1);
    Node *rest = NULL;
    for (int i = n - 1; i >= 0; i--) {
        const Arm *a = &arms[i];
        rest = rest && a->condition ? elab_choice(x, e, a->condition, a->value, rest) : a->value;
        rest = elab_wrap(x, &a->cells, rest);
    }
    if (!size && !infer_count_comparisons(x->b, e->kids.at[0])) return elab_wrap(x, &lets, rest);
    x->depth--;
    return node_instantiate(x->cx, rest, &of, 1); // all stages can use the conditions as guards
}
