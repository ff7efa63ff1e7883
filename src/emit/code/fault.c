// Writes run-time checks, and the code that leaves a function, iteration or task after a failure.
#include "emit/code/code.h"

#include <string.h>

const char *emit_fault(Emitter *e, DiagCode code, Span span, const char *text,
                       const SizeCheck *condition)
{
    if (e->measuring) return "0";
    int i = 0;
    for (; i < e->faults.len; i++) { // causes with the same position and message share a status
        const Fault *f = &e->faults.at[i];
        if (f->code == code && memcmp(&f->span, &span, sizeof span) == 0 &&
            strcmp(f->text, text) == 0)
            break;
    }
    Fault fault = {.code = code, .span = span, .text = text};
    if (i == e->faults.len) vec_push(e->arena, &e->faults, fault);
    if (condition) e->faults.at[i].condition = condition;
    return arena_printf(e->arena, "%d", i + 1);
}

const char *fault_place(Emitter *e, Span span)
{
    int row, column;
    if (!span.file) return "";
    session_position(e->cx, span.file, span.lo, &row, &column);
    return arena_printf(e->arena, "%s:%d:%d", source_short_path(e->cx->sources.at[span.file - 1]),
                        row, column);
}

// --- the end of a frame --------------------------------------------------------------------------

bool frame_has_end(const Frame *f)
{
    return f->heap.len > 0 || f->tasks;
}

const char *frame_exit(Emitter *e)
{
    Frame *f = e->frame;
    if (!f->exit) f->exit = f->inner ? names_label(e, "next") : "done";
    return arena_printf(e->arena, "goto %s;", f->exit);
}

void emit_wait(Emitter *e)
{
    if (e->frame->tasks) emit_pragma(e, "omp taskwait");
}

// --- faults -------------------------------------------------------------------------------------

// Emits code that leaves the frame with a status.
static void emit_fail(Emitter *e, const char *status)
{
    Frame *f = e->frame;
    emit_wait(e);
    if (f->inner && e->kernel) {
        emit_line(e, "atomic_cmpxchg(%s, 0, %s);", f->fault, status);
        if (f->outer->inner)
            emit_leave(e); // the others of the group may wait for this one
        else
            emit_line(e, "return;"); // results of other iterations do not matter
    } else if (f->inner) {
        emit_pragma(e, "omp critical");
        emit_line(e, "if (!%s) %s = %s;", f->fault, f->fault, status);
        emit_leave(e);
    } else if (frame_has_end(f)) {
        if (strcmp(status, "status") != 0) emit_line(e, "status = %s;", status);
        emit_line(e, "%s", frame_exit(e));
    } else {
        emit_line(e, "return %s;", status);
    }
}

void emit_leave(Emitter *e)
{
    Frame *f = e->frame;
    bool plain = !frame_has_end(f) && f->loop && e->loop == f->loop;
    emit_line(e, "%s", plain ? "continue;" : frame_exit(e));
}

void emit_fail_if(Emitter *e, const char *condition, const char *status)
{
    bool noted = strcmp(status, "status") == 0, end = frame_has_end(e->frame);
    if (!e->frame->inner && !e->frame->tasks && (noted || !end)) {
        const char *leave = end ? frame_exit(e) : arena_printf(e->arena, "return %s;", status);
        emit_line(e, "if (%s) %s", condition, leave);
        return;
    }
    emit_line(e, "if (%s) {", condition);
    e->indent++;
    emit_fail(e, status);
    e->indent--;
    emit_line(e, "}");
}

// --- checks -------------------------------------------------------------------------------------

static const char *fault_text(Emitter *e, DiagCode code, Span span)
{
    switch (code) {
    case E0601: return "index out of bounds";
    case E0602: return "integer division by zero";
    case E0603: return "scatter writes an element twice";
    case E0604: return "a size is negative";
    case E0614: return session_failure(e->cx, span);
    case E0611: return "the second function of permute is not the inverse of the first";
    default: return diag_title(code);
    }
}

// Emits a check in a loop that the work-items of a group divide. `set` sets the flag of the group.
static void require_in_group(Emitter *e, const char *condition, const char *status, Node *set)
{
    emit_line(e, "if (%s) {", condition);
    e->indent++;
    emit_line(e, "atomic_cmpxchg(%s, 0, %s);", e->frame->fault, status);
    emit_line(e, "atomic_cmpxchg(&%s[%s], 0, 1);", names_use(e, set->attr.sym),
              size_text(e, set->op[0], 0));
    emit_leave(e); // the others of the group may wait for this one
    e->indent--;
    emit_line(e, "}");
}

void emit_require(Emitter *e, Node *s)
{
    DiagCode code = (DiagCode)s->attr.i;
    const char *text =
        code == E0607 ? size_test_message(e, s->op[0]) : fault_text(e, code, s->origin);
    const char *status = emit_fault(e, code, s->origin, text, NULL);
    if (s->nops > 1)
        require_in_group(e, negated_text(e, s->op[0]), status, s->op[1]);
    else if (loops_leaves(s))
        emit_fail(e, status);
    else
        emit_fail_if(e, negated_text(e, s->op[0]), status);
}
