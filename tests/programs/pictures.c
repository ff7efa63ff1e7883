// What is left of the image library in the generated C: plain loops over rows, in which nothing of borders, masks, schedules and
// functions stands any more.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "programs/shape.h"

#define IMPORTS                                                                                    \
    "import image.access (Image, trusted)\n"                                                       \
    "import image.boundary (clamping, constant, local, mirroring, wrapping)\n"                     \
    "import image.convolve (convolved, rows, separable)\n"                                         \
    "import image.loops (combine_xy, par, seq)\n"                                                  \
    "import image.multigrid (standard, vcycle)\n"                                                  \
    "import image.stage (picture, sliding, stored, strips, tiled)\n"

/// The body of the loop over the pixels of the picture that are not at a border.
static const char *middle(const Shape *s)
{
    const char *at = strstr(s->body, "for (int64_t i = 1; i < h - 1; i++) {\n");
    if (at) at = strstr(at, " < w - 1; ");
    if (!at) fail_msg("no loop over the middle in\n%s", s->body);
    at = strchr(at, '\n') + 1;
    return arena_strndup(s->file.cx->arena, at, (size_t)(strstr(at, "}\n") - at));
}

// No handling of borders, no call, no branch.
static void assert_plain(const char *body)
{
    static const char *const beyond[] = {"min", "max", "?", "if (", "%", "&&", "for ("};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) assert_none(body, beyond[i]);
}

static void borders_are_handled_at_borders(void **state)
{
    (void)state;
    static const char *const borders[] = {"clamping()", "mirroring()", "wrapping()",
                                          "constant(0.5)"};
    for (size_t i = 0; i < sizeof borders / sizeof *borders; i++) {
        char program[1024];
        snprintf(program, sizeof program,
                 IMPORTS "fn cross(at: Image[f32]) -> Image[f32] {\n"
                         "    |y, x| at(y - 1, x) + at(y, x - 1) + at(y, x + 1) + at(y + 1, x)\n"
                         "}\n"
                         "entry fn f[h, w: nat](image: [h][w]f32) -> [h][w]f32 {\n"
                         "    picture(local(%s, 1, 1, rows(), cross, trusted(image)))\n"
                         "}\n",
                 borders[i]);
        Shape s = shape_of("f", program);
        assert_plain(middle(&s));
        assert_int_equal(count(middle(&s), "image["), 4);
        assert_int_equal(count_arrays(&s), 0);
        shape_delete(&s);
    }
}

// A weight of 0 has no pixel, and a weight of 1 no multiplication; the mask is gone.
static void masks_are_specialised(void **state)
{
    (void)state;
    Shape s = shape_of(
        "f", IMPORTS "const MASK: [3][3]f32 = [[0.0, 2.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]\n"
                     "entry fn f[h, w: nat](image: [h][w]f32) -> [h][w]f32 {\n"
                     "    picture(convolved[1, 1](clamping(), MASK, trusted(image)))\n"
                     "}\n");
    assert_plain(middle(&s));
    assert_int_equal(count(middle(&s), "image["), 4);
    assert_int_equal(count(middle(&s), "f * "), 1);
    assert_none(s.body, "static const float");
    shape_delete(&s);
}

// Each thread has a part of the workspace for the rows of its strips, which it asks for once.
static void strips_have_one_buffer(void **state)
{
    (void)state;
    Shape s = shape_of("f", IMPORTS "entry fn f[h, w: nat](image: [h][w]f32) -> [h][w]f32 {\n"
                                    "    let weights = [0.25, 0.5, 0.25];\n"
                                    "    let stage = separable[1](sliding[w, 1, 0], clamping(), "
                                    "weights, weights, trusted(image));\n"
                                    "    picture(strips(32, par(0), stage))\n"
                                    "}\n");
    const char *team = strstr(s.body, "#pragma omp parallel");
    assert_non_null(team);
    assert_int_equal(count(s.body, "adze_part_of(workspace"), 1);
    assert_none(s.body, "adze_alloc(");
    const char *ring = strstr(team, "adze_part_of(workspace");
    assert_non_null(ring);
    const char *strip = strstr(ring, "for (int64_t i");
    assert_non_null(strip);
    assert_int_equal(count(team, "for (int64_t i"), 1);
    assert_non_null(strstr(strip, "for (int64_t j"));
    shape_delete(&s);
}

// All levels of a cycle are loops of one function: no call is left, nor memory inside of loops.
static void cycles_are_loops(void **state)
{
    (void)state;
    Shape s =
        shape_of("f", IMPORTS "entry fn f[h, w: nat](f: [h][w]f32) -> [h][w]f32 {\n"
                              "    vcycle(1, 2, true, standard(), f, repeat[h](repeat[w](0.0)))\n"
                              "}\n");
    assert_none(loops_text(s.body), "adze_alloc(");
    assert_none(s.body, "vcycle(");
    assert_none(s.body, "smoothed(");
    shape_delete(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(borders_are_handled_at_borders),
        cmocka_unit_test(masks_are_specialised),
        cmocka_unit_test(strips_have_one_buffer),
        cmocka_unit_test(cycles_are_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
