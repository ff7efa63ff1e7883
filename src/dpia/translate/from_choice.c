// Tuples and structs at the leaves of a chain of conditionals. A value of an enum has zeros in the
// components of all options but its own. A chain over N options therefore has leaves with about N *
// N components in total, most of them equal. Equal components are written once, before the
// conditionals, which write only those that differ.
#include "dpia/translate/from_core.h"

enum { FEW_PARTS = 64 };

/// For each of the `n` components of a destination, the value that is written before the
/// conditionals, or NULL if there is none.
typedef struct {
    int n;
    Node **before;
} Common;

/// The tuples among the leaves of a chain of conditionals.
typedef VEC(Node *) Leaves;

// Whether the term is a let, other than one that binds a to_mem.inplace, which acc_into handles.
static bool is_let_apart(Node *e)
{
    if (e->kind != CORE_LET) return false;
    Node *value = e->op[0];
    return value->kind != CORE_TO_MEM || value->variant != VARIANT_INPLACE;
}

static void find_leaves(Arena *arena, Node *e, Leaves *leaves)
{
    for (;;) {
        while (is_let_apart(e)) e = e->op[1];
        if (e->kind != CORE_IF) break;
        find_leaves(arena, e->op[1], leaves);
        e = e->op[2];
    }
    if (e->kind == CORE_TUPLE) vec_push(arena, leaves, e);
}

// Whether the term is a literal, or a tuple or array of literals, so that recomputing it costs no
// more than storing it.
static bool is_literal(Node *e)
{
    if (e->kind == CORE_LIT) return true;
    if (e->kind == CORE_NAT) return e->loose == 0;
    if (e->kind == CORE_GENERATE)
        return e->op[1]->kind == CORE_LAM && is_literal(e->op[1]->op[0]) && e->loose == 0;
    if (e->kind != CORE_TUPLE) return false;
    for (uint32_t i = 0; i < e->nops; i++)
        if (!is_literal(e->op[i])) return false;
    return true;
}

// Returns the literal that is component k of most leaves, or NULL (Boyer & Moore's majority vote).
static Node *majority(const Leaves *leaves, int k)
{
    Node *most = NULL;
    int votes = 0, count = 0;
    for (int i = 0; i < leaves->len; i++) {
        if (votes == 0) most = leaves->at[i]->op[k];
        votes += leaves->at[i]->op[k] == most ? 1 : -1;
    }
    for (int i = 0; i < leaves->len; i++) count += leaves->at[i]->op[k] == most;
    return 2 * count > leaves->len && is_literal(most) ? most : NULL;
}

// Whether the leaves of the chain have many components in total and the chain does not read the old
// value of the destination. Adds its leaves to *leaves.
static bool is_large(Tr *t, Node *e, Env *env, Node *d, Leaves *leaves)
{
    if (!is_aggregate(e->type)) return false;
    find_leaves(t->arena, e, leaves);
    if ((int64_t)leaves->len * e->type->nops <= FEW_PARTS) return false;
    return !d || !is_read_in(t, d, e, env);
}

static void write_choice(Tr *t, Node *e, Env *env, Node *d, const Common *c);

static Node *choice_block(Tr *t, Node *e, Env *env, Node *d, const Common *c)
{
    Block b;
    block_open(t, &b);
    write_choice(t, e, env, d, c);
    return block_close(t, &b);
}

static void write_choice(Tr *t, Node *e, Env *env, Node *d, const Common *c)
{
    Span before = t->origin;
    while (is_let_apart(e)) env = bind_first_let(t, &e, env);
    if (e->nops && e->origin.file) t->origin = e->origin;
    if (e->kind == CORE_IF) {
        Node *condition = scalar_of(t, con(t, e->op[0], env));
        Node *then = choice_block(t, e->op[1], env, d, c);
        emit_if(t, condition, then, choice_block(t, e->op[2], env, d, c));
    } else if (e->kind == CORE_TUPLE) {
        for (int k = 0; k < c->n; k++)
            if (e->op[k] != c->before[k]) acc_block(t, e->op[k], env, acceptor_part(t, d, k));
    } else {
        acc_into(t, e, env, d);
    }
    t->origin = before;
}

// acc(if c a b, d) = acc(v, d.k) ; con(c, \c. if c { acc(a, d) } else { acc(b, d) }), where the
// branches skip the components that equal v
static void acc_leaves(Tr *t, Node *e, Env *env, Node *d, const Leaves *leaves)
{
    Common c = {.n = (int)e->type->nops};
    c.before = ARENA_ARRAY(t->arena, Node *, c.n);
    Accumulate a;
    accumulate_open(t, &a, d);
    for (int k = 0; k < c.n; k++) {
        c.before[k] = majority(leaves, k);
        if (c.before[k]) acc_block(t, c.before[k], env, acceptor_part(t, d, k));
    }
    write_choice(t, e, env, d, &c);
    accumulate_close(t, &a);
}

bool acc_choice(Tr *t, Node *e, Env *env, Node *d)
{
    Leaves leaves = {0};
    if (!is_large(t, e, env, d, &leaves)) return false;
    acc_leaves(t, e, env, d, &leaves);
    return true;
}

// con(e, k) = new t. acc(e, t) ; k(t), because locals at each level of the chain would multiply the
// number of components again.
Readable *con_choice(Tr *t, Node *e, Env *env)
{
    Leaves leaves = {0};
    if (!is_large(t, e, env, NULL, &leaves)) return NULL;
    Memory m = emit_new(t, "either", e->type, VARIANT_STACK);
    acc_leaves(t, e, env, m.d, &leaves);
    return m.value;
}
