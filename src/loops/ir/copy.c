// Copies statements with new names for everything that they bind, so that names stay unique.
#include "loops/ir/statements.h"

int loops_weight(Node *n, int limit)
{
    int size = 1;
    for (uint32_t i = 0; i < n->nops && size < limit; i++)
        size += loops_weight(n->op[i], limit - size);
    return size;
}

static Node *renamed_node(Session *cx, Node *n, void *env)
{
    const Map *names = env;
    bool named = kind_info[n->kind].attr == ATTR_SYM && n->kind != TYPE_STRUCT;
    Sym fresh = named ? map_get(names, MAP_KEY(n->attr.sym)) : NULL;
    if (!fresh) return n;
    return n->kind == NAT_VAR ? nat_var(cx, fresh) : node_with_name(cx, n, fresh);
}

Node *loops_copy(Session *cx, Node *stmt, LoopsRenamed *renamed, void *env)
{
    Map names = map_new(cx->arena);
    loops_names(stmt, IS_BINDER | IS_LABEL, &names);
    for (int i = 0; i < names.len; i++) {
        Sym old = (Sym)(uintptr_t)names.entries[i].key, fresh = sym_fresh(cx->syms, old->text);
        names.entries[i].value = (void *)(uintptr_t)fresh;
        if (renamed) renamed(old, fresh, env);
    }
    return node_rewrite(cx, stmt, renamed_node, &names);
}
