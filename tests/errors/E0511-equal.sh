# Equal calls in two entries, and in two functions that are unfolded in one: each has its own place.
cd "$2" || exit 3
cat >lanes.adz <<'E'
extern fn noise(x: f32) -> f32

entry fn grain[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map.vec[16](|x| 0.5 * x * x * x * x * x + noise(x))
}

entry fn same[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map.vec[16](|x| 0.5 * x * x * x * x * x + noise(x))
}

fn fine[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map.vec[16](|x| 1.5 * x * x * x * x * x + noise(x))
}

fn coarse[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map.vec[16](|x| 2.5 * x * x * x * x * x + noise(x))
}

entry fn both[n: nat](xs: [n]f32, ys: [n]f32) -> ([n]f32, [n]f32) {
    (fine(xs), coarse(ys))
}
E
"$1" build lanes.adz --cpu x86-64-v4
#! warning E0511 4:53
#! warning E0511 8:53
#! warning E0511 12:53
#! warning E0511 16:53
#! status 0
