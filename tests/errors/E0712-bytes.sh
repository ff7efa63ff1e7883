# A file with an extension that is not known is its bytes, [n]u8.
cd "$2" || exit 3
echo 'entry fn f[n: nat](xs: [n]f32) -> f32 { reduce(+, 0.0, xs) }' >f.adz
echo '1.0, 2.0' >numbers.data
"$1" run f.adz 'f(load("numbers.data"))'
#! error E0712 1:3
