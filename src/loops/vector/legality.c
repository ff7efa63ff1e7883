// Legality and cost of vectorisation: whether a body can be vectorised, and whether its vector
// operations outweigh the parts that still run lane by lane.
#include "base/target/cpu.h"
#include "loops/vector/vectors.h"

enum {
    MAX_WEIGHT = 2000, // maximum weight of a body
    MISSED = 40,       // maximum weight of a statement that needs no guard
    INNER = 8,         // assumed trip count of a loop in the body
    MAX_ARRAY = 16384, // maximum bytes of an array of the body, for all lanes together
    GATHERED = 1,      // cost per lane of a gather or scatter
    DIVIDED = 2,       // cost per lane of a division, or of a cast from a float to u64
    CALLED = 4,        // cost per lane of a function without a vector version
    PER_SLOW = 3       // number of vector operations that make up for a cost of 1
};

typedef struct {
    Node *stmt; // a statement or a load
    bool stores;
    bool in_record; // one of the elements of a record
    int64_t times;  // executions of its statement
    Node *around;   // the side of a branch that it is in, or NULL
} Access;

typedef struct {
    Divergence *d;
    Node *body;
    VEC(Access) accesses;
    LaneLosses *losses; // or NULL
    Span here;          // the current statement
    Node *around;       // the innermost side of a branch, or NULL
    bool refused;
    int widest;
    int stored;      // bytes of the widest element that is loaded or stored
    LaneLoss wide;   // the first computed 64-bit value; its `why` is NULL if there is none
    bool floats;     // whether that value is a float
    LossKind costly; // the most expensive scalar operation
    int64_t most;    // its cost
    // The number of vector operations, the cost of scalar operations, and the number of executions
    // of the current statement.
    int64_t cheap, slow, times;
    int some; // number of enclosing divergent regions
} Legality;

// Whether vectors have arithmetic on the type; there is none on f16.
static bool has_vectors(Node *type)
{
    Scalar s;
    return type_is_scalar(type, &s) && s != SCALAR_F16;
}

// Refuses to vectorise the body unless `possible` is true. Reports only the first reason.
static void refuse_unless(Legality *s, bool possible, LossKind kind, Sym name)
{
    if (!possible && !s->refused && s->losses)
        lane_loss_add(s->d->cx, s->losses, kind, name ? name->text : NULL, s->here);
    s->refused |= !possible;
}

static void widen(Legality *s, Node *type)
{
    Scalar element;
    refuse_unless(s, type->kind != TYPE_VEC, LOSS_NESTED, NULL); // there are no vectors of vectors
    if (!type_is_scalar(type, &element)) return;
    refuse_unless(s, has_vectors(type), LOSS_HALF, NULL);
    if (scalar_info[element].size > s->widest) s->widest = scalar_info[element].size;
}

static void widen_by_memory(Legality *s, Node *type)
{
    Scalar element;
    widen(s, type);
    if (type_is_scalar(type, &element) && scalar_info[element].size > s->stored)
        s->stored = scalar_info[element].size;
}

static bool is_first_wide(const Legality *s, Node *type)
{
    enum { USUAL = 4 };
    Scalar element;
    if (!type_is_scalar(type, &element) || scalar_info[element].size <= USUAL) return false;
    return !s->wide.why || (!s->floats && type_is_float(type));
}

// Notes the value that widens the elements to 8 bytes although loads and stores are narrower.
// Floats have priority, since a program computes with them on purpose, and wide indices next to
// them cost nothing extra.
static void note_wide(Legality *s, Node *type, LossKind kind, const char *name)
{
    if (!is_first_wide(s, type)) return;
    s->wide = lane_loss(kind, name, s->here);
    s->floats = type_is_float(type);
}

// --- expressions --------------------------------------------------------------------------------

static bool is_divided(Prim op, Node *type)
{
    return !type_is_float(type) && (op == PRIM_DIV || op == PRIM_REM);
}

