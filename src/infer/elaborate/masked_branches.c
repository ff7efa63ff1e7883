// Branches and matches where masks are kept: one side or arm after the other, each for the lanes
// that take it.
#include "infer/elaborate/masks.h"

#include <string.h>

// --- branches ----------------------------------------------------------------------------------

Node *uniform_if(Elab *x, const Ast *e)
{
    Node *type = mask_note_type(x, e), *c = elab_expr(x, e->kids.at[0]);
    Node *a = elab_fit(x, elab_where(x, e->kids.at[1], c, true), type);
    Node *b = e->kids.at[2] ? elab_fit(x, elab_where(x, e->kids.at[2], c, false), type)
                            : core_unit(x->cx);
    return core_if(x->cx, c, a, b);
}

// A side for the lanes of the mask that is the variable `lanes`.
static void push_side(Elab *x, Lets *lets, const Ast *side, int lanes, int place, Node *type)
{
    Node *here = core_var(x->cx, x->depth - 1 - lanes, mask_type(x));
    elab_push(x, lets, NULL, mask_set(x, x->masks->live, here));
    Node *value = mask_keep(x, place, type, elab_open(x, side));
    elab_push(x, lets, NULL, core_if(x->cx, mask_any_live(x), value, core_unit(x->cx)));
}

Node *masked_if(Elab *x, const Ast *e)
{
    Session *cx = x->cx;
    Lets lets = {0};
    const Ast *otherwise = e->kids.at[2];
    int live = x->masks->live, place = -1;
    Node *type = mask_note_type(x, e), *mt = mask_type(x);
    if (mask_is_value(type)) place = mask_push_cell(x, &lets, "r", type);
    elab_push(x, &lets, session_sym(cx, "c"), elab_expr(x, e->kids.at[0]));
    elab_push(x, &lets, session_sym(cx, "there"),
              mask_both(x, PRIM_AND, mask_at(x, live), core_var(cx, 0, mt)));
    int there = x->depth - 1;
    elab_push(x, &lets, session_sym(cx, "others"),
              mask_but(x, mask_at(x, live), core_var(cx, 1, mt)));
    int others = x->depth - 1;
    push_side(x, &lets, e->kids.at[1], there, place, type);
    if (otherwise) {
        elab_push(x, &lets, session_sym(cx, "out"), mask_at(x, live));
        int out = x->depth - 1;
        push_side(x, &lets, otherwise, others, place, type);
        others = out;
    }
    Node *rest = core_var(cx, x->depth - 1 - others, mt);
    elab_push(x, &lets, NULL, mask_set(x, live, mask_both(x, PRIM_OR, mask_at(x, live), rest)));
    Node *result = place < 0 ? core_unit(cx) : core_get(cx, mask_cell(x, place, type));
    return elab_wrap(x, &lets, result);
}

// The right operand is for the lanes that the left one does not decide.
Node *masked_logical(Elab *x, const Ast *e)
{
    Session *cx = x->cx;
    Lets lets = {0};
    int live = x->masks->live, r = mask_push_cell(x, &lets, "r", mask_type(x));
    elab_push(x, &lets, NULL, mask_set(x, r, mask_to_lanes(x, elab_expr(x, e->kids.at[0]))));
    Node *left = mask_at(x, r);
    bool and = strcmp(e->name->text, "&&") == 0;
    elab_push(x, &lets, session_sym(cx, "others"),
              and? mask_but(x, mask_at(x, live), left)
                 : mask_both(x, PRIM_AND, mask_at(x, live), left));
    int others = x->depth - 1;
    Node *need = mask_but(x, mask_at(x, live), core_var(cx, 0, mask_type(x)));
    elab_push(x, &lets, NULL, mask_set(x, live, need));
    Node *right = mask_keep(x, r, mask_type(x), mask_to_lanes(x, elab_expr(x, e->kids.at[1])));
    elab_push(x, &lets, NULL, core_if(cx, mask_any_live(x), right, core_unit(cx)));
    Node *back = core_var(cx, x->depth - 1 - others, mask_type(x));
    elab_push(x, &lets, NULL, mask_set(x, live, mask_both(x, PRIM_OR, mask_at(x, live), back)));
    return elab_wrap(x, &lets, mask_at(x, r));
}

