// Parts of the accumulator and where they are, through views: what is read through views of a part, and what views write to a part, are
// parts as well. Their elements are elements of the accumulator, at indices that are computed here.
#include "rewrite/inplace.h"

// What is known of a part where it cannot be said which elements it has.
static const Place anywhere = {.step = STEP_AT};

static const Place *new_place(InPlace *c, Place p)
{
    Place *place = ARENA_NEW(c->arena, Place);
    *place = p;
    return place;
}

static const Place *view(InPlace *c, PlaceStep step, Node *at, const Place *up)
{
    return new_place(c, (Place){.step = step, .at = at, .up = up});
}

const Place *place_component(InPlace *c, const Place *up, int k)
{
    return new_place(c, (Place){.step = STEP_COMPONENT, .k = k, .up = up});
}

bool place_waits(const Place *place)
{
    return place && place->step != STEP_AT && place->step != STEP_COMPONENT;
}

const Place *place_around(const Place *place)
{
    while (place_waits(place)) place = place->up;
    return place;
}

// --- elements ------------------------------------------------------------------------------------

static const Place *written(InPlace *c, Node *body, const Place *up);

// i / n or i % n, where n is known to be positive.
static Node *part_of_index(InPlace *c, Prim op, Node *i, Node *n)
{
    Session *cx = c->cx;
    if (!i || nat_lt(cx, NULL, nat_const(cx, 0), n) != TRUTH_YES) return NULL;
    return op == PRIM_DIV ? nat_div(cx, i, n) : nat_mod(cx, i, n);
}

// Element `at` of a row.
static const Place *element_of_row(InPlace *c, const Place *row, Node *at)
{
    Session *cx = c->cx;
    const Place *rows = row->up;
    if (rows->step == STEP_TRANSPOSED)
        return place_element(c, place_element(c, rows->up, at), row->at);
    bool known = at && row->at;
    return place_element(c, rows->up,
                         known ? nat_add(cx, nat_mul(cx, row->at, rows->at), at) : NULL);
}

const Place *place_element(InPlace *c, const Place *up, Node *at)
{
    Session *cx = c->cx;
    if (up == &anywhere) return up;
    switch (up ? up->step : STEP_AT) {
    case STEP_AT:
    case STEP_COMPONENT: return view(c, STEP_AT, at, up);
    case STEP_ROWS:
    case STEP_TRANSPOSED: return view(c, STEP_ROW, at, up);
    case STEP_ROW: return element_of_row(c, up, at);
    case STEP_FLAT: {
        Node *row = part_of_index(c, PRIM_DIV, at, up->at);
        Node *rest = part_of_index(c, PRIM_REM, at, up->at);
        return place_element(c, place_element(c, up->up, row), rest);
    }
    case STEP_SHIFTED: return place_element(c, up->up, at ? nat_add(cx, at, up->at) : NULL);
    case STEP_REVERSED: return place_element(c, up->up, at ? nat_sub(cx, up->at, at) : NULL);
    case STEP_READ: {
        Part x = {PART, .place = place_element(c, up->up, at)};
        Part p = inplace_part(c, up->body, inplace_push(c, NULL, x), NULL);
        return p.kind == PART ? p.place : &anywhere;
    }
    case STEP_WRITTEN: return written(c, up->body, place_element(c, up->up, at));
    }
    return &anywhere;
}

