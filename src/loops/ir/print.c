// Prints Loop IR entries as text:
//
//   (loops gemv [n, m] (a: [n][m]f32, x: [m]f32) : [n]f32
//     (doc "y = A x")
//     (checks (1 <= m))
//     (buffers (in a f32 [n, m]) (in x f32 [m]) (out out f32 [n]))
//     (block ...))
//
// After the sizes in brackets, `with h` names the number of worker threads; `with h, t` also names
// the thread index. The source-level signature is followed by the buffers, one for each scalar
// leaf, with their dimensions. Once memory is planned, the workspace in lines comes next:
// `(workspace 2*((n + 15)/16))` or `(workspace_if CONDITION (workspace n) (workspace 0))`. `in k
// i64` is a scalar, `in i i64 < n` an index below n, and `both x f32` a scalar passed by reference.
// The functions that an entry calls follow it; kernels are `(kernel ...)`, and C functions are
// `(external ...)` without a body.
#include "loops/ir/loops.h"

enum { WIDTH = 100 };

// Returns the names in scope in the body, with their types. A buffer has the type of its elements.
TermScope loops_scope(Session *cx, const LoopEntry *e)
{
    int n = e->params.len;
    Sym *names = ARENA_ARRAY(cx->arena, Sym, n);
    Node **types = ARENA_ARRAY(cx->arena, Node *, n);
    for (int i = 0; i < n; i++) {
        names[i] = e->params.at[i].name;
        types[i] = type_scalar(cx, e->params.at[i].scalar);
    }
    return (TermScope){
        .level = LEVEL_LOOP, .names = names, .types = types, .n = n, .rule = loops_type_rule};
}

static void print_signature(Session *cx, Text *out, const LoopEntry *e)
{
    text_put(out, e->external ? "(external " : e->kernel ? "(kernel " : "(loops ");
    type_print_name(out, e->name);
    for (int i = 0; i < e->sizes.len; i++) {
        text_put(out, i ? ", " : " [");
        type_print_name(out, e->sizes.at[i]);
    }
    if (e->sizes.len) text_char(out, ']');
    if (e->helpers) {
        text_put(out, " with ");
        type_print_name(out, e->helpers);
    }
    if (e->thread) {
        text_put(out, ", ");
        type_print_name(out, e->thread);
    }
    text_put(out, " (");
    for (int i = 0; i < e->nsource; i++) {
        if (i) text_put(out, ", ");
        type_print_name(out, e->source[i].name);
        text_put(out, ": ");
        type_print_full(out, e->source[i].type);
    }
    text_put(out, ") : ");
    type_print_full(out, e->result);
    if (e->doc) {
        text_put(out, "\n  (doc ");
        term_print_string(out, e->doc);
        text_char(out, ')');
    }
    if (e->undefined) text_put(out, "\n  (undefined)");
    if (e->group > 0) text_printf(out, "\n  (group %d)", e->group);
    core_print_checks(cx, out, "checks", &e->checks);
}

static void print_buffer(Text *out, const LoopParam *p)
{
    text_put(out, p->output ? " (out " : p->both ? " (both " : " (in ");
    type_print_name(out, p->name);
    text_printf(out, " %s", scalar_info[p->scalar].text);
    for (int i = 0; i < p->rank; i++) {
        text_put(out, i ? ", " : " [");
        nat_print(out, p->dims[i], 0);
    }
    if (p->rank) text_char(out, ']');
    if (p->idx) {
        text_put(out, " < ");
        nat_print(out, p->idx, 0);
    }
    text_char(out, ')');
}

static void print_workspace(Session *cx, Text *out, Node *workspace, const TermScope *scope,
                            int indent)
{
    Node *lines = loops_workspace_lines(workspace);
    text_printf(out, "\n%*s(workspace", indent, "");
    text_put(out, lines ? " " : "_if ");
    if (lines) {
        nat_print(out, lines, 0);
    } else {
        term_print_in(cx, out, workspace->op[0], scope, indent, WIDTH);
        print_workspace(cx, out, workspace->op[1], scope, indent + 2);
        print_workspace(cx, out, workspace->op[2], scope, indent + 2);
    }
    text_char(out, ')');
}

static void print_entry(Session *cx, Text *out, const LoopEntry *e)
{
    print_signature(cx, out, e);
    text_put(out, "\n  (buffers");
    for (int i = 0; i < e->params.len; i++) print_buffer(out, &e->params.at[i]);
    text_char(out, ')');
    TermScope scope = loops_scope(cx, e);
    if (e->workspace) print_workspace(cx, out, e->workspace, &scope, 2);
    if (e->body) {
        text_put(out, "\n  ");
        term_print_in(cx, out, e->body, &scope, 2, WIDTH);
    }
    text_put(out, ")\n");
}

void loops_print(Session *cx, Text *out, const LoopEntry *e)
{
    print_entry(cx, out, e);
    for (int i = 0; i < e->callees.len; i++) print_entry(cx, out, e->callees.at[i]);
}
