// Applies one rule to one term: tests the side conditions, and instantiates the right side.
#include "schedule/internal.h"
#include "views/views.h"

// --- beta ---------------------------------------------------------------------------------------

bool term_is_path(Node *e)
{
    switch (e->kind) {
    case CORE_VAR:
    case CORE_LIT:
    case CORE_NAT: return true;
    case CORE_PROJ: return term_is_path(e->op[0]);
    case CORE_INDEX: return term_is_path(e->op[0]) && term_is_path(e->op[1]);
    case CORE_TUPLE: break;
    default: {
        const ViewRow *row = view_row((Kind)e->kind);
        if (!row || row->alone || row->roles) return false;
    }
    }
    for (uint32_t i = 0; i < e->nops; i++)
        if (kind_sort((Kind)e->kind, (int)i) == SORT_TERM && !term_is_path(e->op[i])) return false;
    return true;
}

typedef enum { UNUSED, USED, USED_IN_FUNCTION } Use;

// Returns the kind of the first use of variable `index` in `e`. Terms are shared, so subterms
// without a use are remembered in `unused`.
static Use first_use(Node *e, int index, Map *unused)
{
    if (e->loose <= (uint32_t)index) return UNUSED;
    if (e->kind == CORE_VAR) return e->attr.i == index ? USED : UNUSED;
    uint64_t key = (uint64_t)e->id << 20 | (uint64_t)(index & 0xfffff);
    if (map_get(unused, key)) return UNUSED;
    for (uint32_t i = 0; i < e->nops; i++) {
        Use use = first_use(e->op[i], index + node_binds(e, (int)i), unused);
        if (use != UNUSED) return e->op[i]->kind == CORE_LAM ? USED_IN_FUNCTION : use;
    }
    map_put(unused, key, unused);
    return UNUSED;
}

// Whether variable `index` is used at most once, and not inside a function, which may run many
// times.
static bool is_linear(Node *e, int index)
{
    int uses = node_count_uses(e, index);
    if (uses != 1) return uses == 0;
    Arena *arena = arena_new();
    Map unused = map_new(arena);
    Use use = first_use(e, index, &unused);
    arena_delete(arena);
    return use == USED;
}

Node *apply_lambda(Session *cx, Node *lam, Node *const *args, int n)
{
    CHECK(cx, lam->kind == CORE_LAM && lam->attr.i == n, "%d arguments for %s", n,
          kind_info[lam->kind].text);
    Node *body = lam->op[0];
    for (int k = n - 1; k >= 0; k--) { // the last parameter is variable 0; the others shift down
        Node *arg = node_shift(cx, args[k], k, 0);
        if (term_is_path(arg) || is_linear(body, 0))
            body = node_instantiate(cx, body, &arg, 1);
        else
            body = core_let(cx, lam->names ? lam->names[k] : session_sym(cx, "x"), arg, body);
    }
    return body;
}

// --- the right side -----------------------------------------------------------------------------

static Node *component(Node *e)
{
    bool known = e->kind == CORE_PROJ && e->op[0]->kind == CORE_TUPLE;
    return known ? e->op[0]->op[e->attr.i] : e;
}

typedef struct {
    const Match *m;
    int n;
    Span origin; // the location of the replaced term, which new terms inherit
} Right;

static Node *right_term(const Right *r, Node *e, int depth);

// Substitutes the generic arguments into a size or type, whose only variables are names.
static Node *right_generic(const Right *r, Node *e)
{
    return node_replace_names(r->m->cx, e, r->m->generics, r->m->rule->generics.len);
}

static Node *right_node(const Right *r, Node *e, int depth)
{
    Node **ops = ARENA_ARRAY(r->m->arena, Node *, e->nops + 1);
    for (uint32_t i = 0; i < e->nops; i++)
        ops[i] = e->op[i]->type ? right_term(r, e->op[i], depth + node_binds(e, (int)i))
                                : right_generic(r, e->op[i]);
    return node_make(r->m->cx, &(NodeSpec){.kind = (Kind)e->kind,
                                           .variant = (Variant)e->variant,
                                           .attr = e->attr,
                                           .type = right_generic(r, e->type),
                                           .nops = (int)e->nops,
                                           .ops = ops,
                                           .names = e->names,
                                           .origin = r->origin});
}

