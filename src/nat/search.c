// A proof of e >= 0 is a way to write e = sum of m*k + rest, where every k is known to be >= 0,
// every m is a monomial >= 0 with a positive coefficient, and the rest is >= 0 by its constant
// bounds. The search subtracts one m*k at a time, which cancels a term of e without a lower bound
// (or, if all terms have one, any term that a known inequality bounds better). Example, with 0 <= i
// < n and 0 <= j < m: e = n*m - i*m - j - 1; subtracting m*(n - 1 - i) leaves m - j - 1;
// subtracting m - 1 - j leaves 0.
//
// If that fails, the search is repeated with slack variables: n = i + 1 + n', m = j + 1 + m', where
// the new n', m' are >= 0. They make (n - 1)*(m - 1) - i*j the sum n'*m' + n'*j + i*m'.
//
// During a proof, polynomials are lists of exponent vectors in the atoms of the problem, of which
// there are at most MAX_ATOMS. Inequalities that do not fit are left out; at worst, a proof is
// missed.
#include "nat/internal.h"

#include <stdlib.h>

enum { MAX_ATOMS = 24, MAX_EXPONENT = 15, MAX_LEN = 100 };
enum { MAX_KNOWN = 96, MAX_STATES = 250, MAX_EXPANDED = 12, MAX_EXPANDED_SLACK = 8 };

typedef struct {
    uint8_t exp[MAX_ATOMS];
} Mono;
typedef struct {
    int64_t coeff;
    Mono mono;
} Part;
typedef struct {
    int len; // parts in order of their exponent bytes, the largest first
    Part *at;
} Poly;

typedef struct {
    Poly e;
    uint64_t hash;
    int steps, cost;
    bool expanded;
} State;

typedef struct {
    Prover *p;
    Arena *arena;
    int natoms, nknown, nstates;
    Node *atoms[MAX_ATOMS];
    Interval range[MAX_ATOMS]; // of the variable that represents the atom in polynomials
    Poly
        image[MAX_ATOMS]; // with slack, the atom in terms of its slack variable; empty if unchanged
    bool busy[MAX_ATOMS]; // whether the image is being computed
    bool slack, any_image;
    Node *goal;
    Poly divisor[MAX_ATOMS]; // the divisor of a division, if it is not constant and known to be > 0
    Poly known[MAX_KNOWN];
    Node *known_nodes[MAX_KNOWN];
    State states[MAX_STATES];
    bool proved;
} Problem;

static int part_compare(const void *a, const void *b)
{
    return memcmp(((const Part *)b)->mono.exp, ((const Part *)a)->mono.exp, MAX_ATOMS);
}

// Multiplies `part` by b*m. Returns false on overflow.
static bool scaled_part(Part *part, int64_t b, const Mono *m)
{
    for (int k = 0; k < MAX_ATOMS; k++) {
        if (part->mono.exp[k] + m->exp[k] > MAX_EXPONENT) return false;
        part->mono.exp[k] = (uint8_t)(part->mono.exp[k] + m->exp[k]);
    }
    return !__builtin_mul_overflow(part->coeff, b, &part->coeff);
}

// Sets *sum to a*x + b*m*y, by merging, since m times the parts of y are in order as well. Returns
// false on overflow or if the sum gets too long.
static bool combine(Problem *pb, int64_t a, Poly x, int64_t b, const Mono *m, Poly y, Poly *sum)
{
    Part *parts = ARENA_ARRAY(pb->arena, Part, x.len + y.len + 1), next;
    int n = 0, i = 0, j = 0;
    bool ready = false; // next = part j of b*m*y
    while (i < x.len || j < y.len) {
        if (j < y.len && !ready) {
            next = y.at[j];
            if (!scaled_part(&next, b, m)) return false;
            ready = true;
        }
        int order = j == y.len ? -1 : i == x.len ? 1 : part_compare(&x.at[i], &next);
        Part *part = &parts[n++];
        *part = order <= 0 ? x.at[i++] : next;
        if (order <= 0 && __builtin_mul_overflow(part->coeff, a, &part->coeff)) return false;
        if (order == 0 && __builtin_add_overflow(part->coeff, next.coeff, &part->coeff))
            return false;
        if (order >= 0) j++, ready = false;
        if (part->coeff == 0) n--;
    }
    *sum = (Poly){n, parts};
    return n <= MAX_LEN;
}