// The cost of an operator. Functions without a vector version run for all lanes, including inactive
// ones.
static int cost_of_prim(const Legality *s, Node *e)
{
    Prim op = (Prim)e->attr.i;
    Node *type = e->op[0]->type;
    if (is_divided(op, type)) return loops_is_safe_divisor(e->op[1]) ? 0 : DIVIDED;
    bool by_lanes = op == PRIM_MUL_HI && scalar_info[type->attr.i].size == 8;
    if (!type_is_float(type)) return by_lanes ? DIVIDED : 0;
    bool wasted = s->some && prim_is_function(op) && !prim_in_library(s->d->cx, op);
    return op == PRIM_REM || wasted ? CALLED : 0;
}

static int cost_of_cast(Node *from, Node *to)
{
    Scalar s;
    bool known = type_is_scalar(to, &s);
    return known && s == SCALAR_U64 && type_is_float(from) ? DIVIDED : 0;
}

// Whether the operand of a cast is a linear size. The size itself never becomes a vector, so its
// width does not count.
static bool is_linear_index(const Legality *s, Node *e)
{
    return e->kind == CORE_NAT && !divergence_of(s->d, e).varies;
}

static void pay(Legality *s, int cost, LossKind kind)
{
    if (cost * s->times > s->most) {
        s->most = cost * s->times;
        s->costly = kind;
    }
    if (cost)
        s->slow += cost * s->times;
    else
        s->cheap += s->times;
}

static void visit_size(Legality *s, Node *size)
{
    if (size->kind == NAT_POW || size->kind == NAT_OVERFLOW)
        refuse_unless(s, shape_is_uniform(divergence_of(s->d, size)), LOSS_SIZES, NULL);
    if (size->kind == NAT_DIV || size->kind == NAT_MOD) pay(s, DIVIDED, LOSS_DIVIDES);
    for (uint32_t i = 0; i < size->nops; i++) visit_size(s, size->op[i]);
}

// Whether the access becomes a shuffle.
static bool is_shuffle(const Legality *s, Node *access)
{
    const LaneArrays *arrays = s->d->arrays;
    return arrays && map_get(&arrays->stack, MAP_KEY(access->attr.sym)) &&
           lane_is_constant(s->d, core_size(s->d->cx, access->op[0]));
}

// A position that is computed from narrow integers is a vector of i32.
static void widen_by_position(Legality *s, Node *access)
{
    NarrowPosition at;
    bool own = divergence_array(s->d, access->attr.sym) != NULL;
    if ((!own && shape_is_narrow_step(divergence_of(s->d, access->op[0]))) ||
        access_is_narrow(s->d, s->d->facts, access, &at)) {
        widen(s, type_scalar(s->d->cx, SCALAR_I32));
        return;
    }
    Node *i64 = type_scalar(s->d->cx, SCALAR_I64);
    note_wide(s, i64, LOSS_POSITION, access->attr.sym->text);
    widen(s, i64);
}

enum { RECORD = 4, NEAR = 16 }; // elements of a record, accesses before that are looked at

// Whether the load is the last of the elements of a record, which are one load, and a few shuffles
// for all of them (coalesce_gathers.c). Marks the others as such.
static bool completes_record(Legality *s, Node *load)
{
    Scalar scalar;
    Access *at[2 * RECORD] = {NULL}; // the loads of the elements 1 - RECORD .. RECORD - 1 from here
    bool suits = load->kind == LOOP_LOAD && type_is_scalar(load->type, &scalar) &&
                 scalar_info[scalar].size == 4 && s->d->lanes % RECORD == 0 &&
                 s->d->cx->cpu->costs.gather == 0;
    for (int i = s->accesses.len - 1; suits && i >= 0 && i >= s->accesses.len - NEAR; i--) {
        Access *a = &s->accesses.at[i];
        int64_t apart;
        bool like =
            a->stmt->attr.sym == load->attr.sym && a->times == s->times && a->around == s->around;
        if (a->stores || a->in_record || !like) continue;
        Node *difference = nat_sub(s->d->cx, a->stmt->op[0], load->op[0]);
        if (nat_is_const(difference, &apart) && apart > -RECORD && apart < RECORD && apart != 0)
            at[apart + RECORD] = a;
    }
    for (int begin = 1; begin <= RECORD; begin++) {
        int others = 0;
        for (int k = begin; k < begin + RECORD; k++) others += at[k] != NULL;
        if (others < RECORD - 1) continue;
        for (int k = begin; k < begin + RECORD; k++)
            if (at[k]) at[k]->in_record = true;
        return true;
    }
    return false;
}

