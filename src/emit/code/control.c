// Labels, jumps and loops. A jump to the target of a `break`, `continue` or `return` becomes that
// statement, and any other jump a goto. The memory of the blocks that a jump leaves is freed before
// the jump.
#include "emit/code/code.h"
#include "loops/ir/statements.h"

// --- places -------------------------------------------------------------------------------------

// Follows `p` outwards to the first place that is not the end of a label.
static const Place *final_place(const Place *p)
{
    while (p->kind == PLACE_LABEL) p = p->outer;
    return p;
}

// Whether control falls through from `p` to the end of the label.
static bool reaches(const Place *p, Sym label)
{
    for (; p->kind == PLACE_LABEL; p = p->outer)
        if (p->label == label) return true;
    return false;
}

bool places_end(const Place *place)
{
    return final_place(place)->kind == PLACE_END;
}

// Whether control at `behind` reaches the same point as control at `target`, the end of a label.
static bool is_same(const Place *behind, const Place *target)
{
    return reaches(behind, target->label) ||
           (final_place(behind) == final_place(target) && final_place(target)->kind != PLACE_NEXT);
}

// --- jumps --------------------------------------------------------------------------------------

void emit_free(Emitter *e, Node *alloc)
{
    const char *name = names_use(e, alloc->attr.sym);
    drop_array(e, name);
    emit_line(e, "free(%s);", name);
    emit_line(e, "%s = NULL;", name);
}

static const char *return_text(Emitter *e)
{
    const CFunction *f = e->function;
    return frame_has_end(e->frame) ? frame_exit(e)
           : f->gives ? arena_printf(e->arena, "return %s;", names_use(e, result_of(f)->name))
           : f->fails ? "return 0;"
                      : "return;";
}

static const char *target_text(Emitter *e, Place *target)
{
    const Place *end = final_place(target);
    const CLoop *loop = e->loop;
    if (end->kind == PLACE_ITERATION && e->frame->loop && end == e->frame->loop->next &&
        frame_has_end(e->frame))
        return frame_exit(e);
    if (loop && end == loop->next) return "continue;";
    if (loop && loop != e->frame->loop && is_same(loop->behind, target)) return "break;";
    if (end->kind == PLACE_END) return return_text(e);
    if (!target->name) target->name = names_label(e, target->label->text);
    return arena_printf(e->arena, "goto %s;", target->name);
}

static Place *target_of(Emitter *e, Node *jump)
{
    Place *target = map_get(&e->labels, MAP_KEY(jump->attr.sym));
    CHECK(e->cx, target, "a jump to %s, which is not around it", jump->attr.sym->text);
    return target;
}

bool jump_ends(Emitter *e, Node *jump)
{
    return places_end(target_of(e, jump));
}

const char *jump_text(Emitter *e, Node *s, const Place *here)
{
    Place *target = target_of(e, s);
    if (is_same(here, target)) return "";
    return e->open.len > target->heap ? NULL : target_text(e, target);
}

void emit_jump(Emitter *e, Node *s, const Place *here)
{
    Place *target = target_of(e, s);
    if (is_same(here, target)) return; // the blocks free their memory at their ends
    for (int i = e->open.len; i-- > target->heap;) emit_free(e, e->open.at[i]);
    emit_line(e, "%s", target_text(e, target));
}

void emit_label(Emitter *e, Node *s, const Place *place)
{
    Place *end = ARENA_NEW(e->arena, Place);
    *end = (Place){.kind = PLACE_LABEL, .outer = place, .label = s->attr.sym, .heap = e->open.len};
    map_put(&e->labels, MAP_KEY(s->attr.sym), end);
    if (e->kernel == DEVICE_CUDA) { // C++ forbids jumps past declarations in one block
        emit_line(e, "{");
        emit_body(e, s->op[0], end);
        emit_line(e, "}");
    } else {
        emit_stmt(e, s->op[0], end);
    }
    if (end->name) text_printf(e->out, "%s:;\n", end->name);
}

// --- loops over a range -------------------------------------------------------------------------

