// Moves joins outward, because a loop over join(xss) would divide its index, but two nested loops
// over xss do not.
//
//   map(f, join(xss))          =  join(map(|xs| map(f, xs), xss))
//   zip(join(xss), join(yss))  =  join(map(|p| zip(p.0, p.1), zip(xss, yss)))  rows of equal length
//   reduce(f, z, join(xss))    =  fold(|a, xs| reduce(f, a, xs), z, xss)       in the same order
#include "memory_policy/internal.h"

static Node *lambda(Session *cx, int n, Node *const *types, const char *hint, Node *body)
{
    Sym names[2] = {session_sym(cx, n == 1 ? hint : "a"), session_sym(cx, hint)};
    return core_lam(cx, n, types, names, body);
}

// map(|xs| map(f, xs), xss)
static Node *map_rows(Session *cx, Node *map, Node *rows)
{
    Node *row = rows->type->op[1];
    Node *inner[2] = {node_shift(cx, map->op[0], 1, 0), core_var(cx, 0, row)};
    Node *body =
        node_with_variant(cx, core_at(cx, core_pattern(cx, CORE_MAP, 0, 2, inner), map->origin),
                          (Variant)map->variant);
    Node *outer[2] = {lambda(cx, 1, &row, "row", body), rows};
    return node_with_variant(cx, core_at(cx, core_pattern(cx, CORE_MAP, 0, 2, outer), map->origin),
                             (Variant)map->variant);
}

static Node *unjoin(Session *cx, Node *e);

static Node *zip_rows(Session *cx, Node *zip)
{
    Node **rows = ARENA_ARRAY(cx->arena, Node *, zip->nops);
    for (uint32_t i = 0; i < zip->nops; i++) {
        rows[i] = unjoin(cx, zip->op[i]);
        if (!rows[i] || rows[i]->type->op[0] != rows[0]->type->op[0] ||
            rows[i]->type->op[1]->op[0] != rows[0]->type->op[1]->op[0])
            return NULL;
    }
    Node *outer = core_at(cx, core_pattern(cx, VIEW_ZIP, 0, (int)zip->nops, rows), zip->origin);
    Node *element = outer->type->op[1], *x = core_var(cx, 0, element);
    Node **parts = ARENA_ARRAY(cx->arena, Node *, zip->nops);
    for (uint32_t i = 0; i < zip->nops; i++) parts[i] = core_proj(cx, x, (int)i);
    Node *body = core_at(cx, core_pattern(cx, VIEW_ZIP, 0, (int)zip->nops, parts), zip->origin);
    Node *ops[2] = {lambda(cx, 1, &element, "rows", body), outer};
    return core_at(cx, core_pattern(cx, CORE_MAP, 0, 2, ops), zip->origin);
}

// Returns the array of rows whose join equals `e`, looking through maps and zips. Returns NULL if
// there is none.
static Node *unjoin(Session *cx, Node *e)
{
    if (e->variant != VARIANT_ANY && e->variant != VARIANT_SRC) return NULL;
    if (e->kind == VIEW_JOIN) return e->op[0];
    if (e->kind == VIEW_ZIP) return zip_rows(cx, e);
    if (e->kind != CORE_MAP) return NULL;
    Node *rows = unjoin(cx, e->op[1]);
    return rows ? map_rows(cx, e, rows) : NULL;
}

Node *policy_map_rows(Session *cx, Node *e)
{
    Node *rows = unjoin(cx, e);
    if (!rows) return e;
    Node *join = core_at(cx, core_pattern(cx, VIEW_JOIN, 0, 1, &rows), e->origin);
    return node_with_type(cx, join, e->type);
}

Node *policy_reduce_rows(Session *cx, Node *e)
{
    Node *rows = unjoin(cx, e->op[2]);
    if (!rows) return e;
    Node *types[2] = {e->type, rows->type->op[1]};
    Node *inner[3] = {node_shift(cx, e->op[0], 2, 0), core_var(cx, 1, types[0]),
                      core_var(cx, 0, types[1])};
    Node *body = core_at(cx, core_pattern(cx, (Kind)e->kind, 0, 3, inner), e->origin);
    Node *outer[3] = {lambda(cx, 2, types, "row", body), e->op[1], rows};
    return core_at(cx, core_pattern(cx, CORE_FOLD, 0, 3, outer), e->origin);
}
