// Waking threads takes several microseconds, so a parallel loop with little work runs on one
// thread. The decision is made at compile time if possible. Otherwise, the loop requests 1 thread
// at run time if its work, a size expression (iterations times operations in the body), is below a
// threshold. Even a team of one thread takes a microsecond to start, so a loop with a short body
// also gets a sequential version.
//
// The work is estimated from trip counts. The work of a loop whose bounds depend on the index of an
// enclosing loop is estimated for the first iteration of that loop, or for the last one if that is
// known to be more. An operation in a loop that the C compiler vectorises counts as a fraction of
// one. If the loop runs over parts, one for each thread, the estimate assumes a single
// part that has all iterations. Without an estimate (calls, endless loops), the loop runs on all
// threads.
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

enum {
    // A number of operations on scalars or vectors, which take about 10 us. Waking a thread takes 1
    // to 10 us.
    LITTLE_WORK = 1 << 15,
    UNIT = LOOPS_MOST_C_LANES, // the work of an operation, of which a lane has a fraction
    C_VECTOR_BYTES = LOOPS_MOST_C_LANES,
    ENOUGH = LITTLE_WORK * UNIT,
    FUNCTION_WORK = 10, // a square root or an exponential counts as this many operations
    MAX_SIZE = 60,      // maximum number of nodes in a size worth computing
    SHORT_BODY = 500    // a body with fewer nodes is short
};

typedef struct {
    Session *cx;
    Simplifier *s;
    const Facts *facts;
    Map changed; // locals that are set or passed by address
    int unit;    // the work of an operation
    bool unknown;
    bool integers; // some name may be an arbitrary integer
} Worth;

typedef struct {
    Simplifier known;
    const LoopEntry *entry;
} Weigh;

static Node *work_of(Worth *w, Node *n);

// The number of accesses to vectors as long as those of C compilers that one to this type takes.
static int accesses(Node *type)
{
    int64_t lanes = 1;
    Scalar s;
    if (!type_is_vec(type, &lanes) || !type_is_scalar(type_lane(type), &s)) return 1;
    int64_t bytes = lanes * scalar_info[s].size;
    return bytes > C_VECTOR_BYTES ? (int)(bytes / C_VECTOR_BYTES) : 1;
}

static int operations(Node *n)
{
    if (loops_is_load(n)) return accesses(n->type);
    if (loops_is_store(n)) return accesses(n->op[1]->type);
    if (n->kind != CORE_PRIM) return 0;
    const PrimInfo *p = &prim_info[n->attr.i];
    return p->arity == 1 && p->operands == ON_FLOAT ? FUNCTION_WORK : 1;
}

static Node *work_of_parts(Worth *w, Node *n)
{
    Node *sum = nat_const(w->cx, w->unit * operations(n));
    for (uint32_t i = 0; i < n->nops; i++) sum = nat_add(w->cx, sum, work_of(w, n->op[i]));
    return sum;
}

// Adds up the work of the statements in a block. Goes backwards, so that locals in the work of
// later statements are replaced with their values.
static Node *work_of_block(Worth *w, Node *block)
{
    Node *sum = nat_const(w->cx, 0);
    for (uint32_t i = block->nops; i-- > 0;) {
        Node *s = block->op[i];
        bool size = s->kind == LOOP_DECL && s->op[1]->kind == CORE_NAT &&
                    !map_get(&w->changed, MAP_KEY(s->attr.sym));
        if (size) sum = loops_at(w->cx, sum, s->attr.sym, s->op[1]->op[0]);
        sum = nat_add(w->cx, sum, work_of(w, s));
    }
    return sum;
}

// The work of the first iteration, or of the last one if it is known to be more.
static Node *work_of_iteration(Worth *w, Node *loop, Node *work)
{
    Session *cx = w->cx;
    Node *from = loops_from(loop), *end = nat_sub(cx, loops_to(loop), nat_const(cx, 1));
    Facts *facts = facts_new(cx, cx->arena, w->facts);
    facts_ge0(facts, nat_sub(cx, end, from));
    Node *first = loops_at(cx, work, loop->attr.sym, from);
    Node *last = loops_at(cx, work, loop->attr.sym, end);
    return nat_le(cx, facts, first, last) == TRUTH_YES ? last : first;
}

