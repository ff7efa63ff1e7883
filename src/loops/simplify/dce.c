// Dead code elimination: removes locals that are never read and temporary buffers that are never
// loaded from.
#include "loops/simplify/simplify.h"

typedef struct {
    Session *cx;
    Map read;    // set of names that live statements read
    Map local;   // name declared in the body -> Stmts that assign it while it seems dead
    Stmts alive; // statements found to be live, whose reads are not marked yet
    Map seen;
} Dce;

// Marks a local as read, which keeps the statements that assign it alive.
static void mark(Sym name, void *env)
{
    Dce *w = env;
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

// The entry in w->local for the name that the statement assigns, or NULL if the statement may have
// other effects.
static Stmts *assignments_of(const Dce *w, Node *s)
{
    return loops_is(s, IS_DECL | IS_SET | IS_STORE) ? map_get(&w->local, MAP_KEY(s->attr.sym))
                                                    : NULL;
}

static bool is_dead(const Dce *w, Node *s)
{
    if (sets_itself(s)) return true;
    return assignments_of(w, s) && !map_get(&w->read, MAP_KEY(s->attr.sym));
}

static void mark_reads(Dce *w, Node *s)
{
    for (uint32_t i = 0; i < s->nops; i++)
        if (!loops_is_stmt(s->op[i]) && kind_sort((Kind)s->kind, (int)i) != SORT_TYPE)
            loops_reads(w->cx, s->op[i], &w->seen, mark, w);
}

// Marks the names that a statement reads. The operands of an assignment to a local count as read
// only if the local is read.
static void find_reads(Dce *w, Node *s)
{
    Stmts *values = assignments_of(w, s);
    if (sets_itself(s)) return;
    if (values && !map_get(&w->read, MAP_KEY(s->attr.sym)))
        vec_push(w->cx->arena, values, s);
    else
        mark_reads(w, s);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_reads(w, s->op[i]);
}

static void mark_alive(Dce *w, Node *body)
{
    Stmts decls = loops_all(w->cx, body, IS_DECL);
    for (int i = 0; i < decls.len; i++)
        map_put(&w->local, MAP_KEY(decls.at[i]->attr.sym), ARENA_NEW(w->cx->arena, Stmts));
    find_reads(w, body);
    while (w->alive.len) mark_reads(w, w->alive.at[--w->alive.len]);
}

static Node *without_dead(void *env, Node *s)
{
    Dce *w = env;
    Session *cx = w->cx;
    if (is_dead(w, s)) return loops_block(cx, 0, NULL);
    s = loops_map(cx, s, without_dead, w);
    if (s->kind == LOOP_LABEL) {
        s = node_with_op(cx, s, 0, loops_without_final_jumps(cx, s->op[0], s->attr.sym));
        if (!loops_jumps_to(s->op[0], s->attr.sym)) return s->op[0];
    }
    bool nothing = false; // an endless loop is never removed
    if (loops_is_counted(s)) nothing = loops_is_empty(loops_body(s));
    if (s->kind == LOOP_IF) nothing = loops_is_empty(s->op[1]) && loops_is_empty(s->op[2]);
    return nothing ? loops_block(cx, 0, NULL) : s;
}

Node *loops_dce(Session *cx, Node *body)
{
    enum { MOST = 4 }; // maximum number of passes, as each one may make more names dead
    for (int k = 0; k < MOST; k++) {
        Dce w = {.cx = cx,
                 .read = map_new(cx->arena),
                 .local = map_new(cx->arena),
                 .seen = map_new(cx->arena)};
        mark_alive(&w, body);
        Node *live = without_dead(&w, body);
        if (live == body) break;
        body = live;
    }
    return body;
}
