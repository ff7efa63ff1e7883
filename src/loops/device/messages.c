// Messages of assertions in kernels. A device has no text: an assertion that fails in a kernel has
// the message of its status, in which `...` stands for values.
#include "loops/device/device.h"

static bool is_step(Node *s, PrintStep step)
{
    return s->kind == LOOP_CALL && core_print_step_of(s->attr.sym) == step;
}

// Removes what is between the beginning of a message and its end, which are in one block.
static Node *without_messages(void *env, Node *s)
{
    Session *cx = env;
    Stmts rest = {0};
    int start = -1;
    for (uint32_t i = 0; s->kind == LOOP_BLOCK && i < s->nops; i++) {
        if (is_step(s->op[i], PRINT_START)) start = rest.len;
        vec_push(cx->arena, &rest, without_messages(cx, s->op[i]));
        if (start >= 0 && is_step(s->op[i], PRINT_MESSAGE)) {
            rest.len = start;
            start = -1;
        }
    }
    return s->kind == LOOP_BLOCK ? loops_block(cx, rest.len, rest.at)
                                 : loops_map(cx, s, without_messages, cx);
}

static bool is_message(Node *s, void *env)
{
    (void)env;
    return is_step(s, PRINT_MESSAGE);
}

Node *device_without_messages(Session *cx, Node *s)
{
    return loops_any(s, is_message, NULL) ? without_messages(cx, s) : s;
}
