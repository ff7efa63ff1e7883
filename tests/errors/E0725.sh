# Every call of `g31` expands to two calls of `g30`, and so on, and staging may take as many steps as it likes.
cd "$2" || exit 3
awk 'BEGIN {
    print "fn g0(x: [4]f32) -> [4]f32 { map(|e| e * e + 1.0, x) }"
    for (i = 1; i < 32; i++) print "fn g" i "(x: [4]f32) -> [4]f32 { g" i-1 "(g" i-1 "(x)) }"
    print "entry fn f(x: [4]f32) -> [4]f32 { g31(x) }"
}' > large.adz
"$1" build large.adz -o out --stage-budget 1000000000000 --memory-limit 64
status=$?
[ ! -e out ] || exit 3 # nothing is written
exit $status
#! error E0725 33:10
