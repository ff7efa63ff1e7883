// Sizes. A size is an integer polynomial over named variables with floor division, remainder, min,
// max and power as atoms, kept in a normal form, so that equal sizes are usually the same node.
// Variables stand for naturals unless facts say otherwise: with no facts every NAT_VAR and NAT_META
// is >= 0.
//
// Normal form: a NAT_SUM holds products in a fixed order (by degree, then by name of the atoms; the
// constant last), no two with the same atoms; a NAT_PRODUCT holds a coefficient other than 0 (and,
// with one atom, other than 1) and atoms in order (a repeated atom is a power); products of sums
// are multiplied out; a sum of one product is that product. Division and remainder are floor
// division and its remainder (the divisor must be > 0): (a + b*d)/d = a/d + b holds for all
// integers, which truncating division does not satisfy.
//
// Every rule of the simplifier is stated beside its code with its side condition and is tested by
// evaluation at random points, negative dividends included.
#ifndef ADZE_NAT_NAT_H
#define ADZE_NAT_NAT_H

#include "ir/node.h"

/// Registers the rebuilding of sizes with the session (node_map and friends then keep sizes
/// normal).
void nat_init(Session *cx);

/// Builders: normal form of the result. Division and remainder by the constant 0 and a negative
/// constant exponent give NAT_OVERFLOW, as does a constant beyond 64 bits or a polynomial of more
/// than 4096 terms or degree 2^20; NAT_OVERFLOW absorbs everything built from it. Builders use no
/// facts: (a + b*d)/d = a/d + b keeps the division and is applied, b*d/d = b for a d that may be 0
/// is left to nat_simplify.
Node *nat_const(Session *cx, int64_t value);
Node *nat_var(Session *cx, Sym name);
Node *nat_meta(Session *cx, int64_t number);
Node *nat_add(Session *cx, Node *a, Node *b);
Node *nat_sub(Session *cx, Node *a, Node *b);
Node *nat_mul(Session *cx, Node *a, Node *b);
Node *nat_div(Session *cx, Node *a, Node *b);
Node *nat_mod(Session *cx, Node *a, Node *b);
Node *nat_min(Session *cx, Node *a, Node *b);
Node *nat_max(Session *cx, Node *a, Node *b);
Node *nat_pow(Session *cx, Node *a, Node *b);
Node *nat_apply(Session *cx, Kind kind, Node *a, Node *b); // by kind NAT_SUM ... NAT_POW

/// Gives the constant's value in *value; false if `e` is not a constant.
bool nat_is_const(Node *e, int64_t *value);

/// The facts about variables in a term: a chain of scopes.
typedef struct Facts Facts;

/// An empty scope inside `outer` (or NULL); dies with `arena`.
Facts *facts_new(Session *cx, Arena *arena, const Facts *outer);

/// lo <= name, and name < hi unless hi is NULL. A range given for a name replaces its default range
/// [0, inf), and an earlier or outer one. It also implies that the range is not empty: lo < hi.
void facts_range(Facts *f, Sym name, Node *lo, Node *hi);

/// name == value, for a name that has no facts yet except its range.
void facts_value(Facts *f, Sym name, Node *value);

/// e >= 0; e == 0.
void facts_ge0(Facts *f, Node *e);
void facts_eq0(Facts *f, Node *e);

/// The range in force for a name: *lo <= name, and name < *hi unless *hi is NULL. [0, inf) if none
/// was given; `f` may be NULL.
void facts_range_of(Session *cx, const Facts *f, Sym name, Node **lo, Node **hi);

/// Calls `found` for every fact e >= 0 or e == 0 (`zero`), innermost and latest first.
void facts_each(const Facts *f, void (*found)(Node *e, bool zero, void *env), void *env);

typedef enum { TRUTH_UNKNOWN, TRUTH_YES, TRUTH_NO } Truth;

/// Whether e == 0 (`zero`) or e >= 0 is proved by replacing a name in an exponent by its value in a
/// fact. Names may be sizes only. False if it is not proved.
bool nat_holds_by_definition(Session *cx, const Facts *f, Node *e, bool zero);

/// Whether the relation holds for all values that the facts allow (YES), for none (NO), or was not
/// decided. `f` may be NULL. Sound, not complete: a YES or NO is always right.
Truth nat_ge0(Session *cx, const Facts *f, Node *e);
Truth nat_eq(Session *cx, const Facts *f, Node *a, Node *b);
Truth nat_le(Session *cx, const Facts *f, Node *a, Node *b);
Truth nat_lt(Session *cx, const Facts *f, Node *a, Node *b);
Truth nat_divides(Session *cx, const Facts *f, Node *d, Node *e); // e % d == 0

/// A constant lower / upper bound that holds under the facts; false if none was found.
bool nat_lower(Session *cx, const Facts *f, Node *e, int64_t *bound);
bool nat_upper(Session *cx, const Facts *f, Node *e, int64_t *bound);

/// `e` with every division, remainder, min and max removed or made smaller that the facts allow:
/// (i*m + j)/m = i and (i*m + j)%m = j for 0 <= j < m, min(a, b) = a for a <= b, ... Never larger
/// than `e`.
Node *nat_simplify(Session *cx, const Facts *f, Node *e);

/// Whether no division in `e` can fail under the facts, because every divisor is known to be
/// positive. A pass that hoists the computation of a size must test this, or compute nat_total of
/// the size.
bool nat_is_total(Session *cx, const Facts *f, Node *e);
/// `e` with max(d, 1) for each divisor d that is not known to be positive: it has the value of `e`
/// if that is defined, and else some value.
Node *nat_total(Session *cx, const Facts *f, Node *e);

/// Solves left == right for `unknown` (a NAT_META or NAT_VAR that occurs in it). On success
/// *solution has no `unknown`, and *must_divide is NULL or a pair (dividend, divisor) whose
/// remainder must be 0 for the solution to hold (then *solution is dividend / divisor). False if
/// the equation is not linear in the unknown.
typedef struct {
    Node *dividend, *divisor; // both NULL if there is no condition
} Divides;
bool nat_solve(Session *cx, Node *left, Node *right, Node *unknown, Node **solution,
               Divides *must_divide);

/// Whether `atom` (a variable or meta) occurs in e; calls `found` once on each variable and meta of
/// e.
bool nat_occurs(Node *e, Node *atom);
void nat_atoms(Session *cx, Node *e, void (*found)(Node *atom, void *env), void *env);

/// `e` with variables and metas replaced by `lookup` (NULL to keep them), in normal form.
Node *nat_replace(Session *cx, Node *e, Node *(*lookup)(Node *atom, void *env), void *env);

/// Floor division and its remainder for b != 0, without overflow for b != -1.
static inline int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static inline int64_t floor_mod(int64_t a, int64_t b)
{
    int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

/// The value of `e`, with variables given by `lookup`; false on overflow, division by zero,
/// negative exponent, or if lookup returns false.
bool nat_eval(Node *e, bool (*lookup)(Node *atom, int64_t *value, void *env), void *env,
              int64_t *value);

/// Writes `e` as the language does: n*m + 2, (n - 1)/k, min(a, b). `level` is the precedence around
/// it: 0 for none, 1 inside a sum, 2 inside a product. Positive terms come first; n*n rather than
/// pow(n, 2); metas are ?1, ?2.
void nat_print(Text *out, Node *e, int level);
const char *nat_show(Session *cx, Node *e); // the same as a text of the session

#endif
