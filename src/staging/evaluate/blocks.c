// Structures a control-flow graph. Its blocks are functions called in tail position, one for each
// choice of known arguments; its edges are jumps, which pass the other arguments as parameters of
// the blocks (SSA form). The blocks are arranged as a tree of labels and loops that follows the
// dominator tree (Ramsey, "Beyond Relooper", ICFP 2022): a block with several predecessors is put
// inside its dominator, after a label that encloses all jumps to it; the target of a back edge
// becomes a loop. The entries of an irreducible loop are first joined in a block that dispatches to
// them.
#include "staging/values/stage.h"

typedef VEC(Node *) Nodes;
typedef VEC(int) Ints;

// A block that a term jumps to, and the number of jumps to it. Exits are sorted by block.
typedef struct {
    int block;
    int64_t places;
} Exit;
typedef struct {
    int len;
    const Exit *at;
} Exits;

typedef struct {
    Stage *s;
    Region *r;
    Map targets;   // variable of a block's label -> 1 + number of the block
    Map exits;     // term -> Exits
    Map same;      // parameter that always receives the same value -> that value
    Ints *next;    // the successors of each block
    Ints *before;  // the predecessors of each block
    Ints order;    // reverse postorder
    int *position; // the index of each block in `order`, or -1
    int *dominator;
} Graph;

static Config *block_of(const Graph *g, int i)
{
    return g->r->configs.at[i];
}

static bool is_part(Node *e)
{
    return !node_is_size_or_type(e);
}

// The number of the block that a term jumps to, or -1 if it is not a jump to a block.
static int target_of(const Graph *g, Node *e)
{
    if (e->kind != CORE_JUMP) return -1;
    return (int)(uintptr_t)map_get(&g->targets, MAP_KEY(e->op[0])) - 1;
}

// --- exits of terms ----------------------------------------------------------------------------

static Exits add_exits(Graph *g, Exits a, Exits b)
{
    if (a.len == 0 || b.len == 0) return a.len ? a : b;
    Exit *out = ARENA_ARRAY(g->s->arena, Exit, a.len + b.len);
    int n = 0, i = 0, k = 0;
    while (i < a.len || k < b.len) {
        bool from_a = k == b.len || (i < a.len && a.at[i].block <= b.at[k].block);
        bool from_b = i == a.len || (k < b.len && b.at[k].block <= a.at[i].block);
        out[n] = from_a ? a.at[i] : b.at[k];
        if (from_a && from_b) out[n].places += b.at[k].places;
        i += from_a;
        k += from_b;
        n++;
    }
    return (Exits){n, out};
}

static const Exits *known_exits(Graph *g, Node *e)
{
    return map_get(&g->exits, MAP_KEY(e));
}

static Exits exits_of(Graph *g, Node *e);

static Exits compute_exits(Graph *g, Node *e)
{
    int target = target_of(g, e);
    Exits all = {0};
    if (target >= 0) {
        Exit *one = ARENA_NEW(g->s->arena, Exit);
        *one = (Exit){target, 1};
        all = (Exits){1, one};
    }
    for (uint32_t i = 0; i < e->nops; i++)
        if (is_part(e->op[i])) all = add_exits(g, all, exits_of(g, e->op[i]));
    return all;
}

// Finds the blocks that a term jumps to. Iterates over last operands, so that long programs need no
// deep stack.
static Exits exits_of(Graph *g, Node *e)
{
    Nodes row = {0};
    for (; is_part(e) && !known_exits(g, e); e = e->op[e->nops - 1]) {
        vec_push(g->s->arena, &row, e);
        if (e->nops == 0) break;
    }
    for (int i = row.len - 1; i >= 0; i--) {
        Exits *made = ARENA_NEW(g->s->arena, Exits);
        *made = compute_exits(g, row.at[i]);
        map_put(&g->exits, MAP_KEY(row.at[i]), made);
        e = row.at[i];
    }
    const Exits *found = is_part(e) ? known_exits(g, e) : NULL;
    return found ? *found : (Exits){0};
}

