// Names in scope, for the printer and the reader.
#include "term/internal.h"

Scope scope_new(Arena *arena, const TermScope *outer)
{
    Scope s = {.arena = arena};
    bool named = (outer->level & (LEVEL_DPIA | LEVEL_LOOP)) != 0;
    for (int i = 0; i < outer->n; i++) {
        ScopeVar v = {outer->names[i], outer->types ? outer->types[i] : NULL};
        if (named)
            vec_push(arena, &s.named, v);
        else
            vec_push(arena, &s.bound, v);
    }
    return s;
}

const ScopeVar *scope_named(const Scope *s, Sym name)
{
    for (int i = s->named.len - 1; i >= 0; i--)
        if (s->named.at[i].name == name) return &s->named.at[i];
    return NULL;
}

bool scope_binder(Kind kind, int *first)
{
    switch (kind) {
    case ACC_MAP:
    case COM_FOR:
    case COM_NEW:
    case COM_LET: *first = 1; return true;
    case COM_RANGE: *first = 2; return true;
    case COM_PARALLEL:
    case COM_VECTORIZE: *first = 3; return true;
    case LOOP_FOR:
    case LOOP_DECL:
    case LOOP_TABLE:
    case LOOP_POINTER:
    case LOOP_ALLOC: *first = 2; return true;
    case LOOP_PARALLEL:
    case LOOP_VECTORIZE:
    case LOOP_STRIDED: *first = 3; return true;
    default: return false;
    }
}

Node *scope_binder_type(Session *cx, Kind kind, Node *const *ops)
{
    switch (kind) {
    case ACC_MAP:
    case COM_FOR: return type_idx(cx, ops[0]);
    case COM_LET: return ops[0]->type;
    case COM_RANGE:
    case COM_PARALLEL:
    case COM_VECTORIZE:
    case LOOP_FOR:
    case LOOP_PARALLEL:
    case LOOP_VECTORIZE:
    case LOOP_STRIDED: return type_scalar(cx, SCALAR_I64);
    default: return ops[0];
    }
}

bool scope_stays(Kind kind)
{
    return kind == LOOP_DECL || kind == LOOP_ALLOC || kind == LOOP_TABLE || kind == LOOP_POINTER;
}
