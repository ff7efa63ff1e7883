// Computes live ranges. Statements are numbered in textual order. Outside loops, control flows
// forward only, so the live range of an array extends from its first access to its last. If a loop
// contains an access but not the declaration, the range includes the whole outermost such loop.
// Tasks may run until the end of the array's block, which waits for them.
#include "loops/memory/memory.h"
#include "loops/memory/plan.h"

static void extend(Item *item, int time, Span origin)
{
    LoopPlacement *p = &item->place;
    if (!p->from) {
        p->from = p->to = time;
        p->first = origin;
    }
    if (time < p->from) p->from = time;
    if (time >= p->to) {
        p->to = time;
        p->last = origin;
    }
}

static void note_access(Planner *p, Sym name, Node *stmt)
{
    Item *item = map_get(&p->arrays, MAP_KEY(name));
    if (!item) return;
    extend(item, p->time, stmt->origin);
    if (p->tasks) item->lent = true;
    Around *outermost = NULL;
    for (Around *a = p->around; a != item->around; a = (Around *)(uintptr_t)a->outer) outermost = a;
    if (!outermost) return;
    extend(item, outermost->begin, outermost->loop->origin);
    for (int i = 0; i < outermost->used.len; i++)
        if (outermost->used.at[i] == item) return;
    vec_push(p->cx->arena, &outermost->used, item);
}

static void note_accesses(Planner *p, Node *n, Node *stmt)
{
    if (loops_names_buffer(n)) note_access(p, n->attr.sym, stmt);
    if (node_is_size_or_type(n)) return;
    for (uint32_t i = 0; i < n->nops; i++)
        if (!loops_is_stmt(n->op[i])) note_accesses(p, n->op[i], stmt);
}

// --- sizes --------------------------------------------------------------------------------------

// The largest value of the size over the range of the loop, or NULL if the size is not monotone.
static Node *largest(Planner *p, Node *size, Node *loop)
{
    Session *cx = p->cx;
    Node *index = nat_var(cx, loop->attr.sym), *one = nat_const(cx, 1);
    if (!nat_occurs(size, index)) return size;
    Facts *facts = facts_new(cx, cx->arena, p->facts);
    facts_range(facts, loop->attr.sym, loops_from(loop), loops_to(loop));
    Node *step = nat_sub(cx, loops_at(cx, size, loop->attr.sym, nat_add(cx, index, one)), size);
    bool grows = nat_ge0(cx, facts, step) == TRUTH_YES;
    if (!grows && nat_ge0(cx, facts, nat_sub(cx, nat_const(cx, 0), step)) != TRUTH_YES) return NULL;
    Node *largest = grows ? nat_sub(cx, loops_to(loop), one) : loops_from(loop);
    return loops_at(cx, size, loop->attr.sym, largest);
}

// The largest number of elements of an array, in terms of the entry's sizes. NULL if unknown.
static Node *count_of(Planner *p, Node *alloc)
{
    Node *count = alloc->op[1];
    for (const Around *a = p->around; a && count; a = a->outer)
        if (loops_is_counted(a->loop)) count = largest(p, count, a->loop);
    if (!count || !loops_is_static(p->cx, p->entry, count)) return NULL;
    // In a loop without iterations, the count may be negative.
    bool length = nat_ge0(p->cx, p->facts, count) == TRUTH_YES;
    return length ? count : nat_max(p->cx, count, nat_const(p->cx, 0));
}

static Node *bytes_of(Session *cx, Node *type, Node *count)
{
    Scalar scalar = SCALAR_I64; // for elements that are indices
    type_is_scalar(type, &scalar);
    return nat_mul(cx, count, nat_const(cx, scalar_info[scalar].size));
}

static Item *add(Planner *p, LoopPlacement place)
{
    Item *item = ARENA_NEW(p->cx->arena, Item);
    *item = (Item){.place = place, .around = p->around, .stays = p->lanes > 0, .team = p->team};
    vec_push(p->cx->arena, p->team ? &p->team->items : &p->arm->items, item);
    return item;
}

static void visit_alloc(Planner *p, Node *s)
{
    Node *count = loops_is_heap(s) && plan_has_places(p) ? count_of(p, s) : NULL;
    if (!count) return;
    LoopPlacement place = {.name = s->attr.sym,
                           .type = s->op[0],
                           .count = count,
                           .bytes = bytes_of(p->cx, s->op[0], count)};
    Item *item = add(p, place);
    item->alloc = s;
    map_put(&p->arrays, MAP_KEY(s->attr.sym), item);
}

// Plans a call. A function's workspace is part of its caller's, unless the function is recursive.
static void visit_call(Planner *p, Node *s)
{
    const LoopEntry *f = map_get(p->planned, MAP_KEY(s->attr.sym));
    Item *item = NULL;
    if (f && f->workspace && plan_has_places(p) &&
        !loops_is_recursive(p->cx, p->entry, s->attr.sym)) {
        Node *bytes = nat_mul(p->cx, f->workspace, nat_const(p->cx, LOOPS_LINE));
        item = add(p, (LoopPlacement){.name = s->attr.sym, .bytes = bytes});
        extend(item, p->time, s->origin);
    }
    vec_push(p->cx->arena, &p->calls, item);
}

