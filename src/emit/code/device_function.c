// Functions of the host with arrays that kernels access. Each is two functions in C: the outer one
// drops what the inner one has held. That of an entry also holds the arguments, and updates the
// results. An entry has a third one, for arrays that are in the memory of the device.
#include "emit/code/code.h"

// The number of elements of an argument that is an array: of records, if they are in C layout.
static Node *count_of(const LoopParam *p)
{
    return p->record ? p->record->count : p->count;
}

// Whether the array has elements with bytes that no member has, which a result keeps.
static bool has_padding(Emitter *e, const LoopParam *p)
{
    return p->record && type_c_is_padded(e->cx, p->record->type);
}

// Whether kernels access the array that the C parameter of `p` is. Of the leaves in one array of
// records, the first stands for the array.
static bool is_passed(const Emitter *e, const LoopEntry *entry, int i)
{
    return emit_has_parameter(entry, i) &&
           map_get(&e->passed, MAP_KEY(emit_name_in_c(&entry->params.at[i])));
}

static void hold_argument(Emitter *e, const LoopEntry *entry, int i)
{
    const LoopParam *p = &entry->params.at[i];
    if (!is_passed(e, entry, i)) return;
    const char *name = names_use(e, emit_name_in_c(p));
    bool undefined = p->output && !has_padding(e, p);
    emit_line(e, "adze_device_hold(%s, %s, sizeof *%s, %s);", name, saturating_text(e, count_of(p)),
              name, undefined ? "ADZE_NEITHER" : "ADZE_HOST");
}

// Emits the update of the results after a call that succeeded.
static void update_results(Emitter *e, const LoopEntry *entry)
{
    Text all = text_new(e->arena);
    for (int i = 0; i < entry->params.len; i++) {
        const LoopParam *p = &entry->params.at[i];
        if ((p->output || p->both) && is_passed(e, entry, i))
            text_printf(&all, "%s!adze_device_result(%s)", all.len ? " || " : "",
                        names_use(e, emit_name_in_c(p)));
    }
    const char *status = emit_fault(e, E0615, entry->span, "the device failed", NULL);
    if (all.len) emit_line(e, "if (!status && (%s)) status = %s;", text_get(&all), status);
}

// Writes the head of a function around another one, and its checks if it is an entry.
static void open_around(Emitter *e, Text *source, Text *head, CFunction *f)
{
    emit_parameters(e, f);
    emit_signature(e, head, f, f->is_entry ? "" : "static ");
    text_put(source, "\n");
    emit_doc_comment(source, f->entry->doc);
    text_printf(source, "%s\n{\n", text_get(head));
    e->out = source;
    e->indent = 1;
    if (f->is_entry) emit_early_checks(e, f);
    e->facts = facts_new(e->cx, e->arena, NULL);
    e->strides.len = 0;
}

void emit_with_device(Emitter *e, Text *source, Text *head, CFunction *f)
{
    CFunction inner = *f;
    Heads own = {.call = text_new(e->arena)};
    inner.opened = true;
    inner.name = names_beside(e, arena_printf(e->arena, "%s_on_host", f->name));
    if (!f->is_entry && !f->known) emit_declaration(e, source, f);
    emit_function(e, source, &own, &inner);
    open_around(e, source, head, f);
    const char *held = names_declare(e, sym_fresh(e->cx->syms, "held"), true);
    emit_line(e, "int %s = adze_device_memory.count;", held);
    for (int i = 0; f->is_entry && i < f->entry->params.len; i++) hold_argument(e, f->entry, i);
    emit_line(e, "int status = %s(%s);", inner.name, emit_arguments(e, f));
    if (f->is_entry) update_results(e, f->entry);
    emit_line(e, "adze_device_drop_from(%s);", held);
    emit_line(e, "return status;");
    text_put(source, "}\n");
}

