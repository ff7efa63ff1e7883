// Conditions on sizes, and reports of violated conditions: the text of the condition, where it
// comes from, and the calls that led to it.
#include "core/ir/core.h"

static void assume_strict(Session *cx, Facts *facts, Node *less, Node *more)
{
    facts_ge0(facts, nat_sub(cx, nat_sub(cx, more, less), nat_const(cx, 1)));
}

static void assume_less_or_more(Session *cx, Facts *facts, int k, const void *pair)
{
    Node *const *sizes = pair;
    assume_strict(cx, facts, sizes[k], sizes[1 - k]);
}

// Assumes that two sizes differ: one is less than the other.
static void assume_differ(Session *cx, Facts *facts, Node *left, Node *right)
{
    if (nat_le(cx, facts, left, right) == TRUTH_YES) {
        assume_strict(cx, facts, left, right);
    } else if (nat_le(cx, facts, right, left) == TRUTH_YES) {
        assume_strict(cx, facts, right, left);
    } else {
        Node **pair = ARENA_ARRAY(cx->arena, Node *, 2);
        pair[0] = left;
        pair[1] = right;
        facts_one_of(facts, 2, assume_less_or_more, pair);
    }
}

// Given x % m == r, also assumes x == m * (x / m) + r, which follows from it.
static void assume_remainder(Session *cx, Facts *facts, Node *remainder, Node *r)
{
    int64_t m, value;
    bool known = remainder->kind == NAT_MOD && nat_is_const(remainder->op[1], &m) && m > 0 &&
                 nat_is_const(r, &value);
    if (!known) return;
    Node *x = remainder->op[0], *of = remainder->op[1];
    facts_eq0(facts, nat_sub(cx, x, nat_add(cx, nat_mul(cx, of, nat_div(cx, x, of)), r)));
}

void size_check_assume(Session *cx, Facts *facts, const SizeCheck *c)
{
    switch (c->relation) {
    case SIZE_EQ:
        facts_eq0(facts, nat_sub(cx, c->left, c->right));
        assume_remainder(cx, facts, c->left, c->right);
        assume_remainder(cx, facts, c->right, c->left);
        break;
    case SIZE_LE: facts_ge0(facts, nat_sub(cx, c->right, c->left)); break;
    case SIZE_NE: assume_differ(cx, facts, c->left, c->right); break;
    }
}

void size_checks_assume(Session *cx, Facts *facts, const SizeChecks *checks)
{
    for (int i = 0; i < checks->len; i++) size_check_assume(cx, facts, &checks->at[i]);
}

static Truth equal_without_cases(Session *cx, const Facts *facts, Node *a, Node *b)
{
    Truth t = nat_eq(cx, facts, a, b);
    bool defined =
        t == TRUTH_UNKNOWN && nat_holds_by_definition(cx, facts, nat_sub(cx, a, b), true);
    return defined ? TRUTH_YES : t;
}

static Truth at_most(Session *cx, const Facts *facts, Node *a, Node *b)
{
    Truth t = nat_le(cx, facts, a, b);
    bool defined =
        t == TRUTH_UNKNOWN && nat_holds_by_definition(cx, facts, nat_sub(cx, b, a), false);
    return defined ? TRUTH_YES : t;
}

static bool is_multiple(const SizeCheck *c)
{
    int64_t zero;
    return c->relation == SIZE_EQ && c->left->kind == NAT_MOD && nat_is_const(c->right, &zero) &&
           zero == 0;
}

static Truth truth_without_cases(Session *cx, const Facts *facts, const SizeCheck *c)
{
    Truth t = c->relation == SIZE_LE ? at_most(cx, facts, c->left, c->right)
                                     : equal_without_cases(cx, facts, c->left, c->right);
    if (t == TRUTH_UNKNOWN && is_multiple(c))
        t = nat_divides(cx, facts, c->left->op[1], c->left->op[0]);
    if (c->relation != SIZE_NE) return t;
    return t == TRUTH_YES ? TRUTH_NO : t == TRUTH_NO ? TRUTH_YES : t;
}

