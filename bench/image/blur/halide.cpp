// The blur of Halide's first paper in two schedules: tiles as there, and strips of rows along which blurred
// rows are kept, which is the fastest found.
#include <Halide.h>

using namespace Halide;

namespace
{

struct Blur {
    ImageParam in{Int(32), 2, "in"};
    Var x{"x"}, y{"y"}, xi{"xi"}, yi{"yi"};
    Func along{"along"}, out{"out"};

    Blur()
    {
        Func image = BoundaryConditions::repeat_edge(in);
        along(x, y) = (image(x - 1, y) + image(x, y) + image(x + 1, y)) / 3;
        out(x, y) = (along(x, y - 1) + along(x, y) + along(x, y + 1)) / 3;
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
    Blur tiles, strips;
    tiles.out.tile(tiles.x, tiles.y, tiles.xi, tiles.yi, 256, 32)
        .vectorize(tiles.xi, 8)
        .parallel(tiles.y);
    tiles.along.compute_at(tiles.out, tiles.x).vectorize(tiles.x, 8);
    tiles.write("halide_tiles", target);

    int lanes = target.natural_vector_size<int32_t>();
    strips.out.split(strips.y, strips.y, strips.yi, 32)
        .vectorize(strips.x, lanes)
        .parallel(strips.y);
    strips.along.store_at(strips.out, strips.y)
        .compute_at(strips.out, strips.yi)
        .vectorize(strips.x, lanes);
    strips.write("halide_strips", target.with_feature(Target::NoRuntime));
}
