// Coalesces nested loops over consecutive rows into a single loop, if each iteration computes an
// element of its own, or only changes locals, in order, and needs the row and the column only to
// find its element (loop coalescing; Polychronopoulos, Loop Coalescing: A Compiler Transformation
// for Parallel Machines, ICPP 1987):
//
//   for i in 0 .. n
//       for j in 0 .. m                           becomes      for p in 0 .. n*m
//           a[i*m + j] = b[i*m + j] + 1                            a[p] = b[p] + 1
//
// Short rows would not fill vectors, and each row would have a remainder. Rows that are filled with
// one value become one call of memset.
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    Simplifier known;
    int parallel; // the number of parallel loops around the current statement
} Pass;

typedef struct {
    Pass *p;
    Node *rows, *row; // the index of `row` becomes the number of the element
    Node *size;       // elements of a row
    bool fails;
} Nest;

// --- positions -----------------------------------------------------------------------------------

static bool is_index(const Nest *n, Sym name)
{
    return name == n->rows->attr.sym || name == n->row->attr.sym;
}

// A size in terms of the element's number: that of the first element, and the distance from it.
static Node *in_elements(Nest *n, Node *size)
{
    Session *cx = n->p->cx;
    Sym i = n->rows->attr.sym, j = n->row->attr.sym;
    if (!nat_occurs(size, nat_var(cx, i)) && !nat_occurs(size, nat_var(cx, j))) return size;
    Node *step = loops_stride(cx, size, j), *next = loops_stride(cx, size, i);
    bool even =
        step && next && !nat_occurs(step, nat_var(cx, i)) && nat_mul(cx, step, n->size) == next;
    n->fails |= !even;
    if (!even) return size;
    Node *first = loops_at(cx, size, j, loops_from(n->row));
    first = loops_at(cx, first, i, loops_from(n->rows));
    return nat_add(cx, first, nat_mul(cx, step, nat_var(cx, j)));
}

static Node *of_element(Session *cx, Node *e, int depth, void *env)
{
    Nest *n = env;
    if (kind_info[e->kind].levels & LEVEL_NAT) return in_elements(n, e);
    n->fails |= e->kind == LOOP_VAR && is_index(n, e->attr.sym);
    return n->fails ? e : node_map(cx, e, depth, of_element, n);
}

// --- independence --------------------------------------------------------------------------------

typedef struct {
    Map stores; // buffer -> the position that is stored to
    Map own;    // locals of the body
    bool apart;
} Accesses;

static Walk note_store(Node *n, void *env)
{
    Accesses *a = env;
    if (node_is_size_or_type(n)) return WALK_OVER;
    Node *at = n->kind == LOOP_STORE ? map_get(&a->stores, MAP_KEY(n->attr.sym)) : NULL;
    if (at && at != n->op[0]) a->apart = false;
    if (n->kind == LOOP_STORE)
        map_put(&a->stores, MAP_KEY(n->attr.sym), (void *)(uintptr_t)n->op[0]);
    else if (loops_is(n, IS_STORE | IS_ADDRESS | IS_CALL))
        a->apart = false;
    if (n->kind == LOOP_SET && !map_get(&a->own, MAP_KEY(n->attr.sym))) a->apart = false;
    return a->apart ? WALK_INTO : WALK_STOP;
}

static Walk note_load(Node *n, void *env)
{
    Accesses *a = env;
    if (node_is_size_or_type(n)) return WALK_OVER;
    Node *at = loops_is_load(n) ? map_get(&a->stores, MAP_KEY(n->attr.sym)) : NULL;
    if (at && at != n->op[0]) a->apart = false;
    return a->apart ? WALK_INTO : WALK_STOP;
}

