// Eliminates locals: unused ones are removed, and tentative ones with one use are propagated.
#include "dpia/translate/from_core.h"

typedef struct {
    Sym name;
    Map seen; // 1 + id of a node -> 1 + the number of uses of `name` in it
} Uses;

static bool is_loop(Node *e)
{
    return e->kind == COM_FOR || (e->kind >= COM_FOREVER && e->kind <= COM_VECTORIZE);
}

// The number of uses of u->name in e: 0, 1 or MANY. A use in a loop counts as MANY. So does a use
// in a size, where a name cannot be replaced by an expression.
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

// The number of uses of the local in the given commands or expressions.
static int let_uses(Tr *t, Sym name, Node *const *in, int n)
{
    Uses u = {.name = name, .seen = map_new(t->arena)};
    int uses = 0;
    for (int i = 0; i < n && uses < MANY; i++) uses += count(&u, in[i]);
    return uses < MANY ? uses : MANY;
}

static bool is_reference(const Tr *t, Sym name)
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

// What a command does first: use the local (which it uses once) or write the memory.
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
    case COM_ASSIGN: // its operands are evaluated before the write
        if (let_uses(t, local, &c, 1)) return USED;
        break;
    default: break;
    }
    Map seen = map_new(t->arena);
    if (writes(t, c, memory, &seen)) return WRITTEN;
    return let_uses(t, local, &c, 1) ? USED : NEITHER;
}

bool reads_cells(Tr *t, Node *e)
{
    if (t->cells.len == 0) return false;
    if (e->kind == PH_VAR) return map_get(&t->cells, MAP_KEY(e->attr.sym)) != NULL;
    for (uint32_t i = 0; i < e->nops; i++)
        if (reads_cells(t, e->op[i])) return true;
    return false;
}

// Replaces locals with their values, which may use other replaced locals.
typedef struct {
    Map values; // Sym of a local -> its value
    Map done;
} Replace;

static Node *replace(Session *cx, Node *e, int depth, void *env)
{
    (void)depth;
    Replace *r = env;
    if (e->kind == PH_VAR) {
        Node *value = map_get(&r->values, MAP_KEY(e->attr.sym));
        return value ? replace(cx, value, 0, r) : e;
    }
    if (e->nops == 0 || (kind_info[e->kind].levels & (LEVEL_NAT | LEVEL_TYPE))) return e;
    Node *done = map_get(&r->done, e->id + 1);
    if (done) return done;
    done = node_map(cx, e, 0, replace, r);
    map_put(&r->done, e->id + 1, (void *)(uintptr_t)done);
    return done;
}

static Replace replace_none(Tr *t)
{
    return (Replace){.values = map_new(t->arena), .done = map_new(t->arena)};
}

static void add_value(Replace *r, Sym name, Node *value)
{
    map_put(&r->values, MAP_KEY(name), (void *)(uintptr_t)value);
}

Node *lets_propagated(Tr *t, const Block *b, Node *value)
{
    for (int i = b->items.len - 1; i >= 0; i--) {
        const Item *item = &b->items.at[i];
        if (item->binds != COM_LET) return NULL;
        int uses = let_uses(t, item->name, &value, 1);
        if (uses == MANY) return NULL;
        if (uses == 0) continue;
        Replace r = replace_none(t);
        add_value(&r, item->name, item->node);
        value = replace(t->cx, value, 0, &r);
    }
    return value;
}

// --- a whole block ------------------------------------------------------------------------------

/// The uses of names and the writes to memory in the items after the current one. The items of a
/// block are traversed once, from last to first.
typedef struct {
    Tr *t;
    Item *items;
    Map uses;         // Sym -> Used
    Map writes;       // Sym of memory -> 1 + the first item that may write it
    int reference_at; // 1 + the first item that writes through a reference; 0 if none does
    int at;           // the current item
    Map counted;      // node -> 2 * the number of the last walk that counted the uses of names in
                      // it, plus 1 if that walk counted each as MANY
    Map declared;     // names that the items declare at any depth
    uintptr_t walk;   // the number of walks over items so far
    Replace *inlined; // for each item: the locals that are propagated into it
} Lets;

