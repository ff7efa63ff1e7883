// Interchange with loop distribution and scalar expansion (Allen & Kennedy, Optimizing Compilers
// for Modern Architectures, 5). In a loop over j that encloses loops over k, successive accesses to
// b[k][j] are a whole row apart. The loop over j is strip-mined, the locals that several parts of
// its body share are expanded to arrays, and each part gets a loop over j of its own, inside its
// loop over k if it has one:
//
//   for j { p = z(j); for k { p = f(p, a[..k], b[k][j]); c[k][j] = p } out[j] = p }
//
//   = for j in the block { p[j] = z(j) }
//     for k { for j in the block { p[j] = f(p[j], ..); c[k][j] = p[j] } }
//     for j in the block { out[j] = p[j] }
//
// Then b and c are accessed contiguously, and the innermost loop is neither a reduction nor a
// recurrence, so it can be vectorised. This is legal if no iteration of the loop over j accesses an
// element that another one stores. The order within each iteration is preserved, so results are
// bitwise identical.
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

enum {
    BLOCK = 2048, // columns per block: a few locals of each of them fit in the first-level cache
    SMALL = 1024, // columns per block if there are more than FEW_CARRIED expanded locals
    FEW_CARRIED = 4,
    MAX_CARRIED = 24,
    NARROW = 128, // minimum width of the blocks of a parallel loop
    ROWS = 4,     // iterations of an inner loop to jam together
    MAX_STEP = 100,
    FEW = 16,      // strides do not matter in inner loops of up to FEW iterations
    MAX_DEPTH = 4, // maximum number of loops around an innermost one
    MAX_WEIGHT = 1000
};

// A part of the body: an innermost loop, or statements without loops.
typedef struct {
    Node *loop;              // NULL if there is none
    Node *around[MAX_DEPTH]; // the loops of the body around it, from the outside in
    int depth;               // their number
    Stmts stmts;
    Map sets, uses; // the locals that it sets and reads
} Part;

// A local that several parts use, and the array that it is expanded to.
typedef struct {
    Node *decl;
    int part; // where it is declared
    Sym array;
} Carried;

typedef struct {
    Node *access;
    int part;
} Access;

// A loop over j.
typedef struct {
    Session *cx;
    const LoopEntry *entry;
    const Facts *facts;
    Node *loop;
    VEC(Part) parts;
    VEC(Carried) carried;
    VEC(Access) accesses;
    int part;    // the part that is visited
    Map own;     // locals of the body
    Map indices; // of its loops
    Map stored;  // buffers that the body stores to
    bool fits;
} Nest;

// --- which nests ---------------------------------------------------------------------------------

static bool is_named(const Map *names, Sym name)
{
    return map_get(names, MAP_KEY(name)) != NULL;
}

static void note(Map *names, Sym name)
{
    map_put(names, MAP_KEY(name), names);
}

// The loop without locals for elements that its body only reads: such as the mean of a column, of
// which the sum adds up distances. The inner loops load them themselves, which costs little, since
// they go along a row.
static Node *with_elements_loaded(Session *cx, Node *loop)
{
    Node *body = loops_body(loop);
    if (body->kind != LOOP_BLOCK) return loop;
    Map changed = map_new(cx->arena), stored = map_new(cx->arena), values = map_new(cx->arena);
    Stmts out = {0};
    loops_changed(body, &changed);
    loops_names(body, IS_STORE, &stored);
    for (uint32_t i = 0; i < body->nops; i++) {
        Node *s = body->op[i];
        Scalar type;
        bool loads = s->kind == LOOP_DECL && s->op[1]->kind == LOOP_LOAD &&
                     !is_named(&stored, s->op[1]->attr.sym);
        bool named = loads && type_is_scalar(s->op[0], &type) && type == SCALAR_I64; // in sizes
        if (loads && !named && !is_named(&changed, s->attr.sym))
            map_put(&values, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s->op[1]);
        else
            vec_push(cx->arena, &out, loops_replace_locals(cx, s, &values));
    }
    if (values.len == 0) return loop;
    return node_with_op(cx, loop, (int)loop->nops - 1, loops_block(cx, out.len, out.at));
}

