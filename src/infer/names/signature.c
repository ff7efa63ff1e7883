// Declarations: signatures of functions and patterns, structs, enums, aliases, and constants. Each
// is read on first use, so declarations may come in any order.
#include "base/target/c_word.h"
#include "infer/names/names.h"
#include "ir/walk.h"

#include <string.h>

static GenericKind generic_kind(Sym kind)
{
    static const char *const names[] = {"nat", "data", "num", "int", "float", "scalar"};
    for (int i = 0; kind && i < 6; i++)
        if (strcmp(kind->text, names[i]) == 0) return (GenericKind)i;
    return GENERIC_DATA; // the parser has reported the unknown kind
}

bool infer_is_nat_type(Scope *s, const Ast *type)
{
    if (!type || type->kind != AST_TYPE_NAME || !type->name || type->generics.len) return false;
    return strcmp(type->name->text, "nat") == 0 && !infer_find_local(s, type->name) &&
           !infer_find_symbol(s, type->name);
}

static void report_twice(Scope *s, Sym name, Span span, Span first)
{
    Diag *d = diag_error(s->in->cx, E0202, span, "`%s` is defined twice", name->text);
    diag_note(s->in->cx, d, first, "the first is here");
}

static SigGeneric size_generic(Session *cx, Sym name, Span span, int parameter)
{
    return (SigGeneric){.name = name,
                        .kind_name = session_sym(cx, "nat"),
                        .kind = GENERIC_NAT,
                        .span = span,
                        .parameter = parameter};
}

static void report_if_declared(Scope *s, Sym name, Span span)
{
    const Local *first = infer_find_local(s, name);
    if (first) report_twice(s, name, span, first->span);
}

static void declare_generic(Scope *s, SigGeneric g)
{
    report_if_declared(s, g.name, g.span);
    infer_push_generics(s, &g, 1);
}

// Whether a generic or a parameter of the item, or an extent of an earlier shape, has this name.
static bool is_taken(const Item *item, const Signature *sig, Sym name)
{
    for (int i = 0; i < sig->generics.len; i++)
        if (sig->generics.at[i].name == name) return true;
    for (int i = 0; i < item->generics.len; i++)
        if (item->generics.at[i].name == name) return true;
    for (int i = 0; i < item->params.len; i++)
        if (item->params.at[i].name == name) return true;
    return false;
}

// The name of extent k of the shape s: s0, s1, ...
static Sym extent_name(Infer *in, const Item *item, const Signature *sig, Sym shape, int k)
{
    Sym name = session_sym(in->cx, arena_printf(in->arena, "%s%d", shape->text, k));
    while (is_taken(item, sig, name))
        name = session_sym(in->cx, arena_printf(in->arena, "%s_", name->text));
    return name;
}

static const Extents *numbers_of(const Symbol *y, int parameter)
{
    return y->numbers && parameter >= 0 ? y->numbers[parameter] : NULL;
}

static void declare_shape(Scope *s, Signature *sig, const Symbol *y, Sym name, Span span,
                          int parameter)
{
    Infer *in = s->in;
    int rank = y->ranks[sig->shapes.len];
    SigShape h = {name, span, sig->generics.len, rank, parameter};
    report_if_declared(s, name, span);
    vec_push(in->arena, &sig->shapes, h);
    for (int k = 0; k < rank; k++) {
        Sym extent = extent_name(in, y->item, sig, name, k);
        SigGeneric g = size_generic(in->cx, extent, span, parameter);
        g.extent = true;
        g.number = numbers_of(y, parameter) ? numbers_of(y, parameter)->at[k] : NULL;
        vec_push(in->arena, &sig->generics, g);
    }
    Signature one = {.generics.at = sig->generics.at, .generics.len = sig->generics.len};
    vec_push(in->arena, &one.shapes, h);
    infer_push_shapes(s, &one);
}

static void add_generic(Scope *s, Signature *sig, SigGeneric g)
{
    declare_generic(s, g);
    vec_push(s->in->arena, &sig->generics, g);
}

