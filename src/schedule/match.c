// Matches a term against the left side of a rule.
//
// The two are traversed together, so a variable that the left side binds has the same index in
// both, which is below `depth`. All other indices stand for parameters of the rule in the left
// side, and for variables in scope in the term.
#include "schedule/internal.h"

bool match_miss(Match *m, MissCause cause, const char *format, ...)
{
    m->miss = (Miss){cause, NULL};
    if (!m->words || cause <= MISS_HEAD) return false;
    va_list args;
    va_start(args, format);
    m->miss.why = arena_vprintf(m->words, format, args);
    va_end(args);
    return false;
}

// Pairs of terms known to be equal, remembered because a term may occur often in another term.
typedef struct {
    Arena *arena;
    Map known; // allocated on demand
} Same;

static bool same_nodes(Same *s, Node *a, Node *b)
{
    if (a == b) return true;
    bool same = a->kind == b->kind && a->variant == b->variant && a->nops == b->nops &&
                a->loose == b->loose && a->type && a->type == b->type;
    if (same && kind_info[a->kind].attr != ATTR_NONE) same = a->attr.bits == b->attr.bits;
    if (!same || a->nops == 0) return same;
    uint64_t pair = (uint64_t)a->id << 32 | b->id; // not 0, since the two nodes differ
    if (!s->known.arena) s->known = map_new(s->arena);
    if (map_get(&s->known, pair)) return true;
    for (uint32_t i = 0; same && i < a->nops; i++) same = same_nodes(s, a->op[i], b->op[i]);
    if (same) map_put(&s->known, pair, s);
    return same;
}

