// Patterns that carry a value from step to step: reduce, fold, scan, iterate, scatter.
//
// A carried value without arrays lives in locals. One with arrays that the step may read anywhere
// needs two buffers: they are one array [2]t, read at i % 2 and written at (i + 1) % 2 in step i,
// so that the value is at n % 2 after n steps, for every n, and the step is translated once.
// (Shine's iterate stores nothing for k = 0 and k = 1, and both Shine and Lin update array
// accumulators in place whatever the step reads.)
#include "dpia/from_core.h"

// What a local with several scalars is worth before a step assigns them one by one.
static Readable *snapshot(Tr *t, Readable *r, Node *body, int index)
{
    return type_is_atom(r->type) ? r : bind_scalars(t, r, "old", body, index, 1);
}

typedef struct {
    Node *f, *z, *xs, *n; // xs NULL: iterate
} Carried;

static Carried carried_of(Node *e)
{
    if (e->kind == CORE_ITERATE) return (Carried){.f = e->op[1], .z = e->op[2], .n = e->op[0]};
    return (Carried){.f = e->op[0], .z = e->op[1], .xs = e->op[2], .n = e->op[2]->type->op[0]};
}

// d := f(old, x_i), or f(old) for iterate.
static Node *step(Tr *t, const Carried *c, Env *env, Readable *old, Readable *xs, Node *index,
                  Node *d)
{
    Block b;
    block_open(t, &b);
    int n = xs ? 2 : 1;
    Readable *args[2] = {old, xs ? read_at(t, xs, index) : NULL};
    if (!type_has_array(old->type)) args[0] = snapshot(t, old, c->f->op[0], n - 1);
    emit(t, acc(t, c->f->op[0], bind_args(t, c->f, env, args, n), d));
    return block_close(t, &b);
}

// con(fold.seq(f, z, xs), k) = con(xs, \x. new t. acc(z, t) ; for i { acc(f(t, x[i]), t) } ; k(t))
// [5.14]
Readable *con_carried(Tr *t, Node *e, Env *env)
{
    TR_CHECK(t, e->variant == VARIANT_SEQ && !type_has_array(e->type), "%s of type %s is read",
             kind_info[e->kind].text, type_show(t->cx, e->type));
    Carried c = carried_of(e);
    Readable *xs = c.xs ? con(t, c.xs, env) : NULL;
    Sym name = emit_new(t, "acc", e->type, VARIANT_STACK);
    Node *d = acceptor_var(t, name, e->type);
    Readable *value = readable_phrase(t, phrase_var(t, name, e->type));
    emit(t, acc(t, c.z, env, d));
    Loop l;
    loop_open(t, &l, c.n);
    emit(t, step(t, &c, env, value, xs, l.index, d));
    loop_close(t, &l);
    return value;
}

// --- carried arrays -----------------------------------------------------------------------------

typedef struct {
    Node *type;
    Sym name;
} Buffers;

static Buffers new_buffers(Tr *t, Node *type)
{
    Node *both = type_array(t->cx, nat_const(t->cx, 2), type);
    return (Buffers){.type = both, .name = emit_new(t, "t", both, VARIANT_ANY)};
}

// Which buffer holds the value after `steps` steps.
static Node *turn(Tr *t, Node *steps)
{
    return nat_mod(t->cx, steps, nat_const(t->cx, 2));
}

static Readable *buffer_read(Tr *t, const Buffers *b, Node *steps)
{
    return read_at(t, readable_phrase(t, phrase_var(t, b->name, b->type)), turn(t, steps));
}

static Node *buffer_write(Tr *t, const Buffers *b, Node *steps)
{
    return acceptor_at(t, acceptor_var(t, b->name, b->type), turn(t, steps));
}

// acc(fold.seq(f, z, xs), d) for arrays: two buffers, then the copy to d.
static void acc_double(Tr *t, const Carried *c, Env *env, Node *type, Node *d)
{
    Readable *xs = c->xs ? con(t, c->xs, env) : NULL;
    Buffers b = new_buffers(t, type);
    emit(t, acc(t, c->z, env, buffer_write(t, &b, nat_const(t->cx, 0))));
    Loop l;
    loop_open(t, &l, c->n);
    Node *next = nat_add(t->cx, l.index, nat_const(t->cx, 1));
    emit(t, step(t, c, env, buffer_read(t, &b, l.index), xs, l.index, buffer_write(t, &b, next)));
    loop_close(t, &l);
    copy_into(t, buffer_read(t, &b, c->n), d);
}