static int64_t places_of(Graph *g, Node *e, int block)
{
    Exits x = exits_of(g, e);
    int lo = 0, hi = x.len;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (x.at[mid].block < block)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < x.len && x.at[lo].block == block ? x.at[lo].places : 0;
}

// --- replacing jumps to blocks -----------------------------------------------------------------

typedef Node *Replace(Graph *g, Node *jump, int block, void *env);

typedef struct {
    Graph *g;
    Replace *replace;
    void *env;
    Map done;
} Rewrite;

static Node *rewritten(Rewrite *w, Node *e)
{
    Nodes row = {0};
    Node *done = NULL;
    for (;; e = e->op[e->nops - 1]) {
        done = !is_part(e) || exits_of(w->g, e).len == 0 ? e : map_get(&w->done, MAP_KEY(e));
        if (done) break;
        int target = target_of(w->g, e);
        if (target >= 0) {
            done = w->replace(w->g, e, target, w->env);
            map_put(&w->done, MAP_KEY(e), (void *)(uintptr_t)done);
            break;
        }
        vec_push(w->g->s->arena, &row, e);
    }
    for (int i = row.len - 1; i >= 0; i--) {
        Node *old = row.at[i], **ops = ARENA_ARRAY(w->g->s->arena, Node *, old->nops + 1);
        for (uint32_t k = 0; k + 1 < old->nops; k++) ops[k] = rewritten(w, old->op[k]);
        ops[old->nops - 1] = done;
        done = node_with_ops(w->g->s->cx, old, ops);
        map_put(&w->done, MAP_KEY(old), (void *)(uintptr_t)done);
    }
    return done;
}

static Node *rewrite(Graph *g, Node *e, Replace *replace, void *env)
{
    Rewrite w = {g, replace, env, map_new(g->s->arena)};
    return rewritten(&w, e);
}

// Rewrites the code of every block.
static void rewrite_all(Graph *g, Replace *replace, void *env)
{
    for (int i = 0; i < g->r->configs.len; i++)
        block_of(g, i)->code = rewrite(g, block_of(g, i)->code, replace, env);
}

// --- what jumps carry --------------------------------------------------------------------------

// Several arguments are carried as a tuple.
Node *stage_carried_type(Stage *s, int n, Node *const *vars)
{
    if (n == 1) return vars[0]->type;
    Node **types = ARENA_ARRAY(s->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) types[i] = vars[i]->type;
    return type_tuple(s->cx, n, types);
}

Node *stage_zero(Stage *s, Node *t)
{
    if (t->kind == TYPE_TUPLE || t->kind == TYPE_STRUCT) {
        Node **ops = ARENA_ARRAY(s->arena, Node *, t->nops + 1);
        for (uint32_t i = 0; i < t->nops; i++) ops[i] = stage_zero(s, t->op[i]);
        return stage_term(s, CORE_TUPLE, t, NO_SPAN, (int)t->nops, ops);
    }
    if (t->kind == TYPE_ARRAY) {
        Node *z = stage_zero(s, t->op[1]);
        return core_pattern(s->cx, VIEW_REPEAT, 0, 2, (Node *[]){t->op[0], z});
    }
    if (t->kind == TYPE_VEC) return core_cast(s->cx, stage_zero(s, t->op[1]), t);
    return node_make(s->cx, &(NodeSpec){.kind = CORE_LIT, .type = t});
}

static Node *carried_value(Stage *s, int n, Node *const *values, Node *type)
{
    return n == 1 ? values[0] : stage_term(s, CORE_TUPLE, type, NO_SPAN, n, values);
}

static Node *carried_part(Stage *s, Node *carried, int n, int i, Node *type)
{
    if (n == 1) return carried;
    if (carried->kind == CORE_TUPLE) return carried->op[i];
    return node_make(
        s->cx,
        &(NodeSpec){.kind = CORE_PROJ, .attr.i = i, .type = type, .nops = 1, .ops = &carried});
}

// The argument that a jump to the block passes for parameter i.
static Node *given(Stage *s, const Config *c, Node *jump, int i)
{
    if (jump->nops == 1) return stage_data(s, known_unit(s), jump->origin);
    return carried_part(s, jump->op[1], c->nvars, i, c->vars[i]->type);
}

