// Copy propagation: `decl t = x; .. t ..` becomes `.. x ..` for a local or an element x that does
// not change before the last use of t. After this pass, positions may contain locals that change.
#include "loops/simplify/simplify.h"

typedef struct {
    Session *cx;
    Map mutated; // locals that are set
    Map written; // buffers that are stored to, or passed to calls
    Map seen;    // snapshots that have been tried
    Map pending; // snapshots to remove -> their values; one walk replaces consecutive snapshots
} Copies;

// --- snapshots ----------------------------------------------------------------------------------

static bool is_snapshot(Copies *f, Node *s)
{
    if (s->kind != LOOP_DECL || map_get(&f->mutated, MAP_KEY(s->attr.sym))) return false;
    Node *value = s->op[1];
    if (value->kind == LOOP_VAR) return map_get(&f->mutated, MAP_KEY(value->attr.sym)) != NULL;
    return value->kind == LOOP_LOAD && map_get(&f->written, MAP_KEY(value->attr.sym));
}

// --- uses and kills, in the order of execution --------------------------------------------------

typedef struct {
    Session *cx;
    Sym name;    // the snapshot
    Map sources; // the locals and buffers that its value reads
    bool is_load;
    bool changed; // the sources may have been set since the snapshot
    int uses;
    int loops; // number of loops that enclose the current statement
    bool possible;
} Uses;

static void use(Uses *u, bool in_size)
{
    u->uses++;
    if (u->changed) u->possible = false;
    // loads are not duplicated, and cannot occur in sizes
    if (u->is_load && (u->uses > 1 || u->loops > 0 || in_size)) u->possible = false;
}

static void use_atom(Node *atom, void *env)
{
    Uses *u = env;
    if (atom->kind == NAT_VAR && atom->attr.sym == u->name) use(u, true);
}

static void uses_in(Uses *u, Node *n)
{
    if (kind_info[n->kind].levels & LEVEL_NAT) {
        nat_atoms(u->cx, n, use_atom, u);
        return;
    }
    if (kind_info[n->kind].levels & LEVEL_TYPE) return;
    if (n->kind == LOOP_VAR && n->attr.sym == u->name) use(u, false);
    for (uint32_t i = 0; i < n->nops; i++)
        if (!loops_is_stmt(n->op[i])) uses_in(u, n->op[i]);
}

static bool is_source(const Uses *u, Node *n)
{
    return map_get(&u->sources, MAP_KEY(n->attr.sym)) != NULL;
}

// Whether the statement changes a source, not counting the statements in it.
static bool changes(const Uses *u, Node *s)
{
    if ((s->kind == LOOP_SET || loops_is_store(s)) && is_source(u, s)) return true;
    for (uint32_t i = 0; i < s->nops; i++)
        if (s->op[i]->kind == LOOP_ADDRESS && is_source(u, s->op[i])) return true;
    return false;
}

static bool changes_inside(const Uses *u, Node *s)
{
    if (changes(u, s)) return true;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && changes_inside(u, s->op[i])) return true;
    return false;
}

static void visit(Uses *u, Node *s);

// Visits a loop. Uses in its range count as uses inside the loop, since C evaluates the end of the
// range in each iteration.
static void visit_loop(Uses *u, Node *s)
{
    bool before = u->changed, inside = changes_inside(u, loops_body(s));
    if (loops_is_counted(s)) uses_in(u, loops_from(s));
    u->changed |= inside;
    u->loops++;
    uses_in(u, s);
    visit(u, loops_body(s));
    u->loops--;
    u->changed = before || inside;
}

static void visit_branch(Uses *u, Node *s)
{
    uses_in(u, s->op[0]);
    bool before = u->changed;
    visit(u, s->op[1]);
    bool after = u->changed;
    u->changed = before;
    visit(u, s->op[2]);
    u->changed |= after;
}

static void visit(Uses *u, Node *s)
{
    if (loops_is(s, IS_LOOP)) {
        visit_loop(u, s);
    } else if (s->kind == LOOP_IF) {
        visit_branch(u, s);
    } else {
        // a task captures locals when it is spawned, but reads memory when it runs
        bool task = s->kind == LOOP_SPAWN;
        u->loops += task;
        uses_in(u, s);
        for (uint32_t i = 0; i < s->nops; i++)
            if (loops_is_stmt(s->op[i])) visit(u, s->op[i]);
        u->loops -= task;
        u->changed |= changes(u, s);
    }
}

// --- the pass -----------------------------------------------------------------------------------

static void note_source(Sym name, void *sources)
{
    map_put(sources, MAP_KEY(name), sources);
}

static Uses uses_of(Copies *f, Node *decl)
{
    Node *value = decl->op[1];
    Uses u = {.cx = f->cx,
              .name = decl->attr.sym,
              .sources = map_new(f->cx->arena),
              .is_load = value->kind == LOOP_LOAD,
              .possible = true};
    Map seen = map_new(f->cx->arena);
    loops_reads(f->cx, value, &seen, note_source, &u.sources);
    return u;
}

