// Stream compaction: sequential loops over lanes that count the lanes where a condition holds, and
// store (compress) or load (expand) consecutive elements for them:
//
//   for i in 0 .. L                                         m = c[0 ..]
//       if c[i] { out[k] = x[i]; k += 1 }      becomes      out[k ..] = compress(x[0 ..], m)
//                                                           k += count(m)
#include "loops/vector/vectors.h"

enum { MOST_MOVED = 4 }; // maximum number of stores in one loop

// The base name of marks, which are arrays that stand for stores of the original loop. No program
// can use this name.
#define MARK "moved."

// A store to the next position (packed), or of the element at the next position (unpacked).
typedef struct {
    Node *store;
    Sym mark;       // the array that each lane stores to instead, at its own index
    Node *position; // the position of the first lane where the condition holds
    bool clears;    // lanes where the condition does not hold store zero at their own index
} Moved;

typedef struct {
    Vectoriser *w;
    Session *cx;
    Node *loop;
    int64_t lanes;
    Node *condition;
    Stmts before, inside; // statements before the branch, and in it
    Sym counter, snapshot;
    bool from_zero, one_vector;
    Moved packed[MOST_MOVED], unpacked[MOST_MOVED];
    int npacked, nunpacked;
    Sym found; // the mark for the condition itself: each lane where it holds stores `true`
    VectorLoop s;
} Compaction;

static Node *size_of(Session *cx, Node *e)
{
    if (e->kind == CORE_NAT) return e->op[0];
    if (e->kind == LOOP_VAR) return nat_var(cx, e->attr.sym);
    if (e->kind == CORE_LIT) return nat_const(cx, e->attr.i);
    if (e->kind != CORE_PRIM || e->attr.i != PRIM_ADD) return NULL;
    Node *a = size_of(cx, e->op[0]), *b = size_of(cx, e->op[1]);
    return a && b ? nat_add(cx, a, b) : NULL;
}

static Node *by_counter(const Compaction *c, Node *size)
{
    Node *counter = nat_var(c->cx, c->counter);
    return c->snapshot ? loops_at(c->cx, size, c->snapshot, counter) : size;
}

static bool is_i64(Node *type)
{
    Scalar s;
    return type && type_is_scalar(type, &s) && s == SCALAR_I64;
}

// Finds the counter, which the last statement of the branch increments, and its snapshot.
static bool find_counter(Compaction *c, Node *const *side, int n)
{
    Node *set = n ? side[n - 1] : NULL;
    if (!set || set->kind != LOOP_SET || !is_i64(set->op[0]->type)) return false;
    c->counter = set->attr.sym;
    for (int i = 0; i < n && !c->snapshot; i++) {
        Node *value = side[i]->kind == LOOP_DECL ? side[i]->op[1] : NULL;
        if (value && is_i64(value->type) && size_of(c->cx, value) == nat_var(c->cx, c->counter))
            c->snapshot = side[i]->attr.sym;
    }
    Node *next = size_of(c->cx, set->op[0]), *one = nat_const(c->cx, 1);
    return next && by_counter(c, next) == nat_add(c->cx, nat_var(c->cx, c->counter), one);
}

static bool uses_counter(const Compaction *c, Node *e)
{
    return loops_uses(c->cx, e, c->counter) || (c->snapshot && loops_uses(c->cx, e, c->snapshot));
}

static bool is_at_index(const Compaction *c, Node *access)
{
    return access->op[0] == nat_var(c->cx, c->loop->attr.sym);
}

static bool is_zero(Node *e)
{
    return e->kind == CORE_LIT && e->attr.bits == 0;
}

static bool uses_declared(const Compaction *c, Node *size, const Stmts *stmts)
{
    for (int i = 0; i < stmts->len; i++)
        if (loops_is_declaration(stmts->at[i]) &&
            nat_occurs(size, nat_var(c->cx, stmts->at[i]->attr.sym)))
            return true;
    return false;
}

// Whether the position is the index plus a uniform offset.
static bool is_own(const Compaction *c, Node *store)
{
    Node *index = nat_var(c->cx, c->loop->attr.sym), *all = nat_sub(c->cx, store->op[0], index);
    if (nat_occurs(all, index) || uses_counter(c, all)) return false;
    return !uses_declared(c, all, &c->before) && !uses_declared(c, all, &c->inside);
}

