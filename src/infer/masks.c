// Where masks are kept: a construct in SIMD mode with `scalar { }` in it is not a program of one lane, since what stands there is done once,
// for all lanes that come there together. It is done statement by statement, and between them a vector of bools says which lanes are there
// (elaborate_masks.c). Its parts are of three kinds: what is one for all lanes, what each lane does for itself, and what holds such parts.
#include "infer/internal.h"

bool infer_has_vector(Node *t)
{
    if (t->kind == TYPE_VEC) return true;
    for (uint32_t i = 0; i < t->nops; i++)
        if (infer_has_vector(t->op[i])) return true;
    return false;
}

bool infer_has_scalar(const Ast *e)
{
    if (e->kind == AST_SCALAR) return true;
    for (int i = 0; i < e->kids.len; i++)
        if (e->kids.at[i] && infer_has_scalar(e->kids.at[i])) return true;
    return false;
}

bool infer_has_scalar_from(const Ast *block, int i)
{
    for (; i < block->kids.len; i++)
        if (block->kids.at[i] && infer_has_scalar(block->kids.at[i])) return true;
    return false;
}

static bool is_vector(Body *b, const Ast *e)
{
    Node *t = infer_note(b, e)->type;
    return t && infer_has_vector(infer_resolve(b, t));
}

static bool is_jump(Body *b, const Note *note)
{
    const Local *l = note->local;
    return l && l->kind == LOCAL_VALUE && type_is_continuation(infer_resolve(b, l->type));
}

bool infer_mentions_jump(Body *b, const Ast *e, const Local *jump)
{
    const Note *note = infer_note(b, e);
    if (e->kind == AST_NAME && is_jump(b, note) && (!jump || note->local == jump)) return true;
    for (int i = 0; i < e->kids.len; i++)
        if (e->kids.at[i] && e->kids.at[i]->kind < AST_TYPE_NAME &&
            infer_mentions_jump(b, e->kids.at[i], jump))
            return true;
    return false;
}

// A variable or a part of one, and which part is the same for all lanes: it can be read as a whole.
static bool is_uniform_way(Body *b, const Ast *e)
{
    switch (e->kind) {
    case AST_NAME: return infer_note(b, e)->local && !is_jump(b, infer_note(b, e));
    case AST_INDEX:
        for (int i = 1; i < e->kids.len; i++)
            if (!infer_is_uniform(b, e->kids.at[i])) return false;
        return !infer_note(b, e)->symbol && is_uniform_way(b, e->kids.at[0]);
    case AST_FIELD:
    case AST_PROJ: return !infer_note(b, e)->symbol && is_uniform_way(b, e->kids.at[0]);
    case AST_PAREN:
    case AST_DEREF: return is_uniform_way(b, e->kids.at[0]);
    default: return false;
    }
}

bool infer_is_uniform(Body *b, const Ast *e)
{
    const Note *note = infer_note(b, e);
    if (is_vector(b, e)) return false;
    if (note->held) return true;
    bool part = e->kind == AST_INDEX || e->kind == AST_FIELD || e->kind == AST_PROJ;
    if (part && (note->symbol || is_uniform_way(b, e))) return true;
    if (e->kind == AST_SCALAR || (e->kind == AST_NAME && is_jump(b, note))) return false;
    for (int i = 0; i < e->kids.len; i++)
        if (e->kids.at[i] && e->kids.at[i]->kind < AST_TYPE_NAME &&
            !infer_is_uniform(b, e->kids.at[i]))
            return false;
    return true;
}

PartKind infer_part(Body *b, const Ast *e)
{
    const Note *note = infer_note(b, e);
    Node *place =
        e->kind == AST_ASSIGN ? infer_resolve(b, infer_note(b, e->kids.at[0])->type) : NULL;
    if (is_uniform_way(b, e) || infer_is_uniform(b, e)) return PART_UNIFORM;
    switch (e->kind) {
    case AST_NAME: return is_jump(b, note) ? PART_LANES : PART_UNIFORM;
    case AST_PAREN:
    case AST_UNCHECKED:
    case AST_BLOCK:
    case AST_SCALAR:
    case AST_REF:
    case AST_LAMBDA:
    case AST_TUPLE:
    case AST_ARRAY:
    case AST_STRUCT: return PART_HOLDS;
    case AST_IF:
    case AST_WHILE:
    case AST_LOOP:
    case AST_FOR:
    case AST_WITH: return note->simd && !infer_has_scalar(e) ? PART_LANES : PART_HOLDS;
    case AST_ASSIGN:
        if (infer_has_scalar(e->kids.at[1]) && !infer_note(b, e->kids.at[1])->held)
            return PART_HOLDS;
        return infer_has_uniform(place) ? PART_HOLDS : PART_LANES;
    default: return PART_LANES;
    }
}