bool loops_stores_own(Session *cx, const Facts *facts, Node *loop)
{
    Node *body = loops_body(loop);
    Accesses a = {map_new(cx->arena), map_new(cx->arena), true};
    loops_bound(body, &a.own);
    node_walk(body, note_store, &a);
    if (a.apart) node_walk(body, note_load, &a);
    for (int i = 0; a.apart && i < a.stores.len; i++) {
        Node *at = (Node *)(uintptr_t)a.stores.entries[i].value;
        Node *step = loops_stride(cx, at, loop->attr.sym);
        bool own = step && !loops_reads_any(cx, at, &a.own); // not computed in the iteration
        a.apart = own && nat_lt(cx, facts, nat_const(cx, 0), step) == TRUTH_YES;
    }
    return a.apart;
}

// --- the nest ------------------------------------------------------------------------------------

static bool stores(Node *s, void *env)
{
    (void)env;
    return loops_is(s, IS_STORE | IS_CALL);
}

static Node *renamed(Session *cx, Node *n, void *names)
{
    bool named = n->kind == LOOP_VAR || n->kind == LOOP_SET;
    Sym name = named ? map_get(names, MAP_KEY(n->attr.sym)) : NULL;
    return name ? node_with_name(cx, n, name) : n;
}

// The locals of a block around a loop: those before it that are copies of others, and those that
// are set after it.
typedef struct {
    Map copies; // name -> the local that it is a copy of
    Map back;   // local that is set -> the one whose value it gets, as it is after the loop
    Map after;  // name that is declared after the loop -> the local that it is a copy of
} Copies;

// The local that an expression reads, and nothing else, or what `names` has for it. NULL if it is
// another expression.
static Sym copied(Node *e, const Map *names)
{
    bool size = e->kind == CORE_NAT && e->op[0]->kind == NAT_VAR;
    if (!size && e->kind != LOOP_VAR) return NULL;
    Sym name = size ? e->op[0]->attr.sym : e->attr.sym, from = map_get(names, MAP_KEY(name));
    return from ? from : name;
}

// Returns the loop of a block that otherwise only copies locals, or NULL if it does something else.
static Node *between_copies(Node *block, Copies *c)
{
    Node *row = NULL;
    for (uint32_t k = 0; k < block->nops; k++) {
        Node *s = block->op[k];
        Map *names = row ? &c->after : &c->copies;
        bool copies = s->kind == LOOP_DECL || (row && s->kind == LOOP_SET);
        Sym from = copies ? copied(s->op[s->kind == LOOP_DECL], names) : NULL;
        if (from)
            map_put(s->kind == LOOP_DECL ? names : &c->back, MAP_KEY(s->attr.sym),
                    (void *)(uintptr_t)from);
        else if (s->kind == LOOP_FOR && !row)
            row = s;
        else
            return NULL;
    }
    return row;
}

// The body of the loop over rows. Where it is a loop over a row between copies of accumulators,
//
//   { t = s; for j in 0 .. m { t = t + a[i*m + j] }; s = t }
//
// it is the loop over the row, with the accumulators themselves.
static Node *row_of(Session *cx, Node *rows)
{
    Node *body = loops_body(rows);
    Copies c = {map_new(cx->arena), map_new(cx->arena), map_new(cx->arena)};
    Node *row = body->kind == LOOP_BLOCK ? between_copies(body, &c) : NULL;
    if (!row) return body;
    Map hidden = map_new(cx->arena); // what the row must not read
    int changed = 0;
    for (int i = 0; i < c.copies.len; i++) {
        const MapEntry *e = &c.copies.entries[i];
        Sym copy = (Sym)(uintptr_t)e->key, from = e->value;
        bool changes = loops_sets(row, copy); // otherwise it is the value before the row
        changed += changes;
        if (loops_sets(row, from) || (changes && map_get(&c.back, MAP_KEY(from)) != copy))
            return body;
        map_put(&hidden, MAP_KEY(changes ? from : copy), &c);
    }
    bool good = changed == c.back.len && !loops_reads_any(cx, row, &hidden);
    return good ? node_rewrite(cx, row, renamed, &c.copies) : body;
}

