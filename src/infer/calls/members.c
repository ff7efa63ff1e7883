// The members (instances) of a family (a rank-polymorphic function): one for each combination of
// ranks. Where types depend on the numbers in a shape or size that calls pass, as in
//
//   fn permute_axes[s: shape, t: data](order: shape, a: [..s]t) -> [..permuted(order, s)]t
//
// there is one for each combination of ranks and of these numbers, such as [1, 0] for order.
#include "infer/calls/calls.h"

#include <inttypes.h>
#include <string.h>

// The maximum number of members of one family that are specialised to constants, because recursion
// could need ever more of them.
enum { MOST_NUMBERED = 256 };

// --- the numbers that types depend on ------------------------------------------------------------

typedef struct {
    Scope *scope;
    const Item *item;
    Sym name;
} Question;

static bool asks(const Question *q, const Ast *e, bool inside);

static bool any_asks(const Question *q, const AstVec *kids, int from, bool inside)
{
    for (int i = from; i < kids->len; i++)
        if (kids->at[i] && asks(q, kids->at[i], inside)) return true;
    return false;
}

static bool is_shape_of(const Item *item, Sym name)
{
    for (int i = 0; i < item->generics.len; i++)
        if (item->generics.at[i].name == name)
            return infer_is_shape_kind(item->generics.at[i].kind);
    for (int i = 0; i < item->params.len; i++)
        if (item->params.at[i].name == name) return infer_is_shape_type(item->params.at[i].type);
    return false;
}

static bool calls_size_function(const Question *q, const Ast *e)
{
    const Ast *callee = e->kind == AST_CALL ? e->kids.at[0] : NULL;
    const Symbol *y = callee && callee->kind == AST_NAME && callee->name
                          ? infer_find_symbol(q->scope, callee->name)
                          : NULL;
    return y && y->kind == SYMBOL_SIZES;
}

// Whether the name occurs where its numbers matter, not only their count: as a position, like k in
// s[k], or in an argument of a size function. `inside` says whether `e` itself is in such a place.
static bool asks(const Question *q, const Ast *e, bool inside)
{
    bool name = e->kind == AST_NAME || e->kind == AST_TYPE_NAME;
    if (name && e->name == q->name && inside) return true;
    bool vector = name && e->name && is_shape_of(q->item, e->name);
    if (any_asks(q, &e->generics, 0, inside || vector)) return true;
    if (e->kind == AST_INDEX && asks(q, e->kids.at[0], inside)) return true;
    bool place = e->kind == AST_INDEX || calls_size_function(q, e);
    return any_asks(q, &e->kids, place, inside || place);
}

static bool types_ask(Scope *s, const Item *item, Sym name)
{
    Question q = {s, item, name};
    for (int i = 0; i < item->params.len; i++)
        if (item->params.at[i].type && asks(&q, item->params.at[i].type, false)) return true;
    for (int i = 0; i < item->where.len; i++)
        if (asks(&q, item->where.at[i], false)) return true;
    return item->type && asks(&q, item->type, false);
}

// The shape or size that the argument spells out, if all of its numbers are known; otherwise NULL.
static const Extents *numbers_in(Body *b, const Ast *arg, bool shape)
{
    Scope *s = &b->scope;
    Arena *arena = b->in->arena; // members outlive the bodies that call them
    int64_t n;
    if (!(shape ? infer_is_extents(s, arg) : infer_is_size(s, arg))) return NULL;
    const Extents *v = shape ? infer_extents(s, arg) : infer_repeated(arena, infer_size(s, arg), 1);
    Extents *own = v ? infer_new_extents(arena, v->n) : NULL;
    for (int i = 0; v && i < v->n; i++) {
        if (!v->at[i] || !nat_is_const(v->at[i], &n)) return NULL;
        own->at[i] = v->at[i];
    }
    return own;
}

// For each parameter, the numbers that a call passes for it if types depend on them, or NULL.
static const Extents **numbers_of(Body *b, const Application *a)
{
    const Item *item = a->symbol->item;
    const Extents **numbers = ARENA_ARRAY(b->in->arena, const Extents *, item->params.len + 1);
    Scope declared = infer_scope_new(b->in, b->arena, a->symbol->unit, NULL);
    for (int i = 0; i < a->nargs; i++) {
        const AstParam *p = &item->params.at[i];
        bool shape = infer_is_shape_type(p->type);
        if (!shape && !infer_is_nat_type(&declared, p->type)) continue;
        if (types_ask(&declared, item, p->name)) numbers[i] = numbers_in(b, a->args[i], shape);
    }
    return numbers;
}

// --- members -------------------------------------------------------------------------------------

static void write_numbers(Text *t, const Extents *v)
{
    int64_t n;
    for (int i = 0; i < v->n; i++)
        if (nat_is_const(v->at[i], &n)) text_printf(t, "%s%" PRId64, i ? ", " : "", n);
}

static bool has_numbers(const Symbol *y)
{
    for (int i = 0; i < y->item->params.len; i++)
        if (y->numbers[i]) return true;
    return false;
}

