// If-conversion of branches that only set locals: they become selections, which need no masked
// memory accesses when they are vectorised:
//
//   if c { x = a; y = b } else { x = d }   becomes   k = c; x = k ? a : d; y = k ? b : y
//
// A selection evaluates only the selected operand, like a branch.
#include "loops/scalar/scalar.h"
#include "loops/simplify/simplify.h"

typedef struct {
    Sym name;
    Node *values[2]; // its value in each arm; NULL if the arm does not set it
} Assigned;

typedef VEC(Assigned) Assignments;

static Assigned *assigned_to(const Assignments *all, Sym name)
{
    for (int i = 0; i < all->len; i++)
        if (all->at[i].name == name) return &all->at[i];
    return NULL;
}

// Adds the assignments of arm number k. Returns false if the arm has other statements, or sets a
// local twice.
static bool collect(Session *cx, Node *arm, int k, Assignments *all)
{
    int n = arm->kind == LOOP_BLOCK ? (int)arm->nops : 1;
    for (int i = 0; i < n; i++) {
        Node *s = arm->kind == LOOP_BLOCK ? arm->op[i] : arm;
        if (s->kind != LOOP_SET) return false;
        Assigned *c = assigned_to(all, s->attr.sym);
        if (!c) {
            vec_push(cx->arena, all, (Assigned){.name = s->attr.sym});
            c = &all->at[all->len - 1];
        }
        if (c->values[k]) return false;
        c->values[k] = s->op[0];
    }
    return true;
}

// Whether a value reads a local that the branch sets.
static bool is_entangled(Session *cx, const Assignments *all)
{
    Map names = map_new(cx->arena);
    for (int i = 0; i < all->len; i++) map_put(&names, MAP_KEY(all->at[i].name), &names);
    for (int i = 0; i < all->len; i++)
        for (int k = 0; k < 2; k++) {
            Node *value = all->at[i].values[k];
            if (value && loops_reads_any(cx, value, &names)) return true;
        }
    return false;
}

static Node *selected(Session *cx, Node *condition, const Assigned *c)
{
    Node *then = c->values[0], *otherwise = c->values[1];
    Node *unchanged = loops_local(cx, c->name, (then ? then : otherwise)->type);
    Node *value =
        loops_select(cx, condition, then ? then : unchanged, otherwise ? otherwise : unchanged);
    return loops_set(cx, c->name, value, NO_SPAN);
}

static Node *choose(void *env, Node *s)
{
    Session *cx = env;
    s = loops_map(cx, s, choose, cx);
    if (s->kind != LOOP_IF) return s;
    Assignments all = {0};
    if (!collect(cx, s->op[1], 0, &all) || !collect(cx, s->op[2], 1, &all)) return s;
    if (is_entangled(cx, &all)) return s;
    Stmts out = {0};
    Node *decl, *choice = loops_name(cx, "choice", s->op[0], &decl, s->origin);
    vec_push(cx->arena, &out, decl);
    for (int i = 0; i < all.len; i++) vec_push(cx->arena, &out, selected(cx, choice, &all.at[i]));
    return loops_block(cx, out.len, out.at);
}

Node *loops_branches_to_selects(Session *cx, Node *stmt)
{
    return choose(cx, stmt);
}
