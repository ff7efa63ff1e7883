// Errors about types that do not agree, with hints.
#include "infer/constraints/constraints.h"

#include <string.h>

static void note_signature(Body *b, Diag *d, Why why)
{
    if (why.kind != WHY_ARGUMENT && why.kind != WHY_RESULT) return;
    if (!why.symbol || !why.symbol->item) return;
    diag_note(b->cx, d, NO_SPAN, "%s", infer_show_item(b->cx, why.symbol->item));
}

static void help_reference(Body *b, Diag *d, Node *expected, Node *found)
{
    Space space = type_ref_space(expected);
    if (infer_lanes_inside(b, found->op[0]) && !infer_lanes_inside(b, expected->op[0]))
        diag_help(b->cx, d,
                  "only in a complete call, as an argument of its own, is this a reference of each "
                  "lane");
    else if (space != SPACE_GENERIC && space != type_ref_space(found))
        diag_help(b->cx, d, "the variable must be in this address space: let mut x: %s %s = ...",
                  space_text[space], infer_show(b, expected->op[0]));
    else if (type_ref_mutable(expected) && !type_ref_mutable(found))
        diag_help(b->cx, d, "write &mut: the function writes to it");
}

// Adds a hint for a vector where one value for all lanes is needed.
static void help_varying(Body *b, Diag *d, Node *expected)
{
    Scalar s;
    if (expected->kind == TYPE_ARRAY) {
        diag_help(b->cx, d, "the array of the values in the lanes is as_scalar([v])");
    } else if (type_is_scalar(expected, &s) && s == SCALAR_BOOL) {
        diag_help(
            b->cx, d,
            "this differs by lane: any(...) and all(...) are one bool, select(c, a, b) chooses "
            "lane by lane, & and | combine conditions of lanes");
    } else {
        diag_help(b->cx, d, "this has a value for each lane: extract(v, i) is the value in one");
    }
}

static void help_vector(Body *b, Diag *d, Node *expected, Why why)
{
    if (infer_unknown_in(expected->op[0])) {
        bool counts = why.symbol && strcmp(why.symbol->name->text, "count") == 0;
        if (counts) diag_help(b->cx, d, "for an array use count(|x| x, xs) of std.stats");
        return;
    }
    Text t = text_new(b->cx->arena);
    nat_print(&t, expected->op[0], 0);
    diag_help(b->cx, d, "a vector of the elements of an array is as_vector[%s](xs)[0]",
              text_get(&t));
}

// Adds a hint for an array of numbers where an array of indices is expected.
static void help_indices(Body *b, Diag *d, Node *idx, Span span, Why why)
{
    if (why.symbol && strcmp(why.symbol->name->text, "gather") == 0) {
        diag_help(b->cx, d, "index by each number, checked at run time: map(|k| xs[k], ks)");
        return;
    }
    const Signature *sig = why.symbol && why.kind == WHY_ARGUMENT ? why.symbol->signature : NULL;
    bool declared = infer_unknown_in(idx) && sig && why.index < sig->params.len &&
                    sig->params.at[why.index].type;
    Node *wanted = declared ? type_elements(sig->params.at[why.index].type) : idx;
    diag_help(b->cx, d, "make indices of them, checked at run time: map(|k| k as %s, %s)%s",
              type_show(b->cx, wanted), infer_written(b, span),
              declared ? ", with a size in the brackets" : "");
}

// Whether a matrix is passed to a function that takes an array of numbers.
static bool is_deeper(Body *b, Node *expected, Node *found, Why why)
{
    if (why.kind != WHY_ARGUMENT || !why.symbol || why.index != 0 || !why.symbol->item ||
        why.symbol->item->params.len != 1)
        return false;
    return type_rank(found) == 2 && type_rank(expected) == 1 && infer_is_number(b, expected->op[1]);
}

// Whether a number is passed as the initial value of a reduction whose elements are arrays.
static bool starts_rows(Body *b, Node *expected, Node *found, Why why)
{
    bool pattern = why.kind == WHY_ARGUMENT && why.symbol && why.symbol->kind == SYMBOL_PATTERN;
    return pattern && why.index == 1 && expected->kind == TYPE_ARRAY && infer_is_number(b, found) &&
           infer_is_reduction(why.symbol->name);
}

