// Arrays in the iterations of a parallel loop. A thread runs its iterations one after another, so
// one slot per thread is enough. The slots are adjacent in the workspace, one for each worker
// thread and one for the main thread, each large enough for the arrays of an iteration.
//
// Only outermost parallel loops of the entry that run on all threads have such slots. Parallel
// loops in functions do not, since iterations may call these functions, and neither do loops whose
// number of threads is set by the program.
#include "loops/memory/plan.h"

static bool is_condition(Node *threads)
{
    return threads->kind == LOOP_SELECT && threads->op[1]->kind == CORE_LIT &&
           threads->op[1]->attr.i == 0 && threads->op[2]->kind == CORE_LIT &&
           threads->op[2]->attr.i == 1;
}

static bool has_all_threads(Node *loop)
{
    Node *threads = loop->op[0];
    return (threads->kind == CORE_LIT && threads->attr.i == 0) || is_condition(threads);
}

void plan_open_team(Planner *p, Node *loop)
{
    p->own++;
    if (p->own > 1 || p->f != p->entry || !has_all_threads(loop)) return;
    p->team = ARENA_NEW(p->cx->arena, Team);
    *p->team = (Team){.loop = loop};
}

static Sym named(Planner *p, Sym name, const char *text)
{
    return name ? name : sym_fresh(p->cx->syms, text);
}

void plan_close_team(Planner *p, Node *loop, int begin)
{
    Team *team = p->team && p->team->loop == loop ? p->team : NULL;
    p->own--;
    if (!team) return;
    p->team = NULL;
    if (team->items.len == 0) return;
    team->all = ARENA_NEW(p->cx->arena, Item);
    *team->all = (Item){.place = {.from = begin, .to = p->time, .name = loop->attr.sym},
                        .around = p->around};
    vec_push(p->cx->arena, &p->arm->items, team->all);
    vec_push(p->cx->arena, &p->teams, team);
    p->helpers = named(p, p->helpers, "helpers");
    p->thread = named(p, p->thread, "thread");
}

bool plan_has_places(const Planner *p)
{
    return p->own == 0 || (p->team && p->own == 1 && p->tasks == 0);
}

const Team *plan_team_of(const Planner *p, Node *loop)
{
    for (int i = 0; i < p->teams.len; i++)
        if (p->teams.at[i]->loop == loop) return p->teams.at[i];
    return NULL;
}

Node *plan_bytes_of_team(Planner *p, const Team *team)
{
    Session *cx = p->cx;
    Node *threads = nat_add(cx, nat_var(cx, p->helpers), nat_const(cx, 1));
    return nat_mul(cx, nat_mul(cx, team->lines, nat_const(cx, LOOPS_LINE)), threads);
}

Node *plan_position(const Planner *p, const Item *item)
{
    Session *cx = p->cx;
    const Team *team = item->team;
    if (!team) return item->slot->at;
    Node *first = nat_add(cx, team->all->slot->at, item->slot->at);
    return nat_add(cx, first, nat_mul(cx, nat_var(cx, p->thread), team->lines));
}
