// The reference as HTML: an overview, a page for each module and one for its source, a style sheet
// and a script for the search. Nothing is loaded from elsewhere.
#include "driver/doc/doc.h"

#include <ctype.h>
#include <string.h>

#include "doc_css_text.h"
#include "doc_js_text.h"
#include "syntax/lex/lex.h"

typedef struct {
    const DocSet *set;
    const DocModule *module; // the one of the page, or NULL on the overview
    const DocItem *item;
    Text out;
} Page;

// --- text ---------------------------------------------------------------------------------------

static void put_escaped(Text *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) switch (text[i]) {
        case '<': text_put(out, "&lt;"); break;
        case '>': text_put(out, "&gt;"); break;
        case '&': text_put(out, "&amp;"); break;
        case '"': text_put(out, "&quot;"); break;
        default: text_char(out, text[i]);
        }
}

static void put(Text *out, const char *text)
{
    put_escaped(out, text, strlen(text));
}

static bool is_keyword(const char *text, size_t len)
{
    static const char *const more[] = {"rule",     "contract", "reassociate", "strategy",
                                       "schedule", "bench",    "pub",         "simd"};
    for (int k = 0; k < TOKEN_COUNT; k++)
        if (token_info[k].class == WORD && (size_t)token_info[k].len == len &&
            memcmp(token_info[k].text, text, len) == 0)
            return true;
    for (size_t k = 0; k < sizeof more / sizeof *more; k++)
        if (strlen(more[k]) == len && memcmp(more[k], text, len) == 0) return true;
    return false;
}

// Writes code that refers to nothing, with its keywords marked.
static void put_plain_code(Text *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t n = 0;
        while (i + n < len && (isalnum((unsigned char)text[i + n]) || text[i + n] == '_')) n++;
        bool keyword = n > 0 && is_keyword(text + i, n);
        n += n == 0;
        if (keyword) text_put(out, "<span class=\"k\">");
        put_escaped(out, text + i, n);
        if (keyword) text_put(out, "</span>");
        i += n;
    }
}

static void put_address(Text *out, const DocTarget *t)
{
    put(out, t->module->page);
    text_put(out, ".html");
    if (t->item) text_put(out, "#");
    if (t->item) put(out, t->item->anchor);
}

static void put_link(Text *out, const char *text, size_t len, const DocTarget *target)
{
    text_put(out, "<a href=\"");
    put_address(out, target);
    text_put(out, "\">");
    put_escaped(out, text, len);
    text_put(out, "</a>");
}

static void put_code_piece(void *env, const char *text, size_t len, const DocTarget *target)
{
    Page *p = env;
    if (target)
        put_link(&p->out, text, len, target);
    else
        put_plain_code(&p->out, text, len);
}

static void put_text_piece(void *env, const char *text, size_t len, const DocTarget *target)
{
    Page *p = env;
    if (target)
        put_link(&p->out, text, len, target);
    else
        put_escaped(&p->out, text, len);
}

// The length of the comment or string that begins here, within its line, or 0.
static size_t opaque_length(const char *text, size_t len)
{
    size_t n = 1;
    if (len > 1 && text[0] == '/' && text[1] == '/') {
        const char *end = memchr(text, '\n', len);
        return end ? (size_t)(end - text) : len;
    }
    if (*text != '"') return 0;
    while (n < len && text[n] != '"' && text[n] != '\n')
        n += text[n] == '\\' && n + 1 < len ? 2 : 1;
    return n < len && text[n] == '"' ? n + 1 : n;
}

// Writes code with its comments, strings and keywords marked, and its names as links.
static void put_code(Page *p, const char *text, size_t len)
{
    size_t from = 0;
    for (size_t i = 0; i <= len;) {
        size_t n = i < len ? opaque_length(text + i, len - i) : 0;
        if (n == 0 && i < len) {
            i++;
            continue;
        }
        doc_code_pieces(p->set, p->module, p->item, text + from, i - from, put_code_piece, p);
        if (i == len) return;
        text_printf(&p->out, "<span class=\"%s\">", text[i] == '/' ? "c" : "s");
        put_escaped(&p->out, text + i, n);
        text_put(&p->out, "</span>");
        from = i += n;
    }
}

