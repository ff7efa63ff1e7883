// Reads types and sizes from the syntax: Ast -> Node.
#include "infer/names/names.h"

#include <string.h>

// --- sizes -------------------------------------------------------------------------------------

static Node *not_a_size(Scope *s, const Ast *e, const char *what)
{
    Diag *d = diag_error(s->in->cx, E0403, e->span, "%s", what);
    diag_help(s->in->cx, d,
              "a size consists of size parameters, constants of type nat, integers, + - * / %%, "
              "min, max, pow, `if`, and functions of sizes that return a `nat`");
    return NULL;
}

static Node *size_of_symbol(Scope *s, const Ast *e, const Symbol *y)
{
    if (infer_is_ambiguous(s, y, e->span)) return NULL;
    const char *name = e->name->text;
    Arena *arena = s->in->cx->arena;
    if (y->kind != SYMBOL_CONST)
        return not_a_size(s, e, arena_printf(arena, "`%s` is not a size", name));
    Node *n = infer_const_size(s->in, y);
    if (n || y->is_nat || !y->signature) return n;
    return not_a_size(
        s, e,
        arena_printf(arena, "`%s` is a value; declare it `const %s: nat` to use it as a size", name,
                     name));
}

// A name for a size that is not in scope.
static const char *free_name(Scope *s)
{
    static const char *const names[] = {"n", "m", "k", "count", "length", "size"};
    for (size_t i = 0; i + 1 < sizeof names / sizeof *names; i++)
        if (!infer_find_local(s, session_sym(s->in->cx, names[i]))) return names[i];
    return names[sizeof names / sizeof *names - 1];
}

// Adds a hint for a value used as a size. A parameter, or a name in a signature, can be declared as
// a size. A computed value can be made a size by a `let`.
static void help_size(Scope *s, Sym name, int reported)
{
    const Item *item = s->symbol ? s->symbol->item : NULL;
    bool given = false;
    for (int i = 0; item && i < item->params.len; i++) given |= item->params.at[i].name == name;
    if (s->in->cx->diags.len == reported) return;
    Diag *d = s->in->cx->diags.at[reported];
    if (given)
        diag_help(s->in->cx, d, "declare the parameter as a size, which is a value, too: %s: nat",
                  name->text);
    else if (!s->solver) // in a signature, where no other values are in scope
        diag_help(s->in->cx, d, "declare it as a size, which is a value, too: %s[%s: nat](...)",
                  item && item->name ? item->name->text : "name", name->text);
    else
        diag_help(s->in->cx, d, "a let makes it a size in the rest of the block: let %s: nat = %s;",
                  free_name(s), name->text);
}

static Node *size_of_name(Scope *s, const Ast *e)
{
    if (!e->name) return NULL;
    Local *l = infer_local_named(s, e);
    if (l && l->kind == LOCAL_SIZE) return l->type;
    if (l && l->size) return l->size;
    if (l && l->reported) return NULL;
    if (l) {
        const char *what = l->kind == LOCAL_TYPE ? "`%s` is a type, not a size"
                           : l->extents
                               ? "`%s` is a vector of sizes, not a size"
                               : "`%s` is a value, known only when the program runs, not a size";
        l->reported = true;
        int reported = s->in->cx->diags.len;
        not_a_size(s, e, arena_printf(s->in->cx->arena, what, e->name->text));
        help_size(s, e->name, reported);
        return NULL;
    }
    const Symbol *y = infer_symbol_named(s, e);
    if (y) return size_of_symbol(s, e, y);
    Diag *d = infer_unknown_name(s, e->name, e->span, NULL);
    if (d && !s->solver && s->symbol)
        diag_help(s->in->cx, d, "declare sizes before the parameters: %s[%s: nat](...)",
                  s->symbol->name->text, e->name->text);
    else if (d && !s->solver)
        diag_help(s->in->cx, d, "declare sizes after the name, as in struct S[%s: nat]",
                  e->name->text);
    return NULL;
}

static Node *size_of_binary(Scope *s, const Ast *e)
{
    static const struct {
        const char *text;
        Node *(*make)(Session *cx, Node *a, Node *b);
    } operators[] = {
        {"+", nat_add}, {"-", nat_sub}, {"*", nat_mul}, {"/", nat_div}, {"%", nat_mod}};
    Node *a = infer_size(s, e->kids.at[0]), *b = infer_size(s, e->kids.at[1]);
    if (!a || !b) return NULL;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (ast_is_named(e, operators[i].text)) return operators[i].make(s->in->cx, a, b);
    return not_a_size(s, e, "the result of this operator is not a size");
}

