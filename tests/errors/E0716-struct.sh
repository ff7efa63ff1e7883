# A tuple in a struct has no names that the file could have.
cd "$2" || exit 3
echo 'struct P { at: (f32, f32), tag: u8 }' >f.adz
"$1" run f.adz '[P { at: (1.0, 2.0), tag: 3 }]' -o p.npy
#! error E0716
