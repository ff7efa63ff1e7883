# The file has an entry `zeros`, and no `zero`.
cd "$2" || exit 3
echo 'entry fn zeros(n: nat) -> [n]f32 { repeat[n](0.0) }' >zeros.adz
"$1" explain zeros.adz zero
#! error E0717