// The memory that an acceptor names, when it was made here and so can be read back.
static bool is_own_memory(Tr *t, Node *d)
{
    return d->kind == ACC_VAR && map_get(&t->memory, MAP_KEY(d->attr.sym));
}

// acc(fold.inplace(f, z, xs), d): a step reads of the accumulator only the leaf it writes, so one
// buffer does; the destination itself, when it can be read.
static void acc_in_place(Tr *t, const Carried *c, Env *env, Node *type, Node *d)
{
    Readable *xs = con(t, c->xs, env);
    bool own = is_own_memory(t, d);
    Node *to = own ? d : acceptor_var(t, emit_new(t, "acc", type, VARIANT_ANY), type);
    Readable *value = readable_phrase(t, phrase_var(t, to->attr.sym, type));
    emit(t, acc(t, c->z, env, to));
    map_put(&t->cells, MAP_KEY(to->attr.sym), (void *)(uintptr_t)type);
    Loop l;
    loop_open(t, &l, c->n);
    emit(t, step(t, c, env, value, xs, l.index, to));
    loop_close(t, &l);
    if (!own) copy_into(t, value, d);
}

void acc_reduction(Tr *t, Node *e, Env *env, Node *d)
{
    Carried c = carried_of(e);
    if (e->variant == VARIANT_INPLACE) {
        acc_in_place(t, &c, env, e->type, d);
        return;
    }
    TR_CHECK(t, e->variant == VARIANT_SEQ, "%s has no variant", kind_info[e->kind].text);
    acc_double(t, &c, env, e->type, d);
}

// acc(iterate[k](f, x), d): right for every k; after k steps the value is in buffer k % 2.
void acc_iterate(Tr *t, Node *e, Env *env, Node *d)
{
    TR_CHECK(t, e->variant == VARIANT_SEQ, "iterate has no variant");
    Carried c = carried_of(e);
    acc_double(t, &c, env, e->type, d);
}

// --- scans --------------------------------------------------------------------------------------

// Elements without arrays: the accumulator is a local.
// acc(scan(f, z, xs), d)    = con(xs, \x. new t. acc(z, t) ; for i { acc(f(t, x[i]), t) ; d[i] := t
// }) acc(scan_ex(f, z, xs), d) = con(xs, \x. new t. acc(z, t) ; for i { d[i] := t ; acc(f(t, x[i]),
// t) })
static void scan_scalars(Tr *t, const Carried *c, Env *env, Node *type, bool inclusive, Node *d)
{
    Readable *xs = con(t, c->xs, env);
    Sym name = emit_new(t, "acc", type, VARIANT_STACK);
    Node *to = acceptor_var(t, name, type);
    Readable *value = readable_phrase(t, phrase_var(t, name, type));
    emit(t, acc(t, c->z, env, to));
    Loop l;
    loop_open(t, &l, c->n);
    if (!inclusive) copy_into(t, value, acceptor_at(t, d, l.index));
    emit(t, step(t, c, env, value, xs, l.index, to));
    if (inclusive) copy_into(t, value, acceptor_at(t, d, l.index));
    loop_close(t, &l);
}

// Elements with arrays: two buffers, as the destination may not be readable.
static void scan_arrays(Tr *t, const Carried *c, Env *env, Node *type, bool inclusive, Node *d)
{
    Readable *xs = con(t, c->xs, env);
    Buffers b = new_buffers(t, type);
    emit(t, acc(t, c->z, env, buffer_write(t, &b, nat_const(t->cx, 0))));
    Loop l;
    loop_open(t, &l, c->n);
    Node *next = nat_add(t->cx, l.index, nat_const(t->cx, 1));
    Node *out = acceptor_at(t, d, l.index);
    Readable *old = buffer_read(t, &b, l.index);
    if (!inclusive) copy_into(t, old, out);
    emit(t, step(t, c, env, old, xs, l.index, buffer_write(t, &b, next)));
    if (inclusive) copy_into(t, buffer_read(t, &b, next), out);
    loop_close(t, &l);
}

void acc_scan(Tr *t, Node *e, Env *env, Node *d)
{
    TR_CHECK(t, e->variant == VARIANT_SEQ, "scan has no variant");
    Carried c = carried_of(e);
    Node *type = e->type->op[1];
    bool inclusive = e->kind == CORE_SCAN;
    (type_has_array(type) ? scan_arrays : scan_scalars)(t, &c, env, type, inclusive, d);
}

