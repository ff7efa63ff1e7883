# To a file with an extension that is not known only bytes and structs in C's layout are written.
cd "$2" || exit 3
echo 'entry fn zeros(n: nat) -> [n]f32 { repeat[n](0.0) }' >zeros.adz
"$1" run zeros.adz 'zeros(3)' -o zeros.data
#! error E0716
