// Register promotion: vectors in memory that a loop accesses in each iteration are kept in locals.
// A tile of a matrix product is loaded before the loop over its terms and stored after it.
//
//   c[0 ..], c[16 ..] = 0                       c0 = 0, c1 = 0
//   for p in 0 .. k                             for p in 0 .. k
//       for j in 0, 16 .. 32         becomes        c0 += a[p] * b[32*p ..]
//           c[j ..] += a[p] * b[32*p + j ..]        c1 += a[p] * b[32*p + 16 ..]
//                                               c[0 ..] = c0, c[16 ..] = c1
//
// (Carr & Kennedy, Improving the Ratio of Memory Operations to Floating-Point Operations in Loops,
// TOPLAS 1994.) The positions are invariant in the loop, and any two are equal or at least a vector
// apart. Inner loops over such positions with a constant trip count are unrolled; loops before and
// after the loop that fill or copy the tile are vectorised and unrolled. The rewritten loop is
// guarded if it may have no iterations while the memory has no value yet. Dead arrays are removed.
#include "loops/vector/vectors.h"
#include "loops/scalar/scalar.h"
#include "loops/simplify/simplify.h"

enum {
    MAX_CELLS = 64,     // maximum number of locals
    MAX_BYTES = 2048,   // size of a machine's registers: 32 of 64 bytes
    MAX_TIMES = 64,     // maximum trip count of an unrolled loop
    MAX_UNROLLED = 8000 // maximum weight of an unrolled loop
};

// A vector in memory, and the local that holds it.
typedef struct {
    Node *position, *type;
    Sym local;
    bool is_read, is_stored; // is_read means that an iteration loads it before storing it
    int given;               // index of the store before the loop that initialises it, or -1
} Cell;

typedef struct {
    Session *cx;
    Sym buffer;
    int64_t lanes;
    VEC(Cell) cells;
    bool fits;
    const Map *bound; // names that the loop binds
} Tile;

typedef struct {
    Session *cx;
    Simplifier s;
} Pass;

static bool is_access(Node *n)
{
    return n->kind == LOOP_LOAD || n->kind == LOOP_STORE;
}

static Node *accessed_type(Node *n)
{
    return n->kind == LOOP_STORE ? n->op[1]->type : n->type;
}

static bool is_vector_store(Node *s)
{
    return s->kind == LOOP_STORE && accessed_type(s)->kind == TYPE_VEC;
}

// --- unrolling ----------------------------------------------------------------------------------

// The trip count of the loop if it can be unrolled, or 0 if it cannot.
static int64_t times_to_unroll(Session *cx, Node *loop)
{
    int64_t times = loops_trip_count(cx, loop);
    if (times < 1 || times > MAX_TIMES) return 0;
    int weight = loops_weight(loops_body(loop), MAX_UNROLLED);
    return weight * times < MAX_UNROLLED ? times : 0;
}

static Walk find_access(Node *n, void *env)
{
    if (node_is_size_or_type(n)) return WALK_OVER;
    return is_access(n) && map_get(env, MAP_KEY(n->attr.sym)) ? WALK_STOP : WALK_INTO;
}

static bool accesses_any(Session *cx, const Map *buffers, Node *n)
{
    Map seen = map_new(cx->arena);
    return node_walk_once(&seen, n, find_access, (void *)(uintptr_t)buffers);
}

// Appends a statement. Flattens blocks, which is safe because names are unique, and unrolls loops
// that access one of the buffers.
static void append_unrolled(Session *cx, const Map *buffers, Stmts *out, Node *s)
{
    if (s->kind == LOOP_BLOCK) {
        for (uint32_t i = 0; i < s->nops; i++) append_unrolled(cx, buffers, out, s->op[i]);
        return;
    }
    int64_t times = accesses_any(cx, buffers, s) ? times_to_unroll(cx, s) : 0;
    for (int64_t k = 0; k < times; k++)
        append_unrolled(cx, buffers, out, loops_iteration_number(cx, s, k));
    if (times == 0) vec_push(cx->arena, out, s);
}

static bool weighs_too_much(const Stmts *stmts)
{
    int weight = 0;
    for (int i = 0; i < stmts->len && weight < MAX_UNROLLED; i++)
        weight += loops_weight(stmts->at[i], MAX_UNROLLED);
    return weight >= MAX_UNROLLED;
}