static void visit(Planner *p, Node *s);

static void visit_parts(Planner *p, Node *s)
{
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) visit(p, s->op[i]);
}

// Records the pairs of arrays where the loop may store one in the memory of the other. The live
// range of the overwritten array must end with the loop, as far as is known at this point.
static void find_over(Planner *p, const Around *a)
{
    for (int i = 0; i < a->used.len; i++)
        for (int k = 0; k < a->used.len; k++) {
            const Item *from = a->used.at[i], *to = a->used.at[k];
            if (from == to || from->place.type != to->place.type) continue;
            if (from->place.to != p->time || to->place.from != a->begin) continue;
            if (!loops_is_elementwise(p->cx, p->entry, p->facts, a->loop, from->place.name,
                                      to->place.name))
                continue;
            Over over = {from, to, a->begin, p->time};
            vec_push(p->cx->arena, &p->over, over);
        }
}

static void visit_loop(Planner *p, Node *s)
{
    Around around = {.outer = p->around, .loop = s, .begin = p->time};
    bool parallel = s->kind == LOOP_PARALLEL;
    p->around = &around;
    if (parallel) plan_open_team(p, s);
    p->lanes += s->kind == LOOP_VECTORIZE;
    visit_parts(p, s);
    p->lanes -= s->kind == LOOP_VECTORIZE;
    p->around = (Around *)(uintptr_t)around.outer;
    p->time++;
    if (parallel) plan_close_team(p, s, around.begin);
    for (int i = 0; i < around.used.len; i++) extend(around.used.at[i], p->time, s->origin);
    if (loops_is_counted(s)) find_over(p, &around);
}

// Visits a block. Arrays that tasks use are live until the block that declares them has waited for
// the tasks.
static void visit_block(Planner *p, Node *s)
{
    visit_parts(p, s);
    for (uint32_t i = 0; i < s->nops; i++) {
        bool alloc = s->op[i]->kind == LOOP_ALLOC;
        Item *item = alloc ? map_get(&p->arrays, MAP_KEY(s->op[i]->attr.sym)) : NULL;
        if (item && item->lent) extend(item, ++p->time, s->origin);
    }
}

static void visit_branch(Planner *p, Node *s)
{
    Arm *around = p->arm;
    Fork *fork = plan_fork(p, s);
    for (int k = 0; k < 2; k++) {
        if (fork) p->arm = &fork->arms[k];
        visit(p, s->op[k + 1]);
    }
    p->arm = around;
}

// Marks the memory of a pointer as lent, since it is live as long as any pointer that may point to
// it.
static void visit_pointer(Planner *p, Node *s)
{
    Item *item = map_get(&p->arrays, MAP_KEY(s->op[1]->attr.sym));
    if (item) item->lent = true;
}

static void visit(Planner *p, Node *s)
{
    p->time++;
    note_accesses(p, s, s);
    switch ((Kind)s->kind) {
    case LOOP_ALLOC: visit_alloc(p, s); return;
    case LOOP_CALL: visit_call(p, s); return;
    case LOOP_POINTER: visit_pointer(p, s); return;
    case LOOP_FOR:
    case LOOP_PARALLEL:
    case LOOP_VECTORIZE:
    case LOOP_STRIDED:
    case LOOP_FOREVER: visit_loop(p, s); return;
    case LOOP_BLOCK: visit_block(p, s); return;
    case LOOP_IF: visit_branch(p, s); return;
    case LOOP_SPAWN:
        p->own++, p->tasks++;
        visit_parts(p, s);
        p->own--, p->tasks--;
        return;
    case LOOP_LABEL: visit_parts(p, s); return;
    case LOOP_DECL:
    case LOOP_SET:
    case LOOP_STORE:
    case LOOP_STORE_WHERE:
    case LOOP_SCATTER:
    case LOOP_STORE_PACKED:
    case LOOP_TABLE:
    case LOOP_ROTATE:
    case LOOP_PREFETCH:
    case LOOP_CHECK:
    case LOOP_JUMP:
    case LOOP_SYNC:
#include "loops/ir/no_statement.def"
        return;
    }
}

static void find_outputs(Planner *p)
{
    for (int i = 0; i < p->f->params.len; i++) {
        const LoopParam *q = &p->f->params.at[i];
        if (!q->output || q->both || q->rank == 0 || q->idx || q->record || q->strides) continue;
        Node *type = type_scalar(p->cx, q->scalar);
        Item *item = ARENA_NEW(p->cx->arena, Item);
        *item = (Item){.place = {.name = q->name,
                                 .type = type,
                                 .count = q->count,
                                 .bytes = bytes_of(p->cx, type, q->count)}};
        vec_push(p->cx->arena, &p->outputs, item);
        map_put(&p->arrays, MAP_KEY(q->name), item);
    }
}

void plan_lifetimes(Planner *p)
{
    p->arm = &p->all;
    find_outputs(p);
    visit(p, p->f->body);
}