// Returns the loop with bounds that are safe to compute. An upper bound that comes from data is
// clamped to a trip count of at most `most`, which is enough work by itself. If the lower
// bound comes from data, the work is unknown.
static Node *loop_of_work(Worth *w, Node *loop, int most)
{
    Session *cx = w->cx;
    Node *from = loops_from(loop), *enough = nat_const(cx, most);
    if (simplifier_has_lengths(w->s, loop)) return loop;
    if (!simplifier_is_length(w->s, from)) w->unknown = true;
    Node *to = simplifier_clamped(w->s, loops_to(loop), from, nat_add(cx, from, enough));
    return node_with_op(cx, loop, (int)loop->nops - 2, to);
}

// Whether the loop goes around a border: of an array whose borders are joined, it begins before the
// first element, and has one or two iterations.
static bool is_around(const Worth *w, Node *loop)
{
    Node *from = loops_from(loop);
    return loop->kind == LOOP_STRIDED && !simplifier_is_length(w->s, from) &&
           !loops_reads_any(w->cx, from, &w->s->integers);
}

static Node *work_of_loop(Worth *w, Node *loop)
{
    Session *cx = w->cx;
    if (is_around(w, loop))
        return nat_const(cx, UNIT * loops_weight(loops_body(loop), LITTLE_WORK));
    int lanes = loops_c_lanes(cx, loop);
    w->unit = UNIT / lanes;
    Node *work = work_of(w, loops_body(loop));
    w->unit = UNIT;
    loop = loop_of_work(w, loop, LITTLE_WORK * lanes);
    if (nat_occurs(work, nat_var(cx, loop->attr.sym))) work = work_of_iteration(w, loop, work);
    Node *times = nat_sub(cx, loops_to(loop), loops_from(loop));
    if (loop->kind == LOOP_STRIDED) times = nat_div(cx, times, loop->op[0]);
    return nat_mul(cx, times, work);
}

