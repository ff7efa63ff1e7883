// The Loop IR interpreter: executes statements and calls.
#include "loops/ir/eval.h"

bool exec_fail(Run *r, DiagCode code, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(r->kept, format, args);
    va_end(args);
    r->outcome = (Outcome){.code = code, .span = span, .text = text};
    return false;
}

bool exec_fault(Run *r, Node *at, const char *what)
{
    return exec_fail(r, E0901, at->origin, "%s: %.300s", what, term_show(r->cx, at, NULL, 0));
}

bool exec_touch(Run *r, const void *memory, bool write, Node *at)
{
    const char *found = races_touch(r->races, r->cx, memory, write, at->origin);
    return !found || exec_fail(r, E0613, at->origin, "%s", found);
}

bool exec_charge(Run *r, int64_t steps, Span span)
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
    return exec_fail(r, E0607, span, "the size `%s` cannot be computed",
                     nat_show_written(r->cx, size));
}

// --- names --------------------------------------------------------------------------------------

// Resets a local that was declared before, since a name may be declared again in the next iteration
// or in another block.
Local *exec_declare(Run *r, Sym name)
{
    Local *l = map_get(&r->locals, MAP_KEY(name));
    if (!l) {
        l = ARENA_NEW(r->arena, Local);
        map_put(&r->locals, MAP_KEY(name), l);
    }
    *l = (Local){0};
    races_forget(r->races, &l->bits);
    return l;
}

bool exec_buffer(Run *r, Sym name, int64_t count, bool input, Span span)
{
    if (count < 0)
        return exec_fail(r, E0604, span, "%s would have %lld elements", name->text,
                         (long long)count);
    if (!exec_charge(r, count, span)) return false;
    Buffer *b = ARENA_NEW(r->arena, Buffer);
    *b = (Buffer){.count = count, .input = input};
    b->bits = ARENA_ARRAY(r->arena, uint64_t, count);
    b->written = ARENA_ARRAY(r->arena, bool, count);
    map_put(&r->buffers, MAP_KEY(name), b);
    return true;
}

// --- the workspace ------------------------------------------------------------------------------

static bool lines_of(Run *r, Node *workspace, Span span, int64_t *lines)
{
    uint64_t condition;
    if (loops_workspace_lines(workspace))
        return exec_size(r, loops_workspace_lines(workspace), span, lines);
    return exec_expr(r, workspace->op[0], &condition) &&
           lines_of(r, workspace->op[condition ? 1 : 2], span, lines);
}

bool exec_workspace(Run *r, const LoopEntry *e)
{
    int64_t lines = 0;
    r->workspace = (Workspace){0};
    if (!e->workspace) return true;
    if (!lines_of(r, e->workspace, e->span, &lines)) return false;
    if (lines < 0 || !exec_charge(r, lines, e->span))
        return exec_fail(r, E0606, e->span, "no memory");
    r->workspace.bytes = lines * LOOPS_LINE;
    r->workspace.owner = ARENA_ARRAY(r->arena, const void *, r->workspace.bytes + 1);
    return true;
}

// Assigns bytes of the workspace to an array that was just allocated.
static bool put_in_workspace(Run *r, Node *alloc)
{
    Buffer *b = map_get(&r->buffers, MAP_KEY(alloc->attr.sym));
    Scalar scalar;
    int64_t lines;
    if (!loops_is_placed(alloc)) return true;
    if (!exec_size(r, alloc->op[2], alloc->origin, &lines)) return false;
    int64_t size = type_is_scalar(alloc->op[0], &scalar) ? scalar_info[scalar].size : 8;
    if (lines < 0 || lines * LOOPS_LINE + b->count * size > r->workspace.bytes)
        return exec_fault(r, alloc, "beyond the workspace");
    b->self = b;
    b->owner = r->workspace.owner + lines * LOOPS_LINE;
    b->size = (int)size;
    return true;
}

bool exec_is_lost(const Buffer *b, int64_t at)
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