// Reads the numbers that a rule takes in parentheses, and the generics in brackets. Only members of
// families (instances of rank-polymorphic functions) have shape parameters.
static void read_generics(Scope *s, const Symbol *y, Signature *sig)
{
    const Item *item = y->item;
    for (int i = 0; i < item->numbers.len; i++) {
        const AstParam *a = &item->numbers.at[i];
        if (a->name) add_generic(s, sig, size_generic(s->in->cx, a->name, a->span, -1));
    }
    for (int i = 0; i < item->generics.len; i++) {
        const AstGeneric *a = &item->generics.at[i];
        if (!a->name) continue;
        if (y->family && infer_is_shape_kind(a->kind)) {
            declare_shape(s, sig, y, a->name, a->span, -1);
            continue;
        }
        if (infer_is_shape_kind(a->kind))
            diag_error(s->in->cx, E0421, a->kind_span,
                       y->visible ? "a function in a block has no shape parameters of its own"
                                  : "only functions have shape parameters");
        SigGeneric g = {a->name, a->kind, generic_kind(a->kind), a->span, -1, false, NULL};
        if (!g.kind_name) g.kind_name = session_sym(s->in->cx, "data");
        add_generic(s, sig, g);
    }
}

static void read_param(Scope *s, Signature *sig, const AstParam *p)
{
    SigParam param = {p->name, infer_type(s, p->type), -1, false, -1};
    if (param.type->kind == TYPE_MODE) sig->has_mode = true;
    vec_push(s->in->arena, &sig->params, param);
}

// Brings all parameters into scope first, because a type may use a size parameter to its right
// (`k: nat` in parentheses is a generic that a call passes as an argument). Value parameters are in
// scope only so that using them as sizes is reported.
static void declare_params(Scope *s, Signature *sig, const Symbol *y)
{
    const Item *item = y->item;
    for (int i = 0; i < item->params.len; i++) {
        const AstParam *p = &item->params.at[i];
        if (infer_is_shape_type(p->type) && y->family) {
            declare_shape(s, sig, y, p->name, p->span, i);
            continue;
        }
        if (infer_is_nat_type(s, p->type)) {
            SigGeneric g = size_generic(s->in->cx, p->name, p->span, i);
            if (numbers_of(y, i))
                g.number = numbers_of(y, i)->at[0];
            else if (y->family)
                g.number = infer_rank_of_size(s, item, p->name);
            add_generic(s, sig, g);
            continue;
        }
        report_if_declared(s, p->name, p->span);
        infer_local_push(s, LOCAL_VALUE, p->name, p->span, NULL);
    }
}

static void read_params(Scope *s, Signature *sig, const Symbol *y)
{
    const Item *item = y->item;
    int next = sig->generics.len, shape = sig->shapes.len;
    declare_params(s, sig, y);
    for (int i = 0; i < item->params.len; i++) {
        const AstParam *p = &item->params.at[i];
        const SigShape *h = shape < sig->shapes.len ? &sig->shapes.at[shape] : NULL;
        bool is_shape = h && h->parameter == i;
        bool size = next < sig->generics.len && sig->generics.at[next].parameter == i;
        if (!is_shape && !size) {
            read_param(s, sig, p);
            continue;
        }
        SigParam param = {p->name, NULL, next, false, is_shape ? shape++ : -1};
        vec_push(s->in->arena, &sig->params, param);
        next += is_shape ? h->rank : 1;
    }
}

// Reads the number of lanes of a simd[n] fn.
static void read_simd(Scope *s, Signature *sig, const Item *item)
{
    Session *cx = s->in->cx;
    int64_t lanes;
    sig->simd = infer_size(s, item->simd);
    if (sig->simd && nat_is_const(sig->simd, &lanes) && lanes <= 0) {
        diag_error(cx, E0327, item->simd->span, "a vector has at least one lane, not %lld",
                   (long long)lanes);
        sig->simd = NULL;
    }
}

