// Harris' corner detector in two schedules: the tiles of 128 x 128 that were in Halide's repository at the
// time of the AnyDSL paper, and strips of rows along which the gradients are kept, as it has them since,
// which is the fastest found.
#include <Halide.h>

using namespace Halide;

namespace
{

struct Harris {
    ImageParam in{Float(32), 2, "in"};
    Var x{"x"}, y{"y"}, xi{"xi"}, yi{"yi"};
    Func dx{"dx"}, dy{"dy"}, out{"out"};

    Func product(const Func &a, const Func &b)
    {
        Func f;
        f(x, y) = a(x, y) * b(x, y);
        return f;
    }

    Expr sum(const Func &f)
    {
        return f(x - 1, y - 1) + f(x - 1, y) + f(x - 1, y + 1) + f(x, y - 1) + f(x, y) +
               f(x, y + 1) + f(x + 1, y - 1) + f(x + 1, y) + f(x + 1, y + 1);
    }

    Harris()
    {
        Func image = BoundaryConditions::repeat_edge(in), sxx, sxy, syy, trace;
        float a = 1.0f / 12, b = 2.0f / 12;
        dx(x, y) = image(x - 1, y - 1) * -a + image(x + 1, y - 1) * a + image(x - 1, y) * -b +
                   image(x + 1, y) * b + image(x - 1, y + 1) * -a + image(x + 1, y + 1) * a;
        dy(x, y) = image(x - 1, y - 1) * -a + image(x - 1, y + 1) * a + image(x, y - 1) * -b +
                   image(x, y + 1) * b + image(x + 1, y - 1) * -a + image(x + 1, y + 1) * a;
        sxx(x, y) = sum(product(dx, dx));
        sxy(x, y) = sum(product(dx, dy));
        syy(x, y) = sum(product(dy, dy));
        trace(x, y) = sxx(x, y) + syy(x, y);
        out(x, y) =
            sxx(x, y) * syy(x, y) - sxy(x, y) * sxy(x, y) - 0.04f * trace(x, y) * trace(x, y);
    }

    void write(const std::string &name, const Target &target)
    {
        out.compile_to_static_library(name, {in}, name, target);
    }
};

} // namespace

int main()
{
    Target target = get_host_target();
    Harris tiles, strips;
    tiles.out.tile(tiles.x, tiles.y, tiles.xi, tiles.yi, 128, 128)
        .vectorize(tiles.xi, 8)
        .parallel(tiles.y);
    for (Func f : {tiles.dx, tiles.dy}) f.compute_at(tiles.out, tiles.x).vectorize(tiles.x, 8);
    tiles.write("halide_tiles", target);

    int lanes = target.natural_vector_size<float>();
    strips.out.split(strips.y, strips.y, strips.yi, 32)
        .vectorize(strips.x, lanes)
        .parallel(strips.y);
    for (Func f : {strips.dx, strips.dy})
        f.store_at(strips.out, strips.y)
            .compute_at(strips.out, strips.yi)
            .vectorize(strips.x, lanes);
    strips.dx.compute_with(strips.dy, strips.x);
    strips.write("halide_strips", target.with_feature(Target::NoRuntime));
}
