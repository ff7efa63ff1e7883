// Patterns with an accumulator: reduce, fold, iterate.
//
// An accumulator without arrays lives in locals. An accumulator with arrays needs two buffers,
// since a step may read any of its elements. If the destination can be read back, it is one of the
// buffers, and the last step writes it. An odd number of steps then begins with a step from the
// temporary, followed by pairs of steps to the temporary and back. Otherwise, or if the step is too
// long to be translated three times, the buffers are one array [2]t, which step i reads at i % 2
// and writes at (i + 1) % 2, and the result is copied from n % 2. (Shine's iterate stores nothing
// for k = 0 and k = 1, and both Shine and Lin update array accumulators in place regardless of what
// the step reads.)
#include "dpia/translate/from_core.h"
#include "memory_policy/memory_policy.h"

Carried carried_of(Node *e)
{
    if (e->kind == CORE_ITERATE)
        return (Carried){.f = e->op[1], .z = e->op[2], .n = e->op[0], .pattern = e};
    Node *n = e->op[2]->type->op[0];
    return (Carried){.f = e->op[0], .z = e->op[1], .xs = e->op[2], .n = n, .pattern = e};
}

void carried_step(Tr *t, const Carried *c, Env *env, Readable *old, Stream *xs, Node *index,
                  Node *d)
{
    Block b;
    block_open(t, &b);
    int n = xs ? 2 : 1;
    Readable *args[2] = {old, xs ? stream_next(t, xs, index) : NULL};
    // the scalars of a tuple are read first, because the step assigns them one after another
    if (!type_has_array(old->type) && !type_is_value(old->type))
        args[0] = bind_scalars(t, old, "old", c->f->op[0], n - 1, 1);
    acc_block(t, c->f->op[0], bind_args(t, c->f, env, args, n), d);
    emit_block(t, &b);
}

// Whether the variant leaves open if the steps work in place.
static bool is_open(Node *e)
{
    return e->variant == VARIANT_UNROLL || e->variant == VARIANT_PAR || e->variant == VARIANT_VEC;
}

// con(fold.seq(f, z, xs), k) = con(xs, \x. new t. acc(z, t) ; for i { acc(f(t, x[i]), t) } ; k(t))
// [5.14]
Readable *con_carried(Tr *t, Node *e, Env *env)
{
    if (is_regrouped(t, e)) return con_regrouped(t, e, env);
    TR_CHECK(t, (e->variant == VARIANT_SEQ || is_open(e)) && !type_has_array(e->type),
             "%s of type %s is read", kind_info[e->kind].text, type_show(t->cx, e->type));
    Carried c = carried_of(e);
    Stream s, *xs = c.xs ? &s : NULL;
    if (xs) stream_open(t, xs, c.xs, env);
    Memory m = emit_new(t, "acc", e->type, VARIANT_STACK);
    acc_block(t, c.z, env, m.d);
    Loop l;
    loop_open(t, &l, c.n);
    loop_as(t, &l, e);
    carried_step(t, &c, env, m.value, xs, l.index, m.d);
    loop_close(t, &l);
    return m.value;
}

// --- carried arrays -----------------------------------------------------------------------------

Memory new_buffers(Tr *t, Node *type)
{
    return emit_new(t, "t", type_array(t->cx, nat_const(t->cx, 2), type), VARIANT_ANY);
}

Readable *buffer_read(Tr *t, const Memory *b, Node *steps)
{
    return read_at(t, b->value, nat_mod(t->cx, steps, nat_const(t->cx, 2)));
}

Node *buffer_write(Tr *t, const Memory *b, Node *steps)
{
    return acceptor_at(t, b->d, nat_mod(t->cx, steps, nat_const(t->cx, 2)));
}

// Accumulates in two buffers, then copies the result to d.
static void carry_apart(Tr *t, const Carried *c, Env *env, Stream *xs, Node *type, Node *d)
{
    Memory b = new_buffers(t, type);
    acc_block(t, c->z, env, buffer_write(t, &b, nat_const(t->cx, 0)));
    Loop l;
    loop_open(t, &l, c->n);
    loop_as(t, &l, c->pattern);
    Node *next = nat_add(t->cx, l.index, nat_const(t->cx, 1)), *to = buffer_write(t, &b, next);
    carried_step(t, c, env, buffer_read(t, &b, l.index), xs, l.index, to);
    loop_close(t, &l);
    copy_into(t, buffer_read(t, &b, c->n), d);
}

// --- the destination as a buffer ----------------------------------------------------------------

bool can_carry(Tr *t, const Carried *c, Env *env, Stream *xs, Node *d, Readable **value)
{
    *value = read_back(t, d);
    return *value && (!xs || !stream_reads(t, xs, d)) && !is_read_in(t, d, c->f, env);
}

