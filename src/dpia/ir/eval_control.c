// Control flow in the DPIA interpreter: labels, loops that are not patterns, and calls.
#include "dpia/ir/eval.h"

enum { MAX_CALLS = 200 };

bool run_label(Run *r, Node *c)
{
    if (run_command(r, c->op[0])) return true;
    if (r->leaving != c->attr.sym) return false;
    r->leaving = NULL;
    return true;
}

bool run_jump(Run *r, Node *c)
{
    r->leaving = c->attr.sym;
    return false;
}

bool run_forever(Run *r, Node *c)
{
    while (run_command(r, c->op[0])) continue;
    return false;
}

bool run_range(Run *r, Node *c)
{
    int body = (int)c->nops - 1;
    int64_t from, to;
    uint64_t threads;
    if (c->kind == COM_PARALLEL && !run_read(r, c->op[0], NULL, &threads)) return false;
    if (!run_size(r, c->op[body - 2], c->origin, &from) ||
        !run_size(r, c->op[body - 1], c->origin, &to))
        return false;
    for (int64_t i = from; i < to; i++) {
        run_bind(r, c->attr.sym, (Binding){.value.bits = (uint64_t)i});
        if (!run_command(r, c->op[body])) return false;
    }
    return true;
}

// --- calls -------------------------------------------------------------------------------------

bool run_is_memory(const Run *r, Node *e)
{
    while (e->kind == CORE_INDEX || e->kind == CORE_PROJ || e->kind == VIEW_SLICE)
        e = e->op[e->kind == VIEW_SLICE ? 2 : 0];
    const Binding *b = e->kind == PH_VAR ? map_get(&r->names, MAP_KEY(e->attr.sym)) : NULL;
    return b && b->cell;
}

// Sets *out to the cell of an argument. If the argument, or a component of a tuple, is memory, the
// callee reads that memory; all other values are copied.
static bool argument_cell(Run *r, Node *arg, Cell *out)
{
    Place place;
    Value v;
    if (run_is_memory(r, arg)) {
        if (!run_memory(r, arg, &place)) return false;
        *out = *place.cell;
        return true;
    }
    if (arg->kind != CORE_TUPLE) {
        if (!run_value(r, arg, &v)) return false;
        run_fill(r, out, &v);
        return true;
    }
    *out = (Cell){.count = arg->nops, .parts = ARENA_ARRAY(r->arena, Cell, arg->nops + 1)};
    for (uint32_t i = 0; i < arg->nops; i++)
        if (!argument_cell(r, arg->op[i], &out->parts[i])) return false;
    return true;
}

static bool bind_arguments(Run *r, Run *inner, Node *c)
{
    const Phrase *f = inner->p;
    for (int i = 0; i < f->params.len; i++) {
        Node *arg = c->op[i + 1];
        Binding b = {0};
        Place place;
        Node *type = f->params.at[i].type;
        if (type->kind == TYPE_REF || (type_has_array(type) && run_is_memory(r, arg))) {
            if (!run_memory(r, arg, &place)) return false;
            b.cell = place.cell;
        } else if (type_has_array(type) && arg->kind == CORE_TUPLE) {
            b.cell = ARENA_NEW(r->arena, Cell);
            if (!argument_cell(r, arg, b.cell)) return false;
        } else if (!run_value(r, arg, &b.value)) {
            return false;
        }
        run_bind(inner, f->params.at[i].name, b);
    }
    return true;
}

static bool store_cell(Run *r, Node *c, const Cell *from, Place to)
{
    if (from->count) {
        for (int64_t i = 0; i < from->count; i++)
            if (!store_cell(r, c, &from->parts[i], (Place){&to.cell->parts[i], to.once}))
                return false;
        return true;
    }
    if (to.once && to.cell->written && !r->again) return run_fault(r, c, "written twice");
    *to.cell = *from;
    return true;
}

// Runs a print step (core/eval/print_steps.c).
static bool run_print(Run *r, Node *c)
{
    Value x = {0};
    if (c->nops > 1 && !run_value(r, c->op[1], &x)) return false;
    core_print_run(r->cx, c->attr.sym, x.bits, r->algebra);
    return true;
}

// Runs a call. The result gets memory of its own, since the function must not read its destination.
bool run_call(Run *r, Node *c)
{
    if (core_print_step_of(c->attr.sym) != PRINT_COUNT) return run_print(r, c);
    const Phrase *f = dpia_callee(r->entry, c->attr.sym);
    if (!f || (int)c->nops != f->params.len + 1) return run_fault(r, c, "not a function");
    if (f->external) return run_fail(r, E0608, c->origin, "%s is a C function", f->name->text);
    if (r->depth >= MAX_CALLS) return run_fail(r, E0605, c->origin, "calls are nested too deeply");
    Run inner = *r;
    Cell out;
    Place to;
    inner.p = f;
    inner.depth++;
    inner.again = 0;
    inner.names = map_new(r->arena);
    if (!bind_arguments(r, &inner, c)) return false;
    bool ok = run_body(&inner, &out);
    r->fuel = inner.fuel;
    r->outcome = inner.outcome;
    if (!ok) return false;
    if (c->op[0]->kind == COM_SKIP) return true;
    return run_memory(r, c->op[0], &to) && store_cell(r, c, &out, to);
}
