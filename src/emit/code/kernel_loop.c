// Loops of kernels, what the work-items of a group share, and what a warp computes.
#include "emit/code/code.h"
#include "loops/device/device.h"

// The loop of a kernel is that of its groups or work-items; its iterations are a frame. A parallel
// loop in it, whose iterations are frames, too, is one of the work-items of a group.
bool kernel_is_local(const Emitter *e)
{
    return e->frame && e->frame->inner;
}

bool kernel_is_of_group(const Emitter *e)
{
    return e->kernel && e->function->entry->group > 0 && e->frame->inner && !e->frame->outer->inner;
}

void kernel_loop_head(Emitter *e, Node *s, const char *index, const char *to)
{
    int group = e->function->entry->group;
    const char *what = kernel_is_local(e) ? "local" : group > 0 ? "group" : "global";
    const char *count = kernel_is_local(e) ? arena_printf(e->arena, "%d", group)
                        : group > 0        ? "get_num_groups(0)"
                                           : "get_global_size(0)";
    int64_t zero;
    bool first = nat_is_const(loops_from(s), &zero) && zero == 0;
    emit_line(e, "for (%s %s = %s%sget_%s_id(0); %s < %s; %s += %s) {",
              emit_position_ctype(e, s->attr.sym), index,
              first ? "" : size_text(e, loops_from(s), PREC_ADD), first ? "" : " + ", what, index,
              to, index, count);
}

Node *kernel_in_group(Emitter *e, Node *loop)
{
    int body = (int)loop->nops - 1;
    e->shared = map_new(e->arena);
    e->mma = map_new(e->arena);
    if (e->function->entry->group == 0) return loop;
    DeviceGroup g = device_group(e->cx, loop->op[body]);
    e->shared = g.shared;
    for (int i = 0; i < e->shared.len; i++) {
        Node *alloc = e->shared.entries[i].value;
        int64_t count;
        nat_is_const(alloc->op[1], &count);
        bool vectors =
            e->kernel == DEVICE_OPENCL && map_get(&e->in_vectors, MAP_KEY(alloc->attr.sym));
        emit_line(e, "local %s %s[%lld]%s;", emit_ctype(e, emit_scalar_of(alloc->op[0])),
                  names_declare(e, alloc->attr.sym, true), (long long)(count > 0 ? count : 1),
                  vectors ? " __attribute__((aligned(32)))" : "");
        map_put(&e->arrays, MAP_KEY(alloc->attr.sym), e);
        map_put(&e->lengths, MAP_KEY(alloc->attr.sym), (void *)(uintptr_t)alloc->op[1]);
    }
    Node *own = device_with_private(e->cx, &g, loop->op[body]);
    if (e->kernel == DEVICE_CUDA) e->mma = device_mma(e->cx, &g, own);
    return node_with_op(e->cx, loop, body, own);
}

// --- instructions for matrices ------------------------------------------------------------------

static const char *sums_text(Emitter *e, const DeviceMma *m)
{
    Text list = text_new(e->arena);
    for (int i = 0; i < 2 * m->shape->rows; i++)
        text_printf(&list, "%s&%s", i ? ", " : "",
                    place_text(e, m->sums, device_mma_sum(e->cx, m, i)));
    return text_get(&list);
}

static const char *elements_text(Emitter *e, const DeviceMma *m)
{
    Text list = text_new(e->arena);
    int each = m->shape->terms / 4;
    for (int row = 0; row < m->shape->rows; row++)
        for (int i = 0; i < each; i++)
            text_printf(&list, ", %s",
                        place_text(e, m->x->attr.sym, device_mma_row(e->cx, m, row, i)));
    for (int i = 0; i < each; i++)
        text_printf(&list, ", %s", place_text(e, m->y->attr.sym, device_mma_column(e->cx, m, i)));
    return text_get(&list);
}

bool kernel_mma(Emitter *e, Node *loop)
{
    const DeviceMma *m = map_get(&e->mma, MAP_KEY(loop->attr.sym));
    if (!e->kernel || !m) return false;
    support_need(e, arena_printf(e->arena, "mma_%s", m->shape->name));
    emit_line(e, "#if ADZE_MMA%s", m->shape->exact ? "" : " && !defined ADZE_NO_FMA");
    emit_line(e, "adze_mma_%s(%s%s);", m->shape->name, sums_text(e, m), elements_text(e, m));
    emit_line(e, "#else");
    return true;
}

// --- loops that are unrolled --------------------------------------------------------------------
//
// NVRTC unrolls small loops, but not one around a tile of sums, where a counter and positions then
// take a seventh of the instructions.

enum { UNROLLED = 512 }; // iterations, with those of the loops inside

typedef struct {
    Emitter *e;
    int64_t most; // iterations of a loop inside; 0 if they are too many
} Inside;

static int64_t iterations(Emitter *e, Node *loop, int64_t *inside);

static Walk find_inside(Node *n, void *env)
{
    Inside *in = env;
    int64_t inside;
    if (n->kind != LOOP_FOR && n->kind != LOOP_PARALLEL && n->kind != LOOP_FOREVER)
        return WALK_INTO;
    int64_t count = n->kind == LOOP_FOR ? iterations(in->e, n, &inside) : 0;
    in->most = count == 0 ? 0 : count > in->most ? count : in->most;
    return count == 0 ? WALK_STOP : WALK_OVER;
}

// Returns how many iterations a loop of a known few has with those of the loops inside, 0 for other
// loops.
static int64_t iterations(Emitter *e, Node *loop, int64_t *inside)
{
    int64_t count;
    Inside in = {.e = e, .most = 1};
    Map seen = map_new(e->arena);
    if (!nat_is_const(nat_sub(e->cx, loops_to(loop), loops_from(loop)), &count) || count < 1 ||
        count > UNROLLED)
        return 0;
    node_walk_once(&seen, loops_body(loop), find_inside, &in);
    *inside = in.most;
    return count * in.most > UNROLLED ? 0 : count * in.most;
}

bool kernel_unrolls(Emitter *e, Node *loop)
{
    int64_t inside;
    return e->kernel == DEVICE_CUDA && iterations(e, loop, &inside) > 0 && inside > 1;
}
