# Lanes whose body does little but call a function of C, calls one in two places, gives one an array
# of its own or one that all share, computes halves, has an array of unknown length, goes on
# with what the one before made; a number of lanes that no vector has.
cd "$2" || exit 3
cat >lanes.adz <<'END'
extern fn noise(x: f32) -> f32;
extern fn four(t: &mut [4]f32);

entry fn called[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map.vec[16](|x| noise(x) * x + 1.0)
}

entry fn in_order[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map.vec[16](|x| {
        let y = if x > 0.0 { noise(3.0 * x) } else { noise(2.0 * x) };
        y * y + x * y - 3.0 * x + 1.0
    })
}

entry fn own[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map.vec[16](|x| {
        let mut t = [x, x * 2.0, x * x, 1.0];
        four(&mut t);
        t[0] * t[1] + x * t[2] * t[3]
    })
}

entry fn shared[n: nat](xs: [n]f32) -> [4]f32 {
    let mut t = [0.0, 0.0, 0.0, 0.0];
    for i in vectorize(8, 0, n) {
        let y = xs[i] * xs[i] + 1.0;
        if t[0] < y {
            four(&mut t);
        }
    }
    t
}

entry fn halves(xs: [64]f16) -> [64]f16 {
    xs |> map.vec[16](|x| x * x)
}

entry fn unknown[n: nat, m: nat](xs: [n]f32, ys: [m]f32) -> [n]f32 {
    let mut out: [n]f32 = undefined();
    for i in vectorize(8, 0, n) {
        let mut t: [m]f32 = undefined();
        for j in range(0, m) {
            t[j] = xs[i] * ys[j];
        }
        let mut s = 0.0;
        for j in range(0, m) {
            s += t[m - 1 - j] * t[j];
        }
        out[i] = s;
    }
    out
}

entry fn carried(xs: [64]f32) -> [64]f32 {
    let mut out = xs;
    for i in vectorize(8, 0, 63) {
        out[i + 1] = out[i] * 2.0 + xs[i];
    }
    out
}

entry fn six[n: nat](xs: [n]f32) -> [n]f32 {
    let mut out: [n]f32 = undefined();
    for i in vectorize(6, 0, n) {
        out[i] = xs[i] * 2.0;
    }
    out
}

entry fn divided[n: nat](xs: [n]i32, d: i32) -> [n]i32 {
    xs |> map.vec[16](|x| x / d)
}

entry fn simd(x: varying[8] f32) -> varying[8] f32 {
    let mut y = x;
    if x > 0.0 {
        y = noise(x);
    }
    y * x
}

entry fn fine[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map.vec[16](|x| exp(x) * x + 1.0)
}

entry fn plain[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map(|x| noise(x))
}
END
"$1" build lanes.adz --cpu x86-64-v4
#! warning E0510 5:5
#! warning E0510 10:30
#! warning E0510 18:9
#! warning E0510 28:13
#! warning E0510 35:5
#! warning E0510 41:29
#! warning E0510 57:22
#! warning E0510 64:14
#! warning E0510 71:5
#! warning E0511 77:13
#! status 0
