// Declarations as text, and their kinds in lists of the protocol.
#include "driver/lsp/analysis/analysis.h"

// The keyword before each kind of item, with the patterns of the prelude as functions.
static const char *keyword(const Item *item)
{
    switch (item->kind) {
    case ITEM_CONST: return "const ";
    case ITEM_TYPE: return "type ";
    case ITEM_STRUCT: return "struct ";
    case ITEM_ENUM: return "enum ";
    case ITEM_FN: return item->entry ? "entry fn " : item->pattern ? "pattern " : "fn ";
    case ITEM_EXTERN: return "extern fn ";
    case ITEM_PATTERN: return "pattern ";
    case ITEM_RULE: return "rule ";
    case ITEM_STRATEGY: return "strategy ";
    case ITEM_IMPORT:
    case ITEM_TEST:
    case ITEM_BENCH:
    case ITEM_SCHEDULE: break;
    }
    return "";
}

static void put_generics(Text *t, const Item *item)
{
    for (int i = 0; i < item->generics.len; i++) {
        const AstGeneric *g = &item->generics.at[i];
        text_printf(t, "%s%s", i ? ", " : "[", g->name ? g->name->text : "_");
        if (g->kind) text_printf(t, ": %s", g->kind->text);
    }
    if (item->generics.len) text_char(t, ']');
}

// The fields or options, one a line.
static void put_members(Text *t, const Item *item)
{
    text_put(t, " {\n");
    for (int i = 0; item->kind == ITEM_STRUCT && i < item->params.len; i++) {
        text_printf(t, "    %s: ", item->params.at[i].name ? item->params.at[i].name->text : "_");
        if (item->params.at[i].type) ast_print(t, item->params.at[i].type);
        text_put(t, ",\n");
    }
    for (int i = 0; i < item->options.len; i++) {
        const AstOption *o = &item->options.at[i];
        text_printf(t, "    %s", o->name ? o->name->text : "_");
        for (int k = 0; k < o->types.len; k++) {
            text_put(t, k ? ", " : "(");
            ast_print(t, o->types.at[k]);
        }
        text_put(t, o->types.len ? "),\n" : ",\n");
    }
    text_char(t, '}');
}

static const char *show_item(Session *cx, const Item *item)
{
    Text t = text_new(cx->arena);
    text_put(&t, keyword(item));
    if (item->kind == ITEM_STRUCT || item->kind == ITEM_ENUM) {
        text_put(&t, item->name ? item->name->text : "_");
        put_generics(&t, item);
        put_members(&t, item);
    } else if (item->kind == ITEM_CONST || item->kind == ITEM_TYPE) {
        text_put(&t, item->name ? item->name->text : "_");
        put_generics(&t, item);
        if (item->type) text_put(&t, item->kind == ITEM_TYPE ? " = " : ": ");
        if (item->type) ast_print(&t, item->type);
    } else {
        text_put(&t, infer_show_item(cx, item));
        for (int i = 0; i < item->where.len; i++) {
            text_put(&t, i ? ", " : "\n    where ");
            ast_print(&t, item->where.at[i]);
        }
    }
    return text_get(&t);
}

const char *show_symbol(const Analysis *a, const Symbol *y)
{
    return y->item ? show_item(a->cx, y->item) : y->name->text;
}

const char *show_doc(const Symbol *y)
{
    return y && y->item ? y->item->doc : NULL;
}

static const char *show_option(Session *cx, const Decl *d)
{
    Text t = text_new(cx->arena);
    text_printf(&t, "%s.%s", d->item->name ? d->item->name->text : "_", d->name->text);
    for (int i = 0; i < d->item->options.len; i++) {
        const AstOption *o = &d->item->options.at[i];
        for (int k = 0; o->name == d->name && k < o->types.len; k++) {
            text_put(&t, k ? ", " : "(");
            ast_print(&t, o->types.at[k]);
        }
        if (o->name == d->name && o->types.len) text_char(&t, ')');
    }
    return text_get(&t);
}

static const char *show_generic(Session *cx, const Decl *d)
{
    for (int i = 0; i < d->item->generics.len; i++) {
        const AstGeneric *g = &d->item->generics.at[i];
        if (g->name == d->name && g->kind)
            return arena_printf(cx->arena, "%s: %s", d->name->text, g->kind->text);
    }
    return d->name->text;
}

const char *show_decl(const Analysis *a, const Decl *d)
{
    const char *type;
    switch (d->kind) {
    case DECL_GENERIC: return show_generic(a->cx, d);
    case DECL_OPTION: return show_option(a->cx, d);
    case DECL_PARAM:
    case DECL_FIELD:
    case DECL_LOCAL:
        type = names_type_of(a, d);
        if (!type) return d->name->text;
        return arena_printf(a->cx->arena, "%s%s: %s", d->is_mutable ? "mut " : "", d->name->text,
                            type);
    case DECL_FUNCTION:
    case DECL_CONST:
    case DECL_TYPE:
    case DECL_STRUCT:
    case DECL_ENUM:
    case DECL_RULE:
    case DECL_STRATEGY:
    case DECL_COUNT: break;
    }
    return show_item(a->cx, d->item);
}

// CompletionItemKind
enum {
    FUNCTION = 3,
    FIELD = 5,
    VARIABLE = 6,
    ENUM = 13,
    MEMBER = 20,
    CONSTANT = 21,
    STRUCT = 22,
    OPERATOR = 24,
    TYPE = 25
};

int show_kind_of_symbol(const Symbol *y)
{
    switch (y->kind) {
    case SYMBOL_FN:
    case SYMBOL_PATTERN:
    case SYMBOL_PRIM:
    case SYMBOL_LOAD:
    case SYMBOL_SHAPE:
    case SYMBOL_SIZES:
    case SYMBOL_PRINT: return FUNCTION;
    case SYMBOL_CONST:
    case SYMBOL_MODE: return CONSTANT;
    case SYMBOL_STRUCT: return STRUCT;
    case SYMBOL_ENUM: return ENUM;
    case SYMBOL_ALIAS:
    case SYMBOL_SCALAR: return TYPE;
    case SYMBOL_RULE:
    case SYMBOL_STRATEGY: return OPERATOR;
    case SYMBOL_AMBIGUOUS: break;
    }
    return VARIABLE;
}

int show_kind_of_decl(const Decl *d)
{
    static const int kinds[DECL_COUNT] = {
        [DECL_FUNCTION] = FUNCTION, [DECL_CONST] = CONSTANT, [DECL_TYPE] = TYPE,
        [DECL_STRUCT] = STRUCT,     [DECL_ENUM] = ENUM,      [DECL_RULE] = OPERATOR,
        [DECL_STRATEGY] = OPERATOR, [DECL_GENERIC] = TYPE,   [DECL_PARAM] = VARIABLE,
        [DECL_FIELD] = FIELD,       [DECL_OPTION] = MEMBER,  [DECL_LOCAL] = VARIABLE,
    };
    return kinds[d->kind];
}
