// Builds a program from a module and its imports.
//
// All modules are read and their items named, then the imports are linked, so that modules and
// items may use each other in any order. Then all signatures are read, then all bodies.
#include "infer/program/program.h"

#include <string.h>

// --- items -------------------------------------------------------------------------------------

static void read_signatures(Infer *in, Unit *u)
{
    for (int i = 0; i < u->symbols.len; i++) {
        Symbol *y = u->symbols.at[i];
        if (y->is_family) {
            infer_declare_family(in, y);
            continue;
        }
        if (y->kind == SYMBOL_STRUCT || y->kind == SYMBOL_ENUM || y->kind == SYMBOL_ALIAS)
            infer_declared_type(in, y);
        else if (y->kind == SYMBOL_CONST)
            infer_const_size(in, y);
        else if (y->kind == SYMBOL_STRATEGY)
            infer_declare_strategy(in, y);
        else if (y->kind == SYMBOL_SIZES)
            infer_check_size_function(in, y);
        else if (y->kind != SYMBOL_RULE)
            infer_signature(in, y);
        if (y->kind == SYMBOL_FN && y->item->entry && y->signature) infer_check_entry(in, y);
        if (y->item->kind == ITEM_EXTERN && y->signature) infer_check_extern(in, y);
        if (y->item->pattern && y->kind == SYMBOL_FN && y->signature) infer_check_pattern(in, y);
    }
}

static void infer_all_bodies(Infer *in, Unit *u)
{
    for (int i = 0; i < u->symbols.len; i++) {
        Symbol *y = u->symbols.at[i];
        Scope s = infer_scope_new(in, in->arena, u, NULL);
        if (y->is_family) continue;
        bool value = y->kind == SYMBOL_CONST && !infer_is_nat_type(&s, y->item->type);
        if (y->kind == SYMBOL_FN || value) infer_function_body(in, y);
    }
}

// Infers all rules or all strategies outside the library.
static void infer_all_of(Infer *in, SymbolKind kind, void (*infer)(Infer *in, Symbol *y))
{
    for (int k = 0; k < in->units.len; k++) {
        const Unit *u = in->units.at[k];
        for (int i = 0; !u->in_library && i < u->symbols.len; i++)
            if (u->symbols.at[i]->kind == kind) infer(in, u->symbols.at[i]);
    }
}

static void infer_all_schedules(Infer *in, Unit *u)
{
    for (int i = 0; i < u->module->items.len; i++)
        if (u->module->items.at[i]->kind == ITEM_SCHEDULE)
            infer_schedule(in, u, u->module->items.at[i]);
}

static void infer_all_tests(Infer *in, Unit *u)
{
    for (int i = 0; i < u->module->items.len; i++) {
        const Item *item = u->module->items.at[i];
        if (item->kind == ITEM_BENCH) infer_bench(in, u, item);
        Test *t = item->kind == ITEM_TEST ? infer_test(in, u, item) : NULL;
        if (t) vec_push(in->cx->arena, &in->program.tests, t);
    }
}

// Infers the family members (instances of rank-polymorphic functions) and nested functions that
// bodies use, and elaborates the versions for border modes.
static void finish_bodies(Infer *in)
{
    infer_members(in);
    elab_demanded(in);
    arena_delete(in->scratch);
    in->scratch = NULL;
}

// The result of infer_program, from which infer_expression recovers the program's scope.
typedef struct {
    Program program;
    Infer *in;
} Inferred;

static void set_modules(Infer *in, const Modules *modules)
{
    if (!modules) return;
    Modules *own =
        ARENA_NEW(in->arena, Modules); // copied, because infer_expression uses them later
    *own = *modules;
    in->modules = own;
}

static Infer *infer_new(Session *cx, const Modules *modules)
{
    nat_init(cx);
    Infer *in = ARENA_NEW(cx->arena, Infer);
    *in = (Infer){.cx = cx,
                  .arena = cx->arena,
                  .rules = &infer_rules,
                  .elaborator = &elab_expressions,
                  .const_type = infer_const_type};
    set_modules(in, modules);
    in->structs = map_new(cx->arena);
    in->masks = map_new(cx->arena);
    in->externs = map_new(cx->arena);
    in->nested = map_new(cx->arena);
    in->nested_names = map_new(cx->arena);
    in->by_file = map_new(cx->arena);
    in->searched = map_new(cx->arena);
    in->program.by_name = map_new(cx->arena);
    in->program.scheduled = map_new(cx->arena);
    in->program.by_schedule = map_new(cx->arena);
    in->program.failed = map_new(cx->arena);
    infer_add_builtins(in);
    return in;
}

// The library module with the default strategy for entries without a schedule, or NULL if none is
// wanted.
static Unit *unit_of_usual(Infer *in, const Module *main)
{
    bool wanted = in->modules && in->modules->usual;
    const char *module = wanted ? in->modules->usual_module : NULL;
    return wanted ? infer_find_unit(in, session_sym(in->cx, module), NO_SPAN, main->file) : NULL;
}

