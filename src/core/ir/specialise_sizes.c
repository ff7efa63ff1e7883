// Specialises a function for given values of some of its size parameters.
#include "core/ir/internal.h"

typedef struct {
    Session *cx;
    const NodeBinding *sizes;
    int n;
} Replace;

static Node *replaced(const Replace *r, Node *e)
{
    return e ? node_replace_names(r->cx, e, r->sizes, r->n) : NULL;
}

// Returns the conditions that do not follow from the given sizes. A condition that can never hold
// is kept, so that its violation is reported.
static SizeChecks checks_with(const Replace *r, const SizeChecks *checks)
{
    SizeChecks out = {0};
    for (int i = 0; i < checks->len; i++) {
        SizeCheck c = checks->at[i];
        c.left = replaced(r, c.left);
        c.right = replaced(r, c.right);
        if (size_check_truth(r->cx, NULL, &c) != TRUTH_YES) vec_push(r->cx->arena, &out, c);
    }
    return out;
}

static const NodeBinding *binding_of(const Replace *r, Sym name)
{
    for (int i = 0; i < r->n; i++)
        if (r->sizes[i].name == name) return &r->sizes[i];
    return NULL;
}

Function *core_specialise(Session *cx, const Function *f, const NodeBinding *sizes, int n)
{
    Replace r = {cx, sizes, n};
    Function *out = ARENA_NEW(cx->arena, Function);
    Text name = text_new(cx->arena);
    *out = *f;
    text_put(&name, f->name->text);
    out->generics.len = out->generics.cap = 0;
    out->params.len = out->params.cap = 0;
    for (int i = 0; i < f->generics.len; i++) {
        const NodeBinding *b = binding_of(&r, f->generics.at[i].name);
        if (!b) {
            vec_push(cx->arena, &out->generics, f->generics.at[i]);
            continue;
        }
        text_printf(&name, "_%s", b->name->text);
        nat_print(&name, b->value, 2);
    }
    for (int i = 0; i < f->params.len; i++) {
        Param p = f->params.at[i];
        p.type = replaced(&r, p.type);
        p.filter = replaced(&r, p.filter);
        vec_push(cx->arena, &out->params, p);
    }
    if (out->generics.len < f->generics.len) out->name = session_sym(cx, text_get(&name));
    out->result = replaced(&r, f->result);
    out->body = replaced(&r, f->body);
    out->where = checks_with(&r, &f->where);
    out->checks = checks_with(&r, &f->checks);
    return out;
}
