// Rematerialisation of index vectors: an array whose elements are computed from their index alone,
// or are linear in it, is computed again wherever it is read. A vector of the program such as
// lanes[8]() + base is an array here, so that the accesses and comparisons that use it get an index
// that is linear in the lane number, and become those of consecutive elements.
//
//   for l in vectorize(8, 0, 8)                 for l in vectorize(8, 0, 8)
//       at[l] = l + base           becomes          y[l] = x[l + base]
//   for l in vectorize(8, 0, 8)
//       y[l] = x[at[l]]
//
// The other names in such a value are never assigned, and are declared before the loop that stores
// it, in whose block the array is declared too: they have the same value at each load.
#include "loops/simplify/simplify.h"
#include "loops/vector/vectors.h"

enum { SHORT = 40 }; // maximum weight of an expression that may be duplicated

typedef struct {
    Node *alloc, *loop, *store;
    Node *block; // the block that declares it
    bool beside; // the loop is in that block
    int stores;
    bool known;
    Node *value; // the value of its elements, once it is known, or NULL
} Table;

// A loop over a range, and the values that are computed at the beginning of its body.
typedef struct Around Around;
struct Around {
    Around *outer;
    Sym index;
    Map named; // load -> the local that replaces it
    Stmts decls;
};

typedef struct {
    Session *cx;
    Around *around;
    Map tables;  // Sym of a stack array -> Table
    Map done;    // expression or statement -> its replacement
    Map changed; // locals that are assigned
} Tables;

static Table *table_of(const Tables *t, Sym name)
{
    return map_get(&t->tables, MAP_KEY(name));
}

typedef struct {
    Node *block; // the innermost block
    Node *loop;  // the counted loop whose body executes the statement unconditionally, or NULL
    Node *loops_block; // the block around that loop
} TablePlace;

// Finds the stores to stack arrays and, for each store, the loop whose body executes it
// unconditionally.
static void find_tables(Tables *t, Node *s, TablePlace at)
{
    if (s->kind == LOOP_ALLOC && s->variant == VARIANT_STACK) {
        Table *made = ARENA_NEW(t->cx->arena, Table);
        *made = (Table){.alloc = s, .block = at.block};
        map_put(&t->tables, MAP_KEY(s->attr.sym), made);
    }
    if (loops_is_store(s)) {
        Table *of = table_of(t, s->attr.sym);
        if (of) {
            of->stores++;
            of->store = s;
            of->loop = at.loop;
            of->beside = of->block == at.loops_block;
        }
    }
    bool counted = s->kind == LOOP_VECTORIZE || s->kind == LOOP_FOR;
    TablePlace inner = at;
    if (counted)
        inner = (TablePlace){at.block, s, at.block};
    else if (s->kind == LOOP_BLOCK)
        inner.block = s;
    else
        inner.loop = NULL;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_tables(t, s->op[i], inner);
}

// Drops arrays whose address is passed to a call.
static Walk drop_addressed(Node *n, void *env)
{
    if (node_is_size_or_type(n)) return WALK_OVER;
    Table *of = n->kind == LOOP_ADDRESS ? table_of(env, n->attr.sym) : NULL;
    if (of) of->stores = 0;
    return WALK_INTO;
}

// Whether the array's only store is in a loop over all its elements.
static bool is_table(const Table *of)
{
    int64_t from;
    if (of->stores != 1 || !of->loop || of->store->kind != LOOP_STORE) return false;
    Node *loop = of->loop, *position = of->store->op[0];
    bool each = position->kind == NAT_VAR && position->attr.sym == loop->attr.sym;
    return each && nat_is_const(loops_from(loop), &from) && from == 0 &&
           loops_to(loop) == of->alloc->op[1];
}

static bool is_i64_sum(Node *e)
{
    Scalar s;
    bool sum = e->kind == CORE_PRIM && (e->attr.i == PRIM_ADD || e->attr.i == PRIM_SUB);
    return sum && type_is_scalar(e->type, &s) && s == SCALAR_I64;
}

static bool is_shape(Divergence *d, Node *value)
{
    bool plain = value->nops == 0 || value->kind == CORE_NAT || is_i64_sum(value);
    return plain && !divergence_of(d, value).varies;
}

// Whether the value is a comparison of integers that are linear in the index.
static bool is_comparison(Divergence *d, Node *value)
{
    return value->kind == CORE_PRIM && value->nops == 2 &&
           prim_info[value->attr.i].result == GIVES_BOOL && is_shape(d, value->op[0]) &&
           is_shape(d, value->op[1]);
}