static void make_label(Graph *g, int block)
{
    Stage *s = g->s;
    Config *c = block_of(g, block);
    Node *type = stage_carried_type(s, c->nvars, c->vars);
    c->label = *stage_label_new(s, type, (Scope){0}, NULL);
    c->label.var = stage_variable(s, c->label.var->type, c->name);
    map_put(&g->targets, MAP_KEY(c->label.var), (void *)(uintptr_t)(block + 1));
}

static Node *jump_to(Stage *s, const Config *c, Node *const *values, Span origin)
{
    Node *ops[2] = {c->label.var, carried_value(s, c->nvars, values, c->label.type)};
    return stage_term(s, CORE_JUMP, type_never(s->cx), origin, type_is_unit(c->label.type) ? 1 : 2,
                      ops);
}

// --- parameters that are always the same -------------------------------------------------------

typedef struct {
    Node *jump;
    int block;
} Leaf;
typedef VEC(Leaf) Leaves;

static void find_leaves(Graph *g, Node *e, Map *seen, Leaves *out)
{
    for (; is_part(e) && exits_of(g, e).len; e = e->op[e->nops - 1]) {
        if (map_get(seen, MAP_KEY(e))) return;
        map_put(seen, MAP_KEY(e), seen);
        int target = target_of(g, e);
        if (target >= 0) {
            Leaf leaf = {e, target};
            vec_push(g->s->arena, out, leaf);
            return;
        }
        for (uint32_t i = 0; i + 1 < e->nops; i++) find_leaves(g, e->op[i], seen, out);
    }
}

static Node *resolved(Graph *g, Node *e)
{
    for (Node *same; (same = map_get(&g->same, MAP_KEY(e)));) e = same;
    return e;
}

typedef struct {
    Node *only; // the only argument other than the parameter itself
    bool several;
} Incoming;

static void note_incoming(Graph *g, Incoming **in, const Config *c, int block, Node *const *values)
{
    for (int i = 0; i < c->nvars; i++) {
        Node *v = resolved(g, values[i]);
        if (v == resolved(g, c->vars[i])) continue;
        Incoming *x = &in[block][i];
        x->several |= !known_is_atom(v) || (x->only && x->only != v);
        x->only = v;
    }
}

// Iterates once over all jumps (Braun et al., "Simple and efficient construction of SSA form",
// 3.1). Returns whether it found another parameter that receives the same value from all jumps.
static bool find_same(Graph *g, const Leaves *leaves)
{
    int n = g->r->configs.len;
    bool more = false;
    Incoming **in = ARENA_ARRAY(g->s->arena, Incoming *, n + 1);
    for (int i = 0; i < n; i++)
        in[i] = ARENA_ARRAY(g->s->arena, Incoming, block_of(g, i)->nvars + 1);
    note_incoming(g, in, block_of(g, 0), 0, g->r->values);
    for (int k = 0; k < leaves->len; k++) {
        const Config *c = block_of(g, leaves->at[k].block);
        Node **values = ARENA_ARRAY(g->s->arena, Node *, c->nvars + 1);
        for (int i = 0; i < c->nvars; i++) values[i] = given(g->s, c, leaves->at[k].jump, i);
        note_incoming(g, in, c, leaves->at[k].block, values);
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < block_of(g, i)->nvars; k++) {
            Node *var = block_of(g, i)->vars[k];
            if (in[i][k].several || !in[i][k].only || map_get(&g->same, MAP_KEY(var))) continue;
            map_put(&g->same, MAP_KEY(var), (void *)(uintptr_t)in[i][k].only);
            more = true;
        }
    return more;
}

// Builds `let var = value in body`.
static Node *let_in(Stage *s, Node *var, Node *value, Node *body)
{
    Node *under = stage_term(s, CORE_TUPLE, body->type, NO_SPAN, 2, (Node *[]){var, body});
    return stage_term(s, CORE_LET, body->type, value->origin, 2, (Node *[]){value, under});
}

