// Functions: signatures, checks of an entry's arguments, and bodies.
#include "emit/code/code.h"

#include <string.h>

// --- signature ---------------------------------------------------------------------------------

bool emit_has_parameter(const LoopEntry *f, int i)
{
    const LoopParam *p = &f->params.at[i];
    return i == 0 || !p->record || p[-1].record != p->record;
}

Sym emit_name_in_c(const LoopParam *p)
{
    return p->record ? p->record->name : p->name;
}

static const char *record_parameter(Emitter *e, const LoopParam *p)
{
    const LoopRecord *r = p->record;
    const char *name = names_spelled(e, r->name), *type = struct_name(e, r->type);
    if (r->value) return arena_printf(e->arena, "%s %s", type, name);
    return arena_printf(e->arena, "%s%s *restrict %s", p->output || p->both ? "" : "const ", type,
                        name);
}

// Returns the address space of the memory that kernels get, or of what a group shares.
static const char *address_space(const Emitter *e)
{
    return e->kernel != DEVICE_OPENCL ? "" : e->of_group ? "local " : "global ";
}

// Returns the declaration of a parameter. The memory of atomic updates, which other threads may
// change, is not `restrict`.
static const char *parameter(Emitter *e, const CFunction *f, const LoopParam *p)
{
    bool shared = f->atomic != ATOMIC_COUNT;
    if (f->on && device_lends(p))
        return arena_printf(e->arena, "%svoid *%s", p->output || p->both ? "" : "const ",
                            names_spelled(e, emit_name_in_c(p)));
    if (p->record) return record_parameter(e, p);
    const char *type = emit_ctype(e, p->scalar), *name = names_spelled(e, p->name);
    const char *space = address_space(e);
    if (p->scalar == SCALAR_F16 && !e->options->field) support_need(e, "f16");
    if (p->rank == 0 && !p->output && !p->both)
        return arena_printf(e->arena, "%s %s",
                            p->scalar == SCALAR_I64 ? emit_position_ctype(e, p->name) : type, name);
    return arena_printf(e->arena, "%s%s%s *%s%s", space, p->output || p->both ? "" : "const ", type,
                        shared || p->overlaps ? "" : "restrict ", name);
}

static const char *return_type(Emitter *e, const CFunction *f)
{
    if (e->kernel && f->entry->kernel)
        return f->entry->group == 0
                   ? "kernel void"
                   : arena_printf(e->arena, "kernel work_group(%d) void", f->entry->group);
    if (f->fails) return "int";
    if (e->kernel == DEVICE_OPENCL && f->atomic != ATOMIC_COUNT)
        return arena_printf(e->arena, "overloaded %s",
                            f->gives ? emit_ctype(e, result_of(f)->scalar) : "void");
    return f->gives ? emit_ctype(e, result_of(f)->scalar) : "void";
}

ParameterList parameters_begin(Text *out, const char *head)
{
    size_t start = out->len;
    text_put(out, head);
    return (ParameterList){.out = out, .line = start, .margin = out->len - start};
}

void parameters_add(ParameterList *l, const char *parameter)
{
    Text *out = l->out;
    if (l->n) text_char(out, ',');
    if (l->n && out->len - l->line + strlen(parameter) + 2 > LINE_WIDTH) {
        text_printf(out, "\n%*s", (int)l->margin, "");
        l->line = out->len - l->margin;
    } else if (l->n) {
        text_char(out, ' ');
    }
    text_put(out, parameter);
    l->n++;
}

void parameters_add_sizes(Emitter *e, ParameterList *l, const CFunction *f)
{
    for (int i = 0; i < f->sizes.len; i++)
        parameters_add(l, arena_printf(e->arena, "%s %s", emit_position_ctype(e, f->sizes.at[i]),
                                       names_spelled(e, f->sizes.at[i])));
}

void parameters_end(ParameterList *l)
{
    text_put(l->out, l->n ? ")" : "void)");
}

