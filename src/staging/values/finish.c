// The end of staging: converts unique names to de Bruijn indices, and inlines or drops lets.
//
// A value is inlined if it is used once and inlining repeats no work, as it would if the use were
// in a lambda. A value that may fail does not move into a branch or past a term that may jump, and
// is dropped only if it is an array, since arrays are evaluated lazily. Terms that read or write
// locations, or may jump, do not move. Dead stores are removed: a location that is never read is
// dropped together with all writes to it.
//
// Uses are counted on the graph of shared nodes, parents before operands. The value of a let counts
// as an operand of its variable, so that an unused value does not count as a use of other values.
#include "staging/values/stage.h"

// Limits on the size of the result as a tree, and on the height of terms after lets are inlined,
// since later passes recurse on terms.
enum { MAX_REBUILT = 2000000, MAX_HEIGHT = 200 };

enum { UNSEEN = -1, SEVERAL = -2 };

// The position of a term: how many loops (lambdas) and how many branches of `if` enclose it. The
// body of a let whose value may jump counts as a branch.
typedef struct {
    int loops, branches;
} Spot;
static const Spot nowhere = {UNSEEN, UNSEEN};

typedef struct {
    Node *node;
    int uses; // 0, 1, or 2 for more
    Spot at;
    bool effect;    // it reads or writes a location, or may jump
    bool leaves;    // it contains a jump
    bool statement; // it may not move: it has side effects, or is a loop or label
    bool snapshot;  // it uses an array as it was when read from a location
    bool loops;     // it contains a lambda
    Node *value;    // the value of a let-bound variable
    Spot let;       // the position of the let that binds the variable
    bool live;      // whether the location in this variable is read
    int height;     // the height with all lets in the term inlined
    bool keep;      // inlining the value would make terms too high
    int64_t level;  // while rebuilding: the number of variables bound outside its binder
    bool inlined;
} Use;

typedef struct {
    Stage *s;
    Use *uses;         // by position in `order`
    Map index;         // node -> 1 + position
    VEC(Node *) order; // operands first
    Map values;        // let-bound variable -> value
    Map shared;        // let-bound variable -> another one with the same value
    Map rebuilt;       // (node, scope) -> Node, for nodes used more than once
    int64_t scopes, work;
} Finish;

// --- uses --------------------------------------------------------------------

static void collect(Finish *f, Node *e);

// Collects all operands but the last. The value of a variable counts as its operand.
static void collect_first(Finish *f, Node *e)
{
    Node *value = e->kind == PH_VAR ? map_get(&f->values, MAP_KEY(e)) : NULL;
    if (value) collect(f, value);
    if (e->kind == CORE_LET) {
        Node *var = e->op[1]->op[0], *same = map_get(&f->shared, MAP_KEY(var));
        map_put(&f->values, MAP_KEY(var), (void *)(uintptr_t)(same ? same : e->op[0]));
    }
    for (uint32_t i = 0; i + 1 < e->nops; i++) collect(f, e->op[i]);
}

// Collects the nodes in postorder. Iterates over last operands, so that long programs need no deep
// stack.
static void collect(Finish *f, Node *e)
{
    VEC(Node *) row = {0};
    for (; e && !(kind_info[e->kind].levels & LEVEL_NAT); e = e->nops ? e->op[e->nops - 1] : NULL) {
        if (map_get(&f->index, MAP_KEY(e))) break;
        map_put(&f->index, MAP_KEY(e), (void *)(uintptr_t)1);
        collect_first(f, e);
        vec_push(f->s->arena, &row, e);
    }
    for (int i = row.len - 1; i >= 0; i--) vec_push(f->s->arena, &f->order, row.at[i]);
}

static Use *use_of(Finish *f, Node *e)
{
    uintptr_t k = (uintptr_t)map_get(&f->index, MAP_KEY(e));
    CHECK(f->s->cx, k, "a node of the term was not counted");
    return &f->uses[k - 1];
}

static void merge(int *old, int now)
{
    *old = *old == UNSEEN || *old == now ? now : SEVERAL;
}

static void merge_spot(Spot *old, Spot now)
{
    merge(&old->loops, now.loops);
    merge(&old->branches, now.branches);
}

static int deeper(int depth, int by)
{
    return depth == SEVERAL ? SEVERAL : depth + by;
}

// The position inside further lambdas or branches.
static Spot within(Spot at, int loops, int branches)
{
    return (Spot){deeper(at.loops, loops), deeper(at.branches, branches)};
}

