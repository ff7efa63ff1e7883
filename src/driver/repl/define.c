// What definitions define and change.
#include "driver/repl/repl.h"
#include "infer/names/names.h"
#include "syntax/lex/lex.h"

#include <ctype.h>
#include <string.h>

static const char *const kind_word[] = {
    [ITEM_IMPORT] = "import",    [ITEM_CONST] = "const",       [ITEM_TYPE] = "type",
    [ITEM_STRUCT] = "struct",    [ITEM_ENUM] = "enum",         [ITEM_FN] = "fn",
    [ITEM_EXTERN] = "extern fn", [ITEM_PATTERN] = "pattern",   [ITEM_TEST] = "test",
    [ITEM_RULE] = "rule",        [ITEM_STRATEGY] = "strategy", [ITEM_SCHEDULE] = "schedule",
    [ITEM_BENCH] = "bench",
};

// Adds a source text with single blanks in place of white space.
static void add_on_one_line(Text *out, const char *text)
{
    for (bool blank = false; *text; text++) {
        bool space = isspace((unsigned char)*text);
        if (blank && !space) text_char(out, ' ');
        if (!space) text_char(out, *text);
        blank = space;
    }
}

const char *define_show(Session *cx, const Item *item)
{
    Text out = text_new(cx->arena);
    text_printf(&out, "%s ", kind_word[item->kind]);
    if (item_has_title(item->kind)) {
        text_printf(&out, "\"%s\"", item->string);
        return text_get(&out);
    }
    bool cut = item->body && item->kind != ITEM_CONST;
    uint32_t end = cut ? item->body->span.lo : item->span.hi;
    const char *source = cx->sources.at[item->span.file - 1]->text;
    while (cut && end > item->name_span.lo && strchr(" \n\t{", source[end - 1])) end--;
    Span head = {item->span.file, item->name_span.lo, end};
    if (head.lo < head.hi) add_on_one_line(&out, source_text(cx, head));
    return text_get(&out);
}

// The name under which the store knows an item, or NULL if it has none.
static const char *key_of(Session *cx, const Item *item)
{
    switch (item->kind) {
    case ITEM_IMPORT: return NULL;
    case ITEM_TEST:
    case ITEM_BENCH: return arena_printf(cx->arena, "%s %s", kind_word[item->kind], item->string);
    case ITEM_RULE:
    case ITEM_STRATEGY: return arena_printf(cx->arena, "strategy %s", item->name->text);
    case ITEM_SCHEDULE:
        return arena_printf(cx->arena, "schedule %s %s", item->name->text,
                            item->target ? item->target->text : "");
    case ITEM_CONST:
    case ITEM_TYPE:
    case ITEM_STRUCT:
    case ITEM_ENUM:
    case ITEM_FN:
    case ITEM_EXTERN:
    case ITEM_PATTERN: break;
    }
    return item->name->text;
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Whether the text contains the name as a word, followed by `then` unless that is 0.
static bool mentions(const char *text, const char *name, char then)
{
    size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += n) {
        bool begins = at == text || !is_word_char(at[-1]);
        if (begins && (then ? at[n] == then : !is_word_char(at[n]))) return true;
    }
    return false;
}

// --- changes ------------------------------------------------------------------------------------

// Lists the items that use the one with this name.
static const char *users_of(Session *cx, const Module *m, const Item *item)
{
    Text out = text_new(cx->arena);
    for (int i = 0; i < m->items.len; i++) {
        const Item *other = m->items.at[i];
        if (!other->name || other->name == item->name || other->kind == ITEM_IMPORT) continue;
        if (!mentions(source_text(cx, other->span), item->name->text, 0)) continue;
        text_printf(&out, "%s%s", out.len ? ", " : "", other->name->text);
    }
    return text_get(&out);
}

