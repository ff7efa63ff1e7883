// Every rule of the library, applied to its own left side with arbitrary functions in it: it matches, gives well typed flat Core, and what
// it gives means the same.
#include "schedule/rules.h"

typedef struct {
    Random random;
    const RewriteRule *rule;
    NodeBinding generics[16]; // numbers and types as constants, sizes as themselves
    Node *params[16];
    bool operates; // there is a parameter `op`,
    Value neutral; // to which this is neutral, for `z`
    Function left;
} Example;

static Node *closed(const Example *x, Node *e)
{
    return node_replace_names(x->random.cx, e, x->generics, x->rule->generics.len);
}

static bool is_nat(const Generic *g)
{
    return strcmp(g->kind->text, "nat") == 0;
}

// Whether a loop of so many iterations is written out: then it must be a number.
static bool is_written_out(const Example *x, const Generic *g)
{
    int64_t most;
    for (int i = 0; i < x->rule->where.len; i++) {
        const SizeCheck *c = &x->rule->where.at[i];
        bool bound = nat_is_const(c->right, &most) && most == 64;
        if (bound && c->left->kind == NAT_VAR && c->left->attr.sym == g->name) return true;
    }
    return false;
}

static void choose_generics(Example *x, int64_t number)
{
    Session *cx = x->random.cx;
    for (int i = 0; i < x->rule->generics.len; i++) {
        const Generic *g = &x->rule->generics.at[i];
        bool given = i < x->rule->nnumbers, counted = !given && is_written_out(x, g);
        Node *value = given       ? nat_const(cx, number)
                      : counted   ? nat_const(cx, 3)
                      : is_nat(g) ? nat_var(cx, g->name)
                                  : random_type(&x->random, g->kind);
        x->generics[i] = (NodeBinding){g->name, value};
        if (!given && !counted && is_nat(g)) vec_push(cx->arena, &x->left.generics, *g);
    }
}

static void choose_params(Example *x)
{
    Session *cx = x->random.cx;
    int n = x->rule->params.len;
    for (int k = 0; k < n; k++) {
        Node *type = closed(x, x->rule->params.at[k].type);
        bool operates = strcmp(x->rule->params.at[k].name->text, "op") == 0;
        x->params[k] = NULL;
        x->operates |= operates;
        if (type->kind == TYPE_FUN && operates)
            x->params[k] =
                random_operator(&x->random, type_result(type), ALGEBRA_FIELD, &x->neutral);
        else if (type->kind == TYPE_FUN && strcmp(x->rule->params.at[k].name->text, "before") == 0)
            x->params[k] = random_order(&x->random, type, false);
        else if (type->kind == TYPE_FUN)
            x->params[k] = random_function(&x->random, type, false);
        if (x->params[k]) continue;
        Param p = {x->rule->params.at[k].name, type, NULL};
        vec_push(cx->arena, &x->left.params, p);
    }
    for (int k = n - 1, data = 0; k >= 0; k--)
        if (!x->params[k])
            x->params[k] = core_var(cx, data++, closed(x, x->rule->params.at[k].type));
}

static void take_conditions(Example *x, const SizeChecks *from)
{
    for (int i = 0; i < from->len; i++) {
        SizeCheck c = from->at[i];
        c.left = closed(x, c.left);
        c.right = closed(x, c.right);
        vec_push(x->random.cx->arena, &x->left.where, c);
    }
}

static Node *left_side(Example *x)
{
    Session *cx = x->random.cx;
    int n = x->rule->params.len;
    bool plain = true; // a right side has no component of a pair
    for (int k = 0; k < n; k++) plain &= x->params[k]->kind != CORE_LAM;
    if (plain) return node_instantiate(cx, closed(x, x->rule->left), x->params, n);
    RewriteRule to_left = *x->rule;
    to_left.right = x->rule->left;
    Match m = {.cx = cx,
               .arena = cx->arena,
               .rule = &to_left,
               .generics = x->generics,
               .params = x->params};
    return apply_term(&m, NO_SPAN);
}

