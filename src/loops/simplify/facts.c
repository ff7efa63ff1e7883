// Facts and their scopes. Facts are about names that never change. For locals that change, they are
// about snapshots of the locals.
#include "loops/simplify/simplify.h"

// --- scopes -------------------------------------------------------------------------------------

static void forget_memo(Simplifier *s)
{
    s->memo = map_new(s->cx->arena); // its results may be out of date
}

Scope simplifier_enter(Simplifier *s)
{
    Scope outer = {s->facts, s->memo, s->versions, s->bounds, s->known};
    s->facts = facts_new(s->cx, s->cx->arena, s->facts);
    forget_memo(s);
    return outer;
}

void simplifier_leave(Simplifier *s, Scope outer, Node *ran)
{
    s->facts = outer.facts;
    s->memo = outer.memo;
    s->versions = outer.versions;
    s->bounds = outer.bounds;
    s->known = outer.known;
    if (ran) simplifier_forget(s, ran);
}

static void add_version(Simplifier *s, Version v)
{
    Version *version = ARENA_NEW(s->cx->arena, Version);
    *version = v;
    version->outer = s->versions;
    s->versions = version;
    forget_memo(s);
}

void simplifier_forget(Simplifier *s, Node *stmt)
{
    Map changed = map_new(s->cx->arena);
    loops_changed(stmt, &changed);
    for (int i = 0; i < changed.len; i++)
        add_version(s, (Version){.local = (Sym)(uintptr_t)changed.entries[i].key});
}

// --- magnitudes ---------------------------------------------------------------------------------

static bool is_bounded(const Simplifier *s, Sym name, bool above)
{
    for (const Bound *b = s->bounds; b; b = b->outer)
        if (b->name == name && b->above == above) return true;
    return false;
}

static NameClass class_of(void *env, Sym name)
{
    const Simplifier *s = env;
    if (!map_get(&s->integers, MAP_KEY(name))) return NAME_LENGTH;
    bool above = is_bounded(s, name, true), below = is_bounded(s, name, false);
    if (above && below) return NAME_LENGTH;
    if (map_get(&s->words, MAP_KEY(name))) return NAME_WORD;
    return above ? NAME_NOT_ABOVE : below ? NAME_NOT_BELOW : NAME_INTEGER;
}

bool simplifier_is_length(Simplifier *s, Node *size)
{
    return dpia_is_length(size, class_of, s);
}

static Node *limit_of(void *env, Sym name, bool above)
{
    Simplifier *s = env;
    Node *size = map_get(&s->sizes, MAP_KEY(name));
    if (size) return above ? size : nat_const(s->cx, 0);
    Node *limit = dpia_limit_by_facts(s->cx, s->facts, name, above);
    for (const Bound *b = s->bounds; !limit && b; b = b->outer)
        if (b->name == name && b->above == above) limit = b->limit;
    return limit;
}

bool simplifier_fits(Simplifier *s, Node *size)
{
    return dpia_fits(&(SizeScope){s->cx, class_of, limit_of, s, &s->lengths}, size);
}

static void add_bound(Simplifier *s, Sym name, bool above, Node *limit)
{
    if (is_bounded(s, name, above)) return;
    Bound *b = ARENA_NEW(s->cx->arena, Bound);
    *b = (Bound){name, above, limit, s->bounds};
    s->bounds = b;
}

typedef struct {
    Simplifier *s;
    Node *size;
} Bounding;

// Adds the bounds on an atom that follow from size >= 0: -rest <= name if size = rest + name, and
// name <= rest if size = rest - name.
static void bound_atom(Node *atom, void *env)
{
    const Bounding *b = env;
    Simplifier *s = b->s;
    if (atom->kind != NAT_VAR || !map_get(&s->integers, MAP_KEY(atom->attr.sym))) return;
    Node *rests[2] = {nat_sub(s->cx, b->size, atom), nat_add(s->cx, b->size, atom)};
    for (int above = 0; above < 2; above++)
        if (!nat_occurs(rests[above], atom) && simplifier_is_length(s, rests[above]))
            add_bound(s, atom->attr.sym, above,
                      above ? rests[1] : nat_sub(s->cx, nat_const(s->cx, 0), rests[0]));
}

static void bound_atoms(Simplifier *s, Node *size)
{
    Bounding b = {s, size};
    nat_atoms(s->cx, size, bound_atom, &b);
}

// --- conditions ---------------------------------------------------------------------------------

void simplifier_assume_ge0(Simplifier *s, Node *size)
{
    facts_ge0(s->facts, size);
    bound_atoms(s, size);
    forget_memo(s);
}

