# Without a message the condition is shown. The interpreter gives the same error.
cd "$2" || exit 3
cat >mean.adz <<'E'
entry fn mean[n: nat](xs: [n]f32) -> f32 {
    assert(n > 0);
    reduce(+, 0.0, xs) / f32(n)
}
E
"$1" run --interpret mean.adz 'mean([])'
#! error E0614 2:5
