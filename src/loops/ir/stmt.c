// Statements of Loop IR: their parts, and where control goes.
#include "loops/ir/statements.h"

bool loops_is_stmt(Node *n)
{
    return n->kind >= LOOP_BLOCK && n->kind <= LOOP_CALL;
}

bool loops_is_empty(Node *s)
{
    return s->kind == LOOP_BLOCK && s->nops == 0;
}

bool loops_is_declaration(Node *s)
{
    return s->kind == LOOP_DECL || s->kind == LOOP_ALLOC || s->kind == LOOP_TABLE ||
           s->kind == LOOP_POINTER;
}

bool loops_is_nothing(Node *value)
{
    return value->kind == CORE_TUPLE && value->nops == 0;
}

// --- loops over a range -------------------------------------------------------------------------

bool loops_is_counted(Node *s)
{
    return s->kind == LOOP_FOR || s->kind == LOOP_PARALLEL || s->kind == LOOP_VECTORIZE ||
           s->kind == LOOP_STRIDED;
}

bool loops_is_lockstep(Node *s)
{
    return s->kind == LOOP_PARALLEL || s->kind == LOOP_VECTORIZE;
}

bool loops_is_in_any_order(Node *s)
{
    bool open = s->variant == VARIANT_PAR || s->variant == VARIANT_VEC;
    return loops_is_lockstep(s) || (s->kind == LOOP_FOR && open);
}

Node *loops_from(Node *s)
{
    return s->op[s->nops - 3];
}

Node *loops_to(Node *s)
{
    return s->op[s->nops - 2];
}

Node *loops_body(Node *s)
{
    return s->op[s->nops - 1];
}

Node *loops_for(Session *cx, Node *like, Node *from, Node *to, Node *body)
{
    Node *ops[4] = {like->op[0]};
    uint32_t first = like->nops - 3;
    ops[first] = from;
    ops[first + 1] = to;
    ops[first + 2] = body;
    return node_with_ops(cx, like, ops);
}

Node *loops_in_order(Session *cx, Node *parallel)
{
    Node *ops[] = {loops_from(parallel), loops_to(parallel), loops_body(parallel)};
    return node_make(cx, &(NodeSpec){.kind = LOOP_FOR,
                                     .attr = parallel->attr,
                                     .nops = 3,
                                     .ops = ops,
                                     .origin = parallel->origin});
}

// --- blocks -------------------------------------------------------------------------------------

bool loops_declares(Node *block)
{
    for (uint32_t i = 0; i < block->nops; i++)
        if (loops_is_declaration(block->op[i])) return true;
    return false;
}

static void add_flat(Session *cx, Stmts *out, Node *s)
{
    if (s->kind == LOOP_BLOCK && !loops_declares(s))
        for (uint32_t i = 0; i < s->nops; i++) add_flat(cx, out, s->op[i]);
    else
        vec_push(cx->arena, out, s);
}

Node *loops_block(Session *cx, int n, Node *const *stmts)
{
    Stmts flat = {0};
    for (int i = 0; i < n; i++) add_flat(cx, &flat, stmts[i]);
    if (flat.len == 1 && !loops_is_declaration(flat.at[0])) return flat.at[0];
    NodeSpec spec = {.kind = LOOP_BLOCK, .nops = flat.len, .ops = flat.at};
    return node_make(cx, &spec);
}

Node *loops_map(Session *cx, Node *stmt, LoopsVisit *visit, void *env)
{
    Stmts ops = {0};
    for (uint32_t i = 0; i < stmt->nops; i++) {
        Node *op = loops_is_stmt(stmt->op[i]) ? visit(env, stmt->op[i]) : stmt->op[i];
        vec_push(cx->arena, &ops, op);
    }
    return stmt->kind == LOOP_BLOCK ? loops_block(cx, ops.len, ops.at)
                                    : node_with_ops(cx, stmt, ops.at);
}

// --- tables -------------------------------------------------------------------------------------

static bool is_written(Node *s, Sym name)
{
    if (loops_is_store(s) && s->attr.sym == name) return true;
    for (uint32_t i = 0; i < s->nops; i++) {
        Node *op = s->op[i];
        if (op->kind == LOOP_ADDRESS && op->attr.sym == name) return true;
        if (loops_is_stmt(op) && is_written(op, name)) return true;
    }
    return false;
}

