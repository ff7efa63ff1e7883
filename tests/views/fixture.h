// What the tests of the table of views begin with: a session, and what answers are made with.
#ifndef TESTS_VIEWS_FIXTURE_H
#define TESTS_VIEWS_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "core/core.h"
#include "views/views.h"

typedef struct {
    Session *cx;
    ViewContext v;
    int shared;      // how often an answer mentioned an index more than once
    uint64_t random; // the state of a generator
} Fixture;

static inline Node *keep(void *env, Node *index)
{
    Fixture *f = env;
    f->shared++;
    return index;
}

static inline int setup(void **state)
{
    Fixture *f = test_calloc(1, sizeof *f);
    f->cx = session_new();
    nat_init(f->cx);
    f->v = (ViewContext){.cx = f->cx, .arena = f->cx->arena, .share = keep, .env = f};
    f->random = 7;
    *state = f;
    return 0;
}

static inline int teardown(void **state)
{
    Fixture *f = *state;
    session_delete(f->cx);
    test_free(f);
    return 0;
}

static inline Node *size(Fixture *f, int64_t n)
{
    return nat_const(f->cx, n);
}

static inline Node *f32(Fixture *f)
{
    return type_scalar(f->cx, SCALAR_F32);
}

static inline Node *array_type(Fixture *f, int64_t n, Node *t)
{
    return type_array(f->cx, size(f, n), t);
}

#endif
