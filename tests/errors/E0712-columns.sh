# A member is one column.
cd "$2" || exit 3
echo 'struct P[n: nat] { x: [n]f32, y: [n]f32 } fn f[n: nat](p: P[n]) -> [n]f32 { p.y }' >f.adz
printf 'x,y,y\n1,2,3\n' >p.csv
"$1" run f.adz 'f(load("p.csv"))'
#! error E0712 1:3
