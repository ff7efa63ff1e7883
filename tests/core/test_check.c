// The checker lets good functions pass and finds every broken one.
#include "terms.h"

#include <cmocka.h>

static Session *cx;

static int setup(void **state)
{
    (void)state;
    cx = session_new();
    nat_init(cx);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    session_delete(cx);
    return 0;
}

static Function *read(const char *text)
{
    Function *f = core_read(cx, session_add_source(cx, "f.core", text, strlen(text)));
    if (f) return f;
    Text out = text_new(cx->arena);
    diag_print_all(cx, &out, false);
    fail_msg("%s", text_get(&out));
    return NULL;
}

// The fault the checker reports, NULL when the function is right.
static const char *fault(const Function *f, int level, bool flat)
{
    jmp_buf boundary;
    cx->diags.len = cx->errors = 0; // a second fault at the same place would be dropped
    cx->boundary = &boundary;
    if (setjmp(boundary) == 0) {
        if (flat)
            core_check_flat(cx, f);
        else
            core_check(cx, f, level);
    }
    cx->boundary = NULL;
    return cx->diags.len ? cx->diags.at[0]->text : NULL;
}

static void passes(const char *text, int level, bool flat)
{
    const char *found = fault(read(text), level, flat);
    if (found) fail_msg("%s", found);
}

static void fails(const char *text, int level, bool flat, const char *part)
{
    const char *found = fault(read(text), level, flat);
    if (!found)
        fail_msg("passes: %s", text);
    else if (!strstr(found, part))
        fail_msg("\"%s\" does not say \"%s\"", found, part);
}

static void sizes_agree_under_checks(void **state)
{
    (void)state;
    const char *with = "(fn f [n: nat, m: nat] (a: [n]f32, b: [m]f32) : [m](f32, f32) (checks (n "
                       "== m)) (zip a b))";
    const char *where =
        "(fn f [n: nat, m: nat] (a: [n]f32, b: [m]f32) : [m](f32, f32) (where (n == m)) (zip a b))";
    const char *without =
        "(fn f [n: nat, m: nat] (a: [n]f32, b: [m]f32) : [n](f32, f32) (zip a b))";
    passes(with, LEVEL_CORE, false);
    passes(where, LEVEL_CORE, false);
    fails(without, LEVEL_CORE, false, "operand 1 of zip is [m]f32, not [n]f32");
}

static void variables_have_the_types_of_their_binders(void **state)
{
    (void)state;
    passes("(fn f () : f32 (let x 1.0 (+ x x)))", LEVEL_CORE, false);
    fails("(fn f () : i32 (let x 1.0 (var 0 : i32)))", LEVEL_CORE, false,
          "the variable is bound as f32");
    fails("(fn f () : i32 (app (lam (x: f32) (var 0 : i32)) 1.0))", LEVEL_CORE, false,
          "the variable is bound as f32");
    fails("(fn f (x: f32) : f32 (var 1 : f32))", LEVEL_CORE, false, "not in scope");
    fails("(fn f (x: f32, y: i32) : f32 (var 0 : f32))", LEVEL_CORE, false,
          "the variable is bound as i32");
    // The same open term under two binders: right under the first only.
    fails("(fn f () : i32 (let x 1 (let y (let z 1.0 (var 0 : i32)) (let z 2 z))))", LEVEL_CORE,
          false, "bound as f32");
}

static void nodes_have_the_types_of_their_rules(void **state)
{
    (void)state;
    fails("(fn f () : i32 (+ 1.0 2.0 : i32))", LEVEL_CORE, false, "has type i32, should have f32");
    fails("(fn f () : i32 1.0)", LEVEL_CORE, false, "the body has type f32");
    fails("(fn f () : f32 (app (lam (x: f32) x : fn(f32) -> i32) 1.0 : f32))", LEVEL_CORE, false,
          "the body of a lambda");
    fails("(fn f (x: [n]f32) : f32 1.0)", LEVEL_CORE, false, "`n` is not a generic parameter");
    fails("(fn f [t: nat] (x: t) : f32 1.0)", LEVEL_CORE, false, "`t` is not a generic parameter");
    fails("(fn f (x: ?1) : f32 1.0)", LEVEL_CORE, false, "unknown");
    fails("(fn f (x: ?error) : f32 1.0)", LEVEL_CORE, false, "error type");
    fails("(fn f (x: [3]fn() -> f32) : f32 1.0)", LEVEL_CORE, false, "not data");
    fails("(fn f () : i64 (size k))", LEVEL_CORE, false, "`k` is not a generic parameter");
}

