// The memory plan of an entry for the page: the arrays that it and its functions use, with sizes as
// trees and lifetimes as numbers of statements.
#include "driver/page/page.h"

static json_t *json_line_of(const Work *w, Span span)
{
    int line = 0, column;
    if (span.file != w->file) return json_null();
    session_position(w->cx, span.file, span.lo, &line, &column);
    return json_integer(line);
}

static json_t *json_buffer(const char *name, const char *type, const char *space)
{
    json_t *x = json_object();
    json_put(x, "name", json_text(name));
    json_put(x, "type", json_text(type));
    json_put(x, "space", json_string(space));
    return x;
}

static Node *bytes_of(Session *cx, Node *count, Node *type)
{
    Scalar s;
    int64_t lanes = 1;
    if (type_is_vec(type, &lanes)) type = type_lane(type);
    int64_t size = type_is_scalar(type, &s) ? scalar_info[s].size : 8;
    return nat_mul(cx, count, nat_const(cx, size * lanes));
}

static const char *array_text(Session *cx, Node *count, const char *type)
{
    Text t = text_new(cx->arena);
    text_char(&t, '[');
    nat_print(&t, count, 0);
    text_printf(&t, "]%s", type);
    return text_get(&t);
}

static void add_parameters(Session *cx, const LoopEntry *e, json_t *buffers)
{
    for (int i = 0; i < e->params.len; i++) {
        const LoopParam *p = &e->params.at[i];
        Text type = text_new(cx->arena);
        for (int k = 0; k < p->rank; k++) {
            text_char(&type, '[');
            nat_print(&type, p->dims[k], 0);
            text_char(&type, ']');
        }
        text_put(&type, scalar_info[p->scalar].text);
        json_t *x = json_buffer(p->name->text, text_get(&type), p->output ? "result" : "input");
        json_put(x, "bytes",
                 page_size(nat_mul(cx, p->count, nat_const(cx, scalar_info[p->scalar].size))));
        json_array_append_new(buffers, x);
    }
}

static void add_placement(const Work *w, const LoopPlacement *p, json_t *buffers)
{
    Session *cx = w->cx;
    const char *type = p->count ? array_text(cx, p->count, type_show(cx, p->type))
                                : "the workspace of the function";
    json_t *x = json_buffer(p->name->text, type, p->output ? "in a result" : "workspace");
    json_put(x, "bytes", page_size(p->bytes));
    json_put(x, "from", json_integer(p->from));
    json_put(x, "to", json_integer(p->to));
    json_put(x, "first", json_line_of(w, p->first));
    json_put(x, "last", json_line_of(w, p->last));
    if (p->at) json_put(x, "at", page_size(nat_mul(cx, p->at, nat_const(cx, LOOPS_LINE))));
    if (p->output) json_put(x, "result", json_text(p->output->text));
    if (p->each) json_put(x, "each_thread", json_true());
    json_array_append_new(buffers, x);
}

// Arrays that are not in the workspace: on the stack, on the heap, or in the memory of a device.
static void add_others(const Work *w, const LoopEntry *e, json_t *buffers)
{
    Session *cx = w->cx;
    Stmts all = e->body ? loops_all(cx, e->body, IS_DECL) : (Stmts){0};
    for (int i = 0; i < all.len; i++) {
        Node *a = all.at[i];
        if (a->kind != LOOP_ALLOC || loops_is_placed(a)) continue;
        const char *space = e->kernel ? "device" : loops_is_heap(a) ? "heap" : "stack";
        json_t *x = json_buffer(a->attr.sym->text,
                                array_text(cx, a->op[1], type_show(cx, a->op[0])), space);
        json_put(x, "bytes", page_size(bytes_of(cx, a->op[1], a->op[0])));
        json_put(x, "first", json_line_of(w, a->origin));
        json_array_append_new(buffers, x);
    }
}

static json_t *json_function(const Work *w, const LoopEntry *e)
{
    json_t *one = json_object(), *buffers = json_array();
    json_put(one, "name", json_text(e->name->text));
    json_put(one, "kernel", json_boolean(e->kernel));
    if (e == w->loop) add_parameters(w->cx, e, buffers);
    for (int i = 0; i < e->placements.len; i++) add_placement(w, &e->placements.at[i], buffers);
    add_others(w, e, buffers);
    json_put(one, "buffers", buffers);
    json_put(one, "workspace",
             page_size(nat_mul(w->cx, loops_max_workspace_lines(w->cx, e->workspace),
                               nat_const(w->cx, LOOPS_LINE))));
    return one;
}

json_t *page_plan(const Work *w)
{
    json_t *functions = json_array();
    for (int i = -1; i < w->loop->callees.len; i++) {
        const LoopEntry *e = i < 0 ? w->loop : w->loop->callees.at[i];
        json_t *one = json_function(w, e);
        if (i < 0 || json_array_size(json_object_get(one, "buffers")) > 0)
            json_array_append_new(functions, one);
        else
            json_decref(one);
    }
    return functions;
}
