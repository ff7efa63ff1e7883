// How values differ by lane, by itself: for bodies of loops over lanes what each name is, which can be vectors, and what becomes of
// expressions.
#include "loops/read.h"
#include "loops/vector/vectors.h"

// The body of the only loop over lanes of an entry; what differs in it.
typedef struct {
    LoopEntry *entry;
    Node *body;
    Divergence d;
} Lanes;

#define ENTRY(body)                                                                                \
    "(loops f [n] (a: [n]f32, h: [n]i64, g: [n]i32, s: f32, k: i64) : [n]f32"                      \
    " (buffers (in a f32 [n]) (in h i64 [n]) (in g i32 [n]) (in s f32) (in k i64) (out y f32 "     \
    "[n]))"                                                                                        \
    " (block (decl p i64 (size (n - k))) (loop e 0 n (store y e 0.0)) (loop_vector i 4 0 n "       \
    "(block " body "))))"                                                                          \
    "(loops step [n] (x: f32) : f32 (buffers (in x f32) (out r f32)) (store r 0 x))"               \
    "(loops turn [n] (x: &mut f32) : () (buffers (both x f32)) (store x 0 1.0))"                   \
    "(loops fill [n] (x: f32, b: &mut [2]f32) : ()"                                                \
    " (buffers (in x f32) (both b f32 [2])) (store b 0 x))"                                        \
    "(loops far [n] (x: f32) : f32 (buffers (in x f32) (out r f32))"                               \
    " (call_function noise x (address r 0)))"                                                      \
    "(external noise (x: f32) : f32 (buffers (in x f32) (out out f32)))"

static Node *find_loop(Node *s)
{
    Node *found = s->kind == LOOP_VECTORIZE ? s : NULL;
    for (uint32_t i = 0; i < s->nops && !found; i++)
        if (loops_is_stmt(s->op[i])) found = find_loop(s->op[i]);
    return found;
}

static Lanes *analysed(Session *cx, const char *body)
{
    enum { ROUNDS = 8 };
    Lanes *l = ARENA_NEW(cx->arena, Lanes);
    nat_init(cx);
    const char *text = arena_printf(cx->arena, ENTRY("%s"), body);
    l->entry = read_loops(cx, text);
    Node *loop = find_loop(l->entry->body);
    l->body = loops_body(loop);
    LaneCallees *callees = ARENA_NEW(cx->arena, LaneCallees);
    *callees = lane_callees(cx, l->entry);
    l->d = (Divergence){.cx = cx,
                        .index = loop->attr.sym,
                        .lanes = 4,
                        .callees = callees,
                        .divergent_loops = map_new(cx->arena)};
    l->body = name_narrow_integers(&l->d, l->body);
    for (int i = 0; i < ROUNDS; i++) {
        l->body = prepare_loops(&l->d, l->body);
        divergence_analyse(&l->d, l->body);
        if (l->d.divergent_loops.len == 0) return l;
    }
    fail_msg("no end: %s", body);
    return NULL;
}

static const char *shape_text(Session *cx, Shape s)
{
    return s.varies ? "varies" : s.step ? arena_printf(cx->arena, "step %d", (int)s.step) : "same";
}

// --- names --------------------------------------------------------------------------------------

#define DIFFERS "(< (load a i) s)"
#define AGREES  "(< s 1.0)"

