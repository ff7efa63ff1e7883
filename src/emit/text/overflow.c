// Finds sizes that may exceed 64 bits. The compiler's proofs assume that computed sizes fit in 64
// bits. Sizes that are at most the length of one of the caller's arrays do; the entry checks all
// other sums and products. Only sizes in types and sizes of arrays matter, since values become
// sizes only if they cannot exceed 64 bits (dpia_fits).
#include "emit/text/text.h"
#include "loops/ir/statements.h"

typedef struct {
    Emitter *e;
    const LoopEntry *entry;
    Map bounds; // Sym of an index -> a size that it does not exceed; of a size parameter -> itself
    Map seen;   // expressions and sizes, each with the `number` it was seen under
    Facts *facts;            // what the enclosing conditions say about sizes; NULL outside of them
    uint64_t number, scopes; // a number for `facts` (0 for NULL), and the last one given
    Lengths lengths;         // the lengths of the caller's arrays
    VEC(Node *) found;       // sums that may exceed 64 bits
} Overflow;

static Node *bound(Overflow *o, Node *n);

static bool is_negative(Node *n)
{
    return (n->kind == NAT_PRODUCT || n->kind == NAT_CONST) && n->attr.i < 0;
}

static Node *bound_of_sum(Overflow *o, Node *n)
{
    Node *sum = nat_const(o->e->cx, 0);
    for (uint32_t i = 0; sum && i < n->nops; i++) {
        if (is_negative(n->op[i])) continue;
        Node *part = bound(o, n->op[i]);
        sum = part ? nat_add(o->e->cx, sum, part) : NULL;
    }
    return sum;
}

static Node *bound_of_product(Overflow *o, Node *n)
{
    Node *product = nat_const(o->e->cx, n->attr.i);
    if (n->attr.i < 0) return nat_const(o->e->cx, 0);
    for (uint32_t i = 0; product && i < n->nops; i++) {
        bool quotient = n->nops > 1 && n->op[i]->kind == NAT_DIV;
        Node *part = bound(o, quotient ? n->op[i]->op[0] : n->op[i]);
        product = part ? nat_mul(o->e->cx, product, part) : NULL;
    }
    return product;
}

// Returns an upper bound of `n`, or NULL if none is known. The bound is a polynomial in the size
// parameters and in quotients of such polynomials by numbers.
static Node *bound(Overflow *o, Node *n)
{
    Node *a, *b;
    int64_t k;
    switch (n->kind) {
    case NAT_CONST: return n->attr.i < 0 ? nat_const(o->e->cx, 0) : n;
    case NAT_VAR: return map_get(&o->bounds, MAP_KEY(n->attr.sym));
    case NAT_SUM: return bound_of_sum(o, n);
    case NAT_PRODUCT: return bound_of_product(o, n);
    case NAT_DIV:
        a = bound(o, n->op[0]);
        return a && nat_is_const(n->op[1], &k) ? nat_div(o->e->cx, a, n->op[1]) : a;
    case NAT_MOD: return bound(o, n->op[1]);
    case NAT_MIN:
        a = bound(o, n->op[0]);
        b = bound(o, n->op[1]);
        return !a || (b && b->kind == NAT_CONST) ? b : a;
    case NAT_POW:
        a = bound(o, n->op[0]);
        b = bound(o, n->op[1]);
        if (!a || !b || (b->kind == NAT_CONST && !nat_is_const(n->op[1], &k))) return NULL;
        return nat_pow(o->e->cx, a, b);
    default: return NULL;
    }
}

// --- arrays of the caller -----------------------------------------------------------------------

static int64_t coefficient(Node *term)
{
    return term->kind == NAT_PRODUCT ? term->attr.i : 1;
}

// Whether the term fits in 64 bits because it is at most FACTOR times the length of an array in
// memory. No machine has arrays of 2^48 bytes.
static bool is_in_memory(const Overflow *o, Node *term)
{
    enum { FACTOR = 1 << 15 };
    return coefficient(term) <= FACTOR && lengths_have(&o->lengths, term);
}

