// Kernels: their text in OpenCL C, and the functions of the host that launch them.
#include "emit/code/code.h"
#include "loops/device/device.h"

#include <string.h>

// --- the text of kernels ------------------------------------------------------------------------

Emitter *kernels_new(Emitter *e, Device device)
{
    Emitter *k = ARENA_NEW(e->arena, Emitter);
    *k = (Emitter){.cx = e->cx,
                   .arena = e->arena,
                   .options = e->options,
                   .expr = e->expr,
                   .stmt = e->stmt,
                   .kernel = device,
                   .kernel_text = text_new(e->arena),
                   .function_names = map_new(e->arena),
                   .needs = map_new(e->arena),
                   .saturating = map_new(e->arena),
                   .vectors = map_new(e->arena),
                   .structs = map_new(e->arena),
                   .vector_types = text_new(e->arena),
                   .vector_functions = text_new(e->arena)};
    support_need(k, "kernel");
    if (e->options->field) support_need(k, "field");
    return k;
}

static void device_function(Emitter *e, CFunction *f);

// Whether the kernel updates an array atomically that its groups share.
static bool updates_shared(const Emitter *e, const LoopEntry *kernel, Sym update)
{
    if (kernel->group == 0) return false;
    DeviceGroup g = device_group(e->cx, loops_body(device_loop_of(kernel->body)));
    Stmts calls = loops_all(e->cx, kernel->body, IS_CALL);
    for (int i = 0; i < calls.len; i++)
        if (calls.at[i]->attr.sym == update &&
            map_get(&g.shared, MAP_KEY(calls.at[i]->op[0]->attr.sym)))
            return true;
    return false;
}

// Writes a function that another one calls. OpenCL has an atomic update for each address space.
static void device_callee(Emitter *e, const CFunction *f, CFunction *g)
{
    Emitter *k = e->kernels;
    if (names_claim(k, g->name)) device_function(e, g);
    bool shared = k->kernel == DEVICE_OPENCL && g->atomic != ATOMIC_COUNT &&
                  updates_shared(e, f->entry, g->entry->name);
    if (!shared || !names_claim(k, arena_printf(e->arena, "%s local", g->name))) return;
    k->of_group = true;
    device_function(e, g);
    k->of_group = false;
}

// The integers of a kernel that may have 32 bits: those of a work-item of its group.
static const DevicePositions *positions_of(Emitter *e, const CFunction *f)
{
    const LoopEntry *kernel = f->entry;
    Node *loop = device_loop_of(kernel->body);
    int body = (int)loop->nops - 1;
    if (kernel->group > 0) {
        DeviceGroup g = device_group(e->cx, loop->op[body]);
        loop = node_with_op(e->cx, loop, body, device_with_private(e->cx, &g, loop->op[body]));
    }
    return device_positions(e->cx, kernel, f->sizes.at, f->sizes.len, loop);
}

// Writes a function in OpenCL C, after the functions that it calls. Its failures are among those of
// the entry.
static void device_function(Emitter *e, CFunction *f)
{
    Emitter *k = e->kernels;
    CFunction own = *f;
    Heads heads = {.call = text_new(e->arena)};
    for (int i = 0; i < f->callees.len; i++) device_callee(e, f, function_of(e, f->callees.at[i]));
    own.fails = own.fails && !f->entry->kernel; // a kernel returns nothing
    k->positions = f->entry->kernel ? positions_of(e, f) : NULL;
    k->functions = e->functions;
    k->faults = e->faults;
    k->fault = f->entry->kernel && emit_may_fail(e, f->entry->body)
                   ? sym_fresh(e->cx->syms, "fault")
                   : NULL;
    emit_function(k, &k->kernel_text, &heads, &own);
    k->positions = NULL;
    e->faults = k->faults;
}

// --- launches -----------------------------------------------------------------------------------

static void add_argument(Text *list, size_t *line, const char *item)
{
    bool first = list->len == 0, breaks = list->len - *line + strlen(item) + 10 > LINE_WIDTH;
    if (!first) text_put(list, breaks ? ",\n        " : ", ");
    if (breaks) *line = list->len;
    text_put(list, item);
}

// An argument that is an integer may have 32 bits.
static const char *integer_argument(Emitter *e, const DevicePositions *p, Sym name)
{
    const char *how = map_get(&p->names, MAP_KEY(name)) ? "INDEX" : "VALUE";
    return arena_printf(e->arena, "ADZE_%s(%s)", how, names_use(e, name));
}