static void put_text(Page *p, const char *text)
{
    while (*text) {
        const char *end = *text == '`' ? strchr(text + 1, '`') : NULL;
        size_t len = end ? (size_t)(end + 1 - text) : 1 + strcspn(text + 1, "`");
        if (end) {
            text_put(&p->out, "<code>");
            put_code(p, text + 1, len - 2);
            text_put(&p->out, "</code>");
        } else {
            doc_text_pieces(p->set, p->module, p->item, text, len, put_text_piece, p);
        }
        text += len;
    }
}

static void put_block(Page *p, const DocBlocks *blocks, int i)
{
    const DocBlock *b = &blocks->at[i];
    bool list = b->kind == DOC_ITEM;
    bool first = list && (i == 0 || blocks->at[i - 1].kind != DOC_ITEM);
    bool last = list && (i + 1 == blocks->len || blocks->at[i + 1].kind != DOC_ITEM);
    if (b->kind == DOC_EXAMPLE) {
        text_put(&p->out, "<pre class=\"example\"><code>");
        put_code(p, b->text, strlen(b->text));
        text_put(&p->out, "</code></pre>\n");
        return;
    }
    text_put(&p->out, first ? "<ul><li>" : list ? "<li>" : "<p>");
    put_text(p, b->text);
    text_put(&p->out, last ? "</li></ul>\n" : list ? "</li>\n" : "</p>\n");
}

static void put_blocks(Page *p, const DocBlocks *blocks)
{
    for (int i = 0; i < blocks->len; i++) put_block(p, blocks, i);
}

// --- pages --------------------------------------------------------------------------------------

// Writes the beginning of a page: the head, the search, and the list of modules.
static void begin_page(Page *p, const char *title)
{
    Text *out = &p->out;
    text_put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<title>");
    put(out, title);
    text_put(out, "</title>\n<link rel=\"stylesheet\" href=\"style.css\">\n</head>\n<body>\n"
                  "<nav>\n<a class=\"title\" href=\"index.html\">");
    put(out, p->set->title);
    text_put(out, "</a>\n<input id=\"search\" type=\"search\" placeholder=\"Search ( / )\" "
                  "aria-label=\"Search\" autocomplete=\"off\">\n<ul id=\"found\"></ul>\n"
                  "<ul id=\"modules\" class=\"modules\">\n");
    for (int i = 0; i < p->set->modules.len; i++) {
        const DocModule *m = p->set->modules.at[i];
        text_put(out, "<li><a href=\"");
        put(out, m->page);
        text_printf(out, ".html\"%s>", m == p->module ? " aria-current=\"page\"" : "");
        put(out, m->name);
        text_put(out, "</a></li>\n");
    }
    text_put(out, "</ul>\n</nav>\n<main>\n");
}

static void end_page(Page *p, const char *dir, const char *name, DocFiles *files)
{
    Arena *arena = p->set->cx->arena;
    text_put(&p->out, "</main>\n<script src=\"search.js\"></script>\n</body>\n</html>\n");
    vec_push(arena, files,
             ((FileText){path_join(arena, dir, name), text_get(&p->out), p->out.len}));
}

static Page new_page(const DocSet *set, const DocModule *m)
{
    return (Page){.set = set, .module = m, .out = text_new(set->cx->arena)};
}

static void put_sentence(Page *p, const DocBlocks *blocks)
{
    put_text(p, doc_sentence(p->set->cx->arena, blocks));
}

