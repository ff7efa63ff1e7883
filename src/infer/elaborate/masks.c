// Elaboration of SIMD code that contains `scalar { }`. Scalar code is executed once, for all active
// lanes, so the enclosing construct cannot be a program of one lane. It is executed statement by
// statement, and the cell `live` contains the mask of active lanes:
//
//   if c { A; scalar |m| { S } B }
//
// becomes
//
//   let t = live & c; let e = live & !c; live = t;
//   if any(live) { vectorize lanes { if live@l { A } } S vectorize lanes { if live@l { B } } }
//   live = live | e
//
// A lane that jumps leaves `live` and joins the lanes that have reached the target of the jump
// (Leissa's thesis, 5.1-5.3). Wherever a lane may have left, the code tests whether any lane is
// still active. Code that each lane executes for itself remains a program of one lane (simd.c).
#include "infer/elaborate/masks.h"

// --- blocks ------------------------------------------------------------------------------------

// After a statement that lanes may leave, executes the rest of the block only if some lane is still
// active.
Node *elab_masked_block(Elab *x, const Ast *e, int from)
{
    Lets lets = {0};
    Node *value = NULL;
    int last = e->kids.len - 1;
    for (int i = from; i < last && !value; i++) {
        bool leaves = mask_may_leave(x, e->kids.at[i]);
        value = elab_statement(x, &lets, e->kids.at[i]);
        if (!leaves || value || (i + 1 == last && !e->kids.at[last])) continue;
        Node *rest = elab_masked_block(x, e, i + 1);
        Node *none = mask_is_value(rest->type) ? elab_zero(x, rest->type) : core_unit(x->cx);
        return elab_wrap(x, &lets, core_if(x->cx, mask_any_live(x), rest, none));
    }
    if (!value && last >= 0 && e->kids.at[last]) value = elab_open(x, e->kids.at[last]);
    return elab_wrap(x, &lets, value ? value : core_unit(x->cx));
}

// Elaborates an assignment that no single lane can execute, because it contains `scalar` or has
// uniform components.
static Node *masked_assign(Elab *x, const Ast *e)
{
    Lets lets = {0};
    Note *note = infer_note(x->b, e->kids.at[1]);
    bool operated = e->name && e->name->len > 0,
         vector = type_has_vector(mask_note_type(x, e->kids.at[0]));
    if (!vector) return elab_plain(x, e);
    if (operated) {
        elab_hold(x, &lets, e->kids.at[1]);
        Node *set = elab_open(x, e);
        note->held = 0;
        return elab_wrap(x, &lets, set);
    }
    Node *value = elab_expr(x, e->kids.at[1]), *type = value->type;
    elab_push(x, &lets, NULL, value);
    Node *set = elab_masked_set(x, elab_place(x, e->kids.at[0]), core_var(x->cx, 0, type));
    return elab_wrap(x, &lets, set);
}

// --- operations --------------------------------------------------------------------------------

static Node *without_masks(Elab *x, const Ast *e)
{
    Masks *masks = x->masks;
    x->masks = NULL;
    Node *n = elab_plain(x, e);
    x->masks = masks;
    return n;
}

static Node *lanes_part(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    Node *type = infer_resolve(x->b, note->type);
    bool never = type->kind == TYPE_NEVER;
    return elab_in_lanes(x, e, x->masks->length, elab_open,
                         note->as && !never ? infer_resolve(x->b, note->as) : type);
}

// Elaborates an operation whose operands contain `scalar`. The operands are evaluated in order
// before the operation.
static Node *masked_operation(Elab *x, const Ast *e)
{
    Lets lets = {0};
    int n;
    const Ast *const *operand = infer_operands(x->b, e, &n);
    if (!operand || infer_masked_callee(x->b, e)) return elab_plain(x, e);
    for (int i = 0; i < n; i++)
        if (ast_strip(operand[i])->kind != AST_REF) elab_hold(x, &lets, operand[i]);
    const Call *c = infer_note(x->b, e)->call;
    bool prints = c && c->symbol && infer_prints(x->cx, c->symbol);
    Node *done = prints                      ? elab_plain(x, e)
                 : infer_is_uniform(x->b, e) ? without_masks(x, e)
                                             : lanes_part(x, e);
    for (int i = 0; i < n; i++) infer_note(x->b, operand[i])->held = 0;
    return elab_wrap(x, &lets, done);
}