// Reads min(a, b), max(a, b), pow(a, b), rank(a) or prod(v) as a size.
static Node *size_of_call(Scope *s, const Ast *e)
{
    if (infer_is_size_of_vector(s, e)) return infer_size_of_vector(s, e);
    if (infer_is_size_call(s, e, false)) return infer_measure_call(s, e).size;
    static const struct {
        const char *text;
        Node *(*make)(Session *cx, Node *a, Node *b);
    } functions[] = {{"min", nat_min}, {"max", nat_max}, {"pow", nat_pow}};
    const Ast *f = e->kids.at[0];
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        bool named = f->kind == AST_NAME && ast_is_named(f, functions[i].text);
        if (!named || e->kids.len != 3) continue;
        Node *a = infer_size(s, e->kids.at[1]), *b = infer_size(s, e->kids.at[2]);
        return a && b ? functions[i].make(s->in->cx, a, b) : NULL;
    }
    return not_a_size(s, e, "the result of this call is not a size");
}

static Node *size_of(Scope *s, const Ast *e)
{
    Session *cx = s->in->cx;
    Node *n;
    switch (e->kind) {
    case AST_ERROR: return NULL;
    case AST_INT:
        if (e->value.integer < 0) break; // does not fit in 63 bits
        return nat_const(cx, e->value.integer);
    case AST_NAME:
    case AST_TYPE_NAME:
        if (!e->generics.len) return size_of_name(s, e);
        if (!infer_is_size_of_vector(s, e)) break;
        return infer_size_of_vector(s, e);
    case AST_PAREN: return infer_size(s, e->kids.at[0]);
    case AST_BINARY: return size_of_binary(s, e);
    case AST_CALL: return size_of_call(s, e);
    case AST_IF:
        if (!e->kids.at[2]) break;
        return infer_size_of_if(s, e);
    case AST_INDEX:
        if (!infer_is_size_of_vector(s, e)) break;
        return infer_size_of_vector(s, e);
    case AST_UNARY:
        if (!ast_is_named(e, "-")) break;
        n = infer_size(s, e->kids.at[0]);
        return n ? nat_sub(cx, nat_const(cx, 0), n) : NULL;
    default: break;
    }
    return not_a_size(s, e, "this is not a size");
}

Node *infer_size(Scope *s, const Ast *e)
{
    if (!e) return NULL;
    Node *n = size_of(s, e);
    if (!n || n->kind != NAT_OVERFLOW) return n;
    diag_error(s->in->cx, E0402, e->span, "this size divides by zero or exceeds 64 bits");
    return NULL;
}

// --- conditions --------------------------------------------------------------------------------

static bool relation(Scope *s, const Ast *e, Node *a, Node *b, SizeChecks *out)
{
    Session *cx = s->in->cx;
    Node *one = nat_const(cx, 1);
    const char *op = e->name ? e->name->text : "";
    SizeCheck made, *c = &made;
    *c = (SizeCheck){.left = a, .right = b, .span = e->span, .stated = source_text(cx, e->span)};
    if (strcmp(op, "==") == 0) {
        c->relation = SIZE_EQ;
    } else if (strcmp(op, "!=") == 0) {
        c->relation = SIZE_NE;
    } else {
        c->relation = SIZE_LE;
        bool swap = op[0] == '>', strict = op[1] == 0;
        c->left = swap ? b : a;
        c->right = swap ? a : b;
        if (strict) c->left = nat_add(cx, c->left, one);
    }
    if (c->left->kind == NAT_OVERFLOW) {
        diag_error(cx, E0402, e->span, "no size can be greater than 9223372036854775807");
        return false;
    }
    vec_push(cx->arena, out, made);
    return true;
}

