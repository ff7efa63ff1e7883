// An unsharp mask in two schedules: tiles as in Halide's first papers, and strips of rows in each of which a row is summed down just before
// it is summed along itself, which is the fastest found.
#include <Halide.h>

using namespace Halide;

namespace
{

struct Unsharp {
    ImageParam in{Float(32), 2, "in"};
    Var x{"x"}, y{"y"}, xi{"xi"}, yi{"yi"};
    Func down{"down"}, out{"out"};

    static Expr weighted(Expr a, Expr b, Expr c, Expr d, Expr e, Expr f, Expr g)
    {
        return (a + g) * (1.0f / 64) + (b + f) * (6.0f / 64) + (c + e) * (15.0f / 64) +
               d * (20.0f / 64);
    }

    Unsharp()
    {
        Func image = BoundaryConditions::repeat_edge(in);
        down(x, y) = weighted(image(x, y - 3), image(x, y - 2), image(x, y - 1), image(x, y),
                              image(x, y + 1), image(x, y + 2), image(x, y + 3));
        Expr soft = weighted(down(x - 3, y), down(x - 2, y), down(x - 1, y), down(x, y),
                             down(x + 1, y), down(x + 2, y), down(x + 3, y));
        out(x, y) = image(x, y) + 0.8f * (image(x, y) - soft);
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
    Unsharp tiles, strips;
    tiles.out.tile(tiles.x, tiles.y, tiles.xi, tiles.yi, 256, 32)
        .vectorize(tiles.xi, 8)
        .parallel(tiles.y);
    tiles.down.compute_at(tiles.out, tiles.x).vectorize(tiles.x, 8);
    tiles.write("halide_tiles", target);

    int lanes = target.natural_vector_size<float>();
    strips.out.split(strips.y, strips.y, strips.yi, 32)
        .vectorize(strips.x, lanes)
        .parallel(strips.y);
    strips.down.compute_at(strips.out, strips.yi).vectorize(strips.x, lanes);
    strips.write("halide_strips", target.with_feature(Target::NoRuntime));
}
