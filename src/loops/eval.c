// The interpreter of Loop IR: an entry with its values. To leave a buffer, to read what was not
// written, and to leave an element of the result out are faults of the compiler (E0901).
#include "loops/eval.h"

// --- values and leaves --------------------------------------------------------------------------

static int leaves_of(Node *type)
{
    if (type_is_atom(type)) return 1;
    if (type_has_elements(type)) return leaves_of(type->op[1]);
    int n = 0;
    for (uint32_t i = 0; i < type->nops; i++) n += leaves_of(type->op[i]);
    return n;
}

// Appends the scalars of a value to the buffers of its leaves, which are filled up to used[leaf].
static void flatten(const Value *v, Node *type, Buffer **leaf, int64_t *used)
{
    if (type_is_atom(type)) {
        (*leaf)->bits[*used] = v->bits;
        (*leaf)->written[(*used)++] = true;
        return;
    }
    for (int64_t i = 0; i < v->count; i++) {
        Node *part = type->op[type_has_elements(type) ? 1 : i];
        flatten(&v->parts[i], part, leaf, used);
        if (type_has_elements(type)) continue;
        leaf += leaves_of(part);
        used += leaves_of(part);
    }
}

// The value of a type whose leaves lie in these buffers from position used[leaf] on.
static bool unflatten(Run *r, Node *type, Buffer **leaf, int64_t *used, Value *v)
{
    *v = (Value){0};
    if (type_is_atom(type)) {
        int64_t at = (*used)++;
        if (at >= (*leaf)->count || !(*leaf)->written[at])
            return exec_fail(r, E0901, r->e->span, "an element of the result was not written");
        v->bits = (*leaf)->bits[at];
        return true;
    }
    v->count = type->nops;
    if (type_has_elements(type) && !exec_size(r, type->op[0], r->e->span, &v->count)) return false;
    if (v->count) v->parts = ARENA_ARRAY(r->arena, Value, v->count);
    for (int64_t i = 0; i < v->count; i++) {
        Node *part = type->op[type_has_elements(type) ? 1 : i];
        if (!unflatten(r, part, leaf, used, &v->parts[i])) return false;
        if (type_has_elements(type)) continue;
        leaf += leaves_of(part);
        used += leaves_of(part);
    }
    return true;
}

// --- the entry ----------------------------------------------------------------------------------

// A type with the sizes of this run.
static Node *closed_type(Run *r, Node *type)
{
    const LoopEntry *e = r->e;
    NodeBinding *with = ARENA_ARRAY(r->arena, NodeBinding, e->sizes.len);
    for (int i = 0; i < e->sizes.len; i++)
        with[i] = (NodeBinding){e->sizes.at[i], nat_const(r->cx, r->sizes[i])};
    return node_replace_names(r->cx, type, with, e->sizes.len);
}

// The buffers of the parameters; scalar inputs have one of a single element here.
static bool make_buffers(Run *r, Buffer **leaves)
{
    const LoopEntry *e = r->e;
    for (int i = 0; i < e->params.len; i++) {
        const LoopParam *p = &e->params.at[i];
        int64_t n;
        if (!exec_size(r, p->count, e->span, &n) ||
            !exec_buffer(r, p->name, n, !p->output && !p->both, e->span))
            return false;
        leaves[i] = map_get(&r->buffers, MAP_KEY(p->name));
    }
    return true;
}

static bool bind_inputs(Run *r, Buffer **leaves, const Value *args)
{
    const LoopEntry *e = r->e;
    int leaf = 0;
    for (int i = 0; i < e->nsource; i++) {
        Node *type = e->source[i].type;
        r->outcome =
            value_check(r->cx, r->arena, &args[i], closed_type(r, type), e->source[i].name);
        if (!r->outcome.ok) return false;
        int n = leaves_of(type);
        int64_t *used = ARENA_ARRAY(r->arena, int64_t, n);
        flatten(&args[i], type, leaves + leaf, used);
        leaf += n;
    }
    for (int i = 0; i < leaf; i++) {
        const LoopParam *p = &e->params.at[i];
        if (p->rank || p->both) continue;
        *exec_declare(r, p->name) = (Local){.bits = leaves[i]->bits[0], .set = true};
        map_put(&r->buffers, MAP_KEY(p->name), NULL);
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

Outcome loops_eval(Session *cx, Arena *arena, const LoopEntry *e, const int64_t *sizes,
                   const Value *args, Algebra algebra, int64_t fuel, Value *result)
{
    Run r = {.cx = cx,
             .arena = arena,
             .e = e,
             .entry = e,
             .sizes = sizes,
             .algebra = algebra,
             .fuel = fuel,
             .locals = map_new(arena),
             .buffers = map_new(arena),
             .outcome = {.ok = true}};
    Buffer **leaves = ARENA_ARRAY(arena, Buffer *, e->params.len);
    if (!check_sizes(&r) || !make_buffers(&r, leaves) || !bind_inputs(&r, leaves, args))
        return r.outcome;
    if (!exec_workspace(&r, e) || !exec_stmt(&r, e->body)) return r.outcome;
    int noutputs = outputs_of(e);
    int64_t *used = ARENA_ARRAY(arena, int64_t, noutputs);
    unflatten(&r, e->result, leaves + e->params.len - noutputs, used, result);
    return r.outcome;
}
