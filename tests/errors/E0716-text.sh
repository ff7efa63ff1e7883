# Only bytes are text.
cd "$2" || exit 3
echo 'entry fn zeros(n: nat) -> [n]f32 { repeat[n](0.0) }' >zeros.adz
"$1" run zeros.adz 'zeros(3)' --text
#! error E0716
