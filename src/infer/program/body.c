// Bodies of functions, constants and tests. Each body is inferred separately, using the signatures
// of the others.
#include "infer/program/program.h"

void infer_members(Infer *in)
{
    for (int i = 0; i < in->members.len; i++) {
        Symbol *y = in->members.at[i];
        int first = in->cx->diags.len;
        infer_function_body(in, y);
        infer_note_ranks(in, y, first);
    }
    in->members.len = 0;
}

// Brings `return`, which carries the result of the function, into scope.
static void enter_return(Body *b, Node *result)
{
    if (!type_is_data(result)) return;
    b->exit = infer_continuation(b, "return", type_continuation(b->cx, result));
    infer_local_enter(&b->scope, b->exit);
}

// Infers the conditions after @, in which all parameters are in scope.
static void infer_filters(Body *b, const Item *item)
{
    for (int i = 0; i <= item->params.len; i++) {
        const Ast *filter = i < item->params.len ? item->params.at[i].filter : item->filter;
        if (filter) infer_check(b, filter, infer_boolean(b), (Why){WHY_CONDITION, NULL, 0});
    }
}

static void walk_function(Body *b, const void *env)
{
    const Symbol *y = env;
    b->value = y->item->body;
    b->type = y->signature->result;
    if (b->type->kind == TYPE_ERROR) b->failed = true;
    infer_filters(b, y->item);
    if (y->kind == SYMBOL_FN) enter_return(b, b->type);
    b->around.lanes = y->signature->simd;
    b->has_scalar = infer_keeps_masks(b->in, y);
    infer_check(b, b->value, b->type, (Why){WHY_BODY, y, 0});
}

static Body *infer_item(Infer *in, Arena *arena, Unit *unit, const Symbol *y, const Item *item,
                        void (*walk)(Body *b, const void *env), const void *env)
{
    BodySource r = {unit, y, item->span, INT32_MAX, -1, walk, env};
    ast_item_ids(item, &r.first_id, &r.last_id);
    infer_declare_nested(in, unit, y && y->kind == SYMBOL_FN ? y : NULL, item->body);
    return infer_to_fixed_point(in, arena, &r);
}

Arena *infer_scratch(Infer *in)
{
    enum { BODIES = 16 };
    if (in->bodies++ % BODIES == 0 || !in->scratch) {
        arena_delete(in->scratch);
        in->scratch = arena_new_beside(in->cx->arena);
    }
    return in->scratch;
}

// Infers the body of a function or constant and builds its Core. The body of a function with mode
// parameters is kept, because its versions are elaborated on demand.
void infer_function_body(Infer *in, Symbol *y)
{
    if (!y->signature) return;
    if (y->item->kind == ITEM_EXTERN) elab_extern(in, y);
    if (!y->item->body) return;
    if (y->body) {
        elab_function(in, y, NULL);
        return;
    }
    bool keep = y->signature->has_mode;
    Body *b =
        infer_item(in, keep ? in->arena : infer_scratch(in), y->unit, y, y->item, walk_function, y);
    y->body = b;
    if (keep) return;
    elab_function(in, y, NULL);
    if (y->signature->simd && !b->failed) elab_simd_version(in, y);
    y->body = NULL;
}

// The declared type of a constant or, if there is none, the inferred type of its body.
Node *infer_const_type(Infer *in, Symbol *y)
{
    const Item *item = y->item;
    Scope s = infer_scope_new(in, in->arena, y->unit, NULL);
    Node *t = item->type ? infer_type(&s, item->type) : NULL;
    if (!t) {
        Body *b = infer_body_new(in, in->arena, y->unit, NULL);
        b->value = item->body;
        infer_declare_nested(in, y->unit, NULL, item->body);
        t = infer_expr(b, b->value, NULL);
        bool good = infer_finish(b);
        t = b->type = infer_resolve(b, t);
        y->body = b;
        if (!good) return NULL;
    }
    if (t->kind == TYPE_ERROR || type_is_data(t)) return t->kind == TYPE_ERROR ? NULL : t;
    Diag *d = diag_error(in->cx, E0309, item->name_span,
                         "a constant must be data, but `%s` is of type `%s`", y->name->text,
                         type_show(in->cx, t));
    if (t->kind == TYPE_FUN)
        diag_help(in->cx, d, "declare it as a function: fn %s(...) -> ... { ... }", y->name->text);
    return NULL;
}

static void walk_test(Body *b, const void *env)
{
    const Item *item = env;
    b->value = item->body;
    b->type = infer_boolean(b);
    infer_check(b, b->value, b->type, (Why){WHY_CONDITION, NULL, 0});
}

static void walk_bench(Body *b, const void *env)
{
    const Item *item = env;
    b->bench = true;
    b->value = item->body;
    b->type = infer_expr(b, b->value, NULL);
}

void infer_bench(Infer *in, Unit *unit, const Item *item)
{
    if (item->body) (void)infer_item(in, infer_scratch(in), unit, NULL, item, walk_bench, item);
}

static bool is_comparison(const Ast *e)
{
    Prim op;
    return e->kind == AST_BINARY && infer_find_operator(e->name, 2, &op) && op >= PRIM_EQ &&
           op <= PRIM_GE;
}

Test *infer_test(Infer *in, Unit *unit, const Item *item)
{
    if (!item->body) return NULL;
    Body *b = infer_item(in, infer_scratch(in), unit, NULL, item, walk_test, item);
    if (b->failed) return NULL;
    Test *t = ARENA_NEW(in->cx->arena, Test);
    *t = (Test){.title = session_sym(in->cx, item->string ? item->string : ""),
                .span = item->span,
                .checks = b->checks};
    node_begin(in->cx);
    t->body = elab_body(b, 0);
    const Ast *last = ast_value_of(b->value);
    if (b->exit || !is_comparison(last)) return t;
    t->sides = elab_sides(b, last);
    t->text = last->name->text;
    return t;
}
