// Notes: the results of inference for the expressions of a body.
#include "infer/constraints/constraints.h"

Note *infer_note(const Body *b, const Ast *e)
{
    Unit *u = b->scope.unit;
    int k = e->id - u->first_id;
    CHECK(b->cx, k >= 0 && k < u->nnotes + b->more.len, "expression %d has no note", e->id);
    return k < u->nnotes ? &u->notes[k] : b->more.at[k - u->nnotes];
}

Ast *infer_new_ast(Body *b, AstKind kind, Span span)
{
    const Unit *u = b->scope.unit;
    Ast *e = ARENA_NEW(b->arena, Ast);
    *e = (Ast){.kind = kind, .span = span, .id = u->first_id + u->nnotes + b->more.len};
    vec_push(b->arena, &b->more, ARENA_NEW(b->arena, Note));
    return e;
}

Node *infer_error(Body *b)
{
    b->failed = true;
    return type_error(b->cx);
}
