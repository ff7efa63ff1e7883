// Answers questions about sets with isl. Each question has its own isl context, with a limit on
// operations, so that isl keeps no state and always terminates.
//
// isl identifies names by number. The names in `index` are dimensions 0, 1, .... Terms in these
// names that isl cannot express become further dimensions, which are the same in all sets and take
// any value that the facts allow. All other names, and inexpressible terms in those, are
// parameters. A set is therefore never too small, and without further dimensions it is exact.
#include "sets/sets.h"

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/local_space.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

enum {
    MAX_OPERATIONS = 100000,
    MAX_FACTS = 32,
    MAX_PARAMETERS = 24,
    MAX_TERM = 200,
    MAX_SPLITS = 4
};

typedef struct {
    Session *cx;
    const Facts *facts;
    Arena *arena;
    isl_ctx *isl;
    int rank;
    const Sym *index;
    VEC(Node *) extra; // terms with a dimension of their own
    VEC(Node *) parameters;
    SetConditions known; // facts that are relevant to the question
} Question;

// --- names, and terms that isl cannot express ---------------------------------------------------

static bool is_constant_above_0(Node *e)
{
    return e->kind == NAT_CONST && e->attr.i > 0;
}

// Whether the term is opaque to isl: a name, or a term that isl cannot express, which counts as an
// arbitrary integer.
static bool is_whole(Node *e)
{
    switch ((Kind)e->kind) {
    case NAT_VAR:
    case NAT_META:
    case NAT_POW: return true;
    case NAT_PRODUCT: return e->nops > 1;
    case NAT_DIV:
    case NAT_MOD: return !is_constant_above_0(e->op[1]);
    default: return false;
    }
}

// The product without its coefficient, so that 2*n*m is twice n*m.
static Node *without_coefficient(Session *cx, Node *e)
{
    if (e->kind != NAT_PRODUCT || e->nops < 2) return e;
    Node *product = e->op[0];
    for (uint32_t i = 1; i < e->nops; i++) product = nat_mul(cx, product, e->op[i]);
    return product;
}

static int find(int n, Node *const *list, Node *e)
{
    for (int i = 0; i < n; i++)
        if (list[i] == e) return i;
    return -1;
}

static int index_of(const Question *q, Node *name)
{
    for (int i = 0; i < q->rank; i++)
        if (name->kind == NAT_VAR && name->attr.sym == q->index[i]) return i;
    return -1;
}

static bool mentions_index(Question *q, Node *e)
{
    for (int i = 0; i < q->rank; i++)
        if (nat_occurs(e, nat_var(q->cx, q->index[i]))) return true;
    return false;
}

static void know(Question *q, SetRelation relation, Node *e);

// Records what is known about an opaque term: that 0 <= a % b < b, and that a product of naturals
// is a natural.
static void know_whole(Question *q, Node *e)
{
    Node *zero = nat_const(q->cx, 0);
    if (e->kind == NAT_VAR || e->kind == NAT_META) return;
    if (nat_ge0(q->cx, q->facts, e) == TRUTH_YES) know(q, SET_GE0, e);
    if (e->kind == NAT_MOD && nat_lt(q->cx, q->facts, zero, e->op[1]) == TRUTH_YES)
        know(q, SET_GE0, nat_sub(q->cx, nat_sub(q->cx, e->op[1], e), nat_const(q->cx, 1)));
}

// Records the parts of `e` that are opaque to isl. Those that mention an index get an extra
// dimension each; the others become parameters.
static void note(Question *q, Node *e)
{
    if (!is_whole(e)) {
        for (uint32_t i = 0; i < e->nops; i++) note(q, e->op[i]);
        return;
    }
    e = without_coefficient(q->cx, e);
    if (index_of(q, e) >= 0) return;
    bool over = mentions_index(q, e);
    int seen =
        over ? find(q->extra.len, q->extra.at, e) : find(q->parameters.len, q->parameters.at, e);
    if (seen >= 0) return;
    if (over)
        vec_push(q->arena, &q->extra, e);
    else
        vec_push(q->arena, &q->parameters, e);
    know_whole(q, e);
}

static bool is_known(const Question *q, SetRelation relation, Node *e)
{
    for (int i = 0; i < q->known.len; i++)
        if (q->known.at[i].e == e && q->known.at[i].relation == relation) return true;
    return false;
}

static void know(Question *q, SetRelation relation, Node *e)
{
    if (e->kind == NAT_OVERFLOW || is_known(q, relation, e)) return;
    vec_push(q->arena, &q->known, ((SetCondition){relation, e}));
    note(q, e);
}

// --- facts --------------------------------------------------------------------------------------

static void know_range(Question *q, Sym name)
{
    Node *lo, *hi, *var = nat_var(q->cx, name);
    facts_range_of(q->cx, q->facts, name, &lo, &hi);
    know(q, SET_GE0, nat_sub(q->cx, var, lo));
    if (hi) know(q, SET_GE0, nat_sub(q->cx, nat_sub(q->cx, hi, var), nat_const(q->cx, 1)));
}

