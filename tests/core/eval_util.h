// Closed terms in the textual form, evaluated and compared with the printed value, or with the code
// of the error.
#ifndef ADZE_TESTS_CORE_EVAL_UTIL_H
#define ADZE_TESTS_CORE_EVAL_UTIL_H

// cmocka.h needs these before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/ir/core.h"

#include <stdio.h>

enum { PLENTY = 1000000 };

static inline Session *new_session(void)
{
    Session *cx = session_new();
    nat_init(cx);
    return cx;
}

static inline void stop_on_errors(Session *cx)
{
    if (cx->errors == 0) return;
    Text t = text_new(cx->arena);
    diag_print_all(cx, &t, false);
    fail_msg("%s", text_get(&t));
}

// A function whose body is the term; its size parameter is n.
static inline Function *read_closed(Session *cx, const char *text)
{
    uint32_t file = session_add_source(cx, "test", text, strlen(text));
    TermReader r = term_reader(cx, file, LEVEL_CORE);
    Function *f = ARENA_NEW(cx->arena, Function);
    f->name = session_sym(cx, "f");
    f->body = term_read(&r, NULL, NULL, 0, core_term_rule);
    stop_on_errors(cx);
    assert_non_null(f->body);
    f->result = f->body->type;
    vec_push(cx->arena, &f->generics, ((Generic){session_sym(cx, "n"), session_sym(cx, "nat")}));
    return f;
}

// The value of the term for size n, as text; or the name of the error.
static inline const char *evaluate(Session *cx, const char *text, int64_t n, Algebra algebra,
                                   int64_t fuel)
{
    Function *f = read_closed(cx, text);
    NodeBinding generic = {session_sym(cx, "n"), nat_const(cx, n)};
    Value v;
    Outcome o = core_eval(cx, cx->arena, NULL, f, &generic, 1, NULL, algebra, fuel, &v);
    if (!o.ok) return diag_name(o.code);
    Text out = text_new(cx->arena);
    value_print(cx, &out, &v, f->result, 1000);
    return text_get(&out);
}

static inline void expect_at(const char *file, int line, int64_t n, const char *term,
                             const char *value)
{
    Session *cx = new_session();
    const char *got = evaluate(cx, term, n, ALGEBRA_IEEE, PLENTY);
    if (strcmp(got, value) != 0) fail_msg("%s:%d: got %s\n  not %s", file, line, got, value);
    session_delete(cx);
}

#define expect(n, term, value) expect_at(__FILE__, __LINE__, (n), (term), (value))

static inline Program *read_program(Session *cx, const char *text)
{
    TermReader r = term_reader(cx, session_add_source(cx, "test", text, strlen(text)), LEVEL_CORE);
    Program *p = ARENA_NEW(cx->arena, Program);
    p->by_name = map_new(cx->arena);
    while (!term_read_end(&r)) {
        Function *f = core_read_next(&r);
        stop_on_errors(cx);
        assert_non_null(f);
        vec_push(cx->arena, &p->functions, f);
        map_put(&p->by_name, MAP_KEY(f->name), f);
    }
    return p;
}

// The value of function `main` of a program, or the name of the error.
static inline const char *run_main(Session *cx, const char *text, const NodeBinding *generics,
                                   int n, const Value *args, int64_t fuel)
{
    Program *p = read_program(cx, text);
    Function *f = map_get(&p->by_name, MAP_KEY(session_sym(cx, "main")));
    Value v;
    Outcome o = core_eval(cx, cx->arena, p, f, generics, n, args, ALGEBRA_IEEE, fuel, &v);
    if (!o.ok) return diag_name(o.code);
    Text out = text_new(cx->arena);
    value_print(cx, &out, &v, f->result, 1000);
    return text_get(&out);
}

static inline void expect_main_at(const char *file, int line, const char *text, const char *value)
{
    Session *cx = new_session();
    const char *got = run_main(cx, text, NULL, 0, NULL, PLENTY);
    if (strcmp(got, value) != 0) fail_msg("%s:%d: got %s\n  not %s", file, line, got, value);
    session_delete(cx);
}

#define expect_main(text, value) expect_main_at(__FILE__, __LINE__, (text), (value))

// [0, 1, ..., n - 1], and [[0, 1, 2], [3, 4, 5], ...] with n rows.
#define IOTA "(generate n (lam (i: idx[n]) (cast i : i64)))"
#define ROWS "(split 3 (generate 3*n (lam (i: idx[3*n]) (cast i : i64))))"

#endif
