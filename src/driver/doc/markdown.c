// The reference as one Markdown document: an item of a list for each item, with its signature, its
// comment and its examples.
#include "driver/doc/doc.h"

#include <ctype.h>
#include <string.h>

typedef struct {
    const DocSet *set;
    const DocModule *module; // the one that is being described, or NULL
    const DocItem *item;
    Text *out;
    bool code;
} Page;

// The anchor that a heading gets: small letters, digits, - and _.
static const char *heading_anchor(Arena *arena, const char *heading)
{
    Text t = text_new(arena);
    for (const char *c = heading; *c; c++)
        if (isalnum((unsigned char)*c) || *c == '-' || *c == '_')
            text_char(&t, (char)tolower((unsigned char)*c));
        else if (*c == ' ')
            text_char(&t, '-');
    return text_get(&t);
}

static const char *heading(const DocModule *m)
{
    return strcmp(m->name, "prelude") == 0 ? "Without an import" : m->name;
}

// Writes a piece, as a link to the heading of another module if it refers to that.
static void put_piece(void *env, const char *text, size_t len, const DocTarget *target)
{
    const Page *p = env;
    bool link = target && target->module != p->module;
    const char *tick = p->code && link ? "`" : "";
    if (link) text_put(p->out, "[");
    text_printf(p->out, "%s%.*s%s", tick, (int)len, text, tick);
    if (link)
        text_printf(p->out, "](#%s)", heading_anchor(p->set->cx->arena, heading(target->module)));
}

// Writes code: as a link if it is a name of another module, and as it is otherwise.
static void put_code(Page *p, const char *text, size_t len)
{
    DocTarget target;
    bool found = doc_find(p->set, p->module, text, len, &target) && target.module != p->module;
    p->code = true;
    if (found)
        put_piece(p, text, len, &target);
    else
        text_printf(p->out, "`%.*s`", (int)len, text);
    p->code = false;
}

// Writes text. Characters that mean something in Markdown get a backslash.
static void put_escaped(void *env, const char *text, size_t len, const DocTarget *target)
{
    const Page *p = env;
    if (target) {
        put_piece(env, text, len, target);
        return;
    }
    for (size_t i = 0; i < len; i++) {
        bool inner = text[i] == '_' && i > 0 && i + 1 < len &&
                     isalnum((unsigned char)text[i - 1]) && isalnum((unsigned char)text[i + 1]);
        if (strchr("*<[]_\\", text[i]) && !inner) text_char(p->out, '\\');
        text_char(p->out, text[i]);
    }
}

static void put_text(Page *p, const char *text)
{
    while (*text) {
        const char *end = *text == '`' ? strchr(text + 1, '`') : NULL;
        size_t len = end ? (size_t)(end + 1 - text) : 1 + strcspn(text + 1, "`");
        if (end)
            put_code(p, text + 1, len - 2);
        else
            doc_text_pieces(p->set, p->module, p->item, text, len, put_escaped, p);
        text += len;
    }
}

static void put_example(Text *out, const char *text, const char *indent)
{
    text_printf(out, "\n%s```\n%s", indent, indent);
    for (; *text; text++) {
        text_char(out, *text);
        if (*text == '\n') text_put(out, indent);
    }
    text_printf(out, "\n%s```\n", indent);
}

static void put_blocks(Page *p, const DocBlocks *blocks, bool first_follows, const char *indent)
{
    for (int i = 0; i < blocks->len; i++) {
        const DocBlock *b = &blocks->at[i];
        if (b->kind == DOC_EXAMPLE) {
            put_example(p->out, b->text, indent);
            continue;
        }
        if (i > 0 || !first_follows) {
            bool close = b->kind == DOC_ITEM && i > 0 && blocks->at[i - 1].kind == DOC_ITEM;
            text_printf(p->out, "%s%s", close ? "" : "\n", indent);
        }
        if (b->kind == DOC_ITEM) text_put(p->out, "* ");
        put_text(p, b->text);
        text_char(p->out, '\n');
    }
}

