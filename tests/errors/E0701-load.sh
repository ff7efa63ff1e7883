# The picture does not exist.
cd "$2" || exit 3
echo 'entry fn f[h, w: nat](a: [h][w]f32) -> f32 { a[0, 0] }' >f.adz
"$1" run f.adz 'f(load("missing.png"))'
#! error E0701 1:3
