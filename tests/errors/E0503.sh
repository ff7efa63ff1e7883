# Every call of `g31` makes a function of two that calls of `g30` make, and so on: two thousand
# million functions in all.
cd "$2" || exit 3
awk 'BEGIN {
    print "fn g0(k: f32) -> fn(f32) -> f32 { |x| x * k }"
    for (i = 1; i < 32; i++)
        print "fn g" i "(k: f32) -> fn(f32) -> f32 { let a = g" i-1 "(k); let b = g" i-1 "(k + 1.0); |x| a(b(x)) }"
    print "entry fn f(x: f32) -> f32 { g31(2.0)(x) }"
}' > large.adz
"$1" check large.adz
#! error E0503 33:10
