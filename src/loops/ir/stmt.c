// Loop IR statements, their control flow, and entries.
#include "loops/ir/statements.h"

#include <string.h>

bool loops_is_empty(Node *s)
{
    return s->kind == LOOP_BLOCK && s->nops == 0;
}

bool loops_is_nothing(Node *value)
{
    return value->kind == CORE_TUPLE && value->nops == 0;
}

// --- loops over a range -------------------------------------------------------------------------

bool loops_is_in_any_order(Node *s)
{
    bool open = s->variant == VARIANT_PAR || s->variant == VARIANT_VEC;
    return loops_is_lockstep(s) || (s->kind == LOOP_FOR && open);
}

bool loops_is_parallel(Node *s, void *unused)
{
    (void)unused;
    return s->kind == LOOP_PARALLEL || (s->kind == LOOP_FOR && s->variant == VARIANT_PAR);
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

// --- blocks -------------------------------------------------------------------------------------

bool loops_declares(Node *block)
{
    for (uint32_t i = 0; i < block->nops; i++)
        if (loops_is_declaration(block->op[i])) return true;
    return false;
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
        if (loops_has_named(block->op[k], IS_STORE | IS_ADDRESS, alloc->attr.sym)) return 0;
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
    return loops_has_named(s, IS_JUMP, label);
}

Node *loops_without_final_jumps(Session *cx, Node *s, Sym label)
{
    switch (s->kind) {
    case LOOP_JUMP: return s->attr.sym == label ? loops_block(cx, 0, NULL) : s;
    case LOOP_LABEL: return node_with_op(cx, s, 0, loops_without_final_jumps(cx, s->op[0], label));
    case LOOP_IF:
        s = node_with_op(cx, s, 1, loops_without_final_jumps(cx, s->op[1], label));
        return node_with_op(cx, s, 2, loops_without_final_jumps(cx, s->op[2], label));
    case LOOP_BLOCK: {
        if (s->nops == 0) return s;
        Stmts stmts = {0};
        for (uint32_t i = 0; i < s->nops; i++) vec_push(cx->arena, &stmts, s->op[i]);
        vec_last(&stmts) = loops_without_final_jumps(cx, vec_last(&stmts), label);
        return loops_block(cx, stmts.len, stmts.at);
    }
    default: return s;
    }
}

// Whether the loop certainly runs at least one iteration.
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
    return loops_has(s, IS_JUMP | IS_ENDLESS);
}

bool loops_has_loop(Node *s)
{
    return loops_has(s, IS_LOOP);
}

static bool is_irregular(Node *s, void *env)
{
    (void)env;
    return loops_is(s, IS_SERIAL) || (s->kind == LOOP_ALLOC && s->variant != VARIANT_STACK);
}

bool loops_must_be_kernel(Node *loop)
{
    Node *threads = loop->kind == LOOP_PARALLEL ? loop->op[0] : NULL;
    return threads && threads->kind == CORE_LIT && threads->attr.i == CORE_ON_DEVICE;
}

bool loops_is_regular(Node *s)
{
    return !loops_any(s, is_irregular, NULL);
}

bool loops_is_straight(Node *s)
{
    return loops_is_regular(s) && !loops_has_loop(s);
}

// --- accesses -----------------------------------------------------------------------------------

typedef struct {
    Map seen;
    Sym buffer;
} Mention;

static Walk find_mention(Node *n, void *env)
{
    const Mention *m = env;
    if (loops_names_buffer(n) && n->attr.sym == m->buffer) return WALK_STOP;
    return n->nops == 0 || node_is_size_or_type(n) ? WALK_OVER : WALK_INTO;
}

bool loops_mentions(Node *n, Sym buffer)
{
    Arena *arena = arena_new();
    Mention m = {map_new(arena), buffer};
    bool found = node_walk_once(&m.seen, n, find_mention, &m);
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

#define MAX_LITERAL ((int64_t)1 << 40) // so that sums of a few literals stay within 64 bits

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

// --- names --------------------------------------------------------------------------------------

void loops_bound(Node *s, Map *names)
{
    loops_names(s, IS_BINDER, names);
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

bool loops_is_by_default(const LoopEntry *e, Span at)
{
    return has_place(&e->defaulted, at);
}

bool loops_may_spread(const LoopEntry *e, Span at)
{
    return has_place(&e->spread, at);
}

bool loops_is_scheduled(const LoopEntry *e, Span at)
{
    return has_place(&e->scheduled, at) || has_place(&e->defaulted, at);
}

const char *loops_chosen_by(Session *cx, const LoopEntry *e, Node *loop)
{
    Span at = loop->origin;
    if (!at.file) return NULL;
    if (has_place(&e->scheduled, at)) return "the schedule";
    if (has_place(&e->defaulted, at)) return "the default schedule";
    bool said = cx->sources.at[at.file - 1]->says[EXPLICIT_LOOPS] || has_place(&e->chosen, at);
    return said ? "the program" : NULL;
}

void loops_note_choice(Session *cx, LoopEntry *e, Node *loop, const char *what, const char *why)
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

void loops_set_target(LoopEntry *e, bool serial, Device device)
{
    e->serial = serial;
    e->device = device;
    for (int i = 0; i < e->callees.len; i++) e->callees.at[i]->device = device;
}

bool loops_is_record_array(const LoopParam *p)
{
    return p->record && p->rank > 0 && !*p->path;
}

const LoopEntry *loops_callee(const LoopEntry *entry, Sym name)
{
    for (int i = 0; i < entry->callees.len; i++)
        if (entry->callees.at[i]->name == name) return entry->callees.at[i];
    return NULL;
}

const char *loops_shown_callee(Session *cx, const LoopEntry *entry, Sym name)
{
    const LoopEntry *f = loops_callee(entry, name);
    const char *text = f && f->span.file ? source_text(cx, f->span) : core_shown_name(name);
    return strpbrk(text, " (") ? core_shown_name(name) : text; // the span may be a statement's
}

bool loops_has_kernels(const LoopEntry *e)
{
    for (int i = 0; i < e->callees.len; i++)
        if (e->callees.at[i]->kernel) return true;
    return false;
}

static bool is_parallel(Node *s, void *env)
{
    (void)env;
    return s->kind == LOOP_PARALLEL || s->kind == LOOP_SPAWN;
}

bool loops_any_parallel(LoopEntry *const *entries, int n)
{
    for (int i = 0; i < n; i++) {
        const LoopEntry *e = entries[i];
        if (e->body && loops_any(e->body, is_parallel, NULL)) return true;
        if (loops_any_parallel(e->callees.at, e->callees.len)) return true;
    }
    return false;
}
