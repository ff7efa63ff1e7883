// From flat Core to low Core: the default policy makes every choice about memory. lower.c describes
// the policy.
//
// Low Core. Binders are those of the flat term, function operands are literal lambdas. Each subterm
// stands in one of two positions:
//
//   READ   its value is read (con): inputs, memory, views of memory, delayed arrays
//   WRITE  there is a destination and the term fills it (acc)
//
// For a type without arrays the two are the same; below "READ" says it all for such terms. The
// position of the body of a function is WRITE. What may stand where (`r` operand in READ, `w`
// operand in WRITE, `p` operand in the position of the term itself, sizes left out; \x. before the
// body of a lambda):
//
//   READ, any type
//     var | let r p | tuple p.. | proj r | at r r | get r
//   READ, scalar types, also vectors of them
//     lit | size | prim r.. | cast r | to_idx r | if r r r                                       vectors too
//     lanes | blend r r r | extract r r | insert r r r | any r | all r
//     reduce.seq (\a x. r) r s | fold.seq (\a x. r) r s       accumulator without arrays; also .unroll
//     reduce.par (\a x. r) r r                                 the same, in chunks; also .vec, in lanes
//     proj.dst w | at.dst w r                                  one part of what is written
//     iterate.seq (\x. r) r
//     label k. r | call r..
//   READ, places, () and ! (statements, run where they stand)
//     cell w | put r w | borrow r | ref_at r r | ref_proj r | ref_slice r
//     assert r | jump k w | forever r | range r r (\i. r) | parallel r r r (\i. r) | vectorize r r r (\i. r)
//   READ, arrays
//     map.src (\x. r) r | generate.src (\i. r)                delayed: computed where it is read
//     zip.src r.. | unzip.src r | split.src r | join.src r | transpose.src r | slide.src r
//     as_vector.src r | as_scalar.src r
//     pad.src [r] r | concat.src r r | repeat.src r | slice.src r | stride.src r | reverse.src r | rotate.src r r
//     circular.src r                                           r itself
//     gather.src r r | permute.src (\i. r) (\i. r) r           the first function is used
//     to_mem w                                                 allocates; .stack, .global: there; .inplace: see below
//   WRITE, arrays
//     let r p | tuple p.. | if r w w | array w..
//     map.seq (\x. w) s | generate.seq (\i. w)               also .unroll, in order too
//     map.par (\x. w) r | generate.par (\i. w)               in any order; also .vec with its lanes
//     map.dst (\x. b) w                                        writes w where b puts its elements
//     map.dst (\x. w) e                                        no put: w is run on each element of e
//     slide.window r                                           the windows one after the other
//     reduce.seq | reduce.inplace | fold.seq | fold.inplace (\a x. w) w s
//                                                              accumulator with arrays; also .unroll
//     scan.seq | scan_ex.seq (\a x. w) w s                    also .unroll
//     reduce.par | scan.par | scan_ex.par (\a x. w) w r       in chunks; reduce also .vec
//     iterate.seq | iterate.inplace (\x. w) w
//     scatter.seq r r | scatter_with.seq (\a x. w) r r s
//     zip.dst w.. | unzip.dst w | split.dst w | join.dst w | transpose.dst w | concat.dst w w
//     as_vector.dst w | as_scalar.dst w
//     pad.dst [r] w | repeat.dst w | slice.dst w | stride.dst w | reverse.dst w | rotate.dst r w
//     proj.dst w | at.dst w r                                  the other parts go nowhere
//     permute.dst (\i. r) (\i. r) w                            the second function is used
//     label k. w | call r..
//     copy r                                                   a loop over the elements, row-major
//
//   Streams: arrays that a loop goes through once, in order (`s`)
//     r                                                        as it can be read anywhere
//     let r s
//     slide.window r                                           each element of r is read once
//     slide.src (circular.src r)                               the same, where the size of the ring is
//                                                              known to be positive and at least that
//                                                              of a window
//   and under map.dst without a put (`e`), each element in memory of its own for that one step
//     s | map.seq (\x. w) s | generate.seq (\i. w) | map.dst (\x. w) e
//   Bodies of map.dst that have a put (`b`), with parameter x; policy_put_passes decides
//     let r b                                                  first of all; r without x
//     x | proj b                                               x or a component of it: plain proj
//     w                                                        without x: written by a loop of its own
//     tuple b.. | array b.. | zip.dst b.. | concat.dst b b | unzip.dst b | split.dst b | join.dst b
//     transpose.dst b | reverse.dst b | rotate.dst r b | slice.dst b | stride.dst b | pad.dst [r] b | proj.dst b
//     at.dst b r | map.dst (\y. b) b                           r without x; \y. b without x
//     repeat.dst b                                             a positive number, known
//   Each component of x occurs once; or b is a tuple and each component occurs once in each of its
//   parts: then w, which may have no effects, is evaluated for each part. A pad whose border is
//   copied (all modes but const) and repeat are refused inside of slice.dst, stride.dst, proj.dst, at.dst, and
//   permute.dst everywhere: these have no put in a body.
//
// No other (kind, variant) occurs; kinds listed without a variant have VARIANT_ANY. In particular
// an array literal, a scan, an array-typed `if` and a reduction to arrays are read only through
// to_mem, and an array variable, slide and gather in WRITE stand under copy.
//
// What the translation may rely on, and must keep:
//   * let x = v in b. Scalars of v are computed once and kept in locals. Arrays of v are not
//   computed:
//     x stands for the readable array v (memory or delayed), whose own subterms (to_mem, scalars)
//     have been evaluated once, before b.
//   * The parameter x of a map, reduce, fold or scan over a delayed array: its scalar leaves are
//     computed once per iteration and kept in locals; its array parts are readable arrays that x
//     stands for. So are the scalars of `repeat`, pad's value and rotate's offset, once per
//     evaluation of the view.
//   * map.src (\x. b) xs whose b is `let`, `to_mem` or a tuple of them: b's buffers and scalars are
//     made when the outer element is selected, once, before its inner elements are read. The policy
//     puts a delayed array only where each outer element is then selected once (or where that work
//     is small).
//   * unroll, vec: the number of iterations is known and small; that of lanes is known and positive.
//   * par, vec: an iteration writes its own element, and reads nothing that another one writes: functions of patterns assign
//     nothing outside (E0504).
//   * Accumulators with arrays: .seq needs two buffers (the body may read any element of the old
//     value); .inplace means that the body, run in order, reads no leaf of the accumulator after it was changed, so one buffer does.
//     .unroll: one of them, as policy_steps_in_place says.
//   * let x = to_mem.inplace w in b, in WRITE: w may be written to the destination of b, which reads no leaf of it after it was changed.
//     Where the destination cannot be read back it is a to_mem.
//     scan.seq with array elements: the accumulator is the previous element of the result.
//     The destination is one of these buffers where it can be read back: memory through views, but
//     not through slice.dst, stride.dst, proj.dst, at.dst, map.dst. The body is then translated up to three
//     times. What an accumulator begins with is not stored when it is a copy of memory.
//   * slide.src s t (circular.src k r) as a stream, 1, s <= k by the conditions of the function: elements
//     of r are made once, into a ring of k; map.src (\x. to_mem w) there is made in the ring itself.
//     Where that is not known circular is the array itself, as it is everywhere else.
//   * Elements of a stream: the memory of a window or of an element is overwritten in the next step.
//   * repeat.dst, and pad.dst but for const: elements are written once, then copied from there.
//   * let x = v in b where v reads places. Its scalars are read at the let. Its arrays are read where
//     x is: not after, nor while, a place that v reads is written.
//   * put p w for arrays: w, run in order, reads no scalar of p after it was changed; so w may
//     be written to p. For scalars: all are computed before the first is written.
//   * call: an array is given where it is read; none of these is written through a reference of the
//     same call.
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

