// Decides whether an array accumulator may be updated in place: no element may be read after it has
// changed. The analysis follows the body of the fold, in WRITE, down to its leaves, and keeps track
// of the destination's path through views that write. A variable that denotes a part of the
// accumulator, or a view of a part, is mapped to the path of that part. A condition or a let may
// read all of a part before anything inside the part is written. Other elements of the array may be
// read if no earlier iteration changes them (inplace_order.c). A leaf to which its own old value is
// written does not change.
//
// In let x = to_mem.inplace v in b, v is written to the destination first, and b updates it there.
// The version of the array before v can then no longer be read.
#include "memory_policy/inplace/inplace.h"

enum { MAX_TERMS = 20000 };

static const Env *push_others(InPlace *c, const Env *up, int n)
{
    for (; n > 0; n--) up = inplace_push(c, up, (Part){.kind = OTHER});
    return up;
}

static Part part_at(const InPlace *c, const Place *place)
{
    return (Part){PART, .place = place, .version = c->version};
}

// The index of a new loop.
static Node *new_index(InPlace *c)
{
    return nat_var(c->cx, session_sym(c->cx, arena_printf(c->arena, "r#%d", c->loops++)));
}

// --- reading ------------------------------------------------------------------------------------

// A location that no part contains, for terms that must not read the accumulator.
static const Place nowhere = {.step = STEP_COMPONENT, .k = -1};

static int length(const Place *p)
{
    int n = 0;
    for (; p; p = p->up) n++;
    return n;
}

// Whether `p` and `place` go through the same components, so that only their indices may differ.
static bool is_of_same_components(const Place *p, const Place *place)
{
    int n = length(p), m = length(place);
    for (; m > n; m--, place = place->up)
        if (place->step == STEP_COMPONENT) return false;
    for (; n > m; n--) p = p->up;
    for (; p; p = p->up, place = place->up) {
        bool a = p->step == STEP_COMPONENT, b = place->step == STEP_COMPONENT;
        if (a != b || (a && p->k != place->k)) return false;
    }
    return true;
}

// Whether the part may be read before the write to `place`, while the elements of `place` still
// have their old values. Records reads of other elements.
static bool reads_part(InPlace *c, Part p, const Place *place, const Scope *scope)
{
    if (p.version != c->version) return false;
    if (place_is_within(p.place, place)) return true;
    if (!is_of_same_components(p.place, place)) return false;
    for (int i = 0; i < c->read.len; i++)
        if (c->read.at[i].scope == scope && place_is_same(c->read.at[i].place, p.place))
            return true;
    vec_push(c->arena, &c->read, ((Access){p.place, scope}));
    return true;
}

static bool reads(InPlace *c, Node *e, const Env *env, const Place *place, const Scope *scope);

// Whether the indices on the path to a part may be read.
static bool reads_path(InPlace *c, Node *e, const Env *env, const Place *place, const Scope *scope)
{
    while (e->kind != CORE_VAR) {
        bool index = e->kind == CORE_INDEX;
        if (index && !reads(c, e->op[1], env, place, scope)) return false;
        e = e->op[index ? 0 : e->nops - 1];
    }
    return true;
}

static bool reads_parts(InPlace *c, Part p, Node *type, const Place *place, const Scope *scope)
{
    for (uint32_t k = 0; k < type->nops; k++) {
        if (p.parts[k]->kind == PARTS) return false;
        if (p.parts[k]->kind == PART && !reads_part(c, *p.parts[k], place, scope)) return false;
    }
    return true;
}

// The value of a variable that is bound to this term.
static Part part_of_value(InPlace *c, Node *value, const Env *env, const Scope *scope)
{
    Part p = inplace_part(c, value, env, scope);
    bool array = type_has_array(value->type);
    if (array && (p.kind == PART || p.kind == PARTS)) return p;
    return (Part){.kind = OTHER, .term = array ? NULL : value, .env = env};
}