// Rebuilds a jump without the arguments for dropped parameters. `old` holds the blocks with all
// their parameters.
static Node *with_fewer(Graph *g, Node *jump, int block, void *old)
{
    const Config *was = &((const Config *)old)[block], *c = block_of(g, block);
    Node **values = ARENA_ARRAY(g->s->arena, Node *, was->nvars + 1);
    int n = 0;
    for (int i = 0; i < was->nvars; i++)
        if (!map_get(&g->same, MAP_KEY(was->vars[i]))) values[n++] = given(g->s, was, jump, i);
    return jump_to(g->s, c, values, jump->origin);
}

// Replaces parameters that always get the same value with that value.
static void drop_same(Graph *g)
{
    Leaves leaves = {0};
    Map seen = map_new(g->s->arena);
    int n = g->r->configs.len;
    for (int i = 0; i < n; i++) find_leaves(g, block_of(g, i)->code, &seen, &leaves);
    while (find_same(g, &leaves)) {
    }
    Config *old = ARENA_ARRAY(g->s->arena, Config, n + 1);
    for (int i = 0; i < n; i++) {
        Config *c = block_of(g, i);
        old[i] = *c;
        c->vars = ARENA_ARRAY(g->s->arena, Node *, c->nvars + 1);
        c->nvars = 0;
        for (int k = 0; k < old[i].nvars; k++) {
            Node *var = old[i].vars[k];
            if (map_get(&g->same, MAP_KEY(var)))
                c->code = let_in(g->s, var, resolved(g, var), c->code);
            else {
                if (i == 0) g->r->values[c->nvars] = g->r->values[k];
                c->vars[c->nvars++] = var;
            }
        }
    }
    for (int i = 0; i < n; i++) make_label(g, i);
    rewrite_all(g, with_fewer, old);
}

// --- the graph ---------------------------------------------------------------------------------

static void find_edges(Graph *g)
{
    int n = g->r->configs.len;
    g->next = ARENA_ARRAY(g->s->arena, Ints, n + 1);
    g->before = ARENA_ARRAY(g->s->arena, Ints, n + 1);
    for (int i = 0; i < n; i++) {
        Exits x = exits_of(g, block_of(g, i)->code);
        for (int k = 0; k < x.len; k++) {
            vec_push(g->s->arena, &g->next[i], x.at[k].block);
            vec_push(g->s->arena, &g->before[x.at[k].block], i);
        }
    }
}

// Computes `order` by a depth-first search from the entry block, with an explicit stack.
static void find_order(Graph *g)
{
    int n = g->r->configs.len, depth = 0;
    int *stack = ARENA_ARRAY(g->s->arena, int, n + 1), *at = ARENA_ARRAY(g->s->arena, int, n + 1);
    bool *seen = ARENA_ARRAY(g->s->arena, bool, n + 1);
    Ints post = {0};
    stack[depth++] = 0;
    seen[0] = true;
    while (depth) {
        int i = stack[depth - 1];
        if (at[i] == g->next[i].len) {
            vec_push(g->s->arena, &post, i);
            depth--;
            continue;
        }
        int next = g->next[i].at[at[i]++];
        if (seen[next]) continue;
        seen[next] = true;
        stack[depth++] = next;
    }
    g->order = (Ints){0};
    g->position = ARENA_ARRAY(g->s->arena, int, n + 1);
    for (int i = 0; i < n; i++) g->position[i] = -1;
    for (int i = post.len - 1; i >= 0; i--) {
        g->position[post.at[i]] = g->order.len;
        vec_push(g->s->arena, &g->order, post.at[i]);
    }
}

static int common_dominator(const Graph *g, int a, int b)
{
    while (a != b) {
        while (g->position[a] > g->position[b]) a = g->dominator[a];
        while (g->position[b] > g->position[a]) b = g->dominator[b];
    }
    return a;
}

