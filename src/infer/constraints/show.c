// Types and reasons, as shown in messages.
#include "infer/constraints/constraints.h"

#include <string.h>

// The number of the generic parameter that the type or size is, or -1.
static int generic_of(const Symbol *y, Node *declared)
{
    for (int i = 0; i < y->generics.len; i++)
        if ((declared->kind == TYPE_VAR || declared->kind == NAT_VAR) &&
            declared->attr.sym == y->generics.at[i].name)
            return i;
    return -1;
}

// Finds the generic arguments of a struct by comparing its declared type with the instance `t`.
static void find_arguments(const Symbol *y, Node *declared, Node *t, Node **with)
{
    int i = generic_of(y, declared);
    if (i >= 0) with[i] = t;
    if (declared->kind != t->kind || declared->nops != t->nops) return;
    for (uint32_t k = 0; k < t->nops; k++) find_arguments(y, declared->op[k], t->op[k], with);
}

// Whether the type is the declared one with these arguments, apart from sizes.
static bool is_instance(const Symbol *y, Node *declared, Node *t, Node *const *with)
{
    int i = generic_of(y, declared);
    if (kind_info[declared->kind].levels & LEVEL_NAT) return true;
    if (i >= 0) return with[i] == t;
    bool same = declared->kind == t->kind && declared->nops == t->nops;
    for (uint32_t k = 0; k < t->nops && same; k++)
        same = is_instance(y, declared->op[k], t->op[k], with);
    return same && (t->nops > 0 || declared == t);
}

// Compares the fields with the declared ones, because a struct that differs by lane keeps its name.
bool infer_is_in_lanes(Body *b, Node *t)
{
    const Symbol *y = infer_struct_symbol(b->in, t);
    if (t->kind != TYPE_STRUCT) return false;
    if (type_is_enum(t)) return infer_lanes_inside(b, t) != NULL;
    if (!y || !y->type || !type_has_vector(t)) return false;
    Node **with = ARENA_ARRAY(b->cx->arena, Node *, y->generics.len + 1);
    find_arguments(y, y->type, t, with);
    // unless the declaration itself has vectors, arguments that are vectors are those of lanes
    if (type_has_vector(y->type)) return !is_instance(y, y->type, t, with);
    for (uint32_t i = 0; i < t->nops; i++)
        if (type_has_vector(t->op[i])) return true;
    return false;
}

// Whether another module has a struct of this name; messages then show the full name.
static bool has_namesake(const Body *b, Node *t)
{
    for (int i = 0; i < b->in->structs.len; i++) {
        const Symbol *y = b->in->structs.entries[i].value;
        if (y && y->full != t->attr.sym && strcmp(y->name->text, type_own_name(t)) == 0)
            return true;
    }
    return false;
}

// Prints a struct as Name[n, f32], with the arguments that its fields determine.
static bool show_struct(Text *out, Node *t, void *env)
{
    Body *b = env;
    if (infer_is_in_lanes(b, t)) return false;
    const Symbol *y = infer_struct_symbol(b->in, t);
    int n = y && y->type ? y->generics.len : 0;
    Node **with = ARENA_ARRAY(b->cx->arena, Node *, n + 1);
    if (n) find_arguments(y, y->type, t, with);
    text_put(out, has_namesake(b, t) ? t->attr.sym->text : type_own_name(t));
    for (int i = 0; i < n; i++) {
        text_put(out, i ? ", " : "[");
        if (!with[i] || with[i]->kind == NAT_META)
            text_char(out, '_');
        else if (kind_info[with[i]->kind].levels & LEVEL_NAT)
            nat_print(out, with[i], 0);
        else
            text_put(out, type_show_by(b->cx, with[i], show_struct, b));
    }
    if (n) text_char(out, ']');
    return true;
}

Node *infer_as_written(Body *b, Node *t)
{
    t = infer_resolve(b, t);
    int n = b->opened.len;
    if (n == 0) return t;
    NodeBinding *with = ARENA_ARRAY(b->arena, NodeBinding, n);
    for (int i = 0; i < n; i++) {
        const OpenedSize *o = &b->opened.at[i];
        with[i] = (NodeBinding){o->size->attr.sym, nat_var(b->cx, o->written)};
    }
    return node_replace_names(b->cx, t, with, n);
}

