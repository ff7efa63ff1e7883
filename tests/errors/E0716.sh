# A picture is an array [h][w] or [h][w][3].
cd "$2" || exit 3
echo 'entry fn zeros(n: nat) -> [n]f32 { repeat[n](0.0) }' >zeros.adz
"$1" run zeros.adz 'zeros(3)' -o zeros.png
#! error E0716
