# The numbers of a file are made vectors by as_vector.
cd "$2" || exit 3
printf 'entry fn sums[n: nat](v: [n]varying[4] u8) -> [n]u8 { v |> map(|x| extract(x, 0)) }\n' >f.adz
printf 'abcdefgh' >v.bin
"$1" run f.adz 'sums(load("v.bin"))'
#! error E0712 1:6
