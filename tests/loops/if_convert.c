// Control flow of lanes becomes masks: random bodies of `vectorize` with branches, loops that lanes
// leave at different times, jumps, elements at computed places, checks, arrays of their own and
// calls mean the same after, for all numbers of lanes.
#include "loops/random_program.h"

enum { COUNT = SANITIZED ? 200 : 600, STEPS = 60000, MOST = 19 };

// --- random bodies ------------------------------------------------------------------------------

typedef struct {
    Maker m;
    VEC(const char *) ints;      // of type i32 that may be set: x, y, then those declared inside
    VEC(const char *) constants; // of type i64, in a range that places may be over
    int depth, loops;
    bool fails; // whether checks may fail
} Body;

static void put_condition_of_lane(Body *b, int depth);

static void put_value(Body *b, int depth)
{
    Maker *m = &b->m;
    static const char *const operators[] = {"+", "-", "*", "max", "&", "+"};
    static const char *const leaves[] = {
        "(load a i)", "(load a (i + 1))", "(load a 0)",  "(cast (size i) : i32)", "3",
        "p",          "(load t i)",       "(load b 2*i)"};
    switch (below(m, depth > 0 ? 10 : 5)) {
    case 0:
    case 1: text_put(m->out, ONE_OF(m, leaves)); return;
    case 2:
    case 3: text_put(m->out, b->ints.at[below(m, b->ints.len)]); return;
    case 4:
        if (b->constants.len == 0) {
            text_put(m->out, "1");
            return;
        }
        text_printf(m->out, "(load a (%s + 1))", b->constants.at[below(m, b->constants.len)]);
        return;
    case 5:
        text_put(m->out, "(? ");
        put_condition_of_lane(b, depth - 1);
        break;
    case 6:
        text_put(m->out, "(/ ");
        put_value(b, depth - 1);
        text_put(m->out, " (max 1 ");
        put_value(b, depth - 1);
        text_put(m->out, "))");
        return;
    default: text_printf(m->out, "(%s", ONE_OF(m, operators)); break;
    }
    for (int i = 0; i < 2; i++) {
        text_char(m->out, ' ');
        put_value(b, depth - 1);
    }
    text_char(m->out, ')');
}

static void put_condition_of_lane(Body *b, int depth)
{
    Maker *m = &b->m;
    static const char *const operators[] = {"<", "==", ">=", "!="};
    switch (below(m, depth > 0 ? 6 : 4)) {
    case 0: text_put(m->out, "(< p 3)"); return;
    case 4:
    case 5:
        text_put(m->out, "(? ");
        put_condition_of_lane(b, depth - 1);
        text_char(m->out, ' ');
        if (below(m, 2)) {
            put_condition_of_lane(b, depth - 1);
            text_put(m->out, " false)");
        } else {
            text_put(m->out, "true ");
            put_condition_of_lane(b, depth - 1);
            text_char(m->out, ')');
        }
        return;
    default:
        text_printf(m->out, "(%s ", ONE_OF(m, operators));
        put_value(b, 1);
        text_char(m->out, ' ');
        put_value(b, 0);
        text_char(m->out, ')');
    }
}

static void put_body(Body *b, int n);

// Names that the block declares end with it.
static void put_scope(Body *b, int n)
{
    int ints = b->ints.len, constants = b->constants.len;
    text_put(b->m.out, " (block");
    b->depth++;
    put_body(b, n);
    b->depth--;
    text_char(b->m.out, ')');
    b->ints.len = ints;
    b->constants.len = constants;
}

static void put_branch(Body *b)
{
    text_put(b->m.out, " (branch ");
    put_condition_of_lane(b, 1);
    put_scope(b, 1 + below(&b->m, 2));
    put_scope(b, below(&b->m, 3));
    text_char(b->m.out, ')');
}

// Of some lanes, or of all that come here.
static void put_exit(Body *b)
{
    Maker *m = &b->m;
    if (m->labels.len == 0) return;
    const char *label = m->labels.at[below(m, m->labels.len)];
    if (below(m, 4) == 0 && b->depth > 2) {
        text_printf(m->out, " (goto %s)", label);
        return;
    }
    text_put(m->out, " (branch ");
    put_condition_of_lane(b, 0);
    text_printf(m->out, " (goto %s) (block))", label);
}

