// Modules: their names, imports and exports.
#include "infer/program/program.h"
#include "prelude_text.h"

#include <string.h>

static int pattern_row(Sym name)
{
    for (int i = 0; i < infer_pattern_count; i++)
        if (strcmp(infer_patterns[i].name, name->text) == 0) return i;
    return -1;
}

static bool is_scalar_name(Sym name)
{
    for (int s = 0; s < SCALAR_COUNT; s++)
        if (strcmp(scalar_info[s].text, name->text) == 0) return true;
    return false;
}

static void add_symbol(Infer *in, Unit *u, const Item *item, SymbolKind kind)
{
    if (!item->name) return;
    if (is_scalar_name(item->name)) {
        diag_error(in->cx, E0202, item->name_span, "`%s` is a type of the language",
                   item->name->text);
        return;
    }
    bool strategy = kind == SYMBOL_RULE || kind == SYMBOL_STRATEGY;
    Sym key = strategy ? infer_strategy_key(in->cx, item->name) : item->name;
    Symbol *first = map_get(&u->scope, MAP_KEY(key));
    if (first) {
        Diag *d =
            diag_error(in->cx, E0202, item->name_span, "`%s` is defined twice", item->name->text);
        diag_note(in->cx, d, first->item->name_span, "the first is here");
        return;
    }
    if (!u->name && item->kind != ITEM_EXTERN && map_get(&in->externs, MAP_KEY(item->name)))
        diag_error(in->cx, E0202, item->name_span, "`%s` is a C function in an imported module",
                   item->name->text);
    Symbol *y = ARENA_NEW(in->arena, Symbol);
    *y = (Symbol){.kind = kind, .name = item->name, .full = item->name, .unit = u, .item = item};
    if (kind == SYMBOL_PATTERN) y->row = pattern_row(item->name);
    y->is_family = kind == SYMBOL_FN && infer_count_shapes(item) > 0;
    if (u->name && item->kind != ITEM_EXTERN) // a C function keeps its C name
        y->full =
            session_sym(in->cx, arena_printf(in->arena, "%s.%s", u->name->text, item->name->text));
    if (kind == SYMBOL_STRUCT || kind == SYMBOL_ENUM) map_put(&in->structs, MAP_KEY(y->full), y);
    if (item->kind == ITEM_EXTERN) map_put(&in->externs, MAP_KEY(y->name), y);
    y->key = key;
    map_put(&u->scope, MAP_KEY(key), y);
    vec_push(in->arena, &u->symbols, y);
}

static void refuse_pattern(Infer *in, const Item *item)
{
    Diag *d =
        diag_error(in->cx, E0317, item->span, "only the prelude declares patterns without a body");
    diag_help(in->cx, d, "add a body in braces; rules can then match calls of `%s`",
              item->name ? item->name->text : "");
}

static void name_items(Infer *in, Unit *u)
{
    for (int i = 0; i < u->module->items.len; i++) {
        const Item *item = u->module->items.at[i];
        switch (item->kind) {
        case ITEM_CONST: add_symbol(in, u, item, SYMBOL_CONST); break;
        case ITEM_TYPE: add_symbol(in, u, item, SYMBOL_ALIAS); break;
        case ITEM_STRUCT: add_symbol(in, u, item, SYMBOL_STRUCT); break;
        case ITEM_ENUM: add_symbol(in, u, item, SYMBOL_ENUM); break;
        case ITEM_FN:
            add_symbol(in, u, item, infer_is_size_function(item) ? SYMBOL_SIZES : SYMBOL_FN);
            break;
        case ITEM_EXTERN: add_symbol(in, u, item, SYMBOL_FN); break;
        case ITEM_PATTERN:
            if (u == in->prelude && pattern_row(item->name) >= 0)
                add_symbol(in, u, item, SYMBOL_PATTERN);
            else
                refuse_pattern(in, item);
            break;
        case ITEM_IMPORT:
        case ITEM_TEST:
        case ITEM_BENCH:
        case ITEM_SCHEDULE: break;
        case ITEM_RULE: add_symbol(in, u, item, SYMBOL_RULE); break;
        case ITEM_STRATEGY: add_symbol(in, u, item, SYMBOL_STRATEGY); break;
        }
    }
}

static Unit *new_unit(Infer *in, Sym name, const Module *m)
{
    const Modules *modules = in->modules;
    bool in_library =
        name && modules && modules->in_library && modules->in_library(in->cx, 0, m->file);
    Unit *u = ARENA_NEW(in->arena, Unit);
    *u = (Unit){.name = name,
                .in_library = in_library,
                .module = m,
                .scope = map_new(in->arena),
                .imported = map_new(in->arena),
                .exports = map_new(in->arena),
                .nnotes = m->ast_count};
    return u;
}

