// Code of the host around kernels. Arrays have addresses of the host; the device has copies of
// those that kernels access. Before the host accesses such an array, it gets the newest elements.
#include "emit/code/code.h"

bool is_around_kernels(const CFunction *f)
{
    return f->launches && !f->entry->kernel;
}

static bool launches(Node *s, void *env)
{
    Emitter *e = env;
    if (s->kind != LOOP_CALL || core_print_step_of(s->attr.sym) != PRINT_COUNT) return false;
    const CFunction *f = function_of(e, s->attr.sym);
    return f->launches || f->entry->kernel;
}

// The key of an array in the maps of arrays that kernels access. All leaves of an array of a
// caller's structs have the key of that array, since they are copied together.
static uint64_t device_key(const Emitter *e, Sym name)
{
    Sym record = map_get(&e->record_of, MAP_KEY(name));
    return MAP_KEY(record ? record : name);
}

static bool note_passed(Node *s, void *env)
{
    Emitter *e = env;
    for (uint32_t i = 0; launches(s, e) && i < s->nops; i++)
        if (s->op[i]->kind == LOOP_ADDRESS)
            map_put(&e->passed, device_key(e, s->op[i]->attr.sym), e);
    return false;
}

void find_passed(Emitter *e, const CFunction *f)
{
    Node *body = f->entry->body;
    e->record_of = map_new(e->arena);
    for (int i = 0; i < f->entry->params.len; i++) {
        const LoopParam *p = &f->entry->params.at[i];
        if (p->record) map_put(&e->record_of, MAP_KEY(p->name), (void *)(uintptr_t)p->record->name);
    }
    Stmts decls = loops_all(e->cx, body, IS_DECL);
    Map lines = map_new(e->arena);
    e->passed = map_new(e->arena);
    loops_any(body, note_passed, e);
    for (int i = 0; i < decls.len; i++)
        if (decls.at[i]->kind == LOOP_POINTER) {
            map_put(&e->passed, MAP_KEY(decls.at[i]->attr.sym), e);
            map_put(&e->passed, MAP_KEY(decls.at[i]->op[1]->attr.sym), e);
        }
    for (int i = 0; i < decls.len; i++)
        if (loops_is_placed(decls.at[i]) && map_get(&e->passed, MAP_KEY(decls.at[i]->attr.sym)))
            map_put(&lines, MAP_KEY(decls.at[i]->op[2]), e);
    for (int i = 0; i < decls.len; i++)
        if (loops_is_placed(decls.at[i]) && map_get(&lines, MAP_KEY(decls.at[i]->op[2])))
            map_put(&e->passed, MAP_KEY(decls.at[i]->attr.sym), e);
}

bool device_lends(const LoopParam *p)
{
    return p->rank > 0 && !p->strides && (!p->record || loops_is_record_array(p));
}

void hold_parameters(Emitter *e, const CFunction *f)
{
    e->held = map_new(e->arena);
    e->held_counts = map_new(e->arena);
    e->fresh = map_new(e->arena);
    if (e->kernel || !is_around_kernels(f)) return;
    find_passed(e, f);
    for (int i = 0; i < f->entry->params.len; i++) {
        const LoopParam *p = &f->entry->params.at[i];
        bool written = p->output || p->both;
        // callers may have passed arguments of a function to kernels, or have arrays on the device
        bool lent = f->is_entry && e->options->buffers && device_lends(p);
        if (p->record && !loops_is_record_array(p)) continue;
        if (f->is_entry && !lent && !map_get(&e->passed, device_key(e, p->name))) continue;
        // otherwise the elements of an input of an entry are those of its caller
        if (written || (p->rank > 0 && !f->is_entry) || lent)
            map_put(&e->held, device_key(e, p->name), e);
    }
}

void hold_array(Emitter *e, Node *decl)
{
    if (e->kernel || !is_around_kernels(e->function)) return;
    if (!map_get(&e->passed, MAP_KEY(decl->attr.sym))) return;
    map_put(&e->held, MAP_KEY(decl->attr.sym), e);
    Node *count = decl->kind == LOOP_ALLOC
                      ? decl->op[1]
                      : map_get(&e->held_counts, MAP_KEY(decl->op[1]->attr.sym));
    if (count) map_put(&e->held_counts, MAP_KEY(decl->attr.sym), (void *)(uintptr_t)count);
    if (decl->kind != LOOP_ALLOC) return;
    const char *name = names_use(e, decl->attr.sym);
    emit_line(e, "adze_device_hold(%s, %s, sizeof *%s, ADZE_NEITHER);", name,
              saturating_text(e, decl->op[1]), name);
}

