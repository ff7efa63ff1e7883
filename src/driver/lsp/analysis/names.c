// What names mean: uses, found while the file was inferred, and declarations.
#include "driver/lsp/analysis/analysis.h"

#include <string.h>

static bool contains(Span span, size_t offset)
{
    return span.lo <= offset && offset <= span.hi;
}

static bool same(Span a, Span b)
{
    return a.file == b.file && a.lo == b.lo && a.hi == b.hi;
}

// --- members ------------------------------------------------------------------------------------

static uint64_t key_of(Span span)
{
    return (uint64_t)span.lo << 32 | span.hi;
}

static const Symbol *symbol_at(const Analysis *a, Span span)
{
    const Symbol *y = map_get(&a->symbol_at, key_of(span));
    return y;
}

static void fill_maps(Analysis *a)
{
    a->symbol_at = map_new(a->cx->arena);
    a->type_at = map_new(a->cx->arena);
    for (int i = 0; i < a->uses.names.len; i++)
        map_put(&a->symbol_at, key_of(a->uses.names.at[i].at),
                (void *)(uintptr_t)a->uses.names.at[i].symbol);
    for (int i = 0; i < a->uses.types.len; i++)
        map_put(&a->type_at, key_of(a->uses.types.at[i].at),
                (void *)(uintptr_t)a->uses.types.at[i].type);
}

static const Symbol *symbol_of_struct(const Analysis *a, const Node *t)
{
    while (t && t->kind == TYPE_REF) t = t->op[0];
    return t && t->kind == TYPE_STRUCT
               ? map_get(&infer_state(a->work.program)->structs, MAP_KEY(t->attr.sym))
               : NULL;
}

// The place where the item declares a field or an option of this name.
static Span member(const Item *item, Sym name)
{
    for (int i = 0; item && item->kind == ITEM_STRUCT && i < item->params.len; i++)
        if (item->params.at[i].name == name) return item->params.at[i].span;
    for (int i = 0; item && i < item->options.len; i++)
        if (item->options.at[i].name == name) return item->options.at[i].span;
    return NO_SPAN;
}

static void add_member(Analysis *a, const Ast *e, const Symbol *y)
{
    Span definition = y && e->name ? member(y->item, e->name) : NO_SPAN;
    Use use = {.at = e->name_span, .definition = definition};
    if (definition.file && use.at.file) vec_push(a->cx->arena, &a->uses.names, use);
}

static Walk visit_member(const Ast *e, void *env)
{
    Analysis *a = env;
    const Ast *kid = e->kids.len ? e->kids.at[0] : NULL;
    if (e->kind == AST_FIELD && kid) {
        const Symbol *y = kid->kind == AST_NAME ? symbol_at(a, kid->span) : NULL;
        if (!y || y->kind != SYMBOL_ENUM) y = symbol_of_struct(a, names_type_at(a, kid->span));
        add_member(a, e, y);
    }
    if (e->kind == AST_STRUCT || e->kind == AST_BIND_STRUCT)
        for (int i = 0; i < e->kids.len; i++)
            if (e->kids.at[i]) add_member(a, e->kids.at[i], symbol_at(a, e->name_span));
    if (e->kind == AST_BIND_FIELD && e->value.integer)
        vec_push(a->cx->arena, &a->shorts, e->name_span);
    if (e->kind == AST_BIND_OPTION && e->value.string) {
        uint32_t len = (uint32_t)strlen(e->value.string);
        Span span = {e->span.file, e->span.lo, e->span.lo + len};
        add_member(a, e, symbol_at(a, span));
    }
    return WALK_INTO;
}

static void walk_item(Analysis *a, const Item *item)
{
    if (item && item->body) (void)ast_walk(item->body, visit_member, a);
}

void names_add_members(Analysis *a)
{
    const Module *m = a->work.module;
    fill_maps(a);
    for (int i = 0; i < m->items.len; i++) walk_item(a, m->items.at[i]);
    for (int i = 0; i < a->decls.len; i++) {
        const Item *item = a->decls.at[i].item;
        bool nested = a->decls.at[i].kind == DECL_FUNCTION &&
                      !same(a->decls.at[i].scope, NO_SPAN) && a->decls.at[i].scope.lo > 0;
        if (nested) walk_item(a, item);
    }
}

// --- queries ------------------------------------------------------------------------------------

// Whether a node stands for something that was not inferred.
static bool is_unknown(Node *n, void *env)
{
    (void)env;
    return n->kind == TYPE_META || n->kind == NAT_META || n->kind == TYPE_ERROR;
}

bool names_is_known(Node *type)
{
    return type && !node_any(type, is_unknown, NULL);
}

const Decl *names_decl(const Analysis *a, Span definition)
{
    for (int i = 0; i < a->decls.len; i++) {
        const Decl *d = &a->decls.at[i];
        if (d->whole.file != definition.file) continue;
        if (d->whole.lo == definition.lo || d->at.lo == definition.lo) return d;
    }
    return NULL;
}

static const Decl *decl_at(const Analysis *a, size_t offset)
{
    for (int i = 0; i < a->decls.len; i++)
        if (contains(a->decls.at[i].at, offset)) return &a->decls.at[i];
    return NULL;
}

static void set_target(const Analysis *a, const Use *use, Meant *out)
{
    *out = (Meant){use->at, use->definition, use->symbol, NULL};
    out->decl = use->definition.file ? names_decl(a, use->definition) : NULL;
    if (out->decl) out->definition = out->decl->at;
}

bool names_find(const Analysis *a, size_t offset, Meant *out)
{
    const Decl *d = decl_at(a, offset);
    if (d) {
        *out = (Meant){d->at, d->at, NULL, d};
        return true;
    }
    const Use *best = NULL;
    for (int i = 0; i < a->uses.names.len; i++) {
        const Use *use = &a->uses.names.at[i];
        if (!contains(use->at, offset)) continue;
        bool closer = !best || use->at.hi - use->at.lo < best->at.hi - best->at.lo;
        bool begins = best && use->at.lo == offset && best->at.lo < offset;
        bool local = best && same(use->at, best->at) && best->symbol && !use->symbol;
        if (closer || begins || local) best = use;
    }
    if (!best) return false;
    set_target(a, best, out);
    return true;
}

Node *names_type_at(const Analysis *a, Span span)
{
    return span.file == a->work.file ? map_get(&a->type_at, key_of(span)) : NULL;
}

const TypeOf *names_expression(const Analysis *a, size_t offset)
{
    const TypeOf *best = NULL;
    for (int i = 0; i < a->uses.types.len; i++) {
        const TypeOf *t = &a->uses.types.at[i];
        Span span = t->at;
        if (!contains(span, offset) || !names_is_known(t->type)) continue;
        if (!best || span.hi - span.lo < best->at.hi - best->at.lo) best = t;
    }
    return best;
}

const char *names_type_of(const Analysis *a, const Decl *d)
{
    Node *t = d->binding ? names_type_at(a, d->binding->span) : NULL;
    if (names_is_known(t)) return type_show(a->cx, t);
    return d->type ? source_text(a->cx, d->type->span) : NULL;
}

bool names_is_short(const Analysis *a, Span at)
{
    for (int i = 0; i < a->shorts.len; i++)
        if (same(a->shorts.at[i], at)) return true;
    return false;
}
