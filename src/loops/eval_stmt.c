// The interpreter of Loop IR: expressions, statements, calls.
#include "loops/eval.h"

#include <math.h>

bool exec_fail(Run *r, DiagCode code, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(r->arena, format, args);
    va_end(args);
    r->outcome = (Outcome){.code = code, .span = span, .text = text};
    return false;
}

static bool fault(Run *r, Node *at, const char *what)
{
    return exec_fail(r, E0901, at->origin, "%s: %.300s", what, term_show(r->cx, at, NULL, 0));
}

static bool charge(Run *r, int64_t steps, Span span)
{
    if (steps >= r->fuel) return exec_fail(r, E0605, span, "the evaluation takes too many steps");
    r->fuel -= steps;
    return true;
}

// --- sizes --------------------------------------------------------------------------------------

bool exec_lookup(Node *atom, int64_t *value, void *env)
{
    const Run *r = env;
    if (atom->kind != NAT_VAR) return false;
    for (int i = 0; i < r->entry->sizes.len; i++) {
        if (r->entry->sizes.at[i] != atom->attr.sym) continue;
        *value = r->sizes[i];
        return true;
    }
    if (atom->attr.sym == r->entry->helpers) {
        *value = INTERPRETED_HELPERS;
        return true;
    }
    if (atom->attr.sym == r->entry->thread) {
        *value = r->thread;
        return true;
    }
    const Local *l = map_get(&r->locals, MAP_KEY(atom->attr.sym));
    if (!l || !l->set) return false;
    *value = (int64_t)l->bits;
    return true;
}

bool exec_size(Run *r, Node *size, Span span, int64_t *value)
{
    if (nat_eval(size, exec_lookup, r, value)) return true;
    Text text = text_new(r->arena);
    nat_print(&text, size, 0);
    return exec_fail(r, E0607, span, "the size %s cannot be computed", text_get(&text));
}

// --- names --------------------------------------------------------------------------------------

// The same name may be declared again: in the next iteration, or in another block.
Local *exec_declare(Run *r, Sym name)
{
    Local *l = map_get(&r->locals, MAP_KEY(name));
    if (!l) {
        l = ARENA_NEW(r->arena, Local);
        map_put(&r->locals, MAP_KEY(name), l);
    }
    *l = (Local){0};
    return l;
}

bool exec_buffer(Run *r, Sym name, int64_t count, bool input, Span span)
{
    if (count < 0)
        return exec_fail(r, E0604, span, "%s would have %lld elements", name->text,
                         (long long)count);
    if (!charge(r, count, span)) return false;
    Buffer *b = ARENA_NEW(r->arena, Buffer);
    *b = (Buffer){.count = count, .input = input};
    b->bits = ARENA_ARRAY(r->arena, uint64_t, count);
    b->written = ARENA_ARRAY(r->arena, bool, count);
    map_put(&r->buffers, MAP_KEY(name), b);
    return true;
}

// --- the workspace ------------------------------------------------------------------------------

static bool expr(Run *r, Node *e, uint64_t *bits);

static bool lines_of(Run *r, Node *workspace, Span span, int64_t *lines)
{
    uint64_t condition;
    if (loops_lines(workspace)) return exec_size(r, loops_lines(workspace), span, lines);
    return expr(r, workspace->op[0], &condition) &&
           lines_of(r, workspace->op[condition ? 1 : 2], span, lines);
}

bool exec_workspace(Run *r, const LoopEntry *e)
{
    int64_t lines = 0;
    r->workspace = (Workspace){0};
    if (!e->workspace) return true;
    if (!lines_of(r, e->workspace, e->span, &lines)) return false;
    if (lines < 0 || !charge(r, lines, e->span)) return exec_fail(r, E0606, e->span, "no memory");
    r->workspace.bytes = lines * LOOPS_LINE;
    r->workspace.owner = ARENA_ARRAY(r->arena, const void *, r->workspace.bytes + 1);
    return true;
}

static bool fault(Run *r, Node *at, const char *what);

