// Decides whether a variable that denotes a delayed read is used after a write to the location that
// it reads. The analysis follows the body of the variable's let in evaluation order. A delayed
// array that is computed from the variable reads the location when it is itself used.
#include "memory_policy/internal.h"

// The variables bound between the let and a term, innermost first; interned.
typedef struct Bound Bound;
struct Bound {
    bool depends; // whether it is an array that reads the let's variable when it is itself read
    uint32_t id;
    const Bound *outer;
};

typedef struct {
    Lower *l;
    Uses value;  // uses of the variable's value
    bool stored; // whether a term may read the location that it is written to
    bool late;   // the answer: whether the variable is used after a write
    Map bounds;  // outer and depends -> Bound
    Map done;    // node, bound, written -> 1 + result
} Order;

// What the evaluation so far has done to the location and to the variable.
enum { WRITTEN = 1, USED = 2 };

static const Bound *push(Order *o, const Bound *outer, bool depends)
{
    uint64_t key = (uint64_t)(outer ? outer->id : 0) << 1 | depends;
    Bound *b = map_get(&o->bounds, key);
    if (b) return b;
    b = ARENA_NEW(o->l->arena, Bound);
    *b = (Bound){depends, (uint32_t)o->bounds.len + 1, outer};
    map_put(&o->bounds, key, b);
    return b;
}

static const Bound *push_others(Order *o, const Bound *b, int n)
{
    for (; n > 0; n--) b = push(o, b, false);
    return b;
}

// Returns the binder of variable *index. If the variable is bound outside the let's body, returns
// NULL and sets *index to its index there.
static const Bound *find(const Bound *b, int64_t *index)
{
    for (; b && *index > 0; b = b->outer) --*index;
    return b;
}

static bool is_read(const Order *o, Node *place, const Bound *b)
{
    int64_t index = policy_root(place);
    if (index < 0) return true;
    if (find(b, &index)) return false; // a location that was created in the body
    if (o->l->aliases) return true;
    return index > 0 && (uses_place(o->value, (int)index - 1) & USE_READ);
}

static int run(Order *o, Node *e, const Bound *b, int state);

static int run_variable(Order *o, Node *e, const Bound *b, int state)
{
    int64_t index = e->attr.i;
    const Bound *at = find(b, &index);
    if (at ? !at->depends : index != 0) return state;
    o->late |= (state & WRITTEN) != 0;
    return state | USED;
}

// Runs the body of a loop twice, since its second iteration comes after all its writes.
static int run_loop(Order *o, Node *body, const Bound *b, int state)
{
    int after = run(o, body, b, state);
    bool written = (after & WRITTEN) && !(state & WRITTEN);
    return written ? run(o, body, b, after) : after;
}

static int run_operands(Order *o, Node *e, const Bound *b, int state)
{
    bool loop = e->kind == CORE_FOREVER || e->kind == CORE_RANGE || e->kind == CORE_PARALLEL ||
                e->kind == CORE_VECTORIZE;
    for (uint32_t i = 0; i < e->nops; i++) {
        const Bound *inner = push_others(o, b, node_binds(e, (int)i));
        bool body = loop && i + 1 == e->nops;
        state = body ? run_loop(o, e->op[i], inner, state) : run(o, e->op[i], inner, state);
    }
    return state;
}

// Runs a put. An array is written while its elements are computed.
static int run_put(Order *o, Node *e, const Bound *b, int state)
{
    state = run(o, e->op[0], b, state);
    int value = run(o, e->op[1], b, state & WRITTEN);
    if (!is_read(o, e->op[0], b)) return state | value;
    o->late |= !o->stored && (value & USED) && type_has_array(e->op[1]->type);
    return state | value | WRITTEN;
}

static int run_call(Order *o, Node *e, const Bound *b, int state)
{
    state = run_operands(o, e, b, state);
    for (uint32_t i = 0; i < e->nops; i++) {
        Node *type = e->op[i]->type;
        if (type->kind == TYPE_REF && type_ref_mutable(type) && is_read(o, e->op[i], b))
            state |= WRITTEN;
    }
    return state;
}

// Runs a task, whose reads may come after writes that follow the task in the program.
static int run_task(Order *o, Node *e, const Bound *b, int state)
{
    int body = run(o, e->op[0]->op[0], b, state & WRITTEN);
    o->late |= (body & USED) != 0;
    return state | body;
}

// Whether the array is complete once its let has been evaluated, because read.c stores it rather
// than substituting it for its name.
static bool is_complete(Node *e)
{
    switch (e->kind) {
    case CORE_TO_MEM:
    case CORE_COPY:
    case CORE_SCAN:
    case CORE_SCAN_EX:
    case CORE_SCATTER:
    case CORE_SCATTER_WITH:
    case CORE_REDUCE:
    case CORE_FOLD:
    case CORE_ITERATE: return true;
    default: return false;
    }
}

static int run_let(Order *o, Node *e, const Bound *b, int state)
{
    Node *x = e->op[0];
    int value = run(o, x, b, state & WRITTEN);
    bool depends = (value & USED) && type_has_array(x->type) && !is_complete(x);
    return run(o, e->op[1], push(o, b, depends), state | value);
}

static int run_kind(Order *o, Node *e, const Bound *b, int state)
{
    switch (e->kind) {
    case CORE_VAR: return run_variable(o, e, b, state);
    case CORE_LET: return run_let(o, e, b, state);
    case CORE_IF:
        state = run(o, e->op[0], b, state);
        return run(o, e->op[1], b, state) | run(o, e->op[2], b, state);
    case CORE_SET: return run_put(o, e, b, state);
    case CORE_CALL: return run_call(o, e, b, state);
    case CORE_SPAWN: return run_task(o, e, b, state);
    default: return run_operands(o, e, b, state);
    }
}

static int run(Order *o, Node *e, const Bound *b, int state)
{
    if (o->late || e->loose == 0 || !e->type) return state;
    uint64_t key = (uint64_t)e->id << 32 | (b ? b->id : 0) << 1 | (state & WRITTEN);
    uintptr_t done = (uintptr_t)map_get(&o->done, key);
    if (!done) {
        done = 1 + (uintptr_t)run_kind(o, e, b, state & WRITTEN);
        map_put(&o->done, key, (void *)done);
    }
    return state | (int)(done - 1);
}

bool policy_is_used_late(Lower *l, Node *body, Uses value, bool stored)
{
    Order o = {.l = l,
               .value = value,
               .stored = stored,
               .bounds = map_new(l->arena),
               .done = map_new(l->arena)};
    run(&o, body, NULL, 0);
    return o.late;
}
