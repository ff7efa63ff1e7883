// Dependence tests for `parallel`: whether two iterations of a loop may access the same element,
// with at least one of them writing it (Allen and Kennedy, Optimizing Compilers for Modern
// Architectures, chapter 3). Two accesses are compared as Presburger sets of pairs of iterations. A
// proven collision is an error. If neither a collision nor its absence can be proven, `check` and
// `explain` issue a remark.
#include "sets/sets.h"
#include "staging/values/stage.h"

enum {
    MAX_ACCESSES = 500, // in one loop; unrolled bodies have many
    MAX_QUESTIONS = 60, // one for each pair of accesses
    LONG = 1 << 16      // trip count assumed for loops of unknown length when proving collisions
};

// The indices of an access, where NULL is an unknown index.
typedef VEC(Node *) Path;
typedef struct {
    Node *root;
    Path path;
    bool write, atomic;
    bool exact; // it is executed by exactly the iterations that satisfy `where`
    SetConditions where;
    Path lengths; // trip counts of the enclosing loops, starting with the parallel one
    Span at;
} Access;

typedef struct {
    Stage *s;
    Arena *arena;
    Facts *facts;
    Map sizes;    // variable -> its value as a size
    Map places;   // variable -> the location that it is bound to
    Map inside;   // variables bound in the body
    Map quiet;    // term -> whether it accesses no memory
    VEC(Sym) own; // index names of this loop (the first) and of the loops inside it
    VEC(Access) found;
    SetConditions where; // conditions that hold at the term being visited
    Path lengths;
    bool exact;
} Races;

static bool is_whole(Node *type)
{
    Scalar k;
    return type->kind == TYPE_IDX ||
           (type_is_scalar(type, &k) &&
            (scalar_info[k].class == CLASS_INT || scalar_info[k].class == CLASS_UINT));
}

static void require(Races *r, SetRelation relation, Node *e)
{
    vec_push(r->arena, &r->where, ((SetCondition){relation, e}));
}

// --- integers as sizes --------------------------------------------------------------------------

static Node *size_of(Races *r, Node *e);

// The size of a variable, or NULL. A variable from outside the loop has the same value in all
// iterations, so it gets a fresh name.
static Node *named(Races *r, Node *var)
{
    Session *cx = r->s->cx;
    Node *known = map_get(&r->sizes, MAP_KEY(var));
    if (known || map_get(&r->inside, MAP_KEY(var))) return known;
    Sym name = sym_fresh(cx->syms, "k");
    Node *size = nat_var(cx, name);
    if (var->type->kind == TYPE_IDX)
        facts_range(r->facts, name, nat_const(cx, 0), var->type->op[0]);
    else
        facts_range(r->facts, name, nat_const(cx, INT64_MIN / 2), NULL);
    map_put(&r->sizes, MAP_KEY(var), (void *)(uintptr_t)size);
    return size;
}

// Whether +, - and * with this type and result do not wrap. 64-bit values are assumed not to: they
// are indices, and array lengths are far below 2^63.
static bool is_exact(Races *r, Node *type, Node *size)
{
    Scalar k;
    int64_t lo, hi;
    if (type->kind == TYPE_IDX) return true;
    if (!type_is_scalar(type, &k)) return false;
    if (scalar_info[k].size == 8) return scalar_info[k].class == CLASS_INT;
    int bits = 8 * scalar_info[k].size - (scalar_info[k].class == CLASS_INT);
    int64_t limit = (int64_t)1 << bits, least = scalar_info[k].class == CLASS_INT ? -limit : 0;
    return nat_lower(r->s->cx, r->facts, size, &lo) && nat_upper(r->s->cx, r->facts, size, &hi) &&
           lo >= least && hi < limit;
}

