// The DPIA checker, whose rules are listed in dpia.h. A violation is an internal compiler error.
#include "dpia/ir/check.h"
#include "ir/walk.h"

void check_fault(Checker *c, Node *e, const char *why)
{
    const char *text = e ? term_show(c->cx, e, NULL, 0) : "";
    session_ice(c->cx, __FILE__, __LINE__, "%s: %s: %.400s", c->p->name->text, why, text);
}

Flags check_save(Checker *c)
{
    Flags copy = {0};
    for (int i = 0; i < c->assigned.len; i++) vec_push(c->cx->arena, &copy, c->assigned.at[i]);
    return copy;
}

// Each of the outermost 64 loops that enclose a command has a bit; inner loops have none.
enum { MAX_LOOPS = 64 };

static uint64_t bit_of_loop(int depth)
{
    return depth < MAX_LOOPS ? UINT64_C(1) << depth : 0;
}

static uint64_t loops_below(int depth)
{
    return depth >= MAX_LOOPS ? UINT64_MAX : (UINT64_C(1) << depth) - 1;
}

// --- commands ----------------------------------------------------------------------------------

// Cells may be written any number of times. The result may not: any two iterations of a pattern
// must write different elements, unless they accumulate in their destination. (A loop that is not a
// pattern and writes to the result jumps out after the write.)
void check_write(Checker *c, Node *k, Node *acceptor)
{
    Target t = check_acceptor(c, acceptor);
    if (!t.memory) return;
    int depth = c->again >= 0 ? c->again : c->depth;
    if (t.memory == c->out && (~(t.loops | c->distinct) & loops_below(depth)))
        check_fault(c, k, "every iteration writes the same element of the result");
    if (c->apart & ~t.loops & ~loops_below(t.memory->depth))
        check_fault(c, k, "iterations in any order write the same element");
    if (t.memory->fixed) check_fault(c, k, "written, but may only be read");
    for (int i = 0; i < t.n; i++) c->assigned.at[t.scalar + i] = true;
}

static void check_assign(Checker *c, Node *k)
{
    check_expression(c, k->op[1]);
    if (!type_is_value(k->op[0]->type) || !check_same_type(c, k->op[0]->type, k->op[1]->type))
        check_fault(c, k, "an assignment of different types, or of no scalar type");
    check_write(c, k, k->op[0]);
}

static void check_condition(Checker *c, Node *k, Node *e)
{
    Scalar s;
    check_expression(c, e);
    if (!type_is_scalar(e->type, &s) || s != SCALAR_BOOL)
        check_fault(c, k, "a condition that is not a bool");
}

// Checks an `if`. After it, the scalars that both branches assign are definitely assigned.
static void check_if(Checker *c, Node *k)
{
    check_condition(c, k, k->op[0]);
    Flags before = check_save(c);
    Facts *outer = c->facts;
    c->facts = core_assume(c->cx, c->cx->arena, outer, k->op[0], true);
    check_command(c, k->op[1]);
    Flags then = c->assigned;
    c->assigned = before;
    c->facts = core_assume(c->cx, c->cx->arena, outer, k->op[0], false);
    check_command(c, k->op[2]);
    c->facts = outer;
    for (int i = 0; i < before.len; i++) c->assigned.at[i] = c->assigned.at[i] && then.at[i];
}

// Checks the variant of a loop. Returns whether its iterations may run in any order.
static bool check_variant(Checker *c, Node *k)
{
    int64_t lanes = 1;
    bool vec = k->variant == VARIANT_VEC, any = vec || k->variant == VARIANT_PAR;
    if ((!any && k->variant != VARIANT_UNROLL && k->variant != VARIANT_ANY) ||
        (int)k->nops != variant_operands((Variant)k->variant, 2))
        check_fault(c, k, "a loop of an unknown variant");
    if (vec && (!nat_is_const(node_lanes(k), &lanes) || lanes < 1))
        check_fault(c, k, "an unknown number of lanes");
    return any;
}

static void check_for(Checker *c, Node *k)
{
    bool any = check_variant(c, k);
    check_size(c, k->op[0]);
    check_bind(c, k->attr.sym, NAME_OF_VALUE, type_idx(c->cx, k->op[0]), bit_of_loop(c->depth));
    uint64_t outer = c->distinct, apart = c->apart;
    int fence = c->fence;
    if (any) c->apart |= bit_of_loop(c->depth);
    c->depth++;
    c->fence = ++c->fences;
    check_command(c, k->op[1]);
    c->depth--;
    c->fence = fence;
    c->distinct = outer;
    c->apart = apart;
    check_unbind(c, k->attr.sym);
}

// Checks an accumulation. Loops inside it may write a location of its destination repeatedly, but
// the destination must differ between iterations of the enclosing loops.
static void check_accumulate(Checker *c, Node *k)
{
    int outer = c->again;
    check_destination(c, k->op[0]);
    if (outer < 0) c->again = c->depth;
    check_command(c, k->op[1]);
    c->again = outer;
}

static void check_new(Checker *c, Node *k)
{
    int64_t block = 1;
    bool space = k->variant == VARIANT_HEAP || k->variant == VARIANT_STACK ||
                 (k->variant == VARIANT_SHARED && c->cx->device);
    if (!type_is_data(k->op[0]) || !space)
        check_fault(c, k, "memory without a data type or a space");
    if (k->nops > 3 || (k->nops == 3 && (!nat_is_const(k->op[2], &block) || block < 1)))
        check_fault(c, k, "memory in blocks of an unknown number of elements");
    check_bind(c, k->attr.sym, NAME_OF_MEMORY, k->op[0], 0);
    check_command(c, k->op[1]);
    check_unbind(c, k->attr.sym);
}

