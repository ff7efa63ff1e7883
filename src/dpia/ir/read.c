// Reads the textual form of a phrase, which print.c describes.
#include "dpia/ir/dpia.h"

static bool read_sizes(TermReader *r, Phrase *p)
{
    if (!term_read_punctuation(r, "[")) return true;
    do {
        Sym name = term_read_name(r);
        if (!name) return false;
        vec_push(r->cx->arena, &p->sizes, name);
    } while (term_read_punctuation(r, ","));
    return term_read_expected(r, "]");
}

static bool read_param(TermReader *r, Param *p)
{
    p->name = term_read_name(r);
    return p->name && term_read_expected(r, ":") && (p->type = term_read_type(r)) != NULL;
}

static bool read_params(TermReader *r, Phrase *p)
{
    if (!term_read_expected(r, "(")) return false;
    while (!term_read_punctuation(r, ")")) {
        Param param = {0};
        if ((p->params.len && !term_read_expected(r, ",")) || !read_param(r, &param)) return false;
        vec_push(r->cx->arena, &p->params, param);
    }
    return term_read_expected(r, "(") && read_param(r, &p->out) && term_read_expected(r, ")");
}

static bool read_header(TermReader *r, Phrase *p)
{
    if (!term_read_expected(r, "(")) return false;
    p->external = term_read_punctuation(r, "external");
    if (!p->external && !term_read_expected(r, "phrase")) return false;
    if (!(p->name = term_read_name(r)) || !read_sizes(r, p)) return false;
    if (term_read_punctuation(r, "with") && !(p->helpers = term_read_name(r))) return false;
    if (!read_params(r, p)) return false;
    if (term_read_part(r, "doc") &&
        (!(p->doc = term_read_string(r)) || !term_read_expected(r, ")")))
        return false;
    return !term_read_part(r, "checks") || core_read_checks(r, &p->checks);
}

static Phrase *read_phrase(TermReader *r)
{
    Phrase *p = ARENA_NEW(r->cx->arena, Phrase);
    if (!read_header(r, p)) return NULL;
    TermScope scope = dpia_scope(r->cx, p);
    if (!p->external && !(p->body = term_read_in(r, &scope))) return NULL;
    return term_read_expected(r, ")") ? p : NULL;
}

Phrase *dpia_read(Session *cx, uint32_t file)
{
    TermReader r = term_reader(cx, file, LEVEL_DPIA);
    Phrase *p = read_phrase(&r);
    while (p && !term_read_end(&r)) {
        Phrase *callee = read_phrase(&r);
        if (!callee) return NULL;
        vec_push(cx->arena, &p->callees, callee);
    }
    return p;
}
