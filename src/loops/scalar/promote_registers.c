// Vectors of memory that a loop goes over again in each round are kept in locals, that is in registers: a tile of a product of matrices
// is read before the loop over its terms and written behind it.
//
//   c[0 ..], c[16 ..] = 0                       c0 = 0, c1 = 0
//   for p in 0 .. k                             for p in 0 .. k
//       for j in 0, 16 .. 32         becomes        c0 += a[p] * b[32*p ..]
//           c[j ..] += a[p] * b[32*p + j ..]        c1 += a[p] * b[32*p + 16 ..]
//                                               c[0 ..] = c0, c[16 ..] = c1
//
// (Register promotion: Carr & Kennedy, Improving the Ratio of Memory Operations to Floating-Point Operations in Loops, TOPLAS 1994.)
// The places do not change in the loop, and any two are the same or apart by at least a vector. Loops inside that go over such places for a
// known number of rounds are written out, so are those before and behind that fill or copy them, on vectors of the same length. Where the
// loop may have no round, and the places no value yet, this is done when there is a round. An array that nobody reads then goes.
#include "loops/vector/vectors.h"
#include "loops/scalar/scalar.h"
#include "loops/simplify/simplify.h"

enum {
    MAX_CELLS = 64,
    MAX_BYTES = 2048, // of the registers of a machine: 32 of 64 bytes
    MAX_ROUNDS = 64,
    MAX_WRITTEN = 8000
}; // locals; of a loop that is written out, and its weight

// A place of so many lanes, and the local that stands for it.
typedef struct {
    Node *position, *type;
    Sym local;
    bool is_read, is_stored; // is_read: before it is stored in a round
    int given;               // number of the statement before the loop that stores it, -1: none
} Cell;

