// Reads the textual form of a function, which print.c describes.
#include "core/ir/internal.h"

static bool read_generics(TermReader *r, Function *f)
{
    if (!term_read_punctuation(r, "[")) return true;
    do {
        Generic g = {.name = term_read_name(r)};
        if (!g.name || !term_read_expected(r, ":") || !(g.kind = term_read_name(r))) return false;
        vec_push(r->cx->arena, &f->generics, g);
    } while (term_read_punctuation(r, ","));
    return term_read_expected(r, "]");
}

static bool read_params(TermReader *r, Function *f)
{
    if (!term_read_expected(r, "(")) return false;
    while (!term_read_punctuation(r, ")")) {
        if (f->params.len && !term_read_expected(r, ",")) return false;
        Param p = {.name = term_read_name(r)};
        if (!p.name || !term_read_expected(r, ":") || !(p.type = term_read_type(r))) return false;
        vec_push(r->cx->arena, &f->params, p);
    }
    if (!term_read_expected(r, ":")) return false;
    return (f->result = term_read_type(r)) != NULL;
}

static bool read_relation(TermReader *r, SizeRelation *relation)
{
    for (*relation = SIZE_EQ; *relation <= SIZE_NE; ++*relation)
        if (term_read_punctuation(r, size_relation_text[*relation])) return true;
    return term_read_fail(r, "expected ==, <= or !=") != NULL;
}

bool core_read_checks(TermReader *r, SizeChecks *checks)
{
    while (!term_read_punctuation(r, ")")) {
        SizeCheck c = {0};
        if (!term_read_expected(r, "(")) return false;
        if (!(c.left = term_read_size(r)) || !read_relation(r, &c.relation)) return false;
        if (!(c.right = term_read_size(r))) return false;
        if (!term_read_punctuation(r, ")")) {
            c.why = term_read_string(r);
            if (!c.why || !term_read_expected(r, ")")) return false;
        }
        vec_push(r->cx->arena, checks, c);
    }
    return true;
}

static bool read_filters(TermReader *r, Function *f)
{
    TermScope scope = core_scope(r->cx, f);
    for (int i = 0; i < f->params.len; i++)
        if (!term_read_punctuation(r, "_") && !(f->params.at[i].filter = term_read_in(r, &scope)))
            return false;
    return term_read_expected(r, ")");
}

static bool read_header(TermReader *r, Function *f)
{
    if (!term_read_expected(r, "(")) return false;
    f->entry = term_read_punctuation(r, "entry");
    f->external = !f->entry && term_read_punctuation(r, "external");
    if (!f->entry && !f->external && !term_read_expected(r, "fn")) return false;
    if (!(f->name = term_read_name(r)) || !read_generics(r, f) || !read_params(r, f)) return false;
    if (term_read_part(r, "doc") &&
        (!(f->doc = term_read_string(r)) || !term_read_expected(r, ")")))
        return false;
    if (term_read_part(r, "filters") && !read_filters(r, f)) return false;
    if (term_read_part(r, "where") && !core_read_checks(r, &f->where)) return false;
    return !term_read_part(r, "checks") || core_read_checks(r, &f->checks);
}

Function *core_read_next(TermReader *r)
{
    Function *f = ARENA_NEW(r->cx->arena, Function);
    if (!read_header(r, f)) return NULL;
    TermScope scope = core_scope(r->cx, f);
    if (!f->external && !(f->body = term_read_in(r, &scope))) return NULL;
    return term_read_expected(r, ")") ? f : NULL;
}

Function *core_read(Session *cx, uint32_t file)
{
    TermReader r = term_reader(cx, file, LEVEL_CORE);
    Function *f = core_read_next(&r);
    while (f && !term_read_end(&r)) {
        if (!f->entry) return term_read_fail(&r, "text after the end of the function");
        Function *callee = core_read_next(&r);
        if (!callee) return NULL;
        vec_push(cx->arena, &f->callees, callee);
    }
    return f;
}
