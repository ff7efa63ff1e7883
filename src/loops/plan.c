// Memory is planned: temporary arrays of a function lie in one workspace, which its caller provides, instead of being allocated
// one by one. Arrays that are not needed at the same time get the same place.
//
// Statements are numbered as they stand in the text. Control only goes on, but for loops; so an array is needed at most from the
// first statement that mentions it to the last, or to the ends of the outermost loop around a mention that does not have the
// array's own declaration inside. Tasks may run until the block of the array ends, where they are waited for.
//
// A place is as large as the largest array in it, so sharing one is never worse than a place for each. An array that a loop writes over
// another, element by element, may take its place where the other ends there. An array for which there is room in a result that is
// not written yet is made there. Arrays of an iteration of a
// parallel loop or of a task stay where they are: as many may be alive as there are iterations or tasks.
#include "loops/passes.h"

#include <limits.h>

// --- what can be planned ------------------------------------------------------------------------

bool loops_is_heap(Node *s)
{
    return s->kind == LOOP_ALLOC && s->variant == VARIANT_HEAP;
}

bool loops_is_placed(Node *s)
{
    return s->kind == LOOP_ALLOC && (s->variant == VARIANT_PART || s->variant == VARIANT_PLACE);
}

bool loops_gives_memory(const LoopEntry *callee, Node *call)
{
    return (int)call->nops > callee->params.len;
}

typedef struct {
    const LoopEntry *entry;
    bool found;
} Other;

static void look_for_other(Node *atom, void *env)
{
    Other *o = env;
    for (int i = 0; i < o->entry->sizes.len; i++)
        if (atom->kind == NAT_VAR && atom->attr.sym == o->entry->sizes.at[i]) return;
    o->found = true;
}

bool loops_is_static(Session *cx, const LoopEntry *entry, Node *size)
{
    Other o = {entry, false};
    nat_atoms(cx, size, look_for_other, &o);
    return !o.found;
}

static bool calls(const LoopEntry *entry, Node *s, Sym function, Map *seen)
{
    if (s->kind == LOOP_CALL) {
        if (s->attr.sym == function) return true;
        const LoopEntry *f = loops_callee(entry, s->attr.sym);
        if (!f || !f->body || map_get(seen, MAP_KEY(f->name))) return false;
        map_put(seen, MAP_KEY(f->name), seen);
        return calls(entry, f->body, function, seen);
    }
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && calls(entry, s->op[i], function, seen)) return true;
    return false;
}

bool loops_is_recursive(Session *cx, const LoopEntry *entry, Sym function)
{
    const LoopEntry *f = loops_callee(entry, function);
    Map seen = map_new(cx->arena);
    return f && f->body && calls(entry, f->body, function, &seen);
}

bool loops_owns_workspace(Session *cx, const LoopEntry *entry, const LoopEntry *f)
{
    return f == entry || loops_is_recursive(cx, entry, f->name);
}

// --- lifetimes ----------------------------------------------------------------------------------

typedef struct Item Item;
typedef VEC(Item *) Items;

/// A loop around the current statement.
typedef struct Around Around;
struct Around {
    const Around *outer;
    Node *loop;
    int begin;
    Items used; // from outside: all of the loop needs them
};

typedef struct {
    const Item *output; // whose memory it is; NULL: in the workspace
    Node *bytes;        // of the largest in it
    Node *at;           // where it begins, in lines
    Items items;
    bool moving; // whether something in it is declared in a loop
} Slot;

struct Item {
    LoopPlace place;
    const Around *around; // its own loops
    Node *alloc;          // NULL: a call
    bool lent;            // to a task
    bool stays; // declared where it is: lanes may look like iterations by themselves without it
    Slot *slot;
};

/// A loop that writes an array over another.
typedef struct {
    const Item *from, *to;
    int begin, end;
} Over;

typedef struct {
    Session *cx;
    const LoopEntry *entry, *f;
    Map *planned; // Sym of a function -> its LoopEntry
    const Facts *facts;
    Map arrays; // Sym -> Item, outputs too
    Items outputs;
    VEC(Over) over;
    Items items;
    Items calls; // one for each call in order of appearance, NULL: it gives no memory
    int time;
    int own, tasks, lanes; // how many parallel loops and tasks, tasks, loops in lockstep are around
    Around *around;
    VEC(Slot *) slots;
    int call;
} Planner;