uint32_t loops_table(Node *block, uint32_t at)
{
    Node *alloc = block->op[at];
    uint32_t end = at + 1;
    if (alloc->kind != LOOP_ALLOC || alloc->variant != VARIANT_STACK) return 0;
    for (; end < block->nops; end++) {
        Node *s = block->op[end];
        if (s->kind != LOOP_STORE || s->attr.sym != alloc->attr.sym) break;
        if (s->op[0]->kind != NAT_CONST || s->op[1]->kind != CORE_LIT) break;
    }
    for (uint32_t k = end; k < block->nops; k++)
        if (is_written(block->op[k], alloc->attr.sym)) return 0;
    return end - at - 1;
}

// --- control ------------------------------------------------------------------------------------

static bool is_bool_literal(Node *x, bool value)
{
    Scalar s;
    return x->kind == CORE_LIT && (x->attr.i != 0) == value && type_is_scalar(x->type, &s) &&
           s == SCALAR_BOOL;
}

bool loops_jumps_to(Node *s, Sym label)
{
    if (s->kind == LOOP_JUMP) return s->attr.sym == label;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && loops_jumps_to(s->op[i], label)) return true;
    return false;
}

bool loops_has_label(Node *s, Sym label)
{
    if (s->kind == LOOP_LABEL && s->attr.sym == label) return true;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && loops_has_label(s->op[i], label)) return true;
    return false;
}

// A jump to where control comes anyway.
Node *loops_without_tail(Session *cx, Node *s, Sym label)
{
    switch (s->kind) {
    case LOOP_JUMP: return s->attr.sym == label ? loops_block(cx, 0, NULL) : s;
    case LOOP_LABEL: return node_with_op(cx, s, 0, loops_without_tail(cx, s->op[0], label));
    case LOOP_IF:
        s = node_with_op(cx, s, 1, loops_without_tail(cx, s->op[1], label));
        return node_with_op(cx, s, 2, loops_without_tail(cx, s->op[2], label));
    case LOOP_BLOCK: {
        if (s->nops == 0) return s;
        Stmts stmts = {0};
        for (uint32_t i = 0; i < s->nops; i++) vec_push(cx->arena, &stmts, s->op[i]);
        vec_last(&stmts) = loops_without_tail(cx, vec_last(&stmts), label);
        return loops_block(cx, stmts.len, stmts.at);
    }
    default: return s;
    }
}

// A loop that is known to have an iteration.
static bool runs(Node *loop)
{
    int64_t from, to;
    return nat_is_const(loops_from(loop), &from) && nat_is_const(loops_to(loop), &to) && from < to;
}

bool loops_leaves(Node *s)
{
    if (loops_is_counted(s)) return runs(s) && loops_leaves(loops_body(s));
    switch (s->kind) {
    case LOOP_CHECK: return is_bool_literal(s->op[0], false);
    case LOOP_JUMP:
    case LOOP_FOREVER: return true;
    case LOOP_LABEL: return loops_leaves(s->op[0]) && !loops_jumps_to(s->op[0], s->attr.sym);
    case LOOP_IF: return loops_leaves(s->op[1]) && loops_leaves(s->op[2]);
    case LOOP_BLOCK:
        for (uint32_t i = 0; i < s->nops; i++)
            if (loops_leaves(s->op[i])) return true;
        return false;
    default: return false;
    }
}

bool loops_may_jump(Node *s)
{
    if (s->kind == LOOP_JUMP || s->kind == LOOP_FOREVER) return true;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && loops_may_jump(s->op[i])) return true;
    return false;
}

bool loops_is_regular(Node *s)
{
    switch ((Kind)s->kind) {
    case LOOP_CHECK:
    case LOOP_CALL:
    case LOOP_JUMP:
    case LOOP_FOREVER:
    case LOOP_SPAWN:
    case LOOP_SYNC:
    case LOOP_POINTER:
    case LOOP_ROTATE:
    case LOOP_PARALLEL: return false;
    case LOOP_ALLOC: return s->variant == VARIANT_STACK;
    default: break;
    }
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && !loops_is_regular(s->op[i])) return false;
    return true;
}

bool loops_has_loop(Node *s)
{
    if (loops_is_counted(s) || s->kind == LOOP_FOREVER) return true;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && loops_has_loop(s->op[i])) return true;
    return false;
}

bool loops_is_straight(Node *s)
{
    return loops_is_regular(s) && !loops_has_loop(s);
}

