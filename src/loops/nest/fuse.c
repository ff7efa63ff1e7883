// Loop fusion: two loops over the same range that read the same array become one, which reads the
// shared elements once (StagedSAC 3.3; With-loop fusion: Grelck, Hinckfuss, Scholz 2006). Two loops
// are also fused if the second one updates the elements that the first one stores: `a[i] = x[i]`
// and `a[i] = 2 * a[i]` become `a[i] = 2 * x[i]`; so are a running sum and a short loop over it.
// Fusion is legal if all dependences between the loops are within one iteration, and if each
// statement between the loops may come before or after both. Branches under one condition are
// merged if that brings such loops together.
#include "base/target/cpu.h"
#include "loops/memory/effect.h"
#include "loops/memory/memory.h"
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

enum {
    MAX_NEST = 16,
    MAX_FUSED = 1000,      // nodes in two loops that become one
    MAX_LANES_FUSED = 200, // nodes in two loops over lanes that become one
    MAX_MERGED = 4000,     // nodes in two branches that become one
    MAX_BETWEEN = 64,      // statements between them
    MAX_AFTER = 40,        // nodes in a loop that becomes part of one that may be a recurrence
    MAX_TRIES = 8,         // loops or branches that one is compared with
};

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    const Facts *facts;
    Arena *arena; // for this pass only
    Effects *effects;
    Map arrays; // name of a temporary array -> LOOP_ALLOC
} Fuse;

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
static bool is_harmless(Fuse *f, Node *first, Node *second, const Map *changed, const Effect *other)
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
static bool read_the_same(const Effect *a, const Effect *b, Node *first)
{
    for (int i = 0; i < a->read.len; i++) {
        Sym name = (Sym)(uintptr_t)a->read.entries[i].key;
        bool changed = map_get(&a->changed, MAP_KEY(name)) || map_get(&b->changed, MAP_KEY(name));
        if (changed) continue;
        if (map_get(&b->read, MAP_KEY(name)) && loops_mentions(first, name)) return true;
    }
    return false;
}

// Whether the operation takes many cycles, which vectors divide among their lanes.
static bool is_slow(Node *n, void *env)
{
    (void)env;
    if (n->kind != CORE_PRIM) return false;
    bool divides = n->attr.i == PRIM_DIV || n->attr.i == PRIM_REM;
    return (divides && n->op[1]->kind != CORE_LIT) || prim_is_function((Prim)n->attr.i);
}

// Whether the first loop only stores to an array that the second one changes.
static bool continues(Node *first, const Effect *second)
{
    Node *store = nest_of(first).body;
    return store->kind == LOOP_STORE && map_get(&second->changed, MAP_KEY(store->attr.sym));
}

// Whether each iteration of the first loop computes a number, such as a running sum, and stores it
// in arrays of which the second loop reads one, and the second loop is short. The first one may be
// a recurrence, in which the second one, fused with it, is no longer vectorised.
static bool follows(Node *first, Node *second, const Effect *reads)
{
    Node *body = loops_body(first), *after = loops_body(second);
    bool read = false;
    if (body->kind != LOOP_BLOCK) return false;
    for (uint32_t i = 0, stores = 0; i < body->nops; i++) {
        Node *s = body->op[i];
        stores += s->kind == LOOP_STORE;
        if (stores ? s->kind != LOOP_STORE : s->kind != LOOP_DECL && s->kind != LOOP_SET)
            return false;
        read |= stores && map_get(&reads->read, MAP_KEY(s->attr.sym));
    }
    return read && loops_weight(after, MAX_AFTER) < MAX_AFTER && !node_any(after, is_slow, NULL);
}

// Whether the first loop has sums of columns, which will go along rows unless the other loop, which
// has loops of its own, is fused with it.
static bool needs_own_loop(Fuse *f, Node *first, Node *other)
{
    return loops_has_loop(loops_body(other)) &&
           loops_go_down_columns(f->cx, f->entry, f->facts, first);
}

// The number of registers for the arrays of a known size that the loop changes: partial results.
static int registers_of(Fuse *f, const Effect *e)
{
    int64_t bytes = 0;
    for (int i = 0; i < e->changed.len; i++) {
        Node *alloc = map_get(&f->arrays, e->changed.entries[i].key);
        int64_t count;
        Scalar scalar;
        if (alloc && !loops_is_heap(alloc) && nat_is_const(alloc->op[1], &count) &&
            type_is_scalar(alloc->op[0], &scalar))
            bytes += count * scalar_info[scalar].size;
    }
    return (int)(bytes / f->cx->cpu->level->vector_bytes);
}