// `reads` for a let, a branch or a generate.
static bool reads_inside(InPlace *c, Node *e, const Env *env, const Place *place,
                         const Scope *scope)
{
    if (e->kind == CORE_LET) {
        Part p = part_of_value(c, e->op[0], env, scope);
        bool alias = p.kind == PART || p.kind == PARTS;
        if (!(alias ? reads_path : reads)(c, e->op[0], env, place, scope)) return false;
        return reads(c, e->op[1], inplace_push(c, env, p), place, scope);
    }
    if (e->kind == CORE_IF) {
        const Scope *yes = inplace_where(c, scope, e->op[0], env, true);
        const Scope *no = inplace_where(c, scope, e->op[0], env, false);
        return reads(c, e->op[0], env, place, scope) && reads(c, e->op[1], env, place, yes) &&
               reads(c, e->op[2], env, place, no);
    }
    Node *index = new_index(c);
    const Scope *in = inplace_in_loop(c, scope, index->attr.sym, e->op[0], true);
    env = inplace_push(c, env, (Part){INDEX, .index = index});
    return reads(c, e->op[1]->op[0], env, place, in);
}

// `reads` for a jump, which may write its array into the accumulator.
static bool reads_of_jump(InPlace *c, Node *e, const Env *env, const Place *place,
                          const Scope *scope)
{
    for (uint32_t k = 1; k < e->nops; k++)
        if (!reads(c, e->op[k], env, type_has_array(e->op[k]->type) ? &nowhere : place, scope))
            return false;
    return true;
}

// Whether the term may be evaluated before the write to `place`. Records the other elements that it
// reads.
static bool reads(InPlace *c, Node *e, const Env *env, const Place *place, const Scope *scope)
{
    if (e->loose == 0 || (kind_info[e->kind].levels & LEVEL_NAT)) return true;
    if (c->fuel-- <= 0) return false;
    Part p = inplace_part(c, e, env, scope);
    if (p.kind == PART) {
        p.place = place_enclosing(p.place);
        return reads_part(c, p, place, scope) && reads_path(c, e, env, place, scope);
    }
    if (p.kind == PARTS) return reads_parts(c, p, e->type, place, scope);
    if (e->kind == CORE_PROJ && inplace_part(c, e->op[0], env, scope).kind == PARTS)
        return true; // the other components are not read
    if (e->kind == CORE_LET || e->kind == CORE_IF || e->kind == CORE_GENERATE)
        return reads_inside(c, e, env, place, scope);
    if (e->kind == CORE_JUMP) return reads_of_jump(c, e, env, place, scope);
    if (e->kind == CORE_LAM)
        return reads(c, e->op[0], push_others(c, env, (int)e->attr.i), place, scope);
    for (uint32_t k = 0; k < e->nops; k++) {
        const Env *inner = push_others(c, env, node_binds(e, (int)k));
        if (!reads(c, e->op[k], inner, place, scope)) return false;
    }
    return true;
}

static bool reads_nothing(InPlace *c, Node *e, const Env *env)
{
    return reads(c, e, env, &nowhere, NULL);
}

// --- writing ------------------------------------------------------------------------------------

// Sets *out to the element at `index` of the array `xs`, which a loop traverses while it writes
// `place`. Returns false if the array reads the accumulator in any way but element by element.
static bool part_of_element(InPlace *c, Node *xs, const Env *env, const Place *place, Node *index,
                            const Scope *scope, Part *out)
{
    *out = (Part){.kind = OTHER};
    Part p = inplace_part(c, xs, env, scope);
    if (p.kind == PART) {
        if (p.version != c->version) return false;
        *out = part_at(c, place_element(c, p.place, index));
        return true;
    }
    if (xs->kind == VIEW_ZIP) {
        const Part **parts = ARENA_ARRAY(c->arena, const Part *, xs->nops);
        for (uint32_t k = 0; k < xs->nops; k++) {
            Part q;
            if (!part_of_element(c, xs->op[k], env, place, index, scope, &q)) return false;
            parts[k] = memcpy(ARENA_NEW(c->arena, Part), &q, sizeof q);
        }
        *out = (Part){PARTS, .parts = parts};
        return true;
    }
    if (xs->kind == CORE_MAP && !type_has_array(xs->type->op[1])) {
        Part x;
        if (!part_of_element(c, xs->op[1], env, place, index, scope, &x)) return false;
        const Scope *in = inplace_in_loop(c, scope, index->attr.sym, xs->type->op[0], false);
        return reads(c, xs->op[0]->op[0], inplace_push(c, env, x), place_element(c, place, index),
                     in);
    }
    return reads_nothing(c, xs, env);
}

