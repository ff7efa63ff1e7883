// Interchange with scalar expansion (Allen & Kennedy, Optimizing Compilers for Modern
// Architectures, 5). In a loop over j that encloses sums over k, successive loads of b[k][j] are a
// whole row apart. The loop over j is strip-mined, the sums of a block are expanded to an array,
// and the loops are interchanged:
//
//   for j { p = z(j); for k { p = f(p, a[..k], b[k][j]) } out[j] = p }
//
//   = for j in the block { p[j] = z(j) }  for k { for j in the block { p[j] = f(p[j], ..) } }
//     for j in the block { out[j] = p[j] }
//
// Then b is accessed contiguously, and the innermost loop is not a reduction, so it can be
// vectorised. The order within each sum is preserved, so results are bitwise identical.
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

enum {
    BLOCK = 2048, // sums per block, which fit in the first-level cache
    ROWS = 4,     // iterations of the inner loop to jam together
    MAX_STEP = 100,
    FEW = 16,     // strides do not matter in inner loops of up to FEW iterations
    MAX_SUMS = 4, // maximum number of sums in one loop
    MAX_WEIGHT = 400
};

// A loop over j whose body consists of a declaration for each sum, a loop over k, and statements
// that use the sums.
typedef struct {
    Session *cx;
    Simplifier *known;
    const LoopEntry *entry;
    Node *loop, *inner;
    Stmts sums, rest;
    Map own;     // locals of the body
    Map written; // buffers that `rest` stores to
    Map places;  // positions of the stores
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
// which the sum adds up distances. The inner loop loads them itself, which costs little, since it
// goes along a row.
static Node *with_elements_loaded(Session *cx, Node *loop)
{
    Node *body = loops_body(loop);
    if (body->kind != LOOP_BLOCK) return loop;
    Map changed = map_new(cx->arena), values = map_new(cx->arena);
    Stmts out = {0};
    loops_changed(body, &changed);
    for (uint32_t i = 0; i < body->nops; i++) {
        Node *s = body->op[i];
        Scalar type;
        bool loads = s->kind == LOOP_DECL && s->op[1]->kind == LOOP_LOAD;
        bool named = loads && type_is_scalar(s->op[0], &type) && type == SCALAR_I64; // in sizes
        if (loads && !named && !map_get(&changed, MAP_KEY(s->attr.sym)))
            map_put(&values, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s->op[1]);
        else
            vec_push(cx->arena, &out, loops_replace_locals(cx, s, &values));
    }
    if (values.len == 0) return loop;
    return node_with_op(cx, loop, 2, loops_block(cx, out.len, out.at));
}

// Splits the body into the sums, the inner loop and the rest. Returns false if it has any other
// form.
static bool split_body(Nest *n)
{
    Node *body = n->loop->op[2];
    uint32_t i = 0;
    if (body->kind != LOOP_BLOCK) return false;
    for (; i < body->nops && body->op[i]->kind == LOOP_DECL; i++) {
        if (loops_is_nothing(body->op[i]->op[1])) return false;
        vec_push(n->cx->arena, &n->sums, body->op[i]);
        note(&n->own, body->op[i]->attr.sym);
    }
    if (i == body->nops || body->op[i]->kind != LOOP_FOR) return false;
    n->inner = body->op[i++];
    for (; i < body->nops; i++) vec_push(n->cx->arena, &n->rest, body->op[i]);
    return n->sums.len > 0 && n->sums.len <= MAX_SUMS && n->rest.len > 0;
}

static bool is_reference(const Nest *n, Sym buffer)
{
    for (int i = 0; i < n->entry->params.len; i++)
        if (n->entry->params.at[i].name == buffer) return n->entry->params.at[i].both;
    return false;
}

// Checks that only locals of the body are set, and that only `rest` stores to buffers.
static void visit_stmt(Nest *n, Node *s, bool inner)
{
    switch (s->kind) {
    case LOOP_BLOCK:
    case LOOP_IF: break;
    case LOOP_DECL: note(&n->own, s->attr.sym); break;
    case LOOP_SET: n->fits &= is_named(&n->own, s->attr.sym); break;
    case LOOP_STORE:
        n->fits &= !inner && !is_reference(n, s->attr.sym);
        note(&n->written, s->attr.sym);
        map_put(&n->places, MAP_KEY(s->op[0]), n);
        break;
    default: n->fits = false;
    }
    for (uint32_t i = 0; i < s->nops && n->fits; i++)
        if (loops_is_stmt(s->op[i])) visit_stmt(n, s->op[i], inner);
}

// Checks that a buffer that `rest` stores to is loaded from only in `rest`, and only at positions
// of the stores.
static void visit_loads(Nest *n, Node *e, bool rest)
{
    if (e->kind == LOOP_LOAD && is_named(&n->written, e->attr.sym))
        n->fits &= rest && map_get(&n->places, MAP_KEY(e->op[0]));
    for (uint32_t i = 0; i < e->nops && n->fits; i++) visit_loads(n, e->op[i], rest);
}

static bool depends_on(Nest *n, Node *size)
{
    return nat_occurs(size, nat_var(n->cx, n->loop->attr.sym));
}

static bool is_sum(const Map *changed, Node *decl)
{
    return map_get(changed, MAP_KEY(decl->attr.sym)) != NULL;
}

// Whether the initial value of the sum uses no earlier sum, since the loop that initialises the
// sums of a block has no locals for them.
static bool is_initialised_alone(const Nest *n, int sum)
{
    for (int i = 0; i < sum; i++)
        if (loops_uses(n->cx, n->sums.at[sum], n->sums.at[i]->attr.sym)) return false;
    return true;
}

static bool is_nest(Nest *n)
{
    if (!split_body(n) || depends_on(n, n->inner->op[0]) || depends_on(n, n->inner->op[1]))
        return false;
    Map changed = map_new(n->cx->arena);
    loops_changed(n->inner->op[2], &changed);
    n->fits = loops_weight(n->loop, MAX_WEIGHT) < MAX_WEIGHT;
    for (int i = 0; i < n->sums.len; i++)
        n->fits &= is_sum(&changed, n->sums.at[i]) && is_initialised_alone(n, i);
    if (n->fits) visit_stmt(n, n->inner->op[2], true);
    for (int i = 0; i < n->rest.len && n->fits; i++) visit_stmt(n, n->rest.at[i], false);
    visit_loads(n, n->inner, false);
    for (int i = 0; i < n->sums.len; i++) visit_loads(n, n->sums.at[i], false);
    for (int i = 0; i < n->rest.len; i++) visit_loads(n, n->rest.at[i], true);
    return n->fits;
}

// --- whether it pays -----------------------------------------------------------------------------

typedef struct {
    Nest *n;
    bool down; // the inner loop reads some array down a column, which interchange avoids
    bool fits; // all loads are contiguous or invariant in the outer loop
} Strides;

static void visit_strides(Strides *s, Node *e)
{
    if (e->kind == LOOP_LOAD) {
        int64_t j, k;
        Node *by_j = loops_stride(s->n->cx, e->op[0], s->n->loop->attr.sym),
             *by_k = loops_stride(s->n->cx, e->op[0], s->n->inner->attr.sym);
        bool known = by_j && nat_is_const(by_j, &j);
        s->fits &= known && (j == 0 || j == 1);
        bool near = by_k && nat_is_const(by_k, &k) && k >= -8 && k <= 8;
        s->down |= known && j == 1 && !near;
        return;
    }
    for (uint32_t i = 0; i < e->nops; i++) visit_strides(s, e->op[i]);
}

static bool pays(Nest *n)
{
    int64_t steps = loops_trip_count(n->cx, n->inner);
    if (steps >= 0 && steps <= FEW) return false;
    Strides s = {n, false, true};
    visit_strides(&s, n->inner->op[2]);
    return s.down && s.fits;
}

static Nest nest_of(Session *cx, const LoopEntry *entry, Node *loop)
{
    return (Nest){.cx = cx,
                  .entry = entry,
                  .loop = with_elements_loaded(cx, loop),
                  .own = map_new(cx->arena),
                  .written = map_new(cx->arena),
                  .places = map_new(cx->arena)};
}

bool loops_sums_columns(Session *cx, const LoopEntry *entry, Node *loop)
{
    if (!loops_has_loop(loops_body(loop))) return false;
    Nest n = nest_of(cx, entry, loop);
    return is_nest(&n) && pays(&n);
}

// --- the new nest --------------------------------------------------------------------------------

typedef struct {
    Session *cx;
    Nest *n;
    Node *first, *count;  // the first index and the length of the block
    Sym arrays[MAX_SUMS]; // the arrays that hold the sums
} Rewrite;

// Loads the sums from the arrays into locals.
static void load_sums(Rewrite *r, Stmts *out, Node *at)
{
    for (int i = 0; i < r->n->sums.len; i++) {
        Node *decl = r->n->sums.at[i];
        Node *value = loops_load(r->cx, r->arrays[i], decl->op[0], at);
        vec_push(r->cx->arena, out, node_with_op(r->cx, decl, 1, value));
    }
}

static void store_sums(Rewrite *r, Stmts *out, Node *at)
{
    for (int i = 0; i < r->n->sums.len; i++) {
        Node *decl = r->n->sums.at[i];
        Node *sum = loops_local(r->cx, decl->attr.sym, decl->op[0]);
        vec_push(r->cx->arena, out, loops_store(r->cx, r->arrays[i], at, sum, NO_SPAN));
    }
}

// One of the loops `for j in the block` of the new nest, with these statements as its body. Its
// index `at` counts from 0, because p[0] is the sum for the first j of the block.
static Node *over_block(Rewrite *r, Node *at, const Stmts *stmts)
{
    Session *cx = r->cx;
    Node *loop = r->n->loop, *body = loops_block(cx, stmts->len, stmts->at);
    body = loops_at(cx, body, loop->attr.sym, nat_add(cx, r->first, at));
    Node *over = loops_counted(cx, at->attr.sym, nat_const(cx, 0), r->count, body, loop->origin);
    return loops_copy(cx, over, NULL, NULL);
}

static Node *new_index(Rewrite *r)
{
    return nat_var(r->cx, sym_fresh(r->cx->syms, r->n->loop->attr.sym->text));
}

static Node *initialise(Rewrite *r)
{
    Node *at = new_index(r);
    Stmts out = {0};
    for (int i = 0; i < r->n->sums.len; i++)
        vec_push(r->cx->arena, &out,
                 loops_store(r->cx, r->arrays[i], at, r->n->sums.at[i]->op[1], NO_SPAN));
    return over_block(r, at, &out);
}

// Iterations k, k + 1, .. k + rows - 1 of the inner loop, for all sums of the block.
static Node *steps(void *env, Node *k, int rows)
{
    Rewrite *r = env;
    Session *cx = r->cx;
    Node *at = new_index(r);
    Stmts out = {0};
    load_sums(r, &out, at);
    for (int i = 0; i < rows; i++) {
        Node *step = loops_iteration(cx, r->n->inner, nat_add(cx, k, nat_const(cx, i)));
        vec_push(cx->arena, &out, step);
    }
    store_sums(r, &out, at);
    return over_block(r, at, &out);
}

static Node *finish(Rewrite *r)
{
    Node *at = new_index(r);
    Stmts out = {0};
    load_sums(r, &out, at);
    for (int i = 0; i < r->n->rest.len; i++) vec_push(r->cx->arena, &out, r->n->rest.at[i]);
    return over_block(r, at, &out);
}

// All iterations of the inner loop. Runs ROWS iterations at a time, so that the sums are loaded and
// stored less often, and then the remainder.
static Node *all_steps(Rewrite *r)
{
    Node *inner = r->n->inner;
    bool light = loops_weight(inner->op[2], MAX_STEP) < MAX_STEP;
    return loops_unroll_by(r->n->known, inner, light ? ROWS : 1, steps, r);
}

static Node *one_block(void *env, Node *first, Node *count)
{
    Rewrite *r = env;
    Session *cx = r->cx;
    Nest *n = r->n;
    Stmts out = {0};
    r->first = first;
    r->count = count;
    for (int i = 0; i < n->sums.len; i++) {
        Node *sum = n->sums.at[i], *size = nat_const(cx, BLOCK);
        r->arrays[i] = sym_fresh(cx->syms, sum->attr.sym->text);
        vec_push(cx->arena, &out, loops_stack(cx, r->arrays[i], sum->op[0], size, NO_SPAN));
    }
    vec_push(cx->arena, &out, initialise(r));
    vec_push(cx->arena, &out, all_steps(r));
    vec_push(cx->arena, &out, finish(r));
    return loops_block(cx, out.len, out.at);
}

static Node *by_rows(Session *cx, Nest *n)
{
    Rewrite r = {.cx = cx, .n = n};
    return loops_strip_mine(cx, n->loop, nat_const(cx, BLOCK), one_block, &r);
}

// --- the pass ------------------------------------------------------------------------------------

typedef struct {
    Session *cx;
    LoopEntry *entry; // gets the choices for `adze explain`
    Simplifier known;
} Interchange;

// Reports the nest in `adze explain`. Returns false if the program or its schedule fixes the order
// of the loops.
static bool may_change(Interchange *r, const Nest *n)
{
    const char *by = loops_chosen_by(r->cx, r->entry, n->loop);
    if (!by) by = loops_chosen_by(r->cx, r->entry, n->inner);
    const char *why =
        by ? arena_printf(r->cx->arena, "%s fixes it, and the sums go down columns of memory", by)
           : arena_printf(r->cx->arena,
                          "the sums went down columns of memory, and now go along rows, "
                          "%d of them at a time",
                          BLOCK);
    loops_note_choice(r->cx, r->entry, n->loop, by ? "order of loops" : "loops swapped", why);
    return !by;
}

static Node *interchange(void *env, Node *s)
{
    Interchange *r = env;
    s = simplifier_map(&r->known, s, interchange, r);
    if (s->kind != LOOP_FOR) return s;
    Nest n = nest_of(r->cx, r->entry, s);
    n.known = &r->known;
    bool suits = is_nest(&n) && simplifier_has_lengths(n.known, s) &&
                 simplifier_has_lengths(n.known, n.inner) && pays(&n);
    if (!suits || !may_change(r, &n)) return s;
    n.inner = loops_with_total_range(n.known, n.inner);
    return by_rows(r->cx, &n);
}

static LoopEntry *interchange_entry(Session *cx, const LoopEntry *e)
{
    LoopEntry *done = loops_with_body(cx, e, e->body);
    Interchange r = {cx, done, simplifier_new(cx, e)};
    done->body = interchange(&r, e->body);
    return done;
}

LoopEntry *loops_interchange(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, interchange_entry);
}
