// Reductions and scans that regroup the applications of their operator.
//
// For several threads, the array is divided into as many chunks as threads may run. Each chunk is
// reduced in order, and the results are combined in the order of the chunks. So the operator need
// only be associative, and runs with the same number of threads give bitwise equal results. The
// results of the chunks are kept in separate cache lines to avoid false sharing.
//
//   acc(reduce.par(f, z, xs), d) = con(xs, \x. new r. for.par c { acc(fold.seq(f, z, chunk c of x), r[c]) } ;
//                                              acc(fold.seq(f, r[0], r[1..]), d))
//   acc(scan.par(f, z, xs), d)   = con(xs, \x. new r, s. for.par c but the last { acc(fold.seq(f, z, chunk c of x), r[c]) } ;
//                                              s[0] := z ; acc(scan.seq(f, z, r), s[1..]) ;
//                                              for.par c { acc(scan.seq(f, s[c], chunk c of x), chunk c of d) })
//
// A vectorised reduction computes L partial results. Result k combines the elements at the indices
// i with i % L == k, so the operator must be commutative as well. As long as the number of partial
// results is even, one half is combined with the other (h = L/2, L/4, ...), which shortens the
// dependence chain. The elements after the last block of L elements are combined in their lanes,
// too, if the processor has masked loads, and otherwise come last.
//
//   acc(reduce.vec(f, z, xs, L), d) = con(xs, \x. new r. acc(fold(\a, b. map.vec(f, zip(a, b), L), repeat z, split L of x), r) ;
//                                 for.vec j < n % L { acc(f(r[j], (rest of x)[j]), r[j]) } ;
//                                                 new s. acc(map.vec(f, zip(r[..h], r[h..]), h), s) ; ...
//                                                 acc(fold.seq(f, s[0], s[1..]), d))
//
// Fewer elements than L, or than L/2 with masked loads, are reduced in order, since combining the
// lanes would take longer.
//
// A vectorised scan computes the prefix sums of each block of L elements in log L steps, which add
// lanes at distances k = 1, 2, 4, ... below L. It then combines the sum before the block with every
// lane. So the operator need only be associative. The elements after the last block are scanned in
// order.
//
//   acc(scan.vec(f, z, xs, L), d) = con(xs, \x. new b. acc(repeat z, b) ;
//                                      for j < n / L { new s. acc(map.vec(\y. y, block j of x, L), s) ;
//                                                      new s'. acc(map.vec(f, zip((repeat[k] z ++ s)[..L], s), L), s') ; ...
//                                                      new a. acc(map.vec(f, zip(b, s), L), a) ;
//                                                      acc(map.vec(\y. y, a, L), block j of d) ;
//                                                      acc(map.vec(\y. y, repeat a[L - 1], L), b) } ;
//                                      acc(scan.seq(f, b[0], rest of x), rest of d))
//   for scan_ex, the block written is (b[..1] ++ a)[..L]
#include "base/target/cpu.h"
#include "dpia/translate/from_core.h"
#include "memory_policy/memory_policy.h"

enum { LINE = 64 };

/// A pattern that is translated in chunks or as a vector.
typedef struct {
    Carried c;
    bool arrays;
    Node *type;            // the type of the accumulator
    Env *env;              // the environment of `c`, plus values added by push_value
    int depth;             // the number of added values
    int xs, z;             // the numbers of these two values (push_value)
    Node *helpers, *count; // the number of other worker threads; the number of chunks is one more
    Node *length;          // the length of a chunk; the last chunks may be shorter
} Chunks;

// --- terms over readable values -----------------------------------------------------------------

// Adds a value to the environment; returns its number.
static int push_value(Tr *t, Chunks *k, Readable *value)
{
    k->env = env_push(t, k->env, value);
    return k->depth++;
}

static Node *value_of(Tr *t, const Chunks *k, int number, Node *type)
{
    return core_var(t->cx, k->depth - 1 - number, type);
}

