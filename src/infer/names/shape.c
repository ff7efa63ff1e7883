// Reads vectors of sizes from the syntax: integer vectors whose elements are size expressions
// (StagedSAC 5.1 has a value variable for each). Examples are `[n, m - 1]`, `shape(a)`, `s`, `2 *
// shape(a) - 1`, `[..s, 3]`, `v[1..]`, and names of such vectors.
#include "infer/names/names.h"

#include <string.h>

static bool is_name(const Ast *e, const char *text)
{
    return e->kind == AST_NAME && ast_is_named(e, text);
}

// Whether the name has its predefined meaning. A declaration in the source may redefine it in
// bodies, but not in signatures; a local always redefines it. std.arrays.prod means the same as the
// predefined prod.
static bool is_of_language(Scope *s, Sym name)
{
    const Symbol *y = infer_find_symbol(s, name);
    if (infer_find_local(s, name)) return false;
    if (!s->solver || !y || y->kind == SYMBOL_PRIM || y->kind == SYMBOL_SHAPE ||
        y->kind == SYMBOL_PRINT)
        return true;
    return y->kind == SYMBOL_PATTERN || strcmp(y->full->text, "std.arrays.prod") == 0;
}

// Whether `e` calls this predefined function with `nargs` arguments.
static bool is_call(Scope *s, const Ast *e, const char *text, int nargs)
{
    bool named = e->kind == AST_CALL && e->kids.len == nargs + 1 && is_name(e->kids.at[0], text);
    return named && is_of_language(s, e->kids.at[0]->name);
}

// --- dimensions of arrays ------------------------------------------------------------------------

// The type of a name or of one of its components, or NULL if it is not known.
static Node *type_of_path(Scope *s, const Ast *e)
{
    e = ast_strip(e);
    if (e->kind == AST_PROJ) {
        Node *t = type_of_path(s, e->kids.at[0]);
        bool good = t && t->kind == TYPE_TUPLE && e->value.integer < t->nops;
        return good ? t->op[e->value.integer] : NULL;
    }
    if (e->kind != AST_NAME || !e->name) return NULL;
    const Local *l = infer_local_named(s, e);
    const Symbol *y = l ? NULL : infer_symbol_named(s, e);
    if (y && y->kind == SYMBOL_CONST && s->solver) {
        const Signature *sig = infer_signature(s->in, y);
        return sig ? sig->result : NULL;
    }
    if (!l || l->kind != LOCAL_VALUE || !l->type || !s->solver) return NULL;
    Node *t = solver_resolve(s->solver, l->type);
    return t->kind == TYPE_REF ? solver_resolve(s->solver, t->op[0]) : t;
}

Extents *infer_dims(Scope *s, Node *t)
{
    Extents *v = infer_new_extents(s->arena, type_rank(t));
    type_strip_arrays(t, v->at, v->n, NULL);
    return v;
}

static bool is_known_array(Scope *s, const Ast *e)
{
    Node *t = type_of_path(s, e);
    if (!t) return false;
    t = type_elements(t);
    return t->kind == TYPE_META ? solver_is_number(s->solver, t) : t->kind != TYPE_ERROR;
}

// The n of a vector repeat[n](x), or NULL if `e` is something else.
static const Ast *repeated(Scope *s, const Ast *e)
{
    const Ast *f = e->kind == AST_CALL && e->kids.len == 2 ? e->kids.at[0] : NULL;
    const Ast *name = f && f->kind == AST_INDEX && f->kids.len == 2 ? f->kids.at[0] : f;
    if (!name || !is_name(name, "repeat") || !is_of_language(s, name->name)) return NULL;
    return name != f ? f->kids.at[1] : name->generics.len == 1 ? name->generics.at[0] : NULL;
}

// --- recognition -------------------------------------------------------------------------------

static bool is_arithmetic(const Ast *e)
{
    bool one = e->kind == AST_BINARY && e->name && e->name->len == 1;
    return one && strchr("+-*/%", e->name->text[0]);
}

static bool is_min_max(Scope *s, const Ast *e)
{
    return is_call(s, e, "min", 2) || is_call(s, e, "max", 2);
}