// Converts a division or a remainder of integers to a size, or returns NULL. Integer division
// truncates, whereas division of sizes rounds down, so `a` must not be negative.
static Node *quotient(Races *r, Prim op, Node *a, Node *b)
{
    Session *cx = r->s->cx;
    int64_t by;
    if (!nat_is_const(b, &by) || by < 1 || nat_ge0(cx, r->facts, a) != TRUTH_YES) return NULL;
    return op == PRIM_DIV ? nat_div(cx, a, b) : nat_mod(cx, a, b);
}

// Converts bit operations that amount to arithmetic on sizes: a & 15, a >>> 2, a << 2.
static Node *of_bits(Races *r, Prim op, Node *a, Node *b)
{
    Session *cx = r->s->cx;
    int64_t k;
    if (!nat_is_const(b, &k) || k < 0 || (op != PRIM_AND && k > 32)) return NULL;
    if (op == PRIM_AND) return k & (k + 1) ? NULL : nat_mod(cx, a, nat_const(cx, k + 1));
    Node *power = nat_const(cx, (int64_t)1 << k);
    return op == PRIM_SHR ? nat_div(cx, a, power) : nat_mul(cx, a, power);
}

static Node *computed(Races *r, Prim op, Node *a, Node *b)
{
    Session *cx = r->s->cx;
    switch (op) {
    case PRIM_ADD: return nat_add(cx, a, b);
    case PRIM_SUB: return nat_sub(cx, a, b);
    case PRIM_MUL: return nat_mul(cx, a, b);
    case PRIM_MIN: return nat_min(cx, a, b);
    case PRIM_MAX: return nat_max(cx, a, b);
    case PRIM_DIV:
    case PRIM_REM: return quotient(r, op, a, b);
    case PRIM_AND:
    case PRIM_SHL:
    case PRIM_SHR: return of_bits(r, op, a, b);
    default: return NULL;
    }
}

static Node *size_of_prim(Races *r, Node *e)
{
    if (e->nops != 2) return NULL;
    Node *a = size_of(r, e->op[0]), *b = size_of(r, e->op[1]);
    Node *size = a && b ? computed(r, (Prim)e->attr.i, a, b) : NULL;
    return size && is_exact(r, e->type, size) ? size : NULL;
}

// The size that a cast yields, or NULL. A cast preserves values that are in the range of its type.
static Node *size_of_cast(Races *r, Node *e)
{
    Node *size = is_whole(e->op[0]->type) ? size_of(r, e->op[0]) : NULL;
    if (!size) return NULL;
    Scalar from, to;
    bool wider = type_is_scalar(e->op[0]->type, &from) && type_is_scalar(e->type, &to) &&
                 scalar_info[from].class == CLASS_INT && scalar_info[to].class == CLASS_INT &&
                 scalar_info[from].size <= scalar_info[to].size;
    return wider || is_exact(r, e->type, size) ? size : NULL;
}

// The value as a size, or NULL.
static Node *size_of(Races *r, Node *e)
{
    if (!is_whole(e->type)) return NULL;
    switch (e->kind) {
    case CORE_LIT: return nat_const(r->s->cx, e->attr.i);
    case CORE_NAT: return e->op[0];
    case CORE_TO_IDX: return size_of(r, e->op[0]);
    case CORE_CAST: return size_of_cast(r, e);
    case CORE_PRIM: return size_of_prim(r, e);
    case PH_VAR: return named(r, e);
    default: return NULL;
    }
}

// --- accesses -----------------------------------------------------------------------------------

