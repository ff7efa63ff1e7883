// Dead code: locals that nobody reads, temporary buffers that nobody loads from.
#include "loops/ir/statements.h"

typedef struct {
    Session *cx;
    Map read;    // names that are read by what is not dead
    Map local;   // names declared in the body -> Stmts: what gives each of them values
    Stmts alive; // of that, what is not dead, and has yet to be looked at
    Map seen;
} Sweep;

// A local that is read keeps the statements alive that give it values.
static void mark(Sym name, void *env)
{
    Sweep *w = env;
    if (map_get(&w->read, MAP_KEY(name))) return;
    map_put(&w->read, MAP_KEY(name), w);
    const Stmts *values = map_get(&w->local, MAP_KEY(name));
    for (int i = 0; values && i < values->len; i++)
        vec_push(w->cx->arena, &w->alive, values->at[i]);
}

static bool sets_itself(Node *s)
{
    return s->kind == LOOP_SET && s->op[0]->kind == LOOP_VAR && s->op[0]->attr.sym == s->attr.sym;
}

// The local that is all the statement is for, or NULL.
static Stmts *local_of(const Sweep *w, Node *s)
{
    return loops_is(s, IS_DECL | IS_SET | IS_STORE) ? map_get(&w->local, MAP_KEY(s->attr.sym))
                                                    : NULL;
}

static bool is_dead(const Sweep *w, Node *s)
{
    if (sets_itself(s)) return true;
    return local_of(w, s) && !map_get(&w->read, MAP_KEY(s->attr.sym));
}

static void reads_of(Sweep *w, Node *s)
{
    for (uint32_t i = 0; i < s->nops; i++)
        if (!loops_is_stmt(s->op[i]) && kind_sort((Kind)s->kind, (int)i) != SORT_TYPE)
            loops_reads(w->cx, s->op[i], &w->seen, mark, w);
}

// What a dead local is computed from is not read for that: such statements wait until the local is
// read.
static void find_reads(Sweep *w, Node *s)
{
    Stmts *values = local_of(w, s);
    if (sets_itself(s)) return;
    if (values && !map_get(&w->read, MAP_KEY(s->attr.sym)))
        vec_push(w->cx->arena, values, s);
    else
        reads_of(w, s);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_reads(w, s->op[i]);
}

static void find_alive(Sweep *w, Node *body)
{
    Stmts decls = loops_all(w->cx, body, IS_DECL);
    for (int i = 0; i < decls.len; i++)
        map_put(&w->local, MAP_KEY(decls.at[i]->attr.sym), ARENA_NEW(w->cx->arena, Stmts));
    find_reads(w, body);
    while (w->alive.len) reads_of(w, w->alive.at[--w->alive.len]);
}

static Node *sweep(void *env, Node *s)
{
    Sweep *w = env;
    Session *cx = w->cx;
    if (is_dead(w, s)) return loops_block(cx, 0, NULL);
    s = loops_map(cx, s, sweep, w);
    if (s->kind == LOOP_LABEL) {
        s = node_with_op(cx, s, 0, loops_without_final_jumps(cx, s->op[0], s->attr.sym));
        if (!loops_jumps_to(s->op[0], s->attr.sym)) return s->op[0];
    }
    bool nothing = false; // a loop for ever is something
    if (loops_is_counted(s)) nothing = loops_is_empty(loops_body(s));
    if (s->kind == LOOP_IF) nothing = loops_is_empty(s->op[1]) && loops_is_empty(s->op[2]);
    return nothing ? loops_block(cx, 0, NULL) : s;
}

Node *loops_dce(Session *cx, Node *body)
{
    for (int round = 0; round < 4;
         round++) { // what only empty branches ask for is dead in the next
        Sweep w = {.cx = cx,
                   .read = map_new(cx->arena),
                   .local = map_new(cx->arena),
                   .seen = map_new(cx->arena)};
        find_alive(&w, body);
        Node *swept = sweep(&w, body);
        if (swept == body) break;
        body = swept;
    }
    return body;
}