static Signature *read_signature(Infer *in, const Symbol *y)
{
    Signature *sig = ARENA_NEW(in->arena, Signature);
    Scope s = infer_scope_new(in, in->arena, y->unit, NULL);
    const Item *item = y->item;
    s.symbol = y;
    infer_inherit(&s, sig, y);
    read_generics(&s, y, sig);
    sig->nbracket = sig->generics.len;
    read_params(&s, sig, y);
    sig->result = infer_result_type(&s, item->type);
    if (sig->result->kind == TYPE_MODE) {
        diag_error(in->cx, E0309, item->type->span,
                   "a border mode is not data and cannot be a result");
        sig->result = type_error(in->cx);
    }
    for (int i = 0; i < item->where.len; i++) infer_where(&s, item->where.at[i], &sig->where);
    if (item->simd) read_simd(&s, sig, item);
    for (int i = 0; i < sig->params.len; i++) {
        const Local *l = infer_find_local(&s, sig->params.at[i].name);
        sig->params.at[i].reported = l && l->reported;
    }
    return sig;
}

static Symbol *writable(const Symbol *y)
{
    return (Symbol *)(uintptr_t)y;
}

static void depends_on_itself(Infer *in, const Symbol *y)
{
    diag_error(in->cx, E0206, y->item->name_span, "`%s` is defined in terms of itself",
               y->name->text);
}

static Signature *const_signature(Infer *in, Symbol *y)
{
    if (y->state == STATE_BUSY) {
        depends_on_itself(in, y);
        return NULL;
    }
    y->state = STATE_BUSY;
    Node *type = in->const_type(in, y);
    y->state = STATE_DONE;
    if (!type) return NULL;
    y->signature = ARENA_NEW(in->arena, Signature);
    y->signature->result = type;
    return y->signature;
}

Signature *infer_signature(Infer *in, const Symbol *symbol)
{
    Symbol *y = writable(symbol);
    if (y->state == STATE_DONE) return y->signature;
    CHECK(in->cx, !y->is_family, "the family %s has no signature", y->name->text);
    if (y->kind == SYMBOL_CONST) return const_signature(in, y);
    y->state = STATE_DONE;
    return y->signature = read_signature(in, y);
}

// --- structs and aliases -----------------------------------------------------------------------

// Reports members that a struct with #[c_layout] cannot have, because C has no type for them.
static void check_c_layout(Scope *s, const Symbol *y, Node *const *fields)
{
    Session *cx = s->in->cx;
    const Item *item = y->item;
    int64_t size;
    if (item->generics.len)
        diag_error(cx, E0332, item->generics.at[0].span,
                   "`%s` has the layout of C, so it cannot have generic parameters",
                   item->name->text);
    if (item->params.len == 0)
        diag_error(cx, E0332, item->name_span, "`%s` has no members, but structs of C have some",
                   item->name->text);
    for (int i = 0; i < item->params.len && item->generics.len == 0; i++) {
        if (fields[i]->kind == TYPE_ERROR || type_c_size(cx, fields[i], &size)) continue;
        Diag *d = diag_error(cx, E0332, item->params.at[i].type->span,
                             "C has no layout for a member of type `%s`", type_show(cx, fields[i]));
        Node *inner = type_elements(fields[i]);
        const Symbol *of = infer_struct_symbol(s->in, inner);
        if (of && of->kind == SYMBOL_STRUCT && !of->item->c_layout.file)
            diag_help(cx, d, "declare `%s` with #[c_layout], too", of->name->text);
        else if (inner->kind == TYPE_IDX)
            diag_help(cx, d,
                      "use i64, and convert it by `as idx[n]`, which is checked at run time");
        else
            diag_help(cx, d,
                      "members are numbers, bool, structs with #[c_layout], and arrays of these of "
                      "known lengths of at least 1");
    }
}