// Whether a parameter takes arrays of this rank, with elements like those of `like`.
static bool takes_rank(Node *param, int rank, Node *like)
{
    return param && like && type_rank(param) == rank &&
           type_elements(param)->kind == type_elements(like)->kind;
}

// Whether `other` has the same parameters as `y`, except that parameter `index` is an array of this
// rank.
static bool is_of_rank(const Symbol *other, const Symbol *y, int index, int rank)
{
    const Signature *a = other->signature, *of = y->signature;
    if (other == y || other->kind != SYMBOL_FN || !a || a->params.len != of->params.len)
        return false;
    for (int i = 0; i < of->params.len; i++) {
        Node *like = of->params.at[i].type;
        int wanted = i == index ? rank : like ? type_rank(like) : 0;
        if (!takes_rank(a->params.at[i].type, wanted, like)) return false;
    }
    return true;
}

// Suggests a function of the same library module that takes an array of this rank, such as gemv for
// a vector instead of matmul for a matrix.
static bool help_rank(Body *b, Diag *d, Node *expected, Node *found, Why why)
{
    const Symbol *y = why.symbol;
    int rank = type_rank(found);
    bool array = expected->kind == TYPE_ARRAY && rank > 0 && rank != type_rank(expected);
    if (why.kind != WHY_ARGUMENT || !array || !y || !y->signature || !y->unit->name) return false;
    for (int i = 0; i < y->unit->symbols.len; i++) {
        const Symbol *other = y->unit->symbols.at[i];
        if (!is_of_rank(other, y, why.index, rank)) continue;
        diag_help(b->cx, d, "for an array of this rank, use %s of %s: %s", other->name->text,
                  y->unit->name->text, infer_show_item(b->cx, other->item));
        return true;
    }
    return false;
}

// Whether `pad` was given a border of single elements although the array consists of rows, or vice
// versa.
static bool is_border_of_others(Node *expected, Node *found, Why why)
{
    const Symbol *y = why.symbol;
    if (!y || y->kind != SYMBOL_PATTERN || infer_patterns[y->row].form != FORM_PAD) return false;
    if (expected->kind == TYPE_FUN && found->kind == TYPE_FUN) {
        expected = type_result(expected);
        found = type_result(found);
    }
    return type_rank(expected) != type_rank(found);
}

// Whether a function with several parameters is passed where a function of one tuple is expected.
static bool takes_parts(Node *expected, Node *found)
{
    if (expected->kind != TYPE_FUN || found->kind != TYPE_FUN || type_nparams(expected) != 1)
        return false;
    Node *tuple = type_param(expected, 0);
    return tuple->kind == TYPE_TUPLE && (int)tuple->nops == type_nparams(found);
}

static bool is_array_of(Node *t, Scalar of)
{
    Scalar s;
    return t->kind == TYPE_ARRAY && type_is_scalar(type_elements(t), &s) && s == of;
}

// Whether `byte` is a u8 and `text` is a string of one byte.
static bool is_letter(Node *byte, Node *text)
{
    Scalar s;
    int64_t n;
    return type_is_scalar(byte, &s) && s == SCALAR_U8 && is_array_of(text, SCALAR_U8) &&
           nat_is_const(text->op[0], &n) && n == 1;
}

// Adds a hint for a float where an integer is expected. Every conversion loses the fraction.
static void help_fraction(Body *b, Diag *d, const Conversion *c, Why why)
{
    if (why.kind == WHY_ASSIGN)
        diag_help(b->cx, d, "declare the variable as a float: let mut x = 0.0");
    else if (why.kind == WHY_BRANCH || why.kind == WHY_ARM || why.kind == WHY_ELEMENT)
        diag_help(b->cx, d, "convert the others to a float: %s(...)",
                  scalar_info[infer_usual_float(b, NULL)].text);
    else if (c->text)
        diag_fix(b->cx, d, c->whole, c->text, "cut off the fraction: %s", c->text);
}

// Whether numbers are expected. Sets *to to their type, or to the usual float type for floats of
// unknown type.
static bool expects_number(Body *b, Node *expected, Scalar *to)
{
    MetaKind kind;
    Node *t = type_elements(expected);
    bool is_float = solver_is_open(b->scope.solver, t, &kind) && kind == META_FLOAT;
    if (is_float) *to = infer_usual_float(b, NULL);
    return is_float || (type_is_number(t) && type_is_scalar(t, to));
}

