// To wake threads takes some microseconds. A parallel loop over little work stays on one thread: at once where that is known,
// else when it runs. It asks for 1 thread where its iterations times the operations of its body, a size, are below a threshold. Even that takes
// a microsecond, to make a team of one thread, so a loop with a short body is written twice: on threads and in order.
//
// The work is what the loops say: a loop whose bounds change with the index of one around it counts as where that begins, or ends if that
// is known to be more. What is done in parts, one for each thread, is the work of a single part that is all. Where nothing can be said
// (calls, loops without bounds, bounds from memory) it is taken to be enough.
#include "loops/simplify/simplify.h"

enum {
    // operations: a few us where they become vectors, tens of us where they do not; to wake a thread takes 1 to 10 us
    LITTLE_WORK = 1 << 16,
    FUNCTION_WORK = 10, // a square root, an exponential
    MAX_SIZE = 60,      // nodes of the size: what is longer is not worth computing
    SHORT_BODY = 80     // nodes
};

typedef struct {
    Session *cx;
    Simplifier *s;
    const Facts *facts;
    Map changed; // locals that are set
    bool unknown;
    bool integers; // some name may be any integer
} Worth;

typedef struct {
    Simplifier known;
    const LoopEntry *entry;
} Weigh;

static Node *work_of(Worth *w, Node *n);

static int operations(Node *n)
{
    if (loops_is_load(n) || loops_is_store(n)) return 1;
    if (n->kind != CORE_PRIM) return 0;
    const PrimInfo *p = &prim_info[n->attr.i];
    return p->arity == 1 && p->operands == ON_FLOAT ? FUNCTION_WORK : 1;
}

static Node *replaced(Worth *w, Node *work, Sym name, Node *value)
{
    return node_replace_names(w->cx, work, &(NodeBinding){name, value}, 1);
}

static Node *work_of_parts(Worth *w, Node *n)
{
    Node *sum = nat_const(w->cx, operations(n));
    for (uint32_t i = 0; i < n->nops; i++) sum = nat_add(w->cx, sum, work_of(w, n->op[i]));
    return sum;
}

// From the end, so that locals that stand in what follows give way to their values.
static Node *work_of_block(Worth *w, Node *block)
{
    Node *sum = nat_const(w->cx, 0);
    for (uint32_t i = block->nops; i-- > 0;) {
        Node *s = block->op[i];
        bool size = s->kind == LOOP_DECL && s->op[1]->kind == CORE_NAT &&
                    !map_get(&w->changed, MAP_KEY(s->attr.sym));
        if (size) sum = replaced(w, sum, s->attr.sym, s->op[1]->op[0]);
        sum = nat_add(w->cx, sum, work_of(w, s));
    }
    return sum;
}

// What depends on the index, in the first round or the last one, if there are any.
static Node *work_of_round(Worth *w, Node *loop, Node *work)
{
    Session *cx = w->cx;
    Node *from = loops_from(loop), *end = nat_sub(cx, loops_to(loop), nat_const(cx, 1));
    Facts *facts = facts_new(cx, cx->arena, w->facts);
    facts_ge0(facts, nat_sub(cx, end, from));
    Node *first = replaced(w, work, loop->attr.sym, from);
    Node *last = replaced(w, work, loop->attr.sym, end);
    return nat_le(cx, facts, first, last) == TRUTH_YES ? last : first;
}

// The loop as far as it matters: with bounds from data no more iterations than are enough work
// anyway.
static Node *loop_of_work(Worth *w, Node *loop)
{
    Session *cx = w->cx;
    Node *from = loops_from(loop), *enough = nat_const(cx, LITTLE_WORK);
    if (simplifier_has_lengths(w->s, loop)) return loop;
    if (!simplifier_is_length(w->s, from)) w->unknown = true;
    Node *to = simplifier_clamped(w->s, loops_to(loop), from, nat_add(cx, from, enough));
    return node_with_op(cx, loop, (int)loop->nops - 2, to);
}

static Node *work_of_loop(Worth *w, Node *loop)
{
    Session *cx = w->cx;
    Node *work = work_of(w, loops_body(loop));
    loop = loop_of_work(w, loop);
    if (nat_occurs(work, nat_var(cx, loop->attr.sym))) work = work_of_round(w, loop, work);
    Node *rounds = nat_sub(cx, loops_to(loop), loops_from(loop));
    if (loop->kind == LOOP_STRIDED) rounds = nat_div(cx, rounds, loop->op[0]);
    return nat_mul(cx, rounds, work);
}