static Node *read_struct(Scope *s, Symbol *y)
{
    const Item *item = y->item;
    int n = item->params.len;
    Node **fields = ARENA_ARRAY(s->in->arena, Node *, n + 1);
    Sym *names = ARENA_ARRAY(s->in->arena, Sym, n + 1);
    for (int i = 0; i < n; i++) {
        const AstParam *p = &item->params.at[i];
        names[i] = p->name;
        for (int k = 0; k < i; k++)
            if (names[k] == p->name) report_twice(s, p->name, p->span, item->params.at[k].span);
        fields[i] = infer_type(s, p->type);
        if (fields[i]->kind == TYPE_MODE) {
            diag_error(s->in->cx, E0309, p->type->span, "a border mode cannot be a field");
            fields[i] = type_error(s->in->cx);
        }
    }
    y->fields = names;
    if (item->c_layout.file) check_c_layout(s, y, fields);
    if (item->c_layout.file) map_put(&s->in->cx->c_layouts, MAP_KEY(y->full), y);
    for (int i = 0; i < n; i++)
        if (fields[i]->kind == TYPE_ERROR) return fields[i];
    return type_struct(s->in->cx, y->full, n, fields, names);
}

// Reads the types of the values in an option as a tuple, and reports those that are not data.
static Node *read_option(Scope *s, const AstOption *o)
{
    Session *cx = s->in->cx;
    int n = o->types.len;
    Node **parts = ARENA_ARRAY(s->in->arena, Node *, n + 1);
    bool bad = false;
    for (int i = 0; i < n; i++) {
        parts[i] = infer_type(s, o->types.at[i]);
        bool data = parts[i]->kind == TYPE_ERROR || type_is_data(parts[i]);
        if (!data)
            diag_error(cx, E0309, o->types.at[i]->span,
                       "the values in an enum must be data, but `%s` is not data",
                       type_show(cx, parts[i]));
        bad |= !data || parts[i]->kind == TYPE_ERROR;
    }
    return bad ? type_error(cx) : type_tuple(cx, n, parts);
}

// Reads an enum as a struct that holds the option number, followed by one tuple per option.
static Node *read_enum(Scope *s, Symbol *y)
{
    Session *cx = s->in->cx;
    const Item *item = y->item;
    int n = item->options.len;
    Node **fields = ARENA_ARRAY(s->in->arena, Node *, n + 1), *bad = NULL;
    Sym *names = ARENA_ARRAY(s->in->arena, Sym, n + 1);
    fields[0] = type_scalar(cx, SCALAR_I32);
    names[0] = session_sym(cx, "#");
    for (int i = 0; i < n; i++) {
        const AstOption *o = &item->options.at[i];
        names[i + 1] = o->name;
        for (int k = 0; k < i; k++)
            if (names[k + 1] == o->name)
                report_twice(s, o->name, o->span, item->options.at[k].span);
        fields[i + 1] = read_option(s, o);
        if (fields[i + 1]->kind == TYPE_ERROR) bad = fields[i + 1];
    }
    y->fields = names;
    return bad ? bad : type_struct(cx, y->full, n + 1, fields, names);
}

bool infer_declared_type(Infer *in, const Symbol *symbol)
{
    Symbol *y = writable(symbol);
    if (y->state == STATE_BUSY) depends_on_itself(in, y);
    if (y->state != STATE_NEW) return y->state == STATE_DONE && y->type;
    y->state = STATE_BUSY;
    Scope s = infer_scope_new(in, in->arena, y->unit, NULL);
    Signature generics = {0};
    read_generics(&s, y, &generics);
    for (int i = 0; i < generics.generics.len; i++)
        vec_push(in->arena, &y->generics, generics.generics.at[i]);
    Node *type = y->kind == SYMBOL_STRUCT ? read_struct(&s, y)
                 : y->kind == SYMBOL_ENUM ? read_enum(&s, y)
                                          : infer_type(&s, y->item->type);
    y->state = STATE_DONE;
    y->type = type;
    return true;
}

// --- constants of type nat ---------------------------------------------------------------------

Node *infer_const_size(Infer *in, const Symbol *symbol)
{
    Symbol *y = writable(symbol);
    Scope s = infer_scope_new(in, in->arena, y->unit, NULL);
    if (!infer_is_nat_type(&s, y->item->type)) {
        infer_signature(in, y);
        return NULL;
    }
    y->is_nat = true;
    if (y->state == STATE_BUSY) depends_on_itself(in, y);
    if (y->state != STATE_NEW) return y->size;
    y->state = STATE_BUSY;
    Node *n = infer_size(&s, y->item->body);
    int64_t value;
    if (n && !(nat_is_const(n, &value) && value >= 0)) {
        diag_error(in->cx, E0405, y->item->body->span, "the size `%s` is negative", y->name->text);
        n = NULL;
    }
    y->state = STATE_DONE;
    y->signature = ARENA_NEW(in->arena, Signature);
    y->signature->result = type_scalar(in->cx, SCALAR_I64);
    return y->size = n;
}

