// Tracks what is known about the contents of cells. Changes are undone and redone for the two sides
// of a branch, and merged after the branch.
#include "staging/values/stage.h"

void stage_learn(Stage *s, Cell *cell, const Known *value, bool written)
{
    Change old = {cell, cell->value, written};
    vec_push(s->arena, &s->trail, old);
    if (written) vec_push(s->arena, &s->written, cell);
    cell->value = value;
}

void stage_forget(Stage *s, Cell *cell)
{
    stage_learn(s, cell, NULL, true);
}

void stage_forget_all(Stage *s, const Cells *cells)
{
    for (int i = 0; i < cells->len; i++) stage_forget(s, cells->at[i]);
}

Changes stage_take_back(Stage *s, int mark)
{
    Changes taken = {0};
    for (int i = s->trail.len - 1; i >= mark; i--) {
        Change c = s->trail.at[i];
        Change now = {c.cell, c.cell->value, c.written};
        vec_push(s->arena, &taken, now);
        c.cell->value = c.value;
    }
    s->trail.len = mark;
    return taken;
}

// The last change to a cell was undone first, so the changes are redone from the end.
void stage_redo(Stage *s, const Changes *changes)
{
    for (int i = changes->len - 1; i >= 0; i--)
        stage_learn(s, changes->at[i].cell, changes->at[i].value, changes->at[i].written);
}

// Whether both are the same value, or the same literal, which is valid in any block.
static bool is_same(const Known *a, const Known *b)
{
    if (!a || !b || a == b) return a == b && a;
    return a->kind == KNOWN_TERM && b->kind == KNOWN_TERM && a->node == b->node &&
           (a->node->kind == CORE_LIT || a->node->kind == CORE_NAT);
}

// The contents of the cell after these changes, or `before` if they do not write it.
static const Known *after(const Changes *changes, const Cell *cell, const Known *before)
{
    bool written = false;
    for (int i = 0; i < changes->len && !written; i++)
        written = changes->at[i].cell == cell && changes->at[i].written;
    if (!written) return before;
    for (int i = 0; i < changes->len; i++)
        if (changes->at[i].cell == cell) return changes->at[i].value;
    return before;
}

// Builds a choice between the functions that the cell holds after the two sides of a branch.
static const Known *chosen(Stage *s, Node *condition, const Cell *cell, const Known *x,
                           const Known *y)
{
    Node *type = cell->var->type->op[0];
    Known *k = ARENA_NEW(s->arena, Known);
    const Env *env = stage_env_push(s, stage_env_push(s, NULL, x), y);
    *k = (Known){.kind = KNOWN_CHOICE, .node = condition, .env = env};
    k->branches[0] = core_var(s->cx, 1, type);
    k->branches[1] = core_var(s->cx, 0, type);
    return k;
}

void stage_merge(Stage *s, const Changes *a, const Changes *b, Node *condition)
{
    const Changes *ways[2] = {a, b};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < ways[k]->len; i++) {
            const Change *c = &ways[k]->at[i];
            Cell *cell = c->cell;
            if (!c->written) continue;
            const Known *x = after(a, cell, cell->value), *y = after(b, cell, cell->value);
            bool same = is_same(x, y), data = type_is_data(cell->var->type->op[0]);
            bool choice = !same && !data && condition && x && y;
            if (k == 1 && after(a, cell, NULL)) continue; // already merged
            stage_learn(s, cell, same ? x : choice ? chosen(s, condition, cell, x, y) : NULL, true);
        }
}

Before stage_before(const Stage *s)
{
    return (Before){s->trail.len, s->written.len, s->cells};
}

void stage_forget_since(Stage *s, Before before)
{
    (void)stage_take_back(s, before.trail);
    for (int i = before.written, end = s->written.len; i < end; i++)
        if (s->written.at[i]->number < before.cells && s->written.at[i]->value)
            stage_forget(s, s->written.at[i]);
}
