// Stores delayed arrays that read other delayed arrays and would cost too much. If each level reads
// several elements of the level below, the work for an element and the size of its code grow
// exponentially with the number of levels. Three counts are bounded, and an array that exceeds a
// bound is stored:
//
//   computed  how many elements of map.src and generate.src one element of the term's value needs.
//             Each read in the program counts, since each becomes code of its own
//   copies    how many copies of the code of delayed arrays the branches contain. An array that
//             both branches read is delayed, since only one of them runs, but its code is in both.
//             So each array in a chain of such arrays doubles the copies of the first one
//   parts     how many concatenated arrays a read of one element chooses among
#include "memory_policy/internal.h"

enum { MOST_COMPUTED = 100, MOST_COPIES = 1000, MOST_PARTS = 100 };

/// A term with its counts.
typedef struct {
    Node *term;
    double computed, copies, parts;
} Counted;

/// A variable in scope, with the counts of one of its elements.
typedef struct {
    Link link;
    Counted element;
    int id;
} Bound;

typedef struct {
    Lower *l;
    Map seen; // scalar term and scope -> Counted
    int scopes;
} Recompute;

static Counted count(Recompute *r, Node *e, const Bound *scope);

static const Bound *bind(Recompute *r, const Bound *outer, Counted element)
{
    Bound *b = ARENA_NEW(r->l->arena, Bound);
    *b = (Bound){link_before(outer ? &outer->link : NULL), element, ++r->scopes};
    return b;
}