static Sym member_name(Infer *in, const Symbol *y)
{
    Text t = text_new(in->arena);
    int n = infer_count_shapes(y->item);
    text_printf(&t, "%s@", y->family->full->text);
    for (int i = 0; i < n; i++) text_printf(&t, i ? ",%d" : "%d", y->ranks[i]);
    for (int i = 0; i < y->item->params.len; i++) {
        if (has_numbers(y)) text_char(&t, '@');
        if (y->numbers[i]) write_numbers(&t, y->numbers[i]);
    }
    return session_sym(in->cx, text_get(&t));
}

void infer_note_ranks(Infer *in, const Symbol *y, int first)
{
    const Signature *sig = y->signature;
    if (!y->family || !sig) return;
    for (int i = first; i < in->cx->diags.len; i++) {
        Diag *d = in->cx->diags.at[i];
        Text t = text_new(in->cx->arena);
        for (int k = 0; k < sig->shapes.len; k++)
            text_printf(&t, "%s`%s` of rank %d", k ? ", " : "", sig->shapes.at[k].name->text,
                        y->ranks[k]);
        for (int k = 0; k < y->item->params.len; k++) {
            if (!y->numbers[k]) continue;
            bool shape = infer_is_shape_type(y->item->params.at[k].type);
            text_printf(&t, ", %s = %s", y->item->params.at[k].name->text, shape ? "[" : "");
            write_numbers(&t, y->numbers[k]);
            if (shape) text_printf(&t, "]");
        }
        diag_note(in->cx, d, y->used, "%s is called here, with %s", y->name->text, text_get(&t));
    }
}

static bool same_numbers(const Extents *a, const Extents *b)
{
    if (!a || !b) return a == b;
    for (int i = 0; i < a->n && a->n == b->n; i++)
        if (a->at[i] != b->at[i]) return false;
    return a->n == b->n;
}

static bool is_member(const Symbol *y, const int *ranks, const Extents *const *numbers)
{
    int shapes = infer_count_shapes(y->item);
    for (int i = 0; i < shapes; i++)
        if (y->ranks[i] != ranks[i]) return false;
    for (int i = 0; i < y->item->params.len; i++)
        if (!same_numbers(y->numbers[i], numbers[i])) return false;
    return true;
}

static int numbered_members(const Symbol *family)
{
    int n = 0;
    for (int i = 0; i < family->members.len; i++) n += has_numbers(family->members.at[i]);
    return n;
}

// If no numbers are known, adds a hint for each parameter whose numbers the signature needs: the
// call must pass constants for it.
static void ask_for_numbers(Infer *in, const Symbol *y, Diag *d)
{
    Scope declared = infer_scope_new(in, in->arena, y->unit, NULL);
    for (int i = 0; i < y->item->params.len; i++) {
        const AstParam *p = &y->item->params.at[i];
        bool measure = infer_is_shape_type(p->type) || infer_is_nat_type(&declared, p->type);
        if (measure && !has_numbers(y) && types_ask(&declared, y->item, p->name))
            diag_help(in->cx, d, "pass constants for `%s`, because the types of %s depend on them",
                      p->name->text, y->name->text);
    }
}

// Whether no condition of the signature is known to be false.
static bool may_hold(Infer *in, const Signature *sig)
{
    Facts *none = facts_new(in->cx, in->arena, NULL);
    for (int i = 0; i < sig->where.len; i++)
        if (size_check_truth(in->cx, none, &sig->where.at[i]) == TRUTH_NO) return false;
    return true;
}

static Symbol *new_member(Infer *in, Symbol *family, const int *ranks,
                          const Extents *const *numbers, Span used)
{
    int n = infer_count_shapes(family->item);
    int *own = ARENA_ARRAY(in->arena, int, n + 1);
    memcpy(own, ranks, (size_t)n * sizeof *ranks);
    Symbol *y = ARENA_NEW(in->arena, Symbol);
    *y = (Symbol){.kind = SYMBOL_FN,
                  .name = family->name,
                  .unit = infer_own_notes(in, family->unit, family->item),
                  .item = family->item,
                  .family = family,
                  .ranks = own,
                  .numbers = numbers,
                  .used = used};
    y->full = member_name(in, y);
    vec_push(in->arena, &family->members, y);
    int first = in->cx->diags.len;
    infer_signature(in, y);
    for (int i = first; i < in->cx->diags.len; i++) ask_for_numbers(in, y, in->cx->diags.at[i]);
    infer_note_ranks(in, y, first);
    bool good = in->cx->diags.len == first && y->signature->result->kind != TYPE_ERROR &&
                may_hold(in, y->signature);
    if (good) vec_push(in->arena, &in->members, y); // otherwise, errors in its body add nothing
    return y;
}

const Symbol *infer_member_of(Body *b, const Application *a, const int *ranks)
{
    Symbol *family = (Symbol *)(uintptr_t)a->symbol;
    const Extents **numbers = numbers_of(b, a);
    if (numbered_members(family) >= MOST_NUMBERED)
        for (int i = 0; i < family->item->params.len; i++) numbers[i] = NULL;
    for (int i = 0; i < family->members.len; i++)
        if (is_member(family->members.at[i], ranks, numbers)) return family->members.at[i];
    return new_member(b->in, family, ranks, numbers, a->e->span);
}
