// acc(e : wr T, d : Acc[T]): the command that writes e into d (RISE & Shine, listing 8), and the
// entry point of the translation. Numbers in brackets are equations of Lin's thesis.
#include "dpia/translate/from_core.h"
#include "ir/walk.h"
#include "memory_policy/memory_policy.h"

// --- loops --------------------------------------------------------------------------------------

// Opens the loop over the elements of d, or a plain block if d discards all elements but one.
// [5.48]
static Node *elements_open(Tr *t, Loop *l, Node *e, Node *d, bool any_order)
{
    if (!any_order || d->kind != ACC_ELEMENT || !size_of_phrase(t, d->op[0])) {
        loop_open(t, l, e->type->op[0]);
        loop_as(t, l, e);
        return acceptor_at(t, d, l->index);
    }
    block_open(t, &l->block);
    l->n = NULL;
    l->index = size_of_phrase(t, d->op[0]);
    return d->op[1];
}

static void elements_close(Tr *t, Loop *l)
{
    if (l->n)
        loop_close(t, l);
    else
        emit_block(t, &l->block);
}

// acc(map.seq f xs, d) = con(xs, \x. for i { acc(f(x[i]), d[i]) })                        [5.13]
// The same holds for map.par and map.vec: an iteration gets its index and the acceptor at that
// index, so no two iterations write the same location (parFor in RISE & Shine).
static void acc_map(Tr *t, Node *e, Env *env, Node *d)
{
    Node *f = e->op[0];
    Stream xs;
    Loop l;
    if (policy_in_any_order(e))
        stream_open_any(t, &xs, e->op[1], env);
    else
        stream_open(t, &xs, e->op[1], env);
    Node *to = elements_open(t, &l, e, d, !xs.e);
    Readable *x = stream_next(t, &xs, l.index);
    acc_into(t, f->op[0], bind_args(t, f, env, &x, 1), to);
    elements_close(t, &l);
}

// acc(generate.seq f, d) = for i { acc(f(i), d[i]) }
static void acc_generate(Tr *t, Node *e, Env *env, Node *d)
{
    Node *f = e->op[1];
    Loop l;
    Node *to = elements_open(t, &l, e, d, true);
    Readable *i = readable_phrase(t, index_phrase(t, l.index, e->op[0]));
    acc_into(t, f->op[0], bind_args(t, f, env, &i, 1), to);
    elements_close(t, &l);
}

// acc(slide.window s t xs, d) = ... for i { shift ; load ; d[i] := w }                      [5.15]
static void acc_window(Tr *t, Node *e, Env *env, Node *d)
{
    Stream s;
    Loop l;
    stream_open(t, &s, e, env);
    loop_open(t, &l, e->type->op[0]);
    copy_into(t, stream_next(t, &s, l.index), acceptor_at(t, d, l.index));
    loop_close(t, &l);
}

static void acc_pattern(Tr *t, Node *e, Env *env, Node *d)
{
    if (e->kind == CORE_MAP && e->variant == VARIANT_DST) {
        acc_map_dst(t, e, env, d);
        return;
    }
    bool loop = e->variant == VARIANT_SEQ || e->variant == VARIANT_UNROLL;
    TR_CHECK(t, loop || policy_in_any_order(e), "%s that is written needs a loop",
             kind_info[e->kind].text);
    if (e->kind == CORE_MAP)
        acc_map(t, e, env, d);
    else
        acc_generate(t, e, env, d);
}

// --- destination views --------------------------------------------------------------------------

// acc(permute.dst(p, q, xs), d) = new y := q ; acc(scatter(y, xs), d): element j goes to q(j). Each
// location is written exactly once, since p(q(j)) = j.
static void acc_permute(Tr *t, Node *e, Env *env, Node *d)
{
    Node *n = e->type->op[0], *f = e->op[1];
    Node *type = type_array(t->cx, n, type_idx(t->cx, n));
    Memory to = emit_new(t, "to", type, VARIANT_ANY);
    Loop l;
    loop_open(t, &l, n);
    Readable *j = readable_phrase(t, index_phrase(t, l.index, n));
    Node *at = size_of(t, con_lambda(t, f, env, &j, 1));
    emit_assign(t, acceptor_at(t, to.d, l.index), index_phrase(t, at, n));
    require_inverse(t, e->op[0], env, at, l.index, n);
    loop_close(t, &l);
    Node *hole = node_make(t->cx, &(NodeSpec){.kind = PH_HOLE, .type = e->op[2]->type});
    Node *scatter = core_pattern(t->cx, CORE_SCATTER, 0, 2, (Node *[]){to.value->phrase, hole});
    acc_block(t, e->op[2], env, acceptor_put(t, scatter, 1, d));
}

