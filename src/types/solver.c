// The unknowns of one function: their kinds, their solutions, and the open equations between sizes.
#include "types/internal.h"

Solver *solver_new(Session *cx, Arena *arena)
{
    Solver *s = ARENA_NEW(arena, Solver);
    s->cx = cx;
    s->arena = arena;
    s->resolved = map_new(arena);
    s->seen = map_new(arena);
    return s;
}

static int64_t new_unknown(Solver *s, MetaKind kind)
{
    vec_push(s->arena, &s->unknowns, ((Unknown){.kind = kind}));
    return s->unknowns.len - 1;
}

Node *solver_new_type(Solver *s, MetaKind kind)
{
    return type_meta(s->cx, new_unknown(s, kind));
}

Node *solver_new_size(Solver *s)
{
    return nat_meta(s->cx, new_unknown(s, META_ANY));
}

void solver_declare(Solver *s, Sym type_var, MetaKind kind)
{
    vec_push(s->arena, &s->vars, ((DeclaredVar){.name = type_var, .kind = kind}));
}

void unknown_solve(Solver *s, Node *meta, Node *solution)
{
    Unknown *u = &s->unknowns.at[meta->attr.i];
    u->solution = solution;
    s->watched_changes += u->watched;
    s->resolved = map_new(s->arena); // cached results may contain the unknown
}

// --- resolving ---------------------------------------------------------------------------------

// Whether a node contains unknowns never changes, so the answer is cached forever. A node with
// unknowns maps to itself, any other to the solver.
static bool has_unknowns(Solver *s, Node *e)
{
    const void *seen = map_get(&s->seen, MAP_KEY(e));
    if (seen) return seen == e;
    bool with =
        e->kind == TYPE_META || e->kind == NAT_META || (e->type && has_unknowns(s, e->type));
    for (uint32_t i = 0; !with && i < e->nops; i++) with = has_unknowns(s, e->op[i]);
    map_put(&s->seen, MAP_KEY(e), with ? (void *)(uintptr_t)e : s);
    return with;
}

static Node *resolve_visit(Session *cx, Node *e, int depth, void *env);

// Resolves the operands. A continuation whose parameter turns out to be () becomes one without
// parameters.
static Node *resolve_parts(Solver *s, Node *e)
{
    e = node_map(s->cx, e, 0, resolve_visit, s);
    bool leaves = e->kind == TYPE_FUN && type_is_continuation(e) && type_nparams(e) == 1;
    return leaves ? type_continuation(s->cx, type_param(e, 0)) : e;
}

static Node *resolve_visit(Session *cx, Node *e, int depth, void *env)
{
    (void)depth;
    Solver *s = env;
    if (!has_unknowns(s, e)) return e;
    Node *done = map_get(&s->resolved, MAP_KEY(e));
    if (done) return done;
    bool unknown = e->kind == TYPE_META || e->kind == NAT_META;
    Node *solution = unknown ? s->unknowns.at[e->attr.i].solution : NULL;
    if (solution) {
        done = resolve_visit(cx, solution, 0, s);
        s->unknowns.at[e->attr.i].solution = done;
    } else {
        done = unknown ? e : resolve_parts(s, e);
    }
    map_put(&s->resolved, MAP_KEY(e), (void *)(uintptr_t)done);
    return done;
}

Node *solver_resolve(Solver *s, Node *e)
{
    return resolve_visit(s->cx, e, 0, s);
}

bool solver_is_number(Solver *s, Node *t)
{
    if (t->kind != TYPE_META) return false;
    MetaKind kind = s->unknowns.at[t->attr.i].kind;
    return kind == META_NUM || kind == META_INT || kind == META_FLOAT;
}

bool solver_is_open(Solver *s, Node *t, MetaKind *kind)
{
    if (t->kind != TYPE_META || s->unknowns.at[t->attr.i].solution) return false;
    *kind = s->unknowns.at[t->attr.i].kind;
    return true;
}

void solver_watch(Solver *s, Node *t)
{
    MetaKind kind;
    if (solver_is_open(s, t, &kind)) s->unknowns.at[t->attr.i].watched = true;
}

int solver_watched_changes(const Solver *s)
{
    return s->watched_changes;
}

