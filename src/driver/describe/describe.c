// Describes types, entries and buffers as JSON.
#include "driver/describe/describe.h"

#include <string.h>

#include "driver/pipeline/session.h"

static json_t *list_of(json_t *list, json_t *item)
{
    json_array_append_new(list, item);
    return list;
}

// --- sizes --------------------------------------------------------------------------------------

static const char *operator_of(Node *n)
{
    static const struct {
        Kind kind;
        const char *name;
    } operators[] = {{NAT_SUM, "+"},   {NAT_PRODUCT, "*"}, {NAT_DIV, "/"},  {NAT_MOD, "%"},
                     {NAT_MIN, "min"}, {NAT_MAX, "max"},   {NAT_POW, "pow"}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].kind == n->kind) return operators[i].name;
    return NULL;
}

// Appends the postfix form. An operator of several operands becomes operators of two.
static void put_code(json_t *code, Node *n)
{
    const char *sign = operator_of(n);
    bool scaled = n->kind == NAT_PRODUCT;
    if (n->kind == NAT_CONST || scaled) list_of(code, json_integer(n->attr.i));
    if (n->kind == NAT_VAR) list_of(code, json_text(n->attr.sym->text));
    for (uint32_t i = 0; sign && i < n->nops; i++) {
        put_code(code, n->op[i]);
        if (i > 0 || scaled) list_of(code, list_of(json_array(), json_string(sign)));
    }
}

static json_t *describe_size(Node *n)
{
    json_t *size = json_object(), *code = json_array();
    Arena *arena = arena_new();
    Text text = text_new(arena);
    nat_print(&text, n, 0);
    put_code(code, n);
    json_put(size, "text", json_text(text_get(&text)));
    json_put(size, "code", code);
    arena_delete(arena);
    return size;
}

// --- types --------------------------------------------------------------------------------------

static json_t *describe_type(Session *cx, Node *t);

// The fields from `first` on, with their names.
static json_t *describe_fields(Session *cx, Node *t, uint32_t first)
{
    json_t *fields = json_array();
    for (uint32_t i = first; i < t->nops; i++) {
        json_t *field = json_object();
        json_put(field, "name", json_text(t->names[i]->text));
        json_put(field, "type", describe_type(cx, t->op[i]));
        list_of(fields, field);
    }
    return fields;
}

static void describe_struct(Session *cx, json_t *out, Node *t)
{
    if (type_is_up_to(t)) {
        json_put(out, "kind", json_string("up_to"));
        json_put(out, "size", describe_size(t->op[1]->op[0]));
        json_put(out, "element", describe_type(cx, t->op[1]->op[1]));
        return;
    }
    bool options = type_is_enum(t);
    json_put(out, "kind", json_string(options ? "enum" : "struct"));
    json_put(out, "name", json_text(type_own_name(t)));
    json_put(out, options ? "options" : "fields", describe_fields(cx, t, options));
    if (!options) json_put(out, "c_layout", json_boolean(type_is_c_struct(cx, t)));
}

static void describe_elements(Session *cx, json_t *out, Node *t, const char *kind)
{
    json_put(out, "kind", json_string(kind));
    json_put(out, "size", describe_size(t->op[0]));
    json_put(out, "element", describe_type(cx, t->op[1]));
}

static json_t *describe_type(Session *cx, Node *t)
{
    json_t *out = json_object(), *parts = NULL;
    Scalar s;
    json_put(out, "text", json_text(type_show(cx, t)));
    if (type_is_scalar(t, &s)) {
        json_put(out, "kind", json_string("scalar"));
        json_put(out, "scalar", json_string(scalar_info[s].text));
    } else if (t->kind == TYPE_IDX) {
        json_put(out, "kind", json_string("idx"));
        json_put(out, "size", describe_size(t->op[0]));
    } else if (t->kind == TYPE_ARRAY || t->kind == TYPE_VEC) {
        describe_elements(cx, out, t, t->kind == TYPE_ARRAY ? "array" : "vector");
    } else if (t->kind == TYPE_STRUCT) {
        describe_struct(cx, out, t);
    } else {
        json_put(out, "kind", json_string("tuple"));
        json_put(out, "parts", parts = json_array());
    }
    for (uint32_t i = 0; parts && i < t->nops; i++) list_of(parts, describe_type(cx, t->op[i]));
    return out;
}