static void add_part(Nest *n, Node *loop, const Part *around)
{
    Arena *a = n->cx->arena;
    Part p = *around;
    p.loop = loop;
    p.sets = map_new(a);
    p.uses = map_new(a);
    vec_push(a, &n->parts, p);
}

// Whether the part is directly in these loops, or in others inside them.
static bool is_inside(const Part *p, int depth, Node *innermost)
{
    return depth == 0 || (p->depth >= depth && p->around[depth - 1] == innermost);
}

// Whether statements without loops, inside these loops, continue the last part.
static bool continues(const Nest *n, const Part *around)
{
    const Part *last = n->parts.len ? &n->parts.at[n->parts.len - 1] : NULL;
    int depth = around->depth;
    return last && !last->loop && last->depth == depth &&
           is_inside(last, depth, depth ? around->around[depth - 1] : NULL);
}

// Splits a body into parts. `around` has the loops around it.
static void split_body(Nest *n, Node *body, const Part *around)
{
    bool block = body->kind == LOOP_BLOCK;
    for (uint32_t i = 0; i < (block ? body->nops : 1); i++) {
        Node *s = block ? body->op[i] : body;
        bool loop = s->kind == LOOP_FOR || s->kind == LOOP_VECTORIZE;
        if (s->kind == LOOP_FOR && around->depth < MAX_DEPTH && loops_has_loop(loops_body(s))) {
            Part inside = *around;
            inside.around[inside.depth++] = s;
            split_body(n, loops_body(s), &inside);
            continue;
        }
        if (loop || !continues(n, around)) add_part(n, loop ? s : NULL, around);
        vec_push(n->cx->arena, &n->parts.at[n->parts.len - 1].stmts, s);
    }
}

static bool is_reference(const Nest *n, Sym buffer)
{
    for (int i = 0; i < n->entry->params.len; i++)
        if (n->entry->params.at[i].name == buffer) return n->entry->params.at[i].both;
    return false;
}

// Checks that a part without its loop consists of simple statements that set only locals of the
// body.
static void visit_stmt(Nest *n, Node *s)
{
    switch (s->kind) {
    case LOOP_BLOCK:
    case LOOP_IF: break;
    case LOOP_DECL: note(&n->own, s->attr.sym); break;
    case LOOP_SET:
        n->fits &= is_named(&n->own, s->attr.sym);
        note(&n->parts.at[n->part].sets, s->attr.sym);
        break;
    case LOOP_STORE:
        n->fits &= !is_reference(n, s->attr.sym);
        note(&n->stored, s->attr.sym);
        break;
    default: n->fits = false;
    }
    for (uint32_t i = 0; i < s->nops && n->fits; i++)
        if (loops_is_stmt(s->op[i])) visit_stmt(n, s->op[i]);
}

static void note_use(Sym name, void *uses)
{
    note(uses, name);
}

static void note_access(Node *access, void *env)
{
    Nest *n = env;
    n->fits &= access->kind != LOOP_ADDRESS;
    vec_push(n->cx->arena, &n->accesses, ((Access){access, n->part}));
}

static bool varies(const Nest *n, Node *size)
{
    return nat_occurs(size, nat_var(n->cx, n->loop->attr.sym)) ||
           loops_reads_any(n->cx, size, &n->own);
}

// The loops around the statements of a part, from the inside out: loop 0, loop 1 and so on. NULL if
// there are fewer.
static Node *loop_around(const Part *p, int i)
{
    if (p->loop && i == 0) return p->loop;
    int at = p->depth - 1 - (p->loop ? i - 1 : i);
    return at < 0 ? NULL : p->around[at];
}