// Bodies, and how names differ: "x same, m step 2".
static const char *const names[][2] = {
    // what is given, and the index
    {"(decl x f32 (* s 2.0)) (decl m i64 (size (n*k + p)))", "x same, m same, i step 1"},
    {"(decl m i64 (size (i + p))) (decl m2 i64 (size (m + 3*i)))", "m step 1, m2 step 4"},
    {"(decl m i64 (size (n - i))) (decl m2 i64 (size (i + m)))", "m step -1, m2 same"},
    {"(decl m i64 (size i*k)) (decl m2 i64 (size i*i)) (decl m3 i64 (size i/4))",
     "m varies, m2 varies, m3 varies"},
    {"(decl m i64 (size max(i, 3))) (decl m2 i64 (size max(k, 3)))", "m varies, m2 same"},
    {"(decl m i64 (+ (size i) (size 2*i))) (decl m2 i64 (- (size p) (size i)))",
     "m step 3, m2 step -1"},
    {"(decl m i64 (* (size i) (size 2)))", "m varies"}, // sums alone have steps
    {"(decl x f32 (cast (size i) : f32)) (decl z f32 (cast (size k) : f32))", "x varies, z same"},
    // memory
    {"(decl x f32 (load a i)) (decl z f32 (load a p)) (decl w f32 (load a 0))",
     "x varies, z same, w same"},
    {"(decl m i64 (load h k)) (decl x f32 (load a m)) (decl z f32 (load a (m + i)))",
     "m same, x same, z varies"},
    {"(decl m i64 (load h i)) (decl x f32 (load a m))", "m varies, x varies"},
    // what calls give and change
    {"(decl x f32 (tuple)) (call_function step (load a i) (address x 0)) (decl z f32 x)",
     "x varies, z varies"},
    {"(decl x f32 (tuple)) (call_function step s (address x 0)) (decl z f32 x)", "x same, z same"},
    {"(decl x f32 (tuple)) (branch " DIFFERS " (call_function step s (address x 0)) (block))"
     " (decl z f32 x)",
     "x varies, z varies"},
    {"(decl x f32 1.0) (decl z f32 (load a i)) (call_function turn (address x 0))"
     " (call_function turn (address z 0))",
     "x same, z varies"},
    {"(decl x f32 (tuple)) (call_function noise s (address x 0))", "x varies"}, // another each time
    {"(decl x f32 (tuple)) (call_function far s (address x 0))", "x varies"},
    // choices
    {"(decl x f32 (? " AGREES " s 2.0)) (decl z f32 (? " DIFFERS " s 2.0))", "x same, z varies"},
    // branches: what only some are given and others read, differs
    {"(decl x f32 0.0) (branch " AGREES " (set x s) (block)) (store y i x)", "x same"},
    {"(decl x f32 0.0) (branch " DIFFERS " (set x s) (block)) (store y i x)", "x varies"},
    {"(decl x f32 0.0) (branch " DIFFERS " (set x s) (set x s)) (store y i x)", "x varies"},
    {"(decl x f32 0.0) (branch " DIFFERS " (block (set x s) (store y i x)) (block))", "x same"},
    {"(branch " DIFFERS " (block (decl x f32 0.0) (set x s) (store y i x)) (block))", "x same"},
    {"(branch " DIFFERS " (block (decl x f32 (load a i)) (decl z f32 s)) (block))",
     "x varies, z same"},
    {"(decl x f32 0.0) (branch " AGREES " (set x (load a i)) (block)) (store y i x)", "x varies"},
    {"(decl m i64 (size i)) (branch " AGREES " (set m 0i64) (block)) (store y i (load a 0))",
     "m varies"}, // a step that is not always one
    // joins: the first difference reaches all that is made of it
    {"(decl x f32 0.0) (decl z f32 0.0) (branch " DIFFERS
     " (set x s) (block)) (set z (+ z x)) (store y i z)",
     "x varies, z varies"},
    {"(decl x f32 0.0) (decl z f32 0.0) (loop j 0 n (block (set x z) (set z (load a i))))"
     " (store y i x)",
     "x varies, z varies, j same"},
    // loops whose ends are the same
    {"(decl x f32 0.0) (loop j 0 n (set x (+ x (load a j)))) (store y i x)", "x same, j same"},
    {"(decl x f32 0.0) (loop j 0 n (set x (+ x (load a i)))) (store y i x)", "x varies, j same"},
    // loops that lanes leave at different times: the same for those that are still there
    {"(decl c i64 0i64) (target out (loop_forever (block (branch (< (cast c : f32) (load a i))"
     " (block) (goto out)) (set c (+ c 1i64)))))",
     "c same"},
    {"(decl c i64 0i64) (target out (loop_forever (block (branch (< (cast c : f32) (load a i))"
     " (block) (goto out)) (set c (+ c 1i64))))) (store y i (cast c : f32))",
     "c varies"},
    {"(decl x f32 0.0) (decl m i64 (load h i)) (loop j 0 m (set x (+ x (load a j))))"
     " (store y i x)",
     "x varies, m varies, j same"},
    {"(decl m i64 (load h i)) (loop j 0 m (block (decl x f32 (load a j)) (store y i x)))",
     "j same, x same"},
    {"(decl m i64 (load h i)) (loop j m n (store y i (load a j)))", "j varies"},
    {"(decl x f32 0.0) (target out (loop_forever (block (decl c f32 0.0) (loop j 0 n (block"
     " (set c (+ c 1.0)) (branch (< (load a i) c) (goto out) (block)))) (set x (+ x c)))))"
     " (store y i x)",
     "x varies, j same"},
    // jumps of all, jumps of some
    {"(decl x f32 0.0) (target out (block (branch " AGREES " (goto out) (block)) (set x s)))"
     " (store y i x)",
     "x same"},
    {"(decl x f32 0.0) (target out (block (branch " DIFFERS " (goto out) (block)) (set x s)))"
     " (store y i x)",
     "x varies"},
    {"(decl x f32 0.0) (target out (block (branch " DIFFERS " (goto out) (block)) (set x s)"
     " (store y i x)))",
     "x same"},
    // arrays of the body
    {"(alloc.stack t f32 4) (loop j 0 4 (store t j s)) (store y i (load t 2))", "t same"},
    {"(alloc.stack t f32 4) (loop j 0 4 (store t j (load a i))) (store y i (load t 2))",
     "t varies"},
    {"(alloc.stack t f32 4) (decl m i64 (size (i % 4))) (store t m s) (store y i (load t 2))",
     "t varies"},
    {"(alloc.stack t f32 4) (loop j 0 4 (store t j s)) (branch " DIFFERS
     " (store t 0 1.0) (block)) (store y i (load t 0))",
     "t varies"},
};

