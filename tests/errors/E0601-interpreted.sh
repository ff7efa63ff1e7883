# The interpreter gives the same error; idx[n](i) is checked like an index.
cd "$2" || exit 3
cat >pick.adz <<'END'
entry fn pick[n: nat](i: i64, xs: [n]f32) -> f32 {
    let k = i as idx[n];
    xs[k] + 1.0
}
END
"$1" run --interpret pick.adz 'pick(-1, [1.0, 2.0])'
#! error E0601 2:13
