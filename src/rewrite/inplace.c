// When may an array accumulator be updated in place? When each scalar leaf is written from at most
// that very leaf of the old value. The body of the fold, in WRITE, is followed down to
// its leaves with the path of the destination; variables that stand for a part of the accumulator
// are known by the path of that part. Reads of a part by a condition or a let come before anything
// below that part is written, so they may read all of it.
#include "rewrite/internal.h"

// A path into the accumulator, innermost step first. A step is the component of a tuple (>= 0), or
// the index of a loop, numbered from -1 downwards.
typedef struct Place Place;
struct Place {
    int step;
    const Place *up;
};

// What a variable or readable term is: nothing of the accumulator, a part of it, a tuple of such,
// or an index of a loop.
typedef enum { OTHER, PART, PARTS, INDEX } PartKind;
typedef struct Part Part;
struct Part {
    PartKind kind;
    const Place *place; // PART
    int loop;           // INDEX
    Node *zip; // PARTS: the arrays behind the components, seen from `env`, their elements at step
               // `loop`
    const Part **parts; // PARTS
};

typedef struct Env Env;
struct Env {
    Part part;
    const Env *up;
};

typedef struct {
    Session *cx;
    Arena *arena;
    int loops;
} Check;

static const Place *step(Check *c, const Place *up, int s)
{
    Place *p = ARENA_NEW(c->arena, Place);
    *p = (Place){s, up};
    return p;
}

static bool same_place(const Place *a, const Place *b)
{
    for (; a && b; a = a->up, b = b->up) {
        if (a == b) return true;
        if (a->step != b->step) return false;
    }
    return a == b;
}

// Whether `a` is `b` or inside of it.
static bool is_within(const Place *a, const Place *b)
{
    for (;; a = a->up) {
        if (same_place(a, b)) return true;
        if (!a) return false;
    }
}

static const Env *push(Check *c, const Env *up, Part part)
{
    Env *e = ARENA_NEW(c->arena, Env);
    *e = (Env){part, up};
    return e;
}

static const Env *push_others(Check *c, const Env *up, int n)
{
    for (; n > 0; n--) up = push(c, up, (Part){.kind = OTHER});
    return up;
}

static Part part_of_variable(Node *e, const Env *env)
{
    for (int64_t i = e->attr.i; i > 0 && env; i--) env = env->up;
    return env ? env->part : (Part){.kind = OTHER};
}

static const Part *keep(Check *c, Part p)
{
    Part *k = ARENA_NEW(c->arena, Part);
    *k = p;
    return k;
}

// The part of the accumulator that a readable term is; OTHER also for terms that compute something.
static Part part_of(Check *c, Node *e, const Env *env)
{
    switch (e->kind) {
    case CORE_VAR: return part_of_variable(e, env);
    case CORE_PROJ: {
        Part p = part_of(c, e->op[0], env);
        if (p.kind == PARTS) return *p.parts[e->attr.i];
        if (p.kind == PART) return (Part){PART, .place = step(c, p.place, (int)e->attr.i)};
        return (Part){.kind = OTHER};
    }
    case CORE_INDEX: {
        Part xs = part_of(c, e->op[0], env), i = part_of(c, e->op[1], env);
        if (xs.kind == PART && i.kind == INDEX)
            return (Part){PART, .place = step(c, xs.place, i.loop)};
        return (Part){.kind = OTHER};
    }
    default: return (Part){.kind = OTHER};
    }
}

// Whether all that `e` reads of the accumulator is inside `place`.
static bool reads_within(Check *c, Node *e, const Env *env, const Place *place)
{
    if (e->loose == 0 || (kind_info[e->kind].levels & LEVEL_NAT)) return true;
    Part p = part_of(c, e, env);
    if (p.kind == PART) return is_within(p.place, place);
    if (p.kind == PARTS) {
        int n = (int)e->type->nops;
        for (int k = 0; k < n; k++)
            if (p.parts[k]->kind == PARTS ||
                (p.parts[k]->kind == PART && !is_within(p.parts[k]->place, place)))
                return false;
        return true;
    }
    if (e->kind == CORE_PROJ && part_of(c, e->op[0], env).kind == PARTS)
        return true; // the other components are not read
    if (e->kind == CORE_LAM)
        return reads_within(c, e->op[0], push_others(c, env, (int)e->attr.i), place);
    for (uint32_t k = 0; k < e->nops; k++) {
        const Env *inner = push_others(c, env, node_binds(e, (int)k));
        if (!reads_within(c, e->op[k], inner, place)) return false;
    }
    return true;
}