// acc(view.dst e.., d) = acc(e, put_view(d)) ..                                [5.36, 5.40-41]
static void acc_operands(Tr *t, Node *e, Env *env, Node *d)
{
    Node *view = put_of_view(t, e, env);
    int last = (int)e->nops - 1;
    for (int k = 0; k < last; k++)
        if (view_role(e, k) == ROLE_DATA) acc_block(t, e->op[k], env, acceptor_put(t, view, k, d));
    acc_into(t, e->op[last], env, acceptor_put(t, view, last, d));
}

static void acc_view(Tr *t, Node *e, Env *env, Node *d)
{
    if (e->variant == VARIANT_WINDOW) {
        acc_window(t, e, env, d);
        return;
    }
    TR_CHECK(t, e->variant == VARIANT_DST, "%s that is written needs a side",
             kind_info[e->kind].text);
    if (!kind_is_view((Kind)e->kind)) {
        acc_into(t, e->op[0], env, put_of_part(t, e, env, d));
        return;
    }
    switch (view_row((Kind)e->kind)->writes) {
    case WRITES_DATA:
    case WRITES_PART: acc_operands(t, e, env, d); return;
    case WRITES_BORDER: acc_pad(t, e, env, d); return;
    case WRITES_COPIES: acc_repeat(t, e, env, d); return;
    case WRITES_PERMUTED: acc_permute(t, e, env, d); return;
    case WRITES_NOTHING: break;
    }
    session_ice(t->cx, __FILE__, __LINE__, "%s cannot be written through", kind_info[e->kind].text);
}

// --- conditionals, aggregates, dispatch ---------------------------------------------------------

// acc(if c a b, d) = con(c, \c. if c { acc(a, d) } else { acc(b, d) }); d := c ? a : b if the
// branches only assign.
static void acc_if(Tr *t, Node *e, Env *env, Node *d)
{
    if (acc_choice(t, e, env, d)) return;
    Node *condition = scalar_of(t, con(t, e->op[0], env));
    Node *a = acc(t, e->op[1], env, d), *b = acc(t, e->op[2], env, d);
    if (a->kind != COM_ASSIGN || b->kind != COM_ASSIGN || a->op[0] != d || b->op[0] != d)
        emit_if(t, condition, a, b);
    else if (a->op[1] == b->op[1])
        emit(t, a);
    else
        emit_assign(t, d, select_scalar(t, condition, a->op[1], b->op[1]));
}

// acc(tuple(a, b), d) = acc(a, d.0) ; acc(b, d.1)                                         [5.51]
// A constant table is copied.
static void acc_parts(Tr *t, Node *e, Env *env, Node *d)
{
    bool array = e->kind == CORE_ARRAY;
    if (core_is_table(e)) {
        copy_into(t, readable_phrase(t, e), d);
        return;
    }
    for (uint32_t k = 0; k < e->nops; k++)
        acc_block(t, e->op[k], env,
                  array ? acceptor_at(t, d, nat_const(t->cx, k)) : acceptor_part(t, d, (int)k));
}

