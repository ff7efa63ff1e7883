// Loop fusion: two loops over the same range that read the same array become one, which reads the
// shared elements once (StagedSAC 3.3; With-loop fusion: Grelck, Hinckfuss, Scholz 2006). Two loops
// are also fused if the second one updates the elements that the first one stores: `a[i] = x[i]`
// and `a[i] = 2 * a[i]` become `a[i] = 2 * x[i]`. Fusion is legal if all dependences between the
// loops are within one iteration.
#include "loops/memory/memory.h"
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

enum { MAX_FUSED = 1000, MAX_NEST = 16 };

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    const Facts *facts;
    Arena *arena; // for this pass only
    Map uses;     // loop -> Uses
} Fuse;

// --- reads and changes --------------------------------------------------------------------------

/// The names of buffers and locals that a statement reads, and of those that it changes.
typedef struct {
    Map read, changed;
    bool simple; // it has no other effect
} Uses;

static void note(Sym name, void *names)
{
    map_put(names, MAP_KEY(name), names);
}

static void find_changes(Uses *u, Node *s)
{
    switch ((Kind)s->kind) {
    case LOOP_BLOCK:
    case LOOP_FOR:
    case LOOP_IF:
    case LOOP_DECL:
    case LOOP_CHECK: break;
    case LOOP_STORE:
    case LOOP_SET: note(s->attr.sym, &u->changed); break;
    default: u->simple = false; return;
    }
    for (uint32_t i = 0; i < s->nops && u->simple; i++)
        if (loops_is_stmt(s->op[i])) find_changes(u, s->op[i]);
}

// The names that a statement reads and changes. The result is cached, since each loop is compared
// with several others.
static const Uses *uses_of(Fuse *f, Node *s)
{
    Uses *u = map_get(&f->uses, MAP_KEY(s));
    if (u) return u;
    u = ARENA_NEW(f->arena, Uses);
    *u = (Uses){map_new(f->arena), map_new(f->arena), true};
    Map seen = map_new(f->arena);
    find_changes(u, s);
    if (u->simple) loops_reads(f->cx, s, &seen, note, &u->read);
    map_put(&f->uses, MAP_KEY(s), u);
    return u;
}

// --- nests --------------------------------------------------------------------------------------

/// Perfectly nested loops.
typedef struct {
    Node *loops[MAX_NEST];
    int n;
    Node *body;
} Nest;

static Nest nest_of(Node *loop)
{
    Nest nest = {.body = loop};
    while (nest.body->kind == LOOP_FOR && nest.n < MAX_NEST) {
        nest.loops[nest.n++] = nest.body;
        nest.body = loops_body(nest.body);
        if (nest.body->kind == LOOP_BLOCK && nest.body->nops == 1) nest.body = nest.body->op[0];
    }
    return nest;
}

// `n` with the loop indices of `from` replaced with those of `to`.
static Node *renamed(Session *cx, Node *n, const Nest *from, const Nest *to)
{
    NodeBinding names[MAX_NEST];
    for (int i = 0; i < from->n; i++)
        names[i] = (NodeBinding){from->loops[i]->attr.sym, nat_var(cx, to->loops[i]->attr.sym)};
    return node_replace_names(cx, n, names, from->n);
}

static bool same_ranges(Session *cx, const Nest *a, const Nest *b)
{
    if (a->n != b->n || loops_has_loop(a->body) || loops_has_loop(b->body)) return false;
    for (int i = 0; i < a->n; i++)
        if (loops_from(a->loops[i]) != renamed(cx, loops_from(b->loops[i]), b, a) ||
            loops_to(a->loops[i]) != renamed(cx, loops_to(b->loops[i]), b, a))
            return false;
    return true;
}

// Whether all accesses to the buffer are at one position, which is *at. If *at is NULL, no access
// has been seen yet, and it is set to the position of the first one.
static bool at_one_position(Node *n, Sym buffer, Node **at)
{
    if (node_is_size_or_type(n)) return true;
    if (loops_names_buffer(n) && n->attr.sym == buffer) {
        if (n->kind == LOOP_ADDRESS || (*at && *at != n->op[0])) return false;
        *at = n->op[0];
    }
    for (uint32_t i = 0; i < n->nops; i++)
        if (!at_one_position(n->op[i], buffer, at)) return false;
    return true;
}