// Returns whether the position is the counter plus a constant, and sets *position to the position
// in terms of the counter.
static bool is_next(const Compaction *c, Node *access, Node **position)
{
    int64_t offset;
    *position = by_counter(c, access->op[0]);
    return nat_is_const(nat_sub(c->cx, *position, nat_var(c->cx, c->counter)), &offset);
}

static bool add_store(Compaction *c, Node *s)
{
    Moved m = {.store = s};
    Node *value = s->op[1];
    if (value->kind == LOOP_LOAD && is_next(c, value, &m.position) && is_own(c, s)) {
        if (c->nunpacked == MOST_MOVED) return false;
        m.mark = sym_fresh(c->cx->syms, MARK);
        c->unpacked[c->nunpacked++] = m;
        return true;
    }
    if (c->npacked == MOST_MOVED || uses_counter(c, value) || !is_next(c, s, &m.position))
        return false;
    m.mark = sym_fresh(c->cx->syms, MARK);
    c->packed[c->npacked++] = m;
    return true;
}

// Whether the statement has no stores or jumps out of the loop, and does not use the counter.
static bool only_computes(const Compaction *c, Node *s)
{
    switch ((Kind)s->kind) {
    case LOOP_DECL:
    case LOOP_SET: return s->attr.sym != c->counter && !uses_counter(c, s->op[s->nops - 1]);
    case LOOP_BLOCK:
    case LOOP_IF:
    case LOOP_FOR:
    case LOOP_STRIDED:
    case LOOP_FOREVER:
    case LOOP_LABEL:
    case LOOP_CHECK: break;
    case LOOP_JUMP: return loops_has_named(loops_body(c->loop), IS_LABEL, s->attr.sym);
    default: return false;
    }
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) ? !only_computes(c, s->op[i]) : uses_counter(c, s->op[i]))
            return false;
    return true;
}

static bool read_side(Compaction *c, Node *block)
{
    bool many = block->kind == LOOP_BLOCK;
    Node *const *side = many ? block->op : &block;
    int n = many ? (int)block->nops : 1;
    if (!find_counter(c, side, n)) return false;
    for (int i = 0; i + 1 < n; i++) {
        if (side[i]->kind == LOOP_STORE) {
            if (!add_store(c, side[i])) return false;
        } else if (side[i]->kind != LOOP_DECL || side[i]->attr.sym != c->snapshot) {
            if (!only_computes(c, side[i])) return false;
            vec_push(c->cx->arena, &c->inside, side[i]);
        }
    }
    return true;
}

// Reads the other side of the branch, which must be empty or a store of zero.
static bool read_other_side(Compaction *c, Node *block)
{
    if (loops_is_empty(block)) return true;
    Node *own = c->nunpacked == 1 ? c->unpacked[0].store : NULL;
    if (!own || block->kind != LOOP_STORE || block->attr.sym != own->attr.sym) return false;
    c->unpacked[0].clears = block->op[0] == own->op[0] && is_zero(block->op[1]);
    return c->unpacked[0].clears;
}

// Reads a statement before the branch. It may clear the lane's own element, since packed stores go
// only to elements that are already cleared.
static bool read_before(Compaction *c, Node *s)
{
    if (s->kind != LOOP_STORE) return only_computes(c, s);
    if (!is_at_index(c, s) || !is_zero(s->op[1])) return false;
    for (int i = 0; i < c->npacked; i++) {
        Moved *m = &c->packed[i];
        if (m->store->attr.sym != s->attr.sym || m->clears) continue;
        m->clears = true;
        return c->from_zero && m->position == nat_var(c->cx, c->counter);
    }
    return false;
}