// Adds a hint for imports such as `import std.stats.sum`, whose last component names an item, not a
// module.
static bool help_member(Infer *in, Diag *d, Sym name)
{
    const char *dot = strrchr(name->text, '.');
    if (!dot) return false;
    const char *module = arena_strndup(in->arena, name->text, (size_t)(dot - name->text));
    if (!in->modules || !in->modules->find) return false;
    if (!in->modules->find(in->cx, module, d->span.file, in->modules->env)) return false;
    diag_help(in->cx, d, "write names of a module in parentheses: import %s (%s)", module, dot + 1);
    return true;
}

static void help_module(Infer *in, Diag *d, Sym name)
{
    const char *foreign = foreign_name(name->text);
    Sym near = foreign ? NULL : infer_near_module(in->cx, name);
    if (foreign) {
        diag_help(in->cx, d, "%s", foreign);
    } else if (near) {
        diag_fix(in->cx, d, d->span, near->text, "did you mean `%s`?", near->text);
    } else if (!help_member(in, d, name)) {
        diag_help(in->cx, d,
                  "an import names a file: std.linalg is std/linalg.adz, beside this one or in the "
                  "library");
        infer_list_modules(in->cx, d);
    }
}

Unit *infer_find_unit(Infer *in, Sym name, Span at, uint32_t from)
{
    uint32_t file = 0;
    if (!name) return NULL;
    if (in->modules && in->modules->find)
        file = in->modules->find(in->cx, name->text, from, in->modules->env);
    if (!file) {
        Diag *d = diag_error(in->cx, E0204, at, "there is no module `%s`", name->text);
        help_module(in, d, name);
        return NULL;
    }
    Unit *known = map_get(&in->by_file, file);
    return known ? known : infer_load_unit(in, name, parse_module(in->cx, file));
}

Unit *infer_load_unit(Infer *in, Sym name, const Module *m)
{
    Unit *u = new_unit(in, name, m);
    map_put(&in->by_file, m->file, u);
    for (int i = 0; i < m->items.len; i++) {
        if (m->items.at[i]->kind != ITEM_IMPORT) continue;
        const Item *item = m->items.at[i];
        Unit *other = infer_find_unit(in, item->name, item->name_span, m->file);
        vec_push(in->arena, &u->imports, other);
        if (!other) u->broken = true;
        if (other) infer_record_place(in, item->name_span, (Span){other->module->file, 0, 0});
    }
    name_items(in, u);
    vec_push(in->arena, &in->units, u);
    return u;
}

static void import_symbol(Infer *in, Unit *u, Symbol *y, const Ast *by_name)
{
    Symbol *other = map_get(&u->imported, MAP_KEY(y->key)),
           *own = map_get(&u->scope, MAP_KEY(y->key));
    if (own && by_name) {
        Diag *d = diag_error(in->cx, E0202, by_name->span, "`%s` is imported and defined here",
                             y->name->text);
        diag_note(in->cx, d, own->item->name_span, "the definition is here");
    }
    if (other && other != y && !by_name) {
        Symbol *two = ARENA_NEW(in->arena, Symbol);
        *two = (Symbol){.kind = SYMBOL_AMBIGUOUS,
                        .name = y->name,
                        .full = y->name,
                        .key = y->key,
                        .other = y,
                        .state = STATE_DONE};
        y = two;
    }
    map_put(&u->imported, MAP_KEY(y->key), y);
}

/// The names that a module has imported one by one, in import lists.
typedef struct {
    Infer *in;
    Unit *u;
    Map first; // key of a symbol -> the name in the import that imported it
} Naming;

// Imports one name from an import list. Two imports may name the same item, but not two items with
// the same name.
static void import_by_name(Naming *n, Symbol *y, const Ast *name)
{
    const Ast *first = map_get(&n->first, MAP_KEY(y->key));
    if (first && map_get(&n->u->imported, MAP_KEY(y->key)) != y) {
        Diag *d = diag_error(n->in->cx, E0202, name->span, "`%s` is imported from two modules",
                             y->name->text);
        diag_note(n->in->cx, d, first->span, "the first is here");
        diag_help(n->in->cx, d, "import it from one of them");
        return;
    }
    map_put(&n->first, MAP_KEY(y->key), (void *)(uintptr_t)name);
    import_symbol(n->in, n->u, y, name);
}