static void add_overview(const DocSet *set, const char *dir, DocFiles *files)
{
    Page p = new_page(set, NULL);
    begin_page(&p, set->title);
    text_put(&p.out, "<h1>");
    put(&p.out, set->title);
    text_put(&p.out, "</h1>\n<table>\n");
    for (int i = 0; i < set->modules.len; i++) {
        const DocModule *m = set->modules.at[i];
        DocTarget target = {m, NULL};
        text_put(&p.out, "<tr><td>");
        put_link(&p.out, m->name, strlen(m->name), &target);
        text_put(&p.out, "</td><td>");
        p.module = m; // the scope of the names in its comment
        put_sentence(&p, &m->intro);
        text_put(&p.out, "</td></tr>\n");
    }
    text_put(&p.out, "</table>\n");
    end_page(&p, dir, "index.html", files);
}

static void put_source_link(Page *p, int line)
{
    text_put(&p->out, "<a class=\"source\" href=\"");
    put(&p->out, p->module->page);
    text_put(&p->out, ".source.html");
    if (line) text_printf(&p->out, "#L%d", line);
    text_put(&p->out, "\">source</a>");
}

static void put_item(Page *p, const DocItem *d)
{
    Text *out = &p->out;
    p->item = d;
    text_put(out, "<section class=\"item\" id=\"");
    put(out, d->anchor);
    text_put(out, "\">\n<h3><a class=\"self\" href=\"#");
    put(out, d->anchor);
    text_put(out, "\">");
    put(out, d->name);
    text_printf(out, "</a> <span class=\"kind\">%s</span> ", doc_kind(d->item));
    put_source_link(p, d->line);
    text_put(out, "</h3>\n<pre><code>");
    put_code(p, d->signature, strlen(d->signature));
    text_put(out, "</code></pre>\n");
    put_blocks(p, &d->blocks);
    if (d->blocks.len == 0) text_put(out, "<p class=\"none\">No comment.</p>\n");
    text_put(out, "</section>\n");
    p->item = NULL;
}

static void put_summary(Page *p, const DocItem *d)
{
    DocTarget target = {p->module, d};
    text_put(&p->out, "<tr><td><code>");
    put_link(&p->out, d->name, strlen(d->name), &target);
    text_put(&p->out, "</code></td><td>");
    p->item = d;
    put_sentence(p, &d->blocks);
    p->item = NULL;
    text_put(&p->out, "</td></tr>\n");
}

// Links to the items that have no comment, which mostly serve the others.
static void put_bare(Page *p)
{
    int n = 0;
    for (int i = 0; i < p->module->items.len; i++) {
        const DocItem *d = p->module->items.at[i];
        DocTarget target = {p->module, d};
        if (d->blocks.len) continue;
        text_put(&p->out, n++ ? ", <code>" : "<p>Without a comment: <code>");
        put_link(&p->out, d->name, strlen(d->name), &target);
        text_put(&p->out, "</code>");
    }
    if (n) text_put(&p->out, "</p>\n");
}

static void put_passed_on(Page *p)
{
    const Module *tree = p->module->tree;
    for (int i = 0; i < tree->items.len; i++) {
        const Item *item = tree->items.at[i];
        if (item->kind != ITEM_IMPORT || !item->passed_on) continue;
        text_put(&p->out, item->imported.len ? "<p>Passes on " : "<p>Passes on the names");
        for (int k = 0; k < item->imported.len; k++) {
            const char *name = item->imported.at[k]->name->text;
            text_put(&p->out, k ? ", <code>" : "<code>");
            put_code(p, name, strlen(name));
            text_put(&p->out, "</code>");
        }
        text_put(&p->out, " of <code>");
        put_code(p, item->name->text, strlen(item->name->text));
        text_put(&p->out, "</code>.</p>\n");
    }
}