// Returns the arguments of a kernel, in the order of its parameters.
static const char *arguments_text(Emitter *e, const CFunction *f, const DevicePositions *positions)
{
    Text list = text_new(e->arena);
    size_t line = 0;
    for (int i = 0; i < f->sizes.len; i++)
        add_argument(&list, &line, integer_argument(e, positions, f->sizes.at[i]));
    for (int i = 0; i < f->entry->params.len; i++) {
        const LoopParam *p = &f->entry->params.at[i];
        const char *name = names_use(e, p->name);
        bool value = p->rank == 0 && !p->both;
        const char *item =
            value && p->scalar == SCALAR_I64 ? integer_argument(e, positions, p->name)
            : value                          ? arena_printf(e->arena, "ADZE_VALUE(%s)", name)
                    : arena_printf(e->arena, "ADZE_%s(%s, %s)", p->both ? "WRITTEN" : "READ", name,
                                   saturating_text(e, p->count));
        add_argument(&list, &line, item);
    }
    return text_get(&list);
}

// Returns the condition that all integers of the kernel that may have 32 bits fit.
static const char *fits_text(Emitter *e, const DevicePositions *p)
{
    Text fits = text_new(e->arena);
    for (int i = 0; i < p->signed_names.len; i++)
        text_printf(&fits, "%s >= 0 && ", names_use(e, p->signed_names.at[i]));
    text_printf(&fits, "adze_device_fits(%s)", saturating_text(e, p->most));
    return text_get(&fits);
}

// Writes the function that launches a kernel, with the parameters of the kernel.
static void launch(Emitter *e, Text *source, const CFunction *f)
{
    Text head = text_new(e->arena);
    Node *loop = device_loop_of(f->entry->body);
    int n = f->sizes.len + f->entry->params.len;
    bool may_fail = emit_may_fail(e, loop);
    const DevicePositions *positions = positions_of(e, f);
    emit_parameters(e, f);
    e->facts = facts_new(e->cx, e->arena, NULL);
    e->strides.len = 0;
    emit_signature(e, &head, f, "static ");
    text_printf(source, "\n%s\n{\n", text_get(&head));
    e->out = source;
    e->indent = 1;
    // a launch of less than 1 does nothing
    bool counted = loops_from(loop) == nat_const(e->cx, 0);
    Node *items = counted ? loops_to(loop) : loops_extent(e->cx, e->facts, loop);
    if (n > 0) {
        emit_line(e, "const adze_device_argument arguments[] = {");
        text_printf(source, "        %s};\n", arguments_text(e, f, positions));
    }
    const char *fits = fits_text(e, positions);
    emit_line(e, "return adze_device_launch(&%s, \"%s\", %s, %s, %d, %d, %s, %s);", e->program,
              f->name, size_text(e, items, PREC_ANY), n > 0 ? "arguments" : "NULL", n,
              f->entry->group, may_fail ? "true" : "false", fits);
    text_put(source, "}\n");
}

void emit_kernel(Emitter *e, Text *source, CFunction *f)
{
    device_function(e, f);
    launch(e, source, f);
}

// --- programs -----------------------------------------------------------------------------------

static void string_literal(Text *out, const char *line, size_t length)
{
    text_put(out, "    \"");
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '"' || line[i] == '\\') text_char(out, '\\');
        text_char(out, line[i]);
    }
    text_put(out, "\\n\",\n");
}

void kernels_write(Emitter *e, Text *out, const LoopEntry *entry)
{
    Text all = text_new(e->arena);
    int n = 0;
    const char *status = emit_fault(e, E0615, entry->span, "the device failed", NULL);
    const char *place = fault_place(e, entry->span);
    if (!e->kernels) {
        text_printf(out, "\nstatic adze_device_program %s = {NULL, 0, %s, \"%s\", NULL};\n",
                    e->program, status, place);
        return;
    }
    support_write(e->kernels, &all);
    text_put(&all, text_get(&e->kernels->vector_types));
    if (e->options->kernels) {
        const char *text = text_get(&e->kernels->kernel_text);
        text_put(e->options->kernels, text + (*text == '\n'));
    }
    text_put(&all, text_get(&e->kernels->kernel_text));
    text_printf(out, "\nstatic const char *const %s_lines[] = {\n", e->program);
    for (const char *line = text_get(&all); *line; n++) {
        size_t length = strcspn(line, "\n");
        string_literal(out, line, length);
        line += length + (line[length] == '\n');
    }
    text_printf(out, "};\nstatic adze_device_program %s = {%s_lines, %d, %s, \"%s\", NULL};\n",
                e->program, e->program, n, status, place);
}
