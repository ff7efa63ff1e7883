// Functions of the host with arrays that kernels access. Each is two functions in C: the outer one
// drops what the inner one has held. That of an entry also holds the arguments, and updates the
// results.
#include "emit/code/code.h"

static void hold_argument(Emitter *e, const LoopParam *p)
{
    if (p->record || !map_get(&e->passed, MAP_KEY(p->name))) return;
    const char *name = names_use(e, p->name);
    emit_line(e, "adze_device_hold(%s, %s, sizeof *%s, %s);", name, saturating_text(e, p->count),
              name, p->output ? "ADZE_NEITHER" : "ADZE_HOST");
}

// Emits the update of the results after a call that succeeded.
static void update_results(Emitter *e, const LoopEntry *entry)
{
    Text all = text_new(e->arena);
    for (int i = 0; i < entry->params.len; i++) {
        const LoopParam *p = &entry->params.at[i];
        if (map_get(&e->held, MAP_KEY(p->name)))
            text_printf(&all, "%s!%s", all.len ? " || " : "", update_text(e, p->name, false));
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
    if (f->is_entry)
        for (int i = 0; i < f->entry->params.len; i++) hold_argument(e, &f->entry->params.at[i]);
    else
        emit_line(e, "int %s = adze_device_memory.count;", held);
    emit_line(e, "int status = %s(%s);", inner.name, emit_arguments(e, f));
    if (f->is_entry) update_results(e, f->entry);
    emit_line(e, "adze_device_drop_from(%s);", f->is_entry ? "0" : held);
    emit_line(e, "return status;");
    text_put(source, "}\n");
}

bool device_is_around(Emitter *e, const CFunction *f)
{
    if (e->kernel || f->opened || !is_around_kernels(f)) return false;
    if (f->is_entry) return true;
    Stmts decls = loops_all(e->cx, f->entry->body, IS_DECL);
    find_passed(e, f->entry->body);
    for (int i = 0; i < decls.len; i++)
        if (decls.at[i]->kind == LOOP_ALLOC && map_get(&e->passed, MAP_KEY(decls.at[i]->attr.sym)))
            return true;
    return false;
}
