// Simplifies statements: evaluates positions, conditions and checks with facts about sizes and
// indices, removes loops with at most one iteration, and propagates copies of locals.
#include "loops/simplify/simplify.h"

// --- statements --------------------------------------------------------------------------------

static Node *rebuilt(Simplifier *s, Node *stmt)
{
    Node *few[4], **ops = stmt->nops <= 4 ? few : ARENA_ARRAY(s->cx->arena, Node *, stmt->nops);
    for (uint32_t i = 0; i < stmt->nops; i++) {
        Node *op = stmt->op[i];
        bool size = kind_sort((Kind)stmt->kind, (int)i) == SORT_SIZE;
        bool type = kind_sort((Kind)stmt->kind, (int)i) == SORT_TYPE;
        ops[i] = size ? simplify_size(s, op) : type ? op : simplify_expr(s, op);
    }
    return node_with_ops(s->cx, stmt, ops);
}

// Whether the local can be replaced with its value without repeated computation.
static bool is_copy(Simplifier *s, Node *value)
{
    if (value->kind == CORE_LIT) return true;
    if (value->kind == LOOP_VAR) return !map_get(&s->mutated, MAP_KEY(value->attr.sym));
    if (value->kind != CORE_NAT) return false;
    Node *n = value->op[0];
    if (n->kind == NAT_CONST || n->kind == NAT_VAR) return true;
    if (n->kind != NAT_SUM || n->nops > 4)
        return n->kind == NAT_PRODUCT && n->op[0]->kind == NAT_VAR;
    for (uint32_t i = 0; i < n->nops; i++) {
        Node *t = n->op[i];
        if (t->kind == NAT_PRODUCT)
            for (uint32_t k = 0; k < t->nops; k++)
                if (t->op[k]->kind != NAT_VAR) return false;
        if (t->kind != NAT_PRODUCT && t->kind != NAT_VAR && t->kind != NAT_CONST) return false;
    }
    return true;
}

// Replaces the name with the value from here on, or stops replacing it if the value is NULL. The
// latter is needed because a statement that is simplified twice, under different facts, binds its
// names twice.
static void bind(Simplifier *s, Sym name, Node *value)
{
    map_put(&s->values, MAP_KEY(name), (void *)(uintptr_t)value);
}

static bool is_mutated(Simplifier *s, Sym name)
{
    return map_get(&s->mutated, MAP_KEY(name)) != NULL;
}

// Simplifies a statement and adds the result to `out`. `last` is true if nothing follows in the new
// block.
static void add_stmt(Simplifier *s, Stmts *out, Node *stmt, bool last);

static void put(Simplifier *s, Stmts *out, Node *stmt)
{
    vec_push(s->cx->arena, out, stmt);
}

// Whether the declaration is a snapshot: `decl t i64 i` of a local i that changes.
static bool is_snapshot(Simplifier *s, Node *decl)
{
    Scalar k;
    Node *value = decl->op[1];
    return value->kind == LOOP_VAR && is_mutated(s, value->attr.sym) &&
           type_is_scalar(value->type, &k) && k == SCALAR_I64;
}

static void add_declaration(Simplifier *s, Stmts *out, Node *stmt)
{
    Sym name = stmt->attr.sym;
    bind(s, name, NULL);
    if (is_mutated(s, name)) {
        stmt = rebuilt(s, stmt);
        simplifier_believe(s, stmt);
    } else if (is_snapshot(s, stmt)) {
        Node *known = simplifier_snapshot(s, stmt);
        if (known) {
            bind(s, name, known);
            return;
        }
    } else {
        stmt = rebuilt(s, stmt);
        if (is_copy(s, stmt->op[1])) {
            bind(s, name, stmt->op[1]);
            return;
        }
        simplifier_learn(s, stmt);
    }
    put(s, out, stmt);
}

static void add_set(Simplifier *s, Stmts *out, Node *stmt)
{
    stmt = rebuilt(s, stmt);
    Node *value = stmt->op[0];
    bool same = value->kind == LOOP_VAR && value->attr.sym == stmt->attr.sym;
    if (same) return;
    simplifier_set(s, stmt->attr.sym, value);
    put(s, out, stmt);
}

