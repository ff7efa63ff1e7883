# The array has two elements, with the indices 0 and 1.
cd "$2" || exit 3
cat >pick.adz <<'END'
entry fn pick[n: nat](i: i64, xs: [n]f32) -> f32 {
    2.0 * xs[i]
}
END
"$1" run pick.adz 'pick(2, [1.0, 2.0])'
#! error E0601 2:14
