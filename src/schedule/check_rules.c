// Tests rules: the reference interpreter evaluates both sides of a rule on random instances. An
// instance consists of sizes that satisfy the conditions, types, functions and values.
//
// Each instance is evaluated in several ways: exactly, in the field GF(2^61 - 1); with functions
// that fail for some arguments; in IEEE arithmetic, if the rule claims to be exact; and with
// special values. Special integers, such as the limits of a type, are always tested; special
// floats, such as NaN, are tested if the rule claims to be exact. For a rule without functions, all
// special values and pairs of them are tested in each scalar type.
#include "schedule/random.h"
#include "schedule/schedule.h"

enum {
    INSTANCES = 36,       // instances evaluated in each way
    LEAST = 4,            // how many of these have the smallest sizes
    MOST_SIZE = 8,        // the greatest size
    MOST_SUM = 18,        // the greatest sum of all sizes
    MOST_CHOICES = 70000, // the greatest number of combinations of sizes considered
    FUEL = 2000000
};

typedef enum { EXACT, PARTIAL, IEEE, SPECIAL, WAYS } Way;

typedef struct {
    Session *cx;
    Arena *arena; // holds the instance
    Random random;
    const RewriteRule *rule;
    int64_t *sizes;        // one for each generic parameter, 0 for those that are not sizes
    NodeBinding *generics; // the values of the generic parameters
    Node **functions;      // a lambda for each function parameter, NULL for a data parameter
    Value *values;         // the values of the data parameters, in order
    int ndata;
    Way way;
} Instance;

static Algebra algebra_of(const Instance *in)
{
    return in->way >= IEEE ? ALGEBRA_IEEE : ALGEBRA_FIELD;
}

// --- sizes ---------------------------------------------------------------------------------------

static bool is_size(const Generic *g)
{
    return strcmp(g->kind->text, "nat") == 0;
}

static bool size_of(Node *atom, int64_t *value, void *env)
{
    const Instance *in = env;
    for (int i = 0; i < in->rule->generics.len; i++)
        if (atom->kind == NAT_VAR && atom->attr.sym == in->rule->generics.at[i].name) {
            *value = in->sizes[i];
            return true;
        }
    return false;
}

static bool sizes_fit(Instance *in)
{
    const RewriteRule *rule = in->rule;
    return size_checks_eval(in->cx, &rule->where, rule->span, size_of, in).ok &&
           size_checks_eval(in->cx, &rule->implied, rule->span, size_of, in).ok;
}

/// The combinations of sizes that satisfy the conditions. Each row is one of them, with a number
/// for each generic parameter.
typedef struct {
    VEC(int64_t *) rows;
} Sizes;

// Advances to the next combination of sizes in counting order. Returns false after the last one.
static bool next_sizes(Instance *in, int64_t most)
{
    for (int i = in->rule->generics.len; i-- > 0;) {
        if (!is_size(&in->rule->generics.at[i])) continue;
        if (in->sizes[i]++ < most) return true;
        in->sizes[i] = 0;
    }
    return false;
}

static int64_t sum_of(const Instance *in, const int64_t *sizes)
{
    int64_t sum = 0;
    for (int i = 0; i < in->rule->generics.len; i++) sum += sizes[i];
    return sum;
}

static Sizes all_sizes(Instance *in)
{
    Sizes all = {0};
    int n = in->rule->generics.len, nsizes = 0;
    for (int i = 0; i < n; i++) nsizes += is_size(&in->rule->generics.at[i]);
    int64_t most = MOST_SIZE, choices = MOST_CHOICES + 1;
    for (; choices > MOST_CHOICES && most > 1; most -= choices > MOST_CHOICES) {
        choices = 1;
        for (int i = 0; i < nsizes && choices <= MOST_CHOICES; i++) choices *= most + 1;
    }
    do {
        if (sum_of(in, in->sizes) > MOST_SUM || !sizes_fit(in)) continue;
        int64_t *row = ARENA_ARRAY(in->arena, int64_t, n + 1);
        memcpy(row, in->sizes, sizeof *row * (size_t)n);
        vec_push(in->arena, &all.rows, row);
    } while (next_sizes(in, most));
    return all;
}

