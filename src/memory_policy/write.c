// Lowers terms for WRITE (lower.c describes the policy).
#include "memory_policy/internal.h"

static const Low *write_map(Lower *l, Node *e)
{
    Node *joined = e->variant == VARIANT_ANY ? policy_map_rows(l->cx, e) : e;
    if (joined != e) return lower_write(l, joined);
    if (e->variant == VARIANT_DST) return lower_map_dst(l, e);
    Build b = lower_build(l, e);
    const Low *body = lower_write(l, e->op[0]->op[0]);
    const Low *xs = lower_elements(l, e, e->op[1], demand_of_elements(e->op[0], body));
    // whether the policy stores the array or its rows just for this map
    bool stored = xs->stored && e->op[1]->kind != CORE_TO_MEM && e->op[1]->kind != CORE_VAR;
    if (e->variant == VARIANT_ANY && stored && policy_with_put(l->cx, e))
        return lower_map_dst(l, e);
    lower_function(&b, 0, body, BINDER_LOOP);
    lower_operand(&b, 1, xs, xs->cost);
    return lower_finish(&b, lower_variant(l, e, VARIANT_SEQ));
}

static const Low *write_generate(Lower *l, Node *e)
{
    Build b = lower_build(l, e);
    lower_function(&b, 1, lower_write(l, e->op[1]->op[0]), BINDER_INDEX);
    return lower_finish(&b, lower_variant(l, e, VARIANT_SEQ));
}

static const Low *write_scan(Lower *l, Node *e)
{
    Build b = lower_carried(l, e);
    return lower_finish(&b, lower_variant(l, e, VARIANT_SEQ));
}

static const Low *write_scatter(Lower *l, Node *e)
{
    Build b = lower_build(l, e);
    int k = 0;
    Demand elements = ONCE;
    if (e->kind == CORE_SCATTER_WITH) {
        const Low *body = lower_write(l, e->op[0]->op[0]);
        elements = demand_of_elements(e->op[0], body);
        lower_function(&b, 0, body, BINDER_LOOP);
        lower_operand_read(&b, 1, MANY);
        k = 2;
    }
    lower_operand_read(&b, k, ONCE);
    lower_operand_read(&b, k + 1, demand_outer(elements, false));
    return lower_finish(&b, lower_variant(l, e, VARIANT_SEQ));
}

// Lowers a term whose data operands are written and whose other operands are read.
static const Low *write_parts(Lower *l, Node *e, Variant variant)
{
    Build b = lower_build(l, e);
    for (int i = 0; i < (int)e->nops; i++) {
        Sort sort = kind_sort((Kind)e->kind, i);
        if (sort == SORT_FUN)
            lower_function(&b, i, lower_read(l, e->op[i]->op[0], ONCE), BINDER_LOOP);
        if (sort != SORT_TERM) continue;
        if (view_role(e, i) == ROLE_DATA)
            lower_operand_write(&b, i);
        else
            lower_operand_read(&b, i, MANY);
    }
    return lower_finish(&b, variant);
}

static const Low *destination(Lower *l, Node *e, const char *why)
{
    const Low *low = write_parts(l, e, VARIANT_DST);
    lower_note_reason(l, low->term, why);
    return low;
}

// Whether the view is written on its destination side: either the program chose that side, or part
// of the view would otherwise have to be stored.
static bool has_destination(Lower *l, Node *e)
{
    return e->variant == VARIANT_DST || lower_is_explicit(l) || lower_read(l, e, ONCE)->stored;
}

static const Low *write_pad(Lower *l, Node *e)
{
    if (e->attr.i != PAD_CONST && !has_destination(l, e)) return lower_copy(l, e);
    return destination(l, e, "the interior is written in place, then the border");
}

static const Low *write_repeat(Lower *l, Node *e)
{
    bool arrays = type_has_array(e->op[1]->type);
    if (!arrays && e->variant == VARIANT_ANY) return lower_copied(l, lower_read(l, e, ONCE));
    if (!has_destination(l, e)) return lower_copy(l, e);
    return destination(l, e, "computed once, stored many times");
}

static const Low *write_view(Lower *l, Node *e)
{
    const char *why = view_row((Kind)e->kind)->why;
    if (e->variant == VARIANT_WINDOW) return lower_stream(l, e, ONCE);
    switch (view_row((Kind)e->kind)->writes) {
    case WRITES_NOTHING: return lower_copy(l, e);
    case WRITES_BORDER: return write_pad(l, e);
    case WRITES_COPIES: return write_repeat(l, e);
    case WRITES_DATA:
    case WRITES_PART:
    case WRITES_PERMUTED: break;
    }
    if (why) return destination(l, e, why);
    if (!has_destination(l, e)) return lower_copy(l, e); // the copy takes one loop over the result
    return destination(l, e, "the argument is written directly into the result");
}

// Lowers a component or an element of a written term. The other parts are discarded.
static const Low *write_part(Lower *l, Node *e)
{
    const Low *r = lower_read(l, e, ONCE);
    if (!r->stored || lower_is_explicit(l)) return lower_copy(l, e);
    Build b = lower_build(l, e);
    lower_operand_write(&b, 0);
    if (e->kind == CORE_INDEX) lower_operand_read(&b, 1, ONCE);
    const Low *low = lower_finish(&b, VARIANT_DST);
    lower_note_reason(l, low->term, "only this part of the written array is kept");
    return low;
}

static const Low *write_kind(Lower *l, Node *e)
{
    if (e->variant == VARIANT_SRC) return lower_copy(l, e);
    switch (e->kind) {
    case CORE_LET: return lower_lets(l, e, true, ONCE);
    case CORE_UNDEFINED: return write_parts(l, e, (Variant)e->variant);
    case CORE_TUPLE:
    case CORE_ARRAY: return write_parts(l, e, VARIANT_ANY);
    case CORE_IF: return lower_if(l, e);
    case CORE_MAP: return write_map(l, policy_zip_once(l, e));
    case CORE_GENERATE: return write_generate(l, e);
    case CORE_REDUCE:
    case CORE_FOLD: return lower_reduce(l, e);
    case CORE_SCAN:
    case CORE_SCAN_EX: return write_scan(l, e);
    case CORE_ITERATE: return lower_iterate(l, e);
    case CORE_LABEL: return lower_label(l, e);
    case CORE_CALL: return lower_call(l, e);
    case CORE_COPY: return lower_given_copy(l, e);
    case CORE_SCATTER:
    case CORE_SCATTER_WITH: return write_scatter(l, e);
    case CORE_PROJ:
    case CORE_INDEX: return write_part(l, e);
    default: return kind_is_view((Kind)e->kind) ? write_view(l, e) : lower_copy(l, e);
    }
}

const Low *lower_write_by_kind(Lower *l, Node *e)
{
    if (!type_has_array(e->type)) return lower_read(l, e, ONCE);
    const Low *low = map_get(&l->writes, MAP_KEY(e));
    if (low) return low;
    Span outer = l->at;
    if (e->origin.file && e->kind != CORE_VAR) l->at = e->origin;
    low = write_kind(l, e);
    l->at = outer;
    map_put(&l->writes, MAP_KEY(e), (void *)(uintptr_t)low);
    return low;
}