void emit_signature(Emitter *e, Text *out, const CFunction *f, const char *before)
{
    ParameterList list = parameters_begin(
        out, arena_printf(e->arena, "%s%s %s(", before, return_type(e, f), f->name));
    parameters_add_sizes(e, &list, f);
    for (int i = 0; i < f->entry->params.len - f->gives; i++) {
        const KeptParam *kept = tail_kept(f, &f->entry->params.at[i]);
        if (kept)
            parameters_add(&list, arena_printf(e->arena, "const %s *%s",
                                               emit_ctype(e, kept->param->scalar),
                                               names_spelled(e, kept->next)));
        else if (emit_has_parameter(f->entry, i))
            parameters_add(&list, parameter(e, f, &f->entry->params.at[i]));
    }
    if (f->on)
        parameters_add(&list, arena_printf(e->arena, "void *%s", names_spelled(e, e->queue)));
    if (f->given)
        parameters_add(&list,
                       arena_printf(e->arena, "void *restrict %s", names_spelled(e, e->workspace)));
    if (e->kernel && e->fault)
        parameters_add(&list, arena_printf(e->arena, "%sint *%s", address_space(e),
                                           names_spelled(e, e->fault)));
    parameters_end(&list);
}

void emit_parameters(Emitter *e, const CFunction *f)
{
    names_reset(e);
    e->params = map_new(e->arena);
    e->scalars = map_new(e->arena);
    e->arrays = map_new(e->arena);
    e->lengths = map_new(e->arena);
    e->labels = map_new(e->arena);
    for (int i = 0; i < f->callees.len; i++) { // a local must not hide a C function
        const CFunction *g = function_of(e, f->callees.at[i]);
        if (g->entry->external) map_put(&e->taken, MAP_KEY(session_sym(e->cx, g->name)), e);
    }
    for (int i = 0; i < f->sizes.len; i++) {
        bool own = f->sizes.at[i] == e->stack;
        own ? names_declare(e, e->stack, true) : names_parameter(e, f->sizes.at[i]);
    }
    if (f->is_entry && f->entry->helpers) names_declare(e, f->entry->helpers, true);
    if (f->is_entry) names_declare(e, e->stack, true);
    for (int i = 0; i < f->entry->params.len; i++) {
        const LoopParam *p = &f->entry->params.at[i];
        if (emit_has_parameter(f->entry, i)) names_parameter(e, emit_name_in_c(p));
        if (p->record) names_declare(e, p->name, false);
        if (tail_kept(f, p)) names_declare(e, tail_kept(f, p)->next, true);
        map_put(&e->params, MAP_KEY(p->name), (void *)(uintptr_t)p);
    }
    e->workspace = sym_fresh(e->cx->syms, "workspace");
    if (f->given) names_declare(e, e->workspace, true);
    e->queue = sym_fresh(e->cx->syms, "queue");
    if (f->on) names_declare(e, e->queue, true);
    if (e->kernel && e->fault) names_declare(e, e->fault, true);
    hold_parameters(e, f);
}

static void facts_of_parameters(Emitter *e, const LoopEntry *entry)
{
    e->facts = facts_new(e->cx, e->arena, NULL);
    for (int i = 0; i < entry->params.len; i++) { // integers may be negative, unlike sizes
        const LoopParam *p = &entry->params.at[i];
        if (p->scalar == SCALAR_I64 && p->rank == 0)
            facts_range(e->facts, p->name, nat_const(e->cx, p->idx ? 0 : INT64_MIN / 4), p->idx);
    }
}

// --- checks of arguments ------------------------------------------------------------------------

// Writes a comparison. If only one operand is a constant, the constant goes on the right.
static const char *comparison(Emitter *e, const char *op, const char *mirrored, Node *a, Node *b)
{
    bool turned = a->kind == NAT_CONST && b->kind != NAT_CONST;
    const char *left = size_text(e, turned ? b : a, PREC_ADD),
               *right = size_text(e, turned ? a : b, PREC_ADD);
    return arena_printf(e->arena, "%s %s %s", left, turned ? mirrored : op, right);
}

// Emits a test for each divisor in a size, unless `facts` prove it positive, since a size has no
// value if a divisor is 0. Then adds to `facts` that the divisor is positive. If `large` is true, a
// divisor may exceed 64 bits, which is tested only later.
static void emit_divisor_checks(Emitter *e, Facts *facts, Node *size, bool large, DiagCode code,
                                Span span)
{
    Session *cx = e->cx;
    if (!size) return;
    for (uint32_t k = 0; k < size->nops; k++)
        emit_divisor_checks(e, facts, size->op[k], large, code, span);
    if (size->kind != NAT_DIV && size->kind != NAT_MOD) return;
    Node *divisor = size->op[1], *less = nat_sub(cx, divisor, nat_const(cx, 1));
    if (nat_ge0(cx, facts, less) == TRUTH_YES) return;
    Text message = text_new(e->arena);
    text_put(&message, "the size `");
    nat_print(&message, size, 0);
    text_put(&message, "` divides by zero");
    emit_line(e, "if (%s <= 0) return %s;",
              large ? saturating_text(e, divisor) : size_text(e, divisor, PREC_ADD),
              emit_fault(e, code, span, text_get(&message), NULL));
    facts_ge0(facts, less);
}

