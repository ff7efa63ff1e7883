// Shared by the files of nat/. These files see a size as a list of terms: coefficient times
// monomial, where a monomial is a node with coefficient 1 (an atom, a power of an atom with a
// constant exponent >= 2, or a NAT_PRODUCT of such factors) or NULL for the constant term.
// Monomials are hash-consed, so equal monomials are the same pointer.
#ifndef ADZE_NAT_INTERNAL_H
#define ADZE_NAT_INTERNAL_H

#include "nat/nat.h"

typedef struct {
    int64_t coeff; // not 0
    Node *mono;    // NULL for 1
} Term;

/// A list of terms that lives on the stack while it is short. It must not be copied.
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

/// The constant term of `e`.
int64_t nat_constant_part(Node *e);
/// Whether `e` has exactly one term besides the constant. If it does, sets *term to that term.
bool nat_single_term(Session *cx, Node *e, Term *term);

/// The number of terms of `e`.
int nat_term_count(Node *e);
/// The greatest common divisor of the coefficients of `e`, or 0 if `e` is 0. Ignores the constant
/// term unless `with_constant` is set.
uint64_t nat_content(Session *cx, Node *e, bool with_constant);

/// The factors of a monomial: factor k is mono_base(mono, k) to the power mono_exponent(mono, k).
int mono_len(Node *mono);
Node *mono_base(Node *mono, int k);
int64_t mono_exponent(Node *mono, int k);

/// The product, quotient and greatest common divisor of monomials. mono_mul returns false if the
/// degree exceeds a fixed limit, and mono_div if `b` does not divide `a`.
bool mono_mul(Session *cx, Node *a, Node *b, Node **product);
bool mono_div(Session *cx, Node *a, Node *b, Node **quotient);
Node *mono_gcd(Session *cx, Node *a, Node *b);

/// A total order by structure and name, the same in every run; negative if `a` comes first.
int nat_compare(Node *a, Node *b);

/// The order of terms, for qsort.
int term_compare(const void *x, const void *y);

/// Creates a node of kind NAT_DIV, NAT_MOD, NAT_MIN, NAT_MAX or NAT_POW without applying any rule.
Node *nat_raw(Session *cx, Kind kind, Node *a, Node *b);
Node *nat_overflow(Session *cx);
bool nat_is_overflow(Node *e);
bool nat_is_zero(Node *e);

/// Finds e == d * quotient + rest as polynomials, where no term of `rest` is divisible by the first
/// term of `d`. For a constant d, the coefficients of `rest` are smaller than d in magnitude, and
/// its constant term is in [0, d). Returns false on overflow, or if d is a constant <= 0.
bool nat_split(Session *cx, Node *e, Node *d, Node **quotient, Node **rest);

/// The results that a walk has computed for the nodes visited so far: a short list at first, a map
/// once the list is full.
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

/// The positive gcd of all coefficients of `a` and `b`, or 1 if it exceeds 64 bits.
int64_t nat_common_content(Session *cx, Node *a, Node *b);
/// The greatest term that divides all terms of `a` and `b`.
Node *nat_common_factor(Session *cx, Node *a, Node *b);

/// Returns the polynomial q with e == q * d, or NAT_OVERFLOW if d does not divide e.
Node *nat_exact_quotient(Session *cx, Node *e, Node *d);

/// Rebuilds `e` with other operands, in normal form.
Node *nat_rebuild(Session *cx, Node *e, Node *const *ops);

/// Returns `e` with the atom `from` (of any kind) replaced with `to`, in normal form.
Node *nat_replace_node(Session *cx, Node *e, Node *from, Node *to);

/// Whether a size with the compared size `e` counts as a choice. `natural` means that it is one only
/// if e >= 0.
typedef bool AcceptsCompared(Node *e, bool natural, const void *env);
/// Like nat_as_choice, for the comparisons that `accepts` accepts.
bool choice_find(Session *cx, Node *e, AcceptsCompared *accepts, const void *env,
                 NatChoice *choice);

/// A range given for a name.
typedef struct {
    Sym name;
    Node *lo, *hi; // lo <= name < hi; hi may be NULL
} Range;
// FACT_VALUE means range.name == e, which facts of kind FACT_GE0 or FACT_EQ0 state as well.
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

// States that at least one of `n` cases holds. `assume` adds the facts of a case.
typedef struct {
    int n;
    AssumeCase *assume;
    const void *env;
} Alternatives;

typedef VEC(int) Numbers;