const Item *item_of(const Work *w, const char *name)
{
    for (int i = 0; i < w->module->items.len; i++) {
        const Item *item = w->module->items.at[i];
        if (item->kind == ITEM_FN && strcmp(item->name->text, name) == 0) return item;
    }
    return NULL;
}

// --- entries ------------------------------------------------------------------------------------

static bool is_size_parameter(const AstParam *p)
{
    return p->type->kind == AST_TYPE_NAME && strcmp(p->type->name->text, "nat") == 0;
}

// The parameters in the order of the program. Those of the function leave out the sizes.
static json_t *describe_parameters(const Work *w, const Function *f, const Item *item)
{
    json_t *all = json_array();
    for (int i = 0, k = 0; i < item->params.len; i++) {
        json_t *one = json_object();
        json_put(one, "name", json_text(item->params.at[i].name->text));
        if (is_size_parameter(&item->params.at[i])) {
            json_put(one, "size", json_true());
        } else {
            json_put(one, "type", describe_type(w->cx, f->params.at[k].type));
            json_put(one, "strided", json_boolean(f->strided && f->strided[k]));
            k++;
        }
        list_of(all, one);
    }
    return all;
}

static json_t *describe_result(const Work *w, const Function *f)
{
    json_t *result = json_object(), *strided;
    const bool *flags = f->strided ? f->strided + f->params.len : NULL;
    bool parts = f->result->kind == TYPE_TUPLE;
    strided = parts ? json_array() : json_boolean(flags && *flags);
    for (uint32_t i = 0; parts && i < f->result->nops; i++)
        list_of(strided, json_boolean(flags && flags[i]));
    json_put(result, "type", describe_type(w->cx, f->result));
    json_put(result, "strided", strided);
    return result;
}

static json_t *describe_place(const Work *w, Sym name, Span span)
{
    json_t *one = json_object();
    int line, column;
    session_position(w->cx, span.file, span.lo, &line, &column);
    json_put(one, "name", json_text(name->text));
    json_put(one, "file", json_text(w->path));
    json_put(one, "line", json_integer(line));
    return one;
}

// Whether the name is that of a parameter, not one in the brackets of the entry.
static bool is_parameter(const Item *item, Sym name)
{
    for (int i = 0; i < item->params.len; i++)
        if (item->params.at[i].name == name) return true;
    return false;
}

// The declaration of the entry in one line, as a program would write it.
static json_t *describe_signature(const Work *w, const Function *f, const Item *item)
{
    Text t = text_new(w->cx->arena);
    const char *before = "[";
    text_put(&t, item->name->text);
    for (int i = 0; i < f->generics.len; i++) {
        if (is_parameter(item, f->generics.at[i].name)) continue;
        text_printf(&t, "%s%s: nat", before, f->generics.at[i].name->text);
        before = ", ";
    }
    text_put(&t, *before == ',' ? "](" : "(");
    for (int i = 0, k = 0; i < item->params.len; i++) {
        bool size = is_size_parameter(&item->params.at[i]);
        bool strided = !size && f->strided && f->strided[k];
        text_printf(&t, "%s%s: %s%s", i ? ", " : "", item->params.at[i].name->text,
                    size ? "nat" : type_show(w->cx, f->params.at[k].type),
                    strided ? " strided" : "");
        k += !size;
    }
    text_printf(&t, ") -> %s", type_show(w->cx, f->result));
    return json_text(text_get(&t));
}