// Visits the position of an access. A varying position is a vector of integers.
static void visit_position(Legality *s, Node *access, bool stores)
{
    Shape by = divergence_of(s->d, access->op[0]);
    bool own = divergence_array(s->d, access->attr.sym) != NULL;
    bool gathers = by.varies || (!shape_is_uniform(by) && by.step != 1 && (own || by.step != -1));
    bool shuffles =
        !stores && !own && gathers && (is_shuffle(s, access) || load_is_permutation(s->d, access));
    if (shuffles) {
        pay(s, 0, LOSS_GATHERS);
        return;
    }
    if (by.varies) visit_size(s, access->op[0]);
    if (gathers) widen_by_position(s, access);
    if (gathers || shape_is_contiguous(by) || own) pay(s, gathers ? GATHERED : 0, LOSS_GATHERS);
    bool record = gathers && !own && completes_record(s, access);
    if (record) s->slow -= (RECORD - 1) * GATHERED * s->times;
    const LaneArrays *arrays = s->d->arrays;
    if (shape_is_contiguous(by) && arrays &&
        map_get(&arrays->in_registers, MAP_KEY(access->attr.sym)))
        refuse_unless(s, false, LOSS_REGISTERS, access->attr.sym);
    if (!own)
        vec_push(s->d->cx->arena, &s->accesses,
                 ((Access){access, stores, record, s->times, s->around}));
}

// Searches a value for the index of the loop over lanes, but not inside loads.
static Walk find_index(Node *e, void *env)
{
    const Legality *s = env;
    if (e->kind == NAT_VAR && e->attr.sym == s->d->index) return WALK_STOP;
    return e->kind == LOOP_LOAD ? WALK_OVER : WALK_INTO;
}

// Whether a local holds the result of a call or branch, so that it has no name in the program.
static bool is_unnamed(const Legality *s, Sym local)
{
    const LaneName *n = map_get(&s->d->names, MAP_KEY(local));
    Node *value = n && n->stmt->kind == LOOP_DECL ? n->stmt->op[1] : NULL;
    if (!value) return false;
    return value->kind == LOOP_VAR ? is_unnamed(s, value->attr.sym) : loops_is_nothing(value);
}

// The local or index that a size consists of, if the program names it.
static Sym local_of(const Legality *s, Node *e)
{
    Sym name = e->kind == CORE_NAT && e->op[0]->kind == NAT_VAR ? e->op[0]->attr.sym : NULL;
    return name && !is_unnamed(s, name) ? name : NULL;
}

static void widen_by_value(Legality *s, Node *e)
{
    Sym index = s->d->index, local = local_of(s, e);
    if (e->kind == LOOP_LOAD) {
        widen_by_memory(s, e->type);
        return;
    }
    widen(s, e->type);
    if (e->kind == LOOP_VAR || !is_first_wide(s, e->type)) return;
    if (!type_is_float(e->type) && node_walk(e, find_index, s))
        note_wide(s, e->type, LOSS_INDEX, index->text);
    else if (local)
        note_wide(s, e->type, LOSS_LOCAL, local->text);
    else
        note_wide(s, e->type, LOSS_WIDE, type_show(s->d->cx, e->type));
}