static bool has_position(Node *n, void *name)
{
    return n->kind == NAT_VAR && n->attr.sym == (Sym)name;
}

// Whether a side of a branch takes a counter as a position and increases it.
static bool counts_positions_here(Session *cx, Node *side)
{
    Node *i64 = type_scalar(cx, SCALAR_I64);
    for (uint32_t i = 0; side->kind == LOOP_BLOCK && i < side->nops; i++) {
        Node *decl = side->op[i];
        if (decl->kind != LOOP_DECL || decl->op[0] != i64 || decl->op[1]->kind != LOOP_VAR)
            continue;
        void *name = (void *)(uintptr_t)decl->attr.sym;
        for (uint32_t k = i + 1; k < side->nops; k++)
            if (loops_is_store(side->op[k]) && node_any(side->op[k], has_position, name) &&
                loops_sets(side, decl->op[1]->attr.sym))
                return true;
    }
    return false;
}

// Whether the loop may be a compaction, which vectorisation makes only of loops with one counter.
static bool counts_positions(Session *cx, Node *s)
{
    for (uint32_t i = 0; i < s->nops; i++) {
        if (!loops_is_stmt(s->op[i])) continue;
        if (s->kind == LOOP_IF && counts_positions_here(cx, s->op[i])) return true;
        if (counts_positions(cx, s->op[i])) return true;
    }
    return false;
}

// Whether a quarter of the registers is left for other things than partial results.
static bool fit_registers(Fuse *f, const Effect *a, const Effect *b)
{
    int na = registers_of(f, a), nb = registers_of(f, b);
    return na == 0 || nb == 0 || 4 * (na + nb) <= 3 * f->cx->cpu->level->vector_registers;
}

// Loops over lanes, such as the last elements of two sums, are fused if they are short.
static bool may_fuse_lanes(Node *first, Node *second)
{
    int64_t count;
    return !nat_is_const(loops_to(first), &count) && !loops_has_loop(loops_body(first)) &&
           !loops_has_loop(loops_body(second));
}

// Loops on threads or over lanes must share nothing that changes.
static bool may_fuse_lockstep(Fuse *f, Node *first, Node *second)
{
    const Effect *a = effect_of(f->effects, first), *b = effect_of(f->effects, second);
    return first->op[0] == second->op[0] && effect_independent(a, b) &&
           read_the_same(a, b, first) &&
           (first->kind == LOOP_PARALLEL || may_fuse_lanes(first, second));
}

static bool may_fuse(Fuse *f, Node *first, Node *second)
{
    if (loops_from(first) != loops_from(second) || loops_to(first) != loops_to(second))
        return false;
    if (loops_may_jump(first) || loops_may_jump(second)) return false;
    if (f->entry->device && first->variant != second->variant) return false; // stays parallel
    int most = first->kind == LOOP_VECTORIZE ? MAX_LANES_FUSED : MAX_FUSED;
    if (loops_weight(first, most) + loops_weight(second, most) > most) return false;
    if (loops_is_lockstep(first)) return may_fuse_lockstep(f, first, second);
    const Effect *a = effect_of(f->effects, first), *b = effect_of(f->effects, second);
    if (!a->simple || !b->simple) return false;
    if (!read_the_same(a, b, first) && !continues(first, b) && !follows(first, second, b))
        return false;
    if (!fit_registers(f, a, b)) return false;
    if (counts_positions(f->cx, first) && counts_positions(f->cx, second)) return false;
    if (needs_own_loop(f, first, second) || needs_own_loop(f, second, first)) return false;
    return is_harmless(f, first, second, &a->changed, b) &&
           is_harmless(f, first, second, &b->changed, a);
}

// --- fusing -------------------------------------------------------------------------------------

static Node *fuse(void *env, Node *s);

// Appends the statement. Blocks are flattened, which is safe because names are unique.
static void add_statements(Session *cx, Stmts *out, Node *s)
{
    bool block = s->kind == LOOP_BLOCK;
    for (uint32_t i = 0; block && i < s->nops; i++) add_statements(cx, out, s->op[i]);
    if (!block) vec_push(cx->arena, out, s);
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
    bool name = value->kind == LOOP_VAR || (value->kind == CORE_NAT && !value->op[0]->nops);
    return value->kind == LOOP_LOAD || name || value->nops == 0;
}