// Simplifies the end of a loop that begins at `from`: max(n, c) with c <= from becomes n.
static Node *loop_end(Simplifier *s, Node *from, Node *to)
{
    for (uint32_t k = 0; to->kind == NAT_MAX && to->nops == 2 && k < 2; k++)
        if (nat_le(s->cx, s->facts, to->op[k], from) == TRUTH_YES) return to->op[1 - k];
    return to;
}

static void add_loop(Simplifier *s, Stmts *out, Node *stmt, bool last)
{
    Session *cx = s->cx;
    Node *from = simplify_size(s, loops_from(stmt)),
         *to = loop_end(s, from, simplify_size(s, loops_to(stmt)));
    int64_t n;
    if (nat_le(cx, s->facts, to, from) == TRUTH_YES) return;
    bool kernel = cx->device && loops_must_be_kernel(stmt);
    bool once = !kernel && nat_is_const(nat_sub(cx, to, from), &n) && n == 1;
    if (once) { // the body takes the place of the loop
        bind(s, stmt->attr.sym, core_size(cx, from));
        add_stmt(s, out, loops_body(stmt), last);
        return;
    }
    bind(s, stmt->attr.sym, NULL);
    if (stmt->kind == LOOP_PARALLEL)
        stmt = node_with_op(cx, stmt, 0, simplify_expr(s, stmt->op[0]));
    simplifier_forget(s, loops_body(stmt));
    Scope outer = simplifier_enter(s);
    simplifier_assume_index(s, stmt->attr.sym, from, to);
    Node *body = simplify_stmt(s, loops_body(stmt));
    simplifier_leave(s, outer, body);
    if (!loops_is_empty(body)) put(s, out, loops_for(cx, stmt, from, to, body));
}

static Node *under(Simplifier *s, Node *condition, bool holds, Node *stmt)
{
    Scope outer = simplifier_enter(s);
    simplifier_assume(s, condition, holds);
    Node *done = simplify_stmt(s, stmt);
    simplifier_leave(s, outer, loops_leaves(done) ? NULL : done);
    return done;
}

static void put_branch(Simplifier *s, Stmts *out, Node *like, Node *condition, Node *a, Node *b)
{
    Node *ops[3] = {condition, a, b};
    put(s, out, node_with_ops(s->cx, like, ops));
}

// Adds a branch whose arm number `leaving` never reaches its end. That arm becomes a guard, and the
// statements of the other arm follow the guard.
static void add_guard(Simplifier *s, Stmts *out, Node *stmt, Node *condition, int leaving,
                      bool last)
{
    Node *none = loops_block(s->cx, 0, NULL), *guard = condition;
    Node *leave = under(s, condition, leaving == 1, stmt->op[leaving]);
    if (leaving == 2) guard = loops_negated(s->cx, condition);
    put_branch(s, out, stmt, guard, leave, none);
    simplifier_assume(s, condition, leaving == 2);
    add_stmt(s, out, stmt->op[3 - leaving], last);
}

static void add_branch(Simplifier *s, Stmts *out, Node *stmt, bool last)
{
    Node *condition = simplify_expr(s, stmt->op[0]);
    if (condition->kind == CORE_LIT) {
        add_stmt(s, out, stmt->op[condition->attr.i ? 1 : 2], last);
    } else if (loops_leaves(stmt->op[1])) {
        add_guard(s, out, stmt, condition, 1, last);
    } else if (loops_leaves(stmt->op[2])) {
        add_guard(s, out, stmt, condition, 2, last);
    } else {
        Node *a = under(s, condition, true, stmt->op[1]);
        Node *b = under(s, condition, false, stmt->op[2]);
        if (a == b)
            add_stmt(s, out, a, last);
        else if (loops_is_empty(a))
            put_branch(s, out, stmt, loops_negated(s->cx, condition), b, a);
        else
            put_branch(s, out, stmt, condition, a, b);
    }
}

static void add_check(Simplifier *s, Stmts *out, Node *stmt)
{
    stmt = rebuilt(s, stmt);
    Node *condition = stmt->op[0];
    if (condition->kind == CORE_LIT && condition->attr.i) return;
    put(s, out, stmt);
    simplifier_assume(s, condition, true); // for the rest of the block
}