static bool all_sizes(Scope *s, const AstVec *kids)
{
    for (int i = 0; i < kids->len; i++) {
        const Ast *e = kids->at[i];
        bool good =
            e->kind == AST_SPREAD ? infer_is_extents(s, e->kids.at[0]) : infer_is_size(s, e);
        if (!good) return false;
    }
    return true;
}

// Whether one operand is a vector, and the other operand is a vector or a size.
static bool is_componentwise(Scope *s, const Ast *a, const Ast *b)
{
    bool left = infer_is_extents(s, a), right = infer_is_extents(s, b);
    return (left || right) && (left || infer_is_size(s, a)) && (right || infer_is_size(s, b));
}

bool infer_is_extents(Scope *s, const Ast *e)
{
    e = ast_strip(e);
    if (!e) return false;
    const Local *l;
    switch (e->kind) {
    case AST_NAME: l = e->name ? infer_local_named(s, e) : NULL; return l && l->extents;
    case AST_ARRAY: return all_sizes(s, &e->kids);
    case AST_CALL:
        if (is_min_max(s, e)) return is_componentwise(s, e->kids.at[1], e->kids.at[2]);
        if (repeated(s, e))
            return infer_is_size(s, repeated(s, e)) && infer_is_size(s, e->kids.at[1]);
        if (is_call(s, e, "reverse", 1)) return infer_is_extents(s, e->kids.at[1]);
        if (infer_is_size_call(s, e, true)) return true;
        return is_call(s, e, "shape", 1) && is_known_array(s, e->kids.at[1]);
    case AST_BINARY:
        if (ast_is_binary(e, "++"))
            return infer_is_extents(s, e->kids.at[0]) && infer_is_extents(s, e->kids.at[1]);
        return is_arithmetic(e) && is_componentwise(s, e->kids.at[0], e->kids.at[1]);
    case AST_SLICE: return infer_is_extents(s, e->kids.at[0]);
    default: return false;
    }
}

// The vector v if `e` is v[0] in a type, as in repeat[v[0]](x), or NULL if `e` is something else.
static const Extents *named_vector(Scope *s, const Ast *e)
{
    bool one = (e->kind == AST_NAME || e->kind == AST_TYPE_NAME) && e->name && e->generics.len == 1;
    const Local *l = one ? infer_local_named(s, e) : NULL;
    return l ? l->extents : NULL;
}

bool infer_is_size_of_vector(Scope *s, const Ast *e)
{
    if (named_vector(s, e)) return infer_is_size(s, e->generics.at[0]);
    if (e->kind == AST_INDEX)
        return e->kids.len == 2 && infer_is_extents(s, e->kids.at[0]) &&
               infer_is_size(s, e->kids.at[1]);
    if (is_call(s, e, "rank", 1))
        return infer_is_extents(s, e->kids.at[1]) || is_known_array(s, e->kids.at[1]);
    return is_call(s, e, "prod", 1) && infer_is_extents(s, e->kids.at[1]);
}

static bool is_constant_size(Scope *s, const Ast *e)
{
    const Symbol *y = infer_symbol_named(s, e);
    return y && y->kind == SYMBOL_CONST && infer_is_nat_type(s, y->item->type);
}

// Whether some subexpression may be negative. Division of sizes rounds down, but division of
// integers rounds towards 0, so a quotient of negative numbers is not read as a size. A power is
// never negative.
static bool has_difference(Scope *s, const Ast *e)
{
    if (ast_is_binary(e, "-")) return true;
    if (is_call(s, e, "pow", 2)) return false;
    const Local *l = e->kind == AST_NAME && e->name ? infer_local_named(s, e) : NULL;
    if (l && l->difference) return true;
    for (int i = 0; i < e->kids.len; i++)
        if (e->kids.at[i] && has_difference(s, e->kids.at[i])) return true;
    return false;
}

// Whether `e` is a power of sizes. A power of two literals is a float instead.
static bool is_power_of_sizes(Scope *s, const Ast *e)
{
    if (!is_call(s, e, "pow", 2)) return false;
    const Ast *base = ast_strip(e->kids.at[1]), *exponent = ast_strip(e->kids.at[2]);
    bool literals = base->kind == AST_INT && exponent->kind == AST_INT;
    return !literals && infer_is_size(s, base) && infer_is_size(s, exponent);
}

