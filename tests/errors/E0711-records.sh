# A file of records has a whole number of them; here 8 bytes are the beginning of a second one.
cd "$2" || exit 3
echo '#[c_layout] struct P { x: f32, tag: u8, w: f64 } fn f[n: nat](ps: [n]P) -> [n]f32 { map(|p| p.x, ps) }' >f.adz
printf '%024d' 0 >p.bin
"$1" run f.adz 'f(load("p.bin"))'
#! error E0711 1:3