// The index of the first statement that changes a source of the snapshot, or n.
static uint32_t first_change(const Uses *u, Node **stmts, uint32_t n)
{
    uint32_t i = 0;
    while (i < n && !changes_inside(u, stmts[i])) i++;
    return i;
}

static void replace_in(Copies *f, const Map *values, Node **stmts, uint32_t n)
{
    for (uint32_t i = 0; i < n && values->len; i++)
        stmts[i] = loops_replace_locals(f->cx, stmts[i], values);
}

// Replaces the pending snapshots in the statements with their values.
static void replace_pending(Copies *f, Node **stmts, uint32_t n)
{
    if (f->pending.len == 0) return;
    replace_in(f, &f->pending, stmts, n);
    f->pending = map_new(f->cx->arena);
}

// Removes the snapshot stmts[0] if possible, and returns whether it did. Otherwise, moves a
// snapshot of a local down to just before the first statement that changes the local. If that
// statement is an assignment, the snapshot is also replaced in its value, which is evaluated before
// the change. `stmts` still mentions the snapshots that are pending.
static bool folded(Copies *f, Node **stmts, uint32_t n)
{
    Node *decl = stmts[0];
    Uses u = uses_of(f, decl);
    for (uint32_t i = 1; i < n && u.possible; i++) visit(&u, stmts[i]);
    if (u.possible) map_put(&f->pending, MAP_KEY(u.name), (void *)(uintptr_t)decl->op[1]);
    if (u.possible || u.is_load) return u.possible;
    replace_pending(f, stmts + 1, n - 1);
    uint32_t before = first_change(&u, stmts + 1, n - 1);
    bool assigned = before + 1 < n && stmts[before + 1]->kind == LOOP_SET;
    Map sinks = map_new(f->cx->arena);
    map_put(&sinks, MAP_KEY(u.name), (void *)(uintptr_t)decl->op[1]);
    replace_in(f, &sinks, stmts + 1, before + assigned);
    for (uint32_t i = 0; i < before; i++) stmts[i] = stmts[i + 1];
    stmts[before] = decl;
    return false;
}

static Node *fold(void *env, Node *s)
{
    Copies *f = env;
    Session *cx = f->cx;
    if (s->kind != LOOP_BLOCK) return loops_map(cx, s, fold, f);
    Node **stmts = ARENA_ARRAY(cx->arena, Node *, s->nops + 1);
    Stmts kept = {0};
    for (uint32_t i = 0; i < s->nops; i++) stmts[i] = s->op[i];
    for (uint32_t i = 0; i < s->nops; i++) {
        replace_in(f, &f->pending, stmts + i, 1);
        Node *decl = stmts[i];
        bool new = is_snapshot(f, decl) && !map_get(&f->seen, MAP_KEY(decl->attr.sym));
        if (new) map_put(&f->seen, MAP_KEY(decl->attr.sym), f);
        if (new &&folded(f, stmts + i, s->nops - i)) continue;
        replace_pending(f, stmts + i + 1, s->nops - i - 1);
        if (stmts[i] != decl) { // the snapshot has moved down, and another statement is here
            i--;
            continue;
        }
        vec_push(cx->arena, &kept, fold(f, stmts[i]));
    }
    replace_pending(f, NULL, 0);
    return loops_block(cx, kept.len, kept.at);
}

// Whether the statement is `x = x`.
static bool is_itself(Node *s)
{
    Node *value = s->kind == LOOP_SET ? s->op[0] : s->kind == LOOP_STORE ? s->op[1] : NULL;
    if (!value) return false;
    if (value->kind == CORE_NAT && s->kind == LOOP_SET)
        return value->op[0]->kind == NAT_VAR && value->op[0]->attr.sym == s->attr.sym;
    Kind same = s->kind == LOOP_SET ? LOOP_VAR : LOOP_LOAD;
    if (value->kind != same || value->attr.sym != s->attr.sym) return false;
    return same == LOOP_VAR || value->op[0] == s->op[0];
}

// Removes `x = x`, and swaps the arms of branches whose first arm is empty.
static Node *tidy(void *env, Node *s)
{
    Session *cx = env;
    if (is_itself(s)) return loops_block(cx, 0, NULL);
    s = loops_map(cx, s, tidy, cx);
    if (s->kind != LOOP_IF || !loops_is_empty(s->op[1])) return s;
    Node *ops[3] = {loops_negated(cx, s->op[0]), s->op[2], s->op[1]};
    return node_with_ops(cx, s, ops);
}

static LoopEntry *fold_entry(Session *cx, const LoopEntry *e)
{
    Copies f = {.cx = cx,
                .mutated = map_new(cx->arena),
                .written = map_new(cx->arena),
                .seen = map_new(cx->arena),
                .pending = map_new(cx->arena)};
    loops_changed(e->body, &f.mutated);
    loops_names(e->body, IS_STORE | IS_SET | IS_ADDRESS, &f.written);
    Node *body = loops_dce(cx, tidy(cx, fold(&f, e->body)));
    LoopEntry *done = loops_with_body(cx, e, body);
    done->folded = true;
    return done;
}

LoopEntry *loops_copy_propagate(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, fold_entry);
}
