# No memory holds 2^45 numbers.
cd "$2" || exit 3
echo 'entry fn zeros(n: nat) -> [n]f32 { repeat[n](0.0) }' >zeros.adz
"$1" run zeros.adz 'zeros(n)' --size n=35184372088832
#! error E0606 1:1
