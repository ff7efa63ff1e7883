// Says why parallel loops run on the host, for `adze explain`.
#include "loops/device/device.h"

static const char *why_call(const DeviceScope *scope, Node *call)
{
    Arena *arena = scope->cx->arena;
    Sym function = call->attr.sym;
    if (core_atomic_of(function) == ATOMIC_COUNT)
        return arena_printf(arena, "each iteration calls %s",
                            loops_shown_callee(scope->cx, scope->entry, function));
    Scalar s = loops_callee(scope->entry, function)->params.at[0].scalar;
    const char *array = call->op[0]->attr.sym->text, *type = scalar_info[s].text;
    if (s == SCALAR_BOOL || scalar_info[s].size < 4)
        return arena_printf(arena, "a device cannot update %s, of type %s, atomically", array,
                            type);
    return arena_printf(arena, "it updates %s, an array of each iteration, atomically", array);
}

static const char *why_memory(const DeviceScope *scope, Sym name)
{
    Arena *arena = scope->cx->arena;
    const LoopParam *p = map_get(&scope->params, MAP_KEY(name));
    if (p && p->strides) return arena_printf(arena, "%s is an array with strides", name->text);
    if (p) return arena_printf(arena, "%s is a member of a struct of C", name->text);
    return arena_printf(arena, "%s is a part of another array", name->text);
}

const char *device_why_on_host(const DeviceScope *scope, Node *loop)
{
    Node *found = device_obstacle(scope, loop, true);
    if (!found && device_obstacle(scope, loop, false))
        return "each iteration needs an array whose size it computes";
    if (!found) return NULL;
    if (found == loop) return "each iteration fails";
    if (found->kind == LOOP_CALL) return why_call(scope, found);
    if (found->kind == LOOP_POINTER || found->kind == LOOP_ROTATE)
        return "arrays exchange their memory in it";
    if (loops_names_buffer(found)) return why_memory(scope, found->attr.sym);
    return "it has statements that a device cannot execute";
}

typedef struct {
    Session *cx;
    LoopEntry *entry;
    const char *why;
} OnHost;

void device_stays(Session *cx, LoopEntry *entry, Node *loop, const char *why)
{
    loops_note_choice(cx, entry, loop, "on the host", why);
    if (loops_must_be_kernel(loop))
        diag_error(cx, E0821, loop->origin, "this loop cannot be a kernel: %s", why);
}

static Node *note(void *env, Node *loop)
{
    const OnHost *h = env;
    device_stays(h->cx, h->entry, loop, h->why);
    return loop;
}

void device_note_on_host(Session *cx, LoopEntry *entry, const LoopEntry *f, const char *why)
{
    OnHost h = {cx, entry, why};
    if (f->body) (void)device_loops(cx, f->body, note, &h);
}