// --- the cells of a buffer ----------------------------------------------------------------------

// The cell at a position, or NULL. Clears `t->fits` if the position may overlap with another cell.
static Cell *cell_at(Tile *t, Node *position)
{
    for (int i = 0; i < t->cells.len; i++) {
        Cell *c = &t->cells.at[i];
        int64_t apart;
        if (c->position == position) return c;
        if (nat_is_const(nat_sub(t->cx, position, c->position), &apart) &&
            (apart >= t->lanes || apart <= -t->lanes))
            continue;
        t->fits = false;
    }
    return NULL;
}

static void note(Tile *t, Node *access)
{
    int64_t lanes;
    Node *type = accessed_type(access), *position = access->op[0];
    if (!type_is_vec(type, &lanes) || (t->lanes && lanes != t->lanes)) {
        t->fits = false;
        return;
    }
    t->lanes = lanes;
    if (loops_reads_any(t->cx, position, t->bound)) t->fits = false;
    Cell *cell = cell_at(t, position);
    if (t->fits && !cell) {
        int64_t bytes = lanes * scalar_info[type_lane(type)->attr.i].size;
        t->fits = t->cells.len < MAX_CELLS && (t->cells.len + 1) * bytes <= MAX_BYTES;
        Sym local = sym_fresh(t->cx->syms, t->buffer->text);
        Cell fresh = {.position = position, .type = type, .local = local, .given = -1};
        vec_push(t->cx->arena, &t->cells, fresh);
        cell = &vec_last(&t->cells);
    }
    if (!cell) return;
    cell->is_read |= access->kind == LOOP_LOAD && !cell->is_stored;
    cell->is_stored |= access->kind == LOOP_STORE;
}

// Notes every load from the buffer in an expression.
static void note_loads(Tile *t, Node *e)
{
    if (loops_names_buffer(e) && !is_access(e) && e->attr.sym == t->buffer) t->fits = false;
    if (e->kind == LOOP_LOAD && e->attr.sym == t->buffer) note(t, e);
    if (node_is_size_or_type(e)) return;
    for (uint32_t i = 0; i < e->nops && t->fits; i++) note_loads(t, e->op[i]);
}

// Finds the cells of the buffer. Returns whether all accesses to it are unconditional vector
// accesses at invariant positions.
static bool find_cells(Tile *t, const Stmts *body)
{
    t->fits = true;
    for (int i = 0; i < body->len && t->fits; i++) {
        Node *s = body->at[i];
        if (!loops_mentions(s, t->buffer)) continue;
        if (s->kind != LOOP_DECL && s->kind != LOOP_SET && s->kind != LOOP_STORE) return false;
        note_loads(t, s->op[s->nops - 1]);
        if (s->kind == LOOP_STORE && s->attr.sym == t->buffer) note(t, s);
    }
    return t->fits && t->cells.len > 0;
}

// --- locals instead of memory -------------------------------------------------------------------

static Node *local_of(const Tile *t, const Cell *c)
{
    return loops_local(t->cx, c->local, c->type);
}

static Node *declared(const Tile *t, const Cell *c, Node *value)
{
    return loops_decl(t->cx, c->local, c->type, value, NO_SPAN);
}

// The initial value of the cell's local: its value in memory if `load`, and zeros otherwise. C
// compilers would warn about an uninitialised local, even if the loop sets it first.
static Node *initial_value(const Tile *t, const Cell *c, bool load)
{
    return load ? loops_load(t->cx, t->buffer, c->type, c->position) : loops_zeros(t->cx, c->type);
}

static Node *from_locals(Session *cx, Node *n, int depth, void *env)
{
    Tile *t = env;
    if (n->nops == 0 || node_is_size_or_type(n)) return n;
    if (loops_is_stmt(n) && !loops_mentions(n, t->buffer)) return n;
    Node *done = node_map(cx, n, depth, from_locals, env);
    if (!is_access(n) || n->attr.sym != t->buffer) return done;
    const Cell *c = cell_at(t, n->op[0]);
    if (!c || c->type != accessed_type(n)) return done;
    if (n->kind == LOOP_LOAD) return local_of(t, c);
    return loops_set(t->cx, c->local, done->op[1], NO_SPAN);
}

