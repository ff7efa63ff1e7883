// The DPIA interpreter, a test oracle for the translations into and out of DPIA. Each element of
// memory records whether it was written. Reading an element before its first write, and writing an
// element of the result twice or never, are internal compiler errors.
#include "dpia/ir/eval.h"

bool run_fail(Run *r, DiagCode code, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(r->arena, format, args);
    va_end(args);
    r->outcome = (Outcome){.code = code, .span = span, .text = text};
    return false;
}

bool run_fault(Run *r, Node *at, const char *what)
{
    const char *text = term_show(r->cx, at, NULL, 0);
    return run_fail(r, E0901, at->origin, "%s: %.300s", what, text);
}

bool run_charge(Run *r, int64_t steps, Span span)
{
    if (steps >= r->fuel) return run_fail(r, E0605, span, "the evaluation takes too many steps");
    r->fuel -= steps;
    return true;
}

// --- sizes -------------------------------------------------------------------------------------

static bool lookup_size(Node *atom, int64_t *value, void *env)
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
    const Binding *b = map_get(&r->names, MAP_KEY(atom->attr.sym));
    if (!b || b->cell) return false;
    *value = (int64_t)b->value.bits;
    return true;
}

bool run_size(Run *r, Node *size, Span span, int64_t *value)
{
    if (nat_eval(size, lookup_size, r, value)) return true;
    return run_fail(r, E0607, span, "the size `%s` cannot be computed",
                    nat_show_written(r->cx, size));
}

bool run_length(Run *r, Node *type, int64_t *n)
{
    CHECK(r->cx, type_has_elements(type), "%s has no length", type_show(r->cx, type));
    return run_size(r, type->op[0], NO_SPAN, n);
}

// --- memory ------------------------------------------------------------------------------------

bool run_new_cell(Run *r, Node *type, Cell *c)
{
    *c = (Cell){0};
    if (type_is_atom(type)) return true;
    bool array = type_has_elements(type);
    c->count = type->nops;
    if (array && !run_length(r, type, &c->count)) return false;
    if (c->count < 0)
        return run_fail(r, E0604, NO_SPAN, "%s has a negative length", type_show(r->cx, type));
    if (!run_charge(r, c->count, NO_SPAN)) return false;
    if (c->count) c->parts = ARENA_ARRAY(r->arena, Cell, c->count);
    for (int64_t i = 0; i < c->count; i++)
        if (!run_new_cell(r, type->op[array ? 1 : i], &c->parts[i])) return false;
    return true;
}

// Converts a cell to a value. Only its first `exist` elements need to have been written.
static bool cell_value(Run *r, const Cell *c, Node *type, int64_t exist, Value *v)
{
    *v = (Value){.bits = c->bits, .count = c->count};
    if (type_is_atom(type)) {
        if ((c->written && !c->undefined) || exist == 0) return true;
        return run_fail(r, E0901, r->p->span, "an element of the result was not written");
    }
    bool array = type_has_elements(type);
    if (c->count) v->parts = ARENA_ARRAY(r->arena, Value, c->count);
    for (int64_t i = 0; i < c->count; i++)
        if (!cell_value(r, &c->parts[i], type->op[array ? 1 : i], value_existing(v, type, i, exist),
                        &v->parts[i]))
            return false;
    return true;
}

// Names are unique, but each iteration of a loop binds the names of its body again.
Binding *run_bind(Run *r, Sym name, Binding binding)
{
    Binding *b = map_get(&r->names, MAP_KEY(name));
    if (!b) {
        b = ARENA_NEW(r->arena, Binding);
        map_put(&r->names, MAP_KEY(name), b);
    }
    *b = binding;
    return b;
}

// --- commands ----------------------------------------------------------------------------------

/// A scalar, or a lane of a vector, to be assigned.
typedef struct {
    uint64_t bits;
    bool undefined; // computed from unwritten elements
} Assigned;

