// Labels, jumps and loops. A jump to where `break`, `continue` or `return` would go is one of these;
// others are a goto. Memory of the blocks that a jump leaves is freed on the way.
#include "emit/internal.h"

// --- places -------------------------------------------------------------------------------------

// Where control goes from the ends of labels.
static const Place *final_place(const Place *p)
{
    while (p->kind == PLACE_LABEL) p = p->outer;
    return p;
}

// Whether control comes to the end of the label from here by itself.
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

// Whether leaving to `behind` is the same as going to the end of the label.
static bool is_same(const Place *behind, const Place *target)
{
    return reaches(behind, target->label) ||
           (final_place(behind) == final_place(target) && final_place(target)->kind != PLACE_NEXT);
}

// --- jumps --------------------------------------------------------------------------------------

void emit_free(Emitter *e, Node *alloc)
{
    const char *name = names_use(e, alloc->attr.sym);
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

static const char *spelled(Emitter *e, Place *target)
{
    const Place *end = final_place(target);
    const CLoop *loop = e->loop;
    if (end->kind == PLACE_ROUND && e->frame->loop && end == e->frame->loop->round &&
        frame_has_end(e->frame))
        return frame_exit(e);
    if (loop && end == loop->round) return "continue;";
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
    return e->open.len > target->heap ? NULL : spelled(e, target);
}

void emit_jump(Emitter *e, Node *s, const Place *here)
{
    Place *target = target_of(e, s);
    if (is_same(here, target)) return; // what is left behind on the way is freed there
    for (int i = e->open.len; i-- > target->heap;) emit_free(e, e->open.at[i]);
    emit_line(e, "%s", spelled(e, target));
}

void emit_label(Emitter *e, Node *s, const Place *place)
{
    Place *end = ARENA_NEW(e->arena, Place);
    *end = (Place){.kind = PLACE_LABEL, .outer = place, .label = s->attr.sym, .heap = e->open.len};
    map_put(&e->labels, MAP_KEY(s->attr.sym), end);
    emit_stmt(e, s->op[0], end);
    if (end->name) text_printf(e->out, "%s:;\n", end->name);
}

// --- loops over a range -------------------------------------------------------------------------

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Where an outermost loop comes from.
static void source_comment(Emitter *e, Node *s)
{
    Span at = s->origin;
    if (!e->options->source_comments || e->loop_depth > 0 || at.file == 0) return;
    int line, column;
    session_position(e->cx, at.file, at.lo, &line, &column);
    emit_line(e, "// %s:%d", file_name(e->cx->sources.at[at.file - 1]->path), line);
}

typedef struct {
    Place round;
    CLoop loop;
    Facts *facts;
} Body;

static void body_open(Emitter *e, Body *b, const Place *behind)
{
    b->round = (Place){.kind = PLACE_ROUND, .heap = e->open.len};
    b->loop = (CLoop){e->loop, &b->round, behind};
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

static void for_head(Emitter *e, Node *s)
{
    const char *from = size_text(e, loops_from(s), PREC_ANY);
    const char *to = size_text(e, loops_to(s), PREC_ADD);
    const char *i = names_declare(e, s->attr.sym, true);
    emit_line(e, "for (int64_t %s = %s; %s < %s; %s++) {", i, from, i, to, i);
}

static void plain_loop(Emitter *e, Node *s, const Place *behind)
{
    Body b;
    for_head(e, s);
    body_open(e, &b, behind);
    facts_range(e->facts, s->attr.sym, loops_from(s), loops_to(s));
    emit_body(e, loops_body(s), &b.round);
    body_close(e, &b);
    emit_line(e, "}");
    names_forget(e, s->attr.sym);
}

enum { UNROLLED = 4 };

void emit_for(Emitter *e, Node *s, const Place *behind)
{
    source_comment(e, s);
    if (s->variant == VARIANT_UNROLL) emit_pragma(e, "GCC unroll %d", UNROLLED);
    plain_loop(e, s, behind);
}

// Iterations that do not fit the lanes at the end are the C compiler's.
void emit_vectorize(Emitter *e, Node *s, const Place *behind)
{
    int64_t lanes;
    source_comment(e, s);
    bool known = nat_is_const(s->op[0], &lanes) && lanes > 1;
    if (known && loops_is_straight(loops_body(s)))
        emit_pragma(e, "omp simd simdlen(%lld)", (long long)lanes);
    plain_loop(e, s, behind);
}

// --- parallel loops -----------------------------------------------------------------------------

// The clause for the number of threads; one that is computed gets a local, which nobody else uses.
static const char *threads_clause(Emitter *e, Node *threads)
{
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

bool emit_may_fail(Emitter *e, Node *s)
{
    if (s->kind == LOOP_CHECK || (s->kind == LOOP_ALLOC && s->variant != VARIANT_STACK))
        return true;
    if (s->kind == LOOP_CALL && call_fails(e, s)) return true;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && emit_may_fail(e, s->op[i])) return true;
    return false;
}

static void iteration(Emitter *e, Node *s, const char *fault, const Place *behind)
{
    Frame frame = {.outer = e->frame, .inner = true, .fault = fault};
    Body b;
    for_head(e, s);
    body_open(e, &b, behind);
    frame.loop = &b.loop;
    facts_range(e->facts, s->attr.sym, loops_from(s), loops_to(s));
    e->indent++;
    frame_open(e, &frame, loops_body(s));
    e->indent--;
    emit_body(e, loops_body(s), &b.round);
    e->indent++;
    frame_close(e, &frame);
    e->indent--;
    body_close(e, &b);
    emit_line(e, "}");
    names_forget(e, s->attr.sym);
}

// A fault does not leave the loop: the first one that is noted is looked at behind it.
void emit_parallel(Emitter *e, Node *s, const Place *behind)
{
    const char *fault = NULL;
    source_comment(e, s);
    const char *clause = threads_clause(e, s->op[0]);
    if (emit_may_fail(e, loops_body(s))) {
        fault = names_declare(e, sym_fresh(e->cx->syms, "fault"), true);
        emit_line(e, "int %s = 0;", fault);
    }
    emit_pragma(e, "omp parallel for%s", clause);
    iteration(e, s, fault, behind);
    if (fault) emit_fail_if(e, fault, fault);
}

// --- loops that are left by a jump --------------------------------------------------------------

// The body without the guard it begins with: `if (condition) jump`, with nothing to free on the
// way. NULL when there is none.
static Node *without_guard(Emitter *e, Node *s, const Place *behind, Node **condition)
{
    if (s->kind == LOOP_IF) {
        Node *jump = s->op[1];
        if (jump->kind != LOOP_JUMP || !loops_is_empty(s->op[2])) return NULL;
        const Place *target = map_get(&e->labels, MAP_KEY(jump->attr.sym)); // NULL: inside
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
    source_comment(e, s);
    if (rest)
        emit_line(e, "while (%s) {", negated_text(e, condition));
    else
        emit_line(e, "for (;;) {");
    body_open(e, &b, behind);
    emit_body(e, rest ? rest : body, &b.round);
    body_close(e, &b);
    emit_line(e, "}");
}

// --- frames -------------------------------------------------------------------------------------

bool has_frame(Node *s)
{
    return s->kind == LOOP_PARALLEL || s->kind == LOOP_SPAWN;
}

static void find_memory(Emitter *e, Frame *f, Node *s)
{
    if (s->kind == LOOP_ALLOC && s->variant != VARIANT_STACK) vec_push(e->arena, &f->heap, s);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && !has_frame(s)) find_memory(e, f, s->op[i]);
}

static bool calls_what_fails(Emitter *e, Node *s)
{
    if (s->kind == LOOP_CALL) return call_fails(e, s);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && !has_frame(s) && calls_what_fails(e, s->op[i])) return true;
    return false;
}

void frame_open(Emitter *e, Frame *f, Node *body)
{
    find_memory(e, f, body);
    for (int i = 0; i < f->heap.len; i++) {
        Node *a = f->heap.at[i];
        emit_line(e, "%s *%s = NULL;", emit_ctype(e, emit_scalar_of(a->op[0])),
                  names_declare(e, a->attr.sym, true));
    }
    frame_find_tasks(e, f, body);
    if (frame_has_end(f) && !f->inner)
        emit_line(e, "int status = 0;");
    else if (calls_what_fails(e, body))
        emit_line(e, "int status;");
    f->body = body;
    e->frame = f;
}

void frame_close(Emitter *e, Frame *f)
{
    if (f->exit) text_printf(e->out, "%s:;\n", f->exit);
    emit_wait(e);
    for (int i = f->heap.len; i-- > 0;) {
        Sym name = f->heap.at[i]->attr.sym;
        emit_line(e, "free(%s);", names_use(e, name));
        names_forget(e, name);
    }
    e->frame = f->outer;
}
