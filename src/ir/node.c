// Nodes: tables, hash-consing, rebuilding, de Bruijn indices, replacement of named variables.
#include "ir/node.h"

#include <string.h>

const KindInfo kind_info[KIND_COUNT] = {
    [KIND_NONE] = {"none", 0, ATTR_NONE, "", 0},
#define NODE(kind, text, nops, attr, under, levels) [kind] = {text, nops, attr, under, levels},
#include "ir/kinds.def"
#undef NODE
};

const char *const variant_text[VARIANT_COUNT] = {
    "",
#define VARIANT(name, text) text,
#include "ir/variant.def"
#undef VARIANT
};

const ScalarInfo scalar_info[SCALAR_COUNT] = {
#define SCALAR(name, text, size, class, ctype) {text, size, class, ctype},
#include "ir/scalar.def"
#undef SCALAR
};

const PrimInfo prim_info[PRIM_COUNT] = {
#define PRIM(name, text, arity, operands, result, c, spelling, work, integers, floats)             \
    {text, arity, operands, result, c, spelling, work},
#include "ir/prim.def"
#undef PRIM
};

const char *const pad_mode_text[PAD_MODE_COUNT] = {"clamp", "mirror", "wrap", "const"};

enum { FREE_LISTS = 16 };

typedef struct {
    int n;
    Sym at[];
} NameList;

struct NodeTable {
    struct Node **slots;
    uint32_t nslots, used;
    uint32_t count; // number of nodes created so far
    uint32_t own;   // only terms whose id is at least this may be reused (node_begin)
    NatRebuild *nat_rebuild;
    Node *free[FREE_LISTS]; // by number of operands, linked by `type`
    Map names;              // hash -> list of names
};

static struct NodeTable *table_of(Session *cx)
{
    if (!cx->nodes) {
        cx->nodes = ARENA_NEW(cx->arena, struct NodeTable);
        cx->nodes->names = map_new(cx->arena);
    }
    return cx->nodes;
}

void node_set_nat_rebuild(Session *cx, NatRebuild *rebuild)
{
    table_of(cx)->nat_rebuild = rebuild;
}

uint32_t node_count(const Session *cx)
{
    return cx->nodes ? cx->nodes->count : 0;
}

// The bits of an attribute that matter for identity, as one word.
static uint64_t attr_word(Kind kind, Attr a)
{
    switch (kind_info[kind].attr) {
    case ATTR_NONE: return 0;
    case ATTR_SYM: return a.sym ? a.sym->id : 0;
    case ATTR_INT:
    case ATTR_SCALAR:
    case ATTR_PRIM:
    case ATTR_BITS:
    case ATTR_MODE: return a.bits;
    }
    return 0;
}

typedef struct {
    Variant variant, space, layout;
} Stored;

static const Stored stored[] = {
    {VARIANT_STACK, VARIANT_STACK, VARIANT_ANY},
    {VARIANT_HEAP, VARIANT_HEAP, VARIANT_ANY},
    {VARIANT_SHARED, VARIANT_SHARED, VARIANT_ANY},
    {VARIANT_SOA, VARIANT_ANY, VARIANT_SOA},
    {VARIANT_AOS, VARIANT_ANY, VARIANT_AOS},
    {VARIANT_AOSOA, VARIANT_ANY, VARIANT_AOSOA},
    {VARIANT_STACK_SOA, VARIANT_STACK, VARIANT_SOA},
    {VARIANT_STACK_AOS, VARIANT_STACK, VARIANT_AOS},
    {VARIANT_STACK_AOSOA, VARIANT_STACK, VARIANT_AOSOA},
    {VARIANT_HEAP_SOA, VARIANT_HEAP, VARIANT_SOA},
    {VARIANT_HEAP_AOS, VARIANT_HEAP, VARIANT_AOS},
    {VARIANT_HEAP_AOSOA, VARIANT_HEAP, VARIANT_AOSOA},
};

static Stored stored_as(Variant v)
{
    for (size_t i = 0; i < sizeof stored / sizeof *stored; i++)
        if (stored[i].variant == v) return stored[i];
    return (Stored){v, VARIANT_ANY, VARIANT_ANY};
}