static Node *right_term(const Right *r, Node *e, int depth)
{
    Session *cx = r->m->cx;
    if (e->kind == CORE_VAR && e->attr.i >= depth)
        return node_shift(cx, r->m->params[r->n - 1 - (e->attr.i - depth)], depth, 0);
    if (e->kind != CORE_APP) return core_literal_of_cast(cx, component(right_node(r, e, depth)));
    Node **args = ARENA_ARRAY(r->m->arena, Node *, e->nops);
    for (uint32_t i = 1; i < e->nops; i++) args[i - 1] = right_term(r, e->op[i], depth);
    if (e->op[0]->kind == CORE_GLOBAL)
        return core_app(cx, right_node(r, e->op[0], depth), (int)e->nops - 1, args);
    return apply_lambda(cx, right_term(r, e->op[0], depth), args, (int)e->nops - 1);
}

Node *apply_term(const Match *m, Span origin)
{
    Right r = {m, m->rule->params.len, origin};
    return right_term(&r, m->rule->right, 0);
}

// --- side conditions ----------------------------------------------------------------------------

// Prints a size for a message.
static const char *size_text(Match *m, Node *size)
{
    return m->words ? nat_show(m->cx, size) : "";
}

static bool sizes_agree(Match *m)
{
    for (int i = 0; i + 1 < m->sizes.len; i += 2) {
        Node *left = match_replace(m, m->sizes.at[i]), *found = m->sizes.at[i + 1];
        if (left && nat_eq(m->cx, m->facts, left, found) == TRUTH_YES) continue;
        return match_miss(m, MISS_CONDITION, "the size %s is not known to be %s",
                          size_text(m, found), size_text(m, left ? left : m->sizes.at[i]));
    }
    return true;
}

static bool is_number(Node *size)
{
    int64_t value;
    return size && nat_is_const(size, &value);
}

// Whether a condition on sizes can be evaluated. It cannot if a size divides by zero or is too
// large.
static bool has_value(const Match *m, const SizeCheck *c)
{
    Node *left = match_replace(m, c->left), *right = match_replace(m, c->right);
    return !(left && left->kind == NAT_OVERFLOW) && !(right && right->kind == NAT_OVERFLOW);
}

static const char *condition_text(Match *m, Node *left, SizeRelation relation, Node *right)
{
    static const char *const relations[] = {[SIZE_EQ] = "==", [SIZE_LE] = "<=", [SIZE_NE] = "!="};
    return m->words ? arena_printf(m->arena, "%s %s %s", size_text(m, left), relations[relation],
                                   size_text(m, right))
                    : "";
}

static bool condition_holds(Match *m, const SizeCheck *stated)
{
    SizeCheck c = *stated;
    c.left = match_replace(m, stated->left);
    c.right = match_replace(m, stated->right);
    const char *text = condition_text(m, stated->left, c.relation, stated->right);
    if (!has_value(m, stated))
        return match_miss(m, MISS_CONDITION,
                          "its condition %s divides by zero or contains sizes that are too large",
                          text);
    if (c.left && c.right && size_check_truth(m->cx, m->facts, &c) == TRUTH_YES) return true;
    const char *here = condition_text(m, c.left ? c.left : stated->left, c.relation,
                                      c.right ? c.right : stated->right);
    if (is_number(c.left) && is_number(c.right))
        return match_miss(m, MISS_CONDITION, "its condition %s does not hold: here this is %s",
                          text, here);
    return match_miss(m, MISS_CONDITION,
                      "its condition %s does not follow from the declaration of the function",
                      here);
}

// Tests the conditions that can be evaluated first. So if a number must be positive and is not, the
// error says so, rather than reporting a division by that number.
static bool conditions_hold(Match *m)
{
    for (int told = 0; told < 2; told++)
        for (int i = 0; i < m->rule->where.len; i++) {
            const SizeCheck *c = &m->rule->where.at[i];
            if (has_value(m, c) == !told && !condition_holds(m, c)) return false;
        }
    return true;
}

static bool all_known(Match *m)
{
    for (int i = 0; i < m->rule->generics.len; i++) {
        if (m->generics[i].value) continue;
        return match_miss(m, MISS_TYPE, "nothing here determines `%s`", m->generics[i].name->text);
    }
    for (int i = 0; i < m->rule->params.len; i++) {
        if (m->params[i]) continue;
        return match_miss(m, MISS_TYPE, "nothing here determines `%s`",
                          m->rule->params.at[i].name->text);
    }
    return true;
}

// Returns the number of iterations of a loop on the right side.
static Node *iterations(Node *e)
{
    bool made = e->kind == CORE_GENERATE || e->kind == CORE_MAP;
    return (made ? e->type : e->op[2]->type)->op[0];
}

