// The locations of parts of the accumulator. A view of a part, read or written, is a part as well,
// and this file computes the indices of its elements in the accumulator.
#include "memory_policy/inplace/inplace.h"

// An element of the accumulator at an unknown index.
static const Place anywhere = {.step = STEP_AT};

static const Place *new_place(InPlace *c, Place p)
{
    Place *place = ARENA_NEW(c->arena, Place);
    *place = p;
    return place;
}

const Place *place_component(InPlace *c, const Place *up, int k)
{
    return new_place(c, (Place){.step = STEP_COMPONENT, .k = k, .up = up});
}

bool place_is_partial(const Place *place)
{
    return place && place->step != STEP_AT && place->step != STEP_COMPONENT;
}

const Place *place_enclosing(const Place *place)
{
    while (place_is_partial(place)) place = place->up;
    return place;
}

// --- elements ------------------------------------------------------------------------------------

static const Place *written(InPlace *c, Node *body, const Place *up);

// Whether all divisors in the size are positive.
static bool is_defined(InPlace *c, Node *e)
{
    bool quotient = e->kind == NAT_DIV || e->kind == NAT_MOD;
    if (quotient && nat_lt(c->cx, NULL, nat_const(c->cx, 0), e->op[1]) != TRUTH_YES) return false;
    for (uint32_t i = 0; i < e->nops; i++)
        if (!is_defined(c, e->op[i])) return false;
    return true;
}

static const Place *place_at(InPlace *c, const Place *up, Path *path)
{
    for (; path; path = path->rest) {
        Node *at = path->step.index;
        bool known = !path->step.is_component && at && is_defined(c, at);
        up = path->step.is_component ? place_component(c, up, path->step.component)
                                     : place_element(c, up, known ? at : NULL);
    }
    return up;
}

// Adds an index to a part seen through a view. Once it has as many indices as the view needs, the
// result is an element of the part under the view.
static const Place *element_of_view(InPlace *c, const Place *seen, Node *at)
{
    Place place = *seen;
    ViewContext v = {.cx = c->cx, .arena = c->arena};
    Path *step = path_index(c->arena, at, NULL);
    place.path = seen->path ? path_append(c->arena, seen->path, step) : step;
    const ViewRow *row = view_row((Kind)seen->view->kind);
    bool get = seen->step == STEP_GET;
    size_t n = strlen(get ? row->get_steps : row->put_steps), have = 0;
    for (Path *p = place.path; p; p = p->rest) have++;
    if (have < n) return new_place(c, place);
    ViewStep s =
        get ? row->get(&v, seen->view, place.path) : row->put(&v, seen->view, seen->k, place.path);
    return s.kind == STEP_PLACE ? place_at(c, seen->up, s.inside.path) : &anywhere;
}

const Place *place_element(InPlace *c, const Place *up, Node *at)
{
    if (up == &anywhere) return up;
    switch (up ? up->step : STEP_AT) {
    case STEP_AT:
    case STEP_COMPONENT: return new_place(c, (Place){.step = STEP_AT, .at = at, .up = up});
    case STEP_GET:
    case STEP_PUT: return element_of_view(c, up, at);
    case STEP_READ: {
        Part x = {PART, .place = place_element(c, up->up, at)};
        Part p = inplace_part(c, up->body, inplace_push(c, NULL, x), NULL);
        return p.kind == PART ? p.place : &anywhere;
    }
    case STEP_WRITTEN: return written(c, up->body, place_element(c, up->up, at));
    }
    return &anywhere;
}

static bool is_same_path(Path *a, Path *b)
{
    for (; a && b; a = a->rest, b = b->rest)
        if (!a->step.index || a->step.index != b->step.index) return false;
    return !a && !b;
}

static bool is_same_step(const Place *a, const Place *b)
{
    if (a->step != b->step) return false;
    switch (a->step) {
    case STEP_COMPONENT: return a->k == b->k;
    case STEP_AT: return a->at && a->at == b->at;
    case STEP_GET:
    case STEP_PUT: return a->view == b->view && a->k == b->k && is_same_path(a->path, b->path);
    case STEP_READ:
    case STEP_WRITTEN: return a->body == b->body;
    }
    return false;
}

bool place_is_same(const Place *a, const Place *b)
{
    for (; a && b; a = a->up, b = b->up) {
        if (a == b) return true;
        if (!is_same_step(a, b)) return false;
    }
    return a == b;
}

bool place_is_within(const Place *a, const Place *b)
{
    for (;; a = a->up) {
        if (place_is_same(a, b)) return true;
        if (!a) return false;
    }
}

// --- views that write ----------------------------------------------------------------------------

// Whether the view, read or written, moves each element once, by its index alone.
static bool moves(Node *e)
{
    const ViewRow *row = kind_is_view((Kind)e->kind) ? view_row((Kind)e->kind) : NULL;
    if (!row || row->alone || row->roles || strchr(row->get_steps, 'c')) return false;
    switch (row->levels) {
    case LEVELS_SAME:
    case LEVELS_SPLIT:
    case LEVELS_JOIN:
    case LEVELS_SWAP: return true;
    case LEVELS_WINDOWS:
    case LEVELS_REPEAT:
    case LEVELS_MANY: break;
    }
    return false;
}