// A place that nothing is inside of: for terms that must not read the accumulator.
static bool reads_nothing(Check *c, Node *e, const Env *env)
{
    Place nowhere = {.step = INT32_MAX};
    return reads_within(c, e, env, &nowhere);
}

// The element, at loop `loop`, of the array `xs` that a loop over `place` goes through. False when
// it reads the accumulator in other ways than element by element.
static bool part_of_element(Check *c, Node *xs, const Env *env, const Place *place, int loop,
                            Part *out)
{
    *out = (Part){.kind = OTHER};
    Part p = part_of(c, xs, env);
    if (p.kind == PART) {
        *out = (Part){PART, .place = step(c, p.place, loop)};
        return is_within(p.place, place);
    }
    if (xs->kind == VIEW_ZIP) {
        const Part **parts = ARENA_ARRAY(c->arena, const Part *, xs->nops);
        for (uint32_t k = 0; k < xs->nops; k++) {
            Part q;
            if (!part_of_element(c, xs->op[k], env, place, loop, &q)) return false;
            parts[k] = keep(c, q);
        }
        *out = (Part){PARTS, .parts = parts};
        return true;
    }
    if (xs->kind == CORE_MAP && !type_has_array(xs->type->op[1])) {
        Part x;
        if (!part_of_element(c, xs->op[1], env, place, loop, &x)) return false;
        Place here = {loop, place};
        return reads_within(c, xs->op[0]->op[0], push(c, env, x), &here);
    }
    return reads_nothing(c, xs, env);
}

static bool writes(Check *c, Node *e, const Env *env, const Place *place);

static bool writes_let(Check *c, Node *e, const Env *env, const Place *place)
{
    if (type_has_array(e->op[0]->type) ? !reads_nothing(c, e->op[0], env)
                                       : !reads_within(c, e->op[0], env, place))
        return false;
    return writes(c, e->op[1], push(c, env, (Part){.kind = OTHER}), place);
}

static bool writes_map(Check *c, Node *e, const Env *env, const Place *place)
{
    int loop = -++c->loops;
    Part x;
    return part_of_element(c, e->op[1], env, place, loop, &x) &&
           writes(c, e->op[0]->op[0], push(c, env, x), step(c, place, loop));
}

static bool writes_generate(Check *c, Node *e, const Env *env, const Place *place)
{
    int loop = -++c->loops;
    return writes(c, e->op[1]->op[0], push(c, env, (Part){INDEX, .loop = loop}),
                  step(c, place, loop));
}

// Whether writing `e` to `place` reads of the accumulator only what it writes.
static bool writes(Check *c, Node *e, const Env *env, const Place *place)
{
    switch (e->kind) {
    case CORE_LET: return writes_let(c, e, env, place);
    case CORE_TUPLE:
        for (uint32_t k = 0; k < e->nops; k++)
            if (!writes(c, e->op[k], env, step(c, place, (int)k))) return false;
        return true;
    case CORE_IF:
        return reads_within(c, e->op[0], env, place) && writes(c, e->op[1], env, place) &&
               writes(c, e->op[2], env, place);
    case CORE_MAP: return writes_map(c, e, env, place);
    case CORE_GENERATE: return writes_generate(c, e, env, place);
    case CORE_COPY: {
        Part p = part_of(c, e->op[0], env);
        return p.kind == PART ? same_place(p.place, place) : reads_nothing(c, e, env);
    }
    default: break;
    }
    if (type_has_array(e->type)) return reads_nothing(c, e, env);
    if (e->type->kind == TYPE_TUPLE || e->type->kind == TYPE_STRUCT) {
        Part p = part_of(c, e, env);
        return p.kind == PART ? same_place(p.place, place) : reads_nothing(c, e, env);
    }
    return reads_within(c, e, env, place);
}

bool rewrite_is_inplace(Session *cx, Arena *arena, Node *body, int n)
{
    Check c = {.cx = cx, .arena = arena};
    const Env *env = push(&c, NULL, (Part){PART, .place = NULL});
    return writes(&c, body, push_others(&c, env, n - 1), NULL);
}
