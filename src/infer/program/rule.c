// Rules: typed equations. Both sides are inferred as one body, so that the right side may use the
// types and sizes of the left side.
#include "core/ir/rule.h"
#include "infer/program/program.h"

// --- terms of rules ------------------------------------------------------------------------------

// Inlines lets and applied lambdas, so that the term can be matched.
static Node *plain(Session *cx, Node *e, int depth, void *env)
{
    (void)depth;
    if (!e->type) return e;
    Node *done = node_map(cx, e, depth, plain, env);
    if (done->kind == CORE_LET)
        return plain(cx, node_instantiate(cx, done->op[1], done->op, 1), 0, env);
    if (done->kind == CORE_APP && done->op[0]->kind == CORE_LAM)
        return plain(cx,
                     node_instantiate(cx, done->op[0]->op[0], done->op + 1, (int)done->nops - 1), 0,
                     env);
    return done;
}

// Whether a call may be part of a rule: that of a pattern or, on the right side, of any function.
static bool may_call(Infer *in, Node *e, bool right)
{
    if (e->kind != CORE_APP || e->op[0]->kind != CORE_GLOBAL) return false;
    const Function *f = map_get(&in->program.by_name, MAP_KEY(e->op[0]->attr.sym));
    return right || (f && f->pattern);
}

// Returns a subterm that no rule may contain (a function, a mutable variable or control flow), or
// NULL if there is none.
static Node *forbidden_part(Infer *in, Node *e, bool right)
{
    bool state = e->kind >= CORE_NEW && e->kind <= CORE_HIDE;
    if (e->kind == CORE_GLOBAL || state) return e;
    for (uint32_t i = may_call(in, e, right); e->type && i < e->nops; i++) {
        Node *found = e->op[i]->type ? forbidden_part(in, e->op[i], right) : NULL;
        if (found) return found;
    }
    return NULL;
}

static bool is_call(Node *e, void *env)
{
    (void)env;
    return e->kind == CORE_GLOBAL;
}

static bool is_made_of_patterns(Infer *in, Node *e, Span side, bool right)
{
    Session *cx = in->cx;
    Node *found = forbidden_part(in, e, right);
    if (!found) return true;
    Span at = found->origin.file ? found->origin : side;
    Diag *d =
        found->kind == CORE_GLOBAL
            ? diag_error(cx, E0801, at,
                         "a rule must consist of patterns and operators, but `%s` is a function",
                         found->attr.sym->text)
            : diag_error(cx, E0801, at, "a rule has no mutable variables, no loops and no jumps");
    diag_help(cx, d, "write it with patterns");
    return false;
}

// --- generics that matching determines -----------------------------------------------------------

typedef struct {
    const RewriteRule *rule;
    bool *found;
} Determined;

// Marks the generics that matching against `type` determines. It determines a name only where the
// name is a whole operand; within a sum or product, the name is only compared.
static void find_names(Determined *f, Node *type)
{
    for (int i = 0; i < f->rule->generics.len; i++)
        if ((type->kind == NAT_VAR || type->kind == TYPE_VAR) &&
            type->attr.sym == f->rule->generics.at[i].name)
            f->found[i] = true;
    if (kind_info[type->kind].levels & LEVEL_NAT) return;
    for (uint32_t i = 0; i < type->nops; i++) find_names(f, type->op[i]);
}

static void find_in_term(Determined *f, Node *e)
{
    if (e->nops == 0 || e->kind == CORE_CAST || e->kind == CORE_TO_IDX) find_names(f, e->type);
    for (uint32_t i = 0; i < e->nops; i++) {
        if (e->op[i]->type)
            find_in_term(f, e->op[i]);
        else
            find_names(f, e->op[i]);
    }
}

static bool is_determined(Session *cx, const RewriteRule *r, const Symbol *y)
{
    int n = r->params.len;
    for (int i = 0; i < n; i++) {
        if (node_uses(r->left, n - 1 - i)) continue;
        diag_error(cx, E0803, y->item->params.at[i].span,
                   "`%s` does not occur on the left side of the rule", r->params.at[i].name->text);
        return false;
    }
    Determined f = {r, ARENA_ARRAY(cx->arena, bool, r->generics.len + 1)};
    find_in_term(&f, r->left);
    for (int i = r->nnumbers; i < r->generics.len; i++) {
        if (f.found[i]) continue;
        const char *name = r->generics.at[i].name->text;
        Diag *d = diag_error(cx, E0803, y->item->name_span, "the left side does not determine `%s`",
                             name);
        diag_help(cx, d, "declare it as a number that the strategy passes: rule %s(%s: nat)...",
                  y->name->text, name);
        return false;
    }
    return true;
}

// --- side conditions -----------------------------------------------------------------------------

