// Writing in the interpreter of DPIA: where an acceptor puts an atom (views.h, column put).
#include "dpia/eval.h"

static bool place_in_memory(Run *r, Node *acceptor, Steps *path, Place *place)
{
    const Binding *b = map_get(&r->names, MAP_KEY(acceptor->attr.sym));
    if (!b || !b->cell) return run_fault(r, acceptor, "written, but is no memory");
    Cell *c = b->cell;
    for (; path; path = path->rest) {
        if (path->at < 0 || path->at >= c->count)
            return run_fault(r, acceptor, "written outside of the memory");
        c = &c->parts[path->at];
    }
    *place = (Place){c, b->once};
    return true;
}

// d : [n][m]t, seen as [n*m]t: [k] goes to [k/m][k%m]
static bool place_split(Run *r, Node *a, Steps *path, Place *place)
{
    int64_t m;
    if (!run_size(r, a->op[0], a->origin, &m)) return false;
    if (m <= 0) return run_fault(r, a, "written outside of the memory");
    Steps column = {path->at % m, path->rest};
    return run_place(r, a->op[1], &(Steps){path->at / m, &column}, place);
}

// d : [n*m]t, seen as [n][m]t: [i][j] goes to [i*m + j]
static bool place_join(Run *r, Node *a, Steps *path, Place *place)
{
    int64_t m;
    if (!run_length(r, a->type->op[1], &m)) return false;
    return run_place(r, a->op[0], &(Steps){path->at * m + path->rest->at, path->rest->rest}, place);
}

// The part [offset, offset + length) of d: [k] goes to [offset + k]
static bool place_part(Run *r, Node *a, Steps *path, Place *place)
{
    int64_t offset, length;
    if (!run_size(r, a->op[0], a->origin, &offset) || !run_size(r, a->op[1], a->origin, &length))
        return false;
    if (path->at >= length) return run_fault(r, a, "written outside of the part");
    return run_place(r, a->op[2], &(Steps){offset + path->at, path->rest}, place);
}

// d holds a slice; seen as what it is a slice of: [k] goes to [k - offset], or nowhere
static bool place_slice(Run *r, Node *a, Steps *path, Place *place)
{
    int64_t offset, length;
    if (!run_size(r, a->op[0], a->origin, &offset) || !run_size(r, a->op[1], a->origin, &length))
        return false;
    *place = (Place){0};
    if (path->at < offset || path->at >= offset + length) return true;
    return run_place(r, a->op[2], &(Steps){path->at - offset, path->rest}, place);
}

static bool place_reverse(Run *r, Node *a, Steps *path, Place *place)
{
    int64_t n;
    if (!run_length(r, a->type, &n)) return false;
    return run_place(r, a->op[0], &(Steps){n - 1 - path->at, path->rest}, place);
}

// [i] goes to [(i + k) mod n]
static bool place_rotate(Run *r, Node *a, Steps *path, Place *place)
{
    int64_t n;
    uint64_t k;
    if (!run_length(r, a->type, &n) || !run_read(r, a->op[0], NULL, &k)) return false;
    if (n <= 0) return run_fault(r, a, "written outside of the memory");
    int64_t shift = ((int64_t)k % n + n) % n;
    return run_place(r, a->op[1], &(Steps){(path->at + shift) % n, path->rest}, place);
}

static bool place_scatter(Run *r, Node *a, Steps *path, Place *place)
{
    uint64_t at;
    if (!run_read(r, a->op[0], &(Steps){path->at, NULL}, &at)) return false;
    return run_place(r, a->op[1], &(Steps){(int64_t)at, path->rest}, place);
}

static bool place_at(Run *r, Node *a, Steps *path, Place *place)
{
    uint64_t at;
    if (!run_read(r, a->op[1], NULL, &at)) return false;
    return run_place(r, a->op[0], &(Steps){(int64_t)at, path}, place);
}

static bool place_element(Run *r, Node *a, Steps *path, Place *place)
{
    uint64_t at;
    *place = (Place){0};
    if (!run_read(r, a->op[0], NULL, &at)) return false;
    return (int64_t)at != path->at || run_place(r, a->op[1], path->rest, place);
}

static bool place_map(Run *r, Node *a, Steps *path, Place *place)
{
    run_bind(r, a->attr.sym, (Binding){.value.bits = (uint64_t)path->at});
    return run_place(r, a->op[1], path->rest, place);
}

// How many steps of the path an acceptor looks at.
static int steps_of(Kind kind)
{
    switch (kind) {
    case ACC_VAR:
    case ACC_AT:
    case ACC_NONE:
    case ACC_PROJ: return 0;
    case ACC_UNZIP:
    case ACC_JOIN:
    case ACC_AS_SCALAR:
    case ACC_TRANSPOSE: return 2;
    default: return 1;
    }
}

bool run_place(Run *r, Node *a, Steps *path, Place *place)
{
    if (!run_charge(r, 1, a->origin)) return false;
    int need = steps_of((Kind)a->kind);
    if ((need > 0 && !path) || (need > 1 && !path->rest))
        return run_fault(r, a, "not written to an element");
    switch ((Kind)a->kind) {
    case ACC_VAR: return place_in_memory(r, a, path, place);
    case ACC_AT: return place_at(r, a, path, place);
    case ACC_PROJ: return run_place(r, a->op[0], &(Steps){a->attr.i, path}, place);
    case ACC_ZIP: {
        Steps component = {a->attr.i, path->rest};
        return run_place(r, a->op[0], &(Steps){path->at, &component}, place);
    }
    case ACC_UNZIP:
    case ACC_TRANSPOSE: {
        Steps inner = {path->at, path->rest->rest};
        return run_place(r, a->op[0], &(Steps){path->rest->at, &inner}, place);
    }
    case ACC_TUPLE: return run_place(r, a->op[path->at], path->rest, place);
    case ACC_NONE: *place = (Place){0}; return true;
    case ACC_ELEMENT: return place_element(r, a, path, place);
    case ACC_MAP: return place_map(r, a, path, place);
    case ACC_SPLIT:
    case ACC_AS_VECTOR: return place_split(r, a, path, place);
    case ACC_AS_SCALAR:
    case ACC_JOIN: return place_join(r, a, path, place);
    case ACC_PART: return place_part(r, a, path, place);
    case ACC_SLICE: return place_slice(r, a, path, place);
    case ACC_REVERSE: return place_reverse(r, a, path, place);
    case ACC_ROTATE: return place_rotate(r, a, path, place);
    case ACC_SCATTER: return place_scatter(r, a, path, place);
    default: return run_fault(r, a, "not an acceptor");
    }
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
    *part = (Cell){.count = length, .parts = place->cell->parts + offset};
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
        if (!b || !b->cell) return run_fault(r, a, "written, but is no memory");
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
