// Lists the policy's choices, in the order in which they occur in the term.
#include "ir/walk.h"
#include "memory_policy/internal.h"

typedef struct {
    Session *cx;
    const Map *why;
    Choices *out;
} Lister;

static const char *reason(const Lister *t, Node *e)
{
    const char *why = map_get(t->why, MAP_KEY(e));
    if (why) return why;
    if (e->kind == CORE_COPY) return "the value needs memory of its own";
    if (e->kind == CORE_MAP || e->kind == CORE_GENERATE)
        return e->variant == VARIANT_SRC ? "computed where it is read"
                                         : "computed into its destination";
    if (kind_is_view((Kind)e->kind) && e->variant == VARIANT_SRC)
        return "read through: only the index changes";
    return NULL;
}

static Walk add_choice(Node *e, void *env)
{
    const Lister *t = env;
    const char *why = reason(t, e), *kind = kind_info[e->kind].text;
    if (!why) return WALK_INTO;
    const char *what = e->variant == VARIANT_ANY
                           ? kind
                           : arena_printf(t->cx->arena, "%s.%s", kind, variant_text[e->variant]);
    vec_push(t->cx->arena, t->out, ((Choice){.span = e->origin, .what = what, .why = why}));
    return WALK_INTO;
}

void policy_list_choices(Session *cx, Arena *arena, Node *low, const Map *why, Choices *out)
{
    Lister t = {.cx = cx, .why = why, .out = out};
    Map seen = map_new(arena);
    node_walk_once(&seen, low, add_choice, &t);
}