// --- the walk ----------------------------------------------------------------------------------

static Node *held_part(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    switch (e->kind) {
    case AST_BLOCK: return elab_masked_block(x, e, 0);
    case AST_IF:
        if (note->option) return elab_plain(x, e);
        return note->simd ? masked_if(x, e) : uniform_if(x, e);
    case AST_MATCH: return note->simd ? masked_match(x, e) : elab_plain(x, e);
    case AST_ASSIGN: return masked_assign(x, e);
    case AST_BINARY:
        if (note->simd && ast_is_logical(e)) return masked_logical(x, e);
        return masked_operation(x, e);
    case AST_CALL:
    case AST_PIPE:
    case AST_UNARY:
    case AST_CAST:
    case AST_FIELD:
    case AST_PROJ:
    case AST_INDEX: return masked_operation(x, e);
    case AST_WHILE:
    case AST_LOOP:
    case AST_FOR:
    case AST_WITH:
        if (note->simd || infer_mentions(x->b, e, NULL)) return masked_loop(x, e);
        return elab_plain(x, e);
    default: return elab_plain(x, e);
    }
}

Node *elab_masked(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    const MaskIteration *iteration = x->masks->iteration;
    Node *n, *as = note->as ? elab_type(x, note->as) : NULL;
    if (iteration && e == iteration->body) {
        x->masks->iteration = NULL;
        n = masked_iteration(x, iteration);
        x->masks->iteration = iteration;
        return n;
    }
    switch (infer_part(x->b, e)) {
    case PART_UNIFORM: n = without_masks(x, e); break;
    case PART_LANES: n = lanes_part(x, e); break;
    default: n = held_part(x, e);
    }
    bool left = note->type && infer_resolve(x->b, note->type)->kind == TYPE_NEVER;
    return left && as ? elab_fit(x, n, as) : n;
}

Node *elab_scalar(Elab *x, const Ast *e)
{
    const Ast *block = vec_last(&e->kids);
    Lets lets = {0};
    Masks *masks = x->masks;
    if (!masks || x->lane) return elab_open(x, block);
    if (e->kids.len > 1) elab_bind(x, &lets, e->kids.at[0], elab_live(x));
    x->masks = NULL;
    Node *n = elab_open(x, block);
    x->masks = masks;
    return elab_wrap(x, &lets, n);
}

// --- from scalar mode --------------------------------------------------------------------------

// Allocates the cell `live`. `come` is the mask of the lanes that are active at the beginning, or
// NULL if all of them are.
static Masks first_live(Elab *x, Lets *lets, Node *length, Node *come)
{
    Node *type = type_varying(x->cx, length, infer_boolean(x->b));
    if (!come) come = core_cast(x->cx, core_bool(x->cx, true), type);
    elab_push(x, lets, session_sym(x->cx, "live"), core_new(x->cx, come));
    return (Masks){.length = length, .live = x->depth - 1};
}

Node *elab_with_masks(Elab *x, const Ast *e, Node *length)
{
    Lets lets = {0};
    Masks masks = first_live(x, &lets, length, NULL);
    x->masks = &masks;
    Node *value = elab_masked(x, e);
    x->masks = NULL;
    return elab_wrap(x, &lets, value);
}

Node *elab_rest_with_masks(Elab *x, const Ast *block, Node *length, Node *type, Node *come)
{
    Lets lets = {0};
    Masks masks = first_live(x, &lets, length, come);
    x->masks = &masks;
    MaskExit exit = {.jump = x->b->exit, .value = -1, .type = type};
    if (mask_is_value(type)) exit.value = mask_push_cell(x, &lets, "r", type);
    exit.came = mask_push_cell(x, &lets, "came", mask_type(x));
    if (x->b->exit) vec_push(x->b->arena, &masks.exits, exit);
    Node *value = elab_masked_block(x, block, 0);
    if (mask_is_value(value->type)) value = elab_as(x, value, type, block->span);
    value = mask_keep(x, exit.value, type, value);
    if (value->type->kind != TYPE_NEVER) {
        elab_push(x, &lets, NULL, value);
        value = mask_result(x, exit.value, type);
    }
    x->masks = NULL;
    return elab_wrap(x, &lets, value);
}
