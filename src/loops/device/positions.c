// Positions in 32 bits: which integers of a kernel fit, and for which sizes. A kernel computes
// sizes and positions as polynomials, quotients, minima and maxima of its parameters and loop
// indices. Their absolute values, and those of everything that is computed on the way, have bounds
// in terms of the parameters: |a - b| <= |a| + |b|, and an index is below the end of its loop. The
// host compares the sum of these bounds with the limit when it launches the kernel.
#include "loops/device/device.h"

typedef struct {
    Session *cx;
    Map used;    // Sym -> not NULL for names that occur in positions, sizes and sums
    Map changed; // Sym -> not NULL for names that are assigned to
    Map bounds;  // Sym -> an upper bound of its absolute value
    Map most;    // a product of parameters -> the largest coefficient in a bound (NAT_CONST)
    Map seen;
} Find;

static bool is_nat(Node *n)
{
    return n->kind >= NAT_CONST && n->kind <= NAT_OVERFLOW;
}

static void add_product(Find *f, Node *product, int64_t times)
{
    Node *old = map_get(&f->most, MAP_KEY(product));
    if (!old || old->attr.i < times)
        map_put(&f->most, MAP_KEY(product), (void *)(uintptr_t)nat_const(f->cx, times));
}

// Notes that numbers up to the bound are computed.
static void add_term(Find *f, Node *n)
{
    if (n->kind == NAT_CONST)
        add_product(f, nat_const(f->cx, 1), n->attr.i);
    else if (n->kind == NAT_PRODUCT && n->attr.i != 1)
        add_product(f, nat_div(f->cx, n, nat_const(f->cx, n->attr.i)), n->attr.i);
    else
        add_product(f, n, 1);
}

static void add_bound(Find *f, Node *n)
{
    if (!n) return;
    if (n->kind != NAT_SUM) add_term(f, n);
    for (uint32_t i = 0; n->kind == NAT_SUM && i < n->nops; i++) add_term(f, n->op[i]);
}

static Node *bound_of(Find *f, Node *n);

// A quotient by a parameter is simplified if the bound is a multiple of it; otherwise the dividend
// is the bound, as the parameter may be 0 where the kernel is not launched.
static Node *bound_of_quotient(Find *f, Node *n, Node *dividend)
{
    int64_t d;
    Node *one = nat_const(f->cx, 1), *q = nat_div(f->cx, dividend, n->op[1]);
    if (nat_is_const(n->op[1], &d)) return nat_add(f->cx, q, one);
    return q->kind == NAT_VAR || q->kind == NAT_PRODUCT ? nat_add(f->cx, q, one) : dividend;
}

static Node *bound_of_operands(Find *f, Node *n)
{
    Node *a = bound_of(f, n->op[0]), *b = bound_of(f, n->op[1]);
    if (!a || !b) return NULL;
    add_bound(f, a);
    add_bound(f, b);
    return n->kind == NAT_DIV   ? bound_of_quotient(f, n, a)
           : n->kind == NAT_MOD ? b
                                : nat_add(f->cx, a, b); // simpler than the maximum
}

enum { MOST_POWER = 8 }; // powers up to this one are written as products

// Whether `n`, a power, is a product of equal factors.
static bool is_repeated(Node *n)
{
    int64_t k;
    return nat_is_const(n->op[1], &k) && k >= 1 && k <= MOST_POWER;
}

static Node *bound_of_power(Find *f, Node *n)
{
    Node *base = is_repeated(n) ? bound_of(f, n->op[0]) : NULL;
    return base ? nat_pow(f->cx, base, n->op[1]) : NULL;
}

// Returns an upper bound of the absolute value, and of those of its terms and factors; NULL if none
// is known.
static Node *bound_of(Find *f, Node *n)
{
    bool sum = n->kind == NAT_SUM;
    Node *all = nat_const(f->cx, sum                                       ? 0
                                 : n->kind == NAT_PRODUCT && n->attr.i < 0 ? -n->attr.i
                                 : n->kind == NAT_PRODUCT                  ? n->attr.i
                                                                           : 0);
    switch (n->kind) {
    case NAT_CONST:
        return n->attr.i == INT64_MIN ? NULL
                                      : nat_const(f->cx, n->attr.i < 0 ? -n->attr.i : n->attr.i);
    case NAT_VAR: return map_get(&f->bounds, MAP_KEY(n->attr.sym));
    case NAT_SUM:
    case NAT_PRODUCT:
        for (uint32_t i = 0; all && i < n->nops; i++) {
            Node *part = bound_of(f, n->op[i]);
            all = !part ? NULL : sum ? nat_add(f->cx, all, part) : nat_mul(f->cx, all, part);
        }
        return all;
    case NAT_DIV:
    case NAT_MOD:
    case NAT_MIN:
    case NAT_MAX: return bound_of_operands(f, n);
    case NAT_POW: return bound_of_power(f, n);
    default: return NULL;
    }
}

