# With three elements the branch is taken, and needs four; with two it is not taken.
cd "$2" || exit 3
cat >four.adz <<'END'
fn four[n: nat](xs: [n]f32) -> f32 {
    if n >= 3 { reduce(+, 0.0, take[4](xs)) } else { 0.0 }
}
END
"$1" run --interpret four.adz 'four([1.0, 2.0])' && "$1" run --interpret four.adz 'four([1.0, 2.0, 3.0])'
#! error E0604 2:32
