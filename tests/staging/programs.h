// Programs for the tests of staging/ and rewrite/: read from text, printed, evaluated.
#ifndef ADZE_TESTS_PROGRAMS_H
#define ADZE_TESTS_PROGRAMS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/ir/core.h"
#include "term/term.h"

static inline Node *text_rule(Session *cx, const NodeSpec *spec, const char **why)
{
    return core_type_rule(cx, spec, false, why);
}

static inline TermReader text_reader(Session *cx, const char *text)
{
    return term_reader(cx, session_add_source(cx, "text", text, strlen(text)), LEVEL_CORE);
}

/// A function: generics "n: nat, t: data" and parameters "x: [n]f32, f: fn(f32) -> f32" as lists,
/// the body as a term.
static inline Function *text_function(Session *cx, const char *name, const char *generics,
                                      const char *params, const char *body)
{
    Function *f = ARENA_NEW(cx->arena, Function);
    f->name = session_sym(cx, name);
    TermReader r = text_reader(cx, generics);
    while (!term_read_end(&r)) {
        Generic g = {.name = term_read_name(&r)};
        if (!term_read_expected(&r, ":")) fail_msg("generics of %s", name);
        g.kind = term_read_name(&r);
        vec_push(cx->arena, &f->generics, g);
        if (!term_read_punctuation(&r, ",")) break;
    }
    r = text_reader(cx, params);
    while (!term_read_end(&r)) {
        Param p = {.name = term_read_name(&r)};
        if (!term_read_expected(&r, ":")) fail_msg("parameters of %s", name);
        p.type = term_read_type(&r);
        vec_push(cx->arena, &f->params, p);
        if (!term_read_punctuation(&r, ",")) break;
    }
    Sym names[16];
    Node *types[16];
    for (int i = 0; i < f->params.len; i++) {
        names[i] = f->params.at[i].name;
        types[i] = f->params.at[i].type;
    }
    r = text_reader(cx, body);
    f->body = term_read(&r, names, types, f->params.len, text_rule);
    if (!f->body || !term_read_end(&r) || cx->errors) {
        Text out = text_new(cx->arena);
        diag_print_all(cx, &out, false);
        fail_msg("%s does not read:\n%s", name, text_get(&out));
    }
    f->result = f->body->type;
    return f;
}

static inline void program_add(Session *cx, Program *p, Function *f)
{
    if (!p->by_name.arena) p->by_name = map_new(cx->arena);
    vec_push(cx->arena, &p->functions, f);
    map_put(&p->by_name, MAP_KEY(f->name), f);
}

/// The body of a function on one line, parameters by name.
static inline const char *body_text(Session *cx, const Function *f)
{
    Sym names[16];
    for (int i = 0; i < f->params.len; i++) names[i] = f->params.at[i].name;
    return term_show(cx, f->body, names, f->params.len);
}

static inline const char *diagnostics_text(Session *cx)
{
    Text out = text_new(cx->arena);
    diag_print_all(cx, &out, false);
    return text_get(&out);
}

/// How many nodes of a kind (and variant, unless ANY) the term has, each shared node once.
static inline int count_kind(Session *cx, Node *e, Kind kind, Variant variant, Map *seen)
{
    if (map_get(seen, MAP_KEY(e))) return 0;
    map_put(seen, MAP_KEY(e), cx);
    int n = e->kind == kind && (variant == VARIANT_ANY || e->variant == variant);
    for (uint32_t i = 0; i < e->nops; i++) n += count_kind(cx, e->op[i], kind, variant, seen);
    return n;
}

static inline int count_of(Session *cx, Node *e, Kind kind, Variant variant)
{
    Map seen = map_new(cx->arena);
    return count_kind(cx, e, kind, variant, &seen);
}

#endif
