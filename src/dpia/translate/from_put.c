// Destination views that write more than their argument, and map.dst, which uses a function as a
// destination view (Lin's 5.36-5.50).
#include "dpia/translate/from_core.h"
#include "ir/walk.h"
#include "memory_policy/memory_policy.h"

Node *put_of_part(Tr *t, Node *e, Env *env, Node *d)
{
    Node *whole = e->op[0]->type;
    if (e->kind == CORE_PROJ) return acceptor_only(t, whole, (int)e->attr.i, d);
    Node *i = size_of(t, con(t, e->op[1], env));
    Node *ops[2] = {index_phrase(t, i, whole->op[0]), d};
    return acceptor(t, ACC_ELEMENT, 0, whole, 2, ops);
}

Node *put_of_view(Tr *t, Node *e, Env *env)
{
    Node **ops = ARENA_ARRAY(t->arena, Node *, e->nops);
    for (int k = 0; k < (int)e->nops; k++) {
        ViewRole role = view_role(e, k);
        ops[k] = e->op[k];
        if (role == ROLE_NUMBER) ops[k] = size_phrase(t, rotation(t, e, env));
        if (role == ROLE_DATA || role == ROLE_VALUE)
            ops[k] = node_make(t->cx, &(NodeSpec){.kind = PH_HOLE, .type = e->op[k]->type});
    }
    NodeSpec view = {
        .kind = (Kind)e->kind, .attr = e->attr, .type = e->type, .nops = (int)e->nops, .ops = ops};
    return node_make(t->cx, &view);
}

// --- pad, repeat --------------------------------------------------------------------------------

// Writes d[start + i] for all i < n, either with the element at that index of the padded array or,
// if `padded` is NULL, with the value.
static void write_side(Tr *t, Readable *padded, Readable *value, Node *d, Node *start, Node *n)
{
    Session *cx = t->cx;
    Loop l;
    if (nat_eq(cx, t->block->facts, n, nat_const(cx, 0)) == TRUTH_YES) return;
    loop_open(t, &l, n);
    Node *i = nat_add(cx, start, l.index);
    copy_into(t, padded ? read_at(t, padded, i) : value, acceptor_at(t, d, i));
    loop_close(t, &l);
}

// Writes the border of `pad`, from `interior` or, if that is NULL, from the border value.
static void write_border(Tr *t, Node *pad, Env *env, Readable *interior, Node *d)
{
    Session *cx = t->cx;
    int last = (int)pad->nops - 1;
    Node *n = pad->op[last]->type->op[0], *end = nat_add(cx, pad->op[0], n);
    Readable **parts = ARENA_ARRAY(t->arena, Readable *, pad->nops), *value = NULL, *padded = NULL;
    parts[last] = interior;
    if (interior)
        padded = read_view(t, pad, env, parts, NULL);
    else
        value = bind_scalars(t, con(t, pad->op[2], env), "x", NULL, 0, 2);
    write_side(t, padded, value, d, nat_const(cx, 0), pad->op[0]);
    write_side(t, padded, value, d, end, pad->op[1]);
}

static Node *interior_of(Tr *t, Node *pad, Node *d)
{
    return acceptor_put(t, pad, (int)pad->nops - 1, d);
}

// acc(pad.dst(xs), d): xs is written to the interior; the border is a value, or copies of elements
// of the interior.
void acc_pad(Tr *t, Node *e, Env *env, Node *d)
{
    Node *xs = e->op[e->nops - 1], *interior = interior_of(t, e, d);
    Readable *inside = e->attr.i == PAD_CONST ? NULL : read_back(t, interior);
    if (e->attr.i == PAD_CONST || inside) {
        acc_block(t, xs, env, interior);
        write_border(t, e, env, inside, d);
        return;
    }
    inside = con_in_memory(t, xs, env, "t", VARIANT_ANY);
    copy_into(t, inside, interior);
    write_border(t, e, env, inside, d);
}

// Emits d[1..n) := d[0].
static void copy_first(Tr *t, Readable *first, Node *d)
{
    Session *cx = t->cx;
    Node *one = nat_const(cx, 1);
    Loop l;
    loop_open(t, &l, nat_sub(cx, d->type->op[0], one));
    copy_into(t, first, acceptor_at(t, d, nat_add(cx, l.index, one)));
    loop_close(t, &l);
}