typedef struct {
    Session *cx;
    Sym buffer;
    int64_t lanes;
    VEC(Cell) cells;
    bool fits;
    const Map *bound; // names of the loop
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

// --- loops that are written out -----------------------------------------------------------------

// The rounds of a loop that can be written out, 0: none such.
static int64_t rounds_of(Session *cx, Node *loop)
{
    int64_t rounds = loops_trip_count(cx, loop);
    if (rounds < 1 || rounds > MAX_ROUNDS) return 0;
    int weight = loops_weight(loops_body(loop), MAX_WRITTEN);
    return weight * rounds < MAX_WRITTEN ? rounds : 0;
}

static Node *round_of(Session *cx, Node *loop, int64_t k)
{
    int64_t step = 1;
    if (loop->kind == LOOP_STRIDED) (void)nat_is_const(loop->op[0], &step);
    return loops_iteration(cx, loop, nat_add(cx, loops_from(loop), nat_const(cx, k * step)));
}

typedef struct {
    Session *cx;
    const Map *buffers; // loops over these are written out
    Map seen;
    bool found;
} Wanted;

static void find_wanted(Wanted *w, Node *n)
{
    if (n->nops == 0 || kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return;
    if (is_access(n)) w->found |= map_get(w->buffers, MAP_KEY(n->attr.sym)) != NULL;
    if (map_get(&w->seen, MAP_KEY(n))) return;
    map_put(&w->seen, MAP_KEY(n), w);
    for (uint32_t i = 0; i < n->nops && !w->found; i++) find_wanted(w, n->op[i]);
}

static bool mentions_any(Session *cx, const Map *buffers, Node *n)
{
    Wanted w = {.cx = cx, .buffers = buffers, .seen = map_new(cx->arena)};
    find_wanted(&w, n);
    return w.found;
}

// The statements of blocks and of such loops, in a row. Names are unique, so that blocks lose their braces.
static void write_out(Session *cx, const Map *buffers, Stmts *out, Node *s)
{
    if (s->kind == LOOP_BLOCK) {
        for (uint32_t i = 0; i < s->nops; i++) write_out(cx, buffers, out, s->op[i]);
        return;
    }
    int64_t rounds = mentions_any(cx, buffers, s) ? rounds_of(cx, s) : 0;
    for (int64_t k = 0; k < rounds; k++) write_out(cx, buffers, out, round_of(cx, s, k));
    if (rounds == 0) vec_push(cx->arena, out, s);
}

static bool weighs_too_much(const Stmts *stmts)
{
    int weight = 0;
    for (int i = 0; i < stmts->len && weight < MAX_WRITTEN; i++)
        weight += loops_weight(stmts->at[i], MAX_WRITTEN);
    return weight >= MAX_WRITTEN;
}

// --- the places of a buffer ---------------------------------------------------------------------

// The cell at a position, NULL when it is apart from all; `t->fits` no more when it overlaps with one.
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

// Notes the loads of an expression in the buffer.
static void note_loads(Tile *t, Node *e)
{
    if (loops_names_buffer(e) && !is_access(e) && e->attr.sym == t->buffer) t->fits = false;
    if (e->kind == LOOP_LOAD && e->attr.sym == t->buffer) note(t, e);
    if (kind_info[e->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return;
    for (uint32_t i = 0; i < e->nops && t->fits; i++) note_loads(t, e->op[i]);
}

// Whether the statements go over the buffer in vectors, always at the same places, each of them in every round.
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

// --- locals in the place of memory --------------------------------------------------------------

static Node *local_of(const Tile *t, const Cell *c)
{
    return node_make(t->cx, &(NodeSpec){.kind = LOOP_VAR, .attr.sym = c->local, .type = c->type});
}

static Node *statement(const Tile *t, Kind kind, Sym name, int n, Node *const *ops)
{
    return node_make(t->cx, &(NodeSpec){.kind = kind, .attr.sym = name, .nops = n, .ops = ops});
}

static Node *declared(const Tile *t, const Cell *c, Node *value)
{
    return statement(t, LOOP_DECL, c->local, 2, (Node *[]){c->type, value});
}

static Node *load_of(const Tile *t, Cell *c)
{
    return node_make(t->cx, &(NodeSpec){.kind = LOOP_LOAD,
                                        .attr.sym = t->buffer,
                                        .type = c->type,
                                        .nops = 1,
                                        .ops = &c->position});
}

// What C sees of a local before the loop sets it.
static Node *zero_of(const Tile *t, const Cell *c)
{
    Node *zero = node_make(t->cx, &(NodeSpec){.kind = CORE_LIT, .type = type_lane(c->type)});
    return node_make(t->cx,
                     &(NodeSpec){.kind = LOOP_SPLAT, .type = c->type, .nops = 1, .ops = &zero});
}

static Node *from_locals(Session *cx, Node *n, int depth, void *env)
{
    Tile *t = env;
    if (n->nops == 0 || kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return n;
    if (loops_is_stmt(n) && !loops_mentions(n, t->buffer)) return n;
    Node *done = node_map(cx, n, depth, from_locals, env);
    if (!is_access(n) || n->attr.sym != t->buffer) return done;
    const Cell *c = cell_at(t, n->op[0]);
    if (!c || c->type != accessed_type(n)) return done;
    if (n->kind == LOOP_LOAD) return local_of(t, c);
    return statement(t, LOOP_SET, c->local, 1, &done->op[1]);
}

// --- before and behind the loop -----------------------------------------------------------------

// Whether the rounds of a loop can go side by side: stores of values that are read elsewhere, or at the same position.
static bool is_elementwise(Session *cx, Node *loop)
{
    Node *s = loops_body(loop);
    return loop->kind == LOOP_FOR && s->kind == LOOP_STORE && s->op[1]->type->kind != TYPE_VEC &&
           !loops_mentions(s->op[1], s->attr.sym) &&
           loops_stride(cx, s->op[0], loop->attr.sym) == nat_const(cx, 1);
}

// A loop that fills or copies elements one by one goes over so many at a time.
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
    int64_t rounds = loops_trip_count(cx, s);
    if (rounds < 0 || rounds % lanes) return s;
    Node *body = loops_vector_body(cx, s, lanes);
    Node *ops[] = {nat_const(cx, lanes), loops_from(s), loops_to(s), body};
    if (!body) return s;
    return node_make(cx, &(NodeSpec){.kind = LOOP_STRIDED,
                                     .attr.sym = s->attr.sym,
                                     .nops = 4,
                                     .ops = ops,
                                     .origin = s->origin});
}

static Map only(Session *cx, Sym name)
{
    Map m = map_new(cx->arena);
    map_put(&m, MAP_KEY(name), cx);
    return m;
}

static bool is_at_cells(const Tile *t, Node *n)
{
    if (kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return true;
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

// The statement as stores of vectors that fill or copy cells, where it is no more than these; else as it is.
static void spread(const Tile *t, Stmts *out, Node *s)
{
    Session *cx = t->cx;
    Map buffer = only(cx, t->buffer);
    Stmts written = {0};
    bool vectors = loops_mentions(s, t->buffer) && loops_is_counted(s);
    if (vectors) write_out(cx, &buffer, &written, widened(cx, s, t->lanes));
    vectors = vectors && written.len <= 2 * MAX_CELLS && !weighs_too_much(&written);
    for (int i = 0; i < written.len && vectors; i++)
        vectors = is_vector_store(written.at[i]) && is_at_cells(t, written.at[i]);
    if (!vectors) vec_push(cx->arena, out, s);
    for (int i = 0; i < written.len && vectors; i++) vec_push(cx->arena, out, written.at[i]);
}

// Finds the stores before the loop that give cells their values, with nothing in between that sees the memory; whether all have one.
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

static void give(Tile *t, Stmts *before)
{
    for (int i = 0; i < t->cells.len; i++) {
        const Cell *c = &t->cells.at[i];
        before->at[c->given] = declared(t, c, before->at[c->given]->op[1]);
    }
}

static bool loads_cell(const Tile *t, const Cell *c, Node *n)
{
    if (kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return false;
    if (n->kind == LOOP_LOAD && n->attr.sym == t->buffer && n->op[0] == c->position &&
        n->type == c->type)
        return true;
    if (n->kind == LOOP_SELECT) return loads_cell(t, c, n->op[0]);
    for (uint32_t i = 0; i < n->nops; i++)
        if (loads_cell(t, c, n->op[i])) return true;
    return false;
}

// Whether the statement, which control comes to in any case, loads the cell.
static bool needs_cell(const Tile *t, const Cell *c, Node *s)
{
    bool plain = s->kind == LOOP_DECL || s->kind == LOOP_SET || s->kind == LOOP_STORE;
    return plain && loads_cell(t, c, s->op[s->nops - 1]);
}

// Whether a statement that does not load the cell leaves what is in it.
static bool leaves_cell(const Tile *t, const Cell *c, Node *s)
{
    if (!loops_mentions(s, t->buffer)) return true;
    return s->kind == LOOP_STORE && is_at_cells(t, s) && s->op[0] != c->position;
}

// Whether all places have values also when the loop has no round: the statements behind it load them.
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

// Behind the loop the locals still hold what memory does, until that is stored to again.
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

static Node *condition_of(Session *cx, Node *loop)
{
    return core_prim(cx, PRIM_LT, 2,
                     (Node *[]){core_size(cx, loops_from(loop)), core_size(cx, loops_to(loop))});
}

// The loop on locals, with what is read before and written behind it. `given`: the statements before it declare the locals; `there`: all
// places have values.
static void on_locals(Pass *w, Tile *t, Stmts *out, Node *loop, const Stmts *body, bool given,
                      bool there)
{
    Session *cx = w->cx;
    Arena *a = cx->arena;
    Stmts inside = {0}, all = {0};
    bool runs = nat_lt(cx, w->s.facts, loops_from(loop), loops_to(loop)) == TRUTH_YES;
    for (int i = 0; i < t->cells.len && !given; i++) {
        Cell *c = &t->cells.at[i];
        bool load =
            c->is_read || (there && !runs); // without a round they are stored again as they are
        vec_push(a, &all, declared(t, c, load ? load_of(t, c) : zero_of(t, c)));
    }
    for (int i = 0; i < body->len; i++) vec_push(a, &inside, from_locals(cx, body->at[i], 0, t));
    Node *rounds = loops_block(cx, inside.len, inside.at);
    vec_push(a, &all, loops_for(cx, loop, loops_from(loop), loops_to(loop), rounds));
    for (int i = 0; i < t->cells.len; i++) {
        const Cell *c = &t->cells.at[i];
        if (c->is_stored || given)
            vec_push(
                a, &all,
                statement(t, LOOP_STORE, t->buffer, 2, (Node *[]){c->position, local_of(t, c)}));
    }
    if (given || there || runs) {
        for (int i = 0; i < all.len; i++) vec_push(a, out, all.at[i]);
        return;
    }
    NodeSpec block = {.kind = LOOP_BLOCK, .nops = all.len, .ops = all.at};
    Node *ops[] = {condition_of(cx, loop), node_make(cx, &block), loops_block(cx, 0, NULL)};
    vec_push(a, out, node_make(cx, &(NodeSpec){.kind = LOOP_IF, .nops = 3, .ops = ops}));
}

static void find_buffers(Node *s, Map *buffers)
{
    if (is_vector_store(s)) map_put(buffers, MAP_KEY(s->attr.sym), buffers);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_buffers(s->op[i], buffers);
}

// A buffer that the loop can do in locals; false when there is none.
static bool find_tile(Session *cx, Node *loop, Tile *t, Stmts *body)
{
    Map buffers = map_new(cx->arena), bound = map_new(cx->arena);
    bool plain = loop->kind == LOOP_FOR || loop->kind == LOOP_STRIDED;
    if (!plain || !loops_is_regular(loops_body(loop))) return false;
    find_buffers(loops_body(loop), &buffers);
    if (buffers.len == 0) return false;
    write_out(cx, &buffers, body, loops_body(loop));
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

// A block with its loop number `at` on locals; NULL when that has no tile.
static Node *with_tile(Pass *w, Node *block, uint32_t at)
{
    Session *cx = w->cx;
    Tile t;
    Stmts body = {0}, out = {0};
    Node *loop = block->op[at];
    if (!find_tile(cx, loop, &t, &body)) return NULL;
    for (uint32_t i = 0; i < at; i++) spread(&t, &out, block->op[i]);
    bool given = all_given(&t, &out);
    if (given) give(&t, &out);
    bool there = all_needed(&t, block->op + at + 1, block->nops - at - 1);
    on_locals(w, &t, &out, loop, &body, given, there);
    if (vec_last(&out)->kind == LOOP_IF) {
        for (uint32_t i = at + 1; i < block->nops; i++) vec_push(cx->arena, &out, block->op[i]);
    } else {
        read_locals(&t, block->op + at + 1, block->nops - at - 1, &out);
    }
    return node_make(cx, &(NodeSpec){.kind = LOOP_BLOCK, .nops = out.len, .ops = out.at});
}

// A statement that is no block, with loops that are its own bodies in blocks.
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
        Node *done = loops_is_counted(s->op[i]) ? with_tile(w, s, i) : NULL;
        if (done) s = done; // the loop comes again, without this buffer
    }
    return s;
}

static LoopEntry *registers_entry(Session *cx, const LoopEntry *e)
{
    Pass w = {cx, simplifier_new(cx, e)};
    Node *body = registers(&w, e->body);
    NodeSpec one = {.kind = LOOP_BLOCK, .nops = 1, .ops = &body};
    if (loops_is_counted(body)) body = registers(&w, node_make(cx, &one));
    return loops_with_body(cx, e, loops_sweep(cx, loops_promote_vector_arrays(cx, body)));
}

LoopEntry *loops_promote_registers(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, registers_entry);
}
