// When may an array accumulator be updated in place? When no element is read after it was changed.
// The body of the fold, in WRITE, is followed down to its leaves with the path of the destination,
// through views that write; variables that stand for a part of the accumulator, or for a view of
// one, are known by the path of that part. Reads of a part by a condition or a let come before
// anything below that part is written, so they may read all of it. Other elements of the array may
// be read where no earlier round of the loops changes them (inplace_order.c): a leaf that is
// written from itself is not changed.
//
// let x = to_mem.inplace v in b: v is written to the destination first, where b updates it; what
// was there before is gone.
#include "memory_policy/inplace/inplace.h"

enum { MAX_TERMS = 20000 };

static const Env *push_others(InPlace *c, const Env *up, int n)
{
    for (; n > 0; n--) up = inplace_push(c, up, (Part){.kind = OTHER});
    return up;
}

static Part part_at(const InPlace *c, const Place *place)
{
    return (Part){PART, .place = place, .time = c->time};
}

static const Part *keep(InPlace *c, Part p)
{
    Part *k = ARENA_NEW(c->arena, Part);
    *k = p;
    return k;
}

// The index of a new loop.
static Node *new_index(InPlace *c)
{
    return nat_var(c->cx, session_sym(c->cx, arena_printf(c->arena, "r#%d", c->loops++)));
}

// --- reading ------------------------------------------------------------------------------------

// A place that nothing is inside of: for terms that must not read the accumulator.
static const Place nowhere = {.step = STEP_COMPONENT, .k = -1};

static int length(const Place *p)
{
    int n = 0;
    for (; p; p = p->up) n++;
    return n;
}

static bool is_of_same_component(const Place *a, const Place *b)
{
    bool is = a->step == STEP_COMPONENT, other = b->step == STEP_COMPONENT;
    return is == other && (!is || a->k == b->k);
}

// Whether all components on the way to `place` are on the way to `p`.
static bool is_of_same_components(const Place *p, const Place *place)
{
    int n = length(p), m = length(place);
    for (; m > n; m--, place = place->up)
        if (place->step == STEP_COMPONENT) return false;
    for (; n > m; n--) p = p->up;
    for (; p; p = p->up, place = place->up)
        if (!is_of_same_component(p, place)) return false;
    return true;
}

// Reads a part while `place` is about to be written. What is inside of that still has its old
// value.
static bool reads_part(InPlace *c, Part p, const Place *place, const Around *around)
{
    if (p.time != c->time) return false;
    if (place_is_within(p.place, place)) return true;
    if (!is_of_same_components(p.place, place)) return false;
    for (int i = 0; i < c->read.len; i++)
        if (c->read.at[i].around == around && place_is_same(c->read.at[i].place, p.place))
            return true;
    vec_push(c->arena, &c->read, ((Access){p.place, around}));
    return true;
}

static bool reads(InPlace *c, Node *e, const Env *env, const Place *place, const Around *around);

// The indices on the way to a part are read, too.
static bool reads_path(InPlace *c, Node *e, const Env *env, const Place *place,
                       const Around *around)
{
    while (e->kind != CORE_VAR) {
        bool index = e->kind == CORE_INDEX;
        if (index && !reads(c, e->op[1], env, place, around)) return false;
        e = e->op[index ? 0 : e->nops - 1];
    }
    return true;
}

static bool reads_parts(InPlace *c, Part p, Node *type, const Place *place, const Around *around)
{
    for (uint32_t k = 0; k < type->nops; k++) {
        if (p.parts[k]->kind == PARTS) return false;
        if (p.parts[k]->kind == PART && !reads_part(c, *p.parts[k], place, around)) return false;
    }
    return true;
}

// What a variable that is bound to this term stands for.
static Part part_of_value(InPlace *c, Node *value, const Env *env, const Around *around)
{
    Part p = inplace_part(c, value, env, around);
    bool array = type_has_array(value->type);
    if (array && (p.kind == PART || p.kind == PARTS)) return p;
    return (Part){.kind = OTHER, .term = array ? NULL : value, .env = env};
}