// acc(repeat.dst[n](x), d) = acc(x, d[0]) ; for i < n - 1 { d[i + 1] := d[0] }; nothing for n = 0.
// [5.40, 5.64-66]
void acc_repeat(Tr *t, Node *e, Env *env, Node *d)
{
    Node *x = e->op[1], *n = e->op[0];
    if (!type_has_array(x->type)) {
        Readable *parts[2] = {NULL, bind_scalars(t, con(t, x, env), "x", NULL, 0, 2)};
        copy_into(t, read_view(t, e, env, parts, NULL), d);
        return;
    }
    Readable *back = read_back(t, d);
    Loop l;
    loop_open_first(t, &l, n);
    if (back) {
        acc_into(t, x, env, acceptor_at(t, d, l.index));
    } else {
        Readable *value = con_in_memory(t, x, env, "t", VARIANT_ANY);
        Loop each;
        loop_open(t, &each, n);
        Node *i = nat_add(t->cx, l.index, each.index); // l.index is 0
        copy_into(t, value, acceptor_at(t, d, i));
        loop_close(t, &each);
    }
    loop_close(t, &l);
    if (back) copy_first(t, read_at(t, back, nat_const(t->cx, 0)), d);
}

// --- the put of a function ----------------------------------------------------------------------

/// The destination of a variable's value, as a whole or component by component.
typedef struct Hole Hole;
struct Hole {
    Node *type, *to;
    Hole *parts;
};

/// One traversal of the body of a function, either to find the destinations of its parameter or to
/// write the parts of the body that do not depend on it.
typedef struct {
    Hole hole;
    int x;        // the de Bruijn index of the parameter in the body
    bool writing; // whether this is the second traversal
    bool own;     // whether the body has parts that do not depend on the parameter
    bool twice;   // whether a part of the parameter is used twice
} Put;

static Hole *find_hole(Tr *t, Put *p, Node *e)
{
    if (e->kind == CORE_VAR) return &p->hole;
    Hole *outer = find_hole(t, p, e->op[0]);
    if (!outer) return NULL;
    if (outer->to) {
        p->twice = true;
        return NULL;
    }
    int n = (int)outer->type->nops;
    if (!outer->parts) {
        outer->parts = ARENA_ARRAY(t->arena, Hole, n + 1);
        for (int k = 0; k < n; k++) outer->parts[k] = (Hole){.type = outer->type->op[k]};
    }
    return &outer->parts[e->attr.i];
}

static void fill_hole(Tr *t, Put *p, Node *e, Node *d)
{
    if (p->writing) return;
    Hole *h = find_hole(t, p, e);
    if (h && (h->to || h->parts)) p->twice = true;
    if (h) h->to = d;
}

// The destination of the parameter, with its unused parts discarded.
static Node *acceptor_of_hole(Tr *t, const Hole *h)
{
    if (h->to) return h->to;
    if (!h->parts) return acceptor_none(t, h->type);
    int n = (int)h->type->nops;
    Node **ops = ARENA_ARRAY(t->arena, Node *, n + 1);
    for (int k = 0; k < n; k++) ops[k] = acceptor_of_hole(t, &h->parts[k]);
    return acceptor(t, ACC_TUPLE, 0, h->type, n, ops);
}

// The destination of an array of n elements, given that element i goes to `to`.
static Node *acceptor_of_elements(Tr *t, Sym i, Node *n, Node *to)
{
    if (to->kind == ACC_AT && size_of_phrase(t, to->op[1]) == nat_var(t->cx, i) &&
        node_replace_names(t->cx, to->op[0], &(NodeBinding){i, n}, 1) == to->op[0] &&
        to->op[0]->type->op[0] == n)
        return to->op[0]; // \i. d[i] is d
    Node *ops[2] = {n, to};
    return acceptor(t, ACC_MAP, (Attr){.sym = i}.i, type_array(t->cx, n, to->type), 2, ops);
}

static void put(Tr *t, Put *p, Node *e, Env *env, Node *d);

static Put put_of_parameter(Node *lam, int lets)
{
    return (Put){.hole = {.type = type_param(lam->type, 0)}, .x = lets};
}

// Binds the parameter, which has no value to read.
static Env *push_parameter(Tr *t, Env *env)
{
    return env_push(t, env, readable_nothing(t, type_tuple(t->cx, 0, NULL)));
}