static bool is_same_step(const Place *a, const Place *b)
{
    if (a->step != b->step) return false;
    switch (a->step) {
    case STEP_COMPONENT: return a->k == b->k;
    case STEP_TRANSPOSED: return true;
    case STEP_AT:
    case STEP_ROWS:
    case STEP_FLAT:
    case STEP_ROW:
    case STEP_SHIFTED:
    case STEP_REVERSED: return a->at && a->at == b->at;
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

static Node *length(Node *array)
{
    return array->type->op[0];
}

static Node *last_index(Session *cx, Node *array)
{
    return nat_sub(cx, length(array), nat_const(cx, 1));
}

static Node *row_length(Node *array)
{
    return array->type->op[1]->op[0];
}

// Whether `body` is nothing but views that write, around its parameter.
static bool is_chain(InPlace *c, Node *body)
{
    for (; body->kind != CORE_VAR; body = body->op[body->nops - 1])
        if (body->kind == VIEW_CONCAT || !place_writes(c, body)) return false;
    return body->attr.i == 0;
}

bool place_writes(InPlace *c, Node *e)
{
    if (e->variant != VARIANT_DST) return false;
    switch ((Kind)e->kind) {
    case VIEW_JOIN:
    case VIEW_SPLIT:
    case VIEW_TRANSPOSE:
    case VIEW_REVERSE:
    case VIEW_CONCAT: return true;
    case CORE_MAP: return e->op[0]->attr.i == 1 && is_chain(c, e->op[0]->op[0]);
    default: return false;
    }
}

// Where the parameter of a chain goes that is written to `up`.
static const Place *written(InPlace *c, Node *body, const Place *up)
{
    for (; body->kind != CORE_VAR; body = body->op[body->nops - 1])
        up = place_of_operand(c, body, (int)body->nops - 1, up);
    return up;
}

const Place *place_of_operand(InPlace *c, Node *e, int k, const Place *up)
{
    Session *cx = c->cx;
    Node *to = e->op[k];
    switch ((Kind)e->kind) {
    case VIEW_JOIN: return view(c, STEP_ROWS, row_length(to), up);
    case VIEW_SPLIT: return view(c, STEP_FLAT, e->op[0], up);
    case VIEW_TRANSPOSE: return view(c, STEP_TRANSPOSED, NULL, up);
    case VIEW_REVERSE: return view(c, STEP_REVERSED, last_index(cx, to), up);
    case VIEW_CONCAT: return k == 0 ? up : view(c, STEP_SHIFTED, length(e->op[0]), up);
    case CORE_MAP: return new_place(c, (Place){STEP_WRITTEN, .body = e->op[0]->op[0], .up = up});
    default: return &anywhere;
    }
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

// The part as a view shows it.
static Part seen(InPlace *c, Part p, PlaceStep step, Node *at)
{
    if (p.kind != PART) return (Part){.kind = OTHER};
    p.place = view(c, step, at, p.place);
    return p;
}

// Whether the function gives its parameter through views, and nothing else.
static bool is_view(Node *lam)
{
    if (lam->attr.i != 1 || lam->loose > 0) return false;
    Node *e = lam->op[0];
    for (; e->kind != CORE_VAR; e = e->op[e->nops - 1])
        if (e->kind == CORE_INDEX || e->nops == 0) return false;
    return e->attr.i == 0;
}

// map.src f xs, when f is made of views.
static Part seen_by_element(InPlace *c, Node *e, const Env *env, const Around *around)
{
    Part other = {.kind = OTHER};
    Part p = is_view(e->op[0]) ? inplace_part(c, e->op[1], env, around) : other;
    if (p.kind != PART) return other;
    Node *body = e->op[0]->op[0];
    Part x = {PART, .place = place_element(c, p.place, NULL)};
    if (inplace_part(c, body, inplace_push(c, NULL, x), NULL).kind != PART) return other;
    p.place = new_place(c, (Place){STEP_READ, .body = body, .up = p.place});
    return p;
}

static Part part_of_view(InPlace *c, Node *e, const Env *env, const Around *around)
{
    if (e->variant != VARIANT_SRC) return (Part){.kind = OTHER};
    if (e->kind == CORE_MAP) return seen_by_element(c, e, env, around);
    Node *xs = e->op[e->nops - 1];
    Part p = inplace_part(c, xs, env, around);
    switch ((Kind)e->kind) {
    case VIEW_SPLIT: return seen(c, p, STEP_ROWS, e->op[0]);
    case VIEW_JOIN: return seen(c, p, STEP_FLAT, row_length(xs));
    case VIEW_TRANSPOSE: return seen(c, p, STEP_TRANSPOSED, NULL);
    case VIEW_SLICE: return seen(c, p, STEP_SHIFTED, e->op[0]);
    case VIEW_REVERSE: return seen(c, p, STEP_REVERSED, last_index(c->cx, xs));
    default: return (Part){.kind = OTHER};
    }
}

Part inplace_part(InPlace *c, Node *e, const Env *env, const Around *around)
{
    if (c->fuel-- <= 0) return (Part){.kind = OTHER};
    switch ((Kind)e->kind) {
    case CORE_VAR: return inplace_at(env, e->attr.i);
    case CORE_PROJ: {
        Part p = inplace_part(c, e->op[0], env, around);
        if (p.kind == PARTS) return *p.parts[e->attr.i];
        if (p.kind == PART) p.place = place_component(c, p.place, (int)e->attr.i);
        return p.kind == PART ? p : (Part){.kind = OTHER};
    }
    case CORE_INDEX: {
        Part p = inplace_part(c, e->op[0], env, around);
        if (p.kind != PART) return (Part){.kind = OTHER};
        p.place = place_element(c, p.place, inplace_size(c, e->op[1], env, around));
        return p;
    }
    case CORE_MAP:
    case VIEW_SPLIT:
    case VIEW_JOIN:
    case VIEW_TRANSPOSE:
    case VIEW_SLICE:
    case VIEW_REVERSE: return part_of_view(c, e, env, around);
    default: return (Part){.kind = OTHER};
    }
}