static void visit_part(Nest *n)
{
    Part *p = &n->parts.at[n->part];
    Map seen = map_new(n->cx->arena), accesses = map_new(n->cx->arena);
    Node *loop;
    for (int i = 0; (loop = loop_around(p, i)) && n->fits; i++) {
        n->fits = !varies(n, loops_from(loop)) && !varies(n, loops_to(loop));
        note(&n->indices, loop->attr.sym);
    }
    for (int i = 0; i < p->stmts.len && n->fits; i++) {
        Node *s = p->stmts.at[i];
        visit_stmt(n, p->loop ? loops_body(p->loop) : s);
        loops_reads(n->cx, s, &seen, note_use, &p->uses);
        loops_accesses(s, &accesses, note_access, n);
    }
}

static bool is_used(const Part *p, Sym local)
{
    return is_named(&p->sets, local) || is_named(&p->uses, local);
}

// Collects the locals that are used after the part that declares them.
static void find_carried(Nest *n)
{
    for (int i = 0; i < n->parts.len; i++) {
        const Part *p = &n->parts.at[i];
        for (int k = 0; k < p->stmts.len; k++) {
            Node *s = p->stmts.at[k];
            bool used = false;
            if (s->kind != LOOP_DECL) continue;
            for (int j = i + 1; j < n->parts.len; j++)
                used |= is_used(&n->parts.at[j], s->attr.sym);
            if (!used) continue;
            n->fits &= !loops_is_nothing(s->op[1]);
            vec_push(n->cx->arena, &n->carried, ((Carried){.decl = s, .part = i}));
        }
    }
    n->fits &= n->carried.len <= MAX_CARRIED;
}

// --- whether the iterations are independent ------------------------------------------------------

static Node *stride_in(const Nest *n, const Access *a, Node *loop)
{
    Node *stride =
        loop ? loops_stride(n->cx, a->access->op[0], loop->attr.sym) : nat_const(n->cx, 0);
    return stride && !varies(n, stride) ? stride : NULL;
}

// The position of an access in the first iteration of the loops around it, if they began at 0.
static Node *first_position(const Nest *n, const Access *a)
{
    Node *position = a->access->op[0], *loop;
    for (int i = 0; (loop = loop_around(&n->parts.at[a->part], i)); i++)
        position = loops_at(n->cx, position, loop->attr.sym, nat_const(n->cx, 0));
    return position;
}

// How far apart the elements of a column are in memory: the stride, without its sign, of some
// access in the innermost loop around it. 0 if there is none; NULL if the stride or its sign is
// unknown.
static Node *row_of(const Nest *n, Sym buffer)
{
    Node *zero = nat_const(n->cx, 0), *row = zero;
    for (int i = 0; i < n->accesses.len && row == zero; i++) {
        const Access *a = &n->accesses.at[i];
        if (a->access->attr.sym == buffer)
            row = stride_in(n, a, loop_around(&n->parts.at[a->part], 0));
    }
    if (!row || row == zero) return row;
    if (loops_reads_any(n->cx, row, &n->indices)) return NULL;
    if (nat_le(n->cx, n->facts, row, zero) == TRUTH_YES) row = nat_sub(n->cx, zero, row);
    return nat_le(n->cx, n->facts, zero, row) == TRUTH_YES ? row : NULL;
}

static bool is_multiple(const Nest *n, Node *size, Node *row)
{
    Node *zero = nat_const(n->cx, 0);
    return size == zero || (row != zero && nat_divides(n->cx, n->facts, row, size) == TRUTH_YES);
}

// Whether the access is in the column of the element at `first`, in all iterations of the loops
// around it.
static bool is_in_column(const Nest *n, const Access *a, Node *first, Node *row)
{
    Node *loop;
    if (loops_reads_any(n->cx, a->access->op[0], &n->own)) return false;
    for (int i = 0; (loop = loop_around(&n->parts.at[a->part], i)); i++) {
        Node *stride = stride_in(n, a, loop);
        if (!stride || !is_multiple(n, stride, row)) return false;
    }
    return is_multiple(n, nat_sub(n->cx, first_position(n, a), first), row);
}