// Returns the root of a location, or NULL, and appends the path from there, outermost index first.
static Node *path_of(Races *r, Node *place, Path *path)
{
    Session *cx = r->s->cx;
    Node *inner = place->nops == 0                ? NULL
                  : place->kind == CORE_REF_SLICE ? place->op[2]
                                                  : place->op[0];
    switch (place->kind) {
    case PH_VAR: {
        Node *other = map_get(&r->places, MAP_KEY(place));
        return other ? path_of(r, other, path) : place;
    }
    case CORE_BORROW: return path_of(r, inner, path);
    case CORE_REF_AT: {
        Node *root = path_of(r, inner, path), *i = size_of(r, place->op[1]),
             *offset = nat_const(cx, 0);
        while (inner->kind == CORE_REF_SLICE) {
            offset = nat_add(cx, offset, inner->op[0]);
            inner = inner->op[2];
        }
        vec_push(r->arena, path, i ? nat_add(cx, i, offset) : NULL);
        return root;
    }
    case CORE_REF_PROJ: {
        Node *root = path_of(r, inner, path);
        vec_push(r->arena, path, nat_const(cx, place->attr.i));
        return root;
    }
    case CORE_REF_SLICE: return path_of(r, inner, path);
    default: return NULL;
    }
}

static bool is_same(const Access *a, const Access *b)
{
    if (a->root != b->root || a->write != b->write || a->atomic != b->atomic ||
        a->exact != b->exact || a->path.len != b->path.len || a->where.len != b->where.len)
        return false;
    for (int k = 0; k < a->path.len; k++)
        if (a->path.at[k] != b->path.at[k]) return false;
    for (int k = 0; k < a->where.len; k++)
        if (a->where.at[k].e != b->where.at[k].e) return false;
    return true;
}

static void access_to(Races *r, Node *place, Access a)
{
    a.exact = a.exact && r->exact;
    a.root = path_of(r, place, &a.path);
    if (!a.root || a.root->kind != PH_VAR || map_get(&r->inside, MAP_KEY(a.root))) return;
    for (int k = 0; k < r->where.len; k++) vec_push(r->arena, &a.where, r->where.at[k]);
    for (int k = 0; k < r->lengths.len; k++) vec_push(r->arena, &a.lengths, r->lengths.at[k]);
    for (int k = 0; k < r->found.len; k++)
        if (is_same(&r->found.at[k], &a)) return;
    if (r->found.len < MAX_ACCESSES) vec_push(r->arena, &r->found, a);
}

static void walk(Races *r, Node *e);

static void bind(Races *r, Node *var, Node *value)
{
    map_put(&r->inside, MAP_KEY(var), r);
    if (!value) return;
    if (var->type->kind == TYPE_REF && value->kind != CORE_NEW)
        map_put(&r->places, MAP_KEY(var), (void *)(uintptr_t)value);
    else if (is_whole(var->type))
        map_put(&r->sizes, MAP_KEY(var), (void *)(uintptr_t)size_of(r, value));
}

// Binds a loop's index and assumes its range.
static void bind_index(Races *r, Node *var, Node *from, Node *to)
{
    Session *cx = r->s->cx;
    Sym name = sym_fresh(cx->syms, "i");
    Node *i = nat_var(cx, name);
    Scalar k;
    bool few = type_is_scalar(var->type, &k) && scalar_info[k].size < 8;
    Node *end = few ? nat_const(cx, (int64_t)1 << 8 * scalar_info[k].size) : NULL;
    facts_range(r->facts, name, from ? from : nat_const(cx, INT64_MIN / 2), end);
    map_put(&r->inside, MAP_KEY(var), r);
    map_put(&r->sizes, MAP_KEY(var), (void *)(uintptr_t)i);
    vec_push(r->arena, &r->own, name);
    if (from && to) vec_push(r->arena, &r->lengths, nat_sub(cx, to, from));
    if (from) require(r, SET_GE0, nat_sub(cx, i, from));
    if (to) require(r, SET_GE0, nat_sub(cx, nat_sub(cx, to, i), nat_const(cx, 1)));
    r->exact = r->exact && from && to;
}

// The state before a construct. What holds only inside the construct is forgotten after it.
typedef struct {
    int where, lengths;
    bool exact;
} Outside;

static Outside enter(const Races *r)
{
    return (Outside){r->where.len, r->lengths.len, r->exact};
}

static void leave(Races *r, Outside o)
{
    r->where.len = o.where;
    r->lengths.len = o.lengths;
    r->exact = o.exact;
}

