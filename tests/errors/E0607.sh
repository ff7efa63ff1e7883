# 2^32 times 2^32 is 2^64.
cd "$2" || exit 3
cat >ones.adz <<'END'
fn ones(n: nat) -> f64 {
    reduce(+, 0.0, repeat[n * n](1.0))
}
END
"$1" run --interpret ones.adz 'ones(4294967296)'
#! error E0607 2:20
