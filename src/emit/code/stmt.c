// Statements of an entry's body.
#include "emit/code/code.h"

#include <string.h>

// --- assignments --------------------------------------------------------------------------------

// Whether an integer local is never negative.
static bool is_natural(const Emitter *e, Node *decl)
{
    uint64_t name = MAP_KEY(decl->attr.sym);
    if (map_get(&e->changed, name)) return map_get(&e->naturals, name) != NULL;
    Node *value = decl->op[1];
    return value->kind == CORE_NAT && nat_ge0(e->cx, e->facts, value->op[0]) == TRUTH_YES;
}

// Whether the value is cast from an integer type whose values fit in an i32.
static bool is_small_value(Node *value)
{
    Scalar s;
    if (value->kind != CORE_CAST || !type_is_scalar(value->op[0]->type, &s)) return false;
    int bits = scalar_info[s].size * 8;
    return scalar_info[s].class == CLASS_INT    ? bits <= 32
           : scalar_info[s].class == CLASS_UINT ? bits < 32
                                                : false;
}

static void declaration(Emitter *e, Node *s)
{
    Node *type = s->op[0];
    bool vector = type->kind == TYPE_VEC;
    bool integer = !vector && emit_scalar_of(type) == SCALAR_I64;
    if (integer && !map_get(&e->changed, MAP_KEY(s->attr.sym)) && is_small_value(s->op[1]))
        map_put(&e->small, MAP_KEY(s->attr.sym), e);
    const char *value = loops_is_nothing(s->op[1])        ? NULL
                        : vector && vec_is_zero(s->op[1]) ? vec_local_zero(e, s->attr.sym)
                        : vector && !e->kernel ? vec_local_value(e, s->attr.sym, s->op[1])
                                               : expr_text(e, s->op[1], PREC_TERNARY);
    const char *name = declared_name(e, s);
    if (type->kind == TYPE_IDX)
        facts_range(e->facts, s->attr.sym, nat_const(e->cx, 0), type->op[0]);
    else if (integer && !is_natural(e, s))
        facts_range(e->facts, s->attr.sym, nat_const(e->cx, INT64_MIN / 4), NULL);
    const char *ctype = vector && e->kernel ? vec_kernel_type(e, type)
                        : vector            ? vec_local_ctype(e, s->attr.sym, type)
                        : integer           ? emit_position_ctype(e, s->attr.sym)
                                            : emit_ctype(e, emit_scalar_of(type));
    // C compilers do not see that a result is not read after a call that failed
    if (!value && !vector && map_get(&e->addressed, MAP_KEY(s->attr.sym)))
        value = emit_scalar_of(type) == SCALAR_BOOL ? "false" : "0";
    if (value)
        emit_line(e, "%s %s = %s;", ctype, name, value);
    else
        emit_line(e, "%s %s;", ctype, name);
}

// Writes x += y if the value is x + y and C's operator has the same meaning.
static bool update(Emitter *e, const char *target, Node *value, bool (*reads)(Node *, Node *),
                   Node *place)
{
    if (value->kind != CORE_PRIM || value->nops != 2 || !reads(value->op[0], place)) return false;
    Scalar s = emit_scalar_of(type_lane(value->type));
    Prim op = (Prim)value->attr.i;
    bool arithmetic = op == PRIM_ADD || op == PRIM_SUB || op == PRIM_MUL || op == PRIM_DIV;
    bool plain = scalar_info[s].class == CLASS_FLOAT
                     ? !e->options->field && s != SCALAR_F16
                     : scalar_info[s].class == CLASS_UINT && op != PRIM_DIV;
    bool promoted = op == PRIM_MUL && s == SCALAR_U16; // u16 is promoted to int, which may overflow
    if (!arithmetic || !plain || promoted) return false;
    Node *by = value->op[1];
    if (by->kind == LOOP_SPLAT && scalar_info[s].size >= 4) by = by->op[0]; // C broadcasts scalars
    emit_line(e, "%s %s= %s;", target, prim_info[op].c, expr_text(e, by, PREC_TERNARY));
    return true;
}

static bool reads_local(Node *x, Node *s)
{
    return x->kind == LOOP_VAR && x->attr.sym == s->attr.sym;
}