// Whether the value is the same in all elements, or an integer that is linear in their index, or a
// comparison of such integers, and whether a load may compute it anew: it reads no memory, and only
// names that have their values wherever the array is declared.
static bool is_linear(Tables *t, const Table *of, Divergence *d, Node *value)
{
    Map inner = map_new(t->cx->arena);
    if (!of->beside || expr_may_trap(value)) return false;
    loops_bound(loops_body(of->loop), &inner);
    return (is_shape(d, value) || is_comparison(d, value)) &&
           !loops_reads_any(t->cx, value, &inner) && !loops_reads_any(t->cx, value, &t->changed);
}

static Node *with_values(Session *cx, Node *n, int depth, void *env);

// The value of the elements of the array whose index is that of `of->loop`, or NULL if it is not
// computed again. It is written without the locals that loops have for such values.
static Node *value_of(Tables *t, Table *of)
{
    Session *cx = t->cx;
    if (of->known || !is_table(of)) return of->value;
    Tables plain = *t;
    plain.around = NULL;
    plain.done = map_new(cx->arena);
    of->known = true; // and NULL while its own value is written
    Node *value = with_values(cx, of->store->op[1], 0, &plain);
    Divergence d = {.cx = cx,
                    .index = of->loop->attr.sym,
                    .names = map_new(cx->arena),
                    .shapes = map_new(cx->arena),
                    .varying = map_new(cx->arena),
                    .index_is_lane = true};
    if (loops_weight(value, SHORT) < SHORT &&
        (lane_is_constant(&d, value) || is_linear(t, of, &d, value)))
        of->value = value;
    return of->value;
}

// The enclosing loop with this index, or NULL.
static Around *loop_around(const Tables *t, Node *position)
{
    Around *a = position->kind == NAT_VAR ? t->around : NULL;
    while (a && a->index != position->attr.sym) a = a->outer;
    return a;
}

// A sum that may wrap is named in each loop whose index it depends on, so that conditions on it are
// known where it is used.
static Node *named(Tables *t, Node *load, Node *value)
{
    Around *a = loop_around(t, load->op[0]);
    if (!a || !is_i64_sum(value)) return value;
    Node *known = map_get(&a->named, MAP_KEY(load));
    if (known) return known;
    Node *decl, *local = loops_name(t->cx, load->attr.sym->text, value, &decl, NO_SPAN);
    Node *size = core_size(t->cx, nat_var(t->cx, local->attr.sym));
    vec_push(t->cx->arena, &a->decls, decl);
    map_put(&a->named, MAP_KEY(load), (void *)(uintptr_t)size);
    return size;
}

static Node *loaded(Tables *t, Node *load)
{
    Table *of = load->type->kind != TYPE_VEC ? table_of(t, load->attr.sym) : NULL;
    Node *value = of ? value_of(t, of) : NULL;
    return value ? named(t, load, loops_at(t->cx, value, of->loop->attr.sym, load->op[0])) : load;
}

// Replaces the loads in a loop over a range, and declares at its beginning what they share.
static Node *in_loop(Tables *t, Node *loop, int depth)
{
    Session *cx = t->cx;
    Around here = {.outer = t->around, .index = loop->attr.sym, .named = map_new(cx->arena)};
    t->around = &here;
    loop = node_map(cx, loop, depth, with_values, t);
    t->around = here.outer;
    if (here.decls.len == 0) return loop;
    vec_push(cx->arena, &here.decls, loops_body(loop));
    return node_with_op(cx, loop, (int)loop->nops - 1,
                        loops_block(cx, here.decls.len, here.decls.at));
}

static Node *with_values(Session *cx, Node *n, int depth, void *env)
{
    Tables *t = env;
    if (n->nops == 0 || node_is_size_or_type(n)) return n;
    Node *done = map_get(&t->done, MAP_KEY(n));
    if (done) return done;
    done = loops_is_counted(n) ? in_loop(t, n, depth) : node_map(cx, n, depth, with_values, env);
    if (done->kind == LOOP_LOAD) done = loaded(t, done);
    map_put(&t->done, MAP_KEY(n), (void *)(uintptr_t)done);
    return done;
}

static LoopEntry *rematerialised(Session *cx, const LoopEntry *e)
{
    Tables t = {.cx = cx,
                .tables = map_new(cx->arena),
                .done = map_new(cx->arena),
                .changed = map_new(cx->arena)};
    Map seen = map_new(cx->arena);
    find_tables(&t, e->body, (TablePlace){NULL, NULL, NULL});
    if (t.tables.len == 0) return loops_with_body(cx, e, e->body);
    node_walk_once(&seen, e->body, drop_addressed, &t);
    loops_changed(e->body, &t.changed);
    Node *body = with_values(cx, e->body, 0, &t);
    if (body == e->body) return loops_with_body(cx, e, body);
    return loops_simplify(cx, loops_with_body(cx, e, loops_dce(cx, body)));
}

LoopEntry *loops_rematerialise(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, rematerialised);
}