// Whether the value stays the same during n statements, of which only the last may store to the
// array.
static bool lasts(Fuse *f, Node *value, Node *const *stmts, int n, Sym array)
{
    Map read = map_new(f->arena);
    effect_add_reads(f->effects, value, &read);
    for (int i = 0; i < n; i++) {
        const Effect *u = effect_of(f->effects, stmts[i]);
        if (!u->simple || (i < n - 1 && map_get(&u->changed, MAP_KEY(array)))) return false;
        for (int k = 0; k < read.len; k++)
            if (read.entries[k].key != MAP_KEY(array) && map_get(&u->changed, read.entries[k].key))
                return false;
    }
    return true;
}

// Forwards the value of the store at index `at` to the loads after it, up to a later store that
// overwrites the element. If there is one, removes the first store. Both loops access the array,
// and so at one position only (is_harmless).
static void forward(Fuse *f, Stmts *both, int at)
{
    Session *cx = f->cx;
    Node *store = both->at[at];
    int end = at + 1;
    if (store->kind != LOOP_STORE) return;
    Sym array = store->attr.sym;
    while (end < both->len &&
           !(both->at[end]->kind == LOOP_STORE && both->at[end]->attr.sym == array))
        end++;
    bool overwritten = end < both->len;
    int n = overwritten ? end - at : end - at - 1;
    if (!lasts(f, store->op[1], both->at + at + 1, n, array)) return;
    Stored s = {store, 0};
    Stmts rest = {0};
    for (int i = 0; i < both->len; i++) {
        if (i == at && overwritten) continue;
        bool reads = i > at && i <= end;
        vec_push(cx->arena, &rest, reads ? with_stored(cx, both->at[i], 0, &s) : both->at[i]);
    }
    if (is_plain(store->op[1]) || (overwritten && s.times <= 1)) *both = rest;
}

static Node *fused(Fuse *f, Node *first, Node *second)
{
    Session *cx = f->cx;
    Stmts both = {0};
    bool spread = loops_may_spread(f->entry, second->origin) && first->variant == second->variant;
    Node *like = spread ? second : first; // where either may run on threads, both may
    Node *index = nat_var(cx, like->attr.sym);
    add_statements(cx, &both, loops_at(cx, loops_body(first), first->attr.sym, index));
    int n = both.len;
    add_statements(cx, &both, loops_at(cx, loops_body(second), second->attr.sym, index));
    while (n-- > 0 && both.at[n]->kind == LOOP_STORE)
        if (loops_mentions(second, both.at[n]->attr.sym)) forward(f, &both, n);
    Node *body = fuse(f, loops_block(cx, both.len, both.at));
    Node *one = loops_for(cx, like, loops_from(first), loops_to(first), body);
    bool in_order = one->variant == VARIANT_PAR && first->variant != second->variant;
    return in_order ? node_with_variant(cx, one, VARIANT_ANY) : one;
}

// --- which statements ---------------------------------------------------------------------------

// The number of loops in the statement whose number of iterations is not a constant.
static int loops_in(Fuse *f, Node *s)
{
    Stmts loops = loops_all(f->cx, s, IS_COUNTED);
    int n = 0;
    int64_t count;
    for (int i = 0; i < loops.len; i++)
        n += !nat_is_const(nat_sub(f->cx, loops_to(loops.at[i]), loops_from(loops.at[i])), &count);
    return n;
}

// Two branches under one condition become one if that brings loops together that are then fused.
// Returns NULL if it does not.
static Node *merged_branches(Fuse *f, Node *first, Node *second)
{
    Session *cx = f->cx;
    Node *sides[2];
    for (int k = 0; k < 2; k++) {
        Stmts both = {0};
        add_statements(cx, &both, first->op[k + 1]);
        add_statements(cx, &both, second->op[k + 1]);
        sides[k] = fuse(f, loops_block(cx, both.len, both.at));
    }
    Node *done = loops_if(cx, first->op[0], sides[0], sides[1], first->origin);
    return loops_in(f, done) < loops_in(f, first) + loops_in(f, second) ? done : NULL;
}

static bool may_merge(Fuse *f, Node *first, Node *second)
{
    return first->op[0] == second->op[0] && loops_has_loop(first) && loops_has_loop(second) &&
           loops_weight(first, MAX_MERGED) + loops_weight(second, MAX_MERGED) <= MAX_MERGED &&
           !loops_changes_input(f->cx, first, first->op[0]);
}

// Whether the statement stores to an array other than partial results on the stack.
static bool fills_array(Fuse *f, Node *s)
{
    Stmts stores = loops_all(f->cx, s, IS_STORE);
    for (int i = 0; i < stores.len; i++) {
        Node *alloc = map_get(&f->arrays, MAP_KEY(stores.at[i]->attr.sym));
        if (!alloc || loops_is_heap(alloc)) return true;
    }
    return false;
}