static void assume_eq0(Simplifier *s, Node *size)
{
    facts_eq0(s->facts, size);
    bound_atoms(s, size);
    bound_atoms(s, nat_sub(s->cx, nat_const(s->cx, 0), size));
    forget_memo(s);
}

static bool is_integer_local(Node *type)
{
    Scalar k;
    return type->kind == TYPE_IDX || (type_is_scalar(type, &k) && k == SCALAR_I64);
}

static void assume_compared(Simplifier *s, SetRelation relation, Node *size)
{
    Session *cx = s->cx;
    Node *one = nat_const(cx, 1), *negated = nat_sub(cx, nat_const(cx, 0), size);
    switch (relation) {
    case SET_GE0: simplifier_assume_ge0(s, size); return;
    case SET_EQ0: assume_eq0(s, size); return;
    case SET_NE0: // can only tighten a known bound
        if (nat_ge0(cx, s->facts, negated) == TRUTH_YES)
            simplifier_assume_ge0(s, nat_sub(cx, negated, one));
        if (nat_ge0(cx, s->facts, size) == TRUTH_YES)
            simplifier_assume_ge0(s, nat_sub(cx, size, one));
        return;
    }
}

// Whether the value is invariant because it has no load and no local that changes. The depth of the
// search is limited.
static bool is_unchanging(const Simplifier *s, Node *e, int depth)
{
    if (e->kind == CORE_LIT || e->kind == CORE_NAT) return true;
    if (e->kind == LOOP_VAR) return !map_get(&s->mutated, MAP_KEY(e->attr.sym));
    if ((e->kind != CORE_PRIM && e->kind != CORE_CAST) || !depth) return false;
    for (uint32_t i = 0; i < e->nops; i++)
        if (!is_unchanging(s, e->op[i], depth - 1)) return false;
    return true;
}

static void remember(Simplifier *s, Node *c, bool holds)
{
    enum { DEPTH = 3 };
    if (!is_unchanging(s, c, DEPTH)) return;
    Decided *known = ARENA_NEW(s->cx->arena, Decided);
    *known = (Decided){c, holds, s->known};
    s->known = known;
    forget_memo(s);
}

// Compares only with the innermost conditions, so that deep nests take linear time.
Truth simplifier_known(Simplifier *s, Node *c)
{
    enum { MOST_CONDITIONS = 256 };
    if (!s->known) return TRUTH_UNKNOWN;
    Node *negated = loops_negated(s->cx, c);
    const Decided *k = s->known;
    for (int i = 0; k && i < MOST_CONDITIONS; i++, k = k->outer) {
        if (k->condition == c) return k->holds ? TRUTH_YES : TRUTH_NO;
        if (k->condition == negated) return k->holds ? TRUTH_NO : TRUTH_YES;
    }
    return TRUTH_UNKNOWN;
}

static void assume_conjunct(Node *c, bool holds, void *env)
{
    Simplifier *s = env;
    SetRelation relation;
    Node *size;
    bool test = c->kind == CORE_PRIM && c->nops == 2 && prim_info[c->attr.i].result == GIVES_BOOL;
    if (test && loops_compared(s->cx, c, holds, &relation, &size))
        assume_compared(s, relation, size);
    else if (test || c->kind == LOOP_VAR)
        remember(s, c, holds);
}

void simplifier_assume(Simplifier *s, Node *c, bool holds)
{
    loops_conjuncts(c, holds, assume_conjunct, s);
}

// --- names that never change --------------------------------------------------------------------

// Records an i64 name. Unlike other names in sizes, it may be negative, and arithmetic on it may
// wrap.
static void learn_integer(Simplifier *s, Sym name)
{
    facts_range(s->facts, name, nat_const(s->cx, INT64_MIN), NULL);
    map_put(&s->integers, MAP_KEY(name), s);
}

// Records an i64 name whose value has at most 32 bits, such as i64(x) for an i32 x.
static void learn_word(Simplifier *s, Sym name, int64_t lo, int64_t hi)
{
    facts_range(s->facts, name, nat_const(s->cx, lo), nat_const(s->cx, hi + 1));
    map_put(&s->integers, MAP_KEY(name), s);
    map_put(&s->words, MAP_KEY(name), s);
}

typedef struct {
    Simplifier *s;
    bool found;
} AnyInteger;

static void note_integer(Node *atom, void *env)
{
    AnyInteger *any = env;
    if (atom->kind == NAT_VAR && class_of(any->s, atom->attr.sym) != NAME_LENGTH) any->found = true;
}

