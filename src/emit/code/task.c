// OpenMP tasks. A task copies scalars and pointers when it starts (firstprivate, the default for
// variables of a function outside parallel constructs) and shares arrays on the stack. Functions
// and tasks wait at their ends, and before early exits, for the tasks that they started, since
// these may use their memory.
#include "emit/code/code.h"

static bool is_spawn(Node *s, void *env)
{
    (void)env;
    return s->kind == LOOP_SPAWN;
}

static bool is_failing_spawn(Node *s, void *e)
{
    return s->kind == LOOP_SPAWN && emit_may_fail(e, s->op[0]);
}

void frame_find_tasks(Emitter *e, Frame *f, Node *body)
{
    f->tasks = frame_any(body, is_spawn, NULL);
    if (f->inner || !frame_any(body, is_failing_spawn, e)) return;
    f->noted = names_declare(e, sym_fresh(e->cx->syms, "fault"), true);
    emit_line(e, "int %s = 0;", f->noted);
}

// Emits code that waits for the tasks of the frame and checks whether one failed. In an iteration
// or a task, other tasks may write the fault variable at the same time, so it is read in a critical
// section.
void emit_sync(Emitter *e)
{
    const Frame *f = e->frame;
    emit_pragma(e, "omp taskwait");
    if (f->inner && !f->fault) return;
    if (!f->inner) {
        if (f->noted) emit_fail_if(e, f->noted, f->noted);
        return;
    }
    emit_line(e, "{");
    e->indent++;
    emit_line(e, "int seen;");
    emit_pragma(e, "omp critical");
    emit_line(e, "seen = %s;", f->fault);
    emit_line(e, "if (seen) {");
    e->indent++;
    emit_leave(e);
    e->indent--;
    emit_line(e, "}");
    e->indent--;
    emit_line(e, "}");
}

// --- shared variables ---------------------------------------------------------------------------

typedef struct {
    Emitter *e;
    Text *out;
    Map seen;
} Shared;

static void share(Sym name, void *env)
{
    Shared *s = env;
    if (!map_get(&s->e->arrays, MAP_KEY(name)) || map_get(&s->seen, MAP_KEY(name))) return;
    map_put(&s->seen, MAP_KEY(name), s);
    text_printf(s->out, "%s%s", s->out->len ? ", " : "", names_use(s->e, name));
}

static void share_stored(Shared *shared, Node *s)
{
    if (loops_is_store(s)) share(s->attr.sym, shared);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) share_stored(shared, s->op[i]);
}

// Returns the clause that makes arrays on the stack and the fault variable shared.
static const char *shared_clause(Emitter *e, Node *body, const char *fault)
{
    Text names = text_new(e->arena);
    Shared shared = {e, &names, map_new(e->arena)};
    Map seen = map_new(e->arena);
    if (fault) text_put(&names, fault);
    loops_reads(e->cx, body, &seen, share, &shared);
    share_stored(&shared, body);
    return names.len ? arena_printf(e->arena, " shared(%s)", text_get(&names)) : "";
}

void emit_spawn(Emitter *e, Node *s)
{
    static const Place end = {.kind = PLACE_NEXT};
    const CLoop *loop = e->loop;
    Node *body = s->op[0];
    Frame *f = e->frame;
    Frame frame = {.outer = f, .inner = true, .fault = f->inner ? f->fault : f->noted};
    const char *clause = shared_clause(e, body, emit_may_fail(e, body) ? frame.fault : NULL);
    emit_pragma(e, "omp task%s", clause);
    emit_line(e, "{");
    e->loop = NULL;
    emit_frame(e, &frame, body, &end);
    e->loop = loop;
    emit_line(e, "}");
}
