// Reads the tokens, sizes and types of the textual form.
#include "term/internal.h"

TermReader term_reader(Session *cx, uint32_t file, int level)
{
    uint32_t len = (uint32_t)cx->sources.at[file - 1]->len;
    return (TermReader){.cx = cx, .file = file, .end = len, .level = level};
}

void *term_read_fail(TermReader *r, const char *format, ...)
{
    if (r->failed) return NULL;
    r->failed = true;
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(r->cx->arena, format, args);
    va_end(args);
    uint32_t hi = r->at < r->end ? r->at + 1 : r->at;
    diag_error(r->cx, E0119, (Span){r->file, r->at, hi}, "%s", text);
    return NULL;
}

static char char_at(const TermReader *r, uint32_t at)
{
    return at < r->end ? r->cx->sources.at[r->file - 1]->text[at] : '\0';
}

char next_char(TermReader *r)
{
    if (r->failed) return '\0';
    for (char c; (c = char_at(r, r->at));) {
        if (c == ';')
            while (char_at(r, r->at) && char_at(r, r->at) != '\n') r->at++;
        else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
            r->at++;
        else
            return c;
    }
    return '\0';
}

bool term_read_end(TermReader *r)
{
    return next_char(r) == '\0' && r->at >= r->end;
}

bool term_read_punctuation(TermReader *r, const char *text)
{
    uint32_t len = (uint32_t)strlen(text);
    next_char(r);
    for (uint32_t i = 0; i < len; i++)
        if (r->failed || char_at(r, r->at + i) != text[i]) return false;
    if (type_is_name_char(text[len - 1], false) &&
        type_is_name_char(char_at(r, r->at + len), false))
        return false;
    r->at += len;
    return true;
}

bool term_read_expected(TermReader *r, const char *text)
{
    if (term_read_punctuation(r, text)) return true;
    term_read_fail(r, "expected `%s`", text);
    return false;
}

bool term_read_part(TermReader *r, const char *word)
{
    TermReader before = *r;
    if (term_read_punctuation(r, "(") && term_read_punctuation(r, word)) return true;
    *r = before;
    return false;
}

bool next_is_name(TermReader *r)
{
    char c = next_char(r);
    return c == '`' || type_is_name_char(c, true);
}

static Sym name_between(TermReader *r, uint32_t lo, uint32_t hi)
{
    return sym_intern(r->cx->syms, r->cx->sources.at[r->file - 1]->text + lo, hi - lo);
}

Sym term_read_name(TermReader *r)
{
    if (!next_is_name(r)) return term_read_fail(r, "expected a name");
    uint32_t lo = r->at;
    if (char_at(r, lo) == '`') {
        do r->at++;
        while (char_at(r, r->at) && char_at(r, r->at) != '`');
        if (!char_at(r, r->at)) return term_read_fail(r, "the name does not end");
        return name_between(r, lo + 1, r->at++);
    }
    while (type_is_name_char(char_at(r, r->at), r->at == lo)) r->at++;
    return name_between(r, lo, r->at);
}

Sym read_word(TermReader *r)
{
    next_char(r);
    uint32_t lo = r->at;
    for (char c; !r->failed && (c = char_at(r, r->at)) && !strchr(" \t\r\n();", c);) r->at++;
    return r->at > lo ? name_between(r, lo, r->at) : term_read_fail(r, "expected a word");
}

const char *term_read_string(TermReader *r)
{
    if (!term_read_expected(r, "\"")) return NULL;
    Text out = text_new(r->cx->arena);
    for (char c; (c = char_at(r, r->at)) != '"'; r->at++) {
        if (!c) return term_read_fail(r, "the string does not end");
        if (c == '\\') c = char_at(r, ++r->at) == 'n' ? '\n' : char_at(r, r->at);
        text_char(&out, c);
    }
    r->at++;
    return text_get(&out);
}

void term_print_string(Text *out, const char *text)
{
    text_char(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') text_char(out, '\\');
        if (*text == '\n')
            text_put(out, "\\n");
        else
            text_char(out, *text);
    }
    text_char(out, '"');
}

