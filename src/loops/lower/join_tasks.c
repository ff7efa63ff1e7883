// Memory outlives the tasks that use it: a block whose arrays a task mentions waits at its end, and before jumps that leave it. The
// outermost block of a function needs no such statement: a function waits for its tasks by itself before it frees what it has.
#include "loops/lower/from_dpia.h"

typedef struct {
    Session *cx;
    Map labels; // those inside of the blocks that wait: not NULL
    bool waits; // whether such a block is around
} Join;

typedef struct {
    Node *block;
    bool found;
} Own;

static void look(Sym name, void *env)
{
    Own *own = env;
    for (uint32_t i = 0; i < own->block->nops; i++) {
        Node *s = own->block->op[i];
        own->found |= s->kind == LOOP_ALLOC && s->attr.sym == name;
    }
}

static void look_at_stores(Node *s, Own *own)
{
    if (loops_is_store(s)) look(s->attr.sym, own);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) look_at_stores(s->op[i], own);
}

// Whether a task in the statement mentions an array of the block.
static bool lends(Join *j, Node *s, Own *own)
{
    if (s->kind == LOOP_SPAWN) {
        Map seen = map_new(j->cx->arena);
        loops_reads(j->cx, s->op[0], &seen, look, own);
        look_at_stores(s->op[0], own);
    }
    for (uint32_t i = 0; i < s->nops && !own->found; i++)
        if (loops_is_stmt(s->op[i])) lends(j, s->op[i], own);
    return own->found;
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
    Own own = {s, false};
    if (!lends(j, s, &own)) return loops_map(j->cx, s, join, j);
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