// --- associative operators -----------------------------------------------------------------------

static bool is_operator_type(Node *type)
{
    return type->kind == TYPE_FUN && type_nparams(type) == 2 &&
           type_param(type, 0) == type_result(type) && type_param(type, 1) == type_result(type);
}

// Patterns assume that relations of two elements are orders.
static bool is_relation_type(Node *type)
{
    Scalar s;
    return type_nparams(type) == 2 && type_param(type, 0) == type_param(type, 1) &&
           type_is_scalar(type_result(type), &s) && s == SCALAR_BOOL;
}

// Returns the index of the first parameter of type `type` that occurs in `e`, or -1 if there is
// none. `e` is under `depth` bound variables.
static int param_in(const Instance *in, Node *e, int depth, Node *type)
{
    int n = in->rule->params.len;
    if (e->kind == CORE_VAR && e->attr.i >= depth && e->type == type)
        return n - 1 - ((int)e->attr.i - depth);
    for (uint32_t i = 0; i < e->nops; i++) {
        int found =
            e->op[i]->type ? param_in(in, e->op[i], depth + node_binds(e, (int)i), type) : -1;
        if (found >= 0) return found;
    }
    return -1;
}

// If the left side implies that parameter k is an associative operator, sets operators[k] to p + 1,
// where parameter p is its neutral value, or to -1 if its neutral value is not a parameter.
static void find_operators(const Instance *in, Node *e, int depth, int *operators)
{
    bool combines = e->kind == CORE_REDUCE || e->kind == CORE_SCAN || e->kind == CORE_SCAN_EX;
    for (int k = 0; combines && k < in->rule->params.len; k++) {
        Node *type = in->rule->params.at[k].type;
        bool here = is_operator_type(type) && param_in(in, e->op[0], depth, type) == k;
        if (here) operators[k] = 1 + param_in(in, e->op[1], depth, type_result(type));
        if (here && operators[k] == 0) operators[k] = -1;
    }
    for (uint32_t i = 0; i < e->nops; i++)
        if (e->op[i]->type) find_operators(in, e->op[i], depth + node_binds(e, (int)i), operators);
}

// --- an instance ---------------------------------------------------------------------------------

static Node *closed(const Instance *in, Node *e)
{
    return node_replace_names(in->cx, e, in->generics, in->rule->generics.len);
}

// Chooses the values of all generic parameters. A type parameter becomes the scalar type with index
// `scalar` among those of its kind, or any type if `scalar` is -1.
static void choose_generics(Instance *in, int scalar)
{
    for (int i = 0; i < in->rule->generics.len; i++) {
        const Generic *g = &in->rule->generics.at[i];
        in->generics[i].name = g->name;
        if (is_size(g)) {
            in->generics[i].value = nat_const(in->cx, in->sizes[i]);
        } else if (scalar < 0) {
            in->generics[i].value = random_type(&in->random, g->kind);
        } else {
            int count;
            const Scalar *scalars = random_scalars(g->kind, &count);
            in->generics[i].value = type_scalar(in->cx, scalars[scalar % count]);
        }
    }
}

// Chooses values and functions for all parameters. Returns false if a type has no values.
static bool choose_params(Instance *in)
{
    const RewriteRule *rule = in->rule;
    int n = rule->params.len;
    int *operators = ARENA_ARRAY(in->arena, int, n + 1);
    Value *values = ARENA_ARRAY(in->arena, Value, n + 1);
    bool *chosen = ARENA_ARRAY(in->arena, bool, n + 1);
    find_operators(in, rule->left, 0, operators);
    bool may_fail = in->way == PARTIAL && !rule_adds_elements(rule);
    for (int k = 0; k < n; k++) {
        Node *type = closed(in, rule->params.at[k].type);
        in->functions[k] = NULL;
        if (type->kind != TYPE_FUN) continue;
        Value neutral;
        if (operators[k] == 0) {
            in->functions[k] = (is_relation_type(type) ? random_order : random_function)(
                &in->random, type, may_fail);
            continue;
        }
        in->functions[k] =
            random_operator(&in->random, type_result(type), algebra_of(in), &neutral);
        if (operators[k] < 0) continue;
        values[operators[k] - 1] = neutral;
        chosen[operators[k] - 1] = true;
    }
    in->ndata = 0;
    for (int k = 0; k < n; k++) {
        if (in->functions[k]) continue;
        Node *type = closed(in, rule->params.at[k].type);
        if (!chosen[k] && !random_value(&in->random, type, algebra_of(in), &values[k]))
            return false;
        in->values[in->ndata++] = values[k];
    }
    return true;
}