// --- names ---------------------------------------------------------------------------------------

static Walk find_use(Node *n, void *env)
{
    Find *f = env;
    if (n->kind == CORE_NAT && n->op[0]->kind == NAT_VAR) return WALK_OVER;
    if (n->kind == NAT_VAR) map_put(&f->used, MAP_KEY(n->attr.sym), f);
    return WALK_INTO;
}

static void bind(Find *f, Sym name, Node *bound)
{
    if (!bound || map_get(&f->changed, MAP_KEY(name))) return;
    map_put(&f->bounds, MAP_KEY(name), (void *)(uintptr_t)bound);
    add_bound(f, bound);
}

static void bind_index(Find *f, Node *loop)
{
    Node *from = bound_of(f, loops_from(loop)), *to = bound_of(f, loops_to(loop));
    Node *step = loop->kind == LOOP_STRIDED ? bound_of(f, loop->op[0]) : nat_const(f->cx, 1);
    if (from && to && step) bind(f, loop->attr.sym, nat_add(f->cx, from, nat_add(f->cx, to, step)));
}

static bool is_i64(Node *type)
{
    Scalar s;
    return type->kind == TYPE_IDX || (type_is_scalar(type, &s) && s == SCALAR_I64);
}

static void visit(Find *f, Node *n)
{
    if (is_nat(n)) {
        add_bound(f, bound_of(f, n));
        return;
    }
    if (map_get(&f->seen, MAP_KEY(n))) return;
    map_put(&f->seen, MAP_KEY(n), f);
    if (loops_is(n, IS_COUNTED)) bind_index(f, n);
    bool declares = n->kind == LOOP_DECL || n->kind == LOOP_ALLOC || n->kind == LOOP_TABLE;
    if (n->kind == LOOP_DECL && is_i64(n->op[0]) && n->op[1]->kind == CORE_NAT)
        bind(f, n->attr.sym, bound_of(f, n->op[1]->op[0]));
    for (uint32_t i = declares; i < n->nops && n->kind != LOOP_TABLE; i++) visit(f, n->op[i]);
}

static void bind_parameters(Find *f, DevicePositions *p, const LoopEntry *kernel)
{
    for (int i = 0; i < kernel->params.len; i++) {
        const LoopParam *param = &kernel->params.at[i];
        bool value = param->rank == 0 && !param->both && !param->output;
        if (!value || param->scalar != SCALAR_I64 || !map_get(&f->used, MAP_KEY(param->name)))
            continue;
        bind(f, param->name, nat_var(f->cx, param->name));
        vec_push(f->cx->arena, &p->signed_names, param->name);
    }
}

DevicePositions *device_positions(Session *cx, const LoopEntry *kernel, Sym const *sizes, int n,
                                  Node *body)
{
    Arena *arena = cx->arena;
    DevicePositions *p = ARENA_NEW(arena, DevicePositions);
    Find f = {cx, map_new(arena), map_new(arena), map_new(arena), map_new(arena), map_new(arena)};
    Map seen = map_new(arena);
    *p = (DevicePositions){.most = nat_const(cx, 0)};
    node_walk_once(&seen, body, find_use, &f);
    loops_changed(body, &f.changed);
    for (int i = 0; i < n; i++) bind(&f, sizes[i], nat_var(cx, sizes[i]));
    bind_parameters(&f, p, kernel);
    visit(&f, body);
    p->names = f.bounds;
    for (int i = 0; i < f.most.len; i++) {
        Node *product = (Node *)(uintptr_t)f.most.entries[i].key;
        p->most = nat_add(cx, p->most, nat_mul(cx, f.most.entries[i].value, product));
    }
    return p;
}

bool device_is_narrow(const DevicePositions *p, Node *n)
{
    if (n->kind == NAT_VAR) return map_get(&p->names, MAP_KEY(n->attr.sym));
    if (n->kind == NAT_OVERFLOW || (n->kind == NAT_POW && !is_repeated(n))) return false;
    if (n->kind == NAT_CONST) return n->attr.i > -INT32_MAX && n->attr.i < INT32_MAX;
    for (uint32_t i = 0; i < n->nops; i++)
        if (!device_is_narrow(p, n->op[i])) return false;
    return true;
}