static bool reads_element(Node *x, Node *s)
{
    return x->kind == LOOP_LOAD && x->attr.sym == s->attr.sym && x->op[0] == s->op[0] &&
           x->type == s->op[1]->type;
}

// Writes i++, or i += n if the new value is the size i + n.
static bool step(Emitter *e, const char *target, Node *s)
{
    if (s->op[0]->kind != CORE_NAT) return false;
    Node *self = nat_var(e->cx, s->attr.sym), *by = nat_sub(e->cx, s->op[0]->op[0], self);
    int64_t k = 0;
    if (!nat_occurs(s->op[0]->op[0], self) || nat_occurs(by, self)) return false;
    bool known = nat_is_const(by, &k) && k > INT64_MIN;
    if (known && (k == 1 || k == -1))
        emit_line(e, "%s%s;", target, k == 1 ? "++" : "--");
    else
        emit_line(e, "%s %s= %s;", target, k < 0 ? "-" : "+",
                  size_text(e, k < 0 ? nat_const(e->cx, -k) : by, PREC_TERNARY));
    return true;
}

// Returns how often the location that the statement updates occurs as a factor in a product of
// integers.
static int times(Node *x, bool (*reads)(Node *, Node *), Node *s)
{
    if (reads(x, s)) return 1;
    if (x->kind == CORE_CAST) return times(x->op[0], reads, s);
    if (x->kind != CORE_PRIM || x->attr.i != PRIM_MUL) return 0;
    return times(x->op[0], reads, s) + times(x->op[1], reads, s);
}

static bool is_power(Node *n, Sym name)
{
    if (n->kind == NAT_POW) return n->op[0]->kind == NAT_VAR && n->op[0]->attr.sym == name;
    for (uint32_t i = 0; n->kind == NAT_PRODUCT && i < n->nops; i++)
        if (is_power(n->op[i], name)) return true;
    return false;
}

// Returns the value that a statement assigns. gcc 12 miscompiles a = a*a as a reduction when it
// vectorises; an opaque copy of the product prevents this.
static const char *new_value(Emitter *e, Node *value, bool (*reads)(Node *, Node *), Node *s)
{
    Scalar k = emit_scalar_of(value->type);
    bool square =
        value->kind == CORE_NAT ? is_power(value->op[0], s->attr.sym) : times(value, reads, s) > 1;
    if (!square || scalar_info[k].class == CLASS_FLOAT) return expr_text(e, value, PREC_TERNARY);
    const char *name = arena_printf(e->arena, "opaque_%s", scalar_info[k].text);
    support_need(e, name);
    return arena_printf(e->arena, "adze_%s(%s)", name, expr_text(e, value, PREC_ANY));
}

static void set(Emitter *e, Node *s)
{
    const char *name = names_use(e, s->attr.sym);
    if (step(e, name, s)) return;
    if (update(e, name, s->op[0], reads_local, s)) return;
    bool vector = s->op[0]->type && s->op[0]->type->kind == TYPE_VEC;
    emit_line(e, "%s = %s;", name,
              vector ? vec_local_value(e, s->attr.sym, s->op[0])
                     : new_value(e, s->op[0], reads_local, s));
}

static void store(Emitter *e, Node *s)
{
    bool vector = s->op[1]->type->kind == TYPE_VEC;
    if (vector && e->kernel) {
        vec_kernel_store(e, s);
        return;
    }
    const char *target = vector ? vec_place(e, s) : place_text(e, s->attr.sym, s->op[0]);
    if (update(e, target, s->op[1], reads_element, s)) return;
    emit_line(e, "%s = %s;", target,
              vector ? vec_value(e, s->op[1]) : new_value(e, s->op[1], reads_element, s));
}

// Writes a store. Of the work-items of a group, which all execute it, one stores to memory that the
// others see.
static void store_once(Emitter *e, Node *s)
{
    bool alone =
        map_get(&e->arrays, MAP_KEY(s->attr.sym)) && !map_get(&e->shared, MAP_KEY(s->attr.sym));
    bool once = e->kernel && kernel_is_of_group(e) && !alone;
    if (once) emit_line(e, "if (get_local_id(0) == 0)");
    e->indent += once;
    store(e, s);
    e->indent -= once;
}