// Returns a term of this kind with the operator and initial value of `e`, over the elements lo to
// hi - 1 of xs.
static Node *of_part(Session *cx, Node *e, Kind kind, Node *xs, int64_t lo, int64_t hi)
{
    Node *part[] = {nat_const(cx, lo), nat_const(cx, hi - lo), xs};
    Node *ops[] = {e->op[0], e->op[1], core_pattern(cx, VIEW_SLICE, 0, 3, part)};
    return core_pattern(cx, kind, 0, 3, ops);
}

// Returns op(reduce(op, z, first part), reduce(op, z, rest)). If e is vectorised, the operands of
// op are swapped.
static Node *reduced_parts(Session *cx, Node *e, Node *xs, int64_t half, int64_t n)
{
    Node *first = of_part(cx, e, CORE_REDUCE, xs, 0, half);
    Node *rest = of_part(cx, e, CORE_REDUCE, xs, half, n);
    bool lanes = e->variant == VARIANT_VEC;
    return core_app(cx, e->op[0], 2, (Node *[]){lanes ? rest : first, lanes ? first : rest});
}

// Returns scan(op, z, first part) ++ map(|y| op(reduce(op, z, first part), y), scan(op, z, rest)).
static Node *scanned_parts(Session *cx, Node *e, Node *xs, int64_t half, int64_t n)
{
    Node *element = e->type->op[1], *before = of_part(cx, e, CORE_REDUCE, xs, 0, half);
    Node *args[] = {node_shift(cx, before, 1, 0), core_var(cx, 0, element)};
    Node *step = core_app(cx, node_shift(cx, e->op[0], 1, 0), 2, args);
    Sym name = session_sym(cx, "y");
    Node *map[] = {core_lam(cx, 1, &element, &name, step),
                   of_part(cx, e, (Kind)e->kind, xs, half, n)};
    Node *parts[] = {of_part(cx, e, (Kind)e->kind, xs, 0, half),
                     core_pattern(cx, CORE_MAP, 0, 2, map)};
    return core_pattern(cx, VIEW_CONCAT, 0, 2, parts);
}

// Splits every reduction and scan into two parts, which shows whether its operator is associative.
// If `env` is not NULL, splits only those that lanes or threads may group differently.
static Node *regrouped(Session *cx, Node *e, int depth, void *env)
{
    if (!e->type) return e;
    Node *done = node_map(cx, e, depth, regrouped, env);
    bool scan = done->kind == CORE_SCAN || done->kind == CORE_SCAN_EX;
    int64_t n;
    bool regroups = done->variant == VARIANT_PAR || done->variant == VARIANT_VEC;
    if ((done->kind != CORE_REDUCE && !scan) || (env && !regroups)) return done;
    if (!nat_is_const(done->op[2]->type->op[0], &n)) return done;
    Node *inside = node_shift(cx, done, 1, 0), *xs = core_var(cx, 0, done->op[2]->type);
    Node *all = (scan ? scanned_parts : reduced_parts)(cx, inside, xs, (n + 1) / 2, n);
    return core_let(cx, session_sym(cx, "xs"), done->op[2], all);
}

// Turns one side of the rule into a function of the data parameters.
static Function side_of(Instance *in, Node *side)
{
    Function f = {.name = in->rule->name, .span = in->rule->span};
    int n = in->rule->params.len, data = 0;
    Node **args = ARENA_ARRAY(in->arena, Node *, n + 1);
    for (int k = 0; k < n; k++) {
        args[k] = in->functions[k];
        if (args[k]) continue;
        Param p = {in->rule->params.at[k].name, closed(in, in->rule->params.at[k].type), NULL};
        args[k] = core_var(in->cx, in->ndata - 1 - data++, p.type);
        vec_push(in->arena, &f.params, p);
    }
    f.body = node_instantiate(in->cx, closed(in, side), args, n);
    f.result = f.body->type;
    return f;
}