typedef struct {
    int uses; // 0, 1 or MANY
    int at;   // the item with the only use
} Used;

static void add_use(Lets *l, Sym name, int uses)
{
    Used *u = map_get(&l->uses, MAP_KEY(name));
    if (!u) {
        u = ARENA_NEW(l->t->arena, Used);
        map_put(&l->uses, MAP_KEY(name), u);
    }
    u->uses = u->uses + uses > MANY ? MANY : u->uses + uses;
    u->at = l->at;
}

static void add_write(Lets *l, Sym name)
{
    map_put(&l->writes, MAP_KEY(name), (void *)(uintptr_t)(l->at + 1));
    if (is_reference(l->t, name)) l->reference_at = l->at + 1;
}

// Whether the uses in the node are already counted. If they are not, records that they are now, and
// sets *many if the node occurs a second time.
static bool is_counted(Lets *l, Node *e, bool *many)
{
    uintptr_t counted = (uintptr_t)map_get(&l->counted, e->id + 1);
    bool before = counted / 2 == l->walk;
    if (before && counted % 2) return true;
    *many |= before;
    map_put(&l->counted, e->id + 1, (void *)(2 * l->walk + *many));
    return false;
}

/// The free names that a block's command uses and writes, stored so that the command need not be
/// traversed again.
typedef struct {
    Sym name;
    int uses;
    bool written;
} NameUse;
struct BlockNames {
    VEC(NameUse) names;
};

static void add_block_names(Lets *l, const struct BlockNames *b, bool many)
{
    for (int i = 0; i < b->names.len; i++) {
        const NameUse *n = &b->names.at[i];
        if (n->uses) add_use(l, n->name, many ? MANY : n->uses);
        if (n->written) add_write(l, n->name);
    }
}

static bool declares(Node *e)
{
    return e->kind == COM_LET || e->kind == COM_NEW || e->kind == COM_FOR ||
           (e->kind >= COM_RANGE && e->kind <= COM_VECTORIZE);
}

// Adds the names in e; `many` says whether e is in a loop.
static void add_names(Lets *l, Node *e, bool many)
{
    const struct BlockNames *block = map_get(&l->t->block_names, e->id + 1);
    if (e->kind == PH_VAR) add_use(l, e->attr.sym, many ? MANY : 1);
    if (e->kind == NAT_VAR) add_use(l, e->attr.sym, MANY);
    if (e->kind == ACC_VAR) add_write(l, e->attr.sym);
    if (e->nops == 0 || is_counted(l, e, &many)) return;
    many |= is_loop(e);
    if (declares(e)) map_put(&l->declared, MAP_KEY(e->attr.sym), l);
    if (block) add_block_names(l, block, many);
    for (uint32_t i = 0; !block && i < e->nops; i++) add_names(l, e->op[i], many);
}

static void add_item(Lets *l, Node *e, int at)
{
    l->at = at;
    l->walk++;
    add_names(l, e, false);
}

// Returns the first item that may write the memory, or `never` if there is none.
static int first_write(const Lets *l, Sym name, int never)
{
    int at = (int)(uintptr_t)map_get(&l->writes, MAP_KEY(name));
    if (is_reference(l->t, name) && l->reference_at && (at == 0 || l->reference_at < at))
        at = l->reference_at;
    return at ? at - 1 : never;
}

// Propagates all locals into the item at once, as an item may use many.
static void propagate_into(Lets *l, int at)
{
    Replace *r = &l->inlined[at];
    if (r->values.len == 0) return;
    l->items[at].node = replace(l->t->cx, l->items[at].node, 0, r);
    *r = replace_none(l->t);
}

