// Memory of temporary arrays: which allocations are on the heap or in a workspace, and the sizes of
// workspaces.
#include "loops/ir/loops.h"

bool loops_is_heap(Node *s)
{
    return s->kind == LOOP_ALLOC && s->variant == VARIANT_HEAP;
}

bool loops_is_placed(Node *s)
{
    return s->kind == LOOP_ALLOC && (s->variant == VARIANT_PART || s->variant == VARIANT_PLACE);
}

bool loops_gives_memory(const LoopEntry *callee, Node *call)
{
    return (int)call->nops > callee->params.len;
}

typedef struct {
    const LoopEntry *entry;
    bool found;
} Other;

static void look_for_other(Node *atom, void *env)
{
    Other *o = env;
    for (int i = 0; i < o->entry->sizes.len; i++)
        if (atom->kind == NAT_VAR && atom->attr.sym == o->entry->sizes.at[i]) return;
    if (atom->kind == NAT_VAR && atom->attr.sym == o->entry->helpers) return;
    o->found = true;
}

bool loops_is_static(Session *cx, const LoopEntry *entry, Node *size)
{
    Other o = {entry, false};
    nat_atoms(cx, size, look_for_other, &o);
    return !o.found;
}

static bool calls(const LoopEntry *entry, Node *s, Sym function, Map *seen)
{
    if (s->kind == LOOP_CALL) {
        if (s->attr.sym == function) return true;
        const LoopEntry *f = loops_callee(entry, s->attr.sym);
        if (!f || !f->body || map_get(seen, MAP_KEY(f->name))) return false;
        map_put(seen, MAP_KEY(f->name), seen);
        return calls(entry, f->body, function, seen);
    }
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && calls(entry, s->op[i], function, seen)) return true;
    return false;
}

bool loops_is_recursive(Session *cx, const LoopEntry *entry, Sym function)
{
    const LoopEntry *f = loops_callee(entry, function);
    Map seen = map_new(cx->arena);
    return f && f->body && calls(entry, f->body, function, &seen);
}

bool loops_owns_workspace(Session *cx, const LoopEntry *entry, const LoopEntry *f)
{
    return f == entry || loops_is_recursive(cx, entry, f->name);
}

Node *loops_lines(Node *workspace)
{
    if (workspace->kind == LOOP_SELECT) return NULL;
    return workspace->kind == CORE_NAT ? workspace->op[0] : workspace;
}

bool loops_may_be_nothing(Node *workspace)
{
    Node *lines = loops_lines(workspace);
    int64_t n;
    if (lines) return nat_is_const(lines, &n) && n == 0;
    return loops_may_be_nothing(workspace->op[1]) || loops_may_be_nothing(workspace->op[2]);
}

Node *loops_most_lines(Session *cx, Node *workspace)
{
    Node *lines = workspace ? loops_lines(workspace) : nat_const(cx, 0);
    if (lines) return lines;
    Node *then = loops_most_lines(cx, workspace->op[1]), *zero = nat_const(cx, 0);
    Node *otherwise = loops_most_lines(cx, workspace->op[2]);
    return then == zero ? otherwise : otherwise == zero ? then : nat_max(cx, then, otherwise);
}

bool loops_sizes_tell(Session *cx, const LoopEntry *entry, Node *x)
{
    bool divides = x->kind == CORE_PRIM && (x->attr.i == PRIM_DIV || x->attr.i == PRIM_REM);
    if (x->kind == CORE_LIT) return true;
    if (x->kind == CORE_NAT)
        return loops_is_static(cx, entry, x->op[0]) && nat_is_total(cx, NULL, x->op[0]);
    if ((x->kind != CORE_PRIM && x->kind != LOOP_SELECT) || divides || type_is_float(x->type))
        return false;
    for (uint32_t i = 0; i < x->nops; i++)
        if (!loops_sizes_tell(cx, entry, x->op[i])) return false;
    return true;
}