static void add_module(const DocSet *set, const DocModule *m, const char *dir, DocFiles *files)
{
    Page p = new_page(set, m);
    Arena *arena = set->cx->arena;
    begin_page(&p, arena_printf(arena, "%s - %s", m->name, set->title));
    text_put(&p.out, "<h1>");
    put(&p.out, m->name);
    text_put(&p.out, "</h1>\n");
    put_blocks(&p, &m->intro);
    put_passed_on(&p);
    text_put(&p.out, "<p>");
    put_source_link(&p, 0);
    text_put(&p.out, "</p>\n<h2>Overview</h2>\n<table>\n");
    for (int i = 0; i < m->items.len; i++)
        if (m->items.at[i]->blocks.len) put_summary(&p, m->items.at[i]);
    text_put(&p.out, "</table>\n");
    put_bare(&p);
    text_put(&p.out, "<h2>Items</h2>\n");
    for (int i = 0; i < m->items.len; i++) put_item(&p, m->items.at[i]);
    end_page(&p, dir, arena_printf(arena, "%s.html", m->page), files);
}

static void add_source(const DocSet *set, const DocModule *m, const char *dir, DocFiles *files)
{
    Page p = new_page(set, m);
    Arena *arena = set->cx->arena;
    const Source *s = set->cx->sources.at[m->file - 1];
    begin_page(&p, arena_printf(arena, "Source of %s - %s", m->name, set->title));
    DocTarget target = {m, NULL};
    text_put(&p.out, "<h1>Source of ");
    put_link(&p.out, m->name, strlen(m->name), &target);
    text_put(&p.out, "</h1>\n<pre class=\"lines\"><code>");
    const char *at = s->text, *end = s->text + s->len;
    for (int line = 1; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((stop ? stop : end) - at);
        text_printf(&p.out, "<span class=\"l\" id=\"L%d\">", line);
        put_code(&p, at, len);
        text_put(&p.out, "</span>");
        at += len + 1;
    }
    text_put(&p.out, "</code></pre>\n");
    end_page(&p, dir, arena_printf(arena, "%s.source.html", m->page), files);
}

// --- search -------------------------------------------------------------------------------------

static void put_string(Text *out, const char *text)
{
    text_char(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') text_char(out, '\\');
        text_char(out, *text == '\n' ? ' ' : *text);
    }
    text_char(out, '"');
}

static void put_entry(const DocSet *set, Text *out, const DocModule *m, const DocItem *d)
{
    Text address = text_new(set->cx->arena);
    DocTarget target = {m, d};
    put_address(&address, &target);
    const char *fields[] = {
        d ? d->name : m->name, d ? m->name : "module", d ? doc_kind(d->item) : "module",
        doc_sentence(set->cx->arena, d ? &d->blocks : &m->intro), text_get(&address)};
    enum { FIELDS = sizeof fields / sizeof *fields };
    text_char(out, '[');
    for (int i = 0; i < FIELDS; i++) {
        if (i > 0) text_char(out, ',');
        put_string(out, fields[i]);
    }
    text_put(out, "],\n");
}

static void add_search(const DocSet *set, const char *dir, DocFiles *files)
{
    Arena *arena = set->cx->arena;
    Text out = text_new(arena);
    text_put(&out, "const items = [\n");
    for (int i = 0; i < set->modules.len; i++) {
        const DocModule *m = set->modules.at[i];
        put_entry(set, &out, m, NULL);
        for (int k = 0; k < m->items.len; k++) put_entry(set, &out, m, m->items.at[k]);
    }
    text_put(&out, "];\n");
    text_put(&out, doc_js_text);
    vec_push(arena, files,
             ((FileText){path_join(arena, dir, "search.js"), text_get(&out), out.len}));
    vec_push(
        arena, files,
        ((FileText){path_join(arena, dir, "style.css"), doc_css_text, sizeof doc_css_text - 1}));
}

void doc_html(const DocSet *set, const char *dir, DocFiles *out)
{
    add_overview(set, dir, out);
    for (int i = 0; i < set->modules.len; i++) {
        add_module(set, set->modules.at[i], dir, out);
        add_source(set, set->modules.at[i], dir, out);
    }
    add_search(set, dir, out);
}
