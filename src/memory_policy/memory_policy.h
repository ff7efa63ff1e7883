// Lowers flat Core to low Core: the default policy makes every choice about memory (lower.c).
//
// Low Core keeps the binders of the flat term, and its function operands are literal lambdas. Each
// subterm is in one of two positions:
//
//   READ   its value is read (con): inputs, memory, views of memory, delayed arrays
//   WRITE  there is a destination and the term fills it (acc)
//
// For a type without arrays, the two positions are the same, and the table lists such terms under
// READ only. The body of an entry or callee is in WRITE. In the table, `r` is an operand in READ,
// `w` an operand in WRITE, and `p` an operand in the position of the term itself. Sizes are
// omitted, and \x. precedes the body of a lambda.
//
//   READ, any type
//     var | let r p | tuple p.. | proj r | at r r | get r
//   READ, scalar types and vectors of scalars
//     lit | size | prim r.. | cast r | to_idx r | if r r r                                       vectors too
//     lanes | blend r r r | extract r r | insert r r r | any r | all r
//     reduce.seq (\a x. r) r s | fold.seq (\a x. r) r s       accumulator without arrays; also .unroll
//     reduce.par (\a x. r) r r                                 in chunks; also .vec, as a vector
//     proj.dst w | at.dst w r                                  one part of the written value
//     iterate.seq (\x. r) r
//     label k. r | call r..
//   READ, locations, () and ! (statements)
//     cell w | put r w | borrow r | ref_at r r | ref_proj r | ref_slice r
//     assert r | jump k w | forever r | range r r (\i. r) | parallel r r r (\i. r) | vectorize r r r (\i. r)
//   READ, arrays
//     map.src (\x. r) r | generate.src (\i. r)                delayed: computed where they are read
//     zip.src r.. | unzip.src r | split.src r | join.src r | transpose.src r | slide.src r
//     as_vector.src r | as_scalar.src r
//     pad.src [r] r | concat.src r r | repeat.src r | slice.src r | stride.src r | reverse.src r | rotate.src r r
//     circular.src r                                           the same as r
//     gather.src r r | permute.src (\i. r) (\i. r) r           uses the first function
//     to_mem w                                                 allocates; .stack, .global: in that space; .inplace: see below
//   WRITE, arrays
//     let r p | tuple p.. | if r w w | array w..
//     map.seq (\x. w) s | generate.seq (\i. w)               in order; also .unroll
//     map.par (\x. w) r | generate.par (\i. w)               in any order; also .vec with its lanes
//     map.dst (\x. b) w                                        writes w where b puts its elements
//     map.dst (\x. w) e                                        no put: w is evaluated for each element of e
//     slide.window r                                           one window after another
//     reduce.seq | reduce.inplace | fold.seq | fold.inplace (\a x. w) w s
//                                                              accumulator with arrays; also .unroll
//     scan.seq | scan_ex.seq (\a x. w) w s                    also .unroll
//     reduce.par | scan.par | scan_ex.par (\a x. w) w r       in chunks; reduce also .vec
//     iterate.seq | iterate.inplace (\x. w) w
//     scatter.seq r r | scatter_with.seq (\a x. w) r r s
//     zip.dst w.. | unzip.dst w | split.dst w | join.dst w | transpose.dst w | concat.dst w w
//     as_vector.dst w | as_scalar.dst w
//     pad.dst [r] w | repeat.dst w | slice.dst w | stride.dst w | reverse.dst w | rotate.dst r w
//     proj.dst w | at.dst w r                                  the other parts are discarded
//     permute.dst (\i. r) (\i. r) w                            uses the second function
//     label k. w | call r..
//     copy r                                                   a loop over the elements, row-major
//
//   Streams: arrays that a loop traverses once, in order (`s`)
//     r                                                        any readable array
//     let r s
//     slide.window r                                           each element of r is read once
//     slide.src (circular.src r)                               the same, if the ring is known to be
//                                                              nonempty and to hold a window
//   and under map.dst without a put (`e`), where each element has memory that lives for one step
//     s | map.seq (\x. w) s | generate.seq (\i. w) | map.dst (\x. w) e
//   Bodies of map.dst that have a put (`b`), with parameter x; policy_put_passes decides
//     let r b                                                  outermost only; r does not use x
//     x | proj b                                               x or a component of it: plain proj
//     w                                                        does not use x; gets its own loop
//     tuple b.. | array b.. | zip.dst b.. | concat.dst b b | unzip.dst b | split.dst b | join.dst b
//     transpose.dst b | reverse.dst b | rotate.dst r b | slice.dst b | stride.dst b | pad.dst [r] b | proj.dst b
//     at.dst b r | map.dst (\y. b) b                           neither r nor \y. b uses x
//     repeat.dst b                                             the length is known and positive
//   Either each component of x occurs once, or b is a tuple and each component of x occurs once in
//   each component of b. In the latter case w, which has no side effects, is evaluated once per
//   component of b.
//   Inside slice.dst, stride.dst, proj.dst and at.dst, neither repeat nor a pad whose border is
//   copied (all modes but const) has a put. permute.dst has none in any body.
//
// No other (kind, variant) occurs; kinds listed without a variant have VARIANT_ANY. In particular,
// array literals, scans, array-typed `if`s and reductions to arrays are read only through to_mem,
// and array variables, slides and gathers in WRITE are operands of copy.
//
// Invariants that the translation relies on and must preserve:
//   * let x = v in b. Scalars of v are computed once and kept in locals. An array v is not computed:
//     x denotes the readable array v (memory or delayed), whose own subterms (to_mem, scalars) have
//     been evaluated once, before b.
//   * The parameter x of a map, reduce, fold or scan over a delayed array: its scalar leaves are
//     computed once per iteration and kept in locals; its array components are readable arrays that
//     x denotes. The scalars of `repeat`, pad's value and rotate's offset are computed once per
//     evaluation of the view, and are also kept in locals.
//   * map.src (\x. b) xs where b is a `let`, a `to_mem` or a tuple of these: b's buffers and
//     scalars are computed once, when the outer element is selected, before its inner elements are
//     read. The policy delays an array only if each outer element is selected once (or that work is
//     small).
//   * unroll: the trip count is known and small. vec: the lane count is known and positive.
//   * par, vec: an iteration writes its own element, and reads nothing that another iteration
//     writes, because functions of patterns assign nothing outside (E0504).
//   * Accumulators with arrays: .seq needs two buffers, since the body may read any element of the
//     old value. .inplace needs one buffer, since the body reads no leaf of the accumulator after
//     it has changed that leaf. For .unroll, policy_steps_in_place decides between the two. The
//     accumulator of scan.seq with array elements is the previous element of the result. The
//     destination is one of these buffers if it can be read back, that is, if it is memory,
//     possibly seen through views other than slice.dst, stride.dst, proj.dst, at.dst and map.dst.
//     The body is then translated up to three times. An initial value that is a copy of memory is
//     not stored.
//   * let x = to_mem.inplace w in b, in WRITE: w may be written to the destination of b, because b
//     reads no leaf of x after it has changed that leaf. If the destination cannot be read back,
//     this is a plain to_mem.
//   * slide.src s t (circular.src k r) as a stream, if the conditions of the function imply 1 <= k
//     and s <= k: each element of r is computed once, into a ring of k elements; an element of
//     map.src (\x. to_mem w) is computed in the ring itself. Otherwise circular is the identity.
//   * Elements of a stream: the memory of a window or of an element is overwritten in the next
//     step.
//   * repeat.dst, and pad.dst with a mode other than const: elements are written once, then copied.
//   * let x = v in b where v reads locations: the scalars of v are read at the let, but its arrays
//     are read when x is read. No such read comes after or during a write to a location that v
//     reads.
//   * put p w: if w has arrays, it reads no scalar of p that it has already changed, so it may be
//     written to p. Otherwise all scalars are computed before the first is written.
//   * call: an array argument is passed in the memory from which it is read, and no reference of
//     the same call writes that memory.
#ifndef ADZE_MEMORY_POLICY_H
#define ADZE_MEMORY_POLICY_H

