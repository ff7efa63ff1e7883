// Builds the Core for patterns and statements. A mutable variable is a cell that holds its value;
// immutable names inside a pattern are components of one variable.
#include "infer/terms/terms.h"

void elab_set_level(Elab *x, const Ast *pattern, int level)
{
    Local *l = infer_note(x->b, pattern)->local;
    if (l) l->level = level;
    for (int i = 0; ast_has_parts(pattern) && i < pattern->kids.len; i++)
        elab_set_level(x, pattern->kids.at[i], level);
}

Sym elab_pattern_name(Elab *x, const Ast *pattern)
{
    bool named = pattern->kind == AST_BIND || pattern->kind == AST_BIND_MUT;
    if (named && pattern->name) return pattern->name;
    return session_sym(x->cx, pattern->kind == AST_BIND_TUPLE    ? "t"
                              : pattern->kind == AST_BIND_ARRAY  ? "v"
                              : pattern->kind == AST_BIND_STRUCT ? "s"
                                                                 : "_");
}

void elab_cells(Elab *x, Lets *lets, const Ast *pattern)
{
    Local *l = infer_note(x->b, pattern)->local;
    for (int i = 0; ast_has_parts(pattern) && i < pattern->kids.len; i++)
        elab_cells(x, lets, pattern->kids.at[i]);
    if (!l || !l->mutable) return;
    Node *first = l->parent ? elab_part(x, elab_local(x, l->parent), l->component)
                            : elab_var(x, l->level, elab_type(x, l->type));
    l->level = x->depth;
    elab_push(x, lets, pattern->name, core_at(x->cx, core_new(x->cx, first), pattern->span));
}

// Where the variables of an address space are.
static const Variant variant_of[SPACE_COUNT] = {[SPACE_GLOBAL] = VARIANT_HEAP,
                                                [SPACE_SHARED] = VARIANT_SHARED,
                                                [SPACE_PRIVATE] = VARIANT_STACK};

// Builds the cell for a mutable name, at the source position of the pattern unless the value has a
// position of its own. One in an address space is always at that of the pattern, which errors show.
static Node *cell_of(Elab *x, const Ast *pattern, Node *value)
{
    Space space = infer_note(x->b, pattern)->local->space;
    bool own = value->kind != CORE_VAR && value->origin.file && space == SPACE_GENERIC;
    return core_at(x->cx, core_new_in(x->cx, value, variant_of[space]),
                   own ? value->origin : pattern->span);
}

void elab_bind(Elab *x, Lets *lets, const Ast *pattern, Node *value)
{
    const Local *l = infer_note(x->b, pattern)->local;
    elab_set_level(x, pattern, x->depth);
    if (l && l->mutable) {
        elab_push(x, lets, elab_pattern_name(x, pattern), cell_of(x, pattern, value));
        return;
    }
    elab_push(x, lets, elab_pattern_name(x, pattern), value);
    elab_cells(x, lets, pattern);
}

Node *elab_statement(Elab *x, Lets *lets, const Ast *s)
{
    if (s->kind == AST_FN) return NULL;
    const Ast *e = s->kind == AST_LET ? s->kids.at[2] : s;
    if (!infer_note(x->b, e)->type) return NULL; // a static size has no code
    Node *value = elab_open(x, e);
    if (value->type->kind == TYPE_NEVER) return value;
    if (s->kind == AST_LET)
        elab_bind(x, lets, s->kids.at[0], value);
    else
        elab_push(x, lets, NULL, value);
    return NULL;
}
