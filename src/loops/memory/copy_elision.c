// Copy elision: a temporary array whose contents are copied to another array is built directly in
// that array. The pass `update_in_place` does this for arrays that the program changes, so that
// `a = map(f, a)` needs no second array and no copy. The pass `copy_elision` does it for outputs,
// as in `let mut a = ..; loops; a`. No other statement may access such an output. In any other
// destination, no element may be read after it has been overwritten (overwrite.c).
#include "loops/memory/memory.h"
#include "loops/memory/moves.h"

// An arm of a branch that ends the body, or ends an arm of such a branch.
typedef struct ArmsAround {
    Node *branch;
    uint32_t arm;
    int depth;
    const struct ArmsAround *up;
} ArmsAround;

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    LoopEntry *done;
    bool outputs; // the destinations are outputs
    Map mentions; // buffer -> number of accesses, except in arms that exclude the current one
    Map seen;
    Node *last; // the last statement of the body, or of the current arm of such a branch
    const ArmsAround *arms;
    const LoopsAround *around;
    const Facts *facts; // about sizes
} Elision;

// Whether operand `i` of the node is the arm of a branch that is not executed with the current one.
static bool is_other_arm(const Elision *r, Node *n, uint32_t i)
{
    if (n->kind != LOOP_IF || i == 0) return false;
    for (const ArmsAround *a = r->arms; a; a = a->up)
        if (a->branch == n) return a->arm != i;
    return false;
}

static void count_accesses(Elision *r, Node *n)
{
    if (n->nops == 0 || map_get(&r->seen, MAP_KEY(n))) return;
    map_put(&r->seen, MAP_KEY(n), r);
    if (loops_names_buffer(n)) {
        uintptr_t so_far = (uintptr_t)map_get(&r->mentions, MAP_KEY(n->attr.sym));
        map_put(&r->mentions, MAP_KEY(n->attr.sym), (void *)(so_far + 1));
    }
    for (uint32_t i = 0; i < n->nops; i++)
        if (!is_other_arm(r, n, i)) count_accesses(r, n->op[i]);
}

// Whether the pass may build arrays in this buffer. `copy_elision` accepts outputs;
// `update_in_place` accepts &mut parameters, and arrays that are not parameters.
static bool is_destination(const Elision *r, Sym buffer)
{
    for (int i = 0; i < r->entry->params.len; i++) {
        const LoopParam *p = &r->entry->params.at[i];
        if (p->name != buffer) continue;
        return p->rank > 0 && (r->outputs ? p->output && !p->both : p->both);
    }
    return !r->outputs;
}

/// Loops that copy all elements of `from` to `to`, element p to element p + offset.
typedef struct {
    Sym from, to;
    Node *offset;
    Node *store;
} Copy;

// In a body that does nothing but copy arrays, the index of the only store that copies `from`. -1
// otherwise.
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

bool loops_go_through(Session *cx, const LoopEntry *entry, const Facts *facts, Node *position,
                      Node *const *loops, int n)
{
    Node *in_order = nat_const(cx, 0);
    for (int i = 0; i < n; i++)
        in_order =
            nat_add(cx, nat_mul(cx, in_order, loops[i]->op[1]), nat_var(cx, loops[i]->attr.sym));
    return position == in_order || loops_is_injective(cx, entry, facts, loops, n, position);
}

// Returns whether the statement copies all `length` elements of `from`, and describes the copy in
// *out.
static bool is_copy(Elision *r, Node *s, Sym from, Node *length, Copy *out)
{
    Session *cx = r->cx;
    Node *count = nat_const(cx, 1), *loops[16];
    int n = 0;
    for (; s->kind == LOOP_FOR; s = s->op[2]) {
        if (n == 16 || s->op[0] != nat_const(cx, 0)) return false;
        count = nat_mul(cx, count, s->op[1]);
        loops[n++] = s;
    }
    int at = find_store(s, from);
    if (at < 0 || count != length) return false;
    if (s->kind == LOOP_BLOCK) s = s->op[at];
    Node *position = s->op[1]->op[0];
    *out = (Copy){from, s->attr.sym, nat_sub(cx, s->op[0], position), s};
    for (int i = 0; i < n; i++)
        if (nat_occurs(out->offset, nat_var(cx, loops[i]->attr.sym))) return false;
    return out->to != out->from && is_destination(r, out->to) &&
           loops_go_through(cx, r->entry, r->facts, position, loops, n);
}

typedef struct {
    Sym from, to;
    Node *offset;
} Redirect;

static Node *redirect(Session *cx, Node *n, void *env)
{
    const Redirect *r = env;
    if (!loops_names_buffer(n) || n->attr.sym != r->from) return n;
    Node *moved = node_with_op(cx, n, 0, nat_add(cx, n->op[0], r->offset));
    return node_with_name(cx, moved, r->to);
}

