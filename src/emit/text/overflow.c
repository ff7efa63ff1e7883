// Finds sizes that may exceed 64 bits. The compiler's proofs assume that computed sizes fit in 64
// bits. Sizes that are at most the length of one of the caller's arrays do; the entry checks all
// other sums and products. Only sizes in types and sizes of arrays matter, since values become
// sizes only if they cannot exceed 64 bits (dpia_fits).
#include "emit/text/overflow.h"

static Node *bound(Overflow *o, Node *n);

static bool is_negative(Node *n)
{
    return (n->kind == NAT_PRODUCT || n->kind == NAT_CONST) && n->attr.i < 0;
}

// Leaves out terms without a known bound. The other terms are computed all the same, and must fit.
static Node *bound_of_sum(Overflow *o, Node *n)
{
    Node *sum = nat_const(o->e->cx, 0);
    for (uint32_t i = 0; i < n->nops; i++) {
        Node *part = is_negative(n->op[i]) ? NULL : bound(o, n->op[i]);
        if (part) sum = nat_add(o->e->cx, sum, part);
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
// parameters, in maxima of such polynomials, and in quotients of such polynomials by constants.
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
    case NAT_MAX:
        a = bound(o, n->op[0]);
        b = bound(o, n->op[1]);
        return a && b ? nat_max(o->e->cx, a, b) : NULL;
    case NAT_POW:
        a = bound(o, n->op[0]);
        b = bound(o, n->op[1]);
        if (!a || !b || (b->kind == NAT_CONST && !nat_is_const(n->op[1], &k))) return NULL;
        return nat_pow(o->e->cx, a, b);
    default: return NULL;
    }
}

// --- the caller's arrays ------------------------------------------------------------------------

static int64_t coefficient(Node *term)
{
    return term->kind == NAT_PRODUCT ? term->attr.i : 1;
}

static bool is_positive(const Overflow *o, Node *n)
{
    Session *cx = o->e->cx;
    return nat_ge0(cx, o->facts, nat_sub(cx, n, nat_const(cx, 1))) == TRUTH_YES;
}

// Whether an intermediate product in C may exceed 64 bits although the whole product does not,
// because a later factor is 0: 4*m in 4*m*n.
static bool has_partial_products(const Overflow *o, Node *term)
{
    if (term->kind != NAT_PRODUCT) return false;
    int64_t operands = term->attr.i != 1;
    for (uint32_t i = 0; i < term->nops; i++) {
        int64_t times = 1;
        if (term->op[i]->kind == NAT_POW) nat_is_const(term->op[i]->op[1], &times);
        operands += times;
    }
    if (operands <= 2) return false;
    for (uint32_t i = term->attr.i == 1; i < term->nops; i++)
        if (!is_positive(o, term->op[i])) return true;
    return false;
}

// Whether an enclosing condition says that the term, without its coefficient, is at most the length
// of an array.
static bool is_below_length(const Overflow *o, Node *term)
{
    Session *cx = o->e->cx;
    if (o->divisor) term = nat_div(cx, term, nat_const(cx, coefficient(term)));
    for (int i = 0; o->divisor && i < o->lengths.terms.len; i++)
        if (nat_le(cx, o->facts, term, o->lengths.terms.at[i]) == TRUTH_YES) return true;
    return false;
}

// Whether the term fits in 64 bits because it is at most FACTOR times the length of an array in
// memory, or twice that length. No machine has arrays of 2^48 bytes.
static bool is_in_memory(const Overflow *o, Node *term)
{
    enum { FACTOR = 1 << 14 };
    if (term->kind == NAT_SUM || term->kind == NAT_MAX) {
        for (uint32_t i = 0; i < term->nops; i++)
            if (term->op[i]->kind != NAT_CONST && !is_in_memory(o, term->op[i])) return false;
        return true;
    }
    return coefficient(term) <= FACTOR && !has_partial_products(o, term) &&
           (lengths_bound(o->e->cx, &o->lengths, o->facts, term) || is_below_length(o, term));
}

void overflow_add_lengths(Overflow *o, const LoopEntry *f)
{
    for (int i = 0; i < f->params.len; i++) {
        const LoopParam *p = &f->params.at[i];
        if (p->rank && !(p->strides && !p->output)) lengths_add(o->e->cx, &o->lengths, p->count);
    }
}

