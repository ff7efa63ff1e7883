// For the tests of sizes: a session, a reader for sizes and facts, readable assertions.
#ifndef ADZE_TESTS_NAT_SIZES_H
#define ADZE_TESTS_NAT_SIZES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <cmocka.h>

#include "nat/nat.h"

typedef struct {
    Session *cx;
    const char *at;
} Reader;

static Node *read_sum(Reader *r);

static inline void skip_space(Reader *r)
{
    while (*r->at == ' ') r->at++;
}

static inline bool eat(Reader *r, char c)
{
    skip_space(r);
    if (*r->at != c) return false;
    r->at++;
    return true;
}

static inline void need(Reader *r, char c)
{
    if (!eat(r, c)) fail_msg("'%c' expected at '%s'", c, r->at);
}

static inline Node *read_call(Reader *r, const char *name)
{
    static const struct {
        const char *name;
        Kind kind;
    } calls[] = {{"min", NAT_MIN}, {"max", NAT_MAX}, {"pow", NAT_POW}};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (strcmp(calls[i].name, name)) continue;
        Node *a = read_sum(r);
        need(r, ',');
        Node *b = read_sum(r);
        need(r, ')');
        return nat_apply(r->cx, calls[i].kind, a, b);
    }
    fail_msg("unknown function %s", name);
    return NULL;
}

static inline int64_t read_number(Reader *r)
{
    int64_t value = 0;
    while (isdigit((unsigned char)*r->at)) value = value * 10 + (*r->at++ - '0');
    return value;
}

static inline Node *read_primary(Reader *r)
{
    skip_space(r);
    if (eat(r, '(')) {
        Node *e = read_sum(r);
        need(r, ')');
        return e;
    }
    if (eat(r, '-')) return nat_sub(r->cx, nat_const(r->cx, 0), read_primary(r));
    if (eat(r, '?')) return nat_meta(r->cx, read_number(r));
    if (isdigit((unsigned char)*r->at)) return nat_const(r->cx, read_number(r));
    char name[32];
    size_t n = 0;
    while (isalnum((unsigned char)*r->at) && n < sizeof name - 1) name[n++] = *r->at++;
    name[n] = '\0';
    if (n == 0) fail_msg("a size expected at '%s'", r->at);
    return eat(r, '(') ? read_call(r, name) : nat_var(r->cx, session_sym(r->cx, name));
}

static inline Node *read_product(Reader *r)
{
    Node *e = read_primary(r);
    for (;;) {
        if (eat(r, '*'))
            e = nat_mul(r->cx, e, read_primary(r));
        else if (eat(r, '/'))
            e = nat_div(r->cx, e, read_primary(r));
        else if (eat(r, '%'))
            e = nat_mod(r->cx, e, read_primary(r));
        else
            return e;
    }
}

static inline Node *read_sum(Reader *r)
{
    Node *e = read_product(r);
    for (;;) {
        if (eat(r, '+'))
            e = nat_add(r->cx, e, read_product(r));
        else if (eat(r, '-'))
            e = nat_sub(r->cx, e, read_product(r));
        else
            return e;
    }
}

/// The size that `text` spells.
static inline Node *size(Session *cx, const char *text)
{
    Reader r = {cx, text};
    Node *e = read_sum(&r);
    skip_space(&r);
    if (*r.at) fail_msg("end of size expected at '%s'", r.at);
    return e;
}

static inline const char *shown(Session *cx, Node *e)
{
    Text t = text_new(cx->arena);
    nat_print(&t, e, 0);
    return text_get(&t);
}

/// Facts from text: "0 <= i < n; m >= 1; n % 4 == 0". A range is for a name; "i in lo .. hi" has hi
/// outside.
static inline Facts *facts(Session *cx, const char *text)
{
    Facts *f = facts_new(cx, cx->arena, NULL);
    Reader r = {cx, text};
    for (skip_space(&r); *r.at; skip_space(&r)) {
        const char *start = r.at;
        char name[32];
        int len = 0;
        if (sscanf(start, "%31[a-z0-9] in%n", name, &len) == 1 && len > 0) {
            r.at += len;
            Node *lo = read_sum(&r);
            need(&r, '.');
            need(&r, '.');
            skip_space(&r);
            facts_range(f, session_sym(cx, name), lo, *r.at == ';' || !*r.at ? NULL : read_sum(&r));
        } else {
            Node *a = read_sum(&r);
            bool ge = eat(&r, '>'), eq = !ge && eat(&r, '=');
            need(&r, '=');
            Node *b = read_sum(&r);
            if (ge)
                facts_ge0(f, nat_sub(cx, a, b));
            else if (eq)
                facts_eq0(f, nat_sub(cx, a, b));
        }
        if (!eat(&r, ';')) break;
    }
    skip_space(&r);
    if (*r.at) fail_msg("end of facts expected at '%s'", r.at);
    return f;
}

static inline int open_session(void **state)
{
    Session *cx = session_new();
    nat_init(cx);
    *state = cx;
    return 0;
}

static inline int close_session(void **state)
{
    session_delete(*state);
    return 0;
}

#define SIZE_TEST(test) cmocka_unit_test_setup_teardown(test, open_session, close_session)

#endif