static void acc_array(Tr *t, Node *e, Env *env, Node *d)
{
    switch ((Kind)e->kind) {
    case CORE_UNDEFINED: // only the elements of a [?n]t beyond its count may stay unwritten
        (e->variant == VARIANT_UNCHECKED ? leave_undefined : fill_zero)(t, d);
        return;
    case CORE_IF: acc_if(t, e, env, d); return;
    case CORE_TUPLE:
    case CORE_ARRAY: acc_parts(t, e, env, d); return;
    case CORE_MAP:
    case CORE_GENERATE: acc_pattern(t, e, env, d); return;
    case CORE_REDUCE:
    case CORE_FOLD: acc_reduction(t, e, env, d); return;
    case CORE_ITERATE: acc_iterate(t, e, env, d); return;
    case CORE_SCAN:
    case CORE_SCAN_EX: acc_scan(t, e, env, d); return;
    case CORE_SCATTER:
    case CORE_SCATTER_WITH: acc_scatter(t, e, env, d); return;
    case CORE_LABEL: acc_label(t, e, env, d); return;
    case CORE_CALL: acc_call(t, e, env, d); return;
    case CORE_COPY: copy_into(t, con(t, e->op[0], env), d); return;
    case CORE_PROJ:
    case CORE_INDEX: acc_view(t, e, env, d); return;
    default: break;
    }
    if (kind_is_view((Kind)e->kind)) {
        acc_view(t, e, env, d);
        return;
    }
    session_ice(t->cx, __FILE__, __LINE__, "%s where a destination has to be filled",
                kind_info[e->kind].text);
}

// For types without arrays, acc reads e and assigns it to d. A conditional, label or call passes d
// on instead, so that the branches, the jumps or the callee write it.
static void acc_scalars(Tr *t, Node *e, Env *env, Node *d)
{
    if (is_nothing(e->type))
        con(t, e, env);
    else if (e->kind == CORE_IF)
        acc_if(t, e, env, d);
    else if (e->kind == CORE_LABEL)
        acc_label(t, e, env, d);
    else if (e->kind == CORE_CALL)
        acc_call(t, e, env, d);
    else if (e->variant == VARIANT_DST)
        acc_view(t, e, env, d);
    else
        copy_into(t, con(t, e, env), d);
}

// A pure array that is discarded is not computed. Only scalars outside its elements, such as the
// border of a pad, are evaluated, since they may fail.
static void discard(Tr *t, Node *e, Env *env)
{
    Map failing = map_new(t->arena);
    if (!type_has_array(e->type) || !core_may_fail(&failing, e)) return;
    env = bind_lets(t, &e, env);
    for (int k = 0; k < (int)e->nops; k++) {
        bool branch = e->kind == CORE_IF && k > 0;
        if (kind_sort((Kind)e->kind, k) != SORT_TERM || branch || node_binds(e, k)) continue;
        if (type_has_array(e->op[k]->type))
            discard(t, e->op[k], env);
        else if (core_may_fail(&failing, e->op[k]))
            con(t, e->op[k], env);
    }
}

static void acc_by_kind(Tr *t, Node *e, Env *env, Node *d)
{
    if (d && d->kind == ACC_NONE && policy_is_pure(e)) {
        discard(t, e, env);
        return;
    }
    Span before = t->origin;
    Updates u = {.d = d};
    env = bind_lets_of(t, &e, env, &u);
    if (e->nops && e->origin.file) t->origin = e->origin;
    if (type_has_array(e->type))
        acc_array(t, e, env, d);
    else
        acc_scalars(t, e, env, d);
    if (u.any) accumulate_close(t, &u.accumulate);
    t->origin = before;
}

// --- the entry ----------------------------------------------------------------------------------

// A name for the result that differs from the names of parameters and sizes.
static Sym result_name(Tr *t, const Function *low)
{
    Sym out = session_sym(t->cx, "out");
    bool taken = false;
    for (int i = 0; i < low->params.len; i++) taken |= low->params.at[i].name == out;
    for (int i = 0; i < low->generics.len; i++) taken |= low->generics.at[i].name == out;
    return taken ? sym_fresh(t->cx->syms, "out") : out;
}

// Creates a phrase with the function's header. Its sizes are those of the entry, except that a C
// function has its own.
static Phrase *header(Tr *t, const Function *low, const Function *entry)
{
    Arena *arena = t->cx->arena;
    Phrase *p = ARENA_NEW(arena, Phrase);
    p->name = low->name;
    p->span = low->span;
    p->doc = low->doc;
    p->external = low->external;
    p->chosen = low->chosen;
    p->scheduled = low->scheduled;
    p->defaulted = low->defaulted;
    if (low == entry) p->spread = low->spread; // other functions may be called on threads already
    p->strided = low->strided;
    p->out = (Param){.name = result_name(t, low), .type = low->result};
    const Function *sized = low->external ? low : entry;
    for (int i = 0; i < sized->generics.len; i++)
        vec_push(arena, &p->sizes, sized->generics.at[i].name);
    p->helpers = low->external ? NULL : t->helpers;
    for (int i = 0; i < low->params.len; i++) vec_push(arena, &p->params, low->params.at[i]);
    for (int i = 0; i < low->where.len; i++) vec_push(arena, &p->checks, low->where.at[i]);
    for (int i = 0; i < low->checks.len; i++) vec_push(arena, &p->checks, low->checks.at[i]);
    return p;
}

