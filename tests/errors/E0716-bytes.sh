# To a file that is no .npy file and no picture bytes are written, [n]u8.
cd "$2" || exit 3
echo 'entry fn zeros(n: nat) -> [n]f32 { repeat[n](0.0) }' >zeros.adz
"$1" run zeros.adz 'zeros(3)' -o zeros.txt
#! error E0716
