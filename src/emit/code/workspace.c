// The functions that accompany a function with a workspace parameter: one returns the size of the
// workspace, and one allocates it.
#include "emit/code/code.h"

// Returns the size in bytes of a workspace of `lines_of_all` lines. If the line count is a sum,
// emits a statement for each of its terms.
static const char *bytes_text(Emitter *e, Node *lines_of_all)
{
    Node *all = memory_lines(e, lines_of_all);
    uint32_t n = all->kind == NAT_SUM ? all->nops : 1;
    support_need(e, "workspace_bytes");
    if (n == 1) return arena_printf(e->arena, "adze_workspace_bytes(%s)", saturating_text(e, all));
    Sym lines = sym_fresh(e->cx->syms, "lines");
    const char *name = names_declare(e, lines, true);
    emit_line(e, "int64_t %s = %s;", name, saturating_text(e, all->op[0]));
    support_need(e, "sat_add");
    for (uint32_t i = 1; i < n; i++)
        emit_line(e, "%s = adze_sat_add(%s, %s);", name, name, saturating_text(e, all->op[i]));
    return arena_printf(e->arena, "adze_workspace_bytes(%s)", name);
}

// Emits the end of the function that measures a workspace.
static void return_bytes(Emitter *e, Node *workspace)
{
    Node *lines = loops_workspace_lines(workspace);
    if (lines) {
        emit_line(e, "return %s;",
                  loops_workspace_may_be_empty(workspace) ? "0" : bytes_text(e, lines));
        return;
    }
    const char *condition = expr_text(e, workspace->op[0], PREC_ANY);
    if (loops_workspace_lines(workspace->op[1]) && loops_workspace_may_be_empty(workspace->op[1])) {
        emit_line(e, "if (%s) return 0;", condition);
        return_bytes(e, workspace->op[2]);
        return;
    }
    emit_line(e, "if (%s) {", condition);
    e->indent++;
    return_bytes(e, workspace->op[1]);
    e->indent--;
    emit_line(e, "}");
    return_bytes(e, workspace->op[2]);
}

static void open_function(Emitter *e, Text *source, const Text *head)
{
    text_printf(source, "\n%s\n{\n", text_get(head));
    e->out = source;
    e->indent = 1;
}

// Writes the function that returns the size of the workspace, which is 0 for sizes that the entry
// rejects. Returns its name.
static const char *measure(Emitter *e, Text *source, Text *head, const CFunction *f)
{
    const LoopEntry *entry = f->entry;
    const char *name = names_beside(e, arena_printf(e->arena, "%s_workspace", f->name));
    Text body = text_new(e->arena);
    emit_parameters(e, f);
    ParameterList list = parameters_begin(head, arena_printf(e->arena, "size_t %s(", name));
    parameters_add_sizes(e, &list, f);
    parameters_end(&list);
    open_function(e, source, head);
    e->out = &body;
    e->facts = facts_new(e->cx, e->arena, NULL);
    e->strides.len = 0;
    e->measuring = true;
    emit_size_checks(e, entry);
    return_bytes(e, entry->workspace);
    e->measuring = false;
    e->out = source;
    emit_entry_constants(e, f);
    text_put(source, text_get(&body));
    text_put(source, "}\n");
    return name;
}

// Emits the allocation of the workspace. A workspace that may be empty is allocated only if it is
// not.
static void allocate(Emitter *e, const LoopEntry *entry, const char *workspace, const char *bytes)
{
    support_need(e, "alloc_workspace");
    const char *status =
        emit_fault(e, E0606, entry->span, "not enough memory for the temporary arrays", NULL);
    if (!loops_workspace_may_be_empty(entry->workspace)) {
        emit_line(e, "void *%s = adze_alloc_workspace(%s);", workspace, bytes);
        emit_line(e, "if (!%s) return %s;", workspace, status);
        return;
    }
    const char *need = names_declare(e, sym_fresh(e->cx->syms, "bytes"), true);
    emit_line(e, "size_t %s = %s;", need, bytes);
    emit_line(e, "void *%s = %s ? adze_alloc_workspace(%s) : NULL;", workspace, need, need);
    emit_line(e, "if (%s && !%s) return %s;", need, workspace, status);
}

static void allocating(Emitter *e, Text *source, Text *head, CFunction *f, const char *bytes)
{
    emit_parameters(e, f);
    emit_signature(e, head, f, f->is_entry ? "" : "static ");
    open_function(e, source, head);
    const char *workspace = names_declare(e, e->workspace, true);
    Text checks = text_new(e->arena);
    e->out = &checks;
    if (f->is_entry) emit_early_checks(e, f);
    e->out = source;
    if (f->is_entry) emit_members(e, f);
    text_put(source, text_get(&checks));
    if (!bytes) bytes = bytes_text(e, loops_workspace_lines(f->entry->workspace));
    allocate(e, f->entry, workspace, bytes);
    CFunction given = *f;
    given.given = true;
    emit_line(e, "int status = %s(%s);", f->given_name, emit_arguments(e, &given));
    emit_line(e, "adze_workspace_free(%s);", workspace);
    emit_line(e, "return status;");
    text_put(source, "}\n");
}

void emit_around_workspace(Emitter *e, Text *source, Text *measured, Text *head, CFunction *f)
{
    const char *bytes = NULL;
    if (f->is_entry) {
        const char *name = measure(e, source, measured, f);
        bytes = arena_printf(e->arena, "%s(%s)", name, sizes_text(e, f));
    }
    if (f->is_entry || f->allocates) allocating(e, source, head, f, bytes);
}
