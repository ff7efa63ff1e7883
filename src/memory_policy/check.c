// The low Core checker: checks each term against the table in memory_policy.h for its position.
#include "memory_policy/internal.h"

typedef enum { READ, WRITE, SAME } Position;

typedef struct {
    Session *cx;
    Map seen[2];
} Checker;

static void check(Checker *c, Node *e, Position p);

// Reports a term that is not allowed in its position.
_Noreturn static void misplaced(Checker *c, Node *e, Position p)
{
    session_ice(c->cx, __FILE__, __LINE__, "access: expected %s, found %s (variant %d) of type %s",
                p == WRITE ? "wr" : "rd", kind_info[e->kind].text, e->variant,
                type_show(c->cx, e->type));
}

static void check_variant(Checker *c, Node *e, Position p, Variant v)
{
    if (e->variant != v) misplaced(c, e, p);
}

// Checks the variant of a pattern's loop. A loop may run in any order if its iterations are
// independent or its operator is associative.
static void check_loop(Checker *c, Node *e, Position p)
{
    bool any = policy_in_any_order(e), apart = e->kind == CORE_MAP || e->kind == CORE_GENERATE;
    bool regrouped = e->kind != CORE_FOLD && e->kind != CORE_ITERATE;
    int64_t lanes;
    if (e->variant == VARIANT_UNROLL && e->kind != CORE_ITERATE) return;
    if (e->variant == VARIANT_VEC && (!nat_is_const(node_lanes(e), &lanes) || lanes < 1))
        misplaced(c, e, p);
    if (!any || !(apart || regrouped)) check_variant(c, e, p, VARIANT_SEQ);
}

static Node *body_of(Checker *c, Node *e, int k)
{
    CHECK(c->cx, e->op[k]->kind == CORE_LAM, "access: operand %d of %s is not a lambda", k,
          kind_info[e->kind].text);
    return e->op[k]->op[0];
}

// Checks the operands from `first` on in position p. Earlier operands, and the bodies of function
// operands, are checked in READ.
static void check_operands(Checker *c, Node *e, int first, Position p)
{
    for (int k = 0; k < (int)e->nops; k++) {
        Sort sort = kind_sort((Kind)e->kind, k);
        if (sort == SORT_TERM) check(c, e->op[k], k < first ? READ : p);
        if (sort == SORT_FUN) check(c, body_of(c, e, k), READ);
    }
}

static bool is_eager_map(Node *e)
{
    return e->kind == CORE_MAP && (e->variant == VARIANT_SEQ ||
                                   (e->variant == VARIANT_DST && policy_put_passes(e->op[0]) == 0));
}

// Checks an array that a loop traverses once, in order. `in_turn` says that the loop may compute
// the elements one by one, each just before its use.
static void check_stream(Checker *c, Node *e, bool in_turn)
{
    switch (e->kind) {
    case CORE_LET:
        check_variant(c, e, READ, VARIANT_ANY);
        check(c, e->op[0], READ);
        check_stream(c, e->op[1], in_turn);
        return;
    case CORE_MAP:
        if (!in_turn || !is_eager_map(e)) break;
        check(c, body_of(c, e, 0), WRITE);
        check_stream(c, e->op[1], e->variant == VARIANT_DST);
        return;
    case CORE_GENERATE:
        if (!in_turn || e->variant != VARIANT_SEQ) break;
        check(c, body_of(c, e, 1), WRITE);
        return;
    case VIEW_SLIDE:
        if (e->variant != VARIANT_WINDOW) break;
        check(c, e->op[2], READ);
        return;
    default: break;
    }
    check(c, e, READ);
}

// Checks the array that a pattern traverses.
static void check_elements(Checker *c, Node *e, Node *xs)
{
    if (policy_in_any_order(e))
        check(c, xs, READ);
    else
        check_stream(c, xs, false);
}

// --- destinations -------------------------------------------------------------------------------