Node *loops_redirect(Session *cx, Node *s, Sym from, Sym to, Node *offset)
{
    Redirect r = {from, to, offset};
    return loops_without_self_copies(cx, node_rewrite(cx, s, redirect, &r));
}

// Whether the destination exists before the allocation: neither it nor a local in the offset is
// declared later.
static bool is_known_before(Elision *r, Node *block, int alloc, const Copy *c)
{
    for (int i = alloc + 1; i < (int)block->nops; i++) {
        Node *s = block->op[i];
        if (!loops_is_declaration(s)) continue;
        if (s->attr.sym == c->to || nat_occurs(c->offset, nat_var(r->cx, s->attr.sym)))
            return false;
    }
    return true;
}

static bool jumps_out(Node *s, void *all)
{
    return s->kind == LOOP_JUMP && !loops_has_named(all, IS_LABEL, s->attr.sym);
}

// Whether a loop may store to the same element of the array repeatedly.
static bool is_revisited(Session *cx, Node *s, Sym array, const LoopsAround *around)
{
    LoopsAround inner = {.loop = s, .up = around};
    if (s->kind == LOOP_STORE && s->attr.sym == array)
        for (const LoopsAround *a = around; a; a = a->up)
            if (a->loop->kind == LOOP_FOREVER ||
                !nat_occurs(s->op[0], nat_var(cx, a->loop->attr.sym)))
                return true;
    const LoopsAround *inside = loops_is(s, IS_LOOP) ? &inner : around;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && is_revisited(cx, s->op[i], array, inside)) return true;
    return false;
}

// Whether the array is better kept: a small accumulator, which may be in registers, or memory that
// a group shares.
static bool is_kept(Elision *r, Node *block, int alloc, int last)
{
    Node *a = block->op[alloc];
    if (a->variant == VARIANT_SHARED) return true;
    bool small = a->variant == VARIANT_STACK;
    for (int i = alloc + 1; small && i < last; i++)
        if (is_revisited(r->cx, block->op[i], a->attr.sym, NULL)) return true;
    return false;
}

// Whether the statements up to the copy can store directly to its destination.
static bool may_overwrite(Elision *r, Node *block, int alloc, int last, const Copy *c)
{
    if (r->outputs) return (uintptr_t)map_get(&r->mentions, MAP_KEY(c->to)) == 1;
    if (is_kept(r, block, alloc, last)) return false;
    for (int i = alloc + 1; i < last; i++)
        if (loops_any(block->op[i], jumps_out, (void *)(uintptr_t)block->op[i])) return false;
    LoopsMove move = {c->from, c->to, c->offset, c->store, r->around, r->facts};
    return loops_may_overwrite(r->cx, r->entry, &move, block->op + alloc + 1, last - alloc);
}

/// For each buffer, the last statement of a block that accesses it.
typedef struct {
    Map last; // Sym -> the number of that statement, counted from 1
    uintptr_t at;
} LastAccesses;

static void note_access(Node *access, void *env)
{
    LastAccesses *m = env;
    if (!map_get(&m->last, MAP_KEY(access->attr.sym)))
        map_put(&m->last, MAP_KEY(access->attr.sym), (void *)m->at);
}

// Finds the last statement of the block that accesses each buffer. Walks backwards, so that a node
// in several statements is found in the last of them.
static LastAccesses accesses_of(Session *cx, Node *block)
{
    LastAccesses m = {.last = map_new(cx->arena)};
    Map seen = map_new(cx->arena);
    for (m.at = block->nops; m.at > 0; m.at--)
        loops_accesses(block->op[m.at - 1], &seen, note_access, &m);
    return m;
}

// The index of the last statement that accesses the buffer, or -1.
static int last_access(const LastAccesses *m, Sym buffer)
{
    return (int)(uintptr_t)map_get(&m->last, MAP_KEY(buffer)) - 1;
}

// The index of the statement that copies the allocated array to a destination in which the array
// can be built instead. -1 if there is none, or if a later statement accesses the array.
static int find_copy(Elision *r, Node *block, const LastAccesses *m, int alloc, Copy *out)
{
    Node *a = block->op[alloc];
    int last = last_access(m, a->attr.sym);
    bool copies = last > alloc && is_copy(r, block->op[last], a->attr.sym, a->op[1], out);
    // the stores may have been removed as unreachable, so that only the copy accesses the array
    bool stored = (uintptr_t)map_get(&r->mentions, MAP_KEY(a->attr.sym)) > 1;
    if (!copies || (r->outputs && !stored) || !is_known_before(r, block, alloc, out)) return -1;
    return may_overwrite(r, block, alloc, last, out) ? last : -1;
}

