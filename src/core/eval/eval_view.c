// Views. Every element of the result is an element of an operand. The row of the view (views.h,
// column get) maps the path of an element in the result to its path in the operand. Indices are
// numbers here.
#include "core/eval/eval.h"
#include "views/views.h"

enum { MAX_STEPS = 2 }; // the maximum length of ViewRow.get_steps

typedef struct {
    Node *e;
    const ViewRow *row;
    Scope scope;
    Value *operands; // all operands except sizes
    ViewNumbers numbers;
    ViewContext context;
    struct Path path[MAX_STEPS];
} View;

typedef struct {
    Eval *ev;
    View *v;
} Sizes;

static bool size(void *env, Node *size, int64_t *n)
{
    const Sizes *s = env;
    return scope_size(s->ev, s->v->scope, size, s->v->e->origin, n);
}

static bool operands(Eval *ev, View *v)
{
    for (int k = 0; k < (int)v->e->nops; k++) {
        ViewRole role = view_role(v->e, k);
        if (role == ROLE_SIZE) continue;
        if (!eval_term(ev, v->e->op[k], v->scope, &v->operands[k])) return false;
        if (role == ROLE_NUMBER) v->context.shift.number = (int64_t)v->operands[k].bits;
    }
    return true;
}

static bool outside(Eval *ev, const View *v)
{
    return eval_fail(ev, E0604, v->e->origin, "%s: a part that is not inside the array",
                     kind_info[v->e->kind].text);
}

// Tests the size condition of the view, which inference also generates as a check.
static bool fits(Eval *ev, View *v)
{
    const char *why = v->row->misfit ? v->row->misfit(&v->context, v->e) : NULL;
    if (v->numbers.failed) return ev->outcome.ok ? outside(ev, v) : false;
    return why ? eval_fail(ev, E0604, v->e->origin, "%s: %s", kind_info[v->e->kind].text, why)
               : true;
}

// Returns the first of `count` adjacent parts of a value, which is the part at `path`. Returns NULL
// if they are not all inside the value.
static const Value *part_at(const Value *from, Path *path, int64_t count)
{
    for (; path; path = path->rest) {
        int64_t at = path->step.is_component ? path->step.component : path->step.at.number;
        int64_t n = path->rest ? 1 : count;
        if (at < 0 || at > from->count - n) return NULL;
        from = &from->parts[at];
    }
    return from;
}

// Applies a function to an index, and checks that the inverse function maps the result back.
static bool through_function(Eval *ev, const View *v, const ViewStep *s, int64_t *to)
{
    Value index = value_atom((uint64_t)s->index.number), from, back;
    Span span = v->e->origin;
    if (!eval_apply(ev, closure_of(&v->operands[s->through]), &index, 1, span, &from) ||
        !eval_apply(ev, closure_of(&v->operands[s->inverse]), &from, 1, span, &back))
        return false;
    *to = (int64_t)from.bits;
    if (back.bits == index.bits) return true;
    return eval_fail(ev, E0611, span, "%s takes index %lld from %lld, and %lld to %lld",
                     kind_info[v->e->kind].text, (long long)index.bits, (long long)from.bits,
                     (long long)from.bits, (long long)back.bits);
}

static bool through(Eval *ev, const View *v, const ViewStep *s, int64_t *to)
{
    if (s->inverse) return through_function(ev, v, s, to);
    struct Path at = {.step.at = s->index};
    const Value *index = part_at(&v->operands[s->through], &at, 1);
    if (!index) return outside(ev, v);
    *to = (int64_t)index->bits;
    return true;
}

// Sets *out to the first of `count` adjacent parts of the view's result, which is the part at
// `path`. `path` must have all the steps that the row requires.
static bool fetch(Eval *ev, View *v, Path *path, int64_t count, const Value **out)
{
    v->numbers.used = 0;
    ViewStep s = v->row->get(&v->context, v->e, path);
    if (v->numbers.failed) return ev->outcome.ok ? outside(ev, v) : false;
    ViewPlace from = view_settled(&s);
    struct Path inside;
    if (s.kind == STEP_THROUGH) {
        inside = *from.path;
        if (!through(ev, v, &s, &inside.step.at.number)) return false;
        from.path = &inside;
    }
    *out = part_at(&v->operands[from.operand], from.path, count);
    return *out || outside(ev, v);
}

// Computes the part of the result at the first `depth` steps of v->path. `type` is the type of that
// part.
static bool build(Eval *ev, View *v, Node *type, int depth, Value *out)
{
    const char *steps = v->row->get_steps + depth;
    if (!*steps) {
        const Value *from;
        if (!fetch(ev, v, depth ? v->path : NULL, 1, &from)) return false;
        *out = *from;
        return true;
    }
    bool array = *steps == 'i';
    int64_t n = type->nops;
    if (array && !scope_size(ev, v->scope, type->op[0], v->e->origin, &n)) return false;
    v->path[depth] = (struct Path){.step.is_component = !array};
    if (depth) v->path[depth - 1].rest = &v->path[depth];
    if (v->row->adds && !steps[1] && n >= 0) { // the elements are adjacent in the operand as well
        const Value *first = NULL;
        if (n && !fetch(ev, v, v->path, n, &first)) return false;
        *out = (Value){.count = n, .parts = (Value *)(uintptr_t)first};
        return true;
    }
    if (!eval_parts(ev, n, v->e->origin, out)) return false;
    for (int64_t i = 0; i < n; i++) {
        PathStep *step = &v->path[depth].step;
        if (array)
            step->at.number = i;
        else
            step->component = (int)i;
        if (!build(ev, v, type->op[array ? 1 : i], depth + 1, &out->parts[i])) return false;
    }
    return true;
}

bool eval_view(Eval *ev, Node *e, Scope s, Value *out)
{
    View v = {.e = e,
              .row = view_row((Kind)e->kind),
              .scope = s,
              .operands = ARENA_ARRAY(ev->arena, Value, e->nops)};
    Sizes sizes = {ev, &v};
    v.numbers = (ViewNumbers){.size = size, .env = &sizes};
    v.context = (ViewContext){.cx = ev->cx, .numbers = &v.numbers};
    return operands(ev, &v) && fits(ev, &v) && build(ev, &v, e->type, 0, out);
}

bool eval_part(Eval *ev, const Value *array, int64_t offset, int64_t length, Span span, Value *out)
{
    if (offset < 0 || length < 0 || offset > array->count || length > array->count - offset)
        return eval_fail(ev, E0604, span, "slice: a part that is not inside the array");
    *out = (Value){.count = length, .parts = length ? array->parts + offset : NULL};
    return true;
}
