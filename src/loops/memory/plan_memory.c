// Plans memory: the temporary arrays of a function get slots in one workspace, which its caller
// provides, instead of separate allocations. Arrays with disjoint live ranges may share a slot.
//
// A slot is as large as the largest array in it, so sharing never costs memory. Two arrays may also
// share a slot if a loop stores one elementwise over the other, whose live range ends in that loop.
// An array that fits in a result that has not been written yet is placed there. Arrays in the body
// of a parallel loop have one slot per thread (per_thread.c). Arrays of a task keep their
// allocations, since as many of them may be live as there are tasks.
#include "loops/memory/plan.h"

#include <limits.h>

// --- slots --------------------------------------------------------------------------------------

// Whether `a` is dead before `b` becomes live, or its live range ends in a loop in which `b`
// overwrites it.
static bool is_before(const Planner *p, const Item *a, const Item *b)
{
    if (a->place.to < b->place.from) return true;
    for (int i = 0; i < p->over.len; i++) {
        const Over *o = &p->over.at[i];
        if (o->from == a && o->to == b && a->place.to == o->end && b->place.from == o->begin)
            return true;
    }
    return false;
}

static const Team *team_with(const Planner *p, const Item *all)
{
    for (int i = 0; i < p->teams.len; i++)
        if (p->teams.at[i]->all == all) return p->teams.at[i];
    return NULL;
}

// Whether the slot is free whenever the array is live. All arrays in a slot begin at its start, so
// that one pointer serves for all of them. The arrays of a team do not, so the memory of a team
// never shares a slot.
static bool is_free(const Planner *p, const Slot *slot, const Item *item)
{
    for (int i = 0; i < slot->items.len; i++) {
        const Item *other = slot->items.at[i];
        if (team_with(p, item) || team_with(p, other)) return false;
        if (!is_before(p, other, item) && !is_before(p, item, other)) return false;
    }
    return true;
}

static bool fits(Planner *p, Node *bytes, Node *in)
{
    return nat_le(p->cx, p->facts, bytes, in) == TRUTH_YES;
}

static bool may_be_in(const Item *item, const Item *output)
{
    return item->alloc && !item->stays && !item->lent && item->place.type == output->place.type;
}

// The best slot for the array, or NULL if none is free. Prefers results to the workspace, then the
// smallest slot in which the array fits, then slots that it would enlarge, then slots whose sizes
// cannot be compared with its own.
static Slot *choose(Planner *p, const Item *item)
{
    Slot *best = NULL;
    int rank = 0;
    for (int i = 0; i < p->slots.len; i++) {
        Slot *slot = p->slots.at[i];
        if (!is_free(p, slot, item)) continue;
        bool in = fits(p, item->place.bytes, slot->bytes);
        int r = in ? 3 : fits(p, slot->bytes, item->place.bytes) ? 2 : 1;
        if (slot->output && !(in && may_be_in(item, slot->output))) continue;
        if (slot->output) r = 4;
        bool closer =
            best && r == rank && r > 1 &&
            (r == 3 ? fits(p, slot->bytes, best->bytes) : fits(p, best->bytes, slot->bytes));
        if (r > rank || closer) {
            best = slot;
            rank = r;
        }
    }
    return best;
}

static void put(Planner *p, Item *item)
{
    Slot *slot = choose(p, item);
    if (!slot) {
        slot = ARENA_NEW(p->cx->arena, Slot);
        *slot = (Slot){.bytes = item->place.bytes};
        vec_push(p->cx->arena, &p->slots, slot);
    }
    if (!fits(p, item->place.bytes, slot->bytes))
        slot->bytes = fits(p, slot->bytes, item->place.bytes)
                          ? item->place.bytes
                          : nat_max(p->cx, slot->bytes, item->place.bytes);
    vec_push(p->cx->arena, &slot->items, item);
    slot->moving |= item->stays;
    item->slot = slot;
}

// Sorts by first use, so that there are no more slots than arrays that are live at once.
static void sort(Items *items)
{
    for (int i = 1; i < items->len; i++) {
        Item *item = items->at[i];
        int k = i;
        for (; k > 0 && items->at[k - 1]->place.from > item->place.from; k--)
            items->at[k] = items->at[k - 1];
        items->at[k] = item;
    }
}