static void kinds_belong_to_levels(void **state)
{
    (void)state;
    const char *app = "(fn f () : f32 (app (lam () 1.0)))";
    passes(app, LEVEL_CORE, false);
    fails(app, LEVEL_LOW, false, "not a term of this level");
    passes("(fn f (a: [3]f32) : [3]f32 (to_mem (copy a)))", LEVEL_LOW, false);
}

static void flat_core_has_no_functions(void **state)
{
    (void)state;
    passes("(fn f [n: nat] (a: [n]f32) : f32 (let t (map (lam (x: f32) (neg x)) a) (reduce (lam "
           "(x: f32, y: f32) (+ x y)) 0.0 t)))",
           LEVEL_CORE, true);
    fails("(fn f () : f32 (app (lam () 1.0)))", LEVEL_CORE, true, "application");
    fails("(fn f () : f32 (global g : f32))", LEVEL_CORE, true, "global");
    fails("(fn f () : f32 (let g (lam () 1.0) 2.0))", LEVEL_CORE, true, "a function that is not");
    fails("(fn f [n: nat] (g: fn(f32) -> f32, a: [n]f32) : [n]f32 (map g a))", LEVEL_CORE, true,
          "a parameter of a flat function");
    fails("(fn f () : fn() -> f32 (lam () 1.0))", LEVEL_CORE, true,
          "the result of a flat function");
    fails("(fn f [t: data] (x: t) : t x)", LEVEL_CORE, true, "type variable");
    fails("(fn f (a: [2]f32, c: bool) : [2]f32 (map (if c (lam (x: f32) x) (lam (x: f32) 1.0)) a))",
          LEVEL_CORE, true, "a function that is not");
}

// The functions below have a cell p, and i, of type idx[4].
static const char *with_cell(const char *body)
{
    return arena_printf(cx->arena, "(fn f (i: idx[4], a: [4]f32) : f32 (let p (cell a) %s))", body);
}