// Whether each iteration accesses the buffer only in a column of its own, whose elements are `row`
// apart.
static bool is_in_own_column(const Nest *n, Sym buffer, Node *row)
{
    Node *first = NULL, *step = NULL, *zero = nat_const(n->cx, 0), *one = nat_const(n->cx, 1);
    for (int i = 0; i < n->accesses.len; i++) {
        const Access *a = &n->accesses.at[i];
        if (a->access->attr.sym != buffer) continue;
        Node *across = stride_in(n, a, n->loop);
        if (!across || (step && step != across)) return false;
        step = across;
        if (!first) first = first_position(n, a);
        if (!is_in_column(n, a, first, row)) return false;
    }
    if (!step || nat_le(n->cx, n->facts, one, step) != TRUTH_YES) return false;
    Node *count = nat_sub(n->cx, loops_to(n->loop), loops_from(n->loop));
    return row == zero || nat_le(n->cx, n->facts, nat_mul(n->cx, step, count), row) == TRUTH_YES;
}

// Whether only one part accesses the buffer, and has no loop: its iterations stay in order.
static bool is_in_one_part(const Nest *n, Sym buffer)
{
    int part = -1;
    for (int i = 0; i < n->accesses.len; i++) {
        const Access *a = &n->accesses.at[i];
        if (a->access->attr.sym != buffer) continue;
        if (loop_around(&n->parts.at[a->part], 0) || (part >= 0 && part != a->part)) return false;
        part = a->part;
    }
    return true;
}

static bool is_independent(const Nest *n)
{
    for (int i = 0; i < n->stored.len; i++) {
        Sym buffer = (Sym)(uintptr_t)n->stored.entries[i].key;
        if (is_in_one_part(n, buffer)) continue;
        Node *row = row_of(n, buffer);
        if (!row || !is_in_own_column(n, buffer, row)) return false;
    }
    return true;
}

// Whether the body is a loop without a recurrence, which the pass `tile` interchanges.
static bool is_plain(const Nest *n)
{
    if (n->parts.len > 1) return false;
    for (int i = 0; i < n->accesses.len; i++) {
        Node *access = n->accesses.at[i].access;
        if (access->kind == LOOP_LOAD && is_named(&n->stored, access->attr.sym)) return false;
    }
    return true;
}

static bool is_nest(Nest *n)
{
    n->fits = loops_weight(n->loop, MAX_WEIGHT) < MAX_WEIGHT;
    if (n->fits) split_body(n, loops_body(n->loop), &(Part){0});
    for (n->part = 0; n->part < n->parts.len && n->fits; n->part++) visit_part(n);
    if (n->fits) find_carried(n);
    return n->fits && !is_plain(n) && is_independent(n);
}

// --- whether it pays -----------------------------------------------------------------------------

static bool is_short(const Nest *n, Node *loop)
{
    int64_t steps =
        loops_trip_count(n->cx, loop->kind == LOOP_FOR ? loop : loops_sequential(n->cx, loop));
    return steps >= 0 && steps <= FEW;
}

// Whether all accesses in loops of the body are contiguous or invariant in the loop over j, and one
// of them goes down a column.
static bool pays(const Nest *n)
{
    bool down = false;
    for (int i = 0; i < n->accesses.len; i++) {
        const Access *a = &n->accesses.at[i];
        Node *loop = loop_around(&n->parts.at[a->part], 0);
        int64_t j, k;
        if (!loop) continue;
        Node *by_j = loops_stride(n->cx, a->access->op[0], n->loop->attr.sym),
             *by_k = loops_stride(n->cx, a->access->op[0], loop->attr.sym);
        if (!by_j || !nat_is_const(by_j, &j) || (j != 0 && j != 1)) return false;
        bool near = by_k && nat_is_const(by_k, &k) && k >= -8 && k <= 8;
        down |= j == 1 && !near && !is_short(n, loop);
    }
    return down;
}

static Nest nest_of(Session *cx, const LoopEntry *entry, const Facts *facts, Node *loop)
{
    return (Nest){.cx = cx,
                  .entry = entry,
                  .facts = facts,
                  .loop = with_elements_loaded(cx, loop),
                  .own = map_new(cx->arena),
                  .indices = map_new(cx->arena),
                  .stored = map_new(cx->arena)};
}

