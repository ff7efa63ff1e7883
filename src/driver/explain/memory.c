// The memory report of `adze explain`: the temporary arrays of an entry and of the functions it
// calls, with their location and lifetime, and totals.
#include "driver/explain/explain.h"
#include "loops/device/device.h"

#include <string.h>

const char *explain_size(Session *cx, Node *size)
{
    Text t = text_new(cx->arena);
    if (size->kind == NAT_OVERFLOW) return "2^63 or more";
    nat_print(&t, size, 0);
    return text_get(&t);
}

const char *explain_place(const Work *w, Span span)
{
    int line, column;
    if (!span.file) return "";
    session_position(w->cx, span.file, span.lo, &line, &column);
    const char *name = path_base(w->cx->sources.at[span.file - 1]->path);
    if (span.file == w->file) return arena_printf(w->cx->arena, "%d:%d", line, column);
    return arena_printf(w->cx->arena, "%s:%d:%d", name, line, column);
}

// --- numbers ------------------------------------------------------------------------------------

static bool given_size(Node *atom, int64_t *value, void *env)
{
    const GivenSizes *sizes = env;
    for (int i = 0; i < sizes->len; i++) {
        if (atom->kind != NAT_VAR || sizes->at[i].name != atom->attr.sym) continue;
        *value = sizes->at[i].value;
        return true;
    }
    return false;
}

// Formats a size as "4*n bytes", or as "4*n = 4000 bytes" if the sizes are given.
static const char *bytes_text(Session *cx, const GivenSizes *sizes, Node *bytes)
{
    int64_t value, constant;
    const char *text = explain_size(cx, bytes);
    if (nat_is_const(bytes, &constant) ||
        !nat_eval(bytes, given_size, (void *)(uintptr_t)sizes, &value))
        return arena_printf(cx->arena, "%s bytes", text);
    return arena_printf(cx->arena, "%s = %lld bytes", text, (long long)value);
}

static Node *in_bytes(Session *cx, Node *lines)
{
    return nat_mul(cx, lines, nat_const(cx, LOOPS_LINE));
}

static Node *bytes_of_parameters(Session *cx, const LoopEntry *e, bool outputs)
{
    Node *sum = nat_const(cx, 0);
    for (int i = 0; i < e->params.len; i++) {
        const LoopParam *p = &e->params.at[i];
        int64_t size = scalar_info[p->scalar].size;
        if (p->record && i > 0 && p[-1].record == p->record) continue;
        if (p->record) type_c_size(cx, p->record->type, &size);
        Node *bytes = nat_mul(cx, p->record ? p->record->count : p->count, nat_const(cx, size));
        if (p->output == outputs) sum = nat_add(cx, sum, bytes);
    }
    return sum;
}

// --- arrays that are not in the workspace -------------------------------------------------------

/// A temporary array on the stack or the heap. `loops` is the number of enclosing loops, and `own`
/// the number of enclosing parallel loops and tasks.
typedef struct {
    Node *alloc;
    int loops, own;
} Elsewhere;
typedef VEC(Elsewhere) Elsewheres;

static void find(Session *cx, Node *s, int loops, int own, Elsewheres *out)
{
    if (s->kind == LOOP_ALLOC && !loops_is_placed(s)) {
        Elsewhere one = {s, loops, own};
        vec_push(cx->arena, out, one);
    }
    loops += loops_is_counted(s) || s->kind == LOOP_FOREVER;
    own += s->kind == LOOP_PARALLEL || s->kind == LOOP_SPAWN;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find(cx, s->op[i], loops, own, out);
}

// Where an array of an iteration of a kernel is.
static const char *where_on_device(const DeviceGroup *g, Node *alloc)
{
    uint64_t name = MAP_KEY(alloc->attr.sym);
    if (map_get(&g->shared, name)) return "shared by the work-items of a group";
    return map_get(&g->own, name) ? "a part for each work-item" : "for each work-item";
}

static const char *where_text(const Elsewhere *x)
{
    if (x->alloc->variant == VARIANT_STACK)
        return x->loops ? "on the stack, inside a loop" : "on the stack";
    return x->own ? "on the heap, in each iteration of a parallel loop or task" : "on the heap";
}

// --- the report ---------------------------------------------------------------------------------

static const char *span_text(const Work *w, const LoopPlacement *p)
{
    const char *first = explain_place(w, p->first), *last = explain_place(w, p->last);
    if (!*first || !*last) return "";
    return arena_printf(w->cx->arena, ", live from %s to %s", first, last);
}

// Returns the first array in the same memory as `p`, or NULL if that is `p` itself.
static const LoopPlacement *same_place(const LoopEntry *e, const LoopPlacement *p)
{
    for (const LoopPlacement *q = e->placements.at; q < p; q++)
        if (q->at == p->at && q->output == p->output) return q;
    return NULL;
}

static void put_place(const Work *w, const GivenSizes *sizes, Text *out, const LoopEntry *e,
                      const LoopPlacement *p)
{
    Session *cx = w->cx;
    const LoopPlacement *first = same_place(e, p);
    if (p->count)
        text_printf(out, "    %s: %s elements of %s, ", p->name->text, explain_size(cx, p->count),
                    type_show(cx, p->type));
    else
        text_printf(out, "    a call of %s: ", p->name->text);
    text_printf(out, "%s", bytes_text(cx, sizes, p->bytes));
    if (p->output)
        text_printf(out, " in the result %s", p->output->text);
    else if (first)
        text_printf(out, " in the memory of %s", first->name->text);
    else
        text_printf(out, " in the workspace at %s", explain_size(cx, in_bytes(cx, p->at)));
    if (p->each) text_put(out, ", for each thread");
    text_printf(out, "%s\n", span_text(w, p));
}

