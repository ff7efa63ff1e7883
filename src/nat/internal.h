// Shared by the files of nat/. These files see a size as a list of terms: coefficient times
// monomial, where a monomial is a node with coefficient 1 (an atom, a power of an atom with a
// constant exponent >= 2, or a NAT_PRODUCT of such factors) or NULL for the constant term.
// Monomials are hash-consed, so equal ones are one pointer.
#ifndef ADZE_NAT_INTERNAL_H
#define ADZE_NAT_INTERNAL_H

#include "nat/nat.h"

typedef struct {
    int64_t coeff; // not 0
    Node *mono;    // NULL for 1
} Term;

/// A list of terms that lives on the stack while it is short. Not to be copied.
typedef struct {
    int len, cap;
    Term *at;
    Arena *arena; // NULL while the terms fit `small`
    Term small[16];
} Terms;

void terms_init(Terms *t);
void terms_free(Terms *t);
void terms_push(Terms *t, int64_t coeff, Node *mono);

/// Initialises `t` with the terms of `e`, in normal order.
void terms_of(Session *cx, Terms *t, Node *e);

/// The size with these terms, which must be in normal order.
Node *nat_of_terms(Session *cx, const Terms *t);
Node *nat_of_term(Session *cx, int64_t coeff, Node *mono);

/// The constant term of `e`; whether `e` has exactly one other term, and if so that term.
int64_t nat_constant_part(Node *e);
bool nat_single_term(Session *cx, Node *e, Term *term);

/// The number of terms of `e`; the greatest common divisor of its coefficients (0 for 0), without
/// the constant unless `with_constant`.
int nat_term_count(Node *e);
uint64_t nat_content(Session *cx, Node *e, bool with_constant);

/// Factors of a monomial: `base` to the power `exponent`.
int mono_len(Node *mono);
Node *mono_base(Node *mono, int k);
int64_t mono_exponent(Node *mono, int k);

/// Product, quotient and greatest common divisor of monomials. The product is false if the degree
/// exceeds a fixed limit, the quotient if `b` does not divide `a`.
bool mono_mul(Session *cx, Node *a, Node *b, Node **product);
bool mono_div(Session *cx, Node *a, Node *b, Node **quotient);
Node *mono_gcd(Session *cx, Node *a, Node *b);

/// A total order by structure and name, the same in every run; negative if `a` comes first.
int nat_compare(Node *a, Node *b);

/// The order of terms, for qsort.
int term_compare(const void *x, const void *y);

/// A node of kind NAT_DIV, NAT_MOD, NAT_MIN, NAT_MAX or NAT_POW, to which no rule is applied.
Node *nat_raw(Session *cx, Kind kind, Node *a, Node *b);
Node *nat_overflow(Session *cx);
bool nat_is_overflow(Node *e);
bool nat_is_zero(Node *e);

/// e == d * quotient + rest as polynomials, with no term of `rest` divisible by the first term of
/// `d` (for a constant d: coefficients smaller than d in magnitude, and 0 <= constant term < d).
/// False on overflow or if d is 0.
bool nat_split(Session *cx, Node *e, Node *d, Node **quotient, Node **rest);

/// The results of a walk for the nodes it has visited: a short list at first, a map once the list
/// is full.
typedef struct {
    int len;
    Node *key[16];
    const void *value[16];
    Arena *arena; // NULL while the list is enough
    Map map;
} Memo;
const void *memo_get(const Memo *m, Node *e);
void memo_put(Memo *m, Node *e, const void *value);
void memo_free(Memo *m);

/// The positive gcd of all coefficients of both (1 beyond 64 bits); the greatest term that divides
/// all terms of both.
int64_t nat_common_content(Session *cx, Node *a, Node *b);
Node *nat_common_factor(Session *cx, Node *a, Node *b);

/// The polynomial q with e == q * d; NAT_OVERFLOW if d does not divide e.
Node *nat_exact_quotient(Session *cx, Node *e, Node *d);

/// A node like `e` with other operands, in normal form.
Node *nat_rebuild(Session *cx, Node *e, Node *const *ops);

/// `e` with the atom `from` (of any kind) replaced by `to`, in normal form.
Node *nat_replace_node(Session *cx, Node *e, Node *from, Node *to);

/// One scope of facts.
typedef struct {
    Sym name;
    Node *lo, *hi; // lo <= name < hi; hi may be NULL
} Range;
// FACT_VALUE means range.name == e, which is also among the facts >= 0 or == 0.
typedef enum { FACT_RANGE, FACT_VALUE, FACT_GE0, FACT_EQ0 } FactKind;
typedef struct {
    FactKind kind;
    Range range;
    Node *e;
} Fact;
typedef struct Points Points;

// A fact about one term and a constant, which bounds the term.
typedef struct {
    Term term;
    int64_t constant;
    bool equal; // term + constant == 0, not only >= 0
} Single;

typedef VEC(int) Numbers;

