// Hints for calls with too many or too few arguments: arguments that belong in brackets, and
// missing ones.
#include "infer/constraints/constraints.h"

#include <string.h>

enum { MOST_ARGUMENTS = 8 };

// The arguments of a call, or of a pipe, without the block of a `for`.
typedef struct {
    const Ast *at[MOST_ARGUMENTS];
    int n;
} Arguments;

static void add(Arguments *a, const Ast *e)
{
    if (a->n < MOST_ARGUMENTS) a->at[a->n++] = e;
}

static Arguments arguments_of(const Ast *e)
{
    Arguments a = {.n = 0};
    const Ast *call = e->kind == AST_PIPE ? ast_strip(e->kids.at[1]) : e;
    for (int i = 1; call->kind == AST_CALL && i < call->kids.len; i++) add(&a, call->kids.at[i]);
    if (e->kind == AST_PIPE) add(&a, e->kids.at[0]);
    return a;
}

// How a size occurs in the parameter types: not at all, inside some type, or as a whole extent of
// an array, which determines the size.
typedef enum { SIZE_ABSENT, SIZE_PART, SIZE_GIVEN } Determined;

static Determined determined_in(const Ast *type, Sym name)
{
    Determined found = SIZE_ABSENT;
    if (!type) return found;
    if (type->name == name) return SIZE_PART;
    for (int i = 0; i < type->kids.len; i++) {
        const Ast *kid = type->kids.at[i];
        Determined inside = determined_in(kid, name);
        bool extent = type->kind == AST_TYPE_ARRAY && i + 1 < type->kids.len && kid &&
                      kid->kids.len == 0 && inside == SIZE_PART;
        if (extent) inside = SIZE_GIVEN;
        if (inside > found) found = inside;
    }
    return found;
}

static Determined size_of(const Item *item, int generic)
{
    Determined found = SIZE_ABSENT;
    for (int i = 0; i < item->params.len; i++) {
        Determined inside = determined_in(item->params.at[i].type, item->generics.at[generic].name);
        if (inside > found) found = inside;
    }
    return found;
}

static bool is_size_generic(const Item *item, int i)
{
    const Sym kind = item->generics.at[i].kind;
    return kind && strcmp(kind->text, "nat") == 0;
}

// Whether some size generic from index i on does not occur in the parameter types.
static bool has_absent(const Item *item, int i)
{
    for (; i < item->generics.len; i++)
        if (is_size_generic(item, i) && size_of(item, i) == SIZE_ABSENT) return true;
    return false;
}

// Adds a hint for split(4, xs) instead of split[4](xs): sizes among the first arguments belong in
// brackets.
static bool help_brackets(Body *b, Diag *d, const Item *item, const Arguments *a, int takes)
{
    int extra = a->n - takes, placed = 0, sizes = 0;
    for (int i = 0; i < item->generics.len; i++) sizes += is_size_generic(item, i);
    if (extra < 1 || extra > sizes) return false;
    for (int i = 0; i < extra; i++)
        if (!infer_is_size(&b->scope, a->at[i])) return false;
    Text t = text_new(b->arena);
    for (int i = 0; i < item->generics.len && is_size_generic(item, i); i++) {
        if (placed == extra && !has_absent(item, i)) break;
        text_put(&t, i ? ", " : "");
        bool own = size_of(item, i) != SIZE_GIVEN && placed < extra;
        text_put(&t,
                 own ? infer_written(b, a->at[placed++]->span) : item->generics.at[i].name->text);
    }
    Text rest = text_new(b->arena);
    for (int i = extra; i < a->n; i++)
        text_printf(&rest, "%s%s", i > extra ? ", " : "", infer_written(b, a->at[i]->span));
    diag_help(b->cx, d, "write sizes in brackets: %s[%s](%s)", item->name->text, text_get(&t),
              text_get(&rest));
    return true;
}

// Adds a hint for several dimensions, or several arrays, where a pattern takes one.
static bool help_several(Body *b, Diag *d, const char *name, const Arguments *a)
{
    if (strcmp(name, "generate") == 0 && a->n == 3)
        diag_help(b->cx, d,
                  "nest one generate for each dimension: generate(%s, |i| generate(%s, |j| ...))",
                  infer_written(b, a->at[0]->span), infer_written(b, a->at[1]->span));
    else if (strcmp(name, "map") == 0 && a->n == 3)
        diag_help(b->cx, d, "map over several arrays with zip: map(|(a, b)| ..., zip(%s, %s))",
                  infer_written(b, a->at[1]->span), infer_written(b, a->at[2]->span));
    else
        return false;
    return true;
}

