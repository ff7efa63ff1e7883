// Matching the left side of a rule with a term.
//
// Both are walked together, so that a variable that the left side binds has the same index on both sides: those below `depth`.
// Greater indices are the rule's parameters on the left and the surroundings of the term on the right.
#include "schedule/internal.h"

static bool miss(Match *m, MissCause cause, const char *why)
{
    m->miss = (Miss){cause, why};
    return false;
}

// --- sizes and types ----------------------------------------------------------------------------

static NodeBinding *generic_of(const Match *m, Sym name)
{
    for (int i = 0; i < m->rule->generics.len; i++)
        if (m->generics[i].name == name) return &m->generics[i];
    return NULL;
}

typedef struct {
    const Match *m;
    bool unknown;
} Known;

static void see_atom(Node *atom, void *env)
{
    Known *k = env;
    const NodeBinding *g = atom->kind == NAT_VAR ? generic_of(k->m, atom->attr.sym) : NULL;
    k->unknown |= g && !g->value;
}

static bool has_unknown(const Match *m, Node *e)
{
    Known k = {m, false};
    if (kind_info[e->kind].levels & LEVEL_NAT) {
        nat_atoms(m->cx, e, see_atom, &k);
        return k.unknown;
    }
    const NodeBinding *g = e->kind == TYPE_VAR ? generic_of(m, e->attr.sym) : NULL;
    if (g && !g->value) return true;
    for (uint32_t i = 0; i < e->nops; i++)
        if (has_unknown(m, e->op[i])) return true;
    return false;
}

Node *match_replace(const Match *m, Node *generic)
{
    if (has_unknown(m, generic)) return NULL;
    return node_replace_names(m->cx, generic, m->generics, m->rule->generics.len);
}

// A plain name is what stands there; the rest is compared when all names are known.
static bool match_size(Match *m, Node *p, Node *s)
{
    NodeBinding *g = p->kind == NAT_VAR ? generic_of(m, p->attr.sym) : NULL;
    if (g && !g->value) {
        g->value = s;
        return true;
    }
    vec_push(m->arena, &m->sizes, p);
    vec_push(m->arena, &m->sizes, s);
    return true;
}

static bool is_size(Node *e)
{
    return (kind_info[e->kind].levels & LEVEL_NAT) != 0;
}

// Whether two types of the function are the same under what it states.
static bool agree(const Match *m, Node *a, Node *b)
{
    if (a == b) return true;
    if (is_size(a)) return is_size(b) && nat_eq(m->cx, m->facts, a, b) == TRUTH_YES;
    bool same = a->kind == b->kind && a->attr.bits == b->attr.bits && a->nops == b->nops;
    for (uint32_t i = 0; same && i < a->nops; i++) same = agree(m, a->op[i], b->op[i]);
    return same;
}

static bool wrong_type(Match *m, Node *p, Node *s)
{
    return miss(m, MISS_TYPE,
                arena_printf(m->arena, "a term of type `%s` stands where `%s` is needed",
                             type_show(m->cx, s), type_show(m->cx, p)));
}

static bool match_type(Match *m, Node *p, Node *s)
{
    if (is_size(p)) return is_size(s) && match_size(m, p, s);
    NodeBinding *g = p->kind == TYPE_VAR ? generic_of(m, p->attr.sym) : NULL;
    if (g && g->value) return agree(m, g->value, s) || wrong_type(m, g->value, s);
    if (g) {
        g->value = s;
        return true;
    }
    bool same = p->kind == s->kind && p->attr.bits == s->attr.bits && p->nops == s->nops;
    if (!same) return wrong_type(m, p, s);
    for (uint32_t i = 0; i < p->nops; i++)
        if (!match_type(m, p->op[i], s->op[i])) return false;
    return true;
}

// --- parameters ---------------------------------------------------------------------------------

static int param_of(const Match *m, Node *var, int depth)
{
    return m->rule->params.len - 1 - ((int)var->attr.i - depth);
}

static bool is_param(Node *p, int depth)
{
    return p->kind == CORE_VAR && p->attr.i >= depth;
}

static bool uses_bound(Node *e, int depth)
{
    for (int i = 0; i < depth; i++)
        if (node_uses(e, i)) return true;
    return false;
}

static const char *name_of(const Match *m, int k)
{
    return m->rule->params.at[k].name->text;
}

// The parameter is this term, which is not under variables of the left side.
static bool set_param(Match *m, int k, Node *e)
{
    if (!m->params[k]) {
        m->params[k] = e;
        return match_type(m, m->rule->params.at[k].type, e->type);
    }
    if (m->params[k] == e) return true;
    return miss(m, MISS_SHAPE, arena_printf(m->arena, "`%s` would be two things", name_of(m, k)));
}

