// Operators and casts. Their typing depends on the types of the operands, so it is postponed until
// these are known.
#include "infer/constraints/constraints.h"

#include <string.h>

// Adds a hint for an operator on structs.
static void help_struct(Body *b, Diag *d, Node *t, Prim op)
{
    static const char *const complex[PRIM_COUNT] = {[PRIM_ADD] = "cadd",
                                                    [PRIM_SUB] = "csub",
                                                    [PRIM_MUL] = "cmul",
                                                    [PRIM_DIV] = "cdiv",
                                                    [PRIM_NEG] = "cneg"};
    const char *name = type_own_name(t);
    if (complex[op] && strcmp(t->attr.sym->text, "std.complex.Complex") == 0)
        diag_help(b->cx, d, "use the function of std.complex: %s(%s)", complex[op],
                  op == PRIM_NEG ? "x" : "x, y");
    else
        diag_help(b->cx, d, "operators are for numbers; declare a function: fn add(a: %s, b: %s)",
                  name, name);
}

bool infer_find_operator(Sym name, int arity, Prim *op)
{
    if (!name) return false;
    if (arity == 1 && strcmp(name->text, "-") == 0) {
        *op = PRIM_NEG;
        return true;
    }
    for (int i = 0; i < PRIM_COUNT; i++) {
        if (prim_info[i].arity != arity || strcmp(prim_info[i].text, name->text) != 0) continue;
        *op = (Prim)i;
        return true;
    }
    return false;
}

// --- operators ---------------------------------------------------------------------------------

static const char *operand_kind(PrimOperands operands)
{
    switch (operands) {
    case ON_ANY: return "values that can be compared";
    case ON_BOOL: return "bools";
    case ON_INT: return "integers";
    case ON_FLOAT: return "floats";
    case ON_NUM: return "numbers";
    case ON_LOGIC: return "bools or integers";
    case ON_BITS: return "u16, u32 or u64";
    }
    return "";
}

static bool is_order(Prim op)
{
    return op == PRIM_LT || op == PRIM_LE || op == PRIM_GT || op == PRIM_GE;
}

// Whether equality is defined for the type. It is defined for data whose type variables are
// numbers, because elaboration expands equality down to scalars.
static bool is_comparable(Body *b, Node *t)
{
    if (t->kind == TYPE_VAR) return infer_require(b, t, GENERIC_NUM);
    if (t->kind == TYPE_FUN || t->kind == TYPE_MODE || t->kind == TYPE_REF) return false;
    for (uint32_t i = t->kind == TYPE_ARRAY; infer_is_compound(t) && i < t->nops; i++)
        if (!is_comparable(b, t->op[i])) return false;
    return true;
}

// Whether the operator's result has another type than its operands, which must be known for that.
static bool changes_type(Prim op)
{
    return prim_info[op].result == GIVES_UNSIGNED || prim_info[op].result == GIVES_FLOAT;
}

// Whether the operator accepts operands of the (resolved) type `t`. If the type is unknown,
// restricts it to types that the operator accepts.
static bool suits(Body *b, Prim op, Node *t)
{
    if (t->kind == TYPE_ERROR) return true;
    bool is_bool = t == infer_boolean(b);
    Scalar s;
    if (changes_type(op) && t->kind == TYPE_VAR) return false;
    switch (prim_info[op].operands) {
    case ON_ANY: return is_order(op) ? infer_require(b, t, GENERIC_NUM) : is_comparable(b, t);
    case ON_BOOL: return is_bool;
    case ON_INT: return infer_require(b, t, GENERIC_INT);
    case ON_FLOAT: return infer_require(b, t, GENERIC_FLOAT);
    case ON_NUM: return infer_require(b, t, GENERIC_NUM);
    case ON_LOGIC: return is_bool || infer_require(b, t, GENERIC_INT);
    case ON_BITS:
        return type_is_scalar(t, &s) ? prim_takes(op, s) : infer_require(b, t, GENERIC_INT);
    }
    return false;
}