// Forgets the values whose type the item was.
static void drop_values(const InputRequest *q, const Item *item)
{
    bool type = item->kind == ITEM_STRUCT || item->kind == ITEM_ENUM;
    for (int i = 0; type && i < q->r->nvalues; i++) {
        const Held *h = &q->r->values[i];
        if (!mentions(h->full_type, item->name->text, '{')) continue;
        process_report(q->to, "drop", "%s", h->name);
        printf("%s is forgotten: it has the earlier type %s\n", h->name, item->name->text);
    }
}

static bool is_same(Session *cx, const Replacement *x)
{
    const char *before = source_text(cx, x->before->span);
    return x->now && strcmp(before, source_text(cx, x->now->span)) == 0;
}

static void report_replacement(const Work *w, const InputRequest *q, const Replacement *x)
{
    Session *cx = w->cx;
    if (is_same(cx, x)) return;
    if (item_has_title(x->before->kind) || x->before->kind == ITEM_SCHEDULE) {
        printf("%s is %s\n", define_show(cx, x->before), x->now ? "redefined" : "removed");
        return;
    }
    if (!x->before->name) return;
    const char *users = users_of(cx, w->module, x->before), *name = x->before->name->text;
    const char *old = define_show(cx, x->before), *now = x->now ? define_show(cx, x->now) : NULL;
    if (!now)
        printf("%s is removed\n", name);
    else if (strcmp(old, now) == 0)
        printf("%s is redefined, with the same type\n", name);
    else
        printf("%s is redefined (before: %s)\n", name, old);
    if (*users) printf("it is used by %s, with the new definition from now on\n", users);
    drop_values(q, x->before);
}

static bool is_replaced(const Replacements *all, const Item *item)
{
    for (int i = 0; i < all->len; i++)
        if (all->at[i].now == item) return true;
    return false;
}

// Reports and prints one item of the addition.
static void report_item(const Work *w, const InputRequest *q, const Item *item)
{
    const char *key = key_of(w->cx, item), *shown = define_show(w->cx, item);
    if (key)
        process_report(q->to, "defines", "%s", key);
    else
        process_report(q->to, "unnamed", "-");
    process_report(q->to, "shown", "%s", shown);
    if (!is_replaced(&w->replaced, item)) printf("%s\n", shown);
    if (item->name && item->kind != ITEM_IMPORT && !item_has_title(item->kind) &&
        store_find(q->r, item->name->text)) {
        process_report(q->to, "drop", "%s", item->name->text);
        printf("the value %s is forgotten\n", item->name->text);
    }
}

// --- names --------------------------------------------------------------------------------------

// Returns what follows the name of a module in the name of one of its functions, or NULL.
static const char *name_in_module(const char *full, const char *module)
{
    size_t n = strlen(module);
    if (strncmp(full, module, n) != 0 || full[n] != '.') return NULL;
    return strchr(full + n + 1, '.') ? NULL : full + n + 1;
}

static void report_imported(const Work *w, const InputRequest *q, const Item *import)
{
    for (int i = 0; i < import->imported.len; i++)
        if (import->imported.at[i]->name)
            process_report(q->to, "name", "%s", import->imported.at[i]->name->text);
    for (int i = 0; !import->imported.len && import->name && i < w->program->functions.len; i++) {
        const char *full = w->program->functions.at[i]->name->text;
        const char *name = name_in_module(full, import->name->text);
        if (name) process_report(q->to, "name", "%s", name);
    }
}

void define_report(const Work *w, const InputRequest *q)
{
    int n = w->module->items.len;
    const Additions *all = &q->additions;
    for (int i = 0; i < n; i++) {
        const Item *item = w->module->items.at[i];
        if (item->kind == ITEM_IMPORT)
            report_imported(w, q, item);
        else if (item->name)
            process_report(q->to, "name", "%s", item->name->text);
    }
    if (!all->len) return;
    const char *label = vec_last(all).label;
    for (int i = 0; i < n && vec_last(all).text; i++) {
        const Item *item = w->module->items.at[i];
        const char *path = w->cx->sources.at[item->span.file - 1]->path;
        if (strcmp(path, label) == 0) report_item(w, q, item);
    }
    for (int i = 0; i < w->replaced.len; i++) report_replacement(w, q, &w->replaced.at[i]);
}
