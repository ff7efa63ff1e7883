// Rewrites zips in which an array occurs several times, so that it is read only once.
//
//   map(|p| b, zip(xs, xs))  =  map(|x| b', xs)   where b' has x for p.0 and p.1
//   map(|p| b, zip(xs, ys, xs))  =  map(|p| b', zip(xs, ys))   where b' has p.0 for p.2
//
// The same holds for fold and the last parameter of its function.
#include "memory_policy/internal.h"

// How the components of an element change when the zip keeps each distinct array only once.
typedef struct {
    int n, count;    // the numbers of arrays in the old and the new zip
    const int *part; // part[k] is the position in the new zip of array k of the old one
    Node *element;   // the element type of the new zip
    Map done;        // node and depth -> node
} Renumber;

static Node *part_of(Session *cx, const Renumber *r, int depth, int k)
{
    Node *x = core_var(cx, depth, r->element);
    return r->count == 1 ? x : core_proj(cx, x, r->part[k]);
}

static Node *renumber(Session *cx, Node *e, int depth, void *env)
{
    Renumber *r = env;
    if (e->loose <= (uint32_t)depth || (kind_info[e->kind].levels & (LEVEL_NAT | LEVEL_TYPE)))
        return e;
    if (e->kind == CORE_PROJ && e->op[0]->kind == CORE_VAR && e->op[0]->attr.i == depth)
        return part_of(cx, r, depth, (int)e->attr.i);
    if (e->kind == CORE_VAR) {
        if (e->attr.i != depth) return e;
        Node **parts = ARENA_ARRAY(cx->arena, Node *, r->n);
        for (int k = 0; k < r->n; k++) parts[k] = part_of(cx, r, depth, k);
        return core_tuple(cx, r->n, parts, e->type);
    }
    uint64_t key = (uint64_t)e->id << 32 | (uint32_t)depth;
    Node *done = map_get(&r->done, key);
    if (done) return done;
    done = node_map(cx, e, depth, renumber, env);
    map_put(&r->done, key, (void *)(uintptr_t)done);
    return done;
}

// Finds the distinct arrays in a zip and returns how many there are.
static int different(Node *zip, Node **arrays, int *part)
{
    int count = 0;
    for (int k = 0; k < (int)zip->nops; k++) {
        int i = 0;
        while (i < count && arrays[i] != zip->op[k]) i++;
        if (i == count) arrays[count++] = zip->op[k];
        part[k] = i;
    }
    return count;
}

Node *policy_zip_once(Lower *l, Node *e)
{
    Session *cx = l->cx;
    int xs = e->kind == CORE_MAP ? 1 : 2;
    Node *lam = e->op[0], *zip = e->op[xs];
    if (zip->kind != VIEW_ZIP || zip->variant != VARIANT_ANY) return e;
    Node **arrays = ARENA_ARRAY(l->arena, Node *, zip->nops);
    int n = (int)lam->attr.i, *part = ARENA_ARRAY(l->arena, int, zip->nops);
    int count = different(zip, arrays, part);
    if (count == (int)zip->nops) return e;
    Node *array = arrays[0], *types[2], *ops[3];
    if (count > 1) array = core_at(cx, core_pattern(cx, VIEW_ZIP, 0, count, arrays), zip->origin);
    Renumber r = {.n = (int)zip->nops,
                  .count = count,
                  .part = part,
                  .element = array->type->op[1],
                  .done = map_new(l->arena)};
    for (int k = 0; k + 1 < n; k++) types[k] = type_param(lam->type, k);
    types[n - 1] = r.element;
    for (uint32_t k = 0; k < e->nops; k++) ops[k] = e->op[k];
    ops[0] = core_lam(cx, n, types, lam->names, renumber(cx, lam->op[0], 0, &r));
    ops[xs] = array;
    return node_with_ops(cx, e, ops);
}