const char *infer_show(Body *b, Node *t)
{
    t = infer_as_written(b, t);
    if (!infer_is_in_lanes(b, t)) return type_show_by(b->cx, t, show_struct, b);
    Text out = text_new(b->cx->arena);
    text_put(&out, "varying[");
    nat_print(&out, infer_lanes_inside(b, t), 0);
    text_printf(&out, "] %s", type_show(b->cx, t));
    return text_get(&out);
}

const char *infer_show_found(Body *b, Node *t)
{
    t = infer_resolve(b, t);
    if (t->kind != TYPE_META) return arena_printf(b->cx->arena, "`%s`", infer_show(b, t));
    return "this";
}

bool infer_is_open_number(Body *b, Node *t)
{
    return infer_is_unknown(t) && infer_is_number(b, t);
}

const char *infer_in_words(Body *b, Node *t)
{
    MetaKind kind;
    if (solver_is_open(b->scope.solver, t, &kind) && kind == META_FLOAT) return "a float";
    if (infer_is_open_number(b, t)) return "a number";
    if (t->kind == TYPE_ARRAY && infer_unknown_in(t)) return "an array";
    return infer_is_unknown(t) ? "another type"
                               : arena_printf(b->cx->arena, "`%s`", infer_show(b, t));
}

static const char *parameter_name(Why why)
{
    const Item *item = why.symbol ? why.symbol->item : NULL;
    if (!item || why.index < 0 || why.index >= item->params.len) return NULL;
    Sym name = item->params.at[why.index].name;
    return name ? name->text : NULL;
}

static const char *generic_name(Why why)
{
    const Signature *sig = why.symbol ? why.symbol->signature : NULL;
    if (!sig || why.index < 0 || why.index >= sig->generics.len) return "a size";
    return sig->generics.at[why.index].name->text;
}

const char *infer_why(Body *b, Why why)
{
    Arena *arena = b->cx->arena;
    const char *of = why.symbol ? why.symbol->name->text : "the function", *name;
    switch (why.kind) {
    case WHY_NONE: return NULL;
    case WHY_ARGUMENT:
        name = parameter_name(why);
        if (name) return arena_printf(arena, "argument `%s` of %s", name, of);
        return arena_printf(arena, "argument %d of %s", why.index + 1, of);
    case WHY_RESULT: return arena_printf(arena, "the result of %s", of);
    case WHY_BODY: return arena_printf(arena, "the declared result of %s", of);
    case WHY_ANNOTATION: return "the type written here";
    case WHY_ASSIGN: return "the place that is assigned to";
    case WHY_ELEMENT: return "the elements of an array have one type";
    case WHY_BRANCH: return "both branches of `if` have one type";
    case WHY_ARM: return "all arms of `match` have one type";
    case WHY_PATTERN: return "the pattern and the value have one type";
    case WHY_CONDITION: return "a condition is a bool";
    case WHY_OPERATOR: return "both operands have one type";
    case WHY_FIELD: return arena_printf(arena, "field of struct %s", of);
    case WHY_COMPOSE: return "the second function takes the result of the first";
    case WHY_WHERE: return arena_printf(arena, "%s requires it", of);
    case WHY_GENERIC:
        return arena_printf(arena, "`%s` of %s is a size, at least 0", generic_name(why), of);
    case WHY_SLICE: return "the bounds of a slice lie in the array, in order";
    case WHY_MODE: return "a border of clamp, mirror or wrap needs an element to repeat";
    case WHY_SHAPE: return "both operands have one shape";
    case WHY_LANES: return "all vectors of an operation have one length";
    case WHY_EXTENT: return "the extents of genarray are sizes, at least 0";
    case WHY_LOWER: return "the generator begins inside of the array";
    case WHY_UPPER: return "the generator ends inside of the array";
    case WHY_STEP: return "the step of a generator is at least 1";
    case WHY_PARTS: return "an array pattern names each element";
    case WHY_RULE: return "the two sides of a rule have one type";
    }
    return NULL;
}

const char *infer_written(Body *b, Span span)
{
    enum { MOST = 24 };
    if (!span.file || span.hi - span.lo > MOST) return "...";
    const char *text = source_text(b->cx, span);
    return strchr(text, '\n') ? "..." : text;
}