static void walk_loop(Races *r, Node *e)
{
    Node *under = e->op[e->nops - 1]->op[0];
    Node *from = size_of(r, e->op[e->nops - 3]), *to = size_of(r, e->op[e->nops - 2]);
    Outside o = enter(r);
    bind_index(r, under->op[0], from, to);
    walk(r, under->op[1]);
    leave(r, o);
}

// Visits the body of a label or of a function passed to a pattern, which runs an unknown number of
// times.
static void walk_binder(Races *r, Node *e)
{
    Node *under = e->op[0];
    Outside o = enter(r);
    for (uint32_t i = 0; i + 1 < under->nops; i++) {
        bool index = e->kind == CORE_LAM && under->op[i]->type->kind == TYPE_IDX;
        if (index)
            bind_index(r, under->op[i], nat_const(r->s->cx, 0), under->op[i]->type->op[0]);
        else
            bind(r, under->op[i], NULL);
    }
    r->exact = false;
    walk(r, under->op[under->nops - 1]);
    leave(r, o);
}

// Assumes the size conditions that follow from `c` being true (if `holds`) or false. Returns false
// if they do not capture all of `c`.
static bool assume(Races *r, Node *c, bool holds)
{
    Session *cx = r->s->cx;
    if (c->kind != CORE_PRIM || c->nops != 2) return false;
    Prim op = (Prim)c->attr.i;
    if (op == PRIM_AND && holds && c->type == c->op[0]->type) {
        bool first = assume(r, c->op[0], true);
        return assume(r, c->op[1], true) && first;
    }
    Node *a = size_of(r, c->op[0]), *b = size_of(r, c->op[1]);
    if (!a || !b) return false;
    Node *one = nat_const(cx, 1), *up = nat_sub(cx, b, a), *down = nat_sub(cx, a, b);
    switch (op) {
    case PRIM_LT: require(r, SET_GE0, holds ? nat_sub(cx, up, one) : down); return true;
    case PRIM_GT: require(r, SET_GE0, holds ? nat_sub(cx, down, one) : up); return true;
    case PRIM_LE: require(r, SET_GE0, holds ? up : nat_sub(cx, down, one)); return true;
    case PRIM_GE: require(r, SET_GE0, holds ? down : nat_sub(cx, up, one)); return true;
    case PRIM_EQ: require(r, holds ? SET_EQ0 : SET_NE0, up); return true;
    case PRIM_NE: require(r, holds ? SET_NE0 : SET_EQ0, up); return true;
    default: return false;
    }
}

static void walk_if(Races *r, Node *e)
{
    walk(r, e->op[0]);
    for (int k = 1; k < 3; k++) {
        Outside o = enter(r);
        r->exact = assume(r, e->op[0], k == 1) && r->exact;
        walk(r, e->op[k]);
        leave(r, o);
    }
}

// Visits the index expressions of a location, which may contain reads.
static void walk_place(Races *r, Node *place)
{
    for (; place->kind == CORE_REF_AT || place->kind == CORE_REF_PROJ ||
           place->kind == CORE_REF_SLICE || place->kind == CORE_BORROW;
         place = place->op[place->kind == CORE_REF_SLICE ? 2 : 0])
        if (place->kind == CORE_REF_AT) walk(r, place->op[1]);
}

// Records the accesses that a call makes. A residual function may access any element of its
// reference arguments; an atomic update accesses just the given element.
static void walk_call(Races *r, Node *e)
{
    bool atomic = core_atomic_of(e->attr.sym) != ATOMIC_COUNT;
    for (uint32_t i = 0; i < e->nops; i++) {
        Node *type = e->op[i]->type;
        if (type->kind != TYPE_REF) {
            walk(r, e->op[i]);
            continue;
        }
        walk_place(r, e->op[i]);
        access_to(r, e->op[i],
                  (Access){.write = type_ref_mutable(type),
                           .atomic = atomic,
                           .exact = atomic,
                           .at = e->origin});
    }
}