// Whether every unrolled pattern has a known number of iterations; an upper bound is not enough.
static bool is_written_out(Match *m, Node *e)
{
    int64_t k;
    bool unrolled = e->variant == VARIANT_UNROLL && e->kind != CORE_RANGE;
    Node *n = unrolled ? match_replace(m, iterations(e)) : NULL;
    if (n && !nat_is_const(n, &k))
        return match_miss(m, MISS_CONDITION,
                          "it unrolls a loop, but the number of iterations, %s, is not known",
                          size_text(m, n));
    for (uint32_t i = 0; i < e->nops; i++)
        if (e->op[i]->type && !is_written_out(m, e->op[i])) return false;
    return true;
}

// --- effects ------------------------------------------------------------------------------------

// Whether a term has effects. Terms are shared, so subterms without effects are remembered.
static bool has_effects(Node *e, Map *seen)
{
    if (e->kind >= CORE_NEW && e->kind <= CORE_CALL) return true;
    if (e->nops == 0 || map_get(seen, MAP_KEY(e))) return false;
    for (uint32_t i = 0; i < e->nops; i++)
        if (has_effects(e->op[i], seen)) return true;
    map_put(seen, MAP_KEY(e), seen);
    return false;
}

// Whether evaluating the term may be noticed elsewhere.
static bool acts_outside(Node *e)
{
    switch (e->kind) {
    case CORE_SPAWN:
    case CORE_SYNC:
    case CORE_PREFETCH:
    case CORE_ASSERT:
    case CORE_PRINT:
    case CORE_CALL: return true;
    default: return false;
    }
}

// Whether a term has effects that are seen outside of it: it uses a location or a continuation that
// it did not make, prints, or calls a function. Variables of its own and loops are no such effects.
// Functions that run loops in parallel or in lanes stay where they are.
static bool has_outer_effects(Node *e, int depth, Map *seen)
{
    if (acts_outside(e)) return true;
    if (e->kind == CORE_VAR)
        return e->attr.i >= depth && (e->type->kind == TYPE_REF || e->type->kind == TYPE_FUN);
    uint64_t key = (uint64_t)e->id << 32 | (uint32_t)(e->loose ? depth : 0);
    if (e->nops == 0 || map_get(seen, key)) return false;
    for (uint32_t i = 0; i < e->nops; i++)
        if (e->op[i]->type && has_outer_effects(e->op[i], depth + node_binds(e, (int)i), seen))
            return true;
    map_put(seen, key, seen);
    return false;
}

// Whether the function that the variable stands for is only passed on as a whole, as in map(f, xs),
// map(|x| f(x), xs) or a call of a function. An effect must not become a part of another term, as
// in map(|x| g(f(x)), xs).
static bool is_passed_on(Node *e, int index)
{
    if (e->kind == CORE_VAR) return e->attr.i != index;
    for (uint32_t i = 0; i < e->nops; i++) {
        Node *part = e->op[i];
        if (!part->type) continue;
        int inside = index + node_binds(e, (int)i);
        bool passed =
            kind_sort((Kind)e->kind, (int)i) == SORT_FUN || (e->kind == CORE_APP && i > 0);
        if (part->kind == CORE_VAR && passed) continue;
        if (e->kind == CORE_LAM && part->kind == CORE_APP && part->op[0]->kind == CORE_VAR &&
            part->op[0]->attr.i == inside)
            continue;
        if (!is_passed_on(part, inside)) return false;
    }
    return true;
}

static bool is_concurrent(Node *e, void *env)
{
    (void)env;
    return e->kind == CORE_PARALLEL || e->kind == CORE_VECTORIZE;
}

// A rule may move, repeat or drop what its parameters stand for, in any order. What it has itself
// has no effects. An array or number that is computed with variables of its own may be passed to a
// function that the right side calls.
static bool is_free_of_effects(Match *m, Node *e)
{
    Map all = map_new(m->arena), outer = map_new(m->arena);
    int n = m->rule->params.len;
    if (!has_effects(e, &all)) return true;
    for (int i = 0; i < n; i++) {
        Map inside = map_new(m->arena);
        if (!has_effects(m->params[i], &inside)) continue;
        bool function = m->rule->params.at[i].type->kind == TYPE_FUN;
        bool moves = function ? is_passed_on(m->rule->right, n - 1 - i) &&
                                    !node_any(m->params[i], is_concurrent, NULL)
                              : m->rule->calls;
        if (moves && !has_outer_effects(m->params[i], 0, &outer)) continue;
        return match_miss(
            m, MISS_EFFECT,
            "the term reads or changes variables, or calls a function that is not inlined");
    }
    return true;
}

// --- in words -----------------------------------------------------------------------------------