static bool holds_without_cases(Session *cx, const Facts *facts, const void *check)
{
    return truth_without_cases(cx, facts, check) == TRUTH_YES;
}

Truth size_check_truth(Session *cx, const Facts *facts, const SizeCheck *c)
{
    Truth t = truth_without_cases(cx, facts, c);
    bool cases = t == TRUTH_UNKNOWN && facts_hold_by_cases(cx, facts, holds_without_cases, c);
    return cases ? TRUTH_YES : t;
}

Truth size_equal(Session *cx, const Facts *facts, Node *a, Node *b)
{
    return size_check_truth(cx, facts, &(SizeCheck){.relation = SIZE_EQ, .left = a, .right = b});
}

bool size_agree(Session *cx, const Facts *facts, Node *a, Node *b)
{
    return size_equal(cx, facts, a, b) == TRUTH_YES || facts_contradict(cx, facts, NULL);
}

const char *const size_relation_text[] = {[SIZE_EQ] = "==", [SIZE_LE] = "<=", [SIZE_NE] = "!="};

// --- reasons ------------------------------------------------------------------------------------

const char *size_check_why(Session *cx, const SizeCheck *c)
{
    if (!c->expected) return c->why;
    return arena_printf(cx->arena, "%s%s`%s` where `%s` is expected", c->why ? c->why : "",
                        c->why ? ": " : "", type_show(cx, c->found), type_show(cx, c->expected));
}

// --- the sizes in a condition --------------------------------------------------------------------

typedef struct {
    Arena *arena;
    VEC(Node *) atoms;
} Atoms;

static void add_atom(Node *atom, void *env)
{
    Atoms *a = env;
    for (int i = 0; i < a->atoms.len; i++)
        if (a->atoms.at[i] == atom) return;
    vec_push(a->arena, &a->atoms, atom);
}

static void add_atoms(Session *cx, Atoms *a, Node *n)
{
    if (kind_info[n->kind].levels & LEVEL_NAT) {
        nat_atoms(cx, n, add_atom, a);
        return;
    }
    for (uint32_t k = 0; k < n->nops; k++) add_atoms(cx, a, n->op[k]);
}

// Appends the values of the sizes after the text `before`, as in " with n = 5, m = 6".
static void put_values(Text *out, const char *before, Atoms *a, SizeLookup *lookup, void *env)
{
    for (int i = 0; lookup && i < a->atoms.len; i++) {
        int64_t value;
        Node *atom = a->atoms.at[i];
        if (atom->kind != NAT_VAR || !lookup(atom, &value, env)) continue;
        text_printf(out, "%s%s = %lld", before, atom->attr.sym->text, (long long)value);
        before = ", ";
    }
}

static void put_type(Session *cx, Text *out, const char *what, Node *type, SizeLookup *lookup,
                     void *env)
{
    Atoms a = {.arena = cx->arena};
    add_atoms(cx, &a, type);
    text_printf(out, "%s `%s`", what, type_show(cx, type));
    put_values(out, " with ", &a, lookup, env);
}

int size_check_names(Session *cx, const SizeCheck *c, Sym **names)
{
    Atoms a = {.arena = cx->arena};
    add_atoms(cx, &a, c->left);
    add_atoms(cx, &a, c->right);
    if (c->expected) add_atoms(cx, &a, c->expected);
    if (c->expected) add_atoms(cx, &a, c->found);
    int n = 0;
    *names = ARENA_ARRAY(cx->arena, Sym, a.atoms.len + 1);
    for (int i = 0; i < a.atoms.len; i++)
        if (a.atoms.at[i]->kind == NAT_VAR) (*names)[n++] = a.atoms.at[i]->attr.sym;
    return n;
}