// Adds a hint for numbers, or arrays of numbers, of different types. A string given in place of
// numbers is often the name of a file.
static bool help_numbers(Body *b, Diag *d, Node *expected, Node *found, Span span, Why why)
{
    if (expected->kind == TYPE_VEC && found->kind == TYPE_VEC) {
        expected = infer_resolve(b, expected->op[1]);
        found = infer_resolve(b, found->op[1]);
    }
    Scalar to, from;
    bool numbers = expects_number(b, expected, &to) && infer_number_of(b, found, &from) &&
                   type_rank(expected) == type_rank(found);
    if (!numbers) return false;
    if (why.kind == WHY_OPERATOR) return true; // operator.c names the operand to convert
    const Ast *e = infer_at(b, span);
    if (e && e->kind == AST_STRING) {
        diag_help(b->cx, d, "a text is its bytes; load(%s) is the contents of the file",
                  infer_written(b, e->span));
        return true;
    }
    if (e && e->kind == AST_BIND) { // a lambda parameter
        diag_help(b->cx, d, "declare it as `%s`, and convert it where it is used",
                  infer_show(b, found));
        return true;
    }
    Conversion c = {
        .text = arena_printf(b->arena, "%s(%s)", scalar_info[to].text, infer_written(b, span))};
    if (e) c = infer_converted(b, e, &e, 1, to);
    if (scalar_info[from].class == CLASS_FLOAT && scalar_info[to].class != CLASS_FLOAT)
        help_fraction(b, d, &c, why);
    else
        infer_help_conversion(b, d, &c, to);
    return true;
}

// Adds a hint for a number, or one in each lane, where a bool is expected.
static bool help_condition(Body *b, Diag *d, Node *expected, Node *found, Span span, Why why)
{
    Scalar s;
    if (expected->kind == TYPE_VEC) expected = infer_resolve(b, expected->op[1]);
    if (found->kind == TYPE_VEC) found = infer_resolve(b, found->op[1]);
    bool truth = type_is_scalar(expected, &s) && s == SCALAR_BOOL && why.kind != WHY_OPERATOR;
    if (!truth || type_rank(found) > 0 || !infer_number_of(b, found, &s)) return false;
    const Ast *e = infer_at(b, span);
    if (e && e->kind == AST_BIND) return false; // a lambda parameter
    bool opposite = e && e->kind == AST_UNARY && ast_is_named(e, "!");
    diag_help(b->cx, d, "compare the number: %s %s 0",
              infer_written(b, opposite ? e->kids.at[0]->span : span), opposite ? "==" : "!=");
    return true;
}

// Adds a hint for a bool where a number is expected.
static bool help_truth(Body *b, Diag *d, Node *expected, Node *found, Span span, Why why)
{
    Scalar to, s;
    Node *t = type_elements(expected);
    bool truth = type_is_scalar(type_elements(found), &s) && s == SCALAR_BOOL;
    if (!truth || type_rank(expected) != type_rank(found) || !infer_is_number(b, t) ||
        why.kind == WHY_OPERATOR)
        return false;
    if (!expects_number(b, t, &to)) to = SCALAR_I32;
    const Ast *e = infer_at(b, span);
    Conversion c = {.text = NULL};
    if (e) c = infer_converted(b, e, &e, 1, to);
    diag_help(b->cx, d, "1 for true and 0 for false: %s",
              c.text ? c.text : arena_printf(b->arena, "%s(...)", scalar_info[to].text));
    return true;
}

// Adds a hint for a number that is to fill an array.
static bool help_filled(Body *b, Diag *d, Node *expected, Node *found, Span span, Why why)
{
    bool stored = why.kind == WHY_ANNOTATION || why.kind == WHY_ASSIGN || why.kind == WHY_BODY;
    int rank = type_rank(expected);
    if (!stored || expected->kind != TYPE_ARRAY || type_rank(found) > 0 ||
        !infer_is_number(b, found))
        return false;
    const char *x = infer_written(b, span);
    if (rank == 1)
        diag_help(b->cx, d, "an array whose elements are all %s: repeat[%s](%s)", x,
                  nat_show(b->cx, expected->op[0]), x);
    else
        diag_help(b->cx, d, "an array whose elements are all %s: full([..], %s) of std.arrays", x,
                  x);
    return true;
}

