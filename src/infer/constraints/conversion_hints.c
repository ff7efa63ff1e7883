// Hints that show how to convert a value. Following a hint must give the intended value: if an
// operator on integers would wrap, or divide with a remainder, the hint converts its operands
// instead of its result.
#include "infer/constraints/constraints.h"

#include <string.h>

bool infer_is_wider(Scalar from, Scalar to)
{
    const ScalarInfo *a = &scalar_info[from], *c = &scalar_info[to];
    if (a->class == CLASS_BOOL || c->class == CLASS_BOOL || a->size >= c->size) return false;
    return a->class == c->class || (a->class == CLASS_UINT && c->class == CLASS_INT);
}

enum { MOST_EDITS = 16, LONGEST = 72, DEEPEST = 64 };

// A string to insert into the source.
typedef struct {
    uint32_t at;
    const char *text;
} Edit;

typedef struct {
    Body *b;
    Scalar to;
    Edit edits[MOST_EDITS];
    int n;
    bool full;              // more edits are needed than fit
    bool parts, division;   // operands are converted; some are those of an integer division
    const Symbol *constant; // an f32 constant without an f64 counterpart (PI has PI64), or NULL
} Rewrite;

const Ast *infer_at(const Body *b, Span span)
{
    const Ast *e = b->value, *next;
    for (; e && (e->span.lo != span.lo || e->span.hi != span.hi); e = next) {
        next = NULL;
        for (int i = 0; i < e->kids.len && !next; i++) {
            const Ast *kid = e->kids.at[i];
            if (kid && kid->span.lo <= span.lo && span.hi <= kid->span.hi) next = kid;
        }
    }
    return e && e->span.file == span.file ? e : NULL;
}

bool infer_number_of(Body *b, Node *t, Scalar *s)
{
    t = type_elements(infer_resolve(b, t));
    *s = SCALAR_I64;
    return t->kind == TYPE_IDX || (type_is_number(t) && type_is_scalar(t, s));
}

static bool is_float(Scalar s)
{
    return scalar_info[s].class == CLASS_FLOAT;
}

// Whether the expression is already known to be an integer or an array of integers. Sets *s to
// their type.
static bool integer_of(Rewrite *r, const Ast *e, Scalar *s)
{
    Node *t = infer_note(r->b, e)->type;
    return t && infer_number_of(r->b, t, s) && !is_float(*s);
}

static bool is_truth(Rewrite *r, const Ast *e, Scalar *s)
{
    Node *t = infer_note(r->b, e)->type;
    return t && type_is_scalar(type_elements(infer_resolve(r->b, t)), s) && *s == SCALAR_BOOL;
}

static const Symbol *called(Rewrite *r, const Ast *e, const Call **call)
{
    *call = e->kind == AST_CALL || e->kind == AST_PIPE ? infer_note(r->b, e)->call : NULL;
    return *call && !(*call)->partial ? (*call)->symbol : NULL;
}

// Whether a parameter and the result have the same type, or are arrays with the same element type.
static bool is_of_result(const Signature *sig, int i)
{
    if (!sig->params.at[i].type) return false; // a size parameter
    return type_elements(sig->params.at[i].type) == type_elements(sig->result);
}

// Returns the signature of a called function whose result is computed from its arguments or their
// elements, such as a sum, or NULL. Sets *call to the call, and *s to the type of such an argument.
// The types of the arguments may be known even if that of the result is not.
static const Signature *combines(Rewrite *r, const Ast *e, const Call **call, Scalar *s)
{
    const Symbol *y = called(r, e, call);
    bool function = y && (y->kind == SYMBOL_FN || y->kind == SYMBOL_PATTERN);
    const Signature *sig = function ? y->signature : NULL;
    if (!sig || sig->params.len != (*call)->nargs) return NULL;
    if (type_elements(sig->result)->kind != TYPE_VAR) return NULL;
    for (int i = 0; i < sig->params.len; i++)
        if (is_of_result(sig, i) && !ast_is_literal((*call)->args[i]) &&
            (integer_of(r, (*call)->args[i], s) || is_truth(r, (*call)->args[i], s)))
            return sig;
    return NULL;
}

static bool is_one_of(Sym name, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n && name; i++)
        if (strcmp(name->text, texts[i]) == 0) return true;
    return false;
}

// Whether `to` can represent every value of the integer type `from`, and more.
static bool holds_more(Scalar from, Scalar to)
{
    if (is_float(to)) return scalar_info[from].size * 2 <= scalar_info[to].size;
    return infer_is_wider(from, to);
}

static bool has_float(const Call *c)
{
    for (int i = 0; i < c->nargs; i++)
        if (ast_strip(c->args[i])->kind == AST_FLOAT) return true;
    return false;
}

// Whether the operands of this operation may be converted instead of its result. Those of a bitwise
// operation may not if the target is a float.
static bool is_operator(const Rewrite *r, const Ast *e)
{
    static const char *const texts[] = {"+", "-", "*", "/", "%", "<<", ">>>", "|", "&", "^"};
    enum { ALL = sizeof texts / sizeof *texts, ARITHMETIC = 5 };
    return (e->kind == AST_BINARY || e->kind == AST_UNARY) &&
           is_one_of(e->name, texts, is_float(r->to) ? ARITHMETIC : ALL);
}

