// Inserts waits for tasks, so that memory outlives the tasks that use it. A block with arrays that
// a task accesses waits at its end and before jumps out of it. The outermost block of a function
// needs no wait, since a function waits for its tasks before it frees its memory.
#include "loops/lower/from_dpia.h"

typedef struct {
    Session *cx;
    Map labels; // set of labels inside the innermost block that waits
    bool waits; // whether an enclosing block waits
} Join;

typedef struct {
    Node *block;
    bool found;
} OwnArrays;

static void find_own(Sym name, void *env)
{
    OwnArrays *own = env;
    for (uint32_t i = 0; i < own->block->nops; i++) {
        Node *s = own->block->op[i];
        own->found |= s->kind == LOOP_ALLOC && s->attr.sym == name;
    }
}

// Whether a task in the block accesses an array of the block.
static bool lends(Join *j, Node *block)
{
    OwnArrays own = {block, false};
    Stmts tasks = loops_all(j->cx, block, IS_TASK);
    for (int i = 0; i < tasks.len && !own.found; i++) {
        Map seen = map_new(j->cx->arena), stored = map_new(j->cx->arena);
        loops_reads(j->cx, tasks.at[i]->op[0], &seen, find_own, &own);
        loops_names(tasks.at[i]->op[0], IS_STORE, &stored);
        for (int k = 0; k < stored.len; k++) find_own((Sym)(uintptr_t)stored.entries[k].key, &own);
    }
    return own.found;
}

static Node *join(void *env, Node *s);

static Node *with_wait(Join *j, Node *s, bool before)
{
    Node *wait = node_make(j->cx, &(NodeSpec){.kind = LOOP_SYNC, .origin = s->origin});
    Stmts out = {0};
    if (before) vec_push(j->cx->arena, &out, wait);
    for (uint32_t i = 0; s->kind == LOOP_BLOCK && i < s->nops; i++)
        vec_push(j->cx->arena, &out, s->op[i]);
    if (s->kind != LOOP_BLOCK) vec_push(j->cx->arena, &out, s);
    if (!before) vec_push(j->cx->arena, &out, wait);
    return loops_block(j->cx, out.len, out.at);
}

static Node *join_block(Join *j, Node *s)
{
    if (!lends(j, s)) return loops_map(j->cx, s, join, j);
    Join inner = {j->cx, map_new(j->cx->arena), true};
    s = loops_map(j->cx, s, join, &inner);
    return loops_leaves(s) ? s : with_wait(j, s, false);
}

static Node *join(void *env, Node *s)
{
    Join *j = env;
    if (s->kind == LOOP_BLOCK) return join_block(j, s);
    if (s->kind == LOOP_LABEL) map_put(&j->labels, MAP_KEY(s->attr.sym), j);
    bool leaves = s->kind == LOOP_JUMP && j->waits && !map_get(&j->labels, MAP_KEY(s->attr.sym));
    return leaves ? with_wait(j, s, true) : loops_map(j->cx, s, join, j);
}

Node *loops_join_tasks(Session *cx, Node *body)
{
    Join j = {cx, map_new(cx->arena), false};
    return loops_has(body, IS_TASK) ? loops_map(cx, body, join, &j) : body;
}