void infer_help_open(Body *b, Diag *d, Span span)
{
    const char *written = infer_written(b, span);
    while (*written == '&' || *written == ' ') written++; // of a reference to it
    if (strncmp(written, "mut ", 4) == 0) written += 4;
    diag_help(b->cx, d,
              "only the run decides how many elements there are; a let gives them a size: let (k, "
              "ys) = %s;",
              written);
}

// Whether references are to an array and to a [?n]t.
static bool is_open_reference(Node *expected, Node *found)
{
    return expected->kind == TYPE_REF && found->kind == TYPE_REF &&
           expected->op[0]->kind == TYPE_ARRAY && type_is_up_to(found->op[0]);
}

static void help_place(Body *b, Diag *d, Node *expected)
{
    diag_help(b->cx, d, "a reference is expected: %s",
              type_ref_mutable(expected) ? "&mut of a place" : "&e");
}

// Adds hints for mistakes that newcomers make.
static void help_mismatch(Body *b, Diag *d, Node *expected, Node *found, Span span, Why why)
{
    Session *cx = b->cx;
    bool open = infer_is_unknown(expected);
    if (why.kind == WHY_PATTERN) {
        if (type_is_number(expected) && type_is_number(found))
            diag_help(cx, d, "a number without a suffix has the type of the value");
        return;
    }
    if (help_numbers(b, d, expected, found, span, why)) return;
    if (help_condition(b, d, expected, found, span, why)) return;
    if (help_truth(b, d, expected, found, span, why)) return;
    if (help_rank(b, d, expected, found, why)) return;
    if (help_filled(b, d, expected, found, span, why)) return;
    if (type_is_up_to(found) || is_open_reference(expected, found))
        infer_help_open(b, d, span);
    else if ((found->kind == TYPE_IDX && open) ||
             (expected->kind == TYPE_IDX && infer_is_unknown(found) && why.kind == WHY_OPERATOR))
        diag_help(cx, d, "convert the index: i64(...)");
    else if (expected->kind == TYPE_IDX && infer_is_unknown(found))
        diag_help(cx, d, "make an index of the number: ... as %s", type_show(cx, expected));
    else if (expected->kind == TYPE_IDX && type_is_integer(found))
        diag_help(cx, d, "convert the integer, checked at run time: ... as %s",
                  type_show(cx, expected));
    else if ((found->kind == TYPE_VEC && expected->kind != TYPE_VEC) ||
             (infer_is_in_lanes(b, found) && !infer_is_in_lanes(b, expected))) {
        if (expected->kind == TYPE_REF && found->kind != TYPE_REF)
            help_place(b, d, expected);
        else
            help_varying(b, d, expected);
    } else if (expected->kind == TYPE_ARRAY && found->kind == TYPE_ARRAY &&
               type_elements(expected)->kind == TYPE_IDX && type_is_integer(type_elements(found)))
        help_indices(b, d, type_elements(expected), span, why);
    else if (is_deeper(b, expected, found, why))
        diag_help(cx, d, "for each row write map(%s, %s), for all elements %s(join(%s))",
                  why.symbol->name->text, infer_written(b, span), why.symbol->name->text,
                  infer_written(b, span));
    else if (starts_rows(b, expected, found, why))
        diag_help(cx, d,
                  "the elements of a matrix are its rows: %s over join(xs) for all elements, or "
                  "map(|row| %s(..., row), xs) for each row",
                  why.symbol->name->text, why.symbol->name->text);
    else if (why.kind == WHY_OPERATOR && expected->kind == TYPE_ARRAY && infer_is_number(b, found))
        diag_help(cx, d, "arrays are compared as a whole; for each element: map(|x| x == ..., xs)");
    else if (why.kind == WHY_CONDITION && type_is_unit(found) && !b->symbol)
        diag_help(cx, d, "end the test with a condition; write `true` after assertions");
    else if (why.kind == WHY_CONDITION && is_array_of(found, SCALAR_BOOL))
        diag_help(
            cx, d,
            "choose for each element by choose(c, a, b) of std.arrays, or map(|x| if ..., xs)");
    else if (is_letter(expected, found) || is_letter(found, expected))
        diag_help(cx, d, "write one byte in single quotes: 'a'");
    else if (expected->kind == TYPE_VEC && found->kind == TYPE_ARRAY)
        help_vector(b, d, expected, why);
    else if (takes_parts(expected, found))
        diag_help(cx, d, "the elements are tuples; take them apart: |(a, b)| f(a, b)");
    else if (is_border_of_others(expected, found, why))
        diag_help(cx, d,
                  "a border has the type of the elements that it surrounds: declare a parameter "
                  "`mode[t]` for elements, and another one `mode[[m]t]` for rows of them");
    else if (found->kind == TYPE_FUN && expected->kind != TYPE_FUN)
        infer_help_partial(b, d, span);
    else if (expected->kind == TYPE_FUN && found->kind != TYPE_FUN)
        diag_help(cx, d, "a function is expected: a name, an operator, or |x| ...");
    else if (expected->kind == TYPE_REF && found->kind == TYPE_REF)
        help_reference(b, d, expected, found);
    else if (found->kind == TYPE_REF && !infer_is_unknown(expected))
        diag_help(cx, d, "this is a reference; *e is the value that it refers to");
    else if (expected->kind == TYPE_REF && !infer_is_unknown(found))
        help_place(b, d, expected);
}

