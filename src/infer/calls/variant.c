// Explicit variants, such as map.src(f, xs), xs |> split.dst[4], or reduce.seq as a function. A
// dotted name that begins with a pattern names a variant.
#include "infer/calls/calls.h"

#include <string.h>

static const Symbol *symbol_named(const Body *b, const Ast *e)
{
    if (e->kind != AST_NAME || !e->name || infer_local_named(&b->scope, e)) return NULL;
    return infer_symbol_named(&b->scope, e);
}

// The first dot of a name with one or two dots, such as map.seq and to_mem.stack.aos.
static const Ast *first_dot(const Ast *e)
{
    const Ast *inner = e->kids.at[0];
    return inner->kind == AST_FIELD && inner->name ? inner : e;
}

const Symbol *infer_pattern_variant(const Body *b, const Ast *e)
{
    if (e->kind != AST_FIELD) return NULL;
    const Symbol *y = symbol_named(b, ast_strip(first_dot(e)->kids.at[0]));
    return y && y->kind == SYMBOL_PATTERN ? y : NULL;
}

// Returns the symbol that a callee names, or NULL if it is a local or something else. Sets
// *generics to the generic arguments, which are parsed as an index if no call follows, as in
// `xs |> split[4]`.
const Symbol *infer_generic_name(const Body *b, const Ast *e, AstVec *generics)
{
    const Ast *name = e;
    *generics = e->generics;
    if (e->kind == AST_INDEX) {
        name = e->kids.at[0];
        if (name->generics.len) return NULL;
        *generics = e->kids;
        generics->at++;
        generics->len--;
    }
    return name->kind == AST_FIELD ? infer_pattern_variant(b, name) : symbol_named(b, name);
}

static const char *variants_of(Session *cx, const PatternRow *row)
{
    Text t = text_new(cx->arena);
    for (int v = 0; v < VARIANT_COUNT; v++)
        if (row->variants >> v & 1) text_printf(&t, "%s`%s`", t.len ? ", " : "", variant_text[v]);
    return text_get(&t);
}

// Returns the variant of pattern `y` that `callee` selects, and reports an unknown variant.
static Variant variant_of(Body *b, const Ast *callee, const Symbol *y)
{
    if (callee->kind == AST_INDEX) callee = callee->kids.at[0];
    if (callee->kind != AST_FIELD || !callee->name || y->kind != SYMBOL_PATTERN) return VARIANT_ANY;
    const PatternRow *row = &infer_patterns[y->row];
    const Ast *first = first_dot(callee);
    const char *name = first == callee ? callee->name->text
                                       : arena_printf(b->cx->arena, "%s.%s", first->name->text,
                                                      callee->name->text);
    for (int v = 0; v < VARIANT_COUNT; v++)
        if ((row->variants >> v & 1) && strcmp(name, variant_text[v]) == 0) return (Variant)v;
    Diag *d =
        diag_error(b->cx, E0326, callee->name_span, "%s has no variant `%s`", row->name, name);
    if (row->variants)
        diag_help(b->cx, d, "it has %s", variants_of(b->cx, row));
    else
        diag_help(b->cx, d, "it has no variants");
    b->failed = true;
    return VARIANT_ANY;
}

// In map.vec[8](f, xs) and to_mem.aosoa[8](x), the number precedes the pattern's own generics.
void infer_note_variant(Body *b, const Ast *e, const Ast *callee, const Symbol *y, AstVec *generics)
{
    Note *note = infer_note(b, e);
    note->variant = variant_of(b, callee, y);
    if (variant_operands(note->variant, 0) == 0) return;
    note->lanes = nat_const(b->cx, 1); // used after an error
    if (generics->len == 0) {
        bool lanes = note->variant == VARIANT_VEC;
        Diag *d = diag_error(b->cx, E0406, callee->span, "the number of %s is not given",
                             lanes ? "lanes" : "elements in a block");
        diag_help(b->cx, d, "give it in brackets: %s.%s[8](...)", infer_patterns[y->row].name,
                  variant_text[note->variant]);
        b->failed = true;
        return;
    }
    Node *lanes = infer_size(&b->scope, generics->at[0]);
    if (lanes)
        note->lanes = lanes;
    else
        b->failed = true;
    generics->at++;
    generics->len--;
}
