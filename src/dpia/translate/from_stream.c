// Streams: arrays that a loop traverses once, in order, so that each element can be computed just
// before its use and then dropped (Lin's Slide^E 5.15 and eager bodies 5.50; the streams of RISE &
// Shine).
#include "dpia/translate/from_core.h"
#include "memory_policy/memory_policy.h"

static bool is_window(Node *e)
{
    return e->kind == VIEW_SLIDE && e->variant == VARIANT_WINDOW;
}

// Writes xs[index] into d. An element that would be stored anyway is computed directly in d.
static void load(Tr *t, Readable *xs, Node *index, Node *d)
{
    Node *body = xs->kind == READ_MAP && !xs->shared ? xs->core->op[0]->op[0] : NULL;
    if (body && body->kind == CORE_TO_MEM) {
        Readable *x = read_at(t, xs->parts[0], index);
        acc_into(t, body->op[0], bind_args(t, xs->core->op[0], xs->env, &x, 1), d);
    } else {
        copy_into(t, read_at(t, xs, index), d);
    }
}

// Emits w[to + j] := xs[from + j] for j < n.
static void load_part(Tr *t, Readable *xs, Node *from, Node *w, Node *to, Node *n)
{
    Session *cx = t->cx;
    Loop l;
    if (nat_eq(cx, t->block->facts, n, nat_const(cx, 0)) == TRUTH_YES) return;
    loop_open(t, &l, n);
    load(t, xs, nat_add(cx, from, l.index), acceptor_at(t, w, nat_add(cx, to, l.index)));
    loop_close(t, &l);
}

// --- windows ------------------------------------------------------------------------------------

// Computes how many elements a window keeps from the previous one, and how many are new. The last
// max(s - t, 0) elements of a window of s elements are the first ones of the next window.
static void window_parts(Tr *t, Stream *s, Node *e)
{
    Session *cx = t->cx;
    Node *size = e->op[0], *rest = nat_sub(cx, size, e->op[1]), *zero = nat_const(cx, 0);
    Truth overlap = nat_ge0(cx, t->block->facts, rest);
    s->kept = overlap == TRUTH_YES ? rest : overlap == TRUTH_NO ? zero : nat_max(cx, rest, zero);
    s->fresh = nat_sub(cx, size, s->kept);
}

static void window_open(Tr *t, Stream *s, Node *e, Env *env)
{
    Node *zero = nat_const(t->cx, 0);
    window_parts(t, s, e);
    s->xs = con(t, e->op[2], env);
    s->e = e;
    s->memory = emit_new(t, "w", e->type->op[1], VARIANT_ANY);
    load_part(t, s->xs, zero, s->memory.d, s->fresh, s->kept);
}

// Shifts the window, then loads the new elements.
static Readable *window_next(Tr *t, Stream *s, Node *index)
{
    Session *cx = t->cx;
    Node *w = s->memory.d;
    load_part(t, s->memory.value, s->fresh, w, nat_const(cx, 0), s->kept);
    Node *from = nat_add(cx, nat_mul(cx, index, s->e->op[1]), s->kept);
    load_part(t, s->xs, from, w, s->kept, s->fresh);
    return s->memory.value;
}

// --- rings --------------------------------------------------------------------------------------

// Whether e is slide.src s t (circular k xs) with windows that fit into the ring.
static bool is_ring(Tr *t, Node *e)
{
    if (e->kind != VIEW_SLIDE || e->variant != VARIANT_SRC || e->op[2]->kind != VIEW_CIRCULAR)
        return false;
    const Facts *f = t->block->facts;
    Node *k = e->op[2]->op[0];
    return nat_lt(t->cx, f, nat_const(t->cx, 0), k) == TRUTH_YES &&
           nat_le(t->cx, f, e->op[0], k) == TRUTH_YES;
}

// Returns the position of element i in the ring, which gets a local if it needs a modulo.
static Node *slot(Tr *t, Node *i, Node *k)
{
    Node *at = nat_simplify(t->cx, t->block->facts, nat_mod(t->cx, i, k));
    if (at->kind != NAT_MOD) return at;
    return nat_var(t->cx, emit_let(t, "r", index_phrase(t, at, k))->attr.sym);
}

// Writes xs[from + j] into the ring, for j < n. The position is computed before the element.
static void load_ring(Tr *t, Stream *s, Node *from, Node *n)
{
    Session *cx = t->cx;
    Loop l;
    if (nat_eq(cx, t->block->facts, n, nat_const(cx, 0)) == TRUTH_YES) return;
    loop_open(t, &l, n);
    Node *i = nat_add(cx, from, l.index);
    Node *at = slot(t, i, s->memory.d->type->op[0]);
    load(t, s->xs, i, acceptor_at(t, s->memory.d, at));
    loop_close(t, &l);
}