static bool table(Run *r, Node *s)
{
    Node *values = s->op[1];
    if (!exec_buffer(r, s->attr.sym, values->nops, true, s->origin)) return false;
    Buffer *b = map_get(&r->buffers, MAP_KEY(s->attr.sym));
    for (uint32_t i = 0; i < values->nops; i++) {
        if (!exec_expr(r, values->op[i], &b->bits[i])) return false;
        b->written[i] = true;
    }
    return true;
}

// --- statements --------------------------------------------------------------------------------

// Runs iteration i. Iterations of one thread, which share its memory, are in order, so they do not
// race.
static bool run_iteration(Run *r, Node *s, uint64_t run, int64_t from, int64_t i)
{
    int64_t thread = r->thread;
    r->thread = i % (INTERPRETED_HELPERS + 1);
    *exec_declare(r, s->attr.sym) = (Local){.bits = (uint64_t)(from + i), .set = true};
    races_enter(r->races, run, (uint64_t)(r->entry->thread ? r->thread : i));
    bool done = exec_stmt(r, loops_body(s));
    races_leave(r->races);
    r->thread = thread;
    return done;
}

static bool may_print(Node *s, void *env)
{
    (void)env;
    return s->kind == LOOP_CALL && core_atomic_of(s->attr.sym) == ATOMIC_COUNT;
}

// Runs the iterations in a random order, unless they may print or are very many. If several fail,
// the outcome is that of the first of them, as in order.
static bool run_parallel(Run *r, Node *s, int64_t from, int64_t to)
{
    enum { MANY = 1 << 20 };
    int64_t n = 0;
    if (to > from && __builtin_sub_overflow(to, from, &n)) n = INT64_MAX;
    bool shuffled = n < MANY && n < r->fuel && !loops_any(s, may_print, NULL);
    uint64_t *order = shuffled ? races_order(r->races, (uint64_t)n) : NULL;
    uint64_t run = races_run(r->races);
    int64_t failed = n;
    Outcome first = r->outcome;
    for (int64_t k = 0; k < (shuffled ? n : failed); k++) {
        int64_t i = shuffled ? (int64_t)order[k] : k;
        if (i > failed || run_iteration(r, s, run, from, i)) continue;
        if (r->outcome.code == E0901 || r->outcome.code == E0613) return false;
        failed = i;
        first = r->outcome;
        r->outcome = (Outcome){.ok = true};
    }
    r->outcome = first;
    return first.ok;
}

static bool run_for(Run *r, Node *s)
{
    int64_t from, to, step = 1;
    uint64_t threads;
    if (s->kind == LOOP_PARALLEL && !exec_expr(r, s->op[0], &threads)) return false;
    if (!exec_size(r, loops_from(s), s->origin, &from) ||
        !exec_size(r, loops_to(s), s->origin, &to))
        return false;
    if (s->kind == LOOP_PARALLEL) return run_parallel(r, s, from, to);
    if (s->kind == LOOP_STRIDED && !exec_size(r, s->op[0], s->origin, &step)) return false;
    // A size that is 0 may be the step of a loop without iterations.
    if (step < 1 && from < to) return exec_fault(r, s, "a loop with steps that are not positive");
    for (int64_t i = from; i < to; i += step) {
        *exec_declare(r, s->attr.sym) = (Local){.bits = (uint64_t)i, .set = true};
        if (!exec_stmt(r, loops_body(s))) return false;
    }
    return true;
}

static bool run_forever(Run *r, Node *s)
{
    while (exec_stmt(r, s->op[0]))
        if (!exec_charge(r, 1, s->origin)) return false;
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
    if (has_value && !exec_assign(r, &first, s->op[1])) return false;
    *exec_declare(r, s->attr.sym) = first;
    return true;
}

static bool run_set(Run *r, Node *s)
{
    Local *l = map_get(&r->locals, MAP_KEY(s->attr.sym));
    if (!l) return exec_fault(r, s, "no such local");
    return exec_assign(r, l, s->op[0]) && exec_touch(r, &l->bits, true, s);
}

// Marks the elements after the packed lanes of an unchecked store as undefined, because the store
// may overwrite them with any value.
static bool run_behind(Run *r, Node *s, int64_t from, int64_t lanes)
{
    Buffer *b;
    int64_t at;
    for (r->lane = from; r->lane < lanes; r->lane++) {
        if (!exec_element(r, s, &b, &at)) return false;
        b->written[at] = false;
    }
    return true;
}

