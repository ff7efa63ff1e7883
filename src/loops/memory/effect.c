#include "loops/memory/effect.h"

Effects effects_new(Session *cx, Arena *arena)
{
    return (Effects){cx, arena, map_new(arena)};
}

static void note(Sym name, void *names)
{
    map_put(names, MAP_KEY(name), names);
}

void effect_add_reads(Effects *all, Node *n, Map *names)
{
    Map seen = map_new(all->arena);
    loops_reads(all->cx, n, &seen, note, names);
}

static void find_changes(Effect *e, Node *s)
{
    switch ((Kind)s->kind) {
    case LOOP_BLOCK:
    case LOOP_IF:
    case LOOP_FOR:
    case LOOP_STRIDED:
    case LOOP_VECTORIZE:
    case LOOP_PARALLEL: break;
    case LOOP_CHECK: e->checks = true; break;
    case LOOP_DECL:
    case LOOP_ALLOC:
    case LOOP_SET:
    case LOOP_STORE: note(s->attr.sym, &e->changed); break;
    default: e->simple = false; return;
    }
    for (uint32_t i = 0; i < s->nops && e->simple; i++)
        if (loops_is_stmt(s->op[i])) find_changes(e, s->op[i]);
}

// Whether the node accesses memory or divides, which may be possible only after a check.
static bool may_need_check(Node *n, void *env)
{
    (void)env;
    if (loops_is(n, IS_LOAD | IS_STORE | IS_ADDRESS)) return true;
    return n->kind == CORE_PRIM && (n->attr.i == PRIM_DIV || n->attr.i == PRIM_REM) &&
           !type_is_float(n->type) && !loops_is_safe_divisor(n->op[1]);
}

const Effect *effect_of(Effects *all, Node *stmt)
{
    Effect *e = map_get(&all->of, MAP_KEY(stmt));
    if (e) return e;
    e = ARENA_NEW(all->arena, Effect);
    *e = (Effect){map_new(all->arena), map_new(all->arena), true, false, false};
    find_changes(e, stmt);
    e->guarded = e->simple && node_any(stmt, may_need_check, NULL);
    if (e->simple) effect_add_reads(all, stmt, &e->read);
    map_put(&all->of, MAP_KEY(stmt), e);
    return e;
}

bool effect_meets(const Map *changed, const Map *names)
{
    for (int i = 0; i < changed->len; i++)
        if (changed->entries[i].value && map_get(names, changed->entries[i].key)) return true;
    return false;
}

bool effect_independent(const Effect *a, const Effect *b)
{
    return a->simple && b->simple && !(a->checks && (b->checks || b->guarded)) &&
           !(b->checks && a->guarded) && !effect_meets(&a->changed, &b->changed) &&
           !effect_meets(&a->changed, &b->read) && !effect_meets(&b->changed, &a->read);
}