static void names_have_shapes(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        Session *cx = session_new();
        Lanes *l = analysed(cx, names[k][0]);
        Text found = text_new(cx->arena);
        for (const char *at = names[k][1]; *at;) {
            size_t n = strcspn(at, " "), end = strcspn(at, ",");
            Sym name = sym_intern(cx->syms, at, n);
            Node *var = node_make(cx, &(NodeSpec){.kind = LOOP_VAR,
                                                  .attr.sym = name,
                                                  .type = type_scalar(cx, SCALAR_I64)});
            bool array = divergence_array(&l->d, name) != NULL;
            Shape s =
                array ? (Shape){divergence_varies(&l->d, name), 0} : divergence_of(&l->d, var);
            text_printf(&found, "%s%s %s", found.len ? ", " : "", name->text, shape_text(cx, s));
            at += end;
            at += strspn(at, ", ");
        }
        if (strcmp(text_get(&found), names[k][1]) != 0)
            fail_msg("%s: %s, not %s", names[k][0], text_get(&found), names[k][1]);
        session_delete(cx);
    }
}

// --- what can be vectors ------------------------------------------------------------------------

enum { NEVER = 0 };
#define WORK   "(store y i (+ (* (load a i) s) (* (load a i) (load a i))))"
#define WORK_2 "(decl u f32 (* (+ (* (load a i) s) (load a i)) (- (* (load a i) 2.0) (load a i))))"

