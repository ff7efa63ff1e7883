// Tasks: those of OpenMP. A task gets scalars and pointers as they are when it starts
// (firstprivate, which is what variables of a function outside of parallel constructs are by
// themselves); arrays on the stack are shared. Functions and tasks wait at their ends, and before
// they leave early, for the tasks that they have started, which may use memory of theirs.
#include "emit/code/code.h"

static bool starts_task(Node *s)
{
    if (s->kind == LOOP_SPAWN) return true;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && !has_frame(s) && starts_task(s->op[i])) return true;
    return false;
}

static bool task_fails(Emitter *e, Node *s)
{
    if (s->kind == LOOP_SPAWN) return emit_may_fail(e, s->op[0]);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && !has_frame(s) && task_fails(e, s->op[i])) return true;
    return false;
}

void frame_find_tasks(Emitter *e, Frame *f, Node *body)
{
    f->tasks = starts_task(body);
    if (f->inner || !task_fails(e, body)) return;
    f->noted = names_declare(e, sym_fresh(e->cx->syms, "fault"), true);
    emit_line(e, "int %s = 0;", f->noted);
}

// What its tasks noted a function looks at when they have ended. To an iteration or a task others
// may note something meanwhile.
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

// --- what a task shares -------------------------------------------------------------------------

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

// The clause for arrays on the stack, and for the variable that notes faults.
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
    e->indent++;
    frame_open(e, &frame, body);
    e->indent--;
    emit_body(e, body, &end);
    e->indent++;
    frame_close(e, &frame);
    e->indent--;
    e->loop = loop;
    emit_line(e, "}");
}