static Node *pattern(Tr *t, Kind kind, Variant variant, int n, Node *const *ops)
{
    return node_with_variant(t->cx, core_pattern(t->cx, kind, 0, n, ops), variant);
}

static Node *part_of(Tr *t, Node *xs, Node *offset, Node *length)
{
    return pattern(t, VIEW_SLICE, VARIANT_SRC, 3, (Node *[]){offset, length, xs});
}

static Node *element_of(Tr *t, Node *xs, Node *index)
{
    Node *i = index_phrase(t, index, xs->type->op[0]);
    if (i->kind == PH_VAR)
        i = node_make(t->cx,
                      &(NodeSpec){.kind = CORE_NAT, .type = i->type, .nops = 1, .ops = &index});
    return pattern(t, CORE_INDEX, VARIANT_ANY, 2, (Node *[]){xs, i});
}

// The initial value of a pattern: a scalar, or a copy of memory.
static Node *beginning(Tr *t, const Chunks *k, Node *value)
{
    return k->arrays ? pattern(t, CORE_COPY, VARIANT_ANY, 1, &value) : value;
}

static Node *initial(Tr *t, const Chunks *k)
{
    return beginning(t, k, value_of(t, k, k->z, k->type));
}

// A sequential fold or scan with the pattern's function.
static Node *in_order(Tr *t, const Chunks *k, Kind kind, Node *z, Node *xs)
{
    Node *f = node_shift(t->cx, k->c.f, k->depth, 0);
    bool over = kind == CORE_FOLD && k->arrays && policy_steps_in_place(t->cx, f);
    return pattern(t, kind, over ? VARIANT_INPLACE : VARIANT_SEQ, 3, (Node *[]){f, z, xs});
}

// --- memory for the results of chunks -----------------------------------------------------------

// The smallest number of bytes that a value of the type occupies in any of its buffers, of which
// each scalar leaf has one.
static Node *least_bytes(Tr *t, Node *type)
{
    Session *cx = t->cx;
    Scalar s;
    if (type_is_atom(type))
        return nat_const(cx, type_is_scalar(type, &s) ? scalar_info[s].size : 8);
    if (type->kind == TYPE_ARRAY) return nat_mul(cx, type->op[0], least_bytes(t, type->op[1]));
    Node *least = type->nops ? least_bytes(t, type->op[0]) : nat_const(cx, LINE);
    for (uint32_t i = 1; i < type->nops; i++)
        least = nat_min(cx, least, least_bytes(t, type->op[i]));
    return least;
}

// The distance between results (in elements) that puts them in different cache lines.
static Node *distance(Tr *t, Node *type)
{
    Session *cx = t->cx;
    Node *one = nat_const(cx, 1), *bytes = nat_max(cx, least_bytes(t, type), one);
    return nat_add(cx, one, nat_div(cx, nat_add(cx, bytes, nat_const(cx, LINE - 2)), bytes));
}

typedef struct {
    Memory memory; // [n][distance]t; each result is the first element of a row
    int value;
} Results;

static Results results_new(Tr *t, Chunks *k, Node *n)
{
    Node *row = type_array(t->cx, distance(t, k->type), k->type);
    Memory m = emit_new(t, "chunks", type_array(t->cx, n, row), VARIANT_HEAP);
    return (Results){m, push_value(t, k, m.value)};
}

static Node *result_at(Tr *t, const Results *r, Node *chunk)
{
    Node *row = acceptor_at(t, r->memory.d, chunk);
    return acceptor_at(t, row, nat_const(t->cx, 0));
}

// All results, as an array [n]t.
static Node *results_all(Tr *t, const Chunks *k, const Results *r)
{
    Node *type = r->memory.d->type, *row = type->op[1];
    Node *body = element_of(t, core_var(t->cx, 0, row), nat_const(t->cx, 0));
    Sym name = session_sym(t->cx, "row");
    Node *ops[2] = {core_lam(t->cx, 1, &row, &name, body), value_of(t, k, r->value, type)};
    return pattern(t, CORE_MAP, VARIANT_SRC, 2, ops);
}