typedef struct {
    Question *q;
    bool related;
} Related;

static void note_related(Node *atom, void *env)
{
    Related *r = env;
    if (index_of(r->q, atom) >= 0) r->related = true;
    for (int i = 0; i < r->q->parameters.len; i++)
        if (nat_occurs(r->q->parameters.at[i], atom)) r->related = true;
}

static void consider_fact(Node *e, bool zero, void *env)
{
    Question *q = env;
    Related r = {q, false};
    if (q->known.len >= MAX_FACTS) return;
    nat_atoms(q->cx, e, note_related, &r);
    if (r.related) know(q, zero ? SET_EQ0 : SET_GE0, e);
}

// Collects the ranges of the names and the facts that mention them. For other names in those facts,
// collects only the ranges.
static void find_facts(Question *q)
{
    for (int k = 0; k < q->rank; k++) know_range(q, q->index[k]);
    facts_each(q->facts, consider_fact, q);
    for (int i = 0; i < q->parameters.len && i < MAX_PARAMETERS; i++)
        if (q->parameters.at[i]->kind == NAT_VAR) know_range(q, q->parameters.at[i]->attr.sym);
}

// --- isl sets ------------------------------------------------------------------------------------

/// The space that is the domain of the isl functions for terms.
typedef struct {
    Question *q;
    isl_local_space *space;
} Functions;

static isl_pw_aff *function_of(Functions *f, Node *e);

static isl_pw_aff *constant(Functions *f, int64_t value)
{
    isl_val *v = isl_val_int_from_si(f->q->isl, value);
    return isl_pw_aff_from_aff(isl_aff_val_on_domain(isl_local_space_copy(f->space), v));
}

static isl_pw_aff *variable(Functions *f, Node *e)
{
    Question *q = f->q;
    enum isl_dim_type type = isl_dim_set;
    int at = index_of(q, e);
    if (at < 0 && (at = find(q->extra.len, q->extra.at, e)) >= 0) at += q->rank;
    if (at < 0) {
        type = isl_dim_param;
        at = find(q->parameters.len, q->parameters.at, e);
    }
    return isl_pw_aff_var_on_domain(isl_local_space_copy(f->space), type, (unsigned)at);
}

static isl_pw_aff *times(Functions *f, Node *e, int64_t k)
{
    return isl_pw_aff_scale_val(function_of(f, e), isl_val_int_from_si(f->q->isl, k));
}

static isl_pw_aff *divided(Functions *f, Node *e)
{
    isl_pw_aff *a = function_of(f, e->op[0]);
    isl_val *d = isl_val_int_from_si(f->q->isl, e->op[1]->attr.i);
    if (e->kind == NAT_MOD) return isl_pw_aff_mod_val(a, d);
    return isl_pw_aff_floor(isl_pw_aff_scale_down_val(a, d));
}

static isl_pw_aff *function_of(Functions *f, Node *e)
{
    isl_pw_aff *sum;
    Node *bare = without_coefficient(f->q->cx, e);
    if (bare != e) return times(f, bare, e->attr.i);
    if (is_whole(e)) return variable(f, e);
    switch ((Kind)e->kind) {
    case NAT_CONST: return constant(f, e->attr.i);
    case NAT_PRODUCT: return times(f, e->op[0], e->attr.i);
    case NAT_SUM:
        sum = function_of(f, e->op[0]);
        for (uint32_t i = 1; i < e->nops; i++) sum = isl_pw_aff_add(sum, function_of(f, e->op[i]));
        return sum;
    case NAT_DIV:
    case NAT_MOD: return divided(f, e);
    case NAT_MIN: return isl_pw_aff_min(function_of(f, e->op[0]), function_of(f, e->op[1]));
    case NAT_MAX: return isl_pw_aff_max(function_of(f, e->op[0]), function_of(f, e->op[1]));
    default: CHECK(f->q->cx, false, "%s is not a term of a set", kind_info[e->kind].text);
    }
}

static isl_set *where(Functions *f, SetCondition c)
{
    isl_pw_aff *e = function_of(f, c.e);
    if (c.relation == SET_GE0) return isl_pw_aff_nonneg_set(e);
    if (c.relation == SET_EQ0) return isl_pw_aff_zero_set(e);
    return isl_pw_aff_non_zero_set(e);
}

// Returns a minimum that is added, or a maximum that is subtracted, in a sum that must be at least
// 0. That condition holds if and only if it holds with each of the two operands in place of the
// minimum or maximum. Returns NULL if there is none.
static Node *convex_term(Node *sum, int64_t *coefficient)
{
    uint32_t n = sum->kind == NAT_SUM ? sum->nops : 1;
    for (uint32_t i = 0; i < n; i++) {
        Node *term = sum->kind == NAT_SUM ? sum->op[i] : sum;
        bool scaled = term->kind == NAT_PRODUCT && term->nops == 1;
        *coefficient = scaled ? term->attr.i : 1;
        if (scaled) term = term->op[0];
        if (term->kind == (*coefficient > 0 ? NAT_MIN : NAT_MAX)) return term;
    }
    return NULL;
}

