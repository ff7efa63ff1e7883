// Branches whose condition depends only on the sizes of the entry, such as one between versions for
// small and large amounts of work. If all arrays are in the arms of one such branch, each arm is
// planned separately, so that a call allocates only the memory for its arm, or none.
#include "loops/memory/plan.h"

Fork *plan_fork(Planner *p, Node *branch)
{
    bool inside = p->around || p->own || p->tasks || p->lanes;
    if (inside || p->f != p->entry || !loops_is_known_at_entry(p->cx, p->entry, branch->op[0]))
        return NULL;
    Fork *fork = ARENA_NEW(p->cx->arena, Fork);
    *fork = (Fork){.branch = branch};
    vec_push(p->cx->arena, &p->arm->forks, fork);
    return fork;
}

static bool is_empty(const Arm *arm)
{
    if (arm->items.len) return false;
    for (int i = 0; i < arm->forks.len; i++)
        for (int k = 0; k < 2; k++)
            if (!is_empty(&arm->forks.at[i]->arms[k])) return false;
    return true;
}

Fork *plan_only_fork(const Arm *arm)
{
    Fork *only = NULL;
    if (arm->items.len) return NULL;
    for (int i = 0; i < arm->forks.len; i++) {
        Fork *fork = arm->forks.at[i];
        if (is_empty(&fork->arms[0]) && is_empty(&fork->arms[1])) continue;
        if (only) return NULL;
        only = fork;
    }
    return only;
}

const Fork *plan_fork_of(const Arm *arm, Node *branch)
{
    const Fork *found = NULL;
    for (int i = 0; i < arm->forks.len && !found; i++) {
        const Fork *fork = arm->forks.at[i];
        if (!fork->apart) continue;
        found = fork->branch == branch ? fork : plan_fork_of(&fork->arms[0], branch);
        if (!found) found = plan_fork_of(&fork->arms[1], branch);
    }
    return found;
}

void plan_items_of(Session *cx, const Arm *arm, Items *out)
{
    for (int i = 0; i < arm->items.len; i++) vec_push(cx->arena, out, arm->items.at[i]);
    for (int i = 0; i < arm->forks.len; i++)
        for (int k = 0; k < 2; k++) plan_items_of(cx, &arm->forks.at[i]->arms[k], out);
}

static Node *leaf(Session *cx, Node *lines)
{
    if (lines && lines->kind == LOOP_SELECT) return lines;
    return core_size(cx, lines ? lines : nat_const(cx, 0));
}

Node *plan_lines_of_fork(Session *cx, const Fork *fork, Node *then, Node *otherwise)
{
    if (!then && !otherwise) return NULL;
    return loops_select(cx, fork->branch->op[0], leaf(cx, then), leaf(cx, otherwise));
}