// Whether different iterations access different elements of the buffer, and the same iteration of
// both nests accesses the same element.
static bool is_aligned(Fuse *f, Node *first, Node *second, Sym buffer)
{
    Nest a = nest_of(first), b = nest_of(second);
    Node *at = NULL;
    if (!same_ranges(f->cx, &a, &b)) return false;
    return at_one_position(a.body, buffer, &at) &&
           at_one_position(renamed(f->cx, b.body, &b, &a), buffer, &at) && at &&
           loops_is_injective(f->cx, f->entry, f->facts, a.loops, a.n, at);
}

// --- legality and profit ------------------------------------------------------------------------

// Whether all dependences through the changed buffers are within one iteration.
static bool is_harmless(Fuse *f, Node *first, Node *second, const Map *changed, const Uses *other)
{
    for (int i = 0; i < changed->len; i++) {
        if (!changed->entries[i].value) continue;
        Sym name = (Sym)(uintptr_t)changed->entries[i].key;
        if (!map_get(&other->changed, MAP_KEY(name)) && !map_get(&other->read, MAP_KEY(name)))
            continue;
        bool buffer = loops_mentions(first, name) && loops_mentions(second, name);
        if (!buffer || !is_aligned(f, first, second, name)) return false;
    }
    return true;
}

// Whether both read an array that neither changes. An array that the first one produces for the
// second does not count, since fusion would make more memory live at once.
static bool read_the_same(const Uses *a, const Uses *b, Node *first)
{
    for (int i = 0; i < a->read.len; i++) {
        Sym name = (Sym)(uintptr_t)a->read.entries[i].key;
        bool changed = map_get(&a->changed, MAP_KEY(name)) || map_get(&b->changed, MAP_KEY(name));
        if (changed) continue;
        if (map_get(&b->read, MAP_KEY(name)) && loops_mentions(first, name)) return true;
    }
    return false;
}

// Whether the first loop only stores to an array that the second one changes.
static bool continues(Node *first, const Uses *second)
{
    Node *store = nest_of(first).body;
    return store->kind == LOOP_STORE && map_get(&second->changed, MAP_KEY(store->attr.sym));
}

// Whether the first loop has sums of columns, which will go along rows unless the other loop, which
// has loops of its own, is fused with it.
static bool needs_own_loop(Fuse *f, Node *first, Node *other)
{
    return loops_has_loop(loops_body(other)) &&
           loops_go_down_columns(f->cx, f->entry, f->facts, first);
}

static bool may_fuse(Fuse *f, Node *first, Node *second)
{
    if (first->kind != LOOP_FOR || second->kind != LOOP_FOR) return false;
    if (loops_from(first) != loops_from(second) || loops_to(first) != loops_to(second))
        return false;
    if (loops_may_jump(first) || loops_may_jump(second)) return false;
    int weight = loops_weight(first, MAX_FUSED);
    if (weight + loops_weight(second, MAX_FUSED) > MAX_FUSED) return false;
    const Uses *a = uses_of(f, first), *b = uses_of(f, second);
    if (!a->simple || !b->simple) return false;
    if (!read_the_same(a, b, first) && !continues(first, b)) return false;
    if (needs_own_loop(f, first, second) || needs_own_loop(f, second, first)) return false;
    return is_harmless(f, first, second, &a->changed, b) &&
           is_harmless(f, first, second, &b->changed, a);
}

// --- fusing -------------------------------------------------------------------------------------

static Node *fuse(void *env, Node *s);

static void add_statements(Session *cx, Stmts *out, Node *s)
{
    bool block = s->kind == LOOP_BLOCK;
    for (uint32_t i = 0; i < (block ? s->nops : 1); i++)
        vec_push(cx->arena, out, block ? s->op[i] : s);
}

typedef struct {
    Node *store;
    int times; // number of loads replaced
} Stored;

// Replaces loads of the stored element with its value.
static Node *with_stored(Session *cx, Node *n, int depth, void *env)
{
    Stored *s = env;
    if (n->nops == 0 || node_is_size_or_type(n)) return n;
    if (n->kind == LOOP_LOAD && n->attr.sym == s->store->attr.sym) {
        s->times++;
        return s->store->op[1];
    }
    return node_map(cx, n, depth, with_stored, env);
}

static bool is_plain(Node *value)
{
    return value->kind == LOOP_LOAD || value->kind == LOOP_VAR || value->nops == 0;
}

