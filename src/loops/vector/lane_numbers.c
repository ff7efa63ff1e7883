// Values that depend only on the lane number, such as lanes[L]() and its comparisons with literals,
// are constant vectors: they cost nothing, and their width does not limit the number of lanes.
#include "loops/vector/vectors.h"

enum {
    MOST_VISITED = 400, // maximum number of nodes visited in an expression
    SHORT = 40          // maximum weight of an expression that may be duplicated
};

typedef struct {
    const Divergence *d;
    bool constant;
    int visited;
} Numbers;

static bool is_constant(Numbers *n, Node *e);

// Whether the name is the index, or a local that is never reassigned and depends only on the lane
// number.
static bool is_constant_name(Numbers *n, Sym name)
{
    const Divergence *d = n->d;
    if (name == d->index) return true;
    const LaneName *local = map_get(&d->names, MAP_KEY(name));
    if (!local || local->stmt->kind != LOOP_DECL || map_get(&d->changed, MAP_KEY(name)))
        return false;
    return !loops_is_nothing(local->stmt->op[1]) && is_constant(n, local->stmt->op[1]);
}

static void visit_atom(Node *atom, void *env)
{
    Numbers *n = env;
    if (atom->kind == NAT_VAR) n->constant = n->constant && is_constant_name(n, atom->attr.sym);
}

static bool is_constant(Numbers *n, Node *e)
{
    if (n->visited++ > MOST_VISITED) return false;
    switch ((Kind)e->kind) {
    case CORE_LIT: return true;
    case CORE_NAT: nat_atoms(n->d->cx, e->op[0], visit_atom, n); return n->constant;
    case LOOP_VAR: return is_constant_name(n, e->attr.sym);
    case CORE_PRIM:
    case CORE_CAST:
    case LOOP_SELECT:
        for (uint32_t i = 0; i < e->nops; i++)
            if (!is_constant(n, e->op[i])) return false;
        return true;
    default: return false;
    }
}

bool lane_is_constant(const Divergence *d, Node *e)
{
    Numbers n = {d, true, 0};
    return d->index_is_lane && is_constant(&n, e);
}

// --- arrays of such values -----------------------------------------------------------------------
//
//   for l in vectorize(8, 0, 8)                 for l in vectorize(8, 0, 8)
//       k[l] = l & 1                  becomes       y[l] = (l & 1) == 0 ? x[l] : 0
//   for l in vectorize(8, 0, 8)
//       y[l] = k[l] == 0 ? x[l] : 0

typedef struct {
    Node *alloc, *loop, *store;
    int stores;
    bool open; // its value is being substituted
} Table;

typedef struct {
    Session *cx;
    Map tables; // Sym of a stack array -> Table
    Map done;   // expression or statement -> its replacement
} Tables;

static Table *table_of(const Tables *t, Sym name)
{
    return map_get(&t->tables, MAP_KEY(name));
}

// Finds the stores to stack arrays and, for each store, the loop whose body executes it
// unconditionally.
static void find_tables(Tables *t, Node *s, Node *loop)
{
    if (s->kind == LOOP_ALLOC && s->variant == VARIANT_STACK) {
        Table *made = ARENA_NEW(t->cx->arena, Table);
        *made = (Table){.alloc = s};
        map_put(&t->tables, MAP_KEY(s->attr.sym), made);
    }
    if (loops_is_store(s)) {
        Table *of = table_of(t, s->attr.sym);
        if (of) {
            of->stores++;
            of->store = s;
            of->loop = loop;
        }
    }
    bool counted = s->kind == LOOP_VECTORIZE || s->kind == LOOP_FOR;
    Node *inner = counted ? s : s->kind == LOOP_BLOCK ? loop : NULL;
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
    if (!of || of->open || of->stores != 1 || !of->loop || of->store->kind != LOOP_STORE)
        return false;
    Node *loop = of->loop, *position = of->store->op[0];
    bool each = position->kind == NAT_VAR && position->attr.sym == loop->attr.sym;
    return each && nat_is_const(loops_from(loop), &from) && from == 0 &&
           loops_to(loop) == of->alloc->op[1];
}

static Node *with_values(Session *cx, Node *n, int depth, void *env);

static Node *value_of(Tables *t, Node *load, int depth)
{
    Session *cx = t->cx;
    Table *of = load->type->kind != TYPE_VEC ? table_of(t, load->attr.sym) : NULL;
    if (!is_table(of)) return load;
    of->open = true;
    Node *value = with_values(cx, of->store->op[1], depth, t);
    of->open = false;
    Divergence d = {
        .cx = cx, .index = of->loop->attr.sym, .names = map_new(cx->arena), .index_is_lane = true};
    if (loops_weight(value, SHORT) >= SHORT || !lane_is_constant(&d, value)) return load;
    return loops_at(cx, value, d.index, load->op[0]);
}

static Node *with_values(Session *cx, Node *n, int depth, void *env)
{
    Tables *t = env;
    if (n->nops == 0 || node_is_size_or_type(n)) return n;
    Node *done = map_get(&t->done, MAP_KEY(n));
    if (done) return done;
    done = node_map(cx, n, depth, with_values, env);
    if (done->kind == LOOP_LOAD) done = value_of(t, done, depth);
    map_put(&t->done, MAP_KEY(n), (void *)(uintptr_t)done);
    return done;
}

Node *lanes_substitute_tables(Session *cx, Node *body)
{
    Tables t = {cx, map_new(cx->arena), map_new(cx->arena)};
    Map seen = map_new(cx->arena);
    find_tables(&t, body, NULL);
    if (t.tables.len == 0) return body;
    node_walk_once(&seen, body, drop_addressed, &t);
    return with_values(cx, body, 0, &t);
}
