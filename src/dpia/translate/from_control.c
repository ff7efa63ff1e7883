// Control flow: labels, jumps, and loops that are not patterns. Such terms become commands. Their
// value, if any, is () or goes to the destination of a label.
#include "dpia/translate/from_core.h"

static Node *command(Tr *t, Kind kind, Sym name, int nops, Node *const *ops)
{
    return node_make(
        t->cx,
        &(NodeSpec){.kind = kind, .attr.sym = name, .nops = nops, .ops = ops, .origin = t->origin});
}

// --- labels ------------------------------------------------------------------------------------

// acc(label k. e, d) = labelled k { acc(e, d) }, in which acc(jump k v, _) = acc(v, d) ; leave k
void acc_label(Tr *t, Node *e, Env *env, Node *d)
{
    Sym name = sym_fresh(t->cx->syms, e->names && e->names[0] ? e->names[0]->text : "k");
    struct Readable label = {.kind = READ_LABEL, .type = e->type, .acceptor = d, .label = name};
    Node *body = acc(t, e->op[0], env_push(t, env, readable_new(t, &label)), d);
    emit(t, command(t, COM_LABEL, name, 1, &body));
}

// con(label k. e, c) = new t. acc(label k. e, t) ; c(t)
Readable *con_label(Tr *t, Node *e, Env *env)
{
    if (is_nothing(e->type)) {
        acc_label(t, e, env, NULL);
        return readable_nothing(t, e->type);
    }
    TR_CHECK(t, !type_has_array(e->type), "a label of type %s is read", type_show(t->cx, e->type));
    Memory m = emit_new(t, "value", e->type, VARIANT_STACK);
    acc_label(t, e, env, m.d);
    return m.value;
}

Readable *con_jump(Tr *t, Node *e, Env *env)
{
    Readable *k = con(t, e->op[0], env);
    TR_CHECK(t, k->kind == READ_LABEL, "a jump to something that is not a label");
    if (e->nops > 1) acc_block(t, e->op[1], env, k->acceptor);
    emit(t, command(t, COM_JUMP, k->label, 0, NULL));
    return readable_nothing(t, e->type);
}

// --- loops -------------------------------------------------------------------------------------

Readable *con_forever(Tr *t, Node *e, Env *env)
{
    Block b;
    block_open(t, &b);
    con(t, e->op[0], env);
    Node *body = block_close(t, &b);
    emit(t, command(t, COM_FOREVER, NULL, 1, &body));
    return readable_nothing(t, e->type);
}

// Returns the bound of a range, which may be an integer of any type, as a size.
static Node *bound(Tr *t, Node *e, Env *env)
{
    Node *x = scalar_of(t, con(t, e, env)), *size = size_of_integer(t, x);
    if (size) return size;
    return size_of(t, readable_phrase(t, core_cast(t->cx, x, type_scalar(t->cx, SCALAR_I64))));
}

// The index as an integer of the range's type. The cast does not change its value, since both
// bounds have that type.
static Readable *index_value(Tr *t, Node *index, Node *type)
{
    Node *phrase = core_cast(t->cx, size_phrase(t, index), type);
    if (phrase->kind == CORE_CAST) map_put(&t->exact, MAP_KEY(phrase), (void *)(uintptr_t)index);
    return readable_phrase(t, phrase);
}

// con(range a b (\i. e)) = con(a, \x. con(b, \y. for_range i x y { con(e[i := cast i]) }))
Readable *con_range(Tr *t, Node *e, Env *env)
{
    Node *f = e->op[e->nops - 1], *ops[4];
    Kind kind = e->kind == CORE_RANGE      ? COM_RANGE
                : e->kind == CORE_PARALLEL ? COM_PARALLEL
                                           : COM_VECTORIZE;
    int n = 0;
    if (e->kind == CORE_PARALLEL) ops[n++] = scalar_of(t, con(t, e->op[0], env));
    if (e->kind == CORE_VECTORIZE) ops[n++] = bound(t, e->op[0], env);
    for (uint32_t i = e->nops - 3; i < e->nops - 1; i++) ops[n++] = bound(t, e->op[i], env);
    Loop l;
    range_open(t, &l, ops[n - 2], ops[n - 1]);
    Readable *index = index_value(t, l.index, type_param(f->type, 0));
    t->lockstep += kind != COM_RANGE;
    con(t, f->op[0], env_push(t, env, index));
    t->lockstep -= kind != COM_RANGE;
    ops[n++] = range_close(t, &l);
    emit(t, node_with_variant(t->cx, command(t, kind, l.name, n, ops), (Variant)e->variant));
    return readable_nothing(t, e->type);
}

// --- tasks --------------------------------------------------------------------------------------

// con(spawn (\. e), c) = task { con(e) } ; c(0). A wait waits for all tasks, so every task can have
// the number 0.
Readable *con_spawn(Tr *t, Node *e, Env *env)
{
    Block b;
    block_open(t, &b);
    con(t, e->op[0]->op[0], env);
    Node *body = block_close(t, &b);
    emit(t, command(t, COM_SPAWN, NULL, 1, &body));
    return readable_phrase(t, core_int(t->cx, e->type, 0));
}

// con(assert c, k) = con(c, \c. check c ; k(()))
Readable *con_assert(Tr *t, Node *e, Env *env)
{
    emit_check(t, E0614, scalar_of(t, con(t, e->op[0], env)));
    return readable_nothing(t, e->type);
}

// con(sync e, c) = con(e, \x. wait ; c(()))
Readable *con_sync(Tr *t, Node *e, Env *env)
{
    con(t, e->op[0], env);
    emit(t, command(t, COM_SYNC, NULL, 0, NULL));
    return readable_nothing(t, e->type);
}

// con(prefetch xs i, k) = con(xs, \x. con(i, \y. prefetch_of x[y] ; k(()))). What is not in memory
// needs no hint.
Readable *con_prefetch(Tr *t, Node *e, Env *env)
{
    Readable *xs = con(t, e->op[0], env);
    Node *i = size_of(t, con(t, e->op[1], env));
    if (xs->kind != READ_PHRASE && xs->kind != READ_PLACE) return readable_nothing(t, e->type);
    Node *ops[2] = {xs->phrase, index_phrase(t, i, xs->phrase->type->op[0])};
    Node *element = core_pattern(t->cx, CORE_INDEX, 0, 2, ops);
    emit(t, command(t, COM_PREFETCH, NULL, 1, &element));
    return readable_nothing(t, e->type);
}