void drop_array(Emitter *e, const char *name)
{
    if (!e->kernel && is_around_kernels(e->function)) emit_line(e, "adze_device_drop(%s);", name);
}

// --- accesses of the host -----------------------------------------------------------------------

typedef struct {
    Emitter *e;
    Node *stmt;
    bool found;
} Update;

const char *update_text(Emitter *e, Sym name, bool writes)
{
    Node *count = map_get(&e->held_counts, MAP_KEY(name));
    const char *array = names_use(e, name);
    if (count)
        return arena_printf(e->arena, "adze_device_part_on_host(%s, %s, sizeof *%s, %s)", array,
                            saturating_text(e, count), array, writes ? "true" : "false");
    return arena_printf(e->arena, "adze_device_on_host(%s, %s)", array, writes ? "true" : "false");
}

static const char *device_fault(Emitter *e)
{
    return emit_fault(e, E0615, e->function->entry->span, "the device failed", NULL);
}

void device_update_argument(Emitter *e, const LoopParam *p)
{
    if (!map_get(&e->held, device_key(e, p->name))) return;
    emit_line(e, "if (!%s) return %s;", update_text(e, p->name, false), device_fault(e));
}

static void update_array_before(Emitter *e, Sym name, bool writes)
{
    uint64_t key = device_key(e, name);
    if (!map_get(&e->held, key) || !map_get(&e->spelling, MAP_KEY(name))) return;
    const void *known = map_get(&e->fresh, key), *written = &e->fresh;
    if (known == written || (known && !writes)) return;
    map_put(&e->fresh, key, writes ? (void *)(uintptr_t)written : e);
    emit_fail_if(e, arena_printf(e->arena, "!%s", update_text(e, name, writes)), device_fault(e));
}

// Emits the update of an array before the statement, which loads from it or stores to it.
static void update_array(Node *access, void *env)
{
    Update *u = env;
    Sym name = access->attr.sym;
    bool writes = loops_is_stmt(u->stmt) && loops_has_named(u->stmt, IS_STORE | IS_ADDRESS, name);
    update_array_before(u->e, name, writes);
}

static void update_arrays(Emitter *e, Node *n)
{
    Update u = {e, n, false};
    Map seen = map_new(e->arena);
    loops_accesses(n, &seen, update_array, &u);
}

void device_update_call(Emitter *e, Node *block, uint32_t at)
{
    Node *next = at + 1 < block->nops ? block->op[at + 1] : NULL;
    bool together = next && block->op[at]->kind == LOOP_DECL && next->kind == LOOP_CALL;
    if (together && !launches(next, e)) device_update(e, next);
}

void device_forget(Emitter *e, Node *s)
{
    if (e->kernel || e->fresh.len == 0) return;
    if (s->kind == LOOP_ROTATE || loops_any(s, launches, e)) e->fresh = map_new(e->arena);
}

bool device_update(Emitter *e, Node *s)
{
    if (e->kernel || e->current || !e->function || !is_around_kernels(e->function)) return false;
    if (s->kind == LOOP_POINTER || s->kind == LOOP_ROTATE || s->kind == LOOP_BLOCK) return false;
    if (!loops_any(s, launches, e)) {
        update_arrays(e, s);
        return true;
    }
    for (; s->kind == LOOP_IF; s = s->op[2]) update_arrays(e, s->op[0]); // else if ..
    return false;
}

static void find_held(Node *access, void *env)
{
    Update *u = env;
    u->found |= map_get(&u->e->held, device_key(u->e, access->attr.sym)) != NULL;
}

bool device_reads(Emitter *e, Node *condition)
{
    Update u = {e, condition, false};
    Map seen = map_new(e->arena);
    if (e->kernel || e->current) return false;
    loops_accesses(condition, &seen, find_held, &u);
    return u.found;
}
