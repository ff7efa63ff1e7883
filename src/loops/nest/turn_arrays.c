// Data layout transformation (Kandemir, Choudhary, Ramanujam, Banerjee, Improving Locality Using
// Loop and Data Transformations in an Integrated Framework, 1998): a temporary array whose rows are
// computed one after the other, and which is then transposed into a result, is built in the result.
//
//   for j { .. t[j*n + e] .. }  for i to n { for j to m { out[i*m + j] = t[j*n + i] } }
//
//   = for j { .. out[e*m + j] .. }
//
// This is legal if `out` is not accessed otherwise, and each e is a position in the row. It pays if
// the loop over j can then go along the rows of the result, which the caller decides.
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

// The array, and the loops that transpose it.
typedef struct {
    Session *cx;
    Sym array, out;
    Node *alloc, *copy;
    Node *length, *count; // of a row; of the rows
    Node *loop;           // computes a row in each iteration
    bool fits;
} Turned;

static bool is_from_zero(Session *cx, Node *loop)
{
    bool counted = loop->kind == LOOP_FOR || loop->kind == LOOP_PARALLEL;
    return counted && loops_from(loop) == nat_const(cx, 0);
}

// Whether the statement transposes an array into another one. Both then have `length` * `count`
// elements.
static bool is_transposition(Turned *t, Node *s)
{
    Session *cx = t->cx;
    if (!is_from_zero(cx, s) || !is_from_zero(cx, loops_body(s))) return false;
    Node *inner = loops_body(s), *store = loops_body(inner);
    if (store->kind != LOOP_STORE || store->op[1]->kind != LOOP_LOAD) return false;
    Node *i = nat_var(cx, s->attr.sym), *j = nat_var(cx, inner->attr.sym), *load = store->op[1];
    t->copy = s;
    t->length = loops_to(s);
    t->count = loops_to(inner);
    t->out = store->attr.sym;
    t->array = load->attr.sym;
    return !nat_occurs(t->count, i) && load->op[0] == nat_add(cx, nat_mul(cx, j, t->length), i) &&
           store->op[0] == nat_add(cx, nat_mul(cx, i, t->count), j);
}

typedef struct {
    Sym buffer;
    int times;
} Accesses;

static void count_access(Node *access, void *env)
{
    Accesses *a = env;
    a->times += access->attr.sym == a->buffer;
}

// Whether the buffer is a result that the entry accesses only once.
static bool is_result(Session *cx, const LoopEntry *entry, Sym buffer)
{
    bool output = false;
    for (int i = 0; i < entry->params.len; i++) {
        const LoopParam *p = &entry->params.at[i];
        output |= p->name == buffer && p->output && !p->both;
    }
    Map seen = map_new(cx->arena);
    Accesses a = {buffer, 0};
    if (output) loops_accesses(entry->body, &seen, count_access, &a);
    return a.times == 1;
}

// The position of an access within the row of the iteration.
static Node *place_in_row(const Turned *t, Node *position)
{
    Session *cx = t->cx;
    Node *row = nat_mul(cx, nat_var(cx, t->loop->attr.sym), t->length);
    return nat_sub(cx, position, row);
}

// Checks that the accesses to the array are in the row of the iteration. `f` has the ranges of the
// loops around the node.
static void check_accesses(Turned *t, const Facts *f, Node *n)
{
    Session *cx = t->cx;
    if (node_is_size_or_type(n)) return;
    if (loops_names_buffer(n) && n->attr.sym == t->array) {
        Node *place = place_in_row(t, n->op[0]), *zero = nat_const(cx, 0);
        t->fits &= n->kind == LOOP_LOAD || n->kind == LOOP_STORE;
        t->fits &= !nat_occurs(place, nat_var(cx, t->loop->attr.sym));
        t->fits &= nat_le(cx, f, zero, place) == TRUTH_YES;
        t->fits &= nat_lt(cx, f, place, t->length) == TRUTH_YES;
    }
    Facts *inside = NULL;
    if (loops_is_counted(n)) {
        inside = facts_new(cx, cx->arena, f);
        facts_range(inside, n->attr.sym, loops_from(n), loops_to(n));
    }
    for (uint32_t i = 0; i < n->nops && t->fits; i++)
        check_accesses(t, inside ? inside : f, n->op[i]);
}

static Node *turned(Session *cx, Node *n, void *env)
{
    const Turned *t = env;
    if (!loops_names_buffer(n) || n->attr.sym != t->array) return n;
    Node *place = nat_mul(cx, place_in_row(t, n->op[0]), t->count);
    place = nat_add(cx, place, nat_var(cx, t->loop->attr.sym));
    return node_with_name(cx, node_with_op(cx, n, 0, place), t->out);
}

// Finds the allocation of the array and the loop that computes its rows, in the block before the
// transposition. Returns false if other statements access it.
static bool find_array(Turned *t, Node *block, uint32_t copy)
{
    for (uint32_t i = 0; i < block->nops; i++) {
        Node *s = block->op[i];
        if (s->kind == LOOP_ALLOC && s->attr.sym == t->array) {
            t->alloc = s;
        } else if (i != copy && loops_mentions(s, t->array)) {
            if (t->loop || i > copy || !is_from_zero(t->cx, s)) return false;
            t->loop = s;
        }
    }
    return t->alloc && t->loop && loops_to(t->loop) == t->count &&
           t->alloc->op[1] == nat_mul(t->cx, t->length, t->count);
}

// The facts that hold where the array is accessed: it has elements.
static Facts *facts_at_access(const Turned *t, const Facts *before)
{
    Facts *f = facts_new(t->cx, t->cx->arena, before);
    facts_ge0(f, nat_sub(t->cx, t->length, nat_const(t->cx, 1)));
    facts_ge0(f, nat_sub(t->cx, t->count, nat_const(t->cx, 1)));
    return f;
}

static Node *without_array(const Turned *t, Node *block, Node *loop)
{
    Stmts out = {0};
    for (uint32_t i = 0; i < block->nops; i++) {
        Node *s = block->op[i];
        if (s == t->alloc || s == t->copy) continue;
        vec_push(t->cx->arena, &out, s == t->loop ? loop : s);
    }
    return loops_block(t->cx, out.len, out.at);
}

Node *loops_turn_array(Session *cx, const LoopEntry *entry, const Facts *facts, Node *block,
                       LoopsInterchanged *interchanged, void *env)
{
    for (uint32_t i = 0; i < block->nops; i++) {
        Turned t = {.cx = cx, .fits = true};
        if (!is_transposition(&t, block->op[i]) || !is_result(cx, entry, t.out)) continue;
        if (!find_array(&t, block, i)) continue;
        check_accesses(&t, facts_at_access(&t, facts), t.loop);
        if (!t.fits) continue;
        Node *loop = interchanged(env, node_rewrite(cx, t.loop, turned, &t));
        if (loop) return without_array(&t, block, loop);
    }
    return NULL;
}