/// Low Core of a flat function: each map/reduce/fold/scan/iterate has a variant (seq = eager, or
/// src = read lazily), each view a side, each eager array that is read a to_mem around it.
/// `choices` may be NULL.
Function *policy_lower(Session *cx, const Function *flat, Choices *choices);

/// Why the variant of the body of a flat function is impossible (E0413 to E0416, E0506), as text;
/// NULL if it is possible. Reports nothing.
const char *policy_refuses(Session *cx, const Function *flat);

/// Whether each map, generate, reduce, fold and scan of a flat function has a variant; reports
/// E0417 for those without. `serial`: the target has one thread.
bool policy_check_chosen(Session *cx, const Function *flat, bool serial);

/// For map.dst(lam, e): how often e is evaluated to be written where lam puts its elements; 0 if
/// lam has no put (see above), so that it is applied to the elements of e instead.
int policy_put_passes(Node *lam);

/// Whether the variant of a pattern allows its iterations in any order.
bool policy_in_any_order(Node *pattern);

/// Whether the step function of a low fold with an array accumulator may overwrite the accumulator
/// that it reads.
bool policy_steps_in_place(Session *cx, Node *lam);

/// Whether evaluating the term changes no place and never jumps out.
bool policy_is_pure(Node *e);

/// Whether the term is variable x or a component of it.
bool policy_is_component(Node *e, int x);

/// Checks the access types of low Core, by the table above: reports a violation as E0901.
void policy_check_low(Session *cx, const Function *low);

#endif
