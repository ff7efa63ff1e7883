// Loops of kernels, and what the work-items of a group share.
#include "emit/code/code.h"
#include "loops/device/device.h"

#include <string.h>

// The loop of a kernel is that of its groups or work-items; its iterations are a frame. A parallel
// loop in it, whose iterations are frames, too, is one of the work-items of a group.
bool kernel_is_local(const Emitter *e)
{
    return e->frame && e->frame->inner;
}

bool kernel_is_of_group(const Emitter *e)
{
    return e->kernel && e->function->entry->groups && e->frame->inner && !e->frame->outer->inner;
}

void kernel_loop_head(Emitter *e, Node *s, const char *index, const char *to)
{
    const char *what = kernel_is_local(e)           ? "local"
                       : e->function->entry->groups ? "group"
                                                    : "global";
    const char *count = strcmp(what, "group") == 0 ? "get_num_groups(0)"
                                                   : arena_printf(e->arena, "get_%s_size(0)", what);
    int64_t zero;
    bool first = nat_is_const(loops_from(s), &zero) && zero == 0;
    emit_line(e, "for (int64_t %s = %s%sget_%s_id(0); %s < %s; %s += %s) {", index,
              first ? "" : size_text(e, loops_from(s), PREC_ADD), first ? "" : " + ", what, index,
              to, index, count);
}

void kernel_declare_shared(Emitter *e, Node *loop)
{
    e->shared = map_new(e->arena);
    if (!e->function->entry->groups) return;
    device_shared(e->cx, loops_body(loop), &e->shared);
    for (int i = 0; i < e->shared.len; i++) {
        Node *alloc = e->shared.entries[i].value;
        int64_t count;
        nat_is_const(alloc->op[1], &count);
        emit_line(e, "local %s %s[%lld];", emit_ctype(e, emit_scalar_of(alloc->op[0])),
                  names_declare(e, alloc->attr.sym, true), (long long)(count > 0 ? count : 1));
        map_put(&e->arrays, MAP_KEY(alloc->attr.sym), e);
        map_put(&e->lengths, MAP_KEY(alloc->attr.sym), (void *)(uintptr_t)alloc->op[1]);
    }
}