static bool read_assigned(Run *r, Node *e, Path *lane, Assigned *v)
{
    *v = (Assigned){0};
    r->undefined = &v->undefined;
    bool done = run_read(r, e, lane, &v->bits);
    r->undefined = NULL;
    return done;
}

static bool run_assign(Run *r, Node *c)
{
    int64_t lanes = 1;
    bool vector = c->op[1]->type->kind == TYPE_VEC;
    if (vector && !run_length(r, c->op[1]->type, &lanes)) return false;
    Assigned *values = ARENA_ARRAY(r->arena, Assigned, lanes);
    for (int64_t i = 0; i < lanes; i++) { // read all lanes before writing the first
        Path lane = {.step.at.number = i};
        if (!read_assigned(r, c->op[1], vector ? &lane : NULL, &values[i])) return false;
    }
    for (int64_t i = 0; i < lanes; i++) {
        Path lane = {.step.at.number = i};
        Place place = {0};
        if (!run_place(r, c->op[0], vector ? &lane : NULL, &place)) return false;
        if (!place.cell) continue;
        if (place.cell->count) return run_fault(r, c, "an assignment to an aggregate");
        if (place.once && place.cell->written && !r->again) return run_fault(r, c, "written twice");
        place.cell->bits = values[i].bits;
        place.cell->written = true;
        place.cell->undefined = values[i].undefined;
    }
    return true;
}

static bool run_for(Run *r, Node *c)
{
    int64_t n;
    if (!run_size(r, c->op[0], c->origin, &n)) return false;
    for (int64_t i = 0; i < n; i++) {
        run_bind(r, c->attr.sym, (Binding){.value.bits = (uint64_t)i});
        if (!run_command(r, c->op[1])) return false;
    }
    return true;
}

static bool run_accumulate(Run *r, Node *c)
{
    r->again++;
    bool ran = run_command(r, c->op[1]);
    r->again--;
    return ran;
}

static bool run_new(Run *r, Node *c)
{
    Cell *cell = ARENA_NEW(r->arena, Cell);
    if (!run_new_cell(r, c->op[0], cell)) return false;
    run_bind(r, c->attr.sym, (Binding){.cell = cell});
    return run_command(r, c->op[1]);
}

static bool run_check(Run *r, Node *c)
{
    uint64_t holds;
    if (!run_read(r, c->op[0], NULL, &holds)) return false;
    if (holds) return true;
    bool asserted = c->attr.i == E0614;
    return run_fail(r, (DiagCode)c->attr.i, c->origin, "%s",
                    asserted ? session_take_failure(r->cx, c->origin)
                             : diag_title((DiagCode)c->attr.i));
}

static bool by_kind(Run *r, Node *c)
{
    uint64_t bits;
    Value v;
    if (!run_charge(r, 1, c->origin)) return false;
    switch ((Kind)c->kind) {
    case COM_SKIP:
    case COM_UNDEFINED:
    case COM_CHECK_SIZE: return true; // conditions on sizes were tested before the body ran
    case COM_SEQ:
        for (uint32_t i = 0; i < c->nops; i++)
            if (!run_command(r, c->op[i])) return false;
        return true;
    case COM_ASSIGN: return run_assign(r, c);
    case COM_FOR: return run_for(r, c);
    case COM_NEW: return run_new(r, c);
    case COM_LET:
        if (!run_value(r, c->op[0], &v)) return false;
        run_bind(r, c->attr.sym, (Binding){.value = v});
        return run_command(r, c->op[1]);
    case COM_IF: return run_read(r, c->op[0], NULL, &bits) && run_command(r, c->op[bits ? 1 : 2]);
    case COM_CHECK: return run_check(r, c);
    case COM_LABEL: return run_label(r, c);
    case COM_JUMP: return run_jump(r, c);
    case COM_FOREVER: return run_forever(r, c);
    case COM_RANGE:
    case COM_PARALLEL:
    case COM_VECTORIZE: return run_range(r, c);
    case COM_SPAWN: return run_command(r, c->op[0]); // runs immediately
    case COM_SYNC:
    case COM_PREFETCH: return true;
    case COM_ACCUMULATE: return run_accumulate(r, c);
    case COM_CALL: return run_call(r, c);
    default: return run_fault(r, c, "not a command");
    }
}