// Computes dominators as in Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm".
static void find_dominators(Graph *g)
{
    int n = g->r->configs.len;
    g->dominator = ARENA_ARRAY(g->s->arena, int, n + 1);
    for (int i = 0; i < n; i++) g->dominator[i] = -1;
    g->dominator[0] = 0;
    for (bool more = true; more;) {
        more = false;
        for (int k = 1; k < g->order.len; k++) {
            int i = g->order.at[k], best = -1;
            for (int j = 0; j < g->before[i].len; j++) {
                int p = g->before[i].at[j];
                if (g->position[p] < 0 || g->dominator[p] < 0) continue;
                best = best < 0 ? p : common_dominator(g, p, best);
            }
            more |= g->dominator[i] != best;
            g->dominator[i] = best;
        }
    }
}

static bool dominates(const Graph *g, int a, int b)
{
    while (g->position[b] > g->position[a]) b = g->dominator[b];
    return a == b;
}

static void analyse(Graph *g)
{
    find_edges(g);
    find_order(g);
    find_dominators(g);
}

// --- loops with several entries ----------------------------------------------------------------

// The target of a retreating edge that does not dominate the edge's source, or -1.
static int second_entry(const Graph *g)
{
    for (int k = 0; k < g->order.len; k++) {
        int i = g->order.at[k];
        for (int j = 0; j < g->next[i].len; j++) {
            int to = g->next[i].at[j];
            if (g->position[to] <= k && !dominates(g, to, i)) return to;
        }
    }
    return -1;
}

// Marks the blocks reachable from `from` along `edges` through blocks that `inside` strictly
// dominates.
static void mark_reached(const Graph *g, int from, const Ints *edges, int inside, bool *out)
{
    Ints stack = {0};
    vec_push(g->s->arena, &stack, from);
    while (stack.len) {
        int i = stack.at[--stack.len];
        if (out[i] || g->position[i] < 0 || i == inside || !dominates(g, inside, i)) continue;
        out[i] = true;
        for (int k = 0; k < edges[i].len; k++) vec_push(g->s->arena, &stack, edges[i].at[k]);
    }
}

// The entries of the cycles through the block, that is, the blocks on these cycles that have
// predecessors outside them. All entries have the same immediate dominator.
static Ints entries_around(const Graph *g, int block)
{
    int n = g->r->configs.len, top = g->dominator[block];
    bool *to = ARENA_ARRAY(g->s->arena, bool, n + 1), *from = ARENA_ARRAY(g->s->arena, bool, n + 1);
    Ints entries = {0};
    mark_reached(g, block, g->next, top, to);
    mark_reached(g, block, g->before, top, from);
    for (int i = 0; i < n; i++) {
        bool outside = false;
        for (int k = 0; k < g->before[i].len; k++) {
            int p = g->before[i].at[k];
            outside |= g->position[p] >= 0 && !(to[p] && from[p]);
        }
        if (to[i] && from[i] && outside) vec_push(g->s->arena, &entries, i);
    }
    return entries;
}

// A block that joins the entries of a loop. Its first parameter selects the entry, and the others
// are the arguments for that entry. Entries share parameters of equal type.
typedef struct {
    Config *choice;
    const Ints *entries;
    int **slots; // slots[entry][parameter]: index of the parameter of `choice` that carries it
} Meeting;

// The first parameter of the choice that has the given type and is not in `taken`, or a new one.
static int find_slot(Config *choice, Node *type, const int *taken, int n)
{
    for (int k = 1; k < choice->nvars; k++) {
        bool is_free = choice->vars[k]->type == type;
        for (int i = 0; i < n; i++) is_free &= taken[i] != k;
        if (is_free) return k;
    }
    return choice->nvars;
}

