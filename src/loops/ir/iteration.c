// Queries and rewrites that several passes share, on loop iterations and on the names that
// statements read or set.
#include "loops/ir/statements.h"

int64_t loops_trip_count(Session *cx, Node *loop)
{
    int64_t extent, step = 1;
    bool strided = loop->kind == LOOP_STRIDED;
    if (!strided && loop->kind != LOOP_FOR) return -1;
    if (strided && !nat_is_const(loop->op[0], &step)) return -1;
    if (!nat_is_const(nat_sub(cx, loops_to(loop), loops_from(loop)), &extent)) return -1;
    return extent > 0 ? (extent - 1) / step + 1 : 0;
}

Node *loops_extent(Session *cx, const Facts *facts, Node *loop)
{
    Node *from = loops_from(loop), *to = loops_to(loop), *extent = nat_sub(cx, to, from);
    if (nat_ge0(cx, facts, extent) == TRUTH_YES) return extent;
    return nat_sub(cx, nat_max(cx, to, from), from);
}

Node *loops_at(Session *cx, Node *n, Sym name, Node *value)
{
    return node_replace_names(cx, n, &(NodeBinding){name, value}, 1);
}

Node *loops_iteration(Session *cx, Node *loop, Node *index)
{
    Node *copy = loops_copy(cx, loop, NULL, NULL);
    return loops_at(cx, loops_body(copy), copy->attr.sym, index);
}

Node *loops_iteration_number(Session *cx, Node *loop, int64_t k)
{
    int64_t step = 1;
    bool known = loop->kind != LOOP_STRIDED || nat_is_const(loop->op[0], &step);
    CHECK(cx, known, "an iteration by number of a loop whose step is not a constant");
    return loops_iteration(cx, loop, nat_add(cx, loops_from(loop), nat_const(cx, k * step)));
}

bool loops_is_linear(Session *cx, Node *e, Sym index, int64_t *factor, Node **rest)
{
    Node *i = nat_var(cx, index), *stride = loops_stride(cx, e, index);
    if (!stride || !nat_is_const(stride, factor)) return false;
    *rest = nat_sub(cx, e, nat_mul(cx, stride, i));
    return !nat_occurs(*rest, i);
}

typedef struct {
    const Map *names;
    bool found;
} AnyOf;

static void compare_name(Sym name, void *env)
{
    AnyOf *a = env;
    a->found |= map_get(a->names, MAP_KEY(name)) != NULL;
}

static void compare_atom(Node *atom, void *env)
{
    if (atom->kind == NAT_VAR) compare_name(atom->attr.sym, env);
}

bool loops_reads_any(Session *cx, Node *n, const Map *names)
{
    AnyOf a = {names, false};
    if (kind_info[n->kind].levels & LEVEL_NAT) {
        nat_atoms(cx, n, compare_atom, &a);
    } else {
        Map seen = map_new(cx->arena);
        loops_reads(cx, n, &seen, compare_name, &a);
    }
    return a.found;
}

typedef struct {
    Node *stmt;
    bool changes;
} Change;

static void note_read(Sym name, void *env)
{
    Change *c = env;
    c->changes |= loops_has_named(c->stmt, IS_STORE | IS_ADDRESS | IS_SET, name);
}

bool loops_changes_input(Session *cx, Node *stmt, Node *reader)
{
    Change c = {stmt, false};
    Map seen = map_new(cx->arena);
    loops_reads(cx, reader, &seen, note_read, &c);
    return c.changes;
}

bool loops_sets(Node *s, Sym local)
{
    return loops_has_named(s, IS_SET | IS_ADDRESS, local);
}

Map loops_constants(Session *cx, Node *body)
{
    Map changed = map_new(cx->arena), constants = map_new(cx->arena);
    loops_changed(body, &changed);
    Stmts decls = loops_all(cx, body, IS_DECL);
    for (int i = 0; i < decls.len; i++) {
        Node *s = decls.at[i];
        if (s->kind == LOOP_DECL && !map_get(&changed, MAP_KEY(s->attr.sym)))
            map_put(&constants, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s);
    }
    return constants;
}

static Node *replaced(Session *cx, Node *n, void *env)
{
    Node *value = NULL;
    if (n->kind == LOOP_VAR || n->kind == NAT_VAR) value = map_get(env, MAP_KEY(n->attr.sym));
    if (!value) return n;
    return n->kind == LOOP_VAR ? value : nat_var(cx, value->attr.sym);
}

Node *loops_replace_locals(Session *cx, Node *n, const Map *values)
{
    return node_rewrite(cx, n, replaced, (void *)(uintptr_t)values);
}