// Writes the source position of an outermost loop as a comment.
static void source_comment(Emitter *e, Node *s)
{
    Span at = s->origin;
    if (!e->options->source_comments || e->loop_depth > 0 || at.file == 0) return;
    int line, column;
    session_position(e->cx, at.file, at.lo, &line, &column);
    const char *path = e->cx->sources.at[at.file - 1]->path, *slash = strrchr(path, '/');
    emit_line(e, "// %s:%d", text_plain(e->arena, slash ? slash + 1 : path), line);
}

typedef struct {
    Place next;
    CLoop loop;
    Facts *facts;
} Body;

static void body_open(Emitter *e, Body *b, const Place *behind)
{
    b->next = (Place){.kind = PLACE_ITERATION, .heap = e->open.len};
    b->loop = (CLoop){e->loop, &b->next, behind};
    b->facts = e->facts;
    e->facts = facts_new(e->cx, e->arena, b->facts);
    e->loop = &b->loop;
    e->loop_depth++;
}

static void body_close(Emitter *e, Body *b)
{
    e->loop_depth--;
    e->loop = b->loop.outer;
    e->facts = b->facts;
}

// --- 32-bit indices -----------------------------------------------------------------------------
//
// A loop written over i32 has a 64-bit index that its body casts to i32. C compilers vectorise such
// arithmetic better when the index itself is an int32_t. It can have this type if the body only
// casts it, or uses it unchanged as a position.

static bool is_small(const Emitter *e, Node *size)
{
    if (size->kind == NAT_CONST) return size->attr.i >= INT32_MIN && size->attr.i <= INT32_MAX;
    return size->kind == NAT_VAR && map_get(&e->small, MAP_KEY(size->attr.sym));
}

static bool is_converted(Node *n, Node *index)
{
    return n->kind == CORE_CAST && emit_scalar_of(n->type) == SCALAR_I32 &&
           n->op[0]->kind == CORE_NAT && n->op[0]->op[0] == index;
}

typedef struct {
    Node *index;
    bool converted;
    Map seen;
} Uses;

// Whether all uses of the index in the node allow it to be an int32_t.
static bool fits(Uses *u, Node *n)
{
    if (kind_info[n->kind].levels & LEVEL_NAT) return !nat_occurs(n, u->index);
    if (is_converted(n, u->index)) return u->converted = true;
    if (map_get(&u->seen, MAP_KEY(n))) return true;
    map_put(&u->seen, MAP_KEY(n), u);
    bool at = n->kind == LOOP_LOAD || n->kind == LOOP_STORE;
    for (uint32_t i = at && n->op[0] == u->index; i < n->nops; i++)
        if (!fits(u, n->op[i])) return false;
    return true;
}

static bool is_narrow(Emitter *e, Node *s)
{
    Uses u = {nat_var(e->cx, s->attr.sym), false, map_new(e->arena)};
    return s->kind == LOOP_FOR && is_small(e, loops_from(s)) && is_small(e, loops_to(s)) &&
           fits(&u, loops_body(s)) && u.converted;
}

// `end` is a local that holds the bound, or NULL.
static void for_head(Emitter *e, Node *s, const char *end)
{
    bool narrow = is_narrow(e, s);
    const char *type = narrow ? "int32_t" : emit_position_ctype(e, s->attr.sym);
    if (narrow) map_put(&e->narrow, MAP_KEY(s->attr.sym), e);
    const char *from = size_text(e, loops_from(s), PREC_ANY);
    const char *to = end ? end : size_text(e, loops_to(s), PREC_ADD);
    const char *by = s->kind == LOOP_STRIDED ? size_text(e, s->op[0], PREC_ANY) : NULL;
    const char *i = names_declare(e, s->attr.sym, true);
    if (s->kind == LOOP_PARALLEL && e->kernel) {
        kernel_loop_head(e, s, i, to);
        return;
    }
    const char *next =
        by ? arena_printf(e->arena, "%s += %s", i, by) : arena_printf(e->arena, "%s++", i);
    emit_line(e, "for (%s %s = %s; %s < %s; %s) {", type, i, from, i, to, next);
}