static void count(Finish *f, Node *e, int times, Spot at)
{
    if (kind_info[e->kind].levels & LEVEL_NAT) return;
    Use *u = use_of(f, e);
    u->uses = u->uses + times > 2 ? 2 : u->uses + times;
    merge_spot(&u->at, at);
}

// The body of a binder.
static Node *body_of(Node *binder)
{
    Node *under = binder->op[binder->nops - 1];
    return under->op[under->nops - 1];
}

// Whether the value is a scalar computed from an array in a location. If it moved past an
// assignment to the location, the array would have to be copied.
static bool must_stay_before_writes(Finish *f, Node *value)
{
    const Use *u = use_of(f, value);
    return u->snapshot && u->loops && value->type->kind == TYPE_SCALAR;
}

// Whether the variable is replaced with its value.
static bool is_inlined(Finish *f, const Use *u)
{
    if (known_is_atom(u->value)) return true;
    if (use_of(f, u->value)->statement || u->keep || u->uses != 1) return false;
    if (must_stay_before_writes(f, u->value)) return false;
    if (u->at.loops == SEVERAL || u->at.loops != u->let.loops) return false;
    if (u->at.branches != SEVERAL && u->at.branches == u->let.branches) return true;
    return !stage_may_fail(f->s, u->value);
}

// Whether the value is a dead store: a write to a local location that is never read.
static bool is_dead_store(Finish *f, Node *value)
{
    if (value->kind != CORE_SET) return false;
    const Use *cell = use_of(f, stage_root(value->op[0]));
    return cell->value && cell->value->kind == CORE_NEW && !cell->live;
}

static bool is_dropped(Finish *f, const Use *u)
{
    if (is_dead_store(f, u->value)) return true;
    if (u->value->kind == CORE_NEW) return !u->live && u->uses == 0;
    if (u->uses || (use_of(f, u->value)->effect && u->value->kind != CORE_GET)) return false;
    return type_has_array(u->value->type) || !stage_may_fail(f->s, u->value);
}

static void count_variable(Finish *f, Use *u)
{
    if (!u->value || u->let.loops == UNSEEN || is_dropped(f, u)) return;
    u->inlined = is_inlined(f, u);
    if (!u->inlined || u->uses == 0)
        count(f, u->value, 1, u->let);
    else
        count(f, u->value, u->uses, u->at);
}

static void count_let(Finish *f, Use *u)
{
    Node *e = u->node;
    Use *var = use_of(f, e->op[1]->op[0]);
    merge_spot(&var->let, u->at);
    count(f, body_of(e), u->uses, within(u->at, 0, use_of(f, e->op[0])->leaves));
}

static void count_operands(Finish *f, Use *u)
{
    Node *e = u->node;
    if (e->kind == PH_VAR) {
        count_variable(f, u);
    } else if (u->uses == 0) {
        return;
    } else if (e->kind == CORE_LET) {
        count_let(f, u);
    } else if (e->kind == CORE_LAM || e->kind == CORE_LABEL) {
        count(f, body_of(e), u->uses, within(u->at, e->kind == CORE_LAM, 0));
    } else {
        for (uint32_t i = 0; i < e->nops; i++) {
            bool branch = e->kind == CORE_IF && i > 0, round = e->kind == CORE_FOREVER;
            count(f, e->op[i], u->uses, branch || round ? within(u->at, round, branch) : u->at);
        }
    }
}

static bool has_effect(Finish *f, Node *e)
{
    switch (e->kind) {
    case CORE_NEW:
    case CORE_GET:
    case CORE_SET:
    case CORE_JUMP:
    case CORE_FOREVER:
    case CORE_SPAWN:
    case CORE_SYNC:
    case CORE_PREFETCH:
    case CORE_ASSERT:
    case CORE_CALL: return true;
    default: break;
    }
    for (uint32_t i = 0; i < e->nops; i++)
        if (!(kind_info[e->op[i]->kind].levels & LEVEL_NAT) && use_of(f, e->op[i])->effect)
            return true;
    return false;
}

static bool may_leave(Finish *f, Node *e)
{
    if (e->kind == CORE_JUMP) return true;
    for (uint32_t i = 0; i < e->nops; i++)
        if (!(kind_info[e->op[i]->kind].levels & LEVEL_NAT) && use_of(f, e->op[i])->leaves)
            return true;
    return false;
}