static void ring_open(Tr *t, Stream *s, Node *e, Env *env)
{
    Session *cx = t->cx;
    Node *circular = e->op[2], *element = circular->type->op[1];
    window_parts(t, s, e);
    s->xs = con(t, circular->op[1], env);
    s->e = e;
    Node *type = type_array(cx, circular->op[0], element);
    s->memory = emit_new(t, "ring", type, VARIANT_ANY);
    load_ring(t, s, nat_const(cx, 0), s->kept);
}

// Loads the new elements of a window and returns the window. The positions of its elements in the
// ring are computed once for each window, not in the loops that read them.
static Readable *ring_next(Tr *t, Stream *s, Node *index)
{
    enum { NAMED = 16 };
    Session *cx = t->cx;
    Readable *ring = s->memory.value;
    Node *first = nat_mul(cx, index, s->e->op[1]), *k = ring->type->op[0];
    load_ring(t, s, nat_add(cx, first, s->kept), s->fresh);
    int64_t n;
    struct Readable *r = ARENA_NEW(t->arena, struct Readable);
    *r = (struct Readable){.kind = READ_RING,
                           .type = s->e->type->op[1],
                           .phrase = ring->phrase,
                           .shift = slot(t, first, k),
                           .parts = ARENA_ARRAY(t->arena, Readable *, NAMED)};
    if (!nat_is_const(s->e->op[0], &n)) n = 0;
    for (; r->nparts < n && r->nparts < NAMED; r->nparts++) {
        Node *i = nat_add(cx, first, nat_const(cx, r->nparts));
        r->parts[r->nparts] = read_at(t, ring, r->nparts ? slot(t, i, k) : r->shift);
    }
    return r;
}

// --- eager maps ---------------------------------------------------------------------------------

// Computes an element of an eager map or generate for one step.
static Readable *eager_next(Tr *t, Stream *s, Node *index)
{
    Node *e = s->e, *f = e->op[e->kind == CORE_MAP ? 0 : 1];
    Readable *x = e->kind == CORE_MAP ? stream_next(t, s->inner, index)
                                      : readable_phrase(t, index_phrase(t, index, e->op[0]));
    Memory m = emit_new(t, "x", e->type->op[1], VARIANT_ANY);
    acc_block(t, f->op[0], bind_args(t, f, s->env, &x, 1), m.d);
    return m.value;
}

// --- opening and advancing any stream -----------------------------------------------------------

static bool is_eager(Node *e)
{
    if (e->kind == CORE_MAP && e->variant == VARIANT_DST) return policy_put_passes(e->op[0]) == 0;
    return (e->kind == CORE_MAP || e->kind == CORE_GENERATE) && e->variant == VARIANT_SEQ;
}

static void open_some(Tr *t, Stream *s, Node *e, Env *env, bool in_turn)
{
    *s = (Stream){0};
    env = bind_lets(t, &e, env);
    s->env = env;
    if (is_window(e)) {
        window_open(t, s, e, env);
    } else if (is_ring(t, e)) {
        ring_open(t, s, e, env);
    } else if (in_turn && is_eager(e)) {
        s->e = e;
        s->inner = ARENA_NEW(t->arena, Stream);
        if (e->kind == CORE_MAP) open_some(t, s->inner, e->op[1], env, e->variant == VARIANT_DST);
    } else {
        s->xs = con(t, e, env);
    }
}

void stream_open(Tr *t, Stream *s, Node *e, Env *env)
{
    open_some(t, s, e, env, false);
}

void stream_open_in_turn(Tr *t, Stream *s, Node *e, Env *env)
{
    open_some(t, s, e, env, true);
}

void stream_open_any(Tr *t, Stream *s, Node *e, Env *env)
{
    *s = (Stream){.env = env, .xs = con(t, e, env)};
}

Readable *stream_next(Tr *t, Stream *s, Node *index)
{
    if (!s->e) return read_at(t, s->xs, index);
    if (s->e->kind != VIEW_SLIDE) return eager_next(t, s, index);
    return is_window(s->e) ? window_next(t, s, index) : ring_next(t, s, index);
}

bool stream_reads(Tr *t, Stream *s, Node *d)
{
    if (s->xs) return is_read_by(t, d, s->xs);
    return is_read_in(t, d, s->e, s->env);
}