#include "core/ir/core.h"

/// One choice of the policy, for `adze explain`.
typedef struct {
    Span span;
    const char *what; // "to_mem", "map.src", "concat.dst"
    const char *why;
} Choice;
typedef VEC(Choice) Choices;

/// Lowers a flat function. In the result, each map, reduce, fold, scan and iterate has a variant
/// (seq if eager, src if delayed), each view has a side, and each eager array that is read is
/// wrapped in a to_mem. Adds the choices made to `choices`, which may be NULL.
Function *policy_lower(Session *cx, const Function *flat, Choices *choices);

/// Returns a message that says why a variant in the body of a flat function is impossible (E0413 to
/// E0416, E0506), or NULL if all are possible. Reports nothing itself.
const char *policy_refuses(Session *cx, const Function *flat);

/// Whether each map, generate, reduce, fold and scan of a flat function has a variant. Reports
/// E0417 for a pattern without one. `serial` says that the target has only one thread.
bool policy_check_chosen(Session *cx, const Function *flat, bool serial);

/// For map.dst(lam, e), how many times e is evaluated and written where lam puts its elements.
/// Returns 0 if lam has no put (see above), in which case lam is applied to the elements of e.
int policy_put_passes(Node *lam);

/// Whether the variant of a pattern allows its iterations to run in any order.
bool policy_in_any_order(Node *pattern);

/// Whether the step function of a low fold may overwrite the array accumulator that it reads.
bool policy_steps_in_place(Session *cx, Node *lam);

/// Whether the term has no side effect and never jumps out.
bool policy_is_pure(Node *e);

/// Whether the term is variable x or a component of it.
bool policy_is_component(Node *e, int x);

/// Checks low Core against the table above. A violation is E0901.
void policy_check_low(Session *cx, const Function *low);

#endif
