// State: locations, reading and writing them, and calls. A location is memory: a cell, the memory
// behind a reference parameter, or a part of either.
#include "dpia/translate/from_core.h"

static Readable *con_place(Tr *t, Node *e, Env *env)
{
    Readable *p = con(t, e, env);
    TR_CHECK(t, p->kind == READ_PLACE, "a reference to something that is not a place");
    return p;
}

Readable *con_reference(Tr *t, Node *e, Env *env)
{
    Session *cx = t->cx;
    Readable *p = con_place(t, e->op[e->kind == CORE_REF_SLICE ? 2 : 0], env);
    Node *phrase = p->phrase, *d = p->acceptor;
    switch ((Kind)e->kind) {
    case CORE_REF_AT: {
        Node *i = size_of(t, con(t, e->op[1], env));
        Node *index = index_phrase(t, i, phrase->type->op[0]);
        Kind element = phrase->type->kind == TYPE_VEC ? CORE_EXTRACT : CORE_INDEX;
        phrase = core_pattern(cx, element, 0, 2, (Node *[]){phrase, index});
        d = acceptor_at(t, d, i);
        break;
    }
    case CORE_REF_PROJ:
        phrase = core_proj(cx, phrase, (int)e->attr.i);
        d = acceptor_part(t, d, (int)e->attr.i);
        break;
    case CORE_REF_SLICE: {
        Node *type = type_array(cx, e->op[1], phrase->type->op[1]);
        Node *read[3] = {e->op[0], e->op[1], phrase}, *write[3] = {e->op[0], e->op[1], d};
        phrase = core_pattern(cx, VIEW_SLICE, 0, 3, read);
        d = acceptor(t, ACC_PART, 0, type, 3, write);
        break;
    }
    default: break; // borrow refers to the same location
    }
    return readable_place(t, e->type, phrase, d);
}

// con(get p, k) = con(p, \p. k(p)), but a use after a write to p needs a copy.
Readable *con_get(Tr *t, Node *e, Env *env)
{
    return readable_phrase(t, con_place(t, e->op[0], env)->phrase);
}

// con(put p e, k) = con(p, \p. acc(e, p) ; k(())). If e has several scalars, all are computed
// before the first is written. If e is an array, it reads no element of p that it has already
// changed, which memory_policy/ ensures.
Readable *con_put(Tr *t, Node *e, Env *env)
{
    Node *d = con_place(t, e->op[0], env)->acceptor, *v = e->op[1];
    if (type_is_value(v->type) || type_has_array(v->type)) {
        acc_block(t, v, env, d);
    } else {
        Block b;
        block_open(t, &b);
        copy_into(t, bind_scalars(t, con(t, v, env), "x", NULL, 0, 1), d);
        emit_block(t, &b);
    }
    return readable_nothing(t, e->type);
}

// --- calls -------------------------------------------------------------------------------------

// Whether the expression can be passed to a function as memory: it must be a dense part of memory
// without a layout.
static bool is_memory(const Tr *t, Node *e)
{
    for (Node *array; (array = view_dense_array(e));) e = array;
    return (e->kind == PH_VAR || e->kind == ACC_VAR) && !map_get(&t->blocks, MAP_KEY(e->attr.sym));
}

// Returns a value as a call argument: a scalar, an array in memory, or a tuple of these.
static Node *argument(Tr *t, Readable *r)
{
    if (type_is_atom(r->type)) return scalar_of(t, r);
    if (r->kind == READ_PHRASE && is_memory(t, r->phrase)) {
        if (r->phrase->kind == PH_VAR) map_put(&t->passed, MAP_KEY(r->phrase->attr.sym), t);
        return r->phrase;
    }
    if (type_has_elements(r->type)) {
        Memory m = emit_new(t, "arg", r->type, VARIANT_ANY);
        copy_into(t, r, m.d);
        return m.value->phrase;
    }
    int n = (int)r->type->nops;
    Node **parts = ARENA_ARRAY(t->arena, Node *, n + 1);
    for (int k = 0; k < n; k++) parts[k] = argument(t, read_component(t, r, k));
    return core_tuple(t->cx, n, parts, r->type);
}

static void emit_call(Tr *t, Node *e, Env *env, Node *to)
{
    Node **ops = ARENA_ARRAY(t->arena, Node *, e->nops + 1);
    ops[0] = to;
    for (uint32_t i = 0; i < e->nops; i++) {
        Readable *arg = con(t, e->op[i], env);
        ops[i + 1] = arg->kind == READ_PLACE ? arg->acceptor : argument(t, arg);
    }
    emit(t, node_make(t->cx, &(NodeSpec){.kind = COM_CALL,
                                         .attr = e->attr,
                                         .nops = (int)e->nops + 1,
                                         .ops = ops,
                                         .origin = t->origin}));
}

// con(call f e.., k) = con(e, \x. new t. invoke f t x.. ; k(t))
Readable *con_call(Tr *t, Node *e, Env *env)
{
    if (is_nothing(e->type)) {
        emit_call(t, e, env, node_make(t->cx, &(NodeSpec){.kind = COM_SKIP}));
        return readable_nothing(t, e->type);
    }
    Memory m = emit_new(t, "result", e->type, VARIANT_ANY);
    emit_call(t, e, env, m.d);
    return m.value;
}

// acc(call f e.., d) = con(e, \x. invoke f d x..), if d is memory
void acc_call(Tr *t, Node *e, Env *env, Node *d)
{
    if (is_memory(t, d))
        emit_call(t, e, env, d);
    else
        copy_into(t, con_call(t, e, env), d);
}