// Whether no lane reads what another one stores, and no array has two stores.
static bool is_independent(const Compaction *c)
{
    Sym stored[2 * MOST_MOVED];
    int n = 0;
    for (int i = 0; i < c->npacked; i++) stored[n++] = c->packed[i].store->attr.sym;
    for (int i = 0; i < c->nunpacked; i++) stored[n++] = c->unpacked[i].store->attr.sym;
    for (int i = 0; i < n; i++) {
        if (loops_uses(c->cx, loops_body(c->loop), stored[i])) return false;
        for (int k = 0; k < i; k++)
            if (stored[i] == stored[k]) return false;
    }
    return true;
}

static bool is_compaction(Compaction *c)
{
    Node *body = loops_body(c->loop), *branch = body;
    int n = 0;
    if (body->kind == LOOP_BLOCK) {
        if (body->nops == 0) return false;
        n = (int)body->nops - 1;
        branch = body->op[n];
    }
    if (branch->kind != LOOP_IF) return false;
    for (int i = 0; i < n; i++)
        if (body->op[i]->kind != LOOP_STORE) vec_push(c->cx->arena, &c->before, body->op[i]);
    bool negated = loops_is_empty(branch->op[1]);
    if (!read_side(c, branch->op[negated ? 2 : 1])) return false;
    c->condition = negated ? loops_negated(c->cx, branch->op[0]) : branch->op[0];
    c->from_zero = map_get(&c->w->counters, MAP_KEY(c->loop->attr.sym)) == c->counter;
    if (uses_counter(c, branch->op[0]) || (!negated && !read_other_side(c, branch->op[2])))
        return false;
    for (int i = 0; i < n; i++)
        if (!read_before(c, body->op[i])) return false;
    return is_independent(c);
}

// --- the statements on vectors ------------------------------------------------------------------

static Node *marking(Compaction *c, Sym mark, Node *value)
{
    return loops_store(c->cx, mark, nat_var(c->cx, c->loop->attr.sym), value, NO_SPAN);
}

// The loop with packed and unpacked stores replaced with stores to marks, at the lane's own index.
static Node *marked(Compaction *c)
{
    Session *cx = c->cx;
    Stmts side = {0}, all = {0};
    Node *index = nat_var(cx, c->loop->attr.sym);
    for (int i = 0; i < c->inside.len; i++) vec_push(cx->arena, &side, c->inside.at[i]);
    for (int i = 0; i < c->npacked; i++)
        vec_push(cx->arena, &side, marking(c, c->packed[i].mark, c->packed[i].store->op[1]));
    for (int i = 0; i < c->nunpacked; i++) {
        Node *own = node_with_op(cx, c->unpacked[i].store->op[1], 0, index);
        vec_push(cx->arena, &side, marking(c, c->unpacked[i].mark, own));
    }
    c->found = sym_fresh(cx->syms, MARK);
    vec_push(cx->arena, &side, marking(c, c->found, core_bool(cx, true)));
    for (int i = 0; i < c->before.len; i++) vec_push(cx->arena, &all, c->before.at[i]);
    vec_push(cx->arena, &all,
             loops_if(cx, c->condition, loops_block(cx, side.len, side.at),
                      loops_block(cx, 0, NULL), NO_SPAN));
    return loop_over_lanes(cx, c->loop, c->lanes, loops_block(cx, all.len, all.at));
}

// Compresses or expands the vector under the mask, which is NULL for all lanes.
static Node *moved(Compaction *c, Kind kind, Node *v, Node *mask)
{
    if (!mask) return v;
    Node *ops[] = {v, mask};
    return node_make(c->cx, &(NodeSpec){.kind = kind, .type = v->type, .nops = 2, .ops = ops});
}

// The position of the first lane where the condition holds. Unless the counter is known to be 0,
// declares a local that holds its current value.
static Node *first_position(Compaction *c, const Moved *m, Stmts *out)
{
    Session *cx = c->cx;
    Node *now = nat_const(cx, 0);
    if (!c->from_zero || !c->one_vector) {
        Node *decl, *counter = loops_local(cx, c->counter, type_scalar(cx, SCALAR_I64));
        now = nat_var(cx, loops_name(cx, "next", counter, &decl, NO_SPAN)->attr.sym);
        vec_push(cx->arena, out, decl);
    }
    return loops_at(cx, m->position, c->counter, now);
}

