// Sizes computed at run time, which a `let` opens.
#include "infer/constraints/constraints.h"
#include "ir/walk.h"

typedef struct {
    const Body *b;
    const OpenedSize *found;
} Search;

static bool is_opened(Node *e, void *env)
{
    Search *s = env;
    for (int i = 0; e->kind == NAT_VAR && i < s->b->opened.len && !s->found; i++)
        if (s->b->opened.at[i].size == e) s->found = &s->b->opened.at[i];
    return s->found != NULL;
}

const OpenedSize *infer_opened_in(const Body *b, Node *e)
{
    Search s = {b, NULL};
    if (b->opened.len > 0) node_any(e, is_opened, &s);
    return s.found;
}

Node *infer_bound_outside(Body *b, Node *size, int first)
{
    size = infer_resolve(b, size);
    for (int i = b->opened.len - 1; i >= first; i--) {
        const OpenedSize *o = &b->opened.at[i];
        if (o->size == size && o->most) size = infer_resolve(b, o->most);
    }
    return size;
}

Node *infer_outside(Body *b, Node *type)
{
    for (int i = 0; type->kind == TYPE_ARRAY && i < b->opened.len; i++) {
        const OpenedSize *o = &b->opened.at[i];
        if (type->op[0] != o->size || !o->most || infer_opened_in(b, type->op[1])) continue;
        Node *most = infer_bound_outside(b, o->most, 0);
        return infer_opened_in(b, most) ? NULL : infer_up_to(b->in, most, type->op[1]);
    }
    return NULL;
}