// Visits an operator. Reports a function without a vector version, unless exact results are
// requested.
static void visit_operator(Legality *s, Node *e)
{
    Session *cx = s->d->cx;
    Prim op = (Prim)e->attr.i;
    bool remainder = op == PRIM_REM && type_is_float(e->type);
    bool missing = prim_is_function(op) && !prim_in_library(cx, op) && !cx->exact_math;
    if (s->losses && (remainder || missing))
        lane_loss_add(cx, s->losses, remainder ? LOSS_REMAINDER : LOSS_FUNCTION, prim_info[op].text,
                      s->here);
    pay(s, cost_of_prim(s, e), is_divided(op, e->op[0]->type) ? LOSS_DIVIDES : LOSS_FUNCTIONS);
}

static void visit_value(Legality *s, Node *e)
{
    if (shape_is_uniform(divergence_of(s->d, e))) {
        if (e->kind == LOOP_LOAD && !divergence_array(s->d, e->attr.sym))
            vec_push(s->d->cx->arena, &s->accesses, ((Access){.stmt = e}));
        for (uint32_t i = 0; i < e->nops && e->kind != CORE_NAT && e->kind != LOOP_LOAD; i++)
            visit_value(s, e->op[i]);
        return;
    }
    bool some = false;
    LaneCompare c;
    NarrowCompare narrow;
    if (lane_is_constant(s->d, e)) return;
    if (lane_compare(s->d, e, &c)) {
        pay(s, 0, LOSS_FUNCTIONS);
        return;
    }
    if (narrow_compare(s->d, e, &narrow)) {
        pay(s, 0, LOSS_FUNCTIONS);
        visit_value(s, narrow.narrow);
        return;
    }
    if (!is_widened(e)) widen_by_value(s, e);
    switch ((Kind)e->kind) {
    case CORE_NAT: visit_size(s, e->op[0]); return;
    case LOOP_VAR: return;
    case LOOP_LOAD: visit_position(s, e, false); return;
    case LOOP_SELECT:
        pay(s, 0, LOSS_FUNCTIONS);
        some = !shape_is_uniform(divergence_of(s->d, e->op[0]));
        break;
    case CORE_PRIM: visit_operator(s, e); break;
    case CORE_CAST:
        pay(s, cost_of_cast(e->op[0]->type, e->type), LOSS_FUNCTIONS);
        if (is_linear_index(s, e->op[0])) return;
        break;
    default: refuse_unless(s, false, LOSS_NESTED, NULL); return; // an operation on vectors
    }
    s->some += some;
    for (uint32_t i = 0; i < e->nops; i++) visit_value(s, e->op[i]);
    s->some -= some;
}

// --- statements ---------------------------------------------------------------------------------

// Visits the value of a local. One that is linear stays a scalar, that of the first lane, so that
// its width does not count.
static void visit_local(Legality *s, Node *value, bool varies)
{
    Shape by = divergence_of(s->d, value);
    if (varies || by.varies || shape_is_uniform(by)) {
        visit_value(s, value);
        return;
    }
    for (uint32_t i = 0; i < value->nops && value->kind == CORE_PRIM; i++)
        visit_local(s, value->op[i], false);
}

static bool is_known(const Legality *s, Sym name)
{
    return map_get(&s->d->names, MAP_KEY(name)) != NULL;
}

// Visits a store. At a uniform position, it must store a uniform value.
static void visit_store(Legality *s, Node *n)
{
    bool one = shape_is_uniform(divergence_of(s->d, n->op[0]));
    bool own = divergence_array(s->d, n->attr.sym) != NULL;
    visit_value(s, n->op[1]);
    widen_by_memory(s, n->op[1]->type);
    visit_position(s, n, true);
    refuse_unless(s, !one || own || shape_is_uniform(divergence_of(s->d, n->op[1])), LOSS_ONE_PLACE,
                  n->attr.sym);
}