json_t *describe_function(const Work *w, const Function *f, const Item *item)
{
    json_t *one = describe_place(w, item->name, item->name_span), *sizes = json_array();
    for (int i = 0; i < f->generics.len; i++)
        list_of(sizes, json_text(f->generics.at[i].name->text));
    json_put(one, "doc", f->doc ? json_text(f->doc) : json_null());
    json_put(one, "signature", describe_signature(w, f, item));
    json_put(one, "sizes", sizes);
    json_put(one, "parameters", describe_parameters(w, f, item));
    json_put(one, "result", describe_result(w, f));
    return one;
}

// The types of the parameters are those of the program, as text.
static json_t *describe_any_rank(const Work *w, const EntryOfRanks *e)
{
    const Item *item = item_of(w, e->name->text);
    json_t *one = describe_place(w, e->name, e->span), *parameters = json_array();
    Text signature = text_new(w->cx->arena);
    for (int i = 0; item && i < item->params.len; i++) {
        const AstParam *p = &item->params.at[i];
        json_t *parameter = json_object();
        json_put(parameter, "name", json_text(p->name->text));
        json_put(parameter, "text", json_text(source_text(w->cx, p->type->span)));
        list_of(parameters, parameter);
        text_printf(&signature, "%s%s: %s", i ? ", " : "", p->name->text,
                    source_text(w->cx, p->type->span));
    }
    const char *text = arena_printf(w->cx->arena, "%s(%s), for arrays of any rank", e->name->text,
                                    text_get(&signature));
    json_put(one, "signature", json_text(text));
    json_put(one, "doc", item && item->doc ? json_text(item->doc) : json_null());
    json_put(one, "parameters", parameters);
    json_put(one, "any_rank", json_true());
    return one;
}

json_t *describe_entries(const Work *w)
{
    json_t *all = json_array();
    int n;
    const Function **entries = pipeline_functions(w, NULL, &n);
    for (int i = 0; i < n; i++) {
        const Item *item = item_of(w, entries[i]->name->text);
        if (item) list_of(all, describe_function(w, entries[i], item));
    }
    for (int i = 0; i < w->program->of_any_rank.len; i++) {
        const EntryOfRanks *e = &w->program->of_any_rank.at[i];
        if (e->span.file == w->file) list_of(all, describe_any_rank(w, e));
    }
    return all;
}

// --- buffers ------------------------------------------------------------------------------------

static json_t *describe_buffer(const LoopParam *p, int record)
{
    json_t *one = json_object(), *shape = json_array();
    for (int i = 0; i < p->rank; i++) list_of(shape, describe_size(p->dims[i]));
    json_put(one, "name", json_text(p->name->text));
    json_put(one, "type", json_string(scalar_info[p->scalar].text));
    json_put(one, "shape", shape);
    json_put(one, "output", json_boolean(p->output));
    json_put(one, "strides", json_integer(p->strides ? p->rank : 0));
    json_put(one, "record", p->record ? json_integer(record) : json_null());
    return one;
}

json_t *describe_code(const LoopEntry *e)
{
    json_t *code = json_object(), *sizes = json_array(), *buffers = json_array();
    for (int i = 0; i < e->sizes.len; i++) list_of(sizes, json_text(e->sizes.at[i]->text));
    for (int i = 0, record = -1; i < e->params.len; i++) {
        const LoopParam *p = &e->params.at[i];
        record += p->record && (i == 0 || p[-1].record != p->record);
        list_of(buffers, describe_buffer(p, record));
    }
    json_put(code, "sizes", sizes);
    json_put(code, "buffers", buffers);
    return code;
}

// --- diagnostics --------------------------------------------------------------------------------

json_t *describe_report(Session *cx)
{
    json_t *report = json_object(), *list = json_array();
    Text text = text_new(cx->arena);
    for (int i = 0; i < cx->diags.len; i++) list_of(list, json_diagnostic(cx, cx->diags.at[i]));
    diag_print_all(cx, &text, false);
    json_put(report, "diagnostics", list);
    json_put(report, "text", json_text(text_get(&text)));
    return report;
}