// Unifies w->result with the result type of the operator for operands of this type.
static bool done(Body *b, Wait *w, Node *operand)
{
    Scalar s = SCALAR_BOOL;
    bool same = !type_is_scalar(operand, &s) && prim_info[w->op].result != GIVES_BOOL;
    Node *result = same ? operand : type_scalar(b->cx, prim_result(w->op, s));
    infer_unify(b, w->result, result, w->at->span, no_why);
    return true;
}

// Whether the type supports no operators except, at most, == and !=.
static bool is_not_scalar(Node *t)
{
    return infer_is_compound(t) || t->kind == TYPE_REF || t->kind == TYPE_FUN;
}

// The source expression of operand i, or NULL if it has none of its own.
static const Ast *written_operand(Body *b, const Wait *w, int i)
{
    const Ast *e = w->at;
    const Call *c = e->kind == AST_CALL || e->kind == AST_PIPE ? infer_note(b, e)->call : NULL;
    bool two = e->kind == AST_BINARY || e->kind == AST_ASSIGN;
    if (two) return e->kids.at[i];
    return c && c->nargs == w->nops ? c->args[i] : NULL;
}

// One of two operands for which a common type is sought. An index counts as an i64, and a float
// literal may be any float.
typedef struct {
    Scalar type;
    bool number, truth, open;
} Operand;

static bool is_float(const Operand *o)
{
    return o->number && scalar_info[o->type].class == CLASS_FLOAT;
}

static Operand operand_of(Body *b, const Wait *w, Node *t)
{
    MetaKind kind;
    Operand o = {.type = SCALAR_I64};
    o.open = solver_is_open(b->scope.solver, t, &kind);
    if (o.open && kind == META_FLOAT) o.type = infer_usual_float(b, infer_resolve(b, w->result));
    o.number = o.open ? solver_is_number(b->scope.solver, t) : infer_number_of(b, t, &o.type);
    o.truth = type_is_scalar(t, &o.type) && o.type == SCALAR_BOOL;
    return o;
}

// Sets *common to the smallest type that can represent all values of both types, or to the float
// type if exactly one of them is a float. Returns false if there is no common type.
static bool common_type(const Operand *l, const Operand *r, Scalar *common)
{
    if (is_float(l) != is_float(r)) {
        *common = is_float(l) ? l->type : r->type;
        return true;
    }
    for (int s = 0; s < SCALAR_COUNT; s++) {
        bool left = s == (int)l->type || infer_is_wider(l->type, (Scalar)s);
        bool right = s == (int)r->type || infer_is_wider(r->type, (Scalar)s);
        *common = (Scalar)s;
        if (left && right) return true;
    }
    return false;
}

// Adds a hint for place += e if the location would have to be converted.
static void help_place(Body *b, Diag *d, const Wait *w, Scalar to)
{
    const Ast *place = ast_strip(w->at->kids.at[0]);
    const char *name = place->kind == AST_NAME && place->name ? place->name->text : "...";
    const char *type = scalar_info[to].text;
    bool is_float = scalar_info[to].class == CLASS_FLOAT;
    diag_help(b->cx, d, "declare the variable with type %s: let mut %s: %s = %s", type, name, type,
              is_float ? "0.0" : "0");
}

// Adds a hint to convert the operands whose bits are set in `which`.
static void help_conversion(Body *b, Diag *d, const Wait *w, unsigned which, Scalar to)
{
    const Ast *parts[2];
    int n = 0;
    for (int i = 0; i < w->nops; i++)
        if (which >> i & 1) parts[n++] = written_operand(b, w, i);
    if (n == 0) return;
    if (w->at->kind == AST_ASSIGN && which & 1) {
        help_place(b, d, w, to);
    } else if (parts[0]) {
        Conversion c = infer_converted(b, w->at, parts, n, to);
        infer_help_conversion(b, d, &c, to);
    } else {
        diag_help(b->cx, d, "convert %s: %s(...)",
                  n == 2       ? "both"
                  : which == 1 ? "the first one"
                               : "the second one",
                  scalar_info[to].text);
    }
}