static bool is_statement(Finish *f, Node *e)
{
    if (use_of(f, e)->effect || e->kind == CORE_LABEL || e->kind == CORE_RANGE ||
        e->kind == CORE_PARALLEL || e->kind == CORE_VECTORIZE)
        return true;
    for (uint32_t i = 0; i < e->nops && e->kind != CORE_LAM; i++)
        if (!(kind_info[e->op[i]->kind].levels & LEVEL_NAT) && use_of(f, e->op[i])->statement)
            return true;
    return false;
}

typedef bool Property(const Use *u);

static bool has_snapshot(const Use *u)
{
    return u->snapshot;
}

static bool has_loops(const Use *u)
{
    return u->loops;
}

// Whether an operand, or the value of the variable, has the property.
static bool any_operand(Finish *f, const Use *u, Property *has)
{
    const Node *e = u->node;
    if (u->value && has(use_of(f, u->value))) return true;
    for (uint32_t i = 0; i < e->nops; i++)
        if (!(kind_info[e->op[i]->kind].levels & LEVEL_NAT) && has(use_of(f, e->op[i])))
            return true;
    return false;
}

static bool is_snapshot(const Use *u)
{
    return u->value && u->value->kind == CORE_GET && u->value->type->kind == TYPE_ARRAY;
}

// Marks as live the locations that the term reads or passes to a function.
static void find_live(Finish *f, Node *e)
{
    if (e->kind != CORE_GET && e->kind != CORE_CALL) return;
    for (uint32_t i = 0; i < e->nops; i++)
        if (e->op[i]->type && e->op[i]->type->kind == TYPE_REF)
            use_of(f, stage_root(e->op[i]))->live = true;
}

static void number_nodes(Finish *f, Node *term)
{
    f->index = map_new(f->s->arena);
    f->values = map_new(f->s->arena);
    collect(f, term);
    int n = f->order.len;
    f->uses = ARENA_ARRAY(f->s->arena, Use, n + 1);
    for (int i = 0; i < n; i++) {
        Node *e = f->order.at[i];
        f->uses[i] = (Use){
            .node = e, .at = nowhere, .let = nowhere, .value = map_get(&f->values, MAP_KEY(e))};
        map_put(&f->index, MAP_KEY(e), (void *)(uintptr_t)(i + 1));
        f->uses[i].effect = has_effect(f, e);
        f->uses[i].leaves = may_leave(f, e);
        f->uses[i].statement = is_statement(f, e);
        f->uses[i].snapshot = is_snapshot(&f->uses[i]) || any_operand(f, &f->uses[i], has_snapshot);
        f->uses[i].loops = e->kind == CORE_LAM || any_operand(f, &f->uses[i], has_loops);
        find_live(f, e);
    }
}

// Measures heights in postorder. A let adds nothing to the height of its body, as passes iterate
// over let chains.
static void measure(Finish *f)
{
    for (int i = 0; i < f->order.len; i++) {
        Use *u = &f->uses[i];
        Node *e = u->node;
        if (u->value) {
            u->height = use_of(f, u->value)->height;
            u->keep = u->height > MAX_HEIGHT;
            if (u->keep) u->height = 0;
        }
        for (uint32_t k = 0; k < e->nops; k++) {
            if (kind_info[e->op[k]->kind].levels & LEVEL_NAT) continue;
            int height = use_of(f, e->op[k])->height + (e->kind != CORE_LET);
            if (height > u->height) u->height = height;
        }
    }
}

static void count_uses(Finish *f, Node *term)
{
    number_nodes(f, term);
    measure(f);
    count(f, term, 1, (Spot){0, 0});
    for (int i = f->order.len - 1; i >= 0; i--) count_operands(f, &f->uses[i]);
}

// --- rebuilding --------------------------------------------------------------

// A position while rebuilding: the number of variables in scope, and the innermost binder.
typedef struct {
    int depth;
    int64_t scope;
} Place;

static Node *rebuild(Finish *f, Node *e, Place at);

static Place inside(Finish *f, Place at, int nbound)
{
    return (Place){at.depth + nbound, ++f->scopes};
}

const Sym *stage_hints(Stage *s, Node *binder)
{
    Node *under = binder->op[binder->nops - 1];
    int n = (int)under->nops - 1;
    Sym *hints = ARENA_ARRAY(s->cx->arena, Sym, n + 1);
    for (int i = 0; i < n; i++) {
        const void *hint = map_get(&s->hints, MAP_KEY(under->op[i]->attr.sym));
        hints[i] = hint ? (Sym)hint : session_sym(s->cx, "x");
    }
    return hints;
}