// Replaces a size beyond 64 bits with one that is still too large to allocate, but computable.
static Node *saturated(Session *cx, Node *lines)
{
    return lines->kind == NAT_OVERFLOW ? nat_const(cx, (int64_t)1 << 57) : lines;
}

// Rounds up to whole lines, at least one, since even empty arrays need distinct restrict pointers.
static Node *lines_of(Session *cx, Node *bytes)
{
    Node *line = nat_const(cx, LOOPS_LINE), *one = nat_const(cx, 1);
    if (bytes->kind == NAT_OVERFLOW) return saturated(cx, bytes);
    if (nat_ge0(cx, NULL, nat_sub(cx, bytes, one)) != TRUTH_YES)
        return nat_add(cx, nat_div(cx, bytes, line), one);
    return nat_div(cx, nat_add(cx, bytes, nat_const(cx, LOOPS_LINE - 1)), line);
}

static void add_output(Planner *p, Item *output)
{
    Slot *slot = ARENA_NEW(p->cx->arena, Slot);
    *slot = (Slot){.output = output, .bytes = output->place.bytes};
    if (!output->place.from || output->lent) return;
    output->place.to = INT_MAX; // the caller still needs it
    vec_push(p->cx->arena, &slot->items, output);
    vec_push(p->cx->arena, &p->slots, slot);
}

// Assigns slots to p->items in order of use. Returns the number of lines that all slots take.
static Node *lay_out_items(Planner *p)
{
    Node *end = nat_const(p->cx, 0);
    sort(&p->items);
    for (int i = 0; i < p->items.len; i++) put(p, p->items.at[i]);
    for (int i = 0; i < p->slots.len; i++) {
        if (p->slots.at[i]->output) continue;
        p->slots.at[i]->at = end;
        end = saturated(p->cx, nat_add(p->cx, end, lines_of(p->cx, p->slots.at[i]->bytes)));
    }
    return end;
}

// Lays out the arrays of one thread.
static void lay_out_team(Planner *p, Team *team)
{
    Items items = p->items;
    p->items = team->items;
    team->lines = lay_out_items(p);
    p->items = items;
    p->slots = (Slots){0};
    team->all->place.bytes = plan_bytes_of_team(p, team);
}

static bool needs_workspace(const Planner *p)
{
    for (int i = 0; i < p->items.len; i++)
        if (!p->items.at[i]->slot->output) return true;
    return false;
}

// Lays out the arrays of the arm. Returns the number of lines, or NULL if no workspace is needed.
static Node *lay_out_arm(Planner *p, Arm *arm)
{
    Fork *fork = plan_only_fork(arm);
    if (fork) {
        fork->apart = true;
        Node *then = lay_out_arm(p, &fork->arms[0]);
        return plan_lines_of_fork(p->cx, fork, then, lay_out_arm(p, &fork->arms[1]));
    }
    p->items = (Items){0};
    p->slots = (Slots){0};
    plan_items_of(p->cx, arm, &p->items);
    for (int i = 0; i < p->outputs.len; i++) add_output(p, p->outputs.at[i]);
    Node *lines = lay_out_items(p);
    *arm = (Arm){.items = p->items};
    return needs_workspace(p) ? lines : NULL;
}

static Node *lay_out(Planner *p)
{
    for (int i = 0; i < p->teams.len; i++) lay_out_team(p, p->teams.at[i]);
    Node *lines = lay_out_arm(p, &p->all);
    p->items = (Items){0};
    plan_items_of(p->cx, &p->all, &p->items);
    return lines;
}

// --- the body with slots ------------------------------------------------------------------------

// Whether the array is emitted as a restrict pointer. It is not if a caller has used the function's
// workspace before, or if each iteration of a loop declares the array again.
static bool is_part(const Planner *p, const Item *item)
{
    bool again = item->team && item->team->all->around; // the parallel loop is itself in a loop
    return loops_owns_workspace(p->cx, p->entry, p->f) && !item->slot->moving && !again;
}

