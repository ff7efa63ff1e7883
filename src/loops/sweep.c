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
    if (n->kind == CORE_ARRAY) return; // literals
    map_put(seen, MAP_KEY(n), seen);
    if (kind_info[n->kind].levels & LEVEL_NAT) {
        Reads r = {seen, found, env};
        nat_atoms(cx, n, size_atom, &r);
        return;
    }
    if (n->kind == LOOP_VAR || loops_is_load(n) || n->kind == LOOP_ADDRESS) found(n->attr.sym, env);
    for (uint32_t i = 0; i < n->nops; i++)
        if (kind_sort((Kind)n->kind, (int)i) != SORT_TYPE)
            loops_reads(cx, n->op[i], seen, found, env);
}

typedef struct {
    Sym name;
    bool found;
} Wanted;

static void look_for(Sym name, void *env)
{
    Wanted *w = env;
    w->found |= name == w->name;
}

bool loops_uses(Session *cx, Node *stmt, Sym local)
{
    Wanted w = {local, false};
    Map seen = map_new(cx->arena);
    loops_reads(cx, stmt, &seen, look_for, &w);
    return w.found;
}

static void mark(Sym name, void *env)
{
    map_put(env, MAP_KEY(name), env);
}

typedef struct {
    Session *cx;
    Map read;  // names that are read by what is not dead
    Map local; // names declared in the body
    Map seen;
} Sweep;

static void find_locals(Node *s, Map *local)
{
    if (loops_is_declaration(s)) map_put(local, MAP_KEY(s->attr.sym), local);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_locals(s->op[i], local);
}

static bool is_dead(const Sweep *w, Node *s)
{
    bool itself = s->kind == LOOP_SET && s->op[0]->kind == LOOP_VAR;
    if (itself && s->op[0]->attr.sym == s->attr.sym) return true;
    if (!loops_is_declaration(s) && s->kind != LOOP_SET && !loops_is_store(s)) return false;
    uint64_t key = MAP_KEY(s->attr.sym);
    return map_get(&w->local, key) && !map_get(&w->read, key);
}

// What a dead local is computed from is not read for that.
static void find_reads(Sweep *w, Node *s)
{
    if (is_dead(w, s)) return;
    for (uint32_t i = 0; i < s->nops; i++) {
        if (loops_is_stmt(s->op[i]))
            find_reads(w, s->op[i]);
        else if (kind_sort((Kind)s->kind, (int)i) != SORT_TYPE)
            loops_reads(w->cx, s->op[i], &w->seen, mark, &w->read);
    }
}

static Node *sweep(void *env, Node *s)
{
    Sweep *w = env;
    Session *cx = w->cx;
    if (is_dead(w, s)) return loops_block(cx, 0, NULL);
    s = loops_map(cx, s, sweep, w);
    if (s->kind == LOOP_LABEL) {
        s = node_with_op(cx, s, 0, loops_without_tail(cx, s->op[0], s->attr.sym));
        if (!loops_jumps_to(s->op[0], s->attr.sym)) return s->op[0];
    }
    bool nothing = false; // a loop for ever is something
    if (loops_is_counted(s)) nothing = loops_is_empty(loops_body(s));
    if (s->kind == LOOP_IF) nothing = loops_is_empty(s->op[1]) && loops_is_empty(s->op[2]);
    return nothing ? loops_block(cx, 0, NULL) : s;
}

Node *loops_sweep(Session *cx, Node *body)
{
    for (int round = 0; round < 4;
         round++) { // what only empty branches ask for is dead in the next
        Sweep w = {cx, map_new(cx->arena), map_new(cx->arena), map_new(cx->arena)};
        find_locals(body, &w.local);
        for (int known = -1; w.read.len > known;) {
            known = w.read.len;
            find_reads(&w, body);
        }
        Node *swept = sweep(&w, body);
        if (swept == body) break;
        body = swept;
    }
    return body;
}
