# The file says that it is a .npy file, and ends there.
cd "$2" || exit 3
echo 'entry fn f[n: nat](xs: [n]f32) -> f32 { reduce(+, 0.0, xs) }' >f.adz
printf '\223NUMPY\001\000' >cut.npy
"$1" run f.adz 'f(load("cut.npy"))'
#! error E0711 1:3