// Adds a hint for a bool operand next to a number: convert the bool to 1 or 0.
static bool help_truth(Body *b, Diag *d, const Wait *w, const Operand *o)
{
    int k = o[0].truth ? 0 : 1;
    if (!o[k].truth || !o[1 - k].number) return false;
    const Operand *other = &o[1 - k];
    help_conversion(b, d, w, 1u << k, other->open && !is_float(other) ? SCALAR_I32 : other->type);
    return true;
}

// Adds a hint for string and array operators from other languages, such as "k = " + k and [0.0] *
// n.
static bool help_foreign(Body *b, Diag *d, const Wait *w)
{
    bool text = false, array = false;
    for (int i = 0; i < w->nops; i++) {
        const Ast *e = written_operand(b, w, i);
        text |= e && ast_strip(e)->kind == AST_STRING;
        array |= e && ast_strip(e)->kind == AST_ARRAY && ast_strip(e)->kids.len == 1;
    }
    if (text && w->op == PRIM_ADD)
        diag_help(b->cx, d, "use ++ to join texts; print takes several values: print(\"k = \", k)");
    else if (array && w->op == PRIM_MUL)
        diag_help(b->cx, d, "an array of n equal elements is repeat[n](x), where n is a size");
    else
        return false;
    return true;
}

// Adds a hint for operands of different types: convert the operand whose conversion loses nothing.
static void help_operands(Body *b, Diag *d, const Wait *w, Node *l, Node *r)
{
    Operand o[2] = {operand_of(b, w, l), operand_of(b, w, r)};
    Scalar to;
    if ((l->kind == TYPE_ARRAY) != (r->kind == TYPE_ARRAY) || help_foreign(b, d, w)) return;
    if (help_truth(b, d, w, o) || !o[0].number || !o[1].number) return;
    if (!common_type(&o[0], &o[1], &to)) {
        diag_help(b->cx, d, "convert one of them, as in %s(...)", scalar_info[SCALAR_I64].text);
        return;
    }
    help_conversion(b, d, w, (o[0].type != to) | (unsigned)(o[1].type != to) << 1, to);
}

static bool unify_operands(Body *b, const Wait *w, Node *expected, Node *found, Node *l, Node *r)
{
    int reported = b->cx->diags.len;
    if (infer_unify(b, expected, found, w->at->span, (Why){WHY_OPERATOR, NULL, 0})) return true;
    if (b->cx->diags.len > reported) help_operands(b, vec_last(&b->cx->diags), w, l, r);
    return false;
}

// Whether the operator is about single bits of its operand.
static bool is_on_bits(Prim op)
{
    static const Prim all[] = {PRIM_AND,  PRIM_OR,  PRIM_SHL, PRIM_SHR,     PRIM_ROTL,
                               PRIM_ROTR, PRIM_CLZ, PRIM_CTZ, PRIM_POPCOUNT};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] == op) return true;
    return false;
}

// The kind of a type parameter that suits such operands. There is none for bools.
static const char *kind_of_operands(PrimOperands operands)
{
    switch (operands) {
    case ON_ANY:
    case ON_NUM: return "num";
    case ON_FLOAT: return "float";
    case ON_INT:
    case ON_LOGIC:
    case ON_BITS: return "int";
    case ON_BOOL: break;
    }
    return NULL;
}

// Reports a type parameter as the operand of an operator whose result has a type of its own.
static void wrong_generic(Body *b, const Wait *w, Node *t)
{
    const char *name = t->attr.sym->text;
    Diag *d = diag_error(b->cx, E0304, w->at->span,
                         "`%s` gives a type that depends on its operand, and `%s` may be several",
                         prim_info[w->op].text, name);
    diag_help(b->cx, d, "pass the function that converts `%s` as a parameter", name);
    b->failed = true;
}

