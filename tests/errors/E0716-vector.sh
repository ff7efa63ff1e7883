# A vector is no array; as_scalar([v]) is.
cd "$2" || exit 3
echo 'entry fn twice(x: varying[4] f32) -> varying[4] f32 { x * 2.0 }' >twice.adz
"$1" run twice.adz 'twice(1.0)' -o y.npy
#! error E0716
