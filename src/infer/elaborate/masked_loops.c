// Loops with masks, which iterate until no lane is active.
#include "infer/elaborate/masks.h"

// Leaves the loop if no lane is active.
static void push_exit(Elab *x, Lets *lets, int leave)
{
    elab_push(x, lets, NULL,
              core_if(x->cx, mask_any_live(x), core_unit(x->cx), mask_jump_to(x, leave)));
}

// Deactivates the lanes in which the condition of a `while` does not hold.
static void push_condition(Elab *x, Lets *lets, const MaskIteration *iteration)
{
    Session *cx = x->cx;
    int live = x->masks->live;
    Node *c = mask_to_lanes(x, elab_expr(x, iteration->condition)), *mt = mask_type(x);
    elab_push(x, lets, session_sym(cx, "c"), c);
    mask_push_or(x, lets, iteration->came, mask_but(x, mask_at(x, live), core_var(cx, 0, mt)));
    mask_push_set(x, lets, live, elab_prim(x, PRIM_AND, mask_at(x, live), core_var(cx, 1, mt)));
    push_exit(x, lets, iteration->leave);
}

Node *masked_iteration(Elab *x, const MaskIteration *iteration)
{
    Lets lets = {0};
    int live = x->masks->live;
    if (iteration->condition) push_condition(x, &lets, iteration);
    bool leaves = mask_may_leave(x, iteration->body);
    Node *body = elab_plain(x, iteration->body);
    if (body->type->kind == TYPE_NEVER) return elab_wrap(x, &lets, body);
    elab_push(x, &lets, NULL, body);
    if (iteration->next >= 0) {
        mask_push_or(x, &lets, live, mask_at(x, iteration->next));
        mask_push_set(x, &lets, iteration->next, elab_zero(x, mask_type(x)));
    }
    if (leaves) push_exit(x, &lets, iteration->leave);
    return elab_wrap(x, &lets, core_unit(x->cx));
}

// Iterates until no lane is active. In the lanes that have not left a `for`, stores its value in
// `place`.
static Node *masked_iterations(Elab *x, const Ast *e, const MaskIteration *iteration, int place,
                               Node *type)
{
    if (e->kind == AST_WHILE || e->kind == AST_LOOP)
        return core_forever(x->cx, masked_iteration(x, iteration));
    const Ast *call = ast_strip(e->kids.at[e->kids.len - 2]);
    const MaskIteration *outer = x->masks->iteration;
    x->masks->iteration = iteration;
    Node *value = mask_keep(x, place, type, elab_call(x, call, infer_note(x->b, call)->call));
    x->masks->iteration = outer;
    bool unit = type_is_unit(value->type) || value->type->kind == TYPE_NEVER;
    return unit ? value : core_seq(x->cx, value, core_unit(x->cx));
}

static const Local *next_of(Elab *x, const Ast *e)
{
    if (e->kind == AST_WHILE || e->kind == AST_LOOP) return infer_note(x->b, e)->next;
    const Call *c = infer_note(x->b, ast_strip(e->kids.at[e->kids.len - 2]))->call;
    return infer_note(x->b, c->args[c->nargs - 1])->next;
}

Node *masked_loop(Elab *x, const Ast *e)
{
    Session *cx = x->cx;
    Lets lets = {0};
    Masks *masks = x->masks;
    Local *next = (Local *)(uintptr_t)next_of(x, e);
    int outer = masks->exits.len, place = -1;
    Node *unit = core_unit(cx)->type, *type = mask_note_type(x, e);
    MaskIteration iteration = {.body = vec_last(&e->kids),
                               .condition = e->kind == AST_WHILE ? e->kids.at[0] : NULL,
                               .next = -1};
    if (mask_is_value(type)) place = mask_push_cell(x, &lets, "r", type);
    iteration.came = mask_push_cell(x, &lets, "came", mask_type(x));
    vec_push(x->b->arena, &masks->exits,
             ((MaskExit){infer_note(x->b, e)->exit, iteration.came, place, type}));
    if (next && next->used) {
        iteration.next = mask_push_cell(x, &lets, "back", mask_type(x));
        vec_push(x->b->arena, &masks->exits, ((MaskExit){next, iteration.next, -1, unit}));
    }
    iteration.leave = x->depth++;
    Node *all = masked_iterations(x, e, &iteration, place, type);
    x->depth--;
    masks->exits.len = outer;
    elab_push(x, &lets, NULL, core_label(cx, session_sym(cx, "leave"), unit, all));
    mask_push_or(x, &lets, masks->live, mask_at(x, iteration.came));
    return elab_wrap(x, &lets, mask_result(x, place, type));
}
