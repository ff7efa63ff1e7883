// Reads terms. The scope and the typing rule supply what the printer leaves out.
#include "term/internal.h"

typedef VEC(Node *) Nodes;

typedef struct {
    TermReader *r;
    Scope scope;
    TermRule *rule;
} Reading;

static Node *read_term(Reading *in, Sort sort);

static bool is_term_kind(Kind kind)
{
    return kind != KIND_NONE && !(kind_info[kind].levels & (LEVEL_NAT | LEVEL_TYPE));
}

// The kind of term whose spelling is the first `len` bytes of `head`, or KIND_NONE if there is
// none.
static Kind find_kind(const char *head, size_t len)
{
    for (int k = 0; k < KIND_COUNT; k++)
        if (is_term_kind((Kind)k) && strlen(kind_info[k].text) == len &&
            memcmp(kind_info[k].text, head, len) == 0)
            return (Kind)k;
    return KIND_NONE;
}

static bool find_prim(const char *text, int64_t *prim)
{
    for (int i = 0; i < PRIM_COUNT; i++) {
        if (strcmp(prim_info[i].text, text) != 0) continue;
        *prim = i;
        return true;
    }
    return false;
}

static bool find_variant(const char *text, Variant *v)
{
    for (int i = 1; i < VARIANT_COUNT; i++) {
        if (strcmp(variant_text[i], text) != 0) continue;
        *v = (Variant)i;
        return true;
    }
    return false;
}

static bool read_integer(TermReader *r, int64_t *value)
{
    Sym word = read_word(r);
    uint64_t bits;
    if (!word || !read_literal_bits(r, type_scalar(r->cx, SCALAR_I64), &bits, word->text))
        return false;
    *value = (int64_t)bits;
    return true;
}

// --- heads -------------------------------------------------------------------------------------

static bool read_code(TermReader *r, int64_t *code)
{
    Sym name = read_word(r);
    for (int i = 0; name && i < DIAG_COUNT; i++) {
        if (strcmp(diag_name((DiagCode)i), name->text) != 0) continue;
        *code = i;
        return true;
    }
    term_read_fail(r, "expected the code of an error");
    return false;
}

static bool read_mode(TermReader *r, int64_t *mode)
{
    Sym name = read_word(r);
    for (int i = 0; name && i < PAD_MODE_COUNT; i++) {
        if (strcmp(pad_mode_text[i], name->text) != 0) continue;
        *mode = i;
        return true;
    }
    term_read_fail(r, "expected a border mode");
    return false;
}

static bool read_prim(TermReader *r, int64_t *prim)
{
    Sym name = read_word(r);
    if (name && find_prim(name->text, prim)) return true;
    term_read_fail(r, "expected an operator");
    return false;
}

static bool read_attribute(TermReader *r, NodeSpec *s)
{
    if (s->kind == COM_CHECK || s->kind == LOOP_CHECK) return read_code(r, &s->attr.i);
    if (s->kind == CORE_TEXT) {
        const char *text = term_read_string(r);
        return text && (s->attr.sym = session_sym(r->cx, text));
    }
    switch (kind_info[s->kind].attr) {
    case ATTR_NONE: return true;
    case ATTR_INT: return read_integer(r, &s->attr.i);
    case ATTR_SYM: return (s->attr.sym = term_read_name(r)) != NULL;
    case ATTR_PRIM: return read_prim(r, &s->attr.i);
    case ATTR_MODE: return read_mode(r, &s->attr.i);
    case ATTR_SCALAR:
    case ATTR_BITS: break;
    }
    return true;
}

// Reads the kind, variant and attribute of a form. The attributes of variables, literals and
// lambdas are read later, together with their operands.
static bool read_head(TermReader *r, NodeSpec *s)
{
    Sym head = read_word(r);
    if (!head) return false;
    const char *dot = strchr(head->text, '.');
    s->kind = find_kind(head->text, head->len);
    if (s->kind == KIND_NONE && find_prim(head->text, &s->attr.i)) {
        s->kind = CORE_PRIM;
        return true;
    }
    if (s->kind == KIND_NONE && dot && find_variant(dot + 1, &s->variant))
        s->kind = find_kind(head->text, (size_t)(dot - head->text));
    if (s->kind == KIND_NONE) {
        term_read_fail(r, "`%s` is not a kind of term", head->text);
        return false;
    }
    if (s->kind == CORE_VAR || s->kind == CORE_LAM || s->kind == CORE_LIT) return true;
    return read_attribute(r, s);
}

// --- variables ---------------------------------------------------------------------------------