static const Mono unit;

static bool add_constant(Problem *pb, Poly x, int64_t c, Poly *sum)
{
    Part part = {.coeff = c};
    return combine(pb, 1, x, 1, &unit, (Poly){c != 0, &part}, sum);
}

static bool multiply(Problem *pb, Poly a, Poly b, Poly *product)
{
    *product = (Poly){0, NULL};
    for (int i = 0; i < b.len; i++)
        if (!combine(pb, 1, *product, b.at[i].coeff, &b.at[i].mono, a, product)) return false;
    return true;
}

static bool poly_of(Problem *pb, Node *e, Poly *poly);

// Returns the range of a name in the goal whose upper end is `atom` plus some term without `atom`.
static const Range *range_below(const Problem *pb, Node *atom)
{
    Session *cx = pb->p->cx;
    for (const Facts *f = pb->p->facts; f; f = facts_next(pb->p->facts, f)) {
        for (int i = 0; i < f->ranges.len; i++) {
            const Range *r = &f->ranges.at[i];
            if (!r->hi || facts_find_range(pb->p->facts, r->name) != r) continue;
            if (nat_occurs(nat_sub(cx, r->hi, atom), atom)) continue;
            if (nat_occurs(r->hi, atom) && nat_occurs(pb->goal, nat_var(cx, r->name))) return r;
        }
    }
    return NULL;
}

// Expresses an atom x in terms of its slack variable x': as x' + i + 1 - c if i < x + c for a name
// i in the goal, and otherwise as x' + lo if x has a constant lower bound lo.
static void make_image(Problem *pb, int atom)
{
    Session *cx = pb->p->cx;
    Node *x = pb->atoms[atom];
    Interval *range = &pb->range[atom];
    const Range *r = range_below(pb, x);
    Mono mono = unit;
    mono.exp[atom] = 1;
    Part self = {1, mono};
    Poly base, image;
    pb->busy[atom] = true;
    Node *less = r ? nat_sub(cx, nat_add(cx, nat_var(cx, r->name), x), r->hi) : NULL;
    bool ok = r && poly_of(pb, nat_add(cx, less, nat_const(cx, 1)), &base) &&
              combine(pb, 1, base, 1, &unit, (Poly){1, &self}, &image);
    if (ok) {
        *range = (Interval){0, NO_HI};
    } else if (range->lo != NO_LO && range->lo != 0) {
        ok = add_constant(pb, (Poly){1, &self}, range->lo, &image);
        *range = interval_add(*range, interval_scale((Interval){range->lo, range->lo}, -1));
    }
    if (ok) pb->image[atom] = image;
    pb->any_image = pb->any_image || ok;
    pb->busy[atom] = false;
}

static int atom_number(Problem *pb, Node *atom)
{
    for (int i = 0; i < pb->natoms; i++)
        if (pb->atoms[i] == atom) return pb->busy[i] ? -1 : i;
    if (pb->natoms == MAX_ATOMS) return -1;
    int i = pb->natoms++;
    pb->atoms[i] = atom;
    pb->range[i] = prove_bounds(pb->p, atom);
    if (pb->slack) make_image(pb, i);
    return i;
}

// Converts a monomial to a polynomial in the atoms of the problem. Returns false if it does not
// fit.
static bool mono_of(Problem *pb, Node *e, Poly *poly)
{
    Part *part = ARENA_NEW(pb->arena, Part);
    part->coeff = 1;
    *poly = (Poly){1, part};
    for (int k = 0; k < mono_len(e); k++) {
        int64_t exponent = mono_exponent(e, k);
        int atom = atom_number(pb, mono_base(e, k));
        if (atom < 0 || exponent > MAX_EXPONENT) return false;
        if (!pb->image[atom].len) part->mono.exp[atom] = (uint8_t)exponent;
    }
    for (int k = 0; k < mono_len(e); k++) {
        Poly image = pb->image[atom_number(pb, mono_base(e, k))];
        for (int64_t i = mono_exponent(e, k); image.len && i > 0; i--)
            if (!multiply(pb, *poly, image, poly)) return false;
    }
    return true;
}