// Adds a condition on two sizes or, if an operand is a vector of sizes, one condition per
// component.
static bool relations(Scope *s, const Ast *e, SizeChecks *out)
{
    const Ast *left = e->kids.at[0], *right = e->kids.at[1];
    bool vectors[2] = {infer_is_extents(s, left), infer_is_extents(s, right)};
    if (!vectors[0] && !vectors[1]) {
        Node *a = infer_size(s, left), *b = infer_size(s, right);
        return a && b && relation(s, e, a, b, out);
    }
    Extents *v[2] = {vectors[0] ? infer_extents(s, left) : NULL,
                     vectors[1] ? infer_extents(s, right) : NULL};
    Node *n[2] = {vectors[0] ? NULL : infer_size(s, left),
                  vectors[1] ? NULL : infer_size(s, right)};
    if ((!v[0] && !n[0]) || (!v[1] && !n[1])) return false;
    if (v[0] && v[1] && v[0]->n != v[1]->n) {
        diag_error(s->in->cx, E0421, e->span, "vectors of %d and %d elements cannot be compared",
                   v[0]->n, v[1]->n);
        return false;
    }
    bool good = true;
    for (int i = 0; i < (v[0] ? v[0] : v[1])->n; i++)
        good &= relation(s, e, v[0] ? v[0]->at[i] : n[0], v[1] ? v[1]->at[i] : n[1], out);
    return good;
}

bool infer_where(Scope *s, const Ast *e, SizeChecks *out)
{
    Session *cx = s->in->cx;
    if (e->kind == AST_PAREN) return infer_where(s, e->kids.at[0], out);
    if (e->kind == AST_ERROR) return false;
    const char *op = e->kind == AST_BINARY && e->name ? e->name->text : "";
    if (strcmp(op, "&&") == 0) {
        bool left = infer_where(s, e->kids.at[0], out);
        return infer_where(s, e->kids.at[1], out) && left;
    }
    if (strcmp(op, "==") != 0 && strcmp(op, "!=") != 0 && op[0] != '<' && op[0] != '>') {
        Diag *d = diag_error(cx, E0403, e->span, "a condition on sizes must compare two of them");
        diag_help(cx, d, "write comparisons, joined by &&: n >= 2 && n %% k == 0");
        return false;
    }
    return relations(s, e, out);
}

// --- generics ----------------------------------------------------------------------------------

Node *infer_fresh(Scope *s, GenericKind kind)
{
    if (!s->solver) return type_error(s->in->cx);
    switch (kind) {
    case GENERIC_NAT: return solver_new_size(s->solver);
    case GENERIC_DATA: return solver_new_type(s->solver, META_DATA);
    case GENERIC_NUM: return solver_new_type(s->solver, META_NUM);
    case GENERIC_INT: return solver_new_type(s->solver, META_INT);
    case GENERIC_FLOAT: return solver_new_type(s->solver, META_FLOAT);
    case GENERIC_SCALAR: return solver_new_type(s->solver, META_SCALAR);
    }
    return type_error(s->in->cx);
}

Node *infer_replace(Session *cx, Node *e, const SigGeneric *generics, Node *const *with, int n)
{
    NodeBinding few[8], *bindings = n <= 8 ? few : ARENA_ARRAY(cx->arena, NodeBinding, n);
    if (n == 0) return e;
    for (int i = 0; i < n; i++) bindings[i] = (NodeBinding){generics[i].name, with[i]};
    return node_replace_names(cx, e, bindings, n);
}

static Node *explicit_generic(Scope *s, const SigGeneric *g, const Ast *given)
{
    if (g->kind == GENERIC_NAT) return infer_size(s, given);
    Node *t = infer_type(s, given);
    if (t->kind == TYPE_ERROR || type_is_data(t)) return t;
    diag_error(s->in->cx, E0309, given->span, "`%s` is not data, and cannot replace `%s`",
               type_show(s->in->cx, t), g->name->text);
    return NULL;
}

// Reads the explicit generic arguments of a member of a family (an instance of a rank-polymorphic
// function). A shape in brackets, whose length has determined the rank, supplies several of them.
static bool explicit_generics(Scope *s, const Signature *sig, const AstVec *given, Node **with)
{
    bool good = true;
    int k = 0, shape = 0;
    for (int i = 0; i < given->len && k <= sig->nbracket; i++) {
        const SigShape *h = shape < sig->shapes.len ? &sig->shapes.at[shape] : NULL;
        if (h && h->first == k && h->parameter < 0) {
            const Extents *v = infer_extents(s, given->at[i]);
            for (int j = 0; v && j < h->rank; j++) with[k + j] = v->at[j];
            good &= v != NULL;
            k += h->rank;
            shape++;
        } else {
            with[k] = explicit_generic(s, &sig->generics.at[k], given->at[i]);
            good &= with[k] != NULL;
            k++;
        }
    }
    return good;
}

