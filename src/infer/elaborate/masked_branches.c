// Branches and matches with masks. All branches or arms are executed in order, each by the lanes
// that take it.
#include "infer/elaborate/masks.h"

// --- branches ----------------------------------------------------------------------------------

Node *uniform_if(Elab *x, const Ast *e)
{
    Node *type = mask_note_type(x, e), *c = elab_expr(x, e->kids.at[0]);
    Node *a = elab_fit(x, elab_where(x, e->kids.at[1], c, true), type);
    Node *b = e->kids.at[2] ? elab_fit(x, elab_where(x, e->kids.at[2], c, false), type)
                            : core_unit(x->cx);
    return core_if(x->cx, c, a, b);
}

// Adds a branch for the lanes whose mask is in the variable at level `lanes`.
static void push_branch(Elab *x, Lets *lets, const Ast *branch, int lanes, int place, Node *type)
{
    mask_push_set(x, lets, x->masks->live, elab_var(x, lanes, mask_type(x)));
    mask_push_if_live(x, lets, mask_keep(x, place, type, elab_open(x, branch)));
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
              elab_prim(x, PRIM_AND, mask_at(x, live), core_var(cx, 0, mt)));
    int there = x->depth - 1;
    elab_push(x, &lets, session_sym(cx, "others"),
              mask_but(x, mask_at(x, live), core_var(cx, 1, mt)));
    int others = x->depth - 1;
    push_branch(x, &lets, e->kids.at[1], there, place, type);
    if (otherwise) {
        elab_push(x, &lets, session_sym(cx, "out"), mask_at(x, live));
        int out = x->depth - 1;
        push_branch(x, &lets, otherwise, others, place, type);
        others = out;
    }
    mask_push_or(x, &lets, live, elab_var(x, others, mt));
    return elab_wrap(x, &lets, mask_result(x, place, type));
}

// Evaluates the right operand only in the lanes in which the left operand does not decide the
// result.
Node *masked_logical(Elab *x, const Ast *e)
{
    Session *cx = x->cx;
    Lets lets = {0};
    int live = x->masks->live, r = mask_push_cell(x, &lets, "r", mask_type(x));
    mask_push_set(x, &lets, r, mask_to_lanes(x, elab_expr(x, e->kids.at[0])));
    Node *left = mask_at(x, r), *before = mask_at(x, live);
    bool conjunction = ast_is_named(e, "&&");
    elab_push(x, &lets, session_sym(cx, "others"),
              conjunction ? mask_but(x, before, left) : elab_prim(x, PRIM_AND, before, left));
    int others = x->depth - 1;
    mask_push_set(x, &lets, live, mask_but(x, mask_at(x, live), core_var(cx, 0, mask_type(x))));
    Node *right = mask_to_lanes(x, elab_expr(x, e->kids.at[1]));
    mask_push_if_live(x, &lets, mask_keep(x, r, mask_type(x), right));
    mask_push_or(x, &lets, live, elab_var(x, others, mask_type(x)));
    return elab_wrap(x, &lets, mask_at(x, r));
}

// --- match -------------------------------------------------------------------------------------

/// A match whose arms are executed in order. `value`, `rest`, `done` and `place` are the levels of
/// the matched value, of the mask of lanes that remain for the next arms, of the mask of lanes that
/// are done, and of the result.
typedef struct {
    Node *of; // the type of the matched value
    int value, rest, done, place;
    Node *type; // the type of the result
} MaskMatch;

// Activates the remaining lanes whose value matches; lanes whose guard fails remain for later arms.
static void push_arm_lanes(Elab *x, Lets *lets, const MaskMatch *m, const Ast *arm, bool last)
{
    Session *cx = x->cx;
    int live = x->masks->live;
    Node *of = elab_var(x, m->value, m->of);
    Node *condition = last ? NULL : elab_matches(x, arm->kids.at[0], of);
    Node *there = mask_at(x, m->rest);
    if (condition) there = elab_prim(x, PRIM_AND, there, mask_to_lanes(x, condition));
    mask_push_set(x, lets, live, there);
    mask_push_set(x, lets, m->rest, mask_but(x, mask_at(x, m->rest), mask_at(x, live)));
    if (!arm->kids.at[1]) return;
    Node *none = elab_zero(x, mask_type(x)),
         *guard = mask_to_lanes(x, elab_expr(x, arm->kids.at[1]));
    elab_push(x, lets, session_sym(cx, "guard"), core_if(cx, mask_any_live(x), guard, none));
    mask_push_or(x, lets, m->rest, mask_but(x, mask_at(x, live), core_var(cx, 0, mask_type(x))));
    mask_push_set(x, lets, live,
                  elab_prim(x, PRIM_AND, mask_at(x, live), core_var(cx, 1, mask_type(x))));
}

static Node *masked_arm(Elab *x, const MaskMatch *m, const Ast *arm, bool last)
{
    Lets lets = {0};
    elab_set_level(x, arm->kids.at[0], m->value);
    elab_cells(x, &lets, arm->kids.at[0]);
    push_arm_lanes(x, &lets, m, arm, last);
    mask_push_if_live(x, &lets, mask_keep(x, m->place, m->type, elab_open(x, arm->kids.at[2])));
    mask_push_or(x, &lets, m->done, elab_live(x));
    return elab_wrap(x, &lets, core_unit(x->cx));
}

Node *masked_match(Elab *x, const Ast *e)
{
    Lets lets = {0};
    int n = e->kids.len - 1;
    MaskMatch m = {.place = -1, .type = mask_note_type(x, e)};
    if (mask_is_value(m.type)) m.place = mask_push_cell(x, &lets, "r", m.type);
    Node *of = elab_expr(x, e->kids.at[0]);
    m.of = of->type;
    m.value = x->depth;
    elab_push(x, &lets, session_sym(x->cx, "m"), of);
    m.rest = mask_push_cell(x, &lets, "rest", mask_type(x));
    mask_push_set(x, &lets, m.rest, elab_live(x));
    m.done = mask_push_cell(x, &lets, "done", mask_type(x));
    for (int i = 0; i < n; i++)
        elab_push(x, &lets, NULL, masked_arm(x, &m, e->kids.at[i + 1], i == n - 1));
    mask_push_set(x, &lets, x->masks->live, mask_at(x, m.done));
    return elab_wrap(x, &lets, mask_result(x, m.place, m.type));
}