static bool wraps(Rewrite *r, const Ast *e)
{
    static const char *const texts[] = {"+", "-", "*", "<<"};
    Scalar s;
    bool arithmetic = is_operator(r, e) && is_one_of(e->name, texts, sizeof texts / sizeof *texts);
    const Call *c;
    if (combines(r, e, &c, &s)) return s == SCALAR_BOOL || holds_more(s, r->to) || has_float(c);
    return arithmetic && integer_of(r, e, &s) && holds_more(s, r->to);
}

static bool divides(Rewrite *r, const Ast *e)
{
    Scalar s;
    return is_float(r->to) && ast_is_binary(e, "/") && integer_of(r, e, &s);
}

// The operands of an operator, or of a call to min, max or abs. Sets *n to their number. Returns
// NULL if `e` is neither.
static const Ast *const *operands(Rewrite *r, const Ast *e, int *n)
{
    const Call *c;
    const Symbol *y = called(r, e, &c);
    *n = e->kids.len;
    if (is_operator(r, e)) return (const Ast *const *)e->kids.at;
    *n = y ? c->nargs : 0;
    bool prim = y && y->kind == SYMBOL_PRIM;
    return prim && (y->row == PRIM_ABS || y->row == PRIM_MIN || y->row == PRIM_MAX) ? c->args
                                                                                    : NULL;
}

// The body of the lambda passed to map or generate, or NULL if `e` is not such a call.
static const Ast *mapped(Rewrite *r, const Ast *e)
{
    const Call *c;
    const Symbol *y = called(r, e, &c);
    if (!y || y->kind != SYMBOL_PATTERN) return NULL;
    int k = strcmp(y->name->text, "map") == 0 ? 0 : strcmp(y->name->text, "generate") == 0 ? 1 : -1;
    const Ast *f = k >= 0 && k < c->nargs ? ast_strip(c->args[k]) : NULL;
    return f && f->kind == AST_LAMBDA ? vec_last(&f->kids) : NULL;
}

// Whether the value may have wrapped or been truncated before it is converted.
static bool loses(Rewrite *r, const Ast *e, int depth)
{
    const Ast *const *of;
    int n;
    e = ast_strip(e);
    if (depth == 0 || e->kind == AST_ERROR) return false;
    if (wraps(r, e) || divides(r, e)) return true;
    if (e->kind == AST_BLOCK) return e->kids.len && loses(r, vec_last(&e->kids), depth - 1);
    if (e->kind == AST_IF && e->kids.len == 3 && e->kids.at[2])
        return loses(r, e->kids.at[1], depth - 1) || loses(r, e->kids.at[2], depth - 1);
    const Ast *body = mapped(r, e);
    if (body) return loses(r, body, depth - 1);
    of = operands(r, e, &n);
    for (int i = 0; of && i < n; i++)
        if (loses(r, of[i], depth - 1)) return true;
    return false;
}

static void put(Rewrite *r, uint32_t at, const char *text)
{
    if (r->n < MOST_EDITS)
        r->edits[r->n++] = (Edit){at, text};
    else
        r->full = true;
}

static void wrap(Rewrite *r, const Ast *e)
{
    bool plain = e->kind == AST_PAREN;
    put(r, e->span.lo, arena_printf(r->b->arena, plain ? "%s" : "%s(", scalar_info[r->to].text));
    if (!plain) put(r, e->span.hi, ")");
}

static void convert(Rewrite *r, const Ast *e, int depth);

static void convert_parts(Rewrite *r, const Ast *e, int depth)
{
    const Call *c;
    Scalar s;
    const Signature *sig = combines(r, e, &c, &s);
    const Ast *body = mapped(r, e);
    int n = 0;
    const Ast *const *of = operands(r, e, &n);
    r->parts = true;
    r->division |= divides(r, e);
    if (e->kind == AST_BLOCK) {
        convert(r, vec_last(&e->kids), depth);
    } else if (e->kind == AST_IF) {
        convert(r, e->kids.at[1], depth);
        convert(r, e->kids.at[2], depth);
    } else if (body) {
        convert(r, body, depth);
    } else if (sig) {
        for (int i = 0; i < c->nargs; i++)
            if (is_of_result(sig, i)) convert(r, c->args[i], depth);
    } else {
        for (int i = 0; of && i < n; i++) convert(r, of[i], depth);
    }
}

static const Symbol *narrow_constant(Rewrite *r, const Ast *e)
{
    Scalar s;
    const Symbol *y = e->kind == AST_NAME ? infer_note(r->b, e)->symbol : NULL;
    bool constant = y && y->kind == SYMBOL_CONST && y->signature;
    return constant && type_is_scalar(y->signature->result, &s) && s == SCALAR_F32 ? y : NULL;
}

