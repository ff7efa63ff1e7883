# With the sizes of this call, n * n has more than 64 bits.
cd "$2" || exit 3
cat >ones.adz <<'END'
fn ones(n: nat) -> f64 {
    reduce(+, 0.0, repeat[n * n](1.0))
}
END
"$1" run ones.adz 'ones(4294967296)'
#! error E0402 2:20