// --- before and after the loop ------------------------------------------------------------------

// Whether a loop stores contiguous elements whose values do not depend on the same buffer.
static bool is_elementwise(Session *cx, Node *loop)
{
    Node *s = loops_body(loop);
    return loop->kind == LOOP_FOR && s->kind == LOOP_STORE && s->op[1]->type->kind != TYPE_VEC &&
           !loops_mentions(s->op[1], s->attr.sym) &&
           loops_stride(cx, s->op[0], loop->attr.sym) == nat_const(cx, 1);
}

// Vectorises loops that fill or copy elements one by one.
static Node *widened(Session *cx, Node *s, int64_t lanes)
{
    if (s->kind == LOOP_BLOCK || loops_is_counted(s)) {
        Stmts ops = {0};
        for (uint32_t i = 0; i < s->nops; i++)
            vec_push(cx->arena, &ops,
                     loops_is_stmt(s->op[i]) ? widened(cx, s->op[i], lanes) : s->op[i]);
        s = node_with_ops(cx, s, ops.at);
    }
    if (s->kind != LOOP_FOR || !is_elementwise(cx, s)) return s;
    int64_t times = loops_trip_count(cx, s);
    if (times < 0 || times % lanes) return s;
    Node *body = loops_vector_body(cx, s, lanes);
    if (!body) return s;
    return loops_loop(cx, LOOP_STRIDED, s->attr.sym, nat_const(cx, lanes), loops_from(s),
                      loops_to(s), body, s->origin);
}

static Map only(Session *cx, Sym name)
{
    Map m = map_new(cx->arena);
    map_put(&m, MAP_KEY(name), cx);
    return m;
}

static bool is_at_cells(const Tile *t, Node *n)
{
    if (node_is_size_or_type(n)) return true;
    if (loops_names_buffer(n) && n->attr.sym == t->buffer) {
        bool found = false;
        if (!is_access(n)) return false;
        for (int i = 0; i < t->cells.len; i++) found |= t->cells.at[i].position == n->op[0];
        if (!found) return false;
    }
    for (uint32_t i = 0; i < n->nops; i++)
        if (!is_at_cells(t, n->op[i])) return false;
    return true;
}

// Appends the statement. A loop that stores to cells is appended as a sequence of vector stores.
static void spread(const Tile *t, Stmts *out, Node *s)
{
    Session *cx = t->cx;
    Stmts written = {0};
    bool vectors = loops_is_counted(s) && loops_mentions(s, t->buffer);
    if (vectors) {
        Map buffer = only(cx, t->buffer);
        append_unrolled(cx, &buffer, &written, widened(cx, s, t->lanes));
    }
    vectors = vectors && written.len <= 2 * MAX_CELLS && !weighs_too_much(&written);
    for (int i = 0; i < written.len && vectors; i++)
        vectors = is_vector_store(written.at[i]) && is_at_cells(t, written.at[i]);
    if (!vectors) vec_push(cx->arena, out, s);
    for (int i = 0; i < written.len && vectors; i++) vec_push(cx->arena, out, written.at[i]);
}

// Finds the stores before the loop that initialise cells, with no other access in between. Returns
// whether there is one for each cell.
static bool all_given(Tile *t, const Stmts *before)
{
    int left = t->cells.len;
    for (int i = before->len; i-- > 0 && left > 0;) {
        Node *s = before->at[i];
        if (!loops_is_regular(s) || (s->kind == LOOP_ALLOC && s->attr.sym == t->buffer)) break;
        if (!loops_mentions(s, t->buffer)) continue;
        if (!is_vector_store(s) || s->attr.sym != t->buffer || loops_mentions(s->op[1], t->buffer))
            break;
        Cell *c = cell_at(t, s->op[0]);
        if (!t->fits || (c && c->type != accessed_type(s))) break;
        if (!c || c->given >= 0) continue;
        c->given = i;
        left--;
    }
    t->fits = true;
    return left == 0;
}

static void declare_before(Tile *t, Stmts *before)
{
    for (int i = 0; i < t->cells.len; i++) {
        const Cell *c = &t->cells.at[i];
        before->at[c->given] = declared(t, c, before->at[c->given]->op[1]);
    }
}

