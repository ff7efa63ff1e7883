// Locals that were made in case a value is read again, and were not: unused ones go, those used
// once give way to their value.
#include "dpia/from_core.h"

enum { MANY = 2 };

typedef struct {
    Sym name;
    Map seen; // id of a node + 1 -> uses + 1
} Uses;

static bool is_loop(Node *e)
{
    return e->kind == COM_FOR || (e->kind >= COM_FOREVER && e->kind <= COM_VECTORIZE);
}

// 0, 1 or MANY. A use in a loop counts as many, and so does one in a size, where only names can
// stand.
static int count(Uses *u, Node *e)
{
    if (e->kind == PH_VAR) return e->attr.sym == u->name;
    if (e->kind == NAT_VAR) return e->attr.sym == u->name ? MANY : 0;
    if (e->nops == 0) return 0;
    uintptr_t known = (uintptr_t)map_get(&u->seen, e->id + 1);
    if (known) return (int)known - 1;
    int uses = 0;
    for (uint32_t i = 0; i < e->nops && uses < MANY; i++) uses += count(u, e->op[i]);
    if (uses > MANY || (uses > 0 && is_loop(e))) uses = MANY;
    map_put(&u->seen, e->id + 1, (void *)(uintptr_t)(uses + 1));
    return uses;
}

int let_uses(Tr *t, Sym name, Node *const *in, int n)
{
    Uses u = {.name = name, .seen = map_new(t->arena)};
    int uses = 0;
    for (int i = 0; i < n && uses < MANY; i++) uses += count(&u, in[i]);
    return uses < MANY ? uses : MANY;
}

static bool is_reference(Tr *t, Sym name)
{
    return map_get(&t->references, MAP_KEY(name)) != NULL;
}

// Whether the command may write the memory `name`.
static bool writes(Tr *t, Node *in, Sym name, Map *seen)
{
    if (in->kind == ACC_VAR)
        return in->attr.sym == name || (is_reference(t, in->attr.sym) && is_reference(t, name));
    if (in->nops == 0 || map_get(seen, in->id + 1)) return false;
    map_put(seen, in->id + 1, seen);
    for (uint32_t i = 0; i < in->nops; i++)
        if (writes(t, in->op[i], name, seen)) return true;
    return false;
}

// What a command does first with the memory, or with the local that is used once.
typedef enum { NEITHER, USED, WRITTEN } First;

static First first_of(Tr *t, Sym memory, Sym local, Node *c)
{
    First first = NEITHER;
    switch ((Kind)c->kind) {
    case COM_SEQ:
        for (uint32_t i = 0; i < c->nops && !first; i++)
            first = first_of(t, memory, local, c->op[i]);
        return first;
    case COM_LET:
        if (let_uses(t, local, &c->op[0], 1)) return USED;
        return first_of(t, memory, local, c->op[1]);
    case COM_NEW:
    case COM_ACCUMULATE: return first_of(t, memory, local, c->op[1]);
    case COM_IF:
        if (let_uses(t, local, &c->op[0], 1)) return USED;
        break;
    case COM_ASSIGN: // its operands come before it
        if (let_uses(t, local, &c, 1)) return USED;
        break;
    default: break;
    }
    Map seen = map_new(t->arena);
    if (writes(t, c, memory, &seen)) return WRITTEN;
    return let_uses(t, local, &c, 1) ? USED : NEITHER;
}

bool let_is_stable(Tr *t, Sym name, Node *value, Node *const *in, int n)
{
    if (value->kind == PH_VAR && map_get(&t->memory, MAP_KEY(value->attr.sym))) {
        First first = NEITHER;
        for (int i = 0; i < n && !first; i++) first = first_of(t, value->attr.sym, name, in[i]);
        if (first == WRITTEN) return false;
    }
    for (uint32_t i = 0; i < value->nops; i++)
        if (!let_is_stable(t, name, value->op[i], in, n)) return false;
    return true;
}

bool reads_cells(Tr *t, Node *e)
{
    if (t->cells.len == 0) return false;
    if (e->kind == PH_VAR) return map_get(&t->cells, MAP_KEY(e->attr.sym)) != NULL;
    for (uint32_t i = 0; i < e->nops; i++)
        if (reads_cells(t, e->op[i])) return true;
    return false;
}

typedef struct {
    Sym name;
    Node *value;
    Map done;
} Replace;

static Node *replace(Session *cx, Node *e, int depth, void *env)
{
    (void)depth;
    Replace *r = env;
    if (e->kind == PH_VAR) return e->attr.sym == r->name ? r->value : e;
    if (e->nops == 0 || (kind_info[e->kind].levels & (LEVEL_NAT | LEVEL_TYPE))) return e;
    Node *done = map_get(&r->done, e->id + 1);
    if (done) return done;
    done = node_map(cx, e, 0, replace, r);
    map_put(&r->done, e->id + 1, (void *)(uintptr_t)done);
    return done;
}

Node *let_replaced(Tr *t, Node *e, Sym name, Node *value)
{
    Replace r = {.name = name, .value = value, .done = map_new(t->arena)};
    return replace(t->cx, e, 0, &r);
}

Node *lets_dissolved(Tr *t, const Block *b, Node *value)
{
    for (int i = b->items.len - 1; i >= 0; i--) {
        const Item *item = &b->items.at[i];
        if (item->binds != COM_LET) return NULL;
        int uses = let_uses(t, item->name, &value, 1);
        if (uses == MANY) return NULL;
        if (uses == 1) value = let_replaced(t, value, item->name, item->node);
    }
    return value;
}