// --- sizes -------------------------------------------------------------------------------------

static bool enter(TermReader *r)
{
    if (r->depth++ < MAX_DEPTH) return true;
    term_read_fail(r, "nested too deeply");
    return false;
}

static Node *read_number(TermReader *r)
{
    int64_t value = 0;
    for (char c; (c = char_at(r, r->at)) >= '0' && c <= '9'; r->at++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, c - '0', &value))
            return term_read_fail(r, "the number is too large");
    return nat_const(r->cx, value);
}

// Reads min(a, b), max(a, b) or pow(a, b). The parenthesis directly follows the word.
static Node *read_call(TermReader *r, Kind kind)
{
    r->at += (uint32_t)strlen(kind_info[kind].text) + 1;
    Node *a = term_read_size(r);
    if (!a || !term_read_expected(r, ",")) return NULL;
    Node *b = term_read_size(r);
    return b && term_read_expected(r, ")") ? nat_apply(r->cx, kind, a, b) : NULL;
}

static bool next_is_call(TermReader *r, Kind kind)
{
    const char *text = kind_info[kind].text;
    uint32_t len = (uint32_t)strlen(text);
    for (uint32_t i = 0; i < len; i++)
        if (char_at(r, r->at + i) != text[i]) return false;
    return char_at(r, r->at + len) == '(';
}

static Node *read_size_atom(TermReader *r)
{
    static const Kind calls[] = {NAT_MIN, NAT_MAX, NAT_POW};
    char c = next_char(r);
    if (term_read_punctuation(r, "(")) {
        Node *e = term_read_size(r);
        return e && term_read_expected(r, ")") ? e : NULL;
    }
    if (c >= '0' && c <= '9') return read_number(r);
    if (term_read_punctuation(r, "?")) {
        Node *number = read_number(r);
        return number ? nat_meta(r->cx, number->attr.i) : NULL;
    }
    for (int i = 0; i < 3; i++)
        if (next_is_call(r, calls[i])) return read_call(r, calls[i]);
    if (!next_is_name(r)) return term_read_fail(r, "expected a size");
    Sym name = term_read_name(r);
    return name ? nat_var(r->cx, name) : NULL;
}

Node *read_size_operand(TermReader *r)
{
    Node *e = read_size_atom(r);
    while (e) {
        char c = next_char(r);
        Kind kind = c == '*' ? NAT_PRODUCT : c == '/' ? NAT_DIV : c == '%' ? NAT_MOD : KIND_NONE;
        if (kind == KIND_NONE) return e;
        r->at++;
        Node *factor = read_size_atom(r);
        e = factor ? nat_apply(r->cx, kind, e, factor) : NULL;
    }
    return NULL;
}

Node *term_read_size(TermReader *r)
{
    if (!enter(r)) return NULL;
    bool negative = term_read_punctuation(r, "-");
    Node *e = read_size_operand(r);
    if (e && negative) e = nat_sub(r->cx, nat_const(r->cx, 0), e);
    while (e) {
        char c = next_char(r);
        if (c != '+' && c != '-') break;
        r->at++;
        Node *term = read_size_operand(r);
        if (term)
            e = c == '+' ? nat_add(r->cx, e, term) : nat_sub(r->cx, e, term);
        else
            e = NULL;
    }
    r->depth--;
    return e;
}

// --- types -------------------------------------------------------------------------------------

typedef VEC(Node *) Nodes;

// Reads types up to `close`. They are separated by commas, and a comma may follow the last one.
static bool read_types(TermReader *r, Nodes *types, const char *close)
{
    while (!term_read_punctuation(r, close)) {
        Node *t = term_read_type(r);
        if (!t) return false;
        vec_push(r->cx->arena, types, t);
        if (term_read_punctuation(r, ",")) continue;
        return term_read_expected(r, close);
    }
    return true;
}