Node **infer_generics(Scope *s, const Symbol *y, const SigGeneric *generics, int n, int nbracket,
                      const AstVec *given, Span span)
{
    Node **with = ARENA_ARRAY(s->arena, Node *, n + 1);
    bool good = true;
    int inherited = y->signature ? y->signature->inherited : 0;
    int most = y->family ? y->item->generics.len : nbracket - inherited;
    if (given->len > most) {
        Diag *d =
            diag_error(s->in->cx, E0314, span, "%s takes at most %d generic arguments, not %d",
                       y->name->text, most, given->len);
        if (y->item) diag_note(s->in->cx, d, NO_SPAN, "%s", infer_show_item(s->in->cx, y->item));
        return NULL;
    }
    bool shapes = y->signature && y->signature->shapes.len > 0 && !inherited;
    if (shapes) good = explicit_generics(s, y->signature, given, with);
    for (int i = 0; i < n; i++) {
        if (with[i]) continue;
        int k = i - inherited; // the index among the generics that the call passes
        with[i] = k < 0                       ? infer_inherited(s, y, i, span)
                  : k < given->len && !shapes ? explicit_generic(s, &generics[i], given->at[k])
                                              : infer_fresh(s, generics[i].kind);
        if (!with[i]) good = false;
    }
    return good ? with : NULL;
}

// --- types -------------------------------------------------------------------------------------

static Node *bad_type(Scope *s, Span span, const char *what)
{
    diag_error(s->in->cx, E0203, span, "%s", what);
    return type_error(s->in->cx);
}

// Adds a hint with an example of the type and its generic arguments.
static void help_arguments(Infer *in, Diag *d, const Symbol *y)
{
    Text out = text_new(in->arena);
    for (int i = 0; i < y->generics.len; i++) {
        GenericKind kind = y->generics.at[i].kind;
        text_printf(&out, "%s%s", i ? ", " : "",
                    kind == GENERIC_NAT   ? y->generics.at[i].name->text
                    : kind == GENERIC_INT ? "i32"
                                          : "f64");
    }
    if (y->generics.len) diag_help(in->cx, d, "as in %s[%s]", y->name->text, text_get(&out));
}

// Returns the type that a struct, enum or alias denotes with its generic arguments. Outside bodies,
// all of them must be given.
static Node *declared_type(Scope *s, const Ast *e, const Symbol *y)
{
    if (!infer_declared_type(s->in, y)) return type_error(s->in->cx);
    int n = y->generics.len;
    if (e->generics.len != n && (!s->solver || e->generics.len > 0)) {
        Diag *d = diag_error(s->in->cx, E0314, e->span, "%s takes %d generic argument%s, not %d",
                             y->name->text, n, n == 1 ? "" : "s", e->generics.len);
        diag_note(s->in->cx, d, y->item->name_span, "declared here");
        help_arguments(s->in, d, y);
        return type_error(s->in->cx);
    }
    Node **with = infer_generics(s, y, y->generics.at, n, n, &e->generics, e->span);
    return with ? infer_replace(s->in->cx, y->type, y->generics.at, with, n)
                : type_error(s->in->cx);
}

static Node *symbol_type(Scope *s, const Ast *e, const Symbol *y)
{
    Session *cx = s->in->cx;
    if (infer_is_ambiguous(s, y, e->span)) return type_error(cx);
    if (y->kind == SYMBOL_STRUCT || y->kind == SYMBOL_ENUM || y->kind == SYMBOL_ALIAS)
        return declared_type(s, e, y);
    if (y->kind == SYMBOL_SCALAR && e->generics.len == 0) return type_scalar(cx, (Scalar)y->row);
    int reported = cx->diags.len;
    bad_type(s, e->span, arena_printf(cx->arena, "`%s` is not a type", source_text(cx, e->span)));
    if (y->kind == SYMBOL_SCALAR && cx->diags.len > reported)
        diag_help(cx, cx->diags.at[reported], "write the length of an array before: [%s]%s",
                  source_text(cx, e->generics.at[0]->span), e->name->text);
    return type_error(cx);
}

bool infer_is_mode_type(const Ast *e)
{
    return e->kind == AST_TYPE_NAME && ast_is_named(e, "mode") && e->generics.len == 1;
}