static bool is_quiet(Races *r, Node *e)
{
    static const char yes, no;
    if (e->kind >= CORE_NEW && e->kind <= CORE_CALL) return false;
    if (e->nops == 0 || node_is_size_or_type(e)) return true;
    const char *known = map_get(&r->quiet, MAP_KEY(e));
    if (known) return known == &yes;
    bool quiet = true;
    for (uint32_t i = 0; i < e->nops && quiet; i++) quiet = is_quiet(r, e->op[i]);
    map_put(&r->quiet, MAP_KEY(e), (void *)(uintptr_t)(quiet ? &yes : &no));
    return quiet;
}

static void walk(Races *r, Node *e)
{
    for (; e->kind == CORE_LET; e = e->op[1]->op[1]) {
        walk(r, e->op[0]);
        bind(r, e->op[1]->op[0], e->op[0]);
    }
    switch (e->kind) {
    case CORE_GET:
        walk_place(r, e->op[0]);
        access_to(r, e->op[0], (Access){.exact = true, .at = e->origin});
        return;
    case CORE_SET:
        walk_place(r, e->op[0]);
        walk(r, e->op[1]);
        access_to(r, e->op[0], (Access){.write = true, .exact = true, .at = e->origin});
        return;
    case CORE_IF: walk_if(r, e); return;
    case CORE_CALL: walk_call(r, e); return;
    case CORE_RANGE:
    case CORE_PARALLEL:
    case CORE_VECTORIZE: walk_loop(r, e); return;
    case CORE_LAM:
    case CORE_LABEL: walk_binder(r, e); return;
    default:
        if (is_quiet(r, e)) return;
        for (uint32_t i = 0; i < e->nops; i++) walk(r, e->op[i]);
    }
}

// --- pairs --------------------------------------------------------------------------------------

typedef struct {
    Session *cx;
    Map names; // name in one iteration -> name in the other
} Renaming;

static Node *renamed(Node *atom, void *env)
{
    Renaming *n = env;
    Sym other = atom->kind == NAT_VAR ? map_get(&n->names, MAP_KEY(atom->attr.sym)) : NULL;
    return other ? nat_var(n->cx, other) : NULL;
}

static bool mentions(const Access *a, Node *name)
{
    for (int k = 0; k < a->where.len; k++)
        if (nat_occurs(a->where.at[k].e, name)) return true;
    for (int k = 0; k < a->path.len; k++)
        if (a->path.at[k] && nat_occurs(a->path.at[k], name)) return true;
    return false;
}

// The set of pairs of different iterations that access the same element. Its dimensions are the
// loop index and the inner loop indices that occur in the accesses, each once per iteration of the
// pair. Sets *whole to whether all indices of the accesses are known.
static IndexSet pairs_of(Races *r, const Access *a, const Access *b, Facts *facts, bool *whole)
{
    Session *cx = r->s->cx;
    Renaming other = {cx, map_new(r->arena)};
    VEC(Sym) names = {0};
    for (int k = 0; k < r->own.len; k++) {
        Node *own = nat_var(cx, r->own.at[k]);
        if (k > 0 && !mentions(a, own) && !mentions(b, own)) continue;
        Sym name = sym_fresh(cx->syms, "other");
        facts_range(facts, name, nat_const(cx, INT64_MIN / 2), NULL);
        map_put(&other.names, MAP_KEY(r->own.at[k]), (void *)(uintptr_t)name);
        vec_push(r->arena, &names, r->own.at[k]);
        vec_push(r->arena, &names, name);
    }
    IndexSet set = {.rank = names.len, .index = names.at};
    for (int k = 0; k < a->where.len; k++) vec_push(r->arena, &set.where, a->where.at[k]);
    for (int k = 0; k < b->where.len; k++)
        vec_push(r->arena, &set.where,
                 ((SetCondition){b->where.at[k].relation,
                                 nat_replace(cx, b->where.at[k].e, renamed, &other)}));
    *whole = a->path.len == b->path.len;
    for (int k = 0; k < a->path.len && k < b->path.len; k++) {
        Node *at = a->path.at[k], *there = b->path.at[k];
        *whole = *whole && at && there;
        if (!at || !there) continue;
        Node *apart = nat_sub(cx, at, nat_replace(cx, there, renamed, &other));
        vec_push(r->arena, &set.where, ((SetCondition){SET_EQ0, apart}));
    }
    Node *distance = nat_sub(cx, nat_var(cx, names.at[0]), nat_var(cx, names.at[1]));
    vec_push(r->arena, &set.where, ((SetCondition){SET_NE0, distance}));
    return set;
}