static Node *placed(Planner *p, Node *s, const Item *item)
{
    return node_make(
        p->cx, &(NodeSpec){.kind = LOOP_ALLOC,
                           .variant = is_part(p, item) ? VARIANT_PART : VARIANT_PLACE,
                           .attr = s->attr,
                           .nops = 3,
                           .ops = (Node *[]){s->op[0], item->place.count, plan_position(p, item)},
                           .origin = s->origin});
}

// Declares the arrays, in order of use.
static void declare(Planner *p, const Items *items, Stmts *out)
{
    for (int i = 0; i < items->len; i++) {
        const Item *item = items->at[i];
        bool here = item->alloc && !item->stays && !item->slot->output && !item->same;
        if (here) vec_push(p->cx->arena, out, placed(p, item->alloc, item));
    }
}

static Node *call_with_memory(Planner *p, Node *s)
{
    const Item *item = p->calls.at[p->call++];
    Stmts ops = {0};
    if (!item) return s;
    for (uint32_t i = 0; i < s->nops; i++) vec_push(p->cx->arena, &ops, s->op[i]);
    vec_push(p->cx->arena, &ops, core_size(p->cx, plan_position(p, item)));
    return node_make(p->cx, &(NodeSpec){.kind = LOOP_CALL,
                                        .variant = (Variant)s->variant,
                                        .attr = s->attr,
                                        .nops = ops.len,
                                        .ops = ops.at,
                                        .origin = s->origin});
}

static Node *place(void *env, Node *s);

// The loop, with the thread's arrays declared at the beginning of its body.
static Node *loop_of_team(Planner *p, Node *s, const Team *team)
{
    Stmts all = {0};
    declare(p, &team->items, &all);
    vec_push(p->cx->arena, &all, place(p, loops_body(s)));
    return node_with_op(p->cx, s, (int)s->nops - 1, loops_block(p->cx, all.len, all.at));
}

static Node *place_arm(Planner *p, const Arm *arm, Node *body)
{
    Stmts all = {0};
    declare(p, &arm->items, &all);
    vec_push(p->cx->arena, &all, place(p, body));
    return loops_block(p->cx, all.len, all.at);
}

static Node *branch_of(Planner *p, Node *s, const Fork *fork)
{
    Node *then = place_arm(p, &fork->arms[0], s->op[1]);
    Node *otherwise = place_arm(p, &fork->arms[1], s->op[2]);
    return node_with_op(p->cx, node_with_op(p->cx, s, 1, then), 2, otherwise);
}

static Node *place(void *env, Node *s)
{
    Planner *p = env;
    const Team *team = s->kind == LOOP_PARALLEL ? plan_team_of(p, s) : NULL;
    const Fork *fork = s->kind == LOOP_IF ? plan_fork_of(&p->all, s) : NULL;
    if (team) return loop_of_team(p, s, team);
    if (fork) return branch_of(p, s, fork);
    if (s->kind == LOOP_CALL) return call_with_memory(p, s);
    const Item *item = loops_is_heap(s) ? map_get(&p->arrays, MAP_KEY(s->attr.sym)) : NULL;
    if (!item) return loops_map(p->cx, s, place, p);
    return item->stays ? placed(p, s, item) : loops_block(p->cx, 0, NULL);
}

// The name of an array, or that of the result or overwritten array in which it is placed.
static Sym name_of(const Item *item)
{
    if (item->slot && item->slot->output) return item->slot->output->place.name;
    return item->same ? name_of(item->same) : item->place.name;
}

static Node *renamed(Session *cx, Node *n, void *env)
{
    const Planner *p = env;
    const Item *item = loops_names_buffer(n) ? map_get(&p->arrays, MAP_KEY(n->attr.sym)) : NULL;
    if (!item || name_of(item) == n->attr.sym) return n;
    return node_with_name(cx, n, name_of(item));
}

static bool any_is_renamed(const Planner *p)
{
    for (int i = 0; i < p->arrays.len; i++) {
        const Item *item = p->arrays.entries[i].value;
        if (item && MAP_KEY(name_of(item)) != p->arrays.entries[i].key) return true;
    }
    return false;
}

