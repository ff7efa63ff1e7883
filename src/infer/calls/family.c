// Rank-polymorphic functions. A function with shape parameters is called a family. It has one
// member (instance) for each combination of ranks that calls need: an ordinary function in which a
// shape of rank r becomes r sizes (members.c). The ranks of a call are solved from equations on
// lengths (StagedSAC 5.1: length equality, prefix and suffix). These follow from the types of the
// arguments: `[..s]t` has as many dimensions as the array, `idx[..s]` as many components as the
// index. A condition `where rank(p) == axis` adds another equation.
#include "infer/calls/calls.h"

#include <string.h>

enum { UNKNOWN_RANK = -1 };

void infer_declare_family(Infer *in, const Symbol *family)
{
    const Item *item = family->item;
    Span span = item->name_span;
    for (int i = item->generics.len; i-- > 0;)
        if (infer_is_shape_kind(item->generics.at[i].kind)) span = item->generics.at[i].span;
    if (item->entry)
        vec_push(in->cx->arena, &in->program.of_any_rank, ((EntryOfRanks){family->name, span}));
    if (item->kind != ITEM_EXTERN) return;
    Diag *d = diag_error(in->cx, E0423, span, "a C function takes arrays of known ranks");
    diag_help(in->cx, d, "declare a function for each rank");
}

/// States that the ranks of `shapes` and `fixed` other dimensions add up to `total`.
typedef struct {
    VEC(int) shapes;
    int fixed, total;
    const Ast *from; // the type or condition that the equation comes from
    const Ast *arg;  // the argument of this type, or NULL
    Node *found;     // the inferred type, or NULL for a condition
    bool at_least;   // `total` may be greater, because the elements may be arrays
} Equation;

typedef struct {
    Body *b;
    const Application *a;
    const Item *item;
    Sym *names;
    int *ranks, nshapes;
    VEC(Equation) equations;
} Ranks;

static int shape_number(const Ranks *r, const Ast *e)
{
    e = ast_strip(e);
    for (int i = 0; e && (e->kind == AST_NAME || e->kind == AST_TYPE_NAME) && i < r->nshapes; i++)
        if (r->names[i] == e->name) return i;
    return -1;
}

static bool add_length(const Ranks *r, const Ast *e, Equation *q);

// Adds the first n dimensions listed in brackets to the equation. Returns false if the length of a
// spread is not known.
static bool add_dimensions(const Ranks *r, const Ast *e, int n, Equation *q)
{
    for (int i = 0; i < n; i++) {
        const Ast *kid = e->kids.at[i];
        if (kid->kind != AST_SPREAD)
            q->fixed++;
        else if (!add_length(r, kid->kids.at[0], q))
            return false;
    }
    return true;
}

// Adds the shapes and dimensions that make up the length of a vector to the equation. Returns false
// if they are not known.
static bool add_length(const Ranks *r, const Ast *e, Equation *q)
{
    int k = shape_number(r, e);
    e = ast_strip(e);
    if (k >= 0) {
        vec_push(r->b->arena, &q->shapes, k);
        return true;
    }
    if (e->kind == AST_ARRAY) return add_dimensions(r, e, e->kids.len, q);
    if (e->kind != AST_BINARY || !e->name) return false;
    if (ast_is_binary(e, "++"))
        return add_length(r, e->kids.at[0], q) && add_length(r, e->kids.at[1], q);
    Equation before = *q; // componentwise: at least one operand is a vector
    if (add_length(r, e->kids.at[0], q)) return true;
    *q = before;
    return add_length(r, e->kids.at[1], q);
}

static void add_equation(Ranks *r, const Equation *q)
{
    vec_push(r->b->arena, &r->equations, *q);
}

static void compare(Ranks *r, const Ast *type, Node *found, const Ast *arg);

// Returns the length of an array if it is constant, or the number of components of a tuple. Returns
// UNKNOWN_RANK otherwise.
static int vector_length(Node *t)
{
    int64_t n;
    if (t->kind == TYPE_TUPLE) return (int)t->nops;
    bool known = t->kind == TYPE_ARRAY && nat_is_const(t->op[0], &n) && n <= MOST_RANK;
    return known ? (int)n : UNKNOWN_RANK;
}