bool run_command(Run *r, Node *c)
{
    if (by_kind(r, c)) return true;
    if (!r->outcome.ok && !r->outcome.span.file) r->outcome.span = c->origin;
    return false;
}

// --- the entry ---------------------------------------------------------------------------------

// Replaces the size parameters and own sizes of r->p in a type with their values in this run.
static Node *closed_type(Run *r, Node *type)
{
    const Phrase *p = r->p;
    NodeBinding *with = ARENA_ARRAY(r->arena, NodeBinding, p->sizes.len + p->params.len + 1);
    int n = 0;
    for (int i = 0; i < p->sizes.len; i++)
        with[n++] = (NodeBinding){p->sizes.at[i], nat_const(r->cx, r->sizes[i])};
    for (int i = 0; i < p->params.len; i++) {
        Sym name = dpia_own_size(r->cx, p, i);
        int64_t value;
        if (name && lookup_size(nat_var(r->cx, name), &value, r))
            with[n++] = (NodeBinding){name, nat_const(r->cx, value)};
    }
    return node_replace_names(r->cx, type, with, n);
}

void run_fill(Run *r, Cell *c, const Value *v)
{
    *c = (Cell){.written = true, .bits = v->bits, .count = v->count};
    if (c->count) c->parts = ARENA_ARRAY(r->arena, Cell, c->count);
    for (int64_t i = 0; i < c->count; i++) run_fill(r, &c->parts[i], &v->parts[i]);
}

// References point to a copy of the argument, so the caller does not see the entry's writes.
static void bind_argument(Run *r, const Param *p, const Value *v)
{
    Binding b = {.value = *v};
    if (p->type->kind == TYPE_REF) {
        b.cell = ARENA_NEW(r->arena, Cell);
        run_fill(r, b.cell, v);
    }
    run_bind(r, p->name, b);
}

static bool bind_inputs(Run *r, const Value *args)
{
    const Phrase *p = r->p;
    for (int i = 0; i < p->sizes.len; i++)
        if (r->sizes[i] < 0)
            return run_fail(r, E0604, p->span, "the size %s is negative", p->sizes.at[i]->text);
    Outcome o = size_checks_eval(r->cx, &p->checks, p->span, lookup_size, r);
    for (int i = 0; i < p->params.len && o.ok; i++) {
        const Param *param = &p->params.at[i];
        Node *type = param->type->kind == TYPE_REF ? param->type->op[0] : param->type;
        o = value_check(r->cx, r->arena, &args[i], closed_type(r, type), param->name);
        bind_argument(r, param, &args[i]);
    }
    r->outcome = o;
    return o.ok;
}

bool run_body(Run *r, Cell *out)
{
    if (!run_new_cell(r, r->p->out.type, out)) return false;
    run_bind(r, r->p->out.name, (Binding){.cell = out, .once = true});
    return run_command(r, r->p->body);
}

Outcome dpia_eval(Session *cx, Arena *arena, const Phrase *p, const int64_t *sizes,
                  const Value *args, Algebra algebra, int64_t fuel, Value *result)
{
    Run r = {.cx = cx,
             .arena = arena,
             .entry = p,
             .p = p,
             .sizes = sizes,
             .algebra = algebra,
             .fuel = fuel,
             .names = map_new(arena),
             .outcome = {.ok = true}};
    Cell out;
    if (bind_inputs(&r, args) && run_body(&r, &out))
        cell_value(&r, &out, p->out.type, INT64_MAX, result);
    return r.outcome;
}