static bool run_store(Run *r, Node *s)
{
    uint64_t *bits;
    Buffer *b;
    int64_t at, lanes, next = 0;
    const bool *undefined;
    bool done = exec_lanes(r, s->op[1], &lanes, &bits, &undefined);
    for (; done && r->lane < lanes; r->lane++) {
        uint64_t wanted = 1;
        if (s->kind != LOOP_STORE) done = exec_expr(r, s->op[2], &wanted);
        if (!done) break;
        if (!wanted) continue;
        int64_t lane = r->lane;
        if (s->kind == LOOP_STORE_PACKED) r->lane = next++;
        done = exec_element(r, s, &b, &at);
        r->lane = lane;
        if (done && b->input) done = exec_fault(r, s, "a store to an input");
        if (!done) break;
        // A store of the value that is there already is no write. In ys = generate.par(n, |i| if ..
        // { ys[i - 1] } else { ys[i] }), iterations of the second kind may thus run in place.
        bool changes = !b->written[at] || undefined[r->lane] || b->bits[at] != bits[r->lane];
        b->bits[at] = bits[r->lane];
        b->written[at] = !undefined[r->lane];
        take(b, at);
        done = exec_touch(r, &b->bits[at], changes, s);
    }
    if (done && s->variant == VARIANT_UNCHECKED) done = run_behind(r, s, next, lanes);
    r->lane = 0;
    return done;
}

// --- pointers -----------------------------------------------------------------------------------

static bool address(Run *r, Node *a, Buffer *part);

static bool point(Run *r, Node *s)
{
    Buffer *b = ARENA_NEW(r->arena, Buffer);
    if (!address(r, s->op[1], b)) return false;
    map_put(&r->buffers, MAP_KEY(s->attr.sym), b);
    return true;
}

static bool rotate(Run *r, Node *s)
{
    void *first = map_get(&r->buffers, MAP_KEY(s->op[0]->attr.sym));
    for (uint32_t i = 0; i < s->nops; i++) {
        bool last = i + 1 == s->nops;
        void *next = last ? first : map_get(&r->buffers, MAP_KEY(s->op[i + 1]->attr.sym));
        if (!next) return exec_fault(r, s, "no such memory");
        map_put(&r->buffers, MAP_KEY(s->op[i]->attr.sym), next);
    }
    return true;
}

bool exec_apart(Run *r, Node *e, bool *apart)
{
    Buffer a, b;
    if (!address(r, e->op[0], &a) || !address(r, e->op[1], &b)) return false;
    *apart = a.bits != b.bits;
    return true;
}

// --- calls --------------------------------------------------------------------------------------

// Finds the memory that begins at an address. A local counts as memory with one element.
static bool address(Run *r, Node *a, Buffer *part)
{
    Local *l = map_get(&r->locals, MAP_KEY(a->attr.sym));
    if (l) {
        *part = (Buffer){.count = 1, .bits = &l->bits, .written = &l->set};
        return true;
    }
    const Buffer *b = map_get(&r->buffers, MAP_KEY(a->attr.sym));
    int64_t at;
    if (!b) return exec_fault(r, a, "no such memory");
    if (!exec_size(r, a->op[0], a->origin, &at)) return false;
    at += b->first;
    if (b->count == 0)
        at = 0; // rows of an empty array may have any stride, and nothing is accessed
    if (at < 0 || at > b->count) return exec_fault(r, a, "an address outside of its buffer");
    *part = *b;
    part->first = 0;
    part->count -= at;
    part->bits += at;
    part->written += at;
    if (b->owner) part->owner += at * b->size;
    return true;
}