static void bind(Finish *f, int n, Node *const *vars, int depth)
{
    for (int i = 0; i < n; i++)
        if (map_get(&f->index, MAP_KEY(vars[i]))) use_of(f, vars[i])->level = depth + i;
}

static Node *rebuild_variable(Finish *f, Node *e, Place at)
{
    const Use *u = use_of(f, e);
    if (u->inlined) return rebuild(f, u->value, at);
    return node_make(f->s->cx, &(NodeSpec){.kind = CORE_VAR,
                                           .attr.i = at.depth - 1 - u->level,
                                           .type = e->type,
                                           .origin = e->origin});
}

// Rebuilds a lambda or a label.
static Node *rebuild_binder(Finish *f, Node *e, Place at)
{
    int n = (int)e->op[0]->nops - 1;
    bind(f, n, e->op[0]->op, at.depth);
    Node *body = rebuild(f, body_of(e), inside(f, at, n));
    return node_make(f->s->cx, &(NodeSpec){.kind = (Kind)e->kind,
                                           .attr = e->attr,
                                           .type = e->type,
                                           .nops = 1,
                                           .ops = &body,
                                           .origin = e->origin,
                                           .names = stage_hints(f->s, e)});
}

// Rebuilds a chain of lets. Values are rebuilt from the outside in, the chain from the inside out.
static Node *rebuild_lets(Finish *f, Node *e, Place at)
{
    VEC(Node *) kept = {0}, values = {0};
    for (; e->kind == CORE_LET; e = body_of(e)) {
        Node *var = e->op[1]->op[0];
        Use *u = use_of(f, var);
        if (u->inlined || is_dropped(f, u)) continue;
        vec_push(f->s->arena, &values, rebuild(f, e->op[0], at));
        vec_push(f->s->arena, &kept, e);
        bind(f, 1, &var, at.depth);
        at = inside(f, at, 1);
    }
    int last = kept.len - 1;
    bool result = last >= 0 && kept.at[last]->op[1]->op[0] == e; // let x = v in x is v
    Node *body = result ? values.at[last] : rebuild(f, e, at);
    for (int i = result ? last - 1 : last; i >= 0; i--)
        body = node_make(f->s->cx, &(NodeSpec){.kind = CORE_LET,
                                               .type = body->type,
                                               .nops = 2,
                                               .ops = (Node *[]){values.at[i], body},
                                               .origin = kept.at[i]->origin,
                                               .names = stage_hints(f->s, kept.at[i])});
    return body;
}

static Node *rebuild_operands(Finish *f, Node *e, Place at)
{
    Node **ops = ARENA_ARRAY(f->s->arena, Node *, e->nops + 1);
    for (uint32_t i = 0; i < e->nops; i++) {
        bool size = kind_info[e->op[i]->kind].levels & LEVEL_NAT;
        ops[i] = size ? e->op[i] : rebuild(f, e->op[i], at);
    }
    return stage_fold(f->s, node_with_ops(f->s->cx, e, ops)); // inlined values may be literals
}

static Node *rebuild(Finish *f, Node *e, Place at)
{
    if (e->kind == PH_VAR) return rebuild_variable(f, e, at);
    if (e->nops == 0) return e;
    bool shared = use_of(f, e)->uses > 1;
    uint64_t key = (uint64_t)e->id << 32 | (uint64_t)at.scope;
    Node *done = shared ? map_get(&f->rebuilt, key) : NULL;
    if (done) return done;
    if (++f->work > MAX_REBUILT) {
        stage_fail(f->s, E0503, f->s->entry->span, NULL,
                   "this entry is too large after inlining all calls");
        return e;
    }
    if (f->s->failed) return e;
    if (e->kind == CORE_LAM || e->kind == CORE_LABEL)
        done = rebuild_binder(f, e, at);
    else if (e->kind == CORE_LET)
        done = rebuild_lets(f, e, at);
    else
        done = rebuild_operands(f, e, at);
    if (shared) map_put(&f->rebuilt, key, (void *)(uintptr_t)done);
    return done;
}

Node *stage_finish(Stage *s, Node *term, int nparams, Node *const *params)
{
    Finish f = {.s = s, .rebuilt = map_new(s->arena), .shared = stage_shared_lets(s, term)};
    count_uses(&f, term);
    bind(&f, nparams, params, 0);
    return rebuild(&f, term, (Place){nparams, 0});
}
