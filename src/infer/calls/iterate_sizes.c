// iterate[k](f, xs) with a function that changes the length of its argument (the iterate of RISE):
//
//   fn halved[n: nat](xs: [2 * n]f32) -> [n]f32 { .. }
//
// It is replaced with a call to a function generated for f, so that the sizes of all steps are
// checked and compiled like those of any other recursion over sizes:
//
//   fn iterate_halved[k, n: nat](xs: [n * pow(2, k)]f32) -> [n]f32 {
//       if k == 0 { xs } else { iterate_halved[k - 1, n](halved(xs)) }
//   }
#include "infer/calls/calls.h"

#include <string.h>

/// How f changes a length. `size` is a generic of f: the length of its result if `back` is set, and
/// that of its argument otherwise. `after` is the other length after k steps, as source code.
typedef struct {
    Sym size;
    bool back;
    const char *after;
} Change;

static Node *with_size(Session *cx, Node *e, Sym size, Node *value)
{
    return node_replace_names(cx, e, &(NodeBinding){size, value}, 1);
}

// Returns source code for e(e(.. e(n))) with k applications, where e is c * n, n / c or n + c.
// Returns NULL for any other e.
static const char *repeated(Session *cx, Node *e, Node *n, Sym k)
{
    Sym size = n->attr.sym;
    Node *step = nat_sub(cx, e, n), *factor = with_size(cx, e, size, nat_const(cx, 1));
    if (e->kind == NAT_DIV && e->op[0] == n && !nat_occurs(e->op[1], n))
        return arena_printf(cx->arena, "%s / pow(%s, %s)", size->text,
                            nat_show_written(cx, e->op[1]), k->text);
    if (!nat_occurs(step, n))
        return arena_printf(cx->arena, "%s + %s * (%s)", size->text, k->text,
                            nat_show_written(cx, step));
    if (nat_mul(cx, factor, n) != e) return NULL;
    return arena_printf(cx->arena, "%s * pow(%s, %s)", size->text, nat_show_written(cx, factor),
                        k->text);
}

static bool is_generic(const Signature *sig, Node *size)
{
    for (int i = 0; size->kind == NAT_VAR && i < sig->generics.len; i++)
        if (sig->generics.at[i].name == size->attr.sym && !sig->generics.at[i].number) return true;
    return false;
}

static bool find_change(Session *cx, const Signature *sig, Sym k, Change *c)
{
    Node *from = sig->params.at[0].type, *to = sig->result;
    if (from->kind != TYPE_ARRAY || to->kind != TYPE_ARRAY || from->op[1] != to->op[1])
        return false;
    c->back = is_generic(sig, to->op[0]);
    Node *n = c->back ? to->op[0] : from->op[0];
    if (from->op[0] == to->op[0] || !is_generic(sig, n)) return false;
    c->size = n->attr.sym;
    c->after = repeated(cx, c->back ? from->op[0] : to->op[0], n, k);
    return c->after != NULL;
}

static bool has_generic(const Signature *sig, Sym name)
{
    for (int i = 0; i < sig->generics.len; i++)
        if (sig->generics.at[i].name == name) return true;
    return false;
}

// A name for the generated function that shadows neither f nor a generic of f.
static Sym own_name(Session *cx, const Symbol *f, const char *text)
{
    Sym name = session_sym(cx, text);
    while (name == f->name || has_generic(f->signature, name))
        name = session_sym(cx, arena_printf(cx->arena, "%s_", name->text));
    return name;
}

// Writes an array type from the source with a different length.
static void write_type(Session *cx, Text *out, const Ast *type, const char *length)
{
    text_printf(out, "[%s", length);
    for (int i = 1; i + 1 < type->kids.len; i++)
        text_printf(out, ", %s", source_text(cx, type->kids.at[i]->span));
    text_printf(out, "]%s", source_text(cx, vec_last(&type->kids)->span));
}

static const char *function_text(Session *cx, const Symbol *f, Sym k, const Change *c)
{
    const Signature *sig = f->signature;
    const Ast *type = f->item->params.at[0].type;
    const char *f_name = f->name->text, *n = c->size->text, *xs = own_name(cx, f, "xs")->text;
    const char *name = own_name(cx, f, arena_printf(cx->arena, "iterate_%s", f_name))->text;
    Text out = text_new(cx->arena);
    text_printf(&out, "fn %s[%s, %s: nat", name, k->text, n);
    for (int i = 0; i < sig->generics.len; i++)
        if (sig->generics.at[i].name != c->size)
            text_printf(&out, ", %s: %s", sig->generics.at[i].name->text,
                        sig->generics.at[i].kind_name->text);
    text_printf(&out, "](%s: ", xs);
    write_type(cx, &out, type, c->back ? c->after : n);
    text_put(&out, ") -> ");
    write_type(cx, &out, type, c->back ? n : c->after);
    text_printf(&out, " {\n    if %s == 0 { %s } else { %s[%s - 1%s%s](%s(%s)) }\n}\n", k->text, xs,
                name, k->text, c->back ? ", " : "", c->back ? n : "", f_name, xs);
    return text_get(&out);
}

// Parses the function and adds it to the program. It can call itself and what f can call.
static Symbol *add_function(Infer *in, const Symbol *f, const char *text)
{
    Session *cx = in->cx;
    const char *path = arena_printf(cx->arena, "iterate_%s", f->full->text);
    // The @ keeps this name apart from all names in the source.
    const char *full = arena_printf(cx->arena, "%s@iterate", f->full->text);
    const Module *m = parse_module(cx, session_add_source(cx, path, text, strlen(text)));
    if (m->items.len != 1 || m->items.at[0]->kind != ITEM_FN) return NULL;
    const Item *item = m->items.at[0];
    Symbol *y = ARENA_NEW(in->arena, Symbol);
    Nested *self = ARENA_NEW(in->arena, Nested);
    *self = (Nested){y, f->visible};
    *y = (Symbol){.kind = SYMBOL_FN,
                  .name = item->name,
                  .full = session_sym(cx, full),
                  .unit = infer_own_notes(in, f->unit, item),
                  .item = item,
                  .outer = f->outer,
                  .visible = self};
    vec_push(in->arena, &in->members, y);
    return infer_signature(in, y) ? y : NULL;
}

const Symbol *infer_iterated(Body *b, const Application *a)
{
    AstVec generics;
    const Ast *callee = a->callee->kind == AST_INDEX ? a->callee->kids.at[0] : a->callee;
    bool plain = a->nargs > 0 && callee->kind == AST_NAME; // without a variant
    const Symbol *f = plain ? infer_generic_name(b, ast_strip(a->args[0]), &generics) : NULL;
    if (!f || f->kind != SYMBOL_FN || f->is_family || generics.len > 0) return NULL;
    if (f->iterated) return f->iterated;
    const Signature *sig = infer_signature(b->in, f);
    if (!sig || sig->params.len != 1 || !sig->params.at[0].type || sig->inherited) return NULL;
    if (f->item->params.at[0].type->kind != AST_TYPE_ARRAY) return NULL;
    Change c;
    Sym k = own_name(b->cx, f, "k");
    if (has_generic(sig, f->name) || !find_change(b->cx, sig, k, &c)) return NULL;
    Symbol *own = (Symbol *)(uintptr_t)f;
    return own->iterated = add_function(b->in, f, function_text(b->cx, f, k, &c));
}