// Adds the lengths of the arrays in memory. Strided inputs are left out, because with stride 0 they
// can have more elements than there is memory for.
static void add_lengths(Overflow *o)
{
    for (int i = 0; i < o->entry->params.len; i++) {
        const LoopParam *p = &o->entry->params.at[i];
        if (p->rank && !(p->strides && !p->output)) lengths_add(o->e->cx, &o->lengths, p->count);
    }
}

// --- computed sizes -----------------------------------------------------------------------------

static void add_found(Overflow *o, Node *sum)
{
    for (int i = 0; i < o->found.len; i++)
        if (o->found.at[i] == sum) return;
    vec_push(o->e->arena, &o->found, sum);
}

// Returns a bound without quotients: c*(a/d)*b does not exceed a*b for c <= d, 2*a*b for c <= 2*d,
// and so on.
static Node *without_quotients(Session *cx, Node *n)
{
    int64_t d;
    if (n->kind == NAT_SUM) {
        Node *sum = nat_const(cx, 0);
        for (uint32_t i = 0; i < n->nops; i++)
            sum = nat_add(cx, sum, without_quotients(cx, n->op[i]));
        return sum;
    }
    if (n->kind == NAT_CONST) return n;
    int64_t c = coefficient(n);
    bool is_product = n->kind == NAT_PRODUCT;
    Node *product = nat_const(cx, 1);
    for (uint32_t i = 0; i < (is_product ? n->nops : 1); i++) {
        Node *a = is_product ? n->op[i] : n;
        bool quotient = a->kind == NAT_DIV && nat_is_const(a->op[1], &d) && d > 0;
        if (quotient && c > 0) c = (c - 1) / d + 1;
        product = nat_mul(cx, product, quotient ? without_quotients(cx, a->op[0]) : a);
    }
    return nat_mul(cx, nat_const(cx, c), product);
}

// Returns the sum of those terms of a size that may together exceed 64 bits, or NULL if there are
// none. A size parameter by itself always fits.
static Node *beyond(Overflow *o, Node *size)
{
    Session *cx = o->e->cx;
    Node *most = bound(o, size), *sum = nat_const(cx, 0);
    if (!most || most->kind == NAT_OVERFLOW) return NULL;
    most = without_quotients(cx, most);
    bool is_sum = most->kind == NAT_SUM, any = false;
    for (uint32_t i = 0; i < (is_sum ? most->nops : 1); i++) {
        Node *term = is_sum ? most->op[i] : most;
        if (is_negative(term) || (term->kind != NAT_CONST && is_in_memory(o, term))) continue;
        any |= term->kind != NAT_CONST;
        sum = nat_add(cx, sum, term);
    }
    return any && sum->kind != NAT_VAR ? sum : NULL;
}

static bool is_seen(Overflow *o, Node *n)
{
    uint64_t key = n->id | o->number << 32;
    if (map_get(&o->seen, key)) return true;
    map_put(&o->seen, key, o);
    return false;
}

// Whether the enclosing conditions imply that the sum is small.
static bool is_small_here(const Overflow *o, Node *sum)
{
    return o->facts &&
           nat_le(o->e->cx, o->facts, sum, nat_const(o->e->cx, INT64_C(1) << 62)) == TRUTH_YES;
}

static void add_size(Overflow *o, Node *size)
{
    if (is_seen(o, size)) return;
    Node *sum = beyond(o, size);
    if (sum && !is_small_here(o, sum)) add_found(o, sum);
}

static bool has_difference(Node *n)
{
    if (is_negative(n)) return true;
    for (uint32_t i = 0; i < n->nops; i++)
        if (has_difference(n->op[i])) return true;
    return false;
}

// Whether the node compares a size with a number, for example to find out whether there is enough
// work for threads. If so, marks the size as saturating instead of having it checked: the result is
// right even if the size saturates.
static bool saturates(Overflow *o, Node *n)
{
    bool compares = n->kind == CORE_PRIM && prim_info[n->attr.i].result == GIVES_BOOL;
    if (!compares || n->op[0]->kind != CORE_NAT || n->op[1]->kind != CORE_NAT) return false;
    bool first = n->op[0]->op[0]->kind == NAT_CONST;
    Node *size = n->op[first ? 1 : 0]->op[0], *number = n->op[first ? 0 : 1]->op[0];
    if (number->kind != NAT_CONST || number->attr.i == INT64_MAX || has_difference(size))
        return false;
    if (beyond(o, size)) map_put(&o->e->saturating, MAP_KEY(size), o->e);
    return true;
}