// Emits tests for the divisors in the sizes of the caller's arrays and in the bounds of index
// arguments.
static void emit_param_divisor_checks(Emitter *e, Facts *facts, const LoopEntry *entry)
{
    for (int i = 0; i < entry->params.len; i++) {
        const LoopParam *p = &entry->params.at[i];
        for (int k = 0; k < p->rank; k++)
            emit_divisor_checks(e, facts, p->dims[k], false, E0607, entry->span);
        emit_divisor_checks(e, facts, p->idx, false, E0607, entry->span);
    }
}

static void emit_size_check(Emitter *e, const SizeCheck *c)
{
    static const char *const broken[] = {[SIZE_EQ] = "!=", [SIZE_LE] = ">", [SIZE_NE] = "=="};
    static const char *const mirrored[] = {[SIZE_EQ] = "!=", [SIZE_LE] = "<", [SIZE_NE] = "=="};
    emit_line(e, "if (%s) return %s;",
              comparison(e, broken[c->relation], mirrored[c->relation], c->left, c->right),
              emit_fault(e, E0604, c->span, size_check_report(e->cx, c, NULL, NULL), c));
}

void emit_size_checks(Emitter *e, const LoopEntry *entry)
{
    Text negative = text_new(e->arena);
    for (int i = 0; i < entry->sizes.len; i++)
        text_printf(&negative, "%s%s < 0", i ? " || " : "", names_use(e, entry->sizes.at[i]));
    if (entry->sizes.len)
        emit_line(e, "if (%s) return %s;", text_get(&negative),
                  emit_fault(e, E0604, entry->span, "a size is negative", NULL));
    Facts *facts = facts_new(e->cx, e->arena, NULL);
    for (int i = 0; i < entry->sizes.len; i++) facts_ge0(facts, nat_var(e->cx, entry->sizes.at[i]));
    Text beyond = text_new(e->arena);
    bool large = emit_may_overflow(e, entry, &beyond);
    for (int i = 0; i < entry->checks.len; i++) {
        const SizeCheck *c = &entry->checks.at[i];
        emit_divisor_checks(e, facts, c->left, large, E0604, c->span);
        emit_divisor_checks(e, facts, c->right, large, E0604, c->span);
    }
    if (large)
        emit_line(
            e, "if (%s) return %s;", text_get(&beyond),
            emit_fault(e, E0607, entry->span, "a size is beyond what 64 bits can count", NULL));
    for (int i = 0; i < entry->checks.len; i++) emit_size_check(e, &entry->checks.at[i]);
    emit_param_divisor_checks(e, facts, entry);
}

// Opens loops over the elements of a caller's array, a single loop if the array is dense. Returns
// the position of the current element.
static Node *loops_over(Emitter *e, const LoopParam *p, Sym *index)
{
    Session *cx = e->cx;
    Node *position = nat_const(cx, 0);
    for (int k = 0; k < (p->strides ? p->rank : 1); k++) {
        index[k] = sym_fresh(cx->syms, "i");
        const char *count = size_text(e, p->strides ? p->dims[k] : p->count, PREC_ADD);
        const char *i = names_declare(e, index[k], true);
        emit_line(e, "for (int64_t %s = 0; %s < %s; %s++)", i, i, count, i);
        e->indent++;
        Node *stride = p->strides ? nat_var(cx, p->strides[k]) : nat_const(cx, 1);
        position = nat_add(cx, position, nat_mul(cx, nat_var(cx, index[k]), stride));
    }
    return position;
}