static bool loads_cell(const Tile *t, const Cell *c, Node *n)
{
    if (node_is_size_or_type(n)) return false;
    if (n->kind == LOOP_LOAD && n->attr.sym == t->buffer && n->op[0] == c->position &&
        n->type == c->type)
        return true;
    if (n->kind == LOOP_SELECT) return loads_cell(t, c, n->op[0]);
    for (uint32_t i = 0; i < n->nops; i++)
        if (loads_cell(t, c, n->op[i])) return true;
    return false;
}

// Whether the statement loads the cell unconditionally.
static bool needs_cell(const Tile *t, const Cell *c, Node *s)
{
    bool plain = s->kind == LOOP_DECL || s->kind == LOOP_SET || s->kind == LOOP_STORE;
    return plain && loads_cell(t, c, s->op[s->nops - 1]);
}

// Whether a statement that does not load the cell preserves its value.
static bool leaves_cell(const Tile *t, const Cell *c, Node *s)
{
    if (!loops_mentions(s, t->buffer)) return true;
    return s->kind == LOOP_STORE && is_at_cells(t, s) && s->op[0] != c->position;
}

// Whether the statements after the loop load every cell, so that all cells have values even if the
// loop has no iterations.
static bool all_needed(const Tile *t, Node *const *stmts, uint32_t n)
{
    for (int k = 0; k < t->cells.len; k++) {
        const Cell *c = &t->cells.at[k];
        bool found = false;
        for (uint32_t i = 0; i < n && !found && loops_is_regular(stmts[i]); i++) {
            found = needs_cell(t, c, stmts[i]);
            if (!found && !leaves_cell(t, c, stmts[i])) break;
        }
        if (!found) return false;
    }
    return true;
}

// Appends the statements after the loop, with loads up to the next store replaced with the locals.
static void read_locals(Tile *t, Node *const *stmts, uint32_t n, Stmts *out)
{
    bool same = true;
    for (uint32_t i = 0; i < n; i++) {
        int first = out->len;
        spread(t, out, stmts[i]);
        for (int k = first; k < out->len; k++) {
            Node *s = out->at[k];
            bool reads = s->kind == LOOP_DECL || s->kind == LOOP_SET ||
                         (s->kind == LOOP_STORE && s->attr.sym != t->buffer);
            same = same && (reads || !loops_mentions(s, t->buffer));
            if (same && reads) out->at[k] = from_locals(t->cx, s, 0, t);
        }
    }
}

// --- loops --------------------------------------------------------------------------------------

// Appends the loop, rewritten to use the locals, with loads before it and stores after it. `given`
// is true if the statements before the loop declare the locals. `there` is true if all cells have
// values in memory even if the loop has no iterations.
static void on_locals(Pass *w, Tile *t, Stmts *out, Node *loop, const Stmts *body, bool given,
                      bool there)
{
    Session *cx = w->cx;
    Arena *a = cx->arena;
    Stmts inside = {0}, all = {0};
    bool runs = nat_lt(cx, w->s.facts, loops_from(loop), loops_to(loop)) == TRUTH_YES;
    for (int i = 0; i < t->cells.len && !given; i++) {
        const Cell *c = &t->cells.at[i];
        // if there are no iterations, the value is stored back unchanged
        bool load = c->is_read || (there && !runs);
        vec_push(a, &all, declared(t, c, initial_value(t, c, load)));
    }
    for (int i = 0; i < body->len; i++) vec_push(a, &inside, from_locals(cx, body->at[i], 0, t));
    Node *inner = loops_block(cx, inside.len, inside.at);
    vec_push(a, &all, loops_for(cx, loop, loops_from(loop), loops_to(loop), inner));
    for (int i = 0; i < t->cells.len; i++) {
        const Cell *c = &t->cells.at[i];
        if (c->is_stored || given)
            vec_push(a, &all, loops_store(cx, t->buffer, c->position, local_of(t, c), NO_SPAN));
    }
    if (given || there || runs) {
        for (int i = 0; i < all.len; i++) vec_push(a, out, all.at[i]);
        return;
    }
    NodeSpec block = {.kind = LOOP_BLOCK, .nops = all.len, .ops = all.at};
    vec_push(a, out,
             loops_if(cx, loops_compare(cx, PRIM_LT, loops_from(loop), loops_to(loop)),
                      node_make(cx, &block), loops_block(cx, 0, NULL), NO_SPAN));
}