static bool is_copy(Node *e)
{
    if (e->kind == CORE_COPY) return true;
    bool copies = e->kind == CORE_TUPLE && e->nops > 0;
    for (uint32_t i = 0; i < e->nops && copies; i++) copies = is_copy(e->op[i]);
    return copies;
}

static Readable *read_copy(Tr *t, Node *e, Env *env)
{
    if (e->kind == CORE_COPY) return con(t, e->op[0], env);
    Readable **parts = ARENA_ARRAY(t->arena, Readable *, e->nops + 1);
    for (uint32_t i = 0; i < e->nops; i++) parts[i] = read_copy(t, e->op[i], env);
    return readable_tuple(t, e->type, (int)e->nops, parts);
}

Readable *read_initial(Tr *t, const Carried *c, Env *env)
{
    return is_copy(c->z) ? read_copy(t, c->z, env) : NULL;
}

// Whether the value is memory, or a view of memory, so that reading it computes nothing.
static bool is_direct(Readable *r)
{
    if (r->kind != READ_PHRASE && r->kind != READ_TUPLE && r->kind != READ_VIEW) return false;
    for (int k = 0; r->core && k < r->nparts; k++)
        if (view_role(r->core, k) == ROLE_FUNCTION) return false;
    for (int i = 0; i < r->nparts; i++)
        if (r->parts[i] && !is_direct(r->parts[i])) return false;
    return true;
}

bool is_there(Tr *t, Readable *z, Node *d)
{
    return z && is_direct(z) && !is_read_by(t, d, z);
}

void write_initial(Tr *t, const Carried *c, Env *env, Readable *z, Node *d)
{
    Block b;
    block_open(t, &b);
    if (z)
        copy_into(t, z, d);
    else
        acc_into(t, c->z, env, d);
    emit_block(t, &b);
}