// --- chunks -------------------------------------------------------------------------------------

static Readable *initial_value(Tr *t, const Chunks *k, Env *env)
{
    Node *z = k->c.z;
    if (!k->arrays) return bind_scalars(t, con(t, z, env), "z", NULL, 0, 2);
    if (z->kind == CORE_COPY) return con(t, z->op[0], env);
    return con_in_memory(t, z, env, "z", VARIANT_ANY);
}

static void values_open(Tr *t, Chunks *k, Node *e, Env *env)
{
    *k = (Chunks){.c = carried_of(e), .env = env, .type = e->op[1]->type};
    k->arrays = type_has_array(k->type);
    Readable *z = initial_value(t, k, env);
    k->xs = push_value(t, k, con(t, k->c.xs, env));
    k->z = push_value(t, k, z);
}

static void chunks_open(Tr *t, Chunks *k, Node *e, Env *env)
{
    Session *cx = t->cx;
    values_open(t, k, e, env);
    k->helpers = nat_var(cx, t->helpers);
    k->count = nat_add(cx, k->helpers, nat_const(cx, 1));
    Node *length = nat_div(cx, nat_add(cx, k->c.n, k->helpers), k->count);
    k->length = nat_var(cx, emit_let(t, "chunk", size_phrase(t, length))->attr.sym);
}

typedef struct {
    Loop loop;
    Node *from, *length;
} Chunk;

// Opens the loop over the first n chunks and computes the offset and length of each. The last
// chunks may be shorter, or empty.
static void chunk_open(Tr *t, Chunk *one, const Chunks *k, Node *n)
{
    Session *cx = t->cx;
    loop_open(t, &one->loop, n);
    loop_in_any_order(t, &one->loop);
    Node *begin = nat_min(cx, nat_mul(cx, one->loop.index, k->length), k->c.n);
    one->from = nat_var(cx, emit_let(t, "from", size_phrase(t, begin))->attr.sym);
    Node *length = nat_min(cx, k->length, nat_sub(cx, k->c.n, one->from));
    one->length = nat_var(cx, emit_let(t, "length", size_phrase(t, length))->attr.sym);
}

static Node *chunk_elements(Tr *t, const Chunk *one, const Chunks *k)
{
    return part_of(t, value_of(t, k, k->xs, k->c.xs->type), one->from, one->length);
}

// Folds each of the first n chunks.
static Results fold_chunks(Tr *t, Chunks *k, Node *n)
{
    Results r = results_new(t, k, n);
    Chunk one;
    chunk_open(t, &one, k, n);
    Node *fold = in_order(t, k, CORE_FOLD, initial(t, k), chunk_elements(t, &one, k));
    acc_into(t, fold, k->env, result_at(t, &r, one.loop.index));
    loop_close(t, &one.loop);
    return r;
}

// --- reductions ---------------------------------------------------------------------------------

// Combines the elements of a non-empty array in order, starting with the first.
static Node *combined(Tr *t, const Chunks *k, Node *all, Node *others)
{
    Node *first = element_of(t, all, nat_const(t->cx, 0));
    Node *rest = part_of(t, all, nat_const(t->cx, 1), others);
    return in_order(t, k, CORE_FOLD, beginning(t, k, first), rest);
}

static Node *reduce_chunks(Tr *t, Chunks *k, Node *e, Env *env)
{
    chunks_open(t, k, e, env);
    Results r = fold_chunks(t, k, k->count);
    return combined(t, k, results_all(t, k, &r), k->helpers);
}