static void put_label(Body *b)
{
    const char *label = fresh(&b->m, "out");
    text_printf(b->m.out, " (target %s", label);
    vec_push(b->m.arena, &b->m.labels, label);
    put_scope(b, 3);
    b->m.labels.len--;
    text_char(b->m.out, ')');
}

// while c < limit { c += 1; .. }
static void put_while_of_lanes(Body *b)
{
    Maker *m = &b->m;
    const char *leave = fresh(m, "brk"), *again = fresh(m, "cont"), *c = fresh(m, "c");
    text_printf(m->out, " (decl %s i32 0) (target %s (loop_forever (block (branch (>= %s ", c,
                leave, c);
    text_put(m->out, below(m, 2) ? "4" : "(& x 3)");
    text_printf(m->out, ") (goto %s) (block)) (set %s (+ %s 1)) (target %s", leave, c, c, again);
    vec_push(m->arena, &m->labels, leave);
    vec_push(m->arena, &m->labels, again);
    b->loops++;
    put_scope(b, 3);
    b->loops--;
    m->labels.len -= 2;
    text_put(m->out, "))))");
    if (below(m, 2)) text_printf(m->out, " (set y (+ y %s))", c);
}

static void put_count(Body *b)
{
    Maker *m = &b->m;
    const char *j = fresh(m, "j");
    if (below(m, 2) && b->constants.len) {
        text_printf(m->out, " (loop %s 0 %s", j, b->constants.at[below(m, b->constants.len)]);
    } else {
        text_printf(m->out, " (loop %s %d 3", j, below(m, 2));
    }
    vec_push(m->arena, &b->constants, j);
    b->loops++;
    put_scope(b, 2);
    b->loops--;
    b->constants.len--;
    text_char(m->out, ')');
}

// A place of 0 .. 7 that lanes compute.
static void put_constant(Body *b)
{
    const char *k = fresh(&b->m, "k");
    text_printf(b->m.out, " (decl %s i64 (cast (& ", k);
    put_value(b, 1);
    text_put(b->m.out, " 7) : i64))");
    vec_push(b->m.arena, &b->constants, k);
}

static void put_array(Body *b)
{
    const char *v = fresh(&b->m, "v"), *z = fresh(&b->m, "z");
    text_printf(b->m.out, " (alloc.stack %s i32 8) (loop %s 0 8 (store %s %s ", v, z, v, z);
    put_value(b, 0);
    text_put(b->m.out, "))");
    for (int n = 0; n < 2; n++) {
        put_constant(b);
        const char *k = vec_last(&b->constants);
        if (n == 0) {
            text_printf(b->m.out, " (store %s %s ", v, k);
            put_value(b, 1);
            text_char(b->m.out, ')');
        } else {
            text_printf(b->m.out, " (set x (+ x (load %s %s)))", v, k);
        }
    }
}

static void put_check(Body *b)
{
    text_put(b->m.out, " (require E0601 ");
    if (b->fails && below(&b->m, 3) == 0)
        put_condition_of_lane(b, 0);
    else
        text_put(b->m.out, "(< (& x 3) 4)");
    text_char(b->m.out, ')');
}

// A result, also one that nobody wants; a local or an element of the lane that is changed; an array
// that all read; a row of the lane.
static void put_call_of_lane(Body *b)
{
    Maker *m = &b->m;
    const char *r = fresh(m, "r"), *other = fresh(m, "r");
    int choice = below(m, 6);
    if (choice < 3) text_printf(m->out, " (decl %s i32 (tuple))", r);
    if (choice == 2) text_printf(m->out, " (decl %s i32 (tuple))", other);
    static const char *const functions[] = {"half", "at", "two", "change", "change", "both"};
    text_printf(m->out, " (call_function %s ", functions[choice]);
    if (choice == 1)
        text_printf(m->out, "(address a 0) (size %s)",
                    b->constants.len ? b->constants.at[below(m, b->constants.len)] : "i");
    else
        put_value(b, 1);
    if (choice < 3) text_printf(m->out, " (address %s 0)", r);
    if (choice == 2) text_printf(m->out, " (address %s 0)", other);
    if (choice == 3) text_printf(m->out, " (address %s 0)", b->ints.at[below(m, b->ints.len)]);
    if (choice > 3) text_put(m->out, choice == 4 ? " (address t i)" : " (address w 2*i)");
    text_char(m->out, ')');
    if (choice < 3) vec_push(m->arena, &b->ints, r);
    if (choice == 2 && below(m, 2)) vec_push(m->arena, &b->ints, other);
}

