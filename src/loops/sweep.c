// Dead code: locals that nobody reads, temporary buffers that nobody loads from.
#include "loops/passes.h"

typedef struct {
    Map *seen;
    LoopsFound *found;
    void *env;
} Reads;

static void size_atom(Node *atom, void *env)
{
    Reads *r = env;
    if (atom->kind == NAT_VAR) r->found(atom->attr.sym, r->env);
}

void loops_reads(Session *cx, Node *n, Map *seen, LoopsFound *found, void *env)
{
    if (map_get(seen, MAP_KEY(n))) return;
    map_put(seen, MAP_KEY(n), seen);
    if (kind_info[n->kind].levels & LEVEL_NAT) {
        Reads r = {seen, found, env};
        nat_atoms(cx, n, size_atom, &r);
        return;
    }
    if (n->kind == LOOP_VAR || n->kind == LOOP_LOAD) found(n->attr.sym, env);
    for (uint32_t i = 0; i < n->nops; i++)
        if (kind_sort((Kind)n->kind, (int)i) != SORT_TYPE)
            loops_reads(cx, n->op[i], seen, found, env);
}

static void mark(Sym name, void *env)
{
    map_put(env, MAP_KEY(name), env);
}

typedef struct {
    Session *cx;
    Map read;  // names that are read somewhere
    Map local; // names declared in the body
} Sweep;

static void find_locals(Node *s, Map *local)
{
    if (s->kind == LOOP_DECL || s->kind == LOOP_ALLOC) map_put(local, MAP_KEY(s->attr.sym), local);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_locals(s->op[i], local);
}

static bool is_dead(const Sweep *w, Node *s)
{
    if (s->kind != LOOP_DECL && s->kind != LOOP_ALLOC && s->kind != LOOP_SET &&
        s->kind != LOOP_STORE)
        return false;
    uint64_t key = MAP_KEY(s->attr.sym);
    return map_get(&w->local, key) && !map_get(&w->read, key);
}

static Node *sweep(Sweep *w, Node *s)
{
    Session *cx = w->cx;
    if (is_dead(w, s)) return loops_block(cx, 0, NULL);
    if (s->kind != LOOP_BLOCK && s->kind != LOOP_FOR && s->kind != LOOP_IF) return s;
    VEC(Node *) ops = {0};
    for (uint32_t i = 0; i < s->nops; i++) {
        Node *op = loops_is_stmt(s->op[i]) ? sweep(w, s->op[i]) : s->op[i];
        vec_push(cx->arena, &ops, op);
    }
    if (s->kind == LOOP_BLOCK) return loops_block(cx, ops.len, ops.at);
    if (s->kind == LOOP_FOR && loops_is_empty(ops.at[2])) return ops.at[2];
    if (s->kind == LOOP_IF && loops_is_empty(ops.at[1]) && loops_is_empty(ops.at[2]))
        return ops.at[1];
    return node_with_ops(cx, s, ops.at);
}

Node *loops_sweep(Session *cx, Node *body)
{
    for (int round = 0; round < 4; round++) { // what fed only dead locals is dead in the next round
        Sweep w = {cx, map_new(cx->arena), map_new(cx->arena)};
        Map seen = map_new(cx->arena);
        loops_reads(cx, body, &seen, mark, &w.read);
        find_locals(body, &w.local);
        Node *swept = sweep(&w, body);
        if (swept == body) break;
        body = swept;
    }
    return body;
}
