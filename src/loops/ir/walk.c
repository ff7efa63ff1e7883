// The roles of node kinds, and walks over statements and the names that they access.
#include "loops/ir/loops.h"

const uint16_t loop_roles[KIND_COUNT] = {
#define LOOP_STMT(kind, text, nops, attr, under, roles) [kind] = IS_STMT | (roles),
#define LOOP_EXPR(kind, text, nops, attr, under, roles) [kind] = (roles),
#include "ir/loop.def"
};

// --- statements ---------------------------------------------------------------------------------

bool loops_any(Node *s, NodeTest *test, void *env)
{
    if (test(s, env)) return true;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && loops_any(s->op[i], test, env)) return true;
    return false;
}

static bool has_role(Node *s, void *env)
{
    const int *roles = env;
    return loops_is(s, *roles);
}

bool loops_has(Node *s, int roles)
{
    return loops_any(s, has_role, &roles);
}

static void collect(Session *cx, Node *s, int roles, Stmts *out)
{
    if (loops_is(s, roles)) vec_push(cx->arena, out, s);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) collect(cx, s->op[i], roles, out);
}

Stmts loops_all(Session *cx, Node *s, int roles)
{
    Stmts found = {0};
    collect(cx, s, roles, &found);
    return found;
}

// --- names --------------------------------------------------------------------------------------

bool loops_has_named(Node *s, int roles, Sym name)
{
    if (loops_is(s, roles) && s->attr.sym == name) return true;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is(s->op[i], IS_STMT | IS_ADDRESS) && loops_has_named(s->op[i], roles, name))
            return true;
    return false;
}

void loops_names(Node *s, int roles, Map *names)
{
    if (loops_is(s, roles)) map_put(names, MAP_KEY(s->attr.sym), names);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is(s->op[i], IS_STMT | IS_ADDRESS)) loops_names(s->op[i], roles, names);
}

void loops_changed(Node *s, Map *changed)
{
    loops_names(s, IS_SET | IS_ADDRESS, changed);
}

// --- accesses -----------------------------------------------------------------------------------

void loops_accesses(Node *n, Map *seen, AccessVisitor *visit, void *env)
{
    if (n->nops == 0 || node_is_size_or_type(n) || map_get(seen, MAP_KEY(n))) return;
    map_put(seen, MAP_KEY(n), seen);
    for (uint32_t i = 0; i < n->nops; i++) loops_accesses(n->op[i], seen, visit, env);
    if (loops_names_buffer(n)) visit(n, env);
}

// --- reads --------------------------------------------------------------------------------------

typedef struct {
    LoopsFound *found;
    void *env;
} Reads;

static void read_atom(Node *atom, void *env)
{
    const Reads *r = env;
    if (atom->kind == NAT_VAR) r->found(atom->attr.sym, r->env);
}

void loops_reads(Session *cx, Node *n, Map *seen, LoopsFound *found, void *env)
{
    if (map_get(seen, MAP_KEY(n))) return;
    if (n->kind == CORE_ARRAY) return; // contains only literals
    map_put(seen, MAP_KEY(n), seen);
    if (kind_info[n->kind].levels & LEVEL_NAT) {
        Reads r = {found, env};
        nat_atoms(cx, n, read_atom, &r);
        return;
    }
    if (loops_is(n, IS_READ)) found(n->attr.sym, env);
    for (uint32_t i = 0; i < n->nops; i++)
        if (kind_sort((Kind)n->kind, (int)i) != SORT_TYPE)
            loops_reads(cx, n->op[i], seen, found, env);
}

typedef struct {
    Sym name;
    bool found;
} Wanted;

static void compare_name(Sym name, void *env)
{
    Wanted *w = env;
    w->found |= name == w->name;
}

bool loops_uses(Session *cx, Node *stmt, Sym local)
{
    Wanted w = {local, false};
    Map seen = map_new(cx->arena);
    loops_reads(cx, stmt, &seen, compare_name, &w);
    return w.found;
}