// Converts `e` to a polynomial in the atoms of the problem, to which its new atoms are added.
// Returns false if it does not fit.
static bool poly_of(Problem *pb, Node *e, Poly *poly)
{
    Terms t;
    terms_of(pb->p->cx, &t, e);
    *poly = (Poly){0, NULL};
    bool ok = t.len <= MAX_LEN;
    for (int i = 0; ok && i < t.len; i++) {
        Poly mono;
        ok = mono_of(pb, t.at[i].mono, &mono) &&
             combine(pb, 1, *poly, t.at[i].coeff, &unit, mono, poly);
    }
    terms_free(&t);
    return ok;
}

static void add_known(Node *ge0, void *env)
{
    Problem *pb = env;
    for (int i = 0; i < pb->nknown; i++)
        if (pb->known_nodes[i] == ge0) return;
    if (pb->nknown == MAX_KNOWN || !poly_of(pb, ge0, &pb->known[pb->nknown])) return;
    pb->known_nodes[pb->nknown++] = ge0;
}

// The search uses only the first FIRST_ABOUT and the last LAST_ABOUT facts about an atom.
enum { FIRST_ABOUT = 32, LAST_ABOUT = 48 };

// Returns the first usable number above `after` in the list, or `none` if there is none.
static int number_above(const Numbers *list, int after, int none)
{
    int lo = 0, hi = list->len, last = list->len - LAST_ABOUT;
    while (lo < hi) {
        int middle = lo + (hi - lo) / 2;
        if (list->at[middle] > after)
            hi = middle;
        else
            lo = middle + 1;
    }
    if (lo >= FIRST_ABOUT && lo < last) lo = last;
    return lo < list->len ? list->at[lo] : none;
}

// Returns the first fact after number `after` that is about an atom of the problem, or `none`.
static int next_relevant(const Problem *pb, const Map *about, int after, int none)
{
    int next = none;
    for (int i = 0; i < pb->natoms; i++) {
        const Numbers *list = map_get(about, pb->atoms[i]->id);
        int number = list ? number_above(list, after, none) : none;
        if (number < next) next = number;
    }
    return next;
}

// Adds the facts about atoms of the problem. A fact may add atoms, in which case later facts about
// those are added as well.
static void add_facts(Problem *pb)
{
    Session *cx = pb->p->cx;
    for (const Facts *f = pb->p->facts; f; f = facts_next(pb->p->facts, f)) {
        int n = f->ge0.len, m = f->eq0.len;
        for (int i = -1; (i = next_relevant(pb, &f->about_ge0, i, n)) < n;)
            add_known(f->ge0.at[i], pb);
        for (int i = -1; (i = next_relevant(pb, &f->about_eq0, i, m)) < m;) {
            add_known(f->eq0.at[i], pb);
            add_known(nat_sub(cx, nat_const(cx, 0), f->eq0.at[i]), pb);
        }
    }
}

static void find_divisor(Problem *pb, int atom)
{
    Node *x = pb->atoms[atom];
    if (x->kind != NAT_DIV || x->op[1]->kind == NAT_CONST) return;
    Poly d;
    if (prove_positive(pb->p, x->op[1]) && poly_of(pb, x->op[1], &d)) pb->divisor[atom] = d;
}

// Adds the known inequalities about all atoms, including the atoms that this adds.
static void collect_known(Problem *pb)
{
    for (int done = 0, facts_at = -1; done < pb->natoms || facts_at < pb->natoms;) {
        if (done < pb->natoms) {
            known_of_atom(pb->p, pb->atoms[done], add_known, pb);
            find_divisor(pb, done++);
        } else {
            facts_at = pb->natoms;
            add_facts(pb);
        }
    }
}

static Interval mono_bounds(const Problem *pb, const Mono *m)
{
    Interval b = {1, 1};
    for (int i = 0; i < pb->natoms; i++)
        if (m->exp[i]) b = interval_mul(b, interval_pow(pb->range[i], m->exp[i]));
    return b;
}