static Counted count_variable(Node *e, const Bound *scope)
{
    const Bound *var = (const Bound *)link_at(scope ? &scope->link : NULL, e->attr.i);
    Counted c = var ? var->element : (Counted){0};
    c.term = e;
    return c;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

// Adds up the counts of the operands. The copies of two operands add up only if these are the two
// branches of an `if`.
static Counted count_operands(Recompute *r, Node *e, const Bound *scope)
{
    Node **ops = ARENA_ARRAY(r->l->arena, Node *, e->nops + 1);
    Counted sum = {0};
    for (uint32_t k = 0; k < e->nops; k++) {
        Sort sort = kind_sort((Kind)e->kind, (int)k);
        const Bound *inside = scope;
        ops[k] = e->op[k];
        if (sort != SORT_TERM && sort != SORT_FUN) continue;
        for (int i = node_binds(e, (int)k); i > 0; i--) inside = bind(r, inside, (Counted){0});
        Counted x = count(r, e->op[k], inside);
        ops[k] = x.term;
        sum.computed += x.computed;
        bool branches = e->kind == CORE_IF && k == 2;
        sum.copies = branches ? sum.copies + x.copies : larger(sum.copies, x.copies);
        sum.parts += x.parts;
    }
    sum.parts += e->kind == VIEW_CONCAT;
    sum.term = node_with_ops(r->l->cx, e, ops);
    return sum;
}

// Whether the array is delayed, or may be.
static bool is_delayed(Node *e)
{
    return (e->kind == CORE_MAP || e->kind == CORE_GENERATE) &&
           (e->variant == VARIANT_SRC || e->variant == VARIANT_ANY) && type_has_array(e->type);
}

static Node *store(Recompute *r, Node *e, const char *why)
{
    Node *value = node_with_variant(r->l->cx, e, VARIANT_ANY);
    Node *stored = node_make(
        r->l->cx,
        &(NodeSpec){
            .kind = CORE_TO_MEM, .type = e->type, .nops = 1, .ops = &value, .origin = e->origin});
    map_put(&r->l->recomputed, MAP_KEY(stored), (void *)(uintptr_t)why);
    return stored;
}

// Counts a map or generate.
static Counted count_pattern(Recompute *r, Node *e, const Bound *scope)
{
    uint32_t last = e->nops - 1;
    bool map = e->kind == CORE_MAP;
    Counted xs = map ? count(r, e->op[1], scope) : (Counted){0};
    Node *lam = e->op[map ? 0 : last], *ops[3] = {e->op[0], e->op[last], NULL};
    bool rows = map && type_has_array(type_param(lam->type, 0));
    const Bound *inside = bind(r, scope, rows ? xs : (Counted){0});
    Counted body = count(r, lam->op[0], inside);
    ops[map ? 0 : last] = node_with_op(r->l->cx, lam, 0, body.term);
    if (map) ops[1] = xs.term;
    Counted c = {.term = node_with_ops(r->l->cx, e, ops)};
    if (e->variant == VARIANT_SRC) c.computed = 1 + body.computed + (rows ? 0 : xs.computed);
    c.copies = 1 + larger(body.copies, rows ? 0 : xs.copies);
    c.parts = body.parts + (rows ? 0 : xs.parts);
    const char *why = c.computed > MOST_COMPUTED ? "computing an element where it is read would "
                                                   "compute hundreds of other elements each time"
                      : c.copies > MOST_COPIES
                          ? "branches that read it would contain hundreds of copies of its code"
                          : NULL;
    return why ? (Counted){.term = store(r, c.term, why)} : c;
}

// Counts a let chain in a loop instead of by recursion, since programs may be long.
static Counted count_lets(Recompute *r, Node *e, const Bound *scope)
{
    VEC(Node *) lets = {0};
    VEC(Node *) values = {0};
    double computed = 0, copies = 0;
    for (; e->kind == CORE_LET; e = e->op[1]) {
        Counted v = count(r, e->op[0], scope);
        bool array = type_has_array(e->op[0]->type);
        if (!array) {
            computed += v.computed;
            copies = larger(copies, v.copies);
        }
        bool given = e->op[0]->variant != VARIANT_ANY || lower_is_explicit(r->l);
        if (array && v.parts > MOST_PARTS && !given)
            v = (Counted){
                .term = store(r, v.term,
                              "reading an element would select among more than a hundred parts")};
        scope = bind(r, scope, array ? v : (Counted){0});
        vec_push(r->l->arena, &lets, e);
        vec_push(r->l->arena, &values, v.term);
    }
    Counted body = count(r, e, scope);
    for (int i = lets.len - 1; i >= 0; i--)
        body.term = node_with_ops(r->l->cx, lets.at[i], (Node *[]){values.at[i], body.term});
    body.computed += computed;
    body.copies = larger(body.copies, copies);
    return body;
}

static Counted count_kind(Recompute *r, Node *e, const Bound *scope)
{
    if (e->kind == CORE_VAR) return count_variable(e, scope);
    if (e->kind == CORE_LET) return count_lets(r, e, scope);
    if (is_delayed(e)) return count_pattern(r, e, scope);
    Counted c = count_operands(r, e, scope);
    bool view = kind_is_view((Kind)e->kind);
    bool path = e->kind == CORE_INDEX || e->kind == CORE_PROJ || e->kind == CORE_TUPLE;
    // the policy stores any other array, so reading an element computes nothing
    if (type_has_array(e->type) && !view && !path && e->kind != CORE_LAM)
        c.computed = c.copies = c.parts = 0;
    return c;
}

// Counts a term. A scalar that occurs again in its scope is not computed again, but its code is
// copied again, since the other use may be in another branch.
static Counted count(Recompute *r, Node *e, const Bound *scope)
{
    if (e->nops == 0 && e->kind != CORE_VAR) return (Counted){.term = e};
    bool once = !type_has_array(e->type) && e->kind != CORE_LAM && e->kind != CORE_VAR;
    uint64_t key = (uint64_t)e->id << 32 | (uint32_t)(scope ? scope->id : 0);
    const Counted *before = once ? map_get(&r->seen, key) : NULL;
    if (before) return (Counted){.term = before->term, .copies = before->copies};
    Counted c = count_kind(r, e, scope);
    if (once) {
        Counted *kept = ARENA_NEW(r->l->arena, Counted);
        *kept = c;
        map_put(&r->seen, key, kept);
    }
    return c;
}

Node *lower_store_recomputed(Lower *l, Node *body)
{
    Recompute r = {.l = l, .seen = map_new(l->arena)};
    return count(&r, body, NULL).term;
}