// Whether the expression names memory or an input array, so that a local read from it may differ
// between iterations.
static bool is_memory(Node *e, void *env)
{
    const Name *name = e->kind == PH_VAR ? check_find(env, e->attr.sym) : NULL;
    return name && (name->use == NAME_OF_MEMORY || !type_is_value(name->type));
}

static void check_let(Checker *c, Node *k)
{
    uint64_t loops = check_expression(c, k->op[0]);
    if (!type_is_value(k->op[0]->type)) check_fault(c, k, "a local that is not a scalar");
    if (c->depth && node_any(k->op[0], is_memory, c)) loops |= bit_of_loop(c->depth - 1);
    check_bind(c, k->attr.sym, NAME_OF_VALUE, k->op[0]->type, loops);
    check_command(c, k->op[1]);
    check_unbind(c, k->attr.sym);
}

static bool ends_by_jump(Node *k)
{
    while (k->kind == COM_SEQ && k->nops) k = k->op[k->nops - 1];
    return k->kind == COM_JUMP;
}

// Checks a sequence. After an `if` with a branch that always jumps away, assumes that the condition
// of that branch does not hold.
static void check_sequence(Checker *c, Node *k)
{
    Facts *outer = c->facts;
    for (uint32_t i = 0; i < k->nops; i++) {
        Node *s = k->op[i];
        check_command(c, s);
        for (int arm = 1; s->kind == COM_IF && arm <= 2; arm++)
            if (ends_by_jump(s->op[arm]))
                c->facts = core_assume(c->cx, c->cx->arena, c->facts, s->op[0], arm == 2);
    }
    c->facts = outer;
}

void check_command(Checker *c, Node *k)
{
    switch ((Kind)k->kind) {
    case COM_SKIP: return;
    case COM_SEQ: check_sequence(c, k); return;
    case COM_ASSIGN: check_assign(c, k); return;
    case COM_FOR: check_for(c, k); return;
    case COM_NEW: check_new(c, k); return;
    case COM_LET: check_let(c, k); return;
    case COM_IF: check_if(c, k); return;
    case COM_CHECK:
        check_condition(c, k, k->op[0]);
        if (!diag_is_of_run((DiagCode)k->attr.i))
            check_fault(c, k, "not the code of a run-time error");
        if (k->attr.i == E0603 && c->depth) c->distinct |= bit_of_loop(c->depth - 1);
        return;
    case COM_CHECK_SIZE:
        if (k->attr.i < 0 || k->attr.i >= c->p->checks.len)
            check_fault(c, k, "not one of the checks");
        return;
    case COM_LABEL: check_label(c, k); return;
    case COM_UNDEFINED: check_write(c, k, k->op[0]); return;
    case COM_JUMP: check_jump(c, k); return;
    case COM_FOREVER: check_forever(c, k); return;
    case COM_RANGE:
    case COM_PARALLEL:
    case COM_VECTORIZE: check_range(c, k); return;
    case COM_SPAWN: check_spawn(c, k); return;
    case COM_SYNC: return;
    case COM_PREFETCH:
        check_expression(c, k->op[0]);
        if (k->op[0]->kind != CORE_INDEX) check_fault(c, k, "not an element");
        return;
    case COM_ACCUMULATE: check_accumulate(c, k); return;
    case COM_CALL: check_call(c, k); return;
    default: check_fault(c, k, "not a command");
    }
}

// --- the entry ---------------------------------------------------------------------------------

// Binds a parameter. The memory of a reference is already assigned when the function is called.
static void bind_param(Checker *c, const Param *p)
{
    if (p->type->kind != TYPE_REF) {
        check_bind(c, p->name, NAME_OF_VALUE, p->type, 0);
        return;
    }
    Name *memory = check_bind(c, p->name, NAME_OF_MEMORY, p->type->op[0], 0);
    memory->fixed = !type_ref_mutable(p->type);
    for (int i = 0; i < memory->n; i++) c->assigned.at[memory->first + i] = true;
}

static void check_phrase(Session *cx, const Phrase *p, const Phrase *entry)
{
    Arena *arena = cx->arena; // an error jumps out of here, so nothing may need to be freed
    Checker c = {.cx = cx,
                 .p = p,
                 .entry = entry,
                 .facts = facts_new(cx, arena, NULL),
                 .names = map_new(arena),
                 .typed = map_new(arena),
                 .again = -1};
    for (int i = 0; i < p->sizes.len; i++) check_bind(&c, p->sizes.at[i], NAME_OF_SIZE, NULL, 0);
    if (p->helpers) check_bind(&c, p->helpers, NAME_OF_SIZE, NULL, 0);
    for (int i = 0; i < entry->checks.len; i++) {
        check_size(&c, entry->checks.at[i].left);
        check_size(&c, entry->checks.at[i].right);
    }
    size_checks_assume(cx, c.facts, &entry->checks);
    if (p != entry) size_checks_assume(cx, c.facts, &p->checks);
    for (int i = 0; i < p->params.len; i++) bind_param(&c, &p->params.at[i]);
    c.out = check_bind(&c, p->out.name, NAME_OF_MEMORY, p->out.type, 0);
    check_command(&c, p->body);
    if (!check_is_assigned(&c, c.out))
        check_fault(&c, NULL, "a scalar of the result is not assigned");
}

void dpia_check(Session *cx, const Phrase *p)
{
    check_phrase(cx, p, p);
    for (int i = 0; i < p->callees.len; i++)
        if (!p->callees.at[i]->external) check_phrase(cx, p->callees.at[i], p);
}