static bool writes(InPlace *c, Node *e, const Env *env, const Place *place, const Scope *scope);

// Records that the location is changed.
static bool changes(InPlace *c, const Place *place, const Scope *scope)
{
    vec_push(c->arena, &c->changed, ((Access){place, scope}));
    return true;
}

// Whether the value may be written to the destination as a whole, before the update.
static bool is_written_first(InPlace *c, Node *value, const Env *env)
{
    Accesses changed = c->changed, read = c->read; // what was changed and read so far
    c->changed = c->read = (Accesses){0};
    bool first = writes(c, value, env, NULL, NULL) && inplace_is_ordered(c);
    c->changed = changed;
    c->read = read;
    return first;
}

// Whether the term uses the accumulator or a part of it.
static bool uses_parts(InPlace *c, Node *e, const Env *env)
{
    FreeVars f = policy_free_vars(c->arena, c->free_vars, e);
    for (int i = 0; i < f.len; i++) {
        PartKind kind = inplace_at(env, f.at[i]).kind;
        if (kind == PART || kind == PARTS) return true;
    }
    return false;
}

// `writes` for a let with to_mem.inplace. When the let got this variant, its body was found to
// update the value in place. So the body is analysed again only if it also uses an old version of
// the array.
static bool writes_again(InPlace *c, Node *e, const Env *env, const Place *place)
{
    Node *value = e->op[0]->op[0];
    if (place)
        return reads_nothing(c, value, env) && reads_nothing(c, e->op[1], push_others(c, env, 1));
    if (!is_written_first(c, value, env)) return false;
    if (!uses_parts(c, e->op[1], push_others(c, env, 1))) return true;
    int before = c->version;
    c->version = ++c->versions;
    bool again = writes(c, e->op[1], inplace_push(c, env, part_at(c, NULL)), NULL, NULL);
    c->version = before;
    return again;
}

static bool writes_let(InPlace *c, Node *e, const Env *env, const Place *place, const Scope *scope)
{
    Node *value = e->op[0];
    if (value->kind == CORE_TO_MEM && value->variant == VARIANT_INPLACE)
        return writes_again(c, e, env, place);
    Part p = part_of_value(c, value, env, scope);
    bool alias = p.kind == PART || p.kind == PARTS;
    bool delayed = type_has_array(value->type) && value->kind != CORE_TO_MEM;
    if (alias     ? !reads_path(c, value, env, place, scope)
        : delayed ? !reads_nothing(c, value, env)
                  : !reads(c, value, env, place, scope))
        return false;
    return writes(c, e->op[1], inplace_push(c, env, p), place, scope);
}

static bool writes_map(InPlace *c, Node *e, const Env *env, const Place *place, const Scope *scope)
{
    Node *index = new_index(c);
    Part x;
    if (!part_of_element(c, e->op[1], env, place, index, scope, &x)) return false;
    scope = inplace_in_pattern(c, scope, index->attr.sym, e->type->op[0], e);
    return writes(c, e->op[0]->op[0], inplace_push(c, env, x), place_element(c, place, index),
                  scope);
}

static bool writes_generate(InPlace *c, Node *e, const Env *env, const Place *place,
                            const Scope *scope)
{
    Node *index = new_index(c);
    scope = inplace_in_pattern(c, scope, index->attr.sym, e->op[0], e);
    env = inplace_push(c, env, (Part){INDEX, .index = index});
    return writes(c, e->op[1]->op[0], env, place_element(c, place, index), scope);
}

static bool writes_branches(InPlace *c, Node *e, const Env *env, const Place *place,
                            const Scope *scope)
{
    const Scope *yes = inplace_where(c, scope, e->op[0], env, true);
    const Scope *no = inplace_where(c, scope, e->op[0], env, false);
    return reads(c, e->op[0], env, place, scope) && writes(c, e->op[1], env, place, yes) &&
           writes(c, e->op[2], env, place, no);
}

