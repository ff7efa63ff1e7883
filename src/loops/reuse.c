// A temporary array that is copied into place when it is done is made in that place: `let mut a = ..; loops; a` as a result
// costs no second array and no copy. The place is an output, or a part of one, that nothing else mentions.
#include "loops/passes.h"

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    Map mentions; // buffer -> how many nodes name it
    Map seen;
} Reuse;

static void count(Reuse *r, Node *n)
{
    if (n->nops == 0 || map_get(&r->seen, MAP_KEY(n))) return;
    map_put(&r->seen, MAP_KEY(n), r);
    if (loops_names_buffer(n)) {
        uintptr_t so_far = (uintptr_t)map_get(&r->mentions, MAP_KEY(n->attr.sym));
        map_put(&r->mentions, MAP_KEY(n->attr.sym), (void *)(so_far + 1));
    }
    for (uint32_t i = 0; i < n->nops; i++) count(r, n->op[i]);
}

static bool is_output(const Reuse *r, Sym buffer)
{
    for (int i = 0; i < r->entry->params.len; i++) {
        const LoopParam *p = &r->entry->params.at[i];
        if (p->name == buffer) return p->output && !p->both && p->rank > 0;
    }
    return false;
}

/// Loops that copy all elements of `from`, in order, to a place in `to`: element p to p + offset.
typedef struct {
    Sym from, to;
    Node *offset;
} Copy;

// Where the innermost statement of loops that copy arrays, one or several side by side, stores elements of `from`: the number of that
// store; -1 when it does something else.
static int find_store(Node *s, Sym from)
{
    int found = -1, n = s->kind == LOOP_BLOCK ? (int)s->nops : 1;
    for (int i = 0; i < n; i++) {
        Node *store = s->kind == LOOP_BLOCK ? s->op[i] : s;
        if (store->kind != LOOP_STORE || store->op[1]->kind != LOOP_LOAD) return -1;
        if (store->op[1]->attr.sym != from) continue;
        if (found >= 0) return -1;
        found = i;
    }
    return found;
}

static bool is_copy(Reuse *r, Node *s, Node *alloc, Copy *out)
{
    Session *cx = r->cx;
    Node *count = nat_const(cx, 1), *indices[16];
    int n = 0;
    for (; s->kind == LOOP_FOR; s = s->op[2]) {
        if (n == 16 || s->op[0] != nat_const(cx, 0)) return false;
        count = nat_mul(cx, count, s->op[1]);
        indices[n++] = nat_var(cx, s->attr.sym);
    }
    int at = find_store(s, alloc->attr.sym);
    if (at < 0 || count != alloc->op[1]) return false;
    if (s->kind == LOOP_BLOCK) s = s->op[at];
    *out = (Copy){alloc->attr.sym, s->attr.sym, nat_sub(cx, s->op[0], s->op[1]->op[0])};
    for (int i = 0; i < n; i++)
        if (nat_occurs(out->offset, indices[i])) return false;
    return is_output(r, out->to) && (uintptr_t)map_get(&r->mentions, MAP_KEY(out->to)) == 1;
}

typedef struct {
    const Copy *copy;
    Map done;
} Redirect;

static Node *redirect(Session *cx, Node *n, int depth, void *env)
{
    (void)depth;
    Redirect *r = env;
    if (n->nops == 0 || kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return n;
    Node *done = map_get(&r->done, MAP_KEY(n));
    if (done) return done;
    done = node_map(cx, n, 0, redirect, r);
    if (loops_names_buffer(n) && n->attr.sym == r->copy->from) {
        Node *ops[2] = {nat_add(cx, done->op[0], r->copy->offset)};
        if (n->nops == 2) ops[1] = done->op[1];
        done = node_make(cx, &(NodeSpec){.kind = (Kind)n->kind,
                                         .variant = (Variant)n->variant,
                                         .attr.sym = r->copy->to,
                                         .type = n->type,
                                         .nops = (int)n->nops,
                                         .ops = ops,
                                         .origin = n->origin});
    }
    map_put(&r->done, MAP_KEY(n), (void *)(uintptr_t)done);
    return done;
}

// Whether the place is known where the allocation stands: no local behind it is part of it.
static bool is_place_before(Reuse *r, Node *block, int alloc, const Copy *c)
{
    for (int i = alloc + 1; i < (int)block->nops; i++) {
        Node *s = block->op[i];
        if (s->kind == LOOP_DECL && nat_occurs(c->offset, nat_var(r->cx, s->attr.sym)))
            return false;
    }
    return true;
}

// The statement of the block, behind the allocation, that copies its array where it belongs; -1 when there is none, or when the
// array is used behind it.
static int find_copy(Reuse *r, Node *block, int alloc, Copy *out)
{
    Node *a = block->op[alloc];
    int n = (int)block->nops, last = n - 1;
    while (last > alloc && !loops_mentions(block->op[last], a->attr.sym)) last--;
    bool copies = last > alloc && is_copy(r, block->op[last], a, out);
    return copies && is_place_before(r, block, alloc, out) ? last : -1;
}

// What is left of copying loops without the elements of `from`.
static Node *without_store(Session *cx, Node *s, Sym from)
{
    Stmts left = {0};
    if (s->kind == LOOP_FOR) {
        Node *body = without_store(cx, loops_body(s), from);
        return loops_is_empty(body) ? body : loops_for(cx, s, loops_from(s), loops_to(s), body);
    }
    for (uint32_t i = 0; s->kind == LOOP_BLOCK && i < s->nops; i++)
        if (s->op[i]->op[1]->attr.sym != from) vec_push(cx->arena, &left, s->op[i]);
    return loops_block(cx, left.len, left.at);
}

// The block without allocation number `i` and its copy.
static Node *without_copy(Reuse *r, Node *block, int i, int copy, const Copy *what)
{
    Stmts stmts = {0};
    Redirect redirected = {what, map_new(r->cx->arena)};
    for (int k = 0; k < (int)block->nops; k++) {
        Node *s = k == copy ? without_store(r->cx, block->op[k], what->from) : block->op[k];
        if (k != i) vec_push(r->cx->arena, &stmts, redirect(r->cx, s, 0, &redirected));
    }
    return loops_block(r->cx, stmts.len, stmts.at);
}

static Node *reuse(void *env, Node *s)
{
    Reuse *r = env;
    s = loops_map(r->cx, s, reuse, r);
    for (int i = 0; s->kind == LOOP_BLOCK && i < (int)s->nops; i++) {
        Copy copy;
        if (s->op[i]->kind != LOOP_ALLOC) continue;
        int at = find_copy(r, s, i, &copy);
        if (at < 0) continue;
        s = without_copy(r, s, i, at, &copy);
        map_put(&r->mentions, MAP_KEY(copy.to), r); // it is taken now
        i = -1;
    }
    return s;
}

static LoopEntry *reuse_entry(Session *cx, const LoopEntry *e)
{
    Reuse r = {.cx = cx, .entry = e, .mentions = map_new(cx->arena), .seen = map_new(cx->arena)};
    count(&r, e->body);
    return loops_with_body(cx, e, reuse(&r, e->body));
}

LoopEntry *loops_reuse(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, reuse_entry);
}