// Emits a loop over a range, up to `end` (see for_head). `frame` is the frame of an iteration of a
// parallel loop, or NULL.
static void counted_loop(Emitter *e, Node *s, const char *end, Frame *frame, const Place *behind)
{
    Body b;
    for_head(e, s, end);
    body_open(e, &b, behind);
    facts_range(e->facts, s->attr.sym, loops_from(s), loops_to(s));
    if (frame) {
        frame->loop = &b.loop;
        emit_frame(e, frame, loops_body(s), &b.next);
    } else {
        emit_body(e, loops_body(s), &b.next);
    }
    body_close(e, &b);
    emit_line(e, "}");
    names_forget(e, s->attr.sym);
}

// --- independent iterations ---------------------------------------------------------------------
//
// `restrict` says that buffers do not alias. A C compiler that outlines the code of a thread loses
// this information and tests at run time whether buffers overlap, perhaps for each row of an image.
// In such code, a pragma says that the iterations of a loop are independent, provided that the loop
// only stores to consecutive positions of buffers that it does not read.

typedef struct {
    Session *cx;
    Node *index;
    Map stored; // names of the buffers stored to
    Map seen;   // expressions visited so far
    Map locals; // locals of the body, which vary between iterations
    bool same;  // except for the index, the position is loop-invariant
} Apart;

static void find_local(Node *atom, void *env)
{
    Apart *a = env;
    if (atom->kind == NAT_VAR && map_get(&a->locals, MAP_KEY(atom->attr.sym))) a->same = false;
}

static bool stores_apart(Apart *a, Node *s)
{
    if (s->kind == LOOP_BLOCK) {
        for (uint32_t i = 0; i < s->nops; i++)
            if (!stores_apart(a, s->op[i])) return false;
        return true;
    }
    if (s->kind == LOOP_DECL) {
        map_put(&a->locals, MAP_KEY(s->attr.sym), a);
        return true;
    }
    if (s->kind != LOOP_STORE || map_get(&a->stored, MAP_KEY(s->attr.sym))) return false;
    if (s->op[1]->type->kind == TYPE_VEC) return false; // vectorised already
    map_put(&a->stored, MAP_KEY(s->attr.sym), a);
    Node *rest = nat_sub(a->cx, s->op[0], a->index);
    a->same = nat_occurs(s->op[0], a->index) && !nat_occurs(rest, a->index);
    nat_atoms(a->cx, rest, find_local, a);
    return a->same;
}

static Walk find_stored(Node *n, void *env)
{
    Apart *a = env;
    return n->kind == LOOP_LOAD && map_get(&a->stored, MAP_KEY(n->attr.sym)) ? WALK_STOP
                                                                             : WALK_INTO;
}

enum { FEW = 31 }; // loops with so few iterations are not worth vectorising

static bool is_independent(Emitter *e, Node *s)
{
    int64_t count;
    Apart a = {.cx = e->cx,
               .index = nat_var(e->cx, s->attr.sym),
               .stored = map_new(e->arena),
               .seen = map_new(e->arena),
               .locals = map_new(e->arena)};
    bool few = nat_upper(e->cx, e->facts, nat_sub(e->cx, loops_to(s), loops_from(s)), &count) &&
               count <= FEW;
    return !few && stores_apart(&a, loops_body(s)) && a.stored.len > 0 &&
           !node_walk_once(&a.seen, loops_body(s), find_stored, &a);
}

enum { UNROLLED = 4 };

static bool divides(Node *n, void *env)
{
    (void)env;
    return n->kind == NAT_DIV || n->kind == NAT_MOD;
}

