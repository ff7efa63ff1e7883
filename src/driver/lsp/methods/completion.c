// Completion. The text is analysed with a name at the cursor, so that it parses as far as possible:
// an unfinished expression is then complete.
#include "driver/lsp/methods/methods.h"

#include <stdlib.h>
#include <string.h>

static const char placeholder[] = "here_";

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The beginning of the name that ends at the offset.
static size_t name_begin(const char *text, size_t offset)
{
    while (offset > 0 && is_name_char(text[offset - 1])) offset--;
    return offset;
}

Analysis *completion_analysis(Server *s, Document *d, const json_t *params, size_t *offset,
                              Failure *failure)
{
    TextView v = document_view(d, s->utf8);
    if (!position_read(&v, json_object_get(params, "position"), offset)) {
        server_fail(failure, RPC_INVALID_PARAMS, "position has a line and a character");
        return NULL;
    }
    size_t begin = name_begin(d->text, *offset), end = *offset, n = sizeof placeholder - 1;
    while (end < d->len && is_name_char(d->text[end])) end++;
    if (begin < end) n = 0; // there is a name
    char *text = memory_more(NULL, d->len + n + 1);
    memcpy(text, d->text, *offset);
    memcpy(text + *offset, placeholder, n);
    memcpy(text + *offset + n, d->text + *offset, d->len - *offset);
    Analysis *a = analysis_new(s, d->path, text, d->len + n);
    free(text);
    return a;
}

// --- items --------------------------------------------------------------------------------------

typedef struct {
    const Analysis *a;
    size_t offset;
    bool piped; // only what a value can be piped to
    bool snippets;
    Map seen; // the names in the list
    json_t *list;
} Completing;

static void add(Completing *c, Sym name, int kind, const char *detail, const char *doc,
                const char *insert)
{
    if (map_get(&c->seen, MAP_KEY(name)) || strcmp(name->text, placeholder) == 0) return;
    map_put(&c->seen, MAP_KEY(name), c);
    json_t *one = json_pack("{s:o, s:i}", "label", json_text(name->text), "kind", kind);
    if (detail) json_object_set_new(one, "detail", json_text(detail));
    if (doc)
        json_object_set_new(one, "documentation",
                            json_pack("{s:s, s:o}", "kind", "markdown", "value", json_text(doc)));
    if (insert) json_object_set_new(one, "insertText", json_text(insert));
    if (insert && c->snippets) json_object_set_new(one, "insertTextFormat", json_integer(2));
    json_array_append_new(c->list, one);
}

// A call without its last argument, which the pipe passes: `map(f)`.
static const char *piped_call(const Completing *c, const Item *item)
{
    Text t = text_new(c->a->cx->arena);
    text_put(&t, item->name->text);
    for (int i = 0; i + 1 < item->params.len; i++) {
        const char *name = item->params.at[i].name ? item->params.at[i].name->text : "_";
        text_put(&t, i ? ", " : "(");
        if (c->snippets)
            text_printf(&t, "${%d:%s}", i + 1, name);
        else
            text_put(&t, name);
    }
    if (item->params.len > 1) text_char(&t, ')');
    return text_get(&t);
}

static bool takes_values(const Symbol *y)
{
    bool function = y->kind == SYMBOL_FN || y->kind == SYMBOL_PATTERN;
    return function && y->item && y->item->params.len > 0;
}

static void add_symbol(Completing *c, const Symbol *y)
{
    bool strategy = y->kind == SYMBOL_RULE || y->kind == SYMBOL_STRATEGY;
    if (strategy || y->kind == SYMBOL_AMBIGUOUS || (c->piped && !takes_values(y))) return;
    const char *detail = y->item ? show_symbol(c->a, y) : NULL;
    bool function = y->item && (y->kind == SYMBOL_FN || y->kind == SYMBOL_PATTERN);
    if (function) detail = infer_show_item(c->a->cx, y->item);
    const char *insert = c->piped ? piped_call(c, y->item) : NULL;
    add(c, y->name, show_kind_of_symbol(y), detail, show_doc(y), insert);
}

static void add_scope(Completing *c, const Map *scope)
{
    for (int i = 0; i < scope->len; i++) add_symbol(c, scope->entries[i].value);
}

static void add_decls(Completing *c)
{
    const Analysis *a = c->a;
    for (int i = a->decls.len - 1; i >= 0; i--) { // inner declarations hide outer ones
        const Decl *d = &a->decls.at[i];
        bool visible = d->scope.file && d->scope.lo <= c->offset && c->offset <= d->scope.hi;
        bool nested = d->kind == DECL_FUNCTION && d->scope.lo > 0;
        if (!visible || d->kind < DECL_GENERIC ? !nested || !visible : false) continue;
        if (c->piped && !nested) continue;
        add(c, d->name, show_kind_of_decl(d), show_decl(a, d), d->doc, NULL);
    }
}