// --- scatters -----------------------------------------------------------------------------------

// d := 0, false, in every scalar.
static void fill_zero(Tr *t, Node *d)
{
    Node *type = d->type;
    if (type->kind == TYPE_ARRAY) {
        Loop l;
        loop_open(t, &l, type->op[0]);
        fill_zero(t, acceptor_at(t, d, l.index));
        loop_close(t, &l);
    } else if (type->kind == TYPE_IDX) {
        emit_assign(t, d, index_phrase(t, nat_const(t->cx, 0), type->op[0]));
    } else if (type_is_scalar(type, NULL)) {
        emit_assign(t, d, core_int(t->cx, type, 0));
    } else {
        for (uint32_t k = 0; k < type->nops; k++) fill_zero(t, acceptor_part(t, d, (int)k));
    }
}

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
    Sym name = emit_new(t, "seen", flags, VARIANT_ANY);
    Readable *seen = readable_phrase(t, phrase_var(t, name, flags));
    Node *mark = acceptor_var(t, name, flags);
    fill_zero(t, mark);
    Loop l;
    loop_open(t, &l, e->op[0]->type->op[0]);
    Node *k = size_of(t, read_at(t, idx, l.index));
    emit_check(t, E0603, not_marked(t, seen, k));
    emit_assign(t, acceptor_at(t, mark, k), core_bool(cx, true));
    copy_into(t, read_at(t, xs, l.index), acceptor_at(t, d, k));
    loop_close(t, &l);
    Block zero;
    loop_open(t, &l, e->type->op[0]);
    block_open(t, &zero);
    fill_zero(t, acceptor_at(t, d, l.index));
    Node *fill = block_close(t, &zero), *skip = node_make(cx, &(NodeSpec){.kind = COM_SKIP});
    emit_if(t, not_marked(t, seen, l.index), fill, skip);
    loop_close(t, &l);
}

// The step of scatter_with at element k of the accumulator. With arrays the new element is made
// beside the old.
static void combine_at(Tr *t, const Carried *c, Env *env, Readable *value, Node *to, Readable *xs,
                       Node *i, Node *k)
{
    Readable *old = read_at(t, value, k);
    Node *at = acceptor_at(t, to, k);
    if (!type_has_array(old->type)) {
        emit(t, step(t, c, env, old, xs, i, at));
        return;
    }
    Sym name = emit_new(t, "t", old->type, VARIANT_ANY);
    emit(t, step(t, c, env, old, xs, i, acceptor_var(t, name, old->type)));
    copy_into(t, readable_phrase(t, phrase_var(t, name, old->type)), at);
}

// acc(scatter_with(f, z, idx, xs), d): d filled with z, then d[y[i]] := f(d[y[i]], x[i]) in order.
static void scatter_combined(Tr *t, Node *e, Env *env, Node *d)
{
    Node *n = e->op[3]->type->op[0];
    Carried c = {.f = e->op[0], .z = e->op[1], .xs = e->op[3], .n = n};
    Readable *z = bind_scalars(t, con(t, e->op[1], env), "z", NULL, 0, 2);
    Readable *idx = con(t, e->op[2], env), *xs = con(t, e->op[3], env);
    bool own = is_own_memory(t, d);
    Node *to = own ? d : acceptor_var(t, emit_new(t, "acc", e->type, VARIANT_ANY), e->type);
    Readable *value = readable_phrase(t, phrase_var(t, to->attr.sym, e->type));
    Loop fill, l;
    loop_open(t, &fill, e->type->op[0]);
    copy_into(t, z, acceptor_at(t, to, fill.index));
    loop_close(t, &fill);
    loop_open(t, &l, n);
    Node *k = size_of(t, read_at(t, idx, l.index));
    combine_at(t, &c, env, value, to, xs, l.index, k);
    loop_close(t, &l);
    if (!own) copy_into(t, value, d);
}

void acc_scatter(Tr *t, Node *e, Env *env, Node *d)
{
    TR_CHECK(t, e->variant == VARIANT_SEQ, "scatter has no variant");
    if (e->kind == CORE_SCATTER)
        scatter_distinct(t, e, env, d);
    else
        scatter_combined(t, e, env, d);
}
