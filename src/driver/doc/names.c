// Cross-references: what the names in comments and signatures refer to.
#include "driver/doc/doc.h"

#include <ctype.h>
#include <string.h>

static const DocModule *module_named(const DocSet *set, Sym name)
{
    return map_get(&set->by_name, MAP_KEY(name));
}

// The module that is imported: NAME, or NAME beside the importing module.
static const DocModule *imported_module(const DocSet *set, const DocModule *from, Sym name)
{
    const DocModule *m = module_named(set, name);
    const char *dot = strrchr(from->name, '.');
    if (m || !dot) return m;
    const char *beside =
        arena_printf(set->cx->arena, "%.*s.%s", (int)(dot - from->name), from->name, name->text);
    return module_named(set, session_sym(set->cx, beside));
}

static bool lists(const Item *import, Sym name)
{
    for (int i = 0; i < import->imported.len; i++)
        if (import->imported.at[i]->name == name) return true;
    return import->imported.len == 0;
}

// Finds the item that a module has, or passes on from another one. Imports may be cyclic, so the
// search has a limit.
static bool find_exported(const DocSet *set, const DocModule *m, Sym name, bool all_imports,
                          int depth, DocTarget *target)
{
    enum { DEEPEST = 8 };
    const DocItem *own = map_get(&m->by_name, MAP_KEY(name));
    if (own) {
        *target = (DocTarget){m, own};
        return true;
    }
    for (int i = 0; depth < DEEPEST && i < m->tree->items.len; i++) {
        const Item *item = m->tree->items.at[i];
        if (item->kind != ITEM_IMPORT || !(all_imports || item->passed_on)) continue;
        const DocModule *from = lists(item, name) ? imported_module(set, m, item->name) : NULL;
        if (from && find_exported(set, from, name, false, depth + 1, target)) return true;
    }
    return false;
}

bool doc_find(const DocSet *set, const DocModule *scope, const char *name, size_t len,
              DocTarget *target)
{
    Sym sym = sym_intern(set->cx->syms, name, len);
    const DocModule *prelude = module_named(set, session_sym(set->cx, "prelude"));
    if (find_exported(set, scope, sym, true, 0, target)) return true;
    if (prelude && find_exported(set, prelude, sym, false, 0, target)) return true;
    *target = (DocTarget){memchr(name, '.', len) ? module_named(set, sym) : NULL, NULL};
    return target->module != NULL;
}

// Whether the name is a parameter or the name of the item itself.
static bool is_own(const DocItem *item, const char *name, size_t len)
{
    if (!item) return false;
    const Item *i = item->item;
    bool found = strlen(item->name) == len && memcmp(item->name, name, len) == 0;
    for (int k = 0; k < i->generics.len; k++)
        found |= strlen(i->generics.at[k].name->text) == len &&
                 memcmp(i->generics.at[k].name->text, name, len) == 0;
    for (int k = 0; k < i->params.len; k++)
        found |= strlen(i->params.at[k].name->text) == len &&
                 memcmp(i->params.at[k].name->text, name, len) == 0;
    return found;
}

static size_t word_length(const char *text, size_t len)
{
    size_t n = 0;
    while (n < len && (isalnum((unsigned char)text[n]) || text[n] == '_')) n++;
    return n;
}

// The length of the words that dots join: std.linalg.
static size_t path_length(const char *text, size_t len)
{
    size_t n = word_length(text, len), more;
    while (n + 1 < len && text[n] == '.' && (more = word_length(text + n + 1, len - n - 1)) > 0)
        n += 1 + more;
    return n;
}

// The length of the reference that begins here, or 0: the name of a module, or a name. In prose
// only a name before ( or [ is one.
static size_t reference(const DocSet *set, const DocModule *scope, const DocItem *item,
                        const char *text, size_t len, bool prose, DocTarget *target)
{
    size_t path = path_length(text, len), word = word_length(text, len);
    if (path > word && doc_find(set, scope, text, path, target) && !target->item) return path;
    bool called = word < len && (text[word] == '(' || text[word] == '[');
    if (isdigit((unsigned char)*text) || (prose && !called) || is_own(item, text, word)) return 0;
    return doc_find(set, scope, text, word, target) ? word : 0;
}

static void pieces(const DocSet *set, const DocModule *scope, const DocItem *item, const char *text,
                   size_t len, bool prose, DocPiece *piece, void *env)
{
    size_t from = 0, i = 0;
    while (i < len) {
        size_t word = word_length(text + i, len - i);
        DocTarget target;
        bool member = i > 0 && text[i - 1] == '.' && !(i > 1 && text[i - 2] == '.');
        size_t n =
            word && !member ? reference(set, scope, item, text + i, len - i, prose, &target) : 0;
        if (n > 0 && i > from) piece(env, text + from, i - from, NULL);
        if (n > 0) piece(env, text + i, n, &target);
        i += n ? n : word ? word : 1;
        if (n > 0) from = i;
    }
    if (len > from) piece(env, text + from, len - from, NULL);
}

void doc_code_pieces(const DocSet *set, const DocModule *scope, const DocItem *item,
                     const char *code, size_t len, DocPiece *piece, void *env)
{
    pieces(set, scope, item, code, len, false, piece, env);
}

void doc_text_pieces(const DocSet *set, const DocModule *scope, const DocItem *item,
                     const char *text, size_t len, DocPiece *piece, void *env)
{
    pieces(set, scope, item, text, len, true, piece, env);
}