bool loops_is_gather(Node *n)
{
    return n->kind == LOOP_GATHER || n->kind == LOOP_GATHER_PAIRS;
}

bool loops_is_load(Node *n)
{
    return n->kind == LOOP_LOAD || n->kind == LOOP_LOAD_WHERE || loops_is_gather(n);
}

bool loops_is_store(Node *n)
{
    return n->kind == LOOP_STORE || n->kind == LOOP_STORE_WHERE || n->kind == LOOP_SCATTER ||
           n->kind == LOOP_STORE_PACKED;
}

bool loops_names_buffer(Node *n)
{
    return loops_is_load(n) || loops_is_store(n) || n->kind == LOOP_ADDRESS;
}

static bool mentions(Node *n, Sym buffer, Map *seen)
{
    if (loops_names_buffer(n) && n->attr.sym == buffer) return true;
    if (n->nops == 0 || kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return false;
    if (map_get(seen, MAP_KEY(n))) return false;
    map_put(seen, MAP_KEY(n), seen);
    for (uint32_t i = 0; i < n->nops; i++)
        if (mentions(n->op[i], buffer, seen)) return true;
    return false;
}

bool loops_mentions(Node *n, Sym buffer)
{
    Arena *arena = arena_new();
    Map seen = map_new(arena);
    bool found = mentions(n, buffer, &seen);
    arena_delete(arena);
    return found;
}

// --- copies -------------------------------------------------------------------------------------

static Node *without_self_copies(void *env, Node *s)
{
    Session *cx = env;
    bool store = s->kind == LOOP_STORE && s->op[1]->kind == LOOP_LOAD;
    if (store && s->attr.sym == s->op[1]->attr.sym && s->op[0] == s->op[1]->op[0])
        return loops_block(cx, 0, NULL);
    Node *left = loops_map(cx, s, without_self_copies, cx);
    if (left == s) return s;
    bool counted = loops_is_counted(left) && loops_is_empty(loops_body(left));
    bool branch =
        left->kind == LOOP_IF && loops_is_empty(left->op[1]) && loops_is_empty(left->op[2]);
    return counted || branch ? loops_block(cx, 0, NULL) : left;
}

Node *loops_without_self_copies(Session *cx, Node *s)
{
    return without_self_copies(cx, s);
}

// --- sizes --------------------------------------------------------------------------------------

#define MAX_LITERAL ((int64_t)1 << 40) // sums of a few stay within 64 bits

Node *loops_size(Session *cx, Node *value)
{
    Scalar s;
    Node *size = NULL;
    if (value->kind == CORE_NAT) size = value->op[0];
    if (value->kind == CORE_LIT && type_is_scalar(value->type, &s) && s == SCALAR_I64)
        size = nat_const(cx, value->attr.i);
    int64_t k;
    bool extreme = size && nat_is_const(size, &k) && (k < -MAX_LITERAL || k > MAX_LITERAL);
    return extreme ? NULL : size;
}

bool loops_is_safe_divisor(Node *divisor)
{
    int64_t k;
    bool size = divisor->kind == CORE_NAT && nat_is_const(divisor->op[0], &k);
    if (!size && divisor->kind != CORE_LIT) return false;
    if (!size) k = divisor->attr.i;
    return k != 0 && k != -1;
}

// --- conditions ---------------------------------------------------------------------------------

static Prim opposite(Prim op)
{
    switch (op) {
    case PRIM_LT: return PRIM_GE;
    case PRIM_GE: return PRIM_LT;
    case PRIM_GT: return PRIM_LE;
    case PRIM_LE: return PRIM_GT;
    case PRIM_EQ: return PRIM_NE;
    case PRIM_NE: return PRIM_EQ;
    default: return PRIM_COUNT;
    }
}

// The negation without a `!` of its own, NULL where a comparison of floats (NaN) or a value is in
// the way.
static Node *pushed(Session *cx, Node *c)
{
    Node *a, *b;
    if (c->kind == CORE_LIT) return core_bool(cx, !c->attr.i);
    if (c->kind == LOOP_SELECT) { // c && a is c ? a : false, c || b is c ? true : b
        bool both = is_bool_literal(c->op[2], false), either = is_bool_literal(c->op[1], true);
        if (!both && !either) return NULL;
        a = pushed(cx, c->op[0]);
        b = a ? pushed(cx, c->op[both ? 1 : 2]) : NULL;
        Node *ops[3] = {a, both ? core_bool(cx, true) : b, both ? b : core_bool(cx, false)};
        return b ? node_with_ops(cx, c, ops) : NULL;
    }
    if (c->kind != CORE_PRIM) return NULL;
    Prim op = (Prim)c->attr.i;
    if (op == PRIM_NOT) return c->op[0];
    if (op == PRIM_AND || op == PRIM_OR) {
        a = pushed(cx, c->op[0]);
        b = a ? pushed(cx, c->op[1]) : NULL;
        return b ? core_prim(cx, op == PRIM_AND ? PRIM_OR : PRIM_AND, 2, (Node *[]){a, b}) : NULL;
    }
    if (opposite(op) == PRIM_COUNT || type_is_float(c->op[0]->type)) return NULL;
    return core_prim(cx, opposite(op), 2, (Node *[]){c->op[0], c->op[1]});
}

Node *loops_negated(Session *cx, Node *c)
{
    Node *n = pushed(cx, c);
    return n ? n : core_prim(cx, PRIM_NOT, 1, &c);
}

// --- names --------------------------------------------------------------------------------------

void loops_changed(Node *s, Map *changed)
{
    if (s->kind == LOOP_SET) map_put(changed, MAP_KEY(s->attr.sym), changed);
    for (uint32_t i = 0; i < s->nops; i++) {
        Node *op = s->op[i];
        if (op->kind == LOOP_ADDRESS) map_put(changed, MAP_KEY(op->attr.sym), changed);
        if (loops_is_stmt(op)) loops_changed(op, changed);
    }
}

bool loops_binds(Node *s)
{
    return loops_is_counted(s) || loops_is_declaration(s);
}

void loops_bound(Node *s, Map *names)
{
    if (loops_binds(s)) map_put(names, MAP_KEY(s->attr.sym), names);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) loops_bound(s->op[i], names);
}

