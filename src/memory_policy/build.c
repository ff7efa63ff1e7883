// Builds low terms from lowered operands, and adds up their uses and costs.
#include "memory_policy/internal.h"

const Low *lower_read(Lower *l, Node *e, Demand d)
{
    return l->read(l, e, d);
}

const Low *lower_write(Lower *l, Node *e)
{
    return l->write(l, e);
}

const Low *low_new(Lower *l, Low low)
{
    Low *n = ARENA_NEW(l->arena, Low);
    *n = low;
    return n;
}

Build lower_build(Lower *l, Node *from)
{
    Build b = {.l = l, .from = from, .ops = ARENA_ARRAY(l->arena, Node *, from->nops + 1)};
    memcpy(b.ops, from->op, sizeof *b.ops * from->nops);
    return b;
}

void lower_operand(Build *b, int k, const Low *x, Cost cost)
{
    b->ops[k] = x->term;
    b->uses = uses_both(b->l->arena, b->uses, x->uses);
    b->cost = cost_sum(b->cost, cost);
}

const Low *lower_operand_read(Build *b, int k, Demand d)
{
    const Low *x = lower_read(b->l, b->from->op[k], d);
    lower_operand(b, k, x, x->cost);
    return x;
}

const Low *lower_operand_write(Build *b, int k)
{
    const Low *x = lower_write(b->l, b->from->op[k]);
    lower_operand(b, k, x, x->cost);
    return x;
}

void lower_branches(Build *b, int k, const Low *x, const Low *y)
{
    b->ops[k] = x->term;
    b->ops[k + 1] = y->term;
    Uses uses = uses_either(b->l->arena, x->uses, y->uses);
    b->uses = uses_both(b->l->arena, b->uses, uses);
    b->cost = cost_sum(b->cost, cost_sum(x->cost, y->cost));
}

void lower_view_operand(Build *b, int k, const Low *x, Cost cost)
{
    lower_operand(b, k, x, cost);
    b->stored |= x->stored;
}

void lower_pass(Build *b, int index)
{
    Use use = use_whole(index, ONCE);
    use.passed = true;
    b->uses = uses_either(b->l->arena, b->uses, uses_one(b->l->arena, use));
}

void lower_function(Build *b, int k, const Low *body, Binder binder)
{
    Node *lam = b->from->op[k];
    b->ops[k] = node_with_op(b->l->cx, lam, 0, body->term);
    b->uses = uses_both(b->l->arena, b->uses,
                        uses_outside(b->l->arena, body->uses, (int)lam->attr.i, binder));
}

Build lower_carried(Lower *l, Node *e)
{
    Build b = lower_build(l, e);
    const Low *body = lower_write(l, e->op[0]->op[0]);
    lower_operand_write(&b, 1);
    const Low *xs = lower_elements(l, e, e->op[2], demand_of_elements(e->op[0], body));
    lower_function(&b, 0, body, BINDER_LOOP);
    lower_operand(&b, 2, xs, xs->cost);
    return b;
}

// Whether the program or its schedule has chosen this variant of a pattern or view.
static bool is_given(Node *from, Variant variant)
{
    return from->variant == variant && variant != VARIANT_ANY && from->kind >= CORE_MAP &&
           from->kind <= CORE_SCATTER_WITH;
}

// Returns who chose the variant of a flat term, the program or a schedule, for `adze explain`.
static const char *chosen_by(const Lower *l, Node *flat)
{
    uint64_t key = core_choice_key(flat);
    if (l->by_schedule && map_get(l->by_schedule, key)) return "as the schedule says";
    bool by_default = l->by_default && map_get(l->by_default, key);
    return by_default ? "as the default schedule says" : "as the program says";
}

const Low *lower_finish(Build *b, Variant variant)
{
    Node *term = node_with_variant(b->l->cx, node_with_ops(b->l->cx, b->from, b->ops), variant);
    if (is_given(b->from, variant)) lower_note_reason(b->l, term, chosen_by(b->l, b->from));
    return low_new(b->l, (Low){term, b->uses, b->cost, b->stored});
}

const Low *lower_finish_effect(Build *b)
{
    b->cost = (Cost){.once = COST_BIG};
    return lower_finish(b, VARIANT_ANY);
}

void lower_note_reason(Lower *l, Node *low, const char *why)
{
    if (!map_get(&l->why, MAP_KEY(low))) map_put(&l->why, MAP_KEY(low), (void *)(uintptr_t)why);
}

static Node *wrap(Lower *l, Kind kind, Variant variant, Node *e, Node *lanes)
{
    // A variable has no source position of its own, because functions share variable nodes.
    Span origin = e->kind == CORE_VAR ? l->at : e->origin;
    return node_make(l->cx, &(NodeSpec){.kind = kind,
                                        .variant = variant,
                                        .type = e->type,
                                        .nops = variant_operands(variant, 1),
                                        .ops = (Node *[]){e, lanes},
                                        .origin = origin});
}

// Lowers `e` for WRITE, into a to_mem. `variant` is a space or a layout; `lanes` is the block size
// of aosoa.
static const Low *stored(Lower *l, Node *e, Variant variant, Node *lanes, const char *why)
{
    const Low *w = lower_write(l, e);
    Low low = {.term = wrap(l, CORE_TO_MEM, variant, w->term, lanes),
               .uses = uses_stored(l->arena, w->uses),
               .cost.once = COST_BIG,
               .stored = true};
    lower_note_reason(l, low.term, why);
    return low_new(l, low);
}

const Low *lower_to_mem(Lower *l, Node *e, const char *why)
{
    const Low *low = stored(l, e, VARIANT_ANY, NULL, why);
    lower_inserted(l, low->term, e, why);
    return low;
}

