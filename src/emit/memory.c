// Temporary arrays: on the stack, in the workspace of the function, allocated. And the functions around one that is given a
// workspace: `size_t adze_f_workspace(sizes)` tells how large it is, `adze_f` allocates it, calls, and frees it on the one way back.
#include "emit/internal.h"

// --- the workspace ------------------------------------------------------------------------------

static void note_slot(Emitter *e, Node *at, Node *type)
{
    CSlot *slot = map_get(&e->slots, MAP_KEY(at));
    if (!slot) {
        slot = ARENA_NEW(e->arena, CSlot);
        *slot = (CSlot){.type = type};
        map_put(&e->slots, MAP_KEY(at), slot);
    }
    slot->arrays++;
    slot->mixed |= slot->type != type;
}

static void find_slots(Emitter *e, Node *s)
{
    if (loops_is_placed(s)) note_slot(e, s->op[2], s->op[0]);
    if (s->kind == LOOP_CALL) {
        const LoopEntry *f = function_of(e, s->attr.sym)->entry;
        if (loops_gives_memory(f, s)) note_slot(e, s->op[f->params.len]->op[0], NULL);
    }
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_slots(e, s->op[i]);
}

void memory_find_slots(Emitter *e, Node *body)
{
    e->slots = map_new(e->arena);
    e->mixed_bools = map_new(e->arena);
    find_slots(e, body);
}

static void find_pointers(Emitter *e, Node *s, Map *placed)
{
    if (loops_is_placed(s)) map_put(placed, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s);
    if (s->kind == LOOP_POINTER) {
        Node *alloc = map_get(placed, MAP_KEY(s->op[1]->attr.sym));
        const CSlot *slot = alloc ? map_get(&e->slots, MAP_KEY(alloc->op[2])) : NULL;
        map_put(&e->pointers, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s);
        e->mixed_pointers |= slot && (slot->mixed || alloc->variant != VARIANT_PART);
    }
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_pointers(e, s->op[i], placed);
}

void memory_find_pointers(Emitter *e, Node *body)
{
    Map placed = map_new(e->arena);
    e->pointers = map_new(e->arena);
    e->mixed_pointers = false;
    find_pointers(e, body, &placed);
}

bool memory_is_arm(const Emitter *e, Node *s)
{
    if (s->kind == LOOP_BLOCK) return s->nops > 0 && memory_is_arm(e, s->op[0]);
    return e->loop_depth == 0 && loops_is_placed(s);
}

void memory_forget_slots(Emitter *e, Node *thread)
{
    for (int i = 0; i < e->slots.len; i++) {
        Node *at = (Node *)(uintptr_t)e->slots.entries[i].key;
        CSlot *slot = e->slots.entries[i].value;
        if (nat_occurs(at, thread)) slot->name = NULL;
    }
}

// In the field floats are wider, so everything is farther apart.
enum { WIDER = 4 };

static Node *scaled(Emitter *e, Node *lines)
{
    return e->options->field ? nat_mul(e->cx, lines, nat_const(e->cx, WIDER)) : lines;
}

static const char *place(Emitter *e, const char *section, Node *at)
{
    support_need(e, section);
    return arena_printf(e->arena, "adze_%s(%s, %s)", section, names_use(e, e->workspace),
                        size_text(e, scaled(e, at), PREC_TERNARY));
}

// To gcc a pointer to a bool that may alias is none to a bool, unlike those of all other scalars.
const char *memory_cast(const Emitter *e, Sym array)
{
    return map_get(&e->mixed_bools, MAP_KEY(array)) ? "(bool *)" : "";
}

const char *memory_of_call(Emitter *e, Node *at)
{
    const CSlot *slot = map_get(&e->slots, MAP_KEY(at));
    return slot->name ? slot->name : place(e, "place_in", at);
}

// A type whose memory may be of another type at other times, which C does not expect of the type itself.
static const char *mixed_type(Emitter *e, Scalar s)
{
    if (e->options->field && scalar_info[s].class == CLASS_FLOAT) s = SCALAR_U64;
    const char *section = arena_printf(e->arena, "any_%s", scalar_info[s].text);
    support_need(e, section);
    return arena_printf(e->arena, "adze_%s", section);
}

const char *memory_type(Emitter *e, Scalar s)
{
    return e->mixed_pointers ? mixed_type(e, s) : emit_ctype(e, s);
}

// What shares memory has the pointer of the first array there, so that C knows. A part is the result of a function that C takes
// to give new memory.
static void placed(Emitter *e, Node *s)
{
    CSlot *slot = map_get(&e->slots, MAP_KEY(s->op[2]));
    bool part = s->variant == VARIANT_PART, mixed = slot->mixed || !part;
    Scalar scalar = emit_scalar_of(s->op[0]);
    const char *type = mixed ? mixed_type(e, scalar) : emit_ctype(e, scalar);
    const char *memory = part && slot->name ? slot->name
                         : part             ? place(e, "part_of", s->op[2])
                                            : place(e, "place_in", s->op[2]);
    bool cast = part && slot->name && slot->mixed, alone = part && slot->arrays == 1;
    const char *name = declared_name(e, s);
    if (mixed && scalar == SCALAR_BOOL)
        map_put(&e->mixed_bools, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s->attr.sym);
    emit_line(e, "%s *%s%s = %s%s;", type, alone ? "restrict " : "", name, cast ? "(void *)" : "",
              memory);
    if (part && !slot->name) slot->name = name;
}

// --- allocations --------------------------------------------------------------------------------

// Memory of the frame's own block is freed with the frame.
bool memory_is_of_frame(const Emitter *e, Node *alloc)
{
    Node *body = e->frame->body;
    for (uint32_t i = 0; body->kind == LOOP_BLOCK && i < body->nops; i++)
        if (body->op[i] == alloc) return true;
    return false;
}