// A let, branch or loop of what is read.
static bool reads_inside(InPlace *c, Node *e, const Env *env, const Place *place,
                         const Around *around)
{
    if (e->kind == CORE_LET) {
        Part p = part_of_value(c, e->op[0], env, around);
        bool alias = p.kind == PART || p.kind == PARTS;
        if (!(alias ? reads_path : reads)(c, e->op[0], env, place, around)) return false;
        return reads(c, e->op[1], inplace_push(c, env, p), place, around);
    }
    if (e->kind == CORE_IF) {
        const Around *yes = inplace_where(c, around, e->op[0], env, true);
        const Around *no = inplace_where(c, around, e->op[0], env, false);
        return reads(c, e->op[0], env, place, around) && reads(c, e->op[1], env, place, yes) &&
               reads(c, e->op[2], env, place, no);
    }
    Node *index = new_index(c);
    const Around *in = inplace_in_loop(c, around, index->attr.sym, e->op[0], true);
    env = inplace_push(c, env, (Part){INDEX, .index = index});
    return reads(c, e->op[1]->op[0], env, place, in);
}

// An array that a jump carries may go where the accumulator is.
static bool leaves(InPlace *c, Node *e, const Env *env, const Place *place, const Around *around)
{
    for (uint32_t k = 1; k < e->nops; k++)
        if (!reads(c, e->op[k], env, type_has_array(e->op[k]->type) ? &nowhere : place, around))
            return false;
    return true;
}

// Whether the term may be evaluated before `place` is written; notes what else it reads.
static bool reads(InPlace *c, Node *e, const Env *env, const Place *place, const Around *around)
{
    if (e->loose == 0 || (kind_info[e->kind].levels & LEVEL_NAT)) return true;
    if (c->fuel-- <= 0) return false;
    Part p = inplace_part(c, e, env, around);
    if (p.kind == PART) {
        p.place = place_around(p.place);
        return reads_part(c, p, place, around) && reads_path(c, e, env, place, around);
    }
    if (p.kind == PARTS) return reads_parts(c, p, e->type, place, around);
    if (e->kind == CORE_PROJ && inplace_part(c, e->op[0], env, around).kind == PARTS)
        return true; // the other components are not read
    if (e->kind == CORE_LET || e->kind == CORE_IF || e->kind == CORE_GENERATE)
        return reads_inside(c, e, env, place, around);
    if (e->kind == CORE_JUMP) return leaves(c, e, env, place, around);
    if (e->kind == CORE_LAM)
        return reads(c, e->op[0], push_others(c, env, (int)e->attr.i), place, around);
    for (uint32_t k = 0; k < e->nops; k++) {
        const Env *inner = push_others(c, env, node_binds(e, (int)k));
        if (!reads(c, e->op[k], inner, place, around)) return false;
    }
    return true;
}

static bool reads_nothing(InPlace *c, Node *e, const Env *env)
{
    return reads(c, e, env, &nowhere, NULL);
}

// --- writing ------------------------------------------------------------------------------------

// The element at `index` of the array `xs` that a loop goes through which writes `place`. False
// when it reads the accumulator in other ways than element by element.
static bool part_of_element(InPlace *c, Node *xs, const Env *env, const Place *place, Node *index,
                            const Around *around, Part *out)
{
    *out = (Part){.kind = OTHER};
    Part p = inplace_part(c, xs, env, around);
    if (p.kind == PART) {
        if (p.time != c->time) return false;
        *out = part_at(c, place_element(c, p.place, index));
        return true;
    }
    if (xs->kind == VIEW_ZIP) {
        const Part **parts = ARENA_ARRAY(c->arena, const Part *, xs->nops);
        for (uint32_t k = 0; k < xs->nops; k++) {
            Part q;
            if (!part_of_element(c, xs->op[k], env, place, index, around, &q)) return false;
            parts[k] = keep(c, q);
        }
        *out = (Part){PARTS, .parts = parts};
        return true;
    }
    if (xs->kind == CORE_MAP && !type_has_array(xs->type->op[1])) {
        Part x;
        if (!part_of_element(c, xs->op[1], env, place, index, around, &x)) return false;
        const Around *in = inplace_in_loop(c, around, index->attr.sym, xs->type->op[0], false);
        return reads(c, xs->op[0]->op[0], inplace_push(c, env, x), place_element(c, place, index),
                     in);
    }
    return reads_nothing(c, xs, env);
}