const Low *lower_copied(Lower *l, const Low *r)
{
    return low_new(l,
                   (Low){.term = wrap(l, CORE_COPY, VARIANT_ANY, r->term, NULL), .uses = r->uses});
}

const Low *lower_copy(Lower *l, Node *e)
{
    const Low *r = lower_read(l, e, ONCE);
    if (r->term->kind == CORE_TO_MEM && !lower_is_explicit(l))
        return low_new(l, (Low){.term = r->term->op[0], .uses = r->uses});
    const Low *low = lower_copied(l, r);
    lower_inserted(l, low->term, e, "it needs memory of its own");
    return low;
}

const Low *lower_copy_of_stored(Lower *l, Node *e, const char *why)
{
    return lower_copied(l, lower_to_mem(l, e, why));
}

enum { STACK_BYTES = 65536, SHARED_BYTES = 32 << 10 };

// Whether `times` values of this type have a constant size of at most so many bytes.
static bool fits(Node *type, int64_t times, int64_t most)
{
    int64_t n;
    Scalar s;
    if (type_has_elements(type))
        return nat_is_const(type->op[0], &n) && n <= most && times * n <= most &&
               fits(type->op[1], times * n, most);
    if (type_is_atom(type))
        return times * (type_is_scalar(type, &s) ? scalar_info[s].size : 8) <= most;
    for (uint32_t k = 0; k < type->nops; k++)
        if (!fits(type->op[k], times * (int64_t)type->nops, most)) return false;
    return true;
}

bool lower_fits(Lower *l, Node *type, Variant space)
{
    bool stack = space == VARIANT_STACK, shared = space == VARIANT_SHARED;
    if ((!stack && !shared) || fits(type, 1, stack ? STACK_BYTES : SHARED_BYTES)) return true;
    Diag *d =
        diag_error(l->cx, E0413, lower_here(l), "an array of type `%s` does not fit %s",
                   type_show(l->cx, type), stack ? "on the stack" : "in the memory of a group");
    diag_help(l->cx, d,
              stack ? "to_mem(...) stores it in global memory"
                    : "a group shares at most 32 KiB, in arrays of constant size");
    return false;
}

static bool is_record(Node *type)
{
    return !type_is_atom(type) && !type_has_elements(type);
}

// Whether the type has arrays of tuples or structs, which can be laid out in several ways.
static bool has_records(Node *type)
{
    if (type_is_atom(type)) return false;
    if (type_has_elements(type)) return is_record(type->op[1]) || has_records(type->op[1]);
    for (uint32_t k = 0; k < type->nops; k++)
        if (has_records(type->op[k])) return true;
    return false;
}

static void check_layout(Lower *l, Node *e)
{
    const char *name = variant_text[e->variant];
    int64_t lanes = 1;
    if (!has_records(e->type)) {
        Diag *d = diag_error(l->cx, E0416, lower_here(l),
                             "to_mem.%s is for arrays of tuples or structs, but this is `%s`", name,
                             type_show(l->cx, e->type));
        diag_help(l->cx, d, "an array of scalars has only one layout: write to_mem(...)");
    } else if (variant_layout((Variant)e->variant) == VARIANT_AOSOA &&
               (!nat_is_const(node_lanes(e), &lanes) || lanes < 1)) {
        Diag *d = diag_error(
            l->cx, E0416, lower_here(l),
            "the number of elements of a block must be a constant of at least 1; here it is %s",
            nat_show(l->cx, node_lanes(e)));
        diag_help(l->cx, d, "give a literal, as in to_mem.%s[8]", name);
    }
}

// The type with its array lengths rounded up to whole blocks, as aosoa allocates them.
static Node *in_whole_blocks(Session *cx, Node *type, Node *lanes)
{
    if (type_is_atom(type)) return type;
    if (type_has_elements(type)) {
        Node *n = type->op[0], *element = type->op[1], *more = nat_sub(cx, lanes, nat_const(cx, 1));
        if (is_record(element))
            return type_array(cx, nat_mul(cx, lanes, nat_div(cx, nat_add(cx, n, more), lanes)),
                              element);
        return type_array(cx, n, in_whole_blocks(cx, element, lanes));
    }
    for (uint32_t k = 0; k < type->nops; k++)
        type = node_with_op(cx, type, (int)k, in_whole_blocks(cx, type->op[k], lanes));
    return type;
}

const Low *lower_given_to_mem(Lower *l, Node *e)
{
    Variant layout = variant_layout((Variant)e->variant);
    if (layout == VARIANT_AOS || layout == VARIANT_AOSOA) check_layout(l, e);
    if (!type_has_array(e->type)) return lower_read(l, e->op[0], ONCE);
    Variant space = variant_space((Variant)e->variant);
    Node *lanes = node_lanes(e);
    const char *recomputed = map_get(&l->recomputed, MAP_KEY(e));
    if (recomputed) return lower_to_mem(l, e->op[0], recomputed);
    bool blocks = space == VARIANT_STACK && layout == VARIANT_AOSOA;
    (void)lower_fits(l, blocks ? in_whole_blocks(l->cx, e->type, lanes) : e->type, space);
    return stored(l, e->op[0], (Variant)e->variant, lanes, chosen_by(l, e));
}

const Low *lower_given_copy(Lower *l, Node *e)
{
    if (!type_has_array(e->type)) return lower_read(l, e->op[0], ONCE);
    const Low *low = lower_copied(l, lower_read(l, e->op[0], ONCE));
    lower_note_reason(l, low->term, chosen_by(l, e));
    return low;
}

Demand demand_of_elements(Node *lam, const Low *body)
{
    Node *x = type_param(lam->type, (int)lam->attr.i - 1);
    return type_has_array(x) ? uses_of(body->uses, 0) : ONCE;
}