bool loops_go_down_columns(Session *cx, const LoopEntry *entry, const Facts *facts, Node *loop)
{
    if (!loops_has_loop(loops_body(loop))) return false;
    Nest n = nest_of(cx, entry, facts, loop);
    return is_nest(&n) && pays(&n);
}

// --- recurrences ---------------------------------------------------------------------------------
//
// A loop over k that stores each value of a local, such as a scan, need not expand the local: the
// row before has it.
//
//   p = z; for k from f to t { p = f(p, b[k][j]); c[k][j] = p }
//
//   = p = z; if f < t { p = f(p, b[f][j]); c[f][j] = p }
//     for k from f + 1 to t { p = c[k - 1][j]; p = f(p, b[k][j]); c[k][j] = p }

static bool is_stored_once(const Nest *n, Sym buffer)
{
    int stores = 0;
    for (int i = 0; i < n->accesses.len; i++) {
        Node *access = n->accesses.at[i].access;
        stores += access->kind == LOOP_STORE && access->attr.sym == buffer;
    }
    return stores == 1;
}

// The statement that stores the value that the local has at the end of an iteration, or NULL.
static Node *last_store(const Nest *n, Node *loop, Sym local)
{
    Node *body = loops_body(loop);
    for (uint32_t i = body->kind == LOOP_BLOCK ? body->nops : 0; i-- > 0;) {
        Node *s = body->op[i];
        if (loops_sets(s, local)) return NULL;
        if (s->kind == LOOP_STORE && s->op[1]->kind == LOOP_VAR && s->op[1]->attr.sym == local)
            return is_stored_once(n, s->attr.sym) ? s : NULL;
    }
    return NULL;
}

// Whether the local is declared before the part, and otherwise used only in it.
static bool is_for_part(const Nest *n, const Carried *c, int part)
{
    for (int i = c->part; i < n->parts.len; i++) {
        bool sets = is_named(&n->parts.at[i].sets, c->decl->attr.sym);
        if (i == part ? !sets
                      : sets || (i > c->part && is_used(&n->parts.at[i], c->decl->attr.sym)))
            return false;
    }
    return c->part < part;
}

// Appends the loop over k, without locals that the row before has.
static void append_loop(const Nest *n, int part, Stmts *out)
{
    Session *cx = n->cx;
    Node *loop = n->parts.at[part].loop, *k = nat_var(cx, loop->attr.sym), *one = nat_const(cx, 1);
    Stmts body = {0};
    for (int i = 0; i < n->carried.len && loop->kind == LOOP_FOR; i++) {
        const Carried *c = &n->carried.at[i];
        Node *store = last_store(n, loop, c->decl->attr.sym);
        if (!store || !is_for_part(n, c, part)) continue;
        Node *before = loops_at(cx, store->op[0], loop->attr.sym, nat_sub(cx, k, one));
        Node *value = loops_load(cx, store->attr.sym, c->decl->op[0], before);
        vec_push(cx->arena, &body, node_with_op(cx, c->decl, 1, value));
    }
    if (body.len == 0) {
        vec_push(cx->arena, out, loop);
        return;
    }
    Node *from = loops_from(loop), *some = loops_compare(cx, PRIM_LT, from, loops_to(loop));
    Node *first = loops_iteration(cx, loop, from), *none = loops_block(cx, 0, NULL);
    vec_push(cx->arena, out, loops_if(cx, some, first, none, NO_SPAN));
    vec_push(cx->arena, &body, loops_body(loop));
    Node *rest = loops_block(cx, body.len, body.at);
    rest = loops_for(cx, loop, nat_add(cx, from, one), loops_to(loop), rest);
    vec_push(cx->arena, out, loops_copy(cx, rest, NULL, NULL));
}

