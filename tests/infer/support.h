// Programs inferred from text, for the tests of infer/.
#ifndef ADZE_TESTS_INFER_SUPPORT_H
#define ADZE_TESTS_INFER_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "infer/program/infer.h"
#include "modules.h"

typedef struct {
    Session *cx;
    Module *module;
    Program *program;
} Inferred;

static inline Inferred infer_with(const Modules *modules, const char *text, size_t len)
{
    Inferred r = {.cx = session_new()};
    uint32_t file = session_add_source(r.cx, "test.adz", text, len);
    r.module = parse_module(r.cx, file);
    r.program = infer_program(r.cx, r.module, modules);
    return r;
}

static inline Inferred infer_text(const char *text, size_t len)
{
    return infer_with(&(Modules){.find = find_module}, text, len);
}

static inline void report(const Inferred *r)
{
    Text out = text_new(r->cx->arena);
    diag_print_all(r->cx, &out, false);
    fputs(text_get(&out), stderr);
}

/// A program without errors; every function and test of it is well typed.
static inline Inferred infer_good(const char *text)
{
    Inferred r = infer_text(text, strlen(text));
    if (r.cx->errors) report(&r);
    assert_int_equal(r.cx->errors, 0);
    for (int i = 0; i < r.program->functions.len; i++)
        core_check(r.cx, r.program->functions.at[i], LEVEL_CORE);
    return r;
}

static inline Function *find_function(const Inferred *r, const char *name)
{
    Function *f = map_get(&r->program->by_name, MAP_KEY(session_sym(r->cx, name)));
    assert_non_null(f);
    return f;
}

static inline Function *test_function(const Inferred *r, const Test *t)
{
    Function *f = ARENA_NEW(r->cx->arena, Function);
    *f = (Function){.name = t->title,
                    .span = t->span,
                    .result = t->body->type,
                    .body = t->body,
                    .checks = t->checks};
    return f;
}

/// Runs the tests of a program in the interpreter.
static inline void run_program_tests(const Inferred *r)
{
    for (int i = 0; i < r->program->tests.len; i++) {
        Function *f = test_function(r, r->program->tests.at[i]);
        core_check(r->cx, f, LEVEL_CORE);
        Arena *arena = arena_new();
        Value value = {0};
        Outcome o =
            core_eval(r->cx, arena, r->program, f, NULL, 0, NULL, ALGEBRA_IEEE, 10000000, &value);
        bool good = o.ok && value.bits == 1;
        arena_delete(arena);
        if (!good) fail_msg("test \"%s\": %s", f->name->text, o.ok ? "false" : o.text);
    }
}

/// "n == m; 1 <= n": the checks of a function.
static inline const char *show_checks(const Inferred *r, const SizeChecks *checks)
{
    static const char *const relations[] = {"==", "<=", "!="};
    Text t = text_new(r->cx->arena);
    for (int i = 0; i < checks->len; i++) {
        const SizeCheck *c = &checks->at[i];
        if (i) text_put(&t, "; ");
        nat_print(&t, c->left, 0);
        text_printf(&t, " %s ", relations[c->relation]);
        nat_print(&t, c->right, 0);
    }
    return text_get(&t);
}

/// "E0301 2:5, E0201 3:1": the diagnostics in order of their places.
static inline const char *show_errors(const Inferred *r)
{
    Text t = text_new(r->cx->arena);
    bool *done = ARENA_ARRAY(r->cx->arena, bool, r->cx->diags.len + 1);
    for (int k = 0; k < r->cx->diags.len; k++) {
        int next = -1;
        for (int i = 0; i < r->cx->diags.len; i++)
            if (!done[i] &&
                (next < 0 || r->cx->diags.at[i]->span.lo < r->cx->diags.at[next]->span.lo))
                next = i;
        const Diag *d = r->cx->diags.at[next];
        int line = 0, column = 0;
        done[next] = true;
        session_position(r->cx, d->span.file, d->span.lo, &line, &column);
        text_printf(&t, "%s%s %d:%d", k ? ", " : "", diag_name(d->code), line, column);
    }
    return text_get(&t);
}

#endif