// Intersects the set with a condition. isl turns a minimum or maximum into the union of its cases,
// and intersecting unions is slow, so conditions are split where that yields an intersection.
static isl_set *with_condition(Functions *f, isl_set *set, SetCondition c, int splits)
{
    Session *cx = f->q->cx;
    int64_t k;
    Node *term = splits > 0 && c.relation == SET_GE0 ? convex_term(c.e, &k) : NULL;
    if (!term) return isl_set_intersect(set, where(f, c));
    Node *factor = nat_const(cx, k), *rest = nat_sub(cx, c.e, nat_mul(cx, factor, term));
    for (int i = 0; i < 2; i++) {
        Node *e = nat_add(cx, rest, nat_mul(cx, factor, term->op[i]));
        set = with_condition(f, set, (SetCondition){SET_GE0, e}, splits - 1);
    }
    return set;
}

static isl_set *all_of(Functions *f, isl_set *set, const SetConditions *conditions)
{
    for (int i = 0; i < conditions->len; i++)
        set = with_condition(f, set, conditions->at[i], MAX_SPLITS);
    return set;
}

static Functions functions(Question *q, int rank)
{
    isl_space *space = isl_space_set_alloc(q->isl, (unsigned)q->parameters.len, (unsigned)rank);
    return (Functions){q, isl_local_space_from_space(space)};
}

static isl_set *set_of(Question *q, const IndexSet *s)
{
    Functions f = functions(q, q->rank + q->extra.len);
    isl_set *all = isl_set_universe(isl_local_space_get_space(f.space));
    all = all_of(&f, all_of(&f, all, &s->where), &q->known);
    isl_local_space_free(f.space);
    return all;
}

// The set of the parameter values that the facts allow.
static isl_set *context(Question *q)
{
    Functions f = functions(q, 0);
    isl_set *all = isl_set_universe(isl_local_space_get_space(f.space));
    for (int i = 0; i < q->known.len; i++)
        if (!mentions_index(q, q->known.at[i].e))
            all = isl_set_intersect(all, where(&f, q->known.at[i]));
    isl_local_space_free(f.space);
    return isl_set_params(all);
}

// --- questions ----------------------------------------------------------------------------------

// Whether the term is short enough for isl and contains no numbers beyond 64 bits.
static bool is_term(Node *e)
{
    int left = MAX_TERM;
    Node *stack[MAX_TERM];
    int n = 0;
    for (stack[n++] = e; n > 0 && left > 0; left--) {
        e = stack[--n];
        if (e->kind == NAT_OVERFLOW) return false;
        for (uint32_t i = 0; i < e->nops; i++) {
            if (n == MAX_TERM) return false;
            stack[n++] = e->op[i];
        }
    }
    return left > 0;
}

// Returns a question about the set, or NULL if it is too complex.
static Question *question(Session *cx, const Facts *facts, const IndexSet *a)
{
    for (int k = 0; k < a->where.len; k++)
        if (!is_term(a->where.at[k].e)) return NULL;
    Arena *arena = arena_new_beside(cx->arena);
    Question *q = ARENA_NEW(arena, Question);
    *q = (Question){.cx = cx, .facts = facts, .arena = arena, .rank = a->rank, .index = a->index};
    for (int k = 0; k < a->where.len; k++) note(q, a->where.at[k].e);
    find_facts(q);
    q->isl = isl_ctx_alloc();
    isl_options_set_on_error(q->isl, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(q->isl, MAX_OPERATIONS);
    return q;
}

// Whether `set` contains a vector for every choice of parameter values that the facts allow.
static bool is_never_empty(Question *q, isl_set *set)
{
    if (q->extra.len) return false; // extra dimensions can make the set too large
    isl_set *all = context(q), *some = isl_set_params(isl_set_copy(set));
    bool never = isl_set_is_subset(all, some) == isl_bool_true;
    isl_set_free(all);
    isl_set_free(some);
    return never;
}

Truth sets_is_empty(Session *cx, const Facts *f, const IndexSet *a)
{
    Question *q = question(cx, f, a);
    if (!q) return TRUTH_UNKNOWN;
    isl_set *set = set_of(q, a);
    isl_bool empty = isl_set_is_empty(set);
    Truth truth = TRUTH_UNKNOWN;
    if (empty == isl_bool_true) truth = TRUTH_YES;
    if (empty == isl_bool_false && is_never_empty(q, set)) truth = TRUTH_NO;
    isl_set_free(set);
    isl_ctx_free(q->isl);
    arena_delete(q->arena);
    return truth;
}