// --- entries and C functions -------------------------------------------------------------------

static void refuse_parameter(Infer *in, const AstParam *p, Node *t)
{
    Diag *d = diag_error(in->cx, E0311, p->span,
                         "the parameters of an entry must be data, but `%s` is not data",
                         type_show(in->cx, t));
    if (t->kind == TYPE_REF && type_ref_mutable(t))
        diag_help(in->cx, d, "return the changed array: entry fn f[n: nat](xs: [n]f32) -> [n]f32");
    else if (t->kind == TYPE_REF)
        diag_help(in->cx, d, "take the value: `%s`", type_show(in->cx, t->op[0]));
}

static const char *instead_of_strides(Node *t, Node *element, bool result)
{
    if (t->kind == TYPE_TUPLE)
        return result ? "write `strided` after its components"
                      : "declare its components as separate parameters";
    if (t->kind != TYPE_ARRAY) return "leave `strided` out";
    return element->kind == TYPE_VEC ? "take an array of scalars, and make vectors by as_vector"
                                     : "take one array for each member, each with its own strides";
}

// Rejects `strided` unless the type is an array of scalars. `t` is NULL for a size.
static void check_strided(Infer *in, const Ast *e, Node *t, bool result)
{
    if (!e->strided || (t && t->kind == TYPE_ERROR)) return;
    Node *inner = t ? type_elements(t) : NULL;
    bool scalars = inner && (type_is_atom(inner) || inner->kind == TYPE_ERROR);
    if (t && t->kind == TYPE_ARRAY && scalars) return;
    Diag *d =
        diag_error(in->cx, E0334, e->span, "`%s` is not an array of scalars: it has no strides",
                   t ? type_show(in->cx, t) : "nat");
    diag_help(in->cx, d, "%s", t ? instead_of_strides(t, inner, result) : "leave `strided` out");
}

static void check_strides(Infer *in, const Symbol *y)
{
    const Signature *sig = y->signature;
    const Item *item = y->item;
    Node *r = sig->result;
    for (int i = 0; i < sig->params.len; i++)
        check_strided(in, item->params.at[i].type, sig->params.at[i].type, false);
    check_strided(in, item->type, r, true);
    if (item->type->kind != AST_TYPE_TUPLE) return;
    for (int i = 0; i < item->type->kids.len; i++)
        check_strided(in, item->type->kids.at[i], r->kind == TYPE_TUPLE ? r->op[i] : r, true);
}

// Checks that the parameters and the result of an entry, which C calls, are data of known types.
void infer_check_entry(Infer *in, const Symbol *y)
{
    const Signature *sig = y->signature;
    const Item *item = y->item;
    for (int i = 0; i < sig->generics.len; i++) {
        if (sig->generics.at[i].kind == GENERIC_NAT) continue;
        Diag *d = diag_error(in->cx, E0311, sig->generics.at[i].span,
                             "an entry cannot be generic in a type");
        diag_help(in->cx, d, "write an entry for each type, which calls a generic function");
    }
    for (int i = 0; i < sig->params.len; i++) {
        Node *t = sig->params.at[i].type;
        if (t && t->kind != TYPE_ERROR && !type_is_data(t))
            refuse_parameter(in, &item->params.at[i], t);
    }
    if (sig->result->kind != TYPE_ERROR && !type_is_data(sig->result))
        diag_error(in->cx, E0311, item->type->span,
                   "the result of an entry must be data, but `%s` is not",
                   type_show(in->cx, sig->result));
    check_strides(in, y);
}

