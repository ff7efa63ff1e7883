// Programs with state and control made at random mean the same as flat Core and as commands. They have
// two cells of arrays (p, q), one of scalars (c) and one of both (s), read and written in any order,
// in loops and branches, by functions and by patterns with cells of their own.
#include "dpia/agreement.h"

enum { PROGRAMS_MADE = 60, MAX_NAMES_IN_SCOPE = 24 };

// What can be mentioned: immutable arrays and scalars.
typedef struct {
    const char *arrays[MAX_NAMES_IN_SCOPE], *scalars[MAX_NAMES_IN_SCOPE];
    int narrays, nscalars;
    const char *label; // of a loop around, or NULL
} Scope;

typedef struct {
    Arena *arena;
    unsigned seed;
    int names, loops;
} Maker;

static int below(Maker *m, int n)
{
    return (int)((unsigned)rand_r(&m->seed) % (unsigned)n);
}

#define PICK(m, ...)                                                                               \
    ((const char *const[]){__VA_ARGS__})[below(                                                    \
        m, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))]

static const char *fresh(Maker *m, const char *hint)
{
    return arena_printf(m->arena, "%s%d", hint, ++m->names);
}

static Scope with_array(const Scope *s, const char *name)
{
    Scope inner = *s;
    if (inner.narrays < MAX_NAMES_IN_SCOPE) inner.arrays[inner.narrays++] = name;
    return inner;
}

static Scope with_scalar(const Scope *s, const char *name)
{
    Scope inner = *s;
    if (inner.nscalars < MAX_NAMES_IN_SCOPE) inner.scalars[inner.nscalars++] = name;
    return inner;
}

#define FIRST "(to_idx 0i64 : idx[n])"
#define LAST  "(to_idx (- (size n) 1i64) : idx[n])"

static const char *array_place(Maker *m)
{
    return PICK(m, "p", "q", "(ref_proj 0 s)");
}

static const char *scalar_place(Maker *m)
{
    return PICK(m, "c", "(ref_proj 1 s)", "(ref_at p " FIRST ")", "(ref_at q " LAST ")",
                "(ref_at (ref_proj 0 s) " FIRST ")");
}

static const char *array(Maker *m, const Scope *s, int depth);

static const char *scalar(Maker *m, const Scope *s, int depth)
{
    const char *name = s->scalars[below(m, s->nscalars)];
    switch (depth > 0 ? below(m, 5) : 0) {
    case 1:
        return arena_printf(m->arena, "(%s %s %s)", PICK(m, "+", "-", "*"), scalar(m, s, depth - 1),
                            scalar(m, s, depth - 1));
    case 2:
        return arena_printf(m->arena, "(at %s %s)", s->arrays[below(m, s->narrays)],
                            PICK(m, FIRST, LAST));
    case 3:
        return arena_printf(m->arena, "(reduce (lam (a: f32, b: f32) (+ a b)) 0.0 %s)",
                            array(m, s, depth - 1));
    case 4:
        return arena_printf(m->arena, "(if (< %s 0.5) %s %s)", name, scalar(m, s, depth - 1),
                            scalar(m, s, depth - 1));
    default: return name;
    }
}

// An element from the old one, `x`, possibly by a loop over a cell.
static const char *element(Maker *m, const Scope *s, const char *x)
{
    Scope inner = with_scalar(s, x);
    if (below(m, 3)) return arena_printf(m->arena, "(+ %s %s)", x, scalar(m, &inner, 1));
    return arena_printf(m->arena,
                        "(let e (cell %s) (let _ (range 0 2 (lam (k: i32) (let v (get e) (put e (* "
                        "v 0.5))))) (get e)))",
                        scalar(m, &inner, 1));
}

static const char *array(Maker *m, const Scope *s, int depth)
{
    const char *name = s->arrays[below(m, s->narrays)], *x = fresh(m, "x");
    switch (depth > 0 ? below(m, 6) : 0) {
    case 1:
        return arena_printf(m->arena, "(map (lam (%s: f32) %s) %s)", x, element(m, s, x),
                            array(m, s, depth - 1));
    case 2:
        return arena_printf(m->arena,
                            "(map (lam (t: (f32, f32)) (- (proj 0 t) (proj 1 t))) (zip %s %s))",
                            array(m, s, depth - 1), array(m, s, depth - 1));
    case 3: return arena_printf(m->arena, "(reverse %s)", array(m, s, depth - 1));
    case 4:
        return arena_printf(m->arena, "(scan (lam (a: f32, b: f32) (+ (* a 0.5) b)) 0.25 %s)",
                            array(m, s, depth - 1));
    case 5:
        return arena_printf(m->arena,
                            "(generate n (lam (i: idx[n]) (let %s (get (ref_at %s i)) %s)))", x,
                            array_place(m), element(m, s, x));
    default: return name;
    }
}

static const char *statements(Maker *m, const Scope *s, int n, const char *end);