static void import_named(Naming *n, const Item *item, const Unit *from)
{
    Infer *in = n->in;
    for (int i = 0; i < item->imported.len; i++) {
        const Ast *name = item->imported.at[i];
        if (!name->name) continue;
        Symbol *y = map_get(&from->exports, MAP_KEY(name->name));
        Symbol *strategy = map_get(&from->exports, MAP_KEY(infer_strategy_key(in->cx, name->name)));
        if (y || strategy) infer_record_symbol(in, name->span, y ? y : strategy);
        if (y) import_by_name(n, y, name);
        if (strategy) import_by_name(n, strategy, name);
        if (y || strategy) continue;
        Diag *d = diag_error(in->cx, E0205, name->span, "module `%s` has no `%s`", item->name->text,
                             name->name->text);
        infer_suggest_export(in, d, from, name->name);
        n->u->broken = true;
    }
}

// Imports whole modules first, because imports by name override them.
void infer_link_imports(Infer *in, Unit *u)
{
    Naming naming = {in, u, map_new(in->arena)};
    for (int by_name = 0; by_name < 2; by_name++) {
        int k = 0;
        for (int i = 0; i < u->module->items.len; i++) {
            const Item *item = u->module->items.at[i];
            if (item->kind != ITEM_IMPORT) continue;
            const Unit *from = u->imports.at[k++];
            if (!from || (item->imported.len > 0) != by_name) continue;
            if (by_name) import_named(&naming, item, from);
            for (int s = 0; !by_name && s < from->exports.len; s++)
                import_symbol(in, u, from->exports.entries[s].value, NULL);
        }
    }
}

/// A `pub import`, and the module that it imports from.
typedef struct {
    Infer *in;
    Unit *u;
    const Item *item;
    const Unit *from;
    bool reports, changed;
} Passing;

static void pass_on(Passing *p, Symbol *y, Span at)
{
    Symbol *known = map_get(&p->u->exports, MAP_KEY(y->key));
    if (!known) map_put(&p->u->exports, MAP_KEY(y->key), y);
    p->changed |= !known;
    if (!known || known == y || !p->reports) return;
    bool own = known->unit == p->u;
    if (own && p->item->imported.len) return; // reported by import_symbol
    Diag *d = diag_error(p->in->cx, E0202, at,
                         own ? "`%s` is passed on and defined here"
                             : "`%s` is passed on from two modules",
                         y->name->text);
    if (y->item) diag_note(p->in->cx, d, y->item->name_span, "this is the first");
    if (known->item) diag_note(p->in->cx, d, known->item->name_span, "this is the second");
}

static void pass_on_named(Passing *p, const Ast *name)
{
    if (!name->name) return;
    Sym keys[2] = {name->name, infer_strategy_key(p->in->cx, name->name)};
    for (int k = 0; k < 2; k++) {
        Symbol *y = map_get(&p->from->exports, MAP_KEY(keys[k]));
        if (y) pass_on(p, y, name->span);
    }
}

// Processes all `pub import`s of a module, and returns whether one of them added a name.
static bool pass_on_all(Infer *in, Unit *u, bool reports)
{
    Passing p = {.in = in, .u = u, .reports = reports};
    int k = 0;
    for (int i = 0; i < u->module->items.len; i++) {
        p.item = u->module->items.at[i];
        if (p.item->kind != ITEM_IMPORT) continue;
        p.from = u->imports.at[k++];
        if (!p.from || !p.item->passed_on) continue;
        for (int n = 0; n < p.item->imported.len; n++) pass_on_named(&p, p.item->imported.at[n]);
        for (int s = 0; !p.item->imported.len && s < p.from->exports.len; s++)
            pass_on(&p, p.from->exports.entries[s].value, p.item->name_span);
    }
    return p.changed;
}

// Iterates to a fixed point, because modules may re-export each other's names.
void infer_find_exports(Infer *in)
{
    for (int i = 0; i < in->units.len; i++) {
        Unit *u = in->units.at[i];
        for (int s = 0; s < u->symbols.len; s++)
            map_put(&u->exports, MAP_KEY(u->symbols.at[s]->key), u->symbols.at[s]);
    }
    bool changed = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < in->units.len; i++) changed |= pass_on_all(in, in->units.at[i], false);
    }
    for (int i = 0; i < in->units.len; i++) pass_on_all(in, in->units.at[i], true);
}

Unit *infer_load_prelude(Infer *in)
{
    uint32_t file =
        session_add_source(in->cx, "prelude.adz", prelude_text, sizeof prelude_text - 1);
    const Module *m = parse_module(in->cx, file);
    Unit *u = in->prelude = new_unit(in, session_sym(in->cx, "prelude"), m);
    name_items(in, u);
    return u;
}