static Node *packed(Compaction *c, const Moved *m, Node *v, Node *mask)
{
    Session *cx = c->cx;
    Sym to = m->store->attr.sym;
    Stmts out = {0};
    Node *index = nat_var(cx, c->loop->attr.sym);
    if (m->clears && c->one_vector)
        return loops_store(cx, to, index, moved(c, LOOP_COMPRESS, v, mask), NO_SPAN);
    Node *ops[] = {first_position(c, m, &out), v, mask};
    Kind kind = mask ? LOOP_STORE_PACKED : LOOP_STORE;
    vec_push(cx->arena, &out, loops_stmt(cx, kind, to, mask ? 3 : 2, ops, NO_SPAN));
    return loops_block(cx, out.len, out.at);
}

// The next `many` elements (NULL for all lanes) as a vector. The load is masked if the memory after
// them may belong to another array.
static Node *next_elements(Compaction *c, const Moved *m, Node *many, Stmts *out)
{
    Node *load = m->store->op[1], *at = first_position(c, m, out);
    Node *alloc = map_get(&c->w->arrays.stack, MAP_KEY(load->attr.sym));
    int64_t from, count;
    bool whole = !many || (alloc && nat_is_const(at, &from) && nat_is_const(alloc->op[1], &count) &&
                           from + c->s.d.lanes <= count);
    Node *ops[] = {at, whole ? NULL : vector_first_lanes(&c->s, many)};
    NodeSpec s = {.kind = whole ? LOOP_LOAD : LOOP_LOAD_WHERE,
                  .attr.sym = load->attr.sym,
                  .type = vec_type(&c->s.d, load->type),
                  .nops = whole ? 1 : 2,
                  .ops = ops};
    return node_make(c->cx, &s);
}

static Node *unpacked(Compaction *c, const Moved *m, Node *many, Node *mask)
{
    Session *cx = c->cx;
    Stmts out = {0};
    Node *v = moved(c, LOOP_EXPAND, next_elements(c, m, many, &out), mask);
    bool some = mask && !m->clears;
    Node *ops[] = {m->store->op[0], v, mask};
    Kind kind = some ? LOOP_STORE_WHERE : LOOP_STORE;
    Sym to = m->store->attr.sym;
    vec_push(cx->arena, &out, loops_stmt(cx, kind, to, some ? 3 : 2, ops, NO_SPAN));
    return loops_block(cx, out.len, out.at);
}

// Emits unpacked stores (expand), and an assignment to the counter, once the mask of the condition
// is known.
static Node *advance_counter(Compaction *c, Node *mask)
{
    Session *cx = c->cx;
    Stmts out = {0};
    Node *i64 = type_scalar(cx, SCALAR_I64), *many = NULL;
    Node *n = core_size(cx, nat_const(cx, c->s.d.lanes));
    if (mask)
        n = node_make(cx, &(NodeSpec){.kind = LOOP_COUNT, .type = i64, .nops = 1, .ops = &mask});
    if (mask && c->nunpacked) {
        Node *decl;
        many = nat_var(cx, loops_name(cx, "many", n, &decl, NO_SPAN)->attr.sym);
        vec_push(cx->arena, &out, decl);
        n = core_size(cx, many);
    }
    for (int i = 0; i < c->nunpacked; i++)
        vec_push(cx->arena, &out, unpacked(c, &c->unpacked[i], many, mask));
    if (!c->from_zero || !c->one_vector)
        n = core_prim(cx, PRIM_ADD, 2, (Node *[]){loops_local(cx, c->counter, i64), n});
    vec_push(cx->arena, &out, loops_set(cx, c->counter, n, NO_SPAN));
    return loops_block(cx, out.len, out.at);
}

static Node *replace_marks(void *env, Node *s)
{
    Compaction *c = env;
    if (!loops_is_store(s)) return loops_map(c->cx, s, replace_marks, c);
    Node *mask = s->kind == LOOP_STORE_WHERE ? s->op[2] : NULL;
    if (s->attr.sym == c->found) return advance_counter(c, mask);
    for (int i = 0; i < c->npacked; i++)
        if (s->attr.sym == c->packed[i].mark) return packed(c, &c->packed[i], s->op[1], mask);
    for (int i = 0; i < c->nunpacked; i++)
        if (s->attr.sym == c->unpacked[i].mark) return loops_block(c->cx, 0, NULL);
    return s;
}

