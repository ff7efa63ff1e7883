# The function calls itself for ever: it does not end at negative numbers.
cd "$2" || exit 3
cat >factorial.adz <<'END'
fn factorial(n: i64) -> i64 {
    if n == 0 { 1 } else { n * factorial(n - 1) }
}
END
"$1" run --interpret factorial.adz 'factorial(-1)'
#! error E0605 2:32
