// From flat Core to low Core: every choice about memory made by the default policy. See lower.c
// for the policy in words.
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
//   READ, scalar types
//     lit | size | prim r.. | cast r | to_idx r | if r r r
//     reduce.seq (\a x. r) r r | fold.seq (\a x. r) r r       accumulator without arrays
//     iterate.seq (\x. r) r
//     label k. r | call r..
//   READ, places, () and ! (statements, run where they stand)
//     cell w | put r w | borrow r | ref_at r r | ref_proj r | ref_slice r
//     jump k w | forever r | range r r (\i. r) | parallel r r r (\i. r) | vectorize r r r (\i. r)
//   READ, arrays
//     map.src (\x. r) r | generate.src (\i. r)                delayed: computed where it is read
//     zip.src r.. | unzip.src r | split.src r | join.src r | transpose.src r | slide.src r
//     pad.src [r] r | concat.src r r | repeat.src r | slice.src r | reverse.src r | rotate.src r r
//     gather.src r r | permute.src (\i. r) (\i. r) r           the first function is used
//     to_mem w                                                 allocates; .stack, .global: there
//   WRITE, arrays
//     let r p | tuple p.. | if r w w | array w..
//     map.seq (\x. w) r | generate.seq (\i. w)
//     reduce.seq | reduce.inplace | fold.seq | fold.inplace (\a x. w) w r
//                                                              accumulator with arrays
//     scan.seq | scan_ex.seq (\a x. w) w r
//     iterate.seq (\x. w) w
//     scatter.seq r r | scatter_with.seq (\a x. w) r r r
//     zip.dst w.. | unzip.dst w | split.dst w | join.dst w | transpose.dst w | concat.dst w w
//     pad.dst r w (mode const only) | slice.dst w | reverse.dst w | rotate.dst r w
//     permute.dst (\i. r) (\i. r) w                            the second function is used
//     label k. w | call r..
//     copy r                                                   a loop over the elements, row-major
//
// No other (kind, variant) occurs; kinds listed without a variant have VARIANT_ANY. (slice.dst is
// allowed, the policy never chooses it.) In particular an array literal, a scan, an array-typed
// `if` and a reduction to arrays are read only through to_mem, and an array variable, `proj`, `at`,
// slide, gather, repeat in WRITE stand under copy.
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
//   * Accumulators with arrays: .seq needs two buffers (the body may read any element of the old
//     value); .inplace means that the body writes each scalar leaf reading of the accumulator at
//     most that very leaf, so one buffer does. iterate.seq on arrays always needs two buffers.
//     scan.seq with array elements: the accumulator is the previous element of the result.
//   * let x = v in b where v reads places. Its scalars are read at the let. Its arrays are read where
//     x is: not after, nor while, a place that v reads is written.
//   * put p w for arrays: w writes each scalar of p reading of p at most that very scalar; so w may
//     be written to p. For scalars: all are computed before the first is written.
//   * call: an array is given where it is read; none of these is written through a reference of the
//     same call.
#ifndef ADZE_REWRITE_REWRITE_H
#define ADZE_REWRITE_REWRITE_H

#include "core/core.h"

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
Function *rewrite_lower(Session *cx, const Function *flat, Choices *choices);

/// Access types of low Core, by the table above: reports a break as E0901.
void rewrite_check_low(Session *cx, const Function *low);

#endif