Node *loops_without_copy(Session *cx, Node *s, Sym from)
{
    Stmts left = {0};
    if (s->kind == LOOP_FOR) {
        Node *body = loops_without_copy(cx, loops_body(s), from);
        return loops_is_empty(body) ? body : loops_for(cx, s, loops_from(s), loops_to(s), body);
    }
    for (uint32_t i = 0; s->kind == LOOP_BLOCK && i < s->nops; i++)
        if (s->op[i]->op[1]->attr.sym != from) vec_push(cx->arena, &left, s->op[i]);
    return loops_block(cx, left.len, left.at);
}

// The block without the allocation at index `i` and without the copy of its array.
static Node *without_copy(Elision *r, Node *block, int i, int copy, const Copy *what)
{
    Stmts stmts = {0};
    for (int k = 0; k < (int)block->nops; k++) {
        Node *s = k == copy ? loops_without_copy(r->cx, block->op[k], what->from) : block->op[k];
        if (k == i) continue;
        s = loops_redirect(r->cx, s, what->from, what->to, what->offset);
        vec_push(r->cx->arena, &stmts, s);
    }
    return loops_block(r->cx, stmts.len, stmts.at);
}

// --- pointers -----------------------------------------------------------------------------------

// The index of the allocation that the pointer initially points to, or -1 if it is not in the
// block.
static int find_memory(Node *block, int pointer)
{
    for (int i = 0; i < pointer; i++)
        if (block->op[i]->kind == LOOP_ALLOC &&
            block->op[i]->attr.sym == block->op[pointer]->op[1]->attr.sym)
            return i;
    return -1;
}

// Whether a pointer of the block that may alias this one is accessed after statement `last`.
static bool is_needed(Node *block, int pointer, int last)
{
    for (int i = 0; i < (int)block->nops; i++) {
        Node *p = block->op[i];
        if (p->kind != LOOP_POINTER || p->op[0] != block->op[pointer]->op[0]) continue;
        for (int k = last + 1; k < (int)block->nops; k++)
            if (loops_mentions(block->op[k], p->attr.sym)) return true;
    }
    return false;
}

// Finds the statement that copies a pointer's final array to an output, where the pointer can point
// to that output from the start. Returns the index of the statement, or -1.
static int find_last_copy(Elision *r, Node *block, const LastAccesses *m, int pointer, Copy *out)
{
    Node *p = block->op[pointer];
    int memory = find_memory(block, pointer), last = last_access(m, p->attr.sym);
    if (memory < 0 || !r->outputs) return -1;
    if (last <= pointer || is_needed(block, pointer, last)) return -1;
    if (!is_copy(r, block->op[last], p->attr.sym, block->op[memory]->op[1], out)) return -1;
    bool alone = (uintptr_t)map_get(&r->mentions, MAP_KEY(out->to)) == 1;
    return alone && is_known_before(r, block, pointer, out) ? last : -1;
}

// The loops with the copy of `from` as their only statement.
static Node *only_copy(Session *cx, Node *s, Sym from)
{
    if (s->kind == LOOP_FOR)
        return loops_for(cx, s, loops_from(s), loops_to(s), only_copy(cx, loops_body(s), from));
    for (uint32_t i = 0; s->kind == LOOP_BLOCK && i < s->nops; i++)
        if (s->op[i]->op[1]->attr.sym == from) return s->op[i];
    return s;
}

// The copies in `s`, except that the copy of `c->from` is executed only if the pointer does not
// point to the output.
static Node *copy_from_elsewhere(Session *cx, Node *s, Node *address, const Copy *c)
{
    Node *from = loops_address(cx, c->from, nat_const(cx, 0));
    Node *apart = node_make(cx, &(NodeSpec){.kind = LOOP_APART,
                                            .type = type_scalar(cx, SCALAR_BOOL),
                                            .nops = 2,
                                            .ops = (Node *[]){from, address}});
    Node *copy = loops_copy(cx, only_copy(cx, s, c->from), NULL, NULL);
    Node *branch = loops_if(cx, apart, copy, loops_block(cx, 0, NULL), s->origin);
    Node *both[2] = {loops_without_copy(cx, s, c->from), branch};
    return loops_block(cx, 2, both);
}

static Node *point_to_output(Elision *r, Node *block, int pointer, int last, const Copy *c)
{
    Session *cx = r->cx;
    Stmts stmts = {0};
    int memory = find_memory(block, pointer);
    Node *address = loops_address(cx, c->to, c->offset);
    for (int i = 0; i < (int)block->nops; i++) {
        Node *s = block->op[i];
        if (i == memory) continue;
        if (i == pointer) s = node_with_op(cx, s, 1, address);
        if (i == last) s = copy_from_elsewhere(cx, s, address, c);
        vec_push(cx->arena, &stmts, s);
    }
    return loops_block(cx, stmts.len, stmts.at);
}

