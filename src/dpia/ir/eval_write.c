// Writes in the DPIA interpreter: finds where an acceptor puts an atom (the `put` column of the
// table in views.h).
#include "dpia/ir/eval.h"

static bool place_in_memory(Run *r, Node *acceptor, Path *path, Place *place)
{
    const Binding *b = map_get(&r->names, MAP_KEY(acceptor->attr.sym));
    if (!b || !b->cell) return run_fault(r, acceptor, "written, but is not memory");
    Cell *c = b->cell;
    for (; path; path = path->rest) {
        if (run_step(path) < 0 || run_step(path) >= c->count)
            return run_fault(r, acceptor, "written outside of the memory");
        c = &c->parts[run_step(path)];
    }
    *place = (Place){c, b->once};
    return true;
}

static bool is_in_part(Run *r, Node *a, Path *path)
{
    int64_t length;
    if (!run_size(r, a->op[1], a->origin, &length)) return false;
    return path->step.at.number < length ? true : run_fault(r, a, "written outside of the part");
}

// Finds the location to which acceptors other than ACC_VAR write the atom at `path`. It is in one
// of the operands, or place->cell is NULL if the atom is discarded.
static bool place_inside(Run *r, Node *a, Path *path, Place *place)
{
    ViewNumbers n;
    ViewStep s;
    *place = (Place){0};
    if (!run_view(r, a, acceptor_number(a), path, &n, &s)) return false;
    ViewPlace to = view_settled(&s);
    if (to.operand < 0) return true;
    if (a->kind == ACC_PART && !is_in_part(r, a, path)) return false;
    if (s.bound) run_bind(r, s.bound, (Binding){.value.bits = (uint64_t)s.index.number});
    struct Path inside;
    if (s.kind == STEP_THROUGH && !run_through(r, a->op[0], &s, &inside)) return false;
    return run_place(r, a->op[to.operand], s.kind == STEP_THROUGH ? &inside : to.path, place);
}

bool run_place(Run *r, Node *a, Path *path, Place *place)
{
    if (!run_charge(r, 1, a->origin)) return false;
    if (a->kind < ACC_VAR || a->kind > ACC_MAP) return run_fault(r, a, "not an acceptor");
    return a->kind == ACC_VAR ? place_in_memory(r, a, path, place)
                              : place_inside(r, a, path, place);
}

// --- memory as a whole -------------------------------------------------------------------------

static bool memory_element(Run *r, Node *a, int64_t at, Place *place)
{
    if (!run_memory(r, a->op[0], place)) return false;
    if (at < 0 || at >= place->cell->count) return run_fault(r, a, "outside of the memory");
    place->cell = &place->cell->parts[at];
    return true;
}

static bool memory_part(Run *r, Node *a, Place *place)
{
    int64_t offset, length;
    if (!run_size(r, a->op[0], a->origin, &offset) || !run_size(r, a->op[1], a->origin, &length) ||
        !run_memory(r, a->op[2], place))
        return false;
    if (offset < 0 || length < 0 || offset + length > place->cell->count)
        return run_fault(r, a, "outside of the memory");
    Cell *part = ARENA_NEW(r->arena, Cell);
    Cell *parts = place->cell->parts; // NULL: of no elements
    *part = (Cell){.count = length, .parts = parts ? parts + offset : NULL};
    place->cell = part;
    return true;
}

bool run_memory(Run *r, Node *a, Place *place)
{
    uint64_t at;
    switch ((Kind)a->kind) {
    case PH_VAR:
    case ACC_VAR: {
        const Binding *b = map_get(&r->names, MAP_KEY(a->attr.sym));
        if (!b || !b->cell) return run_fault(r, a, "written, but is not memory");
        *place = (Place){b->cell, b->once};
        return true;
    }
    case CORE_INDEX:
    case CORE_EXTRACT:
    case ACC_AT:
        return run_read(r, a->op[1], NULL, &at) && memory_element(r, a, (int64_t)at, place);
    case CORE_PROJ:
    case ACC_PROJ: return memory_element(r, a, a->attr.i, place);
    case VIEW_SLICE:
    case ACC_PART: return memory_part(r, a, place);
    default: return run_fault(r, a, "not the memory of a reference");
    }
}
