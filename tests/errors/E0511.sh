# The index of a loop has 64 bits, the elements have 32; `fmod` has no vectors.
cd "$2" || exit 3
cat >lanes.adz <<'END'
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

entry fn doubles[n: nat](xs: [n]f64) -> [n]f64 {
    xs |> map.vec[16](|x| x * x + 1.0)
}
END
"$1" build lanes.adz --cpu x86-64-v4
#! warning E0511 5:18
#! warning E0511 20:27
#! status 0
