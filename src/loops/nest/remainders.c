// Which remainders of its index the body of a loop computes: in conditions, and in an innermost
// loop in positions as well, quotients included (outside of it a division costs little).
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

typedef struct {
    Session *cx;
    Node *index;
    bool few;
    bool positions; // those in positions count, too
    Map inner;      // names that the body brings into scope
    Map seen;
    Remainder *out;
    bool found;
} Finder;

static bool is_invariant(Finder *f, Node *e)
{
    return !nat_occurs(e, f->index) && !loops_reads_any(f->cx, e, &f->inner);
}

static void found_remainder(Finder *f, Node *e, Node *divisor)
{
    Session *cx = f->cx;
    int64_t c;
    bool few = nat_is_const(divisor, &c) && c <= LOOPS_FEW_RESIDUES;
    if (few != f->few || !nat_occurs(e, f->index) || !is_invariant(f, divisor)) return;
    f->out->divisor = divisor;
    f->found = loops_is_linear(cx, e, f->index->attr.sym, &f->out->a, &f->out->rest) &&
               is_invariant(f, f->out->rest);
}

// A quotient in a condition need not be known for the condition to be.
static void find_in_sizes(Finder *f, Node *n)
{
    if (n->kind == NAT_MOD || (n->kind == NAT_DIV && f->positions))
        found_remainder(f, n->op[0], n->op[1]);
    for (uint32_t k = 0; k < n->nops && !f->found; k++) find_in_sizes(f, n->op[k]);
}

static void find(Finder *f, Node *n)
{
    if (f->found || kind_info[n->kind].levels & LEVEL_TYPE) return;
    if (kind_info[n->kind].levels & LEVEL_NAT) {
        if (f->positions) find_in_sizes(f, n);
        return;
    }
    if (map_get(&f->seen, MAP_KEY(n))) return;
    map_put(&f->seen, MAP_KEY(n), f);
    if (n->kind == LOOP_IF || n->kind == LOOP_SELECT) find_in_sizes(f, n->op[0]);
    for (uint32_t k = 0; k < n->nops; k++) find(f, n->op[k]);
}

bool loops_find_remainder(Session *cx, Node *loop, bool few, Remainder *out)
{
    Finder f = {.cx = cx,
                .index = nat_var(cx, loop->attr.sym),
                .few = few,
                .positions = !loops_has_loop(loops_body(loop)),
                .inner = map_new(cx->arena),
                .seen = map_new(cx->arena),
                .out = out};
    loops_bound(loops_body(loop), &f.inner);
    find(&f, loops_body(loop));
    return f.found;
}
