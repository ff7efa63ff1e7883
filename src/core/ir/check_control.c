// The control-flow checker. Jumps must lead to enclosing labels. From flat Core onwards, only jumps
// may use labels, and no jump may leave the function passed to a pattern or the body of a parallel
// or vectorised loop. Flat Core is the control-flow form of Core (Leissa 2017, definition 11.2):
// the only function values are the literal lambdas under patterns and loops. In flat Core, side
// effects appear in evaluation order, and every location is a path from a cell or a parameter.
#include "core/ir/internal.h"

/// The binders that enclose a term, innermost first. Interned, so that a (node, binder) pair can
/// serve as a key.
typedef struct Binder Binder;
typedef enum {
    BY_VALUE,  // a let, a parameter
    BY_LABEL,  // a label
    BY_LOOP,   // a parallel or vectorised loop, which no jump may leave
    BY_PATTERN // a pattern, whose function must neither jump out nor write to locations outside
} BinderKind;
struct Binder {
    BinderKind kind;
    Binder *outer;
    uint32_t id;
};

typedef struct {
    Session *cx;
    const Function *f;
    bool flat, known; // `known` means that only jumps may use labels, as in flat and low Core
    Map visited;      // the (node, binder) pairs that have been checked
    Map binders;      // kind and outer binder -> binder
    uint32_t nbinders;
    Map effects; // node -> whether it has a side effect or reads a location
} Control;

static _Noreturn void fault(Control *c, Node *e, const char *why)
{
    core_fault(c->cx, c->f, e, why);
}

static Binder *bind(Control *c, BinderKind kind, Binder *outer)
{
    uint64_t key = (uint64_t)kind << 32 | (outer ? outer->id : 0);
    Binder *b = map_get(&c->binders, key);
    if (b) return b;
    b = ARENA_NEW(c->cx->arena, Binder);
    *b = (Binder){.kind = kind, .outer = outer, .id = ++c->nbinders};
    map_put(&c->binders, key, b);
    return b;
}

// The kind of binder for the parameters of operand k, a lambda.
static BinderKind binder_of_lambda(Node *e, int k)
{
    if (kind_sort((Kind)e->kind, k) != SORT_FUN) return BY_VALUE;
    switch (e->kind) {
    case CORE_RANGE: return BY_VALUE;
    case CORE_PARALLEL:
    case CORE_VECTORIZE:
    case CORE_SPAWN: return BY_LOOP;
    default: return BY_PATTERN;
    }
}

// Whether one of the `n` innermost binders is of this kind.
static bool is_inside(const Binder *b, int64_t n, BinderKind kind)
{
    for (; n > 0 && b; n--, b = b->outer)
        if (b->kind == kind) return true;
    return false;
}

static const Binder *binder_at(const Binder *b, int64_t index)
{
    for (; index > 0 && b; index--) b = b->outer;
    return b;
}

// --- jumps -------------------------------------------------------------------------------------

static void check_jump(Control *c, Node *e, const Binder *b)
{
    Node *target = e->op[0];
    if (target->kind != CORE_VAR) fault(c, e, "a jump to something that is not a label");
    const Binder *label = binder_at(b, target->attr.i);
    if (!label || label->kind != BY_LABEL) fault(c, e, "a jump to something that is not a label");
    if (!c->known) return;
    if (is_inside(b, target->attr.i, BY_PATTERN))
        fault(c, e, "a jump out of a function of a pattern");
    if (is_inside(b, target->attr.i, BY_LOOP))
        fault(c, e, "a jump out of a loop whose bodies run at once");
}

// --- flat Core ---------------------------------------------------------------------------------

// Whether operand k is evaluated in order, so that it may have side effects.
static bool is_statement(Node *e, uint32_t k)
{
    switch (e->kind) {
    case CORE_LET:
    case CORE_LABEL:
    case CORE_FOREVER:
    case CORE_LAM: return true;
    case CORE_IF: return k > 0;
    default: return false;
    }
}

bool core_is_effect(Kind kind)
{
    switch (kind) {
    case CORE_NEW:
    case CORE_GET:
    case CORE_SET:
    case CORE_LABEL:
    case CORE_JUMP:
    case CORE_FOREVER:
    case CORE_RANGE:
    case CORE_PARALLEL:
    case CORE_VECTORIZE:
    case CORE_SPAWN:
    case CORE_SYNC:
    case CORE_PREFETCH:
    case CORE_ASSERT:
    case CORE_CALL: return true;
    default: return false;
    }
}

static bool has_effect(Control *c, Node *e)
{
    if (core_is_effect((Kind)e->kind)) return true;
    if (e->kind == CORE_LAM) return false; // functions passed to patterns have no outside effects
    int *known = map_get(&c->effects, MAP_KEY(e)), found = 0;
    if (known) return *known;
    for (uint32_t i = 0; i < e->nops && !found; i++) found = has_effect(c, e->op[i]);
    known = ARENA_NEW(c->cx->arena, int);
    *known = found;
    map_put(&c->effects, MAP_KEY(e), known);
    return found;
}