Variant variant_space(Variant v)
{
    return stored_as(v).space;
}

Variant variant_layout(Variant v)
{
    return stored_as(v).layout;
}

int variant_operands(Variant v, int n)
{
    return n + (v == VARIANT_VEC || variant_layout(v) == VARIANT_AOSOA);
}

Node *node_lanes(Node *e)
{
    return e->op[e->nops - 1];
}

// Hashes ids rather than addresses, so that every run visits nodes in the same order.
static uint32_t hash_spec(const NodeSpec *s)
{
    uint64_t h =
        hash_mix((uint64_t)s->kind << 16 | (uint64_t)s->variant, attr_word(s->kind, s->attr));
    h = hash_mix(h, s->type ? s->type->id + 1u : 0);
    for (int i = 0; i < s->nops; i++) h = hash_mix(h, s->ops[i]->id + 1u);
    return (uint32_t)h;
}

void node_begin(Session *cx)
{
    struct NodeTable *t = table_of(cx);
    t->own = t->count;
}

static bool is_call(int kind)
{
    return kind == CORE_CALL || kind == COM_CALL || kind == LOOP_CALL;
}

// Whether the term belongs to a single function. Sizes, types, variables, globals and literals are
// shared by all functions; all other terms are not, since messages and generated comments refer to
// their origin.
static bool is_of_one_function(const NodeSpec *s)
{
    if (node_is_size_or_type(s) || s->kind == CORE_NAT || s->kind == CORE_GLOBAL) return false;
    return s->nops > 0 || is_call(s->kind);
}

// Whether terms that differ only in their place in the program are different ones: calls, and
// assertions, whose failure is reported with the place.
static bool has_own_place(const NodeSpec *s)
{
    bool check = s->kind == COM_CHECK || s->kind == LOOP_CHECK;
    return is_call(s->kind) || s->kind == CORE_ASSERT || (check && s->attr.i == E0614);
}

static bool is_other_place(Span a, Span b)
{
    return a.file && b.file && (a.file != b.file || a.lo != b.lo || a.hi != b.hi);
}

static bool is_spec(Node *e, const NodeSpec *s)
{
    if (e->kind != s->kind || e->variant != s->variant || e->type != s->type) return false;
    if (e->nops != (uint32_t)s->nops || attr_word(s->kind, e->attr) != attr_word(s->kind, s->attr))
        return false;
    if (has_own_place(s) && is_other_place(e->origin, s->origin)) return false;
    for (int i = 0; i < s->nops; i++)
        if (e->op[i] != s->ops[i]) return false;
    return true;
}

static void insert(struct NodeTable *t, struct Node *e)
{
    uint32_t k = e->hash & (t->nslots - 1);
    while (t->slots[k]) k = (k + 1) & (t->nslots - 1);
    t->slots[k] = e;
}

static void grow_table(Session *cx, struct NodeTable *t)
{
    struct Node **old = t->slots;
    uint32_t nold = t->nslots;
    t->nslots = nold ? nold * 2 : 1024;
    t->slots = ARENA_ARRAY(cx->arena, struct Node *, t->nslots);
    for (uint32_t i = 0; i < nold; i++)
        if (old[i]) insert(t, old[i]);
}

static char letter_of(Kind kind, int k)
{
    const char *under = kind_info[kind].under;
    size_t len = strlen(under);
    if (len == 0) return '0';
    return under[(size_t)k < len ? (size_t)k : len - 1];
}

Sort kind_sort(Kind kind, int k)
{
    switch (letter_of(kind, k)) {
    case 'f': return SORT_FUN;
    case 's': return SORT_SIZE;
    case 't': return SORT_TYPE;
    case 'g': return SORT_GENERIC;
    case 'a': return SORT_ACCEPTOR;
    default: return SORT_TERM;
    }
}

static int binds_of(Kind kind, Attr attr, int k)
{
    char c = letter_of(kind, k);
    if (c == 'n') return (int)attr.i;
    return c >= '0' && c <= '9' ? c - '0' : 0;
}

int node_binds(Node *e, int k)
{
    return binds_of((Kind)e->kind, e->attr, k);
}