static Node *variable_named(Reading *in, Sym name, Sort sort)
{
    TermReader *r = in->r;
    NodeSpec s = {.kind = LOOP_VAR, .attr.sym = name};
    if (!name) return NULL;
    if (r->level & (LEVEL_DPIA | LEVEL_LOOP)) {
        const ScopeVar *v = scope_named(&in->scope, name);
        if (!v) return term_read_fail(r, "`%s` is not in scope", name->text);
        if (r->level == LEVEL_DPIA) s.kind = sort == SORT_ACCEPTOR ? ACC_VAR : PH_VAR;
        s.type = v->type;
        return node_make(r->cx, &s);
    }
    for (int i = in->scope.bound.len - 1; i >= 0; i--) {
        if (in->scope.bound.at[i].name != name) continue;
        s = (NodeSpec){.kind = CORE_VAR,
                       .attr.i = in->scope.bound.len - 1 - i,
                       .type = in->scope.bound.at[i].type};
        return node_make(r->cx, &s);
    }
    return term_read_fail(r, "`%s` is not in scope", name->text);
}

// Reads the rest of (var index : type), after the head.
static Node *read_variable(Reading *in, NodeSpec *s)
{
    if (s->kind == CORE_VAR && !read_integer(in->r, &s->attr.i)) return NULL;
    if (s->kind == CORE_VAR && (s->attr.i < 0 || s->attr.i > 1 << 20))
        return term_read_fail(in->r, "no variable has this index");
    if (!term_read_expected(in->r, ":")) return NULL;
    s->type = term_read_type(in->r);
    return s->type && term_read_expected(in->r, ")") ? node_make(in->r->cx, s) : NULL;
}

// Reads the rest of (lit text : type), after the head.
static Node *read_lit_form(Reading *in, NodeSpec *s)
{
    Sym text = read_word(in->r);
    if (!text || !term_read_expected(in->r, ":")) return NULL;
    s->type = term_read_type(in->r);
    if (!s->type || !read_literal_bits(in->r, s->type, &s->attr.bits, text->text)) return NULL;
    return term_read_expected(in->r, ")") ? node_make(in->r->cx, s) : NULL;
}

// --- forms -------------------------------------------------------------------------------------

// Finishes a form: reads its type after a colon, or determines it by the rule, and reads the
// closing parenthesis.
static Node *finish(Reading *in, NodeSpec *s)
{
    TermReader *r = in->r;
    if (term_read_punctuation(r, ":")) {
        s->type = term_read_type(r);
        if (!s->type) return NULL;
    }
    if (!term_read_expected(r, ")")) return NULL;
    const char *why = NULL;
    Node *type = in->rule && s->kind != LOOP_LOAD ? in->rule(r->cx, s, &why) : NULL;
    if (why && !s->type) return term_read_fail(r, "%s", why);
    if (!s->type) s->type = type;
    return node_make(r->cx, s);
}

static Node *read_lambda(Reading *in, NodeSpec *s)
{
    TermReader *r = in->r;
    VEC(Sym) names = {0};
    Nodes types = {0};
    if (!term_read_expected(r, "(")) return NULL;
    while (!term_read_punctuation(r, ")")) {
        if (names.len && !term_read_expected(r, ",")) return NULL;
        Sym name = term_read_name(r);
        Node *type = name && term_read_expected(r, ":") ? term_read_type(r) : NULL;
        if (!type) return NULL;
        vec_push(r->cx->arena, &names, name);
        vec_push(r->cx->arena, &types, type);
        vec_push(in->scope.arena, &in->scope.bound, ((ScopeVar){name, type}));
    }
    Node *body = read_term(in, SORT_TERM);
    in->scope.bound.len -= names.len;
    if (!body) return NULL;
    s->attr.i = names.len;
    s->names = names.at;
    s->nops = 1;
    s->ops = &body;
    if (body->type)
        s->type = type_fun(r->cx, types.len, types.at, body->type);
    else if (in->rule)
        return term_read_fail(r, "the body of a lambda has no type");
    return finish(in, s);
}

static Node *read_let(Reading *in, NodeSpec *s)
{
    TermReader *r = in->r;
    Sym *name = ARENA_NEW(r->cx->arena, Sym);
    Node *ops[2];
    if (!(*name = term_read_name(r)) || !(ops[0] = read_term(in, SORT_TERM))) return NULL;
    vec_push(in->scope.arena, &in->scope.bound, ((ScopeVar){*name, ops[0]->type}));
    ops[1] = read_term(in, SORT_TERM);
    in->scope.bound.len--;
    if (!ops[1]) return NULL;
    s->names = name;
    s->nops = 2;
    s->ops = ops;
    return finish(in, s);
}

