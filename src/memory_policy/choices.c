// Lists the choices of the policy, in the order of the term.
#include "memory_policy/internal.h"

typedef struct {
    Session *cx;
    const Map *why;
    Choices *out;
    Map seen;
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

static void add_choice(Lister *t, Node *e)
{
    const char *why = reason(t, e), *kind = kind_info[e->kind].text;
    if (!why) return;
    const char *what = e->variant == VARIANT_ANY
                           ? kind
                           : arena_printf(t->cx->arena, "%s.%s", kind, variant_text[e->variant]);
    vec_push(t->cx->arena, t->out, ((Choice){.span = e->origin, .what = what, .why = why}));
}

static void walk(Lister *t, Node *e)
{
    if (map_get(&t->seen, MAP_KEY(e))) return;
    map_put(&t->seen, MAP_KEY(e), (void *)(uintptr_t)e);
    add_choice(t, e);
    for (uint32_t i = 0; i < e->nops; i++) walk(t, e->op[i]);
}

void policy_list_choices(Session *cx, Arena *arena, Node *low, const Map *why, Choices *out)
{
    Lister t = {.cx = cx, .why = why, .out = out, .seen = map_new(arena)};
    walk(&t, low);
}
