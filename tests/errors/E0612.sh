# The stack of C is too small for as many calls in one another.
cd "$2" || exit 3
cat >sum.adz <<'END'
/// Of the numbers up to n, the last first.
fn sum(n: i64) -> i64 {
    if n == 0 { 0 } else { let rest = sum(n - 1); if rest > 9 { rest - n } else { rest + n } }
}

// Each of two functions calls the other, on several threads.
fn even(n: i64) -> bool {
    if n == 0 { true } else { odd(n - 1) == false || n > 0 }
}
fn odd(n: i64) -> bool {
    if n == 0 { false } else { even(n - 1) == true && n > 0 }
}

entry fn all[m: nat](ns: [m]i64) -> [m]bool {
    ns |> map.par(even)
}
END
"$1" run sum.adz 'sum(1000) + sum(100000000)'
"$1" run sum.adz 'all([1, 2, 3, 4, 10000000000])'
#! error E0612 2:4
#! error E0612 7:4
