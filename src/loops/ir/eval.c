// The Loop IR interpreter: runs entries on arguments, and builds their results. An access outside a
// buffer, a use of an element before it is stored, and a result element that is never stored are
// internal compiler errors (E0901). The iterations of parallel loops run in a random order, and a
// race between them is an error (E0613).
#include "loops/ir/eval.h"

// --- values and leaves --------------------------------------------------------------------------

static int leaves_of(Node *type)
{
    if (type_is_atom(type)) return 1;
    if (type_has_elements(type)) return leaves_of(type->op[1]);
    int n = 0;
    for (uint32_t i = 0; i < type->nops; i++) n += leaves_of(type->op[i]);
    return n;
}

/// A leaf of a parameter or of the result. `used` counts the elements filled or read so far.
typedef struct {
    const LoopParam *param;
    Buffer *buffer;
    int64_t used;
    int64_t *dims, *strides; // strides is NULL if dense
} Leaf;

// Returns the position of the next element of the leaf, in row-major order, and counts it as used.
static int64_t next_of(Leaf *l)
{
    int64_t number = l->used++, at = l->buffer->first;
    if (!l->strides) return number;
    for (int k = l->param->rank; k-- > 0; number /= l->dims[k])
        at += number % l->dims[k] * l->strides[k];
    return at;
}

// Appends the scalars of a value to its leaves.
static void flatten(const Value *v, Node *type, Leaf *leaf)
{
    if (type_is_atom(type)) {
        int64_t at = next_of(leaf);
        leaf->buffer->bits[at] = v->bits;
        leaf->buffer->written[at] = true;
        return;
    }
    for (int64_t i = 0; i < v->count; i++) {
        Node *part = type->op[type_has_elements(type) ? 1 : i];
        flatten(&v->parts[i], part, leaf);
        if (!type_has_elements(type)) leaf += leaves_of(part);
    }
}

// Builds a value of the given type from the next scalars of its leaves. Only the first `exist`
// elements of an array must have been stored; a scalar must, unless `exist` is 0 (value_existing).
static bool unflatten(Run *r, Node *type, Leaf *leaf, int64_t exist, Value *v)
{
    *v = (Value){0};
    if (type_is_atom(type)) {
        const Buffer *b = leaf->buffer;
        int64_t at = next_of(leaf);
        if (at < b->count && !b->written[at] && exist == 0) return true;
        if (at >= b->count || !b->written[at])
            return exec_fail(r, E0901, r->e->span, "an element of the result was not written");
        v->bits = b->bits[at];
        return true;
    }
    v->count = type->nops;
    if (type_has_elements(type) && !exec_size(r, type->op[0], r->e->span, &v->count)) return false;
    if (v->count) v->parts = ARENA_ARRAY(r->kept, Value, v->count);
    for (int64_t i = 0; i < v->count; i++) {
        Node *part = type->op[type_has_elements(type) ? 1 : i];
        if (!unflatten(r, part, leaf, value_existing(v, type, i, exist), &v->parts[i]))
            return false;
        if (!type_has_elements(type)) leaf += leaves_of(part);
    }
    return true;
}

// --- the entry ----------------------------------------------------------------------------------

// The type, with this run's values substituted for the sizes.
static Node *closed_type(Run *r, Node *type)
{
    const LoopEntry *e = r->e;
    NodeBinding *with = ARENA_ARRAY(r->arena, NodeBinding, e->sizes.len);
    for (int i = 0; i < e->sizes.len; i++)
        with[i] = (NodeBinding){e->sizes.at[i], nat_const(r->cx, r->sizes[i])};
    return node_replace_names(r->cx, type, with, e->sizes.len);
}

// Chooses strides for the array: elements of the last dimension are `step` apart, with room for one
// more after each row. Sets *room to the size of its memory in elements, and *first to the index of
// the array's first element in that memory.
static bool lay_out(Run *r, Leaf *l, int64_t step, int64_t *room, int64_t *first)
{
    int rank = l->param->rank;
    int64_t next = step;
    bool empty = false;
    l->dims = ARENA_ARRAY(r->arena, int64_t, rank);
    l->strides = ARENA_ARRAY(r->arena, int64_t, rank);
    *room = 1;
    *first = 0;
    for (int k = rank; k-- > 0;) {
        if (!exec_size(r, l->param->dims[k], r->e->span, &l->dims[k])) return false;
        l->strides[k] = next;
        int64_t reach = (l->dims[k] - 1) * next;
        *room += reach < 0 ? -reach : reach;
        *first -= reach < 0 ? reach : 0;
        next = next * l->dims[k] + step;
        empty |= l->dims[k] == 0;
        *exec_declare(r, l->param->strides[k]) =
            (Local){.bits = (uint64_t)l->strides[k], .set = true};
    }
    if (empty) *room = *first = 0;
    return true;
}

