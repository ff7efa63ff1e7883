// Rules of a program, and terms to try them on.
#ifndef ADZE_TESTS_SCHEDULE_RULES_H
#define ADZE_TESTS_SCHEDULE_RULES_H

#include <glob.h>

#include "infer/support.h"
#include "schedule/internal.h"
#include "schedule/random.h"
#include "staging/values/staging.h"

enum { MUCH_FUEL = 20000000 };

typedef VEC(const char *) Paths;

/// The files of the library that declare rules.
static inline Paths library_of_rules(Arena *arena)
{
    glob_t all;
    Paths paths = {0};
    if (glob("lib/std/*.adz", 0, NULL, &all) != 0) fail_msg("there is no library");
    Session *cx = session_new();
    for (size_t i = 0; i < all.gl_pathc; i++) {
        const char *path = arena_printf(arena, "%s", all.gl_pathv[i]);
        size_t len;
        char *text = read_file(cx->arena, path, &len);
        const Module *m = parse_module(cx, session_add_source(cx, path, text, len));
        bool declares = false;
        for (int k = 0; k < m->items.len; k++) declares |= m->items.at[k]->kind == ITEM_RULE;
        if (declares) vec_push(arena, &paths, path);
    }
    session_delete(cx);
    globfree(&all);
    return paths;
}

static inline const RewriteRule *find_rule(const Inferred *r, const char *name)
{
    for (int i = 0; i < r->program->rules.len; i++)
        if (strcmp(r->program->rules.at[i]->name->text, name) == 0) return r->program->rules.at[i];
    fail_msg("there is no rule %s", name);
    return NULL;
}

static inline const Function *stage_entry(const Inferred *r, const char *name)
{
    Function *flat = staging_for_schedule(r->cx, r->program, find_function(r, name), KEEP_IN_ENTRY);
    if (!flat) fail_msg("%s: %s", name, show_errors(r));
    return flat;
}

static inline const char *term_text(const Function *f, Session *cx, Node *e)
{
    Sym *names = ARENA_ARRAY(cx->arena, Sym, f->params.len + 1);
    for (int i = 0; i < f->params.len; i++) names[i] = f->params.at[i].name;
    return term_show(cx, e, names, f->params.len);
}

static inline Facts *facts_of_function(Session *cx, const Function *f)
{
    Facts *facts = facts_new(cx, cx->arena, NULL);
    for (int i = 0; i < f->where.len; i++) size_check_assume(cx, facts, &f->where.at[i]);
    for (int i = 0; i < f->checks.len; i++) size_check_assume(cx, facts, &f->checks.at[i]);
    return facts;
}

static inline bool binding_value(Node *atom, int64_t *value, void *env)
{
    for (const NodeBinding *b = env; b->name; b++)
        if (b->name == atom->attr.sym) return nat_is_const(b->value, value);
    return false;
}

/// Sizes below `most` for a function, such that its conditions hold; false when chance finds none. `sizes` ends with an empty one.
static inline bool random_sizes(Random *r, const Function *f, int most, NodeBinding *sizes)
{
    Session *cx = r->cx;
    for (int tries = 0; tries < 5000; tries++) {
        int n = 0;
        for (int i = 0; i < f->generics.len; i++)
            sizes[n++] =
                (NodeBinding){f->generics.at[i].name, nat_const(cx, random_below(r, most))};
        sizes[n] = (NodeBinding){0};
        if (size_checks_eval(cx, &f->where, NO_SPAN, binding_value, sizes).ok &&
            size_checks_eval(cx, &f->checks, NO_SPAN, binding_value, sizes).ok)
            return true;
    }
    return false;
}

/// Arguments for a function at these sizes; false when there are none.
static inline bool random_arguments(Random *r, const Function *f, const NodeBinding *sizes,
                                    Value *args)
{
    for (int i = 0; i < f->params.len; i++) {
        Node *type = node_replace_names(r->cx, f->params.at[i].type, sizes, f->generics.len);
        if (!random_value(r, type, ALGEBRA_FIELD, &args[i])) return false;
    }
    return true;
}

/// Both functions, of the same parameters, give the same.
static inline void same_value(Session *cx, const Function *a, const Function *b,
                              const NodeBinding *sizes, const Value *args)
{
    Arena *arena = arena_new();
    Value x, y;
    Outcome first =
        core_eval(cx, arena, NULL, a, sizes, a->generics.len, args, ALGEBRA_FIELD, MUCH_FUEL, &x);
    Outcome second =
        core_eval(cx, arena, NULL, b, sizes, b->generics.len, args, ALGEBRA_FIELD, MUCH_FUEL, &y);
    Node *type = node_replace_names(cx, a->result, sizes, a->generics.len);
    if (first.ok) x = value_trim(arena, &x, type);
    if (second.ok) y = value_trim(arena, &y, type);
    bool same = first.ok == second.ok && (first.ok ? value_equal(&x, &y) : true);
    same = same || first.has_field_bits || second.has_field_bits; // the field has other bits
    if (!same) {
        Text t = text_new(cx->arena);
        core_print(cx, &t, a);
        text_put(&t, "\nand\n");
        core_print(cx, &t, b);
        for (const NodeBinding *s = sizes; s->name; s++) {
            text_printf(&t, "\n%s = ", s->name->text);
            nat_print(&t, s->value, 0);
        }
        if (!first.ok) text_printf(&t, "\nfirst: %s", first.text);
        if (!second.ok) text_printf(&t, "\nsecond: %s", second.text);
        fail_msg("these differ:\n%s", text_get(&t));
    }
    arena_delete(arena);
}

#endif
