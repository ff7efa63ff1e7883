// Scans and scatters.
#include "dpia/translate/from_core.h"

// --- scans --------------------------------------------------------------------------------------

// For elements without arrays, the accumulator is a local.
//
//   acc(scan(f, z, xs), d)    = con(xs, \x. new t. acc(z, t) ;
//                                       for i { acc(f(t, x[i]), t) ; d[i] := t })
//   acc(scan_ex(f, z, xs), d) = con(xs, \x. new t. acc(z, t) ;
//                                       for i { d[i] := t ; acc(f(t, x[i]), t) })
static void scan_scalars(Tr *t, const Carried *c, Env *env, bool inclusive, Node *d)
{
    Stream xs;
    stream_open(t, &xs, c->xs, env);
    Memory m = emit_new(t, "acc", d->type->op[1], VARIANT_STACK);
    acc_block(t, c->z, env, m.d);
    Loop l;
    loop_open(t, &l, c->n);
    loop_as(t, &l, c->pattern);
    if (!inclusive) copy_into(t, m.value, acceptor_at(t, d, l.index));
    carried_step(t, c, env, m.value, &xs, l.index, m.d);
    if (inclusive) copy_into(t, m.value, acceptor_at(t, d, l.index));
    loop_close(t, &l);
}

// For elements with arrays that cannot be read back, the accumulator is in two buffers.
static void scan_apart(Tr *t, const Carried *c, Env *env, Stream *xs, bool inclusive, Node *d)
{
    Memory b = new_buffers(t, d->type->op[1]);
    acc_block(t, c->z, env, buffer_write(t, &b, nat_const(t->cx, 0)));
    Loop l;
    loop_open(t, &l, c->n);
    loop_as(t, &l, c->pattern);
    Node *next = nat_add(t->cx, l.index, nat_const(t->cx, 1));
    Node *out = acceptor_at(t, d, l.index);
    Readable *old = buffer_read(t, &b, l.index);
    if (!inclusive) copy_into(t, old, out);
    carried_step(t, c, env, old, xs, l.index, buffer_write(t, &b, next));
    if (inclusive) copy_into(t, buffer_read(t, &b, next), out);
    loop_close(t, &l);
}

// Emits d[0] := z, or d[0] := f(z, x_0) if the scan is inclusive.
static void scan_first(Tr *t, const Carried *c, Env *env, Stream *xs, bool inclusive, Node *d)
{
    Loop l;
    loop_open_first(t, &l, c->n);
    Node *to = acceptor_at(t, d, l.index);
    if (inclusive) {
        Readable *z = read_initial(t, c, env);
        if (!is_there(t, z, d)) {
            Memory m = emit_new(t, "t", to->type, VARIANT_ANY);
            write_initial(t, c, env, z, m.d);
            z = m.value;
        }
        carried_step(t, c, env, z, xs, l.index, to);
    } else {
        acc_block(t, c->z, env, to);
    }
    loop_close(t, &l);
}

// The accumulator is the previous element of the result, so nothing is stored twice.
//
//   acc(scan(f, z, xs), d)    = con(xs, \x. acc(f(z, x[0]), d[0]) ;
//                                       for i < n - 1 { acc(f(d[i], x[i + 1]), d[i + 1]) })
//   acc(scan_ex(f, z, xs), d) = con(xs, \x. acc(z, d[0]) ;
//                                       for i < n - 1 { acc(f(d[i], x[i]), d[i + 1]) })
static void scan_there(Tr *t, const Carried *c, Env *env, Stream *xs, Readable *value,
                       bool inclusive, Node *d)
{
    Session *cx = t->cx;
    Node *one = nat_const(cx, 1);
    scan_first(t, c, env, xs, inclusive, d);
    Loop l;
    loop_open(t, &l, nat_sub(cx, c->n, one));
    loop_as(t, &l, c->pattern);
    Node *next = nat_add(cx, l.index, one);
    Readable *old = read_at(t, value, l.index);
    carried_step(t, c, env, old, xs, inclusive ? next : l.index, acceptor_at(t, d, next));
    loop_close(t, &l);
}