static Outcome evaluate(Instance *in, const Function *f, Value *result)
{
    Outcome o = core_eval(in->cx, in->arena, in->rule->program, f, NULL, 0, in->values,
                          algebra_of(in), FUEL, result);
    if (o.ok) *result = value_trim(in->arena, result, f->result);
    return o;
}

// --- reports -------------------------------------------------------------------------------------

// Returns the type with which a report prints values of type `e`. Elements of the field are printed
// as whole numbers.
static Node *shown_type(Session *cx, Node *e, int depth, void *env)
{
    if (type_is_float(e)) return type_scalar(cx, SCALAR_U64);
    return node_map(cx, e, depth, shown_type, env);
}

static const char *value_text(const Instance *in, const Value *v, Node *type)
{
    Text t = text_new(in->cx->arena);
    Node *shown = in->way >= IEEE ? type : shown_type(in->cx, type, 0, NULL);
    value_print(in->cx, &t, v, shown, 16);
    return text_get(&t);
}

static const char *outcome_text(const Instance *in, const Outcome *o, const Value *v, Node *type)
{
    if (o->ok) return value_text(in, v, type);
    return arena_printf(in->cx->arena, "fails with %s: %s", diag_name(o->code), o->text);
}

static void note_instance(const Instance *in, Diag *d)
{
    Session *cx = in->cx;
    Text t = text_new(cx->arena);
    for (int i = 0; i < in->rule->generics.len; i++) {
        text_printf(&t, "%s%s = ", i ? ", " : "", in->generics[i].name->text);
        if (is_size(&in->rule->generics.at[i]))
            nat_print(&t, in->generics[i].value, 0);
        else
            type_print(&t, in->generics[i].value);
    }
    if (t.len) diag_note(cx, d, NO_SPAN, "with %s", text_get(&t));
    for (int k = 0, data = 0; k < in->rule->params.len; k++) {
        const Param *p = &in->rule->params.at[k];
        const char *text = in->functions[k]
                               ? term_show(cx, in->functions[k], NULL, 0)
                               : value_text(in, &in->values[data], closed(in, p->type));
        data += !in->functions[k];
        diag_note(cx, d, NO_SPAN, "%s = %.600s", p->name->text, text);
    }
}

static bool report(const Instance *in, const char *how, const char *left, const char *right)
{
    Diag *d = diag_error(in->cx, E0818, in->rule->span, "the sides of rule `%s` differ%s",
                         in->rule->name->text, how);
    note_instance(in, d);
    diag_note(in->cx, d, NO_SPAN, "left side: %s", left);
    diag_note(in->cx, d, NO_SPAN, "right side: %s", right);
    if (in->way == IEEE)
        diag_help(in->cx, d, "it regroups operations; declare it as reassociate rule %s...",
                  in->rule->name->text);
    if (in->way == SPECIAL)
        diag_help(in->cx, d,
                  "a schedule with this rule would change results: a rule must hold for all "
                  "values, including NaN, infinities, -0.0 and the smallest and largest integers");
    return false;
}

// --- comparing -----------------------------------------------------------------------------------

// Whether the outcomes agree. The right side may fail less often than the left side, because
// elements that are never read need not be computed, but never more often.
static bool same_outcome(const Instance *in, const Outcome *left, const Value *a,
                         const Outcome *right, const Value *b)
{
    if (left->code == E0605 && !left->ok) return true; // out of steps
    if (right->code == E0605 && !right->ok) return true;
    if (left->has_field_bits || right->has_field_bits) return true; // the field has other bits
    if (left->ok && right->ok) return value_equal(a, b);
    if (in->way == PARTIAL || in->way == SPECIAL) return !left->ok;
    return left->ok == right->ok && left->code == right->code;
}

static const char *const hows[] = {
    [EXACT] = "",
    [PARTIAL] = " in their failures",
    [IEEE] = " when numbers are rounded",
    [SPECIAL] = " for special values",
};