static bool is_nest(Node *s, void *cx)
{
    bool rows = s->kind == LOOP_FOR || s->kind == LOOP_PARALLEL;
    Node *row = rows ? row_of(cx, s) : NULL;
    return row && (row->kind == LOOP_FOR || row->kind == LOOP_VECTORIZE) &&
           loops_is_straight(loops_body(row));
}

static bool is_free(const Pass *p, Node *loop)
{
    bool plain = loop->variant == VARIANT_ANY || loop->variant == VARIANT_PAR;
    return plain &&
           (!loops_chosen_by(p->cx, p->entry, loop) || loops_is_scheduled(p->entry, loop->origin));
}

// The number of iterations of the loop, or NULL if it may be negative.
static Node *extent_of(const Pass *p, Node *loop)
{
    Node *extent = nat_sub(p->cx, loops_to(loop), loops_from(loop));
    return nat_ge0(p->cx, p->known.facts, extent) == TRUTH_YES ? extent : NULL;
}

static Node *one_loop(const Nest *n, Node *all, Node *body)
{
    Session *cx = n->p->cx;
    Node *rows = n->rows, *row = n->row, *from = nat_const(cx, 0);
    if (row->kind == LOOP_VECTORIZE) {
        Node *vectors = loops_for(cx, row, from, all, body);
        return rows->kind != LOOP_PARALLEL ? vectors
               : n->p->entry->device       ? loops_lanes_on_device(&n->p->known, vectors)
                                           : loops_in_blocks(&n->p->known, rows, vectors);
    }
    if (rows->kind == LOOP_FOR)
        return loops_counted(cx, row->attr.sym, from, all, body, rows->origin);
    return loops_loop(cx, LOOP_PARALLEL, row->attr.sym, rows->op[0], from, all, body, rows->origin);
}

// Returns the nest as one loop, or NULL if its rows are not consecutive.
static Node *coalesced(Pass *p, Node *rows)
{
    Session *cx = p->cx;
    if (!is_nest(rows, cx)) return NULL;
    Node *row = row_of(cx, rows);
    Nest n = {.p = p, .rows = rows, .row = row};
    if (!is_free(p, rows) || !is_free(p, row)) return NULL;
    Node *count = extent_of(p, rows), *size = n.size = extent_of(p, row);
    Node *i = nat_var(cx, rows->attr.sym);
    if (!count || !size || nat_occurs(size, i) || nat_occurs(loops_from(row), i)) return NULL;
    bool sums = rows->kind == LOOP_FOR && row->kind == LOOP_FOR && !loops_any(row, stores, NULL);
    if (!sums && !loops_stores_own(cx, p->known.facts, row)) return NULL;
    Node *all = nat_mul(cx, count, size);
    if (!simplifier_fits(&p->known, all)) return NULL;
    Node *body = of_element(cx, loops_body(row), 0, &n);
    return n.fails ? NULL : one_loop(&n, all, body);
}

// A parallel loop inside another one stays on a device: it says what each work-item of a group
// does.
static Node *coalesce(void *env, Node *s)
{
    Pass *p = env;
    bool parallel = s->kind == LOOP_PARALLEL, local = parallel && p->parallel > 0;
    p->parallel += parallel;
    s = simplifier_map(&p->known, s, coalesce, p);
    p->parallel -= parallel;
    Node *done = local && p->entry->device ? NULL : coalesced(p, s);
    return done ? done : s;
}

static LoopEntry *coalesce_entry(Session *cx, const LoopEntry *e)
{
    if (!loops_any(e->body, is_nest, cx)) return loops_with_body(cx, e, e->body);
    Pass p = {cx, e, simplifier_new(cx, e), 0};
    return loops_with_body(cx, e, coalesce(&p, e->body));
}

LoopEntry *loops_coalesce(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, coalesce_entry);
}