static uint32_t loose_of(const NodeSpec *s)
{
    if (s->kind == CORE_VAR) return (uint32_t)s->attr.i + 1;
    uint32_t loose = 0;
    for (int i = 0; i < s->nops; i++) {
        uint32_t bound = (uint32_t)binds_of(s->kind, s->attr, i), of = s->ops[i]->loose;
        if (of > bound && of - bound > loose) loose = of - bound;
    }
    return loose;
}

// Returns zeroed memory for a node.
static struct Node *new_node(Session *cx, struct NodeTable *t, int nops)
{
    size_t size = sizeof(struct Node) + sizeof(Node *) * (size_t)nops;
    Node *old = nops < FREE_LISTS ? t->free[nops] : NULL;
    if (!old) return arena_alloc(cx->arena, size);
    t->free[nops] = old->type;
    return memset((void *)(uintptr_t)old, 0, size);
}

Node *node_make(Session *cx, const NodeSpec *s)
{
    struct NodeTable *t = table_of(cx);
    const KindInfo *info = &kind_info[s->kind];
    CHECK(cx, info->nops < 0 || info->nops == s->nops, "%s takes %d operands, got %d", info->text,
          info->nops, s->nops);
    for (int i = 0; i < s->nops; i++)
        CHECK(cx, s->ops[i], "operand %d of %s is missing", i, info->text);
    if ((uint64_t)t->used * 2 >= t->nslots) grow_table(cx, t);
    uint32_t hash = hash_spec(s), k = hash & (t->nslots - 1);
    uint32_t oldest = is_of_one_function(s) ? t->own : 0;
    for (; t->slots[k]; k = (k + 1) & (t->nslots - 1))
        if (t->slots[k]->hash == hash && t->slots[k]->id >= oldest && is_spec(t->slots[k], s)) {
            if (t->slots[k]->origin.file == 0) t->slots[k]->origin = s->origin;
            return t->slots[k];
        }
    struct Node *e = new_node(cx, t, s->nops);
    t->used++;
    e->kind = (uint16_t)s->kind;
    e->variant = (uint16_t)s->variant;
    e->nops = (uint32_t)s->nops;
    e->id = t->count++;
    e->hash = hash;
    e->loose = loose_of(s);
    e->origin = s->origin;
    e->type = s->type;
    if (info->attr != ATTR_NONE) e->attr = s->attr;
    e->names = s->names;
    for (int i = 0; i < s->nops; i++) e->op[i] = s->ops[i];
    return t->slots[k] = e;
}

NodeSpec node_spec(Node *e)
{
    return (NodeSpec){.kind = (Kind)e->kind,
                      .variant = (Variant)e->variant,
                      .attr = e->attr,
                      .type = e->type,
                      .nops = (int)e->nops,
                      .ops = e->op,
                      .origin = e->origin,
                      .names = e->names};
}

// `e` with these operands and this type. Sizes are rebuilt by nat/.
static Node *rebuild(Session *cx, Node *e, Node *const *ops, Node *type)
{
    bool same = type == e->type;
    for (uint32_t i = 0; same && i < e->nops; i++) same = ops[i] == e->op[i];
    if (same) return e;
    if (kind_info[e->kind].levels & LEVEL_NAT) {
        CHECK(cx, table_of(cx)->nat_rebuild, "sizes are not initialised");
        return table_of(cx)->nat_rebuild(cx, e, ops);
    }
    NodeSpec s = node_spec(e);
    s.ops = ops;
    s.type = type;
    return node_make(cx, &s);
}

Node *node_with_ops(Session *cx, Node *e, Node *const *ops)
{
    return rebuild(cx, e, ops, e->type);
}

Node *node_with_type(Session *cx, Node *e, Node *type)
{
    return rebuild(cx, e, e->op, type);
}

Node *node_with_variant(Session *cx, Node *e, Variant v)
{
    if (e->variant == v) return e;
    NodeSpec s = node_spec(e);
    s.variant = v;
    return node_make(cx, &s);
}

Node *node_with_name(Session *cx, Node *e, Sym name)
{
    NodeSpec s = node_spec(e);
    s.attr.sym = name;
    return node_make(cx, &s);
}

// --- memory ------------------------------------------------------------------------------------