// Whether an index is the loop index plus an invariant, so that it has a different value in each
// iteration.
static bool selects(Races *r, Node *index)
{
    Node *i = nat_var(r->s->cx, r->own.at[0]), *rest = nat_sub(r->s->cx, index, i);
    for (int k = 0; k < r->own.len; k++)
        if (nat_occurs(rest, nat_var(r->s->cx, r->own.at[k]))) return false;
    return true;
}

typedef struct {
    Session *cx;
    Sym name;
} Next;

static Node *next_iteration(Node *atom, void *env)
{
    Next *n = env;
    bool it = atom->kind == NAT_VAR && atom->attr.sym == n->name;
    return it ? nat_add(n->cx, atom, nat_const(n->cx, 1)) : NULL;
}

// The n of an index i*n + j with 0 <= j < n, as in row i of a matrix, or NULL for other indices.
// Such indices are recognised here because isl cannot express products of names.
static Node *row_of(Races *r, const Access *a, Node *index)
{
    Session *cx = r->s->cx;
    Next next = {cx, r->own.at[0]};
    Node *i = nat_var(cx, next.name);
    Node *n = nat_sub(cx, nat_replace(cx, index, next_iteration, &next), index);
    Node *j = nat_sub(cx, index, nat_mul(cx, i, n));
    int64_t known;
    if (nat_is_const(n, &known) || nat_occurs(j, i)) return NULL;
    for (int k = 0; k < r->own.len; k++)
        if (nat_occurs(n, nat_var(cx, r->own.at[k]))) return NULL;
    Facts *facts = facts_new(cx, r->arena, r->facts);
    for (int k = 0; k < a->where.len; k++)
        if (a->where.at[k].relation == SET_GE0) facts_ge0(facts, a->where.at[k].e);
    bool inside = nat_ge0(cx, facts, j) == TRUTH_YES && nat_lt(cx, facts, j, n) == TRUTH_YES;
    return inside ? n : NULL;
}

static bool is_plainly_apart(Races *r, const Access *a, const Access *b)
{
    for (int k = 0; k < a->path.len && k < b->path.len; k++) {
        Node *row = a->path.at[k] && b->path.at[k] ? row_of(r, a, a->path.at[k]) : NULL;
        if (row && row == row_of(r, b, b->path.at[k])) return true;
    }
    for (int k = 0; k < a->path.len && k < b->path.len; k++)
        if (a->path.at[k] && a->path.at[k] == b->path.at[k] && selects(r, a->path.at[k]))
            return true;
    return false;
}

// Assumes, when proving collisions, that loops of unknown length are long.
static void assume_long(Races *r, Facts *facts, const Access *a)
{
    Session *cx = r->s->cx;
    for (int k = 0; k < a->lengths.len; k++) {
        Node *length = a->lengths.at[k], *longer = nat_sub(cx, length, nat_const(cx, LONG));
        bool own = false;
        for (int j = 0; j < r->own.len && !own; j++)
            own = nat_occurs(length, nat_var(cx, r->own.at[j]));
        if (!own && nat_ge0(cx, facts, longer) == TRUTH_UNKNOWN) facts_ge0(facts, longer);
    }
}

