// Converts while loops to counted loops. In Loop IR, `let mut i = a; while i < b { ..; i += 1 }` is
//
//   decl i a; target L { loop_forever { decl t i; branch t >= b {goto L}; ..; set i t + 1 } }
//
// and becomes `loop t a b { .. }` if no other statement sets i, and only the body reads it. A loop
// that counts down, `while i >= b { ..; i -= 1 }`, becomes `loop k 0 (a - b + 1) { .. }`, in whose
// body i is a - k, if that number of iterations cannot overflow.
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
    Simplifier *s;
    Map locals; // Sym -> Local
    bool changed;
} Count;

// --- locals -------------------------------------------------------------------------------------

static Local *local_of(Count *c, Sym name)
{
    return map_get(&c->locals, MAP_KEY(name));
}

// Notes where locals are declared and set. Called again for a loop that was rewritten, it replaces
// the statements that no longer exist.
static void find_declarations(Count *c, Node *s, Node *around)
{
    Local *l = s->kind == LOOP_DECL || s->kind == LOOP_SET ? local_of(c, s->attr.sym) : NULL;
    if (s->kind == LOOP_DECL) {
        if (!l) l = ARENA_NEW(c->cx->arena, Local);
        l->decl = s;
        l->around = around;
        map_put(&c->locals, MAP_KEY(s->attr.sym), l);
    }
    if (l && s->kind == LOOP_SET) l->set = s;
    bool is_loop = loops_is(s, IS_LOOP);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_declarations(c, s->op[i], is_loop ? s : around);
}

static Walk find_uses(Node *n, void *env)
{
    Count *c = env;
    bool names = n->kind == LOOP_SET || n->kind == LOOP_VAR || n->kind == LOOP_ADDRESS;
    Local *l = names ? local_of(c, n->attr.sym) : NULL;
    if (l && n->kind == LOOP_SET) l->sets++;
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

// How far the index is from where the guard `branch condition {goto}` leaves the loop, which goes
// on while that is positive. Returns NULL for any other statement.
static Node *room_of(Count *c, Node *guard, const Tail *tail)
{
    Session *cx = c->cx;
    if (guard->op[1]->kind != LOOP_JUMP || !loops_is_empty(guard->op[2])) return NULL;
    if (!ends_here(tail, guard->op[1]->attr.sym)) return NULL;
    Node *stay = loops_negated(cx, guard->op[0]);
    if (stay->kind != CORE_PRIM || stay->nops != 2) return NULL;
    Node *a = loops_size(cx, stay->op[0]), *b = loops_size(cx, stay->op[1]);
    if (!a || !b) return NULL;
    Node *one = nat_const(cx, 1);
    switch ((Prim)stay->attr.i) {
    case PRIM_LT: return nat_sub(cx, b, a);
    case PRIM_LE: return nat_add(cx, nat_sub(cx, b, a), one);
    case PRIM_GT: return nat_sub(cx, a, b);
    case PRIM_GE: return nat_add(cx, nat_sub(cx, a, b), one);
    default: return NULL;
    }
}

// The constant that the assignment adds to the local: 1, -1, or 0 for any other assignment.
static int step_of(Count *c, Node *set)
{
    if (set->op[0]->kind != CORE_NAT) return 0;
    for (int by = -1; by <= 1; by += 2) {
        Node *before = nat_sub(c->cx, set->op[0]->op[0], nat_const(c->cx, by));
        const Local *snapshot = before->kind == NAT_VAR ? local_of(c, before->attr.sym) : NULL;
        Node *value = snapshot ? snapshot->decl->op[1] : NULL;
        if (value && value->kind == LOOP_VAR && value->attr.sym == set->attr.sym) return by;
    }
    return 0;
}

// A loop from `from` up. Returns NULL if the bound depends on the index.
static Node *loop_up(Count *c, Node *forever, Sym index, Node *from, Node *room, Node *body)
{
    Node *i = nat_var(c->cx, index), *to = nat_add(c->cx, room, i);
    if (nat_occurs(to, i)) return NULL;
    return loops_counted(c->cx, index, from, to, body, forever->origin);
}

// A loop from `from` down: the index is `from` less a counter.
static Node *loop_down(Count *c, Node *forever, Sym index, Node *from, Node *room, Node *body)
{
    Session *cx = c->cx;
    Node *i = nat_var(cx, index), *rest = nat_sub(cx, room, i);
    if (nat_occurs(rest, i) || !simplifier_is_length(c->s, from)) return NULL;
    Node *times = nat_add(cx, rest, from), *zero = nat_const(cx, 0);
    if (!simplifier_is_length(c->s, rest) || !simplifier_is_length(c->s, times)) return NULL;
    Sym counter = sym_fresh(cx->syms, index->text);
    body = loops_at(cx, body, index, nat_sub(cx, from, nat_var(cx, counter)));
    return loops_counted(cx, counter, zero, times, body, forever->origin);
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
    int by = step_of(c, l->set);
    if (reads_of(forever, i) != l->reads || by == 0) return NULL;
    Node *from = loops_size(cx, l->decl->op[1]), *room = room_of(c, head.guard, tail);
    body = without_last(c, body, l->set);
    if (!from || !room || !body) return NULL;
    Map values = map_new(cx->arena);
    Node *counter = core_size(cx, nat_var(cx, index));
    map_put(&values, MAP_KEY(i), (void *)(uintptr_t)counter);
    body = loops_replace_locals(cx, body, &values);
    return by > 0 ? loop_up(c, forever, index, from, room, body)
                  : loop_down(c, forever, index, from, room, body);
}

// --- the walk -----------------------------------------------------------------------------------

static Node *count(Count *c, Node *s, Node *outside, const Tail *tail);

static Node *count_inside(Count *c, Node *s, Node *outside, const Tail *tail)
{
    Node *around = outside;
    bool is_loop = loops_is(s, IS_LOOP);
    if (is_loop) around = s;
    if (s->kind == LOOP_FOREVER) {
        Node *loop = counted(c, s, outside, tail);
        c->changed |= loop != NULL;
        if (loop) {
            find_declarations(c, loops_body(loop), s);
            s = loop;
            simplifier_assume_index(c->s, s->attr.sym, loops_from(s), loops_to(s));
        }
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

// Visits the statement under the facts about locals that never change and about indices.
static Node *count(Count *c, Node *s, Node *outside, const Tail *tail)
{
    if (s->kind == LOOP_DECL) {
        if (!map_get(&c->s->mutated, MAP_KEY(s->attr.sym))) simplifier_learn(c->s, s);
        return s;
    }
    Scope outer = simplifier_enter(c->s);
    if (loops_is_counted(s)) simplifier_assume_index(c->s, s->attr.sym, loops_from(s), loops_to(s));
    s = count_inside(c, s, outside, tail);
    simplifier_leave(c->s, outer, NULL);
    return s;
}

static LoopEntry *count_entry(Session *cx, const LoopEntry *e)
{
    if (!loops_has(e->body, IS_ENDLESS)) return loops_with_body(cx, e, e->body);
    Simplifier known = simplifier_new(cx, e);
    Count c = {.cx = cx, .s = &known, .locals = map_new(cx->arena)};
    find_declarations(&c, e->body, NULL);
    node_walk(e->body, find_uses, &c);
    LoopEntry *done = loops_with_body(cx, e, count(&c, e->body, NULL, NULL));
    return c.changed ? loops_simplify(cx, done) : done;
}

LoopEntry *loops_canonicalize_loops(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, count_entry);
}