// An array that was just made gets its bytes in the workspace.
static bool put_in_workspace(Run *r, Node *alloc)
{
    Buffer *b = map_get(&r->buffers, MAP_KEY(alloc->attr.sym));
    Scalar scalar;
    int64_t lines;
    if (!loops_is_placed(alloc)) return true;
    if (!exec_size(r, alloc->op[2], alloc->origin, &lines)) return false;
    int64_t size = type_is_scalar(alloc->op[0], &scalar) ? scalar_info[scalar].size : 8;
    if (lines < 0 || lines * LOOPS_LINE + b->count * size > r->workspace.bytes)
        return fault(r, alloc, "beyond the workspace");
    b->self = b;
    b->owner = r->workspace.owner + lines * LOOPS_LINE;
    b->size = (int)size;
    return true;
}

static bool is_lost(const Buffer *b, int64_t at)
{
    for (int64_t i = at * b->size; i < (at + 1) * b->size; i++)
        if (b->owner && b->owner[i] != b->self) return true;
    return false;
}

static void take(const Buffer *b, int64_t at)
{
    for (int64_t i = at * b->size; b->owner && i < (at + 1) * b->size; i++) b->owner[i] = b->self;
}

static bool alloc(Run *r, Node *s)
{
    int64_t n;
    return exec_size(r, s->op[1], s->origin, &n) &&
           exec_buffer(r, s->attr.sym, n, false, s->origin) && put_in_workspace(r, s);
}

// --- expressions --------------------------------------------------------------------------------

// The lane whose element, or the one behind it, is in the present lane of a gather.
static int64_t lane_of_gather(const Run *r, Node *e)
{
    int64_t half;
    if (e->kind != LOOP_GATHER_PAIRS || !nat_is_const(e->op[2], &half)) return r->lane;
    return r->lane / 4 * 4 + 2 * half + r->lane % 4 / 2;
}

static bool in_gathered_lane(Run *r, Node *e, Node *operand, uint64_t *bits)
{
    int64_t lane = r->lane;
    r->lane = lane_of_gather(r, e);
    bool done = expr(r, operand, bits);
    r->lane = lane;
    return done;
}

static bool place(Run *r, Node *e, int64_t *at)
{
    if (e->kind == LOOP_GATHER_PAIRS) {
        bool done = in_gathered_lane(r, e, e->op[0], (uint64_t *)at);
        *at += r->lane % 2;
        return done;
    }
    if (e->kind == LOOP_GATHER || e->kind == LOOP_SCATTER) return expr(r, e->op[0], (uint64_t *)at);
    if (!exec_size(r, e->op[0], e->origin, at)) return false;
    *at += r->lane;
    return true;
}

// The element of the buffer that a load or store names, of a vector the one of the current lane.
static bool element(Run *r, Node *e, Buffer **buffer, int64_t *at)
{
    *buffer = map_get(&r->buffers, MAP_KEY(e->attr.sym));
    if (!*buffer) return fault(r, e, "no such buffer");
    if (!place(r, e, at)) return false;
    if (*at >= 0 && *at < (*buffer)->count) return true;
    return fault(r, e,
                 arena_printf(r->arena, "position %lld of %lld elements", (long long)*at,
                              (long long)(*buffer)->count));
}

static bool load(Run *r, Node *e, uint64_t *bits)
{
    Buffer *b;
    int64_t at;
    *bits = 0;
    if (e->kind != LOOP_LOAD) {
        uint64_t wanted;
        if (!in_gathered_lane(r, e, e->op[1], &wanted)) return false;
        if (!wanted) return true;
    }
    if (!element(r, e, &b, &at)) return false;
    if (!b->written[at]) return fault(r, e, "loaded before it was stored");
    if (is_lost(b, at)) return fault(r, e, "loaded after its memory was another's");
    *bits = b->bits[at];
    return true;
}