bool infer_is_size(Scope *s, const Ast *e)
{
    e = ast_strip(e);
    if (!e) return false;
    const Local *l;
    bool quotient;
    switch (e->kind) {
    case AST_INT: return e->value.integer >= 0;
    case AST_NAME:
        if (!e->name || e->generics.len) return infer_is_size_of_vector(s, e);
        l = infer_local_named(s, e);
        return l ? l->kind == LOCAL_SIZE || l->size : is_constant_size(s, e);
    case AST_INDEX: return infer_is_size_of_vector(s, e);
    case AST_CALL:
        if (is_min_max(s, e))
            return infer_is_size(s, e->kids.at[1]) && infer_is_size(s, e->kids.at[2]);
        return is_power_of_sizes(s, e) || infer_is_size_of_vector(s, e) ||
               infer_is_size_call(s, e, false);
    case AST_BINARY:
        quotient = is_arithmetic(e) && (e->name->text[0] == '/' || e->name->text[0] == '%');
        if (quotient && has_difference(s, e)) return false;
        return is_arithmetic(e) && infer_is_size(s, e->kids.at[0]) &&
               infer_is_size(s, e->kids.at[1]);
    default: return false;
    }
}

// Whether the condition compares nothing but sizes.
static bool compares_sizes(Scope *s, const Ast *e)
{
    e = ast_strip(e);
    bool negated = e->kind == AST_UNARY && ast_is_named(e, "!");
    if (negated || ast_is_binary(e, "&&") || ast_is_binary(e, "||")) {
        for (int i = 0; i < e->kids.len; i++)
            if (!compares_sizes(s, e->kids.at[i])) return false;
        return true;
    }
    bool compares = e->kind == AST_BINARY && e->name && strchr("=!<>", e->name->text[0]);
    return compares && infer_is_size(s, e->kids.at[0]) && infer_is_size(s, e->kids.at[1]);
}

// Whether the `if` chooses between sizes by a condition on sizes.
static bool is_if_of_sizes(Scope *s, const Ast *e)
{
    if (e->kind != AST_IF || !e->kids.at[2] || !compares_sizes(s, e->kids.at[0])) return false;
    for (int i = 1; i < 3; i++) {
        const Ast *branch = ast_strip(e->kids.at[i]);
        if (branch->kind == AST_BLOCK) branch = branch->kids.len == 1 ? branch->kids.at[0] : NULL;
        if (!branch || !infer_consists_of_sizes(s, branch)) return false;
    }
    return true;
}

// Unlike infer_is_size, also accepts `if` and quotients of differences. These count as sizes only
// where a size is expected.
bool infer_consists_of_sizes(Scope *s, const Ast *e)
{
    e = ast_strip(e);
    if (!e || infer_is_size(s, e)) return e != NULL;
    if (e->kind == AST_IF) return is_if_of_sizes(s, e);
    bool negated = e->kind == AST_UNARY && ast_is_named(e, "-");
    bool call = is_min_max(s, e) ||
                (e->kind == AST_CALL && e->kids.len == 3 && is_name(e->kids.at[0], "pow"));
    if (!negated && !call && !is_arithmetic(e)) return false;
    for (int i = call; i < e->kids.len; i++)
        if (!infer_consists_of_sizes(s, e->kids.at[i])) return false;
    return true;
}

// --- evaluation --------------------------------------------------------------------------------

Extents *infer_listed_extents(Scope *s, const Ast *e, int from, int to)
{
    Extents *v = ARENA_NEW(s->arena, Extents);
    VEC(Node *) sizes = {0};
    bool bad = false;
    for (int i = from; i < to; i++) {
        const Ast *kid = e->kids.at[i];
        Extents *part = kid->kind == AST_SPREAD ? infer_extents(s, kid->kids.at[0]) : NULL;
        Node *size = kid->kind == AST_SPREAD ? NULL : infer_size(s, kid);
        bad |= !part && !size;
        if (size) vec_push(s->arena, &sizes, size);
        for (int k = 0; part && k < part->n; k++) vec_push(s->arena, &sizes, part->at[k]);
    }
    *v = (Extents){sizes.at, sizes.len};
    return bad ? NULL : v;
}

