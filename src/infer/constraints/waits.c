// Constraints postponed until more is known about the types of their operands.
#include "infer/constraints/constraints.h"

bool infer_wait_failed(Body *b, Wait *w)
{
    solver_unify(b->scope.solver, w->result, infer_error(b), w->at->span, NULL);
    w->result = infer_error(b); // so that uses of the result report no errors
    return true;
}

// Records the unknowns that the constraint depends on. The constraint is not tried again until they
// change, so that long programs with many constraints on one type take linear time.
static void note_tried(Body *b, Wait *w)
{
    Solver *s = b->scope.solver;
    w->tried = true;
    for (int i = 0; i < w->nops && w->tried; i++) {
        w->operand[i] = infer_resolve(b, w->operand[i]);
        solver_watch(s, w->operand[i]);
        w->tried =
            !infer_unknown_in(w->operand[i]) || solver_is_open(s, w->operand[i], &w->open[i]);
    }
}

void infer_add_wait(Body *b, Wait *w)
{
    note_tried(b, w);
    b->untracked += !w->tried;
    vec_push(b->arena, &b->waits, *w);
}

static bool is_unchanged(Body *b, const Wait *w)
{
    for (int i = 0; i < w->nops && w->tried; i++) {
        MetaKind kind;
        if (w->operand[i]->kind == TYPE_META &&
            (!solver_is_open(b->scope.solver, w->operand[i], &kind) || kind != w->open[i]))
            return false;
    }
    return w->tried;
}

void infer_retry(Body *b, bool final)
{
    b->deep = true;
    for (bool again = true; again;) {
        again = false;
        int kept = 0;
        bool force = final;
        for (int i = 0; i < b->waits.len; i++) {
            Wait w = b->waits.at[i];
            if (!force && is_unchanged(b, &w)) {
                b->waits.at[kept++] = w;
            } else if (b->in->rules->try_wait(b, &w, force)) {
                again = true;
                force = false;
            } else {
                note_tried(b, &w);
                b->waits.at[kept++] = w;
            }
        }
        b->waits.len = kept;
    }
    b->untracked = 0;
    for (int i = 0; i < b->waits.len; i++) b->untracked += !b->waits.at[i].tried;
    b->tried = b->changes;
    b->watched = solver_watched_changes(b->scope.solver);
    b->deep = false;
}
