# The first function turns an array around, the second one does not.
cd "$2" || exit 3
cat >turn.adz <<'END'
entry fn turned[n: nat](xs: [n]i32) -> [n]i32 {
    xs |> permute(|i| (n - 1 - i) as idx[n], |i| i)
}
END
"$1" run turn.adz 'turned([1, 2, 3])'
#! error E0611 2:5