// Divides the statements between two that are to become one into those that the second one needs,
// which have to come before both, and the rest, which comes after both. Returns false if the order
// does not allow that. An array is not computed earlier than in the program, since it would be live
// for longer, and its elements may be computed in lanes where the first statement is a sum in
// order.
static bool divide(Fuse *f, Node *first, Stmts between, Node *second, Stmts *before, Stmts *after)
{
    Arena *a = f->cx->arena;
    const Effect *of_first = effect_of(f->effects, first);
    bool crosses = false;
    Stmts needed = {0}; // from the last to the first
    vec_push(a, &needed, second);
    for (int i = between.len; i-- > 0;) {
        const Effect *e = effect_of(f->effects, between.at[i]);
        bool free = true;
        for (int k = 0; k < needed.len && free; k++)
            free = effect_independent(e, effect_of(f->effects, needed.at[k]));
        if (!free && !effect_independent(of_first, e)) return false;
        crosses |= free && !loops_is_declaration(between.at[i]);
        vec_push(a, free ? after : &needed, between.at[i]);
    }
    for (int k = needed.len; k-- > 1;) vec_push(a, before, needed.at[k]);
    for (int i = 0, k = after->len; i < --k; i++) {
        Node *last = after->at[k];
        after->at[k] = after->at[i];
        after->at[i] = last;
    }
    return !crosses || !fills_array(f, second);
}

// The index, among the statements kept so far, of the last one that `s` may become one with, or -1.
static int partner(Fuse *f, const Stmts *kept, Node *s)
{
    int left = MAX_TRIES;
    if (s->kind != LOOP_FOR && s->kind != LOOP_IF && !loops_is_lockstep(s)) return -1;
    for (int i = kept->len; i-- > 0 && i + MAX_BETWEEN >= kept->len && left > 0;) {
        Node *first = kept->at[i];
        if (first->kind != s->kind) continue;
        left--;
        if (s->kind == LOOP_IF ? may_merge(f, first, s) : may_fuse(f, first, s)) return i;
    }
    return -1;
}

// Makes one of `next` and a statement in `kept` if possible. Then `kept` has the statements before
// it, and those after it are put in front of `rest`.
static Node *joined(Fuse *f, Stmts *kept, Node *next, Stmts *rest)
{
    Arena *a = f->cx->arena;
    int at = partner(f, kept, next);
    if (at < 0) return NULL;
    Node *first = kept->at[at];
    Stmts before = {0}, after = {0}, between = {.at = kept->at + at + 1, .len = kept->len - at - 1};
    if (!divide(f, first, between, next, &before, &after)) return NULL;
    Node *one = next->kind == LOOP_IF ? merged_branches(f, first, next) : fused(f, first, next);
    if (!one) return NULL;
    kept->len = at;
    for (int i = 0; i < before.len; i++) vec_push(a, kept, before.at[i]);
    for (int i = 0; i < rest->len; i++) vec_push(a, &after, rest->at[i]);
    *rest = after;
    return one;
}

static Node *fuse(void *env, Node *s)
{
    Fuse *f = env;
    s = loops_map(f->cx, s, fuse, f);
    if (s->kind != LOOP_BLOCK) return s;
    Stmts kept = {0};
    for (uint32_t i = 0; i < s->nops; i++) {
        Node *next = s->op[i];
        Stmts rest = {0};
        for (Node *one; (one = joined(f, &kept, next, &rest));) next = one;
        vec_push(f->cx->arena, &kept, next);
        for (int k = 0; k < rest.len; k++) vec_push(f->cx->arena, &kept, rest.at[k]);
    }
    return loops_block(f->cx, kept.len, kept.at);
}

static LoopEntry *fuse_entry(Session *cx, const LoopEntry *e)
{
    Simplifier s = simplifier_new(cx, e);
    Arena *arena = arena_new_beside(cx->arena);
    Effects effects = effects_new(cx, arena);
    Fuse f = {cx, e, s.facts, arena, &effects, map_new(arena)};
    Stmts declarations = loops_all(cx, e->body, IS_DECL);
    for (int i = 0; i < declarations.len; i++) {
        Node *d = declarations.at[i];
        if (d->kind == LOOP_ALLOC) map_put(&f.arrays, MAP_KEY(d->attr.sym), (void *)(uintptr_t)d);
    }
    LoopEntry *done = loops_with_body(cx, e, fuse(&f, e->body));
    arena_delete(arena);
    return done;
}

LoopEntry *loops_fuse(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, fuse_entry);
}