static void visit_array(Legality *s, Node *n)
{
    Scalar element;
    int64_t count;
    bool known = n->variant == VARIANT_STACK && nat_is_const(n->op[1], &count);
    refuse_unless(s, known && type_is_scalar(n->op[0], &element), LOSS_LENGTH, n->attr.sym);
    if (s->refused || !divergence_varies(s->d, n->attr.sym)) return;
    widen(s, n->op[0]);
    refuse_unless(s, count * scalar_info[element].size * s->d->lanes <= MAX_ARRAY, LOSS_BYTES,
                  n->attr.sym);
}

// --- calls --------------------------------------------------------------------------------------

// The number of statements that mention the memory.
static int count_mentions(Node *s, Sym memory)
{
    int n = 0, own = 0;
    for (uint32_t i = 0; i < s->nops; i++) {
        if (loops_is_stmt(s->op[i]))
            n += count_mentions(s->op[i], memory);
        else
            own |= loops_mentions(s->op[i], memory);
    }
    return n + (own || (loops_is_store(s) && s->attr.sym == memory));
}

// Visits an address that is passed to the calls of all lanes. Returns the number of scalars that
// must move between vectors and memory for each call.
static int visit_address(Legality *s, Node *call, Node *address, const LoopParam *p)
{
    Sym name = address->attr.sym;
    const LaneName *known = map_get(&s->d->names, MAP_KEY(name));
    bool one = shape_is_uniform(divergence_of(s->d, address->op[0]));
    bool apart = !divergence_size_in_lane(s->d, address->op[0], nat_const(s->d->cx, 1));
    bool writes = p->output || p->both, varies = divergence_varies(s->d, name);
    if (known && known->stmt->kind == LOOP_DECL) {
        if (p->output && !known->read) return 0;
        if (varies) widen(s, known->stmt->op[0]);
        return varies;
    }
    refuse_unless(s, !known || !varies, LOSS_LENT, name); // the array is interleaved by lane
    bool atomic = core_atomic_of(call->attr.sym) != ATOMIC_COUNT;
    bool fine = !writes || !one || atomic || lane_call_is_uniform(s->d, call) ||
                (s->times == 1 && count_mentions(s->body, name) == 1);
    refuse_unless(s, fine, p->rank ? LOSS_SHARED : LOSS_ONE_PLACE, name);
    if (apart) visit_size(s, address->op[0]);
    if (apart) widen_by_position(s, address);
    if (!known && p->rank == 0 && !atomic)
        vec_push(s->d->cx->arena, &s->accesses, ((Access){.stmt = address, .stores = writes}));
    return apart;
}

static int visit_argument(Legality *s, Node *e)
{
    bool scalar = lane_scalar(s->d, e, nat_const(s->d->cx, 1)) != NULL;
    while (scalar && e->kind == CORE_CAST) e = e->op[0];
    if (scalar && e->kind == LOOP_LOAD)
        vec_push(s->d->cx->arena, &s->accesses, ((Access){.stmt = e}));
    else if (!scalar || shape_is_uniform(divergence_of(s->d, e)))
        visit_value(s, e);
    return !scalar;
}

// Visits a call. The calls for each lane cost as much as in a scalar loop, plus the moves of their
// operands.
static void visit_call(Legality *s, Node *n)
{
    const LoopEntry *f = lane_callee(s->d, n);
    bool prints = core_print_step_of(n->attr.sym) != PRINT_COUNT;
    refuse_unless(s, f, prints ? LOSS_PRINT : LOSS_CALLS, NULL);
    if (!f) return;
    int moved = 0;
    for (uint32_t i = 0; i < n->nops; i++) {
        Node *arg = n->op[i];
        moved += arg->kind == LOOP_ADDRESS ? visit_address(s, n, arg, &f->params.at[i])
                                           : visit_argument(s, arg);
    }
    if (lane_call_is_uniform(s->d, n)) return;
    pay(s, moved > 0 ? moved : 1, LOSS_CALLS);
    bool atomic = core_atomic_of(n->attr.sym) != ATOMIC_COUNT;
    const char *name = atomic ? NULL : n->attr.sym->text;
    LossKind kind = atomic ? LOSS_ATOMIC : f->external ? LOSS_C_CALL : LOSS_CALL;
    if (s->losses) lane_loss_add(s->d->cx, s->losses, kind, name, s->here);
}

