// Lists the names that a file declares, and where each can be used.
#include "driver/lsp/analysis/analysis.h"

static const DeclKind kind_of_item[] = {
    [ITEM_IMPORT] = DECL_COUNT,    [ITEM_CONST] = DECL_CONST,       [ITEM_TYPE] = DECL_TYPE,
    [ITEM_STRUCT] = DECL_STRUCT,   [ITEM_ENUM] = DECL_ENUM,         [ITEM_FN] = DECL_FUNCTION,
    [ITEM_EXTERN] = DECL_FUNCTION, [ITEM_PATTERN] = DECL_FUNCTION,  [ITEM_TEST] = DECL_COUNT,
    [ITEM_RULE] = DECL_RULE,       [ITEM_STRATEGY] = DECL_STRATEGY, [ITEM_SCHEDULE] = DECL_COUNT,
    [ITEM_BENCH] = DECL_COUNT,
};

static void add(Analysis *a, Decl d)
{
    if (!d.name || !d.at.file) return;
    if (!d.whole.file) d.whole = d.at;
    vec_push(a->cx->arena, &a->decls, d);
}

static void list_expression(Analysis *a, const Ast *e, const Item *item);

static void list_pattern(Analysis *a, const Ast *e, Span scope, const Item *item)
{
    if (!e) return;
    if (e->kind == AST_BIND || e->kind == AST_BIND_MUT) {
        add(a, (Decl){.kind = DECL_LOCAL,
                      .name = e->name,
                      .at = e->name_span.file ? e->name_span : e->span,
                      .whole = e->span,
                      .scope = scope,
                      .item = item,
                      .binding = e,
                      .is_mutable = e->kind == AST_BIND_MUT,
                      .type = e->kids.len ? e->kids.at[0] : NULL});
    } else if (ast_has_parts(e)) {
        for (int i = 0; i < e->kids.len; i++) list_pattern(a, e->kids.at[i], scope, item);
    }
}

// The parameters, generics and numbers of an item, which can be used in it.
static void list_params(Analysis *a, const Item *item, DeclKind kind)
{
    for (int i = 0; i < item->generics.len; i++)
        add(a, (Decl){.kind = DECL_GENERIC,
                      .name = item->generics.at[i].name,
                      .at = item->generics.at[i].span,
                      .scope = item->span,
                      .item = item});
    const AstParamVec *lists[] = {&item->numbers, &item->params};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < lists[k]->len; i++)
            add(a, (Decl){.kind = kind,
                          .name = lists[k]->at[i].name,
                          .at = lists[k]->at[i].span,
                          .scope = kind == DECL_FIELD ? NO_SPAN : item->span,
                          .item = item,
                          .type = lists[k]->at[i].type,
                          .doc = lists[k]->at[i].doc});
}

static void list_item(Analysis *a, const Item *item, Span scope)
{
    if (kind_of_item[item->kind] != DECL_COUNT)
        add(a, (Decl){.kind = kind_of_item[item->kind],
                      .name = item->name,
                      .at = item->name_span,
                      .scope = scope,
                      .item = item,
                      .type = item->type,
                      .doc = item->doc});
    list_params(a, item, item->kind == ITEM_STRUCT ? DECL_FIELD : DECL_PARAM);
    for (int i = 0; i < item->options.len; i++)
        add(a, (Decl){.kind = DECL_OPTION,
                      .name = item->options.at[i].name,
                      .at = item->options.at[i].span,
                      .item = item,
                      .doc = item->options.at[i].doc});
    for (int i = 0; i < item->tuned.len; i++)
        add(a, (Decl){.kind = DECL_PARAM,
                      .name = item->tuned.at[i].name,
                      .at = item->tuned.at[i].span,
                      .scope = item->span,
                      .item = item});
    if (item->body) list_expression(a, item->body, item);
}

// A `let` of a block binds in the rest of the block.
static void list_let(Analysis *a, const Ast *let, const Ast *block, const Item *item)
{
    int first = a->decls.len;
    Span rest = {let->span.file, let->span.hi, block ? block->span.hi : let->span.hi};
    if (let->kids.len != 3) return;
    list_pattern(a, let->kids.at[0], rest, item);
    for (int i = first; i < a->decls.len; i++) a->decls.at[i].is_mutable |= let->value.integer;
    for (int i = first; i < a->decls.len; i++)
        if (!a->decls.at[i].type && let->kids.at[0]->kind == AST_BIND)
            a->decls.at[i].type = let->kids.at[1];
}

// The patterns of an expression come first among its kids, `n` of them.
static void list_patterns(Analysis *a, const Ast *e, int n, Span scope, const Item *item)
{
    for (int i = 0; i < n && i < e->kids.len; i++) list_pattern(a, e->kids.at[i], scope, item);
}

static void list_bindings(Analysis *a, const Ast *e, const Item *item)
{
    int n = e->kids.len;
    const Ast *last = n ? e->kids.at[n - 1] : NULL;
    switch (e->kind) {
    case AST_LAMBDA: list_patterns(a, e, n - 1, e->span, item); break;
    case AST_FOR:
    case AST_WITH:
        if (last) list_patterns(a, e, n - 2, last->span, item);
        break;
    case AST_ARM: list_patterns(a, e, 1, e->span, item); break;
    case AST_SCALAR: list_patterns(a, e, n - 1, e->span, item); break;
    case AST_GENERATOR:
        if (n > GENERATOR_INDEX) list_pattern(a, e->kids.at[GENERATOR_INDEX], e->span, item);
        break;
    default: break;
    }
}

static void list_expression(Analysis *a, const Ast *e, const Item *item)
{
    if (e->kind >= AST_BIND) return;
    list_bindings(a, e, item);
    for (int i = 0; i < e->kids.len; i++) {
        const Ast *kid = e->kids.at[i];
        if (!kid) continue;
        if (kid->kind == AST_LET) list_let(a, kid, e, item);
        if (kid->kind == AST_FN && kid->value.item)
            list_item(a, kid->value.item, e->span);
        else
            list_expression(a, kid, item);
    }
}

void decls_list(Analysis *a)
{
    const Module *m = a->work.module;
    Span file = {m->file, 0, (uint32_t)a->cx->sources.at[m->file - 1]->len};
    for (int i = 0; i < m->items.len; i++)
        if (m->items.at[i]) list_item(a, m->items.at[i], file);
}