// Checks the name of a C function. The generated C uses it unchanged, so it must not be a reserved
// word in C. Names that begin with adze_ are reserved for generated code.
static void check_c_name(Infer *in, const Item *item)
{
    const char *name = item->name->text;
    bool word = c_word_is(name);
    if (!word && strncmp(name, "adze_", 5) != 0) return;
    Diag *d = diag_error(in->cx, E0325, item->name_span,
                         word ? "`%s` is a word of C and cannot be the name of a function there"
                              : "names that begin with adze_, like `%s`, belong to generated code",
                         name);
    diag_help(in->cx, d, "write a function with another name in C that calls it");
}

typedef struct {
    Session *cx;
    Node *record;
} FindRecord;

static Walk find_c_layout(Node *t, void *env)
{
    FindRecord *f = env;
    bool found = t->kind == TYPE_STRUCT && map_get(&f->cx->c_layouts, MAP_KEY(t->attr.sym));
    if (found) f->record = t;
    return found ? WALK_STOP : WALK_INTO;
}

// Rejects structs with #[c_layout]. A C function would expect such a struct as a whole, but would
// get a separate pointer for each scalar component.
static void check_no_c_layout(Infer *in, Span span, Node *type)
{
    FindRecord f = {in->cx, NULL};
    Map seen = map_new(in->arena);
    if (!node_walk_once(&seen, type, find_c_layout, &f)) return;
    Diag *d = diag_error(in->cx, E0325, span,
                         "`%s` has the layout of C only in calls of entries from C, and an extern "
                         "function gets each of its members apart",
                         type_show(in->cx, f.record));
    diag_help(in->cx, d, "pass the members, as parameters of their own");
}

// Checks that a C function takes data and references to data, and that its result is a scalar or
// ().
void infer_check_extern(Infer *in, const Symbol *y)
{
    const Signature *sig = y->signature;
    const Item *item = y->item;
    check_c_name(in, item);
    for (int i = 0; i < sig->generics.len; i++)
        if (sig->generics.at[i].kind != GENERIC_NAT)
            diag_error(in->cx, E0325, sig->generics.at[i].span,
                       "a C function cannot be generic in a type");
    for (int i = 0; i < sig->params.len; i++) {
        Node *t = sig->params.at[i].type;
        bool good = !t || t->kind == TYPE_ERROR || type_is_data(t) || t->kind == TYPE_REF;
        if (!good)
            diag_error(in->cx, E0325, item->params.at[i].span,
                       "a C function takes data and references, but `%s` is neither",
                       type_show(in->cx, t));
        else if (t)
            check_no_c_layout(in, item->params.at[i].span, t);
    }
    Node *r = sig->result;
    if (r->kind == TYPE_ERROR || type_is_atom(r) || type_is_unit(r)) return;
    Diag *d = diag_error(in->cx, E0325, item->type->span,
                         "the result of a C function must be a scalar or (), not `%s`",
                         type_show(in->cx, r));
    diag_help(in->cx, d, "return the value through a parameter of type &mut");
}

// Whether a rule can match arguments of the type: data, or functions from data to data.
static bool is_matched(Node *type)
{
    if (type->kind == TYPE_FUN) {
        for (int i = 0; i < type_nparams(type); i++)
            if (!type_is_data(type_param(type, i))) return false;
        type = type_result(type);
    }
    return type->kind == TYPE_ERROR || type_is_data(type);
}

void infer_check_pattern(Infer *in, const Symbol *y)
{
    const Signature *sig = y->signature;
    for (int i = 0; i < sig->params.len; i++) {
        Node *t = sig->params.at[i].type;
        if (!t || is_matched(t)) continue;
        Diag *d = diag_error(in->cx, E0317, y->item->params.at[i].span,
                             "a pattern takes data and functions of data, but `%s` is neither",
                             type_show(in->cx, t));
        diag_help(in->cx, d, "declare a function: fn %s...", y->name->text);
    }
    if (sig->result->kind != TYPE_ERROR && !type_is_data(sig->result))
        diag_error(in->cx, E0317, y->item->name_span, "the result of a pattern is data, not `%s`",
                   type_show(in->cx, sig->result));
}