// Whether the value stays the same during n statements, of which only the last may store to the
// array.
static bool lasts(Fuse *f, Node *value, Node *const *stmts, int n, Sym array)
{
    Map read = map_new(f->arena), seen = map_new(f->arena);
    loops_reads(f->cx, value, &seen, note, &read);
    for (int i = 0; i < n; i++) {
        const Uses *u = uses_of(f, stmts[i]);
        if (!u->simple || (i < n - 1 && map_get(&u->changed, MAP_KEY(array)))) return false;
        for (int k = 0; k < read.len; k++)
            if (read.entries[k].key != MAP_KEY(array) && map_get(&u->changed, read.entries[k].key))
                return false;
    }
    return true;
}

// Removes the first store if a later one overwrites the element, and forwards its value to the
// loads up to that later store.
static void forward(Fuse *f, Stmts *both)
{
    Session *cx = f->cx;
    Node *store = both->at[0];
    int end = 1;
    if (store->kind != LOOP_STORE) return;
    Sym array = store->attr.sym;
    while (end < both->len &&
           !(both->at[end]->kind == LOOP_STORE && both->at[end]->attr.sym == array))
        end++;
    if (end == both->len || !lasts(f, store->op[1], both->at + 1, end, array)) return;
    Stored s = {store, 0};
    Stmts rest = {0};
    for (int i = 1; i < both->len; i++)
        vec_push(cx->arena, &rest, i <= end ? with_stored(cx, both->at[i], 0, &s) : both->at[i]);
    if (s.times <= 1 || is_plain(store->op[1])) *both = rest;
}

static Node *fused(Fuse *f, Node *first, Node *second)
{
    Session *cx = f->cx;
    Stmts both = {0};
    bool spread = loops_may_spread(f->entry, second->origin) && first->variant == second->variant;
    Node *like = spread ? second : first; // where either may run on threads, both may
    Node *index = nat_var(cx, like->attr.sym);
    add_statements(cx, &both, loops_at(cx, loops_body(first), first->attr.sym, index));
    bool one = both.len == 1;
    add_statements(cx, &both, loops_at(cx, loops_body(second), second->attr.sym, index));
    if (one) forward(f, &both);
    Node *body = fuse(f, loops_block(cx, both.len, both.at));
    return loops_for(cx, like, loops_from(first), loops_to(first), body);
}

// Whether a statement between two loops can move ahead of both.
static bool stays_before(Fuse *f, Node *s, Node *loop)
{
    if (s->kind != LOOP_DECL && s->kind != LOOP_ALLOC) return false;
    const Uses *of_loop = uses_of(f, loop);
    Map seen = map_new(f->arena), read = map_new(f->arena);
    if (!of_loop->simple) return false;
    loops_reads(f->cx, s, &seen, note, &read);
    for (int i = 0; i < read.len; i++)
        if (map_get(&of_loop->changed, read.entries[i].key)) return false;
    return true;
}

// The index, among the statements kept so far, of the loop with which `s` can be fused, or -1.
static int partner(Fuse *f, const Stmts *kept, Node *s)
{
    if (s->kind != LOOP_FOR) return -1;
    for (int i = kept->len; i-- > 0;) {
        if (kept->at[i]->kind != LOOP_FOR) {
            if (kept->at[i]->kind != LOOP_DECL && kept->at[i]->kind != LOOP_ALLOC) return -1;
            continue;
        }
        if (!may_fuse(f, kept->at[i], s)) return -1;
        for (int k = i + 1; k < kept->len; k++)
            if (!stays_before(f, kept->at[k], kept->at[i])) return -1;
        return i;
    }
    return -1;
}

static Node *fuse(void *env, Node *s)
{
    Fuse *f = env;
    s = loops_map(f->cx, s, fuse, f);
    if (s->kind != LOOP_BLOCK) return s;
    Stmts kept = {0};
    for (uint32_t i = 0; i < s->nops; i++) {
        Node *next = s->op[i];
        for (int at; (at = partner(f, &kept, next)) >= 0;) {
            next = fused(f, kept.at[at], next);
            for (int k = at + 1; k < kept.len; k++) kept.at[k - 1] = kept.at[k];
            kept.len--;
        }
        vec_push(f->cx->arena, &kept, next);
    }
    return loops_block(f->cx, kept.len, kept.at);
}

static LoopEntry *fuse_entry(Session *cx, const LoopEntry *e)
{
    Simplifier s = simplifier_new(cx, e);
    Arena *arena = arena_new_beside(cx->arena);
    Fuse f = {cx, e, s.facts, arena, map_new(arena)};
    LoopEntry *done = loops_with_body(cx, e, fuse(&f, e->body));
    arena_delete(arena);
    return done;
}

LoopEntry *loops_fuse(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, fuse_entry);
}
