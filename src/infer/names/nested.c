// Nested functions: functions declared in blocks. Each becomes a separate Core function. Its
// generic parameters begin with those of the enclosing function, and every call passes the caller's
// own sizes and types on to them. It captures no variables, so it needs no closure.
#include "infer/names/names.h"

Unit *infer_own_notes(Infer *in, const Unit *unit, const Item *item)
{
    int least = INT32_MAX, greatest = -1;
    ast_item_ids(item, &least, &greatest);
    Unit *u = ARENA_NEW(in->arena, Unit);
    *u = *unit;
    u->first_id = least;
    u->nnotes = greatest < least ? 0 : greatest - least + 1;
    u->notes = NULL;
    return u;
}

// The function's name in the program: outer.name, then outer.name.2 and so on for further functions
// with the same name.
static Sym full_name(Infer *in, const Symbol *outer, Sym name)
{
    const char *before = outer ? outer->full->text : "test";
    Sym full = session_sym(in->cx, arena_printf(in->arena, "%s.%s", before, name->text));
    for (int k = 2; map_get(&in->nested_names, MAP_KEY(full)); k++)
        full = session_sym(in->cx, arena_printf(in->arena, "%s.%s.%d", before, name->text, k));
    return full;
}

static Symbol *declare(Infer *in, Unit *unit, const Symbol *outer, const Ast *e)
{
    const Item *item = e->value.item;
    Symbol *y = ARENA_NEW(in->arena, Symbol);
    *y = (Symbol){.kind = SYMBOL_FN,
                  .name = item->name,
                  .full = full_name(in, outer, item->name),
                  .key = item->name,
                  .unit = infer_own_notes(in, unit, item),
                  .item = item,
                  .outer = outer};
    map_put(&in->nested_names, MAP_KEY(y->full), y);
    map_put(&in->nested, MAP_KEY(e), y);
    vec_push(in->arena, &in->members, y);
    return y;
}

// Reports functions in the same block that have the same name.
static void check_names(Infer *in, const Nested *visible, const Nested *end)
{
    Map later = map_new(in->arena);
    for (const Nested *n = visible; n != end; n = n->next) {
        const Symbol *y = n->symbol, *again = map_get(&later, MAP_KEY(y->name));
        map_put(&later, MAP_KEY(y->name), n->symbol);
        if (!again) continue;
        Diag *d = diag_error(in->cx, E0202, again->item->name_span, "`%s` is defined twice",
                             y->name->text);
        diag_note(in->cx, d, y->item->name_span, "the first is here");
    }
}

static void declare_in(Infer *in, Unit *unit, const Symbol *outer, const Ast *e,
                       const Nested *visible)
{
    const Nested *around = visible;
    for (int i = 0; e->kind == AST_BLOCK && i < e->kids.len; i++) {
        const Ast *kid = e->kids.at[i];
        if (!kid || kid->kind != AST_FN) continue;
        Nested *n = ARENA_NEW(in->arena, Nested);
        *n = (Nested){declare(in, unit, outer, kid), visible};
        visible = n;
    }
    if (visible != around) check_names(in, visible, around);
    for (const Nested *n = visible; n != around; n = n->next) {
        n->symbol->visible = visible;
        infer_signature(in, n->symbol);
    }
    for (int i = 0; i < e->kids.len; i++)
        if (e->kids.at[i]) declare_in(in, unit, outer, e->kids.at[i], visible);
}

void infer_declare_nested(Infer *in, Unit *unit, const Symbol *outer, const Ast *body)
{
    if (body) declare_in(in, unit, outer, body, outer ? outer->visible : NULL);
}

// --- scopes --------------------------------------------------------------------------------------

static void enter(Scope *s, Symbol *y)
{
    infer_local_push(s, LOCAL_FUNCTION, y->name, y->item->name_span, NULL)->function = y;
}

void infer_enter_nested(Scope *s, const Ast *block)
{
    for (int i = 0; i < block->kids.len; i++) {
        const Ast *kid = block->kids.at[i];
        Symbol *y = kid && kid->kind == AST_FN ? map_get(&s->in->nested, MAP_KEY(kid)) : NULL;
        if (y) enter(s, y);
    }
}

// Enters the innermost function last, so that it is found first.
void infer_enter_visible(Scope *s, const Symbol *y)
{
    VEC(Symbol *) all = {0};
    for (const Nested *n = y ? y->visible : NULL; n; n = n->next)
        vec_push(s->arena, &all, n->symbol);
    for (int i = all.len - 1; i >= 0; i--) enter(s, all.at[i]);
}

static bool is_inherited(const Symbol *y, const Local *l)
{
    const Signature *sig = y->signature;
    for (int i = 0; sig && i < sig->generics.len; i++)
        if (sig->generics.at[i].span.lo == l->span.lo) return true;
    return l->kind == LOCAL_FUNCTION;
}

static void capture(const Scope *s, Symbol *y, const Ast *e)
{
    const Local *l = e->kind == AST_NAME && e->name ? map_get(&s->by_name, MAP_KEY(e->name)) : NULL;
    const Map *before = s->symbol ? s->symbol->captured : NULL;
    if (!l && before && e->kind == AST_NAME && e->name) l = map_get(before, MAP_KEY(e->name));
    if (l && !is_inherited(y, l)) map_put(y->captured, MAP_KEY(e->name), (void *)(uintptr_t)l);
    for (int i = 0; i < e->kids.len; i++)
        if (e->kids.at[i]) capture(s, y, e->kids.at[i]);
    if (e->kind == AST_FN && e->value.item->body) capture(s, y, e->value.item->body);
}

void infer_capture(const Scope *s, const Ast *e)
{
    Symbol *y = map_get(&s->in->nested, MAP_KEY(e));
    if (!y || !e->value.item->body) return;
    y->captured = ARENA_NEW(s->in->arena, Map);
    *y->captured = map_new(s->in->arena);
    capture(s, y, e->value.item->body);
}