static void add_label(Simplifier *s, Stmts *out, Node *stmt, bool last)
{
    Session *cx = s->cx;
    Sym label = stmt->attr.sym;
    Node *body = loops_without_final_jumps(cx, stmt->op[0], label);
    if (!loops_jumps_to(body, label)) {
        add_stmt(s, out, body, last);
        return;
    }
    Scope outer = simplifier_enter(s);
    body = simplify_stmt(s, body);
    simplifier_leave(s, outer, body);
    if (!loops_is_empty(body)) put(s, out, node_with_op(cx, stmt, 0, body));
}

static void add_forever(Simplifier *s, Stmts *out, Node *stmt)
{
    simplifier_forget(s, stmt->op[0]);
    Scope outer = simplifier_enter(s);
    Node *body = simplify_stmt(s, stmt->op[0]);
    simplifier_leave(s, outer, body);
    put(s, out, loops_leaves(body) ? body : node_with_op(s->cx, stmt, 0, body));
}

static void add_spawn(Simplifier *s, Stmts *out, Node *stmt)
{
    Scope outer = simplifier_enter(s);
    Node *body = simplify_stmt(s, stmt->op[0]);
    simplifier_leave(s, outer, body);
    if (!loops_is_empty(body)) put(s, out, node_with_op(s->cx, stmt, 0, body));
}

static void add_call(Simplifier *s, Stmts *out, Node *stmt)
{
    stmt = rebuilt(s, stmt);
    simplifier_forget(s, stmt);
    put(s, out, stmt);
}

static bool allocates(Node *block)
{
    for (uint32_t i = 0; i < block->nops; i++)
        if (block->op[i]->kind == LOOP_ALLOC) return true;
    return false;
}

// Adds the statements of a block. A block that allocates is kept unless it is last, since memory
// lives until the end of its block.
static void add_block(Simplifier *s, Stmts *out, Node *stmt, bool last)
{
    if (last || !allocates(stmt)) {
        for (uint32_t i = 0; i < stmt->nops; i++)
            add_stmt(s, out, stmt->op[i], last && i + 1 == stmt->nops);
        return;
    }
    Scope outer = simplifier_enter(s);
    Node *done = simplify_stmt(s, stmt);
    simplifier_leave(s, outer, done);
    put(s, out, done);
}

static bool is_element(Node *value, Node *store)
{
    return value->kind == LOOP_LOAD && value->attr.sym == store->attr.sym &&
           value->op[0] == store->op[0];
}

// Whether the condition depends only on sizes and indices, so that the pass index_set_split can use
// it.
static bool is_of_sizes(Node *condition)
{
    if (condition->kind == CORE_NAT || condition->kind == CORE_LIT) return true;
    if (condition->kind != CORE_PRIM && condition->kind != LOOP_SELECT) return false;
    for (uint32_t i = 0; i < condition->nops; i++)
        if (!is_of_sizes(condition->op[i])) return false;
    return true;
}

// Adds a[p] = c ? x : a[p] as the branch if (c) a[p] = x.
static void add_chosen_store(Simplifier *s, Stmts *out, Node *stmt)
{
    Node *value = stmt->op[1], *none = loops_block(s->cx, 0, NULL);
    bool select = value->kind == LOOP_SELECT && is_of_sizes(value->op[0]);
    int kept = !select ? 0 : is_element(value->op[2], stmt) ? 2 : is_element(value->op[1], stmt);
    if (!kept) {
        put(s, out, stmt);
        return;
    }
    Node *condition = kept == 2 ? value->op[0] : loops_negated(s->cx, value->op[0]);
    Node *store = node_with_op(s->cx, stmt, 1, value->op[3 - kept]);
    put(s, out, loops_if(s->cx, condition, store, none, stmt->origin));
}

// Adds a store, unless it stores an element to itself.
static void add_store(Simplifier *s, Stmts *out, Node *stmt)
{
    stmt = rebuilt(s, stmt);
    if (!is_element(stmt->op[1], stmt)) add_chosen_store(s, out, stmt);
}

