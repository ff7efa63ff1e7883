// Typing rules of Loop IR: those of Core for its kinds; statements and addresses have no type.
#include "loops/loops.h"

Node *loops_type_rule(Session *cx, const NodeSpec *s, const char **why)
{
    if (s->kind >= LOOP_BLOCK && s->kind <= LOOP_ADDRESS) return NULL;
    if (s->kind == LOOP_VAR || s->kind == LOOP_LOAD) {
        if (!s->type) *why = "a local or a load needs a type";
        return s->type;
    }
    if (s->kind != LOOP_SELECT) return core_type_rule(cx, s, false, why);
    if (s->nops != 3 || !s->ops[1]->type || s->ops[1]->type != s->ops[2]->type) {
        *why = "a selection between two types";
        return NULL;
    }
    return s->ops[1]->type;
}
