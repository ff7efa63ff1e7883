// Temporary arrays: on the stack, in the function's workspace, or on the heap.
#include "emit/code/code.h"

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

void memory_find_slots(Emitter *e, Node *body)
{
    Stmts all = loops_all(e->cx, body, IS_DECL | IS_CALL);
    e->slots = map_new(e->arena);
    e->mixed_bools = map_new(e->arena);
    for (int i = 0; i < all.len; i++) {
        Node *s = all.at[i];
        if (loops_is_placed(s)) note_slot(e, s->op[2], s->op[0]);
        if (s->kind != LOOP_CALL) continue;
        const LoopEntry *f = function_of(e, s->attr.sym)->entry;
        if (loops_passes_workspace(f, s)) note_slot(e, s->op[f->params.len]->op[0], NULL);
    }
}

void memory_find_pointers(Emitter *e, Node *body)
{
    Stmts all = loops_all(e->cx, body, IS_DECL);
    Map placed = map_new(e->arena);
    e->pointers = map_new(e->arena);
    e->mixed_pointers = false;
    for (int i = 0; i < all.len; i++) {
        Node *s = all.at[i];
        if (loops_is_placed(s)) map_put(&placed, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s);
        if (s->kind != LOOP_POINTER) continue;
        Node *alloc = map_get(&placed, MAP_KEY(s->op[1]->attr.sym));
        const CSlot *slot = alloc ? map_get(&e->slots, MAP_KEY(alloc->op[2])) : NULL;
        map_put(&e->pointers, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s);
        e->mixed_pointers |= slot && (slot->mixed || alloc->variant != VARIANT_PART);
    }
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

// In field mode, elements are wider than floats, so all sizes and offsets are multiplied by WIDER.
enum { WIDER = 4 };

Node *memory_lines(const Emitter *e, Node *lines)
{
    return e->options->field ? nat_mul(e->cx, lines, nat_const(e->cx, WIDER)) : lines;
}

static const char *place(Emitter *e, const char *section, Node *at)
{
    support_need(e, section);
    const char *workspace = names_use(e, e->workspace);
    return arena_printf(e->arena, "adze_%s(%s, %s)", section, workspace,
                        size_text(e, memory_lines(e, at), PREC_TERNARY));
}

// Only bool needs a cast: gcc accepts pointers to the other may_alias scalar types without one.
const char *memory_cast(const Emitter *e, Sym array)
{
    return map_get(&e->mixed_bools, MAP_KEY(array)) ? "(bool *)" : "";
}

const char *memory_of_call(Emitter *e, Node *at)
{
    const CSlot *slot = map_get(&e->slots, MAP_KEY(at));
    return slot->name ? slot->name : place(e, "place_in", at);
}

// Returns the may_alias variant of a scalar type, for memory that holds values of another type at
// other times. C forbids accesses to such memory through the plain type.
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

// Declares an array in the workspace. The first VARIANT_PART array of a slot is a `restrict`
// pointer to what adze_part_of returns. The other arrays of the slot are derived from that pointer,
// so that C assumes that they may alias it.
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
    hold_array(e, s);
}

// --- allocations --------------------------------------------------------------------------------

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
    // with this alignment, no vector of the array crosses a cache line
    bool vectors = map_get(&e->in_vectors, MAP_KEY(s->attr.sym)) != NULL;
    // C has no empty arrays, so an empty array gets one element; it is initialised, since C
    // compilers would otherwise warn where its address is passed on
    emit_line(e, "%s%s %s[%lld]%s;", vectors ? "_Alignas(64) " : "",
              emit_ctype(e, emit_scalar_of(s->op[0])), declared_name(e, s),
              (long long)(count > 0 ? count : 1), count > 0 ? "" : " = {0}");
    map_put(&e->arrays, MAP_KEY(s->attr.sym), e);
    map_put(&e->lengths, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s->op[1]);
}

void emit_allocation(Emitter *e, Node *s)
{
    if (e->kernel && map_get(&e->shared, MAP_KEY(s->attr.sym))) return; // declared before
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
    const char *status =
        emit_fault(e, E0606, s->origin, "not enough memory for a temporary array", NULL);
    emit_fail_if(e, arena_printf(e->arena, "!%s", name), status);
    hold_array(e, s);
    if (!memory_is_of_frame(e, s)) vec_push(e->arena, &e->open, s);
}