bool simplifier_is_limited(Simplifier *s, Node *size, bool above)
{
    if (simplifier_is_length(s, size)) return true;
    AnyInteger any = {s, size->kind == NAT_CONST};
    nat_atoms(s->cx, size, note_integer, &any);
    return !any.found || dpia_is_limited(size, above, class_of, s);
}

Node *simplifier_clamped(Simplifier *s, Node *size, Node *lo, Node *hi)
{
    if (!simplifier_is_limited(s, size, true)) size = nat_min(s->cx, size, hi);
    if (!simplifier_is_limited(s, size, false)) size = nat_max(s->cx, size, lo);
    return size;
}

bool simplifier_has_lengths(Simplifier *s, Node *loop)
{
    return simplifier_is_length(s, loops_from(loop)) && simplifier_is_length(s, loops_to(loop));
}

Node *simplifier_bounded(Simplifier *s, Node *loop, Node **decl)
{
    Session *cx = s->cx;
    Node *from = loops_from(loop), *to = loops_to(loop);
    *decl = NULL;
    if (!simplifier_is_length(s, from)) return NULL;
    if (simplifier_is_length(s, to)) return loop;
    to = simplifier_clamped(s, to, from, nat_const(cx, ENDLESS));
    if (!simplifier_is_length(s, to)) return NULL;
    to = loops_integer(cx, "end", to, decl);
    simplifier_learn(s, *decl);
    return node_with_op(cx, loop, (int)loop->nops - 2, to);
}

void simplifier_assume_index(Simplifier *s, Sym index, Node *from, Node *to)
{
    Session *cx = s->cx;
    facts_range(s->facts, index, from, to);
    facts_ge0(s->facts, nat_sub(cx, nat_sub(cx, to, from), nat_const(cx, 1)));
    if (!simplifier_is_limited(s, from, false) || !simplifier_is_limited(s, to, true))
        map_put(&s->integers, MAP_KEY(index), s);
    forget_memo(s);
}

// Adds the fact that i64(i32(n)) <= n: truncation never increases a size that is not negative.
static void learn_truncation(Simplifier *s, Sym name, Node *value)
{
    Session *cx = s->cx;
    Node *cut = value->kind == CORE_CAST ? value->op[0] : value;
    if (cut->kind != CORE_CAST || cut->op[0]->kind != CORE_NAT || !type_is_integer(cut->type))
        return;
    Node *size = cut->op[0]->op[0];
    if (nat_ge0(cx, s->facts, size) == TRUTH_YES)
        facts_ge0(s->facts, nat_sub(cx, size, nat_var(cx, name)));
}

// Adds the limits of a minimum, a maximum or a float that becomes an integer.
static void learn_limits(Simplifier *s, Sym name, Node *value)
{
    Node *var = nat_var(s->cx, name);
    if (value->kind != CORE_PRIM && value->kind != CORE_CAST) return;
    for (int above = 0; above < 2; above++) {
        Node *limit = simplifier_limit(s, value, above);
        if (!limit || !simplifier_is_length(s, limit)) continue;
        facts_ge0(s->facts, above ? nat_sub(s->cx, limit, var) : nat_sub(s->cx, var, limit));
        add_bound(s, name, above, limit);
    }
}

void simplifier_learn(Simplifier *s, Node *decl)
{
    Sym name = decl->attr.sym;
    Node *type = decl->op[0], *value = decl->op[1];
    Node *size = value->kind == CORE_NAT ? value->op[0] : NULL;
    int64_t lo, hi;
    if (type_is_float(type) && simplifier_is_natural(s, value))
        map_put(&s->naturals, MAP_KEY(name), s);
    if (!is_integer_local(type)) return;
    bool bounded = loops_value_bounds(value, &lo, &hi);
    map_put(&s->integers, MAP_KEY(name), NULL);
    if (type->kind == TYPE_IDX)
        facts_range(s->facts, name, nat_const(s->cx, 0), type->op[0]);
    else if (bounded && hi < INT32_MAX)
        facts_range(s->facts, name, nat_const(s->cx, lo), nat_const(s->cx, hi + 1));
    else if (size && simplifier_is_length(s, size))
        facts_range(s->facts, name, nat_const(s->cx, INT64_MIN / 4), NULL);
    else if (bounded && lo >= INT32_MIN && hi <= UINT32_MAX)
        learn_word(s, name, lo, hi);
    else
        learn_integer(s, name);
    for (int above = 0; size && above < 2; above++)
        if (simplifier_is_limited(s, size, above)) add_bound(s, name, above, size);
    if (size) facts_value(s->facts, name, size);
    learn_truncation(s, name, value);
    learn_limits(s, name, value);
}