// Builds a map.vec that applies f to two arrays lane by lane, in a scope that has `depth` more
// variables than the pattern's.
static Node *lane_by_lane(Tr *t, const Chunks *k, Node *const *rows, int depth)
{
    Session *cx = t->cx;
    Node *zip = pattern(t, VIEW_ZIP, VARIANT_SRC, 2, rows), *pair = zip->type->op[1];
    Node *x = core_var(cx, 0, pair), *args[2] = {core_proj(cx, x, 0), core_proj(cx, x, 1)};
    Node *f = node_shift(cx, k->c.f, depth + 1, 0), *lanes = rows[0]->type->op[0];
    Sym name = session_sym(cx, "lanes");
    Node *step = core_lam(cx, 1, &pair, &name, node_instantiate(cx, f->op[0], args, 2));
    return node_make(cx, &(NodeSpec){.kind = CORE_MAP,
                                     .variant = VARIANT_VEC,
                                     .type = type_array(cx, lanes, k->type),
                                     .nops = 3,
                                     .ops = (Node *[]){step, zip, lanes}});
}

static Node *step_of_lanes(Tr *t, const Chunks *k, Node *type)
{
    Session *cx = t->cx;
    Node *types[2] = {type, type}, *rows[2] = {core_var(cx, 1, type), core_var(cx, 0, type)};
    Sym names[2] = {session_sym(cx, "lanes"), session_sym(cx, "block")};
    return core_lam(cx, 2, types, names, lane_by_lane(t, k, rows, k->depth + 2));
}

// A vectorised copy of an array.
static Node *copy_of_lanes(Tr *t, Node *row)
{
    Session *cx = t->cx;
    Node *type = row->type, *x = core_var(cx, 0, type->op[1]);
    Sym name = session_sym(cx, "x");
    return node_make(cx, &(NodeSpec){.kind = CORE_MAP,
                                     .variant = VARIANT_VEC,
                                     .type = type,
                                     .nops = 3,
                                     .ops = (Node *[]){core_lam(cx, 1, &type->op[1], &name, x), row,
                                                       type->op[0]}});
}

// The fold over the blocks, whose result is an array of lanes.
static Node *blocks_folded(Tr *t, const Chunks *k, Node *lanes, Node *elements)
{
    Session *cx = t->cx;
    Node *type = type_array(cx, lanes, k->type), *f = step_of_lanes(t, k, type);
    Node *repeat[2] = {lanes, value_of(t, k, k->z, k->type)};
    Node *z = pattern(t, VIEW_REPEAT, VARIANT_SRC, 2, repeat);
    Node *copy = k->arrays ? pattern(t, CORE_COPY, VARIANT_ANY, 1, &z) : copy_of_lanes(t, z);
    Node *all = value_of(t, k, k->xs, k->c.xs->type);
    Node *whole = part_of(t, all, nat_const(cx, 0), elements);
    Node *blocks = pattern(t, VIEW_SPLIT, VARIANT_SRC, 2, (Node *[]){lanes, whole});
    bool over = policy_steps_in_place(cx, f);
    return pattern(t, CORE_FOLD, over ? VARIANT_INPLACE : VARIANT_SEQ, 3,
                   (Node *[]){f, copy, blocks});
}

// Stores the value of a term in new memory, and returns its number (push_value).
static int stored(Tr *t, Chunks *k, Node *e)
{
    return push_value(t, k, con_in_memory(t, e, k->env, "lanes", VARIANT_ANY));
}

// Combines all lanes. As long as there are more than two and their number is even, one half is
// combined with the other; the remaining lanes are combined in order.
static Node *lanes_combined(Tr *t, Chunks *k, int number, int64_t lanes)
{
    Session *cx = t->cx;
    for (; !k->arrays && lanes > 2 && lanes % 2 == 0; lanes /= 2) {
        Node *all = value_of(t, k, number, type_array(cx, nat_const(cx, lanes), k->type));
        Node *half = nat_const(cx, lanes / 2);
        Node *rows[2] = {part_of(t, all, nat_const(cx, 0), half), part_of(t, all, half, half)};
        number = stored(t, k, lane_by_lane(t, k, rows, k->depth));
    }
    Node *type = type_array(cx, nat_const(cx, lanes), k->type);
    return combined(t, k, value_of(t, k, number, type), nat_const(cx, lanes - 1));
}