// Records a bound for the index of a loop. It is one less than the bound of the loop's end.
static void add_index(Overflow *o, Node *loop)
{
    Session *cx = o->e->cx;
    Node *to = bound(o, loops_to(loop));
    Node *last = to ? nat_sub(cx, to, nat_const(cx, 1)) : NULL;
    map_put(&o->bounds, MAP_KEY(loop->attr.sym), (void *)(uintptr_t)last);
}

// Whether the node accesses memory at a position. Such a position is below the length of the
// memory.
static bool has_position(Node *n)
{
    switch ((Kind)n->kind) {
    case LOOP_LOAD:
    case LOOP_LOAD_WHERE:
    case LOOP_STORE:
    case LOOP_STORE_WHERE:
    case LOOP_STORE_PACKED:
    case LOOP_ADDRESS: return true;
    default: return false;
    }
}

static void add_sizes(Overflow *o, Node *n);

typedef struct {
    Overflow *o;
    Facts *facts; // NULL until the condition says something about sizes
} Learned;

static void learn(Node *c, bool holds, void *env)
{
    Learned *l = env;
    Session *cx = l->o->e->cx;
    SetRelation relation;
    Node *size;
    if (!loops_compared(cx, c, holds, &relation, &size) || relation == SET_NE0) return;
    if (!l->facts) l->facts = facts_new(cx, l->o->e->arena, l->o->facts);
    (relation == SET_GE0 ? facts_ge0 : facts_eq0)(l->facts, size);
}

static void add_branches(Overflow *o, Node *n)
{
    Facts *outer = o->facts;
    uint64_t number = o->number;
    add_sizes(o, n->op[0]);
    for (uint32_t i = 1; i < n->nops; i++) {
        Learned l = {.o = o};
        loops_conjuncts(n->op[0], i == 1, learn, &l);
        if (l.facts) o->facts = l.facts;
        if (l.facts) o->number = ++o->scopes;
        add_sizes(o, n->op[i]);
        o->facts = outer;
        o->number = number;
    }
}

static void add_sizes(Overflow *o, Node *n)
{
    if (kind_info[n->kind].levels & LEVEL_NAT) {
        add_size(o, n);
        return;
    }
    if (is_seen(o, n)) return;
    if (n->kind == LOOP_IF) {
        add_branches(o, n);
        return;
    }
    if (loops_is_counted(n)) add_index(o, n);
    if (saturates(o, n) || n->kind == LOOP_ALLOC) return;
    for (uint32_t i = has_position(n) ? 1 : 0; i < n->nops; i++) add_sizes(o, n->op[i]);
}

static void add_function(Overflow *o, const LoopEntry *f)
{
    for (int i = 0; i < f->checks.len; i++) {
        add_size(o, f->checks.at[i].left);
        add_size(o, f->checks.at[i].right);
    }
    if (f->body) add_sizes(o, f->body);
}

bool emit_may_overflow(Emitter *e, const LoopEntry *entry, Text *condition)
{
    Overflow o = {.e = e, .entry = entry, .bounds = map_new(e->arena), .seen = map_new(e->arena)};
    for (int i = 0; i < entry->sizes.len; i++)
        map_put(&o.bounds, MAP_KEY(entry->sizes.at[i]),
                (void *)(uintptr_t)nat_var(e->cx, entry->sizes.at[i]));
    add_lengths(&o);
    add_function(&o, entry);
    for (int i = 0; i < entry->callees.len; i++) add_function(&o, entry->callees.at[i]);
    for (int i = 0; i < o.found.len; i++)
        text_printf(condition, "%s%s == INT64_MAX", i ? " || " : "",
                    saturating_text(e, o.found.at[i]));
    return o.found.len > 0;
}