// A map.dst(\y. e) in the body of another function. Element j of its argument goes to the location
// where e puts y when e is written to d[j]. [5.50]
static void put_map(Tr *t, Put *p, Node *e, Env *env, Node *d)
{
    Node *lam = e->op[0], *body = lam->op[0], *n = d->type->op[0];
    int lets = 0;
    Env *outer = env;
    env = push_parameter(t, outer);
    for (Node *at = body; at->kind == CORE_LET; at = at->op[1]) lets++;
    Env *inside = bind_lets(t, &body, env);
    Put inner = put_of_parameter(lam, lets);
    Sym j = sym_fresh(t->cx->syms, "j");
    put(t, &inner, body, inside, acceptor_at(t, d, nat_var(t->cx, j)));
    Node *to = acceptor_of_elements(t, j, n, acceptor_of_hole(t, &inner.hole));
    put(t, p, e->op[1], outer, to);
    p->own |= inner.own;
    if (!p->writing || !inner.own) return;
    Loop l;
    loop_open(t, &l, n);
    inner.writing = true;
    put(t, &inner, body, inside, acceptor_at(t, d, l.index));
    loop_close(t, &l);
}

// `put` for the elements of an array, or the components of a tuple.
static void put_parts(Tr *t, Put *p, Node *e, Env *env, Node *d)
{
    bool array = e->kind == CORE_ARRAY;
    for (uint32_t k = 0; k < e->nops; k++)
        put(t, p, e->op[k], env,
            array ? acceptor_at(t, d, nat_const(t->cx, k)) : acceptor_part(t, d, (int)k));
}

static void put_operands(Tr *t, Put *p, Node *e, Env *env, Node *d)
{
    Node *view = put_of_view(t, e, env);
    for (int k = 0; k < (int)e->nops; k++)
        if (view_role(e, k) == ROLE_DATA) put(t, p, e->op[k], env, acceptor_put(t, view, k, d));
}

static void put_pad(Tr *t, Put *p, Node *e, Env *env, Node *d)
{
    Node *interior = interior_of(t, e, d);
    put(t, p, e->op[e->nops - 1], env, interior);
    p->own = true;
    if (p->writing)
        write_border(t, e, env, e->attr.i == PAD_CONST ? NULL : read_back(t, interior), d);
}

static void put_copies(Tr *t, Put *p, Node *e, Env *env, Node *d)
{
    Node *first = acceptor_at(t, d, nat_const(t->cx, 0));
    put(t, p, e->op[1], env, first);
    p->own = true;
    if (p->writing) copy_first(t, read_back(t, first), d);
}

static void put_view(Tr *t, Put *p, Node *e, Env *env, Node *d)
{
    switch (view_row((Kind)e->kind)->writes) {
    case WRITES_DATA:
    case WRITES_PART: put_operands(t, p, e, env, d); return;
    case WRITES_BORDER: put_pad(t, p, e, env, d); return;
    case WRITES_COPIES: put_copies(t, p, e, env, d); return;
    case WRITES_PERMUTED:
    case WRITES_NOTHING: break;
    }
    session_ice(t->cx, __FILE__, __LINE__, "%s has no put", kind_info[e->kind].text);
}

// Finds the destinations of the parts of the parameter when e is written to d. e must have a put
// (policy_put_passes).
static void put(Tr *t, Put *p, Node *e, Env *env, Node *d)
{
    if (policy_is_component(e, p->x)) {
        fill_hole(t, p, e, d);
        return;
    }
    if (!node_uses(e, p->x)) { // [5.49]: e gets its own loop
        p->own = true;
        if (p->writing) acc_block(t, e, env, d);
        return;
    }
    if (kind_is_view((Kind)e->kind))
        put_view(t, p, e, env, d);
    else if (e->kind == CORE_TUPLE || e->kind == CORE_ARRAY)
        put_parts(t, p, e, env, d);
    else if (e->kind == CORE_MAP)
        put_map(t, p, e, env, d);
    else
        put(t, p, e->op[0], env, put_of_part(t, e, env, d));
}

// --- map.dst ------------------------------------------------------------------------------------

// The destination of component `part` of element i, or of the whole element if `part` is -1.
static Node *element(Tr *t, Node *d, Node *i, int part)
{
    Node *at = acceptor_at(t, d, i);
    return part < 0 ? at : acceptor_part(t, at, part);
}