bool device_is_around(Emitter *e, const CFunction *f)
{
    if (e->kernel || f->opened || !is_around_kernels(f)) return false;
    if (f->is_entry) return true;
    Stmts decls = loops_all(e->cx, f->entry->body, IS_DECL);
    find_passed(e, f);
    for (int i = 0; i < decls.len; i++)
        if (decls.at[i]->kind == LOOP_ALLOC && map_get(&e->passed, MAP_KEY(decls.at[i]->attr.sym)))
            return true;
    return false;
}

// --- arrays on the device -----------------------------------------------------------------------

// Emits the arrays of the caller. Returns their number, and sets *names to their names.
static int emit_lent(Emitter *e, const LoopEntry *entry, const char **names)
{
    Text list = text_new(e->arena), all = text_new(e->arena);
    int n = 0;
    for (int i = 0; i < entry->params.len; i++) {
        const LoopParam *p = &entry->params.at[i];
        if (!device_lends(p) || !emit_has_parameter(entry, i)) continue;
        const char *name = names_use(e, emit_name_in_c(p));
        const char *type = p->record ? struct_name(e, p->record->type) : emit_ctype(e, p->scalar);
        text_printf(&list, "%s\n        {%s, %s, sizeof(%s), %s, NULL}", n ? "," : "", name,
                    saturating_text(e, count_of(p)), type,
                    p->output && !has_padding(e, p) ? "ADZE_NEITHER" : "ADZE_DEVICE");
        text_printf(&all, "%s%s", n++ ? ", " : "", name);
    }
    if (n) text_printf(e->out, "    adze_device_lent lent[] = {%s};\n", text_get(&list));
    *names = text_get(&all);
    return n;
}

// Returns the arguments of the entry: for arrays of the caller the addresses that stand for them.
static const char *host_arguments(Emitter *e, const CFunction *f)
{
    CFunction own = *f;
    own.on = false;
    int n = 0;
    for (int i = 0; i < f->entry->params.len; i++)
        if (device_lends(&f->entry->params.at[i]) && emit_has_parameter(f->entry, i))
            map_put(&e->spelling, MAP_KEY(emit_name_in_c(&f->entry->params.at[i])),
                    arena_printf(e->arena, "lent[%d].host", n++));
    return emit_arguments(e, &own);
}

const char *emit_on(Emitter *e, Text *source, Text *header, const CFunction *f,
                    const char **arguments)
{
    CFunction own = *f;
    Text head = text_new(e->arena);
    const char *names;
    own.on = true;
    own.name = names_beside(e, arena_printf(e->arena, "%s_on", f->name));
    support_need(e, "device_lent");
    open_around(e, source, &head, &own);
    *arguments = emit_arguments(e, &own);
    names_declare(e, session_sym(e->cx, "lent"), true);
    int n = emit_lent(e, f->entry, &names);
    emit_line(e, "adze_device_loan loan = {.arrays = %s, .count = %d%s};", n ? "lent" : "NULL", n,
              f->launches ? "" : ", .on_host = true");
    emit_line(e, "int status = adze_device_begin(&%s, &loan, %s);", e->program,
              names_use(e, e->queue));
    emit_line(e, "if (!status) status = %s(%s);", f->name, host_arguments(e, f));
    emit_line(e, "return adze_device_end(&%s, &loan, status);", e->program);
    text_put(source, "}\n");
    text_printf(header, "// The same on a device, see above%s%s.\n%s;\n",
                n ? "; in its memory: " : "", names, text_get(&head));
    e->device = f->entry->device;
    return text_get(&head);
}

void device_explain_on(Text *header, Device device)
{
    static const char *const queues[] = {
        [DEVICE_OPENCL] = "//   queue: a cl_command_queue, in order\n"
                          "//   arrays: a cl_mem of the context of the queue\n",
        [DEVICE_CUDA] = "//   queue: a CUstream, or NULL for the default stream of the current "
                        "context\n//   arrays: a CUdeviceptr, cast to a pointer\n",
    };
    text_printf(header,
                "//\n// A function NAME_on runs on the device of a queue of the caller. The arrays "
                "that its comment lists\n// are in the memory of the device:\n%s// It may return "
                "before its kernels have run; what follows in the queue runs after them. The "
                "queue\n// and the arrays remain the caller's.\n",
                queues[device]);
}
