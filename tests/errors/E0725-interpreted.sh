# The interpreter keeps an array of five million numbers as five million values.
cd "$2" || exit 3
cat >sums.adz <<'END'
entry fn largest(n: nat) -> i64 { generate(n, |i| i64(i) * 3) |> scan(+, 0) |> reduce(max, 0) }
END
"$1" run --interpret sums.adz 'largest(5000000)' --memory-limit 64
#! error E0725 1:1