bool term_equal(Arena *arena, Node *a, Node *b)
{
    Same s = {.arena = arena};
    return same_nodes(&s, a, b);
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

// Binds `p` to `s` if `p` is a plain name without a value. Other sizes are compared once all names
// are known.
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

// Whether two types are equal under the conditions of the function.
static bool agree(const Match *m, Node *a, Node *b)
{
    if (a == b) return true;
    if (is_size(a)) return is_size(b) && nat_eq(m->cx, m->facts, a, b) == TRUTH_YES;
    bool same = a->kind == b->kind && a->attr.bits == b->attr.bits && a->nops == b->nops;
    for (uint32_t i = 0; same && i < a->nops; i++) same = agree(m, a->op[i], b->op[i]);
    return same;
}

// Prints a type for a message.
static const char *shown(const Match *m, Node *type)
{
    return m->words ? type_show(m->cx, type) : "";
}

static bool wrong_type(Match *m, Node *p, Node *s)
{
    return match_miss(m, MISS_TYPE, "the term has type `%s`, but the rule needs `%s`", shown(m, s),
                      shown(m, p));
}

// Whether a generic parameter of this kind may be bound to the type.
static bool is_of_kind(Node *type, const char *kind)
{
    if (strcmp(kind, "num") == 0) return type_is_number(type);
    if (strcmp(kind, "int") == 0) return type_is_integer(type);
    if (strcmp(kind, "float") == 0) return type_is_float(type);
    if (strcmp(kind, "scalar") == 0) return type->kind == TYPE_SCALAR;
    return type_is_data(type);
}

static bool match_type(Match *m, Node *p, Node *s)
{
    if (is_size(p)) return is_size(s) && match_size(m, p, s);
    NodeBinding *g = p->kind == TYPE_VAR ? generic_of(m, p->attr.sym) : NULL;
    if (g && g->value) return agree(m, g->value, s) || wrong_type(m, g->value, s);
    if (g) {
        if (!is_of_kind(s, m->rule->generics.at[g - m->generics].kind->text))
            return wrong_type(m, p, s);
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

// Whether `e` uses any of the `n` variables whose indices start at `first`.
static bool uses_one_of(Node *e, int first, int n)
{
    for (int i = 0; i < n; i++)
        if (node_uses(e, first + i)) return true;
    return false;
}

static bool uses_bound(Node *e, int depth)
{
    return uses_one_of(e, 0, depth);
}

static const char *name_of(const Match *m, int k)
{
    return m->rule->params.at[k].name->text;
}

// Binds parameter k to a term that uses no variables of the left side. If the parameter is bound
// already, compares the terms.
static bool set_param(Match *m, int k, Node *e)
{
    if (!m->params[k]) {
        m->params[k] = e;
        return match_type(m, m->rule->params.at[k].type, e->type);
    }
    if (term_equal(m->arena, m->params[k], e)) return true;
    return match_miss(m, MISS_SHAPE, "`%s` would have two different values", name_of(m, k));
}

static bool match_param(Match *m, int k, Node *e, int depth)
{
    if (uses_bound(e, depth))
        return match_miss(m, MISS_SHAPE, "`%s` would depend on a variable bound inside",
                          name_of(m, k));
    return set_param(m, k, node_shift(m->cx, e, -depth, 0));
}

// --- functions of bound variables ----------------------------------------------------------------

/// The replacement of bound variables, or components of them, with the parameters of a new lambda.
typedef struct {
    Arena *arena;
    Node *const *args; // the terms to replace, all distinct
    int n, depth;
    bool left; // a bound variable remains
} Abstract;

static Node *abstract(Session *cx, Node *e, int depth, void *env)
{
    Abstract *a = env;
    if (e->loose <= (uint32_t)depth) return e;
    for (int i = 0; i < a->n; i++)
        if (term_equal(a->arena, e, node_shift(cx, a->args[i], depth, 0)))
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

// Returns the lambda |args| e, where e is under `depth` bound variables. Returns NULL if e uses
// bound variables other than args.
static Node *lambda_over(Session *cx, Arena *arena, Node *const *args, int n, Node *e, int depth)
{
    Abstract a = {arena, args, n, depth, false};
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

// Converts `arg`, a variable bound by the left side or a component of one, to the same variable or
// component in the term, where its type may differ. Returns NULL if the variable has no such
// component there.
static Node *as_in_term(Match *m, Node *arg)
{
    if (arg->kind == CORE_VAR)
        return core_var(m->cx, (int)arg->attr.i, m->bound.at[m->bound.len - 1 - (int)arg->attr.i]);
    Node *of = as_in_term(m, arg->op[0]);
    bool has = of && of->type->kind == TYPE_TUPLE && arg->attr.i < (int64_t)of->type->nops;
    return has ? core_proj(m->cx, of, (int)arg->attr.i) : NULL;
}

static bool match_at(Match *m, Node *p, Node *s, int depth);

// Binds parameter k to |args| s, if s uses no other bound variables.
static bool set_function(Match *m, int k, Node *const *args, int n, Node *s, int depth)
{
    Node *lam = lambda_over(m->cx, m->arena, args, n, s, depth);
    if (!lam)
        return match_miss(m, MISS_SHAPE, "`%s` would depend on more variables than its parameters",
                          name_of(m, k));
    return set_param(m, k, lam);
}

// Matches f(x, y) with any term in x and y.
static bool match_miller(Match *m, int k, Node *p, Node *s, int depth)
{
    int n = (int)p->nops - 1;
    Node **args = ARENA_ARRAY(m->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) {
        args[i] = as_in_term(m, p->op[i + 1]);
        if (!args[i]) return match_miss(m, MISS_TYPE, "the elements are not tuples");
    }
    return set_function(m, k, args, n, s, depth);
}

// Returns the index of the only operand that depends on bound variables, or -1 if there is not
// exactly one.
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

// Matches f(g(x)) against s. The only operand of s that depends on x is matched against g(x), and f
// becomes the rest of s as a function of that operand.
static bool match_around(Match *m, int k, Node *p, Node *s, int depth)
{
    int at = dependent_operand(s, depth);
    if (at < 0)
        return match_miss(m, MISS_SHAPE, "no single operand can be split off for `%s`",
                          name_of(m, k));
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

// --- parts that depend only on some bound variables ---------------------------------------------

/// The search for g(y) in a term that matches f(x, g(y)). It looks for the parts of the term that
/// depend on the arguments of g and on no other bound variable.
typedef struct {
    Session *cx;
    Arena *arena;
    Node *const *args; // the arguments of g as they appear in the term
    int n, depth;
    Node *found; // the part, under `depth` bound variables; NULL if none has been found yet
    bool two;    // two different parts were found
} Parts;

typedef enum { DEPENDS_NOT, DEPENDS_ON_ARGS, DEPENDS_ON_MORE } Dependence;

// Determines how a part depends on bound variables. The part is inside `inner` binders of the term,
// and its subterm `e` is inside `own` binders of the part.
static Dependence dependence(const Parts *x, Node *e, int inner, int own)
{
    if (e->loose <= (uint32_t)own) return DEPENDS_NOT;
    for (int i = 0; i < x->n; i++)
        if (term_equal(x->arena, e, node_shift(x->cx, x->args[i], inner + own, 0)))
            return DEPENDS_ON_ARGS;
    if (e->kind == CORE_VAR)
        return e->attr.i < own + inner + x->depth ? DEPENDS_ON_MORE : DEPENDS_NOT;
    Dependence most = DEPENDS_NOT;
    for (uint32_t i = 0; i < e->nops && most < DEPENDS_ON_MORE; i++) {
        if (!e->op[i]->type) continue;
        Dependence d = dependence(x, e->op[i], inner, own + node_binds(e, (int)i));
        if (d > most) most = d;
    }
    return most;
}

// Finds the maximal parts of `e` that depend only on the arguments of g.
static void find_parts(Parts *x, Node *e, int inner)
{
    Dependence d = dependence(x, e, inner, 0);
    if (d == DEPENDS_NOT) return;
    if (d == DEPENDS_ON_ARGS && e->type->kind != TYPE_FUN) {
        Node *part = node_shift(x->cx, e, -inner, 0);
        x->two |= x->found && !term_equal(x->arena, x->found, part);
        x->found = part;
        return;
    }
    for (uint32_t i = 0; i < e->nops; i++)
        if (e->op[i]->type) find_parts(x, e->op[i], inner + node_binds(e, (int)i));
}

// Finds the part of `s` that is g(y) in f(x, g(y)). Returns NULL if no part, or more than one part,
// depends on y alone.
static Node *part_for(Match *m, Node *application, Node *s, int depth)
{
    int n = (int)application->nops - 1;
    Node **args = ARENA_ARRAY(m->arena, Node *, n + 1);
    Parts x = {m->cx, m->arena, args, n, depth, NULL, false};
    for (int i = 0; i < n; i++) {
        args[i] = as_in_term(m, application->op[i + 1]);
        if (!args[i]) return NULL;
    }
    find_parts(&x, s, 0);
    return x.two || (x.found && is_bound_variable(x.found, depth)) ? NULL : x.found;
}

static bool is_application(Node *p, int depth)
{
    bool variables = p->kind == CORE_APP && is_param(p->op[0], depth);
    for (uint32_t i = 1; i < p->nops && variables; i++)
        variables = is_bound_variable(p->op[i], depth);
    return variables;
}

// The state of the match, for backtracking.
typedef struct {
    NodeBinding *generics;
    Node **params;
    int sizes;
} Mark;

static Mark match_mark(const Match *m)
{
    int ngenerics = m->rule->generics.len, nparams = m->rule->params.len;
    Mark mark = {ARENA_ARRAY(m->arena, NodeBinding, ngenerics + 1),
                 ARENA_ARRAY(m->arena, Node *, nparams + 1), m->sizes.len};
    memcpy(mark.generics, m->generics, sizeof *mark.generics * (size_t)ngenerics);
    memcpy(mark.params, m->params, sizeof *mark.params * (size_t)nparams);
    return mark;
}

static void match_return(Match *m, const Mark *mark)
{
    memcpy(m->generics, mark->generics, sizeof *m->generics * (size_t)m->rule->generics.len);
    memcpy(m->params, mark->params, sizeof *m->params * (size_t)m->rule->params.len);
    m->sizes.len = mark->sizes;
}

// The terms found so far for the arguments of f.
typedef struct {
    Node *const *found;
    int n;
    Mark mark; // before the current search
} Arguments;

static bool is_taken(const Match *m, const Arguments *others, Node *s)
{
    for (int i = 0; i < others->n; i++)
        if (term_equal(m->arena, others->found[i], s)) return true;
    return false;
}

// Returns the first part of `s` (from the outside in) that matches `p`, depends on bound variables
// and differs from all other arguments, or NULL if there is none. The lets that enclose `s` bind
// `inner` variables, which the part does not use. The search does not enter functions.
static Node *matching_part(Match *m, const Arguments *others, Node *p, Node *s, int inner,
                           int depth)
{
    if (!uses_one_of(s, inner, depth)) return NULL;
    if (!uses_one_of(s, 0, inner)) {
        Node *part = node_shift(m->cx, s, -inner, 0);
        if (is_taken(m, others, part)) return NULL;
        if (match_at(m, p, part, depth)) return part;
        match_return(m, &others->mark);
    }
    for (uint32_t i = 0; i < s->nops; i++) {
        if (!s->op[i]->type || s->op[i]->kind == CORE_LAM) continue;
        Node *part = matching_part(m, others, p, s->op[i], inner + node_binds(s, (int)i), depth);
        if (part) return part;
    }
    return NULL;
}

// Finds the part of `s` that is the argument `arg` of f, where args[0..n) are the parts for the
// arguments before it. If there is none, returns NULL and sets m->miss to the reason.
static Node *argument_in(Match *m, Node *const *args, int n, Node *arg, Node *s, int depth)
{
    if (is_bound_variable(arg, depth)) {
        Node *variable = as_in_term(m, arg);
        if (!variable) match_miss(m, MISS_TYPE, "the elements are not tuples");
        return variable;
    }
    if (is_application(arg, depth)) {
        Node *part = part_for(m, arg, s, depth);
        if (part) return match_at(m, arg, part, depth) ? part : NULL;
        match_miss(m, MISS_SHAPE, "there is no single part that can be `%s`",
                   name_of(m, param_of(m, arg->op[0], depth)));
        return NULL;
    }
    Arguments others = {args, n, match_mark(m)};
    Node *part = matching_part(m, &others, arg, s, 0, depth);
    if (!part) match_miss(m, MISS_SHAPE, "no part of the term matches the left side");
    return part;
}

// Matches f(x, g(y), xs[i]), where f and g are parameters of the rule: finds a part of the term for
// each argument, and binds f to the term as a function of these parts.
static bool match_parts(Match *m, int k, Node *p, Node *s, int depth)
{
    int n = (int)p->nops - 1;
    Node **args = ARENA_ARRAY(m->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) {
        args[i] = argument_in(m, args, i, p->op[i + 1], s, depth);
        if (!args[i]) return false;
    }
    return set_function(m, k, args, n, s, depth);
}

static bool match_known(Match *m, int k, Node *p, Node *s, int depth)
{
    int n = (int)p->nops - 1;
    Node *lam = node_shift(m->cx, m->params[k], depth, 0);
    Node **args = ARENA_ARRAY(m->arena, Node *, n + 1);
    bool variables = true;
    for (int i = 0; i < n && variables; i++) {
        args[i] = is_bound_variable(p->op[i + 1], depth) ? as_in_term(m, p->op[i + 1]) : NULL;
        variables = args[i] != NULL;
    }
    if (variables && term_equal(m->arena, apply_lambda(m->cx, lam, args, n), s)) return true;
    return match_miss(m, MISS_SHAPE, "`%s` would have two different values", name_of(m, k));
}

static bool match_application(Match *m, Node *p, Node *s, int depth)
{
    int k = param_of(m, p->op[0], depth);
    if (m->params[k]) return match_known(m, k, p, s, depth);
    bool variables = true;
    for (uint32_t i = 1; i < p->nops; i++) variables &= is_bound_variable(p->op[i], depth);
    if (variables) return match_miller(m, k, p, s, depth);
    if (p->nops == 2 && is_application(p->op[1], depth)) return match_around(m, k, p, s, depth);
    return match_parts(m, k, p, s, depth);
}

// --- terms --------------------------------------------------------------------------------------

// Matches operand i, under the variables that the term binds for it.
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

// Matches a literal whose type is a parameter of the rule. It appears as a cast in the left side,
// and as a literal of the actual type in the term.
static bool match_literal(Match *m, Node *p, Node *s)
{
    if (!match_type(m, p->type, s->type)) return false;
    if (core_literal_of_cast(m->cx, core_cast(m->cx, p->op[0], s->type)) == s) return true;
    return match_miss(m, MISS_SHAPE, "the literal is a different one");
}

static bool match_at(Match *m, Node *p, Node *s, int depth)
{
    if (is_param(p, depth)) return match_param(m, param_of(m, p, depth), s, depth);
    if (p->kind == CORE_APP && is_param(p->op[0], depth)) return match_application(m, p, s, depth);
    if (p->kind == CORE_CAST && p->op[0]->kind == CORE_LIT && s->kind == CORE_LIT)
        return match_literal(m, p, s);
    bool same = p->kind == s->kind && p->variant == s->variant && p->nops == s->nops;
    if (same && kind_info[p->kind].attr != ATTR_NONE) same = p->attr.bits == s->attr.bits;
    same &= p->kind != CORE_LABEL; // the variable of a label has a type of its own
    if (!same)
        return match_miss(m, depth == 0 && p == m->rule->left ? MISS_HEAD : MISS_SHAPE,
                          "the program has %s where the rule has %s",
                          m->words ? term_words(m->arena, s) : "",
                          m->words ? term_words(m->arena, p) : "");
    if (p->nops == 0 && p->kind != CORE_VAR && !match_type(m, p->type, s->type)) return false;
    if ((p->kind == CORE_CAST || p->kind == CORE_TO_IDX) && !match_type(m, p->type, s->type))
        return false;
    return match_operands(m, p, s, depth);
}

bool match_term(Match *m, Node *e)
{
    return match_at(m, m->rule->left, e, 0);
}
