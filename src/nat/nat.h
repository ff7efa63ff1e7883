// Sizes. A size is an integer polynomial over named variables with floor division, remainder, min,
// max and power as atoms, kept in a normal form, so that equal sizes are usually the same node.
// Variables stand for naturals unless facts say otherwise: with no facts every NAT_VAR and NAT_META
// is >= 0.
//
// Normal form: the products in a NAT_SUM are in a fixed order (by degree, then by the names of
// their atoms; the constant last), and no two have the same atoms. A sum of one product is that
// product. A NAT_PRODUCT has a coefficient other than 0 (and, with one atom, other than 1) and
// atoms in order; a repeated atom is a power. Products of sums are multiplied out. Division is
// floor division, with the matching remainder, and the divisor must be > 0. Unlike with truncating
// division, (a + b*d)/d = a/d + b then holds for all integers.
//
// Every simplifier rule is stated beside its code, with its side condition, and is tested by
// evaluation at random points, negative dividends included.
#ifndef ADZE_NAT_NAT_H
#define ADZE_NAT_NAT_H

#include "ir/node.h"

/// Registers with the session how sizes are rebuilt, so that node_map and the like keep them in
/// normal form.
void nat_init(Session *cx);

/// Builders return the result in normal form. Division and remainder by the constant 0 yield
/// NAT_OVERFLOW, and so does a negative constant exponent, a constant beyond 64 bits, or a
/// polynomial of more than 4096 terms or of a degree above 2^20. NAT_OVERFLOW absorbs everything
/// built from it. Builders use no facts: they apply (a + b*d)/d = a/d + b, which keeps the
/// division, but leave b*d/d = b, where d may be 0, to nat_simplify.
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
Node *nat_apply(Session *cx, Kind kind, Node *a, Node *b); // by kind, NAT_SUM to NAT_POW

/// Whether `e` is a constant. If it is, sets *value to its value.
bool nat_is_const(Node *e, int64_t *value);

/// The facts about variables in a term: a chain of scopes.
typedef struct Facts Facts;

/// Creates an empty scope inside `outer`, which may be NULL. The scope lives as long as `arena`.
Facts *facts_new(Session *cx, Arena *arena, const Facts *outer);

/// States that lo <= name, and that name < hi unless hi is NULL. This range replaces the name's
/// default range [0, inf) and any earlier or outer one. It also implies that the range is not
/// empty: lo < hi.
void facts_range(Facts *f, Sym name, Node *lo, Node *hi);

/// States that name == value, for a name that has no facts yet except its range.
void facts_value(Facts *f, Sym name, Node *value);

/// States that e >= 0.
void facts_ge0(Facts *f, Node *e);
/// States that e == 0.
void facts_eq0(Facts *f, Node *e);

/// Adds the facts of case number k to a scope.
typedef void AssumeCase(Session *cx, Facts *inside, int k, const void *env);
/// States that at least one of n cases holds. `env` lives as long as the scope. Only
/// facts_hold_by_cases uses such statements.
void facts_one_of(Facts *f, int n, AssumeCase *assume, const void *env);
/// Whether some condition can be proved under the facts.
typedef bool HoldsUnder(Session *cx, const Facts *f, const void *env);
/// Whether `holds` proves a condition in all cases of one or more of the innermost statements of
/// facts_one_of, except in those that contradict other facts. It is false if there are none.
bool facts_hold_by_cases(Session *cx, const Facts *f, HoldsUnder *holds, const void *env);

/// Returns the range in force for a name: *lo <= name, and name < *hi unless *hi is NULL. If none
/// was given, it is [0, inf). `f` may be NULL.
void facts_range_of(Session *cx, const Facts *f, Sym name, Node **lo, Node **hi);

/// Calls `found` for every fact e >= 0 or e == 0 (`zero`), innermost and latest first.
void facts_each(const Facts *f, void (*found)(Node *e, bool zero, void *env), void *env);

typedef enum { TRUTH_UNKNOWN, TRUTH_YES, TRUTH_NO } Truth;

/// Whether e == 0 (if `zero`) or e >= 0 can be proved by replacing a name in an exponent with its
/// value according to a fact. All names must stand for sizes.
bool nat_holds_by_definition(Session *cx, const Facts *f, Node *e, bool zero);

