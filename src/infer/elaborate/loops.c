// Elaboration of loops and generators. break, continue and return become the variables of labels
// that enclose the code to leave. A label exists only if its name is used.
#include "infer/elaborate/elaborate.h"

// Builds if c { body } else { break() }.
static Node *while_iteration(Elab *x, const Ast *e)
{
    Node *condition = elab_expr(x, e->kids.at[0]), *body = elab_open(x, e->kids.at[1]);
    Node *leave = core_app(x->cx, elab_local(x, infer_note(x->b, e)->exit), 0, NULL);
    return core_if(x->cx, condition, body, leave);
}

static Node *forever_while(Elab *x, const Ast *e)
{
    Local *next = infer_note(x->b, e)->next;
    return core_forever(x->cx, elab_label(x, next, infer_unit(x->b), while_iteration, e));
}

Node *elab_while(Elab *x, const Ast *e)
{
    Local *exit = infer_note(x->b, e)->exit;
    exit->used = true; // it is called when the condition is false
    return elab_label(x, exit, infer_unit(x->b), forever_while, e);
}

static Node *forever_loop(Elab *x, const Ast *e)
{
    Local *next = infer_note(x->b, e)->next;
    return core_forever(x->cx, elab_label(x, next, infer_unit(x->b), elab_open, e->kids.at[0]));
}

Node *elab_loop(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    return elab_label(x, note->exit, elab_type(x, note->type), forever_loop, e);
}

// Elaborates the call in the head of a loop. If the bounds differ by lane, each lane iterates over
// its own range.
static Node *generator(Elab *x, const Ast *call)
{
    if (infer_note(x->b, call)->simd && !x->lane) return elab_open(x, call);
    return core_at(x->cx, elab_call(x, call, infer_note(x->b, call)->call), call->span);
}

Node *elab_for(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    const Ast *call = ast_strip(e->kids.at[e->kids.len - 2]);
    return elab_label(x, note->exit, elab_type(x, note->type), generator, call);
}