// Finds a buffer that the loop can keep in locals. Returns false if there is none.
static bool find_tile(Session *cx, Node *loop, Tile *t, Stmts *body)
{
    Map buffers = map_new(cx->arena), bound = map_new(cx->arena);
    bool plain = loop->kind == LOOP_FOR || loop->kind == LOOP_STRIDED;
    if (!plain || !loops_is_regular(loops_body(loop))) return false;
    Stmts stores = loops_all(cx, loops_body(loop), IS_STORE);
    for (int i = 0; i < stores.len; i++)
        if (is_vector_store(stores.at[i])) map_put(&buffers, MAP_KEY(stores.at[i]->attr.sym), t);
    if (buffers.len == 0) return false;
    append_unrolled(cx, &buffers, body, loops_body(loop));
    if (weighs_too_much(body)) return false;
    map_put(&bound, MAP_KEY(loop->attr.sym), &bound);
    for (int i = 0; i < body->len; i++) loops_bound(body->at[i], &bound);
    for (int i = 0; i < body->len; i++) {
        if (!is_vector_store(body->at[i])) continue;
        *t = (Tile){.cx = cx, .buffer = body->at[i]->attr.sym, .bound = &bound};
        if (map_get(&bound, MAP_KEY(t->buffer)) || !find_cells(t, body)) continue;
        t->bound = NULL;
        return true;
    }
    return false;
}

// Returns the block with its loop at index `at` rewritten to use locals, or NULL if that is
// impossible.
static Node *with_tile(Pass *w, Node *block, uint32_t at)
{
    Session *cx = w->cx;
    Tile t;
    Stmts body = {0}, out = {0};
    Node *loop = block->op[at];
    if (!find_tile(cx, loop, &t, &body)) return NULL;
    for (uint32_t i = 0; i < at; i++) spread(&t, &out, block->op[i]);
    bool given = all_given(&t, &out);
    if (given) declare_before(&t, &out);
    bool there = all_needed(&t, block->op + at + 1, block->nops - at - 1);
    on_locals(w, &t, &out, loop, &body, given, there);
    if (vec_last(&out)->kind == LOOP_IF) {
        for (uint32_t i = at + 1; i < block->nops; i++) vec_push(cx->arena, &out, block->op[i]);
    } else {
        read_locals(&t, block->op + at + 1, block->nops - at - 1, &out);
    }
    return node_make(cx, &(NodeSpec){.kind = LOOP_BLOCK, .nops = out.len, .ops = out.at});
}

// Rewrites each loop that is itself the body of a statement, with no block around it.
static Node *in_bodies(Pass *w, Node *s)
{
    for (uint32_t i = 0; i < s->nops; i++) {
        if (!loops_is_counted(s->op[i])) continue;
        NodeSpec one = {.kind = LOOP_BLOCK, .nops = 1, .ops = &s->op[i]};
        Node *done = with_tile(w, node_make(w->cx, &one), 0);
        if (done) s = node_with_op(w->cx, s, (int)i, done);
    }
    return s;
}

static Node *registers(void *env, Node *s)
{
    Pass *w = env;
    s = simplifier_map(&w->s, s, registers, w);
    if (s->kind != LOOP_BLOCK) return in_bodies(w, s);
    for (uint32_t i = 0; i < s->nops; i++) {
        Node *done; // has the loop at this index again, or after it, for another buffer
        while (loops_is_counted(s->op[i]) && (done = with_tile(w, s, i))) s = done;
    }
    return s;
}

static LoopEntry *registers_entry(Session *cx, const LoopEntry *e)
{
    Pass w = {cx, simplifier_new(cx, e)};
    Node *body = registers(&w, e->body);
    NodeSpec one = {.kind = LOOP_BLOCK, .nops = 1, .ops = &body};
    if (loops_is_counted(body)) body = registers(&w, node_make(cx, &one));
    return loops_with_body(cx, e, loops_dce(cx, loops_promote_vector_arrays(cx, body)));
}

LoopEntry *loops_promote_registers(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, registers_entry);
}