static void report_missing(Session *cx, const SizeCheck *c)
{
    static const char *const relations[] = {[SIZE_EQ] = "==", [SIZE_LE] = "<=", [SIZE_NE] = "!="};
    Text t = text_new(cx->arena);
    nat_print(&t, c->left, 0);
    text_printf(&t, " %s ", relations[c->relation]);
    nat_print(&t, c->right, 0);
    Diag *d = diag_error(cx, E0802, c->span, "the sides agree only if %s", text_get(&t));
    diag_help(cx, d, "add the condition before the braces: where %s", text_get(&t));
}

// Collects the size conditions of both sides. Those of the left side hold wherever that side
// matches; those of the right side must follow from them and from the conditions of the rule.
static bool take_checks(Infer *in, RewriteRule *r, const Body *b, const Ast *left)
{
    Session *cx = in->cx;
    bool good = true;
    Facts *known = facts_new(cx, in->arena, NULL);
    for (int i = 0; i < r->where.len; i++) size_check_assume(cx, known, &r->where.at[i]);
    for (int i = 0; i < b->checks.len; i++) {
        const SizeCheck *c = &b->checks.at[i];
        if (!span_is_within(c->span, left->span)) continue;
        vec_push(cx->arena, &r->implied, *c);
        size_check_assume(cx, known, c);
    }
    for (int i = 0; i < b->checks.len; i++) {
        const SizeCheck *c = &b->checks.at[i];
        bool follows =
            span_is_within(c->span, left->span) || size_check_truth(cx, known, c) == TRUTH_YES;
        if (!follows) report_missing(cx, c);
        good &= follows;
    }
    return good;
}

static RewriteRule *new_rule(Session *cx, const Symbol *y)
{
    const Signature *sig = y->signature;
    RewriteRule *r = ARENA_NEW(cx->arena, RewriteRule);
    *r = (RewriteRule){.name = y->name,
                       .span = y->item->name_span,
                       .doc = y->item->doc,
                       .fp = y->item->fp,
                       .nnumbers = y->item->numbers.len,
                       .where = sig->where};
    for (int i = 0; i < sig->generics.len; i++) {
        Generic g = {sig->generics.at[i].name, sig->generics.at[i].kind_name};
        vec_push(cx->arena, &r->generics, g);
    }
    for (int i = 0; i < sig->params.len; i++) {
        Param p = {sig->params.at[i].name, sig->params.at[i].type, NULL};
        vec_push(cx->arena, &r->params, p);
    }
    return r;
}

static Node *side(Body *b, const Ast *e, int nparams)
{
    b->value = e;
    return plain(b->cx, elab_body(b, nparams), 0, NULL);
}

// Whether all parameters are terms, which matching can bind. Reports the first one that is not.
// Numbers must be declared before the other parameters.
static bool has_good_parameters(Session *cx, const Symbol *y)
{
    const Signature *sig = y->signature;
    if (y->item->numbers.len > STRATEGY_MAX_PARAMS) {
        diag_error(cx, E0815, y->item->name_span, "a rule has at most %d numbers",
                   STRATEGY_MAX_PARAMS);
        return false;
    }
    for (int i = 0; i < sig->params.len; i++) {
        const SigParam *p = &sig->params.at[i];
        Span at = y->item->params.at[i].span;
        if (p->type && p->type->kind != TYPE_MODE) continue;
        Diag *d =
            diag_error(cx, E0801, at, "`%s` is not a term and cannot be matched", p->name->text);
        if (!p->type)
            diag_help(cx, d, "write numbers before the other parameters: rule %s(%s: nat)(...)",
                      y->name->text, p->name->text);
        return false;
    }
    return true;
}

void infer_rule(Infer *in, Symbol *y)
{
    Session *cx = in->cx;
    const Ast *body = y->item->body;
    if (y->is_needed) return;
    y->is_needed = true;
    infer_signature(in, y);
    if (!y->signature || !body || body->kind != AST_RULE) return;
    if (!has_good_parameters(cx, y)) return;
    const Ast *left = body->kids.at[0], *right = body->kids.at[1];
    Body *b = infer_body_new(in, infer_scratch(in), y->unit, y);
    b->value = body;
    b->type = infer_expr(b, left, NULL);
    infer_check(b, right, b->type, (Why){WHY_RULE, y, 0});
    if (!infer_finish(b)) return;
    b->type = infer_resolve(b, b->type);
    RewriteRule *r = new_rule(cx, y);
    for (int i = 0; i < b->params.len; i++) {
        b->params.at[i]->level = i;
        b->params.at[i]->mode = -1;
    }
    node_begin(cx);
    r->left = side(b, left, r->params.len);
    r->right = side(b, right, r->params.len);
    r->program = &in->program;
    r->calls = node_any(r->right, is_call, NULL);
    bool good = is_made_of_patterns(in, r->left, left->span, false) &&
                is_made_of_patterns(in, r->right, right->span, true) && is_determined(cx, r, y) &&
                take_checks(in, r, b, left);
    if (!good) return;
    y->rule = r;
    vec_push(cx->arena, &in->program.rules, r);
}