static bool match_param(Match *m, int k, Node *e, int depth)
{
    if (uses_bound(e, depth))
        return miss(
            m, MISS_SHAPE,
            arena_printf(m->arena, "`%s` would depend on a variable bound inside", name_of(m, k)));
    return set_param(m, k, node_shift(m->cx, e, -depth, 0));
}

// --- functions of bound variables -----------------------------------------------------------------

/// Puts parameters of a new lambda in the place of bound variables, or of components of them.
typedef struct {
    Node *const *args; // the terms that they replace, distinct
    int n, depth;
    bool left; // a bound variable is left
} Abstract;

static Node *abstract(Session *cx, Node *e, int depth, void *env)
{
    Abstract *a = env;
    if (e->loose <= (uint32_t)depth) return e;
    for (int i = 0; i < a->n; i++)
        if (e == node_shift(cx, a->args[i], depth, 0))
            return core_var(cx, depth + a->n - 1 - i, e->type);
    if (e->kind != CORE_VAR) return node_map(cx, e, depth, abstract, a);
    int index = (int)e->attr.i;
    if (index < depth) return e;
    if (index < depth + a->depth) {
        a->left = true;
        return e;
    }
    return core_var(cx, index - a->depth + a->n, e->type);
}

// |args| e, where e is under `depth` bound variables of which only args occur; NULL when others do.
static Node *lambda_over(Session *cx, Arena *arena, Node *const *args, int n, Node *e, int depth)
{
    Abstract a = {args, n, depth, false};
    Node *body = abstract(cx, e, 0, &a);
    if (a.left) return NULL;
    Node **types = ARENA_ARRAY(arena, Node *, n + 1);
    Sym *names = ARENA_ARRAY(arena, Sym, n + 1);
    for (int i = 0; i < n; i++) {
        types[i] = args[i]->type;
        names[i] = session_sym(cx, n > 1 ? arena_printf(arena, "x%d", i) : "x");
    }
    return core_lam(cx, n, types, names, body);
}

static bool is_bound_variable(Node *e, int depth)
{
    while (e->kind == CORE_PROJ) e = e->op[0];
    return e->kind == CORE_VAR && e->attr.i < depth;
}

// A variable that the left side binds, or a component of one, with the type that it has in the term.
static Node *as_in_term(Match *m, Node *arg)
{
    if (arg->kind == CORE_VAR)
        return core_var(m->cx, (int)arg->attr.i, m->bound.at[m->bound.len - 1 - (int)arg->attr.i]);
    Node *of = as_in_term(m, arg->op[0]);
    bool has = of && of->type->kind == TYPE_TUPLE && arg->attr.i < (int64_t)of->type->nops;
    return has ? core_proj(m->cx, of, (int)arg->attr.i) : NULL;
}

static bool match_at(Match *m, Node *p, Node *s, int depth);

// f(x, y): any term in x and y.
static bool match_miller(Match *m, int k, Node *p, Node *s, int depth)
{
    int n = (int)p->nops - 1;
    Node **args = ARENA_ARRAY(m->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) {
        args[i] = as_in_term(m, p->op[i + 1]);
        if (!args[i]) return miss(m, MISS_TYPE, "the elements are no tuples");
    }
    Node *lam = lambda_over(m->cx, m->arena, args, n, s, depth);
    if (!lam)
        return miss(m, MISS_SHAPE,
                    arena_printf(m->arena, "`%s` would depend on more variables than it is given",
                                 name_of(m, k)));
    return set_param(m, k, lam);
}

// The operand that alone depends on bound variables; -1 when it is not one.
static int dependent_operand(Node *e, int depth)
{
    int found = -1;
    for (uint32_t i = 0; i < e->nops; i++) {
        Sort sort = kind_sort((Kind)e->kind, (int)i);
        if (sort != SORT_TERM && sort != SORT_FUN) continue;
        int under = node_binds(e, (int)i);
        bool uses = false;
        for (int v = 0; v < depth && !uses; v++) uses = node_uses(e->op[i], v + under);
        if (!uses) continue;
        if (found >= 0 || sort == SORT_FUN || under) return -1;
        found = (int)i;
    }
    return found;
}

