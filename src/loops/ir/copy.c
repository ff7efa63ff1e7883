// Copies of statements: names stay unique, so every copy but the first gets new ones.
#include "loops/ir/statements.h"

int loops_weight(Node *n, int limit)
{
    int size = 1;
    for (uint32_t i = 0; i < n->nops && size < limit; i++)
        size += loops_weight(n->op[i], limit - size);
    return size;
}

static Node *rename_visit(Session *cx, Node *n, int depth, void *env)
{
    (void)depth;
    Map *memo = env;
    Node *done = map_get(memo, MAP_KEY(n));
    if (done) return done;
    done = node_map(cx, n, 0, rename_visit, memo);
    bool named = kind_info[n->kind].attr == ATTR_SYM && n->kind != TYPE_STRUCT;
    Sym fresh = named ? map_get(memo, MAP_KEY(n->attr.sym)) : NULL;
    if (fresh && n->kind == NAT_VAR) {
        done = nat_var(cx, fresh);
    } else if (fresh) {
        NodeSpec spec = {.kind = (Kind)done->kind,
                         .variant = (Variant)done->variant,
                         .attr = {.sym = fresh},
                         .type = done->type,
                         .nops = (int)done->nops,
                         .ops = done->op,
                         .origin = done->origin};
        done = node_make(cx, &spec);
    }
    map_put(memo, MAP_KEY(n), (void *)(uintptr_t)done);
    return done;
}

typedef struct {
    Session *cx;
    Map *names;
    LoopsRenamed *renamed;
    void *env;
} Fresh;

static void fresh_names(Fresh *f, Node *stmt)
{
    if (loops_binds(stmt) || stmt->kind == LOOP_LABEL) {
        Sym old = stmt->attr.sym, fresh = sym_fresh(f->cx->syms, old->text);
        map_put(f->names, MAP_KEY(old), (void *)(uintptr_t)fresh);
        if (f->renamed) f->renamed(old, fresh, f->env);
    }
    for (uint32_t i = 0; i < stmt->nops; i++)
        if (loops_is_stmt(stmt->op[i])) fresh_names(f, stmt->op[i]);
}

Node *loops_copy(Session *cx, Node *stmt, LoopsRenamed *renamed, void *env)
{
    Map names = map_new(cx->arena);
    Fresh f = {cx, &names, renamed, env};
    fresh_names(&f, stmt);
    return rename_visit(cx, stmt, 0, &names);
}