// Allocates the parameters' buffers. An array's strides are the parameters that follow it. A scalar
// input gets a buffer of one element. Returns the number of leaves, or -1 if the run failed.
static int make_buffers(Run *r, Leaf *leaves, int64_t step)
{
    const LoopEntry *e = r->e;
    int n = 0;
    for (int i = 0; i < e->params.len; i++) {
        const LoopParam *p = &e->params.at[i];
        Leaf *l = &leaves[n++];
        int64_t count, first = 0;
        *l = (Leaf){.param = p};
        bool good = p->strides ? lay_out(r, l, step, &count, &first)
                               : exec_size(r, p->count, e->span, &count);
        if (!good || !exec_buffer(r, p->name, count, !p->output && !p->both, e->span)) return -1;
        l->buffer = map_get(&r->buffers, MAP_KEY(p->name));
        l->buffer->first = first;
        if (p->strides) i += p->rank;
    }
    return n;
}

static bool bind_inputs(Run *r, Leaf *leaves, const Value *args)
{
    const LoopEntry *e = r->e;
    int leaf = 0;
    for (int i = 0; i < e->nsource; i++) {
        Node *type = e->source[i].type;
        r->outcome =
            value_check(r->cx, r->arena, &args[i], closed_type(r, type), e->source[i].name);
        if (!r->outcome.ok) return false;
        flatten(&args[i], type, leaves + leaf);
        leaf += leaves_of(type);
    }
    for (int i = 0; i < leaf; i++) {
        const LoopParam *p = leaves[i].param;
        if (p->rank || p->both) continue;
        *exec_declare(r, p->name) = (Local){.bits = leaves[i].buffer->bits[0], .set = true};
        map_put(&r->buffers, MAP_KEY(p->name), NULL);
    }
    return true;
}

// Checks that the entry stored nothing between the elements of a result.
static bool check_between(Run *r, const Leaf *leaves, int n)
{
    for (int i = 0; i < n; i++) {
        const Leaf *l = &leaves[i];
        int64_t written = 0;
        for (int64_t k = 0; k < l->buffer->count; k++) written += l->buffer->written[k];
        if (l->strides && written != l->used)
            return exec_fail(r, E0901, r->e->span,
                             "something beside the elements of %s was written",
                             l->param->name->text);
    }
    return true;
}

static bool check_sizes(Run *r)
{
    const LoopEntry *e = r->e;
    for (int i = 0; i < e->sizes.len; i++)
        if (r->sizes[i] < 0)
            return exec_fail(r, E0604, e->span, "the size %s is negative", e->sizes.at[i]->text);
    r->outcome = size_checks_eval(r->cx, &e->checks, e->span, exec_lookup, r);
    return r->outcome.ok;
}

static int outputs_of(const LoopEntry *e)
{
    int n = 0;
    for (int i = 0; i < e->params.len; i++) n += e->params.at[i].output;
    return n;
}

static void run_entry(Run *r, const Value *args, int64_t step, Value *result)
{
    const LoopEntry *e = r->e;
    Leaf *leaves = ARENA_ARRAY(r->arena, Leaf, e->params.len);
    if (!check_sizes(r)) return;
    int n = make_buffers(r, leaves, step);
    if (n < 0 || !bind_inputs(r, leaves, args)) return;
    if (!exec_workspace(r, e) || !exec_stmt(r, e->body)) return;
    if (unflatten(r, e->result, leaves + n - outputs_of(e), INT64_MAX, result))
        check_between(r, leaves, n);
}

Outcome loops_eval_strided(Session *cx, Arena *arena, const LoopEntry *e, const int64_t *sizes,
                           const Value *args, int64_t step, Algebra algebra, int64_t fuel,
                           Value *result)
{
    Arena *own = arena_new();
    Run r = {.cx = cx,
             .arena = own,
             .kept = arena,
             .e = e,
             .entry = e,
             .sizes = sizes,
             .algebra = algebra,
             .fuel = fuel,
             .locals = map_new(own),
             .buffers = map_new(own),
             .races = races_new(own, 1),
             .outcome = {.ok = true}};
    run_entry(&r, args, step, result);
    arena_delete(own);
    return r.outcome;
}

Outcome loops_eval(Session *cx, Arena *arena, const LoopEntry *e, const int64_t *sizes,
                   const Value *args, Algebra algebra, int64_t fuel, Value *result)
{
    return loops_eval_strided(cx, arena, e, sizes, args, 1, algebra, fuel, result);
}