static Node *with_rows_before(const Nest *n)
{
    Stmts out = {0};
    Node *body = loops_body(n->loop);
    bool block = body->kind == LOOP_BLOCK;
    for (uint32_t i = 0; i < (block ? body->nops : 1); i++) {
        Node *s = block ? body->op[i] : body;
        int part = 0;
        while (part < n->parts.len && n->parts.at[part].loop != s) part++;
        if (part < n->parts.len)
            append_loop(n, part, &out);
        else
            vec_push(n->cx->arena, &out, s);
    }
    body = loops_block(n->cx, out.len, out.at);
    return node_with_op(n->cx, n->loop, (int)n->loop->nops - 1, body);
}

// --- the new nest --------------------------------------------------------------------------------

typedef struct {
    Session *cx;
    Simplifier *known;
    Nest *n;
    const Part *part;
    int number;          // of the part
    Node *first, *count; // the first index and the length of the block
} Rewrite;

// Loads the locals that the part uses, but does not declare, from the arrays.
static void load_carried(Rewrite *r, Stmts *out, Node *at)
{
    for (int i = 0; i < r->n->carried.len; i++) {
        const Carried *c = &r->n->carried.at[i];
        if (c->part >= r->number || !is_used(r->part, c->decl->attr.sym)) continue;
        Node *value = loops_load(r->cx, c->array, c->decl->op[0], at);
        vec_push(r->cx->arena, out, node_with_op(r->cx, c->decl, 1, value));
    }
}

static bool is_set(const Nest *n, Sym local)
{
    for (int i = 0; i < n->parts.len; i++)
        if (is_named(&n->parts.at[i].sets, local)) return true;
    return false;
}

// Stores the locals that the part declares or sets.
static void store_carried(Rewrite *r, Stmts *out, Node *at)
{
    for (int i = 0; i < r->n->carried.len; i++) {
        const Carried *c = &r->n->carried.at[i];
        Sym local = c->decl->attr.sym;
        if (c->part != r->number && !is_named(&r->part->sets, local)) continue;
        Node *value = is_set(r->n, local) ? loops_local(r->cx, local, c->decl->op[0])
                                          : loops_unchanging(r->cx, local, c->decl->op[0]);
        vec_push(r->cx->arena, out, loops_store(r->cx, c->array, at, value, NO_SPAN));
    }
}

// One of the loops `for j in the block` of the new nest, with these statements as its body. Its
// index `at` counts from 0, because p[0] is the local of the first j of the block. It is a loop
// over lanes if the loop over k was one.
static Node *over_block(Rewrite *r, Node *at, const Stmts *stmts)
{
    Session *cx = r->cx;
    Node *loop = r->n->loop, *body = loops_block(cx, stmts->len, stmts->at);
    Node *zero = nat_const(cx, 0), *inner = r->part->loop, *over;
    Span origin = loop->origin;
    body = loops_at(cx, body, loop->attr.sym, nat_add(cx, r->first, at));
    if (inner && inner->kind == LOOP_VECTORIZE)
        over = loops_loop(cx, LOOP_VECTORIZE, at->attr.sym, inner->op[0], zero, r->count, body,
                          inner->origin);
    else
        over = loops_counted(cx, at->attr.sym, zero, r->count, body, origin);
    return loops_copy(cx, over, NULL, NULL);
}

static Node *new_index(Rewrite *r)
{
    return nat_var(r->cx, sym_fresh(r->cx->syms, r->n->loop->attr.sym->text));
}

static Node *without_loop(Rewrite *r)
{
    Node *at = new_index(r);
    Stmts out = {0};
    load_carried(r, &out, at);
    for (int i = 0; i < r->part->stmts.len; i++) vec_push(r->cx->arena, &out, r->part->stmts.at[i]);
    store_carried(r, &out, at);
    return over_block(r, at, &out);
}

// Iterations k, k + 1, .. k + rows - 1 of the loop over k, for all columns of the block.
static Node *steps(void *env, Node *k, int rows)
{
    Rewrite *r = env;
    Session *cx = r->cx;
    Node *at = new_index(r);
    Stmts out = {0};
    load_carried(r, &out, at);
    for (int i = 0; i < rows; i++) {
        Node *step = loops_iteration(cx, r->part->loop, nat_add(cx, k, nat_const(cx, i)));
        vec_push(cx->arena, &out, step);
    }
    store_carried(r, &out, at);
    return over_block(r, at, &out);
}