static void learn_unchanging(Simplifier *s, Node *decl)
{
    if (!map_get(&s->mutated, MAP_KEY(decl->attr.sym))) simplifier_learn(s, decl);
}

void simplifier_learn_all(Simplifier *s, Node *stmt)
{
    Stmts decls = loops_all(s->cx, stmt, IS_DECL);
    for (int i = 0; i < decls.len; i++)
        if (decls.at[i]->kind == LOOP_DECL) learn_unchanging(s, decls.at[i]);
}

Node *simplifier_map(Simplifier *s, Node *stmt, Node *(*f)(void *env, Node *stmt), void *env)
{
    if (stmt->kind == LOOP_DECL) { // the facts hold for the statements that follow in the block
        learn_unchanging(s, stmt);
        return stmt;
    }
    Scope outer = simplifier_enter(s);
    if (loops_is_counted(stmt))
        simplifier_assume_index(s, stmt->attr.sym, loops_from(stmt), loops_to(stmt));
    stmt = loops_map(s->cx, stmt, f, env);
    simplifier_leave(s, outer, NULL);
    return stmt;
}

Node *simplifier_map_branches(Simplifier *s, Node *stmt, Node *(*f)(void *env, Node *stmt),
                              void *env)
{
    if (stmt->kind != LOOP_IF) return simplifier_map(s, stmt, f, env);
    Node *ops[3] = {stmt->op[0]};
    for (int k = 1; k < 3; k++) {
        Scope outer = simplifier_enter(s);
        simplifier_assume(s, stmt->op[0], k == 1);
        ops[k] = f(env, stmt->op[k]);
        simplifier_leave(s, outer, NULL);
    }
    return node_with_ops(s->cx, stmt, ops);
}

static void learn_allocated(Simplifier *s, const LoopEntry *e)
{
    Stmts decls = loops_all(s->cx, e->body, IS_DECL);
    for (int i = 0; i < decls.len; i++)
        if (decls.at[i]->kind == LOOP_ALLOC && loops_is_static(s->cx, e, decls.at[i]->op[1]))
            lengths_add(s->cx, &s->lengths, decls.at[i]->op[1]);
}

static void learn_lengths(Simplifier *s, const LoopEntry *e)
{
    for (int i = 0; i < e->sizes.len; i++)
        map_put(&s->sizes, MAP_KEY(e->sizes.at[i]),
                (void *)(uintptr_t)nat_var(s->cx, e->sizes.at[i]));
    for (int i = 0; i < e->params.len; i++)
        if (e->params.at[i].rank) lengths_add(s->cx, &s->lengths, e->params.at[i].count);
    if (e->body) learn_allocated(s, e);
    lengths_add_checks(s->cx, &s->lengths, e->checks.at, e->checks.len);
}

// Adds the range of a parameter that is an index, or a size that the caller computes. If an array
// has as many elements, or more, that limits such a size, as it does the sizes of entries, and its
// type says no more.
static void learn_index(Simplifier *s, const LoopParam *p)
{
    Node *name = nat_var(s->cx, p->name);
    bool size = p->idx == type_own_size(s->cx)->op[0] && lengths_have(&s->lengths, name);
    if (size)
        map_put(&s->sizes, MAP_KEY(p->name), (void *)(uintptr_t)name);
    else
        facts_range(s->facts, p->name, nat_const(s->cx, 0), p->idx); // checked on entry
}

Simplifier simplifier_new(Session *cx, const LoopEntry *e)
{
    Arena *a = cx->arena;
    Simplifier s = {.cx = cx,
                    .facts = facts_new(cx, a, NULL),
                    .values = map_new(a),
                    .mutated = map_new(a),
                    .memo = map_new(a),
                    .integers = map_new(a),
                    .words = map_new(a),
                    .naturals = map_new(a),
                    .sizes = map_new(a),
                    .beliefs = map_new(a)};
    loops_changed(e->body, &s.mutated);
    learn_lengths(&s, e);
    for (int i = 0; i < e->checks.len; i++) // the entry tests them before its body
        size_check_assume(cx, s.facts, &e->checks.at[i]);
    for (int i = 0; i < e->params.len; i++) {
        const LoopParam *p = &e->params.at[i];
        if (p->rank || p->output || p->both || p->scalar != SCALAR_I64) continue;
        if (!p->idx)
            learn_integer(&s, p->name);
        else
            learn_index(&s, p);
    }
    return s;
}