static void on_stack(Emitter *e, Node *s)
{
    int64_t count = 1;
    CHECK(e->cx, nat_is_const(s->op[1], &count), "a stack array of unknown size");
    // vectors of an array then lie in lines of the cache, none across two
    bool vectors = map_get(&e->in_vectors, MAP_KEY(s->attr.sym)) != NULL;
    emit_line(e, "%s%s %s[%lld];", vectors ? "_Alignas(64) " : "",
              emit_ctype(e, emit_scalar_of(s->op[0])), declared_name(e, s),
              (long long)(count > 0 ? count : 1));
    map_put(&e->arrays, MAP_KEY(s->attr.sym), e);
}

void emit_allocation(Emitter *e, Node *s)
{
    if (s->variant == VARIANT_STACK) {
        on_stack(e, s);
        return;
    }
    if (loops_is_placed(s)) {
        placed(e, s);
        return;
    }
    support_need(e, "alloc");
    const char *name = names_use(e, s->attr.sym);
    emit_line(e, "%s = adze_alloc(%s, sizeof *%s);", name, saturating_text(e, s->op[1]), name);
    int status = emit_fault(e, E0606, s->origin, "not enough memory for a temporary array");
    emit_fail_if(e, arena_printf(e->arena, "!%s", name), emit_number(e, status));
    if (!memory_is_of_frame(e, s)) vec_push(e->arena, &e->open, s);
}

// --- the functions around -----------------------------------------------------------------------

// The bytes of so many lines, on a line for each place in them.
static const char *bytes_text(Emitter *e, Node *lines_of_all)
{
    Node *all = scaled(e, lines_of_all);
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

// Ends the function that measures a workspace.
static void return_bytes(Emitter *e, Node *workspace)
{
    Node *lines = loops_lines(workspace);
    if (lines) {
        emit_line(e, "return %s;", loops_may_be_nothing(workspace) ? "0" : bytes_text(e, lines));
        return;
    }
    const char *condition = expr_text(e, workspace->op[0], PREC_ANY);
    if (loops_lines(workspace->op[1]) && loops_may_be_nothing(workspace->op[1])) {
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

// For sizes that the entry refuses it is nothing.
static const char *measure(Emitter *e, Text *source, Text *head, const CFunction *f)
{
    const LoopEntry *entry = f->entry;
    const char *name = names_beside(e, arena_printf(e->arena, "%s_workspace", f->name));
    Text body = text_new(e->arena);
    emit_parameters(e, f);
    text_printf(head, "size_t %s(", name);
    for (int i = 0; i < f->sizes.len; i++)
        text_printf(head, "%sint64_t %s", i ? ", " : "",
                    (const char *)map_get(&e->spelling, MAP_KEY(f->sizes.at[i])));
    text_put(head, f->sizes.len ? ")" : "void)");
    open_function(e, source, head);
    e->out = &body;
    e->facts = facts_new(e->cx, e->arena, NULL);
    e->strides.len = 0;
    e->measuring = true;
    emit_size_checks(e, entry);
    return_bytes(e, entry->workspace);
    e->measuring = false;
    e->out = source;
    emit_found_out(e, f);
    text_put(source, text_get(&body));
    text_put(source, "}\n");
    return name;
}

// A workspace that a call may not need is allocated where it does.
static void allocate(Emitter *e, const LoopEntry *entry, const char *workspace, const char *bytes)
{
    support_need(e, "alloc_workspace");
    int status = emit_fault(e, E0606, entry->span, "not enough memory for the temporary arrays");
    if (!loops_may_be_nothing(entry->workspace)) {
        emit_line(e, "void *%s = adze_alloc_workspace(%s);", workspace, bytes);
        emit_line(e, "if (!%s) return %d;", workspace, status);
        return;
    }
    const char *need = names_declare(e, sym_fresh(e->cx->syms, "bytes"), true);
    emit_line(e, "size_t %s = %s;", need, bytes);
    emit_line(e, "void *%s = %s ? adze_alloc_workspace(%s) : NULL;", workspace, need, need);
    emit_line(e, "if (%s && !%s) return %d;", need, workspace, status);
}

static void allocating(Emitter *e, Text *source, Text *head, CFunction *f, const char *bytes)
{
    emit_parameters(e, f);
    emit_signature(e, head, f, f->is_entry ? "" : "static ");
    open_function(e, source, head);
    const char *workspace = names_declare(e, e->workspace, true);
    Text door = text_new(e->arena);
    e->out = &door;
    if (f->is_entry) emit_door(e, f);
    e->out = source;
    if (f->is_entry) emit_members(e, f);
    text_put(source, text_get(&door));
    if (!bytes) bytes = bytes_text(e, loops_lines(f->entry->workspace));
    allocate(e, f->entry, workspace, bytes);
    CFunction given = *f;
    given.given = true;
    emit_line(e, "int status = %s(%s);", f->given_name, emit_arguments(e, &given));
    emit_line(e, "free(%s);", workspace);
    emit_line(e, "return status;");
    text_put(source, "}\n");
}

void emit_around_workspace(Emitter *e, Text *source, Text *measured, Text *head, CFunction *f)
{
    const char *bytes = NULL;
    if (f->is_entry) {
        Text sizes = text_new(e->arena);
        const char *name = measure(e, source, measured, f);
        for (int i = 0; i < f->sizes.len; i++)
            text_printf(&sizes, "%s%s", i ? ", " : "", names_use(e, f->sizes.at[i]));
        bytes = arena_printf(e->arena, "%s(%s)", name, text_get(&sizes));
    }
    if (f->is_entry || f->allocates) allocating(e, source, head, f, bytes);
}