// Whether both sides round alike if lanes or threads regroup their reductions.
static bool same_when_regrouped(Instance *in, Function *sides)
{
    Value values[2];
    Outcome done[2];
    for (int k = 0; k < 2; k++) {
        sides[k].body = regrouped(in->cx, sides[k].body, 0, in);
        done[k] = evaluate(in, &sides[k], &values[k]);
    }
    if (same_outcome(in, &done[0], &values[0], &done[1], &values[1])) return true;
    return report(in, hows[in->way], outcome_text(in, &done[0], &values[0], sides[0].result),
                  outcome_text(in, &done[1], &values[1], sides[1].result));
}

static bool compare(Instance *in)
{
    Value values[3];
    Function f[] = {side_of(in, in->rule->left), side_of(in, in->rule->right)};
    Outcome a = evaluate(in, &f[0], &values[0]), b = evaluate(in, &f[1], &values[1]);
    if (!same_outcome(in, &a, &values[0], &b, &values[1]))
        return report(in, hows[in->way], outcome_text(in, &a, &values[0], f[0].result),
                      outcome_text(in, &b, &values[1], f[1].result));
    if (in->way == PARTIAL) return true;
    if (in->way >= IEEE) return same_when_regrouped(in, f);
    f[1].body = regrouped(in->cx, f[1].body, 0, NULL);
    b = evaluate(in, &f[1], &values[1]);
    if (same_outcome(in, &a, &values[0], &b, &values[1])) return true;
    return report(in,
                  ": the right side reduces with a function that is not associative (or, in lanes, "
                  "not commutative), or with an initial value that is not neutral",
                  outcome_text(in, &a, &values[0], f[0].result),
                  outcome_text(in, &b, &values[1], f[1].result));
}

static int extremes(const Instance *in, const int64_t *sizes)
{
    int n = 0;
    for (int i = 0; i < in->rule->generics.len; i++) n += sizes[i] <= 1;
    return n;
}

// Chooses a random combination of sizes. If `extreme`, chooses several, and returns the one with
// the most zeros and ones.
static int64_t *choose_row(Instance *in, const Sizes *all, bool extreme)
{
    int64_t *best = all->rows.at[random_below(&in->random, all->rows.len)];
    for (int i = 0; extreme && i < 16; i++) {
        int64_t *row = all->rows.at[random_below(&in->random, all->rows.len)];
        if (extremes(in, row) > extremes(in, best)) best = row;
    }
    return best;
}

// Chooses some of the combinations and sorts them by their sums, so that the report shows a small
// instance.
static int64_t **choose_sizes(Instance *in, int *count)
{
    Sizes all = all_sizes(in);
    int64_t **rows = ARENA_ARRAY(in->arena, int64_t *, INSTANCES);
    *count = all.rows.len > 0 ? INSTANCES : 0;
    for (int i = 0; i < *count; i++) {
        int64_t *row = i < LEAST ? all.rows.at[0] : choose_row(in, &all, i % 2);
        int at = i;
        for (; at > 0 && sum_of(in, rows[at - 1]) > sum_of(in, row); at--) rows[at] = rows[at - 1];
        rows[at] = row;
    }
    return rows;
}

static bool has_floats(Node *type)
{
    if (type_is_float(type)) return true;
    for (uint32_t i = 0; i < type->nops; i++)
        if (!(kind_info[type->op[i]->kind].levels & LEVEL_NAT) && has_floats(type->op[i]))
            return true;
    return false;
}

// Whether the rule must hold for this instance. A rule that rounds differently may change
// infinities and NaN.
static bool is_meant(const Instance *in)
{
    if (in->way < IEEE || in->rule->fp == FP_EXACT) return true;
    bool floats = has_floats(closed(in, in->rule->left)->type);
    for (int k = 0; k < in->rule->params.len && !floats; k++)
        floats = has_floats(closed(in, in->rule->params.at[k].type));
    return !floats && in->way == SPECIAL;
}

// Tests one instance. Returns 1 if the sides agree on it, -1 if they differ, and 0 if there is no
// instance to test.
static int try_one(Instance *in)
{
    if (!is_meant(in) || !choose_params(in)) return 0;
    return compare(in) ? 1 : -1;
}