// Whether a function declares its result. If not, the parser has added () with an empty span.
static bool writes_result(const Item *item)
{
    const Ast *t = item->type;
    return t && (t->kind != AST_TYPE_TUPLE || t->kids.len || t->span.hi - t->span.lo >= 2);
}

// Adds a hint for a function that declares no result but whose body has a value.
static void help_result(Body *b, Diag *d, Node *found, Why why)
{
    diag_note(b->cx, d, NO_SPAN, "%s has no `->`, so it has no result", why.symbol->name->text);
    if (!infer_unknown_in(found))
        diag_help(b->cx, d, "write the type of its result: -> %s", infer_show(b, found));
}

void infer_mismatch(Body *b, Node *expected, Node *found, Span span, Why why, const char *reason)
{
    Session *cx = b->cx;
    expected = infer_resolve(b, expected);
    found = infer_resolve(b, found);
    if (infer_is_unknown(expected) && !infer_is_unknown(found) && !type_is_data(found)) {
        Diag *d = diag_error(cx, E0309, span,
                             "`%s` is not data and cannot be stored in a variable or an array",
                             type_show(cx, found));
        note_signature(b, d, why);
        return;
    }
    if (expected->kind == TYPE_NEVER) {
        Diag *d = diag_error(cx, E0301, span,
                             "a function with the result `!` never returns, but this does");
        diag_help(cx, d, "end with a call that never returns, or with an endless loop");
        return;
    }
    bool known = !infer_is_unknown(expected) && !infer_is_unknown(found);
    bool number =
        known ? false : infer_is_open_number(b, expected) || infer_is_open_number(b, found);
    Diag *d = known    ? diag_error(cx, E0301, span, "expected `%s`, found `%s`",
                                    infer_show(b, expected), infer_show(b, found))
              : number ? diag_error(cx, E0301, span, "expected %s, found %s",
                                    infer_in_words(b, expected), infer_in_words(b, found))
                       : diag_error(cx, E0301, span, "the types do not agree: %s",
                                    reason ? reason : "one is not known");
    const char *again =
        arena_printf(cx->arena, "%s is not %s", type_show(cx, expected), type_show(cx, found));
    if (!known || number || (reason && strcmp(reason, again) == 0)) reason = NULL;
    const char *because = infer_why(b, why);
    if (b->opened.len > 0) reason = NULL; // the solver knows only the internal names of sizes
    if (why.kind == WHY_BODY && why.symbol && !writes_result(why.symbol->item))
        help_result(b, d, found, why);
    else if (because)
        diag_note(cx, d, NO_SPAN, "%s", because);
    if (reason) diag_note(cx, d, NO_SPAN, "%s", reason);
    note_signature(b, d, why);
    help_mismatch(b, d, expected, found, span, why);
}

bool infer_lacks_rank(Body *b, Node *element, Span at)
{
    if (element->kind != TYPE_META || infer_is_number(b, element)) return false;
    Diag *d = diag_error(b->cx, E0422, at, "the rank of this array is not known");
    diag_help(b->cx, d, "declare the type of the array");
    return true;
}
