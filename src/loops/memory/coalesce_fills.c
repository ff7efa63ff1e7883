// Coalesces nested loops that fill consecutive rows with one value into a single loop, which C
// compilers turn into one call of memset (loop coalescing; Polychronopoulos, Loop Coalescing: A
// Compiler Transformation for Parallel Machines, ICPP 1987):
//
//   for i in 0 .. n
//       for j in 0 .. m                becomes      for p in 0 .. n*m
//           a[i*m + j] = 0                              a[p] = 0
#include "loops/simplify/simplify.h"

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    Simplifier known;
} Pass;

// Whether the statement is two loops around a store of a literal.
static bool is_fill(Node *s, void *env)
{
    (void)env;
    Node *row = s->kind == LOOP_FOR ? loops_body(s) : NULL;
    Node *store = row && row->kind == LOOP_FOR ? loops_body(row) : NULL;
    return store && store->kind == LOOP_STORE && store->op[1]->kind == CORE_LIT;
}

static bool is_plain(const Pass *p, Node *loop)
{
    return loop->variant == VARIANT_ANY && !loops_chosen_by(p->cx, p->entry, loop);
}

// The number of iterations of the loop, or NULL if it may be negative.
static Node *extent_of(const Pass *p, Node *loop)
{
    Node *extent = nat_sub(p->cx, loops_to(loop), loops_from(loop));
    return nat_ge0(p->cx, p->known.facts, extent) == TRUTH_YES ? extent : NULL;
}

// Returns the nest as one loop, or NULL if it does not fill consecutive rows.
static Node *coalesced(Pass *p, Node *rows)
{
    Session *cx = p->cx;
    if (!is_fill(rows, NULL)) return NULL;
    Node *row = loops_body(rows), *store = loops_body(row), *position = store->op[0];
    if (!is_plain(p, rows) || !is_plain(p, row)) return NULL;
    Node *count = extent_of(p, rows), *size = extent_of(p, row);
    if (!count || !size || nat_occurs(size, nat_var(cx, rows->attr.sym))) return NULL;
    if (nat_occurs(loops_from(row), nat_var(cx, rows->attr.sym))) return NULL;
    if (loops_stride(cx, position, row->attr.sym) != nat_const(cx, 1)) return NULL;
    if (loops_stride(cx, position, rows->attr.sym) != size) return NULL;
    Node *all = nat_mul(cx, count, size);
    if (!simplifier_is_length(&p->known, all) && !simplifier_fits(&p->known, all)) return NULL;
    Node *first = loops_at(cx, position, row->attr.sym, loops_from(row));
    first = loops_at(cx, first, rows->attr.sym, loops_from(rows));
    Sym index = sym_fresh(cx->syms, row->attr.sym->text);
    Node *body = node_with_op(cx, store, 0, nat_add(cx, first, nat_var(cx, index)));
    return loops_counted(cx, index, nat_const(cx, 0), all, body, rows->origin);
}

static Node *coalesce(void *env, Node *s)
{
    Pass *p = env;
    s = simplifier_map(&p->known, s, coalesce, p);
    Node *done = s->kind == LOOP_FOR ? coalesced(p, s) : NULL;
    return done ? done : s;
}

static LoopEntry *coalesce_entry(Session *cx, const LoopEntry *e)
{
    if (!loops_any(e->body, is_fill, NULL)) return loops_with_body(cx, e, e->body);
    Pass p = {cx, e, simplifier_new(cx, e)};
    return loops_with_body(cx, e, coalesce(&p, e->body));
}

LoopEntry *loops_coalesce_fills(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, coalesce_entry);
}