void emit_for(Emitter *e, Node *s, const Place *behind)
{
    bool apart = e->frame && e->frame->inner && is_independent(e, s);
    const char *end = NULL;
    source_comment(e, s);
    bool mma = kernel_mma(e, s);
    if (apart && node_any(loops_to(s), divides, NULL)) {
        // gcc warns of a pragma before a loop whose bound may fail, as divisions do for sanitizers
        const char *bound = size_text(e, loops_to(s), PREC_ANY);
        end = names_declare(e, sym_fresh(e->cx->syms, "end"), true);
        emit_line(e, "int64_t %s = %s;", end, bound);
    }
    if (apart) emit_pragma(e, "GCC ivdep");
    if (s->variant == VARIANT_UNROLL) emit_pragma(e, "GCC unroll %d", UNROLLED);
    if (kernel_unrolls(e, s)) emit_line(e, "#pragma unroll");
    counted_loop(e, s, end, NULL, behind);
    if (mma) emit_line(e, "#endif");
}

// Emits a loop over lanes that the pass `vectorise` has left to the C compiler. The C compiler then
// also handles the iterations that do not fill a vector.
void emit_vectorize(Emitter *e, Node *s, const Place *behind)
{
    int64_t lanes;
    source_comment(e, s);
    bool known = nat_is_const(s->op[0], &lanes) && lanes > 1;
    if (known && loops_is_straight(loops_body(s)))
        emit_pragma(e, "omp simd simdlen(%lld)", (long long)lanes);
    counted_loop(e, s, NULL, NULL, behind);
}

// --- parallel loops -----------------------------------------------------------------------------

static bool is_number(Node *x, int64_t n)
{
    return x->kind == CORE_LIT && x->attr.i == n;
}

static bool is_condition(Node *threads)
{
    return threads->kind == LOOP_SELECT && is_number(threads->op[1], 0) &&
           is_number(threads->op[2], 1);
}

// Returns the OpenMP clause that sets the thread count. If the count is not a literal, emits a
// local that holds it.
static const char *threads_clause(Emitter *e, Node *threads)
{
    if (is_condition(threads)) // all threads, or only the current one
        return arena_printf(e->arena, " if(%s)", expr_text(e, threads->op[0], PREC_ANY));
    if (threads->kind == CORE_LIT && threads->attr.i <= 0) return "";
    if (threads->kind == CORE_LIT)
        return arena_printf(e->arena, " num_threads(%s)", expr_text(e, threads, PREC_ANY));
    support_need(e, "threads");
    const char *wanted = expr_text(e, threads, PREC_ANY);
    const char *name = names_declare(e, sym_fresh(e->cx->syms, "threads"), true);
    emit_line(e, "int %s = adze_threads(%s);", name, wanted);
    emit_line(e, "(void)%s;", name);
    return arena_printf(e->arena, " num_threads(%s)", name);
}

static bool may_fail(Node *s, void *e)
{
    return s->kind == LOOP_CHECK || loops_is_heap(s) || (s->kind == LOOP_CALL && call_fails(e, s));
}

bool emit_may_fail(Emitter *e, Node *s)
{
    return loops_any(s, may_fail, e);
}

// Whether a size in the statement depends on the thread.
static bool depends_on(Node *n, Node *thread)
{
    if (kind_info[n->kind].levels & LEVEL_NAT) return nat_occurs(n, thread);
    for (uint32_t i = 0; i < n->nops; i++)
        if (depends_on(n->op[i], thread)) return true;
    return false;
}

// Returns how many statements at the beginning of the body declare per-thread arrays.
static uint32_t thread_arrays(Node *body, Node *thread)
{
    uint32_t n = 0;
    if (body->kind != LOOP_BLOCK) return 0;
    while (n < body->nops && loops_is_placed(body->op[n]) && depends_on(body->op[n]->op[2], thread))
        n++;
    return n;
}

// Returns the loop without the first `n` statements of its body.
static Node *without_first(Emitter *e, Node *s, uint32_t n)
{
    Node *body = loops_body(s);
    if (n == 0) return s;
    Node *rest = node_make(e->cx, &(NodeSpec){.kind = LOOP_BLOCK,
                                              .nops = (int)(body->nops - n),
                                              .ops = body->op + n,
                                              .origin = body->origin});
    return node_with_op(e->cx, s, (int)s->nops - 1, rest);
}