static void wrong_operand(Body *b, const Wait *w, Node *t)
{
    Session *cx = b->cx;
    const PrimInfo *info = &prim_info[w->op];
    const char *text = w->op == PRIM_NEG ? "-" : info->text;
    if (t->kind == TYPE_VAR && changes_type(w->op)) {
        wrong_generic(b, w, t);
        return;
    }
    Diag *d = diag_error(cx, E0304, w->at->span, "`%s` takes %s, not %s", text,
                         operand_kind(info->operands), infer_in_words(b, t));
    const char *kind = kind_of_operands(info->operands);
    if (t->kind == TYPE_VAR && kind)
        diag_help(cx, d, "`%s` may be other types; declare it as `%s: %s`%s", t->attr.sym->text,
                  t->attr.sym->text, kind, info->operands == ON_NUM ? " (or int, float)" : "");
    else if (t->kind == TYPE_FUN)
        diag_help(cx, d, "this is a function; an argument may be missing");
    else if (t->kind == TYPE_REF)
        diag_help(cx, d, "this is a reference; *e is the value that it refers to");
    else if (t->kind == TYPE_STRUCT)
        help_struct(b, d, t, w->op);
    else if (w->op == PRIM_XOR && (type_is_float(t) || infer_is_unknown(t)))
        diag_help(cx, d, "a power is pow(x, y), a square x * x");
    else if (is_on_bits(w->op) && type_is_float(t))
        diag_help(cx, d, "the bits of a float are an integer: to_bits(x)");
    else if (info->operands == ON_FLOAT && (type_is_integer(t) || t->kind == TYPE_IDX))
        help_conversion(b, d, w, w->nops == 2 ? 3 : 1, infer_usual_float(b, w->result));
    b->failed = true;
}

// The type of an operand of unknown type, according to the result that is expected, or NULL. If
// `final` is set and none is expected, that of literals.
static Node *implied_operand(Body *b, const Wait *w, Node *operand, bool final)
{
    Scalar s;
    MetaKind kind = META_INT;
    Node *result = infer_resolve(b, w->result);
    bool known = type_is_scalar(result, &s);
    bool bits = w->op == PRIM_FROM_BITS;
    bool number = solver_is_open(b->scope.solver, operand, &kind) && kind == META_FLOAT;
    if (bits && known && type_is_float(result)) return type_scalar(b->cx, scalar_unsigned(s));
    if (!bits && number && known && scalar_info[s].class == CLASS_UINT && scalar_info[s].size > 1)
        return type_scalar(b->cx, scalar_float(s));
    if (!final) return NULL;
    return type_scalar(b->cx, bits ? SCALAR_U32 : number ? SCALAR_F32 : SCALAR_I32);
}

// Whether the type of the result cannot be determined yet, because that of the operand is unknown.
static bool awaits_operand(Body *b, const Wait *w, Node *operand, bool final)
{
    if (!changes_type(w->op) || !infer_is_unknown(operand)) return false;
    suits(b, w->op, operand);
    Node *type = implied_operand(b, w, operand, final);
    return !type || !infer_unify(b, type, operand, w->at->span, (Why){WHY_OPERATOR, NULL, 0});
}