#define FUNCTIONS                                                                                  \
    "(loops half [n] (q: i32) : i32 (buffers (in q i32) (out r i32)) (store r 0 (+ (/ q 2) 1)))"   \
    "(loops at [n] (v: [n + 20]i32, j: i64) : i32"                                                 \
    " (buffers (in v i32 [n + 20]) (in j i64) (out r i32))"                                        \
    " (block (require E0601 (< (size j) 15i64)) (store r 0 (load v max(j, 0)))))"                  \
    "(loops two [n] (q: i32) : (i32, i32) (buffers (in q i32) (out r i32) (out s i32))"            \
    " (block (store r 0 (- q 1)) (branch (< q 3) (store s 0 q) (call_function half q (address s "  \
    "0)))))"                                                                                       \
    "(loops change [n] (q: i32, c: &mut i32) : () (buffers (in q i32) (both c i32))"               \
    " (branch (< q 2) (store c 0 (- q (load c 0))) (store c 0 (+ (load c 0) 3))))"                 \
    "(loops both [n] (q: i32, c: &mut [2]i32) : () (buffers (in q i32) (both c i32 [2]))"          \
    " (block (store c 0 (+ (load c 1) q)) (store c 1 (- (load c 0) 1))))"

static void put_memory(Body *b)
{
    Maker *m = &b->m;
    switch (below(m, 3)) {
    case 0: text_put(m->out, " (store t i "); break;
    case 1: text_put(m->out, " (store u (i + 1) "); break;
    default: text_printf(m->out, " (store w (2*i%s) ", below(m, 2) ? " + 1" : ""); break;
    }
    put_value(b, 2);
    text_char(m->out, ')');
}

static void put_statement_of_lane(Body *b)
{
    Maker *m = &b->m;
    int choice = below(m, b->depth > 3 ? 5 : b->loops > 1 ? 11 : 15);
    switch (choice) {
    case 0: {
        const char *name = fresh(m, "d");
        text_printf(m->out, " (decl %s i32 ", name);
        put_value(b, 2);
        text_char(m->out, ')');
        vec_push(m->arena, &b->ints, name);
        return;
    }
    case 1:
    case 2:
        text_printf(m->out, " (set %s ", b->ints.at[below(m, b->ints.len)]);
        put_value(b, 2);
        text_char(m->out, ')');
        return;
    case 3: put_exit(b); return;
    case 4: put_memory(b); return;
    case 5: put_branch(b); return;
    case 6: put_label(b); return;
    case 7: put_constant(b); return;
    case 8: put_check(b); return;
    case 9:
    case 10: put_call_of_lane(b); return;
    case 11: put_count(b); return;
    case 12: put_array(b); return;
    default: put_while_of_lanes(b); return;
    }
}

static void put_body(Body *b, int n)
{
    for (int i = 0; i < n; i++) put_statement_of_lane(b);
}