static bool writes(InPlace *c, Node *e, const Env *env, const Place *place, const Around *around);

static bool changes(InPlace *c, const Place *place, const Around *around)
{
    vec_push(c->arena, &c->changed, ((Access){place, around}));
    return true;
}

// Whether the value may be written to all of the destination before that is updated.
static bool is_written_first(InPlace *c, Node *value, const Env *env)
{
    Accesses changed = c->changed, read = c->read; // those of other branches
    c->changed = c->read = (Accesses){0};
    bool first = writes(c, value, env, NULL, NULL) && inplace_is_ordered(c);
    c->changed = changed;
    c->read = read;
    return first;
}

// Whether the term mentions the accumulator, or a part of it.
static bool mentions_parts(InPlace *c, Node *e, const Env *env)
{
    FreeVars f = policy_free_vars(c->arena, c->free, e);
    for (int i = 0; i < f.len; i++) {
        PartKind kind = inplace_at(env, f.at[i]).kind;
        if (kind == PART || kind == PARTS) return true;
    }
    return false;
}

// What comes after the destination was written may be updated in place, which was asked when the
// array was given that place: it has to be asked again only if it mentions what was there before.
static bool writes_again(InPlace *c, Node *e, const Env *env, const Place *place)
{
    Node *value = e->op[0]->op[0];
    if (place)
        return reads_nothing(c, value, env) && reads_nothing(c, e->op[1], push_others(c, env, 1));
    if (!is_written_first(c, value, env)) return false;
    if (!mentions_parts(c, e->op[1], push_others(c, env, 1))) return true;
    int before = c->time;
    c->time = ++c->times;
    bool again = writes(c, e->op[1], inplace_push(c, env, part_at(c, NULL)), NULL, NULL);
    c->time = before;
    return again;
}

static bool writes_let(InPlace *c, Node *e, const Env *env, const Place *place,
                       const Around *around)
{
    Node *value = e->op[0];
    if (value->kind == CORE_TO_MEM && value->variant == VARIANT_INPLACE)
        return writes_again(c, e, env, place);
    Part p = part_of_value(c, value, env, around);
    bool alias = p.kind == PART || p.kind == PARTS;
    bool later = type_has_array(value->type) && value->kind != CORE_TO_MEM; // where it is read
    if (alias   ? !reads_path(c, value, env, place, around)
        : later ? !reads_nothing(c, value, env)
                : !reads(c, value, env, place, around))
        return false;
    return writes(c, e->op[1], inplace_push(c, env, p), place, around);
}

static bool writes_map(InPlace *c, Node *e, const Env *env, const Place *place,
                       const Around *around)
{
    Node *index = new_index(c);
    Part x;
    if (!part_of_element(c, e->op[1], env, place, index, around, &x)) return false;
    around = inplace_in_pattern(c, around, index->attr.sym, e->type->op[0], e);
    return writes(c, e->op[0]->op[0], inplace_push(c, env, x), place_element(c, place, index),
                  around);
}

static bool writes_generate(InPlace *c, Node *e, const Env *env, const Place *place,
                            const Around *around)
{
    Node *index = new_index(c);
    around = inplace_in_pattern(c, around, index->attr.sym, e->op[0], e);
    env = inplace_push(c, env, (Part){INDEX, .index = index});
    return writes(c, e->op[1]->op[0], env, place_element(c, place, index), around);
}

static bool writes_branches(InPlace *c, Node *e, const Env *env, const Place *place,
                            const Around *around)
{
    const Around *yes = inplace_where(c, around, e->op[0], env, true);
    const Around *no = inplace_where(c, around, e->op[0], env, false);
    return reads(c, e->op[0], env, place, around) && writes(c, e->op[1], env, place, yes) &&
           writes(c, e->op[2], env, place, no);
}

