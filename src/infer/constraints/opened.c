// Sizes that the program computes.
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