// --- locals that change -------------------------------------------------------------------------

static const Version *version_of(const Simplifier *s, Sym local)
{
    for (const Version *v = s->versions; v; v = v->outer)
        if (v->local == local) return v;
    return NULL;
}

static void learn_equal(Simplifier *s, Sym name, Node *size)
{
    Node *difference = nat_sub(s->cx, nat_var(s->cx, name), size);
    facts_value(s->facts, name, size);
    bound_atoms(s, difference);
    bound_atoms(s, nat_sub(s->cx, nat_const(s->cx, 0), difference));
    forget_memo(s);
}

// Learns that `name` has the current value of the local, which equals `size` unless that is NULL.
static void learn_snapshot(Simplifier *s, Sym local, Sym name, Node *size)
{
    Session *cx = s->cx;
    const Invariant *belief = map_get(&s->beliefs, MAP_KEY(local));
    Node *var = nat_var(cx, name);
    learn_integer(s, name);
    if (size) learn_equal(s, name, size);
    if (belief && belief->natural) {
        facts_range(s->facts, name, nat_const(cx, 0), NULL);
        add_bound(s, name, false, nat_const(cx, 0));
    }
    if (belief && belief->capped && belief->first)
        simplifier_assume_ge0(s, nat_sub(cx, belief->first, var));
    add_version(s, (Version){.local = local, .name = name, .size = size});
}

Node *simplifier_snapshot(Simplifier *s, Node *decl)
{
    Sym local = decl->op[1]->attr.sym;
    const Version *v = version_of(s, local);
    if (v && v->name) return core_size(s->cx, nat_var(s->cx, v->name));
    learn_snapshot(s, local, decl->attr.sym, v ? v->size : NULL);
    return NULL;
}

Node *simplifier_read(Simplifier *s, Node *local)
{
    Sym sym = local->attr.sym;
    const Version *v = version_of(s, sym);
    if (v && v->name) return nat_var(s->cx, v->name);
    if (v && v->size && v->size->kind == NAT_CONST) return v->size;
    if (!s->before) return NULL;
    Sym name = sym_fresh(s->cx->syms, sym->text);
    vec_push(s->cx->arena, s->before, loops_decl(s->cx, name, local->type, local, NO_SPAN));
    learn_snapshot(s, sym, name, v ? v->size : NULL);
    return nat_var(s->cx, name);
}

static void test_belief(Simplifier *s, Invariant *belief, Node *value)
{
    int64_t lo, hi;
    Node *size = loops_size(s->cx, value);
    bool natural = size ? nat_ge0(s->cx, s->facts, size) == TRUTH_YES
                        : loops_value_bounds(value, &lo, &hi) && lo >= 0;
    bool capped =
        size && belief->first && nat_le(s->cx, s->facts, size, belief->first) == TRUTH_YES;
    belief->broken |= (belief->natural && !natural) || (belief->capped && !capped);
    belief->natural &= natural;
    belief->capped &= capped;
}

void simplifier_believe(Simplifier *s, Node *decl)
{
    Invariant *belief = map_get(&s->beliefs, MAP_KEY(decl->attr.sym));
    if (!belief) return;
    belief->first = loops_size(s->cx, decl->op[1]);
    test_belief(s, belief, decl->op[1]);
    add_version(s, (Version){.local = decl->attr.sym, .size = belief->first});
}

void simplifier_set(Simplifier *s, Sym local, Node *value)
{
    Invariant *belief = map_get(&s->beliefs, MAP_KEY(local));
    if (belief) test_belief(s, belief, value);
    if (value->type && is_integer_local(value->type))
        add_version(s, (Version){.local = local, .size = loops_size(s->cx, value)});
}

// --- copies -------------------------------------------------------------------------------------

// Records that the copy of a local that changes also changes.
static void copy_name(Sym old, Sym fresh, void *env)
{
    Simplifier *s = env;
    if (map_get(&s->mutated, MAP_KEY(old))) map_put(&s->mutated, MAP_KEY(fresh), s);
}

Node *simplifier_copy(Simplifier *s, Node *stmt)
{
    return loops_copy(s->cx, stmt, copy_name, s);
}

Node *simplifier_iteration(Simplifier *s, Node *loop, Node *index)
{
    Node *copy = simplifier_copy(s, loop);
    return loops_at(s->cx, loops_body(copy), copy->attr.sym, index);
}
