// Reads the textual form of an entry, which print.c describes.
#include "loops/ir/loops.h"

static bool read_brackets(TermReader *r, LoopEntry *e)
{
    if (!term_read_punctuation(r, "[")) return true;
    do {
        Sym name = term_read_name(r);
        if (!name) return false;
        vec_push(r->cx->arena, &e->sizes, name);
    } while (term_read_punctuation(r, ","));
    return term_read_expected(r, "]");
}

static bool read_sizes(TermReader *r, LoopEntry *e)
{
    if (!read_brackets(r, e)) return false;
    if (!term_read_punctuation(r, "with")) return true;
    if (!(e->helpers = term_read_name(r))) return false;
    return !term_read_punctuation(r, ",") || (e->thread = term_read_name(r)) != NULL;
}

static bool read_source(TermReader *r, LoopEntry *e)
{
    VEC(Param) params = {0};
    if (!term_read_expected(r, "(")) return false;
    while (!term_read_punctuation(r, ")")) {
        Param p = {0};
        if (params.len && !term_read_expected(r, ",")) return false;
        if (!(p.name = term_read_name(r)) || !term_read_expected(r, ":") ||
            !(p.type = term_read_type(r)))
            return false;
        vec_push(r->cx->arena, &params, p);
    }
    e->source = params.at;
    e->nsource = params.len;
    return term_read_expected(r, ":") && (e->result = term_read_type(r)) != NULL;
}

// Reads [n, m] or nothing. The number of elements is the product of the dimensions.
static bool read_dims(TermReader *r, LoopParam *p)
{
    VEC(Node *) dims = {0};
    p->count = nat_const(r->cx, 1);
    if (!term_read_punctuation(r, "[")) return true;
    do {
        Node *n = term_read_size(r);
        if (!n) return false;
        vec_push(r->cx->arena, &dims, n);
        p->count = nat_mul(r->cx, p->count, n);
    } while (term_read_punctuation(r, ","));
    p->dims = dims.at;
    p->rank = dims.len;
    return term_read_expected(r, "]");
}

// Reads a buffer, such as (in a f32 [n, m]), (in i i64 < n) or (out out f32 [n]).
static bool read_buffer(TermReader *r, LoopParam *p)
{
    if (!term_read_expected(r, "(")) return false;
    p->output = term_read_punctuation(r, "out");
    p->both = !p->output && term_read_punctuation(r, "both");
    if (!p->output && !p->both && !term_read_expected(r, "in")) return false;
    Node *type = (p->name = term_read_name(r)) ? term_read_type(r) : NULL;
    if (!type) return false;
    if (!type_is_scalar(type, &p->scalar))
        return term_read_fail(r, "a buffer holds scalars") != NULL;
    if (!read_dims(r, p)) return false;
    if (term_read_punctuation(r, "<") && !(p->idx = term_read_size(r))) return false;
    return term_read_expected(r, ")");
}

// Reads `(word` if it comes next, and nothing otherwise.
static bool read_part(TermReader *r, const char *word)
{
    TermReader before = *r;
    if (term_read_punctuation(r, "(") && term_read_punctuation(r, word)) return true;
    *r = before;
    return false;
}

static Node *read_workspace(TermReader *r, const TermScope *scope)
{
    Node *lines = NULL, *ops[3] = {NULL};
    if (read_part(r, "workspace")) {
        lines = term_read_size(r);
        return lines && term_read_expected(r, ")") ? core_size(r->cx, lines) : NULL;
    }
    if (!term_read_expected(r, "(") || !term_read_expected(r, "workspace_if")) return NULL;
    if (!(ops[0] = term_read_in(r, scope)) || !(ops[1] = read_workspace(r, scope)) ||
        !(ops[2] = read_workspace(r, scope)) || !term_read_expected(r, ")"))
        return NULL;
    return node_make(r->cx,
                     &(NodeSpec){.kind = LOOP_SELECT, .type = ops[1]->type, .nops = 3, .ops = ops});
}

static bool is_next(TermReader *r, const char *word)
{
    TermReader before = *r;
    bool next = read_part(r, word);
    *r = before;
    return next;
}

// Reads the number of work-items of a kernel's groups, if it has any.
static bool read_group(TermReader *r, LoopEntry *e)
{
    enum { MOST = 1024 };
    int64_t items;
    if (!e->kernel || !read_part(r, "group")) return true;
    Node *size = term_read_size(r);
    if (!size || !term_read_expected(r, ")")) return false;
    if (!nat_is_const(size, &items) || items < 1 || items > MOST) {
        term_read_fail(r, "a group has 1 to %d work-items", MOST);
        return false;
    }
    e->group = (int)items;
    return true;
}

static bool read_header(TermReader *r, LoopEntry *e)
{
    if (!term_read_expected(r, "(")) return false;
    e->external = term_read_punctuation(r, "external");
    e->kernel = !e->external && term_read_punctuation(r, "kernel");
    if (!e->external && !e->kernel && !term_read_expected(r, "loops")) return false;
    if (!(e->name = term_read_name(r)) || !read_sizes(r, e) || !read_source(r, e)) return false;
    if (read_part(r, "doc") && (!(e->doc = term_read_string(r)) || !term_read_expected(r, ")")))
        return false;
    e->undefined = read_part(r, "undefined");
    if (e->undefined && !term_read_expected(r, ")")) return false;
    if (!read_group(r, e)) return false;
    if (read_part(r, "checks") && !core_read_checks(r, &e->checks)) return false;
    if (!term_read_expected(r, "(") || !term_read_expected(r, "buffers")) return false;
    while (!term_read_punctuation(r, ")")) {
        LoopParam p = {0};
        if (!read_buffer(r, &p)) return false;
        vec_push(r->cx->arena, &e->params, p);
    }
    e->planned = is_next(r, "workspace") || is_next(r, "workspace_if");
    if (!e->planned) return true;
    TermScope scope = loops_scope(r->cx, e);
    e->workspace = read_workspace(r, &scope);
    if (e->workspace && loops_workspace_lines(e->workspace))
        e->workspace = loops_workspace_lines(e->workspace);
    return e->workspace != NULL;
}

static LoopEntry *read_entry(TermReader *r)
{
    LoopEntry *e = ARENA_NEW(r->cx->arena, LoopEntry);
    if (!read_header(r, e)) return NULL;
    TermScope scope = loops_scope(r->cx, e);
    if (!e->external && !(e->body = term_read_in(r, &scope))) return NULL;
    return term_read_expected(r, ")") ? e : NULL;
}

LoopEntry *loops_read(Session *cx, uint32_t file)
{
    TermReader r = term_reader(cx, file, LEVEL_LOOP);
    LoopEntry *e = read_entry(&r);
    while (e && !term_read_end(&r)) {
        LoopEntry *callee = read_entry(&r);
        if (!callee) return NULL;
        vec_push(cx->arena, &e->callees, callee);
    }
    return e;
}

static bool is_in(Node *n, void *names)
{
    return n->kind == NAT_VAR && map_get(names, MAP_KEY(n->attr.sym));
}

static bool has_changing_positions(Session *cx, const LoopEntry *e)
{
    Map changed = map_new(cx->arena);
    if (!e->body) return false;
    loops_changed(e->body, &changed);
    return node_any(e->body, is_in, &changed);
}

void loops_find_folded(Session *cx, LoopEntry *e)
{
    e->folded = has_changing_positions(cx, e);
    for (int i = 0; i < e->callees.len; i++) {
        e->callees.at[i]->folded = has_changing_positions(cx, e->callees.at[i]);
        e->folded |= e->callees.at[i]->folded;
    }
}
