// Locations. A reference is a value that points to the value of the location. The location owns its
// value, which is copied when the location is created and whenever it is read. A write assigns part
// by part, since the shape of the value never changes. Values thus stay immutable, and a reference
// to a part is a pointer into the whole.
#include "core/eval/eval.h"

static Value reference(Value *place)
{
    return value_atom((uint64_t)(uintptr_t)place);
}

// Evaluates operand k, a reference, and sets *place to the location that it refers to.
static bool eval_place(Eval *ev, Node *e, int k, Scope s, Value **place)
{
    Value v;
    if (!eval_term(ev, e->op[k], s, &v)) return false;
    *place = (Value *)(uintptr_t)v.bits;
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

bool eval_get(Eval *ev, Node *e, Scope s, Value *out)
{
    Value *place;
    return eval_place(ev, e, 0, s, &place) && eval_touch(ev, place, false, e->origin) &&
           snapshot(ev, place, e->origin, out);
}

bool eval_set(Eval *ev, Node *e, Scope s, Value *out)
{
    Value *place, v;
    if (!eval_place(ev, e, 0, s, &place) || !eval_term(ev, e->op[1], s, &v)) return false;
    if (!type_is_data(e->op[1]->type)) scratch_keep_all(ev);
    *out = (Value){0};
    return eval_touch(ev, place, true, e->origin) && store(ev, place, &v, e->origin);
}

bool eval_ref_at(Eval *ev, Node *e, Scope s, Value *out)
{
    Value *array, i;
    if (!eval_place(ev, e, 0, s, &array) || !eval_term(ev, e->op[1], s, &i)) return false;
    CHECK(ev->cx, i.bits < (uint64_t)array->count, "an idx out of range in ref_at");
    *out = reference(&array->parts[i.bits]);
    return true;
}

bool eval_ref_proj(Eval *ev, Node *e, Scope s, Value *out)
{
    Value *whole;
    if (!eval_place(ev, e, 0, s, &whole)) return false;
    CHECK(ev->cx, e->attr.i >= 0 && e->attr.i < whole->count, "component %d of %d", (int)e->attr.i,
          (int)whole->count);
    *out = reference(&whole->parts[e->attr.i]);
    return true;
}

// The new location shares the elements of the array.
bool eval_ref_slice(Eval *ev, Node *e, Scope s, Value *out)
{
    int64_t offset, length;
    Value *array;
    if (!scope_size(ev, s, e->op[0], e->origin, &offset) ||
        !scope_size(ev, s, e->op[1], e->origin, &length) || !eval_place(ev, e, 2, s, &array))
        return false;
    Value *part = ARENA_NEW(ev->arena, Value);
    *out = reference(part);
    return eval_part(ev, array, offset, length, e->origin, part);
}