static bool local(Run *r, Node *e, uint64_t *bits)
{
    const Local *l = map_get(&r->locals, MAP_KEY(e->attr.sym));
    if (!l || !l->set) return fault(r, e, "a local that is not set");
    *bits = l->lanes ? l->lanes[r->lane] : l->bits;
    return true;
}

static bool literal(Run *r, Node *e, uint64_t *bits)
{
    *bits = e->attr.bits;
    if (!type_is_float(e->type)) return true;
    double x = float_value(e->attr.bits);
    *bits = r->algebra == ALGEBRA_FIELD ? field_from_double(x) : float_bits(x);
    return true;
}

static bool scalar_of(Run *r, Node *e, Scalar *s)
{
    return e->type && type_is_scalar(type_lane(e->type), s) ? true : fault(r, e, "not a scalar");
}

static bool prim(Run *r, Node *e, uint64_t *bits)
{
    uint64_t args[PRIM_OPERANDS] = {0};
    DiagCode code;
    Scalar s;
    if (e->nops > PRIM_OPERANDS || !scalar_of(r, e->op[0], &s))
        return fault(r, e, "not an operator on scalars");
    for (uint32_t i = 0; i < e->nops; i++)
        if (!expr(r, e->op[i], &args[i])) return false;
    if (eval_prim((Prim)e->attr.i, s, r->algebra, args, bits, &code)) return true;
    return fault(r, e, "a division by zero that no check caught");
}

// One of several values is chosen for a lane when both were computed.
static bool select(Run *r, Node *e, uint64_t *bits)
{
    uint64_t c, sides[2];
    if (!expr(r, e->op[0], &c)) return false;
    if (e->op[0]->type->kind != TYPE_VEC) return expr(r, e->op[c ? 1 : 2], bits);
    if (!expr(r, e->op[1], &sides[0]) || !expr(r, e->op[2], &sides[1])) return false;
    *bits = sides[c ? 0 : 1];
    return true;
}

// Whether some lane of a mask is true.
static bool any(Run *r, Node *e, uint64_t *bits)
{
    int64_t lanes = 1;
    uint64_t one, found = 0;
    type_is_vec(e->op[0]->type, &lanes);
    for (r->lane = 0; r->lane < lanes; r->lane++) {
        if (!expr(r, e->op[0], &one)) return false;
        found |= one;
    }
    *bits = found;
    return true;
}

// How many of the first lanes of a mask are true.
static bool count_lanes(Run *r, Node *mask, int64_t lanes, int64_t *n)
{
    uint64_t one;
    *n = 0;
    for (r->lane = 0; r->lane < lanes; r->lane++) {
        if (!expr(r, mask, &one)) return false;
        *n += one != 0;
    }
    return true;
}

static bool count(Run *r, Node *e, uint64_t *bits)
{
    int64_t lanes = 1;
    type_is_vec(e->op[0]->type, &lanes);
    return count_lanes(r, e->op[0], lanes, (int64_t *)bits);
}

// Lane k is the one of the mask that has k others before it.
static bool packed(Run *r, Node *e, uint64_t *bits)
{
    int64_t lanes = 1, wanted = r->lane;
    uint64_t one;
    type_is_vec(e->type, &lanes);
    *bits = 0;
    for (r->lane = 0; r->lane < lanes; r->lane++) {
        if (!expr(r, e->op[1], &one)) return false;
        if (one && wanted-- == 0) return expr(r, e->op[0], bits);
    }
    return true;
}

// A lane of the mask that has k others before it is lane k.
static bool unpacked(Run *r, Node *e, uint64_t *bits)
{
    int64_t before;
    uint64_t one;
    *bits = 0;
    if (!expr(r, e->op[1], &one)) return false;
    if (!one) return true;
    if (!count_lanes(r, e->op[1], r->lane, &before)) return false;
    r->lane = before;
    return expr(r, e->op[0], bits);
}

static bool lane(Run *r, Node *e, uint64_t *bits)
{
    int64_t lanes, at;
    if (!type_is_vec(e->op[0]->type, &lanes) || !exec_size(r, e->op[1], e->origin, &at))
        return false;
    if (at < 0 || at >= lanes) return fault(r, e, "no such lane");
    r->lane = at;
    return expr(r, e->op[0], bits);
}