static const char *random_body(Arena *arena, unsigned seed, int lanes)
{
    static const char *const bounds[] = {"8", "n", "n", "(n - 1)", "4"};
    Text out = text_new(arena);
    Body b = {.m = {.out = &out, .seed = seed, .arena = arena}, .fails = seed % 4 == 0};
    vec_push(arena, &b.ints, "x");
    vec_push(arena, &b.ints, "y");
    text_put(&out,
             "(loops lanes [n] (a: [n + 20]i32, b: [2*n + 20]i32, k: i64) : ([n + 20]i32, [n + "
             "20]i32, [2*n + 40]i32) (buffers (in a i32 [n + 20]) (in b i32 [2*n + 20]) (in k i64)"
             " (out t i32 [n + 20]) (out u i32 [n + 20]) (out w i32 [2*n + 40]))"
             " (block (decl p i32 (cast (size k) : i32))"
             " (loop z 0 (n + 20) (block (store t z (load b z)) (store u z 1)))"
             " (loop z2 0 (2*n + 40) (store w z2 5))");
    text_printf(&out, " (loop_vector i %d %d %s (block", lanes, below(&b.m, 2),
                ONE_OF(&b.m, bounds));
    text_put(&out, " (decl x i32 (load a i)) (decl y i32 p)");
    put_body(&b, 5);
    text_put(&out, " (store t i (+ (load t i) (+ x (* 3 y))))))))" FUNCTIONS);
    return text_get(&out);
}

// --- the test -----------------------------------------------------------------------------------

static const char *show(Session *cx, const LoopEntry *e)
{
    Text t = text_new(cx->arena);
    loops_print(cx, &t, e);
    return text_get(&t);
}

static LoopEntry *read(Session *cx, const char *text)
{
    LoopEntry *e = loops_read(cx, session_add_source(cx, "lanes", text, strlen(text)));
    if (!e) fail_msg("%s\n%s", cx->diags.at[0]->text, text);
    loops_check(cx, e);
    return e;
}

static Value items(Arena *arena, int64_t n, unsigned by)
{
    Value v = {.count = n, .parts = ARENA_ARRAY(arena, Value, n)};
    for (int64_t i = 0; i < n; i++) v.parts[i].bits = (by * (unsigned)i + 2) % 7;
    return v;
}

static void agree(Session *cx, const LoopEntry *one, const LoopEntry *other, unsigned seed)
{
    for (int64_t n = 0; n <= MOST; n += 1 + n % 3) {
        Value args[] = {items(cx->arena, n + 20, 3),
                        items(cx->arena, 2 * n + 20, 5),
                        {.bits = seed % 6}},
              v = {0}, w = {0};
        Outcome a = loops_eval(cx, cx->arena, one, &n, args, ALGEBRA_IEEE, STEPS, &v);
        if (!a.ok && a.code != E0601) fail_msg("program %u: %s\n%s", seed, a.text, show(cx, one));
        Outcome b = loops_eval(cx, cx->arena, other, &n, args, ALGEBRA_IEEE, 40 * STEPS, &w);
        if (!same_outcome(a, &v, b, &w))
            fail_msg("program %u, n = %d: %s, then %s\n%s\n%s", seed, (int)n,
                     outcome_text(cx, a, &v, one->result), outcome_text(cx, b, &w, one->result),
                     show(cx, one), show(cx, other));
    }
}

static void masks_keep_the_meaning(void **state)
{
    (void)state;
    int vectors = 0, calls = 0, programs = getenv("PROGRAMS") ? atoi(getenv("PROGRAMS")) : COUNT;
    unsigned first = getenv("SEED") ? (unsigned)atoi(getenv("SEED")) : 0;
    for (unsigned seed = first; seed < first + (unsigned)programs; seed++) {
        Session *cx = session_new();
        nat_init(cx);
        cx->vector_bytes = 256; // all 32 lanes of i64
        LoopEntry *e = read(cx, random_body(cx->arena, seed, 1 << seed % 6)), *before = e;
        LoopEntry *done = loops_vectorise(cx, e);
        loops_check(cx, done);
        vectors += strstr(show(cx, done), "vec[") != NULL;
        calls += strstr(show(cx, done), "(loop.seq") != NULL;
        agree(cx, e, done, seed);
        for (int s = 1; s < LOOP_STAGES; s++) {
            e = loop_passes[s].run(cx, e);
            loops_check(cx, e);
        }
        agree(cx, before, e, seed);
        session_delete(cx);
    }
    if (vectors < programs / 3) fail_msg("%d of %d programs are on vectors", vectors, programs);
    if (calls < programs / 6) fail_msg("%d of %d programs call lane by lane", calls, programs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(masks_keep_the_meaning)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
