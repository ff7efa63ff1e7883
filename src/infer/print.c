// print(x, ..) and assert(c, x, ..): texts and data of any type. In SIMD mode a line is printed
// once, for all lanes that come there, and so `print` is done as `scalar { }` is (masks.c); an
// assertion is made by each lane.
#include "infer/elaborate.h"

#include <ctype.h>
#include <string.h>

bool infer_prints(const Body *b, const Symbol *y)
{
    return y->kind == SYMBOL_PRINT && y->row == PRINT_PRINT && b->cx->keeps_prints;
}

// The length of a place for a value as printf and other languages write it, %5.2f or {} or {:.2f};
// 0: there is none at the beginning of the text.
static size_t placeholder(const char *s)
{
    if (*s == '{') {
        size_t n = 1 + strspn(s + 1, "0123456789");
        if (s[n] == ':') n += strcspn(s + n, "} ");
        return s[n] == '}' ? n + 1 : 0;
    }
    size_t n = *s == '%';
    if (!n) return 0;
    n += strspn(s + n, "-+#0123456789.");
    n += strspn(s + n, "hlz");
    bool ends = s[n] && strchr("diufFeEgGxXsc", s[n]);
    bool alone = ends && !isalnum((unsigned char)s[n + 1]);
    return alone ? n + 1 : 0;
}

// print("k = %d", k)
static void warn_of_format(Body *b, const Ast *text)
{
    const char *s = text->value.string;
    while (*s && placeholder(s) == 0) s++;
    if (!*s || infer_is_reported(b->cx, E0336, text->span)) return;
    Diag *d = diag_warning(b->cx, E0336, text->span, "`%.*s` is printed as it stands here",
                           (int)placeholder(s), s);
    diag_help(b->cx, d, "texts and values are printed one after the other: print(\"k = \", k)");
}

Node *infer_print(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs)
{
    int first = y->row == PRINT_ASSERT;
    if (nargs < first) {
        infer_wrong_count(b, e, y->name->text, 1, 0, NULL);
        return infer_error(b);
    }
    infer_new_call(b, e, y, NULL, args, nargs);
    b->has_scalar |= infer_prints(b, y);
    if (first) infer_condition(b, args[0]);
    for (int i = first; i < nargs; i++) {
        const Ast *text = infer_strip(args[i]);
        if (text->kind == AST_STRING && i + 1 < nargs) warn_of_format(b, text);
        if (text->kind == AST_STRING) continue;
        infer_check(b, args[i], infer_fresh(&b->scope, GENERIC_DATA), (Why){WHY_NONE, NULL, 0});
    }
    return infer_unit(b);
}

// What a message says where its values are not computed.
static const char *static_message(Elab *x, const Call *c)
{
    Text out = text_new(x->cx->arena);
    text_put(&out, "assertion failed: ");
    for (int i = 1; i < c->nargs; i++) {
        const Ast *arg = infer_strip(c->args[i]);
        text_put(&out, arg->kind == AST_STRING ? arg->value.string : "...");
    }
    if (c->nargs > 1) return text_get(&out);
    for (const char *s = source_text(x->cx, c->args[0]->span); *s; s++) // in one line
        if (*s != '\n')
            text_char(&out, *s);
        else if (out.len && out.at[out.len - 1] != ' ')
            text_char(&out, ' ');
    return text_get(&out);
}

// A condition of lanes holds in all that are there.
static Node *condition(Elab *x, const Ast *e)
{
    Node *c = elab_expr(x, e);
    if (c->type->kind != TYPE_VEC) return c;
    if (x->masks && !x->lane) {
        Node *live = elab_live(x), *gone = core_prim(x->cx, PRIM_NOT, 1, &live);
        c = core_prim(x->cx, PRIM_OR, 2, (Node *[]){c, gone});
    }
    return core_pattern(x->cx, CORE_ALL, 0, 1, &c);
}

Node *elab_print(Elab *x, const Ast *e, const Call *c)
{
    bool asserts = c->symbol->row == PRINT_ASSERT, vectors = false;
    Node **ops = ARENA_ARRAY(x->b->arena, Node *, c->nargs + 1);
    for (int i = 0; i < c->nargs; i++) {
        const Ast *arg = infer_strip(c->args[i]);
        if (arg->kind == AST_STRING)
            ops[i] = core_text(x->cx, arg->value.string);
        else
            ops[i] = asserts && i == 0 ? condition(x, c->args[0]) : elab_expr(x, c->args[i]);
        vectors |= infer_has_vector(ops[i]->type);
    }
    if (!asserts) {
        Node *mask = vectors && x->masks && !x->lane ? elab_live(x) : NULL;
        return core_at(x->cx, core_line(x->cx, c->nargs, ops, mask), e->span);
    }
    session_set_failure(x->cx, e->span, static_message(x, c));
    return core_assert(x->cx, c->nargs, ops, e->span);
}
