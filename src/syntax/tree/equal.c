// Equality of syntax trees, ignoring spans, ids and comments.
#include "syntax/tree/ast.h"

#include <string.h>

static bool text_equal(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

// Whether two names are equal. Names from different sessions are compared by spelling.
static bool name_equal(Sym a, Sym b)
{
    return a == b || (a && b && text_equal(a->text, b->text));
}

static bool all_equal(const AstVec *a, const AstVec *b)
{
    if (a->len != b->len) return false;
    for (int i = 0; i < a->len; i++)
        if (!ast_equal(a->at[i], b->at[i])) return false;
    return true;
}

static bool item_equal(const Item *a, const Item *b);

static bool value_equal(const Ast *a, const Ast *b)
{
    if (a->kind == AST_BLOCK) return ast_equal(a->value.written, b->value.written);
    if (a->kind == AST_FN) return item_equal(a->value.item, b->value.item);
    if (a->kind == AST_STRING || a->kind == AST_BIND_OPTION)
        return text_equal(a->value.string, b->value.string);
    if (a->kind == AST_FLOAT)
        return memcmp(&a->value.number, &b->value.number, sizeof a->value.number) == 0;
    return a->value.integer == b->value.integer; // 0 in kinds that do not use it
}

bool ast_equal(const Ast *a, const Ast *b)
{
    if (a == b) return true;
    if (a && b && is_tuple_assignment(a) && is_tuple_assignment(b))
        return ast_equal(a->value.written, b->value.written); // names in the block are fresh
    return a && b && a->kind == b->kind && a->strided == b->strided &&
           name_equal(a->name, b->name) && name_equal(a->suffix, b->suffix) && value_equal(a, b) &&
           all_equal(&a->generics, &b->generics) && all_equal(&a->kids, &b->kids);
}

static bool generics_equal(const Item *a, const Item *b)
{
    if (a->generics.len != b->generics.len) return false;
    for (int i = 0; i < a->generics.len; i++)
        if (!name_equal(a->generics.at[i].name, b->generics.at[i].name) ||
            !name_equal(a->generics.at[i].kind, b->generics.at[i].kind))
            return false;
    return true;
}

static bool params_equal(const AstParamVec *a, const AstParamVec *b)
{
    if (a->len != b->len) return false;
    for (int i = 0; i < a->len; i++) {
        const AstParam *x = &a->at[i], *y = &b->at[i];
        if (!name_equal(x->name, y->name) || !ast_equal(x->type, y->type) ||
            !text_equal(x->doc, y->doc) || !ast_equal(x->filter, y->filter))
            return false;
    }
    return true;
}

static bool options_equal(const Item *a, const Item *b)
{
    if (a->options.len != b->options.len) return false;
    for (int i = 0; i < a->options.len; i++) {
        const AstOption *x = &a->options.at[i], *y = &b->options.at[i];
        if (!name_equal(x->name, y->name) || !all_equal(&x->types, &y->types) ||
            !text_equal(x->doc, y->doc))
            return false;
    }
    return true;
}

static bool schedule_equal(const Item *a, const Item *b)
{
    if (!name_equal(a->target, b->target) || a->tuned.len != b->tuned.len) return false;
    for (int i = 0; i < a->tuned.len; i++)
        if (!name_equal(a->tuned.at[i].name, b->tuned.at[i].name) ||
            !all_equal(&a->tuned.at[i].choices, &b->tuned.at[i].choices))
            return false;
    return true;
}

static bool item_equal(const Item *a, const Item *b)
{
    if (a->kind != b->kind || a->entry != b->entry || a->fp != b->fp ||
        a->passed_on != b->passed_on || (a->c_layout.file != 0) != (b->c_layout.file != 0) ||
        a->imported.len != b->imported.len)
        return false;
    for (int i = 0; i < a->imported.len; i++)
        if (!ast_equal(a->imported.at[i], b->imported.at[i])) return false;
    return name_equal(a->name, b->name) && text_equal(a->doc, b->doc) && generics_equal(a, b) &&
           params_equal(&a->numbers, &b->numbers) && params_equal(&a->params, &b->params) &&
           options_equal(a, b) && schedule_equal(a, b) && ast_equal(a->filter, b->filter) &&
           ast_equal(a->simd, b->simd) && ast_equal(a->type, b->type) &&
           all_equal(&a->where, &b->where) && ast_equal(a->body, b->body) &&
           text_equal(a->string, b->string);
}

bool module_equal(const Module *a, const Module *b)
{
    if (a->items.len != b->items.len) return false;
    for (int i = 0; i < FILE_ATTRIBUTE_COUNT; i++)
        if ((a->says[i].file != 0) != (b->says[i].file != 0)) return false;
    for (int i = 0; i < a->items.len; i++)
        if (!item_equal(a->items.at[i], b->items.at[i])) return false;
    return true;
}