Extents *infer_repeated(Arena *arena, Node *size, int n)
{
    Extents *v = infer_new_extents(arena, n);
    for (int i = 0; i < n; i++) v->at[i] = size;
    return size ? v : NULL;
}

// Reads an operand of a componentwise operation: a vector, or a single size, which is repeated to
// the length of `like`.
static Extents *operand(Scope *s, const Ast *e, const Ast *like)
{
    if (infer_is_extents(s, e)) return infer_extents(s, e);
    const Extents *length = infer_extents(s, like);
    Node *n = infer_size(s, e);
    return length ? infer_repeated(s->arena, n, length->n) : NULL;
}

// Sets *out to the value of `e`, a position in a vector of n elements. It must be a constant from 0
// to `most`; anything else is reported as an error. Returns false after an error.
static bool position(Scope *s, const Ast *e, int n, int most, int *out)
{
    Node *size = infer_size(s, e);
    int64_t k;
    if (!size) return false;
    bool constant = nat_is_const(size, &k);
    if (constant && k >= 0 && k <= most) {
        *out = (int)k;
        return true;
    }
    diag_error(s->in->cx, E0421, e->span,
               constant ? "this is out of bounds of a vector of %d element%s"
                        : "a position in a vector of %d size%s must be a constant",
               n, n == 1 ? "" : "s");
    return false;
}

static Extents *of_repeat(Scope *s, const Ast *e)
{
    int n;
    if (!position(s, repeated(s, e), MOST_RANK, MOST_RANK, &n)) return NULL;
    return infer_repeated(s->arena, infer_size(s, e->kids.at[1]), n);
}

static Kind operation(const Ast *e)
{
    const char *text = e->kind == AST_CALL ? e->kids.at[0]->name->text : e->name->text;
    if (strcmp(text, "min") == 0) return NAT_MIN;
    if (strcmp(text, "max") == 0) return NAT_MAX;
    return text[0] == '*'   ? NAT_PRODUCT
           : text[0] == '/' ? NAT_DIV
           : text[0] == '%' ? NAT_MOD
                            : NAT_SUM;
}

static Extents *componentwise(Scope *s, const Ast *e, const Ast *left, const Ast *right)
{
    Session *cx = s->in->cx;
    Extents *a = operand(s, left, right), *b = operand(s, right, left);
    if (!a || !b) return NULL;
    if (a->n != b->n) {
        diag_error(cx, E0421, e->span, "vectors of %d and %d elements do not fit together", a->n,
                   b->n);
        return NULL;
    }
    Extents *v = infer_new_extents(s->arena, a->n);
    bool minus = e->kind == AST_BINARY && e->name->text[0] == '-';
    for (int i = 0; i < a->n; i++)
        v->at[i] = minus ? nat_sub(cx, a->at[i], b->at[i])
                         : nat_apply(cx, operation(e), a->at[i], b->at[i]);
    return v;
}

static Extents *joined(Scope *s, const Ast *e)
{
    Extents *a = infer_extents(s, e->kids.at[0]), *b = infer_extents(s, e->kids.at[1]);
    if (!a || !b) return NULL;
    Extents *v = infer_new_extents(s->arena, a->n + b->n);
    for (int i = 0; i < v->n; i++) v->at[i] = i < a->n ? a->at[i] : b->at[i - a->n];
    return v;
}

static Extents *reversed(Scope *s, const Ast *e)
{
    Extents *of = infer_extents(s, e->kids.at[1]);
    if (!of) return NULL;
    Extents *v = infer_new_extents(s->arena, of->n);
    for (int i = 0; i < v->n; i++) v->at[i] = of->at[v->n - 1 - i];
    return v;
}

