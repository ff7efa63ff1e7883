// Checks whether the arms of a match cover all values and whether each arm is useful, following
// Maranget, "Warnings for pattern matching" (JFP 2007). Section 3 defines U(P, q): whether some
// value matches the patterns q but no row of P. Section 5 also computes the value, for the message.
//
// A pattern is represented by its syntax, or by NULL if it matches everything. The columns of a
// matrix are the values that remain to be matched, each with its type. A constructor is a number:
// the option of an enum, the value of a literal, or 0 for a tuple, a struct or an array.
#include "infer/finish/finish.h"

#include <inttypes.h>

enum { MAX_STEPS = 100000, STEPS_OF_ARM = 16 };

typedef const Ast *const *Row;
typedef VEC(const Ast **) Rows;

typedef struct {
    Body *b;
    Arena *arena; // lives for one outermost call to `useful`
    int steps, most_steps;
} Cover;

// --- patterns ----------------------------------------------------------------------------------

// The pattern, or NULL if it matches everything.
static const Ast *refutable(const Ast *p)
{
    return p && (ast_has_parts(p) || p->kind == AST_BIND_VALUE) ? p : NULL;
}

static int64_t constructor(Body *b, const Ast *p)
{
    if (p->kind == AST_BIND_OPTION) return infer_note(b, p)->option;
    if (p->kind != AST_BIND_VALUE) return 0;
    const Ast *e = p->kids.at[0];
    return e->kind == AST_UNARY ? -e->kids.at[0]->value.integer : e->value.integer;
}

static bool is_bool(Node *t)
{
    Scalar s;
    return type_is_scalar(type_lane(t), &s) && s == SCALAR_BOOL;
}

// The number of constructors of a type, or 0 if they cannot be enumerated.
static int constructors(Node *t)
{
    if (type_is_enum(t)) return (int)t->nops - 1;
    return infer_is_compound(t) ? 1 : is_bool(t) ? 2 : 0;
}

// The length of an array, taken from its first pattern.
static int length_of(const Rows *rows, Row q)
{
    const Ast *p = refutable(q[0]);
    for (int i = 0; i < rows->len && !p; i++) p = refutable(rows->at[i][0]);
    return p ? p->kids.len : 0;
}

// Returns the types of the arguments of constructor c, and sets *n to their number.
static Node *const *parts_of(Cover *x, const Rows *rows, Row q, Node *t, int64_t c, int *n)
{
    if (t->kind == TYPE_ARRAY) {
        *n = length_of(rows, q);
        Node **elements = ARENA_ARRAY(x->b->arena, Node *, *n + 1);
        for (int i = 0; i < *n; i++) elements[i] = t->op[1];
        return elements;
    }
    Node *whole = type_is_enum(t) ? t->op[c + 1] : t;
    *n = infer_is_compound(whole) ? (int)whole->nops : 0;
    return whole->op;
}

// The pattern that p applies to argument i of its constructor, or NULL if p accepts every argument
// there.
static const Ast *part_of(Body *b, const Ast *p, int i)
{
    if (p->kind != AST_BIND_STRUCT) return i < p->kids.len ? p->kids.at[i] : NULL;
    for (int k = 0; k < p->kids.len; k++)
        if (infer_note(b, p->kids.at[k])->option == i) return p->kids.at[k]->kids.at[0];
    return NULL;
}

// The row specialised to constructor c: the patterns of its `arity` arguments, followed by the rest
// of the row. Returns NULL if the row does not match c.
static const Ast **specialised(Cover *x, Row row, int n, int64_t c, int arity)
{
    const Ast *p = refutable(row[0]);
    if (p && constructor(x->b, p) != c) return NULL;
    const Ast **out = ARENA_ARRAY(x->arena, const Ast *, arity + n);
    for (int i = 0; p && p->kind != AST_BIND_VALUE && i < arity; i++) out[i] = part_of(x->b, p, i);
    for (int i = 1; i < n; i++) out[arity + i - 1] = row[i];
    return out;
}

// --- usefulness --------------------------------------------------------------------------------

// A value that q matches but no row does, as one string per column, or NULL if there is none.
static const char **useful(Cover *x, const Rows *rows, Row q, Node *const *types, int n);

