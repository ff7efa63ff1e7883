# There is no driver, so no device has this name.
export OCL_ICD_VENDORS=/nonexistent
cd "$2" || exit 3
echo 'entry fn twice[n: nat](xs: [n]f32) -> [n]f32 { map(|x| 2.0 * x, xs) }' >twice.adz
"$1" run --device 'a quantum computer' twice.adz 'twice([1.0, 2.0])'
#! error E0615
