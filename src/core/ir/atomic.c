// Atomic updates. Their meaning is defined in std.atomics. In Core they are residual functions, one
// per type. Staging does not inline them, and they become atomic machine instructions.
#include "core/ir/core.h"

#include <string.h>

static const char module[] = "std.atomics";

const AtomicInfo atomic_info[ATOMIC_COUNT] = {
    [ATOMIC_ADD] = {"atomic_fetch_add", PRIM_ADD, 2},
    [ATOMIC_MIN] = {"atomic_fetch_min", PRIM_MIN, 2},
    [ATOMIC_MAX] = {"atomic_fetch_max", PRIM_MAX, 2},
    [ATOMIC_EXCHANGE] = {"atomic_exchange", PRIM_ADD, 2},
    [ATOMIC_CAS] = {"atomic_cas", PRIM_ADD, 3},
};

Atomic core_atomic_of(Sym function)
{
    const char *name = function->text;
    bool declared = core_is_of_module(function, module);
    if (declared) name += sizeof module; // and the dot
    for (int a = 0; a < ATOMIC_COUNT; a++) {
        size_t len = strlen(atomic_info[a].name);
        if (strncmp(name, atomic_info[a].name, len) == 0 && name[len] == (declared ? 0 : '.'))
            return (Atomic)a;
    }
    return ATOMIC_COUNT;
}

// The term that writes the new element, with the parameters and the old value in scope.
static Node *written(Session *cx, Atomic a, Node *place, Node *old, Node *type)
{
    Node *value = core_var(cx, 1, type), *expected = core_var(cx, 2, type);
    switch (a) {
    case ATOMIC_EXCHANGE: return core_set(cx, place, value);
    case ATOMIC_CAS:
        return core_if(cx, core_prim(cx, PRIM_EQ, 2, (Node *[]){old, expected}),
                       core_set(cx, place, value), core_unit(cx));
    default:
        return core_set(cx, place, core_prim(cx, atomic_info[a].op, 2, (Node *[]){old, value}));
    }
}

Function *core_atomic_function(Session *cx, Atomic a, Node *type)
{
    static const char *const names[] = {"place", "expected", "value"};
    Function *f = ARENA_NEW(cx->arena, Function);
    const char *name = arena_printf(cx->arena, "%s.%s", atomic_info[a].name, type_show(cx, type));
    Node *ref = type_ref(cx, type, true, SPACE_GENERIC), *old = core_var(cx, 0, type);
    int n = atomic_info[a].arity;
    *f = (Function){.name = session_sym(cx, name), .result = type};
    for (int i = 0; i < n; i++) {
        const char *param = names[i == n - 1 ? 2 : i];
        Param p = {.name = session_sym(cx, param), .type = i ? type : ref};
        vec_push(cx->arena, &f->params, p);
    }
    Node *write = written(cx, a, core_var(cx, n, ref), old, type);
    f->body = core_let(cx, session_sym(cx, "old"), core_get(cx, core_var(cx, n - 1, ref)),
                       core_seq(cx, write, old));
    return f;
}
