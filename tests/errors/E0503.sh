# Every call of `g31` expands to two calls of `g30`, and so on: two thousand million calls in all.
cd "$2" || exit 3
awk 'BEGIN {
    print "fn g0(x: [4]f32) -> [4]f32 { map(|e| e * e + 1.0, x) }"
    for (i = 1; i < 32; i++) print "fn g" i "(x: [4]f32) -> [4]f32 { g" i-1 "(g" i-1 "(x)) }"
    print "entry fn f(x: [4]f32) -> [4]f32 { g31(x) }"
}' > large.adz
"$1" check large.adz
#! error E0503 33:10