static void refuse_out_of_order(Legality *s, Node *body)
{
    Node *call = lane_call_out_of_order(s->d, body);
    if (!call) return;
    s->here = call->origin;
    refuse_unless(s, false, LOSS_ORDER, call->attr.sym);
}

// --- statements, continued ----------------------------------------------------------------------

static void visit_kind(Legality *s, Node *n);

static void visit(Legality *s, Node *n)
{
    Span around = s->here;
    if (n->origin.file) s->here = n->origin;
    visit_kind(s, n);
    s->here = around;
}

static void visit_inside(Legality *s, Node *n, int times)
{
    Node *around = s->around;
    s->times *= times;
    for (uint32_t i = 0; i < n->nops; i++) {
        if (!loops_is_stmt(n->op[i])) continue;
        if (n->kind == LOOP_IF) s->around = n->op[i];
        visit(s, n->op[i]);
    }
    s->times /= times;
    s->around = around;
}

static void visit_part(Legality *s, Node *n, bool some)
{
    s->some += some;
    visit_inside(s, n, 1);
    s->some -= some;
}

static void visit_kind(Legality *s, Node *n)
{
    switch ((Kind)n->kind) {
    case LOOP_BLOCK: visit_inside(s, n, 1); return;
    case LOOP_LABEL: visit_part(s, n, map_get(&s->d->divergent, MAP_KEY(n->attr.sym))); return;
    case LOOP_FOR:
    case LOOP_STRIDED:
    case LOOP_VECTORIZE:
    case LOOP_FOREVER: visit_inside(s, n, INNER); return;
    case LOOP_JUMP: return;
    case LOOP_DECL:
        if (!loops_is_nothing(n->op[1]))
            visit_local(s, n->op[1], divergence_varies(s->d, n->attr.sym));
        if (divergence_varies(s->d, n->attr.sym) &&
            !narrow_value(s->d, nat_var(s->d->cx, n->attr.sym)) &&
            (loops_is_nothing(n->op[1]) || !lane_is_constant(s->d, n->op[1])))
            widen(s, n->op[0]);
        return;
    case LOOP_SET:
        refuse_unless(s, is_known(s, n->attr.sym), LOSS_OUTSIDE, n->attr.sym);
        visit_value(s, n->op[0]);
        return;
    case LOOP_STORE: visit_store(s, n); return;
    case LOOP_ALLOC: visit_array(s, n); return;
    case LOOP_IF:
        visit_value(s, n->op[0]);
        visit_part(s, n, !shape_is_uniform(divergence_of(s->d, n->op[0])));
        return;
    case LOOP_CHECK: visit_value(s, n->op[0]); return;
    case LOOP_CALL: visit_call(s, n); return;
    case LOOP_PARALLEL:
    case LOOP_SPAWN:
    case LOOP_SYNC: refuse_unless(s, false, LOSS_THREADS, NULL); return;
    case LOOP_POINTER:
    case LOOP_ROTATE: refuse_unless(s, false, LOSS_EXCHANGES, NULL); return;
    default: refuse_unless(s, false, LOSS_NESTED, NULL); return; // an operation on vectors
    }
}

// --- dependences between lanes ------------------------------------------------------------------

// Whether a lane provably accesses an element that another lane stores.
static bool lanes_conflict(Divergence *d, const Access *store, const Access *other)
{
    int64_t apart;
    if (store->stmt->attr.sym != other->stmt->attr.sym) return false;
    Shape by = divergence_of(d, other->stmt->op[0]), to = divergence_of(d, store->stmt->op[0]);
    if (by.varies || to.varies) return false; // Adze rules out conflicts
    if (by.step == 0) return to.step != 0;
    Node *difference = nat_sub(d->cx, store->stmt->op[0], other->stmt->op[0]);
    if (!nat_is_const(difference, &apart)) return false;
    return apart != 0 && apart < d->lanes && apart > -d->lanes;
}