static Node *work_of(Worth *w, Node *n)
{
    if (node_is_size_or_type(n)) return nat_const(w->cx, 0);
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

// Notes whether the work depends on names bound in the loop, or on arbitrary integers.
static void note_own(Node *atom, void *env)
{
    Worth *w = env;
    if (atom->kind == NAT_VAR && map_get(&w->changed, MAP_KEY(atom->attr.sym))) w->unknown = true;
    if (!simplifier_is_length(w->s, atom)) w->integers = true;
}

typedef struct {
    const LoopEntry *entry;
    bool local;
} Names;

static void note_local(Node *atom, void *env)
{
    Names *names = env;
    const LoopEntry *e = names->entry;
    bool known = atom->kind != NAT_VAR || atom->attr.sym == e->helpers;
    for (int i = 0; !known && i < e->sizes.len; i++) known = e->sizes.at[i] == atom->attr.sym;
    names->local |= !known;
}

// The work of a single part that has all iterations. Sizes are assumed to be at least 1, since
// otherwise there is no work. A local may hold the length of the parts, so the number of threads is
// not substituted in work that depends on locals.
static Node *of_one_part(const Weigh *in, Worth *w, Node *work)
{
    Session *cx = w->cx;
    Facts *facts = facts_new(cx, cx->arena, w->facts);
    Names names = {.entry = in->entry};
    nat_atoms(cx, work, note_local, &names);
    if (names.local) return nat_simplify(cx, facts, work);
    for (int i = 0; i < in->entry->sizes.len; i++)
        facts_ge0(facts, nat_sub(cx, nat_var(cx, in->entry->sizes.at[i]), nat_const(cx, 1)));
    work = loops_at(cx, work, in->entry->helpers, nat_const(cx, 0));
    return nat_simplify(cx, facts, work);
}

// The terms of the work that matter most, as many as are worth computing, or NULL. Those of a sum
// are ordered by degree. Terms that are subtracted are left out: what they are subtracted from might
// be left out, too, and then the estimate would be negative.
static Node *main_terms(Session *cx, Node *work)
{
    Node *sum = NULL;
    if (size_weight(work, MAX_SIZE) <= MAX_SIZE) return work;
    for (uint32_t i = 0; work->kind == NAT_SUM && i < work->nops; i++) {
        if (work->op[i]->kind == NAT_PRODUCT && work->op[i]->attr.i < 0) continue;
        Node *more = sum ? nat_add(cx, sum, work->op[i]) : work->op[i];
        if (size_weight(more, MAX_SIZE) > MAX_SIZE) break;
        sum = more;
    }
    return sum;
}

// The work of all iterations as a size that can be computed before the loop, or NULL if it is
// unknown.
static Node *work_before(Weigh *in, Node *loop)
{
    Session *cx = in->known.cx;
    Worth w = {.cx = cx,
               .s = &in->known,
               .facts = in->known.facts,
               .changed = map_new(cx->arena),
               .unit = UNIT};
    loops_changed(loop, &w.changed);
    Node *work = work_of_loop(&w, loop);
    work = in->entry->helpers ? of_one_part(in, &w, work) : nat_simplify(cx, w.facts, work);
    work = main_terms(cx, work);
    if (!work) return NULL;
    work = nat_total(cx, w.facts, work); // it is computed even if there are no iterations
    loops_bound(loop, &w.changed);
    nat_atoms(cx, work, note_own, &w);
    if (w.integers && !simplifier_is_length(w.s, work)) return NULL;
    return w.unknown || size_weight(work, MAX_SIZE) > MAX_SIZE ? NULL : work;
}

static Node *twice(Session *cx, Node *loop, Node *enough)
{
    Node *sequential = loops_copy(cx, loops_sequential(cx, loop), NULL, NULL);
    return loops_if(cx, enough, loop, sequential, loop->origin);
}

// Divides the work and what is enough of it by two, up to UNIT in all, as long as nothing is left
// over.
static Node *reduced(Session *cx, Node *work, int64_t *enough)
{
    for (*enough = ENOUGH; *enough > LITTLE_WORK; *enough /= 2) {
        Node *two = nat_const(cx, 2), *half = nat_div(cx, work, two);
        if (nat_mul(cx, half, two) != work) break;
        work = half;
    }
    return work;
}

static bool is_division(Node *n, void *env)
{
    (void)env;
    return n->kind == NAT_DIV;
}

// Whether the loop has several iterations, in addition to `enough` work: one over blocks may have a
// single one, however much work that is.
static Node *and_several(const Simplifier *known, Node *loop, Node *enough)
{
    Session *cx = known->cx;
    Node *count = nat_sub(cx, loops_to(loop), loops_from(loop)), *one = nat_const(cx, 1);
    bool divides = node_any(count, is_division, NULL);
    if (!divides || nat_lt(cx, known->facts, one, count) == TRUTH_YES) return enough;
    return loops_select(cx, loops_compare(cx, PRIM_LT, one, count), enough, core_bool(cx, false));
}

static Node *weighed(const Simplifier *known, Node *loop, Node *work)
{
    Session *cx = known->cx;
    int64_t least;
    work = reduced(cx, work, &least);
    Node *type = type_scalar(cx, SCALAR_I32), *enough = nat_const(cx, least);
    Truth less = nat_lt(cx, known->facts, work, enough);
    if (less != TRUTH_UNKNOWN) return less == TRUTH_YES ? loops_sequential(cx, loop) : loop;
    Node *parallel = and_several(known, loop, loops_compare(cx, PRIM_LE, enough, work));
    if (loops_weight(loops_body(loop), SHORT_BODY) < SHORT_BODY) return twice(cx, loop, parallel);
    Node *threads = loops_select(cx, parallel, core_int(cx, type, 0), core_int(cx, type, 1));
    return node_with_op(cx, loop, 0, threads);
}

static Node *weigh(void *env, Node *s)
{
    Weigh *in = env;
    bool all = s->kind == LOOP_PARALLEL && s->op[0]->kind == CORE_LIT && s->op[0]->attr.i <= 0;
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
