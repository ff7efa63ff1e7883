// Lowers state and control (lower.c describes the policy). Side effects keep their order: an array
// that would be delayed past a write to a location that it reads is stored before the write
// (lower_let).
#include "memory_policy/internal.h"

int policy_root(Node *place)
{
    for (;;) switch (place->kind) {
        case CORE_VAR: return (int)place->attr.i;
        case CORE_BORROW:
        case CORE_REF_AT:
        case CORE_REF_PROJ:
        case CORE_PROJ: place = place->op[0]; break;
        case CORE_REF_SLICE: place = place->op[2]; break;
        default: return -1;
        }
}

static void use_place(Build *b, Node *place, int how)
{
    int root = policy_root(place);
    if (root < 0) return;
    Use use = use_whole(root, ONCE);
    use.place = (uint8_t)how;
    b->uses = uses_both(b->l->arena, b->uses, uses_one(b->l->arena, use));
}

const Low *lower_place(Lower *l, Node *e)
{
    Build b = lower_build(l, e);
    for (uint32_t i = 0; i < e->nops; i++)
        if (kind_sort((Kind)e->kind, (int)i) == SORT_TERM) lower_operand_read(&b, (int)i, ONCE);
    return lower_finish(&b, VARIANT_ANY);
}

const Low *lower_get(Lower *l, Node *e)
{
    Build b = lower_build(l, e);
    lower_operand_read(&b, 0, ONCE);
    use_place(&b, e->op[0], USE_READ | USE_TOUCHED);
    return lower_finish(&b, VARIANT_ANY);
}

const Low *lower_cell(Lower *l, Node *e)
{
    Build b = lower_build(l, e);
    lower_operand_write(&b, 0);
    (void)lower_fits(l, e->op[0]->type, (Variant)e->variant);
    b.cost = (Cost){.once = COST_BIG};
    return lower_finish(&b, (Variant)e->variant);
}

// --- writing a location ------------------------------------------------------------------------

// The state while a term is abstracted over the value of a location. In the result, the innermost
// free variable stands for this value.
typedef struct {
    Node *place;
    Map done; // node and depth -> node
} Abstract;

static Node *abstract(Session *cx, Node *e, int depth, void *env);

// Returns the value at `path` as a term in the variable that stands for the location's value, or
// NULL if `path` is not a path into the location.
static Node *part_of_value(Session *cx, Abstract *a, Node *path, int depth)
{
    if (path == node_shift(cx, a->place, depth, 0))
        return core_var(cx, depth, a->place->type->op[0]);
    if (path->kind != CORE_REF_AT && path->kind != CORE_REF_PROJ && path->kind != CORE_BORROW)
        return NULL;
    Node *whole = part_of_value(cx, a, path->op[0], depth);
    if (!whole || path->kind == CORE_BORROW) return whole;
    if (path->kind == CORE_REF_PROJ) return core_proj(cx, whole, (int)path->attr.i);
    Node *ops[2] = {whole, abstract(cx, path->op[1], depth, a)};
    return core_pattern(cx, whole->type->kind == TYPE_VEC ? CORE_EXTRACT : CORE_INDEX, 0, 2, ops);
}

static Node *abstract(Session *cx, Node *e, int depth, void *env)
{
    Abstract *a = env;
    if (e->loose == 0 || (kind_info[e->kind].levels & (LEVEL_NAT | LEVEL_TYPE))) return e;
    uint64_t key = (uint64_t)e->id << 32 | (uint32_t)depth;
    Node *done = map_get(&a->done, key);
    if (done) return done;
    if (e->kind == CORE_GET) done = part_of_value(cx, a, e->op[0], depth);
    if (!done) done = node_map(cx, e, depth, abstract, env);
    map_put(&a->done, key, (void *)(uintptr_t)done);
    return done;
}

// Whether writing `value` into the location reads no scalar of the location that it has already
// changed.
static bool is_in_place(Lower *l, Node *place, const Low *value)
{
    int root = policy_root(place);
    if (uses_place(value->uses, root) & USE_WRITTEN) return false;
    for (int i = 0; i < value->uses.len && l->aliases; i++)
        if (value->uses.at[i].place && value->uses.at[i].index != root) return false;
    if (!(uses_place(value->uses, root) & USE_TOUCHED)) return true;
    Abstract a = {.place = node_shift(l->cx, place, 1, 0), .done = map_new(l->arena)};
    Node *body = abstract(l->cx, node_shift(l->cx, value->term, 1, 0), 0, &a);
    return !node_uses(body, root + 1) && policy_is_inplace(l->cx, l->arena, &l->free_vars, body, 1);
}