// Reads the type of an array or a vector after its opening bracket: n]t.
static Node *read_elements(TermReader *r, Node *(*make)(Session *, Node *, Node *))
{
    Node *n = term_read_size(r);
    if (!n || !term_read_expected(r, "]")) return NULL;
    Node *t = term_read_type(r);
    return t ? make(r->cx, n, t) : NULL;
}

static Node *read_fun_type(TermReader *r)
{
    Nodes params = {0};
    if (!read_types(r, &params, ")") || !term_read_expected(r, "->")) return NULL;
    Node *result = term_read_type(r);
    return result ? type_fun(r->cx, params.len, params.at, result) : NULL;
}

static Node *read_struct_type(TermReader *r, Sym name)
{
    Nodes fields = {0};
    VEC(Sym) names = {0};
    while (!term_read_punctuation(r, "}")) {
        Sym field = term_read_name(r);
        if (!field || !term_read_expected(r, ":")) return NULL;
        Node *t = term_read_type(r);
        if (!t) return NULL;
        vec_push(r->cx->arena, &fields, t);
        vec_push(r->cx->arena, &names, field);
        if (!term_read_punctuation(r, ",") && next_char(r) != '}')
            return term_read_fail(r, "expected `}`");
    }
    return type_struct(r->cx, name, fields.len, fields.at, names.at);
}

static Node *read_bracketed(TermReader *r, Node *(*inside)(TermReader *),
                            Node *(*make)(Session *, Node *))
{
    if (!term_read_expected(r, "[")) return NULL;
    Node *e = inside(r);
    return e && term_read_expected(r, "]") ? make(r->cx, e) : NULL;
}

static Node *read_named_type(TermReader *r)
{
    bool quoted = next_char(r) == '`';
    Sym name = term_read_name(r);
    if (!name) return NULL;
    if (term_read_punctuation(r, "{")) return read_struct_type(r, name);
    if (quoted) return type_var(r->cx, name);
    for (int s = 0; s < SCALAR_COUNT; s++)
        if (strcmp(name->text, scalar_info[s].text) == 0) return type_scalar(r->cx, (Scalar)s);
    if (strcmp(name->text, "idx") == 0) return read_bracketed(r, term_read_size, type_idx);
    if (strcmp(name->text, "vec") == 0)
        return term_read_expected(r, "[") ? read_elements(r, type_varying) : NULL;
    if (strcmp(name->text, "mode") == 0) return read_bracketed(r, term_read_type, type_mode);
    return type_var(r->cx, name);
}

// Reads &t, &mut t or &mut global t, whose `&` has already been consumed.
static Node *read_ref_type(TermReader *r)
{
    bool mutable = term_read_punctuation(r, "mut");
    Space space = SPACE_GENERIC;
    for (int s = SPACE_GENERIC + 1; s < SPACE_COUNT && space == SPACE_GENERIC; s++)
        if (term_read_punctuation(r, space_text[s])) space = (Space)s;
    Node *t = term_read_type(r);
    return t ? type_ref(r->cx, t, mutable, space) : NULL;
}

static Node *read_type(TermReader *r)
{
    if (term_read_punctuation(r, "&")) return read_ref_type(r);
    if (term_read_punctuation(r, "!")) return type_never(r->cx);
    if (term_read_punctuation(r, "[")) return read_elements(r, type_array);
    if (term_read_punctuation(r, "fn(")) return read_fun_type(r);
    if (term_read_punctuation(r, "?error")) return type_error(r->cx);
    if (term_read_punctuation(r, "?")) {
        Node *number = read_number(r);
        return number ? type_meta(r->cx, number->attr.i) : NULL;
    }
    if (term_read_punctuation(r, "(")) {
        Nodes parts = {0};
        if (!read_types(r, &parts, ")")) return NULL;
        return type_tuple(r->cx, parts.len, parts.at);
    }
    if (!next_is_name(r)) return term_read_fail(r, "expected a type");
    return read_named_type(r);
}

Node *term_read_type(TermReader *r)
{
    if (!enter(r)) return NULL;
    Node *t = read_type(r);
    r->depth--;
    return t;
}