// --- match -------------------------------------------------------------------------------------

/// A match whose arms are executed one after the other: the lanes that remain for the next arms,
/// and those that are done.
typedef struct {
    const Ast *e;
    Node *of; // its type
    int value, rest, done, place;
    Node *type;
} MaskMatch;

// Activates the remaining lanes whose value matches; those for which the guard fails remain.
static void push_arm_lanes(Elab *x, Lets *lets, const MaskMatch *m, const Ast *arm, bool last)
{
    Session *cx = x->cx;
    int live = x->masks->live;
    Node *of = core_var(cx, x->depth - 1 - m->value, m->of);
    Node *condition = last ? NULL : elab_matches(x, arm->kids.at[0], of);
    Node *there = mask_at(x, m->rest);
    if (condition) there = mask_both(x, PRIM_AND, there, mask_to_lanes(x, condition));
    elab_push(x, lets, NULL, mask_set(x, live, there));
    elab_push(x, lets, NULL,
              mask_set(x, m->rest, mask_but(x, mask_at(x, m->rest), mask_at(x, live))));
    if (!arm->kids.at[1]) return;
    Node *none = elab_zero(x, mask_type(x)),
         *guard = mask_to_lanes(x, elab_expr(x, arm->kids.at[1]));
    elab_push(x, lets, session_sym(cx, "guard"), core_if(cx, mask_any_live(x), guard, none));
    Node *refused = mask_but(x, mask_at(x, live), core_var(cx, 0, mask_type(x)));
    elab_push(x, lets, NULL,
              mask_set(x, m->rest, mask_both(x, PRIM_OR, mask_at(x, m->rest), refused)));
    Node *taken = mask_both(x, PRIM_AND, mask_at(x, live), core_var(cx, 1, mask_type(x)));
    elab_push(x, lets, NULL, mask_set(x, live, taken));
}

static Node *masked_arm(Elab *x, const MaskMatch *m, const Ast *arm, bool last)
{
    Lets lets = {0};
    elab_set_level(x, arm->kids.at[0], m->value);
    elab_cells(x, &lets, arm->kids.at[0]);
    push_arm_lanes(x, &lets, m, arm, last);
    Node *value = mask_keep(x, m->place, m->type, elab_open(x, arm->kids.at[2]));
    elab_push(x, &lets, NULL, core_if(x->cx, mask_any_live(x), value, core_unit(x->cx)));
    Node *done = mask_both(x, PRIM_OR, mask_at(x, m->done), mask_at(x, x->masks->live));
    elab_push(x, &lets, NULL, mask_set(x, m->done, done));
    return elab_wrap(x, &lets, core_unit(x->cx));
}

Node *masked_match(Elab *x, const Ast *e)
{
    Lets lets = {0};
    int n = e->kids.len - 1;
    MaskMatch m = {.e = e, .place = -1, .type = mask_note_type(x, e)};
    if (mask_is_value(m.type)) m.place = mask_push_cell(x, &lets, "r", m.type);
    Node *of = elab_expr(x, e->kids.at[0]);
    m.of = of->type;
    m.value = x->depth;
    elab_push(x, &lets, session_sym(x->cx, "m"), of);
    m.rest = mask_push_cell(x, &lets, "rest", mask_type(x));
    elab_push(x, &lets, NULL, mask_set(x, m.rest, mask_at(x, x->masks->live)));
    m.done = mask_push_cell(x, &lets, "done", mask_type(x));
    for (int i = 0; i < n; i++)
        elab_push(x, &lets, NULL, masked_arm(x, &m, e->kids.at[i + 1], i == n - 1));
    elab_push(x, &lets, NULL, mask_set(x, x->masks->live, mask_at(x, m.done)));
    Node *result = m.place < 0 ? core_unit(x->cx) : core_get(x->cx, mask_cell(x, m.place, m.type));
    return elab_wrap(x, &lets, result);
}
