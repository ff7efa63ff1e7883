// The sizes of an entry from the shapes of its arguments: each dimension gives an equation between
// the size in the parameter's type and a number.
#include "driver/values/values.h"

typedef struct {
    Node *size;
    int64_t actual;
    const char *place; // "dimension 2 of a"
} Equation;

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    int64_t *sizes;      // -1: not known yet
    const char **origin; // the dimension that determined each
    VEC(Equation) equations;
} Deduction;

// --- equations ----------------------------------------------------------------------------------

static void collect(Deduction *d, Node *type, const Value *v, const char *name, int dimension)
{
    Session *cx = d->cx;
    if (type->kind == TYPE_ARRAY) {
        Equation q = {type->op[0], v->count,
                      arena_printf(cx->arena, "dimension %d of %s", dimension, name)};
        vec_push(cx->arena, &d->equations, q);
        if (v->count > 0) collect(d, type->op[1], &v->parts[0], name, dimension + 1);
    } else if (type->kind == TYPE_TUPLE || type->kind == TYPE_STRUCT) {
        for (uint32_t i = 0; i < type->nops && (int64_t)i < v->count; i++)
            collect(d, type->op[i], &v->parts[i], arena_printf(cx->arena, "%s.%u", name, i),
                    dimension);
    }
}

// --- solving ------------------------------------------------------------------------------------

static int index_of(const Deduction *d, Node *atom)
{
    for (int i = 0; i < d->entry->sizes.len; i++)
        if (atom->kind == NAT_VAR && atom->attr.sym == d->entry->sizes.at[i]) return i;
    return -1;
}

static Node *known_size(Node *atom, void *env)
{
    Deduction *d = env;
    int i = index_of(d, atom);
    return i >= 0 && d->sizes[i] >= 0 ? nat_const(d->cx, d->sizes[i]) : NULL;
}

typedef struct {
    int n;
    Node *one;
} Unknowns;

static void count_unknown(Node *atom, void *env)
{
    Unknowns *u = env;
    u->n++;
    u->one = atom;
}

static bool no_size(Node *atom, int64_t *value, void *env)
{
    (void)atom, (void)value, (void)env;
    return false;
}

// Solves an equation that has one unknown. True when a size became known.
static bool solve(Deduction *d, const Equation *q)
{
    Node *left = nat_replace(d->cx, q->size, known_size, d), *solution;
    Unknowns u = {0};
    Divides divides;
    int64_t value, rest = 0;
    nat_atoms(d->cx, left, count_unknown, &u);
    int i = u.n == 1 ? index_of(d, u.one) : -1;
    if (i < 0 || !nat_solve(d->cx, left, nat_const(d->cx, q->actual), u.one, &solution, &divides))
        return false;
    if (!nat_eval(solution, no_size, NULL, &value) || value < 0) return false;
    if (divides.dividend &&
        (!nat_eval(nat_mod(d->cx, divides.dividend, divides.divisor), no_size, NULL, &rest) ||
         rest != 0))
        return false;
    d->sizes[i] = value;
    d->origin[i] = q->place;
    return true;
}

// --- the result ---------------------------------------------------------------------------------

static bool disagree(Deduction *d, const Equation *q, Span span)
{
    Session *cx = d->cx;
    Text size = text_new(cx->arena);
    nat_print(&size, q->size, 0);
    Diag *x = diag_error(cx, E0604, span, "%s is %lld, which does not fit its size %s", q->place,
                         (long long)q->actual, text_get(&size));
    for (int i = 0; i < d->entry->sizes.len; i++) {
        Node *name = nat_var(cx, d->entry->sizes.at[i]);
        if (d->sizes[i] >= 0 && nat_occurs(q->size, name))
            diag_note(cx, x, NO_SPAN, "%s = %lld, from %s", name->attr.sym->text,
                      (long long)d->sizes[i], d->origin[i]);
    }
    return false;
}

static bool holds(Deduction *d, const Equation *q)
{
    int64_t value;
    Node *left = nat_replace(d->cx, q->size, known_size, d);
    return nat_eval(left, no_size, NULL, &value) && value == q->actual;
}

bool sizes_deduce(Session *cx, const LoopEntry *e, const Value *args, const int64_t *given,
                  Span span, int64_t *sizes)
{
    Deduction d = {cx, e, sizes, ARENA_ARRAY(cx->arena, const char *, e->sizes.len + 1), {0}};
    for (int i = 0; i < e->sizes.len; i++) {
        sizes[i] = given ? given[i] : -1;
        d.origin[i] = "the caller";
    }
    for (int i = 0; i < e->nsource; i++)
        collect(&d, e->source[i].type, &args[i], e->source[i].name->text, 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < d.equations.len; i++) changed |= solve(&d, &d.equations.at[i]);
    }
    // An equation with several unknown sizes need not hold yet: the unknown sizes are reported.
    for (int i = 0; i < d.equations.len; i++) {
        Unknowns u = {0};
        nat_atoms(cx, nat_replace(cx, d.equations.at[i].size, known_size, &d), count_unknown, &u);
        if (u.n <= 1 && !holds(&d, &d.equations.at[i]))
            return disagree(&d, &d.equations.at[i], span);
    }
    for (int i = 0; i < e->sizes.len; i++) {
        if (sizes[i] >= 0) continue;
        Diag *x =
            diag_error(cx, E0406, span, "the size %s of %s does not follow from the arguments",
                       e->sizes.at[i]->text, e->name->text);
        diag_help(cx, x, "give it in brackets: %s[...](...)", e->name->text);
        return false;
    }
    return true;
}
