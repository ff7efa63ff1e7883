// Arrays that a program puts in the memory that a group of work-items shares: where there is no
// such group, that is an error.
#include "loops/device/device.h"

typedef struct {
    Session *cx;
    const char *why; // there is no group that could share an array here, or NULL
    bool local;      // in a loop that work-items divide
} Shared;

// Returns whether there is no error.
static bool check(Shared *c, Node *s)
{
    const char *why = c->local ? "it is declared in a loop over work-items" : c->why;
    bool good = !why || s->kind != LOOP_ALLOC || s->variant != VARIANT_SHARED;
    if (!good)
        diag_error(c->cx, E0822, s->origin, "no group of work-items shares this array: %s", why);
    bool local = c->local;
    c->local |= !c->why && s->kind == LOOP_PARALLEL;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) good &= check(c, s->op[i]);
    c->local = local;
    return good;
}

bool device_check_shared(Session *cx, Node *loop)
{
    const char *why = device_why_alone(cx, loop);
    if (why)
        why =
            arena_printf(cx->arena, "one work-item runs an iteration of the kernel, since %s", why);
    return check(&(Shared){cx, why, false}, loops_body(loop));
}

bool device_check_host(Session *cx, const LoopEntry *entry, const LoopEntry *f)
{
    const char *why = f == entry ? "it is not in a loop that the device runs"
                                 : "it is in a function that is called, not unfolded";
    return check(&(Shared){cx, why, false}, f->body);
}
