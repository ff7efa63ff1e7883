// Arms of branches whose way the sizes of the entry tell, as of one between two ways to do small and large work. Where all arrays are in the
// arms of one such branch, each arm is planned by itself: a call then asks for what its own arm needs, which may be nothing.
#include "loops/plan.h"

Node *loops_lines(Node *workspace)
{
    if (workspace->kind == LOOP_SELECT) return NULL;
    return workspace->kind == CORE_NAT ? workspace->op[0] : workspace;
}

bool loops_may_be_nothing(Node *workspace)
{
    Node *lines = loops_lines(workspace);
    int64_t n;
    if (lines) return nat_is_const(lines, &n) && n == 0;
    return loops_may_be_nothing(workspace->op[1]) || loops_may_be_nothing(workspace->op[2]);
}

Node *loops_most_lines(Session *cx, Node *workspace)
{
    Node *lines = workspace ? loops_lines(workspace) : nat_const(cx, 0);
    if (lines) return lines;
    Node *then = loops_most_lines(cx, workspace->op[1]), *zero = nat_const(cx, 0);
    Node *otherwise = loops_most_lines(cx, workspace->op[2]);
    return then == zero ? otherwise : otherwise == zero ? then : nat_max(cx, then, otherwise);
}

bool loops_sizes_tell(Session *cx, const LoopEntry *entry, Node *x)
{
    bool divides = x->kind == CORE_PRIM && (x->attr.i == PRIM_DIV || x->attr.i == PRIM_REM);
    if (x->kind == CORE_LIT) return true;
    if (x->kind == CORE_NAT) return loops_is_static(cx, entry, x->op[0]);
    if ((x->kind != CORE_PRIM && x->kind != LOOP_SELECT) || divides || type_is_float(x->type))
        return false;
    for (uint32_t i = 0; i < x->nops; i++)
        if (!loops_sizes_tell(cx, entry, x->op[i])) return false;
    return true;
}

Fork *plan_fork(Planner *p, Node *branch)
{
    bool inside = p->around || p->own || p->tasks || p->lanes;
    if (inside || p->f != p->entry || !loops_sizes_tell(p->cx, p->entry, branch->op[0]))
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
    Node *ops[] = {fork->branch->op[0], leaf(cx, then), leaf(cx, otherwise)};
    return node_make(cx, &(NodeSpec){.kind = LOOP_SELECT,
                                     .type = ops[1]->type,
                                     .nops = 3,
                                     .ops = ops,
                                     .origin = fork->branch->origin});
}