static void add_keywords(Completing *c)
{
    static const char *const words[] = {
        "as",     "break",  "const", "continue", "else", "entry",     "enum",  "extern", "false",
        "fn",     "for",    "if",    "import",   "in",   "let",       "loop",  "match",  "mut",
        "return", "struct", "test",  "true",     "type", "unchecked", "where", "while",  "with"};
    enum { KEYWORD = 14 };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        add(c, session_sym(c->a->cx, words[i]), KEYWORD, NULL, NULL, NULL);
}

static void add_names(Completing *c)
{
    const Infer *in = c->a->work.program ? infer_state(c->a->work.program) : NULL;
    add_decls(c);
    if (in) {
        add_scope(c, &in->main->scope);
        add_scope(c, &in->main->imported);
        add_scope(c, &in->prelude->scope);
        if (!c->piped) add_scope(c, &in->builtin);
    }
    if (!c->piped) add_keywords(c);
}

// --- after a dot --------------------------------------------------------------------------------

static void add_fields(Completing *c, const Symbol *y, Node *type)
{
    const Item *item = y->item;
    for (int i = 0; item->kind == ITEM_STRUCT && i < item->params.len; i++) {
        const AstParam *p = &item->params.at[i];
        const char *shown = type && i < (int)type->nops ? type_show(c->a->cx, type->op[i]) : NULL;
        if (p->name) add(c, p->name, 5, shown, p->doc, NULL);
    }
    for (int i = 0; i < item->options.len; i++) {
        const AstOption *o = &item->options.at[i];
        if (o->name) add(c, o->name, 20, NULL, o->doc, NULL);
    }
}

static void add_variants(Completing *c, const Symbol *y)
{
    const PatternRow *row = &infer_patterns[y->row];
    for (int v = 0; v < VARIANT_COUNT; v++)
        if (row->variants >> v & 1)
            add(c, session_sym(c->a->cx, variant_text[v]), 20, y->name->text, NULL, NULL);
}

// The type of the value whose expression ends at the offset.
static Node *type_before(const Analysis *a, size_t end)
{
    const TypeOf *best = NULL;
    for (int i = 0; i < a->uses.types.len; i++) {
        const TypeOf *e = &a->uses.types.at[i];
        bool postfix = e->kind == AST_NAME || e->kind == AST_FIELD || e->kind == AST_INDEX ||
                       e->kind == AST_CALL || e->kind == AST_PROJ || e->kind == AST_PAREN;
        if (e->at.hi != end || !postfix || (best && best->at.lo <= e->at.lo)) continue;
        best = e;
    }
    Node *type = best ? best->type : NULL;
    while (type && type->kind == TYPE_REF) type = type->op[0];
    return type;
}

static void add_members(Completing *c, size_t dot)
{
    const Analysis *a = c->a;
    Meant t;
    if (!a->work.program) return;
    Node *type = type_before(a, dot);
    if (type && type->kind == TYPE_STRUCT) {
        const Symbol *y = map_get(&infer_state(a->work.program)->structs, MAP_KEY(type->attr.sym));
        if (y && y->item && y->kind == SYMBOL_STRUCT) add_fields(c, y, type);
        return;
    }
    if (!names_find(a, dot, &t) || !t.symbol) return;
    if (t.symbol->kind == SYMBOL_ENUM) add_fields(c, t.symbol, NULL);
    if (t.symbol->kind == SYMBOL_PATTERN) add_variants(c, t.symbol);
}

// --- the method ---------------------------------------------------------------------------------

static size_t skip_blanks(const char *text, size_t at)
{
    while (at > 0 && strchr(" \t\r\n", text[at - 1])) at--;
    return at;
}

// Whether the offset is in a comment or a string, where nothing is completed.
static bool is_in_text(const char *text, size_t offset)
{
    size_t line = offset;
    bool quoted = false;
    while (line > 0 && text[line - 1] != '\n') line--;
    for (; line < offset; line++) {
        if (quoted && text[line] == '\\')
            line++;
        else if (text[line] == '"')
            quoted = !quoted;
        else if (!quoted && text[line] == '/' && text[line + 1] == '/')
            return true;
    }
    return quoted;
}

// --- imports ------------------------------------------------------------------------------------