// Bodies, and the bytes of the widest element; NEVER: they stay loops.
static const struct {
    const char *body;
    int widest;
} suited[] = {
    {WORK, 4},
    {"(store y i s)", 4},
    {"(store y i (cast (load h i) : f32))", 8},
    // an index counts as wide as what is made of it, so do positions from numbers of 32 bits
    {"(store y i (* s (cast (size i) : f32)))", 4},
    {"(decl m i64 (cast (load g i) : i64)) " WORK " (store y i (+ s (load a m)))", 4},
    {"(decl m i64 (load h i)) " WORK " (store y i (+ s (load a m)))", 8},
    // what costs more than it brings
    {"(store y i (load a 2*i))", NEVER},
    {"(decl m i64 (load h i)) (store y i (load a m))", NEVER},
    {"(store y i (% (load a i) s))", NEVER},
    // lanes that meet, and elements that are given two values
    {WORK " (store y (i + 1) (+ s (load a i)))", NEVER},
    {WORK " (store y 0 (load a i))", NEVER},
    {"(store y i (+ s (load y (i + 1))))", NEVER},
    {WORK " (store y 0 s)", NEVER}, // and the lane that comes there as well
    // calls: with enough beside them, of functions of C one after the other as iterations are
    {"(decl r f32 (tuple)) (call_function step (* (load a i) s) (address r 0)) (store y i r)",
     NEVER},
    {WORK_2 " (decl r f32 (tuple)) (call_function step (* (load a i) s) (address r 0))"
            " (store y i r)",
     4},
    {WORK " (decl r f32 (tuple)) (call_function step s (address r 0)) (store y i r)", 4},
    {WORK_2 " (call_function noise s (address y i))", 4},
    {WORK_2 " (call_function noise s (address y i)) (call_function noise s (address y i))", 4},
    {WORK_2 " (call_function noise s (address y i)) (decl q f32 s)"
            " (call_function far q (address y i))",
     NEVER},
    {WORK_2 " (loop j 0 n (call_function noise s (address y i)))", NEVER},
    {"(loop j 0 n (call_function step (load a i) (address y i)))", NEVER},
    {"(loop j 0 n (block " WORK " (call_function step (load a i) (address y i))))", 4},
    {WORK_2 " (require E0601 (< (size i) (size k))) (call_function far s (address y i))", NEVER},
    {WORK_2 " (branch " DIFFERS " (call_function far s (address y i))"
            " (call_function noise s (address y i)))",
     NEVER},
    {WORK_2 " (call_function fill (load a i) (address y 2*i))", 4},
    {WORK_2 " (call_function fill (load a i) (address y 0))", 4}, // nothing else sees it
    {WORK_2 " (store y i s) (call_function fill (load a i) (address y 0))", NEVER},
    {WORK_2 " (call_function step (load a i) (address y (i + 1))) (store y i s)", NEVER},
    {WORK_2 " (alloc.stack t f32 2) (store t 0 (load a i))"
            " (call_function fill (load a i) (address t 0))",
     NEVER},
    // what vectors do not do
    {WORK " (alloc.stack t f32 5000) (store t 0 (load a i))", NEVER},
    {WORK " (alloc.stack t f32 500) (store t 0 (load a i))", 4},
};

static void bodies_suit(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof suited / sizeof *suited; k++) {
        Session *cx = session_new();
        Lanes *l = analysed(cx, suited[k].body);
        int widest = 0;
        if (!vector_is_legal(&l->d, l->body, &widest, NULL)) widest = NEVER;
        if (widest != suited[k].widest)
            fail_msg("%s: %d bytes, not %d", suited[k].body, widest, suited[k].widest);
        session_delete(cx);
    }
}

// Statements, and whether they are as well done where no lane is.
static const struct {
    const char *stmt;
    bool may;
} missed[] = {
    {"(set x (+ (load a i) 1.0))", true}, // with a mask
    {"(set x (* s 2.0))", true},
    {"(set x (load a k))", false}, // one element, which may not be there
    {"(store y i (* s 2.0))", true},
    {"(store y 0 s)", false},
    {"(branch (< x s) (set x s) (store y i s))", true},
    {"(branch (< x (load a k)) (set x s) (block))", false},
    {"(block (set x s) (loop j 0 n (set x (+ x 1.0))))", false},
    {"(require E0601 (< x s))", false},
};

static Node *last_stmt(Node *body)
{
    return body->op[body->nops - 1];
}