static const char *loop(Maker *m, const Scope *s)
{
    const char *i = fresh(m, "i"), *x = fresh(m, "x");
    Scope inner = with_scalar(s, x);
    inner.label = fresh(m, "out");
    m->loops++;
    const char *body = statements(m, &inner, 1 + below(m, 3), "(tuple)");
    m->loops--;
    return arena_printf(m->arena,
                        "(label %s () (range 0i64 (size n) (lam (%s: i64) (let %s (get (ref_at %s "
                        "(to_idx %s : idx[n]))) %s))))",
                        inner.label, i, x, array_place(m), i, body);
}

static const char *statement(Maker *m, const Scope *s)
{
    switch (below(m, 8)) {
    case 0:
    case 1: return arena_printf(m->arena, "(put %s %s)", array_place(m), array(m, s, 2));
    case 2: return arena_printf(m->arena, "(put %s %s)", scalar_place(m), scalar(m, s, 2));
    case 3: return arena_printf(m->arena, "(put s (tuple %s %s))", array(m, s, 2), scalar(m, s, 1));
    case 4:
        return arena_printf(m->arena, "(call mix %s %s (borrow %s) : ())", array_place(m),
                            array(m, s, 1), array_place(m));
    case 5:
        if (s->label)
            return arena_printf(m->arena, "(if (< %s 0.0) (jump %s) (tuple))", scalar(m, s, 0),
                                s->label);
        break;
    case 6:
        if (m->loops < 2) return loop(m, s);
        break;
    default: break;
    }
    return arena_printf(m->arena, "(if (< %s 0.25) (put %s %s) (put %s %s))", scalar(m, s, 0),
                        scalar_place(m), scalar(m, s, 1), array_place(m), array(m, s, 1));
}

// A value that is bound for what follows, of an array or a scalar; how it is made.
static const char *value(Maker *m, const Scope *s, bool is_array)
{
    const char *made = is_array ? array(m, s, 2) : scalar(m, s, 2);
    switch (below(m, 3)) {
    case 0: return made;
    case 1:
        return arena_printf(m->arena, "(label give %s (if (< %s 0.5) (jump give %s) %s))",
                            is_array ? "[n]f32" : "f32", scalar(m, s, 0),
                            is_array ? array(m, s, 1) : scalar(m, s, 1), made);
    default: return arena_printf(m->arena, "(get %s)", is_array ? array_place(m) : scalar_place(m));
    }
}

static const char *statements(Maker *m, const Scope *s, int n, const char *end)
{
    if (n == 0) return end;
    bool is_array = below(m, 2);
    if (below(m, 2))
        return arena_printf(m->arena, "(let _ %s %s)", statement(m, s),
                            statements(m, s, n - 1, end));
    const char *name = fresh(m, "v"), *bound = value(m, s, is_array);
    Scope inner = is_array ? with_array(s, name) : with_scalar(s, name);
    return arena_printf(m->arena, "(let %s %s %s)", name, bound, statements(m, &inner, n - 1, end));
}

static const char *program(Maker *m)
{
    Scope s = {.arrays = {"xs", "ys"}, .narrays = 2, .scalars = {"x", "1.5"}, .nscalars = 2};
    const char *end = "(let r1 (get p) (let r2 (get q) (let r3 (get c) (let r4 (get s) (tuple r1 "
                      "r2 r3 r4)))))";
    return arena_printf(
        m->arena,
        "(entry made [n: nat] (xs: [n]f32, ys: [n]f32, x: f32) : ([n]f32, [n]f32, f32, ([n]f32, "
        "f32))"
        " (let p (cell xs) (let q (cell ys) (let c (cell x) (let s (cell (tuple ys 2.0)) %s)))))"
        "(fn mix [n: nat] (r: &mut [n]f32, v: [n]f32, o: &[n]f32) : ()"
        " (let w (get o) (let _ (put (ref_at r " FIRST ") 3.0) (let z (get r)"
        " (put r (map (lam (t: (f32, f32)) (- (proj 0 t) (proj 1 t)))"
        " (zip w (map (lam (u: (f32, f32)) (+ (proj 0 u) (proj 1 u))) (zip v z)))))))))",
        statements(m, &s, 4 + below(m, 6), end));
}

static Outcome run(const Levels *l, Arena *arena, const Value *args, Algebra algebra, Value *result)
{
    return dpia_eval(l->cx, arena, l->other, l->values, args, algebra, FUEL, result);
}

static void programs_agree(void **state)
{
    (void)state;
    for (int i = 0; i < PROGRAMS_MADE; i++) {
        Session *cx = session_new();
        nat_init(cx);
        Maker m = {.arena = cx->arena, .seed = (unsigned)i};
        const char *text = program(&m);
        const Function *flat = read_low_text(cx, text, text);
        core_check_flat(cx, flat);
        const Function *low = policy_lower(cx, flat, NULL);
        policy_check_low(cx, low);
        const Phrase *p = dpia_from_core(cx, low);
        Levels l = {.cx = cx, .name = text, .low = flat, .other = p, .body = p->body, .run = run};
        dpia_check(cx, p);
        run_sizes(&l, 0);
        session_delete(cx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
