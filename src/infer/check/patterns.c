// Bindings: the patterns of `let`, `match`, lambdas and loops.
#include "infer/check/check.h"

// Creates an unnamed value that serves as the parent of its components.
static Local *parent_of(Body *b, Node *type, Local *parent, int component)
{
    Local *l = ARENA_NEW(b->arena, Local);
    *l = (Local){.kind = LOCAL_VALUE,
                 .type = type,
                 .parent = parent,
                 .component = component,
                 .level = -1,
                 .mode = -1};
    return l;
}

static void bind_tuple(Body *b, const Ast *pattern, Node *type, Local *parent, int component)
{
    int n = pattern->kids.len;
    Local *l = infer_note(b, pattern)->local = parent_of(b, type, parent, component);
    Node *t = infer_settle(b, type);
    Node **parts = ARENA_ARRAY(b->arena, Node *, n + 1);
    if (t->kind == TYPE_META) {
        for (int i = 0; i < n; i++) parts[i] = infer_fresh(&b->scope, GENERIC_DATA);
        if (infer_unify(b, type_tuple(b->cx, n, parts), t, pattern->span, no_why))
            t = infer_resolve(b, t);
    }
    bool fits = t->kind == TYPE_TUPLE && (int)t->nops == n;
    if (!fits && t->kind != TYPE_ERROR) {
        Diag *d = diag_error(b->cx, E0313, pattern->span,
                             "a pattern of %d parts does not match `%s`", n, infer_show(b, t));
        if (type_is_up_to(t))
            diag_help(
                b->cx, d,
                "its two parts, a size, which never changes, and the elements, get names in a "
                "let: let (k, ys) = ...;");
    }
    if (!fits) b->failed = true;
    for (int i = 0; i < n; i++)
        infer_bind(b, pattern->kids.at[i], fits ? t->op[i] : infer_error(b), l, i);
}

// Whether the type may be that of a with-loop index, which consists of indices or, in a fold, of
// numbers.
static bool is_index(Body *b, Node *t)
{
    bool index = t->kind == TYPE_TUPLE;
    for (uint32_t i = 0; index && i < t->nops; i++) {
        Node *part = infer_resolve(b, t->op[i]);
        index = part->kind == TYPE_IDX || part == infer_i64(b);
    }
    return index;
}

static void report_array(Body *b, const Ast *pattern, Node *t)
{
    Diag *d = diag_error(b->cx, E0313, pattern->span, "an array pattern does not match `%s`",
                         infer_show(b, t));
    if (type_is_up_to(t))
        diag_help(b->cx, d,
                  "its length is known only at run time: bind the number and the array, "
                  "`let (n, xs) = ...`, and index it, `xs[0]`, where `n > 0`");
}

// Binds the names of an array pattern to the elements, as components of the array. A with-loop
// index is bound as a tuple.
static void bind_array(Body *b, const Ast *pattern, Node *type, Local *parent, int component)
{
    int n = pattern->kids.len;
    Node *t = infer_settle(b, type), *length = nat_const(b->cx, n);
    if (is_index(b, t)) {
        bind_tuple(b, pattern, type, parent, component);
        return;
    }
    Local *l = infer_note(b, pattern)->local = parent_of(b, type, parent, component);
    if (t->kind == TYPE_META) {
        Node *array = type_array(b->cx, length, infer_fresh(&b->scope, GENERIC_DATA));
        if (infer_unify(b, array, t, pattern->span, no_why)) t = infer_resolve(b, t);
    }
    if (t->kind == TYPE_ARRAY)
        infer_unify_sizes(b, length, t->op[0], type_array(b->cx, length, t->op[1]), t,
                          pattern->span, (Why){WHY_PARTS, NULL, 0});
    else if (t->kind != TYPE_ERROR)
        report_array(b, pattern, t);
    Node *element = t->kind == TYPE_ARRAY ? t->op[1] : NULL;
    if (!element) b->failed = true;
    for (int i = 0; i < n; i++)
        infer_bind(b, pattern->kids.at[i], element ? element : infer_error(b), l, i);
}