// --- the entry ----------------------------------------------------------------------------------

static Node *elide(void *env, Node *s);

// Copies the marks of outputs that already hold an array.
static void keep_taken(const Elision *r, const Map *from, Map *to)
{
    for (int i = 0; i < from->len; i++)
        if (from->entries[i].value == r) map_put(to, from->entries[i].key, from->entries[i].value);
}

static Node *last_of(Node *body)
{
    return body->kind == LOOP_BLOCK && body->nops ? body->op[body->nops - 1] : body;
}

enum { DEEPEST = 8 }; // accesses are counted once more for each arm around

// Elides copies in an arm of a branch. If the branch ends the body, or an arm of a branch that
// does, outputs that are otherwise accessed only in the other arm are destinations too.
static Node *elide_in_arm(Elision *r, Node *s, uint32_t arm, Map *taken)
{
    LoopsAround around = {.condition = s->op[0], .holds = arm == 1};
    Elision before = *r;
    ArmsAround arms = {s, arm, r->arms ? r->arms->depth + 1 : 1, r->arms};
    if (s != r->last || arms.depth > DEEPEST)
        return loops_under(&r->around, elide, r, s->op[arm], around);
    r->mentions = map_new(r->cx->arena);
    r->seen = map_new(r->cx->arena);
    r->last = last_of(s->op[arm]);
    r->arms = &arms;
    count_accesses(r, r->entry->body);
    keep_taken(r, &before.mentions, &r->mentions);
    Node *done = loops_under(&r->around, elide, r, s->op[arm], around);
    keep_taken(r, &r->mentions, taken);
    *r = before;
    return done;
}

static Node *elide_inside(Elision *r, Node *s)
{
    Session *cx = r->cx;
    if (s->kind == LOOP_IF) {
        Map taken = map_new(cx->arena);
        Node *then = elide_in_arm(r, s, 1, &taken), *other = elide_in_arm(r, s, 2, &taken);
        keep_taken(r, &taken, &r->mentions);
        return node_with_ops(cx, s, (Node *[]){s->op[0], then, other});
    }
    if (!loops_is(s, IS_LOOP)) return loops_map(cx, s, elide, r);
    int body = (int)s->nops - 1;
    return node_with_op(cx, s, body,
                        loops_under(&r->around, elide, r, s->op[body], (LoopsAround){.loop = s}));
}

static Node *elide(void *env, Node *s)
{
    Elision *r = env;
    s = elide_inside(r, s);
    bool declares = s->kind == LOOP_BLOCK && loops_declares(s);
    LastAccesses m = {.at = 0};
    if (declares) m = accesses_of(r->cx, s);
    for (int i = 0; declares && s->kind == LOOP_BLOCK && i < (int)s->nops; i++) {
        Copy copy;
        bool alloc = s->op[i]->kind == LOOP_ALLOC, pointer = s->op[i]->kind == LOOP_POINTER;
        int at = alloc     ? find_copy(r, s, &m, i, &copy)
                 : pointer ? find_last_copy(r, s, &m, i, &copy)
                           : -1;
        if (at < 0) continue;
        if (!r->outputs)
            loops_note_choice(r->cx, r->done, s->op[at], "in place",
                              "no element is read after it was overwritten: no temporary array");
        s = (alloc ? without_copy : point_to_output)(r, s, i, at, &copy);
        map_put(&r->mentions, MAP_KEY(copy.to), r); // the destination is taken
        m = accesses_of(r->cx, s);
        i = -1;
    }
    return s;
}

static LoopEntry *elide_in_entry(Session *cx, const LoopEntry *e, bool outputs)
{
    Simplifier known = simplifier_new(cx, e);
    Elision r = {.cx = cx,
                 .entry = e,
                 .done = loops_with_body(cx, e, e->body),
                 .outputs = outputs,
                 .mentions = map_new(cx->arena),
                 .seen = map_new(cx->arena),
                 .last = last_of(e->body),
                 .facts = known.facts};
    count_accesses(&r, e->body);
    r.done->body = elide(&r, e->body);
    return r.done;
}

static LoopEntry *elide_in_arrays(Session *cx, const LoopEntry *e)
{
    return elide_in_entry(cx, e, false);
}

static LoopEntry *elide_in_outputs(Session *cx, const LoopEntry *e)
{
    return elide_in_entry(cx, e, true);
}

LoopEntry *loops_update_in_place(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, elide_in_arrays);
}

LoopEntry *loops_copy_elision(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, elide_in_outputs);
}
