// Converts while loops to counted loops. In Loop IR, `let mut i = a; while i < b { ..; i += 1 }` is
//
//   decl i a; target L { loop_forever { decl t i; branch t >= b {goto L}; ..; set i t + 1 } }
//
// and becomes `loop t a b { .. }` if no other statement sets i, and only the body reads it.
#include "loops/simplify/simplify.h"

typedef struct {
    Node *decl, *around; // the declaration, and the innermost loop that encloses it (or NULL)
    Node *set;
    int sets, reads;
    bool taken; // its address is taken
} Local;

typedef struct Tail Tail;
struct Tail { // a label that ends where the current statement ends
    Sym label;
    const Tail *outer;
};

typedef struct {
    Session *cx;
    Map locals; // Sym -> Local
    bool changed;
} Count;

// --- locals -------------------------------------------------------------------------------------

static Local *local_of(Count *c, Sym name)
{
    return map_get(&c->locals, MAP_KEY(name));
}

static void find_declarations(Count *c, Node *s, Node *around)
{
    if (s->kind == LOOP_DECL) {
        Local *l = ARENA_NEW(c->cx->arena, Local);
        *l = (Local){.decl = s, .around = around};
        map_put(&c->locals, MAP_KEY(s->attr.sym), l);
    }
    bool is_loop = loops_is(s, IS_LOOP);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_declarations(c, s->op[i], is_loop ? s : around);
}

static Walk find_uses(Node *n, void *env)
{
    Count *c = env;
    bool names = n->kind == LOOP_SET || n->kind == LOOP_VAR || n->kind == LOOP_ADDRESS;
    Local *l = names ? local_of(c, n->attr.sym) : NULL;
    if (l && n->kind == LOOP_SET) {
        l->set = n;
        l->sets++;
    }
    if (l && n->kind == LOOP_VAR) l->reads++;
    if (l && n->kind == LOOP_ADDRESS) l->taken = true;
    return WALK_INTO;
}

static int reads_of(Node *n, Sym name)
{
    int reads = n->kind == LOOP_VAR && n->attr.sym == name;
    for (uint32_t i = 0; i < n->nops; i++) reads += reads_of(n->op[i], name);
    return reads;
}

// --- the form of a loop -------------------------------------------------------------------------

// The first two statements of a body, perhaps inside labels: a snapshot and a guard.
typedef struct {
    Node *snapshot, *guard;
} Head;

static Node *without_head(Count *c, Node *s, Head *head)
{
    if (s->kind == LOOP_LABEL) {
        Node *rest = without_head(c, s->op[0], head);
        return rest ? node_with_op(c->cx, s, 0, rest) : NULL;
    }
    if (s->kind != LOOP_BLOCK || s->nops == 0) return NULL;
    Stmts rest = {0};
    if (s->op[0]->kind == LOOP_DECL) {
        if (s->nops < 2 || s->op[1]->kind != LOOP_IF) return NULL;
        *head = (Head){s->op[0], s->op[1]};
    } else {
        Node *first = without_head(c, s->op[0], head);
        if (!first) return NULL;
        vec_push(c->cx->arena, &rest, first);
    }
    for (uint32_t i = s->op[0]->kind == LOOP_DECL ? 2 : 1; i < s->nops; i++)
        vec_push(c->cx->arena, &rest, s->op[i]);
    return loops_block(c->cx, rest.len, rest.at);
}

// The body without its last statement, or NULL if that is not `last`.
static Node *without_last(Count *c, Node *s, Node *last)
{
    if (s == last) return loops_block(c->cx, 0, NULL);
    if (s->kind != LOOP_BLOCK || s->nops == 0) return NULL;
    Node *end = without_last(c, s->op[s->nops - 1], last);
    if (!end) return NULL;
    Stmts rest = {0};
    for (uint32_t i = 0; i + 1 < s->nops; i++) vec_push(c->cx->arena, &rest, s->op[i]);
    vec_push(c->cx->arena, &rest, end);
    return loops_block(c->cx, rest.len, rest.at);
}

static bool ends_here(const Tail *tail, Sym label)
{
    for (; tail; tail = tail->outer)
        if (tail->label == label) return true;
    return false;
}

