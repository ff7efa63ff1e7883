# Text with several rows and columns has two dimensions.
cd "$2" || exit 3
echo 'entry fn f[n: nat](xs: [n]f32) -> f32 { reduce(+, 0.0, xs) }' >f.adz
printf '1,2\n3,4\n' >table.csv
"$1" run f.adz 'f(load("table.csv"))'
#! error E0712 1:3