static const char *show_constructor(Cover *x, Node *t, int64_t c, const char **parts, int arity)
{
    Text out = text_new(x->arena);
    bool array = t->kind == TYPE_ARRAY;
    if (t->kind == TYPE_STRUCT && !type_is_enum(t)) {
        text_printf(&out, "%s {", type_own_name(t));
        for (int i = 0; i < arity; i++)
            text_printf(&out, "%s %s: %s", i ? "," : "", t->names[i]->text, parts[i]);
        text_put(&out, " }");
        return text_get(&out);
    }
    if (t->kind == TYPE_STRUCT)
        text_printf(&out, "%s.%s", type_own_name(t), t->names[c + 1]->text);
    else if (t->kind != TYPE_TUPLE && !array)
        return is_bool(t) ? (c ? "true" : "false") : arena_printf(x->arena, "%" PRId64, c);
    if (arity > 0 || t->kind == TYPE_TUPLE || array) text_put(&out, array ? "[" : "(");
    for (int i = 0; i < arity; i++) text_printf(&out, "%s%s", i ? ", " : "", parts[i]);
    if (arity > 0 || t->kind == TYPE_TUPLE || array) text_put(&out, array ? "]" : ")");
    return text_get(&out);
}

// Like `useful`, but for values that begin with constructor c. Specialises the rows that match c.
static const char **useful_with(Cover *x, const Rows *rows, Row q, Node *const *types, int n,
                                int64_t c)
{
    Arena *arena = x->arena;
    int arity;
    Node *const *parts = parts_of(x, rows, q, types[0], c, &arity);
    const Ast **patterns = specialised(x, q, n, c, arity);
    Node **inner = ARENA_ARRAY(arena, Node *, arity + n);
    for (int i = 0; i < arity + n - 1; i++) inner[i] = i < arity ? parts[i] : types[i - arity + 1];
    Rows fewer = {0};
    for (int i = 0; i < rows->len; i++) {
        const Ast **row = specialised(x, rows->at[i], n, c, arity);
        if (row) vec_push(arena, &fewer, row);
    }
    const char **found = useful(x, &fewer, patterns, inner, arity + n - 1);
    if (!found) return NULL;
    const char **out = ARENA_ARRAY(arena, const char *, n);
    out[0] = show_constructor(x, types[0], c, found, arity);
    for (int i = 1; i < n; i++) out[i] = found[arity + i - 1];
    return out;
}

// Finds a constructor of the type that no row begins with. Returns false if there is none.
static bool missing(Cover *x, const Rows *rows, Node *t, int64_t *c)
{
    Map present = map_new(x->arena);
    for (int i = 0; i < rows->len; i++) {
        const Ast *p = refutable(rows->at[i][0]);
        if (p) map_put(&present, (uint64_t)constructor(x->b, p), x);
    }
    int all = constructors(t);
    for (*c = 0; all == 0 || *c < all; ++*c)
        if (!map_get(&present, (uint64_t)*c)) return true;
    return false;
}

// Like `useful`, but for values that begin with constructor c when no row begins with it. Only rows
// that begin with a wildcard remain.
static const char **useful_by_default(Cover *x, const Rows *rows, Row q, Node *const *types, int n,
                                      int64_t c)
{
    Arena *arena = x->arena;
    Rows fewer = {0};
    bool any = true;
    for (int i = 0; i < rows->len; i++) {
        if (refutable(rows->at[i][0]))
            any = false;
        else
            vec_push(arena, &fewer, rows->at[i] + 1);
    }
    const char **found = useful(x, &fewer, q + 1, types + 1, n - 1);
    if (!found) return NULL;
    const char **out = ARENA_ARRAY(arena, const char *, n);
    int arity = 0;
    if (!any) parts_of(x, rows, q, types[0], c, &arity);
    const char **parts = ARENA_ARRAY(arena, const char *, arity + 1);
    for (int i = 0; i < arity; i++) parts[i] = "_";
    out[0] = any ? "_" : show_constructor(x, types[0], c, parts, arity);
    for (int i = 1; i < n; i++) out[i] = found[i - 1];
    return out;
}

static const char **useful(Cover *x, const Rows *rows, Row q, Node *const *types, int n)
{
    static const char *nothing[1];
    if (++x->steps > x->most_steps) return NULL;
    if (n == 0) return rows->len == 0 ? nothing : NULL;
    const Ast *p = refutable(q[0]);
    int64_t c;
    if (p) return useful_with(x, rows, q, types, n, constructor(x->b, p));
    if (missing(x, rows, types[0], &c)) return useful_by_default(x, rows, q, types, n, c);
    int all = constructors(types[0]);
    for (c = 0; c < all; c++) {
        const char **found = useful_with(x, rows, q, types, n, c);
        if (found) return found;
    }
    return NULL;
}

// --- a match -----------------------------------------------------------------------------------

static void too_many(Body *b, const Ast *match)
{
    Diag *d = diag_error(b->cx, E0323, match->span,
                         "this `match` is too large to check that it covers all values");
    diag_help(b->cx, d, "match the parts in nested matches");
    b->failed = true;
}

