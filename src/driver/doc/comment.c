// Divides doc comments into paragraphs, lists and examples.
#include "driver/doc/doc.h"

#include <ctype.h>
#include <string.h>

// Whether the text is an expression other than a name, or the statements of a block. Prose is
// neither: it ends in a full stop.
static bool is_expression(const char *text)
{
    Session *cx = session_new();
    const char *block = arena_printf(cx->arena, "{ %s\n}", text);
    int next;
    uint32_t file = session_add_source(cx, "example", block, strlen(block));
    const Ast *e = parse_expression(cx, file, 0, &next);
    bool good = cx->errors == 0 && ast_value_of(e)->kind != AST_NAME;
    session_delete(cx);
    return good;
}

static bool is_example(Arena *arena, const char *text)
{
    if (is_expression(text)) return true;
    const char *end = strchr(text, '\n');
    if (!end) return false;
    for (const char *line = text; line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        int len = end ? (int)(end - line) : (int)strlen(line);
        if (!is_expression(arena_printf(arena, "%.*s", len, line))) return false;
    }
    return true;
}

// The text with one blank for each line end and the blanks around it.
static const char *joined(Arena *arena, const char *text)
{
    Text line = text_new(arena);
    while (*text) {
        bool end = *text == '\n';
        text_char(&line, end ? ' ' : *text);
        text += end ? 1 + strspn(text + 1, " ") : 1;
    }
    return text_get(&line);
}

static bool is_fence(const char *line, size_t len)
{
    return len >= 3 && memcmp(line, "```", 3) == 0;
}

static bool is_list_item(const char *line, size_t len)
{
    return len > 2 && (*line == '-' || *line == '*') && line[1] == ' ';
}

typedef struct {
    Arena *arena;
    DocBlocks blocks;
    Text open; // the block that goes on
    bool fenced, list;
} Comments;

static void close_block(Comments *c)
{
    const char *text = arena_printf(c->arena, "%s", text_get(&c->open));
    DocBlockKind kind = c->fenced ? DOC_EXAMPLE : c->list ? DOC_ITEM : DOC_TEXT;
    if (c->open.len && kind == DOC_TEXT && c->blocks.len > 0 && is_example(c->arena, text))
        kind = DOC_EXAMPLE;
    if (kind != DOC_EXAMPLE) text = joined(c->arena, text);
    if (c->open.len) vec_push(c->arena, &c->blocks, ((DocBlock){kind, text}));
    c->open = text_new(c->arena);
    c->list = false;
}

static void add_line(Comments *c, const char *line, size_t len)
{
    if (is_fence(line, len)) {
        close_block(c);
        c->fenced = !c->fenced;
        return;
    }
    if (!c->fenced && (len == 0 || is_list_item(line, len))) close_block(c);
    if (!c->fenced && is_list_item(line, len)) c->list = true, line += 2, len -= 2;
    if (!c->fenced && len == 0) return;
    if (c->open.len) text_char(&c->open, '\n');
    text_add(&c->open, line, len);
}

DocBlocks doc_blocks(Arena *arena, const char *comment)
{
    Comments c = {.arena = arena, .open = text_new(arena)};
    while (comment && *comment) {
        size_t len = strcspn(comment, "\n");
        add_line(&c, comment, len);
        comment += len + (comment[len] == '\n');
    }
    close_block(&c);
    return c.blocks;
}

// Whether the full stop ends a sentence rather than an abbreviation or an ellipsis.
static bool ends_sentence(const char *text, const char *stop)
{
    bool end = stop[1] == ' ' || !stop[1];
    return end && stop > text && (isalnum((unsigned char)stop[-1]) || strchr(")]`\"", stop[-1]));
}

const char *doc_sentence(Arena *arena, const DocBlocks *blocks)
{
    if (blocks->len == 0) return "";
    const char *text = blocks->at[0].text;
    for (const char *c = strchr(text, '.'); c; c = strchr(c + 1, '.'))
        if (ends_sentence(text, c)) return arena_printf(arena, "%.*s", (int)(c + 1 - text), text);
    return text;
}