// What is said to be in range has to be.
static bool cast(Run *r, Node *e, Scalar from, Scalar to, uint64_t *bits)
{
    uint64_t value = *bits;
    *bits = eval_cast(from, to, r->algebra, value);
    bool promised = e->variant == VARIANT_UNCHECKED && r->algebra == ALGEBRA_IEEE;
    if (promised && trunc(float_value(value)) != (double)(int64_t)*bits)
        return fault(r, e, "out of range");
    return true;
}

static bool shuffled(Run *r, Node *e, uint64_t *bits)
{
    int64_t lanes, from;
    if (!type_is_vec(e->type, &lanes) || !nat_is_const(e->op[2 + r->lane], &from)) return false;
    r->lane = from % lanes;
    return expr(r, e->op[from / lanes], bits);
}

static bool in_lane(Run *r, Node *e, uint64_t *bits)
{
    Scalar from, to;
    int64_t n;
    if (!charge(r, 1, e->origin)) return false;
    switch ((Kind)e->kind) {
    case CORE_LIT: return literal(r, e, bits);
    case CORE_NAT:
        if (!exec_size(r, e->op[0], e->origin, &n)) return false;
        *bits = (uint64_t)n;
        return true;
    case CORE_PRIM: return prim(r, e, bits);
    case CORE_CAST:
        if (!scalar_of(r, e->op[0], &from) || !scalar_of(r, e, &to) || !expr(r, e->op[0], bits))
            return false;
        return cast(r, e, from, to, bits);
    case LOOP_VAR: return local(r, e, bits);
    case LOOP_LOAD:
    case LOOP_LOAD_WHERE:
    case LOOP_GATHER:
    case LOOP_GATHER_PAIRS: return load(r, e, bits);
    case LOOP_ANY: return any(r, e, bits);
    case LOOP_COUNT: return count(r, e, bits);
    case LOOP_COMPRESS: return packed(r, e, bits);
    case LOOP_EXPAND: return unpacked(r, e, bits);
    case LOOP_LANE: return lane(r, e, bits);
    case LOOP_SHUFFLE: return shuffled(r, e, bits);
    case LOOP_SELECT: return select(r, e, bits);
    case LOOP_SPLAT: return expr(r, e->op[0], bits);
    case LOOP_IOTA: *bits = (uint64_t)r->lane; return true;
    default: return fault(r, e, "not an expression of this level");
    }
}

// The value of an expression, of a vector in the current lane; scalars are the same for all lanes.
static bool expr(Run *r, Node *e, uint64_t *bits)
{
    int64_t lane = r->lane;
    if (e->type && e->type->kind != TYPE_VEC) r->lane = 0;
    bool done = in_lane(r, e, bits);
    r->lane = lane;
    return done;
}

// All lanes of a value, one of a scalar.
static bool value(Run *r, Node *e, int64_t *lanes, uint64_t **bits)
{
    bool done = true;
    *lanes = 1;
    type_is_vec(e->type, lanes);
    *bits = ARENA_ARRAY(r->arena, uint64_t, *lanes);
    for (; done && r->lane < *lanes; r->lane++) done = expr(r, e, &(*bits)[r->lane]);
    r->lane = 0;
    return done;
}

static bool assign(Run *r, Local *l, Node *e)
{
    if (e->type->kind != TYPE_VEC) {
        uint64_t bits;
        if (!expr(r, e, &bits)) return false;
        *l = (Local){.bits = bits, .set = true};
        return true;
    }
    uint64_t *bits;
    int64_t lanes;
    if (!value(r, e, &lanes, &bits)) return false;
    *l = (Local){.lanes = bits, .set = true};
    return true;
}

// --- statements --------------------------------------------------------------------------------

