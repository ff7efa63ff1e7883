// Forward substitution: consecutive assignments to a local become one (`x = a; x = x + b` becomes
// `x = a + b`), and the value of a local that only the next statement reads is substituted there.
// This turns unrolled loops into single expressions.
#include "loops/simplify/simplify.h"

enum { MAX_MERGED = 100 }; // maximum number of nodes in an expression

typedef struct {
    Session *cx;
    Map readers; // name -> number of statements that read it
    Map setters; // local -> number of statements that set it, or pass its address to a call
} Merge;

static bool is_assignment(Node *s)
{
    return s->kind == LOOP_SET || (s->kind == LOOP_DECL && !loops_is_nothing(s->op[1]));
}

static int value_index(Node *s)
{
    return s->kind == LOOP_SET ? 0 : 1;
}

static Node *value_of(Node *s)
{
    return s->op[value_index(s)];
}

// --- counts of reads and sets -------------------------------------------------------------------

static uintptr_t count_of(const Map *counts, Sym name)
{
    return (uintptr_t)map_get(counts, MAP_KEY(name));
}

static void add_one(Sym name, void *counts)
{
    map_put(counts, MAP_KEY(name), (void *)(count_of(counts, name) + 1));
}

static void drop_one(Map *counts, Sym name)
{
    if (count_of(counts, name) > 0)
        map_put(counts, MAP_KEY(name), (void *)(count_of(counts, name) - 1));
}

static void count(Merge *m, Node *s)
{
    Map seen = map_new(m->cx->arena);
    if (s->kind == LOOP_SET) add_one(s->attr.sym, &m->setters);
    for (uint32_t i = 0; i < s->nops; i++) {
        if (s->op[i]->kind == LOOP_ADDRESS) add_one(s->op[i]->attr.sym, &m->setters);
        if (loops_is_stmt(s->op[i]))
            count(m, s->op[i]);
        else if (kind_sort((Kind)s->kind, (int)i) != SORT_TYPE)
            loops_reads(m->cx, s->op[i], &seen, add_one, &m->readers);
    }
}

// --- replacing a local with its value -----------------------------------------------------------

// The number of times that the expression mentions the local. A shared node counts once for each
// use. Counting stops at 2.
static int mentions(Node *e, Sym local)
{
    if (e->kind == LOOP_VAR) return e->attr.sym == local;
    int n = 0;
    for (uint32_t i = 0; i < e->nops && n < 2; i++) n += mentions(e->op[i], local);
    return n;
}

typedef struct {
    Sym local;
    Node *value;
} Replace;

static Node *replace(Session *cx, Node *e, int depth, void *env)
{
    const Replace *r = env;
    if (e->kind == LOOP_VAR) return e->attr.sym == r->local ? r->value : e;
    if (!e->nops || node_is_size_or_type(e)) return e;
    e = node_map(cx, e, depth, replace, env);
    Node *operand = loops_identity(e);
    return operand ? operand : e;
}

// Whether the value is an i64. A local with such a value may occur in sizes, which `mentions` and
// `replace` do not visit.
static bool is_size(Node *e)
{
    Scalar s;
    return type_is_scalar(e->type, &s) && s == SCALAR_I64;
}

// Returns `s` with the local of the preceding assignment replaced with its value, or NULL if that
// is impossible.
static Node *with_value(Merge *m, Node *before, Node *s)
{
    Sym local = before->attr.sym;
    Node *value = value_of(before);
    int at = s->kind == LOOP_STORE ? 1 : value_index(s);
    if (is_size(value) ||
        loops_weight(value, MAX_MERGED) + loops_weight(s->op[at], MAX_MERGED) > MAX_MERGED)
        return NULL;
    int times = mentions(s->op[at], local);
    bool same = s->kind == LOOP_SET && s->attr.sym == local;
    if (times > 1 || (!same && times == 0)) return NULL;
    bool only = count_of(&m->readers, local) == 1 && count_of(&m->setters, local) == 0;
    if (!same && (before->kind != LOOP_DECL || !only)) return NULL;
    Replace r = {local, value};
    return node_with_op(m->cx, s, at, replace(m->cx, s->op[at], 0, &r));
}

// Merges two consecutive statements into one. Returns NULL if that is impossible.
static Node *merged(Merge *m, Node *before, Node *s)
{
    if (!is_assignment(before) || !(is_assignment(s) || s->kind == LOOP_STORE)) return NULL;
    Sym local = before->attr.sym;
    Node *one = with_value(m, before, s);
    if (!one) return NULL;
    if (s->kind != LOOP_SET || s->attr.sym != local) return one;
    if (mentions(s->op[0], local)) drop_one(&m->readers, local);
    drop_one(&m->setters, local);
    return node_with_op(m->cx, before, value_index(before), one->op[0]);
}

static Node *merge(void *env, Node *s)
{
    Merge *m = env;
    s = loops_map(m->cx, s, merge, m);
    if (s->kind != LOOP_BLOCK) return s;
    Stmts kept = {0};
    for (uint32_t i = 0; i < s->nops; i++) {
        Node *next = s->op[i], *one;
        while (kept.len > 0 && (one = merged(m, kept.at[kept.len - 1], next))) {
            next = one;
            kept.len--;
        }
        vec_push(m->cx->arena, &kept, next);
    }
    return loops_block(m->cx, kept.len, kept.at);
}

static LoopEntry *merge_entry(Session *cx, const LoopEntry *e)
{
    Merge m = {cx, map_new(cx->arena), map_new(cx->arena)};
    count(&m, e->body);
    return loops_with_body(cx, e, merge(&m, e->body));
}

LoopEntry *loops_forward(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, merge_entry);
}
