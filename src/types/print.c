// Types as text: as the language writes them, or in full for the textual form.
#include "types/types.h"

// In full: structs with their fields, unknowns with their numbers, so that the text says all of the
// type.
static void print(Text *out, Node *t, bool full);

static void print_list(Text *out, Node *t, uint32_t n, bool full)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i) text_put(out, ", ");
        print(out, t->op[i], full);
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

static void print_struct(Text *out, Node *t, bool full)
{
    if (!full) {
        text_put(out, t->attr.sym->text);
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
        print(out, t->op[i], full);
    }
    text_char(out, '}');
}

static void print_size(Text *out, Node *n, bool full)
{
    if (n->kind == NAT_META && !full)
        text_char(out, '_');
    else
        nat_print(out, n, 0);
}

static void print(Text *out, Node *t, bool full)
{
    switch (t->kind) {
    case TYPE_SCALAR: text_put(out, scalar_info[t->attr.i].text); return;
    case TYPE_IDX:
        text_put(out, "idx[");
        print_size(out, t->op[0], full);
        text_char(out, ']');
        return;
    case TYPE_ARRAY:
        text_char(out, '[');
        print_size(out, t->op[0], full);
        text_char(out, ']');
        print(out, t->op[1], full);
        return;
    case TYPE_VEC:
        text_put(out, full ? "vec[" : "varying[");
        print_size(out, t->op[0], full);
        text_put(out, full ? "]" : "] ");
        print(out, t->op[1], full);
        return;
    case TYPE_TUPLE:
        text_char(out, '(');
        print_list(out, t, t->nops, full);
        text_put(out, t->nops == 1 ? ",)" : ")");
        return;
    case TYPE_STRUCT: print_struct(out, t, full); return;
    case TYPE_FUN:
        text_put(out, "fn(");
        print_list(out, t, t->nops - 1, full);
        text_put(out, ") -> ");
        print(out, type_result(t), full);
        return;
    case TYPE_MODE:
        text_put(out, "mode[");
        print(out, t->op[0], full);
        text_char(out, ']');
        return;
    case TYPE_REF: {
        const char *space = space_text[type_ref_space(t)];
        text_printf(out, "&%s%s%s", type_ref_mutable(t) ? "mut " : "", space, *space ? " " : "");
        print(out, t->op[0], full);
        return;
    }
    case TYPE_NEVER: text_char(out, '!'); return;
    case TYPE_VAR: text_put(out, t->attr.sym->text); return;
    case TYPE_META:
        if (full)
            text_printf(out, "?%lld", (long long)t->attr.i);
        else
            text_char(out, '_');
        return;
    case TYPE_ERROR: text_put(out, full ? "?error" : "_"); return;
    default: text_put(out, "?"); return; // not a type
    }
}

void type_print(Text *out, Node *t)
{
    print(out, t, false);
}

void type_print_full(Text *out, Node *t)
{
    print(out, t, true);
}

const char *type_show(Session *cx, Node *t)
{
    Text out = text_new(cx->arena);
    type_print(&out, t);
    return text_get(&out);
}