// Checks a body of map.dst that has a put. A part that does not use the parameter x is in WRITE.
static void check_put(Checker *c, Node *e, int x)
{
    if (policy_is_component(e, x)) return;
    if (!node_uses(e, x)) {
        check(c, e, WRITE);
        return;
    }
    if (e->kind == CORE_MAP) {
        check_put(c, body_of(c, e, 0), 0);
        check_put(c, e->op[1], x);
        return;
    }
    for (int k = 0; k < (int)e->nops; k++) {
        if (kind_sort((Kind)e->kind, k) != SORT_TERM) continue;
        if (view_role(e, k) == ROLE_DATA)
            check_put(c, e->op[k], x);
        else
            check(c, e->op[k], READ);
    }
}

static void check_map_dst(Checker *c, Node *e)
{
    Node *body = body_of(c, e, 0);
    int passes = policy_put_passes(e->op[0]), x = 0;
    if (passes == 0) {
        check(c, body, WRITE);
        check_stream(c, e->op[1], true);
        return;
    }
    CHECK(c->cx, passes == 1 || policy_is_pure(e->op[1]),
          "access: map.dst would run its argument twice");
    for (; body->kind == CORE_LET; body = body->op[1], x++) check(c, body->op[0], READ);
    check_put(c, body, x);
    check(c, e->op[1], WRITE);
}

// Checks a reduce, fold, scan or iterate, whose accumulator is in the same position as the result.
static void check_reduce(Checker *c, Node *e, Position p)
{
    bool inplace = e->variant == VARIANT_INPLACE && p == WRITE &&
                   (e->kind == CORE_REDUCE || e->kind == CORE_FOLD || e->kind == CORE_ITERATE);
    if (!inplace) check_loop(c, e, p);
    if (e->kind == CORE_ITERATE) {
        check(c, body_of(c, e, 1), p);
        check(c, e->op[2], p);
        return;
    }
    check(c, body_of(c, e, 0), p);
    check(c, e->op[1], p);
    check_elements(c, e, e->op[2]);
}

static void check_let(Checker *c, Node *e, Position p)
{
    check_variant(c, e, p, VARIANT_ANY);
    check(c, e->op[0], READ);
    check(c, e->op[1], p);
}

static void check_plain(Checker *c, Node *e, Position p, int first, Position operands)
{
    check_variant(c, e, p, VARIANT_ANY);
    check_operands(c, e, first, operands);
}

// Checks a component or an element of a written term.
static void check_part(Checker *c, Node *e)
{
    check(c, e->op[0], WRITE);
    if (e->kind == CORE_INDEX) check(c, e->op[1], READ);
}

static void check_read(Checker *c, Node *e)
{
    bool arrays = type_has_array(e->type);
    if (!arrays && e->variant == VARIANT_DST && (e->kind == CORE_PROJ || e->kind == CORE_INDEX)) {
        check_part(c, e);
        return;
    }
    switch (e->kind) {
    case CORE_LET: check_let(c, e, READ); return;
    case CORE_VAR:
    case CORE_UNDEFINED:
    case CORE_LIT:
    case CORE_NAT:
    case CORE_PRIM:
    case CORE_CAST:
#define NODE(kind, ...) case kind:
#include "ir/lanes.def"
#undef NODE
    case CORE_TUPLE:
    case CORE_PROJ:
    case CORE_INDEX:
    case CORE_GET:
    case CORE_BORROW:
    case CORE_REF_AT:
    case CORE_REF_PROJ:
    case CORE_REF_SLICE:
    case CORE_FOREVER:
    case CORE_RANGE:
    case CORE_PARALLEL:
    case CORE_VECTORIZE:
    case CORE_SPAWN:
    case CORE_SYNC:
    case CORE_PREFETCH:
    case CORE_ASSERT: check_plain(c, e, READ, 0, READ); return;
    case CORE_TO_IDX: check_operands(c, e, 0, READ); return;
    case CORE_NEW: check_operands(c, e, 0, WRITE); return; // its variant may be any space
    case CORE_SET:
    case CORE_JUMP: check_plain(c, e, READ, 1, WRITE); return;
    case CORE_LABEL:
    case CORE_CALL:
    case CORE_IF:
        if (arrays) break;
        check_plain(c, e, READ, 0, READ);
        return;
    case CORE_REDUCE:
    case CORE_FOLD:
    case CORE_ITERATE:
        if (arrays) break;
        check_reduce(c, e, READ);
        return;
    case CORE_TO_MEM:
        if (!arrays) break;
        check_operands(c, e, 0, WRITE); // its variant may be any space or layout
        return;
    case CORE_MAP:
    case CORE_GENERATE:
        check_variant(c, e, READ, VARIANT_SRC);
        check_operands(c, e, 0, READ);
        return;
    default: break;
    }
    if (!kind_is_view((Kind)e->kind)) misplaced(c, e, READ);
    check_variant(c, e, READ, VARIANT_SRC);
    check_operands(c, e, 0, READ);
}