// `writes` for a fold of arrays, which accumulates in its destination or copies its result there.
// Only its initial value may read the outer accumulator.
static bool writes_fold(InPlace *c, Node *e, const Env *env, const Place *place, const Scope *scope)
{
    return writes(c, e->op[1], env, place, scope) && reads_nothing(c, e->op[0], env) &&
           reads_nothing(c, e->op[2], env) && changes(c, place, scope);
}

// Whether each element of the part is at the very location to which it is written.
static bool is_there(InPlace *c, const Place *part, const Place *place, Node *type)
{
    if (place_is_same(part, place)) return true;
    if (type->kind != TYPE_ARRAY) return false;
    Node *index = new_index(c);
    return is_there(c, place_element(c, part, index), place_element(c, place, index), type->op[1]);
}

// `writes` for a leaf, or a value that is copied as a whole.
static bool writes_value(InPlace *c, Node *e, const Env *env, const Place *place,
                         const Scope *scope)
{
    bool whole =
        type_has_array(e->type) || e->type->kind == TYPE_TUPLE || e->type->kind == TYPE_STRUCT;
    Node *value = e->kind == CORE_COPY ? e->op[0] : e;
    Part p = inplace_part(c, value, env, scope);
    if (p.kind == PART && p.version == c->version && is_there(c, p.place, place, e->type))
        return true;
    changes(c, place, scope);
    return whole ? reads_nothing(c, value, env) : reads(c, value, env, place, scope);
}

// `writes` for a view, whose operands are written to their parts of the location one after another.
static bool writes_view(InPlace *c, Node *e, const Env *env, const Place *place, const Scope *scope)
{
    Sym phase = new_index(c)->attr.sym;
    bool several = kind_is_view((Kind)e->kind) && e->nops > 1 && view_role(e, 0) == ROLE_DATA;
    for (int k = 0; k < (int)e->nops; k++) {
        if (kind_sort((Kind)e->kind, k) == SORT_SIZE || e->op[k]->kind == CORE_LAM) continue;
        const Place *at = place_of_operand(c, e, k, place);
        const Scope *in = several ? inplace_in_phase(c, scope, phase, k) : scope;
        if (!writes(c, e->op[k], env, at, in)) return false;
    }
    return true;
}

// Whether writing `e` to `place` reads no element of the accumulator after it has changed.
static bool writes(InPlace *c, Node *e, const Env *env, const Place *place, const Scope *scope)
{
    if (c->fuel-- <= 0) return false;
    if (place_writes(c, e)) return writes_view(c, e, env, place, scope);
    switch (e->kind) {
    case CORE_LET: return writes_let(c, e, env, place, scope);
    case CORE_TUPLE:
        for (uint32_t k = 0; k < e->nops; k++)
            if (!writes(c, e->op[k], env, place_component(c, place, (int)k), scope)) return false;
        return true;
    case CORE_IF: return writes_branches(c, e, env, place, scope);
    case CORE_MAP: return writes_map(c, e, env, place, scope);
    case CORE_GENERATE: return writes_generate(c, e, env, place, scope);
    case CORE_FOLD:
        if (type_has_array(e->type)) return writes_fold(c, e, env, place, scope);
        return writes_value(c, e, env, place, scope);
    default: return writes_value(c, e, env, place, scope);
    }
}

bool policy_in_any_order(Node *pattern)
{
    return pattern->variant == VARIANT_PAR || pattern->variant == VARIANT_VEC;
}

bool policy_steps_in_place(Session *cx, Node *lam)
{
    Arena *arena = arena_new_beside(cx->arena);
    Map free_vars = map_new(arena);
    bool inplace = policy_is_inplace(cx, arena, &free_vars, lam->op[0], (int)lam->attr.i);
    arena_delete(arena);
    return inplace;
}

bool policy_is_inplace(Session *cx, Arena *arena, Map *free_vars, Node *body, int n)
{
    InPlace c = {.cx = cx, .arena = arena, .free_vars = free_vars, .fuel = MAX_TERMS};
    const Env *env = inplace_push(&c, NULL, part_at(&c, NULL));
    return writes(&c, body, push_others(&c, env, n - 1), NULL, NULL) && inplace_is_ordered(&c);
}
