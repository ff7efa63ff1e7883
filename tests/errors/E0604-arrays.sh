# Sizes that must agree for an operator, and bounds that must lie in an array: found when the program runs.
cd "$2" || exit 3
cat >arrays.adz <<'END'
fn add[n, m: nat](a: [n]f32, b: [m]f32) -> [n]f32 {
    a + b
}

fn clear[n, m: nat](a: [n][m]f32) -> [n][m]f32 {
    with ([1, 1] <= iv < [3, 3]) { 0 } modarray a
}
END
"$1" run --interpret arrays.adz 'add([1.0, 2.0], [3.0])'
"$1" run --interpret arrays.adz 'clear([[1.0, 2.0, 3.0]])'
#! error E0604 2:5
#! error E0604 6:26
