# The mean of no elements.
cd "$2" || exit 3
cat >mean.adz <<'END'
entry fn mean(sum: i32, count: i32) -> i32 {
    sum / count
}
END
"$1" run mean.adz 'mean(10, 0)'
#! error E0602 2:5