static void put_arrays(const Work *w, const GivenSizes *sizes, Text *out, const LoopEntry *e)
{
    Elsewheres others = {0};
    if (e->body) find(w->cx, e->body, 0, 0, &others);
    bool any = e->placements.len + others.len > 0, is_entry = e == w->loop;
    if (!any && !is_entry) return;
    text_put(out, any ? "  temporary arrays" : "  no temporary arrays");
    if (!is_entry) text_printf(out, " of %s", e->name->text);
    if (!is_entry && e->workspace && loops_is_recursive(w->cx, w->loop, e->name))
        text_put(out, ", on the heap for each call: the depth of its recursion is not known");
    text_char(out, '\n');
    for (int i = 0; i < e->placements.len; i++) put_place(w, sizes, out, e, &e->placements.at[i]);
    DeviceGroup g = {0};
    if (e->kernel && e->group > 0) g = device_group(w->cx, loops_body(device_loop_of(e->body)));
    for (int i = 0; i < others.len; i++) {
        Node *a = others.at[i].alloc;
        text_printf(out, "    %s: %s elements of %s, %s\n", a->attr.sym->text,
                    explain_size(w->cx, a->op[1]), type_show(w->cx, a->op[0]),
                    e->kernel ? where_on_device(&g, a) : where_text(&others.at[i]));
    }
}

void explain_memory(const Work *w, const GivenSizes *sizes, Text *out)
{
    Session *cx = w->cx;
    const LoopEntry *e = w->loop;
    put_arrays(w, sizes, out, e);
    for (int i = 0; i < e->callees.len; i++) put_arrays(w, sizes, out, e->callees.at[i]);
    text_put(out, "  memory\n");
    text_printf(out, "    inputs:    %s\n",
                bytes_text(cx, sizes, bytes_of_parameters(cx, e, false)));
    text_printf(out, "    results:   %s\n",
                bytes_text(cx, sizes, bytes_of_parameters(cx, e, true)));
    text_printf(out, "    workspace: %s%s\n",
                e->workspace && !loops_workspace_lines(e->workspace) ? "at most " : "",
                bytes_text(cx, sizes, in_bytes(cx, loops_max_workspace_lines(cx, e->workspace))));
}

// --- JSON ---------------------------------------------------------------------------------------

static void json_bytes(Session *cx, const GivenSizes *sizes, json_t *to, const char *key,
                       Node *bytes)
{
    int64_t value;
    json_t *one = json_object();
    json_put(one, "size", json_string(explain_size(cx, bytes)));
    if (nat_eval(bytes, given_size, (void *)(uintptr_t)sizes, &value))
        json_put(one, "bytes", json_integer(value));
    json_put(to, key, one);
}

static json_t *json_array_of(const Work *w, const LoopEntry *e, Sym name, const char *space)
{
    json_t *x = json_object();
    json_put(x, "name", json_string(name->text));
    if (e != w->loop) json_put(x, "function", json_string(e->name->text));
    json_put(x, "space", json_string(space));
    return x;
}

static json_t *json_place(const Work *w, const GivenSizes *sizes, const LoopEntry *e,
                          const LoopPlacement *p)
{
    Session *cx = w->cx;
    json_t *x = json_array_of(w, e, p->name, p->output ? "result" : "workspace");
    if (p->count) {
        json_put(x, "elements", json_string(explain_size(cx, p->count)));
        json_put(x, "type", json_string(type_show(cx, p->type)));
    }
    json_bytes(cx, sizes, x, "size", p->bytes);
    if (p->output) json_put(x, "result", json_string(p->output->text));
    if (p->at) json_bytes(cx, sizes, x, "at", in_bytes(cx, p->at));
    json_put(x, "shared", json_boolean(p->shared));
    if (p->each) json_put(x, "each_thread", json_true());
    if (p->first.file) json_put(x, "first", json_span(cx, p->first));
    if (p->last.file) json_put(x, "last", json_span(cx, p->last));
    return x;
}

static void json_arrays(const Work *w, const GivenSizes *sizes, const LoopEntry *e, json_t *arrays)
{
    Session *cx = w->cx;
    Elsewheres others = {0};
    if (e->body) find(cx, e->body, 0, 0, &others);
    for (int i = 0; i < e->placements.len; i++)
        json_array_append_new(arrays, json_place(w, sizes, e, &e->placements.at[i]));
    for (int i = 0; i < others.len; i++) {
        Node *a = others.at[i].alloc;
        json_t *x = json_array_of(w, e, a->attr.sym, loops_is_heap(a) ? "heap" : "stack");
        json_put(x, "elements", json_string(explain_size(cx, a->op[1])));
        json_put(x, "type", json_string(type_show(cx, a->op[0])));
        json_put(x, "loops_around", json_integer(others.at[i].loops));
        json_array_append_new(arrays, x);
    }
}

void explain_memory_json(const Work *w, const GivenSizes *sizes, json_t *to)
{
    Session *cx = w->cx;
    const LoopEntry *e = w->loop;
    json_t *arrays = json_array(), *memory = json_object();
    json_arrays(w, sizes, e, arrays);
    for (int i = 0; i < e->callees.len; i++) json_arrays(w, sizes, e->callees.at[i], arrays);
    json_bytes(cx, sizes, memory, "inputs", bytes_of_parameters(cx, e, false));
    json_bytes(cx, sizes, memory, "results", bytes_of_parameters(cx, e, true));
    json_bytes(cx, sizes, memory, "workspace",
               in_bytes(cx, loops_max_workspace_lines(cx, e->workspace)));
    json_put(to, "temporary_arrays", arrays);
    json_put(to, "memory", memory);
}