static bool run_for(Run *r, Node *s)
{
    int64_t from, to, step = 1, thread = r->thread;
    uint64_t threads;
    if (s->kind == LOOP_PARALLEL && !expr(r, s->op[0], &threads)) return false;
    if (!exec_size(r, loops_from(s), s->origin, &from) ||
        !exec_size(r, loops_to(s), s->origin, &to))
        return false;
    if (s->kind == LOOP_STRIDED && !exec_size(r, s->op[0], s->origin, &step)) return false;
    if (step < 1) return fault(r, s, "a loop with steps that are not positive");
    for (int64_t i = from; i < to; i += step) {
        *exec_declare(r, s->attr.sym) = (Local){.bits = (uint64_t)i, .set = true};
        if (s->kind == LOOP_PARALLEL) r->thread = (i - from) % (INTERPRETED_HELPERS + 1);
        if (!exec_stmt(r, loops_body(s))) return false;
    }
    r->thread = thread;
    return true;
}

static bool run_forever(Run *r, Node *s)
{
    while (exec_stmt(r, s->op[0]))
        if (!charge(r, 1, s->origin)) return false;
    return false;
}

static bool run_label(Run *r, Node *s)
{
    if (exec_stmt(r, s->op[0])) return true;
    if (r->target != s->attr.sym) return false;
    r->target = NULL;
    return true;
}

static bool run_decl(Run *r, Node *s)
{
    Local first = {0};
    bool has_value = s->op[1]->kind != CORE_TUPLE;
    if (has_value && !assign(r, &first, s->op[1])) return false;
    *exec_declare(r, s->attr.sym) = first;
    return true;
}

static bool run_set(Run *r, Node *s)
{
    Local *l = map_get(&r->locals, MAP_KEY(s->attr.sym));
    if (!l) return fault(r, s, "no such local");
    return assign(r, l, s->op[0]);
}

static bool run_store(Run *r, Node *s)
{
    uint64_t *bits;
    Buffer *b;
    int64_t at, lanes, next = 0;
    bool done = value(r, s->op[1], &lanes, &bits);
    for (; done && r->lane < lanes; r->lane++) {
        uint64_t wanted = 1;
        if (s->kind != LOOP_STORE) done = expr(r, s->op[2], &wanted);
        if (!done) break;
        if (!wanted) continue;
        int64_t lane = r->lane;
        if (s->kind == LOOP_STORE_PACKED) r->lane = next++;
        done = element(r, s, &b, &at);
        r->lane = lane;
        if (done && b->input) done = fault(r, s, "a store to an input");
        if (!done) break;
        b->bits[at] = bits[r->lane];
        b->written[at] = true;
        take(b, at);
    }
    r->lane = 0;
    return done;
}

// --- calls --------------------------------------------------------------------------------------

// The memory from an address on; a local is memory of one element.
static bool address(Run *r, Node *a, Buffer *part)
{
    Local *l = map_get(&r->locals, MAP_KEY(a->attr.sym));
    if (l) {
        *part = (Buffer){.count = 1, .bits = &l->bits, .written = &l->set};
        return true;
    }
    const Buffer *b = map_get(&r->buffers, MAP_KEY(a->attr.sym));
    int64_t at;
    if (!b) return fault(r, a, "no such memory");
    if (!exec_size(r, a->op[0], a->origin, &at)) return false;
    if (at < 0 || at > b->count) return fault(r, a, "an address outside of its buffer");
    *part = *b;
    part->count -= at;
    part->bits += at;
    part->written += at;
    if (b->owner) part->owner += at * b->size;
    return true;
}

// One argument, evaluated by the caller, for a parameter of the callee.
static bool pass(Run *caller, Run *callee, Node *arg, const LoopParam *p)
{
    if (arg->kind != LOOP_ADDRESS) {
        uint64_t bits;
        if (!expr(caller, arg, &bits)) return false;
        *exec_declare(callee, p->name) = (Local){.bits = bits, .set = true};
        return true;
    }
    Buffer *b = ARENA_NEW(caller->arena, Buffer);
    int64_t count;
    if (!address(caller, arg, b)) return false;
    if (!exec_size(callee, p->count, arg->origin, &count)) return false;
    if (count > b->count) return fault(caller, arg, "less memory than the function works on");
    if (b->input && (p->output || p->both)) return fault(caller, arg, "an input to be written");
    b->count = count;
    b->input |= !p->output && !p->both;
    map_put(&callee->buffers, MAP_KEY(p->name), b);
    return true;
}

