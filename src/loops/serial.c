// For a target that runs on one thread parallel loops are plain ones, tasks are done at once, and there are no helpers.
#include "loops/passes.h"

static Node *in_order(void *env, Node *s)
{
    Session *cx = env;
    s = loops_map(cx, s, in_order, env);
    if (s->kind == LOOP_SPAWN) return s->op[0];
    if (s->kind == LOOP_SYNC) return loops_block(cx, 0, NULL);
    if (s->kind == LOOP_FOR && s->variant == VARIANT_PAR)
        return node_with_variant(cx, s, VARIANT_ANY);
    return s->kind == LOOP_PARALLEL ? loops_in_order(cx, s) : s;
}

static LoopEntry *serial_entry(Session *cx, const LoopEntry *e)
{
    Node *body = in_order(cx, e->body);
    if (e->helpers)
        body = node_replace_names(cx, body, &(NodeBinding){e->helpers, nat_const(cx, 0)}, 1);
    LoopEntry *done = loops_with_body(cx, e, body);
    done->helpers = NULL;
    return done;
}

// The functions of the entry are for its target.
LoopEntry *loops_serial(Session *cx, const LoopEntry *e)
{
    return e->serial ? loops_each(cx, e, serial_entry) : loops_with_body(cx, e, e->body);
}