// Checks all elements before it returns, so that the C compiler vectorises the loop. A negative
// element is a large unsigned number.
static void array_check(Emitter *e, const LoopParam *p, const char *status)
{
    Sym *index = ARENA_ARRAY(e->arena, Sym, p->rank), any = sym_fresh(e->cx->syms, "outside");
    const char *outside = names_declare(e, any, true);
    emit_line(e, "uint64_t %s = 0;", outside);
    Node *position = loops_over(e, p, index);
    const char *at = size_text(e, position, PREC_ADD), *bound = size_text(e, p->idx, PREC_UNARY);
    emit_line(e, "%s |= (uint64_t)%s[%s] >= (uint64_t)%s;", outside, names_use(e, p->name), at,
              bound);
    for (int k = p->strides ? p->rank : 1; k-- > 0;) {
        e->indent--;
        names_forget(e, index[k]);
    }
    emit_line(e, "if (%s) return %s;", outside, status);
}

// Emits bounds checks for arguments of type idx[n] and, if `arrays` is set, for arrays of these,
// since the program assumes that an idx[n] is in range.
static void index_checks(Emitter *e, const LoopEntry *entry, bool arrays)
{
    for (int k = 0; k < entry->params.len; k++) {
        const LoopParam *p = &entry->params.at[k];
        if (!p->idx || p->output || (p->rank && !arrays)) continue;
        const char *status = emit_fault(
            e, E0601, entry->span,
            arena_printf(e->arena, "a value of %s is out of bounds", p->name->text), NULL);
        if (p->rank) {
            device_update_argument(e, p);
            array_check(e, p, status);
            continue;
        }
        const char *bound = size_text(e, p->idx, PREC_ADD), *name = names_use(e, p->name);
        emit_line(e, "if (%s < 0 || %s >= %s) return %s;", name, name, bound, status);
    }
}

// --- bodies ------------------------------------------------------------------------------------

typedef struct {
    Emitter *e;
    Sym result;
    Map labels; // Sym -> Place
} Returns;

static bool accesses(Node *n, Sym name)
{
    if ((n->kind == LOOP_LOAD || n->kind == LOOP_ADDRESS) && n->attr.sym == name) return true;
    for (uint32_t i = 0; i < n->nops; i++)
        if (accesses(n->op[i], name)) return true;
    return false;
}

// Whether a statement assigns the result, and does not read it.
static bool is_assignment(const Returns *r, Node *s)
{
    if (s->kind == LOOP_STORE) return s->attr.sym == r->result && !accesses(s->op[1], r->result);
    if (s->kind != LOOP_CALL || call_result(r->e, s) != r->result) return false;
    for (uint32_t i = 0; i < s->nops; i++)
        if (s->op[i] != result_operand(r->e, s) && accesses(s->op[i], r->result)) return false;
    return true;
}

static bool is_returned(Returns *r, Node *s, const Place *place);

static bool is_block_returned(Returns *r, Node *s, const Place *place)
{
    static const Place next = {.kind = PLACE_NEXT};
    for (uint32_t i = 0; i < s->nops; i++) {
        const Place *after = i + 1 == s->nops ? place : &next;
        Node *then = i + 1 < s->nops ? s->op[i + 1] : NULL;
        bool last = i + 2 == s->nops && then->kind == LOOP_JUMP;
        if (last && is_assignment(r, s->op[i])) {
            const Place *target = map_get(&r->labels, MAP_KEY(then->attr.sym));
            if (!target || !places_end(target)) return false;
        } else if (!is_returned(r, s->op[i], after)) {
            return false;
        }
    }
    return true;
}

// Whether the result is never read, and the function ends after each assignment to it.
static bool is_returned(Returns *r, Node *s, const Place *place)
{
    static const Place next = {.kind = PLACE_ITERATION};
    if (is_assignment(r, s)) return places_end(place);
    switch ((Kind)s->kind) {
    case LOOP_BLOCK: return is_block_returned(r, s, place);
    case LOOP_IF:
        return !accesses(s->op[0], r->result) && is_returned(r, s->op[1], place) &&
               is_returned(r, s->op[2], place);
    case LOOP_LABEL: {
        Place *end = ARENA_NEW(r->e->arena, Place);
        *end = (Place){.kind = PLACE_LABEL, .outer = place, .label = s->attr.sym};
        map_put(&r->labels, MAP_KEY(s->attr.sym), end);
        return is_returned(r, s->op[0], end);
    }
    case LOOP_FOR:
    case LOOP_STRIDED:
    case LOOP_FOREVER: return is_returned(r, loops_body(s), &next);
    case LOOP_STORE: return s->attr.sym != r->result && !accesses(s, r->result);
    default: return !accesses(s, r->result);
    }
}