static void flat_core_is_in_order(void **state)
{
    (void)state;
    static const char *const good[] = {
        "(let _ (put (ref_at p i) 1.0) (get (ref_at p i)))",
        "(let v (get p) (if (> (at v i) 0.0) (let _ (put p v) (at v i)) 2.0))",
        "(label k f32 (forever (let x (get (ref_at p i)) (if (> x 0.0) (jump k x) (tuple)))))",
        "(label k f32 (let _ (range 0 4 (lam (j: i32) (if (== j 3) (jump k 1.0) (tuple)))) 2.0))",
        "(let _ (parallel 0 0 4 (lam (j: i32) (put (ref_at p i) (cast j : f32)))) 1.0)",
        // A function of a pattern reads a place outside, and has cells and labels of its own.
        "(let s (reduce (lam (x: f32, y: f32) (let z (get (ref_at p i)) (+ x z))) 0.0 a) s)",
        "(reduce (lam (x: f32, y: f32) (label k f32 (let q (cell x) (jump k y)))) 0.0 a)",
        "(+ 1.0 (reduce (lam (x: f32, y: f32) (let z (get (ref_at p i)) (+ x z))) 0.0 a))",
        "(let _ (put (ref_slice 1 2 p) (array 1.0 2.0)) 1.0)",
        "(label k f32 (let _ (jump k 1.0) 2.0))",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        passes(with_cell(good[i]), LEVEL_CORE, true);
    static const struct {
        const char *body, *says;
    } bad[] = {
        {"(+ 1.0 (get (ref_at p i)))", "an effect that is neither"},
        {"(let x (+ 1.0 (if true (get (ref_at p i)) 2.0)) x)", "an effect that is neither"},
        {"(if (> (get (ref_at p i)) 0.0) 1.0 2.0)", "an effect that is neither"},
        {"(let _ (put p (get p)) 1.0)", "an effect that is neither"},
        {"(+ 1.0 (label k f32 (jump k 1.0)))", "an effect that is neither"},
        {"(let _ (put (cell 1.0) 2.0) 1.0)", "a place that is not a path"},
        {"(let q p 1.0)", "a place that is not a path"},
        {"(let q (ref_at p i) 1.0)", "a place that is not a path"},
        {"(let _ (put (if true p p) a) 1.0)", "a place that is not a path"},
        {"(proj 0 (tuple 1.0 p))", "an operand that is not data"},
        {"(let q (cell (lam () (tuple))) 1.0)", "a place of something that is not data"},
        {"(let g (lam () (tuple)) 1.0)", "a function that is not a lambda"},
        {"(label k f32 (let q (tuple k) 1.0))", "an operand that is not data"},
        {"(let x (known p) 1.0)", "a question to staging"},
        {"(let x (hide 1.0) 1.0)", "a question to staging"},
        {"(let m (map (lam (x: f32) (let _ (put (ref_at p i) x) x)) a) 1.0)", "writes outside"},
        {"(label k f32 (let m (map (lam (x: f32) (jump k x) : fn(f32) -> f32) a) 1.0))",
         "a jump out of a function of a pattern"},
        {"(label k f32 (let _ (parallel 0 0 4 (lam (j: i32) (jump k 1.0) : fn(i32) -> ())) 1.0))",
         "a jump out of a loop"},
        {"(label k f32 (let _ (vectorize 4 0 4 (lam (j: i32) (jump k 1.0) : fn(i32) -> ())) 1.0))",
         "a jump out of a loop"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        fails(with_cell(bad[i].body), LEVEL_CORE, true, bad[i].says);
}

static void jumps_lead_to_labels_around(void **state)
{
    (void)state;
    fails("(fn f (k: fn(f32) -> !) : f32 (jump k 1.0))", LEVEL_CORE, false,
          "something that is not a label");
    fails("(fn f () : f32 (jump (lam (x: f32) (forever (tuple))) 1.0))", LEVEL_CORE, false,
          "something that is not a label");
    passes("(fn f (k: fn(f32) -> !) : f32 (app k 1.0))", LEVEL_CORE, false);
    fails("(fn f () : f32 (label k f32 (let x 1 (var 1 : fn(i32) -> !)) ))", LEVEL_CORE, false,
          "bound as fn(f32) -> !");
    // Before staging a continuation may be called anywhere; low Core knows where it leads.
    const char *across = "(fn f (a: [4]f32) : f32 (label k f32"
                         "  (let m (map (lam (x: f32) (jump k x) : fn(f32) -> f32) a) 1.0)))";
    passes(across, LEVEL_CORE, false);
    fails(across, LEVEL_LOW, false, "a jump out of a function of a pattern");
    fails("(fn f () : f32 (label k f32 (let j k 1.0)))", LEVEL_LOW, false,
          "a label that is not jumped to");
}

static void calls_fit_their_callees(void **state)
{
    (void)state;
    const char *callees =
        "(fn g (p: &mut [n]f32, x: f32) : () (let _ (put (ref_at p (to_idx 0i64 : "
        "idx[n])) x) (tuple)))"
        "(external h (x: f32) : f32)";
    static const struct {
        const char *body, *says; // NULL: nothing
    } rows[] = {
        {"(let p (cell a) (let _ (call g p 1.0 : ()) (call h 2.0 : f32)))", NULL},
        {"(let p (cell a) (let _ (call g p : ()) 1.0))", "does not fit"},
        {"(let p (cell a) (let _ (call g (borrow p) 1.0 : ()) 1.0))", "does not fit"},
        {"(let _ (call h 2.0 : i32) 1.0)", "does not fit"},
        {"(call other 2.0 : f32)", "no callee of this name"},
        {"(+ 1.0 (call h 2.0 : f32))", "an effect that is neither"},
        {"(let p (cell a) (let m (map (lam (x: f32) (let _ (call g p x : ()) x)) a) 1.0))",
         "writes outside"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text = arena_printf(cx->arena, "(entry f [n: nat] (a: [n]f32) : f32 %s) %s",
                                        rows[i].body, callees);
        if (rows[i].says)
            fails(text, LEVEL_CORE, true, rows[i].says);
        else
            passes(text, LEVEL_CORE, true);
    }
    fails("(entry f () : f32 1.0) (fn g (p: fn(f32) -> f32) : f32 1.0)", LEVEL_CORE, true,
          "a parameter of a flat function");
    fails("(entry f (p: &f32) : f32 1.0)", LEVEL_CORE, true, "a parameter of a flat function");
    fails("(entry f () : f32 1.0) (fn g () : f32 (app (lam () 1.0)))", LEVEL_CORE, true,
          "application");
    passes("(entry f () : f32 1.0) (fn g () : ! (forever (tuple)))", LEVEL_CORE, true);
}

static void filters_are_conditions(void **state)
{
    (void)state;
    passes("(fn f (x: f32, n: i32) : f32 (filters (known n) (known (+ n 1))) x)", LEVEL_CORE,
           false);
    fails("(fn f (x: f32) : f32 (filters x) x)", LEVEL_CORE, false, "a filter that is not a bool");
    fails("(fn f (x: f32) : f32 (filters true) x)", LEVEL_CORE, true, "a filter in flat Core");
}

static void places_hold_data_in_the_end(void **state)
{
    (void)state;
    const char *text = "(fn f () : f32 (label k f32 (let p (cell k) (app (get p) 1.0))))";
    passes(text, LEVEL_CORE, false);
    fails("(fn f (p: &fn(f32) -> f32) : f32 1.0)", LEVEL_CORE, true,
          "a place of something that is not data");
    fails("(fn f () : [2]&f32 (repeat 2 (cell 1.0) : [2]&f32))", LEVEL_CORE, false, "not data");
}

static Node *random_subterm(Node *e, Gen *g)
{
    while (e->nops > 0 && pick(g, 4)) {
        Node *op = e->op[pick(g, (int)e->nops)];
        if (!op->type) break;
        e = op;
    }
    return e;
}

typedef struct {
    Node *from, *to;
} Exchange;

static Node *exchange(Session *session, Node *e, int depth, void *env)
{
    Exchange *x = env;
    if (e == x->from) return x->to;
    if (!e->type) return e; // sizes and types stay
    Node **ops = ARENA_ARRAY(session->arena, Node *, e->nops + 1);
    for (uint32_t i = 0; i < e->nops; i++) ops[i] = exchange(session, e->op[i], depth, env);
    return node_with_ops(session, e, ops);
}

// In a right function one subterm gets another's place: the checker finds it unless the types are
// the same.
static void exchanged_subterms_are_found(void **state)
{
    (void)state;
    int found = 0, ill = 0;
    for (unsigned seed = 0; seed < 300; seed++) {
        Gen g = {.cx = cx, .seed = seed + 1000};
        Function *f = gen_function(cx, seed, 3);
        Exchange x = {random_subterm(f->body, &g), NULL};
        x.to = gen_leaf(&g, gen_type(&g, 1));
        f->body = exchange(cx, f->body, 0, &x);
        bool broken = fault(f, LEVEL_CORE, false) != NULL;
        if (broken && x.to->type == x.from->type)
            fail_msg("seed %u: %s", seed, term_show(cx, x.from, NULL, 0));
        found += broken;
        ill += x.to->type != x.from->type;
    }
    assert_true(ill > 200 && found > ill * 9 / 10);
}

// 60 levels that use the one below twice, under the same binders: checked once each.
static void shared_terms_are_checked_once(void **state)
{
    (void)state;
    Function *f = read("(fn f (x: f32) : f32 (+ x 1.0))");
    for (int i = 0; i < 60; i++) f->body = core_prim(cx, PRIM_MUL, 2, (Node *[]){f->body, f->body});
    core_check(cx, f, LEVEL_CORE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sizes_agree_under_checks, setup, teardown),
        cmocka_unit_test_setup_teardown(variables_have_the_types_of_their_binders, setup, teardown),
        cmocka_unit_test_setup_teardown(nodes_have_the_types_of_their_rules, setup, teardown),
        cmocka_unit_test_setup_teardown(kinds_belong_to_levels, setup, teardown),
        cmocka_unit_test_setup_teardown(flat_core_has_no_functions, setup, teardown),
        cmocka_unit_test_setup_teardown(flat_core_is_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(jumps_lead_to_labels_around, setup, teardown),
        cmocka_unit_test_setup_teardown(calls_fit_their_callees, setup, teardown),
        cmocka_unit_test_setup_teardown(filters_are_conditions, setup, teardown),
        cmocka_unit_test_setup_teardown(places_hold_data_in_the_end, setup, teardown),
        cmocka_unit_test_setup_teardown(exchanged_subterms_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(shared_terms_are_checked_once, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
