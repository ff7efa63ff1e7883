// Typing rules for state and control. A location has type &t or &mut t in an address space. A
// continuation is a function that returns `!` (Leissa 2017, chapter 8: break, continue and return
// are values, typed by the value that they carry). A label binds a continuation; it is the
// direct-style form of the return parameter in continuation-passing style (chapter 9).
#include "core/ir/internal.h"
#include "ir/walk.h"

static Node *unit(Rule *r)
{
    return type_tuple(r->cx, 0, NULL);
}

// Whether operand k is a location. The rule fails if it is not.
static bool is_place(Rule *r, int k)
{
    if (rule_type_of(r, k)->kind == TYPE_REF) return true;
    rule_misfit(r, k, "a place");
    return false;
}

static bool is_mutable_place(Rule *r, int k)
{
    if (rule_type_of(r, k)->kind == TYPE_REF && type_ref_mutable(rule_type_of(r, k))) return true;
    rule_misfit(r, k, "a place that may be written");
    return false;
}

// The type of a location that holds a t and lies inside operand k, which is itself a location. It
// is mutable if operand k is, and in the same address space.
static Node *inside(Rule *r, int k, Node *t)
{
    Node *place = rule_type_of(r, k);
    return type_ref(r->cx, t, type_ref_mutable(place), type_ref_space(place));
}

// new : t -> &mut t
static Node *new_type(Rule *r)
{
    if (rule_type_of(r, 0)->kind == TYPE_NEVER) return rule_misfit(r, 0, "a value");
    return type_ref(r->cx, rule_type_of(r, 0), true, SPACE_GENERIC);
}

// set : (&mut t, t) -> ()
static Node *set_type(Rule *r)
{
    if (!is_mutable_place(r, 0)) return NULL;
    return rule_has_type(r, 1, rule_type_of(r, 0)->op[0]) ? unit(r) : NULL;
}

// borrow : &mut t -> &t
static Node *borrow_type(Rule *r)
{
    if (!is_mutable_place(r, 0)) return NULL;
    Node *place = rule_type_of(r, 0);
    return type_ref(r->cx, place->op[0], false, type_ref_space(place));
}

// Whether operand k is a location that holds an array. The rule fails if it is not.
static bool is_array_place(Rule *r, int k)
{
    if (!is_place(r, k)) return false;
    if (rule_type_of(r, k)->op[0]->kind == TYPE_ARRAY) return true;
    rule_misfit(r, k, "a place of an array");
    return false;
}

// ref_at : (&[n]t, idx[n]) -> &t, (&vec[L]t, idx[L]) -> &t
static Node *ref_at_type(Rule *r)
{
    if (!is_place(r, 0)) return NULL;
    if (!type_has_elements(rule_type_of(r, 0)->op[0]))
        return rule_misfit(r, 0, "a place of an array or a vector");
    Node *array = rule_type_of(r, 0)->op[0];
    return rule_has_type(r, 1, type_idx(r->cx, array->op[0])) ? inside(r, 0, array->op[1]) : NULL;
}

// ref_proj k : &(t0, t1, ...) -> &tk
static Node *ref_proj_type(Rule *r)
{
    if (!is_place(r, 0)) return NULL;
    Node *t = rule_component(r, rule_type_of(r, 0)->op[0]);
    return t ? inside(r, 0, t) : NULL;
}

// ref_slice[offset, length] : &[n]t -> &[length]t
static Node *ref_slice_type(Rule *r)
{
    if (!is_array_place(r, 2)) return NULL;
    Node *element = rule_type_of(r, 2)->op[0]->op[1];
    return inside(r, 2, type_array(r->cx, r->s->ops[1], element));
}

// ref_lane : (&t, idx[L]) -> &u, where u is t with a in place of each vec[L]a
static Node *ref_lane_type(Rule *r)
{
    if (!is_place(r, 0)) return NULL;
    Node *all = rule_type_of(r, 0)->op[0];
    if (rule_type_of(r, 1)->kind != TYPE_IDX) return rule_misfit(r, 1, "an index");
    return type_has_vector(all) ? inside(r, 0, type_of_lane(r->cx, all))
                                : rule_misfit(r, 0, "a place with vectors");
}

// from k: fn(t) -> ! |- e : t  conclude  label k. e : t
//
// This is also the rule for a function's body under its return parameter. A body that is left only
// by jumps has type `!`, and t must then be given.
static Node *label_type(Rule *r)
{
    Node *body = rule_type_of(r, 0), *t = r->s->type ? r->s->type : body;
    if (t->kind == TYPE_NEVER) return rule_fail(r, "the type of a label's value has to be given");
    return body->kind == TYPE_NEVER || rule_has_type(r, 0, t) ? t : NULL;
}

// jump : (fn(t) -> !, t) -> !
static Node *jump_type(Rule *r)
{
    if (r->s->nops < 1) return rule_fail(r, "a jump needs a label");
    Node *k = rule_type_of(r, 0);
    if (!type_is_continuation(k)) return rule_misfit(r, 0, "a continuation");
    if (type_nparams(k) != r->s->nops - 1)
        return rule_fail(r, "%s is not called with %d values", type_show(r->cx, k), r->s->nops - 1);
    for (int i = 1; i < r->s->nops; i++)
        if (!rule_has_type(r, i, type_param(k, i - 1))) return NULL;
    return type_never(r->cx);
}