static void not_covered(Body *b, const Ast *match, const char *value)
{
    Diag *d = diag_error(b->cx, E0323, match->kids.at[0]->span,
                         "no arm of this `match` covers `%s`", value);
    diag_help(b->cx, d, "add an arm for it, or `_ => ...` for all other values");
    b->failed = true;
}

static void not_useful(Body *b, const Ast *pattern)
{
    Diag *d = diag_error(b->cx, E0324, pattern->span, "this arm is never taken");
    diag_note(b->cx, d, NO_SPAN, "the arms before it cover all its values");
    b->failed = true;
}

// Warns about a name spelled like an option, because a name matches every value.
static void warn_of_option(Body *b, const Ast *pattern, Node *type)
{
    if (pattern->kind != AST_BIND || !pattern->name || !type_is_enum(type)) return;
    const Symbol *y = infer_struct_symbol(b->in, type);
    for (int i = 0; y && i < y->item->options.len; i++) {
        if (y->item->options.at[i].name != pattern->name) continue;
        if (infer_is_reported(b->cx, E0333, pattern->span)) return; // by another instance
        Diag *d =
            diag_warning(b->cx, E0333, pattern->span,
                         "`%s` is a new name here, which matches every value", pattern->name->text);
        const char *option =
            arena_printf(b->cx->arena, "%s.%s", y->name->text, pattern->name->text);
        diag_fix(b->cx, d, pattern->span, option, "write the option as %s", option);
    }
}

/// The rows of a match: all of them, those that begin with a wildcard, and the others by their
/// first constructors. An arm is compared only with rows that begin with the same constructor or
/// with a wildcard.
typedef struct {
    Arena *arena;
    Rows all, any;
    Map by_constructor; // constructor -> Rows
} Arms;

static void add_arm(Body *b, Arms *arms, const Ast **row)
{
    const Ast *p = refutable(row[0]);
    vec_push(arms->arena, &arms->all, row);
    if (!p) {
        vec_push(arms->arena, &arms->any, row);
        return;
    }
    uint64_t c = (uint64_t)constructor(b, p);
    Rows *rows = map_get(&arms->by_constructor, c);
    if (!rows) {
        rows = ARENA_NEW(arms->arena, Rows);
        map_put(&arms->by_constructor, c, rows);
    }
    vec_push(arms->arena, rows, row);
}

// A value that the pattern matches but earlier patterns do not, or NULL if there is none.
static const char *value_for(Cover *x, const Arms *arms, const Ast **row, Node *type)
{
    const Ast *p = refutable(row[0]);
    Arena *scratch = arena_new_beside(arms->arena);
    x->arena = scratch;
    Rows rows = {0};
    const Rows *same = p ? map_get(&arms->by_constructor, (uint64_t)constructor(x->b, p)) : NULL;
    for (int i = 0; same && i < same->len; i++) vec_push(scratch, &rows, same->at[i]);
    for (int i = 0; i < arms->any.len; i++) vec_push(scratch, &rows, arms->any.at[i]);
    const char **found = useful(x, p ? &rows : &arms->all, row, &type, 1);
    const char *value = found ? arena_printf(arms->arena, "%s", found[0]) : NULL;
    arena_delete(scratch);
    return value;
}

// Checks that the arms cover all values and that each arm is useful. An arm with a guard covers no
// values, because the guard may always be false.
void infer_check_cover(Body *b, const Ast *match)
{
    Node *type = infer_resolve(b, infer_note(b, match->kids.at[0])->type);
    if (infer_note(b, match->kids.at[0])->as) type = infer_note(b, match->kids.at[0])->as;
    Cover x = {.b = b, .most_steps = MAX_STEPS + STEPS_OF_ARM * match->kids.len};
    Arms arms = {.arena = b->arena, .by_constructor = map_new(b->arena)};
    for (int i = 1; i < match->kids.len && !b->failed; i++) {
        const Ast *arm = match->kids.at[i];
        const Ast **row = ARENA_ARRAY(b->arena, const Ast *, 1);
        row[0] = arm->kids.at[0];
        warn_of_option(b, row[0], type);
        if (!value_for(&x, &arms, row, type) && x.steps <= x.most_steps) not_useful(b, row[0]);
        if (!arm->kids.at[1]) add_arm(b, &arms, row);
    }
    const Ast *any = NULL;
    const char *value = b->failed ? NULL : value_for(&x, &arms, &any, type);
    if (x.steps > x.most_steps)
        too_many(b, match);
    else if (value)
        not_covered(b, match, value);
}
