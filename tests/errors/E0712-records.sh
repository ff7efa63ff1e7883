# Only C's layout says where the members of a struct are in a file without a header.
cd "$2" || exit 3
echo 'struct P { x: f32, tag: u8 } fn f[n: nat](ps: [n]P) -> [n]f32 { map(|p| p.x, ps) }' >f.adz
printf '%024d' 0 >p.bin
"$1" run f.adz 'f(load("p.bin"))'
#! error E0712 1:3
