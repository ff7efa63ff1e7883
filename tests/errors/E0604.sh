# Nothing says that the size is even; it is found when the program runs.
cd "$2" || exit 3
cat >pairs.adz <<'END'
fn evens[n: nat](xs: [n]f32) -> [n / 2]f32 {
    split[2](xs) |> map(|p| p[0])
}
END
"$1" run --interpret pairs.adz 'evens([1.0, 2.0, 3.0])'
#! error E0604 2:14