/// A function whose result, or component `part` of it, goes to the elements of d.
typedef struct {
    Node *lam, *body, *arg;
    Env *env, *inside; // environments of the argument and the body
    int lets;
    Node *d;
    int part;
} MapDst;

// Writes the map. Returns false and writes nothing if a part of the parameter is used twice.
static bool map_pass(Tr *t, const MapDst *m)
{
    Node *n = m->d->type->op[0];
    Put p = put_of_parameter(m->lam, m->lets);
    Sym i = sym_fresh(t->cx->syms, "i");
    put(t, &p, m->body, m->inside, element(t, m->d, nat_var(t->cx, i), m->part));
    if (p.twice) return false;
    Node *to = acceptor_of_hole(t, &p.hole);
    acc_block(t, m->arg, m->env, acceptor_of_elements(t, i, n, to));
    if (!p.own) return true;
    Loop l;
    loop_open(t, &l, n);
    p.writing = true;
    put(t, &p, m->body, m->inside, element(t, m->d, l.index, m->part));
    loop_close(t, &l);
    return true;
}

// Whether the body reads back a part that it has written.
static bool reads_back(Node *e, void *env)
{
    (void)env;
    bool view = e->variant == VARIANT_DST && kind_is_view((Kind)e->kind);
    ViewWrites writes = view ? view_row((Kind)e->kind)->writes : WRITES_NOTHING;
    return writes == WRITES_COPIES || (writes == WRITES_BORDER && e->attr.i != PAD_CONST);
}

// Whether the body is or contains a map.dst whose argument reads back what it has written. The map
// may discard a part of each element, which then cannot be read back.
static bool reads_back_through_map(Node *e, void *env)
{
    return e->kind == CORE_MAP && e->variant == VARIANT_DST && node_any(e->op[1], reads_back, env);
}

// Translates a map.dst whose function has no put. The function reads each element of the argument
// as soon as it is computed.                                                                [5.50]
static void map_eager(Tr *t, Node *e, Env *env, Node *d)
{
    Node *f = e->op[0];
    Stream xs;
    stream_open_in_turn(t, &xs, e->op[1], env);
    Loop l;
    loop_open(t, &l, e->type->op[0]);
    Readable *x = stream_next(t, &xs, l.index);
    acc_into(t, f->op[0], bind_args(t, f, env, &x, 1), acceptor_at(t, d, l.index));
    loop_close(t, &l);
}

// acc(map.dst(f, e), d) = new t. acc(e, t) ; for i { acc(f(t[i]), d[i]) }
static void map_stored(Tr *t, Node *e, Env *env, Node *d)
{
    Node *f = e->op[0];
    Readable *xs = con_in_memory(t, e->op[1], env, "t", VARIANT_ANY);
    Loop l;
    loop_open(t, &l, e->type->op[0]);
    Readable *x = read_at(t, xs, l.index);
    acc_into(t, f->op[0], bind_args(t, f, env, &x, 1), acceptor_at(t, d, l.index));
    loop_close(t, &l);
}

// acc(map.dst(\x. b, e), d) = acc(e, \i. put of b at d[i]) ; for i { the parts of b without x }
// If several components of b use the same part of x, each component becomes a map of its own.
// [5.57]
void acc_map_dst(Tr *t, Node *e, Env *env, Node *d)
{
    Node *lam = e->op[0];
    if (policy_put_passes(lam) == 0) {
        map_eager(t, e, env, d);
        return;
    }
    if (node_any(lam, reads_back_through_map, NULL)) {
        map_stored(t, e, env, d);
        return;
    }
    if (node_any(lam, reads_back, NULL) && !read_back(t, d)) {
        Memory m = emit_new(t, "t", e->type, VARIANT_ANY);
        acc_map_dst(t, e, env, m.d);
        copy_into(t, m.value, d);
        return;
    }
    MapDst m = {.lam = lam, .body = lam->op[0], .arg = e->op[1], .env = env, .d = d, .part = -1};
    for (Node *at = m.body; at->kind == CORE_LET; at = at->op[1]) m.lets++;
    m.inside = bind_lets(t, &m.body, push_parameter(t, env));
    if (map_pass(t, &m)) return;
    Node *parts = m.body;
    for (m.part = 0; m.part < (int)parts->nops; m.part++) {
        m.body = parts->op[m.part];
        bool done = map_pass(t, &m);
        TR_CHECK(t, done, "a part of a parameter that goes to two places");
    }
}