// Returns the value of a parameter in the body, and records what is known about it.
static Readable *parameter(Tr *t, const Param *p)
{
    if (p->type->kind == TYPE_REF) {
        map_put(&t->memory, MAP_KEY(p->name), (void *)(uintptr_t)p->type->op[0]);
        map_put(&t->references, MAP_KEY(p->name), t);
        return place_of_memory(t, p->type, p->name);
    }
    if (type_is_atom(p->type)) learn_name(t, p->name, p->type, NULL);
    return readable_phrase(t, phrase_var(t, p->name, p->type));
}

// Finds a reduction or scan that is computed in chunks, one per thread.
static Walk find_chunks(Node *e, void *env)
{
    (void)env;
    bool found = e->variant == VARIANT_PAR && e->kind >= CORE_REDUCE && e->kind <= CORE_SCAN_EX;
    return found ? WALK_STOP : WALK_INTO;
}

// Creates the size that holds the number of worker threads. Returns NULL if nothing needs it.
static Sym helpers_of(Session *cx, const Function *low)
{
    Map seen = map_new(cx->arena);
    bool used = low->body && node_walk_once(&seen, low->body, find_chunks, NULL);
    for (int i = 0; i < low->callees.len; i++) {
        Node *body = low->callees.at[i]->body;
        used |= body && node_walk_once(&seen, body, find_chunks, NULL);
    }
    return used ? sym_fresh(cx->syms, "helpers") : NULL;
}

static void learn_sizes(Tr *t, const Phrase *p)
{
    for (int i = 0; i < p->sizes.len; i++) {
        Sym name = p->sizes.at[i];
        map_put(&t->sizes, MAP_KEY(name), (void *)(uintptr_t)nat_var(t->cx, name));
    }
    for (int i = 0; i < p->params.len; i++)
        lengths_add_type(t->cx, &t->lengths, p->params.at[i].type);
    lengths_add_type(t->cx, &t->lengths, p->out.type);
    lengths_add_checks(t->cx, &t->lengths, p->checks.at, p->checks.len);
}

static Phrase *translate(Session *cx, const Function *low, const Function *entry, Sym helpers)
{
    Arena *arena = cx->arena;
    Tr t = {.cx = cx,
            .arena = arena,
            .con = con_by_kind,
            .acc = acc_by_kind,
            .index_types = map_new(arena),
            .memory = map_new(arena),
            .blocks = map_new(arena),
            .cells = map_new(arena),
            .references = map_new(arena),
            .passed = map_new(arena),
            .integers = map_new(arena),
            .sizes = map_new(arena),
            .block_names = map_new(arena),
            .exact = map_new(arena),
            .helpers = helpers};
    Phrase *p = header(&t, low, entry);
    if (p->external) return p;
    Block b;
    learn_sizes(&t, p);
    t.out = p->out.name;
    map_put(&t.memory, MAP_KEY(t.out), (void *)(uintptr_t)p->out.type);
    block_open(&t, &b);
    size_checks_assume(cx, b.facts, &entry->where);
    size_checks_assume(cx, b.facts, &entry->checks);
    if (low != entry) size_checks_assume(cx, b.facts, &low->where);
    Env *env = NULL;
    for (int i = 0; i < p->params.len; i++)
        env = env_push(&t, env, parameter(&t, &p->params.at[i]));
    acc_into(&t, low->body, env, acceptor_var(&t, p->out.name, p->out.type));
    p->body = block_close(&t, &b);
    return p;
}

Phrase *dpia_from_core(Session *cx, const Function *low)
{
    Sym helpers = helpers_of(cx, low);
    Phrase *p = translate(cx, low, low, helpers);
    for (int i = 0; i < low->callees.len; i++)
        vec_push(cx->arena, &p->callees, translate(cx, low->callees.at[i], low, helpers));
    return p;
}