// --- computed sizes -----------------------------------------------------------------------------

static bool has_difference(Node *n)
{
    if (is_negative(n)) return true;
    for (uint32_t i = 0; i < n->nops; i++)
        if (has_difference(n->op[i])) return true;
    return false;
}

bool overflow_covers(Session *cx, Node *sum, Node *part)
{
    return !has_difference(nat_sub(cx, sum, part));
}

typedef struct {
    Emitter *e;
    VEC(Node *) sums;
} Found;

// Adds a sum, unless another one covers it.
static void add_found(void *env, Node *sum)
{
    Found *f = env;
    Session *cx = f->e->cx;
    int kept = 0;
    for (int i = 0; i < f->sums.len; i++)
        if (overflow_covers(cx, f->sums.at[i], sum)) return;
    for (int i = 0; i < f->sums.len; i++)
        if (!overflow_covers(cx, sum, f->sums.at[i])) f->sums.at[kept++] = f->sums.at[i];
    f->sums.len = kept;
    vec_push(f->e->arena, &f->sums, sum);
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
    if (n->kind == NAT_MAX)
        return nat_max(cx, without_quotients(cx, n->op[0]), without_quotients(cx, n->op[1]));
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

// Whether the bound is a size parameter, a constant, or a maximum of these. Such bounds always fit
// in 64 bits.
static bool is_parameter(Node *n)
{
    if (n->kind == NAT_MAX) return is_parameter(n->op[0]) && is_parameter(n->op[1]);
    return n->kind == NAT_VAR || n->kind == NAT_CONST;
}

// Returns an upper bound of a size that may exceed 64 bits, or NULL if the size cannot.
static Node *beyond(Overflow *o, Node *size)
{
    Session *cx = o->e->cx;
    Node *most = bound(o, size), *sum = nat_const(cx, 0);
    if (!most || most->kind == NAT_OVERFLOW) return NULL;
    if (most->kind == NAT_MAX) return NULL; // its operands are tested
    most = without_quotients(cx, most);
    bool is_sum = most->kind == NAT_SUM, any = false;
    for (uint32_t i = 0; i < (is_sum ? most->nops : 1); i++) {
        Node *term = is_sum ? most->op[i] : most;
        if (is_negative(term)) continue;
        any |= term->kind != NAT_CONST && !is_in_memory(o, term);
        sum = nat_add(cx, sum, term);
    }
    return any && !is_parameter(sum) ? sum : NULL;
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
    bool is_sum = sum->kind == NAT_SUM;
    for (uint32_t i = 0; i < (is_sum ? sum->nops : 1); i++)
        if (has_partial_products(o, is_sum ? sum->op[i] : sum)) return false;
    return o->facts && nat_le(o->e->cx, o->facts, sum, nat_const(o->e->cx, INT64_MAX)) == TRUTH_YES;
}

static void add_size(Overflow *o, Node *size);

static void find_divisors(Overflow *o, Node *size)
{
    for (uint32_t i = 0; i < size->nops; i++) find_divisors(o, size->op[i]);
    if (size->kind == NAT_DIV || size->kind == NAT_MOD) o->divisor(o->env, size);
}

// Adds the sizes that C computes in order to compute `size`, except for terms, factors and
// dividends, whose bounds are part of the bound of `size`.
static void add_operands(Overflow *o, Node *size)
{
    Node *quotient, *rest;
    bool whole = size->kind != NAT_SUM && size->kind != NAT_PRODUCT && size->kind != NAT_DIV;
    for (uint32_t i = 0; i < size->nops; i++)
        whole ? add_size(o, size->op[i]) : add_operands(o, size->op[i]);
    if (size->kind == NAT_DIV) add_size(o, size->op[1]);
    if (!strides_divide(o->e, size, &quotient, &rest)) return;
    add_size(o, quotient);
    add_size(o, rest);
}

static Node *negated(Overflow *o, Node *size)
{
    return nat_sub(o->e->cx, nat_const(o->e->cx, 0), size);
}

static void add_size(Overflow *o, Node *size)
{
    if (is_seen(o, size)) return;
    add_operands(o, size);
    bool sides = has_difference(size) && size->kind != NAT_CONST;
    for (int side = 0; side <= sides; side++) {
        Node *sum = beyond(o, side ? negated(o, size) : size);
        if (sum && !is_small_here(o, sum)) o->found(o->env, sum);
    }
    if (o->divisor) find_divisors(o, size);
}

static bool has_remainder(Node *n)
{
    bool has = n->kind == NAT_MOD;
    for (uint32_t i = 0; !has && i < n->nops; i++) has = has_remainder(n->op[i]);
    return has;
}

// Whether the node compares a size with a small constant, for example to decide whether there is
// enough work for several threads. If so, marks the size as saturating instead of having it
// checked: the result is right even if the size saturates.
static bool saturates(Overflow *o, Node *n)
{
    bool compares = n->kind == CORE_PRIM && prim_info[n->attr.i].result == GIVES_BOOL;
    if (!compares || n->op[0]->kind != CORE_NAT || n->op[1]->kind != CORE_NAT) return false;
    bool first = n->op[0]->op[0]->kind == NAT_CONST;
    Node *size = n->op[first ? 1 : 0]->op[0], *number = n->op[first ? 0 : 1]->op[0];
    if (number->kind != NAT_CONST || number->attr.i > INT32_MAX) return false;
    if (has_difference(size) || has_remainder(size)) return false;
    if (beyond(o, size)) map_put(&o->e->saturating, MAP_KEY(size), o->e);
    return true;
}

// Marks the sizes that determine a thread count as saturating, since any thread count gives correct
// results.
static void saturate_all(Overflow *o, Node *n)
{
    if (n->kind == CORE_NAT && (beyond(o, n->op[0]) || beyond(o, negated(o, n->op[0]))))
        map_put(&o->e->saturating, MAP_KEY(n->op[0]), o->e);
    for (uint32_t i = 0; n->kind != CORE_NAT && i < n->nops; i++) saturate_all(o, n->op[i]);
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

typedef struct {
    Overflow *o;
    Facts *facts; // NULL until the condition says something about sizes
    bool unknown;
} Learned;

static void note_unknown(Node *atom, void *env)
{
    Learned *l = env;
    if (atom->kind != NAT_VAR || !map_get(&l->o->naturals, MAP_KEY(atom->attr.sym)))
        l->unknown = true;
}

// Whether all names in the size stand for numbers that never change and are at least 0, which is
// what facts assume.
static bool is_over_naturals(Learned *l, Node *size)
{
    l->unknown = false;
    nat_atoms(l->o->e->cx, size, note_unknown, l);
    return !l->unknown;
}

static void learn(Node *c, bool holds, void *env)
{
    Learned *l = env;
    Session *cx = l->o->e->cx;
    SetRelation relation;
    Node *size;
    if (!loops_compared(cx, c, holds, &relation, &size) || !is_over_naturals(l, size)) return;
    if (relation == SET_NE0) {
        if (nat_ge0(cx, l->o->facts, size) != TRUTH_YES) return;
        size = nat_sub(cx, size, nat_const(cx, 1));
    }
    if (!l->facts) l->facts = facts_new(cx, l->o->e->arena, l->o->facts);
    (relation == SET_EQ0 ? facts_eq0 : facts_ge0)(l->facts, size);
}

Facts *overflow_learn(Overflow *o, Node *condition, bool holds)
{
    Learned l = {.o = o};
    loops_conjuncts(condition, holds, learn, &l);
    return l.facts;
}

OverflowScope overflow_enter(Overflow *o, Facts *facts)
{
    OverflowScope outer = {o->facts, o->number};
    if (facts) o->facts = facts;
    if (facts) o->number = ++o->scopes;
    return outer;
}

void overflow_leave(Overflow *o, OverflowScope outer)
{
    o->facts = outer.facts;
    o->number = outer.number;
}

// Adds the sizes in a part of the program that is executed only where `facts` hold (NULL for none).
static void add_sizes_under(Overflow *o, Node *n, Facts *facts)
{
    OverflowScope outer = overflow_enter(o, facts);
    overflow_add_sizes(o, n);
    overflow_leave(o, outer);
}

// Whether the branches are a loop on threads and the same loop on one thread, so that any decision
// is right. The decision may be wrong where sizes saturate, so it says nothing about them.
static bool is_same_loop(Node *parallel, Node *sequential)
{
    return parallel->kind == LOOP_PARALLEL && sequential->kind == LOOP_FOR &&
           loops_from(parallel) == loops_from(sequential) &&
           loops_to(parallel) == loops_to(sequential) &&
           parallel->origin.file == sequential->origin.file &&
           parallel->origin.lo == sequential->origin.lo &&
           parallel->origin.hi == sequential->origin.hi;
}

static void add_branches(Overflow *o, Node *n)
{
    bool same = is_same_loop(n->op[1], n->op[2]);
    if (same)
        saturate_all(o, n->op[0]);
    else
        overflow_add_sizes(o, n->op[0]);
    for (uint32_t i = 1; i < n->nops; i++) {
        Facts *facts = same ? NULL : overflow_learn(o, n->op[0], i == 1);
        if (o->enter) {
            o->enter(o->env, n->op[0], i == 1);
            if (!facts) facts = facts_new(o->e->cx, o->e->arena, o->facts);
        }
        add_sizes_under(o, n->op[i], facts);
        if (o->enter) o->leave(o->env);
    }
}

// In the body of a loop, the range of its index is not empty, and neither are the arrays that it
// traverses.
static void add_loop(Overflow *o, Node *loop)
{
    Node *from = loops_from(loop), *to = loops_to(loop), *body = loops_body(loop);
    Learned l = {.o = o};
    add_index(o, loop);
    if (loop->kind == LOOP_PARALLEL) saturate_all(o, loop->op[0]);
    for (uint32_t i = loop->kind == LOOP_PARALLEL; i < loop->nops; i++)
        if (loop->op[i] != body) overflow_add_sizes(o, loop->op[i]);
    if (is_over_naturals(&l, from) && is_over_naturals(&l, to)) {
        l.facts = facts_new(o->e->cx, o->e->arena, o->facts);
        facts_range(l.facts, loop->attr.sym, from, to);
        if (nat_ge0(o->e->cx, o->facts, from) == TRUTH_YES)
            map_put(&o->naturals, MAP_KEY(loop->attr.sym), o);
    }
    if (o->enter) o->enter(o->env, loops_compare(o->e->cx, PRIM_LT, from, to), true);
    if (o->enter && !l.facts) l.facts = facts_new(o->e->cx, o->e->arena, o->facts);
    add_sizes_under(o, body, l.facts);
    if (o->enter) o->leave(o->env);
}

// Whether the node is a test that emit_with_size_tests inserted.
static bool is_size_test(Node *n)
{
    return n->kind == LOOP_CHECK && n->attr.i == E0607;
}

// Adds the sizes of a block. The condition of a check holds in the statements after the check.
static void add_block(Overflow *o, Node *block)
{
    OverflowScope outer = overflow_enter(o, NULL);
    for (uint32_t i = 0; i < block->nops; i++) {
        overflow_add_sizes(o, block->op[i]);
        if (block->op[i]->kind == LOOP_CHECK)
            (void)overflow_enter(o, overflow_learn(o, block->op[i]->op[0], true));
    }
    overflow_leave(o, outer);
}

// Reports each size passed to a call that might be 2^62 or more, since the callee assumes that its
// sizes are smaller.
static void add_arguments(Overflow *o, Node *call)
{
    const LoopEntry *f = loops_callee(o->entry, call->attr.sym);
    Node *own = type_own_size(o->e->cx)->op[0], *sum;
    for (int i = 0; f && i < f->params.len; i++) {
        Node *size = call->op[i]->kind == CORE_NAT ? call->op[i]->op[0] : NULL;
        if (!size || f->params.at[i].idx != own || !(sum = beyond(o, size))) continue;
        Node *rest = nat_sub(o->e->cx, own, nat_const(o->e->cx, 1));
        if (!is_small_here(o, sum)) o->found(o->env, nat_add(o->e->cx, sum, rest));
    }
}

// Adds the element count of an allocation. The test at the entry skips it, because the count of a
// heap array saturates.
static void add_count(Overflow *o, Node *alloc)
{
    if (o->divisor) overflow_add_sizes(o, alloc->op[1]);
}

void overflow_add_sizes(Overflow *o, Node *n)
{
    if (kind_info[n->kind].levels & LEVEL_NAT) {
        add_size(o, n);
        return;
    }
    if (is_seen(o, n)) return;
    if (n->kind == LOOP_IF || (n->kind == LOOP_SELECT && n->op[0]->type->kind == TYPE_SCALAR)) {
        add_branches(o, n);
        return;
    }
    if (loops_is_counted(n)) {
        add_loop(o, n);
        return;
    }
    if (n->kind == LOOP_BLOCK) {
        add_block(o, n);
        return;
    }
    if (n->kind == LOOP_ALLOC) {
        add_count(o, n);
        return;
    }
    if (saturates(o, n) || is_size_test(n)) return;
    if (n->kind == LOOP_CALL && o->divisor) add_arguments(o, n);
    for (uint32_t i = has_position(n) ? 1 : 0; i < n->nops; i++) overflow_add_sizes(o, n->op[i]);
}

static void add_checks(Overflow *o, const LoopEntry *f)
{
    for (int i = 0; i < f->checks.len; i++) {
        add_size(o, f->checks.at[i].left);
        add_size(o, f->checks.at[i].right);
    }
}

static void add_divisors(Overflow *o, Node *size)
{
    if (size->kind == NAT_DIV || size->kind == NAT_MOD) add_size(o, size->op[1]);
    for (uint32_t i = 0; i < size->nops; i++) add_divisors(o, size->op[i]);
}

// Adds the sizes that the entry computes to check its arguments: divisors in array sizes, and
// bounds of indices.
static void add_argument_checks(Overflow *o, const LoopEntry *f)
{
    for (int i = 0; i < f->params.len; i++) {
        const LoopParam *p = &f->params.at[i];
        for (int k = 0; k < p->rank; k++) add_divisors(o, p->dims[k]);
        if (!p->idx || p->output) continue;
        add_size(o, p->idx);
        for (int k = 0; p->strides && k < p->rank; k++) add_size(o, p->dims[k]);
        if (p->rank && !p->strides) add_size(o, p->count);
    }
}

// Adds the sizes computed after the entry's size checks have passed: in the argument checks, in the
// body, and in the functions that the entry calls.
static void add_program(Overflow *o, const LoopEntry *entry)
{
    o->facts = facts_new(o->e->cx, o->e->arena, NULL);
    o->number = ++o->scopes;
    for (int i = 0; i < entry->checks.len; i++)
        size_check_assume(o->e->cx, o->facts, &entry->checks.at[i]);
    add_argument_checks(o, entry);
    if (entry->body) overflow_add_sizes(o, entry->body);
    for (int i = 0; i < entry->callees.len; i++) {
        add_checks(o, entry->callees.at[i]);
        if (entry->callees.at[i]->body) overflow_add_sizes(o, entry->callees.at[i]->body);
    }
}

const char *emit_overflow_test(Emitter *e, Node *sum)
{
    int64_t c;
    Node *name = sum->nops > 0 ? sum->op[0] : NULL;
    bool is_sum = sum->kind == NAT_SUM && sum->nops == 2 && nat_is_const(sum->op[1], &c),
         is_product = sum->kind == NAT_PRODUCT && sum->nops == 1;
    if ((!is_sum && !is_product) || name->kind != NAT_VAR)
        return arena_printf(e->arena, "%s == INT64_MAX", saturating_text(e, sum));
    return arena_printf(e->arena, is_sum ? "%s > INT64_MAX - %lld" : "%s > INT64_MAX / %lld",
                        size_text(e, name, PREC_ADD), (long long)(is_sum ? c : sum->attr.i));
}

void overflow_add_name(Overflow *o, Sym name)
{
    map_put(&o->bounds, MAP_KEY(name), (void *)(uintptr_t)nat_var(o->e->cx, name));
    map_put(&o->naturals, MAP_KEY(name), o);
}

Overflow overflow_new(Emitter *e, const LoopEntry *entry)
{
    Overflow o = {.e = e,
                  .entry = entry,
                  .bounds = map_new(e->arena),
                  .naturals = map_new(e->arena),
                  .seen = map_new(e->arena)};
    for (int i = 0; i < entry->sizes.len; i++) overflow_add_name(&o, entry->sizes.at[i]);
    overflow_add_lengths(&o, entry);
    return o;
}

bool emit_may_overflow(Emitter *e, const LoopEntry *entry, Text *condition)
{
    Found found = {.e = e};
    Overflow o = overflow_new(e, entry);
    o.found = add_found;
    o.env = &found;
    add_checks(&o, entry);
    add_program(&o, entry);
    for (int i = 0; i < found.sums.len; i++)
        text_printf(condition, "%s%s", i ? " || " : "", emit_overflow_test(e, found.sums.at[i]));
    return found.sums.len > 0;
}