// The index of the operand through which a path continues, or -1 if the term is not a path.
static int path_operand(Node *e)
{
    switch (e->kind) {
    case CORE_BORROW:
    case CORE_REF_AT:
    case CORE_REF_PROJ: return 0;
    case CORE_REF_SLICE: return 2;
    default: return -1;
    }
}

// Whether operand k may be a location: the term reads, writes or follows it, or passes it to a
// callee. A new location may only be the value of a let.
static bool place_fits(Node *e, uint32_t k)
{
    if (e->kind == CORE_LET) return k == 0 && e->op[0]->kind == CORE_NEW;
    bool first = e->kind == CORE_GET || e->kind == CORE_SET || e->kind == CORE_PREFETCH;
    bool used = e->kind == CORE_CALL || (first && k == 0) || (int)k == path_operand(e);
    return used && (e->op[k]->kind == CORE_VAR || path_operand(e->op[k]) >= 0);
}

static void check_operand(Control *c, Node *e, uint32_t k)
{
    Node *op = e->op[k], *type = op->type;
    bool function = kind_sort((Kind)e->kind, (int)k) == SORT_FUN;
    if (function != (op->kind == CORE_LAM))
        fault(c, e, "a function that is not a lambda under its pattern");
    if (function || !type) return;
    if (type->kind == TYPE_REF && !place_fits(e, k)) fault(c, e, "a place that is not a path");
    if (type->kind == TYPE_NEVER && !is_statement(e, k))
        fault(c, e, "an operand that never has a value");
    bool known =
        type->kind == TYPE_REF || type->kind == TYPE_NEVER || (e->kind == CORE_JUMP && k == 0);
    if (!known && !type_is_data(type)) fault(c, e, "an operand that is not data");
    if (!is_statement(e, k) && has_effect(c, op))
        fault(c, e, "an effect that is neither the value of a let nor at the end");
}

// Checks that a function passed to a pattern writes only to its own locations.
static void check_write(Control *c, Node *e, Node *place, const Binder *b)
{
    while (path_operand(place) >= 0) place = place->op[path_operand(place)];
    if (place->kind == CORE_VAR && is_inside(b, place->attr.i, BY_PATTERN))
        fault(c, e, "a function of a pattern writes outside");
}

static void check_flat_node(Control *c, Node *e, const Binder *b)
{
    if (e->kind == CORE_APP) fault(c, e, "an application in flat Core");
    if (e->kind == CORE_GLOBAL) fault(c, e, "a global in flat Core");
    if (e->kind == CORE_KNOWN || e->kind == CORE_HIDE)
        fault(c, e, "a question to staging in flat Core");
    for (uint32_t k = 0; k < e->nops; k++) check_operand(c, e, k);
    if (e->kind == CORE_SET) check_write(c, e, e->op[0], b);
    for (uint32_t k = 0; e->kind == CORE_CALL && k < e->nops; k++)
        if (e->op[k]->type->kind == TYPE_REF && type_ref_mutable(e->op[k]->type))
            check_write(c, e, e->op[k], b);
}

// --- the walk ----------------------------------------------------------------------------------

static void check_node(Control *c, Node *e, Binder *b);

// Checks operand k of `e`. If the operand is a lambda, `e` decides how its parameters are bound.
static void check_below(Control *c, Node *e, int k, Binder *b)
{
    Node *op = e->op[k];
    if (e->kind == CORE_JUMP && k == 0) return;
    if (op->kind == CORE_LAM) {
        for (int64_t i = 0; i < op->attr.i; i++) b = bind(c, binder_of_lambda(e, k), b);
        if (c->flat) check_operand(c, op, 0);
        check_node(c, op->op[0], b);
        return;
    }
    for (int i = node_binds(e, k); i > 0; i--)
        b = bind(c, e->kind == CORE_LABEL ? BY_LABEL : BY_VALUE, b);
    check_node(c, op, b);
}

static void check_node(Control *c, Node *e, Binder *b)
{
    if (!e->type) return; // a size or type, which contains no terms
    if (e->loose == 0) b = NULL;
    uint64_t key = (uint64_t)e->id << 32 | (b ? b->id : 0);
    if (map_get(&c->visited, key)) return;
    map_put(&c->visited, key, c);
    if (e->kind == CORE_JUMP) check_jump(c, e, b);
    if (e->kind == CORE_VAR && c->known && binder_at(b, e->attr.i)->kind == BY_LABEL)
        fault(c, e, "a label that is not jumped to");
    if (c->flat) check_flat_node(c, e, b);
    for (uint32_t k = 0; k < e->nops; k++) check_below(c, e, (int)k, b);
}

void check_control(Session *cx, const Function *f, int level, bool flat)
{
    Control c = {.cx = cx,
                 .f = f,
                 .flat = flat,
                 .known = flat || level == LEVEL_LOW,
                 .visited = map_new(cx->arena),
                 .binders = map_new(cx->arena),
                 .effects = map_new(cx->arena)};
    Binder *b = NULL;
    for (int i = 0; i < f->params.len; i++) b = bind(&c, BY_VALUE, b);
    check_node(&c, f->body, b);
}