static const struct StrategyItem *usual_strategy(Infer *in, const Unit *u)
{
    for (int i = 0; u && i < u->symbols.len; i++) {
        Symbol *y = u->symbols.at[i];
        if (!y->strategy || strcmp(y->name->text, in->modules->usual) != 0) continue;
        infer_need_strategy(in, y);
        return y->strategy;
    }
    return NULL;
}

// Links and infers the units from number `first` on, whose imports have been loaded.
static void infer_units(Infer *in, int first)
{
    infer_find_exports(in);
    for (int i = first; i < in->units.len; i++) infer_link_imports(in, in->units.at[i]);
    for (int i = first; i < in->units.len; i++) read_signatures(in, in->units.at[i]);
    for (int i = first; i < in->units.len; i++) infer_all_bodies(in, in->units.at[i]);
}

Infer *infer_library(Session *cx, const Modules *modules, const char *const *names, int n)
{
    Infer *in = infer_new(cx, modules);
    read_signatures(in, infer_load_prelude(in));
    for (int i = 0; i < n; i++) (void)infer_find_unit(in, session_sym(cx, names[i]), NO_SPAN, 0);
    infer_units(in, 0);
    finish_bodies(in);
    return in;
}

Program *infer_program_with(Infer *in, const Module *main, const Modules *modules)
{
    Session *cx = in->cx;
    int first = in->units.len;
    set_modules(in, modules);
    in->main = infer_load_unit(in, NULL, main);
    const Unit *usual = unit_of_usual(in, main);
    infer_units(in, first);
    infer_all_of(in, SYMBOL_RULE, infer_rule);
    infer_all_of(in, SYMBOL_STRATEGY, infer_need_strategy);
    in->program.usual = usual_strategy(in, usual);
    infer_all_schedules(in, in->main);
    infer_needed_strategies(in);
    infer_all_tests(in, in->main);
    finish_bodies(in);
    if (modules && modules->unused && cx->errors == 0) infer_warn_unused(in, in->main);
    Inferred *result = ARENA_NEW(cx->arena, Inferred);
    *result = (Inferred){in->program, in};
    return &result->program;
}

Program *infer_program(Session *cx, const Module *main, const Modules *modules)
{
    return infer_program_with(infer_library(cx, modules, NULL, 0), main, modules);
}

const Infer *infer_state(const Program *p)
{
    return ((const Inferred *)p)->in;
}

// --- expressions -------------------------------------------------------------------------------

static void name_loads(Session *cx, Body *b, Function *f, const char *const **paths)
{
    const char **out = ARENA_ARRAY(cx->arena, const char *, b->loads.len + 1);
    for (int i = 0; i < b->loads.len; i++) {
        Param p = {session_sym(cx, arena_printf(cx->arena, "load%d", i + 1)),
                   infer_resolve(b, b->load_types.at[i]), NULL};
        out[i] = b->loads.at[i]->value.string;
        vec_push(cx->arena, &f->params, p);
    }
    *paths = out;
}

typedef struct {
    const Ast *expression;
    LoadType *load;
    void *env;
} Loading;

static void walk_expression(Body *b, const void *env)
{
    const Loading *l = env;
    b->load = l->load;
    b->load_env = l->env;
    b->value = l->expression;
    b->type = infer_expr(b, l->expression, NULL);
}

Function *infer_expression(Session *cx, Program *p, const Module *main, Ast *expression,
                           LoadType *load, void *env, const char *const **paths, int *npaths)
{
    Infer *in = ((Inferred *)p)->in;
    Unit unit = *in->main;
    (void)main;
    int least = INT32_MAX, greatest = -1;
    ast_ids(expression, &least, &greatest);
    unit.first_id = least;
    unit.nnotes = greatest - least + 1;
    unit.notes = NULL;
    Loading how = {expression, load, env};
    infer_declare_nested(in, &unit, NULL, expression);
    BodySource source = {&unit, NULL, expression->span, least, greatest, walk_expression, &how};
    Body *b = infer_to_fixed_point(in, in->arena, &source);
    if (b->failed) return NULL;
    Node *t = infer_resolve(b, b->type);
    if (!type_is_data(t)) {
        Diag *d = diag_error(cx, E0309, expression->span,
                             "functions are not data: the value of the expression is `%s`",
                             type_show(cx, t));
        if (t->kind == TYPE_FUN && expression->kind == AST_CALL)
            infer_help_partial(b, d, expression->span);
        else if (t->kind == TYPE_FUN)
            diag_help(cx, d, "call it with arguments in parentheses: %s(...)",
                      source_text(cx, expression->span));
        return NULL;
    }
    Function *f = ARENA_NEW(cx->arena, Function);
    *f = (Function){.name = session_sym(cx, "main"),
                    .span = expression->span,
                    .result = t,
                    .checks = b->checks};
    name_loads(cx, b, f, paths);
    *npaths = b->loads.len;
    in->program = *p; // family members and border-mode versions are added to it
    node_begin(cx);
    f->body = elab_body(b, f->params.len);
    finish_bodies(in);
    *p = in->program;
    return f;
}
