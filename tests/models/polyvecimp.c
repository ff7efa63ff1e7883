// PolyVecImp: the lengths that are found for programs without them are the least ones that are well typed.
#include "models/models.h"

static Session *cx;

static int setup(void **state)
{
    (void)state;
    cx = session_new();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    session_delete(cx);
    return 0;
}

static const char *inferred(const char *text)
{
    const char *why;
    const ImpProgram *p = poly_infer(cx, read_model(cx, text), "main", &why);
    return p ? imp_text(cx->arena, p) : why;
}

#define MIN                                                                                        \
    "int min(int a, int b) { int result = 0; if (a < b) { result = a; } else { result = b; }"      \
    " return result; }"

// Example 4.4 of the thesis: of one number and four, the result is four; of numbers it is one.
static void the_least_of_a_number_and_four(void **state)
{
    (void)state;
    assert_string_equal(inferred(MIN "int main(int u, int varying(4) v) { return min(u, v); }"),
                        "simd(1) int varying(4) main(int varying(1) u, int varying(4) v) {\n"
                        "    return min1(u, v);\n"
                        "}\n"
                        "simd(1) int varying(4) min1(int varying(1) a, int varying(4) b) {\n"
                        "    int varying(4) result;\n"
                        "    result = 0;\n"
                        "    if ((a < b)) {\n"
                        "        result = a;\n"
                        "    } else {\n"
                        "        result = b;\n"
                        "    }\n"
                        "    return result;\n"
                        "}\n");
    assert_string_equal(inferred(MIN "int main(int u) { return min(u, 3); }"),
                        "simd(1) int varying(1) main(int varying(1) u) {\n"
                        "    return min2(u, 3);\n"
                        "}\n"
                        "simd(1) int varying(1) min2(int varying(1) a, int varying(1) b) {\n"
                        "    int varying(1) result;\n"
                        "    result = 0;\n"
                        "    if ((a < b)) {\n"
                        "        result = a;\n"
                        "    } else {\n"
                        "        result = b;\n"
                        "    }\n"
                        "    return result;\n"
                        "}\n");
}

// Example 4.5: how often a point goes around is the same text for one point and for many; what all points share stays one number.
#define ITER                                                                                       \
    "int iter(float re, float im, int limit) { float x = 0.0; float y = 0.0; int k = 0;"           \
    " while ((k < limit) & (x * x + y * y <= 4.0)) { float next = x * x - y * y + re;"             \
    " y = 2.0 * x * y + im; x = next; k = k + 1; } return k; }"
static void mandelbrot(void **state)
{
    (void)state;
    const char *many =
        inferred(ITER "int main(float varying(8) re, float im) { return iter(re, im, 20); }");
    assert_non_null(strstr(many, "simd(1) int varying(8) iter"));
    assert_non_null(strstr(many, "float varying(1) im, int varying(1) limit"));
    assert_non_null(strstr(many, "int varying(8) k;"));
    const char *one = inferred(ITER "int main(float re, float im) { return iter(re, im, 20); }");
    assert_null(strstr(one, "varying(8)"));
}

// A function that is called where some lanes are is one for so many lanes; each way to call it makes one.
static void instances(void **state)
{
    (void)state;
    const char *text = inferred("int twice(int a) { return a + a; }"
                                "int main(int varying(4) v, int u) { int x = twice(u);"
                                " if (v < 3) { v = twice(v) + twice(u); } return v + x; }");
    assert_non_null(strstr(text, "simd(1) int varying(1) twice"));
    assert_non_null(strstr(text, "simd(4) int varying(4) twice"));
    assert_non_null(strstr(text, "int varying(1) x;"));
    // functions that call themselves
    text = inferred("int down(int n, int a) { int r = a; if (0 < n) { r = down(n - 1, a + n); }"
                    " return r; } int main(int u, int varying(4) v) { return down(u, 1) + v; }");
    assert_non_null(strstr(text, "simd(1) int varying(1) down"));
    assert_null(strstr(text, "simd(4)"));
    text = inferred("int down(int n, int a) { int r = a; if (0 < n) { r = down(n - 1, a + n); }"
                    " return r; } int main(int u, int varying(4) v) { return down(v, u); }");
    assert_non_null(strstr(text, "simd(1) int varying(4) down"));
    assert_non_null(strstr(text, "simd(4) int varying(4) down"));
}