/// One scope of facts.
struct Facts {
    Session *cx;
    Arena *arena;
    const Facts *outer;
    const Facts *base; // a search from deep inside skips to this outer scope (facts_next)
    int depth;         // number of enclosing scopes
    VEC(Range) ranges;
    VEC(Node *) ge0, eq0; // of inequalities that differ only by a constant, just the strongest
    VEC(Single) singles;
    Map ge0_at, single_at; // id of an inequality without its constant -> 1 + its index in the list
    Map values;            // Sym of a name -> its value
    Map about_ge0, about_eq0, about_single; // id of an atom -> Numbers of the facts about it
    VEC(Fact) all;                          // in the order given
    VEC(Alternatives) alternatives;         // cases.c
    Points *points;                         // points.c
    // Sizes that were given or proved to be >= 0: node id -> GIVEN or PROVED (facts.c). They also
    // hold in inner scopes, except those that give a name a new range, which set `replaces`.
    Map *proved;
    bool replaces;
};

/// Returns the scope that a search from `start` visits after `at`. A search visits only the
/// innermost and the outermost scopes, so that its cost does not grow with the nesting depth. This
/// is sound, since facts that are not seen merely prove nothing.
const Facts *facts_next(const Facts *start, const Facts *at);

/// Whether e >= 0 was proved before under these facts.
bool facts_proved(const Facts *f, Node *e);
/// Records a proof of e >= 0.
void facts_note_proved(const Facts *f, Node *e);

/// Returns the latest range given for `name` in the innermost scope that has one, or NULL if there
/// is none.
const Range *facts_find_range(const Facts *f, Sym name);
/// Returns the value of a name (facts_value), or NULL if it has none.
Node *facts_find_value(const Facts *f, Sym name);

/// points.c: the set of signs that `e` has at sample points where all facts hold. No proof can
/// contradict these signs, but `e` may also have others.
enum { SIGN_NEGATIVE = 1, SIGN_ZERO = 2, SIGN_POSITIVE = 4 };
unsigned points_signs(const Facts *f, Node *e);
Points *points_new(Arena *arena);

/// Constant bounds, both inclusive. NO_LO and NO_HI mean that there is none.
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

/// A query, or all queries of one simplification, with its intermediate results.
typedef struct {
    Session *cx;
    const Facts *facts;
    Arena *arena;
    Map bounds[2];      // node id -> Interval; the second map is used if by_values is set
    bool by_values;     // whether bounds of names also use their values
    Map proofs;         // node id -> one of the strings PROVED, FAILED
    Map simplified;     // node id -> Node
    Map costs;          // node id -> int
    bool expand_powers; // whether simplify writes a^(m + n) as a^m * a^n, to compare powers
    int depth;          // nesting depth of proofs
    int nesting;        // nesting depth of simplifications
    int splits;         // number of case distinctions around the current proof
    int fuel;           // search steps left
} Prover;

void prover_start(Prover *p, Session *cx, const Facts *facts);
void prover_end(Prover *p);

/// Constant bounds of `e`.
Interval prove_bounds(Prover *p, Node *e);
/// Like prove_bounds, but names also have the bounds of their values (facts_value), and no proofs
/// are attempted on the way. This handles chains of names, each computed from the next.
Interval prove_bounds_by_values(Prover *p, Node *e);

/// Whether e >= 0 can be proved.
bool prove_ge0(Prover *p, Node *e);
/// Whether e >= 1 can be proved.
bool prove_positive(Prover *p, Node *e);

/// Passes to `add` polynomials that are >= 0 by the definition of the atom, after proving that
/// divisors are > 0.
void known_of_atom(Prover *p, Node *atom, void (*add)(Node *ge0, void *env), void *env);

/// The search of prove_ge0: writes `e` as a sum of known inequalities times nonnegative monomials.
bool prove_by_search(Prover *p, Node *e);

/// Whether e % d == 0 can be proved.
bool prove_divides(Prover *p, Node *d, Node *e);

/// Sets *quotient to a q such that a single equality among the facts implies e == q*d. Returns
/// false if there is none.
bool known_quotient(Prover *p, Node *e, Node *d, Node **quotient);
/// Returns `e` with w*(x % m) replaced with w*x wherever d divides w*m.
Node *reduce_remainders(Prover *p, Node *d, Node *e);

/// Like nat_simplify, but as part of the query that `p` is answering.
Node *simplify(Prover *p, Node *e);
/// The cases of `simplify` for a/d and a % d (remainders.c). The operands must already be
/// simplified.
Node *simplify_div(Prover *p, Node *a, Node *d);
Node *simplify_mod(Prover *p, Node *a, Node *d);

/// The cost of computing and reading `e`, in which divisions, remainders, min and max weigh most.
int simplify_cost(Prover *p, Node *e);

/// Computes `base` to the power `exponent` >= 0. Returns false on overflow.
bool int_pow(int64_t base, int64_t exponent, int64_t *power);
uint64_t int_gcd(uint64_t a, uint64_t b);

#endif
