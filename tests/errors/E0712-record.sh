# Records are loaded as structs whose members have the names and the types of the fields.
cd "$2" || exit 3
echo 'struct P { x: f32, tag: u8 } entry fn f[n: nat](ps: [n]P) -> [n]f32 { map(|p| p.x, ps) }' >f.adz
echo 'struct Q { x: f64, tag: u8 }' >g.adz
"$1" run g.adz '[Q { x: 1.0, tag: 2 }]' -o q.npy
"$1" run f.adz 'f(load("q.npy"))'
#! error E0712 1:3
