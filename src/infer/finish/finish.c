// Completes inference for a body: applies defaults, reports remaining unknowns, and runs the checks
// that need all types.
#include "infer/finish/finish.h"

#include <math.h>
#include <string.h>

// The generics in brackets up to index k, because generic k can only be given together with those
// before it.
static const char *brackets_up_to(Body *b, const Signature *sig, int k)
{
    Text t = text_new(b->arena);
    for (int i = sig->inherited; i <= k; i++)
        text_printf(&t, "%s%s", i > sig->inherited ? ", " : "", sig->generics.at[i].name->text);
    return text_get(&t);
}

typedef struct {
    Node *unknown, *named;
} Naming;

static Node *named(Node *atom, void *env)
{
    const Naming *n = env;
    return atom == n->unknown ? n->named : NULL;
}

// Notes an equation with the unknown that nothing solves, with the name in place of the unknown.
static void note_equation(Body *b, Diag *d, Node *unknown, Sym name)
{
    SizeEquation *at;
    int n = solver_pending(b->scope.solver, &at);
    Naming naming = {unknown, nat_var(b->cx, name)};
    for (int i = 0; i < n; i++) {
        Node *left = infer_resolve(b, at[i].left), *right = infer_resolve(b, at[i].right);
        if (!nat_occurs(left, unknown) && !nat_occurs(right, unknown)) continue;
        diag_note(b->cx, d, NO_SPAN, "no `%s` was found for which `%s` is `%s`", name->text,
                  infer_show_size(b, nat_replace(b->cx, left, named, &naming)),
                  infer_show_size(b, nat_replace(b->cx, right, named, &naming)));
        return;
    }
}

static void report_unknown(Body *b, const Instance *use, int k)
{
    const Signature *sig = use->symbol->signature;
    const SigGeneric *g = &sig->generics.at[k];
    bool size = g->kind == GENERIC_NAT;
    const char *text = use->span.file ? source_text(b->cx, use->span) : "";
    bool called = strchr(text, '(') || strstr(text, "|>");
    Diag *d = diag_error(b->cx, size ? E0406 : E0305, use->span, "the %s `%s` of %s is not known",
                         size ? "size" : "type", g->name->text, use->symbol->name->text);
    diag_note(b->cx, d, NO_SPAN, "%s", infer_show_item(b->cx, use->symbol->item));
    if (size) note_equation(b, d, infer_resolve(b, use->generics[k]), g->name);
    if (k < sig->nbracket && called)
        diag_help(b->cx, d, "give it in brackets: %s[%s](...)", use->symbol->name->text,
                  brackets_up_to(b, sig, k));
    else if (k < sig->nbracket)
        diag_help(b->cx, d, "the arguments of a call may determine it: %s(...)",
                  use->symbol->name->text);
    b->failed = true;
}

static int unknown_generic(Body *b, const Instance *use)
{
    int n = use->symbol->signature->generics.len;
    for (int k = 0; k < n; k++)
        if (infer_unknown_in(infer_resolve(b, use->generics[k]))) return k;
    return -1;
}

// Whether fn(t) -> ! occurs in the type, where t is `var`. With t = (), this would become fn() ->
// !, which has a different calling convention, and a generic function cannot support both.
static bool leaves_with(Node *t, Node *var)
{
    if (t->kind == TYPE_FUN && type_is_continuation(t) && type_nparams(t) == 1 && t->op[0] == var)
        return true;
    for (uint32_t i = 0; i < t->nops; i++)
        if (kind_info[t->op[i]->kind].levels & LEVEL_TYPE && leaves_with(t->op[i], var))
            return true;
    return false;
}

static void check_continuations(Body *b, const Instance *use)
{
    const Signature *sig = use->symbol->signature;
    for (int k = 0; k < sig->generics.len; k++) {
        if (!type_is_unit(infer_resolve(b, use->generics[k]))) continue;
        Node *var = type_var(b->cx, sig->generics.at[k].name);
        bool leaves = leaves_with(sig->result, var);
        for (int i = 0; i < sig->params.len; i++)
            leaves |= sig->params.at[i].type && leaves_with(sig->params.at[i].type, var);
        if (!leaves) continue;
        diag_error(b->cx, E0309, use->span,
                   "`%s` of %s is passed to a continuation and cannot be ()",
                   sig->generics.at[k].name->text, use->symbol->name->text);
        b->failed = true;
    }
}

// Reports the first use with an unknown generic, or a use among its arguments that may be the
// cause.
static void check_instances(Body *b)
{
    const Instance *found = NULL;
    for (int i = 0; i < b->instances.len && !b->failed; i++) {
        const Instance *use = &b->instances.at[i];
        if (found && !span_is_within(use->span, found->span)) break;
        if (unknown_generic(b, use) >= 0) found = use;
    }
    if (found) report_unknown(b, found, unknown_generic(b, found));
    for (int i = 0; i < b->instances.len && !b->failed; i++)
        check_continuations(b, &b->instances.at[i]);
}

