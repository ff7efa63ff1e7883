// A map split in two at an array, or another value, that a let of its function names:
//
//     map(|x| { let y = g(x); f(y, x) }, xs)  =  map(|(y, x)| f(y, x), zip(map(|x| g(x), xs), xs))
//
// The rule split_map does this for the outermost operation of a function. Here the function may
// have other lets: those that the value needs go with it, and the others stay.
#include "schedule/run.h"

typedef struct {
    Session *cx;
    VEC(Node *) lets; // the lets of the function, up to the one that is split off
    bool *needed;     // which of them the value of the last one needs
} Split;

static const Way *step(Run *r, const Way *outer, int child, Node *parent)
{
    Way *way = ARENA_NEW(r->arena, Way);
    *way = (Way){outer, child, parent};
    return way;
}

static Sym name_of(const Node *binder)
{
    return binder->names ? binder->names[0] : NULL;
}

// Finds the let whose value the strategy succeeds on.
static bool find_let(Split *s, Run *r, const Strategy *is, const Env *env, Node *map,
                     const Way *way)
{
    const Way *in = step(r, step(r, way, 0, map), -1, map->op[0]);
    for (Node *e = map->op[0]->op[0]; e->kind == CORE_LET; e = e->op[1]) {
        vec_push(r->arena, &s->lets, e);
        if (run_succeeds(r, is, env, e->op[0], step(r, in, 0, e))) return true;
        in = step(r, in, 1, e);
    }
    return false;
}

static void find_needed(Split *s, Arena *arena)
{
    int last = s->lets.len - 1;
    s->needed = ARENA_ARRAY(arena, bool, last + 1);
    s->needed[last] = true;
    for (int i = last; i >= 0; i--)
        for (int k = 0; k < i && s->needed[i]; k++)
            s->needed[k] |= node_uses(s->lets.at[i]->op[0], i - 1 - k);
}

// What the first map computes: the value, behind the lets that it needs.
static Node *first_body(const Split *s)
{
    int last = s->lets.len - 1;
    Node *e = s->lets.at[last]->op[0];
    for (int i = last - 1; i >= 0; i--) {
        Node *let = s->lets.at[i];
        e = s->needed[i] ? core_let(s->cx, name_of(let), let->op[0], e)
                         : node_shift(s->cx, e, -1, 0);
    }
    return e;
}

// What the second map computes, under two variables: the value, and the element of the array. NULL
// if it needs one of the lets that the value needs.
static Node *second_body(const Split *s)
{
    int last = s->lets.len - 1;
    Node *let = s->lets.at[last], *value = core_var(s->cx, last + 1, let->op[0]->type);
    Node *e = node_instantiate(s->cx, node_shift(s->cx, let->op[1], 1, last + 2), &value, 1);
    for (int i = last - 1; i >= 0; i--) {
        if (s->needed[i] && node_uses(e, 0)) return NULL;
        Node *own = node_shift(s->cx, s->lets.at[i]->op[0], 1, i + 1);
        e = s->needed[i] ? node_shift(s->cx, e, -1, 0)
                         : core_let(s->cx, name_of(s->lets.at[i]), own, e);
    }
    return e;
}

static Node *map_of(Session *cx, Node *type, Sym name, Node *body, Node *xs)
{
    Node *ops[] = {core_lam(cx, 1, &type, name ? &name : NULL, body), xs};
    return core_pattern(cx, CORE_MAP, 0, 2, ops);
}

// The second map, over the first one's elements, and those of the array if it uses them.
static Node *second_map(const Split *s, Node *first, Node *xs)
{
    Session *cx = s->cx;
    Node *body = second_body(s), *let = s->lets.at[s->lets.len - 1];
    if (!body) return NULL;
    if (!node_uses(body, 0))
        return map_of(cx, first->type->op[1], name_of(let), node_shift(cx, body, -1, 0), first);
    Node *arrays[] = {first, xs}, *zip = core_pattern(cx, VIEW_ZIP, 0, 2, arrays);
    Node *pair = core_var(cx, 0, zip->type->op[1]);
    Node *parts[] = {core_proj(cx, pair, 0), core_proj(cx, pair, 1)};
    body = node_instantiate(cx, node_shift(cx, body, 1, 2), parts, 2);
    return map_of(cx, zip->type->op[1], NULL, body, zip);
}

Node *run_split_at(Run *r, const Strategy *is, const Env *env, Node *e, const Way *way)
{
    if (e->kind != CORE_MAP || e->variant != VARIANT_ANY) return NULL;
    if (!r->pure && !schedule_is_pure(e)) return NULL;
    Split s = {.cx = r->cx};
    if (!find_let(&s, r, is, env, e, way)) return NULL;
    find_needed(&s, r->arena);
    Node *lam = e->op[0], *type = type_param(lam->type, 0);
    Node *first = map_of(r->cx, type, name_of(lam), first_body(&s), e->op[1]);
    if (term_may_fail(first)) return NULL; // what fails otherwise does so in the same order
    Node *second = second_map(&s, core_at(r->cx, first, e->origin), e->op[1]);
    return second ? core_at(r->cx, second, e->origin) : NULL;
}