static void scan_arrays(Tr *t, const Carried *c, Env *env, bool inclusive, Node *d)
{
    Stream xs;
    Readable *value;
    stream_open(t, &xs, c->xs, env);
    if (is_short_step(c, inclusive ? 2 : 1) && can_carry(t, c, env, &xs, d, &value))
        scan_there(t, c, env, &xs, value, inclusive, d);
    else
        scan_apart(t, c, env, &xs, inclusive, d);
}

void acc_scan(Tr *t, Node *e, Env *env, Node *d)
{
    bool vec = e->variant == VARIANT_VEC, arrays = type_has_array(e->type->op[1]);
    if (is_regrouped(t, e) && !(vec && arrays)) {
        (vec ? acc_scan_vec : acc_scan_par)(t, e, env, d);
        return;
    }
    bool loop = vec || e->variant == VARIANT_SEQ || e->variant == VARIANT_UNROLL ||
                e->variant == VARIANT_PAR;
    TR_CHECK(t, loop, "scan has no variant");
    Carried c = carried_of(e);
    (arrays ? scan_arrays : scan_scalars)(t, &c, env, e->kind == CORE_SCAN, d);
}

// --- scatters -----------------------------------------------------------------------------------

static Node *not_marked(Tr *t, Readable *seen, Node *k)
{
    Node *mark = scalar_of(t, read_at(t, seen, k));
    return core_prim(t->cx, PRIM_NOT, 1, &mark);
}

// acc(scatter(idx, xs), d) = con(idx, \y. con(xs, \x. new seen := false ;
//     for i { check not seen[y[i]] ; seen[y[i]] := true ; d[y[i]] := x[i] } ;
//     for j { if not seen[j] { d[j] := 0 } }))
// so that every element of d is written exactly once.
static void scatter_distinct(Tr *t, Node *e, Env *env, Node *d)
{
    Session *cx = t->cx;
    Readable *idx = con(t, e->op[0], env), *xs = con(t, e->op[1], env);
    Node *flags = type_array(cx, e->type->op[0], type_scalar(cx, SCALAR_BOOL));
    Memory seen = emit_new(t, "seen", flags, VARIANT_ANY);
    fill_zero(t, seen.d);
    Loop l;
    loop_open(t, &l, e->op[0]->type->op[0]);
    Node *k = size_of(t, read_at(t, idx, l.index));
    emit_check(t, E0603, not_marked(t, seen.value, k));
    emit_assign(t, acceptor_at(t, seen.d, k), core_bool(cx, true));
    copy_into(t, read_at(t, xs, l.index), acceptor_at(t, d, k));
    loop_close(t, &l);
    Block zero;
    loop_open(t, &l, e->type->op[0]);
    block_open(t, &zero);
    fill_zero(t, acceptor_at(t, d, l.index));
    Node *fill = block_close(t, &zero), *skip = node_make(cx, &(NodeSpec){.kind = COM_SKIP});
    emit_if(t, not_marked(t, seen.value, l.index), fill, skip);
    loop_close(t, &l);
}

// Emits the scatter_with step that updates element k of the accumulator. An element with arrays is
// first computed in memory of its own.
static void combine_at(Tr *t, const Carried *c, Env *env, Readable *value, Node *to, Stream *xs,
                       Node *i, Node *k)
{
    Readable *old = read_at(t, value, k);
    Node *at = acceptor_at(t, to, k);
    if (!type_has_array(old->type)) {
        carried_step(t, c, env, old, xs, i, at);
        return;
    }
    Memory m = emit_new(t, "t", old->type, VARIANT_ANY);
    carried_step(t, c, env, old, xs, i, m.d);
    copy_into(t, m.value, at);
}