// --- the violated condition ----------------------------------------------------------------------

static const char *condition_text(Session *cx, const SizeCheck *c)
{
    return arena_printf(cx->arena, "%s %s %s", nat_show(cx, c->left),
                        size_relation_text[c->relation], nat_show(cx, c->right));
}

const char *size_check_failure(Session *cx, const SizeCheck *c, const SizeCheck *here)
{
    if (c->guarded) return c->guarded;
    if (c->relation != SIZE_EQ || c->stated) {
        const char *condition = c->stated ? c->stated : condition_text(cx, c);
        bool elsewhere = c->stated && c->why; // the text uses the names of the called function
        const char *text = arena_printf(cx->arena, "`%s` does not hold", condition);
        bool same = here->left == c->left && here->right == c->right && !elsewhere;
        return same ? text : arena_printf(cx->arena, "%s: `%s`", text, condition_text(cx, here));
    }
    bool multiple = is_multiple(c);
    const char *left = nat_show(cx, multiple ? c->left->op[0] : c->left);
    const char *right = nat_show(cx, multiple ? c->left->op[1] : c->right);
    const char *text = arena_printf(cx->arena,
                                    multiple ? "the size `%s` is not a multiple of `%s`"
                                             : "the sizes `%s` and `%s` differ",
                                    left, right);
    bool inner = multiple && here->left->kind == NAT_MOD;
    const char *now = nat_show(cx, inner ? here->left->op[0] : here->left);
    if ((c->left == here->left && c->right == here->right) || (multiple && !inner)) return text;
    return arena_printf(cx->arena, "%s: `%s` and `%s`", text, now,
                        nat_show(cx, inner ? here->left->op[1] : here->right));
}

// --- the whole report ----------------------------------------------------------------------------

static bool is_same_place(Span a, Span b)
{
    return a.file == b.file && a.lo == b.lo && a.hi == b.hi;
}

static void put_calls(Session *cx, Text *out, const SizeCheck *c)
{
    for (int i = 0; i < c->ncalls; i++) {
        const SizeCall *call = &c->calls[i];
        int row = 0, column = 0, times = 1;
        while (i + 1 < c->ncalls && is_same_place(c->calls[i + 1].at, call->at)) i++, times++;
        text_printf(out, "\nin `%s`", call->function->text);
        if (!call->at.file) continue;
        session_position(cx, call->at.file, call->at.lo, &row, &column);
        text_printf(out, ", called at %s:%d:%d",
                    source_short_path(cx->sources.at[call->at.file - 1]), row, column);
        if (times > 1) text_printf(out, ", %d times", times);
    }
}

const char *size_check_report(Session *cx, const SizeCheck *c, SizeLookup *lookup, void *env)
{
    Text t = text_new(cx->arena);
    int64_t left, right;
    bool multiple = is_multiple(c), two = c->relation == SIZE_EQ && !c->stated;
    text_put(&t, size_check_failure(cx, c, c));
    if (lookup && two) {
        Node *a = multiple ? c->left->op[0] : c->left, *b = multiple ? c->left->op[1] : c->right;
        if (nat_eval(a, lookup, env, &left) && nat_eval(b, lookup, env, &right))
            text_printf(&t, ": %lld and %lld", (long long)left, (long long)right);
    } else {
        Atoms atoms = {.arena = cx->arena};
        add_atoms(cx, &atoms, c->left);
        add_atoms(cx, &atoms, c->right);
        put_values(&t, " for ", &atoms, lookup, env);
    }
    if (c->why) text_printf(&t, "\n%s", c->why);
    if (c->expected) {
        put_type(cx, &t, "\nexpected", c->expected, lookup, env);
        put_type(cx, &t, ", found", c->found, lookup, env);
    }
    if (c->branch) text_printf(&t, "\n%s", SIZE_CHECK_BRANCH);
    put_calls(cx, &t, c);
    return text_get(&t);
}
