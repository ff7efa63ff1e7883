// Prints types in Adze syntax, or in full for the textual form.
#include "types/types.h"

#include <string.h>

typedef enum {
    FORM_SHORT,  // as programs write types
    FORM_FIELDS, // structs with their fields, enums with their options
    FORM_FULL,   // also unknowns with their numbers, so that the text determines the type
} Form;

/// How to print a type. If `show` is not NULL, it may print structs and enums in its own way.
typedef struct {
    Form form;
    TypeShow show;
    void *env;
} Style;

static void print(Text *out, Node *t, const Style *s);

static void print_list(Text *out, Node *t, uint32_t n, const Style *s)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i) text_put(out, ", ");
        print(out, t->op[i], s);
    }
}

bool type_is_name_char(char c, bool first)
{
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') return true;
    return !first && ((c >= '0' && c <= '9') || c == '.');
}

void type_print_name(Text *out, Sym name)
{
    bool plain = name->len > 0;
    for (uint32_t i = 0; i < name->len; i++) plain &= type_is_name_char(name->text[i], i == 0);
    text_printf(out, plain ? "%s" : "`%s`", name->text);
}

const char *type_own_name(Node *t)
{
    const char *dot = strrchr(t->attr.sym->text, '.');
    return dot ? dot + 1 : t->attr.sym->text;
}

// Prints a struct as Name { a: f32, b: i32 } and an enum as Name { A(f32), B }, without the first
// component, which is the number of the option.
static void print_fields(Text *out, Node *t, const Style *s)
{
    bool is_enum = type_is_enum(t);
    text_printf(out, "%s {", type_own_name(t));
    for (uint32_t i = is_enum; i < t->nops; i++) {
        text_printf(out, "%s%s", i > is_enum ? ", " : " ", t->names ? t->names[i]->text : "_");
        if (!is_enum) {
            text_put(out, ": ");
            print(out, t->op[i], s);
        } else if (t->op[i]->nops > 0) {
            text_char(out, '(');
            print_list(out, t->op[i], t->op[i]->nops, s);
            text_char(out, ')');
        }
    }
    text_put(out, t->nops > is_enum ? " }" : "}");
}

// Prints a size; in short forms unknowns are `_`. No name of a size contains a question mark.
static void print_size(Text *out, Node *n, const Style *s)
{
    Text size = text_new(out->arena);
    nat_print(&size, n, 0);
    for (const char *at = text_get(&size); *at; at++) {
        bool unknown = *at == '?' && s->form != FORM_FULL;
        text_char(out, unknown ? '_' : *at);
        if (unknown) at += strspn(at + 1, "0123456789");
    }
}

static void print_struct(Text *out, Node *t, const Style *s)
{
    if (s->form != FORM_FULL && type_is_up_to(t)) {
        text_put(out, "[?");
        print_size(out, t->op[1]->op[0], s);
        text_char(out, ']');
        print(out, t->op[1]->op[1], s);
        return;
    }
    if (s->form == FORM_SHORT) {
        if (!s->show || !s->show(out, t, s->env)) text_put(out, type_own_name(t));
        return;
    }
    if (s->form == FORM_FIELDS) {
        print_fields(out, t, s);
        return;
    }
    type_print_name(out, t->attr.sym);
    text_char(out, '{');
    for (uint32_t i = 0; i < t->nops; i++) {
        if (i) text_put(out, ", ");
        if (t->names) {
            type_print_name(out, t->names[i]);
            text_put(out, ": ");
        }
        print(out, t->op[i], s);
    }
    text_char(out, '}');
}

static void print(Text *out, Node *t, const Style *s)
{
    switch (t->kind) {
    case TYPE_SCALAR: text_put(out, scalar_info[t->attr.i].text); return;
    case TYPE_IDX:
        text_put(out, "idx[");
        print_size(out, t->op[0], s);
        text_char(out, ']');
        return;
    case TYPE_ARRAY:
        text_char(out, '[');
        print_size(out, t->op[0], s);
        text_char(out, ']');
        print(out, t->op[1], s);
        return;
    case TYPE_VEC:
        text_put(out, s->form == FORM_FULL ? "vec[" : "varying[");
        print_size(out, t->op[0], s);
        text_put(out, s->form == FORM_FULL ? "]" : "] ");
        print(out, t->op[1], s);
        return;
    case TYPE_TUPLE:
        text_char(out, '(');
        print_list(out, t, t->nops, s);
        text_put(out, t->nops == 1 ? ",)" : ")");
        return;
    case TYPE_STRUCT: print_struct(out, t, s); return;
    case TYPE_FUN:
        text_put(out, "fn(");
        print_list(out, t, t->nops - 1, s);
        text_put(out, ") -> ");
        print(out, type_result(t), s);
        return;
    case TYPE_MODE:
        text_put(out, "mode[");
        print(out, t->op[0], s);
        text_char(out, ']');
        return;
    case TYPE_REF: {
        const char *space = space_text[type_ref_space(t)];
        text_printf(out, "&%s%s%s", type_ref_mutable(t) ? "mut " : "", space, *space ? " " : "");
        print(out, t->op[0], s);
        return;
    }
    case TYPE_NEVER: text_char(out, '!'); return;
    case TYPE_VAR: text_put(out, t->attr.sym->text); return;
    case TYPE_META:
        if (s->form == FORM_FULL)
            text_printf(out, "?%lld", (long long)t->attr.i);
        else
            text_char(out, '_');
        return;
    case TYPE_ERROR: text_put(out, s->form == FORM_FULL ? "?error" : "_"); return;
    default: text_put(out, "?"); return; // not a type
    }
}

void type_print(Text *out, Node *t)
{
    print(out, t, &(Style){.form = FORM_SHORT});
}

void type_print_full(Text *out, Node *t)
{
    print(out, t, &(Style){.form = FORM_FULL});
}

const char *type_show(Session *cx, Node *t)
{
    Text out = text_new(cx->arena);
    type_print(&out, t);
    return text_get(&out);
}

const char *type_show_by(Session *cx, Node *t, TypeShow show, void *env)
{
    Text out = text_new(cx->arena);
    print(&out, t, &(Style){FORM_SHORT, show, env});
    return text_get(&out);
}

const char *type_show_fields(Session *cx, Node *t)
{
    Text out = text_new(cx->arena);
    print(&out, t, &(Style){.form = FORM_FIELDS});
    return text_get(&out);
}