// Infers the type of an operator whose operands are scalars (or unknowns) of the same type.
static bool same_operands(Body *b, Wait *w, Node *l, Node *r, bool final)
{
    if (prim_info[w->op].operands != ON_ANY && (is_not_scalar(l) || is_not_scalar(r))) {
        wrong_operand(b, w, is_not_scalar(l) ? l : r);
        return infer_wait_failed(b, w);
    }
    if (w->nops == 2 && l != r) {
        bool numbers = (type_is_number(l) || l->kind == TYPE_VAR) &&
                       (type_is_number(r) || r->kind == TYPE_VAR);
        if (numbers) {
            Diag *d = diag_error(b->cx, E0304, w->at->span,
                                 "`%s` takes operands of one type, not `%s` and `%s`",
                                 prim_info[w->op].text, infer_show(b, l), infer_show(b, r));
            help_operands(b, d, w, l, r);
            return infer_wait_failed(b, w);
        }
        if (!unify_operands(b, w, l, r, l, r)) return infer_wait_failed(b, w);
        l = infer_resolve(b, l);
    }
    bool equality = w->op == PRIM_EQ || w->op == PRIM_NE;
    if (equality && !final && infer_unknown_in(l)) return false;
    if (awaits_operand(b, w, l, final)) return false;
    l = infer_resolve(b, l);
    if (suits(b, w->op, l)) return done(b, w, l);
    wrong_operand(b, w, l);
    return infer_wait_failed(b, w);
}

// Infers the type of an operator with an index among its operands. The index counts as an i64, so
// the other operand must be an index or an i64, too.
static bool index_operands(Body *b, Wait *w, Node *l, Node *r, bool final)
{
    PrimOperands operands = prim_info[w->op].operands;
    if (operands == ON_FLOAT || operands == ON_BITS) {
        wrong_operand(b, w, l->kind == TYPE_IDX ? l : r);
        return infer_wait_failed(b, w);
    }
    Node *operand[2] = {l, r};
    for (int i = 0; i < w->nops; i++) {
        Node *t = operand[i];
        if (t->kind == TYPE_IDX) continue;
        if (t->kind == TYPE_META && !w->literal[i] && !final) {
            done(b, w, infer_i64(b)); // the result does not depend on the unknown operand
            return false;
        }
        if (!unify_operands(b, w, infer_i64(b), t, l, r)) return infer_wait_failed(b, w);
    }
    return done(b, w, infer_i64(b));
}

// Whether it is too early to decide, because an unknown operand might turn out to be an index.
static bool too_early(Body *b, const Wait *w, Node *l, Node *r)
{
    if (prim_info[w->op].operands == ON_FLOAT) return false;
    bool unknown[2] = {infer_is_unknown(l) && !w->literal[0],
                       w->nops == 2 && infer_is_unknown(r) && !w->literal[1]};
    if (!unknown[0] && !unknown[1]) return false;
    Node *known = infer_is_unknown(l) ? r : l;
    return infer_is_unknown(known) || known == infer_i64(b);
}

// Whether comparing the operands compares arrays that may have different lengths: a [?n]t with an
// array or with another [?n]t, or an array whose length is computed at run time. They may be
// components of tuples.
static bool compares_lengths(Body *b, Node *l, Node *r)
{
    l = infer_resolve(b, l);
    r = infer_resolve(b, r);
    if (l->kind == TYPE_ARRAY && r->kind == TYPE_ARRAY && l->op[0] != r->op[0])
        return infer_opened_in(b, l->op[0]) || infer_opened_in(b, r->op[0]);
    bool left = type_is_up_to(l), right = type_is_up_to(r);
    if (left || right) return (left || l->kind == TYPE_ARRAY) && (right || r->kind == TYPE_ARRAY);
    bool tuples = l->kind == TYPE_TUPLE && r->kind == TYPE_TUPLE && l->nops == r->nops;
    for (uint32_t i = 0; tuples && i < l->nops; i++)
        if (compares_lengths(b, l->op[i], r->op[i])) return true;
    return false;
}

static Node *element_type(Node *t)
{
    return type_is_up_to(t) ? t->op[1]->op[1] : t->op[1];
}