// Drops the statement if it is unreachable, because the one before it never reaches its end.
static void add_stmt(Simplifier *s, Stmts *out, Node *stmt, bool last)
{
    if (out->len && loops_leaves(vec_last(out))) return;
    Stmts *before = s->before;
    s->before = out;
    switch ((Kind)stmt->kind) {
    case LOOP_BLOCK: add_block(s, out, stmt, last); break;
    case LOOP_FOR:
    case LOOP_PARALLEL:
    case LOOP_VECTORIZE:
    case LOOP_STRIDED: add_loop(s, out, stmt, last); break;
    case LOOP_DECL: add_declaration(s, out, stmt); break;
    case LOOP_SET: add_set(s, out, stmt); break;
    case LOOP_IF: add_branch(s, out, stmt, last); break;
    case LOOP_CHECK: add_check(s, out, stmt); break;
    case LOOP_LABEL: add_label(s, out, stmt, last); break;
    case LOOP_FOREVER: add_forever(s, out, stmt); break;
    case LOOP_SPAWN: add_spawn(s, out, stmt); break;
    case LOOP_CALL: add_call(s, out, stmt); break;
    case LOOP_SYNC:
        if (out->len == 0 || vec_last(out)->kind != LOOP_SYNC) put(s, out, stmt);
        break;
    case LOOP_STORE: add_store(s, out, stmt); break;
    case LOOP_STORE_WHERE: // remainder loops may already be vectorised
    case LOOP_SCATTER:
    case LOOP_STORE_PACKED:
    case LOOP_POINTER:
    case LOOP_PREFETCH:
    case LOOP_ALLOC: put(s, out, rebuilt(s, stmt)); break;
    case LOOP_TABLE:
    case LOOP_ROTATE:
    case LOOP_JUMP: put(s, out, stmt); break;
#include "loops/ir/no_statement.def"
        CHECK(s->cx, false, "%s is not a statement", kind_info[stmt->kind].text);
    }
    s->before = before;
}

// The caller must open a scope for the statement.
Node *simplify_stmt(Simplifier *s, Node *stmt)
{
    Stmts out = {0};
    add_stmt(s, &out, stmt, true);
    return loops_block(s->cx, out.len, out.at);
}

// --- the entry ----------------------------------------------------------------------------------

// Adds a statement. `decl x; set x v` becomes `decl x = v`.
static void add_joined(Session *cx, Stmts *out, Node *stmt)
{
    if (stmt->kind == LOOP_SET && out->len) {
        Node *last = vec_last(out);
        if (last->kind == LOOP_DECL && last->attr.sym == stmt->attr.sym &&
            loops_is_nothing(last->op[1])) {
            vec_last(out) = node_with_op(cx, last, 1, stmt->op[0]);
            return;
        }
    }
    vec_push(cx->arena, out, stmt);
}

/// A search for names.
typedef struct {
    Map found; // name -> bool
    int left;  // how many names have not been found yet
} Search;

static void note_name(Sym name, void *env)
{
    Search *search = env;
    bool *found = map_get(&search->found, MAP_KEY(name));
    if (found && !*found) search->left--;
    if (found) *found = true;
}

// Searches a statement for the names until all are found.
static void find_names(Session *cx, Node *stmt, Map *seen, Search *search)
{
    if (stmt->kind == LOOP_SET) note_name(stmt->attr.sym, search);
    for (uint32_t i = 0; search->left && i < stmt->nops; i++)
        if (loops_is_stmt(stmt->op[i]))
            find_names(cx, stmt->op[i], seen, search);
        else if (kind_sort((Kind)stmt->kind, (int)i) != SORT_TYPE)
            loops_reads(cx, stmt->op[i], seen, note_name, search);
}

// Moves declarations without an initial value down: adds those whose locals `stmt` uses, which the
// caller adds next, and leaves the others waiting.
static void add_waiting(Session *cx, Stmts *waiting, Stmts *out, Node *stmt)
{
    if (waiting->len == 0) return;
    Map seen = map_new(cx->arena);
    Search search = {map_new(cx->arena), waiting->len};
    for (int i = 0; i < waiting->len; i++)
        map_put(&search.found, MAP_KEY(waiting->at[i]->attr.sym), ARENA_NEW(cx->arena, bool));
    find_names(cx, stmt, &seen, &search);
    int kept = 0;
    for (int i = 0; i < waiting->len; i++) {
        Node *decl = waiting->at[i];
        if (*(bool *)map_get(&search.found, MAP_KEY(decl->attr.sym)))
            vec_push(cx->arena, out, decl);
        else
            waiting->at[kept++] = decl;
    }
    waiting->len = kept;
}

