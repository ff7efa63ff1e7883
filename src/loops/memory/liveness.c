// A backward dataflow analysis that finds the arrays that are live after copies. An array is live
// where it may be read before it is overwritten as a whole. Because of the back edge, the arrays
// that are live at the start of a loop's body are also live at its end. Jumps add the arrays that
// are live at their targets.
#include "loops/memory/moves.h"

typedef struct {
    Session *cx;
    const Map *arrays, *copies;
    Map labels; // label -> Needed, the arrays that are live at its end
    Map again;  // body of a loop -> Needed, the arrays that are live when it begins
    bool notes; // whether to set `after` in copies
} Live;

typedef struct {
    ArraySet set;
} Needed;

static ArraySet bit(const Live *l, Sym name)
{
    const LiveArray *a = map_get(l->arrays, MAP_KEY(name));
    return a ? (ArraySet)1 << a->number : 0;
}

static void keep(Live *l, Map *map, uint64_t key, ArraySet set)
{
    Needed *n = ARENA_NEW(l->cx->arena, Needed);
    n->set = set;
    map_put(map, key, n);
}

typedef struct {
    const Live *l;
    ArraySet set;
} Reads;

static void add_read(Node *access, void *env)
{
    Reads *r = env;
    if (!loops_is_store(access)) r->set |= bit(r->l, access->attr.sym);
}

// The arrays that a statement or expression reads, or passes to a call.
static ArraySet reads(const Live *l, Node *n)
{
    Reads r = {l, 0};
    Map seen = map_new(l->cx->arena);
    loops_accesses(n, &seen, add_read, &r);
    return r.set;
}

// --- arrays that a loop writes as a whole -------------------------------------------------------

typedef struct {
    Session *cx;
    Sym name;
    const LiveArray *array;
    // `count` is the number of iterations of the enclosing loops, `position` the number of the
    // current one.
    Node *count, *position;
} Whole;

// Whether iteration number k of the enclosing loops always stores element k.
static bool stores_each(const Whole *w, Node *s)
{
    switch ((Kind)s->kind) {
    case LOOP_STORE:
        return s->attr.sym == w->name && s->op[0] == w->position && w->count == w->array->count;
    case LOOP_IF: return stores_each(w, s->op[1]) && stores_each(w, s->op[2]);
    case LOOP_BLOCK:
        for (uint32_t i = 0; i < s->nops; i++)
            if (stores_each(w, s->op[i])) return true;
        return false;
    case LOOP_FOR: {
        Whole in = *w;
        if (s->op[0] != nat_const(w->cx, 0)) return false;
        in.count = nat_mul(w->cx, w->count, s->op[1]);
        in.position =
            nat_add(w->cx, nat_mul(w->cx, w->position, s->op[1]), nat_var(w->cx, s->attr.sym));
        return stores_each(&in, s->op[2]);
    }
    default: return false;
    }
}

static ArraySet written_by(const Live *l, Node *loop)
{
    ArraySet set = 0;
    Map names = map_new(l->cx->arena);
    if (loop->kind != LOOP_FOR || loops_may_jump(loop)) return 0;
    loops_names(loop, IS_STORE, &names);
    for (int i = 0; i < names.len; i++) {
        Sym name = (Sym)(uintptr_t)names.entries[i].key;
        Whole w = {.cx = l->cx,
                   .name = name,
                   .array = map_get(l->arrays, MAP_KEY(name)),
                   .count = nat_const(l->cx, 1),
                   .position = nat_const(l->cx, 0)};
        if (w.array && stores_each(&w, loop)) set |= bit(l, name);
    }
    return set;
}

// --- statements ---------------------------------------------------------------------------------

static ArraySet live_before(Live *l, Node *s, ArraySet after);

// The arrays that are live when the body of a loop begins, not counting those that are live after
// the loop.
static ArraySet again(Live *l, Node *body)
{
    const Needed *known = map_get(&l->again, MAP_KEY(body));
    if (known) return known->set;
    Live inner = *l;
    inner.labels = map_new(l->cx->arena);
    inner.notes = false;
    ArraySet set = live_before(&inner, body, 0);
    l->again = inner.again;
    keep(l, &l->again, MAP_KEY(body), set);
    return set;
}

// The arrays that are live at the targets of jumps out of the statement.
static ArraySet live_at_exits(const Live *l, Node *s)
{
    ArraySet set = 0;
    Map labels = map_new(l->cx->arena);
    loops_names(s, IS_JUMP, &labels);
    for (int i = 0; i < labels.len; i++) {
        const Needed *end = map_get(&l->labels, labels.entries[i].key);
        if (end) set |= end->set;
    }
    return set;
}

static ArraySet live_before_loop(Live *l, Node *s, ArraySet after)
{
    LiveCopy *copy = s->kind == LOOP_FOR ? map_get(l->copies, MAP_KEY(s->attr.sym)) : NULL;
    if (copy) {
        if (l->notes) copy->after = after;
        return (after & ~copy->to) | reads(l, s);
    }
    Node *body = loops_body(s);
    ArraySet first = again(l, body) | live_at_exits(l, body);
    if (s->kind == LOOP_FOREVER) return live_before(l, body, first);
    ArraySet need = after | live_before(l, body, after | first);
    if (s->kind == LOOP_PARALLEL) need |= reads(l, s->op[0]);
    return (need & ~written_by(l, s)) | first;
}

static ArraySet live_before_label(Live *l, Node *s, ArraySet after)
{
    keep(l, &l->labels, MAP_KEY(s->attr.sym), after);
    return live_before(l, s->op[0], after);
}

static ArraySet live_before(Live *l, Node *s, ArraySet after)
{
    const Needed *end;
    switch ((Kind)s->kind) {
    case LOOP_BLOCK:
        for (uint32_t i = s->nops; i-- > 0;) after = live_before(l, s->op[i], after);
        return after;
    case LOOP_FOR:
    case LOOP_STRIDED:
    case LOOP_PARALLEL:
    case LOOP_VECTORIZE:
    case LOOP_FOREVER: return live_before_loop(l, s, after);
    case LOOP_LABEL: return live_before_label(l, s, after);
    case LOOP_JUMP: end = map_get(&l->labels, MAP_KEY(s->attr.sym)); return end ? end->set : 0;
    case LOOP_IF:
        return reads(l, s->op[0]) | live_before(l, s->op[1], after) |
               live_before(l, s->op[2], after);
    case LOOP_ALLOC: return after & ~bit(l, s->attr.sym);
    case LOOP_DECL:
    case LOOP_SET:
    case LOOP_STORE:
    case LOOP_STORE_WHERE:
    case LOOP_SCATTER:
    case LOOP_STORE_PACKED:
    case LOOP_TABLE:
    case LOOP_POINTER:
    case LOOP_ROTATE:
    case LOOP_PREFETCH:
    case LOOP_CHECK:
    case LOOP_SPAWN:
    case LOOP_SYNC:
    case LOOP_CALL:
#include "loops/ir/no_statement.def"
        break;
    }
    return after | reads(l, s);
}

void loops_liveness(Session *cx, Node *body, const Map *arrays, const Map *copies)
{
    Live l = {.cx = cx,
              .arrays = arrays,
              .copies = copies,
              .labels = map_new(cx->arena),
              .again = map_new(cx->arena),
              .notes = true};
    (void)live_before(&l, body, 0);
}