const Low *lower_put(Lower *l, Node *e)
{
    Build b = lower_build(l, e);
    const Low *p = lower_read(l, e->op[0], ONCE), *v = lower_write(l, e->op[1]);
    if (type_has_array(e->op[1]->type) && !is_in_place(l, p->term, v))
        v = lower_copy_of_stored(
            l, e->op[1],
            "it may read elements of the array that it overwrites after they have changed");
    lower_operand(&b, 0, p, p->cost);
    lower_operand(&b, 1, v, v->cost);
    use_place(&b, e->op[0], USE_WRITTEN);
    return lower_finish_effect(&b);
}

// --- control -----------------------------------------------------------------------------------

const Low *lower_label(Lower *l, Node *e)
{
    Build b = lower_build(l, e);
    const Low *body = lower_write(l, e->op[0]);
    b.ops[0] = body->term;
    b.uses = uses_outside(l->arena, body->uses, 1, BINDER_LET);
    return lower_finish_effect(&b);
}

const Low *lower_jump(Lower *l, Node *e)
{
    Build b = lower_build(l, e);
    for (uint32_t i = 1; i < e->nops; i++) lower_operand_write(&b, (int)i);
    return lower_finish(&b, VARIANT_ANY);
}

// Lowers forever, range, parallel, vectorize and spawn: the bounds, then the body.
const Low *lower_loop(Lower *l, Node *e)
{
    Build b = lower_build(l, e);
    int last = (int)e->nops - 1;
    for (int i = 0; i < last; i++) lower_operand_read(&b, i, ONCE);
    if (e->kind == CORE_FOREVER) {
        const Low *body = lower_read(l, e->op[0], ONCE);
        b.ops[0] = body->term;
        b.uses = uses_outside(l->arena, body->uses, 0, BINDER_LOOP);
    } else {
        lower_function(&b, last, lower_read(l, e->op[last]->op[0], ONCE), BINDER_LOOP);
    }
    b.cost = (Cost){.once = COST_BIG};
    return lower_finish(&b, e->variant == VARIANT_MMA ? VARIANT_MMA : VARIANT_ANY);
}

// Lowers sync and assert, whose operand is a scalar.
const Low *lower_scalar_statement(Lower *l, Node *e)
{
    Build b = lower_build(l, e);
    for (uint32_t k = 0; k < e->nops; k++) lower_operand_read(&b, (int)k, ONCE);
    return lower_finish_effect(&b);
}

// Whether the call is passed a reference through which it may write a location that the value
// reads.
static bool is_written_by(Lower *l, Node *call, const Low *value)
{
    for (int k = 0; k < value->uses.len; k++) {
        if (!(value->uses.at[k].place & USE_READ)) continue;
        for (uint32_t i = 0; i < call->nops; i++) {
            Node *type = call->op[i]->type;
            bool same = l->aliases || policy_root(call->op[i]) == value->uses.at[k].index;
            if (type->kind == TYPE_REF && type_ref_mutable(type) && same) return true;
        }
    }
    return false;
}

const Low *lower_call(Lower *l, Node *e)
{
    Build b = lower_build(l, e);
    for (uint32_t i = 0; i < e->nops; i++) {
        Node *arg = e->op[i];
        const Low *x = lower_read(l, arg, ONCE);
        if (type_has_array(arg->type) && is_written_by(l, e, x))
            x = lower_to_mem(l, arg, "the function may write the array from which it is read");
        lower_operand(&b, (int)i, x, x->cost);
        if (arg->kind == CORE_VAR && type_has_array(arg->type)) lower_pass(&b, (int)arg->attr.i);
        if (arg->type->kind != TYPE_REF) continue;
        use_place(&b, arg,
                  USE_READ | USE_TOUCHED | (type_ref_mutable(arg->type) ? USE_WRITTEN : 0));
    }
    return lower_finish_effect(&b);
}