// Checks that a literal, including a preceding minus, is in the range of its type.
static void check_literal(Body *b, const Ast *whole)
{
    const Ast *e = whole->kind == AST_UNARY ? ast_strip(whole->kids.at[0]) : whole;
    const Note *note = infer_note(b, e);
    Scalar s;
    bool number = e->kind == AST_INT || e->kind == AST_FLOAT;
    if (!number || note->negative != (whole->kind == AST_UNARY) || !type_is_scalar(note->type, &s))
        return;
    const ScalarInfo *info = &scalar_info[s];
    uint64_t bits = (uint64_t)e->value.integer;
    bool fits = true;
    if (info->class == CLASS_FLOAT)
        fits = isfinite(scalar_round(s, e->kind == AST_INT ? (double)bits : e->value.number));
    else if (info->class == CLASS_INT)
        fits = bits <= (UINT64_C(1) << (info->size * 8 - 1)) - !note->negative;
    else
        fits = (bits >> (info->size * 8 - 1)) <= 1 && (!note->negative || bits == 0);
    if (fits) return;
    Diag *d = diag_error(b->cx, E0310, whole->span, "this number does not fit in `%s`", info->text);
    if (s == SCALAR_I32 && e->kind == AST_INT && !e->suffix && bits <= INT64_MAX)
        diag_help(b->cx, d, "write %s%lldi64, or write the type: let x: i64 = ...",
                  note->negative ? "-" : "", (long long)bits);
    b->failed = true;
}

// Resolves the types of all expressions, in which no unknowns may remain.
static void check_seen(Body *b)
{
    for (int i = 0; i < b->seen.len && !b->failed; i++) {
        const Ast *e = b->seen.at[i];
        Note *note = infer_note(b, e);
        note->type = infer_resolve(b, note->type);
        if (note->as) note->as = infer_resolve(b, note->as);
        check_literal(b, e);
        if (e->kind == AST_MATCH) infer_check_cover(b, e);
        Node *unknown = infer_unknown_in(note->as ? note->as : note->type);
        if (!unknown) continue;
        bool size = unknown->kind == NAT_META;
        const char *what = e->kind == AST_BIND && e->name ? e->name->text : "this";
        const char *quote = e->kind == AST_BIND ? "`" : "";
        Diag *d = diag_error(b->cx, size ? E0406 : E0305, e->span, "the %s of %s%s%s is not known",
                             size ? "size" : "type", quote, what, quote);
        diag_help(b->cx, d,
                  e->kind == AST_BIND ? "write it: %s: ..."
                                      : "write the type of a variable that it depends on",
                  what);
        b->failed = true;
    }
}

static void check_waits(Body *b)
{
    for (int i = 0; i < b->waits.len && !b->failed; i++) {
        const Ast *at = b->waits.at[i].at;
        Diag *d = diag_error(b->cx, E0305, at->span, "the type of the operand is not known here");
        diag_help(b->cx, d, "write the type of a variable that it depends on");
        b->failed = true;
    }
}

// Adds the remaining equations between sizes as obligations, and reports equations with unknowns.
static void take_rest(Body *b)
{
    SizeEquation *at;
    solver_retry(b->scope.solver);
    int n = solver_take_equations(b->scope.solver, &at);
    for (int i = 0; i < n; i++)
        infer_oblige(b, SIZE_EQ, at[i].left, at[i].right, at[i].span, no_why);
    n = solver_pending(b->scope.solver, &at);
    for (int i = 0; i < n && !b->failed; i++) {
        Diag *d = diag_error(b->cx, E0406, at[i].span, "the sizes in `%s` and `%s` are not known",
                             infer_show_size(b, at[i].left), infer_show_size(b, at[i].right));
        diag_help(b->cx, d, "give one of them in brackets, as in split[4](xs)");
        b->failed = true;
    }
}

// Sets the type of the value that `break` carries to () if nothing else has determined it.
static void default_values(Body *b)
{
    for (int i = 0; i < b->values.len; i++)
        if (infer_is_unknown(infer_resolve(b, b->values.at[i])))
            solver_unify(b->scope.solver, infer_unit(b), b->values.at[i], NO_SPAN, NULL);
}

bool infer_finish(Body *b)
{
    infer_retry(b, false);
    do solver_retry(b->scope.solver);
    while (solver_guess(b->scope.solver));
    infer_retry(b, true);
    solver_default_numbers(b->scope.solver);
    infer_retry(b, true);
    default_values(b);
    infer_retry(b, true);
    if (b->has_scalar && !b->failed) infer_masks(b);
    check_waits(b);
    solver_retry(b->scope.solver);
    check_instances(b);
    take_rest(b);
    check_seen(b);
    infer_check_opened(b);
    infer_settle_obligations(b);
    if (!b->failed) infer_modes(b);
    return !b->failed;
}
