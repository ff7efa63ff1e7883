// What the tests of the table of views begin with: a session, and what answers are made with.
#ifndef TESTS_VIEWS_FIXTURE_H
#define TESTS_VIEWS_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

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

// A node with the type of its rule.
static inline bool same_size(Node *a, Node *b, void *env)
{
    (void)env;
    return a == b;
}

static inline Node *view_of(Fixture *f, Kind kind, int64_t attr, int n, Node *const *ops)
{
    NodeSpec s = {.kind = kind, .attr.i = attr, .nops = n, .ops = ops};
    Rule r = {.cx = f->cx, .s = &s, .same = same_size};
    s.type = view_row(kind)->type(&r);
    if (!s.type) fail_msg("%s", r.why);
    return node_make(f->cx, &s);
}

static inline Node *number(Fixture *f, Node *type, Node *size)
{
    return node_make(f->cx, &(NodeSpec){.kind = CORE_NAT, .type = type, .nops = 1, .ops = &size});
}

static inline Node *hole(Fixture *f, Node *type)
{
    return node_make(f->cx, &(NodeSpec){.kind = PH_HOLE, .type = type});
}

static inline ViewStep get_at(Fixture *f, Node *view, Path *path, Node *shift)
{
    f->v.shift.size = shift;
    return view_get(&f->v, view, path);
}

static inline ViewStep put_at(Fixture *f, Node *acc, Path *path, Node *shift)
{
    f->v.shift.size = shift;
    return view_put(&f->v, acc, path);
}

// The put of a view from operand k: its arrays are holes.
static inline Node *acceptor_put(Fixture *f, Node *view, int k, Node *d)
{
    Node *ops[4];
    assert_in_range(view->nops, 1, 4);
    for (int i = 0; i < (int)view->nops; i++)
        ops[i] = view_role(view, i) == ROLE_DATA ? hole(f, view->op[i]->type) : view->op[i];
    Node *over[2] = {node_with_ops(f->cx, view, ops), d};
    return node_make(
        f->cx,
        &(NodeSpec){
            .kind = ACC_PUT, .attr.i = k, .type = view->op[k]->type, .nops = 2, .ops = over});
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