// --- pointers -----------------------------------------------------------------------------------

static void pointer(Emitter *e, Node *s)
{
    Scalar scalar = emit_scalar_of(s->op[0]);
    bool bools = e->mixed_pointers && scalar == SCALAR_BOOL;
    const char *type = memory_type(e, scalar), *to = address_text(e, s->op[1]);
    const char *cast = bools ? arena_printf(e->arena, "(%s *)", type) : "";
    emit_line(e, "%s *%s = %s%s;", type, declared_name(e, s), cast, to);
    hold_array(e, s);
    if (bools) map_put(&e->mixed_bools, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s->attr.sym);
}

// Writes `t = a; a = b; b = t;`.
static void rotate(Emitter *e, Node *s)
{
    Sym kept = sym_fresh(e->cx->syms, "t");
    Node *decl = map_get(&e->pointers, MAP_KEY(s->op[0]->attr.sym));
    const char *first = names_use(e, s->op[0]->attr.sym);
    vec_push(e->arena, &e->bound, kept);
    const char *name = names_declare(e, kept, true);
    emit_line(e, "%s *%s = %s;", memory_type(e, emit_scalar_of(decl->op[0])), name, first);
    for (uint32_t i = 0; i < s->nops; i++) {
        bool last = i + 1 == s->nops;
        emit_line(e, "%s = %s;", names_use(e, s->op[i]->attr.sym),
                  last ? name : names_use(e, s->op[i + 1]->attr.sym));
    }
}

// --- results ------------------------------------------------------------------------------------

// Writes the last statement of the function as a `return`. Returns false if it does not assign the
// result.
static bool emit_result(Emitter *e, Node *s)
{
    if (!e->returns) return false;
    if (s->kind == LOOP_CALL) {
        Sym to = call_result(e, s);
        if (!to || !emit_is_result(e, to)) return false;
        emit_call(e, s, "return");
        return true;
    }
    if (s->kind != LOOP_STORE || !emit_is_result(e, s->attr.sym)) return false;
    emit_line(e, "return %s;", expr_text(e, s->op[1], PREC_ANY));
    return true;
}

// --- branches -----------------------------------------------------------------------------------

// Writes `if (CONDITION) break;`, if possible.
static bool short_branch(Emitter *e, Node *s, const char *condition, const Place *place)
{
    if (s->op[1]->kind != LOOP_JUMP || !loops_is_empty(s->op[2])) return false;
    const char *jump = jump_text(e, s->op[1], place);
    if (!jump) return false;
    if (*jump && strlen(condition) + strlen(jump) + 5 + 4 * (size_t)e->indent > LINE_WIDTH)
        return false;
    if (*jump) emit_line(e, "if (%s) %s", condition, jump);
    return true;
}

// Writes `if (CONDITION) return x;`, followed by the other branch.
static void returning_branch(Emitter *e, Node *s, const char *condition, const Place *place)
{
    Node *then = s->op[1];
    bool is_result = then->kind == LOOP_STORE && emit_is_result(e, then->attr.sym);
    const char *value = is_result ? expr_text(e, then->op[1], PREC_ANY) : NULL;
    if (value && strlen(condition) + strlen(value) + 13 + 4 * (size_t)e->indent <= LINE_WIDTH) {
        emit_line(e, "if (%s) return %s;", condition, value);
    } else {
        emit_line(e, "if (%s) {", condition);
        emit_body(e, then, place);
        emit_line(e, "}");
    }
    emit_stmt(e, s->op[2], place);
}

// Writes an arm of an `if`. If its memory is planned separately, the arm has its own slots.
static void arm(Emitter *e, Node *s, const Place *place)
{
    Map slots = e->slots;
    if (memory_is_arm(e, s)) memory_find_slots(e, s);
    emit_body(e, s, place);
    e->slots = slots;
}

static void branch(Emitter *e, Node *s, const Place *place)
{
    const char *condition = expr_text(e, s->op[0], PREC_ANY);
    if (short_branch(e, s, condition, place)) return;
    if (e->returns && places_end(place)) { // both branches return
        returning_branch(e, s, condition, place);
        return;
    }
    emit_line(e, "if (%s) {", condition);
    arm(e, s->op[1], place);
    for (s = s->op[2]; s->kind == LOOP_IF; s = s->op[2]) {
        emit_line(e, "} else if (%s) {", expr_text(e, s->op[0], PREC_ANY));
        arm(e, s->op[1], place);
    }
    if (!loops_is_empty(s)) {
        emit_line(e, "} else {");
        arm(e, s, place);
    }
    emit_line(e, "}");
}