// Evaluates one argument in the caller, and passes it to a parameter of the callee.
static bool pass(Run *caller, Run *callee, Node *arg, const LoopParam *p)
{
    if (arg->kind != LOOP_ADDRESS) {
        uint64_t bits;
        if (!exec_expr(caller, arg, &bits)) return false;
        *exec_declare(callee, p->name) = (Local){.bits = bits, .set = true};
        return true;
    }
    Buffer *b = ARENA_NEW(caller->arena, Buffer);
    int64_t count;
    if (!address(caller, arg, b)) return false;
    if (!exec_size(callee, p->count, arg->origin, &count)) return false;
    if (count > b->count) return exec_fault(caller, arg, "less memory than the function works on");
    if (b->input && (p->output || p->both))
        return exec_fault(caller, arg, "an input to be written");
    b->count = count;
    b->input |= !p->output && !p->both;
    map_put(&callee->buffers, MAP_KEY(p->name), b);
    return true;
}

// Sets the callee's workspace, which is either a part of the caller's or newly allocated.
static bool pass_workspace(Run *r, Run *callee, const LoopEntry *f, Node *s)
{
    int64_t lines;
    if (!exec_workspace(callee, f)) return false;
    if (!loops_passes_workspace(f, s)) return true;
    if (!exec_size(r, s->op[f->params.len]->op[0], s->origin, &lines)) return false;
    if (lines < 0 || lines * LOOPS_LINE + callee->workspace.bytes > r->workspace.bytes)
        return exec_fault(r, s, "a workspace beyond the caller's");
    callee->workspace.owner = r->workspace.owner + lines * LOOPS_LINE;
    return true;
}

enum { MAX_CALLS = 1000 }; // the nesting limit, since each call recurses on the C stack

// Executes a call that is one step of a `print`.
static bool run_print(Run *r, Node *s)
{
    uint64_t bits = 0;
    if (s->nops && !exec_expr(r, s->op[0], &bits)) return false;
    core_print_run(r->cx, s->attr.sym, bits, r->algebra);
    return true;
}

static const char *failure_text(Run *r, Node *check)
{
    if (check->attr.i == E0614) return session_take_failure(r->cx, check->origin);
    return diag_title((DiagCode)check->attr.i);
}

static bool run_call(Run *r, Node *s)
{
    if (core_print_step_of(s->attr.sym) != PRINT_COUNT) return run_print(r, s);
    const LoopEntry *f = loops_callee(r->entry, s->attr.sym);
    if (!f || (int)s->nops < f->params.len) return exec_fault(r, s, "a call of no such function");
    if (f->external)
        return exec_fail(r, E0607, s->origin, "%s is a C function, which is not interpreted",
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
    bool atomic = core_atomic_of(f->name) != ATOMIC_COUNT;
    if (atomic) races_enter_atomic(r->races);
    bool done = exec_stmt(&callee, f->body);
    if (atomic) races_leave_atomic(r->races);
    r->fuel = callee.fuel;
    r->outcome = callee.outcome;
    return done;
}

// --- statements, continued ----------------------------------------------------------------------

static bool by_kind(Run *r, Node *s)
{
    uint64_t c;
    if (!exec_charge(r, 1, s->origin)) return false;
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
    case LOOP_SPAWN: return exec_stmt(r, s->op[0]); // the task runs immediately
    case LOOP_SYNC:
    case LOOP_PREFETCH: return true;
    case LOOP_CALL: return run_call(r, s);
    case LOOP_DECL: return run_decl(r, s);
    case LOOP_SET: return run_set(r, s);
    case LOOP_STORE:
    case LOOP_STORE_WHERE:
    case LOOP_STORE_PACKED:
    case LOOP_SCATTER: return run_store(r, s);
    case LOOP_ALLOC: return alloc(r, s);
    case LOOP_TABLE: return table(r, s);
    case LOOP_POINTER: return point(r, s);
    case LOOP_ROTATE: return rotate(r, s);
    case LOOP_IF: return exec_expr(r, s->op[0], &c) && exec_stmt(r, s->op[c ? 1 : 2]);
    case LOOP_CHECK:
        if (!exec_expr(r, s->op[0], &c)) return false;
        if (c) return true;
        return exec_fail(r, (DiagCode)s->attr.i, s->origin, "%s", failure_text(r, s));
#include "loops/ir/no_statement.def"
        break;
    }
    return exec_fault(r, s, "not a statement");
}

bool exec_stmt(Run *r, Node *s)
{
    if (by_kind(r, s)) return true;
    if (!r->outcome.ok && !r->outcome.span.file) r->outcome.span = s->origin;
    return false;
}