// The number of nodes of a term, seen as a tree and counted up to `limit`. The operands of an inner
// array reduction count three times, as its step may be translated three times.
static int weight(Node *e, int limit)
{
    bool again = (e->kind >= CORE_REDUCE && e->kind <= CORE_ITERATE) && type_has_array(e->type);
    int n = 1;
    if (kind_info[e->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return 0;
    for (uint32_t i = 0; i < e->nops && n <= limit; i++)
        n += (again ? 3 : 1) * weight(e->op[i], limit - n);
    return n;
}

bool is_short_step(const Carried *c, int times)
{
    enum { SHORT = 1200 };
    return times * weight(c->f, SHORT) <= SHORT;
}

/// An accumulator that alternates between the destination and a temporary, which is allocated on
/// demand.
typedef struct {
    const Carried *c;
    Env *env;
    Stream *xs;
    Readable *value;
    Readable *z; // result of read_initial
    bool there;  // whether a step can read z
    Node *d;
    Memory temporary;
} Pair;

static void need_temporary(Tr *t, Pair *p)
{
    if (!p->temporary.d) p->temporary = emit_new(t, "t", p->d->type, VARIANT_ANY);
}

static void pair_step(Tr *t, const Pair *p, Readable *from, Node *index, Node *to)
{
    carried_step(t, p->c, p->env, from, p->xs, index, to);
}

// Emits steps `from` to `from + 2 * count - 1`. Each pair of steps takes the accumulator from the
// destination to the temporary and back.
static void pairs_of_steps(Tr *t, Pair *p, Node *from, Node *count)
{
    Session *cx = t->cx;
    Node *one = nat_const(cx, 1), *index = from;
    Loop l;
    if (nat_eq(cx, t->block->facts, count, nat_const(cx, 0)) == TRUTH_YES) return;
    need_temporary(t, p);
    bool loop = nat_eq(cx, t->block->facts, count, one) != TRUTH_YES;
    if (loop) {
        loop_open(t, &l, count);
        loop_as(t, &l, p->c->pattern);
        index = nat_add(cx, from, nat_mul(cx, nat_const(cx, 2), l.index));
    }
    pair_step(t, p, p->value, index, p->temporary.d);
    pair_step(t, p, p->temporary.value, nat_add(cx, index, one), p->d);
    if (loop) loop_close(t, &l);
}

// Emits one step from the initial value to the destination.
static void first_step(Tr *t, Pair *p)
{
    if (!p->there) {
        need_temporary(t, p);
        write_initial(t, p->c, p->env, p->z, p->temporary.d);
    }
    pair_step(t, p, p->there ? p->z : p->temporary.value, nat_const(t->cx, 0), p->d);
}

// Emits a known even number n >= 2 of steps. If the initial value is in memory, the first pair of
// steps may read it there.
static void even_steps(Tr *t, Pair *p, int64_t n)
{
    Session *cx = t->cx;
    bool there = p->there && (n == 2 || is_short_step(p->c, 4));
    if (there) {
        need_temporary(t, p);
        pair_step(t, p, p->z, nat_const(cx, 0), p->temporary.d);
        pair_step(t, p, p->temporary.value, nat_const(cx, 1), p->d);
    } else {
        write_initial(t, p->c, p->env, p->z, p->d);
    }
    pairs_of_steps(t, p, nat_const(cx, there ? 2 : 0), nat_const(cx, n / 2 - there));
}

// Emits an unknown number of steps, which may be odd.
static void some_steps(Tr *t, Pair *p)
{
    Session *cx = t->cx;
    Node *two = nat_const(cx, 2), *one = nat_const(cx, 1);
    Node *parity = nat_mod(cx, p->c->n, two);
    Node *sides[2] = {size_phrase(t, parity), size_phrase(t, one)};
    need_temporary(t, p);
    Block odd, even;
    block_open(t, &odd);
    first_step(t, p);
    Node *then = block_close(t, &odd);
    block_open(t, &even);
    write_initial(t, p->c, p->env, p->z, p->d);
    Node *otherwise = block_close(t, &even);
    emit_if(t, core_prim(cx, PRIM_EQ, 2, sides), then, otherwise);
    pairs_of_steps(t, p, parity, nat_div(cx, p->c->n, two));
}

static void carry_there(Tr *t, Pair *p)
{
    int64_t n;
    Accumulate a;
    p->z = read_initial(t, p->c, p->env);
    p->there = is_there(t, p->z, p->d);
    accumulate_open(t, &a, p->d);
    if (!nat_is_const(p->c->n, &n)) {
        some_steps(t, p);
    } else if (n == 0) {
        write_initial(t, p->c, p->env, p->z, p->d);
    } else if (n % 2 == 0) {
        even_steps(t, p, n);
    } else {
        first_step(t, p);
        pairs_of_steps(t, p, nat_const(t->cx, 1), nat_const(t->cx, n / 2));
    }
    accumulate_close(t, &a);
}

// acc(fold.seq(f, z, xs), d), acc(iterate[k](f, z), d) for arrays
static void acc_carried(Tr *t, const Carried *c, Env *env, Node *type, Node *d)
{
    Stream xs;
    Pair p = {.c = c, .env = env, .xs = c->xs ? &xs : NULL, .d = d};
    if (p.xs) stream_open(t, p.xs, c->xs, env);
    if (is_short_step(c, 3) && can_carry(t, c, env, p.xs, d, &p.value))
        carry_there(t, &p);
    else
        carry_apart(t, c, env, p.xs, type, d);
}

// acc(fold.inplace(f, z, xs), d), acc(iterate.inplace[k](f, z), d). A step reads only elements of
// the accumulator that it has not changed, so one buffer suffices, which is the destination if it
// can be read back. If there certainly is a step and the initial value is in memory, the first step
// reads it there.
static void acc_in_place(Tr *t, const Carried *c, Env *env, Node *type, Node *d)
{
    Session *cx = t->cx;
    Stream s, *xs = c->xs ? &s : NULL;
    Readable *value;
    int64_t n = 0;
    if (xs) stream_open(t, xs, c->xs, env);
    bool own = can_carry(t, c, env, xs, d, &value);
    Node *to = own ? d : emit_new(t, "acc", type, VARIANT_ANY).d;
    if (!own) value = read_back(t, to);
    bool some = !xs && nat_is_const(c->n, &n) && n > 0 && is_short_step(c, 2);
    Readable *z = some ? read_initial(t, c, env) : NULL;
    bool first = is_there(t, z, to);
    Accumulate a;
    accumulate_open(t, &a, to);
    if (first)
        carried_step(t, c, env, z, NULL, nat_const(cx, 0), to);
    else
        write_initial(t, c, env, z, to);
    mark_cells(t, to);
    if (!first || n > 1) {
        Loop l;
        loop_open(t, &l, nat_sub(cx, c->n, nat_const(cx, first)));
        loop_as(t, &l, c->pattern);
        carried_step(t, c, env, value, xs, l.index, to);
        loop_close(t, &l);
    }
    accumulate_close(t, &a);
    if (!own) copy_into(t, value, d);
}

void acc_reduction(Tr *t, Node *e, Env *env, Node *d)
{
    Carried c = carried_of(e);
    bool open = is_open(e);
    if (is_regrouped(t, e)) {
        acc_regrouped(t, e, env, d);
    } else if (e->variant == VARIANT_INPLACE || (open && policy_steps_in_place(t->cx, c.f))) {
        acc_in_place(t, &c, env, e->type, d);
    } else {
        TR_CHECK(t, open || e->variant == VARIANT_SEQ, "%s has no variant",
                 kind_info[e->kind].text);
        acc_carried(t, &c, env, e->type, d);
    }
}

void acc_iterate(Tr *t, Node *e, Env *env, Node *d)
{
    Carried c = carried_of(e);
    if (e->variant == VARIANT_INPLACE) {
        acc_in_place(t, &c, env, e->type, d);
        return;
    }
    TR_CHECK(t, e->variant == VARIANT_SEQ, "iterate has no variant");
    acc_carried(t, &c, env, e->type, d);
}