// --- blocks -------------------------------------------------------------------------------------

// Frees the buffers of a block at its end, unless control never reaches that end.
static void free_buffers(Emitter *e, Node *s, const Place *place)
{
    bool left = loops_leaves(s) || (s->nops > 0 && is_tail_call(e, s->op[s->nops - 1], place));
    for (uint32_t i = s->nops; i-- > 0;) {
        Node *inner = s->op[i];
        if (!loops_is_heap(inner) || memory_is_of_frame(e, inner)) continue;
        if (!left) emit_free(e, inner);
        e->open.len--;
    }
}

static void put_table(Emitter *e, Node *decl, int64_t length, const Text *values)
{
    Scalar type = emit_scalar_of(decl->op[0]);
    // literals of these types may be calls; OpenCL C has no static variables
    bool calls = e->options->field || type == SCALAR_F16 || e->kernel;
    if (is_ignored(e, decl->attr.sym)) return;
    emit_line(e, "%sconst %s %s[] = {%s};", calls ? "" : "static ", emit_ctype(e, type),
              declared_name(e, decl), text_get(values));
    map_put(&e->lengths, MAP_KEY(decl->attr.sym), (void *)(uintptr_t)nat_const(e->cx, length));
}

static const char *constant_text(Emitter *e, Node *x)
{
    e->is_static = true;
    const char *text = expr_text(e, x, PREC_TERNARY);
    e->is_static = false;
    return text;
}

static void constant_table(Emitter *e, Node *s)
{
    Text values = text_new(e->arena);
    for (uint32_t k = 0; k < s->op[1]->nops; k++)
        text_printf(&values, "%s%s", k ? ", " : "", constant_text(e, s->op[1]->op[k]));
    put_table(e, s, s->op[1]->nops, &values);
}

// Writes the declaration of t[2] and the following `t[0] = a; t[1] = b;` as a constant table, if
// all values are literals and nothing else is stored to t. Returns the number of statements
// written, or 0.
static uint32_t table(Emitter *e, Node *s, uint32_t at)
{
    Node *alloc = s->op[at];
    int64_t count, position;
    uint32_t n = loops_table(s, at);
    if (n == 0 || !nat_is_const(alloc->op[1], &count) || count != n) return 0;
    for (uint32_t k = 1; k <= n; k++)
        if (!nat_is_const(s->op[at + k]->op[0], &position) || position != k - 1) return 0;
    Text values = text_new(e->arena);
    for (uint32_t k = 1; k <= count; k++)
        text_printf(&values, "%s%s", k > 1 ? ", " : "", constant_text(e, s->op[at + k]->op[1]));
    put_table(e, alloc, count, &values);
    return (uint32_t)count + 1;
}

// Whether any statement of the block from index `at` on uses the local.
static bool is_read(Emitter *e, Sym local, Node *block, uint32_t at)
{
    for (; at < block->nops; at++)
        if (loops_uses(e->cx, block->op[at], local)) return true;
    return false;
}

// Writes `decl x; x = f(..)` as one line, and ignores a result that is never read.
static bool declared_by_call(Emitter *e, Node *block, uint32_t at)
{
    Node *decl = block->op[at], *next = block->op[at + 1];
    if (decl->kind != LOOP_DECL || !loops_is_nothing(decl->op[1]) || next->kind != LOOP_CALL)
        return false;
    if (call_result(e, next) != decl->attr.sym || is_ignored(e, decl->attr.sym)) return false;
    Scalar type = emit_scalar_of(decl->op[0]);
    if (type == SCALAR_I64)
        facts_range(e->facts, decl->attr.sym, nat_const(e->cx, INT64_MIN / 4), NULL);
    if (!is_read(e, decl->attr.sym, block, at + 2))
        emit_call(e, next, "");
    else
        emit_call(e, next,
                  arena_printf(e->arena, "%s %s", emit_ctype(e, type), declared_name(e, decl)));
    return true;
}