bool solver_is_scalar(Solver *s, Node *t)
{
    return solver_is_number(s, t) ||
           (t->kind == TYPE_META && s->unknowns.at[t->attr.i].kind == META_SCALAR);
}

// --- kinds of unknowns -------------------------------------------------------------------------

// Sets *both to the kind of the types that satisfy both `a` and `b`. Returns false if there is no
// such kind.
static bool common_kind(MetaKind a, MetaKind b, MetaKind *both)
{
    static const int allows[] = {
        // masks of allowed types: integers 1, floats 2, bool 4, other data 8, phrase types 16
        [META_DATA] = 15, [META_NUM] = 3,    [META_INT] = 1,
        [META_FLOAT] = 2, [META_SCALAR] = 7, [META_ANY] = 31,
    };
    int wanted = allows[a] & allows[b];
    for (int kind = META_DATA; kind <= META_ANY; kind++) {
        if (allows[kind] != wanted) continue;
        *both = (MetaKind)kind;
        return true;
    }
    return false;
}

static MetaKind declared_kind(Solver *s, Sym name)
{
    for (int i = 0; i < s->vars.len; i++)
        if (s->vars.at[i].name == name) return s->vars.at[i].kind;
    return META_DATA;
}

static bool satisfies(Node *t, MetaKind kind)
{
    switch (kind) {
    case META_ANY: return true;
    case META_DATA: return type_is_data(t);
    case META_NUM: return type_is_number(t);
    case META_INT: return type_is_integer(t);
    case META_FLOAT: return type_is_float(t);
    case META_SCALAR: return t->kind == TYPE_SCALAR;
    }
    return false;
}

// Checks that `t` is a data type, and restricts the unknowns inside it to data types.
static bool require_parts(Solver *s, Node *t)
{
    if (!type_is_data(t)) return false;
    for (uint32_t i = t->kind == TYPE_ARRAY; i < t->nops; i++)
        if (t->op[i]->kind != TYPE_IDX && !solver_require(s, t->op[i], META_DATA)) return false;
    return true;
}

bool solver_require(Solver *s, Node *t, MetaKind kind)
{
    MetaKind both;
    t = solver_resolve(s, t);
    switch (t->kind) {
    case TYPE_ERROR: return true;
    case TYPE_META:
        if (!common_kind(s->unknowns.at[t->attr.i].kind, kind, &both)) return false;
        if (both != s->unknowns.at[t->attr.i].kind)
            s->watched_changes += s->unknowns.at[t->attr.i].watched;
        s->unknowns.at[t->attr.i].kind = both;
        return true;
    case TYPE_VAR: {
        MetaKind declared = declared_kind(s, t->attr.sym);
        return common_kind(declared, kind, &both) && both == declared;
    }
    case TYPE_ARRAY:
    case TYPE_TUPLE:
    case TYPE_STRUCT:
        if (kind == META_DATA) return require_parts(s, t);
        return kind == META_ANY;
    case TYPE_VEC: // the code that builds a vector type restricts its elements
        return kind == META_DATA || kind == META_ANY;
    default: return satisfies(t, kind);
    }
}

void solver_default_numbers(Solver *s)
{
    for (int i = 0; i < s->unknowns.len; i++) {
        const Unknown *u = &s->unknowns.at[i];
        if (u->solution || u->kind == META_ANY || u->kind == META_DATA || u->kind == META_SCALAR)
            continue;
        Scalar scalar = u->kind == META_FLOAT ? SCALAR_F32 : SCALAR_I32;
        unknown_solve(s, type_meta(s->cx, i), type_scalar(s->cx, scalar));
    }
}

// --- sizes -------------------------------------------------------------------------------------

static void add_equation(Solver *s, SizeEquations *to, Node *left, Node *right, Span span)
{
    for (int i = 0; i < to->len; i++)
        if (to->at[i].left == left && to->at[i].right == right && to->at[i].span.lo == span.lo &&
            to->at[i].span.file == span.file)
            return;
    vec_push(s->arena, to, ((SizeEquation){.left = left, .right = right, .span = span}));
}