// Whether the local can be replaced with its value in item `at`, which uses it: no memory that the
// value reads is written before that use.
static bool is_stable(Lets *l, Sym local, Node *value, int at)
{
    const Item *user = &l->items[at];
    if (value->kind == PH_VAR && map_get(&l->t->memory, MAP_KEY(value->attr.sym))) {
        int written = first_write(l, value->attr.sym, at + 1);
        if (written < at) return false;
        if (written == at && user->binds == KIND_NONE) {
            propagate_into(l, at);
            if (first_of(l->t, value->attr.sym, local, user->node) == WRITTEN) return false;
        }
    }
    for (uint32_t i = 0; i < value->nops; i++)
        if (!is_stable(l, local, value->op[i], at)) return false;
    return true;
}

// Whether the binding can be removed: it is unused, or it is tentative and its value can be
// propagated. In the latter case, records that the value is propagated.
static bool is_needless(Lets *l, const Item *item)
{
    const Used *u = map_get(&l->uses, MAP_KEY(item->name));
    if (item->binds != COM_LET) return false;
    if (!u) return true;
    if (!item->tentative || u->uses > 1 || map_get(&l->t->passed, MAP_KEY(item->name)) ||
        !is_stable(l, item->name, item->node, u->at))
        return false;
    if (!l->inlined[u->at].values.arena) l->inlined[u->at] = replace_none(l->t);
    add_value(&l->inlined[u->at], item->name, item->node);
    add_item(l, item->node, u->at);
    return true;
}

// The names that occur free in the block's items.
static const struct BlockNames *names_of(const Lets *l)
{
    struct BlockNames *b = ARENA_NEW(l->t->arena, struct BlockNames);
    for (int i = 0; i < l->uses.len; i++) {
        uint64_t key = l->uses.entries[i].key;
        const Used *u = l->uses.entries[i].value;
        NameUse n = {(Sym)(uintptr_t)key, u->uses, map_get(&l->writes, key) != NULL};
        if (!map_get(&l->declared, key)) vec_push(l->t->arena, &b->names, n);
    }
    for (int i = 0; i < l->writes.len; i++) {
        uint64_t key = l->writes.entries[i].key;
        NameUse n = {(Sym)(uintptr_t)key, 0, true};
        if (!map_get(&l->declared, key) && !map_get(&l->uses, key))
            vec_push(l->t->arena, &b->names, n);
    }
    return b;
}

const struct BlockNames *lets_needed(Tr *t, Item *items, int *count)
{
    Lets l = {.t = t,
              .items = items,
              .uses = map_new(t->arena),
              .writes = map_new(t->arena),
              .counted = map_new(t->arena),
              .declared = map_new(t->arena),
              .inlined = ARENA_ARRAY(t->arena, Replace, *count + 1)};
    bool *gone = ARENA_ARRAY(t->arena, bool, *count + 1);
    int kept = 0;
    for (int i = *count - 1; i >= 0; i--) {
        if (items[i].binds == COM_LET || items[i].binds == COM_NEW)
            map_put(&l.declared, MAP_KEY(items[i].name), items);
        gone[i] = is_needless(&l, &items[i]);
        if (gone[i]) continue;
        add_item(&l, items[i].node, i);
        if (items[i].block) add_item(&l, items[i].block, i);
    }
    for (int i = 0; i < *count; i++) {
        if (gone[i]) continue;
        propagate_into(&l, i);
        items[kept++] = items[i];
    }
    *count = kept;
    return names_of(&l);
}

const struct BlockNames *names_read(Tr *t, const struct BlockNames *names, Sym written)
{
    struct BlockNames *b = ARENA_NEW(t->arena, struct BlockNames);
    for (int i = 0; i < names->names.len; i++) {
        NameUse n = names->names.at[i];
        if (n.name == written) n.written = false;
        if (n.uses || n.written) vec_push(t->arena, &b->names, n);
    }
    return b;
}