// A scatter_with: to[idx[i]] := f(to[idx[i]], x[i]).
typedef struct {
    Carried c;
    Env *env;
    Stream xs;
    Readable *idx, *value;
    Node *to;
} Combined;

// Combines `n` elements from number `from` on, in order. Their positions are those of `at`, from
// the first on.
static void combine_elements(Tr *t, Combined *k, Node *from, Node *n, Readable *at, Node *first)
{
    Loop l;
    loop_open(t, &l, n);
    Node *i = nat_add(t->cx, from, l.index);
    Node *position = size_of(t, read_at(t, at, nat_add(t->cx, first, l.index)));
    combine_at(t, &k->c, k->env, k->value, k->to, &k->xs, i, position);
    loop_close(t, &l);
}

// Combines strips of elements whose positions are first computed in lanes, and returns the number
// of elements. A position is often most of the work (a float times a number, rounded, limited), and
// an update waits for the one before it.
static Node *combine_strips(Tr *t, Combined *k, Node *lanes)
{
    enum { SHORTEST = 256 };
    Session *cx = t->cx;
    int64_t count;
    TR_CHECK(t, nat_is_const(lanes, &count) && count > 0, "scatter_with.vec without lanes");
    Node *size = nat_const(cx, (SHORTEST + count - 1) / count * count);
    Node *strips = nat_div(cx, k->c.n, size), *zero = nat_const(cx, 0);
    Loop strip, l;
    loop_open(t, &strip, strips);
    Memory m = emit_new(t, "at", type_array(cx, size, k->idx->type->op[1]), VARIANT_STACK);
    Node *from = nat_mul(cx, size, strip.index);
    loop_open(t, &l, size);
    loop_in_lanes(t, &l, lanes);
    copy_into(t, read_at(t, k->idx, nat_add(cx, from, l.index)), acceptor_at(t, m.d, l.index));
    loop_close(t, &l);
    combine_elements(t, k, from, size, m.value, zero);
    loop_close(t, &strip);
    return nat_mul(cx, size, strips);
}

// acc(scatter_with(f, z, idx, xs), d) fills d with z, then d[y[i]] := f(d[y[i]], x[i]) in order.
static void scatter_combined(Tr *t, Node *e, Env *env, Node *d)
{
    Node *n = e->op[3]->type->op[0];
    Combined k = {.c = {.f = e->op[0], .z = e->op[1], .xs = e->op[3], .n = n}, .env = env};
    Readable *z = bind_scalars(t, con(t, e->op[1], env), "z", NULL, 0, 2);
    k.idx = con(t, e->op[2], env);
    stream_open(t, &k.xs, e->op[3], env);
    bool own = can_carry(t, &k.c, env, &k.xs, d, &k.value) && !is_read_by(t, d, k.idx);
    k.to = own ? d : emit_new(t, "acc", e->type, VARIANT_ANY).d;
    if (!own) k.value = read_back(t, k.to);
    Accumulate a;
    accumulate_open(t, &a, k.to);
    Loop fill;
    loop_open(t, &fill, e->type->op[0]);
    copy_into(t, z, acceptor_at(t, k.to, fill.index));
    loop_close(t, &fill);
    Node *done = nat_const(t->cx, 0);
    if (e->variant == VARIANT_VEC) done = combine_strips(t, &k, node_lanes(e));
    combine_elements(t, &k, done, nat_sub(t->cx, n, done), k.idx, done);
    accumulate_close(t, &a);
    if (!own) copy_into(t, k.value, d);
}

void acc_scatter(Tr *t, Node *e, Env *env, Node *d)
{
    bool with = e->kind == CORE_SCATTER_WITH;
    TR_CHECK(t, e->variant == VARIANT_SEQ || (with && e->variant == VARIANT_VEC),
             "scatter has no such variant");
    if (!with)
        scatter_distinct(t, e, env, d);
    else
        scatter_combined(t, e, env, d);
}