static void add_division(Solver *s, const Divides *d, Span span)
{
    int n = s->equations.len;
    add_equation(s, &s->equations, nat_mod(s->cx, d->dividend, d->divisor), nat_const(s->cx, 0),
                 span);
    if (s->equations.len == n) return;
    s->equations.at[n].whole = d->dividend;
    s->equations.at[n].part = d->divisor;
}

typedef struct {
    Node *first; // an unknown, or NULL if none was found
    bool more;   // whether there is another unknown
} Found;

static void found_atom(Node *atom, void *env)
{
    Found *f = env;
    if (atom->kind != NAT_META || atom == f->first) return;
    if (f->first)
        f->more = true;
    else
        f->first = atom;
}

static Found unknowns_of(Solver *s, Node *e)
{
    Found f = {0};
    nat_atoms(s->cx, e, found_atom, &f);
    return f;
}

// Solves the equation if its left side is a single unknown.
static bool solve_alone(Solver *s, Node *left, Node *right)
{
    if (left->kind != NAT_META || nat_occurs(right, left)) return false;
    unknown_solve(s, left, right);
    return true;
}

// Cancels terms, and moves each remaining term of left - right to the side where it is positive.
static void balance(Solver *s, Node **left, Node **right)
{
    Node *difference = nat_sub(s->cx, *left, *right), *zero = nat_const(s->cx, 0);
    Node *sides[2] = {zero, zero};
    uint32_t n = difference->kind == NAT_SUM ? difference->nops : 1;
    for (uint32_t i = 0; i < n; i++) {
        Node *term = difference->kind == NAT_SUM ? difference->op[i] : difference;
        bool negative = (term->kind == NAT_CONST || term->kind == NAT_PRODUCT) && term->attr.i < 0;
        Node **side = &sides[negative];
        *side = negative ? nat_sub(s->cx, *side, term) : nat_add(s->cx, *side, term);
    }
    *left = sides[0];
    *right = sides[1];
}

void sizes_unify(Solver *s, Node *left, Node *right, Span span)
{
    left = solver_resolve(s, left);
    right = solver_resolve(s, right);
    if (left == right || solve_alone(s, left, right) || solve_alone(s, right, left)) return;
    Node *a = left, *b = right;
    Found f = unknowns_of(s, nat_sub(s->cx, a, b));
    bool cancelled = unknowns_of(s, a).first && unknowns_of(s, b).first;
    if (cancelled) balance(s, &a, &b); // turns ?1 + n and ?1 + m into n and m
    if (a == b) return;
    if (!f.first) {
        add_equation(s, &s->equations, a, b, span);
        return;
    }
    Node *solution;
    Divides rest;
    if (f.more || !nat_solve(s->cx, a, b, f.first, &solution, &rest)) {
        add_equation(s, &s->pending, left, right, span);
        return;
    }
    unknown_solve(s, f.first, solution);
    if (rest.dividend) add_division(s, &rest, span);
}

void solver_retry(Solver *s)
{
    for (bool changed = true; changed;) {
        changed = false;
        SizeEquations old = s->pending;
        s->pending = (SizeEquations){0};
        for (int i = 0; i < old.len; i++) {
            SizeEquation e = old.at[i];
            Node *left = solver_resolve(s, e.left), *right = solver_resolve(s, e.right);
            int before = s->pending.len;
            sizes_unify(s, left, right, e.span);
            if (s->pending.len == before || left != e.left || right != e.right) changed = true;
        }
    }
}

bool solver_guess(Solver *s)
{
    for (int i = 0; i < s->pending.len; i++) {
        const SizeEquation *e = &s->pending.at[i];
        Node *left = solver_resolve(s, e->left), *right = solver_resolve(s, e->right);
        Found f = unknowns_of(s, nat_sub(s->cx, left, right));
        if (!f.first || f.more) continue;
        Node *solution = nat_guess(s->cx, left, right, f.first);
        if (!solution) continue;
        unknown_solve(s, f.first, solution);
        return true;
    }
    return false;
}

int solver_take_equations(Solver *s, SizeEquation **equations)
{
    int n = s->equations.len;
    *equations = s->equations.at;
    s->equations = (SizeEquations){0};
    return n;
}

int solver_pending(Solver *s, SizeEquation **equations)
{
    *equations = s->pending.at;
    return s->pending.len;
}