static Node *join_declarations(void *env, Node *stmt)
{
    Session *cx = env;
    if (stmt->kind != LOOP_BLOCK) return loops_map(cx, stmt, join_declarations, cx);
    Stmts ops = {0}, waiting = {0};
    for (uint32_t i = 0; i < stmt->nops; i++) {
        Node *op = join_declarations(cx, stmt->op[i]);
        add_waiting(cx, &waiting, &ops, op);
        if (op->kind == LOOP_DECL && loops_is_nothing(op->op[1]))
            vec_push(cx->arena, &waiting, op);
        else
            add_joined(cx, &ops, op);
    }
    return loops_block(cx, ops.len, ops.at);
}

// Forms hypotheses about the i64 locals that change and have an initial value, except those whose
// address is taken.
static void believe_all(Simplifier *s, Node *body)
{
    Scalar k;
    Stmts decls = loops_all(s->cx, body, IS_DECL);
    for (int i = 0; i < decls.len; i++) {
        Node *decl = decls.at[i];
        if (decl->kind != LOOP_DECL || loops_is_nothing(decl->op[1]) ||
            !is_mutated(s, decl->attr.sym) || !type_is_scalar(decl->op[0], &k) || k != SCALAR_I64)
            continue;
        Invariant *belief = ARENA_NEW(s->cx->arena, Invariant);
        *belief = (Invariant){.natural = true, .capped = true};
        map_put(&s->beliefs, MAP_KEY(decl->attr.sym), belief);
    }
    Map addresses = map_new(s->cx->arena);
    loops_names(body, IS_ADDRESS, &addresses);
    for (int i = 0; i < addresses.len; i++) map_put(&s->beliefs, addresses.entries[i].key, NULL);
}

// Returns whether no hypothesis was refuted in this walk. Drops all hypotheses after the last walk.
static bool beliefs_hold(Simplifier *s, bool last)
{
    bool hold = true;
    for (int i = 0; i < s->beliefs.len; i++) {
        Invariant *belief = s->beliefs.entries[i].value;
        if (!belief) continue;
        hold &= !belief->broken;
        belief->broken = false;
        belief->natural &= !last;
        belief->capped &= !last;
    }
    return hold;
}

enum { MOST_WALKS = 4 };

// Assumes the hypotheses, and repeats the walk without those that an assignment refutes. The others
// hold by induction over the assignments.
static LoopEntry *simplify_once(Session *cx, const LoopEntry *e)
{
    LoopEntry *joined = loops_with_body(cx, e, join_declarations(cx, e->body));
    Map beliefs = map_new(cx->arena);
    Node *body = NULL;
    for (int walk = 0;; walk++) {
        Simplifier s = simplifier_new(cx, joined);
        if (walk == 0) {
            s.beliefs = beliefs;
            believe_all(&s, joined->body);
            beliefs = s.beliefs;
        }
        s.beliefs = beliefs;
        body = simplify_stmt(&s, joined->body);
        beliefs = s.beliefs;
        if (beliefs_hold(&s, walk == MOST_WALKS)) break;
    }
    LoopEntry *done = loops_with_body(cx, e, loops_dce(cx, body));
    done->naturals.len = done->naturals.cap = 0;
    for (int i = 0; i < beliefs.len; i++) {
        const Invariant *belief = beliefs.entries[i].value;
        if (belief && belief->natural)
            vec_push(cx->arena, &done->naturals, (Sym)(uintptr_t)beliefs.entries[i].key);
    }
    return done;
}

static int changed_locals(Session *cx, const LoopEntry *e)
{
    Map changed = map_new(cx->arena);
    loops_changed(e->body, &changed);
    return changed.len;
}

// Simplifies again if assignments have become unreachable, since more is then known about the
// locals that they set.
static LoopEntry *simplify(Session *cx, const LoopEntry *e)
{
    LoopEntry *done = simplify_once(cx, e);
    int before = changed_locals(cx, e), now = changed_locals(cx, done);
    for (int walk = 0; walk < MOST_WALKS && now < before; walk++) {
        done = simplify_once(cx, done);
        before = now;
        now = changed_locals(cx, done);
    }
    return done;
}

LoopEntry *loops_simplify(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, simplify);
}
