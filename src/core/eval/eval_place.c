// Locations. A reference is a value that points to the value of the location. The location owns its
// value, which is copied when the location is created and whenever it is read. A write assigns part
// by part, since the shape of the value never changes. Values thus stay immutable, and a reference
// to a part is a pointer into the whole.
#include "core/eval/eval.h"

// A location. One lane of data with vectors is not a value of its own: the reference points to a
// Place with a lane, which is marked by the lowest bit.
typedef struct {
    Value *all;
    Node *type;   // with a lane, the type of `all`: an array, a tuple or a struct; otherwise NULL
    int64_t lane; // whose parts of all vectors this is
} Place;

static Value reference(Value *place)
{
    return value_atom((uint64_t)(uintptr_t)place);
}

// The reference to one lane of data of this type, which need not have vectors.
static Value lane_of(Eval *ev, Value *all, Node *type, int64_t lane)
{
    if (!type_has_vector(type)) return reference(all);
    if (type->kind == TYPE_VEC) return reference(&all->parts[lane]);
    Place *p = ARENA_NEW(ev->arena, Place);
    *p = (Place){all, type, lane};
    return value_atom((uint64_t)(uintptr_t)p | 1);
}

// The type of part i of data of this type.
static Node *type_of_part(Node *type, int64_t i)
{
    return type->kind == TYPE_ARRAY ? type->op[1] : type->op[i];
}

// The reference to part i of a location.
static Value inside(Eval *ev, const Place *p, int64_t i)
{
    Value *part = &p->all->parts[i];
    return p->type ? lane_of(ev, part, type_of_part(p->type, i), p->lane) : reference(part);
}

static Place place_of(Value reference)
{
    if (reference.bits & 1) return *(Place *)(uintptr_t)(reference.bits - 1);
    return (Place){.all = (Value *)(uintptr_t)reference.bits};
}

// Evaluates operand k, a reference, and sets *place to the location that it refers to.
static bool eval_place(Eval *ev, Node *e, int k, Scope s, Place *place)
{
    Value v;
    if (!eval_term(ev, e->op[k], s, &v)) return false;
    *place = place_of(v);
    return true;
}

// Makes a deep copy.
static bool snapshot(Eval *ev, const Value *v, Span span, Value *out)
{
    if (v->count == 0) {
        *out = *v;
        return true;
    }
    if (!eval_parts(ev, v->count, span, out)) return false;
    for (int64_t i = 0; i < v->count; i++)
        if (!snapshot(ev, &v->parts[i], span, &out->parts[i])) return false;
    return true;
}

static bool store(Eval *ev, Value *place, const Value *v, Span span)
{
    if (place->count != v->count)
        return eval_fail(ev, E0604, span, "%lld elements are assigned to %lld", (long long)v->count,
                         (long long)place->count);
    if (!eval_charge(ev, v->count, span)) return false;
    place->bits = v->bits;
    for (int64_t i = 0; i < v->count; i++)
        if (!store(ev, &place->parts[i], &v->parts[i], span)) return false;
    return true;
}

bool eval_new(Eval *ev, Node *e, Scope s, Value *out)
{
    Value v, *place;
    if (!eval_term(ev, e->op[0], s, &v)) return false;
    place = ARENA_NEW(ev->arena, Value);
    *out = reference(place);
    if (!snapshot(ev, &v, e->origin, place)) return false;
    eval_forget(ev, place);
    return true;
}

// Copies a location: of a lane, its part of each vector, and what has no vectors.
static bool load_place(Eval *ev, Place p, Span span, Value *out)
{
    if (!p.type) return snapshot(ev, p.all, span, out);
    if (!eval_parts(ev, p.all->count, span, out)) return false;
    for (int64_t i = 0; i < p.all->count; i++)
        if (!load_place(ev, place_of(inside(ev, &p, i)), span, &out->parts[i])) return false;
    return true;
}

// Assigns a location: of a lane, what has vectors.
static bool store_place(Eval *ev, Place p, const Value *v, Span span)
{
    if (!p.type) return store(ev, p.all, v, span);
    if (p.all->count != v->count)
        return eval_fail(ev, E0604, span, "%lld elements are assigned to %lld", (long long)v->count,
                         (long long)p.all->count);
    for (int64_t i = 0; i < v->count; i++)
        if (type_has_vector(type_of_part(p.type, i)) &&
            !store_place(ev, place_of(inside(ev, &p, i)), &v->parts[i], span))
            return false;
    return true;
}

static bool touch(Eval *ev, Place p, bool write, Span span)
{
    if (!p.type) return eval_touch(ev, p.all, write, span);
    for (int64_t i = 0; i < p.all->count && ev->races; i++)
        if ((!write || type_has_vector(type_of_part(p.type, i))) &&
            !touch(ev, place_of(inside(ev, &p, i)), write, span))
            return false;
    return true;
}

bool eval_get(Eval *ev, Node *e, Scope s, Value *out)
{
    Place p;
    return eval_place(ev, e, 0, s, &p) && touch(ev, p, false, e->origin) &&
           load_place(ev, p, e->origin, out);
}

bool eval_set(Eval *ev, Node *e, Scope s, Value *out)
{
    Place p;
    Value v;
    if (!eval_place(ev, e, 0, s, &p) || !eval_term(ev, e->op[1], s, &v)) return false;
    if (!type_is_data(e->op[1]->type)) scratch_keep_all(ev);
    *out = (Value){0};
    return touch(ev, p, true, e->origin) && store_place(ev, p, &v, e->origin);
}

bool eval_ref_at(Eval *ev, Node *e, Scope s, Value *out)
{
    Place array;
    Value i;
    if (!eval_place(ev, e, 0, s, &array) || !eval_term(ev, e->op[1], s, &i)) return false;
    CHECK(ev->cx, i.bits < (uint64_t)array.all->count, "an idx out of range in ref_at");
    *out = inside(ev, &array, (int64_t)i.bits);
    return true;
}

bool eval_ref_proj(Eval *ev, Node *e, Scope s, Value *out)
{
    Place p;
    if (!eval_place(ev, e, 0, s, &p)) return false;
    CHECK(ev->cx, e->attr.i >= 0 && e->attr.i < p.all->count, "component %d of %d", (int)e->attr.i,
          (int)p.all->count);
    *out = inside(ev, &p, e->attr.i);
    return true;
}

// The new location shares the elements of the array.
bool eval_ref_slice(Eval *ev, Node *e, Scope s, Value *out)
{
    int64_t offset, length;
    Place array;
    if (!scope_size(ev, s, e->op[0], e->origin, &offset) ||
        !scope_size(ev, s, e->op[1], e->origin, &length) || !eval_place(ev, e, 2, s, &array))
        return false;
    Value *part = ARENA_NEW(ev->arena, Value);
    *out = array.type ? lane_of(ev, part, array.type, array.lane) : reference(part);
    return eval_part(ev, array.all, offset, length, e->origin, part);
}

bool eval_ref_lane(Eval *ev, Node *e, Scope s, Value *out)
{
    Place all;
    Value lane;
    if (!eval_place(ev, e, 0, s, &all) || !eval_term(ev, e->op[1], s, &lane)) return false;
    CHECK(ev->cx, !all.type, "a lane of a lane");
    *out = lane_of(ev, all.all, e->op[0]->type->op[0], (int64_t)lane.bits);
    return true;
}