const Sym *node_names(Session *cx, const Sym *names, int n)
{
    Map *lists = &table_of(cx)->names;
    uint64_t key = (uint64_t)n;
    for (int i = 0; i < n; i++) key = hash_mix(key, names[i] ? names[i]->id + 1u : 0);
    NameList *list;
    for (; (list = map_get(lists, key)); key++)
        if (list->n == n && memcmp(list->at, names, sizeof *names * (size_t)n) == 0)
            return list->at;
    list = arena_alloc(cx->arena, sizeof *list + sizeof(Sym) * (size_t)n);
    list->n = n;
    memcpy(list->at, names, sizeof *names * (size_t)n);
    map_put(lists, key, list);
    return list->at;
}

static void mark(Map *live, uint32_t from, Node *e)
{
    if (e->id < from || !e->type || map_get(live, MAP_KEY(e))) return;
    map_put(live, MAP_KEY(e), live);
    for (uint32_t i = 0; i < e->nops; i++) mark(live, from, e->op[i]);
}

static void release(struct NodeTable *t, struct Node *e)
{
    e->kind = KIND_NONE;
    if (e->nops >= FREE_LISTS) return;
    e->type = t->free[e->nops];
    t->free[e->nops] = e;
}

uint32_t node_collect(Session *cx, uint32_t from, Node *const *roots, int nroots)
{
    struct NodeTable *t = table_of(cx);
    Arena *scratch = arena_new_beside(cx->arena);
    Map live = map_new(scratch);
    for (int i = 0; i < nroots; i++)
        if (roots[i]) mark(&live, from, roots[i]);
    struct Node **old = ARENA_ARRAY(scratch, struct Node *, t->used + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->nslots; i++)
        if (t->slots[i]) old[n++] = t->slots[i];
    memset(t->slots, 0, sizeof *t->slots * t->nslots);
    t->used = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct Node *e = old[i];
        if (e->id >= from && e->type && !map_get(&live, MAP_KEY(e))) {
            release(t, e);
            continue;
        }
        insert(t, e);
        t->used++;
    }
    uint32_t left = (uint32_t)live.len;
    arena_delete(scratch);
    return left;
}

enum { FEW = 8 };

// Room for n operands: the array `local` of FEW elements, or memory from the arena.
static Node **room(Session *cx, Node **local, uint32_t n)
{
    return n <= FEW ? local : ARENA_ARRAY(cx->arena, Node *, n);
}

Node *node_with_op(Session *cx, Node *e, int k, Node *op)
{
    Node *local[FEW], **ops = room(cx, local, e->nops);
    memcpy(ops, e->op, sizeof *ops * e->nops);
    ops[k] = op;
    return rebuild(cx, e, ops, e->type);
}

Node *node_map(Session *cx, Node *e, int depth, NodeVisit *visit, void *env)
{
    Node *local[FEW], **ops = room(cx, local, e->nops);
    for (uint32_t i = 0; i < e->nops; i++)
        ops[i] = visit(cx, e->op[i], depth + node_binds(e, (int)i), env);
    Node *type = e->type ? visit(cx, e->type, 0, env) : NULL;
    return rebuild(cx, e, ops, type);
}

// --- de Bruijn ---------------------------------------------------------------------------------

typedef struct {
    int by, cutoff;    // for node_shift
    Node *const *args; // for node_instantiate
    int n;
    Map memo; // (node, depth) -> result
} Subst;

static uint64_t memo_key(Node *e, int depth)
{
    return (uint64_t)e->id << 20 | (uint64_t)(depth & 0xfffff);
}

static Node *var_with_index(Session *cx, Node *var, int64_t index)
{
    NodeSpec s = node_spec(var);
    s.attr.i = index;
    return node_make(cx, &s);
}

static Node *shift_visit(Session *cx, Node *e, int depth, void *env)
{
    Subst *s = env;
    if (e->loose <= (uint32_t)(depth + s->cutoff)) return e;
    if (e->kind == CORE_VAR) return var_with_index(cx, e, e->attr.i + s->by);
    Node *done = map_get(&s->memo, memo_key(e, depth));
    if (done) return done;
    done = node_map(cx, e, depth, shift_visit, s);
    map_put(&s->memo, memo_key(e, depth), (void *)(uintptr_t)done);
    return done;
}