// Emits the end of the function, if control reaches it.
static void body_end(Emitter *e, const CFunction *f, Node *body)
{
    bool over = loops_leaves(body) || e->returns;
    bool end = frame_has_end(e->frame);
    if (e->frame->exit) text_printf(e->out, "%s:%s\n", e->frame->exit, e->frame->tasks ? ";" : "");
    emit_wait(e);
    if (e->frame->noted) emit_line(e, "if (!status) status = %s;", e->frame->noted);
    for (int i = e->frame->heap.len; i-- > 0;) {
        const char *name = names_use(e, e->frame->heap.at[i]->attr.sym);
        drop_array(e, name);
        emit_line(e, "free(%s);", name);
    }
    tail_loop_free(e);
    if (end)
        emit_line(e, "return status;");
    else if (f->fails)
        emit_line(e, "return 0;");
    else if (f->gives && !over)
        emit_line(e, "return %s;", names_use(e, result_of(f)->name));
}

static Walk find_addressed(Node *n, void *env)
{
    Emitter *e = env;
    if (n->kind == LOOP_ADDRESS) map_put(&e->addressed, MAP_KEY(n->attr.sym), e);
    return node_is_size_or_type(n) ? WALK_OVER : WALK_INTO;
}

static void begin(Emitter *e, CFunction *f)
{
    Map seen = map_new(e->arena);
    const LoopEntry *entry = f->entry;
    e->function = f;
    e->loop = NULL;
    e->open.len = e->strides.len = 0;
    e->loop_depth = 0;
    e->changed = map_new(e->arena);
    e->naturals = map_new(e->arena);
    e->small = map_new(e->arena);
    e->narrow = map_new(e->arena);
    e->addressed = map_new(e->arena);
    loops_changed(entry->body, &e->changed);
    node_walk_once(&seen, entry->body, find_addressed, e);
    vec_find_arrays(e, entry->body);
    e->masks = map_new(e->arena);
    vec_find_masks(e, entry->body);
    for (int i = 0; i < entry->naturals.len; i++)
        map_put(&e->naturals, MAP_KEY(entry->naturals.at[i]), e);
    facts_of_parameters(e, entry);
}

typedef VEC(Node *) Checks;

// Returns the checks among the array declarations at the beginning of the body.
static Checks first_checks(Emitter *e, Node *body)
{
    Checks found = {0};
    if (body->kind == LOOP_CHECK) vec_push(e->arena, &found, body);
    for (uint32_t i = 0; body->kind == LOOP_BLOCK && i < body->nops; i++) {
        Node *s = body->op[i];
        if (s->kind == LOOP_CHECK)
            vec_push(e->arena, &found, s);
        else if (!loops_is_placed(s))
            break;
    }
    return found;
}

void emit_early_checks(Emitter *e, CFunction *f)
{
    const LoopEntry *entry = f->entry;
    Checks checks = first_checks(e, entry->body);
    Frame frame = {0};
    if (entry->checks.len == 0 && checks.len == 0) return;
    begin(e, f);
    e->frame = &frame;
    emit_size_checks(e, entry);
    index_checks(e, entry, false);
    for (int i = 0; i < checks.len; i++) emit_require(e, checks.at[i]);
    e->frame = NULL;
}

static void find_row_lengths(Emitter *e, const LoopEntry *entry)
{
    for (int i = 0; i < entry->params.len; i++)
        for (int k = 1; k < entry->params.at[i].rank; k++)
            strides_add(e, entry->params.at[i].dims[k]);
    Stmts loops = loops_all(e->cx, entry->body, IS_COUNTED);
    for (int i = 0; i < loops.len; i++) strides_add(e, loops_to(loops.at[i]));
}

