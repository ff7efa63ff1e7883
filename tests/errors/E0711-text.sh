# The rows of a table are equally long.
cd "$2" || exit 3
echo 'entry fn f[n, m: nat](xs: [n][m]f32) -> f32 { reduce(+, 0.0, join(xs)) }' >f.adz
printf '1,2\n3,4,5\n' >ragged.csv
"$1" run f.adz 'f(load("ragged.csv"))'
#! error E0711 1:3
