# An archive holds several arrays: load("arrays.npz:NAME") is one of them.
cd "$2" || exit 3
echo 'entry fn f[n: nat](xs: [n]f32) -> f32 { reduce(+, 0.0, xs) }' >f.adz
"$1" run f.adz '([1.0f32, 2.0], [3.0f32])' -o arrays.npz
"$1" run f.adz 'f(load("arrays.npz"))'
#! error E0711 1:3