static void find_slots(Graph *g, Meeting *m)
{
    Stage *s = g->s;
    Config *c = m->choice;
    int most = 1;
    for (int k = 0; k < m->entries->len; k++) most += block_of(g, m->entries->at[k])->nvars;
    c->vars = ARENA_ARRAY(s->arena, Node *, most + 1);
    c->vars[0] = stage_variable(s, type_scalar(s->cx, SCALAR_I32), session_sym(s->cx, "entry"));
    c->nvars = 1;
    m->slots = ARENA_ARRAY(s->arena, int *, m->entries->len + 1);
    for (int k = 0; k < m->entries->len; k++) {
        const Config *entry = block_of(g, m->entries->at[k]);
        m->slots[k] = ARENA_ARRAY(s->arena, int, entry->nvars + 1);
        for (int i = 0; i < entry->nvars; i++) {
            int slot = find_slot(c, entry->vars[i]->type, m->slots[k], i);
            m->slots[k][i] = slot;
            if (slot < c->nvars) continue;
            const void *hint = map_get(&s->hints, MAP_KEY(entry->vars[i]->attr.sym));
            c->vars[c->nvars++] = stage_variable(s, entry->vars[i]->type, hint);
        }
    }
}

// Turns a jump to entry k that carries v into a jump to the choice that carries k and v.
static Node *to_choice(Graph *g, Node *jump, int block, void *env)
{
    const Meeting *m = env;
    const Config *c = m->choice, *entry = block_of(g, block);
    Node **values = ARENA_ARRAY(g->s->arena, Node *, c->nvars + 1);
    int k = 0;
    while (k < m->entries->len && m->entries->at[k] != block) k++;
    if (k == m->entries->len) return jump;
    values[0] = core_int(g->s->cx, c->vars[0]->type, k);
    for (int i = 0; i < entry->nvars; i++) values[m->slots[k][i]] = given(g->s, entry, jump, i);
    for (int i = 1; i < c->nvars; i++)
        if (!values[i]) values[i] = stage_zero(g->s, c->vars[i]->type);
    return jump_to(g->s, c, values, jump->origin);
}

// Builds `if k == 0 { jump to entry 0 } else if ...`.
static Node *choose_entry(Graph *g, const Meeting *m)
{
    Stage *s = g->s;
    Node *e = NULL, *which = m->choice->vars[0];
    for (int k = m->entries->len - 1; k >= 0; k--) {
        const Config *entry = block_of(g, m->entries->at[k]);
        Node **values = ARENA_ARRAY(s->arena, Node *, entry->nvars + 1);
        for (int i = 0; i < entry->nvars; i++) values[i] = m->choice->vars[m->slots[k][i]];
        Node *jump = jump_to(s, entry, values, entry->span);
        Node *is = core_prim(s->cx, PRIM_EQ, 2, (Node *[]){which, core_int(s->cx, which->type, k)});
        e = e ? stage_term(s, CORE_IF, type_never(s->cx), entry->span, 3, (Node *[]){is, jump, e})
              : jump;
    }
    return e;
}

static void join_entries(Graph *g, const Ints *entries)
{
    Stage *s = g->s;
    Meeting m = {ARENA_NEW(s->arena, Config), entries, NULL};
    *m.choice = *block_of(g, entries->at[0]);
    find_slots(g, &m);
    vec_push(s->arena, &g->r->configs, m.choice);
    make_label(g, g->r->configs.len - 1);
    m.choice->code = stage_data(s, known_unit(s), NO_SPAN); // a placeholder without jumps
    rewrite_all(g, to_choice, &m);
    m.choice->code = choose_entry(g, &m);
    analyse(g);
}

// --- labels and loops --------------------------------------------------------------------------

typedef struct {
    Node *node;
    uint32_t operand;
} Step;
typedef VEC(Step) Path;

// Returns the smallest part of a term that contains all jumps to the block. Appends the steps that
// lead there to *path.
static Node *common_part(Graph *g, Node *e, int block, Path *path)
{
    for (;;) {
        int64_t all = places_of(g, e, block);
        uint32_t in = e->nops;
        if (target_of(g, e) == block) return e;
        for (uint32_t i = 0; i < e->nops && in == e->nops; i++)
            if (is_part(e->op[i]) && places_of(g, e->op[i], block) == all) in = i;
        if (in == e->nops) return e;
        Step step = {e, in};
        vec_push(g->s->arena, path, step);
        e = e->op[in];
    }
}

static Node *back_along(Graph *g, const Path *path, Node *e)
{
    for (int i = path->len - 1; i >= 0; i--)
        e = node_with_op(g->s->cx, path->at[i].node, (int)path->at[i].operand, e);
    return e;
}