// Emits a parallel loop with arrays that are declared once per thread.
static void team(Emitter *e, Node *s, const char *clause, Frame *frame, const Place *behind)
{
    Sym thread = e->function->entry->thread;
    Node *body = loops_body(s);
    uint32_t arrays = thread_arrays(body, nat_var(e->cx, thread));
    int outer = e->bound.len;
    emit_pragma(e, "omp parallel%s", clause);
    emit_line(e, "{");
    e->indent++;
    support_need(e, "thread");
    emit_line(e, "const int64_t %s = adze_thread();", names_declare(e, thread, true));
    for (uint32_t i = 0; i < arrays; i++) emit_allocation(e, body->op[i]);
    emit_pragma(e, "omp for");
    counted_loop(e, without_first(e, s, arrays), NULL, frame, behind);
    emit_forget(e, outer);
    memory_forget_slots(e, nat_var(e->cx, thread));
    names_forget(e, thread);
    e->indent--;
    emit_line(e, "}");
}

// Whether gcc may compute several iterations of the body at once. The body computes with scalars,
// and has only short loops and arrays of known length. Functions of the C library are left out,
// since their vector versions round differently.
static bool is_for_lanes(Emitter *e, Node *s)
{
    enum { MOST_ITERATIONS = 64, MOST_ELEMENTS = 8 };
    int64_t n;
    if (s->kind == LOOP_ALLOC)
        return s->variant == VARIANT_STACK && nat_is_const(s->op[1], &n) && n <= MOST_ELEMENTS;
    if (s->type && s->type->kind == TYPE_VEC) return false;
    if (s->kind == CORE_PRIM && prim_is_function((Prim)s->attr.i)) return false;
    if (s->kind == LOOP_FOR) {
        n = loops_trip_count(e->cx, s);
        if (n < 0 || n > MOST_ITERATIONS) return false;
    } else if (loops_is_stmt(s)) {
        bool simple = s->kind == LOOP_BLOCK || s->kind == LOOP_IF || s->kind == LOOP_DECL ||
                      s->kind == LOOP_SET || s->kind == LOOP_STORE;
        if (!simple) return false;
    }
    for (uint32_t i = 0; i < s->nops; i++)
        if (!(kind_info[s->op[i]->kind].levels & LEVEL_NAT) && !is_for_lanes(e, s->op[i]))
            return false;
    return true;
}

// Emits a parallel loop. A failing iteration does not end the loop; the code after the loop
// examines the fault variable.
void emit_parallel(Emitter *e, Node *s, const Place *behind)
{
    Frame frame = {.outer = e->frame, .inner = true};
    source_comment(e, s);
    if (e->kernel) {
        if (e->fault) frame.fault = names_use(e, e->fault);
        if (!kernel_is_local(e)) s = kernel_in_group(e, s);
        counted_loop(e, s, NULL, &frame, behind);
        return;
    }
    const char *clause = threads_clause(e, s->op[0]);
    if (emit_may_fail(e, loops_body(s))) {
        frame.fault = names_declare(e, sym_fresh(e->cx->syms, "fault"), true);
        emit_line(e, "int %s = 0;", frame.fault);
    }
    Sym thread = e->function->entry->thread;
    if (thread && depends_on(loops_body(s), nat_var(e->cx, thread))) {
        team(e, s, clause, &frame, behind);
    } else {
        // In the function that gcc makes of the body, `restrict` is lost: without `simd` it finds
        // no independent iterations around another loop.
        const char *lanes = is_for_lanes(e, loops_body(s)) ? " simd" : "";
        emit_pragma(e, "omp parallel for%s%s", lanes, clause);
        counted_loop(e, s, NULL, &frame, behind);
    }
    if (frame.fault) emit_fail_if(e, frame.fault, frame.fault);
}

// --- endless loops ------------------------------------------------------------------------------