// Tests the rule on all of these combinations of sizes. Returns how many of them have instances, or
// -1 if the sides differ on one.
static int try_way(Instance *in, int64_t *const *rows, int count)
{
    int tried = 0;
    for (int i = 0; i < count; i++) {
        in->sizes = rows[i];
        choose_generics(in, -1);
        int one = try_one(in);
        if (one < 0) return -1;
        tried += one;
    }
    return tried;
}

static bool has_functions(const RewriteRule *rule)
{
    for (int k = 0; k < rule->params.len; k++)
        if (rule->params.at[k].type->kind == TYPE_FUN) return true;
    return rule->params.len == 0;
}

// Whether a rule may be about scalar arithmetic.
static bool has_numbers(const RewriteRule *rule)
{
    for (int k = 0; k < rule->params.len; k++)
        if (rule->params.at[k].type->kind != TYPE_ARRAY) return true;
    return false;
}

// Tests all combinations of special values for scalars number p and q of the instance or, if q is
// -1, all special values for scalar p alone.
static int try_pair(Instance *in, int p, int q)
{
    int tried = 0;
    for (int k = 0; k < SPECIALS * (q < 0 ? 1 : SPECIALS); k++) {
        *in->random.special = (Special){0, {p, q}, {k % SPECIALS, k / SPECIALS}};
        int one = try_one(in);
        if (one < 0) return -1;
        tried += one;
    }
    return tried;
}

// Tests all combinations of special values for each pair of the first few scalars.
static int try_pairs(Instance *in)
{
    enum { FIRST = 3 };
    *in->random.special = (Special){0, {-1, -1}, {0}};
    int tried = try_one(in), scalars = in->random.special->scalars;
    if (scalars < 2 || !has_numbers(in->rule)) return tried < 0 ? -1 : try_pair(in, 0, -1);
    for (int q = 1; q < scalars && q < FIRST; q++)
        for (int p = 0; tried >= 0 && p < q; p++) {
            int more = try_pair(in, p, q);
            tried = more < 0 ? -1 : tried + more;
        }
    return tried;
}

// Tests the special values in each scalar type.
static int try_types(Instance *in, int64_t *sizes)
{
    enum { TYPES = 12 };
    int tried = 0, types = 1;
    for (int i = 0; i < in->rule->generics.len; i++)
        if (!is_size(&in->rule->generics.at[i])) types = TYPES;
    in->sizes = sizes;
    for (int t = 0; t < types; t++) {
        choose_generics(in, t);
        int more = try_pairs(in);
        if (more < 0) return -1;
        tried += more;
    }
    return tried;
}

static int try_special(Instance *in, int64_t *const *rows, int count)
{
    Special special = {0, {-1, -1}, {0}};
    in->random.special = &special;
    int pairs = count && !has_functions(in->rule) ? try_types(in, rows[count - 1]) : 0;
    special = (Special){0, {-1, -1}, {0}};
    int others = pairs < 0 ? -1 : try_way(in, rows, count);
    in->random.special = NULL;
    return others < 0 ? -1 : pairs + others;
}

int schedule_check_rule(Session *cx, const RewriteRule *rule, uint64_t seed)
{
    Arena *arena = arena_new_beside(cx->arena);
    int n = rule->generics.len, count, good = 0;
    Instance in = {.cx = cx, .arena = arena, .random = {cx, arena, seed, NULL}, .rule = rule};
    in.sizes = ARENA_ARRAY(arena, int64_t, n + 1);
    in.generics = ARENA_ARRAY(arena, NodeBinding, n + 1);
    in.functions = ARENA_ARRAY(arena, Node *, rule->params.len + 1);
    in.values = ARENA_ARRAY(arena, Value, rule->params.len + 1);
    int64_t **rows = choose_sizes(&in, &count);
    for (in.way = EXACT; in.way < WAYS && good >= 0; in.way++) {
        if (in.way == IEEE && rule->fp != FP_EXACT) continue;
        int tried = (in.way == SPECIAL ? try_special : try_way)(&in, rows, count);
        good = tried < 0 ? -1 : good + tried;
    }
    arena_delete(arena);
    if (good == 0)
        diag_error(cx, E0819, rule->span, "no small sizes satisfy the conditions of rule `%s`",
                   rule->name->text);
    return good > 0 ? good : 0;
}
