# The index of a loop has 64 bits, the elements have 32; `fmod` has no vectors; a function of C and
# one that calls itself; an atomic update.
cd "$2" || exit 3
cat >lanes.adz <<'END'
import std.atomics (atomic_add)

extern fn noise(x: f32) -> f32;

entry fn waves[n: nat](xs: [n]f32) -> [n]f32 {
    let mut out: [n]f32 = undefined();
    for i in vectorize(16, 0, n) {
        let k = i * i % 7;
        out[i] = xs[i] * xs[i] + f32(k);
    }
    out
}

entry fn narrow[n: nat](xs: [n]f32) -> [n]f32 {
    let mut out: [n]f32 = undefined();
    for i in vectorize(16, 0, n) {
        let k = i32(i) * i32(i) % 7;
        out[i] = xs[i] * xs[i] + f32(k);
    }
    out
}

entry fn angles[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map.vec[16](|x| (x * x + 1.0) % (x + 3.0) * (x - 1.0) * (x + 5.0) - (x * 7.0 + x) * (x + 9.0))
}

entry fn grain[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map.vec[16](|x| {
        let y = noise(x * x);
        y * y + x * y - 3.0 * x + 1.0
    })
}

fn fib(k: i32) -> i32 {
    if k < 2 { k } else { fib(k - 1) + fib(k - 2) }
}

entry fn growth[n: nat](xs: [n]i32) -> [n]i32 {
    xs |> map.vec[16](|x| {
        let y = if x > 7 { fib(x & 15) } else { x };
        y * y + x * y - 3 * x + 1
    })
}

entry fn counts[n: nat](xs: [n]f32) -> [16]i32 {
    let mut out = repeat[16](0);
    for i in vectorize(16, 0, n) {
        let y = xs[i] * xs[i] * 3.0 - xs[i] + 1.0;
        atomic_add(&mut out[i32(y) & 15], 1);
    }
    out
}

entry fn doubles[n: nat](xs: [n]f64) -> [n]f64 {
    xs |> map.vec[16](|x| x * x + 1.0)
}
END
"$1" build lanes.adz --cpu x86-64-v4
#! warning E0511 9:18
#! warning E0511 24:27
#! warning E0511 29:17
#! warning E0511 40:28
#! warning E0511 49:9
#! status 0
