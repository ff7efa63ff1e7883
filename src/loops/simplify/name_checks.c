// Names common subexpressions of checks before a loop. A check that was hoisted out of a loop
// computes positions for the first and the last index. The checks of neighbouring accesses repeat
// these expressions, and locals further down may hold their values as well.
//
//   if (k*c + m*3 < 0 || k*c + m*3 >= n ..)          at = k*c + m*3
//   if (k*c + m*3 + 1 < 0 || ..)            becomes  if (at < 0 || at >= n ..)
//   at = k*c + m*3                                   if (at + 1 < 0 || ..)
//
// The longest expression is named first (common subexpression elimination; Muchnick, 13.1), and
// the name replaces it in the rest of the block. Its operands never change and it cannot fail, so
// it may be computed at any time.
#include "loops/simplify/simplify.h"

enum {
    OFTEN = 3,        // how often an expression must occur to get a name
    MOST_NAMES = 64,  // per function
    MAX_WEIGHT = 2000 // heavier groups of adjacent checks are not searched
};

typedef struct {
    Session *cx;
    Map changed;
    int names; // number of names given so far
    // for the current group of adjacent checks
    Map counts; // expression -> how often it occurs
    Node *best;
    int weight; // weight of `best`
} Names;

// --- candidates ---------------------------------------------------------------------------------

static bool is_changed(const Names *n, Sym name)
{
    return map_get(&n->changed, MAP_KEY(name)) != NULL;
}

// The weight of a size, or 0 if it may fail or contains a name that changes.
static int weight_of_size(const Names *n, Node *size)
{
    int weight = 1;
    if (size->kind == NAT_VAR) return !is_changed(n, size->attr.sym);
    if (size->kind == NAT_CONST) return 1;
    if (size->kind != NAT_SUM && size->kind != NAT_PRODUCT) return 0;
    for (uint32_t i = 0; i < size->nops; i++) {
        int part = weight_of_size(n, size->op[i]);
        if (part == 0) return 0;
        weight += part;
    }
    return weight;
}

static bool is_arithmetic(Node *e)
{
    Scalar s;
    if (e->kind != CORE_PRIM || !type_is_scalar(e->type, &s)) return false;
    bool integer = scalar_info[s].class == CLASS_INT || scalar_info[s].class == CLASS_UINT;
    return integer && e->attr.i != PRIM_DIV && e->attr.i != PRIM_REM;
}

static void count(Names *n, Node *e, int weight)
{
    uintptr_t times = (uintptr_t)map_get(&n->counts, MAP_KEY(e)) + 1;
    map_put(&n->counts, MAP_KEY(e), (void *)times);
    if (times < OFTEN || weight <= n->weight) return;
    n->best = e;
    n->weight = weight;
}

// The weight of an expression, or 0 if neither it nor an enclosing expression can have a name.
static int weight_of(Names *n, Node *e)
{
    if (e->kind == CORE_LIT) return 1;
    if (e->kind == LOOP_VAR) return !is_changed(n, e->attr.sym);
    if (e->kind == CORE_NAT) return weight_of_size(n, e->op[0]);
    int weight = 1;
    bool steady = e->kind == CORE_CAST || is_arithmetic(e);
    for (uint32_t i = 0; i < e->nops; i++) {
        if (node_is_size_or_type(e->op[i])) continue;
        int part = weight_of(n, e->op[i]);
        steady &= part > 0;
        weight += part;
    }
    if (steady && is_arithmetic(e)) count(n, e, weight);
    return steady ? weight : 0;
}

// --- naming -------------------------------------------------------------------------------------

typedef struct {
    Node *from, *to;
} Replacing;

static Node *replaced(Session *cx, Node *e, void *env)
{
    const Replacing *r = env;
    (void)cx;
    return e == r->from ? r->to : e;
}

// The longest expression that occurs several times in these checks, or NULL.
static Node *repeated(Names *n, Node *const *checks, int count_of)
{
    n->counts = map_new(n->cx->arena);
    n->best = NULL;
    n->weight = 0;
    int weight = 0;
    for (int i = 0; i < count_of && weight < MAX_WEIGHT; i++)
        weight += loops_weight(checks[i], MAX_WEIGHT);
    for (int i = 0; i < count_of && weight < MAX_WEIGHT; i++) (void)weight_of(n, checks[i]->op[0]);
    return n->best;
}

static int checks_from(Node *const *stmts, int from, int n)
{
    int end = from;
    while (end < n && stmts[end]->kind == LOOP_CHECK) end++;
    return end - from;
}

// Returns a declaration of this value, to be inserted before the checks. A declaration further down
// in the block is moved if there is one; otherwise, a new one is created.
static Node *declaration(Names *n, Node *value, Node **stmts, int from, int all)
{
    Session *cx = n->cx;
    for (int i = from; i < all; i++) {
        Node *decl = stmts[i];
        if (decl->kind != LOOP_DECL || decl->op[1] != value || is_changed(n, decl->attr.sym))
            continue;
        stmts[i] = loops_block(cx, 0, NULL);
        return decl;
    }
    return loops_decl(cx, sym_fresh(cx->syms, "at"), value->type, value, NO_SPAN);
}

// Inserts the declaration after those of its operands and before those that contain its value.
static void insert(Session *cx, Stmts *decls, Node *decl, Replacing *r)
{
    int place = decls->len;
    while (place > 0 && !loops_uses(cx, decl, decls->at[place - 1]->attr.sym)) place--;
    vec_push(cx->arena, decls, decl);
    for (int i = decls->len - 1; i > place; i--)
        decls->at[i] = node_rewrite(cx, decls->at[i - 1], replaced, r);
    decls->at[place] = decl;
}

// Adds to `out` declarations for the adjacent checks that begin at index `from`, and substitutes
// the declared names in the rest of the block.
static void name_checks(Names *n, Node **stmts, int from, int all, Stmts *out)
{
    Session *cx = n->cx;
    Stmts decls = {0};
    int checks = checks_from(stmts, from, all);
    Node *found;
    while (n->names < MOST_NAMES && (found = repeated(n, &stmts[from], checks))) {
        Node *decl = declaration(n, found, stmts, from + checks, all);
        Replacing r = {found, loops_unchanging(cx, decl->attr.sym, found->type)};
        for (int i = from; i < all; i++) stmts[i] = node_rewrite(cx, stmts[i], replaced, &r);
        insert(cx, &decls, decl, &r);
        n->names++;
    }
    for (int i = 0; i < decls.len; i++) vec_push(cx->arena, out, decls.at[i]);
}

static Node *named(void *env, Node *s)
{
    Names *n = env;
    Session *cx = n->cx;
    if (s->kind != LOOP_BLOCK) return loops_map(cx, s, named, n);
    int all = (int)s->nops;
    Node **stmts = ARENA_ARRAY(cx->arena, Node *, all + 1);
    Stmts out = {0};
    for (int i = 0; i < all; i++) stmts[i] = s->op[i];
    for (int i = 0; i < all; i++) {
        bool first = i == 0 || stmts[i - 1]->kind != LOOP_CHECK;
        if (first && stmts[i]->kind == LOOP_CHECK) name_checks(n, stmts, i, all, &out);
        vec_push(cx->arena, &out, named(n, stmts[i]));
    }
    return loops_block(cx, out.len, out.at);
}

Node *loops_name_checks(Session *cx, Node *body)
{
    Names n = {.cx = cx, .changed = map_new(cx->arena)};
    loops_changed(body, &n.changed);
    return named(&n, body);
}