// lanes[j] = f(lanes[j], xs[from + j]) for the elements that do not fill a block
static void rest_in_lanes(Tr *t, const Chunks *k, int number, Node *d, Node *from)
{
    Session *cx = t->cx;
    Node *lanes = d->type->op[0], *f = node_shift(cx, k->c.f, k->depth, 0);
    Loop l;
    loop_open(t, &l, nat_mod(cx, k->c.n, lanes));
    loop_in_lanes(t, &l, lanes);
    Node *all = value_of(t, k, k->xs, k->c.xs->type), *index = nat_add(cx, from, l.index);
    Node *args[2] = {element_of(t, value_of(t, k, number, d->type), l.index),
                     element_of(t, all, index)};
    Node *step = node_instantiate(cx, f->op[0], args, 2);
    acc_into(t, step, k->env, acceptor_at(t, d, l.index));
    loop_close(t, &l);
}

// Reduces the elements in lanes, either all of them or those of whole blocks; returns the term that
// combines the lanes.
static Node *lanes_reduced(Tr *t, Chunks *k, Node *lanes, bool rest)
{
    Session *cx = t->cx;
    int64_t count;
    CHECK(cx, nat_is_const(lanes, &count), "lanes are a number");
    Node *whole = nat_mul(cx, lanes, nat_div(cx, k->c.n, lanes));
    Node *blocks = blocks_folded(t, k, lanes, whole);
    if (!rest) return lanes_combined(t, k, stored(t, k, blocks), count);
    Memory m = emit_new(t, "lanes", blocks->type, VARIANT_ANY);
    Accumulate a;
    accumulate_open(t, &a, m.d);
    acc_block(t, blocks, k->env, m.d);
    int number = push_value(t, k, m.value);
    rest_in_lanes(t, k, number, m.d, whole);
    accumulate_close(t, &a);
    return lanes_combined(t, k, number, count);
}

// Like lanes_reduced for at least `least` elements. Reduces fewer elements in order, or returns the
// initial value if the rest is left to the caller.
static Node *lanes_if_enough(Tr *t, Chunks *k, Node *lanes, bool rest, Node *least)
{
    Session *cx = t->cx;
    Memory m = emit_new(t, "acc", k->type, VARIANT_ANY);
    Accumulate a;
    Block b;
    accumulate_open(t, &a, m.d);
    block_open(t, &b);
    Chunks inner = *k;
    Node *reduced = lanes_reduced(t, &inner, lanes, rest);
    acc_into(t, reduced, inner.env, m.d);
    Node *many = block_close(t, &b), *all = value_of(t, k, k->xs, k->c.xs->type);
    block_open(t, &b);
    acc_into(t, rest ? in_order(t, k, CORE_FOLD, initial(t, k), all) : initial(t, k), k->env, m.d);
    Node *few = block_close(t, &b), *sizes[2] = {size_phrase(t, least), size_phrase(t, k->c.n)};
    emit_if(t, core_prim(cx, PRIM_LE, 2, sizes), many, few);
    accumulate_close(t, &a);
    return value_of(t, k, push_value(t, k, m.value), k->type);
}

// Whether elements that do not fill a block are reduced in lanes, too, under a mask.
static bool rest_is_masked(Tr *t, const Chunks *k)
{
    int64_t bytes;
    return !k->arrays && nat_is_const(least_bytes(t, k->type), &bytes) && t->cx->vector_bytes > 0 &&
           cpu_has_masks(t->cx->cpu, (int)bytes);
}