// Returns TRUTH_YES if no two iterations collide, and TRUTH_NO if some collide whatever the sizes.
static Truth are_apart(Races *r, const Access *a, const Access *b)
{
    if (is_plainly_apart(r, a, b)) return TRUTH_YES;
    bool whole;
    Facts *facts = facts_new(r->s->cx, r->arena, r->facts);
    IndexSet pairs = pairs_of(r, a, b, facts, &whole);
    Truth empty = sets_is_empty(r->s->cx, facts, &pairs);
    if (empty == TRUTH_YES || !whole || !a->exact || !b->exact)
        return empty == TRUTH_YES ? TRUTH_YES : TRUTH_UNKNOWN;
    assume_long(r, facts, a);
    assume_long(r, facts, b);
    return sets_is_empty(r->s->cx, facts, &pairs);
}

// Reports a collision as an error if it is certain, and as a remark otherwise. Remarks are issued
// only for the file of the entry, as users cannot change a library.
static void report(Races *r, const Access *a, const Access *b, Truth apart)
{
    Session *cx = r->s->cx;
    bool surely = apart == TRUTH_NO, own = a->at.file == r->s->entry->span.file;
    const char *text =
        arena_printf(r->arena, "iterations of this loop %scollide: one writes what another %s",
                     surely ? "" : "may ", b->write ? "writes" : "reads");
    Diag *d = surely               ? stage_report(r->s, E0509, a->at, "%s", text)
              : cx->remarks && own ? diag_warning(cx, E0509, a->at, "%s", text)
                                   : NULL;
    if (!d) return;
    if (a != b) diag_note(cx, d, b->at, "the conflicting %s is here", b->write ? "write" : "read");
    if (surely && (a->atomic || b->atomic))
        diag_help(cx, d,
                  "use an atomic for the other access, too: atomic_fetch_add(place, 0) reads");
    else if (surely)
        diag_help(cx, d,
                  "use an atomic such as atomic_add, a reduce, or a sequential loop with range");
    else
        diag_help(cx, d, "adze test --races detects collisions while the tests run");
}

static void compare_all(Races *r)
{
    int questions = 0;
    const Access *first = NULL, *second = NULL;
    for (int k = 0; k < r->found.len && questions < MAX_QUESTIONS; k++)
        for (int j = 0; j < r->found.len && questions < MAX_QUESTIONS; j++) {
            const Access *a = &r->found.at[k], *b = &r->found.at[j];
            if (!a->write || (b->write && j < k) || a->root != b->root) continue;
            if (a->atomic && b->atomic) continue;
            questions++;
            Truth apart = are_apart(r, a, b);
            if (apart == TRUTH_NO) {
                report(r, a, b, TRUTH_NO);
                return;
            }
            if (apart == TRUTH_UNKNOWN && !first) first = a, second = b;
        }
    bool all = questions < MAX_QUESTIONS && r->found.len < MAX_ACCESSES;
    if (!all && !first && r->found.len) first = second = &r->found.at[0];
    if (first) report(r, first, second, TRUTH_UNKNOWN);
}

// Whether a loop may have several iterations.
static bool has_iterations(Races *r, Node *loop)
{
    Session *cx = r->s->cx;
    Node *from = size_of(r, loop->op[loop->nops - 3]), *to = size_of(r, loop->op[loop->nops - 2]);
    if (!from || !to) return true;
    return nat_le(cx, r->facts, to, nat_add(cx, from, nat_const(cx, 1))) != TRUTH_YES;
}

void stage_check_races(Stage *s, Node *loop)
{
    Arena *arena = arena_new_beside(s->cx->arena);
    Races r = {.s = s,
               .arena = arena,
               .facts = facts_new(s->cx, arena, s->facts),
               .sizes = map_new(arena),
               .places = map_new(arena),
               .inside = map_new(arena),
               .quiet = map_new(arena),
               .exact = true};
    if (has_iterations(&r, loop)) {
        walk_loop(&r, loop);
        compare_all(&r);
    }
    arena_delete(arena);
}