static Node *with_parameters(Graph *g, const Config *c, Node *carried)
{
    Node *e = c->code;
    for (int i = c->nvars - 1; i >= 0; i--)
        e = let_in(g->s, c->vars[i], carried_part(g->s, carried, c->nvars, i, c->vars[i]->type), e);
    return e;
}

// Builds `let x = label block { part } in code`, where `part` ends with jumps.
static Node *after_label(Graph *g, Config *c, int block, Node *part)
{
    Stage *s = g->s;
    Label l = c->label;
    l.jumps = (int)places_of(g, part, block);
    Node *label = stage_label_around(s, &l, part, c->span);
    const void *hint = c->nvars == 1 ? map_get(&s->hints, MAP_KEY(c->vars[0]->attr.sym)) : c->name;
    Node *var = stage_variable(s, l.type, hint);
    return let_in(s, var, label, with_parameters(g, c, var));
}

// Like after_label, but the part may also end without a jump. In that case, builds
// `label after { let x = label block { jump after part } in code }`.
static Node *after_value(Graph *g, Config *c, int block, Node *part)
{
    Stage *s = g->s;
    if (part->type->kind == TYPE_NEVER) return after_label(g, c, block, part);
    Label after = *stage_label_new(s, part->type, (Scope){0}, NULL);
    Node *ops[2] = {after.var, stage_variable(s, part->type, NULL)};
    bool unit = type_is_unit(part->type);
    Node *jump = stage_term(s, CORE_JUMP, type_never(s->cx), c->span, unit ? 1 : 2, ops);
    after.jumps = 1;
    return stage_label_around(s, &after, after_label(g, c, block, let_in(s, ops[1], part, jump)),
                              c->span);
}

// Inserts a block's code in `e`, where `e` jumps to the block.
static Node *place_block(Graph *g, Node *e, int block)
{
    Config *c = block_of(g, block);
    Path path = {0};
    Node *part = common_part(g, e, block, &path);
    bool only = target_of(g, part) == block;
    Node *carried = only && part->nops == 1 ? stage_data(g->s, known_unit(g->s), NO_SPAN)
                    : only                  ? part->op[1]
                                            : NULL;
    return back_along(g, &path,
                      only ? with_parameters(g, c, carried) : after_value(g, c, block, part));
}

typedef struct {
    int block;
    Node **cells, **values;
    Label again;
} Loop;

// Replaces a back edge with assignments to the variables of the loop and a jump to its next
// iteration.
static Node *next_iteration(Graph *g, Node *jump, int block, void *env)
{
    Loop *l = env;
    Stage *s = g->s;
    const Config *c = block_of(g, block);
    if (block != l->block) return jump;
    Node *unit = type_tuple(s->cx, 0, NULL);
    Node *e = stage_term(s, CORE_JUMP, type_never(s->cx), jump->origin, 1, &l->again.var);
    for (int i = c->nvars - 1; i >= 0; i--) {
        Node *ops[2] = {l->cells[i], given(s, c, jump, i)};
        if (resolved(g, ops[1]) == c->vars[i]) continue;
        Node *set = stage_term(s, CORE_SET, unit, jump->origin, 2, ops);
        e = let_in(s, stage_variable(s, unit, NULL), set, e);
    }
    return e;
}

// Whether the loop body contains a jump out of the loop.
static bool leaves(Graph *g, Node *e, const Label *again, Map *seen, Map *bound)
{
    for (;;) {
        if (map_get(seen, MAP_KEY(e))) return false;
        map_put(seen, MAP_KEY(e), seen);
        if (e->kind == CORE_LABEL) map_put(bound, MAP_KEY(e->op[0]->op[0]), bound);
        if (e->kind == CORE_JUMP && e->op[0] != again->var && !map_get(bound, MAP_KEY(e->op[0])))
            return true;
        if (e->nops == 0) return false;
        for (uint32_t i = 0; i + 1 < e->nops; i++)
            if (is_part(e->op[i]) && leaves(g, e->op[i], again, seen, bound)) return true;
        e = e->op[e->nops - 1];
        if (!is_part(e)) return false;
    }
}