static Node *reduce_lanes(Tr *t, Chunks *k, Node *e, Env *env)
{
    Session *cx = t->cx;
    Node *lanes = node_lanes(e);
    values_open(t, k, e, env);
    bool masked = rest_is_masked(t, k);
    Node *n = k->c.n, *least = masked ? nat_div(cx, lanes, nat_const(cx, 2)) : lanes;
    bool enough = k->arrays || nat_le(cx, t->block->facts, least, n) == TRUTH_YES;
    Node *reduced =
        enough ? lanes_reduced(t, k, lanes, masked) : lanes_if_enough(t, k, lanes, masked, least);
    if (masked) return reduced;
    Node *done = nat_mul(cx, lanes, nat_div(cx, n, lanes)), *left = nat_mod(cx, n, lanes);
    Node *rest = part_of(t, value_of(t, k, k->xs, k->c.xs->type), done, left);
    return in_order(t, k, CORE_FOLD, reduced, rest);
}

bool is_regrouped(const Tr *t, Node *e)
{
    if (e->variant == VARIANT_PAR) return t->lockstep == 0;
    if (e->variant != VARIANT_VEC) return false;
    return nat_lt(t->cx, t->block->facts, carried_of(e).n, node_lanes(e)) != TRUTH_YES;
}

// Computes the results of the chunks or lanes, and returns the term that combines them.
static Node *regrouped(Tr *t, Chunks *k, Node *e, Env *env)
{
    return (e->variant == VARIANT_PAR ? reduce_chunks : reduce_lanes)(t, k, e, env);
}

Readable *con_regrouped(Tr *t, Node *e, Env *env)
{
    Chunks k;
    Node *rest = regrouped(t, &k, e, env);
    return con(t, rest, k.env);
}

void acc_regrouped(Tr *t, Node *e, Env *env, Node *d)
{
    Chunks k;
    Node *rest = regrouped(t, &k, e, env);
    acc_into(t, rest, k.env, d);
}

// --- scans --------------------------------------------------------------------------------------

void acc_scan_par(Tr *t, Node *e, Env *env, Node *d)
{
    Session *cx = t->cx;
    Node *zero = nat_const(cx, 0), *one = nat_const(cx, 1);
    Chunks k;
    chunks_open(t, &k, e, env);
    Results r = fold_chunks(t, &k, k.helpers);
    Node *type = type_array(cx, k.count, k.type);
    Memory before = emit_new(t, "before", type, VARIANT_HEAP);
    acc_block(t, initial(t, &k), k.env, acceptor_at(t, before.d, zero));
    Node *sums = in_order(t, &k, CORE_SCAN, initial(t, &k), results_all(t, &k, &r));
    acc_block(t, sums, k.env, acceptor_of_part(t, before.d, one, k.helpers));
    int offsets = push_value(t, &k, before.value);
    Chunk c;
    chunk_open(t, &c, &k, k.count);
    Node *from = element_of(t, value_of(t, &k, offsets, type), c.loop.index);
    Node *scan = in_order(t, &k, (Kind)e->kind, beginning(t, &k, from), chunk_elements(t, &c, &k));
    acc_into(t, scan, k.env, acceptor_of_part(t, d, c.from, c.length));
    loop_close(t, &c.loop);
}

// An array that holds the initial value in each lane.
static Node *initial_lanes(Tr *t, const Chunks *k, Node *lanes)
{
    Node *ops[2] = {lanes, value_of(t, k, k->z, k->type)};
    return pattern(t, VIEW_REPEAT, VARIANT_SRC, 2, ops);
}

// The concatenation of `first` and `all`, cut to the length of `all`.
static Node *lanes_after(Tr *t, Node *first, Node *all)
{
    Node *both = pattern(t, VIEW_CONCAT, VARIANT_SRC, 2, (Node *[]){first, all});
    return part_of(t, both, nat_const(t->cx, 0), all->type->op[0]);
}