/// YES if the relation holds for all values that the facts allow, NO if it holds for none, and
/// UNKNOWN if neither could be proved. `f` may be NULL. The answers are sound but not complete: a
/// YES or NO is always right.
Truth nat_ge0(Session *cx, const Facts *f, Node *e);
Truth nat_eq(Session *cx, const Facts *f, Node *a, Node *b);
Truth nat_le(Session *cx, const Facts *f, Node *a, Node *b);
Truth nat_lt(Session *cx, const Facts *f, Node *a, Node *b);
Truth nat_divides(Session *cx, const Facts *f, Node *d, Node *e); // e % d == 0

/// Sets *bound to a constant lower bound that holds under the facts. Returns false if none was
/// found.
bool nat_lower(Session *cx, const Facts *f, Node *e, int64_t *bound);
/// Like nat_lower, but for an upper bound.
bool nat_upper(Session *cx, const Facts *f, Node *e, int64_t *bound);

/// Returns `e` with divisions, remainders, min and max removed or made smaller wherever the facts
/// allow: (i*m + j)/m = i and (i*m + j)%m = j for 0 <= j < m, min(a, b) = a for a <= b, and so on.
/// The result is never larger than `e`.
Node *nat_simplify(Session *cx, const Facts *f, Node *e);

/// Whether some fact, simplified under the others, is certainly false: n % 3 == 0 and n == 1. Only
/// facts that share a name with `about` are tried, or all if it is NULL. Not all contradictions are
/// found.
bool facts_contradict(Session *cx, const Facts *f, Node *about);

/// Whether no division in `e` can fail under the facts, because every divisor is known to be
/// positive. A pass that hoists the computation of a size must test this, or compute nat_total of
/// the size.
bool nat_is_total(Session *cx, const Facts *f, Node *e);
/// Returns `e` with max(d, 1) in place of each divisor d that is not known to be positive. The
/// result has the value of `e` wherever that is defined, and some value elsewhere.
Node *nat_total(Session *cx, const Facts *f, Node *e);

/// A size that depends on a comparison: `holds` if left > right, or left != right, else `fails`.
typedef struct {
    Node *left, *right;
    enum { NAT_MORE, NAT_DIFFERENT } relation;
    Node *holds, *fails;
} NatChoice;
/// Whether `e`, a sum or product, contains a factor that is 1 if a comparison holds and 0
/// otherwise, as sizes that are written as an `if` do. Sets *choice if so. Comparisons of loop
/// indices, which the facts give a range, do not count.
bool nat_as_choice(Session *cx, const Facts *f, Node *e, NatChoice *choice);

/// The condition that dividend % divisor == 0.
typedef struct {
    Node *dividend, *divisor; // both NULL if there is no condition
} Divides;
/// Solves left == right for `unknown`, a NAT_META or NAT_VAR that occurs in it. On success,
/// *solution does not mention `unknown`. If *must_divide then holds a condition, the solution is
/// valid only under that condition, and *solution is dividend / divisor. Returns false if the
/// equation is not linear in the unknown.
bool nat_solve(Session *cx, Node *left, Node *right, Node *unknown, Node **solution,
               Divides *must_divide);
/// Solves left == right for `unknown`, which occurs on one side only, where that side is not linear
/// in it, by trying: each name on the other side, or numbers if that side is one. So n*(n + 1)/2 ==
/// 6 has the solution 3. Returns NULL if none of them is a solution, or the next larger size could
/// be one, too.
Node *nat_guess(Session *cx, Node *left, Node *right, Node *unknown);

/// Whether `atom` (a variable or meta) occurs in e.
bool nat_occurs(Node *e, Node *atom);
/// Calls `found` once for each variable and meta of e.
void nat_atoms(Session *cx, Node *e, void (*found)(Node *atom, void *env), void *env);

/// Returns `e`, in normal form, with each variable and meta replaced with the result of `lookup`,
/// or kept if that is NULL.
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

/// Evaluates `e`, with variables given by `lookup`. Returns false on overflow, division by zero, a
/// negative exponent, or if lookup returns false.
bool nat_eval(Node *e, bool (*lookup)(Node *atom, int64_t *value, void *env), void *env,
              int64_t *value);

/// Prints `e` in Adze syntax: n*m + 2, (n - 1)/k, min(a, b). `level` is the precedence of the
/// context: 0 for none, 1 inside a sum, 2 inside a product. Positive terms come first, a small
/// power is n*n rather than pow(n, 2), and metas are ?1, ?2.
void nat_print(Text *out, Node *e, int level);
const char *nat_show(Session *cx, Node *e); // like nat_print at level 0, but returns a string
/// Like nat_show, but prints names as they appear in the program, without the numbers that make
/// them unique, unless two names would then be equal.
const char *nat_show_written(Session *cx, Node *e);

#endif