const char *term_words(Arena *arena, Node *e)
{
    bool plain = e->variant == VARIANT_ANY;
    if (e->kind == CORE_VAR) return "a variable";
    if (e->kind == CORE_LIT) return "a number";
    if (e->kind == CORE_LAM) return "a function";
    if (e->kind == CORE_CAST) return "a conversion";
    if (e->kind == CORE_PRIM) return arena_printf(arena, "`%s`", prim_info[e->attr.i].text);
    return arena_printf(arena, "`%s%s%s`", kind_info[e->kind].text, plain ? "" : ".",
                        plain ? "" : variant_text[e->variant]);
}

// --- what may fail -------------------------------------------------------------------------------

bool term_may_fail(Node *e)
{
    if (core_fails_itself(e)) return true;
    if (e->kind >= CORE_NEW && e->kind <= CORE_CALL) return true;
    for (uint32_t i = 0; i < e->nops; i++)
        if (e->op[i]->type && term_may_fail(e->op[i])) return true;
    return false;
}

static bool pads(Node *e)
{
    if (e->kind == VIEW_PAD) return true;
    for (uint32_t i = 0; i < e->nops; i++)
        if (e->op[i]->type && pads(e->op[i])) return true;
    return false;
}

bool rule_adds_elements(const RewriteRule *rule)
{
    return pads(rule->right) && !pads(rule->left);
}

bool term_is_always_evaluated(Node *e, int index)
{
    if (e->kind == CORE_LAM) return false;
    if (e->kind == CORE_VAR) return e->attr.i == index;
    for (uint32_t i = 0; i < (e->kind == CORE_IF ? 1 : e->nops); i++)
        if (e->op[i]->type && term_is_always_evaluated(e->op[i], index + node_binds(e, (int)i)))
            return true;
    return false;
}

// Whether rewriting adds no failures. A subterm that the right side always evaluates, but the left
// side does not, must not fail, nor must a function that is applied to additional elements.
static bool fails_no_more(Match *m)
{
    int n = m->rule->params.len;
    for (int k = 0; k < n; k++) {
        int index = n - 1 - k;
        bool sooner = !term_is_always_evaluated(m->rule->left, index) &&
                      term_is_always_evaluated(m->rule->right, index);
        bool function = m->rule->params.at[k].type->kind == TYPE_FUN;
        if (!rule_adds_elements(m->rule) && (function || !sooner)) continue;
        if (!term_may_fail(m->params[k])) continue;
        return match_miss(
            m, MISS_CONDITION,
            "`%s` would be computed where it was not computed before, and it may fail",
            m->rule->params.at[k].name->text);
    }
    return true;
}

// Gives the result the type of the original term. Under the facts, the two types are equal.
static Node *with_type_of(Session *cx, Node *e, Node *old)
{
    return e->type == old->type || e->kind == CORE_VAR ? e : node_with_type(cx, e, old->type);
}

bool schedule_is_pure(Node *e)
{
    Arena *arena = arena_new();
    Map seen = map_new(arena);
    bool pure = !has_effects(e, &seen);
    arena_delete(arena);
    return pure;
}

Node *schedule_apply(Session *cx, const Facts *facts, const RewriteRule *rule,
                     const int64_t *numbers, Node *e, bool pure, Arena *words, Miss *why)
{
    Node *left = rule->left;
    *why = (Miss){MISS_HEAD, NULL};
    if (left->kind != CORE_VAR && left->kind != CORE_APP &&
        (left->kind != e->kind || left->variant != e->variant))
        return NULL;
    Arena *arena = arena_new_beside(cx->arena);
    Match m = {.cx = cx, .arena = arena, .facts = facts, .rule = rule, .words = words};
    m.generics = ARENA_ARRAY(arena, NodeBinding, rule->generics.len + 1);
    m.params = ARENA_ARRAY(arena, Node *, rule->params.len + 1);
    for (int i = 0; i < rule->generics.len; i++)
        m.generics[i] = (NodeBinding){rule->generics.at[i].name,
                                      i < rule->nnumbers ? nat_const(cx, numbers[i]) : NULL};
    bool good = match_term(&m, e) && all_known(&m) && sizes_agree(&m) &&
                (pure || is_free_of_effects(&m, e)) && fails_no_more(&m) && conditions_hold(&m) &&
                is_written_out(&m, rule->right);
    Node *right = !good         ? NULL
                  : rule->calls ? apply_staged(&m, e->origin)
                                : apply_term(&m, e->origin);
    if (right) right = with_type_of(cx, right, e);
    *why = m.miss;
    arena_delete(arena);
    return right;
}
