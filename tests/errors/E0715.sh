# A size is a number from 0 on.
cd "$2" || exit 3
echo 'entry fn zeros(n: nat) -> [n]f32 { repeat[n](0.0) }' >zeros.adz
"$1" run zeros.adz 'zeros(n)' --size n=-3
#! error E0715