static void emit_function_body(Emitter *e, CFunction *f)
{
    const LoopEntry *entry = f->entry;
    const Place end = {.kind = PLACE_END};
    Frame frame = {0};
    begin(e, f);
    if (f->atomic != ATOMIC_COUNT) {
        e->indent = 1;
        emit_atomic_body(e, entry, f->atomic);
        return;
    }
    find_row_lengths(e, entry);
    find_ignored(e, entry->body);
    e->indent = 1;
    if (f->is_entry) {
        emit_size_checks(e, entry);
        index_checks(e, entry, true);
    }
    if (f->recursive) // infinite recursion must not crash the process
        emit_line(e, "if (adze_stack_is_deep(%s)) return %s;", names_use(e, e->stack),
                  emit_fault(e, E0612, entry->span,
                             "this function calls itself too deeply for the stack", NULL));
    Returns returns = {e, f->gives ? result_of(f)->name : NULL, map_new(e->arena)};
    e->returns = f->gives && is_returned(&returns, entry->body, &end);
    if (f->gives && !e->returns)
        emit_line(e, "%s %s;", emit_ctype(e, result_of(f)->scalar), names_use(e, returns.result));
    memory_find_slots(e, entry->body);
    memory_find_pointers(e, entry->body);
    frame_open(e, &frame, entry->body);
    if (f->tails.len > 0) {
        emit_tail_loop(e, entry->body, &end);
    } else {
        e->indent = 0;
        emit_body(e, entry->body, &end);
        e->indent = 1;
    }
    body_end(e, f, entry->body);
    e->frame = NULL;
}

// The names of the C parameters.
typedef VEC(Sym) Names;

static Names parameter_names(Emitter *e, const CFunction *f)
{
    Names names = {0};
    for (int i = 0; i < f->sizes.len; i++) vec_push(e->arena, &names, f->sizes.at[i]);
    for (int i = 0; i < f->entry->params.len - f->gives; i++)
        if (tail_kept(f, &f->entry->params.at[i]))
            vec_push(e->arena, &names, tail_kept(f, &f->entry->params.at[i])->next);
        else if (emit_has_parameter(f->entry, i))
            vec_push(e->arena, &names, emit_name_in_c(&f->entry->params.at[i]));
    if (f->given) vec_push(e->arena, &names, e->workspace);
    if (f->on) vec_push(e->arena, &names, e->queue);
    return names;
}

static void unused_parameters(Emitter *e, const CFunction *f)
{
    Names names = parameter_names(e, f);
    for (int i = 0; i < names.len; i++)
        if (!map_get(&e->used, MAP_KEY(names.at[i])))
            emit_line(e, "(void)%s;", names_spelled(e, names.at[i]));
}

static bool is_used(const Emitter *e, Sym name)
{
    return name && map_get(&e->used, MAP_KEY(name));
}

void emit_entry_constants(Emitter *e, const CFunction *f)
{
    if (!f->is_entry) return;
    if (is_used(e, f->entry->helpers) && f->entry->device) {
        emit_line(e, "const int64_t %s = %d;", names_use(e, f->entry->helpers), DEVICE_HELPERS);
    } else if (is_used(e, f->entry->helpers)) {
        support_need(e, "helpers");
        emit_line(e, "const int64_t %s = adze_helpers();", names_use(e, f->entry->helpers));
    }
    if (is_used(e, e->stack)) {
        support_need(e, "stack");
        emit_line(e, "const int64_t %s = adze_stack_end();", names_use(e, e->stack));
    }
}

// Returns the C expression for a leaf of a record: the member that holds it, or the record itself
// if it is the leaf.
static const char *member_of(Emitter *e, const LoopParam *p)
{
    const char *name = names_use(e, p->record->name);
    if (!*p->path) return name;
    return arena_printf(e->arena, "%s%s%s", name, p->record->value ? "." : "->", p->path + 1);
}

void emit_members(Emitter *e, const CFunction *f)
{
    for (int i = 0; i < f->entry->params.len; i++) {
        const LoopParam *p = &f->entry->params.at[i];
        if (!p->record || !is_used(e, p->name)) continue;
        const char *type = emit_ctype(e, p->scalar), *name = names_use(e, p->name),
                   *member = member_of(e, p);
        bool written = p->output || p->both;
        if (p->rank)
            emit_line(e, "%s%s *restrict %s = (%s%s *)%s;", written ? "" : "const ", type, name,
                      written ? "" : "const ", type, member);
        else if (written)
            emit_line(e, "%s *restrict %s = &%s;", type, name, member);
        else
            emit_line(e, "const %s %s = %s;", type, name, member);
    }
}

// Returns the length of a line without trailing backslashes (or `??/`), which would continue the C
// comment.
static int comment_length(const char *line, size_t len)
{
    for (;;) {
        if (len > 0 && strchr("\\ \t\r", line[len - 1]))
            len--;
        else if (len > 2 && strncmp(line + len - 3, "?\?/", 3) == 0)
            len -= 3;
        else
            return (int)len;
    }
}