// The bound that i reaches when the guard `branch condition {goto}` leaves the loop, or NULL for
// any other statement.
static Node *bound_of(Count *c, Node *guard, Sym i, const Tail *tail)
{
    Session *cx = c->cx;
    if (guard->op[1]->kind != LOOP_JUMP || !loops_is_empty(guard->op[2])) return NULL;
    if (!ends_here(tail, guard->op[1]->attr.sym)) return NULL;
    Node *stay = loops_negated(cx, guard->op[0]);
    if (stay->kind != CORE_PRIM || stay->nops != 2) return NULL;
    Node *a = loops_size(cx, stay->op[0]), *b = loops_size(cx, stay->op[1]);
    if (!a || !b) return NULL;
    Node *one = nat_const(cx, 1), *room;
    switch ((Prim)stay->attr.i) { // the loop continues while room > 0
    case PRIM_LT: room = nat_sub(cx, b, a); break;
    case PRIM_LE: room = nat_add(cx, nat_sub(cx, b, a), one); break;
    case PRIM_GT: room = nat_sub(cx, a, b); break;
    case PRIM_GE: room = nat_add(cx, nat_sub(cx, a, b), one); break;
    default: return NULL;
    }
    Node *index = nat_var(cx, i), *bound = nat_add(cx, room, index);
    return nat_occurs(bound, index) ? NULL : bound;
}

// Whether the assignment increments the local by one.
static bool is_step(Count *c, Node *set)
{
    if (set->op[0]->kind != CORE_NAT) return false;
    Node *before = nat_sub(c->cx, set->op[0]->op[0], nat_const(c->cx, 1));
    const Local *snapshot = before->kind == NAT_VAR ? local_of(c, before->attr.sym) : NULL;
    Node *value = snapshot ? snapshot->decl->op[1] : NULL;
    return value && value->kind == LOOP_VAR && value->attr.sym == set->attr.sym;
}

static Node *counted(Count *c, Node *forever, Node *around, const Tail *tail)
{
    Session *cx = c->cx;
    Head head;
    Node *body = without_head(c, forever->op[0], &head);
    if (!body || head.snapshot->op[1]->kind != LOOP_VAR) return NULL;
    Sym i = head.snapshot->op[1]->attr.sym, index = head.snapshot->attr.sym;
    const Local *l = local_of(c, i), *t = local_of(c, index);
    Scalar k;
    if (!l || !type_is_scalar(l->decl->op[0], &k) || k != SCALAR_I64) return NULL;
    if (l->taken || l->sets != 1 || t->sets || t->taken || l->around != around) return NULL;
    if (reads_of(forever, i) != l->reads || !is_step(c, l->set)) return NULL;
    Node *from = loops_size(cx, l->decl->op[1]), *to = bound_of(c, head.guard, index, tail);
    body = without_last(c, body, l->set);
    if (!from || !to || !body) return NULL;
    Map values = map_new(cx->arena);
    Node *counter = core_size(cx, nat_var(cx, index));
    map_put(&values, MAP_KEY(i), (void *)(uintptr_t)counter);
    body = loops_replace_locals(cx, body, &values);
    return loops_counted(cx, index, from, to, body, forever->origin);
}

// --- the walk -----------------------------------------------------------------------------------

static Node *count(Count *c, Node *s, Node *outside, const Tail *tail)
{
    Node *around = outside;
    bool is_loop = loops_is(s, IS_LOOP);
    if (is_loop) around = s;
    if (s->kind == LOOP_FOREVER) {
        Node *loop = counted(c, s, outside, tail);
        c->changed |= loop != NULL;
        if (loop) s = loop;
    }
    Tail here = {s->attr.sym, tail};
    Stmts ops = {0};
    for (uint32_t i = 0; i < s->nops; i++) {
        const Tail *inner = s->kind == LOOP_LABEL                      ? &here
                            : s->kind == LOOP_BLOCK && i + 1 < s->nops ? NULL
                            : is_loop                                  ? NULL
                                                                       : tail;
        Node *op = s->op[i];
        if (loops_is_stmt(op)) op = count(c, op, around, inner);
        vec_push(c->cx->arena, &ops, op);
    }
    return s->kind == LOOP_BLOCK ? loops_block(c->cx, ops.len, ops.at)
                                 : node_with_ops(c->cx, s, ops.at);
}

static LoopEntry *count_entry(Session *cx, const LoopEntry *e)
{
    Count c = {.cx = cx, .locals = map_new(cx->arena)};
    find_declarations(&c, e->body, NULL);
    node_walk(e->body, find_uses, &c);
    LoopEntry *done = loops_with_body(cx, e, count(&c, e->body, NULL, NULL));
    return c.changed ? loops_simplify(cx, done) : done;
}

LoopEntry *loops_canonicalize_loops(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, count_entry);
}
