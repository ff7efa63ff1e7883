// The notes of `adze explain --lanes` on a loop over lanes: for each statement, the shapes of its
// values, the kind of its memory accesses, and the treatment of branches and loops.
#include "loops/vector/vectors.h"

typedef struct {
    Divergence *d;
    LoopEntry *entry;
    Span loop, here, value; // `here` is the current statement, `value` its operand
} Notes;

static void note(const Notes *n, Sym name, const char *text)
{
    LaneNote one = {
        .loop = n->loop, .span = n->here, .value = n->value, .name = name, .text = text};
    if (n->here.file) vec_push(n->d->cx->arena, &n->entry->lane_notes, one);
}

static const char *shape_text(Session *cx, Shape s)
{
    if (s.varies) return "varying";
    if (s.step == 0) return "uniform";
    return arena_printf(cx->arena, "linear by %lld", (long long)s.step);
}

static void note_name(Sym name, const Notes *n)
{
    Session *cx = n->d->cx;
    Node *var = loops_local(cx, name, type_scalar(cx, SCALAR_I64));
    if (!divergence_array(n->d, name)) note(n, name, shape_text(cx, divergence_of(n->d, var)));
}

static void note_access(const Notes *n, Node *access, bool stores)
{
    Session *cx = n->d->cx;
    Shape by = divergence_of(n->d, access->op[0]);
    bool own = divergence_array(n->d, access->attr.sym) != NULL;
    const char *text = by.varies      ? stores ? "scattered" : "gathered"
                       : by.step == 1 ? "contiguous"
                       : by.step == 0 ? "one element"
                                      : arena_printf(cx->arena, "stride %lld", (long long)by.step);
    note(n, access->attr.sym, own ? "an array for each lane" : text);
}

static void note_atom(Node *atom, void *env)
{
    if (atom->kind == NAT_VAR) note_name(atom->attr.sym, env);
}

static bool is_local(const Notes *n, Sym name)
{
    const LaneName *known = map_get(&n->d->names, MAP_KEY(name));
    return known && known->stmt->kind == LOOP_DECL;
}

static void note_value(const Notes *n, Node *e)
{
    if (kind_info[e->kind].levels & LEVEL_TYPE) return;
    if (kind_info[e->kind].levels & LEVEL_NAT) {
        nat_atoms(n->d->cx, e, note_atom, (void *)(uintptr_t)n);
        return;
    }
    if (e->kind == LOOP_VAR) note_name(e->attr.sym, n);
    if (e->kind == LOOP_LOAD) note_access(n, e, false);
    if (e->kind == LOOP_ADDRESS && is_local(n, e->attr.sym)) note_name(e->attr.sym, n);
    for (uint32_t i = 0; i < e->nops; i++) note_value(n, e->op[i]);
}

static void note_branch(const Notes *n, Node *s)
{
    bool same = shape_is_uniform(divergence_of(n->d, s->op[0]));
    bool leaves = s->op[1]->kind == LOOP_JUMP || s->op[2]->kind == LOOP_JUMP;
    note(n, NULL, same ? "uniform branch" : leaves ? "some lanes leave" : "masked branch");
}

static void note_stmt(const Notes *around, Node *s)
{
    Notes n = *around;
    bool gives = s->kind == LOOP_DECL || s->kind == LOOP_SET || s->kind == LOOP_STORE;
    if (s->origin.file) n.here = s->origin;
    n.value = gives ? s->op[s->nops - 1]->origin : n.here;
    if (s->kind == LOOP_DECL || s->kind == LOOP_SET) note_name(s->attr.sym, &n);
    if (s->kind == LOOP_STORE) note_access(&n, s, true);
    if (s->kind == LOOP_IF) note_branch(&n, s);
    if (s->kind == LOOP_CALL)
        note(&n, NULL, lane_call_is_uniform(n.d, s) ? "called once" : "called lane by lane");
    if (divergence_is_loop(n.d, s)) {
        Notes loop = n;
        if (s->op[0]->origin.file) loop.here = s->op[0]->origin;
        note(&loop, NULL, "until the last lane has left");
    }
    for (uint32_t i = 0; i < s->nops; i++) {
        if (loops_is_stmt(s->op[i]))
            note_stmt(&n, s->op[i]);
        else
            note_value(&n, s->op[i]);
    }
}

void note_lane_move(Session *cx, LoopEntry *entry, Node *loop, Node *store, Sym array,
                    const char *text)
{
    LaneNote one = {.loop = loop->origin,
                    .span = store->origin,
                    .value = store->origin,
                    .name = array,
                    .text = text};
    if (store->origin.file) vec_push(cx->arena, &entry->lane_notes, one);
}

void note_lanes(Divergence *d, LoopEntry *entry, Node *loop, Node *body)
{
    Notes n = {d, entry, loop->origin, loop->origin, loop->origin};
    const char *text = body ? "%lld lanes, in vectors of %lld" : "%lld lanes, one at a time";
    int64_t lanes = 0;
    (void)nat_is_const(loop->op[0], &lanes);
    note(&n, NULL, arena_printf(d->cx->arena, text, (long long)lanes, (long long)d->lanes));
    if (body) note_stmt(&n, body);
}