// Whether the elements of all lanes are stored unconditionally.
static bool is_whole(Node *s, Sym array, Node *from)
{
    if (s->kind == LOOP_STORE) return s->attr.sym == array && s->op[0] == from;
    for (uint32_t i = 0; s->kind == LOOP_BLOCK && i < s->nops; i++)
        if (is_whole(s->op[i], array, from)) return true;
    return false;
}

// Emits a store of zeros to the elements of all lanes, unless a later vector store covers them.
static void clear(Compaction *c, const Moved *m, Node *from, Node *body, Stmts *out)
{
    if (!m->clears || is_whole(body, m->store->attr.sym, from)) return;
    Node *zeros = loops_zeros(c->cx, vec_type(&c->s.d, m->store->op[1]->type));
    vec_push(c->cx->arena, out, loops_store(c->cx, m->store->attr.sym, from, zeros, NO_SPAN));
}

static Node *cleared(Compaction *c, Node *body)
{
    Stmts out = {0};
    Node *index = nat_var(c->cx, c->loop->attr.sym);
    for (int i = 0; i < c->npacked; i++) clear(c, &c->packed[i], index, body, &out);
    for (int i = 0; i < c->nunpacked; i++)
        clear(c, &c->unpacked[i], c->unpacked[i].store->op[0], body, &out);
    vec_push(c->cx->arena, &out, body);
    return loops_block(c->cx, out.len, out.at);
}

static void note_moves(const Compaction *c)
{
    LoopEntry *entry = c->w->entry;
    for (int i = 0; i < c->npacked; i++) {
        Node *store = c->packed[i].store;
        note_lane_move(c->cx, entry, c->loop, store, store->attr.sym, "packed");
    }
    for (int i = 0; i < c->nunpacked; i++) {
        Node *store = c->unpacked[i].store;
        note_lane_move(c->cx, entry, c->loop, store, store->attr.sym, "contiguous");
        note_lane_move(c->cx, entry, c->loop, store, store->op[1]->attr.sym, "unpacked");
    }
}

Node *compact_loop(Vectoriser *w, Node *loop)
{
    Session *cx = w->cx;
    Compaction c = {.w = w, .cx = cx, .loop = loop};
    if (!is_loop_over_lanes(loop, &c.lanes) || !is_compaction(&c)) return loop;
    if (!vector_loop_analyse(w, marked(&c), c.lanes, &c.s)) return loop;
    note_moves(&c);
    int64_t vectors = c.lanes / c.s.d.lanes;
    c.one_vector = vectors == 1;
    Node *body = cleared(&c, replace_marks(&c, vector_loop_body(&c.s, w, NULL)));
    if (vectors <= MOST_VECTORS_UNROLLED)
        return vector_loop_unroll(cx, node_with_op(cx, loop, 2, body), c.s.d.lanes, vectors);
    return loops_loop(cx, LOOP_STRIDED, loop->attr.sym, nat_const(cx, c.s.d.lanes),
                      loops_from(loop), loops_to(loop), body, NO_SPAN);
}

static bool is_zero_counter(Node *decl)
{
    int64_t zero;
    Node *value = decl->op[1];
    return (value->kind == CORE_NAT && nat_is_const(value->op[0], &zero) && zero == 0) ||
           (is_zero(value) && is_i64(value->type));
}

void find_counters_from_zero(Node *s, Map *counters)
{
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_counters_from_zero(s->op[i], counters);
    for (uint32_t i = 1; s->kind == LOOP_BLOCK && i < s->nops; i++) {
        if (s->op[i]->kind != LOOP_FOR) continue;
        for (uint32_t k = i; k-- > 0;) {
            Node *decl = s->op[k];
            if (decl->kind != LOOP_DECL) break;
            if (is_zero_counter(decl) && loops_sets(s->op[i], decl->attr.sym))
                map_put(counters, MAP_KEY(s->op[i]->attr.sym), (void *)(uintptr_t)decl->attr.sym);
        }
    }
}
