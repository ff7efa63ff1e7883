// Schedules vector math calls by dependence depth, to hide their latency. C compilers do not
// reorder calls, so a call stalls on the result of the call before it. An independent call can run
// in the meantime:
//
//   d = log(a) / s                            d = log(a) / s
//   p = exp(d * d)                becomes     ready = b * exp(r)        depth 1, like the logarithm
//   y = p + b * exp(r)                        p = exp(d * d)            depth 2
//                                             y = p + ready
//
// The depth of an expression is the length of the longest chain of dependent calls in it. A call
// that is less deep than a call in an earlier statement moves ahead of that statement, right after
// the last call before it. Its result is then live across the next call instead of its operands.
#include "loops/simplify/simplify.h"

// An expression moves past at most FAR statements, and at most MOST with deeper calls, since its
// result is live across them.
enum { FAR = 100, MOST = 4 };

typedef struct {
    int all;   // depth of the expression
    int calls; // depth of the deepest call in it, or 0
} Depth;

typedef struct {
    Node *stmt;
    int calls;
} Placed;

typedef struct {
    Session *cx;
    Map locals;      // Sym -> depth of its value
    Map known;       // expression of the current statement -> Depth
    Map moved;       // expression of the current statement -> its replacement
    VEC(Placed) row; // consecutive assignments, declarations and stores
    bool changed;
} Calls;

// --- depths -------------------------------------------------------------------------------------

static bool is_value(Node *e)
{
    return !node_is_size_or_type(e) && !loops_is_stmt(e);
}

static bool is_vector(Node *e)
{
    return e->type && e->type->kind == TYPE_VEC;
}

static void deepen(Depth *d, Depth by)
{
    if (by.all > d->all) d->all = by.all;
    if (by.calls > d->calls) d->calls = by.calls;
}

static Depth depth_of(Calls *c, Node *e)
{
    if (!is_value(e)) return (Depth){0};
    if (e->kind == LOOP_VAR)
        return (Depth){.all = (int)(uintptr_t)map_get(&c->locals, MAP_KEY(e->attr.sym))};
    Depth *d = map_get(&c->known, MAP_KEY(e));
    if (d) return *d;
    d = ARENA_NEW(c->cx->arena, Depth);
    *d = (Depth){0};
    for (uint32_t i = 0; i < e->nops; i++) deepen(d, depth_of(c, e->op[i]));
    if (e->kind == CORE_PRIM && is_vector(e) && prim_in_library(c->cx, (Prim)e->attr.i))
        d->calls = ++d->all;
    map_put(&c->known, MAP_KEY(e), d);
    return *d;
}

// --- where to move ------------------------------------------------------------------------------

static bool is_load(Node *e, void *env)
{
    (void)env;
    return loops_is_load(e);
}

// Whether the expression can move past the statement, which must not change its value.
static bool may_pass(const Calls *c, Node *s, Node *e)
{
    return loops_is_store(s) ? !node_any(e, is_load, NULL) : !loops_uses(c->cx, e, s->attr.sym);
}

// The index of the statement before which an expression of the next statement should move, or -1 if
// the expression should stay.
static int find_position(Calls *c, Node *e)
{
    Depth own = depth_of(c, e);
    int free = c->row.len, at = -1;
    if (!is_vector(e) || own.calls == 0 || own.calls < own.all) return -1;
    int least = free > FAR ? free - FAR : 0;
    for (int deeper = 0; free > least && may_pass(c, c->row.at[free - 1].stmt, e); free--) {
        deeper += c->row.at[free - 1].calls > own.all;
        if (deeper > MOST) break;
    }
    for (int i = free; i < c->row.len; i++) {
        if (c->row.at[i].calls > own.all) return at < 0 ? i : at;
        if (c->row.at[i].calls) at = i + 1;
    }
    return -1;
}

// --- statements ---------------------------------------------------------------------------------

static void insert(Calls *c, int at, Placed p)
{
    vec_push(c->cx->arena, &c->row, p);
    for (int i = c->row.len - 1; i > at; i--) c->row.at[i] = c->row.at[i - 1];
    c->row.at[at] = p;
}

static Node *early(Calls *c, Node *e, int at)
{
    Node *decl, *local = loops_name(c->cx, "ready", e, &decl, e->origin);
    Depth depth = depth_of(c, e);
    insert(c, at, (Placed){decl, depth.calls});
    map_put(&c->locals, MAP_KEY(local->attr.sym), (void *)(uintptr_t)depth.all);
    c->changed = true;
    return local;
}

static Node *with_early(Calls *c, Node *e)
{
    if (!is_value(e) || depth_of(c, e).calls == 0) return e;
    Node *found = map_get(&c->moved, MAP_KEY(e)), *made = e;
    if (found) return found;
    int at = find_position(c, e);
    bool one = e->kind == LOOP_SELECT && !is_vector(e->op[0]); // evaluates only one operand
    if (at >= 0)
        made = early(c, e, at);
    else
        for (uint32_t i = 0; i < e->nops && !one; i++)
            made = node_with_op(c->cx, made, (int)i, with_early(c, e->op[i]));
    map_put(&c->moved, MAP_KEY(e), (void *)(uintptr_t)made);
    return made;
}

static void end_row(Calls *c, Stmts *out)
{
    for (int i = 0; i < c->row.len; i++) vec_push(c->cx->arena, out, c->row.at[i].stmt);
    c->row.len = 0;
}

static Node *in_block(void *env, Node *s);

static void statement(Calls *c, Node *s, Stmts *out)
{
    Depth depth = {0};
    if (s->kind != LOOP_SET && s->kind != LOOP_DECL && !loops_is_store(s)) {
        end_row(c, out);
        vec_push(c->cx->arena, out, in_block(c, s));
        return;
    }
    c->known = map_new(c->cx->arena);
    c->moved = map_new(c->cx->arena);
    for (uint32_t i = 0; i < s->nops; i++)
        s = node_with_op(c->cx, s, (int)i, with_early(c, s->op[i]));
    for (uint32_t i = 0; i < s->nops; i++) deepen(&depth, depth_of(c, s->op[i]));
    if (!loops_is_store(s)) map_put(&c->locals, MAP_KEY(s->attr.sym), (void *)(uintptr_t)depth.all);
    vec_push(c->cx->arena, &c->row, ((Placed){s, depth.calls}));
}

static Node *in_block(void *env, Node *s)
{
    Calls *c = env;
    if (s->kind != LOOP_BLOCK) return loops_map(c->cx, s, in_block, c);
    Calls inner = {.cx = c->cx, .locals = c->locals};
    Stmts out = {0};
    for (uint32_t i = 0; i < s->nops; i++) statement(&inner, s->op[i], &out);
    end_row(&inner, &out);
    c->locals = inner.locals;
    c->changed |= inner.changed;
    return inner.changed ? loops_block(c->cx, out.len, out.at) : s;
}

static LoopEntry *calls_entry(Session *cx, const LoopEntry *e)
{
    Calls c = {.cx = cx, .locals = map_new(cx->arena)};
    return loops_with_body(cx, e, in_block(&c, e->body));
}

LoopEntry *loops_schedule_calls(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, calls_entry);
}
