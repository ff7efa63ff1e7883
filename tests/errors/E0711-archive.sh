# A .npz file holds .npy files.
cd "$2" || exit 3
echo 'entry fn f[n: nat](xs: [n]f32) -> f32 { reduce(+, 0.0, xs) }' >f.adz
: >arrays.npz
"$1" run f.adz 'f(load("arrays.npz"))'
#! error E0711 1:3