// Checks a view in WRITE.
static void check_destination(Checker *c, Node *e)
{
    if (view_row((Kind)e->kind)->writes == WRITES_NOTHING) {
        check_variant(c, e, WRITE, VARIANT_WINDOW);
        check_operands(c, e, 0, READ);
        return;
    }
    check_variant(c, e, WRITE, VARIANT_DST);
    for (int k = 0; k < (int)e->nops; k++) {
        Sort sort = kind_sort((Kind)e->kind, k);
        if (sort == SORT_TERM) check(c, e->op[k], view_role(e, k) == ROLE_DATA ? WRITE : READ);
        if (sort == SORT_FUN) check(c, body_of(c, e, k), READ);
    }
}

static void check_write(Checker *c, Node *e)
{
    switch (e->kind) {
    case CORE_LET: check_let(c, e, WRITE); return;
    case CORE_UNDEFINED:
        if (e->variant != VARIANT_UNCHECKED) check_plain(c, e, WRITE, 0, WRITE);
        return;
    case CORE_TUPLE:
    case CORE_ARRAY: check_plain(c, e, WRITE, 0, WRITE); return;
    case CORE_IF: check_plain(c, e, WRITE, 1, WRITE); return;
    case CORE_LABEL: check_plain(c, e, WRITE, 0, WRITE); return;
    case CORE_CALL:
    case CORE_COPY: check_plain(c, e, WRITE, 0, READ); return;
    case CORE_MAP:
        if (e->variant == VARIANT_DST) {
            check_map_dst(c, e);
            return;
        }
        check_loop(c, e, WRITE);
        check(c, body_of(c, e, 0), WRITE);
        check_elements(c, e, e->op[1]);
        return;
    case CORE_PROJ:
    case CORE_INDEX:
        check_variant(c, e, WRITE, VARIANT_DST);
        check_part(c, e);
        return;
    case CORE_GENERATE:
        check_loop(c, e, WRITE);
        check(c, body_of(c, e, 1), WRITE);
        return;
    case CORE_SCAN:
    case CORE_SCAN_EX:
    case CORE_REDUCE:
    case CORE_FOLD:
    case CORE_ITERATE: check_reduce(c, e, WRITE); return;
    case CORE_SCATTER:
        check_variant(c, e, WRITE, VARIANT_SEQ);
        check_operands(c, e, 0, READ);
        return;
    case CORE_SCATTER_WITH:
        check_loop(c, e, WRITE);
        check(c, body_of(c, e, 0), WRITE);
        for (int k = 1; k < 3; k++) check(c, e->op[k], READ);
        check_stream(c, e->op[3], false);
        return;
    default: break;
    }
    if (!kind_is_view((Kind)e->kind)) misplaced(c, e, WRITE);
    check_destination(c, e);
}

static void check(Checker *c, Node *e, Position p)
{
    if (!type_has_array(e->type)) p = READ;
    if (map_get(&c->seen[p], MAP_KEY(e))) return;
    map_put(&c->seen[p], MAP_KEY(e), (void *)(uintptr_t)e);
    if (p == READ)
        check_read(c, e);
    else
        check_write(c, e);
}

void policy_check_low(Session *cx, const Function *low)
{
    // uses the session's arena, since errors leave through session_ice
    Checker c = {.cx = cx, .seen = {map_new(cx->arena), map_new(cx->arena)}};
    if (low->body) check(&c, low->body, WRITE);
    for (int i = 0; i < low->callees.len; i++) policy_check_low(cx, low->callees.at[i]);
}