static void report_endless(Stage *s, const Config *c)
{
    const char *text = arena_printf(s->arena, "`%s` calls itself without end", c->name->text);
    (void)stage_fail(s, E0501, c->back.file ? c->back : c->span, c->chain, text);
}

// Replaces the code of a block that jumps to itself with a loop. For a parameter x, the result is
// `let cell = x in forever { label again { let v = get cell in code } }`.
static void make_loop(Graph *g, int block)
{
    Stage *s = g->s;
    Config *c = block_of(g, block);
    Loop l = {.block = block,
              .again = *stage_label_new(s, type_tuple(s->cx, 0, NULL), (Scope){0}, NULL)};
    l.again.var = stage_variable(s, l.again.var->type, session_sym(s->cx, "again"));
    l.again.jumps = (int)places_of(g, c->code, block);
    l.cells = ARENA_ARRAY(s->arena, Node *, c->nvars + 1);
    l.values = ARENA_ARRAY(s->arena, Node *, c->nvars + 1);
    for (int i = 0; i < c->nvars; i++) {
        const void *hint = map_get(&s->hints, MAP_KEY(c->vars[i]->attr.sym));
        Node *ref = type_ref(s->cx, c->vars[i]->type, true, SPACE_GENERIC);
        l.cells[i] = stage_variable(s, ref, hint);
        l.values[i] = stage_variable(s, c->vars[i]->type, hint);
    }
    Node *e = rewrite(g, c->code, next_iteration, &l);
    Map seen = map_new(s->arena), bound = map_new(s->arena);
    if (!leaves(g, e, &l.again, &seen, &bound)) report_endless(s, c);
    for (int i = c->nvars - 1; i >= 0; i--) {
        Node *get = stage_term(s, CORE_GET, c->vars[i]->type, c->span, 1, &l.cells[i]);
        e = let_in(s, c->vars[i], get, e);
    }
    e = stage_label_around(s, &l.again, e, c->span);
    e = stage_term(s, CORE_FOREVER, type_never(s->cx), c->span, 1, &e);
    for (int i = c->nvars - 1; i >= 0; i--) {
        Node *ref = l.cells[i]->type;
        e = let_in(s, l.cells[i], stage_term(s, CORE_NEW, ref, c->span, 1, &l.values[i]), e);
    }
    c->vars = l.values;
    c->code = e;
    vec_push(s->arena, &g->r->loops, c);
}

// Places the blocks in postorder, so that a block is finished after those that it dominates.
static void place_all(Graph *g)
{
    int n = g->order.len;
    Ints *under = ARENA_ARRAY(g->s->arena, Ints, g->r->configs.len + 1);
    for (int k = 1; k < n; k++)
        vec_push(g->s->arena, &under[g->dominator[g->order.at[k]]], g->order.at[k]);
    for (int k = n - 1; k >= 0 && !g->s->failed; k--) {
        int i = g->order.at[k];
        Config *c = block_of(g, i);
        for (int j = 0; j < under[i].len; j++) c->code = place_block(g, c->code, under[i].at[j]);
        if (places_of(g, c->code, i)) make_loop(g, i);
    }
}

Node *stage_structure(Stage *s, Region *r)
{
    Graph g = {.s = s,
               .r = r,
               .targets = map_new(s->arena),
               .exits = map_new(s->arena),
               .same = map_new(s->arena)};
    for (int i = 0; i < r->configs.len; i++)
        map_put(&g.targets, MAP_KEY(r->configs.at[i]->label.var), (void *)(uintptr_t)(i + 1));
    drop_same(&g);
    analyse(&g);
    for (int entry; (entry = second_entry(&g)) >= 0;) {
        Ints entries = entries_around(&g, entry);
        join_entries(&g, &entries);
    }
    place_all(&g);
    const Config *root = r->configs.at[0];
    Node *carried =
        carried_value(s, root->nvars, r->values, stage_carried_type(s, root->nvars, root->vars));
    return s->failed ? NULL : with_parameters(&g, root, carried);
}
