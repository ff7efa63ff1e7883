// Finds recursive functions, which are those on a cycle of the call graph (Tarjan's algorithm for
// strongly connected components).
#include "staging/values/stage.h"

/// A visited function. `low` is the least number of a function on the stack that it reaches.
typedef struct {
    int number, low;
    bool on_stack, recursive;
} Visit;

typedef struct {
    Stage *s;
    int visited;
    VEC(Visit *) stack;
} Search;

static Visit *visit(Search *search, const Function *f);

static void follow_call(Search *search, Visit *from, const Function *f)
{
    Visit *to = map_get(&search->s->recursive, MAP_KEY(f));
    from->recursive |= to == from;
    if (!to) to = visit(search, f);
    if (to->on_stack && to->low < from->low) from->low = to->low;
}

// Assumes that a body calls all functions that it mentions.
static void follow_term(Search *search, Visit *from, Node *e, Map *seen)
{
    for (;;) {
        if (map_get(seen, MAP_KEY(e))) return;
        map_put(seen, MAP_KEY(e), seen);
        if (e->kind == CORE_GLOBAL) {
            const Function *f = map_get(&search->s->program->by_name, MAP_KEY(e->attr.sym));
            if (f) follow_call(search, from, f);
        }
        Node *last = NULL;
        for (uint32_t i = 0; i < e->nops; i++) {
            if (node_is_size_or_type(e->op[i])) continue;
            if (last) follow_term(search, from, last, seen);
            last = e->op[i];
        }
        if (!last) return;
        e = last;
    }
}

// Pops a component, which consists of `first` and all functions above it on the stack.
static void close_component(Search *search, const Visit *first)
{
    bool several = vec_last(&search->stack) != first;
    Visit *v;
    do {
        v = search->stack.at[--search->stack.len];
        v->on_stack = false;
        v->recursive |= several;
    } while (v != first);
}

static Visit *visit(Search *search, const Function *f)
{
    Stage *s = search->s;
    int number = ++search->visited;
    Visit *v = ARENA_NEW(s->arena, Visit);
    *v = (Visit){.number = number, .low = number, .on_stack = true};
    map_put(&s->recursive, MAP_KEY(f), v);
    vec_push(s->arena, &search->stack, v);
    Map seen = map_new(s->arena);
    if (f->body) follow_term(search, v, f->body, &seen);
    if (v->low == number) close_component(search, v);
    return v;
}

bool stage_is_recursive(Stage *s, const Function *f)
{
    const Visit *v = map_get(&s->recursive, MAP_KEY(f));
    Search search = {.s = s};
    if (!v) v = visit(&search, f);
    return v->recursive;
}