static void bind_name(Body *b, const Ast *pattern, Node *type, Local *parent, int component)
{
    if (!pattern->name) return;
    if (pattern->kids.len && pattern->kids.at[0]) {
        Node *written = infer_type(&b->scope, pattern->kids.at[0]);
        if (written->kind == TYPE_ERROR) b->failed = true;
        infer_unify(b, written, type, pattern->span, (Why){WHY_ANNOTATION, NULL, 0});
    }
    Local *l = infer_local_push(&b->scope, LOCAL_VALUE, pattern->name, pattern->span, type);
    l->parent = parent;
    l->component = component;
    l->mutable = pattern->kind == AST_BIND_MUT;
    infer_note(b, pattern)->local = l;
}

// Reports a field without a pattern, unless the pattern ends in `..`.
static void need_all_fields(Body *b, const Ast *pattern, const Symbol *y, int n,
                            const Ast *const *given)
{
    for (int k = 0; k < n && !pattern->value.integer; k++) {
        if (given[k]) continue;
        Diag *d = diag_error(b->cx, E0308, pattern->span, "field `%s` of `%s` is missing",
                             y->fields[k]->text, y->name->text);
        diag_help(b->cx, d, "end the pattern with `..` to skip the remaining fields");
        b->failed = true;
        return;
    }
}

// Binds a struct pattern, such as Body { mass: m }. The fields are components of the struct; they
// are vectors if the struct differs by lane.
static void bind_struct(Body *b, const Ast *pattern, Node *type, Local *parent, int component)
{
    const Symbol *y;
    Node *t = infer_struct_named(b, pattern, &y), *found = infer_settle(b, type);
    bool same =
        t && t->kind == TYPE_STRUCT && found->kind == TYPE_STRUCT && t->attr.sym == found->attr.sym;
    if (same && infer_lanes_inside(b, found)) t = found;
    Why why = {WHY_PATTERN, NULL, 0};
    bool fits = t && t->kind == TYPE_STRUCT && infer_unify(b, type, t, pattern->span, why);
    Local *whole = infer_note(b, pattern)->local = parent_of(b, type, parent, component);
    int n = fits ? (int)t->nops : 0;
    const Ast **given = ARENA_ARRAY(b->arena, const Ast *, n + 1);
    if (!fits) b->failed = true;
    for (int i = 0; i < pattern->kids.len; i++) {
        const Ast *field = pattern->kids.at[i];
        bool read = field->kind == AST_BIND_FIELD && field->name && field->kids.len == 1;
        int k = read && fits ? infer_find_field(b, field, y, n, given) : -1;
        if (k >= 0) given[k] = field;
        if (!read) b->failed = true;
        if (!read) continue;
        infer_note(b, field)->option = k < 0 ? 0 : k;
        infer_note(b, field)->type = k < 0 ? infer_error(b) : t->op[k];
        infer_bind(b, field->kids.at[0], infer_note(b, field)->type, whole, k < 0 ? 0 : k);
    }
    if (fits && !b->failed) need_all_fields(b, pattern, y, n, given);
}

// Checks a pattern that is a number or a bool.
static void bind_value(Body *b, const Ast *pattern, Node *type)
{
    const Ast *literal = pattern->kids.at[0];
    const Ast *number = literal->kind == AST_UNARY ? literal->kids.at[0] : literal;
    if (number->kind != AST_FLOAT) {
        bool index = infer_settle(b, type)->kind == TYPE_IDX; // an index is compared as an i64
        infer_check(b, literal, index ? infer_i64(b) : type, (Why){WHY_PATTERN, NULL, 0});
        return;
    }
    Diag *d = diag_error(b->cx, E0313, pattern->span, "a float is not a pattern");
    diag_help(b->cx, d, "bind it to a name and compare: x if x == ... => ...");
    infer_error(b);
}