// Whether the last operand is the only array operand.
static bool has_one(Node *e)
{
    for (int k = 0; k + 1 < (int)e->nops; k++)
        if (view_role(e, k) == ROLE_DATA) return false;
    return true;
}

// Returns the view with a hole in place of each operand that is not a size, so that equal views of
// different terms are the same node.
static Node *over_holes(InPlace *c, Node *e)
{
    Node **ops = ARENA_ARRAY(c->arena, Node *, e->nops + 1);
    for (int k = 0; k < (int)e->nops; k++)
        ops[k] = view_role(e, k) == ROLE_SIZE
                     ? e->op[k]
                     : node_make(c->cx, &(NodeSpec){.kind = PH_HOLE, .type = e->op[k]->type});
    NodeSpec view = {.kind = (Kind)e->kind, .type = e->type, .nops = (int)e->nops, .ops = ops};
    return node_make(c->cx, &view);
}

// Whether `body` consists of its parameter wrapped in views that write.
static bool is_chain(InPlace *c, Node *body)
{
    for (; body->kind != CORE_VAR; body = body->op[body->nops - 1])
        if (!has_one(body) || !place_writes(c, body)) return false;
    return body->attr.i == 0;
}

bool place_writes(InPlace *c, Node *e)
{
    if (e->variant != VARIANT_DST) return false;
    if (e->kind == CORE_MAP) return e->op[0]->attr.i == 1 && is_chain(c, e->op[0]->op[0]);
    return moves(e) && view_row((Kind)e->kind)->writes == WRITES_DATA;
}

// The location to which the parameter of a body is written when the body is written to `up`. The
// body must satisfy is_chain.
static const Place *written(InPlace *c, Node *body, const Place *up)
{
    for (; body->kind != CORE_VAR; body = body->op[body->nops - 1])
        up = place_of_operand(c, body, (int)body->nops - 1, up);
    return up;
}

const Place *place_of_operand(InPlace *c, Node *e, int k, const Place *up)
{
    if (e->kind == CORE_MAP)
        return new_place(c, (Place){STEP_WRITTEN, .body = e->op[0]->op[0], .up = up});
    return new_place(c, (Place){STEP_PUT, .k = k, .view = over_holes(c, e), .up = up});
}

// --- what is read --------------------------------------------------------------------------------

const Env *inplace_push(InPlace *c, const Env *up, Part part)
{
    Env *e = ARENA_NEW(c->arena, Env);
    *e = (Env){link_before(up ? &up->link : NULL), part};
    return e;
}

Part inplace_at(const Env *env, int64_t index)
{
    const Env *var = (const Env *)link_at(env ? &env->link : NULL, index);
    return var ? var->part : (Part){.kind = OTHER};
}

// Whether the body of the function consists of its parameter wrapped in views.
static bool is_view(Node *lam)
{
    if (lam->attr.i != 1 || lam->loose > 0) return false;
    Node *e = lam->op[0];
    for (; e->kind != CORE_VAR; e = e->op[e->nops - 1])
        if (e->kind == CORE_INDEX || e->nops == 0) return false;
    return e->attr.i == 0;
}

// The part that map.src f xs denotes if f consists of views, and OTHER if it does not.
static Part seen_by_element(InPlace *c, Node *e, const Env *env, const Scope *scope)
{
    Part other = {.kind = OTHER};
    Part p = is_view(e->op[0]) ? inplace_part(c, e->op[1], env, scope) : other;
    if (p.kind != PART) return other;
    Node *body = e->op[0]->op[0];
    Part x = {PART, .place = place_element(c, p.place, NULL)};
    if (inplace_part(c, body, inplace_push(c, NULL, x), NULL).kind != PART) return other;
    p.place = new_place(c, (Place){STEP_READ, .body = body, .up = p.place});
    return p;
}

static Part part_of_view(InPlace *c, Node *e, const Env *env, const Scope *scope)
{
    if (e->variant != VARIANT_SRC) return (Part){.kind = OTHER};
    if (e->kind == CORE_MAP) return seen_by_element(c, e, env, scope);
    Part p = has_one(e) ? inplace_part(c, e->op[e->nops - 1], env, scope) : (Part){.kind = OTHER};
    if (p.kind != PART) return (Part){.kind = OTHER};
    p.place = new_place(c, (Place){STEP_GET, .view = over_holes(c, e), .up = p.place});
    return p;
}

Part inplace_part(InPlace *c, Node *e, const Env *env, const Scope *scope)
{
    if (c->fuel-- <= 0) return (Part){.kind = OTHER};
    switch ((Kind)e->kind) {
    case CORE_VAR: return inplace_at(env, e->attr.i);
    case CORE_PROJ: {
        Part p = inplace_part(c, e->op[0], env, scope);
        if (p.kind == PARTS) return *p.parts[e->attr.i];
        if (p.kind == PART) p.place = place_component(c, p.place, (int)e->attr.i);
        return p.kind == PART ? p : (Part){.kind = OTHER};
    }
    case CORE_INDEX: {
        Part p = inplace_part(c, e->op[0], env, scope);
        if (p.kind != PART) return (Part){.kind = OTHER};
        p.place = place_element(c, p.place, inplace_size(c, e->op[1], env, scope));
        return p;
    }
    case CORE_MAP: return part_of_view(c, e, env, scope);
    default: return moves(e) ? part_of_view(c, e, env, scope) : (Part){.kind = OTHER};
    }
}