// The lower bound of a term, or NO_LO if it has none.
static int64_t part_low(const Problem *pb, const Part *t)
{
    return interval_scale(mono_bounds(pb, &t->mono), t->coeff).lo;
}

static bool is_unit(const Mono *m)
{
    return memcmp(m, &unit, sizeof unit) == 0;
}

// Replaces g*x + c >= 0 with the equivalent x + floor(c/g) >= 0.
static void divide_content(Poly *e)
{
    Part *parts = e->at;
    uint64_t g = 0;
    for (int i = 0; i < e->len; i++)
        if (!is_unit(&parts[i].mono))
            g = int_gcd(g,
                        parts[i].coeff < 0 ? -(uint64_t)parts[i].coeff : (uint64_t)parts[i].coeff);
    if (g <= 1 || g > INT64_MAX) return;
    for (int i = 0; i < e->len; i++) parts[i].coeff = floor_div(parts[i].coeff, (int64_t)g);
    if (e->len && parts[e->len - 1].coeff == 0) e->len--;
}

static uint64_t hash_poly(Poly e)
{
    uint64_t h = (uint64_t)e.len;
    for (int i = 0; i < e.len; i++) {
        uint64_t word;
        h = hash_mix(h, (uint64_t)e.at[i].coeff);
        for (int k = 0; k < MAX_ATOMS; k += 8) {
            memcpy(&word, &e.at[i].mono.exp[k], sizeof word);
            h = hash_mix(h, word);
        }
    }
    return h;
}

static bool same_poly(Poly a, Poly b)
{
    if (a.len != b.len) return false;
    for (int i = 0; i < a.len; i++)
        if (a.at[i].coeff != b.at[i].coeff || memcmp(&a.at[i].mono, &b.at[i].mono, sizeof(Mono)))
            return false;
    return true;
}

// Adds a goal that implies the original one, unless it is already there.
static void add_state(Problem *pb, Poly e, int steps)
{
    divide_content(&e);
    if (pb->nstates == MAX_STATES) return;
    uint64_t hash = hash_poly(e);
    for (int i = 0; i < pb->nstates; i++)
        if (pb->states[i].hash == hash && same_poly(pb->states[i].e, e)) return;
    Interval total = {0, 0};
    int cost = steps + e.len;
    for (int i = 0; i < e.len; i++) {
        int64_t low = part_low(pb, &e.at[i]);
        if (low == NO_LO) cost += 8;
        total = interval_add(total, (Interval){low, NO_HI});
    }
    if (total.lo != NO_LO && total.lo >= 0) pb->proved = true;
    pb->states[pb->nstates++] = (State){e, hash, steps, cost, false};
}

// Sets *q to a/b if that is a monomial known to be >= 0. Returns false otherwise.
static bool nonnegative_quotient(const Problem *pb, const Mono *a, const Mono *b, Mono *q)
{
    for (int i = 0; i < MAX_ATOMS; i++) {
        if (a->exp[i] < b->exp[i]) return false;
        q->exp[i] = (uint8_t)(a->exp[i] - b->exp[i]);
        if (q->exp[i] % 2 && pb->range[i].lo < 0) return false;
    }
    return true;
}

// For each term of `known` that can cancel `term`, a term of the goal e, adds the goal that remains
// when the multiple of `known` is subtracted. If the coefficient of that term does not divide that
// of `term`, s*e >= 0 is proved instead; since these are integers, s*e + s - 1 >= 0 is enough.
static void cancel(Problem *pb, const State *s, const Part *term, Poly known)
{
    for (int j = 0; j < known.len && !pb->proved; j++) {
        const Part *by = &known.at[j];
        Mono q;
        if ((by->coeff < 0) != (term->coeff < 0)) continue;
        if (by->coeff == INT64_MIN || term->coeff == INT64_MIN) continue;
        if (!nonnegative_quotient(pb, &term->mono, &by->mono, &q)) continue;
        int64_t g = (int64_t)int_gcd((uint64_t)llabs(term->coeff), (uint64_t)llabs(by->coeff));
        int64_t scale = llabs(by->coeff) / g, factor = llabs(term->coeff) / g;
        Poly rest;
        if (combine(pb, scale, s->e, -factor, &q, known, &rest) &&
            add_constant(pb, rest, scale - 1, &rest))
            add_state(pb, rest, s->steps + 1);
    }
}