static void refuse_conflicts(Legality *s)
{
    for (int i = 0; i < s->accesses.len && !s->refused; i++)
        for (int k = 0; k < s->accesses.len && s->accesses.at[i].stores && !s->refused; k++) {
            const Access *store = &s->accesses.at[i];
            s->here = store->stmt->origin;
            refuse_unless(s, !lanes_conflict(s->d, store, &s->accesses.at[k]), LOSS_MEETS,
                          store->stmt->attr.sym);
        }
}

bool vector_is_legal(Divergence *d, Node *body, int *widest, LaneLosses *losses)
{
    Legality s = {.d = d, .body = body, .times = 1, .losses = losses};
    refuse_unless(&s, loops_weight(body, MAX_WEIGHT) < MAX_WEIGHT, LOSS_LONG, NULL);
    if (s.refused) return false;
    visit(&s, body);
    refuse_out_of_order(&s, body);
    refuse_conflicts(&s);
    s.here = NO_SPAN;
    if (s.cheap > 0) refuse_unless(&s, s.slow * PER_SLOW <= s.cheap, s.costly, NULL);
    *widest = s.widest;
    if (losses && s.wide.why && s.stored > 0 && s.stored < s.widest) {
        losses->narrow = s.stored;
        vec_push(d->cx->arena, &losses->all, s.wide);
    }
    return !s.refused && s.cheap > 0;
}

// --- the remainder ------------------------------------------------------------------------------

bool vector_remainder_pays(Divergence *d, Node *body, int widest, Node *rounds)
{
    enum { SETUP = 10, ALONE = 2 }; // costs of the mask and its test, and of a scalar load or store
    int64_t left = (d->lanes - 1) / 2;
    Legality s = {.d = d, .body = body, .times = 1};
    visit(&s, body);
    (void)nat_is_const(rounds, &left);
    int64_t touched = cpu_has_masks(d->cx->cpu, widest) ? 0 : s.accesses.len * d->lanes * ALONE;
    int64_t once = s.cheap + s.slow * PER_SLOW;
    return SETUP + once + touched < left * once;
}

// --- code without active lanes ------------------------------------------------------------------

static bool may_trap(Node *e, void *env)
{
    (void)env;
    if (e->kind == LOOP_LOAD) return true;
    return e->kind == CORE_PRIM && is_divided((Prim)e->attr.i, e->type) &&
           !loops_is_safe_divisor(e->op[1]);
}

bool expr_may_trap(Node *e)
{
    return node_any(e, may_trap, NULL);
}

// Whether the expression may trap despite a mask, since uniform subexpressions run without one.
static bool may_trap_unmasked(Divergence *d, Node *e)
{
    if (node_is_size_or_type(e)) return false;
    if (shape_is_uniform(divergence_of(d, e))) return expr_may_trap(e);
    for (uint32_t i = 0; i < e->nops; i++)
        if (may_trap_unmasked(d, e->op[i])) return true;
    return false;
}

static bool is_harmless(Divergence *d, Node *s)
{
    switch ((Kind)s->kind) {
    case LOOP_DECL:
    case LOOP_SET:
        return loops_is_nothing(s->op[s->nops - 1]) || !may_trap_unmasked(d, s->op[s->nops - 1]);
    case LOOP_STORE:
        return !shape_is_uniform(divergence_of(d, s->op[0])) && !may_trap_unmasked(d, s->op[1]);
    case LOOP_IF:
        return !may_trap_unmasked(d, s->op[0]) && is_harmless(d, s->op[1]) &&
               is_harmless(d, s->op[2]);
    case LOOP_BLOCK:
        for (uint32_t i = 0; i < s->nops; i++)
            if (!is_harmless(d, s->op[i])) return false;
        return true;
    default: return false;
    }
}

bool stmt_runs_unguarded(Divergence *d, Node *stmt)
{
    return loops_weight(stmt, MISSED) < MISSED && is_harmless(d, stmt);
}
