// The textual form of phrases:
//
//   (phrase gemv [n, m] (a: [n][m]f32, x: [m]f32) (out: [n]f32)
//     (doc "y = A x")
//     (checks (1 <= m))
//     (for i1 n ...))
//
// The names in brackets are the sizes; after them, `with h` names the number of worker threads.
// Sizes, doc and checks are omitted if there are none. The callees of an entry follow it. A C
// function is written `(external ...)` and has no body.
#include "dpia/ir/dpia.h"

enum { WIDTH = 100 };

// The names in scope in the body, with the result last. A reference has the type of the memory that
// it refers to.
TermScope dpia_scope(Session *cx, const Phrase *p)
{
    int n = p->params.len;
    Sym *names = ARENA_ARRAY(cx->arena, Sym, n + 1);
    Node **types = ARENA_ARRAY(cx->arena, Node *, n + 1);
    for (int i = 0; i <= n; i++) {
        names[i] = i < n ? p->params.at[i].name : p->out.name;
        types[i] = i < n ? p->params.at[i].type : p->out.type;
        if (types[i]->kind == TYPE_REF) types[i] = types[i]->op[0];
    }
    return (TermScope){
        .level = LEVEL_DPIA, .names = names, .types = types, .n = n + 1, .rule = dpia_type_rule};
}

Sym dpia_own_size(Session *cx, const Phrase *f, int i)
{
    if (f->external) return i < f->sizes.len ? f->sizes.at[i] : NULL;
    return f->params.at[i].type == type_own_size(cx) ? f->params.at[i].name : NULL;
}

const Phrase *dpia_callee(const Phrase *entry, Sym name)
{
    for (int i = 0; i < entry->callees.len; i++)
        if (entry->callees.at[i]->name == name) return entry->callees.at[i];
    return NULL;
}

static void print_param(Text *out, const Param *p)
{
    type_print_name(out, p->name);
    text_put(out, ": ");
    type_print_full(out, p->type);
}

static void print_phrase(Session *cx, Text *out, const Phrase *p)
{
    text_put(out, p->external ? "(external " : "(phrase ");
    type_print_name(out, p->name);
    for (int i = 0; i < p->sizes.len; i++) {
        text_put(out, i ? ", " : " [");
        type_print_name(out, p->sizes.at[i]);
    }
    if (p->sizes.len) text_char(out, ']');
    if (p->helpers) {
        text_put(out, " with ");
        type_print_name(out, p->helpers);
    }
    text_put(out, " (");
    for (int i = 0; i < p->params.len; i++) {
        if (i) text_put(out, ", ");
        print_param(out, &p->params.at[i]);
    }
    text_put(out, ") (");
    print_param(out, &p->out);
    text_char(out, ')');
    if (p->doc) {
        text_put(out, "\n  (doc ");
        term_print_string(out, p->doc);
        text_char(out, ')');
    }
    core_print_checks(cx, out, "checks", &p->checks);
    if (p->body) {
        text_put(out, "\n  ");
        TermScope scope = dpia_scope(cx, p);
        term_print_in(cx, out, p->body, &scope, 2, WIDTH);
    }
    text_put(out, ")\n");
}

void dpia_print(Session *cx, Text *out, const Phrase *p)
{
    print_phrase(cx, out, p);
    for (int i = 0; i < p->callees.len; i++) print_phrase(cx, out, p->callees.at[i]);
}