// Whether an expression consists of literals and f32 constants, whose values are rounded to f32
// before they are converted to f64. Replaces constants with existing f64 constants, such as PI with
// PI64.
static bool take_doubles(Rewrite *r, const Ast *e)
{
    e = ast_strip(e);
    const Symbol *y = narrow_constant(r, e);
    if (ast_is_literal(e)) return true;
    if (!y && e->kind != AST_BINARY && e->kind != AST_UNARY) return false;
    for (int i = 0; i < e->kids.len; i++)
        if (!take_doubles(r, e->kids.at[i])) return false;
    if (!y) return true;
    Sym wide = session_sym(r->b->cx, arena_printf(r->b->arena, "%s64", y->name->text));
    if (map_get(&y->unit->scope, MAP_KEY(wide)))
        put(r, e->span.hi, "64");
    else
        r->constant = y;
    return true;
}

static bool has_narrow_constant(Rewrite *r, const Ast *e)
{
    e = ast_strip(e);
    bool found = narrow_constant(r, e) != NULL;
    for (int i = 0; i < e->kids.len && !found; i++)
        found = e->kids.at[i] && has_narrow_constant(r, e->kids.at[i]);
    return found;
}

// Converts an expression, except a literal, which adapts to its context.
static void convert(Rewrite *r, const Ast *e, int depth)
{
    const Ast *inner = ast_strip(e);
    Scalar s;
    Node *t = infer_note(r->b, inner)->type;
    if (ast_is_literal(inner)) return;
    bool number = t && infer_number_of(r->b, t, &s);
    if (number && type_elements(infer_resolve(r->b, t))->kind != TYPE_IDX && s == r->to) return;
    int edits = r->n;
    const Symbol *constant = r->constant;
    if (r->to == SCALAR_F64 && has_narrow_constant(r, inner) && take_doubles(r, inner)) return;
    r->n = edits;
    r->constant = constant;
    if (depth > 0 && loses(r, inner, DEEPEST))
        convert_parts(r, inner, depth - 1);
    else
        wrap(r, e);
}

static Span without_semicolon(const Session *cx, Span whole)
{
    const char *text = cx->sources.at[whole.file - 1]->text;
    if (whole.hi > whole.lo && text[whole.hi - 1] == ';') whole.hi--;
    return whole;
}

// The source text after the edits, which may have been recorded in any order. Returns NULL if it
// would be too long.
static const char *edited(Rewrite *r, Span whole)
{
    const Source *s = r->b->cx->sources.at[whole.file - 1];
    whole = without_semicolon(r->b->cx, whole);
    if (r->full || whole.hi - whole.lo > LONGEST ||
        memchr(s->text + whole.lo, '\n', whole.hi - whole.lo))
        return NULL;
    Text t = text_new(r->b->arena);
    for (uint32_t at = whole.lo; at <= whole.hi; at++) {
        for (int i = 0; i < r->n; i++) // closing parentheses precede conversions that begin here
            if (r->edits[i].at == at && *r->edits[i].text == ')') text_put(&t, ")");
        for (int i = 0; i < r->n; i++)
            if (r->edits[i].at == at && *r->edits[i].text != ')') text_put(&t, r->edits[i].text);
        if (at < whole.hi) text_char(&t, s->text[at]);
    }
    return text_get(&t);
}

Conversion infer_converted(Body *b, const Ast *whole, const Ast *const *parts, int n, Scalar to)
{
    Rewrite r = {.b = b, .to = to};
    for (int i = 0; i < n; i++) convert(&r, parts[i], DEEPEST);
    const char *text = whole->span.file ? edited(&r, whole->span) : NULL;
    Span all = text ? without_semicolon(b->cx, whole->span) : NO_SPAN;
    if (!text && !r.parts) text = arena_printf(b->arena, "%s(...)", scalar_info[to].text);
    return (Conversion){text, all, r.parts, r.division, r.constant};
}

// Whether the type is a float type, or an array of floats.
static bool float_in(Body *b, Node *t, Scalar *s)
{
    return t && type_is_scalar(type_elements(infer_resolve(b, t)), s) && is_float(*s);
}

Scalar infer_usual_float(Body *b, Node *wanted)
{
    const Signature *sig = b->symbol ? b->symbol->signature : NULL;
    Scalar s;
    if (float_in(b, wanted, &s) || (sig && float_in(b, sig->result, &s))) return s;
    for (int i = 0; sig && i < sig->params.len; i++)
        if (float_in(b, sig->params.at[i].type, &s)) return s;
    return SCALAR_F32; // the default type of float literals
}

void infer_help_conversion(Body *b, Diag *d, const Conversion *c, Scalar to)
{
    Session *cx = b->cx;
    const char *name = scalar_info[to].text;
    if (c->division)
        diag_note(cx, d, NO_SPAN, "`/` of integers is the integer division: 1 / 2 is 0");
    if (c->constant)
        diag_help(cx, d,
                  "`%s` is an f32; declare it with its type, for all digits: const %s: f64 = ...",
                  c->constant->name->text, c->constant->name->text);
    else if (!c->parts)
        diag_fix(cx, d, c->whole, c->text, "convert it: %s", c->text);
    else if (c->text)
        diag_fix(cx, d, c->whole, c->text, "convert the operands: %s", c->text);
    else
        diag_help(cx, d, "convert the operands, not the result: %s(...)", name);
}