// Reads v[lo..hi].
static Extents *slice(Scope *s, const Ast *e)
{
    Extents *of = infer_extents(s, e->kids.at[0]);
    const Ast *from = e->kids.at[1], *to = e->kids.at[2];
    if (!of) return NULL;
    int lo = 0, hi = of->n;
    if (from && !position(s, from, of->n, of->n, &lo)) return NULL;
    if (to && !position(s, to, of->n, of->n, &hi)) return NULL;
    if (lo > hi) hi = lo;
    Extents *v = ARENA_NEW(s->arena, Extents);
    *v = (Extents){of->at + lo, hi - lo};
    return v;
}

static Extents *no_shape(Scope *s, const Ast *e)
{
    Diag *d = diag_error(s->in->cx, E0421, e->span, "this is not a shape");
    bool unnamed = is_call(s, e, "shape", 1) && ast_strip(e->kids.at[1])->kind != AST_NAME;
    diag_help(s->in->cx, d,
              unnamed ? "give the array a name: let a = ...; shape(a)"
                      : "a shape consists of sizes: [n, m - 1], shape(a), shape(a) / 2, [..s, 3]; "
                        "values at run time are not sizes");
    if (infer_is_size(s, e))
        diag_help(s->in->cx, d, "write a shape of one size in brackets, too: [%s]",
                  source_text(s->in->cx, e->span));
    return NULL;
}

Extents *infer_extents(Scope *s, const Ast *e)
{
    e = ast_strip(e);
    if (!e || e->kind == AST_ERROR) return NULL;
    if (!infer_is_extents(s, e)) {
        // Reads the elements one by one, to report those that are not sizes.
        if (e->kind == AST_ARRAY) return infer_listed_extents(s, e, 0, e->kids.len);
        return no_shape(s, e);
    }
    switch (e->kind) {
    case AST_NAME: return infer_local_named(s, e)->extents;
    case AST_ARRAY: return infer_listed_extents(s, e, 0, e->kids.len);
    case AST_CALL:
        if (is_min_max(s, e)) return componentwise(s, e, e->kids.at[1], e->kids.at[2]);
        if (repeated(s, e)) return of_repeat(s, e);
        if (is_call(s, e, "reverse", 1)) return reversed(s, e);
        if (infer_is_size_call(s, e, true)) return infer_measure_call(s, e).extents;
        return infer_dims(s, type_of_path(s, e->kids.at[1]));
    case AST_SLICE: return slice(s, e);
    default:
        return ast_is_binary(e, "++") ? joined(s, e)
                                      : componentwise(s, e, e->kids.at[0], e->kids.at[1]);
    }
}

static Node *element(Scope *s, const Extents *v, const Ast *at)
{
    int k;
    return v && position(s, at, v->n, v->n - 1, &k) ? v->at[k] : NULL;
}

Node *infer_size_of_vector(Scope *s, const Ast *e)
{
    Session *cx = s->in->cx;
    if (named_vector(s, e)) return element(s, named_vector(s, e), e->generics.at[0]);
    if (e->kind == AST_INDEX) return element(s, infer_extents(s, e->kids.at[0]), e->kids.at[1]);
    const Ast *of = e->kids.at[1];
    Extents *v =
        infer_is_extents(s, of) ? infer_extents(s, of) : infer_dims(s, type_of_path(s, of));
    if (!v) return NULL;
    return is_call(s, e, "rank", 1) ? nat_const(cx, v->n) : infer_product(cx, v);
}

Node *infer_product(Session *cx, const Extents *v)
{
    Node *product = nat_const(cx, 1);
    for (int i = 0; i < v->n; i++) product = nat_mul(cx, product, v->at[i]);
    return product;
}

// --- ranks ---------------------------------------------------------------------------------------

// Whether the expression mentions a parameter whose numbers are fixed in this instance of a
// rank-polymorphic function, because its types depend on them.
static bool has_number(Scope *s, const Ast *e)
{
    const Symbol *y = s->symbol;
    const Local *l = e->kind == AST_NAME && e->name ? infer_local_named(s, e) : NULL;
    for (int i = 0; l && y && y->numbers && i < y->item->params.len; i++)
        if (y->numbers[i] && span_is_within(l->span, y->item->params.at[i].span)) return true;
    for (int i = 0; i < e->kids.len; i++)
        if (e->kids.at[i] && has_number(s, e->kids.at[i])) return true;
    return false;
}

