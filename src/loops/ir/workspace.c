// Queries about the memory of temporary arrays: allocations on the heap or in a workspace, and the
// sizes of workspaces.
#include "loops/ir/loops.h"

bool loops_is_heap(Node *s)
{
    return s->kind == LOOP_ALLOC && s->variant == VARIANT_HEAP;
}

bool loops_is_placed(Node *s)
{
    return s->kind == LOOP_ALLOC && (s->variant == VARIANT_PART || s->variant == VARIANT_PLACE);
}

bool loops_passes_workspace(const LoopEntry *callee, Node *call)
{
    return (int)call->nops > callee->params.len;
}

typedef struct {
    const LoopEntry *entry;
    bool found;
} Other;

static void find_other(Node *atom, void *env)
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
    nat_atoms(cx, size, find_other, &o);
    return !o.found;
}

typedef struct {
    const LoopEntry *entry;
    Sym function;
    Map seen; // functions whose bodies were searched
} CallSearch;

// Whether the statement calls the function, directly or through other functions.
static bool calls(Node *s, void *env)
{
    CallSearch *c = env;
    if (!loops_is(s, IS_CALL)) return false;
    if (s->attr.sym == c->function) return true;
    const LoopEntry *f = loops_callee(c->entry, s->attr.sym);
    if (!f || !f->body || map_get(&c->seen, MAP_KEY(f->name))) return false;
    map_put(&c->seen, MAP_KEY(f->name), c);
    return loops_any(f->body, calls, c);
}

bool loops_is_recursive(Session *cx, const LoopEntry *entry, Sym function)
{
    const LoopEntry *f = loops_callee(entry, function);
    CallSearch c = {entry, function, map_new(cx->arena)};
    return f && f->body && loops_any(f->body, calls, &c);
}

bool loops_owns_workspace(Session *cx, const LoopEntry *entry, const LoopEntry *f)
{
    return f == entry || loops_is_recursive(cx, entry, f->name);
}

Node *loops_workspace_lines(Node *workspace)
{
    if (workspace->kind == LOOP_SELECT) return NULL;
    return workspace->kind == CORE_NAT ? workspace->op[0] : workspace;
}

bool loops_workspace_may_be_empty(Node *workspace)
{
    Node *lines = loops_workspace_lines(workspace);
    int64_t n;
    if (lines) return nat_is_const(lines, &n) && n == 0;
    return loops_workspace_may_be_empty(workspace->op[1]) ||
           loops_workspace_may_be_empty(workspace->op[2]);
}

Node *loops_max_workspace_lines(Session *cx, Node *workspace)
{
    Node *lines = workspace ? loops_workspace_lines(workspace) : nat_const(cx, 0);
    if (lines) return lines;
    Node *then = loops_max_workspace_lines(cx, workspace->op[1]), *zero = nat_const(cx, 0);
    Node *otherwise = loops_max_workspace_lines(cx, workspace->op[2]);
    return then == zero ? otherwise : otherwise == zero ? then : nat_max(cx, then, otherwise);
}

bool loops_is_known_at_entry(Session *cx, const LoopEntry *entry, Node *x)
{
    bool divides = x->kind == CORE_PRIM && (x->attr.i == PRIM_DIV || x->attr.i == PRIM_REM);
    if (x->kind == CORE_LIT) return true;
    if (x->kind == CORE_NAT)
        return loops_is_static(cx, entry, x->op[0]) && nat_is_total(cx, NULL, x->op[0]);
    if ((x->kind != CORE_PRIM && x->kind != LOOP_SELECT) || divides || type_is_float(x->type))
        return false;
    for (uint32_t i = 0; i < x->nops; i++)
        if (!loops_is_known_at_entry(cx, entry, x->op[i])) return false;
    return true;
}
