// Collects the modules of a library, their items and comments.
#include "driver/doc/doc.h"

#include <ctype.h>
#include <string.h>

const char *doc_kind(const Item *item)
{
    switch (item->kind) {
    case ITEM_IMPORT: return "import";
    case ITEM_CONST: return "const";
    case ITEM_TYPE: return "type";
    case ITEM_STRUCT: return "struct";
    case ITEM_ENUM: return "enum";
    case ITEM_FN: return item->entry ? "entry" : item->pattern ? "pattern" : "fn";
    case ITEM_EXTERN: return "extern";
    case ITEM_PATTERN: return "pattern";
    case ITEM_TEST: return "test";
    case ITEM_BENCH: return "bench";
    case ITEM_RULE: return "rule";
    case ITEM_STRATEGY: return "strategy";
    case ITEM_SCHEDULE: return "schedule";
    }
    return "";
}

// Whether the reference describes the item: it has a name that programs use.
static bool is_described(const Item *item)
{
    return item->name && item->kind != ITEM_IMPORT && item->kind != ITEM_TEST &&
           item->kind != ITEM_BENCH && item->kind != ITEM_SCHEDULE;
}

// What the source says before the body of a function, or the whole item.
static const char *signature(const DocSet *set, const Item *item)
{
    bool body = (item->kind == ITEM_FN || item->kind == ITEM_STRATEGY) && item->body;
    uint32_t lo = item->span.lo, hi = body ? item->body->span.lo : item->span.hi;
    const char *text = set->cx->sources.at[item->span.file - 1]->text;
    while (hi > lo && isspace((unsigned char)text[hi - 1])) hi--;
    return arena_printf(set->cx->arena, "%.*s", (int)(hi - lo), text + lo);
}

// The anchor is the name, or name-2 if another item has that name already.
static const char *anchor(const DocSet *set, const DocModule *m, const char *name)
{
    int before = 0;
    for (int i = 0; i < m->items.len; i++) before += strcmp(m->items.at[i]->name, name) == 0;
    return before ? arena_printf(set->cx->arena, "%s-%d", name, before + 1) : name;
}

static void add_item(const DocSet *set, DocModule *m, const Item *item)
{
    Arena *arena = set->cx->arena;
    int column;
    DocItem *d = ARENA_NEW(arena, DocItem);
    *d = (DocItem){.item = item,
                   .name = item->name->text,
                   .anchor = anchor(set, m, item->name->text),
                   .signature = signature(set, item),
                   .blocks = doc_blocks(arena, item->doc)};
    session_position(set->cx, item->span.file, item->span.lo, &d->line, &column);
    vec_push(arena, &m->items, d);
    if (!map_get(&m->by_name, MAP_KEY(item->name))) map_put(&m->by_name, MAP_KEY(item->name), d);
}

// The comment before the first item, up to the first line that is none.
static DocBlocks head_comment(const DocSet *set, const Module *m)
{
    Arena *arena = set->cx->arena;
    Text text = text_new(arena);
    for (int i = 0; i < m->comments.len; i++) {
        const Comment *c = &m->comments.at[i];
        bool inside = m->items.len > 0 && c->span.lo > m->items.at[0]->span.lo;
        if (inside || !c->own_line || (text.len && c->blank_before)) break;
        if (text.len) text_char(&text, '\n');
        text_put(&text, c->text + 2 + (c->text[2] == ' '));
    }
    return doc_blocks(arena, text_get(&text));
}

bool doc_add_module(DocSet *set, const char *path, const char *name)
{
    Session *cx = set->cx;
    uint32_t file = source_open(cx, path, NO_SPAN);
    if (!file) return false;
    cx->pass = "parse";
    Module *tree = parse_module(cx, file);
    if (cx->errors) return false;
    DocModule *m = ARENA_NEW(cx->arena, DocModule);
    *m = (DocModule){.name = name,
                     .page = strcmp(name, "index") == 0 ? "index-module" : name,
                     .file = file,
                     .tree = tree,
                     .intro = head_comment(set, tree),
                     .by_name = map_new(cx->arena)};
    for (int i = 0; i < tree->items.len; i++)
        if (is_described(tree->items.at[i])) add_item(set, m, tree->items.at[i]);
    vec_push(cx->arena, &set->modules, m);
    map_put(&set->by_name, MAP_KEY(session_sym(cx, name)), m);
    return true;
}
