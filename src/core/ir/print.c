// Prints functions of Core as text:
//
//   (fn gemv [n: nat, m: nat] (a: [n][m]f32, x: [m]f32) : [n]f32
//     (doc "y = A x")
//     (where (1 <= m))
//     (checks (n == m "rows of a and length of x"))
//     body)
//
// An entry begins with `entry` instead of `fn`. A C function begins with `external` and has no
// body. `(filters _ (known n))` has a term for each parameter, or `_` if the parameter has no
// filter. Generics, doc, filters, where and checks are left out if there are none. An entry is
// followed by its callees. Source positions are not part of the text.
#include "core/ir/internal.h"

enum { WIDTH = 100 };

static void print_generics(Text *out, const Function *f)
{
    if (f->generics.len == 0) return;
    text_put(out, " [");
    for (int i = 0; i < f->generics.len; i++) {
        if (i) text_put(out, ", ");
        type_print_name(out, f->generics.at[i].name);
        text_put(out, ": ");
        type_print_name(out, f->generics.at[i].kind);
    }
    text_char(out, ']');
}

static void print_params(Text *out, const Function *f)
{
    text_put(out, " (");
    for (int i = 0; i < f->params.len; i++) {
        if (i) text_put(out, ", ");
        type_print_name(out, f->params.at[i].name);
        text_put(out, ": ");
        type_print_full(out, f->params.at[i].type);
    }
    text_put(out, ") : ");
    type_print_full(out, f->result);
}

void core_print_checks(Session *cx, Text *out, const char *head, const SizeChecks *checks)
{
    if (checks->len == 0) return;
    text_printf(out, "\n  (%s", head);
    for (int i = 0; i < checks->len; i++) {
        const SizeCheck *c = &checks->at[i];
        text_put(out, i ? "\n    (" : " (");
        nat_print(out, c->left, 0);
        text_printf(out, " %s ", size_relation_text[c->relation]);
        nat_print(out, c->right, 0);
        const char *why = size_check_why(cx, c);
        if (why) {
            text_char(out, ' ');
            term_print_string(out, why);
        }
        text_char(out, ')');
    }
    text_char(out, ')');
}

TermScope core_scope(Session *cx, const Function *f)
{
    int n = f->params.len;
    Sym *names = ARENA_ARRAY(cx->arena, Sym, n);
    Node **types = ARENA_ARRAY(cx->arena, Node *, n);
    for (int i = 0; i < n; i++) {
        names[i] = f->params.at[i].name;
        types[i] = f->params.at[i].type;
    }
    return (TermScope){
        .level = LEVEL_CORE, .names = names, .types = types, .n = n, .rule = core_term_rule};
}

Node *core_term_rule(Session *cx, const NodeSpec *spec, const char **why)
{
    return core_type_rule(cx, spec, false, why);
}

static void print_filters(Session *cx, Text *out, const Function *f, const TermScope *scope)
{
    bool any = false;
    for (int i = 0; i < f->params.len; i++) any |= f->params.at[i].filter != NULL;
    if (!any) return;
    text_put(out, "\n  (filters");
    for (int i = 0; i < f->params.len; i++) {
        text_char(out, ' ');
        if (f->params.at[i].filter)
            term_print_in(cx, out, f->params.at[i].filter, scope, 4, 0);
        else
            text_char(out, '_');
    }
    text_char(out, ')');
}

static void print_function(Session *cx, Text *out, const Function *f)
{
    TermScope scope = core_scope(cx, f);
    text_put(out, f->entry ? "(entry " : f->external ? "(external " : "(fn ");
    type_print_name(out, f->name);
    print_generics(out, f);
    print_params(out, f);
    if (f->doc) {
        text_put(out, "\n  (doc ");
        term_print_string(out, f->doc);
        text_char(out, ')');
    }
    print_filters(cx, out, f, &scope);
    core_print_checks(cx, out, "where", &f->where);
    core_print_checks(cx, out, "checks", &f->checks);
    if (f->body) {
        text_put(out, "\n  ");
        term_print_in(cx, out, f->body, &scope, 2, WIDTH);
    }
    text_put(out, ")\n");
}

void core_print(Session *cx, Text *out, const Function *f)
{
    print_function(cx, out, f);
    for (int i = 0; i < f->callees.len; i++) print_function(cx, out, f->callees.at[i]);
}