void emit_doc_comment(Text *out, const char *doc)
{
    for (const char *line = doc; line && *line;) {
        size_t len = strcspn(line, "\n");
        text_printf(out, "// %.*s\n", comment_length(line, len), line);
        line += len + (line[len] == '\n');
    }
}

void emit_declaration(Emitter *e, Text *out, CFunction *f)
{
    emit_parameters(e, f);
    text_put(out, "\n");
    emit_signature(e, out, f, f->entry->external ? "extern " : "static ");
    text_put(out, ";\n");
}

const char *sizes_text(Emitter *e, const CFunction *f)
{
    Text out = text_new(e->arena);
    for (int i = 0; i < f->sizes.len; i++)
        text_printf(&out, "%s%s", i ? ", " : "", names_use(e, f->sizes.at[i]));
    return text_get(&out);
}

const char *emit_arguments(Emitter *e, const CFunction *f)
{
    Text out = text_new(e->arena);
    Names names = parameter_names(e, f);
    for (int i = 0; i < names.len; i++)
        text_printf(&out, "%s%s", i ? ", " : "", names_use(e, names.at[i]));
    return text_get(&out);
}

// Writes an entry with tasks, which starts the team of threads that run the tasks. One of these
// threads runs the body of the entry.
static void emit_team(Emitter *e, Text *source, Text *head, CFunction *f)
{
    const char *name = f->name;
    CFunction inner = *f;
    Heads own = {.call = text_new(e->arena)};
    inner.team = true;
    inner.name = names_beside(e, arena_printf(e->arena, "%s_tasks", name));
    emit_function(e, source, &own, &inner);
    emit_parameters(e, f);
    emit_signature(e, head, f, "");
    text_printf(source, "\n%s\n{\n", text_get(head));
    e->out = source;
    e->indent = 1;
    emit_line(e, "int status;");
    emit_pragma(e, "omp parallel");
    emit_pragma(e, "omp single");
    emit_line(e, "status = %s(%s);", inner.name, emit_arguments(e, f));
    emit_line(e, "return status;");
    text_put(source, "}\n");
}

// Writes a function with a workspace as two C functions: one takes the workspace as a parameter,
// and the other allocates it and calls the first.
static void emit_with_workspace(Emitter *e, Text *source, Heads *heads, CFunction *f)
{
    CFunction inner = *f;
    Heads own = {.call = text_new(e->arena)};
    inner.given = true;
    inner.name = f->given_name;
    if (f->allocates && !f->is_entry && !f->known) emit_declaration(e, source, f);
    emit_function(e, source, &own, &inner);
    heads->given = own.call;
    heads->measure = text_new(e->arena);
    emit_around_workspace(e, source, &heads->measure, &heads->call, f);
}

// C compilers inline a static function that is called once, however long it is. Loops of several
// long functions would then share the registers of one function.
static const char *inlining(const Emitter *e, Text *body, bool is_public)
{
    enum { LONG = 8000 };
    bool is_long = strlen(text_get(body)) > LONG;
    return is_long && !is_public && !e->kernel ? "__attribute__((noinline))\n" : "";
}

void emit_function(Emitter *e, Text *source, Heads *heads, CFunction *f)
{
    if (f->entry->workspace && !f->given) {
        emit_with_workspace(e, source, heads, f);
        return;
    }
    if (device_is_around(e, f)) {
        emit_with_device(e, source, &heads->call, f);
        return;
    }
    if (f->is_entry && f->tasks && !f->team) {
        emit_team(e, source, &heads->call, f);
        return;
    }
    Text body = text_new(e->arena);
    emit_parameters(e, f);
    bool is_public = (f->is_entry && !f->team && !f->opened) || (e->kernel && f->entry->kernel);
    emit_signature(e, &heads->call, f, is_public ? "" : "static ");
    e->out = &body;
    emit_function_body(e, f);
    text_put(source, "\n");
    emit_doc_comment(source, f->entry->doc);
    text_printf(source, "%s%s\n{\n", inlining(e, &body, is_public), text_get(&heads->call));
    e->out = source;
    Text members = text_new(e->arena);
    e->out = &members;
    emit_members(e, f);
    e->out = source;
    unused_parameters(e, f);
    emit_entry_constants(e, f);
    text_put(source, text_get(&members));
    text_put(source, text_get(&body));
    text_put(source, "}\n");
}