// Writes an allocation, but not for memory that only receives call results that are never read. If
// there are also other stores to such memory, it is allocated and then cast to void, so that C
// compilers do not warn that it is never read.
static void allocation(Emitter *e, Node *s)
{
    bool ignored = !loops_is_heap(s) && is_ignored(e, s->attr.sym);
    bool stored = ignored && loops_has_named(e->frame->body, IS_STORE, s->attr.sym);
    if (!ignored || stored) emit_allocation(e, s);
    if (stored) emit_line(e, "(void)%s;", names_use(e, s->attr.sym));
}

// Writes several statements together, starting at index `at`, if possible. Returns their number, or
// 0 if nothing was written.
static uint32_t emit_together(Emitter *e, Node *s, uint32_t at)
{
    uint32_t entries = table(e, s, at);
    if (entries || at + 1 == s->nops) return entries;
    if (declared_by_call(e, s, at)) return 2;
    if (s->op[at + 1]->kind != LOOP_JUMP || at + 2 != s->nops) return 0;
    return jump_ends(e, s->op[at + 1]) && emit_result(e, s->op[at]) ? 2 : 0;
}

static void statements(Emitter *e, Node *s, const Place *place)
{
    static const Place next = {.kind = PLACE_NEXT};
    Facts *outer = e->facts;
    e->facts = facts_new(e->cx, e->arena, outer);
    for (uint32_t i = 0; i < s->nops;) {
        device_update_call(e, s, i);
        uint32_t n = emit_together(e, s, i);
        if (n == 0) emit_stmt(e, s->op[i], i + 1 == s->nops ? place : &next);
        for (n = n ? n : 1; n > 0; n--) device_forget(e, s->op[i++]);
    }
    free_buffers(e, s, place);
    e->facts = outer;
}

static void by_kind(Emitter *e, Node *s, const Place *place)
{
    if (is_tail_call(e, s, place)) {
        emit_tail_call(e, s);
        return;
    }
    if (places_end(place) && emit_result(e, s)) return;
    switch ((Kind)s->kind) {
    case LOOP_BLOCK: statements(e, s, place); return; // names stay in scope until the closing brace
    case LOOP_FOR:
    case LOOP_STRIDED: emit_for(e, s, place); return;
    case LOOP_PARALLEL: emit_parallel(e, s, place); return;
    case LOOP_VECTORIZE: emit_vectorize(e, s, place); return;
    case LOOP_FOREVER: emit_forever(e, s, place); return;
    case LOOP_LABEL: emit_label(e, s, place); return;
    case LOOP_JUMP: emit_jump(e, s, place); return;
    case LOOP_SPAWN: emit_spawn(e, s); return;
    case LOOP_SYNC:
        if (e->kernel)
            emit_line(e, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
        else
            emit_sync(e);
        return;
    case LOOP_CALL: emit_call(e, s, NULL); return;
    case LOOP_PREFETCH: emit_prefetch(e, s); return;
    case LOOP_DECL:
        if (!is_ignored(e, s->attr.sym)) declaration(e, s);
        return;
    case LOOP_SET:
        if (!is_ignored(e, s->attr.sym)) set(e, s);
        return;
    case LOOP_STORE: store_once(e, s); return;
    case LOOP_STORE_WHERE:
    case LOOP_STORE_PACKED:
    case LOOP_SCATTER: emit_masked_store(e, s); return;
    case LOOP_ALLOC: allocation(e, s); return;
    case LOOP_TABLE: constant_table(e, s); return;
    case LOOP_POINTER: pointer(e, s); return;
    case LOOP_ROTATE: rotate(e, s); return;
    case LOOP_IF: branch(e, s, place); return;
    case LOOP_CHECK: emit_require(e, s); return;
    default: CHECK(e->cx, false, "%s is not a statement of Loop IR", kind_info[s->kind].text);
    }
}

void emit_stmt_by_kind(Emitter *e, Node *s, const Place *place)
{
    bool current = e->current;
    Span from = e->from;
    if (s->origin.file) e->from = s->origin;
    if (device_update(e, s)) e->current = true;
    by_kind(e, s, place);
    e->current = current;
    e->from = from;
}