// The left side as a function over its sizes.
static void make_left(Example *x, int64_t number)
{
    x->left = (Function){.name = x->rule->name, .span = x->rule->span, .entry = true};
    choose_generics(x, number);
    choose_params(x);
    take_conditions(x, &x->rule->where);
    take_conditions(x, &x->rule->implied);
    x->left.body = left_side(x);
    x->left.result = x->left.body->type;
}

static bool arguments(Example *x, const NodeBinding *sizes, Value *args)
{
    if (!random_arguments(&x->random, &x->left, sizes, args)) return false;
    for (int i = 0; i < x->left.params.len && x->operates; i++)
        if (strcmp(x->left.params.at[i].name->text, "z") == 0) args[i] = x->neutral;
    return true;
}

static bool is_function(Node *e, void *env)
{
    (void)env;
    return e->kind == CORE_GLOBAL;
}

// The function without calls of patterns with a body, which the driver stages again.
static Function without_calls(Session *cx, const Program *p, const Function *f)
{
    bool calls = node_any(f->body, is_function, NULL);
    const Function *flat = calls ? staging_run(cx, p, f) : f;
    if (!flat) {
        Text out = text_new(cx->arena);
        diag_print_all(cx, &out, false);
        fail_msg("%s: %s", f->name->text, text_get(&out));
    }
    core_check(cx, flat, LEVEL_LOW);
    core_check_flat(cx, flat);
    return *flat;
}

// The rule applied to its left side.
static Function applied(const Example *x, int64_t number)
{
    Session *cx = x->random.cx;
    int64_t numbers[16];
    for (int i = 0; i < 16; i++) numbers[i] = number;
    Miss miss;
    Facts *facts = facts_of_function(cx, &x->left);
    Function right = x->left;
    right.body = schedule_apply(cx, facts, x->rule, numbers, x->left.body, false, cx->arena, &miss);
    if (!right.body)
        fail_msg("%s does not match %s: %s", x->rule->name->text,
                 term_text(&x->left, cx, x->left.body), miss.why ? miss.why : "another head");
    apply_add_updates(cx, &right);
    return without_calls(cx, x->rule->program, &right);
}

static bool try_rule(const Inferred *r, Arena *arena, const RewriteRule *rule, int round)
{
    Example x = {.random = {r->cx, arena, (uint64_t)round, NULL}, .rule = rule};
    make_left(&x, round % 3 + 1);
    NodeBinding sizes[17];
    if (!random_sizes(&x.random, &x.left, 9, sizes)) return false;
    Function left = without_calls(r->cx, r->program, &x.left);
    Function right = applied(&x, round % 3 + 1);
    for (int tries = 0; tries < 20; tries++) {
        Value args[16];
        if (!arguments(&x, sizes, args)) continue;
        same_value(r->cx, &left, &right, sizes, args);
        return true;
    }
    return false;
}

static void test_every_rule(void **state)
{
    (void)state;
    Arena *names = arena_new();
    Paths library = library_of_rules(names);
    Text text = text_new(names);
    for (int i = 0; i < library.len; i++) {
        const char *base = strrchr(library.at[i], '/') + 1;
        text_printf(&text, "import std.%.*s\n", (int)strcspn(base, "."), base);
    }
    Inferred r = infer_good(text_get(&text));
    arena_delete(names);
    assert_true(r.program->rules.len > 150);
    for (int i = 0; i < r.program->rules.len; i++) {
        int good = 0;
        Arena *arena = arena_new();
        for (int round = 0; round < 6; round++)
            good += try_rule(&r, arena, r.program->rules.at[i], round);
        if (good < 2) fail_msg("no instance of %s", r.program->rules.at[i]->name->text);
        arena_delete(arena);
    }
    session_delete(r.cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_rule),
    };
    return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