// Whether t is the type of a statement: (), or `!` for a statement that never ends.
static bool is_statement(Rule *r, Node *t)
{
    return t->kind == TYPE_NEVER || rule_agree(r, t, unit(r));
}

// forever : () -> !
static Node *forever_type(Rule *r)
{
    return is_statement(r, rule_type_of(r, 0)) ? type_never(r->cx) : rule_misfit(r, 0, "()");
}

// The typing rule of a loop whose operands start at index `from`: two bounds of an integer type t,
// then a body of type fn(t) -> ().
static Node *loop_type(Rule *r, int from)
{
    Node *t = rule_type_of(r, from), *body = rule_type_of(r, from + 2);
    bool counts =
        type_is_integer(t) || t->kind == TYPE_VAR || (r->unknowns && t->kind == TYPE_META);
    if (!counts) return rule_misfit(r, from, "an integer");
    if (!rule_has_type(r, from + 1, t)) return NULL;
    bool fits = body->kind == TYPE_FUN && type_nparams(body) == 1 &&
                rule_agree(r, type_param(body, 0), t) && is_statement(r, type_result(body));
    return fits ? unit(r)
                : rule_misfit(r, from + 2, type_show(r->cx, type_fun(r->cx, 1, &t, unit(r))));
}

// parallel, vectorize : (i32, t, t, fn(t) -> ()) -> ()
static Node *lockstep_type(Rule *r)
{
    return rule_has_type(r, 0, type_scalar(r->cx, SCALAR_I32)) ? loop_type(r, 1) : NULL;
}

// spawn : (fn() -> ()) -> i32
static Node *spawn_type(Rule *r)
{
    Node *body = rule_type_of(r, 0);
    bool fits =
        body->kind == TYPE_FUN && type_nparams(body) == 0 && is_statement(r, type_result(body));
    return fits ? type_scalar(r->cx, SCALAR_I32) : rule_misfit(r, 0, "fn() -> ()");
}

// sync : i32 -> ()
static Node *sync_type(Rule *r)
{
    return rule_has_type(r, 0, type_scalar(r->cx, SCALAR_I32)) ? unit(r) : NULL;
}

// prefetch : (&[n]t, idx[n]) -> (), ([n]t, idx[n]) -> ()
static Node *prefetch_type(Rule *r)
{
    Node *xs = rule_type_of(r, 0);
    if (xs->kind == TYPE_REF) xs = xs->op[0];
    if (xs->kind != TYPE_ARRAY) return rule_misfit(r, 0, "an array or a place of one");
    return rule_has_type(r, 1, type_idx(r->cx, xs->op[0])) ? unit(r) : NULL;
}

// assert : (bool, parts of a message..) -> ()
static Node *assert_type(Rule *r)
{
    if (r->s->nops < 1) return rule_fail(r, "assert needs a condition");
    return rule_has_type(r, 0, type_scalar(r->cx, SCALAR_BOOL)) ? unit(r) : NULL;
}

// print : (() or vec[L]bool, strings and data..) -> ()
static Node *print_type(Rule *r)
{
    if (r->s->nops < 1) return rule_fail(r, "print needs a mask, or ()");
    Node *mask = rule_type_of(r, 0), *truth = type_scalar(r->cx, SCALAR_BOOL);
    if (type_is_vec(mask, NULL) && type_lane(mask) == truth) return unit(r);
    return rule_agree(r, mask, unit(r)) ? unit(r) : rule_misfit(r, 0, "() or a vector of bool");
}

static bool is_name(Node *e, void *env)
{
    return e->kind == NAT_VAR && e->attr.sym == env;
}

// open k : (idx[m], t) -> t, where k does not occur in t
static Node *open_type(Rule *r)
{
    if (rule_type_of(r, 0)->kind != TYPE_IDX) return rule_misfit(r, 0, "an index");
    Node *t = rule_type_of(r, 1);
    if (node_any(t, is_name, (void *)(uintptr_t)r->s->attr.sym))
        return rule_fail(r, "the size `%s` is used outside", r->s->attr.sym->text);
    return t;
}

Node *rule_control(Rule *r)
{
    switch (r->s->kind) {
    case CORE_NEW: return new_type(r);
    case CORE_GET: return is_place(r, 0) ? rule_type_of(r, 0)->op[0] : NULL; // get : &t -> t
    case CORE_SET: return set_type(r);
    case CORE_BORROW: return borrow_type(r);
    case CORE_REF_AT: return ref_at_type(r);
    case CORE_REF_PROJ: return ref_proj_type(r);
    case CORE_REF_SLICE: return ref_slice_type(r);
    case CORE_REF_LANE: return ref_lane_type(r);
    case CORE_LABEL: return label_type(r);
    case CORE_JUMP: return jump_type(r);
    case CORE_FOREVER: return forever_type(r);
    case CORE_RANGE: return loop_type(r, 0);
    case CORE_PARALLEL:
    case CORE_VECTORIZE: return lockstep_type(r);
    case CORE_SPAWN: return spawn_type(r);
    case CORE_SYNC: return sync_type(r);
    case CORE_PREFETCH: return prefetch_type(r);
    case CORE_ASSERT: return assert_type(r);
    case CORE_PRINT: return print_type(r);
    case CORE_TEXT: return unit(r);
    case CORE_OPEN: return open_type(r);
    case CORE_KNOWN: return type_scalar(r->cx, SCALAR_BOOL); // ?e is a bool whatever e is
    case CORE_HIDE: return rule_type_of(r, 0);
    default: return rule_pattern(r);
    }
}