static Node *named_type(Scope *s, const Ast *e)
{
    Session *cx = s->in->cx;
    if (!e->name) return type_error(cx);
    const Local *l = infer_local_named(s, e);
    if (l && l->kind == LOCAL_TYPE && e->generics.len == 0) return l->type;
    if (l && l->kind != LOCAL_TYPE) {
        const char *what =
            l->kind == LOCAL_SIZE ? "`%s` is a size, not a type" : "`%s` is a value, not a type";
        Node *t = bad_type(s, e->span, arena_printf(cx->arena, what, e->name->text));
        if (l->kind == LOCAL_SIZE && s->solver && cx->diags.len)
            diag_help(cx, vec_last(&cx->diags),
                      "make an array of arrays in two steps: repeat[n](repeat[%s](0.0))",
                      e->name->text);
        return t;
    }
    if (infer_is_mode_type(e)) return type_mode(cx, infer_type(s, e->generics.at[0]));
    const Symbol *y = infer_symbol_named(s, e);
    if (y) return symbol_type(s, e, y);
    if (ast_is_named(e, "nat"))
        return bad_type(s, e->span,
                        "`nat` is the type of a whole parameter, constant or `let` only");
    infer_unknown_name(s, e->name, e->name_span.file ? e->name_span : e->span,
                       "a type is expected here");
    return type_error(cx);
}

// Reads [?n]t, which is the prelude's struct UpTo[n, t].
static Node *up_to_type(Scope *s, const Ast *e, Node *element)
{
    Node *n = infer_size(s, e->kids.at[0]);
    return n && element->kind != TYPE_ERROR ? infer_up_to(s->in, n, element)
                                            : type_error(s->in->cx);
}

Node *infer_up_to(Infer *in, Node *n, Node *element)
{
    const Symbol *y = map_get(&in->prelude->scope, MAP_KEY(session_sym(in->cx, "UpTo")));
    CHECK(in->cx, y && infer_declared_type(in, y), "the prelude has no UpTo");
    return infer_replace(in->cx, y->type, y->generics.at, (Node *[]){n, element}, 2);
}

static Node *array_type(Scope *s, const Ast *e)
{
    Session *cx = s->in->cx;
    int n = e->kids.len - 1;
    bool up_to = e->value.integer != 0;
    Node *t = infer_type(s, e->kids.at[n]);
    bool bad = t->kind == TYPE_ERROR;
    if (!bad && !type_is_data(t)) {
        diag_error(cx, E0309, e->kids.at[n]->span,
                   "the elements of an array must be data, but `%s` is not data", type_show(cx, t));
        bad = true;
    }
    const Extents *v = infer_listed_extents(s, e, up_to, n);
    for (int i = v ? v->n - 1 : -1; i >= 0 && !bad; i--) t = type_array(cx, v->at[i], t);
    if (bad || !v) return type_error(cx);
    return up_to ? up_to_type(s, e, t) : t;
}

// Whether a lane may have this type: a number, a bool, or a type variable that stands for one.
static bool is_lane(void *env, Node *t)
{
    const Scope *s = env;
    if (t->kind != TYPE_VAR) return t->kind == TYPE_SCALAR;
    const Local *l = infer_find_local(s, t->attr.sym);
    return l && l->kind == LOCAL_TYPE && l->generic != GENERIC_DATA;
}

// Reads varying[n]T. If T is a tuple, a struct or an array, its components become vectors.
static Node *vector_type(Scope *s, const Ast *e)
{
    Session *cx = s->in->cx;
    Node *t = infer_type(s, e->kids.at[1]), *n = infer_size(s, e->kids.at[0]);
    int64_t lanes;
    if (t->kind == TYPE_ERROR || !n) return type_error(cx);
    if (nat_is_const(n, &lanes) && lanes <= 0) {
        diag_error(cx, E0327, e->kids.at[0]->span, "a vector has at least one lane, not %lld",
                   (long long)lanes);
        return type_error(cx);
    }
    Node *many = infer_in_lanes(s->in, t, n, false, is_lane, s);
    if (many) return many;
    Diag *d = diag_error(cx, E0327, e->kids.at[1]->span,
                         "the lanes of a vector must be numbers or bools, but this is `%s`",
                         type_show(cx, t));
    if (t->kind == TYPE_VAR)
        diag_help(cx, d, "`%s` may be any data; declare it as `%s: scalar` (or num, int, float)",
                  t->attr.sym->text, t->attr.sym->text);
    return type_error(cx);
}

// Reads idx[n], or a tuple type such as idx[n, m] or idx[..s] with one index for each extent.
static Node *index_type(Scope *s, const Ast *e)
{
    Session *cx = s->in->cx;
    const Extents *v = infer_listed_extents(s, e, 0, e->kids.len);
    bool one = e->kids.len == 1 && e->kids.at[0]->kind != AST_SPREAD;
    if (!v) return type_error(cx);
    Node **parts = ARENA_ARRAY(s->arena, Node *, v->n + 1);
    for (int i = 0; i < v->n; i++) parts[i] = type_idx(cx, v->at[i]);
    return one ? parts[0] : type_tuple(cx, v->n, parts);
}