// The workspace of a call: part of the caller's, or its own.
static bool pass_workspace(Run *r, Run *callee, const LoopEntry *f, Node *s)
{
    int64_t lines;
    if (!exec_workspace(callee, f)) return false;
    if (!loops_gives_memory(f, s)) return true;
    if (!exec_size(r, s->op[f->params.len]->op[0], s->origin, &lines)) return false;
    if (lines < 0 || lines * LOOPS_LINE + callee->workspace.bytes > r->workspace.bytes)
        return fault(r, s, "a workspace beyond the caller's");
    callee->workspace.owner = r->workspace.owner + lines * LOOPS_LINE;
    return true;
}

enum { MAX_CALLS = 1000 }; // the interpreter's own stack ends

static bool run_call(Run *r, Node *s)
{
    const LoopEntry *f = loops_callee(r->entry, s->attr.sym);
    if (!f || (int)s->nops < f->params.len) return fault(r, s, "a call of no such function");
    if (f->external)
        return exec_fail(r, E0607, s->origin, "%s is a function of C, which is not interpreted",
                         f->name->text);
    if (r->depth >= MAX_CALLS) return exec_fail(r, E0605, s->origin, "calls are nested too deeply");
    Run callee = *r;
    callee.e = f;
    callee.depth++;
    callee.locals = map_new(r->arena);
    callee.buffers = map_new(r->arena);
    for (int i = 0; i < f->params.len; i++)
        if (!pass(r, &callee, s->op[i], &f->params.at[i])) {
            if (r->outcome.ok) r->outcome = callee.outcome;
            return false;
        }
    callee.fuel = r->fuel;
    if (!pass_workspace(r, &callee, f, s)) {
        if (r->outcome.ok) r->outcome = callee.outcome;
        return false;
    }
    bool done = exec_stmt(&callee, f->body);
    r->fuel = callee.fuel;
    r->outcome = callee.outcome;
    return done;
}

// --- statements, continued ----------------------------------------------------------------------

bool exec_stmt(Run *r, Node *s)
{
    uint64_t c;
    if (!charge(r, 1, s->origin)) return false;
    switch ((Kind)s->kind) {
    case LOOP_BLOCK:
        for (uint32_t i = 0; i < s->nops; i++)
            if (!exec_stmt(r, s->op[i])) return false;
        return true;
    case LOOP_FOR:
    case LOOP_PARALLEL:
    case LOOP_VECTORIZE:
    case LOOP_STRIDED: return run_for(r, s);
    case LOOP_FOREVER: return run_forever(r, s);
    case LOOP_LABEL: return run_label(r, s);
    case LOOP_JUMP: r->target = s->attr.sym; return false;
    case LOOP_SPAWN: return exec_stmt(r, s->op[0]); // at once
    case LOOP_SYNC: return true;
    case LOOP_CALL: return run_call(r, s);
    case LOOP_DECL: return run_decl(r, s);
    case LOOP_SET: return run_set(r, s);
    case LOOP_STORE:
    case LOOP_STORE_WHERE:
    case LOOP_STORE_PACKED:
    case LOOP_SCATTER: return run_store(r, s);
    case LOOP_ALLOC: return alloc(r, s);
    case LOOP_IF: return expr(r, s->op[0], &c) && exec_stmt(r, s->op[c ? 1 : 2]);
    case LOOP_CHECK:
        if (!expr(r, s->op[0], &c)) return false;
        if (c) return true;
        return exec_fail(r, (DiagCode)s->attr.i, s->origin, "%s", diag_title((DiagCode)s->attr.i));
    default: return fault(r, s, "not a statement");
    }
}