// f(g(x)): f is the term around the operand that depends on x (or what is behind a let), the argument is matched with that.
static bool match_around(Match *m, int k, Node *p, Node *s, int depth)
{
    int at = dependent_operand(s, depth);
    if (at < 0)
        return miss(
            m, MISS_SHAPE,
            arena_printf(m->arena, "no single operand can be split off for `%s`", name_of(m, k)));
    Node *hole = core_var(m->cx, 0, s->op[at]->type);
    Node **ops = ARENA_ARRAY(m->arena, Node *, s->nops);
    for (uint32_t i = 0; i < s->nops; i++) {
        bool term = kind_sort((Kind)s->kind, (int)i) == SORT_TERM ||
                    kind_sort((Kind)s->kind, (int)i) == SORT_FUN;
        ops[i] = term ? node_shift(m->cx, s->op[i], 1 - depth, node_binds(s, (int)i)) : s->op[i];
    }
    ops[at] = hole;
    Node *body = node_with_ops(m->cx, s, ops);
    Sym name = session_sym(m->cx, "x");
    return match_at(m, p->op[1], s->op[at], depth) &&
           set_param(m, k, core_lam(m->cx, 1, (Node *[]){hole->type}, &name, body));
}

static bool match_application(Match *m, Node *p, Node *s, int depth)
{
    int k = param_of(m, p->op[0], depth);
    bool variables = true;
    for (uint32_t i = 1; i < p->nops; i++) variables &= is_bound_variable(p->op[i], depth);
    if (m->params[k]) {
        Node *lam = node_shift(m->cx, m->params[k], depth, 0);
        Node **args = ARENA_ARRAY(m->arena, Node *, p->nops);
        for (uint32_t i = 1; i < p->nops && variables; i++) {
            args[i - 1] = as_in_term(m, p->op[i]);
            variables = args[i - 1] != NULL;
        }
        if (variables && apply_lambda(m->cx, lam, args, (int)p->nops - 1) == s) return true;
        return miss(m, MISS_SHAPE,
                    arena_printf(m->arena, "`%s` would be two things", name_of(m, k)));
    }
    if (variables) return match_miller(m, k, p, s, depth);
    if (p->nops == 2) return match_around(m, k, p, s, depth);
    return miss(m, MISS_SHAPE, "the left side applies a function to more than variables");
}

// --- terms --------------------------------------------------------------------------------------

// Operand i, with the types of the variables that the term binds over it.
static bool match_under(Match *m, Node *p, Node *s, int i, int depth)
{
    int n = node_binds(p, i), outside = m->bound.len;
    for (int k = 0; k < n; k++) {
        Node *type = s->kind == CORE_LAM ? s->type->op[k] : s->op[0]->type;
        vec_push(m->arena, &m->bound, type);
    }
    bool good = match_at(m, p->op[i], s->op[i], depth + n);
    m->bound.len = outside;
    return good;
}

static bool match_operands(Match *m, Node *p, Node *s, int depth)
{
    for (uint32_t i = 0; i < p->nops; i++) {
        bool good = false;
        switch (kind_sort((Kind)p->kind, (int)i)) {
        case SORT_SIZE: good = match_size(m, p->op[i], s->op[i]); break;
        case SORT_TYPE:
        case SORT_GENERIC: good = match_type(m, p->op[i], s->op[i]); break;
        case SORT_TERM:
        case SORT_FUN:
        case SORT_ACCEPTOR: good = match_under(m, p, s, (int)i, depth); break;
        }
        if (!good) return false;
    }
    return true;
}

static bool match_at(Match *m, Node *p, Node *s, int depth)
{
    if (is_param(p, depth)) return match_param(m, param_of(m, p, depth), s, depth);
    if (p->kind == CORE_APP && is_param(p->op[0], depth)) return match_application(m, p, s, depth);
    bool same = p->kind == s->kind && p->variant == s->variant && p->nops == s->nops;
    if (same && kind_info[p->kind].attr != ATTR_NONE) same = p->attr.bits == s->attr.bits;
    same &= p->kind != CORE_LABEL; // its variable has a type of its own
    if (!same)
        return miss(m, depth == 0 && p == m->rule->left ? MISS_HEAD : MISS_SHAPE,
                    arena_printf(m->arena, "`%s` stands where the rule has `%s`",
                                 kind_info[s->kind].text, kind_info[p->kind].text));
    if (p->nops == 0 && p->kind != CORE_VAR && !match_type(m, p->type, s->type)) return false;
    if ((p->kind == CORE_CAST || p->kind == CORE_TO_IDX) && !match_type(m, p->type, s->type))
        return false;
    return match_operands(m, p, s, depth);
}

bool match_term(Match *m, Node *e)
{
    return match_at(m, m->rule->left, e, 0);
}
