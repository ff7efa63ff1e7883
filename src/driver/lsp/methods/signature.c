// Signature help: the parameters of the call around the cursor.
#include "driver/lsp/methods/methods.h"

/// The innermost call around an offset, behind its `(`.
typedef struct {
    size_t offset;
    const Ast *call;
} Search;

static const Ast *callee_of(const Ast *call)
{
    return call->kids.len ? ast_strip(call->kids.at[0]) : NULL;
}

static Walk visit(const Ast *e, void *env)
{
    Search *s = env;
    if (s->offset < e->span.lo || s->offset > e->span.hi) return WALK_OVER;
    const Ast *callee = e->kind == AST_CALL ? callee_of(e) : NULL;
    if (callee && s->offset > callee->span.hi && s->offset < e->span.hi) s->call = e;
    return WALK_INTO;
}

static const Ast *call_around(const Analysis *a, size_t offset)
{
    Search s = {.offset = offset};
    const Module *m = a->work.module;
    for (int i = 0; m && i < m->items.len; i++)
        if (m->items.at[i] && m->items.at[i]->body) (void)ast_walk(m->items.at[i]->body, visit, &s);
    for (int i = 0; i < a->decls.len; i++) {
        const Decl *d = &a->decls.at[i];
        if (d->kind == DECL_FUNCTION && d->scope.lo > 0 && d->item->body)
            (void)ast_walk(d->item->body, visit, &s);
    }
    return s.call;
}

// The number of arguments that begin before the offset, less one.
static int active(const Ast *call, size_t offset)
{
    int n = -1;
    for (int i = 1; i < call->kids.len; i++)
        if (call->kids.at[i] && call->kids.at[i]->span.lo <= offset) n++;
    return n < 0 ? 0 : n;
}

// What is given in parentheses where an item is used: the numbers of a rule.
static const AstParamVec *given(const Item *item)
{
    return item->kind == ITEM_RULE ? &item->numbers : &item->params;
}

// The signature of an item, with the places of its parameters in the label.
static json_t *signature_of(const Analysis *a, const Item *item)
{
    const char *label = infer_show_item(a->cx, item);
    json_t *params = json_array();
    for (int i = 0; i < given(item)->len; i++) {
        const AstParam *p = &given(item)->at[i];
        Text t = text_new(a->cx->arena);
        text_printf(&t, "%s: ", p->name ? p->name->text : "_");
        if (p->type) ast_print(&t, p->type);
        json_t *one = json_pack("{s:o}", "label", json_text(text_get(&t)));
        if (p->doc) json_object_set_new(one, "documentation", json_text(p->doc));
        json_array_append_new(params, one);
    }
    json_t *one = json_pack("{s:o, s:o}", "label", json_text(label), "parameters", params);
    if (item->doc)
        json_object_set_new(
            one, "documentation",
            json_pack("{s:s, s:o}", "kind", "markdown", "value", json_text(item->doc)));
    return one;
}

json_t *method_signature(Server *s, const json_t *params, Failure *failure)
{
    size_t offset;
    Meant target;
    Document *d = server_document(s, params, failure);
    Analysis *a = d ? completion_analysis(s, d, params, &offset, failure) : NULL;
    if (!a) return NULL;
    const Ast *call = call_around(a, offset), *callee = call ? callee_of(call) : NULL;
    while (callee && callee->kind == AST_FIELD && callee->kids.len) callee = callee->kids.at[0];
    json_t *result = NULL;
    const Item *item = NULL;
    if (callee && names_find(a, callee->span.lo, &target)) {
        bool function = target.decl && target.decl->kind == DECL_FUNCTION;
        item = function ? target.decl->item : target.symbol ? target.symbol->item : NULL;
    }
    if (item && given(item)->len)
        result = json_pack("{s:[o], s:i, s:i}", "signatures", signature_of(a, item),
                           "activeSignature", 0, "activeParameter", active(call, offset));
    analysis_delete(a);
    return result;
}