static bool sets_carried(const Rewrite *r)
{
    for (int i = 0; i < r->n->carried.len; i++)
        if (is_named(&r->part->sets, r->n->carried.at[i].decl->attr.sym)) return true;
    return false;
}

// All iterations of the loop over k. Runs ROWS iterations at a time, so that the locals are loaded
// and stored less often, and then the remainder.
static Node *with_loop(Rewrite *r)
{
    Node *inner = r->part->loop;
    bool light = sets_carried(r) && loops_weight(loops_body(inner), MAX_STEP) < MAX_STEP;
    if (inner->kind == LOOP_VECTORIZE) inner = loops_sequential(r->cx, inner);
    inner = loops_with_total_range(r->known, inner);
    return loops_unroll_by(r->known, inner, light ? ROWS : 1, steps, r);
}

// The parts inside these loops, from the current one on.
static Node *parts_inside(Rewrite *r, int depth, Node *innermost)
{
    Session *cx = r->cx;
    const Nest *n = r->n;
    Stmts out = {0};
    while (r->number < n->parts.len && is_inside(&n->parts.at[r->number], depth, innermost)) {
        r->part = &n->parts.at[r->number];
        if (r->part->depth > depth) {
            Node *loop = loops_with_total_range(r->known, r->part->around[depth]);
            Node *body = parts_inside(r, depth + 1, r->part->around[depth]);
            vec_push(cx->arena, &out, loops_for(cx, loop, loops_from(loop), loops_to(loop), body));
            continue;
        }
        vec_push(cx->arena, &out, r->part->loop ? with_loop(r) : without_loop(r));
        r->number++;
    }
    return loops_block(cx, out.len, out.at);
}

static int64_t columns_of(const Nest *n)
{
    return n->carried.len > FEW_CARRIED ? SMALL : BLOCK;
}

static Node *one_block(void *env, Node *first, Node *count)
{
    Rewrite *r = env;
    Session *cx = r->cx;
    Nest *n = r->n;
    Stmts out = {0};
    r->first = first;
    r->count = count;
    for (int i = 0; i < n->carried.len; i++) {
        Carried *c = &n->carried.at[i];
        Node *size = nat_const(cx, columns_of(n));
        c->array = sym_fresh(cx->syms, c->decl->attr.sym->text);
        vec_push(cx->arena, &out, loops_stack(cx, c->array, c->decl->op[0], size, NO_SPAN));
    }
    r->number = 0;
    vec_push(cx->arena, &out, parts_inside(r, 0, NULL));
    return loops_block(cx, out.len, out.at);
}

// The width of the blocks of a parallel loop: one for each thread, unless it would be narrow, or
// wider than the arrays of locals.
static Node *block_width(const Nest *n, Sym helpers)
{
    Session *cx = n->cx;
    Node *all = nat_sub(cx, loops_to(n->loop), loops_from(n->loop)), *others = nat_var(cx, helpers);
    Node *width = nat_div(cx, nat_add(cx, all, others), nat_add(cx, others, nat_const(cx, 1)));
    width = nat_max(cx, width, nat_const(cx, NARROW));
    return n->carried.len ? nat_min(cx, width, nat_const(cx, columns_of(n))) : width;
}

static Node *by_rows(Simplifier *known, Nest *n, Sym helpers)
{
    Session *cx = known->cx;
    Rewrite r = {.cx = cx, .known = known, .n = n};
    Node *loop = n->loop, *decl = NULL, *width = nat_const(cx, columns_of(n));
    bool parallel = loop->kind == LOOP_PARALLEL;
    if (!parallel && n->carried.len == 0)
        return one_block(&r, loops_from(loop), nat_sub(cx, loops_to(loop), loops_from(loop)));
    if (parallel) width = loops_integer(cx, "width", block_width(n, helpers), &decl);
    Node *blocks = loops_strip_mine(cx, loop, width, one_block, &r);
    return decl ? loops_block(cx, 2, (Node *[]){decl, blocks}) : blocks;
}