// --- entries ------------------------------------------------------------------------------------

static bool has_place(const Spans *spans, Span at)
{
    for (int i = 0; i < spans->len; i++) {
        Span s = spans->at[i];
        if (s.file == at.file && s.lo == at.lo && s.hi == at.hi) return true;
    }
    return false;
}

const char *loops_chosen_by(Session *cx, const LoopEntry *e, Node *loop)
{
    Span at = loop->origin;
    if (!at.file) return NULL;
    if (has_place(&e->scheduled, at)) return "the schedule";
    bool said = cx->sources.at[at.file - 1]->says[EXPLICIT_LOOPS] || has_place(&e->chosen, at);
    return said ? "the program" : NULL;
}

bool loops_is_chosen(Session *cx, const LoopEntry *e, Node *loop)
{
    return loops_chosen_by(cx, e, loop) != NULL;
}

void loops_tell(Session *cx, LoopEntry *e, Node *loop, const char *what, const char *why)
{
    if (loop->origin.file) vec_push(cx->arena, &e->choices, ((Choice){loop->origin, what, why}));
}

LoopEntry *loops_with_body(Session *cx, const LoopEntry *e, Node *body)
{
    LoopEntry *copy = ARENA_NEW(cx->arena, LoopEntry);
    *copy = *e;
    copy->body = body;
    return copy;
}

LoopEntry *loops_each(Session *cx, const LoopEntry *e, LoopsPass *pass)
{
    LoopEntry *done = e->external ? loops_with_body(cx, e, NULL) : pass(cx, e);
    done->callees.len = done->callees.cap = 0;
    for (int i = 0; i < e->callees.len; i++)
        vec_push(cx->arena, &done->callees, loops_each(cx, e->callees.at[i], pass));
    return done;
}

const LoopEntry *loops_callee(const LoopEntry *entry, Sym name)
{
    for (int i = 0; i < entry->callees.len; i++)
        if (entry->callees.at[i]->name == name) return entry->callees.at[i];
    return NULL;
}

static bool has(Node *s, Kind kind)
{
    if (s->kind == kind) return true;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && has(s->op[i], kind)) return true;
    return false;
}

bool loops_has_task(Node *s)
{
    return has(s, LOOP_SPAWN);
}

bool loops_any_parallel(LoopEntry *const *entries, int n)
{
    for (int i = 0; i < n; i++) {
        const LoopEntry *e = entries[i];
        if (e->body && (has(e->body, LOOP_PARALLEL) || loops_has_task(e->body))) return true;
        if (loops_any_parallel(e->callees.at, e->callees.len)) return true;
    }
    return false;
}