// Whether the element type is a generic parameter `t: data`, which may be an array.
static bool is_any_data(const Ranks *r, const Ast *type)
{
    for (int i = 0; type->kind == AST_TYPE_NAME && i < r->item->generics.len; i++) {
        const AstGeneric *g = &r->item->generics.at[i];
        if (g->name == type->name) return !g->kind || strcmp(g->kind->text, "data") == 0;
    }
    return false;
}

static void compare_array(Ranks *r, const Ast *type, Node *found, const Ast *arg)
{
    Equation q = {.from = type, .arg = arg, .found = found};
    const Ast *element = type;
    bool known = true;
    Node *t = infer_settle(r->b, found);
    const Ast *vector = type->kids.len == 2 ? infer_asked_rank(type->kids.at[0]) : NULL;
    if (vector) {
        Equation length = {.from = type, .arg = arg, .found = t, .total = vector_length(t)};
        if (length.total >= 0 && add_length(r, vector, &length)) add_equation(r, &length);
    }
    for (; element->kind == AST_TYPE_ARRAY; element = vec_last(&element->kids))
        known = known && add_dimensions(r, element, element->kids.len - 1, &q);
    for (; t->kind == TYPE_ARRAY; t = infer_settle(r->b, t->op[1])) q.total++;
    bool open = t->kind == TYPE_ERROR || (t->kind == TYPE_META && !infer_is_number(r->b, t));
    q.at_least = is_any_data(r, element);
    if (known && !open && q.shapes.len > 0) add_equation(r, &q);
    if (!open) compare(r, element, t, arg);
}

static void compare_index(Ranks *r, const Ast *type, Node *found, const Ast *arg)
{
    Equation q = {.from = type, .arg = arg, .found = found, .total = vector_length(found)};
    bool known = q.total >= 0 && add_dimensions(r, type, type->kids.len, &q);
    if (known && q.shapes.len > 0) add_equation(r, &q);
}

static void compare(Ranks *r, const Ast *type, Node *found, const Ast *arg)
{
    if (!type || !found) return;
    found = infer_settle(r->b, found);
    if (!arg && type_is_up_to(found)) return; // any length converts to the expected [?n]t
    switch (type->kind) {
    case AST_PAREN:
    case AST_TYPE_UNIFORM: compare(r, type->kids.at[0], found, arg); break;
    case AST_TYPE_ARRAY: compare_array(r, type, found, arg); break;
    case AST_TYPE_IDX: compare_index(r, type, found, arg); break;
    case AST_TYPE_REF:
        compare(r, type->kids.at[0], found->kind == TYPE_REF ? found->op[0] : found, arg);
        break;
    case AST_TUPLE:
    case AST_TYPE_TUPLE:
        for (int i = 0; found->kind == TYPE_TUPLE && i < type->kids.len && i < (int)found->nops;
             i++)
            compare(r, type->kids.at[i], found->op[i], arg);
        break;
    default: break;
    }
}

// Returns the only shape in the equation whose rank is unknown, or -1 if there is not exactly one.
// Sets *times to the number of times that this shape occurs, and *rest to the required sum of the
// ranks of these occurrences.
static int open_shape(const Ranks *r, const Equation *q, int *rest, int *times)
{
    int open = -1;
    *rest = q->total - q->fixed;
    *times = 0;
    for (int i = 0; i < q->shapes.len; i++) {
        int k = q->shapes.at[i];
        if (r->ranks[k] != UNKNOWN_RANK) {
            *rest -= r->ranks[k];
        } else {
            if (open >= 0 && open != k) return -1;
            open = k;
            ++*times;
        }
    }
    return open;
}

// Solves equations with one unknown rank until nothing changes. With `all`, this includes equations
// on arrays whose elements may be arrays, on the assumption that they are not.
static void solve(Ranks *r, bool all)
{
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < r->equations.len; i++) {
            int rest, times, k = open_shape(r, &r->equations.at[i], &rest, &times);
            if (r->equations.at[i].at_least && !all) continue;
            if (k < 0 || rest < 0 || rest % times != 0) continue;
            r->ranks[k] = rest / times;
            again = true;
        }
    }
}

