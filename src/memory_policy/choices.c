// The choices of the policy, told in the order of the term.
#include "memory_policy/internal.h"

typedef struct {
    Session *cx;
    Arena *arena;
    const Map *why;
    Choices *out;
    Map seen;
} Teller;

static const char *reason(const Teller *t, Node *e)
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

static void tell_of(Teller *t, Node *e)
{
    const char *why = reason(t, e), *kind = kind_info[e->kind].text;
    if (!why) return;
    const char *what = e->variant == VARIANT_ANY
                           ? kind
                           : arena_printf(t->cx->arena, "%s.%s", kind, variant_text[e->variant]);
    Choice c = {.span = e->origin, .what = what, .why = why};
    vec_push(t->cx->arena, t->out, c);
}

static void walk(Teller *t, Node *e)
{
    if (map_get(&t->seen, MAP_KEY(e))) return;
    map_put(&t->seen, MAP_KEY(e), (void *)(uintptr_t)e);
    tell_of(t, e);
    for (uint32_t i = 0; i < e->nops; i++) walk(t, e->op[i]);
}

void rewrite_tell(Session *cx, Arena *arena, Node *low, const Map *why, Choices *out)
{
    Teller t = {.cx = cx, .arena = arena, .why = why, .out = out, .seen = map_new(arena)};
    walk(&t, low);
}