// Computes the prefix sums of a block that is in memory; returns the number of the array of sums.
static int sums_of_lanes(Tr *t, Chunks *k, int number, Node *type)
{
    int64_t lanes;
    CHECK(t->cx, nat_is_const(type->op[0], &lanes), "lanes are a number");
    for (int64_t apart = 1; apart < lanes; apart *= 2) {
        Node *all = value_of(t, k, number, type);
        Node *rows[2] = {lanes_after(t, initial_lanes(t, k, nat_const(t->cx, apart)), all), all};
        number = stored(t, k, lane_by_lane(t, k, rows, k->depth));
    }
    return number;
}

// Broadcasts the last lane to all lanes. It is repeated as a slice, which each use reads again,
// because repeat would bind a single element to a scalar local.
static Node *last_in_all_lanes(Tr *t, Node *all)
{
    Session *cx = t->cx;
    Node *lanes = all->type->op[0], *one = nat_const(cx, 1);
    Node *last = part_of(t, all, nat_sub(cx, lanes, one), one);
    Node *rows = pattern(t, VIEW_REPEAT, VARIANT_SRC, 2, (Node *[]){lanes, last});
    return pattern(t, VIEW_JOIN, VARIANT_SRC, 1, &rows);
}

/// Memory in which every lane holds the sum of all elements before the current block. Each block
/// updates it.
typedef struct {
    Node *type, *to;
    int value;
} Before;

static Before before_open(Tr *t, Chunks *k, Node *lanes)
{
    Node *type = type_array(t->cx, lanes, k->type);
    Memory m = emit_new(t, "before", type, VARIANT_ANY);
    acc_block(t, copy_of_lanes(t, initial_lanes(t, k, lanes)), k->env, m.d);
    return (Before){type, m.d, push_value(t, k, m.value)};
}

// Scans the block that begins at `from` into its part of d, and updates *b for the next block.
static void scan_block(Tr *t, const Chunks *outer, const Before *b, Node *from, bool inclusive,
                       Node *d)
{
    Session *cx = t->cx;
    Chunks k = *outer;
    Node *lanes = b->type->op[0], *all = value_of(t, &k, k.xs, k.c.xs->type);
    int number = stored(t, &k, copy_of_lanes(t, part_of(t, all, from, lanes)));
    number = sums_of_lanes(t, &k, number, b->type);
    Node *rows[2] = {value_of(t, &k, b->value, b->type), value_of(t, &k, number, b->type)};
    number = stored(t, &k, lane_by_lane(t, &k, rows, k.depth));
    Node *sums = value_of(t, &k, number, b->type), *block = sums;
    Node *first =
        part_of(t, value_of(t, &k, b->value, b->type), nat_const(cx, 0), nat_const(cx, 1));
    if (!inclusive) block = lanes_after(t, first, sums);
    acc_into(t, copy_of_lanes(t, block), k.env, acceptor_of_part(t, d, from, lanes));
    acc_into(t, copy_of_lanes(t, last_in_all_lanes(t, sums)), k.env, b->to);
}

void acc_scan_vec(Tr *t, Node *e, Env *env, Node *d)
{
    Session *cx = t->cx;
    Node *lanes = node_lanes(e), *zero = nat_const(cx, 0);
    Chunks k;
    values_open(t, &k, e, env);
    Node *blocks = nat_div(cx, k.c.n, lanes), *elements = nat_mul(cx, lanes, blocks);
    Before b = before_open(t, &k, lanes);
    Accumulate a;
    accumulate_open(t, &a, b.to);
    Loop l;
    loop_open(t, &l, blocks);
    scan_block(t, &k, &b, nat_mul(cx, lanes, l.index), e->kind == CORE_SCAN, d);
    loop_close(t, &l);
    accumulate_close(t, &a);
    Node *rest = nat_mod(cx, k.c.n, lanes);
    Node *z = element_of(t, value_of(t, &k, b.value, b.type), zero);
    Node *xs = part_of(t, value_of(t, &k, k.xs, k.c.xs->type), elements, rest);
    acc_into(t, in_order(t, &k, (Kind)e->kind, z, xs), k.env,
             acceptor_of_part(t, d, elements, rest));
}