// Whether the number is so small that the sum of two such numbers cannot overflow 64 bits.
static bool is_rank_like(int64_t n)
{
    return n >= -INT32_MAX && n <= INT32_MAX;
}

// Evaluates an expression made of ranks, sizes passed in parentheses, and literals. Returns false
// if its value is not known.
static bool number(const Ranks *r, const Ast *e, int64_t *out)
{
    e = ast_strip(e);
    const Ast *of = infer_asked_rank(e);
    if (of) {
        Equation q = {0};
        if (!add_length(r, of, &q)) return false;
        *out = q.fixed;
        for (int i = 0; i < q.shapes.len; i++) {
            if (r->ranks[q.shapes.at[i]] == UNKNOWN_RANK) return false;
            *out += r->ranks[q.shapes.at[i]];
        }
        return true;
    }
    bool sum = ast_is_binary(e, "+");
    if (sum || ast_is_binary(e, "-")) {
        int64_t a, b;
        if (!number(r, e->kids.at[0], &a) || !number(r, e->kids.at[1], &b)) return false;
        *out = sum ? a + b : a - b;
        return is_rank_like(a) && is_rank_like(b);
    }
    for (int i = 0; e->kind == AST_NAME && i < r->a->nargs; i++) {
        Scope *s = &r->b->scope;
        bool size = r->item->params.at[i].name == e->name && infer_is_size(s, r->a->args[i]);
        if (size) return nat_is_const(infer_size(s, r->a->args[i]), out);
    }
    *out = e->value.integer;
    return e->kind == AST_INT;
}

// Adds equations for conditions such as where rank(p) == axis.
static void use_conditions(Ranks *r)
{
    for (int i = 0; i < r->item->where.len; i++) {
        const Ast *e = ast_strip(r->item->where.at[i]);
        for (int side = 0; ast_is_binary(e, "==") && side < 2; side++) {
            const Ast *of = infer_asked_rank(e->kids.at[side]);
            int64_t n;
            Equation q = {.from = e};
            if (!of || !number(r, e->kids.at[1 - side], &n) || !add_length(r, of, &q)) continue;
            q.total = n < -MOST_RANK || n > MOST_RANK ? -1 : (int)n;
            add_equation(r, &q);
        }
    }
}

static bool misfit(const Ranks *r, const Equation *q)
{
    Session *cx = r->b->cx;
    Text from = text_new(cx->arena);
    Span span = (q->found && q->arg ? q->arg : r->a->e)->span;
    Diag *d;
    ast_print(&from, q->from);
    if (q->found)
        d = diag_error(cx, E0422, span, "`%s` does not fit `%s` here", infer_show(r->b, q->found),
                       text_get(&from));
    else
        d = diag_error(cx, E0422, span, "the ranks do not satisfy `%s`", text_get(&from));
    for (int i = 0; i < q->shapes.len; i++)
        if (r->ranks[q->shapes.at[i]] != UNKNOWN_RANK)
            diag_note(cx, d, NO_SPAN, "`%s` has rank %d", r->names[q->shapes.at[i]]->text,
                      r->ranks[q->shapes.at[i]]);
    diag_note(cx, d, NO_SPAN, "%s", infer_show_item(cx, r->item));
    return false;
}

// Whether all ranks are known and every equation holds; reports an error otherwise.
static bool is_solved(const Ranks *r)
{
    Session *cx = r->b->cx;
    for (int i = 0; i < r->equations.len; i++) {
        const Equation *q = &r->equations.at[i];
        int rest, times, k = open_shape(r, q, &rest, &times);
        bool left = q->at_least ? rest < 0 : rest != 0;
        if ((k < 0 && times == 0 && left) || (k >= 0 && (rest < 0 || rest % times != 0)))
            return misfit(r, q);
    }
    for (int i = 0; i < r->nshapes; i++) {
        if (r->ranks[i] >= 0 && r->ranks[i] <= MOST_RANK) continue;
        bool open = r->ranks[i] == UNKNOWN_RANK;
        Diag *d =
            diag_error(cx, E0422, r->a->e->span, "the rank of `%s` of %s is %s", r->names[i]->text,
                       r->item->name->text, open ? "not known" : "too great");
        diag_note(cx, d, NO_SPAN, "%s", infer_show_item(cx, r->item));
        diag_help(cx, d,
                  open ? "write the type of a variable that the arguments depend on"
                       : "a function is compiled once for each rank; recursion at ever greater "
                         "ranks never ends");
        return false;
    }
    return true;
}