static void use(Item *item, int time, Span origin)
{
    LoopPlace *p = &item->place;
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

static void mention(Planner *p, Sym name, Node *stmt)
{
    Item *item = map_get(&p->arrays, MAP_KEY(name));
    if (!item) return;
    use(item, p->time, stmt->origin);
    if (p->tasks) item->lent = true;
    Around *outermost = NULL;
    for (Around *a = p->around; a != item->around; a = (Around *)(uintptr_t)a->outer) outermost = a;
    if (!outermost) return;
    use(item, outermost->begin, outermost->loop->origin);
    for (int i = 0; i < outermost->used.len; i++)
        if (outermost->used.at[i] == item) return;
    vec_push(p->cx->arena, &outermost->used, item);
}

static void mentions_of(Planner *p, Node *n, Node *stmt)
{
    if (loops_names_buffer(n)) mention(p, n->attr.sym, stmt);
    if (kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return;
    for (uint32_t i = 0; i < n->nops; i++)
        if (!loops_is_stmt(n->op[i])) mentions_of(p, n->op[i], stmt);
}

// --- how much -----------------------------------------------------------------------------------

// The size with the index of a loop at the end of its range where it is largest; NULL when that is not known.
static Node *largest(Planner *p, Node *size, Node *loop)
{
    Session *cx = p->cx;
    Node *index = nat_var(cx, loop->attr.sym), *one = nat_const(cx, 1);
    if (!nat_occurs(size, index)) return size;
    NodeBinding next = {loop->attr.sym, nat_add(cx, index, one)};
    Facts *facts = facts_new(cx, cx->arena, p->facts);
    facts_range(facts, loop->attr.sym, loops_from(loop), loops_to(loop));
    Node *step = nat_sub(cx, node_replace_names(cx, size, &next, 1), size);
    bool grows = nat_ge0(cx, facts, step) == TRUTH_YES;
    if (!grows && nat_ge0(cx, facts, nat_sub(cx, nat_const(cx, 0), step)) != TRUTH_YES) return NULL;
    NodeBinding end = {loop->attr.sym, grows ? nat_sub(cx, loops_to(loop), one) : loops_from(loop)};
    return node_replace_names(cx, size, &end, 1);
}

// How many elements an array has at most, over the sizes of the entry; NULL when these do not tell.
static Node *count_of(Planner *p, Node *alloc)
{
    Node *count = alloc->op[1];
    for (const Around *a = p->around; a && count; a = a->outer)
        if (loops_is_counted(a->loop)) count = largest(p, count, a->loop);
    if (!count || !loops_is_static(p->cx, p->entry, count)) return NULL;
    bool length = nat_ge0(p->cx, p->facts, count) == TRUTH_YES; // or it is in a loop without rounds
    return length ? count : nat_max(p->cx, count, nat_const(p->cx, 0));
}

static Node *bytes_of(Session *cx, Node *type, Node *count)
{
    Scalar scalar = SCALAR_I64; // of an index
    type_is_scalar(type, &scalar);
    return nat_mul(cx, count, nat_const(cx, scalar_info[scalar].size));
}

static Node *lines_of(Session *cx, Node *bytes)
{
    Node *line = nat_const(cx, LOOPS_LINE);
    return nat_div(cx, nat_add(cx, bytes, nat_const(cx, LOOPS_LINE - 1)), line);
}

static Item *add(Planner *p, LoopPlace place)
{
    Item *item = ARENA_NEW(p->cx->arena, Item);
    *item = (Item){.place = place, .around = p->around, .stays = p->lanes > 0};
    vec_push(p->cx->arena, &p->items, item);
    return item;
}

static void look_at_alloc(Planner *p, Node *s)
{
    Node *count = loops_is_heap(s) && !p->own ? count_of(p, s) : NULL;
    if (!count) return;
    LoopPlace place = {.name = s->attr.sym,
                       .type = s->op[0],
                       .count = count,
                       .bytes = bytes_of(p->cx, s->op[0], count)};
    Item *item = add(p, place);
    item->alloc = s;
    map_put(&p->arrays, MAP_KEY(s->attr.sym), item);
}

// The workspace of a function that does not call itself is a part of its caller's.
static void look_at_call(Planner *p, Node *s)
{
    const LoopEntry *f = map_get(p->planned, MAP_KEY(s->attr.sym));
    Item *item = NULL;
    if (f && f->workspace && !p->own && !loops_is_recursive(p->cx, p->entry, s->attr.sym)) {
        Node *bytes = nat_mul(p->cx, f->workspace, nat_const(p->cx, LOOPS_LINE));
        item = add(p, (LoopPlace){.name = s->attr.sym, .bytes = bytes});
        use(item, p->time, s->origin);
    }
    vec_push(p->cx->arena, &p->calls, item);
}

static void look(Planner *p, Node *s);

static void look_inside(Planner *p, Node *s)
{
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) look(p, s->op[i]);
}

// The arrays that may be written over others that end with the loop. That may turn out later.
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

static void look_at_loop(Planner *p, Node *s)
{
    Around around = {.outer = p->around, .loop = s, .begin = p->time};
    p->around = &around;
    p->own += s->kind == LOOP_PARALLEL;
    p->lanes += s->kind == LOOP_VECTORIZE;
    look_inside(p, s);
    p->own -= s->kind == LOOP_PARALLEL;
    p->lanes -= s->kind == LOOP_VECTORIZE;
    p->around = (Around *)(uintptr_t)around.outer;
    p->time++;
    for (int i = 0; i < around.used.len; i++) use(around.used.at[i], p->time, s->origin);
    if (loops_is_counted(s)) find_over(p, &around);
}

// What tasks use is needed until its block has waited for them.
static void look_at_block(Planner *p, Node *s)
{
    look_inside(p, s);
    for (uint32_t i = 0; i < s->nops; i++) {
        bool alloc = s->op[i]->kind == LOOP_ALLOC;
        Item *item = alloc ? map_get(&p->arrays, MAP_KEY(s->op[i]->attr.sym)) : NULL;
        if (item && item->lent) use(item, ++p->time, s->origin);
    }
}

static void look(Planner *p, Node *s)
{
    p->time++;
    mentions_of(p, s, s);
    switch ((Kind)s->kind) {
    case LOOP_ALLOC: look_at_alloc(p, s); return;
    case LOOP_CALL: look_at_call(p, s); return;
    case LOOP_FOR:
    case LOOP_PARALLEL:
    case LOOP_VECTORIZE:
    case LOOP_FOREVER: look_at_loop(p, s); return;
    case LOOP_BLOCK: look_at_block(p, s); return;
    case LOOP_SPAWN:
        p->own++, p->tasks++;
        look_inside(p, s);
        p->own--, p->tasks--;
        return;
    default: look_inside(p, s);
    }
}

// --- slots --------------------------------------------------------------------------------------

// Whether one array is needed no more when the other is, or ends where it is written over.
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

static bool is_free(const Planner *p, const Slot *slot, const Item *item)
{
    for (int i = 0; i < slot->items.len; i++) {
        const Item *other = slot->items.at[i];
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

// A result is better than the workspace. A slot in which the array fits is better than one that grows with it, that better than one of which neither is known; of two in
// which it fits the smaller one.
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

// In order of the first use: then as few slots as arrays that are needed at once.
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

static void add_output(Planner *p, Item *output)
{
    Slot *slot = ARENA_NEW(p->cx->arena, Slot);
    *slot = (Slot){.output = output, .bytes = output->place.bytes};
    if (!output->place.from || output->lent) return;
    output->place.to = INT_MAX; // for the caller
    vec_push(p->cx->arena, &slot->items, output);
    vec_push(p->cx->arena, &p->slots, slot);
}

// Gives how many lines there are in all.
static Node *lay_out(Planner *p)
{
    Node *end = nat_const(p->cx, 0);
    sort(&p->items);
    for (int i = 0; i < p->outputs.len; i++) add_output(p, p->outputs.at[i]);
    for (int i = 0; i < p->items.len; i++) put(p, p->items.at[i]);
    for (int i = 0; i < p->slots.len; i++) {
        if (p->slots.at[i]->output) continue;
        p->slots.at[i]->at = end;
        end = nat_add(p->cx, end, lines_of(p->cx, p->slots.at[i]->bytes));
    }
    return end;
}

// --- the body with places -----------------------------------------------------------------------

// C may be told that nothing else is there: not in a function that is given memory which was another's before, nor again in
// each round of a loop.
static bool is_part(const Planner *p, const Item *item)
{
    return loops_owns_workspace(p->cx, p->entry, p->f) && !item->slot->moving;
}

static Node *placed(Planner *p, Node *s, const Item *item)
{
    return node_make(p->cx,
                     &(NodeSpec){.kind = LOOP_ALLOC,
                                 .variant = is_part(p, item) ? VARIANT_PART : VARIANT_PLACE,
                                 .attr = s->attr,
                                 .nops = 3,
                                 .ops = (Node *[]){s->op[0], item->place.count, item->slot->at},
                                 .origin = s->origin});
}

static Node *call_with_memory(Planner *p, Node *s)
{
    const Item *item = p->calls.at[p->call++];
    Stmts ops = {0};
    if (!item) return s;
    for (uint32_t i = 0; i < s->nops; i++) vec_push(p->cx->arena, &ops, s->op[i]);
    vec_push(p->cx->arena, &ops, core_size(p->cx, item->slot->at));
    return node_make(p->cx, &(NodeSpec){.kind = LOOP_CALL,
                                        .variant = (Variant)s->variant,
                                        .attr = s->attr,
                                        .nops = ops.len,
                                        .ops = ops.at,
                                        .origin = s->origin});
}

static Node *place(void *env, Node *s)
{
    Planner *p = env;
    if (s->kind == LOOP_CALL) return call_with_memory(p, s);
    const Item *item = loops_is_heap(s) ? map_get(&p->arrays, MAP_KEY(s->attr.sym)) : NULL;
    if (!item) return loops_map(p->cx, s, place, p);
    return item->stays ? placed(p, s, item) : loops_block(p->cx, 0, NULL);
}

// What is made in a result is named as that.
static Node *renamed(Session *cx, Node *n, int depth, void *env)
{
    (void)depth;
    const Planner *p = env;
    if (n->nops == 0 || kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return n;
    const Item *item = loops_names_buffer(n) ? map_get(&p->arrays, MAP_KEY(n->attr.sym)) : NULL;
    n = node_map(cx, n, 0, renamed, env);
    if (!item || !item->slot || !item->slot->output) return n;
    return node_make(cx, &(NodeSpec){.kind = (Kind)n->kind,
                                     .variant = (Variant)n->variant,
                                     .attr.sym = item->slot->output->place.name,
                                     .type = n->type,
                                     .nops = (int)n->nops,
                                     .ops = n->op,
                                     .origin = n->origin});
}

// The declarations stand first, in order of use.
static Node *place_all(Planner *p, Node *body)
{
    Stmts all = {0};
    for (int i = 0; i < p->items.len; i++) {
        const Item *item = p->items.at[i];
        bool here = item->alloc && !item->stays && !item->slot->output;
        if (here) vec_push(p->cx->arena, &all, placed(p, item->alloc, item));
    }
    vec_push(p->cx->arena, &all, renamed(p->cx, place(p, body), 0, p));
    return loops_block(p->cx, all.len, all.at);
}

static void note_places(const Planner *p, LoopEntry *done)
{
    done->places.len = done->places.cap = 0;
    for (int i = 0; i < p->items.len; i++) {
        LoopPlace place = p->items.at[i]->place;
        place.at = p->items.at[i]->slot->at;
        place.shared = p->items.at[i]->slot->items.len > 1;
        const Item *output = p->items.at[i]->slot->output;
        place.output = output ? output->place.name : NULL;
        vec_push(p->cx->arena, &done->places, place);
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

static bool needs_workspace(const Planner *p)
{
    for (int i = 0; i < p->items.len; i++)
        if (!p->items.at[i]->slot->output) return true;
    return false;
}

// The functions that it calls are planned before it, but for those that call it.
static void plan_callees(Functions *fs, Node *s)
{
    if (s->kind == LOOP_CALL && !map_get(&fs->planned, MAP_KEY(s->attr.sym)) &&
        !loops_is_recursive(fs->cx, fs->entry, s->attr.sym)) {
        const LoopEntry *f = loops_callee(fs->entry, s->attr.sym);
        if (f) plan_function(fs, f);
    }
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) plan_callees(fs, s->op[i]);
}

static void find_outputs(Planner *p)
{
    for (int i = 0; i < p->f->params.len; i++) {
        const LoopParam *q = &p->f->params.at[i];
        if (!q->output || q->both || q->rank == 0 || q->idx) continue;
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

static LoopEntry *plan_body(Functions *fs, const LoopEntry *f)
{
    Session *cx = fs->cx;
    Planner p = {.cx = cx,
                 .entry = fs->entry,
                 .f = f,
                 .planned = &fs->planned,
                 .facts = fs->facts,
                 .arrays = map_new(cx->arena)};
    plan_callees(fs, f->body);
    find_outputs(&p);
    look(&p, f->body);
    Node *lines = lay_out(&p);
    LoopEntry *done = loops_with_body(cx, f, place_all(&p, f->body));
    done->workspace = needs_workspace(&p) ? lines : NULL;
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

LoopEntry *loops_plan(Session *cx, const LoopEntry *e)
{
    Simplifier known = simplifier_new(cx, e); // what the sizes obey
    Functions fs = {cx, e, known.facts, map_new(cx->arena)};
    LoopEntry *done = plan_body(&fs, e);
    done->planned = true;
    done->callees.len = done->callees.cap = 0;
    for (int i = 0; i < e->callees.len; i++)
        vec_push(cx->arena, &done->callees, plan_function(&fs, e->callees.at[i]));
    return done;
}