// Unifies what is compared, except the lengths. Returns false after an error, and sets *open if
// some type is not known yet.
static bool unify_compared(Body *b, Wait *w, Node *l, Node *r, bool *open)
{
    Node *t[2] = {infer_resolve(b, l), infer_resolve(b, r)};
    if (compares_lengths(b, l, r)) {
        if (t[0]->kind != TYPE_TUPLE)
            return unify_compared(b, w, element_type(t[0]), element_type(t[1]), open);
        for (uint32_t i = 0; i < t[0]->nops; i++)
            if (!unify_compared(b, w, t[0]->op[i], t[1]->op[i], open)) return false;
        return true;
    }
    for (int i = 0; i < 2; i++) // an index counts as an i64
        if (t[i]->kind == TYPE_IDX && t[1 - i]->kind != TYPE_IDX) t[i] = infer_i64(b);
    if (!infer_unify(b, t[0], t[1], w->at->span, (Why){WHY_OPERATOR, NULL, 0})) return false;
    Node *common = infer_resolve(b, t[0]);
    if (infer_unknown_in(common)) *open = true;
    bool fits = *open || suits(b, w->op, common);
    if (!fits) wrong_operand(b, w, l);
    return fits;
}

static bool compare_lengths(Body *b, Wait *w, Node *l, Node *r, bool final)
{
    bool open = false;
    if (!unify_compared(b, w, l, r, &open)) return infer_wait_failed(b, w);
    return (!open || final) && done(b, w, l);
}

bool infer_try_operator(Body *b, Wait *w, bool final)
{
    Node *l = infer_resolve(b, w->operand[0]);
    Node *r = w->nops == 2 ? infer_resolve(b, w->operand[1]) : l;
    if (l->kind == TYPE_ERROR || r->kind == TYPE_ERROR) return infer_wait_failed(b, w);
    if (infer_is_elementwise(w->op, l, r)) return infer_try_elementwise(b, w, l, r, final);
    bool equality = w->op == PRIM_EQ || w->op == PRIM_NE;
    if (equality && compares_lengths(b, l, r)) return compare_lengths(b, w, l, r, final);
    if (infer_is_vectors(b, w->op, l, r)) return infer_compare_vectors(b, w, l, r);
    bool index = l->kind == TYPE_IDX || r->kind == TYPE_IDX;
    if (index) return index_operands(b, w, l, r, final);
    if (!final && too_early(b, w, l, r)) return false;
    return same_operands(b, w, l, r, final);
}

// Requires the result of arithmetic on numbers of unknown type to be a number, too.
static void expect_number(Body *b, const Wait *w)
{
    PrimOperands operands = prim_info[w->op].operands;
    bool numbers = operands != ON_ANY && operands != ON_BOOL;
    for (int i = 0; i < w->nops; i++) numbers = numbers && infer_is_number(b, w->operand[i]);
    if (numbers) infer_require(b, w->result, GENERIC_NUM);
}

Node *infer_operate(Body *b, const Ast *at, Prim op, Node *const *types, const bool *literal, int n)
{
    if (n > 2) {
        Node *rest[2] = {infer_operate(b, at, op, types, literal, 2), types[2]};
        bool plain[2] = {literal && literal[0] && literal[1], literal && literal[2]};
        return infer_operate(b, at, op, rest, plain, 2);
    }
    bool gives_bool = prim_info[op].result == GIVES_BOOL;
    Wait w = {.kind = WAIT_OPERATOR, .at = at, .op = op, .nops = n};
    for (int i = 0; i < n; i++) {
        w.operand[i] = infer_settle(b, types[i]);
        w.literal[i] = literal && literal[i];
        if (w.operand[i]->kind == TYPE_ERROR) return infer_error(b);
        if (infer_is_elementwise(op, w.operand[i], w.operand[i])) gives_bool = false;
    }
    w.result = gives_bool ? infer_boolean(b) : infer_unknown(b);
    if (!infer_try_operator(b, &w, false)) {
        expect_number(b, &w);
        infer_add_wait(b, &w);
    }
    return infer_resolve(b, w.result);
}