static void name_shapes(Ranks *r)
{
    int most = infer_count_shapes(r->item);
    r->names = ARENA_ARRAY(r->b->arena, Sym, most);
    r->ranks = ARENA_ARRAY(r->b->arena, int, most);
    for (int i = 0; i < r->item->generics.len; i++)
        if (infer_is_shape_kind(r->item->generics.at[i].kind))
            r->names[r->nshapes++] = r->item->generics.at[i].name;
    for (int i = 0; i < r->item->params.len; i++)
        if (infer_is_shape_type(r->item->params.at[i].type))
            r->names[r->nshapes++] = r->item->params.at[i].name;
    for (int i = 0; i < r->nshapes; i++) r->ranks[i] = UNKNOWN_RANK;
}

// Takes the rank of a shape from an argument that spells out the shape.
static bool use_given(Ranks *r, const Ast *e, int shape)
{
    const Extents *v = infer_extents(&r->b->scope, e);
    if (v) r->ranks[shape] = v->n;
    return v != NULL;
}

static bool use_brackets(Ranks *r)
{
    bool good = true;
    int shape = 0;
    for (int i = 0; i < r->item->generics.len && i < r->a->generics.len; i++)
        if (infer_is_shape_kind(r->item->generics.at[i].kind))
            good &= use_given(r, r->a->generics.at[i], shape++);
    return good;
}

// Whether a parameter of this type takes data. Such arguments are inferred before the ranks are
// known.
static bool is_data(Ranks *r, const Ast *type)
{
    return type && type->kind != AST_TYPE_FN && !infer_is_mode_type(type) &&
           !infer_is_nat_type(&r->b->scope, type);
}

// Reads the shapes and infers the data among the arguments. Functions and border modes come later.
static bool use_arguments(Ranks *r, Node **types)
{
    const Application *a = r->a;
    bool good = true;
    int shape = r->nshapes;
    for (int i = 0; i < r->item->params.len; i++)
        shape -= infer_is_shape_type(r->item->params.at[i].type);
    for (int i = 0; i < a->nargs; i++) {
        const Ast *type = r->item->params.at[i].type;
        types[i] = NULL;
        if (infer_is_shape_type(type)) {
            good &= use_given(r, a->args[i], shape++);
        } else if (is_data(r, type)) {
            types[i] = infer_value(r->b, a->args[i], NULL);
            good &= types[i]->kind != TYPE_ERROR;
        }
    }
    for (int i = 0; good && i < a->nargs; i++)
        if (types[i]) compare(r, r->item->params.at[i].type, types[i], a->args[i]);
    return good;
}

const Symbol *infer_member_for(Body *b, const Application *a, Node **types)
{
    const Item *item = a->symbol->item;
    int n = item->params.len, missing = n - a->nargs;
    Node *fun = missing ? infer_wanted_function(b, a->want, missing) : NULL;
    Ranks *r = ARENA_NEW(b->arena, Ranks);
    *r = (Ranks){.b = b, .item = item, .a = a};
    name_shapes(r);
    bool good = use_brackets(r);
    if (!use_arguments(r, types) || !good) return NULL;
    for (int i = 0; fun && i < missing; i++)
        compare(r, item->params.at[a->nargs + i].type, type_param(fun, i), NULL);
    solve(r, false);
    use_conditions(r);
    solve(r, false);
    solve(r, true);
    if (a->want && (fun || !missing)) {
        compare(r, item->type, fun ? type_result(fun) : a->want, NULL);
        solve(r, false);
        solve(r, true);
    }
    return is_solved(r) ? infer_member_of(b, a, r->ranks) : NULL;
}