static Node *compound_type(Scope *s, const Ast *e)
{
    Session *cx = s->in->cx;
    int n = e->kids.len;
    Node **parts = ARENA_ARRAY(s->arena, Node *, n + 1);
    bool function = e->kind == AST_TYPE_FN;
    for (int i = 0; i < n; i++)
        parts[i] = function && i == n - 1 ? infer_result_type(s, e->kids.at[i])
                                          : infer_type(s, e->kids.at[i]);
    for (int i = 0; i < n; i++) {
        if (parts[i]->kind == TYPE_ERROR) return parts[i];
        if (parts[i]->kind != TYPE_MODE) continue;
        diag_error(cx, E0309, e->kids.at[i]->span, "`%s` is not data", type_show(cx, parts[i]));
        return type_error(cx);
    }
    if (!function) return type_tuple(cx, n, parts);
    if (n == 2 && parts[1]->kind == TYPE_NEVER) return type_continuation(cx, parts[0]);
    return type_fun(cx, n - 1, parts, parts[n - 1]);
}

Space infer_space(Scope *s, Sym name)
{
    int space = SPACE_GENERIC;
    while (name && space < SPACE_COUNT && strcmp(space_text[space], name->text) != 0) space++;
    if (!name || space == SPACE_COUNT) return SPACE_GENERIC; // after an error
    s->in->spaces |= space != SPACE_GENERIC;
    return (Space)space;
}

// Reads &T, &mut T or &mut shared T.
static Node *reference_type(Scope *s, const Ast *e)
{
    Session *cx = s->in->cx;
    Node *t = infer_type(s, e->kids.at[0]);
    if (t->kind == TYPE_ERROR) return type_error(cx);
    if (type_is_data(t)) return type_ref(cx, t, e->value.integer != 0, infer_space(s, e->name));
    diag_error(cx, E0309, e->kids.at[0]->span,
               "a reference must refer to data, but `%s` is not data", type_show(cx, t));
    return type_error(cx);
}

// Reads uniform T, which is the same type as T. It must not contain vectors.
static Node *uniform_type(Scope *s, const Ast *e)
{
    Node *t = infer_type(s, e->kids.at[0]);
    if (!type_has_vector(t)) return t;
    const char *what = t->kind == TYPE_VEC ? "has" : "has parts with";
    Diag *d =
        diag_error(s->in->cx, E0327, e->span, "`%s` %s a value for each lane, and is not uniform",
                   type_show(s->in->cx, t), what);
    if (t->kind != TYPE_VEC)
        diag_help(s->in->cx, d,
                  "leave `uniform` out: its parts that are not vectors are uniform anyway");
    return type_error(s->in->cx);
}

Node *infer_result_type(Scope *s, const Ast *e)
{
    if (e && e->kind == AST_TYPE_NEVER) return type_never(s->in->cx);
    return infer_type(s, e);
}

static Node *type_of(Scope *s, const Ast *e)
{
    Session *cx = s->in->cx;
    switch (e->kind) {
    case AST_ERROR: return type_error(cx);
    case AST_NAME:
    case AST_TYPE_NAME: return named_type(s, e);
    case AST_TYPE_ARRAY: return array_type(s, e);
    case AST_TYPE_TUPLE:
    case AST_TUPLE:
    case AST_TYPE_FN: return compound_type(s, e);
    case AST_PAREN: return infer_type(s, e->kids.at[0]);
    case AST_TYPE_REF: return reference_type(s, e);
    case AST_TYPE_NEVER: return bad_type(s, e->span, "`!` is only the result of a function");
    case AST_TYPE_IDX: return index_type(s, e);
    case AST_TYPE_VARYING: return vector_type(s, e);
    case AST_TYPE_UNIFORM: return uniform_type(s, e);
    default: break;
    }
    return bad_type(s, e->span, "this is not a type");
}

Node *infer_type(Scope *s, const Ast *e)
{
    Session *cx = s->in->cx;
    if (!e) return type_error(cx);
    Node *t = type_of(s, e);
    const char *excess = type_excess(t);
    if (!excess) return t;
    diag_error(cx, E0316, e->span, "values of this type have %s", excess);
    return type_error(cx);
}