static void statements_may_miss(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof missed / sizeof *missed; k++) {
        Session *cx = session_new();
        Lanes *l = analysed(cx, arena_printf(cx->arena, "(store y i s) (decl x f32 (load a i)) %s",
                                             missed[k].stmt));
        if (stmt_runs_unguarded(&l->d, last_stmt(l->body)) != missed[k].may)
            fail_msg("%s", missed[k].stmt);
        session_delete(cx);
    }
}

static void what_needs_a_lane(void **state)
{
    static const struct {
        const char *value;
        bool needs;
    } rows[] = {
        {"(size (n*k))", false},
        {"(load h 0)", true},
        {"(+ (size k) (load h k))", true},
        {"(/ (size n) (size k))", true},
        {"(/ (size n) 4i64)", false},
        {"(% (size n) -1i64)", true}, // the least number has no quotient by it
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Session *cx = session_new();
        const char *body = "(store y i s) (decl x i64 %s)";
        Lanes *l = analysed(cx, arena_printf(cx->arena, body, rows[k].value));
        if (expr_may_trap(last_stmt(l->body)->op[1]) != rows[k].needs)
            fail_msg("%s", rows[k].value);
        session_delete(cx);
    }
}

// --- expressions --------------------------------------------------------------------------------

#define F32X4 " : vec[4]f32)"
#define MASK  "(local m : vec[4]bool)"
#define I64X4 " : vec[4]i64)"

// Values, what they are in all lanes, and in those of a mask m. Positions of loads are the first lane's.
static const char *const values[][3] = {
    {"(* s 2.0)", "(splat (* s 2.0)" F32X4, "(splat (* s 2.0)" F32X4},
    {"(load a 0)", "(splat (load a 0)" F32X4, "(splat (load a 0)" F32X4},
    {"(load a (i + 3))", "(load a (i + 3)" F32X4, "(load_where a (i + 3) " MASK F32X4},
    {"(+ (load a i) s)", "(+ (load a i" F32X4 " (splat s" F32X4 ")",
     "(+ (load_where a i " MASK F32X4 " (splat s" F32X4 ")"},
    {"(load a 2*i)",
     "(gather_where a (+ (splat (size 2*i)" I64X4 " (cast (* (cast (iota" I64X4 " : vec[4]i32) "
     "(splat 2 : vec[4]i32))" I64X4 ") (splat true : vec[4]bool)" F32X4,
     "(gather_where a (+ (splat (size 2*i)" I64X4 " (cast (* (cast (iota" I64X4 " : vec[4]i32) "
     "(splat 2 : vec[4]i32))" I64X4 ") " MASK F32X4},
};

static void values_in_lanes(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        Session *cx = session_new();
        const char *body = "(store y i s) (decl x f32 %s)";
        Lanes *l = analysed(cx, arena_printf(cx->arena, body, values[k][0]));
        Node *mask =
            node_make(cx, &(NodeSpec){.kind = LOOP_VAR,
                                      .attr.sym = session_sym(cx, "m"),
                                      .type = vec_type(&l->d, type_scalar(cx, SCALAR_BOOL))});
        for (int masked = 0; masked < 2; masked++) {
            Stmts out = {0};
            Vectoriser w = {.cx = cx, .entry = l->entry, .arrays.stack = map_new(cx->arena)};
            IfConverter lin = {
                .d = &l->d, .cx = cx, .out = &out, .loaded = map_new(cx->arena), .w = &w};
            lin.facts = facts_new(cx, cx->arena, NULL);
            Node *value = vector_value(&lin, last_stmt(l->body)->op[1], masked ? mask : NULL);
            TermScope scope = loops_scope(cx, l->entry);
            Text text = text_new(cx->arena);
            term_print_in(cx, &text, value, &scope, 0, 0);
            if (strcmp(text_get(&text), values[k][1 + masked]) != 0)
                fail_msg("%s: %s, not %s", values[k][0], text_get(&text), values[k][1 + masked]);
            assert_int_equal(out.len, 0);
        }
        session_delete(cx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_have_shapes),   cmocka_unit_test(bodies_suit),
        cmocka_unit_test(statements_may_miss), cmocka_unit_test(what_needs_a_lane),
        cmocka_unit_test(values_in_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