// Returns the type of the enum that an option pattern names, with unknown generics, or NULL after
// an error. Sets *symbol to the enum.
static Node *enum_of(Body *b, const Ast *pattern, const Symbol **symbol)
{
    Sym name = session_sym(b->cx, pattern->value.string);
    const Symbol *y = infer_find_symbol(&b->scope, name);
    Span span = {pattern->span.file, pattern->span.lo, pattern->span.lo + name->len};
    *symbol = y;
    if (!y) {
        infer_unknown_name(&b->scope, name, span, "an enum is expected here");
        return NULL;
    }
    infer_record_symbol(b->in, span, y);
    if (infer_is_ambiguous(&b->scope, y, span)) return NULL;
    if (y->kind != SYMBOL_ENUM) {
        diag_error(b->cx, E0203, span, "`%s` is not an enum", name->text);
        return NULL;
    }
    if (!infer_declared_type(b->in, y)) return NULL;
    int n = y->generics.len;
    Node **with = infer_generics(&b->scope, y, y->generics.at, n, n, &(AstVec){0}, span);
    return with ? infer_replace(b->cx, y->type, y->generics.at, with, n) : NULL;
}

// Returns the payload of the option that a pattern names, or NULL after an error. It consists of
// vectors if the enum differs by lane.
static Node *payload_of(Body *b, const Ast *pattern, Node *type)
{
    const Symbol *y;
    Node *t = enum_of(b, pattern, &y), *found = infer_resolve(b, type);
    if (!t || !pattern->name) return NULL;
    bool in_lanes = type_is_enum(found) && infer_lanes_inside(b, found);
    if (in_lanes && t->kind == TYPE_STRUCT && t->attr.sym == found->attr.sym) t = found;
    if (!infer_unify(b, type, t, pattern->span, (Why){WHY_PATTERN, NULL, 0})) return NULL;
    int k = infer_option_number(b, y, pattern->name, pattern->name_span);
    if (k < 0 || t->kind != TYPE_STRUCT) return NULL;
    infer_note(b, pattern)->symbol = y;
    infer_note(b, pattern)->option = k;
    Node *payload = t->op[k + 1];
    if ((int)payload->nops == pattern->kids.len) return payload;
    Diag *d = diag_error(b->cx, E0313, pattern->span, "`%s.%s` has %d part%s, not %d",
                         y->name->text, pattern->name->text, (int)payload->nops,
                         payload->nops == 1 ? "" : "s", pattern->kids.len);
    diag_note(b->cx, d, y->item->options.at[k].span, "it is declared here");
    return NULL;
}

// Binds an option pattern, such as Shape.Circle(p). The payload of option k is component k + 1 of
// the value.
static void bind_option(Body *b, const Ast *pattern, Node *type, Local *parent, int component)
{
    Node *payload = payload_of(b, pattern, type);
    Local *whole = parent_of(b, type, parent, component), *parts = NULL;
    infer_note(b, pattern)->local = whole;
    if (payload)
        parts = parent_of(b, payload, whole, infer_note(b, pattern)->option + 1);
    else
        infer_error(b);
    for (int i = 0; i < pattern->kids.len; i++)
        infer_bind(b, pattern->kids.at[i], payload ? payload->op[i] : infer_error(b), parts, i);
}

void infer_bind(Body *b, const Ast *pattern, Node *type, Local *parent, int component)
{
    infer_note(b, pattern)->type = type;
    vec_push(b->arena, &b->seen, pattern);
    switch (pattern->kind) {
    case AST_BIND:
    case AST_BIND_MUT: bind_name(b, pattern, type, parent, component); break;
    case AST_BIND_ARRAY: bind_array(b, pattern, type, parent, component); break;
    case AST_BIND_STRUCT: bind_struct(b, pattern, type, parent, component); break;
    case AST_BIND_TUPLE: bind_tuple(b, pattern, type, parent, component); break;
    case AST_BIND_VALUE: bind_value(b, pattern, type); break;
    case AST_BIND_OPTION: bind_option(b, pattern, type, parent, component); break;
    default: break; // _, or an error
    }
}