// --- the pass ------------------------------------------------------------------------------------

typedef struct {
    Session *cx;
    Sym helpers;      // as in LoopEntry
    LoopEntry *entry; // gets the choices for `adze explain`
    Simplifier known;
} Interchange;

// Who fixes the order of the loop's iterations, or NULL. A schedule that chooses threads or lanes
// leaves it to the compiler which loops these divide.
static const char *fixed_by(const Interchange *r, Node *loop)
{
    if (loop->kind != LOOP_FOR && loops_is_scheduled(r->entry, loop->origin)) return NULL;
    return loops_chosen_by(r->cx, r->entry, loop);
}

// Reports the nest in `adze explain`. Returns false if the program or its schedule fixes the order
// of the loops.
static bool may_change(Interchange *r, const Nest *n)
{
    const char *by = fixed_by(r, n->loop);
    for (int i = 0; i < n->parts.len; i++)
        for (int k = 0; !by && loop_around(&n->parts.at[i], k); k++)
            by = fixed_by(r, loop_around(&n->parts.at[i], k));
    const char *why =
        by ? arena_printf(r->cx->arena, "%s fixes it, and the loops in it go down columns", by)
           : "the loops in it went down columns of memory, and now go along rows";
    loops_note_choice(r->cx, r->entry, n->loop, by ? "order of loops" : "loops swapped", why);
    return !by;
}

static bool has_lengths(Simplifier *known, const Nest *n)
{
    bool fits = simplifier_has_lengths(known, n->loop);
    for (int i = 0; i < n->parts.len; i++)
        for (int k = 0; fits && loop_around(&n->parts.at[i], k); k++)
            fits = simplifier_has_lengths(known, loop_around(&n->parts.at[i], k));
    return fits;
}

// The loop with its columns along rows, or NULL if it stays.
static Node *interchanged(void *env, Node *loop)
{
    Interchange *r = env;
    if (loop->kind != LOOP_FOR && loop->kind != LOOP_PARALLEL) return NULL;
    if (!loops_has_loop(loops_body(loop))) return NULL;
    Nest n = nest_of(r->cx, r->entry, r->known.facts, loop);
    bool suits = is_nest(&n) && has_lengths(&r->known, &n) && pays(&n);
    if (!suits || !may_change(r, &n)) return NULL;
    Nest rows = nest_of(r->cx, r->entry, r->known.facts, with_rows_before(&n));
    CHECK(r->cx, is_nest(&rows), "a nest of which rows are read is none");
    if (loop->kind == LOOP_PARALLEL && !r->helpers) r->helpers = sym_fresh(r->cx->syms, "helpers");
    return by_rows(&r->known, &rows, r->helpers);
}

static Node *interchange(void *env, Node *s)
{
    Interchange *r = env;
    s = simplifier_map(&r->known, s, interchange, r);
    Node *done = s->kind == LOOP_BLOCK
                     ? loops_turn_array(r->cx, r->entry, r->known.facts, s, interchanged, r)
                     : interchanged(r, s);
    return done ? done : s;
}

static LoopEntry *interchange_in(Interchange *r, const LoopEntry *e)
{
    LoopEntry *done = loops_with_body(r->cx, e, e->external ? NULL : e->body);
    if (e->external) return done;
    r->entry = done;
    r->known = simplifier_new(r->cx, e);
    done->body = interchange(r, e->body);
    return done;
}

LoopEntry *loops_interchange(Session *cx, const LoopEntry *e)
{
    Interchange r = {.cx = cx, .helpers = e->helpers};
    LoopEntry *done = interchange_in(&r, e);
    done->callees.len = done->callees.cap = 0;
    for (int i = 0; i < e->callees.len; i++)
        vec_push(cx->arena, &done->callees, interchange_in(&r, e->callees.at[i]));
    done->helpers = r.helpers;
    for (int i = 0; i < done->callees.len; i++) done->callees.at[i]->helpers = r.helpers;
    return done;
}