static void there_may_be_no_lengths(void **state)
{
    (void)state;
    assert_string_equal(inferred("int main(int varying(4) v) { return v + {1, 2}; }"),
                        "two lengths in one place");
    assert_string_equal(
        inferred("int main(int varying(4) v, int varying(8) w) { int x = v; x = w; return 0; }"),
        "two lengths for one thing");
    assert_string_equal(
        inferred("int main(int varying(4) v) { int varying(1) x; x = v; return 0; }"),
        "a value of another length");
    assert_string_equal(
        inferred(
            "int main(int varying(4) v) { int varying(1) x; if (v < 3) { x = 1; } return 0; }"),
        "one variable of all lanes is assigned by some");
    assert_string_equal(inferred("int varying(1) main(int varying(4) v) { return v; }"),
                        "another result than the function says");
}

// --- random programs ----------------------------------------------------------------------------

// The program with one length more at 1: that of the variable, parameter or result with this number; NULL: there are not so many.
typedef struct {
    int left;
    bool lowered;
} Lower;

static void lower(Lower *l, ImpType *t)
{
    if (t->length == 1 || l->left-- != 0) return;
    t->length = 1;
    l->lowered = true;
}

static const ImpStmt *lowered_list(Lower *l, const ImpStmt *s)
{
    if (!s) return NULL;
    ImpStmt with = *s;
    if (s->kind == STMT_DECL) lower(l, &with.type);
    with.then = lowered_list(l, s->then);
    with.other = lowered_list(l, s->other);
    with.rest = lowered_list(l, s->rest);
    return imp_stmt(cx, with);
}

static const ImpProgram *lowered(const ImpProgram *p, int number)
{
    Lower l = {.left = number};
    ImpProgram *out = ARENA_NEW(cx->arena, ImpProgram);
    for (int i = 0; i < p->functions.len; i++) {
        ImpFn *f = ARENA_NEW(cx->arena, ImpFn);
        const ImpFn *of = p->functions.at[i];
        *f = (ImpFn){.name = of->name, .mode = of->mode, .result = of->result};
        for (int k = 0; k < of->params.len; k++) {
            ImpParam param = of->params.at[k];
            if (i > 0) lower(&l, &param.type); // those of main have a length
            vec_push(cx->arena, &f->params, param);
        }
        f->body = lowered_list(&l, of->body);
        lower(&l, &f->result);
        vec_push(cx->arena, &out->functions, f);
    }
    return l.lowered ? out : NULL;
}

static void lengths_are_the_least(void **state)
{
    enum { COUNT = 60 };
    int many = 0;
    (void)state;
    for (unsigned seed = 0; seed < COUNT; seed++) {
        const char *why;
        ImpRandom how = {.seed = seed, .lengths = {4, 4, 4, 4, 1}, .vectors = 4, .recursive = true};
        const char *text = random_imp(cx->arena, &how);
        const ImpProgram *p = poly_infer(cx, read_model(cx, text), "main", &why), *less;
        if (!p) fail_msg("%s\n%s", why, text);
        for (int i = 0; (less = lowered(p, i)) != NULL; i++, many++)
            if (!vec_ill_typed(cx, less, false))
                fail_msg("%s\nis also well typed as\n%s", imp_text(cx->arena, p),
                         imp_text(cx->arena, less));
    }
    assert_true(many > 2 * COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_least_of_a_number_and_four, setup, teardown),
        cmocka_unit_test_setup_teardown(mandelbrot, setup, teardown),
        cmocka_unit_test_setup_teardown(instances, setup, teardown),
        cmocka_unit_test_setup_teardown(there_may_be_no_lengths, setup, teardown),
        cmocka_unit_test_setup_teardown(lengths_are_the_least, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