Node *node_shift(Session *cx, Node *e, int by, int cutoff)
{
    if (by == 0 || e->loose <= (uint32_t)cutoff) return e;
    Arena *scratch = arena_new_beside(cx->arena);
    Subst s = {.by = by, .cutoff = cutoff, .memo = map_new(scratch)};
    Node *done = shift_visit(cx, e, 0, &s);
    arena_delete(scratch);
    return done;
}

static Node *instantiate_visit(Session *cx, Node *e, int depth, void *env)
{
    Subst *s = env;
    if (e->loose <= (uint32_t)depth) return e;
    Node *done = map_get(&s->memo, memo_key(e, depth));
    if (done) return done;
    if (e->kind != CORE_VAR)
        done = node_map(cx, e, depth, instantiate_visit, s);
    else if (e->attr.i - depth < s->n)
        done = node_shift(cx, s->args[s->n - 1 - (e->attr.i - depth)], depth, 0);
    else
        done = var_with_index(cx, e, e->attr.i - s->n);
    map_put(&s->memo, memo_key(e, depth), (void *)(uintptr_t)done);
    return done;
}

Node *node_instantiate(Session *cx, Node *body, Node *const *args, int n)
{
    if (n == 0 || body->loose == 0) return body;
    Arena *scratch = arena_new_beside(cx->arena);
    Subst s = {.args = args, .n = n, .memo = map_new(scratch)};
    Node *done = instantiate_visit(cx, body, 0, &s);
    arena_delete(scratch);
    return done;
}

// --- named variables ---------------------------------------------------------------------------

typedef struct {
    const NodeBinding *with;
    int n;
    Map memo;
} Replace;

static Node *replace_visit(Session *cx, Node *e, int depth, void *env)
{
    (void)depth;
    Replace *r = env;
    if (e->kind == NAT_VAR || e->kind == TYPE_VAR) {
        for (int i = 0; i < r->n; i++)
            if (r->with[i].name == e->attr.sym) return r->with[i].value;
        return e;
    }
    Node *done = map_get(&r->memo, MAP_KEY(e));
    if (done) return done;
    done = node_map(cx, e, 0, replace_visit, r);
    map_put(&r->memo, MAP_KEY(e), (void *)(uintptr_t)done);
    return done;
}

Node *node_replace_names(Session *cx, Node *e, const NodeBinding *with, int n)
{
    if (n == 0) return e;
    Arena *scratch = arena_new_beside(cx->arena);
    Replace r = {.with = with, .n = n, .memo = map_new(scratch)};
    Node *done = replace_visit(cx, e, 0, &r);
    arena_delete(scratch);
    return done;
}

// --- uses --------------------------------------------------------------------------------------

// Counting stops at two uses, so in a term that shares nodes, only subterms without a use could be
// visited many times. After this many visits, such subterms are recorded.
enum { WALK_FREELY = 64 };

typedef struct {
    int visited;
    Arena *arena; // NULL if nothing is recorded yet
    Map unused;   // the (node, index) pairs without a use
} Uses;

static bool known_unused(Uses *u, Node *e, int index)
{
    if (u->visited++ < WALK_FREELY) return false;
    if (!u->arena) {
        u->arena = arena_new();
        u->unused = map_new(u->arena);
    }
    return map_get(&u->unused, memo_key(e, index)) != NULL;
}

static int count_uses(Uses *u, Node *e, int index)
{
    if (e->loose <= (uint32_t)index) return 0;
    if (e->kind == CORE_VAR) return e->attr.i == index;
    if (known_unused(u, e, index)) return 0;
    int uses = 0;
    for (uint32_t i = 0; i < e->nops && uses < 2; i++)
        uses += count_uses(u, e->op[i], index + node_binds(e, (int)i));
    if (uses == 0 && u->arena) map_put(&u->unused, memo_key(e, index), u);
    return uses < 2 ? uses : 2;
}

int node_count_uses(Node *e, int index)
{
    Uses u = {0};
    int uses = count_uses(&u, e, index);
    arena_delete(u.arena);
    return uses;
}

bool node_uses(Node *e, int index)
{
    return node_count_uses(e, index) > 0;
}