// If the body begins with `if (condition) jump`, which leaves the loop with nothing to free, sets
// *condition and returns the body without that statement. Returns NULL otherwise.
static Node *without_guard(Emitter *e, Node *s, const Place *behind, Node **condition)
{
    if (s->kind == LOOP_IF) {
        Node *jump = s->op[1];
        if (jump->kind != LOOP_JUMP || !loops_is_empty(s->op[2])) return NULL;
        const Place *target = map_get(&e->labels, MAP_KEY(jump->attr.sym)); // NULL if in the body
        if (!target || e->open.len > target->heap || !is_same(behind, target)) return NULL;
        *condition = s->op[0];
        return s->op[2];
    }
    if (s->nops == 0 || (s->kind != LOOP_BLOCK && s->kind != LOOP_LABEL)) return NULL;
    Node *rest = without_guard(e, s->op[0], behind, condition);
    if (!rest) return NULL;
    if (s->kind == LOOP_LABEL || !loops_is_empty(rest)) return node_with_op(e->cx, s, 0, rest);
    return node_make(e->cx, &(NodeSpec){.kind = LOOP_BLOCK,
                                        .nops = (int)s->nops - 1,
                                        .ops = s->op + 1,
                                        .origin = s->origin});
}

void emit_forever(Emitter *e, Node *s, const Place *behind)
{
    Body b;
    Node *condition = NULL, *body = s->op[0];
    Node *rest = without_guard(e, body, behind, &condition);
    if (rest && device_reads(e, condition)) rest = NULL; // each time, after an update
    source_comment(e, s);
    if (rest)
        emit_line(e, "while (%s) {", negated_text(e, condition));
    else
        emit_line(e, "for (;;) {");
    body_open(e, &b, behind);
    emit_body(e, rest ? rest : body, &b.next);
    body_close(e, &b);
    emit_line(e, "}");
}

// --- frames -------------------------------------------------------------------------------------

static bool has_frame(Node *s)
{
    return s->kind == LOOP_PARALLEL || s->kind == LOOP_SPAWN;
}

bool frame_any(Node *s, NodeTest *test, void *env)
{
    if (test(s, env)) return true;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && !has_frame(s) && frame_any(s->op[i], test, env)) return true;
    return false;
}

typedef struct {
    Emitter *e;
    Frame *f;
} FindMemory;

static bool find_memory(Node *s, void *env)
{
    FindMemory *find = env;
    if (loops_is_heap(s)) vec_push(find->e->arena, &find->f->heap, s);
    return false;
}

// Whether the statement is a call that may fail and is still a call in C.
static bool is_failing_call(Node *s, void *env)
{
    Emitter *e = env;
    const CFunction *f = e->function;
    bool repeats = f->repeats_only && s->kind == LOOP_CALL && s->attr.sym == f->entry->name;
    return s->kind == LOOP_CALL && !repeats && call_fails(e, s);
}

void frame_open(Emitter *e, Frame *f, Node *body)
{
    FindMemory find = {e, f};
    frame_any(body, find_memory, &find);
    for (int i = 0; i < f->heap.len; i++) {
        Node *a = f->heap.at[i];
        emit_line(e, "%s *%s = NULL;", emit_ctype(e, emit_scalar_of(a->op[0])),
                  names_declare(e, a->attr.sym, true));
    }
    frame_find_tasks(e, f, body);
    if (frame_has_end(f) && !f->inner)
        emit_line(e, "int status = 0;");
    else if (frame_any(body, is_failing_call, e))
        emit_line(e, "int status;");
    f->body = body;
    e->frame = f;
}

static void frame_close(Emitter *e, Frame *f)
{
    if (f->exit) text_printf(e->out, "%s:;\n", f->exit);
    emit_wait(e);
    for (int i = f->heap.len; i-- > 0;) {
        Sym name = f->heap.at[i]->attr.sym;
        drop_array(e, names_use(e, name));
        emit_line(e, "free(%s);", names_use(e, name));
        names_forget(e, name);
    }
    e->frame = f->outer;
}

void emit_frame(Emitter *e, Frame *f, Node *body, const Place *end)
{
    e->indent++;
    frame_open(e, f, body);
    e->indent--;
    emit_body(e, body, end);
    e->indent++;
    frame_close(e, f);
    e->indent--;
}