static void help_missing(Body *b, Diag *d, const Item *item, int given)
{
    Text t = text_new(b->arena);
    for (int i = given; i < item->params.len; i++) {
        const AstParam *p = &item->params.at[i];
        text_printf(&t, "%s`%s: ", i > given ? ", " : "", p->name ? p->name->text : "_");
        if (p->type) ast_print(&t, p->type);
        text_char(&t, '`');
    }
    diag_help(b->cx, d, "missing: %s", text_get(&t));
}

// Adds a hint for a reduction that lacks its initial value.
static bool help_start(Body *b, Diag *d, const Item *item, const Arguments *a, int given)
{
    const char *name = item->name->text, *f = a->n ? infer_written(b, a->at[0]->span) : "";
    if (!infer_is_reduction(item->name) || given != 2 || a->n < 1) return false;
    bool choice = strcmp(f, "max") == 0 || strcmp(f, "min") == 0;
    if (choice && strcmp(name, "reduce") == 0)
        diag_help(b->cx, d,
                  "it needs the value of an empty array: reduce(%s, z, xs); or use %simum of "
                  "std.stats",
                  f, f);
    else
        diag_help(b->cx, d, "it needs a value to start from, as in %s(+, 0, xs)", name);
    return true;
}

// Adds a hint for a `for` over a function that takes no block, as in for v in map(f, xs).
static bool help_for(Body *b, Diag *d, const Ast *e, const Item *item, const Arguments *a,
                     int given)
{
    const AstParam *last = item->params.len ? &vec_last(&item->params) : NULL;
    bool takes_block = last && last->type && last->type->kind == AST_TYPE_FN;
    if (e->kind != AST_CALL || given != a->n + 1 || a->n == MOST_ARGUMENTS || takes_block)
        return false;
    diag_help(b->cx, d,
              "iterate over numbers, not over an array: "
              "for i in range(0, n) { let x = xs[i]; ... }");
    return true;
}

static void help_range(Body *b, Diag *d, int takes, int given)
{
    if (given > takes)
        diag_help(b->cx, d,
                  "std.loops has range_rev(n, 0), which counts down from n - 1 to 0, and "
                  "range_step(0, n, 2) for other steps");
    else
        diag_help(b->cx, d, "range(0, n) counts from 0 to n - 1");
}

void infer_help_count(Body *b, Diag *d, const Ast *e, const Item *item, int takes, int given)
{
    Arguments a = arguments_of(e);
    const char *name = item->name->text;
    if (strcmp(name, "range") == 0)
        help_range(b, d, takes, given);
    else if (given < takes && !help_start(b, d, item, &a, given))
        help_missing(b, d, item, given);
    else if (given > takes && !help_for(b, d, e, item, &a, given) &&
             !help_several(b, d, name, &a) && !help_brackets(b, d, item, &a, takes)) {
        const Symbol *y = infer_find_symbol(&b->scope, item->name);
        if (y && y->unit == b->in->prelude && y->kind == SYMBOL_PATTERN)
            infer_suggest_import(&b->scope, d, item->name);
    }
}

bool infer_is_reduction(Sym name)
{
    static const char *const names[] = {"reduce", "fold", "scan", "scan_ex"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name->text, names[i]) == 0) return true;
    return false;
}

void infer_help_partial(Body *b, Diag *d, Span span)
{
    const Ast *e = infer_at(b, span);
    const Call *c =
        e && (e->kind == AST_CALL || e->kind == AST_PIPE) ? infer_note(b, e)->call : NULL;
    const Symbol *y = c && c->partial ? c->symbol : NULL;
    const char *name = y && y->kind == SYMBOL_PRIM ? y->name->text : "";
    if (strcmp(name, "max") == 0 || strcmp(name, "min") == 0)
        diag_help(b->cx, d,
                  "%s(a, b) is that of two numbers, %simum(xs) of std.stats that of the elements "
                  "of an array",
                  name, name);
    else if (y && y->item && c->nargs < y->item->params.len)
        help_missing(b, d, y->item, c->nargs);
    else
        diag_help(b->cx, d, "this is a function; an argument may be missing");
}

void infer_help_pipe(Body *b, Diag *d, const Ast *pipe)
{
    const Ast *x = pipe->kids.at[0], *f = ast_strip(pipe->kids.at[1]);
    if (f->kind != AST_CALL || f->kids.len < 2) return;
    Text t = text_new(b->arena);
    text_printf(&t, "%s(%s", infer_written(b, f->kids.at[0]->span), infer_written(b, x->span));
    for (int i = 1; i < f->kids.len; i++)
        text_printf(&t, ", %s", infer_written(b, f->kids.at[i]->span));
    diag_help(b->cx, d, "a pipe passes the last argument; write the first one in the call: %s)",
              text_get(&t));
}