// Reads the rest of (label name type body), after the head.
static Node *read_label(Reading *in, NodeSpec *s)
{
    TermReader *r = in->r;
    Sym *name = ARENA_NEW(r->cx->arena, Sym);
    if (!(*name = term_read_name(r)) || !(s->type = term_read_type(r))) return NULL;
    vec_push(in->scope.arena, &in->scope.bound,
             ((ScopeVar){*name, type_continuation(r->cx, s->type)}));
    Node *body = read_term(in, SORT_TERM);
    in->scope.bound.len--;
    if (!body) return NULL;
    s->names = name;
    s->nops = 1;
    s->ops = &body;
    return finish(in, s);
}

static Node *read_operand(Reading *in, Sort sort)
{
    TermReader *r = in->r;
    switch (sort) {
    case SORT_SIZE: return read_size_operand(r);
    case SORT_TYPE: return term_read_type(r);
    case SORT_GENERIC: {
        if (!term_read_part(r, "type")) return read_size_operand(r);
        Node *t = term_read_type(r);
        return t && term_read_expected(r, ")") ? t : NULL;
    }
    case SORT_TERM:
    case SORT_FUN:
    case SORT_ACCEPTOR: return read_term(in, sort);
    }
    return NULL;
}

static bool more_operands(TermReader *r, Kind kind, int have)
{
    if (kind_info[kind].nops >= 0) return have < kind_info[kind].nops;
    char c = next_char(r);
    return c != ')' && c != ':' && c != '\0';
}

static Node *read_form(Reading *in, NodeSpec *s)
{
    TermReader *r = in->r;
    Nodes ops = {0};
    int first = -1, outer = in->scope.named.len;
    bool binds = scope_binder(s->kind, &first);
    for (;;) {
        if (binds && ops.len == first) {
            ScopeVar v = {s->attr.sym, scope_binder_type(r->cx, s->kind, ops.at)};
            vec_push(in->scope.arena, &in->scope.named, v);
        }
        if (!more_operands(r, s->kind, ops.len)) break;
        Node *op = read_operand(in, kind_sort(s->kind, ops.len));
        if (!op) return NULL;
        vec_push(in->scope.arena, &ops, op);
    }
    if (!scope_stays(s->kind)) in->scope.named.len = outer;
    s->nops = ops.len;
    s->ops = ops.at;
    if (s->kind == LOOP_LOAD) {
        const ScopeVar *v = scope_named(&in->scope, s->attr.sym);
        if (v) s->type = v->type;
    }
    return finish(in, s);
}

static Node *read_parenthesised(Reading *in)
{
    NodeSpec s = {0};
    if (!read_head(in->r, &s)) return NULL;
    switch (s.kind) {
    case CORE_VAR:
    case PH_VAR:
    case ACC_VAR:
    case LOOP_VAR: return read_variable(in, &s);
    case CORE_LIT: return read_lit_form(in, &s);
    case CORE_LAM: return read_lambda(in, &s);
    case CORE_LET: return read_let(in, &s);
    case CORE_LABEL: return read_label(in, &s);
    default: return read_form(in, &s);
    }
}

static Node *truth(Session *cx, bool value)
{
    return node_make(
        cx,
        &(NodeSpec){.kind = CORE_LIT, .attr.bits = value, .type = type_scalar(cx, SCALAR_BOOL)});
}

static Node *read_term(Reading *in, Sort sort)
{
    TermReader *r = in->r;
    if (r->depth >= MAX_DEPTH) return term_read_fail(r, "nested too deeply");
    r->depth++;
    Node *e = NULL;
    char c = next_char(r);
    if (term_read_punctuation(r, "("))
        e = read_parenthesised(in);
    else if (c == '-' || (c >= '0' && c <= '9'))
        e = read_literal(r);
    else if (term_read_punctuation(r, "true"))
        e = truth(r->cx, true);
    else if (term_read_punctuation(r, "false"))
        e = truth(r->cx, false);
    else if (next_is_name(r))
        e = variable_named(in, term_read_name(r), sort);
    else
        term_read_fail(r, "expected a term");
    r->depth--;
    return r->failed ? NULL : e;
}

Node *term_read_in(TermReader *r, const TermScope *scope)
{
    int level = r->level;
    if (scope->level) r->level = scope->level;
    TermScope here = *scope;
    here.level = r->level;
    Reading in = {.r = r, .scope = scope_new(r->cx->arena, &here), .rule = scope->rule};
    Node *e = read_term(&in, SORT_TERM);
    r->level = level;
    return e;
}

Node *term_read(TermReader *r, const Sym *free_names, Node *const *free_types, int nfree,
                TermRule *rule)
{
    return term_read_in(
        r, &(TermScope){.names = free_names, .types = free_types, .n = nfree, .rule = rule});
}
