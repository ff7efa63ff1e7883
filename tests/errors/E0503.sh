# Every call of `f31` expands to two calls of `f30`, and so on: two thousand million calls in all.
cd "$2" || exit 3
awk 'BEGIN {
    print "fn f0(x: f32) -> f32 { x * x + 1.0 }"
    for (i = 1; i < 32; i++) print "fn f" i "(x: f32) -> f32 { f" i-1 "(f" i-1 "(x)) }"
    print "entry fn f(x: f32) -> f32 { f31(x) }"
}' > large.adz
"$1" check large.adz
#! error E0503 33:10