// Decides a && b or a || b, either because both operands are decided or because one of them alone
// determines the result.
static bool is_decided_pair(Scope *s, const Ast *e, bool *holds)
{
    bool deciding = ast_is_binary(e, "||"), known[2], value[2];
    for (int i = 0; i < 2; i++) {
        known[i] = infer_is_decided(s, e->kids.at[i], &value[i]);
        if (!known[i] || value[i] != deciding) continue;
        *holds = deciding;
        return true;
    }
    *holds = !deciding;
    return known[0] && known[1];
}

bool infer_is_decided(Scope *s, const Ast *e, bool *holds)
{
    e = ast_strip(e);
    if (ast_is_binary(e, "&&") || ast_is_binary(e, "||")) return is_decided_pair(s, e, holds);
    if (e->kind != AST_BINARY || !e->name || !strchr("=!<>", e->name->text[0])) return false;
    const Ast *left = ast_strip(e->kids.at[0]), *right = ast_strip(e->kids.at[1]);
    bool ranks = is_call(s, left, "rank", 1) || is_call(s, right, "rank", 1);
    if (!ranks && !has_number(s, left) && !has_number(s, right)) return false;
    int64_t a, b;
    if (!infer_is_size(s, left) || !infer_is_size(s, right)) return false;
    if (!nat_is_const(infer_size(s, left), &a) || !nat_is_const(infer_size(s, right), &b))
        return false;
    switch (e->name->text[0]) {
    case '=': *holds = a == b; break;
    case '!': *holds = a != b; break;
    case '<': *holds = e->name->text[1] ? a <= b : a < b; break;
    default: *holds = e->name->text[1] ? a >= b : a > b; break;
    }
    return e->name->text[0] == '<' || e->name->text[0] == '>' || e->name->text[1] == '=';
}

// --- names and values --------------------------------------------------------------------------

// Drops the errors reported since `diags` and `errors` were counted, provided that each is about a
// vector of unknown length, a non-constant position in a vector, or a number too large for a size.
// Returns true if there were any: the value is then an ordinary array, element or integer.
static bool is_no_size(Session *cx, int diags, int errors)
{
    for (int i = diags; i < cx->diags.len; i++)
        if (cx->diags.at[i]->code != E0421 && cx->diags.at[i]->code != E0402) return false;
    bool none = cx->errors > errors;
    cx->diags.len = diags;
    cx->errors = errors;
    return none;
}

void infer_know(Scope *s, Local *l, const Ast *value)
{
    Session *cx = s->in->cx;
    Node *t = solver_resolve(s->solver, l->type);
    int diags = cx->diags.len, errors = cx->errors;
    bool vector = t->kind == TYPE_ARRAY && infer_is_extents(s, value);
    bool number = t->kind != TYPE_ARRAY && infer_is_size(s, value);
    if (vector) l->extents = infer_extents(s, value);
    if (number) l->size = infer_size(s, value);
    if (is_no_size(cx, diags, errors)) {
        l->extents = NULL;
        l->size = NULL;
    } else if (vector || number) {
        l->difference = has_difference(s, value);
    }
}

Node *infer_extents_type(Session *cx, const Extents *v)
{
    return type_array(cx, nat_const(cx, v->n), type_scalar(cx, SCALAR_I64));
}

const Ast *infer_asked_rank(const Ast *e)
{
    e = ast_strip(e);
    bool rank = e && e->kind == AST_CALL && e->kids.len == 2 && is_name(e->kids.at[0], "rank");
    return rank ? e->kids.at[1] : NULL;
}

Node *infer_rank_of_size(Scope *s, const Item *item, Sym size)
{
    for (int i = 0; i < item->where.len; i++) {
        const Ast *e = ast_strip(item->where.at[i]);
        for (int side = 0; ast_is_binary(e, "==") && side < 2; side++) {
            const Ast *of = ast_strip(e->kids.at[side]),
                      *rank = infer_asked_rank(e->kids.at[1 - side]);
            bool about = rank && of->kind == AST_NAME && of->name == size;
            if (about && infer_is_extents(s, rank)) return infer_size(s, e->kids.at[1 - side]);
        }
    }
    return NULL;
}
