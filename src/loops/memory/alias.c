// Elementwise dependence: whether a loop may store one array in the memory of another that it
// loads. Each element may be loaded only in the iteration that stores the element at the same
// position, before that store.
#include "loops/memory/memory.h"
#include "loops/simplify/simplify.h"

enum { MOST_LOOPS = 16 };

typedef struct {
    Session *cx;
    Sym from, to;
    Node *loops[MOST_LOOPS]; // loops that enclose the stores, outermost first
    int n;
    Node *position;
    bool stored, good;
} Elementwise;

// --- positions of iterations ---------------------------------------------------------------------

bool loops_is_injective(Session *cx, const LoopEntry *entry, const Facts *facts, Node *const *loops,
                        int n, Node *position)
{
    Node *rest = position;
    for (int i = 0; i < n; i++) {
        Node *loop = loops[i], *step = loops_stride(cx, position, loop->attr.sym);
        Node *count = nat_sub(cx, loops_to(loop), loops_from(loop));
        if (!step || !loops_is_static(cx, entry, nat_mul(cx, step, count))) return false;
        rest = nat_sub(cx, rest, nat_mul(cx, step, nat_var(cx, loop->attr.sym)));
    }
    return n > 0 && loops_is_static(cx, entry, rest) &&
           loops_are_apart(cx, facts, position, loops, n);
}

// --- stores -------------------------------------------------------------------------------------

// Finds the loops that enclose the first store, and the store's position.
static bool find_store(Elementwise *w, Node *s)
{
    bool loop = loops_is_counted(s);
    if (s->kind == LOOP_FOREVER || s->kind == LOOP_SPAWN) return false;
    if (s->kind == LOOP_STORE && s->attr.sym == w->to) {
        w->position = s->op[0];
        return true;
    }
    if (loop && w->n == MOST_LOOPS) return false;
    if (loop) w->loops[w->n++] = s;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && find_store(w, s->op[i])) return true;
    w->n -= loop;
    return false;
}

// --- all accesses -------------------------------------------------------------------------------

static void check_accesses(Elementwise *w, Node *n, bool inside);

// Checks that loads from `from` are in the innermost loop, before the stores.
static void check_access(Elementwise *w, Node *n, bool inside)
{
    bool from = n->attr.sym == w->from, to = n->attr.sym == w->to;
    if (n->kind != LOOP_LOAD && n->kind != LOOP_STORE && (from || to)) w->good = false;
    if (n->kind == LOOP_LOAD && from) w->good &= inside && !w->stored && n->op[0] == w->position;
    if (n->kind == LOOP_STORE && from) w->good = false;
    if (n->kind == LOOP_STORE && to) {
        check_accesses(w, n->op[1], inside);
        w->good &= inside && n->op[0] == w->position;
        w->stored = true;
    }
}

static void check_accesses(Elementwise *w, Node *n, bool inside)
{
    if (!w->good || node_is_size_or_type(n)) return;
    bool names = loops_names_buffer(n), innermost = n == w->loops[w->n - 1];
    bool unordered = n->kind == LOOP_FOREVER || n->kind == LOOP_SPAWN;
    if (unordered && loops_mentions(n, w->to)) w->good = false;
    if (names) check_access(w, n, inside);
    if (n->kind == LOOP_STORE && n->attr.sym == w->to) return;
    for (uint32_t i = 0; i < n->nops; i++) check_accesses(w, n->op[i], inside || innermost);
}

bool loops_is_elementwise(Session *cx, const LoopEntry *entry, const Facts *facts, Node *loop,
                          Sym from, Sym to)
{
    Elementwise w = {.cx = cx, .from = from, .to = to, .good = true};
    if (!find_store(&w, loop)) return false;
    if (!loops_is_injective(cx, entry, facts, w.loops, w.n, w.position)) return false;
    check_accesses(&w, loop, false);
    return w.good;
}