// The names of a module's file, without the folder.
static void add_modules(Completing *c)
{
    enum { MODULE = 9 };
    Arena *arena = c->a->cx->arena;
    Strings files = modules_of_library(arena, "std");
    for (int i = 0; i < files.len; i++) {
        const char *base = path_base(files.at[i]);
        int n = (int)strlen(base) - (int)strlen(".adz");
        const char *name = arena_printf(arena, "std.%.*s", n, base);
        add(c, session_sym(c->a->cx, name), MODULE, NULL, NULL, NULL);
    }
}

static void add_exports(Completing *c, const Item *item)
{
    const Infer *in = c->a->work.program ? infer_state(c->a->work.program) : NULL;
    Meant t;
    if (!in || !names_find(c->a, item->name_span.lo, &t)) return;
    const Unit *u = map_get(&in->by_file, t.definition.file);
    for (int i = 0; u && i < u->exports.len; i++) add_symbol(c, u->exports.entries[i].value);
}

// Completes in an import: the module, or its names in the parentheses. Returns false elsewhere.
static bool add_imports(Completing *c)
{
    const Module *m = c->a->work.module;
    for (int i = 0; m && i < m->items.len; i++) {
        const Item *item = m->items.at[i];
        bool here = item->kind == ITEM_IMPORT && item->span.lo < c->offset &&
                    c->offset <= item->span.hi && item->name_span.file;
        if (!here) continue;
        if (c->offset <= item->name_span.hi)
            add_modules(c);
        else
            add_exports(c, item);
        return true;
    }
    return false;
}

// --- strategies ---------------------------------------------------------------------------------

static void add_strategies(Completing *c, const Map *scope)
{
    for (int i = 0; i < scope->len; i++) {
        const Symbol *y = scope->entries[i].value;
        bool strategy = y && (y->kind == SYMBOL_RULE || y->kind == SYMBOL_STRATEGY);
        if (strategy)
            add(c, y->name, show_kind_of_symbol(y), show_symbol(c->a, y), show_doc(y), NULL);
    }
}

// The parameters of a strategy or the numbers of a schedule.
static void add_parameters(Completing *c, const Item *item)
{
    enum { VARIABLE = 6 };
    for (int i = 0; i < item->params.len; i++)
        if (item->params.at[i].name) add(c, item->params.at[i].name, VARIABLE, NULL, NULL, NULL);
    for (int i = 0; i < item->tuned.len; i++)
        if (item->tuned.at[i].name) add(c, item->tuned.at[i].name, VARIABLE, NULL, NULL, NULL);
}

static void add_primitives(Completing *c)
{
    enum { OPERATOR = 24 };
    for (int i = 0; i < PRIMITIVE_COUNT; i++)
        add(c, session_sym(c->a->cx, primitive_info[i].name), OPERATOR, NULL, primitive_info[i].doc,
            NULL);
}

// Completes in the body of a schedule or a strategy: strategies and rules. Returns false elsewhere.
static bool add_steps(Completing *c)
{
    const Module *m = c->a->work.module;
    const Infer *in = c->a->work.program ? infer_state(c->a->work.program) : NULL;
    for (int i = 0; m && in && i < m->items.len; i++) {
        const Item *item = m->items.at[i];
        bool steps = item->kind == ITEM_SCHEDULE || item->kind == ITEM_STRATEGY;
        const Ast *body = steps ? item->body : NULL;
        if (!body || c->offset <= body->span.lo || body->span.hi < c->offset) continue;
        add_parameters(c, item);
        add_strategies(c, &in->main->scope);
        add_strategies(c, &in->main->imported);
        add_strategies(c, &in->prelude->scope);
        add_primitives(c);
        return true;
    }
    return false;
}

json_t *method_completion(Server *s, const json_t *params, Failure *failure)
{
    size_t offset;
    Document *d = server_document(s, params, failure);
    Analysis *a = d ? completion_analysis(s, d, params, &offset, failure) : NULL;
    if (!a) return NULL;
    size_t begin = name_begin(d->text, offset), before = skip_blanks(d->text, begin);
    Completing c = {.a = a,
                    .offset = offset,
                    .snippets = s->snippets,
                    .seen = map_new(a->cx->arena),
                    .list = json_array()};
    c.piped = before >= 2 && strncmp(d->text + before - 2, "|>", 2) == 0;
    if (!is_in_text(d->text, offset) && !add_imports(&c) && !add_steps(&c)) {
        if (begin > 0 && d->text[begin - 1] == '.')
            add_members(&c, begin - 1);
        else
            add_names(&c);
    }
    analysis_delete(a);
    return json_pack("{s:b, s:o}", "isIncomplete", 0, "items", c.list);
}
