#include "ir/walk.h"

bool node_walk(Node *n, NodeVisitor *visit, void *env)
{
    switch (visit(n, env)) {
    case WALK_STOP: return true;
    case WALK_OVER: return false;
    case WALK_INTO: break;
    }
    for (uint32_t i = 0; i < n->nops; i++)
        if (node_walk(n->op[i], visit, env)) return true;
    return false;
}

bool node_walk_once(Map *seen, Node *n, NodeVisitor *visit, void *env)
{
    if (map_get(seen, MAP_KEY(n))) return false;
    map_put(seen, MAP_KEY(n), seen);
    switch (visit(n, env)) {
    case WALK_STOP: return true;
    case WALK_OVER: return false;
    case WALK_INTO: break;
    }
    for (uint32_t i = 0; i < n->nops; i++)
        if (node_walk_once(seen, n->op[i], visit, env)) return true;
    return false;
}

bool node_any(Node *n, NodeTest *test, void *env)
{
    if (test(n, env)) return true;
    for (uint32_t i = 0; i < n->nops; i++)
        if (node_any(n->op[i], test, env)) return true;
    return false;
}

typedef struct {
    NodeRewrite *rewrite;
    void *env;
    Map done;
} Rewriter;

static Node *rewritten(Session *cx, Node *n, Rewriter *r)
{
    Node *done = map_get(&r->done, MAP_KEY(n));
    if (done) return done;
    Node *few[4], **ops = n->nops <= 4 ? few : ARENA_ARRAY(cx->arena, Node *, n->nops);
    for (uint32_t i = 0; i < n->nops; i++) ops[i] = rewritten(cx, n->op[i], r);
    done = r->rewrite(cx, n->nops ? node_with_ops(cx, n, ops) : n, r->env);
    map_put(&r->done, MAP_KEY(n), (void *)(uintptr_t)done);
    return done;
}

Node *node_rewrite(Session *cx, Node *n, NodeRewrite *rewrite, void *env)
{
    Rewriter r = {rewrite, env, map_new(cx->arena)};
    return rewritten(cx, n, &r);
}