static void note_place(const Planner *p, const Item *item, LoopEntry *done)
{
    LoopPlacement place = item->place;
    const Item *output = item->slot->output;
    place.at = item->slot->at;
    if (item->team) place.at = nat_add(p->cx, item->team->all->slot->at, place.at);
    place.each = item->team != NULL;
    place.shared = item->slot->items.len > 1;
    place.output = output ? output->place.name : NULL;
    vec_push(p->cx->arena, &done->placements, place);
}

static void note_places(const Planner *p, LoopEntry *done)
{
    done->placements.len = done->placements.cap = 0;
    for (int i = 0; i < p->items.len; i++) {
        const Team *team = team_with(p, p->items.at[i]);
        if (!team) note_place(p, p->items.at[i], done);
        for (int k = 0; team && k < team->items.len; k++) note_place(p, team->items.at[k], done);
    }
}

// --- functions ----------------------------------------------------------------------------------

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    const Facts *facts;
    Map planned;
} Functions;

static LoopEntry *plan_function(Functions *fs, const LoopEntry *f);

// Plans the functions that the body calls, except recursive ones.
static void plan_callees(Functions *fs, Node *body)
{
    Stmts calls = loops_all(fs->cx, body, IS_CALL);
    for (int i = 0; i < calls.len; i++) {
        Sym name = calls.at[i]->attr.sym;
        const LoopEntry *f = loops_callee(fs->entry, name);
        bool known = map_get(&fs->planned, MAP_KEY(name)) != NULL;
        if (f && !known && !loops_is_recursive(fs->cx, fs->entry, name)) plan_function(fs, f);
    }
}

// If an array overwrites another of equal length, gives it the name of that other array, so that
// copies between the two become copies of elements to themselves.
static void share_names(Planner *p)
{
    for (int i = 0; i < p->over.len; i++) {
        const Item *from = p->over.at[i].from;
        Item *to = map_get(&p->arrays, MAP_KEY(p->over.at[i].to->place.name));
        bool same = to->alloc && from->alloc && from->slot && from->slot == to->slot &&
                    !to->stays && !from->stays && from->place.count == to->place.count;
        bool ends = p->over.at[i].end == from->place.to && p->over.at[i].begin == to->place.from;
        if (same && ends && !to->same) to->same = from;
    }
}

static LoopEntry *plan_body(Functions *fs, const LoopEntry *f)
{
    Session *cx = fs->cx;
    Planner p = {.cx = cx,
                 .entry = fs->entry,
                 .f = f,
                 .planned = &fs->planned,
                 .facts = fs->facts,
                 .helpers = fs->entry->helpers,
                 .arrays = map_new(cx->arena)};
    plan_callees(fs, f->body);
    plan_lifetimes(&p);
    Node *lines = lay_out(&p);
    share_names(&p);
    Node *body = place_arm(&p, &p.all, f->body);
    if (any_is_renamed(&p)) body = node_rewrite(cx, body, renamed, &p);
    LoopEntry *done = loops_with_body(cx, f, loops_without_self_copies(cx, body));
    done->workspace = lines;
    done->helpers = p.helpers;
    done->thread = p.thread;
    note_places(&p, done);
    return done;
}

static LoopEntry *plan_function(Functions *fs, const LoopEntry *f)
{
    LoopEntry *done = map_get(&fs->planned, MAP_KEY(f->name));
    if (done) return done;
    done = f->body ? plan_body(fs, f) : loops_with_body(fs->cx, f, NULL);
    done->planned = true;
    map_put(&fs->planned, MAP_KEY(f->name), done);
    return done;
}

LoopEntry *loops_plan_memory(Session *cx, const LoopEntry *e)
{
    Simplifier known = simplifier_new(cx, e); // facts about sizes
    Functions fs = {cx, e, known.facts, map_new(cx->arena)};
    LoopEntry *done = plan_body(&fs, e);
    done->planned = true;
    done->callees.len = done->callees.cap = 0;
    for (int i = 0; i < e->callees.len; i++)
        vec_push(cx->arena, &done->callees, plan_function(&fs, e->callees.at[i]));
    return done;
}