struct Facts {
    Session *cx;
    Arena *arena;
    const Facts *outer;
    const Facts *base; // the scope to which searches jump from deep inside
    int depth;         // scopes around it
    VEC(Range) ranges;
    VEC(Node *) ge0, eq0; // only the strongest of inequalities that differ by a constant
    VEC(Single) singles;
    Map ge0_at, single_at; // id of an inequality without its constant -> 1 + its number in the list
    Map values;            // Sym of a name -> its value
    Map about_ge0, about_eq0, about_single; // id of an atom -> Numbers of the facts about it
    VEC(Fact) all;                          // in the order given
    Points *points;                         // points.c
    // Sizes that were given or proved to be >= 0: node id -> one of two strings. They hold in inner
    // scopes, too, unless an inner scope gives a name another range.
    Map *proved;
    bool replaces;
};

/// The scope that a search from `start` visits behind `at`: the innermost scopes, then the outermost,
/// so that a search does not grow with the nesting. Facts that are not seen prove nothing.
const Facts *facts_next(const Facts *start, const Facts *at);

/// Whether e >= 0 was proved before under these facts; records such a proof.
bool facts_proved(const Facts *f, Node *e);
void facts_note_proved(const Facts *f, Node *e);

/// The range given for `name` in the innermost scope that has one, the latest first; NULL if there
/// is none.
const Range *facts_find_range(const Facts *f, Sym name);

/// points.c: signs that `e` has at points where all facts hold. No proof contradicts these signs,
/// but some may be missing.
enum { SIGN_NEGATIVE = 1, SIGN_ZERO = 2, SIGN_POSITIVE = 4 };
unsigned points_signs(const Facts *f, Node *e);
Points *points_new(Arena *arena);

/// Constant bounds, both inclusive; NO_LO and NO_HI if there is none.
typedef struct {
    int64_t lo, hi;
} Interval;
#define NO_LO        INT64_MIN
#define NO_HI        INT64_MAX
#define ANY_INTERVAL ((Interval){NO_LO, NO_HI})

Interval interval_add(Interval a, Interval b);
Interval interval_scale(Interval a, int64_t k);
Interval interval_mul(Interval a, Interval b);
Interval interval_pow(Interval a, int64_t k);

/// One question (or the questions of one simplification), with its intermediate results.
typedef struct {
    Session *cx;
    const Facts *facts;
    Arena *arena;
    Map bounds[2];      // node id -> Interval; the second uses values of names, too
    bool by_values;     // bounds of names also use their values
    Map proofs;         // node id -> one of the strings PROVED, FAILED
    Map simplified;     // node id -> Node
    Map costs;          // node id -> int
    bool expand_powers; // simplify writes a^(m + n) as a^m * a^n, to compare powers
    int depth;          // of proofs inside proofs
    int nesting;        // of simplifications inside simplifications
    int splits;         // enclosing case distinctions of the current proof
    int fuel;           // search steps left
} Prover;

void prover_start(Prover *p, Session *cx, const Facts *facts);
void prover_end(Prover *p);

/// Constant bounds of `e`.
Interval prove_bounds(Prover *p, Node *e);
/// The same, but names also have the bounds of their values (facts_value), and there are no proofs;
/// for a name that is computed from another name, which is computed from a third, and so on.
Interval prove_bounds_by_values(Prover *p, Node *e);

/// Whether e >= 0 (e >= 1) was proved.
bool prove_ge0(Prover *p, Node *e);
bool prove_positive(Prover *p, Node *e);

/// Passes polynomials to `add` that are >= 0 by the definition of the atom, after proving that
/// divisors are > 0.
void known_of_atom(Prover *p, Node *atom, void (*add)(Node *ge0, void *env), void *env);

/// The search of prove_ge0: writes `e` as a sum of known inequalities times nonnegative monomials.
bool prove_by_search(Prover *p, Node *e);

/// Whether e % d == 0 was proved.
bool prove_divides(Prover *p, Node *d, Node *e);

/// The q with e == q*d by one equality of the facts; `e` with w*(x % m) replaced by w*x if d
/// divides w*m.
bool known_quotient(Prover *p, Node *e, Node *d, Node **quotient);
Node *reduce_remainders(Prover *p, Node *d, Node *e);

/// nat_simplify within an enclosing question; its cases for a/d and a % d (in remainders.c), whose
/// operands are simplified.
Node *simplify(Prover *p, Node *e);
Node *simplify_div(Prover *p, Node *a, Node *d);
Node *simplify_mod(Prover *p, Node *a, Node *d);

/// The cost of `e` to compute and to read: divisions, remainders, min and max weigh most.
int simplify_cost(Prover *p, Node *e);

/// `base` to the power `exponent` >= 0; false on overflow.
bool int_pow(int64_t base, int64_t exponent, int64_t *power);
uint64_t int_gcd(uint64_t a, uint64_t b);

#endif