// Adds the goal d*e + d - 1 >= 0, which implies e >= 0, for the divisor d > 0 of a division x/d in
// e. This helps because the known inequalities about x/d involve d*(x/d).
static void scale_by_divisor(Problem *pb, const State *s, int atom)
{
    Poly d = pb->divisor[atom], scaled;
    bool ok = multiply(pb, s->e, d, &scaled) && combine(pb, 1, scaled, 1, &unit, d, &scaled) &&
              add_constant(pb, scaled, -1, &scaled);
    if (ok) add_state(pb, scaled, s->steps + 2);
}

static int degree(const Mono *m)
{
    int sum = 0;
    for (int i = 0; i < MAX_ATOMS; i++) sum += m->exp[i];
    return sum;
}

// Whether a factor is a division. What is known of one consists of terms of its dividend.
static bool has_division(const Problem *pb, const Mono *m)
{
    for (int i = 0; i < pb->natoms; i++)
        if (m->exp[i] && pb->atoms[i]->kind == NAT_DIV) return true;
    return false;
}

// Whether x should be cancelled before y: a term with a division, which the terms of its dividend
// replace, or else the one of higher degree.
static bool is_worse(const Problem *pb, const Mono *x, const Mono *y)
{
    bool divides = has_division(pb, x);
    return divides != has_division(pb, y) ? divides : degree(x) > degree(y);
}

// Returns the worst of the terms without a lower bound, or NULL if all terms have one. Every proof
// must cancel this term, so no other choice is needed.
static const Part *worst_part(const Problem *pb, Poly e)
{
    const Part *worst = NULL;
    for (int i = 0; i < e.len; i++) {
        if (part_low(pb, &e.at[i]) != NO_LO) continue;
        if (!worst || is_worse(pb, &e.at[i].mono, &worst->mono)) worst = &e.at[i];
    }
    return worst;
}

static void expand(Problem *pb, State *state)
{
    state->expanded = true;
    State s = *state;
    const Part *worst = worst_part(pb, s.e);
    for (int i = 0; i < s.e.len && !pb->proved; i++) {
        if (worst && worst != &s.e.at[i]) continue;
        for (int k = 0; k < pb->nknown && !pb->proved; k++)
            cancel(pb, &s, &s.e.at[i], pb->known[k]);
    }
    for (int a = 0; a < pb->natoms && !pb->proved; a++) {
        bool occurs = false;
        for (int i = 0; i < s.e.len; i++) occurs = occurs || s.e.at[i].mono.exp[a];
        if (occurs && pb->divisor[a].len) scale_by_divisor(pb, &s, a);
    }
}

static State *cheapest(Problem *pb)
{
    State *best = NULL;
    for (int i = 0; i < pb->nstates; i++) {
        State *s = &pb->states[i];
        if (!s->expanded && (!best || s->cost < best->cost)) best = s;
    }
    return best;
}

static bool search(Prover *p, Node *e, bool slack)
{
    Arena *arena = arena_new_beside(p->cx->arena);
    Problem *pb = ARENA_NEW(arena, Problem);
    *pb = (Problem){.p = p, .arena = arena, .slack = slack, .goal = e};
    Poly goal;
    if (poly_of(pb, e, &goal) && (!slack || pb->any_image)) {
        collect_known(pb);
        add_state(pb, goal, 0);
    }
    int limit = slack ? MAX_EXPANDED_SLACK : MAX_EXPANDED;
    for (int n = 0; n < limit && p->fuel > 0 && !pb->proved; n++, p->fuel--) {
        State *best = cheapest(pb);
        if (!best) break;
        expand(pb, best);
    }
    bool proved = pb->proved;
    arena_delete(arena);
    return proved;
}

bool prove_by_search(Prover *p, Node *e)
{
    return search(p, e, false) || search(p, e, true);
}