// Appends code on one line: without its comments and the commas before closing brackets.
static void put_line(Text *out, const char *code)
{
    while (*code) {
        size_t blanks = strspn(code, " \n");
        if (blanks == 0 && strncmp(code, "//", 2) == 0) {
            code += strcspn(code, "\n");
            continue;
        }
        if (blanks == 0) {
            text_char(out, *code++);
            continue;
        }
        code += blanks;
        bool closes = out->len && out->at[out->len - 1] == ',' && strchr(")]}", *code);
        if (closes) out->at[--out->len] = '\0';
        bool close = strchr(")]", *code) || strncmp(code, "//", 2) == 0;
        if (!out->len || !strchr("([ ", out->at[out->len - 1])) text_put(out, close ? "" : " ");
    }
}

// The signature on one line, without the word that says that it is a function. Of a rule only the
// name, because its parameters are those of its left side, and of a constant not the value.
static const char *short_signature(Arena *arena, const DocItem *d)
{
    static const char *const words[] = {"fn ", "pattern ", "strategy ", "const "};
    const char *from = d->signature;
    Text t = text_new(arena);
    if (d->item->kind == ITEM_RULE) return arena_printf(arena, "rule %s", d->name);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(from, words[i], strlen(words[i])) == 0) from += strlen(words[i]);
    const char *value = d->item->kind == ITEM_CONST ? strstr(from, " = ") : NULL;
    put_line(&t, value ? arena_printf(arena, "%.*s", (int)(value - from), from) : from);
    return text_get(&t);
}

static void put_item(Page *p, const DocItem *d)
{
    p->item = d;
    text_printf(p->out, "* `%s`", short_signature(p->set->cx->arena, d));
    text_put(p->out, ": ");
    put_blocks(p, &d->blocks, true, "  ");
    p->item = NULL;
}

// Lists the names of the items that have no comment, which mostly serve the others.
static void put_bare(Page *p)
{
    int n = 0;
    for (int i = 0; i < p->module->items.len; i++) {
        const DocItem *d = p->module->items.at[i];
        if (d->blocks.len) continue;
        text_printf(p->out, "%s`%s`", n++ ? ", " : "* without a comment: ", d->name);
    }
    if (n) text_char(p->out, '\n');
}

// The names of another module that this one exports: those in its list, or all.
static void put_passed_on(Page *p, const Item *item)
{
    int n = item->imported.len;
    text_put(p->out, "* ");
    for (int i = 0; i < n; i++)
        text_printf(p->out, "%s`%s`", i ? ", " : "", item->imported.at[i]->name->text);
    text_printf(p->out, n ? " of `%s` %s passed on\n" : "`%s` %s passed on\n", item->name->text,
                n > 1 ? "are" : "is");
}

static void put_module(Page *p)
{
    const DocModule *m = p->module;
    text_printf(p->out, "\n## %s\n", heading(m));
    put_blocks(p, &m->intro, false, "");
    if (m->intro.len && m->items.len) text_char(p->out, '\n');
    for (int i = 0; i < m->tree->items.len; i++) {
        const Item *item = m->tree->items.at[i];
        if (item->kind == ITEM_IMPORT && item->passed_on) put_passed_on(p, item);
    }
    for (int i = 0; i < m->items.len; i++)
        if (m->items.at[i]->blocks.len) put_item(p, m->items.at[i]);
    put_bare(p);
}

void doc_markdown(const DocSet *set, const char *path, DocFiles *out)
{
    Text text = text_new(set->cx->arena);
    Page p = {.set = set, .out = &text};
    text_printf(&text, "# %s\n\nThe items of each module: signature, comment and examples.\n",
                set->title);
    for (int i = 0; i < set->modules.len; i++) {
        p.module = set->modules.at[i];
        put_module(&p);
    }
    vec_push(set->cx->arena, out, ((FileText){path, text_get(&text), text.len}));
}
