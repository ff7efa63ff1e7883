# Every call of `g31` makes a function of two that calls of `g30` make, and so on, and staging may
# take as many steps as it likes.
cd "$2" || exit 3
awk 'BEGIN {
    print "fn g0(k: f32) -> fn(f32) -> f32 { |x| x * k }"
    for (i = 1; i < 32; i++)
        print "fn g" i "(k: f32) -> fn(f32) -> f32 { let a = g" i-1 "(k); let b = g" i-1 "(k + 1.0); |x| a(b(x)) }"
    print "entry fn f(x: f32) -> f32 { g31(2.0)(x) }"
}' > large.adz
"$1" build large.adz -o out --stage-budget 1000000000000 --memory-limit 64
status=$?
[ ! -e out ] || exit 3 # nothing is written
exit $status
#! error E0725 33:10
