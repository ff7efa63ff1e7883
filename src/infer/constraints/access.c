// Indices, components and fields.
#include "infer/constraints/constraints.h"

#include <string.h>

bool infer_try_index(Body *b, Wait *w, bool final)
{
    Node *t = infer_resolve(b, w->operand[0]);
    if (t->kind == TYPE_IDX || t->kind == TYPE_ERROR || type_is_integer(t)) return true;
    if (t->kind == TYPE_META && !final && !w->literal[0]) return false;
    if (t->kind == TYPE_META) {
        if (solver_require(b->scope.solver, t, META_INT))
            return infer_unify(b, infer_i64(b), t, w->at->span, no_why), true;
    }
    if (t->kind == TYPE_VAR && infer_require(b, t, GENERIC_INT)) return true;
    Diag *d = diag_error(b->cx, E0306, w->at->span, "an index is an integer, not %s",
                         infer_is_unknown(t) ? "a float" : infer_show_found(b, t));
    if (infer_is_unknown(t) || type_is_float(t))
        diag_help(b->cx, d, "cut off the fraction: i64(%s)", infer_written(b, w->at->span));
    b->failed = true;
    return true;
}

Node *infer_index_type(Body *b, const Ast *at, Node *type)
{
    Wait w = {.kind = WAIT_INDEX, .at = at, .nops = 1, .operand = {infer_settle(b, type)}};
    w.literal[0] = ast_is_literal(at);
    if (!infer_try_index(b, &w, false)) infer_add_wait(b, &w);
    return type;
}

static bool try_component(Body *b, Wait *w, Node *t)
{
    int64_t k = w->at->value.integer;
    if (t->kind == TYPE_TUPLE && k >= 0 && k < t->nops)
        return infer_unify(b, w->result, t->op[k], w->at->span, no_why), true;
    Diag *d = diag_error(b->cx, E0307, w->at->span, "`%s` has no component %lld", infer_show(b, t),
                         (long long)k);
    if (t->kind == TYPE_TUPLE) diag_note(b->cx, d, NO_SPAN, "components are counted from 0");
    if (t->kind == TYPE_ARRAY && t->op[1]->kind == TYPE_TUPLE)
        diag_help(b->cx, d, "for the components of the elements use unzip(...).%lld", (long long)k);
    if (t->kind == TYPE_FUN) infer_help_partial(b, d, w->at->kids.at[0]->span);
    return infer_wait_failed(b, w);
}

// Adds a hint for a method call in the style of other languages. If there are several arguments,
// the receiver is usually the last one.
static void help_method(Body *b, Diag *d, const Ast *at)
{
    const Source *s = b->cx->sources.at[at->span.file - 1];
    const Ast *x = at->kids.at[0];
    if (strncmp(s->text + at->span.hi, "()", 2) == 0)
        diag_help(b->cx, d, "functions are not methods: %s(%s)", at->name->text,
                  x->kind == AST_NAME && x->name ? x->name->text : "x");
    else
        diag_help(b->cx, d, "functions are not methods: x |> %s(...)", at->name->text);
}

// Adds an edit if `t` is an array of structs with the field, and returns whether it is.
static bool help_elements(Body *b, Diag *d, Node *t, const Ast *at)
{
    Node *element = infer_resolve(b, type_elements(t));
    const Symbol *y = t->kind == TYPE_ARRAY ? infer_struct_symbol(b->in, element) : NULL;
    for (uint32_t i = 0; y && y->kind == SYMBOL_STRUCT && i < element->nops; i++) {
        if (y->fields[i] != at->name) continue;
        int rank = 0;
        type_strip_arrays(t, NULL, 0, &rank);
        Text text = text_new(b->arena);
        for (int k = 0; k < rank; k++) text_put(&text, "map(");
        text_printf(&text, "|e| e.%s", at->name->text);
        for (int k = 1; k < rank; k++) text_char(&text, ')');
        const char *array = infer_written(b, at->kids.at[0]->span);
        text_printf(&text, ", %s)", array);
        if (strcmp(array, "...") == 0)
            diag_help(b->cx, d, "the fields of the elements: %s", text_get(&text));
        else
            diag_fix(b->cx, d, at->span, text_get(&text), "the fields of the elements: %s",
                     text_get(&text));
        return true;
    }
    return false;
}

// Adds hints for names that are methods or properties in other languages.
static void help_field(Body *b, Diag *d, Node *t, const Ast *at)
{
    Sym name = at->name;
    const Symbol *y = infer_find_symbol(&b->scope, name);
    bool function =
        y && (y->kind == SYMBOL_FN || y->kind == SYMBOL_PATTERN || y->kind == SYMBOL_PRIM);
    const char *foreign = y && y->kind == SYMBOL_FN ? NULL : foreign_field(name->text);
    if (foreign && t->kind == TYPE_ARRAY)
        diag_help(b->cx, d, "%s", foreign);
    else if (function || infer_suggest_import(&b->scope, d, name))
        help_method(b, d, at);
}

static bool try_field(Body *b, Wait *w, Node *t)
{
    const Symbol *y = infer_struct_symbol(b->in, t);
    Sym name = w->at->name;
    Span span = w->at->name_span.file ? w->at->name_span : w->at->span;
    if (!name) return infer_wait_failed(b, w);
    if (y && y->kind == SYMBOL_ENUM) {
        Diag *d =
            diag_error(b->cx, E0307, span, "`%s` is an enum and has no fields", y->name->text);
        diag_help(b->cx, d, "take it apart with match");
        return infer_wait_failed(b, w);
    }
    for (uint32_t i = 0; y && i < t->nops; i++)
        if (y->fields[i] == name)
            return infer_unify(b, w->result, t->op[i], w->at->span, no_why), true;
    Diag *d =
        diag_error(b->cx, E0307, span, "`%s` has no field `%s`", infer_show(b, t), name->text);
    if (y) diag_note(b->cx, d, y->item->name_span, "the struct is declared here");
    if (t->kind == TYPE_FUN)
        infer_help_partial(b, d, w->at->kids.at[0]->span);
    else if (!help_elements(b, d, t, w->at))
        help_field(b, d, t, w->at);
    return infer_wait_failed(b, w);
}

bool infer_try_access(Body *b, Wait *w)
{
    Node *t = infer_resolve(b, w->operand[0]);
    if (t->kind == TYPE_REF) t = infer_resolve(b, t->op[0]);
    if (t->kind == TYPE_ERROR) return infer_wait_failed(b, w);
    if (t->kind == TYPE_META) return false;
    return w->kind == WAIT_PROJ ? try_component(b, w, t) : try_field(b, w, t);
}

Node *infer_project(Body *b, const Ast *at, Node *type)
{
    Wait w = {.kind = at->kind == AST_FIELD ? WAIT_FIELD : WAIT_PROJ,
              .at = at,
              .nops = 1,
              .operand = {infer_settle(b, type)},
              .result = infer_unknown(b)};
    if (!infer_try_access(b, &w)) infer_add_wait(b, &w);
    return infer_resolve(b, w.result);
}