static Node *work_of(Worth *w, Node *n)
{
    if (kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return nat_const(w->cx, 0);
    switch ((Kind)n->kind) {
    case LOOP_FOREVER:
    case LOOP_CALL:
    case LOOP_SPAWN:
    case LOOP_SYNC: w->unknown = true; return nat_const(w->cx, 0);
    case LOOP_BLOCK: return work_of_block(w, n);
    case LOOP_FOR:
    case LOOP_STRIDED:
    case LOOP_VECTORIZE:
    case LOOP_PARALLEL: return work_of_loop(w, n);
    default: return work_of_parts(w, n);
    }
}

// A name that only the iterations have; one that may be any integer.
static void look_for_own(Node *atom, void *env)
{
    Worth *w = env;
    if (atom->kind == NAT_VAR && map_get(&w->changed, MAP_KEY(atom->attr.sym))) w->unknown = true;
    if (!simplifier_is_length(w->s, atom)) w->integers = true;
}

typedef struct {
    const LoopEntry *entry;
    bool local;
} Names;

static void look_for_local(Node *atom, void *env)
{
    Names *names = env;
    const LoopEntry *e = names->entry;
    bool known = atom->kind != NAT_VAR || atom->attr.sym == e->helpers;
    for (int i = 0; !known && i < e->sizes.len; i++) known = e->sizes.at[i] == atom->attr.sym;
    names->local |= !known;
}

// The work where a single thread does all parts. Sizes are taken to be at least 1: where one is 0 there is no work. A local, which stays as
// it is, may say how long parts are.
static Node *of_one_part(const Weigh *in, Worth *w, Node *work)
{
    Session *cx = w->cx;
    Facts *facts = facts_new(cx, cx->arena, w->facts);
    Names names = {.entry = in->entry};
    nat_atoms(cx, work, look_for_local, &names);
    if (names.local) return nat_simplify(cx, facts, work);
    for (int i = 0; i < in->entry->sizes.len; i++)
        facts_ge0(facts, nat_sub(cx, nat_var(cx, in->entry->sizes.at[i]), nat_const(cx, 1)));
    work = replaced(w, work, in->entry->helpers, nat_const(cx, 0));
    return nat_simplify(cx, facts, work);
}

// The work of all iterations, over what is known before the loop; NULL when nothing can be said.
static Node *work_before(Weigh *in, Node *loop)
{
    Session *cx = in->known.cx;
    Worth w = {.cx = cx, .s = &in->known, .facts = in->known.facts, .changed = map_new(cx->arena)};
    loops_changed(loop, &w.changed);
    Node *work = work_of_loop(&w, loop);
    work = in->entry->helpers ? of_one_part(in, &w, work) : nat_simplify(cx, w.facts, work);
    work =
        nat_total(cx, w.facts, work); // where there are no iterations, it is computed all the same
    loops_bound(loop, &w.changed);
    nat_atoms(cx, work, look_for_own, &w);
    if (w.integers && !simplifier_is_length(w.s, work)) return NULL;
    return w.unknown || size_weight(work, MAX_SIZE) > MAX_SIZE ? NULL : work;
}

static Node *twice(Session *cx, Node *loop, Node *enough)
{
    Node *ops[3] = {enough, loop, loops_copy(cx, loops_in_order(cx, loop), NULL, NULL)};
    NodeSpec branch = {.kind = LOOP_IF, .nops = 3, .ops = ops, .origin = loop->origin};
    return node_make(cx, &branch);
}

static Node *weighed(const Simplifier *known, Node *loop, Node *work)
{
    Session *cx = known->cx;
    Node *type = type_scalar(cx, SCALAR_I32), *enough = nat_const(cx, LITTLE_WORK);
    Truth less = nat_lt(cx, known->facts, work, enough);
    if (less != TRUTH_UNKNOWN) return less == TRUTH_YES ? loops_in_order(cx, loop) : loop;
    Node *sides[2] = {core_size(cx, enough), core_size(cx, work)};
    Node *ops[3] = {core_prim(cx, PRIM_LE, 2, sides), core_int(cx, type, 0), core_int(cx, type, 1)};
    if (loops_weight(loops_body(loop), SHORT_BODY) < SHORT_BODY) return twice(cx, loop, ops[0]);
    Node *threads =
        node_make(cx, &(NodeSpec){.kind = LOOP_SELECT, .type = type, .nops = 3, .ops = ops});
    return node_with_op(cx, loop, 0, threads);
}

static Node *weigh(void *env, Node *s)
{
    Weigh *in = env;
    bool all = s->kind == LOOP_PARALLEL && s->op[0]->kind == CORE_LIT && s->op[0]->attr.i == 0;
    Node *work = all ? work_before(in, s) : NULL;
    s = simplifier_map(&in->known, s, weigh, env);
    return work ? weighed(&in->known, s, work) : s;
}

static LoopEntry *weigh_entry(Session *cx, const LoopEntry *e)
{
    Weigh in = {simplifier_new(cx, e), e};
    return loops_with_body(cx, e, weigh(&in, e->body));
}

LoopEntry *loops_parallel_threshold(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, weigh_entry);
}