// A fold of arrays accumulates where its result goes, or brings it there at the end: all it reads
// of the accumulator around it is the value that it starts with.
static bool writes_fold(InPlace *c, Node *e, const Env *env, const Place *place,
                        const Around *around)
{
    return writes(c, e->op[1], env, place, around) && reads_nothing(c, e->op[0], env) &&
           reads_nothing(c, e->op[2], env) && changes(c, place, around);
}

// Whether a part is the place that it is written to, element by element.
static bool is_there(InPlace *c, const Place *part, const Place *place, Node *type)
{
    if (place_is_same(part, place)) return true;
    if (type->kind != TYPE_ARRAY) return false;
    Node *index = new_index(c);
    return is_there(c, place_element(c, part, index), place_element(c, place, index), type->op[1]);
}

// A leaf, or what is copied as a whole.
static bool writes_value(InPlace *c, Node *e, const Env *env, const Place *place,
                         const Around *around)
{
    bool whole =
        type_has_array(e->type) || e->type->kind == TYPE_TUPLE || e->type->kind == TYPE_STRUCT;
    Node *value = e->kind == CORE_COPY ? e->op[0] : e;
    Part p = inplace_part(c, value, env, around);
    if (p.kind == PART && p.time == c->time && is_there(c, p.place, place, e->type)) return true;
    changes(c, place, around);
    return whole ? reads_nothing(c, value, env) : reads(c, value, env, place, around);
}

// The operands are written where the view has them; several of them one after the other.
static bool writes_view(InPlace *c, Node *e, const Env *env, const Place *place,
                        const Around *around)
{
    Sym turn = new_index(c)->attr.sym;
    bool several = kind_is_view((Kind)e->kind) && e->nops > 1 && view_role(e, 0) == ROLE_DATA;
    for (int k = 0; k < (int)e->nops; k++) {
        if (kind_sort((Kind)e->kind, k) == SORT_SIZE || e->op[k]->kind == CORE_LAM) continue;
        const Place *at = place_of_operand(c, e, k, place);
        const Around *in = several ? inplace_in_turn(c, around, turn, k) : around;
        if (!writes(c, e->op[k], env, at, in)) return false;
    }
    return true;
}

// Whether writing `e` to `place` reads of the accumulator nothing else that was changed.
static bool writes(InPlace *c, Node *e, const Env *env, const Place *place, const Around *around)
{
    if (c->fuel-- <= 0) return false;
    if (place_writes(c, e)) return writes_view(c, e, env, place, around);
    switch (e->kind) {
    case CORE_LET: return writes_let(c, e, env, place, around);
    case CORE_TUPLE:
        for (uint32_t k = 0; k < e->nops; k++)
            if (!writes(c, e->op[k], env, place_component(c, place, (int)k), around)) return false;
        return true;
    case CORE_IF: return writes_branches(c, e, env, place, around);
    case CORE_MAP: return writes_map(c, e, env, place, around);
    case CORE_GENERATE: return writes_generate(c, e, env, place, around);
    case CORE_FOLD:
        if (type_has_array(e->type)) return writes_fold(c, e, env, place, around);
        return writes_value(c, e, env, place, around);
    default: return writes_value(c, e, env, place, around);
    }
}

bool policy_in_any_order(Node *pattern)
{
    return pattern->variant == VARIANT_PAR || pattern->variant == VARIANT_VEC;
}

bool policy_steps_in_place(Session *cx, Node *lam)
{
    Arena *arena = arena_new_beside(cx->arena);
    Map free = map_new(arena);
    bool inplace = policy_is_inplace(cx, arena, &free, lam->op[0], (int)lam->attr.i);
    arena_delete(arena);
    return inplace;
}

bool policy_is_inplace(Session *cx, Arena *arena, Map *free, Node *body, int n)
{
    InPlace c = {.cx = cx, .arena = arena, .free = free, .fuel = MAX_TERMS};
    const Env *env = inplace_push(&c, NULL, part_at(&c, NULL));
    return writes(&c, body, push_others(&c, env, n - 1), NULL, NULL) && inplace_is_ordered(&c);
}