// --- casts -------------------------------------------------------------------------------------

static Node *no_conversion(Body *b, const Ast *at, Node *from, Node *to)
{
    diag_error(b->cx, E0312, at->span, "`%s` cannot be converted to `%s`", infer_show(b, from),
               infer_show(b, to));
    return infer_error(b);
}

bool infer_try_cast(Body *b, Wait *w, bool final)
{
    Node *from = infer_resolve(b, w->operand[0]), *to = infer_resolve(b, w->result);
    if (from->kind == TYPE_META) {
        if (!final) return false;
        if (solver_require(b->scope.solver, from, META_NUM)) return true;
    }
    bool numeric =
        type_is_atom(from) || (from->kind == TYPE_VAR && infer_require(b, from, GENERIC_NUM));
    bool good = from->kind == TYPE_ERROR || to->kind == TYPE_ERROR ||
                (numeric && (type_is_atom(to) || to->kind == TYPE_VAR));
    if (!good) no_conversion(b, w->at, from, to);
    return true;
}

// Infers the type of a conversion to or from a vector, which works lane by lane. A scalar is
// broadcast.
static Node *convert_lanes(Body *b, const Ast *at, Node *from, Node *to)
{
    Node *vector = to->kind == TYPE_VEC ? to : from;
    if (from->kind == TYPE_VEC && to->kind == TYPE_VEC)
        infer_unify_sizes(b, to->op[0], from->op[0], to, from, at->span,
                          (Why){WHY_ANNOTATION, NULL, 0});
    Node *lane = type_lane(to);
    if (lane != type_lane(from)) lane = infer_convert(b, at, type_lane(from), lane);
    if (lane->kind == TYPE_ERROR) return lane;
    if (lane->kind == TYPE_IDX) return no_conversion(b, at, from, to);
    return type_varying(b->cx, vector->op[0], lane);
}

Node *infer_convert(Body *b, const Ast *at, Node *from, Node *to)
{
    to = infer_resolve(b, to);
    from = infer_settle(b, from);
    if (from->kind == TYPE_ARRAY) { // arrays are converted element by element
        Node *element = infer_convert(b, at, from->op[1], to);
        return element->kind == TYPE_ERROR ? element : type_array(b->cx, from->op[0], element);
    }
    if (from->kind == TYPE_VEC || to->kind == TYPE_VEC) return convert_lanes(b, at, from, to);
    bool target = type_is_atom(to) || to->kind == TYPE_ERROR ||
                  (to->kind == TYPE_VAR && infer_require(b, to, GENERIC_NUM));
    if (!target) {
        diag_error(b->cx, E0312, at->span, "nothing can be converted to `%s`", infer_show(b, to));
        return infer_error(b);
    }
    Wait w = {
        .kind = WAIT_CAST, .at = at, .nops = 1, .operand = {infer_settle(b, from)}, .result = to};
    bool before = b->failed;
    b->failed = false;
    if (!infer_try_cast(b, &w, false)) infer_add_wait(b, &w);
    bool bad = b->failed;
    b->failed |= before;
    return bad ? infer_error(b) : to;
}

Node *infer_cast_hint(const Ast *e, Node *to)
{
    const Ast *literal = ast_strip(e);
    bool negative = literal->kind == AST_UNARY && ast_is_literal(e);
    to = type_lane(to);
    if (!ast_is_literal(e)) return NULL;
    if (negative) literal = ast_strip(literal->kids.at[0]);
    if (type_is_float(to)) return to;
    if (!type_is_integer(to) || literal->kind != AST_INT) return NULL;
    const ScalarInfo *info = &scalar_info[to->attr.i];
    int bits = info->size * 8 - (info->class == CLASS_INT);
    bool fits = bits >= 64 || (uint64_t)literal->value.integer >> bits == 0;
    return fits && (!negative || info->class == CLASS_INT) ? to : NULL;
}
